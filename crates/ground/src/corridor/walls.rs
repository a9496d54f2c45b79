//! The border of the free space, as straight walls with the free side on their left.
//!
//! Obstacles may overlap, touch, stand in each other and cross the bounds. So every edge is cut where it meets another
//! one, and a piece is a wall if the place just before its middle is free: what is left is the border of the union,
//! without computing the union.
//!
//! ```text
//!      +-------+                    +-------+
//!      |   +---|---+     cut and    |       +---+
//!      |   |   |   |    ------->    |           |
//!      +---|---+   |     sifted     +---+       |
//!          +-------+                    +-------+
//! ```

use super::box_tree::{Bounds, BoxTree};
use super::outlines::{GRID, Outlines, snap};
use crate::polygon::nearest_on_segment;
use std::collections::HashMap;
use surefoot_geom::Vec2;

/// An end this near an edge lies on it, in metres: a few steps of the grid, for cuts are rounded to it as well.
const TOUCHING: f64 = 2.0 * GRID;
/// How far before a wall the place lies that must be free, in metres: more than what rounding moved.
const BEFORE: f64 = 4.0 * GRID;

/// A straight piece of the border of the free space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Wall {
    pub(super) a: Vec2,
    pub(super) b: Vec2,
    /// From `a` to `b`, of length 1.
    pub(super) along: Vec2,
    pub(super) length: f64,
    /// The corners at `a` and `b`.
    pub(super) from: u32,
    pub(super) to: u32,
}

impl Wall {
    /// Toward the free side, of length 1.
    pub(super) fn normal(&self) -> Vec2 {
        self.along.perp()
    }

    /// What tells walls apart in different maps.
    pub(super) fn key(&self) -> [u64; 4] {
        [self.a.x, self.a.y, self.b.x, self.b.y].map(f64::to_bits)
    }

    pub(super) fn bounds(&self) -> Bounds {
        Bounds::around(self.a, self.b)
    }
}

/// All walls of a scene.
#[derive(Clone, Debug)]
pub(super) struct Walls {
    pub(super) walls: Vec<Wall>,
    pub(super) corners: Vec<Vec2>,
    /// For each wall the wall at its end that the same free place touches, clockwise from it; `None` where rounding
    /// left a gap of some nanometres.
    pub(super) next: Vec<Option<u32>>,
    /// For each wall the one whose next it is.
    before: Vec<Option<u32>>,
    /// Longer than any distance between two places of the scene.
    pub(super) reach: f64,
    tree: BoxTree,
}

impl Walls {
    pub(super) fn new(outlines: &Outlines) -> Walls {
        let mut corners = Corners::default();
        let mut walls = Vec::new();
        let mut known = HashMap::new();
        for (a, b) in cut_edges(&outlines.edges().collect::<Vec<_>>()) {
            let along = (b - a).normalize();
            let before = a.midpoint(b) + along.perp() * BEFORE;
            if outlines.is_free(before) {
                let wall = Wall { a, b, along, length: a.distance(b), from: corners.number(a), to: corners.number(b) };
                // Outlines that share an edge give it twice.
                known.entry(wall.key()).or_insert_with(|| walls.push(wall));
            }
        }
        let boxes: Vec<Bounds> = walls.iter().map(Wall::bounds).collect();
        let all = boxes.iter().fold(Bounds::EMPTY, |all, &one| all.join(one));
        let reach = if walls.is_empty() { 0.0 } else { 2.0 * all.low.distance(all.high) };
        let next = link(&walls, corners.points.len());
        let mut before = vec![None; walls.len()];
        for (wall, next) in next.iter().enumerate() {
            if let Some(next) = next {
                before[*next as usize] = Some(wall as u32);
            }
        }
        Walls { walls, corners: corners.points, next, before, reach, tree: BoxTree::new(&boxes) }
    }

    /// The wall before a wall, around the same free place.
    pub(super) fn before(&self, wall: u32) -> Option<u32> {
        self.before[wall as usize]
    }

    /// The wall that is nearest to a point and its distance, if that is below `within`.
    pub(super) fn nearest(&self, point: Vec2, within: f64) -> Option<(usize, f64)> {
        let mut found = None;
        self.tree.search(Bounds::around(point, point), within * within, |item, within| {
            let wall = &self.walls[item];
            let distance = point.distance_squared(nearest_on_segment(point, wall.a, wall.b));
            if distance < within {
                found = Some((item, distance));
                return distance;
            }
            within
        });
        found.map(|(item, squared)| (item, squared.sqrt()))
    }
}

/// Points by their numbers, each once.
#[derive(Default)]
struct Corners {
    points: Vec<Vec2>,
    numbers: HashMap<[u64; 2], u32>,
}

impl Corners {
    fn number(&mut self, point: Vec2) -> u32 {
        let points = &mut self.points;
        *self.numbers.entry([point.x.to_bits(), point.y.to_bits()]).or_insert_with(|| {
            points.push(point);
            points.len() as u32 - 1
        })
    }
}

/// Edges in pieces that meet only at their ends.
fn cut_edges(edges: &[(Vec2, Vec2)]) -> Vec<(Vec2, Vec2)> {
    let boxes: Vec<Bounds> = edges.iter().map(|&(a, b)| Bounds::around(a, b).grow(TOUCHING)).collect();
    let tree = BoxTree::new(&boxes);
    let mut pieces = Vec::with_capacity(edges.len());
    let mut cuts = Vec::new();
    for (i, &edge) in edges.iter().enumerate() {
        cuts.clear();
        tree.overlapping(boxes[i], |j| {
            if i != j && boxes[i].overlaps(boxes[j]) {
                cut(edge, edges[j], &mut cuts);
            }
        });
        let along = |point: &Vec2| (*point - edge.0).dot(edge.1 - edge.0);
        cuts.sort_by(|p, q| along(p).total_cmp(&along(q)).then(p.x.total_cmp(&q.x)).then(p.y.total_cmp(&q.y)));
        let mut from = edge.0;
        for &to in cuts.iter().chain([&edge.1]) {
            if to != from {
                pieces.push((from, to));
                from = to;
            }
        }
    }
    pieces
}

/// Where another edge cuts an edge between its ends: at an end of the other that lies on it, or where they cross. Both
/// edges find the same point, for it is computed from them in a fixed order.
fn cut(edge: (Vec2, Vec2), other: (Vec2, Vec2), cuts: &mut Vec<Vec2>) {
    let lies_on = |point: Vec2, (a, b): (Vec2, Vec2)| point.distance(nearest_on_segment(point, a, b)) <= TOUCHING;
    let at_end = |point: Vec2| point.distance(edge.0) <= TOUCHING || point.distance(edge.1) <= TOUCHING;
    let ends = [other.0, other.1].map(|end| (end, lies_on(end, edge)));
    if ends.iter().any(|&(_, on)| on) {
        cuts.extend(ends.iter().filter(|&&(end, on)| on && !at_end(end)).map(|&(end, _)| end));
        return;
    }
    if lies_on(edge.0, other) || lies_on(edge.1, other) {
        return;
    }
    if let Some(point) = crossing(edge, other) {
        cuts.push(point);
    }
}

fn crossing(first: (Vec2, Vec2), second: (Vec2, Vec2)) -> Option<Vec2> {
    let key = |(a, b): (Vec2, Vec2)| [a.x, a.y, b.x, b.y];
    let ((a, b), (c, d)) = if key(first) < key(second) { (first, second) } else { (second, first) };
    let (of_c, of_d) = ((b - a).perp_dot(c - a), (b - a).perp_dot(d - a));
    let (of_a, of_b) = ((d - c).perp_dot(a - c), (d - c).perp_dot(b - c));
    let apart = |p: f64, q: f64| (p < 0.0 && q > 0.0) || (p > 0.0 && q < 0.0);
    (apart(of_c, of_d) && apart(of_a, of_b)).then(|| snap(c.lerp(d, of_c / (of_c - of_d))))
}

/// For each wall the wall that goes on from its end: of those that leave its end corner, the first clockwise from the
/// wall.
fn link(walls: &[Wall], n_corners: usize) -> Vec<Option<u32>> {
    let mut leaving: Vec<Vec<u32>> = vec![Vec::new(); n_corners];
    for (index, wall) in walls.iter().enumerate() {
        leaving[wall.from as usize].push(index as u32);
    }
    let clockwise = |wall: &Wall, next: u32| {
        let (back, on) = (-wall.along, walls[next as usize].along);
        (-back.perp_dot(on)).atan2(back.dot(on)).rem_euclid(std::f64::consts::TAU)
    };
    let first = |wall: &Wall| {
        let candidates = leaving[wall.to as usize].iter().copied();
        candidates.min_by(|&i, &j| clockwise(wall, i).total_cmp(&clockwise(wall, j)))
    };
    walls.iter().map(first).collect()
}

#[cfg(test)]
mod tests {
    use super::super::test_scenes::{N_KINDS, box_at, random_scene, scene, square};
    use super::*;

    fn walls(outlines: Vec<Vec<Vec2>>) -> Walls {
        Walls::new(&Outlines::new(&scene(square(5.0), outlines)))
    }

    fn total(walls: &Walls) -> f64 {
        walls.walls.iter().map(|wall| wall.length).sum()
    }

    #[test]
    fn only_the_border_of_the_union_is_left() {
        let unit = Vec2::ONE;
        let check = |outlines: Vec<Vec<Vec2>>, length: f64| {
            let walls = walls(outlines);
            assert!((total(&walls) - length).abs() < 1e-7, "{} instead of {length}", total(&walls));
            assert!(walls.next.iter().all(Option::is_some));
        };
        let at = |x: f64, z: f64| box_at(Vec2::new(x, z), unit);
        check(vec![], 40.0);
        check(vec![at(0.0, 0.0)], 44.0);
        check(vec![at(0.0, 0.0), at(0.5, 0.5)], 46.0); // overlap
        check(vec![at(0.0, 0.0), at(1.0, 0.0)], 46.0); // share an edge
        check(vec![at(0.0, 0.0), at(1.0, 0.5)], 47.0); // share half an edge
        check(vec![at(0.0, 0.0), at(1.0, 1.0)], 48.0); // share a corner
        check(vec![at(0.0, 0.0), box_at(Vec2::splat(-1.0), unit * 3.0)], 52.0); // one in the other
        check(vec![at(0.0, 0.0), at(0.0, 0.0)], 44.0); // the same twice
        check(vec![at(4.5, 0.0)], 41.0); // across the bounds
        check(vec![at(4.0, 0.0)], 42.0); // along the bounds
        check(vec![at(6.0, 0.0)], 40.0); // outside
        check(vec![at(0.1, 0.2), at(1.1, 0.2), at(2.1, 0.2)], 48.0); // touching up to rounding
    }

    #[test]
    fn walls_bound_the_free_space_and_go_on_at_their_ends() {
        for seed in 0..N_KINDS * 20 {
            let outlines = Outlines::new(&random_scene(seed));
            let walls = Walls::new(&outlines);
            for (wall, next) in walls.walls.iter().zip(&walls.next) {
                let middle = wall.a.midpoint(wall.b);
                assert!(outlines.is_free(middle + wall.normal() * BEFORE), "seed {seed}: {wall:?}");
                assert!(!outlines.is_free(middle - wall.normal() * BEFORE), "seed {seed}: {wall:?}");
                assert!(next.is_some(), "seed {seed}: a gap at {}", wall.b);
            }
        }
    }
}
