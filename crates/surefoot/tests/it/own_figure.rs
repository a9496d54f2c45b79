//! Our own figure, read back from files that other programs open, is the same person.

use std::sync::Arc;
use surefoot::formats::bvh::{BvhOptions, read_bvh, write_bvh};
use surefoot::formats::gltf::{GltfOptions, GltfWriteOptions, read_gltf, write_gltf};
use surefoot::formats::{Import, ImportOptions, import};
use surefoot::gait::{LegPosture, Posture, Rig};
use surefoot::geom::{Quat, Transform, Vec3};
use surefoot::motion::{BodyMap, Clip, PersonOptions, Poses, Side, Skeleton, person};

/// A person who stands and lifts the left knee.
fn clip(options: &PersonOptions) -> (Clip, Rig) {
    let (skeleton, body) = person(options).unwrap();
    let rig = Rig::new(&skeleton, &body, &Poses::default()).unwrap();
    let poses = (0..30).map(|frame| {
        let lift = 0.5 - 0.5 * (f64::from(frame) / 30.0 * std::f64::consts::TAU).cos();
        let mut posture = Posture {
            pelvis: Transform::from_translation(Vec3::Y * rig.proportions().standing_pelvis_height()),
            ..Posture::default()
        };
        let thigh = Quat::from_rotation_x(-lift);
        posture.legs.left = LegPosture { thigh, ..posture.legs.left };
        let mut pose = rig.rest_pose().clone();
        rig.pose(&posture, &mut pose);
        pose
    });
    let poses = poses.collect();
    (Clip::new("knee", Arc::new(skeleton), 30.0, poses), rig)
}

/// Names of the joints of a body, from the pelvis up, then legs and arms.
fn names(skeleton: &Skeleton, body: &BodyMap) -> Vec<Option<String>> {
    let trunk = [Some(body.pelvis)].into_iter().chain(body.spine.iter().copied().map(Some)).chain([body.head]);
    let legs = body.legs.iter().flat_map(|(_, leg)| [Some(leg.hip), Some(leg.knee), Some(leg.ankle), leg.ball]);
    let arms = body.arms.iter().flat_map(|(_, arm)| {
        arm.map_or([None; 4], |arm| [arm.clavicle, Some(arm.shoulder), Some(arm.elbow), arm.wrist])
    });
    trunk.chain(legs).chain(arms).map(|joint| joint.map(|joint| skeleton.name(joint).to_string())).collect()
}

/// The promise: the same joints are found, and height and soles within a tenth of a millimetre.
fn check(format: &str, import: &Import, clip: &Clip, rig: &Rig) {
    let body = import.body.as_ref().unwrap_or_else(|error| panic!("{format}: {error}"));
    assert_eq!(names(&import.clip.skeleton, body), names(&clip.skeleton, rig.body()), "{format}");
    let again = Rig::new(&import.clip.skeleton, body, import.clip.poses()).unwrap();
    assert!(
        (again.proportions().height - rig.proportions().height).abs() < 1e-4,
        "{format}: {:?}",
        again.proportions()
    );
    for side in Side::BOTH {
        let (mine, theirs) = (&rig.proportions().soles[side], &again.proportions().soles[side]);
        for (a, b) in [(mine.heel, theirs.heel), (mine.ball, theirs.ball), (mine.toe_tip, theirs.toe_tip)] {
            assert!(a.distance(b) < 1e-4, "{format}: {mine:?} {theirs:?}");
        }
    }
}

#[test]
fn the_figure_survives_files() {
    let plain = PersonOptions::default();
    for options in [plain, PersonOptions { height: 1.6, leg: 1.1, arm: 0.9, foot: 1.2, hips: 1.2, ..plain }] {
        let (clip, rig) = clip(&options);
        let text = write_bvh(&clip, &BvhOptions { unit_to_metre: 0.01, channels: None });
        let read = import(read_bvh(&text.bytes).unwrap().into_document(), &ImportOptions::default()).unwrap();
        check("bvh", &read, &clip, &rig);
        // Without a body in the file, which would be believed.
        let glb = write_gltf(&clip, None, None, &GltfWriteOptions::default()).unwrap();
        let none = &mut |_: &str| unreachable!("a GLB has no other files");
        let file = read_gltf(&glb, none, &GltfOptions::default()).unwrap();
        check("glb", &import(file.document, &ImportOptions::default()).unwrap(), &clip, &rig);
    }
}
