//! Results of many files: a folder that appears complete or not at all.

use crate::job_error::JobError;
use crate::outputs::{IfExists, Outputs, WrittenFile, is_standard_stream};
use std::fs;
use std::path::{Path, PathBuf};
use surefoot_formats::{Overwrite, WriteError, WriteProblem, check_writable};

/// A folder of outputs, from the check before the work to the writing after it.
#[derive(Debug)]
pub struct OutputFolder {
    folder: PathBuf,
    files: Vec<(String, PathBuf, Vec<u8>)>,
}

impl OutputFolder {
    /// Refuses a folder that cannot be written: a file, a folder with files and no leave to replace them, a missing or
    /// read-only folder around it. Called before any work is done.
    pub fn check(folder: &Path, if_exists: IfExists) -> Result<OutputFolder, JobError> {
        if is_standard_stream(folder) {
            return Err(JobError::new("usage", "standard output cannot take a folder; name one"));
        }
        if folder.exists() && !folder.is_dir() {
            return Err(JobError::of_file("output", folder, "is a file; a folder is wanted here"));
        }
        if if_exists == IfExists::Refuse && !is_free(folder) {
            return Err(JobError::of_file("exists", folder, "exists already, and is not empty"));
        }
        let probe = if folder.exists() { folder.join(PROBE) } else { folder.to_path_buf() };
        check_writable(&probe, Overwrite::Replace)?;
        Ok(OutputFolder { folder: folder.to_path_buf(), files: Vec::new() })
    }

    /// Adds a file by its name in the folder; it is not written yet.
    pub fn add(&mut self, role: &str, name: impl AsRef<Path>, bytes: Vec<u8>) {
        self.files.push((role.to_string(), self.folder.join(name), bytes));
    }

    /// The files added so far, as a report lists them.
    pub fn files(&self) -> Vec<WrittenFile> {
        let written = |(role, path, bytes): &(String, PathBuf, Vec<u8>)| WrittenFile {
            role: role.clone(),
            file: path.to_string_lossy().into_owned(),
            bytes: bytes.len() as u64,
        };
        self.files.iter().map(written).collect()
    }

    /// Writes the folder and the other outputs of the job. A new folder is filled beside its place and takes its name when
    /// everything else is written; into a folder that has files already all go together or none does.
    pub fn write_with(self, mut outputs: Outputs) -> Result<(), JobError> {
        if !is_free(&self.folder) {
            for (role, path, bytes) in self.files {
                outputs.add(&role, &path, bytes);
            }
            return outputs.write();
        }
        let failed =
            |error: std::io::Error| WriteError { path: self.folder.clone(), problem: WriteProblem::from(error) };
        let absolute = std::path::absolute(&self.folder).map_err(failed)?;
        let name = absolute.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
        let partial = absolute.with_file_name(format!(".{name}.{}.partial", std::process::id()));
        let written = self.fill(&partial).map_err(|error| failed(error).into()).and_then(|()| {
            outputs.write()?;
            if absolute.exists() {
                fs::remove_dir(&absolute).map_err(failed)?;
            }
            Ok(fs::rename(&partial, &absolute).map_err(failed)?)
        });
        if written.is_err() {
            drop(fs::remove_dir_all(&partial));
        }
        written
    }

    fn fill(&self, partial: &Path) -> std::io::Result<()> {
        fs::create_dir(partial)?;
        self.files.iter().try_for_each(|(_, path, bytes)| {
            let name = path.file_name().expect("a name was joined to the folder");
            fs::write(partial.join(name), bytes)
        })
    }
}

/// A name that no output has, to find out whether a folder takes new files.
const PROBE: &str = ".surefoot-probe";

/// Whether nothing is there, or an empty folder.
fn is_free(folder: &Path) -> bool {
    !folder.exists() || fs::read_dir(folder).is_ok_and(|mut entries| entries.next().is_none())
}
