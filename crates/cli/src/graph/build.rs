//! `surefoot graph build`: motions become a graph.

use super::counted;
use crate::gait::parse_frame_rate;
use crate::import_args::ImportArgs;
use crate::output::{Force, ReportArg};
use crate::report::{Failure, Format, print_status};
use crate::run_job::run_job;
use std::path::PathBuf;
use surefoot::jobs::{BuildGraphReport, BuildGraphRequest, LeftOutReport, MetricName};

/// Arguments of `graph build`.
#[derive(clap::Args)]
pub(super) struct Args {
    /// Motion files (bvh, amc, glb, gltf or fbx), folders or glob patterns [default: built-in walks]
    #[arg(value_name = "CLIPS")]
    clips: Vec<PathBuf>,
    /// The graph; `-` is standard output
    #[arg(long, short, value_name = "FILE.graph")]
    output: PathBuf,
    #[command(flatten)]
    force: Force,
    #[command(flatten)]
    report: ReportArg,
    /// How frame windows are compared
    #[arg(long, value_enum, default_value = "angles")]
    metric: MetricArg,
    /// How many principal components count, the most important first [default: all]
    #[arg(long, value_name = "K", value_parser = parse_count, allow_negative_numbers = true)]
    components: Option<usize>,
    /// Frames of a window and of a blend
    #[arg(long, value_name = "FRAMES", default_value = "10", value_parser = parse_count, allow_negative_numbers = true)]
    window: usize,
    /// Frames per second that all clips are brought to, 1 to 1000
    #[arg(long, value_name = "FPS", default_value = "30", value_parser = parse_frame_rate, allow_negative_numbers = true)]
    frame_rate: f64,
    /// Take transitions of at most this distance, in the metric's unit
    #[arg(long, value_name = "D", value_parser = parse_distance, conflicts_with = "share", allow_negative_numbers = true)]
    threshold: Option<f32>,
    /// Take transitions that are among this share of all distances, in percent [default: 5]
    #[arg(long, value_name = "PERCENT", value_parser = parse_percent, allow_negative_numbers = true)]
    share: Option<f64>,
    #[command(flatten)]
    import: ImportArgs,
}

/// The three metrics of GRAPH 5.1.
#[derive(Clone, Copy, clap::ValueEnum)]
enum MetricArg {
    /// Angles and velocities of hips, knees, shoulders and elbows
    Angles,
    /// Clouds of the joints' positions, aligned on the ground
    Points,
    /// Principal components of all rotations
    Pca,
}

fn parse_count(text: &str) -> Result<usize, String> {
    let wrong = || "a whole number from 1 to 1000 would be right".to_string();
    text.parse().ok().filter(|count| (1..=1000).contains(count)).ok_or_else(wrong)
}

fn parse_distance(text: &str) -> Result<f32, String> {
    let wrong = || "a distance of 0 or more would be right".to_string();
    text.parse().ok().filter(|distance: &f32| distance.is_finite() && *distance >= 0.0).ok_or_else(wrong)
}

fn parse_percent(text: &str) -> Result<f64, String> {
    let wrong = || "a share above 0 and up to 100 percent would be right".to_string();
    let percent = text.trim_end_matches('%').trim_end().parse().ok();
    percent.filter(|share: &f64| *share > 0.0 && *share <= 100.0).ok_or_else(wrong)
}

/// Runs `graph build`.
pub(super) fn run(args: &Args, format: Format) -> Result<(), Failure> {
    let request = BuildGraphRequest {
        clips: args.clips.clone(),
        read: args.import.request(),
        metric: match args.metric {
            MetricArg::Angles => MetricName::Angles,
            MetricArg::Points => MetricName::Points,
            MetricArg::Pca => MetricName::Pca,
        },
        components: args.components,
        window: Some(args.window),
        frame_rate: Some(args.frame_rate),
        threshold: args.threshold,
        share: args.share.map(|percent| percent / 100.0),
        output: args.output.clone(),
        report: args.report.report.clone(),
        if_exists: args.force.if_exists(),
    };
    run_job(&request, format, |report| {
        print_report(report);
        Ok(())
    })
}

fn print_report(report: &BuildGraphReport) {
    for LeftOutReport { why, .. } in &report.left_out {
        print_status(&format!("surefoot: left out: {why}"));
    }
    report.notes.iter().for_each(|note| print_status(&format!("  {note}")));
    print_status(&format!(
        "{} frames of {}, {} pairs of frame windows compared by {}; transitions of at most {}",
        report.frames,
        counted(report.clips.len(), "clip"),
        report.compared,
        report.metric,
        report.threshold,
    ));
    print_status(&format!(
        "{}, {}, {}; {}, {} of them within a clip; {:.1} MB",
        counted(report.nodes, "node"),
        counted(report.edges, "edge"),
        counted(report.keyframes, "keyframe"),
        counted(report.blends, "blend"),
        report.self_blends,
        report.bytes as f64 / 1e6
    ));
    print_status(&format!(
        "pruned: {}, {}",
        counted(report.pruned.nodes, "node"),
        counted(report.pruned.edges, "edge")
    ));
    for name in &report.pruned.dead_clips {
        let n_frames = report.clips.iter().find(|clip| clip.name == *name).map_or(0, |clip| clip.frames);
        print_status(&dead_end(name, n_frames, report.window));
    }
}

/// Why nothing of a clip is left, and what would keep it.
fn dead_end(name: &str, n_frames: usize, window: usize) -> String {
    if n_frames <= window {
        let frames = counted(n_frames, "frame");
        return format!(
            "  dead end: {name} has {frames}, too few for windows of {window}; a smaller --window may keep it"
        );
    }
    format!("  dead end: nothing of {name} is left; a higher threshold may keep it")
}
