//! What a skeleton's joints are to a person who stands: the standing person, and anatomical frames in which every skeleton
//! has the same attitudes.

mod frames;
mod neutral;

pub(crate) use frames::{Anatomy, ChainJoint, TrunkBy, find_carrier, sole_frame};
pub(crate) use neutral::Neutral;
pub use neutral::NeutralFrom;
