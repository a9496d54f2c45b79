//! The job `info`: what motion files hold, and everything that was assumed about them.

use crate::find_motion_files::{find_motion_files, is_single_file};
use crate::input_report::InputReport;
use crate::input_request::ReadRequest;
use crate::job::{Job, JobReport, finish};
use crate::job_context::JobContext;
use crate::job_error::JobError;
use crate::outputs::{IfExists, Outputs, WrittenFile};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use surefoot_formats::{Import, READABLE, own};

/// What to report on.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct InfoRequest {
    /// Motion files, folders and glob patterns. One plain file gives a report of its own, others a list.
    pub inputs: Vec<PathBuf>,
    /// How to read them.
    #[serde(default)]
    pub read: ReadRequest,
    /// Make a body file to start from; for one plain file.
    #[serde(default)]
    pub body_template: bool,
    /// Where the body file goes. Default: into the report.
    #[serde(default)]
    pub output: Option<PathBuf>,
    /// Where the report goes as JSON.
    #[serde(default)]
    pub report: Option<PathBuf>,
    /// What to do with existing outputs.
    #[serde(default)]
    pub if_exists: IfExists,
}

/// What `info` reports.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum InfoReport {
    /// Of one file.
    File(Box<InputReport>),
    /// Of a body file.
    Template(TemplateReport),
    /// Of several files.
    Files(FilesReport),
}

/// A body file to start from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TemplateReport {
    /// Its text.
    pub body_template: String,
    /// Where it was written.
    pub files: Vec<WrittenFile>,
}

/// Several files, each read or refused.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FilesReport {
    /// In the order in which they were found.
    pub files: Vec<FileReport>,
}

/// A file that was read or refused.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum FileReport {
    /// What it holds.
    Read(Box<InputReport>),
    /// Why it could not be read.
    Refused {
        /// The file.
        file: String,
        /// What is wrong with it.
        error: JobError,
    },
}

impl JobReport for InfoReport {
    fn files(&self) -> &[WrittenFile] {
        match self {
            InfoReport::Template(template) => &template.files,
            InfoReport::File(_) | InfoReport::Files(_) => &[],
        }
    }

    fn not_met(&self) -> Option<JobError> {
        let InfoReport::Files(FilesReport { files }) = self else { return None };
        let n_refused = files.iter().filter(|file| matches!(file, FileReport::Refused { .. })).count();
        let message = || format!("{n_refused} of {} files could not be read", files.len());
        (n_refused > 0).then(|| JobError::new("unreadable", message()))
    }
}

impl Job for InfoRequest {
    const COMMAND: &'static str = "info";
    type Report = InfoReport;

    fn outputs(&self) -> Vec<&Path> {
        [&self.output, &self.report].into_iter().flatten().map(PathBuf::as_path).collect()
    }

    fn run(&self, context: &JobContext) -> Result<InfoReport, JobError> {
        let mut outputs = Outputs::check(self.outputs(), self.if_exists)?;
        let report = match (&self.inputs[..], self.body_template) {
            ([], _) => return Err(JobError::new("usage", "no motion file is named").at_field("inputs")),
            ([file], is_template) if is_single_file(&self.inputs) => {
                let import = self.read.load(file)?;
                match is_template {
                    true => self.template(&import, &mut outputs),
                    false => InfoReport::File(Box::new(InputReport::new(file, &import))),
                }
            }
            (_, true) => return Err(JobError::new("usage", "--body-template needs a single motion file")),
            (_, false) => InfoReport::Files(self.many(context)?),
        };
        finish(outputs, InfoRequest::COMMAND, report, self.report.as_deref())
    }
}

impl InfoRequest {
    /// The body map that was found, or an empty one to fill in.
    fn template(&self, import: &Import, outputs: &mut Outputs) -> InfoReport {
        let skeleton = &import.clip.skeleton;
        let body_template = match &import.body {
            Ok(body) => own::write_body(body, skeleton),
            Err(_) => own::write_blank_body(skeleton),
        };
        if let Some(output) = &self.output {
            outputs.add("body", output, body_template.clone().into_bytes());
        }
        InfoReport::Template(TemplateReport { body_template, files: outputs.files() })
    }

    /// Every motion file below the inputs. One that cannot be read is listed too.
    fn many(&self, context: &JobContext) -> Result<FilesReport, JobError> {
        let paths = find_motion_files(&self.inputs)?;
        if paths.is_empty() {
            let message = format!("no motion file is there; {} are read", READABLE.join(", "));
            return Err(JobError::of_file("io", &self.inputs[0], message));
        }
        let mut files = Vec::new();
        for (done, path) in paths.iter().enumerate() {
            context.advance(done as u64, paths.len() as u64, &path.to_string_lossy())?;
            files.push(match self.read.load(path) {
                Ok(import) => FileReport::Read(Box::new(InputReport::new(path, &import))),
                Err(error) => FileReport::Refused { file: path.display().to_string(), error },
            });
        }
        Ok(FilesReport { files })
    }
}
