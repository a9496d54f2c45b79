//! How far places and paths are from the outlines of a scene, exactly as they were given.
//!
//! Planning itself sees outlines on a grid of a nanometre and only where they bound the free space. What is promised
//! about clearances is measured here.

use super::box_tree::{Bounds, BoxTree};
use crate::outline_distance::{end_pairs, segments_apart};
use crate::polygon::nearest_on_segment;
use crate::{Scene, ScenePart};
use surefoot_geom::Vec2;

/// Long lines are looked at in pieces of this length, in metres.
const CLEAR_PIECE: f64 = 0.7;

/// The nearest part of a scene's outlines.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Nearest {
    /// In metres; 0 where a path crosses an outline.
    pub distance: f64,
    /// The point `(x, z)` of the outline.
    pub point: Vec2,
    /// The bounds or an obstacle.
    pub part: ScenePart,
}

/// All edges of a scene's outlines.
#[derive(Clone, Debug)]
pub(super) struct Border {
    edges: Vec<(Vec2, Vec2)>,
    parts: Vec<ScenePart>,
    tree: BoxTree,
}

impl Border {
    pub(super) fn new(scene: &Scene) -> Border {
        let obstacles =
            scene.obstacles.iter().enumerate().map(|(i, obstacle)| (ScenePart::Obstacle(i), &obstacle.outline));
        let outlines = std::iter::once((ScenePart::Bounds, &scene.bounds)).chain(obstacles);
        let mut edges = Vec::new();
        let mut parts = Vec::new();
        for (part, outline) in outlines {
            let next = outline.iter().cycle().skip(1);
            edges.extend(outline.iter().copied().zip(next.copied()));
            parts.resize(edges.len(), part);
        }
        let boxes: Vec<Bounds> = edges.iter().map(|&(a, b)| Bounds::around(a, b)).collect();
        Border { edges, parts, tree: BoxTree::new(&boxes) }
    }

    /// The point of an outline that is nearest to a place.
    pub(super) fn nearest(&self, place: Vec2) -> Nearest {
        let nowhere = Nearest { distance: f64::INFINITY, point: place, part: ScenePart::Bounds };
        self.nearest_within(place, f64::INFINITY).unwrap_or(nowhere)
    }

    /// The same, if it is nearer than `within`: the less that is, the faster.
    pub(super) fn nearest_within(&self, place: Vec2, within: f64) -> Option<Nearest> {
        self.nearest_of(Bounds::around(place, place), within * within, |a, b| {
            let point = nearest_on_segment(place, a, b);
            (place.distance_squared(point), point)
        })
    }

    /// Whether no outline is nearer to a straight line than a clearance.
    pub(super) fn is_clear(&self, from: Vec2, to: Vec2, clearance: f64) -> bool {
        // A box around a long line that is neither level nor upright holds much that is far from the line.
        let n = (from.distance(to) / CLEAR_PIECE).ceil().max(1.0) as usize;
        let at = |i: usize| if i == n { to } else { from.lerp(to, i as f64 / n as f64) };
        (0..n).all(|i| self.nearest_to_line(at(i), at(i + 1), clearance).is_none())
    }

    /// The point of an outline that is nearest to a straight line, if it is nearer than `within`.
    pub(super) fn nearest_to_line(&self, from: Vec2, to: Vec2, within: f64) -> Option<Nearest> {
        self.nearest_of(Bounds::around(from, to), within * within, |a, b| segments_apart(from, to, a, b))
    }

    /// Whether a straight line crosses an edge between the ends of both.
    pub(super) fn crosses(&self, from: Vec2, to: Vec2) -> bool {
        let line = to - from;
        let mut found = false;
        self.tree.search(Bounds::around(from, to), f64::MIN_POSITIVE, |index, within| {
            let (a, b) = self.edges[index];
            let edge = b - a;
            found |= line.perp_dot(a - from) * line.perp_dot(b - from) < 0.0
                && edge.perp_dot(from - a) * edge.perp_dot(to - a) < 0.0;
            within
        });
        found
    }

    fn nearest_of(
        &self,
        place: Bounds,
        within_squared: f64,
        distance: impl Fn(Vec2, Vec2) -> (f64, Vec2),
    ) -> Option<Nearest> {
        let mut found = None;
        self.tree.search(place, within_squared, |edge, within| {
            let (a, b) = self.edges[edge];
            let (squared, point) = distance(a, b);
            if squared < within {
                found = Some((squared, point, edge));
                return squared;
            }
            within
        });
        found.map(|(squared, point, edge)| Nearest { distance: squared.sqrt(), point, part: self.parts[edge] })
    }
}

/// Where two segments that do not cross are nearest to each other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Gap {
    /// Points of the one and of the other; the middle ones if many are as near.
    pub(super) points: [Vec2; 2],
    pub(super) width: f64,
    /// How far along the segments they are as near: 0 but for parallel ones.
    pub(super) length: f64,
}

pub(super) fn gap_between(one: (Vec2, Vec2), two: (Vec2, Vec2)) -> Gap {
    let pairs = end_pairs(one, two);
    let width = pairs.iter().map(|pair| pair[0].distance(pair[1])).fold(f64::INFINITY, f64::min);
    let mut nearest = pairs.iter().filter(|pair| pair[0].distance(pair[1]) < width + 1e-9);
    let first = nearest.next().copied().unwrap_or(pairs[0]);
    // Of segments that are parallel the ends of what they share are.
    let far = |pair: &[Vec2; 2]| pair[0].distance(first[0]);
    let last = nearest.copied().max_by(|p, q| far(p).total_cmp(&far(q))).unwrap_or(first);
    Gap { points: [first[0].midpoint(last[0]), first[1].midpoint(last[1])], width, length: far(&last) }
}

#[cfg(test)]
mod tests {
    use super::super::test_scenes::{in_square, random_scene};
    use super::*;
    use surefoot_geom::Random;

    #[test]
    fn lines_are_as_far_from_outlines_as_the_nearest_of_many_places_along_them() {
        for seed in 0..20 {
            let border = Border::new(&random_scene(seed));
            let mut random = Random::new(seed);
            for _ in 0..20 {
                let from = in_square(&mut random, 5.0);
                let to = from + in_square(&mut random, 0.5);
                let nearest = border.nearest_to_line(from, to, f64::INFINITY).expect("the bounds at least");
                let places = (0..=500).map(|i| border.nearest(from.lerp(to, f64::from(i) / 500.0)).distance);
                let sampled = places.fold(f64::INFINITY, f64::min);
                let step = from.distance(to) / 500.0;
                assert!(
                    nearest.distance <= sampled && nearest.distance >= sampled - step,
                    "seed {seed}: {nearest:?}, {sampled}"
                );
                assert_eq!(border.nearest_to_line(from, to, nearest.distance * (1.0 - 1e-12)), None, "seed {seed}");
            }
        }
    }
}
