//! The nearest step in all dimensions of D_high, within a region of the first three, without looking at every step.
//!
//! Reference: STRIDE 5.1 (D_high and the regions H_i), A.1 `find_blend_candidates`, which scans the whole database.
//!
//! Idea: a k-d tree over all dimensions whose nodes know the bounding boxes of their children. A node is passed over if its
//! box is farther by D_high than the best step so far, or lies wholly on the wrong side of one of the region's planes. The
//! answer is that of the scan.
//!
//! Layout: the boxes of two children lie side by side in their parent, and the steps of a leaf side by side by dimension, so
//! that bounds and distances are computed for both and for all at once, from memory that is read in a row.

use super::query::{HEADINGS, HighWeights, N_HIGH, StepQuery};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::f64::consts::TAU;
use surefoot_geom::{Vec3, wrap_angle};

/// Steps in a leaf.
const LEAF: usize = 8;
const DIMENSIONS: usize = N_HIGH;

/// A node on the way to the nearest leaves: its bound and its number, in one integer that is ordered as they are. Bounds are not
/// negative, so that their bits are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Near(u128);

impl Near {
    fn new(bound: f64, node: u32) -> Near {
        Near(u128::from(bound.to_bits()) << 32 | u128::from(node))
    }

    fn node(self) -> usize {
        self.0 as u32 as usize
    }
}

/// A step near a query.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Found {
    pub(super) step: usize,
    /// Its parameters.
    pub(super) point: Vec3,
    /// Its D_high.
    pub(super) distance: f64,
}

/// Room for [`HighTree::gather`].
#[derive(Clone, Debug, Default)]
pub(super) struct GatherMemory {
    heap: BinaryHeap<Reverse<Near>>,
    pub(super) found: Vec<Found>,
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

/// Nodes in the order in which they are split: a parent, all of its left child's, all of its right child's.
#[derive(Clone, Copy, Debug)]
enum Node {
    /// Into `boxes`, and the right child; the left one comes next.
    Inner { boxes: u32, right: u32 },
    /// Into `leaves`.
    Leaf(u32),
}

/// The bounding boxes of the two children of a node, by dimension.
#[derive(Clone, Debug)]
struct Boxes {
    low: [[f64; 2]; DIMENSIONS],
    high: [[f64; 2]; DIMENSIONS],
}

/// Some steps, by dimension. Places beyond `n` are empty.
#[derive(Clone, Debug)]
struct Leaf {
    points: [[f64; LEAF]; DIMENSIONS],
    steps: [u32; LEAF],
    n: usize,
}

impl Leaf {
    fn new(items: &[Item]) -> Leaf {
        let mut leaf = Leaf { points: [[0.0; LEAF]; DIMENSIONS], steps: [0; LEAF], n: items.len() };
        for (at, (point, step)) in items.iter().enumerate() {
            leaf.steps[at] = *step;
            (0..DIMENSIONS).for_each(|k| leaf.points[k][at] = point[k]);
        }
        leaf
    }

    /// The parameters of one of its steps.
    fn point(&self, at: usize) -> Vec3 {
        Vec3::new(self.points[0][at], self.points[1][at], self.points[2][at])
    }
}

/// A step's dimensions, headings between -pi and pi, and its number.
type Item = ([f64; DIMENSIONS], u32);

/// A tree over the steps of one side.
#[derive(Clone, Debug, Default)]
pub(super) struct HighTree {
    nodes: Vec<Node>,
    boxes: Vec<Boxes>,
    leaves: Vec<Leaf>,
    n_items: usize,
}

impl HighTree {
    /// Over steps with their numbers.
    pub(super) fn new(steps: impl Iterator<Item = ([f64; DIMENSIONS], usize)>) -> HighTree {
        let wrapped = |mut point: [f64; DIMENSIONS]| {
            HEADINGS.for_each(|k| point[k] = wrap_angle(point[k]));
            point
        };
        let mut items: Vec<Item> = steps.map(|(point, step)| (wrapped(point), step as u32)).collect();
        let mut tree = HighTree { n_items: items.len(), ..HighTree::default() };
        if !items.is_empty() {
            tree.split(&mut items);
        }
        tree
    }

    /// Adds the nodes of some steps, and returns their bounding box.
    fn split(&mut self, items: &mut [Item]) -> [[f64; DIMENSIONS]; 2] {
        let mut low = [f64::INFINITY; DIMENSIONS];
        let mut high = [f64::NEG_INFINITY; DIMENSIONS];
        for (point, _) in items.iter() {
            for k in 0..DIMENSIONS {
                low[k] = low[k].min(point[k]);
                high[k] = high[k].max(point[k]);
            }
        }
        if items.len() <= LEAF {
            self.nodes.push(Node::Leaf(self.leaves.len() as u32));
            self.leaves.push(Leaf::new(items));
            return [low, high];
        }
        let (index, boxes) = (self.nodes.len(), self.boxes.len());
        self.nodes.push(Node::Leaf(0));
        self.boxes.push(Boxes { low: [[0.0; 2]; DIMENSIONS], high: [[0.0; 2]; DIMENSIONS] });
        let widest = (0..DIMENSIONS).max_by(|&a, &b| (high[a] - low[a]).total_cmp(&(high[b] - low[b]))).unwrap_or(0);
        let middle = items.len() / 2;
        items.select_nth_unstable_by(middle, |a, b| a.0[widest].total_cmp(&b.0[widest]).then(a.1.cmp(&b.1)));
        let (left, right) = items.split_at_mut(middle);
        let left = self.split(left);
        self.nodes[index] = Node::Inner { boxes: boxes as u32, right: self.nodes.len() as u32 };
        let right = self.split(right);
        for k in 0..DIMENSIONS {
            self.boxes[boxes].low[k] = [left[0][k], right[0][k]];
            self.boxes[boxes].high[k] = [left[1][k], right[1][k]];
        }
        [low, high]
    }

    /// The step nearest to a query by D_high that lies in all half-spaces and is nearer than `within`, with its distance; of
    /// equals the lowest number.
    pub(super) fn nearest(
        &self,
        query: &StepQuery,
        weights: &HighWeights,
        region: &[HalfSpace],
        within: f64,
    ) -> Option<(usize, f64)> {
        let search = Search::new(self, query, weights, region);
        let mut best = (u32::MAX, within);
        if !self.nodes.is_empty() {
            search.visit(0, &mut best);
        }
        (best.0 != u32::MAX).then_some((best.0 as usize, best.1))
    }

    /// Steps near a query by D_high: those of the leaves whose boxes are nearest, as many leaves as are asked for. All of a small
    /// tree.
    pub(super) fn gather(&self, query: &StepQuery, weights: &HighWeights, n_leaves: usize, memory: &mut GatherMemory) {
        let search = Search::new(self, query, weights, &[]);
        let GatherMemory { heap, found } = memory;
        heap.clear();
        found.clear();
        let mut next = (!self.nodes.is_empty()).then(|| Near::new(0.0, 0));
        let mut leaves = 0;
        while let Some(index) = next.map(Near::node) {
            match self.nodes[index] {
                Node::Inner { boxes, right } => {
                    let [left_bound, right_bound] = search.bounds(&self.boxes[boxes as usize]);
                    let children = [Near::new(left_bound, index as u32 + 1), Near::new(right_bound, right)];
                    let [mut nearer, farther] = [children[0].min(children[1]), children[0].max(children[1])];
                    // The nearer child is what comes next, as often as not.
                    if let Some(mut first) = heap.peek_mut().filter(|first| first.0 < nearer) {
                        std::mem::swap(&mut first.0, &mut nearer);
                        drop(first);
                    }
                    heap.push(Reverse(farther));
                    next = Some(nearer);
                }
                Node::Leaf(leaf) => {
                    let leaf = &self.leaves[leaf as usize];
                    let distances = search.distances(leaf);
                    let of = |at: usize| Found {
                        step: leaf.steps[at] as usize,
                        point: leaf.point(at),
                        distance: distances[at],
                    };
                    found.extend((0..leaf.n).map(of));
                    leaves += 1;
                    if leaves == n_leaves {
                        return;
                    }
                    next = heap.pop().map(|Reverse(near)| near);
                }
            }
        }
    }

    /// Leaves to look at: a number that grows like the tree's depth.
    pub(super) fn n_leaves(&self) -> usize {
        8 + 2 * (self.n_items.max(1).ilog2() as usize)
    }

    /// How many steps lie in all half-spaces.
    pub(super) fn count(&self, region: &[HalfSpace]) -> usize {
        let mut stack = if self.nodes.is_empty() { vec![] } else { vec![0] };
        let mut count = 0;
        while let Some(index) = stack.pop() {
            match self.nodes[index] {
                Node::Inner { boxes, right } => {
                    let meets = self.boxes[boxes as usize].meet(region);
                    let children = [index + 1, right as usize].into_iter().zip(meets);
                    stack.extend(children.filter(|(_, meets)| *meets).map(|(child, _)| child));
                }
                Node::Leaf(leaf) => {
                    let leaf = &self.leaves[leaf as usize];
                    let is_inside = |at: &usize| region.iter().all(|half| half.has(leaf.point(*at)));
                    count += (0..leaf.n).filter(is_inside).count();
                }
            }
        }
        count
    }
}

impl Boxes {
    /// Whether some point of each is in all half-spaces.
    fn meet(&self, region: &[HalfSpace]) -> [bool; 2] {
        let corner = |of: &[[f64; 2]; DIMENSIONS], child: usize| Vec3::new(of[0][child], of[1][child], of[2][child]);
        [0, 1].map(|child| {
            let (low, high) = (corner(&self.low, child), corner(&self.high, child));
            region.iter().all(|half| half.meets(low, high))
        })
    }
}

struct Search<'a> {
    tree: &'a HighTree,
    /// What nobody asked for is 0 with a weight of 0.
    query: [f64; DIMENSIONS],
    weights: [f64; DIMENSIONS],
    region: &'a [HalfSpace],
}

impl<'a> Search<'a> {
    fn new(tree: &'a HighTree, query: &StepQuery, weights: &HighWeights, region: &'a [HalfSpace]) -> Search<'a> {
        let asked = query.high();
        let number = |k: usize| if HEADINGS.contains(&k) { asked[k].map(wrap_angle) } else { asked[k] };
        Search {
            tree,
            query: std::array::from_fn(|k| number(k).unwrap_or(0.0)),
            weights: std::array::from_fn(|k| asked[k].map_or(0.0, |_| weights.of(k))),
            region,
        }
    }

    fn visit(&self, index: usize, best: &mut (u32, f64)) {
        match self.tree.nodes[index] {
            Node::Leaf(leaf) => {
                let leaf = &self.tree.leaves[leaf as usize];
                for (at, &distance) in self.distances(leaf)[..leaf.n].iter().enumerate() {
                    let number = leaf.steps[at];
                    let is_better = distance < best.1 || (distance == best.1 && number < best.0 && best.0 != u32::MAX);
                    if is_better && self.region.iter().all(|half| half.has(leaf.point(at))) {
                        *best = (number, distance);
                    }
                }
            }
            Node::Inner { boxes, right } => {
                let boxes = &self.tree.boxes[boxes as usize];
                let ([left_bound, right_bound], [left_meets, right_meets]) =
                    (self.bounds(boxes), boxes.meet(self.region));
                let mut children = [(left_bound, left_meets, index + 1), (right_bound, right_meets, right as usize)];
                if right_bound < left_bound {
                    children.swap(0, 1);
                }
                for (bound, meets, child) in children {
                    if bound <= best.1 && meets {
                        self.visit(child, best);
                    }
                }
            }
        }
    }

    /// D_high of all steps of a leaf.
    #[inline]
    fn distances(&self, leaf: &Leaf) -> [f64; LEAF] {
        let mut sums = [0.0; LEAF];
        for k in 0..DIMENSIONS {
            let (query, weight, points) = (self.query[k], self.weights[k], &leaf.points[k]);
            let mut apart: [f64; LEAF] = std::array::from_fn(|at| (query - points[at]).abs());
            if HEADINGS.contains(&k) {
                apart = apart.map(other_way);
            }
            (0..LEAF).for_each(|at| sums[at] += weight * apart[at]);
        }
        sums
    }

    /// Least distances to any point of two boxes.
    #[inline]
    fn bounds(&self, boxes: &Boxes) -> [f64; 2] {
        let mut sums = [0.0; 2];
        for k in 0..DIMENSIONS {
            let (query, weight, low, high) = (self.query[k], self.weights[k], &boxes.low[k], &boxes.high[k]);
            for child in 0..2 {
                let (below, above) = (low[child] - query, query - high[child]);
                let mut apart = if below > above { below } else { above };
                if HEADINGS.contains(&k) {
                    // A heading may be nearer the other way round.
                    let (low, high) = (other_way(below.abs()), other_way(above.abs()));
                    let nearest = if low < high { low } else { high };
                    apart = if apart > 0.0 { nearest } else { 0.0 };
                }
                sums[child] += weight * if apart > 0.0 { apart } else { 0.0 };
            }
        }
        sums
    }
}

/// The lesser turn between two headings that are an angle below a full turn apart.
#[inline]
fn other_way(apart: f64) -> f64 {
    let other = TAU - apart;
    if apart < other { apart } else { other }
}
