//! Procedural gait: a frame of the live generator, a complete step planned and played at 60 Hz, and plans become takes.

use divan::{Bencher, black_box, counter::ItemsCount};
use std::sync::Arc;
use surefoot_gait::{
    Control, CorpusOptions, Gait, GaitOptions, GaitSettings, GaitSynthesizer, LayOptions, LiveGait, Rig, corpus,
    lay_steps,
};
use surefoot_geom::Vec3;
use surefoot_motion::{PersonOptions, Pose, Poses, Skeleton, person};
use surefoot_plan::{FootPlan, Stepper, Synthesizer, synthesize_take};

fn main() {
    divan::main();
}

const HEIGHT: f64 = 1.8;
const FRAME_RATE: f64 = 60.0;
const GAITS: [Gait; 2] = [Gait::Walk, Gait::Run];

fn figure() -> (Arc<Skeleton>, Rig) {
    let (skeleton, body) = person(&PersonOptions::with_height(HEIGHT)).unwrap();
    let rig = Rig::new(&skeleton, &body, &Poses::default()).unwrap();
    (Arc::new(skeleton), rig)
}

/// Someone in full motion.
fn in_motion(gait: Gait) -> LiveGait {
    let control = Control { settings: GaitSettings::natural(gait, HEIGHT), go: true, turn: 0.0, direction: 0.0 };
    let mut live = LiveGait::new(figure().1, control, Vec3::ZERO, 0.0, None);
    live.advance(5.0);
    live
}

fn step_seconds(gait: Gait) -> f64 {
    let settings = GaitSettings::natural(gait, HEIGHT);
    match gait {
        Gait::Walk => 1.0 / settings.walk.parameters.cadence,
        Gait::Run => 1.0 / settings.run.parameters.cadence,
    }
}

/// One frame of the live generator, all joints; the mean over a second, planning and all.
#[divan::bench(args = GAITS)]
fn live_frame(bencher: Bencher<'_, '_>, gait: Gait) {
    let mut live = in_motion(gait);
    let mut pose = figure().1.rest_pose().clone();
    bencher.counter(ItemsCount::new(60_usize)).bench_local(|| {
        for _ in 0..60 {
            live.advance(1.0 / FRAME_RATE);
            black_box(live.pose(black_box(&mut pose)));
        }
    });
}

/// Only the pose of a frame.
#[divan::bench(args = GAITS)]
fn live_pose(bencher: Bencher<'_, '_>, gait: Gait) {
    let live = in_motion(gait);
    let mut pose = figure().1.rest_pose().clone();
    bencher.bench_local(|| live.pose(black_box(&mut pose)));
}

/// Only the posture of a frame, before any skeleton takes it.
#[divan::bench(args = GAITS)]
fn live_posture(bencher: Bencher<'_, '_>, gait: Gait) {
    let live = in_motion(gait);
    bencher.bench_local(|| black_box(&live).posture());
}

/// The planning of one step.
#[divan::bench(args = GAITS)]
fn plan_step(bencher: Bencher<'_, '_>, gait: Gait) {
    let mut live = in_motion(gait);
    let seconds = step_seconds(gait);
    bencher.bench_local(|| live.advance(black_box(seconds)));
}

/// A complete step: planned, and all joints of its frames at 60 Hz.
#[divan::bench(args = GAITS)]
fn whole_step(bencher: Bencher<'_, '_>, gait: Gait) {
    let mut live = in_motion(gait);
    let mut pose = figure().1.rest_pose().clone();
    let n_frames = (step_seconds(gait) * FRAME_RATE).ceil() as usize;
    let dt = step_seconds(gait) / n_frames as f64;
    bencher.bench_local(|| {
        for _ in 0..n_frames {
            live.advance(dt);
            black_box(live.pose(black_box(&mut pose)));
        }
    });
}

/// A plan of 20 steps becomes a take at 60 Hz; items are frames.
#[divan::bench(args = GAITS)]
fn follow(bencher: Bencher<'_, '_>, gait: Gait) {
    let (skeleton, rig) = figure();
    let settings = GaitSettings::natural(gait, HEIGHT);
    let plan = lay_steps(rig.proportions(), &settings, &LayOptions { n_steps: Some(20), ..LayOptions::default() })
        .expect("a plan");
    let options = GaitOptions { settings, frame_rate: FRAME_RATE, standing: 0.5 };
    let synthesizer = GaitSynthesizer::new(skeleton, rig, &options);
    let world = Arc::default();
    let go = || synthesize_take(&synthesizer, &world, black_box(&plan), "gait").unwrap();
    let n_frames = go().take.clip.n_frames();
    bencher.counter(ItemsCount::new(n_frames)).bench(go);
}

/// A walk of 200 steps, made and finished, all of its frames read.
fn long_walk() -> (GaitSynthesizer, FootPlan) {
    let (skeleton, rig) = figure();
    let settings = GaitSettings::natural(Gait::Walk, HEIGHT);
    let plan = lay_steps(rig.proportions(), &settings, &LayOptions { n_steps: Some(200), ..LayOptions::default() })
        .expect("a plan");
    let options = GaitOptions { settings, frame_rate: FRAME_RATE, standing: 0.5 };
    (GaitSynthesizer::new(skeleton, rig, &options), plan)
}

fn read_all(stepper: &mut Stepper, pose: &mut Pose) -> usize {
    std::iter::from_fn(|| stepper.next_frame(pose)).map(black_box).count()
}

/// A walk of 200 steps through a stepper that can be edited, all frames read; what an edit is held against.
#[divan::bench]
fn step_200_footprints(bencher: Bencher<'_, '_>) {
    let (synthesizer, plan) = long_walk();
    bencher.bench_local(|| walk_to_the_end(&synthesizer, black_box(&plan)));
}

fn walk_to_the_end(synthesizer: &GaitSynthesizer, plan: &FootPlan) -> Stepper {
    let [first, second, rest @ ..] = &plan.footprints[..] else { unreachable!("a walk has steps") };
    let mut stepper = synthesizer.start(Arc::default(), [*first, *second]).unwrap();
    let mut pose = stepper.skeleton().rest_pose();
    for print in rest {
        stepper.push(print).unwrap();
        read_all(&mut stepper, &mut pose);
    }
    stepper.finish().unwrap();
    read_all(&mut stepper, &mut pose);
    stepper
}

/// Footprint 100 of 200 moved and all after it kept, in a walk of which all frames were read: from the edit to the end of the
/// steps to and from it, a second and a half.
#[divan::bench]
fn edit_footprint(bencher: Bencher<'_, '_>) {
    let (synthesizer, plan) = long_walk();
    let walked = walk_to_the_end(&synthesizer, &plan);
    let mut pose = walked.skeleton().rest_pose();
    let mut prints = plan.footprints[100..].to_vec();
    prints[0].position.x += 0.05;
    bencher.with_inputs(|| walked.clone()).bench_local_values(|mut stepper| {
        let until = stepper.replace_from(100, black_box(&prints)).unwrap().first_frame + (1.5 * FRAME_RATE) as usize;
        while stepper.n_frames() < until && stepper.next_frame(&mut pose).is_some() {}
        stepper
    });
}

/// The complete built-in corpus at 60 Hz; items are steps.
#[divan::bench]
fn make_corpus(bencher: Bencher<'_, '_>) {
    let go = || corpus(black_box(&CorpusOptions::default())).unwrap();
    let n_steps: usize = go().takes.iter().map(|take| take.plan.footprints.len() - 2).sum();
    bencher.counter(ItemsCount::new(n_steps)).bench(go);
}
