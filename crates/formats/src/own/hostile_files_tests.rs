//! Binary files of a right checksum whose contents lie: every stored number in turn becomes one that means nothing.
//!
//! What must hold: a NaN, an infinity and a length that is not there are refused by name; whatever else is stored is
//! refused, or can be used without a panic and gives finite numbers only.

use super::graph_file::{SEAL as GRAPH, read_graph, write_graph};
use super::graph_shape::StoredGraph;
use super::sealed::Seal;
use super::steps_file::{SEAL as STEPS, read_steps, write_steps};
use super::steps_shape::StoredSteps;
use super::stored_scalars::{ScalarKind, StoredScalars, varint};
use super::stream::{SEAL as TAKE, read_take, write_take};
use super::stream_shape::StoredTake;
use crate::bvh::{BvhOptions, read_bvh, write_bvh};
use crate::{ErrorKind, Import, ImportOptions, ReadError, import};
use serde::Serialize;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use surefoot_contact::{SyntheticWalk, Take, WalkerOptions, measure_placement, resample_take, synthetic_walk};
use surefoot_graph::{DistanceMatrix, GraphRecord, Metric, MotionGraph, MotionSet, Threads, Threshold};
use surefoot_motion::{Pose, Side, fit_knee_axes, slice};
use surefoot_plan::extract_plan;
use surefoot_plan::{World, synthesize};
use surefoot_steps::{BuildOptions, StepCollector, StepDatabase, Steps, WalkOptions};

/// Most numbers of a kind that are changed: all that describe a body, and a sample of a clip's.
const MOST_OF_A_KIND: usize = 120;

/// What a number is changed to, and whether that must be refused.
fn hostile(kind: ScalarKind) -> Vec<(Vec<u8>, bool)> {
    let doubles = [(f64::NAN, true), (f64::INFINITY, true), (f64::NEG_INFINITY, true), (1e300, false), (-1.0, false)];
    let floats = [(f32::NAN, true), (f32::INFINITY, true), (f32::MAX, false), (-1.0, false), (0.0, false)];
    match kind {
        ScalarKind::F64 => {
            let more = [(0.0, false), (f64::MIN_POSITIVE, false)];
            doubles.into_iter().chain(more).map(|(value, refused)| (value.to_le_bytes().to_vec(), refused)).collect()
        }
        ScalarKind::F32 => floats.into_iter().map(|(value, refused)| (value.to_le_bytes().to_vec(), refused)).collect(),
        ScalarKind::Unsigned(255) => vec![(vec![255], false), (vec![0], false)],
        ScalarKind::Unsigned(most) => [most, most / 2, 1 << 20, 1, 0].map(|value| (varint(value), false)).to_vec(),
        ScalarKind::Length => vec![(varint(u64::MAX), true), (varint(1 << 40), true), (varint(0), false)],
        ScalarKind::Tag => [0, 1, 2, 0xff].map(|value| (varint(value), false)).to_vec(),
        ScalarKind::Text => vec![],
    }
}

/// Reads the file with every number changed in turn, and uses what is accepted. How many files were refused, and how many used.
fn check_every_number<T>(
    seal: &Seal,
    stored: &impl Serialize,
    read: impl Fn(&[u8]) -> Result<T, ReadError>,
    use_it: impl Fn(T) -> bool,
) -> (usize, usize) {
    let scalars = StoredScalars::of(stored);
    assert_eq!(scalars.contents(), postcard::to_allocvec(stored).expect("bytes"), "the same bytes as postcard's");
    let mut counts = (0, 0);
    let kinds: Vec<ScalarKind> = scalars.scalars.iter().map(|scalar| scalar.kind).collect();
    for kind in [ScalarKind::F64, ScalarKind::F32, ScalarKind::Length, ScalarKind::Tag]
        .into_iter()
        .chain([u64::from(u8::MAX), u64::from(u32::MAX), u64::MAX].map(ScalarKind::Unsigned))
    {
        let of_kind: Vec<usize> = (0..kinds.len()).filter(|&index| kinds[index] == kind).collect();
        for &index in of_kind.iter().step_by(of_kind.len().div_ceil(MOST_OF_A_KIND).max(1)) {
            for (bytes, must_refuse) in hostile(kind) {
                let file = seal.close_contents(&scalars.contents_with(index, &bytes));
                let case = format!("{}, number {index}, {kind:?} as {bytes:?}", seal.what);
                let outcome = catch_unwind(AssertUnwindSafe(|| match read(&file) {
                    Err(error) => {
                        assert!(error.kind == seal.nonsense && !error.message.is_empty(), "{error}");
                        counts.0 += 1;
                    }
                    Ok(contents) => {
                        assert!(!must_refuse, "it must be refused");
                        assert!(use_it(contents), "it gives numbers that are not finite");
                        counts.1 += 1;
                    }
                }));
                assert!(outcome.is_ok(), "{case}");
            }
        }
    }
    counts
}

fn is_finite(pose: &Pose) -> bool {
    pose.local.iter().all(surefoot_geom::Transform::is_finite)
}

fn walk(n_steps: usize, frame_rate: f64) -> SyntheticWalk {
    synthetic_walk(&WalkerOptions { n_steps, frame_rate, ..WalkerOptions::default() })
}

fn small_database() -> (SyntheticWalk, StepDatabase) {
    let walk = walk(4, 30.0);
    let skeleton = walk.take.clip.skeleton.clone();
    let mut collector = StepCollector::new(skeleton, walk.take.body.clone(), &walk.take, BuildOptions::default());
    let _ = collector.add("walk", &walk.take);
    let database = collector.finish().expect("steps of both feet");
    (walk, database)
}

/// Whether a walk along the plan of a walk is made of finite numbers, or refused because legs are too short for it.
fn walks_finitely(walk: &SyntheticWalk, database: StepDatabase) -> bool {
    let plan = extract_plan(&walk.take);
    let options = WalkOptions { frame_rate: 10.0, ..WalkOptions::default() };
    let steps = Steps::new(Arc::new(database), options);
    let animated = synthesize(&steps, &Arc::new(World::default()), &plan, "walk");
    animated.is_err()
        || animated.is_ok_and(|made| made.take.clip.transforms().iter().all(surefoot_geom::Transform::is_finite))
}

#[test]
fn no_number_of_a_step_database_makes_a_walk_of_nan() {
    let (walk, database) = small_database();
    let use_it = |database: StepDatabase| walks_finitely(&walk, database);
    assert!(use_it(read_steps(&write_steps(&database)).expect("our own file")));
    let (refused, used) = check_every_number(&STEPS, &StoredSteps::of(&database), read_steps, use_it);
    assert!(refused > 500 && used > 50, "{refused} refused, {used} used");
}

#[test]
fn rows_of_steps_that_are_no_poses_are_refused() {
    // One number may belong to a step that no plan takes; all of them together belong to every step.
    let (walk, database) = small_database();
    let scalars = StoredScalars::of(&StoredSteps::of(&database));
    let mut accepted = Vec::new();
    for number in [f32::NAN, f32::INFINITY, f32::MAX, -f32::MAX, 1e30, 1e6, 0.0] {
        let contents = scalars.contents_with_all(ScalarKind::F32, &number.to_le_bytes());
        match read_steps(&STEPS.close_contents(&contents)) {
            Err(error) => assert_eq!(error.kind, ErrorKind::Steps, "{error}"),
            Ok(database) => accepted.push(format!("{number}, finite: {}", walks_finitely(&walk, database))),
        }
    }
    assert!(accepted.is_empty(), "accepted: {accepted:?}");
}

fn small_import() -> Import {
    let walk = walk(2, 12.0);
    let text = write_bvh(&walk.take.clip, &BvhOptions::default());
    let document = read_bvh(&text.bytes).expect("our own BVH").into_document();
    let mut import = import(document, &ImportOptions::default()).expect("a motion");
    import.contacts = Some(walk.take.contacts);
    import
}

/// What commands do with a take.
fn use_take(import: Import) -> bool {
    let poses = import.clip.world();
    let mut is_good = poses.iter().all(|pose| pose.world().iter().all(surefoot_geom::Transform::is_finite));
    let contacts = import.contacts.unwrap_or_else(|| surefoot_contact::Contacts::none(import.clip.n_frames()));
    is_good &= import.travel.is_finite() && import.clip.duration().is_finite();
    if let Ok(body) = &import.body {
        let errors = measure_placement(&poses, body, &contacts);
        is_good &= errors.iter().all(|error| error.distance.is_finite());
        is_good &= Side::BOTH.iter().all(|&side| fit_knee_axes(&import.clip, body)[side].is_finite());
    }
    let Ok(body) = import.body else { return is_good };
    let take = Take { clip: import.clip, body, contacts };
    if let Ok(resampled) = resample_take(&take, 30.0) {
        is_good &= resampled.clip.transforms().iter().all(surefoot_geom::Transform::is_finite);
    }
    is_good
}

#[test]
fn no_number_of_a_take_panics() {
    let import = small_import();
    assert!(use_take(read_take(&write_take(&import)).expect("our own file")));
    let (refused, used) = check_every_number(&TAKE, &StoredTake::of(&import), read_take, use_take);
    assert!(refused > 500 && used > 50, "{refused} refused, {used} used");
    // Without a body.
    let nobody = surefoot_motion::find_body(&surefoot_motion::Skeleton::new(vec![], vec![]).expect("no joints"), &[]);
    let import = Import { body: Err(nobody.expect_err("nobody")), ..import };
    check_every_number(&TAKE, &StoredTake::of(&import), read_take, use_take);
}

#[test]
fn no_number_of_a_graph_panics() {
    let walk = walk(5, 15.0);
    let n_frames = walk.take.clip.n_frames();
    let clip = slice(&walk.take.clip, 16..n_frames - 16).expect("frames");
    let set = MotionSet::new(vec![clip], walk.take.body).expect("one clip");
    let metric = Metric::Components(Some(3));
    let matrix = DistanceMatrix::new(&set, &metric, 5, Threads::One);
    let limit = Threshold::Share(0.1).distance(&matrix);
    let (graph, pruned) = MotionGraph::build(set, &matrix, limit).expect("a loop");
    let record = GraphRecord { graph, metric, limit, pruned };
    let walked = |record: GraphRecord| {
        let graph = &record.graph;
        let is_good = |edge: usize| {
            (0..graph.edge_frames(edge)).all(|frame| is_finite(&graph.edge_pose(edge, frame)))
                && graph.edge_placement(edge).translation.is_finite()
        };
        record.limit.is_finite() && (0..graph.edges().len()).all(is_good)
    };
    assert!(walked(read_graph(&write_graph(&record)).expect("our own file")));
    let (refused, used) = check_every_number(&GRAPH, &StoredGraph::of(&record), read_graph, walked);
    assert!(refused > 500 && used > 50, "{refused} refused, {used} used");
    assert_eq!(GRAPH.nonsense, ErrorKind::Graph);
}
