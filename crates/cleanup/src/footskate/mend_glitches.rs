//! Phase 0: frames in which the recording itself jumps, and is back in the next.
//!
//! A marker that is lost or swapped for one frame throws a foot aside by millimetres, and back. Handed on, such a jump becomes one of the
//! knee, for the foot stands still; a pelvis that jumps bends both knees. So it is mended before anything looks at it.
//!
//! A frame is a glitch if leaving it out makes the motion around it calm: the cubic through its four neighbours has less than
//! [`CALMER`] of its accelerations. A foot that lands is none: its speed changes whether or not the frame of its landing is looked at.

use super::frames::Frames;
use super::legs::{LegPose, LowerBody, SourceFrame};
use surefoot_geom::{Quat, Transform, Vec3};
use surefoot_motion::{PerSide, PoseMut, PoseRef, Side};

/// How many frames to both sides are looked at.
pub(super) const NEIGHBOURS: usize = 2;

/// Weaker accelerations are no glitches, in metres a second squared: 4 mm from one frame to the next at 120 Hz.
const LEAST: f64 = 60.0;

/// Share of the acceleration that is left around a glitch that is left out. A landing within one frame leaves a third.
const CALMER: f64 = 0.25;

/// What jumps in a frame.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Glitch {
    root: bool,
    legs: PerSide<bool>,
}

impl Glitch {
    pub(super) fn is_any(&self) -> bool {
        self.root || self.legs.left || self.legs.right
    }

    /// Whether what both legs share jumps.
    fn is_of_both(&self) -> bool {
        self.root || (self.legs.left && self.legs.right)
    }
}

/// What jumps in a frame, its leg joints as they are seen from the root.
pub(super) fn find_glitch(
    source: &(impl Frames<SourceFrame> + ?Sized),
    frame: usize,
    frame_rate: f64,
) -> Option<Glitch> {
    let at = |k: usize| source.at((frame + k).checked_sub(NEIGHBOURS)?);
    let around = [at(0)?, at(1)?, at(2)?, at(3)?, at(4)?];
    let least = LEAST / (frame_rate * frame_rate);
    let root = is_glitch(around.map(|source| source.root), least);
    let legs = PerSide::from_fn(|side: Side| {
        let seen = |of: fn(&SourceFrame, Side) -> Vec3| around.map(|source| of(source, side) - source.root);
        [
            seen(|source, side| source.legs[side].ball()),
            seen(|source, side| source.legs[side].ankle.translation),
            seen(|source, side| source.legs[side].knee.translation),
        ]
        .into_iter()
        .any(|places| is_glitch(places, least))
    });
    Some(Glitch { root, legs }).filter(Glitch::is_any)
}

/// Whether the middle one of five places jumps.
fn is_glitch(places: [Vec3; 5], least: f64) -> bool {
    let [_, a, b, c, _] = places;
    let now = (a - b * 2.0 + c).length();
    if now <= least {
        return false;
    }
    let mut without = places;
    without[2] = cubic([places[0], places[1], places[3], places[4]], |place, weight| place * weight);
    let left = without.windows(3).map(|w| (w[0] - w[1] * 2.0 + w[2]).length());
    left.fold(0.0, f64::max) < CALMER * now
}

/// The middle of the cubic through four values two and one frames before and after it.
fn cubic<T: std::ops::Add<Output = T>>(around: [T; 4], scaled: impl Fn(T, f64) -> T) -> T {
    let [a, b, c, d] = around;
    scaled(a, -1.0 / 6.0) + scaled(b, 4.0 / 6.0) + scaled(c, 4.0 / 6.0) + scaled(d, -1.0 / 6.0)
}

/// Puts the joints of the lower body that jump where their neighbours in time have them.
pub(super) fn mend(glitch: &Glitch, around: [PoseRef<'_>; 5], body: &LowerBody, pose: &mut PoseMut<'_>) {
    let [a, b, _, c, d] = around;
    for (joint, leg) in body.joint_ids() {
        if leg.map_or(glitch.is_of_both(), |side| glitch.legs[side]) {
            let around = [a, b, c, d].map(|pose| pose[joint]);
            let near = around[1].rotation;
            let same_side = |q: Quat| if q.dot(near) < 0.0 { -q } else { q };
            let rotation = cubic(around.map(|local| same_side(local.rotation)), |q, weight| q * weight).normalize();
            // Bones keep their lengths to the last bit.
            let is_rigid = around.iter().all(|local| local.translation == pose[joint].translation);
            let translation = if is_rigid {
                pose[joint].translation
            } else {
                cubic(around.map(|local| local.translation), |place, weight| place * weight)
            };
            pose[joint] = Transform { rotation, translation };
        }
    }
}

/// Whether a mended frame is calmer than it was. Joints that turn about a straight leg's length by large angles, against each other, are
/// not: their means have nothing to do with the leg.
pub(super) fn is_calmer(source: &(impl Frames<SourceFrame> + ?Sized), frame: usize, mended: &SourceFrame) -> bool {
    let at = |k: usize| source.at((frame + k).checked_sub(NEIGHBOURS)?);
    let (Some(a), Some(b), Some(now), Some(c), Some(d)) = (at(0), at(1), at(2), at(3), at(4)) else { return false };
    let worst = |middle: &SourceFrame| {
        let around = [a, b, middle, c, d].map(joints);
        let joint = |joint: usize| {
            around.windows(3).map(move |w| (w[0][joint] - w[1][joint] * 2.0 + w[2][joint]).length()).fold(0.0, f64::max)
        };
        (0..6).map(joint).fold(0.0, f64::max)
    };
    worst(mended) < CALM_ENOUGH * worst(now)
}

/// A mended frame has less than this share of the accelerations that it had.
const CALM_ENOUGH: f64 = 0.6;

fn joints(source: &SourceFrame) -> [Vec3; 6] {
    let of = |leg: &LegPose| [leg.knee.translation, leg.ankle.translation, leg.ball()];
    let ([a, b, c], [d, e, f]) = (of(&source.legs.left), of(&source.legs.right));
    [a, b, c, d, e, f]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(heights: [f64; 5]) -> bool {
        is_glitch(heights.map(|y| Vec3::Y * y), 0.004)
    }

    #[test]
    fn a_jump_and_back_is_a_glitch_and_a_landing_or_a_step_is_none() {
        assert!(of([0.0, 0.0, 0.01, 0.0, 0.0]));
        assert!(of([0.0, 0.01, 0.04, 0.03, 0.04]));
        assert!(!of([0.03, 0.015, 0.0, 0.0, 0.0]), "a landing");
        assert!(!of([0.0, 0.0, 0.01, 0.01, 0.01]), "a step");
        assert!(!of([0.04, 0.01, 0.0, 0.01, 0.04]), "a bounce");
        assert!(!of([0.0, 0.0, 0.001, 0.0, 0.0]), "noise");
    }
}
