//! `surefoot experiment abstractions`: tables 1 and 6, the techniques compared, and figures 7 to 12.

use super::table::{Table, bold_least, mean_text};
use super::{Common, corpus_json, corpus_line, summary_json};
use crate::report::{Failure, Format};
use serde_json::{Value, json};
use std::path::PathBuf;
use surefoot::graph::Abstraction;
use surefoot::graph::experiment::{
    AbstractionRun, AbstractionsOptions, AbstractionsStudy, Summary, TestWay, paper, study_abstractions,
};
use surefoot::motion::Clip;
use surefoot::{ExperimentClips, TEST_NAMES, plot_abstractions, plot_examples, plot_techniques, technique_name};

/// Arguments of `experiment abstractions`.
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    common: Common,
    /// Recordings of the same person that are not among the clips, whose ways are the paths to follow: one straight, one of low
    /// and one of high curvature
    #[arg(long, value_names = ["STRAIGHT", "LOW", "HIGH"], num_args = 3, required = true)]
    test: Vec<PathBuf>,
    /// Runs for each graph, path and technique, from random start nodes
    #[arg(long, value_name = "N", default_value_t = 40, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    runs: u32,
    /// Edges of the graphs, instead of the paper's; smaller in proportion where the clips cannot give as many
    #[arg(long, value_name = "N,N,..", value_delimiter = ',', num_args = 1.., default_value = "114,528,925,1300,1468,1563,1584")]
    edges: Vec<usize>,
}

/// From metres to centimetres.
const CM: f64 = 100.0;

/// Runs `experiment abstractions`.
pub(crate) fn run(args: &Args, format: Format) -> Result<(), Failure> {
    let clips = args.common.load(&args.test, format)?;
    let options = AbstractionsOptions {
        window: usize::from(args.common.window),
        edges: args.edges.clone(),
        runs: args.runs as usize,
        seed: args.common.seed,
        ..AbstractionsOptions::default()
    };
    let study = args.common.study(|with| study_abstractions(&clips.set, &clips.tests, &options, with))?;
    let text = to_text(&study, &clips, &options);
    let result = to_json(&study, &clips, &options);
    let mut files: Vec<(String, Vec<u8>)> = Vec::new();
    if args.common.output.is_some() {
        let mut figure = |name: &str, svg: String| files.push((name.to_string(), svg.into_bytes()));
        // Straight, and the high curvature, where abstractions differ most.
        let shown: Vec<&Clip> = clips.tests.iter().step_by(2).collect();
        figure("figure-7.svg", plot_abstractions(&shown, clips.set.body()));
        figure("figure-10.svg", plot_examples(&study));
        plot_techniques(&study).into_iter().for_each(|(name, svg)| figure(name, svg));
    }
    args.common.tell("experiment abstractions", &text, result, files, format)
}

/// A number of a run, in SI units.
type RunValue = fn(&AbstractionsStudy, &AbstractionRun) -> Option<f64>;

/// What techniques are compared by: title, value, unit and decimals.
const COMPARED: [(&str, &str, RunValue, f64, usize); 8] = [
    ("skating", "Foot skating, cm/frame", |_, run| run.figures.skating.per_frame(), CM, 3),
    (
        "contact_skating",
        "Foot skating in detected contacts, cm/frame",
        |_, run| run.figures.contact_skating.per_frame(),
        CM,
        3,
    ),
    (
        "amplitude_difference",
        "Amplitude: difference from the recording, cm",
        |study, run| Some(study.amplitude_difference(run)),
        CM,
        2,
    ),
    ("wavelength_difference", "Wavelength: difference, cm", |study, run| study.wavelength_difference(run), CM, 1),
    (
        "amplitude_deviation",
        "Standard deviation of the amplitude, cm",
        |_, run| Some(run.figures.sway?.amplitude_deviation),
        CM,
        2,
    ),
    (
        "wavelength_deviation",
        "Standard deviation of the wavelength, cm",
        |_, run| Some(run.figures.sway?.wavelength_deviation),
        CM,
        1,
    ),
    (
        "path_distance_mean",
        "Distance of the pelvis from the path, mean, cm",
        |_, run| Some(run.figures.deviation?.mean),
        CM,
        1,
    ),
    ("search_ms", "Time of the search, ms", |_, run| Some(run.figures.seconds), 1e3, 2),
];

fn to_text(study: &AbstractionsStudy, clips: &ExperimentClips, options: &AbstractionsOptions) -> String {
    let mut text = corpus_line(clips);
    text += &format!(
        "{} runs for each graph, path and technique, seed {}; means ± standard errors, the least of each column in bold.\n",
        options.runs, options.seed
    );
    if study.scale < 1.0 {
        text += &format!(
            "The clips do not give as many edges as wanted: all graphs have {:.0} % of them.\n",
            100.0 * study.scale
        );
    }
    let unfinished = study.runs.iter().filter(|run| !run.figures.arrived).count();
    let still = study.runs.iter().filter(|run| run.figures.sway.is_none()).count();
    text += &format!(
        "Of {} runs {unfinished} stood about and travelled less than the path is long, and in {still} the pelvis does not sway (its amplitude counts as 0).\n",
        study.runs.len()
    );
    text += "\n### Table 1: the recorded motions, in the paper's reading (amplitude from side to side, wavelength from one extremum to the next)\n\n";
    text += &table_1(study);
    text += "\n### Table 6: the graphs\n\n";
    text += &table_6(study);
    text += "\n### The techniques over all paths and graphs (figures 8, 9 and 12)\n\n";
    text += &overall_table(study);
    for (_, title, value, unit, decimals) in &COMPARED[..4] {
        text += &format!("\n### {title}, by graph\n\n");
        text += &by_graph(study, |_| true, *value, *unit, *decimals);
    }
    for (test, name) in TEST_NAMES.iter().enumerate().take(study.tests.len()) {
        let recorded = study.tests[test].sway;
        text += &format!(
            "\n### Amplitude along the {name} path, cm; recorded {:.2}{}\n\n",
            CM * recorded.amplitude,
            if test == 0 { " (figure 11)" } else { "" }
        );
        text += &by_graph(study, |run| run.test == test, |_, run| Some(amplitude(run)), CM, 2);
        text += &format!("\n### Wavelength along the {name} path, cm; recorded {:.1}\n\n", CM * recorded.wavelength);
        text += &by_graph(study, |run| run.test == test, |_, run| Some(run.figures.sway?.wavelength), CM, 1);
    }
    text
}

fn amplitude(run: &AbstractionRun) -> f64 {
    run.figures.sway.map_or(0.0, |sway| sway.amplitude)
}

/// The rows of table 1, as the paper reads them, in centimetres.
fn recorded_rows(test: &TestWay) -> [f64; 5] {
    let sway = test.sway;
    [
        CM * test.skating.per_frame().unwrap_or(0.0),
        2.0 * CM * sway.amplitude,
        CM * sway.wavelength / 2.0,
        2.0 * CM * sway.amplitude_deviation,
        CM * sway.wavelength_deviation / 2.0,
    ]
}

const TABLE_1_ROWS: [&str; 5] =
    ["foot skating, cm", "amplitude, cm", "wavelength, cm", "amplitude deviation, cm", "wavelength deviation, cm"];

fn table_1(study: &AbstractionsStudy) -> String {
    let named = study.tests.iter().zip(TEST_NAMES);
    let head = named.flat_map(|(test, name)| [format!("{name}: {}", test.name), "paper".to_string()]);
    let mut table = Table::new([String::new()].into_iter().chain(head));
    for (row, what) in TABLE_1_ROWS.iter().enumerate() {
        let cells = study
            .tests
            .iter()
            .zip(paper::TABLE_1[row])
            .flat_map(|(test, printed)| [format!("{:.2}", recorded_rows(test)[row]), format!("{printed:.2}")]);
        table.row([what.to_string()].into_iter().chain(cells));
    }
    let lengths = study.tests.iter().flat_map(|test| [format!("{:.2}", test.path.length()), String::new()]);
    table.row(["path, m".to_string()].into_iter().chain(lengths));
    table.finish()
}

fn table_6(study: &AbstractionsStudy) -> String {
    let mut table =
        Table::new(["graph", "threshold", "nodes", "edges", "frames", "paper: threshold", "nodes", "edges", "frames"]);
    for (index, graph) in study.graphs.iter().enumerate() {
        let shape = &graph.shape;
        let mut row = vec![(index + 1).to_string(), format!("{:.4}", graph.limit)];
        row.extend([shape.n_nodes, shape.n_edges, shape.n_keyframes].map(|n| n.to_string()));
        if let Some(printed) = paper::TABLE_6.get(index) {
            row.push(format!("{:.1}", printed.threshold));
            row.extend([printed.nodes, printed.edges, printed.frames].map(|n| n.to_string()));
        }
        table.row(row);
    }
    table.finish()
}

fn summary(study: &AbstractionsStudy, is_meant: impl Fn(&AbstractionRun) -> bool, value: RunValue) -> Option<Summary> {
    study.summary(is_meant, |run| value(study, run))
}

fn overall_table(study: &AbstractionsStudy) -> String {
    let names = Abstraction::ALL.map(technique_name);
    let mut table = Table::new([""].into_iter().chain(names));
    for (_, title, value, unit, decimals) in COMPARED {
        let of = |abstraction| summary(study, |run| run.abstraction == abstraction, value);
        let cells = bold_least(&Abstraction::ALL.map(of), unit, decimals);
        table.row([title.to_string()].into_iter().chain(cells));
    }
    table.finish()
}

fn by_graph(
    study: &AbstractionsStudy,
    is_meant: impl Fn(&AbstractionRun) -> bool,
    value: RunValue,
    unit: f64,
    decimals: usize,
) -> String {
    let graphs = study.graphs.iter().map(|graph| format!("{} edges", graph.shape.n_edges));
    let mut table = Table::new([String::new()].into_iter().chain(graphs));
    for abstraction in Abstraction::ALL {
        let cells = (0..study.graphs.len()).map(|graph| {
            let meant = |run: &AbstractionRun| run.abstraction == abstraction && run.graph == graph && is_meant(run);
            mean_text(summary(study, meant, value), unit, decimals)
        });
        table.row([technique_name(abstraction).to_string()].into_iter().chain(cells));
    }
    table.finish()
}

fn to_json(study: &AbstractionsStudy, clips: &ExperimentClips, options: &AbstractionsOptions) -> Value {
    let test = |(index, test): (usize, &TestWay)| {
        json!({
            "name": test.name,
            "kind": TEST_NAMES.get(index),
            "path_length": test.path.length(),
            "skating_per_frame_cm": test.skating.per_frame().map(|metres| CM * metres),
            "amplitude_cm": CM * test.sway.amplitude,
            "wavelength_cm": CM * test.sway.wavelength,
            "amplitude_deviation_cm": CM * test.sway.amplitude_deviation,
            "wavelength_deviation_cm": CM * test.sway.wavelength_deviation,
            "extrema": test.sway.n_extrema,
            "paper": {
                "skating_cm": paper::TABLE_1[0][index],
                "amplitude_cm": paper::TABLE_1[1][index],
                "wavelength_cm": paper::TABLE_1[2][index],
                "amplitude_deviation_cm": paper::TABLE_1[3][index],
                "wavelength_deviation_cm": paper::TABLE_1[4][index],
            },
        })
    };
    let graphs = study.graphs.iter().enumerate().map(|(index, graph)| {
        let printed = paper::TABLE_6.get(index);
        json!({
            "threshold": graph.limit,
            "wanted_edges": graph.wanted_edges,
            "nodes": graph.shape.n_nodes,
            "edges": graph.shape.n_edges,
            "frames": graph.shape.n_keyframes,
            "paper": printed.map(|row| json!({
                "threshold": row.threshold, "nodes": row.nodes, "edges": row.edges, "frames": row.frames,
            })),
        })
    });
    let mut cells = Vec::new();
    for abstraction in Abstraction::ALL {
        for graph in 0..study.graphs.len() {
            for test in 0..study.tests.len() {
                let meant =
                    |run: &AbstractionRun| run.abstraction == abstraction && run.graph == graph && run.test == test;
                cells.push(cell_json(study, abstraction, graph, test, &meant));
            }
        }
    }
    let overall: Vec<Value> = Abstraction::ALL
        .into_iter()
        .map(|abstraction| {
            let mut told = json!({ "technique": abstraction.name() });
            for (name, _, value, unit, _) in COMPARED {
                let found = summary(study, |run| run.abstraction == abstraction, value);
                told[name] = summary_json(found, unit);
            }
            told
        })
        .collect();
    json!({
        "corpus": corpus_json(clips),
        "tests": study.tests.iter().enumerate().map(test).collect::<Vec<_>>(),
        "runs": options.runs,
        "seed": options.seed,
        "window": options.window,
        "scale": study.scale,
        "graphs": graphs.collect::<Vec<_>>(),
        "units": "centimetres, cm/frame for skating, milliseconds for search_ms",
        "techniques": overall,
        "cells": cells,
    })
}

fn cell_json(
    study: &AbstractionsStudy,
    abstraction: Abstraction,
    graph: usize,
    test: usize,
    meant: &dyn Fn(&AbstractionRun) -> bool,
) -> Value {
    let mut told = json!({ "technique": abstraction.name(), "graph": graph, "test": test });
    told["amplitude"] = summary_json(study.summary(meant, |run| Some(amplitude(run))), CM);
    told["wavelength"] = summary_json(study.summary(meant, |run| Some(run.figures.sway?.wavelength)), CM);
    for (name, _, value, unit, _) in COMPARED {
        told[name] = summary_json(summary(study, meant, value), unit);
    }
    told
}
