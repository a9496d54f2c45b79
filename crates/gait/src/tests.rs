//! Steps as curves: how much their guards do where all is natural, which is little, and that curves keep their rates at contacts.

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

/// Most that the rate of an angle changes within an instant, in degrees a second.
const MAX_JERK: f64 = 10.0;
/// Seconds over which a rate is taken.
const MOMENT: f64 = 1e-5;

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

fn rig() -> Rig {
    let (skeleton, body) = person(&PersonOptions::with_height(HEIGHT)).unwrap();
    Rig::new(&skeleton, &body, &Poses::default()).unwrap()
}

/// The steps of a gait once it is steady, straight on.
fn steady_steps(proportions: &BodyProportions, settings: &GaitSettings) -> Vec<Step> {
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
    let mut steps = Vec::new();
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
            steps.push(step);
        }
        (body_state, side) = (next, side.opposite());
    }
    steps
}

fn check(name: &str, settings: &GaitSettings) {
    let (rig, mut guards) = (rig(), Guards::default());
    for step in steady_steps(rig.proportions(), settings) {
        guards.see(rig.proportions(), &step);
    }
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

/// Hip, knee and ankle of a leg as angles, and the pitch of its foot.
fn joints(proportions: &BodyProportions, step: &Step, side: Side, time: f64) -> [f64; 3] {
    let (posture, _) = step.posture(proportions, &Ground { terrain: None }, time);
    let leg = &posture.legs[side];
    let [thigh, shin] = [leg.thigh, leg.shin].map(|bone| bone * Vec3::NEG_Y);
    let foot = leg.foot * Vec3::Z;
    [thigh.z.atan2(-thigh.y), thigh.angle_between(shin), foot.y.atan2(foot.z)]
}

/// How much the rates of hip, knee and foot of either leg change within an instant, at worst, in degrees a second: at landings, and where
/// a foot leaves.
fn jerks(proportions: &BodyProportions, steps: &[Step]) -> [[f64; 3]; 2] {
    let rate = |step: &Step, side: Side, time: f64| {
        let at = |time: f64| joints(proportions, step, side, time);
        let (a, b) = (at(time - MOMENT), at(time + MOMENT));
        std::array::from_fn::<f64, 3, _>(|n| (b[n] - a[n]) / (2.0 * MOMENT))
    };
    let mut worst = [[0.0_f64; 3]; 2];
    let mut see = |what: usize, before: [f64; 3], after: [f64; 3]| {
        for n in 0..3 {
            worst[what][n] = worst[what][n].max((after[n] - before[n]).abs().to_degrees());
        }
    };
    for pair in steps.windows(2) {
        for side in Side::BOTH {
            let before = rate(&pair[0], side, pair[0].duration - 2.0 * MOMENT);
            see(0, before, rate(&pair[1], side, 2.0 * MOMENT));
            let leaves = pair[1].legs[side].leaves;
            if leaves > 0.0 && leaves < pair[1].duration {
                let before = rate(&pair[1], side, leaves - 2.0 * MOMENT);
                see(1, before, rate(&pair[1], side, leaves + 2.0 * MOMENT));
            }
        }
    }
    worst
}

#[test]
fn legs_keep_their_rates_at_contacts() {
    let rig = rig();
    let mut broken = Vec::new();
    let mut see = |name: String, settings: &GaitSettings| {
        let jerks = jerks(rig.proportions(), &steady_steps(rig.proportions(), settings));
        let line = format!("{name}: at landings {:.0?}, at leaving {:.0?} deg/s", jerks[0], jerks[1]);
        println!("{line}");
        if jerks.iter().flatten().any(|&jerk| jerk > MAX_JERK) {
            broken.push(line);
        }
    };
    for kmh in [2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0] {
        let mut settings = GaitSettings::natural(Gait::Walk, HEIGHT);
        settings.walk.parameters = WalkParameters::from_speed(kmh / 3.6, HEIGHT).unwrap();
        see(format!("walk {kmh} km/h"), &settings);
    }
    for kmh in [6.0, 8.0, 10.0, 12.0, 14.0, 16.0, 20.0, 25.0] {
        let mut settings = GaitSettings::natural(Gait::Run, HEIGHT);
        let level = natural_level(kmh / 3.6, HEIGHT);
        let parameters = RunParameters::from_speed(kmh / 3.6, HEIGHT, level).unwrap();
        settings.run = RunSettings { parameters, attributes: RunOverrides::default().resolve(&parameters, HEIGHT) };
        see(format!("run {kmh} km/h"), &settings);
    }
    assert!(broken.is_empty(), "\n{}", broken.join("\n"));
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
