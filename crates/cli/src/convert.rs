//! `surefoot convert`: a motion file in another format, unit, rate or convention.

use crate::edited_motion::motion_output;
use crate::engine_args::EngineArgs;
use crate::folder::run_folder;
use crate::gait::parse_frame_rate;
use crate::import_args::{ImportArgs, parse_unit};
use crate::output::{Force, ReportArg};
use crate::report::{Failure, Format, print_input, print_status};
use crate::run_job::run_job;
use std::path::PathBuf;
use surefoot::geom::Axis;
use surefoot::jobs::{AxisName, ConvertReport, ConvertRequest, MotionFormat, Program};

/// Arguments of `convert`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Motion file: bvh, amc, asf, glb, gltf or fbx; or a folder, of which every motion is converted into the folder --output
    input: PathBuf,
    /// The same as --output
    #[arg(value_name = "OUTPUT", conflicts_with = "output", required_unless_present = "output")]
    output_file: Option<PathBuf>,
    /// Output: bvh, glb, gltf, fbx or take by its ending; `-` is standard output, with --to
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    force: Force,
    #[command(flatten)]
    report: ReportArg,
    /// Format of the output, where its ending does not name it
    #[arg(long, value_enum, value_name = "FORMAT")]
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
    /// Resample to this many frames per second, 1 to 1000
    #[arg(long, alias = "resample", value_parser = parse_frame_rate, value_name = "FPS", allow_negative_numbers = true)]
    frame_rate: Option<f64>,
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
    engine: EngineArgs,
    #[command(flatten)]
    import: ImportArgs,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum To {
    Bvh,
    Glb,
    Gltf,
    Fbx,
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
    let to = args.to.map(|to| match to {
        To::Bvh => MotionFormat::Bvh,
        To::Glb => MotionFormat::Glb,
        To::Gltf => MotionFormat::Gltf,
        To::Fbx => MotionFormat::Fbx,
        To::Take => MotionFormat::Take,
    });
    let output = args.output.as_ref().or(args.output_file.as_ref()).cloned().unwrap_or_default();
    let request = ConvertRequest {
        input: args.import.input(&args.input, args.contacts.as_deref())?,
        output: args.engine.apply(motion_output(&output, to)?),
        target: args.target.map(|target| match target {
            For::Blender => Program::Blender,
            For::Unreal => Program::Unreal,
            For::Unity => Program::Unity,
            For::Godot => Program::Godot,
        }),
        write_unit: args.write_unit,
        write_up: args.write_up.map(AxisName),
        frame_rate: args.frame_rate,
        slice: args.slice,
        mirror: args.mirror,
        no_mesh: args.no_mesh,
        report: args.report.report.clone(),
        if_exists: args.force.if_exists(),
    };
    if args.input.is_dir() {
        let options = (args.report.report.clone(), args.force.if_exists());
        return run_folder(request, (&args.input, &output), options, format);
    }
    run_job(&request, format, |report| {
        print_report(report);
        Ok(())
    })
}

fn print_report(report: &ConvertReport) {
    print_input(&report.input);
    let written = &report.written;
    if !written.widened.is_empty() {
        let names = written.widened.join(", ");
        print_status(&format!("  note[channels] the motion no longer fits the channels of {names}; they were widened"));
    }
    if report.has_contacts && !report.contacts_written {
        print_status(
            "  note[contacts] BVH and FBX have no place for foot contacts; they were left out (--write-events keeps them)",
        );
    }
    written.notes.iter().for_each(|note| print_status(&format!("  note: {note}")));
    print_status(&format!("  {} frames, {}", written.frames, written.convention));
}

/// Two frame numbers as `100..250`.
pub(crate) fn parse_range(text: &str) -> Result<(usize, usize), String> {
    let parts = text.split_once("..").and_then(|(from, to)| Some((from.parse().ok()?, to.parse().ok()?)));
    parts
        .filter(|(from, to)| from < to)
        .ok_or_else(|| "two frame numbers, such as 100..250, would be right".to_string())
}
