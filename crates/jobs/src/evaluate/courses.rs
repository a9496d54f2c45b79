//! Runs, jumps, hops and stairs of recordings, made again by composers that have not seen their actors.
//!
//! Beside the composer of recorded steps and flights, the most alike recording alone and gait without any recording make the same plans.

use super::{Better, Distribution, EvaluateOptions};
use crate::job_context::JobContext;
use crate::job_error::JobError;
use std::collections::BTreeMap;
use std::sync::Arc;
use surefoot_compose::{
    BehaviourClip, BehaviourDatabase, ComposeSynthesizer, CourseStepErrors, FlightLibrary, FlightSelection, Recogniser,
    RecogniserOptions, RecordedCourse, reconstruct_course, segment_behaviours,
};
use surefoot_contact::{Behaviour, Take};
use surefoot_gait::Rig;
use surefoot_geom::map_in_parallel;
use surefoot_steps::{Method, Region, StepDatabase, Steps, WalkOptions, actor_of, without_actor};

/// Who makes a plan that is no level walk.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum CourseMethod {
    /// Recorded steps and flights, blended.
    Composed,
    /// The most alike recorded step or flight, pulled to its place.
    Nearest,
    /// Gait, without any recording.
    Procedural,
}

impl CourseMethod {
    /// In the order in which they are printed.
    pub const ALL: [CourseMethod; 3] = [CourseMethod::Composed, CourseMethod::Nearest, CourseMethod::Procedural];

    /// A few words for it.
    pub fn name(self) -> &'static str {
        match self {
            CourseMethod::Composed => "recordings blended",
            CourseMethod::Nearest => "nearest recording",
            CourseMethod::Procedural => "procedural",
        }
    }
}

/// What is compared, in the order in which it is printed.
const BEHAVIOURS: [Behaviour; 4] = [Behaviour::Run, Behaviour::Jump, Behaviour::Hop, Behaviour::Stair];

/// A clip that runs, jumps, hops or climbs.
#[derive(Clone, Debug)]
pub struct EvaluatedCourse {
    /// Of its take in the database.
    pub name: String,
    /// Of each of [`CourseMethod::ALL`], or why there is no motion.
    pub made: [Result<Vec<CourseStepErrors>, String>; 3],
}

/// A behaviour by a method, over the clips that have it.
#[derive(Clone, Debug, PartialEq)]
pub struct CourseErrors {
    /// Run, jump, hop or stair.
    pub behaviour: Behaviour,
    /// Who made it.
    pub method: CourseMethod,
    /// Means of the clips, in metres.
    pub spread: Distribution,
    /// Means of the clips' means, in the order of [`Region::ALL`].
    pub regions: [f64; Region::ALL.len()],
    /// Steps in all.
    pub n_steps: usize,
    /// Of these, made of recordings.
    pub n_recorded: usize,
}

/// Errors of each behaviour by each method; of clips that all methods made.
pub(crate) fn course_errors(courses: &[EvaluatedCourse]) -> Vec<CourseErrors> {
    let made_by_all = courses.iter().filter(|course| course.made.iter().all(Result::is_ok));
    let made_by_all: Vec<&EvaluatedCourse> = made_by_all.collect();
    let errors = BEHAVIOURS.into_iter().flat_map(|behaviour| {
        let made_by_all = &made_by_all;
        CourseMethod::ALL.into_iter().enumerate().filter_map(move |(at, method)| {
            let of_clips = made_by_all.iter().map(|course| {
                let steps = course.made[at].iter().flatten();
                steps.filter(|step| step.behaviour == behaviour && step.errors.n_frames > 0).collect::<Vec<_>>()
            });
            let of_clips: Vec<Vec<&CourseStepErrors>> = of_clips.filter(|steps| !steps.is_empty()).collect();
            let mean = |steps: &[&CourseStepErrors], of: &dyn Fn(&CourseStepErrors) -> f64| {
                steps.iter().map(|step| of(step)).sum::<f64>() / steps.len() as f64
            };
            let all: Vec<f64> = of_clips.iter().map(|steps| mean(steps, &|step| step.errors.all)).collect();
            let region = |k: usize| {
                let sum: f64 = of_clips.iter().map(|steps| mean(steps, &|step| step.errors.by_region[k])).sum();
                sum / of_clips.len() as f64
            };
            Some(CourseErrors {
                behaviour,
                method,
                spread: Distribution::of(&all, Better::Small)?,
                regions: std::array::from_fn(region),
                n_steps: of_clips.iter().map(Vec::len).sum(),
                n_recorded: of_clips.iter().flatten().filter(|step| step.is_recorded).count(),
            })
        })
    });
    errors.collect()
}

/// A clip on the common skeleton that is no level walk, or not only one.
pub(super) struct CourseClip {
    name: String,
    take: Take,
    course: RecordedCourse,
    behaviours: BehaviourClip,
}

impl CourseClip {
    /// `None` of a clip that neither flies nor climbs.
    pub(super) fn new(name: &str, take: &Take) -> Option<CourseClip> {
        let segmentation = segment_behaviours(take);
        let course = RecordedCourse::new(take, &segmentation)?;
        let behaviours = BehaviourClip {
            name: name.to_string(),
            actor: actor_of(name).to_string(),
            frame_rate: take.clip.frame_rate,
            n_frames: take.clip.n_frames(),
            leg_length: take.body.leg_length(&take.clip.skeleton),
            segmentation,
        };
        Some(CourseClip { name: name.to_string(), take: take.clone(), course, behaviours })
    }
}

/// Makes all courses again, each without the recordings of its actor. The result is in their order.
pub(super) fn evaluate_courses(
    database: &StepDatabase,
    flights: &FlightLibrary,
    clips: &[CourseClip],
    options: &EvaluateOptions,
    context: &JobContext,
) -> Result<Vec<EvaluatedCourse>, JobError> {
    let Some(recogniser) = given_alone(clips) else { return Ok(Vec::new()) };
    let mut of_actor: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (index, clip) in clips.iter().enumerate() {
        of_actor.entry(&clip.behaviours.actor).or_default().push(index);
    }
    let actors: Vec<(&str, Vec<usize>)> = of_actor.into_iter().collect();
    let made = map_in_parallel(&actors, |(actor, indices)| -> Result<_, JobError> {
        context.check()?;
        let rest = without_actor(database, actor).map(Arc::new);
        let flights = flights.without_actor(actor);
        let make = |&index: &usize| {
            let clip = &clips[index];
            let made = CourseMethod::ALL.map(|method| {
                let rest = rest.as_ref().ok_or("without its actor's steps too few are left")?;
                let composer = composer(rest, &flights, &recogniser, (method, clip), &options.walk)?;
                let body = rest.body().body();
                reconstruct_course(&composer, &clip.course, &clip.take, body).map_err(|error| error.to_string())
            });
            (index, EvaluatedCourse { name: clip.name.clone(), made })
        };
        Ok(indices.iter().map(make).collect::<Vec<_>>())
    });
    let made: Vec<Vec<(usize, EvaluatedCourse)>> = made.into_iter().collect::<Result<_, _>>()?;
    let mut made: Vec<(usize, EvaluatedCourse)> = made.into_iter().flatten().collect();
    made.sort_by_key(|(index, _)| *index);
    Ok(made.into_iter().map(|(_, course)| course).collect())
}

/// What leads to each footprint is known: a small model will do. `None` if there is nothing to learn from.
fn given_alone(clips: &[CourseClip]) -> Option<Arc<Recogniser>> {
    let behaviours = BehaviourDatabase::new(clips.iter().map(|clip| clip.behaviours.clone()).collect()).ok()?;
    let options = RecogniserOptions { n_trees: 10, n_variants: 0, n_constructed: 20, ..RecogniserOptions::default() };
    Recogniser::learn(&behaviours, &options).map(|recogniser| Arc::new(recogniser.taking_unlearned()))
}

fn composer(
    rest: &Arc<StepDatabase>,
    flights: &FlightLibrary,
    recogniser: &Arc<Recogniser>,
    (method, clip): (CourseMethod, &CourseClip),
    walk: &WalkOptions,
) -> Result<ComposeSynthesizer, String> {
    let walks = if method == CourseMethod::Nearest { Method::PinnedNearest } else { walk.method };
    let options = WalkOptions { frame_rate: clip.take.clip.frame_rate, method: walks, ..*walk };
    let steps = Steps::new(rest.clone(), options);
    let body = rest.body();
    let rig = Rig::new(body.skeleton(), body.body(), &rest.typical_poses()).map_err(|error| error.to_string())?;
    let composer = ComposeSynthesizer::new(steps, rig, recogniser.clone());
    if method == CourseMethod::Procedural {
        return Ok(composer.of_gait());
    }
    let composer = composer.with_flights(flights.clone()).ok_or("its recorded flights are of another body")?;
    Ok(match method {
        CourseMethod::Nearest => composer.with_flight_selection(FlightSelection::Nearest),
        CourseMethod::Composed | CourseMethod::Procedural => composer,
    })
}
