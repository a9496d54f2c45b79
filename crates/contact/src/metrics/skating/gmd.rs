//! The skating ratio of GMD and OmniControl, as their code computes it.
//!
//! The motion is looked at 20 times a second. A foot skates where its toe joint is lower than 5 cm in this frame and the next, and
//! moves over the ground faster than 0.5 m/s both now and in the mean of five frames around (with zeros past the ends). The ratio
//! is the share of all frames in which either foot skates. A comment in that code says 20 cm/s, and papers repeat it; the code
//! does what is written here.

use super::{LOW, SkateTrack, share};
use surefoot_motion::PerSide;

/// The rate at which the measure looks, in frames a second.
pub const RATE: f64 = 20.0;
/// Faster over the ground is skating, in metres a second.
pub const FAST: f64 = 0.5;
/// Frames a second below which a motion says nothing about twentieths of seconds.
const MIN_RATE: f64 = 1.0;
/// Frames over which the speed is averaged.
const MEAN_FRAMES: usize = 5;

/// Skating by GMD's definition.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct GmdSkating {
    /// Share of all frames in which a foot skates; `None` for motions shorter than two frames of 20 fps, or with
    /// less than one frame a second.
    pub ratio: Option<f64>,
}

/// Measures the ratio.
pub fn measure(feet: &PerSide<SkateTrack>, frame_rate: f64) -> GmdSkating {
    let [left, right] = [&feet.left, &feet.right].map(|foot| skating_frames(foot, frame_rate));
    let n_skating = left.iter().zip(&right).filter(|&(&left, &right)| left || right).count();
    GmdSkating { ratio: share(n_skating, left.len()) }
}

/// For each move at 20 fps whether the foot skates in it.
fn skating_frames(foot: &SkateTrack, frame_rate: f64) -> Vec<bool> {
    let sampled = sample(foot, frame_rate);
    let speeds: Vec<f64> =
        sampled.windows(2).map(|pair| (pair[1][0] - pair[0][0]).hypot(pair[1][2] - pair[0][2]) * RATE).collect();
    let low: Vec<bool> = sampled.windows(2).map(|pair| pair[0][1] < LOW && pair[1][1] < LOW).collect();
    let around = |frame: usize| {
        let half = MEAN_FRAMES / 2;
        let near = &speeds[frame.saturating_sub(half)..(frame + half + 1).min(speeds.len())];
        near.iter().sum::<f64>() / MEAN_FRAMES as f64
    };
    (0..speeds.len()).map(|frame| low[frame] && speeds[frame] > FAST && around(frame) > FAST).collect()
}

/// The ball's x, height and z at 20 fps, between frames by straight lines.
fn sample(foot: &SkateTrack, frame_rate: f64) -> Vec<[f64; 3]> {
    let Some(last) = foot.points.ball.len().checked_sub(1).filter(|_| frame_rate >= MIN_RATE) else {
        return Vec::new();
    };
    let place = |frame: usize| {
        let ball = foot.points.ball[frame];
        [ball.x, foot.ball_height[frame], ball.z]
    };
    let at = |sample: usize| sample as f64 * frame_rate / RATE;
    (0..)
        .map(at)
        // A sample on the last frame counts although rounding may put it a little behind.
        .take_while(|&at| at < last as f64 + 1e-9)
        .map(|at| {
            let low = (at as usize).min(last);
            let (a, b, share) = (place(low), place((low + 1).min(last)), at - low as f64);
            std::array::from_fn(|axis| a[axis] + (b[axis] - a[axis]) * share)
        })
        .collect()
}
