//! Characters of different proportions walk the same plan, scaled to their legs, with their feet exactly on it; and what is found of
//! the bodies of recordings.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock};
use surefoot::contact::{FootPlan, Footprint};
use surefoot::formats::bvh::{BvhOptions, read_bvh, write_bvh};
use surefoot::formats::{ImportOptions, import};
use surefoot::gait::CorpusOptions;
use surefoot::geom::Vec3;
use surefoot::jobs::{
    AnimateRequest, CleanupRequest, IfExists, InputRequest, Job, JobContext, LoadedCharacter, MotionOutput,
    RetargetRequest, ScalePlanRequest,
};
use surefoot::motion::{Clip, PersonOptions, Poses, Side, person};
use surefoot::plan::{World, scale_plan, synthesize};
use surefoot::steps::{StepDatabase, Steps, WalkOptions};
use surefoot::{corpus_steps, load};
use surefoot_recordings::{manifest, shared_folder};

/// What every ball must keep to in a written file, in metres.
const EXACT: f64 = 1e-4;
/// A ball is on its footprint for at least this long, in seconds of a leg of 0.86 m.
const STANCE: f64 = 0.2;

static STEPS: LazyLock<StepDatabase> = LazyLock::new(|| corpus_steps(&CorpusOptions::default()).expect("the corpus"));

/// A walk that turns, for legs of an adult.
fn plan() -> FootPlan {
    let mut footprints = Vec::new();
    let mut at = Vec3::ZERO;
    for step in 0..9 {
        let side = if step % 2 == 0 { Side::Left } else { Side::Right };
        let heading = 0.1 * f64::from((step - 1).max(0));
        let ahead = Vec3::new(heading.sin(), 0.0, heading.cos());
        let out = Vec3::new(ahead.z, 0.0, -ahead.x) * if side == Side::Left { 0.1 } else { -0.1 };
        at += if (2..8).contains(&step) { 0.6 * ahead } else { Vec3::ZERO };
        footprints.push(Footprint { heading: Some(heading), ..Footprint::at(side, at + out) });
    }
    FootPlan { footprints }
}

/// Every footprint has a time in which the ball joint of a written file is on it.
fn check_walk(name: &str, bytes: &[u8], ball_names: [&str; 2], plan: &FootPlan, leg: f64) {
    let read = import(
        read_bvh(bytes).expect(name).into_document(),
        &ImportOptions { unit_to_metre: Some(0.01), ..Default::default() },
    );
    let clip = read.expect(name).clip;
    let joint = |name: &str| clip.skeleton.ids().find(|&id| clip.skeleton.name(id) == name).expect("a ball joint");
    let balls = ball_names.map(joint);
    let world = clip.world();
    let stance = STANCE * (leg / 0.86).sqrt() * clip.frame_rate;
    for (index, print) in plan.footprints.iter().enumerate() {
        let ball = balls[usize::from(print.side == Side::Right)];
        let mut longest = 0;
        let mut run = 0;
        for pose in &world {
            run = if pose.position(ball).distance(print.position) < EXACT { run + 1 } else { 0 };
            longest = longest.max(run);
        }
        assert!(
            f64::from(longest) >= stance,
            "{name}: footprints[{index}] is held for {longest} frames of {stance:.1}"
        );
    }
}

/// Walks the plan on a character of a file.
fn walk_on(name: &str, file: &Path) {
    let character = LoadedCharacter::load(&InputRequest::new(file)).unwrap_or_else(|error| panic!("{name}: {error:?}"));
    let usual = STEPS.parts().body.leg_length(&STEPS.parts().skeleton);
    let plan = scale_plan(&plan(), character.leg_length() / usual);
    let database = character.steps(&STEPS).unwrap_or_else(|error| panic!("{name}: {error:?}"));
    let steps = Steps::new(Arc::new(database), WalkOptions::default());
    let walk = synthesize(&steps, &Arc::new(World::default()), &plan, "walk").expect(name);
    let balls = walk.take.body.legs.map(|leg| leg.ball.expect("a ball joint"));
    let clip = &walk.take.clip;
    let names = [balls.left, balls.right].map(|ball| clip.skeleton.name(ball));
    let bytes = write_bvh(clip, &BvhOptions::default()).bytes;
    check_walk(name, &bytes, names, &plan, character.leg_length());
    let fall = walk.report.metrics.fall.as_ref().map_or(0.0, |fall| fall.value);
    assert!(fall < 1.0, "{name}: falls at {fall} g");
}

/// A file with a standing figure of our own.
fn own_figure(folder: &Path, name: &str, options: &PersonOptions) -> PathBuf {
    let (skeleton, _) = person(options).expect(name);
    let poses = Poses::repeat(&skeleton.rest_pose(), 1);
    let clip = Clip::new(name, Arc::new(skeleton), 30.0, poses);
    let file = folder.join(format!("{name}.bvh"));
    let bytes = write_bvh(&clip, &BvhOptions::default()).bytes;
    std::fs::write(&file, bytes).expect("a file");
    file
}

const MIXAMO_BALLS: [&str; 2] = ["mixamorig:LeftToeBase", "mixamorig:RightToeBase"];

/// A rig as Mixamo names its joints: centimetres, a T-pose, three spine joints, twist bones and fingers.
fn mixamo_rig(folder: &Path) -> PathBuf {
    let mut joints: Vec<(String, &str, [f64; 3])> = Vec::new();
    let mut add = |name: String, parent: &str, offset: [f64; 3]| {
        joints.push((name, Box::leak(parent.to_string().into_boxed_str()), offset));
    };
    let trunk = [
        ("Hips", "", [0.0, 96.0, 0.0]),
        ("Spine", "Hips", [0.0, 10.0, -1.0]),
        ("Spine1", "Spine", [0.0, 12.0, -0.5]),
        ("Spine2", "Spine1", [0.0, 13.0, 0.0]),
        ("Neck", "Spine2", [0.0, 15.0, 0.5]),
        ("Head", "Neck", [0.0, 9.0, 2.0]),
        ("HeadTop_End", "Head", [0.0, 19.0, 3.0]),
    ];
    for (name, parent, offset) in trunk {
        add(name.to_string(), parent, offset);
    }
    for (side, x) in [("Left", 1.0), ("Right", -1.0)] {
        let named = |part: &str| format!("{side}{part}");
        let limbs = [
            ("Shoulder", "Spine2".to_string(), [6.0 * x, 10.0, -1.0]),
            ("Arm", named("Shoulder"), [12.0 * x, 0.0, 0.0]),
            ("ArmTwist", named("Arm"), [14.0 * x, 0.0, 0.0]),
            ("ForeArm", named("Arm"), [27.0 * x, 0.0, 0.0]),
            ("ForeArmTwist", named("ForeArm"), [13.0 * x, 0.0, 0.0]),
            ("Hand", named("ForeArm"), [26.0 * x, 0.0, 0.0]),
            ("UpLeg", "Hips".to_string(), [9.0 * x, -5.0, 0.0]),
            ("UpLegTwist", named("UpLeg"), [0.0, -21.0, 0.3]),
            ("Leg", named("UpLeg"), [0.0, -42.0, 0.5]),
            ("Foot", named("Leg"), [0.0, -41.0, -2.0]),
            ("ToeBase", named("Foot"), [0.0, -7.0, 13.0]),
            ("Toe_End", named("ToeBase"), [0.0, 0.0, 8.0]),
        ];
        for (part, parent, offset) in limbs {
            add(named(part), &parent, offset);
        }
        for (finger, z) in [("Thumb", 3.0), ("Index", 3.5), ("Middle", 1.2), ("Ring", -1.0), ("Pinky", -3.0)] {
            let first = if finger == "Thumb" { [3.0 * x, -1.5, z] } else { [9.5 * x, 0.0, z] };
            let mut parent = named("Hand");
            for (number, offset) in
                [first, [3.4 * x, 0.0, 0.0], [2.6 * x, 0.0, 0.0], [2.2 * x, 0.0, 0.0]].iter().enumerate()
            {
                let name = format!("{side}Hand{finger}{}", number + 1);
                add(name.clone(), &parent, *offset);
                parent = name;
            }
        }
    }
    let mut text = "HIERARCHY\n".to_string();
    write_joint(&mut text, &joints, "Hips", 0);
    let zeros = vec!["0 0 0"; joints.len()].join(" ");
    let _ = write!(text, "MOTION\nFrames: 1\nFrame Time: 0.0333333\n0 96 0 {zeros}\n");
    let file = folder.join("mixamo.bvh");
    std::fs::write(&file, text).expect("a file");
    file
}

fn write_joint(text: &mut String, joints: &[(String, &str, [f64; 3])], name: &str, depth: usize) {
    let (_, _, [x, y, z]) = joints.iter().find(|joint| joint.0 == name).expect("the joint");
    let (word, channels) = match depth {
        0 => ("ROOT", "6 Xposition Yposition Zposition Zrotation Xrotation Yrotation"),
        _ => ("JOINT", "3 Zrotation Xrotation Yrotation"),
    };
    let _ = write!(text, "{word} mixamorig:{name}\n{{\nOFFSET {x} {y} {z}\nCHANNELS {channels}\n");
    let children: Vec<&str> = joints.iter().filter(|joint| joint.1 == name).map(|joint| &*joint.0).collect();
    for child in &children {
        write_joint(text, joints, child, depth + 1);
    }
    if children.is_empty() {
        text.push_str("End Site\n{\nOFFSET 0 0 0\n}\n");
    }
    text.push_str("}\n");
}

#[test]
fn a_child_and_a_giant_walk_exactly_on_the_plan_scaled_to_their_legs() {
    let folder = tempfile::tempdir().expect("a folder");
    let child = PersonOptions { leg: 0.9, head: 1.3, ..PersonOptions::with_height(1.05) };
    let giant = PersonOptions { leg: 1.1, shin: 1.05, foot: 1.1, ..PersonOptions::with_height(2.4) };
    for (name, options) in [("child", child), ("giant", giant)] {
        walk_on(name, &own_figure(folder.path(), name, &options));
    }
}

#[test]
fn a_rig_with_twist_bones_and_fingers_walks_exactly_and_its_plan_is_kept() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = |name: &str| folder.path().join(name);
    std::fs::write(file("a.plan.json"), surefoot::formats::own::write_plan(&plan())).expect("a file");
    let request = AnimateRequest {
        plan: file("a.plan.json"),
        on: Some(InputRequest::new(mixamo_rig(folder.path()))),
        scale_plan: Some(ScalePlanRequest::ByLegs),
        write_plan: Some(file("b.plan.json")),
        output: MotionOutput::new(file("b.bvh")),
        ..AnimateRequest::default()
    };
    let report = request.run(&JobContext::default()).expect("a walk");
    let on = report.on.expect("a character");
    assert!(on.missing.is_none() && (on.leg_length - 0.83).abs() < 0.01, "{}", on.leg_length);
    let scale = on.plan_scale.expect("scaled");
    let walked =
        surefoot::formats::own::read_plan(&std::fs::read(file("b.plan.json")).expect("a file")).expect("a plan");
    for (a, b) in walked.footprints.iter().zip(&scale_plan(&plan(), scale).footprints) {
        assert!(a.position.distance(b.position) < 1e-9);
    }
    let bytes = std::fs::read(file("b.bvh")).expect("a file");
    check_walk("mixamo", &bytes, MIXAMO_BALLS, &walked, on.leg_length);
}

#[test]
fn kept_places_are_those_of_the_balls_on_feet_of_any_length() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = |name: &str| folder.path().join(name);
    let steps = Steps::new(Arc::new(STEPS.clone()), WalkOptions::default());
    // Places that a child reaches as well.
    let plan = scale_plan(&plan(), 0.6);
    let walk = synthesize(&steps, &Arc::new(World::default()), &plan, "walk").expect("a walk");
    std::fs::write(file("walk.bvh"), write_bvh(&walk.take.clip, &BvhOptions::default()).bytes).expect("a file");
    let child = own_figure(folder.path(), "child", &PersonOptions { foot: 1.2, ..PersonOptions::with_height(1.2) });
    let characters = [(child, ["LeftToes", "RightToes"]), (mixamo_rig(folder.path()), MIXAMO_BALLS)];
    for (character, balls) in characters {
        let request = RetargetRequest {
            input: InputRequest::new(file("walk.bvh")),
            on: InputRequest::new(&character),
            output: MotionOutput::new(file("kept.bvh")),
            scale: None,
            keep_places: true,
            keep_hands: false,
            cleanup: Some(CleanupRequest::default()),
            write_contacts: None,
            report: None,
            if_exists: IfExists::Replace,
        };
        request.run(&JobContext::default()).expect("retargeted");
        let bytes = std::fs::read(file("kept.bvh")).expect("a file");
        check_walk(&character.display().to_string(), &bytes, balls, &plan, 0.86 * 0.6);
    }
}

#[test]
fn a_plan_that_short_legs_do_not_reach_is_refused_with_the_footprint_and_the_legs() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut long = plan();
    for print in &mut long.footprints {
        print.position.z *= 1.6;
    }
    let file = |name: &str| folder.path().join(name);
    std::fs::write(file("a.plan.json"), surefoot::formats::own::write_plan(&long)).expect("a file");
    let child = own_figure(folder.path(), "child", &PersonOptions::with_height(1.0));
    let request = AnimateRequest {
        plan: file("a.plan.json"),
        on: Some(InputRequest::new(child)),
        output: MotionOutput::new(file("b.bvh")),
        // A child would run over these footprints.
        with: surefoot::jobs::AnimateWith::Steps,
        ..AnimateRequest::default()
    };
    let error = request.run(&JobContext::default()).expect_err("too long");
    assert!(
        error.footprint.is_some() && error.message.contains("--scale-plan would scale the plan by 0."),
        "{error:?}"
    );
    assert!(!file("b.bvh").exists());
    let on_terrain = AnimateRequest {
        terrain: Some(surefoot::jobs::TerrainRequest::Flat(0.0)),
        scale_plan: Some(ScalePlanRequest::ByLegs),
        ..request
    };
    assert_eq!(on_terrain.run(&JobContext::default()).expect_err("on a terrain").field.as_deref(), Some("scale_plan"));
}

#[test]
fn a_recorded_person_and_a_glb_walk_exactly_on_the_plan_scaled_to_their_legs() {
    let Some(shared) = shared_folder() else { return };
    walk_on("CMU 16", &shared.join("mocap/cmu-bvh/016/16_15.bvh"));
    walk_on("CesiumMan", &shared.join("mocap/gltf/CesiumMan.glb"));
}

#[test]
fn arms_and_head_are_found_where_hands_are_held_straight_on_one_side_only() {
    let Some(shared) = shared_folder() else { return };
    for name in ["75_01", "75_02", "75_03", "75_13", "75_14", "114_09", "14_22"] {
        let read = load(&shared.join(format!("mocap-compose/{name}.bvh")), &Default::default()).expect(name);
        let body = read.body.expect(name);
        assert!(body.head.is_some(), "{name}");
        for (side, shoulder, wrist) in [(Side::Left, "LeftArm", "LeftHand"), (Side::Right, "RightArm", "RightHand")] {
            let arm = body.arms[side].expect(name);
            assert_eq!(read.clip.skeleton.name(arm.shoulder), shoulder, "{name}");
            assert_eq!(arm.wrist.map(|wrist| read.clip.skeleton.name(wrist)), Some(wrist), "{name}");
        }
    }
}

/// Recordings that are at the limits of what is doubted, beside those whose declared rate is wrong.
const NEAR_THE_LIMIT: [&str; 9] =
    ["104_01", "127_05", "127_17", "127_19", "128_05", "128_06", "128_08", "133_03", "16_51"];

#[test]
fn rates_that_are_declared_wrong_are_doubted_and_right_ones_are_not() {
    let Some(shared) = shared_folder() else { return };
    let mut n_wrong = 0;
    for folder in ["mocap", "mocap-compose"].map(|folder| shared.join(folder)) {
        for row in manifest(&folder) {
            let rate = |column: &str| row[column].parse::<f64>().ok();
            let Some((declared, actual)) = rate("fps_declared").zip(rate("fps_true")) else { continue };
            let is_wrong = (declared - actual).abs() > 1.0;
            let file = folder.join(&row["file"]);
            let is_near = NEAR_THE_LIMIT.iter().any(|near| file.file_stem().is_some_and(|stem| stem == *near));
            if !is_wrong && !is_near || row["format"] != "bvh" {
                continue;
            }
            let read = load(&file, &Default::default()).expect("a recording");
            let is_doubted = read.diagnostics.iter().any(|d| ["frame_rate", "cadence_implausible"].contains(&d.code));
            assert_eq!(is_doubted, is_wrong, "{}: {:?}", file.display(), read.diagnostics);
            n_wrong += usize::from(is_wrong);
        }
    }
    assert!(n_wrong >= 20, "{n_wrong}");
}
