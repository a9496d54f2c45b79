//! From scenes to walking people: the three examples walked by each synthesiser, and what is refused.

use std::path::PathBuf;
use std::sync::Arc;
use surefoot::contact::measure_placement;
use surefoot::formats::own;
use surefoot::gait::CorpusOptions;
use surefoot::gait::PlanStepsError;
use surefoot::geom::{Vec2, ground_point};
use surefoot::ground::{BlockedPath, Obstacle, Path, PathOptions, Place, Scene, ScenePart, Stairs, Terrain};
use surefoot::motion::WorldPose;
use surefoot::plan::{SolePrint, find_touches};
use surefoot::{
    FollowRequest, GoError, GoOptions, GraphOptions, PlanPathError, SceneWalk, Synthesis, blocked_place,
    check_path_in_scene, corpus_graph, corpus_steps, default_clearance, go,
};

const EXAMPLES: [&str; 3] = ["room", "slalom", "hall"];

fn example(name: &str) -> Scene {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(format!("../../examples/{name}.scene.json"));
    let bytes = std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    own::read_scene(&bytes).unwrap_or_else(|error| panic!("{name}: {error}"))
}

fn request(synthesis: Synthesis<'_>) -> GoOptions<'_> {
    let drawing = PathOptions::default();
    GoOptions {
        start: None,
        goal: None,
        clearance: None,
        drawing,
        speed: None,
        frame_rate: 30.0,
        synthesis,
        flights: None,
        character: None,
    }
}

/// From the pelvis at a frame to a place.
fn pelvis_from(walk: &SceneWalk, frame: usize, place: Vec2) -> f64 {
    let clip = &walk.take.clip;
    let pose = WorldPose::new(&clip.skeleton, clip.pose(frame));
    ground_point(pose.position(walk.take.body.pelvis)).distance(place)
}

/// What every walk promises: nothing is touched, it begins at the start and ends at the goal.
fn check(name: &str, scene: &Scene, walk: &SceneWalk) {
    assert_eq!(walk.touches.first, None, "{name}");
    let again = find_touches(scene, scene.terrain.as_ref(), &walk.take.clip, &walk.take.body);
    assert_eq!(again, walk.touches, "{name}: told as it is");
    let [start, goal] = [scene.start, scene.goal].map(|place| place.expect("a place").position);
    let last = walk.take.clip.n_frames() - 1;
    assert!(pelvis_from(walk, 0, start) < 0.3, "{name}: begins {} m off", pelvis_from(walk, 0, start));
    assert!(pelvis_from(walk, last, goal) < 0.35, "{name}: ends {} m off", pelvis_from(walk, last, goal));
    assert!(walk.planned.least_clearance >= walk.clearance - 1e-6, "{name}");
    if let Some(placement) = walk.report.as_ref().map(surefoot::plan::SynthesisReport::largest_miss) {
        // Over the middle of the plan's stances, in which a foot may still roll on; exact while its ball is planted.
        assert!(placement < 5e-3, "{name}: {placement} m off a footprint");
        for plant in measure_placement(&walk.take.clip.world(), &walk.take.body, &walk.take.contacts) {
            assert!(plant.distance < 1e-5, "{name}: {plant:?}");
        }
    }
    for print in &walk.footprints.footprints {
        let sole = SolePrint::of(&walk.soles[print.side], print);
        assert!(scene.obstacles.iter().all(|obstacle| sole.gap_to_area(&obstacle.outline) > 0.0), "{name}: {print:?}");
    }
}

#[test]
fn three_scenes_are_walked_with_steps_without_touching_anything() {
    let database = Arc::new(corpus_steps(&CorpusOptions::default()).expect("a corpus"));
    for name in EXAMPLES {
        let scene = example(name);
        check(name, &scene, &go(&scene, &request(Synthesis::Steps(&database))).expect(name));
    }
}

#[test]
fn three_scenes_are_walked_with_gait_without_touching_anything() {
    for name in EXAMPLES {
        let scene = example(name);
        check(name, &scene, &go(&scene, &request(Synthesis::Gait(1.8))).expect(name));
    }
    // A child fits as well, and needs less room.
    let scene = example("room");
    let child = go(&scene, &request(Synthesis::Gait(1.1))).expect("a child");
    check("room", &scene, &child);
    assert!(child.clearance < 0.27, "{}", child.clearance);
}

#[test]
fn three_scenes_are_walked_with_a_graph_without_touching_anything() {
    let graph = corpus_graph(&GraphOptions::default()).expect("a graph").graph;
    let follow = FollowRequest::default();
    for name in EXAMPLES {
        let scene = example(name);
        let walk = go(&scene, &request(Synthesis::Graph(&graph, &follow))).expect(name);
        check(name, &scene, &walk);
        let reported = walk.graph.expect("how it was walked");
        assert_eq!(reported.taken + 1, reported.tried.len());
    }
    // What is asked for after the search.
    let follow = FollowRequest { fit_path: true, clean: true, ..follow };
    let scene = example("hall");
    check("hall", &scene, &go(&scene, &request(Synthesis::Graph(&graph, &follow))).expect("fitted"));
    // Stairs are for others.
    let stairs = Scene { terrain: Some(Terrain::stairs(Stairs::default()).expect("stairs")), ..example("room") };
    let refused = go(&stairs, &request(Synthesis::Graph(&graph, &follow))).unwrap_err();
    assert!(matches!(&refused, GoError::Uneven(error) if error.message.contains("not level")), "{refused}");
}

#[test]
fn a_gap_as_wide_as_the_clearance_is_walked_through() {
    // 0.3 m for half a person of 1.8 m and 0.07 m to stray, on both sides.
    let scene = room(vec![block(-0.5, -5.0, 1.0, 4.63), block(-0.5, 0.37, 1.0, 4.63)]);
    let walk = go(&scene, &request(Synthesis::Gait(1.8))).expect("a gap of 0.74 m");
    check("gap", &scene, &walk);
    assert_eq!(walk.missed_goal(), None);
}

#[test]
fn who_would_touch_where_a_narrow_gap_bends_takes_another_path() {
    let place = |x: f64, z: f64| Some(Place { position: Vec2::new(x, z), heading: None });
    let outline = [(-0.78, -1.555), (0.37, -0.355), (0.0, 0.0), (-1.15, -1.199)].map(Vec2::from).to_vec();
    let scene = Scene {
        bounds: block(-7.0, -6.0, 10.0, 6.742),
        obstacles: vec![Obstacle { outline, height: None }],
        terrain: None,
        start: place(-5.843, -0.676),
        goal: place(1.67, -0.398),
        waypoints: Vec::new(),
    };
    let request = GoOptions { frame_rate: 60.0, ..request(Synthesis::Gait(1.8)) };
    let usual = default_clearance(&request.synthesis, 1.8);
    let close = GoOptions { clearance: Some(0.5 * usual), ..request };
    let narrow = go(&scene, &close).expect("a walk");
    assert!(narrow.touches.first.is_some() && narrow.clearance == 0.5 * usual, "who asks for a clearance gets it");
    let walk = go(&scene, &request).expect("a walk");
    check("gap that bends", &scene, &walk);
    assert!(walk.clearance >= usual);
}

/// A room of 10 m.
fn room(obstacles: Vec<Vec<Vec2>>) -> Scene {
    let place = |x: f64| Some(Place { position: Vec2::new(x, 0.0), heading: None });
    let obstacles = obstacles.into_iter().map(|outline| Obstacle { outline, height: None }).collect();
    Scene {
        bounds: block(-5.0, -5.0, 10.0, 10.0),
        obstacles,
        terrain: None,
        start: place(-4.0),
        goal: place(4.0),
        waypoints: Vec::new(),
    }
}

fn block(x: f64, z: f64, width: f64, depth: f64) -> Vec<Vec2> {
    [(x, z), (x + width, z), (x + width, z + depth), (x, z + depth)].map(Vec2::from).to_vec()
}

#[test]
fn who_passes_too_near_touches_and_is_reported_where() {
    let scene = room(vec![block(-0.5, 0.22, 1.0, 1.0), block(-0.5, -1.22, 1.0, 1.0)]);
    let straight = PathOptions { shyness: 0.0, ..PathOptions::default() };
    let narrow = GoOptions { clearance: Some(0.2), drawing: straight, ..request(Synthesis::Gait(1.8)) };
    let walk = go(&scene, &narrow).expect("a walk that touches");
    let first = walk.touches.first.expect("a gap of 0.44 m is narrower than a person");
    assert!(first.part.to_string().contains("arm"), "{first:?}");
    assert!(
        first.at.x.abs() < 1.0 && walk.touches.deepest[0].depth > 0.05 && walk.touches.deepest.len() == 2,
        "{:?}",
        walk.touches
    );
    // The clearance that a person needs does not lead through it.
    check("around", &scene, &go(&scene, &request(Synthesis::Gait(1.8))).expect("a way around"));
}

#[test]
fn scenes_without_a_path_say_why_and_where() {
    let wall = room(vec![block(-0.2, -6.0, 0.4, 12.0)]);
    let error = go(&wall, &request(Synthesis::Gait(1.8))).unwrap_err();
    assert!(error.to_string().starts_with("the goal is closed off: obstacles[0]"), "{error}");
    assert!(error.place().is_some_and(|at| at.x.abs() < 0.3), "{:?}", error.place());
    let no_goal = Scene { goal: None, ..room(Vec::new()) };
    let error = go(&no_goal, &request(Synthesis::Gait(1.8))).unwrap_err();
    assert_eq!(error, GoError::Path(PlanPathError::Missing(ScenePart::Goal)));
    let inside = room(vec![block(3.0, -1.0, 1.5, 2.0)]);
    let error = go(&inside, &request(Synthesis::Gait(1.8))).unwrap_err();
    assert_eq!((error.to_string().contains("goal"), error.place()), (true, Some(Vec2::new(4.0, 0.0))));
    let fast = GoOptions { speed: Some(20.0), ..request(Synthesis::Gait(1.8)) };
    assert!(matches!(go(&room(Vec::new()), &fast), Err(GoError::Speed(_))));
    assert!(matches!(go(&room(Vec::new()), &request(Synthesis::Gait(9.0))), Err(GoError::Person(_))));
    // The narrowest clearance finds a path where no foot finds a place.
    let slit = room(vec![block(-1.0, 0.02, 2.0, 5.5), block(-1.0, -5.52, 2.0, 5.5)]);
    let thin = GoOptions { clearance: Some(0.0), ..request(Synthesis::Gait(1.8)) };
    let error = go(&slit, &thin).unwrap_err();
    assert!(matches!(error, GoError::Steps(PlanStepsError::Blocked { .. })) && error.place().is_some(), "{error}");
}

#[test]
fn a_path_that_leaves_its_scene_is_reported_with_the_point() {
    let scene = room(vec![block(-0.5, -0.5, 1.0, 1.0)]);
    let path = |points: &[[f64; 2]]| Path { points: points.iter().map(|&point| point.into()).collect() };
    let error = check_path_in_scene(&scene, &path(&[[-4.0, 0.0], [-4.0, 7.0]])).unwrap_err();
    assert_eq!(error, BlockedPath::OutOfBounds { point: 1, at: Vec2::new(-4.0, 7.0) });
    assert_eq!(blocked_place(&error), Some(Vec2::new(-4.0, 7.0)));
    let through = check_path_in_scene(&scene, &path(&[[-4.0, 0.0], [4.0, 0.1]]));
    assert!(through.is_err_and(|error| blocked_place(&error).is_some_and(|at| at.length() < 1.0)));
    assert_eq!(check_path_in_scene(&scene, &path(&[[-4.0, 2.0], [4.0, 2.0]])), Ok(()));
}

#[test]
fn stairs_on_the_path_are_climbed() {
    let stairs = Stairs { start: Vec2::new(-1.0, 0.0), heading: std::f64::consts::FRAC_PI_2, ..Stairs::default() };
    let scene = Scene { terrain: Some(Terrain::stairs(stairs).expect("stairs")), ..room(Vec::new()) };
    let walk = go(&scene, &request(Synthesis::Gait(1.8))).expect("a climb");
    check("stairs", &scene, &walk);
    let last = walk.footprints.footprints.last().expect("a footprint").position;
    assert!((last.y - scene.terrain.expect("stairs").height(ground_point(last))).abs() < 1e-9 && last.y > 0.5);
}
