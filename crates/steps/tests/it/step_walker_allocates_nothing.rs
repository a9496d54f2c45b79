//! A stepper's frames cost no memory: all of it is had when footprints come in.

use allocation_counter::measure;
use std::sync::Arc;
use surefoot_contact::Footprint;
use surefoot_gait::{CorpusOptions, corpus};
use surefoot_geom::Vec3;
use surefoot_motion::Side;
use surefoot_plan::{Stepper, Synthesizer, World};
use surefoot_steps::{BuildOptions, StepCollector, Steps, WalkOptions};

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
    let steps = Steps::new(database, WalkOptions::default());
    let mut stepper = steps.start(Arc::new(World::default()), [print(0), print(1)]).unwrap();
    let mut check = |stepper: &mut Stepper, least: usize| {
        let mut n_frames = 0;
        let used = measure(|| {
            while stepper.next_frame(&mut pose).is_some() {
                n_frames += 1;
            }
        });
        assert!(n_frames >= least);
        assert_eq!(used.count_total, 0);
    };
    let mut index = 2;
    for _ in 0..5 {
        stepper.push(&print(index)).unwrap();
        stepper.push(&print(index + 1)).unwrap();
        index += 2;
        check(&mut stepper.clone(), 20);
        check(&mut stepper, 20);
    }
    let mut edited = stepper.clone();
    edited.replace_from(6, &[print(6), print(7), print(8)]).unwrap();
    check(&mut edited, 20);
    stepper.finish().unwrap();
    check(&mut stepper.clone(), 10);
    check(&mut stepper, 10);
}
