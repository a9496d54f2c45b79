//! Motion graphs come back as they were written, and no damage to their files goes unnoticed.

use surefoot_contact::{WalkerOptions, synthetic_walk};
use surefoot_formats::own::{read_graph, write_graph};
use surefoot_formats::{ErrorKind, ReadError};
use surefoot_graph::{
    DistanceMatrix, EdgeMotion, GraphRecord, Metric, MotionGraph, MotionSet, PointWeights, Threads, Threshold,
};
use surefoot_motion::slice;

fn graph(metric: Metric, share: f64) -> GraphRecord {
    let walk = |turn_per_step: f64, name: &str| {
        let options = WalkerOptions { turn_per_step, n_steps: 5, frame_rate: 15.0, ..WalkerOptions::default() };
        let walk = synthetic_walk(&options);
        let n_frames = walk.take.clip.n_frames();
        let clip = slice(&walk.take.clip, 16..n_frames - 16).expect("frames");
        (clip.with_name(name.to_string()), walk.take.body)
    };
    let ((straight, body), (curve, _)) = (walk(0.0, "straight, with an umlaut: ä"), walk(0.25, "curve"));
    let set = MotionSet::new(vec![straight, curve], body).expect("one skeleton");
    let matrix = DistanceMatrix::new(&set, &metric, 5, Threads::One);
    let limit = Threshold::Share(share).distance(&matrix);
    let (graph, pruned) = MotionGraph::build(set, &matrix, limit).expect("a loop");
    GraphRecord { graph, metric, limit, pruned }
}

/// A few nodes, and so few frames that each bit can be tried.
fn small_file() -> Vec<u8> {
    write_graph(&graph(Metric::Components(Some(3)), 0.1))
}

fn refused(bytes: &[u8]) -> ReadError {
    read_graph(bytes).expect_err("refused")
}

#[test]
fn a_graph_comes_back_bit_for_bit() {
    let weights = PointWeights { hip: 0.25, ..PointWeights::default() };
    for metric in [Metric::angles(), Metric::Points(weights), Metric::components(), Metric::Components(Some(7))] {
        let record = graph(metric, 0.1);
        let bytes = write_graph(&record);
        let back = read_graph(&bytes).expect("our own file");
        assert!(back == record, "{}", metric.name());
        assert_eq!(write_graph(&back), bytes);
        assert!(back.graph.edges().iter().any(|edge| matches!(edge.motion, EdgeMotion::Blend { .. })));
    }
}

#[test]
fn every_cut_is_found() {
    let file = small_file();
    for length in (0..file.len()).step_by(7).chain(0..64) {
        let error = refused(&file[..length]);
        let kind = if length == 0 { ErrorKind::Empty } else { ErrorKind::UnexpectedEof };
        assert_eq!(error.kind, kind, "{length}: {error}");
    }
    assert_eq!(refused(&[&file[..], b"\n"].concat()).kind, ErrorKind::Trailing);
}

#[test]
fn every_flipped_bit_is_found() {
    let mut file = small_file();
    let places = (0..64).chain((64..file.len()).step_by(file.len() / 500));
    for at in places {
        for bit in 0..8 {
            file[at] ^= 1 << bit;
            let error = refused(&file);
            let kind = match at {
                0..8 => ErrorKind::Format,
                8..12 => ErrorKind::Version,
                12..20 if error.kind == ErrorKind::Trailing => ErrorKind::Trailing,
                12..20 => ErrorKind::UnexpectedEof,
                _ => ErrorKind::Checksum,
            };
            assert_eq!(error.kind, kind, "byte {at}, bit {bit}: {error}");
            file[at] ^= 1 << bit;
        }
    }
    assert!(read_graph(&file).is_ok());
}

#[test]
fn other_versions_and_foreign_files_are_named() {
    let mut file = small_file();
    file[8] = 2;
    let error = refused(&file).to_string();
    assert!(error.contains("version 2") && error.contains("version 1") && error.contains("motion graph"), "{error}");
    for foreign in [&b"HIERARCHY\nROOT Hips\n"[..], b"\x89STEPS\r\n\x01\0\0\0"] {
        let error = refused(foreign);
        assert!(error.kind == ErrorKind::Format && error.to_string().contains("no motion graph"), "{error}");
    }
}

/// A file with a right checksum, made of these contents.
fn sealed(contents: &[u8]) -> Vec<u8> {
    let mut file = b"\x89GRAPH\r\n\x01\0\0\0".to_vec();
    file.extend((contents.len() as u64).to_le_bytes());
    let mut hash = xxhash_rust::xxh3::Xxh3Default::new();
    hash.update(&file);
    hash.update(contents);
    file.extend(hash.digest().to_le_bytes());
    file.extend(contents);
    file
}

#[test]
fn lengths_that_lie_ask_for_no_memory() {
    let huge = [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01];
    assert_eq!(refused(&sealed(&huge)).kind, ErrorKind::Graph);
    let contents = small_file()[28..].to_vec();
    for at in (0..contents.len()).step_by(contents.len() / 300) {
        let mut changed = contents[..at].to_vec();
        changed.extend(huge);
        changed.extend(&contents[at..]);
        assert!(read_graph(&sealed(&changed)).is_err(), "{at}");
    }
}

#[test]
fn metrics_and_rates_that_are_none_are_refused() {
    let nothing = GraphRecord { metric: Metric::Components(Some(0)), ..graph(Metric::angles(), 0.1) };
    let error = refused(&write_graph(&nothing)).to_string();
    assert!(error.contains("0 principal components"), "{error}");
    for frame_rate in [0.0, -30.0, 1e300, 1e-300, f64::INFINITY] {
        let mut record = graph(Metric::angles(), 0.1);
        let clips = record.graph.set.clips().iter().map(|clip| clip.clone().with_frame_rate(frame_rate));
        record.graph.set = MotionSet::new(clips.collect(), record.graph.set.body().clone()).expect("one rate");
        let error = refused(&write_graph(&record)).to_string();
        assert!(error.contains("frame rate"), "{frame_rate}: {error}");
    }
}

#[test]
fn sealed_nonsense_is_refused_without_a_panic() {
    let contents = small_file()[28..].to_vec();
    assert!(read_graph(&sealed(&contents)).is_ok());
    let n_refused = |places: &mut dyn Iterator<Item = usize>| {
        let mut n_refused = 0;
        for at in places {
            for value in [0, 1, 0x7f, 0x80, 0xff] {
                let mut changed = contents.clone();
                changed[at] = value;
                match read_graph(&sealed(&changed)) {
                    Ok(graph) => assert_eq!(write_graph(&graph).len(), sealed(&changed).len(), "{at}: {value}"),
                    Err(_) => n_refused += 1,
                }
            }
        }
        n_refused
    };
    // The body at the front; window, nodes and edges at the back.
    assert!(n_refused(&mut (0..900)) > 500);
    assert!(n_refused(&mut (contents.len() - 900..contents.len())) > 500);
}
