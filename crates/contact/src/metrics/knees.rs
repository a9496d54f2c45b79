//! How fast knees bend, and how suddenly: the price of feet that are pulled to their places.
//!
//! A knee's angle is that between thigh and shin, from where the joints are, so that it does not depend on how a file divides
//! rotations among them. Speed is its difference between frames, acceleration its second difference; both are unsmoothed, so
//! recordings at high rates show mostly noise: compare metrics of the same clip.

use super::worst::{Spread, Worst};
use surefoot_geom::Vec3;
use surefoot_motion::{BodyMap, Side, WorldPose};

/// Speed and acceleration of both knees.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct KneeMotion {
    /// In radians a second; the frame is the later of two. `None` of fewer than two frames.
    pub speed: Option<Spread<Side>>,
    /// In radians a second squared; the frame is the middle of three. `None` of fewer than three frames.
    pub acceleration: Option<Spread<Side>>,
}

/// Measures both knees over a clip.
pub fn measure_knees(poses: &[WorldPose], body: &BodyMap, frame_rate: f64) -> KneeMotion {
    let (mut speeds, mut accelerations) = (Vec::new(), Vec::new());
    for side in Side::BOTH {
        let angles: Vec<f64> = poses.iter().map(|pose| knee_angle(pose, body, side)).collect();
        for (k, pair) in angles.windows(2).enumerate() {
            speeds.push(Worst { value: (pair[1] - pair[0]).abs() * frame_rate, place: side, frame: k + 1 });
        }
        for (k, triple) in angles.windows(3).enumerate() {
            let bend = (triple[2] - 2.0 * triple[1] + triple[0]).abs();
            accelerations.push(Worst { value: bend * frame_rate * frame_rate, place: side, frame: k + 1 });
        }
    }
    KneeMotion { speed: Spread::of(&speeds), acceleration: Spread::of(&accelerations) }
}

/// The angle between thigh and shin: pi for a straight leg, and 0 where one of them has no length.
pub fn knee_angle(pose: &WorldPose, body: &BodyMap, side: Side) -> f64 {
    let leg = &body.legs[side];
    let [hip, knee, ankle] = [leg.hip, leg.knee, leg.ankle].map(|joint| pose.position(joint));
    let (thigh, shin): (Vec3, Vec3) = (hip - knee, ankle - knee);
    thigh.cross(shin).length().atan2(thigh.dot(shin))
}
