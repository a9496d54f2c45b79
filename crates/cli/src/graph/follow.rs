//! `surefoot graph follow`: a walk along a path through a graph.

use super::graph_of;
use crate::output::{Force, check_distinct, check_svg, output_format};
use crate::report::{Failure, Format, print_result, say};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use surefoot::formats::gltf::BodyMesh;
use surefoot::formats::{own, read_bytes};
use surefoot::geom::{Vec2, ground_point};
use surefoot::graph::{Abstraction, FollowOptions, GraphRecord, Progress};
use surefoot::ground;
use surefoot::picture::{FollowedPathPlot, followed_path_plot};
use surefoot::{ConvertOptions, FollowGraphError, FollowRequest, FollowedPath, convert, follow_graph, seeded_start};

/// Arguments of `graph follow`.
#[derive(clap::Args)]
pub(super) struct Args {
    /// Motion graph; `corpus` is that of the built-in walks
    #[arg(value_name = "FILE.graph")]
    graph: PathBuf,
    /// Path to follow; `-` is standard input
    #[arg(value_name = "FILE.path.json")]
    path: PathBuf,
    /// The motion: bvh, glb or gltf by its ending
    #[arg(long, short, value_name = "FILE")]
    output: PathBuf,
    #[command(flatten)]
    force: Force,
    /// What of the body is kept on the path
    #[arg(long, value_enum, default_value = "gaussian")]
    abstraction: AbstractionArg,
    /// Frames that each search looks ahead
    #[arg(long, value_name = "FRAMES", default_value_t = FollowOptions::default().look_ahead)]
    look_ahead: usize,
    /// Frames of what a search found that are kept before the next
    #[arg(long, value_name = "FRAMES", default_value_t = FollowOptions::default().commit)]
    commit: usize,
    /// Node to begin at [default: 0]
    #[arg(long, value_name = "N", conflicts_with = "seed")]
    start: Option<usize>,
    /// Begin at a random node, the same for the same seed
    #[arg(long, value_name = "S")]
    seed: Option<u64>,
    /// How far along the path a walk is after each search
    #[arg(long, value_enum, default_value = "nearest")]
    progress: ProgressArg,
    /// Hold feet where they stand, by footskate cleanup
    #[arg(long)]
    clean: bool,
    /// Bend the walk onto the path afterwards
    #[arg(long)]
    fit_path: bool,
    /// Write when heels and balls stand
    #[arg(long, visible_alias = "write-contacts", value_name = "FILE.contacts.json")]
    contacts: Option<PathBuf>,
    /// Draw path, abstraction and pelvis from above
    #[arg(long, value_name = "FILE.svg")]
    plot: Option<PathBuf>,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum ProgressArg {
    /// To the nearest place of the path
    Nearest,
    /// As far as it has travelled, as the paper counts: long walks fall behind
    Travelled,
}

impl ProgressArg {
    fn name(self) -> &'static str {
        match self {
            ProgressArg::Nearest => "nearest",
            ProgressArg::Travelled => "travelled",
        }
    }

    fn progress(self) -> Progress {
        match self {
            ProgressArg::Nearest => Progress::Nearest,
            ProgressArg::Travelled => Progress::Travelled,
        }
    }
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
    /// The pelvis's way smoothed over its length
    Gaussian,
    /// A B-spline through few points of the pelvis's way
    BSpline,
}

impl AbstractionArg {
    fn abstraction(self) -> Abstraction {
        match self {
            AbstractionArg::Pelvis => Abstraction::Pelvis,
            AbstractionArg::Joints => Abstraction::Joints,
            AbstractionArg::Extrema => Abstraction::Extrema,
            AbstractionArg::Gaussian => Abstraction::Gaussian,
            AbstractionArg::BSpline => Abstraction::BSpline,
        }
    }
}

/// Runs `graph follow`.
pub(super) fn run(args: &Args, format: Format) -> Result<(), Failure> {
    check_outputs(args, format)?;
    let path = own::read_path(&read_bytes(&args.path)?).map_err(|error| error.in_file(&args.path))?;
    let record = graph_of(Some(&args.graph))?;
    let start = match (args.start, args.seed) {
        (Some(node), _) => node,
        (None, Some(seed)) => seeded_start(&record.graph, seed),
        (None, None) => 0,
    };
    let follow = FollowOptions {
        look_ahead: args.look_ahead,
        commit: args.commit,
        start,
        progress: args.progress.progress(),
        ..FollowOptions::default()
    };
    let request = FollowRequest {
        abstraction: args.abstraction.abstraction(),
        follow,
        clean: args.clean,
        fit_path: args.fit_path,
    };
    let followed = follow_graph(&record.graph, &path, &request).map_err(|error| failure(&error, args))?;
    let convention = write(args, &path, &followed)?;
    match format {
        Format::Json => print_result("graph follow", &to_json(args, start, &followed)),
        Format::Human => {
            tell(args, &record, start, &followed);
            let n_frames = followed.take.clip.n_frames();
            say(&format!("wrote {}: {n_frames} frames, {convention}", args.output.display()));
            for path in [&args.contacts, &args.plot].into_iter().flatten() {
                say(&format!("wrote {}", path.display()));
            }
            Ok(())
        }
    }
}

fn check_outputs(args: &Args, format: Format) -> Result<(), Failure> {
    output_format(&args.output)?;
    if let Some(plot) = &args.plot {
        check_svg(plot)?;
    }
    let more = [&args.contacts, &args.plot].into_iter().flatten();
    let outputs: Vec<&Path> = std::iter::once(&args.output).chain(more).map(PathBuf::as_path).collect();
    check_distinct(outputs.iter().copied())?;
    outputs.iter().try_for_each(|path| args.force.check(path, format))
}

/// An error, with the file or the option that it came from.
fn failure(error: &FollowGraphError, args: &Args) -> Failure {
    let message = error.to_string();
    match error {
        FollowGraphError::Option { option, value, range } => {
            Failure::new("usage", format!("--{} {value}: {range} would be right", option.replace('_', "-")))
        }
        FollowGraphError::Path(_) => Failure::of_file("path", &args.path, message),
        FollowGraphError::TooLong { .. } => Failure::of_file("too_long", &args.path, message),
        FollowGraphError::StandsStill { .. } => Failure::of_file("graph", &args.graph, message),
        FollowGraphError::Bend(_) | FollowGraphError::Edit(_) => Failure::of_file("bend", &args.path, message),
    }
}

/// Writes all outputs, and gives the convention of the motion.
fn write(args: &Args, path: &ground::Path, followed: &FollowedPath) -> Result<String, Failure> {
    let take = &followed.take;
    let body = &take.body;
    let options = ConvertOptions { body_mesh: BodyMesh::With, ..ConvertOptions::default() };
    let converted = convert(&take.clip, Some(body), Some(&take.contacts), output_format(&args.output)?, &options)
        .map_err(|error| Failure::of_file("output", &args.output, error.to_string()))?;
    args.force.write(&args.output, &converted.bytes)?;
    if let Some(file) = &args.contacts {
        args.force.write(file, own::write_contacts(&take.contacts).as_bytes())?;
    }
    if let Some(file) = &args.plot {
        let pelvis: Vec<Vec2> = take.clip.world().iter().map(|pose| ground_point(pose.position(body.pelvis))).collect();
        let plot = FollowedPathPlot {
            title: "A path followed through a motion graph",
            path: &path.points,
            track: (args.abstraction.abstraction().name(), &followed.track),
            pelvis: &pelvis,
        };
        args.force.write(file, followed_path_plot(&plot).as_bytes())?;
    }
    Ok(converted.convention.to_string())
}

/// A turn that is faster than this is visible as a spin, in degrees a second.
const SPIN: f64 = 180.0;

fn tell(args: &Args, record: &GraphRecord, start: usize, followed: &FollowedPath) {
    let FollowedPath { walk, take, .. } = followed;
    let node = record.graph.nodes()[start];
    say(&format!(
        "from node {start}, frame {} of {}: {} edges, {} of them blends; {} edges tried in {:.0} ms{}",
        node.frame,
        record.graph.set.clips()[node.clip].name,
        walk.edges.len(),
        followed.n_blends,
        walk.tried,
        followed.search_time.as_secs_f64() * 1e3,
        match walk.cut_short {
            0 => String::new(),
            n => format!(", {n} searches cut short"),
        }
    ));
    if let Some(deviation) = &followed.deviation {
        say(&format!(
            "{} frames, {:.2} m along a path of {:.2} m; the pelvis is {:.1} cm from it on average, {:.1} cm at most, and {:.1} cm from \
             where it should be by then; integral of the square {:.4} m3",
            take.clip.n_frames(),
            deviation.walked,
            deviation.path,
            deviation.nearest_mean * 100.0,
            deviation.nearest_max * 100.0,
            deviation.mean * 100.0,
            deviation.integral,
        ));
    }
    if let Some(fitted) = &followed.fitted {
        let (turn, frame) = (fitted.fastest_turn.0.to_degrees(), fitted.fastest_turn.1);
        let look = if turn > SPIN { "; look at it there" } else { "" };
        say(&format!("bent onto the path: turned by at most {turn:.0} degrees a second, in frame {frame}{look}"));
    }
    say(&format!(
        "planted feet drift by {:.1} cm at most; skating {:.2} cm for each planted frame, {:.2} in the graph's own clips{}",
        followed.drift * 100.0,
        followed.skating.per_frame().unwrap_or(0.0) * 100.0,
        followed.source_skating.per_frame().unwrap_or(0.0) * 100.0,
        match (args.clean, followed.is_clean) {
            (true, true) => "; cleaned",
            (true, false) => "; nothing was cleaned, for no foot stands",
            _ => "; --clean holds the feet",
        }
    ));
}

fn to_json(args: &Args, start: usize, followed: &FollowedPath) -> Value {
    let shown = |path: &Option<PathBuf>| path.as_ref().map(|path| path.display().to_string());
    let walk = &followed.walk;
    json!({
        "graph": args.graph.display().to_string(),
        "path": args.path.display().to_string(),
        "output": args.output.display().to_string(),
        "contacts_output": shown(&args.contacts),
        "plot_output": shown(&args.plot),
        "abstraction": args.abstraction.abstraction().name(),
        "look_ahead": args.look_ahead,
        "commit": args.commit,
        "progress": args.progress.name(),
        "start": start,
        "frames": followed.take.clip.n_frames(),
        "frame_rate": followed.take.clip.frame_rate,
        "edges": walk.edges,
        "blends": followed.n_blends,
        "tried": walk.tried,
        "search_seconds": followed.search_time.as_secs_f64(),
        "searches_cut_short": walk.cut_short,
        "search_deviation": walk.deviation,
        "deviation": followed.deviation.map(|deviation| json!({
            "integral": deviation.integral,
            "mean": deviation.mean,
            "max": deviation.max,
            "nearest_mean": deviation.nearest_mean,
            "nearest_max": deviation.nearest_max,
            "walked": deviation.walked,
            "path": deviation.path,
        })),
        "fitted": followed.fitted.map(|fitted| json!({
            "cut_frames": fitted.cut_frames,
            "fastest_turn_degrees_per_second": fitted.fastest_turn.0.to_degrees(),
            "fastest_turn_frame": fitted.fastest_turn.1,
        })),
        "cleaned": followed.is_clean,
        "drift": followed.drift,
        "skating": { "total": followed.skating.total, "per_frame": followed.skating.per_frame() },
        "source_skating_per_frame": followed.source_skating.per_frame(),
    })
}
