//! First frames that were never recorded: a T-pose put in front for retargeting tools, and frames of zeros.
//!
//! A person cannot leave a T-pose within one frame. So first frames are artificial when the whole body jumps out of the last of
//! them, by several times what it ever moves in a frame afterwards, and when they are nearer to the rest pose than the motion
//! is. A rest pose that passes gradually into the motion, as an actor's does or an animator's, stays.

use crate::Document;
use surefoot_motion::defects::{is_void, mean_turn};

/// How much farther the body jumps out of an artificial frame than it moves in its liveliest frames.
const JUMP_FACTOR: f64 = 2.5;
/// The least mean rotation of a joint, in radians (3 degrees), that counts as a jump of the whole body.
const SMALLEST_JUMP: f64 = 0.05;
/// An artificial frame's mean rotation from the rest pose, as part of that of the motion.
const NEAR_REST: f64 = 0.6;

/// How many first frames are artificial: zeros, a T-pose, or a T-pose and zeros after it.
pub(super) fn count_artificial(document: &Document) -> usize {
    let poses = &document.poses;
    let after_zeros =
        |from: usize| from + poses.iter().skip(from).take_while(|&pose| is_void(&document.skeleton, pose)).count();
    let zeros = after_zeros(0);
    let with_pose = if zeros < poses.len() { after_zeros(zeros + 1) } else { zeros };
    // The longer run first: behind a T-pose, zeros hide that the body jumps out of it.
    [with_pose, zeros].into_iter().find(|&count| count > 0 && jumps_out(document, count)).unwrap_or(0)
}

/// Whether the body jumps from the frame before `count` into the motion, out of frames that are near the rest pose.
fn jumps_out(document: &Document, count: usize) -> bool {
    let poses = &document.poses;
    let n_motion = poses.len() - count;
    if n_motion < 3 {
        return false;
    }
    let rest = document.skeleton.rest_pose();
    let jump = mean_turn(poses.pose(count - 1), poses.pose(count));
    let mut steps: Vec<f64> = poses.pairs().skip(count).map(|[a, b]| mean_turn(a, b)).collect();
    steps.sort_by(f64::total_cmp);
    let lively = steps[steps.len() * 98 / 100];
    let stray: f64 = poses.iter().skip(count).map(|pose| mean_turn(pose, rest.view())).sum::<f64>() / n_motion as f64;
    jump > SMALLEST_JUMP
        && jump > JUMP_FACTOR * lively
        && poses.iter().take(count).all(|pose| mean_turn(pose, rest.view()) < NEAR_REST * stray)
}
