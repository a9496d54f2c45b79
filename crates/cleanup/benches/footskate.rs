//! Footskate cleanup per frame: both legs and the root of a walker at 120 Hz, whole clips and streams; of the walker's own 22
//! joints, and of 31 as recordings have them.

use divan::{Bencher, black_box, counter::ItemsCount};
use std::sync::Arc;
use surefoot_cleanup::{
    footskate::CleanOptions, footskate::Cleaner, footskate::PlantPositions, footskate::Reach,
    footskate::clean_footskate, footskate::frame_marks,
};
use surefoot_contact::{SyntheticWalk, WalkerOptions, synthetic_walk};
use surefoot_geom::{Transform, Vec3};
use surefoot_ground::Terrain;
use surefoot_motion::{Clip, Pose, fit_knee_axes};
use surefoot_motion::{Joint, Side, Skeleton};

fn main() {
    divan::main();
}

/// Ten seconds of walking on feet that slide, by a walker who has fingers until he has so many joints.
fn skated(n_joints: usize) -> SyntheticWalk {
    let mut walk = synthetic_walk(&WalkerOptions { frame_rate: 120.0, n_steps: 18, ..WalkerOptions::default() });
    add_fingers(&mut walk, n_joints);
    for (frame, mut pose) in walk.take.clip.poses_mut().iter_mut().enumerate() {
        let t = frame as f64 / 120.0;
        pose[walk.take.body.pelvis].translation.z += 0.02 * (t * 3.0).sin();
        pose[walk.take.body.pelvis].translation.y += 0.01 * (t * 5.0).sin();
    }
    walk
}

/// Joints that hang on both wrists in turn; the body map keeps its meaning, for they come last.
fn add_fingers(walk: &mut SyntheticWalk, n_joints: usize) {
    let skeleton = &walk.take.clip.skeleton;
    let mut joints = skeleton.joints().to_vec();
    let wrists = Side::BOTH.map(|side| walk.take.body.arms[side].as_ref().and_then(|arm| arm.wrist).expect("a wrist"));
    for finger in 0..n_joints.saturating_sub(joints.len()) {
        let rest = Transform::from_translation(Vec3::new(0.0, 0.0, 0.01 * finger as f64));
        joints.push(Joint { name: format!("Finger{finger}"), parent: Some(wrists[finger % 2]), rest });
    }
    let fingers: Vec<Transform> = joints[skeleton.n_joints()..].iter().map(|joint| joint.rest).collect();
    let longer = Skeleton::new(joints, skeleton.end_sites().to_vec()).expect("fingers come after wrists");
    let clip = &walk.take.clip;
    let poses = clip.poses().iter().map(|pose| Pose { local: [pose.local, &fingers].concat() }).collect();
    walk.take.clip = Clip::new(clip.name.clone(), Arc::new(longer), clip.frame_rate, poses);
}

#[divan::bench(args = [Reach::Stretch, Reach::Rigid], consts = [22, 31])]
fn offline<const N_JOINTS: usize>(bencher: Bencher<'_, '_>, reach: Reach) {
    let walk = skated(N_JOINTS);
    let options = CleanOptions { reach, ..CleanOptions::default() };
    let terrain = Terrain::flat(0.0);
    bencher
        .counter(ItemsCount::new(walk.take.clip.n_frames()))
        .bench(|| clean_footskate(black_box(&walk.take), &terrain, &options));
}

#[divan::bench(args = [Reach::Stretch, Reach::Rigid], consts = [22, 31])]
fn online<const N_JOINTS: usize>(bencher: Bencher<'_, '_>, reach: Reach) {
    let walk = skated(N_JOINTS);
    let clip = &walk.take.clip;
    let options = CleanOptions { reach, ..CleanOptions::default() };
    let marks = frame_marks(&walk.take.contacts, PlantPositions::Averaged);
    let axes = fit_knee_axes(clip, &walk.take.body);
    let fresh = Cleaner::new(&clip.skeleton, &walk.take.body, &axes, clip.frame_rate, &Terrain::flat(0.0), &options);
    bencher
        .counter(ItemsCount::new(clip.n_frames()))
        .with_inputs(|| (fresh.clone(), clip.pose(0).to_pose()))
        .bench_values(|(mut cleaner, mut out)| {
            for (pose, marks) in clip.poses().iter().zip(&marks) {
                black_box(cleaner.push(black_box(pose), marks, &mut out));
            }
            (cleaner, out)
        });
}
