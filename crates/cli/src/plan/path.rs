//! `surefoot plan path`: a path through a scene.

use crate::graph::counted;
use crate::output::{Force, ReportArg};
use crate::report::{Failure, Format, print_status};
use crate::run_job::run_job;
use crate::scene_args::{PictureArg, PlaceArgs, parse_clearance};
use std::path::PathBuf;
use surefoot::jobs::PlanPathRequest;

/// Arguments of `plan path`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Scene with obstacles; `-` is standard input
    #[arg(value_name = "SCENE.scene.json")]
    scene: PathBuf,
    /// The path; `-` is standard output
    #[arg(long, short, value_name = "FILE.path.json", help_heading = "Output")]
    output: PathBuf,
    #[command(flatten)]
    force: Force,
    #[command(flatten)]
    report: ReportArg,
    #[command(flatten)]
    picture: PictureArg,
    /// How far from every outline the path keeps, in metres
    #[arg(long, value_name = "METRES", default_value = "0.3", value_parser = parse_clearance, allow_negative_numbers = true, help_heading = "Path")]
    clearance: f64,
    #[command(flatten)]
    places: PlaceArgs,
}

/// Runs `plan path`.
pub(super) fn run(args: &Args, format: Format) -> Result<(), Failure> {
    let request = PlanPathRequest {
        scene: args.scene.clone(),
        output: args.output.clone(),
        clearance: Some(args.clearance),
        places: args.places.request(),
        corridor: false,
        picture: args.picture.picture.clone(),
        report: args.report.report.clone(),
        if_exists: args.force.if_exists(),
    };
    run_job(&request, format, |report| {
        print_status(&format!(
            "{}: a path of {:.2} m with {} points among {}, {:.3} m from everything at least ({} m requested)",
            report.scene,
            report.length_m,
            report.points,
            counted(report.obstacles, "obstacle"),
            report.least_clearance_m,
            report.clearance_m
        ));
        print_status(&format!("  corridor of {} discs, {:.2} m long", report.discs, report.corridor_length_m));
        Ok(())
    })
}
