//! A walk or run with a name: what it asks of the parameters, and the attributes that it sets (GAIT figures 4.9 and 4.22).

use super::attributes::{AttributeError, AttributeInfo, AttributeUnit, AttributeValue, RunAttributes, WalkAttributes};
use super::equations::{DEFAULT_HEIGHT, run_step_length, walk_step_length};
use super::person_curves::PersonCurves;
use super::run_overrides::RunOverrides;
use super::run_parameters::{RunParameters, RunTargets};
use super::stride::{Parameter, ParameterError, StrideTargets};
use super::walk_parameters::WalkParameters;
use std::fmt;

/// The two gaits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Gait {
    /// One foot at least is always on the ground.
    Walk,
    /// Both feet are in the air between steps.
    Run,
}

impl Gait {
    /// As users write it.
    pub fn name(self) -> &'static str {
        match self {
            Gait::Walk => "walk",
            Gait::Run => "run",
        }
    }

    /// What is known of each attribute of the gait.
    pub fn catalogue(self) -> Vec<&'static AttributeInfo> {
        match self {
            Gait::Walk => WalkAttributes::catalogue().collect(),
            Gait::Run => RunAttributes::catalogue().collect(),
        }
    }
}

impl fmt::Display for Gait {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A named walk or run.
///
/// It holds for people of its own height. Others move alike: lengths grow with the person, speeds with the root of that, and
/// cadences fall so (equal Froude numbers).
#[derive(Clone, Debug, PartialEq)]
pub struct Style {
    /// As users write it.
    pub name: String,
    /// What it looks like, in a sentence.
    pub what: String,
    /// Whether it is a walk or a run.
    pub gait: Gait,
    /// Body height that it was made for, in metres.
    pub height: f64,
    /// What it asks of the parameters. Flight height and level are for runs only.
    pub targets: RunTargets,
    /// Which parameter keeps its value when a user sets another.
    pub lock: Option<Parameter>,
    /// Attributes by their names, in the user's units. Names not in the gait's catalogue are refused when it is applied.
    pub attributes: Vec<(String, AttributeValue)>,
    /// A person's own residual curves, where it was fitted to a recording.
    pub curves: Option<PersonCurves>,
}

/// Why a style cannot be applied.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum StyleError {
    /// Its parameters cannot be.
    #[error(transparent)]
    Parameter(#[from] ParameterError),
    /// An attribute cannot be set.
    #[error(transparent)]
    Attribute(#[from] AttributeError),
    /// A walk was asked of a run, or a run of a walk.
    #[error("{name} is a {gait}, not a {}", if *.gait == Gait::Walk { "run" } else { "walk" })]
    OtherGait {
        /// The style.
        name: String,
        /// What it is.
        gait: Gait,
    },
}

impl Style {
    /// A style that asks for nothing: the natural gait.
    pub fn natural(gait: Gait) -> Style {
        let (name, what) = ("natural".to_string(), format!("the natural {gait}"));
        let (targets, lock, attributes) = (RunTargets::default(), None, Vec::new());
        Style { name, what, gait, height: DEFAULT_HEIGHT, targets, lock, attributes, curves: None }
    }

    /// The walk of a person of a height, with the user's own targets on top of the style's.
    pub fn apply_walk(
        &self,
        targets: StrideTargets,
        height: f64,
    ) -> Result<(WalkParameters, WalkAttributes), StyleError> {
        self.expect_gait(Gait::Walk)?;
        let targets = self.stride_for(targets, None, height);
        let parameters = WalkParameters::solve(targets, self.lock, None, height)?;
        let mut attributes = WalkAttributes::for_height(height);
        for (name, value) in &self.attributes {
            attributes.set_at(name, self.scaled(name, *value, height), height)?;
        }
        Ok((parameters, attributes))
    }

    /// The run of a person of a height, with the user's own targets on top of the style's.
    ///
    /// A flight height of the style is kept only where the user asks for no other stride.
    pub fn apply_run(&self, targets: RunTargets, height: f64) -> Result<(RunParameters, RunOverrides), StyleError> {
        self.expect_gait(Gait::Run)?;
        let own = self.scaled_targets(height);
        let kept = if targets.stride.count() == 0 { own.flight_height } else { None };
        let level = targets.level.or(own.level);
        let targets = RunTargets {
            stride: self.stride_for(targets.stride, level, height),
            flight_height: targets.flight_height.or(kept),
            level,
        };
        let parameters = RunParameters::solve(targets, self.lock, None, height)?;
        let mut overrides = RunOverrides::default();
        for (name, value) in &self.attributes {
            overrides.set_at(name, self.scaled(name, *value, height), height)?;
        }
        Ok((parameters, overrides))
    }

    /// The user's targets over the style's. Of a person who was recorded at one speed, steps at another are longer or shorter than
    /// natural ones in the same proportion.
    fn stride_for(&self, targets: StrideTargets, level: Option<f64>, height: f64) -> StrideTargets {
        let own = self.scaled_targets(height).stride;
        let usual = targets.over(own, self.lock);
        let (Some(_), None, Some(speed), Some(recorded), Some(length)) =
            (self.curves, self.lock, targets.speed, own.speed, own.step_length)
        else {
            return usual;
        };
        if targets.count() != 1 {
            return usual;
        }
        let (natural, ranges) = match self.gait {
            Gait::Walk => {
                let natural: fn(f64, f64, f64) -> f64 = |speed, _, height| walk_step_length(speed, height);
                (natural, WalkParameters::ranges(height))
            }
            Gait::Run => {
                let natural: fn(f64, f64, f64) -> f64 = |speed, level, height| run_step_length(speed, height, level);
                (natural, RunParameters::ranges(height, level.unwrap_or(0.0)))
            }
        };
        let level = level.unwrap_or(0.0);
        let wanted = natural(speed, level, height) * length / natural(recorded, level, height);
        // Within what can be done at that speed.
        let (shortest, longest) = (speed / ranges.cadence.max, speed / ranges.cadence.min);
        let step_length = wanted
            .clamp(shortest.max(ranges.step_length.min), longest.min(ranges.step_length.max).max(shortest))
            .clamp(ranges.step_length.min, ranges.step_length.max);
        StrideTargets { step_length: Some(step_length), ..targets }
    }

    /// Checks that the style can be applied as it is, for a person of its own height.
    pub fn check(&self) -> Result<(), StyleError> {
        match self.gait {
            Gait::Walk => self.apply_walk(StrideTargets::default(), self.height).map(|_| ()),
            Gait::Run => self.apply_run(RunTargets::default(), self.height).map(|_| ()),
        }
    }

    fn expect_gait(&self, gait: Gait) -> Result<(), StyleError> {
        if self.gait == gait {
            return Ok(());
        }
        Err(StyleError::OtherGait { name: self.name.clone(), gait: self.gait })
    }

    /// The targets of a person of another height who moves alike.
    fn scaled_targets(&self, height: f64) -> RunTargets {
        let (length, speed) = (height / self.height, (height / self.height).sqrt());
        let StrideTargets { speed: v, step_length: sl, cadence: sf } = self.targets.stride;
        RunTargets {
            stride: StrideTargets {
                speed: v.map(|v| v * speed),
                step_length: sl.map(|sl| sl * length),
                cadence: sf.map(|sf| sf / speed),
            },
            flight_height: self.targets.flight_height.map(|flight| flight * length),
            level: self.targets.level,
        }
    }

    fn scaled(&self, name: &str, value: AttributeValue, height: f64) -> AttributeValue {
        let is_length =
            self.gait.catalogue().iter().any(|info| info.name == name && info.unit == AttributeUnit::Metres);
        match value {
            AttributeValue::Number(metres) if is_length => AttributeValue::Number(metres * height / self.height),
            other => other,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The paper's proud walk.
    fn proud() -> Style {
        Style {
            name: "proud".to_string(),
            targets: RunTargets {
                stride: StrideTargets { speed: Some(4.0 / 3.6), step_length: Some(0.75), cadence: None },
                ..RunTargets::default()
            },
            lock: Some(Parameter::Speed),
            attributes: vec![("arm-swing".to_string(), 1.6.into()), ("stride-width".to_string(), 0.18.into())],
            ..Style::natural(Gait::Walk)
        }
    }

    #[test]
    fn a_style_sets_what_it_names_and_leaves_the_rest() {
        let (parameters, attributes) = proud().apply_walk(StrideTargets::default(), 1.8).unwrap();
        assert_eq!((parameters.speed, parameters.step_length), (4.0 / 3.6, 0.75));
        let expected = WalkAttributes { arm_swing: 1.6, stride_width: 0.18, ..WalkAttributes::default() };
        assert_eq!(attributes, expected);
    }

    #[test]
    fn others_move_alike() {
        let (parameters, attributes) = proud().apply_walk(StrideTargets::default(), 0.9).unwrap();
        assert!((parameters.step_length - 0.375).abs() < 1e-12 && (attributes.stride_width - 0.09).abs() < 1e-12);
        assert!((parameters.speed - 4.0 / 3.6 * 0.5_f64.sqrt()).abs() < 1e-12);
        assert_eq!(attributes.toe_clearance, 0.01);
    }

    #[test]
    fn a_users_target_moves_what_is_not_locked() {
        let target = StrideTargets { cadence: Some(100.0 / 60.0), ..StrideTargets::default() };
        let (parameters, _) = proud().apply_walk(target, 1.8).unwrap();
        assert_eq!(parameters.speed, 4.0 / 3.6);
        assert!((parameters.step_length - 0.666667).abs() < 1e-6);
    }

    #[test]
    fn mistakes_are_reported() {
        let error_of = |style: &Style| style.check().unwrap_err().to_string();
        let wrong = |name: &str| Style { attributes: vec![(name.to_string(), 1.0.into())], ..proud() };
        assert!(error_of(&wrong("overstride")).starts_with("there is no attribute `overstride`"));
        let fast = Style {
            targets: RunTargets {
                stride: StrideTargets { speed: Some(9.0), ..StrideTargets::default() },
                ..RunTargets::default()
            },
            ..proud()
        };
        assert!(error_of(&fast).starts_with("the speed of 32.4 km/h is out of range"));
        let error = proud().apply_run(RunTargets::default(), 1.8).unwrap_err();
        assert_eq!(error.to_string(), "proud is a walk, not a run");
    }
}
