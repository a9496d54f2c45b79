//! The job `gait fit`: a person's walk or run estimated from a recording, to be used like a preset (GAIT figure 4.23).

use crate::gait_report::AttributeName;
use crate::input_report::InputReport;
use crate::input_request::InputRequest;
use crate::job::{Job, JobReport, finish};
use crate::job_context::JobContext;
use crate::job_error::JobError;
use crate::motion_source::{ContactsSource, MotionSource};
use crate::outputs::{IfExists, Outputs, WrittenFile};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use surefoot_contact::DetectOptions;
use surefoot_formats::own;
use surefoot_gait::{ContactTiming, FitError, GaitFit, PELVIS_HEIGHT, Parameter, fit_gaits};

/// Which recording to fit.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FitGaitRequest {
    /// The recording. Contacts that are given for it are taken as they are; others are detected.
    pub input: InputRequest,
    /// Where the fitted walk or run goes, as a file of styles.
    pub output: PathBuf,
    /// Its name. Default: that of the recording's file.
    #[serde(default)]
    pub name: Option<String>,
    /// Where the report goes as JSON.
    #[serde(default)]
    pub report: Option<PathBuf>,
    /// What to do with existing outputs.
    #[serde(default)]
    pub if_exists: IfExists,
}

/// What `gait fit` reports.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FitGaitReport {
    /// The recording.
    pub input: InputReport,
    /// Its walk, its run, or both.
    pub gaits: Vec<FittedGaitReport>,
    /// The file of styles.
    pub output: String,
    /// All files that were written.
    pub files: Vec<WrittenFile>,
}

/// A fitted walk or run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FittedGaitReport {
    /// `walk` or `run`.
    pub gait: String,
    /// As it is called in its file.
    pub name: String,
    /// Body height, in metres.
    pub height: f64,
    /// Steps of that gait in the recording.
    pub steps_found: usize,
    /// Those that are straight and at one speed, to which it was fitted.
    pub steps_fitted: usize,
    /// As recorded.
    pub speed_km_per_hour: f64,
    /// As recorded, in metres.
    pub step_length: f64,
    /// As recorded, in steps a minute.
    pub cadence_per_minute: f64,
    /// Double support of a walk, flight of a run, in seconds.
    pub overlap_seconds: f64,
    /// Of a run: level of expertise.
    pub level: Option<f64>,
    /// Attributes in their units.
    pub attributes: BTreeMap<String, AttributeName>,
    /// What is left of the difference, part by part.
    pub errors: Vec<PartErrorReport>,
}

/// Difference between made and recorded steps over a stride, root mean square, in degrees; of `pelvis height` in hundredths of the leg.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PartErrorReport {
    /// `thigh`, `knee` and so on.
    pub part: String,
    /// Of the natural gait at the same speed and step length.
    pub natural: f64,
    /// Of the fitted gait.
    pub fitted: f64,
}

impl JobReport for FitGaitReport {
    fn files(&self) -> &[WrittenFile] {
        &self.files
    }
}

impl Job for FitGaitRequest {
    const COMMAND: &'static str = "gait fit";
    type Report = FitGaitReport;

    fn outputs(&self) -> Vec<&Path> {
        std::iter::once(self.output.as_path()).chain(self.report.as_deref()).collect()
    }

    fn inputs(&self) -> Vec<&Path> {
        self.input.files().collect()
    }

    fn run(&self, context: &JobContext) -> Result<FitGaitReport, JobError> {
        let mut outputs = Outputs::check_apart(self.outputs(), self.inputs(), self.if_exists)?;
        let source = MotionSource::load(&self.input, &DetectOptions::default())?;
        context.advance(1, 2, "fit")?;
        let name = style_name(self.name.as_deref().unwrap_or(&source.take.clip.name));
        let timing = match source.contacts_from {
            ContactsSource::Detected => ContactTiming::Detected,
            _ => ContactTiming::Exact,
        };
        let fits = fit_gaits(&source.take, timing, &name).map_err(|error| self.failure(&error))?;
        context.check()?;
        let styles: Vec<_> = fits.iter().map(|fit| fit.style.clone()).collect();
        outputs.add("styles", &self.output, own::write_styles(&styles).into_bytes());
        let report = FitGaitReport {
            input: source.input,
            gaits: fits.iter().map(FittedGaitReport::from).collect(),
            output: self.output.display().to_string(),
            files: outputs.files(),
        };
        finish(outputs, FitGaitRequest::COMMAND, report, self.report.as_deref())
    }
}

impl FitGaitRequest {
    fn failure(&self, error: &FitError) -> JobError {
        let kind = match error {
            FitError::NoStrides { .. } => "no_strides",
            FitError::Rig(_) => "body",
            FitError::Pace { .. } => "parameter",
        };
        JobError::of_file(kind, &self.input.file, error.to_string())
    }
}

/// Letters, digits, - and _ only, as names of styles are.
fn style_name(text: &str) -> String {
    let kept = |letter: char| if letter.is_alphanumeric() || letter == '-' || letter == '_' { letter } else { '-' };
    let name: String = text.chars().map(kept).take(60).collect();
    if name.is_empty() { "person".to_string() } else { name }
}

/// In the unit of the table.
fn shown(part: &str, error: f64) -> f64 {
    if part == PELVIS_HEIGHT { 100.0 * error } else { error.to_degrees() }
}

impl From<&GaitFit> for FittedGaitReport {
    fn from(fit: &GaitFit) -> FittedGaitReport {
        let (style, stride) = (&fit.style, &fit.style.targets.stride);
        let speed = stride.speed.unwrap_or(0.0);
        let errors = fit.errors.iter().map(|error| PartErrorReport {
            part: error.part.to_string(),
            natural: shown(error.part, error.natural),
            fitted: shown(error.part, error.fitted),
        });
        FittedGaitReport {
            gait: style.gait.to_string(),
            name: style.name.clone(),
            height: style.height,
            steps_found: fit.n_found,
            steps_fitted: fit.n_steps,
            speed_km_per_hour: Parameter::Speed.to_user(speed),
            step_length: speed / fit.cadence,
            cadence_per_minute: 60.0 * fit.cadence,
            overlap_seconds: fit.overlap,
            level: style.targets.level,
            attributes: style.attributes.iter().map(|(name, value)| (name.clone(), (*value).into())).collect(),
            errors: errors.collect(),
        }
    }
}
