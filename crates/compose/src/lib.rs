//! COMPOSE: footprints alone decide whether a person walks, runs, jumps, hops or climbs.
//!
//! Reference: Mousas, Newbury and Anagnostopoulos, "Footprint-driven locomotion composition".
//!
//! Offline, from recordings:
//!
//! ```text
//! take -> body_tracks -> touch_stances -> find_flights -> label_stances      segment_behaviours drives them
//!                                                             |
//!                                    override_labels -> behaviour_database   steps as the paper has them (3.1)
//! ```
//!
//! `label_agreement` compares a segmentation with labels that somebody else gave.
//!
//! Of footprints, before any frame:
//!
//! ```text
//! footprints -> footprint_features -> forest -> recognise -> Decision     paper_limits: the paper's method beside it (4.1, 5)
//! ```
//!
//! `learned_plans` and `constructed_plans` are what it learns from, recorded and laid by rule; `recognition_score` counts what was understood.
//! `transition_graphs` has the speeds around changes of behaviour (4.2), `step_limits` how far people come, and `repair_plan` moves footprints
//! that nobody could step (6.1).
//!
//! Of decisions, frames:
//!
//! ```text
//! footprints -> decide_behaviours -> walk_stretches -> compose_motion -> frames      compose_synthesizer drives them
//!            `- surely_walked: most plans need none of it
//!                                                       |  steps walk, gait runs, jumps and hops,
//!                                                       `- one goes over into the other in mid-swing
//! ```
//!
//! `compose_motion` has the steps in order: `follow_speeds` times walks around changes of behaviour by `transition_graphs`; `recorded_flights`,
//! `choose_flights` and `shape_flights` give gait's flights recorded postures (3.2, 3.3); `clear_ground` keeps feet out of the ground.
//! `reconstruct_course` compares what is made so with recordings that were left out.

mod behaviour_database;
mod body_tracks;
mod choose_flights;
mod clear_ground;
mod compose_motion;
mod compose_synthesizer;
mod constructed_plans;
mod decide_behaviours;
mod decision;
mod find_flights;
mod flight_units;
mod follow_speeds;
mod footprint_features;
mod forest;
mod label_agreement;
mod label_stances;
mod learned_plans;
mod override_labels;
mod paper_limits;
mod recognise;
mod recognition_score;
mod reconstruct_course;
mod recorded_flights;
mod repair_plan;
mod segment_behaviours;
mod shape_flights;
mod step_label;
mod step_limits;
mod surely_walked;
mod touch_stances;
mod transition_graphs;
mod walk_stretches;

pub use behaviour_database::{BehaviourClip, BehaviourDatabase, BehaviourDatabaseError, BehaviourStep, FootPlace};
pub use choose_flights::FlightSelection;
pub use compose_synthesizer::ComposeSynthesizer;
pub use decide_behaviours::PlannedBehaviour;
pub use decision::{Decision, DecisionReason, RecogniseError};
pub use footprint_features::LOOK_AHEAD;
pub use label_agreement::{EDGE_TOLERANCE, LabelAgreement, SURE, compare_labels};
pub use label_stances::LabelReason;
pub use override_labels::{GivenClip, GivenLabel, OverrideError, override_label};
pub use paper_limits::{DistanceLimits, JumpPatternLimits, PairLimits, PaperLimits};
pub use recognise::{LiveRecogniser, Recogniser, RecogniserOptions};
pub use recognition_score::{RecognitionScore, plan_of_labels};
pub use reconstruct_course::{CourseStep, CourseStepErrors, RecordedCourse, reconstruct_course};
pub use recorded_flights::{
    FlightLibrary, FlightRow, FlightShape, FlightTimes, N_FLIGHT_ROWS, RecordedFlight, flights_of_take,
};
pub use repair_plan::{PlanChange, RepairError, RepairedPlan, first_problem, repair_plan};
pub use segment_behaviours::{Flight, LabelledStance, Segmentation, segment_behaviours};
pub use step_label::{Feet, StepLabel};
pub use step_limits::{StepLimits, StepProblem, StepReach};
pub use surely_walked::surely_walked;
pub use transition_graphs::{
    NoRoom, SpeedMark, SpeedProfile, TRANSITIONS, TargetSpeed, TransitionGraph, TransitionGraphs, TransitionLine,
    TransitionPoint,
};
