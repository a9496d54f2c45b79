//! Results of many files: a folder that appears whole or not at all.

use crate::output::{Force, progress};
use crate::report::Failure;
use std::fs;
use std::path::Path;

/// Refuses a folder that cannot be written, before any work is done for it.
pub(crate) fn check_folder(force: Force, folder: &Path) -> Result<(), Failure> {
    if folder.exists() && !folder.is_dir() {
        return Err(Failure::of_file("output", folder, "is a file; a folder is wanted here"));
    }
    let parent = folder.parent().filter(|parent| !parent.as_os_str().is_empty());
    if let Some(parent) = parent.filter(|parent| !parent.is_dir()) {
        let message = format!("there is no folder {}; create it first", parent.display());
        return Err(Failure::of_file("output", folder, message));
    }
    if !force.force && !is_free(folder) {
        return Err(Failure::of_file("exists", folder, "exists already, and is not empty"));
    }
    Ok(())
}

/// Whether nothing is there, or an empty folder.
fn is_free(folder: &Path) -> bool {
    !folder.exists() || fs::read_dir(folder).is_ok_and(|mut entries| entries.next().is_none())
}

/// Writes files by name. A new folder appears with all of them or not at all: they are written into one beside it, which then
/// takes its name. Into a folder that has files already each goes whole, one after the other, in the place of an older one.
pub(crate) fn write_folder(force: Force, folder: &Path, files: &[(String, Vec<u8>)]) -> Result<(), Failure> {
    if !is_free(folder) {
        return write_files(force, folder, files);
    }
    let fail = |error: std::io::Error| Failure::of_file("output", folder, error.to_string());
    let absolute = std::path::absolute(folder).map_err(fail)?;
    let name = absolute.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    let partial = absolute.with_file_name(format!(".{name}.{}.partial", std::process::id()));
    fs::create_dir(&partial).map_err(fail)?;
    let written = write_files(force, &partial, files).and_then(|()| {
        if folder.exists() {
            fs::remove_dir(&absolute).map_err(fail)?;
        }
        fs::rename(&partial, &absolute).map_err(fail)
    });
    if written.is_err() {
        drop(fs::remove_dir_all(&partial));
    }
    written
}

fn write_files(force: Force, folder: &Path, files: &[(String, Vec<u8>)]) -> Result<(), Failure> {
    let bar = progress(files.len() as u64);
    let written = files.iter().try_for_each(|(name, bytes)| {
        bar.inc(1);
        force.write(&folder.join(name), bytes)
    });
    bar.finish_and_clear();
    written
}
