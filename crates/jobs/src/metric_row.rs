//! Metrics as reports list them.

use serde::{Deserialize, Serialize};
use surefoot_contact::metrics::Metric;

/// A measured number with its meaning.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MetricRow {
    /// Never changes its meaning: gates and reports refer to it.
    pub name: String,
    /// In its unit.
    pub value: f64,
    /// Empty for counts and plain numbers.
    pub unit: String,
    /// Whose it is: a joint's name, `left ball`, `footprint 3`.
    pub place: Option<String>,
    /// The clip's frame in which it happens, from 0.
    pub frame: Option<usize>,
    /// Frames per second that it was measured at.
    pub frame_rate: f64,
    /// What had to be decided for it: heights, speeds, times. Empty if nothing.
    pub threshold: String,
    /// What it measures.
    pub about: String,
    /// What it is grouped by.
    pub family: String,
    /// The same metric of the reference, in the same unit.
    pub reference: Option<f64>,
}

impl From<&Metric> for MetricRow {
    fn from(metric: &Metric) -> MetricRow {
        MetricRow {
            name: metric.name().to_string(),
            value: metric.shown(),
            unit: metric.unit().to_string(),
            place: metric.place.clone(),
            frame: metric.frame,
            frame_rate: metric.frame_rate,
            threshold: metric.definition.threshold.to_string(),
            about: metric.definition.about.to_string(),
            family: metric.definition.family.title().to_string(),
            reference: None,
        }
    }
}

/// A metric before and after an edit.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MetricChange {
    /// As in [`MetricRow`].
    pub name: String,
    /// As in [`MetricRow`].
    pub unit: String,
    /// Before the edit, in its unit; absent where it could not be measured.
    pub before: Option<f64>,
    /// After it.
    pub after: f64,
    /// Where it is after the edit.
    pub place: Option<String>,
    /// In which frame after the edit.
    pub frame: Option<usize>,
    /// As in [`MetricRow`].
    pub frame_rate: f64,
    /// As in [`MetricRow`].
    pub threshold: String,
    /// As in [`MetricRow`].
    pub about: String,
}

/// Metrics of two motions, paired by their names. Those that only the first has are left out.
pub fn pair_metrics(before: &[Metric], after: &[Metric]) -> Vec<MetricChange> {
    let change = |after: &Metric| {
        let before = before.iter().find(|before| before.name() == after.name());
        let MetricRow { name, value, unit, place, frame, frame_rate, threshold, about, .. } = MetricRow::from(after);
        MetricChange {
            name,
            unit,
            before: before.map(Metric::shown),
            after: value,
            place,
            frame,
            frame_rate,
            threshold,
            about,
        }
    };
    after.iter().map(change).collect()
}
