//! Walking and running from a few parameters and many attributes (GAIT: Bruderlin 1995, chapter 4).

mod attributes;
mod leg;
mod moment;
mod plan_walk;
mod posture;
mod rig;
mod run_parameters;
mod spline;
mod stand;
mod step;
mod swing;
mod walk_parameters;

pub use attributes::{RunAttributes, Strike, WalkAttributes};
pub use posture::{ArmPosture, LegPosture, Posture};
pub use rig::{Build, Rig, RigError, Sole};
pub use run_parameters::RunParameters;
pub use walk_parameters::WalkParameters;
