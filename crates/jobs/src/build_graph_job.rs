//! The job `graph build`: motions become a motion graph.

use crate::find_motion_files::find_motions;
use crate::input_request::ReadRequest;
use crate::job::{Job, JobReport, finish};
use crate::job_context::JobContext;
use crate::job_error::JobError;
use crate::motion_graphs::{
    BuildGraphError, BuiltGraph, GRAPH_FRAME_RATE, GatheredMotions, GraphOptions, LeftOut, MAX_WINDOW,
    build_graph_until, corpus_graph, corpus_motions, load_graph, load_motions_until,
};
use crate::outputs::{IfExists, Outputs, WrittenFile};
use crate::request_limits::check_range;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use surefoot_formats::own;
use surefoot_graph::{GraphError, GraphRecord, GraphStats, Metric, Pruned, Threshold};
use surefoot_motion::{Clip, FRAME_RATES};

/// Which motions to build a graph from.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BuildGraphRequest {
    /// Motion files, folders and glob patterns; none for the built-in walks.
    #[serde(default)]
    pub clips: Vec<PathBuf>,
    /// How to read them.
    #[serde(default)]
    pub read: ReadRequest,
    /// How frame windows are compared.
    #[serde(default)]
    pub metric: MetricName,
    /// How many principal components count, the most important first; for `pca` alone. Default: all.
    #[serde(default)]
    pub components: Option<usize>,
    /// Frames of a window and of a blend. Default 10.
    #[serde(default)]
    pub window: Option<usize>,
    /// Frames per second that all clips are brought to. Default 30.
    #[serde(default)]
    pub frame_rate: Option<f64>,
    /// Transitions are at most this far apart, in the metric's unit.
    #[serde(default)]
    pub threshold: Option<f32>,
    /// Transitions are among this share of all distances, above 0 and up to 1; instead of a threshold. Default 0.05.
    #[serde(default)]
    pub share: Option<f64>,
    /// Where the graph goes; `-` is standard output.
    pub output: PathBuf,
    /// Where the report goes as JSON.
    #[serde(default)]
    pub report: Option<PathBuf>,
    /// What to do with existing outputs.
    #[serde(default)]
    pub if_exists: IfExists,
}

/// The three metrics of GRAPH 5.1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MetricName {
    /// Angles and velocities of hips, knees, shoulders and elbows.
    #[default]
    Angles,
    /// Clouds of the joints' positions, aligned on the ground.
    Points,
    /// Principal components of all rotations.
    Pca,
}

/// What `graph build` reports.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BuildGraphReport {
    /// The graph.
    pub output: String,
    /// Its size.
    pub bytes: u64,
    /// The metric's name.
    pub metric: String,
    /// Frames of a window and of a blend.
    pub window: usize,
    /// Frames per second.
    pub frame_rate: f64,
    /// Transitions are at most this far apart, in the metric's unit.
    pub threshold: f32,
    /// Frames of all clips.
    pub frames: usize,
    /// Pairs of frame windows that were compared.
    pub compared: usize,
    /// The clips.
    pub clips: Vec<ClipLength>,
    /// Clips that could not be used.
    pub left_out: Vec<LeftOutReport>,
    /// What was done to make the clips alike, in sentences.
    pub notes: Vec<String>,
    /// How many nodes there are.
    pub nodes: usize,
    /// How many edges.
    pub edges: usize,
    /// Frames of all edges.
    pub keyframes: usize,
    /// Edges that blend.
    pub blends: usize,
    /// Those of them within one clip.
    pub self_blends: usize,
    /// What is not in the graph.
    pub pruned: PrunedReport,
    /// All files that were written.
    pub files: Vec<WrittenFile>,
}

/// A clip of a graph.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ClipLength {
    /// Its name.
    pub name: String,
    /// How many frames it has.
    pub frames: usize,
}

/// A clip that could not be used.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LeftOutReport {
    /// Its name, or the path of its file.
    pub clip: String,
    /// Why.
    pub why: String,
}

/// What was cut from a graph, because no walk through it would go on for ever.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PrunedReport {
    /// Nodes.
    pub nodes: usize,
    /// Edges.
    pub edges: usize,
    /// Names of clips of which nothing is left.
    pub dead_clips: Vec<String>,
}

impl From<&Clip> for ClipLength {
    fn from(clip: &Clip) -> ClipLength {
        ClipLength { name: clip.name.clone(), frames: clip.n_frames() }
    }
}

impl From<&LeftOut> for LeftOutReport {
    fn from(LeftOut { name, why }: &LeftOut) -> LeftOutReport {
        LeftOutReport { clip: name.clone(), why: why.to_string() }
    }
}

impl PrunedReport {
    /// With the names of the graph's clips.
    pub fn new(pruned: &Pruned, clips: &[Clip]) -> PrunedReport {
        let dead_clips = pruned.dead_clips.iter().map(|clip| clips[*clip].name.clone()).collect();
        PrunedReport { nodes: pruned.nodes, edges: pruned.edges, dead_clips }
    }
}

impl JobReport for BuildGraphReport {
    fn files(&self) -> &[WrittenFile] {
        &self.files
    }
}

impl Job for BuildGraphRequest {
    const COMMAND: &'static str = "graph build";
    type Report = BuildGraphReport;

    fn outputs(&self) -> Vec<&Path> {
        std::iter::once(&self.output).chain(&self.report).map(PathBuf::as_path).collect()
    }

    fn run(&self, context: &JobContext) -> Result<BuildGraphReport, JobError> {
        let options = self.options()?;
        let mut outputs = Outputs::check(self.outputs(), self.if_exists)?;
        let GatheredMotions { set, notes, left_out } = self.gather(context)?;
        context.check()?;
        let built = build_graph_until(set, &options, &|| context.check().is_err())?;
        context.check()?;
        let compared = built.matrix.n_pairs();
        let record = BuiltGraph::into_record(built);
        let bytes = own::write_graph(&record);
        let n_bytes = bytes.len() as u64;
        outputs.add("graph", &self.output, bytes);
        let GraphRecord { graph, limit, pruned, .. } = &record;
        let stats = GraphStats::of(graph);
        let report = BuildGraphReport {
            output: self.output.display().to_string(),
            bytes: n_bytes,
            metric: options.metric.name().to_string(),
            window: options.window,
            frame_rate: graph.set.frame_rate(),
            threshold: *limit,
            frames: graph.set.n_frames(),
            compared,
            clips: graph.set.clips().iter().map(ClipLength::from).collect(),
            left_out: left_out.iter().map(LeftOutReport::from).collect(),
            notes,
            nodes: stats.nodes,
            edges: stats.edges,
            keyframes: stats.keyframes,
            blends: stats.n_blends(),
            self_blends: stats.n_self_blends(),
            pruned: PrunedReport::new(pruned, graph.set.clips()),
            files: outputs.files(),
        };
        finish(outputs, BuildGraphRequest::COMMAND, report, self.report.as_deref())
    }
}

impl BuildGraphRequest {
    fn options(&self) -> Result<GraphOptions, JobError> {
        check_range("window", self.window.map(|window| window as f64), 1.0..=MAX_WINDOW as f64)?;
        check_range("components", self.components.map(|n| n as f64), 1.0..=MAX_COMPONENTS)?;
        let metric = match self.metric {
            MetricName::Angles => Metric::angles(),
            MetricName::Points => Metric::points(),
            MetricName::Pca => Metric::Components(self.components),
        };
        let usual = GraphOptions::default();
        let usage = |field: &str, message: &str| Err(JobError::new("usage", message).at_field(field));
        let threshold = match (self.threshold, self.share) {
            (Some(_), Some(_)) => return usage("share", "a threshold and a share are given; one of them would do"),
            (Some(distance), None) => Threshold::Distance(distance),
            (None, Some(share)) => Threshold::Share(share),
            (None, None) => usual.threshold,
        };
        if self.components.is_some() && self.metric != MetricName::Pca {
            return usage("components", "--components goes with --metric pca; the other metrics have none");
        }
        Ok(GraphOptions { metric, window: self.window.unwrap_or(usual.window), threshold, ..usual })
    }

    fn gather(&self, context: &JobContext) -> Result<GatheredMotions, JobError> {
        check_range("frame_rate", self.frame_rate, FRAME_RATES)?;
        let frame_rate = self.frame_rate.unwrap_or(GRAPH_FRAME_RATE);
        if self.clips.is_empty() {
            if frame_rate != GRAPH_FRAME_RATE {
                let message = "the built-in walks have 30 frames a second; --frame-rate goes with CLIPS";
                return Err(JobError::new("usage", message).at_field("frame_rate"));
            }
            return Ok(GatheredMotions { set: corpus_motions(), notes: Vec::new(), left_out: Vec::new() });
        }
        let options = self.read.checked_options()?;
        let files = find_motions(&self.clips)?;
        Ok(load_motions_until(&files, &options, frame_rate, &mut context.each_file(files.len()))?)
    }
}

/// More principal components than any skeleton has channels.
const MAX_COMPONENTS: f64 = 1000.0;

/// The graph of a file; without one, or for the word `corpus`, that of the built-in walks.
pub fn graph_of(path: Option<&Path>) -> Result<GraphRecord, JobError> {
    match path.filter(|path| path.as_os_str() != "corpus") {
        Some(path) => Ok(load_graph(path)?),
        None => Ok(corpus_graph(&GraphOptions::default())?.into_record()),
    }
}

impl From<BuildGraphError> for JobError {
    fn from(error: BuildGraphError) -> JobError {
        let kind = match &error {
            BuildGraphError::Stopped => return JobError::cancelled(),
            BuildGraphError::Option { .. } => "usage",
            BuildGraphError::TooLarge { .. } => "too_large",
            BuildGraphError::Graph(_) | BuildGraphError::TooShort { .. } => "graph",
        };
        let BuildGraphError::Graph(GraphError::NoComponent { transitions, threshold, needed: Some(needed) }) = &error
        else {
            return JobError::new(kind, error.to_string());
        };
        let (noun, verb) = if *transitions == 1 { ("transition", "makes") } else { ("transitions", "make") };
        // A little more, so that the number that people read is not just below it.
        let enough = rounded_up(*needed);
        let message = format!(
            "{transitions} {noun} of at most {threshold} {verb} no loop; --threshold {enough} would, and more makes a graph that \
             follows paths"
        );
        JobError::new(kind, message).at_field("threshold")
    }
}

/// With three digits, not less than the number.
fn rounded_up(value: f32) -> String {
    let value = f64::from(value);
    let digits = (2 - value.max(1e-9).log10().floor() as i32).clamp(0, 12);
    let scale = 10f64.powi(digits);
    format!("{:.*}", digits as usize, (value * scale).ceil() / scale)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::job::read_request;

    #[test]
    fn thresholds_that_are_reported_are_enough() {
        for value in [0.012345f32, 1.0, 0.9999, 123.456, 5000.7, 3e-5, 0.0] {
            let reported = rounded_up(value);
            assert!(reported.parse::<f32>().unwrap() >= value, "{value}: {reported}");
        }
    }

    #[test]
    fn requests_are_read_and_unknown_fields_named() {
        let request: BuildGraphRequest = read_request(r#"{ "output": "x.graph", "metric": "pca" }"#).unwrap();
        assert_eq!((request.metric, request.output.to_str()), (MetricName::Pca, Some("x.graph")));
        let error = read_request::<BuildGraphRequest>("{ \"output\": \"x.graph\",\n\"windows\": 3 }").unwrap_err();
        assert!(error.message.contains("unknown field `windows`") && error.line == Some(2), "{error:?}");
    }

    #[test]
    fn options_outside_their_range_are_refused_before_any_work() {
        let request = |json: &str| read_request::<BuildGraphRequest>(json).unwrap().options().unwrap_err();
        assert_eq!(request(r#"{ "output": "x", "window": 0 }"#).field.as_deref(), Some("window"));
        assert_eq!(request(r#"{ "output": "x", "components": 3 }"#).field.as_deref(), Some("components"));
        assert_eq!(request(r#"{ "output": "x", "threshold": 1, "share": 0.1 }"#).field.as_deref(), Some("share"));
    }
}
