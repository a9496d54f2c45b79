//! Every unusual and broken file of the shared collection is read or refused as its manifest says: the verdict, the kind of the
//! error and its line, what was read, the warnings, and what the importer reports about its meaning. Each is read on a stack of
//! 256 KiB and with bounded memory.
//!
//! The files are not part of the project: the folder that holds them is named by `SUREFOOT_SHARED`.

use allocation_counter::measure;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use surefoot_formats::bvh::{Bvh, Channel, read_bvh};
use surefoot_formats::gltf::{GltfOptions, read_gltf_file};
use surefoot_formats::{Diagnostic, Document, ImportOptions, ReadError, Warning, asf, import, own};
use surefoot_recordings::{Row, manifest, shared_folder};

/// What readers must get by with.
const STACK_BYTES: usize = 256 << 10;
/// Memory for any file, beside 64 times its size.
const FREE_BYTES: usize = 64 << 20;

/// What was read.
struct Reading {
    facts: HashMap<String, String>,
    warnings: Vec<Warning>,
    diagnostics: Vec<Diagnostic>,
}

#[test]
fn every_file_of_the_manifest_is_read_or_refused_as_it_says() {
    let Some(shared) = shared_folder() else { return };
    let folder = shared.join("badfiles");
    let rows = manifest(&folder);
    assert!(rows.len() >= 286, "only {} rows", rows.len());
    let complaint = |row: &Row| Some(format!("{}: {}", row["file"], check(row, read(&folder, row))?));
    let complaints: Vec<String> = rows.iter().filter_map(complaint).collect();
    assert!(complaints.is_empty(), "{} of {}:\n{}", complaints.len(), rows.len(), complaints.join("\n"));
}

fn read(folder: &Path, row: &Row) -> Result<Reading, ReadError> {
    let path = folder.join(&row["file"]);
    let size = std::fs::metadata(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display())).len() as usize;
    let (format, companion) = (row["format"].clone(), folder.join(&row["companion"]));
    let job = move || {
        let mut result = None;
        let used = measure(|| result = Some(read_as(&format, &path, &companion))).bytes_max as usize;
        (result.expect("it ran"), used)
    };
    let thread = std::thread::Builder::new().stack_size(STACK_BYTES).spawn(job).expect("a thread");
    let (result, used) = thread.join().unwrap_or_else(|_| panic!("{} panicked", row["file"]));
    assert!(used <= FREE_BYTES + 64 * size, "{} took {used} bytes", row["file"]);
    result
}

fn read_as(format: &str, path: &Path, companion: &PathBuf) -> Result<Reading, ReadError> {
    let bytes = std::fs::read(path).expect("the file");
    match format {
        "bvh" => {
            let bvh = read_bvh(&bytes)?;
            finish(bvh_facts(&bvh), bvh.into_document())
        }
        "asf" => {
            let skeleton = asf::read_asf(&bytes)?;
            let facts = [
                ("bones", skeleton.bones.len().to_string()),
                ("dofs", skeleton.n_bone_dofs().to_string()),
                ("rootdofs", skeleton.root.order.len().to_string()),
                ("angle", skeleton.units.angle.name().to_string()),
            ];
            finish(by_name(facts), asf::skeleton_document(&skeleton))
        }
        "amc" => {
            let skeleton = asf::read_asf(&std::fs::read(companion).expect("the skeleton")).expect("a good skeleton");
            let motion = asf::read_amc(&bytes, &skeleton)?;
            let facts = [("frames", motion.n_frames.to_string()), ("angle", motion.angle.name().to_string())];
            finish(by_name(facts), asf::into_document(&skeleton, &motion))
        }
        "glb" => {
            let file = read_gltf_file(path, &GltfOptions::default())?;
            let facts = [("nodes", file.n_nodes), ("animations", file.n_animations), ("keys", file.n_keys)];
            finish(by_name(facts.map(|(name, count)| (name, count.to_string()))), file.document)
        }
        "plan" => {
            let plan = own::read_plan(&bytes)?;
            let facts = by_name([("footprints", plan.footprints.len().to_string())]);
            Ok(Reading { facts, warnings: Vec::new(), diagnostics: Vec::new() })
        }
        other => panic!("a format that nobody knows: {other}"),
    }
}

/// Imports what was read: whatever a reader accepts, the importer must bear.
fn finish(facts: HashMap<String, String>, document: Document) -> Result<Reading, ReadError> {
    let import = import(document, &ImportOptions::default())?;
    assert!(import.clip.poses().iter().all(|pose| pose.local.iter().all(surefoot_geom::Transform::is_finite)));
    Ok(Reading { facts, warnings: import.warnings, diagnostics: import.diagnostics })
}

fn by_name<const N: usize>(facts: [(&str, String); N]) -> HashMap<String, String> {
    facts.into_iter().map(|(name, value)| (name.to_string(), value)).collect()
}

fn bvh_facts(bvh: &Bvh) -> HashMap<String, String> {
    let order = bvh.joints[0].channels.iter().filter_map(|channel| match channel {
        Channel::Rotation(axis) => Some(["X", "Y", "Z"][*axis]),
        _ => None,
    });
    let mut facts = by_name([
        ("roots", bvh.n_roots().to_string()),
        ("joints", bvh.joints.len().to_string()),
        ("endsites", bvh.end_sites.len().to_string()),
        ("channels", bvh.width().to_string()),
        ("frames", bvh.n_frames.to_string()),
        ("sum", bvh.values.iter().sum::<f64>().to_string()),
        ("dt", bvh.frame_time.unwrap_or(0.0).to_string()),
        ("order", order.collect()),
    ]);
    facts.extend(bvh.joints.iter().enumerate().map(|(i, joint)| (format!("name{i}"), joint.name.clone())));
    facts
}

/// What is wrong with the reading of a row.
fn check(row: &Row, result: Result<Reading, ReadError>) -> Option<String> {
    match (row["expect"].as_str(), result) {
        ("ok" | "either", Ok(reading)) => check_facts(row, &reading)
            .or_else(|| check_warnings(row, &reading))
            .or_else(|| check_diagnostics(row, &reading)),
        ("error" | "either", Err(error)) => check_error(row, &error),
        (_, Ok(_)) => Some(format!("was read, {} was expected", row["error_kind"])),
        (_, Err(error)) => Some(format!("was refused: {error}")),
    }
}

fn check_facts(row: &Row, reading: &Reading) -> Option<String> {
    row["facts"].split(';').filter(|fact| !fact.is_empty()).find_map(|fact| {
        let (name, expected) = fact.split_once('=').expect("name=value");
        let found = reading.facts.get(name).map_or("nothing", String::as_str);
        (!is_same(found, expected)).then(|| format!("{name} is {found}, {expected} was expected"))
    })
}

/// Words that are the same, or numbers that are so to the manifest's six digits.
fn is_same(found: &str, expected: &str) -> bool {
    let close = |(a, b): (f64, f64)| (a - b).abs() <= 5e-6 * b.abs().max(1e-3);
    found == expected || found.parse().ok().zip(expected.parse().ok()).is_some_and(close)
}

fn check_warnings(row: &Row, reading: &Reading) -> Option<String> {
    let found: Vec<&str> = reading.warnings.iter().map(|warning| warning.code).collect();
    let expected: Vec<&str> = row["warning"].split(';').filter(|code| !code.is_empty()).collect();
    // A file that may as well be refused may warn as it likes.
    (found != expected && row["expect"] == "ok").then(|| format!("warns {found:?}, {expected:?} was expected"))
}

fn check_diagnostics(row: &Row, reading: &Reading) -> Option<String> {
    let expected = row["diagnostic"].as_str();
    let reported =
        |d: &Diagnostic| if d.detail.is_empty() { d.code.into() } else { format!("{}:{}", d.code, d.detail) };
    let found: Vec<String> = reading.diagnostics.iter().map(reported).collect();
    let matches = |found: &String| match (found.strip_prefix("floor:"), expected.strip_prefix("floor:")) {
        (Some(found), Some(expected)) => is_near_height(found, expected),
        // The manifest gives no detail where it does not matter.
        _ => found == expected || found.split(':').next() == Some(expected),
    };
    let right = match expected {
        "" => true,
        "none" => found.is_empty(),
        // A root that never moves leaves the floor where it likes.
        "no_root_translation" => found.iter().any(matches),
        _ => found.iter().any(matches) && found.len() == 1,
    };
    (!right).then(|| format!("tells {found:?}, {expected} was expected"))
}

/// Within 3 cm: the manifest counts from the ground, we from the soles of a skeleton that stand a little above it.
fn is_near_height(found: &str, expected: &str) -> bool {
    let cm = |text: &str| text.trim_end_matches("cm").parse::<f64>().expect("a height in cm");
    (cm(found) - cm(expected)).abs() <= 3.0
}

fn check_error(row: &Row, error: &ReadError) -> Option<String> {
    let (note, kind) = (row["note"].as_str(), error.kind.code());
    // Notes allow another kind: `any error kind`, `or limit`, `glb_header or glb_chunk`.
    let allowed = note.contains("any error kind") || note.split("or ").skip(1).any(|rest| rest.starts_with(kind));
    if kind != row["error_kind"] && !allowed {
        return Some(format!("{kind} ({error}), {} was expected", row["error_kind"]));
    }
    // Rows without a line leave it to the reader.
    let expected = row["line"].parse::<usize>().ok()?;
    let slack = match note {
        _ if note.contains("+-3") => 3,
        // The last frame of the cut file begins three lines before its end.
        _ if note.contains("line of the frame or of the end") => 3,
        // The collection's README: an end-of-file error may be off by one.
        _ if note.contains("+1") || row["error_kind"] == "unexpected_eof" => 1,
        _ => 0,
    };
    // An empty file has no line to name.
    let right = error.line.map_or(kind == "empty", |line| line.abs_diff(expected) <= slack);
    (!right).then(|| format!("line {:?}, {expected} was expected ({error})", error.line))
}
