//! The body map of real recordings is the one that their manifest gives, with their names and without.
//!
//! The recordings are not part of the project: the folder that holds them is named by `SUREFOOT_SHARED`.

use std::path::{Path, PathBuf};
use surefoot_formats::{Document, asf, bvh, gltf};
use surefoot_motion::{
    BodyPoint, BodyProblem, FeetFound, FoundBody, Joint, Side, SideEvidence, Skeleton, WorldPose, find_body,
};

fn shared() -> Option<PathBuf> {
    let folder = std::env::var_os("SUREFOOT_SHARED").map(PathBuf::from);
    if folder.is_none() {
        println!("skipped: SUREFOOT_SHARED names no folder");
    }
    folder
}

fn read(path: &Path) -> Document {
    let load = |path: &Path| std::fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    match path.extension().and_then(|ending| ending.to_str()) {
        Some("glb" | "gltf") => gltf::read_gltf_file(path, &gltf::GltfOptions::default()).unwrap().document,
        Some("amc") => {
            let skeleton = asf::read_asf(&load(&asf::find_asf_beside(path).unwrap())).unwrap();
            asf::into_document(&skeleton, &asf::read_amc(&load(path), &skeleton).unwrap())
        }
        _ => bvh::read_bvh(&load(path)).unwrap_or_else(|error| panic!("{}: {error}", path.display())).into_document(),
    }
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
fn every_recording_has_the_pelvis_and_feet_of_its_manifest() {
    let Some(shared) = shared() else { return };
    let mut rows = csv::Reader::from_path(shared.join("mocap/MANIFEST.csv")).unwrap();
    let headers = rows.headers().unwrap().clone();
    let column = |name: &str| headers.iter().position(|header| header == name).unwrap();
    let [file, format, pelvis, feet] = ["file", "format", "pelvis_joint", "foot_joints"].map(column);
    let mut n_checked = 0;
    for row in rows.records() {
        let row = row.unwrap();
        if &row[format] != "bvh" {
            continue;
        }
        let document = read(&shared.join("mocap").join(&row[file]));
        let poses = sample(&document);
        let found = find_body(&document.skeleton, &poses);
        if row[pelvis].is_empty() {
            assert_eq!(found.unwrap_err().problem, BodyProblem::NoLegs, "{}", &row[file]);
            continue;
        }
        let found = found.unwrap_or_else(|error| panic!("{}: {error}", &row[file]));
        let wanted = (row[pelvis].to_string(), row[feet].to_string());
        assert_eq!(foot_names(&document.skeleton, &found), wanted, "{}: {:#?}", &row[file], found.notes);
        assert_eq!(found.sides, SideEvidence::Agreed, "{}", &row[file]);
        let anonymous = find_body(&without_names(&document.skeleton), &poses).unwrap();
        assert_eq!(foot_names(&document.skeleton, &anonymous), wanted, "{} without names", &row[file]);
        assert_eq!(anonymous.sides, SideEvidence::GeometryOnly, "{}", &row[file]);
        n_checked += 1;
    }
    println!("{n_checked} recordings");
    assert!(n_checked > 130);
}

#[test]
fn acclaim_and_gltf_people_are_found() {
    let Some(shared) = shared() else { return };
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
    let Some(shared) = shared() else { return };
    for (file, problem) in [("Fox.glb", BodyProblem::FourLegged), ("RobotExpressive.glb", BodyProblem::NoFeet)] {
        let document = read(&shared.join("mocap/gltf").join(file));
        let error = find_body(&document.skeleton, &sample(&document)).unwrap_err();
        assert_eq!(error.problem, problem, "{file}: {error}");
    }
}

#[test]
fn odd_bodies_are_told() {
    let Some(shared) = shared() else { return };
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
