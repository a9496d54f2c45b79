//! Path editing: the same steps along another path.
//!
//! Reference: M. Gleicher, "Motion path editing", Symposium on Interactive 3D Graphics 2001 (BEND), as used by SKATE, result 3.
//!
//! Idea: a motion is where it goes plus what it does meanwhile. Its path is abstracted from the clip as a smooth curve; each
//! frame is expressed in the frame of the curve that moves along with it (its point, and the direction it heads in); and put
//! back on another curve at the same distance from the start. Steps:
//!
//! 1. [`clip_path`]: the ground track of the pelvis, smoothed over time, so that sway and bob stay with the motion.
//! 2. [`round_corners`]: corners of the new path become curves that a person can walk.
//! 3. [`TravelCurve`]: points and headings by arc length, the same for both curves.
//! 4. Each frame `i` at arc length `s`: `M' = P'(s') P(s)^-1 M` with `P` the frame of the clip's own curve and `P'` that of the
//!    new one (BEND, section 3), as a turn about the vertical axis. The turn is smoothed over time, so that nobody spins on
//!    the spot where the own curve is too short to have a direction.
//! 5. Plants keep their frames; their places move as the body does in the middle of each. Within a plant the moving frame turns
//!    the foot: this is the footskate that cleanup has to remove.
//!
//! Departures: the paper fits a B-spline to the root's track and lets the user drag it; we smooth the track with a Gaussian and
//! take a path of points. The paper's constraints are kept by a solver over the complete motion; ours by footskate cleanup after.
//!
//! Limits: the ground is level; heights stay as they are. Nobody leans into the new curves. A clip that turns back on its own
//! path has a cusp there, and may turn on the spot on a path that has none.

mod clip_path;
mod smooth_frames;
#[cfg(test)]
mod tests;

pub use clip_path::{ClipPath, clip_path};
use clip_path::{least_travel, track_path};
use smooth_frames::smooth_numbers;
use std::f64::consts::PI;
use surefoot_contact::{Take, slice_take};
use surefoot_geom::{Quat, Transform, Vec2, Vec3};
use surefoot_ground::{Path, PathError, TravelCurve, round_corners};
use surefoot_motion::{EditError, Side};

/// What to do where the path is not as long as the clip's own path.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PathFit {
    /// Steps stay as long as they are. A shorter path ends the motion at its end; a longer one is not walked to its end.
    #[default]
    Stop,
    /// The path is scaled about its first point to the length of the clip's own path.
    ScalePath,
    /// Steps are stretched or shortened so that the motion ends with the path; feet slide, and cleanup has to mend it.
    StretchSteps,
}

/// How to warp.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WarpPathOptions {
    /// What to do where the lengths differ.
    pub fit: PathFit,
    /// Standard deviation of the Gaussian that smooths the clip's own track, in seconds. Default 0.5: a stride sways once a
    /// second, and 2 % of its sway are left. Less leaves sway in the path, which the new path then lacks; more cuts the clip's
    /// own turns, which then stay with the motion. 0 to 10.
    pub smoothing: f64,
    /// How far before and after a corner of the new path its rounding reaches, in metres, if the path is straight for so long.
    /// Default 0.8: a step before and a step after, as people turn corners. 0 keeps corners. 0 to 100.
    pub corner_reach: f64,
    /// Standard deviation of the Gaussian that smooths headings along both curves, in metres. Default 0.25: a quarter of a
    /// stride on either side, so that a few centimetres of sway while standing give no direction. 0.01 to 10.
    pub heading_reach: f64,
}

impl Default for WarpPathOptions {
    fn default() -> WarpPathOptions {
        WarpPathOptions { fit: PathFit::Stop, smoothing: 0.5, corner_reach: 0.8, heading_reach: 0.25 }
    }
}

/// A take on another path, and what was decided for it.
#[derive(Clone, Debug, PartialEq)]
pub struct WarpedPath {
    /// The motion on the new path, with its contacts.
    pub take: Take,
    /// Length of the clip's own path, in metres.
    pub own_length: f64,
    /// Length of the new path after rounding and scaling, in metres.
    pub path_length: f64,
    /// Length of the part of the new path that is walked, in metres.
    pub walked: f64,
    /// Frames that were cut because the path ended.
    pub cut_frames: usize,
    /// Steps as a multiple of what they were; 1 unless they are stretched.
    pub stretch: f64,
    /// Factor that the path was scaled by; 1 unless it is.
    pub path_scale: f64,
    /// The fastest turn that warping adds, in radians a second, and its frame. Above about 2 it is visible as a spin.
    pub fastest_turn: (f64, usize),
}

/// Why a motion cannot be warped.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum WarpPathError {
    /// The clip goes nowhere.
    #[error("the clip travels {travelled:.2} m; a path of at least {least:.2} m would have a direction to warp")]
    HardlyTravels {
        /// Along the smoothed track, in metres.
        travelled: f64,
        /// In metres.
        least: f64,
    },
    /// The points are no path.
    #[error("{0}")]
    Path(PathError),
    /// The path is too short to walk.
    #[error("the path is {length:.2} m long; one of at least {least:.2} m could be walked, or it could be scaled")]
    PathTooShort {
        /// In metres.
        length: f64,
        /// In metres.
        least: f64,
    },
    /// The path leads farther than anybody walks.
    #[error("the path is {length:.3e} m long; at most {LONGEST_PATH:.0e} m would be right")]
    PathTooLong {
        /// In metres.
        length: f64,
    },
    /// An option is outside its range.
    #[error("{option} is {value}; {range} would be right")]
    Option {
        /// Its name.
        option: &'static str,
        /// As given.
        value: f64,
        /// In words.
        range: &'static str,
    },
    /// The cut left nothing.
    #[error(transparent)]
    Edit(#[from] EditError),
}

/// Puts a take on another path. It starts at the path's first point and heads along it. Panics if contacts and clip differ in
/// their numbers of frames.
pub fn warp_path(take: &Take, path: &Path, options: &WarpPathOptions) -> Result<WarpedPath, WarpPathError> {
    let body = &take.body;
    let own = clip_path(&take.clip, body, options)?;
    warp_own(take, &own, path, options)
}

/// As [`warp_path`], for who knows the clip's own path better than a smoothed pelvis gives it: `track` is a point of it for each frame,
/// and comes to lie on the path. Panics if it has another number of frames than the clip.
pub fn warp_track(
    take: &Take,
    track: &[Vec2],
    path: &Path,
    options: &WarpPathOptions,
) -> Result<WarpedPath, WarpPathError> {
    let body = &take.body;
    assert_eq!(track.len(), take.clip.n_frames(), "a point for each frame");
    options.check()?;
    let own = track_path(track, options, least_travel(&take.clip, body))?;
    warp_own(take, &own, path, options)
}

fn warp_own(take: &Take, own: &ClipPath, path: &Path, options: &WarpPathOptions) -> Result<WarpedPath, WarpPathError> {
    let body = &take.body;
    path.check().map_err(WarpPathError::Path)?;
    let fitted = fit_path(path, own.curve.length(), options);
    let least = least_travel(&take.clip, body);
    match fitted.curve.length() {
        length if length < least => return Err(WarpPathError::PathTooShort { length, least }),
        length if length.is_nan() || length > LONGEST_PATH => return Err(WarpPathError::PathTooLong { length }),
        _ => {}
    }
    let n_frames = match options.fit {
        PathFit::Stop => own.arcs.partition_point(|&arc| arc <= fitted.curve.length() + WITHIN),
        PathFit::ScalePath | PathFit::StretchSteps => own.arcs.len(),
    };
    let kept = if n_frames < own.arcs.len() { slice_take(take, 0..n_frames)? } else { take.clone() };
    let arcs = &own.arcs[..n_frames];
    let turns = find_turns(&own.curve, &fitted, arcs, take.clip.frame_rate);
    let moves = arcs.iter().zip(&turns).map(|(&arc, &turn)| carry(&own.curve, &fitted, arc, turn));
    Ok(WarpedPath {
        take: apply(kept, &moves.collect::<Vec<_>>()),
        own_length: own.curve.length(),
        path_length: fitted.curve.length(),
        walked: (arcs.last().unwrap_or(&0.0) * fitted.stretch).min(fitted.curve.length()),
        cut_frames: own.arcs.len() - n_frames,
        stretch: fitted.stretch,
        path_scale: fitted.scale,
        fastest_turn: fastest(&turns, take.clip.frame_rate),
    })
}

/// A new path as it is walked.
struct FittedPath {
    curve: TravelCurve,
    /// Its arc length for each metre of the clip's own.
    stretch: f64,
    /// What its points were scaled by.
    scale: f64,
}

/// The new path with rounded corners, scaled or stretched over as asked for.
fn fit_path(path: &Path, own_length: f64, options: &WarpPathOptions) -> FittedPath {
    let curve_of =
        |points: &[Vec2]| TravelCurve::new(&round_corners(points, options.corner_reach), options.heading_reach);
    let curve = curve_of(&path.points);
    match options.fit {
        PathFit::Stop => FittedPath { curve, stretch: 1.0, scale: 1.0 },
        PathFit::StretchSteps => FittedPath { stretch: curve.length() / own_length, curve, scale: 1.0 },
        PathFit::ScalePath => {
            // Corners of the scaled path get the reach that was asked for, so its length is not quite the clip's.
            let scale = own_length / curve.length().max(f64::MIN_POSITIVE);
            let first = path.points[0];
            let points: Vec<Vec2> = path.points.iter().map(|&point| first + (point - first) * scale).collect();
            let curve = curve_of(&points);
            FittedPath { curve, stretch: 1.0, scale }
        }
    }
}

/// Longest path, in metres: beyond it, numbers are mistakes.
const LONGEST_PATH: f64 = 1e6;

/// A path that is short by less than this, in metres, is not: numbers in files are rounded.
const WITHIN: f64 = 1e-3;

/// Standard deviation of the Gaussian that smooths the added turn over time, in seconds: faster than people turn, slow enough
/// to be no jerk.
const TURN_SECONDS: f64 = 0.15;

/// The turn that each frame gets: the new heading less the own one, without jumps of whole turns, smoothed over time.
fn find_turns(own: &TravelCurve, new: &FittedPath, arcs: &[f64], frame_rate: f64) -> Vec<f64> {
    let turn = |&arc: &f64| new.curve.heading(arc * new.stretch) - own.heading(arc);
    let mut turns: Vec<f64> = arcs.iter().map(turn).collect();
    // Both headings are continuous, so only the first decides how many whole turns to leave out.
    let whole = turns.first().map_or(0.0, |first| (first / (2.0 * PI)).round() * 2.0 * PI);
    turns.iter_mut().for_each(|turn| *turn -= whole);
    smooth_numbers(&turns, TURN_SECONDS * frame_rate)
}

/// The rigid motion that takes a frame from a point of its own curve to one of the new: BEND's `P'(s') P(s)^-1`.
fn carry(own: &TravelCurve, new: &FittedPath, arc: f64, turn: f64) -> Transform {
    let (from, to) = (on_ground(own.point(arc)), on_ground(new.curve.point(arc * new.stretch)));
    let rotation = Quat::from_rotation_y(turn);
    Transform::new(rotation, to - rotation * from)
}

fn on_ground(point: Vec2) -> Vec3 {
    Vec3::new(point.x, 0.0, point.y)
}

/// Moves every frame; a plant as the frame in its middle.
fn apply(mut take: Take, moves: &[Transform]) -> Take {
    let skeleton = take.clip.skeleton.clone();
    for (mut pose, moved) in take.clip.poses_mut().iter_mut().zip(moves) {
        for root in skeleton.roots() {
            pose[root] = *moved * pose[root];
            pose[root].rotation = pose[root].rotation.normalize();
        }
    }
    for side in Side::BOTH {
        for plant in &mut take.contacts.plants[side] {
            let middle = (plant.frames.start + plant.frames.end) / 2;
            plant.position = moves[middle].transform_point(plant.position);
        }
    }
    take
}

fn fastest(turns: &[f64], frame_rate: f64) -> (f64, usize) {
    let steps = turns.windows(2).enumerate().map(|(frame, pair)| ((pair[1] - pair[0]).abs() * frame_rate, frame));
    steps.fold((0.0, 0), |most, step| if step.0 > most.0 { step } else { most })
}

impl WarpPathOptions {
    pub(crate) fn check(&self) -> Result<(), WarpPathError> {
        let ranges = [
            ("smoothing", self.smoothing, 0.0..=10.0, "0 to 10 seconds"),
            ("corner_reach", self.corner_reach, 0.0..=100.0, "0 to 100 metres"),
            ("heading_reach", self.heading_reach, 0.01..=10.0, "0.01 to 10 metres"),
        ];
        match ranges.into_iter().find(|(_, value, range, _)| !range.contains(value)) {
            Some((option, value, _, range)) => Err(WarpPathError::Option { option, value, range }),
            None => Ok(()),
        }
    }
}
