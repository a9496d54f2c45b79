//! A stepper gives the same frames however its footprints came, and survives whatever it is handed.

use crate::steps_walk::{DATABASE, random_plan};
use proptest::prelude::*;
use std::sync::Arc;
use surefoot_geom::{Random, Transform, Vec3};
use surefoot_motion::{Pose, Side};
use surefoot_plan::{
    Behaviour, FootPlan, Footprint, FrameContacts, Stepper, Synthesizer, World, stand_at_ends, synthesize,
};
use surefoot_steps::{Steps, WalkOptions};

fn steps() -> Steps {
    Steps::new(DATABASE.clone(), WalkOptions { frame_rate: 30.0, ..WalkOptions::default() })
}

fn start(plan: &FootPlan) -> Stepper {
    steps().start(Arc::new(World::default()), [plan.footprints[0], plan.footprints[1]]).unwrap()
}

/// All frames that are ready, appended.
fn drain(stepper: &mut Stepper, frames: &mut Vec<(Pose, FrameContacts)>) {
    let mut pose = stepper.skeleton().rest_pose();
    while let Some(contacts) = stepper.next_frame(&mut pose) {
        frames.push((pose.clone(), contacts));
    }
}

fn finished(mut stepper: Stepper, mut frames: Vec<(Pose, FrameContacts)>) -> Vec<(Pose, FrameContacts)> {
    stepper.finish().unwrap();
    drain(&mut stepper, &mut frames);
    frames
}

fn push_all(stepper: &mut Stepper, prints: &[Footprint]) {
    for print in prints {
        stepper.push(print).unwrap();
    }
}

/// Pushes all, then takes all frames.
fn all_at_once(plan: &FootPlan) -> Vec<(Pose, FrameContacts)> {
    let mut stepper = start(plan);
    push_all(&mut stepper, &plan.footprints[2..]);
    finished(stepper, Vec::new())
}

#[test]
fn frames_are_the_same_whenever_they_are_asked_for() {
    for seed in [7, 8, 9] {
        let plan = stand_at_ends(&random_plan(seed, 0.05));
        let all = all_at_once(&plan);
        let (mut stepper, mut frames) = (start(&plan), Vec::new());
        for print in &plan.footprints[2..] {
            stepper.push(print).unwrap();
            drain(&mut stepper, &mut frames);
        }
        assert!(finished(stepper, frames) == all, "seed {seed}: drained after each push");
        // A plan that is known to its end may have other steps, whoever pushes it.
        let world = Arc::new(World::default());
        let mut planned = steps().start_plan(world.clone(), &plan).unwrap();
        push_all(&mut planned, &plan.footprints[2..]);
        let complete = synthesize(&steps(), &world, &plan, "walk").unwrap();
        let poses = finished(planned, Vec::new()).into_iter().map(|(pose, _)| pose).collect();
        assert!(*complete.take.clip.poses() == poses, "seed {seed}: a complete plan");
    }
}

#[test]
fn a_clone_goes_on_by_itself() {
    let plan = random_plan(11, 0.05);
    let all = all_at_once(&plan);
    for at in [2, 5, 9] {
        let (mut stepper, mut frames) = (start(&plan), Vec::new());
        for print in &plan.footprints[2..at] {
            stepper.push(print).unwrap();
            drain(&mut stepper, &mut frames);
        }
        let (mut other, seen) = (stepper.clone(), frames.clone());
        for one in [&mut stepper, &mut other] {
            push_all(one, &plan.footprints[at..]);
        }
        assert!(finished(stepper, frames) == all && finished(other, seen) == all, "cloned before {at}");
    }
}

#[test]
fn an_edit_and_its_undoing_leave_no_trace() {
    let plan = random_plan(12, 0.05);
    let all = all_at_once(&plan);
    let mut random = Random::new(5);
    for is_drained in [false, true] {
        for from in 2..plan.footprints.len() {
            let (mut stepper, mut frames) = (start(&plan), Vec::new());
            for print in &plan.footprints[2..] {
                stepper.push(print).unwrap();
                if is_drained {
                    drain(&mut stepper, &mut frames);
                }
            }
            let mut moved = plan.clone();
            let at = &mut moved.footprints[from].position;
            *at += Vec3::new(random.range(-0.04, 0.04), 0.02, random.range(-0.04, 0.04));
            let edited = stepper.replace_from(from, &moved.footprints[from..]).unwrap();
            frames.truncate(edited.first_frame);
            let mut changed = frames.clone();
            let mut copy = stepper.clone();
            drain(&mut copy, &mut changed);
            assert!(finished(copy, changed) == all_at_once(&moved), "footprint {from} edited");
            let back = stepper.replace_from(from, &plan.footprints[from..]).unwrap();
            frames.truncate(back.first_frame);
            assert!(finished(stepper, frames) == all, "footprint {from} edited back");
        }
    }
}

#[test]
fn someone_who_stands_starts_slowly_in_live_use_too() {
    let mut plan = random_plan(7, 0.0);
    plan.footprints.truncate(5);
    (plan.footprints[0].position, plan.footprints[1].position) = (Vec3::new(0.1, 0.0, 0.0), Vec3::new(-0.1, 0.0, 0.0));
    plan.footprints[2].position = Vec3::new(0.1, 0.0, 0.4);
    let mut stepper = start(&plan);
    let outcome = stepper.push(&plan.footprints[2]).unwrap();
    assert!((outcome.lift - 0.45).abs() < 1e-9, "{outcome:?}");
}

/// A footprint as a careless or hostile caller passes it: near `around` for the most part.
fn any_footprint() -> impl Strategy<Value = Footprint> {
    let number = prop_oneof![
        8 => -0.6..0.6f64,
        1 => prop_oneof![Just(f64::NAN), Just(f64::INFINITY), Just(-f64::INFINITY), Just(1e300), Just(-1e9)],
        1 => -5.0..5.0f64,
    ];
    let time = || {
        prop_oneof![
            6 => Just(None),
            3 => (0.0..1.0f64).prop_map(Some),
            1 => prop_oneof![Just(-1.0), Just(f64::NAN), Just(0.0), Just(3600.0), Just(300.0), Just(1e-300)].prop_map(Some),
        ]
    };
    let heading = prop_oneof![3 => Just(None), 3 => (-1.0..1.0f64).prop_map(Some), 1 => Just(Some(1e6)), 1 => Just(Some(f64::NAN))];
    let behaviour = prop_oneof![9 => Just(None), 1 => prop::sample::select(&Behaviour::ALL[..]).prop_map(Some)];
    let height = prop_oneof![4 => Just(0.0), 2 => -0.3..0.3f64, 1 => Just(f64::NAN)];
    let places = (number.clone(), height, number);
    let normal = prop_oneof![8 => Just(Vec3::Y), 1 => Just(Vec3::ZERO), 1 => Just(Vec3::new(0.0, 0.8, 0.6))];
    (any::<bool>(), places, heading, (time(), time(), time(), time()), behaviour, normal).prop_map(
        |(is_left, (x, y, z), heading, (swing, support, land, leave), behaviour, normal)| {
            let side = if is_left { Side::Left } else { Side::Right };
            let place = Footprint::at(side, Vec3::new(x, y, z));
            Footprint { heading, swing, support, land, leave, behaviour, normal, ..place }
        },
    )
}

#[derive(Clone, Debug)]
enum Act {
    /// Hostile footprints, moved to where the walker is.
    Push(Footprint),
    /// A sensible step from where the walker is.
    Step(f64),
    Replace(usize, Vec<Footprint>),
    Finish,
    Frames(usize),
    Clone,
}

fn any_act() -> impl Strategy<Value = Act> {
    prop_oneof![
        4 => any_footprint().prop_map(Act::Push),
        6 => (0.1..0.7f64).prop_map(Act::Step),
        2 => (0usize..12, prop::collection::vec(any_footprint(), 0..3)).prop_map(|(from, prints)| Act::Replace(from, prints)),
        1 => Just(Act::Finish),
        3 => (0usize..60).prop_map(Act::Frames),
        1 => Just(Act::Clone),
    ]
}

/// Around the last footprint, if that was a place at all.
fn moved(print: &Footprint, by: Vec3) -> Footprint {
    Footprint { position: print.position + by, ..*print }
}

/// What a caller can see of a stepper.
fn seen(stepper: &Stepper) -> (Vec<Footprint>, usize, usize) {
    (stepper.footprints().to_vec(), stepper.outcomes().len(), stepper.n_frames())
}

fn act(stepper: &mut Stepper, act: &Act, pose: &mut Pose) {
    let last = stepper.footprints()[stepper.footprints().len() - 1];
    let before = seen(stepper);
    let mut untouched = stepper.clone();
    let is_refused = match act {
        Act::Push(print) => stepper.push(&moved(print, last.position)).is_err(),
        Act::Step(length) => {
            let side = last.side.opposite();
            let across = if side == Side::Left { 0.2 } else { -0.2 };
            stepper.push(&Footprint::at(side, last.position + Vec3::new(across, 0.0, *length))).is_err()
        }
        Act::Replace(from, prints) => {
            let place = stepper.footprints().get(from.wrapping_sub(1)).map_or(Vec3::ZERO, |print| print.position);
            let prints: Vec<Footprint> = prints.iter().map(|print| moved(print, place)).collect();
            stepper.replace_from(*from, &prints).is_err()
        }
        Act::Finish => {
            stepper.finish().unwrap();
            false
        }
        Act::Frames(n) => {
            for _ in 0..*n {
                if stepper.next_frame(pose).is_some() {
                    assert!(pose.local.iter().all(Transform::is_finite));
                }
            }
            false
        }
        Act::Clone => {
            *stepper = stepper.clone();
            false
        }
    };
    if is_refused {
        assert_eq!(seen(stepper), before, "{act:?} was refused and changed what is seen");
        let mut same = stepper.clone();
        let mut other = pose.clone();
        for _ in 0..3 {
            assert_eq!(
                same.next_frame(pose),
                untouched.next_frame(&mut other),
                "{act:?} was refused and changed frames"
            );
            assert_eq!(pose, &other);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    #[test]
    fn nothing_that_a_caller_does_panics_or_makes_numbers_that_are_none(
        acts in prop::collection::vec(any_act(), 1..25),
        standing in prop::option::of((any_footprint(), any_footprint())),
    ) {
        let usual = [Side::Left, Side::Right].map(|side| {
            Footprint::at(side, Vec3::new(if side == Side::Left { 0.1 } else { -0.1 }, 0.0, 0.0))
        });
        let standing = standing.map_or(usual, |(a, b)| [a, b]);
        let Ok(mut stepper) = steps().start(Arc::new(World::default()), standing) else { return Ok(()) };
        let mut pose = stepper.skeleton().rest_pose();
        for one in &acts {
            act(&mut stepper, one, &mut pose);
        }
        stepper.finish().unwrap();
        while stepper.next_frame(&mut pose).is_some() {
            prop_assert!(pose.local.iter().all(Transform::is_finite));
        }
    }
}
