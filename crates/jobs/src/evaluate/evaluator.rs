//! The work of an evaluation: databases with something left out, and the walks that are made with each.
//!
//! A database is built once for each left-out clip and once for each left-out actor, and all walks with it follow. Databases are
//! spread over threads. Results are put in the order of the clips, so that they do not depend on which was ready first.

use super::walk_metrics::{RecordingMetrics, WalkMetrics};
use super::{ClipEvaluation, EvaluateOptions, MethodWalk, Split, SplitEvaluation};
use crate::job_context::JobContext;
use crate::job_error::JobError;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use surefoot_contact::{Take, slice_take};
use surefoot_plan::{StepOrigin, Synthesis, World};
use surefoot_steps::{
    Ablation, CandidateStatistics, Method, RecordedPlan, Refusal, SegmentOptions, Segments, StepDatabase, Steps,
    Variant, WalkOptions, only_actor, reconstruct, recorded_plan, segment_steps, without_actor, without_takes,
};

/// Seconds of a recording before its first landing and after its last that still belong to the walk.
const MARGIN: f64 = 0.5;

/// A clip in which more than this share of the swings are no steps is no walk.
const MAX_REFUSED: f64 = 0.5;

/// A recording that is going to be walked again.
pub(super) struct Recording {
    /// All takes that show the same motion.
    same: Vec<String>,
    /// `None` where all clips are of one person.
    actor: Option<String>,
    take: Take,
    recorded: RecordedPlan,
    climbs: bool,
    metrics: RecordingMetrics,
}

impl Recording {
    /// Refuses what is no walk, with the reason.
    pub(super) fn new(
        same: Vec<String>,
        actor: Option<String>,
        take: Take,
        options: &SegmentOptions,
    ) -> Result<Recording, String> {
        check_walk(&take, options)?;
        let recorded = recorded_plan(&take);
        let walking = walking_part(&take, &recorded);
        let metrics = RecordingMetrics::of(&take, walking.as_ref().unwrap_or(&take), &recorded.plan);
        let climbs = climbs(&take, options);
        Ok(Recording { same, actor, take, recorded, climbs, metrics })
    }

    /// Whether a database has steps of its actor.
    fn knows_actor(&self, database: &StepDatabase) -> bool {
        let is_known = |actor: &String| database.steps().iter().any(|step| step.source.actor() == actor);
        self.actor.as_ref().is_none_or(is_known)
    }
}

/// What recordings are walked with.
pub(super) struct Databases<'a> {
    pub(super) filtered: &'a StepDatabase,
    /// The same steps without the filter on entry, where the database was built of clips.
    pub(super) unfiltered: Option<&'a StepDatabase>,
}

/// What is left out of a database, and the recordings that are walked with the rest.
struct Task {
    split: Split,
    recordings: Vec<usize>,
}

/// Walks all recordings again. The result is in their order.
pub(super) fn evaluate_recordings(
    databases: &Databases<'_>,
    recordings: &[Recording],
    options: &EvaluateOptions,
    context: &JobContext,
) -> Result<Vec<ClipEvaluation>, JobError> {
    let tasks = tasks_of(recordings);
    let next = AtomicUsize::new(0);
    let results: Mutex<BTreeMap<(usize, Split), Result<SplitEvaluation, String>>> = Mutex::new(BTreeMap::new());
    let work = || {
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            let Some(task) = tasks.get(number) else { return Ok(()) };
            context.advance(number as u64, tasks.len() as u64, &recordings[task.recordings[0]].same[0])?;
            let done = run_task(databases, recordings, task, options);
            results.lock().expect("no worker fails").extend(done);
        }
    };
    let n_threads = std::thread::available_parallelism().map_or(1, std::num::NonZero::get).min(tasks.len()).max(1);
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..n_threads).map(|_| scope.spawn(work)).collect();
        let ended = workers.into_iter().map(|worker| match worker.join() {
            Ok(result) => result,
            Err(panic) => std::panic::resume_unwind(panic),
        });
        ended.collect::<Result<Vec<()>, JobError>>()
    })?;
    let mut results = results.into_inner().expect("no worker fails");
    let evaluation = |(index, recording): (usize, &Recording)| ClipEvaluation {
        n_footprints: recording.recorded.plan.footprints.len(),
        climbs: recording.climbs,
        recording: recording.metrics.motion,
        known: results.remove(&(index, Split::ActorKnown)).unwrap_or_else(|| Err("was not evaluated".to_string())),
        unknown: results.remove(&(index, Split::ActorUnknown)),
        motions: options.keeps_motions.then(|| (recording.take.clone(), recording.recorded.plan.clone())),
    };
    Ok(recordings.iter().enumerate().map(evaluation).collect())
}

/// One for each recording, and one for each actor.
fn tasks_of(recordings: &[Recording]) -> Vec<Task> {
    let known = (0..recordings.len()).map(|index| Task { split: Split::ActorKnown, recordings: vec![index] });
    let mut of_actor: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (index, recording) in recordings.iter().enumerate() {
        if let Some(actor) = &recording.actor {
            of_actor.entry(actor).or_default().push(index);
        }
    }
    // The longest first, so that no thread is left with it at the end.
    let mut unknown: Vec<Task> =
        of_actor.into_values().map(|recordings| Task { split: Split::ActorUnknown, recordings }).collect();
    unknown.sort_by_key(|task| std::cmp::Reverse(task.recordings.len()));
    unknown.into_iter().chain(known).collect()
}

type TaskResult = ((usize, Split), Result<SplitEvaluation, String>);

fn run_task(
    databases: &Databases<'_>,
    recordings: &[Recording],
    task: &Task,
    options: &EvaluateOptions,
) -> Vec<TaskResult> {
    let first = &recordings[task.recordings[0]];
    let left_of = |database: &StepDatabase| match task.split {
        Split::ActorKnown => without_takes(database, &first.same.iter().map(String::as_str).collect::<Vec<_>>()),
        Split::ActorUnknown => without_actor(database, first.actor.as_deref().unwrap_or_default()),
    };
    let [rest, unfiltered] =
        [Some(databases.filtered), databases.unfiltered].map(|all| all.and_then(left_of).map(Arc::new));
    let walked = |&index: &usize| {
        let recording = &recordings[index];
        let outcome = match &rest {
            None => Err(format!("without {} steps too few are left", task.split.left_out())),
            Some(rest) if task.split == Split::ActorKnown && !recording.knows_actor(rest) => {
                Err("the database has no other clip of its actor".to_string())
            }
            Some(rest) => Ok(walk_again(rest, unfiltered.as_ref(), recording, task.split, options)),
        };
        ((index, task.split), outcome)
    };
    task.recordings.iter().map(walked).collect()
}

/// A recording's plan by every method, and with every ablation.
fn walk_again(
    rest: &Arc<StepDatabase>,
    unfiltered: Option<&Arc<StepDatabase>>,
    recording: &Recording,
    split: Split,
    options: &EvaluateOptions,
) -> SplitEvaluation {
    let keeps_motions = options.keeps_motions;
    let Recording { take, recorded, metrics, .. } = recording;
    // A known actor is named.
    let actor = recording.actor.as_ref().filter(|_| split == Split::ActorKnown);
    let steps_of = |rest: &Arc<StepDatabase>| {
        let style = actor.and_then(|actor| rest.find_style(actor));
        Steps { style, ..Steps::new(rest.clone(), options.walk) }
    };
    let (steps, unfiltered) = (steps_of(rest), unfiltered.map(steps_of));
    let own = actor.and_then(|actor| only_actor(rest, actor)).map(|own| steps_of(&Arc::new(own)));
    let (mut made, mut kept) = ([0; 4], None);
    let walks = Variant::all().map(|variant| {
        let steps = match variant {
            Variant::Ablation(Ablation::UnfilteredSteps) => {
                unfiltered.as_ref().ok_or("the database was not built of these clips")?
            }
            Variant::Ablation(Ablation::OwnClipsAlone) => {
                own.as_ref().ok_or("there are no steps of its actor, or too few for a database")?
            }
            _ => &steps,
        };
        let walked = reconstruct(steps, recorded, take, variant).map_err(|error| error.to_string())?;
        let is_main = variant == Method::StrideSpace.into();
        if is_main {
            made = steps_made(&walked.walk);
        }
        let metrics = WalkMetrics::of(&walked.walk.take, &recorded.plan, metrics);
        if is_main && keeps_motions {
            kept = Some(walked.walk.take.clone());
        }
        let surefoot_steps::Reconstruction { by_landing, plain_time, cost, .. } = walked;
        Ok(MethodWalk { by_landing, plain_time, cost, metrics })
    });
    // The paper counts the candidates of regions.
    let regions = WalkOptions { method: Method::Regions, ..options.walk };
    let mut candidates = CandidateStatistics::default();
    if let Ok(choices) = Steps::new(rest.clone(), regions).choices(&Arc::new(World::default()), &recorded.plan) {
        candidates.add(rest, &choices);
    }
    SplitEvaluation { walks, made, candidates, walk: kept }
}

/// Steps of each of [`StepOrigin::RECORDED`].
fn steps_made(walk: &Synthesis) -> [usize; 4] {
    StepOrigin::RECORDED.map(|origin| walk.report.n_of(origin))
}

/// Whether a take is no walk on level ground: most of its swings go up or down, or are no steps.
fn climbs(take: &Take, options: &SegmentOptions) -> bool {
    let Segments { steps, refused } = segment_steps(take, options);
    let refused = refused.iter().filter(|(_, reason)| *reason != Refusal::CutOff).count();
    let no_level_steps = steps.iter().filter(|step| !step.is_level()).count() + refused;
    no_level_steps as f64 > MAX_REFUSED * (steps.len() + refused) as f64
}

fn check_walk(take: &Take, options: &SegmentOptions) -> Result<(), String> {
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
        _ if segments.steps.is_empty() => Err("it has no complete step".to_string()),
        _ => Ok(()),
    }
}

/// The recording without long standing before and after.
fn walking_part(take: &Take, recorded: &RecordedPlan) -> Option<Take> {
    let margin = (MARGIN * take.clip.frame_rate).round() as usize;
    let landings = || recorded.landings.iter().map(|landing| landing.ceil() as usize);
    let (first, last) = (landings().min(), landings().max());
    let from = first.map_or(0, |first| first.saturating_sub(margin));
    let to = last.map_or(take.clip.n_frames(), |last| (last + margin).min(take.clip.n_frames()));
    slice_take(take, from..to).ok()
}
