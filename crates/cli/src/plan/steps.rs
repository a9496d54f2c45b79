//! `surefoot plan steps`: footprints along a path.

use crate::gait::{parse_length, parse_speed};
use crate::graph::counted;
use crate::output::{Force, ReportArg};
use crate::report::{Failure, Format, print_status};
use crate::run_job::run_job;
use crate::scene_args::PictureArg;
use crate::terrain_arg::{TerrainArg, print_off_terrain};
use std::path::PathBuf;
use surefoot::jobs::{PlanStepsReport, PlanStepsRequest};

/// Arguments of `plan steps`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Path over the ground; `-` is standard input
    #[arg(value_name = "PATH.path.json")]
    path: PathBuf,
    /// The foot plan; `-` is standard output
    #[arg(long, short, value_name = "FILE.plan.json", help_heading = "Output")]
    output: PathBuf,
    #[command(flatten)]
    force: Force,
    #[command(flatten)]
    report: ReportArg,
    #[command(flatten)]
    picture: PictureArg,
    /// Speed: 5km/h, 1.4m/s; faster than 7.9 km/h is run [default: 5 km/h at 1.8 m, alike at other heights]
    #[arg(long, value_parser = parse_speed, allow_negative_numbers = true)]
    speed: Option<f64>,
    /// Height of the person, 0.5 to 2.5 m
    #[arg(long, value_name = "LENGTH", default_value = "1.8", value_parser = parse_length, allow_negative_numbers = true)]
    height: f64,
    /// No footprint lies on an obstacle of this scene or outside its bounds; its start and goal give where the person faces
    #[arg(long, value_name = "FILE.scene.json")]
    scene: Option<PathBuf>,
    #[command(flatten)]
    terrain: TerrainArg,
}

/// Runs `plan steps`.
pub(super) fn run(args: &Args, format: Format) -> Result<(), Failure> {
    let request = PlanStepsRequest {
        path: args.path.clone(),
        output: args.output.clone(),
        speed: args.speed,
        height: Some(args.height),
        scene: args.scene.clone(),
        terrain: args.terrain.request(),
        picture: args.picture.picture.clone(),
        report: args.report.report.clone(),
        if_exists: args.force.if_exists(),
    };
    run_job(&request, format, |report| {
        print_report(report);
        Ok(())
    })
}

fn print_report(report: &PlanStepsReport) {
    let lengths = report.shortest_step_m.map_or_else(String::new, |shortest| {
        format!("; steps of {:.2} m, {shortest:.2} m in the tightest bend", report.full_step_m)
    });
    print_status(&format!("{}: {:.2} m, {} footprints{lengths}", report.path, report.path_length_m, report.footprints));
    if !report.moved.is_empty() {
        let farthest = report.moved.iter().fold(0.0, |most: f64, moved| most.max(moved.by_m));
        let what = counted(report.moved.len(), "footprint");
        let why = "so that no foot is planted on the other or on an obstacle";
        print_status(&format!("  {what} moved by {:.0} cm at most, {why}", 100.0 * farthest));
    }
    print_off_terrain(report.off_terrain.as_deref());
}
