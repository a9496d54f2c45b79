//! `surefoot render`: a motion as a picture.

use crate::convert::parse_range;
use crate::import_args::ImportArgs;
use crate::output::{Force, progress};
use crate::report::{Failure, Format, print_result, say, tell_import};
use serde_json::json;
use std::path::{Path, PathBuf};
use surefoot::formats::{FloorChoice, Import};
use surefoot::picture::{self, FrameChoice, PictureError, RenderOptions, Subject, View};

/// Arguments of `render`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Motion file: bvh, amc, glb, gltf or fbx
    input: PathBuf,
    /// Output: .png or .svg for a sheet or strobe, .gif for an animation; `-` is standard output, with --to
    #[arg(long, short, value_name = "FILE")]
    output: PathBuf,
    /// Kind of picture, where the ending does not tell
    #[arg(long, value_enum)]
    to: Option<Kind>,
    #[command(flatten)]
    force: Force,
    /// Where the viewer stands
    #[arg(long, value_enum, default_value = "three-quarter")]
    view: ViewArg,
    /// All figures in one picture along the path, instead of a sheet
    #[arg(long)]
    strobe: bool,
    /// How many evenly spaced figures [default: 12 on a sheet, 9 in a strobe]
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
    /// Foot contacts, to mark planted feet
    #[arg(long, value_name = "FILE.contacts.json")]
    contacts: Option<PathBuf>,
    /// Height of the ground in metres [default: where the soles stand]
    #[arg(long, value_name = "METRES", allow_hyphen_values = true)]
    ground: Option<f64>,
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
}

/// Runs `render`.
pub(crate) fn run(args: &Args, format: Format) -> Result<(), Failure> {
    let kind = args.to.map_or_else(|| kind_of(&args.output), Ok)?;
    check_options(args, kind)?;
    args.force.check(&args.output, format)?;
    let (import, contacts) = args.import.load_with_contacts(&args.input, args.contacts.as_deref())?;
    if format == Format::Human {
        tell_import(&import);
    }
    let subject = Subject { clip: &import.clip, body: import.body.as_ref().ok(), contacts: contacts.as_ref() };
    let options = options(args, kind, &import);
    let bytes = draw(&subject, &options, kind, args.strobe)
        .map_err(|error| Failure::of_file("picture", &args.input, error.to_string()))?;
    args.force.write(&args.output, &bytes)?;
    match format {
        Format::Json => {
            print_result("render", &json!({ "output": args.output.display().to_string(), "bytes": bytes.len() }))?;
        }
        Format::Human => say(&format!("wrote {}", args.output.display())),
    }
    Ok(())
}

/// Refuses options that the picture has no use for, rather than leaving them out in silence.
fn check_options(args: &Args, kind: Kind) -> Result<(), Failure> {
    let is_sheet = kind != Kind::Gif && !args.strobe;
    let chooses = args.frames.is_some() || args.at.is_some() || args.strobe;
    if kind == Kind::Gif && chooses {
        let message =
            "an animation shows every frame; --slice chooses a part, --frames, --at and --strobe are for .png and .svg";
        return Err(Failure::of_file("usage", &args.output, message));
    }
    if !is_sheet && args.columns.is_some() {
        return Err(Failure::of_file("usage", &args.output, "--columns is for sheets"));
    }
    Ok(())
}

fn draw(subject: &Subject<'_>, options: &RenderOptions, kind: Kind, strobe: bool) -> Result<Vec<u8>, PictureError> {
    match (kind, strobe) {
        (Kind::Png, false) => picture::encode_png(&picture::contact_sheet(subject, options)?),
        (Kind::Png, true) => picture::encode_png(&picture::strobe(subject, options)?),
        (Kind::Svg, false) => Ok(picture::sheet_svg(subject, options)?.into_bytes()),
        (Kind::Svg, true) => Ok(picture::strobe_svg(subject, options)?.into_bytes()),
        (Kind::Gif, _) => {
            let mut bar = None;
            let bytes = picture::animated_gif_with(subject, options, |done, total| {
                bar.get_or_insert_with(|| progress(total as u64)).set_position(done as u64);
            });
            if let Some(bar) = bar {
                bar.finish_and_clear();
            }
            bytes
        }
    }
}

fn kind_of(path: &Path) -> Result<Kind, Failure> {
    let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default().to_ascii_lowercase();
    match ending.as_str() {
        "png" => Ok(Kind::Png),
        "gif" => Ok(Kind::Gif),
        "svg" => Ok(Kind::Svg),
        _ => Err(Failure::of_file(
            "usage",
            path,
            "the ending does not tell the picture; .png, .gif or .svg would, or --to",
        )),
    }
}

fn options(args: &Args, kind: Kind, import: &Import) -> RenderOptions {
    let mut options = RenderOptions {
        view: match args.view {
            ViewArg::ThreeQuarter => View::ThreeQuarter,
            ViewArg::Side => View::Side,
            ViewArg::Front => View::Front,
            ViewArg::Top => View::Top,
        },
        ..RenderOptions::default()
    };
    options.frames = match (&args.at, args.frames, args.strobe) {
        (Some(frames), _, _) => FrameChoice::Chosen(frames.clone()),
        (None, frames, true) => FrameChoice::EvenlyAlongPath(frames.unwrap_or(9).into()),
        (None, frames, false) => FrameChoice::Evenly(frames.unwrap_or(12).into()),
    };
    options.columns = args.columns.unwrap_or(options.columns);
    options.range = args.slice.map(|(from, to)| from..to);
    if let Some([width, height]) = args.size {
        match (kind, args.strobe) {
            (Kind::Gif, _) => options.movie = [width, height],
            (_, true) => options.strobe_width = width,
            (_, false) => options.panel = [width, height],
        }
    }
    options.ground_height = args.ground.unwrap_or_else(|| floor_of(import, args.import.floor));
    options
}

/// The floor that the soles stand on: at 0 if the motion was moved there, and where nothing tells.
fn floor_of(import: &Import, choice: FloorChoice) -> f64 {
    if choice == FloorChoice::Keep { import.assumed.floor.unwrap_or(0.0) } else { 0.0 }
}

fn parse_size(text: &str) -> Result<[u32; 2], String> {
    let wrong = || "WIDTHxHEIGHT in pixels, such as 300x400, would be right".to_string();
    let (width, height) = text.split_once(['x', 'X']).unwrap_or((text, text));
    Ok([width.parse().map_err(|_| wrong())?, height.parse().map_err(|_| wrong())?])
}
