//! What a graph is like: its complexity (GRAPH 5.2.2), degrees, blends within and between clips, and cycles (GRAPH 5.3).

use crate::{EdgeMotion, MotionGraph};
use std::collections::VecDeque;

/// What a graph is like.
#[derive(Clone, Debug, PartialEq)]
pub struct GraphStats {
    /// The paper's N.
    pub nodes: usize,
    /// The paper's E.
    pub edges: usize,
    /// Frames of all edges, the paper's K.
    pub keyframes: usize,
    /// Edges that leave a node, on average.
    pub mean_out_degree: f64,
    /// Most edges that leave a node.
    pub max_out_degree: usize,
    /// How many nodes are left by 0, 1, 2, ... edges.
    pub out_degrees: Vec<usize>,
    /// Blends from the clip of the row to that of the column.
    pub blends: Vec<Vec<usize>>,
    /// Edges of the shortest path from a node back to itself, on average.
    pub mean_cycle: f64,
}

/// Most nodes whose cycles are looked for; of more, as many are taken at even distances.
const MAX_CYCLES: usize = 1000;

impl GraphStats {
    /// Of a graph.
    pub fn of(graph: &MotionGraph) -> GraphStats {
        let (nodes, edges) = (graph.nodes().len(), graph.edges().len());
        let degrees: Vec<usize> = (0..nodes).map(|node| graph.leaving(node).len()).collect();
        let max_out_degree = degrees.iter().copied().max().unwrap_or(0);
        let mut out_degrees = vec![0; max_out_degree + 1];
        degrees.iter().for_each(|degree| out_degrees[*degree] += 1);
        let n_clips = graph.set.clips().len();
        let mut blends = vec![vec![0; n_clips]; n_clips];
        for edge in graph.edges().iter().filter(|edge| matches!(edge.motion, EdgeMotion::Blend { .. })) {
            blends[graph.nodes()[edge.from].clip][graph.nodes()[edge.to].clip] += 1;
        }
        let step = nodes.div_ceil(MAX_CYCLES).max(1);
        let cycles: Vec<f64> =
            (0..nodes).step_by(step).filter_map(|node| Some(shortest_cycle(graph, node)? as f64)).collect();
        GraphStats {
            nodes,
            edges,
            keyframes: graph.n_keyframes(),
            mean_out_degree: edges as f64 / nodes.max(1) as f64,
            max_out_degree,
            out_degrees,
            blends,
            mean_cycle: cycles.iter().sum::<f64>() / cycles.len().max(1) as f64,
        }
    }

    /// Blends in all.
    pub fn n_blends(&self) -> usize {
        self.blends.iter().flatten().sum()
    }

    /// Blends from a clip to itself.
    pub fn n_self_blends(&self) -> usize {
        self.blends.iter().enumerate().map(|(clip, row)| row[clip]).sum()
    }
}

/// Edges of the shortest path from a node back to itself, breadth first.
fn shortest_cycle(graph: &MotionGraph, start: usize) -> Option<usize> {
    let mut is_seen = vec![false; graph.nodes().len()];
    let mut queue = VecDeque::from([(start, 0)]);
    while let Some((node, length)) = queue.pop_front() {
        for &edge in graph.leaving(node) {
            let to = graph.edges()[edge].to;
            if to == start {
                return Some(length + 1);
            }
            if !std::mem::replace(&mut is_seen[to], true) {
                queue.push_back((to, length + 1));
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Edge, MotionSet, Node};
    use surefoot_contact::{WalkerOptions, synthetic_walk};
    use surefoot_motion::Placement;

    #[test]
    fn degrees_blends_and_cycles_are_counted() {
        let walk = synthetic_walk(&WalkerOptions { n_steps: 2, frame_rate: 30.0, ..WalkerOptions::default() });
        let clip = walk.take.clip;
        let set = MotionSet::new(vec![clip.clone(), clip], walk.take.body).unwrap();
        let node = |clip: usize, frame: usize| Node { clip, frame };
        // 0 -> 1 -> 2 along the first clip, 2 -> 0 and 1 -> 1 within it, 2 -> 3 to the second and 3 -> 1 back.
        let nodes = vec![node(0, 4), node(0, 6), node(0, 9), node(1, 5)];
        let along = |from: usize, to: usize| {
            let frames = nodes[from].frame..nodes[to].frame;
            Edge { from, to, motion: EdgeMotion::Clip(frames) }
        };
        let blend = |from: usize, to: usize| {
            let (start, entry) = (nodes[from].frame, nodes[to].frame - 3);
            Edge { from, to, motion: EdgeMotion::Blend { start, entry, placement: Placement::IDENTITY, distance: 0.1 } }
        };
        let edges = vec![along(0, 1), along(1, 2), blend(1, 1), blend(2, 0), blend(2, 3), blend(3, 1)];
        let graph = MotionGraph::from_parts(set, 3, nodes.clone(), edges.clone()).unwrap();
        let stats = GraphStats::of(&graph);
        assert_eq!((stats.nodes, stats.edges, stats.keyframes), (4, 6, 2 + 3 + 4 * 3));
        assert_eq!((stats.max_out_degree, stats.out_degrees.clone()), (2, vec![0, 2, 2]));
        assert_eq!(stats.mean_out_degree, 1.5);
        assert_eq!(stats.blends, [[2, 1], [1, 0]]);
        assert_eq!((stats.n_blends(), stats.n_self_blends()), (4, 2));
        // 0: 0-1-2-0; 1: itself; 2: 2-0-1-2; 3: 3-1-2-3.
        assert_eq!(stats.mean_cycle, (3 + 1 + 3 + 3) as f64 / 4.0);
    }
}
