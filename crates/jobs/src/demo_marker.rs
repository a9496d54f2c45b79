//! The list that a demo keeps of its own files, so that the next one replaces these and nothing else.
//!
//! Each file is listed with a checksum: what somebody edited since is theirs, and needs `--force`.

use crate::demo_job::DemoFile;
use crate::job::to_json_text;
use crate::job_error::JobError;
use crate::outputs::IfExists;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::Path;

/// The file that holds the list.
pub(crate) const MARKER: &str = ".surefoot-demo.json";

#[derive(Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Marker {
    demo: u32,
    /// Checksums by name.
    files: BTreeMap<String, String>,
}

impl Marker {
    fn read(folder: &Path) -> Marker {
        let bytes = std::fs::read(folder.join(MARKER)).unwrap_or_default();
        serde_json::from_slice(&bytes).unwrap_or_default()
    }
}

/// The list of what is written, and of what an earlier demo wrote and this one does not.
pub(crate) fn marker_text(folder: &Path, files: &[&DemoFile]) -> String {
    let mut marker = Marker::read(folder);
    marker.demo = 1;
    marker.files.extend(files.iter().map(|(name, bytes)| (name.clone(), checksum(bytes))));
    to_json_text(&marker)
}

/// Refuses to replace a file that no demo wrote, or that was edited since.
pub(crate) fn check_folder<'a>(
    folder: &Path,
    names: impl Iterator<Item = &'a str>,
    if_exists: IfExists,
) -> Result<(), JobError> {
    if if_exists == IfExists::Replace {
        return Ok(());
    }
    let marker = Marker::read(folder);
    for name in names {
        let path = folder.join(name);
        let Ok(bytes) = std::fs::read(&path) else { continue };
        match marker.files.get(name) {
            Some(known) if *known == checksum(&bytes) => {}
            Some(_) => return Err(JobError::of_file("exists", path, "was edited since the demo wrote it")),
            None => return Err(JobError::of_file("exists", path, "exists already, and no demo wrote it")),
        }
    }
    Ok(())
}

/// Fowler, Noll and Vo's FNV-1a of 64 bits: enough to notice an edit.
fn checksum(bytes: &[u8]) -> String {
    let hash = bytes
        .iter()
        .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3));
    format!("{hash:016x}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_a_demo_are_replaced_and_those_of_others_are_not() {
        let folder = tempfile::tempdir().expect("a folder");
        let at = |name: &str| folder.path().join(name);
        let check = |name: &str| check_folder(folder.path(), [name].into_iter(), IfExists::Refuse);
        let walk: DemoFile = ("walk.bvh".to_string(), b"HIERARCHY".to_vec());
        assert!(check("walk.bvh").is_ok(), "nothing is there");
        std::fs::write(at("walk.bvh"), &walk.1).expect("a file");
        assert!(check("walk.bvh").is_err(), "somebody else's");
        std::fs::write(at(MARKER), marker_text(folder.path(), &[&walk])).expect("a list");
        assert!(check("walk.bvh").is_ok(), "ours");
        std::fs::write(at("walk.bvh"), "HIERARCHY, edited").expect("a file");
        let error = check("walk.bvh").expect_err("edited");
        assert!(error.message.contains("edited"), "{error}");
        assert!(check_folder(folder.path(), ["walk.bvh"].into_iter(), IfExists::Replace).is_ok());
    }
}
