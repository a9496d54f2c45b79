//! A step database of the recorded walks.

use std::path::PathBuf;
use surefoot::formats::own;
use surefoot::jobs::{JobContext, Split, evaluated_metrics};
use surefoot::motion::Side;
use surefoot::steps::{Ablation, Method, PruneOptions, Variant, prune_steps};
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

/// A metric of the evaluation, the largest median, p90 and worst that it may have, and the smallest share of clips or footprints that
/// meets its target. Targets that are met have little slack; those that are missed are held where they are.
type Held = (&'static str, [f64; 3], f64);

const LEVEL: [Held; 11] = [
    ("ball from footprint, mid stance", [0.001, 0.001, 0.1], 1.0),
    ("ball from footprint, middle 60 %", [0.001, 0.01, 0.1], 1.0),
    ("joint error, by landing", [5.0, 8.3, 33.0], 0.55),
    ("joint error over Gaussian process", [1.1, 1.25, 1.6], 0.0),
    ("knee p99 acceleration over recording", [0.85, 1.55, 4.5], 0.68),
    ("pelvis height against recording", [0.85, 2.0, 7.0], 0.3),
    ("frames with a foot point 5 mm in ground", [0.01, 0.01, 1.0], 1.0),
    ("deepest foot point in ground", [0.25, 0.3, 0.5], 0.0),
    ("foot movement over neighbour frames", [1.1, 1.2, 1.5], 1.0),
    ("fall of the pelvis on a planted foot", [0.4, 0.85, 1.45], 0.94),
    ("speed change of the pelvis in 50 ms", [0.55, 1.1, 1.5], 0.0),
];
/// Distances that should be large.
const APART: [Held; 2] =
    [("least distance of feet", [6.0, 4.0, 2.0], 0.9), ("least distance of shins", [7.0, 5.0, 0.5], 0.9)];

#[test]
fn recordings_walked_again_are_near_exact_and_smooth_as_their_targets_say() {
    let Some(paths) = walks() else { return };
    let context = JobContext::silent();
    let evaluation = evaluate_clips(&paths, None, &EvaluateOptions::default(), &context).expect("an evaluation");
    for (split, limit) in [(Split::ActorKnown, 0.043), (Split::ActorUnknown, 0.05)] {
        let error = |method| evaluation.errors(split, method).expect("walks were compared").by_landing;
        let stride_space = error(Method::StrideSpace);
        assert!(stride_space.median < limit && stride_space.mean < 1.4 * limit, "{split:?}: {stride_space:?}");
        for method in Method::ALL.into_iter().filter(|method| *method != Method::GaussianProcess).skip(1) {
            assert!(stride_space.mean < error(method).mean, "{split:?}: {method:?} comes nearer: {:?}", error(method));
        }
        let regression = error(Method::GaussianProcess);
        assert!(stride_space.mean < 1.08 * regression.mean, "{split:?}: {stride_space:?} {regression:?}");
        // Noise that enters with the steps is in the knees.
        let knees = |variant: Variant| evaluation.errors(split, variant).and_then(|errors| errors.knee_acceleration);
        let (own, raw) = (knees(Method::StrideSpace.into()), knees(Ablation::UnfilteredSteps.into()));
        assert!(own.zip(raw).is_some_and(|(own, raw)| own < raw), "{split:?}: {own:?} {raw:?}");
    }
    let own = |split| evaluation.error_ratio(split, Ablation::OwnClipsAlone.into(), Method::StrideSpace.into());
    assert!(own(Split::ActorKnown).is_some() && own(Split::ActorUnknown).is_none());
    let metrics = evaluated_metrics(&evaluation);
    let metric = |name: &str| metrics.iter().find(|metric| metric.name == name && metric.split == Split::ActorUnknown);
    for (held, sign) in LEVEL.iter().map(|held| (held, 1.0)).chain(APART.iter().map(|held| (held, -1.0))) {
        let (name, most, met) = held;
        let metric = metric(name).unwrap_or_else(|| panic!("{name} is a metric"));
        let spread = metric.spread;
        let within = [spread.median, spread.p90, spread.worst].iter().zip(most).all(|(a, b)| sign * a <= sign * b);
        assert!(within && metric.met.unwrap_or(1.0) >= *met, "{name}: {spread:?}, met {:?}", metric.met);
    }
}
