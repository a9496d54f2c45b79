//! Files of other exporters read the same here as in an independent program.
//!
//! The expected positions were computed outside this project, by plain 4 x 4 matrices over the files' own nodes and
//! keys. The files are not part of the project: the folder that holds them is named by `SUREFOOT_SHARED`.

use std::path::PathBuf;
use surefoot_formats::AnimationChoice;
use surefoot_formats::Document;
use surefoot_formats::gltf::{GltfOptions, read_gltf_file};
use surefoot_geom::Vec3;
use surefoot_motion::WorldPose;
use surefoot_recordings::shared_folder;

fn folder() -> Option<PathBuf> {
    Some(shared_folder()?.join("mocap/gltf"))
}

fn read(file: &str, animation: usize) -> Option<Document> {
    let options = GltfOptions { animation: Some(AnimationChoice::Index(animation)), ..GltfOptions::default() };
    Some(read_gltf_file(&folder()?.join(file), &options).expect("readable").document)
}

/// Where a joint or an end site is in a frame, by name.
fn position(document: &Document, frame: usize, name: &str) -> Vec3 {
    let skeleton = &document.skeleton;
    let world = WorldPose::new(skeleton, document.poses.pose(frame));
    match skeleton.find(name) {
        Some(joint) => world.position(joint),
        None => {
            let site = skeleton.end_sites().iter().find(|site| site.name.as_deref() == Some(name)).expect("a point");
            world[site.parent].transform_point(site.offset)
        }
    }
}

#[test]
fn joints_stand_where_an_independent_program_puts_them() {
    // File, animation, frame at 24 a second, joint, where it is.
    let cases = [
        ("CesiumMan.glb", 0, 0, "Skeleton_neck_joint_2", [-0.023398990, 1.149298866, 0.074443091]),
        ("CesiumMan.glb", 0, 0, "leg_joint_L_5", [0.055306648, 0.210739892, -0.423628979]),
        ("CesiumMan.glb", 0, 20, "leg_joint_L_5", [0.078146355, 0.036991613, 0.276666732]),
        ("CesiumMan.glb", 0, 20, "Skeleton_arm_joint_R__3_", [-0.158420467, 0.721688524, 0.334966096]),
        ("CesiumMan.glb", 0, 47, "Skeleton_neck_joint_2", [-0.023536104, 1.145219190, 0.074816740]),
        ("CesiumMan.glb", 0, 47, "Skeleton_arm_joint_R__3_", [-0.242021550, 0.753523258, -0.241901052]),
        ("CesiumMan-separate/CesiumMan.gltf", 0, 20, "leg_joint_R_5", [-0.094828501, 0.240819885, -0.476209223]),
        ("RiggedFigure.glb", 0, 0, "arm_joint_R_3", [-0.228590376, 0.687039844, 0.035003768]),
        ("RiggedFigure.glb", 0, 13, "neck_joint_2", [0.000000040, 1.192259086, 0.010424094]),
        ("RiggedFigure.glb", 0, 13, "arm_joint_R_3", [-0.341171174, 0.750932714, 0.045323936]),
        ("RiggedFigure.glb", 0, 30, "arm_joint_R_3", [-0.446999884, 0.881589538, 0.065003332]),
        ("Fox.glb", 1, 0, "b_Head_05", [0.017867885, 58.287120650, 38.266381943]),
        ("Fox.glb", 1, 10, "b_LeftFoot02_018", [6.969545524, 7.771211902, -22.858813602]),
        ("Fox.glb", 0, 50, "b_Tail03_014", [-0.425670011, 27.067511300, -65.102595765]),
        ("RobotExpressive.glb", 10, 0, "Middle2.R", [-0.823211712, 0.595837959, 1.310787583]),
        ("RobotExpressive.glb", 10, 12, "Foot.L", [0.633525716, 0.243564073, -0.859120872]),
        ("RobotExpressive.glb", 0, 33, "Index2.L", [1.356793112, 0.793521379, -0.599908923]),
        ("RobotExpressive.glb", 0, 33, "LowerLeg.R", [-0.664245312, 0.942201852, -0.000226752]),
    ];
    for (file, animation, frame, joint, expected) in cases {
        let Some(document) = read(file, animation) else { return };
        assert_eq!(document.frame_rate, Some(24.0), "{file} {animation}");
        let found = position(&document, frame, joint);
        // The smallest of these figures has seven digits, and the fox is 78 units high.
        let distance = found.distance(Vec3::from_array(expected));
        assert!(distance < 2e-6, "{file} {animation} {frame} {joint}: {found}, off by {distance}");
    }
}

#[test]
fn skeletons_have_the_joints_of_their_skins_and_the_leaves_as_end_sites() {
    let cases = [
        ("CesiumMan.glb", 19, 0, 1, "Skeleton_torso_joint_1", 48),
        ("CesiumMan-separate/CesiumMan.gltf", 19, 0, 1, "Skeleton_torso_joint_1", 48),
        ("RiggedFigure.glb", 19, 0, 1, "torso_joint_1", 31),
        ("Fox.glb", 24, 0, 3, "_rootJoint", 83),
        ("RobotExpressive.glb", 43, 15, 14, "Bone", 81),
    ];
    for (file, n_joints, n_end_sites, n_animations, root, n_frames) in cases {
        let Some(document) = read(file, 0) else { return };
        assert_eq!(document.skeleton.n_joints(), n_joints, "{file}");
        assert_eq!(document.skeleton.end_sites().len(), n_end_sites, "{file}");
        assert_eq!(document.animations.len(), n_animations, "{file}");
        assert_eq!(document.skeleton.joints()[0].name, root, "{file}");
        assert_eq!(document.skeleton.roots().count(), 1, "{file}");
        assert_eq!(document.poses.len(), n_frames, "{file}");
        assert!(document.warnings.is_empty(), "{file}: {:?}", document.warnings);
    }
}

#[test]
fn animations_are_found_by_name_and_their_rates_by_their_keys() {
    let Some(folder) = folder() else { return };
    let options = |name: &str| GltfOptions { animation: Some(AnimationChoice::Name(name.into())), frame_rate: None };
    for (file, name, n_keys, rate, n_frames) in [
        ("Fox.glb", "Survey", 83, 24.0, 83),
        ("Fox.glb", "Walk", 18, 24.0, 18),
        // Its keys pause for 4.8 frames of 24.
        ("Fox.glb", "Run", 25, 120.0, 140),
        ("RobotExpressive.glb", "Walking", 24, 24.0, 24),
        ("RobotExpressive.glb", "Wave", 45, 24.0, 45),
    ] {
        let file = read_gltf_file(&folder.join(file), &options(name)).expect("readable");
        assert_eq!(file.document.name.as_deref(), Some(name));
        assert_eq!((file.n_keys, file.document.frame_rate), (n_keys, Some(rate)), "{name}");
        assert_eq!(file.document.poses.len(), n_frames, "{name}");
    }
    let error = read_gltf_file(&folder.join("Fox.glb"), &options("Fly")).expect_err("no such animation");
    assert_eq!(error.kind.code(), "no_animation");
    assert!(error.message.contains("Survey"), "{error}");
}
