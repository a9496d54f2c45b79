//! `surefoot evaluate`: recordings walked again with the steps of others.

use crate::contacts::DetectArgs;
use crate::import_args::ImportArgs;
use crate::output::{Force, ReportArg};
use crate::report::{Failure, Format, print_status, print_text};
use crate::run_job::run_job;
use std::fmt::Write;
use std::path::PathBuf;
use surefoot::jobs::{CandidatesRow, EvaluateReport, EvaluateRequest, EvaluatedClipReport};
use surefoot::steps::{Method, Region};

/// Arguments of `evaluate`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Motion files (bvh, amc, glb, gltf or fbx), folders or glob patterns [default: the built-in corpus]
    #[arg(value_name = "CLIPS")]
    clips: Vec<PathBuf>,
    /// Step database; steps of a clip's name are left out for it [default: built from the clips, or the built-in corpus]
    #[arg(long, value_name = "FILE.steps", requires = "clips")]
    db: Option<PathBuf>,
    /// File whose skeleton all clips are brought to [default: that of the first clip that can be used]
    #[arg(long, alias = "skeleton", value_name = "CHARACTER", requires = "clips", conflicts_with = "db")]
    on: Option<PathBuf>,
    /// Print every clip, not only the means
    #[arg(long)]
    list: bool,
    #[command(flatten)]
    force: Force,
    #[command(flatten)]
    report: ReportArg,
    #[command(flatten)]
    detect: DetectArgs,
    #[command(flatten)]
    import: ImportArgs,
}

/// Runs `evaluate`.
pub(crate) fn run(args: &Args, format: Format) -> Result<(), Failure> {
    let request = EvaluateRequest {
        clips: args.clips.clone(),
        db: args.db.clone(),
        on: args.on.clone(),
        read: args.import.request(),
        detect: args.detect.options().into(),
        report: args.report.report.clone(),
        if_exists: args.force.if_exists(),
    };
    run_job(&request, format, |report| {
        for clip in &report.clips {
            if let Some(reason) = &clip.left_out {
                print_status(&format!("left out: {}: {reason}", clip.clip));
            }
        }
        print_text(&to_text(report, args.list))
    })
}

fn compared(report: &EvaluateReport) -> impl Iterator<Item = &EvaluatedClipReport> {
    report.clips.iter().filter(|clip| clip.left_out.is_none())
}

fn to_text(report: &EvaluateReport, list: bool) -> String {
    let n_clips = compared(report).count();
    let n_footprints: usize = compared(report).map(|clip| clip.footprints).sum();
    let mut text = format!(
        "{n_clips} clips with {n_footprints} footprints, each walked again without its own steps; {} steps in the database\n",
        report.database_steps
    );
    let origins: Vec<String> = report.origins.iter().map(|(name, n)| format!("{n} {name}")).collect();
    // Writing to a string cannot fail.
    let _ = writeln!(text, "steps: {}\n", origins.join(", "));
    if list {
        list_clips(&mut text, report);
    }
    let _ = write!(text, "{:<30}", "mean joint error, cm");
    Region::ALL.iter().for_each(|region| {
        let _ = write!(text, "{:>8}", region.name());
    });
    text += "     all\n";
    for method in Method::ALL {
        let Some(errors) = report.errors_cm.get(method.name()) else { continue };
        let _ = write!(text, "  {:<28}", method.name());
        let by_region = Region::ALL.iter().filter_map(|region| errors.by_region.get(region.name()));
        for error in by_region.chain([&errors.all]) {
            let _ = write!(text, "{error:>8.2}");
        }
        text.push('\n');
    }
    let _ = writeln!(text, "\n{:<46}{:>12}{:>12}", "candidates (STRIDE 7.4)", "here", "paper");
    let (here, paper) = (candidates(&report.candidates.here), candidates(&report.candidates.paper));
    for ((what, here), (_, paper)) in here.iter().zip(&paper) {
        let _ = writeln!(text, "  {what:<44}{here:>12}{paper:>12}");
    }
    let loss = format!("up to {:.0}", report.candidates.paper.weight_loss);
    let _ = writeln!(
        text,
        "  {:<44}{:>12.1}{loss:>12}",
        "weight before over after, mean", report.candidates.here.weight_loss
    );
    let _ = writeln!(text, "\n{:<46}{:>12}{:>12}{:>8}", "smoothness", "walks", "recordings", "ratio");
    for row in &report.smoothness {
        let label = format!("{}, {}", row.name, row.unit);
        let ratio = row.ratio.unwrap_or(f64::NAN);
        let _ = writeln!(text, "  {label:<44}{:>12.1}{:>12.1}{ratio:>8.2}", row.walk, row.recording);
    }
    text
}

fn list_clips(text: &mut String, report: &EvaluateReport) {
    let _ = write!(text, "{:<36}{:>6}", "clip, cm by method", "steps");
    (1..=Method::ALL.len()).for_each(|number| {
        let _ = write!(text, "{:>8}", format!("({number})"));
    });
    let _ = writeln!(text, "{:>8}{:>8}{:>8}", "jerk", "knees", "turn");
    for clip in compared(report) {
        let _ = write!(text, "  {:<34}{:>6}", clip.clip, clip.footprints.saturating_sub(2));
        for errors in Method::ALL.iter().filter_map(|method| clip.errors_cm.get(method.name())) {
            let _ = write!(text, "{:>8.2}", errors.all);
        }
        for row in &clip.smoothness {
            let _ = write!(text, "{:>8.2}", row.ratio.unwrap_or(f64::NAN));
        }
        text.push('\n');
    }
    for (number, method) in Method::ALL.iter().enumerate() {
        let _ = writeln!(text, "  ({}) {}", number + 1, method.name());
    }
    text.push_str("  jerk, knees, turn: walk over recording\n\n");
}

/// The first five numbers of STRIDE 7.4; the sixth is a mean here and the largest in the paper.
fn candidates(row: &CandidatesRow) -> [(&'static str, String); 5] {
    [
        ("steps inside the hull", row.steps.to_string()),
        ("candidates for each neighbour", format!("{:.2}", row.candidates_per_neighbour)),
        ("neighbours with any", format!("{} of {}", row.neighbours_with_candidates, row.neighbours)),
        ("  replaced of those, %", format!("{:.1}", row.replaced_of_those_percent)),
        ("  replaced of all, %", format!("{:.1}", row.replaced_of_all_percent)),
    ]
}
