//! `surefoot graph follow`: a walk along a path through a graph.

use crate::character_args::{CharacterArgs, print_character};
use crate::edited_motion::{motion_output, parse_format, print_motion};
use crate::engine_args::EngineArgs;
use crate::output::{Force, ReportArg};
use crate::report::{Failure, Format, print_status};
use crate::run_job::run_job;
use crate::terrain_arg::TerrainArg;
use std::path::PathBuf;
use surefoot::jobs::{AbstractionName, FollowGraphReport, FollowGraphRequest, MotionFormat, ProgressName};

/// Arguments of `graph follow`.
#[derive(clap::Args)]
pub(super) struct Args {
    /// Motion graph; `corpus` is that of the built-in walks
    #[arg(value_name = "FILE.graph")]
    graph: PathBuf,
    /// Path to follow; `-` is standard input
    #[arg(value_name = "FILE.path.json")]
    path: PathBuf,
    /// The motion: bvh, glb, gltf, fbx or take by its ending; `-` is standard output, as a take or in the format of --to
    #[arg(long, short, value_name = "FILE")]
    output: PathBuf,
    /// Format of the motion, where its ending does not name it: bvh, glb, gltf, fbx or take
    #[arg(long, value_name = "FORMAT", value_parser = parse_format)]
    to: Option<MotionFormat>,
    #[command(flatten)]
    force: Force,
    #[command(flatten)]
    report: ReportArg,
    #[command(flatten)]
    character: CharacterArgs,
    /// What of the body is kept on the path
    #[arg(long, value_enum, default_value = "gaussian")]
    abstraction: AbstractionArg,
    /// Frames that each search looks ahead [default: 80]
    #[arg(long, value_name = "FRAMES")]
    look_ahead: Option<usize>,
    /// Frames of what a search found that are kept before the next [default: 25]
    #[arg(long, value_name = "FRAMES")]
    commit: Option<usize>,
    /// Node to begin at [default: 0]
    #[arg(long, alias = "start", value_name = "N", conflicts_with = "seed")]
    start_node: Option<usize>,
    /// Begin at a random node, the same for the same seed
    #[arg(long, value_name = "S")]
    seed: Option<u64>,
    /// How far along the path a walk is after each search
    #[arg(long, value_enum, default_value = "nearest")]
    progress: ProgressArg,
    /// Foot locking: planted feet stay planted, by footskate cleanup
    #[arg(long)]
    clean: bool,
    /// Warp the walk to the path afterwards
    #[arg(long)]
    fit_path: bool,
    #[command(flatten)]
    terrain: TerrainArg,
    #[command(flatten)]
    engine: EngineArgs,
    /// Write the contacts of the result
    #[arg(long, alias = "contacts", value_name = "FILE.contacts.json")]
    write_contacts: Option<PathBuf>,
    /// Draw path, abstraction and pelvis from above
    #[arg(long, alias = "plot", value_name = "FILE.svg")]
    picture: Option<PathBuf>,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum ProgressArg {
    /// To the nearest place of the path
    Nearest,
    /// As far as it has travelled, as the paper counts: long walks fall behind
    Travelled,
}

/// The standard method and the abstractions of GRAPH 6.1.
#[derive(Clone, Copy, clap::ValueEnum)]
enum AbstractionArg {
    /// The pelvis itself, which loses its sway
    Pelvis,
    /// The mean of knees, ankles and feet
    Joints,
    /// Middles between the points where the pelvis sways farthest
    Extrema,
    /// The pelvis's trajectory smoothed over its length
    Gaussian,
    /// A B-spline through few points of the pelvis's trajectory
    BSpline,
}

/// Runs `graph follow`.
pub(super) fn run(args: &Args, format: Format) -> Result<(), Failure> {
    let request = FollowGraphRequest {
        graph: args.graph.clone(),
        path: args.path.clone(),
        output: args.engine.apply(motion_output(&args.output, args.to)?),
        on: args.character.request(),
        abstraction: match args.abstraction {
            AbstractionArg::Pelvis => AbstractionName::Pelvis,
            AbstractionArg::Joints => AbstractionName::Joints,
            AbstractionArg::Extrema => AbstractionName::Extrema,
            AbstractionArg::Gaussian => AbstractionName::Gaussian,
            AbstractionArg::BSpline => AbstractionName::BSpline,
        },
        look_ahead: args.look_ahead,
        commit: args.commit,
        start_node: args.start_node,
        seed: args.seed,
        progress: match args.progress {
            ProgressArg::Nearest => ProgressName::Nearest,
            ProgressArg::Travelled => ProgressName::Travelled,
        },
        clean: args.clean,
        fit_path: args.fit_path,
        terrain: args.terrain.request(),
        write_contacts: args.write_contacts.clone(),
        picture: args.picture.clone(),
        report: args.report.report.clone(),
        if_exists: args.force.if_exists(),
    };
    run_job(&request, format, |report| {
        print_report(report);
        Ok(())
    })
}

fn print_report(report: &FollowGraphReport) {
    print_status(&format!("verdict: {}", report.verdict));
    print_character(report.on.as_ref());
    print_status(&format!(
        "from node {}, frame {} of {}: {} edges, {} of them blends; {} edges tried in {:.0} ms",
        report.start,
        report.start_frame,
        report.start_clip,
        report.edges.len(),
        report.blends,
        report.tried,
        report.search_seconds * 1e3,
    ));
    if let Some(deviation) = &report.deviation {
        print_status(&format!(
            "{} frames, {:.2} m along a path of {:.2} m; the pelvis is {:.1} cm from it on average, {:.1} cm at most, and {:.1} cm from \
             where it should be by then; integral of the square {:.4} m3",
            report.motion.frames,
            deviation.walked,
            deviation.path,
            deviation.nearest_mean * 100.0,
            deviation.nearest_max * 100.0,
            deviation.mean * 100.0,
            deviation.integral,
        ));
    }
    if let Some(fitted) = &report.fitted {
        let (turn, frame) = (fitted.fastest_turn_degrees_per_second, fitted.fastest_turn_frame);
        print_status(&format!("warped to the path: turned by at most {turn:.0} degrees a second, in frame {frame}"));
    }
    if report.ground_height != 0.0 {
        print_status(&format!("on level ground {:.3} m high", report.ground_height));
    }
    print_status(&format!(
        "planted feet drift by {:.1} cm at most; skating {:.2} cm for each planted frame, {:.2} in the graph's own clips{}",
        report.drift * 100.0,
        report.skating.per_frame.unwrap_or(0.0) * 100.0,
        report.source_skating_per_frame.unwrap_or(0.0) * 100.0,
        match (report.clean_requested, report.cleaned) {
            (true, true) => "; cleaned",
            (true, false) => "; nothing was cleaned, for no foot is ever planted",
            _ => "; --clean locks the feet",
        }
    ));
    print_motion(&report.motion);
}
