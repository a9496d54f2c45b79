//! Scenes for tests, the same for the same seed.

use crate::{Obstacle, Scene};
use std::f64::consts::TAU;
use surefoot_geom::{Random, Vec2};

/// A point in a square of a half side around the origin.
pub(super) fn in_square(random: &mut Random, half: f64) -> Vec2 {
    Vec2::new(random.range(-half, half), random.range(-half, half))
}

/// A box with a corner and a size.
pub(super) fn box_at(corner: Vec2, size: Vec2) -> Vec<Vec2> {
    vec![corner, corner + Vec2::new(size.x, 0.0), corner + size, corner + Vec2::new(0.0, size.y)]
}

/// A square around the origin.
pub(super) fn square(half: f64) -> Vec<Vec2> {
    box_at(Vec2::splat(-half), Vec2::splat(2.0 * half))
}

/// A regular polygon.
pub(super) fn regular(centre: Vec2, radius: f64, n: usize, turned: f64) -> Vec<Vec2> {
    (0..n).map(|i| centre + Vec2::from_angle(turned + i as f64 / n as f64 * TAU) * radius).collect()
}

/// A star whose inner corners lie at a share of its radius.
fn star(centre: Vec2, radius: f64, n: usize, turned: f64) -> Vec<Vec2> {
    let reach = |i: usize| if i.is_multiple_of(2) { radius } else { 0.3 * radius };
    (0..2 * n).map(|i| centre + Vec2::from_angle(turned + i as f64 / (2 * n) as f64 * TAU) * reach(i)).collect()
}

pub(super) fn scene(bounds: Vec<Vec2>, outlines: Vec<Vec<Vec2>>) -> Scene {
    let obstacles = outlines.into_iter().map(|outline| Obstacle { outline, height: None }).collect();
    Scene { bounds, obstacles, terrain: None, start: None, goal: None, waypoints: Vec::new() }
}

/// Kinds of random scenes: see [`random_scene`].
pub(super) const N_KINDS: u64 = 6;

/// A square of 10 m with up to 30 obstacles that overlap, touch, cross the bounds and stand in each other. The kind is
/// the seed's rest: boxes on whole metres, convex polygons, stars, boxes on tenths of metres, round columns that touch,
/// and walls that are almost parallel.
pub(super) fn random_scene(seed: u64) -> Scene {
    let mut random = Random::new(seed);
    let n = 1 + random.index(30);
    scene(square(5.0), (0..n).map(|_| random_outline(&mut random, seed % N_KINDS)).collect())
}

fn random_outline(random: &mut Random, kind: u64) -> Vec<Vec2> {
    let centre = in_square(random, 5.0);
    let turned = random.range(0.0, TAU);
    match kind {
        0 => box_at(centre.round(), Vec2::new(1.0 + random.index(2) as f64, 1.0 + random.index(2) as f64)),
        1 => regular(centre, random.range(0.1, 1.0), 3 + random.index(6), turned),
        2 => star(centre, random.range(0.2, 1.5), 3 + random.index(6), turned),
        3 => {
            let size = Vec2::new(1.0 + random.index(20) as f64, 1.0 + random.index(20) as f64) / 10.0;
            box_at((centre * 10.0).round() / 10.0, size)
        }
        4 => regular(centre.round(), 0.5, 4 * (1 + random.index(8)), 0.0),
        _ => {
            let along = Vec2::from_angle(random.range(-1e-5, 1e-5));
            let (far, side) = (along * random.range(0.1, 3.0), along.perp() * 0.1);
            vec![centre, centre + far, centre + far + side, centre + side]
        }
    }
}

/// A hall of a number of convex obstacles that do not touch each other, as in the largest scene.
pub(super) fn hall(n: usize, half: f64, seed: u64) -> Scene {
    let mut random = Random::new(seed);
    let mut placed: Vec<(Vec2, f64)> = Vec::new();
    let mut outlines = Vec::new();
    for _ in 0..200 * n {
        if placed.len() == n {
            break;
        }
        let (centre, radius) = (in_square(&mut random, half - 1.0), random.range(0.2, 0.6));
        if placed.iter().all(|&(other, size)| other.distance(centre) > size + radius + 0.3) {
            placed.push((centre, radius));
            outlines.push(regular(centre, radius, 3 + random.index(6), random.range(0.0, TAU)));
        }
    }
    scene(square(half), outlines)
}

/// The number of the group of each of `n` things, given pairs that belong together; groups are numbered from 0.
pub(super) fn groups(n: usize, pairs: impl Iterator<Item = (usize, usize)>) -> Vec<usize> {
    let mut parent: Vec<usize> = (0..n).collect();
    let root = |parent: &mut Vec<usize>, mut i: usize| {
        while parent[i] != i {
            parent[i] = parent[parent[i]];
            i = parent[i];
        }
        i
    };
    for (i, j) in pairs {
        let (i, j) = (root(&mut parent, i), root(&mut parent, j));
        parent[i] = j;
    }
    let roots: Vec<usize> = (0..n).map(|i| root(&mut parent, i)).collect();
    let mut numbers = std::collections::HashMap::new();
    roots
        .into_iter()
        .map(|root| {
            let next = numbers.len();
            *numbers.entry(root).or_insert(next)
        })
        .collect()
}
