//! The job `graph inspect`: what a motion graph is like, and its pictures.

use crate::build_graph_job::{ClipLength, PrunedReport, graph_of};
use crate::contacts_job::check_svg;
use crate::job::{Job, JobReport, finish};
use crate::job_context::JobContext;
use crate::job_error::JobError;
use crate::motion_graphs::{GraphOptions, MAX_GRAPH_FRAMES};
use crate::outputs::{IfExists, Outputs, WrittenFile, is_standard_stream};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use surefoot_formats::own;
use surefoot_graph::{DistanceMatrix, Edge, EdgeMotion, GraphRecord, GraphStats, find_transitions};
use surefoot_picture::{MatrixPicture, graph_plot, matrix_png};

/// Which graph to inspect.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct InspectGraphRequest {
    /// The graph; `corpus` or nothing for that of the built-in walks.
    pub input: Option<PathBuf>,
    /// Where a picture of the clips in time and the blends between them goes, as SVG.
    pub picture: Option<PathBuf>,
    /// Where a picture of the distances of all frame windows goes, as PNG.
    pub picture_matrix: Option<PathBuf>,
    /// Mark the transitions in the picture of distances.
    pub mark: bool,
    /// Where nodes and edges go for Graphviz.
    pub write_dot: Option<PathBuf>,
    /// Where the report goes as JSON.
    pub report: Option<PathBuf>,
    /// What to do with existing outputs.
    pub if_exists: IfExists,
}

/// What `graph inspect` reports.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct InspectGraphReport {
    /// The graph; absent for that of the built-in walks.
    pub input: Option<String>,
    /// Its name for people.
    pub name: String,
    /// The picture of clips and blends.
    pub picture: Option<String>,
    /// The picture of distances.
    pub picture_matrix: Option<String>,
    /// The file for Graphviz.
    pub dot: Option<String>,
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
    /// Joints of the skeleton.
    pub joints: usize,
    /// The clips.
    pub clips: Vec<ClipLength>,
    /// Frames of all edges.
    pub keyframes: usize,
    /// Edges that leave a node, on average.
    pub mean_out_degree: f64,
    /// And at most.
    pub max_out_degree: usize,
    /// How many nodes are left by 0, 1, 2, ... edges.
    pub out_degrees: Vec<usize>,
    /// Edges that blend.
    pub blends: usize,
    /// Those of them within one clip.
    pub self_blends: usize,
    /// Blends from the clip of the row to that of the column.
    pub blends_between: Vec<Vec<usize>>,
    /// Edges of the shortest route from a node back to itself, on average.
    pub mean_cycle: f64,
    /// What is not in the graph.
    pub pruned: PrunedReport,
    /// How many nodes there are.
    pub node_count: usize,
    /// How many edges.
    pub edge_count: usize,
    /// Clip and frame of each node.
    pub nodes: Vec<[usize; 2]>,
    /// Every edge.
    pub edges: Vec<EdgeReport>,
    /// All files that were written.
    pub files: Vec<WrittenFile>,
}

/// An edge of a graph.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EdgeReport {
    /// The node where it begins.
    pub from: usize,
    /// The node where it ends.
    pub to: usize,
    /// How far the two clips of a blend are apart, in the metric's unit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub distance: Option<f32>,
    /// How far a blend turns its second clip.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub turn_degrees: Option<f64>,
}

impl From<&Edge> for EdgeReport {
    fn from(edge: &Edge) -> EdgeReport {
        let (distance, turn_degrees) = match &edge.motion {
            EdgeMotion::Clip(_) => (None, None),
            EdgeMotion::Blend { distance, placement, .. } => (Some(*distance), Some(placement.yaw.to_degrees())),
        };
        EdgeReport { from: edge.from, to: edge.to, distance, turn_degrees }
    }
}

impl JobReport for InspectGraphReport {
    fn files(&self) -> &[WrittenFile] {
        &self.files
    }
}

impl Job for InspectGraphRequest {
    const COMMAND: &'static str = "graph inspect";
    type Report = InspectGraphReport;

    fn outputs(&self) -> Vec<&Path> {
        let outputs = [&self.picture_matrix, &self.picture, &self.write_dot, &self.report];
        outputs.into_iter().flatten().map(PathBuf::as_path).collect()
    }

    fn run(&self, context: &JobContext) -> Result<InspectGraphReport, JobError> {
        self.check_endings()?;
        let mut outputs = Outputs::check(self.outputs(), self.if_exists)?;
        let record = graph_of(self.input.as_deref())?;
        context.advance(1, 3, "pictures")?;
        let name = self.input.as_ref().map_or("built-in walks".to_string(), |path| {
            path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
        });
        if let Some(path) = &self.picture_matrix {
            outputs.add("distances", path, self.draw_matrix(path, &name, &record, context)?);
        }
        if let Some(path) = &self.picture {
            outputs.add("picture", path, graph_plot(&format!("Motion graph of {name}"), &record).into_bytes());
        }
        if let Some(path) = &self.write_dot {
            outputs.add("dot", path, own::write_graph_dot(&record).into_bytes());
        }
        context.advance(2, 3, "metrics")?;
        let report = self.report_on(name, &record, outputs.files());
        finish(outputs, InspectGraphRequest::COMMAND, report, self.report.as_deref())
    }
}

impl InspectGraphRequest {
    fn check_endings(&self) -> Result<(), JobError> {
        self.picture.as_deref().map_or(Ok(()), check_svg)?;
        let wanted = [
            (&self.picture_matrix, "png", "distances are drawn as PNG"),
            (&self.write_dot, "dot", "nodes and edges are written as DOT"),
        ];
        for (path, ending, what) in wanted {
            let Some(path) = path.as_deref().filter(|path| !is_standard_stream(path)) else { continue };
            if !path.extension().is_some_and(|found| found.eq_ignore_ascii_case(ending)) {
                let message = format!("{what}; a name that ends in .{ending} would be right");
                return Err(JobError::of_file("usage", path, message));
            }
        }
        if self.mark && self.picture_matrix.is_none() {
            return Err(
                JobError::new("usage", "transitions are marked in --picture-matrix; name its file").at_field("mark")
            );
        }
        Ok(())
    }

    fn draw_matrix(
        &self,
        path: &Path,
        name: &str,
        record: &GraphRecord,
        context: &JobContext,
    ) -> Result<Vec<u8>, JobError> {
        let graph = &record.graph;
        if graph.set.n_frames() > MAX_GRAPH_FRAMES {
            let message = format!(
                "{} frames are too many to compare with each other; at most {MAX_GRAPH_FRAMES} would do",
                graph.set.n_frames()
            );
            return Err(JobError::of_file("too_large", path, message));
        }
        let (threads, is_stopped) = (GraphOptions::default().threads, || context.check().is_err());
        let matrix = DistanceMatrix::new_until(&graph.set, &record.metric, graph.window, threads, &is_stopped)
            .ok_or_else(JobError::cancelled)?;
        let transitions = if self.mark { find_transitions(&matrix, record.limit) } else { Vec::new() };
        let title = format!("{name}: distances by {}, windows of {} frames", record.metric.name(), graph.window);
        let picture = MatrixPicture { title: &title, set: &graph.set, matrix: &matrix, transitions: &transitions };
        matrix_png(&picture).map_err(|error| JobError::of_file("picture", path, error.to_string()))
    }

    fn report_on(&self, name: String, record: &GraphRecord, files: Vec<WrittenFile>) -> InspectGraphReport {
        let GraphRecord { graph, metric, limit, pruned } = record;
        let stats = GraphStats::of(graph);
        let shown = |path: &Option<PathBuf>| path.as_ref().map(|path| path.display().to_string());
        InspectGraphReport {
            input: shown(&self.input),
            name,
            picture: shown(&self.picture),
            picture_matrix: shown(&self.picture_matrix),
            dot: shown(&self.write_dot),
            metric: metric.name().to_string(),
            window: graph.window,
            frame_rate: graph.set.frame_rate(),
            threshold: *limit,
            frames: graph.set.n_frames(),
            joints: graph.set.skeleton().n_joints(),
            clips: graph.set.clips().iter().map(ClipLength::from).collect(),
            keyframes: stats.keyframes,
            mean_out_degree: stats.mean_out_degree,
            max_out_degree: stats.max_out_degree,
            blends: stats.n_blends(),
            self_blends: stats.n_self_blends(),
            out_degrees: stats.out_degrees,
            blends_between: stats.blends,
            mean_cycle: stats.mean_cycle,
            pruned: PrunedReport::new(pruned, graph.set.clips()),
            node_count: stats.nodes,
            edge_count: stats.edges,
            nodes: graph.nodes().iter().map(|node| [node.clip, node.frame]).collect(),
            edges: graph.edges().iter().map(EdgeReport::from).collect(),
            files,
        }
    }
}
