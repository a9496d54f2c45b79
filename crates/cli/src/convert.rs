//! `surefoot convert`: a motion file in another format, unit, rate or convention.

use crate::edited_motion::{MotionFormat, as_take};
use crate::import_args::{ImportArgs, parse_rate, parse_unit};
use crate::output::Force;
use crate::report::{Failure, Format, print_result, say, tell_import};
use serde_json::json;
use std::path::{Path, PathBuf};
use surefoot::contact::{Contacts, Take, mirror_take, resample_take, slice_take};
use surefoot::formats::Import;
use surefoot::formats::gltf::BodyMesh;
use surefoot::geom::Axis;
use surefoot::motion::EditError;
use surefoot::{ConvertOptions, OutputFormat, Target, convert};

/// Arguments of `convert`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Motion file: bvh, amc, asf, glb, gltf or fbx
    input: PathBuf,
    /// Output: bvh, glb, gltf or take by its ending; `-` is standard output, with --to
    output: PathBuf,
    #[command(flatten)]
    force: Force,
    /// Format of the output, where its ending does not tell
    #[arg(long, value_enum)]
    to: Option<To>,
    /// Program that the file is for: sets unit and axes of a BVH (glTF has its own, which every program knows)
    #[arg(long = "for", value_enum, value_name = "PROGRAM")]
    target: Option<For>,
    /// Unit of a written BVH [default: the program's, or cm]
    #[arg(long, value_parser = parse_unit, value_name = "UNIT")]
    write_unit: Option<f64>,
    /// Up axis of a written BVH [default: the program's, or Y]
    #[arg(long, value_name = "AXIS", allow_hyphen_values = true)]
    write_up: Option<Axis>,
    /// Resample to this many frames per second
    #[arg(long, value_parser = parse_rate, value_name = "FPS")]
    resample: Option<f64>,
    /// Keep only these frames, half-open: 100..250; frames count from 0 after dropped first ones
    #[arg(long, value_parser = parse_range, value_name = "FROM..TO")]
    slice: Option<(usize, usize)>,
    /// Exchange left and right, reflected in the plane x = 0
    #[arg(long)]
    mirror: bool,
    /// Leave out the body of capsules that lets every viewer show a person in a glTF
    #[arg(long)]
    no_mesh: bool,
    /// Foot contacts to put into a glTF
    #[arg(long, value_name = "FILE.contacts.json")]
    contacts: Option<PathBuf>,
    #[command(flatten)]
    import: ImportArgs,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum To {
    Bvh,
    Glb,
    Gltf,
    /// For other commands of ours: everything that is known, to the last bit
    Take,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum For {
    Blender,
    Unreal,
    Unity,
    Godot,
}

/// Runs `convert`.
pub(crate) fn run(args: &Args, format: Format) -> Result<(), Failure> {
    let output_format = output_format(args)?;
    check_options(args, &output_format)?;
    args.force.check(&args.output, format)?;
    let (import, contacts) = args.import.load_with_contacts(&args.input, args.contacts.as_deref())?;
    if format == Format::Human {
        tell_import(&import);
    }
    let has_contacts = contacts.is_some();
    let take = edit(args, &import, contacts)?;
    let clip = &take.clip;
    let options = ConvertOptions {
        unit_to_metre: args.write_unit,
        up: args.write_up,
        target: args.target.map(|target| match target {
            For::Blender => Target::Blender,
            For::Unreal => Target::Unreal,
            For::Unity => Target::Unity,
            For::Godot => Target::Godot,
        }),
        body_mesh: if args.no_mesh { BodyMesh::Without } else { BodyMesh::With },
        bvh_channels: import.bvh_channels.as_deref(),
    };
    let contacts = has_contacts.then_some(&take.contacts);
    let converted = match output_format {
        MotionFormat::File(format) => convert(clip, import.body.as_ref().ok(), contacts, format, &options)
            .map_err(|error| Failure::of_file("output", &args.output, error.to_string()))?,
        MotionFormat::Take => as_take(&Import { clip: clip.clone(), contacts: contacts.cloned(), ..import.clone() }),
    };
    let is_bvh = matches!(output_format, MotionFormat::File(OutputFormat::Bvh));
    args.force.write(&args.output, &converted.bytes)?;
    match format {
        Format::Json => {
            let result = json!({
                "input": crate::info::to_json(&args.input, &import),
                "output": args.output.display().to_string(),
                "frames": clip.n_frames(),
                "frame_rate": clip.frame_rate,
                "bytes": converted.bytes.len(),
                "convention": converted.convention,
                "widened": converted.widened,
                "contacts_written": has_contacts && !is_bvh,
            });
            print_result("convert", &result)?;
        }
        Format::Human => {
            if !converted.widened.is_empty() {
                let names = converted.widened.join(", ");
                say(&format!("  note[channels] the motion no longer fits the channels of {names}; they were widened"));
            }
            if has_contacts && is_bvh {
                say("  note[contacts] a BVH has no place for foot contacts; they were left out");
            }
            say(&format!("wrote {}: {} frames, {}", args.output.display(), clip.n_frames(), converted.convention));
        }
    }
    Ok(())
}

fn output_format(args: &Args) -> Result<MotionFormat, Failure> {
    let by_option = args.to.map(|to| match to {
        To::Bvh => MotionFormat::File(OutputFormat::Bvh),
        To::Glb => MotionFormat::File(OutputFormat::Glb),
        To::Gltf => MotionFormat::File(OutputFormat::Gltf),
        To::Take => MotionFormat::Take,
    });
    let by_ending = |path: &Path| MotionFormat::from_ending(path.extension()?.to_str()?);
    by_option.or_else(|| by_ending(&args.output)).ok_or_else(|| {
        let message = "the ending does not tell the format; .bvh, .glb, .gltf or .take would, or --to";
        Failure::of_file("usage", &args.output, message)
    })
}

/// Refuses options that the format has no use for, rather than leaving them out in silence.
fn check_options(args: &Args, format: &MotionFormat) -> Result<(), Failure> {
    let is_bvh = matches!(format, MotionFormat::File(OutputFormat::Bvh));
    let is_take = matches!(format, MotionFormat::Take);
    let useless = [
        ("--write-unit", !is_bvh && args.write_unit.is_some(), "glTF and takes are in metres"),
        ("--write-up", !is_bvh && args.write_up.is_some(), "glTF and takes have Y up"),
        ("--no-mesh", is_bvh && args.no_mesh, "a BVH has no mesh"),
        ("--no-mesh", is_take && args.no_mesh, "a take has no mesh"),
        ("--for", is_take && args.target.is_some(), "a take is for our own commands"),
    ];
    match useless.into_iter().find(|(_, is_given, _)| *is_given) {
        Some((option, _, why)) => Err(Failure::of_file("usage", &args.output, format!("{option} is of no use: {why}"))),
        None => Ok(()),
    }
}

/// Slices, mirrors and resamples, in that order.
fn edit(args: &Args, import: &Import, contacts: Option<Contacts>) -> Result<Take, Failure> {
    let refused = |error: EditError| Failure::of_file("usage", &args.input, error.to_string());
    let clip = import.clip.clone();
    let contacts = contacts.unwrap_or_else(|| Contacts::none(clip.n_frames()));
    let mut take = Take { clip, contacts };
    if let Some((from, to)) = args.slice {
        take = slice_take(&take, from..to).map_err(refused)?;
    }
    if args.mirror {
        let body = import
            .body
            .as_ref()
            .map_err(|error| Failure::of_file("body", &args.input, format!("mirroring needs a body map: {error}")))?;
        take = mirror_take(&take);
    }
    if let Some(rate) = args.resample.filter(|&rate| rate != take.clip.frame_rate) {
        take = resample_take(&take, rate).map_err(refused)?;
    }
    Ok(take)
}

/// Two frame numbers as `100..250`.
pub(crate) fn parse_range(text: &str) -> Result<(usize, usize), String> {
    let parts = text.split_once("..").and_then(|(from, to)| Some((from.parse().ok()?, to.parse().ok()?)));
    parts
        .filter(|(from, to)| from < to)
        .ok_or_else(|| "two frame numbers, such as 100..250, would be right".to_string())
}
