//! What gives a gait its expression and personality: fifteen attributes of walking and nineteen of running
//! (GAIT sections 4.1.2 and 4.2.3).
//!
//! The paper names the attributes, gives one default (8 degrees of knee flexion in stance) and shows sliders without numbers.
//! Defaults and ranges are ours: defaults as textbooks have them of people 1.8 m tall, ranges from stiff to loose. Lengths, and
//! the ranges of lengths, grow with body height.
//!
//! Users know an attribute by its name in the [catalogue](WalkAttributes::catalogue) and give angles in degrees, lengths in
//! metres and factors as they are; inside, angles are in radians.

use super::equations::DEFAULT_HEIGHT;
use super::stride::four_digits;
use std::fmt;
use std::str::FromStr;
use surefoot_geom::Range;
use surefoot_motion::closest_names;

/// What users give an attribute in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AttributeUnit {
    /// Degrees; radians inside.
    Degrees,
    /// Metres, for a person 1.8 m tall where no height is given.
    Metres,
    /// A bare factor.
    Factor,
    /// The words `heel` and `toe`.
    Strike,
}

impl AttributeUnit {
    /// As it is written behind a number; empty for a factor.
    pub fn name(self) -> &'static str {
        match self {
            AttributeUnit::Degrees => "deg",
            AttributeUnit::Metres => "m",
            AttributeUnit::Factor | AttributeUnit::Strike => "",
        }
    }

    /// From the user's unit to the one inside.
    pub fn from_user(self, value: f64) -> f64 {
        if self == AttributeUnit::Degrees { value.to_radians() } else { value }
    }

    /// From the unit inside to the user's.
    pub fn to_user(self, value: f64) -> f64 {
        if self == AttributeUnit::Degrees { value.to_degrees() } else { value }
    }
}

/// What is known of an attribute.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AttributeInfo {
    /// As users write it: `arm-swing`.
    pub name: &'static str,
    /// What it does, in a few words.
    pub what: &'static str,
    /// What it is given in.
    pub unit: AttributeUnit,
    /// What is taken, in the user's unit, of a person 1.8 m tall.
    pub range: Range,
    /// The natural value in the user's unit, of a person 1.8 m tall; of a run, at 12 km/h.
    pub default: AttributeValue,
}

impl AttributeInfo {
    /// The range for a person of another height, in the user's unit: lengths grow with the person.
    pub fn range_at(&self, height: f64) -> Range {
        let scale = if self.unit == AttributeUnit::Metres { height / DEFAULT_HEIGHT } else { 1.0 };
        Range { min: self.range.min * scale, max: self.range.max * scale }
    }

    /// The range as users read it: `0 to 60 deg`.
    pub fn show_range(&self, height: f64) -> String {
        if self.unit == AttributeUnit::Strike {
            return "heel or toe".to_string();
        }
        let range = self.range_at(height);
        format!("{} to {} {}", four_digits(range.min), four_digits(range.max), self.unit.name()).trim_end().to_string()
    }

    /// Checks a value in the user's unit, for a person of a height, and gives the number in the unit inside.
    fn checked_number(&self, value: AttributeValue, height: f64) -> Result<f64, AttributeError> {
        let wrong = || AttributeError::BadValue { name: self.name, value, needed: self.show_range(height) };
        let AttributeValue::Number(number) = value else { return Err(wrong()) };
        if self.unit == AttributeUnit::Strike || !self.range_at(height).contains(number) {
            return Err(wrong());
        }
        Ok(self.unit.from_user(number))
    }
}

/// A value as users give it: a number in the attribute's unit, or how the foot strikes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum AttributeValue {
    /// A number in the attribute's unit.
    Number(f64),
    /// How the foot strikes.
    Strike(Strike),
}

impl From<f64> for AttributeValue {
    fn from(number: f64) -> AttributeValue {
        AttributeValue::Number(number)
    }
}

impl From<Strike> for AttributeValue {
    fn from(strike: Strike) -> AttributeValue {
        AttributeValue::Strike(strike)
    }
}

impl fmt::Display for AttributeValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            AttributeValue::Number(number) => f.write_str(&four_digits(*number)),
            AttributeValue::Strike(strike) => f.write_str(strike.name()),
        }
    }
}

impl FromStr for AttributeValue {
    type Err = AttributeError;

    /// Reads `1.4`, `30 deg`, `0.1 m`, `heel` or `toe`. A unit is only read past; [`WalkAttributes::set`] knows the right one.
    fn from_str(text: &str) -> Result<AttributeValue, AttributeError> {
        let text = text.trim();
        if let Some(strike) = [Strike::Heel, Strike::Toe].into_iter().find(|strike| strike.name() == text) {
            return Ok(AttributeValue::Strike(strike));
        }
        let number = ["deg", "m"].iter().find_map(|unit| text.strip_suffix(unit)).unwrap_or(text).trim_end();
        match number.parse::<f64>() {
            Ok(number) if number.is_finite() => Ok(AttributeValue::Number(number)),
            _ => Err(AttributeError::NoValue { text: text.chars().take(40).collect() }),
        }
    }
}

/// Why an attribute cannot be set.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum AttributeError {
    /// There is none of that name.
    #[error("there is no attribute `{name}`; did you mean {}? All of them are {all}", .nearest.join(", "))]
    Unknown {
        /// What was asked for.
        name: String,
        /// The names that come closest.
        nearest: Vec<&'static str>,
        /// All names.
        all: String,
    },
    /// The value is out of range, or a word where a number belongs.
    #[error("{name} cannot be {value}: it takes {needed}")]
    BadValue {
        /// Of which attribute.
        name: &'static str,
        /// The value.
        value: AttributeValue,
        /// What would do.
        needed: String,
    },
    /// A text is no value of any attribute.
    #[error("`{text}` is no value; a number such as 1.4, or heel or toe")]
    NoValue {
        /// The text, shortened.
        text: String,
    },
}

/// Numbers between two sets of attributes.
pub(super) fn blend<T: Copy>(table: &'static [Attribute<T>], from: &T, to: &T, share: f64) -> T {
    let (mut blended, mut to) = (*from, *to);
    for field in table.iter().filter_map(|attribute| attribute.field) {
        let number = field(&mut blended);
        *number += share * (*field(&mut to) - *number);
    }
    blended
}

/// An attribute, and where its number is kept.
pub(super) struct Attribute<T> {
    pub(super) info: AttributeInfo,
    /// `None` for how the foot strikes.
    pub(super) field: Option<fn(&mut T) -> &mut f64>,
}

/// Finds an attribute by name.
pub(super) fn find<T>(table: &'static [Attribute<T>], name: &str) -> Result<usize, AttributeError> {
    table.iter().position(|attribute| attribute.info.name == name).ok_or_else(|| {
        let names = || table.iter().map(|attribute| attribute.info.name);
        AttributeError::Unknown {
            name: name.chars().take(40).collect(),
            nearest: closest_names(name, names(), 1),
            all: names().collect::<Vec<_>>().join(", "),
        }
    })
}

/// The attributes of a walk.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WalkAttributes {
    /// Rotation of the shoulders against the pelvis, as a factor on the pelvic rotation.
    pub shoulder_rotation: f64,
    /// Swing of an arm, as a factor on the opposite leg's sagittal hip angle.
    pub arm_swing: f64,
    /// How far the arms are held away from the body, in radians.
    pub arm_out: f64,
    /// Elbow flexion at the end of the backward swing, in radians.
    pub elbow_min: f64,
    /// Elbow flexion at the end of the forward swing, in radians.
    pub elbow_max: f64,
    /// Forward lean of the torso, in radians.
    pub torso_tilt: f64,
    /// How far the torso's lean goes to and fro about its tilt, in radians.
    pub torso_sway: f64,
    /// Rotation of the pelvis in the transverse plane at heel strike, in radians.
    pub pelvis_rotation: f64,
    /// How far the swing leg's hip drops, as an angle in radians.
    pub pelvis_list: f64,
    /// Factor on how far the body sinks in double support; 1 is natural.
    pub bounciness: f64,
    /// Least knee flexion in stance, in radians.
    pub knee_stance: f64,
    /// Knee flexion at heel strike, in radians.
    pub knee_impact: f64,
    /// Least height of the toes above the ground in mid-swing, in metres.
    pub toe_clearance: f64,
    /// How far the toes point outward, in radians.
    pub foot_angle: f64,
    /// Lateral distance between the feet, in metres.
    pub stride_width: f64,
}

impl Default for WalkAttributes {
    /// The natural walk of a person 1.8 m tall.
    fn default() -> WalkAttributes {
        WalkAttributes {
            shoulder_rotation: 1.0,
            arm_swing: 0.8,
            arm_out: 7.0_f64.to_radians(),
            elbow_min: 10.0_f64.to_radians(),
            elbow_max: 25.0_f64.to_radians(),
            torso_tilt: 2.0_f64.to_radians(),
            torso_sway: 1.0_f64.to_radians(),
            pelvis_rotation: 5.0_f64.to_radians(),
            pelvis_list: 4.0_f64.to_radians(),
            bounciness: 1.0,
            knee_stance: 8.0_f64.to_radians(),
            knee_impact: 12.0_f64.to_radians(),
            toe_clearance: 0.02,
            foot_angle: 7.0_f64.to_radians(),
            stride_width: 0.1,
        }
    }
}

impl WalkAttributes {
    /// The natural walk of a person of a height: lengths grow with the person.
    pub fn for_height(height: f64) -> WalkAttributes {
        let (natural, scale) = (WalkAttributes::default(), height / DEFAULT_HEIGHT);
        WalkAttributes {
            toe_clearance: natural.toe_clearance * scale,
            stride_width: natural.stride_width * scale,
            ..natural
        }
    }

    /// What is known of each attribute, in the paper's order.
    pub fn catalogue() -> impl ExactSizeIterator<Item = &'static AttributeInfo> {
        WALK.iter().map(|attribute| &attribute.info)
    }

    /// The value of an attribute, in the user's unit.
    pub fn get(&self, name: &str) -> Result<AttributeValue, AttributeError> {
        let attribute = &WALK[find(&WALK, name)?];
        let mut copy = *self;
        let field = attribute.field.expect("walks have numbers only");
        Ok(AttributeValue::Number(attribute.info.unit.to_user(*field(&mut copy))))
    }

    /// Sets an attribute, in the user's unit, of a person 1.8 m tall.
    pub fn set(&mut self, name: &str, value: impl Into<AttributeValue>) -> Result<(), AttributeError> {
        self.set_at(name, value, DEFAULT_HEIGHT)
    }

    /// Sets an attribute, in the user's unit, of a person of a height, on which the ranges of lengths depend.
    pub fn set_at(&mut self, name: &str, value: impl Into<AttributeValue>, height: f64) -> Result<(), AttributeError> {
        let attribute = &WALK[find(&WALK, name)?];
        let number = attribute.info.checked_number(value.into(), height)?;
        let field = attribute.field.expect("walks have numbers only");
        *field(self) = number;
        Ok(())
    }
}

/// What touches the ground first at impact.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Strike {
    /// The heel.
    #[default]
    Heel,
    /// The ball of the foot.
    Toe,
}

impl Strike {
    /// As users write it.
    pub fn name(self) -> &'static str {
        match self {
            Strike::Heel => "heel",
            Strike::Toe => "toe",
        }
    }
}

/// The attributes of a run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RunAttributes {
    /// Rotation of the shoulders against the pelvis, as a factor on the pelvic rotation.
    pub shoulder_rotation: f64,
    /// Swing of an arm, as a factor on the opposite leg's sagittal hip angle.
    pub arm_swing: f64,
    /// How far the arms are held away from the body, in radians.
    pub arm_out: f64,
    /// Elbow flexion of the backward swing, at toe-off, in radians.
    pub elbow_min: f64,
    /// Elbow flexion of the forward swing, at toe-off, in radians.
    pub elbow_max: f64,
    /// Forward lean of the torso, in radians.
    pub torso_tilt: f64,
    /// How far the torso's lean goes to and fro about its tilt, in radians.
    pub torso_sway: f64,
    /// Rotation of the pelvis in the transverse plane at toe-off, in radians.
    pub pelvis_rotation: f64,
    /// How far the swing leg's hip drops at mid-support, as an angle in radians.
    pub pelvis_list: f64,
    /// How far the body shifts over the supporting leg at mid-support, in metres.
    pub lateral_displacement: f64,
    /// What touches the ground first.
    pub strike: Strike,
    /// Factor on how far the body sinks in support; 1 is natural.
    pub bounciness: f64,
    /// How far ahead of the pelvis the ankle is at impact, in metres.
    pub overstride: f64,
    /// Lateral distance between the feet, in metres.
    pub stride_width: f64,
    /// Knee flexion at impact, in radians.
    pub knee_impact: f64,
    /// Knee flexion at toe-off, in radians.
    pub knee_toe_off: f64,
    /// Greatest knee flexion in swing, in radians.
    pub knee_swing: f64,
    /// Greatest hip flexion in swing, in radians.
    pub hip_swing: f64,
    /// How far the toes point outward, in radians.
    pub foot_angle: f64,
}

impl Default for RunAttributes {
    /// The natural run at 12 km/h of a person 1.8 m tall.
    fn default() -> RunAttributes {
        RunAttributes {
            shoulder_rotation: 1.0,
            arm_swing: 0.8,
            arm_out: 12.0_f64.to_radians(),
            elbow_min: 70.0_f64.to_radians(),
            elbow_max: 100.0_f64.to_radians(),
            torso_tilt: 6.0_f64.to_radians(),
            torso_sway: 2.0_f64.to_radians(),
            pelvis_rotation: 8.0_f64.to_radians(),
            pelvis_list: 4.0_f64.to_radians(),
            lateral_displacement: 0.01,
            strike: Strike::Heel,
            bounciness: 1.0,
            overstride: 0.15,
            stride_width: 0.06,
            knee_impact: 20.0_f64.to_radians(),
            knee_toe_off: 20.0_f64.to_radians(),
            knee_swing: 95.0_f64.to_radians(),
            hip_swing: 40.0_f64.to_radians(),
            foot_angle: 5.0_f64.to_radians(),
        }
    }
}

impl RunAttributes {
    /// What is known of each attribute, in the paper's order.
    pub fn catalogue() -> impl ExactSizeIterator<Item = &'static AttributeInfo> {
        RUN.iter().map(|attribute| &attribute.info)
    }

    /// The value of an attribute, in the user's unit.
    pub fn get(&self, name: &str) -> Result<AttributeValue, AttributeError> {
        let attribute = &RUN[find(&RUN, name)?];
        let mut copy = *self;
        Ok(match attribute.field {
            Some(field) => AttributeValue::Number(attribute.info.unit.to_user(*field(&mut copy))),
            None => AttributeValue::Strike(self.strike),
        })
    }

    /// Sets an attribute, in the user's unit, of a person 1.8 m tall.
    pub fn set(&mut self, name: &str, value: impl Into<AttributeValue>) -> Result<(), AttributeError> {
        self.set_at(name, value, DEFAULT_HEIGHT)
    }

    /// Sets an attribute, in the user's unit, of a person of a height, on which the ranges of lengths depend.
    pub fn set_at(&mut self, name: &str, value: impl Into<AttributeValue>, height: f64) -> Result<(), AttributeError> {
        let (index, value) = check_run(name, value.into(), height)?;
        self.put(index, value);
        Ok(())
    }

    /// Sets an attribute of the catalogue to a checked value, in the unit inside.
    pub(super) fn put(&mut self, index: usize, value: AttributeValue) {
        match (value, RUN[index].field) {
            (AttributeValue::Number(number), Some(field)) => *field(self) = number,
            (AttributeValue::Strike(strike), None) => self.strike = strike,
            _ => unreachable!("the value was checked against the catalogue"),
        }
    }
}

/// Where a running attribute is in the catalogue, and its checked value in the unit inside.
pub(super) fn check_run(
    name: &str,
    value: AttributeValue,
    height: f64,
) -> Result<(usize, AttributeValue), AttributeError> {
    let index = find(&RUN, name)?;
    if let (AttributeValue::Strike(_), None) = (value, RUN[index].field) {
        return Ok((index, value));
    }
    Ok((index, AttributeValue::Number(RUN[index].info.checked_number(value, height)?)))
}

/// A row of the catalogue: range and natural value are in the user's unit.
const fn number<T>(
    name: &'static str,
    what: &'static str,
    unit: AttributeUnit,
    range: [f64; 2],
    default: f64,
    field: fn(&mut T) -> &mut f64,
) -> Attribute<T> {
    let range = Range { min: range[0], max: range[1] };
    let info = AttributeInfo { name, what, unit, range, default: AttributeValue::Number(default) };
    Attribute { info, field: Some(field) }
}

/// The catalogue of walking.
pub(super) static WALK: [Attribute<WalkAttributes>; 15] = [
    number(
        "shoulder-rotation",
        "rotation of the shoulders against the pelvis, times the pelvic rotation",
        AttributeUnit::Factor,
        [0.0, 3.0],
        1.0,
        |all| &mut all.shoulder_rotation,
    ),
    number(
        "arm-swing",
        "swing of the arms, times the opposite leg's hip angle",
        AttributeUnit::Factor,
        [0.0, 2.0],
        0.8,
        |all| &mut all.arm_swing,
    ),
    number(
        "arm-out",
        "how far the arms are held away from the body",
        AttributeUnit::Degrees,
        [0.0, 60.0],
        7.0,
        |all| &mut all.arm_out,
    ),
    number(
        "elbow-min",
        "elbow flexion at the end of the backward swing",
        AttributeUnit::Degrees,
        [0.0, 130.0],
        10.0,
        |all| &mut all.elbow_min,
    ),
    number(
        "elbow-max",
        "elbow flexion at the end of the forward swing",
        AttributeUnit::Degrees,
        [0.0, 130.0],
        25.0,
        |all| &mut all.elbow_max,
    ),
    number("torso-tilt", "forward lean of the torso", AttributeUnit::Degrees, [-20.0, 45.0], 2.0, |all| {
        &mut all.torso_tilt
    }),
    number(
        "torso-sway",
        "how far the torso leans to and fro about its tilt",
        AttributeUnit::Degrees,
        [0.0, 15.0],
        1.0,
        |all| &mut all.torso_sway,
    ),
    number(
        "pelvis-rotation",
        "rotation of the pelvis at heel strike",
        AttributeUnit::Degrees,
        [0.0, 20.0],
        5.0,
        |all| &mut all.pelvis_rotation,
    ),
    number("pelvis-list", "how far the swinging leg's hip drops", AttributeUnit::Degrees, [0.0, 15.0], 4.0, |all| {
        &mut all.pelvis_list
    }),
    number(
        "bounciness",
        "how far the body sinks between steps; 1 is natural",
        AttributeUnit::Factor,
        [0.0, 3.0],
        1.0,
        |all| &mut all.bounciness,
    ),
    number("knee-stance", "least knee flexion in stance", AttributeUnit::Degrees, [0.0, 45.0], 8.0, |all| {
        &mut all.knee_stance
    }),
    number("knee-impact", "knee flexion at heel strike", AttributeUnit::Degrees, [0.0, 45.0], 12.0, |all| {
        &mut all.knee_impact
    }),
    number("toe-clearance", "least height of the toes in mid-swing", AttributeUnit::Metres, [0.0, 0.25], 0.02, |all| {
        &mut all.toe_clearance
    }),
    number("foot-angle", "how far the toes point outward", AttributeUnit::Degrees, [-20.0, 60.0], 7.0, |all| {
        &mut all.foot_angle
    }),
    number("stride-width", "lateral distance between the feet", AttributeUnit::Metres, [0.0, 0.5], 0.1, |all| {
        &mut all.stride_width
    }),
];

/// The catalogue of running.
pub(super) static RUN: [Attribute<RunAttributes>; 19] = [
    number(
        "shoulder-rotation",
        "rotation of the shoulders against the pelvis, times the pelvic rotation",
        AttributeUnit::Factor,
        [0.0, 3.0],
        1.0,
        |all| &mut all.shoulder_rotation,
    ),
    number(
        "arm-swing",
        "swing of the arms, times the opposite leg's hip angle",
        AttributeUnit::Factor,
        [0.0, 2.0],
        0.8,
        |all| &mut all.arm_swing,
    ),
    number(
        "arm-out",
        "how far the arms are held away from the body",
        AttributeUnit::Degrees,
        [0.0, 60.0],
        12.0,
        |all| &mut all.arm_out,
    ),
    number(
        "elbow-min",
        "elbow flexion of the backward swing, at toe-off",
        AttributeUnit::Degrees,
        [0.0, 140.0],
        70.0,
        |all| &mut all.elbow_min,
    ),
    number(
        "elbow-max",
        "elbow flexion of the forward swing, at toe-off",
        AttributeUnit::Degrees,
        [0.0, 140.0],
        100.0,
        |all| &mut all.elbow_max,
    ),
    number(
        "torso-tilt",
        "forward lean of the torso; rises with speed",
        AttributeUnit::Degrees,
        [-15.0, 40.0],
        6.0,
        |all| &mut all.torso_tilt,
    ),
    number(
        "torso-sway",
        "how far the torso leans to and fro about its tilt",
        AttributeUnit::Degrees,
        [0.0, 15.0],
        2.0,
        |all| &mut all.torso_sway,
    ),
    number(
        "pelvis-rotation",
        "rotation of the pelvis at toe-off; rises with step length",
        AttributeUnit::Degrees,
        [0.0, 25.0],
        8.0,
        |all| &mut all.pelvis_rotation,
    ),
    number(
        "pelvis-list",
        "how far the swinging leg's hip drops at mid-support",
        AttributeUnit::Degrees,
        [0.0, 15.0],
        4.0,
        |all| &mut all.pelvis_list,
    ),
    number(
        "lateral-displacement",
        "how far the body shifts over the supporting leg; rises with stride width, falls with cadence",
        AttributeUnit::Metres,
        [0.0, 0.06],
        0.01,
        |all| &mut all.lateral_displacement,
    ),
    Attribute {
        info: AttributeInfo {
            name: "strike",
            what: "what touches the ground first",
            unit: AttributeUnit::Strike,
            range: Range { min: 0.0, max: 1.0 },
            default: AttributeValue::Strike(Strike::Heel),
        },
        field: None,
    },
    number(
        "bounciness",
        "how far the body sinks in support, 1 is natural; rises with flight height",
        AttributeUnit::Factor,
        [0.0, 3.0],
        1.0,
        |all| &mut all.bounciness,
    ),
    number(
        "overstride",
        "how far ahead of the pelvis the ankle is at impact; falls with speed",
        AttributeUnit::Metres,
        [0.0, 0.4],
        0.15,
        |all| &mut all.overstride,
    ),
    number(
        "stride-width",
        "lateral distance between the feet; falls with cadence",
        AttributeUnit::Metres,
        [0.0, 0.4],
        0.06,
        |all| &mut all.stride_width,
    ),
    number(
        "knee-impact",
        "knee flexion at impact; rises with speed",
        AttributeUnit::Degrees,
        [5.0, 60.0],
        20.0,
        |all| &mut all.knee_impact,
    ),
    number(
        "knee-toe-off",
        "knee flexion at toe-off; falls with step length",
        AttributeUnit::Degrees,
        [0.0, 50.0],
        20.0,
        |all| &mut all.knee_toe_off,
    ),
    number(
        "knee-swing",
        "greatest knee flexion in swing; rises with speed",
        AttributeUnit::Degrees,
        [40.0, 140.0],
        95.0,
        |all| &mut all.knee_swing,
    ),
    number(
        "hip-swing",
        "greatest hip flexion in swing; rises with speed",
        AttributeUnit::Degrees,
        [10.0, 90.0],
        40.0,
        |all| &mut all.hip_swing,
    ),
    number("foot-angle", "how far the toes point outward", AttributeUnit::Degrees, [-20.0, 45.0], 5.0, |all| {
        &mut all.foot_angle
    }),
];

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::PI;

    #[test]
    fn the_catalogues_list_the_defaults() {
        assert_eq!((WalkAttributes::catalogue().len(), RunAttributes::catalogue().len()), (15, 19));
        for info in WalkAttributes::catalogue() {
            check_row(info, WalkAttributes::default().get(info.name).unwrap());
        }
        for info in RunAttributes::catalogue() {
            check_row(info, RunAttributes::default().get(info.name).unwrap());
        }
    }

    fn check_row(info: &AttributeInfo, default: AttributeValue) {
        match (default, info.default) {
            (AttributeValue::Number(found), AttributeValue::Number(listed)) => {
                assert!((found - listed).abs() < 1e-12, "{}: {found}, listed {listed}", info.name);
                assert!(info.range.contains(listed), "{}", info.name);
            }
            (found, listed) => assert_eq!(found, listed, "{}", info.name),
        }
        assert!(info.name.chars().all(|letter| letter.is_ascii_lowercase() || letter == '-'));
        assert!(!info.what.is_empty() && info.range.min < info.range.max);
    }

    #[test]
    fn each_name_sets_its_own_field_and_no_other() {
        for info in WalkAttributes::catalogue() {
            let mut all = WalkAttributes::default();
            all.set(info.name, info.range.max).unwrap();
            for other in WalkAttributes::catalogue() {
                let (found, default) =
                    (all.get(other.name).unwrap(), WalkAttributes::default().get(other.name).unwrap());
                assert_eq!(found != default, other.name == info.name, "{} changed {}", info.name, other.name);
            }
        }
        for info in RunAttributes::catalogue() {
            let mut all = RunAttributes::default();
            let value = if info.name == "strike" { Strike::Toe.into() } else { AttributeValue::Number(info.range.max) };
            all.set(info.name, value).unwrap();
            for other in RunAttributes::catalogue() {
                let (found, default) =
                    (all.get(other.name).unwrap(), RunAttributes::default().get(other.name).unwrap());
                assert_eq!(found != default, other.name == info.name, "{} changed {}", info.name, other.name);
            }
        }
    }

    #[test]
    fn angles_are_degrees_outside_and_radians_inside() {
        let mut all = WalkAttributes::default();
        all.set("arm-out", 30.0).unwrap();
        assert!((all.arm_out - PI / 6.0).abs() < 1e-15);
        all.set("arm-swing", 1.4).unwrap();
        assert_eq!((all.arm_swing, all.get("arm-swing").unwrap()), (1.4, 1.4.into()));
    }

    #[test]
    fn mistakes_are_reported_with_what_would_do() {
        let mut walk = WalkAttributes::default();
        let error_of = |result: Result<(), AttributeError>| result.unwrap_err().to_string();
        let unknown = error_of(walk.set("arm-swng", 1.0));
        assert!(
            unknown.starts_with("there is no attribute `arm-swng`; did you mean arm-swing? All of them are shoulder-")
        );
        assert_eq!(error_of(walk.set("arm-out", 90.0)), "arm-out cannot be 90: it takes 0 to 60 deg");
        assert_eq!(error_of(walk.set("bounciness", -1.0)), "bounciness cannot be -1: it takes 0 to 3");
        assert_eq!(error_of(walk.set("bounciness", f64::NAN)), "bounciness cannot be NaN: it takes 0 to 3");
        assert_eq!(error_of(walk.set("arm-out", Strike::Toe)), "arm-out cannot be toe: it takes 0 to 60 deg");
        assert_eq!(walk, WalkAttributes::default());
        let mut run = RunAttributes::default();
        assert_eq!(error_of(run.set("strike", 1.0)), "strike cannot be 1: it takes heel or toe");
        assert_eq!(error_of(run.set_at("overstride", 0.3, 0.9)), "overstride cannot be 0.3: it takes 0 to 0.2 m");
        assert_eq!(
            "x".parse::<AttributeValue>().unwrap_err().to_string(),
            "`x` is no value; a number such as 1.4, or heel or toe"
        );
    }

    #[test]
    fn values_are_read_from_text() {
        for (text, value) in [
            ("1.4", AttributeValue::Number(1.4)),
            (" 30 deg", AttributeValue::Number(30.0)),
            ("0.1m", AttributeValue::Number(0.1)),
            ("-5", AttributeValue::Number(-5.0)),
            ("toe", AttributeValue::Strike(Strike::Toe)),
        ] {
            assert_eq!(text.parse::<AttributeValue>().unwrap(), value);
        }
        for text in ["", "nan", "inf", "deg", "1 2", "Toes"] {
            assert!(text.parse::<AttributeValue>().is_err(), "{text}");
        }
    }
}
