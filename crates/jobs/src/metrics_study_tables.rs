//! The tables of `experiment metrics`: GRAPH tables 2 to 5, the paper's numbers beside ours.

use crate::experiments::ExperimentClips;
use crate::study_request::clips_line;
use crate::study_table::{Table, bold_least};
use surefoot_graph::experiment::{MetricGraph, MetricsOptions, MetricsStudy, RunMetrics, Summary, paper};

/// From metres to centimetres, and from cubic metres to cubic centimetres.
pub(crate) const CM: f64 = 100.0;
pub(crate) const CM3: f64 = 1e6;

/// The name of a complexity: I to IV, then numbers.
pub(crate) fn complexity_name(index: usize) -> String {
    paper::COMPLEXITIES.get(index).map_or_else(|| (index + 1).to_string(), ToString::to_string)
}

fn of_metric<'a>(study: &'a MetricsStudy, name: &str) -> Vec<&'a MetricGraph> {
    study.graphs.iter().filter(|graph| graph.metric.name() == name).collect()
}

/// GRAPH 4.2, in cubic metres.
pub(crate) fn deviation(run: &RunMetrics) -> Option<f64> {
    run.deviation.map(|deviation| deviation.integral)
}

/// Root of the mean squared distance, in metres.
pub(crate) fn root_mean_square(run: &RunMetrics) -> Option<f64> {
    run.deviation.map(|deviation| (deviation.integral / deviation.walked.max(1e-9)).sqrt())
}

/// Tables 2 to 5 and what belongs to them, as Markdown.
pub(crate) fn tables(study: &MetricsStudy, clips: &ExperimentClips, options: &MetricsOptions) -> String {
    let mut text = clips_line(clips);
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
            "{unfinished} runs paused and travelled less than the path is long; {cut_short} searches were cut short.\n"
        );
    }
    text += "\n### Table 2: the graphs\n\n";
    text += &table_2(study);
    let sections: [(&str, RunMetric, f64, usize, Option<&PaperTable>); 8] = [
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
    for (title, value, unit, decimals, printed) in sections {
        text += &format!("\n### {title}\n\n{}", metric_table(study, value, unit, decimals, printed));
        if title.contains("root of the mean") {
            text += &format!("\n### The same, median of the runs\n\n{}", median_table(study, value, unit, decimals));
        }
    }
    text + "\n### How the graphs hang together (5.3)\n\n" + &shape_table(study, clips)
}

type RunMetric = fn(&RunMetrics) -> Option<f64>;
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

fn metric_table(
    study: &MetricsStudy,
    metric_of: RunMetric,
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
                .map(|metric| of_metric(study, metric).get(complexity).and_then(|graph| graph.summary(metric_of)))
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

fn median_table(study: &MetricsStudy, metric_of: RunMetric, unit: f64, decimals: usize) -> String {
    let n = n_complexities(study);
    let mut table = Table::new(["".to_string()].into_iter().chain((0..n).map(complexity_name)));
    for metric in paper::METRICS {
        let cells = of_metric(study, metric).into_iter().map(|graph| {
            graph.summary(metric_of).map_or("-".to_string(), |summary| format!("{:.decimals$}", unit * summary.median))
        });
        table.row([metric.to_string()].into_iter().chain(cells));
    }
    table.finish()
}

fn shape_table(study: &MetricsStudy, clips: &ExperimentClips) -> String {
    let names = clips.set.clips().iter().map(|clip| format!("into {}", clip.name));
    let head = ["graph", "self-blends", "out-degree", "cycle, edges"].map(ToString::to_string);
    let mut table = Table::new(head.into_iter().chain(names));
    for graph in &study.graphs {
        let shape = &graph.shape;
        let between: usize = shape.blends_into.iter().sum();
        let mut row = vec![
            format!("{} {}", graph.metric.name(), complexity_name(graph.complexity)),
            format!("{:.0} %", 100.0 * shape.self_blend_share()),
            format!("{:.2}", shape.mean_out_degree),
            format!("{:.1}", shape.mean_cycle),
        ];
        row.extend(shape.blends_into.iter().map(|n| format!("{:.0} %", 100.0 * *n as f64 / between.max(1) as f64)));
        table.row(row);
    }
    table.finish()
}
