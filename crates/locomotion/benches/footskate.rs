//! Footskate cleanup by the frame: both legs and the root of a 22-joint walker at 120 Hz, whole clips and streams.

use divan::{Bencher, black_box, counter::ItemsCount};
use surefoot_ground::Terrain;
use surefoot_locomotion::footskate::{
    CleanOptions, Cleaner, PlantPositions, Reach, clean_footskate, fit_knee_axes, frame_marks,
};
use surefoot_locomotion::{SyntheticWalk, WalkerOptions, synthetic_walk};

fn main() {
    divan::main();
}

/// Ten seconds of walking on feet that slide.
fn skated() -> SyntheticWalk {
    let mut walk = synthetic_walk(&WalkerOptions { frame_rate: 120.0, n_steps: 18, ..WalkerOptions::default() });
    for (frame, pose) in walk.take.clip.poses.iter_mut().enumerate() {
        let t = frame as f64 / 120.0;
        pose[walk.body.pelvis].translation.z += 0.02 * (t * 3.0).sin();
        pose[walk.body.pelvis].translation.y += 0.01 * (t * 5.0).sin();
    }
    walk
}

#[divan::bench(args = [Reach::Stretch, Reach::Rigid])]
fn offline(bencher: Bencher<'_, '_>, reach: Reach) {
    let walk = skated();
    let options = CleanOptions { reach, ..CleanOptions::default() };
    let terrain = Terrain::flat(0.0);
    bencher
        .counter(ItemsCount::new(walk.take.clip.n_frames()))
        .bench(|| clean_footskate(black_box(&walk.take), &walk.body, &terrain, &options));
}

#[divan::bench(args = [Reach::Stretch, Reach::Rigid])]
fn online(bencher: Bencher<'_, '_>, reach: Reach) {
    let walk = skated();
    let clip = &walk.take.clip;
    let options = CleanOptions { reach, ..CleanOptions::default() };
    let marks = frame_marks(&walk.take.contacts, PlantPositions::Averaged);
    let axes = fit_knee_axes(clip, &walk.body);
    let fresh = Cleaner::new(&clip.skeleton, &walk.body, &axes, clip.frame_rate, &Terrain::flat(0.0), &options);
    bencher.counter(ItemsCount::new(clip.n_frames())).with_inputs(|| (fresh.clone(), clip.poses[0].clone())).bench_values(
        |(mut cleaner, mut out)| {
            for (pose, marks) in clip.poses.iter().zip(&marks) {
                black_box(cleaner.push(black_box(pose), marks, &mut out));
            }
            (cleaner, out)
        },
    );
}
