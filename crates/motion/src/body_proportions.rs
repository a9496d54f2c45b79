//! Lengths of a body that planning needs: hips, thighs, shins and soles, whatever the skeleton.

use crate::{PerSide, Side};
use surefoot_geom::Vec3;

/// Lengths of a body, in the frames of its attitudes. All in metres.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BodyProportions {
    /// Of the standing person: up to the top of the head, where the skeleton has a point for it that is neither too near to
    /// the head's joint nor too high for such legs (mocap skeletons often end inside the head); else what people with such
    /// legs measure.
    pub height: f64,
    /// From the pelvis joint to the hip, in the pelvis's frame.
    pub hips: PerSide<Vec3>,
    /// From hip to knee.
    pub thigh: PerSide<f64>,
    /// From knee to ankle.
    pub shin: PerSide<f64>,
    /// The soles, in the feet's frames.
    pub soles: PerSide<Sole>,
}

/// A sole from the ankle, in the foot's frame: flat when the foot's attitude is the identity, all three at one height.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sole {
    /// The back of the sole, as [`crate::BodyMap::heel`] has it.
    pub heel: Vec3,
    /// The ball, straight ahead of the heel: where the ball joint is, or [`crate::BodyMap::ball`] without one.
    pub ball: Vec3,
    /// The front of the sole with the toes straight. It turns about the ball with them, and may lie to one side. Where the
    /// skeleton has a point for it within 30 degrees of the sole in the standing person, that point is here.
    pub toe_tip: Vec3,
}

impl BodyProportions {
    /// Thigh plus shin.
    pub fn leg_length(&self, side: Side) -> f64 {
        self.thigh[side] + self.shin[side]
    }

    /// Height of the pelvis joint over the soles when the person stands straight, the mean of both legs.
    pub fn standing_pelvis_height(&self) -> f64 {
        let height = |side| self.leg_length(side) - self.hips[side].y - self.soles[side].ball.y;
        (height(Side::Left) + height(Side::Right)) / 2.0
    }
}
