//! What of a body should follow a path: GRAPH 6.2 and 6.3.
//!
//! 1. Graphs of seven sizes by one metric. The paper takes thresholds from 0.5 to 3.5; distances of other clips and windows have
//!    other scales, so the graphs are matched to the edges of its table 6, in proportion where the clips cannot give as many.
//! 2. Three test paths, taken from recordings that are not in the graphs: their pelvis trajectories, smoothed. The paper extracts
//!    them by hand.
//! 3. Each path is followed through each graph by each technique from random start nodes, the same draws for all techniques.
//! 4. Skating and sway of the unedited motions are compared with those of the recording that the path came from.

use super::runs::{RunMetrics, RunWith, Summary, follow_once, options_of_run, pelvis_trajectory, spread};
use super::{EdgeMatcher, ExperimentError, GraphShape, TEST_LENGTHS, check_edges, metrics::scale_of, paper};
use crate::abstraction::{Abstraction, GaussianOptions, abstract_tracks, smooth_trajectory};
use crate::distance_matrix::DistanceMatrix;
use crate::follow::{FollowOptions, Progress, Tracks, follow_path};
use crate::metric::Metric;
use crate::motion_graph::MotionGraph;
use crate::motion_set::MotionSet;
use surefoot_contact::Contacts;
use surefoot_contact::metrics::skating::graph::GraphSkating;
use surefoot_contact::metrics::skating::measure_skating;
use surefoot_contact::{metrics::PelvisSway, metrics::foot_points, metrics::measure_pelvis_sway};
use surefoot_geom::{Vec2, ground_point};
use surefoot_ground::Path;
use surefoot_motion::{BodyMap, Clip};

/// How techniques are compared.
#[derive(Clone, Debug, PartialEq)]
pub struct AbstractionsOptions {
    /// By which graphs are made. Default: angles, as in the paper.
    pub metric: Metric,
    /// The techniques. Default: all five.
    pub abstractions: Vec<Abstraction>,
    /// Frames of a window, at least 1. Default 10.
    pub window: usize,
    /// Edges that the graphs should have. Default: those of the paper's table 6.
    pub edges: Vec<usize>,
    /// Runs for each graph, path and technique. Default 40, the paper's.
    pub runs: usize,
    /// Draws the start nodes.
    pub seed: u64,
    /// The search; its start is drawn. Default: the paper's n = 80 and m = 25.
    pub follow: FollowOptions,
}

impl Default for AbstractionsOptions {
    fn default() -> AbstractionsOptions {
        AbstractionsOptions {
            metric: Metric::angles(),
            abstractions: Abstraction::ALL.to_vec(),
            window: 10,
            edges: paper::TABLE_6.iter().map(|row| row.edges).collect(),
            runs: 40,
            seed: 1,
            follow: FollowOptions { progress: Progress::Travelled, ..FollowOptions::default() },
        }
    }
}

/// A test path and the recording it was taken from.
#[derive(Clone, Debug, PartialEq)]
pub struct TestPath {
    /// Of the recording.
    pub name: String,
    /// The smoothed trajectory of the pelvis.
    pub path: Path,
    /// The pelvis trajectory.
    pub trajectory: Vec<Vec2>,
    /// Of the recording.
    pub skating: GraphSkating,
    /// Of the recording.
    pub sway: PelvisSway,
}

/// Points of a test path are this far apart, in metres.
const SPACING: f64 = 0.05;

impl TestPath {
    /// From a recording.
    pub fn of(clip: &Clip, body: &BodyMap) -> Result<TestPath, ExperimentError> {
        let poses = clip.world();
        let trajectory: Vec<Vec2> = poses.iter().map(|pose| ground_point(pose.position(body.pelvis))).collect();
        let path = Path { points: thinned(&smooth_trajectory(&trajectory, &GaussianOptions::default())) };
        let length = path.length();
        if path.check().is_err() || !TEST_LENGTHS.contains(&length) {
            // Of no point at all, a sum of nothing is -0.
            return Err(ExperimentError::TestLength { clip: clip.name.clone(), length: length.max(0.0) });
        }
        let sway = measure_pelvis_sway(&poses, body).ok_or(ExperimentError::NoSway { clip: clip.name.clone() })?;
        let feet = foot_points(&poses, &clip.skeleton, body);
        let skating = measure_skating(&feet, &Contacts::none(poses.len()), clip.frame_rate, None).graph;
        Ok(TestPath { name: clip.name.clone(), path, trajectory, skating, sway })
    }
}

fn thinned(trajectory: &[Vec2]) -> Vec<Vec2> {
    let mut kept: Vec<Vec2> = Vec::new();
    for &point in trajectory {
        if kept.last().is_none_or(|last| last.distance(point) >= SPACING) {
            kept.push(point);
        }
    }
    kept
}

/// A graph of the study.
#[derive(Clone, Debug, PartialEq)]
pub struct StudyGraph {
    /// Edges that it should have.
    pub wanted_edges: usize,
    /// The threshold that gave it.
    pub limit: f32,
    /// Its numbers.
    pub shape: GraphShape,
}

/// One run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AbstractionRun {
    /// What followed the path.
    pub abstraction: Abstraction,
    /// Which graph, from 0.
    pub graph: usize,
    /// Which test path, from 0.
    pub test: usize,
    /// What was measured.
    pub metrics: RunMetrics,
}

/// The pelvis trajectory of one run through the largest graph (GRAPH figure 10).
#[derive(Clone, Debug, PartialEq)]
pub struct ExampleTrajectory {
    /// What followed the path.
    pub abstraction: Abstraction,
    /// Which test path.
    pub test: usize,
    /// Where the pelvis went.
    pub trajectory: Vec<Vec2>,
}

/// All that was compared.
#[derive(Clone, Debug, PartialEq)]
pub struct AbstractionsStudy {
    /// The test paths.
    pub tests: Vec<TestPath>,
    /// The graphs, smallest first.
    pub graphs: Vec<StudyGraph>,
    /// What the wanted edges were multiplied by; 1 if the clips could give them.
    pub scale: f64,
    /// By technique, graph, path and run.
    pub runs: Vec<AbstractionRun>,
    /// The first run of each technique along each path.
    pub examples: Vec<ExampleTrajectory>,
}

impl AbstractionsStudy {
    /// A number over some of the runs.
    pub fn summary(
        &self,
        is_meant: impl Fn(&AbstractionRun) -> bool,
        value: impl Fn(&AbstractionRun) -> Option<f64>,
    ) -> Option<Summary> {
        Summary::of(self.runs.iter().filter(|run| is_meant(run)).filter_map(value))
    }

    /// How far a run's amplitude is from that of its recording, in metres. A pelvis that does not sway has none: 0.
    pub fn amplitude_difference(&self, run: &AbstractionRun) -> f64 {
        (amplitude(run) - self.tests[run.test].sway.amplitude).abs()
    }

    /// How far a run's wavelength is from that of its recording, in metres; `None` if the pelvis does not sway.
    pub fn wavelength_difference(&self, run: &AbstractionRun) -> Option<f64> {
        Some((run.metrics.sway?.wavelength - self.tests[run.test].sway.wavelength).abs())
    }
}

/// The amplitude of a run, in metres; 0 where the pelvis does not sway.
pub(super) fn amplitude(run: &AbstractionRun) -> f64 {
    run.metrics.sway.map_or(0.0, |sway| sway.amplitude)
}

/// Compares techniques on graphs of a set of clips along the trajectories of recordings that are not in it.
pub fn study_abstractions(
    set: &MotionSet,
    tests: &[Clip],
    options: &AbstractionsOptions,
    with: &RunWith<'_>,
) -> Result<AbstractionsStudy, ExperimentError> {
    check_edges(&options.edges)?;
    let tests: Vec<TestPath> = tests.iter().map(|clip| TestPath::of(clip, set.body())).collect::<Result<_, _>>()?;
    let matrix = DistanceMatrix::new_until(set, &options.metric, options.window.max(1), with.threads, with.is_stopped)
        .ok_or(ExperimentError::Stopped)?;
    let no_graph = |source| ExperimentError::NoGraph { metric: options.metric.name(), source };
    let matcher = EdgeMatcher::new(set, &matrix).map_err(no_graph)?;
    let scale = scale_of(&options.edges, &[matcher.most_edges()]);
    let (mut graphs, mut studied): (Vec<MotionGraph>, Vec<StudyGraph>) = (Vec::new(), Vec::new());
    for edges in &options.edges {
        let wanted_edges = (*edges as f64 * scale).round() as usize;
        let (graph, limit) = matcher.nearest(wanted_edges).map_err(no_graph)?;
        studied.push(StudyGraph { wanted_edges, limit, shape: GraphShape::of(&graph) });
        graphs.push(graph);
    }
    let tracks: Vec<Tracks> =
        options.abstractions.iter().map(|abstraction| abstract_tracks(set, *abstraction)).collect();
    let (n_graphs, n_tests, n_runs) = (graphs.len(), tests.len(), options.runs);
    let runs = spread(tracks.len() * n_graphs * n_tests * n_runs, with, |job| {
        let (run, rest) = (job % n_runs, job / n_runs);
        let (test, rest) = (rest % n_tests, rest / n_tests);
        let (graph, technique) = (rest % n_graphs, rest / n_graphs);
        let follow = options_of_run(&options.follow, options.seed, run);
        let metrics = follow_once(&graphs[graph], &tracks[technique], &tests[test].path, &follow, with.clock);
        AbstractionRun { abstraction: options.abstractions[technique], graph, test, metrics }
    })?;
    let examples = examples(graphs.last(), &tests, &tracks, options);
    Ok(AbstractionsStudy { tests, graphs: studied, scale, runs, examples })
}

fn examples(
    graph: Option<&MotionGraph>,
    tests: &[TestPath],
    tracks: &[Tracks],
    options: &AbstractionsOptions,
) -> Vec<ExampleTrajectory> {
    let Some(graph) = graph else { return Vec::new() };
    let follow = options_of_run(&options.follow, options.seed, 0);
    let mut trajectories = Vec::new();
    for (tracks, &abstraction) in tracks.iter().zip(&options.abstractions) {
        for (test, TestPath { path, .. }) in tests.iter().enumerate() {
            let walk = follow_path(graph, tracks, path, &follow);
            trajectories.push(ExampleTrajectory {
                abstraction,
                test,
                trajectory: pelvis_trajectory(graph, &walk, path),
            });
        }
    }
    trajectories
}
