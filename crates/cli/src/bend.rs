//! `surefoot bend`: the same steps along another path, with feet kept on the ground.

use crate::edited_motion::{EditArgs, Edited, clean_take};
use crate::import_args::ImportArgs;
use crate::report::{Failure, Format, print_result, say, tell_import};
use serde_json::json;
use std::path::PathBuf;
use surefoot::CleanForm;
use surefoot::cleanup::{BendError, BendOptions, Bent, PathFit, bend_path};
use surefoot::formats::{own, read_bytes};

/// Arguments of `bend`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Motion file: bvh, amc, glb, gltf or fbx
    input: PathBuf,
    /// Path to follow from its first point on
    #[arg(long, value_name = "FILE.path.json")]
    path: PathBuf,
    #[command(flatten)]
    edit: EditArgs,
    /// Leave the result as it is edited, without footskate cleanup
    #[arg(long, conflicts_with_all = ["terrain", "rigid"])]
    no_clean: bool,
    /// What to do where the path is not as long as the way of the clip
    #[arg(long, value_enum, default_value = "stop")]
    fit: Fit,
    /// How far before and after a corner of the path its rounding reaches, in metres; 0 keeps corners
    #[arg(long, value_name = "METRES", default_value_t = BendOptions::default().corner_reach)]
    corner_reach: f64,
    /// Over how long the way of the clip is smoothed, in seconds: sway that is shorter stays with the motion
    #[arg(long, value_name = "SECONDS", default_value_t = BendOptions::default().smoothing)]
    smoothing: f64,
    #[command(flatten)]
    import: ImportArgs,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum Fit {
    /// Steps keep their length; the motion is cut where a shorter path ends
    Stop,
    /// The path is scaled about its first point to the length of the way
    ScalePath,
    /// Steps become longer or shorter, so that motion and path end together
    Stretch,
}

/// A turn that is faster than this is visible as a spin, in degrees a second: people who turn on the spot reach it.
const SPIN: f64 = 180.0;
/// Steps stretched beyond these shares ask more of legs than cleanup can mend well.
const FAIR_STRETCH: std::ops::RangeInclusive<f64> = 0.75..=1.25;

/// Runs `bend`.
pub(crate) fn run(args: &Args, format: Format) -> Result<(), Failure> {
    args.edit.check(format)?;
    let path = read_bytes(&args.path)?;
    let path = own::read_path(&path).map_err(|error| error.in_file(&args.path))?;
    let source = args.edit.load(&args.input, &args.import)?;
    if format == Format::Human {
        tell_import(&source.import);
        source.tell_contacts();
    }
    let options = BendOptions {
        fit: match args.fit {
            Fit::Stop => PathFit::Stop,
            Fit::ScalePath => PathFit::ScalePath,
            Fit::Stretch => PathFit::StretchSteps,
        },
        smoothing: args.smoothing,
        corner_reach: args.corner_reach,
        ..BendOptions::default()
    };
    let bent = bend_path(&source.take, &path, &options).map_err(|error| {
        let file = match error {
            BendError::Option { .. } => return Failure::new("usage", error.to_string()),
            BendError::Path(_) | BendError::PathTooShort { .. } | BendError::PathTooLong { .. } => &args.path,
            BendError::HardlyTravels { .. } | BendError::Edit(_) => &args.input,
        };
        Failure::of_file("bend", file, error.to_string())
    })?;
    let notes = notes(&bent);
    if format == Format::Human {
        notes.iter().for_each(|note| say(&format!("  {note}")));
    }
    let edited = match args.no_clean {
        true => Edited::as_it_is(bent.take.clone()),
        false => {
            let options = args.edit.clean_options();
            clean_take(&bent.take, source.terrain.clone(), &options, CleanForm::Offline, format)
        }
    };
    let written = args.edit.write(&edited, Some(&source.body), &source.import, format)?;
    if format == Format::Json {
        let result = json!({
            "input": args.input.display().to_string(),
            "path": args.path.display().to_string(),
            "own_length": bent.own_length,
            "path_length": bent.path_length,
            "walked": bent.walked,
            "cut_frames": bent.cut_frames,
            "stretch": bent.stretch,
            "path_scale": bent.path_scale,
            "fastest_turn_degrees_per_second": bent.fastest_turn.0.to_degrees(),
            "fastest_turn_frame": bent.fastest_turn.1,
            "contacts": source.contacts_json(),
            "notes": notes,
            "written": written,
        });
        print_result("bend", &result)?;
    }
    Ok(())
}

/// What was done, and what to look at, in sentences.
fn notes(bent: &Bent) -> Vec<String> {
    let mut notes = vec![format!(
        "the clip's own way is {:.2} m long; {:.2} m of a path of {:.2} m are walked",
        bent.own_length, bent.walked, bent.path_length
    )];
    if bent.cut_frames > 0 {
        notes.push(format!("{} frames were cut where the path ends; --fit has other ways", bent.cut_frames));
    }
    if bent.path_scale != 1.0 {
        notes.push(format!("the path was scaled by {:.3}", bent.path_scale));
    }
    if bent.stretch != 1.0 {
        notes.push(format!("steps are {:.3} times as long as they were", bent.stretch));
    }
    if !FAIR_STRETCH.contains(&bent.stretch) {
        notes.push("steps that differ so much ask more of legs than cleanup can mend well".to_string());
    }
    let (turn, frame) = (bent.fastest_turn.0.to_degrees(), bent.fastest_turn.1);
    if turn > SPIN {
        notes.push(format!("bending turns the body by {turn:.0} degrees a second in frame {frame}; look at it there"));
    }
    notes
}
