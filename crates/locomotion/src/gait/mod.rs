//! Walking and running from a few parameters and many attributes (GAIT: Bruderlin 1995, chapter 4).

mod attributes;
pub mod equations;
mod hip_knee;
mod posture;
mod run_parameters;
mod toe_off;
mod walk_parameters;

pub use attributes::{RunAttributes, Strike, WalkAttributes};
pub use hip_knee::{
    CycleDifference, CycleEvents, CycleSource, FootEvent, GaitEvent, LegAngles, N_PHASES, StrideCycle, StrideFrames,
    compare_cycles, find_strides, gait_events, leg_angles, mean_cycle, sample_cycle, steady_cycles, stride_cycles,
};
pub use posture::{ArmPosture, LegPosture, Posture};
pub use run_parameters::RunParameters;
pub use toe_off::{Flight, ToeOff, ToeOffError, ToeOffInputs, solve_toe_off};
pub use walk_parameters::WalkParameters;
