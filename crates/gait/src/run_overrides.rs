//! A run's attributes follow its parameters, but for those that the user has set (GAIT section 4.2.3).
//!
//! A slow and a fast run differ in more than their parameters, so the paper adjusts attributes by linear functions of them. It
//! says which rise and which fall; the slopes are ours, chosen so that the run at 12 km/h has the defaults and runs from 2 to
//! 36 km/h look like it:
//!
//! | attribute | follows |
//! |---|---|
//! | overstride | falls with speed |
//! | torso tilt, knee flexion at impact and in swing, hip flexion in swing | rise with speed |
//! | pelvic rotation | rises with step length |
//! | knee flexion at toe-off | falls with step length |
//! | bounciness | rises with flight height |
//! | stride width | falls with cadence |
//! | lateral displacement | rises with stride width, falls with cadence |
//!
//! Speeds, lengths and cadences are compared with those of a person 1.8 m tall who runs alike (equal Froude numbers).
//!
//! Departures: the overstride is no more than [`MAX_OVERSTRIDE_SHARE`] of a step, for else the body would never pass over the
//! foot in the slowest runs. The flight height that bounciness follows is, where the user gave none, eq. 4.6's for a pelvis that is
//! [`NOMINAL_DROP`] lower at impact than at toe-off: the true drop is known only when the step is made. That drop gives the
//! heights of the paper's panel (0.004 m at 12 km/h; 0.001 m at 210 steps/min).

use super::attributes::{AttributeError, AttributeValue, RUN, RunAttributes, check_run};
use super::equations::{DEFAULT_HEIGHT, flight_height};
use super::run_parameters::RunParameters;

/// What the user has set of a run's attributes. The others follow the parameters.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct RunOverrides {
    /// In the catalogue's order, in the units inside.
    overrides: [Option<AttributeValue>; RUN.len()],
}

impl RunOverrides {
    /// Sets an attribute, in the user's unit, of a person 1.8 m tall. It no longer follows the parameters.
    pub fn set(&mut self, name: &str, value: impl Into<AttributeValue>) -> Result<(), AttributeError> {
        self.set_at(name, value, DEFAULT_HEIGHT)
    }

    /// Sets an attribute, in the user's unit, of a person of a height, on which the ranges of lengths depend.
    pub fn set_at(&mut self, name: &str, value: impl Into<AttributeValue>, height: f64) -> Result<(), AttributeError> {
        let (index, value) = check_run(name, value.into(), height)?;
        self.overrides[index] = Some(value);
        Ok(())
    }

    /// Lets an attribute follow the parameters again.
    pub fn unset(&mut self, name: &str) -> Result<(), AttributeError> {
        let index = super::attributes::find(&RUN, name)?;
        self.overrides[index] = None;
        Ok(())
    }

    /// Whether the user has set an attribute.
    pub fn is_set(&self, name: &str) -> bool {
        RUN.iter().zip(&self.overrides).any(|(attribute, value)| attribute.info.name == name && value.is_some())
    }

    /// Sets all attributes to given values; none follows the parameters any more.
    pub fn fixed(attributes: &RunAttributes) -> RunOverrides {
        let mut copy = *attributes;
        let value = |index: usize| match RUN[index].field {
            Some(field) => AttributeValue::Number(*field(&mut copy)),
            None => AttributeValue::Strike(attributes.strike),
        };
        let overrides = std::array::from_fn::<_, { RUN.len() }, _>(value).map(Some);
        RunOverrides { overrides }
    }

    /// The attributes of a run of a person of a height.
    pub fn resolve(&self, parameters: &RunParameters, height: f64) -> RunAttributes {
        let mut attributes = follow(parameters, height);
        self.put_overrides(&mut attributes);
        // Of the coupled ones, the lateral displacement follows the stride width that is meant.
        attributes.lateral_displacement = lateral_displacement(parameters, attributes.stride_width, height);
        self.put_overrides(&mut attributes);
        attributes
    }

    fn put_overrides(&self, attributes: &mut RunAttributes) {
        for (index, value) in self.overrides.iter().enumerate() {
            if let Some(value) = value {
                attributes.put(index, *value);
            }
        }
    }
}

/// The parameters' differences from the default run's, as a person 1.8 m tall would have them: km/h, m and steps/min.
struct Difference {
    speed: f64,
    step_length: f64,
    cadence: f64,
}

impl Difference {
    fn new(parameters: &RunParameters, height: f64) -> Difference {
        let default = RunParameters::default();
        let (length, speed) = (height / DEFAULT_HEIGHT, (height / DEFAULT_HEIGHT).sqrt());
        Difference {
            speed: (parameters.speed / speed - default.speed) * 3.6,
            step_length: parameters.step_length / length - default.step_length,
            cadence: (parameters.cadence * speed - default.cadence) * 60.0,
        }
    }
}

/// The attributes that belong to parameters. Each stays within its range.
fn follow(parameters: &RunParameters, height: f64) -> RunAttributes {
    let scale = height / DEFAULT_HEIGHT;
    let by = Difference::new(parameters, height);
    let natural = RunAttributes::default();
    let most = MAX_OVERSTRIDE_SHARE * parameters.step_length;
    let rise = |degrees: f64| degrees.to_radians();
    let attributes = RunAttributes {
        overstride: ((natural.overstride - 0.002 * by.speed) * scale).min(most),
        torso_tilt: natural.torso_tilt + rise(0.3 * by.speed),
        knee_swing: natural.knee_swing + rise(1.6 * by.speed),
        hip_swing: natural.hip_swing + rise(1.5 * by.speed),
        knee_impact: natural.knee_impact + rise(0.15 * by.speed),
        pelvis_rotation: natural.pelvis_rotation + rise(6.0 * by.step_length),
        knee_toe_off: natural.knee_toe_off - rise(8.0 * by.step_length),
        bounciness: natural.bounciness
            + BOUNCE_PER_METRE * (nominal_flight_height(parameters, height) / scale - nominal_default()),
        stride_width: (natural.stride_width - 0.0004 * by.cadence) * scale,
        ..natural
    };
    within_ranges(attributes, height)
}

/// The body's lateral displacement that belongs to a stride width and a cadence.
fn lateral_displacement(parameters: &RunParameters, stride_width: f64, height: f64) -> f64 {
    let scale = height / DEFAULT_HEIGHT;
    let natural = RunAttributes::default();
    let wider = stride_width / scale - natural.stride_width;
    let faster = Difference::new(parameters, height).cadence;
    let displacement = natural.lateral_displacement + 0.15 * wider - 0.00004 * faster;
    within_ranges(RunAttributes { lateral_displacement: displacement * scale, ..natural }, height).lateral_displacement
}

/// Flight height that was asked for, or what the formulas give without the step.
fn nominal_flight_height(parameters: &RunParameters, height: f64) -> f64 {
    parameters.flight_height.unwrap_or_else(|| {
        let flight = parameters.natural_flight_time();
        if flight > 0.0 { flight_height(flight, NOMINAL_DROP * height / DEFAULT_HEIGHT) } else { 0.0 }
    })
}

/// The default run's flight height.
fn nominal_default() -> f64 {
    nominal_flight_height(&RunParameters::default(), DEFAULT_HEIGHT)
}

fn within_ranges(mut attributes: RunAttributes, height: f64) -> RunAttributes {
    for attribute in &RUN {
        let Some(field) = attribute.field else { continue };
        let (unit, range) = (attribute.info.unit, attribute.info.range_at(height));
        let value = field(&mut attributes);
        *value = value.clamp(unit.from_user(range.min), unit.from_user(range.max));
    }
    attributes
}

/// How much of a step the foot may be ahead of the pelvis at impact.
pub const MAX_OVERSTRIDE_SHARE: f64 = 0.4;

/// How much lower the pelvis is at impact than at toe-off in the default run, in metres.
pub const NOMINAL_DROP: f64 = 0.077;

/// How much the bounciness rises with each metre of flight height: a flight of 0.1 m doubles it.
const BOUNCE_PER_METRE: f64 = 10.0;

#[cfg(test)]
mod tests {
    use super::super::attributes::Strike;
    use super::*;

    fn at(kmh: f64) -> RunAttributes {
        RunOverrides::default().resolve(&RunParameters::from_speed(kmh / 3.6, 1.8, 0.0).unwrap(), 1.8)
    }

    #[test]
    fn the_default_run_has_the_defaults() {
        let (found, default) =
            (RunOverrides::default().resolve(&RunParameters::default(), 1.8), RunAttributes::default());
        for info in RunAttributes::catalogue() {
            match (found.get(info.name).unwrap(), default.get(info.name).unwrap()) {
                (AttributeValue::Number(a), AttributeValue::Number(b)) => {
                    assert!((a - b).abs() < 1e-9, "{}", info.name)
                }
                (a, b) => assert_eq!(a, b),
            }
        }
    }

    #[test]
    fn attributes_rise_and_fall_as_the_paper_says() {
        let (slow, fast) = (at(6.0), at(24.0));
        assert!(slow.overstride > fast.overstride);
        assert!(
            slow.torso_tilt < fast.torso_tilt && slow.knee_swing < fast.knee_swing && slow.hip_swing < fast.hip_swing
        );
        assert!(slow.pelvis_rotation < fast.pelvis_rotation && slow.knee_toe_off > fast.knee_toe_off);
        assert!(slow.stride_width > fast.stride_width && slow.lateral_displacement > fast.lateral_displacement);
        let high = RunParameters { flight_height: Some(0.05), ..RunParameters::default() };
        assert!(RunOverrides::default().resolve(&high, 1.8).bounciness > 1.3);
        let mut wide = RunOverrides::default();
        wide.set("stride-width", 0.2).unwrap();
        let wide = wide.resolve(&RunParameters::default(), 1.8);
        assert!(wide.lateral_displacement > RunAttributes::default().lateral_displacement + 0.01);
    }

    #[test]
    fn the_nominal_drop_gives_the_flight_heights_of_the_papers_panel() {
        let shown = |parameters: &RunParameters| (nominal_flight_height(parameters, 1.8) * 1000.0).round();
        let default = RunParameters::default();
        let hurried = RunParameters { cadence: 210.0 / 60.0, ..default };
        assert_eq!((shown(&default), shown(&hurried)), (4.0, 1.0));
    }

    #[test]
    fn what_is_set_stays() {
        let mut overrides = RunOverrides::default();
        overrides.set("overstride", 0.1).unwrap();
        overrides.set("strike", Strike::Toe).unwrap();
        assert!(overrides.is_set("overstride") && !overrides.is_set("knee-swing"));
        for kmh in [3.0, 12.0, 30.0] {
            let found = overrides.resolve(&RunParameters::from_speed(kmh / 3.6, 1.8, 0.0).unwrap(), 1.8);
            assert_eq!((found.overstride, found.strike), (0.1, Strike::Toe));
        }
        overrides.unset("overstride").unwrap();
        assert!(!overrides.is_set("overstride"));
        assert!(overrides.set("oversride", 0.1).unwrap_err().to_string().contains("did you mean overstride?"));
        let fixed = RunAttributes { knee_swing: 1.0, strike: Strike::Toe, ..RunAttributes::default() };
        assert_eq!(RunOverrides::fixed(&fixed).resolve(&RunParameters::default(), 1.8), fixed);
    }

    #[test]
    fn every_run_has_attributes_within_their_ranges() {
        for height in [0.5, 1.2, 1.8, 2.2, 3.0] {
            for level in [-1.0, 0.0, 1.0] {
                let range = RunParameters::ranges(height, level).speed;
                for i in 0..=20 {
                    let speed = range.min + (range.max - range.min) * f64::from(i) / 20.0;
                    let parameters = RunParameters::from_speed(speed, height, level).unwrap();
                    let found = RunOverrides::default().resolve(&parameters, height);
                    for info in RunAttributes::catalogue() {
                        let AttributeValue::Number(value) = found.get(info.name).unwrap() else { continue };
                        assert!(info.range_at(height).contains(value), "{} is {value} at {speed} m/s", info.name);
                    }
                    assert!(found.overstride < 0.5 * parameters.step_length);
                }
            }
        }
    }
}
