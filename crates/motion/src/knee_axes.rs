//! The axes that knees bend about, learned from a clip or from the rest pose.

use crate::{BodyMap, Clip, Leg, PerSide, Side, Skeleton, WorldPose};
use surefoot_geom::Vec3;

/// The axes that the knees of a clip bend about, each a unit vector in the space of its hip joint.
///
/// The axis is the mean of thigh x shin over all frames, in the hip's space: frames with a bent knee, in which it is well
/// defined, weigh most. A leg that is never bent takes the axis across the body from [`rest_knee_axes`].
pub fn fit_knee_axes(clip: &Clip, body: &BodyMap) -> PerSide<Vec3> {
    let mut sums = PerSide::<Vec3>::default();
    let mut lengths = PerSide::<f64>::default();
    let mut world = WorldPose::default();
    // A few hundred frames spread over the clip fix an axis; hours of them would fix it no better.
    let step = clip.n_frames().div_ceil(MAX_AXIS_FRAMES).max(1);
    for pose in clip.poses().iter().step_by(step) {
        world.fill(&clip.skeleton, pose);
        for side in Side::BOTH {
            let bend = knee_bend(&world, &body.legs[side]);
            if bend.is_finite() {
                sums[side] += bend;
                lengths[side] += bend.length();
            }
        }
    }
    let at_rest = rest_knee_axes(&clip.skeleton, body);
    PerSide::from_fn(|side| {
        let is_clear = sums[side].length() > MIN_AGREEMENT * lengths[side] && lengths[side] > 0.0;
        if is_clear { sums[side].normalize_or(at_rest[side]) } else { at_rest[side] }
    })
}

/// Frames that knee axes are taken from.
const MAX_AXIS_FRAMES: usize = 600;
/// Frames agree on a knee's axis if their sum is at least this share of their lengths.
const MIN_AGREEMENT: f64 = 0.5;

/// Thigh x shin, as unit vectors, in the hip joint's space.
fn knee_bend(world: &WorldPose, leg: &Leg) -> Vec3 {
    let [hip, knee, ankle] = [leg.hip, leg.knee, leg.ankle].map(|joint| world.position(joint));
    let bend = (knee - hip).normalize_or_zero().cross((ankle - knee).normalize_or_zero());
    world[leg.hip].rotation.conjugate() * bend
}

/// The axes that knees bend about by the rest pose alone, for streams: the bend of the rest pose where it has one, else
/// across the body, from the right hip to the left.
pub fn rest_knee_axes(skeleton: &Skeleton, body: &BodyMap) -> PerSide<Vec3> {
    let rest = WorldPose::new(skeleton, &skeleton.rest_pose());
    let across = rest.position(body.legs.left.hip) - rest.position(body.legs.right.hip);
    PerSide::from_fn(|side| {
        let leg = &body.legs[side];
        let bend = knee_bend(&rest, leg);
        let lateral = rest[leg.hip].rotation.conjugate() * across.normalize_or(Vec3::X);
        if bend.length() > MIN_REST_BEND { bend.normalize() } else { lateral }
    })
}

/// A rest pose whose knees are bent by less than this, as a sine, says nothing about their axes (6 degrees).
const MIN_REST_BEND: f64 = 0.1;
