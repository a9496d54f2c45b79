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

    /// The files that the request names as inputs and that no output may replace. An edited motion may take the place of
    /// the one that was read, so jobs that edit have none.
    fn inputs(&self) -> Vec<&Path> {
        Vec::new()
    }

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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        CancelFlag, CleanReport, CleanRequest, ContactsRequest, ConvertOptions, InputRequest, MotionOutput,
        OutputFormat, RetargetRequest, convert,
    };
    use surefoot_contact::{WalkerOptions, synthetic_walk};

    /// A folder with a walk.
    fn folder() -> tempfile::TempDir {
        let folder = tempfile::tempdir().expect("a folder");
        let walk = synthetic_walk(&WalkerOptions::default());
        let options = ConvertOptions::default();
        let bvh = convert(&walk.take.clip, Some(&walk.take.body), None, OutputFormat::Bvh, &options).expect("a BVH");
        std::fs::write(folder.path().join("walk.bvh"), bvh.into_bytes().expect("bytes")).expect("a file");
        folder
    }

    fn clean(folder: &Path) -> CleanRequest {
        CleanRequest {
            input: InputRequest::new(folder.join("walk.bvh")),
            output: MotionOutput::new(folder.join("out.bvh")),
            report: Some(folder.join("out.json")),
            ..CleanRequest::default()
        }
    }

    #[test]
    fn a_report_survives_its_file_and_lists_what_was_written() {
        let folder = folder();
        let report = clean(folder.path()).run(&JobContext::silent()).expect("a clean walk");
        let text = std::fs::read_to_string(folder.path().join("out.json")).expect("the report");
        let stored: Envelope<CleanReport> = serde_json::from_str(&text).expect("an envelope");
        assert_eq!((stored.surefoot, stored.command.as_str()), (ENVELOPE_VERSION, "clean"));
        assert_eq!(to_json_text(&stored.result), to_json_text(&report));
        let written = &report.files()[0];
        let size = std::fs::metadata(folder.path().join("out.bvh")).expect("the motion").len();
        assert_eq!((written.role.as_str(), written.bytes), ("motion", size));
    }

    #[test]
    fn a_request_is_json_with_defaults_and_without_unknown_fields() {
        let text = r#"{ "input": { "file": "a.bvh" }, "on": { "file": "b.glb" }, "output": { "file": "c.bvh" } }"#;
        let request: RetargetRequest = read_request(text).expect("a request");
        assert!(request.cleanup.is_some(), "feet are cleaned unless that is refused");
        assert_eq!(read_request::<RetargetRequest>(&to_json_text(&request)).expect("the same"), request);
        let error = read_request::<RetargetRequest>(&text.replace("output", "outptu")).expect_err("no such field");
        assert!(error.message.contains("outptu") && error.message.contains("output"), "{error}");
    }

    #[test]
    fn a_number_out_of_range_names_its_field() {
        let folder = folder();
        let mut request = clean(folder.path());
        request.cleanup.blend_off = Some(f64::NAN);
        let error = request.run(&JobContext::silent()).expect_err("no time");
        assert_eq!(error.field.as_deref(), Some("blend_off"));
        let mut request = ContactsRequest { input: request.input, ..ContactsRequest::default() };
        request.detect.rest_height = -1.0;
        let error = request.run(&JobContext::silent()).expect_err("no height");
        assert_eq!(error.field.as_deref(), Some("detect.rest_height"));
    }

    #[test]
    fn a_cancelled_job_writes_nothing() {
        let folder = folder();
        let cancel = CancelFlag::default();
        cancel.cancel();
        let error = clean(folder.path()).run(&JobContext::silent().with_cancel(cancel)).expect_err("cancelled");
        assert_eq!(error.kind, "cancelled");
        assert!(!folder.path().join("out.bvh").exists() && !folder.path().join("out.json").exists());
    }
}
