//! A person's posture, whatever the skeleton.

use surefoot_geom::{Quat, Transform};
use surefoot_motion::PerSide;

/// A posture as attitudes: each the identity for an upright person who faces +Z with arms and legs hanging straight down,
/// so that -Y is down a limb and +Z is forward.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Posture {
    /// Where the pelvis joint is, and the pelvis's attitude in the world.
    pub pelvis: Transform,
    /// Attitude of the chest, which carries the arms, in the world. The joints between share the rotation from the pelvis.
    pub chest: Quat,
    /// Attitude of the head in the world. The joints of the neck share the rotation from the chest.
    pub head: Quat,
    /// Both legs.
    pub legs: PerSide<LegPosture>,
    /// Both arms.
    pub arms: PerSide<ArmPosture>,
}

/// The attitudes of a leg, in the world.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LegPosture {
    /// Of the thigh.
    pub thigh: Quat,
    /// Of the shin.
    pub shin: Quat,
    /// Of the foot: the identity is flat, toes toward +Z.
    pub foot: Quat,
    /// How far the toes are bent up against the foot, in radians.
    pub toe_bend: f64,
}

/// The attitudes of an arm, relative to the chest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ArmPosture {
    /// Of the collar bone.
    pub clavicle: Quat,
    /// Of the upper arm.
    pub upper_arm: Quat,
    /// How far the elbow is bent, in radians; it bends the forearm forward of an arm that hangs.
    pub elbow: f64,
}

impl Default for Posture {
    fn default() -> Posture {
        Posture {
            pelvis: Transform::IDENTITY,
            chest: Quat::IDENTITY,
            head: Quat::IDENTITY,
            legs: PerSide::from_fn(|_| LegPosture {
                thigh: Quat::IDENTITY,
                shin: Quat::IDENTITY,
                foot: Quat::IDENTITY,
                toe_bend: 0.0,
            }),
            arms: PerSide::from_fn(|_| ArmPosture { clavicle: Quat::IDENTITY, upper_arm: Quat::IDENTITY, elbow: 0.0 }),
        }
    }
}
