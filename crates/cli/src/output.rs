//! Where results go: a file that is written whole or not at all, or standard output for `-`.

use crate::report::{Failure, Format, Verbosity, is_shown, print_bytes};
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use surefoot::OutputFormat;
use surefoot::formats::{Overwrite, write_whole};

/// Options of every command that writes a file.
#[derive(clap::Args, Clone, Copy, Debug)]
pub(crate) struct Force {
    /// Replace an existing output
    #[arg(long, short)]
    pub(crate) force: bool,
}

impl Force {
    /// Refuses an output that cannot be written before any work is done for it.
    pub(crate) fn check(self, path: &Path, format: Format) -> Result<(), Failure> {
        if is_stdout(path) && format == Format::Json {
            return Err(Failure::new("usage", "standard output cannot take both the result and --json; name a file"));
        }
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        if let Some(folder) = folder.filter(|folder| !is_stdout(path) && !folder.is_dir()) {
            let message = format!("there is no folder {}; create it first", folder.display());
            return Err(Failure::of_file("output", path, message));
        }
        if !self.force && !is_stdout(path) && path.exists() {
            return Err(Failure::of_file("exists", path, "exists already"));
        }
        Ok(())
    }

    /// Writes a result.
    pub(crate) fn write(self, path: &Path, bytes: &[u8]) -> Result<(), Failure> {
        if is_stdout(path) {
            return print_bytes(bytes);
        }
        let overwrite = if self.force { Overwrite::Replace } else { Overwrite::Never };
        Ok(write_whole(path, bytes, overwrite)?)
    }
}

/// Whether a path means standard output.
pub(crate) fn is_stdout(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// Refuses one file named for two outputs, of which only one would be left.
pub(crate) fn check_distinct<'a>(paths: impl IntoIterator<Item = &'a Path>) -> Result<(), Failure> {
    let mut seen: Vec<PathBuf> = Vec::new();
    for path in paths {
        let file = file_behind(path);
        if seen.contains(&file) {
            return Err(Failure::of_file("usage", path, "is named for two outputs; each needs a file of its own"));
        }
        seen.push(file);
    }
    Ok(())
}

/// The format of a motion by the ending of its file.
pub(crate) fn output_format(path: &Path) -> Result<OutputFormat, Failure> {
    let ending = path.extension().and_then(|ending| ending.to_str());
    ending.and_then(OutputFormat::from_ending).ok_or_else(|| {
        let message = "the ending does not tell the format; .bvh, .glb or .gltf would";
        Failure::of_file("usage", path, message)
    })
}

/// The file that a path leads to, however it is spelled: through links where it exists, else its name in the folder that it
/// will be written to. Without such a folder, which [`Force::check`] refuses, the path without `.`.
fn file_behind(path: &Path) -> PathBuf {
    if is_stdout(path) {
        return path.to_path_buf();
    }
    let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf());
    let in_folder = || Some(absolute.parent()?.canonicalize().ok()?.join(absolute.file_name()?));
    absolute.canonicalize().ok().or_else(in_folder).unwrap_or(absolute)
}

/// Refuses a plot that is not called what it is.
pub(crate) fn check_svg(path: &Path) -> Result<(), Failure> {
    let is_svg = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("svg"));
    if is_svg || is_stdout(path) {
        return Ok(());
    }
    Err(Failure::of_file("usage", path, "a plot is written as SVG; a name that ends in .svg would be right"))
}

/// A bar for work of `length` parts, shown when standard error is a terminal.
pub(crate) fn progress(length: u64) -> indicatif::ProgressBar {
    if length < 2 || !is_shown(Verbosity::Usual) || !std::io::stderr().is_terminal() {
        return indicatif::ProgressBar::hidden();
    }
    let style = indicatif::ProgressStyle::with_template("{wide_bar} {pos}/{len} {msg}");
    indicatif::ProgressBar::new(length).with_style(style.expect("a template of known parts"))
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
        let is_one = |a: &Path, b: &Path| check_distinct([a, b]).is_err();
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
