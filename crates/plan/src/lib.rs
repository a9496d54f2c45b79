//! Foot plans, and the one interface by which synthesizers make motion of them.
//!
//! 1. A [`FootPlan`] gives where feet should be planted, a [`World`] on what. [`PlanChecker`] checks whether a person could.
//! 2. A [`Synthesizer`] starts a [`Stepper`]: footprints in, frames out, edited in the middle.
//! 3. [`synthesize`] drives a stepper over a plan and measures what came out: a take and a [`SynthesisReport`].
//!
//! Plans come from files, from recordings ([`extract_plan`]), and from paths (`surefoot_gait::plan_steps`).

mod check_plan;
mod extract_plan;
mod ground_between;
mod jump_pattern;
mod scale_plan;
mod sole_print;
mod step_kind;
mod step_parameters;
mod step_timing;
mod stepper;
mod synthesis_report;
mod synthesize;
mod touches;
mod verdict;
mod world;

pub use check_plan::{BodyReach, Gait, PlanChecker, PlanError, PlanLimits, StepTime, settle_plan};
pub use extract_plan::{extract_plan, extract_recorded_plan};
pub use ground_between::{GroundBetween, ground_between};
pub use jump_pattern::{Feet, JumpPattern, TOGETHER, ground_under_jump, lands_together, take_off_feet};
pub use scale_plan::scale_plan;
pub use sole_print::{SolePrint, SoleShape};
pub use step_kind::refuse_jumps;
pub use step_parameters::{StepCoverage, StepParameters, parameters_of};
pub use step_timing::{Overlap, StepTiming, step_timing, timing_after};
pub use stepper::{
    FootContact, FrameContacts, Replaced, StepEngine, StepError, StepOrigin, StepOutcome, StepSource, StepTask,
    Stepper, Synthesizer,
};
pub use surefoot_contact::{Behaviour, FootPlan, Footprint};
pub use synthesis_report::{
    Flights, FootprintRow, MotionMetrics, StancePlacement, SynthesisReport, Target, report_synthesis,
};
pub use synthesize::{
    MAX_FRAMES, PlannedTake, Synthesis, stand_at_ends, stand_at_start, synthesize, synthesize_take, synthesize_to_edit,
};
pub use touches::{Touch, TouchReport, TouchedPart, find_touches};
pub use verdict::{Grade, Limits as GradeLimits, Verdict};
pub use world::World;
