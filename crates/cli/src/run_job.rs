//! Runs a job of the library and prints what it reports: the one route from arguments to exit code.

use crate::output::progress;
use crate::report::{Failure, Format, Verbosity, is_shown, print_result, print_status, print_text, print_verbose};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use surefoot::jobs::{Job, JobContext, JobError, JobReport, Progress, is_standard_stream, to_json_text};

/// Runs a job. Prints its report as JSON, or has `print` print it for people and then lists the files that were written.
pub(crate) fn run_job<J: Job>(
    job: &J,
    format: Format,
    print_report: impl FnOnce(&J::Report) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let outputs = job.outputs();
    if format == Format::Json && outputs.iter().any(|path| is_standard_stream(path)) {
        return Err(Failure::new("usage", "standard output cannot take both the result and --json; name a file"));
    }
    let report = run_with_progress(job)?;
    match format {
        Format::Json => print_result(J::COMMAND, &report)?,
        Format::Human => {
            print_report(&report)?;
            print_files(job, &report);
        }
    }
    report.not_met().map_or(Ok(()), |error| Err(Failure::reported(error)))
}

/// Prints text that is the result of a job: to standard output, unless one of its files goes there.
pub(crate) fn print_text_or_status<J: Job>(job: &J, text: &str) -> Result<(), Failure> {
    if job.outputs().iter().any(|path| is_standard_stream(path)) {
        print_status(text.trim_end());
        return Ok(());
    }
    print_text(text)
}

/// More files than this in one folder are counted, not listed.
const MAX_LISTED: usize = 12;

/// Lists what was written: the files of the report, and the report itself.
fn print_files<J: Job>(job: &J, report: &J::Report) {
    let mut paths: Vec<String> = report.files().iter().map(|written| written.file.clone()).collect();
    for path in job.outputs().into_iter().filter(|path| path.is_file()) {
        let path = path.to_string_lossy().into_owned();
        if !paths.contains(&path) {
            paths.push(path);
        }
    }
    let folder = |path: &str| Path::new(path).parent().map(Path::to_path_buf);
    let mut counts: BTreeMap<Option<PathBuf>, usize> = BTreeMap::new();
    for path in &paths {
        *counts.entry(folder(path)).or_insert(0) += 1;
    }
    for path in paths.iter().filter(|path| *path != "-" && counts[&folder(path)] <= MAX_LISTED) {
        print_status(&format!("wrote {path}"));
    }
    for (folder, count) in counts.into_iter().filter(|(_, count)| *count > MAX_LISTED) {
        print_status(&format!("wrote {count} files to {}", folder.unwrap_or_default().display()));
    }
}

/// Runs a job with a bar on a terminal; with `--verbose` with a line for each step instead.
fn run_with_progress<J: Job>(job: &J) -> Result<J::Report, JobError> {
    print_verbose(&format!("{}: {}", J::COMMAND, to_json_text(job).trim_end()));
    let bar: Arc<Mutex<Option<indicatif::ProgressBar>>> = Arc::default();
    let shown = bar.clone();
    let context = JobContext::silent().with_progress(move |Progress { done, total, item }| {
        if is_shown(Verbosity::Verbose) {
            return print_verbose(&format!("  {done}/{total} {item}"));
        }
        let mut bar = shown.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let bar = bar.get_or_insert_with(|| progress(*total));
        bar.set_length(*total);
        bar.set_position(*done);
        bar.set_message(item.clone());
    });
    let begun = context.now();
    let report = job.run(&context);
    if let Some(bar) = bar.lock().unwrap_or_else(std::sync::PoisonError::into_inner).take() {
        bar.finish_and_clear();
    }
    print_verbose(&format!("{}: {:.2} s", J::COMMAND, begun.elapsed().as_secs_f64()));
    report
}
