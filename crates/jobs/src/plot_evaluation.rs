//! The picture of an evaluation: every clip's value of every metric, and every clip's joint error by every method.

use crate::evaluate::{Better, Distribution, EvaluatedMetric, Evaluation, Split, evaluated_metrics};
use crate::job_error::JobError;
use crate::scene_picture::{PictureEnding, picture_ending};
use std::path::Path;
use surefoot_picture::{PictureError, Strip, StripsPanel, StripsPlot, encode_png, strips_plot, strips_plot_svg};
use surefoot_steps::Variant;

/// The picture, as PNG or SVG by the ending of its file.
pub fn draw_evaluation(path: &Path, evaluation: &Evaluation) -> Result<Vec<u8>, JobError> {
    let failed = |error: PictureError| JobError::of_file("picture", path, error.to_string());
    let plot = plot_of(evaluation);
    match picture_ending(path) {
        Some(PictureEnding::Png) => encode_png(&strips_plot(&plot).map_err(failed)?).map_err(failed),
        Some(PictureEnding::Svg) | None => Ok(strips_plot_svg(&plot).into_bytes()),
    }
}

fn plot_of(evaluation: &Evaluation) -> StripsPlot {
    let judged = evaluation.judged_split();
    let n_clips = evaluation.compared().count();
    let columns = |names: &[&str]| names.iter().map(ToString::to_string).collect();
    let metrics = StripsPanel {
        title: format!("Stride Space, {}", judged.name()),
        columns: columns(&["median", "p90", "worst", "met"]),
        strips: evaluated_metrics(evaluation).iter().map(|metric| metric_strip(metric, judged)).collect(),
        is_shared: false,
    };
    let of_methods = Split::ALL.into_iter().map(|split| StripsPanel {
        title: format!("joint error by landing, cm, {}", split.name()),
        columns: columns(&["median", "p90", "worst"]),
        strips: Variant::all().into_iter().filter_map(|variant| variant_strip(evaluation, split, variant)).collect(),
        is_shared: true,
    });
    let panels = std::iter::once(metrics).chain(of_methods).filter(|panel| !panel.strips.is_empty());
    StripsPlot {
        title: format!("{n_clips} recordings walked again"),
        note: format!(
            "{} steps in the database, less those that were left out; a dot is a clip or a footprint",
            evaluation.n_database_steps
        ),
        panels: panels.collect(),
    }
}

fn metric_strip(metric: &EvaluatedMetric, judged: Split) -> Strip {
    let unit = if metric.unit.is_empty() { String::new() } else { format!(", {}", metric.unit) };
    let split = if metric.split == judged { String::new() } else { format!(", {}", metric.split.name()) };
    let met = metric.met.map_or("-".to_string(), |met| format!("{:.0} %", 100.0 * met));
    Strip {
        name: format!("{}{split}{unit}", metric.name),
        values: metric.values.clone(),
        target: metric.target,
        large_is_good: metric.better == Better::Large,
        reference: metric.recording,
        marks: [metric.spread.median, metric.spread.p90],
        cells: spread_cells(&metric.spread).into_iter().chain([met]).collect(),
    }
}

fn variant_strip(evaluation: &Evaluation, split: Split, variant: Variant) -> Option<Strip> {
    let values: Vec<f64> = evaluation.walks(split, variant).map(|(_, walk)| 100.0 * walk.by_landing.all).collect();
    let spread = Distribution::of(&values, Better::Small)?;
    Some(Strip {
        name: format!("{}{}", if variant.is_ablation() { "- " } else { "" }, variant.name()),
        target: None,
        large_is_good: false,
        reference: None,
        marks: [spread.median, spread.p90],
        cells: spread_cells(&spread).to_vec(),
        values,
    })
}

fn spread_cells(spread: &Distribution) -> [String; 3] {
    [spread.median, spread.p90, spread.worst].map(|value| format!("{value:.2}"))
}
