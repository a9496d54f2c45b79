//! Commands over a folder: `surefoot clean FOLDER -o OUT`.

use crate::report::{Failure, Format, print_status};
use crate::run_job::run_job;
use std::path::{Path, PathBuf};
use surefoot::jobs::{ClipRow, ClipState, FOLDER_PAGE, FolderJob, FolderReport, FolderRequest, IfExists};

/// Motions that are listed one by one, the worst first.
const MAX_LISTED: usize = 10;

/// Runs a job for every motion of a folder.
pub(crate) fn run_folder<J: FolderJob>(
    each: J,
    (input, output): (&Path, &Path),
    (report, if_exists): (Option<PathBuf>, IfExists),
    format: Format,
) -> Result<(), Failure> {
    let (input, output) = (input.to_path_buf(), output.to_path_buf());
    let request = FolderRequest { input, output, each, workers: None, if_exists, report };
    run_job(&request, format, |report| {
        print_report(report);
        Ok(())
    })
}

/// A folder can't be printed.
pub(crate) fn folder_without_output(input: &Path) -> Failure {
    Failure::of_file("usage", input, "is a folder; --output names the folder for its results")
}

fn print_report(report: &FolderReport) {
    let FolderReport { clips, done, resumed, failed, .. } = report;
    print_status(&format!("{done} of {clips} motions done ({resumed} of them before), {failed} failed"));
    let bad = |row: &&ClipRow| row.state != ClipState::Done || !row.warnings.is_empty();
    let listed: Vec<&ClipRow> = report.worst_first.iter().filter(bad).collect();
    for row in listed.iter().take(MAX_LISTED) {
        let error = row.error.as_ref().map(ToString::to_string);
        let notes: Vec<String> = error.into_iter().chain(row.warnings.iter().cloned()).collect();
        print_status(&format!("  {}: {}", row.clip, notes.join("; ")));
    }
    if listed.len() > MAX_LISTED {
        print_status(&format!("  ...and {} more in {FOLDER_PAGE}", listed.len() - MAX_LISTED));
    }
}
