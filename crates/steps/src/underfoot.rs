//! The footprints that a swinging foot is over.
//!
//! Without a terrain the ground is known at footprints alone: under a foot it is as high as the foot's nearest footprint. Those
//! are the two that it swings between and, where people step over a block that they stood on, others of the same foot.

use super::stance_plane::StancePlane;
use surefoot_geom::{Vec2, Vec3, ground_point};
use surefoot_plan::Footprint;

/// Most footprints beside the two that a foot swings between, and how far they may be from its way, in metres.
const MOST_OTHERS: usize = 4;
const NEAR: f64 = 0.5;
/// Those that are no higher than this above the lower end of the swing are ground that it stays out of anyway, in metres.
const HIGHER: f64 = 1e-4;

/// The footprint that a foot leaves, the one where it lands, and higher ones near its way.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Underfoot {
    ends: [StancePlane; 2],
    others: [StancePlane; MOST_OTHERS],
    n_others: usize,
}

impl Underfoot {
    /// Between two footprints; `known` are those that the foot has besides.
    pub(super) fn new<'a>(ends: [StancePlane; 2], known: impl Iterator<Item = &'a Footprint>) -> Underfoot {
        let mut under = Underfoot { ends, ..Underfoot::default() };
        let lowest = ends[0].ball.y.min(ends[1].ball.y) + HIGHER;
        let mut away = [NEAR; MOST_OTHERS];
        for print in known.filter(|print| print.position.y > lowest) {
            let distance = under.distance_from_way(print.position);
            let is_end = ends.iter().any(|end| level(end.ball, print.position).length() < HIGHER);
            let at = away.iter().position(|other| distance < *other);
            let Some(at) = at.filter(|_| !is_end) else { continue };
            away[at..].rotate_right(1);
            under.others[at..].rotate_right(1);
            (away[at], under.others[at]) = (distance, StancePlane::new(print.position, print.normal));
            under.n_others = (under.n_others + 1).min(MOST_OTHERS);
        }
        under
    }

    /// What the foot leaves, and lands on.
    pub(super) fn ends(&self) -> &[StancePlane; 2] {
        &self.ends
    }

    /// The footprint that is nearest to a point, as seen from above.
    pub(super) fn nearest(&self, at: Vec3) -> &StancePlane {
        let away = |plane: &StancePlane| level(plane.ball, at).length_squared();
        let planes = self.ends.iter().chain(&self.others[..self.n_others]);
        planes.min_by(|one, other| away(one).total_cmp(&away(other))).expect("a swing has two ends")
    }

    fn distance_from_way(&self, place: Vec3) -> f64 {
        let [from, to] = self.ends.map(|end| end.ball);
        let (way, here) = (level(from, to), level(from, place));
        let share = (way.dot(here) / way.length_squared().max(1e-12)).clamp(0.0, 1.0);
        (here - way * share).length()
    }
}

/// The way from one point to another as seen from above.
fn level(from: Vec3, to: Vec3) -> Vec2 {
    ground_point(to - from)
}

#[cfg(test)]
mod tests {
    use super::*;
    use surefoot_motion::Side;

    fn print(height: f64, along: f64) -> Footprint {
        Footprint::at(Side::Left, Vec3::new(0.1, height, along))
    }

    fn under(ends: [(f64, f64); 2], known: &[Footprint]) -> Underfoot {
        let plane = |(height, along)| StancePlane::new(print(height, along).position, Vec3::Y);
        Underfoot::new(ends.map(plane), known.iter())
    }

    #[test]
    fn a_block_between_two_footprints_is_ground_and_what_is_low_or_far_is_not() {
        let known = [print(0.2, 0.4), print(-0.3, 0.5), print(0.2, 3.0), print(0.0, 0.0), print(0.05, 0.9)];
        let under = under([(0.0, 0.0), (0.05, 0.9)], &known);
        let height = |along: f64| under.nearest(Vec3::new(0.12, 1.0, along)).ball.y;
        assert_eq!([0.1, 0.3, 0.5, 0.8].map(height), [0.0, 0.2, 0.2, 0.05]);
        assert_eq!(under.n_others, 1);
    }

    #[test]
    fn of_many_blocks_the_nearest_count() {
        let known: Vec<Footprint> =
            (0..9).map(|k| print(0.1 + 0.01 * f64::from(k), 0.8 - 0.05 * f64::from(k))).collect();
        let under = under([(0.0, 0.0), (0.0, 0.35)], &known);
        assert_eq!(under.n_others, MOST_OTHERS);
        let farthest = under.others.iter().map(|plane| plane.ball.z).fold(0.0, f64::max);
        assert!(farthest < 0.56, "{farthest}");
    }
}
