//! `surefoot info` on a folder, a glob or several files: a line for each.

use crate::info::short_rate;
use crate::report::Failure;
use surefoot::jobs::{FileReport, InputReport};

const HEADINGS: [&str; 9] = ["file", "frames", "fps", "joints", "unit", "up", "legs m", "travel m", "notes"];

/// A line for each file; one that cannot be read has the reason.
pub(crate) fn to_text(files: &[FileReport]) -> String {
    let mut table = vec![HEADINGS.map(String::from).to_vec()];
    table.extend(files.iter().map(|file| match file {
        FileReport::Read(input) => cells(input),
        FileReport::Refused { file, error } => vec![file.clone(), Failure::from(error.clone()).to_string()],
    }));
    let width = |column: usize| {
        let full = table.iter().filter(|row| row.len() == HEADINGS.len());
        full.map(|row| row[column].chars().count()).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..HEADINGS.len()).map(width).collect();
    let mut text = String::new();
    for row in &table {
        for (column, cell) in row.iter().enumerate() {
            let (last, width) = (column + 1 == row.len(), widths[column]);
            // Names to the left, numbers to the right.
            text += &match column {
                _ if last => cell.clone(),
                0 | 4 | 5 => format!("{cell:<width$}  "),
                _ => format!("{cell:>width$}  "),
            };
        }
        text.push('\n');
    }
    text
}

fn cells(input: &InputReport) -> Vec<String> {
    let codes = input.warnings.iter().map(|w| &w.code).chain(input.diagnostics.iter().map(|d| &d.code));
    let mut notes: Vec<&str> = Vec::new();
    for code in codes {
        if !notes.contains(&code.as_str()) {
            notes.push(code);
        }
    }
    vec![
        input.file.clone(),
        input.frames.to_string(),
        short_rate(input.frame_rate),
        input.joints.len().to_string(),
        input.unit.clone(),
        input.up.clone(),
        input.leg_length.map_or("-".into(), |leg| format!("{leg:.3}")),
        input.body.as_ref().map_or("-".into(), |_| format!("{:.2}", input.travel)),
        notes.join(" "),
    ]
}
