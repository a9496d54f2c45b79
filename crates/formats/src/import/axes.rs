//! Which way is up, and turning it to Y.
//!
//! Up is where the pelvis stands above the ankles and the chest above the pelvis, over the frames of the motion. The rest pose
//! may have another up than the motion: in a BVH every joint's space has the rest pose's axes, so some files lay a Y-up
//! skeleton down in a Z-up world by turning the root a quarter turn. Both are needed:
//!
//! - the rest pose's up decides a change of basis: every offset and rotation is re-expressed, so that the rest pose stands;
//! - the motion's up, after that, decides a turn of the world: only the roots change.
//!
//! A rest pose that does not stand (in some files every segment lies along X) tells nothing, and only the world is turned.

use super::Reason;
use crate::{Document, Format};
use surefoot_geom::{Axis, Quat, Transform, Vec3, rotation};
use surefoot_motion::{FoundBody, Skeleton, WorldPose};

/// The axes that pointed up in the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UpAxes {
    /// In the motion.
    pub motion: Axis,
    /// In the rest pose; the motion's where the rest pose does not tell.
    pub rest: Axis,
}

/// Up of the motion and of the rest pose, and how it was decided.
pub(super) fn choose(document: &Document, found: Option<&FoundBody>, given: Option<Axis>) -> (UpAxes, Reason) {
    let (motion, reason) = match (given, document.up, found) {
        (Some(axis), _, _) => (axis, Reason::Given),
        (None, Some(axis), _) => (axis, Reason::Declared),
        (None, None, Some(found)) => (Axis::nearest(found.up), Reason::Found),
        (None, None, None) => (Axis::Y, Reason::Usual),
    };
    // Only BVH and its kin give every joint the axes of the rest pose.
    let follows_rest = matches!(document.format, Format::Bvh | Format::AsfAmc);
    let rest = found.filter(|_| follows_rest).and_then(|found| rest_up(&document.skeleton, found)).unwrap_or(motion);
    (UpAxes { motion, rest }, reason)
}

/// How straight a rest pose must stand: cosine of the angle between its legs and trunk and an axis (25 degrees).
const STANDS: f64 = 0.9;

/// Up of a rest pose in which a person stands, if one does.
fn rest_up(skeleton: &Skeleton, found: &FoundBody) -> Option<Axis> {
    let rest = WorldPose::new(skeleton, &skeleton.rest_pose());
    let body = &found.map;
    let legs = [body.legs.left, body.legs.right].map(|leg| rest.position(leg.hip) - rest.position(leg.ankle));
    let top = body.head.or(body.spine.last().copied())?;
    let trunk = rest.position(top) - rest.position(body.pelvis);
    let axis = Axis::nearest(legs[0] + legs[1]);
    let along = |v: Vec3| v.normalize_or_zero().dot(axis.to_vec3());
    [legs[0], legs[1], trunk].into_iter().all(|v| along(v) > STANDS).then_some(axis)
}

/// Turns a document to Y up and scales it to metres.
pub(super) fn convert(document: &mut Document, up: UpAxes, to_metre: f64) {
    let basis = rotation::between_directions(up.rest.to_vec3(), Vec3::Y);
    let world = rotation::between_directions(basis * up.motion.to_vec3(), Vec3::Y);
    let changed = |local: Transform, is_root: bool| {
        let rotation = (basis * local.rotation * basis.conjugate()).normalize();
        let inner = Transform::new(rotation, basis * local.translation * to_metre);
        if is_root { Transform::from_rotation(world) * inner } else { inner }
    };
    let is_root: Vec<bool> = document.skeleton.joints().iter().map(|joint| joint.parent.is_none()).collect();
    for pose in &mut document.poses {
        for (local, &is_root) in pose.local.iter_mut().zip(&is_root) {
            *local = changed(*local, is_root);
        }
    }
    // A rest pose that stands must not be laid down with the world; one that tells nothing goes along, for files that keep
    // rest rotations, where the roots' rest is a pose like any other.
    let rest_goes_along = document.format != Format::Bvh && document.format != Format::AsfAmc;
    document.skeleton = changed_skeleton(&document.skeleton, |local, is_root| changed(local, is_root && rest_goes_along), basis, to_metre);
    if let Some(contacts) = &mut document.contacts {
        for side in surefoot_motion::Side::BOTH {
            for plant in &mut contacts.plants[side] {
                plant.position = world * (basis * plant.position) * to_metre;
            }
        }
    }
}

fn changed_skeleton(
    skeleton: &Skeleton,
    changed: impl Fn(Transform, bool) -> Transform,
    basis: Quat,
    to_metre: f64,
) -> Skeleton {
    let joints = skeleton.joints().iter().map(|joint| {
        let mut joint = joint.clone();
        joint.rest = changed(joint.rest, joint.parent.is_none());
        joint
    });
    let end_sites = skeleton.end_sites().iter().map(|site| {
        let mut site = site.clone();
        site.offset = basis * site.offset * to_metre;
        site
    });
    Skeleton::new(joints.collect(), end_sites.collect()).expect("the order of joints is as it was")
}
