//! What the detector looks at: a part's height above the local floor and its speed, in every frame, and their limits.

use super::DetectOptions;
use crate::FootPart;
use crate::running_extremes::{running_max, running_min};
use std::ops::Range;
use surefoot_geom::Vec3;
use surefoot_motion::{BodyMap, Side, WorldPose, count_frames};

/// The time over which a speed is taken, in seconds, before a frame and after it; at least one frame. Shorter spans follow the
/// noise of markers.
const SPEED_SPAN: f64 = 1.0 / 60.0;

/// The share of a clip's frames that are taken to be planted, whatever happens in it, and how many times as fast as they are a
/// planted part may be.
const STANDING_SHARE: f64 = 0.1;
const NOISE_FACTOR: f64 = 3.0;
/// What is faster in every frame is not planted. In metres a second.
const MOST_NOISE: f64 = 0.12;

/// One heel or ball in every frame.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PointTrace {
    /// Where it is.
    pub position: Vec<Vec3>,
    /// Height of the local floor: the lowest place that the part passes nearby in time. NaN where none is known.
    pub floor: Vec<f64>,
    /// The lower of its mean speeds just before and just after the frame, so that the first and the last frame of a rest are
    /// at rest and the frames beside them are not. Infinite where a position is not finite.
    pub speed: Vec<f64>,
    /// The fastest speed nearby in time.
    pub peak_speed: Vec<f64>,
    /// Speed up to which it remains planted, once it rests.
    pub planted_speed: Vec<f64>,
}

impl PointTrace {
    pub(super) fn new(
        poses: &[WorldPose],
        body: &BodyMap,
        (side, part): (Side, FootPart),
        frame_rate: f64,
        options: &DetectOptions,
    ) -> PointTrace {
        let position: Vec<Vec3> = poses.iter().map(|pose| part.place(body, pose, side)).collect();
        let frames = |seconds: f64| count_frames((seconds * frame_rate).round()).max(1);
        let height = |place: &Vec3| if place.is_finite() { place.y } else { f64::NAN };
        let heights: Vec<f64> = position.iter().map(height).collect();
        let floor = running_min(&heights, frames(options.floor_reach));
        let speed = rest_speeds(&position, frames(SPEED_SPAN), frame_rate);
        let peak_speed = running_max(&speed, frames(options.swing_reach));
        let least = options.least_planted_speed.max(NOISE_FACTOR * slowest(&speed).min(MOST_NOISE));
        let share = |peak: &f64| (options.planted_share * peak).max(least).min(options.most_planted_speed);
        let planted_speed = peak_speed.iter().map(share).collect();
        PointTrace { position, floor, speed, peak_speed, planted_speed }
    }

    /// Height above the local floor; NaN where either is not known.
    pub fn height(&self, frame: usize) -> f64 {
        self.position[frame].y - self.floor[frame]
    }

    /// Speed below which it may come to rest.
    pub fn rest_speed(&self, frame: usize, options: &DetectOptions) -> f64 {
        options.rest_share * self.planted_speed[frame]
    }

    /// Whether the part, if it is planted, may still be.
    pub(super) fn may_stay_planted(&self, frame: usize, options: &DetectOptions) -> bool {
        self.speed[frame] < self.planted_speed[frame] && self.height(frame) < options.planted_height
    }

    /// Whether the part is so slow and low that it rests.
    pub(super) fn may_rest(&self, frame: usize, options: &DetectOptions) -> bool {
        self.speed[frame] < self.rest_speed(frame, options) && self.height(frame) < options.rest_height
    }

    /// Where it is on average over frames, of which there is at least one.
    pub(super) fn mean_position(&self, frames: &Range<usize>) -> Vec3 {
        self.position[frames.clone()].iter().sum::<Vec3>() / frames.len() as f64
    }
}

/// The speed that the slowest tenth of the frames stays below.
fn slowest(speeds: &[f64]) -> f64 {
    quantile(speeds.to_vec(), STANDING_SHARE).unwrap_or(0.0)
}

/// The value that a share of the values stays below; `None` of none.
pub(super) fn quantile(mut values: Vec<f64>, share: f64) -> Option<f64> {
    let place = (values.len().checked_sub(1)? as f64 * share) as usize;
    Some(*values.select_nth_unstable_by(place, f64::total_cmp).1)
}

/// The lower of the mean speeds over a span before and after each frame; 0 for a single frame.
fn rest_speeds(position: &[Vec3], span: usize, frame_rate: f64) -> Vec<f64> {
    let n_frames = position.len();
    let speed = |from: usize, to: usize| {
        let speed = position[to].distance(position[from]) * frame_rate / (to - from) as f64;
        if speed.is_nan() { f64::INFINITY } else { speed }
    };
    let at = |frame: usize| {
        let (before, after) = (frame.saturating_sub(span), frame.saturating_add(span).min(n_frames - 1));
        match (before < frame, frame < after) {
            (true, true) => speed(before, frame).min(speed(frame, after)),
            (true, false) => speed(before, frame),
            (false, true) => speed(frame, after),
            (false, false) => 0.0,
        }
    };
    (0..n_frames).map(at).collect()
}
