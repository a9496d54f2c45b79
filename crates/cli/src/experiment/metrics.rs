//! `surefoot experiment metrics`: tables 2 to 5, the paper's figures beside ours.

use super::table::{Table, bold_least};
use super::{Common, corpus_json, corpus_line, summary_json};
use crate::report::{Failure, Format};
use serde_json::{Value, json};
use std::path::PathBuf;
use surefoot::ExperimentClips;
use surefoot::formats::{own, read_bytes};
use surefoot::graph::experiment::{
    MetricGraph, MetricsOptions, MetricsStudy, RunFigures, Summary, paper, study_metrics, zigzag,
};
use surefoot::ground::Path;

/// Arguments of `experiment metrics`.
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    common: Common,
    /// Runs for each graph, from random start nodes
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    runs: u32,
    /// Path to follow [default: a zigzag of 33 m]
    #[arg(long, value_name = "FILE.path.json")]
    path: Option<PathBuf>,
    /// Edges of the graphs, instead of the paper's; smaller in proportion where a metric cannot give as many
    #[arg(long, value_name = "N,N,..", value_delimiter = ',', num_args = 1.., default_value = "261,638,1018,1265")]
    edges: Vec<usize>,
}

/// From metres to centimetres, and from cubic metres to cubic centimetres.
const CM: f64 = 100.0;
const CM3: f64 = 1e6;

/// Runs `experiment metrics`.
pub(crate) fn run(args: &Args, format: Format) -> Result<(), Failure> {
    let path = match &args.path {
        Some(file) => read_bytes(file).and_then(|bytes| own::read_path(&bytes)).map_err(|error| error.in_file(file))?,
        None => zigzag(paper::PATH_LENGTH),
    };
    let clips = args.common.load(&[], format)?;
    let options = MetricsOptions {
        window: usize::from(args.common.window),
        edges: args.edges.clone(),
        runs: args.runs as usize,
        seed: args.common.seed,
        ..MetricsOptions::default()
    };
    let study = args.common.study(|with| study_metrics(&clips.set, &path, &options, with))?;
    let text = to_text(&study, &clips, &options);
    let result = to_json(&study, &clips, &options, &path);
    args.common.tell("experiment metrics", &text, result, Vec::new(), format)
}

/// The name of a complexity: I to IV, then numbers.
fn complexity_name(index: usize) -> String {
    paper::COMPLEXITIES.get(index).map_or_else(|| (index + 1).to_string(), ToString::to_string)
}

fn of_metric<'a>(study: &'a MetricsStudy, name: &str) -> Vec<&'a MetricGraph> {
    study.graphs.iter().filter(|graph| graph.metric.name() == name).collect()
}

fn deviation(run: &RunFigures) -> Option<f64> {
    run.deviation.map(|deviation| deviation.integral)
}

/// Root of the mean squared distance, in metres.
fn root_mean_square(run: &RunFigures) -> Option<f64> {
    run.deviation.map(|deviation| (deviation.integral / deviation.walked.max(1e-9)).sqrt())
}

fn to_text(study: &MetricsStudy, clips: &ExperimentClips, options: &MetricsOptions) -> String {
    let mut text = corpus_line(clips);
    text += &format!(
        "A path of {:.1} m, {} runs for each graph, seed {}; means ± standard errors, the least of each column in bold.\n",
        study.path_length, options.runs, options.seed
    );
    if study.scale < 1.0 {
        text += &format!(
            "The clips do not give as many edges as wanted: all graphs have {:.0} % of them.\n",
            100.0 * study.scale
        );
    }
    let unfinished: usize = study.graphs.iter().map(|graph| graph.runs.iter().filter(|run| !run.arrived).count()).sum();
    let cut_short: usize = study.graphs.iter().flat_map(|graph| &graph.runs).map(|run| run.cut_short).sum();
    if unfinished + cut_short > 0 {
        text += &format!(
            "{unfinished} runs stood about and travelled less than the path is long; {cut_short} searches were cut short.\n"
        );
    }
    text += "\n### Table 2: the graphs\n\n";
    text += &table_2(study);
    let sections: [(&str, Figure, f64, usize, Option<&PaperTable>); 8] = [
        ("Table 3: path deviation, cm3 (printed as cm2 by the paper)", deviation, CM3, 0, Some(&paper::TABLE_3)),
        ("Table 3 as the root of the mean squared distance, cm", root_mean_square, CM, 1, None),
        ("Table 4: foot skating, cm", |run| Some(run.skating.total), CM, 0, Some(&paper::TABLE_4)),
        ("Table 4 for each planted frame of a foot, cm", |run| run.skating.per_frame(), CM, 3, None),
        (
            "Table 4 where contacts are detected by height and speed, for each such frame of a foot, cm",
            |run| run.contact_skating.per_frame(),
            CM,
            3,
            None,
        ),
        ("Table 5: time of the search, s", |run| Some(run.seconds), 1.0, 3, Some(&paper::TABLE_5)),
        ("Effort of the search, thousands of edges tried", |run| Some(run.tried as f64), 1e-3, 1, None),
        ("Length of the motions, frames", |run| Some(run.n_frames as f64), 1.0, 0, None),
    ];
    for (title, figure, unit, decimals, printed) in sections {
        text += &format!("\n### {title}\n\n{}", figure_table(study, figure, unit, decimals, printed));
        if title.contains("root of the mean") {
            text += &format!("\n### The same, median of the runs\n\n{}", median_table(study, figure, unit, decimals));
        }
    }
    text + "\n### How the graphs hang together (5.3)\n\n" + &shape_table(study, clips)
}

type Figure = fn(&RunFigures) -> Option<f64>;
type PaperTable = [[f64; 4]; 3];

fn n_complexities(study: &MetricsStudy) -> usize {
    study.graphs.iter().map(|graph| graph.complexity + 1).max().unwrap_or(0)
}

fn table_2(study: &MetricsStudy) -> String {
    let mut table = Table::new(["graph", "threshold", "edges", "nodes", "frames", "paper: edges", "nodes", "frames"]);
    for (metric, printed) in paper::METRICS.iter().zip(paper::TABLE_2) {
        for graph in of_metric(study, metric) {
            let shape = &graph.shape;
            let mut row =
                vec![format!("{metric} {}", complexity_name(graph.complexity)), format!("{:.4}", graph.limit)];
            row.extend([shape.n_edges, shape.n_nodes, shape.n_keyframes].map(|n| n.to_string()));
            row.extend(printed.get(graph.complexity).into_iter().flatten().map(ToString::to_string));
            table.row(row);
        }
    }
    table.finish()
}

fn figure_table(
    study: &MetricsStudy,
    figure: Figure,
    unit: f64,
    decimals: usize,
    printed: Option<&PaperTable>,
) -> String {
    let n = n_complexities(study);
    let mut table = Table::new(["".to_string()].into_iter().chain((0..n).map(complexity_name)));
    // By complexity, so that the least of the metrics stands out.
    let columns: Vec<Vec<String>> = (0..n)
        .map(|complexity| {
            let summaries: Vec<Option<Summary>> = paper::METRICS
                .iter()
                .map(|metric| of_metric(study, metric).get(complexity).and_then(|graph| graph.summary(figure)))
                .collect();
            bold_least(&summaries, unit, decimals)
        })
        .collect();
    for (row, metric) in paper::METRICS.iter().enumerate() {
        table.row([metric.to_string()].into_iter().chain(columns.iter().map(|column| column[row].clone())));
        if let Some(printed) = printed {
            let values = printed[row].iter().map(|value| format!("{value}"));
            table.row([format!("{metric}, paper")].into_iter().chain(values.take(n)));
        }
    }
    table.finish()
}

fn median_table(study: &MetricsStudy, figure: Figure, unit: f64, decimals: usize) -> String {
    let n = n_complexities(study);
    let mut table = Table::new(["".to_string()].into_iter().chain((0..n).map(complexity_name)));
    for metric in paper::METRICS {
        let cells = of_metric(study, metric).into_iter().map(|graph| {
            graph.summary(figure).map_or("-".to_string(), |summary| format!("{:.decimals$}", unit * summary.median))
        });
        table.row([metric.to_string()].into_iter().chain(cells));
    }
    table.finish()
}

fn shape_table(study: &MetricsStudy, clips: &ExperimentClips) -> String {
    let names = clips.set.clips().iter().map(|clip| format!("into {}", clip.name));
    let head = ["graph", "self-blends", "out-degree", "way back, edges"].map(ToString::to_string);
    let mut table = Table::new(head.into_iter().chain(names));
    for graph in &study.graphs {
        let shape = &graph.shape;
        let between: usize = shape.blends_into.iter().sum();
        let mut row = vec![
            format!("{} {}", graph.metric.name(), complexity_name(graph.complexity)),
            format!("{:.0} %", 100.0 * shape.self_blend_share()),
            format!("{:.2}", shape.mean_out_degree),
            format!("{:.1}", shape.mean_way_back),
        ];
        row.extend(shape.blends_into.iter().map(|n| format!("{:.0} %", 100.0 * *n as f64 / between.max(1) as f64)));
        table.row(row);
    }
    table.finish()
}

fn to_json(study: &MetricsStudy, clips: &ExperimentClips, options: &MetricsOptions, path: &Path) -> Value {
    let graph = |graph: &MetricGraph| {
        let shape = &graph.shape;
        let place = paper::METRICS.iter().position(|name| *name == graph.metric.name());
        let printed = place.and_then(|metric| paper::TABLE_2[metric].get(graph.complexity).map(|row| (metric, row)));
        json!({
            "metric": graph.metric.name(),
            "complexity": complexity_name(graph.complexity),
            "threshold": graph.limit,
            "wanted_edges": graph.wanted_edges,
            "edges": shape.n_edges,
            "nodes": shape.n_nodes,
            "frames": shape.n_keyframes,
            "blends": shape.n_blends,
            "self_blends": shape.n_self_blends,
            "mean_out_degree": shape.mean_out_degree,
            "mean_way_back_edges": shape.mean_way_back,
            "blends_into": shape.blends_into,
            "path_deviation_cm3": summary_json(graph.summary(deviation), CM3),
            "path_distance_rms_cm": summary_json(graph.summary(root_mean_square), CM),
            "skating_cm": summary_json(graph.summary(|run| Some(run.skating.total)), CM),
            "contact_skating_per_frame_cm": summary_json(graph.summary(|run| run.contact_skating.per_frame()), CM),
            "skating_per_frame_cm": summary_json(graph.summary(|run| run.skating.per_frame()), CM),
            "search_seconds": summary_json(graph.summary(|run| Some(run.seconds)), 1.0),
            "edges_tried": summary_json(graph.summary(|run| Some(run.tried as f64)), 1.0),
            "motion_frames": summary_json(graph.summary(|run| Some(run.n_frames as f64)), 1.0),
            "arrived": graph.runs.iter().filter(|run| run.arrived).count(),
            "searches_cut_short": graph.runs.iter().map(|run| run.cut_short).sum::<usize>(),
            "paper": printed.map(|(metric, [edges, nodes, frames])| json!({
                "edges": edges,
                "nodes": nodes,
                "frames": frames,
                "path_deviation_cm2": paper::TABLE_3[metric][graph.complexity],
                "skating_cm": paper::TABLE_4[metric][graph.complexity],
                "search_seconds": paper::TABLE_5[metric][graph.complexity],
            })),
        })
    };
    json!({
        "corpus": corpus_json(clips),
        "path": { "length": study.path_length, "points": path.points.len() },
        "runs": options.runs,
        "seed": options.seed,
        "window": options.window,
        "scale": study.scale,
        "most_edges": study.most_edges,
        "graphs": study.graphs.iter().map(graph).collect::<Vec<_>>(),
    })
}
