use super::super::CorridorOptions;
use super::super::test_scenes::{N_KINDS, box_at, in_square, random_scene, scene, square};
use super::*;
use crate::{Obstacle, Scene};
use surefoot_geom::Random;

const CLEARANCE: f64 = 0.3;

fn map(scene: &Scene) -> CorridorMap {
    CorridorMap::new(scene, &CorridorOptions::default()).expect("a map")
}

fn obstacle(corner: [f64; 2], size: [f64; 2]) -> Obstacle {
    Obstacle { outline: box_at(Vec2::from(corner), Vec2::from(size)), height: None }
}

/// The promise: the path keeps the clearance, has the same ends, and its points outside the change are those of the old
/// one.
fn check(map: &CorridorMap, old: &Path, clearance: f64, name: &str) -> Replan {
    let new = map.replan(old, clearance, &PathOptions::default()).expect("a way");
    let points = &new.path.points;
    assert_eq!(map.check_path(&new.path, clearance).err(), None, "{name}");
    assert_eq!((points[0], points[points.len() - 1]), (old.points[0], old.points[old.points.len() - 1]), "{name}");
    let before = new.changed.start;
    let after = points.len() - new.changed.end;
    assert_eq!(points[..before], old.points[..before], "{name}");
    assert_eq!(points[points.len() - after..], old.points[old.points.len() - after..], "{name}");
    new
}

#[test]
fn an_obstacle_elsewhere_changes_nothing() {
    let map = map(&scene(square(10.0), vec![box_at(Vec2::new(-1.0, -1.0), Vec2::splat(2.0))]));
    let path =
        map.query(Vec2::new(-8.0, 0.2), Vec2::new(8.0, 0.0), CLEARANCE).expect("a way").path(&PathOptions::default());
    let changed = map.with_obstacle(obstacle([5.0, -8.0], [1.0, 1.0])).expect("a map");
    let new = check(&changed, &path, CLEARANCE, "elsewhere");
    assert_eq!(new.path, path);
    assert!(new.changed.is_empty() && new.corridor.is_none());
}

#[test]
fn an_obstacle_on_the_path_is_gone_around_and_the_rest_stays() {
    let map = map(&scene(square(10.0), vec![box_at(Vec2::new(-1.0, -1.0), Vec2::splat(2.0))]));
    let path =
        map.query(Vec2::new(-9.0, 1.0), Vec2::new(9.0, 1.0), CLEARANCE).expect("a way").path(&PathOptions::default());
    let there = path.points[path.points.len() * 3 / 4] - 0.3;
    let changed = map.with_obstacle(obstacle(there.to_array(), [0.5, 1.0])).expect("a map");
    let new = check(&changed, &path, CLEARANCE, "in the way");
    assert!(new.changed.start > path.points.len() / 3, "{:?} of {}", new.changed, path.points.len());
    assert!(new.changed.end < new.path.points.len() - 10, "{:?} of {}", new.changed, path.points.len());
    assert!(new.corridor.is_some());
    // Where it leaves the old path and comes back there are no corners.
    for points in new.path.points.windows(3) {
        let turn = (points[1] - points[0]).angle_to(points[2] - points[1]).abs();
        assert!(turn < 0.25, "a corner of {turn} rad at {}", points[1]);
    }
}

#[test]
fn an_obstacle_that_goes_opens_a_shorter_path() {
    // A wall with one gap far off, and a door in it that opens.
    let walls = vec![
        box_at(Vec2::new(-10.0, -0.2), Vec2::new(9.0, 0.4)),
        box_at(Vec2::new(1.0, -0.2), Vec2::new(7.0, 0.4)),
        box_at(Vec2::new(-1.5, -0.1), Vec2::new(3.0, 0.2)),
    ];
    let map = map(&scene(square(10.0), walls));
    let path =
        map.query(Vec2::new(0.0, -5.0), Vec2::new(0.0, 5.0), CLEARANCE).expect("a way").path(&PathOptions::default());
    assert!(path.length() > 15.0);
    let open = map.without_obstacle(2).expect("a map");
    let new = check(&open, &path, CLEARANCE, "an open door");
    assert!(new.path.length() < 11.0);
    let closed = open.with_obstacle(obstacle([-1.5, -0.1], [3.0, 0.2])).expect("a map");
    let again = check(&closed, &new.path, CLEARANCE, "a door that closes");
    assert!((again.path.length() - path.length()).abs() < 0.3, "{}", again.path.length());
}

#[test]
fn a_goal_that_is_closed_off_says_so() {
    let map = map(&scene(square(10.0), vec![]));
    let path =
        map.query(Vec2::new(0.0, -5.0), Vec2::new(0.0, 5.0), CLEARANCE).expect("a way").path(&PathOptions::default());
    let closed = map.with_obstacle(obstacle([-11.0, 0.0], [22.0, 0.5])).expect("a map");
    let error = closed.replan(&path, CLEARANCE, &PathOptions::default()).unwrap_err();
    assert!(matches!(error, QueryError::Separated { thickness, .. } if (thickness - 0.5).abs() < 1e-7), "{error}");
    let on_goal = map.with_obstacle(obstacle([-1.0, 4.0], [2.0, 2.0])).expect("a map");
    let error = on_goal.replan(&path, CLEARANCE, &PathOptions::default()).unwrap_err();
    assert!(matches!(error, QueryError::Blocked { obstacle: 0, .. }), "{error}");
}

#[test]
fn whatever_comes_or_goes_the_path_keeps_the_clearance() {
    let mut n_replanned = 0;
    for seed in 0..N_KINDS * 6 {
        let mut map = map(&random_scene(seed));
        let mut random = Random::new(seed);
        let places: Vec<Vec2> = (0..2000).map(|_| in_square(&mut random, 5.0)).collect();
        let free = |place: &&Vec2| map.is_free(**place) && map.nearest(**place).distance > 0.2;
        let ends: Vec<Vec2> = places.iter().filter(free).take(2).copied().collect();
        let Ok(corridor) = map.query(ends[0], ends[1], 0.2) else { continue };
        let mut path = corridor.path(&PathOptions::default());
        for round in 0..4 {
            let next = if round % 2 == 0 {
                let at = path.points[path.points.len() / 2] + in_square(&mut random, 0.5);
                map.with_obstacle(obstacle(at.to_array(), [0.3, 0.2]))
            } else {
                map.without_obstacle(random.index(map.scene().obstacles.len()))
            };
            map = next.expect("a map");
            if map.replan(&path, 0.2, &PathOptions::default()).is_ok() {
                path = check(&map, &path, 0.2, &format!("seed {seed}, round {round}")).path;
                n_replanned += 1;
            } else {
                break;
            }
        }
    }
    assert!(n_replanned > 30, "only {n_replanned}");
}
