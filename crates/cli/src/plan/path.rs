//! `surefoot plan path`: a way through a scene.

use crate::graph::counted;
use crate::output::{Force, check_distinct, is_stdout};
use crate::report::{Failure, Format, print_result, say};
use crate::scene_args::{PictureArg, PlaceArgs, name_of, parse_clearance, read_scene};
use serde_json::json;
use std::path::{Path, PathBuf};
use surefoot::formats::own;
use surefoot::geom::Vec2;
use surefoot::ground::Scene;
use surefoot::picture::TopView;
use surefoot::{PathRequest, PlannedPath, plan_path};

/// Arguments of `plan path`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Scene with obstacles; `-` is standard input
    #[arg(value_name = "SCENE.scene.json")]
    scene: PathBuf,
    /// The path; `-` is standard output
    #[arg(long, short, value_name = "FILE.path.json", help_heading = "Output")]
    output: PathBuf,
    #[command(flatten)]
    force: Force,
    #[command(flatten)]
    picture: PictureArg,
    /// How far from every outline the path stays, in metres
    #[arg(long, value_name = "METRES", default_value = "0.3", value_parser = parse_clearance, allow_negative_numbers = true, help_heading = "Path")]
    clearance: f64,
    #[command(flatten)]
    places: PlaceArgs,
}

/// Runs `plan path`.
pub(super) fn run(args: &Args, format: Format) -> Result<(), Failure> {
    let outputs = [Some(&args.output), args.picture.picture.as_ref()].into_iter().flatten();
    check_distinct(outputs.map(PathBuf::as_path))?;
    args.force.check(&args.output, format)?;
    args.picture.check(args.force, format)?;
    let scene = read_scene(&args.scene, &args.places, &args.picture, (args.force, format))?;
    let request = PathRequest {
        start: args.places.start,
        goal: args.places.goal,
        clearance: args.clearance,
        drawing: args.places.drawing(),
    };
    let title = name_of(&args.scene);
    let planned = plan_path(&scene, &request).map_err(|error| {
        let failure = args.places.failure(&error, &args.scene);
        args.picture.show(&places_of(&title, &scene, &request), error.place(), failure, (args.force, format))
    })?;
    args.force.write(&args.output, own::write_path(&planned.path).as_bytes())?;
    tell(args, &planned, format);
    let map: Vec<Vec<Vec2>> =
        planned.map.backbones().map(|disks| disks.iter().map(|disk| disk.centre).collect()).collect();
    let note = format!("{:.2} m, at least {:.3} m from everything", planned.path.length(), planned.least_clearance);
    let view = TopView {
        note: &note,
        map: &map,
        corridor: planned.corridor.disks(),
        path: &planned.path.points,
        ..places_of(&title, &scene, &request)
    };
    args.picture.write(&view, args.force, format)?;
    if format == Format::Json {
        let shown = |path: &Path| path.display().to_string();
        print_result(
            "plan path",
            &json!({
                "scene": shown(&args.scene),
                "output": shown(&args.output),
                "picture_output": args.picture.picture.as_deref().map(shown),
                "length_m": planned.path.length(),
                "points": planned.path.points.len(),
                "clearance_m": args.clearance,
                "least_clearance_m": planned.least_clearance,
                "discs": planned.corridor.disks().len(),
                "obstacles": scene.obstacles.len(),
            }),
        )?;
    }
    Ok(())
}

/// The scene with the start and the goal that count.
fn places_of<'a>(title: &'a str, scene: &'a Scene, request: &PathRequest) -> TopView<'a> {
    let view = TopView::of_scene(title, scene);
    TopView { start: request.start.or(view.start), goal: request.goal.or(view.goal), ..view }
}

fn tell(args: &Args, planned: &PlannedPath, format: Format) {
    if format == Format::Json {
        return;
    }
    say(&format!(
        "{}: a path of {:.2} m among {}, {:.3} m from everything at least ({} m asked for)",
        args.scene.display(),
        planned.path.length(),
        counted(planned.map.scene().obstacles.len(), "obstacle"),
        planned.least_clearance,
        args.clearance
    ));
    say(&format!("  corridor of {} discs, {:.2} m long", planned.corridor.disks().len(), planned.corridor.length()));
    if !is_stdout(&args.output) {
        say(&format!("wrote {}: {} points", args.output.display(), planned.path.points.len()));
    }
}
