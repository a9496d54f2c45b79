//! `surefoot plan steps`: footprints along a path.

use crate::gait::{parse_length, parse_speed};
use crate::output::{Force, check_distinct, is_stdout};
use crate::report::{Failure, Format, print_result, say};
use crate::scene_args::{PictureArg, check_scene, name_of};
use crate::terrain_arg::TerrainArg;
use serde_json::json;
use std::path::{Path, PathBuf};
use surefoot::formats::{own, read_bytes};
use surefoot::gait::{PlanStepsError, PlanStepsOptions, PlannedSteps};
use surefoot::geom::Vec2;
use surefoot::ground::{Path as Way, Place, Scene, Terrain};
use surefoot::picture::TopView;
use surefoot::{PersonSteps, PersonStepsError, blocked_place, check_path_in_scene, plan_person_steps};

/// Arguments of `plan steps`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Path over the ground; `-` is standard input
    #[arg(value_name = "PATH.path.json")]
    path: PathBuf,
    /// The foot plan; `-` is standard output
    #[arg(long, short, value_name = "FILE.plan.json", help_heading = "Output")]
    output: PathBuf,
    #[command(flatten)]
    force: Force,
    #[command(flatten)]
    picture: PictureArg,
    /// Speed of the walk: 5km/h, 1.4m/s [default: 5 km/h at 1.8 m, alike at other heights]
    #[arg(long, value_parser = parse_speed, allow_negative_numbers = true)]
    speed: Option<f64>,
    /// Height of the person, 0.5 to 2.5 m
    #[arg(long, value_name = "LENGTH", default_value = "1.8", value_parser = parse_length, allow_negative_numbers = true)]
    height: f64,
    /// No footprint stands on an obstacle of this scene or leaves its bounds; its start and goal tell where the person faces
    #[arg(long, value_name = "FILE.scene.json")]
    scene: Option<PathBuf>,
    #[command(flatten)]
    terrain: TerrainArg,
}

/// An end of a path this near to a scene's start or goal is there, in metres.
const SAME_PLACE: f64 = 0.05;

/// Runs `plan steps`.
pub(super) fn run(args: &Args, format: Format) -> Result<(), Failure> {
    let outputs = [Some(&args.output), args.picture.picture.as_ref()].into_iter().flatten();
    check_distinct(outputs.map(PathBuf::as_path))?;
    args.force.check(&args.output, format)?;
    args.picture.check(args.force, format)?;
    let way = own::read_path(&read_bytes(&args.path)?).map_err(|error| error.in_file(&args.path))?;
    let scene = args.scene.as_deref().map(|file| read(file, args, format)).transpose()?;
    let terrain = args.terrain.load()?.or_else(|| scene.as_ref().and_then(|scene| scene.terrain.clone()));
    // Without a scene the picture has the path alone.
    let around = scene.clone().unwrap_or_else(|| around_path(&way));
    let title = name_of(&args.path);
    let view = TopView { path: &way.points, ..TopView::of_scene(&title, &around) };
    if let Some(scene) = &scene {
        check_path_in_scene(scene, &way).map_err(|error| {
            let file = args.scene.as_deref().map_or_else(String::new, |file| format!(" ({})", file.display()));
            let failure = Failure::of_file("path", &args.path, format!("{error}{file}"));
            args.picture.show(&view, blocked_place(&error), failure, (args.force, format))
        })?;
    }
    let made = plan(args, &way, scene.as_ref(), terrain.as_ref()).map_err(|error| {
        let at = match &error {
            PersonStepsError::Steps(PlanStepsError::Blocked { at, .. }) => Some(*at),
            _ => None,
        };
        args.picture.show(&view, at, failure(&error, args), (args.force, format))
    })?;
    args.force.write(&args.output, own::write_plan(&made.steps.plan).as_bytes())?;
    tell(args, &way, &made.steps, format)?;
    let note = format!("{} footprints", made.steps.plan.footprints.len());
    let view = TopView { note: &note, footprints: Some((&made.steps.plan, made.soles)), ..view };
    args.picture.write(&view, args.force, format)
}

fn read(file: &Path, args: &Args, format: Format) -> Result<Scene, Failure> {
    let draft = own::draft_scene(&read_bytes(file)?).map_err(|error| error.in_file(file))?;
    check_scene(file, draft, &args.picture, (args.force, format))
}

fn plan(
    args: &Args,
    way: &Way,
    scene: Option<&Scene>,
    terrain: Option<&Terrain>,
) -> Result<PersonSteps, PersonStepsError> {
    // A scene's headings count for a path that begins or ends where it does.
    let heading = |place: Option<Place>, end: Option<&Vec2>| {
        place.filter(|place| end.is_some_and(|end| end.distance(place.position) < SAME_PLACE))?.heading
    };
    let options = PlanStepsOptions {
        scene,
        terrain,
        start_heading: heading(scene.and_then(|scene| scene.start), way.points.first()),
        goal_heading: heading(scene.and_then(|scene| scene.goal), way.points.last()),
        first: None,
    };
    plan_person_steps(args.height, args.speed, way, &options)
}

fn failure(error: &PersonStepsError, args: &Args) -> Failure {
    let message = error.to_string();
    match error {
        PersonStepsError::Person(_) => Failure::new("body", format!("--height: {message}")),
        PersonStepsError::Speed(_) => Failure::new("parameter", format!("--speed: {message}")),
        PersonStepsError::Rig(_) => Failure::new("body", message),
        PersonStepsError::Steps(PlanStepsError::TooMany { .. }) => Failure::of_file("too_long", &args.path, message),
        PersonStepsError::Steps(_) => Failure::of_file("infeasible", &args.path, message),
    }
}

/// A scene without obstacles, for the picture of a path.
fn around_path(way: &Way) -> Scene {
    let low = way.points.iter().fold(Vec2::INFINITY, |low, &point| low.min(point)) - Vec2::splat(0.5);
    let high = way.points.iter().fold(Vec2::NEG_INFINITY, |high, &point| high.max(point)) + Vec2::splat(0.5);
    let bounds = vec![low, Vec2::new(high.x, low.y), high, Vec2::new(low.x, high.y)];
    Scene { bounds, obstacles: Vec::new(), terrain: None, start: None, goal: None }
}

fn tell(args: &Args, way: &Way, steps: &PlannedSteps, format: Format) -> Result<(), Failure> {
    let farthest = steps.moved.iter().fold(0.0, |most: f64, moved| most.max(moved.1));
    match format {
        Format::Json => print_result(
            "plan steps",
            &json!({
                "path": args.path.display().to_string(),
                "output": args.output.display().to_string(),
                "picture_output": args.picture.picture.as_ref().map(|path| path.display().to_string()),
                "path_length_m": way.length(),
                "footprints": steps.plan.footprints.len(),
                "full_step_m": steps.full_step,
                "shortest_step_m": steps.shortest_step,
                "moved": steps.moved.iter().map(|(footprint, away)| json!({ "footprint": footprint, "by_m": away }))
                    .collect::<Vec<_>>(),
            }),
        ),
        Format::Human => {
            let lengths = steps.shortest_step.map_or_else(String::new, |shortest| {
                format!("; steps of {:.2} m, {shortest:.2} m in the tightest bend", steps.full_step)
            });
            say(&format!(
                "{}: {:.2} m, {} footprints{lengths}",
                args.path.display(),
                way.length(),
                steps.plan.footprints.len()
            ));
            if !steps.moved.is_empty() {
                let n = steps.moved.len();
                let what = if n == 1 { "footprint" } else { "footprints" };
                let why = "so that no foot stands on the other or on an obstacle";
                say(&format!("  {n} {what} moved by {:.0} cm at most, {why}", 100.0 * farthest));
            }
            if !is_stdout(&args.output) {
                say(&format!("wrote {}", args.output.display()));
            }
            Ok(())
        }
    }
}
