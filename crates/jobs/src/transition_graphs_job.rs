//! The job `compose transitions`: how recorded people's speed changes from one behaviour to another (COMPOSE 4.2, figures 8 and 9).

use crate::job::{Job, JobReport, finish};
use crate::job_context::JobContext;
use crate::job_error::JobError;
use crate::outputs::{IfExists, Outputs, WrittenFile};
use crate::recognise_job::load_behaviours;
use crate::request_limits::check_range;
use crate::score_recognition_job::USUAL_LEGS;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use surefoot_compose::{SpeedMark, TransitionGraph, TransitionGraphs};
use surefoot_picture::{Chart, Curve, Dash, relations_plot};

/// Which database to look at.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TransitionGraphsRequest {
    /// The database of behaviours.
    pub db: PathBuf,
    /// Thigh plus shin of the person, in metres: 0.2 to 2. Default 0.85.
    #[serde(default)]
    pub leg_length: Option<f64>,
    /// Where the graphs go as SVG, as figure 8.
    #[serde(default)]
    pub picture: Option<PathBuf>,
    /// Where the recordings before and after their alignment go as SVG, as figure 9.
    #[serde(default)]
    pub alignment: Option<PathBuf>,
    /// Where the report goes as JSON.
    #[serde(default)]
    pub report: Option<PathBuf>,
    /// What to do with existing outputs.
    #[serde(default)]
    pub if_exists: IfExists,
}

/// What `compose transitions` reports, for a person with these legs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TransitionGraphsReport {
    /// Thigh plus shin, in metres.
    pub leg_length: f64,
    /// The five changes of figure 8, each followed by its way back. What no recording has is not there.
    pub graphs: Vec<TransitionGraphReport>,
    /// All files that were written.
    pub files: Vec<WrittenFile>,
}

/// One change of behaviour.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TransitionGraphReport {
    /// Behaviour before.
    pub from: String,
    /// Behaviour after.
    pub to: String,
    /// `most` or `least`: whether the root is fastest or slowest in the step that marks the change.
    pub mark: String,
    /// Recorded changes.
    pub changes: usize,
    /// Whether it was learned from the way back.
    pub is_mirrored: bool,
    /// The first step of the behaviour after, counted from the marking one.
    pub change: i32,
    /// Its steps.
    pub steps: Vec<TransitionStepReport>,
}

/// One step of a change.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TransitionStepReport {
    /// Counted from the marking one.
    pub step: i32,
    /// Mean speed of the root, in metres a second.
    pub speed: f64,
    /// Its standard deviation.
    pub deviation: f64,
    /// Recorded changes that have it.
    pub changes: usize,
}

impl JobReport for TransitionGraphsReport {
    fn files(&self) -> &[WrittenFile] {
        &self.files
    }
}

impl Job for TransitionGraphsRequest {
    const COMMAND: &'static str = "compose transitions";
    type Report = TransitionGraphsReport;

    fn outputs(&self) -> Vec<&Path> {
        self.picture.iter().chain(&self.alignment).chain(&self.report).map(PathBuf::as_path).collect()
    }

    fn inputs(&self) -> Vec<&Path> {
        vec![&self.db]
    }

    fn run(&self, context: &JobContext) -> Result<TransitionGraphsReport, JobError> {
        check_range("leg_length", self.leg_length, 0.2..=2.0)?;
        let mut outputs = Outputs::check_apart(self.outputs(), self.inputs(), self.if_exists)?;
        let database = load_behaviours(&self.db)?;
        context.check()?;
        let learned = TransitionGraphs::learn(&database);
        if learned.graphs().is_empty() {
            let message =
                "no recording of the database changes between walking, running, jumping and stairs; add some that do";
            return Err(JobError::of_file("steps", &self.db, message));
        }
        let legs = self.leg_length.unwrap_or(USUAL_LEGS);
        if let Some(file) = &self.picture {
            let charts: Vec<Chart> = learned.graphs().iter().map(|graph| graph_chart(graph, legs)).collect();
            let title = format!("Transition graphs (COMPOSE figure 8), legs of {legs:.2} m");
            outputs.add("picture", file, relations_plot(&title, &charts).into_bytes());
        }
        if let Some(file) = &self.alignment {
            let charts: Vec<Chart> = learned.graphs().iter().flat_map(|graph| alignment_charts(graph, legs)).collect();
            let title = "Recorded changes before and after alignment (COMPOSE figure 9)";
            outputs.add("alignment", file, relations_plot(title, &charts).into_bytes());
        }
        let report = TransitionGraphsReport {
            leg_length: legs,
            graphs: learned.graphs().iter().map(|graph| graph_report(graph, legs)).collect(),
            files: outputs.files(),
        };
        finish(outputs, TransitionGraphsRequest::COMMAND, report, self.report.as_deref())
    }
}

fn graph_report(graph: &TransitionGraph, legs: f64) -> TransitionGraphReport {
    TransitionGraphReport {
        from: graph.from.name().to_string(),
        to: graph.to.name().to_string(),
        mark: if graph.mark == SpeedMark::Most { "most" } else { "least" }.to_string(),
        changes: graph.lines.len(),
        is_mirrored: graph.is_mirrored,
        change: graph.change,
        steps: graph
            .points
            .iter()
            .map(|point| TransitionStepReport {
                step: point.step,
                speed: point.speed * legs.sqrt(),
                deviation: point.deviation * legs.sqrt(),
                changes: point.n,
            })
            .collect(),
    }
}

/// `walk to run, 12 changes`.
fn title(graph: &TransitionGraph) -> String {
    let mirrored = if graph.is_mirrored { ", mirrored" } else { "" };
    format!("{} to {}, {} changes{mirrored}", graph.from.name(), graph.to.name(), graph.lines.len())
}

fn curve(name: &str, points: Vec<[f64; 2]>, colour: usize, dash: Dash) -> Curve {
    Curve { name: name.to_string(), points, colour, dash }
}

fn graph_chart(graph: &TransitionGraph, legs: f64) -> Chart {
    let scale = legs.sqrt();
    let at = |beside: f64| {
        let points = graph.points.iter();
        points.map(|point| [f64::from(point.step), scale * (point.speed + beside * point.deviation)]).collect()
    };
    let speeds = graph.points.iter().map(|point| scale * point.speed);
    let [low, high] = speeds.fold([f64::INFINITY, 0.0], |[low, high]: [f64; 2], v| [low.min(v), high.max(v)]);
    let change = f64::from(graph.change) - 0.5;
    Chart {
        title: title(graph),
        x: "steps from the marking one".to_string(),
        y: "speed of the root, m/s".to_string(),
        curves: vec![
            curve("one deviation", at(1.0), 1, Dash::Dashed),
            curve("", at(-1.0), 1, Dash::Dashed),
            curve("change", vec![[change, low], [change, high]], 2, Dash::Dashed),
            curve("mean", at(0.0), 0, Dash::Solid),
            curve("", at(0.0), 0, Dash::Dots),
        ],
    }
}

/// Every recording from its first step on, and laid over each other at the marking step.
fn alignment_charts(graph: &TransitionGraph, legs: f64) -> [Chart; 2] {
    let of = |is_aligned: bool| {
        let curves = graph.lines.iter().enumerate().flat_map(|(index, line)| {
            let first = if is_aligned { line.mark as f64 } else { 0.0 };
            let point = |(step, speed): (usize, &f64)| [step as f64 - first, speed * legs.sqrt()];
            let points: Vec<[f64; 2]> = line.speeds.iter().enumerate().map(point).collect();
            let mark = vec![points[line.mark]];
            [curve("", points, index, Dash::Solid), curve("", mark, index, Dash::Dots)]
        });
        let when = if is_aligned { "aligned" } else { "as recorded" };
        Chart {
            title: format!("{}: {when}", title(graph)),
            x: if is_aligned { "steps from the marking one" } else { "steps from the first" }.to_string(),
            y: "speed of the root, m/s".to_string(),
            curves: curves.collect(),
        }
    };
    [of(false), of(true)]
}
