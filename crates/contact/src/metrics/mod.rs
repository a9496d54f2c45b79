//! The measures that every motion is judged by.
//!
//! Each measure is a function over plain data in a file of its own, and returns a named struct in SI units. [`measure_take`] runs them
//! all, and [`Measures::metrics`] lists what came out by stable names, for tables, reports and gates. `docs/MEASURES.md` has every
//! definition and what it was checked against.
//!
//! ```
//! use surefoot_ground::Terrain;
//! use surefoot_contact::metrics::{MeasureOptions, measure_take};
//! use surefoot_contact::{WalkerOptions, synthetic_walk};
//!
//! let walk = synthetic_walk(&WalkerOptions::default());
//! let measures = measure_take(&walk.take, &Terrain::flat(0.0), &MeasureOptions::default());
//! let drift = measures.metric("drift_max").expect("planted feet");
//! assert!(drift.value < 1e-6, "{} {}", drift.shown(), drift.unit());
//! ```

mod assign_in_order;
pub mod catalogue;
mod drift;
mod foot_jumps;
mod foot_points;
mod footprint_placement;
mod gate;
mod ground_contact;
mod introduced_pops;
mod knees;
mod lafan;
mod leg_clearance;
mod legs;
mod list_metrics;
mod metric;
mod mid_stances;
mod off_terrain;
mod pair_joints;
mod path_deviation;
mod pelvis_dynamics;
mod pelvis_jerk;
mod pelvis_sway;
mod plant_error;
mod reconstruction;
mod rotation_steps;
pub mod skating;
mod soles_by_motion;
mod stretch;
mod worst;

pub use crate::order_statistics::quantile;
pub use crate::standing_height::standing_ranges;
pub use drift::{Drift, FootPlace, PlantDrift, measure_drift};
pub use foot_jumps::measure_foot_jumps;
pub use foot_points::{FootPoints, MIN_TOE, foot_points};
pub use footprint_placement::{FootprintError, PlanPlacement, StancesFrom, measure_footprints};
pub use gate::{Gate, GateFailure, GateProblem, Limit, check_gate};
pub use ground_contact::{GroundContact, SolePoint, TOLERANCE, measure_ground_contact};
pub use introduced_pops::{IntroducedPops, LegJoint, POP_AROUND, POP_LEAST, POP_TIMES, measure_introduced_pops};
pub use knees::{KneeMotion, knee_angle, measure_knees};
pub use lafan::LafanErrors;
pub use leg_clearance::{LegClearance, measure_leg_clearance, nearest_points, segment_distance};
pub use legs::{LegBone, Legs, measure_legs};
pub use metric::{Definition, Family, Metric, Unit};
pub use mid_stances::{MidStance, measure_mid_stances};
pub use off_terrain::OffTerrain;
pub use pair_joints::{BodyRegion, JointPair, is_same_skeleton, pair_joints};
pub use path_deviation::{PathDeviation, measure_path_deviation};
pub use pelvis_dynamics::{PelvisDynamics, measure_pelvis_dynamics};
pub use pelvis_jerk::{PelvisJerk, measure_pelvis_jerk};
pub use pelvis_sway::{PelvisSway, measure_pelvis_sway, measure_sway};
pub use plant_error::{PlantError, measure_placement};
pub use reconstruction::{PositionError, Reconstruction, measure_reconstruction};
pub use rotation_steps::{RotationSteps, measure_rotation_steps};
pub use soles_by_motion::{Penetration, SoleTrack, measure_penetration, soles_by_motion};
pub use stretch::{MIN_BONE, Stretch, measure_stretch, median_length, stretch_against};
pub use worst::{Spread, Worst};

use crate::{FootPlan, Take};
use skating::{Skating, measure_skating};
use std::sync::Arc;
use surefoot_ground::{Path, Terrain};
use surefoot_motion::{BodyMap, Clip, Skeleton};

/// What a take is measured against, besides itself and the ground. The default is nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct MeasureOptions<'a> {
    /// Height in metres of a flat floor that skating is measured over (GRAPH, GMD, Kimodo). Default `None`: the heights that each
    /// ball is planted on, which suits stairs and recordings whose floor wanders.
    pub skate_floor: Option<f64>,
    /// Footprints that the feet should be planted on.
    pub plan: Option<&'a FootPlan>,
    /// Where the stances come from that realise them. Default: the contacts.
    pub stances: StancesFrom,
    /// The path that the pelvis should follow.
    pub path: Option<&'a Path>,
    /// What it took to find the motion. Nothing of it can be found from the motion itself.
    pub search: Option<SearchEffort>,
    /// The motion that this one should be like.
    pub reference: Option<Reference<'a>>,
}

/// What a search for a motion took (GRAPH 4.4).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SearchEffort {
    /// Pieces of motion that were tried.
    pub tried: u64,
    /// How long it took, if somebody looked at a clock.
    pub seconds: Option<f64>,
}

/// A motion to compare with.
#[derive(Clone, Copy, Debug)]
pub struct Reference<'a> {
    /// The motion.
    pub clip: &'a Clip,
    /// Which joint of it is which.
    pub body: &'a BodyMap,
}

/// All that was measured; SI units throughout.
#[derive(Clone, Debug)]
pub struct Measures {
    /// Of the clip.
    pub frame_rate: f64,
    /// Of the clip.
    pub n_frames: usize,
    /// Whose joints the metrics name.
    pub skeleton: Arc<Skeleton>,
    /// Which of them is which.
    pub body: BodyMap,
    /// By five definitions.
    pub skating: Skating,
    /// Of each plant.
    pub drift: Drift,
    /// Each plant against the place that its contacts give.
    pub plant_errors: Vec<PlantError>,
    /// Soles and ground.
    pub ground: GroundContact,
    /// How straight legs become.
    pub legs: Legs,
    /// Of bones.
    pub stretch: Stretch,
    /// How suddenly knees bend.
    pub knees: KneeMotion,
    /// How far joints turn between frames.
    pub rotations: RotationSteps,
    /// Of the pelvis.
    pub jerk: PelvisJerk,
    /// Of the pelvis; `None` where it goes nowhere, or straight as an arrow.
    pub sway: Option<PelvisSway>,
    /// Each footprint of the plan, if one was given.
    pub placement: Option<PlanPlacement>,
    /// From the path, if one was given and the pelvis moves.
    pub path: Option<PathDeviation>,
    /// As given.
    pub search: Option<SearchEffort>,
    /// Against the reference, if one was given that has the same frames.
    pub pops: Option<IntroducedPops>,
    /// Against the reference, if one was given and has frames in common.
    pub reconstruction: Option<Reconstruction>,
}

/// Measures a take on a terrain. Panics if the contacts are not of the clip's number of frames.
pub fn measure_take(take: &Take, terrain: &Terrain, options: &MeasureOptions<'_>) -> Measures {
    let Take { clip, body, contacts } = take;
    assert_eq!(clip.n_frames(), contacts.n_frames, "contacts of the clip");
    let (poses, rate) = (clip.world(), clip.frame_rate);
    let feet = foot_points(&poses, &clip.skeleton, body);
    Measures {
        frame_rate: rate,
        n_frames: clip.n_frames(),
        skeleton: clip.skeleton.clone(),
        body: body.clone(),
        skating: measure_skating(&feet, contacts, rate, options.skate_floor),
        drift: measure_drift(&feet, contacts, rate),
        plant_errors: measure_placement(&poses, body, contacts),
        ground: measure_ground_contact(&feet, contacts, terrain),
        legs: measure_legs(&poses, body),
        stretch: measure_stretch(clip, body),
        knees: measure_knees(&poses, body, rate),
        rotations: measure_rotation_steps(clip),
        jerk: measure_pelvis_jerk(&poses, body, rate),
        sway: measure_pelvis_sway(&poses, body),
        placement: options.plan.map(|plan| measure_footprints(plan, &feet, contacts, rate, options.stances)),
        path: options.path.and_then(|path| measure_path_deviation(&poses, body, path)),
        search: options.search,
        pops: options
            .reference
            .filter(|other| other.clip.frame_rate == rate)
            .and_then(|other| measure_introduced_pops(&poses, body, (&other.clip.world(), other.body), rate)),
        reconstruction: options.reference.and_then(|other| measure_reconstruction(clip, &poses, body, other)),
    }
}

#[cfg(test)]
mod tests;
