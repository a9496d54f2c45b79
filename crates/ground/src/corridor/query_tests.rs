use super::super::test_scenes::{N_KINDS, box_at, hall, in_square, random_scene, regular, scene, square};
use super::super::{CorridorOptions, MapError};
use super::*;
use crate::polygon::nearest_on_segment;
use crate::{BlockedPath, Obstacle, OutlineError, Scene, SceneError};
use surefoot_geom::Random;

fn map(scene: &Scene) -> CorridorMap {
    CorridorMap::new(scene, &CorridorOptions::default()).expect("a map")
}

/// The distance of a path from all outlines, by a look at every edge.
fn brute_clearance(scene: &Scene, points: &[Vec2]) -> f64 {
    let outlines = std::iter::once(&scene.bounds).chain(scene.obstacles.iter().map(|obstacle| &obstacle.outline));
    let edges: Vec<(Vec2, Vec2)> = outlines
        .flat_map(|outline| (0..outline.len()).map(|i| (outline[i], outline[(i + 1) % outline.len()])))
        .collect();
    let mut least = f64::INFINITY;
    for pair in points.windows(2) {
        for &(a, b) in &edges {
            let side = |p: Vec2, q: Vec2, r: Vec2| (q - p).perp_dot(r - p);
            let crosses = side(a, b, pair[0]) * side(a, b, pair[1]) < 0.0
                && side(pair[0], pair[1], a) * side(pair[0], pair[1], b) < 0.0;
            assert!(!crosses, "{pair:?} crosses {a} to {b}");
            for (point, (p, q)) in
                [(pair[0], (a, b)), (pair[1], (a, b)), (a, (pair[0], pair[1])), (b, (pair[0], pair[1]))]
            {
                least = least.min(point.distance(nearest_on_segment(point, p, q)));
            }
        }
    }
    least
}

/// Free places of a scene with a clearance.
fn places(map: &CorridorMap, random: &mut Random, half: f64, clearance: f64, n: usize) -> Vec<Vec2> {
    let candidates = (0..400 * n).map(|_| in_square(random, half));
    candidates.filter(|&place| map.is_free(place) && map.nearest(place).distance > clearance).take(n).collect()
}

/// The promise: a path leads from start to goal, is one, and keeps the clearance along all of it. `None` if there is no
/// path.
fn check_path(map: &CorridorMap, start: Vec2, goal: Vec2, clearance: f64, name: &str) -> Option<Path> {
    let corridor = match map.query(start, goal, clearance) {
        Ok(corridor) => corridor,
        Err(QueryError::TooNarrow { width, wanted, at, .. }) => {
            assert!(width < wanted && (wanted - 2.0 * clearance).abs() < 1e-12, "{name}: {width} is wide enough");
            assert!((2.0 * map.nearest(at).distance - width).abs() < 1e-7, "{name}: {at} is not {width} wide");
            return None;
        }
        Err(QueryError::Separated { .. }) => {
            let thinner = map.query(start, goal, 0.0);
            assert!(matches!(thinner, Err(QueryError::Separated { .. })), "{name}: there is a way");
            return None;
        }
        Err(error) => panic!("{name}: {error}"),
    };
    for pair in corridor.disks().windows(2) {
        let free = brute_clearance(map.scene(), &[pair[0].centre, pair[1].centre]);
        assert!(free >= clearance - 2.0 * TOLERANCE, "{name}: {pair:?} has {free}");
        let radius = brute_clearance(map.scene(), &[pair[0].centre, pair[0].centre]);
        assert!((radius - pair[0].radius).abs() < 1e-7, "{name}: {:?} has {radius}", pair[0]);
    }
    // What the attraction point draws has its points apart, and is told from others by nanometres only in the narrowest
    // places.
    let paths = [corridor.path(&PathOptions::default()), corridor.attracted_path(&PathOptions::default())];
    for (path, missing) in paths.iter().zip([2.0 * TOLERANCE, 1e-6]) {
        assert_eq!(path.check(), Ok(()), "{name}");
        assert_eq!((path.points[0], path.points[path.points.len() - 1]), (start, goal), "{name}");
        let free = brute_clearance(map.scene(), &path.points);
        assert!(free >= clearance - missing, "{name}: the path comes as near as {free}");
    }
    assert_eq!(map.check_path(&paths[0], clearance), Ok(brute_clearance(map.scene(), &paths[0].points)), "{name}");
    Some(corridor.path(&PathOptions::default()))
}

#[test]
fn paths_keep_the_clearance_in_scenes_of_every_kind() {
    let mut n_paths = 0;
    for seed in 0..N_KINDS * 12 {
        let map = map(&random_scene(seed));
        let mut random = Random::new(seed);
        for clearance in [0.05, 0.2, 0.35] {
            for pair in places(&map, &mut random, 5.0, clearance, 4).chunks_exact(2) {
                n_paths +=
                    usize::from(check_path(&map, pair[0], pair[1], clearance, &format!("seed {seed}")).is_some());
            }
        }
    }
    assert!(n_paths > 200, "only {n_paths} of the scenes had a way");
}

/// Whoever can stand somewhere can leave: a place at exactly the clearance from a wall is joined to the axis.
#[test]
fn places_as_near_to_walls_as_they_may_be_are_on_the_map() {
    let mut n_places = 0;
    for seed in 0..N_KINDS * 8 {
        let map = map(&random_scene(seed));
        let mut random = Random::new(seed);
        for place in places(&map, &mut random, 5.0, 0.0, 30) {
            let (nearest, clearance) = (map.nearest(place), random.range(0.01, 0.4));
            let at = nearest.point + (place - nearest.point).normalize() * clearance;
            if map.is_free(at) && map.nearest(at).distance >= clearance - 0.5 * TOLERANCE {
                let disk = Disk { centre: at, radius: clearance };
                assert!(
                    !map.attach(disk, clearance - TOLERANCE).joints.is_empty(),
                    "seed {seed}: {at} with {clearance}"
                );
                n_places += 1;
            }
        }
    }
    assert!(n_places > 300, "only {n_places}");
}

/// As many scenes as time allows: `cargo test --release -p surefoot-ground -- --ignored many_scenes`.
#[test]
#[ignore = "takes minutes"]
fn paths_keep_the_clearance_in_many_scenes() {
    for seed in 0..20_000 {
        let map = map(&random_scene(seed));
        let mut random = Random::new(seed);
        let clearance = random.range(0.0, 0.5);
        for pair in places(&map, &mut random, 5.0, clearance, 6).chunks_exact(2) {
            check_path(&map, pair[0], pair[1], clearance, &format!("seed {seed}"));
        }
    }
}

#[test]
fn where_there_is_room_paths_turn_as_people_do() {
    let scene = hall(60, 12.0, 3);
    let map = map(&scene);
    let mut random = Random::new(3);
    for pair in places(&map, &mut random, 11.0, 0.5, 40).chunks_exact(2) {
        let path = check_path(&map, pair[0], pair[1], 0.25, "hall").expect("a way");
        for points in path.points.windows(3) {
            let (before, after) = (points[1] - points[0], points[2] - points[1]);
            let radius = 0.5 * (before.length() + after.length()) / before.angle_to(after).abs();
            let room = map.nearest(points[1]).distance - 0.25;
            assert!(radius > 0.45 || room < 0.15, "a turn of {radius} m at {}", points[1]);
        }
    }
}

#[test]
fn straight_routes_are_walked_straight() {
    let map = map(&scene(square(5.0), vec![box_at(Vec2::new(1.0, 1.0), Vec2::ONE)]));
    let (start, goal) = (Vec2::new(-4.0, -3.0), Vec2::new(4.0, -2.0));
    let path = check_path(&map, start, goal, 0.3, "a room").expect("a way");
    assert!(path.length() < start.distance(goal) + 1e-6);
}

/// A wall across the square with a gap.
fn wall_with_gap(width: f64) -> Scene {
    let half = width / 2.0;
    let left = box_at(Vec2::new(-6.0, -0.1), Vec2::new(6.0 - half, 0.2));
    let right = box_at(Vec2::new(half, -0.1), Vec2::new(6.0 - half, 0.2));
    scene(square(5.0), vec![left, right])
}

#[test]
fn a_gap_as_wide_as_the_person_lets_them_through_and_a_narrower_one_is_reported() {
    let (start, goal) = (Vec2::new(-3.0, -3.0), Vec2::new(2.0, 4.0));
    let map = map(&wall_with_gap(0.6));
    assert!(check_path(&map, start, goal, 0.3, "an exact fit").is_some());
    match map.query(start, goal, 0.301).unwrap_err() {
        QueryError::TooNarrow { at, width, wanted, beside } => {
            assert!((width - 0.6).abs() < 1e-8 && (wanted - 0.602).abs() < 1e-8, "{width}, {wanted}");
            assert!(at.x.abs() < 1e-6 && at.y.abs() < 0.1 + 1e-6, "{at}");
            assert!(matches!(beside, ScenePart::Obstacle(0 | 1)));
        }
        other => panic!("{other}"),
    }
    let text = map.query(start, goal, 0.301).unwrap_err().to_string();
    assert!(text.contains("0.600 m wide at [0.000") || text.contains("0.600 m wide at [-0.000"), "{text}");
    // The corner of a box before a wall, where the axis bends in the narrowest place.
    let turned = regular(Vec2::new(0.0, 0.1), 4.5, 4, 0.0);
    let corners = CorridorMap::new(&scene(square(5.0), vec![turned]), &CorridorOptions::default()).expect("a map");
    let (start, goal) = (Vec2::new(-4.2, -4.2), Vec2::new(4.2, -4.2));
    assert!(check_path(&corners, start, goal, 0.3, "a bend that fits").is_some());
}

#[test]
fn a_closed_room_reports_where_its_wall_is_thinnest() {
    let walls = vec![
        box_at(Vec2::new(-2.0, -2.0), Vec2::new(4.0, 0.5)),
        box_at(Vec2::new(-2.0, 1.5), Vec2::new(4.0, 0.5)),
        box_at(Vec2::new(-2.0, -2.0), Vec2::new(0.3, 4.0)),
        box_at(Vec2::new(1.6, -2.0), Vec2::new(0.4, 4.0)),
    ];
    let map = map(&scene(square(5.0), walls));
    match map.query(Vec2::ZERO, Vec2::new(4.0, 4.0), 0.2).unwrap_err() {
        QueryError::Separated { at, thickness, wall } => {
            assert!((thickness - 0.3).abs() < 1e-7, "{thickness}");
            assert!((at.x + 1.85).abs() < 1e-7 && at.y.abs() < 2.0, "{at}");
            assert_eq!(wall, ScenePart::Obstacle(2));
        }
        other => panic!("{other}"),
    }
    // Obstacles that touch in a corner leave no path between them.
    let chain = (0..10).map(|i| box_at(Vec2::new(-5.0 + f64::from(i), -5.0 + f64::from(i)), Vec2::ONE)).collect();
    let map = super::super::CorridorMap::new(&scene(square(5.0), chain), &CorridorOptions::default()).expect("a map");
    let error = map.query(Vec2::new(-4.0, 4.0), Vec2::new(4.0, -4.0), 0.1).unwrap_err();
    assert!(matches!(error, QueryError::Separated { thickness, .. } if thickness < 1e-9), "{error}");
}

#[test]
fn what_is_wrong_with_a_place_is_reported() {
    let map = map(&scene(square(5.0), vec![box_at(Vec2::new(-4.0, -4.0), Vec2::ONE), box_at(Vec2::ZERO, Vec2::ONE)]));
    let good = Vec2::new(3.0, 3.0);
    let check = |start: Vec2, goal: Vec2, clearance: f64, text: &str| {
        let error = map.query(start, goal, clearance).unwrap_err().to_string();
        assert!(error.starts_with(text), "{error}");
    };
    check(
        Vec2::new(7.0, 0.0),
        good,
        0.3,
        "start: [7.000, 0.000] lies 2.000 m outside the bounds; the nearest of them is [5.000, 0.000]",
    );
    check(good, Vec2::new(0.5, 0.5), 0.3, "goal: [0.500, 0.500] lies in obstacles[1]");
    check(good, Vec2::new(-3.9, -3.0), 0.3, "goal: [-3.900, -3.000] lies in obstacles[0]"); // on its edge
    check(
        good,
        Vec2::new(1.2, 0.5),
        0.3,
        "goal: [1.200, 0.500] is 0.200 m from obstacles[1]; a person with a clearance of 0.3 m",
    );
    check(good, Vec2::new(4.9, 0.5), 0.3, "goal: [4.900, 0.500] is 0.100 m from bounds");
    check(Vec2::new(f64::NAN, 0.0), good, 0.3, "start: the position must be finite");
    check(good, good, 0.3, "start and goal are both at [3.000, 3.000]");
    for clearance in [-0.1, f64::NAN, f64::INFINITY] {
        check(good, -good, clearance, "the clearance is");
    }
    assert!(map.query(good, Vec2::new(3.0, -3.0), 0.0).is_ok());
}

#[test]
fn what_is_wrong_with_a_scene_is_reported() {
    let options = CorridorOptions::default();
    let bow_tie = vec![Vec2::ZERO, Vec2::ONE, Vec2::X, Vec2::Y];
    let crossing = CorridorMap::new(&scene(square(5.0), vec![bow_tie]), &options).unwrap_err();
    let expected = OutlineError::Touches { edge: 0, other: 2, at: Vec2::splat(0.5) };
    assert_eq!(crossing, MapError::Scene(SceneError::Outline(ScenePart::Obstacle(0), expected)));
    assert!(crossing.to_string().contains("at [0.500, 0.500]"), "{crossing}");
    let covered = scene(square(5.0), vec![square(6.0)]);
    assert_eq!(CorridorMap::new(&covered, &options).unwrap_err(), MapError::NoRoom);
    let exactly_covered = scene(square(5.0), vec![square(5.0)]);
    assert_eq!(CorridorMap::new(&exactly_covered, &options).unwrap_err(), MapError::NoRoom);
    let far = CorridorMap::new(&scene(square(2e4), vec![]), &options).unwrap_err();
    assert_eq!(far, MapError::TooFar { part: ScenePart::Bounds, at: Vec2::splat(-2e4) });
    let coarse = CorridorMap::new(&scene(square(5.0), vec![]), &CorridorOptions { spacing: f64::NAN }).unwrap_err();
    assert!(coarse.to_string().starts_with("spacing is NaN m"), "{coarse}");
    let map = map(&scene(square(5.0), vec![]));
    assert_eq!(map.without_obstacle(0).unwrap_err(), MapError::NoObstacle { index: 0, n_obstacles: 0 });
}

#[test]
fn paths_that_cannot_be_walked_are_reported_where() {
    let map = map(&scene(square(5.0), vec![box_at(Vec2::ZERO, Vec2::ONE)]));
    let check = |points: &[[f64; 2]], text: &str| {
        let path = Path { points: points.iter().map(|&point| Vec2::from(point)).collect() };
        let error = map.check_path(&path, 0.3).unwrap_err().to_string();
        assert!(error.starts_with(text), "{error}");
    };
    check(&[[0.0, -3.0], [0.0, -6.0]], "points[1] at [0.000, -6.000] lies outside the bounds");
    check(&[[0.0, -3.0], [2.0, 0.0], [0.5, 0.5]], "points[2] at [0.500, 0.500] lies in obstacles[0]");
    check(&[[-2.0, 0.5], [3.0, 0.5]], "from points[0] the path leads through obstacles[0] at [0.000, 0.500]");
    check(&[[-2.0, 3.0], [-2.0, 1.2], [3.0, 1.2]], "from points[1] the path is 0.200 m from obstacles[0]");
    check(&[[0.0, -3.0]], "a path has at least two points");
}

#[test]
fn unusual_options_do_no_harm() {
    let map = map(&wall_with_gap(1.0));
    let corridor = map.query(Vec2::new(-3.0, -3.0), Vec2::new(2.0, 4.0), 0.3).expect("a way");
    for value in [f64::NAN, 0.0, -1.0, f64::INFINITY] {
        let path = corridor.path(&PathOptions { step: value, shyness: value, turn_radius: value });
        assert_eq!(map.check_path(&path, 0.3).err(), None, "{value}");
    }
}

/// The backbones of two maps, in an order of their own.
fn same_backbones(one: &CorridorMap, two: &CorridorMap, name: &str) {
    let sorted = |map: &CorridorMap| {
        let mut ends: Vec<(f64, f64, usize)> = map
            .backbones()
            .map(|disks| {
                let length: f64 = disks.windows(2).map(|pair| pair[0].centre.distance(pair[1].centre)).sum();
                (length, disks.iter().map(|disk| disk.radius).fold(f64::INFINITY, f64::min), disks.len())
            })
            .collect();
        ends.sort_by(|p, q| p.0.total_cmp(&q.0));
        ends
    };
    let (one, two) = (sorted(one), sorted(two));
    assert_eq!(one.len(), two.len(), "{name}");
    for (one, two) in one.iter().zip(&two) {
        assert!((one.0 - two.0).abs() < 1e-5, "{name}: {one:?} and {two:?}");
    }
}

#[test]
fn a_map_brought_up_to_date_is_a_map_made_again() {
    for seed in 0..N_KINDS * 4 {
        let name = format!("seed {seed}");
        let whole = random_scene(seed);
        let last = whole.obstacles.len() - 1;
        let mut less = whole.clone();
        let obstacle: Obstacle = less.obstacles.remove(last / 2);
        let mut moved = less.clone();
        moved.obstacles.push(obstacle.clone());
        let (Ok(of_whole), Ok(of_less)) = (
            CorridorMap::new(&whole, &CorridorOptions::default()),
            CorridorMap::new(&less, &CorridorOptions::default()),
        ) else {
            continue;
        };
        same_backbones(&of_whole.without_obstacle(last / 2).expect("a map"), &of_less, &name);
        let with = of_less.with_obstacle(obstacle).expect("a map");
        same_backbones(&with, &of_whole, &name);
        assert_eq!(with.scene(), &moved);
        let mut random = Random::new(seed);
        for pair in places(&of_whole, &mut random, 5.0, 0.2, 4).chunks_exact(2) {
            let lengths =
                [&with, &of_whole].map(|map| map.query(pair[0], pair[1], 0.2).map(|corridor| corridor.length()));
            if let [Ok(one), Ok(two)] = lengths {
                // Discs may lie elsewhere along the same axis, and places join it in them.
                assert!((one - two).abs() < 0.05, "{name}: {one} and {two}");
            } else {
                assert!(lengths[0].is_err() && lengths[1].is_err(), "{name}");
            }
        }
    }
}

/// The shortest path from corner to corner of the obstacles, at the clearance: a visibility graph with eight places
/// around each.
fn shortest_path(map: &CorridorMap, start: Vec2, goal: Vec2, clearance: f64) -> f64 {
    let around = clearance / (std::f64::consts::PI / 8.0).cos() + 1e-6;
    let corners = map.scene().obstacles.iter().flat_map(|obstacle| &obstacle.outline);
    let places = corners.flat_map(|&corner| regular(corner, around, 8, 0.0));
    let free = places.filter(|&place| map.is_free(place) && map.nearest(place).distance >= clearance);
    let places: Vec<Vec2> = [start, goal].into_iter().chain(free).collect();
    let mut length = vec![f64::INFINITY; places.len()];
    let mut done = vec![false; places.len()];
    length[0] = 0.0;
    loop {
        let next = (0..places.len()).filter(|&i| !done[i]).min_by(|&i, &j| length[i].total_cmp(&length[j]));
        let next = next.expect("a way");
        if next == 1 {
            return length[1];
        }
        done[next] = true;
        for to in 0..places.len() {
            let whole = length[next] + places[next].distance(places[to]);
            if whole < length[to] && map.border.nearest_to_line(places[next], places[to], clearance - 1e-9).is_none() {
                length[to] = whole;
            }
        }
    }
}

#[test]
fn paths_are_not_much_longer_than_the_shortest_ones() {
    let (mut worst, mut sum, mut n) = (0.0f64, 0.0, 0.0);
    for seed in 0..8 {
        let map = map(&hall(12, 5.0, seed));
        let mut random = Random::new(seed);
        for pair in places(&map, &mut random, 5.0, 0.3, 8).chunks_exact(2) {
            let Some(path) = check_path(&map, pair[0], pair[1], 0.25, "hall") else { continue };
            let ratio = path.length() / shortest_path(&map, pair[0], pair[1], 0.25);
            worst = worst.max(ratio);
            sum += ratio;
            n += 1.0;
        }
    }
    println!("worst {worst}, mean {}, n {n}", sum / n);
    assert!(worst < 1.5 && sum / n < 1.1, "worst {worst}, mean {}", sum / n);
}

#[test]
fn a_path_through_an_obstacle_is_blocked_even_without_a_clearance() {
    let map = CorridorMap::new(&scene(square(5.0), vec![square(1.0)]), &CorridorOptions::default()).expect("a map");
    let check =
        |points: &[[f64; 2]]| map.check_path(&Path { points: points.iter().map(|&point| point.into()).collect() }, 0.0);
    assert!(matches!(check(&[[-3.0, 0.1], [3.0, 0.2]]), Err(BlockedPath::Through { point: 0, .. })));
    assert!(check(&[[-3.0, -3.0], [3.0, 3.0]]).is_err(), "exactly through two corners");
    assert!(check(&[[-3.0, -1.0], [0.0, 4.0], [0.0, -4.0], [3.0, 0.0]]).is_err(), "not at its first way");
    assert_eq!(check(&[[-3.0, 1.0], [-1.0, 3.0], [3.0, -1.0]]), Ok(0.0), "touching a corner is none");
    assert_eq!(check(&[[-3.0, 2.0], [3.0, 2.0]]), Ok(1.0));
}
