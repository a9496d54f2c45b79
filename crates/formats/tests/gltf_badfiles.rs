//! Odd and broken glTF files end as a manifest says, each on a small stack.
//!
//! The files are not part of the project: the folder that holds them is named by `SUREFOOT_SHARED`.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use surefoot_formats::gltf::{GltfFile, GltfOptions, read_gltf_file};
use surefoot_formats::{ErrorKind, ReadError};

/// What readers must get by with.
const STACK_BYTES: usize = 256 << 10;

fn shared() -> Option<PathBuf> {
    let folder = std::env::var_os("SUREFOOT_SHARED").map(PathBuf::from);
    if folder.is_none() {
        println!("skipped: SUREFOOT_SHARED is not set");
    }
    folder
}

fn read_on_small_stack(path: &Path) -> Result<GltfFile, ReadError> {
    let path = path.to_path_buf();
    std::thread::Builder::new()
        .stack_size(STACK_BYTES)
        .spawn(move || read_gltf_file(&path, &GltfOptions::default()))
        .expect("a thread")
        .join()
        .expect("no panic")
}

/// One row of the manifest by column.
type Row = HashMap<String, String>;

fn check(row: &Row, result: &Result<GltfFile, ReadError>) -> Result<(), String> {
    match (row["expect"].as_str(), result) {
        ("ok" | "either", Ok(file)) => check_facts(row, file),
        ("error" | "either", Err(error)) => check_kind(row, error),
        (expected, Ok(_)) => Err(format!("read, but {expected} was expected")),
        (expected, Err(error)) => Err(format!("refused ({error}), but {expected} was expected")),
    }
}

fn check_facts(row: &Row, file: &GltfFile) -> Result<(), String> {
    for fact in row["facts"].split(';').filter(|fact| !fact.is_empty()) {
        let (name, value) = fact.split_once('=').ok_or("a fact is name=value")?;
        let found = match name {
            "nodes" => file.n_nodes,
            "animations" => file.n_animations,
            "keys" => file.n_keys,
            _ => return Err(format!("a fact that is not known: {name}")),
        };
        if found.to_string() != value {
            return Err(format!("{name} is {found}, not {value}"));
        }
    }
    let codes: Vec<&str> = file.document.warnings.iter().map(|warning| warning.code).collect();
    let expected: Vec<&str> = row["warning"].split(';').filter(|code| !code.is_empty()).collect();
    if codes == expected { Ok(()) } else { Err(format!("warnings {codes:?}, not {expected:?}")) }
}

fn check_kind(row: &Row, error: &ReadError) -> Result<(), String> {
    // A cut file may be told by its header or by the chunk that ends too early.
    let also = row["note"].contains("glb_header or glb_chunk") && error.kind == ErrorKind::GlbChunk;
    if error.kind.code() == row["error_kind"] || also { Ok(()) } else { Err(format!("{}: {error}", error.kind.code())) }
}

#[test]
fn every_file_of_the_manifest_ends_as_it_says() {
    let Some(shared) = shared() else { return };
    let folder = shared.join("badfiles");
    let mut reader = csv::Reader::from_path(folder.join("MANIFEST.csv")).expect("the manifest");
    let rows: Vec<Row> = reader.deserialize().map(|row| row.expect("a row")).collect();
    let rows: Vec<&Row> = rows.iter().filter(|row| row["format"] == "glb").collect();
    assert!(rows.len() >= 36, "only {} glTF rows", rows.len());
    let mut failures = Vec::new();
    for row in rows {
        let result = read_on_small_stack(&folder.join(&row["file"]));
        if let Err(why) = check(row, &result) {
            failures.push(format!("{}: {why}", row["file"]));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}
