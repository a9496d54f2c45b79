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
    /// Draw the patterns: limits by behaviour, the four patterns of jumps, limits by leg length
    #[arg(long, value_name = "FILE.svg")]
    picture: Option<PathBuf>,
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
        picture: args.picture.clone(),
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
    text += "jumps: 10 %, median and 90 % of the angles between the feet in degrees, and of the distance in metres\n";
    for row in &report.jumps {
        let [a, b, c] = row.take_off_angle;
        let [d, e, f] = row.landing_angle;
        let [near, middle, far] = row.distance;
        text += &format!(
            "{:>5} to {:<4} {:>4} jumps  take-off {a:>3.0} {b:>3.0} {c:>3.0}  landing {d:>3.0} {e:>3.0} {f:>3.0}  distance {near:.2} {middle:.2} {far:.2}\n",
            row.take_off, row.landing, row.jumps
        );
    }
    let [run, jump] = report.look_ahead;
    text += &format!("{run} footprints ahead decide between walking and running, {jump} between running and jumping\n");
    for row in &report.heights {
        text += &format!(
            "legs of {:.2} m: walk strides of up to {:.2} m, run up to {:.2} m; strides of 1.70 m mean {}\n",
            row.leg_length, row.walk, row.run, row.same_footprints
        );
    }
    text
}
