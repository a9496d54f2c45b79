//! Forward kinematics of a complete clip: computed once, then shared.

use crate::{Poses, Skeleton, WorldPose};
use std::ops::Deref;
use std::sync::Arc;
use surefoot_geom::Transform;

/// World transforms of every frame of a clip, in one contiguous array. A clone shares it.
#[derive(Clone, Debug)]
pub struct WorldPoses {
    transforms: Arc<Vec<Transform>>,
    /// Each looks into `transforms`.
    poses: Arc<[WorldPose]>,
}

impl WorldPoses {
    /// Forward kinematics of every pose.
    pub fn new(skeleton: &Skeleton, poses: &Poses) -> WorldPoses {
        let n_joints = skeleton.n_joints();
        let mut world = Vec::with_capacity(poses.len() * n_joints);
        for pose in poses {
            let start = world.len();
            world.resize(start + n_joints, Transform::IDENTITY);
            skeleton.local_to_world(pose.local, &mut world[start..]);
        }
        let transforms = Arc::new(world);
        let poses =
            (0..poses.len()).map(|frame| WorldPose::shared(transforms.clone(), frame, n_joints)).collect::<Vec<_>>();
        WorldPoses { transforms, poses: poses.into() }
    }

    /// One frame. Panics if there is no such frame.
    pub fn pose(&self, frame: usize) -> &WorldPose {
        &self.poses[frame]
    }

    /// All transforms, frame-major.
    pub fn transforms(&self) -> &[Transform] {
        &self.transforms
    }
}

impl Deref for WorldPoses {
    type Target = [WorldPose];

    fn deref(&self) -> &[WorldPose] {
        &self.poses
    }
}

impl<'a> IntoIterator for &'a WorldPoses {
    type Item = &'a WorldPose;
    type IntoIter = std::slice::Iter<'a, WorldPose>;

    fn into_iter(self) -> Self::IntoIter {
        self.poses.iter()
    }
}
