//! What is written is read back as it was, and what is wrong is reported with its field and line.

use proptest::prelude::*;
use surefoot_contact::{Behaviour, Contacts, FootPart, FootPlan, Footprint, Plant, WalkerOptions, synthetic_walk};
use surefoot_formats::own::{
    ContactRanges, read_contacts, read_path, read_plan, read_scene, write_contacts, write_path, write_plan, write_scene,
};
use surefoot_formats::{ErrorKind, ReadError};
use surefoot_geom::{Vec2, Vec3};
use surefoot_ground::{Obstacle, Path, Place, Scene, Terrain};
use surefoot_motion::{PerSide, Side};

fn seconds() -> impl Strategy<Value = Option<f64>> {
    prop::option::of(0.3..2.0f64)
}

/// Steps of at most 2 m and turns that hips can do, so that every plan can be stepped; with relative times or absolute ones.
fn any_plan() -> impl Strategy<Value = FootPlan> {
    let turn = prop::option::of(-0.9..0.9f64);
    let step = (any::<bool>(), [-1.0..1.0f64, 0.05..0.3, -1.0..1.0], turn, seconds(), seconds());
    (prop::collection::vec(step, 2..12), -7.0..7.0f64, any::<bool>()).prop_map(|(steps, facing, is_absolute)| {
        let mut at = Vec3::ZERO;
        let mut footprints = Vec::new();
        for (index, (left, offset, turn, swing, support)) in steps.into_iter().enumerate() {
            let side = match index {
                0 => Side::Left,
                1 => Side::Right,
                _ => [Side::Left, Side::Right][usize::from(left)],
            };
            at += Vec3::from(offset);
            let (heading, print) = (turn.map(|turn| facing + turn), Footprint::at(side, at));
            let normal = Vec3::new(0.1 * offset[0], 1.0, 0.2 * offset[2]).normalize();
            // After a foot that has left, nobody walks or climbs.
            let left_before = footprints.iter().any(|print: &Footprint| print.leave.is_some());
            let behaviour =
                if left_before { [Behaviour::Run, Behaviour::Jump][index % 2] } else { Behaviour::ALL[index % 4] };
            let land = 2.0 * index as f64;
            // Long distances between the footprints of one foot need no time to be feasible.
            footprints.push(match is_absolute {
                true => Footprint {
                    heading,
                    normal,
                    land: Some(land),
                    leave: support.map(|_| land + 1.5),
                    behaviour: swing.map(|_| behaviour),
                    is_fixed: left,
                    ..print
                },
                false => Footprint { heading, swing: swing.filter(|_| index < 4), support, is_fixed: left, ..print },
            });
        }
        FootPlan { footprints }
    })
}

fn any_contacts() -> impl Strategy<Value = Contacts> {
    let gaps = || prop::collection::vec((0..20usize, 1..30usize), 0..6);
    (gaps(), gaps(), gaps(), gaps()).prop_map(|(a, b, c, d)| {
        let mut n_frames = 1;
        let mut plants = |part, gaps: Vec<(usize, usize)>| {
            let mut at = 0;
            let made: Vec<Plant> = gaps
                .into_iter()
                .map(|(gap, length)| {
                    let start = at + gap;
                    at = start + length;
                    Plant { part, frames: start..at, position: Vec3::ZERO }
                })
                .collect();
            n_frames = n_frames.max(at);
            made
        };
        let mut side = |heel, ball| {
            let mut both = plants(FootPart::Heel, heel);
            both.extend(plants(FootPart::Ball, ball));
            both.sort_by_key(|plant| (plant.frames.start, plant.frames.end));
            both
        };
        let plants = PerSide::new(side(a, b), side(c, d));
        Contacts { n_frames, plants }
    })
}

fn close(a: Option<f64>, b: Option<f64>) -> bool {
    match (a, b) {
        (Some(a), Some(b)) => (a - b).abs() <= 1e-14,
        _ => a == b,
    }
}

proptest! {
    #[test]
    fn a_plan_comes_back(plan in any_plan()) {
        let text = write_plan(&plan);
        let back = read_plan(text.as_bytes()).unwrap();
        prop_assert_eq!(back.footprints.len(), plan.footprints.len());
        for (a, b) in back.footprints.iter().zip(&plan.footprints) {
            prop_assert_eq!((a.side, a.position, a.swing, a.support), (b.side, b.position, b.swing, b.support));
            prop_assert_eq!((a.normal, a.land, a.leave, a.behaviour), (b.normal, b.land, b.leave, b.behaviour));
            prop_assert!(close(a.heading, b.heading));
        }
        prop_assert_eq!(text.lines().count(), plan.footprints.len() + 2);
        // Degrees were rounded once; from then on nothing changes.
        prop_assert_eq!(write_plan(&back), text);
    }

    #[test]
    fn contacts_come_back(contacts in any_contacts()) {
        let back = read_contacts(write_contacts(&contacts).as_bytes()).unwrap();
        prop_assert_eq!(back, ContactRanges::from(&contacts));
    }

    #[test]
    fn a_path_comes_back(xs in prop::collection::vec(-100.0..100.0f64, 2..20)) {
        let points = xs.iter().enumerate().map(|(z, &x)| Vec2::new(x, z as f64 / 7.0)).collect();
        let path = Path { points };
        prop_assert_eq!(read_path(write_path(&path).as_bytes()).unwrap(), path);
    }

    #[test]
    fn a_scene_comes_back(radii in prop::collection::vec(0.5..2.0f64, 3..20), wall: bool, heading in 0.0..3.0f64) {
        let corner = |(index, radius): (usize, &f64)| {
            Vec2::from_angle(index as f64 / radii.len() as f64 * std::f64::consts::TAU) * *radius
        };
        let outline = radii.iter().enumerate().map(corner).collect();
        let height = (!wall).then_some(radii[0]);
        let scene = Scene {
            bounds: vec![Vec2::new(-5.0, -5.0), Vec2::new(5.0, -5.0), Vec2::new(5.0, 5.0), Vec2::new(-5.0, 5.0)],
            obstacles: if radii.len() > 5 { vec![Obstacle { outline, height }] } else { Vec::new() },
            terrain: wall.then(|| Terrain::flat(heading)),
            start: Some(Place { position: Vec2::new(-4.0, 4.0), heading: wall.then_some(heading) }),
            goal: None,
            waypoints: if wall { vec![Vec2::new(3.0, radii[0]), Vec2::new(-3.0, 4.0)] } else { Vec::new() },
        };
        let text = write_scene(&scene);
        let back = read_scene(text.as_bytes()).unwrap();
        prop_assert_eq!(back.waypoints.len(), scene.waypoints.len());
        prop_assert!(back.waypoints.iter().zip(&scene.waypoints).all(|(a, b)| a.distance(*b) < 1e-6));
        prop_assert!(close(back.start.unwrap().heading, scene.start.unwrap().heading));
        prop_assert_eq!((&back.obstacles, &back.terrain), (&scene.obstacles, &scene.terrain));
        prop_assert_eq!((&back.bounds, back.goal), (&scene.bounds, scene.goal));
        prop_assert_eq!(write_scene(&back), text);
    }
}

#[test]
fn contacts_of_a_clip_get_their_positions_back() {
    let walk = synthetic_walk(&WalkerOptions::default());
    let ranges = read_contacts(write_contacts(&walk.take.contacts).as_bytes()).unwrap();
    let contacts = ranges.of_clip(&walk.take.clip, &walk.take.body).unwrap();
    for side in Side::BOTH {
        for (a, b) in contacts.plants[side].iter().zip(&walk.take.contacts.plants[side]) {
            assert_eq!((a.part, &a.frames), (b.part, &b.frames));
            assert!(a.position.distance(b.position) < 1e-9);
        }
    }
    let mut shorter = walk.take.clip.clone();
    shorter.poses_mut().truncate(walk.take.clip.n_frames() - 1);
    let error = ranges.of_clip(&shorter, &walk.take.body).unwrap_err();
    assert_eq!(error.kind, ErrorKind::Contacts);
}

/// The kind, line and a part of the message of an error.
#[track_caller]
fn check<T: std::fmt::Debug>(result: Result<T, ReadError>, kind: ErrorKind, line: usize, part: &str) {
    let error = result.unwrap_err();
    assert_eq!((error.kind, error.line), (kind, Some(line)), "{error}");
    assert!(error.message.contains(part), "{error}");
}

#[test]
fn the_examples_of_the_documentation_are_good() {
    let plan = r#"{ "footplan": 1, "footprints": [
      { "foot": "left",  "position": [ 0.10, 0.0, 0.00], "heading": 0 },
      { "foot": "right", "position": [-0.10, 0.0, 0.00], "heading": 0 },
      { "foot": "left",  "position": [ 0.10, 0.0, 0.60], "heading": 90, "swing": 0.42, "support": 0.18 } ] }"#;
    let plan = read_plan(plan.as_bytes()).unwrap();
    assert_eq!(plan.footprints[2].heading, Some(std::f64::consts::FRAC_PI_2));
    assert_eq!(plan.footprints[2].support, Some(0.18));
    let contacts = r#"{ "contacts": 1, "frames": 240, "left": { "heel": [[10, 31]], "ball": [[12, 36]] },
      "right": { "heel": [], "ball": [[0, 14]] } }"#;
    assert_eq!(read_contacts(contacts.as_bytes()).unwrap().ranges.len(), 3);
    let path = r#"{ "path": 1, "points": [[0, 0], [0, 4], [3, 7]] }"#;
    assert_eq!(read_path(path.as_bytes()).unwrap().points.len(), 3);
    let scene = r#"{ "scene": 1, "bounds": [[-5,-5],[5,-5],[5,5],[-5,5]],
      "obstacles": [ { "outline": [[1,1],[2,1],[2,2]], "height": 1.0 } ],
      "start": { "position": [-4,-4], "heading": 0 }, "goal": { "position": [4,4] } }"#;
    assert_eq!(read_scene(scene.as_bytes()).unwrap().obstacles[0].height, Some(1.0));
}

#[test]
fn wrong_contacts_are_reported_with_field_and_line() {
    let with = |left_heel: &str| {
        let text = format!(
            "{{ \"contacts\": 1, \"frames\": 50,\n \"left\": {{ \"heel\": {left_heel}, \"ball\": [] }},\n \"right\": {{ \"heel\": [], \"ball\": [] }} }}"
        );
        read_contacts(text.as_bytes())
    };
    check(with("[[5, 9],\n[3, 12]]"), ErrorKind::Contacts, 3, "left.heel[1]: [3, 12] begins before");
    check(with("[[9, 9]]"), ErrorKind::Contacts, 2, "left.heel[0]: [9, 9] is empty");
    check(with("[[9, 51]]"), ErrorKind::Contacts, 2, "50 is the largest end");
    check(with("[[9, 10, 11]]"), ErrorKind::Type, 2, "left.heel[0]: a range has two numbers");
    check(with("[[1.5, 3]]"), ErrorKind::Type, 2, "left.heel[0][0]: found 1.5, needs a whole number");
    check(with("[[-1, 3]]"), ErrorKind::Type, 2, "0 or more");
    check(with("[[1, 1e12]]"), ErrorKind::OutOfRange, 2, "left.heel[0][1]");
    check(with("[[1, 1e999]]"), ErrorKind::Nonfinite, 2, "left.heel[0][1]");
    check(read_contacts(b"{\"contacts\": 1,\n\"frames\": 5}"), ErrorKind::MissingField, 1, "`left`");
    assert!(with("[[0, 5], [5, 50]]").is_ok());
}

#[test]
fn wrong_paths_and_scenes_are_reported_with_field_and_line() {
    check(read_path(b"{\"path\": 1,\n\"points\": [[0, 0]]}"), ErrorKind::Path, 2, "at least two points");
    check(read_path(b"{\"path\": 1, \"points\": [[0, 0],\n[0, 0]]}"), ErrorKind::Path, 2, "points[1] repeats");
    check(read_path(b"{\"path\": 1, \"points\": [[0, 0, 1]]}"), ErrorKind::Type, 1, "points[0]: found a list of 3");
    check(read_path(b"{\"path\": 2, \"points\": []}"), ErrorKind::Version, 1, "reads version 1");
    check(read_path(b"{\"path\": \"1\", \"points\": []}"), ErrorKind::Type, 1, "path: found the text");
    let scene = |rest: &str| {
        let text = format!("{{\"scene\": 1, \"bounds\": [[0,0],[9,0],[9,9],[0,9]],\n{rest}}}");
        read_scene(text.as_bytes())
    };
    let crossed = "\"obstacles\": [\n{\"outline\": [[1,1],[2,2],[2,1],[1,2]]}]";
    check(scene(crossed), ErrorKind::Scene, 3, "obstacles[0]: the edges");
    check(scene("\"start\": {\"position\": [10, 1]}"), ErrorKind::Scene, 2, "start: lies outside");
    check(scene("\"goal\": {\"position\": [1, 1], \"hedding\": 3}"), ErrorKind::UnknownField, 2, "`heading`");
    check(scene("\"goal\": [1, 2]"), ErrorKind::Type, 2, "goal: found a list, needs an object");
    let long: Vec<String> = (0..3000).map(|index| format!("[{index}, 0]")).collect();
    let long = format!("\"obstacles\": [{{\"outline\": [{}]}}]", long.join(","));
    check(scene(&long), ErrorKind::Limit, 2, "obstacles[0].outline: an outline has at most 2048 points");
}

#[test]
fn a_file_of_another_kind_is_called_by_its_name() {
    check(read_plan(b"{\"contacts\": 1}"), ErrorKind::MissingField, 1, "this is a contacts file");
    check(
        read_path(b"{\"footplan\": 1}"),
        ErrorKind::MissingField,
        1,
        "this is a foot plan (it has `footplan`), not a path",
    );
    check(read_plan(b"[]"), ErrorKind::Type, 1, "begins with \"footplan\": 2");
    check(read_plan(b"{}"), ErrorKind::MissingField, 1, "\"footplan\": 2");
}

#[test]
fn a_plan_whose_standing_feet_are_one_foot_is_refused() {
    let text = b"{\"footplan\": 1, \"footprints\": [{\"foot\": \"left\", \"position\": [0,0,0]},\n{\"foot\": \"left\", \"position\": [0,0,0]}]}";
    check(read_plan(text), ErrorKind::Foot, 2, "footprints[1]");
}

#[test]
fn numbers_that_are_not_finite_are_refused_with_their_footprint() {
    let plan = |field: &str, value: &str| {
        let print = |foot: &str, x: f64, z: f64| format!("{{\"foot\": \"{foot}\", \"position\": [{x}, 0, {z}]}}");
        let position = if field == "position" { format!("[0.1, 0, {value}]") } else { "[0.1, 0, 0.6]".to_string() };
        let rest = if field == "position" { String::new() } else { format!(", \"{field}\": {value}") };
        let last = format!("{{\"foot\": \"left\", \"position\": {position}{rest}}}");
        let text = [print("left", 0.1, 0.0), print("right", -0.1, 0.0), last].join(",\n");
        read_plan(format!("{{\"footplan\": 2, \"footprints\": [\n{text}]}}").as_bytes())
    };
    for value in ["NaN", "nan", "Infinity", "-Infinity", "inf", "1e999", "-1e999"] {
        let kind = if value.ends_with("1e999") { ErrorKind::Nonfinite } else { ErrorKind::Json };
        for field in ["position", "heading", "land", "leave", "swing", "support"] {
            assert_eq!(plan(field, value).unwrap_err().footprint, Some(2));
            check(plan(field, value), kind, 4, &format!("footprints[2].{field}"));
        }
        check(plan("normal", &format!("[0, {value}, 0]")), kind, 4, "footprints[2].normal[1]");
    }
    check(plan("position", "null"), ErrorKind::Type, 4, "footprints[2].position[2]: found null, needs a number");
    check(plan("heading", "null"), ErrorKind::Type, 4, "footprints[2].heading: found null");
}
