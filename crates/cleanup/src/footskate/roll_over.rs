//! Phase 4, first: a foot that is planted on one part rolls over it until its leg fits.
//!
//! A foot on its ball alone may have any pitch, and phase 2 gave it the recorded one. But between two feet that were moved
//! differently the root cannot please both legs, and the one that leaves the ground would have to be stretched, in
//! push-off by centimetres. People roll over the ball instead: the foot is pitched about its planted part until hip and ankle
//! are as far apart as they were recorded, and the knee stays as it was.
//!
//! ```text
//!              hip
//!               :  as long as recorded
//!      ankle o. :
//!       o     \\:      pivot = planted ball; the ankle moves on a circle about it
//!        \     \\
//!         \_____*
//! ```
//!
//! The pitch is free some frames away from frames in which heel and ball are both planted, and fades to nothing toward them. It
//! is not in the paper, which leaves the orientation of a singly constrained foot open.

use super::aim_ankles::raise_free_part;
use super::blend::alpha;
use super::frames::Frames;
use super::legs::{LegJoints, LegPose};
use super::place_plants::{PlantedFeet, PlantedFoot};
use surefoot_geom::{Quat, Transform, Vec3};
use surefoot_ground::Terrain;
use surefoot_motion::Side;

/// The one part that a foot is planted on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pivot {
    /// Its place.
    pub point: Vec3,
    /// The other part in the ankle's space.
    free_part: Vec3,
    /// How freely the foot may roll over it, from 0 next to a frame in which both parts are planted to 1.
    pub freedom: f64,
}

/// Pitches beyond this are given less than asked for, in radians (6 degrees)...
const SOFT_PITCH: f64 = 0.105;
/// ...and never more than this (14 degrees).
const MAX_PITCH: f64 = 0.245;

/// The pivot of a foot that is planted on one part; `ramp` frames away from frames with both it is free.
pub(super) fn find_pivot(
    planted: &(impl Frames<PlantedFeet> + ?Sized),
    frame: usize,
    side: Side,
    ramp: usize,
    leg: &LegPose,
    joints: &LegJoints,
) -> Option<Pivot> {
    let (point, free_part) = match planted.at(frame)?[side] {
        PlantedFoot { heel: Some(heel), ball: None, .. } => (heel, leg.ball_offset),
        PlantedFoot { heel: None, ball: Some(ball), .. } => (ball, joints.heel),
        _ => return None,
    };
    let foot_at = |frame: Option<usize>| frame.and_then(|frame| planted.at(frame)).map(|feet| feet[side]);
    let freedom = |frame_at: &dyn Fn(usize) -> Option<usize>| {
        let changed = (1..=ramp).find_map(|k| {
            let foot = foot_at(frame_at(k))?;
            (foot.turn.is_some() || !foot.is_planted()).then_some((k, foot.turn.is_some()))
        });
        match changed {
            Some((k, true)) => 1.0 - alpha((k - 1) as f64 / ramp as f64),
            _ => 1.0,
        }
    };
    let freedom = freedom(&|k| frame.checked_sub(k)) * freedom(&|k| Some(frame + k));
    Some(Pivot { point, free_part, freedom })
}

/// The ankle's target after the foot has rolled over its pivot so that the leg, its hip where it is now, is as long as it
/// was recorded.
pub(super) fn roll_over(
    target: &Transform,
    pivot: &Pivot,
    leg: &LegPose,
    joints: &LegJoints,
    terrain: &Terrain,
) -> Transform {
    let axis = target.rotation * (leg.ball_offset - joints.heel).cross(joints.sole_normal).normalize_or_zero();
    let length = leg.hip.translation.distance(leg.ankle.translation);
    let arm = target.translation - pivot.point;
    let to_hip = leg.hip.translation - pivot.point;
    let pitch = pivot.freedom * soft_pitch(pitch_for(arm, to_hip, axis, length));
    raise_free_part(&rolled(target, pivot.point, axis, pitch), pivot.point, pivot.free_part, terrain)
}

fn rolled(ankle: &Transform, about: Vec3, axis: Vec3, angle: f64) -> Transform {
    let turn = Quat::from_axis_angle(axis.normalize_or(Vec3::X), angle);
    Transform::new((turn * ankle.rotation).normalize(), about + turn * (ankle.translation - about))
}

/// The turn of `arm` about the unit vector `axis` that brings it to `length` away from `to`, damped: where the turn hardly changes the
/// distance (an ankle right above its heel, below its hip), there are two answers far apart or none, and little is asked.
fn pitch_for(arm: Vec3, to: Vec3, axis: Vec3, length: f64) -> f64 {
    let mut turn = 0.0;
    for _ in 0..PITCH_ROUNDS {
        let from = Quat::from_axis_angle(axis.normalize_or(Vec3::X), turn) * arm - to;
        let distance = from.length();
        // How the distance grows with the turn.
        let slope = axis.cross(from + to).dot(from) / distance.max(1e-9);
        turn += slope * (length - distance) / (slope * slope + PITCH_DAMPING * PITCH_DAMPING);
    }
    turn
}

/// Two rounds of Newton's method leave less than a tenth of a millimetre of the centimetres that are asked for.
const PITCH_ROUNDS: usize = 2;

/// A foot whose turn by one radian brings its ankle farther from the hip by less than this is hardly turned, in metres.
const PITCH_DAMPING: f64 = 0.03;

fn soft_pitch(pitch: f64) -> f64 {
    let size = pitch.abs();
    if size <= SOFT_PITCH {
        return pitch;
    }
    let room = MAX_PITCH - SOFT_PITCH;
    (SOFT_PITCH + room * ((size - SOFT_PITCH) / room).tanh()).copysign(pitch)
}
