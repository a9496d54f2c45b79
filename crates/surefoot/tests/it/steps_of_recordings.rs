//! A step database of the recorded walks.

use std::path::PathBuf;
use surefoot::formats::own;
use surefoot::jobs::{JobContext, Split, evaluated_metrics};
use surefoot::motion::Side;
use surefoot::steps::{Method, PruneOptions, prune_steps};
use surefoot::{BuildStepsOptions, EvaluateOptions, build_steps, evaluate_clips};
use surefoot_recordings::{manifest, shared_folder};

/// Recordings of people who walk on level ground.
fn walks() -> Option<Vec<PathBuf>> {
    let folder = shared_folder()?.join("mocap");
    let is_walk = |behaviours: &str| {
        let has = |word: &str| behaviours.split(';').any(|behaviour| behaviour == word);
        let others = ["run", "stairs", "uneven-terrain", "jump", "walk-to-run", "synthetic", "keyframed"];
        (has("walk") || has("turn-in-place") || has("sideways")) && !others.into_iter().any(has)
    };
    let datasets = ["cmu-bvh", "bandai", "bvh-dialects"];
    let rows = manifest(&folder)
        .into_iter()
        .filter(|row| datasets.contains(&row["dataset"].as_str()) && is_walk(&row["behaviours"]));
    Some(rows.map(|row| folder.join(&row["file"])).collect())
}

#[test]
fn recorded_walks_of_many_people_make_one_database() {
    let Some(paths) = walks() else { return };
    let built = build_steps(&paths, &BuildStepsOptions::default(), &mut |_| {}).expect("a database");
    assert_eq!(built.failed().count(), 0, "{:?}", built.failed().collect::<Vec<_>>());
    let (n_steps, refused) = (built.n_steps(), built.refused());
    assert!(n_steps >= 400, "{n_steps} {refused:?}");
    assert!(refused.values().sum::<usize>() * 5 < n_steps, "{n_steps} {refused:?}");
    assert_eq!(built.database.steps().len(), 2 * n_steps);
    // Lengths and times are those of people who walk.
    for step in built.database.steps() {
        let p = step.parameters;
        assert!(p.start_width < 1.2 && p.reach() < 1.2 && step.times.swing < 1.5, "{:?}: {p:?}", step.source);
    }
    let bytes = own::write_steps(&built.database);
    assert_eq!(own::read_steps(&bytes).expect("our own file").steps(), built.database.steps());
    let pruned = prune_steps(&built.database, &PruneOptions::default());
    for side in Side::BOTH {
        let volumes = [&built.database, &pruned].map(|database| database.space(side).delaunay().hull_volume());
        assert!((volumes[0] - volumes[1]).abs() < 1e-12, "{volumes:?}");
    }
}

/// Stairs and uneven ground enter, with their heights.
#[test]
fn recorded_stairs_enter_the_database() {
    let Some(folder) = shared_folder().map(|folder| folder.join("mocap")) else { return };
    let climbs = |behaviours: &str| behaviours.split(';').any(|word| word == "stairs" || word == "uneven-terrain");
    let rows = manifest(&folder).into_iter().filter(|row| row["dataset"] == "cmu-bvh" && climbs(&row["behaviours"]));
    let paths: Vec<PathBuf> = rows.map(|row| folder.join(&row["file"])).collect();
    let built = build_steps(&paths, &BuildStepsOptions::default(), &mut |_| {}).expect("a database");
    let climbing: Vec<_> = built.database.steps().iter().filter(|step| !step.is_level()).collect();
    assert!(climbing.len() >= 60, "{} of {}", climbing.len(), built.database.steps().len());
    let (up, down) =
        (climbing.iter().filter(|step| step.rise() > 0.1), climbing.iter().filter(|step| step.rise() < -0.1));
    assert!(up.count() >= 10 && down.count() >= 10);
    assert!(climbing.iter().all(|step| step.heights.iter().all(|height| height.abs() < 0.55)));
}

/// Half of the walks may be this much rougher than their recordings: pelvis and knees.
const ROUGHER: f64 = 1.25;

#[test]
fn recordings_walked_again_are_near_by_stride_space_exact_and_as_smooth() {
    let Some(paths) = walks() else { return };
    let context = JobContext::silent();
    let evaluation = evaluate_clips(&paths, None, &EvaluateOptions::default(), &context).expect("an evaluation");
    for (split, limit) in [(Split::ActorKnown, 0.06), (Split::ActorUnknown, 0.07)] {
        let error = |method| evaluation.errors(split, method).expect("walks were compared").by_landing;
        let stride_space = error(Method::StrideSpace);
        assert!(stride_space.median < limit && stride_space.mean < 1.2 * limit, "{split:?}: {stride_space:?}");
        for method in Method::ALL.into_iter().filter(|method| *method != Method::GaussianProcess).skip(1) {
            assert!(stride_space.mean < error(method).mean, "{split:?}: {method:?} comes nearer: {:?}", error(method));
        }
        let regression = error(Method::GaussianProcess);
        assert!(stride_space.mean < 1.1 * regression.mean, "{split:?}: {stride_space:?} {regression:?}");
    }
    let metrics = evaluated_metrics(&evaluation);
    let spread = |name: &str| metrics.iter().find(|metric| metric.name == name).expect("a metric").spread;
    let ball = spread("ball from footprint, mid stance");
    assert!(ball.p90 < 0.001 && ball.worst < 1.0, "{ball:?} mm");
    for name in ["knee p99 acceleration over recording", "pelvis jerk below 6 Hz over recording"] {
        assert!(spread(name).median < ROUGHER, "{name}: {:?}", spread(name));
    }
}
