//! The files of one job: refused before the work if they cannot be written, then written together or not at all.
//!
//! ```text
//! Outputs::check(paths)  ->  work  ->  add(role, path, bytes) ...  ->  write()
//! ```
//!
//! `-` is standard output. It is written last before the files take their names: whatever fails earlier leaves it empty.

use crate::job_error::JobError;
use serde::{Deserialize, Serialize};
use std::io::Write;
use std::path::{Path, PathBuf};
use surefoot_contact::Contacts;
use surefoot_formats::{Content, Overwrite, Staged, check_writable, own};

/// A file that a job wrote.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WrittenFile {
    /// What it holds: `motion`, `contacts`, `events`, `plan`, `picture`, `report`.
    pub role: String,
    /// Its path as it was requested; `-` is standard output.
    pub file: String,
    /// Its size.
    pub bytes: u64,
}

/// What to do with an output that exists already.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum IfExists {
    /// Keep it; the job is refused before any work is done.
    #[default]
    Refuse,
    /// Replace it in one step.
    Replace,
}

impl From<IfExists> for Overwrite {
    fn from(if_exists: IfExists) -> Overwrite {
        match if_exists {
            IfExists::Refuse => Overwrite::Never,
            IfExists::Replace => Overwrite::Replace,
        }
    }
}

/// The files of one job, from the check before the work to the writing after it.
#[derive(Debug)]
pub struct Outputs {
    files: Vec<WrittenFile>,
    /// What is not on the disk yet.
    waiting: Vec<(PathBuf, Content)>,
    /// What is, under temporary names.
    staged: Staged,
}

impl Outputs {
    /// Refuses outputs that cannot be written: two of one file, an existing file without leave to replace it, a missing or
    /// read-only folder. Called before any work is done.
    pub fn check<'a>(paths: impl IntoIterator<Item = &'a Path>, if_exists: IfExists) -> Result<Outputs, JobError> {
        let overwrite = Overwrite::from(if_exists);
        let paths: Vec<&Path> = paths.into_iter().collect();
        Outputs::check_distinct(paths.iter().copied())?;
        for path in paths.into_iter().filter(|path| !is_standard_stream(path)) {
            check_writable(path, overwrite)?;
        }
        Ok(Outputs { files: Vec::new(), waiting: Vec::new(), staged: Staged::new(overwrite) })
    }

    /// As [`Outputs::check`]; an output that is also an input is refused, even with leave to replace it. For jobs whose result
    /// is another thing than what they read: a walk is not written over its plan.
    pub fn check_apart<'a>(
        paths: impl IntoIterator<Item = &'a Path>,
        inputs: impl IntoIterator<Item = &'a Path>,
        if_exists: IfExists,
    ) -> Result<Outputs, JobError> {
        let paths: Vec<&Path> = paths.into_iter().collect();
        let inputs: Vec<PathBuf> =
            inputs.into_iter().filter(|path| !is_standard_stream(path)).map(file_behind).collect();
        match paths.iter().find(|path| inputs.contains(&file_behind(path))) {
            Some(path) => Err(JobError::of_file(
                "usage",
                *path,
                "is an input, and would be lost; name another file for the output",
            )),
            None => Outputs::check(paths, if_exists),
        }
    }

    /// The same outputs with leave to replace what is there: for callers that looked themselves.
    pub(crate) fn replacing(self) -> Outputs {
        Outputs { staged: Staged::new(Overwrite::Replace), ..self }
    }

    /// Refuses one file named for two outputs, of which only one would be left.
    pub fn check_distinct<'a>(paths: impl IntoIterator<Item = &'a Path>) -> Result<(), JobError> {
        let mut seen: Vec<PathBuf> = Vec::new();
        for path in paths {
            let file = file_behind(path);
            if seen.contains(&file) && is_standard_stream(path) {
                let message = "standard output cannot take both outputs; name a file for one";
                return Err(JobError::new("usage", message));
            }
            if seen.contains(&file) {
                let message = "is named for two outputs; each needs a file of its own";
                return Err(JobError::of_file("usage", path, message));
            }
            seen.push(file);
        }
        Ok(())
    }

    /// Adds a file, which is not written yet.
    pub fn add(&mut self, role: &str, path: &Path, content: impl Into<Content>) {
        let (file, content) = (path.to_string_lossy().into_owned(), content.into());
        self.files.push(WrittenFile { role: role.to_string(), file, bytes: content.n_bytes() });
        self.waiting.push((path.to_path_buf(), content));
    }

    /// Adds contacts, where a file is named for them.
    pub(crate) fn add_contacts(&mut self, path: Option<&Path>, contacts: &Contacts) {
        if let Some(path) = path {
            self.add("contacts", path, own::write_contacts(contacts).into_bytes());
        }
    }

    /// The files added so far, as a report lists them.
    pub fn files(&self) -> Vec<WrittenFile> {
        self.files.clone()
    }

    /// Adds another job's files, and puts them on the disk under temporary names, so that many of them need no memory. They
    /// take their own names with all others.
    pub fn stage(&mut self, others: Outputs) -> Result<(), JobError> {
        for (path, content) in &others.waiting {
            self.staged.add_content(path, content)?;
        }
        self.files.extend(others.files);
        Ok(())
    }

    /// Writes all files, or none.
    pub fn write(mut self) -> Result<(), JobError> {
        let (streams, files): (Vec<_>, Vec<_>) =
            self.waiting.into_iter().partition(|(path, _)| is_standard_stream(path));
        for (path, content) in &files {
            self.staged.add_content(path, content)?;
        }
        for (_, content) in streams {
            let bytes =
                content.into_bytes().map_err(|error| JobError::new("output", format!("standard output: {error}")))?;
            write_stdout(&bytes)?;
        }
        Ok(self.staged.commit()?)
    }
}

/// Whether a path means standard input or output.
pub fn is_standard_stream(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// Writes data to standard output; a reader that went away (`| head`) is no error.
pub fn write_stdout(bytes: &[u8]) -> Result<(), JobError> {
    let mut out = std::io::stdout().lock();
    match out.write_all(bytes).and_then(|()| out.flush()) {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => {
            Err(JobError::new("output", format!("standard output: {error}")))
        }
        _ => Ok(()),
    }
}

/// The file that a path leads to, however it is spelled: through links where it exists, else its name in the folder that it
/// will be written to. Without such a folder, which the check refuses, the path without `.`.
fn file_behind(path: &Path) -> PathBuf {
    if is_standard_stream(path) {
        return path.to_path_buf();
    }
    let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf());
    let in_folder = || Some(absolute.parent()?.canonicalize().ok()?.join(absolute.file_name()?));
    absolute.canonicalize().ok().or_else(in_folder).unwrap_or(absolute)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn one_file_is_one_output_however_it_is_spelled() {
        let root = tempfile::tempdir().expect("a folder");
        let at = |name: &str| root.path().join(name);
        fs::create_dir(at("sub")).expect("a folder");
        fs::write(at("old.svg"), "").expect("a file");
        let is_one = |a: &Path, b: &Path| Outputs::check_distinct([a, b]).is_err();
        for (a, b) in [
            ("a.svg", "./a.svg"),
            ("a.svg", "sub/../a.svg"),
            ("sub/a.svg", "sub/./a.svg"),
            ("none/a.svg", "none/./a.svg"),
        ] {
            assert!(is_one(&at(a), &at(b)), "{a} {b}");
        }
        for (a, b) in [("a.svg", "b.svg"), ("a.svg", "sub/a.svg"), ("old.svg", "a.svg")] {
            assert!(!is_one(&at(a), &at(b)), "{a} {b}");
        }
        // As people type them, from the folder they are in; `-` is no file.
        for (a, b, one) in
            [("a.svg", "./a.svg", true), ("-", "./-", false), ("-", "-", true), ("a.svg", "b.svg", false)]
        {
            assert_eq!(is_one(Path::new(a), Path::new(b)), one, "{a} {b}");
        }
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink(at("sub"), at("link")).expect("a link");
            std::os::unix::fs::symlink(at("old.svg"), at("new.svg")).expect("a link");
            assert!(is_one(&at("sub/a.svg"), &at("link/a.svg")) && is_one(&at("old.svg"), &at("new.svg")));
        }
    }
}
