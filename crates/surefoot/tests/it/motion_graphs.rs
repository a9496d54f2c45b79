//! Motion graphs of our own walks and of recordings: gathered, built, kept and walked along paths.

use std::path::PathBuf;
use surefoot::contact::{WalkerOptions, synthetic_walk};
use surefoot::formats::own;
use surefoot::gait::{Gait, Kinematics, LayOptions, RunTargets, Style};
use surefoot::geom::Vec2;
use surefoot::graph::{Abstraction, DistanceMatrix, FollowOptions, Metric, Threads, Threshold};
use surefoot::ground::Path;
use surefoot::motion::{BodyMap, Clip, PersonOptions, Poses};
use surefoot::{
    BuildGraphError, FollowGraphError, FollowRequest, GaitRequest, GaitRoute, GraphOptions, LoadOptions, Mover,
    SourceMotion, build_graph, corpus_graph, corpus_motions, follow_graph, gather_motions, load_motions, make_gait,
    seeded_start,
};
use surefoot_recordings::shared_folder;

fn path(points: &[[f64; 2]]) -> Path {
    Path { points: points.iter().map(|&point| Vec2::from(point)).collect() }
}

fn zigzag() -> Path {
    path(&[[0.0, 0.0], [2.0, 4.0], [-1.0, 7.0], [2.0, 10.0], [2.0, 14.0], [-2.0, 17.0]])
}

fn s_curve() -> Path {
    let points = (0..200).map(|k| f64::from(k) * 0.06).map(|z| [1.2 * (0.9 * z).sin(), z]);
    path(&points.collect::<Vec<_>>())
}

fn source(name: &str, clip: Clip, body: BodyMap) -> SourceMotion {
    SourceMotion { name: name.to_string(), clip, body: Ok(body) }
}

/// The walk goes to the end without a jump, and no frame is missing.
fn check_follow(graph: &surefoot::graph::MotionGraph, path: &Path, request: &FollowRequest, mean: f64) {
    let followed = follow_graph(graph, path, request).expect("a walk");
    let deviation = followed.deviation.expect("a way");
    assert!(deviation.nearest_mean < mean, "{request:?}: {deviation:?}");
    assert!((deviation.walked - path.length()).abs() < 0.1 * path.length(), "{deviation:?}");
    let (clip, n) = (&followed.take.clip, followed.take.clip.n_frames());
    assert_eq!(followed.take.contacts.n_frames, n);
    let pelvis: Vec<_> = clip.world().iter().map(|pose| pose.position(followed.take.body.pelvis)).collect();
    let step = pelvis.windows(2).map(|pair| pair[0].distance(pair[1])).fold(0.0, f64::max);
    assert!(step < 3.0 / clip.frame_rate, "the pelvis jumps by {step} m");
    let again = follow_graph(graph, path, request).expect("a walk");
    assert!(again.take == followed.take, "the same again");
}

#[test]
fn the_built_in_graph_follows_corners_and_curves_closely() {
    let built = corpus_graph(&GraphOptions::default()).expect("a graph");
    assert!(built.graph.set.n_frames() < 1500 && built.pruned.dead_clips.is_empty());
    for path in [zigzag(), s_curve()] {
        for (clean, fit_path, mean) in [(false, false, 0.1), (true, true, 0.05)] {
            check_follow(&built.graph, &path, &FollowRequest { clean, fit_path, ..FollowRequest::default() }, mean);
        }
    }
    for abstraction in Abstraction::ALL {
        check_follow(&built.graph, &s_curve(), &FollowRequest { abstraction, ..FollowRequest::default() }, 0.12);
    }
    let clean = FollowRequest { clean: true, ..FollowRequest::default() };
    let [before, after] = [FollowRequest::default(), clean]
        .map(|request| follow_graph(&built.graph, &zigzag(), &request).expect("a walk"));
    assert!(after.is_clean && after.drift < 1e-6 && before.drift > 1e-3, "{} {}", before.drift, after.drift);
    let starts: std::collections::HashSet<usize> = (0..50).map(|seed| seeded_start(&built.graph, seed)).collect();
    assert!(starts.len() > 40 && starts.iter().all(|node| *node < built.graph.nodes().len()));
}

#[test]
fn graphs_are_the_same_whatever_the_threads_and_come_back_from_their_files() {
    for metric in [Metric::angles(), Metric::points(), Metric::components()] {
        let made = |threads| corpus_graph(&GraphOptions { metric, threads, ..GraphOptions::default() }).expect("one");
        let built = made(Threads::One);
        assert!(built == made(Threads::Count(3)), "{}", metric.name());
        let record = built.into_record();
        assert!(own::read_graph(&own::write_graph(&record)).expect("our own file") == record);
    }
}

#[test]
fn clips_of_other_rates_and_people_are_brought_together_and_reported() {
    let walk = synthetic_walk(&WalkerOptions { n_steps: 6, ..WalkerOptions::default() });
    let steps = LayOptions { n_steps: Some(6), ..LayOptions::default() };
    let request = GaitRequest {
        mover: Mover::Own(PersonOptions::with_height(1.5)),
        style: &Style::natural(Gait::Walk),
        targets: RunTargets::default(),
        lock: None,
        set: &[],
        kinematics: Kinematics::Normative,
        route: GaitRoute::Steps(&steps),
        world: Default::default(),
        frame_rate: 30.0,
        standing: 0.2,
        control: Default::default(),
    };
    let small = make_gait(&request).expect("a walk");
    let other = small.take.clip;
    let gathered = gather_motions(
        vec![
            source("sixty", walk.take.clip.clone(), walk.take.body.clone()),
            source("other", other.clone(), small.take.body),
            source("empty", walk.take.clip.with_poses(Poses::default()), walk.take.body.clone()),
        ],
        30.0,
    )
    .expect("clips");
    assert_eq!(gathered.set.clips().len(), 2);
    assert_eq!(gathered.set.clips()[1].n_frames(), other.n_frames());
    let notes = gathered.notes.join("\n");
    assert!(notes.contains("sixty: resampled from 60 to 30"), "{notes}");
    assert!(notes.contains("other: played by the skeleton of sixty"), "{notes}");
    let [left] = &gathered.left_out[..] else { panic!("{:?}", gathered.left_out) };
    assert!(left.name == "empty" && left.why.to_string().contains("no motion"), "{}", left.why);
    let error = gather_motions(vec![], 30.0).unwrap_err().to_string();
    assert!(error.contains("no clip could be used"), "{error}");
    for rate in [0.0, f64::NAN, 1e9] {
        assert!(gather_motions(vec![], rate).unwrap_err().to_string().contains("frame_rate"));
    }
}

#[test]
fn wrong_options_paths_and_clips_are_refused_with_what_would_be_right() {
    let error_of = |options: GraphOptions| corpus_graph(&options).unwrap_err().to_string();
    let usual = GraphOptions::default();
    assert!(error_of(GraphOptions { window: 0, ..usual }).contains("window is 0; 1 to 1000 frames"));
    assert!(error_of(GraphOptions { threshold: Threshold::Share(1.5), ..usual }).contains("share is 1.5"));
    assert!(error_of(GraphOptions { threshold: Threshold::Distance(f32::NAN), ..usual }).contains("threshold is NaN"));
    assert!(error_of(GraphOptions { metric: Metric::Components(Some(0)), ..usual }).contains("components is 0"));
    assert!(error_of(GraphOptions { window: 500, ..usual }).contains("no clip has more than 500 frames"));
    let error = error_of(GraphOptions { threshold: Threshold::Distance(1e-6), ..usual });
    assert!(error.contains("make no loop; a threshold of 0."), "{error}");
    let set = corpus_motions();
    let many = set.clips()[0].with_poses(set.clips()[0].poses().iter().cycle().take(40_001).collect());
    let set = surefoot::graph::MotionSet::new(vec![many], set.body().clone()).expect("a clip");
    assert_eq!(build_graph(set, &usual).unwrap_err(), BuildGraphError::TooLarge { n_frames: 40_001 });

    let graph = corpus_graph(&usual).expect("a graph").graph;
    let error_of = |path: Path, follow: FollowOptions| {
        let request = FollowRequest { follow, ..FollowRequest::default() };
        follow_graph(&graph, &path, &request).unwrap_err()
    };
    let usual = FollowOptions::default();
    assert!(matches!(error_of(path(&[[0.0, 0.0]]), usual), FollowGraphError::Path(_)));
    assert!(matches!(error_of(path(&[[0.0, 0.0], [0.0, f64::NAN]]), usual), FollowGraphError::Path(_)));
    assert!(matches!(error_of(path(&[[0.0, 0.0], [0.0, 1e6]]), usual), FollowGraphError::TooLong { .. }));
    let wrong = |follow: FollowOptions| error_of(zigzag(), follow).to_string();
    assert!(wrong(FollowOptions { look_ahead: 0, ..usual }).starts_with("look_ahead is 0; 1 to 1000"));
    assert!(wrong(FollowOptions { commit: 81, ..usual }).starts_with("commit is 81; 1 to 80 frames"));
    assert!(wrong(FollowOptions { start: 99_999, ..usual }).contains("a node from 0 to"));
}

/// Distances of frame windows of two recordings by a numpy program with its own reader of BVH, its own forward kinematics, Kovar's closed
/// form as printed and a singular value decomposition; frames are taken as 30 a second, as they are. It takes means of rotations
/// as eigenvectors, which are not quite ours: components agree to five digits, the rest to all that a file has.
#[test]
fn distances_of_recordings_are_those_of_another_program() {
    let Some(shared) = shared_folder() else { return };
    let files = ["11", "15"].map(|trial| shared.join(format!("mocap/cmu-bvh/016/16_{trial}.bvh")));
    let mut options = LoadOptions::default();
    options.import.frame_rate = Some(30.0);
    let set = load_motions(&files, &options, 30.0, &mut |_| ()).expect("walks").set;
    assert_eq!(set.clips().iter().map(Clip::n_frames).collect::<Vec<_>>(), [534, 471]);
    // Block and moments.
    let windows = [(0, 30, 400), (1, 200, 100), (2, 50, 180)];
    for (metric, wanted, digits) in [
        (Metric::angles(), [6.833_075_35, 1.692_499_01, 0.412_560_331], 1e-6),
        (Metric::points(), [14.373_355_5, 1.254_251_03, 0.943_415_608], 1e-6),
        (Metric::components(), [0.387_034_260, 0.193_982_477, 0.158_566_151], 3e-5),
        (Metric::Components(Some(5)), [0.385_641_231, 0.190_861_760, 0.156_430_220], 3e-5),
    ] {
        let matrix = DistanceMatrix::new(&set, &metric, 10, Threads::Count(2));
        for ((block, row, column), wanted) in windows.into_iter().zip(wanted) {
            let found = f64::from(matrix.blocks[block].at(row, column));
            assert!((found / wanted - 1.0).abs() < digits, "{}, {row} {column}: {found} {wanted}", metric.name());
        }
    }
}

/// Somebody who walks straight ahead, veers and turns.
const WALKS: [&str; 8] = ["11", "13", "15", "17", "19", "21", "23", "25"];

#[test]
fn recorded_walks_follow_a_path_under_every_metric() {
    let Some(shared) = shared_folder() else { return };
    let files: Vec<PathBuf> =
        WALKS.iter().map(|trial| shared.join(format!("mocap/cmu-bvh/016/16_{trial}.bvh"))).collect();
    let gathered = load_motions(&files, &LoadOptions::default(), 30.0, &mut |_| ()).expect("walks");
    assert!(gathered.left_out.is_empty() && gathered.notes.len() == WALKS.len(), "{:?}", gathered.notes);
    for metric in [Metric::angles(), Metric::points(), Metric::components()] {
        let built = build_graph(gathered.set.clone(), &GraphOptions { metric, ..GraphOptions::default() });
        let built = built.expect("a graph");
        assert!(built.graph.nodes().len() > 300, "{}: {}", metric.name(), built.graph.nodes().len());
        for seed in 0..2 {
            let follow = FollowOptions { start: seeded_start(&built.graph, seed), ..FollowOptions::default() };
            check_follow(&built.graph, &zigzag(), &FollowRequest { follow, ..FollowRequest::default() }, 0.15);
        }
    }
}

#[test]
fn recordings_of_other_makers_are_matched_and_torn_ones_left_out() {
    let Some(shared) = shared_folder() else { return };
    let mocap = shared.join("mocap");
    let files: Vec<PathBuf> = ["cmu-bvh/016/16_15.bvh", "bandai/dataset-2_walk_normal_001.bvh", "MANIFEST.csv"]
        .iter()
        .map(|file| mocap.join(file))
        .collect();
    let gathered = load_motions(&files, &LoadOptions::default(), 30.0, &mut |_| ()).expect("walks");
    let notes = gathered.notes.join("\n");
    assert!(notes.contains("dataset-2_walk_normal_001: played by the skeleton of 16_15"), "{notes}");
    assert!(notes.contains("16_15: resampled from 120 to 30"), "{notes}");
    assert_eq!(gathered.left_out.len(), 1);
    assert!(gathered.left_out[0].why.to_string().contains("MANIFEST.csv"), "{}", gathered.left_out[0].why);
    // Two people as one: they stand on the same floor, and blends between both are found.
    let heights = gathered.set.clips().iter().map(|clip| {
        let poses = clip.world();
        poses.iter().map(|pose| pose.position(gathered.set.body().pelvis).y).sum::<f64>() / poses.len() as f64
    });
    let heights: Vec<f64> = heights.collect();
    assert!((heights[0] - heights[1]).abs() < 0.06, "{heights:?}");
    let options =
        GraphOptions { metric: Metric::points(), threshold: Threshold::Share(0.3), ..GraphOptions::default() };
    let built = build_graph(gathered.set, &options).expect("a graph");
    let stats = surefoot::graph::GraphStats::of(&built.graph);
    assert!(stats.blends[0][1] > 0 && stats.blends[1][0] > 0, "{:?}", stats.blends);
}
