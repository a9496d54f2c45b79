//! The job `plan extract`: the footprints that a motion took.

use crate::animate_job::step_failure;
use crate::contacts_job::{DetectRequest, feet};
use crate::input_report::InputReport;
use crate::input_request::InputRequest;
use crate::job::{Job, JobReport, finish};
use crate::job_context::JobContext;
use crate::job_error::JobError;
use crate::motion_output::MotionOutput;
use crate::motion_source::{ContactsSource, no_body};
use crate::outputs::{IfExists, Outputs, WrittenFile};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use surefoot_contact::Footprint;
use surefoot_formats::own;
use surefoot_motion::Side;
use surefoot_plan::{PlanChecker, extract_plan, extract_recorded_plan};

/// Whose footprints to extract.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExtractRequest {
    /// The motion.
    pub input: InputRequest,
    /// How contacts are detected, if none are given.
    #[serde(default)]
    pub detect: DetectRequest,
    /// Where the foot plan goes.
    pub output: PathBuf,
    /// Where the report goes as JSON.
    #[serde(default)]
    pub report: Option<PathBuf>,
    /// What to do with existing outputs.
    #[serde(default)]
    pub if_exists: IfExists,
}

/// What `plan extract` reports.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExtractReport {
    /// The motion.
    pub input: InputReport,
    /// The foot plan.
    pub output: String,
    /// Where the contacts come from.
    pub contacts: ContactsSource,
    /// How many footprints there are.
    pub footprints: usize,
    /// Of the left foot.
    pub left: usize,
    /// Of the right foot.
    pub right: usize,
    /// Mean swing time of the steps.
    pub mean_swing_seconds: Option<f64>,
    /// Mean support time of the steps.
    pub mean_support_seconds: Option<f64>,
    /// All files that were written.
    pub files: Vec<WrittenFile>,
}

impl JobReport for ExtractReport {
    fn files(&self) -> &[WrittenFile] {
        &self.files
    }
}

impl Job for ExtractRequest {
    const COMMAND: &'static str = "plan extract";
    type Report = ExtractReport;

    fn outputs(&self) -> Vec<&Path> {
        std::iter::once(&self.output).chain(&self.report).map(PathBuf::as_path).collect()
    }

    fn inputs(&self) -> Vec<&Path> {
        self.input.files().collect()
    }

    fn run(&self, context: &JobContext) -> Result<ExtractReport, JobError> {
        let detect = self.detect.options()?;
        let mut outputs = Outputs::check_apart(self.outputs(), self.inputs(), self.if_exists)?;
        MotionOutput::refuse_motion_ending(&self.output, "a foot plan", ".plan.json")?;
        let (import, known) = self.input.load_with_contacts()?;
        context.check()?;
        feet(&import, &self.input.file)?;
        let (known, from) = known.unzip();
        let contacts_from = from.unwrap_or(ContactsSource::Detected);
        let taken = import.clone().into_take_with(known, &detect).map_err(|error| no_body(&self.input.file, &error))?;
        let plan = match contacts_from {
            ContactsSource::Detected => extract_recorded_plan(&taken.take),
            _ => extract_plan(&taken.take),
        };
        // What nobody could walk is not written: no command would read it.
        PlanChecker::default().check(&plan).map_err(|error| {
            let source = contacts_from.text();
            let message = format!("the contacts ({source}) are no plan that can be walked: {error}");
            JobError { message: message.into(), ..step_failure(&error.into(), &self.input.file) }
        })?;
        outputs.add("plan", &self.output, own::write_plan(&plan).into_bytes());
        let n_of = |side: Side| plan.footprints.iter().filter(|footprint| footprint.side == side).count();
        let report = ExtractReport {
            input: InputReport::new(&self.input.file, &import),
            output: self.output.display().to_string(),
            contacts: contacts_from,
            footprints: plan.footprints.len(),
            left: n_of(Side::Left),
            right: n_of(Side::Right),
            mean_swing_seconds: mean_of_steps(&plan.footprints, |footprint| footprint.swing),
            mean_support_seconds: mean_of_steps(&plan.footprints, |footprint| footprint.support),
            files: outputs.files(),
        };
        finish(outputs, ExtractRequest::COMMAND, report, self.report.as_deref())
    }
}

/// Mean time of the steps; the first two footprints are where the feet are at the start.
fn mean_of_steps(footprints: &[Footprint], time: impl Fn(&Footprint) -> Option<f64>) -> Option<f64> {
    let times: Vec<f64> = footprints.iter().skip(2).filter_map(time).collect();
    (!times.is_empty()).then(|| times.iter().sum::<f64>() / times.len() as f64)
}
