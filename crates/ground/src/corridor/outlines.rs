//! The outlines of a scene as planning sees them: on a fine grid, in known directions, with a quick test for free
//! places.

use super::box_tree::{Bounds, BoxTree};
use crate::polygon::signed_area;
use crate::{Scene, contains};
use surefoot_geom::Vec2;

/// Points are moved to whole multiples of this, in metres: about a nanometre. What touches up to the rounding of
/// numbers then touches exactly, and all coordinates and their differences are exact in an `f64`.
pub(super) const GRID: f64 = 1.0 / (1u64 << 30) as f64;

/// The bounds, with the inside to the left of each edge, and obstacles, with the outside to the left.
#[derive(Clone, Debug)]
pub(super) struct Outlines {
    bounds: Vec<Vec2>,
    obstacles: Vec<Vec<Vec2>>,
    tree: BoxTree,
}

pub(super) fn snap(point: Vec2) -> Vec2 {
    // Adding 0 makes -0 a 0, so that equal points have equal bits.
    (point / GRID).round() * GRID + Vec2::ZERO
}

impl Outlines {
    pub(super) fn new(scene: &Scene) -> Outlines {
        let obstacles: Vec<Vec<Vec2>> =
            scene.obstacles.iter().map(|obstacle| directed(&obstacle.outline, -1.0)).collect();
        let boxes: Vec<Bounds> = obstacles.iter().map(|outline| Bounds::around_all(outline.iter().copied())).collect();
        Outlines { bounds: directed(&scene.bounds, 1.0), obstacles, tree: BoxTree::new(&boxes) }
    }

    /// All edges: those of the bounds first.
    pub(super) fn edges(&self) -> impl Iterator<Item = (Vec2, Vec2)> + '_ {
        std::iter::once(&self.bounds).chain(&self.obstacles).flat_map(|outline| {
            let next = outline.iter().cycle().skip(1);
            outline.iter().copied().zip(next.copied()).filter(|(a, b)| a != b)
        })
    }

    pub(super) fn in_bounds(&self, point: Vec2) -> bool {
        contains(&self.bounds, point)
    }

    /// The first obstacle that has a point in it or on its edge.
    pub(super) fn obstacle_at(&self, point: Vec2) -> Option<usize> {
        let mut found: Option<usize> = None;
        self.tree.overlapping(Bounds::around(point, point), |obstacle| {
            if found.is_none_or(|first| obstacle < first) && contains(&self.obstacles[obstacle], point) {
                found = Some(obstacle);
            }
        });
        found
    }

    pub(super) fn is_free(&self, point: Vec2) -> bool {
        self.in_bounds(point) && self.obstacle_at(point).is_none()
    }
}

/// An outline on the grid whose signed area has a sign.
fn directed(outline: &[Vec2], sign: f64) -> Vec<Vec2> {
    let mut points: Vec<Vec2> = outline.iter().map(|&point| snap(point)).collect();
    if signed_area(&points) * sign < 0.0 {
        points.reverse();
    }
    points
}
