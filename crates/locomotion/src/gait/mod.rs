//! Walking and running from a few parameters and many attributes (GAIT: Bruderlin 1995, chapter 4).

mod hip_knee;
mod posture;

pub use hip_knee::{
    CycleDifference, CycleEvents, CycleSource, FootEvent, GaitEvent, LegAngles, N_PHASES, StrideCycle, StrideFrames,
    compare_cycles, find_strides, gait_events, leg_angles, mean_cycle, sample_cycle, steady_cycles, stride_cycles,
};
pub use posture::{ArmPosture, LegPosture, Posture};
