//! Two-bone legs in closed form: hip and ankle given, the knee lies forward of the line between them.

use super::{FootPose, Person};
use surefoot_geom::{Transform, Vec3, heading_direction};
use surefoot_motion::{Pose, Side, TwoBone};

/// Where the ankle is when the foot is planted or swings as given.
pub(super) fn ankle_of(person: &Person, side: Side, foot: &FootPose) -> Vec3 {
    foot.ball - foot.rotation * person.body.legs[side].foot.ball
}

/// Bends one leg from the pelvis to the foot. An ankle out of reach is pointed at.
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
    let (thigh, shin) = TwoBone::new(person.thigh, person.shin).solve(ankle - hip, forward).rotations();
    pose[leg.hip].rotation = pelvis.rotation.conjugate() * thigh;
    pose[leg.knee].rotation = thigh.conjugate() * shin;
    pose[leg.ankle].rotation = shin.conjugate() * foot.rotation;
    if let Some(ball) = leg.ball {
        pose[ball].rotation = foot.toe_rotation;
    }
}
