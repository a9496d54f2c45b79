//! Contact detection beside forward kinematics: a minute of walking at 120 frames a second.
//!
//! Run with `cargo bench -p surefoot-locomotion`. Items are frames: the time per frame is the time divided by 7,000.

use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use surefoot_contact::{
    DetectOptions, HeightDetectOptions, SyntheticWalk, WalkerOptions, detect_by_height, detect_contacts, synthetic_walk,
};
use surefoot_motion::WorldPoses;
use surefoot_plan::extract_plan;

fn main() {
    divan::main();
}

fn walk() -> SyntheticWalk {
    synthetic_walk(&WalkerOptions { n_steps: 105, frame_rate: 120.0, ..WalkerOptions::default() })
}

/// All four points, from poses in the world.
#[divan::bench]
fn contacts_from_world_poses(bencher: Bencher<'_, '_>) {
    let walk = walk();
    let poses = walk.take.clip.world();
    bencher
        .counter(ItemsCount::new(poses.len()))
        .bench_local(|| detect_contacts(black_box(&poses), &walk.take.body, 120.0, &DetectOptions::default()));
}

#[divan::bench]
fn contacts_by_height(bencher: Bencher<'_, '_>) {
    let walk = walk();
    let poses = walk.take.clip.world();
    bencher
        .counter(ItemsCount::new(poses.len()))
        .bench_local(|| detect_by_height(black_box(&poses), &walk.take.body, 120.0, &HeightDetectOptions::default()));
}

/// With forward kinematics of every frame.
#[divan::bench]
fn plan_of_take(bencher: Bencher<'_, '_>) {
    let walk = walk();
    let n_frames = walk.take.clip.n_frames();
    bencher.counter(ItemsCount::new(n_frames)).bench_local(|| extract_plan(black_box(&walk.take)));
}

/// What detection stands beside: 23 joints of the walker.
#[divan::bench]
fn forward_kinematics(bencher: Bencher<'_, '_>) {
    let walk = walk();
    let clip = &walk.take.clip;
    bencher
        .counter(ItemsCount::new(clip.n_frames()))
        .bench_local(|| WorldPoses::new(&clip.skeleton, black_box(clip.poses())));
}
