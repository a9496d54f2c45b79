//! `surefoot compose build`: motions become a database of behaviours.

use crate::import_args::ImportArgs;
use crate::output::{Force, ReportArg};
use crate::report::{Failure, Format, print_corrected_rate, print_status};
use crate::run_job::{print_text_or_status, run_job};
use std::path::PathBuf;
use surefoot::jobs::{BuildBehavioursReport, BuildBehavioursRequest};

/// Arguments of `compose build`.
#[derive(clap::Args)]
pub(super) struct Args {
    /// Motion files (bvh, amc, glb, gltf or fbx), folders or glob patterns
    #[arg(required = true, value_name = "CLIPS")]
    clips: Vec<PathBuf>,
    /// The database; `-` is standard output
    #[arg(long, short, value_name = "FILE.behaviours")]
    output: PathBuf,
    #[command(flatten)]
    force: Force,
    #[command(flatten)]
    report: ReportArg,
    /// Labels that override what is found
    #[arg(long, value_name = "FILE.labels.json")]
    labels: Option<PathBuf>,
    /// Write the labels, to be edited and given back
    #[arg(long, value_name = "FILE.labels.json")]
    write_labels: Option<PathBuf>,
    /// Keep frame rates as files declare them [default: the likely rate, where nobody falls or walks at the declared one]
    #[arg(long, conflicts_with = "source_rate")]
    keep_rates: bool,
    /// List every step with its label and why it has it
    #[arg(long)]
    list: bool,
    #[command(flatten)]
    import: ImportArgs,
}

/// Runs `compose build`.
pub(super) fn run(args: &Args, format: Format) -> Result<(), Failure> {
    let request = BuildBehavioursRequest {
        clips: args.clips.clone(),
        read: args.import.request(),
        keep_rates: args.keep_rates,
        labels: args.labels.clone(),
        output: args.output.clone(),
        write_labels: args.write_labels.clone(),
        report: args.report.report.clone(),
        if_exists: args.force.if_exists(),
    };
    run_job(&request, format, |report| {
        for clip in &report.clips {
            print_corrected_rate(&clip.file, clip.corrected_rate);
        }
        for error in report.clips.iter().filter_map(|clip| clip.error.as_ref()) {
            print_status(&format!("surefoot: left out: {error}"));
        }
        print_text_or_status(&request, &text(report, args.list))
    })
}

fn text(report: &BuildBehavioursReport, lists: bool) -> String {
    let mut text = String::new();
    for clip in report.clips.iter().filter(|_| lists) {
        text += &format!("{}\n", clip.file);
        for stance in &clip.stances {
            let [land, leave] = stance.seconds;
            text += &format!(
                "  {land:7.2} to {leave:6.2} s  {:<5}  {:<10}  {}\n",
                stance.foot, stance.label, stance.reason
            );
        }
    }
    for (label, count) in &report.steps {
        text += &format!("{count:>6}  {label}\n");
        for (feet, count) in report.jumps.iter().filter(|_| label == "jump") {
            text += &format!("{count:>12}  {feet}\n");
        }
    }
    let used = report.clips.iter().filter(|clip| clip.error.is_none()).count();
    text += &format!("from {used} of {} clips\n", report.clips.len());
    text
}
