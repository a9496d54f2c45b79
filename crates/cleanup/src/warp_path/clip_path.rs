//! The path of a clip: the ground track of its pelvis without sway.

use super::smooth_frames::smooth_points;
use super::{WarpPathError, WarpPathOptions};
use surefoot_geom::{Vec2, ground_point};
use surefoot_ground::Path;
use surefoot_ground::TravelCurve;
use surefoot_motion::{BodyMap, Clip};

/// Points of the track closer than this, in metres, give no direction of their own: noise of a person who stands.
const SPACING: f64 = 0.01;
/// A clip that travels less than this share of its legs' length has no path to warp.
const LEAST_TRAVEL: f64 = 0.5;

/// A clip's own path, and where on it each frame is.
#[derive(Clone, Debug, PartialEq)]
pub struct ClipPath {
    /// Points and headings by arc length.
    pub curve: TravelCurve,
    /// For each frame its arc length on the curve, never decreasing.
    pub arcs: Vec<f64>,
}

impl ClipPath {
    /// The same as a path: warping the clip to it changes nothing.
    pub fn to_path(&self) -> Path {
        Path { points: self.curve.points().to_vec() }
    }
}

/// Abstracts the path of a clip; an error if it hardly has one.
pub fn clip_path(clip: &Clip, body: &BodyMap, options: &WarpPathOptions) -> Result<ClipPath, WarpPathError> {
    options.check()?;
    let track: Vec<Vec2> = clip.world().iter().map(|pose| ground_point(pose.position(body.pelvis))).collect();
    let track = smooth_points(&track, options.smoothing * clip.frame_rate);
    track_path(&track, options, least_travel(clip, body))
}

/// The path of a track, a point for each frame; an error if it is shorter than `least`.
pub(super) fn track_path(track: &[Vec2], options: &WarpPathOptions, least: f64) -> Result<ClipPath, WarpPathError> {
    let kept = thin(track);
    let points: Vec<Vec2> = kept.iter().map(|&frame| track[frame]).collect();
    let curve = TravelCurve::new(&points, options.heading_reach);
    // Not `<`: a track that is not finite has no length either.
    if !(curve.length() >= least && curve.length() > 0.0) {
        return Err(WarpPathError::HardlyTravels { travelled: curve.length(), least });
    }
    let arcs = arcs_of_frames(track, &kept);
    Ok(ClipPath { curve, arcs })
}

/// The shortest path that can be warped or walked, in metres.
pub(super) fn least_travel(clip: &Clip, body: &BodyMap) -> f64 {
    LEAST_TRAVEL * body.leg_length(&clip.skeleton)
}

/// Frames whose points stand off the one kept before; always the first, and the last in place of one that it is too near to.
fn thin(track: &[Vec2]) -> Vec<usize> {
    let mut kept: Vec<usize> = Vec::new();
    for (frame, point) in track.iter().enumerate() {
        if kept.last().is_none_or(|&last| point.distance(track[last]) >= SPACING) {
            kept.push(frame);
        }
    }
    if let (Some(last), Some(&end)) = (track.len().checked_sub(1), kept.last()) {
        if end != last && kept.len() > 1 {
            kept.pop();
        }
        if end != last {
            kept.push(last);
        }
    }
    kept
}

/// Arc length along the kept points; between two of them it is shared by the distance covered in each frame.
fn arcs_of_frames(track: &[Vec2], kept: &[usize]) -> Vec<f64> {
    let mut arcs = Vec::with_capacity(track.len());
    arcs.push(0.0);
    let mut start = 0.0;
    for pair in kept.windows(2) {
        let chord = track[pair[0]].distance(track[pair[1]]);
        let steps = track[pair[0]..=pair[1]].windows(2).map(|step| step[0].distance(step[1]));
        let total: f64 = steps.clone().sum();
        let mut covered = 0.0;
        for step in steps {
            covered += step;
            let share = if total > 0.0 { covered / total } else { 1.0 };
            arcs.push(start + chord * share.min(1.0));
        }
        start += chord;
    }
    arcs
}
