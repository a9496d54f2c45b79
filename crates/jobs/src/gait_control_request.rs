//! Control over a gait as a request: schedules as lists of times and values, and what they become.

use crate::gait_control::{Cycle, GaitControl};
use crate::gait_job::{FootName, setting};
use crate::job_error::JobError;
use crate::request_limits::check_range;
use serde::{Deserialize, Serialize};
use surefoot_gait::{Ends, Gait, GaitSchedule, Gaze, Limp, Schedule, ScheduleError, StepVariation, Style};
use surefoot_geom::Vec3;
use surefoot_motion::Side;

/// Control over a gait beside its parameters. Schedules are lists of seconds from the first frame and values, which change evenly
/// between; an empty one leaves the value as it is otherwise asked for.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct GaitControlRequest {
    /// In metres a second.
    pub speed: Vec<(f64, f64)>,
    /// In metres.
    pub step_length: Vec<(f64, f64)>,
    /// In steps a second.
    pub cadence: Vec<(f64, f64)>,
    /// Level of expertise of runs, -1 to 1.
    pub level: Vec<(f64, f64)>,
    /// Named walks and runs.
    pub preset: Vec<(f64, String)>,
    /// Attributes and their values in the attribute's unit.
    pub set: Vec<(String, Vec<(f64, String)>)>,
    /// How the motion begins. Default: standing.
    pub begin: Option<EndName>,
    /// How it ends. Default: standing.
    pub end: Option<EndName>,
    /// How much steps vary, 0 to 1, that of people. Default 0.
    pub variability: Option<f64>,
    /// Decides about the variability. Default 0.
    pub seed: Option<u64>,
    /// A leg that hurts, and how much, 0 to 1.
    pub limp: Option<(FootName, f64)>,
    /// A point that the person looks at, in metres.
    pub look_at: Option<[f64; 3]>,
    /// How far aside the person looks, positive to the left, -70 to 70 degrees.
    pub gaze_degrees: Option<f64>,
    /// A motion of so many strides that can be repeated, 1 to 1000.
    pub cycles: Option<u32>,
    /// Takes the travel out of a motion that can be repeated.
    pub in_place: bool,
}

/// How a motion begins or ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EndName {
    /// Someone stands.
    Standing,
    /// Someone is in full motion.
    Moving,
}

impl From<EndName> for Ends {
    fn from(end: EndName) -> Ends {
        match end {
            EndName::Standing => Ends::Standing,
            EndName::Moving => Ends::Moving,
        }
    }
}

impl From<FootName> for Side {
    fn from(foot: FootName) -> Side {
        match foot {
            FootName::Left => Side::Left,
            FootName::Right => Side::Right,
        }
    }
}

impl GaitControlRequest {
    /// Refuses what cannot be, before any file is read.
    pub(crate) fn check(&self) -> Result<(), JobError> {
        check_range("control.variability", self.variability, 0.0..=1.0)?;
        check_range("control.limp", self.limp.map(|(_, severity)| severity), 0.0..=1.0)?;
        check_range("control.gaze_degrees", self.gaze_degrees, -70.0..=70.0)?;
        check_range("control.cycles", self.cycles.map(f64::from), 1.0..=1000.0)?;
        let usage = |field: &str, message: &str| Err(JobError::new("usage", message).at_field(field));
        if self.look_at.is_some() && self.gaze_degrees.is_some() {
            return usage("control.look_at", "a point to look at and an angle are given; one of them would do");
        }
        if self.in_place && self.cycles.is_none() {
            return usage("control.in_place", "only a cycle is made in place; --cycle asks for one");
        }
        if self.cycles.is_some() && (self.begin.is_some() || self.end.is_some()) {
            return usage("control.cycles", "a cycle is in motion from its first frame to its last");
        }
        Ok(())
    }

    /// The schedule over what is asked for otherwise; `None` without any. `style_of` finds a preset.
    pub(crate) fn schedule(
        &self,
        base: GaitSchedule,
        gait: Gait,
        style_of: impl Fn(&str, Gait) -> Result<Style, JobError>,
    ) -> Result<GaitSchedule, JobError> {
        let failed = |option: &str, error: ScheduleError| {
            JobError::new("schedule", format!("--{option}: {error}")).at_field(format!("control.{option}"))
        };
        let numbers = |option: &str, points: &[(f64, f64)], base: Option<Schedule<f64>>| match points {
            [] => Ok(base),
            points => match points.iter().find(|point| !point.1.is_finite()) {
                Some(point) => Err(failed(option, ScheduleError::Value(format!("{} is no number", point.1)))),
                None => Schedule::new(points.to_vec()).map(Some).map_err(|error| failed(option, error)),
            },
        };
        let mut schedule = GaitSchedule {
            speed: numbers("speed", &self.speed, base.speed)?,
            step_length: numbers("step-length", &self.step_length, base.step_length)?,
            cadence: numbers("cadence", &self.cadence, base.cadence)?,
            level: numbers("level", &self.level, base.level)?,
            ..base
        };
        if !self.preset.is_empty() {
            let find = |(time, name): &(f64, String)| {
                // A preset of the other gait may follow.
                let other = if gait == Gait::Walk { Gait::Run } else { Gait::Walk };
                let found = style_of(name, gait).or_else(|error| style_of(name, other).map_err(|_| error))?;
                Ok::<_, JobError>((*time, found))
            };
            let points = self.preset.iter().map(find).collect::<Result<Vec<_>, _>>()?;
            schedule.styles = Schedule::new(points).map_err(|error| failed("preset", error))?;
        }
        for (name, points) in &self.set {
            let value = |(time, text): &(f64, String)| Ok((*time, setting(name, text, gait)?.1));
            let points = points.iter().map(value).collect::<Result<Vec<_>, JobError>>()?;
            let values = Schedule::new(points).map_err(|error| failed(&format!("set {name}"), error))?;
            schedule.set.push((name.clone(), values));
        }
        Ok(schedule)
    }

    /// The rest of it.
    pub(crate) fn control<'a>(&self, schedule: &'a GaitSchedule) -> GaitControl<'a> {
        let limp = self.limp.map(|(foot, severity)| Limp { side: foot.into(), severity });
        let gaze = match (self.look_at, self.gaze_degrees) {
            (Some(point), _) => Gaze::At(Vec3::from_array(point)),
            (None, Some(degrees)) => Gaze::Turned(degrees.to_radians()),
            (None, None) => Gaze::Ahead,
        };
        GaitControl {
            schedule: Some(schedule),
            begin: self.begin.map_or(Ends::Standing, Ends::from),
            end: self.end.map_or(Ends::Standing, Ends::from),
            variation: StepVariation {
                variability: self.variability.unwrap_or(0.0),
                seed: self.seed.unwrap_or(0),
                limp,
            },
            gaze,
            cycle: self.cycles.map(|strides| Cycle { strides: strides as usize, in_place: self.in_place }),
        }
    }
}
