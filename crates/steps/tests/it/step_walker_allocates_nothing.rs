//! A walker's frames cost no memory: all of it is had when footprints come in.

use allocation_counter::measure;
use std::sync::Arc;
use surefoot_contact::Footprint;
use surefoot_gait::{CorpusOptions, corpus};
use surefoot_geom::Vec3;
use surefoot_motion::Side;
use surefoot_steps::{BuildOptions, StepCollector, StepWalker, WalkOptions};

fn print(index: usize) -> Footprint {
    let side = Side::BOTH[index % 2];
    let x = if side == Side::Left { 0.1 } else { -0.1 };
    let position = Vec3::new(x, 0.0, 0.6 * index.saturating_sub(1) as f64);
    Footprint { heading: Some(0.0), ..Footprint::at(side, position) }
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
    for _ in 0..5 {
        walker.push(&print(index));
        walker.push(&print(index + 1));
        index += 2;
        let mut n_frames = 0;
        let used = measure(|| {
            while walker.next_frame(&mut pose).is_some() {
                n_frames += 1;
            }
        });
        assert!(n_frames > 20);
        assert_eq!(used.count_total, 0);
    }
}
