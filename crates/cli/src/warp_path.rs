//! `surefoot warp-path`: the same steps along another path, with feet kept on the ground.

use crate::edited_motion::{EditArgs, print_cleanup, print_motion};
use crate::import_args::ImportArgs;
use crate::report::{Failure, Format, print_contacts, print_input, print_status};
use crate::run_job::run_job;
use std::path::PathBuf;
use surefoot::cleanup::WarpPathOptions;
use surefoot::jobs::{FitRequest, WarpPathReport, WarpPathRequest};

/// Arguments of `warp-path`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Motion file: bvh, amc, glb, gltf or fbx
    input: PathBuf,
    /// Path to follow from its first point on
    #[arg(long, value_name = "FILE.path.json")]
    path: PathBuf,
    #[command(flatten)]
    edit: EditArgs,
    /// Leave the result as it is warped, without footskate cleanup
    #[arg(long, conflicts_with_all = ["terrain", "rigid"])]
    no_clean: bool,
    /// What to do where the path is not as long as the clip's root trajectory
    #[arg(long, value_enum, default_value = "stop")]
    fit: Fit,
    /// How far before and after a corner of the path its rounding reaches, in metres; 0 keeps corners
    #[arg(long, value_name = "METRES", default_value_t = WarpPathOptions::default().corner_reach)]
    corner_reach: f64,
    /// Over how long the clip's root trajectory is smoothed, in seconds: sway that is shorter stays with the motion
    #[arg(long, value_name = "SECONDS", default_value_t = WarpPathOptions::default().smoothing)]
    smoothing: f64,
    #[command(flatten)]
    import: ImportArgs,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum Fit {
    /// Steps keep their length; the motion is cut where a shorter path ends
    Stop,
    /// The path is scaled about its first point to the length of the trajectory
    ScalePath,
    /// Steps become longer or shorter, so that motion and path end together
    Stretch,
}

/// Runs `warp-path`.
pub(crate) fn run(args: &Args, format: Format) -> Result<(), Failure> {
    args.edit.check_to()?;
    let request = WarpPathRequest {
        input: args.import.input(&args.input, args.edit.contacts())?,
        path: args.path.clone(),
        output: args.edit.output()?,
        fit: match args.fit {
            Fit::Stop => FitRequest::Stop,
            Fit::ScalePath => FitRequest::ScalePath,
            Fit::Stretch => FitRequest::Stretch,
        },
        corner_reach: Some(args.corner_reach),
        smoothing: Some(args.smoothing),
        cleanup: (!args.no_clean).then(|| args.edit.cleanup()),
        write_contacts: args.edit.write_contacts(),
        report: args.edit.report(),
        if_exists: args.edit.if_exists(),
    };
    run_job(&request, format, |report| {
        print_report(report, args.no_clean);
        Ok(())
    })
}

fn print_report(report: &WarpPathReport, no_clean: bool) {
    print_input(&report.input);
    print_contacts(&report.contacts);
    report.notes.iter().for_each(|note| print_status(&format!("  {note}")));
    if !no_clean {
        print_cleanup(&report.written);
    }
    print_motion(&report.written.motion);
}
