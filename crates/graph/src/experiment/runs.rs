//! Many runs of the search: who draws their starts, who shares the work, and what is measured of each.

use super::ExperimentError;
use crate::distance_matrix::Threads;
use crate::follow::{FollowOptions, Tracks, Walk, follow_path};
use crate::motion_graph::MotionGraph;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use surefoot_contact::metrics::skating::graph::GraphSkating;
use surefoot_contact::metrics::skating::measure_skating;
use surefoot_contact::{DetectOptions, detect_contacts};
use surefoot_contact::{
    metrics::PathDeviation, metrics::PelvisSway, metrics::foot_points, metrics::measure_path_deviation,
    metrics::measure_pelvis_sway, metrics::quantile,
};
use surefoot_geom::{GOLDEN, Vec2, ground_point, mix_bits};
use surefoot_ground::Path;
use surefoot_motion::WorldPose;

/// What a study needs from its caller.
#[derive(Clone, Copy)]
pub struct RunWith<'a> {
    /// How many threads may help; seconds apart, the results are the same.
    pub threads: Threads,
    /// Seconds since any moment: the library has no clock of its own.
    pub clock: &'a (dyn Fn() -> f64 + Sync),
    /// Called after each run, with how many there will be.
    pub progress: &'a (dyn Fn(usize) + Sync),
    /// Asked before each run; the study ends with [`ExperimentError::Stopped`] once it is true.
    pub is_stopped: &'a (dyn Fn() -> bool + Sync),
}

/// A number over runs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Summary {
    /// Runs that had it.
    pub n: usize,
    /// Their mean.
    pub mean: f64,
    /// Their standard deviation, with n - 1; 0 of one.
    pub deviation: f64,
    /// Their median, which a few runs that lose the path do not move.
    pub median: f64,
}

impl Summary {
    /// Of all finite values; `None` of none.
    pub fn of(values: impl IntoIterator<Item = f64>) -> Option<Summary> {
        let values: Vec<f64> = values.into_iter().filter(|value| value.is_finite()).collect();
        let n = values.len();
        if n == 0 {
            return None;
        }
        let mean = values.iter().sum::<f64>() / n as f64;
        let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
        let deviation = (squares / (n - 1).max(1) as f64).sqrt();
        Some(Summary { n, mean, deviation, median: quantile(&values, 0.5)? })
    }

    /// The standard error of the mean.
    pub fn error(&self) -> f64 {
        self.deviation / (self.n as f64).sqrt()
    }
}

/// What is measured of one run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RunMetrics {
    /// Of the pelvis from the path (GRAPH 4.2), as far as the path is long.
    pub deviation: Option<PathDeviation>,
    /// Of the feet (GRAPH 4.1), planted by height and time.
    pub skating: GraphSkating,
    /// The same sum while heels and balls stand as [`detect_contacts`] finds them, by height and speed.
    pub contact_skating: GraphSkating,
    /// Of the pelvis (GRAPH 4.3).
    pub sway: Option<PelvisSway>,
    /// What the search took (GRAPH 4.4).
    pub seconds: f64,
    /// Edges that it tried.
    pub tried: usize,
    /// Searches that were given up early.
    pub cut_short: usize,
    /// Frames of the motion.
    pub n_frames: usize,
    /// Whether it travelled as far as the path is long. Who stands does not: to the search, time counts as progress.
    pub arrived: bool,
}

/// The options of a run: the study's, with a start that the seed draws.
pub(super) fn options_of_run(options: &FollowOptions, seed: u64, run: usize) -> FollowOptions {
    let state = seed.wrapping_add(run as u64).wrapping_add(1).wrapping_mul(GOLDEN);
    FollowOptions { start: (mix_bits(state) >> 1) as usize, ..*options }
}

/// Follows a path once and measures what comes out.
pub(super) fn follow_once(
    graph: &MotionGraph,
    tracks: &Tracks,
    path: &Path,
    options: &FollowOptions,
    clock: &(dyn Fn() -> f64 + Sync),
) -> RunMetrics {
    let before = clock();
    let walk = follow_path(graph, tracks, path, options);
    let seconds = clock() - before;
    let poses = poses_of(graph, &walk, path);
    let (skeleton, body, rate) = (graph.set.skeleton(), graph.set.body(), graph.set.frame_rate());
    let feet = foot_points(&poses, skeleton, body);
    let contacts = detect_contacts(&poses, body, rate, &DetectOptions::default()).contacts;
    let skating = measure_skating(&feet, &contacts, rate, None);
    RunMetrics {
        deviation: measure_path_deviation(&poses, body, path),
        skating: skating.graph,
        contact_skating: skating.graph_in_contacts,
        sway: measure_pelvis_sway(&poses, body),
        seconds,
        tried: walk.tried,
        cut_short: walk.cut_short,
        n_frames: poses.len(),
        arrived: walk.length >= path.length(),
    }
}

/// The pelvis trajectory of a walk.
pub(super) fn pelvis_trajectory(graph: &MotionGraph, walk: &Walk, path: &Path) -> Vec<Vec2> {
    let pelvis = graph.set.body().pelvis;
    poses_of(graph, walk, path).iter().map(|pose| ground_point(pose.position(pelvis))).collect()
}

/// The frames of a walk up to where the pelvis has come as far as the path is long: its last edge goes on.
fn poses_of(graph: &MotionGraph, walk: &Walk, path: &Path) -> Vec<WorldPose> {
    let mut poses = walk.to_clip(graph, "walk").world().to_vec();
    let pelvis = graph.set.body().pelvis;
    let places: Vec<Vec2> = poses.iter().map(|pose| ground_point(pose.position(pelvis))).collect();
    let (mut travelled, length) = (0.0, path.length());
    let end = places.windows(2).position(|pair| {
        travelled += pair[0].distance(pair[1]);
        travelled > length
    });
    poses.truncate(end.map_or(poses.len(), |end| end + 2));
    poses
}

/// Does jobs 0 to `n`, in any order on any number of threads; answers in order.
pub(super) fn spread<T: Send>(
    n: usize,
    with: &RunWith<'_>,
    job: impl Fn(usize) -> T + Sync,
) -> Result<Vec<T>, ExperimentError> {
    let n_threads = match with.threads {
        Threads::One => 1,
        Threads::Count(count) => count.clamp(1, n.max(1)),
    };
    let next = AtomicUsize::new(0);
    let done: Mutex<Vec<(usize, T)>> = Mutex::new(Vec::with_capacity(n));
    let work = || {
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            if index >= n || (with.is_stopped)() {
                return;
            }
            let answer = job(index);
            // A thread that panicked with the lock ends the scope with its panic anyway.
            done.lock().unwrap_or_else(std::sync::PoisonError::into_inner).push((index, answer));
            (with.progress)(n);
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..n_threads {
            scope.spawn(work);
        }
        work();
    });
    let mut answers = done.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    if answers.len() < n {
        return Err(ExperimentError::Stopped);
    }
    answers.sort_by_key(|(index, _)| *index);
    Ok(answers.into_iter().map(|(_, answer)| answer).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn summaries_are_those_of_a_textbook() {
        let summary = Summary::of([2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0, f64::NAN]).expect("numbers");
        assert_eq!((summary.n, summary.mean), (8, 5.0));
        assert!((summary.deviation - (32.0f64 / 7.0).sqrt()).abs() < 1e-12);
        assert!((summary.error() - (4.0f64 / 7.0).sqrt()).abs() < 1e-12);
        assert_eq!(summary.median, 4.5);
        assert_eq!(Summary::of([3.0]).map(|one| (one.deviation, one.error())), Some((0.0, 0.0)));
        assert_eq!(Summary::of([f64::NAN]), None);
    }

    #[test]
    fn answers_stand_in_order_whatever_the_threads() {
        for threads in [Threads::One, Threads::Count(0), Threads::Count(7)] {
            let count = AtomicUsize::new(0);
            let progress = |n: usize| {
                assert_eq!(n, 100);
                count.fetch_add(1, Ordering::Relaxed);
            };
            let with = RunWith { threads, clock: &|| 0.0, progress: &progress, is_stopped: &|| false };
            assert_eq!(spread(100, &with, |k| k * k), Ok((0..100).map(|k| k * k).collect::<Vec<_>>()));
            assert_eq!(count.load(Ordering::Relaxed), 100);
            assert_eq!(spread(0, &RunWith { progress: &|_| {}, ..with }, |k| k), Ok(Vec::<usize>::new()));
            let stopped = RunWith { progress: &|_| {}, is_stopped: &|| true, ..with };
            assert_eq!(spread(100, &stopped, |k| k), Err(ExperimentError::Stopped));
        }
    }

    #[test]
    fn starts_differ_by_run_and_by_seed() {
        let starts: Vec<usize> =
            (0..50).map(|run| options_of_run(&FollowOptions::default(), 7, run).start % 97).collect();
        let different: std::collections::BTreeSet<&usize> = starts.iter().collect();
        assert!(different.len() > 25, "{starts:?}");
        let other = options_of_run(&FollowOptions::default(), 1000, 0).start;
        assert_ne!(other, options_of_run(&FollowOptions::default(), 7, 0).start);
    }
}
