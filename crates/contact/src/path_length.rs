//! The path of a body.

use surefoot_geom::ground_point;
use surefoot_motion::{BodyMap, WorldPose, count_frames};

/// Ground covered by the pelvis, sampled thirty times a second so that noise does not count as travel. Metres.
pub fn path_length(poses: &[WorldPose], body: &BodyMap, frame_rate: f64) -> f64 {
    let stride = count_frames((frame_rate / 30.0).round()).max(1);
    let mut frames: Vec<usize> = (0..poses.len()).step_by(stride).collect();
    if frames.last().is_some_and(|&last| last + 1 < poses.len()) {
        frames.push(poses.len() - 1);
    }
    let ground = |frame: usize| ground_point(poses[frame].position(body.pelvis));
    frames.windows(2).fold(0.0, |sum, pair| sum + ground(pair[0]).distance(ground(pair[1])))
}
