//! The job `steps export`: one step of a database as a motion, to look at or to hand on.

use crate::analyze_steps_job::steps_of;
use crate::character::add_motion_on;
use crate::job::{Job, JobReport, finish};
use crate::job_context::JobContext;
use crate::job_error::JobError;
use crate::motion_output::{MotionOutput, MotionReport};
use crate::outputs::{IfExists, Outputs, WrittenFile};
use crate::request_limits::check_range;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use surefoot_motion::FRAME_RATES;

/// Which step to export.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExportStepRequest {
    /// The database. Default: that of the built-in corpus.
    #[serde(default)]
    pub input: Option<PathBuf>,
    /// Its number, from 0.
    pub step: usize,
    /// Where the motion goes.
    pub output: MotionOutput,
    /// Frames per second. Default 60.
    #[serde(default)]
    pub frame_rate: Option<f64>,
    /// Where the contacts of the motion go.
    #[serde(default)]
    pub write_contacts: Option<PathBuf>,
    /// Where the report goes as JSON.
    #[serde(default)]
    pub report: Option<PathBuf>,
    /// What to do with existing outputs.
    #[serde(default)]
    pub if_exists: IfExists,
}

/// What `steps export` reports.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExportStepReport {
    /// The database; absent for the built-in corpus.
    pub input: Option<String>,
    /// The step's number.
    pub step: usize,
    /// Its take and frames.
    pub source: String,
    /// The foot that swings.
    pub foot: String,
    /// Seconds of double support, swing and double support.
    pub seconds: [f64; 3],
    /// Heights where the foot starts and ends, over the supporting one, in metres.
    pub heights: [f64; 2],
    /// The motion.
    pub motion: MotionReport,
    /// All files that were written.
    pub files: Vec<WrittenFile>,
}

impl JobReport for ExportStepReport {
    fn files(&self) -> &[WrittenFile] {
        &self.files
    }
}

impl Job for ExportStepRequest {
    const COMMAND: &'static str = "steps export";
    type Report = ExportStepReport;

    fn outputs(&self) -> Vec<&Path> {
        self.output.paths_with(&[&self.write_contacts, &self.report])
    }

    fn inputs(&self) -> Vec<&Path> {
        self.input.iter().map(PathBuf::as_path).collect()
    }

    fn run(&self, context: &JobContext) -> Result<ExportStepReport, JobError> {
        self.output.format()?;
        check_range("frame_rate", self.frame_rate, FRAME_RATES)?;
        let mut outputs = Outputs::check_apart(self.outputs(), self.inputs(), self.if_exists)?;
        let database = steps_of(self.input.as_deref())?;
        context.check()?;
        let Some(take) = database.step_take(self.step, self.frame_rate.unwrap_or(60.0)) else {
            let n_steps = database.steps().len();
            let message = format!("there is no step {}; the database has {n_steps}, counted from 0", self.step);
            return Err(JobError::new("range", message).at_field("step"));
        };
        let step = &database.steps()[self.step];
        let motion = add_motion_on(None, &self.output, &mut outputs, &take)?;
        outputs.add_contacts(self.write_contacts.as_deref(), &take.contacts);
        let report = ExportStepReport {
            input: self.input.as_ref().map(|path| path.display().to_string()),
            step: self.step,
            source: step.source.name().to_string(),
            foot: step.swing().name().to_string(),
            seconds: [step.times.first, step.times.swing, step.times.last],
            heights: step.heights,
            motion,
            files: outputs.files(),
        };
        finish(outputs, ExportStepRequest::COMMAND, report, self.report.as_deref())
    }
}
