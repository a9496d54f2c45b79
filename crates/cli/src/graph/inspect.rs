//! `surefoot graph inspect`: what a graph is like.

use super::counted;
use crate::output::{Force, ReportArg};
use crate::report::{Failure, Format};
use crate::run_job::{print_text_or_status, run_job};
use std::path::PathBuf;
use surefoot::jobs::{ClipLength, InspectGraphReport, InspectGraphRequest};

/// Arguments of `graph inspect`.
#[derive(clap::Args)]
pub(super) struct Args {
    /// Motion graph; `corpus` is that of the built-in walks [default: corpus]
    #[arg(value_name = "FILE.graph")]
    input: Option<PathBuf>,
    /// Draw the clips in time and the blends between them
    #[arg(long, alias = "svg", value_name = "FILE.svg")]
    picture: Option<PathBuf>,
    /// Draw the distances of all frame windows
    #[arg(long, alias = "matrix", value_name = "FILE.png")]
    picture_matrix: Option<PathBuf>,
    /// Mark the transitions in the picture of distances
    #[arg(long, requires = "picture_matrix")]
    mark: bool,
    /// Write nodes and edges for Graphviz
    #[arg(long, alias = "dot", value_name = "FILE.dot")]
    write_dot: Option<PathBuf>,
    #[command(flatten)]
    force: Force,
    #[command(flatten)]
    report: ReportArg,
}

/// Runs `graph inspect`.
pub(super) fn run(args: &Args, format: Format) -> Result<(), Failure> {
    let request = InspectGraphRequest {
        input: args.input.clone(),
        picture: args.picture.clone(),
        picture_matrix: args.picture_matrix.clone(),
        mark: args.mark,
        write_dot: args.write_dot.clone(),
        report: args.report.report.clone(),
        if_exists: args.force.if_exists(),
    };
    run_job(&request, format, |report| print_text_or_status(&request, &text(report)))
}

/// Widest that names of clips are printed.
const NAME: usize = 40;
/// Most clips whose blends are listed as a table: wider ones cannot be read.
const MAX_TABLE: usize = 14;

fn text(report: &InspectGraphReport) -> String {
    let mut text = format!(
        "{}: {} frames of {} at {} fps, {} joints; by {}, windows of {}, transitions of at most {}\n",
        report.name,
        report.frames,
        counted(report.clips.len(), "clip"),
        report.frame_rate,
        report.joints,
        report.metric,
        counted(report.window, "frame"),
        report.threshold,
    );
    let (n_blends, n_self) = (report.blends, report.self_blends);
    let share = |part: usize| 100.0 * part as f64 / n_blends.max(1) as f64;
    text += &format!(
        "\n{:>7} nodes\n{:>7} edges\n{:>7} keyframes\n",
        report.node_count, report.edge_count, report.keyframes
    );
    text += &format!(
        "{n_blends:>7} blends: {n_self} within a clip ({:.0} %), {} between clips\n",
        share(n_self),
        n_blends - n_self
    );
    text +=
        &format!("{:>7.2} edges leave a node on average, {} at most\n", report.mean_out_degree, report.max_out_degree);
    text += &format!("{:>7.1} edges on the shortest route from a node back to itself, on average\n", report.mean_cycle);
    text += &format!(
        "        pruned: {}, {}; dead ends: {}\n",
        counted(report.pruned.nodes, "node"),
        counted(report.pruned.edges, "edge"),
        if report.pruned.dead_clips.is_empty() { "none".to_string() } else { report.pruned.dead_clips.join(", ") },
    );
    text += "\nOut-degrees\n";
    let most = report.out_degrees.iter().copied().max().unwrap_or(1).max(1);
    for (from, to, count) in degree_rows(&report.out_degrees) {
        let label = if from == to { from.to_string() } else { format!("{from} to {to}") };
        let bar = "#".repeat((count * 50).div_ceil(most).min(50));
        text += &format!("{label:>9} {count:>6}  {bar}\n");
    }
    text += &blend_table(report);
    text
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
fn blend_table(report: &InspectGraphReport) -> String {
    let clips = &report.clips;
    let is_complete = clips.len() <= MAX_TABLE;
    let short = |clip: &ClipLength| match clip.name.char_indices().nth(NAME) {
        Some((cut, _)) => format!("{}..", &clip.name[..cut]),
        None => clip.name.clone(),
    };
    let wide = clips.iter().map(|clip| short(clip).chars().count()).max().unwrap_or(0);
    let columns: Vec<String> = match is_complete {
        true => (1..=clips.len()).map(|number| number.to_string()).collect(),
        false => ["own", "out", "in"].map(str::to_string).to_vec(),
    };
    let mut text = match is_complete {
        true => "\nBlends from each clip (rows) to each (columns)\n".to_string(),
        false => "\nBlends of each clip: within it, to others, from others\n".to_string(),
    };
    text += &format!("     {:<wide$} frames nodes  ", "");
    columns.iter().for_each(|column| text += &format!("{column:>6}"));
    text += "\n";
    for (index, (clip, row)) in clips.iter().zip(&report.blends_between).enumerate() {
        let n_nodes = report.nodes.iter().filter(|[clip, _]| *clip == index).count();
        let into: usize = report.blends_between.iter().map(|row| row[index]).sum();
        let sums = [row[index], row.iter().sum::<usize>() - row[index], into - row[index]];
        text += &format!("{:>3}  {:<wide$} {:>6} {n_nodes:>5}  ", index + 1, short(clip), clip.frames);
        let counts = if is_complete { &row[..] } else { &sums };
        counts.iter().for_each(|count| text += &format!("{count:>6}"));
        text += "\n";
    }
    text
}
