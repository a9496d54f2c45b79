//! Which of speed, step length and cadence are asked for, and what cannot be (GAIT sections 4.1.2 and 4.2.3).
//!
//! In the paper's normal mode one parameter is moved and the others follow by the normalisation formula; in locked mode one is
//! held, another moved, and the third follows by eq. 4.1. We express the same by targets: one target leaves the rest to the
//! formula, two give the third, and three must agree.

use std::fmt;
use surefoot_geom::Range;

/// A parameter of a stride.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Parameter {
    /// Velocity.
    Speed,
    /// Step length.
    StepLength,
    /// Step frequency.
    Cadence,
    /// How high a run's flight rises.
    FlightHeight,
    /// A runner's level of expertise.
    Level,
    /// Body height, on which the ranges depend.
    BodyHeight,
}

impl Parameter {
    /// The three that eq. 4.1 ties, of which one can be locked.
    pub const STRIDE: [Parameter; 3] = [Parameter::Speed, Parameter::StepLength, Parameter::Cadence];

    /// As users write it.
    pub fn name(self) -> &'static str {
        match self {
            Parameter::Speed => "speed",
            Parameter::StepLength => "step-length",
            Parameter::Cadence => "cadence",
            Parameter::FlightHeight => "flight-height",
            Parameter::Level => "level",
            Parameter::BodyHeight => "height",
        }
    }

    /// As a sentence has it.
    fn noun(self) -> &'static str {
        match self {
            Parameter::StepLength => "step length",
            Parameter::FlightHeight => "flight height",
            Parameter::BodyHeight => "body height",
            other => other.name(),
        }
    }

    /// The unit in which users give it; empty for a bare number.
    pub fn unit(self) -> &'static str {
        match self {
            Parameter::Speed => "km/h",
            Parameter::StepLength | Parameter::FlightHeight | Parameter::BodyHeight => "m",
            Parameter::Cadence => "steps/min",
            Parameter::Level => "",
        }
    }

    /// From the user's unit to SI.
    pub fn from_user(self, value: f64) -> f64 {
        match self {
            Parameter::Speed => value / 3.6,
            Parameter::Cadence => value / 60.0,
            _ => value,
        }
    }

    /// From SI to the user's unit.
    pub fn to_user(self, value: f64) -> f64 {
        match self {
            Parameter::Speed => value * 3.6,
            Parameter::Cadence => value * 60.0,
            _ => value,
        }
    }

    /// A value in SI as users read it, to four digits: `4.5 km/h`.
    pub fn show(self, value: f64) -> String {
        let (number, unit) = (four_digits(self.to_user(value)), self.unit());
        if unit.is_empty() { number } else { format!("{number} {unit}") }
    }

    /// A range in SI as users read it: `0.5 to 12 km/h`.
    pub fn show_range(self, range: Range) -> String {
        format!("{} to {}", four_digits(self.to_user(range.min)), self.show(range.max))
    }
}

/// A number to four digits, without zeros at its end.
pub(super) fn four_digits(value: f64) -> String {
    let digits = if value == 0.0 || !value.is_finite() { 0 } else { 3 - value.abs().log10().floor() as i32 };
    let text = format!("{value:.*}", digits.clamp(0, 6) as usize);
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_string() } else { text }
}

/// What is asked for of a stride, in SI units. What is `None` follows from the rest.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct StrideTargets {
    /// Velocity, in m/s.
    pub speed: Option<f64>,
    /// Step length, in metres.
    pub step_length: Option<f64>,
    /// Step frequency, in steps/s.
    pub cadence: Option<f64>,
}

impl StrideTargets {
    /// The target for one of the three of [`Parameter::STRIDE`]; `None` for another.
    pub fn get(&self, parameter: Parameter) -> Option<f64> {
        match parameter {
            Parameter::Speed => self.speed,
            Parameter::StepLength => self.step_length,
            Parameter::Cadence => self.cadence,
            _ => None,
        }
    }

    /// Sets the target for one of the three of [`Parameter::STRIDE`]; for another, nothing changes.
    pub fn set(&mut self, parameter: Parameter, value: Option<f64>) {
        match parameter {
            Parameter::Speed => self.speed = value,
            Parameter::StepLength => self.step_length = value,
            Parameter::Cadence => self.cadence = value,
            _ => {}
        }
    }

    /// How many targets are set.
    pub fn count(&self) -> usize {
        Parameter::STRIDE.iter().filter(|&&parameter| self.get(parameter).is_some()).count()
    }

    /// These targets, and as many of the `under` ones as there is room for beside them: two in all, the locked one first. So what
    /// a user asks for on top of a preset moves what the preset did not lock.
    pub fn over(self, under: StrideTargets, lock: Option<Parameter>) -> StrideTargets {
        let mut both = self;
        for parameter in lock.into_iter().chain(Parameter::STRIDE) {
            if both.count() < 2 && both.get(parameter).is_none() {
                both.set(parameter, under.get(parameter));
            }
        }
        // Three that agree among themselves stay three.
        if self.count() == 0 { under } else { both }
    }
}

/// Speed, step length and cadence that satisfy eq. 4.1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Stride {
    pub(super) speed: f64,
    pub(super) step_length: f64,
    pub(super) cadence: f64,
}

/// Why parameters cannot be.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ParameterError {
    /// A value is outside of its range.
    #[error("{}", out_of_range(*.parameter, *.value, *.range, *.from, .condition))]
    OutOfRange {
        /// Of which parameter.
        parameter: Parameter,
        /// The value, in SI units.
        value: f64,
        /// What would do, in SI units.
        range: Range,
        /// The values it followed from, in SI units; `None` if it was asked for.
        from: Option<[Option<(Parameter, f64)>; 2]>,
        /// What the range depends on, as `for a person 1.8 m tall`.
        condition: String,
    },
    /// Speed, step length and cadence were all given, and contradict each other.
    #[error("{}", conflict(*.speed, *.step_length, *.cadence, *.lock))]
    Conflict {
        /// The speed asked for, in m/s.
        speed: f64,
        /// The step length asked for, in metres.
        step_length: f64,
        /// The cadence asked for, in steps/s.
        cadence: f64,
        /// Which one must stay.
        lock: Option<Parameter>,
    },
    /// A value is NaN or infinite.
    #[error("the {} must be a finite number", .0.noun())]
    NotFinite(Parameter),
    /// A parameter that cannot be locked was to be.
    #[error("the {} cannot be locked; speed, step-length and cadence can", .0.noun())]
    NoLock(Parameter),
    /// A running step longer than any natural one, without a speed or cadence for it.
    #[error(
        "no natural run has steps of {}: they grow to {} at this height and level; give a speed or a cadence as well",
        Parameter::StepLength.show(*.step_length),
        Parameter::StepLength.show(*.longest)
    )]
    StepTooLong {
        /// The step length asked for, in metres.
        step_length: f64,
        /// The longest natural one, in metres.
        longest: f64,
    },
}

fn out_of_range(
    parameter: Parameter,
    value: f64,
    range: Range,
    from: Option<[Option<(Parameter, f64)>; 2]>,
    condition: &str,
) -> String {
    let (shown, allowed) = (parameter.show(value), parameter.show_range(range));
    let Some(from) = from else {
        return format!("the {} of {shown} is out of range: {allowed}{condition}", parameter.noun());
    };
    let given: Vec<String> = from
        .iter()
        .flatten()
        .map(|&(parameter, value)| format!("a {} of {}", parameter.noun(), parameter.show(value)))
        .collect();
    let release: Vec<&str> = from.iter().flatten().map(|(parameter, _)| parameter.noun()).collect();
    format!(
        "{} needs a {} of {shown}, which is out of range: {allowed}{condition}; change or release the {}",
        given.join(" with "),
        parameter.noun(),
        release.join(" or the ")
    )
}

fn conflict(speed: f64, step_length: f64, cadence: f64, lock: Option<Parameter>) -> String {
    let instead = [
        (Parameter::Speed, step_length * cadence),
        (Parameter::StepLength, speed / cadence),
        (Parameter::Cadence, speed / step_length),
    ];
    let choices: Vec<String> = instead
        .iter()
        .filter(|(parameter, _)| lock != Some(*parameter))
        .map(|&(parameter, value)| format!("the {} ({} would do)", parameter.noun(), parameter.show(value)))
        .collect();
    format!(
        "steps of {} at {} do not make {}; release {}",
        Parameter::StepLength.show(step_length),
        Parameter::Cadence.show(cadence),
        Parameter::Speed.show(speed),
        choices.join(" or ")
    )
}

/// How far three given parameters may be from eq. 4.1, as users round what they read.
const AGREEMENT: f64 = 0.01;

/// Ranges of a gait's parameters, in SI units.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StrideRanges {
    /// Of the speed.
    pub speed: Range,
    /// Of the step length.
    pub step_length: Range,
    /// Of the cadence.
    pub cadence: Range,
}

impl StrideRanges {
    /// The range of one of [`Parameter::STRIDE`].
    fn of(&self, parameter: Parameter) -> Range {
        match parameter {
            Parameter::StepLength => self.step_length,
            Parameter::Cadence => self.cadence,
            _ => self.speed,
        }
    }
}

/// The stride for some targets. `natural` completes one target; `base` is what a lock keeps, and the result without targets.
/// `condition` is what the ranges depend on, for messages.
pub(super) fn solve_stride(
    targets: StrideTargets,
    lock: Option<Parameter>,
    base: Stride,
    ranges: &StrideRanges,
    condition: &str,
    natural: impl Fn(Parameter, f64) -> Result<Stride, ParameterError>,
) -> Result<Stride, ParameterError> {
    let mut targets = targets;
    if let Some(parameter) = lock {
        if !Parameter::STRIDE.contains(&parameter) {
            return Err(ParameterError::NoLock(parameter));
        }
        // With nothing moved, a lock holds what is there anyway.
        if (1..3).contains(&targets.count()) && targets.get(parameter).is_none() {
            targets.set(parameter, Some(base.get(parameter)));
        }
    }
    for parameter in Parameter::STRIDE {
        let Some(value) = targets.get(parameter) else { continue };
        let range = ranges.of(parameter);
        if !value.is_finite() {
            return Err(ParameterError::NotFinite(parameter));
        }
        if !range.contains(value) {
            let condition = condition.to_string();
            return Err(ParameterError::OutOfRange { parameter, value, range, from: None, condition });
        }
    }
    let stride = match (targets.speed, targets.step_length, targets.cadence) {
        (None, None, None) => base,
        (Some(speed), None, None) => natural(Parameter::Speed, speed)?,
        (None, Some(step_length), None) => natural(Parameter::StepLength, step_length)?,
        (None, None, Some(cadence)) => natural(Parameter::Cadence, cadence)?,
        (Some(speed), Some(step_length), None) => Stride { speed, step_length, cadence: speed / step_length },
        (Some(speed), None, Some(cadence)) => Stride { speed, step_length: speed / cadence, cadence },
        (None, Some(step_length), Some(cadence)) => Stride { speed: step_length * cadence, step_length, cadence },
        (Some(speed), Some(step_length), Some(cadence)) => {
            if (step_length * cadence / speed - 1.0).abs() > AGREEMENT {
                return Err(ParameterError::Conflict { speed, step_length, cadence, lock });
            }
            // Within rounding of each other; what is left over goes where it is least felt.
            if lock == Some(Parameter::Cadence) {
                Stride { speed, step_length: speed / cadence, cadence }
            } else {
                Stride { speed, step_length, cadence: speed / step_length }
            }
        }
    };
    for parameter in Parameter::STRIDE {
        let (value, range) = (stride.get(parameter), ranges.of(parameter));
        if !range.contains(value) || !value.is_finite() {
            let mut given = Parameter::STRIDE.into_iter().filter_map(|other| Some((other, targets.get(other)?)));
            let from = [given.next(), given.next()];
            let from = from[0].is_some().then_some(from);
            let condition = condition.to_string();
            return Err(ParameterError::OutOfRange { parameter, value, range, from, condition });
        }
    }
    Ok(stride)
}

impl Stride {
    fn get(&self, parameter: Parameter) -> f64 {
        match parameter {
            Parameter::StepLength => self.step_length,
            Parameter::Cadence => self.cadence,
            _ => self.speed,
        }
    }
}

/// Body heights that the formulas are taken to hold for, in metres: from an infant on its feet to a giant.
pub const HEIGHTS: Range = Range { min: 0.5, max: 3.0 };

/// Checks a body height.
pub(super) fn check_height(height: f64) -> Result<(), ParameterError> {
    if !height.is_finite() {
        return Err(ParameterError::NotFinite(Parameter::BodyHeight));
    }
    if !HEIGHTS.contains(height) {
        let (parameter, condition) = (Parameter::BodyHeight, String::new());
        return Err(ParameterError::OutOfRange { parameter, value: height, range: HEIGHTS, from: None, condition });
    }
    Ok(())
}

impl fmt::Display for Parameter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_shown_to_four_digits() {
        for (value, text) in
            [(0.75, "0.75"), (107.5829, "107.6"), (12.0, "12"), (0.0, "0"), (0.002345678, "0.002346"), (4000.4, "4000")]
        {
            assert_eq!(four_digits(value), text);
        }
    }

    #[test]
    fn targets_on_top_leave_what_is_locked() {
        let preset = StrideTargets { speed: Some(1.1), step_length: Some(0.75), cadence: None };
        let lock = Some(Parameter::Speed);
        assert_eq!(StrideTargets::default().over(preset, lock), preset);
        let slower = StrideTargets { cadence: Some(1.5), ..StrideTargets::default() };
        assert_eq!(
            slower.over(preset, lock),
            StrideTargets { speed: Some(1.1), step_length: None, cadence: Some(1.5) }
        );
        let longer = StrideTargets { step_length: Some(0.8), ..StrideTargets::default() };
        assert_eq!(longer.over(preset, lock), StrideTargets { step_length: Some(0.8), ..preset });
        let faster = StrideTargets { speed: Some(2.0), ..StrideTargets::default() };
        assert_eq!(faster.over(preset, lock), StrideTargets { speed: Some(2.0), ..preset });
    }
}
