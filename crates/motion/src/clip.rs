//! A motion: poses of one skeleton at a fixed rate.

use crate::{Pose, Skeleton, WorldPose};
use std::sync::Arc;

/// Poses of one skeleton at a fixed frame rate.
#[derive(Clone, Debug, PartialEq)]
pub struct Clip {
    /// What to call it; usually the file's name without its ending.
    pub name: String,
    /// Shared between clips of one person.
    pub skeleton: Arc<Skeleton>,
    /// Frames per second; positive and finite.
    pub frame_rate: f64,
    /// Each as long as the skeleton.
    pub poses: Vec<Pose>,
}

impl Clip {
    /// How many frames there are.
    pub fn n_frames(&self) -> usize {
        self.poses.len()
    }

    /// The same clip with other poses.
    pub fn with_poses(&self, poses: Vec<Pose>) -> Clip {
        Clip { name: self.name.clone(), skeleton: self.skeleton.clone(), frame_rate: self.frame_rate, poses }
    }

    /// Time from the first frame to the last, in seconds; 0 for a clip of no frame or one.
    pub fn duration(&self) -> f64 {
        self.n_frames().saturating_sub(1) as f64 / self.frame_rate
    }

    /// Forward kinematics of one frame.
    pub fn world_pose(&self, frame: usize) -> WorldPose {
        WorldPose::new(&self.skeleton, &self.poses[frame])
    }

    /// Forward kinematics of every frame.
    pub fn world_poses(&self) -> Vec<WorldPose> {
        (0..self.n_frames()).map(|frame| self.world_pose(frame)).collect()
    }
}
