//! Numbers with units, as users type them: `5km/h`, `0.7m`, `110/min`.

use surefoot::gait::{AttributeUnit, AttributeValue, Schedule};
use surefoot::jobs::{BodyShapeRequest, FootName, PaceParameter};
use surefoot::motion::FRAME_RATES;

/// Units of speed with their sizes in m/s. A bare number is in the first.
const SPEEDS: [(&str, f64); 5] =
    [("km/h", 1.0 / 3.6), ("kmh", 1.0 / 3.6), ("m/s", 1.0), ("m/min", 1.0 / 60.0), ("mph", 0.44704)];

/// Units of length with their sizes in metres. A bare number is in the first.
const LENGTHS: [(&str, f64); 3] = [("m", 1.0), ("cm", 0.01), ("mm", 0.001)];

/// Units of cadence with their sizes in steps a second. A bare number is in the first.
const CADENCES: [(&str, f64); 6] =
    [("steps/min", 1.0 / 60.0), ("/min", 1.0 / 60.0), ("spm", 1.0 / 60.0), ("steps/s", 1.0), ("/s", 1.0), ("hz", 1.0)];

/// A speed, in m/s.
pub(crate) fn parse_speed(text: &str) -> Result<f64, String> {
    parse(text, &SPEEDS, "5km/h, 1.4m/s or 83m/min, or a bare number of km/h,")
}

/// A length, in metres.
pub(crate) fn parse_length(text: &str) -> Result<f64, String> {
    parse(text, &LENGTHS, "0.7m or 70cm, or a bare number of metres,")
}

/// A cadence, in steps a second.
pub(super) fn parse_cadence(text: &str) -> Result<f64, String> {
    parse(text, &CADENCES, "110/min or 1.8/s, or a bare number of steps a minute,")
}

fn parse(text: &str, units: &[(&str, f64)], right: &str) -> Result<f64, String> {
    let lower = text.trim().to_ascii_lowercase();
    // The longest that fits, for `cm` ends like `m`.
    let unit = units.iter().filter(|(name, _)| lower.ends_with(name)).max_by_key(|(name, _)| name.len());
    let (number, size) = unit.map_or((&*lower, units[0].1), |(name, size)| (&lower[..lower.len() - name.len()], *size));
    let number = number.trim_end().parse::<f64>().ok().filter(|number| number.is_finite());
    number.map(|number| number * size).ok_or_else(|| format!("{right} would be right"))
}

/// A number between limits, both included.
fn parse_within(text: &str, [least, most]: [f64; 2], what: &str) -> Result<f64, String> {
    let number = text.trim().parse().ok().filter(|number: &f64| (least..=most).contains(number));
    number.ok_or_else(|| format!("{what} from {least} to {most} would be right"))
}

/// Frames a second of what is made.
pub(crate) fn parse_frame_rate(text: &str) -> Result<f64, String> {
    parse_within(text, [*FRAME_RATES.start(), *FRAME_RATES.end()], "a number of frames per second")
}

/// Seconds of standing.
pub(super) fn parse_standing(text: &str) -> Result<f64, String> {
    parse_within(text, [0.0, 600.0], "a time in seconds")
}

/// A turn with each step, in degrees.
pub(super) fn parse_turn(text: &str) -> Result<f64, String> {
    parse_within(text.trim_end_matches("deg"), [-60.0, 60.0], "an angle in degrees, positive to the left,")
}

/// A direction against where the body faces, in degrees, positive to the left.
pub(super) fn parse_direction(text: &str) -> Result<f64, String> {
    match text {
        "forward" => Ok(0.0),
        "left" => Ok(90.0),
        "back" | "backward" => Ok(180.0),
        "right" => Ok(-90.0),
        _ => parse_within(
            text.trim_end_matches("deg"),
            [-180.0, 180.0],
            "forward, back, left, right, or an angle in degrees, positive to the left,",
        ),
    }
}

/// Which of the three stays.
pub(super) fn parse_lock(text: &str) -> Result<PaceParameter, String> {
    match text {
        "speed" => Ok(PaceParameter::Speed),
        "step-length" => Ok(PaceParameter::StepLength),
        "cadence" => Ok(PaceParameter::Cadence),
        _ => Err("speed, step-length or cadence would be right".to_string()),
    }
}

/// A value, or values over time: `4` or `0:4/5:12`.
pub(super) type Timed<T> = Schedule<T>;

fn parse_timed<T>(text: &str, value: impl Fn(&str) -> Result<T, String>) -> Result<Timed<T>, String> {
    Schedule::parse(text, value).map_err(|error| error.to_string())
}

/// A speed over time, in m/s.
pub(super) fn parse_speeds(text: &str) -> Result<Timed<f64>, String> {
    parse_timed(text, parse_speed)
}

/// A length over time, in metres.
pub(super) fn parse_lengths(text: &str) -> Result<Timed<f64>, String> {
    parse_timed(text, parse_length)
}

/// A cadence over time, in steps a second.
pub(super) fn parse_cadences(text: &str) -> Result<Timed<f64>, String> {
    parse_timed(text, parse_cadence)
}

/// A level over time.
pub(super) fn parse_levels(text: &str) -> Result<Timed<f64>, String> {
    let number = |text: &str| text.parse::<f64>().ok().filter(|number| number.is_finite());
    parse_timed(text, |text| number(text).ok_or_else(|| "a level from -1 to 1 would be right".to_string()))
}

/// Names over time.
pub(super) fn parse_names(text: &str) -> Result<Timed<String>, String> {
    parse_timed(text, |text| match text {
        "" => Err("a name would be right".to_string()),
        name => Ok(name.to_string()),
    })
}

/// `left:0.4`: a leg that hurts, and how much.
pub(super) fn parse_limp(text: &str) -> Result<(FootName, f64), String> {
    let right = || "left or right and a severity from 0 to 1, such as left:0.4, would be right".to_string();
    let (side, severity) = text.split_once(':').ok_or_else(right)?;
    let foot = match side.trim() {
        "left" => FootName::Left,
        "right" => FootName::Right,
        _ => return Err(right()),
    };
    let severity = severity.trim().parse::<f64>().ok().filter(|severity| (0.0..=1.0).contains(severity));
    Ok((foot, severity.ok_or_else(right)?))
}

/// A point, in metres.
pub(super) fn parse_point(text: &str) -> Result<[f64; 3], String> {
    let numbers: Vec<f64> = text.split(',').map_while(|part| part.trim().parse().ok()).collect();
    match (text.split(',').count(), &numbers[..]) {
        (3, [x, y, z]) if numbers.iter().all(|number| number.is_finite()) => Ok([*x, *y, *z]),
        _ => Err("x,y,z in metres, such as 2,1.5,4, would be right".to_string()),
    }
}

/// How far aside someone looks, in degrees.
pub(super) fn parse_gaze(text: &str) -> Result<f64, String> {
    parse_within(text.trim_end_matches("deg"), [-70.0, 70.0], "an angle in degrees, positive to the left,")
}

/// How much steps vary.
pub(super) fn parse_variability(text: &str) -> Result<f64, String> {
    parse_within(text, [0.0, 1.0], "a share of what people vary")
}

/// `attribute=value` as typed, or values over time.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Setting {
    /// The attribute.
    pub(super) name: String,
    /// With their units, as they were typed.
    pub(super) values: Timed<String>,
}

/// `arm-swing=1.4`, `arm-out=30deg`, `stride-width=0.2m`, `strike=toe` or `arm-swing=0:1/4:2`.
pub(super) fn parse_setting(text: &str) -> Result<Setting, String> {
    let (name, value) = text.split_once('=').ok_or("ATTRIBUTE=VALUE such as arm-swing=1.4 would be right")?;
    let check = |text: &str| match text.parse::<AttributeValue>() {
        Ok(value) => {
            let units = [AttributeUnit::Degrees, AttributeUnit::Metres];
            let unit = units.into_iter().find(|unit| text.ends_with(unit.name())).map_or("", AttributeUnit::name);
            Ok(format!("{value}{unit}"))
        }
        Err(error) => Err(error.to_string()),
    };
    Ok(Setting { name: name.trim().to_string(), values: parse_timed(value, check)? })
}

/// `leg=1.05,arm=0.95`: factors on an adult's proportions.
pub(super) fn parse_body_shape(text: &str) -> Result<BodyShapeRequest, String> {
    let mut shape = BodyShapeRequest::default();
    for part in text.split(',') {
        let wrong = || {
            format!(
                "`{part}` is none of leg, shin, arm, foot, shoulders, hips and head with a factor, such as leg=1.05"
            )
        };
        let (name, factor) = part.split_once('=').ok_or_else(wrong)?;
        let field = match name.trim() {
            "leg" => &mut shape.leg,
            "shin" => &mut shape.shin,
            "arm" => &mut shape.arm,
            "foot" => &mut shape.foot,
            "shoulders" => &mut shape.shoulders,
            "hips" => &mut shape.hips,
            "head" => &mut shape.head,
            _ => return Err(wrong()),
        };
        *field = Some(factor.trim().parse().map_err(|_| wrong())?);
    }
    Ok(shape)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_are_read_and_bare_numbers_have_the_papers() {
        let near = |found: Result<f64, String>, expected: f64| assert!((found.unwrap() - expected).abs() < 1e-12);
        for text in ["5km/h", "5 km/h", "5", "5kmh", "5KM/H"] {
            near(parse_speed(text), 5.0 / 3.6);
        }
        near(parse_speed("1.4m/s"), 1.4);
        near(parse_speed("60 m/min"), 1.0);
        near(parse_length("70cm"), 0.7);
        near(parse_length("0.7m"), 0.7);
        near(parse_length("0.7"), 0.7);
        near(parse_cadence("110/min"), 110.0 / 60.0);
        near(parse_cadence("110 steps/min"), 110.0 / 60.0);
        near(parse_cadence("110"), 110.0 / 60.0);
        near(parse_cadence("1.8/s"), 1.8);
        near(parse_direction("right"), -90.0);
        near(parse_direction("45deg"), 45.0);
    }

    #[test]
    fn what_is_no_quantity_is_reported_with_what_would_be() {
        for wrong in ["", "fast", "5 knots", "nan", "inf", "km/h", "5km/hm"] {
            assert!(parse_speed(wrong).unwrap_err().contains("5km/h"), "{wrong}");
        }
        assert!(parse_frame_rate("0").unwrap_err().contains("1 to 1000 "));
        assert!(parse_direction("up").unwrap_err().contains("forward, back"));
        assert!(parse_setting("arm-swing").unwrap_err().contains("arm-swing=1.4"));
        assert!(parse_setting("arm-swing=much").unwrap_err().contains("much"));
        assert!(parse_body_shape("tail=2").unwrap_err().contains("tail=2"));
    }

    #[test]
    fn settings_keep_the_unit_that_was_typed() {
        let values = |text: &str| parse_setting(text).unwrap().values.points().to_vec();
        assert_eq!(values("arm-out=30 deg"), [(0.0, "30deg".to_string())]);
        assert_eq!(values("stride-width=0.2m"), [(0.0, "0.2m".to_string())]);
        assert_eq!(values("arm-swing=0:1/4:2"), [(0.0, "1".to_string()), (4.0, "2".to_string())]);
    }

    #[test]
    fn limps_and_points_are_read() {
        assert_eq!(parse_limp("left:0.4"), Ok((FootName::Left, 0.4)));
        assert_eq!(parse_point("1,2.5,-3"), Ok([1.0, 2.5, -3.0]));
        for wrong in ["left", "up:0.4", "left:2", "left:nan", ""] {
            assert!(parse_limp(wrong).unwrap_err().contains("left:0.4"), "{wrong}");
        }
        for wrong in ["1,2", "1,2,3,4", "a,b,c", "1,2,nan", ""] {
            assert!(parse_point(wrong).unwrap_err().contains("2,1.5,4"), "{wrong}");
        }
    }
}
