//! Where results go: a file that is written completely or not at all, or standard output for `-`.

use crate::report::{Failure, Verbosity, is_shown, print_bytes};
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use surefoot::formats::{Overwrite, write_atomic};
use surefoot::jobs::IfExists;

/// Options of every command that writes a file.
#[derive(clap::Args, Clone, Copy, Debug)]
pub(crate) struct Force {
    /// Replace an existing output
    #[arg(long, short)]
    pub(crate) force: bool,
}

impl Force {
    /// As a job's request has it.
    pub(crate) fn if_exists(self) -> IfExists {
        if self.force { IfExists::Replace } else { IfExists::Refuse }
    }

    /// Writes a result.
    pub(crate) fn write(self, path: &Path, bytes: &[u8]) -> Result<(), Failure> {
        if is_stdout(path) {
            return print_bytes(bytes);
        }
        let overwrite = if self.force { Overwrite::Replace } else { Overwrite::Never };
        Ok(write_atomic(path, bytes, overwrite)?)
    }
}

/// The report of a job as a file.
#[derive(clap::Args, Clone, Debug)]
pub(crate) struct ReportArg {
    /// Write the report: the same JSON that --json prints
    #[arg(long, value_name = "FILE.json")]
    pub(crate) report: Option<PathBuf>,
}

/// Whether a path means standard output.
pub(crate) fn is_stdout(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// A bar for work of `length` parts, shown when standard error is a terminal.
pub(crate) fn progress(length: u64) -> indicatif::ProgressBar {
    if length < 2 || !is_shown(Verbosity::Usual) || !std::io::stderr().is_terminal() {
        return indicatif::ProgressBar::hidden();
    }
    let style = indicatif::ProgressStyle::with_template("{wide_bar} {pos}/{len} {msg}");
    indicatif::ProgressBar::new(length).with_style(style.expect("a template of known parts"))
}
