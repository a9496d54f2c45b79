//! `surefoot compose repair`: footprints that nobody could step are moved to where somebody can.

use super::MethodArg;
use crate::output::{Force, ReportArg};
use crate::report::{Failure, Format};
use crate::run_job::{print_text_or_status, run_job};
use crate::terrain_arg::TerrainArg;
use std::path::PathBuf;
use surefoot::jobs::{RepairPlanReport, RepairPlanRequest};

/// Arguments of `compose repair`.
#[derive(clap::Args)]
pub(super) struct Args {
    /// Foot plan; it may have steps that every other command refuses. Footprints with `"fixed": true` stay where they are
    #[arg(value_name = "FILE.plan.json")]
    plan: PathBuf,
    /// Repaired foot plan
    #[arg(short, long, value_name = "FILE.plan.json")]
    output: PathBuf,
    /// Database of behaviours
    #[arg(long, value_name = "FILE.behaviours")]
    db: PathBuf,
    #[command(flatten)]
    method: MethodArg,
    /// Thigh plus shin of the person, in metres [default: 0.85]
    #[arg(long, value_name = "M")]
    leg_length: Option<f64>,
    #[command(flatten)]
    terrain: TerrainArg,
    /// Print each change with its reason
    #[arg(long)]
    explain: bool,
    #[command(flatten)]
    force: Force,
    #[command(flatten)]
    report: ReportArg,
}

/// Runs `compose repair`.
pub(super) fn run(args: &Args, format: Format) -> Result<(), Failure> {
    let request = RepairPlanRequest {
        plan: args.plan.clone(),
        output: args.output.clone(),
        db: args.db.clone(),
        method: args.method.name(),
        leg_length: args.leg_length,
        terrain: args.terrain.request(),
        report: args.report.report.clone(),
        if_exists: args.force.if_exists(),
    };
    run_job(&request, format, |report| print_text_or_status(&request, &text(report, args.explain)))
}

fn text(report: &RepairPlanReport, explains: bool) -> String {
    let n_new = report.changes.iter().filter(|change| change.given.is_none()).count();
    let mut text = match report.changes.len() {
        0 => "every step can be taken; nothing was changed\n".to_string(),
        n => format!("{} of {} footprints changed, {n_new} of them new\n", n, report.footprints),
    };
    if explains {
        for change in &report.changes {
            text += &format!("{}\n", change.what);
        }
    }
    text
}
