//! How unlike two frame windows of a motion are, wherever on the ground they happen.
//!
//! Each frame becomes the positions of the joints as seen from below the root, along its heading. Two frame windows are
//! compared over a window of frames, so that a leg that swings forward is unlike one that swings back through the same pose.
//! The distance is the root of the mean squared distance of joints, in metres.

use crate::curves::Curves;
use crate::root_trajectory::RootTrajectory;
use std::ops::Range;
use surefoot_geom::{Quat, Vec3};
use surefoot_motion::{JointId, WorldPose};

/// Most distances between joints that a search computes, some twenty seconds' work: every cycle of two minutes of 75 joints
/// at 120 frames per second.
pub(crate) const MAX_COMPARISONS: f64 = 2e10;

/// Positions of the body's joints in every frame, seen from the body's own root.
pub(crate) struct SeenFromRoot {
    n_joints: usize,
    /// Frame after frame.
    positions: Vec<Vec3>,
    /// For each frame, the sum of each joint's positions in all frames before it.
    sums: Vec<Vec3>,
    /// For each frame, the sum of the squared distances of all joints from zero in all frames before it.
    squares: Vec<f64>,
}

impl SeenFromRoot {
    pub(crate) fn of(curves: &Curves) -> SeenFromRoot {
        let trajectory = RootTrajectory::of(curves);
        // A root that stands still while the body walks away is no part of the body.
        let skeleton = &curves.skeleton;
        let moves = |joint: &JointId| skeleton.is_at_or_above(curves.root(), *joint);
        let joints: Vec<JointId> = skeleton.ids().filter(moves).collect();
        let n_joints = joints.len();
        let mut positions = Vec::with_capacity(n_joints * curves.n_frames());
        let mut world = WorldPose::default();
        for (frame, pose) in curves.to_poses().iter().enumerate() {
            world.fill(skeleton, pose);
            let place = Vec3::new(trajectory.places[frame].x, 0.0, trajectory.places[frame].y);
            let turn = Quat::from_rotation_y(-trajectory.headings[frame]);
            positions.extend(joints.iter().map(|joint| turn * (world.position(*joint) - place)));
        }
        let mut sums = vec![Vec3::ZERO; n_joints];
        let mut squares = vec![0.0];
        for (frame, joints) in positions.chunks_exact(n_joints.max(1)).enumerate() {
            sums.extend_from_within(frame * n_joints..);
            sums[(frame + 1) * n_joints..].iter_mut().zip(joints).for_each(|(sum, joint)| *sum += *joint);
            squares.push(squares[frame] + joints.iter().map(|joint| joint.length_squared()).sum::<f64>());
        }
        SeenFromRoot { n_joints, positions, sums, squares }
    }

    pub(crate) fn n_joints(&self) -> usize {
        self.n_joints
    }

    fn n_frames(&self) -> usize {
        self.positions.len() / self.n_joints.max(1)
    }

    fn frame(&self, frame: usize) -> &[Vec3] {
        &self.positions[frame * self.n_joints..(frame + 1) * self.n_joints]
    }

    /// Between frame `a` of one motion and `b` of another, over `reach` frames to both sides, as far as both go.
    pub(crate) fn distance(&self, a: usize, other: &SeenFromRoot, b: usize, reach: usize) -> f64 {
        let before = reach.min(a).min(b);
        let after = reach.min(self.n_frames() - 1 - a).min(other.n_frames() - 1 - b);
        let mut sum = 0.0;
        for k in 0..=before + after {
            let pair = self.frame(a - before + k).iter().zip(other.frame(b - before + k));
            sum += pair.map(|(a, b)| a.distance_squared(*b)).sum::<f64>();
        }
        (sum / ((before + after + 1) * self.n_joints) as f64).sqrt()
    }

    /// How much the body moves between two frames: the root of the mean squared distance of joints from their mean places.
    pub(crate) fn spread(&self, frames: Range<usize>) -> f64 {
        let n_frames = frames.len().max(1) as f64;
        let sums = |frame: usize| &self.sums[frame * self.n_joints..(frame + 1) * self.n_joints];
        let means = sums(frames.start).iter().zip(sums(frames.end)).map(|(start, end)| (*end - *start) / n_frames);
        let of_means: f64 = means.map(Vec3::length_squared).sum();
        let mean_square = (self.squares[frames.end] - self.squares[frames.start]) / n_frames;
        ((mean_square - of_means).max(0.0) / self.n_joints.max(1) as f64).sqrt()
    }
}
