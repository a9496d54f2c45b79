//! What the job `measure` reports.

use crate::input_report::InputReport;
use crate::job_error::JobError;
use crate::metric_row::MetricRow;
use crate::motion_source::ContactsSource;
use serde::{Deserialize, Serialize};
use std::path::Path;
use surefoot_contact::FootPlan;
use surefoot_contact::metrics::{Family, Gate, GateFailure, Measures, Metric};

/// How good a motion is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MeasureReport {
    /// The motion.
    pub subject: SubjectReport,
    /// What the ground is and how it came about.
    pub ground: String,
    /// The motion that it is compared with.
    pub reference: Option<SubjectReport>,
    /// Every metric.
    pub metrics: Vec<MetricRow>,
    /// Every plant.
    pub plants: Vec<MeasuredPlant>,
    /// Every footprint of the plan.
    pub footprints: Option<Vec<MeasuredFootprint>>,
    /// Every joint that was compared with the reference's.
    pub joints: Option<Vec<JointError>>,
    /// The limits, and whether they hold.
    pub gate: Option<GateReport>,
}

/// A measured motion.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SubjectReport {
    /// Its file.
    pub file: String,
    /// How many frames it has.
    pub frames: usize,
    /// Frames per second.
    pub frame_rate: f64,
    /// In seconds.
    pub duration: f64,
    /// Where its contacts come from.
    pub contacts: ContactsSource,
    /// Whose soles it was measured with.
    pub soles: Soles,
    /// What was assumed about its file.
    pub input: InputReport,
}

/// Whose soles a motion is measured with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Soles {
    /// Its own.
    Own,
    /// Those of the reference, which has the same skeleton.
    Reference,
}

/// How still a plant is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MeasuredPlant {
    /// `left` or `right`.
    pub foot: String,
    /// `heel` or `ball`.
    pub part: String,
    /// First frame.
    pub start: usize,
    /// One past the last frame.
    pub end: usize,
    /// Farthest from its mean position over the ground.
    pub drift_mm: f64,
    /// Farthest from its mean height.
    pub drift_vertical_mm: f64,
    /// Length of its trajectory over the ground.
    pub path_mm: f64,
}

/// How exactly a footprint is met.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MeasuredFootprint {
    /// Counted from 0.
    pub footprint: usize,
    /// `left` or `right`.
    pub foot: String,
    /// Whether no plant realises it.
    pub missed: bool,
    /// How exactly it is met otherwise.
    #[serde(flatten)]
    pub placement: Option<FootprintPlacement>,
}

/// The placement of a footprint that is met.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FootprintPlacement {
    /// First frame of the plant.
    pub start: usize,
    /// One past its last frame.
    pub end: usize,
    /// Farthest from the footprint.
    pub max_mm: f64,
    /// Mean distance.
    pub mean_mm: f64,
    /// Median distance.
    pub median_mm: f64,
    /// Drift during the plant.
    pub drift_mm: f64,
    /// Height over the footprint.
    pub height_mm: f64,
    /// Difference in heading.
    pub heading_deg: Option<f64>,
    /// Difference in swing time.
    pub swing_ms: Option<f64>,
    /// Difference in support time.
    pub support_ms: Option<f64>,
}

/// How near a joint is to the reference's.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct JointError {
    /// Its name.
    pub joint: String,
    /// Part of the body.
    pub region: String,
    /// In the world.
    pub global_cm: f64,
    /// Relative to the root.
    pub root_relative_cm: f64,
}

/// Limits, and whether they hold.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GateReport {
    /// The gate file.
    pub file: String,
    /// How many limits there are.
    pub limits: usize,
    /// Whether all hold.
    pub passed: bool,
    /// Those that do not.
    pub failures: Vec<GateFailureReport>,
}

/// A limit that does not hold.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GateFailureReport {
    /// The metric's name.
    pub metric: String,
    /// Its value, if it could be measured.
    pub value: Option<f64>,
    /// Where it is.
    pub place: Option<String>,
    /// In which frame.
    pub frame: Option<usize>,
    /// Why the limit does not hold.
    pub message: String,
}

impl GateReport {
    /// Why the result is not what was requested, if a limit does not hold.
    pub(crate) fn not_met(&self) -> Option<JobError> {
        let lines = || self.failures.iter().map(|failure| format!("\n  {}", failure.message)).collect::<String>();
        (!self.passed).then(|| JobError::not_met("gate", format!("the gate does not hold:{}", lines())))
    }

    pub(crate) fn new(file: &Path, gate: &Gate, failures: &[GateFailure]) -> GateReport {
        let failure = |failure: &GateFailure| {
            let measured = failure.measured.as_ref();
            GateFailureReport {
                metric: failure.metric.name.to_string(),
                value: measured.map(Metric::shown),
                place: measured.and_then(|metric| metric.place.clone()),
                frame: measured.and_then(|metric| metric.frame),
                message: failure.to_string(),
            }
        };
        GateReport {
            file: file.display().to_string(),
            limits: gate.limits.len(),
            passed: failures.is_empty(),
            failures: failures.iter().map(failure).collect(),
        }
    }
}

/// The metrics of some families, each beside the reference's own.
pub(crate) fn metric_rows(measures: &Measures, reference: Option<&Measures>, families: &[Family]) -> Vec<MetricRow> {
    let reference = reference.map(Measures::metrics).unwrap_or_default();
    let row = |metric: &Metric| {
        let of_reference = reference.iter().find(|other| other.name() == metric.name()).map(Metric::shown);
        MetricRow { reference: of_reference, ..MetricRow::from(metric) }
    };
    let metrics = measures.metrics();
    metrics.iter().filter(|metric| families.contains(&metric.definition.family)).map(row).collect()
}

pub(crate) fn plant_rows(measures: &Measures) -> Vec<MeasuredPlant> {
    let row = |plant: &surefoot_contact::metrics::PlantDrift| MeasuredPlant {
        foot: plant.side.name().to_string(),
        part: plant.part.name().to_string(),
        start: plant.frames.start,
        end: plant.frames.end,
        drift_mm: plant.horizontal * 1000.0,
        drift_vertical_mm: plant.vertical * 1000.0,
        path_mm: plant.path * 1000.0,
    };
    measures.drift.plants.iter().map(row).collect()
}

pub(crate) fn footprint_rows(measures: &Measures, plan: &FootPlan) -> Vec<MeasuredFootprint> {
    let row = |(index, target): (usize, &surefoot_contact::Footprint)| {
        let error = measures.placement.as_ref().and_then(|placement| placement.footprints.get(index)?.as_ref());
        let placement = error.map(|error| FootprintPlacement {
            start: error.frames.start,
            end: error.frames.end,
            max_mm: error.max * 1000.0,
            mean_mm: error.mean * 1000.0,
            median_mm: error.median * 1000.0,
            drift_mm: error.drift * 1000.0,
            height_mm: error.height * 1000.0,
            heading_deg: error.heading.map(f64::to_degrees),
            swing_ms: error.swing.map(|seconds| seconds * 1000.0),
            support_ms: error.support.map(|seconds| seconds * 1000.0),
        });
        let foot = target.side.name().to_string();
        MeasuredFootprint { footprint: index, foot, missed: placement.is_none(), placement }
    };
    plan.footprints.iter().enumerate().map(row).collect()
}

pub(crate) fn joint_rows(measures: &Measures) -> Option<Vec<JointError>> {
    let reconstruction = measures.reconstruction.as_ref()?;
    let joints = reconstruction.joints.iter().map(|(pair, error)| JointError {
        joint: measures.skeleton.name(pair.joint).to_string(),
        region: pair.region.name().to_string(),
        global_cm: error.global * 100.0,
        root_relative_cm: error.root_relative * 100.0,
    });
    Some(joints.collect())
}
