//! Boxes in a tree, so that the few near a place are found without looking at all of them.
//!
//! A binary tree over axis-aligned boxes, split at the median of their centres along the longer side: what lies farther
//! away than the nearest item so far is skipped by whole branches. It is built once; a changed set of boxes is a new
//! tree.

use surefoot_geom::Vec2;

/// Most items of a leaf. Fewer make the tree deeper, more make leaves slow; 4 was fastest on halls of 1,000 obstacles.
const LEAF: usize = 4;

/// An axis-aligned box.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Bounds {
    pub(super) low: Vec2,
    pub(super) high: Vec2,
}

impl Bounds {
    /// Of nothing: joined with another box, it is the other.
    pub(super) const EMPTY: Bounds = Bounds { low: Vec2::INFINITY, high: Vec2::NEG_INFINITY };

    /// Around two points.
    pub(super) fn around(a: Vec2, b: Vec2) -> Bounds {
        Bounds { low: a.min(b), high: a.max(b) }
    }

    pub(super) fn around_all(points: impl IntoIterator<Item = Vec2>) -> Bounds {
        points.into_iter().fold(Bounds::EMPTY, |all, point| all.join(Bounds::around(point, point)))
    }

    pub(super) fn join(self, other: Bounds) -> Bounds {
        Bounds { low: self.low.min(other.low), high: self.high.max(other.high) }
    }

    pub(super) fn grow(self, by: f64) -> Bounds {
        Bounds { low: self.low - by, high: self.high + by }
    }

    pub(super) fn overlaps(self, other: Bounds) -> bool {
        self.low.cmple(other.high).all() && other.low.cmple(self.high).all()
    }

    /// The square of the distance between two boxes; 0 if they overlap.
    fn distance_squared(self, other: Bounds) -> f64 {
        (other.low - self.high).max(self.low - other.high).max(Vec2::ZERO).length_squared()
    }
}

#[derive(Clone, Copy, Debug)]
struct Node {
    bounds: Bounds,
    /// Of a leaf: the first of its items. Of a branch: its second child; the first one follows the branch.
    first: u32,
    /// How many items a leaf has; 0 for a branch.
    count: u32,
}

/// A tree of numbered boxes.
#[derive(Clone, Debug)]
pub(super) struct BoxTree {
    nodes: Vec<Node>,
    items: Vec<u32>,
}

impl BoxTree {
    pub(super) fn new(boxes: &[Bounds]) -> BoxTree {
        let mut tree = BoxTree { nodes: Vec::new(), items: (0..boxes.len() as u32).collect() };
        if !boxes.is_empty() {
            tree.build(boxes, 0, boxes.len());
        }
        tree
    }

    fn build(&mut self, boxes: &[Bounds], from: usize, to: usize) {
        let bounds = self.items[from..to].iter().fold(Bounds::EMPTY, |bounds, &item| bounds.join(boxes[item as usize]));
        let node = self.nodes.len();
        self.nodes.push(Node { bounds, first: from as u32, count: (to - from) as u32 });
        if to - from <= LEAF {
            return;
        }
        let size = bounds.high - bounds.low;
        let centre = |item: u32| {
            let sum = boxes[item as usize].low + boxes[item as usize].high;
            if size.x >= size.y { sum.x } else { sum.y }
        };
        let middle = (to - from) / 2;
        self.items[from..to].select_nth_unstable_by(middle, |&i, &j| centre(i).total_cmp(&centre(j)).then(i.cmp(&j)));
        self.build(boxes, from, from + middle);
        self.nodes[node].first = self.nodes.len() as u32;
        self.nodes[node].count = 0;
        self.build(boxes, from + middle, to);
    }

    /// Calls `visit` for the items whose boxes are within a distance of `place`, the nearer branches first. It gets an
    /// item and the square of the distance that still counts, and returns what counts from then on.
    pub(super) fn search(&self, place: Bounds, within_squared: f64, mut visit: impl FnMut(usize, f64) -> f64) {
        let mut within = within_squared;
        // Branches halve: more than 64 levels cannot be.
        let mut stack = [(0u32, 0.0f64); 64];
        let mut depth = 0;
        if let Some(root) = self.nodes.first() {
            stack[0] = (0, root.bounds.distance_squared(place));
            depth = 1;
        }
        while depth > 0 {
            depth -= 1;
            let (index, distance) = stack[depth];
            if distance > within {
                continue;
            }
            let node = &self.nodes[index as usize];
            if node.count > 0 {
                for &item in &self.items[node.first as usize..(node.first + node.count) as usize] {
                    within = visit(item as usize, within);
                }
                continue;
            }
            let children = [index + 1, node.first];
            let [one, two] = children.map(|child| (child, self.nodes[child as usize].bounds.distance_squared(place)));
            let (near, far) = if one.1 <= two.1 { (one, two) } else { (two, one) };
            stack[depth] = far;
            stack[depth + 1] = near;
            depth += 2;
        }
    }

    /// Calls `visit` for every item whose leaf overlaps `place`, and for some that do not.
    pub(super) fn overlapping(&self, place: Bounds, mut visit: impl FnMut(usize)) {
        self.search(place, 0.0, |item, within| {
            visit(item);
            within
        });
    }
}

#[cfg(test)]
mod tests {
    use super::super::test_scenes::in_square;
    use super::*;
    use surefoot_geom::Random;

    #[test]
    fn the_nearest_box_is_that_of_a_look_at_all() {
        let mut random = Random::new(1);
        for n in [0, 1, 4, 5, 300] {
            let boxes: Vec<Bounds> = (0..n)
                .map(|_| {
                    let low = in_square(&mut random, 10.0);
                    Bounds::around(low, low + in_square(&mut random, 0.5))
                })
                .collect();
            let tree = BoxTree::new(&boxes);
            for _ in 0..100 {
                let point = in_square(&mut random, 12.0);
                let place = Bounds::around(point, point);
                let brute = boxes.iter().map(|one| one.distance_squared(place)).fold(f64::INFINITY, f64::min);
                let mut best = f64::INFINITY;
                tree.search(place, f64::INFINITY, |item, within| {
                    best = best.min(boxes[item].distance_squared(place));
                    within.min(best)
                });
                assert_eq!(best, brute, "{n} boxes");
                let mut found = Vec::new();
                tree.overlapping(place.grow(0.3), |item| {
                    if boxes[item].overlaps(place.grow(0.3)) {
                        found.push(item);
                    }
                });
                found.sort_unstable();
                let all: Vec<usize> = (0..n).filter(|&item| boxes[item].overlaps(place.grow(0.3))).collect();
                assert_eq!(found, all, "{n} boxes");
            }
        }
    }
}
