//! `surefoot go`: a scene becomes a walking person.

use crate::gait::{parse_frame_rate, parse_length, parse_speed};
use crate::graph::{counted, graph_of};
use crate::output::{Force, check_distinct, output_format};
use crate::report::{Failure, Format, print_result, say};
use crate::scene_args::{PictureArg, PlaceArgs, name_of, parse_clearance, read_scene};
use crate::steps::database_of;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use surefoot::formats::gltf::BodyMesh;
use surefoot::formats::own;
use surefoot::geom::{Vec2, ground_point};
use surefoot::graph::Abstraction;
use surefoot::ground::Scene;
use surefoot::picture::TopView;
use surefoot::plan::Touch;
use surefoot::{ConvertOptions, FollowRequest, GoError, GoRequest, SceneWalk, Synthesis, convert, go};

/// Arguments of `go`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Scene with obstacles; `-` is standard input
    #[arg(value_name = "SCENE.scene.json")]
    scene: PathBuf,
    /// The motion: bvh, glb or gltf by its ending
    #[arg(long, short, value_name = "FILE", help_heading = OUTPUT)]
    output: PathBuf,
    #[command(flatten)]
    force: Force,
    #[command(flatten)]
    picture: PictureArg,
    /// Write when heels and balls stand
    #[arg(long, visible_alias = "write-contacts", value_name = "FILE.contacts.json", help_heading = OUTPUT)]
    contacts: Option<PathBuf>,
    /// Write the path that was planned
    #[arg(long, value_name = "FILE.path.json", help_heading = OUTPUT)]
    write_path: Option<PathBuf>,
    /// Write where feet stand: as planned, or as the graph's walk has them
    #[arg(long, value_name = "FILE.plan.json", help_heading = OUTPUT)]
    write_plan: Option<PathBuf>,
    /// Frames per second of the motion; a graph has its own [default: 60]
    #[arg(long, visible_alias = "fps", value_name = "FPS", value_parser = parse_frame_rate, allow_negative_numbers = true, help_heading = OUTPUT)]
    frame_rate: Option<f64>,
    /// Who makes the motion
    #[arg(long, value_enum, default_value = "steps", help_heading = MOTION)]
    with: With,
    /// With steps: step database (`surefoot steps build`) [default: the built-in corpus]
    #[arg(long, value_name = "FILE.steps", help_heading = MOTION)]
    db: Option<PathBuf>,
    /// With a graph: motion graph (`surefoot graph build`) [default: the built-in corpus]
    #[arg(long, value_name = "FILE.graph", help_heading = MOTION)]
    graph: Option<PathBuf>,
    /// Speed of the walk: 5km/h, 1.4m/s; a graph has its own [default: 5 km/h at 1.8 m, alike at other heights]
    #[arg(long, value_parser = parse_speed, allow_negative_numbers = true, help_heading = MOTION)]
    speed: Option<f64>,
    /// With gait: height of our own figure, 0.5 to 2.5 m [default: 1.8]
    #[arg(long, value_name = "LENGTH", value_parser = parse_length, allow_negative_numbers = true, help_heading = MOTION)]
    height: Option<f64>,
    #[command(flatten)]
    follow: GraphArgs,
    /// How far from every outline the path stays, in metres [default: half a person with swinging arms, 0.3 m at 1.8 m, and
    /// how far the walk strays from the path: 0.07 m, or 0.25 m with a graph]
    #[arg(long, value_name = "METRES", value_parser = parse_clearance, allow_negative_numbers = true, help_heading = "Path")]
    clearance: Option<f64>,
    #[command(flatten)]
    places: PlaceArgs,
}

const OUTPUT: &str = "Output";
const MOTION: &str = "Motion";

/// What only graphs have.
#[derive(clap::Args)]
#[command(next_help_heading = MOTION)]
struct GraphArgs {
    /// With a graph: hold feet where they stand
    #[arg(long)]
    clean: bool,
    /// With a graph: bend the walk onto the path
    #[arg(long)]
    fit_path: bool,
    /// With a graph: what of the body follows the path [default: gaussian]
    #[arg(long, value_name = "NAME", value_parser = parse_abstraction)]
    abstraction: Option<Abstraction>,
}

impl GraphArgs {
    fn request(&self) -> FollowRequest {
        let usual = FollowRequest::default();
        FollowRequest {
            clean: self.clean,
            fit_path: self.fit_path,
            abstraction: self.abstraction.unwrap_or(usual.abstraction),
            ..usual
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum With {
    /// Recorded or built-in steps blended, feet exactly on planned footprints
    Steps,
    /// A motion graph of recorded or built-in clips that follows the path
    Graph,
    /// Procedural gait, feet exactly on planned footprints
    Gait,
}

impl With {
    fn name(self) -> &'static str {
        match self {
            With::Steps => "steps",
            With::Graph => "graph",
            With::Gait => "gait",
        }
    }
}

/// Runs `go`.
pub(crate) fn run(args: &Args, format: Format) -> Result<(), Failure> {
    check_usage(args)?;
    check_outputs(args, format)?;
    let scene = read_scene(&args.scene, &args.places, &args.picture, (args.force, format))?;
    let walk = walk(args, &scene, format)?;
    if format == Format::Human {
        tell(args, &walk);
    }
    write(args, &scene, &walk, format)?;
    if format == Format::Json {
        print_result("go", &to_json(args, &walk))?;
    }
    let touches = walk.touches.deepest.first().map(|deepest| format!("touches something: {}", told(deepest)));
    let misses = walk.missed_goal().map(|missed| format!("ends {missed:.2} m from the goal"));
    let wrong: Vec<String> = touches.into_iter().chain(misses).collect();
    if wrong.is_empty() {
        Ok(())
    } else {
        Err(Failure::reported(surefoot::jobs::JobError::not_met("gate", format!("the walk {}", wrong.join(", and ")))))
    }
}

/// Options that mean nothing with the chosen synthesiser are mistakes.
fn check_usage(args: &Args) -> Result<(), Failure> {
    let given = [
        ("--db", args.db.is_some(), With::Steps),
        ("--graph", args.graph.is_some(), With::Graph),
        ("--clean", args.follow.clean, With::Graph),
        ("--fit-path", args.follow.fit_path, With::Graph),
        ("--abstraction", args.follow.abstraction.is_some(), With::Graph),
        ("--height", args.height.is_some(), With::Gait),
    ];
    if let Some((option, _, with)) = given.into_iter().find(|(_, given, with)| *given && *with != args.with) {
        let (name, own) = (with.name(), args.with.name());
        return Err(Failure::new("usage", format!("{option} goes with --with {name}, not with --with {own}")));
    }
    for (option, is_given) in [("--speed", args.speed.is_some()), ("--frame-rate", args.frame_rate.is_some())] {
        if is_given && args.with == With::Graph {
            let message = format!("{option} does not go with --with graph: its clips have their own");
            return Err(Failure::new("usage", message));
        }
    }
    Ok(())
}

fn check_outputs(args: &Args, format: Format) -> Result<(), Failure> {
    output_format(&args.output)?;
    let more = [&args.contacts, &args.write_path, &args.write_plan, &args.picture.picture].into_iter().flatten();
    let outputs: Vec<&Path> = std::iter::once(&args.output).chain(more).map(PathBuf::as_path).collect();
    check_distinct(outputs.iter().copied())?;
    args.picture.check(args.force, format)?;
    outputs.iter().try_for_each(|path| args.force.check(path, format))
}

fn walk(args: &Args, scene: &Scene, format: Format) -> Result<SceneWalk, Failure> {
    let wish = |synthesis: Synthesis<'_>| {
        let request = GoRequest {
            start: args.places.start,
            goal: args.places.goal,
            clearance: args.clearance,
            drawing: args.places.drawing(),
            speed: args.speed,
            frame_rate: args.frame_rate.unwrap_or(60.0),
            synthesis,
        };
        go(scene, &request).map_err(|error| {
            let title = name_of(&args.scene);
            let view = TopView::of_scene(&title, scene);
            let view =
                TopView { start: args.places.start.or(view.start), goal: args.places.goal.or(view.goal), ..view };
            args.picture.show(&view, error.place(), failure(&error, args), (args.force, format))
        })
    };
    match args.with {
        With::Steps => wish(Synthesis::Steps(&Arc::new(database_of(args.db.as_deref())?))),
        With::Gait => wish(Synthesis::Gait(args.height.unwrap_or(1.8))),
        With::Graph => {
            let graph = graph_of(args.graph.as_deref())?.graph;
            wish(Synthesis::Graph(&graph, &args.follow.request()))
        }
    }
}

fn failure(error: &GoError, args: &Args) -> Failure {
    let message = error.to_string();
    match error {
        GoError::Path(error) => args.places.failure(error, &args.scene),
        GoError::Speed(_) => Failure::new("parameter", format!("--speed: {message}")),
        GoError::Person(_) => Failure::new("body", format!("--height: {message}")),
        GoError::Rig(_) => match &args.db {
            Some(file) => Failure::of_file("body", file, message),
            None => Failure::new("body", message),
        },
        GoError::Uneven => Failure::of_file("terrain", &args.scene, message),
        GoError::Steps(_) | GoError::Animate(_) | GoError::Gait(_) | GoError::Graph(_) => {
            Failure::of_file("infeasible", &args.scene, message)
        }
    }
}

fn parse_abstraction(text: &str) -> Result<Abstraction, String> {
    let names = Abstraction::ALL.map(Abstraction::name).join(", ");
    let found = Abstraction::ALL.into_iter().find(|abstraction| abstraction.name() == text);
    found.ok_or_else(|| format!("one of {names} would be right"))
}

/// `left arm 12 mm in obstacles[3], frame 40`.
fn told(touch: &Touch) -> String {
    format!("{} {:.0} mm in {}, frame {}", touch.part, 1000.0 * touch.depth, touch.with, touch.frame)
}

fn tell(args: &Args, walk: &SceneWalk) {
    let clip = &walk.take.clip;
    say(&format!(
        "{}: a path of {:.2} m, {:.3} m from everything at least ({:.2} m asked for)",
        args.scene.display(),
        walk.planned.path.length(),
        walk.planned.least_clearance,
        walk.clearance
    ));
    let seconds = clip.n_frames() as f64 / clip.frame_rate;
    say(&format!(
        "  walked with {} in {seconds:.2} s, {} footprints",
        args.with.name(),
        walk.footprints.footprints.len()
    ));
    if let Some(placement) = walk.placement {
        say(&format!("  planted feet stand within {:.4} mm of their footprints", 1000.0 * placement));
    }
    if let Some(graph) = &walk.graph {
        let strayed = graph.strayed.map_or(String::new(), |strayed| format!(", pelvis at most {strayed:.2} m off it"));
        let taken = graph.tried[graph.taken];
        say(&format!(
            "  {}, begun at node {}{strayed}, and {:.2} m from the goal at its end",
            counted(graph.n_blends, "blend"),
            taken.start,
            taken.missed
        ));
        if graph.tried.len() > 1 {
            let n = graph.tried.len() - 1;
            say(&format!("  note[tries] walks begun at {n} other nodes touched something or missed the goal"));
        }
        if walk.missed_goal().is_some() {
            say("  misses the goal; a graph of more clips, or of clips that turn as the path does, would come nearer");
        }
        say("  note[heading] a graph begins and ends in stride, and faces along the path at both ends");
    }
    if let Some(steps) = walk.steps.as_ref().filter(|steps| !steps.moved.is_empty()) {
        let farthest = steps.moved.iter().fold(0.0, |most: f64, moved| most.max(moved.1));
        let why = "so that no foot stands on the other or on an obstacle";
        say(&format!("  footprints moved: {}, by {:.0} cm at most, {why}", steps.moved.len(), 100.0 * farthest));
    }
    match (&walk.touches.first, &walk.touches.nearest) {
        (None, Some(near)) => say(&format!(
            "  touches nothing; nearest is the {} with {:.1} cm between it and {}, frame {}",
            near.part,
            -100.0 * near.depth,
            near.with,
            near.frame
        )),
        (None, None) => say("  touches nothing, and nothing is within half a metre"),
        (Some(first), _) => {
            say(&format!("  touches something in {} frames; first: {}", walk.touches.n_frames, told(first)));
            let each = walk.touches.deepest.iter().take(5);
            each.for_each(|touch| say(&format!("    deepest with {}: {}", touch.with, told(touch))));
            say("  a larger --clearance would keep it away; with a graph, --fit-path too");
        }
    }
}

fn write(args: &Args, scene: &Scene, walk: &SceneWalk, format: Format) -> Result<(), Failure> {
    let take = &walk.take;
    let options = ConvertOptions { body_mesh: BodyMesh::With, ..ConvertOptions::default() };
    let converted =
        convert(&take.clip, Some(&walk.take.body), Some(&take.contacts), output_format(&args.output)?, &options)
            .map_err(|error| Failure::of_file("output", &args.output, error.to_string()))?;
    args.force.write(&args.output, &converted.bytes)?;
    if format == Format::Human {
        let n_frames = take.clip.n_frames();
        say(&format!("wrote {}: {n_frames} frames, {}", args.output.display(), converted.convention));
    }
    let more = [
        (&args.contacts, own::write_contacts(&take.contacts)),
        (&args.write_path, own::write_path(&walk.planned.path)),
        (&args.write_plan, own::write_plan(&walk.footprints)),
    ];
    for (path, text) in &more {
        let Some(path) = path else { continue };
        args.force.write(path, text.as_bytes())?;
        if format == Format::Human {
            say(&format!("wrote {}", path.display()));
        }
    }
    if args.picture.picture.is_none() {
        return Ok(());
    }
    let pelvis = pelvis_way(walk);
    let marks: Vec<(Vec2, String)> = walk.touches.deepest.iter().map(|touch| (touch.at, told(touch))).collect();
    let title = name_of(&args.scene);
    let note = format!(
        "{:.2} m with {}; touches {}{}",
        walk.planned.path.length(),
        args.with.name(),
        match marks.len() {
            0 => "nothing".to_string(),
            1 => "one thing".to_string(),
            n => format!("{n} things"),
        },
        walk.missed_goal().map_or(String::new(), |missed| format!("; ends {missed:.2} m from the goal"))
    );
    let points = &walk.planned.path.points;
    let view = TopView {
        note: &note,
        start: points.first().copied(),
        goal: points.last().copied(),
        corridor: walk.planned.corridor.disks(),
        path: points,
        footprints: Some((&walk.footprints, walk.soles)),
        pelvis: &pelvis,
        marks: &marks,
        ..TopView::of_scene(&title, scene)
    };
    args.picture.write(&view, args.force, format)
}

fn pelvis_way(walk: &SceneWalk) -> Vec<Vec2> {
    walk.take.clip.world().iter().map(|pose| ground_point(pose.position(walk.take.body.pelvis))).collect()
}

fn touch_json(touch: &Touch) -> Value {
    json!({
        "frame": touch.frame,
        "part": touch.part.to_string(),
        "with": touch.with.to_string(),
        "depth_mm": 1000.0 * touch.depth,
        "at": [touch.at.x, touch.at.y],
    })
}

fn to_json(args: &Args, walk: &SceneWalk) -> Value {
    let shown = |path: &Option<PathBuf>| path.as_ref().map(|path| path.display().to_string());
    let clip = &walk.take.clip;
    json!({
        "scene": args.scene.display().to_string(),
        "with": args.with.name(),
        "output": args.output.display().to_string(),
        "contacts_output": shown(&args.contacts),
        "path_output": shown(&args.write_path),
        "plan_output": shown(&args.write_plan),
        "picture_output": shown(&args.picture.picture),
        "frames": clip.n_frames(),
        "frame_rate": clip.frame_rate,
        "path_length_m": walk.planned.path.length(),
        "clearance_m": walk.clearance,
        "least_clearance_m": walk.planned.least_clearance,
        "footprints": walk.footprints.footprints.len(),
        "moved_footprints": walk.steps.as_ref().map(|steps| steps.moved.len()),
        "largest_placement_error_mm": walk.placement.map(|error| 1000.0 * error),
        "graph": walk.graph.as_ref().map(|graph| json!({
            "start_node": graph.tried[graph.taken].start,
            "goal_distance_m": graph.tried[graph.taken].missed,
            "reached_goal": walk.missed_goal().is_none(),
            "tried": graph.tried.iter().map(|walk| json!({
                "node": walk.start, "deepest_mm": 1000.0 * walk.depth, "goal_distance_m": walk.missed,
            })).collect::<Vec<_>>(),
            "blends": graph.n_blends,
            "largest_path_distance_m": graph.strayed,
        })),
        "touches": {
            "frames": walk.touches.n_frames,
            "first": walk.touches.first.as_ref().map(touch_json),
            "deepest": walk.touches.deepest.iter().map(touch_json).collect::<Vec<_>>(),
            "nearest": walk.touches.nearest.as_ref().map(touch_json),
        },
    })
}
