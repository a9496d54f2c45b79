//! Corridor maps of halls with obstacles: building, asking for corridors, drawing paths, and following a change.
//!
//! Run with `cargo bench -p surefoot-ground`.

use divan::{Bencher, black_box};
use std::f64::consts::TAU;
use surefoot_geom::{Random, Vec2};
use surefoot_ground::{Corridor, CorridorMap, CorridorOptions, Obstacle, PathOptions, Scene};

const CLEARANCE: f64 = 0.3;
const SIZES: [usize; 2] = [200, 1_000];

fn main() {
    divan::main();
}

fn half_side(n: usize) -> f64 {
    (n as f64).sqrt()
}

/// A square hall with 4 m² for each obstacle, a polygon of 3 to 8 corners; some touch or overlap.
fn hall(n: usize) -> Scene {
    let half = half_side(n);
    let mut random = Random::new(1);
    let mut obstacle = || {
        let centre = Vec2::new(random.range(1.0 - half, half - 1.0), random.range(1.0 - half, half - 1.0));
        let (radius, turned, n) = (random.range(0.1, 0.5), random.range(0.0, TAU), random.range(3.0, 9.0) as usize);
        let corner = |i: usize| centre + Vec2::from_angle(turned + i as f64 / n as f64 * TAU) * radius;
        Obstacle { outline: (0..n).map(corner).collect(), height: None }
    };
    let obstacles = (0..n).map(|_| obstacle()).collect();
    let bounds = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)].map(|corner| Vec2::from(corner) * half).to_vec();
    Scene { bounds, obstacles, terrain: None, start: None, goal: None, waypoints: Vec::new() }
}

fn map(n: usize) -> CorridorMap {
    CorridorMap::new(&hall(n), &CorridorOptions::default()).expect("a hall")
}

/// From corner to corner.
fn corridor(map: &CorridorMap, n: usize) -> Corridor {
    let corner = Vec2::splat(half_side(n) - 0.4);
    map.query(-corner, corner, CLEARANCE).expect("a path")
}

#[divan::bench(args = SIZES, sample_count = 10)]
fn new_map(bencher: Bencher<'_, '_>, n: usize) {
    let scene = hall(n);
    bencher.bench_local(|| CorridorMap::new(black_box(&scene), &CorridorOptions::default()));
}

#[divan::bench(args = SIZES, sample_count = 10)]
fn with_obstacle(bencher: Bencher<'_, '_>, n: usize) {
    let map = map(n);
    let outline = [(0.0, 0.0), (0.5, 0.0), (0.5, 0.5), (0.0, 0.5)].map(Vec2::from).to_vec();
    let obstacle = Obstacle { outline, height: None };
    bencher.bench_local(|| map.with_obstacle(black_box(obstacle.clone())));
}

#[divan::bench(args = SIZES)]
fn query(bencher: Bencher<'_, '_>, n: usize) {
    let map = map(n);
    bencher.bench_local(|| corridor(black_box(&map), n));
}

#[divan::bench(args = SIZES)]
fn attracted_path(bencher: Bencher<'_, '_>, n: usize) {
    let corridor = corridor(&map(n), n);
    bencher.bench_local(|| black_box(&corridor).attracted_path(&PathOptions::default()));
}

#[divan::bench(args = SIZES)]
fn path(bencher: Bencher<'_, '_>, n: usize) {
    let corridor = corridor(&map(n), n);
    bencher.bench_local(|| black_box(&corridor).path(&PathOptions::default()));
}
