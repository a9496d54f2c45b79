//! A cleanup stream allocates when it is made, and never after.

use peak_alloc::PeakAlloc;
use surefoot_ground::Terrain;
use surefoot_locomotion::footskate::{CleanOptions, Cleaner, PlantPositions, fit_knee_axes, frame_marks};
use surefoot_locomotion::{WalkerOptions, synthetic_walk};

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

/// The test harness allocates in a thread of its own now and then; what allocates here does so in every round.
const ROUNDS: usize = 5;

#[test]
fn pushing_frames_allocates_nothing() {
    let walk = synthetic_walk(&WalkerOptions { frame_rate: 60.0, n_steps: 4, ..WalkerOptions::default() });
    let clip = &walk.take.clip;
    let marks = frame_marks(&walk.take.contacts, PlantPositions::Averaged);
    let axes = fit_knee_axes(clip, &walk.body);
    let terrain = Terrain::flat(0.01);
    let options = CleanOptions::default();
    let mut out = clip.poses[0].clone();
    let is_still = (0..ROUNDS).any(|_| {
        let mut cleaner = Cleaner::new(&clip.skeleton, &walk.body, &axes, clip.frame_rate, &terrain, &options);
        let before = MEMORY.current_usage();
        MEMORY.reset_peak_usage();
        let mut n_finished = 0;
        for (pose, marks) in clip.poses.iter().zip(&marks) {
            n_finished += usize::from(cleaner.push(pose, marks, &mut out).finished.is_some());
        }
        while cleaner.finish(&mut out).is_some() {
            n_finished += 1;
        }
        let after = (MEMORY.current_usage(), MEMORY.peak_usage());
        assert_eq!(n_finished, clip.n_frames());
        after == (before, before)
    });
    assert!(is_still, "memory was allocated in each of {ROUNDS} rounds");
}
