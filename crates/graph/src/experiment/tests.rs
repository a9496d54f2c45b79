//! Both studies on a tiny corpus of walkers.

use super::*;
use crate::distance_matrix::Threads;
use crate::follow::{FollowOptions, Progress};
use crate::motion_set::MotionSet;
use surefoot_contact::{WalkerOptions, synthetic_walk};
use surefoot_motion::{Clip, slice};

fn walk(turn_per_step: f64, n_steps: usize) -> (Clip, surefoot_motion::BodyMap) {
    let options = WalkerOptions { turn_per_step, n_steps, frame_rate: 30.0, ..WalkerOptions::default() };
    let walk = synthetic_walk(&options);
    let n = walk.take.clip.n_frames();
    (slice(&walk.take.clip, 20..n - 20).expect("long enough"), walk.take.body)
}

fn set() -> MotionSet {
    let (clips, mut bodies): (Vec<Clip>, Vec<_>) = [0.0, 0.25, -0.25].map(|turn| walk(turn, 8)).into_iter().unzip();
    MotionSet::new(clips, bodies.remove(0)).expect("one skeleton")
}

fn follow() -> FollowOptions {
    FollowOptions { look_ahead: 40, max_tried: 2000, progress: Progress::Travelled, ..FollowOptions::default() }
}

/// A clock that ticks once each time it is looked at would depend on the threads; this one stands still.
fn with(threads: Threads) -> RunWith<'static> {
    RunWith { threads, clock: &|| 1.0, progress: &|_| {}, is_stopped: &|| false }
}

#[test]
fn metrics_are_compared_alike_whatever_the_threads() {
    let options = MetricsOptions { edges: vec![20, 60], runs: 2, follow: follow(), ..MetricsOptions::default() };
    let path = zigzag(8.0);
    let one = study_metrics(&set(), &path, &options, &with(Threads::One)).expect("a study");
    assert_eq!(one, study_metrics(&set(), &path, &options, &with(Threads::Count(2))).expect("a study"));
    assert_eq!(one.graphs.len(), 6);
    let names: Vec<&str> = one.graphs.iter().map(|graph| graph.metric.name()).collect();
    assert_eq!(names, ["points", "points", "angles", "angles", "pca", "pca"]);
    for pair in one.graphs.chunks(2) {
        assert!(pair[0].shape.n_edges < pair[1].shape.n_edges && pair[0].limit < pair[1].limit);
        let last = &pair[1];
        assert!(last.shape.n_edges.abs_diff(last.wanted_edges) <= 10, "{last:?}");
        assert_eq!(last.shape.n_self_blends + last.shape.blends_into.iter().sum::<usize>(), last.shape.n_blends);
        assert!(last.shape.mean_out_degree > 1.0 && last.shape.mean_cycle >= 2.0, "{last:?}");
        assert_eq!(last.runs.len(), 2);
        for run in &last.runs {
            assert!(run.arrived && run.tried > 0 && run.seconds == 0.0, "{run:?}");
            let deviation = run.deviation.expect("it goes somewhere");
            assert!((deviation.walked - 8.0).abs() < 0.1, "{deviation:?}");
        }
    }
    let other = MetricsOptions { seed: 99, ..options };
    let other = study_metrics(&set(), &path, &other, &with(Threads::One)).expect("a study");
    assert!(other.graphs.iter().zip(&one.graphs).any(|(a, b)| a.runs != b.runs), "other starts, other walks");
}

#[test]
fn graphs_are_made_smaller_where_the_clips_give_no_larger() {
    let options = MetricsOptions { edges: vec![1000, 100_000], runs: 1, follow: follow(), ..MetricsOptions::default() };
    let study = study_metrics(&set(), &zigzag(6.0), &options, &with(Threads::Count(2))).expect("a study");
    let most = *study.most_edges.iter().min().expect("three metrics");
    assert!((study.scale - most as f64 / 100_000.0).abs() < 1e-12 && study.scale < 1.0);
    for graph in &study.graphs {
        assert_eq!(graph.wanted_edges, (options.edges[graph.complexity] as f64 * study.scale).round() as usize);
    }
}

#[test]
fn techniques_are_compared_with_the_recordings_that_paths_come_from() {
    let tests = [walk(0.0, 7).0, walk(0.1, 7).0, walk(-0.2, 7).0];
    let options =
        AbstractionsOptions { edges: vec![20, 60], runs: 2, follow: follow(), ..AbstractionsOptions::default() };
    let one = study_abstractions(&set(), &tests, &options, &with(Threads::One)).expect("a study");
    assert_eq!(one, study_abstractions(&set(), &tests, &options, &with(Threads::Count(2))).expect("a study"));
    assert_eq!((one.runs.len(), one.examples.len()), (5 * 2 * 3 * 2, 5 * 3));
    for test in &one.tests {
        // The walker's pelvis sways by 2 cm to each side with every stride.
        assert!(test.path.length() > 2.0 && test.sway.amplitude > 0.005, "{test:?}");
    }
    let all = one.summary(|_| true, |run| Some(one.amplitude_difference(run))).expect("runs");
    assert_eq!(all.n, one.runs.len());
    assert!(all.mean >= 0.0 && all.mean < 0.05, "{all:?}");
}

#[test]
fn what_cannot_be_studied_is_reported() {
    let standing = slice(&walk(0.0, 8).0, 0..12).expect("frames");
    let error = study_abstractions(&set(), &[standing], &AbstractionsOptions::default(), &with(Threads::One));
    assert!(matches!(error, Err(ExperimentError::TestLength { .. })), "{error:?}");
    let path = surefoot_ground::Path { points: vec![] };
    let error = study_metrics(&set(), &path, &MetricsOptions::default(), &with(Threads::One));
    assert!(matches!(error, Err(ExperimentError::Path(_))), "{error:?}");
    for far in [0.001, 1e5] {
        let path = surefoot_ground::Path { points: vec![[0.0, 0.0].into(), [0.0, far].into()] };
        let error = study_metrics(&set(), &path, &MetricsOptions::default(), &with(Threads::One));
        assert_eq!(error, Err(ExperimentError::PathLength { length: far }));
    }
    let none = MetricsOptions { edges: vec![20, 0], ..MetricsOptions::default() };
    assert_eq!(
        study_metrics(&set(), &zigzag(6.0), &none, &with(Threads::One)),
        Err(ExperimentError::Edges { edges: 0 })
    );
    let short = slice(&walk(0.0, 8).0, 0..12).expect("frames");
    let short = MotionSet::new(vec![short], walk(0.0, 8).1).expect("a set");
    let error = study_metrics(&short, &zigzag(6.0), &MetricsOptions::default(), &with(Threads::One));
    assert!(matches!(error, Err(ExperimentError::NoGraph { metric: "points", .. })), "{error:?}");
}
