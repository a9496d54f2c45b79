use super::*;
use crate::{Gait, Rig, WalkParameters};
use proptest::prelude::*;
use std::sync::Arc;
use surefoot_geom::wrap_angle;
use surefoot_ground::{CorridorMap, CorridorOptions, Obstacle, PathOptions, Stairs};
use surefoot_motion::{PersonOptions, Poses, person};
use surefoot_plan::{BodyReach, PlanChecker, World};

fn body(height: f64) -> BodyProportions {
    let (skeleton, body) = person(&PersonOptions::with_height(height)).expect("a person");
    *Rig::new(&skeleton, &body, &Poses::default()).expect("a rig").proportions()
}

fn settings(speed: f64, height: f64) -> GaitSettings {
    let mut settings = GaitSettings::natural(Gait::Walk, height);
    settings.walk.parameters = WalkParameters::from_speed(speed / 3.6, height).expect("a speed");
    settings
}

fn path(points: &[[f64; 2]]) -> Path {
    Path { points: points.iter().map(|&point| Vec2::from(point)).collect() }
}

/// Plans steps and checks everything that is promised of them.
fn check(path: &Path, speed: f64, options: &PlanStepsOptions<'_>) -> PlannedSteps {
    let (proportions, settings) = (body(1.8), settings(speed, 1.8));
    let planned = plan_steps(&proportions, &settings, path, options).expect("steps");
    assert_eq!(plan_steps(&proportions, &settings, path, options).as_ref(), Ok(&planned), "the same again");
    let prints = &planned.plan.footprints;
    assert_eq!(PlanChecker::default().check(&planned.plan), Ok(()));
    assert!(prints.len() >= 4, "two that stand, one step, one that closes");
    let soles = SoleShape::both(&proportions);
    let ground = |print: &Footprint| ground_point(print.position);
    for (index, pair) in prints.windows(2).enumerate() {
        assert_eq!(pair[0].side, pair[1].side.opposite(), "feet take turns");
        let step = ground(&pair[0]).distance(ground(&pair[1]));
        assert!(step <= 1.1 * planned.full_step + 0.25, "step {index} of {step} m");
        let turn = wrap_angle(pair[1].heading.unwrap() - pair[0].heading.unwrap()).abs();
        assert!(turn < MOST_TURN + 2.0 * settings.walk.attributes.foot_angle + 1e-6, "step {index} turns {turn}");
        let [one, two] = [0, 1].map(|i| SolePrint::of(&soles[pair[i].side], &pair[i]));
        assert!(one.gap(&two) >= FEET_APART - 1e-9, "feet of step {index} stand on each other");
    }
    if let Some(scene) = options.scene {
        for (index, print) in prints.iter().enumerate() {
            let sole = SolePrint::of(&soles[print.side], print);
            for (i, obstacle) in scene.obstacles.iter().enumerate() {
                assert!(sole.gap_to_area(&obstacle.outline) > 0.0, "footprints[{index}] stands on obstacles[{i}]");
            }
            assert!(sole.room_in_area(&scene.bounds) > 0.0, "footprints[{index}] leaves the bounds");
        }
    }
    // Closed: side by side at both ends, between them the path's end.
    let n = prints.len();
    let moved = |index: usize| planned.moved.iter().find(|moved| moved.0 == index).map_or(0.0, |moved| moved.1);
    for (pair, end) in [([0, 1], path.points[0]), ([n - 2, n - 1], path.points[path.points.len() - 1])] {
        let slack = moved(pair[0]) + moved(pair[1]) + if options.terrain.is_some() { 0.2 } else { 0.0 };
        let [one, two] = pair.map(|index| ground(&prints[index]));
        assert!(one.distance(two) < 0.2 + slack, "feet are {} m apart", one.distance(two));
        // Turned away from the path, balls are before the soles' middle in some other direction.
        let turned = if options.start_heading.or(options.goal_heading).is_some() { 0.2 } else { 0.0 };
        let off = one.midpoint(two).distance(end);
        assert!(off < 0.04 + slack + turned, "{off} m from the path's end");
    }
    for (index, print) in prints.iter().enumerate().skip(2) {
        assert!(print.swing.is_some() && print.support.is_some() == (index + 1 < n));
    }
    planned
}

#[test]
fn a_straight_path_is_walked_with_the_steps_of_its_speed() {
    let planned = check(&path(&[[0.0, 0.0], [0.0, 10.0]]), 5.0, &PlanStepsOptions::default());
    let prints = &planned.plan.footprints;
    let natural = WalkParameters::from_speed(5.0 / 3.6, 1.8).expect("a speed");
    assert_eq!(planned.full_step, natural.step_length);
    let steps: Vec<f64> = prints.windows(2).skip(1).map(|pair| pair[1].position.z - pair[0].position.z).collect();
    let (first, last) = (steps[0], steps[steps.len() - 1]);
    let full = &steps[1..steps.len() - 1];
    assert!(full.iter().all(|step| (step - full[0]).abs() < 1e-9 && *step <= natural.step_length), "{steps:?}");
    assert!(full[0] > 0.9 * natural.step_length && (first / full[0] - FIRST_STEP).abs() < 1e-6 && last.abs() < 1e-9);
    for print in &prints[3..prints.len() - 2] {
        let time = print.swing.unwrap() + print.support.unwrap();
        assert!((time - 1.0 / natural.cadence).abs() < 1e-9, "a step takes its time");
        assert!((print.position.x.abs() - 0.05).abs() < 0.02, "half a stride's width to its side");
    }
    // A faster walk takes longer steps.
    let fast = check(&path(&[[0.0, 0.0], [0.0, 10.0]]), 7.0, &PlanStepsOptions::default());
    assert!(fast.full_step > 1.1 * planned.full_step && fast.plan.footprints.len() < prints.len());
}

fn running(speed: f64, height: f64) -> GaitSettings {
    let mut settings = GaitSettings::natural(Gait::Run, height);
    let level = crate::NATURAL_LEVEL;
    settings.run.parameters = crate::RunParameters::from_speed(speed / 3.6, height, level).expect("a speed");
    settings
}

fn behaviours(plan: &FootPlan) -> Vec<Option<Behaviour>> {
    plan.footprints.iter().map(|print| print.behaviour).collect()
}

#[test]
fn who_is_in_a_hurry_gains_speed_runs_and_stops_with_walking_steps() {
    let settings = running(12.0, 1.8);
    let route = path(&[[0.0, 0.0], [0.0, 20.0]]);
    let planned = plan_steps(&body(1.8), &settings, &route, &PlanStepsOptions::default()).expect("steps");
    assert_eq!(PlanChecker::default().check(&planned.plan), Ok(()));
    let prints = &planned.plan.footprints;
    let n = prints.len();
    let steps: Vec<f64> = prints.windows(2).skip(1).map(|pair| pair[1].position.z - pair[0].position.z).collect();
    let longest = steps.iter().copied().fold(0.0, f64::max);
    assert!(longest > 0.85 * settings.run.parameters.step_length, "{steps:?}");
    assert!(steps[0] < 0.7 * longest && steps[n - 4] < 0.7 * longest, "{steps:?}");
    for (index, print) in prints.iter().enumerate().skip(2) {
        let runs = index + 2 < n;
        let leads = if runs { Behaviour::Run } else { Behaviour::Walk };
        assert_eq!((print.behaviour, print.support == Some(0.0)), (Some(leads), runs), "footprints[{index}]");
    }
    // A few steps are not worth a run.
    let short = path(&[[0.0, 0.0], [0.0, 1.5]]);
    let planned = plan_steps(&body(1.8), &settings, &short, &PlanStepsOptions::default()).expect("steps");
    assert!(behaviours(&planned.plan).iter().all(Option::is_none), "{planned:?}");
}

/// Level ground with a ditch a metre deep across z.
fn ditch(from: f64, to: f64) -> Terrain {
    let row = |k: usize| vec![if (from..to).contains(&(0.02 * k as f64)) { -1.0 } else { 0.0 }; 200];
    let heights: Vec<f64> = (0..500).flat_map(row).collect();
    Terrain::height_field(Vec2::new(-2.0, 0.0), 0.02, 200, 500, heights).expect("a field")
}

#[test]
fn wide_ditches_are_leapt_over_and_narrow_ones_stepped_over() {
    let route = path(&[[0.0, 0.5], [0.0, 8.0]]);
    for (width, leaps) in [(0.3, 0), (1.0, 1)] {
        let terrain = ditch(4.0, 4.0 + width);
        let options = PlanStepsOptions { terrain: Some(&terrain), ..PlanStepsOptions::default() };
        for settings in [settings(5.0, 1.8), running(10.0, 1.8)] {
            let planned = plan_steps(&body(1.8), &settings, &route, &options).expect("steps");
            let prints = &planned.plan.footprints;
            assert!(prints.iter().all(|print| print.position.y > -0.01), "{prints:?}");
            let found = behaviours(&planned.plan).iter().filter(|of| **of == Some(Behaviour::Jump)).count();
            assert_eq!(found, leaps, "{width} m: {:?}", behaviours(&planned.plan));
            let world = Arc::new(World { terrain: Some(terrain.clone()), ..World::default() });
            assert_eq!(PlanChecker::new(world, BodyReach::of(&body(1.8))).check(&planned.plan), Ok(()));
        }
    }
}

#[test]
fn steps_are_shorter_where_the_path_bends() {
    let arc = |radius: f64, turn: f64| Path {
        points: (0..=200).map(|i| Vec2::from_angle(f64::from(i) / 200.0 * turn) * radius).collect(),
    };
    let step = |path: &Path| check(path, 5.0, &PlanStepsOptions::default()).shortest_step;
    let [tight, wide] = [0.5, 3.0].map(|radius| step(&arc(radius, 6.0)).expect("several steps"));
    assert!(tight < 0.3 && wide > 0.65, "{tight} {wide}");
    assert_eq!(step(&path(&[[0.0, 0.0], [0.0, 0.3]])), None, "one step is the first, and the shortest by itself");
    // The outer foot goes no farther than on a straight line.
    for radius in [0.6, 1.0, 2.0] {
        let planned = check(&arc(radius, 6.0), 5.0, &PlanStepsOptions::default());
        let prints = &planned.plan.footprints;
        for index in 4..prints.len() - 1 {
            let stride = prints[index].position.distance(prints[index - 2].position);
            assert!(stride <= 2.0 * planned.full_step + 1e-6, "radius {radius}: {stride}");
        }
    }
}

#[test]
fn unusual_paths_are_walked_too() {
    let plain = PlanStepsOptions::default();
    check(&path(&[[0.0, 0.0], [0.0, 0.1]]), 5.0, &plain);
    check(&path(&[[0.0, 0.0], [0.0, 0.001]]), 5.0, &plain);
    check(&path(&[[0.0, 0.0], [0.0, 3.0], [0.0, 0.5]]), 5.0, &plain);
    check(&path(&[[0.0, 0.0], [0.0, 3.0], [0.05, 3.0], [0.05, 0.0], [0.1, 0.0], [0.1, 3.0]]), 5.0, &plain);
    check(&path(&[[0.0, 0.0], [2.0, 0.0], [2.0, 2.0], [0.0, 2.0], [0.0, 0.0]]), 5.0, &plain);
    check(&path(&[[0.0, 0.0], [4.0, 0.0], [4.0, 3.0], [2.0, 3.0], [2.0, -3.0]]), 6.0, &plain);
    let circle: Vec<[f64; 2]> = (0..=400).map(|i| (f64::from(i) * 0.05).sin_cos()).map(|(x, z)| [x, z]).collect();
    check(&path(&circle), 5.0, &plain);
    let zigzag: Vec<[f64; 2]> = (0..60).map(|i| [f64::from(i % 2) * 0.4, f64::from(i) * 0.3]).collect();
    check(&path(&zigzag), 5.0, &plain);
    let bad = plan_steps(&body(1.8), &settings(5.0, 1.8), &path(&[[0.0, 0.0]]), &plain);
    assert!(matches!(bad, Err(PlanStepsError::Path(_))));
    let long = plan_steps(&body(1.8), &settings(5.0, 1.8), &path(&[[0.0, 0.0], [1e6, 0.0]]), &plain);
    assert!(matches!(long, Err(PlanStepsError::TooMany { .. })), "{long:?}");
}

#[test]
fn who_faces_elsewhere_turns_on_the_spot() {
    let along_path = path(&[[0.0, 0.0], [0.0, 4.0]]);
    for degrees in [-170.0, -90.0, 30.0, 90.0, 180.0_f64] {
        let options = PlanStepsOptions { start_heading: Some(degrees.to_radians()), ..PlanStepsOptions::default() };
        let planned = check(&along_path, 5.0, &options);
        let prints = &planned.plan.footprints;
        let body = |i: usize| prints[i].heading.unwrap().midpoint(prints[i + 1].heading.unwrap());
        assert!(wrap_angle(body(0) - degrees.to_radians()).abs() < 1e-9, "at first {degrees}");
        assert!(wrap_angle(body(prints.len() - 2)).abs() < 1e-9, "at last along the path");
        let options = PlanStepsOptions { goal_heading: Some(degrees.to_radians()), ..PlanStepsOptions::default() };
        let prints = check(&along_path, 5.0, &options).plan.footprints;
        let last = prints[prints.len() - 2].heading.unwrap().midpoint(prints[prints.len() - 1].heading.unwrap());
        assert!(wrap_angle(last - degrees.to_radians()).abs() < 1e-9, "at last {degrees}");
    }
    // As far as any step turns, nobody treads on the spot for it.
    let along = check(&along_path, 5.0, &PlanStepsOptions::default()).plan.footprints.len();
    for heading in [-0.45, 0.45] {
        let start = PlanStepsOptions { start_heading: Some(heading), ..PlanStepsOptions::default() };
        let goal = PlanStepsOptions { goal_heading: Some(heading), ..PlanStepsOptions::default() };
        for options in [start, goal] {
            assert_eq!(check(&along_path, 5.0, &options).plan.footprints.len(), along, "{heading}");
        }
    }
    let options = PlanStepsOptions { goal_heading: Some(f64::NAN), ..PlanStepsOptions::default() };
    let bad = plan_steps(&body(1.8), &settings(5.0, 1.8), &along_path, &options);
    assert_eq!(bad, Err(PlanStepsError::Heading(ScenePart::Goal)));
}

fn square(x: f64, z: f64, half: f64) -> Vec<Vec2> {
    [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)].map(|(a, b)| Vec2::new(x + a * half, z + b * half)).to_vec()
}

fn scene(outlines: Vec<Vec<Vec2>>) -> Scene {
    let obstacles = outlines.into_iter().map(|outline| Obstacle { outline, height: Some(0.4) }).collect();
    Scene { bounds: square(0.0, 0.0, 6.0), obstacles, terrain: None, start: None, goal: None, waypoints: Vec::new() }
}

#[test]
fn footprints_give_way_to_obstacles_or_are_refused_with_the_place() {
    let along_path = path(&[[0.0, -5.0], [0.0, 5.0]]);
    // Beside the path, where feet would be planted.
    let posts = scene((0..16).map(|i| square(0.2 * f64::from(i % 2) - 0.1, -4.5 + 0.6 * f64::from(i), 0.04)).collect());
    let planned = check(&along_path, 5.0, &PlanStepsOptions { scene: Some(&posts), ..PlanStepsOptions::default() });
    assert!(!planned.moved.is_empty(), "some had to move");
    assert!(planned.moved.iter().all(|moved| moved.1 < 0.3), "{:?}", planned.moved);
    // Across it.
    let wall = scene(vec![[(-3.0, 0.0), (3.0, 0.0), (3.0, 1.5), (-3.0, 1.5)].map(Vec2::from).to_vec()]);
    let options = PlanStepsOptions { scene: Some(&wall), ..PlanStepsOptions::default() };
    let error = plan_steps(&body(1.8), &settings(5.0, 1.8), &along_path, &options).unwrap_err();
    let PlanStepsError::Blocked { at, part, .. } = error else { panic!("{error}") };
    assert!(part == Some(ScenePart::Obstacle(0)) && at.y > -0.3 && at.y < 1.5, "{error}");
    assert!(error.to_string().contains("obstacles[0] blocks it"), "{error}");
    let out = path(&[[0.0, -5.0], [0.0, 6.5]]);
    let error = plan_steps(&body(1.8), &settings(5.0, 1.8), &out, &options_of(&scene(Vec::new()))).unwrap_err();
    assert!(error.to_string().contains("bounds"), "{error}");
}

fn options_of(scene: &Scene) -> PlanStepsOptions<'_> {
    PlanStepsOptions { scene: Some(scene), ..PlanStepsOptions::default() }
}

#[test]
fn stairs_are_taken_one_by_one() {
    let stairs = Stairs { start: Vec2::new(0.0, 2.0), ..Stairs::default() };
    let terrain = Terrain::stairs(stairs).expect("stairs");
    let options = PlanStepsOptions { terrain: Some(&terrain), ..PlanStepsOptions::default() };
    let planned = check(&path(&[[0.0, 0.0], [0.0, 8.0]]), 5.0, &options);
    let prints = &planned.plan.footprints;
    assert!(prints[prints.len() - 1].position.y > 0.5, "it climbs");
    for pair in prints.windows(2) {
        assert!((pair[1].position.y - pair[0].position.y).abs() < 0.3, "{:?}", pair[1].position);
        let ground = terrain.height(ground_point(pair[1].position));
        assert!((pair[1].position.y - ground).abs() < 1e-9, "on the ground");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn any_path_of_a_planner_is_walked(
        speed in 2.0..7.0_f64,
        posts in prop::collection::vec((-4.5..4.5_f64, -4.5..4.5_f64, 0.05..0.5_f64), 0..25),
    ) {
        let posts = posts.into_iter().filter(|&(x, z, half)| {
            let clear = |at: f64| (x - at).abs().max((z - at).abs()) > half + 0.35;
            clear(-5.0) && clear(5.0)
        });
        let hall = scene(posts.map(|(x, z, half)| square(x, z, half)).collect());
        let map = CorridorMap::new(&hall, &CorridorOptions::default()).expect("a map");
        if let Ok(corridor) = map.query(Vec2::splat(-5.0), Vec2::splat(5.0), 0.25) {
            check(&corridor.path(&PathOptions::default()), speed, &options_of(&hall));
        }
    }

    #[test]
    fn any_line_is_walked_without_obstacles(
        points in prop::collection::vec((-3.0..3.0_f64, -3.0..3.0_f64), 2..9),
        speed in 1.0..8.0_f64,
    ) {
        let along_path = Path { points: points.into_iter().map(|(x, z)| Vec2::new(x, z)).collect() };
        prop_assume!(along_path.check().is_ok());
        check(&along_path, speed, &PlanStepsOptions::default());
    }
}
