//! What was not saved when a studio ended: the state of its page, kept beside the user's other state and offered again.
//!
//! One file for each working folder, readable by its user alone. With a fixed port it has the token too, so that a page that is still open
//! finds its way back to a studio that was started again.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::io::Write;
use std::path::{Path, PathBuf};
use xxhash_rust::xxh3::xxh3_64;

/// What is kept.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Saved {
    /// As the page sent it.
    pub(crate) state: Option<Value>,
    /// Of a studio on a fixed port.
    pub(crate) token: Option<String>,
    pub(crate) port: u16,
}

/// The file of a folder; `None` where the system has no place for it.
pub(crate) fn autosave_file(state_folder: Option<&Path>, folder: &Path) -> Option<PathBuf> {
    let variable = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let base = state_folder
        .map(Path::to_path_buf)
        .or_else(|| variable("XDG_STATE_HOME"))
        .or_else(|| variable("LOCALAPPDATA"))
        .or_else(|| variable("HOME").map(|home| home.join(".local/state")))?;
    let name = format!("{:016x}.json", xxh3_64(folder.to_string_lossy().as_bytes()));
    Some(base.join("surefoot").join("studio").join(name))
}

/// What an earlier studio of the folder left; nothing where it cannot be read.
pub(crate) fn read_autosave(file: Option<&Path>) -> Saved {
    let text = file.and_then(|file| std::fs::read(file).ok()).unwrap_or_default();
    serde_json::from_slice(&text).unwrap_or_default()
}

/// Writes it in one step. A state that cannot be kept costs nobody the edit that it is of.
pub(crate) fn write_autosave(file: &Path, saved: &Saved) -> std::io::Result<()> {
    let folder = file.parent().unwrap_or(Path::new("."));
    std::fs::create_dir_all(folder)?;
    // Temporary files are readable by their user alone, and stay so under their new name.
    let mut temporary = tempfile::NamedTempFile::new_in(folder)?;
    temporary.write_all(&serde_json::to_vec(saved)?)?;
    temporary.persist(file)?;
    Ok(())
}
