//! Walking and running from a few parameters and many attributes (GAIT: Bruderlin 1995, chapter 4).

mod posture;

pub use posture::{ArmPosture, LegPosture, Posture};
