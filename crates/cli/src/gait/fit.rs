//! `surefoot gait fit`.

use crate::import_args::ImportArgs;
use crate::output::{Force, ReportArg};
use crate::report::{Failure, Format, print_input, print_status};
use crate::run_job::run_job;
use std::path::PathBuf;
use surefoot::jobs::{AttributeName, FitGaitReport, FitGaitRequest, FittedGaitReport};

/// Arguments of `gait fit`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// A recorded walk or run: bvh, amc, glb, gltf, fbx or take
    input: PathBuf,
    /// The fitted gait, for `gait walk --preset` and `gait run --preset`; `-` is standard output
    #[arg(long, short, value_name = "PERSON.gait.toml")]
    output: PathBuf,
    /// Its name [default: that of the recording]
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
    /// Contacts of the recording [default: its own, or detected]
    #[arg(long, value_name = "FILE.contacts.json")]
    contacts: Option<PathBuf>,
    #[command(flatten)]
    force: Force,
    #[command(flatten)]
    report: ReportArg,
    #[command(flatten)]
    import: ImportArgs,
}

/// Runs `gait fit`.
pub(crate) fn run(args: &Args, format: Format) -> Result<(), Failure> {
    let request = FitGaitRequest {
        input: args.import.input(&args.input, args.contacts.as_deref())?,
        output: args.output.clone(),
        name: args.name.clone(),
        report: args.report.report.clone(),
        if_exists: args.force.if_exists(),
    };
    run_job(&request, format, |report| {
        print(report);
        Ok(())
    })
}

fn print(report: &FitGaitReport) {
    print_input(&report.input);
    report.gaits.iter().for_each(print_gait);
    print_status(&format!("wrote {}", report.output));
}

fn print_gait(fit: &FittedGaitReport) {
    let FittedGaitReport { gait, name, steps_found, steps_fitted, speed_km_per_hour, step_length, .. } = fit;
    print_status(&format!("{name}: a {gait} fitted to {steps_fitted} of {steps_found} steps"));
    let overlap = if gait == "run" { "flight" } else { "double support" };
    let level = fit.level.map_or(String::new(), |level| format!(", level {level}"));
    print_status(&format!(
        "  {speed_km_per_hour:.2} km/h, steps of {step_length:.3} m, {:.1} steps/min, {overlap} {:.3} s{level}",
        fit.cadence_per_minute, fit.overlap_seconds
    ));
    let attributes = fit.attributes.iter().map(|(name, value)| match value {
        AttributeName::Number(number) => format!("{name} {number:.3}"),
        AttributeName::Word(word) => format!("{name} {word}"),
    });
    print_status(&format!("  {}", attributes.collect::<Vec<_>>().join(", ")));
    print_status("  difference over a stride (deg; height in % of the leg)   natural   fitted");
    for error in &fit.errors {
        print_status(&format!("  {:<53} {:>9.1} {:>8.1}", error.part, error.natural, error.fitted));
    }
}
