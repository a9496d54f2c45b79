//! `surefoot compose check`: steps found in recordings against labels.

use crate::import_args::ImportArgs;
use crate::output::{Force, ReportArg};
use crate::report::{Failure, Format};
use crate::run_job::{print_text_or_status, run_job};
use std::path::PathBuf;
use surefoot::jobs::{CheckLabelsReport, CheckLabelsRequest};

/// Arguments of `compose check`.
#[derive(clap::Args)]
pub(super) struct Args {
    /// Motion files, folders or glob patterns; those without labels are passed over
    #[arg(required = true, value_name = "CLIPS")]
    clips: Vec<PathBuf>,
    /// The labels
    #[arg(long, value_name = "FILE.labels.json")]
    labels: PathBuf,
    /// Only recordings of these actors: what stands before the first `_` of a file's name
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    actors: Vec<String>,
    /// List what differs
    #[arg(long)]
    list: bool,
    #[command(flatten)]
    force: Force,
    #[command(flatten)]
    report: ReportArg,
    #[command(flatten)]
    import: ImportArgs,
}

/// Runs `compose check`.
pub(super) fn run(args: &Args, format: Format) -> Result<(), Failure> {
    let request = CheckLabelsRequest {
        clips: args.clips.clone(),
        read: args.import.request(),
        labels: args.labels.clone(),
        actors: args.actors.clone(),
        report: args.report.report.clone(),
        if_exists: args.force.if_exists(),
    };
    run_job(&request, format, |report| print_text_or_status(&request, &text(report, args.list)))
}

fn text(report: &CheckLabelsReport, lists: bool) -> String {
    let mut text = format!("{} labels of {} clips\n", report.labels, report.clips);
    let share = |name: &str, count: usize, of: usize| {
        format!("{count:>6} of {of}, {:5.1} %  {name}\n", 100.0 * count as f64 / of.max(1) as f64)
    };
    text += &share("found", report.found, report.labels);
    text += &share("with the same behaviour", report.same_behaviour, report.labels);
    text += &share("with the same label", report.same_label, report.labels);
    text += &share("start within 40 ms", report.same_start, report.labels);
    text += &share("end within 40 ms", report.same_end, report.labels);
    text += &share("with behaviour, start and end", report.same_all, report.labels);
    text += &share("jumps and hops with the same take-off and landing", report.same_feet, report.jumps);
    text += &format!("{:>6} stances that no label has\n\nlabels in rows, found in columns\n", report.extra);
    text += &report.confusion.table();
    for row in report.differing.iter().filter(|_| lists) {
        text += &format!(
            "{} {} {}..{}: {}, found {}; late by {:.0} and {:.0} ms; {}\n",
            row.clip,
            row.foot,
            row.frames[0],
            row.frames[1],
            row.given,
            row.found.as_deref().unwrap_or("nothing"),
            row.late_ms[0],
            row.late_ms[1],
            row.reason.as_deref().unwrap_or("")
        );
    }
    text
}
