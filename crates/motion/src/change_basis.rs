//! Re-expressing a motion in other axes: the same motion, seen by somebody whose axes are turned.

use crate::{EndSite, Joint, Poses, Skeleton};
use surefoot_geom::{Quat, Transform};

/// Turns the axes of every joint's space by `basis`: offsets turn with it, rotations keep their angle and turn their axis.
/// Changes the poses in place and returns the skeleton that they now belong to.
pub fn change_basis(skeleton: &Skeleton, poses: &mut Poses, basis: Quat) -> Skeleton {
    let changed = |local: Transform| {
        let rotation = (basis * local.rotation * basis.conjugate()).normalize();
        Transform::new(rotation, basis * local.translation)
    };
    for local in poses.transforms_mut() {
        *local = changed(*local);
    }
    let joints = skeleton.joints().iter().map(|joint| Joint { rest: changed(joint.rest), ..joint.clone() });
    let end_sites = skeleton.end_sites().iter().map(|site| EndSite { offset: basis * site.offset, ..site.clone() });
    Skeleton::new(joints.collect(), end_sites.collect()).expect("the order of joints is as it was")
}

/// Multiplies every length by `factor`, in place, and returns the skeleton that the poses now belong to.
pub fn scale_lengths(skeleton: &Skeleton, poses: &mut Poses, factor: f64) -> Skeleton {
    for local in poses.transforms_mut() {
        local.translation *= factor;
    }
    let scaled = |rest: Transform| Transform::new(rest.rotation, rest.translation * factor);
    let joints = skeleton.joints().iter().map(|joint| Joint { rest: scaled(joint.rest), ..joint.clone() });
    let end_sites = skeleton.end_sites().iter().map(|site| EndSite { offset: site.offset * factor, ..site.clone() });
    Skeleton::new(joints.collect(), end_sites.collect()).expect("the order of joints is as it was")
}
