//! The job `steps build`: motions become a step database on one skeleton.

use crate::build_steps::{BuildStepsError, BuildStepsOptions, BuiltSteps, ClipError, ClipSteps, build_steps_until};
use crate::contacts_job::DetectRequest;
use crate::find_motion_files::find_motions;
use crate::input_request::ReadRequest;
use crate::job::{Job, JobReport, finish};
use crate::job_context::JobContext;
use crate::job_error::JobError;
use crate::outputs::{IfExists, Outputs, WrittenFile};
use crate::request_limits::check_range;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use surefoot_formats::own;
use surefoot_steps::{BuildOptions, Refusal, SegmentOptions};

/// Which motions to build a step database from.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BuildStepsRequest {
    /// Motion files, folders and glob patterns.
    pub clips: Vec<PathBuf>,
    /// How to read them. The floor is always put at 0.
    #[serde(default)]
    pub read: ReadRequest,
    /// Keep frame rates as files declare them, also where the motion contradicts them.
    #[serde(default)]
    pub keep_rates: bool,
    /// How contacts are detected in files that carry none.
    #[serde(default)]
    pub detect: DetectRequest,
    /// File whose skeleton all steps are brought to. Default: that of the first clip that can be used.
    #[serde(default)]
    pub on: Option<PathBuf>,
    /// Leave out the mirror images, which make both feet equally able.
    #[serde(default)]
    pub no_mirror: bool,
    /// What counts as a step.
    #[serde(default)]
    pub segment: SegmentRequest,
    /// Where the database goes; `-` is standard output.
    pub output: PathBuf,
    /// Where the report goes as JSON.
    #[serde(default)]
    pub report: Option<PathBuf>,
    /// What to do with existing outputs.
    #[serde(default)]
    pub if_exists: IfExists,
}

/// What counts as a step. Absent numbers are the defaults of [`SegmentOptions`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SegmentRequest {
    /// Longest swing, in seconds.
    pub longest_swing: Option<f64>,
    /// Longest double support that is kept, in seconds; of longer ones the part next to the swing.
    pub longest_support: Option<f64>,
    /// Places of the feet whose heights differ by no more than this are on the level, in metres; 0.001 keeps every slope.
    pub level: Option<f64>,
}

impl SegmentRequest {
    /// The options, if all of them are in range.
    pub fn options(&self) -> Result<SegmentOptions, JobError> {
        check_range("segment.longest_swing", self.longest_swing, 0.05..=10.0)?;
        check_range("segment.longest_support", self.longest_support, 0.05..=10.0)?;
        check_range("segment.level", self.level, 0.001..=1.0)?;
        let usual = SegmentOptions::default();
        Ok(SegmentOptions {
            longest_swing: self.longest_swing.unwrap_or(usual.longest_swing),
            longest_support: self.longest_support.unwrap_or(usual.longest_support),
            level: self.level.unwrap_or(usual.level),
            ..usual
        })
    }
}

/// What `steps build` reports.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BuildStepsReport {
    /// The database.
    pub output: String,
    /// Its size.
    pub bytes: u64,
    /// Steps before mirroring.
    pub steps: usize,
    /// All steps of the database.
    pub steps_with_mirror_images: usize,
    /// Whether mirror images were added.
    pub mirrored: bool,
    /// Recorded runs, jumps and hops, mirror images among them.
    #[serde(default)]
    pub flights: usize,
    /// Swings that are no steps, by reason.
    pub refused: BTreeMap<String, usize>,
    /// The file whose skeleton the steps have.
    pub skeleton: String,
    /// What became of each file.
    pub clips: Vec<ClipStepsReport>,
    /// All files that were written.
    pub files: Vec<WrittenFile>,
}

/// What became of one file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ClipStepsReport {
    /// The file.
    pub file: String,
    /// The name of its take in the database.
    pub take: Option<String>,
    /// How many steps it gave, without mirror images.
    pub steps: usize,
    /// How many of them go up or down.
    #[serde(default)]
    pub climbing: usize,
    /// Swings that are no steps, by reason.
    pub refused: BTreeMap<String, usize>,
    /// Frames per second that were taken instead of the declared ones, which the motion contradicts.
    #[serde(default)]
    pub corrected_rate: Option<f64>,
    /// What of a body was not found in it and does not move in its steps: `arms and no head`.
    #[serde(default)]
    pub missing: Option<String>,
    /// Why it was left out.
    pub error: Option<JobError>,
}

impl JobReport for BuildStepsReport {
    fn files(&self) -> &[WrittenFile] {
        &self.files
    }
}

impl Job for BuildStepsRequest {
    const COMMAND: &'static str = "steps build";
    type Report = BuildStepsReport;

    fn outputs(&self) -> Vec<&Path> {
        std::iter::once(&self.output).chain(&self.report).map(PathBuf::as_path).collect()
    }

    fn run(&self, context: &JobContext) -> Result<BuildStepsReport, JobError> {
        let segment = self.segment.options()?;
        let options = BuildStepsOptions {
            load: self.read.checked_options()?,
            keep_rates: self.keep_rates,
            skeleton: self.on.clone(),
            detect: self.detect.options()?,
            build: BuildOptions { mirror: !self.no_mirror, segment, ..BuildOptions::default() },
        };
        let mut outputs = Outputs::check(self.outputs(), self.if_exists)?;
        let files = find_motions(&self.clips)?;
        let built = build_steps_until(&files, &options, &mut context.each_file(files.len()))
            .map_err(|error| build_steps_failure(error, &self.output))?;
        context.check()?;
        let bytes = own::write_steps_and_flights(&built.database, &built.flights);
        let n_bytes = bytes.len() as u64;
        outputs.add("steps", &self.output, bytes);
        let report = BuildStepsReport {
            output: self.output.display().to_string(),
            bytes: n_bytes,
            steps: built.n_steps(),
            steps_with_mirror_images: built.database.steps().len(),
            mirrored: !self.no_mirror,
            flights: built.flights.flights().len(),
            refused: by_code(&BuiltSteps::refused(&built)),
            skeleton: built.skeleton.display().to_string(),
            clips: built.clips.iter().map(ClipStepsReport::from).collect(),
            files: outputs.files(),
        };
        finish(outputs, BuildStepsRequest::COMMAND, report, self.report.as_deref())
    }
}

impl From<&ClipSteps> for ClipStepsReport {
    fn from(clip: &ClipSteps) -> ClipStepsReport {
        let (file, corrected_rate) = (clip.path.display().to_string(), clip.corrected_rate);
        let missing = clip.missing.clone();
        match &clip.outcome {
            Ok(take) => ClipStepsReport {
                file,
                take: Some(take.name.to_string()),
                steps: take.n_steps,
                climbing: take.n_climbing,
                refused: by_code(&take.refused),
                corrected_rate,
                missing,
                error: None,
            },
            Err(error) => {
                let error = Some(JobError::from(error.clone()));
                ClipStepsReport {
                    file,
                    take: None,
                    steps: 0,
                    climbing: 0,
                    refused: BTreeMap::new(),
                    corrected_rate,
                    missing,
                    error,
                }
            }
        }
    }
}

impl From<ClipError> for JobError {
    fn from(error: ClipError) -> JobError {
        match error {
            ClipError::Read(error) => error.into(),
            ClipError::NoFrames { path } => {
                JobError::of_file("empty", path, "holds a skeleton but no motion; a clip has frames")
            }
            ClipError::Retarget { path, error } => JobError::of_file("retarget", path, error.to_string()),
        }
    }
}

/// Why there is no database. `database` is the file that it would have been written to.
pub fn build_steps_failure(error: BuildStepsError, database: &Path) -> JobError {
    match error {
        BuildStepsError::Skeleton(error) => error.into(),
        BuildStepsError::NoClip { clips } => match <[ClipError; 1]>::try_from(clips) {
            Ok([only]) => only.into(),
            Err(clips) => {
                let reasons: Vec<String> = clips.iter().map(|error| format!("\n  {error}")).collect();
                JobError::new("steps", format!("none of {} clips could be used:{}", clips.len(), reasons.concat()))
            }
        },
        BuildStepsError::Database { error, clips } => {
            let clips: Vec<ClipStepsReport> = clips.iter().map(ClipStepsReport::from).collect();
            let message = format!("{error}\n{}{}", clip_table(&clips), refusal_table(&clips));
            JobError::of_file("steps", database, message.trim_end())
        }
        BuildStepsError::Stopped(error) => error,
    }
}

/// A line for each clip that was used: its steps and the swings that are none.
pub fn clip_table(clips: &[ClipStepsReport]) -> String {
    let line = |clip: &ClipStepsReport| {
        let refused: Vec<String> =
            clip.refused.iter().map(|(code, count)| format!("{count} {}", reason(code))).collect();
        Some(format!("{:>5}  {:<28}  {}\n", clip.steps, clip.take.as_ref()?, refused.join("; ")))
    };
    clips.iter().filter_map(line).collect()
}

/// All steps, and the swings that are none by reason.
pub fn refusal_table(clips: &[ClipStepsReport]) -> String {
    let mut sum: BTreeMap<&str, usize> = BTreeMap::new();
    for (code, count) in clips.iter().flat_map(|clip| &clip.refused) {
        *sum.entry(code).or_insert(0) += count;
    }
    let n_steps: usize = clips.iter().map(|clip| clip.steps).sum();
    let n_climbing: usize = clips.iter().map(|clip| clip.climbing).sum();
    let climbing = if n_climbing > 0 { format!(", {n_climbing} of them up or down") } else { String::new() };
    let mut text = format!("{n_steps} steps found{climbing}, {} swings refused\n", sum.values().sum::<usize>());
    for (code, count) in sum {
        text += &format!("{count:>5}  {}\n", reason(code));
    }
    text
}

/// Every refusal with its word for machines.
const REFUSALS: [(Refusal, &str); 7] = [
    (Refusal::NoSupport, "no_support"),
    (Refusal::CutOff, "cut_off"),
    (Refusal::TooHigh, "too_high"),
    (Refusal::TooSlow, "too_slow"),
    (Refusal::TooLong, "too_long"),
    (Refusal::TooNear, "too_near"),
    (Refusal::TooShort, "too_short"),
];

fn by_code(refused: &BTreeMap<Refusal, usize>) -> BTreeMap<String, usize> {
    let code = |refusal: Refusal| REFUSALS.iter().find(|(of, _)| *of == refusal).map_or("other", |(_, code)| code);
    refused.iter().map(|(refusal, count)| (code(*refusal).to_string(), *count)).collect()
}

fn reason(code: &str) -> String {
    REFUSALS.iter().find(|(_, of)| *of == code).map_or_else(|| code.to_string(), |(refusal, _)| refusal.to_string())
}
