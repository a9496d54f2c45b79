//! STRIDE: a step from its query to its frames, databases of up to 100,000 steps, and building one.

use divan::{Bencher, black_box};
use std::sync::{Arc, LazyLock};
use surefoot_contact::Footprint;
use surefoot_gait::{Corpus, CorpusOptions, corpus};
use surefoot_geom::{Random, Vec3};
use surefoot_motion::{Pose, Side};
use surefoot_plan::{StepParameters, Stepper, Synthesizer, World};
use surefoot_steps::{
    BuildOptions, ChooseOptions, Place, StepCollector, StepDatabase, StepQuery, Steps, WalkOptions, choose_steps,
};

fn main() {
    divan::main();
}

static CORPUS: LazyLock<Corpus> = LazyLock::new(|| corpus(&CorpusOptions::default()).unwrap());

fn collect() -> StepDatabase {
    let first = &CORPUS.walks().next().unwrap().take;
    let mut collector =
        StepCollector::new(CORPUS.skeleton.clone(), CORPUS.body.clone(), first, BuildOptions::default());
    for take in CORPUS.walks() {
        collector.add(&take.name, &take.take);
    }
    collector.finish().unwrap()
}

/// The corpus's steps, thinned or with copies that differ a little, which share their frames.
fn database(n_steps: usize) -> Arc<StepDatabase> {
    let mut parts = collect().parts().clone();
    let own = parts.steps.clone();
    let mut random = Random::new(1);
    let mut noise = || random.unit() - 0.5;
    parts.steps = (0..n_steps)
        .map(|index| {
            let mut step = own[(index * 7) % own.len()].clone();
            let StepParameters { swing, start_width, end_width, end_length } = step.parameters;
            step.parameters = StepParameters {
                swing,
                start_width: start_width + 0.1 * noise(),
                end_width: end_width + 0.1 * noise(),
                end_length: end_length + 0.1 * noise(),
            };
            step.headings = step.headings.map(|heading| heading + 0.2 * noise());
            step.times.swing += 0.1 * noise();
            step
        })
        .collect();
    Arc::new(StepDatabase::new(parts).unwrap())
}

static DATABASES: LazyLock<[Arc<StepDatabase>; 3]> = LazyLock::new(|| SIZES.map(database));
const SIZES: [usize; 3] = [1_000, 10_000, 100_000];

fn of_size(n_steps: usize) -> &'static Arc<StepDatabase> {
    &DATABASES[SIZES.iter().position(|&size| size == n_steps).unwrap()]
}

/// A winding walk.
fn print(index: usize) -> Footprint {
    let side = Side::BOTH[index % 2];
    let along = 0.6 * index.saturating_sub(1) as f64;
    let heading = 0.3 * (0.4 * along).sin();
    let x = if side == Side::Left { 0.1 } else { -0.1 };
    Footprint { heading: Some(heading), ..Footprint::at(side, Vec3::new(x + heading, 0.0, along)) }
}

fn start(n_steps: usize) -> Stepper {
    let options = WalkOptions { frame_rate: 30.0, ..WalkOptions::default() };
    let steps = Steps::new(of_size(n_steps).clone(), options);
    steps.start(Arc::new(World::default()), [print(0), print(1)]).unwrap()
}

/// Query, candidates, blending, fitting, concatenation, filters and conversion, with all frames of a step at 30 a second.
#[divan::bench(args = SIZES)]
fn walk_step(bencher: Bencher<'_, '_>, n_steps: usize) {
    let mut stepper = start(n_steps).without_checkpoints();
    let mut pose = stepper.skeleton().rest_pose();
    let mut index = 2;
    bencher.bench_local(|| {
        stepper.push(&print(index)).unwrap();
        index += 1;
        while stepper.next_frame(&mut pose).is_some() {}
        black_box(&pose);
    });
}

/// A walk over 200 footprints, with all frames at 30 a second.
fn walk(mut stepper: Stepper) -> Stepper {
    let mut pose = stepper.skeleton().rest_pose();
    for index in 2..200 {
        stepper.push(&print(index)).unwrap();
        while stepper.next_frame(&mut pose).is_some() {}
    }
    stepper
}

/// Beside [`edit_footprint`]: what it costs to walk all footprints again, checkpoints kept.
#[divan::bench(sample_count = 20)]
fn walk_200(bencher: Bencher<'_, '_>) {
    bencher.with_inputs(|| start(SIZES[0])).bench_local_values(walk);
}

/// Footprint 100 of 200 is moved and the 99 after it are kept, in a walk of which all frames were read: from the edit to the
/// first frame that may have changed.
#[divan::bench]
fn edit_footprint(bencher: Bencher<'_, '_>) {
    edit(bencher, |mut stepper, edited, pose| {
        stepper.replace_from(100, edited).unwrap();
        black_box(stepper.next_frame(pose));
        stepper
    });
}

/// The same, to the end of the steps to and from the footprint: the frames of a second and a half.
#[divan::bench]
fn edit_footprint_and_read_its_steps(bencher: Bencher<'_, '_>) {
    edit(bencher, |mut stepper, edited, pose| {
        let until = stepper.replace_from(100, edited).unwrap().first_frame + 45;
        while stepper.n_frames() < until && stepper.next_frame(pose).is_some() {}
        stepper
    });
}

/// The same, to the end of the walk: what an edit costs whose caller waits for all that follows.
#[divan::bench(sample_count = 20)]
fn edit_footprint_and_read_the_rest(bencher: Bencher<'_, '_>) {
    edit(bencher, |mut stepper, edited, pose| {
        stepper.replace_from(100, edited).unwrap();
        while stepper.next_frame(pose).is_some() {}
        stepper
    });
}

/// Copies of the walk are made outside of what is timed.
fn edit(bencher: Bencher<'_, '_>, go: impl Fn(Stepper, &[Footprint], &mut Pose) -> Stepper) {
    let walked = walk(start(SIZES[0]));
    let mut pose = walked.skeleton().rest_pose();
    let mut edited: Vec<Footprint> = (100..200).map(print).collect();
    edited[0].position.z += 0.02;
    bencher.with_inputs(|| walked.clone()).bench_local_values(|stepper| go(stepper, black_box(&edited), &mut pose));
}

/// 800 footprints pushed before any frame is read, and all frames after that.
#[divan::bench(sample_count = 10)]
fn push_800_then_read(bencher: Bencher<'_, '_>) {
    bencher.with_inputs(|| start(SIZES[0])).bench_local_values(|mut stepper| {
        let mut pose = stepper.skeleton().rest_pose();
        for index in 2..800 {
            stepper.push(&print(index)).unwrap();
        }
        while stepper.next_frame(&mut pose).is_some() {}
        stepper
    });
}

/// Which steps are blended.
#[divan::bench(args = SIZES)]
fn choose(bencher: Bencher<'_, '_>, n_steps: usize) {
    let place = |index: usize| Place { ball: print(index).position, heading: print(index).heading };
    let mut index = 2;
    let database = of_size(n_steps);
    bencher.bench_local(|| {
        let query = StepQuery::new(print(index).side, place(index - 1), place(index - 2), place(index), [None; 3]);
        index = 2 + (index - 1) % 40;
        black_box(choose_steps(database, &query, &ChooseOptions::default()))
    });
}

/// Segmentation, cleanup, mirror images and spaces of the corpus: 900 steps and their twins.
#[divan::bench(sample_count = 10, sample_size = 1)]
fn build_database() -> StepDatabase {
    LazyLock::force(&CORPUS);
    collect()
}
