//! One moment of a skeleton: relative to parents, or in the world. Two types, so that the two are never mixed.

use crate::{BodyPoint, JointId, Skeleton};
use std::ops::{Index, IndexMut};
use surefoot_geom::{Transform, Vec3};

/// Transforms of all joints relative to their parents; a root's is relative to the world.
///
/// Every joint keeps a translation, not only the root: legs may stretch a little, and files with positions on every joint
/// survive.
#[derive(Clone, Debug, PartialEq)]
pub struct Pose {
    /// One for each joint, in the skeleton's order.
    pub local: Vec<Transform>,
}

/// Transforms of all joints in the world.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct WorldPose {
    /// One for each joint, in the skeleton's order.
    pub world: Vec<Transform>,
}

impl WorldPose {
    /// Forward kinematics of one pose.
    pub fn new(skeleton: &Skeleton, pose: &Pose) -> WorldPose {
        let mut out = WorldPose::default();
        out.fill(skeleton, pose);
        out
    }

    /// Forward kinematics into a pose that is used again: allocates only the first time.
    pub fn fill(&mut self, skeleton: &Skeleton, pose: &Pose) {
        self.world.resize(skeleton.n_joints(), Transform::IDENTITY);
        skeleton.local_to_world(&pose.local, &mut self.world);
    }

    /// Where a joint is.
    pub fn position(&self, joint: JointId) -> Vec3 {
        self.world[joint.index()].translation
    }

    /// Where a joint or an end site is.
    pub fn point(&self, skeleton: &Skeleton, point: BodyPoint) -> Vec3 {
        match point {
            BodyPoint::Joint(joint) => self.position(joint),
            BodyPoint::EndSite(index) => {
                let site = &skeleton.end_sites()[index];
                self[site.parent].transform_point(site.offset)
            }
        }
    }
}

impl Index<JointId> for Pose {
    type Output = Transform;

    fn index(&self, joint: JointId) -> &Transform {
        &self.local[joint.index()]
    }
}

impl IndexMut<JointId> for Pose {
    fn index_mut(&mut self, joint: JointId) -> &mut Transform {
        &mut self.local[joint.index()]
    }
}

impl Index<JointId> for WorldPose {
    type Output = Transform;

    fn index(&self, joint: JointId) -> &Transform {
        &self.world[joint.index()]
    }
}
