//! What both studies of motion graphs share: which clips, how many threads, and a folder for tables and figures.

use crate::build_graph_job::{ClipLength, LeftOutReport};
use crate::experiments::{ExperimentClips, MirrorImages, load_experiment_until};
use crate::find_motion_files::find_motions;
use crate::input_request::ReadRequest;
use crate::job_context::JobContext;
use crate::job_error::JobError;
use crate::motion_graphs::MAX_WINDOW;
use crate::output_folder::OutputFolder;
use crate::outputs::{IfExists, Outputs};
use crate::request_limits::check_range;
use serde::{Deserialize, Serialize};
use std::num::NonZero;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use surefoot_graph::Threads;
use surefoot_graph::experiment::{ExperimentError, RunWith, Summary};

/// On which clips a study is made, and where it goes.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StudyRequest {
    /// Motion files for the graphs, folders or glob patterns: walks of one person.
    pub clips: Vec<PathBuf>,
    /// How to read them.
    #[serde(default)]
    pub read: ReadRequest,
    /// Put the mirror image of each clip into the graphs too.
    #[serde(default)]
    pub mirror: bool,
    /// Draws the start nodes. Default 1.
    #[serde(default)]
    pub seed: Option<u64>,
    /// Frames of a window and of a blend. Default 10.
    #[serde(default)]
    pub window: Option<usize>,
    /// Runs for each graph (and path and technique), from random start nodes. Default: the paper's.
    #[serde(default)]
    pub runs: Option<usize>,
    /// Edges of the graphs. Default: the paper's. Smaller in proportion where the clips cannot give as many.
    #[serde(default)]
    pub edges: Option<Vec<usize>>,
    /// How many runs go on at once. Default: one for each core.
    #[serde(default)]
    pub threads: Option<usize>,
    /// Folder for tables, figures and the result; made if it is missing.
    #[serde(default)]
    pub output: Option<PathBuf>,
    /// Where the report goes as JSON.
    #[serde(default)]
    pub report: Option<PathBuf>,
    /// What to do with existing outputs.
    #[serde(default)]
    pub if_exists: IfExists,
}

/// The clips of the graphs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StudyClips {
    /// The clips.
    pub clips: Vec<ClipLength>,
    /// Frames of all of them.
    pub frames: usize,
    /// Frames per second.
    pub frame_rate: f64,
    /// What was done to make them alike, in sentences.
    pub notes: Vec<String>,
    /// Clips that could not be used.
    pub left_out: Vec<LeftOutReport>,
}

/// A number over runs, in the unit that its field names.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SummaryReport {
    /// Mean of the runs.
    pub mean: f64,
    /// Standard error of the mean.
    pub standard_error: f64,
    /// Their median, which a few runs that lose the path do not move.
    pub median: f64,
    /// Runs that had it.
    pub n: usize,
}

impl SummaryReport {
    /// In another unit than SI: `unit` of it make one of ours.
    pub(crate) fn new(summary: Option<Summary>, unit: f64) -> Option<SummaryReport> {
        summary.map(|summary| SummaryReport {
            mean: unit * summary.mean,
            standard_error: unit * summary.error(),
            median: unit * summary.median,
            n: summary.n,
        })
    }
}

impl From<&ExperimentClips> for StudyClips {
    fn from(clips: &ExperimentClips) -> StudyClips {
        StudyClips {
            clips: clips.set.clips().iter().map(ClipLength::from).collect(),
            frames: clips.set.n_frames(),
            frame_rate: clips.set.frame_rate(),
            notes: clips.notes.clone(),
            left_out: clips.left_out.iter().map(LeftOutReport::from).collect(),
        }
    }
}

impl StudyRequest {
    /// Refuses numbers out of range and outputs that cannot be written.
    pub(crate) fn check(&self) -> Result<(Outputs, Option<OutputFolder>), JobError> {
        let number = |value: Option<usize>| value.map(|value| value as f64);
        check_range("study.window", number(self.window), 1.0..=MAX_WINDOW as f64)?;
        check_range("study.runs", number(self.runs), 1.0..=100_000.0)?;
        check_range("study.threads", number(self.threads), 1.0..=1024.0)?;
        let outputs = Outputs::check(self.report.iter().map(PathBuf::as_path), self.if_exists)?;
        let folder = self.output.as_deref().map(|folder| OutputFolder::check(folder, self.if_exists)).transpose()?;
        Ok((outputs, folder))
    }

    /// Reads the clips, and recordings that test paths are taken from.
    pub(crate) fn load(&self, tests: &[PathBuf], context: &JobContext) -> Result<ExperimentClips, JobError> {
        let options = self.read.checked_options()?;
        let files = find_motions(&self.clips)?;
        let images = if self.mirror { MirrorImages::With } else { MirrorImages::Without };
        let mut begin = context.each_file(files.len() + tests.len());
        Ok(load_experiment_until(&files, tests, images, &options, &mut begin)?)
    }

    /// Runs a study with the context's clock, progress and cancel flag.
    pub(crate) fn study<T>(
        &self,
        context: &JobContext,
        make: impl FnOnce(&RunWith<'_>) -> Result<T, ExperimentError>,
    ) -> Result<T, JobError> {
        context.check()?;
        let cores = || std::thread::available_parallelism().map_or(1, NonZero::get);
        let threads = Threads::Count(self.threads.unwrap_or_else(cores));
        let begun = context.now();
        let clock = || begun.elapsed().as_secs_f64();
        let done = AtomicU64::new(0);
        let progress = |total: usize| {
            let done = done.fetch_add(1, Ordering::Relaxed) + 1;
            context.report(done, total as u64, "runs");
        };
        let is_stopped = || context.check().is_err();
        make(&RunWith { threads, clock: &clock, progress: &progress, is_stopped: &is_stopped }).map_err(|error| {
            match error {
                ExperimentError::Stopped => JobError::cancelled(),
                other => JobError::new("experiment", other.to_string()),
            }
        })
    }
}

/// The clips of the graphs in one line.
pub(crate) fn clips_line(clips: &ExperimentClips) -> String {
    let names: Vec<&str> = clips.set.clips().iter().map(|clip| clip.name.as_str()).collect();
    format!(
        "{} frames of {} clips at {} frames per second: {}.\n",
        clips.set.n_frames(),
        names.len(),
        clips.set.frame_rate(),
        names.join(", ")
    )
}
