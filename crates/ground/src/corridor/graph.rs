//! The corridor map's graph: the medial axis with its ends and forks as nodes, and the path between two of them as one
//! edge.
//!
//! Nodes at which the axis only goes on are dropped, so that a search looks at forks alone: about three for each
//! obstacle.

use super::Disk;
use super::box_tree::{Bounds, BoxTree};
use super::medial_axis::Axis;
use surefoot_geom::Vec2;

/// So many discs share a box of the tree in which places look for discs around them.
const CHUNK: usize = 8;

/// A path along the axis between two nodes.
#[derive(Clone, Debug)]
pub(super) struct Edge {
    pub(super) from: usize,
    pub(super) to: usize,
    pub(super) disks: Vec<Disk>,
    /// From the first disc to each along the axis, in metres.
    pub(super) along: Vec<f64>,
    /// The smallest radius of its discs: how wide a person may be who takes it.
    pub(super) clearance: f64,
}

impl Edge {
    fn new(from: usize, to: usize, disks: Vec<Disk>) -> Edge {
        let mut length = 0.0;
        let mut along = vec![0.0];
        for pair in disks.windows(2) {
            length += pair[0].centre.distance(pair[1].centre);
            along.push(length);
        }
        let clearance = disks.iter().map(|disk| disk.radius).fold(f64::INFINITY, f64::min);
        Edge { from, to, disks, along, clearance }
    }

    pub(super) fn length(&self) -> f64 {
        self.along[self.along.len() - 1]
    }

    /// Whether a person of a clearance can go along it between two of its discs.
    pub(super) fn is_open(&self, one: usize, two: usize, clearance: f64) -> bool {
        self.clearance >= clearance
            || self.disks[one.min(two)..=one.max(two)].iter().all(|disk| disk.radius >= clearance)
    }

    /// The smallest disc between two.
    pub(super) fn narrowest(&self, one: usize, two: usize) -> Disk {
        let between = &self.disks[one.min(two)..=one.max(two)];
        between.iter().copied().fold(between[0], |least, disk| if disk.radius < least.radius { disk } else { least })
    }
}

/// Nodes and edges.
#[derive(Clone, Debug)]
pub(super) struct Graph {
    pub(super) nodes: Vec<Disk>,
    pub(super) edges: Vec<Edge>,
    /// The edges at each node.
    pub(super) at: Vec<Vec<u32>>,
    chunks: Vec<Chunk>,
    tree: BoxTree,
}

/// Some discs of an edge that follow each other.
#[derive(Clone, Copy, Debug)]
struct Chunk {
    edge: u32,
    first: u32,
    end: u32,
}

impl Graph {
    pub(super) fn new(axis: &Axis) -> Graph {
        let (nodes, edges) = contract(axis);
        let mut at: Vec<Vec<u32>> = vec![Vec::new(); nodes.len()];
        for (index, edge) in edges.iter().enumerate() {
            at[edge.from].push(index as u32);
            if edge.to != edge.from {
                at[edge.to].push(index as u32);
            }
        }
        let mut chunks = Vec::new();
        let mut boxes = Vec::new();
        for (index, edge) in edges.iter().enumerate() {
            for (number, disks) in edge.disks.chunks(CHUNK).enumerate() {
                let first = (number * CHUNK) as u32;
                chunks.push(Chunk { edge: index as u32, first, end: first + disks.len() as u32 });
                boxes.push(disks.iter().fold(Bounds::EMPTY, |all, disk| {
                    all.join(Bounds::around(disk.centre, disk.centre).grow(disk.radius))
                }));
            }
        }
        Graph { nodes, edges, at, chunks, tree: BoxTree::new(&boxes) }
    }

    /// Calls `visit` with an edge and the number of a disc on it for each disc in which a place lies with a clearance
    /// to spare: a straight line from there to the disc's centre is as free.
    pub(super) fn disks_around(&self, place: Vec2, clearance: f64, mut visit: impl FnMut(usize, usize)) {
        self.tree.overlapping(Bounds::around(place, place), |chunk| {
            let Chunk { edge, first, end } = self.chunks[chunk];
            for index in first as usize..end as usize {
                let disk = &self.edges[edge as usize].disks[index];
                let room = disk.radius - clearance;
                if room >= 0.0 && disk.centre.distance_squared(place) <= room * room {
                    visit(edge as usize, index);
                }
            }
        });
    }
}

/// Stretches joined where the axis goes on without a fork.
fn contract(axis: &Axis) -> (Vec<Disk>, Vec<Edge>) {
    let mut at: Vec<Vec<usize>> = vec![Vec::new(); axis.nodes.len()];
    for (index, stretch) in axis.stretches.iter().enumerate() {
        at[stretch.from].push(index);
        at[stretch.to].push(index);
    }
    let used = vec![false; axis.stretches.len()];
    let mut joined = Joined { axis, number: vec![None; at.len()], nodes: Vec::new(), edges: Vec::new(), used, at };
    for node in 0..axis.nodes.len() {
        if !matches!(joined.at[node].len(), 0 | 2) {
            joined.keep(node);
        }
    }
    for node in 0..axis.nodes.len() {
        if joined.number[node].is_some() {
            for index in 0..joined.at[node].len() {
                joined.follow(node, joined.at[node][index]);
            }
        }
    }
    // What is left are rings without a fork; one of their nodes is kept.
    for (index, stretch) in axis.stretches.iter().enumerate() {
        if !joined.used[index] {
            joined.keep(stretch.from);
            joined.follow(stretch.from, index);
        }
    }
    (joined.nodes, joined.edges)
}

struct Joined<'a> {
    axis: &'a Axis,
    /// The stretches at each node of the axis.
    at: Vec<Vec<usize>>,
    /// The number of each node that is kept.
    number: Vec<Option<usize>>,
    used: Vec<bool>,
    nodes: Vec<Disk>,
    edges: Vec<Edge>,
}

impl Joined<'_> {
    fn keep(&mut self, node: usize) {
        self.number[node] = Some(self.nodes.len());
        self.nodes.push(self.axis.nodes[node]);
    }

    /// The edge that leaves a kept node by a stretch, up to the next one that is kept.
    fn follow(&mut self, start: usize, first: usize) {
        if self.used[first] {
            return;
        }
        let mut disks = vec![self.axis.nodes[start]];
        let (mut node, mut stretch) = (start, first);
        let end = loop {
            self.used[stretch] = true;
            let it = &self.axis.stretches[stretch];
            let inner = &it.disks[1..it.disks.len() - 1];
            if it.from == node {
                disks.extend(inner);
                node = it.to;
            } else {
                disks.extend(inner.iter().rev());
                node = it.from;
            }
            disks.push(self.axis.nodes[node]);
            if let Some(end) = self.number[node] {
                break end;
            }
            stretch = self.at[node].iter().copied().find(|&next| next != stretch).unwrap_or(stretch);
        };
        if let Some(from) = self.number[start] {
            self.edges.push(Edge::new(from, end, disks));
        }
    }
}
