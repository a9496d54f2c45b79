//! Forward kinematics, mirroring and resampling of a person of 31 joints, the tree that most recordings have.
//!
//! Run with `cargo bench -p surefoot-motion`.

use divan::{Bencher, black_box};
use std::sync::Arc;
use surefoot_geom::{Quat, Transform, Vec3, rotation::exp_map};
use surefoot_motion::{Clip, Joint, JointId, Pose, Skeleton, WorldPose, find_body, resample};

/// Parents of the CMU tree: root, two legs of five, a spine of six up to the head, two arms of seven.
const PARENTS: [usize; 31] =
    [0, 0, 1, 2, 3, 4, 0, 6, 7, 8, 9, 0, 11, 12, 13, 14, 15, 13, 17, 18, 19, 20, 21, 20, 13, 24, 25, 26, 27, 28, 27];

fn main() {
    divan::main();
}

fn person() -> (Skeleton, Pose) {
    let joints = PARENTS.iter().enumerate().map(|(j, &parent)| {
        let angle = j as f64;
        let offset = Vec3::new(angle.sin(), angle.cos(), (2.0 * angle).sin()) * 0.2;
        let parent = (j > 0).then(|| JointId::new(parent));
        Joint { name: format!("joint{j}"), parent, rest: Transform::from_translation(offset) }
    });
    let skeleton = Skeleton::new(joints.collect(), Vec::new()).expect("parents come first");
    let turn = |j: usize| exp_map(Vec3::new(0.1, 0.3, -0.2) * (j as f64 * 0.7).sin());
    let local = skeleton.joints().iter().enumerate().map(|(j, joint)| Transform::new(turn(j), joint.rest.translation));
    let pose = Pose { local: local.collect() };
    (skeleton, pose)
}

/// One pose of 31 joints into a pose that is used again.
#[divan::bench]
fn local_to_world(bencher: Bencher<'_, '_>) {
    let (skeleton, pose) = person();
    let mut world = WorldPose::new(&skeleton, &pose);
    bencher.bench_local(|| {
        skeleton.local_to_world(black_box(&pose.local), black_box(world.world_mut()));
    });
}

/// Ten seconds at 120 frames per second, brought to 60 and a little.
#[divan::bench]
fn resample_ten_seconds(bencher: Bencher<'_, '_>) {
    let (skeleton, pose) = person();
    let turned = |frame: usize| {
        let mut pose = pose.clone();
        for (j, local) in pose.local.iter_mut().enumerate() {
            local.rotation *= Quat::from_rotation_y(0.3 * (frame as f64 * 0.05 + j as f64).sin());
        }
        pose
    };
    let poses = (0..1200).map(turned).collect();
    let clip = Clip::new("", Arc::new(skeleton), 120.0, poses);
    bencher.bench_local(|| resample(black_box(&clip), 59.94));
}

/// A refusal looks at everything once: this tree is no person.
#[divan::bench]
fn find_body_of_no_person(bencher: Bencher<'_, '_>) {
    let (skeleton, pose) = person();
    let poses = vec![WorldPose::new(&skeleton, &pose); 48];
    bencher.bench_local(|| find_body(black_box(&skeleton), black_box(&poses)));
}
