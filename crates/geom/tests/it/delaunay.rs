//! What a Delaunay tetrahedralisation promises, checked by brute force with exact predicates.

use proptest::prelude::*;
use robust::{Coord3D, insphere, orient3d};
use std::collections::BTreeSet;
use surefoot_geom::delaunay::{Delaunay, DelaunayError, Location, TetId, helper_point_weights, tetrahedron_weights};
use surefoot_geom::{Random, Vec3};

/// Points in the cube from -1 to 1.
fn cube(random: &mut Random, n: usize) -> Vec<Vec3> {
    (0..n).map(|_| random.in_cube()).collect()
}

fn shuffle<T>(random: &mut Random, items: &mut [T]) {
    for i in (1..items.len()).rev() {
        items.swap(i, random.index(i + 1));
    }
}

fn coordinates(p: Vec3) -> Coord3D<f64> {
    Coord3D { x: p.x, y: p.y, z: p.z }
}

/// The exact sign of a tetrahedron's volume.
fn side(a: Vec3, b: Vec3, c: Vec3, d: Vec3) -> f64 {
    orient3d(coordinates(b), coordinates(a), coordinates(c), coordinates(d))
}

fn volume([a, b, c, d]: [Vec3; 4]) -> f64 {
    (b - a).cross(c - a).dot(d - a) / 6.0
}

fn grid(n: usize) -> Vec<Vec3> {
    let at = |i: usize| Vec3::new((i / n / n) as f64, (i / n % n) as f64, (i % n) as f64);
    (0..n * n * n).map(at).collect()
}

/// Builds, and checks everything that is promised of the tetrahedra.
fn check(points: &[Vec3]) -> Delaunay {
    let delaunay = Delaunay::new(points).expect("points are finite");
    check_tetrahedra(&delaunay, points);
    delaunay
}

/// `points` may be scaled by a power of two, to keep the exact predicates here from underflow.
fn check_tetrahedra(delaunay: &Delaunay, points: &[Vec3]) {
    let at = |vertex: u32| points[vertex as usize];
    let distinct: Vec<u32> =
        (0..points.len() as u32).filter(|&vertex| delaunay.duplicate_of(vertex).is_none()).collect();
    let mut used = BTreeSet::new();
    for (tet, &corners) in delaunay.tet_ids().zip(delaunay.tetrahedra()) {
        let [a, b, c, d] = corners.map(at);
        assert!(side(a, b, c, d) > 0.0, "{tet:?} is flat or inside out");
        used.extend(corners);
        for &vertex in &distinct {
            let [a, b, c, d] = [b, a, c, d].map(coordinates);
            let inside = insphere(a, b, c, d, coordinates(at(vertex)));
            assert!(inside <= 0.0, "{vertex} lies in the sphere of {tet:?}");
        }
        for (face, neighbour) in delaunay.neighbours(tet).into_iter().enumerate() {
            let Some(neighbour) = neighbour else { continue };
            let back = delaunay.neighbours(neighbour).iter().position(|&other| other == Some(tet)).expect("mutual");
            let without = |tet, place| {
                let corners = delaunay.vertices(tet).into_iter().enumerate();
                corners.filter(|&(i, _)| i != place).map(|(_, vertex)| vertex).collect::<BTreeSet<u32>>()
            };
            assert_eq!(without(tet, face), without(neighbour, back));
        }
    }
    for facet in delaunay.hull_facets() {
        let [a, b, c] = delaunay.facet_vertices(facet).map(at);
        assert!(distinct.iter().all(|&vertex| side(a, b, c, at(vertex)) <= 0.0), "{facet:?} is not on the hull");
        let inside = delaunay.vertices(delaunay.facet_tet(facet));
        assert!(delaunay.facet_vertices(facet).iter().all(|vertex| inside.contains(vertex)));
        for neighbour in delaunay.facet_neighbours(facet) {
            assert!(delaunay.facet_neighbours(neighbour).contains(&facet));
        }
    }
    let n_tets = delaunay.tetrahedra().len();
    assert_eq!(n_tets > 0, delaunay.dimension() == 3);
    if n_tets > 0 {
        assert_eq!(used.into_iter().collect::<Vec<_>>(), distinct);
        // A ball: vertices - edges + faces - tetrahedra = 1.
        let n_faces = (4 * n_tets + delaunay.n_hull_facets()) / 2;
        assert_eq!(distinct.len() + n_faces, delaunay.edges().len() + n_tets + 1);
    }
    let sum: f64 =
        delaunay.tetrahedra().iter().map(|corners| volume(corners.map(|v| delaunay.points()[v as usize]))).sum();
    let hull = delaunay.hull_volume();
    assert!((sum - hull).abs() <= 1e-9 * hull, "tetrahedra fill {sum} of {hull}");
    let neighbours: Vec<_> = delaunay.tet_ids().map(|tet| delaunay.neighbours(tet)).collect();
    let stored = Delaunay::from_parts(delaunay.points(), delaunay.tetrahedra(), &neighbours);
    assert_eq!(stored.as_ref(), Ok(delaunay));
}

/// Each tetrahedron by its places rather than its numbers.
fn as_set(delaunay: &Delaunay) -> BTreeSet<[[u64; 3]; 4]> {
    let bits = |p: Vec3| p.to_array().map(|x| (x + 0.0).to_bits());
    let sorted = |tet| {
        let mut corners = delaunay.corners(tet).map(bits);
        corners.sort_unstable();
        corners
    };
    delaunay.tet_ids().map(sorted).collect()
}

/// Compares a query with all tetrahedra, facets and vertices.
fn check_query(delaunay: &Delaunay, query: Vec3, hint: Option<TetId>) {
    let has = |tet: &TetId| {
        let corners = delaunay.corners(*tet);
        (0..4).all(|face| {
            let mut replaced = corners;
            replaced[face] = query;
            let [a, b, c, d] = replaced;
            side(a, b, c, d) >= 0.0
        })
    };
    let at = |vertex: u32| delaunay.points()[vertex as usize];
    let found = delaunay.locate(query, hint);
    match (found, delaunay.tet_ids().find(has)) {
        (Location::Inside(tet), Some(lowest)) => {
            assert_eq!(tet, lowest, "{query}");
            assert_eq!(delaunay.nearest_on_hull(query), None);
            let weights = delaunay.weights(tet, query);
            let corners = delaunay.corners(tet);
            let sum: Vec3 = corners.iter().zip(weights).map(|(&corner, weight)| corner * weight).sum();
            let size = corners.iter().map(|corner| corner.abs().max_element()).fold(0.0, f64::max);
            assert!(sum.distance(query) <= 1e-14 * size, "{query}: {sum}");
        }
        (Location::Outside { facet }, None) => {
            let [a, b, c] = delaunay.facet_vertices(facet).map(at);
            assert!(side(a, b, c, query) > 0.0);
            let nearest = delaunay.nearest_on_hull(query).expect("outside");
            let all = delaunay
                .hull_facets()
                .map(|facet| nearest_in_triangle(delaunay.facet_vertices(facet).map(at), query).distance(query));
            let least = all.fold(f64::INFINITY, f64::min);
            assert!((nearest.distance - least).abs() <= 1e-12 * least.max(1.0), "{} or {least}", nearest.distance);
            assert!((nearest.point.distance(query) - nearest.distance).abs() <= 1e-12 * least.max(1.0));
            let weighted = nearest.vertices.iter().zip(nearest.weights).map(|(&vertex, weight)| at(vertex) * weight);
            assert!(weighted.sum::<Vec3>().distance(nearest.point) <= 1e-12);
            assert!(nearest.weights.iter().all(|weight| (0.0..=1.0).contains(weight)));
            assert_eq!(delaunay.facet_vertices(nearest.facet), nearest.vertices);
            assert_eq!(delaunay.facet_tet(nearest.facet), nearest.tet);
            assert_eq!(delaunay.nearest_on_hull_from(query, hint), Some(nearest));
        }
        (found, lowest) => panic!("{query}: found {found:?}, but {lowest:?} has it"),
    }
    let nearest = delaunay.nearest_vertex(query).expect("there are points");
    let least = delaunay.points().iter().map(|p| p.distance(query)).fold(f64::INFINITY, f64::min);
    assert!(at(nearest).distance(query) <= least * (1.0 + 1e-14), "{query}");
}

/// By regions of the triangle (C. Ericson, "Real-Time Collision Detection", 5.1.5), another method than the hull's own.
fn nearest_in_triangle([a, b, c]: [Vec3; 3], p: Vec3) -> Vec3 {
    let (ab, ac, ap) = (b - a, c - a, p - a);
    let (d1, d2) = (ab.dot(ap), ac.dot(ap));
    if d1 <= 0.0 && d2 <= 0.0 {
        return a;
    }
    let bp = p - b;
    let (d3, d4) = (ab.dot(bp), ac.dot(bp));
    if d3 >= 0.0 && d4 <= d3 {
        return b;
    }
    let vc = d1 * d4 - d3 * d2;
    if vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0 {
        return a + ab * (d1 / (d1 - d3));
    }
    let cp = p - c;
    let (d5, d6) = (ab.dot(cp), ac.dot(cp));
    if d6 >= 0.0 && d5 <= d6 {
        return c;
    }
    let vb = d5 * d2 - d1 * d6;
    if vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0 {
        return a + ac * (d2 / (d2 - d6));
    }
    let va = d3 * d6 - d5 * d4;
    if va <= 0.0 && d4 - d3 >= 0.0 && d5 - d6 >= 0.0 {
        return b + (c - b) * ((d4 - d3) / ((d4 - d3) + (d5 - d6)));
    }
    a + ab * (vb / (va + vb + vc)) + ac * (vc / (va + vb + vc))
}

#[test]
fn random_points_have_empty_spheres() {
    for seed in 0..20 {
        let mut random = Random::new(seed);
        for n in [4, 5, 6, 8, 20, 100, 250] {
            let delaunay = check(&cube(&mut random, n));
            assert_eq!(delaunay.dimension(), 3);
        }
    }
}

#[test]
fn known_solids_have_their_volumes() {
    let corners: Vec<Vec3> = grid(2);
    assert_eq!(check(&corners).hull_volume(), 1.0);
    assert_eq!(check(&corners).hull_vertices(), (0..8).collect::<Vec<u32>>());
    let octahedron = [Vec3::X, Vec3::Y, Vec3::Z, -Vec3::X, -Vec3::Y, -Vec3::Z];
    assert!((check(&octahedron).hull_volume() - 4.0 / 3.0).abs() < 1e-15);
    let filled: Vec<Vec3> =
        corners.into_iter().chain(cube(&mut Random::new(1), 50).iter().map(|&p| p * 0.4 + 0.5)).collect();
    let delaunay = check(&filled);
    assert!((delaunay.hull_volume() - 1.0).abs() < 1e-14);
    assert_eq!(delaunay.hull_vertices(), (0..8).collect::<Vec<u32>>());
}

#[test]
fn few_flat_or_equal_points_have_no_tetrahedra() {
    let line: Vec<Vec3> = (0..20).map(|i| Vec3::new(0.5, 2.0, -1.0) * (i * 7 % 20) as f64).collect();
    let plane: Vec<Vec3> = grid(5).into_iter().filter(|p| p.x == 2.0).map(|p| Vec3::new(p.y + p.z, p.y, p.z)).collect();
    let cases: [(Vec<Vec3>, i32); 9] = [
        (vec![], -1),
        (vec![Vec3::ONE], 0),
        (vec![Vec3::ONE; 9], 0),
        (vec![Vec3::ONE, Vec3::X], 1),
        (vec![Vec3::ONE, Vec3::X, Vec3::Y], 2),
        (vec![Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::ONE], 3),
        (vec![Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::X + Vec3::Y], 2),
        (line, 1),
        (plane, 2),
    ];
    for (points, dimension) in cases {
        let delaunay = check(&points);
        assert_eq!(delaunay.dimension(), dimension, "{points:?}");
        if dimension < 3 {
            assert_eq!(delaunay.locate(Vec3::ONE, None), Location::Degenerate);
            assert_eq!(delaunay.nearest_on_hull(Vec3::ONE), None);
            assert_eq!((delaunay.hull_volume(), delaunay.edges().len()), (0.0, 0));
        }
        // Each point is nearest to itself, or to the first of its duplicates.
        for (vertex, &point) in (0u32..).zip(&points) {
            assert_eq!(delaunay.nearest_vertex(point), Some(delaunay.duplicate_of(vertex).unwrap_or(vertex)));
        }
    }
    assert_eq!(Delaunay::new(&[]).expect("no points").nearest_vertex(Vec3::ONE), None);
}

#[test]
fn points_that_are_not_finite_are_refused() {
    for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        let points = [Vec3::ONE, Vec3::X, Vec3::new(0.0, bad, 0.0)];
        assert_eq!(Delaunay::new(&points), Err(DelaunayError::NotFinite { point: 2 }));
        let delaunay = check(&grid(2));
        assert_eq!(delaunay.locate(Vec3::new(0.5, bad, 0.5), None), Location::Degenerate);
        assert_eq!(delaunay.nearest_vertex(Vec3::new(0.5, bad, 0.5)), None);
    }
}

#[test]
fn grids_are_cut_into_tetrahedra_of_positive_volume() {
    for n in 2..=6 {
        let delaunay = check(&grid(n));
        assert_eq!(delaunay.hull_volume(), (n as f64 - 1.0).powi(3));
    }
}

#[test]
fn grids_with_the_least_jitter_are_cut_too() {
    for (seed, exponent) in (9..=17).enumerate() {
        let mut random = Random::new(seed as u64);
        let jitter = 10f64.powi(-exponent);
        check(&grid(4).into_iter().map(|p| p * 0.1 + random.in_cube() * jitter).collect::<Vec<_>>());
    }
}

#[test]
fn points_on_one_sphere_are_cut_too() {
    // All points of integer coordinates at the same distance from the origin, exactly on one sphere.
    let lattice: Vec<Vec3> = grid(27).iter().map(|p| *p - 13.0).filter(|p| p.length_squared() == 161.0).collect();
    assert!(lattice.len() > 50);
    check(&lattice);
    let mut random = Random::new(5);
    check(&(0..200).map(|_| random.in_cube().normalize()).collect::<Vec<_>>());
    let mut with_centre = lattice;
    with_centre.push(Vec3::ZERO);
    check(&with_centre);
}

#[test]
fn points_in_planes_lines_and_clusters_are_cut_too() {
    let mut random = Random::new(11);
    let mut points = Vec::new();
    // As step parameters come: clusters, repeated steps, steps with one parameter in common, rounded numbers.
    for _ in 0..12 {
        let centre = random.in_cube();
        points.extend((0..12).map(|_| centre + random.in_cube() * 1e-3));
        points.push(centre);
        points.push(centre);
        points.push(Vec3::new(centre.x, 0.25, centre.z));
        points.push(Vec3::new(0.1, centre.y, 0.2));
        points.push((centre * 20.0).round() / 20.0);
    }
    check(&points);
    // Two lines that face each other: the number of tetrahedra is the product of their pieces.
    let lines = (0..20).flat_map(|i| [Vec3::new(i as f64, 0.0, 0.0), Vec3::new(0.0, i as f64 - 9.5, 1.0)]);
    assert_eq!(check(&lines.collect::<Vec<_>>()).tetrahedra().len(), 19 * 19);
    // A plane and one point above it.
    let mut roof = grid(6);
    roof.retain(|p| p.x == 0.0);
    roof.push(Vec3::new(1.0, 0.3, 0.3));
    assert_eq!(check(&roof).tetrahedra().len(), 2 * 25);
}

#[test]
fn duplicates_are_named_and_take_no_part() {
    let mut points = cube(&mut Random::new(2), 40);
    points.extend_from_within(10..30);
    points.push(Vec3::new(0.0, 0.0, 1.0));
    points.push(Vec3::new(-0.0, 0.0, 1.0));
    let delaunay = check(&points);
    for vertex in 0..40 {
        assert_eq!(delaunay.duplicate_of(vertex), None);
    }
    for vertex in 40..60 {
        assert_eq!(delaunay.duplicate_of(vertex), Some(vertex - 30));
        assert_eq!(delaunay.adjacent_vertices(vertex), Vec::<u32>::new());
    }
    assert_eq!(delaunay.duplicate_of(61), Some(60));
    let mut distinct = points[..40].to_vec();
    distinct.push(Vec3::new(0.0, 0.0, 1.0));
    assert_eq!(as_set(&delaunay), as_set(&check(&distinct)));
}

#[test]
fn the_order_of_points_does_not_matter() {
    let mut random = Random::new(3);
    for mut points in [grid(4), cube(&mut random, 150)] {
        let expected = as_set(&check(&points));
        for _ in 0..5 {
            shuffle(&mut random, &mut points);
            assert_eq!(as_set(&check(&points)), expected);
        }
    }
}

#[test]
fn scale_does_not_matter() {
    let mut random = Random::new(4);
    let points = [grid(3), cube(&mut random, 60)].concat();
    let expected = check(&points);
    for exponent in [-1060, -1000, -500, -27, 20, 500, 1000, 1021] {
        // In two steps, because a single power may not be a number.
        let scaled: Vec<Vec3> =
            points.iter().map(|&p| p * 2f64.powi(exponent / 2) * 2f64.powi(exponent - exponent / 2)).collect();
        let delaunay = Delaunay::new(&scaled).expect("finite");
        if exponent > -1000 {
            assert_eq!(delaunay.tetrahedra(), expected.tetrahedra(), "2^{exponent}");
        } else {
            // Numbers this small lose their last bits, and then a few tetrahedra differ.
            let back: Vec<Vec3> = scaled.iter().map(|&p| p * 2f64.powi(600) * 2f64.powi(-exponent - 600)).collect();
            assert_eq!(delaunay.tetrahedra(), check(&back).tetrahedra());
        }
    }
}

#[test]
fn mixed_scales_and_far_origins_are_cut_too() {
    let mut random = Random::new(6);
    let mixed: Vec<Vec3> =
        (0..150).map(|i| random.in_cube() * 10f64.powi(i % 15 - 8) + Vec3::X * (i % 2) as f64).collect();
    check(&mixed);
    let far: Vec<Vec3> = (0..100).map(|_| random.in_cube() * 1e-8 + Vec3::new(1e6, -1e6, 3e5)).collect();
    check(&far);
    let slab: Vec<Vec3> = (0..120).map(|_| random.in_cube() * Vec3::new(1e6, 1e-8, 1.0)).collect();
    check(&slab);
    // Numbers whose fifth powers `f64` does not hold: they count as 0 beside 1.
    let tiny: Vec<Vec3> = (0..60).map(|i| random.in_cube() * if i % 2 == 0 { 1.0 } else { 1e-150 }).collect();
    let delaunay = Delaunay::new(&tiny).expect("finite");
    assert_eq!((0..60).filter(|&vertex| delaunay.duplicate_of(vertex).is_some()).count(), 29);
}

#[test]
fn walking_finds_what_brute_force_finds() {
    let mut random = Random::new(7);
    for points in [cube(&mut random, 120), grid(4).iter().map(|&p| p * 0.5 - 0.75).collect(), grid(2)] {
        let delaunay = Delaunay::new(&points).expect("finite");
        let mut hint = None;
        for i in 0..1500 {
            let query = random.in_cube() * if i % 3 == 0 { 3.0 } else { 1.0 };
            check_query(&delaunay, query, hint);
            hint = (i % 5 > 0).then(|| TetId::new(random.next_u64() as u32 % delaunay.tetrahedra().len() as u32));
        }
        assert_eq!(delaunay.locate(points[0], Some(TetId::new(u32::MAX))), delaunay.locate(points[0], None));
    }
}

#[test]
fn vertices_edges_and_faces_belong_to_the_lowest_tetrahedron() {
    // Halves of grid points are exact, so these queries lie exactly on vertices, edges and faces, and beyond.
    let delaunay = Delaunay::new(&grid(4)).expect("finite");
    for p in grid(15) {
        check_query(&delaunay, p * 0.5 - 2.0, None);
        check_query(&delaunay, p * 0.5 - 2.0, Some(TetId::new(17)));
    }
    let points = cube(&mut Random::new(8), 60);
    let delaunay = Delaunay::new(&points).expect("finite");
    for &point in &points {
        check_query(&delaunay, point, None);
    }
}

#[test]
fn far_queries_are_outside_and_find_the_hull() {
    let points = cube(&mut Random::new(9), 100);
    let delaunay = Delaunay::new(&points).expect("finite");
    for distance in [1e3, 1e20, 1e100, 1e300] {
        let nearest = delaunay.nearest_on_hull(Vec3::X * distance).expect("outside");
        let expected = points.iter().map(|p| p.x).fold(f64::NEG_INFINITY, f64::max);
        assert!(distance < 1e20 || nearest.point.x == expected, "{distance}: {nearest:?}");
        assert!((nearest.distance / distance - 1.0).abs() < 1e-2);
        assert_eq!(delaunay.nearest_vertex(Vec3::X * distance).map(|v| points[v as usize].x), Some(expected));
    }
}

#[test]
fn a_thin_lens_does_not_hide_its_near_side() {
    let mut points: Vec<Vec3> = (0..60)
        .map(|i| {
            let angle = i as f64 * std::f64::consts::TAU / 60.0;
            Vec3::new(angle.cos(), 0.0, angle.sin())
        })
        .collect();
    points.extend([Vec3::Y * 1e-3, Vec3::Y * -1e-3, Vec3::new(0.3, 5e-4, 0.1)]);
    let delaunay = check(&points);
    let mut random = Random::new(10);
    for _ in 0..500 {
        check_query(&delaunay, random.in_cube() * Vec3::new(1.5, 0.3, 1.5), None);
    }
}

#[test]
fn both_ways_to_weights_agree() {
    let mut random = Random::new(12);
    let mut n_checked = 0;
    while n_checked < 2000 {
        let corners: [Vec3; 4] = std::array::from_fn(|_| random.in_cube());
        let (size, six) = (corners[0].distance(corners[1]), 6.0 * volume(corners).abs());
        if size < 0.3 || six < 0.3 {
            continue;
        }
        n_checked += 1;
        let shares: [f64; 4] = std::array::from_fn(|_| random.unit() + 1e-3);
        let sum: f64 = shares.iter().sum();
        let expected = shares.map(|share| share / sum);
        let point: Vec3 = corners.iter().zip(expected).map(|(&corner, weight)| corner * weight).sum();
        let solved = tetrahedron_weights(corners, point).expect("not flat");
        let helped = helper_point_weights(corners, point).expect("not flat");
        for i in 0..4 {
            assert!((solved[i] - expected[i]).abs() < 1e-13, "{solved:?} {expected:?}");
            assert!((helped[i] - solved[i]).abs() < 1e-12, "{solved:?} {helped:?}");
        }
    }
}

#[test]
fn weights_on_corners_edges_and_outside_are_exact() {
    let corners = [Vec3::ZERO, Vec3::X * 2.0, Vec3::Y * 2.0, Vec3::Z * 2.0];
    let cases = [
        (Vec3::ZERO, [1.0, 0.0, 0.0, 0.0]),
        (Vec3::X * 2.0, [0.0, 1.0, 0.0, 0.0]),
        (Vec3::Y * 2.0, [0.0, 0.0, 1.0, 0.0]),
        (Vec3::Z * 2.0, [0.0, 0.0, 0.0, 1.0]),
        // On the line of the last two corners, where the second helper point is not defined.
        (Vec3::Y + Vec3::Z, [0.0, 0.0, 0.5, 0.5]),
        (Vec3::X, [0.5, 0.5, 0.0, 0.0]),
        (Vec3::new(0.5, 0.5, 0.5), [0.25; 4]),
        (Vec3::new(0.5, 0.5, 0.0), [0.5, 0.25, 0.25, 0.0]),
        (Vec3::new(-1.0, -1.0, -1.0), [2.5, -0.5, -0.5, -0.5]),
    ];
    for (point, expected) in cases {
        for weights in [tetrahedron_weights(corners, point), helper_point_weights(corners, point)] {
            let weights = weights.expect("not flat");
            assert!((0..4).all(|i| (weights[i] - expected[i]).abs() < 1e-15), "{point}: {weights:?}");
        }
    }
    let flat = [Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::X + Vec3::Y];
    assert_eq!(tetrahedron_weights(flat, Vec3::X), None);
    assert_eq!(helper_point_weights(flat, Vec3::X * 0.5), None);
}

#[test]
fn weights_in_flat_tetrahedra_still_meet_the_point() {
    let mut random = Random::new(13);
    for exponent in 0..15 {
        let mut corners: [Vec3; 4] = std::array::from_fn(|_| random.in_cube());
        corners[3] = (corners[0] + corners[1] + corners[2]) / 3.0 + random.in_cube() * 10f64.powi(-exponent);
        let shares: [f64; 4] = std::array::from_fn(|_| random.unit());
        let sum: f64 = shares.iter().sum();
        let point: Vec3 = corners.iter().zip(shares).map(|(&corner, share)| corner * (share / sum)).sum();
        let weights = tetrahedron_weights(corners, point).expect("not flat");
        let met: Vec3 = corners.iter().zip(weights).map(|(&corner, weight)| corner * weight).sum();
        assert!(met.distance(point) < 1e-15 * 8.0, "1e-{exponent}: {met} {point}");
        assert!((weights.iter().sum::<f64>() - 1.0).abs() < 1e-15);
    }
}

#[test]
fn stored_parts_are_looked_at() {
    let points = [grid(3), cube(&mut Random::new(14), 20)].concat();
    let delaunay = check(&points);
    let tets = delaunay.tetrahedra().to_vec();
    let neighbours: Vec<_> = delaunay.tet_ids().map(|tet| delaunay.neighbours(tet)).collect();
    let refused = |tets: &[[u32; 4]], neighbours: &[[Option<TetId>; 4]]| {
        Delaunay::from_parts(&points, tets, neighbours).expect_err("these parts are broken")
    };
    let lengths = DelaunayError::LengthsDiffer { n_tetrahedra: tets.len(), n_neighbours: tets.len() - 1 };
    assert_eq!(refused(&tets, &neighbours[1..]), lengths);
    assert_eq!(refused(&[], &[]), DelaunayError::HullNotFilled);

    let mut broken = tets.clone();
    broken[3][1] = 1000;
    assert_eq!(refused(&broken, &neighbours), DelaunayError::NoSuchVertex { tetrahedron: 3, vertex: 1000 });
    let mut broken = tets.clone();
    broken[5].swap(0, 1);
    assert_eq!(refused(&broken, &neighbours), DelaunayError::NotPositive { tetrahedron: 5 });

    let inner = (0..tets.len()).find(|&tet| neighbours[tet][2].is_some()).expect("an inner face");
    let not_neighbours = DelaunayError::NotNeighbours { tetrahedron: inner, face: 2 };
    for wrong in [u32::MAX, inner as u32] {
        let mut broken = neighbours.clone();
        broken[inner][2] = Some(TetId::new(wrong));
        assert_eq!(refused(&tets, &broken), not_neighbours);
    }
    let mut broken = neighbours.clone();
    broken[inner][2] = None;
    assert!(matches!(refused(&tets, &broken), DelaunayError::NotNeighbours { .. }));

    // A tetrahedron cut out of the hull leaves a dent.
    let outer = (0..tets.len()).find(|&tet| neighbours[tet].iter().flatten().count() == 3).expect("a corner");
    let renumber = |tet: TetId| {
        let index = tet.index();
        (index != outer).then(|| TetId::new((index - usize::from(index > outer)) as u32))
    };
    let (mut dented, mut around) = (tets.clone(), neighbours.clone());
    dented.remove(outer);
    around.remove(outer);
    let around: Vec<_> = around.iter().map(|four| four.map(|neighbour| neighbour.and_then(renumber))).collect();
    assert_eq!(refused(&dented, &around), DelaunayError::HullNotFilled);

    // Of the two ways to cut five points, one is Delaunay. Swap it for the other.
    let five = [Vec3::X, Vec3::new(-0.5, 0.9, 0.0), Vec3::new(-0.5, -0.9, 0.0), Vec3::Z * 0.4, Vec3::Z * -0.4];
    assert_eq!(check(&five).tetrahedra().len(), 3);
    let two = [[0, 1, 2, 3], [0, 2, 1, 4]];
    let across = |tet: u32| [None, None, None, Some(TetId::new(tet))];
    let flipped = Delaunay::from_parts(&five, &two, &[across(1), across(0)]);
    assert_eq!(flipped, Err(DelaunayError::NotDelaunay { tetrahedron: 0, face: 3 }));
}

/// Points on a small grid: most of them share planes, lines, spheres and places.
fn grid_points() -> impl Strategy<Value = Vec<Vec3>> {
    let coordinate = || (0..4i32).prop_map(f64::from);
    proptest::collection::vec(
        (coordinate(), coordinate(), coordinate()).prop_map(|(x, y, z)| Vec3::new(x, y, z)),
        0..40,
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn any_points_of_a_small_grid_are_cut(points in grid_points()) {
        let delaunay = check(&points);
        if delaunay.dimension() == 3 {
            for query in grid(4) {
                check_query(&delaunay, query + 0.25, None);
                check_query(&delaunay, query, None);
            }
        }
    }

    #[test]
    fn any_order_of_a_small_grid_gives_the_same(points in grid_points(), seed: u64) {
        let mut shuffled = points.clone();
        shuffle(&mut Random::new(seed), &mut shuffled);
        prop_assert_eq!(as_set(&check(&points)), as_set(&check(&shuffled)));
    }
}
