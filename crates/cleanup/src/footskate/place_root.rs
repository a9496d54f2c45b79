//! Phase 3: the root, moved as little as lets the legs reach their ankles (SKATE 4.3).
//!
//! A leg reaches its ankle if the root is in a ball about the ankle's place, less the offset from root to hip, with the leg's
//! full length as radius. With one foot planted the root is projected into one ball, with two into both:
//!
//! ```text
//!      .-----.-----.
//!     /     / \     \        P outside of both: first into each alone; if one answer lies in the other ball, it is the
//!    |  L  | B |  R  |       projection, the nearer one if both do; else the nearest point of the circle in which the
//!     \     \ /     /        two spheres cut each other.
//!      '-----'-----'
//!           P
//! ```
//!
//! Departure: before it is projected, the root follows its planted feet, by the mean of how far each was moved. A foot that was
//! recorded 2 cm too high is lowered, and its knee would have to take up all of it; the body that stands on it comes along by
//! half ([`super::CleanOptions::root_follows`]; 0 is the paper's). Each foot weighs by how firmly it is planted, so that the body
//! goes over from one to the other as in walking.
//!
//! The projection jumps when a foot lands or leaves. So the root's move is the weighted mean of the projections over L3 frames
//! to both sides. Departure: gaps without plants that are shorter than L3 do not break it, for a walk has such gaps between its
//! plants, and the root would blend to nothing and back in them. What the mean leaves unreached is stretched in phase 4.
//! The weights are those of equation 3, about which the paper is silent.
//!
//! Where two feet are planted farther apart than both legs reach, the point that misses both equally is taken.

use super::aim_ankles::AnkleTargets;
use super::blend::{alpha, mean_across};
use super::frames::Frames;
use super::legs::{LegPose, SourceFrame};
use super::place_plants::PlantedFeet;
use super::roll_over::Pivot;
use surefoot_geom::Vec3;
use surefoot_motion::{PerSide, Side};

/// A ball that the root must be in.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Ball {
    pub(super) centre: Vec3,
    pub(super) radius: f64,
}

impl Ball {
    fn holds(&self, point: Vec3) -> bool {
        point.distance(self.centre) <= self.radius * (1.0 + 1e-12)
    }

    fn project(&self, point: Vec3) -> Vec3 {
        let away = point - self.centre;
        if away.length() <= self.radius { point } else { self.centre + away.normalize_or_zero() * self.radius }
    }
}

/// The ankle targets of a frame, and the least move of the root that reaches them.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct AimedFrame {
    /// Phase 2's answer.
    pub targets: AnkleTargets,
    /// The feet that are planted on one part.
    pub pivots: PerSide<Option<Pivot>>,
    /// The move of this frame alone, before any averaging; `None` in a frame without plants.
    pub root_move: Option<Vec3>,
}

/// The least move of the root of one frame, after it has followed its planted feet by `follow`; `radius`
/// of a leg is how far it reaches.
pub(super) fn project_root(
    source: &SourceFrame,
    targets: &AnkleTargets,
    follow: Vec3,
    radius: impl Fn(&LegPose, Side) -> f64,
) -> Option<Vec3> {
    let balls = reach_balls(source, targets, radius);
    let root = source.root + follow;
    let place = match (balls.left, balls.right) {
        (None, None) => return None,
        (Some(ball), None) | (None, Some(ball)) => ball.project(root),
        (Some(left), Some(right)) => project_into_both(root, left, right),
    };
    Some(place - source.root)
}

/// The balls in which the root's planted legs reach their ankles; `radius` of a leg is how far it reaches.
pub(super) fn reach_balls(
    source: &SourceFrame,
    targets: &AnkleTargets,
    radius: impl Fn(&LegPose, Side) -> f64,
) -> PerSide<Option<Ball>> {
    PerSide::from_fn(|side| {
        let leg = &source.legs[side];
        targets[side].map(|ankle| Ball {
            centre: ankle.translation - (leg.hip.translation - source.root),
            radius: radius(leg, side),
        })
    })
}

/// How far the planted feet of a frame have been moved: the mean over both, each weighing by how firmly it is planted.
///
/// A foot that has just landed or is about to leave weighs little: as in walking, the body goes over from one foot to the
/// other while both are planted.
pub(super) fn follow_feet(
    planted: &(impl Frames<PlantedFeet> + ?Sized),
    frame: usize,
    span: usize,
    source: &SourceFrame,
    targets: &AnkleTargets,
) -> Vec3 {
    let (mut sum, mut total) = (Vec3::ZERO, 0.0);
    for side in Side::BOTH {
        let Some(ankle) = targets[side] else { continue };
        let weight = firmness(planted, frame, span, side);
        sum += (ankle.translation - source.legs[side].ankle.translation) * weight;
        total += weight;
    }
    if total > 0.0 { sum / total } else { Vec3::ZERO }
}

/// How firmly a foot is planted: up to 1, `span` frames away from landing and leaving.
fn firmness(planted: &(impl Frames<PlantedFeet> + ?Sized), frame: usize, span: usize, side: Side) -> f64 {
    let is_planted =
        |frame: Option<usize>| frame.and_then(|frame| planted.at(frame)).is_some_and(|feet| feet[side].is_planted());
    // Before the first frame and after the last nothing is known: a foot that is planted there remains planted.
    let is_known = |frame: Option<usize>| frame.is_some_and(|frame| planted.at(frame).is_some());
    let lasts = |frame_at: &dyn Fn(usize) -> Option<usize>| {
        let left = (1..=span).find(|&k| is_known(frame_at(k)) && !is_planted(frame_at(k)));
        1.0 - alpha(left.unwrap_or(span + 1) as f64 / (span + 1) as f64)
    };
    lasts(&|k| frame.checked_sub(k)) * lasts(&|k| Some(frame + k))
}

/// The point of two balls nearest to a point.
pub(super) fn project_into_both(point: Vec3, a: Ball, b: Ball) -> Vec3 {
    let (in_a, in_b) = (a.project(point), b.project(point));
    match (b.holds(in_a), a.holds(in_b)) {
        (true, true) if in_a.distance(point) <= in_b.distance(point) => in_a,
        (_, true) => in_b,
        (true, _) => in_a,
        (false, false) => project_onto_circle(point, a, b),
    }
}

/// The point nearest to `point` of the circle in which two spheres cut each other.
fn project_onto_circle(point: Vec3, a: Ball, b: Ball) -> Vec3 {
    let between = b.centre - a.centre;
    let gap = between.length();
    if gap >= a.radius + b.radius || gap <= (a.radius - b.radius).abs() {
        return a.centre + between.normalize_or_zero() * ((gap + a.radius - b.radius) / 2.0);
    }
    let axis = between / gap;
    let along = (gap * gap + a.radius * a.radius - b.radius * b.radius) / (2.0 * gap);
    let circle = (a.radius * a.radius - along * along).max(0.0).sqrt();
    let centre = a.centre + axis * along;
    let outward = (point - centre).reject_from_normalized(axis);
    centre + outward.normalize_or(axis.any_orthonormal_vector()) * circle
}

/// The root's move in a frame: the weighted mean of the moves around it, within its block of planted frames.
pub(super) fn filter_root(frames: &(impl Frames<AimedFrame> + ?Sized), frame: usize, span: usize) -> Option<Vec3> {
    mean_across(frames, frame, span, |aimed| aimed.root_move)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn any_point() -> impl Strategy<Value = Vec3> {
        (-1.0..1.0f64, -1.0..1.0f64, -1.0..1.0f64).prop_map(|(x, y, z)| Vec3::new(x, y, z))
    }

    proptest! {
        #[test]
        fn no_point_of_both_balls_is_nearer(point in any_point(), shift in any_point(), radius in 0.4..0.9f64, other in any_point()) {
            let a = Ball { centre: Vec3::ZERO, radius };
            let b = Ball { centre: shift * 0.6, radius: 0.7 };
            prop_assume!(b.centre.length() < a.radius + b.radius - 0.05);
            let place = project_into_both(point, a, b);
            let slack = 1e-9;
            prop_assert!(place.length() <= a.radius + slack && place.distance(b.centre) <= b.radius + slack);
            if a.holds(other) && b.holds(other) {
                prop_assert!(place.distance(point) <= other.distance(point) + 1e-9);
            }
        }
    }

    #[test]
    fn balls_that_do_not_meet_are_missed_equally() {
        let a = Ball { centre: Vec3::ZERO, radius: 0.5 };
        let b = Ball { centre: Vec3::X * 2.0, radius: 0.7 };
        let place = project_into_both(Vec3::Y, a, b);
        assert!((place.length() - a.radius - (place.distance(b.centre) - b.radius)).abs() < 1e-12);
    }
}
