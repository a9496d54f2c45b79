//! How people's steps differ from the paper's: residual curves by phase, speed and gait, added to what is planned.
//!
//! The paper's keyframes give the right feet at the right times and only about the right angles between them. What is missing is
//! measured once: steps of recordings, averaged by speed, less the steps that the paper's equations make at that speed. The difference
//! is a displacement map (SIGNAL 5.4): it is added to the curves of a step before its legs are solved, so that whatever is
//! planted stays where it is, and attributes go on changing what lies below it.
//!
//! - The data is in `norm_data.rs`, which `tools/derive_gait_norms.py` writes from recordings of CMU alone (docs/REFERENCES.md).
//! - A curve has [`N_SAMPLES`] values over a step, from landing to landing with the standing foot on the left. The next step is its
//!   mirror image, so the first values of the partner channel continue it ([`PARTNERS`]).
//! - The phase is not the time: the foot behind leaves, or the standing foot takes off, at the same phase in all steps ([`phase_of`]).
//! - What a step takes of it is a [`Blend`], which fades over the step from the one before: none in standing, sideways, backward and
//!   on stairs.
//! - A leg takes its residual in the air alone, and none as it leaves and lands.
//! - A person's own curves take the place of the people's mean (`person_curves`).

use super::norm_data::{RUN_CURVES, RUN_SPEEDS, WALK_CURVES, WALK_SPEEDS};
use super::person_curves::PersonCurves;
use super::spline::{Knot, Spline};
use super::step::left_sign;
use super::{Gait, RunAttributes};
use surefoot_geom::smoothstep;
use surefoot_motion::Side;

/// Whether steps are made as people make them, or by the paper alone.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Kinematics {
    /// The paper's curves and the residuals of recorded people.
    #[default]
    Normative,
    /// The paper's curves alone.
    Plain,
}

/// Values of a curve over a step.
pub(super) const N_SAMPLES: usize = 12;
/// The same with one before and two after, for the cubic between.
const N_PADDED: usize = N_SAMPLES + 3;

/// What is displaced. Angles in radians, heights as shares of the leg.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Channel {
    /// Of the pelvis, upward.
    Up,
    /// Of the pelvis, to the left.
    Yaw,
    /// Lifts the left hip.
    List,
    /// Of the torso, forward and to the left.
    Lean,
    Side,
    /// Of the chest, to the left.
    Twist,
    /// Of the arm on the standing side: forward, elbow, outward.
    StanceArm,
    StanceElbow,
    StanceOut,
    SwingArm,
    SwingElbow,
    SwingOut,
    /// Of the standing leg, after it has taken off: hip, knee, pitch of the foot.
    StanceHip,
    StanceKnee,
    StancePitch,
    SwingHip,
    SwingKnee,
    SwingPitch,
}
use Channel as C;

impl Channel {
    pub(super) const ALL: [Channel; N_CHANNELS] = [
        C::Up,
        C::Yaw,
        C::List,
        C::Lean,
        C::Side,
        C::Twist,
        C::StanceArm,
        C::StanceElbow,
        C::StanceOut,
        C::SwingArm,
        C::SwingElbow,
        C::SwingOut,
        C::StanceHip,
        C::StanceKnee,
        C::StancePitch,
        C::SwingHip,
        C::SwingKnee,
        C::SwingPitch,
    ];
}

pub(super) const N_CHANNELS: usize = 18;

/// The channel that goes on where one ends, and its sign there.
pub(super) const PARTNERS: [(Channel, f32); N_CHANNELS] = [
    (C::Up, 1.0),
    (C::Yaw, -1.0),
    (C::List, -1.0),
    (C::Lean, 1.0),
    (C::Side, -1.0),
    (C::Twist, -1.0),
    (C::SwingArm, 1.0),
    (C::SwingElbow, 1.0),
    (C::SwingOut, 1.0),
    (C::StanceArm, 1.0),
    (C::StanceElbow, 1.0),
    (C::StanceOut, 1.0),
    (C::SwingHip, 1.0),
    (C::SwingKnee, 1.0),
    (C::SwingPitch, 1.0),
    (C::StanceHip, 1.0),
    (C::StanceKnee, 1.0),
    (C::StancePitch, 1.0),
];

/// Curves of a gait at one speed, in hundredths of a degree, and of the leg's ten-thousandth parts for heights.
pub(super) type Curves = [[i16; N_SAMPLES]; N_CHANNELS];

/// Phase at which the foot behind leaves in a walk, and at which the standing foot takes off in a run.
pub(super) const EVENT_PHASES: [f64; 2] = [0.24, 0.64];
/// Nearest that such an event is to either end of a step, of where its phase is.
const EVENT_ROOM: f64 = 0.4;
/// Speed of a person 1.8 m tall from which on a step takes all of its residual, in metres a second.
const FULL_SPEED: f64 = 0.8;
/// Grades of a step from which on it takes less of its residual, and none.
const GRADES: (f64, f64) = (0.12, 0.3);
/// How much of the way is forward, as a cosine, where a step begins to take a residual, and where it takes all.
const FORWARD: (f64, f64) = (0.5, 0.9);
/// Seconds of a step of a person 1.8 m tall in which it takes no residual, for no one was recorded at such a cadence, and from which on it
/// takes all.
const HURRIED: (f64, f64) = (0.18, 0.28);
/// The same in which a walking step takes no height, and from which on it takes all: at a faster cadence than recorded the same
/// height would be a faster fall.
const HASTY: (f64, f64) = (0.32, 0.45);
/// Speeds of runs of a person 1.8 m tall at which keyframes begin to be displaced and are displaced most, in metres a second; mean steps of
/// the runners that the curves are derived from.
const KEYFRAME_SPEEDS: (f64, f64) = (2.6, 4.2);
/// How much further ahead a foot lands at the faster speed, as a share of the height (6 cm at 1.8 m), and how much more its knee is flexed
/// then, in radians (9 degrees).
const FURTHER_AHEAD: f64 = 0.033;
const SOFTER_LANDING: f64 = 0.16;
/// How much more the knee is flexed at toe-off, in radians (7 degrees), from 1 m/s above which speed on: slower runs leave the ground later.
const SOFTER_TOE_OFF: f64 = 0.12;
const SOFTER_FROM: f64 = 2.0;
/// First and last share of a swing over which its residual comes and goes.
const SWING_ENDS: f64 = 0.3;

/// What a step takes of the residuals.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Blend {
    gait: Gait,
    speed: f64,
    weight: f64,
    /// Of the weight, for heights.
    lifted: f64,
    /// Of one person; the people's mean if `None`.
    person: Option<PersonCurves>,
}

impl Blend {
    /// Of someone who stands.
    pub(super) const STANDING: Blend = Blend { gait: Gait::Walk, speed: 0.0, weight: 0.0, lifted: 0.0, person: None };

    /// Of a step of a person 1.8 m tall at a speed in some seconds, up a grade; `forward` is the cosine between where it leads and where the body faces.
    pub(super) fn of_step(
        (kinematics, person): (Kinematics, Option<PersonCurves>),
        gait: Gait,
        (speed, duration): (f64, f64),
        grade: f64,
        forward: f64,
    ) -> Blend {
        if kinematics == Kinematics::Plain {
            return Blend { gait, ..Blend::STANDING };
        }
        let ahead = smoothstep((forward - FORWARD.0) / (FORWARD.1 - FORWARD.0));
        let unhurried = smoothstep((duration - HURRIED.0) / (HURRIED.1 - HURRIED.0));
        let even = 1.0 - smoothstep((grade.abs() - GRADES.0) / (GRADES.1 - GRADES.0));
        let weight = ahead * even * unhurried * smoothstep(speed / FULL_SPEED);
        Blend { gait, speed, weight, lifted: smoothstep((duration - HASTY.0) / (HASTY.1 - HASTY.0)), person }
    }

    /// Attributes of a running step as people have them whose legs are planted, where no curve can displace them: they land with the foot further
    /// ahead and the knee more flexed the faster they run, and leave the ground with a less straight knee than the paper's runners.
    pub(super) fn displace_keyframes(&self, attributes: &RunAttributes, height: f64) -> RunAttributes {
        let mut displaced = *attributes;
        if self.weight == 0.0 || self.gait != Gait::Run {
            return displaced;
        }
        let faster = ((self.speed - KEYFRAME_SPEEDS.0) / (KEYFRAME_SPEEDS.1 - KEYFRAME_SPEEDS.0)).clamp(0.0, 1.0);
        let weight = self.weight;
        displaced.overstride += weight * faster * FURTHER_AHEAD * height;
        displaced.knee_impact += weight * faster * SOFTER_LANDING;
        displaced.knee_toe_off += weight * smoothstep(self.speed - SOFTER_FROM) * SOFTER_TOE_OFF;
        displaced
    }

    /// The tables that make up the residual, and the share of each.
    fn tables(&self) -> impl Iterator<Item = (&Curves, f64)> {
        let own = self.person.as_ref().map(|person| person.tables(self.gait));
        tables_at(self.gait, self.speed).into_iter().chain(own.into_iter().flatten())
    }
}

/// The two tables around a speed of a person 1.8 m tall, and the share of each.
pub(super) fn tables_at(gait: Gait, speed: f64) -> [(&'static Curves, f64); 2] {
    fn around<const N: usize>(
        speeds: &[f64; N],
        curves: &'static [Curves; N],
        speed: f64,
    ) -> [(&'static Curves, f64); 2] {
        let after = speeds.iter().position(|&at| at >= speed).unwrap_or(N - 1).max(1);
        let share = ((speed - speeds[after - 1]) / (speeds[after] - speeds[after - 1])).clamp(0.0, 1.0);
        [(&curves[after - 1], 1.0 - share), (&curves[after], share)]
    }
    match gait {
        Gait::Walk => around(&WALK_SPEEDS, &WALK_CURVES, speed),
        Gait::Run => around(&RUN_SPEEDS, &RUN_CURVES, speed),
    }
}

/// The residuals of one step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Residual {
    phase: Spline<f64>,
    /// The side that stands.
    stance: Side,
    curves: Option<[[f32; N_PADDED]; N_CHANNELS]>,
}

/// A step's times, as its phase needs them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Times {
    pub(super) duration: f64,
    /// When the foot behind leaves, or the standing foot takes off.
    pub(super) event: f64,
}

/// The phase over a step: even at both ends, and that of its event there.
fn phase_of(gait: Gait, times: Times) -> Spline<f64> {
    let Times { duration, event } = times;
    let phase = EVENT_PHASES[gait as usize];
    let (least, most) = (EVENT_ROOM * phase, 1.0 - EVENT_ROOM * (1.0 - phase));
    let event = event.clamp(least * duration, most * duration);
    let slopes = (phase / event, (1.0 - phase) / (duration - event));
    let rate = 2.0 * slopes.0 * slopes.1 / (slopes.0 + slopes.1);
    let end = (1.0 / duration).min(3.0 * slopes.0.min(slopes.1));
    Spline::through(&[
        Knot { time: 0.0, value: 0.0, rate: end },
        Knot { time: event, value: phase, rate },
        Knot { time: duration, value: 1.0, rate: end },
    ])
}

impl Residual {
    /// No residual.
    pub(super) fn none() -> Residual {
        Residual { phase: Spline::constant(0.0), stance: Side::Left, curves: None }
    }

    /// That of a step which comes from one blend to another.
    pub(super) fn new(stance: Side, from: Blend, to: Blend, times: Times) -> Residual {
        if from.weight == 0.0 && to.weight == 0.0 {
            return Residual::none();
        }
        const ANGLE: f64 = std::f64::consts::PI / 18000.0;
        const HEIGHT: f64 = 1e-4;
        let mut curves = [[0.0_f32; N_PADDED]; N_CHANNELS];
        for (blend, is_end) in [(&from, false), (&to, true)] {
            for (table, share) in blend.tables() {
                let weight = blend.weight * share;
                if weight == 0.0 {
                    continue;
                }
                for (channel, out) in curves.iter_mut().enumerate() {
                    let unit = if channel == C::Up as usize { blend.lifted * HEIGHT } else { ANGLE };
                    let (partner, sign) = PARTNERS[channel];
                    for (n, out) in out.iter_mut().enumerate() {
                        // One value before the step, and two after it, are those of its mirror image.
                        let at = (n + N_SAMPLES - 1) % N_SAMPLES;
                        let own = (1..=N_SAMPLES).contains(&n);
                        let value = if own {
                            f32::from(table[channel][at])
                        } else {
                            sign * f32::from(table[partner as usize][at])
                        };
                        // Even around both ends, where the spline mixes three values.
                        let over = smoothstep((n as f64 - 2.0) / (N_SAMPLES - 2) as f64);
                        let fade = if is_end { over } else { 1.0 - over };
                        *out += (weight * fade * unit) as f32 * value;
                    }
                }
            }
        }
        Residual { phase: phase_of(to.gait, times), stance, curves: Some(curves) }
    }

    /// All channels at a time.
    pub(super) fn at(&self, time: f64) -> Option<Displaced<'_>> {
        let curves = self.curves.as_ref()?;
        let place = (self.phase.at(time) * N_SAMPLES as f64).clamp(0.0, N_SAMPLES as f64);
        let first = (place as usize).min(N_SAMPLES - 1);
        let u = place - first as f64;
        // The uniform cubic B-spline: its second derivative is continuous, so that no joint is jolted at a sample.
        let v = 1.0 - u;
        let weights = [
            v * v * v / 6.0,
            (4.0 - 6.0 * u * u + 3.0 * u * u * u) / 6.0,
            (4.0 - 6.0 * v * v + 3.0 * v * v * v) / 6.0,
            u * u * u / 6.0,
        ];
        Some(Displaced { curves, first, weights, stance: self.stance })
    }
}

/// How much of its residual a leg takes of which a share of its swing is over.
fn in_swing(share: f64) -> f64 {
    smoothstep(share / SWING_ENDS) * smoothstep((1.0 - share) / SWING_ENDS)
}

/// How much of a channel's residual shows at a phase of a step whose event is at a share of its time: all of it, but for legs.
pub(super) fn swing_weight(gait: Gait, channel: Channel, phase: f64, event: f64) -> f64 {
    let (is_stance, is_swing) = (
        matches!(channel, C::StanceHip | C::StanceKnee | C::StancePitch),
        matches!(channel, C::SwingHip | C::SwingKnee | C::SwingPitch),
    );
    let at = EVENT_PHASES[gait as usize];
    let time = if phase < at { event * phase / at } else { event + (1.0 - event) * (phase - at) / (1.0 - at) };
    match gait {
        _ if !is_stance && !is_swing => 1.0,
        Gait::Walk if is_stance => 0.0,
        Gait::Walk => in_swing((time - event) / (1.0 - event)),
        // A running leg swings from its toe-off to the end of the step after.
        Gait::Run if is_stance => in_swing((time - event) / (2.0 - event)),
        Gait::Run => in_swing((1.0 - event + time) / (2.0 - event)),
    }
}

/// Residuals at one time.
pub(super) struct Displaced<'a> {
    curves: &'a [[f32; N_PADDED]; N_CHANNELS],
    first: usize,
    weights: [f64; 4],
    stance: Side,
}

impl Displaced<'_> {
    fn get(&self, channel: Channel) -> f64 {
        let values = &self.curves[channel as usize][self.first..self.first + 4];
        values.iter().zip(self.weights).map(|(&value, weight)| f64::from(value) * weight).sum()
    }

    /// Of a channel that is the same on both sides.
    pub(super) fn even(&self, channel: Channel) -> f64 {
        self.get(channel)
    }

    /// Of a channel that is mirrored.
    pub(super) fn mirrored(&self, channel: Channel) -> f64 {
        left_sign(self.stance) * self.get(channel)
    }

    /// Forward, elbow and outward of an arm.
    pub(super) fn arm(&self, side: Side) -> [f64; 3] {
        let channels = if side == self.stance {
            [C::StanceArm, C::StanceElbow, C::StanceOut]
        } else {
            [C::SwingArm, C::SwingElbow, C::SwingOut]
        };
        channels.map(|channel| self.get(channel))
    }

    /// Hip, knee and pitch of a leg of which a share of its swing is over.
    pub(super) fn leg(&self, side: Side, swing_share: f64) -> [f64; 3] {
        let weight = in_swing(swing_share);
        let channels = if side == self.stance {
            [C::StanceHip, C::StanceKnee, C::StancePitch]
        } else {
            [C::SwingHip, C::SwingKnee, C::SwingPitch]
        };
        channels.map(|channel| weight * self.get(channel))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const STEADY: Times = Times { duration: 0.5, event: 0.12 };

    fn walking(speed: f64) -> Blend {
        Blend::of_step((Kinematics::Normative, None), Gait::Walk, (speed, 0.5), 0.0, 1.0)
    }

    #[test]
    fn a_step_goes_on_where_the_one_before_ended() {
        for (gait, event) in [(Gait::Walk, 0.12), (Gait::Run, 0.3)] {
            let blend = Blend::of_step((Kinematics::Normative, None), gait, (2.2, 0.5), 0.0, 1.0);
            let times = Times { event, ..STEADY };
            let left = Residual::new(Side::Left, blend, blend, times);
            let right = Residual::new(Side::Right, blend, blend, times);
            let h = 1e-5;
            let all = |residual: &Residual, time: f64| {
                let at = residual.at(time).unwrap();
                let arms = Side::BOTH.map(|side| at.arm(side)).concat();
                let mirrored = [C::Yaw, C::List, C::Side, C::Twist].map(|channel| at.mirrored(channel));
                let even = [C::Up, C::Lean].map(|channel| at.even(channel));
                [arms, mirrored.to_vec(), even.to_vec()].concat()
            };
            let (end, start) = (all(&left, 0.5), all(&right, 0.0));
            let (before, after) = (all(&left, 0.5 - h), all(&right, h));
            for n in 0..end.len() {
                assert!((end[n] - start[n]).abs() < 1e-6, "{gait} {n}: {} {}", end[n], start[n]);
                let rates = ((end[n] - before[n]) / h, (after[n] - start[n]) / h);
                assert!((rates.0 - rates.1).abs() < 0.02, "{gait} {n}: {rates:?}");
            }
        }
    }

    #[test]
    fn standing_going_sideways_and_the_paper_alone_have_none() {
        let of = |kinematics, speed, forward| {
            Blend::of_step((kinematics, None), Gait::Walk, (speed, 0.5), 0.0, forward).weight
        };
        assert_eq!(of(Kinematics::Normative, 0.0, 1.0), 0.0);
        assert_eq!(of(Kinematics::Normative, 1.4, 0.0), 0.0);
        assert_eq!(of(Kinematics::Normative, 1.4, -1.0), 0.0);
        assert_eq!(of(Kinematics::Plain, 1.4, 1.0), 0.0);
        assert_eq!(of(Kinematics::Normative, 1.4, 1.0), 1.0);
        assert!(Residual::new(Side::Left, Blend::STANDING, Blend::STANDING, STEADY).at(0.1).is_none());
    }

    #[test]
    fn a_residual_comes_and_goes_over_a_step() {
        let at = |from: Blend, to: Blend, time: f64| {
            Residual::new(Side::Left, from, to, STEADY).at(time).unwrap().even(C::StanceArm)
        };
        let walk = walking(1.4);
        assert_eq!(at(Blend::STANDING, walk, 0.0), 0.0);
        assert!((at(Blend::STANDING, walk, 0.5) - at(walk, walk, 0.5)).abs() < 1e-6);
        assert!((at(walk, Blend::STANDING, 0.0) - at(walk, walk, 0.0)).abs() < 1e-6);
        assert!(at(walk, Blend::STANDING, 0.5).abs() < 1e-6);
    }

    #[test]
    fn no_residual_is_jolted_at_a_sample() {
        // Catmull and Rom's cubic, which passes the samples, has jolts of 100 rad/s2 and more here.
        let blend = Blend::of_step((Kinematics::Normative, None), Gait::Run, (4.6, 0.36), 0.0, 1.0);
        let residual = Residual::new(Side::Left, blend, blend, Times { duration: 0.36, event: 0.16 });
        let h = 1e-4;
        let at = |time: f64| residual.at(time).unwrap().get(C::SwingKnee);
        let second = |time: f64| (at(time + h) - 2.0 * at(time) + at(time - h)) / (h * h);
        // The phase itself is jolted at its event.
        for n in (20..1400).map(|n| 1e-4 * f64::from(n)) {
            let jolt = (second(n + 2.0 * h) - second(n - 2.0 * h)).abs();
            assert!(jolt < 25.0, "{jolt} rad/s2 at {n} s");
        }
    }

    #[test]
    fn legs_take_none_as_they_leave_and_land() {
        let walk = walking(1.4);
        let residual = Residual::new(Side::Left, walk, walk, STEADY);
        let at = residual.at(0.3).unwrap();
        assert_eq!(at.leg(Side::Right, 0.0), [0.0; 3]);
        assert_eq!(at.leg(Side::Right, 1.0), [0.0; 3]);
    }
}
