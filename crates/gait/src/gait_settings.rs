//! Gait settings: which gait, and the parameters and attributes of both, so that one can turn into the other.

use super::attributes::{RUN, WALK, blend};
use super::body_state::Bearing;
use super::equations::{DEFAULT_HEIGHT, double_support_time, flight_time, run_speed_of_step_length, walk_cadence};
use super::norms::Kinematics;
use super::person_curves::PersonCurves;
use super::poise::Gaze;
use super::run_parameters::NATURAL_LEVEL;
use super::take_step::FIRST_SWING;
use super::{Gait, RunAttributes, RunOverrides, RunParameters, WalkAttributes, WalkParameters};

/// Settings of a walk.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct WalkSettings {
    /// Speed, step length and cadence.
    pub parameters: WalkParameters,
    /// Its style.
    pub attributes: WalkAttributes,
}

/// Settings of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct RunSettings {
    /// Speed, step length, cadence, flight and expertise.
    pub parameters: RunParameters,
    /// Its style.
    pub attributes: RunAttributes,
}

/// How someone moves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GaitSettings {
    /// Walking or running.
    pub gait: Gait,
    /// How walking steps are made.
    pub walk: WalkSettings,
    /// How running steps are made.
    pub run: RunSettings,
    /// As people move, or by the paper alone.
    pub kinematics: Kinematics,
    /// Where the person looks.
    pub gaze: Gaze,
    /// How far the trunk sways over the standing foot in mid-step, in radians: that of someone who limps. Default 0.
    pub stance_sway: f64,
    /// One person's residual curves, of walking and of running; `None` for the mean of people.
    pub person: [Option<PersonCurves>; 2],
}

/// Share of the lean that stays in standing.
const STANDING_LEAN: f64 = 0.3;
/// Share of a runner's flexion of the elbows that stays in standing.
const STANDING_ELBOW: f64 = 0.25;
/// Slowest and fastest natural walking step where a plan does not give its times, in steps a second: short steps are quicker
/// than the formula says, which has a step of no length take forever.
const NATURAL_CADENCE: (f64, f64) = (1.35, 2.4);
/// Slowest running step where a plan does not give its times, in steps a second.
const SLOWEST_RUN: f64 = 2.2;
/// Of a walking step, least and most of double support, whatever eq. 4.3 says of very fast and very slow ones.
const MIN_DOUBLE_SUPPORT: f64 = 0.06;
pub(super) const MAX_DOUBLE_SUPPORT: f64 = 0.45;
/// Shortest flight, in seconds.
pub(super) const MIN_FLIGHT: f64 = 0.02;
/// Of a step, most that is flown.
pub(super) const MAX_FLIGHT: f64 = 0.65;

impl GaitSettings {
    /// The natural gaits of a person of a height: 5 km/h and 12 km/h for 1.8 m, and alike for others.
    pub fn natural(gait: Gait, height: f64) -> GaitSettings {
        let scale = (height / DEFAULT_HEIGHT).sqrt();
        let walk_speed = WalkParameters::default().speed * scale;
        let run_speed = RunParameters::default().speed * scale;
        let walk = WalkParameters::from_speed(walk_speed, height).unwrap_or_default();
        let run = RunParameters::from_speed(run_speed, height, NATURAL_LEVEL).unwrap_or_default();
        GaitSettings {
            gait,
            walk: WalkSettings { parameters: walk, attributes: WalkAttributes::for_height(height) },
            run: RunSettings { parameters: run, attributes: RunOverrides::default().resolve(&run, height) },
            kinematics: Kinematics::Normative,
            person: [None; 2],
            gaze: Gaze::Ahead,
            stance_sway: 0.0,
        }
    }

    /// Settings between these and others of the same gait.
    pub(super) fn blend(&self, to: &GaitSettings, share: f64) -> GaitSettings {
        let between = |from: f64, to: f64| from + share * (to - from);
        let (a, b) = (&self.walk.parameters, &to.walk.parameters);
        let (speed, step_length) = (between(a.speed, b.speed), between(a.step_length, b.step_length));
        let walk = WalkParameters { speed, step_length, cadence: speed / step_length };
        let (a, b) = (&self.run.parameters, &to.run.parameters);
        let (speed, step_length) = (between(a.speed, b.speed), between(a.step_length, b.step_length));
        let flight_height = a.flight_height.zip(b.flight_height).map(|(a, b)| between(a, b));
        let level = between(a.level, b.level);
        let run = RunParameters { speed, step_length, cadence: speed / step_length, flight_height, level };
        let mut attributes = blend(&RUN, &self.run.attributes, &to.run.attributes, share);
        attributes.strike = if share < 0.5 { self.run.attributes.strike } else { to.run.attributes.strike };
        let walk_attributes = blend(&WALK, &self.walk.attributes, &to.walk.attributes, share);
        GaitSettings {
            walk: WalkSettings { parameters: walk, attributes: walk_attributes },
            run: RunSettings { parameters: run, attributes },
            stance_sway: between(self.stance_sway, to.stance_sway),
            ..if share < 0.5 { *self } else { *to }
        }
    }

    /// Where the person looks: the paper's face ahead unless asked otherwise.
    pub(super) fn gaze_used(&self) -> Gaze {
        match (self.kinematics, self.gaze) {
            (Kinematics::Plain, Gaze::Ahead) => Gaze::Facing,
            (_, gaze) => gaze,
        }
    }

    /// How the body is held in standing.
    pub(super) fn bearing(&self) -> Bearing {
        let (tilt, shoulders, arm_out, elbows) = match self.gait {
            Gait::Walk => {
                let a = &self.walk.attributes;
                (a.torso_tilt, a.shoulder_rotation, a.arm_out, a.elbow_min + a.elbow_max)
            }
            Gait::Run => {
                let a = &self.run.attributes;
                (a.torso_tilt, a.shoulder_rotation, a.arm_out, STANDING_ELBOW * (a.elbow_min + a.elbow_max))
            }
        };
        Bearing { lean: STANDING_LEAN * tilt, shoulders, arm_out, elbow: 0.5 * elbows, gaze: self.gaze_used() }
    }

    /// Seconds of a step of the gait at its own pace.
    pub(super) fn step_time(&self, gait: Gait) -> f64 {
        1.0 / match gait {
            Gait::Walk => self.walk.parameters.cadence,
            Gait::Run => self.run.parameters.cadence,
        }
    }

    /// Seconds of the running step that follows a walking one: its body has to gain speed.
    pub(super) fn first_run_step_time(&self) -> f64 {
        0.5 * (self.step_time(Gait::Walk) + self.step_time(Gait::Run))
    }

    /// Swing and support of a walking step at its own pace, in seconds; the first of a walk swings for longer.
    pub(crate) fn walk_times(&self, is_first: bool) -> [f64; 2] {
        let time = self.step_time(Gait::Walk);
        let support = self.double_support(time);
        [if is_first { FIRST_SWING * time } else { time - support }, support]
    }

    /// Seconds of double support between walking steps at a pace.
    pub(super) fn double_support(&self, step_time: f64) -> f64 {
        double_support_time(1.0 / step_time).clamp(MIN_DOUBLE_SUPPORT * step_time, MAX_DOUBLE_SUPPORT * step_time)
    }

    /// Seconds in the air between running steps at a pace.
    pub(super) fn flight(&self, step_time: f64) -> f64 {
        let natural = flight_time(1.0 / step_time, self.run.parameters.level);
        natural.clamp(MIN_FLIGHT, MAX_FLIGHT * step_time)
    }

    /// Seconds that a step of a length takes by nature.
    pub(super) fn natural_step_time(&self, gait: Gait, length: f64, height: f64) -> f64 {
        let level = self.run.parameters.level;
        match gait {
            Gait::Walk => {
                let scale = (DEFAULT_HEIGHT / height).sqrt();
                1.0 / walk_cadence(length, height).clamp(NATURAL_CADENCE.0 * scale, NATURAL_CADENCE.1 * scale)
            }
            Gait::Run => match run_speed_of_step_length(length, height, level) {
                Some(speed) if speed > 0.0 => (length / speed).min(1.0 / SLOWEST_RUN),
                Some(_) => 1.0 / SLOWEST_RUN,
                None => self.step_time(Gait::Run),
            },
        }
    }
}
