//! Walking and running from a few parameters and many attributes (GAIT: Bruderlin 1995, chapter 4).

mod attributes;
pub mod equations;
mod posture;
mod run_parameters;
mod run_settings;
mod stride;
mod style;
mod toe_off;
mod walk_parameters;

pub use attributes::{
    AttributeError, AttributeInfo, AttributeUnit, AttributeValue, RunAttributes, Strike, WalkAttributes,
};
pub use posture::{ArmPosture, LegPosture, Posture};
pub use run_parameters::{RunParameters, RunWishes};
pub use run_settings::{MAX_OVERSTRIDE_SHARE, NOMINAL_DROP, RunSettings};
pub use stride::{HEIGHTS, Parameter, ParameterError, Range, StrideRanges, Wishes};
pub use style::{Gait, Style, StyleError};
pub use toe_off::{Flight, ToeOff, ToeOffError, ToeOffInputs, solve_toe_off};
pub use walk_parameters::WalkParameters;
