//! Which direction is up, and turning it to Y.
//!
//! Up is where the pelvis stands above the ankles and the chest above the pelvis, over the frames of the motion. The rest pose
//! may have another up than the motion: in a BVH every joint's space has the rest pose's axes, so some files lay a Y-up
//! skeleton down in a Z-up world by turning the root a quarter turn. Both are needed:
//!
//! - the rest pose's up decides a change of basis: every offset and rotation is re-expressed, so that the rest pose stands;
//! - the motion's up, after that, decides a turn of the world: only the roots change.
//!
//! A rest pose that does not stand (in some files every segment lies along X) is taken to have the motion's up.

use super::Reason;
use crate::Document;
use surefoot_geom::{Axis, Transform, Vec3, rotation};
use surefoot_motion::{BodyMap, JointId, Side, Skeleton, WorldPose, change_basis, scale_lengths};

/// The axes that pointed up in the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UpAxes {
    /// In the motion.
    pub motion: Axis,
    /// In the rest pose; the motion's where the rest pose does not show it.
    pub rest: Axis,
}

/// Up of the motion and of the rest pose, and how it was decided.
pub(super) fn choose(document: &Document, body: Option<&BodyMap>, given: Option<Axis>) -> (UpAxes, Reason) {
    let (motion, reason) = match (given, document.up, body) {
        (Some(axis), _, _) => (axis, Reason::Given),
        (None, Some(axis), _) => (axis, Reason::Declared),
        (None, None, Some(body)) => (found_up(document, body), Reason::Found),
        (None, None, None) => (Axis::Y, Reason::Usual),
    };
    // Only where the format is silent can the rest pose have axes of its own.
    let rest =
        body.filter(|_| document.up.is_none()).and_then(|body| rest_up(&document.skeleton, body)).unwrap_or(motion);
    (UpAxes { motion, rest }, reason)
}

/// Up by posture, unless the body travels along it: then it lies or swims, and up is where the rest pose says.
fn found_up(document: &Document, body: &BodyMap) -> Axis {
    let poses = super::sample(document);
    let posture = posture_up(&poses, document, body);
    let rest = rest_up(&document.skeleton, body).unwrap_or(posture);
    if rest == posture {
        return posture;
    }
    let places: Vec<Vec3> = poses.iter().map(|pose| pose.position(body.pelvis)).collect();
    let reach = |axis: Vec3| {
        let along = places.iter().map(|place| place.dot(axis));
        along.clone().fold(f64::NEG_INFINITY, f64::max) - along.fold(f64::INFINITY, f64::min)
    };
    let leg = body.leg_length(&document.skeleton);
    let climbs = reach(posture.to_vec3()) > reach(rest.to_vec3()).max(LONG_CLIMB * leg);
    if climbs { rest } else { posture }
}

/// The axis that legs and trunk point up along, over the frames; in the rest pose where there are none.
fn posture_up(poses: &[WorldPose], document: &Document, body: &BodyMap) -> Axis {
    let rest = [WorldPose::new(&document.skeleton, &document.skeleton.rest_pose())];
    let poses = if poses.is_empty() { &rest } else { poses };
    let up = |pose: &WorldPose| {
        let trunk = top(body).map_or(Vec3::ZERO, |top| pose.position(top) - pose.position(body.pelvis));
        legs_up(pose, body).into_iter().fold(trunk.normalize_or_zero(), |sum, leg| sum + leg.normalize_or_zero())
    };
    Axis::nearest(poses.iter().map(up).sum())
}

/// From each ankle to its hip.
fn legs_up(pose: &WorldPose, body: &BodyMap) -> [Vec3; 2] {
    [body.legs.left, body.legs.right].map(|leg| pose.position(leg.hip) - pose.position(leg.ankle))
}

/// The highest joint of the trunk.
fn top(body: &BodyMap) -> Option<JointId> {
    body.head.or(body.spine.last().copied())
}

/// A body that moves this many leg lengths along its own spine is not standing on it.
const LONG_CLIMB: f64 = 1.0;

/// How straight a rest pose must stand: cosine of the angle between its legs and trunk and an axis (25 degrees).
const STANDS: f64 = 0.9;

/// Up of a rest pose in which a person stands, if one does.
fn rest_up(skeleton: &Skeleton, body: &BodyMap) -> Option<Axis> {
    let rest = WorldPose::new(skeleton, &skeleton.rest_pose());
    let legs = legs_up(&rest, body);
    let trunk = rest.position(top(body)?) - rest.position(body.pelvis);
    let axis = Axis::nearest(legs[0] + legs[1]);
    let along = |v: Vec3| v.normalize_or_zero().dot(axis.to_vec3());
    [legs[0], legs[1], trunk].into_iter().all(|v| along(v) > STANDS).then_some(axis)
}

/// Turns a document to Y up and scales it to metres.
pub(super) fn convert(document: &mut Document, up: UpAxes, to_metre: f64) {
    let basis = rotation::between_directions(up.rest.to_vec3(), Vec3::Y);
    let world = rotation::between_directions(basis * up.motion.to_vec3(), Vec3::Y);
    document.skeleton = scale_lengths(&document.skeleton, &mut document.poses, to_metre);
    if up.rest != Axis::Y {
        document.skeleton = change_basis(&document.skeleton, &mut document.poses, basis);
    }
    if up.motion != up.rest {
        let roots: Vec<_> = document.skeleton.roots().collect();
        for mut pose in &mut document.poses {
            for &root in &roots {
                pose[root] = Transform::from_rotation(world) * pose[root];
            }
        }
    }
    if let Some(contacts) = &mut document.contacts {
        for side in Side::BOTH {
            for plant in &mut contacts.plants[side] {
                plant.position = world * (basis * plant.position) * to_metre;
            }
        }
    }
}
