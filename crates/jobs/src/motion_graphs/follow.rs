//! A path followed through a graph, as a take (GRAPH 3, 6 and 8).
//!
//! 1. The path and the options are checked, and the walk is searched for.
//! 2. It becomes a clip, cut where what follows the path has come to its end.
//! 3. Feet are planted as in the graph's clips (`walk_contacts`).
//! 4. If asked for, the clip is warped to the path (`fit_path`).
//! 5. If asked for, feet are locked in their places (`clean`).
//!
//! On a character the path is searched for as long as it is for the graph's own legs, and the walk, warped to it, is retargeted to the
//! character; there its feet are always locked, for retargeted feet slide.

use super::walk_contacts::walk_contacts;
use crate::{CleanForm, clean};
use std::time::{Duration, Instant};
use surefoot_cleanup::footskate::{CleanOptions, Reach};
use surefoot_cleanup::{
    Character, PathFit, RetargetError, RetargetOptions, WarpPathError, WarpPathOptions, WarpedPath, retarget,
    warp_track,
};
use surefoot_contact::metrics::skating::graph::GraphSkating;
use surefoot_contact::metrics::skating::measure_skating;
use surefoot_contact::{Contacts, Take};
use surefoot_contact::{
    metrics::PathDeviation, metrics::foot_points, metrics::measure_drift, metrics::measure_path_deviation,
};
use surefoot_geom::{Random, Vec2};
use surefoot_graph::{Abstraction, FollowOptions, MotionGraph, Progress, Walk, abstract_tracks, follow_path};
use surefoot_ground::{Path, PathError, Terrain};
use surefoot_motion::{BodyMap, Clip, EditError, Side, slice};

/// How a path is followed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FollowRequest {
    /// What of the body follows it. Default: the smoothed trajectory of the pelvis, the paper's best.
    pub abstraction: Abstraction,
    /// The search.
    pub follow: FollowOptions,
    /// Whether feet are locked in their places, by footskate cleanup. Default: not, as in the paper's experiments.
    pub clean: bool,
    /// Whether cleanup lowers the pelvis where a leg is too short, instead of stretching the leg. Default: not.
    pub rigid: bool,
    /// Whether the walk is warped to the path after the search (GRAPH 8). Default: not.
    pub fit_path: bool,
}

impl Default for FollowRequest {
    fn default() -> FollowRequest {
        FollowRequest {
            abstraction: Abstraction::Gaussian,
            follow: FollowOptions::default(),
            clean: false,
            rigid: false,
            fit_path: false,
        }
    }
}

/// A walk along a path.
#[derive(Clone, Debug)]
pub struct FollowedPath {
    /// The motion with its plants.
    pub take: Take,
    /// The edges it is made of, before anything was warped or cleaned.
    pub walk: Walk,
    /// How long the search took (GRAPH 4.4); the effort that does not depend on the machine is [`Walk::tried`].
    pub search_time: Duration,
    /// What followed the path in the search, a point for each frame; before warping.
    pub track: Vec<Vec2>,
    /// Blends that were played.
    pub n_blends: usize,
    /// Of the pelvis from the path, in the finished motion; `None` if it hardly moves.
    pub deviation: Option<PathDeviation>,
    /// Of the finished motion (GRAPH 4.1).
    pub skating: GraphSkating,
    /// Of the graph's own clips, to compare with: feet that roll over the ground move too.
    pub source_skating: GraphSkating,
    /// Farthest that a planted heel or ball strays over the ground from its median place, in metres; 0 if none is planted.
    pub drift: f64,
    /// What warping did, if it was asked for.
    pub fitted: Option<PathFitted>,
    /// Whether feet were locked. Not so although asked for where no foot is ever planted.
    pub is_clean: bool,
}

/// What warping did.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PathFitted {
    /// Frames that were cut because the path ended.
    pub cut_frames: usize,
    /// The fastest turn that it added, in radians a second, and its frame. Above about 2 it is visible as a spin.
    pub fastest_turn: (f64, usize),
}

/// Why a path was not followed.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum FollowGraphError {
    /// The points are no path.
    #[error("{0}")]
    Path(PathError),
    /// An option is outside its range.
    #[error("{option} is {value}; {range} would be right")]
    Option {
        /// Its name.
        option: &'static str,
        /// As given.
        value: usize,
        /// In words.
        range: String,
    },
    /// More than memory holds.
    #[error(
        "a path of {length:.0} m would take about {n_frames} frames at the {speed:.2} m/s that the graph's clips go; at most \
         {MAX_FOLLOW_FRAMES} are kept in memory: cut the path into pieces"
    )]
    TooLong {
        /// Of the path, in metres.
        length: f64,
        /// As estimated.
        n_frames: usize,
        /// Mean of all clips.
        speed: f64,
    },
    /// The graph's people stand still.
    #[error(
        "the walk stands still: it goes {walked:.2} of {length:.2} m; another node to start from, or a graph of clips that walk on, \
         would arrive"
    )]
    StandsStill {
        /// In metres.
        walked: f64,
        /// Of the path, in metres.
        length: f64,
    },
    /// The walk could not be warped.
    #[error("the walk cannot be fitted to the path: {0}")]
    WarpPath(#[from] WarpPathError),
    /// The cut left nothing.
    #[error(transparent)]
    Edit(#[from] EditError),
    /// The character has no legs to follow it with.
    #[error(transparent)]
    Retarget(#[from] RetargetError),
}

/// Most frames of a walk in memory: more than two hours at 30 frames a second.
pub const MAX_FOLLOW_FRAMES: usize = 250_000;

/// A walk that covers less of a path than this stands still. Pauses count as some progress in the search, so a walk may end a little short.
const WALKED: f64 = 0.5;

/// Slowest mean speed of clips that are taken to walk, in metres a second.
const SLOWEST: f64 = 0.05;

/// Walks along a path through a graph, on the body of its clips.
pub fn follow_graph(
    graph: &MotionGraph,
    path: &Path,
    request: &FollowRequest,
) -> Result<FollowedPath, FollowGraphError> {
    follow_graph_on(graph, path, request, None)
}

/// Walks along a path through a graph, on a character or on the body of its clips.
pub fn follow_graph_on(
    graph: &MotionGraph,
    whole_path: &Path,
    request: &FollowRequest,
    on: Option<&Character<'_>>,
) -> Result<FollowedPath, FollowGraphError> {
    whole_path.check().map_err(FollowGraphError::Path)?;
    let scale =
        on.map_or(1.0, |to| to.body.leg_length(to.skeleton) / graph.set.body().leg_length(graph.set.skeleton()));
    let path = &Path { points: whole_path.points.iter().map(|point| *point / scale).collect() };
    check_options(graph, &request.follow)?;
    let tracks = abstract_tracks(&graph.set, request.abstraction);
    let length = path.length();
    check_length(graph, &tracks.0, length)?;
    let begun = Instant::now();
    let walk = follow_path(graph, &tracks, path, &request.follow);
    let search_time = begun.elapsed();
    if walk.length < length * WALKED {
        return Err(FollowGraphError::StandsStill { walked: walk.length, length });
    }
    let mut track = walk.track(graph, &tracks);
    let clip = walk.to_clip(graph, "walk");
    let end = match request.follow.progress {
        Progress::Travelled => travelled_frames(&track, length),
        Progress::Nearest => {
            arrival(&track, path.points[path.points.len() - 1], travelled_frames(&track, length / 2.0))
        }
    };
    track.truncate(end);
    let clip = slice(&clip, 0..end)?;
    let body = graph.set.body().clone();
    let contacts = walk_contacts(graph, &walk, &clip);
    let mut take = Take { clip, body: body.clone(), contacts };
    let mut fitted = None;
    if request.fit_path {
        let warped = fit_path(graph, &walk, &take, path)?;
        fitted = Some(PathFitted { cut_frames: warped.cut_frames, fastest_turn: warped.fastest_turn });
        take = warped.take;
    }
    if let Some(to) = on {
        let options = RetargetOptions {
            scale: Some(scale),
            floor: Some(0.0),
            about: Some(Vec2::ZERO),
            ..RetargetOptions::default()
        };
        take = retarget(&take, to, &options)?.take;
        track.iter_mut().for_each(|point| *point *= scale);
    }
    let cleaned = if request.clean || on.is_some() { hold_feet(&take, request.rigid) } else { None };
    let is_clean = cleaned.is_some();
    let take = cleaned.unwrap_or(take);
    let poses = take.clip.world();
    let own_body = take.body.clone();
    let feet = foot_points(&poses, &take.clip.skeleton, &own_body);
    let drift = measure_drift(&feet, &take.contacts, take.clip.frame_rate).worst().map_or(0.0, |worst| worst.value);
    Ok(FollowedPath {
        deviation: measure_path_deviation(&poses, &own_body, whole_path),
        skating: skating_of([&take.clip], &own_body),
        source_skating: skating_of(graph.set.clips(), &body),
        n_blends: walk.n_blends(graph),
        take,
        walk,
        search_time,
        track,
        drift,
        fitted,
        is_clean,
    })
}

/// Puts a walk onto its path by its smoothed trajectory, whatever followed it in the search: on the pelvis's own no sway would be left.
fn fit_path(graph: &MotionGraph, walk: &Walk, take: &Take, path: &Path) -> Result<WarpedPath, WarpPathError> {
    let mut own = walk.track(graph, &abstract_tracks(&graph.set, Abstraction::Gaussian));
    own.truncate(take.clip.n_frames());
    // Walks are hardly longer or shorter than their paths; all of them shall end where the path does.
    let options = WarpPathOptions { fit: PathFit::StretchSteps, ..WarpPathOptions::default() };
    warp_track(take, &own, path, &options)
}

/// Footskate cleanup on the floor of all clips; `None` if no foot is ever planted.
fn hold_feet(take: &Take, rigid: bool) -> Option<Take> {
    let has_plants = Side::BOTH.into_iter().any(|side| !take.contacts.plants[side].is_empty());
    let floor = Some(Terrain::flat(0.0)).filter(|_| has_plants)?;
    let reach = if rigid { Reach::Rigid } else { Reach::Stretch };
    let options = CleanOptions { reach, ..CleanOptions::default() };
    Some(clean(take, Some(floor), &options, CleanForm::Offline)?.take)
}

/// By height and time (GRAPH 4.1), over all clips.
fn skating_of<'a>(clips: impl IntoIterator<Item = &'a Clip>, body: &BodyMap) -> GraphSkating {
    let mut sum = GraphSkating::default();
    for clip in clips {
        let feet = foot_points(&clip.world(), &clip.skeleton, body);
        let of = measure_skating(&feet, &Contacts::none(clip.n_frames()), clip.frame_rate, None).graph;
        sum.total += of.total;
        sum.n_planted += of.n_planted;
    }
    sum
}

/// A node to begin at, by a seed: seeds that follow each other give nodes all over the graph.
pub fn seeded_start(graph: &MotionGraph, seed: u64) -> usize {
    Random::new(seed).index(graph.nodes().len())
}

fn check_options(graph: &MotionGraph, options: &FollowOptions) -> Result<(), FollowGraphError> {
    let FollowOptions { look_ahead, commit, start, max_tried, progress: _ } = *options;
    let n_nodes = graph.nodes().len();
    let checks = [
        ("look_ahead", look_ahead, (1..=MAX_LOOK_AHEAD).contains(&look_ahead), format!("1 to {MAX_LOOK_AHEAD} frames")),
        ("commit", commit, (1..=look_ahead).contains(&commit), format!("1 to {look_ahead} frames, the look-ahead,")),
        ("start_node", start, start < n_nodes, format!("a node from 0 to {}", n_nodes.saturating_sub(1))),
        ("max_tried", max_tried, max_tried > 0, "at least 1 edge".to_string()),
    ];
    match checks.into_iter().find(|(_, _, is_right, _)| !is_right) {
        Some((option, value, _, range)) => Err(FollowGraphError::Option { option, value, range }),
        None => Ok(()),
    }
}

/// Farthest that a search may look ahead, in frames: effort grows with its power.
const MAX_LOOK_AHEAD: usize = 1000;

fn check_length(graph: &MotionGraph, tracks: &[Vec<Vec2>], length: f64) -> Result<(), FollowGraphError> {
    let travelled = |track: &Vec<Vec2>| track.windows(2).map(|pair| pair[0].distance(pair[1])).sum::<f64>();
    let frame_rate = graph.set.frame_rate();
    let seconds = graph.set.n_frames() as f64 / frame_rate;
    let speed = (tracks.iter().map(travelled).sum::<f64>() / seconds).max(SLOWEST);
    let n_frames = (length / speed * frame_rate).min(1e15) as usize;
    if n_frames > MAX_FOLLOW_FRAMES { Err(FollowGraphError::TooLong { length, n_frames, speed }) } else { Ok(()) }
}

/// Frames until a trajectory is nearest to its goal, within what a last edge may go too far, but at least some: a path that ends where it
/// begins is walked all the same.
fn arrival(track: &[Vec2], goal: Vec2, at_least: usize) -> usize {
    let last = track.len().saturating_sub(1);
    let mut travelled = 0.0;
    let is_near = |frame: &usize| {
        travelled += track[*frame].distance(track[(frame + 1).min(last)]);
        travelled <= TOO_FAR
    };
    let near = (at_least.saturating_sub(1)..=last).rev().take_while(is_near);
    near.min_by(|a, b| track[*a].distance(goal).total_cmp(&track[*b].distance(goal))).map_or(track.len(), |at| at + 1)
}

/// How far past the end of its path a walk's last edge may lead, in metres.
const TOO_FAR: f64 = 2.0;

/// Frames until a trajectory has a length; all of a shorter one.
fn travelled_frames(track: &[Vec2], length: f64) -> usize {
    let mut travelled = 0.0;
    let is_there = |pair: &[Vec2]| {
        travelled += pair[0].distance(pair[1]);
        travelled >= length
    };
    track.windows(2).position(is_there).map_or(track.len(), |index| index + 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_trajectory_ends_where_it_is_nearest_to_its_goal_and_never_at_its_start() {
        let straight: Vec<Vec2> = (0..=40).map(|k| Vec2::new(0.05, 0.1 * f64::from(k))).collect();
        assert_eq!(arrival(&straight, Vec2::new(0.0, 3.5), 10), 36);
        assert_eq!(arrival(&straight, Vec2::new(0.0, 9.0), 10), 41);
        // Around and back to the start: its first frames are as near to the goal as its last.
        let around: Vec<Vec2> = (0..=18).map(|k| Vec2::from_angle(f64::from(k) * 0.34) * 0.3).collect();
        assert_eq!(arrival(&around, around[0], travelled_frames(&around, 0.95)), 19);
    }
}
