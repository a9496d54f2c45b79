//! `surefoot compose score`: how often footprints alone are understood.

use super::MethodArg;
use crate::output::{Force, ReportArg};
use crate::report::{Failure, Format};
use crate::run_job::{print_text_or_status, run_job};
use std::path::PathBuf;
use surefoot::jobs::{ScoreRecognitionReport, ScoreRecognitionRequest};

/// Arguments of `compose score`.
#[derive(clap::Args)]
pub(super) struct Args {
    /// Labels with places and headings: their stances are the plans
    #[arg(value_name = "FILE.labels.json")]
    labels: PathBuf,
    /// Database of behaviours; recordings of a plan's actor are left out
    #[arg(long, value_name = "FILE.behaviours")]
    db: PathBuf,
    #[command(flatten)]
    method: MethodArg,
    /// List what is wrong, and why
    #[arg(long)]
    list: bool,
    #[command(flatten)]
    force: Force,
    #[command(flatten)]
    report: ReportArg,
}

/// Runs `compose score`.
pub(super) fn run(args: &Args, format: Format) -> Result<(), Failure> {
    let request = ScoreRecognitionRequest {
        db: args.db.clone(),
        labels: args.labels.clone(),
        method: args.method.name(),
        report: args.report.report.clone(),
        if_exists: args.force.if_exists(),
    };
    run_job(&request, format, |report| print_text_or_status(&request, &text(report, args.list)))
}

fn text(report: &ScoreRecognitionReport, lists: bool) -> String {
    let percent = |count: usize, of: usize| 100.0 * count as f64 / of.max(1) as f64;
    let mut text = format!(
        "{} of {} footprints of {} plans, {:.1} %, with the right behaviour\n{} of {} footprints of jumps, {:.1} %, with the right take-off and landing, too\n\nlabels in rows, recognised in columns\n",
        report.right,
        report.footprints,
        report.clips,
        percent(report.right, report.footprints),
        report.right_feet,
        report.jumps,
        percent(report.right_feet, report.jumps)
    );
    text += &report.confusion.table();
    if lists {
        for actor in &report.actors {
            text += &format!("actor {}: {} of {}\n", actor.actor, actor.right, actor.footprints);
        }
        for row in &report.wrong {
            text += &format!(
                "{} footprints[{}]: {}, taken for {}: {}\n",
                row.clip, row.footprint, row.given, row.found, row.reason
            );
        }
    }
    text
}
