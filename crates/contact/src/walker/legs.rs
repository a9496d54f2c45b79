//! Two-bone legs in closed form: hip and ankle given, the knee lies forward of the line between them.

use super::{FootPose, Person};
use surefoot_geom::{Mat3, Quat, Transform, Vec3, heading_direction};
use surefoot_motion::{Pose, Side};

/// Where the ankle is when the foot stands or swings as given.
pub(super) fn ankle_of(person: &Person, side: Side, foot: &FootPose) -> Vec3 {
    foot.ball - foot.rotation * person.body.legs[side].foot.ball
}

/// Bends one leg from the pelvis to the foot. The ankle must be within reach.
pub(super) fn pose_leg(
    person: &Person,
    side: Side,
    pelvis: &Transform,
    body_heading: f64,
    foot: &FootPose,
    pose: &mut Pose,
) {
    let leg = &person.body.legs[side];
    let hip = pelvis.transform_point(person.hip_offset(side));
    let ankle = ankle_of(person, side, foot);
    // The knee points between where the body and where the foot goes.
    let forward = heading_direction((body_heading + foot.heading) / 2.0);
    let (thigh, shin) = two_bones(hip, ankle, forward, person.thigh, person.shin);
    pose[leg.hip].rotation = pelvis.rotation.conjugate() * thigh;
    pose[leg.knee].rotation = thigh.conjugate() * shin;
    pose[leg.ankle].rotation = shin.conjugate() * foot.rotation;
    if let Some(ball) = leg.ball {
        pose[ball].rotation = foot.toe_rotation;
    }
}

/// World rotations of both segments, which point along -Y in their own space and bend about X.
///
/// ```text
///   hip o
///        \  thigh          h: the knee's distance from the line hip-ankle, along `side`
///     x   \
///          o knee
///   |     /
///   |----/ h
///       /  shin
///   ankle o
/// ```
fn two_bones(hip: Vec3, ankle: Vec3, forward: Vec3, thigh: f64, shin: f64) -> (Quat, Quat) {
    let reach = (ankle - hip).length();
    let down = (ankle - hip) / reach;
    let side = forward.reject_from_normalized(down).normalize();
    // The law of cosines gives how far down the line the knee stands.
    let x = (thigh * thigh - shin * shin + reach * reach) / (2.0 * reach);
    let h = (thigh * thigh - x * x).max(0.0).sqrt();
    let knee = hip + x * down + h * side;
    let hinge = side.cross(down);
    let along = |from: Vec3, to: Vec3| {
        let up = (from - to).normalize();
        Quat::from_mat3(&Mat3::from_cols(hinge, up, hinge.cross(up)))
    };
    (along(hip, knee), along(knee, ankle))
}
