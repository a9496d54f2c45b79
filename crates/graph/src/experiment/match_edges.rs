//! Graphs of wanted sizes: the threshold whose graph has nearest to so many edges.
//!
//! Metrics have units of their own, so that thresholds say nothing across them. GRAPH 5.2.2 compares graphs of like numbers of nodes,
//! edges and frames instead. The transitions of a matrix sorted by distance are the thresholds worth trying; more transitions make
//! a larger graph, so bisection finds the one.

use crate::distance_matrix::DistanceMatrix;
use crate::motion_graph::{GraphError, MotionGraph};
use crate::motion_set::MotionSet;
use crate::transitions::find_transitions;

/// All graphs of a matrix, by threshold.
pub struct EdgeMatcher<'a> {
    set: &'a MotionSet,
    matrix: &'a DistanceMatrix,
    /// Thresholds that make a graph, in order, each once.
    limits: Vec<f32>,
    most: usize,
}

impl EdgeMatcher<'_> {
    /// Of a matrix of a set; an error where no threshold makes a graph.
    pub fn new<'a>(set: &'a MotionSet, matrix: &'a DistanceMatrix) -> Result<EdgeMatcher<'a>, GraphError> {
        let mut limits: Vec<f32> =
            find_transitions(matrix, f32::INFINITY).iter().map(|transition| transition.distance).collect();
        limits.sort_by(f32::total_cmp);
        limits.dedup();
        let largest = limits.last().copied().unwrap_or(0.0);
        let most = MotionGraph::build(set.clone(), matrix, largest)?.0.edges().len();
        let least = match MotionGraph::build(set.clone(), matrix, limits[0]) {
            Ok(_) => limits[0],
            Err(GraphError::NoComponent { needed, .. }) => needed.unwrap_or(largest),
        };
        limits.retain(|limit| *limit >= least);
        Ok(EdgeMatcher { set, matrix, limits, most })
    }

    /// Edges of the largest graph.
    pub fn most_edges(&self) -> usize {
        self.most
    }

    /// The graph with nearest to so many edges, the smaller of equals, and its threshold.
    pub fn nearest(&self, n_edges: usize) -> Result<(MotionGraph, f32), GraphError> {
        let build = |index: usize| {
            let limit = self.limits[index];
            MotionGraph::build(self.set.clone(), self.matrix, limit).map(|(graph, _)| (graph, limit))
        };
        // The first that has enough.
        let (mut low, mut high) = (0, self.limits.len() - 1);
        while low < high {
            let middle = (low + high) / 2;
            if build(middle)?.0.edges().len() >= n_edges { high = middle } else { low = middle + 1 }
        }
        let above = build(low)?;
        if low == 0 {
            return Ok(above);
        }
        let below = build(low - 1)?;
        let far = |graph: &MotionGraph| graph.edges().len().abs_diff(n_edges);
        Ok(if far(&below.0) <= far(&above.0) { below } else { above })
    }
}
