//! Plans without labels or times, in which people walk, run, jump and hop: 200 random ones, all exact or refused with a reason.

use std::sync::{Arc, LazyLock};
use surefoot::compose::ComposeSynthesizer;
use surefoot::contact::{Behaviour, FootPlan, Footprint};
use surefoot::corpus_steps;
use surefoot::gait::CorpusOptions;
use surefoot::geom::{Random, Transform, Vec3};
use surefoot::jobs::{compose_on, corpus_behaviours, demo_courses};
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
    compose_on(&steps, &corpus_behaviours(&options).expect("behaviours"), None, None).expect("a composer")
});

/// Someone who leaves footprints.
struct Trail {
    at: Vec3,
    heading: f64,
    prints: Vec<Footprint>,
}

impl Trail {
    fn put(&mut self, side: Side, width: f64) {
        let to_left = Vec3::new(self.heading.cos(), 0.0, -self.heading.sin());
        let half = if side == Side::Left { 0.5 } else { -0.5 } * width;
        self.prints.push(Footprint { heading: Some(self.heading), ..Footprint::at(side, self.at + half * to_left) });
    }

    fn go(&mut self, length: f64, turn: f64) {
        self.heading += 0.5 * turn;
        self.at += length * Vec3::new(self.heading.sin(), 0.0, self.heading.cos());
        self.heading += 0.5 * turn;
    }

    fn last(&self) -> Side {
        self.prints[self.prints.len() - 1].side
    }

    fn step(&mut self, length: f64, turn: f64, width: f64) {
        self.go(length, turn);
        self.put(self.last().opposite(), width);
    }
}

/// A plan of walks with runs, jumps of all patterns and hops between them.
fn mixed_plan(seed: u64) -> FootPlan {
    let mut numbers = Random::new(seed);
    let first = if numbers.chance(0.5) { Side::Left } else { Side::Right };
    let mut trail = Trail { at: Vec3::ZERO, heading: numbers.range(-3.0, 3.0), prints: Vec::new() };
    trail.put(first, 0.2);
    trail.put(first.opposite(), 0.2);
    let walk = |trail: &mut Trail, numbers: &mut Random| {
        for _ in 0..2 + numbers.next_u64() % 3 {
            trail.step(numbers.range(0.45, 0.75), numbers.range(-0.3, 0.3), 0.2);
        }
    };
    walk(&mut trail, &mut numbers);
    for _ in 0..1 + numbers.next_u64() % 2 {
        match numbers.next_u64() % 6 {
            0 => {
                trail.step(numbers.range(0.9, 1.0), 0.0, 0.12);
                for _ in 0..3 + numbers.next_u64() % 3 {
                    trail.step(numbers.range(1.0, 1.5), numbers.range(-0.15, 0.15), 0.12);
                }
                trail.step(numbers.range(0.9, 1.0), 0.0, 0.12);
            }
            1 => {
                trail.step(0.0, 0.0, 0.2);
                for _ in 0..1 + numbers.next_u64() % 3 {
                    trail.step(numbers.range(0.5, 1.3), 0.0, 0.2);
                    trail.step(0.0, 0.0, 0.2);
                }
            }
            2 => {
                trail.step(numbers.range(0.8, 1.4), 0.0, 0.2);
                trail.step(0.0, 0.0, 0.2);
            }
            3 => trail.step(numbers.range(1.3, 1.9), 0.0, 0.15),
            4 => {
                for _ in 0..1 + numbers.next_u64() % 3 {
                    trail.go(numbers.range(0.3, 0.7), 0.0);
                    trail.put(trail.last(), 0.2);
                }
            }
            _ => {
                trail.step(0.0, 0.0, 0.2);
                trail.step(numbers.range(0.9, 1.3), 0.0, 0.2);
            }
        }
        walk(&mut trail, &mut numbers);
    }
    trail.step(numbers.range(0.4, 0.6), 0.0, 0.2);
    trail.step(0.0, 0.0, 0.2);
    FootPlan { footprints: trail.prints }
}

#[test]
fn random_plans_of_all_behaviours_are_stepped_on_exactly_or_refused_with_the_footprint() {
    let world = Arc::new(World::default());
    let (mut refused, mut missed) = (Vec::new(), Vec::new());
    let mut seen = [0usize; 3];
    for seed in 0..N_PLANS {
        let plan = mixed_plan(seed);
        match synthesize(&*COMPOSER, &world, &plan, "mixed") {
            Ok(made) => {
                let miss = made.report.largest_miss();
                if miss > EXACT {
                    missed.push((seed, 1000.0 * miss));
                }
                for row in &made.report.footprints {
                    let which = [Behaviour::Run, Behaviour::Jump, Behaviour::Hop];
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
    assert!(seen.iter().all(|count| *count > 50), "runs, jumps and hops: {seen:?}");
}

#[test]
fn courses_of_the_demo_are_exact_and_have_all_behaviours() {
    let world = Arc::new(World::default());
    for demo in demo_courses() {
        let made = synthesize(&*COMPOSER, &world, &demo.plan, demo.name).expect(demo.name);
        assert!(made.report.largest_miss() < EXACT, "{}: {}", demo.name, made.report.largest_miss());
        assert!(made.report.footprints.iter().any(|row| row.behaviour == Some(Behaviour::Jump)), "{}", demo.name);
        assert!(made.report.footprints.iter().any(|row| row.origin == StepOrigin::Blended), "{}", demo.name);
    }
}

#[test]
fn frames_that_were_given_out_stay_when_footprints_come_one_by_one() {
    let world = Arc::new(World::default());
    let plan = COMPOSER.prepare(&mixed_plan(3));
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
