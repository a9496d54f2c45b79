//! `surefoot signal apply`: a recipe, on one clip or on many.

use super::edit_clip::{EditedArgs, Edits, edit_one, run_edits};
use crate::info_table::gather;
use crate::output::{check_distinct, is_stdout, progress};
use crate::report::{Failure, Format, print_result, say};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use surefoot::OutputFormat;
use surefoot::formats::own::{self, EditWords};
use surefoot::formats::read_bytes;

/// Arguments of `signal apply`.
#[derive(clap::Args)]
pub(super) struct Args {
    /// The edits, one after another
    recipe: PathBuf,
    /// Motion files, folders or glob patterns; with several, --output is a folder. `-` is what another command passes
    /// on
    #[arg(required = true, value_name = "CLIP|FOLDER|GLOB")]
    inputs: Vec<PathBuf>,
    /// What clips of a folder are written as [default: as they were, and glb where that cannot be written]
    #[arg(long, value_parser = ["bvh", "glb", "gltf", "take"])]
    to: Option<String>,
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
    let mut files = Vec::new();
    for input in &args.inputs {
        gather(input, &mut files)?;
    }
    if files.is_empty() {
        let inputs: Vec<String> = args.inputs.iter().map(|clip| clip.display().to_string()).collect();
        return Err(Failure::new("usage", format!("there is no motion file in {}", inputs.join(", "))));
    }
    if is_stdout(&args.recipe) && files.iter().any(|file| is_stdout(file)) {
        return Err(Failure::new("usage", "standard input cannot be both the recipe and a clip; name a file"));
    }
    let output = args.edited.edit.output();
    let is_folder = output.is_dir() || output.to_string_lossy().ends_with(['/', std::path::MAIN_SEPARATOR]);
    if let ([file], false) = (&files[..], is_folder) {
        if args.to.is_some() {
            return Err(Failure::new(
                "usage",
                "--to is for clips of a folder; the ending of --output tells it for one",
            ));
        }
        args.edited.edit.check(format)?;
        args.edited.check(format)?;
        return run_edits("signal apply", file, &read_edits(args)?, &args.edited, format);
    }
    many(args, &files, format)
}

/// The edits of the recipe, and what --keep-plants adds.
fn read_edits(args: &Args) -> Result<Edits, Failure> {
    let bytes = read_bytes(&args.recipe)?;
    let words = own::read_recipe(&bytes).map_err(|error| error.in_file(&args.recipe))?;
    let folder = args.recipe.parent().unwrap_or(Path::new(""));
    let from_recipe = words.into_iter().map(|words| words.from_folder(folder));
    let words: Vec<EditWords> = from_recipe.chain(args.edited.keeping()).collect();
    Edits::read(words, Some(args.recipe.clone()))
}

/// Every clip into a folder. One that cannot be edited is told, and the others are made all the same.
fn many(args: &Args, files: &[PathBuf], format: Format) -> Result<(), Failure> {
    let folder = args.edited.edit.output();
    check_many(args, folder)?;
    let outputs: Vec<PathBuf> = files.iter().map(|file| output_of(file, folder, args.to.as_deref())).collect();
    check_distinct(outputs.iter().map(PathBuf::as_path))?;
    let edits = read_edits(args)?;
    std::fs::create_dir_all(folder).map_err(|error| Failure::of_file("output", folder, error.to_string()))?;
    let mut shelf = args.edited.shelf();
    let bar = progress(files.len() as u64);
    let mut clips: Vec<Value> = Vec::new();
    let mut n_failed = 0;
    for (file, output) in files.iter().zip(&outputs) {
        bar.set_message(file.file_name().unwrap_or_default().to_string_lossy().into_owned());
        let force = args.edited.edit.force();
        let made =
            force.check(output, Format::Human).and_then(|()| edit_one(file, output, &edits, &args.edited, &mut shelf));
        match made {
            Ok(made) => {
                tell(&bar, format, &told(&made));
                clips.push(made);
            }
            Err(failure) => {
                n_failed += 1;
                tell(&bar, format, &format!("{}: not edited: {failure}", file.display()));
                clips.push(json!({ "input": file.display().to_string(), "error": failure.to_json() }));
            }
        }
        bar.inc(1);
    }
    bar.finish_and_clear();
    if format == Format::Json {
        let result = json!({ "recipe": args.recipe.display().to_string(), "clips": clips, "failed": n_failed });
        print_result("signal apply", &result)?;
    } else {
        say(&format!("wrote {} of {} clips to {}", files.len() - n_failed, files.len(), folder.display()));
    }
    if n_failed > 0 {
        return Err(Failure::reported(surefoot::jobs::JobError::new(
            "clips",
            format!("{n_failed} of {} clips were not edited", files.len()),
        )));
    }
    Ok(())
}

/// Options that mean one clip only.
fn check_many(args: &Args, folder: &Path) -> Result<(), Failure> {
    let EditedArgs { edit, plot, write_recipe, .. } = &args.edited;
    if is_stdout(folder) {
        return Err(Failure::new("usage", "standard output takes one clip; name a folder for several"));
    }
    if folder.exists() && !folder.is_dir() {
        return Err(Failure::of_file("usage", folder, "is a file; several clips go into a folder"));
    }
    let of_one = [
        ("--contacts", edit.contacts().is_some()),
        ("--write-contacts", edit.outputs().count() > 1),
        ("--plot", plot.is_some()),
        ("--write-recipe", write_recipe.is_some()),
    ];
    if let Some((option, _)) = of_one.into_iter().find(|(_, is_given)| *is_given) {
        return Err(Failure::new("usage", format!("{option} is for one clip; several are edited here")));
    }
    if !args.edited.keep_plants && edit.has_ground_options() {
        return Err(Failure::new("usage", "--terrain and --rigid are of no use without --keep-plants"));
    }
    Ok(())
}

/// The name of a clip in the folder of results.
fn output_of(file: &Path, folder: &Path, to: Option<&str>) -> PathBuf {
    let own_ending = || {
        let ending = file.extension()?.to_str()?.to_ascii_lowercase();
        let is_written = OutputFormat::from_ending(&ending).is_some() || ending == own::TAKE_ENDING;
        is_written.then_some(ending)
    };
    let ending = to.map(str::to_string).or_else(own_ending).unwrap_or_else(|| "glb".to_string());
    let stem = if is_stdout(file) { "clip".into() } else { file.file_stem().unwrap_or_default().to_os_string() };
    folder.join(Path::new(&stem)).with_added_extension(ending)
}

fn tell(bar: &indicatif::ProgressBar, format: Format, text: &str) {
    if format == Format::Human {
        bar.suspend(|| say(text));
    }
}

/// One line for a clip.
fn told(made: &Value) -> String {
    let written = &made["written"];
    let slide = &made["slide"];
    let feet = match (slide["before_mm"].as_f64(), slide["after_mm"].as_f64()) {
        (Some(before), Some(after)) => format!("; planted feet slide by up to {after:.1} mm, {before:.1} mm before"),
        _ => String::new(),
    };
    format!("{}: {} frames{feet}", written["output"].as_str().unwrap_or_default(), written["frames"])
}
