//! Several outputs that appear together or not at all.
//!
//! Each is written to a temporary file beside its target first ([`stage_atomic`]); only when all are complete do they take
//! their names ([`Staged::commit`]). If one of them cannot, those that did are undone: new files are removed, replaced ones
//! are put back from a copy. Bytes for devices and pipes go out before the first rename, and cannot be taken back.

use crate::Content;
use crate::write_atomic::{FilePlace, Filled, Overwrite, Place, WriteError, WriteProblem, write_device};
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use tempfile::TempPath;

/// Refuses an output that cannot be written, before any work is done for it: an existing file without leave to replace it,
/// a folder, a missing folder, a folder that takes no new file.
pub fn check_writable(path: &Path, overwrite: Overwrite) -> Result<(), WriteError> {
    match Place::find(path, overwrite)? {
        Place::Device => Ok(()),
        Place::File(place) => place.probe(path),
    }
}

/// Outputs that are complete in temporary files. Dropped without [`Staged::commit`], nothing of them is left.
#[derive(Debug)]
#[must_use = "without commit, nothing is written"]
pub struct Staged {
    overwrite: Overwrite,
    files: Vec<(PathBuf, Filled)>,
    devices: Vec<(PathBuf, Vec<u8>)>,
}

/// Writes outputs to temporary files beside their targets.
pub fn stage_atomic<'a>(
    outputs: impl IntoIterator<Item = (&'a Path, &'a [u8])>,
    overwrite: Overwrite,
) -> Result<Staged, WriteError> {
    let mut staged = Staged::new(overwrite);
    for (path, bytes) in outputs {
        staged.add(path, bytes)?;
    }
    Ok(staged)
}

impl Staged {
    /// No outputs yet.
    pub fn new(overwrite: Overwrite) -> Staged {
        Staged { overwrite, files: Vec::new(), devices: Vec::new() }
    }

    /// Writes one more output to a temporary file beside its target.
    pub fn add(&mut self, path: &Path, bytes: &[u8]) -> Result<(), WriteError> {
        match Place::find(path, self.overwrite)? {
            Place::Device => self.devices.push((path.to_path_buf(), bytes.to_vec())),
            Place::File(place) => self.fill(place, path, |file| file.write_all(bytes))?,
        }
        Ok(())
    }

    /// [`Staged::add`] for content that may refer to parts of other files.
    pub fn add_content(&mut self, path: &Path, content: &Content) -> Result<(), WriteError> {
        match Place::find(path, self.overwrite)? {
            Place::Device => {
                let mut bytes = Vec::new();
                content.write_to(&mut bytes).map_err(|source| WriteProblem::from(source).at(path))?;
                self.devices.push((path.to_path_buf(), bytes));
            }
            Place::File(place) => self.fill(place, path, |file| content.write_to_file(file))?,
        }
        Ok(())
    }

    fn fill(
        &mut self,
        place: FilePlace,
        path: &Path,
        write: impl FnOnce(&mut fs::File) -> std::io::Result<()>,
    ) -> Result<(), WriteError> {
        let filled = place.fill(path, write)?;
        self.files.push((path.to_path_buf(), filled));
        Ok(())
    }

    /// Gives all outputs their names, or none.
    pub fn commit(self) -> Result<(), WriteError> {
        for (path, bytes) in &self.devices {
            write_device(path, |device| device.write_all(bytes))?;
        }
        let is_single = self.files.len() == 1;
        let mut done: Vec<(PathBuf, Option<TempPath>)> = Vec::new();
        for (path, filled) in self.files {
            let target = filled.place.target.clone();
            let backup = if is_single { Ok(None) } else { back_up(&filled.place, &path) };
            let persisted = backup.and_then(|backup| filled.persist(&path, self.overwrite).map(|()| backup));
            match persisted {
                Ok(backup) => done.push((target, backup)),
                Err(error) => {
                    undo(done);
                    return Err(error);
                }
            }
        }
        Ok(())
    }
}

fn back_up(place: &FilePlace, path: &Path) -> Result<Option<TempPath>, WriteError> {
    place.back_up().map_err(|source| WriteProblem::from(source).at(path))
}

/// Puts everything back. What fails here is left as it is: the first error is the one that is reported.
fn undo(done: Vec<(PathBuf, Option<TempPath>)>) {
    for (target, backup) in done {
        match backup {
            Some(backup) => drop(backup.persist(&target)),
            None => drop(fs::remove_file(&target)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stage(files: &[(&Path, &str)], overwrite: Overwrite) -> Result<Staged, WriteError> {
        stage_atomic(files.iter().map(|(path, text)| (*path, text.as_bytes())), overwrite)
    }

    fn names_in(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap();
        let mut names: Vec<String> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[test]
    fn all_outputs_appear_together() {
        let folder = tempfile::tempdir().unwrap();
        let [a, b] = ["a.bvh", "b.json"].map(|name| folder.path().join(name));
        let staged = stage(&[(&a, "A"), (&b, "B")], Overwrite::Never).unwrap();
        assert!(!a.exists() && !b.exists(), "nothing has its name before the commit");
        staged.commit().unwrap();
        assert_eq!((fs::read(&a).unwrap(), fs::read(&b).unwrap()), (b"A".to_vec(), b"B".to_vec()));
        assert_eq!(names_in(folder.path()), ["a.bvh", "b.json"]);
    }

    #[test]
    fn one_output_that_fails_undoes_the_others() {
        let folder = tempfile::tempdir().unwrap();
        let [a, b] = ["a.bvh", "b.json"].map(|name| folder.path().join(name));
        let staged = stage(&[(&a, "A"), (&b, "B")], Overwrite::Never).unwrap();
        fs::write(&b, "theirs").unwrap();
        assert!(matches!(staged.commit(), Err(WriteError { problem: WriteProblem::Exists, .. })));
        assert_eq!((names_in(folder.path()), fs::read(&b).unwrap()), (vec!["b.json".to_string()], b"theirs".to_vec()));
        // A replaced file is put back.
        fs::write(&a, "old").unwrap();
        fs::remove_file(&b).unwrap();
        let staged = stage(&[(&a, "A"), (&b, "B")], Overwrite::Replace).unwrap();
        fs::create_dir(&b).unwrap();
        assert!(staged.commit().is_err());
        assert_eq!((fs::read(&a).unwrap(), names_in(folder.path()).len()), (b"old".to_vec(), 2));
    }

    #[test]
    fn an_output_that_cannot_be_staged_leaves_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let (a, none) = (folder.path().join("a.bvh"), folder.path().join("none").join("b.json"));
        assert!(stage(&[(&a, "A"), (&none, "B")], Overwrite::Never).is_err());
        assert!(names_in(folder.path()).is_empty());
    }

    #[test]
    fn an_output_is_refused_before_the_work() {
        let folder = tempfile::tempdir().unwrap();
        let a = folder.path().join("a.bvh");
        check_writable(&a, Overwrite::Never).unwrap();
        assert!(names_in(folder.path()).is_empty(), "the probe is gone");
        fs::write(&a, "").unwrap();
        assert!(check_writable(&a, Overwrite::Never).is_err());
        check_writable(&a, Overwrite::Replace).unwrap();
        assert!(check_writable(folder.path(), Overwrite::Replace).is_err());
        assert!(check_writable(&folder.path().join("none").join("a.bvh"), Overwrite::Replace).is_err());
    }
}
