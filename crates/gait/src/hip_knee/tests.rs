//! Angles by construction, and strides of a walk whose speed, steps and contacts are known.

use super::*;
use surefoot_contact::{SyntheticWalk, WalkerOptions, mirror_take, slice_take, synthetic_walk};
use surefoot_geom::Quat;
use surefoot_motion::Poses;

fn walk(options: WalkerOptions) -> SyntheticWalk {
    synthetic_walk(&WalkerOptions { n_steps: 10, ..options })
}

fn mean_of(take: &Take) -> StrideCycle {
    mean_cycle(&steady_cycles(&stride_cycles(take))).expect("strides")
}

/// A person at rest with both hips and knees turned by known angles, facing a heading.
fn posed(hip: f64, knee: f64, heading: f64) -> Take {
    let Take { mut clip, body, .. } = walk(WalkerOptions::default()).take;
    let mut pose = clip.skeleton.rest_pose();
    let turn = Quat::from_rotation_y(heading);
    pose[body.pelvis].rotation = turn * pose[body.pelvis].rotation;
    for side in Side::BOTH {
        // +X is the person's left: a positive turn about it swings what hangs backward.
        pose[body.legs[side].hip].rotation = Quat::from_rotation_x(-hip);
        pose[body.legs[side].knee].rotation = Quat::from_rotation_x(knee);
    }
    *clip.poses_mut() = Poses::repeat(&pose, 3);
    Take { clip, body, contacts: Contacts::none(3) }
}

#[test]
fn angles_are_those_that_a_person_was_posed_with() {
    for heading in [0.0, 0.7, -2.5] {
        for (hip, knee) in [(0.0, 0.0), (0.5, 0.3), (-0.3, 1.9), (1.2, 0.01), (0.2, -0.1)] {
            let take = posed(hip, knee, heading);
            for side in Side::BOTH {
                for angles in leg_angles(&take, side) {
                    assert!((angles.hip - hip).abs() < 1e-6, "{heading} {hip} {knee}: {angles:?}");
                    assert!((angles.knee - knee).abs() < 1e-6, "{heading} {hip} {knee}: {angles:?}");
                }
            }
        }
    }
}

#[test]
fn strides_have_the_speed_length_and_cadence_of_the_walk() {
    for (step_length, cadence) in [(0.5, 1.6), (0.68, 1.85), (0.8, 2.1)] {
        let options = WalkerOptions { step_length, cadence, ..Default::default() };
        let walk = walk(options);
        let mean = mean_of(&walk.take);
        assert!((mean.speed / options.speed() - 1.0).abs() < 0.02, "{} {}", mean.speed, options.speed());
        assert!((mean.step_length / step_length - 1.0).abs() < 0.02, "{}", mean.step_length);
        assert!((mean.cadence / cadence - 1.0).abs() < 0.02, "{}", mean.cadence);
        assert_eq!(mean.source, CycleSource::Stride);
    }
}

#[test]
fn events_of_a_walk_come_in_the_order_of_the_paper() {
    let walk = walk(WalkerOptions::default());
    for cycle in steady_cycles(&stride_cycles(&walk.take)) {
        let names: Vec<&str> = cycle.events.named().iter().map(|(name, _)| *name).collect();
        assert_eq!(names, ["HSR", "TOL", "HSL", "TOR"]);
    }
    let contacts = &walk.take.contacts;
    for event in gait_events(&walk.take) {
        let stances = contacts.stances(event.side);
        let ends = |stance: &Range<usize>| match event.event {
            FootEvent::Strike => event.frame == stance.start,
            // Toes roll off for less than a twelfth of a second after the ball has left.
            FootEvent::ToeOff => (stance.end..stance.end + 5).contains(&event.frame),
        };
        assert!(stances.iter().any(ends), "{event:?} {stances:?}");
    }
}

#[test]
fn left_strides_are_right_ones_of_the_mirrored_walk() {
    let walk = walk(WalkerOptions { turn_per_step: 0.1, ..Default::default() });
    let mirrored = mirror_take(&walk.take);
    let (cycles, others) = (stride_cycles(&walk.take), stride_cycles(&mirrored));
    assert!(cycles.len() == others.len() && cycles.len() > 5);
    for (cycle, other) in cycles.iter().zip(&others) {
        let difference = compare_cycles(cycle, other);
        assert!(difference.rms < 1e-3 && difference.shift == 0.0, "{difference:?}");
    }
}

#[test]
fn a_single_step_gives_the_cycle_of_whole_strides() {
    let walk = walk(WalkerOptions::default());
    let whole = mean_of(&walk.take);
    let strikes = strikes(&walk.take.contacts, walk.take.clip.frame_rate);
    let (from, to) = (strikes[4].frame - 3, strikes[5].frame + 2);
    let short = slice_take(&walk.take, from..to).expect("frames");
    let [cycle] = &stride_cycles(&short)[..] else { panic!("one step") };
    assert_eq!(cycle.source, CycleSource::Step);
    let difference = compare_cycles(&whole, cycle);
    assert!(difference.rms_degrees() < 2.0 && difference.shift.abs() < 0.021, "{difference:?}");
    for ((name, phase), (other, other_phase)) in whole.events.named().iter().zip(cycle.events.named()) {
        assert!(*name == other && (phase - other_phase).abs() < 0.03, "{name} {phase}, {other} {other_phase}");
    }
    assert!((cycle.speed / whole.speed - 1.0).abs() < 0.05);
}

#[test]
fn loops_are_compared_at_their_best_shift() {
    let walk = walk(WalkerOptions::default());
    let a = mean_of(&walk.take);
    let shifted = |by: usize, knee: f64| {
        let angles = (0..N_PHASES).map(|index| {
            let from = a.angles[(index + N_PHASES - by) % N_PHASES];
            LegAngles { hip: from.hip, knee: from.knee + knee }
        });
        StrideCycle { angles: angles.collect(), ..a.clone() }
    };
    for (by, shift) in [(0, 0.0), (7, 0.07), (95, -0.05)] {
        let difference = compare_cycles(&a, &shifted(by, 0.0));
        assert!(difference.rms < 1e-12 && (difference.shift - shift).abs() < 1e-12, "{difference:?}");
    }
    let offset = compare_cycles(&a, &shifted(7, 0.1));
    assert!(offset.rms <= 0.1 + 1e-12 && offset.rms > 0.05, "{offset:?}");
    assert!((offset.rms - offset.hip_rms.hypot(offset.knee_rms)).abs() < 1e-12);
}

#[test]
fn what_has_no_strides_has_no_cycle() {
    let standing = posed(0.0, 0.0, 0.0);
    assert!(stride_cycles(&standing).is_empty() && gait_events(&standing).is_empty());
    assert_eq!(mean_cycle(&[]), None);
    assert_eq!(steady_cycles(&[]), []);
    let mut empty = standing;
    empty.clip.poses_mut().clear();
    empty.contacts = Contacts::none(0);
    assert!(stride_cycles(&empty).is_empty() && leg_angles(&empty, Side::Left).is_empty());
}

#[test]
fn phases_around_zero_have_their_mean_there() {
    let mean = |phases: &[f64]| mean_phase(phases.iter().copied());
    assert!((mean(&[0.1, 0.3]).expect("a mean") - 0.2).abs() < 1e-12);
    let around = mean(&[0.98, 0.04]).expect("a mean");
    assert!((around - 0.01).abs() < 1e-12, "{around}");
    assert_eq!(mean(&[]), None);
}
