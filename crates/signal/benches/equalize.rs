//! The equaliser and the cleaning filters on ten seconds at 120 Hz of 31 joints.
//!
//! The clip is the synthetic walker's, with fingers added to its hands up to 31 joints, all of which move. What is
//! timed is what a slider does: channels read off the clip, edited, and poses made of them again; and the edit alone.
//!
//! Run with `cargo bench -p surefoot-signal --bench equalize`.

use divan::{Bencher, black_box};
use std::sync::Arc;
use surefoot_contact::{WalkerOptions, synthetic_walk};
use surefoot_geom::{Quat, Transform, Vec3};
use surefoot_motion::{Clip, Joint, JointId, Pose, PoseRef, Skeleton};
use surefoot_signal::filters::{
    ButterworthOptions, DespikeOptions, GaussianOptions, OrientationOptions, SavitzkyGolayOptions, Smoothing, despike,
    smooth,
};
use surefoot_signal::{
    BandGains, Curves, EqualizeOptions, Preset, Selection, apply_preset, equalize, equalize_positions,
};

const N_JOINTS: usize = 31;
const N_FRAMES: usize = 1200;

fn main() {
    divan::main();
}

fn clip() -> Clip {
    let walk = synthetic_walk(&WalkerOptions { frame_rate: 120.0, n_steps: 18, ..WalkerOptions::default() }).take.clip;
    let hand = JointId::new(walk.skeleton.n_joints() - 1);
    let mut joints = walk.skeleton.joints().to_vec();
    let n_walker = joints.len();
    for finger in n_walker..N_JOINTS {
        let rest = Transform::from_translation(Vec3::new(0.0, -0.08, 0.0));
        joints.push(Joint { name: format!("finger{finger}"), parent: Some(hand), rest });
    }
    let n_frames = walk.n_frames();
    assert!(n_walker <= N_JOINTS && n_frames >= N_FRAMES, "{n_walker} joints, {n_frames} frames");
    let with_fingers = |(frame, pose): (usize, PoseRef<'_>)| {
        let fingers = joints[n_walker..].iter().enumerate().map(|(finger, joint)| {
            let bend = Quat::from_rotation_x(0.3 * (frame as f64 * 0.04 + finger as f64).sin());
            Transform::new(bend, joint.rest.translation)
        });
        Pose { local: pose.local.iter().copied().chain(fingers).collect() }
    };
    let poses = walk.poses().iter().take(N_FRAMES).enumerate().map(with_fingers).collect();
    let skeleton = Arc::new(Skeleton::new(joints, walk.skeleton.end_sites().to_vec()).expect("fingers hang on a hand"));
    Clip::new("walk", skeleton, 120.0, poses)
}

/// Every channel, also the root trajectory, every band.
fn gains(clip: &Clip) -> Vec<BandGains> {
    vec![BandGains { selection: Selection::everything(&clip.skeleton), gains: vec![1.3; 10] }]
}

/// Channels read, equalised, poses again.
#[divan::bench]
fn equalize_clip(bencher: Bencher<'_, '_>) {
    let clip = clip();
    let groups = gains(&clip);
    bencher.bench_local(|| {
        let mut curves = Curves::read(black_box(&clip));
        equalize(&mut curves, &groups, &EqualizeOptions::default()).expect("gains");
        curves.to_poses()
    });
}

#[divan::bench]
fn read_curves(bencher: Bencher<'_, '_>) {
    let clip = clip();
    bencher.bench_local(|| Curves::read(black_box(&clip)));
}

#[divan::bench]
fn equalize_channels(bencher: Bencher<'_, '_>) {
    let clip = clip();
    let groups = gains(&clip);
    let curves = Curves::read(&clip);
    bencher
        .with_inputs(|| curves.clone())
        .bench_local_refs(|curves| equalize(curves, &groups, &EqualizeOptions::default()));
}

#[divan::bench]
fn to_poses(bencher: Bencher<'_, '_>) {
    let curves = Curves::read(&clip());
    bencher.bench_local(|| black_box(&curves).to_poses());
}

/// Positions of all joints, from clip to clip.
#[divan::bench]
fn equalize_positions_of_clip(bencher: Bencher<'_, '_>) {
    let clip = clip();
    let groups = gains(&clip);
    bencher.bench_local(|| equalize_positions(black_box(&clip), &groups, &EqualizeOptions::default()));
}

#[divan::bench(args = Preset::ALL)]
fn preset(bencher: Bencher<'_, '_>, preset: Preset) {
    let clip = clip();
    let selection = Selection::all(&clip.skeleton);
    bencher.bench_local(|| apply_preset(black_box(&clip), preset, &selection, 1.0, &EqualizeOptions::default()));
}

const FILTERS: [&str; 5] = ["despike", "butterworth", "savitzky_golay", "gaussian", "orientation"];

/// On channels, without reading and writing them.
#[divan::bench(args = FILTERS)]
fn filter_channels(bencher: Bencher<'_, '_>, name: &str) {
    let clip = clip();
    let selection = Selection::everything(&clip.skeleton);
    let curves = Curves::read(&clip);
    let smoothing = match name {
        "butterworth" => Some(Smoothing::Butterworth(ButterworthOptions::default())),
        "savitzky_golay" => Some(Smoothing::SavitzkyGolay(SavitzkyGolayOptions::default())),
        "gaussian" => Some(Smoothing::Gaussian(GaussianOptions::default())),
        "orientation" => Some(Smoothing::Orientation(OrientationOptions::default())),
        _ => None,
    };
    bencher.with_inputs(|| curves.clone()).bench_local_refs(|curves| match &smoothing {
        Some(smoothing) => smooth(curves, &selection, smoothing).expect("defaults"),
        None => drop(despike(curves, &selection, &DespikeOptions::default()).expect("defaults")),
    });
}
