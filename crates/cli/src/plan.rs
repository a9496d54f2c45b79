//! `surefoot plan`: paths and foot plans.

mod path;
mod steps;

use crate::contacts::DetectArgs;
use crate::import_args::ImportArgs;
use crate::output::{Force, ReportArg};
use crate::report::{Failure, Format, print_input, print_status};
use crate::run_job::run_job;
use std::path::PathBuf;
use surefoot::jobs::{ExtractReport, ExtractRequest};

/// Arguments of `plan`.
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(clap::Subcommand)]
enum Command {
    /// A smooth path through a scene of obstacles, from start to goal with a clearance
    Path(path::Args),
    /// Footprints along a path: left and right in turn, shorter steps in bends, on no obstacle
    Steps(steps::Args),
    /// The footprints that a motion really took, with headings, swing and support times
    Extract(Box<ExtractArgs>),
}

/// Arguments of `plan extract`.
#[derive(clap::Args)]
struct ExtractArgs {
    /// Motion file: bvh, amc, glb, gltf or fbx
    input: PathBuf,
    /// Foot plan; `-` is standard output
    #[arg(long, short, value_name = "FILE.plan.json")]
    output: PathBuf,
    #[command(flatten)]
    force: Force,
    #[command(flatten)]
    report: ReportArg,
    /// Foot contacts of the motion [default: those that its file carries, or as detected]
    #[arg(long, value_name = "FILE.contacts.json")]
    contacts: Option<PathBuf>,
    #[command(flatten)]
    detect: DetectArgs,
    #[command(flatten)]
    import: ImportArgs,
}

/// Runs `plan`.
pub(crate) fn run(args: &Args, format: Format) -> Result<(), Failure> {
    match &args.command {
        Command::Path(args) => path::run(args, format),
        Command::Steps(args) => steps::run(args, format),
        Command::Extract(args) => extract(args, format),
    }
}

fn extract(args: &ExtractArgs, format: Format) -> Result<(), Failure> {
    let request = ExtractRequest {
        input: args.import.input(&args.input, args.contacts.as_deref())?,
        detect: args.detect.options().into(),
        output: args.output.clone(),
        report: args.report.report.clone(),
        if_exists: args.force.if_exists(),
    };
    run_job(&request, format, |report| {
        print_report(report);
        Ok(())
    })
}

fn print_report(report: &ExtractReport) {
    print_input(&report.input);
    let seconds = |time: Option<f64>| time.map_or("unknown".to_string(), |time| format!("{time:.2} s"));
    print_status(&format!(
        "{} footprints (left {}, right {}), contacts {}; mean swing {}, mean support {}",
        report.footprints,
        report.left,
        report.right,
        report.contacts.text(),
        seconds(report.mean_swing_seconds),
        seconds(report.mean_support_seconds)
    ));
    if report.footprints <= 2 {
        print_status("  warning[no_steps] nobody takes a step in it: such a plan cannot be animated");
    }
}
