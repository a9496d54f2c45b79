//! What a detector looks at: a part's height above the local floor and its speed, in every frame.

use super::DetectOptions;
use super::running::{running_max, running_min};
use crate::FootPart;
use std::ops::Range;
use surefoot_geom::Vec3;
use surefoot_motion::{BodyMap, Side, WorldPose};

/// Half the time over which a speed is taken, in seconds; at least one frame.
const SPEED_SPAN: f64 = 1.0 / 60.0;

/// One heel or ball in every frame.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PointTrace {
    /// Where it is.
    pub position: Vec<Vec3>,
    /// Height above the local floor.
    pub height: Vec<f64>,
    /// Speed in metres a second.
    pub speed: Vec<f64>,
    /// The fastest speed nearby.
    pub peak_speed: Vec<f64>,
    /// Speed below which it may come to rest.
    pub rest_speed: Vec<f64>,
    /// Speed up to which it stays at rest.
    pub stay_speed: Vec<f64>,
}

impl PointTrace {
    pub(super) fn new(
        poses: &[WorldPose],
        body: &BodyMap,
        side: Side,
        part: FootPart,
        frame_rate: f64,
        options: &DetectOptions,
    ) -> PointTrace {
        let place = |pose: &WorldPose| match part {
            FootPart::Heel => body.heel(pose, side),
            FootPart::Ball => body.ball(pose, side),
        };
        let position: Vec<Vec3> = poses.iter().map(place).collect();
        let frames = |seconds: f64| (seconds * frame_rate).round().max(1.0) as usize;
        let y: Vec<f64> = position.iter().map(|p| if p.is_finite() { p.y } else { f64::NAN }).collect();
        let floor = running_min(&y, frames(options.floor_reach));
        let height =
            y.iter().zip(&floor).map(|(y, floor)| if y.is_nan() { f64::INFINITY } else { y - floor }).collect();
        let speed = rest_speeds(&position, frames(SPEED_SPAN), frame_rate);
        let peak_speed = running_max(&speed, frames(options.swing_reach));
        let (least, most) = options.slow_range;
        let stay_speed: Vec<f64> =
            peak_speed.iter().map(|peak| (options.slow_share * peak).max(least).min(most)).collect();
        let rest_speed = stay_speed.iter().map(|speed| speed / 2.0).collect();
        PointTrace { position, height, speed, peak_speed, rest_speed, stay_speed }
    }

    /// Where it is on average.
    pub(super) fn mean_position(&self, frames: &Range<usize>) -> Vec3 {
        self.position[frames.clone()].iter().sum::<Vec3>() / frames.len().max(1) as f64
    }
}

/// The lower of the mean velocities before and after each frame: the first and the last frame of a rest are at rest, the
/// frames next to them are not.
fn rest_speeds(position: &[Vec3], span: usize, frame_rate: f64) -> Vec<f64> {
    let n = position.len();
    let speed = |from: usize, to: usize| {
        let speed = position[to].distance(position[from]) * frame_rate / (to - from) as f64;
        if speed.is_nan() { f64::INFINITY } else { speed }
    };
    let at = |k: usize| {
        let (before, after) = (k.saturating_sub(span), (k + span).min(n - 1));
        match (before < k, k < after) {
            (true, true) => speed(before, k).min(speed(k, after)),
            (true, false) => speed(before, k),
            (false, true) => speed(k, after),
            (false, false) => 0.0,
        }
    };
    (0..n).map(at).collect()
}
