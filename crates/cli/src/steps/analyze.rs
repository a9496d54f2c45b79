//! `surefoot steps analyze`: what a database can do and what it lacks (STRIDE 4.3).

use super::database_of;
use super::tell::{finding_json, finding_sentence, shot_json, shot_sentence};
use crate::output::{Force, check_svg, is_stdout};
use crate::report::{Failure, Format, print_result, print_text, say};
use serde_json::{Value, json};
use std::path::PathBuf;
use surefoot::motion::Side;
use surefoot::plot_steps;
use surefoot::steps::{AnalyzeOptions, StepAnalysis, StepDatabase, analyze_steps};

/// Arguments of `steps analyze`.
#[derive(clap::Args)]
pub(super) struct Args {
    /// Step database [default: that of the built-in corpus]
    #[arg(value_name = "FILE.steps")]
    input: Option<PathBuf>,
    /// Draw where steps end, and the tetrahedra that they span
    #[arg(long, value_name = "FILE.svg")]
    plot: Option<PathBuf>,
    #[command(flatten)]
    force: Force,
    /// Size of a foot, in centimetres: steps nearer than this are alike, feet nearer than this are side by side
    #[arg(long, value_name = "CM", default_value = "15", value_parser = super::parse_centimetres)]
    foot: f64,
    /// The longest step over the height of the hips
    #[arg(long, value_name = "RATIO", default_value = "1.0", value_parser = parse_ratio)]
    stride_ratio: f64,
    /// How many steps to record next are told
    #[arg(long, value_name = "N", default_value = "12", value_parser = clap::value_parser!(u16).range(0..=100))]
    shots: u16,
}

fn parse_ratio(text: &str) -> Result<f64, String> {
    let wrong = || "a ratio from 0.3 to 2 would be right".to_string();
    text.parse().ok().filter(|ratio: &f64| (0.3..=2.0).contains(ratio)).ok_or_else(wrong)
}

/// Runs `steps analyze`.
pub(super) fn run(args: &Args, format: Format) -> Result<(), Failure> {
    if let Some(plot) = &args.plot {
        check_svg(plot)?;
        args.force.check(plot, format)?;
    }
    let database = database_of(args.input.as_deref())?;
    let options = AnalyzeOptions {
        foot: args.foot,
        stride_ratio: args.stride_ratio,
        n_shots: usize::from(args.shots),
        ..AnalyzeOptions::default()
    };
    let analysis = analyze_steps(&database, &options);
    let name = args.input.as_ref().map_or("the built-in corpus".to_string(), |path| {
        path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
    });
    if let Some(plot) = &args.plot {
        let title = format!("Steps of {name}");
        args.force.write(plot, plot_steps(&title, &database, &analysis, &options).as_bytes())?;
    }
    match format {
        Format::Json => print_result("steps analyze", &to_json(args, &database, &analysis)),
        Format::Human => {
            let text = text(&name, &database, &analysis);
            let plot_on_stdout = args.plot.as_deref().is_some_and(is_stdout);
            if plot_on_stdout {
                say(text.trim_end())
            } else {
                print_text(&text)?
            }
            if let Some(plot) = args.plot.as_ref().filter(|_| !plot_on_stdout) {
                say(&format!("wrote {}", plot.display()));
            }
            Ok(())
        }
    }
}

/// The analysis in sentences.
fn text(name: &str, database: &StepDatabase, analysis: &StepAnalysis) -> String {
    let mut text = format!(
        "{name}: {} steps of {} joints; hips {:.1} cm high, so steps of up to {:.1} cm should be there\n",
        database.steps().len(),
        database.parts().skeleton.n_joints(),
        analysis.trochanter_height * 100.0,
        analysis.longest_step * 100.0
    );
    let sides = &analysis.sides;
    // Mirror images make both feet alike; then they are told once.
    let alike = sides.left.n_mirrored + sides.right.n_mirrored == sides.left.n_steps
        && sides.left.n_steps == sides.right.n_steps;
    let told: &[Side] = if alike { &[Side::Left] } else { &Side::BOTH };
    for &side in told {
        let of = &sides[side];
        let whose = if alike { "Each foot".to_string() } else { format!("The {} foot", side.name()) };
        let n_mirrored =
            if of.n_mirrored > 0 && !alike { format!(", {} of them mirrored", of.n_mirrored) } else { String::new() };
        text += &format!(
            "\n{whose} has {} steps{n_mirrored}. {:.0} % of the steps within a person's reach can be blended.\n",
            of.n_steps,
            of.coverage * 100.0
        );
        for finding in &of.findings {
            let mark = if finding.is_fine() { "  " } else { "! " };
            text += &format!("  {mark}{}\n", finding_sentence(finding));
        }
    }
    if analysis.shots.is_empty() {
        text += "\nNo step to record would help much.\n";
    } else {
        text += "\nTo record next, the most helpful first:\n";
        for (index, shot) in analysis.shots.iter().enumerate() {
            text += &format!("{:>4}. {}\n", index + 1, shot_sentence(shot, analysis.longest_step));
        }
    }
    text
}

fn to_json(args: &Args, database: &StepDatabase, analysis: &StepAnalysis) -> Value {
    let side = |side: Side| {
        let of = &analysis.sides[side];
        json!({
            "steps": of.n_steps,
            "mirrored": of.n_mirrored,
            "coverage": of.coverage,
            "hull_volume": of.hull_volume,
            "tetrahedra": database.space(side).delaunay().tetrahedra().len(),
            "findings": of.findings.iter().map(finding_json).collect::<Vec<_>>(),
        })
    };
    let longest = analysis.longest_step;
    json!({
        "input": args.input.as_ref().map(|path| path.display().to_string()),
        "plot": args.plot.as_ref().map(|path| path.display().to_string()),
        "steps": database.steps().len(),
        "trochanter_height": analysis.trochanter_height,
        "longest_step": longest,
        "left": side(Side::Left),
        "right": side(Side::Right),
        "shots": analysis.shots.iter().map(|shot| shot_json(shot, longest)).collect::<Vec<_>>(),
    })
}
