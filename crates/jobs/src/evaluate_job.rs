//! The job `evaluate`: recordings walked again with the steps of others, compared and measured.

use crate::analyze_steps_job::steps_of;
use crate::build_steps::BuildStepsOptions;
use crate::build_steps_job::build_steps_failure;
use crate::contacts_job::DetectRequest;
use crate::evaluate::{EvaluateOptions, Evaluation, evaluate_clips, evaluate_corpus};
use crate::evaluate_report::EvaluateReport;
use crate::find_motion_files::find_motions;
use crate::input_request::ReadRequest;
use crate::job::{Job, JobReport, finish};
use crate::job_context::JobContext;
use crate::job_error::JobError;
use crate::outputs::{IfExists, Outputs, WrittenFile};
use crate::plot_evaluation::draw_evaluation;
use crate::scene_picture::check_scene_picture;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// What to evaluate.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct EvaluateRequest {
    /// Motion files, folders or glob patterns; none for the built-in corpus.
    pub clips: Vec<PathBuf>,
    /// Step database; steps of a clip's name, and then of its actor, are left out for it. Default: built from the clips.
    pub db: Option<PathBuf>,
    /// File whose skeleton all clips are brought to. Default: that of the first clip that can be used.
    pub on: Option<PathBuf>,
    /// How to read the clips.
    pub read: ReadRequest,
    /// How planted feet are detected.
    pub detect: DetectRequest,
    /// Where a picture of all distributions goes, as PNG or SVG by its ending.
    pub picture: Option<PathBuf>,
    /// Where the report goes as JSON.
    pub report: Option<PathBuf>,
    /// What to do with existing outputs.
    pub if_exists: IfExists,
}

impl JobReport for EvaluateReport {
    fn files(&self) -> &[WrittenFile] {
        &self.files
    }
}

impl Job for EvaluateRequest {
    const COMMAND: &'static str = "evaluate";
    type Report = EvaluateReport;

    fn outputs(&self) -> Vec<&Path> {
        [&self.picture, &self.report].into_iter().flatten().map(PathBuf::as_path).collect()
    }

    fn run(&self, context: &JobContext) -> Result<EvaluateReport, JobError> {
        self.picture.as_deref().map_or(Ok(()), check_scene_picture)?;
        let mut outputs = Outputs::check(self.outputs(), self.if_exists)?;
        let evaluation = self.evaluate(context)?;
        context.check()?;
        if evaluation.compared().next().is_none() {
            let left_out = evaluation.clips.iter().filter_map(|clip| Some((&clip.name, clip.outcome.as_ref().err()?)));
            let reasons: Vec<String> = left_out.take(3).map(|(name, reason)| format!("{name}: {reason}")).collect();
            let message = "no clip is a walk on level ground that could be compared";
            return Err(JobError::new("evaluate", format!("{message} ({})", reasons.join("; "))));
        }
        if let Some(picture) = &self.picture {
            outputs.add("picture", picture, draw_evaluation(picture, &evaluation)?);
        }
        let shown = self.picture.as_ref().map(|path| path.display().to_string());
        let report = EvaluateReport::new(&evaluation, shown, outputs.files());
        finish(outputs, EvaluateRequest::COMMAND, report, self.report.as_deref())
    }
}

impl EvaluateRequest {
    fn evaluate(&self, context: &JobContext) -> Result<Evaluation, JobError> {
        let options = EvaluateOptions {
            build: BuildStepsOptions {
                load: self.read.checked_options()?,
                skeleton: self.on.clone(),
                detect: self.detect.options()?,
                ..BuildStepsOptions::default()
            },
            ..EvaluateOptions::default()
        };
        if self.clips.is_empty() {
            if self.db.is_some() || self.on.is_some() {
                let message = "a database and a character are for clips, and none is named";
                return Err(JobError::new("usage", message).at_field("clips"));
            }
            return evaluate_corpus(&steps_of(None)?, &options, context);
        }
        let files = find_motions(&self.clips)?;
        let database = self.db.as_deref().map(|path| steps_of(Some(path))).transpose()?;
        evaluate_clips(&files, database, &options, context).map_err(|error| build_steps_failure(error, &files[0]))
    }
}
