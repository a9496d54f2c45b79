//! The bodies of real recordings: found without the help of names, refused where they are no persons, and mirrored.
//!
//! The recordings are not part of the project: the folder that holds them is named by `SUREFOOT_SHARED`.

use std::path::Path;
use surefoot_formats::{Document, OpenOptions, open};
use surefoot_geom::Vec3;
use surefoot_motion::{
    BodyPoint, BodyProblem, Clip, FeetFound, FoundBody, Joint, Mirror, Side, SideEvidence, Skeleton, WorldPose,
    find_body,
};
use surefoot_recordings::{manifest, shared_folder};

fn read(path: &Path) -> Document {
    open(path, &OpenOptions::default()).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// World poses of frames spread over the recording, in its own unit and axes.
fn sample(document: &Document) -> Vec<WorldPose> {
    let stride = document.poses.len().div_ceil(50).max(1);
    document.poses.iter().step_by(stride).map(|pose| WorldPose::new(&document.skeleton, pose)).collect()
}

fn without_names(skeleton: &Skeleton) -> Skeleton {
    let joints = skeleton.joints().iter().enumerate();
    let joints = joints.map(|(i, joint)| Joint { name: format!("joint{i}"), ..joint.clone() });
    Skeleton::new(joints.collect(), skeleton.end_sites().to_vec()).unwrap()
}

/// Pelvis, then for each foot the ankle and the ball joint or the end of the foot, as the manifest writes them.
fn foot_names(skeleton: &Skeleton, found: &FoundBody) -> (String, String) {
    let mut feet = Vec::new();
    for side in Side::BOTH {
        let leg = &found.map.legs[side];
        feet.push(skeleton.name(leg.ankle).to_string());
        feet.extend(leg.ball.map(BodyPoint::Joint).or(leg.toe).map(|point| point.name(skeleton)));
    }
    (skeleton.name(found.map.pelvis).to_string(), feet.join("|"))
}

#[test]
fn every_recording_has_the_pelvis_and_feet_of_its_manifest_without_names_too() {
    let Some(shared) = shared_folder() else { return };
    let folder = shared.join("mocap");
    let mut n_checked = 0;
    for row in manifest(&folder).iter().filter(|row| row["format"] == "bvh") {
        let file = &row["file"];
        let document = read(&folder.join(file));
        let poses = sample(&document);
        let found = find_body(&document.skeleton, &poses);
        if row["pelvis_joint"].is_empty() {
            assert_eq!(found.unwrap_err().problem, BodyProblem::NoLegs, "{file}");
            continue;
        }
        // What is found with names is compared in `recordings.rs`; here, that shape and names agreed on the sides.
        assert_eq!(found.unwrap_or_else(|error| panic!("{file}: {error}")).sides, SideEvidence::Agreed, "{file}");
        let anonymous = find_body(&without_names(&document.skeleton), &poses).unwrap();
        let wanted = (row["pelvis_joint"].clone(), row["foot_joints"].clone());
        assert_eq!(foot_names(&document.skeleton, &anonymous), wanted, "{file} without names");
        assert_eq!(anonymous.sides, SideEvidence::GeometryOnly, "{file}");
        n_checked += 1;
    }
    println!("{n_checked} recordings");
    assert!(n_checked > 130);
}

#[test]
fn acclaim_and_gltf_people_are_found() {
    let Some(shared) = shared_folder() else { return };
    let expected = [
        ("cmu-asfamc/02_01.amc", "root", "lfoot|ltoes|rfoot|rtoes"),
        ("cmu-asfamc/16_35.amc", "root", "lfoot|ltoes|rfoot|rtoes"),
        ("cmu-asfamc/127_04.amc", "root", "lfoot|ltoes|rfoot|rtoes"),
        ("gltf/CesiumMan.glb", "Skeleton_torso_joint_1", "leg_joint_L_3|leg_joint_L_5|leg_joint_R_3|leg_joint_R_5"),
        ("gltf/RiggedFigure.glb", "torso_joint_1", "leg_joint_L_3|leg_joint_L_5|leg_joint_R_3|leg_joint_R_5"),
    ];
    for (file, pelvis, feet) in expected {
        let document = read(&shared.join("mocap").join(file));
        let found = find_body(&document.skeleton, &sample(&document)).unwrap_or_else(|error| panic!("{file}: {error}"));
        assert_eq!(foot_names(&document.skeleton, &found), (pelvis.into(), feet.into()), "{file}: {:#?}", found.notes);
        assert_eq!(found.sides, SideEvidence::Agreed, "{file}");
    }
}

#[test]
fn a_fox_and_a_robot_without_ankles_are_refused() {
    let Some(shared) = shared_folder() else { return };
    for (file, problem) in [("Fox.glb", BodyProblem::FourLegged), ("RobotExpressive.glb", BodyProblem::NoFeet)] {
        let document = read(&shared.join("mocap/gltf").join(file));
        let error = find_body(&document.skeleton, &sample(&document)).unwrap_err();
        assert_eq!(error.problem, problem, "{file}: {error}");
    }
}

#[test]
fn unusual_bodies_are_reported() {
    let Some(shared) = shared_folder() else { return };
    let body = |name: &str| {
        let document = read(&shared.join("badfiles").join(name));
        find_body(&document.skeleton, &sample(&document)).map(|found| (found, document.skeleton))
    };
    assert_eq!(body("bvh_sem_no_feet_00.bvh").unwrap_err().problem, BodyProblem::NoFeet);
    assert_eq!(body("bvh_sem_no_toes_00.bvh").unwrap().0.feet, FeetFound::NoToes);
    assert_eq!(body("bvh_sem_left_right_swapped_00.bvh").unwrap().0.sides, SideEvidence::Contradicted);
    let (found, skeleton) = body("bvh_sem_zero_length_bones_00.bvh").unwrap();
    let names: Vec<&str> = found.zero_length.iter().map(|&joint| skeleton.name(joint)).collect();
    assert_eq!(names, ["Spine", "Head"]);
    for name in ["bvh_sem_name_dialects_00.bvh", "bvh_sem_name_dialects_02.bvh", "bvh_sem_clean_walk_00.bvh"] {
        let (found, _) = body(name).unwrap();
        assert_eq!((found.sides, found.feet), (SideEvidence::Agreed, FeetFound::Toes), "{name}");
    }
}

/// On recordings too, whose skeletons are uneven by millimetres: each ball stands where the other's reflection does,
/// up to the difference of the legs, and mirroring twice is exact.
#[test]
fn recordings_mirror_up_to_the_unevenness_of_their_people() {
    let Some(shared) = shared_folder() else { return };
    let files = [
        ("bandai/dataset-1_walk_normal_001.bvh", 0.01),
        ("bandai/dataset-2_run_normal_001.bvh", 0.01),
        ("xsens-unity-bvh/NewBVH.txt", 1.0),
        ("cmu-bvh/002/02_01.bvh", 0.056444),
        ("cmu-bvh/016/16_35.bvh", 0.056444),
        ("bvh-dialects/test_freebvh.bvh", 0.01),
    ];
    for (file, unit) in files {
        let document = read(&shared.join("mocap").join(file));
        let body = find_body(&document.skeleton, &sample(&document)).unwrap().map;
        let clip = Clip::new(file, document.skeleton.into(), 30.0, document.poses);
        let mirror = Mirror::new(&clip.skeleton, &body, clip.poses());
        let rest = WorldPose::new(&clip.skeleton, &clip.skeleton.rest_pose());
        let stretches = |side: Side| {
            let leg = &body.legs[side];
            let joints = [body.pelvis, leg.hip, leg.knee, leg.ankle, leg.ball.unwrap_or(leg.ankle)];
            joints.windows(2).map(|two| rest.position(two[0]).distance(rest.position(two[1]))).collect::<Vec<f64>>()
        };
        let uneven: f64 = stretches(Side::Left).iter().zip(stretches(Side::Right)).map(|(l, r)| (l - r).abs()).sum();
        let mut worst: f64 = 0.0;
        for pose in clip.poses().iter().step_by(7) {
            let once = mirror.mirror_pose(pose);
            let (old, new) = (WorldPose::new(&clip.skeleton, pose), WorldPose::new(&clip.skeleton, &once));
            for side in Side::BOTH {
                let ball = body.ball(&old, side);
                let error = body.ball(&new, side.opposite()).distance(Vec3::new(-ball.x, ball.y, ball.z));
                worst = worst.max(error);
            }
            for (a, b) in pose.local.iter().zip(&mirror.mirror_pose(once.view()).local) {
                assert!(a.translation.distance(b.translation) * unit < 1e-9, "{file}");
                assert!(surefoot_geom::rotation::angle_between(a.rotation, b.rotation) < 1e-9, "{file}");
            }
        }
        println!("{file}: balls within {:.2} mm, legs uneven by {:.2} mm", worst * unit * 1e3, uneven * unit * 1e3);
        assert!(worst * unit < 1e-3 + 3.0 * uneven * unit, "{file}: {} mm", worst * unit * 1e3);
    }
}
