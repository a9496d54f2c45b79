//! The job `experiment metrics`: which metric strays, skates and searches least (GRAPH 5.2), the paper's numbers beside ours.

use crate::job::{Envelope, Job, JobReport, finish_with_folder, to_json_text};
use crate::job_context::JobContext;
use crate::job_error::JobError;
use crate::metrics_study_tables::{CM, CM3, complexity_name, deviation, root_mean_square, tables};
use crate::output_folder::OutputFolder;
use crate::outputs::WrittenFile;
use crate::study_request::{StudyClips, StudyRequest, SummaryReport};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use surefoot_formats::{own, read_bytes};
use surefoot_graph::experiment::{MetricGraph, MetricsOptions, RunMetrics, paper, study_metrics, zigzag};

/// On which clips and along which path metrics are compared.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MetricsStudyRequest {
    /// The clips and the outputs.
    pub study: StudyRequest,
    /// Path to follow. Default: a zigzag of 33 m.
    #[serde(default)]
    pub path: Option<PathBuf>,
}

/// What `experiment metrics` reports.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MetricsStudyReport {
    /// The clips of the graphs.
    pub corpus: StudyClips,
    /// The path.
    pub path: StudyPath,
    /// Runs for each graph.
    pub runs: usize,
    /// Which drew the start nodes.
    pub seed: u64,
    /// Frames of a window and of a blend.
    pub window: usize,
    /// What the wanted edges were multiplied by, so that every metric can give them; 1 if it could.
    pub scale: f64,
    /// Edges of each metric's largest graph.
    pub most_edges: Vec<usize>,
    /// Graphs by metric, then complexity.
    pub graphs: Vec<MetricGraphReport>,
    /// The tables of the paper, filled in, as Markdown.
    pub tables: String,
    /// The folder that was written.
    pub folder: Option<String>,
    /// All files that were written.
    pub files: Vec<WrittenFile>,
}

/// The path of a study.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StudyPath {
    /// In metres.
    pub length: f64,
    /// How many points it has.
    pub points: usize,
}

/// A graph of a metric, and what its runs measure.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs, reason = "each field names what it counts or measures, and its unit")]
pub struct MetricGraphReport {
    pub metric: String,
    /// I to IV, then numbers.
    pub complexity: String,
    pub threshold: f32,
    pub wanted_edges: usize,
    pub edges: usize,
    pub nodes: usize,
    pub frames: usize,
    pub blends: usize,
    pub self_blends: usize,
    pub mean_out_degree: f64,
    /// Edges of the shortest route from a node back to itself, on average.
    pub mean_cycle: f64,
    /// For each clip, the blends that come into it from others.
    pub blends_into: Vec<usize>,
    pub path_deviation_cm3: Option<SummaryReport>,
    pub path_distance_rms_cm: Option<SummaryReport>,
    pub skating_cm: Option<SummaryReport>,
    pub contact_skating_per_frame_cm: Option<SummaryReport>,
    pub skating_per_frame_cm: Option<SummaryReport>,
    pub search_seconds: Option<SummaryReport>,
    pub edges_tried: Option<SummaryReport>,
    pub motion_frames: Option<SummaryReport>,
    /// Runs that travelled as far as the path is long.
    pub arrived: usize,
    pub searches_cut_short: usize,
    /// What the paper prints for this graph.
    pub paper: Option<MetricPaper>,
}

/// The paper's numbers for a graph of tables 2 to 5.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs, reason = "as in MetricGraphReport")]
pub struct MetricPaper {
    pub edges: usize,
    pub nodes: usize,
    pub frames: usize,
    pub path_deviation_cm2: f64,
    pub skating_cm: f64,
    pub search_seconds: f64,
}

impl JobReport for MetricsStudyReport {
    fn files(&self) -> &[WrittenFile] {
        &self.files
    }
}

impl Job for MetricsStudyRequest {
    const COMMAND: &'static str = "experiment metrics";
    type Report = MetricsStudyReport;

    fn outputs(&self) -> Vec<&Path> {
        self.study.report.iter().map(PathBuf::as_path).collect()
    }

    fn run(&self, context: &JobContext) -> Result<MetricsStudyReport, JobError> {
        let (outputs, mut folder) = self.study.check()?;
        let path = match &self.path {
            Some(file) => {
                read_bytes(file).and_then(|bytes| own::read_path(&bytes)).map_err(|error| error.in_file(file))?
            }
            None => zigzag(paper::PATH_LENGTH),
        };
        let clips = self.study.load(&[], context)?;
        let usual = MetricsOptions::default();
        let options = MetricsOptions {
            window: self.study.window.unwrap_or(usual.window),
            edges: self.study.edges.clone().unwrap_or(usual.edges),
            runs: self.study.runs.unwrap_or(usual.runs),
            seed: self.study.seed.unwrap_or(usual.seed),
            ..MetricsOptions::default()
        };
        let study = self.study.study(context, |with| study_metrics(&clips.set, &path, &options, with))?;
        let mut report = MetricsStudyReport {
            corpus: StudyClips::from(&clips),
            path: StudyPath { length: study.path_length, points: path.points.len() },
            runs: options.runs,
            seed: options.seed,
            window: options.window,
            scale: study.scale,
            most_edges: study.most_edges.clone(),
            graphs: study.graphs.iter().map(MetricGraphReport::from).collect(),
            tables: tables(&study, &clips, &options),
            folder: self.study.output.as_ref().map(|folder| folder.display().to_string()),
            files: Vec::new(),
        };
        if let Some(folder) = &mut folder {
            folder.add("tables", "tables.md", report.tables.clone().into_bytes());
            report.files = folder.files();
            add_result(folder, MetricsStudyRequest::COMMAND, &report);
        }
        finish_with_folder(outputs, folder, MetricsStudyRequest::COMMAND, report, self.study.report.as_deref())
    }
}

/// Adds the report itself to the folder of a study.
pub(crate) fn add_result<R: JobReport>(folder: &mut OutputFolder, command: &str, report: &R) {
    let text = to_json_text(&Envelope::new(command, report));
    folder.add("report", "result.json", text.into_bytes());
}

impl From<&MetricGraph> for MetricGraphReport {
    fn from(graph: &MetricGraph) -> MetricGraphReport {
        let shape = &graph.shape;
        let summary = |value: fn(&RunMetrics) -> Option<f64>, unit| SummaryReport::new(graph.summary(value), unit);
        MetricGraphReport {
            metric: graph.metric.name().to_string(),
            complexity: complexity_name(graph.complexity),
            threshold: graph.limit,
            wanted_edges: graph.wanted_edges,
            edges: shape.n_edges,
            nodes: shape.n_nodes,
            frames: shape.n_keyframes,
            blends: shape.n_blends,
            self_blends: shape.n_self_blends,
            mean_out_degree: shape.mean_out_degree,
            mean_cycle: shape.mean_cycle,
            blends_into: shape.blends_into.clone(),
            path_deviation_cm3: summary(deviation, CM3),
            path_distance_rms_cm: summary(root_mean_square, CM),
            skating_cm: summary(|run| Some(run.skating.total), CM),
            contact_skating_per_frame_cm: summary(|run| run.contact_skating.per_frame(), CM),
            skating_per_frame_cm: summary(|run| run.skating.per_frame(), CM),
            search_seconds: summary(|run| Some(run.seconds), 1.0),
            edges_tried: summary(|run| Some(run.tried as f64), 1.0),
            motion_frames: summary(|run| Some(run.n_frames as f64), 1.0),
            arrived: graph.runs.iter().filter(|run| run.arrived).count(),
            searches_cut_short: graph.runs.iter().map(|run| run.cut_short).sum(),
            paper: paper_of(graph),
        }
    }
}

fn paper_of(graph: &MetricGraph) -> Option<MetricPaper> {
    let metric = paper::METRICS.iter().position(|name| *name == graph.metric.name())?;
    let [edges, nodes, frames] = *paper::TABLE_2[metric].get(graph.complexity)?;
    Some(MetricPaper {
        edges,
        nodes,
        frames,
        path_deviation_cm2: paper::TABLE_3[metric][graph.complexity],
        skating_cm: paper::TABLE_4[metric][graph.complexity],
        search_seconds: paper::TABLE_5[metric][graph.complexity],
    })
}
