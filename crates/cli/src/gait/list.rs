//! `surefoot gait list`: what can be asked for.

use super::quantity::parse_length;
use super::{GAITS, read_own};
use crate::output::{Force, check_svg, is_stdout};
use crate::report::{Failure, Format, print_result, print_status, print_text};
use serde_json::{Value, json};
use std::fmt::Write;
use std::path::PathBuf;
use surefoot::formats::own;
use surefoot::gait::{
    AttributeUnit, AttributeValue, Gait, GaitSettings, HEIGHTS, Parameter, RunParameters, Style, WalkParameters,
    equations,
};
use surefoot::geom::Range;
use surefoot::jobs::AttributeName;
use surefoot::{follows_parameters, natural_gait_attribute, plot_gait_relations};

/// Arguments of `gait list`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// What to list [default: all]
    #[arg(value_enum)]
    what: Option<What>,
    /// Body height that ranges and defaults are for
    #[arg(long, value_name = "LENGTH", default_value = "1.8", value_parser = parse_length)]
    height: f64,
    /// Your own named walks and runs, listed before ours
    #[arg(long, value_name = "FILE.toml")]
    presets: Option<PathBuf>,
    /// Draw how speed, step length, cadence and flight hang together
    #[arg(long = "picture", alias = "plot", value_name = "FILE.svg")]
    plot: Option<PathBuf>,
    #[command(flatten)]
    force: Force,
}

#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum What {
    /// Parameters and attributes of walking
    Walk,
    /// Parameters and attributes of running
    Run,
    /// Named walks and runs
    Presets,
}

/// A parameter with what is taken and what is natural, in SI units.
struct ParameterRow {
    parameter: Parameter,
    range: Range,
    default: Option<f64>,
}

/// Runs `gait list`.
pub(crate) fn run(args: &Args, format: Format) -> Result<(), Failure> {
    if !HEIGHTS.contains(args.height) {
        let range = Parameter::BodyHeight.show_range(HEIGHTS);
        let message = format!("--height: {} m; bodies of {range} are taken", args.height);
        return Err(Failure::new("parameter", message));
    }
    if let Some(path) = &args.plot {
        check_svg(path)?;
        args.force.check(path, format)?;
    }
    let users = read_own(args.presets.as_deref(), own::read_styles)?.unwrap_or_default();
    if let Some(path) = &args.plot {
        args.force.write(path, plot_gait_relations().as_bytes())?;
        if is_stdout(path) {
            return Ok(());
        }
    }
    let styles: Vec<Style> = users.into_iter().chain(own::presets()).collect();
    let gaits = GAITS.into_iter().filter(|gait| match args.what {
        None => true,
        Some(What::Walk) => *gait == Gait::Walk,
        Some(What::Run) => *gait == Gait::Run,
        Some(What::Presets) => false,
    });
    let has_presets = matches!(args.what, None | Some(What::Presets));
    let styles = if has_presets { &*styles } else { &[] };
    match format {
        Format::Json => {
            let mut result = json!({
                "height": args.height,
                "plot_output": args.plot.as_ref().map(|path| path.display().to_string()),
            });
            for gait in gaits {
                result[gait.name()] = gait_json(gait, args.height);
            }
            if has_presets {
                result["presets"] = styles.iter().map(style_json).collect();
            }
            print_result("gait list", &result)
        }
        Format::Human => {
            let mut text = String::new();
            for gait in gaits {
                write_gait(&mut text, gait, args.height);
            }
            if has_presets {
                write_styles(&mut text, styles);
            }
            print_text(&text)?;
            if let Some(path) = &args.plot {
                print_status(&format!("wrote {}", path.display()));
            }
            Ok(())
        }
    }
}

fn parameters(gait: Gait, height: f64) -> Vec<ParameterRow> {
    let settings = GaitSettings::natural(gait, height);
    let (ranges, stride) = match gait {
        Gait::Walk => {
            let walk = settings.walk.parameters;
            (WalkParameters::ranges(height), [walk.speed, walk.step_length, walk.cadence])
        }
        Gait::Run => {
            let run = settings.run.parameters;
            (RunParameters::ranges(height, run.level), [run.speed, run.step_length, run.cadence])
        }
    };
    let ranges = [ranges.speed, ranges.step_length, ranges.cadence];
    let mut rows: Vec<ParameterRow> = Parameter::STRIDE
        .into_iter()
        .zip(ranges.into_iter().zip(stride))
        .map(|(parameter, (range, default))| ParameterRow { parameter, range, default: Some(default) })
        .collect();
    if gait == Gait::Run {
        let range = RunParameters::flight_heights(settings.run.parameters.cadence);
        rows.push(ParameterRow { parameter: Parameter::FlightHeight, range, default: None });
        let level = ParameterRow { parameter: Parameter::Level, range: RunParameters::LEVELS, default: Some(0.0) };
        rows.push(level);
    }
    rows
}

fn write_gait(text: &mut String, gait: Gait, height: f64) {
    let scaled = if height == equations::DEFAULT_HEIGHT { "" } else { ", at this height" };
    // Writing to a text never fails.
    let _ = writeln!(text, "{gait}, of a person {height} m tall");
    let _ = writeln!(text, "  {:<22} {:<16} {:<22} what it is", "parameter", "natural", format!("range{scaled}"));
    for row in parameters(gait, height) {
        let default = row.default.map_or("as flight is".to_string(), |value| row.parameter.show(value));
        let range = row.parameter.show_range(row.range);
        let _ = writeln!(text, "  --{:<20} {default:<16} {range:<22} {}", row.parameter.name(), what(row.parameter));
    }
    let _ = writeln!(text, "  {:<22} {:<16} range", "attribute (--set)", "natural");
    for info in gait.catalogue() {
        let follows = gait == Gait::Run && follows_parameters(info.name);
        let value = natural_gait_attribute(gait, info.name, height).map_or(String::new(), |value| value.to_string());
        let default = format!("{value} {}{}", info.unit.name(), if follows { " *" } else { "" });
        let range = info.show_range(height);
        let _ = writeln!(text, "  {:<22} {default:<16} {range:<22} {}", info.name, info.what);
    }
    if gait == Gait::Run {
        let _ = writeln!(
            text,
            "  * follows the parameters until it is set; the flight's range is that of the natural cadence"
        );
    }
    text.push('\n');
}

fn what(parameter: Parameter) -> &'static str {
    match parameter {
        Parameter::Speed => "how fast; also in m/s and m/min",
        Parameter::StepLength => "from one foot's landing to the other's",
        Parameter::Cadence => "step frequency; also in steps/s",
        Parameter::FlightHeight => "how high the pelvis rises in flight",
        Parameter::Level => "of expertise: the skilled step longer and fly longer",
        Parameter::BodyHeight => "of the body",
    }
}

fn write_styles(text: &mut String, styles: &[Style]) {
    for gait in GAITS {
        let _ = writeln!(text, "presets of {gait}");
        for style in styles.iter().filter(|style| style.gait == gait) {
            let _ = writeln!(text, "  {:<22} {}", style.name, style.what);
        }
    }
}

fn gait_json(gait: Gait, height: f64) -> Value {
    let parameters = parameters(gait, height).into_iter().map(|row| {
        let user = |value: f64| row.parameter.to_user(value);
        json!({
            "name": row.parameter.name(),
            "what": what(row.parameter),
            "unit": row.parameter.unit(),
            "min": user(row.range.min),
            "max": user(row.range.max),
            "default": row.default.map(user),
        })
    });
    let attributes = gait.catalogue().into_iter().map(|info| {
        let (range, is_word) = (info.range_at(height), info.unit == AttributeUnit::Strike);
        json!({
            "name": info.name,
            "what": info.what,
            "unit": info.unit.name(),
            "min": (!is_word).then_some(range.min),
            "max": (!is_word).then_some(range.max),
            "values": is_word.then_some(["heel", "toe"]),
            "default": natural_gait_attribute(gait, info.name, height).map(value_json),
            "follows_parameters": gait == Gait::Run && follows_parameters(info.name),
        })
    });
    json!({ "parameters": parameters.collect::<Vec<_>>(), "attributes": attributes.collect::<Vec<_>>() })
}

fn style_json(style: &Style) -> Value {
    let stride = &style.targets.stride;
    let user = |parameter: Parameter, value: Option<f64>| value.map(|value| parameter.to_user(value));
    let set: serde_json::Map<String, Value> =
        style.attributes.iter().map(|(name, value)| (name.clone(), value_json(*value))).collect();
    json!({
        "name": style.name,
        "gait": style.gait.name(),
        "what": style.what,
        "height": style.height,
        "speed_km_per_hour": user(Parameter::Speed, stride.speed),
        "step_length": stride.step_length,
        "cadence_per_minute": user(Parameter::Cadence, stride.cadence),
        "flight_height": style.targets.flight_height,
        "level": style.targets.level,
        "lock": style.lock.map(Parameter::name),
        "set": set,
    })
}

/// A value as JSON has it.
fn value_json(value: AttributeValue) -> Value {
    serde_json::to_value(AttributeName::from(value)).expect("plain data")
}
