//! A walker's frames cost no memory: all of it is had when footprints come in.

use peak_alloc::PeakAlloc;
use std::sync::Arc;
use surefoot_geom::Vec3;
use surefoot_locomotion::Footprint;
use surefoot_locomotion::gait::{CorpusOptions, corpus};
use surefoot_locomotion::steps::{BuildOptions, StepCollector, StepWalker, WalkOptions};
use surefoot_motion::Side;

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

/// The test harness allocates in a thread of its own now and then; what allocates here does so in every round.
const ROUNDS: usize = 5;

fn print(index: usize) -> Footprint {
    let side = Side::BOTH[index % 2];
    let x = if side == Side::Left { 0.1 } else { -0.1 };
    let position = Vec3::new(x, 0.0, 0.6 * index.saturating_sub(1) as f64);
    Footprint { side, position, heading: Some(0.0), swing: None, support: None }
}

#[test]
fn frames_allocate_nothing() {
    let corpus = corpus(&CorpusOptions::default()).unwrap();
    let first = &corpus.walks().next().unwrap().take;
    let mut collector =
        StepCollector::new(corpus.skeleton.clone(), corpus.body.clone(), first, BuildOptions::default());
    for take in corpus.walks().step_by(8) {
        collector.add(&take.name, &take.take);
    }
    let database = Arc::new(collector.finish().unwrap());
    let mut pose = database.body().skeleton().rest_pose();
    let mut walker = StepWalker::new(database, WalkOptions::default(), [print(0), print(1)]);
    let mut index = 2;
    let is_still = (0..ROUNDS).any(|_| {
        walker.push(&print(index));
        walker.push(&print(index + 1));
        index += 2;
        let before = MEMORY.current_usage();
        MEMORY.reset_peak_usage();
        let mut n_frames = 0;
        while walker.next_frame(&mut pose).is_some() {
            n_frames += 1;
        }
        n_frames > 20 && (MEMORY.current_usage(), MEMORY.peak_usage()) == (before, before)
    });
    assert!(is_still, "memory was allocated in each of {ROUNDS} rounds");
}
