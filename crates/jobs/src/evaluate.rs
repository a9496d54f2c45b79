//! How near walks made of other people's steps come to recordings: leave-one-clip-out reconstruction (STRIDE chapter
//! 7).
//!
//! 1. A clip's own foot plan is extracted.
//! 2. Its steps and their mirror images are taken out of the database.
//! 3. The plan is walked by every [`Method`], and compared with the clip joint by joint.
//!
//! Besides: which candidates were chosen (STRIDE 7.4), and whether walks are as smooth as the recordings.

use crate::build_steps::{Common, play, read_skeleton, read_take, take_names};
use crate::{BuildStepsError, BuildStepsOptions, ClipError, LoadOptions, build_steps};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use surefoot_contact::{Take, slice_take};
use surefoot_contact::{metrics::measure_knees, metrics::measure_pelvis_jerk, metrics::measure_rotation_steps};
use surefoot_formats::{FloorChoice, ImportOptions};
use surefoot_gait::{Corpus, CorpusOptions, corpus};
use surefoot_motion::{BodyMap, Clip, Poses};
use surefoot_plan::{StepOrigin, World};
use surefoot_steps::{
    CandidateStatistics, Method, RecordedPlan, Refusal, RegionErrors, SegmentOptions, StepDatabase, Steps, WalkOptions,
    reconstruct, recorded_plan, segment_steps, without_take,
};

/// How to evaluate.
#[derive(Clone, Debug, Default)]
pub struct EvaluateOptions {
    /// How plans are walked; frame rate and method are those of each comparison.
    pub walk: WalkOptions,
    /// How clips are read and, without a database, steps are cut out.
    pub build: BuildStepsOptions,
}

/// Everything that was compared.
#[derive(Clone, Debug)]
pub struct Evaluation {
    /// In the order given.
    pub clips: Vec<EvaluatedClip>,
    /// Steps in the database, mirror images among them.
    pub n_database_steps: usize,
    /// Of the walks by regions, which are the paper's.
    pub candidates: CandidateStatistics,
    /// Steps of the walks by Stride Space that were blended, extrapolated and IK-corrected.
    pub made: [usize; 3],
}

/// What became of a clip.
#[derive(Clone, Debug)]
pub struct EvaluatedClip {
    /// Of its take in the database.
    pub name: String,
    /// Its figures, or why it was left out.
    pub outcome: Result<ClipEvaluation, String>,
}

/// A clip against the walks of its plan.
#[derive(Clone, Debug)]
pub struct ClipEvaluation {
    /// In its plan.
    pub n_footprints: usize,
    /// In the order of [`Method::ALL`].
    pub errors: [RegionErrors; N_METHODS],
    /// Of the walk by Stride Space.
    pub walk: Smoothness,
    /// Of the recording, from half a second before the first landing to half a second after the last.
    pub recording: Smoothness,
}

/// How smooth a motion is.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Smoothness {
    /// Frames measured.
    pub n_frames: usize,
    /// Mean jerk of the pelvis, in metres a second cubed.
    pub pelvis_jerk: f64,
    /// 99th percentile of the knees' acceleration, in radians a second squared.
    pub knee_acceleration: f64,
    /// Largest turn of any joint from one frame to the next, in radians a second, so that frame rates can be compared.
    pub turn_speed: f64,
}

/// How many methods are compared.
const N_METHODS: usize = Method::ALL.len();

/// Half a second: what of a recording before its first landing and after its last still belongs to the walk.
const MARGIN: f64 = 0.5;

/// A clip in which more than this share of the swings are no steps on level ground is no level walk.
const MAX_REFUSED: f64 = 0.5;

impl Evaluation {
    /// Clips that were compared.
    pub fn compared(&self) -> impl Iterator<Item = &ClipEvaluation> {
        self.clips.iter().filter_map(|clip| clip.outcome.as_ref().ok())
    }

    /// Mean errors of a method over all frames of all clips; `None` if none was compared.
    pub fn errors(&self, method: Method) -> Option<RegionErrors> {
        let index = Method::ALL.iter().position(|&other| other == method)?;
        let mut sum = RegionErrors::default();
        for errors in self.compared().map(|clip| &clip.errors[index]) {
            let weight = errors.n_frames as f64;
            sum.n_frames += errors.n_frames;
            sum.all += weight * errors.all;
            sum.by_region.iter_mut().zip(errors.by_region).for_each(|(sum, error)| *sum += weight * error);
        }
        if sum.n_frames == 0 {
            return None;
        }
        let total = sum.n_frames as f64;
        Some(RegionErrors { by_region: sum.by_region.map(|sum| sum / total), all: sum.all / total, ..sum })
    }

    /// Smoothness of all walks and of all recordings: means over frames, and the largest turn.
    pub fn smoothness(&self) -> [Smoothness; 2] {
        [
            Smoothness::of_all(self.compared().map(|clip| &clip.walk)),
            Smoothness::of_all(self.compared().map(|clip| &clip.recording)),
        ]
    }
}

impl Smoothness {
    fn of(clip: &Clip, body: &BodyMap) -> Smoothness {
        let poses = clip.world();
        let rate = clip.frame_rate;
        Smoothness {
            n_frames: clip.n_frames(),
            pelvis_jerk: measure_pelvis_jerk(&poses, body, rate).mean.unwrap_or(0.0),
            knee_acceleration: measure_knees(&poses, body, rate).acceleration.map_or(0.0, |spread| spread.p99),
            turn_speed: measure_rotation_steps(clip).step.map_or(0.0, |spread| spread.worst.value * rate),
        }
    }

    fn of_all<'a>(parts: impl Iterator<Item = &'a Smoothness>) -> Smoothness {
        let mut all = Smoothness::default();
        for part in parts {
            let weight = part.n_frames as f64;
            all.n_frames += part.n_frames;
            all.pelvis_jerk += weight * part.pelvis_jerk;
            all.knee_acceleration += weight * part.knee_acceleration;
            all.turn_speed = all.turn_speed.max(part.turn_speed);
        }
        let total = all.n_frames.max(1) as f64;
        Smoothness { pelvis_jerk: all.pelvis_jerk / total, knee_acceleration: all.knee_acceleration / total, ..all }
    }
}

/// Evaluates clips of any formats and people, with a database or with one that is built from them. `progress` is called
/// before each.
pub fn evaluate_clips(
    paths: &[PathBuf],
    database: Option<StepDatabase>,
    options: &EvaluateOptions,
    progress: &mut dyn FnMut(&Path),
) -> Result<Evaluation, BuildStepsError> {
    let reading = LoadOptions {
        import: ImportOptions { floor: FloorChoice::ToZero, ..options.build.load.import.clone() },
        ..options.build.load.clone()
    };
    // Clips are brought to the database's skeleton in the same way as its own steps were.
    let (database, mut common) = match database {
        Some(database) => {
            let common = common_of(&database);
            (database, Some(common))
        }
        None => {
            let built = build_steps(paths, &options.build, &mut |_| {})?;
            let skeleton = options.build.skeleton.as_deref().map(|path| read_skeleton(path, &reading)).transpose();
            (built.database, skeleton.map_err(BuildStepsError::Skeleton)?)
        }
    };
    let mut evaluator = Evaluator::new(&database, options);
    for (path, name) in paths.iter().zip(take_names(paths)) {
        progress(path);
        let played = read_take(path, &reading, &options.build.detect).and_then(|take| play(path, take, &mut common));
        match played {
            Ok(take) => evaluator.add(&name, &[&name], &take),
            Err(error) => evaluator.leave_out(&name, unreadable(&error)),
        }
    }
    Ok(evaluator.evaluation)
}

/// The skeleton of a database, in the pose that its steps have on the mean.
pub(crate) fn common_of(database: &StepDatabase) -> Common {
    let parts = database.parts();
    let mut pose = parts.skeleton.rest_pose();
    for (joint, &mean) in parts.skeleton.ids().zip(&parts.means) {
        pose[joint].rotation = mean;
    }
    Common { skeleton: parts.skeleton.clone(), body: parts.body.clone(), poses: Poses::repeat(&pose, 1) }
}

fn unreadable(error: &ClipError) -> String {
    match error {
        ClipError::Read(error) => error.message.clone(),
        ClipError::NoFrames { .. } => "holds no motion".to_string(),
        ClipError::Retarget { error, .. } => error.to_string(),
    }
}

/// Evaluates the built-in corpus. Many of its takes are mirror images of others, which are taken out with them.
pub fn evaluate_corpus(
    database: &StepDatabase,
    options: &EvaluateOptions,
    progress: &mut dyn FnMut(&str),
) -> Evaluation {
    let Corpus { takes, .. } = corpus(&CorpusOptions::default()).expect("the usual corpus can be made");
    let mut evaluator = Evaluator::new(database, options);
    for take in takes.iter().filter(|take| take.kind.is_level_walk()) {
        progress(&take.name);
        let twin = swap_sides(&take.name);
        evaluator.add(&take.name, &[&take.name, &twin], &take.take);
    }
    evaluator.evaluation
}

/// The name of a take's mirror image.
fn swap_sides(name: &str) -> String {
    let swap = |part: &str| match part {
        "left" => "right".to_string(),
        "right" => "left".to_string(),
        other => other.to_string(),
    };
    name.split('-').map(swap).collect::<Vec<_>>().join("-")
}

/// Compares clip after clip.
struct Evaluator<'a> {
    database: &'a StepDatabase,
    options: &'a EvaluateOptions,
    evaluation: Evaluation,
}

impl Evaluator<'_> {
    fn new<'a>(database: &'a StepDatabase, options: &'a EvaluateOptions) -> Evaluator<'a> {
        let evaluation = Evaluation {
            clips: Vec::new(),
            n_database_steps: database.steps().len(),
            candidates: CandidateStatistics::default(),
            made: [0; 3],
        };
        Evaluator { database, options, evaluation }
    }

    fn leave_out(&mut self, name: &str, reason: String) {
        self.evaluation.clips.push(EvaluatedClip { name: name.to_string(), outcome: Err(reason) });
    }

    /// Adds a take, with the names of all takes that show the same motion.
    fn add(&mut self, name: &str, same: &[&str], take: &Take) {
        let outcome = self.compare(same, take);
        self.evaluation.clips.push(EvaluatedClip { name: name.to_string(), outcome });
    }

    fn compare(&mut self, same: &[&str], take: &Take) -> Result<ClipEvaluation, String> {
        let body = self.database.body().body();
        check_level_walk(take, &self.options.build.build.segment)?;
        let recorded = recorded_plan(take);
        let mut rest = self.database.clone();
        for name in same {
            rest = without_take(&rest, name).ok_or("without its own steps too few are left")?;
        }
        let rest = Arc::new(rest);
        let mut errors = [RegionErrors::default(); N_METHODS];
        let mut walk = None;
        for (place, method) in Method::ALL.into_iter().enumerate() {
            let (error, made) =
                reconstruct(&rest, &recorded, take, method, &self.options.walk).map_err(|error| error.to_string())?;
            errors[place] = error;
            if method == Method::StrideSpace {
                walk = Some(made);
            }
        }
        let walk = walk.expect("it is one of the methods");
        // The paper counts the candidates of regions.
        let regions = WalkOptions { method: Method::Regions, ..self.options.walk };
        let choices = Steps::new(rest.clone(), regions).choices(&Arc::new(World::default()), &recorded.plan);
        self.evaluation.candidates.add(&rest, &choices.map_err(|error| error.to_string())?);
        let made = [StepOrigin::Blended, StepOrigin::Extrapolated, StepOrigin::IkCorrected];
        for (count, origin) in self.evaluation.made.iter_mut().zip(made) {
            *count += walk.report.n_of(origin);
        }
        Ok(ClipEvaluation {
            n_footprints: recorded.plan.footprints.len(),
            errors,
            walk: Smoothness::of(&walk.take.clip, body),
            recording: Smoothness::of(&walking_part(take, &recorded).as_ref().unwrap_or(take).clip, body),
        })
    }
}

/// Refuses what is no walk on level ground, with the reason.
fn check_level_walk(take: &Take, options: &SegmentOptions) -> Result<(), String> {
    let segments = segment_steps(take, options);
    let refused: Vec<Refusal> =
        segments.refused.iter().map(|(_, reason)| *reason).filter(|reason| *reason != Refusal::CutOff).collect();
    let n_swings = segments.steps.len() + refused.len();
    let commonest = || {
        let count = |reason: &Refusal| refused.iter().filter(|other| *other == reason).count();
        refused.iter().copied().max_by_key(|reason| (count(reason), *reason))
    };
    match commonest() {
        Some(reason) if refused.len() as f64 > MAX_REFUSED * n_swings as f64 => {
            Err(format!("{} of {n_swings} swings are no walking steps: {reason}", refused.len()))
        }
        _ if segments.steps.is_empty() => Err("it has no whole step".to_string()),
        _ => Ok(()),
    }
}

/// The recording without long standing before and after.
fn walking_part(take: &Take, recorded: &RecordedPlan) -> Option<Take> {
    let margin = (MARGIN * take.clip.frame_rate).round() as usize;
    let (first, last) = (recorded.landings.iter().min(), recorded.landings.iter().max());
    let from = first.map_or(0, |first| first.saturating_sub(margin));
    let to = last.map_or(take.clip.n_frames(), |last| (last + margin).min(take.clip.n_frames()));
    slice_take(take, from..to).ok()
}
