//! Where results go: a file that is written whole or not at all, or standard output for `-`.

use crate::report::Failure;
use std::io::{IsTerminal, Write};
use std::path::Path;
use surefoot::formats::{Overwrite, write_whole};

/// Options of every command that writes a file.
#[derive(clap::Args, Clone, Copy, Debug)]
pub(crate) struct Force {
    /// Replace an existing output
    #[arg(long, short)]
    pub(crate) force: bool,
}

impl Force {
    /// Refuses an output that exists before any work is done for it.
    pub(crate) fn check(self, path: &Path) -> Result<(), Failure> {
        if !self.force && !is_stdout(path) && path.exists() {
            return Err(Failure::of_file("exists", path, "exists already"));
        }
        Ok(())
    }

    /// Writes a result.
    pub(crate) fn write(self, path: &Path, bytes: &[u8]) -> Result<(), Failure> {
        if is_stdout(path) {
            let mut out = std::io::stdout().lock();
            let written = out.write_all(bytes).and_then(|()| out.flush());
            return written.map_err(|error| Failure::new("output", format!("standard output: {error}")));
        }
        let overwrite = if self.force { Overwrite::Replace } else { Overwrite::Never };
        Ok(write_whole(path, bytes, overwrite)?)
    }
}

/// Whether a path means standard output.
pub(crate) fn is_stdout(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// A bar for work of `length` parts, shown when standard error is a terminal.
pub(crate) fn progress(length: u64) -> indicatif::ProgressBar {
    if length < 2 || !std::io::stderr().is_terminal() {
        return indicatif::ProgressBar::hidden();
    }
    let style = indicatif::ProgressStyle::with_template("{wide_bar} {pos}/{len} {msg}");
    indicatif::ProgressBar::new(length).with_style(style.expect("a template of known parts"))
}
