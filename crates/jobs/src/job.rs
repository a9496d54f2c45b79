//! What a job is: a serialisable request that runs to a serialisable report.
//!
//! A front end (command, server, binding) fills in the request, passes a [`JobContext`] for progress and cancelling, and
//! prints or returns the report in its [`Envelope`]. Nothing else happens between them, so that all front ends give the same
//! answer.

use crate::job_context::JobContext;
use crate::job_error::JobError;
use crate::output_folder::OutputFolder;
use crate::outputs::{Outputs, WrittenFile};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::path::Path;

/// Version of the JSON envelope. It rises when a field changes its name or meaning.
pub const ENVELOPE_VERSION: u32 = 2;

/// One of the main jobs: the request is `self`.
pub trait Job: Serialize + DeserializeOwned {
    /// The name of the job, which is that of its command: `clean`, `plan extract`.
    const COMMAND: &'static str;

    /// What it reports.
    type Report: JobReport;

    /// The files that the request names as outputs, `-` for standard output.
    fn outputs(&self) -> Vec<&Path>;

    /// Runs the job. All files that the request names are written together, or none of them.
    fn run(&self, context: &JobContext) -> Result<Self::Report, JobError>;
}

/// What a job reports.
pub trait JobReport: Serialize + DeserializeOwned {
    /// The files that were written.
    fn files(&self) -> &[WrittenFile];

    /// Why the result is not what was requested, if it is not: a gate that failed, a footprint that was missed.
    fn not_met(&self) -> Option<JobError> {
        None
    }
}

/// A report as it is printed and stored: `{"surefoot": 2, "command": "clean", "result": {...}}`.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Envelope<R> {
    /// [`ENVELOPE_VERSION`].
    pub surefoot: u32,
    /// [`Job::COMMAND`].
    pub command: String,
    /// The report.
    pub result: R,
}

impl<R> Envelope<R> {
    /// An envelope of this version.
    pub fn new(command: impl Into<String>, result: R) -> Envelope<R> {
        Envelope { surefoot: ENVELOPE_VERSION, command: command.into(), result }
    }
}

/// An error as it is printed: `{"surefoot": 2, "error": {...}}`.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ErrorEnvelope {
    /// [`ENVELOPE_VERSION`].
    pub surefoot: u32,
    /// Why there is no result.
    pub error: JobError,
}

impl ErrorEnvelope {
    /// An envelope of this version.
    pub fn new(error: JobError) -> ErrorEnvelope {
        ErrorEnvelope { surefoot: ENVELOPE_VERSION, error }
    }
}

/// Text of a request, report or envelope: indented JSON with a line end.
pub fn to_json_text<T: Serialize>(value: &T) -> String {
    let mut text = serde_json::to_string_pretty(value).expect("job types are plain data with text keys");
    text.push('\n');
    text
}

/// Reads a request from JSON; unknown fields are errors that name them.
pub fn read_request<T: DeserializeOwned>(text: &str) -> Result<T, JobError> {
    serde_json::from_str(text).map_err(|error| {
        let line = Some(error.line()).filter(|&line| line > 0);
        JobError { line, ..JobError::new("request", error.to_string()) }
    })
}

/// The last step of every job: puts the report beside the other outputs if a file is named for it, and writes them all.
pub fn finish<R: JobReport>(
    outputs: Outputs,
    command: &str,
    report: R,
    report_file: Option<&Path>,
) -> Result<R, JobError> {
    finish_with_folder(outputs, None, command, report, report_file)
}

/// [`finish`] for a job that fills a folder, too.
pub fn finish_with_folder<R: JobReport>(
    mut outputs: Outputs,
    folder: Option<OutputFolder>,
    command: &str,
    report: R,
    report_file: Option<&Path>,
) -> Result<R, JobError> {
    if let Some(file) = report_file {
        let text = to_json_text(&Envelope::new(command, &report));
        outputs.add("report", file, text.into_bytes());
    }
    match folder {
        Some(folder) => folder.write_with(outputs)?,
        None => outputs.write()?,
    }
    Ok(report)
}
