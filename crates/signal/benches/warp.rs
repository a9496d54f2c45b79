//! Speed of timewarping: two clips of 10 s, and 60 s against itself, at 120 Hz with 31 joints.

use divan::{Bencher, black_box};
use std::sync::Arc;
use surefoot_contact::{WalkerOptions, synthetic_walk};
use surefoot_geom::{Quat, Transform, Vec3};
use surefoot_motion::{Clip, Joint, JointId, Skeleton};
use surefoot_signal::{
    CorrespondOptions, Curves, FindWarpOptions, JointWeights, RegisterOptions, Search, TimeWarp, apply_warp,
    correspond, find_warp, register_contacts,
};

fn main() {
    divan::main();
}

const RATE: f64 = 120.0;
const N_JOINTS: usize = 31;

/// A movement of two steps a second with noise that repeats nowhere, at a pace that wanders.
fn clip(seconds: f64, wander: f64) -> Clip {
    let joint = |index: usize| Joint {
        name: format!("j{index}"),
        parent: index.checked_sub(1).map(JointId::new),
        rest: Transform::new(Quat::IDENTITY, Vec3::new(0.0, 0.1, 0.0)),
    };
    let skeleton = Arc::new(Skeleton::new((0..N_JOINTS).map(joint).collect(), Vec::new()).expect("a chain"));
    let pose = |frame: usize| {
        let time = frame as f64 / RATE;
        let phase = std::f64::consts::TAU * (time + wander * (0.7 * time).sin());
        let mut pose = skeleton.rest_pose();
        for (index, local) in pose.local.iter_mut().enumerate() {
            let own = index as f64;
            let swing = Vec3::new(
                0.5 * (phase + own).sin() + 0.02 * (7.3 * time + own).sin(),
                0.2 * (2.0 * phase + 1.7 * own).cos(),
                0.1 * (phase + 0.3 * own).cos() + 0.05 * (0.11 * time * (1.0 + own)).sin(),
            );
            local.rotation = surefoot_geom::rotation::exp_map(swing);
        }
        pose
    };
    let poses = (0..(seconds * RATE) as usize).map(pose).collect();
    Clip::new("made", skeleton.clone(), RATE, poses)
}

fn pair(seconds: f64) -> Vec<Curves> {
    Curves::read_all(&[&clip(seconds, 0.0), &clip(seconds, 0.15)])
}

#[divan::bench(args = [10, 60], sample_count = 10)]
fn find_warp_of_seconds(bencher: Bencher<'_, '_>, seconds: u32) {
    let curves = pair(f64::from(seconds));
    let weights = JointWeights::even(&curves[0].skeleton);
    bencher
        .bench_local(|| find_warp(&curves[0], black_box(&curves[1]), &weights, &FindWarpOptions::default()).unwrap());
}

#[divan::bench(sample_count = 10)]
fn find_warp_of_60_seconds_to_itself(bencher: Bencher<'_, '_>) {
    let curves = Curves::read(&clip(60.0, 0.0));
    let weights = JointWeights::even(&curves.skeleton);
    bencher.bench_local(|| find_warp(&curves, black_box(&curves), &weights, &FindWarpOptions::default()).unwrap());
}

fn correspond_channels(bencher: Bencher<'_, '_>, seconds: f64, options: &CorrespondOptions) {
    let curves = pair(seconds);
    let channels = |curves: &'_ Curves| -> Vec<Vec<f64>> {
        (0..3 * N_JOINTS).map(|channel| curves.channel(channel).to_vec()).collect()
    };
    let (a, b) = (channels(&curves[0]), channels(&curves[1]));
    let (a, b): (Vec<&[f64]>, Vec<&[f64]>) =
        (a.iter().map(Vec::as_slice).collect(), b.iter().map(Vec::as_slice).collect());
    let weights = vec![1.0; 3 * N_JOINTS];
    bencher.bench_local(|| correspond(&a, black_box(&b), &weights, RATE, options).unwrap());
}

#[divan::bench(args = [10, 60], sample_count = 10)]
fn correspond_of_seconds(bencher: Bencher<'_, '_>, seconds: u32) {
    correspond_channels(bencher, f64::from(seconds), &CorrespondOptions::default());
}

#[divan::bench(sample_count = 10)]
fn correspond_exactly_of_10_seconds(bencher: Bencher<'_, '_>) {
    correspond_channels(bencher, 10.0, &CorrespondOptions { search: Search::Exact, ..CorrespondOptions::default() });
}

#[divan::bench]
fn apply_warp_of_10_seconds(bencher: Bencher<'_, '_>) {
    let curves = Curves::read(&clip(10.0, 0.1));
    let warp = TimeWarp::from_knots((0..=100).map(|k| [12.0 * f64::from(k), 11.99 * f64::from(k)]).collect()).unwrap();
    bencher.bench_local(|| apply_warp(black_box(&curves), &warp, 1200, RATE));
}

#[divan::bench]
fn register_contacts_of_100_steps(bencher: Bencher<'_, '_>) {
    let walk = |cadence: f64| {
        let options = WalkerOptions { n_steps: 100, cadence, frame_rate: RATE, ..WalkerOptions::default() };
        synthetic_walk(&options).take.contacts
    };
    let (a, b) = (walk(1.7), walk(2.0));
    bencher.bench_local(|| register_contacts(&a, black_box(&b), &RegisterOptions::default()).unwrap());
}
