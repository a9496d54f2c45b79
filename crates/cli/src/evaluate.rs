//! `surefoot evaluate`: recordings walked again with the steps of others.

use crate::contacts::DetectArgs;
use crate::import_args::ImportArgs;
use crate::info_table::gather;
use crate::output::progress;
use crate::report::{Failure, Format, print_result, print_text, say};
use crate::steps::{build, database_of};
use serde_json::{Map, Value, json};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use surefoot::steps::{CandidateStatistics, Method, Region, RegionErrors};
use surefoot::{
    BuildStepsOptions, EvaluateOptions, EvaluatedClip, Evaluation, Smoothness, evaluate_clips, evaluate_corpus,
};

/// Arguments of `evaluate`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Motion files (bvh, amc, glb, gltf or fbx), folders or glob patterns [default: the built-in corpus]
    #[arg(value_name = "CLIPS")]
    clips: Vec<PathBuf>,
    /// Step database; steps of a clip's name are left out for it [default: built from the clips, or the built-in corpus]
    #[arg(long, value_name = "FILE.steps", requires = "clips")]
    db: Option<PathBuf>,
    /// File whose skeleton all clips are brought to [default: that of the first clip that can be used]
    #[arg(long, value_name = "CLIP", requires = "clips", conflicts_with = "db")]
    skeleton: Option<PathBuf>,
    /// Tell every clip, not only the means
    #[arg(long)]
    list: bool,
    #[command(flatten)]
    detect: DetectArgs,
    #[command(flatten)]
    import: ImportArgs,
}

/// What the paper tells (STRIDE 7.4) of 88 steps that it made with a database of 184.
const PAPER: [&str; 6] = ["88", "7.39", "144 of 352", "36.1", "14.7", "up to 10"];

/// Runs `evaluate`.
pub(crate) fn run(args: &Args, format: Format) -> Result<(), Failure> {
    let options = EvaluateOptions {
        build: BuildStepsOptions {
            load: args.import.options(),
            skeleton: args.skeleton.clone(),
            detect: args.detect.options(),
            ..BuildStepsOptions::default()
        },
        ..EvaluateOptions::default()
    };
    let evaluation = if args.clips.is_empty() { of_corpus(&options)? } else { of_clips(args, &options)? };
    if evaluation.compared().next().is_none() {
        if format == Format::Human {
            tell_left_out(&evaluation);
        }
        return Err(Failure::new("evaluate", "no clip is a walk on level ground that could be compared"));
    }
    match format {
        Format::Json => print_result("evaluate", &to_json(&evaluation)),
        Format::Human => {
            tell_left_out(&evaluation);
            print_text(&to_text(&evaluation, args.list))
        }
    }
}

fn of_corpus(options: &EvaluateOptions) -> Result<Evaluation, Failure> {
    let database = database_of(None)?;
    let bar = progress(database.steps().len() as u64);
    let evaluation = evaluate_corpus(&database, options, &mut |name| bar.set_message(name.to_string()));
    bar.finish_and_clear();
    Ok(evaluation)
}

fn of_clips(args: &Args, options: &EvaluateOptions) -> Result<Evaluation, Failure> {
    let mut files = Vec::new();
    for input in &args.clips {
        gather(input, &mut files)?;
    }
    if files.is_empty() {
        let inputs: Vec<String> = args.clips.iter().map(|clip| clip.display().to_string()).collect();
        return Err(Failure::new("usage", format!("there is no motion file in {}", inputs.join(", "))));
    }
    let database = args.db.as_deref().map(|path| database_of(Some(path))).transpose()?;
    let bar = progress(files.len() as u64);
    let mut begin = |path: &Path| {
        bar.set_message(path.file_name().unwrap_or_default().to_string_lossy().into_owned());
        bar.inc(1);
    };
    let evaluation = evaluate_clips(&files, database, options, &mut begin);
    bar.finish_and_clear();
    evaluation.map_err(|error| build::failure(error, &files[0]))
}

fn tell_left_out(evaluation: &Evaluation) {
    for EvaluatedClip { name, outcome } in &evaluation.clips {
        if let Err(reason) = outcome {
            say(&format!("left out: {name}: {reason}"));
        }
    }
}

fn to_text(evaluation: &Evaluation, list: bool) -> String {
    let n_clips = evaluation.compared().count();
    let n_footprints: usize = evaluation.compared().map(|clip| clip.n_footprints).sum();
    let mut text = format!(
        "{n_clips} clips with {n_footprints} footprints, each walked again without its own steps; {} steps in the database\n",
        evaluation.n_database_steps
    );
    let [blended, extrapolated, led] = evaluation.made;
    let _ = writeln!(text, "steps: {blended} blended, {extrapolated} extrapolated, {led} led\n");
    if list {
        list_clips(&mut text, evaluation);
    }
    let _ = write!(text, "{:<30}", "mean joint error, cm");
    Region::ALL.iter().for_each(|region| {
        let _ = write!(text, "{:>8}", region.name());
    });
    text += "     all\n";
    for method in Method::ALL {
        let Some(errors) = evaluation.errors(method) else { continue };
        let _ = write!(text, "  {:<28}", method.name());
        for error in errors.by_region.iter().chain([&errors.all]) {
            let _ = write!(text, "{:>8.2}", 100.0 * error);
        }
        text.push('\n');
    }
    let _ = writeln!(text, "\n{:<46}{:>12}{:>12}", "candidates (STRIDE 7.4)", "here", "paper");
    for (what, here, paper) in candidate_rows(&evaluation.candidates) {
        let _ = writeln!(text, "  {what:<44}{here:>12}{paper:>12}");
    }
    let _ = writeln!(text, "\n{:<46}{:>12}{:>12}{:>8}", "smoothness", "walks", "recordings", "ratio");
    for (what, unit, walks, recordings) in smoothness_rows(&evaluation.smoothness()) {
        let label = format!("{what}, {unit}");
        let _ = writeln!(text, "  {label:<44}{walks:>12.1}{recordings:>12.1}{:>8.2}", walks / recordings);
    }
    text
}

fn list_clips(text: &mut String, evaluation: &Evaluation) {
    let _ = write!(text, "{:<36}{:>6}", "clip, cm by method", "steps");
    (1..=Method::ALL.len()).for_each(|number| {
        let _ = write!(text, "{:>8}", format!("({number})"));
    });
    let _ = writeln!(text, "{:>8}{:>8}{:>8}", "jerk", "knees", "turn");
    for EvaluatedClip { name, outcome } in &evaluation.clips {
        let Ok(clip) = outcome else { continue };
        let _ = write!(text, "  {name:<34}{:>6}", clip.n_footprints.saturating_sub(2));
        for errors in &clip.errors {
            let _ = write!(text, "{:>8.2}", 100.0 * errors.all);
        }
        for (_, _, walk, recording) in smoothness_rows(&[clip.walk, clip.recording]) {
            let _ = write!(text, "{:>8.2}", walk / recording);
        }
        text.push('\n');
    }
    for (number, method) in Method::ALL.iter().enumerate() {
        let _ = writeln!(text, "  ({}) {}", number + 1, method.name());
    }
    text.push_str("  jerk, knees, turn: walk over recording\n\n");
}

/// The six figures of STRIDE 7.4, here and in the paper.
fn candidate_rows(here: &CandidateStatistics) -> impl Iterator<Item = (&'static str, String, &'static str)> {
    let rows = [
        ("steps inside the hull", here.n_steps.to_string()),
        ("candidates for each neighbour", format!("{:.2}", ratio(here.alternatives as f64, here.n_neighbours))),
        ("neighbours with any", format!("{} of {}", here.with_alternatives, here.n_neighbours)),
        ("  replaced of those, %", format!("{:.1}", 100.0 * ratio(here.replaced as f64, here.with_alternatives))),
        ("  replaced of all, %", format!("{:.1}", 100.0 * ratio(here.replaced as f64, here.n_neighbours))),
        ("weight before over after, mean", format!("{:.1}", ratio(here.weight_loss, here.replaced))),
    ];
    rows.into_iter().zip(PAPER).map(|((what, here), paper)| (what, here, paper))
}

fn ratio(sum: f64, count: usize) -> f64 {
    if count == 0 { 0.0 } else { sum / count as f64 }
}

fn smoothness_rows([walks, recordings]: &[Smoothness; 2]) -> [(&'static str, &'static str, f64, f64); 3] {
    let degrees = f64::to_degrees;
    [
        ("pelvis jerk, mean", "m/s3", walks.pelvis_jerk, recordings.pelvis_jerk),
        (
            "knee acceleration, 99th percentile",
            "deg/s2",
            degrees(walks.knee_acceleration),
            degrees(recordings.knee_acceleration),
        ),
        ("largest turn of a joint", "deg/s", degrees(walks.turn_speed), degrees(recordings.turn_speed)),
    ]
}

fn errors_json(errors: &RegionErrors) -> Value {
    let mut by: Map<String, Value> = Map::new();
    for (region, error) in Region::ALL.iter().zip(errors.by_region) {
        by.insert(region.name().to_string(), (100.0 * error).into());
    }
    by.insert("all".to_string(), (100.0 * errors.all).into());
    by.insert("frames".to_string(), errors.n_frames.into());
    Value::Object(by)
}

fn candidates_json(here: &CandidateStatistics) -> Value {
    json!({
        "here": {
            "steps": here.n_steps,
            "neighbours": here.n_neighbours,
            "candidates_per_neighbour": ratio(here.alternatives as f64, here.n_neighbours),
            "neighbours_with_candidates": here.with_alternatives,
            "replaced_of_those_percent": 100.0 * ratio(here.replaced as f64, here.with_alternatives),
            "replaced_of_all_percent": 100.0 * ratio(here.replaced as f64, here.n_neighbours),
            "weight_loss_mean": ratio(here.weight_loss, here.replaced),
        },
        "paper": {
            "steps": 88,
            "neighbours": 352,
            "candidates_per_neighbour": 7.39,
            "neighbours_with_candidates": 144,
            "replaced_of_those_percent": 36.1,
            "replaced_of_all_percent": 14.7,
            "weight_loss_most": 10,
        },
    })
}

fn to_json(evaluation: &Evaluation) -> Value {
    let by_method = |errors: &dyn Fn(usize) -> Option<RegionErrors>| -> Map<String, Value> {
        let named = |(place, method): (usize, &Method)| Some((method.name().to_string(), errors_json(&errors(place)?)));
        Method::ALL.iter().enumerate().filter_map(named).collect()
    };
    let smoothness = |both: &[Smoothness; 2]| -> Vec<Value> {
        let row = |(what, unit, walk, recording): (&str, &str, f64, f64)| json!({ "name": what, "unit": unit, "walk": walk, "recording": recording, "ratio": walk / recording });
        smoothness_rows(both).into_iter().map(row).collect()
    };
    let clip = |EvaluatedClip { name, outcome }: &EvaluatedClip| match outcome {
        Err(reason) => json!({ "clip": name, "left_out": reason }),
        Ok(clip) => json!({
            "clip": name,
            "footprints": clip.n_footprints,
            "errors_cm": by_method(&|place| Some(clip.errors[place])),
            "smoothness": smoothness(&[clip.walk, clip.recording]),
        }),
    };
    let [blended, extrapolated, led] = evaluation.made;
    json!({
        "database_steps": evaluation.n_database_steps,
        "errors_cm": by_method(&|place| evaluation.errors(Method::ALL[place])),
        "made": { "blended": blended, "extrapolated": extrapolated, "led": led },
        "candidates": candidates_json(&evaluation.candidates),
        "smoothness": smoothness(&evaluation.smoothness()),
        "clips": evaluation.clips.iter().map(clip).collect::<Vec<_>>(),
    })
}
