//! Motion graphs as one call each: clips gathered, a graph built of them or of the built-in corpus, a path followed (GRAPH 3 to 6).
//!
//! ```
//! use surefoot_graph::{Abstraction, FollowOptions};
//! use surefoot_jobs::{FollowRequest, GraphOptions, corpus_graph, follow_graph};
//!
//! let built = corpus_graph(&GraphOptions::default())?;
//! let path = surefoot_ground::Path { points: vec![[0.0, 0.0].into(), [0.0, 3.0].into(), [2.0, 5.0].into()] };
//! let followed = follow_graph(&built.graph, &path, &FollowRequest::default())?;
//! println!("{} frames, {:.1} m", followed.take.clip.n_frames(), followed.walk.length);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod corpus;
mod follow;
mod gather;
mod walk_contacts;

pub use corpus::{corpus_graph, corpus_motions};
pub use follow::{
    FollowGraphError, FollowRequest, FollowedPath, MAX_FOLLOW_FRAMES, PathFitted, follow_graph, follow_graph_on,
    seeded_start,
};
pub(crate) use gather::{BeginFile, load_motions_until, on_floor};
pub use gather::{
    GRAPH_FRAME_RATE, GatherError, GatheredMotions, LeftOut, MAX_EXPERIMENT_FRAMES, SourceMotion, gather_motions,
    load_motions,
};

use std::path::Path;
use surefoot_formats::{Overwrite, ReadError, WriteError, own, read_bytes, write_atomic};
use surefoot_graph::{
    AngleWeights, DistanceMatrix, GraphError, GraphRecord, Metric, MotionGraph, MotionSet, PointWeights, Pruned,
    Threads, Threshold,
};

/// How a graph is built.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GraphOptions {
    /// How frame windows are compared. Default: joint angles, whose graphs stray least from paths (GRAPH 5.3.1).
    pub metric: Metric,
    /// Frames of a frame window and of a blend, 1 to [`MAX_WINDOW`]. Default 10, the paper's.
    pub window: usize,
    /// Which transitions are taken. Default: the nearest 5 % of all distances, most of which are no minima (GRAPH
    /// 5.2.3). More make a graph that goes anywhere but skates; fewer may leave no loop.
    pub threshold: Threshold,
    /// Who helps to compare; the result is the same.
    pub threads: Threads,
}

impl Default for GraphOptions {
    fn default() -> GraphOptions {
        let count = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        GraphOptions {
            metric: Metric::angles(),
            window: 10,
            threshold: Threshold::Share(0.05),
            threads: Threads::Count(count),
        }
    }
}

/// Longest window, in frames.
pub const MAX_WINDOW: usize = 1000;

/// Most frames that are compared with each other: their distances take 3 to 6 GB.
pub const MAX_GRAPH_FRAMES: usize = 40_000;

/// A graph, and what it was made from.
#[derive(Clone, Debug, PartialEq)]
pub struct BuiltGraph {
    /// The largest strongly connected one.
    pub graph: MotionGraph,
    /// By which frame windows were compared.
    pub metric: Metric,
    /// All distances.
    pub matrix: DistanceMatrix,
    /// Transitions are at most so far apart, in the metric's unit.
    pub limit: f32,
    /// What is not in it.
    pub pruned: Pruned,
}

impl BuiltGraph {
    /// As it is kept in a file, without the distances.
    pub fn into_record(self) -> GraphRecord {
        let BuiltGraph { graph, metric, limit, pruned, .. } = self;
        GraphRecord { graph, metric, limit, pruned }
    }
}

/// Reads a motion graph.
pub fn load_graph(path: &Path) -> Result<GraphRecord, ReadError> {
    own::read_graph(&read_bytes(path)?).map_err(|error| error.in_file(path))
}

/// Writes a motion graph, completely or not at all.
pub fn save_graph(path: &Path, record: &GraphRecord, overwrite: Overwrite) -> Result<(), WriteError> {
    write_atomic(path, &own::write_graph(record), overwrite)
}

/// Why there is no graph.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum BuildGraphError {
    /// The clips make none.
    #[error(transparent)]
    Graph(#[from] GraphError),
    /// Every clip is shorter than a window.
    #[error("no clip has more than {window} frames, the window; the longest has {longest}")]
    TooShort {
        /// Frames of a window.
        window: usize,
        /// Frames of the longest clip.
        longest: usize,
    },
    /// More than memory holds.
    #[error(
        "the clips have {n_frames} frames, which would all be compared with each other; at most {MAX_GRAPH_FRAMES} would do: \
         take fewer clips or a lower frame rate"
    )]
    TooLarge {
        /// Of all clips.
        n_frames: usize,
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
    /// The caller stopped it.
    #[error("the graph was stopped")]
    Stopped,
}

/// Compares all frame windows of a set and makes a graph of those that are alike.
pub fn build_graph(set: MotionSet, options: &GraphOptions) -> Result<BuiltGraph, BuildGraphError> {
    build_graph_until(set, options, &|| false)
}

/// [`build_graph`], which ends with [`BuildGraphError::Stopped`] soon after `is_stopped` is true.
pub fn build_graph_until(
    set: MotionSet,
    options: &GraphOptions,
    is_stopped: &(dyn Fn() -> bool + Sync),
) -> Result<BuiltGraph, BuildGraphError> {
    options.check()?;
    let n_frames = set.n_frames();
    if n_frames > MAX_GRAPH_FRAMES {
        return Err(BuildGraphError::TooLarge { n_frames });
    }
    let longest = set.clips().iter().map(surefoot_motion::Clip::n_frames).max().unwrap_or(0);
    if longest <= options.window {
        return Err(BuildGraphError::TooShort { window: options.window, longest });
    }
    let matrix = DistanceMatrix::new_until(&set, &options.metric, options.window, options.threads, is_stopped)
        .ok_or(BuildGraphError::Stopped)?;
    let limit = options.threshold.distance(&matrix);
    let (graph, pruned) = MotionGraph::build(set, &matrix, limit)?;
    Ok(BuiltGraph { graph, metric: options.metric, matrix, limit, pruned })
}

impl GraphOptions {
    fn check(&self) -> Result<(), BuildGraphError> {
        let window = self.window as f64;
        let (name, threshold, is_right, range) = match self.threshold {
            Threshold::Distance(distance) => {
                let is_right = distance.is_finite() && distance >= 0.0;
                ("threshold", f64::from(distance), is_right, "a distance of 0 or more")
            }
            Threshold::Share(share) => ("share", share, share > 0.0 && share <= 1.0, "a share above 0 and up to 1"),
        };
        let checks = [
            ("window", window, (1..=MAX_WINDOW).contains(&self.window), "1 to 1000 frames"),
            (name, threshold, is_right, range),
        ];
        let mut all: Vec<(&'static str, f64, bool, &'static str)> = checks.to_vec();
        let weights: Vec<f64> = match self.metric {
            Metric::Angles(AngleWeights { hip, knee, shoulder, elbow, velocity }) => {
                vec![hip, knee, shoulder, elbow, velocity]
            }
            Metric::Points(PointWeights { hip, knee, ankle, ball, toe, other }) => {
                vec![hip, knee, ankle, ball, toe, other]
            }
            Metric::Components(n) => {
                let n = n.unwrap_or(usize::MAX);
                all.push(("components", n as f64, n > 0, "at least 1"));
                Vec::new()
            }
        };
        let is_weight = |weight: f64| weight.is_finite() && weight >= 0.0;
        all.extend(weights.into_iter().map(|weight| ("a weight", weight, is_weight(weight), "0 or more")));
        match all.into_iter().find(|(_, _, is_right, _)| !is_right) {
            Some((option, value, _, range)) => Err(BuildGraphError::Option { option, value, range }),
            None => Ok(()),
        }
    }
}
