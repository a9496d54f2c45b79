//! The job `evaluate`: recordings walked again with the steps of others, compared and measured.

use crate::analyze_steps_job::{steps_and_flights_of, steps_of};
use crate::build_steps::BuildStepsOptions;
use crate::build_steps_job::build_steps_failure;
use crate::contacts_job::DetectRequest;
use crate::evaluate::{EvaluateOptions, Evaluation, evaluate_clips, evaluate_corpus};
use crate::evaluate_report::EvaluateReport;
use crate::find_motion_files::find_motions;
use crate::input_request::ReadRequest;
use crate::job::{Job, JobReport, finish_with_folder};
use crate::job_context::JobContext;
use crate::job_error::JobError;
use crate::output_folder::OutputFolder;
use crate::outputs::{IfExists, Outputs, WrittenFile};
use crate::plot_evaluation::draw_evaluation;
use crate::scene_picture::check_scene_picture;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use surefoot_formats::bvh::{BvhOptions, write_bvh};
use surefoot_formats::own;

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
    /// Keep frame rates as files declare them, also where the motion contradicts them.
    #[serde(default)]
    pub keep_rates: bool,
    /// How planted feet are detected.
    pub detect: DetectRequest,
    /// Folder for what can be looked at: of each clip its plan, the recording on the common skeleton, and the walk by Stride
    /// Space with the actor unknown, or known where all are of one person.
    pub output: Option<PathBuf>,
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
        let mut folder =
            self.output.as_deref().map(|folder| OutputFolder::check(folder, self.if_exists)).transpose()?;
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
        if let Some(folder) = &mut folder {
            add_motions(folder, &evaluation);
        }
        let files = folder.as_ref().map_or_else(Vec::new, OutputFolder::files);
        let report = EvaluateReport::new(&evaluation, shown, outputs.files().into_iter().chain(files).collect());
        finish_with_folder(outputs, folder, EvaluateRequest::COMMAND, report, self.report.as_deref())
    }
}

impl EvaluateRequest {
    fn evaluate(&self, context: &JobContext) -> Result<Evaluation, JobError> {
        let options = EvaluateOptions {
            build: BuildStepsOptions {
                load: self.read.checked_options()?,
                keep_rates: self.keep_rates,
                skeleton: self.on.clone(),
                detect: self.detect.options()?,
                ..BuildStepsOptions::default()
            },
            keeps_motions: self.output.is_some(),
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
        let database = self.db.as_deref().map(|path| steps_and_flights_of(Some(path))).transpose()?;
        evaluate_clips(&files, database, &options, context).map_err(|error| build_steps_failure(error, &files[0]))
    }
}

/// Adds recording, plan and walk of every clip, each by the clip's name.
fn add_motions(folder: &mut OutputFolder, evaluation: &Evaluation) {
    let split = evaluation.judged_split();
    for (name, clip) in evaluation.compared() {
        let (Some((recording, plan)), Some(walked)) = (&clip.motions, clip.split(split)) else { continue };
        let Some(walk) = &walked.walk else { continue };
        // A name may have folders in it.
        let at = |ending: &str| format!("{}{ending}", name.replace(['/', '\\'], "-"));
        let bvh = |clip| write_bvh(clip, &BvhOptions::default()).bytes;
        folder.add("motion", at(".bvh"), bvh(&walk.clip));
        folder.add("motion", at(".recording.bvh"), bvh(&recording.clip));
        folder.add("plan", at(".plan.json"), own::write_plan(plan).into_bytes());
    }
}
