//! The nearest step in all dimensions of D_high, within a region of the first three, without looking at every step.
//!
//! Reference: STRIDE 5.1 (D_high and the regions H_i), A.1 `find_blend_candidates`, which scans the whole database.
//!
//! Idea: a k-d tree over all dimensions whose nodes know their bounding boxes. A node is passed over if its box is
//! farther by D_high than the best step so far, or lies wholly on the wrong side of one of the region's planes. The
//! answer is that of the scan.

use super::query::{HighWeights, N_HIGH, StepQuery, high_difference};
use surefoot_geom::Vec3;

/// Steps in a leaf.
const LEAF: usize = 8;
const DIMENSIONS: usize = N_HIGH;

/// A node on the way to the nearest leaves.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Near {
    bound: f64,
    node: u32,
}

impl Eq for Near {}

impl Ord for Near {
    /// The nearest is the greatest, as a heap wants it; of equals the first.
    fn cmp(&self, other: &Near) -> std::cmp::Ordering {
        other.bound.total_cmp(&self.bound).then(other.node.cmp(&self.node))
    }
}

impl PartialOrd for Near {
    fn partial_cmp(&self, other: &Near) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

/// Room for [`HighTree::gather`].
#[derive(Clone, Debug, Default)]
pub(super) struct GatherMemory {
    heap: std::collections::BinaryHeap<Near>,
    /// Numbers of steps and their D_high.
    pub(super) found: Vec<(u32, f64)>,
}

/// Points below a plane: those with `normal . x <= offset`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct HalfSpace {
    pub(super) normal: Vec3,
    pub(super) offset: f64,
}

impl HalfSpace {
    fn has(&self, point: Vec3) -> bool {
        self.normal.dot(point) <= self.offset
    }

    /// Whether some point of a box is inside.
    fn meets(&self, low: Vec3, high: Vec3) -> bool {
        let nearest = Vec3::select(self.normal.cmpgt(Vec3::ZERO), low, high);
        self.has(nearest)
    }
}

#[derive(Clone, Debug)]
struct Node {
    low: [f64; DIMENSIONS],
    high: [f64; DIMENSIONS],
    /// Into `items`.
    items: std::ops::Range<u32>,
    /// Left child; the right one comes after all of the left's. `None` for a leaf.
    right: Option<u32>,
}

/// A tree over the steps of one side.
#[derive(Clone, Debug, Default)]
pub(super) struct HighTree {
    nodes: Vec<Node>,
    /// Each with the number it was given.
    items: Vec<([f64; DIMENSIONS], u32)>,
}

impl HighTree {
    pub(super) fn new(points: impl Iterator<Item = [f64; DIMENSIONS]>) -> HighTree {
        let mut tree = HighTree { nodes: Vec::new(), items: points.zip(0..).collect() };
        if !tree.items.is_empty() {
            tree.split(0, tree.items.len());
        }
        tree
    }

    fn split(&mut self, start: usize, end: usize) {
        let items = &mut self.items[start..end];
        let mut low = [f64::INFINITY; DIMENSIONS];
        let mut high = [f64::NEG_INFINITY; DIMENSIONS];
        for (point, _) in items.iter() {
            for k in 0..DIMENSIONS {
                low[k] = low[k].min(point[k]);
                high[k] = high[k].max(point[k]);
            }
        }
        let index = self.nodes.len();
        self.nodes.push(Node { low, high, items: start as u32..end as u32, right: None });
        if end - start <= LEAF {
            return;
        }
        let widest = (0..DIMENSIONS).max_by(|&a, &b| (high[a] - low[a]).total_cmp(&(high[b] - low[b]))).unwrap_or(0);
        let middle = (end - start) / 2;
        items.select_nth_unstable_by(middle, |a, b| a.0[widest].total_cmp(&b.0[widest]).then(a.1.cmp(&b.1)));
        self.split(start, start + middle);
        self.nodes[index].right = Some(self.nodes.len() as u32);
        self.split(start + middle, end);
    }

    /// The number of the step nearest to a query by D_high that lies in all half-spaces and is nearer than `within`; of
    /// equals the lowest number.
    pub(super) fn nearest(
        &self,
        query: &StepQuery,
        weights: &HighWeights,
        region: &[HalfSpace],
        within: f64,
    ) -> Option<(u32, f64)> {
        let search = Search { tree: self, query: query.high(), weights, region };
        let mut best = (u32::MAX, within);
        if !self.nodes.is_empty() {
            search.visit(0, &mut best);
        }
        (best.0 != u32::MAX).then_some(best)
    }

    /// Steps near a query by D_high, with their distances: those of the leaves whose boxes are nearest, as many leaves
    /// as are asked for. All of a small tree.
    pub(super) fn gather(&self, query: &StepQuery, weights: &HighWeights, n_leaves: usize, memory: &mut GatherMemory) {
        let search = Search { tree: self, query: query.high(), weights, region: &[] };
        let GatherMemory { heap, found } = memory;
        heap.clear();
        found.clear();
        if !self.nodes.is_empty() {
            heap.push(Near { bound: 0.0, node: 0 });
        }
        let mut leaves = 0;
        while let Some(Near { node: index, .. }) = heap.pop() {
            let node = &self.nodes[index as usize];
            match node.right {
                Some(right) => {
                    for child in [index + 1, right] {
                        heap.push(Near { bound: search.bound(child as usize), node: child });
                    }
                }
                None => {
                    found.extend(self.leaf(node).iter().map(|(point, number)| (*number, search.distance(point))));
                    leaves += 1;
                    if leaves == n_leaves {
                        return;
                    }
                }
            }
        }
    }

    /// Leaves to look at: a number that grows like the tree's depth.
    pub(super) fn n_leaves(&self) -> usize {
        8 + 2 * (self.items.len().max(1).ilog2() as usize)
    }

    /// How many steps lie in all half-spaces.
    pub(super) fn count(&self, region: &[HalfSpace]) -> usize {
        let inside = |point: &[f64; DIMENSIONS]| region.iter().all(|half| half.has(low_part(point)));
        let mut stack = if self.nodes.is_empty() { vec![] } else { vec![0] };
        let mut count = 0;
        while let Some(index) = stack.pop() {
            let node = &self.nodes[index];
            if !region.iter().all(|half| half.meets(low_part(&node.low), low_part(&node.high))) {
                continue;
            }
            match node.right {
                Some(right) => stack.extend([index + 1, right as usize]),
                None => count += self.leaf(node).iter().filter(|(point, _)| inside(point)).count(),
            }
        }
        count
    }

    fn leaf(&self, node: &Node) -> &[([f64; DIMENSIONS], u32)] {
        &self.items[node.items.start as usize..node.items.end as usize]
    }
}

fn low_part(point: &[f64; DIMENSIONS]) -> Vec3 {
    Vec3::new(point[0], point[1], point[2])
}

struct Search<'a> {
    tree: &'a HighTree,
    query: [Option<f64>; DIMENSIONS],
    weights: &'a HighWeights,
    region: &'a [HalfSpace],
}

impl Search<'_> {
    fn visit(&self, index: usize, best: &mut (u32, f64)) {
        let node = &self.tree.nodes[index];
        let Some(right) = node.right else {
            for (point, number) in self.tree.leaf(node) {
                let distance = self.distance(point);
                let is_better = distance < best.1 || (distance == best.1 && *number < best.0 && best.0 != u32::MAX);
                if is_better && self.region.iter().all(|half| half.has(low_part(point))) {
                    *best = (*number, distance);
                }
            }
            return;
        };
        let mut children = [index + 1, right as usize].map(|child| (self.bound(child), child));
        if children[1].0 < children[0].0 {
            children.swap(0, 1);
        }
        for (bound, child) in children {
            let node = &self.tree.nodes[child];
            let meets = |half: &HalfSpace| half.meets(low_part(&node.low), low_part(&node.high));
            if bound <= best.1 && self.region.iter().all(meets) {
                self.visit(child, best);
            }
        }
    }

    fn distance(&self, point: &[f64; DIMENSIONS]) -> f64 {
        let of = |k: usize| self.query[k].map_or(0.0, |q| self.weights.of(k) * high_difference(k, q, point[k]));
        (0..DIMENSIONS).map(of).sum()
    }

    /// Least distance to any point of a node's box.
    fn bound(&self, index: usize) -> f64 {
        let node = &self.tree.nodes[index];
        let of = |k: usize| {
            let (Some(q), low, high) = (self.query[k], node.low[k], node.high[k]) else { return 0.0 };
            if (low..=high).contains(&q) {
                return 0.0;
            }
            // A heading may be nearer the other way round.
            self.weights.of(k) * high_difference(k, q, low).min(high_difference(k, q, high))
        };
        (0..DIMENSIONS).map(of).sum()
    }
}
