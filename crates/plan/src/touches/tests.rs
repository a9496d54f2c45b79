use super::*;
use std::f64::consts::TAU;
use std::sync::Arc;
use surefoot_geom::Random;
use surefoot_motion::{Pose, Poses, person};

fn random_outline(random: &mut Random) -> Vec<Vec2> {
    let n = random.range(3.0, 9.0) as usize;
    let turned = random.range(0.0, TAU);
    // Stars as well as convex ones.
    let inner = random.range(0.3, 1.1);
    let reach = |i: usize| if i.is_multiple_of(2) { 1.0 } else { inner };
    (0..n).map(|i| Vec2::from_angle(turned + i as f64 / n as f64 * TAU) * reach(i)).collect()
}

fn random_solid(random: &mut Random) -> Solid {
    let mut end = || Vec3::new(random.range(-2.0, 2.0), random.range(0.0, 2.0), random.range(-2.0, 2.0));
    let ends = [end(), end()];
    Solid { ends, radii: [random.range(0.02, 0.3), random.range(0.02, 0.3)] }
}

/// The distance of a point from a wall's filled part.
fn distance(wall: &Wall<'_>, at: Vec3) -> f64 {
    let level = if wall.is_filled(ground_point(at)) {
        0.0
    } else {
        distance_to_outline(ground_point(at), ground_point(at), wall.outline).0
    };
    level.hypot((at.y - wall.top).max(0.0))
}

#[test]
fn a_gap_is_the_least_of_many_places_along_the_line() {
    let mut random = Random::new(7);
    let (mut n_apart, mut n_touching) = (0, 0);
    for case in 0..600 {
        let outline = random_outline(&mut random);
        let top = if case % 3 == 0 { f64::INFINITY } else { random.range(0.3, 1.5) };
        let filled = if case % 5 == 0 { Filled::Outside } else { Filled::Inside };
        let top = if filled == Filled::Outside { f64::INFINITY } else { top };
        let wall = Wall::new(ScenePart::Obstacle(0), &outline, filled, top);
        let solid = random_solid(&mut random);
        let (gap, _) = wall.gap(&solid);
        let places = 4000;
        let sampled = (0..=places).map(|i| solid.at(f64::from(i) / f64::from(places)));
        let sampled = sampled.map(|(at, radius)| distance(&wall, at) - radius).fold(f64::INFINITY, f64::min);
        let step = (solid.ends[0].distance(solid.ends[1]) + 0.3) / f64::from(places);
        let enters = solid_enters(&wall, &solid);
        if enters {
            // Within, the depth counts the distance out on top of the radius, and is no less than what sampling sees.
            assert!(gap <= sampled + 1e-9, "case {case}: {gap} {sampled}");
        } else {
            assert!(gap <= sampled + 1e-9 && gap >= sampled - step, "case {case}: {gap} {sampled}");
        }
        assert_eq!(wall.gap_below(&solid, 0.0).is_some(), gap < 0.0, "case {case}");
        n_apart += usize::from(gap > 0.0);
        n_touching += usize::from(gap < 0.0 && !enters);
    }
    assert!(n_apart > 100 && n_touching > 40, "{n_apart} {n_touching}");
}

fn solid_enters(wall: &Wall<'_>, solid: &Solid) -> bool {
    (0..=4000).any(|i| distance(wall, solid.at(f64::from(i) / 4000.0).0) == 0.0)
}

/// Our figure as it stands, at a place.
fn standing_at(places: &[Vec2]) -> (Clip, BodyMap) {
    let (skeleton, body) = person(&Default::default()).expect("a person");
    let skeleton = Arc::new(skeleton);
    let at = |place: &Vec2| {
        let mut pose: Pose = skeleton.rest_pose();
        pose.local[0].translation += Vec3::new(place.x, 0.0, place.y);
        pose
    };
    let poses = places.iter().map(at).collect();
    (Clip::new("stands", skeleton.clone(), 30.0, poses), body)
}

fn room(obstacles: Vec<Obstacle>) -> Scene {
    let bounds = [(-3.0, -3.0), (3.0, -3.0), (3.0, 3.0), (-3.0, 3.0)].map(Vec2::from).to_vec();
    Scene { bounds, obstacles, terrain: None, start: None, goal: None, waypoints: Vec::new() }
}

fn block(x: f64, height: Option<f64>) -> Obstacle {
    Obstacle { outline: [(x, -1.0), (x + 1.0, -1.0), (x + 1.0, 1.0), (x, 1.0)].map(Vec2::from).to_vec(), height }
}

#[test]
fn the_first_and_the_deepest_touch_are_reported_with_their_part() {
    let (clip, body) = standing_at(&[-1.0, 0.0, 0.2, 0.3, 0.0].map(|x| Vec2::new(x, 0.0)));
    let report = find_touches(&room(vec![block(1.0, None)]), None, &clip, &body);
    let first = report.first.expect("a touch");
    assert_eq!((first.frame, first.with), (2, ScenePart::Obstacle(0)));
    assert_eq!(first.part, TouchedPart::Body(Region::Arm(Side::Left)), "arms of the resting figure reach farthest");
    let deepest = report.deepest[0];
    assert!(deepest.frame == 3 && (deepest.depth - first.depth - 0.1).abs() < 1e-6, "{deepest:?} {first:?}");
    assert_eq!(report.n_frames, 2);
    assert!(first.part.to_string() == "left arm");
}

#[test]
fn feet_touch_what_is_low_and_arms_pass_over_it() {
    let (clip, body) = standing_at(&[Vec2::ZERO]);
    let low = find_touches(&room(vec![block(0.25, Some(0.3))]), None, &clip, &body);
    assert_eq!(low.first, None, "{low:?}");
    let at_the_foot = find_touches(&room(vec![block(0.1, Some(0.05))]), None, &clip, &body);
    let part = at_the_foot.first.expect("a touch").part;
    assert!(matches!(part, TouchedPart::Sole(Side::Left) | TouchedPart::Body(Region::Foot(Side::Left))), "{part}");
    // On ground that lies lower, the same block is lower.
    let ground = Terrain::flat(-0.5);
    let below = find_touches(&room(vec![block(0.1, Some(0.05))]), Some(&ground), &clip, &body);
    assert_eq!(below.first, None);
}

#[test]
fn who_stands_in_a_wall_of_the_terrain_touches_it() {
    let (clip, body) = standing_at(&[-1.0, 0.0].map(|x| Vec2::new(x, 0.0)));
    let post = |x: f64, height: f64| {
        let patch = surefoot_ground::Patch { centre: Vec2::new(x, 0.0), radius: 0.2, height };
        Terrain::patches(0.0, vec![patch]).expect("a post")
    };
    let report = find_touches(&room(Vec::new()), Some(&post(0.0, 1.2)), &clip, &body);
    assert_eq!(report.first.map(|touch| (touch.frame, touch.with)), Some((1, ScenePart::Terrain)));
    assert!(report.deepest[0].depth > 0.1 && report.n_frames == 1, "{report:?}");
    // What feet stand on and what stands beside is not touched.
    for terrain in [Terrain::flat(0.0), post(0.0, 0.0), post(2.0, 2.0)] {
        let report = find_touches(&room(Vec::new()), Some(&terrain), &clip, &body);
        assert_eq!(report.first, None, "{report:?}");
    }
}

#[test]
fn who_leaves_the_bounds_touches_them() {
    let (clip, body) = standing_at(&[0.0, 2.95, 5.0].map(|z| Vec2::new(0.0, z)));
    let report = find_touches(&room(Vec::new()), None, &clip, &body);
    assert_eq!(report.first.map(|touch| (touch.frame, touch.with)), Some((1, ScenePart::Bounds)));
    assert!(report.deepest[0].frame == 2 && report.deepest[0].depth > 1.9, "{report:?}");
    let none = clip.with_poses(Poses::default());
    assert_eq!(find_touches(&room(Vec::new()), None, &none, &body), TouchReport::default());
}
