//! Contacts, takes, detection, the ground under plants, and the metrics that judge every motion.
//!
//! A [`Take`], a clip with its body map and contacts, is what every synthesizer returns and every analyser accepts. A
//! [`FootPlan`] is what it was asked to do; its data lives here because metrics compare the two, everything that checks,
//! makes or follows plans is in `surefoot-plan`.

mod centre_of_mass;
pub mod check_frame_rate;
mod contacts;
mod dead_segments;
mod detect_by_height;
mod detect_contacts;
mod edit_dead;
mod edit_take;
mod estimate_floor;
mod estimate_ground;
mod foot_plan;
mod foot_stances;
mod frame_runs;
#[cfg(test)]
mod hostile_tests;
pub mod metrics;
mod order_statistics;
mod path_length;
mod root_motion;
mod running_extremes;
mod stances;
mod standing_height;
mod take;
mod walker;

pub use centre_of_mass::{centre_of_mass, second_derivative};
pub use contacts::{Contacts, ContactsError, FootPart, Plant, RangeProblem, check_plant_range};
pub use dead_segments::{DeadReason, DeadSegment, find_dead_segments};
pub use detect_by_height::{HeightDetectOptions, detect_by_height};
pub use detect_contacts::{DetectOptions, Detection, FootTraces, PointTrace, detect_contacts};
pub use edit_dead::{LONGEST_BRIDGE, bridge_dead, cut_dead};
pub use edit_take::{mirror_take, resample_contacts, resample_take, slice_contacts, slice_take};
pub use estimate_floor::{estimate_floor, sole_height};
pub use estimate_ground::{FloorTilt, GroundLevels, MAX_SHIFT, estimate_ground};
pub use foot_plan::{Behaviour, FootPlan, Footprint};
pub use foot_stances::{FootStance, FootTracks, is_flight, level_heights, level_places};
pub use metrics::{PlantError, measure_placement};
pub use path_length::path_length;
pub use root_motion::{RootMotion, RootedMotion, root_motion};
pub use stances::ContactSummary;
pub use take::Take;
pub use walker::{SyntheticWalk, WalkerOptions, synthetic_walk};
