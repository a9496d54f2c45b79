//! `surefoot graph build`: motions become a graph.

use super::{build_failure, counted};
use crate::import_args::ImportArgs;
use crate::info_table::gather;
use crate::output::{Force, is_stdout, progress};
use crate::report::{Failure, Format, print_result, say};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use surefoot::formats::own;
use surefoot::graph::{GraphError, GraphStats, Metric, Threshold};
use surefoot::{
    BuildGraphError, BuiltGraph, GatherError, GatheredMotions, GraphOptions, LeftOut, build_graph, corpus_motions,
    load_motions,
};

/// Arguments of `graph build`.
#[derive(clap::Args)]
pub(super) struct Args {
    /// Motion files (bvh, amc, glb, gltf or fbx), folders or glob patterns [default: built-in walks]
    #[arg(value_name = "CLIPS")]
    clips: Vec<PathBuf>,
    /// The graph; `-` is standard output
    #[arg(long, short, value_name = "FILE.graph")]
    output: PathBuf,
    #[command(flatten)]
    force: Force,
    /// How moments are compared
    #[arg(long, value_enum, default_value = "angles")]
    metric: MetricArg,
    /// How many principal components count, the most important first [default: all]
    #[arg(long, value_name = "K", value_parser = parse_count, allow_negative_numbers = true)]
    components: Option<usize>,
    /// Frames of a moment, and of a blend
    #[arg(long, value_name = "FRAMES", default_value = "10", value_parser = parse_count, allow_negative_numbers = true)]
    window: usize,
    /// Frames per second that all clips are brought to, 1 to 1000
    #[arg(long, value_name = "FPS", default_value = "30", value_parser = parse_frame_rate, allow_negative_numbers = true)]
    frame_rate: f64,
    /// Take transitions of at most this distance, in the metric's unit
    #[arg(long, value_name = "D", value_parser = parse_distance, conflicts_with = "share", allow_negative_numbers = true)]
    threshold: Option<f32>,
    /// Take transitions that are among this share of all distances, in percent [default: 5]
    #[arg(long, value_name = "PERCENT", value_parser = parse_percent, allow_negative_numbers = true)]
    share: Option<f64>,
    #[command(flatten)]
    import: ImportArgs,
}

/// The three metrics of GRAPH 5.1.
#[derive(Clone, Copy, clap::ValueEnum)]
enum MetricArg {
    /// Angles and velocities of hips, knees, shoulders and elbows
    Angles,
    /// Clouds of the joints' places, brought together on the ground
    Points,
    /// Principal components of all rotations
    Pca,
}

fn parse_count(text: &str) -> Result<usize, String> {
    let wrong = || "a whole number from 1 to 1000 would be right".to_string();
    text.parse().ok().filter(|count| (1..=1000).contains(count)).ok_or_else(wrong)
}

fn parse_frame_rate(text: &str) -> Result<f64, String> {
    let wrong = || "a number of frames a second from 1 to 1000 would be right".to_string();
    text.parse().ok().filter(|rate: &f64| (1.0..=1000.0).contains(rate)).ok_or_else(wrong)
}

fn parse_distance(text: &str) -> Result<f32, String> {
    let wrong = || "a distance of 0 or more would be right".to_string();
    text.parse().ok().filter(|distance: &f32| distance.is_finite() && *distance >= 0.0).ok_or_else(wrong)
}

fn parse_percent(text: &str) -> Result<f64, String> {
    let wrong = || "a share above 0 and up to 100 percent would be right".to_string();
    let percent = text.trim_end_matches('%').trim_end().parse().ok();
    percent.filter(|share: &f64| *share > 0.0 && *share <= 100.0).ok_or_else(wrong)
}

/// Runs `graph build`.
pub(super) fn run(args: &Args, format: Format) -> Result<(), Failure> {
    args.force.check(&args.output, format)?;
    let options = options(args)?;
    let gathered = gather_clips(args)?;
    if format == Format::Human {
        tell_gathered(&gathered);
    }
    let GatheredMotions { set, notes, left_out } = gathered;
    let names: Vec<String> = set.clips().iter().map(|clip| clip.name.clone()).collect();
    let built = build_graph(set, &options).map_err(|error| failure(&error))?;
    let (limit, pruned) = (built.limit, built.pruned.clone());
    let stats = GraphStats::of(&built.graph);
    let n_pairs = built.matrix.n_pairs();
    let sizes: Vec<usize> = built.graph.set.clips().iter().map(surefoot::motion::Clip::n_frames).collect();
    let dead: Vec<(&String, usize)> = pruned.dead_clips.iter().map(|&clip| (&names[clip], sizes[clip])).collect();
    let n_frames = built.graph.set.n_frames();
    let record = BuiltGraph::into_record(built);
    let bytes = own::write_graph(&record);
    args.force.write(&args.output, &bytes)?;
    match format {
        Format::Json => {
            let clip = |(name, n_frames): (&String, &usize)| json!({ "name": name, "frames": n_frames });
            let left_out = left_out.iter().map(|LeftOut { name, why }| json!({ "clip": name, "why": why.to_string() }));
            let result = json!({
                "output": args.output.display().to_string(),
                "bytes": bytes.len(),
                "metric": options.metric.name(),
                "window": options.window,
                "frame_rate": record.graph.set.frame_rate(),
                "threshold": limit,
                "frames": n_frames,
                "compared": n_pairs,
                "clips": names.iter().zip(&sizes).map(clip).collect::<Vec<Value>>(),
                "left_out": left_out.collect::<Vec<Value>>(),
                "notes": notes,
                "nodes": stats.nodes,
                "edges": stats.edges,
                "keyframes": stats.keyframes,
                "blends": stats.n_blends(),
                "self_blends": stats.n_self_blends(),
                "pruned": { "nodes": pruned.nodes, "edges": pruned.edges, "dead_clips": dead.iter().map(|(name, _)| name).collect::<Vec<_>>() },
            });
            print_result("graph build", &result)
        }
        Format::Human => {
            say(&format!(
                "{n_frames} frames of {}, {n_pairs} pairs of moments compared by {}; transitions of at most {limit}",
                counted(names.len(), "clip"),
                options.metric.name(),
            ));
            say(&format!(
                "{}, {}, {}; {}, {} of them within a clip",
                counted(stats.nodes, "node"),
                counted(stats.edges, "edge"),
                counted(stats.keyframes, "keyframe"),
                counted(stats.n_blends(), "blend"),
                stats.n_self_blends()
            ));
            say(&format!("pruned: {}, {}", counted(pruned.nodes, "node"), counted(pruned.edges, "edge")));
            for (name, n_frames) in dead {
                say(&dead_end(name, n_frames, options.window));
            }
            if !is_stdout(&args.output) {
                say(&format!("wrote {}: {:.1} MB", args.output.display(), bytes.len() as f64 / 1e6));
            }
            Ok(())
        }
    }
}

/// Why nothing of a clip is left, and what would keep it.
fn dead_end(name: &str, n_frames: usize, window: usize) -> String {
    if n_frames <= window {
        let frames = counted(n_frames, "frame");
        return format!(
            "  dead end: {name} has {frames}, too few for windows of {window}; a smaller --window may keep it"
        );
    }
    format!("  dead end: nothing of {name} is left; a higher threshold may keep it")
}

fn options(args: &Args) -> Result<GraphOptions, Failure> {
    let metric = match args.metric {
        MetricArg::Angles => Metric::angles(),
        MetricArg::Points => Metric::points(),
        MetricArg::Pca => Metric::Components(args.components),
    };
    if args.components.is_some() && !matches!(metric, Metric::Components(_)) {
        return Err(Failure::new("usage", "--components goes with --metric pca; the other metrics have none"));
    }
    let usual = GraphOptions::default();
    let threshold = match (args.threshold, args.share) {
        (Some(distance), _) => Threshold::Distance(distance),
        (None, Some(percent)) => Threshold::Share(percent / 100.0),
        (None, None) => usual.threshold,
    };
    Ok(GraphOptions { metric, window: args.window, threshold, ..usual })
}

fn gather_clips(args: &Args) -> Result<GatheredMotions, Failure> {
    if args.clips.is_empty() {
        if args.frame_rate != surefoot::GRAPH_FRAME_RATE {
            let message = "the built-in walks have 30 frames a second; --frame-rate goes with CLIPS";
            return Err(Failure::new("usage", message));
        }
        let set = corpus_motions();
        return Ok(GatheredMotions { set, notes: Vec::new(), left_out: Vec::new() });
    }
    let mut files = Vec::new();
    for input in &args.clips {
        gather(input, &mut files)?;
    }
    if files.is_empty() {
        let inputs: Vec<String> = args.clips.iter().map(|clip| clip.display().to_string()).collect();
        return Err(Failure::new("usage", format!("there is no motion file in {}", inputs.join(", "))));
    }
    let bar = progress(files.len() as u64);
    let mut begin = |path: &Path| {
        bar.set_message(path.file_name().unwrap_or_default().to_string_lossy().into_owned());
        bar.inc(1);
    };
    let gathered = load_motions(&files, &args.import.options(), args.frame_rate, &mut begin);
    bar.finish_and_clear();
    gathered.map_err(|error| match error {
        GatherError::Read(error) => Failure::from(error),
        other => Failure::new("clips", other.to_string()),
    })
}

fn tell_gathered(gathered: &GatheredMotions) {
    for LeftOut { why, .. } in &gathered.left_out {
        say(&format!("surefoot: left out: {why}"));
    }
    gathered.notes.iter().for_each(|note| say(&format!("  {note}")));
}

/// With what to type for it.
fn failure(error: &BuildGraphError) -> Failure {
    let BuildGraphError::Graph(GraphError::NoComponent { transitions, threshold, needed: Some(needed) }) = error else {
        return build_failure(error);
    };
    // A little more, so that the number that people read is not just below it.
    let enough = rounded_up(*needed);
    Failure::new(
        "graph",
        format!(
            "{} of at most {threshold} {} no loop; --threshold {enough} would, and more makes a graph that follows paths",
            counted(*transitions, "transition"),
            if *transitions == 1 { "makes" } else { "make" },
        ),
    )
}

/// With three digits, not less than the number.
fn rounded_up(value: f32) -> String {
    let value = f64::from(value);
    let digits = (2 - value.max(1e-9).log10().floor() as i32).clamp(0, 12);
    let scale = 10f64.powi(digits);
    format!("{:.*}", digits as usize, (value * scale).ceil() / scale)
}

#[cfg(test)]
mod tests {
    use super::rounded_up;

    #[test]
    fn thresholds_that_are_told_are_enough() {
        for value in [0.012345f32, 1.0, 0.9999, 123.456, 5000.7, 3e-5, 0.0] {
            let told = rounded_up(value);
            assert!(told.parse::<f32>().unwrap() >= value, "{value}: {told}");
        }
    }
}
