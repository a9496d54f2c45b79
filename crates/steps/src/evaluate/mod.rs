//! How near a synthesised walk comes to a recorded one that it has never seen.
//!
//! Reference: STRIDE chapter 7; the reconstruction of a recording from its own foot plan.
//!
//! 1. `recorded_plan`: the plan of a recording, with its headings and times.
//! 2. `leave_out`: the database without the recording's steps and their mirror images, or without all steps of its actor.
//! 3. `reconstruct`: the plan is animated by a [`Variant`], a [`crate::Method`] or one with a part changed, and laid over the recording.
//! 4. `region_errors`: mean distance of joints, by region of the body, with every landing on its landing and in plain time.
//!
//! What else is measured on both, such as knees and soles, is in `surefoot_contact::metrics`.

mod candidate_statistics;
mod leave_out;
mod reconstruct;
mod recorded_plan;
mod region_errors;
mod variant;

pub use candidate_statistics::CandidateStatistics;
pub use leave_out::{only_actor, without_actor, without_takes};
pub use reconstruct::{Reconstruction, landing_time_map, reconstruct};
pub use recorded_plan::{RecordedPlan, recorded_plan};
pub use region_errors::{Region, RegionErrors, compare_joints};
pub use variant::{Ablation, N_VARIANTS, Variant};
