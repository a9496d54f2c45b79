//! A simple body of tapered capsules around the joints, for pictures and for viewers that show only meshes.
//!
//! Each capsule is rigid in one joint's space. Thickness comes from anatomy where a [`BodyMap`] knows it, and from the
//! length of the limb where none does.
//!
//! # Where the directions come from
//!
//! A capsule needs points in its joint's space, and only the rest pose gives them. Many files have a rest pose that is no
//! person at all (Bandai's has every limb along one axis), so a direction is taken from the nearest joints first: the
//! pelvis's sideways from the two hips, the chest's from where the arms begin, the foot's from its [`crate::FootShape`].
//! Only where the rest pose does look like a person standing ([`RestBody::is_upright`]) are directions carried along the
//! spine, which gives the trunk its breadth between pelvis and chest and the head a face.
//!
//! # Limits
//!
//! The body is that of a slim adult scaled by leg length; hands have no fingers. Joints that the map does not name (tails,
//! twist joints, props) get no capsule.

mod limbs;
mod rest_body;
mod trunk;

use crate::{BodyMap, JointId, Side, Skeleton, WorldPose};
use rest_body::RestBody;
use surefoot_geom::Vec3;

/// The part of the body that a capsule belongs to; pictures colour by it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Region {
    /// Pelvis, spine, clavicles, neck.
    Trunk,
    /// The head.
    Head,
    /// An arm from the shoulder to the fingers.
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

/// The capsules of a person, or of any skeleton: with a body map a slim adult scaled by leg length, without one a thin
/// capsule along each segment from the joint to its children and end sites. Joints without length get none; every number returned is
/// finite.
pub fn figure(skeleton: &Skeleton, body: Option<&BodyMap>) -> Vec<Capsule> {
    let mut capsules = match body.and_then(|body| RestBody::new(skeleton, body)) {
        Some(person) => {
            let mut capsules = Vec::new();
            trunk::add_trunk(&person, &mut capsules);
            limbs::add_limbs(&person, &mut capsules);
            capsules
        }
        None => segments(skeleton),
    };
    capsules.retain(Capsule::is_finite);
    capsules
}

impl Capsule {
    fn is_finite(&self) -> bool {
        self.start.is_finite() && self.end.is_finite() && self.start_radius.is_finite() && self.end_radius.is_finite()
    }
}

/// A segment's radius over its length, at its start and end.
const SEGMENT_TAPER: [f64; 2] = [0.14, 0.09];
/// Thinnest and thickest segment over the size of the skeleton, so that neither fingers nor trunk get out of proportion.
const SEGMENT_LIMITS: [f64; 2] = [0.007, 0.018];
/// Segments shorter than this share of the skeleton's size are joints on top of one another.
const NO_LENGTH: f64 = 1e-4;

/// A capsule for each segment from the joint to its children and end sites. Sizes are relative: without a body map the unit is unknown.
fn segments(skeleton: &Skeleton) -> Vec<Capsule> {
    let size = rest_size(skeleton);
    let to_joints = skeleton.joints().iter().filter_map(|joint| Some((joint.parent?, joint.rest.translation)));
    let to_sites = skeleton.end_sites().iter().map(|site| (site.parent, site.offset));
    to_joints
        .chain(to_sites)
        .filter(|(_, end)| end.length() > NO_LENGTH * size)
        .map(|(joint, end)| {
            let [start_radius, end_radius] = SEGMENT_TAPER
                .map(|share| (share * end.length()).clamp(SEGMENT_LIMITS[0] * size, SEGMENT_LIMITS[1] * size));
            Capsule { joint, start: Vec3::ZERO, end, start_radius, end_radius, region: Region::Other }
        })
        .collect()
}

/// Diagonal of the rest pose's box; 0 for a single point.
fn rest_size(skeleton: &Skeleton) -> f64 {
    let rest = WorldPose::new(skeleton, &skeleton.rest_pose());
    let sites = skeleton.end_sites().iter().map(|site| rest[site.parent].transform_point(site.offset));
    let points = rest.world().iter().map(|joint| joint.translation).chain(sites).filter(|point| point.is_finite());
    let (low, high) = points.fold((Vec3::INFINITY, Vec3::NEG_INFINITY), |(low, high), p| (low.min(p), high.max(p)));
    if low.x <= high.x { low.distance(high) } else { 0.0 }
}

#[cfg(test)]
mod tests;
