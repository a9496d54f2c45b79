//! Delaunay tetrahedralisation of random points in a cube: building, and finding the tetrahedron of a point.
//!
//! Run with `cargo bench -p surefoot-geom`.

use divan::{Bencher, black_box, counter::ItemsCount};
use surefoot_geom::delaunay::{Delaunay, Location};
use surefoot_geom::{Random, Vec3};

const SIZES: [usize; 3] = [1_000, 10_000, 100_000];
const N_QUERIES: usize = 1_000;

fn main() {
    divan::main();
}

/// Points in the unit cube that look random and are the same every time.
fn random_points(n: usize, seed: u64) -> Vec<Vec3> {
    let mut random = Random::new(seed);
    (0..n).map(|_| Vec3::new(random.unit(), random.unit(), random.unit())).collect()
}

fn random_delaunay(n: usize) -> Delaunay {
    Delaunay::new(&random_points(n, 1)).expect("finite")
}

#[divan::bench(args = SIZES, sample_count = 10)]
fn build(bencher: Bencher<'_, '_>, n: usize) {
    let points = random_points(n, 1);
    bencher.bench_local(|| Delaunay::new(black_box(&points)));
}

/// Points of a grid: every test is a tie.
#[divan::bench(args = [10, 22], sample_count = 10)]
fn build_grid_of_side(bencher: Bencher<'_, '_>, n: usize) {
    let at = |i: usize| Vec3::new((i / n / n) as f64, (i / n % n) as f64, (i % n) as f64) * 0.1;
    let points: Vec<Vec3> = (0..n * n * n).map(at).collect();
    bencher.bench_local(|| Delaunay::new(black_box(&points)));
}

/// From parts that were stored, with all checks.
#[divan::bench(args = SIZES, sample_count = 10)]
fn from_parts(bencher: Bencher<'_, '_>, n: usize) {
    let delaunay = random_delaunay(n);
    let neighbours: Vec<_> = delaunay.tet_ids().map(|tet| delaunay.neighbours(tet)).collect();
    bencher.bench_local(|| Delaunay::from_parts(black_box(delaunay.points()), delaunay.tetrahedra(), &neighbours));
}

/// Random queries without hints; the time of one.
#[divan::bench(args = SIZES)]
fn locate(bencher: Bencher<'_, '_>, n: usize) {
    let delaunay = random_delaunay(n);
    let queries = random_points(N_QUERIES, 2);
    bencher.counter(ItemsCount::new(N_QUERIES)).bench_local(|| {
        for &query in &queries {
            black_box(delaunay.locate(query, None));
        }
    });
}

/// Queries along a line in steps of a thousandth, each with the last one's tetrahedron as its hint.
#[divan::bench(args = SIZES)]
fn locate_with_hint(bencher: Bencher<'_, '_>, n: usize) {
    let delaunay = random_delaunay(n);
    bencher.counter(ItemsCount::new(N_QUERIES)).bench_local(|| {
        let mut hint = None;
        for i in 0..N_QUERIES {
            let along = 0.1 + 0.8 * i as f64 / N_QUERIES as f64;
            match delaunay.locate(Vec3::new(along, 0.3 + 0.4 * along, 0.9 - 0.7 * along), hint) {
                Location::Inside(tet) => hint = Some(tet),
                _ => hint = None,
            }
        }
        hint
    });
}

/// Queries up to half a side outside the cube.
#[divan::bench(args = SIZES)]
fn nearest_on_hull(bencher: Bencher<'_, '_>, n: usize) {
    let delaunay = random_delaunay(n);
    let outside = |p: &Vec3| p.min_element() < -0.1 || p.max_element() > 1.1;
    let wide = random_points(10 * N_QUERIES, 3).into_iter().map(|p| p * 2.0 - 0.5);
    let queries: Vec<Vec3> = wide.filter(outside).take(N_QUERIES).collect();
    bencher.counter(ItemsCount::new(N_QUERIES)).bench_local(|| {
        for &query in &queries {
            black_box(delaunay.nearest_on_hull(query));
        }
    });
}

#[divan::bench(args = SIZES)]
fn nearest_vertex(bencher: Bencher<'_, '_>, n: usize) {
    let delaunay = random_delaunay(n);
    let queries = random_points(N_QUERIES, 4);
    bencher.counter(ItemsCount::new(N_QUERIES)).bench_local(|| {
        for &query in &queries {
            black_box(delaunay.nearest_vertex(query));
        }
    });
}

#[divan::bench]
fn weights(bencher: Bencher<'_, '_>) {
    let delaunay = random_delaunay(1_000);
    let located = random_points(N_QUERIES, 5).into_iter().filter_map(|query| match delaunay.locate(query, None) {
        Location::Inside(tet) => Some((tet, query)),
        _ => None,
    });
    let located: Vec<_> = located.collect();
    bencher.counter(ItemsCount::new(located.len())).bench_local(|| {
        for &(tet, query) in &located {
            black_box(delaunay.weights(tet, query));
        }
    });
}
