//! `surefoot gait list`: what can be asked for.

use super::quantity::parse_length;
use crate::output::{Force, ReportArg};
use crate::report::{Failure, Format};
use crate::run_job::{print_text_or_status, run_job};
use std::fmt::Write;
use std::path::PathBuf;
use surefoot::gait::{AttributeValue, equations};
use surefoot::jobs::{
    AttributeName, AttributeRow, GaitCatalogue, GaitListPart, GaitListReport, GaitListRequest, ParameterRow,
    PresetReport,
};

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
    /// Draw how speed, step length, cadence and flight depend on each other
    #[arg(long, alias = "plot", value_name = "FILE.svg")]
    picture: Option<PathBuf>,
    #[command(flatten)]
    force: Force,
    #[command(flatten)]
    report: ReportArg,
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

/// Runs `gait list`.
pub(crate) fn run(args: &Args, format: Format) -> Result<(), Failure> {
    let request = GaitListRequest {
        only: args.what.map(|what| match what {
            What::Walk => GaitListPart::Walk,
            What::Run => GaitListPart::Run,
            What::Presets => GaitListPart::Presets,
        }),
        height: Some(args.height),
        presets: args.presets.clone(),
        picture: args.picture.clone(),
        report: args.report.report.clone(),
        if_exists: args.force.if_exists(),
    };
    run_job(&request, format, |report| print_text_or_status(&request, &text(report)))
}

fn text(report: &GaitListReport) -> String {
    let mut text = String::new();
    for (gait, catalogue) in [("walk", &report.walk), ("run", &report.run)] {
        if let Some(catalogue) = catalogue {
            write_gait(&mut text, gait, catalogue, report.height);
        }
    }
    if let Some(presets) = &report.presets {
        write_presets(&mut text, presets);
    }
    text
}

fn write_gait(text: &mut String, gait: &str, catalogue: &GaitCatalogue, height: f64) {
    let scaled = if height == equations::DEFAULT_HEIGHT { "" } else { ", at this height" };
    // Writing to a text never fails.
    let _ = writeln!(text, "{gait}, of a person {height} m tall");
    let _ = writeln!(text, "  {:<22} {:<16} {:<22} what it is", "parameter", "natural", format!("range{scaled}"));
    for row in &catalogue.parameters {
        let ParameterRow { name, what, unit, min, max, default } = row;
        let default = default.map_or("as flight is".to_string(), |value| with_unit(&digits(value), unit));
        let range = with_unit(&format!("{} to {}", digits(*min), digits(*max)), unit);
        let _ = writeln!(text, "  --{name:<20} {default:<16} {range:<22} {what}");
    }
    let _ = writeln!(text, "  {:<22} {:<16} range", "attribute (--set)", "natural");
    for row in &catalogue.attributes {
        let default = match &row.default {
            Some(AttributeName::Number(number)) => digits(*number),
            Some(AttributeName::Word(word)) => word.clone(),
            None => String::new(),
        };
        let default = format!("{default} {}{}", row.unit, if row.follows_parameters { " *" } else { "" });
        let _ = writeln!(text, "  {:<22} {default:<16} {:<22} {}", row.name, range_text(row), row.what);
    }
    if catalogue.attributes.iter().any(|row| row.follows_parameters) {
        let _ = writeln!(
            text,
            "  * follows the parameters until it is set; the flight's range is that of the natural cadence"
        );
    }
    text.push('\n');
}

fn range_text(row: &AttributeRow) -> String {
    match (row.min, row.max, &row.values) {
        (Some(min), Some(max), _) => with_unit(&format!("{} to {}", digits(min), digits(max)), &row.unit),
        (_, _, Some(words)) => words.join(" or "),
        _ => String::new(),
    }
}

/// Four digits, as the library shows values.
fn digits(value: f64) -> String {
    AttributeValue::Number(value).to_string()
}

fn with_unit(value: &str, unit: &str) -> String {
    format!("{value} {unit}").trim_end().to_string()
}

fn write_presets(text: &mut String, presets: &[PresetReport]) {
    for gait in ["walk", "run"] {
        let _ = writeln!(text, "presets of {gait}");
        for preset in presets.iter().filter(|preset| preset.gait == gait) {
            let _ = writeln!(text, "  {:<22} {}", preset.name, preset.what);
        }
    }
}
