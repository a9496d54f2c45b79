//! A rig allocates when it is made, and never when it takes a posture.

use peak_alloc::PeakAlloc;
use surefoot_geom::Quat;
use surefoot_locomotion::gait::{Posture, Rig};
use surefoot_motion::{PersonOptions, person};

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

/// The test harness allocates in a thread of its own now and then; what allocates here does so in every round.
const ROUNDS: usize = 5;

#[test]
fn taking_postures_allocates_nothing() {
    let (skeleton, body) = person(&PersonOptions::default()).unwrap();
    let rig = Rig::new(&skeleton, &body, &[]).unwrap();
    let mut pose = rig.rest_pose().clone();
    let mut posture = Posture::default();
    let is_still = (0..ROUNDS).any(|_| {
        let before = MEMORY.current_usage();
        MEMORY.reset_peak_usage();
        for frame in 0..100 {
            let angle = f64::from(frame) / 100.0;
            posture.pelvis.translation.z = angle;
            posture.chest = Quat::from_rotation_y(-angle);
            posture.legs.left.thigh = Quat::from_rotation_x(-angle);
            posture.arms.right.elbow = angle;
            rig.pose(&posture, &mut pose);
        }
        (MEMORY.current_usage(), MEMORY.peak_usage()) == (before, before)
    });
    assert!(is_still, "memory was allocated in each of {ROUNDS} rounds");
}
