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
    ///
    /// [default: 10]
    #[arg(long, value_name = "CM", value_parser = super::parse_centimetres)]
    within: Option<f64>,
    /// How many steps to keep, as a number or a share (`500`, `50%`, `0.5`); those go that are nearest to others
    #[arg(long, value_name = "N|SHARE", conflicts_with = "within", value_parser = parse_keep)]
    keep: Option<f64>,
    /// A step may stand for those of other people too [default: only for those of its person]
    #[arg(long)]
    across_people: bool,
}

/// Runs `steps prune`.
pub(super) fn run(args: &Args, format: Format) -> Result<(), Failure> {
    let request = PruneStepsRequest {
        input: args.input.clone(),
        output: args.output.clone(),
        within: args.within,
        keep: args.keep,
        across_people: args.across_people,
        report: args.report.report.clone(),
        if_exists: args.force.if_exists(),
    };
    run_job(&request, format, |report| {
        let (before, after, n_hull) = (report.steps_before, report.steps, report.on_hull);
        let size = report.bytes as f64 / 1e6;
        print_status(&format!(
            "{after} of {before} steps are kept; {n_hull} of them span the hulls, which are as before; {size:.1} MB"
        ));
        print_status(&format!(
            "steps within {:.1} cm of another went; the farthest was {:.1} cm from one that is kept, {:.1} on the mean",
            100.0 * report.within,
            100.0 * report.largest_gap,
            100.0 * report.mean_gap
        ));
        Ok(())
    })
}

/// A number of steps, or a share of them.
fn parse_keep(text: &str) -> Result<f64, String> {
    let (number, unit) = text.strip_suffix('%').map_or((text, 1.0), |number| (number, 0.01));
    let parsed = number.trim().parse::<f64>().ok().map(|number| unit * number).filter(|keep| *keep > 0.0);
    let is_share = |keep: &f64| unit == 1.0 || *keep <= 1.0;
    let keep = parsed.filter(is_share).ok_or("a number of steps, or a share such as 50% or 0.5, would do")?;
    // All of them is no share below 1.
    Ok(if unit < 1.0 && keep >= 1.0 { 1e9 } else { keep })
}
