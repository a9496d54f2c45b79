//! The motion files that a list of files, folders and glob patterns names.

use crate::job_error::JobError;
use std::path::{Path, PathBuf};
use surefoot_formats::READABLE;

/// Whether the inputs are one plain file (or one that is missing, which then is the error).
pub fn is_single_file(inputs: &[PathBuf]) -> bool {
    matches!(inputs, [input] if !input.is_dir() && (input.exists() || !is_pattern(input)))
}

/// The motion files that inputs name, each input's in order of their names.
pub fn find_motion_files(inputs: &[PathBuf]) -> Result<Vec<PathBuf>, JobError> {
    let mut files = Vec::new();
    for input in inputs {
        find_in(input, &mut files)?;
    }
    Ok(files)
}

/// [`find_motion_files`], of which there must be one.
pub fn find_motions(inputs: &[PathBuf]) -> Result<Vec<PathBuf>, JobError> {
    let files = find_motion_files(inputs)?;
    if files.is_empty() {
        let names: Vec<String> = inputs.iter().map(|input| input.display().to_string()).collect();
        let message = match names.is_empty() {
            true => "no motion file is named".to_string(),
            false => format!("there is no motion file in {}", names.join(", ")),
        };
        return Err(JobError::new("usage", message).at_field("clips"));
    }
    Ok(files)
}

fn is_pattern(path: &Path) -> bool {
    path.to_string_lossy().contains(['*', '?', '['])
}

fn find_in(input: &Path, files: &mut Vec<PathBuf>) -> Result<(), JobError> {
    if input.is_dir() {
        files.append(&mut files_below(input)?);
    } else if is_pattern(input) && !input.exists() {
        let pattern = input.to_string_lossy();
        let paths =
            glob::glob(&pattern).map_err(|error| JobError::new("usage", format!("pattern `{pattern}`: {error}")))?;
        files.extend(paths.flatten().filter(|path| path.is_file()));
    } else {
        files.push(input.to_path_buf());
    }
    Ok(())
}

fn files_below(folder: &Path) -> Result<Vec<PathBuf>, JobError> {
    let mut folders = vec![folder.to_path_buf()];
    let mut found = Vec::new();
    while let Some(folder) = folders.pop() {
        let entries =
            std::fs::read_dir(&folder).map_err(|error| JobError::of_file("io", &folder, error.to_string()))?;
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
    Ok(found)
}

fn is_readable(path: &Path) -> bool {
    let ending = path.extension().map(|ending| ending.to_string_lossy().to_ascii_lowercase());
    ending.is_some_and(|ending| READABLE.contains(&ending.as_str()))
}
