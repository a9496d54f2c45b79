//! Every foot plan of the collection of odd and broken files, against its manifest, on a small stack.

use std::path::{Path, PathBuf};
use surefoot_formats::own::read_plan;

/// The collection, or `None` with a note where it is not on this machine.
fn collection() -> Option<PathBuf> {
    match std::env::var_os("SUREFOOT_SHARED") {
        Some(shared) => Some(Path::new(&shared).join("badfiles")),
        None => {
            println!("skipped: SUREFOOT_SHARED names no folder");
            None
        }
    }
}

/// One row of the manifest.
#[derive(Debug)]
struct Row {
    file: String,
    expect: String,
    facts: String,
    error_kind: String,
    line: Option<usize>,
    note: String,
}

fn rows(folder: &Path) -> Vec<Row> {
    let mut reader = csv::Reader::from_path(folder.join("MANIFEST.csv")).expect("the manifest");
    let columns = reader.headers().expect("a header").clone();
    reader
        .records()
        .map(|record| {
            let record = record.expect("a row");
            let cell = |name: &str| {
                let index = columns.iter().position(|column| column == name).expect("a column");
                record[index].to_string()
            };
            Row {
                file: cell("file"),
                expect: cell("expect"),
                facts: cell("facts"),
                error_kind: cell("error_kind"),
                line: cell("line").parse().ok(),
                note: cell("note"),
            }
        })
        .filter(|row| row.file.starts_with("plan_"))
        .collect()
}

/// The kinds that a row accepts: its own, and those of a note such as "or infeasible".
fn accepted_kinds(row: &Row) -> Vec<&str> {
    let mut kinds = vec![row.error_kind.as_str()];
    kinds.extend(row.note.strip_prefix("or "));
    kinds
}

/// What is wrong with our reading of a row's file, if anything.
fn complaint(row: &Row, bytes: Vec<u8>) -> Option<String> {
    let work = move || read_plan(&bytes);
    let thread = std::thread::Builder::new().stack_size(256 * 1024).spawn(work).expect("a thread");
    let Ok(read) = thread.join() else { return Some("panicked".to_string()) };
    match read {
        Ok(_) if row.expect == "error" => Some("was read".to_string()),
        Ok(plan) => {
            let facts = format!("footprints={}", plan.footprints.len());
            (facts != row.facts).then(|| format!("gave {facts}"))
        }
        Err(error) if row.expect == "ok" => Some(format!("was refused: {error}")),
        Err(error) if !accepted_kinds(row).contains(&error.kind.code()) => {
            Some(format!("gave kind {}: {error}", error.kind.code()))
        }
        Err(error) if row.line.is_some() && error.line != row.line => Some(format!("gave line {:?}", error.line)),
        Err(error) if row.note == "must name the footprint" && !error.message.contains("footprints[") => {
            Some(format!("names no footprint: {error}"))
        }
        // Where the manifest has no line, an error names one all the same.
        Err(error) if error.line.is_none() => Some(format!("names no line: {error}")),
        Err(error) => {
            println!("{}: {error}", row.file);
            None
        }
    }
}

#[test]
fn every_odd_plan_is_read_or_refused_as_the_manifest_says() {
    let Some(folder) = collection() else { return };
    let rows = rows(&folder);
    assert!(rows.len() >= 20, "only {} plans in the manifest", rows.len());
    let complaints: Vec<String> = rows
        .iter()
        .filter_map(|row| {
            let bytes = std::fs::read(folder.join(&row.file)).expect("a file that the manifest lists");
            complaint(row, bytes).map(|complaint| format!("{}: {complaint}; wanted {row:?}", row.file))
        })
        .collect();
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}
