//! The graph: nodes are frame windows of clips, edges are pieces of motion.
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
use std::ops::Range;
use surefoot_geom::{Transform, Vec3, rotation};
use surefoot_motion::{Placement, Pose};

/// A frame window of a clip.
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
        None => "no threshold would: the clips are too short or too unlike, or stand still".to_string(),
    }
}

impl MotionGraph {
    /// The largest strongly connected graph of a set's transitions of at most `threshold`.
    pub fn build(set: MotionSet, matrix: &DistanceMatrix, threshold: f32) -> Result<(MotionGraph, Pruned), GraphError> {
        let transitions = find_transitions(matrix, threshold);
        let layout = lay_out(&set, &transitions, matrix.window);
        let Some(kept) = layout.largest_component() else {
            let needed = least_threshold(&set, matrix);
            return Err(GraphError::NoComponent { transitions: transitions.len(), threshold, needed });
        };
        let (nodes, links) = layout.keep(&kept);
        let is_dead = |clip: &usize| !nodes.iter().any(|node| node.clip == *clip);
        let pruned = Pruned {
            nodes: layout.nodes.len() - nodes.len(),
            edges: layout.links.len() - links.len(),
            dead_clips: (0..set.clips().len()).filter(is_dead).collect(),
        };
        let edges = fill_links(&set, &nodes, &links, matrix.window);
        Ok((MotionGraph::with_leaving(set, matrix.window, nodes, edges), pruned))
    }

    /// From nodes and edges, if they fit together and every node can be reached from every other.
    pub fn from_parts(
        set: MotionSet,
        window: usize,
        nodes: Vec<Node>,
        edges: Vec<Edge>,
    ) -> Result<MotionGraph, GraphPartsError> {
        check_nodes(&set, window, &nodes)?;
        for (index, edge) in edges.iter().enumerate() {
            check_edge(&set, window, &nodes, edge)
                .map_err(|problem| GraphPartsError::Edge { edge: index, problem: problem.to_string() })?;
        }
        let ends = edges.iter().map(|edge| (edge.from, edge.to));
        if !strong_components(nodes.len(), ends).iter().any(|component| component.len() == nodes.len()) {
            return Err(GraphPartsError::NotConnected);
        }
        Ok(MotionGraph::with_leaving(set, window, nodes, edges))
    }

    fn with_leaving(set: MotionSet, window: usize, nodes: Vec<Node>, edges: Vec<Edge>) -> MotionGraph {
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
        let pose = |clip: usize, frame: usize| self.set.clips()[clip].pose(frame);
        let clip = self.nodes[*from].clip;
        match motion {
            EdgeMotion::Clip(frames) => pose(clip, frames.start + frame).to_pose(),
            EdgeMotion::Blend { start, entry, placement, .. } => {
                let moved = placement.to_transform();
                let share = blend_share(frame, self.window);
                let mut blended = pose(clip, start + frame).to_pose();
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

/// Nodes, and which leads to which.
struct Layout {
    /// In order.
    nodes: Vec<Node>,
    links: Vec<Link>,
}

/// An edge whose motion is not yet made.
#[derive(Clone, Copy)]
struct Link {
    from: usize,
    to: usize,
    /// How unlike the windows of a blend are; `None` along a clip.
    blend: Option<f32>,
}

/// Nodes at all ends of transitions, and links along clips and across.
fn lay_out(set: &MotionSet, transitions: &[Transition], window: usize) -> Layout {
    let blends_of = |transition: &Transition| {
        let Transition { a, b, distance } = *transition;
        [(a, b, distance), (b, a, distance)]
    };
    let node = |(clip, frame): (usize, usize)| Node { clip, frame };
    // A window that ends with its clip leads nowhere.
    let goes_on = |(clip, frame): (usize, usize)| frame + window < set.clips()[clip].n_frames();
    let blends = || transitions.iter().flat_map(blends_of).filter(|(_, to, _)| goes_on(*to));
    let mut nodes: Vec<Node> = blends().flat_map(|(from, to, _)| [node(from), node((to.0, to.1 + window))]).collect();
    nodes.sort_unstable();
    nodes.dedup();
    let index = |node: Node| nodes.binary_search(&node).expect("a node of all");
    let along = nodes.windows(2).enumerate().filter(|(_, pair)| pair[0].clip == pair[1].clip);
    let mut links: Vec<Link> = along.map(|(from, _)| Link { from, to: from + 1, blend: None }).collect();
    links.extend(blends().map(|(from, to, distance)| Link {
        from: index(node(from)),
        to: index(node((to.0, to.1 + window))),
        blend: Some(distance),
    }));
    links.sort_by_key(|link| (link.from, link.to));
    Layout { nodes, links }
}

impl Layout {
    /// The nodes of the largest strongly connected component of more than one, in order; of equals the one with the first node.
    fn largest_component(&self) -> Option<Vec<usize>> {
        let components = strong_components(self.nodes.len(), self.links.iter().map(|link| (link.from, link.to)));
        let several = components.into_iter().filter(|component| component.len() > 1);
        several.max_by_key(|component| (component.len(), std::cmp::Reverse(component[0])))
    }

    /// Some of the nodes and the links between them.
    fn keep(&self, kept: &[usize]) -> (Vec<Node>, Vec<Link>) {
        let new_index = |old: usize| kept.binary_search(&old).ok();
        let link = |link: &Link| Some(Link { from: new_index(link.from)?, to: new_index(link.to)?, ..*link });
        (kept.iter().map(|index| self.nodes[*index]).collect(), self.links.iter().filter_map(link).collect())
    }
}

/// Strongly connected components, each in order: Kosaraju's two searches. The first numbers the nodes by when all that can be reached
/// from them is done; the second, against the links and from the last number down, finds a component from each node that is left.
fn strong_components(n_nodes: usize, links: impl Iterator<Item = (usize, usize)>) -> Vec<Vec<usize>> {
    let (mut after, mut before) = (vec![Vec::new(); n_nodes], vec![Vec::new(); n_nodes]);
    for (from, to) in links {
        after[from].push(to);
        before[to].push(from);
    }
    let mut done = Vec::with_capacity(n_nodes);
    let mut seen = vec![false; n_nodes];
    (0..n_nodes).for_each(|node| search_deep(node, &after, &mut seen, &mut done));
    seen.fill(false);
    let mut components = Vec::new();
    for node in done.into_iter().rev() {
        let mut component = Vec::new();
        search_deep(node, &before, &mut seen, &mut component);
        component.sort_unstable();
        components.extend((!component.is_empty()).then_some(component));
    }
    components
}

/// Adds all unseen nodes that can be reached from a node, itself included, each after those reached from it. With a stack of its own: a
/// recursion would go as deep as a long clip has nodes.
fn search_deep(node: usize, links: &[Vec<usize>], seen: &mut [bool], done: &mut Vec<usize>) {
    if std::mem::replace(&mut seen[node], true) {
        return;
    }
    let mut open = vec![(node, links[node].iter())];
    while let Some((node, next)) = open.last_mut() {
        match next.next() {
            Some(&to) if seen[to] => {}
            Some(&to) => {
                seen[to] = true;
                open.push((to, links[to].iter()));
            }
            None => {
                done.push(*node);
                open.pop();
            }
        }
    }
}

/// What each link plays: frames, or a blend with the clip that is entered put onto the one that is left.
fn fill_links(set: &MotionSet, nodes: &[Node], links: &[Link], window: usize) -> Vec<Edge> {
    let skeleton = set.skeleton();
    let points = WeightedPoints::of(skeleton, set.body(), &PointWeights::default());
    let clouds: Vec<Vec<Vec<(Vec3, f64)>>> = set
        .clips()
        .iter()
        .map(|clip| clip.world().iter().map(|pose| points.cloud(skeleton, pose).collect()).collect())
        .collect();
    let fill = |link: &Link| {
        let (from, to) = (nodes[link.from], nodes[link.to]);
        let motion = match link.blend {
            None => EdgeMotion::Clip(from.frame..to.frame),
            Some(distance) => {
                let entry = to.frame - window;
                let [a, b] = [(from.clip, from.frame), (to.clip, entry)]
                    .map(|(clip, frame)| clouds[clip][frame..frame + window].iter().flatten().copied());
                let pairs = a.clone().zip(b.clone()).map(|(a, b)| (a.0, b.0, a.1));
                let weight = a.clone().map(|(_, weight)| weight).sum();
                let placement = best_placement(&CloudSums::of(a), &CloudSums::of(b), &PairSums::of(pairs), weight);
                EdgeMotion::Blend { start: from.frame, entry, placement, distance }
            }
        };
        Edge { from: link.from, to: link.to, motion }
    };
    links.iter().map(fill).collect()
}

/// The least distance whose transitions make a loop, by bisection over all minima.
fn least_threshold(set: &MotionSet, matrix: &DistanceMatrix) -> Option<f32> {
    let mut transitions = find_transitions(matrix, f32::INFINITY);
    transitions.sort_by(|a, b| a.distance.total_cmp(&b.distance));
    let makes_loop = |count: usize| lay_out(set, &transitions[..count], matrix.window).largest_component().is_some();
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

/// Why nodes and edges are no graph.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum GraphPartsError {
    /// No frames to blend.
    #[error("a window of {window} frames is none; 1 or more would be right")]
    Window {
        /// As given.
        window: usize,
    },
    /// A frame window that no clip has.
    #[error("node {node} is frame {frame} of clip {clip}, which is not there or not after the node before it")]
    Node {
        /// Its index.
        node: usize,
        /// Of which clip.
        clip: usize,
        /// Of which frame.
        frame: usize,
    },
    /// An edge that does not fit its nodes.
    #[error("edge {edge} {problem}")]
    Edge {
        /// Its index.
        edge: usize,
        /// What is wrong.
        problem: String,
    },
    /// Walks through it would come to an end.
    #[error("some nodes cannot be reached from all others")]
    NotConnected,
}

fn check_nodes(set: &MotionSet, window: usize, nodes: &[Node]) -> Result<(), GraphPartsError> {
    if window == 0 {
        return Err(GraphPartsError::Window { window });
    }
    let is_frame = |node: &Node| set.clips().get(node.clip).is_some_and(|clip| node.frame < clip.n_frames());
    let is_wrong = |index: &usize| {
        !is_frame(&nodes[*index]) || index.checked_sub(1).is_some_and(|before| nodes[before] >= nodes[*index])
    };
    match (0..nodes.len()).find(is_wrong) {
        Some(node) => Err(GraphPartsError::Node { node, clip: nodes[node].clip, frame: nodes[node].frame }),
        None => Ok(()),
    }
}

fn check_edge(set: &MotionSet, window: usize, nodes: &[Node], edge: &Edge) -> Result<(), &'static str> {
    let (Some(from), Some(to)) = (nodes.get(edge.from), nodes.get(edge.to)) else {
        return Err("leads from or to a node that is not there");
    };
    match &edge.motion {
        EdgeMotion::Clip(frames) => {
            let fits = from.clip == to.clip && (frames.start, frames.end) == (from.frame, to.frame);
            if fits && !frames.is_empty() { Ok(()) } else { Err("plays other frames than those between its nodes") }
        }
        EdgeMotion::Blend { start, entry, placement, distance } => {
            let ends = |first: usize| first.checked_add(window);
            if *start != from.frame || ends(*entry) != Some(to.frame) {
                return Err("blends other frames than those of its nodes");
            }
            if ends(*start).is_none_or(|end| end > set.clips()[from.clip].n_frames()) {
                return Err("blends frames after the end of a clip");
            }
            let is_distance = distance.is_finite() && *distance >= 0.0;
            let is_number = placement.yaw.is_finite() && placement.translation.is_finite() && is_distance;
            if is_number { Ok(()) } else { Err("has a placement or a distance that is no number") }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::distance_matrix::Threads;
    use crate::{Metric, Threshold};
    use surefoot_contact::{WalkerOptions, synthetic_walk};
    use surefoot_motion::slice;

    fn walks() -> (MotionSet, DistanceMatrix) {
        let walk = |turn_per_step: f64| {
            let options = WalkerOptions { turn_per_step, n_steps: 6, frame_rate: 30.0, ..WalkerOptions::default() };
            let walk = synthetic_walk(&options);
            // Without standing, which is like itself at no distance.
            let n_frames = walk.take.clip.n_frames();
            (slice(&walk.take.clip, 35..n_frames - 35).unwrap(), walk.take.body)
        };
        let ((straight, body), (curve, _)) = (walk(0.0), walk(0.25));
        let set = MotionSet::new(vec![straight, curve], body).unwrap();
        let matrix = DistanceMatrix::new(&set, &Metric::angles(), 10, Threads::One);
        (set, matrix)
    }

    #[test]
    fn nodes_that_reach_each_other_are_one_component() {
        // Two cycles, a link from one to the other, a node that leads in and one that leads nowhere.
        let links = [(1, 2), (2, 3), (3, 1), (3, 4), (4, 5), (5, 4), (0, 1), (5, 6), (5, 5)];
        let mut found = strong_components(7, links.into_iter());
        found.sort_unstable();
        assert_eq!(found, [vec![0], vec![1, 2, 3], vec![4, 5], vec![6]]);
        // As deep as a long clip.
        let n = 200_000;
        assert_eq!(strong_components(n, (0..n).map(|node| (node, (node + 1) % n))), [(0..n).collect::<Vec<_>>()]);
    }

    #[test]
    fn a_graph_without_a_loop_reports_the_least_threshold_that_has_one() {
        let (set, matrix) = walks();
        let Err(GraphError::NoComponent { needed, .. }) = MotionGraph::build(set.clone(), &matrix, 1e-9) else {
            panic!("walks are never quite alike");
        };
        let needed = needed.expect("two walks are alike somewhere");
        assert!(MotionGraph::build(set.clone(), &matrix, needed).is_ok());
        let below = f32::from_bits(needed.to_bits() - 1);
        assert!(MotionGraph::build(set, &matrix, below).is_err());
    }

    #[test]
    fn a_graph_is_made_again_of_its_parts_and_of_no_others() {
        let (set, matrix) = walks();
        let limit = Threshold::Share(0.05).distance(&matrix);
        let (graph, pruned) = MotionGraph::build(set.clone(), &matrix, limit).unwrap();
        assert!(pruned.nodes > 0 && pruned.edges > 0 && pruned.dead_clips.is_empty(), "{pruned:?}");
        let made = |change: &dyn Fn(&mut Vec<Node>, &mut Vec<Edge>)| {
            let (mut nodes, mut edges) = (graph.nodes().to_vec(), graph.edges().to_vec());
            change(&mut nodes, &mut edges);
            MotionGraph::from_parts(set.clone(), graph.window, nodes, edges)
        };
        assert!(made(&|_, _| ()) == Ok(graph.clone()), "the same graph");
        let error_of = |change: &dyn Fn(&mut Vec<Node>, &mut Vec<Edge>)| made(change).unwrap_err().to_string();
        assert!(error_of(&|nodes, _| nodes[3].frame = 9999).contains("node 3 is frame 9999"));
        assert!(error_of(&|nodes, _| nodes.swap(1, 2)).contains("node 2"));
        assert!(error_of(&|_, edges| edges[5].to = 99_999).contains("edge 5 leads"));
        assert!(error_of(&|_, edges| edges[0].motion = EdgeMotion::Clip(0..0)).contains("edge 0 plays other frames"));
        let all = graph.nodes().len();
        assert!(error_of(&|_, edges| edges.retain(|edge| edge.from != all - 1)).contains("cannot be reached"));
        let blend = graph.edges().iter().position(|edge| matches!(edge.motion, EdgeMotion::Blend { .. })).unwrap();
        let lost = |_: &mut Vec<Node>, edges: &mut Vec<Edge>| {
            if let EdgeMotion::Blend { placement, .. } = &mut edges[blend].motion {
                placement.yaw = f64::NAN;
            }
        };
        assert!(error_of(&lost).contains("no number"));
        let far = |_: &mut Vec<Node>, edges: &mut Vec<Edge>| {
            if let EdgeMotion::Blend { distance, .. } = &mut edges[blend].motion {
                *distance = f32::INFINITY;
            }
        };
        assert!(error_of(&far).contains("no number"));
        assert!(MotionGraph::from_parts(set.clone(), 0, vec![], vec![]).is_err());
        assert!(MotionGraph::from_parts(set.clone(), 10, vec![], vec![]).is_err(), "nothing is no graph");
    }
}
