//! Re-expresses a clip so that no joint is rotated at rest: the rest pose is then offsets in the world's axes, as BVH
//! needs.
//!
//! Every joint keeps its place in every frame; its axes turn by a constant. With the rest pose's world rotation `B` of
//! a joint, its new world rotation is `W * B^-1`, so it is the identity at rest, and everything rigid in the joint's
//! space (offsets of children, end sites, soles) turns by `B`.

use crate::{BodyMap, Clip, EndSite, Joint, Pose, PoseRef, Skeleton, WorldPose};
use std::sync::Arc;
use surefoot_geom::{Quat, Transform};

/// The same motion of a skeleton whose rest rotations are all the identity. No joint or end site moves.
///
/// A body map's joints stay right; its soles are in the ankles' axes and turn with [`align_rest_body`].
pub fn align_rest(clip: &Clip) -> Clip {
    let bases = rest_rotations(&clip.skeleton);
    let poses = clip.poses().iter().map(|pose| align_pose(&clip.skeleton, &bases, pose)).collect();
    let skeleton = Arc::new(align_skeleton(&clip.skeleton, &bases));
    Clip::new(clip.name.clone(), skeleton, clip.frame_rate, poses)
}

/// The body map of a clip after [`align_rest`]; `skeleton` is the one before it.
pub fn align_rest_body(body: &BodyMap, skeleton: &Skeleton) -> BodyMap {
    let bases = rest_rotations(skeleton);
    let mut aligned = body.clone();
    aligned.legs = body.legs.map(|mut leg| {
        let basis = bases[leg.ankle.index()];
        leg.foot.heel = basis * leg.foot.heel;
        leg.foot.ball = basis * leg.foot.ball;
        leg.foot.toe_tip = basis * leg.foot.toe_tip;
        leg.foot.up = basis * leg.foot.up;
        leg
    });
    aligned
}

fn rest_rotations(skeleton: &Skeleton) -> Vec<Quat> {
    let rest = WorldPose::new(skeleton, &skeleton.rest_pose());
    rest.world().iter().map(|transform| transform.rotation).collect()
}

/// The rest rotation that a joint's translation is expressed in: its parent's, or none for a root.
fn parent_basis(skeleton: &Skeleton, bases: &[Quat], index: usize) -> Quat {
    skeleton.joints()[index].parent.map_or(Quat::IDENTITY, |parent| bases[parent.index()])
}

fn align_skeleton(skeleton: &Skeleton, bases: &[Quat]) -> Skeleton {
    let joints = skeleton.joints().iter().enumerate().map(|(index, joint)| {
        let translation = parent_basis(skeleton, bases, index) * joint.rest.translation;
        Joint { rest: Transform::from_translation(translation), ..joint.clone() }
    });
    let sites = skeleton.end_sites().iter();
    let sites = sites.map(|site| EndSite { offset: bases[site.parent.index()] * site.offset, ..site.clone() });
    Skeleton::new(joints.collect(), sites.collect()).expect("the tree is the old one")
}

fn align_pose(skeleton: &Skeleton, bases: &[Quat], pose: PoseRef<'_>) -> Pose {
    let align = |(index, local): (usize, &Transform)| {
        let outer = parent_basis(skeleton, bases, index);
        let rotation = (outer * local.rotation * bases[index].conjugate()).normalize();
        Transform::new(rotation, outer * local.translation)
    };
    Pose { local: pose.local.iter().enumerate().map(align).collect() }
}
