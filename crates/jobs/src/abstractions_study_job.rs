//! The job `experiment abstractions`: what should follow a path (GRAPH 6.2), as tables 1 and 6 and figures 7 to 12.

use crate::abstractions_study_tables::{CM, COMPARED, RunValue, amplitude, summary, tables};
use crate::experiments::{TEST_NAMES, plot_abstractions, plot_examples, plot_techniques};
use crate::job::{Job, JobReport, finish_with_folder};
use crate::job_context::JobContext;
use crate::job_error::JobError;
use crate::metrics_study_job::add_result;
use crate::outputs::WrittenFile;
use crate::study_request::{StudyClips, StudyRequest, SummaryReport};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use surefoot_graph::Abstraction;
use surefoot_graph::experiment::{
    AbstractionRun, AbstractionsOptions, AbstractionsStudy, StudyGraph, TestPath, paper, study_abstractions,
};
use surefoot_motion::Clip;

/// On which clips and along which recorded paths techniques are compared.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AbstractionsStudyRequest {
    /// The clips and the outputs.
    pub study: StudyRequest,
    /// Recordings of the same person that are not among the clips, whose trajectories are the paths to follow: one straight,
    /// one of low and one of high curvature.
    pub tests: [PathBuf; 3],
}

/// What `experiment abstractions` reports. Centimetres, cm/frame for skating, milliseconds for the search.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AbstractionsStudyReport {
    /// The clips of the graphs.
    pub corpus: StudyClips,
    /// The recorded paths.
    pub tests: Vec<TestPathReport>,
    /// Runs for each graph, path and technique.
    pub runs: usize,
    /// Which drew the start nodes.
    pub seed: u64,
    /// Frames of a window and of a blend.
    pub window: usize,
    /// What the wanted edges were multiplied by; 1 if the clips could give them.
    pub scale: f64,
    /// The graphs, smallest first.
    pub graphs: Vec<StudyGraphReport>,
    /// In words.
    pub units: String,
    /// Each technique over all paths and graphs.
    pub techniques: Vec<TechniqueReport>,
    /// Each technique along each path through each graph.
    pub cells: Vec<TechniqueCell>,
    /// The tables of the paper, filled in, as Markdown.
    pub tables: String,
    /// The folder that was written.
    pub folder: Option<String>,
    /// All files that were written.
    pub files: Vec<WrittenFile>,
}

/// A recorded path.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs, reason = "each field names what it measures, and its unit")]
pub struct TestPathReport {
    pub name: String,
    /// Straight, low or high curvature.
    pub kind: Option<String>,
    /// In metres.
    pub path_length: f64,
    pub skating_per_frame_cm: Option<f64>,
    #[serde(flatten)]
    pub sway: SwayReport,
    pub extrema: usize,
    pub paper: Option<TestPathPaper>,
}

/// Sway of a pelvis.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "each field names what it measures, and its unit")]
pub struct SwayReport {
    pub amplitude_cm: f64,
    pub wavelength_cm: f64,
    pub amplitude_deviation_cm: f64,
    pub wavelength_deviation_cm: f64,
}

/// The paper's numbers for a recorded path, table 1.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "each field names what it measures, and its unit")]
pub struct TestPathPaper {
    pub skating_cm: f64,
    #[serde(flatten)]
    pub sway: SwayReport,
}

/// A graph of the study.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs, reason = "each field names what it counts")]
pub struct StudyGraphReport {
    pub threshold: f32,
    pub wanted_edges: usize,
    pub nodes: usize,
    pub edges: usize,
    pub frames: usize,
    pub paper: Option<StudyGraphPaper>,
}

/// The paper's graph, table 6.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs, reason = "each field names what it counts")]
pub struct StudyGraphPaper {
    pub threshold: f64,
    pub nodes: usize,
    pub edges: usize,
    pub frames: usize,
}

/// What techniques are compared by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the tables name each")]
pub struct TechniqueMetrics {
    pub skating: Option<SummaryReport>,
    pub contact_skating: Option<SummaryReport>,
    pub amplitude_difference: Option<SummaryReport>,
    pub wavelength_difference: Option<SummaryReport>,
    pub amplitude_deviation: Option<SummaryReport>,
    pub wavelength_deviation: Option<SummaryReport>,
    pub path_distance_mean: Option<SummaryReport>,
    pub search_ms: Option<SummaryReport>,
}

/// A technique over all paths and graphs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TechniqueReport {
    /// Its name.
    pub technique: String,
    /// What was measured.
    #[serde(flatten)]
    pub metrics: TechniqueMetrics,
}

/// A technique along one path through one graph.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TechniqueCell {
    /// Its name.
    pub technique: String,
    /// Which graph, from 0.
    pub graph: usize,
    /// Which path, from 0.
    pub test: usize,
    /// Of the pelvis's sway.
    pub amplitude: Option<SummaryReport>,
    /// Of the pelvis's sway.
    pub wavelength: Option<SummaryReport>,
    /// What else was measured.
    #[serde(flatten)]
    pub metrics: TechniqueMetrics,
}

impl JobReport for AbstractionsStudyReport {
    fn files(&self) -> &[WrittenFile] {
        &self.files
    }
}

impl Job for AbstractionsStudyRequest {
    const COMMAND: &'static str = "experiment abstractions";
    type Report = AbstractionsStudyReport;

    fn outputs(&self) -> Vec<&Path> {
        self.study.report.iter().map(PathBuf::as_path).collect()
    }

    fn run(&self, context: &JobContext) -> Result<AbstractionsStudyReport, JobError> {
        let (outputs, mut folder) = self.study.check()?;
        let clips = self.study.load(&self.tests, context)?;
        let usual = AbstractionsOptions::default();
        let options = AbstractionsOptions {
            window: self.study.window.unwrap_or(usual.window),
            edges: self.study.edges.clone().unwrap_or(usual.edges),
            runs: self.study.runs.unwrap_or(usual.runs),
            seed: self.study.seed.unwrap_or(usual.seed),
            ..AbstractionsOptions::default()
        };
        let study = self.study.study(context, |with| study_abstractions(&clips.set, &clips.tests, &options, with))?;
        let mut report = AbstractionsStudyReport {
            corpus: StudyClips::from(&clips),
            tests: study.tests.iter().enumerate().map(|(index, test)| test_report(index, test)).collect(),
            runs: options.runs,
            seed: options.seed,
            window: options.window,
            scale: study.scale,
            graphs: study.graphs.iter().enumerate().map(|(index, graph)| graph_report(index, graph)).collect(),
            units: "centimetres, cm/frame for skating, milliseconds for search_ms".to_string(),
            techniques: Abstraction::ALL.iter().map(|&abstraction| technique_report(&study, abstraction)).collect(),
            cells: cells(&study),
            tables: tables(&study, &clips, &options),
            folder: self.study.output.as_ref().map(|folder| folder.display().to_string()),
            files: Vec::new(),
        };
        if let Some(folder) = &mut folder {
            // Straight, and the high curvature, where abstractions differ most.
            let shown: Vec<&Clip> = clips.tests.iter().step_by(2).collect();
            folder.add("picture", "figure-7.svg", plot_abstractions(&shown, clips.set.body()).into_bytes());
            folder.add("picture", "figure-10.svg", plot_examples(&study).into_bytes());
            for (name, svg) in plot_techniques(&study) {
                folder.add("picture", name, svg.into_bytes());
            }
            folder.add("tables", "tables.md", report.tables.clone().into_bytes());
            report.files = folder.files();
            add_result(folder, AbstractionsStudyRequest::COMMAND, &report);
        }
        finish_with_folder(outputs, folder, AbstractionsStudyRequest::COMMAND, report, self.study.report.as_deref())
    }
}

fn test_report(index: usize, test: &TestPath) -> TestPathReport {
    let printed = |row: usize| paper::TABLE_1[row].get(index).copied();
    let paper = || {
        Some(TestPathPaper {
            skating_cm: printed(0)?,
            sway: SwayReport {
                amplitude_cm: printed(1)?,
                wavelength_cm: printed(2)?,
                amplitude_deviation_cm: printed(3)?,
                wavelength_deviation_cm: printed(4)?,
            },
        })
    };
    TestPathReport {
        name: test.name.clone(),
        kind: TEST_NAMES.get(index).map(ToString::to_string),
        path_length: test.path.length(),
        skating_per_frame_cm: test.skating.per_frame().map(|metres| CM * metres),
        sway: SwayReport {
            amplitude_cm: CM * test.sway.amplitude,
            wavelength_cm: CM * test.sway.wavelength,
            amplitude_deviation_cm: CM * test.sway.amplitude_deviation,
            wavelength_deviation_cm: CM * test.sway.wavelength_deviation,
        },
        extrema: test.sway.n_extrema,
        paper: paper(),
    }
}

fn graph_report(index: usize, graph: &StudyGraph) -> StudyGraphReport {
    StudyGraphReport {
        threshold: graph.limit,
        wanted_edges: graph.wanted_edges,
        nodes: graph.shape.n_nodes,
        edges: graph.shape.n_edges,
        frames: graph.shape.n_keyframes,
        paper: paper::TABLE_6.get(index).map(|row| StudyGraphPaper {
            threshold: row.threshold,
            nodes: row.nodes,
            edges: row.edges,
            frames: row.frames,
        }),
    }
}

fn technique_report(study: &AbstractionsStudy, abstraction: Abstraction) -> TechniqueReport {
    let metrics = technique_metrics(study, &|run: &AbstractionRun| run.abstraction == abstraction);
    TechniqueReport { technique: abstraction.name().to_string(), metrics }
}

fn technique_metrics(study: &AbstractionsStudy, is_meant: &dyn Fn(&AbstractionRun) -> bool) -> TechniqueMetrics {
    let of =
        |(_, value, unit, _): (&str, RunValue, f64, usize)| SummaryReport::new(summary(study, is_meant, value), unit);
    let [
        skating,
        contact_skating,
        amplitude_difference,
        wavelength_difference,
        amplitude_deviation,
        wavelength_deviation,
        path_distance_mean,
        search_ms,
    ] = COMPARED.map(of);
    TechniqueMetrics {
        skating,
        contact_skating,
        amplitude_difference,
        wavelength_difference,
        amplitude_deviation,
        wavelength_deviation,
        path_distance_mean,
        search_ms,
    }
}

/// By technique, graph and path.
fn cells(study: &AbstractionsStudy) -> Vec<TechniqueCell> {
    let mut cells = Vec::new();
    for abstraction in Abstraction::ALL {
        for graph in 0..study.graphs.len() {
            for test in 0..study.tests.len() {
                let is_meant =
                    |run: &AbstractionRun| run.abstraction == abstraction && run.graph == graph && run.test == test;
                let sway = |value: RunValue| SummaryReport::new(summary(study, is_meant, value), CM);
                cells.push(TechniqueCell {
                    technique: abstraction.name().to_string(),
                    graph,
                    test,
                    amplitude: sway(|_, run| Some(amplitude(run))),
                    wavelength: sway(|_, run| Some(run.metrics.sway?.wavelength)),
                    metrics: technique_metrics(study, &is_meant),
                });
            }
        }
    }
    cells
}
