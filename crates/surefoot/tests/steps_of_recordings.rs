//! A step database of the recorded walks.

use std::path::PathBuf;
use surefoot::formats::own;
use surefoot::locomotion::steps::{PruneOptions, prune_steps};
use surefoot::motion::Side;
use surefoot::{BuildStepsOptions, build_steps};
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
