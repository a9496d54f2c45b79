//! Motion graphs: as they are, and with length and checksum made right, so that the contents are reached.

#![no_main]

use libfuzzer_sys::fuzz_target;
use surefoot_formats::own::{read_graph, write_graph};
use surefoot_fuzz::offer_seeds;
use surefoot_graph::{DistanceMatrix, GraphRecord, Metric, MotionGraph, MotionSet, Threads, Threshold};
use surefoot_contact::{WalkerOptions, synthetic_walk};
use surefoot_motion::slice;
use xxhash_rust::xxh3::Xxh3Default;

fuzz_target!(
    init: offer_seeds(seeds()),
    |data: &[u8]| {
        check(data);
        if data.len() > 28 {
            check(&sealed(data));
        }
    }
);

/// More than this is read but not used: libFuzzer counts time by the input.
const MAX_USED: usize = 4096;

fn check(bytes: &[u8]) {
    let Ok(record) = read_graph(bytes) else { return };
    let again = write_graph(&record);
    assert_eq!(write_graph(&read_graph(&again).expect("our own graph")), again);
    let graph = &record.graph;
    if graph.set.n_frames() * graph.set.skeleton().n_joints() < MAX_USED {
        // Every frame of every edge can be played.
        for edge in 0..graph.edges().len().min(64) {
            (0..graph.edge_frames(edge).min(64)).for_each(|frame| drop(graph.edge_pose(edge, frame)));
        }
        assert!((0..graph.nodes().len()).all(|node| !graph.leaving(node).is_empty()));
    }
}

/// The same with a header that is right.
fn sealed(data: &[u8]) -> Vec<u8> {
    let mut file = b"\x89GRAPH\r\n\x01\0\0\0".to_vec();
    let contents = &data[28..];
    file.extend((contents.len() as u64).to_le_bytes());
    let mut hash = Xxh3Default::new();
    hash.update(&file);
    hash.update(contents);
    file.extend(hash.digest().to_le_bytes());
    file.extend(contents);
    file
}

fn seeds() -> Vec<Vec<u8>> {
    let walk = synthetic_walk(&WalkerOptions { n_steps: 5, frame_rate: 10.0, ..Default::default() });
    let clip = slice(&walk.take.clip, 12..42).expect("frames");
    let graph = |metric: Metric| {
        let set = MotionSet::new(vec![clip.clone(), clip.clone()], walk.take.body.clone()).expect("one skeleton");
        let matrix = DistanceMatrix::new(&set, &metric, 3, Threads::One);
        let limit = Threshold::Share(0.1).distance(&matrix);
        let (graph, pruned) = MotionGraph::build(set, &matrix, limit).expect("a loop");
        write_graph(&GraphRecord { graph, metric, limit, pruned })
    };
    [Metric::angles(), Metric::points(), Metric::components()].map(graph).to_vec()
}
