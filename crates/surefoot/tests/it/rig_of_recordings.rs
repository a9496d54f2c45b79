//! Skeletons of every family take postures: legs exactly, and so that they look like the same person.

use std::path::Path;
use surefoot::gait::{ArmPosture, LegPosture, Posture, Rig};
use surefoot::geom::rotation::{exp_map, swing_twist};
use surefoot::geom::{Quat, Random, Transform, Vec3};
use surefoot::motion::{
    BodyMap, Clip, JointId, NeutralFrom, PerSide, PersonOptions, Poses, Side, Skeleton, WorldPose, person,
};
use surefoot::{LoadOptions, load};
use surefoot_recordings::{manifest, shared_folder};

/// A posture of any kind.
fn random_posture(random: &mut Random) -> Posture {
    let pelvis = exp_map(random.in_cube() * 1.5);
    let chest = pelvis * exp_map(random.in_cube() * 0.4);
    Posture {
        pelvis: Transform::new(pelvis, random.in_cube() * 4.0),
        chest,
        head: chest * exp_map(random.in_cube() * 0.4),
        legs: PerSide::from_fn(|_| LegPosture {
            thigh: exp_map(random.in_cube() * 1.5),
            shin: exp_map(random.in_cube() * 1.5),
            foot: exp_map(random.in_cube() * 1.5),
            toe_bend: random.signed(),
        }),
        arms: PerSide::from_fn(|_| ArmPosture {
            clavicle: exp_map(random.in_cube() * 0.2),
            upper_arm: exp_map(random.in_cube() * 1.5),
            elbow: 1.0 + random.signed(),
        }),
    }
}

fn posed(skeleton: &Skeleton, rig: &Rig, posture: &Posture) -> WorldPose {
    let mut pose = rig.rest_pose().clone();
    rig.pose(posture, &mut pose);
    WorldPose::new(skeleton, &pose)
}

/// The largest distance between a point of the body and where a posture says that it is.
fn worst_point(skeleton: &Skeleton, rig: &Rig, posture: &Posture) -> f64 {
    let (body, build) = (rig.body(), rig.proportions());
    let world = posed(skeleton, rig, posture);
    let mut pairs = vec![(world.position(body.pelvis), posture.pelvis.translation)];
    for side in Side::BOTH {
        let (leg, turns, sole) = (&body.legs[side], &posture.legs[side], &build.soles[side]);
        let hip = posture.pelvis.transform_point(build.hips[side]);
        let knee = hip + turns.thigh * (Vec3::NEG_Y * build.thigh[side]);
        let ankle = knee + turns.shin * (Vec3::NEG_Y * build.shin[side]);
        pairs.extend([
            (world.position(leg.hip), hip),
            (world.position(leg.knee), knee),
            (world.position(leg.ankle), ankle),
            (body.ball(&world, side), ankle + turns.foot * sole.ball),
            (body.heel(&world, side), ankle + turns.foot * sole.heel),
        ]);
        if let (Some(_), Some(toe)) = (leg.ball, leg.toe) {
            let toes = turns.foot * Quat::from_rotation_x(-turns.toe_bend) * (sole.toe_tip - sole.ball);
            pairs.push((world.point(skeleton, toe), ankle + turns.foot * sole.ball + toes));
        }
        if let Some(arm) = &body.arms[side] {
            let (shoulder, elbow) = (world.position(arm.shoulder), world.position(arm.elbow));
            let upper = posture.chest * posture.arms[side].upper_arm;
            let fore = upper * Quat::from_rotation_x(-posture.arms[side].elbow);
            pairs.push((elbow, shoulder + upper * Vec3::NEG_Y * shoulder.distance(elbow)));
            if let Some(wrist) = arm.wrist.map(|wrist| world.position(wrist)) {
                pairs.push((wrist, elbow + fore * Vec3::NEG_Y * elbow.distance(wrist)));
            }
        }
    }
    pairs.iter().map(|(found, wanted)| found.distance(*wanted)).fold(0.0, f64::max)
}

fn angle(a: Vec3, b: Vec3) -> f64 {
    a.cross(b).length().atan2(a.dot(b)).to_degrees()
}

/// The promise: a rig is exact, and its standing person stands.
fn check(name: &str, skeleton: &Skeleton, body: &BodyMap, poses: &Poses) -> Rig {
    let rig = Rig::new(skeleton, body, poses).unwrap_or_else(|error| panic!("{name}: {error}"));
    let mut random = Random::new(7);
    for _ in 0..50 {
        let worst = worst_point(skeleton, &rig, &random_posture(&mut random));
        assert!(worst < 1e-9, "{name}: {worst} m");
    }
    check_standing(name, skeleton, &rig);
    rig
}

fn check_standing(name: &str, skeleton: &Skeleton, rig: &Rig) {
    let (body, build) = (rig.body(), rig.proportions());
    let pelvis = Vec3::Y * build.standing_pelvis_height();
    let posture = Posture { pelvis: Transform::from_translation(pelvis), ..Posture::default() };
    let world = posed(skeleton, rig, &posture);
    let at = |joint: JointId| world.position(joint);
    let leg_length = build.leg_length(Side::Left);
    let facing = angle(body.facing(&world), Vec3::Z);
    let top = body.head.or(body.spine.last().copied());
    let lean = top.map_or(0.0, |top| angle(at(top) - at(body.pelvis), Vec3::Y));
    println!(
        "{name}: height {:.3} m, legs {leg_length:.3} m, pelvis {:.3} m; faces {facing:.1} and leans {lean:.1} degrees; \
         soles {:.3} m long, ankles {:.3} m high; stands as {:?}",
        build.height,
        pelvis.y,
        build.soles.left.ball.z - build.soles.left.heel.z,
        -build.soles.left.ball.y,
        rig.stands_as(),
    );
    // Hips of a captured person are not level to the millimetre.
    assert!(facing < 6.0, "{name}: the hips face {facing} degrees off");
    assert!(lean < 20.0, "{name}: the trunk leans by {lean} degrees");
    for side in Side::BOTH {
        let (leg, sole) = (&body.legs[side], &build.soles[side]);
        assert!(angle(at(leg.ankle) - at(leg.hip), Vec3::NEG_Y) < 1e-6, "{name}: legs are straight down");
        assert!(body.heel(&world, side).y.abs() < 0.03 * leg_length, "{name}: soles are near the ground");
        assert!((sole.heel - sole.ball).y.abs() < 1e-12 && sole.toe_tip.y == sole.ball.y, "{name}: {sole:?}");
        assert!((sole.heel - sole.ball).x.abs() < 1e-12, "{name}: the ball is straight before the heel: {sole:?}");
        assert!(sole.ball.z > sole.heel.z && sole.toe_tip.z > sole.ball.z, "{name}: {sole:?}");
        // People whose ankle lies on the sole's line exist among the families.
        assert!(sole.ball.y < 0.01 * leg_length, "{name}: ankles are above their soles: {sole:?}");
        assert!(build.hips[side].x * if side == Side::Left { 1.0 } else { -1.0 } > 0.0, "{name}: {:?}", build.hips);
        if let Some(arm) = &body.arms[side] {
            let elbow = at(arm.elbow) - at(arm.shoulder);
            assert!(angle(elbow, Vec3::NEG_Y) < 1e-6, "{name}: arms hang");
        }
    }
    let people = 1.5 * leg_length..2.9 * leg_length;
    assert!(people.contains(&build.height), "{name}: {} m high", build.height);
}

fn read(folder: &Path, name: &str) -> Option<(Clip, BodyMap)> {
    let import = load(&folder.join("mocap").join(name), &LoadOptions::default()).ok()?;
    let body = import.body.clone().ok()?;
    Some((import.clip, body))
}

const FAMILIES: &[&str] = &[
    "cmu-bvh/016/16_15.bvh",
    "cmu-asfamc/02_01.amc",
    "cmu-asfamc/16.asf",
    "cmu-bvh-daz/02_01.txt",
    "cmu-fbx/02_01.fbx",
    "bandai/dataset-1_walk_normal_001.bvh",
    "xsens-unity-bvh/NewBVH.txt",
    "gltf/CesiumMan.glb",
    "gltf/RobotExpressive.glb",
];

#[test]
fn every_family_takes_postures_exactly_and_stays_planted() {
    let Some(folder) = shared_folder() else { return };
    for name in FAMILIES {
        let (clip, body) = read(&folder, name).unwrap_or_else(|| panic!("{name} has no person"));
        check(name, &clip.skeleton, &body, clip.poses());
    }
}

#[test]
fn a_rest_pose_that_stands_needs_no_motion() {
    let Some(folder) = shared_folder() else { return };
    let mut n_standing = 0;
    for name in FAMILIES {
        let (clip, mut body) = read(&folder, name).unwrap_or_else(|| panic!("{name} has no person"));
        body.fit_feet(&clip.skeleton, &[], Vec3::Y);
        match Rig::new(&clip.skeleton, &body, &Poses::default()) {
            Ok(rig) if rig.stands_as() == NeutralFrom::StillRestPose => {
                check(&format!("{name} at rest"), &clip.skeleton, &body, &Poses::default());
                n_standing += 1;
            }
            Ok(rig) => assert_eq!(rig.stands_as(), NeutralFrom::UnusualRestPose, "{name}"),
            Err(error) => assert!(error.to_string().contains("lies above its ankle"), "{name}: {error}"),
        }
    }
    assert_eq!(n_standing, FAMILIES.len() - 2);
}

#[test]
fn every_recorded_person_takes_postures_exactly() {
    let Some(folder) = shared_folder() else { return };
    let mut n_people = 0;
    for row in manifest(&folder.join("mocap")).iter().step_by(4) {
        let Some((clip, body)) = read(&folder, &row["file"]) else { continue };
        let rig =
            Rig::new(&clip.skeleton, &body, clip.poses()).unwrap_or_else(|error| panic!("{}: {error}", row["file"]));
        let mut random = Random::new(11);
        for _ in 0..10 {
            let worst = worst_point(&clip.skeleton, &rig, &random_posture(&mut random));
            assert!(worst < 1e-9, "{}: {worst} m", row["file"]);
        }
        n_people += 1;
    }
    println!("{n_people} recorded people take postures");
    assert!(n_people >= 25);
}

/// A step: the left leg before the body, its knee straight and toes up; the right one behind, on its toes.
fn stride() -> Posture {
    let turn = Quat::from_rotation_x;
    let leg = |thigh: f64, shin: f64, foot: f64, toe_bend: f64| LegPosture {
        thigh: turn(-thigh),
        shin: turn(-shin),
        foot: turn(-foot),
        toe_bend,
    };
    let arm = |swing: f64, elbow: f64| ArmPosture { clavicle: Quat::IDENTITY, upper_arm: turn(-swing), elbow };
    Posture {
        pelvis: Transform::new(Quat::from_rotation_y(-0.1), Vec3::Y),
        chest: Quat::from_rotation_y(0.1) * turn(0.05),
        legs: PerSide::new(leg(0.4, 0.35, 0.3, 0.0), leg(-0.2, -0.7, -0.5, 0.5)),
        arms: PerSide::new(arm(-0.4, 0.1), arm(0.5, 0.6)),
        ..Posture::default()
    }
}

#[test]
fn one_posture_looks_the_same_on_all_skeletons() {
    let Some(folder) = shared_folder() else { return };
    let (skeleton, body) = person(&PersonOptions::default()).unwrap();
    let posture = stride();
    let own = Rig::new(&skeleton, &body, &Poses::default()).unwrap();
    let trunk_of = |skeleton: &Skeleton, rig: &Rig| {
        let (stands, strides) = (posed(skeleton, rig, &Posture::default()), posed(skeleton, rig, &posture));
        let body = rig.body();
        let head = body.head.expect("a head");
        let turn = strides[head].rotation * stands[head].rotation.conjugate();
        swing_twist(turn, Vec3::Y)
    };
    let wanted = trunk_of(&skeleton, &own);
    for name in FAMILIES {
        let (clip, body) = read(&folder, name).unwrap();
        let rig = Rig::new(&clip.skeleton, &body, clip.poses()).unwrap();
        let found = trunk_of(&clip.skeleton, &rig);
        assert!(found.0.angle_between(wanted.0) < 1e-6 && found.1.angle_between(wanted.1) < 1e-6, "{name}");
        let world = posed(&clip.skeleton, &rig, &posture);
        let at = |joint: JointId| world.position(joint);
        let [left, right] = [&body.legs.left, &body.legs.right];
        assert!(at(left.ankle).z > at(left.hip).z && at(right.ankle).z < at(right.hip).z, "{name}");
        if let (Some(a), Some(b)) = (body.arms.left, body.arms.right) {
            assert!(at(a.elbow).z < at(a.shoulder).z && at(b.elbow).z > at(b.shoulder).z, "{name}");
        }
    }
}
