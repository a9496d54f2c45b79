//! Walking and running from a few parameters and many attributes (GAIT: Bruderlin 1995, chapter 4).

mod attributes;
mod corpus;
mod course;
pub mod equations;
mod follow_plan;
mod hip_knee;
mod lay_steps;
mod leg;
mod live;
mod manner;
mod moment;
mod plan_run;
mod plan_walk;
mod posture;
mod rig;
mod run_parameters;
mod run_settings;
mod spline;
mod stand;
mod step;
mod step_parameters;
mod stride;
mod style;
mod swing;
mod take_step;
mod toe_off;
mod walk_parameters;

#[cfg(test)]
mod tests;

pub use attributes::{
    AttributeError, AttributeInfo, AttributeUnit, AttributeValue, RunAttributes, Strike, WalkAttributes,
};
pub use corpus::{Corpus, CorpusError, CorpusKind, CorpusOptions, CorpusTake, corpus, corpus_on};
pub use follow_plan::{FollowError, FollowOptions, follow_plan};
pub use hip_knee::{
    CycleDifference, CycleEvents, CycleSource, FootEvent, GaitEvent, LegAngles, N_PHASES, StrideCycle, StrideFrames,
    compare_cycles, find_strides, gait_events, leg_angles, mean_cycle, sample_cycle, steady_cycles, stride_cycles,
};
pub use lay_steps::{LayOptions, lay_steps};
pub use live::{Control, LiveGait};
pub use manner::{Manner, RunManner, WalkManner};
pub use posture::{ArmPosture, LegPosture, Posture};
pub use rig::{Build, Rig, RigError, Sole};
pub use run_parameters::{RunParameters, RunWishes};
pub use run_settings::{MAX_OVERSTRIDE_SHARE, NOMINAL_DROP, RunSettings};
pub use step::FootDown;
pub use step_parameters::{StepCoverage, StepParameters};
pub use stride::{HEIGHTS, Parameter, ParameterError, Range, StrideRanges, Wishes};
pub use style::{Gait, Style, StyleError};
pub use toe_off::{Flight, ToeOff, ToeOffError, ToeOffInputs, solve_toe_off};
pub use walk_parameters::WalkParameters;
