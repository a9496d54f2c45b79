//! A graph with how it came about, as it is kept.

use crate::{Metric, MotionGraph, Pruned};

/// A graph, and how it came about.
#[derive(Clone, Debug, PartialEq)]
pub struct GraphRecord {
    /// The graph with its clips.
    pub graph: MotionGraph,
    /// By which frame windows were compared.
    pub metric: Metric,
    /// Transitions are at most so far apart, in the metric's unit.
    pub limit: f32,
    /// What was left out of it.
    pub pruned: Pruned,
}
