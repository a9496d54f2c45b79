//! `surefoot animate`: a foot plan becomes a walk.

mod tell;

use crate::gait::parse_frame_rate;
use crate::output::{Force, check_distinct, output_format};
use crate::report::{ENVELOPE, Failure, Format, print_result, print_text, say};
use crate::steps::database_of;
use crate::terrain_arg::TerrainArg;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use surefoot::formats::gltf::BodyMesh;
use surefoot::formats::{own, read_bytes};
use surefoot::picture::{self, FrameChoice, PictureError, RenderOptions, Subject};
use surefoot::plan::{StepError, Synthesis, World, synthesize};
use surefoot::steps::{ChooseOptions, HighWeights, Selection, Steps, WalkOptions};
use surefoot::{ConvertOptions, PlanReport, convert};

/// Arguments of `animate`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Foot plan; `-` is standard input
    #[arg(value_name = "PLAN.plan.json")]
    plan: PathBuf,
    /// The motion: bvh, glb or gltf by its ending
    #[arg(long, short, value_name = "FILE")]
    output: PathBuf,
    #[command(flatten)]
    force: Force,
    /// Step database (`surefoot steps build`) [default: the built-in corpus]
    #[arg(long, value_name = "FILE.steps")]
    db: Option<PathBuf>,
    #[command(flatten)]
    terrain: TerrainArg,
    /// Frames per second of the motion, 1 to 1000
    #[arg(long, visible_alias = "fps", value_name = "FPS", default_value = "60", value_parser = parse_frame_rate, allow_negative_numbers = true)]
    frame_rate: f64,
    /// Write what became of each footprint
    #[arg(long, value_name = "FILE.json")]
    report: Option<PathBuf>,
    /// Write when heels and balls stand
    #[arg(long, visible_alias = "write-contacts", value_name = "FILE.contacts.json")]
    contacts: Option<PathBuf>,
    /// Draw a contact sheet: png or svg by its ending
    #[arg(long, value_name = "FILE")]
    render: Option<PathBuf>,
    /// Print for each footprint which steps were blended, and why these
    #[arg(long)]
    explain: bool,
    #[command(flatten)]
    wishes: WishArgs,
    #[command(flatten)]
    choice: ChoiceArgs,
}

#[derive(clap::Args)]
#[command(next_help_heading = "Wishes")]
struct WishArgs {
    /// Turn feet fully to the headings of the plan
    #[arg(long, conflicts_with = "heading_weight")]
    exact_heading: bool,
    /// How much the plan's headings count beside those of the blended steps, 0 to 1 [default: 0.8]
    #[arg(long, value_name = "SHARE", value_parser = parse_share)]
    heading_weight: Option<f64>,
    /// How much the plan's swing and support times count beside those of the blended steps, 0 to 1 [default: 1]
    #[arg(long, value_name = "SHARE", value_parser = parse_share)]
    time_weight: Option<f64>,
}

#[derive(clap::Args)]
#[command(next_help_heading = "Choice of steps (STRIDE 5.1, 5.2, 8.3)")]
struct ChoiceArgs {
    /// Which steps are blended
    #[arg(long, value_enum, default_value = "best")]
    selection: SelectionArg,
    /// The same as --selection neighbours
    #[arg(long, conflicts_with = "selection")]
    no_selection: bool,
    /// What a metre counts in the resemblance of steps [default: 1]
    #[arg(long, value_name = "N", value_parser = parse_weight)]
    location_weight: Option<f64>,
    /// What a radian of heading counts
    #[arg(long, value_name = "N", value_parser = parse_weight)]
    orientation_weight: Option<f64>,
    /// What a second of swing or support counts
    #[arg(long, value_name = "N", value_parser = parse_weight)]
    timing_weight: Option<f64>,
    /// How far below 0 weights may go for steps that the database does not span; beyond, the nearest step is IK-corrected
    #[arg(long, value_name = "SHARE", value_parser = parse_extrapolation)]
    max_extrapolation: Option<f64>,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum SelectionArg {
    /// The four that span a step and together resemble it most
    Best,
    /// The best of the four regions beyond its neighbours, as in the paper
    Regions,
    /// The neighbours that span it as they are
    Neighbours,
}

/// Runs `animate`.
pub(crate) fn run(args: &Args, format: Format) -> Result<(), Failure> {
    check_outputs(args, format)?;
    let plan = own::read_plan(&read_bytes(&args.plan)?).map_err(|error| error.in_file(&args.plan))?;
    let world = Arc::new(World { terrain: args.terrain.load()?, ..World::default() });
    let steps = Steps::new(Arc::new(database_of(args.db.as_deref())?), options(args));
    let walk = synthesize(&steps, &world, &plan, "walk").map_err(|error| failure(&error, &args.plan))?;
    let report = PlanReport::new(&walk.report, &walk.take.clip);
    if format == Format::Human {
        tell::tell(&args.plan, &steps.database, args.db.as_deref(), &report);
        if args.explain {
            let choices = steps.choices(&world, &plan).map_err(|error| failure(&error, &args.plan))?;
            print_text(&tell::explain(&steps.database, &walk.report, &choices))?;
        }
    }
    let written = write(args, &walk, &report, format)?;
    if format == Format::Json {
        let mut result = report_json(&report);
        result["plan"] = args.plan.display().to_string().into();
        result["db"] = args.db.as_ref().map(|path| path.display().to_string()).into();
        result["database_steps"] = steps.database.steps().len().into();
        result["written"] = written;
        print_result("animate", &result)?;
    }
    Ok(())
}

/// A report as JSON.
pub(crate) fn report_json(report: &PlanReport) -> Value {
    serde_json::to_value(report).expect("a report is plain data")
}

/// Refuses outputs that cannot be written, before any work is done.
fn check_outputs(args: &Args, format: Format) -> Result<(), Failure> {
    output_format(&args.output)?;
    if let Some(path) = &args.render {
        sheet_kind(path)?;
    }
    let more = [&args.report, &args.contacts, &args.render].into_iter().flatten();
    let outputs: Vec<&Path> = std::iter::once(&args.output).chain(more).map(PathBuf::as_path).collect();
    check_distinct(outputs.iter().copied())?;
    outputs.iter().try_for_each(|path| args.force.check(path, format))
}

fn options(args: &Args) -> WalkOptions {
    let usual = WalkOptions::default();
    let (wishes, choice) = (&args.wishes, &args.choice);
    let weights = usual.choose.weights;
    WalkOptions {
        frame_rate: args.frame_rate,
        heading_weight: if wishes.exact_heading { 1.0 } else { wishes.heading_weight.unwrap_or(usual.heading_weight) },
        time_weight: wishes.time_weight.unwrap_or(usual.time_weight),
        choose: ChooseOptions {
            weights: HighWeights {
                location: choice.location_weight.unwrap_or(weights.location),
                orientation: choice.orientation_weight.unwrap_or(weights.orientation),
                timing: choice.timing_weight.unwrap_or(weights.timing),
            },
            selection: match choice.selection {
                _ if choice.no_selection => Selection::Neighbours,
                SelectionArg::Best => Selection::Best,
                SelectionArg::Regions => Selection::Regions,
                SelectionArg::Neighbours => Selection::Neighbours,
            },
            max_extrapolation: choice.max_extrapolation.unwrap_or(usual.choose.max_extrapolation),
            ..usual.choose
        },
        ..usual
    }
}

/// An error, with the file that it came from.
pub(crate) fn failure(error: &StepError, plan: &Path) -> Failure {
    let message = error.to_string();
    match error {
        StepError::Option { .. } => Failure::new("usage", message),
        StepError::NoSteps { .. } => Failure::of_file("plan_too_short", plan, message),
        StepError::TooLong { .. } => Failure::of_file("too_long", plan, message),
        _ => Failure::of_file("infeasible", plan, message),
    }
}

fn write(args: &Args, walk: &Synthesis, report: &PlanReport, format: Format) -> Result<Value, Failure> {
    let take = &walk.take;
    let options = ConvertOptions { body_mesh: BodyMesh::With, ..ConvertOptions::default() };
    let converted =
        convert(&take.clip, Some(&walk.take.body), Some(&take.contacts), output_format(&args.output)?, &options)
            .map_err(|error| Failure::of_file("output", &args.output, error.to_string()))?;
    let sheet = args.render.as_deref().map(|path| Ok::<_, Failure>((path, draw_sheet(walk, path)?))).transpose()?;
    args.force.write(&args.output, &converted.bytes)?;
    if format == Format::Human {
        let n_frames = take.clip.n_frames();
        say(&format!("wrote {}: {n_frames} frames, {}", args.output.display(), converted.convention));
    }
    let report_file = args.report.as_deref().map(|path| {
        let report = json!({ "surefoot": ENVELOPE, "command": "animate", "result": report_json(report) });
        (path, format!("{report:#}\n").into_bytes())
    });
    let contacts = args.contacts.as_deref().map(|path| (path, own::write_contacts(&take.contacts).into_bytes()));
    for (path, bytes) in [report_file, contacts, sheet].into_iter().flatten() {
        args.force.write(path, &bytes)?;
        if format == Format::Human {
            say(&format!("wrote {}", path.display()));
        }
    }
    let shown = |path: &Option<PathBuf>| path.as_ref().map(|path| path.display().to_string());
    Ok(json!({
        "output": args.output.display().to_string(),
        "report_output": shown(&args.report),
        "contacts_output": shown(&args.contacts),
        "render_output": shown(&args.render),
        "frames": take.clip.n_frames(),
        "frame_rate": take.clip.frame_rate,
        "bytes": converted.bytes.len(),
        "convention": converted.convention,
    }))
}

#[derive(Clone, Copy)]
enum SheetKind {
    Png,
    Svg,
}

fn sheet_kind(path: &Path) -> Result<SheetKind, Failure> {
    match path.extension().and_then(|ending| ending.to_str()).unwrap_or_default().to_ascii_lowercase().as_str() {
        "png" => Ok(SheetKind::Png),
        "svg" => Ok(SheetKind::Svg),
        _ => Err(Failure::of_file("usage", path, "the ending does not tell the picture; .png or .svg would")),
    }
}

/// Panels of a sheet, most.
const MAX_PANELS: usize = 64;

/// How a walk is drawn: two figures for each step.
pub(crate) fn sheet_options(walk: &Synthesis) -> RenderOptions {
    let n_panels = (2 * walk.report.footprints.len()).clamp(8, MAX_PANELS);
    RenderOptions { frames: FrameChoice::Evenly(n_panels), columns: 8, ..RenderOptions::default() }
}

fn draw_sheet(walk: &Synthesis, path: &Path) -> Result<Vec<u8>, Failure> {
    let subject = Subject { clip: &walk.take.clip, body: Some(&walk.take.body), contacts: Some(&walk.take.contacts) };
    let options = sheet_options(walk);
    let draw = || -> Result<Vec<u8>, PictureError> {
        match sheet_kind(path) {
            Ok(SheetKind::Svg) => Ok(picture::sheet_svg(&subject, &options)?.into_bytes()),
            _ => picture::encode_png(&picture::contact_sheet(&subject, &options)?),
        }
    };
    draw().map_err(|error| Failure::of_file("picture", path, error.to_string()))
}

fn parse_share(text: &str) -> Result<f64, String> {
    within(text, 1.0, "a share from 0 to 1 would be right")
}

fn parse_weight(text: &str) -> Result<f64, String> {
    within(text, 1e6, "a number from 0 to 1000000 would be right")
}

fn parse_extrapolation(text: &str) -> Result<f64, String> {
    within(text, 10.0, "a number from 0 to 10 would be right")
}

fn within(text: &str, most: f64, wrong: &str) -> Result<f64, String> {
    text.parse().ok().filter(|value: &f64| (0.0..=most).contains(value)).ok_or_else(|| wrong.to_string())
}
