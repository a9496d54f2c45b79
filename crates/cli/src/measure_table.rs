//! How `surefoot measure` shows figures: a table for people, JSON for machines.

use crate::measure::Subject;
use serde_json::{Value, json};
use std::fmt::Write;
use std::path::Path;
use surefoot::contact::FootPlan;
use surefoot::contact::{metrics::Family, metrics::Figure, metrics::Gate, metrics::GateFailure, metrics::Measures};

/// All that is shown.
pub(crate) struct Shown<'a> {
    pub(crate) subject: &'a Subject,
    /// What the ground is and how it came about.
    pub(crate) ground: &'a str,
    pub(crate) measures: &'a Measures,
    pub(crate) reference: Option<(&'a Subject, &'a Measures)>,
    pub(crate) plan: Option<&'a FootPlan>,
    pub(crate) families: Vec<Family>,
    /// Its file, its limits, and those that do not hold.
    pub(crate) gate: Option<((&'a Path, &'a Gate), &'a [GateFailure])>,
    pub(crate) details: bool,
}

impl Shown<'_> {
    fn figures(&self) -> Vec<Figure> {
        let mut figures = self.measures.figures();
        figures.retain(|figure| self.families.contains(&figure.definition.family));
        figures
    }

    /// The reference's own value of a figure, as its unit shows it.
    fn reference_values(&self) -> impl Fn(&Figure) -> Option<f64> + use<> {
        let figures = self.reference.map(|(_, measures)| measures.figures()).unwrap_or_default();
        move |figure| figures.iter().find(|other| other.name() == figure.name()).map(Figure::shown)
    }
}

/// Everything as JSON.
pub(crate) fn to_json(shown: &Shown<'_>) -> Value {
    let reference_value = shown.reference_values();
    let figure_json = |figure: &Figure| {
        json!({
            "name": figure.name(),
            "value": figure.shown(),
            "unit": figure.unit(),
            "place": figure.place,
            "frame": figure.frame,
            "frame_rate": figure.frame_rate,
            "threshold": figure.definition.threshold,
            "about": figure.definition.about,
            "family": figure.definition.family.title(),
            "reference": reference_value(figure),
        })
    };
    json!({
        "subject": subject_json(shown.subject),
        "ground": shown.ground,
        "reference": shown.reference.map(|(subject, _)| subject_json(subject)),
        "figures": shown.figures().iter().map(figure_json).collect::<Vec<_>>(),
        "plants": plants_json(shown.measures),
        "footprints": shown.plan.map(|plan| footprints_json(shown.measures, plan)),
        "joints": joints_json(shown.measures),
        "gate": shown.gate.map(|((file, gate), failures)| gate_json(file, gate, failures)),
    })
}

fn subject_json(subject: &Subject) -> Value {
    let clip = &subject.take.clip;
    json!({
        "file": subject.file.display().to_string(),
        "frames": clip.n_frames(),
        "frame_rate": clip.frame_rate,
        "duration": clip.duration(),
        "contacts": subject.contacts_from.name(),
        "soles": if subject.has_reference_soles { "reference" } else { "own" },
    })
}

fn plants_json(measures: &Measures) -> Vec<Value> {
    let plant = |plant: &surefoot::contact::metrics::PlantDrift| {
        json!({
            "foot": plant.side.name(),
            "part": plant.part.name(),
            "start": plant.frames.start,
            "end": plant.frames.end,
            "drift_mm": plant.horizontal * 1000.0,
            "drift_vertical_mm": plant.vertical * 1000.0,
            "path_mm": plant.path * 1000.0,
        })
    };
    measures.drift.plants.iter().map(plant).collect()
}

fn footprints_json(measures: &Measures, plan: &FootPlan) -> Vec<Value> {
    let placement = measures.placement.as_ref();
    let footprint = |(index, wish): (usize, &surefoot::contact::Footprint)| {
        let error = placement.and_then(|placement| placement.footprints[index].as_ref());
        let Some(error) = error else {
            return json!({ "footprint": index, "foot": wish.side.name(), "missed": true });
        };
        json!({
            "footprint": index,
            "foot": wish.side.name(),
            "missed": false,
            "start": error.frames.start,
            "end": error.frames.end,
            "max_mm": error.max * 1000.0,
            "mean_mm": error.mean * 1000.0,
            "median_mm": error.median * 1000.0,
            "drift_mm": error.drift * 1000.0,
            "height_mm": error.height * 1000.0,
            "heading_deg": error.heading.map(f64::to_degrees),
            "swing_ms": error.swing.map(|seconds| seconds * 1000.0),
            "support_ms": error.support.map(|seconds| seconds * 1000.0),
        })
    };
    plan.footprints.iter().enumerate().map(footprint).collect()
}

fn joints_json(measures: &Measures) -> Option<Vec<Value>> {
    let reconstruction = measures.reconstruction.as_ref()?;
    let joints = reconstruction.joints.iter().map(|(pair, error)| {
        json!({
            "joint": measures.skeleton.name(pair.joint),
            "region": pair.region.name(),
            "global_cm": error.global * 100.0,
            "root_relative_cm": error.root_relative * 100.0,
        })
    });
    Some(joints.collect())
}

fn gate_json(file: &Path, gate: &Gate, failures: &[GateFailure]) -> Value {
    let failure = |failure: &GateFailure| {
        let measured = failure.measured.as_ref();
        json!({
            "figure": failure.figure.name,
            "value": measured.map(Figure::shown),
            "place": measured.and_then(|figure| figure.place.clone()),
            "frame": measured.and_then(|figure| figure.frame),
            "message": failure.to_string(),
        })
    };
    json!({
        "file": file.display().to_string(),
        "limits": gate.limits.len(),
        "passed": failures.is_empty(),
        "failures": failures.iter().map(failure).collect::<Vec<_>>(),
    })
}

/// Everything for people.
pub(crate) fn to_text(shown: &Shown<'_>) -> String {
    let mut out = heading(shown);
    out += &figure_table(shown);
    if shown.details {
        out += &details(shown);
    }
    if let Some(((file, gate), failures)) = shown.gate {
        let passed = gate.limits.len() - failures.len().min(gate.limits.len());
        let _ = writeln!(out, "\ngate {}: {passed} of {} limits hold", file.display(), gate.limits.len());
    }
    out
}

fn heading(shown: &Shown<'_>) -> String {
    let about = |subject: &Subject| {
        let (clip, contacts) = (&subject.take.clip, subject.contacts_from.text());
        let (file, rate) = (subject.file.display(), crate::info::short_rate(clip.frame_rate));
        format!("{file}: {} frames at {rate} fps, {:.2} s; contacts {contacts}", clip.n_frames(), clip.duration())
    };
    let soles = if shown.subject.has_reference_soles { "; soles of the reference" } else { "" };
    let mut out = format!("{}{soles}\n", about(shown.subject));
    if let Some((reference, _)) = shown.reference {
        let _ = writeln!(out, "reference {}", about(reference));
    }
    let _ = writeln!(out, "ground {}", shown.ground);
    out
}

/// Columns of the table; the last has no width.
const COLUMNS: [&str; 6] = ["", "value", "reference", "where", "frame", "threshold"];

fn figure_table(shown: &Shown<'_>) -> String {
    let (figures, reference_value) = (shown.figures(), shown.reference_values());
    let row = |figure: &Figure| {
        let with_unit = |value: f64| format!("{} {:<8}", number(value), figure.unit());
        let threshold = match (figure.frame_rate == shown.measures.frame_rate, figure.definition.threshold) {
            (_, text) if !text.is_empty() => text.to_string(),
            (true, _) => String::new(),
            (false, _) => format!("at {} fps", figure.frame_rate),
        };
        [
            format!("  {}", figure.name()),
            with_unit(figure.shown()),
            reference_value(figure).map(with_unit).unwrap_or_default(),
            figure.place.clone().unwrap_or_default(),
            figure.frame.map(|frame| frame.to_string()).unwrap_or_default(),
            threshold,
        ]
    };
    let mut lines: Vec<(Family, [String; 6])> = Vec::new();
    for figure in &figures {
        lines.push((figure.definition.family, row(figure)));
    }
    layout(&lines, shown.reference.is_some())
}

/// The rows under the headings of their families, in columns as wide as they need.
fn layout(lines: &[(Family, [String; 6])], has_reference: bool) -> String {
    let width = |column: usize| {
        let cells = lines.iter().map(|(_, row)| row[column].chars().count());
        cells.chain([COLUMNS[column].len()]).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..COLUMNS.len()).map(width).collect();
    let mut out = String::new();
    let mut print = |row: [&str; 6]| {
        let cell = |column: usize| match column {
            0 | 3 => format!("{:<1$}", row[column], widths[column]),
            5 => row[column].to_string(),
            _ => format!("{:>1$}", row[column], widths[column]),
        };
        let cells: Vec<String> = (0..COLUMNS.len()).filter(|&k| k != 2 || has_reference).map(cell).collect();
        let _ = writeln!(out, "{}", cells.join("  ").trim_end());
    };
    let mut last = None;
    for (family, row) in lines {
        if last != Some(*family) {
            let headings = if last.is_none() { COLUMNS } else { [""; 6] };
            print([family.title(), headings[1], headings[2], headings[3], headings[4], headings[5]]);
            last = Some(*family);
        }
        print(std::array::from_fn(|column| row[column].as_str()));
    }
    out
}

/// Four significant digits, without zeros that say nothing; what is smaller than a thousandth as a power of ten.
fn number(value: f64) -> String {
    let size = value.abs();
    if size == 0.0 {
        return "0".to_string();
    }
    if size < 1e-3 {
        return format!("{value:.1e}");
    }
    let decimals = (3 - size.log10().floor() as i32).clamp(0, 9) as usize;
    let text = format!("{value:.decimals$}");
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_string() } else { text }
}

fn details(shown: &Shown<'_>) -> String {
    let mut out = String::from("\nplants              frames      drift mm  vertical mm  path mm\n");
    for plant in &shown.measures.drift.plants {
        let frames = format!("{}..{}", plant.frames.start, plant.frames.end);
        let [drift, vertical, path] = [plant.horizontal, plant.vertical, plant.path].map(|metres| number(metres * 1e3));
        let (side, part) = (plant.side.name(), plant.part.name());
        let _ = writeln!(out, "  {side:<5} {part:<4}  {frames:>12}  {drift:>10}  {vertical:>11}  {path:>7}");
    }
    if let Some(plan) = shown.plan {
        out += &footprint_lines(shown.measures, plan);
    }
    if let Some(reconstruction) = &shown.measures.reconstruction {
        out += "\njoints                      region  global cm  root-relative cm\n";
        for (pair, error) in &reconstruction.joints {
            let (name, region) = (shown.measures.skeleton.name(pair.joint), pair.region.name());
            let [global, rooted] = [error.global, error.root_relative].map(|metres| number(metres * 100.0));
            let _ = writeln!(out, "  {name:<24}  {region:<6}  {global:>9}  {rooted:>16}");
        }
    }
    out
}

fn footprint_lines(measures: &Measures, plan: &FootPlan) -> String {
    let mut out = String::from(
        "\nfootprints     frames      max mm  mean mm  median mm  height mm  heading deg  swing ms  support ms\n",
    );
    let or_dash = |value: Option<f64>| value.map_or("-".to_string(), number);
    let footprints = measures.placement.iter().flat_map(|placement| &placement.footprints);
    for (index, (wish, error)) in plan.footprints.iter().zip(footprints).enumerate() {
        let side = wish.side.name();
        let Some(error) = error else {
            let _ = writeln!(out, "  {index:>3} {side:<5}  missed");
            continue;
        };
        let frames = format!("{}..{}", error.frames.start, error.frames.end);
        let [max, mean, median, height] =
            [error.max, error.mean, error.median, error.height].map(|metres| number(metres * 1e3));
        let heading = or_dash(error.heading.map(f64::to_degrees));
        let [swing, support] = [error.swing, error.support].map(|seconds| or_dash(seconds.map(|s| s * 1e3)));
        let _ = writeln!(
            out,
            "  {index:>3} {side:<5}  {frames:>12}  {max:>7}  {mean:>7}  {median:>9}  {height:>9}  {heading:>11}  \
             {swing:>8}  {support:>10}"
        );
    }
    out
}
