//! Every odd and broken ASF and AMC file of the collection is read or refused as its manifest says: the verdict, the
//! kind of the error, its line, what was read, and the warnings, on a small stack.

use std::path::{Path, PathBuf};
use surefoot_formats::ReadError;
use surefoot_formats::asf::{Amc, Asf, into_document, read_amc, read_asf, skeleton_document};
use surefoot_geom::Transform;

/// What a manifest's row expects, as far as these formats need it.
#[derive(Clone)]
struct Row {
    file: String,
    format: String,
    expect: String,
    facts: String,
    error_kind: String,
    line: Option<usize>,
    warning: String,
    companion: String,
    note: String,
}

fn folder() -> Option<PathBuf> {
    let Some(shared) = std::env::var_os("SUREFOOT_SHARED") else {
        println!("skipped: SUREFOOT_SHARED names no folder");
        return None;
    };
    Some(Path::new(&shared).join("badfiles"))
}

fn rows(folder: &Path) -> Vec<Row> {
    let mut manifest = csv::Reader::from_path(folder.join("MANIFEST.csv")).expect("a manifest");
    let headers = manifest.headers().expect("a header").clone();
    let column = |name: &str| headers.iter().position(|h| h == name).expect("a column");
    let columns =
        ["file", "format", "expect", "facts", "error_kind", "line", "warning", "companion", "note"].map(column);
    let row = |record: csv::Result<csv::StringRecord>| {
        let record = record.expect("a row");
        let [file, format, expect, facts, error_kind, line, warning, companion, note] =
            columns.map(|c| record[c].to_string());
        Row { file, format, expect, facts, error_kind, line: line.parse().ok(), warning, companion, note }
    };
    manifest.records().map(row).filter(|row| row.format == "asf" || row.format == "amc").collect()
}

/// Reads a row's file on a stack of 256 KiB: the facts it holds, and the codes of the warnings.
fn read(folder: &Path, row: &Row) -> Result<(Vec<String>, Vec<&'static str>), ReadError> {
    let load = |name: &str| std::fs::read(folder.join(name)).unwrap_or_else(|e| panic!("{name}: {e}"));
    let (bytes, is_amc) = (load(&row.file), row.format == "amc");
    let skeleton = if is_amc { load(&row.companion) } else { bytes.clone() };
    let job = move || {
        let asf = read_asf(&skeleton)?;
        if !is_amc {
            let document = skeleton_document(&asf);
            assert_eq!((document.poses.len(), document.skeleton.n_joints()), (0, asf.bones.len() + 1));
            return Ok((asf_facts(&asf), asf.warnings.iter().map(|w| w.code).collect()));
        }
        let amc = read_amc(&bytes, &asf)?;
        let document = into_document(&asf, &amc);
        assert_eq!(document.poses.len(), amc.n_frames);
        assert!(document.poses.iter().all(|pose| pose.local.iter().all(Transform::is_finite)));
        Ok((amc_facts(&amc), amc.warnings.iter().map(|w| w.code).collect()))
    };
    let thread = std::thread::Builder::new().stack_size(256 * 1024).spawn(job).expect("a thread");
    thread.join().unwrap_or_else(|_| panic!("{} panicked", row.file))
}

fn asf_facts(asf: &Asf) -> Vec<String> {
    let (bones, dofs, root) = (asf.bones.len(), asf.n_bone_dofs(), asf.root.order.len());
    let angle = asf.units.angle.name();
    vec![format!("bones={bones}"), format!("dofs={dofs}"), format!("rootdofs={root}"), format!("angle={angle}")]
}

fn amc_facts(amc: &Amc) -> Vec<String> {
    vec![format!("frames={}", amc.n_frames), format!("angle={}", amc.angle.name())]
}

/// The lines that the manifest accepts: its own, one off at the end of a file, and those that its note names.
fn accepts_line(row: &Row, line: Option<usize>) -> bool {
    let (Some(expected), Some(found)) = (row.line, line) else {
        // A row without a line leaves it to the reader.
        return row.line.is_none();
    };
    // The cut file's last frame begins at line 14.
    let frame_of_the_end = row.note.contains("line of the frame or of the end") && found == 14;
    let at_end = row.error_kind == "unexpected_eof" && expected.abs_diff(found) <= 1;
    expected == found || frame_of_the_end || at_end
}

/// What is wrong with the reading of a row.
fn complaint(folder: &Path, row: &Row) -> Option<String> {
    match (read(folder, row), row.expect.as_str()) {
        (Ok((facts, warnings)), "ok" | "either") => {
            let missing = row.facts.split(';').find(|fact| !fact.is_empty() && !facts.iter().any(|f| f == fact));
            let expected: Vec<&str> = row.warning.split(';').filter(|code| !code.is_empty()).collect();
            if let Some(fact) = missing {
                Some(format!("expected {fact}, found {facts:?}"))
            } else if warnings != expected {
                Some(format!("expected warnings {expected:?}, found {warnings:?}"))
            } else {
                None
            }
        }
        (Err(error), "error" | "either") => {
            let any_kind = row.note.contains("any error kind");
            let right = any_kind || error.kind.code() == row.error_kind;
            let complaint =
                || format!("expected {} at {:?}, found {} at {error}", row.error_kind, row.line, error.kind.code());
            (!right || !accepts_line(row, error.line)).then(complaint)
        }
        (Ok((facts, _)), _) => Some(format!("expected {}, was read: {facts:?}", row.error_kind)),
        (Err(error), _) => Some(format!("should be read, was refused: {error}")),
    }
}

#[test]
fn every_file_of_the_manifest_is_read_or_refused_as_it_says() {
    let Some(folder) = folder() else { return };
    let rows = rows(&folder);
    assert!(rows.len() >= 40, "the manifest has only {} rows of these formats", rows.len());
    let complaints: Vec<String> =
        rows.iter().filter_map(|row| Some(format!("{}: {}", row.file, complaint(&folder, row)?))).collect();
    assert!(complaints.is_empty(), "{} of {}:\n{}", complaints.len(), rows.len(), complaints.join("\n"));
}
