//! `surefoot compose transitions`: how speed changes from one behaviour to another.

use crate::output::{Force, ReportArg};
use crate::report::{Failure, Format};
use crate::run_job::{print_text_or_status, run_job};
use std::path::PathBuf;
use surefoot::jobs::{TransitionGraphsReport, TransitionGraphsRequest};

/// Arguments of `compose transitions`.
#[derive(clap::Args)]
pub(super) struct Args {
    /// Database of behaviours
    #[arg(value_name = "FILE.behaviours")]
    db: PathBuf,
    /// Thigh plus shin of the person, in metres [default: 0.85]
    #[arg(long, value_name = "M")]
    leg_length: Option<f64>,
    /// Draw the graphs: mean speed of the root over steps
    #[arg(long, value_name = "FILE.svg")]
    picture: Option<PathBuf>,
    /// Draw the recordings before and after their alignment
    #[arg(long, value_name = "FILE.svg")]
    alignment: Option<PathBuf>,
    #[command(flatten)]
    force: Force,
    #[command(flatten)]
    report: ReportArg,
}

/// Runs `compose transitions`.
pub(super) fn run(args: &Args, format: Format) -> Result<(), Failure> {
    let request = TransitionGraphsRequest {
        db: args.db.clone(),
        leg_length: args.leg_length,
        picture: args.picture.clone(),
        alignment: args.alignment.clone(),
        report: args.report.report.clone(),
        if_exists: args.force.if_exists(),
    };
    run_job(&request, format, |report| print_text_or_status(&request, &text(report)))
}

fn text(report: &TransitionGraphsReport) -> String {
    let mut text = format!(
        "speed of the root in m/s, step by step, with legs of {:.2} m; step 0 is the fastest, to stairs the slowest\n",
        report.leg_length
    );
    for graph in &report.graphs {
        let mirrored = if graph.is_mirrored { ", mirrored from the way back" } else { "" };
        text += &format!(
            "{} to {}: {} changes{mirrored}; the first {} step is step {}\n",
            graph.from, graph.to, graph.changes, graph.to, graph.change
        );
        for step in &graph.steps {
            text +=
                &format!("{:>5} {:>6.2} +- {:.2} ({} changes)\n", step.step, step.speed, step.deviation, step.changes);
        }
    }
    text
}
