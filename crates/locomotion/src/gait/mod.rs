//! Walking and running from a few parameters and many attributes (GAIT: Bruderlin 1995, chapter 4).

mod attributes;
mod follow_plan;
mod leg;
mod moment;
mod plan_run;
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
pub use follow_plan::{FollowOptions, follow_plan};
pub use posture::{ArmPosture, LegPosture, Posture};
pub use rig::{Build, Rig, RigError, Sole};
pub use run_parameters::RunParameters;
pub use step::FootDown;
pub use walk_parameters::WalkParameters;

/// Walking or running, with what shapes it.
#[derive(Clone, Debug, PartialEq)]
pub enum Gait {
    /// A foot is always down.
    Walk {
        /// Speed, step length and cadence.
        parameters: WalkParameters,
        /// Its style.
        attributes: WalkAttributes,
    },
    /// Both feet are in the air between steps.
    Run {
        /// Speed, step length, cadence, flight and expertise.
        parameters: RunParameters,
        /// Its style.
        attributes: RunAttributes,
    },
}
