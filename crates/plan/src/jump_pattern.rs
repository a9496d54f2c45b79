//! Which feet a flight takes off from and lands on: the four patterns of jumps (COMPOSE 4.1), their mirrors, and hops.
//!
//! Times decide where a plan has them. Where it has none, the places of the feet do, as in the paper: feet beside each other, as
//! seen along their heading or the travel, take off or land together; a foot ahead does it alone.
//!
//! ```text
//!    both -> both       both -> one       one -> both       one -> other      hop
//!     L      L           L                 L      L               L
//!     R      R           R      R             R   R             R              R    R
//! ```
//!
//! Two feet land together where their `land`s are at most [`TOGETHER`] apart; where the second one has the behaviour jump and a
//! `support` after its landing; or where both have the behaviour jump, no times, and lie beside each other.

use surefoot_contact::{Behaviour, Footprint};
use surefoot_geom::{Vec3, ground_point, heading_direction};
use surefoot_motion::Side;

/// Feet that leave or land at most so many seconds apart do it together. Recorded people's two feet are up to 0.06 s apart.
pub const TOGETHER: f64 = 0.06;
/// Feet that are no further apart along the travel are beside each other, in metres: half of a short walking step.
const BESIDE: f64 = 0.25;
/// The same at any direction, where there is no travel.
const NEAR: f64 = 0.6;
/// Shorter travels have no direction, in metres.
const TRAVEL: f64 = 0.1;

/// The feet of a take-off or a landing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Feet {
    /// The left one alone.
    Left,
    /// The right one alone.
    Right,
    /// Both at once.
    Both,
}

impl Feet {
    /// Those on which someone stands.
    pub const ALL: [Feet; 3] = [Feet::Left, Feet::Right, Feet::Both];

    /// One foot.
    pub fn one(side: Side) -> Feet {
        match side {
            Side::Left => Feet::Left,
            Side::Right => Feet::Right,
        }
    }

    /// Whether a foot is one of them.
    pub fn has(self, side: Side) -> bool {
        self == Feet::Both || self == Feet::one(side)
    }

    /// As reports have it.
    pub fn name(self) -> &'static str {
        match self {
            Feet::Left => "left",
            Feet::Right => "right",
            Feet::Both => "both",
        }
    }
}

/// A flight by its feet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct JumpPattern {
    /// The feet that push off.
    pub take_off: Feet,
    /// The feet that land first.
    pub landing: Feet,
}

impl JumpPattern {
    /// From one foot to the same foot.
    pub fn is_hop(self) -> bool {
        self.take_off == self.landing && self.take_off != Feet::Both
    }
}

/// How far past the middle of a foot's ball the platform ends that it jumps from or onto, in metres: before the toes' end.
const PLATFORM_END: f64 = 0.1;

/// The height of the ground under a point between the places a foot jumps from and to, where no terrain is known: both are platforms,
/// and the higher one ends before the toes, as people stand and land on edges.
pub fn ground_under_jump(from: Vec3, to: Vec3, point: Vec3) -> f64 {
    let (low, high) = if from.y < to.y { (from, to) } else { (to, from) };
    let across = ground_point(low - high).normalize_or_zero();
    let beyond = ground_point(point - high).dot(across);
    if beyond < PLATFORM_END { high.y } else { low.y }
}

/// Whether a footprint lands at the same time as the last one before it.
pub fn lands_together(before: &[Footprint], print: &Footprint) -> bool {
    // Of footprints in a row that could each land with the one before, every second one does.
    let mut n_candidates = 0;
    let (mut earlier, mut print) = (before, *print);
    while could_land_together(earlier, &print) {
        n_candidates += 1;
        print = earlier[earlier.len() - 1];
        earlier = &earlier[..earlier.len() - 1];
    }
    n_candidates % 2 == 1
}

fn could_land_together(before: &[Footprint], print: &Footprint) -> bool {
    let [.., last] = before else { return false };
    if before.len() < 3 || last.side == print.side {
        return false;
    }
    if let (Some(first), Some(second)) = (last.land, print.land) {
        return (second - first).abs() <= TOGETHER;
    }
    let jumps = |print: &Footprint| print.behaviour == Some(Behaviour::Jump);
    if let Some(support) = print.support {
        return jumps(print) && support > 0.0;
    }
    let is_timed = print.land.is_some() || last.land.is_some();
    let from = middle_of(&before[..before.len() - 1]);
    jumps(print) && jumps(last) && !is_timed && are_beside(from, last, print)
}

/// The feet that push off for the flight whose first landing is `print`, after the footprints before it.
pub fn take_off_feet(before: &[Footprint], print: &Footprint) -> Feet {
    let [.., last] = before else { return Feet::Both };
    let Some(other) = before.iter().rev().find(|print| print.side != last.side) else { return Feet::one(last.side) };
    if let (Some(left), Some(last_left)) = (other.leave, last.leave) {
        return if (last_left - left).abs() <= TOGETHER {
            Feet::Both
        } else {
            Feet::one(if last_left > left { last.side } else { other.side })
        };
    }
    let earlier = &before[..before.len() - 1];
    if before.len() <= 2 || lands_together(earlier, last) {
        return Feet::Both;
    }
    // After a flight to one foot the other is in the air.
    let has_flown = last.behaviour.is_some_and(Behaviour::is_flight)
        || crate::step_timing::timing_after(earlier, last).is_flight()
        || earlier.last().is_some_and(|earlier| earlier.side == last.side);
    if !has_flown && are_beside(print.position, other, last) { Feet::Both } else { Feet::one(last.side) }
}

/// Whether two footprints lie beside each other: as seen along the second one's heading, or, where it has none, from or to a place.
fn are_beside(from: Vec3, a: &Footprint, b: &Footprint) -> bool {
    let apart = ground_point(b.position - a.position);
    let travel = ground_point(0.5 * (a.position + b.position) - from);
    let direction = match b.heading {
        Some(heading) => ground_point(heading_direction(heading)),
        None if travel.length() < TRAVEL => return apart.length() < NEAR,
        None => travel.normalize(),
    };
    apart.dot(direction).abs() < BESIDE && apart.length() < 2.0 * NEAR
}

/// Between where both feet are.
fn middle_of(before: &[Footprint]) -> Vec3 {
    let [.., last] = before else { return Vec3::ZERO };
    let other = before.iter().rev().find(|print| print.side != last.side).unwrap_or(last);
    0.5 * (last.position + other.position)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn print(side: Side, x: f64, z: f64) -> Footprint {
        Footprint::at(side, Vec3::new(x, 0.0, z))
    }

    fn jump(side: Side, x: f64, z: f64) -> Footprint {
        Footprint { behaviour: Some(Behaviour::Jump), ..print(side, x, z) }
    }

    fn timed(print: Footprint, land: f64, leave: f64) -> Footprint {
        Footprint { land: Some(land), leave: Some(leave), behaviour: None, ..print }
    }

    const L: Side = Side::Left;
    const R: Side = Side::Right;

    #[test]
    fn feet_beside_each_other_land_together_and_a_foot_ahead_lands_alone() {
        let standing = [print(L, 0.1, 0.0), print(R, -0.1, 0.0)];
        let first = [standing[0], standing[1], jump(L, 0.1, 1.0)];
        assert!(lands_together(&first, &jump(R, -0.1, 1.0)));
        assert!(!lands_together(&first, &jump(R, -0.1, 1.6)), "a bound from foot to foot");
        assert!(!lands_together(&first, &print(R, -0.1, 1.0)), "a step");
        assert!(!lands_together(&first, &jump(L, 0.1, 1.0)), "a hop");
        assert!(!lands_together(&first[..2], &jump(L, 0.1, 1.0)), "standing feet have not landed");
    }

    #[test]
    fn pairs_of_a_sequence_are_pairs() {
        let mut prints = vec![print(L, 0.1, 0.0), print(R, -0.1, 0.0)];
        let mut found = Vec::new();
        for n in 0..6 {
            let next = if n % 2 == 0 { jump(L, 0.1, 0.0) } else { jump(R, -0.1, 0.0) };
            found.push(lands_together(&prints, &next));
            prints.push(next);
        }
        assert_eq!(found, [false, true, false, true, false, true]);
    }

    #[test]
    fn times_decide_where_there_are_any() {
        let standing = [timed(print(L, 0.1, 0.0), 0.0, 0.8), timed(print(R, -0.1, 0.0), 0.0, 0.82)];
        let first = [standing[0], standing[1], timed(print(L, 0.1, 1.0), 1.2, 2.0)];
        assert!(lands_together(&first, &timed(print(R, -0.1, 1.0), 1.25, 2.0)));
        assert!(!lands_together(&first, &timed(print(R, -0.1, 1.0), 1.35, 2.0)));
        assert_eq!(take_off_feet(&first[..2], &first[2]), Feet::Both);
        let one = [timed(standing[0], 0.0, 0.5), standing[1], first[2]];
        assert_eq!(take_off_feet(&one[..2], &one[2]), Feet::Right);
    }

    #[test]
    fn walkers_take_off_from_the_foot_ahead_unless_they_close_their_feet() {
        let standing = [print(L, 0.1, 0.0), print(R, -0.1, 0.0)];
        let striding = [standing[0], standing[1], print(L, 0.1, 0.6), jump(L, 0.1, 1.6)];
        assert_eq!(take_off_feet(&striding[..3], &striding[3]), Feet::Left);
        let closed = [standing[0], standing[1], print(L, 0.1, 0.6), print(R, -0.1, 0.6), jump(L, 0.1, 1.6)];
        assert_eq!(take_off_feet(&closed[..4], &closed[4]), Feet::Both);
        let hopping = [standing[0], standing[1], jump(L, 0.1, 0.5), jump(L, 0.1, 1.0)];
        assert_eq!(take_off_feet(&hopping[..3], &hopping[3]), Feet::Left);
        assert_eq!(take_off_feet(&hopping[..2], &hopping[2]), Feet::Both);
    }
}
