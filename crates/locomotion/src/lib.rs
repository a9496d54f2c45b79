//! Contacts, takes and foot plans: the waist between everything that makes locomotion and everything that judges it.
//!
//! A [`FootPlan`] is what every planner produces and every synthesiser consumes. A [`Take`], a clip with its contacts, is what
//! every synthesiser returns and every analyser accepts.

mod anatomy;
mod bend_path;
pub mod check_frame_rate;
mod contacts;
mod detect_by_height;
mod detect_contacts;
mod edit_take;
mod estimate_floor;
mod estimate_ground;
mod extract_plan;
mod foot_plan;
mod foot_stays;
pub mod footskate;
mod frame_runs;
pub mod gait;
pub mod measures;
mod order_statistics;
mod path_length;
mod plan_steps;
mod retarget;
mod running_extremes;
mod sole_print;
mod stances;
mod standing_height;
mod step_parameters;
pub mod steps;
mod take;
mod touches;
mod walker;

pub use anatomy::{AnatomicalFrames, NeutralFrom, anatomical_frames};
pub use bend_path::{
    BendError, BendOptions, Bent, ClipPath, PathFit, TravelCurve, bend_path, bend_track, clip_path, round_corners,
};
pub use contacts::{Contacts, ContactsError, FootPart, Plant, RangeProblem, check_plant_range};
pub use detect_by_height::{HeightDetectOptions, detect_by_height};
pub use detect_contacts::{DetectOptions, Detection, FootTraces, PointTrace, detect_contacts};
pub use edit_take::{mirror_take, resample_take, slice_take};
pub use estimate_floor::{estimate_floor, sole_height};
pub use estimate_ground::{GroundLevels, estimate_ground};
pub use extract_plan::extract_plan;
pub use foot_plan::{FootPlan, Footprint, PlanError, PlanLimits, StepTime};
pub use measures::{PlantError, measure_placement};
pub use path_length::path_length;
pub use plan_steps::{PlanStepsError, PlanStepsOptions, PlannedSteps, plan_steps};
pub use retarget::{Character, RetargetError, RetargetOptions, Retargeted, Transfer, retarget};
pub use sole_print::{SolePrint, SoleShape};
pub use stances::ContactSummary;
pub use step_parameters::{StepCoverage, StepParameters};
pub use take::Take;
pub use touches::{Touch, TouchReport, TouchedPart, find_touches};
pub use walker::{SyntheticWalk, WalkerOptions, synthetic_walk};
