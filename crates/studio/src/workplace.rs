//! Where requests may read and write: the working folder, and a scratch folder that goes with the server.
//!
//! Every text of a request is looked at, whatever its field means: one that would lead out of the folder as a path is refused. So no job
//! can be handed such a path, and no list of fields must be kept. Three names stand for files that are not in the folder:
//!
//! ```text
//! scratch:NAME   a file that was dropped on the page, or a result that nobody saved
//! plan:current   the plan that the windows share, as it is now
//! opened:N/NAME  the Nth file of the command line, where it lies outside of the folder; its name is for readers
//! ```

use crate::MAX_SCRATCH_BYTES;
use serde_json::Value;
use std::io::{ErrorKind, Write};
use std::path::{Component, Path, PathBuf};
use surefoot::jobs::JobError;
use tempfile::TempDir;

/// The folders of a studio.
#[derive(Debug)]
pub(crate) struct Workplace {
    /// The working folder, without symbolic links.
    folder: PathBuf,
    scratch: TempDir,
    /// Files of the command line that lie outside.
    opened: Vec<PathBuf>,
}

/// Deepest that files of the folder are listed, and how many.
const DEEPEST: usize = 3;
const MOST_LISTED: usize = 2_000;
/// Endings of files that are listed.
const LISTED: &[&str] =
    &["bvh", "glb", "gltf", "fbx", "amc", "take", "json", "steps", "graph", "npz", "toml", "obj", "png"];

impl Workplace {
    pub(crate) fn new(folder: &Path, opened: Vec<PathBuf>) -> std::io::Result<Workplace> {
        let scratch = tempfile::Builder::new().prefix("surefoot-studio-").tempdir()?;
        Ok(Workplace { folder: folder.canonicalize()?, scratch, opened })
    }

    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    /// A file of the scratch folder.
    pub(crate) fn scratch_file(&self, name: &str) -> PathBuf {
        self.scratch.path().join(name)
    }

    /// A name for a dropped file: its last part, without what file systems take for something else.
    pub(crate) fn dropped_name(name: &str) -> Option<String> {
        let last = name.rsplit(['/', '\\']).next().unwrap_or_default();
        let plain: String =
            last.chars().map(|c| if c.is_control() || ":*?\"<>|".contains(c) { '_' } else { c }).take(120).collect();
        let is_name = !plain.trim_matches(['.', ' ']).is_empty() && Path::new(&plain).components().count() == 1;
        is_name.then_some(plain)
    }

    /// Writes a dropped file, and returns its name. Another file of its name stays as it is: somebody may work on it. Skeletons are found by
    /// their names beside motions, and the newest counts.
    pub(crate) fn keep_dropped(&self, name: &str, bytes: &[u8]) -> std::io::Result<String> {
        if name.to_ascii_lowercase().ends_with(".asf") {
            std::fs::write(self.scratch_file(name), bytes)?;
            return Ok(name.to_string());
        }
        // A motion finds the skeleton of what its name has before the first `_`.
        let (stem, endings) = name.split_at(name.find('.').filter(|at| *at > 0).unwrap_or(name.len()));
        let numbered = (2..).map(|number| format!("{stem}_{number}{endings}"));
        for name in std::iter::once(name.to_string()).chain(numbered) {
            let path = self.scratch_file(&name);
            match std::fs::File::create_new(&path) {
                Ok(mut file) => {
                    file.write_all(bytes)?;
                    return Ok(name);
                }
                Err(error) if error.kind() == ErrorKind::AlreadyExists => {
                    if std::fs::read(&path)? == bytes {
                        return Ok(name);
                    }
                }
                Err(error) => return Err(error),
            }
        }
        Err(std::io::Error::other("no name is left"))
    }

    /// Takes a file of the scratch folder away.
    pub(crate) fn forget(&self, file: &str) -> Result<(), JobError> {
        if !file.starts_with("scratch:") {
            return Err(JobError::new("request", format!("\"{file}\" is no scratch file")));
        }
        // What was never written is away already.
        let _ = std::fs::remove_file(self.path(file)?);
        Ok(())
    }

    /// The studio ends: what nobody saved goes.
    pub(crate) fn remove_scratch(&self) {
        let _ = std::fs::remove_dir_all(self.scratch.path());
    }

    /// Whether so many bytes more have room in the scratch folder.
    pub(crate) fn has_room(&self, bytes: u64) -> bool {
        let files = std::fs::read_dir(self.scratch.path()).into_iter().flatten().flatten();
        let used: u64 = files.filter_map(|file| file.metadata().ok()).map(|data| data.len()).sum();
        used + bytes <= MAX_SCRATCH_BYTES
    }

    /// The path that a text of a request names.
    pub(crate) fn path(&self, text: &str) -> Result<PathBuf, JobError> {
        if let Some(name) = text.strip_prefix("scratch:") {
            let is_plain = Path::new(name).components().all(|part| matches!(part, Component::Normal(_)));
            return match is_plain && Path::new(name).components().count() == 1 {
                true => Ok(self.scratch_file(name)),
                false => Err(outside(text)),
            };
        }
        if let Some(number) = text.strip_prefix("opened:") {
            let number = number.split_once('/').map_or(number, |(number, _)| number);
            let file = number.parse().ok().and_then(|number: usize| self.opened.get(number));
            return file.cloned().ok_or_else(|| outside(text));
        }
        let path = Path::new(text);
        let leads_out = path.components().any(|part| !matches!(part, Component::Normal(_) | Component::CurDir));
        if leads_out || text == "-" || text.contains('\0') {
            return Err(outside(text));
        }
        let whole = self.folder.join(path);
        // A link inside may lead outside; of a new file the folder counts.
        let existing = whole.ancestors().find(|path| path.exists()).unwrap_or(&self.folder);
        match existing.canonicalize() {
            Ok(found) if found.starts_with(&self.folder) => Ok(whole),
            _ => Err(outside(text)),
        }
    }

    /// A request in which every text that names a file outside of the folder is refused, and names of ours are paths.
    pub(crate) fn confine(&self, request: &mut Value) -> Result<(), JobError> {
        match request {
            Value::String(text) => {
                let path = self.path(text)?;
                if text.starts_with("scratch:") || text.starts_with("opened:") {
                    *text = path.to_string_lossy().into_owned();
                }
                Ok(())
            }
            Value::Array(items) => items.iter_mut().try_for_each(|item| self.confine(item)),
            Value::Object(fields) => fields.values_mut().try_for_each(|value| self.confine(value)),
            Value::Null | Value::Bool(_) | Value::Number(_) => Ok(()),
        }
    }

    /// Text of an answer with our names again.
    pub(crate) fn unname(&self, text: &str) -> String {
        let scratch = format!("{}{}", self.scratch.path().display(), std::path::MAIN_SEPARATOR);
        text.replace(&escaped(&scratch), "scratch:")
    }

    /// Files of the folder that a panel can open.
    pub(crate) fn files(&self) -> Vec<String> {
        let mut found = Vec::new();
        self.list(&self.folder, DEEPEST, &mut found);
        found.sort();
        found
    }

    fn list(&self, folder: &Path, deeper: usize, found: &mut Vec<String>) {
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            let (path, name) = (entry.path(), entry.file_name());
            let is_hidden = name.to_string_lossy().starts_with('.');
            let Ok(kind) = entry.file_type() else { continue };
            if found.len() >= MOST_LISTED || is_hidden || kind.is_symlink() {
                continue;
            }
            if kind.is_dir() && deeper > 0 && name != "target" && name != "node_modules" {
                self.list(&path, deeper - 1, found);
            }
            let ending = path.extension().map(|ending| ending.to_string_lossy().to_ascii_lowercase());
            let is_listed = ending.is_some_and(|ending| LISTED.contains(&ending.as_str()));
            if let (true, true, Ok(inside)) = (kind.is_file(), is_listed, path.strip_prefix(&self.folder)) {
                found.push(inside.to_string_lossy().replace('\\', "/"));
            }
        }
    }
}

/// A text as it stands inside of a JSON string.
fn escaped(text: &str) -> String {
    let quoted = Value::from(text).to_string();
    quoted[1..quoted.len() - 1].to_string()
}

fn outside(text: &str) -> JobError {
    let message = format!(
        "\"{text}\" is not in the folder that the studio was started in; it reads and writes there and nowhere else"
    );
    JobError::new("outside", message)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn no_text_of_a_request_leads_out_of_the_folder() {
        let folder = tempfile::tempdir().expect("a folder");
        let place = Workplace::new(folder.path(), Vec::new()).expect("a workplace");
        #[cfg(unix)]
        std::os::unix::fs::symlink("/etc", folder.path().join("link")).expect("a link");
        let hostile =
            ["/etc/passwd", "../x.bvh", "a/../../x", "-", "scratch:../x", "scratch:/etc/passwd", "opened:3", "x\0.bvh"];
        #[cfg(unix)]
        let hostile = hostile.into_iter().chain(["link/passwd"]);
        for text in hostile {
            let mut request = json!({ "input": { "file": "walk.bvh" }, "deep": [[{ "name": text }]] });
            let error = place.confine(&mut request).expect_err(text);
            assert_eq!(error.kind, "outside");
        }
        let mut good = json!({ "file": "a/b.bvh", "to": "scratch:x.take", "n": 3, "preset": "tired:0.3" });
        place.confine(&mut good).expect("all of it is inside");
        assert!(Path::new(good["to"].as_str().expect("a path")).is_absolute());
        assert!(place.unname(&good.to_string()).contains("\"scratch:x.take\""));
    }

    #[test]
    fn files_of_the_command_line_are_known_by_their_number_alone() {
        let folder = tempfile::tempdir().expect("a folder");
        let outside = PathBuf::from("/elsewhere/walk.plan.json");
        let place = Workplace::new(folder.path(), vec![outside.clone()]).expect("a workplace");
        for name in ["opened:0/walk.plan.json", "opened:0", "opened:0/../../etc/passwd"] {
            assert_eq!(place.path(name).ok(), Some(outside.clone()), "{name}");
        }
        assert!(place.path("opened:1/walk.plan.json").is_err());
    }

    #[test]
    fn a_dropped_file_does_not_replace_another_one() {
        let folder = tempfile::tempdir().expect("a folder");
        let place = Workplace::new(folder.path(), Vec::new()).expect("a workplace");
        let keep = |name: &str, text: &str| place.keep_dropped(name, text.as_bytes()).expect("it is written");
        assert_eq!(keep("walk.plan.json", "one"), "walk.plan.json");
        assert_eq!(keep("walk.plan.json", "two"), "walk_2.plan.json");
        assert_eq!(keep("walk.plan.json", "one"), "walk.plan.json", "the same file needs no other name");
        assert_eq!((keep("02.asf", "one"), keep("02.asf", "two")), ("02.asf".to_string(), "02.asf".to_string()));
        let read = |name: &str| std::fs::read_to_string(place.scratch_file(name)).expect("it is there");
        assert_eq!([read("walk.plan.json"), read("walk_2.plan.json"), read("02.asf")], ["one", "two", "two"]);
        place.forget("scratch:02.asf").expect("it goes");
        assert!(place.path("scratch:02.asf").is_ok_and(|path| !path.exists()));
        assert!(place.forget("walk.bvh").is_err() && place.forget("scratch:../x").is_err());
        place.remove_scratch();
        assert!(!place.scratch_file("walk.plan.json").exists());
    }

    #[test]
    fn dropped_names_are_names() {
        assert_eq!(Workplace::dropped_name("C:\\x\\walk.bvh").as_deref(), Some("walk.bvh"));
        assert_eq!(Workplace::dropped_name("../../etc/passwd").as_deref(), Some("passwd"));
        for bad in ["", "..", "a/", "...", " . "] {
            assert_eq!(Workplace::dropped_name(bad), None, "{bad:?}");
        }
    }
}
