//! `surefoot steps prune`: a database without near-duplicates.

use crate::output::{Force, ReportArg};
use crate::report::{Failure, Format, print_status};
use crate::run_job::run_job;
use std::path::PathBuf;
use surefoot::jobs::PruneStepsRequest;

/// Arguments of `steps prune`.
#[derive(clap::Args)]
pub(super) struct Args {
    /// Step database
    #[arg(value_name = "FILE.steps")]
    input: PathBuf,
    /// The thinner database; `-` is standard output
    #[arg(long, short, value_name = "FILE.steps")]
    output: PathBuf,
    #[command(flatten)]
    force: Force,
    #[command(flatten)]
    report: ReportArg,
    /// Steps nearer than this are alike, in centimetres of foot placement; 19 degrees of a foot's heading or 0.33 s
    /// count as 10
    #[arg(long, value_name = "CM", default_value = "10", value_parser = super::parse_centimetres)]
    within: f64,
}

/// Runs `steps prune`.
pub(super) fn run(args: &Args, format: Format) -> Result<(), Failure> {
    let request = PruneStepsRequest {
        input: args.input.clone(),
        output: args.output.clone(),
        within: Some(args.within),
        report: args.report.report.clone(),
        if_exists: args.force.if_exists(),
    };
    run_job(&request, format, |report| {
        let (before, after, n_hull) = (report.steps_before, report.steps, report.on_hull);
        let size = report.bytes as f64 / 1e6;
        print_status(&format!(
            "{after} of {before} steps are kept; {n_hull} of them span the hulls, which are as before; {size:.1} MB"
        ));
        Ok(())
    })
}
