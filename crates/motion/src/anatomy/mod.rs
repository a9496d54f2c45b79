//! What a skeleton's joints are to a person who stands: the standing person, and anatomical frames in which every
//! skeleton has the same attitudes.

mod frames;
mod neutral;

use crate::{BodyMap, Poses, Skeleton};
use surefoot_geom::Quat;

pub use frames::{Anatomy, ChainJoint, TrunkBy, find_carrier, sole_frame};
pub use neutral::Neutral;
pub use neutral::NeutralFrom;

/// How each joint's axes lie in its part of the body.
#[derive(Clone, Debug, PartialEq)]
pub struct AnatomicalFrames {
    /// For each joint a turn, rigid in its space. A joint's rotation in the world times it is the identity in a person
    /// who stands facing +Z with arms and legs hanging down, whatever the skeleton.
    pub frames: Vec<Quat>,
    /// Where it is known from how this person stands.
    pub stands_as: NeutralFrom,
}

/// The anatomical frames of a skeleton. `poses` is some motion of it, to learn from it how the person stands where the
/// rest pose does not say; it may be empty.
pub fn anatomical_frames(skeleton: &Skeleton, body: &BodyMap, poses: &Poses) -> AnatomicalFrames {
    let neutral = Neutral::find(skeleton, body, poses);
    let stands_as = neutral.from;
    let trunk_by = TrunkBy::between(NeutralFrom::RestPose, stands_as);
    AnatomicalFrames { frames: Anatomy::new(skeleton, body, neutral, trunk_by).frames, stands_as }
}
