//! The walker's body: the project's own figure, and the lengths that the walker needs of it.

use surefoot_geom::Vec3;
use surefoot_motion::{BodyMap, PersonOptions, Side, Skeleton, person};

/// The height that the walker's lengths are given for, in metres.
const MODEL_HEIGHT: f64 = 1.8;

/// A skeleton, its body map, and the lengths that the walker needs.
pub(super) struct Person {
    pub(super) skeleton: Skeleton,
    pub(super) body: BodyMap,
    /// Height over that of the model.
    pub(super) scale: f64,
    pub(super) thigh: f64,
    pub(super) shin: f64,
    /// From the heel to the ball along the sole.
    pub(super) heel_to_ball: f64,
    pub(super) ball_before_ankle: f64,
}

impl Person {
    /// Panics if no person has that height.
    pub(super) fn new(height: f64) -> Person {
        let (skeleton, body) = person(&PersonOptions::with_height(height)).unwrap_or_else(|error| panic!("{error}"));
        // Both sides are alike.
        let leg = &body.legs.left;
        let length = |joint| skeleton.joint(joint).rest.translation.length();
        let (thigh, shin) = (length(leg.knee), length(leg.ankle));
        let (heel_to_ball, ball_before_ankle) = (leg.foot.heel.distance(leg.foot.ball), leg.foot.ball.z);
        Person { scale: height / MODEL_HEIGHT, thigh, shin, heel_to_ball, ball_before_ankle, skeleton, body }
    }

    /// From the pelvis to a hip.
    pub(super) fn hip_offset(&self, side: Side) -> Vec3 {
        self.skeleton.joint(self.body.legs[side].hip).rest.translation
    }
}
