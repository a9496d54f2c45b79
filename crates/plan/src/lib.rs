//! Foot plans: checked, extracted, and judged against the ground and what stands on it.

mod extract_plan;
mod sole_print;
mod step_parameters;
mod touches;

pub use extract_plan::extract_plan;
pub use sole_print::{SolePrint, SoleShape};
pub use step_parameters::{StepCoverage, StepParameters, parameters_of};
pub use surefoot_contact::{Behaviour, FootPlan, Footprint, PlanError, PlanLimits, StepTime};
pub use touches::{Touch, TouchReport, TouchedPart, find_touches};
