//! What a synthesizer made of a plan, as every command that makes motion of plans reports it.
//!
//! The numbers are those of [`SynthesisReport`], in the units that people read: millimetres, centimetres, degrees, seconds.

use crate::job_error::JobError;
use crate::verdict_report::VerdictReport;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use surefoot_compose::PlannedBehaviour;
use surefoot_contact::Behaviour;
use surefoot_motion::Clip;
use surefoot_plan::{Flights, FootprintRow, MotionMetrics, StepOrigin, SynthesisReport, Target};

const MM: f64 = 1000.0;
const CM: f64 = 100.0;
/// A ball this far from its footprint over the middle 60 % of its stance has missed it: where verdicts become poor.
const MISSED_MM: f64 = 10.0;

/// A verdict, the footprints one by one, and metrics of the complete motion.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlanReport {
    /// In a word, and why.
    pub verdict: VerdictReport,
    /// `steps`, `gait` or `graph`.
    pub synthesizer: String,
    /// Footprints of the plan, the standing feet among them.
    pub footprints: usize,
    /// Footprints that were stepped to.
    pub steps: usize,
    /// Of the motion.
    pub seconds: f64,
    /// Frames per second.
    pub frame_rate: f64,
    /// Footprints whose stance has no frame.
    pub missed: usize,
    /// Largest distance of a ball from its footprint, height included, over the middle 60 % of a stance; `null` where no
    /// footprint was planned.
    pub largest_placement_error_mm: Option<f64>,
    /// How many steps were made by which method.
    pub origins: BTreeMap<String, usize>,
    /// Farthest that a footprint lies outside of what is recorded.
    pub farthest_outside_cm: f64,
    /// Farthest that a step goes up or down beyond what is recorded.
    pub farthest_height_outside_cm: f64,
    /// The flights of the motion; `null` without any.
    pub flights: Option<FlightsReport>,
    /// Of the complete motion.
    pub metrics: MotionMetricsReport,
    /// One for each footprint.
    pub each: Vec<FootprintReport>,
}

/// The flights of a motion, measured on its frames.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FlightsReport {
    /// How many.
    pub count: usize,
    /// Median duration.
    pub median_seconds: f64,
    /// Median rise of the pelvis above where it left the ground, in metres.
    pub median_height: f64,
}

impl From<Flights> for FlightsReport {
    fn from(flights: Flights) -> FlightsReport {
        FlightsReport { count: flights.count, median_seconds: flights.duration, median_height: flights.height }
    }
}

/// Metrics of the complete motion.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MotionMetricsReport {
    /// Deepest point of a foot in the ground; negative if none reaches it.
    pub penetration_mm: Option<f64>,
    /// Share of frames with a point of a foot more than 2 mm in the ground.
    pub penetrating_share: f64,
    /// Farthest that a planted ball slides over the ground from where it is at mid stance, over the middle 60 % of a stance.
    pub slide_mm: Option<f64>,
    /// Largest downward acceleration of the pelvis while a foot is in stance.
    pub fall_g: Option<f64>,
    /// 99th percentile of how knees accelerate.
    pub knee_acceleration_p99_degrees_s2: Option<f64>,
    /// Mean jerk of the pelvis.
    pub pelvis_jerk_m_s3: Option<f64>,
    /// The same of the motion below 6 Hz.
    #[serde(default)]
    pub pelvis_jerk_6hz_m_s3: Option<f64>,
    /// Least distance of the shins' midlines.
    #[serde(default)]
    pub shins_apart_cm: Option<f64>,
}

impl From<&MotionMetrics> for MotionMetricsReport {
    fn from(metrics: &MotionMetrics) -> MotionMetricsReport {
        MotionMetricsReport {
            penetration_mm: metrics.penetration.as_ref().map(|worst| MM * worst.value),
            penetrating_share: metrics.penetrating_share,
            slide_mm: metrics.slide.as_ref().map(|worst| MM * worst.value),
            fall_g: metrics.fall.as_ref().map(|worst| worst.value),
            knee_acceleration_p99_degrees_s2: metrics.knee_acceleration_p99.map(f64::to_degrees),
            pelvis_jerk_m_s3: metrics.pelvis_jerk,
            pelvis_jerk_6hz_m_s3: metrics.pelvis_jerk_6_hz,
            shins_apart_cm: metrics.shins_apart.as_ref().map(|least| 100.0 * least.value),
        }
    }
}

/// A soft target and what came of it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TargetReport {
    /// `null` where nothing was asked for.
    pub target: Option<f64>,
    /// `null` where there is nothing to measure.
    pub actual: Option<f64>,
    /// How much more there is than was asked for.
    pub difference: Option<f64>,
}

impl TargetReport {
    fn of(target: &Target, unit: fn(f64) -> f64) -> TargetReport {
        TargetReport {
            target: target.target.map(unit),
            actual: target.actual.map(unit),
            difference: target.difference().map(unit),
        }
    }
}

/// Where a ball is in the stance of its footprint.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlacementReport {
    /// Distance from the footprint at mid stance, height included.
    pub mid_stance_mm: f64,
    /// Largest distance from the footprint over the middle 60 % of the stance, height included.
    pub middle_60_mm: f64,
    /// Largest distance in height over the middle 60 % of the stance.
    pub middle_60_height_mm: f64,
    /// Farthest slide over the ground from where the ball is at mid stance, over the middle 60 % of the stance.
    pub middle_60_slide_mm: f64,
}

/// A recorded step in a blend.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StepSourceReport {
    /// Take and frames.
    pub name: String,
    /// Weights of a blend sum to 1.
    pub weight: f64,
}

/// What became of a footprint.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FootprintReport {
    /// From 0, as in the plan's file.
    pub footprint: usize,
    /// `left` or `right`.
    pub foot: String,
    /// What was done to come here; `stand` for the standing feet.
    pub behaviour: Option<String>,
    /// Why: what the footprints look like, the plan's times, or that the plan gives it; `null` where nobody had to decide.
    #[serde(default)]
    pub reason: Option<String>,
    /// Of a jump: the feet that took off, `left`, `right` or `both`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub take_off: Option<String>,
    /// Of a jump: the feet that landed first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub landing: Option<String>,
    /// How the step was made.
    pub origin: String,
    /// How far it lies outside of what is recorded.
    pub outside_cm: f64,
    /// How far the heights of the recorded steps are from its own; 0 where these are recorded.
    pub height_outside_cm: f64,
    /// When the foot lands.
    pub land_seconds: TargetReport,
    /// When it leaves; the actual time is `null` if it stays to the end.
    pub leave_seconds: TargetReport,
    /// Frames of the stance, half-open: from target to target where these are given, else as the steps were timed.
    pub stance_frames: [usize; 2],
    /// `null` if the stance has no frame.
    pub placement: Option<PlacementReport>,
    /// Whether the foot had left before the motion begins, or most of its stance comes after the end of a motion that goes on.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_beyond_motion: bool,
    /// Of the foot.
    pub heading_degrees: TargetReport,
    /// In the air in between.
    pub swing_seconds: TargetReport,
    /// Double support after landing.
    pub support_seconds: TargetReport,
    /// Recorded steps that were blended, heaviest first.
    pub sources: Vec<StepSourceReport>,
}

impl From<&FootprintRow> for FootprintReport {
    fn from(row: &FootprintRow) -> FootprintReport {
        let placement = row.placement.map(|at| PlacementReport {
            mid_stance_mm: MM * at.mid_stance,
            middle_60_mm: MM * at.middle_60,
            middle_60_height_mm: MM * at.height,
            middle_60_slide_mm: MM * at.slide,
        });
        let source = |source: &surefoot_plan::StepSource| StepSourceReport {
            name: source.name.to_string(),
            weight: source.weight,
        };
        let stands = (row.index < 2).then_some(Behaviour::Stand);
        FootprintReport {
            footprint: row.index,
            foot: row.side.name().to_string(),
            behaviour: row.behaviour.or(stands).map(|behaviour| behaviour.name().to_string()),
            reason: None,
            take_off: row.jump.map(|jump| jump.take_off.name().to_string()),
            landing: row.jump.map(|jump| jump.landing.name().to_string()),
            origin: row.origin.name().to_string(),
            outside_cm: CM * row.outside,
            height_outside_cm: CM * row.height_outside,
            land_seconds: TargetReport::of(&row.landing(), |seconds| seconds),
            leave_seconds: TargetReport::of(&row.leaving(), |seconds| seconds),
            stance_frames: [row.frames.start, row.frames.end],
            placement,
            is_beyond_motion: row.is_beyond_motion,
            heading_degrees: TargetReport::of(&row.heading, f64::to_degrees),
            swing_seconds: TargetReport::of(&row.swing, |seconds| seconds),
            support_seconds: TargetReport::of(&row.support, |seconds| seconds),
            sources: row.sources.iter().map(source).collect(),
        }
    }
}

impl PlanReport {
    /// The report on a motion.
    pub fn new(report: &SynthesisReport, clip: &Clip) -> PlanReport {
        let rows = &report.footprints;
        let stepped = || rows.iter().filter(|row| row.origin != StepOrigin::Standing);
        let mut origins = BTreeMap::new();
        for row in stepped() {
            *origins.entry(row.origin.name().to_string()).or_default() += 1;
        }
        PlanReport {
            verdict: VerdictReport::from(&report.verdict),
            synthesizer: report.synthesizer.to_string(),
            footprints: rows.len(),
            steps: stepped().count(),
            seconds: clip.n_frames() as f64 / clip.frame_rate,
            frame_rate: clip.frame_rate,
            missed: rows.iter().filter(|row| row.placement.is_none() && !row.is_beyond_motion).count(),
            largest_placement_error_mm: Some(MM * report.largest_miss()),
            origins,
            farthest_outside_cm: CM * rows.iter().fold(0.0, |most, row| f64::max(most, row.outside)),
            farthest_height_outside_cm: CM * rows.iter().fold(0.0, |most, row| f64::max(most, row.height_outside)),
            flights: report.metrics.flights.map(Into::into),
            metrics: MotionMetricsReport::from(&report.metrics),
            each: rows.iter().map(FootprintReport::from).collect(),
        }
    }

    /// The same with the reasons of what leads to each footprint.
    pub(crate) fn with_reasons(mut self, decided: Option<&[PlannedBehaviour]>) -> PlanReport {
        for (row, planned) in self.each.iter_mut().zip(decided.unwrap_or_default()) {
            // Whoever walks does not know of stairs.
            if !planned.behaviour.is_flight() && row.behaviour.as_deref().is_none_or(|name| name == "walk") {
                row.behaviour = Some(planned.behaviour.name().to_string());
            }
            row.reason = Some(planned.reason.clone());
        }
        self
    }

    /// The report on a motion that follows a path without planned footprints; `footprints` are those that it took.
    pub fn of_path(verdict: VerdictReport, metrics: MotionMetricsReport, footprints: usize, clip: &Clip) -> PlanReport {
        PlanReport {
            verdict,
            synthesizer: "graph".to_string(),
            footprints,
            steps: footprints.saturating_sub(2),
            seconds: clip.n_frames() as f64 / clip.frame_rate,
            frame_rate: clip.frame_rate,
            missed: 0,
            largest_placement_error_mm: None,
            origins: BTreeMap::new(),
            farthest_outside_cm: 0.0,
            farthest_height_outside_cm: 0.0,
            flights: None,
            metrics,
            each: Vec::new(),
        }
    }

    /// The footprints that were missed, if any: without a stance, or farther off than an eye forgives.
    pub fn not_met(&self) -> Option<JobError> {
        let is_missed = |print: &&FootprintReport| {
            !print.is_beyond_motion && print.placement.is_none_or(|at| at.middle_60_mm > MISSED_MM)
        };
        let missed: Vec<String> =
            self.each.iter().filter(is_missed).map(|print| format!("footprints[{}]", print.footprint)).collect();
        let first = self.each.iter().find(is_missed)?;
        let message = format!("the plan is not met: {} missed", missed.join(", "));
        Some(JobError::not_met("missed", message).at_footprint(first.footprint))
    }

    /// `9 blended, 3 extrapolated`.
    pub fn origins_in_words(&self) -> String {
        let each: Vec<String> = self.origins.iter().map(|(name, n)| format!("{n} {name}")).collect();
        each.join(", ")
    }
}
