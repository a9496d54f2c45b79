//! Styles: `*.toml`, version 1: named walks and runs.
//!
//! ```toml
//! styles = 1
//!
//! [walk.proud]
//! what = "slow, long steps with the chest out"
//! height = 1.8           # of the body that it was made for, in m; 1.8 if left out. Others move alike
//! speed = 4              # km/h
//! step-length = 0.75     # m
//! lock = "speed"         # which of speed, step-length and cadence (steps/min) keeps its value when a user sets another
//! set = { arm-swing = 1.6, foot-angle = 25 }
//!
//! [run.sprinter]
//! what = "..."
//! speed = 30
//! level = 1              # of expertise, from -1 to 1; and flight-height, in m; both of runs only
//! set = { strike = "toe" }
//! ```
//!
//! Version 2 adds a person's residual curves, as `gait fit` estimates them from a recording (`person.gait.toml`):
//!
//! ```toml
//! styles = 2
//!
//! [walk.person]
//! height = 1.74
//! speed = 4.9            # at which the curves hold
//! [walk.person.curves]   # 12 values over a step from landing on, with the left foot standing, in degrees
//! up = [0.1, -0.2, ...]  # of the pelvis: hundredths of the leg
//! yaw = [1.2, 0.8, ...]  # those left out are 0
//! ```
//!
//! Names of attributes, their units and ranges are those of the gait's catalogue, angles in degrees. Styles are checked as they are
//! read, so that what is read can be applied.

use super::fields::{Field, shortened};
use super::toml_tree::parse_toml;
use crate::{ErrorKind, ReadError};
use surefoot_gait::{
    AttributeError, AttributeValue, Gait, HEIGHTS, Parameter, PersonCurves, RunTargets, StrideTargets, Strike, Style,
    StyleError,
};

/// Version 2 has curves.
const VERSIONS: std::ops::RangeInclusive<u32> = 1..=2;

/// Numbers past this are slips of the keyboard.
const MAX_NUMBER: f64 = 1e6;

/// Longest name of a style, in characters: it is a word of a command line.
const MAX_NAME: usize = 60;

/// Body height of styles that tell none, in metres: the paper's.
const DEFAULT_HEIGHT: f64 = 1.8;

/// Our own walks and runs.
const PRESETS: &str = include_str!("presets.toml");

/// The walks and runs that come with Surefoot, in the order of GAIT's figures 4.9 and 4.22.
pub fn presets() -> Vec<Style> {
    read_styles(PRESETS.as_bytes()).expect("our own file, which a test reads")
}

/// Reads styles, in file order.
pub fn read_styles(bytes: &[u8]) -> Result<Vec<Style>, ReadError> {
    let tree = parse_toml(bytes)?;
    let root = Field::root(&tree);
    let version = root.expect_versions("styles", VERSIONS, "styles = 1")?;
    root.expect_object(&["styles", "walk", "run"])?;
    let mut styles = Vec::new();
    for gait in [Gait::Walk, Gait::Run] {
        let Some(table) = root.optional(gait.name()) else { continue };
        for (name, _) in table.names("tables such as [walk.proud]")? {
            let field = table.required(name, "speed = 4")?;
            styles.push((field.line(), read_style(&field, gait, name, version)?));
        }
    }
    if styles.is_empty() {
        return Err(root.error(ErrorKind::MissingField, "there is no style, such as [walk.proud] with speed = 4"));
    }
    styles.sort_by_key(|&(line, _)| line);
    Ok(styles.into_iter().map(|(_, style)| style).collect())
}

fn read_style(field: &Field<'_>, gait: Gait, name: &str, version: u32) -> Result<Style, ReadError> {
    check_name(field, name)?;
    let mut known = vec!["what", "height", "speed", "step-length", "cadence", "lock", "set"];
    known.extend(if gait == Gait::Run { &["flight-height", "level"][..] } else { &[] });
    known.extend((version > 1).then_some("curves"));
    field.expect_object(&known)?;
    let target = |parameter: Parameter| {
        let Some(number) = field.optional(parameter.name()) else { return Ok(None) };
        Ok(Some(parameter.from_user(number.number_within(MAX_NUMBER, parameter.unit())?)))
    };
    let stride = StrideTargets {
        speed: target(Parameter::Speed)?,
        step_length: target(Parameter::StepLength)?,
        cadence: target(Parameter::Cadence)?,
    };
    let style = Style {
        name: name.to_string(),
        what: field.optional("what").map(|what| what.text().map(str::to_string)).transpose()?.unwrap_or_default(),
        gait,
        height: read_height(field)?,
        targets: RunTargets {
            stride,
            flight_height: target(Parameter::FlightHeight)?,
            level: target(Parameter::Level)?,
        },
        lock: field.optional("lock").map(|lock| read_lock(&lock)).transpose()?,
        attributes: Vec::new(),
        curves: None,
    };
    style.check().map_err(|error| field.error(ErrorKind::OutOfRange, error))?;
    let attributes = read_attributes(field, &style)?;
    let curves = field.optional("curves").map(|curves| read_curves(&curves, field, &style)).transpose()?;
    Ok(Style { attributes, curves, ..style })
}

/// A person's residual curves; they hold at the speed of the style.
fn read_curves(field: &Field<'_>, style_field: &Field<'_>, style: &Style) -> Result<PersonCurves, ReadError> {
    let names: Vec<&str> = PersonCurves::names().collect();
    field.expect_object(&names)?;
    let Some(speed) = style.targets.stride.speed else {
        return Err(
            style_field.error(ErrorKind::MissingField, "curves need the speed at which they hold, such as speed = 5")
        );
    };
    let mut values = [[0.0; PersonCurves::N_SAMPLES]; PersonCurves::N_CURVES];
    for (name, out) in names.iter().zip(&mut values) {
        let Some(curve) = field.optional(name) else { continue };
        let wanted = format!("a list of {} numbers", PersonCurves::N_SAMPLES);
        let items = curve.items(&wanted)?;
        if items.len() != out.len() {
            return Err(curve.error(ErrorKind::Type, format!("found a list of {}, needs {wanted}", items.len())));
        }
        for (out, item) in out.iter_mut().zip(items) {
            *out = item.number_within(PersonCurves::MOST, "degrees, or hundredths of the leg")?;
        }
    }
    let speed = speed * (DEFAULT_HEIGHT / style.height).sqrt();
    PersonCurves::new(speed, &values)
        .ok_or_else(|| style_field.error(ErrorKind::OutOfRange, "curves hold at a speed above 0"))
}

/// Styles as a file, which [`read_styles`] reads as they are but for rounding: four digits of parameters and attributes, hundredths of curves.
pub fn write_styles(styles: &[Style]) -> String {
    let version = if styles.iter().any(|style| style.curves.is_some()) { 2 } else { 1 };
    let mut text = format!("styles = {version}\n");
    let mut line = |words: String| {
        text += &words;
        text.push('\n');
    };
    let number = |value: f64, digits: i32| {
        let scale = 10_f64.powi(digits);
        ((value * scale).round() / scale + 0.0).to_string()
    };
    for style in styles {
        line(format!("\n[{}.{}]", style.gait, style.name));
        let plain = |letter: char| if letter == '"' || letter == '\\' || letter.is_control() { ' ' } else { letter };
        line(format!("what = \"{}\"", style.what.chars().map(plain).collect::<String>()));
        line(format!("height = {}", number(style.height, 4)));
        let targets = &style.targets;
        for (parameter, value) in [
            (Parameter::Speed, targets.stride.speed),
            (Parameter::StepLength, targets.stride.step_length),
            (Parameter::Cadence, targets.stride.cadence),
            (Parameter::FlightHeight, targets.flight_height),
            (Parameter::Level, targets.level),
        ] {
            if let Some(value) = value {
                line(format!("{} = {}", parameter.name(), number(parameter.to_user(value), 4)));
            }
        }
        if let Some(lock) = style.lock {
            line(format!("lock = \"{}\"", lock.name()));
        }
        if !style.attributes.is_empty() {
            let value = |value: &AttributeValue| match value {
                AttributeValue::Number(value) => number(*value, 4),
                AttributeValue::Strike(strike) => format!("\"{}\"", strike.name()),
            };
            line(format!("\n[{}.{}.set]", style.gait, style.name));
            style.attributes.iter().for_each(|(name, found)| line(format!("{name} = {}", value(found))));
        }
        if let Some(curves) = &style.curves {
            line(format!("\n[{}.{}.curves]", style.gait, style.name));
            for (name, curve) in PersonCurves::names().zip(curves.values()) {
                let values: Vec<String> = curve.iter().map(|&value| number(value, 2)).collect();
                line(format!("{name} = [{}]", values.join(", ")));
            }
        }
    }
    text
}

/// A name must do as a word of a command line.
fn check_name(field: &Field<'_>, name: &str) -> Result<(), ReadError> {
    let does = |letter: char| letter.is_alphanumeric() || letter == '-' || letter == '_';
    if !name.is_empty() && name.chars().all(does) && name.chars().count() <= MAX_NAME {
        return Ok(());
    }
    let name = shortened(name);
    let message =
        format!("\"{name}\" is no name of a style: letters, digits, - and _, at most {MAX_NAME}, such as my-walk");
    Err(field.error(ErrorKind::Syntax, message))
}

fn read_height(style: &Field<'_>) -> Result<f64, ReadError> {
    let Some(field) = style.optional("height") else { return Ok(DEFAULT_HEIGHT) };
    let height = field.number_within(MAX_NUMBER, "m")?;
    if !HEIGHTS.contains(height) {
        let message = format!("{height} m; bodies of {} are taken", Parameter::BodyHeight.show_range(HEIGHTS));
        return Err(field.error(ErrorKind::OutOfRange, message));
    }
    Ok(height)
}

fn read_lock(field: &Field<'_>) -> Result<Parameter, ReadError> {
    let text = field.text()?;
    Parameter::STRIDE.into_iter().find(|parameter| parameter.name() == text).ok_or_else(|| {
        let message = format!("found \"{}\", needs \"speed\", \"step-length\" or \"cadence\"", shortened(text));
        field.error(ErrorKind::Type, message)
    })
}

/// The attributes, each checked at its own line.
fn read_attributes(style_field: &Field<'_>, style: &Style) -> Result<Vec<(String, AttributeValue)>, ReadError> {
    let mut attributes = Vec::new();
    let Some(set) = style_field.optional("set") else { return Ok(attributes) };
    for (name, line) in set.names("a table of attributes such as { arm-swing = 1.4 }")? {
        let field = set.required(name, "arm-swing = 1.4")?;
        let value = if field.is_text() {
            AttributeValue::Strike(read_strike(&field)?)
        } else {
            AttributeValue::Number(field.number_within(MAX_NUMBER, "of any unit")?)
        };
        let alone = Style { attributes: vec![(name.to_string(), value)], ..style.clone() };
        alone.check().map_err(|error| {
            let kind = match error {
                StyleError::Attribute(AttributeError::Unknown { .. }) => ErrorKind::UnknownField,
                _ => ErrorKind::OutOfRange,
            };
            ReadError::at(kind, line, format!("{}: {error}", set.path()))
        })?;
        attributes.push((name.to_string(), value));
    }
    Ok(attributes)
}

fn read_strike(field: &Field<'_>) -> Result<Strike, ReadError> {
    let text = field.text()?;
    [Strike::Heel, Strike::Toe].into_iter().find(|strike| strike.name() == text).ok_or_else(|| {
        let message = format!("found \"{}\", needs a number, or \"heel\" or \"toe\" for strike", shortened(text));
        field.error(ErrorKind::Type, message)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use surefoot_gait::{RunAttributes, WalkAttributes};

    #[test]
    fn our_own_styles_are_those_of_the_papers_figures_and_all_differ() {
        let styles = presets();
        let names =
            |gait| styles.iter().filter(|style| style.gait == gait).map(|style| &*style.name).collect::<Vec<_>>();
        let walks = ["normal", "proud", "muscle-man", "marching", "bouncy", "loose", "happy", "tired"];
        assert_eq!(names(Gait::Walk), walks);
        let runs = ["jog", "normal-run", "run-15", "sprinter", "bouncy-run", "stiff-run", "loose-run", "tired-run"];
        assert_eq!(names(Gait::Run), runs);
        for (i, style) in styles.iter().enumerate() {
            assert!(!style.what.is_empty(), "{}", style.name);
            for other in &styles[..i] {
                let same =
                    other.gait == style.gait && other.targets == style.targets && other.attributes == style.attributes;
                assert!(!same && other.name != style.name, "{} and {}", style.name, other.name);
            }
        }
    }

    #[test]
    fn our_own_styles_can_be_applied_at_any_height() {
        for style in presets() {
            for height in [0.9, 1.2, 1.5, 1.7, 1.8, 2.0, 2.4] {
                let result = match style.gait {
                    Gait::Walk => style.apply_walk(StrideTargets::default(), height).map(|_| ()),
                    Gait::Run => style.apply_run(RunTargets::default(), height).map(|_| ()),
                };
                assert!(result.is_ok(), "{} at {height} m: {}", style.name, result.unwrap_err());
            }
        }
    }

    #[test]
    fn the_normal_walk_is_the_natural_one_and_the_proud_one_the_papers() {
        let styles = presets();
        let find = |name: &str| styles.iter().find(|style| style.name == name).expect("a preset");
        let (_, attributes) = find("normal").apply_walk(StrideTargets::default(), 1.8).unwrap();
        assert_eq!(attributes, WalkAttributes::default());
        let (proud, _) = find("proud").apply_walk(StrideTargets::default(), 1.8).unwrap();
        assert_eq!((proud.speed, proud.step_length), (4.0 / 3.6, 0.75));
        let (tired, _) = find("tired").apply_walk(StrideTargets::default(), 1.8).unwrap();
        assert_eq!(tired.speed, 3.0 / 3.6);
        let (sprint, overrides) = find("sprinter").apply_run(RunTargets::default(), 1.8).unwrap();
        assert_eq!(overrides.resolve(&sprint, 1.8).strike, Strike::Toe);
        assert_eq!(RunAttributes::default().strike, Strike::Heel);
    }

    #[test]
    fn every_field_is_read_in_file_order() {
        let text = "styles = 1\n[run.b]\nheight = 1.7\ncadence = 180\nflight-height = 0.02\nlevel = 0.5\nlock = \"cadence\"\n\
                    [walk.a]\nwhat = \"x\"\nspeed = 4\nset.arm-swing = 1\n[run.c]\nset = { strike = \"toe\", arm-out = 20 }\n";
        let styles = read_styles(text.as_bytes()).unwrap();
        assert_eq!(styles.iter().map(|style| &*style.name).collect::<Vec<_>>(), ["b", "a", "c"]);
        let [b, a, c] = &styles[..] else { panic!("three") };
        assert_eq!((b.height, b.lock, b.targets.stride.cadence), (1.7, Some(Parameter::Cadence), Some(3.0)));
        assert_eq!((b.targets.flight_height, b.targets.level), (Some(0.02), Some(0.5)));
        assert_eq!((&*a.what, a.gait, a.attributes[0].1), ("x", Gait::Walk, 1.0.into()));
        assert_eq!(c.attributes, [("strike".to_string(), Strike::Toe.into()), ("arm-out".to_string(), 20.0.into())]);
    }

    #[test]
    fn what_is_written_is_read_again() {
        let mut values = [[0.0; PersonCurves::N_SAMPLES]; PersonCurves::N_CURVES];
        (values[0][3], values[17][11]) = (-1.25, 45.5);
        let height: f64 = 1.62;
        let speed = 2.5_f64;
        let fitted = Style {
            name: "16_35".to_string(),
            what: "fitted to 16_35".to_string(),
            height,
            targets: RunTargets {
                stride: StrideTargets { speed: Some(speed), step_length: Some(0.95), cadence: None },
                flight_height: None,
                level: Some(0.25),
            },
            attributes: vec![("arm-out".to_string(), 20.5.into()), ("strike".to_string(), Strike::Toe.into())],
            curves: PersonCurves::new(speed * (DEFAULT_HEIGHT / height).sqrt(), &values),
            ..Style::natural(Gait::Run)
        };
        let mut styles = presets();
        styles.push(fitted);
        let back = read_styles(write_styles(&styles).as_bytes()).unwrap();
        assert_eq!(back.len(), styles.len());
        for style in &styles {
            let found = back.iter().find(|found| found.name == style.name && found.gait == style.gait).unwrap();
            assert_eq!((&found.what, found.height, found.lock), (&style.what, style.height, style.lock));
            assert_eq!(found.attributes, style.attributes);
            assert_eq!(found.curves.map(|curves| curves.values()), style.curves.map(|curves| curves.values()));
            let gap = |a: Option<f64>, b: Option<f64>| (a.unwrap_or(-1.0) - b.unwrap_or(-1.0)).abs();
            assert!(gap(found.targets.stride.speed, style.targets.stride.speed) < 1e-4, "{}", style.name);
            assert!(gap(found.targets.level, style.targets.level) < 1e-4, "{}", style.name);
        }
    }

    #[test]
    fn what_is_no_style_is_reported_with_its_line() {
        for (text, kind, line, part) in [
            ("styles = 1", ErrorKind::MissingField, 1, "there is no style"),
            ("styles = 3\n[walk.a]", ErrorKind::Version, 1, "version 3"),
            ("styles = 1\n[walk.a]\nspeed = 4\ncurves = {}", ErrorKind::UnknownField, 4, "curves"),
            ("styles = 2\n[walk.a]\ncurves = {}", ErrorKind::MissingField, 2, "speed = 5"),
            ("styles = 2\n[walk.a]\nspeed = 4\ncurves.up = [1]", ErrorKind::Type, 4, "a list of 12"),
            ("styles = 2\n[walk.a]\nspeed = 4\ncurves.yow = [1]", ErrorKind::UnknownField, 4, "did you mean `yaw`?"),
            (
                "styles = 2\n[walk.a]\nspeed = 4\ncurves.yaw = [0,0,0,0,0,0,999,0,0,0,0,0]",
                ErrorKind::OutOfRange,
                4,
                "walk.a.curves.yaw[6]",
            ),
            (
                "styles = 2\n[walk.a]\nspeed = 4\ncurves.yaw = [0,0,0,0,0,0,nan,0,0,0,0,0]",
                ErrorKind::Nonfinite,
                4,
                "finite",
            ),
            ("gate = 1", ErrorKind::MissingField, 1, "this is a gate"),
            ("styles = 1\nwalk = 3", ErrorKind::Type, 2, "[walk.proud]"),
            ("styles = 1\n[wlak.a]\nspeed = 4", ErrorKind::UnknownField, 2, "did you mean `walk`?"),
            ("styles = 1\n[walk.a]\nspeeed = 4", ErrorKind::UnknownField, 3, "did you mean `speed`?"),
            ("styles = 1\n[walk.a]\nlevel = 1", ErrorKind::UnknownField, 3, "level"),
            ("styles = 1\n[walk.\"a b\"]\nspeed = 4", ErrorKind::Syntax, 2, "no name of a style"),
            ("styles = 1\n[walk.a]\nspeed = \"4\"", ErrorKind::Type, 3, "walk.a.speed: found the text"),
            (
                "styles = 1\n[walk.a]\nspeed = 40",
                ErrorKind::OutOfRange,
                2,
                "walk.a: the speed of 40 km/h is out of range",
            ),
            ("styles = 1\n[walk.a]\nheight = 9", ErrorKind::OutOfRange, 3, "0.5 to 3 m"),
            ("styles = 1\n[walk.a]\nlock = \"arms\"", ErrorKind::Type, 3, "\"step-length\""),
            ("styles = 1\n[walk.a]\nset = 1", ErrorKind::Type, 3, "arm-swing = 1.4"),
            ("styles = 1\n[walk.a.set]\n\narm-swng = 1", ErrorKind::UnknownField, 4, "did you mean arm-swing?"),
            (
                "styles = 1\n[walk.a.set]\narm-out = 99",
                ErrorKind::OutOfRange,
                3,
                "walk.a.set: arm-out cannot be 99: it takes 0 to 60 deg",
            ),
            ("styles = 1\n[run.a.set]\nstrike = \"knee\"", ErrorKind::Type, 3, "\"heel\" or \"toe\""),
            ("styles = 1\n[run.a.set]\nstrike = 1", ErrorKind::OutOfRange, 3, "heel or toe"),
            ("styles = 1\n[run.a.set]\narm-out = inf", ErrorKind::Nonfinite, 3, "finite"),
        ] {
            let error = read_styles(text.as_bytes()).unwrap_err();
            assert_eq!((error.kind, error.line), (kind, Some(line)), "{text}: {error}");
            assert!(error.message.contains(part), "{text}: {error}");
        }
    }
}
