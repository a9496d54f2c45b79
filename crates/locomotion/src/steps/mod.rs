//! STRIDE: a foot plan becomes a walk by blending recorded steps.

mod build;
mod canonical;
mod database;
mod hold_feet;
mod linear_body;
mod resample;
mod segment;

pub use build::{BuildOptions, StepCollector, TakeSteps};
pub use canonical::{CanonicalStep, N_ROWS, N_SUPPORT, N_SWING, RowLayout, StepSource, StepTimes, canonical_step};
pub use database::{DatabaseError, DatabaseParts, StepDatabase};
pub use hold_feet::FootDown;
pub use linear_body::{LinearBody, LinearFoot, LinearPose};
pub use segment::{Refusal, SegmentOptions, Segments, StepSpan, segment_steps};
