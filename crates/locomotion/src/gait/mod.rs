//! Walking and running from a few parameters and many attributes (GAIT: Bruderlin 1995, chapter 4).

mod posture;
mod rig;

pub use posture::{ArmPosture, LegPosture, Posture};
pub use rig::{Build, Rig, RigError, Sole};
