//! First frames that were never recorded: a T-pose put in front for retargeting tools, and frames of zeros.
//!
//! A person cannot leave a T-pose within one frame. So a first frame is artificial when the whole body jumps out of it, by
//! several times what it ever moves in a frame afterwards, and when it is nearer to the rest pose than the motion is. A
//! T-pose that an actor really stood in passes gradually into the motion, and stays.

use crate::Document;
use surefoot_motion::defects::{is_void, mean_turn};

/// How much farther the body jumps out of an artificial frame than it moves in its liveliest frames.
const JUMP_FACTOR: f64 = 2.5;
/// The least mean rotation of a joint, in radians (3 degrees), that counts as a jump of the whole body.
const SMALLEST_JUMP: f64 = 0.05;
/// An artificial frame's mean rotation from the rest pose, as part of that of the motion.
const NEAR_REST: f64 = 0.6;

/// How many first frames are artificial.
pub(super) fn count_artificial(document: &Document) -> usize {
    let poses = &document.poses;
    let after_zeros =
        |from: usize| from + poses[from..].iter().take_while(|pose| is_void(&document.skeleton, pose)).count();

    let zeros = after_zeros(0);
    let mut count = zeros;
    if is_artificial(document, zeros) {
        // Some files put their zeros behind the T-pose.
        count = after_zeros(zeros + 1);
    }
    // A file of nothing but zeros is a pose; dropping all of it would leave nothing.
    if count >= poses.len() { 0 } else { count }
}

/// Whether the body jumps out of frame `first`.
fn is_artificial(document: &Document, first: usize) -> bool {
    let poses = &document.poses[first..];
    if poses.len() < 4 {
        return false;
    }
    let rest = document.skeleton.rest_pose();
    let jump = mean_turn(&poses[0], &poses[1]);
    // Zeros behind the T-pose look like a jump of their own; the usual movement is that of the rest.
    let mut steps: Vec<f64> = poses[1..].windows(2).map(|pair| mean_turn(&pair[0], &pair[1])).collect();
    steps.sort_by(f64::total_cmp);
    let lively = steps[steps.len() * 98 / 100];
    let stray: f64 = poses[1..].iter().map(|pose| mean_turn(pose, &rest)).sum::<f64>() / (poses.len() - 1) as f64;
    let out_of_zeros = mean_turn(&poses[1], &rest) < 1e-9;
    (out_of_zeros || (jump > SMALLEST_JUMP && jump > JUMP_FACTOR * lively))
        && mean_turn(&poses[0], &rest) < NEAR_REST * stray
}
