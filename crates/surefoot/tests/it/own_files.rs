//! Files that we write raise no doubt about their frame rate.

use surefoot::formats::bvh::{BvhOptions, read_bvh, write_bvh};
use surefoot::formats::{ImportOptions, import};
use surefoot::gait::{CorpusOptions, corpus};

/// Words of diagnostics that doubt a rate (`docs/DIAGNOSTICS.md`).
const DOUBTS: [&str; 2] = ["frame_rate", "cadence_implausible"];

#[test]
fn no_take_of_the_corpus_is_doubted() {
    let corpus = corpus(&CorpusOptions { frame_rate: 30.0, ..CorpusOptions::default() }).expect("a corpus");
    let mut doubted = Vec::new();
    for take in &corpus.takes {
        let text = write_bvh(&take.take.clip, &BvhOptions { unit_to_metre: 0.01, channels: None });
        let document = read_bvh(&text.bytes).expect("what we write, we read").into_document();
        let read = import(document, &ImportOptions::default()).expect("what we write, we import");
        let doubts = read.diagnostics.iter().filter(|told| DOUBTS.contains(&told.code));
        doubted.extend(doubts.map(|told| format!("{}: {}", take.name, told.message)));
    }
    assert!(corpus.takes.len() > 200 && doubted.is_empty(), "{doubted:#?}");
}
