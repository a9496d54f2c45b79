//! `surefoot go`: a scene becomes a walking person.

use crate::character_args::{CharacterArgs, print_character};
use crate::gait::{parse_frame_rate, parse_length, parse_speed};
use crate::graph::counted;
use crate::motion_args::{MotionArgs, print_synthesis};
use crate::report::{Failure, Format, print_status};
use crate::run_job::run_job;
use crate::scene_args::{PictureArg, PlaceArgs, parse_clearance};
use crate::terrain_arg::TerrainArg;
use std::path::PathBuf;
use surefoot::jobs::{
    AbstractionName, GoReport, GoRequest, GraphWalkReport, SceneFollowRequest, SynthesizerName, TouchesReport,
};

/// Arguments of `go`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Scene with obstacles; `-` is standard input
    #[arg(value_name = "SCENE.scene.json")]
    scene: PathBuf,
    #[command(flatten)]
    motion: MotionArgs,
    #[command(flatten)]
    picture: PictureArg,
    /// Write the path that was planned
    #[arg(long, value_name = "FILE.path.json", help_heading = OUTPUT)]
    write_path: Option<PathBuf>,
    /// Write the footprints: as planned, or as the graph's walk took them
    #[arg(long, value_name = "FILE.plan.json", help_heading = OUTPUT)]
    write_plan: Option<PathBuf>,
    /// Frames per second of the motion, 1 to 1000; a graph has its own [default: 60]
    #[arg(long, alias = "fps", value_name = "FPS", value_parser = parse_frame_rate, allow_negative_numbers = true, help_heading = OUTPUT)]
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
    /// Speed: 5km/h, 1.4m/s; who is faster than 7.9 km/h runs, a graph has its own [default: 5 km/h at 1.8 m, alike at
    /// other heights]
    #[arg(long, value_parser = parse_speed, allow_negative_numbers = true, help_heading = MOTION)]
    speed: Option<f64>,
    /// With gait: height of our own figure, 0.5 to 2.5 m [default: 1.8]
    #[arg(long, value_name = "LENGTH", value_parser = parse_length, allow_negative_numbers = true, help_heading = MOTION)]
    height: Option<f64>,
    #[command(flatten)]
    character: CharacterArgs,
    #[command(flatten)]
    follow: GraphArgs,
    /// How far from every outline the path keeps, in metres [default: half a person with swinging arms, 0.3 m at 1.8 m, and
    /// how far the walk strays from the path: 0.07 m, or 0.25 m with a graph]
    #[arg(long, value_name = "METRES", value_parser = parse_clearance, allow_negative_numbers = true, help_heading = "Path")]
    clearance: Option<f64>,
    #[command(flatten)]
    places: PlaceArgs,
    #[command(flatten)]
    terrain: TerrainArg,
}

const OUTPUT: &str = "Output";
const MOTION: &str = "Motion";

/// What only graphs have.
#[derive(clap::Args)]
#[command(next_help_heading = MOTION)]
struct GraphArgs {
    /// With a graph: foot locking, by footskate cleanup
    #[arg(long)]
    clean: bool,
    /// With a graph: warp the walk to the path
    #[arg(long)]
    fit_path: bool,
    /// With a graph: what of the body is kept on the path [default: gaussian]
    #[arg(long, value_name = "NAME", value_parser = parse_abstraction)]
    abstraction: Option<AbstractionName>,
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

/// Runs `go`.
pub(crate) fn run(args: &Args, format: Format) -> Result<(), Failure> {
    let request = GoRequest {
        scene: args.scene.clone(),
        output: args.motion.output()?,
        with: match args.with {
            With::Steps => SynthesizerName::Steps,
            With::Graph => SynthesizerName::Graph,
            With::Gait => SynthesizerName::Gait,
        },
        on: args.character.request(),
        terrain: args.terrain.request(),
        db: args.db.clone(),
        graph: args.graph.clone(),
        follow: SceneFollowRequest {
            clean: args.follow.clean,
            fit_path: args.follow.fit_path,
            abstraction: args.follow.abstraction,
        },
        height: args.height,
        speed: args.speed,
        frame_rate: args.frame_rate,
        clearance: args.clearance,
        places: args.places.request(),
        write_contacts: args.motion.write_contacts.clone(),
        write_path: args.write_path.clone(),
        write_plan: args.write_plan.clone(),
        picture: args.picture.picture.clone(),
        report: args.motion.report.report.clone(),
        if_exists: args.motion.force.if_exists(),
    };
    run_job(&request, format, |report| {
        print_report(report);
        Ok(())
    })
}

fn parse_abstraction(text: &str) -> Result<AbstractionName, String> {
    match text {
        "pelvis" => Ok(AbstractionName::Pelvis),
        "joints" => Ok(AbstractionName::Joints),
        "extrema" => Ok(AbstractionName::Extrema),
        "gaussian" => Ok(AbstractionName::Gaussian),
        "b-spline" => Ok(AbstractionName::BSpline),
        _ => Err("one of pelvis, joints, extrema, gaussian, b-spline would be right".to_string()),
    }
}

/// What was done, for people: the verdict first.
fn print_report(report: &GoReport) {
    print_synthesis(&report.synthesis, &report.motion);
    print_character(report.on.as_ref());
    print_status(&format!(
        "  {}: a path of {:.2} m, {:.3} m from everything at least ({:.2} m requested)",
        report.scene, report.path_length_m, report.least_clearance_m, report.clearance_m
    ));
    print_status(&format!(
        "  walked with {} in {:.2} s, {} footprints",
        report.with.name(),
        report.synthesis.seconds,
        report.synthesis.footprints
    ));
    if let Some(graph) = &report.graph {
        print_graph(graph);
    }
    if let (Some(moved @ 1..), Some(farthest)) = (report.moved_footprints, report.farthest_move_m) {
        let why = "so that no foot is on the other or on an obstacle";
        print_status(&format!("  footprints moved: {moved}, by {:.0} cm at most, {why}", 100.0 * farthest));
    }
    print_touches(&report.touches);
}

fn print_graph(graph: &GraphWalkReport) {
    let strayed = graph.largest_path_distance_m;
    let strayed = strayed.map_or(String::new(), |strayed| format!(", pelvis at most {strayed:.2} m off it"));
    print_status(&format!(
        "  {}, begun at node {}{strayed}, and {:.2} m from the goal at its end",
        counted(graph.blends, "blend"),
        graph.start_node,
        graph.goal_distance_m
    ));
    if graph.tried.len() > 1 {
        let n = graph.tried.len() - 1;
        print_status(&format!("  note[tries] walks begun at {n} other nodes touched something or missed the goal"));
    }
    if !graph.reached_goal {
        print_status(
            "  misses the goal; a graph of more clips, or of clips that turn as the path does, would come nearer",
        );
    }
    print_status("  note[heading] a graph begins and ends in stride, and faces along the path at both ends");
}

fn print_touches(touches: &TouchesReport) {
    match (&touches.first, &touches.nearest) {
        (None, Some(near)) => print_status(&format!(
            "  touches nothing; nearest is the {} with {:.1} cm between it and {}, frame {}",
            near.part,
            -0.1 * near.depth_mm,
            near.with,
            near.frame
        )),
        (None, None) => print_status("  touches nothing, and nothing is within half a metre"),
        (Some(first), _) => {
            print_status(&format!("  touches something in {} frames; first: {first}", touches.frames));
            let each = touches.deepest.iter().take(5);
            each.for_each(|touch| print_status(&format!("    deepest with {}: {touch}", touch.with)));
            print_status("  a larger --clearance would keep it away; with a graph, --fit-path too");
        }
    }
}
