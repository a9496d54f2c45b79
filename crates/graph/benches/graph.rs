//! Distance matrices and the search.

use divan::Bencher;
use std::sync::Arc;
use surefoot_contact::{WalkerOptions, synthetic_walk};
use surefoot_geom::{Transform, Vec2, Vec3};
use surefoot_graph::{
    Abstraction, DistanceMatrix, FollowOptions, Metric, MotionGraph, MotionSet, Threads, Threshold, abstract_tracks,
    follow_path,
};
use surefoot_ground::Path;
use surefoot_motion::{Clip, Joint, JointId, Pose, PoseRef, Skeleton, slice};

fn main() {
    divan::main();
}

/// Walks straight, left and right, gently and tightly, of so many frames at 30 frames per second in all.
fn set(n_frames: usize) -> MotionSet {
    let per_clip = n_frames / 5;
    let walk = |turn_per_step: f64| {
        let n_steps = per_clip / 12 + 8;
        let walk =
            synthetic_walk(&WalkerOptions { turn_per_step, n_steps, frame_rate: 30.0, ..WalkerOptions::default() });
        (slice(&walk.take.clip, 20..20 + per_clip).expect("long enough"), walk.take.body)
    };
    let (clips, mut bodies): (Vec<Clip>, Vec<_>) = [0.0, 0.15, -0.15, 0.4, -0.4].map(walk).into_iter().unzip();
    let clips = clips.into_iter().map(with_fingers).collect();
    MotionSet::new(clips, bodies.remove(0)).expect("one skeleton")
}

/// Joints of a usual recording.
const N_JOINTS: usize = 30;

/// With fingers at the last joint until there are [`N_JOINTS`].
fn with_fingers(clip: Clip) -> Clip {
    let n = clip.skeleton.n_joints();
    let rest = Transform { translation: Vec3::new(0.0, -0.05, 0.0), ..Transform::IDENTITY };
    let finger = |k: usize| Joint { name: format!("finger{k}"), parent: Some(JointId::new(n - 1)), rest };
    let joints = clip.skeleton.joints().iter().cloned().chain((n..N_JOINTS).map(finger)).collect();
    let skeleton = Skeleton::new(joints, clip.skeleton.end_sites().to_vec()).expect("parents come first");
    let longer = |pose: PoseRef<'_>| Pose { local: [pose.local, &vec![rest; N_JOINTS - n]].concat() };
    let poses = clip.poses().iter().map(longer).collect();
    Clip::new(clip.name, Arc::new(skeleton), clip.frame_rate, poses)
}

const METRICS: [&str; 3] = ["angles", "points", "pca"];

fn metric(name: &str) -> Metric {
    match name {
        "angles" => Metric::angles(),
        "points" => Metric::points(),
        _ => Metric::components(),
    }
}

#[divan::bench(args = METRICS)]
fn matrix_832(bencher: Bencher<'_, '_>, name: &str) {
    let set = set(832);
    bencher.bench_local(|| DistanceMatrix::new(&set, &metric(name), 10, Threads::Count(2)));
}

#[divan::bench(args = METRICS, sample_count = 3, sample_size = 1)]
fn matrix_10000(bencher: Bencher<'_, '_>, name: &str) {
    let set = set(10_000);
    bencher.bench_local(|| DistanceMatrix::new(&set, &metric(name), 10, Threads::Count(2)));
}

/// The paper's 33 m of zigzag.
fn zigzag() -> Path {
    let points = [[0.0, 0.0], [0.0, 7.0], [5.0, 11.0], [1.0, 17.0], [5.0, 22.0], [5.0, 28.0]];
    Path { points: points.map(|[x, z]| Vec2::new(x, z)).to_vec() }
}

#[divan::bench(args = METRICS, sample_count = 5)]
fn follow_33_m(bencher: Bencher<'_, '_>, name: &str) {
    let set = set(832);
    let matrix = DistanceMatrix::new(&set, &metric(name), 10, Threads::Count(2));
    // About as many edges as the paper's graphs of complexity IV.
    let mut share = 0.01;
    let graph = loop {
        let limit = Threshold::Share(share).distance(&matrix);
        match MotionGraph::build(set.clone(), &matrix, limit) {
            Ok((graph, _)) if graph.edges().len() > 1250 || share > 0.9 => break graph,
            _ => share *= 1.15,
        }
    };
    eprintln!(
        "{name}: {} nodes, {} edges, {} keyframes",
        graph.nodes().len(),
        graph.edges().len(),
        graph.n_keyframes()
    );
    let tracks = abstract_tracks(&graph.set, Abstraction::Pelvis);
    bencher.bench_local(|| follow_path(&graph, &tracks, &zigzag(), &FollowOptions::default()));
}
