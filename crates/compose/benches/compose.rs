//! COMPOSE: a plan without labels or times to frames at 60 Hz, with 600 and 10,000 recorded steps.

use divan::Bencher;
use divan::counter::ItemsCount;
use std::sync::{Arc, LazyLock};
use surefoot_compose::{
    BehaviourClip, BehaviourDatabase, ComposeSynthesizer, Recogniser, RecogniserOptions, segment_behaviours,
};
use surefoot_contact::{FootPlan, Footprint};
use surefoot_gait::{Corpus, CorpusOptions, Rig, corpus};
use surefoot_geom::{Random, Vec3};
use surefoot_motion::Side;
use surefoot_plan::{World, synthesize_take};
use surefoot_steps::{BuildOptions, StepCollector, StepDatabase, Steps, WalkOptions};

fn main() {
    divan::main();
}

static CORPUS: LazyLock<Corpus> = LazyLock::new(|| corpus(&CorpusOptions::default()).unwrap());

static RECOGNISER: LazyLock<Arc<Recogniser>> = LazyLock::new(|| {
    let clips = CORPUS.takes.iter().map(|made| BehaviourClip {
        name: made.name.clone(),
        actor: "corpus".to_string(),
        frame_rate: made.take.clip.frame_rate,
        n_frames: made.take.clip.n_frames(),
        leg_length: made.take.body.leg_length(&made.take.clip.skeleton),
        segmentation: segment_behaviours(&made.take),
    });
    let database = BehaviourDatabase::new(clips.collect()).unwrap();
    Arc::new(Recogniser::learn(&database, &RecogniserOptions::default()).unwrap())
});

/// The corpus's steps, thinned or with copies that differ a little.
fn composer(n_steps: usize) -> ComposeSynthesizer {
    let first = &CORPUS.walks().next().unwrap().take;
    let mut collector =
        StepCollector::new(CORPUS.skeleton.clone(), CORPUS.body.clone(), first, BuildOptions::default());
    for take in CORPUS.walks() {
        collector.add(&take.name, &take.take);
    }
    let mut parts = collector.finish().unwrap().parts().clone();
    let own = parts.steps.clone();
    let mut random = Random::new(1);
    parts.steps = (0..n_steps)
        .map(|index| {
            let mut step = own[(index * 7) % own.len()].clone();
            step.parameters.end_length += 0.1 * (random.unit() - 0.5);
            step.parameters.end_width += 0.1 * (random.unit() - 0.5);
            step
        })
        .collect();
    let steps = Steps::new(Arc::new(StepDatabase::new(parts).unwrap()), WalkOptions::default());
    let body = steps.database.body();
    let rig = Rig::new(body.skeleton(), body.body(), &steps.database.typical_poses()).unwrap();
    ComposeSynthesizer::new(steps, rig, RECOGNISER.clone())
}

/// Walks, runs, and jumps on both feet by turns.
fn plan() -> FootPlan {
    let mut footprints: Vec<Footprint> = Vec::new();
    let mut along = 0.0;
    let lengths = [0.6, 0.7, 0.75, 1.0, 1.3, 1.3, 1.3, 1.0, 0.7, 0.6, 0.0, 1.0, 0.0, 0.6, 0.65];
    let mut put = |length: f64| {
        along += length;
        let side = Side::BOTH[footprints.len() % 2];
        let x = if side == Side::Left { 0.1 } else { -0.1 };
        footprints.push(Footprint { heading: Some(0.0), ..Footprint::at(side, Vec3::new(x, 0.0, along)) });
    };
    [0.0, 0.0].into_iter().for_each(&mut put);
    (0..3).for_each(|_| lengths.into_iter().for_each(&mut put));
    put(0.0);
    FootPlan { footprints }
}

/// A whole plan, frames included: by the step.
#[divan::bench(args = [600, 10_000], sample_count = 10)]
fn compose_plan_by_step(bencher: Bencher<'_, '_>, n_steps: usize) {
    let (composer, plan, world) = (composer(n_steps), plan(), Arc::new(World::default()));
    bencher
        .counter(ItemsCount::new(plan.footprints.len() - 2))
        .bench_local(|| synthesize_take(&composer, &world, &plan, "bench").unwrap());
}
