//! `surefoot info` on a folder, a glob or several files: a line for each.

use crate::import_args::ImportArgs;
use crate::info::{short_rate, to_json};
use crate::output::progress;
use crate::report::{Failure, Format, print_result, print_text};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use surefoot::formats::{Import, READABLE};

/// Whether the inputs are one plain file (or one that is missing, which then is the error).
pub(crate) fn is_single(inputs: &[PathBuf]) -> bool {
    matches!(inputs, [input] if !input.is_dir() && (input.exists() || !is_pattern(input)))
}

fn is_pattern(path: &Path) -> bool {
    path.to_string_lossy().contains(['*', '?', '['])
}

/// Reports on every motion file below the inputs. A file that cannot be read is a line too, and makes the command fail at the
/// end.
pub(crate) fn run(inputs: &[PathBuf], import: &ImportArgs, format: Format) -> Result<(), Failure> {
    let mut files = Vec::new();
    for input in inputs {
        gather(input, &mut files)?;
    }
    if files.is_empty() {
        let message = format!("no motion file is there; {} are read", READABLE.join(", "));
        return Err(Failure::of_file("io", &inputs[0], message));
    }
    let bar = progress(files.len() as u64);
    let mut rows = Vec::new();
    let mut n_failed = 0;
    for file in &files {
        let result = import.load(file);
        n_failed += usize::from(result.is_err());
        rows.push(match format {
            Format::Json => Row::Json(match &result {
                Ok(import) => to_json(file, import),
                Err(failure) => json!({ "file": file.display().to_string(), "error": failure.to_json() }),
            }),
            Format::Human => Row::Cells(match &result {
                Ok(import) => cells(file, import),
                Err(failure) => [file.display().to_string(), failure.to_string()].to_vec(),
            }),
        });
        bar.inc(1);
    }
    bar.finish_and_clear();
    print(&rows, format)?;
    if n_failed > 0 {
        let message = format!("{n_failed} of {} files could not be read", files.len());
        return Err(Failure::reported(surefoot::jobs::JobError::new("unreadable", message)));
    }
    Ok(())
}

enum Row {
    Json(Value),
    Cells(Vec<String>),
}

/// Adds the motion files that an input names, in order of their names.
pub(crate) fn gather(input: &Path, files: &mut Vec<PathBuf>) -> Result<(), Failure> {
    if input.is_dir() {
        let mut folders = vec![input.to_path_buf()];
        let mut found = Vec::new();
        while let Some(folder) = folders.pop() {
            let entries =
                std::fs::read_dir(&folder).map_err(|error| Failure::of_file("io", &folder, error.to_string()))?;
            for entry in entries.flatten() {
                let path = entry.path();
                // A link to a folder may lead back up; links to files are fine.
                let is_link = entry.file_type().is_ok_and(|kind| kind.is_symlink());
                if path.is_dir() {
                    folders.extend((!is_link).then_some(path));
                } else if is_readable(&path) {
                    found.push(path);
                }
            }
        }
        found.sort();
        files.append(&mut found);
    } else if is_pattern(input) && !input.exists() {
        let pattern = input.to_string_lossy();
        let paths =
            glob::glob(&pattern).map_err(|error| Failure::new("usage", format!("pattern `{pattern}`: {error}")))?;
        files.extend(paths.flatten().filter(|path| path.is_file()));
    } else {
        files.push(input.to_path_buf());
    }
    Ok(())
}

fn is_readable(path: &Path) -> bool {
    let ending = path.extension().map(|ending| ending.to_string_lossy().to_ascii_lowercase());
    ending.is_some_and(|ending| READABLE.contains(&ending.as_str()))
}

const HEADINGS: [&str; 9] = ["file", "frames", "fps", "joints", "unit", "up", "legs m", "travel m", "notes"];

fn cells(file: &Path, import: &Import) -> Vec<String> {
    let clip = &import.clip;
    let codes = import.warnings.iter().map(|w| w.code).chain(import.diagnostics.iter().map(|d| d.code));
    let mut notes: Vec<&str> = Vec::new();
    for code in codes {
        if !notes.contains(&code) {
            notes.push(code);
        }
    }
    vec![
        file.display().to_string(),
        clip.n_frames().to_string(),
        short_rate(clip.frame_rate),
        clip.skeleton.n_joints().to_string(),
        import.assumed.unit.to_string(),
        import.assumed.up.motion.to_string(),
        import.leg_lengths().map_or("-".into(), |legs| format!("{:.3}", legs.left)),
        import.body.as_ref().map_or("-".into(), |_| format!("{:.2}", import.travel)),
        notes.join(" "),
    ]
}

fn print(rows: &[Row], format: Format) -> Result<(), Failure> {
    if format == Format::Json {
        let files: Vec<&Value> =
            rows.iter().filter_map(|row| if let Row::Json(value) = row { Some(value) } else { None }).collect();
        return print_result("info", &json!({ "files": files }));
    }
    let mut table = vec![HEADINGS.map(String::from).to_vec()];
    table.extend(rows.iter().filter_map(|row| if let Row::Cells(cells) = row { Some(cells.clone()) } else { None }));
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
    print_text(&text)
}
