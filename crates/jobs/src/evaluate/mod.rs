//! How near walks made of other steps come to recordings, and how well they move: reconstruction (STRIDE chapter 7).
//!
//! 1. A clip's own foot plan is extracted.
//! 2. Its steps and their mirror images are taken out of the database: the actor is known from other clips. Then all steps of its
//!    actor are: nobody has seen this person walk ([`Split`]).
//! 3. The plan is walked by every [`Method`] and with every ablation ([`Variant`], `evaluator`), compared with the clip joint by joint, and measured beside it
//!    (`walk_metrics`).
//! 4. What runs, jumps, hops or climbs is made again by composers without the steps and flights of its actor (`courses`).
//! 5. What comes out is a distribution over clips or footprints (`distribution`), beside the targets that it should meet (`targets`).

mod courses;
mod distribution;
mod evaluator;
mod targets;
mod walk_metrics;

pub use courses::{CourseErrors, CourseMethod, EvaluatedCourse};
pub use distribution::{Better, Distribution, share_meeting};
pub use targets::{EvaluatedMetric, climbing_metrics, evaluated_metrics};
pub use walk_metrics::{MotionQuality, WalkMetrics};

use crate::build_steps::{Common, build_steps_until, corpus_take, play, read_skeleton, read_take, take_names};
use crate::job_context::JobContext;
use crate::{BuildStepsError, BuildStepsOptions, ClipError};
use courses::{CourseClip, course_errors, evaluate_courses};
use evaluator::{Databases, Recording, evaluate_recordings};
use std::path::PathBuf;
use surefoot_compose::FlightLibrary;
use surefoot_contact::{FootPlan, Take};
use surefoot_gait::{Corpus, CorpusOptions, corpus};
use surefoot_motion::Poses;
use surefoot_steps::{
    BuildOptions, CandidateStatistics, ChoiceCost, Method, N_VARIANTS, Region, RegionErrors, StepDatabase, Variant,
    WalkOptions, actor_of,
};

/// How to evaluate.
#[derive(Clone, Debug, Default)]
pub struct EvaluateOptions {
    /// How plans are walked; frame rate and method are those of each comparison.
    pub walk: WalkOptions,
    /// How clips are read and, without a database, steps are cut out.
    pub build: BuildStepsOptions,
    /// Whether the motions are kept ([`ClipEvaluation::motions`]). Default: only their metrics are.
    pub keeps_motions: bool,
}

/// What a database has not seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Split {
    /// The clip. Others of its actor are there, or it is not evaluated.
    ActorKnown,
    /// Any clip of the actor.
    ActorUnknown,
}

impl Split {
    /// Both, in the order in which they are printed.
    pub const ALL: [Split; 2] = [Split::ActorKnown, Split::ActorUnknown];

    /// A few words for it.
    pub fn name(self) -> &'static str {
        match self {
            Split::ActorKnown => "actor known",
            Split::ActorUnknown => "actor unknown",
        }
    }

    fn left_out(self) -> &'static str {
        match self {
            Split::ActorKnown => "its own",
            Split::ActorUnknown => "its actor's",
        }
    }
}

/// Everything that was compared.
#[derive(Clone, Debug)]
pub struct Evaluation {
    /// In the order given.
    pub clips: Vec<EvaluatedClip>,
    /// Clips that run, jump, hop or climb, without the recordings of their actors; none of the corpus, which is of one person.
    pub courses: Vec<EvaluatedCourse>,
    /// Steps in the database, mirror images among them.
    pub n_database_steps: usize,
}

/// What became of a clip.
#[derive(Clone, Debug)]
pub struct EvaluatedClip {
    /// Of its take in the database.
    pub name: String,
    /// Frames per second that were taken instead of the declared ones.
    pub corrected_rate: Option<f64>,
    /// Its metrics, or why it was left out.
    pub outcome: Result<ClipEvaluation, String>,
}

/// A clip against the walks of its plan.
#[derive(Clone, Debug)]
pub struct ClipEvaluation {
    /// In its plan.
    pub n_footprints: usize,
    /// Whether most of its steps go up or down.
    pub climbs: bool,
    /// Of the recording, from half a second before the first landing to half a second after the last.
    pub recording: MotionQuality,
    /// Without its own steps, or why there are no walks.
    pub known: Result<SplitEvaluation, String>,
    /// Without its actor's steps; `None` where all clips are of one person.
    pub unknown: Option<Result<SplitEvaluation, String>>,
    /// The recording on the database's skeleton and its plan, if they are kept.
    pub motions: Option<(Take, FootPlan)>,
}

impl ClipEvaluation {
    /// The walks of a split; `None` where there are none.
    pub fn split(&self, split: Split) -> Option<&SplitEvaluation> {
        match split {
            Split::ActorKnown => self.known.as_ref().ok(),
            Split::ActorUnknown => self.unknown.as_ref()?.as_ref().ok(),
        }
    }

    /// The walk by a method or with an ablation; `None` where there is none.
    pub fn walk(&self, split: Split, variant: impl Into<Variant>) -> Option<&MethodWalk> {
        let variant = variant.into();
        let index = Variant::all().iter().position(|&other| other == variant)?;
        self.split(split)?.walks[index].as_ref().ok()
    }
}

/// The walks of a plan with one database.
#[derive(Clone, Debug)]
pub struct SplitEvaluation {
    /// In the order of [`Variant::all`]; or why the plan was refused.
    pub walks: [Result<MethodWalk, String>; N_VARIANTS],
    /// Steps of the walk by Stride Space of each of [`surefoot_plan::StepOrigin::RECORDED`].
    pub made: [usize; 4],
    /// Of the walk by regions, which are the paper's.
    pub candidates: CandidateStatistics,
    /// The walk by Stride Space, if motions are kept.
    pub walk: Option<Take>,
}

/// A walk beside its recording.
#[derive(Clone, Debug, PartialEq)]
pub struct MethodWalk {
    /// Joints, every landing at the time of its landing.
    pub by_landing: RegionErrors,
    /// Joints in plain time.
    pub plain_time: RegionErrors,
    /// What the chosen steps cost.
    pub cost: ChoiceCost,
    /// The rest.
    pub metrics: WalkMetrics,
}

impl Evaluation {
    /// Clips that were compared.
    pub fn compared(&self) -> impl Iterator<Item = (&str, &ClipEvaluation)> {
        self.clips.iter().filter_map(|clip| Some((clip.name.as_str(), clip.outcome.as_ref().ok()?)))
    }

    /// The walks of all clips on the level by a method, each with its clip.
    pub fn walks(
        &self,
        split: Split,
        variant: impl Into<Variant>,
    ) -> impl Iterator<Item = (&ClipEvaluation, &MethodWalk)> {
        self.walks_where(split, variant.into(), false)
    }

    fn walks_where(
        &self,
        split: Split,
        variant: Variant,
        climbs: bool,
    ) -> impl Iterator<Item = (&ClipEvaluation, &MethodWalk)> {
        let clips = self.compared().map(|(_, clip)| clip).filter(move |clip| clip.climbs == climbs);
        clips.filter_map(move |clip| Some((clip, clip.walk(split, variant)?)))
    }

    /// The split that the targets are for: unknown actors, or known ones where there are no others.
    pub fn judged_split(&self) -> Split {
        let has_unknown = self.walks(Split::ActorUnknown, Method::StrideSpace).next().is_some();
        if has_unknown { Split::ActorUnknown } else { Split::ActorKnown }
    }

    /// Joint errors of a method over the clips, in metres; `None` if it walked none.
    pub fn errors(&self, split: Split, variant: impl Into<Variant>) -> Option<MethodErrors> {
        let (clips, walks): (Vec<&ClipEvaluation>, Vec<&MethodWalk>) = self.walks(split, variant).unzip();
        let all = |of: &dyn Fn(&MethodWalk) -> f64| {
            let values: Vec<f64> = walks.iter().map(|walk| of(walk)).collect();
            Distribution::of(&values, Better::Small)
        };
        let mean = |of: &dyn Fn(&MethodWalk) -> f64| all(of).map_or(0.0, |spread| spread.mean);
        let over = |of: &dyn Fn(&MotionQuality) -> f64| {
            let pairs = clips.iter().zip(&walks).filter(|(clip, _)| of(&clip.recording) > 0.0);
            let ratios: Vec<f64> = pairs.map(|(clip, walk)| of(&walk.metrics.motion) / of(&clip.recording)).collect();
            Distribution::of(&ratios, Better::Small).map(|spread| spread.median)
        };
        Some(MethodErrors {
            by_landing: all(&|walk| walk.by_landing.all)?,
            plain_time: all(&|walk| walk.plain_time.all)?,
            regions_by_landing: std::array::from_fn(|k| mean(&|walk| walk.by_landing.by_region[k])),
            regions_plain_time: std::array::from_fn(|k| mean(&|walk| walk.plain_time.by_region[k])),
            cost: ChoiceCost { total: mean(&|walk| walk.cost.total), posture: mean(&|walk| walk.cost.posture) },
            knee_acceleration: over(&|motion| motion.knee_acceleration),
            pelvis_jerk: over(&|motion| motion.pelvis_jerk),
        })
    }

    /// Mean joint error by landing of one row over that of another, over the clips on the level that both walked.
    pub fn error_ratio(&self, split: Split, variant: Variant, other: Variant) -> Option<f64> {
        let both = self.compared().map(|(_, clip)| clip).filter(|clip| !clip.climbs);
        let both = both.filter_map(|clip| Some((clip.walk(split, variant)?, clip.walk(split, other)?)));
        let sums = both.fold([0.0, 0.0], |[a, b], (one, other)| [a + one.by_landing.all, b + other.by_landing.all]);
        (sums[1] > 0.0).then(|| sums[0] / sums[1])
    }

    /// Errors of runs, jumps, hops and stairs by each method.
    pub fn course_errors(&self) -> Vec<CourseErrors> {
        course_errors(&self.courses)
    }

    /// Candidates of all walks of a split.
    pub fn candidates(&self, split: Split) -> CandidateStatistics {
        let mut all = CandidateStatistics::default();
        self.compared().filter_map(|(_, clip)| clip.split(split)).for_each(|walked| all.merge(&walked.candidates));
        all
    }

    /// Steps of all walks of a split by Stride Space of each of [`surefoot_plan::StepOrigin::RECORDED`].
    pub fn made(&self, split: Split) -> [usize; 4] {
        let mut all = [0; 4];
        for walked in self.compared().filter_map(|(_, clip)| clip.split(split)) {
            all.iter_mut().zip(walked.made).for_each(|(sum, count)| *sum += count);
        }
        all
    }
}

/// Joint errors of a method over clips, in metres.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MethodErrors {
    /// Over all joints, landing on landing.
    pub by_landing: Distribution,
    /// Over all joints, in plain time.
    pub plain_time: Distribution,
    /// Means of the clips, in the order of [`Region::ALL`].
    pub regions_by_landing: [f64; Region::ALL.len()],
    /// See `regions_by_landing`.
    pub regions_plain_time: [f64; Region::ALL.len()],
    /// What the chosen steps cost, means of the clips.
    pub cost: ChoiceCost,
    /// 99th percentile of the knees' acceleration over the recording's, median of the clips.
    pub knee_acceleration: Option<f64>,
    /// Jerk of the pelvis below 6 Hz over the recording's, median of the clips.
    pub pelvis_jerk: Option<f64>,
}

/// Evaluates clips of any formats and people, with a database and its recorded flights or with one that is built from them.
pub fn evaluate_clips(
    paths: &[PathBuf],
    database: Option<(StepDatabase, FlightLibrary)>,
    options: &EvaluateOptions,
    context: &JobContext,
) -> Result<Evaluation, BuildStepsError> {
    let reading = options.build.reading();
    // Clips are brought to the database's skeleton in the same way as its own steps were.
    let mut unfiltered = None;
    let (database, flights, mut common) = match database {
        Some((database, flights)) => {
            let common = common_of(&database);
            (database, flights, Some(common))
        }
        None => {
            let built = build_steps_until(paths, &options.build, &mut context.each_file(paths.len()))?;
            let raw = BuildOptions { filters: false, ..options.build.build };
            let raw = BuildStepsOptions { build: raw, ..options.build.clone() };
            unfiltered = Some(build_steps_until(paths, &raw, &mut context.each_file(paths.len()))?.database);
            let skeleton = options.build.skeleton.as_deref().map(|path| read_skeleton(path, &reading)).transpose();
            (built.database, built.flights, skeleton.map_err(BuildStepsError::Skeleton)?)
        }
    };
    let names = take_names(paths);
    let (mut read, mut courses) = (Vec::new(), Vec::new());
    let mut begin = context.each_file(paths.len());
    for (path, name) in paths.iter().zip(&names) {
        begin(path).map_err(BuildStepsError::Stopped)?;
        let mut corrected_rate = None;
        let played = read_take(path, &reading, &options.build.detect).and_then(|read| {
            corrected_rate = read.corrected_rate;
            play(path, read.take, &mut common)
        });
        let recording = played.map_err(|error| unreadable(&error)).and_then(|take| {
            courses.extend(CourseClip::new(name, &take));
            let (same, actor) = (vec![name.clone()], Some(actor_of(name).to_string()));
            Recording::new(same, actor, take, &options.build.build.segment)
        });
        read.push(ReadClip { name: name.clone(), corrected_rate, recording });
    }
    let databases = Databases { filtered: &database, unfiltered: unfiltered.as_ref() };
    let courses = evaluate_courses(&database, &flights, &courses, options, context);
    let evaluation = evaluate_all(&databases, read, options, context);
    let both = courses.and_then(|courses| Ok(Evaluation { courses, ..evaluation? }));
    both.map_err(BuildStepsError::Stopped)
}

/// Evaluates the built-in corpus. Many of its takes are mirror images of others, which are taken out with them. All are of one
/// person, so that no actor can be left out.
pub fn evaluate_corpus(
    database: &StepDatabase,
    options: &EvaluateOptions,
    context: &JobContext,
) -> Result<Evaluation, crate::JobError> {
    let Corpus { takes, .. } = corpus(&CorpusOptions::default()).expect("the usual corpus can be made");
    let walks = takes.into_iter().filter(|take| take.kind.is_level_walk());
    let read = walks.map(|take| {
        let same = [&take.name, &swap_sides(&take.name)].map(|name| corpus_take(name)).to_vec();
        let recording = Recording::new(same, None, take.take, &options.build.build.segment);
        ReadClip { name: take.name, corrected_rate: None, recording }
    });
    evaluate_all(&Databases { filtered: database, unfiltered: None }, read.collect(), options, context)
}

/// A clip on the common skeleton, or why it is no walk.
struct ReadClip {
    name: String,
    corrected_rate: Option<f64>,
    recording: Result<Recording, String>,
}

/// Walks those clips again that are recordings of walks; the others keep their reasons.
fn evaluate_all(
    databases: &Databases<'_>,
    read: Vec<ReadClip>,
    options: &EvaluateOptions,
    context: &JobContext,
) -> Result<Evaluation, crate::JobError> {
    let mut recordings = Vec::new();
    let mut clips: Vec<(String, Option<f64>, Option<String>)> = Vec::new();
    for ReadClip { name, corrected_rate, recording } in read {
        clips.push((name, corrected_rate, recording.map(|recording| recordings.push(recording)).err()));
    }
    let mut evaluated = evaluate_recordings(databases, &recordings, options, context)?.into_iter();
    let clip = |(name, corrected_rate, reason): (String, Option<f64>, Option<String>)| {
        let outcome = match reason {
            Some(reason) => Err(reason),
            None => settled(evaluated.next().expect("one for each recording")),
        };
        EvaluatedClip { name, corrected_rate, outcome }
    };
    Ok(Evaluation {
        clips: clips.into_iter().map(clip).collect(),
        courses: Vec::new(),
        n_database_steps: databases.filtered.steps().len(),
    })
}

/// A clip whose plan was not walked at all is left out.
fn settled(clip: ClipEvaluation) -> Result<ClipEvaluation, String> {
    let has_walk = |split: Split| clip.split(split).is_some_and(|split| split.walks.iter().any(Result::is_ok));
    if Split::ALL.into_iter().any(has_walk) {
        return Ok(clip);
    }
    let refused = |walked: SplitEvaluation| walked.walks.into_iter().find_map(Result::err).unwrap_or_default();
    Err(clip.known.map_or_else(|reason| reason, refused))
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

/// The name of a take's mirror image.
fn swap_sides(name: &str) -> String {
    let swap = |part: &str| match part {
        "left" => "right".to_string(),
        "right" => "left".to_string(),
        other => other.to_string(),
    };
    name.split('-').map(swap).collect::<Vec<_>>().join("-")
}
