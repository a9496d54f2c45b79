//! A cleanup stream allocates when it is made, and never after.

use allocation_counter::measure;
use surefoot_cleanup::{
    footskate::CleanOptions, footskate::Cleaner, footskate::PlantPositions, footskate::frame_marks,
};
use surefoot_contact::{WalkerOptions, synthetic_walk};
use surefoot_ground::Terrain;
use surefoot_motion::fit_knee_axes;

#[test]
fn pushing_frames_allocates_nothing() {
    let walk = synthetic_walk(&WalkerOptions { frame_rate: 60.0, n_steps: 4, ..WalkerOptions::default() });
    let clip = &walk.take.clip;
    let marks = frame_marks(&walk.take.contacts, PlantPositions::Averaged);
    let axes = fit_knee_axes(clip, &walk.take.body);
    let terrain = Terrain::flat(0.01);
    let options = CleanOptions::default();
    let mut out = clip.pose(0).to_pose();
    let mut cleaner = Cleaner::new(&clip.skeleton, &walk.take.body, &axes, clip.frame_rate, &terrain, &options);
    let mut n_finished = 0;
    let used = measure(|| {
        for (pose, marks) in clip.poses().iter().zip(&marks) {
            n_finished += usize::from(cleaner.push(pose, marks, &mut out).finished.is_some());
        }
        while cleaner.finish(&mut out).is_some() {
            n_finished += 1;
        }
    });
    assert_eq!(n_finished, clip.n_frames());
    assert_eq!(used.count_total, 0);
}
