//! STRIDE: a foot plan becomes a walk with exact foot placement, by blending recorded steps.
//!
//! Reference: Stüvel, "Stride Space" (2010), all of it; Kulpa, Multon and Arnaldi's body of limbs of variable length;
//! Lee and Shin's filter.
//!
//! Offline, a step database:
//!
//! ```text
//! take -> segment -> canonical -> StepDatabase        build collects the steps of many takes
//!                                  analyze, prune
//! ```
//!
//! - `segment`: takes cut into steps between double supports (chapter 3, 4.1).
//! - `canonical`: a step in its supporting frame, at normal length, cleaned up (3.2, 3.3, 4.1) and filtered by `steady` (7.3);
//!   `linear_body`: its poses (6.1, 6.2).
//! - `database`: a Delaunay tetrahedralisation and a tree for each swinging foot (4.2); `analyze`: what is missing
//!   (4.3); `prune`: what is there twice (8.2); `retarget_steps`: all steps on another body.
//!
//! Online, footprint by footprint ([`Steps`] starts a [`surefoot_plan::Stepper`]; [`surefoot_plan::synthesize`] takes a
//! complete plan):
//!
//! ```text
//! footprint -> query -> choose -> blend -> take_step -> make_frames -> fit_root -> stances -> settle -> write_frames -> pose
//!                                                                                (step_walker drives them)
//! ```
//!
//! - `query`: the three parameters and two heights, and soft targets for headings and times; `choose` with `high_tree` and `span_query`:
//!   which steps, how much of each (5.1, 5.2, 8.2, 8.3); `step_heights`: what heights are of a step (8.1); `choose_plan`: over a
//!   complete plan; `styles`: whose.
//! - `step_rows`: what is blended; `blend`: one step of several (5.3 to 5.5), carried to the query by `step_model`, which explains
//!   steps by their `step_inputs`; `even_rates`: feet that go over between the parts of a step; `step_regression`: what a Gaussian process makes of it, to compare.
//! - `take_step`, `taken_step`: when and where (5.5, 5.7); `look_ahead`: chosen before. `make_frames` with `join_steps`: of one step
//!   or two. `fit_root`: a pelvis without a jump (5.7).
//! - `stances` with `lock_feet`: feet at their places, pointed as asked for (5.6). `settle`: on the ground (`underfoot`: what that is without a terrain);
//!   `keep_apart`: around the other leg.
//! - `write_frames` with `reach` and `soften_knees`: legs that reach, filters, joints (5.8, 6.2).
//!
//! `splice_upper` can put trunk and arms of one step on a blend (7.2).
//!
//! [`reconstruct`] measures how near all that comes to recordings it has not seen, beside simpler methods.
//!
//! Where we go beyond the paper, each explained in its file, and most with a row in `surefoot evaluate` that shows what it is
//! worth ([`Ablation`]):
//!
//! - The four blended steps are the ones that together resemble the query most; the paper's regions are there to
//!   compare. What their parameters differ by from the query is made up for by a regression over the database.
//! - Steps are chosen over the complete plan, by posture and person too; what is a person's own is told apart from what is a step's.
//! - Exact outside the hull too, and after the conversion to joints. Steps up and down are recorded ones (8.1).
//! - Steps are joined over more than their double support, which may be four frames long.
//! - Feet roll over their toes, and are planted on heel or ball: the paper's feet are planted on a point.
//! - Legs are as long as in the blended steps, by the pelvis's height and by heels that rise.
//! - Frames come one step after their footprint.

mod analyze;
mod blend;
mod blend_angles;
mod build;
mod canonical;
mod check_parts;
mod choose;
mod choose_plan;
mod database;
mod evaluate;
mod even_rates;
mod fit_root;
mod high_tree;
mod join_steps;
mod keep_apart;
mod linear_body;
mod lock_feet;
mod look_ahead;
mod make_frames;
mod prune;
mod query;
mod raw_rows;
mod reach;
mod resample;
mod retarget_steps;
mod segment;
mod settle;
mod shot_list;
mod slope_line;
mod soften_knees;
mod sole_points;
mod span_query;
mod splice_upper;
mod stance_plane;
mod stances;
mod steady;
mod step_heights;
mod step_inputs;
mod step_model;
mod step_regression;
mod step_rows;
mod step_take;
mod step_walker;
mod steps;
mod styles;
mod take_step;
mod taken_step;
mod underfoot;
mod walk_frame;
mod walk_options;
mod write_frames;

pub use analyze::{AnalyzeOptions, Extreme, Finding, SideAnalysis, StepAnalysis, SwingEvent, analyze_steps};
pub use build::{BuildOptions, StepCollector, TakeSteps};
pub use canonical::{CanonicalStep, N_ROWS, N_SUPPORT, N_SWING, StepSource, StepTimes, actor_of};
pub use choose::{
    Choice, ChooseMemory, ChooseOptions, MAX_EXTRAPOLATION, Made, Neighbour, Selection, WeightedStep, choose_steps,
    choose_steps_with,
};
pub use database::{DatabaseError, DatabaseParts, StepDatabase, StepSpace};
pub use evaluate::{
    Ablation, CandidateStatistics, N_VARIANTS, Reconstruction, RecordedPlan, Region, RegionErrors, Variant,
    compare_joints, landing_time_map, only_actor, reconstruct, recorded_plan, without_actor, without_takes,
};
pub use linear_body::{LinearBody, LinearFoot, LinearPose};
pub use prune::{PruneOptions, PrunedSteps, StandsFor, prune_steps, prune_to, prune_within};
pub use query::{HighWeights, N_HIGH, Place, StepQuery};
pub use retarget_steps::StepBody;
pub use segment::{Refusal, SegmentOptions, Segments, StepSpan, segment_steps};
pub use shot_list::{Shot, ShotReason, StepKind};
pub use sole_points::cover;
pub use step_heights::HEIGHT_TOLERANCE;
pub use step_rows::RowLayout;
pub use steps::{ChoiceCost, Steps};
pub use styles::Style;
pub use walk_options::{MAX_HORIZON, Method, Search, WalkOptions};
