//! How `surefoot measure` shows metrics to people: a table, and lists on demand.

use crate::info::short_rate;
use std::fmt::Write;
use surefoot::jobs::{MeasureReport, MeasuredFootprint, MetricRow, Soles, SubjectReport};

/// Everything for people.
pub(crate) fn to_text(report: &MeasureReport, lists_details: bool) -> String {
    let mut out = heading(report);
    out += &metric_table(report);
    if lists_details {
        out += &details(report);
    }
    if let Some(gate) = &report.gate {
        let passed = gate.limits - gate.failures.len().min(gate.limits);
        let _ = writeln!(out, "\ngate {}: {passed} of {} limits hold", gate.file, gate.limits);
    }
    out
}

fn heading(report: &MeasureReport) -> String {
    let about = |subject: &SubjectReport| {
        let SubjectReport { file, frames, duration, contacts, .. } = subject;
        let rate = short_rate(subject.frame_rate);
        format!("{file}: {frames} frames at {rate} fps, {duration:.2} s; contacts {}", contacts.text())
    };
    let soles = if report.subject.soles == Soles::Reference { "; soles of the reference" } else { "" };
    let mut out = format!("{}{soles}\n", about(&report.subject));
    if let Some(reference) = &report.reference {
        let _ = writeln!(out, "reference {}", about(reference));
    }
    let _ = writeln!(out, "ground {}", report.ground);
    out
}

/// Columns of the table; the last has no width.
const COLUMNS: [&str; 6] = ["", "value", "reference", "where", "frame", "threshold"];

fn metric_table(report: &MeasureReport) -> String {
    let row = |metric: &MetricRow| {
        let with_unit = |value: f64| format!("{} {:<8}", number(value), metric.unit);
        let threshold = match (metric.frame_rate == report.subject.frame_rate, metric.threshold.as_str()) {
            (_, text) if !text.is_empty() => text.to_string(),
            (true, _) => String::new(),
            (false, _) => format!("at {} fps", metric.frame_rate),
        };
        [
            format!("  {}", metric.name),
            with_unit(metric.value),
            metric.reference.map(with_unit).unwrap_or_default(),
            metric.place.clone().unwrap_or_default(),
            metric.frame.map(|frame| frame.to_string()).unwrap_or_default(),
            threshold,
        ]
    };
    let lines: Vec<(&str, [String; 6])> =
        report.metrics.iter().map(|metric| (metric.family.as_str(), row(metric))).collect();
    layout(&lines, report.reference.is_some())
}

/// The rows under the headings of their families, in columns as wide as they need.
fn layout(lines: &[(&str, [String; 6])], has_reference: bool) -> String {
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
            print([family, headings[1], headings[2], headings[3], headings[4], headings[5]]);
            last = Some(*family);
        }
        print(std::array::from_fn(|column| row[column].as_str()));
    }
    out
}

/// Four significant digits, without trailing zeros; what is smaller than a thousandth as a power of ten.
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

fn details(report: &MeasureReport) -> String {
    let mut out = String::from("\nplants              frames      drift mm  vertical mm  path mm\n");
    for plant in &report.plants {
        let frames = format!("{}..{}", plant.start, plant.end);
        let [drift, vertical, path] = [plant.drift_mm, plant.drift_vertical_mm, plant.path_mm].map(number);
        let (side, part) = (&plant.foot, &plant.part);
        let _ = writeln!(out, "  {side:<5} {part:<4}  {frames:>12}  {drift:>10}  {vertical:>11}  {path:>7}");
    }
    if let Some(footprints) = &report.footprints {
        out += &footprint_lines(footprints);
    }
    if let Some(joints) = &report.joints {
        out += "\njoints                      region  global cm  root-relative cm\n";
        for joint in joints {
            let [global, rooted] = [joint.global_cm, joint.root_relative_cm].map(number);
            let _ = writeln!(out, "  {:<24}  {:<6}  {global:>9}  {rooted:>16}", joint.joint, joint.region);
        }
    }
    out
}

fn footprint_lines(footprints: &[MeasuredFootprint]) -> String {
    let mut out = String::from(
        "\nfootprints     frames      max mm  mean mm  median mm  height mm  heading deg  swing ms  support ms\n",
    );
    let or_dash = |value: Option<f64>| value.map_or("-".to_string(), number);
    for MeasuredFootprint { footprint, foot, placement, .. } in footprints {
        let Some(placement) = placement else {
            let _ = writeln!(out, "  {footprint:>3} {foot:<5}  missed");
            continue;
        };
        let frames = format!("{}..{}", placement.start, placement.end);
        let [max, mean, median, height] =
            [placement.max_mm, placement.mean_mm, placement.median_mm, placement.height_mm].map(number);
        let [heading, swing, support] = [placement.heading_deg, placement.swing_ms, placement.support_ms].map(or_dash);
        let _ = writeln!(
            out,
            "  {footprint:>3} {foot:<5}  {frames:>12}  {max:>7}  {mean:>7}  {median:>9}  {height:>9}  {heading:>11}  \
             {swing:>8}  {support:>10}"
        );
    }
    out
}
