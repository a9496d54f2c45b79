//! What defines a basic running stride: velocity, step length, step frequency, flight height and level of expertise
//! (GAIT sections 4.2.1 and 4.2.3).
//!
//! The paper runs from 2 to 25 km/h at 1.8 m. Ours:
//!
//! | parameter | range at 1.8 m | at another height h | why |
//! |---|---|---|---|
//! | speed | 2 to 36 km/h, less for poor runners | x sqrt(h / 1.8) | the paper; sprinters; equal Froude numbers |
//! | step length | 0.18 to 2.89 m | 0.1 h to the longest of a skilled runner | eq. 4.5 |
//! | cadence | 80 to 320 steps/min | upper limit x sqrt(1.8 / h) | eq. 4.5 at the limits of speed; flight ends near 50 |
//! | flight height | 0 to that of the longest flight, as from and to one height | | flight is a part of a step |
//! | level | -1 to 1 | | |
//!
//! A poor runner's steps stay short, so that the speed at which they would follow faster than the cadence's limit is out of
//! range too: at level -1 it is 24.7 km/h.

use super::equations::{
    DEFAULT_HEIGHT, MAX_FLIGHT_SHARE, flight_time, run_norm_step_length, run_speed_of_cadence,
    run_speed_of_step_length, run_step_length,
};
use super::stride::{Parameter, ParameterError, Stride, StrideRanges, StrideTargets, check_height, solve_stride};
use surefoot_contact::check_frame_rate::GRAVITY;
use surefoot_geom::Range;

/// The parameters of a run. Any two of the first three give the third (GAIT eq. 4.1).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RunParameters {
    /// Velocity, in m/s.
    pub speed: f64,
    /// From one foot's strike to the other's, in metres.
    pub step_length: f64,
    /// Step frequency, in steps/s.
    pub cadence: f64,
    /// How high the pelvis rises in flight above where it leaves the ground, in metres. `None`: as follows from the duration of
    /// flight (GAIT's case I).
    pub flight_height: Option<f64>,
    /// Level of expertise, from -1 (poor) to 1 (skilled).
    pub level: f64,
}

/// What is asked for of a run, in SI units.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct RunTargets {
    /// Speed, step length and cadence.
    pub stride: StrideTargets,
    /// Flight height, in metres.
    pub flight_height: Option<f64>,
    /// Level of expertise, from -1 to 1.
    pub level: Option<f64>,
}

impl Default for RunParameters {
    /// 12 km/h of a person 1.8 m tall.
    fn default() -> RunParameters {
        RunParameters::natural(RunParameters::DEFAULT_SPEED, DEFAULT_HEIGHT, 0.0)
    }
}

/// The level of people in recordings: they take longer steps at a speed than the paper's mean runner.
pub const NATURAL_LEVEL: f64 = 0.8;
/// Speeds of a person 1.8 m tall up to which people run at that level, and from which on at level 0, in metres a second: nobody was
/// recorded faster than the first, and with the same level their steps would become longer than any sprinter's.
const LEVEL_SPEEDS: (f64, f64) = (4.2, 6.4);

/// The level at which people of a height run at a speed.
pub fn natural_level(speed: f64, height: f64) -> f64 {
    let speed = speed / (height / DEFAULT_HEIGHT).sqrt();
    let beyond = ((speed - LEVEL_SPEEDS.0) / (LEVEL_SPEEDS.1 - LEVEL_SPEEDS.0)).clamp(0.0, 1.0);
    NATURAL_LEVEL * (1.0 - beyond)
}

impl RunParameters {
    /// 12 km/h, the speed of the paper's panel.
    pub const DEFAULT_SPEED: f64 = 12.0 / 3.6;

    /// Levels of expertise.
    pub const LEVELS: Range = Range { min: -1.0, max: 1.0 };

    /// What can be run at a body height and level.
    pub fn ranges(height: f64, level: f64) -> StrideRanges {
        let scale = (height / DEFAULT_HEIGHT).sqrt();
        let cadence = Range { min: MIN_CADENCE, max: MAX_CADENCE / scale };
        let fastest_steps = cadence.max * run_norm_step_length(height, level);
        StrideRanges {
            speed: Range { min: MIN_SPEED * scale, max: (MAX_SPEED * scale).min(fastest_steps) },
            step_length: Range { min: MIN_STEP * height, max: run_norm_step_length(height, Self::LEVELS.max) },
            cadence,
        }
    }

    /// Flight heights that fit into a step, for a flight from and to one height.
    pub fn flight_heights(cadence: f64) -> Range {
        let longest = MAX_FLIGHT_SHARE / cadence;
        // GAIT eq. 4.6 with y1 = y2.
        Range { min: 0.0, max: longest * longest * GRAVITY / 8.0 }
    }

    /// The natural run at a speed.
    pub fn from_speed(speed: f64, height: f64, level: f64) -> Result<RunParameters, ParameterError> {
        Self::from_one(StrideTargets { speed: Some(speed), ..StrideTargets::default() }, height, level)
    }

    /// The natural run with a step length.
    pub fn from_step_length(step_length: f64, height: f64, level: f64) -> Result<RunParameters, ParameterError> {
        Self::from_one(StrideTargets { step_length: Some(step_length), ..StrideTargets::default() }, height, level)
    }

    /// The natural run with a cadence, in steps/s.
    pub fn from_cadence(cadence: f64, height: f64, level: f64) -> Result<RunParameters, ParameterError> {
        Self::from_one(StrideTargets { cadence: Some(cadence), ..StrideTargets::default() }, height, level)
    }

    fn from_one(stride: StrideTargets, height: f64, level: f64) -> Result<RunParameters, ParameterError> {
        Self::solve(RunTargets { stride, flight_height: None, level: Some(level) }, None, None, height)
    }

    /// The run for some targets, as [`WalkParameters::solve`](super::WalkParameters::solve) has it, with eqs. 4.1 and 4.5.
    ///
    /// The level is that of `base`, or 0, if it has no target. So is the flight height, but a target for any of speed, step
    /// length and cadence gives it back to the formula, as in the paper (cases I and II of section 4.2.4). With a new level alone,
    /// the speed of `base` is kept and run naturally.
    pub fn solve(
        targets: RunTargets,
        lock: Option<Parameter>,
        base: Option<RunParameters>,
        height: f64,
    ) -> Result<RunParameters, ParameterError> {
        check_height(height)?;
        let level = targets.level.unwrap_or(base.map_or(0.0, |base| base.level));
        check(Parameter::Level, level, Self::LEVELS, String::new())?;
        let mut stride = targets.stride;
        let base = base.unwrap_or_else(|| Self::natural(Self::DEFAULT_SPEED, height, level));
        if stride.count() == 0 && level != base.level {
            stride.speed = Some(base.speed);
        }
        let held = Stride { speed: base.speed, step_length: base.step_length, cadence: base.cadence };
        let condition = format!(" for a person {} tall at level {level}", Parameter::BodyHeight.show(height));
        let natural = |parameter, value| natural_stride(parameter, value, height, level);
        let Stride { speed, step_length, cadence } =
            solve_stride(stride, lock, held, &Self::ranges(height, level), &condition, natural)?;
        let kept = if stride.count() == 0 { base.flight_height } else { None };
        let flight_height = targets.flight_height.or(kept);
        if let Some(flight) = flight_height {
            let condition = format!(" at {}", Parameter::Cadence.show(cadence));
            check(Parameter::FlightHeight, flight, Self::flight_heights(cadence), condition)?;
        }
        Ok(RunParameters { speed, step_length, cadence, flight_height, level })
    }

    /// How long each step is flown by the formula, in seconds (eqs. 4.7 and 4.8).
    pub fn natural_flight_time(&self) -> f64 {
        flight_time(self.cadence, self.level)
    }

    fn natural(speed: f64, height: f64, level: f64) -> RunParameters {
        let step_length = run_step_length(speed, height, level);
        RunParameters { speed, step_length, cadence: speed / step_length, flight_height: None, level }
    }
}

fn natural_stride(parameter: Parameter, value: f64, height: f64, level: f64) -> Result<Stride, ParameterError> {
    let speed = match parameter {
        Parameter::StepLength => run_speed_of_step_length(value, height, level).ok_or_else(|| {
            ParameterError::StepTooLong { step_length: value, longest: run_norm_step_length(height, level) }
        })?,
        Parameter::Cadence => run_speed_of_cadence(value, height, level),
        _ => value,
    };
    let step_length = run_step_length(speed, height, level);
    Ok(Stride { speed, step_length, cadence: speed / step_length })
}

fn check(parameter: Parameter, value: f64, range: Range, condition: String) -> Result<(), ParameterError> {
    if !value.is_finite() {
        return Err(ParameterError::NotFinite(parameter));
    }
    if !range.contains(value) {
        return Err(ParameterError::OutOfRange { parameter, value, range, from: None, condition });
    }
    Ok(())
}

/// Slowest run at 1.8 m: the paper's 2 km/h.
const MIN_SPEED: f64 = 2.0 / 3.6;

/// Fastest run at 1.8 m: 36 km/h, a sprinter's.
const MAX_SPEED: f64 = 36.0 / 3.6;

/// Shortest step, as a part of body height.
const MIN_STEP: f64 = 0.1;

/// In steps/s. Slower steps would hardly be flown.
const MIN_CADENCE: f64 = 80.0 / 60.0;

/// At 1.8 m, in steps/s: a little more than a natural run at 36 km/h.
const MAX_CADENCE: f64 = 320.0 / 60.0;

#[cfg(test)]
mod tests {
    use super::*;

    fn target(kmh: Option<f64>, step_length: Option<f64>, spm: Option<f64>) -> RunTargets {
        let stride = StrideTargets { speed: kmh.map(|v| v / 3.6), step_length, cadence: spm.map(|c| c / 60.0) };
        RunTargets { stride, ..RunTargets::default() }
    }

    /// Solves and compares km/h, m and steps/min.
    fn solves(targets: RunTargets, lock: Option<Parameter>, expected: [f64; 3]) -> RunParameters {
        let found = RunParameters::solve(targets, lock, None, 1.8).unwrap();
        let shown = [found.speed * 3.6, found.step_length, found.cadence * 60.0];
        for (found, expected) in shown.into_iter().zip(expected) {
            assert!((found - expected).abs() < 1e-4 * expected.max(1.0), "{shown:?}, expected {expected:?}");
        }
        assert!((found.step_length * found.cadence - found.speed).abs() < 1e-12);
        found
    }

    #[test]
    fn the_papers_panel() {
        // Figure 4.16: by default 12 km/h with 1.07 m and 187 steps/min; locked there, 210 steps/min give 0.95 m.
        let default = solves(RunTargets::default(), None, [12.0, 1.06944, 187.01376]);
        assert_eq!(default, RunParameters::default());
        assert_eq!((hundredths(default.step_length), (default.cadence * 60.0).round()), (1.07, 187.0));
        let locked =
            RunParameters::solve(target(None, None, Some(210.0)), Some(Parameter::Speed), Some(default), 1.8).unwrap();
        assert_eq!((hundredths(locked.step_length), locked.speed), (0.95, default.speed));
    }

    fn hundredths(length: f64) -> f64 {
        (length * 100.0).round() / 100.0
    }

    #[test]
    fn one_target_is_completed_naturally() {
        solves(target(Some(2.0), None, None), None, [2.0, 0.29444, 113.20926]);
        solves(target(Some(36.0), None, None), None, [36.0, 1.99944, 300.08402]);
        solves(target(None, Some(1.06944), None), None, [12.0, 1.06944, 187.01376]);
        solves(target(None, None, Some(187.0137642)), None, [12.0, 1.06944, 187.01376]);
        solves(target(None, None, Some(300.0)), None, [35.98992, 1.99944, 300.0]);
        let skilled = RunTargets { level: Some(1.0), ..RunTargets::default() };
        solves(skilled, None, [12.0, 1.26944, 157.54979]);
    }

    #[test]
    fn natural_runs_reach_the_limits_at_every_height_and_level() {
        for height in [0.5, 0.8, 1.2, 1.8, 2.2, 3.0] {
            for level in [-1.0, -0.3, 0.0, 1.0] {
                let ranges = RunParameters::ranges(height, level);
                for speed in [ranges.speed.min, ranges.speed.max] {
                    let found = RunParameters::from_speed(speed, height, level).unwrap();
                    let flight = found.natural_flight_time();
                    assert!(flight >= 0.0 && flight < 1.0 / found.cadence, "{height} m, level {level}: {found:?}");
                }
            }
        }
        assert!((RunParameters::ranges(1.8, -1.0).speed.max * 3.6 - 24.6809).abs() < 1e-3);
    }

    #[test]
    fn a_flight_height_stays_until_the_stride_changes() {
        let high = RunTargets { flight_height: Some(0.05), ..RunTargets::default() };
        let base = RunParameters::solve(high, None, None, 1.8).unwrap();
        assert_eq!(base.flight_height, Some(0.05));
        let same = RunParameters::solve(RunTargets::default(), None, Some(base), 1.8).unwrap();
        assert_eq!(same, base);
        let faster = RunParameters::solve(target(Some(15.0), None, None), None, Some(base), 1.8).unwrap();
        assert_eq!(faster.flight_height, None);
        let skilled = RunTargets { level: Some(1.0), ..RunTargets::default() };
        let skilled = RunParameters::solve(skilled, None, Some(base), 1.8).unwrap();
        assert!((skilled.speed - base.speed).abs() < 1e-12 && skilled.step_length > base.step_length);
    }

    #[test]
    fn what_is_out_of_range_is_reported_with_the_range() {
        let fails = |targets, text: &str| {
            let error = RunParameters::solve(targets, None, None, 1.8).unwrap_err();
            assert_eq!(error.to_string(), text);
        };
        fails(
            target(Some(40.0), None, None),
            "the speed of 40 km/h is out of range: 2 to 36 km/h for a person 1.8 m tall at level 0",
        );
        fails(
            RunTargets { level: Some(-1.0), ..target(Some(30.0), None, None) },
            "the speed of 30 km/h is out of range: 2 to 24.68 km/h for a person 1.8 m tall at level -1",
        );
        fails(
            target(None, Some(2.5), None),
            "no natural run has steps of 2.5 m: they grow to 1.999 m at this height and level; \
             give a speed or a cadence as well",
        );
        fails(
            target(None, Some(0.2), None),
            "a step length of 0.2 m needs a speed of 0.7814 km/h, which is out of range: 2 to 36 km/h for a person 1.8 m tall \
             at level 0; change or release the step length",
        );
        fails(
            RunTargets { flight_height: Some(0.3), ..RunTargets::default() },
            "the flight height of 0.3 m is out of range: 0 to 0.06183 m at 187 steps/min",
        );
        fails(RunTargets { level: Some(2.0), ..RunTargets::default() }, "the level of 2 is out of range: -1 to 1");
    }
}
