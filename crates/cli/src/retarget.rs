//! `surefoot retarget`: the motion of one person played by another skeleton, its feet kept on the ground.

use crate::edited_motion::{EditArgs, Edited, body_of, clean_take};
use crate::import_args::ImportArgs;
use crate::report::{Failure, Format, print_result, say, tell_import};
use serde_json::{Value, json};
use std::path::PathBuf;
use surefoot::cleanup::{Character, RetargetOptions, Retargeted, Transfer, retarget};
use surefoot::formats::Import;
use surefoot::{CleanForm, LoadOptions, load};

/// Arguments of `retarget`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Motion file: bvh, amc, glb, gltf or fbx
    input: PathBuf,
    /// File whose skeleton shall play the motion: bvh, asf, amc, glb, gltf or fbx
    #[arg(long, value_name = "SKELETON")]
    to: PathBuf,
    #[command(flatten)]
    edit: EditArgs,
    /// Leave the result as it is edited, without footskate cleanup
    #[arg(long, conflicts_with_all = ["terrain", "rigid"])]
    no_clean: bool,
    /// Scale of the way travelled [default: leg length of the target over that of the source]
    #[arg(long, value_name = "FACTOR", value_parser = parse_scale)]
    scale: Option<f64>,
    /// Body map of the target that overrides the one found
    #[arg(long, value_name = "MAP.toml")]
    to_body: Option<PathBuf>,
    #[command(flatten)]
    import: ImportArgs,
}

/// Runs `retarget`.
pub(crate) fn run(args: &Args, format: Format) -> Result<(), Failure> {
    args.edit.check(format)?;
    let source = args.edit.load(&args.input, &args.import)?;
    let target = load(&args.to, &LoadOptions { body: args.to_body.clone(), ..LoadOptions::default() })?;
    let target_body = body_of(&args.to, &target)?;
    if format == Format::Human {
        tell_import(&source.import);
        source.tell_contacts();
        tell_import(&target);
    }
    let character = Character { skeleton: &target.clip.skeleton, body: &target_body, poses: target.clip.poses() };
    let options = RetargetOptions { scale: args.scale, floor: None };
    let retargeted = retarget(&source.take, &character, &options)
        .map_err(|error| Failure::of_file("retarget", &args.to, error.to_string()))?;
    if format == Format::Human {
        for note in &retargeted.notes {
            say(&format!("  {note}"));
        }
    }
    let edited = match args.no_clean {
        true => Edited::as_it_is(retargeted.take.clone()),
        false => {
            let options = args.edit.clean_options();
            let terrain = source.terrain.clone();
            clean_take(&retargeted.take, terrain, &options, CleanForm::Offline, format)
        }
    };
    let written = args.edit.write(&edited, Some(&retargeted.take.body), &target, format)?;
    if format == Format::Json {
        let mut result = to_json(args, &retargeted, &target);
        result["contacts"] = source.contacts_json();
        result["written"] = written;
        print_result("retarget", &result)?;
    }
    Ok(())
}

fn to_json(args: &Args, retargeted: &Retargeted, target: &Import) -> Value {
    let idle = retargeted.idle.iter().map(|&joint| target.clip.skeleton.name(joint));
    json!({
        "input": args.input.display().to_string(),
        "to": args.to.display().to_string(),
        "scale": retargeted.scale,
        "floor": retargeted.floor,
        "transfer": match retargeted.transfer {
            Transfer::Copied => "copied",
            Transfer::Aligned { .. } => "aligned",
        },
        "idle": idle.collect::<Vec<_>>(),
        "notes": retargeted.notes,
    })
}

/// A positive factor of a sane size.
fn parse_scale(text: &str) -> Result<f64, String> {
    let wrong = || "a factor from 0.01 to 100 would be right".to_string();
    text.parse().ok().filter(|scale: &f64| (0.01..=100.0).contains(scale)).ok_or_else(wrong)
}
