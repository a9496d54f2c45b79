//! The job `corpus`: the built-in takes, what steps they hold, and their files.

use crate::convert::{ConvertOptions, Converted, convert};
use crate::job::{Job, JobReport, finish_with_folder};
use crate::job_context::JobContext;
use crate::job_error::JobError;
use crate::motion_output::MotionFormat;
use crate::output_folder::OutputFolder;
use crate::outputs::{IfExists, Outputs, WrittenFile};
use crate::request_limits::check_range;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use surefoot_contact::path_length;
use surefoot_formats::{Import, own};
use surefoot_gait::{Corpus, CorpusError, CorpusKind, CorpusOptions, CorpusTake, corpus};
use surefoot_geom::Range;
use surefoot_motion::{FRAME_RATES, Side};
use surefoot_plan::{StepCoverage, StepParameters};

/// The corpus of a figure.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct CorpusRequest {
    /// Folder for every take with its contacts and its foot plan; made if it is missing.
    pub output: Option<PathBuf>,
    /// Format of the motions. Default: BVH.
    pub format: Option<MotionFormat>,
    /// Height of the figure, in metres. Default 1.8.
    pub height: Option<f64>,
    /// Frames per second. Default 60.
    pub frame_rate: Option<f64>,
    /// Only takes of these kinds, such as `forward`, `curve`, `stairs`. Default: all.
    pub kinds: Vec<String>,
    /// Where the report goes as JSON.
    pub report: Option<PathBuf>,
    /// What to do with existing outputs.
    pub if_exists: IfExists,
}

/// What `corpus` reports.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CorpusReport {
    /// Of the figure, in metres.
    pub height: f64,
    /// Frames per second.
    pub frame_rate: f64,
    /// Steps of all takes.
    pub steps: usize,
    /// Every take.
    pub takes: Vec<CorpusTakeReport>,
    /// What steps there are on level ground.
    pub coverage: Option<StepCoverageReport>,
    /// Joints of the skeleton.
    pub joints: usize,
    /// The folder.
    pub folder: Option<String>,
    /// Format of the motions in it.
    pub format: MotionFormat,
    /// All files that were written.
    pub files: Vec<WrittenFile>,
}

/// A take of the corpus. Lengths in metres.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CorpusTakeReport {
    /// Its name, which its files have.
    pub name: String,
    /// What it shows.
    pub what: String,
    /// What kind of motion it is.
    pub kind: String,
    /// Whether a database of walking steps is made of it.
    pub level_walk: bool,
    /// How many steps it has.
    pub steps: usize,
    /// How many frames.
    pub frames: usize,
    /// How long it is.
    pub seconds: f64,
    /// From the first foot that leaves the ground to the last that lands.
    pub moving_seconds: f64,
    /// Length of the pelvis's trajectory over the ground.
    pub trajectory_length: f64,
    /// In metres a second, while moving.
    pub mean_speed: f64,
    /// Least distance of the feet at the end of a step.
    pub least_feet_apart: f64,
    /// Largest distance of the feet at the end of a step.
    pub most_feet_apart: f64,
}

/// What steps there are, as a step database sees them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StepCoverageReport {
    /// How many.
    pub steps: usize,
    /// Those of the left foot.
    pub left_steps: usize,
    /// Width of a bin, in metres.
    pub bin: f64,
    /// Start width, end width and end length.
    pub parameters: Vec<ParameterCoverage>,
}

/// One parameter of the steps, in metres.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ParameterCoverage {
    /// Its name.
    pub name: String,
    /// The least.
    pub min: f64,
    /// The largest.
    pub max: f64,
    /// Steps in each bin, without gaps.
    pub counts: Vec<BinCount>,
}

/// Steps in a bin.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BinCount {
    /// Lower end of the bin, in metres.
    pub from: f64,
    /// How many steps are in it.
    pub steps: usize,
}

impl JobReport for CorpusReport {
    fn files(&self) -> &[WrittenFile] {
        &self.files
    }
}

impl Job for CorpusRequest {
    const COMMAND: &'static str = "corpus";
    type Report = CorpusReport;

    fn outputs(&self) -> Vec<&Path> {
        self.report.iter().map(PathBuf::as_path).collect()
    }

    fn run(&self, context: &JobContext) -> Result<CorpusReport, JobError> {
        check_range("frame_rate", self.frame_rate, FRAME_RATES)?;
        let outputs = Outputs::check(self.outputs(), self.if_exists)?;
        let mut folder =
            self.output.as_deref().map(|folder| OutputFolder::check(folder, self.if_exists)).transpose()?;
        let usual = CorpusOptions::default();
        let options = CorpusOptions {
            height: self.height.unwrap_or(usual.height),
            frame_rate: self.frame_rate.unwrap_or(usual.frame_rate),
        };
        let kinds = self.kinds()?;
        let mut made = corpus(&options)?;
        made.takes.retain(|take| kinds.contains(&take.kind));
        let format = self.format.unwrap_or(MotionFormat::Bvh);
        if let Some(folder) = &mut folder {
            for (index, take) in made.takes.iter().enumerate() {
                context.advance(index as u64, made.takes.len() as u64, &take.name)?;
                add_files(folder, take, &made, format)?;
            }
        }
        context.check()?;
        let steps: Vec<Vec<StepParameters>> =
            made.takes.iter().map(|take| StepParameters::of_plan(&take.plan)).collect();
        let takes = made.takes.iter().zip(&steps).map(|(take, steps)| CorpusTakeReport::new(take, steps, &made));
        let walks = made.takes.iter().zip(&steps).filter(|(take, _)| take.kind.is_level_walk());
        let walking: Vec<StepParameters> = walks.flat_map(|(_, steps)| steps.iter().copied()).collect();
        let report = CorpusReport {
            height: options.height,
            frame_rate: options.frame_rate,
            steps: steps.iter().map(Vec::len).sum(),
            takes: takes.collect(),
            coverage: StepCoverage::of(&walking).as_ref().map(StepCoverageReport::from),
            joints: made.skeleton.joints().len(),
            folder: self.output.as_ref().map(|folder| folder.display().to_string()),
            format,
            files: folder.as_ref().map_or_else(Vec::new, OutputFolder::files),
        };
        finish_with_folder(outputs, folder, CorpusRequest::COMMAND, report, self.report.as_deref())
    }
}

impl CorpusRequest {
    /// The kinds of takes that are wanted.
    fn kinds(&self) -> Result<Vec<CorpusKind>, JobError> {
        let kind = |name: &String| {
            CorpusKind::ALL.into_iter().find(|kind| kind.name() == name).ok_or_else(|| {
                let names = CorpusKind::ALL.map(CorpusKind::name).join(", ");
                JobError::new("usage", format!("--kind {name}: one of {names} would be right")).at_field("kinds")
            })
        };
        if self.kinds.is_empty() { Ok(CorpusKind::ALL.to_vec()) } else { self.kinds.iter().map(kind).collect() }
    }
}

impl CorpusTakeReport {
    fn new(of: &CorpusTake, steps: &[StepParameters], made: &Corpus) -> CorpusTakeReport {
        let (clip, contacts) = (&of.take.clip, &of.take.contacts);
        let trajectory_length = path_length(&clip.world(), &made.body, clip.frame_rate);
        let stances = Side::BOTH.map(|side| contacts.stances(side));
        let left = stances.iter().filter_map(|stances| stances.first()).map(|stance| stance.end).min();
        let landed = stances.iter().filter_map(|stances| stances.last()).map(|stance| stance.start).max();
        let moving = landed.unwrap_or(0).saturating_sub(left.unwrap_or(0)).max(1);
        let moving_seconds = moving as f64 / clip.frame_rate;
        let reaches = || steps.iter().map(StepParameters::reach);
        CorpusTakeReport {
            name: of.name.clone(),
            what: of.what.clone(),
            kind: of.kind.name().to_string(),
            level_walk: of.kind.is_level_walk(),
            steps: steps.len(),
            frames: clip.n_frames(),
            seconds: clip.n_frames() as f64 / clip.frame_rate,
            moving_seconds,
            trajectory_length,
            mean_speed: trajectory_length / moving_seconds,
            least_feet_apart: reaches().reduce(f64::min).unwrap_or(0.0),
            most_feet_apart: reaches().fold(0.0, f64::max),
        }
    }
}

impl From<&StepCoverage> for StepCoverageReport {
    fn from(coverage: &StepCoverage) -> StepCoverageReport {
        let names = ["start_width", "end_width", "end_length"];
        let ranges = [coverage.start_width, coverage.end_width, coverage.end_length];
        let parameters = names.into_iter().zip(ranges).zip(&coverage.counts);
        let parameter = |((name, range), counts): ((&str, Range), &Vec<(f64, usize)>)| ParameterCoverage {
            name: name.to_string(),
            min: range.min,
            max: range.max,
            counts: counts.iter().map(|&(from, steps)| BinCount { from, steps }).collect(),
        };
        StepCoverageReport {
            steps: coverage.n_steps,
            left_steps: coverage.n_left,
            bin: StepCoverage::BIN,
            parameters: parameters.map(parameter).collect(),
        }
    }
}

/// Adds motion, contacts, plan and, where the ground is not level, terrain of a take.
fn add_files(folder: &mut OutputFolder, of: &CorpusTake, made: &Corpus, format: MotionFormat) -> Result<(), JobError> {
    let CorpusTake { name, take, plan, terrain, .. } = of;
    let at = |ending: &str| format!("{name}.{ending}");
    let motion = match format.as_file() {
        Some(file) => {
            let options = ConvertOptions::default();
            let converted = convert(&take.clip, Some(&made.body), Some(&take.contacts), file, &options);
            converted
                .and_then(Converted::into_bytes)
                .map_err(|error| JobError::new("output", format!("{name}: {error}")))?
        }
        None => own::write_take(&Import::of_made(take.clone())),
    };
    folder.add("motion", at(format.ending()), motion);
    folder.add("contacts", at("contacts.json"), own::write_contacts(&take.contacts).into_bytes());
    folder.add("plan", at("plan.json"), own::write_plan(plan).into_bytes());
    if let Some(terrain) = terrain {
        folder.add("terrain", at("terrain.json"), own::write_terrain(terrain).into_bytes());
    }
    Ok(())
}

impl From<CorpusError> for JobError {
    fn from(error: CorpusError) -> JobError {
        match error {
            CorpusError::Person(error) => JobError::new("body", format!("--height: {error}")).at_field("height"),
            CorpusError::Rig(error) => JobError::new("body", error.to_string()),
            CorpusError::FrameRate { .. } => {
                JobError::new("usage", format!("--frame-rate: {error}")).at_field("frame_rate")
            }
            CorpusError::Step { take, error } => JobError::new("infeasible", format!("{take}: {error}")),
        }
    }
}
