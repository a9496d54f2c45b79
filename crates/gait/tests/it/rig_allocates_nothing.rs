//! A rig allocates when it is made, and never when it takes a posture.

use allocation_counter::measure;
use surefoot_gait::{Posture, Rig};
use surefoot_geom::Quat;
use surefoot_motion::{PersonOptions, Poses, person};

#[test]
fn taking_postures_allocates_nothing() {
    let (skeleton, body) = person(&PersonOptions::default()).unwrap();
    let rig = Rig::new(&skeleton, &body, &Poses::default()).unwrap();
    let mut pose = rig.rest_pose().clone();
    let mut posture = Posture::default();
    let used = measure(|| {
        for frame in 0..100 {
            let angle = f64::from(frame) / 100.0;
            posture.pelvis.translation.z = angle;
            posture.chest = Quat::from_rotation_y(-angle);
            posture.legs.left.thigh = Quat::from_rotation_x(-angle);
            posture.arms.right.elbow = angle;
            rig.pose(&posture, &mut pose);
        }
    });
    assert_eq!(used.count_total, 0);
}
