//! The tables of `experiment abstractions`: GRAPH tables 1 and 6, and the techniques compared.

use crate::experiments::{ExperimentClips, TEST_NAMES, technique_name};
use crate::study_request::clips_line;
use crate::study_table::{Table, bold_least, mean_text};
use surefoot_graph::Abstraction;
use surefoot_graph::experiment::{AbstractionRun, AbstractionsOptions, AbstractionsStudy, Summary, TestPath, paper};

/// From metres to centimetres.
pub(crate) const CM: f64 = 100.0;

/// A number of a run, in SI units.
pub(crate) type RunValue = fn(&AbstractionsStudy, &AbstractionRun) -> Option<f64>;

/// What techniques are compared by: title, value, unit and decimals.
pub(crate) const COMPARED: [(&str, RunValue, f64, usize); 8] = [
    ("Foot skating, cm/frame", |_, run| run.metrics.skating.per_frame(), CM, 3),
    ("Foot skating in detected contacts, cm/frame", |_, run| run.metrics.contact_skating.per_frame(), CM, 3),
    ("Amplitude: difference from the recording, cm", |study, run| Some(study.amplitude_difference(run)), CM, 2),
    ("Wavelength: difference, cm", |study, run| study.wavelength_difference(run), CM, 1),
    ("Standard deviation of the amplitude, cm", |_, run| Some(run.metrics.sway?.amplitude_deviation), CM, 2),
    ("Standard deviation of the wavelength, cm", |_, run| Some(run.metrics.sway?.wavelength_deviation), CM, 1),
    ("Distance of the pelvis from the path, mean, cm", |_, run| Some(run.metrics.deviation?.mean), CM, 1),
    ("Time of the search, ms", |_, run| Some(run.metrics.seconds), 1e3, 2),
];

/// Tables 1 and 6, and the techniques compared, as Markdown.
pub(crate) fn tables(study: &AbstractionsStudy, clips: &ExperimentClips, options: &AbstractionsOptions) -> String {
    let mut text = clips_line(clips);
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
    let unfinished = study.runs.iter().filter(|run| !run.metrics.arrived).count();
    let still = study.runs.iter().filter(|run| run.metrics.sway.is_none()).count();
    text += &format!(
        "Of {} runs {unfinished} paused and travelled less than the path is long, and in {still} the pelvis does not sway (its amplitude counts as 0).\n",
        study.runs.len()
    );
    text += "\n### Table 1: the recorded motions, in the paper's reading (amplitude from side to side, wavelength from one extremum to the next)\n\n";
    text += &table_1(study);
    text += "\n### Table 6: the graphs\n\n";
    text += &table_6(study);
    text += "\n### The techniques over all paths and graphs (figures 8, 9 and 12)\n\n";
    text += &overall_table(study);
    for (title, value, unit, decimals) in &COMPARED[..4] {
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
        text += &by_graph(study, |run| run.test == test, |_, run| Some(run.metrics.sway?.wavelength), CM, 1);
    }
    text
}

/// Of the pelvis in a run, in metres; 0 where it does not sway.
pub(crate) fn amplitude(run: &AbstractionRun) -> f64 {
    run.metrics.sway.map_or(0.0, |sway| sway.amplitude)
}

/// The rows of table 1, as the paper reads them, in centimetres.
fn recorded_rows(test: &TestPath) -> [f64; 5] {
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

/// A number over some of the runs.
pub(crate) fn summary(
    study: &AbstractionsStudy,
    is_meant: impl Fn(&AbstractionRun) -> bool,
    value: RunValue,
) -> Option<Summary> {
    study.summary(is_meant, |run| value(study, run))
}

fn overall_table(study: &AbstractionsStudy) -> String {
    let names = Abstraction::ALL.map(technique_name);
    let mut table = Table::new([""].into_iter().chain(names));
    for (title, value, unit, decimals) in COMPARED {
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
