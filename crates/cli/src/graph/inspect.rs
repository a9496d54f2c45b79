//! `surefoot graph inspect`: what a graph is like.

use super::{counted, graph_of};
use crate::output::{Force, check_distinct, check_svg, is_stdout};
use crate::report::{Failure, Format, print_result, print_text, say};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use surefoot::formats::own;
use surefoot::graph::{DistanceMatrix, EdgeMotion, GraphRecord, GraphStats, find_transitions};
use surefoot::motion::Clip;
use surefoot::picture::{MatrixPicture, graph_plot, matrix_png};
use surefoot::{GraphOptions, MAX_GRAPH_FRAMES};

/// Arguments of `graph inspect`.
#[derive(clap::Args)]
pub(super) struct Args {
    /// Motion graph; `corpus` is that of the built-in walks [default: corpus]
    #[arg(value_name = "FILE.graph")]
    input: Option<PathBuf>,
    /// Draw the distances of all moments
    #[arg(long, value_name = "FILE.png")]
    matrix: Option<PathBuf>,
    /// Mark the transitions in the drawing of distances
    #[arg(long, requires = "matrix")]
    mark: bool,
    /// Draw the clips in time and the blends between them
    #[arg(long, value_name = "FILE.svg")]
    svg: Option<PathBuf>,
    /// Write nodes and edges for Graphviz
    #[arg(long, value_name = "FILE.dot")]
    dot: Option<PathBuf>,
    #[command(flatten)]
    force: Force,
}

/// Runs `graph inspect`.
pub(super) fn run(args: &Args, format: Format) -> Result<(), Failure> {
    check_outputs(args, format)?;
    let record = graph_of(args.input.as_deref())?;
    let name = args.input.as_ref().map_or("built-in walks".to_string(), |path| {
        path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
    });
    let stats = GraphStats::of(&record.graph);
    let outputs = [
        args.matrix.as_deref().map(|path| Ok::<_, Failure>((path, draw_matrix(path, &name, args.mark, &record)?))),
        args.svg
            .as_deref()
            .map(|path| Ok((path, graph_plot(&format!("Motion graph of {name}"), &record).into_bytes()))),
        args.dot.as_deref().map(|path| Ok((path, own::write_graph_dot(&record).into_bytes()))),
    ];
    let outputs = outputs.into_iter().flatten().collect::<Result<Vec<_>, _>>()?;
    for (path, bytes) in &outputs {
        args.force.write(path, bytes)?;
    }
    match format {
        Format::Json => print_result("graph inspect", &to_json(args, &record, &stats)),
        Format::Human => {
            let text = text(&name, &record, &stats);
            if outputs.iter().any(|(path, _)| is_stdout(path)) {
                say(text.trim_end());
            } else {
                print_text(&text)?;
            }
            for (path, _) in outputs.iter().filter(|(path, _)| !is_stdout(path)) {
                say(&format!("wrote {}", path.display()));
            }
            Ok(())
        }
    }
}

fn check_outputs(args: &Args, format: Format) -> Result<(), Failure> {
    if let Some(path) = &args.svg {
        check_svg(path)?;
    }
    for (path, ending, what) in [(&args.matrix, "png", "distances are drawn as PNG"), (&args.dot, "dot", "DOT")] {
        let Some(path) = path.as_deref().filter(|path| !is_stdout(path)) else { continue };
        if !path.extension().is_some_and(|found| found.eq_ignore_ascii_case(ending)) {
            let message = format!("{what}: a name that ends in .{ending} would be right");
            return Err(Failure::of_file("usage", path, message));
        }
    }
    let outputs: Vec<&Path> =
        [&args.matrix, &args.svg, &args.dot].into_iter().flatten().map(PathBuf::as_path).collect();
    check_distinct(outputs.iter().copied())?;
    outputs.iter().try_for_each(|path| args.force.check(path, format))
}

fn draw_matrix(path: &Path, name: &str, mark: bool, record: &GraphRecord) -> Result<Vec<u8>, Failure> {
    let graph = &record.graph;
    if graph.set.n_frames() > MAX_GRAPH_FRAMES {
        let message = format!(
            "{} frames are too many to compare with each other; at most {MAX_GRAPH_FRAMES} would do",
            graph.set.n_frames()
        );
        return Err(Failure::of_file("too_large", path, message));
    }
    let matrix = DistanceMatrix::new(&graph.set, &record.metric, graph.window, GraphOptions::default().threads);
    let transitions = if mark { find_transitions(&matrix, record.limit) } else { Vec::new() };
    let title = format!("{name}: distances by {}, windows of {} frames", record.metric.name(), graph.window);
    let picture = MatrixPicture { title: &title, set: &graph.set, matrix: &matrix, transitions: &transitions };
    matrix_png(&picture).map_err(|error| Failure::of_file("picture", path, error.to_string()))
}

/// Widest that names of clips are told.
const NAME: usize = 40;
/// Most clips whose blends are told as a table: wider ones cannot be read.
const MAX_TABLE: usize = 14;

fn text(name: &str, record: &GraphRecord, stats: &GraphStats) -> String {
    let GraphRecord { graph, metric, limit, pruned } = record;
    let set = &graph.set;
    let mut text = format!(
        "{name}: {} frames of {} at {} fps, {} joints; by {}, windows of {}, transitions of at most {limit}\n",
        set.n_frames(),
        counted(set.clips().len(), "clip"),
        set.frame_rate(),
        set.skeleton().n_joints(),
        metric.name(),
        counted(graph.window, "frame"),
    );
    let (n_blends, n_self) = (stats.n_blends(), stats.n_self_blends());
    let share = |part: usize| 100.0 * part as f64 / n_blends.max(1) as f64;
    text += &format!("\n{:>7} nodes\n{:>7} edges\n{:>7} keyframes\n", stats.nodes, stats.edges, stats.keyframes);
    text += &format!(
        "{n_blends:>7} blends: {n_self} within a clip ({:.0} %), {} between clips\n",
        share(n_self),
        n_blends - n_self
    );
    text +=
        &format!("{:>7.2} edges leave a node on average, {} at most\n", stats.mean_out_degree, stats.max_out_degree);
    text += &format!("{:>7.1} edges on the shortest way from a node back to itself, on average\n", stats.mean_cycle);
    text += &format!(
        "        pruned: {}, {}; dead ends: {}\n",
        counted(pruned.nodes, "node"),
        counted(pruned.edges, "edge"),
        if pruned.dead_clips.is_empty() { "none".to_string() } else { dead_names(record).join(", ") },
    );
    text += "\nOut-degrees\n";
    let most = stats.out_degrees.iter().copied().max().unwrap_or(1).max(1);
    for (from, to, count) in degree_rows(&stats.out_degrees) {
        let label = if from == to { from.to_string() } else { format!("{from} to {to}") };
        let bar = "#".repeat((count * 50).div_ceil(most).min(50));
        text += &format!("{label:>9} {count:>6}  {bar}\n");
    }
    text += &blend_table(record, stats);
    text
}

/// Names of clips of which nothing is left.
fn dead_names(record: &GraphRecord) -> Vec<String> {
    record.pruned.dead_clips.iter().map(|clip| record.graph.set.clips()[*clip].name.clone()).collect()
}

/// Degrees one by one while they are few, then in ranges that double.
fn degree_rows(degrees: &[usize]) -> Vec<(usize, usize, usize)> {
    let mut rows = Vec::new();
    let mut from = 1;
    while from < degrees.len() {
        let to = (if from < 8 { from } else { 2 * from - 1 }).min(degrees.len() - 1);
        rows.push((from, to, degrees[from..=to].iter().sum()));
        from = to + 1;
    }
    rows
}

/// Blends from the clip of a row to that of a column; of many clips, only what each has in all.
fn blend_table(record: &GraphRecord, stats: &GraphStats) -> String {
    let clips = record.graph.set.clips();
    let is_whole = clips.len() <= MAX_TABLE;
    let short = |clip: &Clip| match clip.name.char_indices().nth(NAME) {
        Some((cut, _)) => format!("{}..", &clip.name[..cut]),
        None => clip.name.clone(),
    };
    let wide = clips.iter().map(|clip| short(clip).chars().count()).max().unwrap_or(0);
    let columns: Vec<String> = match is_whole {
        true => (1..=clips.len()).map(|number| number.to_string()).collect(),
        false => ["own", "out", "in"].map(str::to_string).to_vec(),
    };
    let mut text = match is_whole {
        true => "\nBlends from each clip (rows) to each (columns)\n".to_string(),
        false => "\nBlends of each clip: within it, to others, from others\n".to_string(),
    };
    text += &format!("     {:<wide$} frames nodes  ", "");
    columns.iter().for_each(|column| text += &format!("{column:>6}"));
    text += "\n";
    for (index, (clip, row)) in clips.iter().zip(&stats.blends).enumerate() {
        let n_nodes = record.graph.nodes().iter().filter(|node| node.clip == index).count();
        let into: usize = stats.blends.iter().map(|row| row[index]).sum();
        let sums = [row[index], row.iter().sum::<usize>() - row[index], into - row[index]];
        text += &format!("{:>3}  {:<wide$} {:>6} {n_nodes:>5}  ", index + 1, short(clip), clip.n_frames());
        let counts = if is_whole { &row[..] } else { &sums };
        counts.iter().for_each(|count| text += &format!("{count:>6}"));
        text += "\n";
    }
    text
}

fn to_json(args: &Args, record: &GraphRecord, stats: &GraphStats) -> Value {
    let GraphRecord { graph, metric, limit, pruned } = record;
    let shown = |path: &Option<PathBuf>| path.as_ref().map(|path| path.display().to_string());
    let clips = graph.set.clips().iter().map(|clip| json!({ "name": clip.name, "frames": clip.n_frames() }));
    let nodes = graph.nodes().iter().map(|node| json!([node.clip, node.frame]));
    let edges = graph.edges().iter().map(|edge| match &edge.motion {
        EdgeMotion::Clip(_) => json!({ "from": edge.from, "to": edge.to }),
        EdgeMotion::Blend { distance, placement, .. } => json!({
            "from": edge.from,
            "to": edge.to,
            "distance": distance,
            "turn_degrees": placement.yaw.to_degrees(),
        }),
    });
    json!({
        "input": shown(&args.input),
        "matrix": shown(&args.matrix),
        "svg": shown(&args.svg),
        "dot": shown(&args.dot),
        "metric": metric.name(),
        "window": graph.window,
        "frame_rate": graph.set.frame_rate(),
        "threshold": limit,
        "frames": graph.set.n_frames(),
        "joints": graph.set.skeleton().n_joints(),
        "clips": clips.collect::<Vec<Value>>(),
        "keyframes": stats.keyframes,
        "mean_out_degree": stats.mean_out_degree,
        "max_out_degree": stats.max_out_degree,
        "out_degrees": stats.out_degrees,
        "blends": stats.n_blends(),
        "self_blends": stats.n_self_blends(),
        "blends_between": stats.blends,
        "mean_cycle": stats.mean_cycle,
        "pruned": { "nodes": pruned.nodes, "edges": pruned.edges, "dead_clips": dead_names(record) },
        "node_count": stats.nodes,
        "edge_count": stats.edges,
        "nodes": nodes.collect::<Vec<Value>>(),
        "edges": edges.collect::<Vec<Value>>(),
    })
}
