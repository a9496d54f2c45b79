//! The same motion at another frame rate.
//!
//! Rotations are interpolated along the shorter arc at constant speed; translations by a Catmull-Rom spline through
//! the frames, which is smooth where the root passes a frame and leaves a joint that does not move exactly where it
//! is. At both ends the spline's slope is that of the end's own interval, so nothing is invented beyond the clip.
//!
//! A new frame that falls on an old one is that one, bit for bit. The clip keeps its start and, up to less than one new
//! frame, its end: the last new frame is the last at or before the old end.

use crate::{Clip, EditError, Pose, Poses};
use surefoot_geom::{Transform, Vec3, rotation::slerp};

/// Most frames that resampling makes: a day at 120 frames per second.
pub const MAX_RESAMPLED_FRAMES: usize = 120 * 24 * 3600;
/// Transforms (frames times joints) that any clip may become, some 130 MB: a file of a few kilobytes with a frame time of
/// hours must not ask for all memory.
const ALWAYS_TRANSFORMS: usize = 1 << 21;
/// A clip may become this many times what it is, up to `MANY_TRANSFORMS` (2.5 hours of 62 joints at 120 frames per second),
/// and twice what it is however long it is.
const MAX_GROWTH: usize = 128;
const MANY_TRANSFORMS: usize = 1 << 26;
/// A time this close to an old frame, in frames, is that frame. Rounding of rates like 1000 / 1001 stays far below.
const ON_FRAME: f64 = 1e-7;

/// The clip at `frame_rate` frames per second.
pub fn resample(clip: &Clip, frame_rate: f64) -> Result<Clip, EditError> {
    let n_frames = n_resampled(clip, frame_rate)?;
    let old_per_new = clip.frame_rate / frame_rate;
    let poses = (0..n_frames).map(|frame| sample_pose(clip.poses(), frame as f64 * old_per_new)).collect();
    Ok(Clip::new(clip.name.clone(), clip.skeleton.clone(), frame_rate, poses))
}

/// How many frames there would be: the work, known before anything is allocated.
fn n_resampled(clip: &Clip, frame_rate: f64) -> Result<usize, EditError> {
    let duration = clip.duration();
    if !(frame_rate > 0.0 && frame_rate.is_finite() && duration.is_finite()) {
        return Err(EditError::FrameRate { frame_rate, duration });
    }
    if clip.n_frames() == 0 {
        return Ok(0);
    }
    // The last frame counts if it misses the old end by rounding only.
    let n_frames = (duration * frame_rate + ON_FRAME * frame_rate / clip.frame_rate).floor() + 1.0;
    let max_frames = max_resampled(clip);
    if n_frames > max_frames as f64 {
        return Err(EditError::TooManyFrames { frame_rate, duration, n_frames, max_frames });
    }
    Ok(n_frames as usize)
}

/// Most frames that a clip may become.
fn max_resampled(clip: &Clip) -> usize {
    let n_joints = clip.skeleton.n_joints().max(1);
    let own = clip.n_frames().saturating_mul(n_joints);
    let grown = own.saturating_mul(MAX_GROWTH).min(MANY_TRANSFORMS).max(own.saturating_mul(2));
    (grown.max(ALWAYS_TRANSFORMS) / n_joints).min(MAX_RESAMPLED_FRAMES)
}

/// The pose at a time given in frames from the first, within the clip; outside, the first or last pose, and the first at a
/// time that is NaN. Panics without poses.
pub fn sample_pose(poses: &Poses, time: f64) -> Pose {
    let last = poses.len() - 1;
    let time = if time.is_nan() { 0.0 } else { time };
    let nearest = time.round().clamp(0.0, last as f64);
    if (time - nearest).abs() <= ON_FRAME || time <= 0.0 || time >= last as f64 {
        return poses.pose(nearest as usize).to_pose();
    }
    let before = time.floor() as usize;
    let t = time - before as f64;
    let local = (0..poses.n_joints()).map(|joint| {
        let at = |frame: usize| poses.pose(frame).local[joint];
        let rotation = slerp(at(before).rotation, at(before + 1).rotation, t);
        let earlier = before.checked_sub(1).map(|frame| at(frame).translation);
        let later = (before + 2 <= last).then(|| at(before + 2).translation);
        Transform::new(rotation, spline(earlier, at(before).translation, at(before + 1).translation, later, t))
    });
    Pose { local: local.collect() }
}

/// Catmull-Rom between `a` and `b`. Written in differences, so that points that do not differ give themselves exactly.
fn spline(earlier: Option<Vec3>, a: Vec3, b: Vec3, later: Option<Vec3>, t: f64) -> Vec3 {
    let step = b - a;
    let slope_a = earlier.map_or(step, |earlier| (step + (a - earlier)) / 2.0);
    let slope_b = later.map_or(step, |later| (step + (later - b)) / 2.0);
    // Hermite's cubic: a + t (ma + t ((3 d - 2 ma - mb) + t (ma + mb - 2 d))).
    a + (slope_a + ((step * 3.0 - slope_a * 2.0 - slope_b) + (slope_a + slope_b - step * 2.0) * t) * t) * t
}
