//! Waveshaping, joint limits and displacement of ten seconds of 31 joints at 120 frames a second: what a slider moves.
//!
//! Run with `cargo bench -p surefoot-signal --bench shape`. The whole of an edit is from clip to clip.

use divan::{Bencher, black_box};
use std::sync::Arc;
use surefoot_contact::{WalkerOptions, synthetic_walk};
use surefoot_geom::{Quat, Transform, Vec3};
use surefoot_motion::{BodyMap, Clip, Joint, JointId, Pose, PoseRef, Poses, Side, Skeleton};
use surefoot_signal::{
    Curves, DisplaceKey, DisplaceOptions, EndTurn, KeyChange, Limb, LimitOptions, MoveAxes, ReachGoal, Selection,
    Shape, ShapeOptions, TurnAxes, anatomical_limits, displace, limit_joints, named_shape, shape_channels,
};

fn main() {
    divan::main();
}

/// 1200 frames of 31 joints, all of which move: a walk with the joints that it lacks hung below its head and hands.
fn clip() -> (Clip, BodyMap) {
    let walk = synthetic_walk(&WalkerOptions { n_steps: 40, frame_rate: 120.0, ..WalkerOptions::default() });
    let source = &walk.take.clip;
    let mut joints = source.skeleton.joints().to_vec();
    let n_own = joints.len();
    for index in n_own..31 {
        let rest = Transform::from_translation(Vec3::Y * 0.05);
        joints.push(Joint { name: format!("Extra{index}"), parent: Some(JointId::new(n_own - 1 - index % 7)), rest });
    }
    let skeleton = Arc::new(Skeleton::new(joints, source.skeleton.end_sites().to_vec()).expect("parents first"));
    let longer = |(frame, pose): (usize, PoseRef<'_>)| {
        let extra = (n_own..31).map(|index| {
            let angle = 0.4 * (frame as f64 * 0.03 + index as f64).sin();
            Transform::new(Quat::from_rotation_z(angle), Vec3::Y * 0.05)
        });
        Pose { local: pose.local.iter().copied().chain(extra).collect() }
    };
    let poses: Poses = source.poses().iter().take(1200).enumerate().map(longer).collect();
    assert_eq!((skeleton.n_joints(), poses.len()), (31, 1200));
    let clip = Clip::new("walk", skeleton, 120.0, poses);
    (clip, walk.take.body)
}

/// To channels and back, which all edits of channels begin and end with.
#[divan::bench]
fn channels_and_back(bencher: Bencher<'_, '_>) {
    let (clip, _) = clip();
    bencher.bench_local(|| Curves::read(black_box(&clip)).to_clip("same"));
}

#[divan::bench]
fn shape_all_channels(bencher: Bencher<'_, '_>) {
    let (clip, _) = clip();
    let shape = named_shape("undulate", None).expect("a shape of the library");
    shape_all(bencher, &clip, &shape);
}

#[divan::bench]
fn shape_all_channels_softly_limited(bencher: Bencher<'_, '_>) {
    let (clip, _) = clip();
    let shape = named_shape("soft-clip", None).expect("a shape of the library");
    shape_all(bencher, &clip, &shape);
}

fn shape_all(bencher: Bencher<'_, '_>, clip: &Clip, shape: &Shape) {
    let all = Selection::all(&clip.skeleton);
    bencher.bench_local(|| {
        let mut curves = Curves::read(black_box(clip));
        shape_channels(&mut curves, &all, shape, &ShapeOptions::default()).expect("good options");
        curves.to_clip("shaped")
    });
}

/// The channels alone.
#[divan::bench]
fn shape_channels_only(bencher: Bencher<'_, '_>) {
    let (clip, _) = clip();
    let (curves, all) = (Curves::read(&clip), Selection::all(&clip.skeleton));
    let shape = named_shape("undulate", None).expect("a shape of the library");
    bencher.with_inputs(|| curves.clone()).bench_local_values(|mut curves| {
        shape_channels(&mut curves, &all, &shape, &ShapeOptions::default()).map(|()| curves)
    });
}

#[divan::bench]
fn limit_all_joints(bencher: Bencher<'_, '_>) {
    let (clip, body) = clip();
    let limits = anatomical_limits(&clip.skeleton, &body);
    bencher.bench_local(|| limit_joints(black_box(&clip), Some(&body), &limits, &LimitOptions::default()));
}

/// Three complete poses, as in the paper: every joint in every frame.
#[divan::bench]
fn displace_all_joints(bencher: Bencher<'_, '_>) {
    let (clip, _) = clip();
    let key = |frame: usize| {
        let mut pose = clip.pose(frame).to_pose();
        pose.local.iter_mut().for_each(|joint| joint.rotation *= Quat::from_rotation_x(0.2));
        DisplaceKey::new(frame, KeyChange::Pose { pose, joints: None })
    };
    let keys = [key(300), key(600), key(900)];
    let options = DisplaceOptions { fade: None, ..DisplaceOptions::default() };
    bencher.bench_local(|| displace(black_box(&clip), None, &keys, &options));
}

/// A root lifted, a neck turned, a hand and a foot put somewhere.
#[divan::bench]
fn displace_hand_and_foot(bencher: Bencher<'_, '_>) {
    let (clip, body) = clip();
    let root = clip.skeleton.roots().next().expect("a root");
    let reach = |limb: Limb| {
        let goal = ReachGoal::By(Vec3::new(0.0, 0.1, 0.1));
        KeyChange::Reach { limb, goal, end: EndTurn::Kept }
    };
    let keys = [
        KeyChange::Move { joint: root, by: Vec3::Y * 0.05, axes: MoveAxes::World },
        KeyChange::Turn { joint: body.spine[0], turn: Vec3::Y * 0.3, axes: TurnAxes::World },
        reach(Limb::Hand(Side::Left)),
        reach(Limb::Foot(Side::Right)),
    ]
    .map(|change| DisplaceKey::new(600, change));
    bencher.bench_local(|| displace(black_box(&clip), Some(&body), &keys, &DisplaceOptions::default()));
}
