//! `surefoot demo`: the main job on built-in data.

use crate::output::{Force, ReportArg};
use crate::report::{Failure, Format, print_summary};
use crate::run_job::run_job;
use std::fmt::Write;
use std::path::PathBuf;
use surefoot::jobs::{DEMO_FOLDER, DemoCleanupReport, DemoPart, DemoReport, DemoRequest, DemoWalkReport};

/// Arguments of `demo`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Folder for the results; made if it is missing. Files of an earlier demo are replaced
    #[arg(default_value = DEMO_FOLDER)]
    folder: PathBuf,
    #[command(flatten)]
    force: Force,
    #[command(flatten)]
    report: ReportArg,
    /// Step database for the foot plans [default: the built-in corpus]
    #[arg(long, value_name = "FILE.steps")]
    db: Option<PathBuf>,
    /// Only one part [default: both]
    #[arg(long, value_enum)]
    only: Option<Part>,
}

#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Part {
    /// Foot plans that become walks
    Plans,
    /// A walk that skates, and is cleaned
    Cleanup,
}

/// Runs `demo`.
pub(crate) fn run(args: &Args, format: Format) -> Result<(), Failure> {
    let request = DemoRequest {
        folder: Some(args.folder.clone()),
        db: args.db.clone(),
        only: args.only.map(|part| match part {
            Part::Plans => DemoPart::Plans,
            Part::Cleanup => DemoPart::Cleanup,
        }),
        report: args.report.report.clone(),
        if_exists: args.force.if_exists(),
    };
    run_job(&request, format, |report| print_summary(&to_text(report)))
}

fn to_text(report: &DemoReport) -> String {
    let mut text = String::new();
    report.plans.iter().flatten().for_each(|plan| plan_text(&mut text, plan));
    if let Some(cleanup) = &report.cleanup {
        cleanup_text(&mut text, cleanup);
    }
    // Writing to a string cannot fail.
    let _ = writeln!(text, "open {} to see it all", report.page);
    text
}

fn plan_text(text: &mut String, plan: &DemoWalkReport) {
    let _ = writeln!(text, "{}: {}", plan.name, plan.what);
    let _ = writeln!(text, "  verdict: {}", plan.synthesis.verdict);
    let _ = writeln!(text, "  walked in {:.1} s; steps: {}", plan.synthesis.seconds, plan.synthesis.origins_in_words());
    let placements = || plan.synthesis.each.iter().filter_map(|print| print.placement);
    let mid_stance = placements().fold(0.0, |most, at| f64::max(most, at.mid_stance_mm));
    let middle = placements().fold(0.0, |most, at| f64::max(most, at.middle_60_mm));
    let _ = writeln!(
        text,
        "  {}: balls within {mid_stance:.4} mm of their footprints at mid stance, {middle:.1} mm over the middle 60 %, {} missed",
        plan.file, plan.unmet_in_file
    );
}

fn cleanup_text(text: &mut String, cleanup: &DemoCleanupReport) {
    let DemoCleanupReport { footprints, seconds, .. } = cleanup;
    let _ = writeln!(
        text,
        "walk: a synthetic walk over {footprints} footprints in {seconds:.2} s, to be made to skate and cleaned"
    );
    for placement in &cleanup.placement {
        let _ = writeln!(
            text,
            "  {}: over every complete plant the ball is within {:.4} mm of its footprint",
            placement.file, placement.largest_placement_error_mm
        );
    }
    let _ = writeln!(
        text,
        "the same walk made to skate, its {} plants detected, cleaned, and read back from cleaned.bvh",
        cleanup.plants
    );
    for change in &cleanup.changes {
        let before = change.before.unwrap_or(f64::NAN);
        let _ = writeln!(text, "  {:<24} {before:>12.4} -> {:<12.4} {}", change.name, change.after, change.unit);
    }
}
