//! How large a graph is and how it hangs together: the numbers of GRAPH table 2 and 5.3.

use crate::graph_stats::GraphStats;
use crate::motion_graph::MotionGraph;

/// A graph in numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct GraphShape {
    /// Nodes.
    pub n_nodes: usize,
    /// Edges.
    pub n_edges: usize,
    /// Frames of all edges.
    pub n_keyframes: usize,
    /// Edges that are blends.
    pub n_blends: usize,
    /// Blends from a clip into itself.
    pub n_self_blends: usize,
    /// Edges that leave a node, on the mean.
    pub mean_out_degree: f64,
    /// Edges of the shortest path from a node back to itself, on the mean.
    pub mean_cycle: f64,
    /// For each clip, the blends that come into it from others.
    pub blends_into: Vec<usize>,
}

impl GraphShape {
    /// Of a graph.
    pub fn of(graph: &MotionGraph) -> GraphShape {
        let stats = GraphStats::of(graph);
        let into = |clip: usize| stats.blends.iter().map(|row| row[clip]).sum::<usize>() - stats.blends[clip][clip];
        GraphShape {
            n_nodes: stats.nodes,
            n_edges: stats.edges,
            n_keyframes: stats.keyframes,
            n_blends: stats.n_blends(),
            n_self_blends: stats.n_self_blends(),
            mean_out_degree: stats.mean_out_degree,
            mean_cycle: stats.mean_cycle,
            blends_into: (0..stats.blends.len()).map(into).collect(),
        }
    }

    /// Blends within clips, of all blends.
    pub fn self_blend_share(&self) -> f64 {
        self.n_self_blends as f64 / self.n_blends.max(1) as f64
    }
}
