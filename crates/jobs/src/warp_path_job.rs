//! The job `warp-path`: the same steps along another path, with feet kept on the ground.

use crate::clean::CleanForm;
use crate::cleanup_step::{CleanupRequest, EditedMotion, EditedReport};
use crate::input_report::InputReport;
use crate::input_request::InputRequest;
use crate::job::{Job, JobReport, finish};
use crate::job_context::JobContext;
use crate::job_error::JobError;
use crate::motion_output::MotionOutput;
use crate::motion_source::{ContactsReport, MotionSource};
use crate::outputs::{IfExists, Outputs, WrittenFile};
use crate::retarget_job::cleanup_with_defaults;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use surefoot_cleanup::{PathFit, WarpPathError, WarpPathOptions, WarpedPath, warp_path};
use surefoot_contact::DetectOptions;
use surefoot_formats::{own, read_bytes};

/// Which motion to warp to which path.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WarpPathRequest {
    /// The motion.
    pub input: InputRequest,
    /// Path file to follow from its first point on.
    pub path: PathBuf,
    /// Where the result goes.
    pub output: MotionOutput,
    /// What to do where the path is not as long as the clip's root trajectory.
    #[serde(default)]
    pub fit: FitRequest,
    /// How far before and after a corner of the path its rounding reaches, in metres. Default: 0.8.
    #[serde(default)]
    pub corner_reach: Option<f64>,
    /// Over how long the clip's root trajectory is smoothed, in seconds. Default: 0.5.
    #[serde(default)]
    pub smoothing: Option<f64>,
    /// How feet are cleaned afterwards; null leaves the result as it is warped.
    #[serde(default = "cleanup_with_defaults")]
    pub cleanup: Option<CleanupRequest>,
    /// Where the contacts of the result go.
    #[serde(default)]
    pub write_contacts: Option<PathBuf>,
    /// Where the report goes as JSON.
    #[serde(default)]
    pub report: Option<PathBuf>,
    /// What to do with existing outputs.
    #[serde(default)]
    pub if_exists: IfExists,
}

/// What to do where the path is not as long as the clip's root trajectory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FitRequest {
    /// Steps keep their length; the motion is cut where a shorter path ends.
    #[default]
    Stop,
    /// The path is scaled about its first point to the length of the trajectory.
    ScalePath,
    /// Steps become longer or shorter, so that motion and path end together.
    Stretch,
}

impl From<FitRequest> for PathFit {
    fn from(fit: FitRequest) -> PathFit {
        match fit {
            FitRequest::Stop => PathFit::Stop,
            FitRequest::ScalePath => PathFit::ScalePath,
            FitRequest::Stretch => PathFit::StretchSteps,
        }
    }
}

/// What `warp-path` reports.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct WarpPathReport {
    /// The motion that was read.
    pub input: InputReport,
    /// The path file.
    pub path: String,
    /// Length of the clip's own root trajectory, in metres.
    pub own_length: f64,
    /// Length of the path after rounding and scaling, in metres.
    pub path_length: f64,
    /// Length of the part that is walked, in metres.
    pub walked: f64,
    /// Frames that were cut because the path ended.
    pub cut_frames: usize,
    /// Step lengths as a multiple of what they were.
    pub stretch: f64,
    /// Factor that the path was scaled by.
    pub path_scale: f64,
    /// The fastest turn that the warp adds.
    pub fastest_turn_degrees_per_second: f64,
    /// The frame in which that is.
    pub fastest_turn_frame: usize,
    /// Contacts of the source.
    pub contacts: ContactsReport,
    /// What was done and what to look at, in sentences.
    pub notes: Vec<String>,
    /// The motion that was written.
    pub written: EditedReport,
    /// All files that were written.
    pub files: Vec<WrittenFile>,
}

impl JobReport for WarpPathReport {
    fn files(&self) -> &[WrittenFile] {
        &self.files
    }
}

impl Job for WarpPathRequest {
    const COMMAND: &'static str = "warp-path";
    type Report = WarpPathReport;

    fn outputs(&self) -> Vec<&Path> {
        self.output.paths_with(&[&self.write_contacts, &self.report])
    }

    fn run(&self, context: &JobContext) -> Result<WarpPathReport, JobError> {
        self.output.format()?;
        let mut outputs = Outputs::check(self.outputs(), self.if_exists)?;
        let path = read_bytes(&self.path)?;
        let path = own::read_path(&path).map_err(|error| error.in_file(&self.path))?;
        let cleanup = self.cleanup.as_ref().map(|cleanup| cleanup.prepare_for(&self.output)).transpose()?;
        let source = MotionSource::load(&self.input, &DetectOptions::default())?;
        context.advance(1, 3, "warping")?;
        let options = self.options();
        let warped = warp_path(&source.take, &path, &options).map_err(|error| self.refused(&error))?;
        context.advance(2, 3, "cleanup")?;
        let edited = match cleanup {
            Some(cleanup) => cleanup.apply(&warped.take, CleanForm::Offline),
            None => EditedMotion::uncleaned(warped.take.clone()),
        };
        let contacts_file = self.write_contacts.as_deref();
        let written = edited.add_to(&mut outputs, &self.output, contacts_file, &source.import)?;
        context.check()?;
        let report = WarpPathReport {
            path: self.path.display().to_string(),
            own_length: warped.own_length,
            path_length: warped.path_length,
            walked: warped.walked,
            cut_frames: warped.cut_frames,
            stretch: warped.stretch,
            path_scale: warped.path_scale,
            fastest_turn_degrees_per_second: warped.fastest_turn.0.to_degrees(),
            fastest_turn_frame: warped.fastest_turn.1,
            contacts: source.contacts_report(),
            notes: notes(&warped),
            written,
            files: outputs.files(),
            input: source.input,
        };
        finish(outputs, WarpPathRequest::COMMAND, report, self.report.as_deref())
    }
}

impl WarpPathRequest {
    fn options(&self) -> WarpPathOptions {
        let usual = WarpPathOptions::default();
        WarpPathOptions {
            fit: self.fit.into(),
            smoothing: self.smoothing.unwrap_or(usual.smoothing),
            corner_reach: self.corner_reach.unwrap_or(usual.corner_reach),
            ..usual
        }
    }

    fn refused(&self, error: &WarpPathError) -> JobError {
        let file = match error {
            WarpPathError::Option { .. } => return JobError::new("usage", error.to_string()),
            WarpPathError::Path(_) | WarpPathError::PathTooShort { .. } | WarpPathError::PathTooLong { .. } => {
                &self.path
            }
            WarpPathError::HardlyTravels { .. } | WarpPathError::Edit(_) => &self.input.file,
        };
        JobError::of_file("warp_path", file, error.to_string())
    }
}

/// A turn that is faster than this is visible as a spin, in degrees per second: people who turn on the spot reach it.
const SPIN: f64 = 180.0;
/// Steps stretched beyond these factors need more of legs than cleanup can correct well.
const FAIR_STRETCH: std::ops::RangeInclusive<f64> = 0.75..=1.25;

/// What was done, and what to look at, in sentences.
fn notes(warped: &WarpedPath) -> Vec<String> {
    let mut notes = vec![format!(
        "the clip's own trajectory is {:.2} m long; {:.2} m of a path of {:.2} m are walked",
        warped.own_length, warped.walked, warped.path_length
    )];
    if warped.cut_frames > 0 {
        notes.push(format!("{} frames were cut where the path ends; --fit has alternatives", warped.cut_frames));
    }
    if warped.path_scale != 1.0 {
        notes.push(format!("the path was scaled by {:.3}", warped.path_scale));
    }
    if warped.stretch != 1.0 {
        notes.push(format!("steps are {:.3} times as long as they were", warped.stretch));
    }
    if !FAIR_STRETCH.contains(&warped.stretch) {
        notes.push("steps that differ so much need more of legs than cleanup can correct well".to_string());
    }
    let (turn, frame) = (warped.fastest_turn.0.to_degrees(), warped.fastest_turn.1);
    if turn > SPIN {
        notes.push(format!(
            "the warp turns the body by {turn:.0} degrees per second in frame {frame}; look at it there"
        ));
    }
    notes
}
