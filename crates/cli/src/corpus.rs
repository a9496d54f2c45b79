//! `surefoot corpus`: the built-in takes, what steps they hold, and their files.

use crate::edited_motion::parse_format;
use crate::gait::{parse_frame_rate, parse_length};
use crate::output::{Force, ReportArg};
use crate::report::{Failure, Format, print_summary};
use crate::run_job::{print_text_or_status, run_job};
use std::path::PathBuf;
use surefoot::gait::CorpusKind;
use surefoot::jobs::{CorpusReport, CorpusRequest, CorpusTakeReport, MotionFormat, StepCoverageReport};

/// Arguments of `corpus`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Write every take with its contacts and its foot plan into this folder; made if it is missing
    #[arg(long, short, value_name = "FOLDER")]
    output: Option<PathBuf>,
    /// Format of the motions: bvh, glb, gltf, fbx or take
    #[arg(long, alias = "format", value_name = "FORMAT", default_value = "bvh", requires = "output", value_parser = parse_format)]
    to: MotionFormat,
    #[command(flatten)]
    force: Force,
    #[command(flatten)]
    report: ReportArg,
    /// Height of the figure, from 0.5 to 2.5 m; steps grow with it
    #[arg(long, value_name = "LENGTH", default_value = "1.8", value_parser = parse_length, allow_negative_numbers = true)]
    height: f64,
    /// Frames per second, from 1 to 240
    #[arg(long, value_name = "FPS", default_value = "60", value_parser = parse_frame_rate, allow_negative_numbers = true)]
    frame_rate: f64,
    /// Only takes of these kinds: forward,curve,stairs [default: all]
    #[arg(long, value_name = "KIND,..", value_delimiter = ',')]
    kind: Vec<String>,
    /// List every take, not only each kind
    #[arg(long)]
    list: bool,
}

/// Runs `corpus`.
pub(crate) fn run(args: &Args, format: Format) -> Result<(), Failure> {
    let request = CorpusRequest {
        output: args.output.clone(),
        format: Some(args.to),
        height: Some(args.height),
        frame_rate: Some(args.frame_rate),
        kinds: args.kind.clone(),
        report: args.report.report.clone(),
        if_exists: args.force.if_exists(),
    };
    run_job(&request, format, |report| {
        let table = table(args, report);
        if args.output.is_some() { print_summary(&table) } else { print_text_or_status(&request, &table) }
    })
}

fn table(args: &Args, report: &CorpusReport) -> String {
    let seconds: f64 = report.takes.iter().map(|take| take.seconds).sum();
    let mut text = format!(
        "{} takes with {} steps, {seconds:.0} s at {} fps, of a figure of {} m\n\n",
        report.takes.len(),
        report.steps,
        report.frame_rate,
        report.height
    );
    text +=
        &format!("{:<24}{:>6}{:>7}{:>9}{:>8}{:>7}  feet apart m\n", "", "takes", "steps", "seconds", "path m", "m/s");
    for kind in CorpusKind::ALL {
        let of_kind: Vec<&CorpusTakeReport> = report.takes.iter().filter(|take| take.kind == kind.name()).collect();
        if of_kind.is_empty() {
            continue;
        }
        text += line(kind.name(), &of_kind).trim_end();
        text += "\n";
        if args.list {
            for take in of_kind {
                text += &format!("{}  {}\n", line(&format!("  {}", take.name), &[take]), take.what);
            }
        }
    }
    if let Some(coverage) = &report.coverage {
        text += &coverage_table(coverage);
    }
    text
}

/// Some takes in one line.
fn line(name: &str, takes: &[&CorpusTakeReport]) -> String {
    let sum = |value: fn(&CorpusTakeReport) -> f64| -> f64 { takes.iter().map(|take| value(take)).sum() };
    let n_steps: usize = takes.iter().map(|take| take.steps).sum();
    let min = takes.iter().map(|take| take.least_feet_apart).fold(f64::INFINITY, f64::min);
    let max = takes.iter().map(|take| take.most_feet_apart).fold(0.0, f64::max);
    let [seconds, moving, length] =
        [sum(|take| take.seconds), sum(|take| take.moving_seconds), sum(|take| take.trajectory_length)];
    format!(
        "{name:<24}{:>6}{n_steps:>7}{seconds:>9.1}{length:>8.1}{:>7.2}{min:>8.2}..{max:<5.2}",
        takes.len(),
        length / moving
    )
}

fn coverage_table(coverage: &StepCoverageReport) -> String {
    let StepCoverageReport { steps, left_steps, bin: width, parameters } = coverage;
    let mut text = format!(
        "\n{steps} walking steps on level ground ({left_steps} of the left foot), as a step database sees them:\n\n"
    );
    let bins = || parameters.iter().flat_map(|parameter| &parameter.counts);
    let first = bins().map(|bin| bin.from).fold(0.0, f64::min);
    let index = |low: f64| ((low - first) / width).round() as usize;
    let n_bins = bins().map(|bin| index(bin.from) + 1).max().unwrap_or(0);
    text += &format!("{:<12}{:>14} ", "metres", "range");
    for bin in 0..n_bins {
        text += &format!("{:>6.1}", first + bin as f64 * width);
    }
    text += "\n";
    for parameter in parameters {
        text += &format!("{:<12}{:>6.2}..{:<6.2} ", parameter.name.replace('_', " "), parameter.min, parameter.max);
        for bin in 0..n_bins {
            let count = parameter.counts.iter().find(|count| index(count.from) == bin).map_or(0, |count| count.steps);
            text += &format!("{:>6}", if count == 0 { "-".to_string() } else { count.to_string() });
        }
        text += "\n";
    }
    text
}
