//! One moment of a skeleton: relative to parents, or in the world. Two types, so that the two are never mixed.
//!
//! [`Pose`] owns its joints' transforms; [`PoseRef`] and [`PoseMut`] look at one frame of [`crate::Poses`].

use crate::{BodyPoint, JointId, Skeleton};
use std::ops::{Index, IndexMut};
use std::sync::Arc;
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

/// A pose that is stored elsewhere, usually in a clip.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PoseRef<'a> {
    /// One for each joint, in the skeleton's order.
    pub local: &'a [Transform],
}

/// A pose that is stored elsewhere and may be changed in place.
#[derive(Debug, PartialEq)]
pub struct PoseMut<'a> {
    /// One for each joint, in the skeleton's order.
    pub local: &'a mut [Transform],
}

/// Transforms of all joints in the world: a cheap handle on one frame, which may share its storage with all frames of a
/// clip ([`crate::WorldPoses`]). A change first makes a copy of that frame if it is shared.
#[derive(Clone, Debug)]
pub struct WorldPose {
    storage: Arc<Vec<Transform>>,
    start: usize,
    n_joints: usize,
}

impl Pose {
    /// A view of it.
    pub fn view(&self) -> PoseRef<'_> {
        PoseRef { local: &self.local }
    }

    /// A view of it through which it can be changed.
    pub fn view_mut(&mut self) -> PoseMut<'_> {
        PoseMut { local: &mut self.local }
    }

    /// Takes over another pose; allocates nothing if both have as many joints.
    pub fn copy_from<'a>(&mut self, pose: impl Into<PoseRef<'a>>) {
        self.local.clear();
        self.local.extend_from_slice(pose.into().local);
    }
}

impl PoseRef<'_> {
    /// A copy of its own.
    pub fn to_pose(self) -> Pose {
        Pose { local: self.local.to_vec() }
    }
}

impl PoseMut<'_> {
    /// A view for reading.
    pub fn view(&self) -> PoseRef<'_> {
        PoseRef { local: self.local }
    }

    /// Takes over another pose of as many joints.
    pub fn copy_from<'a>(&mut self, pose: impl Into<PoseRef<'a>>) {
        self.local.copy_from_slice(pose.into().local);
    }
}

impl<'a> From<&'a Pose> for PoseRef<'a> {
    fn from(pose: &'a Pose) -> PoseRef<'a> {
        pose.view()
    }
}

impl From<PoseRef<'_>> for Pose {
    fn from(pose: PoseRef<'_>) -> Pose {
        pose.to_pose()
    }
}

impl WorldPose {
    /// Forward kinematics of one pose.
    pub fn new<'a>(skeleton: &Skeleton, pose: impl Into<PoseRef<'a>>) -> WorldPose {
        let mut out = WorldPose::default();
        out.fill(skeleton, pose);
        out
    }

    /// Frame `frame` of frame-major storage.
    pub(crate) fn shared(storage: Arc<Vec<Transform>>, frame: usize, n_joints: usize) -> WorldPose {
        WorldPose { storage, start: frame * n_joints, n_joints }
    }

    /// Forward kinematics into a pose that is used again: allocates only the first time.
    pub fn fill<'a>(&mut self, skeleton: &Skeleton, pose: impl Into<PoseRef<'a>>) {
        let n = skeleton.n_joints();
        if self.storage.len() != n || Arc::get_mut(&mut self.storage).is_none() {
            *self = WorldPose::from(vec![Transform::IDENTITY; n]);
        }
        skeleton.local_to_world(pose.into().local, self.world_mut());
    }

    /// One for each joint, in the skeleton's order.
    #[inline]
    pub fn world(&self) -> &[Transform] {
        &self.storage[self.start..self.start + self.n_joints]
    }

    /// The same for changing.
    pub fn world_mut(&mut self) -> &mut [Transform] {
        if self.storage.len() != self.n_joints {
            *self = WorldPose::from(self.world().to_vec());
        }
        Arc::make_mut(&mut self.storage).as_mut_slice()
    }

    /// Where a joint is.
    #[inline]
    pub fn position(&self, joint: JointId) -> Vec3 {
        self[joint].translation
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

impl Default for WorldPose {
    /// Of no joint, to be filled.
    fn default() -> WorldPose {
        WorldPose::from(Vec::new())
    }
}

impl From<Vec<Transform>> for WorldPose {
    /// World transforms in the skeleton's order.
    fn from(world: Vec<Transform>) -> WorldPose {
        WorldPose { start: 0, n_joints: world.len(), storage: Arc::new(world) }
    }
}

impl PartialEq for WorldPose {
    fn eq(&self, other: &WorldPose) -> bool {
        self.world() == other.world()
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

impl Index<JointId> for PoseRef<'_> {
    type Output = Transform;

    #[inline]
    fn index(&self, joint: JointId) -> &Transform {
        &self.local[joint.index()]
    }
}

impl Index<JointId> for PoseMut<'_> {
    type Output = Transform;

    #[inline]
    fn index(&self, joint: JointId) -> &Transform {
        &self.local[joint.index()]
    }
}

impl IndexMut<JointId> for PoseMut<'_> {
    #[inline]
    fn index_mut(&mut self, joint: JointId) -> &mut Transform {
        &mut self.local[joint.index()]
    }
}

impl Index<JointId> for WorldPose {
    type Output = Transform;

    #[inline]
    fn index(&self, joint: JointId) -> &Transform {
        &self.world()[joint.index()]
    }
}
