//! Plans without labels or times, in which people walk, run, jump, hop and climb: 200 random ones, all exact or refused with a reason.

use std::sync::{Arc, LazyLock};
use surefoot::compose::{ComposeSynthesizer, FlightLibrary};
use surefoot::contact::{Behaviour, FootPlan, Footprint};
use surefoot::corpus_steps;
use surefoot::gait::CorpusOptions;
use surefoot::geom::{Transform, Vec3};
use surefoot::jobs::{compose_on, corpus_behaviours, demo_courses, plan_as_flown, random_course};
use surefoot::motion::{Pose, Side};
use surefoot::plan::{StepOrigin, Stepper, Synthesizer, World, synthesize};
use surefoot::steps::{Steps, WalkOptions};

const N_PLANS: u64 = 200;
/// What every ball must keep to over the middle 60 % of its stance, in metres.
const EXACT: f64 = 1e-4;
/// Of 200 plans, as many as this may be refused: whoever lays footprints by chance lays some that nobody could take.
const MOST_REFUSED: usize = 10;

static COMPOSER: LazyLock<ComposeSynthesizer> = LazyLock::new(|| {
    let options = CorpusOptions::default();
    let steps = Steps::new(Arc::new(corpus_steps(&options).expect("steps")), WalkOptions::default());
    compose_on((&steps, &FlightLibrary::default()), &corpus_behaviours(&options).expect("behaviours"), None, None)
        .expect("a composer")
});

#[test]
fn random_plans_of_all_behaviours_are_stepped_on_exactly_or_refused_with_the_footprint() {
    let world = Arc::new(World::default());
    let (mut refused, mut missed) = (Vec::new(), Vec::new());
    let mut seen = [0usize; 4];
    for seed in 0..N_PLANS {
        let plan = random_course(seed);
        match synthesize(&*COMPOSER, &world, &plan, "mixed") {
            Ok(made) => {
                let miss = made.report.largest_miss();
                if miss > EXACT {
                    missed.push((seed, 1000.0 * miss));
                }
                for row in &made.report.footprints {
                    let which = [Behaviour::Run, Behaviour::Jump, Behaviour::Hop, Behaviour::Stair];
                    if let Some(at) = which.iter().position(|behaviour| row.behaviour == Some(*behaviour)) {
                        seen[at] += 1;
                    }
                }
                let poses = made.take.clip.poses();
                assert!(poses.transforms().iter().all(Transform::is_finite), "seed {seed}");
            }
            Err(error) => {
                assert!(error.footprint().is_some(), "seed {seed}: {error}");
                refused.push((seed, error.to_string()));
            }
        }
    }
    assert!(missed.is_empty(), "mm: {missed:?}");
    assert!(refused.len() <= MOST_REFUSED, "{refused:#?}");
    assert!(seen.iter().all(|count| *count > 50), "runs, jumps, hops and stairs: {seen:?}");
}

#[test]
fn courses_of_the_demo_are_exact_and_have_all_behaviours() {
    let world = Arc::new(World::default());
    for demo in demo_courses() {
        let made = synthesize(&*COMPOSER, &world, &demo.plan, demo.name).expect(demo.name);
        assert!(made.report.largest_miss() < EXACT, "{}: {}", demo.name, made.report.largest_miss());
        assert!(made.report.footprints.iter().any(|row| row.behaviour == Some(Behaviour::Jump)), "{}", demo.name);
        assert!(made.report.footprints.iter().any(|row| row.origin == StepOrigin::Blended), "{}", demo.name);
        let flown = plan_as_flown(&demo.plan, &made.report);
        let n_flights = flown.footprints.iter().filter(|print| print.support == Some(0.0)).count();
        assert_eq!(n_flights, made.report.metrics.flights.map_or(0, |flights| flights.count), "{}", demo.name);
        let again = synthesize(&*COMPOSER, &world, &flown, demo.name).expect(demo.name);
        assert!(again.take == made.take, "{}: a plan with its flights is the same plan", demo.name);
    }
}

#[test]
fn a_single_step_through_the_air_between_walks_is_a_leap() {
    let along = [0.0, 0.0, 0.51, 1.24, 2.61, 3.21, 3.68, 4.16, 4.72, 5.2, 5.2];
    let print = |(index, z): (usize, &f64)| {
        let (side, x) = if index.is_multiple_of(2) { (Side::Left, 0.1) } else { (Side::Right, -0.1) };
        Footprint { heading: Some(0.0), ..Footprint::at(side, Vec3::new(x, 0.0, *z)) }
    };
    let plan = FootPlan { footprints: along.iter().enumerate().map(print).collect() };
    let decided = COMPOSER.decide(&plan).expect("decisions");
    assert_eq!(decided[4].behaviour, Behaviour::Jump, "{}", decided[4].reason);
    assert!(decided[2..].iter().all(|planned| planned.behaviour != Behaviour::Run));
    let made = synthesize(&*COMPOSER, &Arc::new(World::default()), &plan, "leap").expect("a motion");
    let fall = made.report.metrics.fall.expect("feet that are planted");
    assert!(fall.value < 1.0, "{fall:?}");
}

#[test]
fn frames_that_were_given_out_stay_when_footprints_come_one_by_one() {
    let world = Arc::new(World::default());
    let plan = COMPOSER.prepare(&random_course(3));
    let [first, second, ..] = plan.footprints[..] else { panic!("standing feet") };
    let start = || COMPOSER.start(world.clone(), [first, second]).expect("a stepper");
    let frames = |stepper: &mut Stepper| {
        let mut pose: Pose = stepper.skeleton().rest_pose();
        let mut frames = Vec::new();
        while stepper.next_frame(&mut pose).is_some() {
            frames.push(pose.clone());
        }
        frames
    };
    let (mut read, mut unread) = (start(), start());
    let mut given = Vec::new();
    for print in &plan.footprints[2..] {
        read.push(print).expect("a step");
        unread.push(print).expect("a step");
        given.extend(frames(&mut read));
    }
    let n_before_end = given.len();
    for stepper in [&mut read, &mut unread] {
        stepper.finish().expect("an end");
    }
    given.extend(frames(&mut read));
    let at_once = frames(&mut unread);
    assert!(n_before_end > 60 && n_before_end < given.len(), "{n_before_end} of {} frames", given.len());
    assert_eq!(given.len(), at_once.len());
    let differs = given.iter().zip(&at_once).position(|(given, other)| given != other);
    assert_eq!(differs, None, "of {n_before_end} frames that came before the end");
}
