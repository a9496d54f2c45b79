//! Real FBX files: trial 02_01 stands where its BVH stands, and every joint stands where ufbx's own matrices put it.
//!
//! The FBX of 02_01 is not the recording. It was made from the conversion of the recording for Daz figures, a skeleton
//! of other proportions, by keeping every fifth frame; so it is compared with the BVH of that conversion, and the
//! difference from the recording is pinned down below.

use std::path::{Path, PathBuf};
use surefoot_formats::fbx::{FbxOptions, read_fbx};
use surefoot_formats::{Document, bvh};
use surefoot_geom::{Axis, Vec3};
use surefoot_motion::WorldPose;
use surefoot_recordings::shared_folder;

const CENTIMETRE: f64 = 0.01;
/// The unit of the CMU database in metres.
const CMU_UNIT: f64 = 0.0254 / 0.45;
/// Frames of the BVH, at 120 a second, for each of the FBX, at 24.
const STRIDE: usize = 5;
/// The exporter printed single precision.
const TOLERANCE: f64 = 1e-5;

const HIPS: [&str; 2] = ["lThigh", "rThigh"];
const KNEES: [&str; 2] = ["lShin", "rShin"];
const ANKLES: [&str; 2] = ["lFoot", "rFoot"];

fn mocap() -> Option<PathBuf> {
    Some(shared_folder()?.join("mocap"))
}

fn load(path: &Path) -> Vec<u8> {
    std::fs::read(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

fn load_fbx(mocap: &Path, name: &str) -> Document {
    read_fbx(&load(&mocap.join("cmu-fbx").join(name)), &FbxOptions::default()).expect("an FBX file")
}

fn load_bvh(mocap: &Path, name: &str) -> Document {
    bvh::read_bvh(&load(&mocap.join(name))).expect("a BVH file").into_document()
}

fn world(document: &Document, frame: usize) -> WorldPose {
    WorldPose::new(&document.skeleton, document.poses.pose(frame))
}

fn place(document: &Document, pose: &WorldPose, joint: &str) -> Vec3 {
    pose.position(document.skeleton.find(joint).unwrap_or_else(|| panic!("no joint {joint}")))
}

#[test]
fn fbx_and_bvh_of_the_daz_conversion_agree_on_hips_knees_and_ankles() {
    let Some(mocap) = mocap() else { return };
    let fbx = load_fbx(&mocap, "02_01.fbx");
    let daz = load_bvh(&mocap, "cmu-bvh-daz/02_01.txt");
    assert_eq!((fbx.frame_rate, fbx.unit_to_metre, fbx.up), (Some(24.0), Some(CENTIMETRE), Some(Axis::Y)));
    assert_eq!((fbx.poses.len(), daz.poses.len()), (69, 344));
    assert_eq!(fbx.warnings, []);
    let mut largest: f64 = 0.0;
    for frame in 0..fbx.poses.len() {
        let (a, b) = (world(&fbx, frame), world(&daz, frame * STRIDE));
        for joint in HIPS.iter().chain(&KNEES).chain(&ANKLES).chain(&["hip"]) {
            largest = largest.max(place(&fbx, &a, joint).distance(place(&daz, &b, joint)) * CENTIMETRE);
        }
    }
    println!("FBX and Daz BVH of 02_01 differ by up to {:.4} mm", largest * 1e3);
    assert!(largest < TOLERANCE, "{largest} m");
}

#[test]
fn the_daz_conversion_has_other_legs_than_the_recording() {
    let Some(mocap) = mocap() else { return };
    let fbx = load_fbx(&mocap, "02_01.fbx");
    let cmu = load_bvh(&mocap, "cmu-bvh/002/02_01.bvh");
    let (a, b) = (world(&fbx, 20), world(&cmu, 20 * STRIDE));
    let length =
        |document, pose, from, to, unit| place(document, pose, from).distance(place(document, pose, to)) * unit;
    let daz_leg = [("lThigh", "lShin"), ("lShin", "lFoot")].map(|(from, to)| length(&fbx, &a, from, to, CENTIMETRE));
    let cmu_leg =
        [("LeftUpLeg", "LeftLeg"), ("LeftLeg", "LeftFoot")].map(|(from, to)| length(&cmu, &b, from, to, CMU_UNIT));
    // Thigh and shin in metres: no unit, turn or shift takes one into the other.
    for (found, expected) in daz_leg.iter().chain(&cmu_leg).zip([0.36827, 0.45406, 0.42862, 0.41132]) {
        assert!((found - expected).abs() < 1e-4, "{daz_leg:?} {cmu_leg:?}");
    }
}

#[test]
fn every_joint_stands_where_the_matrices_of_ufbx_put_it() {
    let Some(mocap) = mocap() else { return };
    for (name, n_joints, n_frames, rate) in [
        ("02_01.fbx", 44, 69, 24.0),
        ("16_11.fbx", 44, 107, 24.0),
        ("85_03.fbx", 22, 812, 30.0),
        ("91_48.fbx", 43, 110, 30.0),
    ] {
        let document = load_fbx(&mocap, name);
        assert_eq!((document.skeleton.n_joints(), document.poses.len()), (n_joints, n_frames), "{name}");
        assert_eq!((document.frame_rate, document.up), (Some(rate), Some(Axis::Y)), "{name}");
        let scene = ufbx::load_memory(&load(&mocap.join("cmu-fbx").join(name)), ufbx::LoadOpts::default());
        let scene = scene.unwrap_or_else(|_| panic!("{name}"));
        let stack = &scene.anim_stacks[0];
        for frame in [0, n_frames / 3, n_frames - 1] {
            let time = stack.time_begin + frame as f64 / rate;
            let moment = ufbx::evaluate_scene(&scene, &stack.anim, time, ufbx::EvaluateOpts::default());
            let moment = moment.unwrap_or_else(|_| panic!("{name} {frame}"));
            let pose = world(&document, frame);
            for joint in document.skeleton.joints() {
                let node = ufbx::find_node(&moment, &joint.name).expect("a node");
                let matrix = &node.node_to_world;
                let expected = Vec3::new(matrix.m03, matrix.m13, matrix.m23);
                let found = place(&document, &pose, &joint.name);
                let slack = 1e-6 * expected.length().max(1.0);
                assert!(found.distance(expected) < slack, "{name} {frame} {}: {found} {expected}", joint.name);
            }
        }
    }
}
