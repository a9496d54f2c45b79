//! `surefoot compose recognise`: what the footprints of a plan mean.

use super::MethodArg;
use crate::output::{Force, ReportArg};
use crate::report::{Failure, Format};
use crate::run_job::{print_text_or_status, run_job};
use std::path::PathBuf;
use surefoot::jobs::{RecogniseReport, RecogniseRequest};

/// Arguments of `compose recognise`.
#[derive(clap::Args)]
pub(super) struct Args {
    /// Foot plan; its times are not looked at
    #[arg(value_name = "FILE.plan.json")]
    plan: PathBuf,
    /// Database of behaviours
    #[arg(long, value_name = "FILE.behaviours")]
    db: PathBuf,
    #[command(flatten)]
    method: MethodArg,
    /// Thigh plus shin of the person, in metres [default: 0.85]
    #[arg(long, value_name = "M")]
    leg_length: Option<f64>,
    /// Print the reason of each decision
    #[arg(long)]
    explain: bool,
    #[command(flatten)]
    force: Force,
    #[command(flatten)]
    report: ReportArg,
}

/// Runs `compose recognise`.
pub(super) fn run(args: &Args, format: Format) -> Result<(), Failure> {
    let request = RecogniseRequest {
        plan: args.plan.clone(),
        db: args.db.clone(),
        method: args.method.name(),
        leg_length: args.leg_length,
        report: args.report.report.clone(),
        if_exists: args.force.if_exists(),
    };
    run_job(&request, format, |report| print_text_or_status(&request, &text(report, args.explain)))
}

fn text(report: &RecogniseReport, explains: bool) -> String {
    let mut text = String::new();
    for row in &report.footprints {
        let feet = match (&row.take_off, &row.landing) {
            (Some(from), Some(to)) => format!("{from} to {to}"),
            _ => String::new(),
        };
        let reason = if explains { row.reason.as_str() } else { "" };
        let line = format!("{:>4}  {:<5}  {:<5}  {feet:<14}  {reason}", row.footprint, row.foot, row.behaviour);
        text += line.trim_end();
        text.push('\n');
    }
    text
}
