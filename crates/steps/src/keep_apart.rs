//! A swinging leg that does not pass through the one that supports.
//!
//! People swing a foot around the other one. Steps that were recorded by several people and blended, or moved to other
//! footprints, may lead it through. So the swing is moved outward where it comes too near:
//!
//! ```text
//!      from above, a right foot that swings past a left one
//!
//!              [ left ]
//!      right ..............  as blended
//!            `.          .`
//!              `-......-`    moved outward: by nothing at both ends
//! ```
//!
//! 1. For each frame of the swing: how far the foot has to go outward, level and across the pelvis, until the midlines of both
//!    feet are [`FEET`] and those of both shins are [`SHINS`] apart ([`Leg::missing`]). Near the ends of the swing no more is
//!    asked for than the footprints leave.
//! 2. The moves are covered by smooth bumps that are 0 at both ends ([`cover`]); where nothing is too near nothing moves.
//!
//! Legs that cross, so that a foot stands on the other foot's outer side, have no outward: they are moved in the direction in which their
//! shins are apart where they are nearest.
//!
//! Limits: a foot that is moved takes its knee half as far, so that knees which meet (a pelvis too far to the side in a sharp turn) stay
//! nearer than asked for. The pelvis is fitted afterwards, which the distances have half a centimetre to spare for.

use super::LinearBody;
use super::sole_points::cover;
use super::step_walker::StepWalker;
use super::taken_step::TakenStep;
use super::walk_frame::WalkFrame;
use std::ops::Range;
use surefoot_contact::metrics::{nearest_points, segment_distance};
use surefoot_geom::{Vec3, smoothstep};
use surefoot_motion::{PerSide, Side};

/// Least distances of the midlines of feet and shins, in metres: half a centimetre more than those under which legs go through
/// each other.
const FEET: f64 = 0.045;
const SHINS: f64 = 0.055;
/// Furthest that a swing is moved, in metres: more would be another step.
const FURTHEST: f64 = 0.12;
/// Longest that a swing takes to go outward, in seconds.
const GOES_OUT: f64 = 0.25;
/// First and last share of a swing within which the distances of its ends grow to those that are asked for.
const NEAR_STANCE: f64 = 0.3;
/// How often a move is tried to be enough, and what may be left over, in metres.
const ROUNDS: usize = 8;
const ENOUGH: f64 = 1e-4;

/// Shin and foot of one leg.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Leg {
    /// Knee and ankle.
    shin: [Vec3; 2],
    /// Heel and toe tip.
    foot: [Vec3; 2],
}

impl Leg {
    fn new(body: &LinearBody, frame: &WalkFrame, side: Side) -> Leg {
        let (pose, rotations) = (&frame.pose, &frame.rotations);
        let foot = &pose.feet[side];
        let [heel, _, tip] = body.sole_points(side, foot, body.toes(side).rotation(rotations));
        Leg { shin: [body.knee(pose, rotations, side), body.ankle(side, foot)], foot: [heel, tip] }
    }

    /// With the foot moved; the knee goes half as far, since the hip stays.
    fn moved(&self, by: Vec3) -> Leg {
        Leg { shin: [self.shin[0] + 0.5 * by, self.shin[1] + by], foot: self.foot.map(|point| point + by) }
    }

    /// Distances of feet and of shins.
    fn distances(&self, other: &Leg) -> [f64; 2] {
        [segment_distance(self.foot, other.foot), segment_distance(self.shin, other.shin)]
    }

    /// How far this foot is on one side of another.
    fn aside_of(&self, other: &Leg, outward: Vec3) -> f64 {
        let middle = |leg: &Leg| 0.5 * (leg.foot[0] + leg.foot[1]);
        (middle(self) - middle(other)).dot(outward)
    }

    /// How much nearer than some distances it is to another; negative if it is not.
    fn lacking(&self, other: &Leg, least: [f64; 2]) -> f64 {
        let [feet, shins] = self.distances(other);
        (least[0] - feet).max(least[1] - shins)
    }

    /// The level direction in which this shin is off another where they are nearest to each other.
    fn away_from(&self, other: &Leg) -> Vec3 {
        let [own, others] = nearest_points(self.shin, other.shin);
        Vec3::new(own.x - others.x, 0.0, own.z - others.z).normalize_or_zero()
    }

    /// How far this leg has to go outward to be so far from another; not above 0 if it is.
    fn missing(&self, other: &Leg, outward: Vec3, least: [f64; 2]) -> f64 {
        let lack = |out: f64| self.moved(outward * out).lacking(other, least);
        let mut out = lack(0.0);
        for _ in 0..ROUNDS {
            let more = if out > 0.0 { lack(out) } else { 0.0 };
            if more <= ENOUGH || out >= FURTHEST {
                break;
            }
            out += more;
        }
        out.min(FURTHEST)
    }
}

/// The distances to ask for at a share of a swing: those of legs that are clear, but near its ends what the footprints leave.
fn least_at(share: f64, ends: &[[f64; 2]; 2]) -> [f64; 2] {
    let grown = [share, 1.0 - share].map(|away| smoothstep(away / NEAR_STANCE));
    std::array::from_fn(|k| {
        let asked = [FEET, SHINS][k];
        let from = |end: usize| ends[end][k] + grown[end] * (asked - ends[end][k]);
        if ends[0][k] < asked || ends[1][k] < asked { asked.min(from(0)).min(from(1)) } else { asked }
    })
}

impl StepWalker {
    /// Moves a swing outward where its leg would come too near to the other. The frames before and after it have their feet in
    /// place.
    pub(super) fn keep_apart(&mut self, step: &TakenStep, frames: Range<usize>) {
        if frames.is_empty() || frames.start <= self.first {
            return;
        }
        let (database, side) = (self.database.clone(), step.swing);
        let body = database.body();
        let legs_at = |number: usize| {
            let frame = &self.frames[number - self.first];
            (PerSide::from_fn(|side| Leg::new(body, frame, side)), outward(body, frame, side))
        };
        let ends = [frames.start - 1, frames.end].map(legs_at);
        let crosses = ends.iter().any(|(legs, out)| legs[side].aside_of(&legs[side.opposite()], *out) < 0.0);
        let ends = ends.map(|(legs, _)| legs[side].distances(&legs[side.opposite()]));
        let n = frames.len();
        let least = |number: usize| least_at((number - frames.start + 1) as f64 / (n + 1) as f64, &ends);
        // Legs that cross have no outer side: they go the way that is shortest where they are nearest.
        let away = crosses.then(|| {
            let nearest = frames.clone().map(|number| {
                let legs = legs_at(number).0;
                let (own, other) = (legs[side], legs[side.opposite()]);
                (own.lacking(&other, least(number)), own.away_from(&other))
            });
            nearest.max_by(|a, b| a.0.total_cmp(&b.0)).map_or(Vec3::ZERO, |(_, away)| away)
        });
        let needed = frames.clone().map(|number| {
            let (legs, out) = legs_at(number);
            legs[side].missing(&legs[side.opposite()], away.unwrap_or(out), least(number))
        });
        let needed: Vec<f64> = needed.collect();
        let widest = ((GOES_OUT * self.options.frame_rate).round() as usize).max(1);
        for (number, moved) in frames.zip(cover(&needed, widest)).filter(|(_, moved)| *moved > 0.0) {
            let frame = self.frame_mut(number);
            let out = away.unwrap_or_else(|| outward(body, frame, side));
            frame.pose.feet[side].ball += out * moved;
        }
    }
}

/// From the other hip to a leg's own, on the level.
fn outward(body: &LinearBody, frame: &WalkFrame, side: Side) -> Vec3 {
    let hip = |side: Side| body.hip(&frame.pose.pelvis, &frame.rotations, side);
    let across = hip(side) - hip(side.opposite());
    Vec3::new(across.x, 0.0, across.z).normalize_or_zero()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn leg(x: f64, z: f64) -> Leg {
        let at = |y: f64, ahead: f64| Vec3::new(x, y, z + ahead);
        Leg { shin: [at(0.5, 0.05), at(0.1, 0.0)], foot: [at(0.0, -0.05), at(0.0, 0.2)] }
    }

    #[test]
    fn a_leg_that_is_clear_stays_and_one_that_is_not_goes_out_until_it_is() {
        let stands = leg(0.0, 0.0);
        assert!(leg(0.1, 0.05).missing(&stands, Vec3::X, [FEET, SHINS]) <= 0.0);
        for x in [0.04, 0.01, 0.0] {
            let swings = leg(x, 0.05);
            let out = swings.missing(&stands, Vec3::X, [FEET, SHINS]);
            let [feet, shins] = swings.moved(Vec3::X * out).distances(&stands);
            assert!(feet > FEET - 1e-3 && shins > SHINS - 5e-3, "{x}: {out} {feet} {shins}");
            assert!(out <= FURTHEST);
        }
    }

    #[test]
    fn no_more_is_asked_for_at_the_ends_than_footprints_leave() {
        let ends = [[0.02, 0.03], [0.2, 0.2]];
        assert!((least_at(0.0, &ends)[0] - 0.02).abs() < 1e-12 && (least_at(0.0, &ends)[1] - 0.03).abs() < 1e-12);
        for share in [0.5, 1.0] {
            let [feet, shins] = least_at(share, &ends);
            assert!((feet - FEET).abs() < 1e-12 && (shins - SHINS).abs() < 1e-12, "{share}");
        }
    }
}
