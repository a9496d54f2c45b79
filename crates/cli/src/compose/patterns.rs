//! `surefoot compose patterns`: what was learned of footprints.

use crate::output::{Force, ReportArg};
use crate::report::{Failure, Format};
use crate::run_job::{print_text_or_status, run_job};
use std::path::PathBuf;
use surefoot::jobs::{FootprintPatternsReport, FootprintPatternsRequest};

/// Arguments of `compose patterns`.
#[derive(clap::Args)]
pub(super) struct Args {
    /// Database of behaviours
    #[arg(value_name = "FILE.behaviours")]
    db: PathBuf,
    /// Thigh plus shin of the person, in metres [default: 0.85]
    #[arg(long, value_name = "M")]
    leg_length: Option<f64>,
    #[command(flatten)]
    force: Force,
    #[command(flatten)]
    report: ReportArg,
}

/// Runs `compose patterns`.
pub(super) fn run(args: &Args, format: Format) -> Result<(), Failure> {
    let request = FootprintPatternsRequest {
        db: args.db.clone(),
        leg_length: args.leg_length,
        report: args.report.report.clone(),
        if_exists: args.force.if_exists(),
    };
    run_job(&request, format, |report| print_text_or_status(&request, &text(report)))
}

fn text(report: &FootprintPatternsReport) -> String {
    let mut text = format!("how far the acting foot travels, in metres, with legs of {:.2} m\n", report.leg_length);
    text += &format!("{:>10} {:>7} {:>7} {:>7} {:>7} {:>7}\n", "", "steps", "2 %", "median", "98 %", "most");
    for row in &report.limits {
        let [low, middle, high, most] = row.distances;
        text += &format!("{:>10} {:>7} {low:>7.2} {middle:>7.2} {high:>7.2} {most:>7.2}\n", row.behaviour, row.steps);
    }
    text += &format!("stairs rise or fall by more than {:.0} cm\n", report.stair_rise * 100.0);
    for (what, pair) in [("take off", &report.take_off), ("land", &report.landing)] {
        let [together, apart] = pair.mean_angles;
        text += &format!(
            "feet {what} together up to {:.0} degrees and {:.2} m apart (mean {together:.0} degrees together, {apart:.0} not)\n",
            pair.angle, pair.distance
        );
    }
    text
}
