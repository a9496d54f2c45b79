//! `surefoot signal apply`: a recipe, on one clip or on many.

use super::edit_clip::{EditedArgs, edit_clip};
use crate::output::is_stdout;
use crate::report::{Failure, Format, print_status};
use crate::run_job::run_job;
use std::path::PathBuf;
use surefoot::jobs::{BatchClip, SignalBatchReport, SignalBatchRequest, SignalReport, find_motion_files};

/// Arguments of `signal apply`.
#[derive(clap::Args)]
pub(super) struct Args {
    /// The edits, one after another
    recipe: PathBuf,
    /// Motion files, folders or glob patterns; with several, --output is a folder, and --to the format of its files
    /// [default: as they were, and glb where that cannot be written]. `-` is what another command passes on
    #[arg(required = true, value_name = "CLIP|FOLDER|GLOB")]
    inputs: Vec<PathBuf>,
    #[command(flatten)]
    edited: EditedArgs,
}

pub(super) const EXAMPLES: &str = "\
A recipe is a TOML file; its fields are the options of the tools:
  recipe = 1

  [[edit]]
  tool = \"equalize\"
  gain = { 2 = 1.8, 3 = 1.8 }
  joints = [\"arms\", \"head\"]

  [[edit]]
  tool = \"keep-plants\"

Examples:
  surefoot signal apply big.toml walk.bvh -o big.glb
  surefoot signal apply big.toml clips/*.bvh -o edited/";

/// Runs `signal apply`.
pub(super) fn run(args: &Args, format: Format) -> Result<(), Failure> {
    args.edited.edit.check_to()?;
    let files = find_motion_files(&args.inputs)?;
    if files.is_empty() {
        let inputs: Vec<String> = args.inputs.iter().map(|clip| clip.display().to_string()).collect();
        return Err(Failure::new("usage", format!("there is no motion file in {}", inputs.join(", "))));
    }
    if is_stdout(&args.recipe) && files.iter().any(|file| is_stdout(file)) {
        return Err(Failure::new("usage", "standard input cannot be both the recipe and a clip; name a file"));
    }
    let output = args.edited.edit.output_path();
    let is_folder = output.is_dir() || output.to_string_lossy().ends_with(['/', std::path::MAIN_SEPARATOR]);
    let edits = args.edited.edits(Some(&args.recipe), None, false);
    if let ([file], false) = (&files[..], is_folder) {
        return edit_clip(file, edits, &args.edited, format);
    }
    check_many(args)?;
    let request = SignalBatchRequest {
        inputs: args.inputs.clone(),
        read: args.edited.import.request(),
        edits,
        output: output.to_path_buf(),
        format: args.edited.edit.format(),
        report: args.edited.edit.report(),
        if_exists: args.edited.edit.if_exists(),
    };
    run_job(&request, format, |report| {
        print_report(report);
        let n_written = report.clips.len() - report.failed;
        print_status(&format!("wrote {n_written} of {} clips to {}", report.clips.len(), output.display()));
        Ok(())
    })
}

/// Refuses options that mean one clip only.
fn check_many(args: &Args) -> Result<(), Failure> {
    let EditedArgs { edit, picture, write_recipe, .. } = &args.edited;
    let of_one = [
        ("--contacts", edit.contacts().is_some()),
        ("--write-contacts", edit.write_contacts().is_some()),
        ("--picture", picture.is_some()),
        ("--write-recipe", write_recipe.is_some()),
    ];
    if let Some((option, _)) = of_one.into_iter().find(|(_, is_given)| *is_given) {
        return Err(Failure::new("usage", format!("{option} is for one clip; several are edited here")));
    }
    args.edited.check(false)
}

/// One line for each clip.
fn print_report(report: &SignalBatchReport) {
    for clip in &report.clips {
        match clip {
            BatchClip::Edited(clip) => print_status(&line(clip)),
            BatchClip::Refused { input, error } => print_status(&format!("{input}: not edited: {error}")),
        }
    }
}

fn line(clip: &SignalReport) -> String {
    let motion = &clip.written.motion;
    let feet = clip.slide.map_or(String::new(), |slide| {
        format!("; planted feet slide by up to {:.1} mm, {:.1} mm before", slide.after_mm, slide.before_mm)
    });
    format!("{}: {} frames{feet}", clip.input.file, motion.frames)
}
