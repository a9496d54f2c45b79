//! `surefoot contacts`: when and where heels and balls are planted.

use crate::folder::{folder_without_output, run_folder};
use crate::import_args::ImportArgs;
use crate::output::{Force, ReportArg};
use crate::report::{Failure, Format, print_input, print_status, print_text};
use crate::run_job::run_job;
use std::fmt::Write;
use std::path::PathBuf;
use surefoot::contact::DetectOptions;
use surefoot::jobs::{ContactsJobReport, ContactsRequest};

/// Arguments of `contacts`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Motion file: bvh, amc, glb, gltf or fbx; or a folder, with --output another folder
    input: PathBuf,
    /// Contacts file, to be read, edited and given back as --contacts; `-` is standard output [default: a table of all plants]
    #[arg(long, short, value_name = "FILE.contacts.json")]
    output: Option<PathBuf>,
    /// Timeline of all plants with heights, speeds and their limits, as a picture
    #[arg(long, alias = "plot", value_name = "FILE.svg")]
    picture: Option<PathBuf>,
    #[command(flatten)]
    force: Force,
    #[command(flatten)]
    report: ReportArg,
    #[command(flatten)]
    detect: DetectArgs,
    #[command(flatten)]
    import: ImportArgs,
}

/// What the user knows better about how feet are planted.
#[derive(clap::Args, Clone, Copy, Debug)]
#[command(next_help_heading = "Detection (metres, seconds, metres a second)")]
pub(crate) struct DetectArgs {
    /// A part becomes planted only this near above the lowest place it passes nearby in time [default: 0.02]
    #[arg(long, value_name = "M", value_parser = parse_size)]
    rest_height: Option<f64>,
    /// A planted part remains planted up to this height [default: 0.05]
    #[arg(long, alias = "stay-height", value_name = "M", value_parser = parse_size)]
    planted_height: Option<f64>,
    /// How far in time the lowest place is looked for [default: 0.2]
    #[arg(long, value_name = "S", value_parser = parse_size)]
    floor_reach: Option<f64>,
    /// A planted part remains planted up to this share of its fastest speed nearby in time [default: 0.12]
    #[arg(long, alias = "stay-share", value_name = "SHARE", value_parser = parse_size)]
    planted_share: Option<f64>,
    /// ...but at least up to this speed [default: 0.15]
    #[arg(long, alias = "least-stay-speed", value_name = "M/S", value_parser = parse_size)]
    least_planted_speed: Option<f64>,
    /// ...and at most up to this one [default: 0.8]
    #[arg(long, alias = "most-stay-speed", value_name = "M/S", value_parser = parse_size)]
    most_planted_speed: Option<f64>,
    /// A part becomes planted only below this share of the speed up to which it remains planted [default: 0.7]
    #[arg(long, value_name = "SHARE", value_parser = parse_size)]
    rest_share: Option<f64>,
    /// How far in time the fastest speed is looked for [default: 0.5]
    #[arg(long, value_name = "S", value_parser = parse_size)]
    swing_reach: Option<f64>,
    /// How fast a part may be at the edges of a plant, between its slide and its swing: lower ends plants where the part rests
    /// completely, higher where it touches [default: 0.5]
    #[arg(long, value_name = "FACTOR", value_parser = parse_size)]
    edge_factor: Option<f64>,
    /// How far above its place a part may be at the edges of a plant [default: 0.01]
    #[arg(long, value_name = "M", value_parser = parse_size)]
    edge_height: Option<f64>,
    /// Two plants are one if the part remains this near in between [default: 0.02]
    #[arg(long, value_name = "M", value_parser = parse_size)]
    same_place: Option<f64>,
    /// ...and if the time between is no longer than this [default: 0.2]
    #[arg(long, value_name = "S", value_parser = parse_size)]
    longest_gap: Option<f64>,
    /// Two plants are one, too, if the part remains within 10 cm and the time between is shorter than this [default: 0.05]
    #[arg(long, value_name = "S", value_parser = parse_size)]
    shortest_swing: Option<f64>,
    /// Shortest plant [default: 0.06]
    #[arg(long, alias = "shortest-stay", value_name = "S", value_parser = parse_size)]
    shortest_plant: Option<f64>,
    /// A foot this much above the other, which is planted all the while, is held in the air [default: 0.08]
    #[arg(long, value_name = "M", value_parser = parse_size)]
    held_height: Option<f64>,
    /// A heel is up while its foot is planted on the ball and pitched by more than this slope [default: 0.35]
    #[arg(long, value_name = "SLOPE", value_parser = parse_size)]
    max_pitch: Option<f64>,
}

impl DetectArgs {
    /// The options of the library: its defaults but for what was given.
    pub(crate) fn options(&self) -> DetectOptions {
        let usual = DetectOptions::default();
        DetectOptions {
            rest_height: self.rest_height.unwrap_or(usual.rest_height),
            planted_height: self.planted_height.unwrap_or(usual.planted_height),
            floor_reach: self.floor_reach.unwrap_or(usual.floor_reach),
            planted_share: self.planted_share.unwrap_or(usual.planted_share),
            least_planted_speed: self.least_planted_speed.unwrap_or(usual.least_planted_speed),
            most_planted_speed: self.most_planted_speed.unwrap_or(usual.most_planted_speed),
            rest_share: self.rest_share.unwrap_or(usual.rest_share),
            swing_reach: self.swing_reach.unwrap_or(usual.swing_reach),
            edge_factor: self.edge_factor.unwrap_or(usual.edge_factor),
            edge_height: self.edge_height.unwrap_or(usual.edge_height),
            same_place: self.same_place.unwrap_or(usual.same_place),
            longest_gap: self.longest_gap.unwrap_or(usual.longest_gap),
            shortest_swing: self.shortest_swing.unwrap_or(usual.shortest_swing),
            shortest_plant: self.shortest_plant.unwrap_or(usual.shortest_plant),
            held_height: self.held_height.unwrap_or(usual.held_height),
            max_pitch: self.max_pitch.unwrap_or(usual.max_pitch),
        }
    }
}

/// Runs `contacts`.
pub(crate) fn run(args: &Args, format: Format) -> Result<(), Failure> {
    let request = ContactsRequest {
        input: args.import.input(&args.input, None)?,
        detect: args.detect.options().into(),
        traces: false,
        output: args.output.clone(),
        picture: args.picture.clone(),
        report: args.report.report.clone(),
        if_exists: args.force.if_exists(),
    };
    if args.input.is_dir() {
        let output = args.output.as_deref().ok_or_else(|| folder_without_output(&args.input))?;
        let options = (args.report.report.clone(), args.force.if_exists());
        return run_folder(request, (&args.input, output), options, format);
    }
    run_job(&request, format, |report| {
        print_input(&report.input);
        if report.files.is_empty() {
            return print_text(&format!("{}{}\n", table(report), sentence(report)));
        }
        print_status(&sentence(report));
        Ok(())
    })
}

fn table(report: &ContactsJobReport) -> String {
    let mut out = String::from("foot   part   frames          seconds           x        y        z   drift mm\n");
    for plant in &report.plants {
        let frames = format!("{}..{}", plant.frames[0], plant.frames[1]);
        let seconds = format!("{:.2}..{:.2}", plant.seconds[0], plant.seconds[1]);
        let [x, y, z] = plant.position;
        // Writing to a string cannot fail.
        let _ = writeln!(
            out,
            "{:<6} {:<6} {frames:<15} {seconds:<13} {x:8.3} {y:8.3} {z:8.3} {:10.1}",
            plant.foot, plant.part, plant.drift_mm
        );
    }
    out
}

/// What the contacts amount to.
fn sentence(report: &ContactsJobReport) -> String {
    let percent = |share: f64| format!("{:.0} %", 100.0 * share);
    let (left, right) = (report.steps.left, report.steps.right);
    format!(
        "{} steps (left {left}, right {right}); left foot in contact {}, right {}, both {}, none {}",
        left + right,
        percent(report.contact_share.left),
        percent(report.contact_share.right),
        percent(report.double_support_share),
        percent(report.flight_share)
    )
}

/// A size of any kind: not negative, and finite.
fn parse_size(text: &str) -> Result<f64, String> {
    let wrong = || "a number from 0 to 1000, such as 0.05, would be right".to_string();
    text.parse().ok().filter(|size: &f64| (0.0..=1000.0).contains(size)).ok_or_else(wrong)
}
