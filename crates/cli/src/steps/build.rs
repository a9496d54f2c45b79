//! `surefoot steps build`: motions become a step database.

use crate::contacts::DetectArgs;
use crate::import_args::ImportArgs;
use crate::info_table::gather;
use crate::output::{Force, is_stdout, progress};
use crate::report::{Failure, Format, print_result, print_text, say};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use surefoot::formats::{ReadError, own};
use surefoot::steps::{BuildOptions, Refusal, SegmentOptions};
use surefoot::{BuildStepsError, BuildStepsOptions, BuiltSteps, ClipError, ClipSteps, build_steps};

/// Arguments of `steps build`.
#[derive(clap::Args)]
pub(super) struct Args {
    /// Motion files (bvh, amc, glb, gltf or fbx), folders or glob patterns
    #[arg(required = true, value_name = "CLIPS")]
    clips: Vec<PathBuf>,
    /// The database; `-` is standard output
    #[arg(long, short, value_name = "FILE.steps")]
    output: PathBuf,
    #[command(flatten)]
    force: Force,
    /// File whose skeleton all steps are brought to [default: that of the first clip that can be used]
    #[arg(long, value_name = "CLIP")]
    skeleton: Option<PathBuf>,
    /// Leave out the mirror images, which make both feet equally able
    #[arg(long)]
    no_mirror: bool,
    /// Tell every clip, not only the sums
    #[arg(long)]
    list: bool,
    #[command(flatten)]
    what: WhatArgs,
    #[command(flatten)]
    detect: DetectArgs,
    #[command(flatten)]
    import: ImportArgs,
}

/// What counts as a step.
#[derive(clap::Args)]
#[command(next_help_heading = "What counts as a step")]
struct WhatArgs {
    /// Longest time that a foot is in the air, in seconds [default: 1.5]
    #[arg(long, value_name = "S", value_parser = parse_seconds)]
    longest_swing: Option<f64>,
    /// Longest time with both feet down that is kept, in seconds; of longer ones the part next to the swing [default:
    /// 0.5]
    #[arg(long, value_name = "S", value_parser = parse_seconds)]
    longest_support: Option<f64>,
    /// Largest difference in height between the places of the feet, in centimetres [default: 6]
    #[arg(long, value_name = "CM", value_parser = super::parse_centimetres)]
    level: Option<f64>,
}

fn parse_seconds(text: &str) -> Result<f64, String> {
    let wrong = || "a time from 0.05 to 10 seconds would be right".to_string();
    text.parse().ok().filter(|time: &f64| (0.05..=10.0).contains(time)).ok_or_else(wrong)
}

/// Runs `steps build`.
pub(super) fn run(args: &Args, format: Format) -> Result<(), Failure> {
    args.force.check(&args.output, format)?;
    let mut files = Vec::new();
    for input in &args.clips {
        gather(input, &mut files)?;
    }
    if files.is_empty() {
        let inputs: Vec<String> = args.clips.iter().map(|clip| clip.display().to_string()).collect();
        return Err(Failure::new("usage", format!("there is no motion file in {}", inputs.join(", "))));
    }
    let usual = SegmentOptions::default();
    let segment = SegmentOptions {
        longest_swing: args.what.longest_swing.unwrap_or(usual.longest_swing),
        longest_support: args.what.longest_support.unwrap_or(usual.longest_support),
        level: args.what.level.unwrap_or(usual.level),
        ..usual
    };
    let options = BuildStepsOptions {
        load: args.import.options(),
        skeleton: args.skeleton.clone(),
        detect: args.detect.options(),
        build: BuildOptions { mirror: !args.no_mirror, segment },
    };
    let bar = progress(files.len() as u64);
    let mut begin = |path: &Path| {
        bar.set_message(path.file_name().unwrap_or_default().to_string_lossy().into_owned());
        bar.inc(1);
    };
    let built = build_steps(&files, &options, &mut begin);
    bar.finish_and_clear();
    let built = built.map_err(|error| failure(error, &args.output))?;
    let bytes = own::write_steps(&built.database);
    args.force.write(&args.output, &bytes)?;
    match format {
        Format::Json => print_result("steps build", &to_json(args, &built, bytes.len())),
        Format::Human => tell(args, &built, bytes.len()),
    }
}

pub(crate) fn failure(error: BuildStepsError, output: &Path) -> Failure {
    match error {
        BuildStepsError::Skeleton(error) => clip_failure(error),
        BuildStepsError::NoClip { clips } => match <[ClipError; 1]>::try_from(clips) {
            Ok([only]) => clip_failure(only),
            Err(clips) => {
                let reasons: Vec<String> = clips.iter().map(|error| format!("\n  {error}")).collect();
                Failure::new("steps", format!("none of {} clips could be used:{}", clips.len(), reasons.concat()))
            }
        },
        BuildStepsError::Database { error, clips } => {
            let message = format!("{error}\n{}", table(&clips, true));
            Failure::of_file("steps", output, message.trim_end())
        }
    }
}

fn clip_failure(error: ClipError) -> Failure {
    match error {
        ClipError::Read(error) => Failure::from(error),
        ClipError::NoFrames { path } => {
            Failure::of_file("empty", path, "holds a skeleton but no motion; a clip has frames")
        }
        ClipError::Retarget { path, error } => Failure::of_file("retarget", path, error.to_string()),
    }
}

fn tell(args: &Args, built: &BuiltSteps, n_bytes: usize) -> Result<(), Failure> {
    for (_, error) in built.failed() {
        say(&format!("surefoot: left out: {error}"));
    }
    let text = table(&built.clips, args.list);
    // The table is data, unless the database itself goes there.
    if is_stdout(&args.output) {
        say(text.trim_end())
    } else {
        print_text(&text)?
    }
    let (n_steps, n_all) = (built.n_steps(), built.database.steps().len());
    let mirror = if args.no_mirror { String::new() } else { format!(", {n_all} with mirror images") };
    let used = built.clips.iter().filter(|clip| clip.outcome.is_ok()).count();
    say(&format!(
        "{n_steps} steps{mirror}, from {used} of {} clips, on the skeleton of {}",
        built.clips.len(),
        built.skeleton.display()
    ));
    if !is_stdout(&args.output) {
        say(&format!("wrote {}: {:.1} MB", args.output.display(), n_bytes as f64 / 1e6));
    }
    Ok(())
}

/// Steps and refusals, in all or clip by clip.
fn table(clips: &[ClipSteps], each: bool) -> String {
    let mut text = String::new();
    let mut sum: BTreeMap<Refusal, usize> = BTreeMap::new();
    let mut n_steps = 0;
    let refusals = |refused: &BTreeMap<Refusal, usize>, separator: &str| -> String {
        let parts: Vec<String> = refused.iter().map(|(reason, count)| format!("{count} {reason}")).collect();
        parts.join(separator)
    };
    for clip in clips {
        let Ok(take) = &clip.outcome else { continue };
        n_steps += take.n_steps;
        for (&reason, &count) in &take.refused {
            *sum.entry(reason).or_insert(0) += count;
        }
        if each {
            text += &format!("{:>5}  {:<28}  {}\n", take.n_steps, take.name, refusals(&take.refused, "; "));
        }
    }
    let n_refused: usize = sum.values().sum();
    text += &format!("{n_steps} steps found, {n_refused} swings refused\n");
    for (reason, count) in &sum {
        text += &format!("{count:>5}  {reason}\n");
    }
    text
}

fn to_json(args: &Args, built: &BuiltSteps, n_bytes: usize) -> Value {
    let refused = |refused: &BTreeMap<Refusal, usize>| -> Value {
        refused.iter().map(|(reason, count)| (code(*reason).to_string(), json!(count))).collect::<Map<_, _>>().into()
    };
    let clips = built.clips.iter().map(|clip| match &clip.outcome {
        Ok(take) => json!({
            "file": clip.path.display().to_string(),
            "take": &*take.name,
            "steps": take.n_steps,
            "refused": refused(&take.refused),
        }),
        Err(error) => json!({ "file": clip.path.display().to_string(), "error": error_json(error.clone()) }),
    });
    json!({
        "output": args.output.display().to_string(),
        "bytes": n_bytes,
        "steps": built.n_steps(),
        "steps_with_mirror_images": built.database.steps().len(),
        "refused": refused(&built.refused()),
        "skeleton": built.skeleton.display().to_string(),
        "clips": clips.collect::<Vec<_>>(),
    })
}

fn error_json(error: ClipError) -> Value {
    match error {
        ClipError::Read(ReadError { kind, line, message, .. }) => {
            json!({ "kind": kind.code(), "line": line, "message": message })
        }
        other => clip_failure(other).to_json(),
    }
}

/// A refusal as a word for machines.
fn code(reason: Refusal) -> &'static str {
    match reason {
        Refusal::NoSupport => "no_support",
        Refusal::CutOff => "cut_off",
        Refusal::NotLevel => "not_level",
        Refusal::TooSlow => "too_slow",
        Refusal::TooLong => "too_long",
        Refusal::TooNear => "too_near",
        Refusal::TooShort => "too_short",
    }
}
