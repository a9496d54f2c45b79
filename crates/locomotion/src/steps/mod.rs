//! STRIDE: a foot plan becomes a walk by blending recorded steps.

mod blend;
mod build;
mod canonical;
mod choose;
mod database;
mod high_tree;
mod hold_feet;
mod linear_body;
mod query;
mod resample;
mod segment;

pub use build::{BuildOptions, StepCollector, TakeSteps};
pub use canonical::{CanonicalStep, N_ROWS, N_SUPPORT, N_SWING, RowLayout, StepSource, StepTimes, canonical_step};
pub use choose::{ChooseOptions, Choice, MAX_EXTRAPOLATION, Made, Neighbour, Selection, WeightedStep, choose_steps};
pub use database::{DatabaseError, DatabaseParts, StepDatabase, StepSpace};
pub use hold_feet::FootDown;
pub use linear_body::{LinearBody, LinearFoot, LinearPose};
pub use query::{HighWeights, Place, StepQuery};
pub use segment::{Refusal, SegmentOptions, Segments, StepSpan, segment_steps};
