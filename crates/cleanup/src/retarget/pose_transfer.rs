//! Poses of one skeleton turned into poses of another, one at a time: what retargeting does to rotations, prepared once.
//!
//! Where a pose stands is not its business: the hips are placed afterwards, by what is known of floor and feet.

use super::keep_arms_out::keep_arms_out;
use super::pair_joints::Pairing;
use super::same_rig::RigMap;
use super::{Character, Transfer};
use std::sync::Arc;
use surefoot_motion::anatomy::{Anatomy, Neutral, NeutralFrom, TrunkBy};
use surefoot_motion::{BodyMap, JointId, Pose, PoseRef, Poses, Skeleton, WorldPose};

/// Turns poses of one skeleton into poses of another.
pub struct PoseTransfer<'a> {
    source: &'a Skeleton,
    target: Arc<Skeleton>,
    bodies: [BodyMap; 2],
    by: By<'a>,
}

enum By<'a> {
    /// Both skeletons are of one rig; translations are scaled.
    Copying {
        map: RigMap,
        scale: f64,
    },
    Aligning {
        pairing: Pairing<'a>,
        from: Box<Anatomy>,
        to: Box<Anatomy>,
    },
}

impl<'a> PoseTransfer<'a> {
    /// From a skeleton, its body and some of its motion, to a character. Translations of joints, which only skeletons of one
    /// rig share, are scaled.
    pub fn new(
        (skeleton, body, poses): (&'a Skeleton, &BodyMap, &Poses),
        to: &Character<'_>,
        scale: f64,
    ) -> PoseTransfer<'a> {
        let by = match RigMap::find(skeleton, body, to) {
            Some(map) => By::Copying { map, scale },
            None => {
                let from = Neutral::find(skeleton, body, poses);
                let target = Neutral::find(to.skeleton, to.body, to.poses);
                let trunk_by = TrunkBy::between(from.from, target.from);
                let from = Box::new(Anatomy::new(skeleton, body, from, trunk_by));
                let target = Box::new(Anatomy::new(to.skeleton, to.body, target, trunk_by));
                let pairing = Pairing::new((skeleton, body, &from), (to.skeleton, to.body, &target));
                By::Aligning { pairing, from, to: target }
            }
        };
        PoseTransfer { source: skeleton, target: to.skeleton.clone(), bodies: [body.clone(), to.body.clone()], by }
    }

    /// The target's pose, turned as the source's, with arms no deeper in its trunk, and standing anywhere.
    pub fn turn_pose(&self, pose: PoseRef<'_>, world: &WorldPose) -> Pose {
        let mut turned = self.turn_joints(pose, world);
        // A trunk that may be twisted does not show where its sides are.
        if !matches!(self.transfer(), Transfer::Aligned { to: NeutralFrom::UnusualRestPose, .. }) {
            let [from, to] = &self.bodies;
            let mut placed = WorldPose::new(&self.target, &turned);
            keep_arms_out((world, from), (&self.target, to), &mut turned.view_mut(), &mut placed);
        }
        turned
    }

    /// The target's pose, turned as the source's, wherever that brings its arms.
    pub(super) fn turn_joints(&self, pose: PoseRef<'_>, world: &WorldPose) -> Pose {
        match &self.by {
            By::Copying { map, scale } => map.copy_pose(self.source, pose, &self.target, *scale),
            By::Aligning { pairing, from, to } => pairing.turn_pose(world, from, &self.target, to),
        }
    }

    /// How rotations are carried over.
    pub fn transfer(&self) -> Transfer {
        match &self.by {
            By::Copying { .. } => Transfer::Copied,
            By::Aligning { from, to, .. } => Transfer::Aligned { from: from.neutral.from, to: to.neutral.from },
        }
    }

    /// Joints of the target that no joint of the source moves.
    pub fn idle(&self) -> Vec<JointId> {
        match &self.by {
            By::Copying { map, .. } => map.idle(),
            By::Aligning { pairing, .. } => pairing.idle(),
        }
    }
}
