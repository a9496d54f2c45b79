//! Which metric makes the best graphs: GRAPH 5.2.2 and 5.3.
//!
//! 1. For each of the three metrics, graphs of four complexities, matched by their edges. Where the clips cannot give the paper's
//!    numbers of edges, all are made smaller in proportion, for all metrics alike.
//! 2. A long path is followed through each from random start nodes, the same draws for all graphs. The pelvis follows the path, as in
//!    the paper's first study.
//! 3. Path deviation, skating, time and effort of the unedited motions are averaged.

use super::runs::{RunMetrics, RunWith, Summary, follow_once, options_of_run, spread};
use super::{EdgeMatcher, ExperimentError, GraphShape, TEST_LENGTHS, check_edges, paper};
use crate::abstraction::{Abstraction, abstract_tracks};
use crate::distance_matrix::DistanceMatrix;
use crate::follow::{FollowOptions, Progress};
use crate::metric::Metric;
use crate::motion_graph::MotionGraph;
use crate::motion_set::MotionSet;
use surefoot_ground::Path;

/// How metrics are compared.
#[derive(Clone, Debug, PartialEq)]
pub struct MetricsOptions {
    /// The metrics. Default: points, angles and components, in the paper's order.
    pub metrics: Vec<Metric>,
    /// Frames of a window, at least 1. Default 10, the paper's.
    pub window: usize,
    /// Edges that the graphs should have. Default: the means of the paper's table 2.
    pub edges: Vec<usize>,
    /// Runs for each graph. Default 20, the paper's.
    pub runs: usize,
    /// Draws the start nodes.
    pub seed: u64,
    /// The search; its start is drawn. Default: the paper's n = 80 and m = 25.
    pub follow: FollowOptions,
}

impl Default for MetricsOptions {
    fn default() -> MetricsOptions {
        MetricsOptions {
            metrics: vec![Metric::points(), Metric::angles(), Metric::components()],
            window: 10,
            edges: paper::EDGES.to_vec(),
            runs: 20,
            seed: 1,
            follow: FollowOptions { progress: Progress::Travelled, ..FollowOptions::default() },
        }
    }
}

/// A graph of a metric and what was measured of its runs.
#[derive(Clone, Debug, PartialEq)]
pub struct MetricGraph {
    /// Whose.
    pub metric: Metric,
    /// Which of the complexities, from 0.
    pub complexity: usize,
    /// Edges that it should have.
    pub wanted_edges: usize,
    /// The threshold that gave it.
    pub limit: f32,
    /// Its numbers.
    pub shape: GraphShape,
    /// One for each run.
    pub runs: Vec<RunMetrics>,
}

impl MetricGraph {
    /// A number over the runs.
    pub fn summary(&self, value: impl Fn(&RunMetrics) -> Option<f64>) -> Option<Summary> {
        Summary::of(self.runs.iter().filter_map(value))
    }
}

/// All that was compared.
#[derive(Clone, Debug, PartialEq)]
pub struct MetricsStudy {
    /// Graphs by metric, then complexity.
    pub graphs: Vec<MetricGraph>,
    /// What the wanted edges were multiplied by, so that every metric can give them; 1 if it could.
    pub scale: f64,
    /// Edges of each metric's largest graph.
    pub most_edges: Vec<usize>,
    /// Length of the path, in metres.
    pub path_length: f64,
}

/// Compares metrics on a set of clips along a path.
pub fn study_metrics(
    set: &MotionSet,
    path: &Path,
    options: &MetricsOptions,
    with: &RunWith<'_>,
) -> Result<MetricsStudy, ExperimentError> {
    path.check().map_err(|error| ExperimentError::Path(error.to_string()))?;
    check_edges(&options.edges)?;
    let length = path.length();
    if !TEST_LENGTHS.contains(&length) {
        return Err(ExperimentError::PathLength { length });
    }
    let matrices: Vec<DistanceMatrix> = options
        .metrics
        .iter()
        .map(|metric| DistanceMatrix::new_until(set, metric, options.window.max(1), with.threads, with.is_stopped))
        .collect::<Option<_>>()
        .ok_or(ExperimentError::Stopped)?;
    let no_graph = |metric: &Metric| {
        let metric = metric.name();
        move |source| ExperimentError::NoGraph { metric, source }
    };
    let matchers: Vec<EdgeMatcher<'_>> = matrices
        .iter()
        .zip(&options.metrics)
        .map(|(matrix, metric)| EdgeMatcher::new(set, matrix).map_err(no_graph(metric)))
        .collect::<Result<_, _>>()?;
    let most_edges: Vec<usize> = matchers.iter().map(EdgeMatcher::most_edges).collect();
    let scale = scale_of(&options.edges, &most_edges);
    let mut graphs: Vec<(MotionGraph, MetricGraph)> = Vec::new();
    for (matcher, metric) in matchers.iter().zip(&options.metrics) {
        for (complexity, edges) in options.edges.iter().enumerate() {
            let wanted_edges = (*edges as f64 * scale).round() as usize;
            let (graph, limit) = matcher.nearest(wanted_edges).map_err(no_graph(metric))?;
            let shape = GraphShape::of(&graph);
            let studied = MetricGraph { metric: *metric, complexity, wanted_edges, limit, shape, runs: Vec::new() };
            graphs.push((graph, studied));
        }
    }
    let tracks = abstract_tracks(set, Abstraction::Pelvis);
    let n_runs = options.runs;
    let metrics = spread(graphs.len() * n_runs, with, |job| {
        let (graph, run) = (&graphs[job / n_runs].0, job % n_runs);
        let follow = options_of_run(&options.follow, options.seed, run);
        follow_once(graph, &tracks, path, &follow, with.clock)
    })?;
    let mut graphs: Vec<MetricGraph> = graphs.into_iter().map(|(_, studied)| studied).collect();
    for (graph, runs) in graphs.iter_mut().zip(metrics.chunks(n_runs.max(1))) {
        graph.runs = runs.to_vec();
    }
    Ok(MetricsStudy { graphs, scale, most_edges, path_length: path.length() })
}

/// What makes the largest wanted graph fit into every metric's largest.
pub(super) fn scale_of(wanted: &[usize], most: &[usize]) -> f64 {
    let (wanted, most) = (wanted.iter().max().copied().unwrap_or(1), most.iter().min().copied().unwrap_or(1));
    (most as f64 / wanted.max(1) as f64).min(1.0)
}
