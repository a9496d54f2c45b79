//! `surefoot animate`: a foot plan becomes a walk.

use crate::character_args::{CharacterArgs, ScalePlanArg, print_character};
use crate::gait::parse_frame_rate;
use crate::motion_args::{MotionArgs, print_synthesis};
use crate::report::{Failure, Format, print_status};
use crate::run_job::{print_text_or_status, run_job};
use crate::terrain_arg::TerrainArg;
use std::fmt::Write;
use std::path::PathBuf;
use surefoot::jobs::{
    AnimateReport, AnimateRequest, AnimateWith, ChoiceReport, ChooseRequest, FootprintReport, SelectionName,
    SoftTargetsRequest,
};

/// Arguments of `animate`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Foot plan; `-` is standard input
    #[arg(value_name = "PLAN.plan.json")]
    plan: PathBuf,
    #[command(flatten)]
    motion: MotionArgs,
    /// Step database (`surefoot steps build`) [default: the built-in corpus]
    #[arg(long, value_name = "FILE.steps")]
    db: Option<PathBuf>,
    /// What footprints are recognised by (`surefoot compose build`) [default: the built-in corpus]
    #[arg(long, value_name = "FILE.behaviours")]
    behaviours: Option<PathBuf>,
    /// Who moves
    #[arg(long, value_enum, default_value = "compose")]
    with: WithArg,
    #[command(flatten)]
    character: CharacterArgs,
    #[command(flatten)]
    scale_plan: ScalePlanArg,
    /// Move footprints that nobody could step to where somebody can; those with `"fixed": true` stay
    #[arg(long)]
    repair: bool,
    /// Write the plan that was walked, with its flights as `"support": 0`
    #[arg(long, value_name = "FILE.plan.json", help_heading = "Output")]
    write_plan: Option<PathBuf>,
    #[command(flatten)]
    terrain: TerrainArg,
    /// Frames per second of the motion, 1 to 1000 [default: 60]
    #[arg(long, alias = "fps", value_name = "FPS", value_parser = parse_frame_rate, allow_negative_numbers = true)]
    frame_rate: Option<f64>,
    /// Draw a contact sheet: png or svg by its ending
    #[arg(long, alias = "render", value_name = "FILE")]
    picture: Option<PathBuf>,
    /// Whom to walk like: a person or a take of the database (of the built-in one: `surefoot corpus --list`), or a motion
    /// file [default: who suits the plan best]
    #[arg(long, value_name = "NAME|FILE")]
    style: Option<String>,
    /// Print for each footprint which steps were blended, and why these
    #[arg(long)]
    explain: bool,
    #[command(flatten)]
    targets: TargetArgs,
    #[command(flatten)]
    choice: ChoiceArgs,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum WithArg {
    /// Recorded steps where it is walked, gait where it is run, jumped and hopped
    Compose,
    /// Recorded steps alone: every footprint is walked to, and flights are refused
    Steps,
    /// Gait alone
    Gait,
}

#[derive(clap::Args)]
#[command(next_help_heading = "Soft targets")]
struct TargetArgs {
    /// Turn feet fully to the headings of the plan
    #[arg(long, conflicts_with = "heading_weight")]
    exact_heading: bool,
    /// How much the plan's headings count beside those of the blended steps, 0 to 1 [default: 0.8]
    #[arg(long, value_name = "SHARE", value_parser = parse_share)]
    heading_weight: Option<f64>,
    /// How much the plan's swing and support times count beside those of the blended steps, 0 to 1 [default: 1]
    #[arg(long, value_name = "SHARE", value_parser = parse_share)]
    time_weight: Option<f64>,
}

#[derive(clap::Args)]
#[command(next_help_heading = "Choice of steps (STRIDE 5.1, 5.2, 8.3)")]
struct ChoiceArgs {
    /// Which steps are blended
    #[arg(long, value_enum, default_value = "best")]
    selection: SelectionArg,
    /// The same as --selection neighbours
    #[arg(long, conflicts_with = "selection")]
    no_selection: bool,
    /// What a metre counts in the resemblance of steps [default: 1]
    #[arg(long, value_name = "N", value_parser = parse_weight)]
    location_weight: Option<f64>,
    /// What a radian of heading counts [default: 0.4]
    #[arg(long, value_name = "N", value_parser = parse_weight)]
    orientation_weight: Option<f64>,
    /// What a second of swing or support counts [default: 2]
    #[arg(long, value_name = "N", value_parser = parse_weight)]
    timing_weight: Option<f64>,
    /// What a metre of height between the feet counts [default: 5]
    #[arg(long, value_name = "N", value_parser = parse_weight)]
    height_weight: Option<f64>,
    /// How far below 0 weights may go for steps that the database does not span; beyond, the nearest step is IK-corrected
    /// [default: 0.1]
    #[arg(long, value_name = "SHARE", value_parser = parse_extrapolation)]
    max_extrapolation: Option<f64>,
    /// What a metre counts that the postures of successive steps differ by where they meet [default: 1]
    #[arg(long, value_name = "N", value_parser = parse_weight)]
    posture_weight: Option<f64>,
    /// Trunk and arms of the recorded step that suits best, instead of the blend
    #[arg(long)]
    splice_upper: bool,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum SelectionArg {
    /// The four that span a step and together resemble it most
    Best,
    /// The best of the four regions beyond its neighbours, as in the paper
    Regions,
    /// The neighbours that span it as they are
    Neighbours,
}

/// Runs `animate`.
pub(crate) fn run(args: &Args, format: Format) -> Result<(), Failure> {
    let request = AnimateRequest {
        plan: args.plan.clone(),
        output: args.motion.output()?,
        db: args.db.clone(),
        behaviours: args.behaviours.clone(),
        with: match args.with {
            WithArg::Compose => AnimateWith::Compose,
            WithArg::Steps => AnimateWith::Steps,
            WithArg::Gait => AnimateWith::Gait,
        },
        on: args.character.request(),
        scale_plan: args.scale_plan.request(),
        repair: args.repair,
        write_plan: args.write_plan.clone(),
        terrain: args.terrain.request(),
        frame_rate: args.frame_rate,
        targets: SoftTargetsRequest {
            heading_weight: if args.targets.exact_heading { Some(1.0) } else { args.targets.heading_weight },
            time_weight: args.targets.time_weight,
        },
        choose: args.choice.request(),
        style: args.style.clone(),
        explain: args.explain,
        write_contacts: args.motion.write_contacts.clone(),
        picture: args.picture.clone(),
        report: args.motion.report.report.clone(),
        if_exists: args.motion.force.if_exists(),
    };
    run_job(&request, format, |report| {
        print_report(report);
        if !args.explain {
            return Ok(());
        }
        print_text_or_status(&request, &explain(report, report.choices.as_deref().unwrap_or_default()))
    })
}

impl ChoiceArgs {
    fn request(&self) -> ChooseRequest {
        ChooseRequest {
            selection: match self.selection {
                _ if self.no_selection => SelectionName::Neighbours,
                SelectionArg::Best => SelectionName::Best,
                SelectionArg::Regions => SelectionName::Regions,
                SelectionArg::Neighbours => SelectionName::Neighbours,
            },
            location_weight: self.location_weight,
            orientation_weight: self.orientation_weight,
            timing_weight: self.timing_weight,
            height_weight: self.height_weight,
            max_extrapolation: self.max_extrapolation,
            posture_weight: self.posture_weight,
            splice_upper: self.splice_upper,
        }
    }
}

/// A few lines for people, the verdict first.
fn print_report(report: &AnimateReport) {
    print_synthesis(&report.synthesis, &report.motion);
    print_status(&format!(
        "  {}: {} footprints, walked in {:.2} s with {} steps of {}",
        report.plan,
        report.synthesis.footprints,
        report.synthesis.seconds,
        report.database_steps,
        report.db.as_deref().unwrap_or("the built-in corpus")
    ));
    for change in &report.changes {
        print_status(&format!("  repaired: {}", change.what));
    }
    for change in &report.no_room {
        print_status(&format!("  no room: {change}"));
    }
    print_character(report.on.as_ref());
    if let Some(style) = &report.style {
        let how = if style.requested { "as requested" } else { "who suits the plan best" };
        print_status(&format!("  like {}, {how}: {:.0} % of the blended steps", style.name, 100.0 * style.share));
    }
}

/// What leads to every footprint, and which steps were chosen for it.
fn explain(report: &AnimateReport, choices: &[ChoiceReport]) -> String {
    let mut text = String::new();
    let n_standing = if choices.is_empty() { report.synthesis.each.len() } else { 2 };
    for row in report.synthesis.each.iter().take(n_standing) {
        explain_row(&mut text, row);
    }
    for choice in choices {
        if let Some(row) = report.synthesis.each.get(choice.footprint) {
            explain_row(&mut text, row);
        }
        explain_choice(&mut text, choice);
    }
    text
}

fn explain_row(text: &mut String, row: &FootprintReport) {
    let behaviour = row.behaviour.as_deref().unwrap_or("stand");
    // Writing to a string cannot fail.
    let _ = write!(text, "footprints[{}] {}: {behaviour}", row.footprint, row.foot);
    if let (Some(from), Some(to)) = (&row.take_off, &row.landing) {
        let _ = write!(text, " from {from} to {to}");
    }
    let _ = match &row.reason {
        Some(reason) => writeln!(text, ", {}: {reason}", row.origin),
        None => writeln!(text, ", {}", row.origin),
    };
}

fn explain_choice(text: &mut String, choice: &ChoiceReport) {
    let ChoiceReport { land_seconds: land, outside_cm: outside, .. } = choice;
    let how = match choice.origin.as_str() {
        "blended" => "blended of steps that span it".to_string(),
        "height-extrapolated" => {
            format!("blended of steps that span it, {:.1} cm above or below any of them", choice.height_outside_cm)
        }
        "extrapolated" => format!("extrapolated, {outside:.1} cm outside the database"),
        _ => format!("the nearest step, IK-corrected {outside:.1} cm outside the database"),
    };
    let _ = writeln!(text, "  {how}; lands at {land:.2} s");
    for neighbour in &choice.neighbours {
        let (name, weight, distance) = (&neighbour.name, neighbour.weight, neighbour.distance);
        let _ = write!(text, "  neighbour {name}, weight {weight:.3}, D_high {distance:.3}");
        let _ = match &neighbour.replaced_by {
            Some((other, distance)) => writeln!(text, "; replaced by {other}, D_high {distance:.3}"),
            None if neighbour.kept => writeln!(text, "; kept"),
            None => writeln!(text, "; left out"),
        };
    }
    for part in &choice.blended {
        let _ = writeln!(text, "  blended   {}, weight {:.3}", part.name, part.weight);
    }
}

fn parse_share(text: &str) -> Result<f64, String> {
    within(text, 1.0, "a share from 0 to 1 would be right")
}

fn parse_weight(text: &str) -> Result<f64, String> {
    within(text, 1e6, "a number from 0 to 1000000 would be right")
}

fn parse_extrapolation(text: &str) -> Result<f64, String> {
    within(text, 10.0, "a number from 0 to 10 would be right")
}

fn within(text: &str, most: f64, wrong: &str) -> Result<f64, String> {
    text.parse().ok().filter(|value: &f64| (0.0..=most).contains(value)).ok_or_else(|| wrong.to_string())
}
