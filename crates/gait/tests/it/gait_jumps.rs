//! Jumps: ballistic in flight, exact on their footprints, never pulled down by a planted foot, continuous; each pattern, mirrored.

use crate::gait_checks::{EXACT, Figure};
use std::sync::Arc;
use surefoot_contact::check_frame_rate::GRAVITY;
use surefoot_contact::{Behaviour, FootPlan, measure_placement};
use surefoot_gait::{Approach, Gait, GaitOptions, GaitSettings, GaitSynthesizer, JumpOptions, LayJumpError, lay_jumps};
use surefoot_geom::Vec3;
use surefoot_motion::Side;
use surefoot_plan::{Feet, Grade, JumpPattern, StepError, Synthesizer, World};

const RATE: f64 = 240.0;
/// Furthest that the acceleration in flight is from 1 g, in g: rounding of second differences.
const BALLISTIC: f64 = 1e-6;
/// Fastest fall of the pelvis on a planted foot, in g, as second differences of frames have it: curves are cubic between their knots, so
/// that a force that begins with nothing is off by some hundredths.
const MOST_FALL: f64 = 1.06;
/// Hardest that the pelvis is pushed, in g: a landing from 1 m.
const MOST_PUSH: f64 = 12.0;

fn synthesizer(frame_rate: f64) -> GaitSynthesizer {
    let settings = GaitSettings::natural(Gait::Walk, 1.8);
    Figure::new(1.8).synthesizer(&GaitOptions { settings, frame_rate, standing: 0.2 })
}

/// What a motion shows.
struct Shown {
    pelvis: Vec<Vec3>,
    planted: Vec<[bool; 2]>,
    patterns: Vec<Option<JumpPattern>>,
    lands: Vec<f64>,
}

/// Makes a plan's motion and checks what every jump promises.
#[track_caller]
fn check(name: &str, plan: &FootPlan) -> Shown {
    let synthesizer = synthesizer(RATE);
    let mut stepper = synthesizer.start(Arc::new(World::default()), [plan.footprints[0], plan.footprints[1]]).unwrap();
    for print in &plan.footprints[2..] {
        stepper.push(print).unwrap_or_else(|error| panic!("{name}: {error}"));
    }
    stepper.finish().unwrap_or_else(|error| panic!("{name}: {error}"));
    let (skeleton, body) = (stepper.skeleton().clone(), stepper.body().clone());
    let mut pose = skeleton.rest_pose();
    let mut shown = Shown { pelvis: Vec::new(), planted: Vec::new(), patterns: Vec::new(), lands: Vec::new() };
    let mut feet = Vec::new();
    while let Some(contacts) = stepper.next_frame(&mut pose) {
        let world = surefoot_motion::WorldPose::new(&skeleton, &pose);
        shown.pelvis.push(world.position(body.pelvis));
        shown.planted.push(Side::BOTH.map(|side| contacts.feet[side].any()));
        for side in Side::BOTH {
            let leg = &body.legs[side];
            let ball = leg.foot.ball;
            let at = world[leg.ankle].transform_point(ball);
            if contacts.feet[side].ball {
                assert!(at.distance(contacts.balls[side]) < EXACT, "{name}: a planted ball moves");
            }
        }
        feet.push(contacts);
    }
    shown.patterns = stepper.outcomes().iter().map(|outcome| outcome.jump).collect();
    shown.lands = stepper.outcomes().iter().map(|outcome| outcome.land).collect();
    // Each footprint is the place of a plant of its foot, from when it lands on.
    for (print, outcome) in plan.footprints[2..].iter().zip(stepper.outcomes()) {
        let frame = (outcome.land * RATE - 1e-6).ceil() as usize;
        assert!(feet[frame].feet[print.side].any(), "{name}: {outcome:?} is not planted when it lands");
        assert!(feet[frame].balls[print.side].distance(print.position) < 1e-9, "{name}: {outcome:?}");
    }
    check_physics(name, &shown);
    shown
}

#[track_caller]
fn check_physics(name: &str, shown: &Shown) {
    let Shown { pelvis, planted, .. } = shown;
    let mut n_flown = 0;
    for k in 1..pelvis.len() - 1 {
        let change = (pelvis[k + 1] - 2.0 * pelvis[k] + pelvis[k - 1]) * RATE * RATE;
        let up = change.y / GRAVITY;
        let is_air = |k: usize| !planted[k][0] && !planted[k][1];
        if (k - 1..=k + 1).all(is_air) {
            n_flown += 1;
            let along = change.x.hypot(change.z);
            assert!((up + 1.0).abs() < BALLISTIC && along < 1e-4, "{name}: {up} g in flight at {k}, {along} along");
        } else {
            assert!(up > -MOST_FALL, "{name}: {up} g at {k}");
            assert!(up < MOST_PUSH, "{name}: pushed by {up} g at {k}");
        }
    }
    assert!(n_flown > 20, "{name}: no flight");
}

fn mirrored(plan: &FootPlan) -> FootPlan {
    let mut plan = plan.clone();
    for print in &mut plan.footprints {
        print.side = print.side.opposite();
        print.position.x = -print.position.x;
        print.heading = print.heading.map(|heading| -heading);
    }
    plan
}

fn feet(a: Feet) -> Feet {
    match a {
        Feet::Left => Feet::Right,
        Feet::Right => Feet::Left,
        Feet::Both => Feet::Both,
    }
}

#[test]
fn every_pattern_is_ballistic_exact_and_never_pulled_down_and_so_is_its_mirror_image() {
    let both = JumpOptions::default();
    let one = JumpOptions { take_off: Feet::Left, ..both };
    let walk = Approach::Walk;
    for (name, options) in [
        ("both to both", both),
        ("far", JumpOptions { distance: 1.4, ..both }),
        ("both to one", JumpOptions { landing: Feet::Left, distance: 0.5, ..both }),
        ("one to both", JumpOptions { approach: walk, distance: 0.9, ..one }),
        ("one to the other", JumpOptions { approach: walk, distance: 1.0, landing: Feet::Right, ..one }),
        ("run to both", JumpOptions { approach: Approach::Run, distance: 1.7, ..one }),
        ("run to the other", JumpOptions { approach: Approach::Run, distance: 1.7, landing: Feet::Right, ..one }),
        ("hops", JumpOptions { landing: Feet::Left, distance: 0.35, count: 4, ..one }),
        ("in a row", JumpOptions { count: 4, distance: 0.5, ..both }),
        ("walk to both", JumpOptions { approach: walk, ..both }),
        ("left", JumpOptions { direction: std::f64::consts::FRAC_PI_2, distance: 0.4, ..both }),
        ("back", JumpOptions { direction: std::f64::consts::PI, distance: 0.4, ..both }),
        ("quarter turn", JumpOptions { turn: 1.57, distance: 0.2, ..both }),
        ("half turn", JumpOptions { turn: 3.1, distance: 0.0, ..both }),
        ("up", JumpOptions { height: 0.6, ..both }),
        ("down", JumpOptions { height: -1.0, ..both }),
    ] {
        let plan = lay_jumps(&options, 1.0).expect(name);
        let shown = check(name, &plan);
        let first = shown.patterns.iter().flatten().next().expect("a jump");
        assert_eq!((first.take_off, first.landing), (options.take_off, options.landing), "{name}");
        let other = check(name, &mirrored(&plan));
        let swapped = JumpPattern { take_off: feet(first.take_off), landing: feet(first.landing) };
        assert_eq!(other.patterns.iter().flatten().next(), Some(&swapped), "{name}");
        for (a, b) in shown.pelvis.iter().zip(&other.pelvis) {
            assert!((*a - Vec3::new(-b.x, b.y, b.z)).length() < 1e-6, "{name}: {a} {b}");
        }
    }
}

#[test]
fn times_of_a_plan_are_kept() {
    let mut plan = lay_jumps(&JumpOptions::default(), 1.0).unwrap();
    for print in &mut plan.footprints {
        print.behaviour = None;
    }
    for print in &mut plan.footprints[..2] {
        print.leave = Some(1.4);
    }
    for print in &mut plan.footprints[2..] {
        print.land = Some(1.85);
    }
    let shown = check("timed", &plan);
    assert!(shown.lands.iter().all(|land| (land - 1.85).abs() < 1e-6), "{:?}", shown.lands);
    let in_air = shown.planted.iter().filter(|planted| !planted[0] && !planted[1]).count();
    assert!((in_air as f64 / RATE - 0.45).abs() < 2.0 / RATE, "{in_air}");
    assert_eq!(shown.patterns[0], Some(JumpPattern { take_off: Feet::Both, landing: Feet::Both }));
}

#[test]
fn what_nobody_jumps_is_refused_with_a_number() {
    let made = |options: JumpOptions| {
        let plan = lay_jumps(&options, 1.0).unwrap();
        let synthesizer = synthesizer(60.0);
        let mut stepper = synthesizer.start(Arc::new(World::default()), [plan.footprints[0], plan.footprints[1]])?;
        plan.footprints[2..].iter().try_for_each(|print| stepper.push(print).map(|_| ()))?;
        stepper.finish()
    };
    let both = JumpOptions::default();
    let high = made(JumpOptions { height: 0.8, ..both });
    assert!(high.is_ok() || matches!(high, Err(StepError::Leap { .. })), "{high:?}");
    let far = made(JumpOptions { distance: 3.9, ..both }).unwrap_err();
    assert!(matches!(far, StepError::LeapAlong { .. } | StepError::Leap { .. }), "{far}");
    let turned =
        made(JumpOptions { take_off: Feet::Left, landing: Feet::Right, turn: 2.5, approach: Approach::Walk, ..both });
    assert!(matches!(turned, Err(StepError::Plan(_))), "{turned:?}");
    let range = lay_jumps(&JumpOptions { distance: 9.0, ..both }, 1.0).unwrap_err();
    assert_eq!(range.to_string(), "the distance of a jump is 9; it must be from 0 to 4");
    let run = lay_jumps(&JumpOptions { approach: Approach::Run, ..both }, 1.0).unwrap_err();
    assert_eq!(run, LayJumpError::RunOfBoth);
}

/// The frames that a complete take has are placed as its contacts say.
#[test]
fn takes_of_jumps_are_placed_exactly() {
    let plan = lay_jumps(&JumpOptions { count: 3, ..JumpOptions::default() }, 1.0).unwrap();
    let synthesizer = synthesizer(60.0);
    let made = surefoot_plan::synthesize(&synthesizer, &Arc::default(), &plan, "jumps").unwrap();
    let poses = made.take.clip.world();
    let errors = measure_placement(&poses, &made.take.body, &made.take.contacts);
    assert!(errors.iter().all(|error| error.distance < EXACT));
    assert!(made.report.footprints[2..].iter().all(|row| row.behaviour == Some(Behaviour::Jump)));
}

/// What is measured on written frames raises no doubt: knees, falls, feet in the ground, placement.
#[test]
fn the_verdict_on_each_pattern_is_good() {
    let both = JumpOptions::default();
    let one = JumpOptions { take_off: Feet::Left, ..both };
    for (name, options) in [
        ("far", JumpOptions { distance: 1.0, ..both }),
        ("one to the other", JumpOptions { distance: 1.0, landing: Feet::Right, ..one }),
        ("run to the other", JumpOptions { approach: Approach::Run, distance: 1.8, landing: Feet::Right, ..one }),
        ("run to both", JumpOptions { approach: Approach::Run, distance: 1.8, ..one }),
        ("left", JumpOptions { direction: std::f64::consts::FRAC_PI_2, ..both }),
        ("back", JumpOptions { direction: std::f64::consts::PI, distance: 0.4, ..both }),
        ("up", JumpOptions { height: 0.5, ..both }),
        ("down", JumpOptions { height: -1.0, ..both }),
    ] {
        let plan = lay_jumps(&options, 1.0).expect(name);
        let made = surefoot_plan::synthesize(&synthesizer(60.0), &Arc::default(), &plan, name).expect(name);
        let verdict = &made.report.verdict;
        assert_eq!(verdict.grade, Grade::Good, "{name}: {verdict:?}");
        let jumps = made.report.footprints.iter().filter_map(|row| row.jump).next();
        assert_eq!(jumps.map(|jump| jump.landing), Some(options.landing), "{name}");
    }
}
