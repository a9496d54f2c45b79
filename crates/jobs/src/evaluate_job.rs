//! The job `evaluate`: recordings walked again with the steps of others, and compared.

use crate::analyze_steps_job::steps_of;
use crate::build_steps::BuildStepsOptions;
use crate::build_steps_job::build_steps_failure;
use crate::contacts_job::DetectRequest;
use crate::evaluate::{EvaluateOptions, EvaluatedClip, Evaluation, Smoothness, evaluate_clips, evaluate_corpus};
use crate::find_motion_files::find_motions;
use crate::input_request::ReadRequest;
use crate::job::{Job, JobReport, finish};
use crate::job_context::JobContext;
use crate::job_error::JobError;
use crate::outputs::{IfExists, Outputs, WrittenFile};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use surefoot_plan::StepOrigin;
use surefoot_steps::{CandidateStatistics, Method, Region, RegionErrors};

/// What to evaluate.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct EvaluateRequest {
    /// Motion files, folders or glob patterns; none for the built-in corpus.
    pub clips: Vec<PathBuf>,
    /// Step database; steps of a clip's name are left out for it. Default: built from the clips.
    pub db: Option<PathBuf>,
    /// File whose skeleton all clips are brought to. Default: that of the first clip that can be used.
    pub on: Option<PathBuf>,
    /// How to read the clips.
    pub read: ReadRequest,
    /// How planted feet are detected.
    pub detect: DetectRequest,
    /// Where the report goes as JSON.
    pub report: Option<PathBuf>,
    /// What to do with existing outputs.
    pub if_exists: IfExists,
}

/// What `evaluate` reports.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EvaluateReport {
    /// Steps in the database, mirror images among them.
    pub database_steps: usize,
    /// Mean distance of joints by method, over all frames of all clips.
    pub errors_cm: BTreeMap<String, RegionErrorsReport>,
    /// How many steps of the walks by Stride Space were made in which way.
    pub origins: BTreeMap<String, usize>,
    /// Which candidates were chosen (STRIDE 7.4), here and in the paper.
    pub candidates: CandidatesReport,
    /// How smooth walks are beside the recordings.
    pub smoothness: Vec<SmoothnessRow>,
    /// Every clip.
    pub clips: Vec<EvaluatedClipReport>,
    /// All files that were written.
    pub files: Vec<WrittenFile>,
}

/// Mean distance of joints, in centimetres.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RegionErrorsReport {
    /// By region of the body.
    #[serde(flatten)]
    pub by_region: BTreeMap<String, f64>,
    /// Over all joints.
    pub all: f64,
    /// Frames that were compared.
    pub frames: usize,
}

impl From<&RegionErrors> for RegionErrorsReport {
    fn from(errors: &RegionErrors) -> RegionErrorsReport {
        let region = |(region, error): (&Region, f64)| (region.name().to_string(), 100.0 * error);
        RegionErrorsReport {
            by_region: Region::ALL.iter().zip(errors.by_region).map(region).collect(),
            all: 100.0 * errors.all,
            frames: errors.n_frames,
        }
    }
}

/// Candidates here and in the paper.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CandidatesReport {
    /// In this evaluation.
    pub here: CandidatesRow,
    /// As STRIDE 7.4 has it, of 88 steps made with a database of 184; its weight loss is the largest, not the mean.
    pub paper: CandidatesRow,
}

/// What became of spanning neighbours.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CandidatesRow {
    /// Steps inside the hull.
    pub steps: usize,
    /// Their spanning neighbours.
    pub neighbours: usize,
    /// Other steps in a neighbour's region, on the mean.
    pub candidates_per_neighbour: f64,
    /// Neighbours with any.
    pub neighbours_with_candidates: usize,
    /// Replaced ones of those.
    pub replaced_of_those_percent: f64,
    /// Replaced ones of all neighbours.
    pub replaced_of_all_percent: f64,
    /// Weight before over weight after.
    pub weight_loss: f64,
}

/// What the paper has.
const PAPER: CandidatesRow = CandidatesRow {
    steps: 88,
    neighbours: 352,
    candidates_per_neighbour: 7.39,
    neighbours_with_candidates: 144,
    replaced_of_those_percent: 36.1,
    replaced_of_all_percent: 14.7,
    weight_loss: 10.0,
};

impl From<&CandidateStatistics> for CandidatesRow {
    fn from(here: &CandidateStatistics) -> CandidatesRow {
        let ratio = |sum: f64, count: usize| if count == 0 { 0.0 } else { sum / count as f64 };
        CandidatesRow {
            steps: here.n_steps,
            neighbours: here.n_neighbours,
            candidates_per_neighbour: ratio(here.alternatives as f64, here.n_neighbours),
            neighbours_with_candidates: here.with_alternatives,
            replaced_of_those_percent: 100.0 * ratio(here.replaced as f64, here.with_alternatives),
            replaced_of_all_percent: 100.0 * ratio(here.replaced as f64, here.n_neighbours),
            weight_loss: ratio(here.weight_loss, here.replaced),
        }
    }
}

/// A metric of smoothness of walks and of recordings.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SmoothnessRow {
    /// What is measured.
    pub name: String,
    /// Its unit.
    pub unit: String,
    /// Of the walk by Stride Space.
    pub walk: f64,
    /// Of the recording.
    pub recording: f64,
    /// Walk over recording; absent where the recording has none.
    pub ratio: Option<f64>,
}

/// A clip, compared or left out.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EvaluatedClipReport {
    /// Its name.
    pub clip: String,
    /// Why it was left out, if it was; then the rest is empty.
    #[serde(default)]
    pub left_out: Option<String>,
    /// In its plan.
    #[serde(default)]
    pub footprints: usize,
    /// By method.
    #[serde(default)]
    pub errors_cm: BTreeMap<String, RegionErrorsReport>,
    /// Of its walk.
    #[serde(default)]
    pub smoothness: Vec<SmoothnessRow>,
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
        self.report.iter().map(PathBuf::as_path).collect()
    }

    fn run(&self, context: &JobContext) -> Result<EvaluateReport, JobError> {
        let outputs = Outputs::check(self.outputs(), self.if_exists)?;
        let evaluation = self.evaluate(context)?;
        context.check()?;
        if evaluation.compared().next().is_none() {
            let left_out = evaluation.clips.iter().filter_map(|clip| Some((&clip.name, clip.outcome.as_ref().err()?)));
            let reasons: Vec<String> = left_out.take(3).map(|(name, reason)| format!("{name}: {reason}")).collect();
            let message = "no clip is a walk on level ground that could be compared";
            return Err(JobError::new("evaluate", format!("{message} ({})", reasons.join("; "))));
        }
        finish(outputs, EvaluateRequest::COMMAND, EvaluateReport::new(&evaluation), self.report.as_deref())
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
            let database = steps_of(None)?;
            return Ok(evaluate_corpus(&database, &options, &mut |name| context.report(0, 1, name)));
        }
        let files = find_motions(&self.clips)?;
        let database = self.db.as_deref().map(|path| steps_of(Some(path))).transpose()?;
        let mut done = 0;
        let mut begin = |path: &Path| {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            context.report(done, files.len() as u64, &name);
            done += 1;
        };
        evaluate_clips(&files, database, &options, &mut begin).map_err(|error| build_steps_failure(error, &files[0]))
    }
}

impl EvaluateReport {
    fn new(evaluation: &Evaluation) -> EvaluateReport {
        let origins = [StepOrigin::Blended, StepOrigin::Extrapolated, StepOrigin::IkCorrected];
        EvaluateReport {
            database_steps: evaluation.n_database_steps,
            errors_cm: by_method(|place| evaluation.errors(Method::ALL[place])),
            origins: origins.iter().zip(evaluation.made).map(|(origin, n)| (origin.name().to_string(), n)).collect(),
            candidates: CandidatesReport { here: (&evaluation.candidates).into(), paper: PAPER },
            smoothness: smoothness_rows(&evaluation.smoothness()),
            clips: evaluation.clips.iter().map(EvaluatedClipReport::from).collect(),
            files: Vec::new(),
        }
    }
}

impl From<&EvaluatedClip> for EvaluatedClipReport {
    fn from(EvaluatedClip { name, outcome }: &EvaluatedClip) -> EvaluatedClipReport {
        let clip = name.clone();
        match outcome {
            Err(reason) => EvaluatedClipReport {
                clip,
                left_out: Some(reason.clone()),
                footprints: 0,
                errors_cm: BTreeMap::new(),
                smoothness: Vec::new(),
            },
            Ok(compared) => EvaluatedClipReport {
                clip,
                left_out: None,
                footprints: compared.n_footprints,
                errors_cm: by_method(|place| Some(compared.errors[place])),
                smoothness: smoothness_rows(&[compared.walk, compared.recording]),
            },
        }
    }
}

fn by_method(errors: impl Fn(usize) -> Option<RegionErrors>) -> BTreeMap<String, RegionErrorsReport> {
    let named = |(place, method): (usize, &Method)| Some((method.name().to_string(), (&errors(place)?).into()));
    Method::ALL.iter().enumerate().filter_map(named).collect()
}

fn smoothness_rows([walk, recording]: &[Smoothness; 2]) -> Vec<SmoothnessRow> {
    let row = |name: &str, unit: &str, of: &dyn Fn(&Smoothness) -> f64| {
        let (walk, recording) = (of(walk), of(recording));
        let ratio = (recording != 0.0).then_some(walk / recording);
        SmoothnessRow { name: name.to_string(), unit: unit.to_string(), walk, recording, ratio }
    };
    vec![
        row("pelvis jerk, mean", "m/s3", &|smooth| smooth.pelvis_jerk),
        row("knee acceleration, 99th percentile", "deg/s2", &|smooth| smooth.knee_acceleration.to_degrees()),
        row("largest turn of a joint", "deg/s", &|smooth| smooth.turn_speed.to_degrees()),
    ]
}
