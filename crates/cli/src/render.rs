//! `surefoot render`: a motion as a picture, or one and more in a player.

use crate::convert::parse_range;
use crate::gait::parse_frame_rate;
use crate::import_args::ImportArgs;
use crate::output::{Force, ReportArg};
use crate::report::{Failure, Format, print_input, print_status};
use crate::run_job::run_job;
use crate::terrain_arg::{TerrainArg, print_off_terrain};
use std::path::PathBuf;
use surefoot::jobs::{ArrangementRequest, InputRequest, PictureFormat, RenderRequest, TerrainRequest, ViewRequest};

/// Arguments of `render`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Motion file: bvh, amc, glb, gltf or fbx; a player takes several
    #[arg(required = true, value_name = "INPUT")]
    inputs: Vec<PathBuf>,
    /// Output: .png or .svg for a sheet or strobe, .gif for an animation, .html for a player; `-` is standard output, with --to
    #[arg(long, short, value_name = "FILE")]
    output: PathBuf,
    /// Kind of picture, where the ending does not name it
    #[arg(long, value_enum, value_name = "FORMAT")]
    to: Option<Kind>,
    #[command(flatten)]
    force: Force,
    #[command(flatten)]
    report: ReportArg,
    /// Where the viewer is
    #[arg(long, value_enum, default_value = "three-quarter")]
    view: ViewArg,
    /// All poses in one picture along the path, instead of a sheet
    #[arg(long)]
    strobe: bool,
    /// How many evenly spaced poses [default: 12 on a sheet, 9 in a strobe]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=512), conflicts_with = "at")]
    frames: Option<u16>,
    /// These frames instead: 0,24,48; frames count from 0 after dropped first ones
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    at: Option<Vec<usize>>,
    /// Only this part of the clip, half-open: 100..250
    #[arg(long, value_parser = parse_range, value_name = "FROM..TO")]
    slice: Option<(usize, usize)>,
    /// Panels in a row of a sheet
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=64))]
    columns: Option<u32>,
    /// Size in pixels: of a sheet's panel [default: 220x300] or an animation [default: 400x400]; of a strobe just the width
    /// [default: 1400]
    #[arg(long, value_name = "WxH", value_parser = parse_size)]
    size: Option<[u32; 2]>,
    /// Foot contacts, to mark planted feet; in a player of the first motion
    #[arg(long, value_name = "FILE.contacts.json")]
    contacts: Option<PathBuf>,
    /// Pictures a second of an animation, 1 to 50 [default: 25, or the clip's own rate if that is lower]
    #[arg(long, value_name = "FPS", value_parser = parse_frame_rate, allow_negative_numbers = true)]
    frame_rate: Option<f64>,
    /// Foot plan, to show its footprints in a player
    #[arg(long, value_name = "FILE.plan.json", help_heading = "Player")]
    plan: Option<PathBuf>,
    /// Scene, to show its obstacles and its ground in a player
    #[arg(long, value_name = "FILE.scene.json", help_heading = "Player")]
    scene: Option<PathBuf>,
    /// Character whose mesh is drawn in a player, on motions that have its joints: what `--on` made, as .take or .bvh
    /// [default: the mesh of the motion's own file]
    #[arg(long, value_name = "CHARACTER", help_heading = "Player")]
    on: Option<PathBuf>,
    /// Several motions where they are, one over the other [default for two that begin at one place]
    #[arg(long, conflicts_with = "side_by_side", help_heading = "Player")]
    overlay: bool,
    /// Several motions each in a lane of its own [default otherwise]
    #[arg(long, help_heading = "Player")]
    side_by_side: bool,
    /// The old name of --terrain flat:METRES
    #[arg(long, value_name = "METRES", allow_hyphen_values = true, hide = true, conflicts_with = "terrain")]
    ground: Option<f64>,
    #[command(flatten)]
    terrain: TerrainArg,
    #[command(flatten)]
    import: ImportArgs,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum ViewArg {
    ThreeQuarter,
    Side,
    Front,
    Top,
}

#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Kind {
    Png,
    Gif,
    Svg,
    Html,
}

/// Runs `render`.
pub(crate) fn run(args: &Args, format: Format) -> Result<(), Failure> {
    let mut inputs = args
        .inputs
        .iter()
        .enumerate()
        .map(|(index, input)| args.import.input(input, args.contacts.as_deref().filter(|_| index == 0)));
    let request = RenderRequest {
        input: inputs.next().expect("clap asks for one")?,
        more: inputs.collect::<Result<_, _>>()?,
        output: args.output.clone(),
        format: args.to.map(|kind| match kind {
            Kind::Png => PictureFormat::Png,
            Kind::Gif => PictureFormat::Gif,
            Kind::Svg => PictureFormat::Svg,
            Kind::Html => PictureFormat::Html,
        }),
        view: match args.view {
            ViewArg::ThreeQuarter => ViewRequest::ThreeQuarter,
            ViewArg::Side => ViewRequest::Side,
            ViewArg::Front => ViewRequest::Front,
            ViewArg::Top => ViewRequest::Top,
        },
        strobe: args.strobe,
        frames: args.frames,
        at: args.at.clone(),
        slice: args.slice,
        columns: args.columns,
        size: args.size,
        frame_rate: args.frame_rate,
        terrain: args.terrain.request().or(args.ground.map(TerrainRequest::Flat)),
        plan: args.plan.clone(),
        scene: args.scene.clone(),
        on: args.on.as_ref().map(InputRequest::new),
        arrangement: match (args.overlay, args.side_by_side) {
            (true, _) => Some(ArrangementRequest::Overlay),
            (_, true) => Some(ArrangementRequest::SideBySide),
            _ => None,
        },
        report: args.report.report.clone(),
        if_exists: args.force.if_exists(),
    };
    run_job(&request, format, |report| {
        std::iter::once(&report.input).chain(&report.more).for_each(print_input);
        print_off_terrain(report.off_terrain.as_deref());
        if let Some(why) = &report.without_mesh {
            print_status(&format!("  note: {why}"));
        }
        Ok(())
    })
}

fn parse_size(text: &str) -> Result<[u32; 2], String> {
    let wrong = || "WIDTHxHEIGHT in pixels, such as 300x400, would be right".to_string();
    let (width, height) = text.split_once(['x', 'X']).unwrap_or((text, text));
    Ok([width.parse().map_err(|_| wrong())?, height.parse().map_err(|_| wrong())?])
}
