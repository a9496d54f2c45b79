//! Phase 4, first half: what neither knee nor stretch should take up goes into the root.
//!
//! Phase 3 leaves the root on a smooth path, and the planted legs a little too short or too long for it. A bent knee takes that up
//! unseen. A nearly straight one can't: 1 mm of length turns a knee that is bent by 10 degrees by 1.6. The paper stretches the
//! leg; but a leg may stretch by little, and a rigid one by nothing. What is left is a length `e` for each planted leg, along
//! the unit vector `u` from hip to ankle. The root moves by the `d` that minimises
//!
//! ```text
//!   sum over legs of  w (u . d - e)^2  +  DAMPING |d|^2
//! ```
//!
//! Along a single leg that is all of `e`, the direction in which the root moves least. Between two feet it is a compromise: nearly
//! parallel legs that ask for opposite things would drive the pelvis far to the side, so the damping lets their knees have it.
//!
//! Outside of its plants a leg's `e` is blended off ([`super::blend`]) and its weight `w` with it, so that the root is on its way before a
//! foot lands and goes on after it has left: the path is solved over a plant and its neighbours, not frame by frame.
//!
//! A rigid leg has no angle at which it could be straight and go on smoothly, for its length is stationary there. Its knee is kept
//! bent by [`LEAST_FLEXION`] at least, approached smoothly from [`LEAST_FLEXION`] + [`FLOOR_EASE`] on, and never backwards.

use super::aim_ankles::AnkleTargets;
use super::blend::{Mark, Reach, alpha, blended, mean_around};
use super::frames::Frames;
use super::legs::SourceFrame;
use super::solve_leg::LegTurns;
use surefoot_geom::{Mat3, Vec3};
use surefoot_motion::{PerSide, Side};

/// Weight of the root's own move against that of a leg's missing length. Less lets parallel legs that ask for opposite things push
/// the pelvis aside; more leaves some of the length to the knees.
const DAMPING: f64 = 0.05;

/// Each round leaves the share DAMPING / (1 + DAMPING) of what a single leg lacks: after three, a ten-thousandth.
const ROUNDS: usize = 6;

/// A rigid planted knee is bent by at least this, in radians (5 degrees): the leg is then 0.1 % short of its full length.
pub(super) const LEAST_FLEXION: f64 = 0.087;
/// Knees within this of the least flexion are eased onto it, in radians (6 degrees).
pub(super) const FLOOR_EASE: f64 = 0.105;

/// A flexion that is not below the least one: the smooth maximum of both.
pub(super) fn floor_flexion(flexion: f64) -> f64 {
    let above = flexion - LEAST_FLEXION;
    if above >= FLOOR_EASE {
        return flexion;
    }
    let eased = (above + FLOOR_EASE).max(0.0);
    LEAST_FLEXION + eased * eased / (4.0 * FLOOR_EASE)
}

/// How a planted leg would reach its ankle's target from where phase 3 put the root.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LegReach {
    /// How far its knee and the leg shall turn.
    pub turns: LegTurns,
    /// From the hip to the target, a unit vector.
    pub along: Vec3,
    /// How much farther the target is than the leg then reaches, in metres; negative if it is nearer.
    pub excess: f64,
    /// How much of it its knee must not take up, 0 to 1.
    pub stiffness: f64,
    /// What its lack weighs against that of the other leg: a bent knee takes up millimetres, a straight one none.
    pub weight: f64,
}

/// What the planted legs of a frame lack.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ReachFrame {
    /// The root's move by phase 3; `None` in a frame without plants.
    pub root: Option<Vec3>,
    /// Where ankles must be.
    pub targets: AnkleTargets,
    /// Each planted leg; `None` for a free foot.
    pub legs: PerSide<Option<LegReach>>,
}

/// What legs lack over a whole plant and its neighbours, given to the root before the rest is: a mean over `span` frames to both sides.
///
/// A lack that is taken up within a plant alone begins and ends with it, and the pelvis jerks. So the root first moves by the `d` that
/// minimises the same sum over all frames around, each weighing by [`alpha`]; what a frame lacks beyond that is little, and
/// [`share_reach`] gives it to the root at once.
pub(super) fn spread_reach(
    frames: &(impl Frames<ReachFrame> + ?Sized),
    frame: usize,
    span: usize,
    quick: usize,
) -> ReachFrame {
    let Some(&now) = frames.at(frame) else { return ReachFrame::default() };
    let Some(root) = now.root.filter(|_| span > 0) else { return now };
    let (mut normal, mut lack, mut total) = (Mat3::ZERO, Vec3::ZERO, 0.0);
    for k in 0..=2 * span {
        let weight = alpha(k.abs_diff(span) as f64 / (span + 1) as f64);
        total += weight;
        let Some(there) = (frame + k).checked_sub(span).and_then(|there| frames.at(there)) else { continue };
        for side in Side::BOTH {
            let Some(leg) = there.legs[side] else { continue };
            let (along, weight) = (leg.along, weight * leg.weight);
            normal += Mat3::from_cols(along * along.x, along * along.y, along * along.z) * weight;
            lack += along * (leg.excess * weight);
        }
    }
    let by = (normal + Mat3::from_diagonal(Vec3::splat(SPREAD_DAMPING * total))).inverse() * lack;
    let rest = |leg: &LegReach| leg.excess - leg.along.dot(by);
    let legs = PerSide::from_fn(|side| {
        let leg = now.legs[side]?;
        let mean = mean_around(frames, frame, quick, |there: &ReachFrame| there.legs[side].as_ref().map(rest))?;
        Some(LegReach { excess: rest(&leg) - mean * (1.0 - leg.stiffness), ..leg })
    });
    ReachFrame { root: Some(root + by), legs, ..now }
}

/// Weight of the root's own move against that of a missing length in all frames around: how soon the root goes back where nothing is planted.
const SPREAD_DAMPING: f64 = 0.05;

/// The root's move of a frame with what its legs lack; `None` without a move by phase 3.
pub(super) fn share_reach(
    frames: &(impl Frames<ReachFrame> + ?Sized),
    frame: usize,
    reach: Reach,
    source: &SourceFrame,
) -> Option<Vec3> {
    let root = frames.at(frame)?.root?;
    let pulls = Side::BOTH.map(|side| pull(frames, frame, reach, source, side));
    Some(root + settle(&pulls))
}

/// The root's move for legs that each have a weight, a direction and a length that they lack along it.
pub(super) fn settle(pulls: &[(f64, Vec3, f64)]) -> Vec3 {
    let mut normal = Mat3::from_diagonal(Vec3::splat(DAMPING));
    for &(weight, along, _) in pulls {
        normal += Mat3::from_cols(along * along.x, along * along.y, along * along.z) * weight;
    }
    let inverse = normal.inverse();
    let mut by = Vec3::ZERO;
    for _ in 0..ROUNDS {
        let lack = pulls.iter().map(|(weight, along, excess)| *along * (weight * urgent(excess - along.dot(by))));
        by += inverse * lack.sum::<Vec3>();
    }
    by
}

/// A lack by its urgency: a leg that is too long can bend its knee, one that is too short can't extend it.
fn urgent(lack: f64) -> f64 {
    if lack > 0.0 { lack } else { TOO_LONG * lack }
}

/// Weight of a leg that is too long against that of one that is too short.
const TOO_LONG: f64 = 0.5;

/// A leg's weight, direction and lack.
fn pull(
    frames: &(impl Frames<ReachFrame> + ?Sized),
    frame: usize,
    reach: Reach,
    source: &SourceFrame,
    side: Side,
) -> (f64, Vec3, f64) {
    if let Some(leg) = frames.at(frame).and_then(|now| now.legs[side]) {
        return (leg.weight, leg.along, leg.excess);
    }
    let made = |of: fn(&LegReach) -> Vec3| {
        move |there: &ReachFrame| there.legs[side].as_ref().map_or(Mark::Open, |leg| Mark::Made(of(leg)))
    };
    let weight = blended(frames, frame, reach, |there: &ReachFrame| {
        there.legs[side].map_or(Mark::Open, |leg| Mark::Made(leg.weight))
    });
    let lack = blended(frames, frame, reach, made(|leg| leg.along * leg.excess));
    let leg = &source.legs[side];
    let along = (leg.ankle.translation - leg.hip.translation).normalize_or_zero();
    (weight.unwrap_or(0.0).clamp(0.0, 1.0), along, lack.unwrap_or(Vec3::ZERO).dot(along))
}
