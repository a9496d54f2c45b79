//! A recording's plan animated, and laid over the recording in two ways.
//!
//! - By landing: landing on landing, and even in between. What is left is how bodies move.
//! - In plain time: both clocks run alike, started such that half of the landings come early and half late. Steps that are too long
//!   or too short count too.

use super::region_errors::{RegionErrors, compare_joints};
use super::{RecordedPlan, Variant};
use crate::{ChoiceCost, Steps, WalkOptions};
use std::sync::Arc;
use surefoot_contact::Take;
use surefoot_contact::metrics::quantile;
use surefoot_plan::{StepError, Synthesis, SynthesisReport, World, synthesize};

/// Seconds after the last landing that are compared: the walk comes to rest, and the recording may walk on.
const COMPARED_AFTER: f64 = 0.2;

/// A recording's plan animated.
#[derive(Clone, Debug)]
pub struct Reconstruction {
    /// Joints against the recording, each landing at the time of its landing.
    pub by_landing: RegionErrors,
    /// Joints against the recording in plain time: one shift for all frames.
    pub plain_time: RegionErrors,
    /// What the chosen steps cost.
    pub cost: ChoiceCost,
    /// What was made of the plan.
    pub walk: Synthesis,
}

/// Animates a recording's plan and compares the result with the recording, whose skeleton is the database's.
pub fn reconstruct(
    steps: &Steps,
    recorded: &RecordedPlan,
    take: &Take,
    variant: impl Into<Variant>,
) -> Result<Reconstruction, StepError> {
    let rate = take.clip.frame_rate;
    let options = WalkOptions { frame_rate: rate, ..variant.into().apply(&steps.options) };
    let steps = Steps { options, ..steps.clone() };
    let walk = synthesize(&steps, &Arc::new(World::default()), &recorded.plan, "walk")?;
    let last = walk.report.footprints.last().map_or(0.0, |row| row.land) + COMPARED_AFTER;
    let time_of = |frame: usize| Some(frame as f64 / rate).filter(|time| *time <= last);
    let warped = landing_time_map(recorded, &walk.report, rate);
    let landings = walk.report.footprints.iter().skip(2).zip(&recorded.landings);
    let shifts: Vec<f64> = landings.map(|(row, &frame)| frame - row.land * rate).collect();
    let shift = quantile(&shifts, 0.5).unwrap_or(0.0);
    let (made, real) = (walk.take.clip.world(), take.clip.world());
    let compared = (&take.clip, steps.database.body().body());
    let by_landing = compare_joints(&made, &real, compared, |frame| time_of(frame).map(&warped));
    let plain_time = compare_joints(&made, &real, compared, |frame| time_of(frame).map(|time| time * rate + shift));
    Ok(Reconstruction { by_landing, plain_time, cost: steps.choice_cost(&recorded.plan), walk })
}

/// Frames of a recording at the times of a motion over its plan: landing on landing, and even in between.
pub fn landing_time_map(
    recorded: &RecordedPlan,
    walk: &SynthesisReport,
    frame_rate: f64,
) -> impl Fn(f64) -> f64 + use<> {
    let pairs = walk.footprints.iter().skip(2).zip(&recorded.landings);
    let knots: Vec<(f64, f64)> = pairs.map(|(row, &frame)| (row.land, frame)).collect();
    move |time: f64| {
        let after = knots.partition_point(|knot| knot.0 <= time);
        match (after.checked_sub(1).map(|before| knots[before]), knots.get(after)) {
            (Some(a), Some(b)) if b.0 > a.0 => a.1 + (b.1 - a.1) * (time - a.0) / (b.0 - a.0),
            (Some(knot), _) => knot.1 + (time - knot.0) * frame_rate,
            (None, Some(knot)) => knot.1 + (time - knot.0) * frame_rate,
            (None, None) => time * frame_rate,
        }
    }
}
