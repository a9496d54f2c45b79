//! `surefoot steps analyze`: what a database can do and what it lacks (STRIDE 4.3).

use crate::output::{Force, ReportArg};
use crate::report::{Failure, Format};
use crate::run_job::{print_text_or_status, run_job};
use std::path::PathBuf;
use surefoot::jobs::{AnalyzeStepsReport, AnalyzeStepsRequest, SideStepsReport};

/// Arguments of `steps analyze`.
#[derive(clap::Args)]
pub(super) struct Args {
    /// Step database [default: that of the built-in corpus]
    #[arg(value_name = "FILE.steps")]
    input: Option<PathBuf>,
    /// Draw where steps end, and the tetrahedra that they span
    #[arg(long, alias = "plot", value_name = "FILE.svg")]
    picture: Option<PathBuf>,
    /// Write the database that was analysed, such as the built-in one, to thin it or to look at its steps
    #[arg(long, value_name = "FILE.steps")]
    write_steps: Option<PathBuf>,
    #[command(flatten)]
    force: Force,
    #[command(flatten)]
    report: ReportArg,
    /// Size of a foot, in centimetres: steps nearer than this are alike, feet nearer than this are side by side
    #[arg(long, value_name = "CM", default_value = "15", value_parser = super::parse_centimetres)]
    foot: f64,
    /// The longest step over the height of the hips
    #[arg(long, value_name = "RATIO", default_value = "1.0", value_parser = parse_ratio)]
    stride_ratio: f64,
    /// How many steps to record next are listed
    #[arg(long, value_name = "N", default_value = "12", value_parser = clap::value_parser!(u16).range(0..=100))]
    shots: u16,
}

fn parse_ratio(text: &str) -> Result<f64, String> {
    let wrong = || "a ratio from 0.3 to 2 would be right".to_string();
    text.parse().ok().filter(|ratio: &f64| (0.3..=2.0).contains(ratio)).ok_or_else(wrong)
}

/// Runs `steps analyze`.
pub(super) fn run(args: &Args, format: Format) -> Result<(), Failure> {
    let request = AnalyzeStepsRequest {
        input: args.input.clone(),
        foot: Some(args.foot),
        stride_ratio: Some(args.stride_ratio),
        shots: Some(usize::from(args.shots)),
        points: false,
        write_steps: args.write_steps.clone(),
        picture: args.picture.clone(),
        report: args.report.report.clone(),
        if_exists: args.force.if_exists(),
    };
    run_job(&request, format, |report| print_text_or_status(&request, &text(report)))
}

/// The analysis in sentences.
fn text(report: &AnalyzeStepsReport) -> String {
    let mut text = format!(
        "{}: {} steps of {} joints; hips {:.1} cm high, so steps of up to {:.1} cm should be there\n",
        report.name,
        report.steps,
        report.joints,
        report.trochanter_height * 100.0,
        report.longest_step * 100.0
    );
    let (left, right) = (&report.left, &report.right);
    // Mirror images make both feet alike; then they are reported once.
    if left.mirrored + right.mirrored == left.steps && left.steps == right.steps {
        text += &side_text("Each foot", "", left);
    } else {
        for (whose, side) in [("The left foot", left), ("The right foot", right)] {
            let mirrored =
                if side.mirrored > 0 { format!(", {} of them mirrored", side.mirrored) } else { String::new() };
            text += &side_text(whose, &mirrored, side);
        }
    }
    if report.shots.is_empty() {
        text += "\nNo step to record would help much.\n";
    } else {
        text += "\nTo record next, the most helpful first:\n";
        for (index, shot) in report.shots.iter().enumerate() {
            text += &format!("{:>4}. {}\n", index + 1, shot.sentence);
        }
    }
    text
}

fn side_text(whose: &str, mirrored: &str, side: &SideStepsReport) -> String {
    let mut text = format!(
        "\n{whose} has {} steps{mirrored}. {:.0} % of the steps within a person's reach can be blended.\n",
        side.steps,
        side.coverage * 100.0
    );
    if let Some([lowest, highest]) = side.rises_cm {
        text +=
            &format!("    {} steps go up and {} down, feet by {lowest:.0} to {highest:.0} cm.\n", side.up, side.down);
    }
    for finding in &side.findings {
        let mark = if finding.fine { "  " } else { "! " };
        text += &format!("  {mark}{}\n", finding.sentence);
    }
    text
}
