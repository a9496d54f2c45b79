//! Finds the skeleton of a motion: an AMC file does not say reliably which ASF file it belongs to, but lies beside it.

use crate::{ErrorKind, ReadError};
use std::path::{Path, PathBuf};

/// The ASF file that belongs to an AMC file, from the same folder.
///
/// 1. The one of the same name: `walk.amc`, `walk.asf`.
/// 2. The one of the same subject, the part before the first `_`, with any number of leading zeros: `02_01.amc`,
///    `2.asf`.
/// 3. The only one there is, unless it is numbered as another subject's.
///
/// Names are compared without regard to case. The error lists the candidates.
pub fn find_asf_beside(amc_path: &Path) -> Result<PathBuf, ReadError> {
    let folder = match amc_path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let candidates = skeletons_in(folder)?;
    let stem = lower_case_stem(amc_path);
    let subject = subject_of(&stem);
    let same_name = |path: &&PathBuf| lower_case_stem(path) == stem;
    let same_spelling = |path: &&PathBuf| lower_case_stem(path) == stem.split('_').next().unwrap_or(&stem);
    let same_subject: Vec<&PathBuf> =
        candidates.iter().filter(|path| subject_of(&lower_case_stem(path)) == subject).collect();
    let found = candidates.iter().find(same_name).or_else(|| candidates.iter().find(same_spelling));
    if let Some(found) = found {
        return Ok(found.clone());
    }
    match (same_subject.as_slice(), candidates.as_slice()) {
        ([only], _) => Ok((*only).clone()),
        ([], [only]) if !is_other_subject(&lower_case_stem(only), subject) => Ok(only.clone()),
        _ => Err(ReadError::new(ErrorKind::NoSkeleton, no_skeleton_message(&candidates)).in_file(amc_path)),
    }
}

/// Whether a skeleton is numbered, and not with this subject's number. All subjects of a database name their bones
/// alike, so the wrong skeleton would be read without complaint.
fn is_other_subject(skeleton_stem: &str, subject: &str) -> bool {
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    is_number(subject_of(skeleton_stem)) && is_number(subject)
}

fn no_skeleton_message(candidates: &[PathBuf]) -> String {
    if candidates.is_empty() {
        return "an AMC file needs its skeleton, and there is no ASF file beside it".to_string();
    }
    let names: Vec<_> = candidates.iter().map(|p| p.file_name().unwrap_or_default().to_string_lossy()).collect();
    format!("an AMC file needs its skeleton, and none is of its subject's number. Beside it are: {}", names.join(", "))
}

/// All ASF files of a folder, sorted by name, so that messages do not depend on the file system.
fn skeletons_in(folder: &Path) -> Result<Vec<PathBuf>, ReadError> {
    let io = |error: std::io::Error| ReadError::new(ErrorKind::Io, error.to_string()).in_file(folder);
    let mut paths = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(io)? {
        let path = entry.map_err(io)?.path();
        if path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("asf")) && path.is_file() {
            paths.push(path);
        }
    }
    paths.sort();
    Ok(paths)
}

fn lower_case_stem(path: &Path) -> String {
    path.file_stem().unwrap_or_default().to_string_lossy().to_lowercase()
}

/// The part before the first `_`, without leading zeros.
fn subject_of(stem: &str) -> &str {
    let subject = stem.split('_').next().unwrap_or(stem);
    let trimmed = subject.trim_start_matches('0');
    if trimmed.is_empty() { subject } else { trimmed }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Puts `files` into a new folder and looks for the skeleton of `amc` there.
    fn check(files: &[&str], amc: &str, expected: Result<&str, &str>) {
        let folder = tempfile::tempdir().expect("a folder");
        for file in files {
            std::fs::write(folder.path().join(file), "").expect("a file");
        }
        match (find_asf_beside(&folder.path().join(amc)), expected) {
            (Ok(found), Ok(name)) => assert_eq!(found.file_name(), Some(name.as_ref()), "{files:?} {amc}"),
            (Err(error), Err(listed)) => {
                assert_eq!(error.kind, ErrorKind::NoSkeleton);
                assert!(error.message.contains(listed), "{}", error.message);
            }
            (found, _) => panic!("{files:?} {amc}: {found:?}"),
        }
    }

    #[test]
    fn the_skeleton_is_found_by_the_number_of_the_subject() {
        check(&["02.asf", "16.asf", "127.asf"], "02_01.amc", Ok("02.asf"));
        check(&["02.asf", "16.asf"], "2_01.amc", Ok("02.asf"));
        check(&["2.ASF", "16.asf"], "002_01_crlf.AMC", Ok("2.ASF"));
        check(&["2.asf", "02.asf"], "02_01.amc", Ok("02.asf"));
        check(&["00.asf", "10.asf"], "00_01.amc", Ok("00.asf"));
    }

    #[test]
    fn the_same_name_comes_first_and_the_only_skeleton_last() {
        check(&["02.asf", "02_01.asf"], "02_01.amc", Ok("02_01.asf"));
        check(&["Walk.asf", "run.asf"], "walk.amc", Ok("Walk.asf"));
        check(&["skeleton.asf", "x.amc"], "02_01.amc", Ok("skeleton.asf"));
    }

    #[test]
    fn doubt_is_an_error_that_lists_the_candidates() {
        check(&["16.asf", "127.asf"], "02_01.amc", Err("127.asf, 16.asf"));
        check(&["2.asf", "002.asf"], "02_01.amc", Err("002.asf, 2.asf"));
        check(&["16.asf"], "02_01.amc", Err("16.asf"));
        check(&["02_01.amc"], "02_01.amc", Err("no ASF file beside it"));
    }
}
