//! Why a job failed, as data: every front end prints, maps to an exit code or passes on the same value.

use serde::{Deserialize, Serialize, Serializer};
use std::path::{Path, PathBuf};
use surefoot_formats::own::plan_error_kind;
use surefoot_formats::{ReadError, WriteError, WriteProblem};
use surefoot_plan::StepError;

/// Why a job failed. It names the place of the problem as exactly as it is known. Boxes keep it small: every job returns it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct JobError {
    /// A word for machines, such as `io`, `usage`, `infeasible`. It keeps its meaning between versions.
    pub kind: String,
    /// The file that the problem is in.
    #[serde(default, serialize_with = "lossy_path")]
    pub file: Option<Box<Path>>,
    /// 1-based line of the file.
    #[serde(default)]
    pub line: Option<usize>,
    /// The field of the request or file, such as `footprints[5].position`.
    #[serde(default)]
    pub field: Option<Box<str>>,
    /// 0-based footprint of the plan, as in `footprints[5]`.
    #[serde(default)]
    pub footprint: Option<usize>,
    /// What was found, and what would be right.
    pub message: Box<str>,
    /// What a caller should conclude.
    #[serde(default)]
    pub meaning: ErrorMeaning,
}

/// What a caller should conclude from a [`JobError`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ErrorMeaning {
    /// The request or a file is wrong; nothing was written. Exit code 2.
    #[default]
    BadInput,
    /// The job ran, but a gate failed or the result is not what was requested. Exit code 1.
    NotMet,
    /// The caller stopped the job; nothing was written. Exit code 2.
    Cancelled,
}

impl ErrorMeaning {
    /// The exit code of a command that ends so.
    pub fn exit_code(self) -> u8 {
        match self {
            ErrorMeaning::NotMet => 1,
            ErrorMeaning::BadInput | ErrorMeaning::Cancelled => 2,
        }
    }
}

impl JobError {
    /// A bad request or input that concerns no file.
    pub fn new(kind: impl Into<String>, message: impl Into<String>) -> JobError {
        JobError {
            kind: kind.into(),
            file: None,
            line: None,
            field: None,
            footprint: None,
            message: message.into().into_boxed_str(),
            meaning: ErrorMeaning::BadInput,
        }
    }

    /// A problem with a file.
    pub fn of_file(kind: impl Into<String>, file: impl Into<PathBuf>, message: impl Into<String>) -> JobError {
        JobError { file: Some(file.into().into_boxed_path()), ..JobError::new(kind, message) }
    }

    /// A result that was made and reported, and is not what was requested.
    pub fn not_met(kind: impl Into<String>, message: impl Into<String>) -> JobError {
        JobError { meaning: ErrorMeaning::NotMet, ..JobError::new(kind, message) }
    }

    /// The caller stopped the job.
    pub fn cancelled() -> JobError {
        JobError { meaning: ErrorMeaning::Cancelled, ..JobError::new("cancelled", "the job was cancelled") }
    }

    /// The same error in a file. A file that is named already stays.
    pub fn in_file(mut self, file: impl Into<PathBuf>) -> JobError {
        self.file.get_or_insert_with(|| file.into().into_boxed_path());
        self
    }

    /// The same error at a field of the request.
    pub fn at_field(mut self, field: impl Into<Box<str>>) -> JobError {
        self.field = Some(field.into());
        self
    }

    /// The same error at a footprint, counted from 0.
    pub fn at_footprint(mut self, footprint: usize) -> JobError {
        self.footprint = Some(footprint);
        self
    }
}

impl std::fmt::Display for JobError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match (&self.file, self.line) {
            (Some(file), Some(line)) => write!(f, "{}:{line}: ", file.display())?,
            (Some(file), None) => write!(f, "{}: ", file.display())?,
            (None, _) => {}
        }
        f.write_str(&self.message)
    }
}

impl std::error::Error for JobError {}

impl From<ReadError> for JobError {
    fn from(ReadError { kind, file, line, footprint, message }: ReadError) -> JobError {
        let file = file.map(PathBuf::into_boxed_path);
        JobError { file, line, footprint, ..JobError::new(kind.code(), message) }
    }
}

/// Footprints that are refused: of one kind in all commands, whoever found it. The file is added by whoever knows it.
impl From<&StepError> for JobError {
    fn from(error: &StepError) -> JobError {
        let kind = match error {
            StepError::Plan(error) => plan_error_kind(error).code(),
            StepError::Option { .. } => "usage",
            StepError::NoSteps { .. } => "plan_too_short",
            StepError::TooLong { .. } => "too_long",
            _ => "infeasible",
        };
        JobError { footprint: error.footprint(), ..JobError::new(kind, error.to_string()) }
    }
}

impl From<WriteError> for JobError {
    fn from(error: WriteError) -> JobError {
        let kind = if matches!(error.problem, WriteProblem::Exists) { "exists" } else { "output" };
        JobError::of_file(kind, error.path, error.problem.to_string())
    }
}

/// A path that is no Unicode must not make an error unprintable.
fn lossy_path<S: Serializer>(path: &Option<Box<Path>>, serializer: S) -> Result<S::Ok, S::Error> {
    path.as_deref().map(Path::to_string_lossy).serialize(serializer)
}
