//! Walking and running from a few parameters and many attributes (GAIT: Bruderlin 1995, chapter 4).

mod attributes;
pub mod equations;
mod posture;
mod run_parameters;
mod toe_off;
mod walk_parameters;

pub use attributes::{RunAttributes, Strike, WalkAttributes};
pub use posture::{ArmPosture, LegPosture, Posture};
pub use run_parameters::RunParameters;
pub use toe_off::{Flight, ToeOff, ToeOffError, ToeOffInputs, solve_toe_off};
pub use walk_parameters::WalkParameters;
