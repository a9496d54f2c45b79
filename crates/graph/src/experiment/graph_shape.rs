//! How large a graph is and how it hangs together: the numbers of GRAPH table 2 and 5.3.

use crate::motion_graph::{EdgeMotion, MotionGraph};
use std::collections::VecDeque;

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
    /// Edges of the shortest way from a node back to itself, on the mean.
    pub mean_way_back: f64,
    /// For each clip, the blends that come into it from others.
    pub blends_into: Vec<usize>,
}

impl GraphShape {
    /// Of a graph.
    pub fn of(graph: &MotionGraph) -> GraphShape {
        let clip = |node: usize| graph.nodes()[node].clip;
        let blends = || graph.edges().iter().filter(|edge| matches!(edge.motion, EdgeMotion::Blend { .. }));
        let mut blends_into = vec![0; graph.set.clips().len()];
        for edge in blends().filter(|edge| clip(edge.from) != clip(edge.to)) {
            blends_into[clip(edge.to)] += 1;
        }
        let (n_nodes, n_edges) = (graph.nodes().len(), graph.edges().len());
        let n_blends = blends().count();
        let mut distances = vec![usize::MAX; n_nodes];
        let ways: Vec<usize> = (0..n_nodes).filter_map(|node| way_back(graph, node, &mut distances)).collect();
        GraphShape {
            n_nodes,
            n_edges,
            n_keyframes: graph.n_keyframes(),
            n_blends,
            n_self_blends: n_blends - blends_into.iter().sum::<usize>(),
            mean_out_degree: n_edges as f64 / n_nodes.max(1) as f64,
            mean_way_back: ways.iter().sum::<usize>() as f64 / ways.len().max(1) as f64,
            blends_into,
        }
    }

    /// Blends within clips, of all blends.
    pub fn self_blend_share(&self) -> f64 {
        self.n_self_blends as f64 / self.n_blends.max(1) as f64
    }
}

/// Edges of the shortest way from a node back to itself, by breadth first search.
fn way_back(graph: &MotionGraph, node: usize, distances: &mut [usize]) -> Option<usize> {
    distances.fill(usize::MAX);
    distances[node] = 0;
    let mut queue = VecDeque::from([node]);
    while let Some(at) = queue.pop_front() {
        for &edge in graph.leaving(at) {
            let to = graph.edges()[edge].to;
            if to == node {
                return Some(distances[at] + 1);
            }
            if distances[to] == usize::MAX {
                distances[to] = distances[at] + 1;
                queue.push_back(to);
            }
        }
    }
    None
}
