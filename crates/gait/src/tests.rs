//! How much the guards of a step do where all is natural: little.

use super::body_state::BodyState;
use super::course::{Advance, Course};
use super::leg::LegLengths;
use super::step::{Ground, Step};
use super::take_step::{STARTING, StepRequest, take_step};
use super::*;
use surefoot_geom::{Quat, Vec3};
use surefoot_motion::{BodyProportions, PerSide, PersonOptions, Poses, Side, person};

const HEIGHT: f64 = 1.8;
const N_STEPS: usize = 12;
/// Steps in which the gait comes up to its pace.
const FIRST: usize = 6;
const SAMPLES: usize = 200;

/// Most that the pelvis is lowered, in metres.
const MAX_LOWERED: f64 = 1e-3;
/// Most that a foot is lifted, in metres: heels of walks are a little early at the ground otherwise.
const MAX_LIFTED: f64 = 0.01;

/// How far guards move what the curves say, at most, in metres.
#[derive(Debug, Default)]
struct Guards {
    pelvis: f64,
    /// Of the step in which it was.
    pelvis_at: f64,
    foot: f64,
    foot_at: f64,
}

impl Guards {
    fn see(&mut self, proportions: &BodyProportions, step: &Step) {
        let ground = Ground { terrain: None };
        for sample in 0..SAMPLES {
            let share = sample as f64 / SAMPLES as f64;
            let time = share * step.duration;
            let (posture, _) = step.posture(proportions, &ground, time);
            let target = step.pelvis.at(time);
            let lowered = target.translation.y - posture.pelvis.translation.y;
            if lowered > self.pelvis {
                (self.pelvis, self.pelvis_at) = (lowered, share);
            }
            for side in Side::BOTH {
                let track = &step.legs[side];
                if track.is_planted(time) {
                    continue;
                }
                let air = track.air_at(time, side, &step.pelvis.residual);
                let hip = posture.pelvis.transform_point(proportions.hips[side]);
                let turn = Quat::from_rotation_y(step.pelvis.heading.at(time));
                let ankle = hip + turn * LegLengths::new(proportions, side).ankle(air.leg);
                let foot = track.foot_in_air(&air, time);
                let lifted = track.sunk(&proportions.soles[side], &ground, ankle, foot, air.toe_bend.max(0.0), time);
                if lifted > self.foot {
                    (self.foot, self.foot_at) = (lifted, share);
                }
            }
        }
    }
}

/// The guards in a steady gait, straight on.
fn guards(settings: &GaitSettings) -> Guards {
    let (skeleton, body) = person(&PersonOptions::with_height(HEIGHT)).unwrap();
    let rig = Rig::new(&skeleton, &body, &Poses::default()).unwrap();
    let proportions = rig.proportions();
    let gait = settings.gait;
    let (full, width, toe_out) = match gait {
        Gait::Walk => {
            let walk = &settings.walk;
            (walk.parameters.step_length, walk.attributes.stride_width, walk.attributes.foot_angle)
        }
        Gait::Run => {
            let run = &settings.run;
            (run.parameters.step_length, run.attributes.stride_width, run.attributes.foot_angle)
        }
    };
    let mut course = Course { position: Vec3::ZERO, heading: 0.0 };
    let by = |length: f64| Advance { length, turn: 0.0, direction: 0.0, width, toe_out };
    let feet = PerSide::from_fn(|side| course.plant(side, &by(0.0), None, proportions));
    let mut body_state = BodyState::standing(proportions, &feet, &settings.bearing());
    let mut side = Side::Left;
    let mut guards = Guards::default();
    let time = settings.step_time(gait);
    let overlap = match gait {
        Gait::Walk => settings.double_support(time),
        Gait::Run => settings.flight(time),
    };
    for index in 0..N_STEPS {
        let length = |index: usize| full * [0.4, 0.65, 0.85].get(index).copied().unwrap_or(1.0);
        course.advance(&by(length(index)));
        let to = course.plant(side, &by(full), None, proportions);
        let mut after = course;
        after.advance(&by(length(index + 1)));
        let then = Some(after.plant(side.opposite(), &by(full), None, proportions));
        let starts = index == 0;
        let double_support = if starts { STARTING } else { overlap };
        let duration = if starts { time + STARTING } else { time };
        let request = StepRequest { gait, side, to, then, duration, double_support, overlap, flight: None };
        let (step, next) = take_step(proportions, &Ground { terrain: None }, &body_state, &request, settings);
        if index >= FIRST {
            guards.see(proportions, &step);
        }
        (body_state, side) = (next, side.opposite());
    }
    guards
}

fn check(name: &str, settings: &GaitSettings) {
    let guards = guards(settings);
    println!(
        "{name}: pelvis {:.2} mm at {:.2}, foot {:.2} mm at {:.2}",
        1e3 * guards.pelvis,
        guards.pelvis_at,
        1e3 * guards.foot,
        guards.foot_at
    );
    assert!(guards.pelvis < MAX_LOWERED, "{name}: {guards:?}");
    assert!(guards.foot < MAX_LIFTED, "{name}: {guards:?}");
}

#[test]
fn natural_walks_hardly_need_guards() {
    let mut settings = GaitSettings::natural(Gait::Walk, HEIGHT);
    for speed in [3.0, 4.0, 5.0, 6.0, 7.0] {
        settings.walk.parameters = WalkParameters::from_speed(speed / 3.6, HEIGHT).unwrap();
        check(&format!("walk {speed} km/h"), &settings);
    }
}

#[test]
fn natural_runs_hardly_need_guards() {
    let mut settings = GaitSettings::natural(Gait::Run, HEIGHT);
    for speed in [8.0, 12.0, 16.0, 20.0] {
        let parameters = RunParameters::from_speed(speed / 3.6, HEIGHT, 0.0).unwrap();
        settings.run = RunSettings { parameters, attributes: RunOverrides::default().resolve(&parameters, HEIGHT) };
        check(&format!("run {speed} km/h"), &settings);
    }
}
