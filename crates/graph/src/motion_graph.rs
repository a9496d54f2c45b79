//! The graph: nodes are moments of clips, edges are pieces of motion.
//!
//! Reference: GRAPH 3; Kovar, Gleicher and Pighin, "Motion Graphs", 2002.
//!
//! ```text
//!  clip A  o------o--------o------------o        edges along a clip are its frames
//!                  \      /
//!                   \    /                       edges across are blends of a window's frames, the second
//!                    \  /                        clip turned and shifted onto the first
//!  clip B  o----------o--o-------------o
//! ```
//!
//! A walk through the graph is a list of edges, each beginning where the last one ends. Where the graph is one strongly connected
//! component, a walk never comes to an end.

use crate::align::{CloudSums, PairSums, best_placement};
use crate::distance_matrix::DistanceMatrix;
use crate::motion_set::MotionSet;
use crate::points::{PointWeights, WeightedPoints};
use crate::transitions::{Transition, find_transitions};
use petgraph::algo::tarjan_scc;
use petgraph::graph::DiGraph;
use std::collections::BTreeSet;
use std::ops::Range;
use surefoot_geom::{Transform, rotation};
use surefoot_motion::{Placement, Pose, WorldPose};

/// A moment of a clip.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Node {
    /// Which clip.
    pub clip: usize,
    /// Which of its frames.
    pub frame: usize,
}

/// A piece of motion.
#[derive(Clone, Debug, PartialEq)]
pub struct Edge {
    /// Index of the node where it begins.
    pub from: usize,
    /// Index of the node where it ends.
    pub to: usize,
    /// What is played.
    pub motion: EdgeMotion,
}

/// What an edge plays. Its first frame is that of the node it begins at; the frame of the node it ends at belongs to the next edge.
#[derive(Clone, Debug, PartialEq)]
pub enum EdgeMotion {
    /// Frames of a clip.
    Clip(Range<usize>),
    /// Frames of two clips blended.
    Blend {
        /// First frame of the window in the clip that is left.
        start: usize,
        /// First frame of the window in the clip that is entered.
        entry: usize,
        /// Turns and shifts the clip that is entered onto the one that is left.
        placement: Placement,
        /// How unlike the two windows are.
        distance: f32,
    },
}

/// Recorded motion as a graph.
#[derive(Clone, Debug, PartialEq)]
pub struct MotionGraph {
    /// The clips it is made of.
    pub set: MotionSet,
    /// Frames of a blend.
    pub window: usize,
    nodes: Vec<Node>,
    edges: Vec<Edge>,
    /// For each node the edges that begin there, in order.
    leaving: Vec<Vec<usize>>,
}

/// What was left out so that a walk never ends.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Pruned {
    /// Nodes outside the largest strongly connected component.
    pub nodes: usize,
    /// Edges outside it.
    pub edges: usize,
    /// Clips of which nothing is left.
    pub dead_clips: Vec<usize>,
}

/// Why there is no graph.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum GraphError {
    /// No walk through it would go on for ever.
    #[error("{transitions} transitions at a distance of at most {threshold} make no loop; {}", or_try(.needed))]
    NoComponent {
        /// How many were found.
        transitions: usize,
        /// As given.
        threshold: f32,
        /// The least threshold that would do.
        needed: Option<f32>,
    },
}

fn or_try(needed: &Option<f32>) -> String {
    match needed {
        Some(needed) => format!("a threshold of {needed} would"),
        None => "no threshold would: the clips are too short, or too unlike".to_string(),
    }
}

impl MotionGraph {
    /// The largest strongly connected graph of a set's transitions of at most `threshold`.
    pub fn build(set: MotionSet, matrix: &DistanceMatrix, threshold: f32) -> Result<(MotionGraph, Pruned), GraphError> {
        let transitions = find_transitions(matrix, threshold);
        let (nodes, edges) = lay_out(&set, &transitions, matrix.window);
        let Some((nodes, edges, pruned)) = largest_component(&set, &nodes, &edges) else {
            let needed = least_threshold(&set, matrix);
            return Err(GraphError::NoComponent { transitions: transitions.len(), threshold, needed });
        };
        Ok((MotionGraph::from_parts(set, matrix.window, nodes, edges), pruned))
    }

    /// From nodes and edges that fit together.
    pub fn from_parts(set: MotionSet, window: usize, nodes: Vec<Node>, edges: Vec<Edge>) -> MotionGraph {
        let mut leaving = vec![Vec::new(); nodes.len()];
        for (index, edge) in edges.iter().enumerate() {
            leaving[edge.from].push(index);
        }
        MotionGraph { set, window, nodes, edges, leaving }
    }

    /// Its nodes.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// Its edges.
    pub fn edges(&self) -> &[Edge] {
        &self.edges
    }

    /// The edges that begin at a node.
    pub fn leaving(&self, node: usize) -> &[usize] {
        &self.leaving[node]
    }

    /// How many frames an edge plays.
    pub fn edge_frames(&self, edge: usize) -> usize {
        match &self.edges[edge].motion {
            EdgeMotion::Clip(frames) => frames.len(),
            EdgeMotion::Blend { .. } => self.window,
        }
    }

    /// Frames of all edges: the paper's third measure of a graph's complexity.
    pub fn n_keyframes(&self) -> usize {
        (0..self.edges.len()).map(|edge| self.edge_frames(edge)).sum()
    }

    /// The pose of a frame of an edge, in the coordinates of the clip that it begins in (GRAPH 5.2.3: slerp, and linear for the
    /// root). Blends use the even weights of their frames, from the first clip alone toward the second.
    pub fn edge_pose(&self, edge: usize, frame: usize) -> Pose {
        let Edge { from, to, motion } = &self.edges[edge];
        let pose = |clip: usize, frame: usize| &self.set.clips()[clip].poses[frame];
        let clip = self.nodes[*from].clip;
        match motion {
            EdgeMotion::Clip(frames) => pose(clip, frames.start + frame).clone(),
            EdgeMotion::Blend { start, entry, placement, .. } => {
                let moved = placement.to_transform();
                let share = blend_share(frame, self.window);
                let mut blended = pose(clip, start + frame).clone();
                let other = pose(self.nodes[*to].clip, entry + frame);
                for joint in self.set.skeleton().ids() {
                    let (a, mut b) = (blended[joint], other[joint]);
                    if self.set.skeleton().parent(joint).is_none() {
                        b = moved * b;
                    }
                    blended[joint] = Transform::new(
                        rotation::slerp(a.rotation, b.rotation, share),
                        a.translation.lerp(b.translation, share),
                    );
                }
                blended
            }
        }
    }

    /// What an edge does to the coordinates: from those of the clip it begins in to those of the one it ends in.
    pub fn edge_placement(&self, edge: usize) -> Placement {
        match &self.edges[edge].motion {
            EdgeMotion::Clip(_) => Placement::IDENTITY,
            EdgeMotion::Blend { placement, .. } => *placement,
        }
    }
}

/// The share of the clip that is entered in a frame of a blend: evenly from just above 0 to just below 1.
pub(crate) fn blend_share(frame: usize, window: usize) -> f64 {
    (frame as f64 + 0.5) / window as f64
}

/// Nodes at all ends of transitions, and edges along clips and across.
fn lay_out(set: &MotionSet, transitions: &[Transition], window: usize) -> (Vec<Node>, Vec<Edge>) {
    let ways = |transition: &Transition| [(transition.a, transition.b), (transition.b, transition.a)];
    let node = |(clip, frame): (usize, usize)| Node { clip, frame };
    // A window that ends with its clip leads nowhere.
    let goes_on = |(clip, frame): (usize, usize)| frame + window < set.clips()[clip].n_frames();
    let mut all: BTreeSet<Node> = BTreeSet::new();
    for (from, to) in transitions.iter().flat_map(ways).filter(|(_, to)| goes_on(*to)) {
        all.extend([node(from), node((to.0, to.1 + window))]);
    }
    let nodes: Vec<Node> = all.into_iter().collect();
    let index = |node: Node| nodes.binary_search(&node).expect("a node of all");
    let mut edges: Vec<Edge> = Vec::new();
    for (from, pair) in nodes.windows(2).enumerate().filter(|(_, pair)| pair[0].clip == pair[1].clip) {
        edges.push(Edge { from, to: from + 1, motion: EdgeMotion::Clip(pair[0].frame..pair[1].frame) });
    }
    let skeleton = set.skeleton();
    let points = WeightedPoints::of(skeleton, set.body(), &PointWeights::default());
    let cloud = |(clip, frame): (usize, usize)| {
        let poses = (frame..frame + window).map(|frame| set.clips()[clip].world_pose(frame));
        poses.flat_map(|pose: WorldPose| points.cloud(skeleton, &pose).collect::<Vec<_>>()).collect::<Vec<_>>()
    };
    for transition in transitions {
        let clouds = [cloud(transition.a), cloud(transition.b)];
        let weight: f64 = clouds[0].iter().map(|(_, weight)| weight).sum();
        for ((from, to), [a, b]) in ways(transition).into_iter().zip([[0, 1], [1, 0]]) {
            if !goes_on(to) {
                continue;
            }
            let pairs = clouds[a].iter().zip(&clouds[b]).map(|(a, b)| (a.0, b.0, a.1));
            let sums = [a, b].map(|k| CloudSums::of(clouds[k].iter().copied()));
            let placement = best_placement(&sums[0], &sums[1], &PairSums::of(pairs), weight);
            let motion = EdgeMotion::Blend { start: from.1, entry: to.1, placement, distance: transition.distance };
            edges.push(Edge { from: index(node(from)), to: index(node((to.0, to.1 + window))), motion });
        }
    }
    edges.sort_by_key(|edge| (edge.from, edge.to));
    (nodes, edges)
}

/// The largest strongly connected component that has an edge; of equals the one with the first node.
fn largest_component(set: &MotionSet, nodes: &[Node], edges: &[Edge]) -> Option<(Vec<Node>, Vec<Edge>, Pruned)> {
    let graph: DiGraph<(), ()> = DiGraph::from_edges(edges.iter().map(|edge| (edge.from as u32, edge.to as u32)));
    let components = tarjan_scc(&graph);
    let largest = components.iter().filter(|component| component.len() > 1).max_by_key(|component| {
        let first = component.iter().map(|node| node.index()).min();
        (component.len(), std::cmp::Reverse(first))
    })?;
    let mut kept: Vec<usize> = largest.iter().map(|node| node.index()).collect();
    kept.sort_unstable();
    let new_index = |old: usize| kept.binary_search(&old).ok();
    let kept_edges: Vec<Edge> = edges
        .iter()
        .filter_map(|edge| {
            let (from, to) = (new_index(edge.from)?, new_index(edge.to)?);
            Some(Edge { from, to, motion: edge.motion.clone() })
        })
        .collect();
    let kept_nodes: Vec<Node> = kept.iter().map(|index| nodes[*index]).collect();
    let is_dead = |clip: &usize| !kept_nodes.iter().any(|node| node.clip == *clip);
    let pruned = Pruned {
        nodes: nodes.len() - kept_nodes.len(),
        edges: edges.len() - kept_edges.len(),
        dead_clips: (0..set.clips().len()).filter(is_dead).collect(),
    };
    Some((kept_nodes, kept_edges, pruned))
}

/// The least distance whose transitions make a loop, by bisection over all minima.
fn least_threshold(set: &MotionSet, matrix: &DistanceMatrix) -> Option<f32> {
    let mut transitions = find_transitions(matrix, f32::INFINITY);
    transitions.sort_by(|a, b| a.distance.total_cmp(&b.distance));
    let makes_loop = |count: usize| {
        let (nodes, edges) = lay_out(set, &transitions[..count], matrix.window);
        largest_component(set, &nodes, &edges).is_some()
    };
    if !makes_loop(transitions.len()) {
        return None;
    }
    let (mut low, mut high) = (0, transitions.len());
    while low + 1 < high {
        let middle = (low + high) / 2;
        if makes_loop(middle) { high = middle } else { low = middle }
    }
    Some(transitions[high - 1].distance)
}
