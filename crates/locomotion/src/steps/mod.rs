//! STRIDE: a foot plan becomes a walk by blending recorded steps.

mod analyze;
mod animate;
mod blend;
mod blend_angles;
mod build;
mod canonical;
mod choose;
mod database;
mod evaluate;
mod fit_root;
mod high_tree;
mod hold_feet;
mod linear_body;
mod prune;
mod query;
mod reach;
mod resample;
mod segment;
mod shot_list;
mod span_query;
mod step_walker;
mod taken_step;

pub use analyze::{AnalyzeOptions, Extreme, Finding, Moment, SideAnalysis, StepAnalysis, analyze_steps};
pub use animate::{AnimateError, Animated, animate, check_plan, stand_at_ends};
pub use build::{BuildOptions, StepCollector, TakeSteps};
pub use canonical::{CanonicalStep, N_ROWS, N_SUPPORT, N_SWING, RowLayout, StepSource, StepTimes, canonical_step};
pub use choose::{
    Choice, ChooseMemory, ChooseOptions, MAX_EXTRAPOLATION, Made, Neighbour, Selection, WeightedStep, choose_steps,
    choose_steps_with,
};
pub use database::{DatabaseError, DatabaseParts, StepDatabase, StepSpace};
pub use evaluate::{CandidateStatistics, RecordedPlan, Region, RegionErrors, reconstruct, recorded_plan, without_take};
pub use hold_feet::FootDown;
pub use linear_body::{LinearBody, LinearFoot, LinearPose};
pub use prune::{PruneOptions, prune_steps};
pub use query::{HighWeights, Place, StepQuery};
pub use segment::{Refusal, SegmentOptions, Segments, StepSpan, segment_steps};
pub use shot_list::{Shot, ShotReason, StepKind};
pub use step_walker::{FrameContacts, Method, StepWalker, WalkOptions, WalkedStep};
