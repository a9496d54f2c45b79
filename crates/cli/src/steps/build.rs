//! `surefoot steps build`: motions become a step database.

use crate::contacts::DetectArgs;
use crate::import_args::ImportArgs;
use crate::output::{Force, ReportArg, is_stdout};
use crate::report::{Failure, Format, print_corrected_rate, print_status, print_summary};
use crate::run_job::run_job;
use std::path::PathBuf;
use surefoot::jobs::{BuildStepsReport, BuildStepsRequest, SegmentRequest, clip_table, refusal_table};

/// Arguments of `steps build`.
#[derive(clap::Args)]
pub(super) struct Args {
    /// Motion files (bvh, amc, glb, gltf or fbx), folders or glob patterns
    #[arg(required = true, value_name = "CLIPS")]
    clips: Vec<PathBuf>,
    /// The database; `-` is standard output
    #[arg(long, short, value_name = "FILE.steps")]
    output: PathBuf,
    #[command(flatten)]
    force: Force,
    #[command(flatten)]
    report: ReportArg,
    /// File whose skeleton all steps are brought to [default: that of the first clip that can be used]
    #[arg(long, alias = "skeleton", value_name = "CHARACTER")]
    on: Option<PathBuf>,
    /// Keep frame rates as files declare them [default: the likely rate, where nobody falls or walks at the declared one]
    #[arg(long, conflicts_with = "source_rate")]
    keep_rates: bool,
    /// Leave out the mirror images, which make both feet equally able
    #[arg(long)]
    no_mirror: bool,
    /// List every clip, not only the sums
    #[arg(long)]
    list: bool,
    #[command(flatten)]
    what: WhatArgs,
    #[command(flatten)]
    detect: DetectArgs,
    #[command(flatten)]
    import: ImportArgs,
}

/// What counts as a step.
#[derive(clap::Args)]
#[command(next_help_heading = "What counts as a step")]
struct WhatArgs {
    /// Longest swing, in seconds [default: 1.5]
    #[arg(long, value_name = "S", value_parser = parse_seconds)]
    longest_swing: Option<f64>,
    /// Longest double support that is kept, in seconds; of longer ones the part next to the swing [default: 0.5]
    #[arg(long, value_name = "S", value_parser = parse_seconds)]
    longest_support: Option<f64>,
    /// Places of the feet whose heights differ by no more than this are on the level, in centimetres; 0.1 keeps every slope
    /// [default: 6]
    #[arg(long, alias = "level", value_name = "CM", value_parser = super::parse_centimetres)]
    level_within: Option<f64>,
}

fn parse_seconds(text: &str) -> Result<f64, String> {
    let wrong = || "a time from 0.05 to 10 seconds would be right".to_string();
    text.parse().ok().filter(|time: &f64| (0.05..=10.0).contains(time)).ok_or_else(wrong)
}

/// Runs `steps build`.
pub(super) fn run(args: &Args, format: Format) -> Result<(), Failure> {
    let request = BuildStepsRequest {
        clips: args.clips.clone(),
        read: args.import.request(),
        keep_rates: args.keep_rates,
        detect: args.detect.options().into(),
        on: args.on.clone(),
        no_mirror: args.no_mirror,
        segment: SegmentRequest {
            longest_swing: args.what.longest_swing,
            longest_support: args.what.longest_support,
            level: args.what.level_within,
        },
        output: args.output.clone(),
        report: args.report.report.clone(),
        if_exists: args.force.if_exists(),
    };
    run_job(&request, format, |report| print_report(args, report))
}

fn print_report(args: &Args, report: &BuildStepsReport) -> Result<(), Failure> {
    for clip in &report.clips {
        print_corrected_rate(&clip.file, clip.corrected_rate);
        if let Some(missing) = &clip.missing {
            print_status(&format!(
                "WARNING: no {missing} found in {}: what is missing does not move in its steps; --body names the joints",
                clip.file
            ));
        }
    }
    for error in report.clips.iter().filter_map(|clip| clip.error.as_ref()) {
        print_status(&format!("surefoot: left out: {error}"));
    }
    let clips = if args.list { clip_table(&report.clips) } else { String::new() };
    let text = clips + &refusal_table(&report.clips);
    // The table is data, unless the database itself goes there.
    if is_stdout(&args.output) {
        print_status(text.trim_end())
    } else {
        print_summary(&text)?
    }
    let n_all = report.steps_with_mirror_images;
    let mirror = if report.mirrored { format!(", {n_all} with mirror images") } else { String::new() };
    let used = report.clips.iter().filter(|clip| clip.error.is_none()).count();
    print_status(&format!(
        "{} steps{mirror}, from {used} of {} clips, on the skeleton of {}; {:.1} MB",
        report.steps,
        report.clips.len(),
        report.skeleton,
        report.bytes as f64 / 1e6
    ));
    Ok(())
}
