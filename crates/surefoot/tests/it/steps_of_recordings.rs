//! A step database of the recorded walks.

use std::path::PathBuf;
use surefoot::formats::own;
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

/// A walk may be this much rougher than what it is made from: pelvis and knees, and the largest turn of a joint.
const ROUGHER: f64 = 1.25;
const TURNS_MORE: f64 = 1.2;

#[test]
fn recordings_walked_again_are_nearest_by_stride_space_and_as_smooth() {
    let Some(paths) = walks() else { return };
    let evaluation = evaluate_clips(&paths, None, &EvaluateOptions::default(), &mut |_| {}).expect("an evaluation");
    let errors = Method::ALL.map(|method| evaluation.errors(method).expect("walks were compared"));
    let [stride_space, others @ ..] = &errors;
    assert!(stride_space.all < 0.07, "{stride_space:?}");
    for (method, error) in Method::ALL[1..].iter().zip(others) {
        assert!(stride_space.all < error.all, "{method:?} comes nearer: {error:?}");
    }
    let [walks, recordings] = evaluation.smoothness();
    assert!(walks.pelvis_jerk < ROUGHER * recordings.pelvis_jerk, "{walks:?} {recordings:?}");
    assert!(walks.knee_acceleration < ROUGHER * recordings.knee_acceleration, "{walks:?} {recordings:?}");
    assert!(walks.turn_speed < TURNS_MORE * recordings.turn_speed, "{walks:?} {recordings:?}");
}
