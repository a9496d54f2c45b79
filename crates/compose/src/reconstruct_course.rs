//! How near runs, jumps, hops and stairs that are made from their footprints come to recordings that nobody has seen.
//!
//! Reference: the reconstruction of STRIDE chapter 7, for everything that is no level walk.
//!
//! 1. A recording's footprints, with their times and what leads to each, become a plan ([`RecordedCourse`]).
//! 2. The plan is animated by a composer without the recordings of its actor.
//! 3. Each step is laid over the recording, landing on landing, and compared joint by joint: a flight from the stance that it takes off from
//!    to the end of the stance that it lands in, of which the [`LONGEST`] part next to the flight counts; a stair from where the foot
//!    leaves to where the other one does.
//!
//! Level walks are compared elsewhere, by the same joints and the same map of times.

use crate::compose_synthesizer::ComposeSynthesizer;
use crate::recorded_flights::LONGEST;
use crate::segment_behaviours::{LabelledStance, Segmentation};
use std::ops::Range;
use std::sync::Arc;
use surefoot_contact::{Behaviour, FootPlan, FootTracks, Footprint, Take, level_heights};
use surefoot_geom::{Vec3, direction_heading};
use surefoot_motion::BodyMap;
use surefoot_plan::{StepError, StepOrigin, World, synthesize};
use surefoot_steps::{RecordedPlan, RegionErrors, compare_joints, landing_time_map};

/// Places whose heights differ by less are on one level, in metres: below the lowest stair.
const LEVEL: f64 = 0.06;
/// Shortest double support, in seconds: what is no flight has one.
const SHORTEST: f64 = 1e-3;

/// The footprints of a recording, and its runs, jumps, hops and stairs.
#[derive(Clone, Debug, PartialEq)]
pub struct RecordedCourse {
    /// The plan, and when its feet landed.
    pub recorded: RecordedPlan,
    /// What is compared.
    pub steps: Vec<CourseStep>,
}

/// A run, jump, hop or stair of a recording.
#[derive(Clone, Debug, PartialEq)]
pub struct CourseStep {
    /// What it is.
    pub behaviour: Behaviour,
    /// The footprint that it first lands on: an index.
    pub landing: usize,
    /// Frames of the recording that are compared.
    pub frames: Range<usize>,
}

/// How near a step comes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CourseStepErrors {
    /// What it is.
    pub behaviour: Behaviour,
    /// Whether recordings were blended; else gait made it.
    pub is_recorded: bool,
    /// Joints against the recording's.
    pub errors: RegionErrors,
}

impl RecordedCourse {
    /// Of a recording that was cut into stances. `None` if nothing of it is compared, or if it does not begin with a stance of each foot.
    pub fn new(take: &Take, of: &Segmentation) -> Option<RecordedCourse> {
        let mut stances: Vec<&LabelledStance> = of.stances.iter().collect();
        let begins = |stance: &LabelledStance| stance.frames.start == 0;
        stances.sort_by_key(|stance| if begins(stance) { (0, stance.frames.end) } else { (stance.frames.start, 0) });
        if stances.len() < 3 || stances[0].side == stances[1].side {
            return None;
        }
        let steps = compared_steps(&stances, of, take);
        if steps.is_empty() {
            return None;
        }
        let mut heights: Vec<f64> = stances.iter().map(|stance| stance.ball.y).collect();
        level_heights(heights.iter_mut().collect(), LEVEL);
        let (rate, n_frames) = (take.clip.frame_rate, take.clip.n_frames());
        let tracks = FootTracks::new(take);
        let footprint = |index: usize| {
            let stance = stances[index];
            let middle = ((stance.frames.start + stance.frames.end) / 2).min(n_frames - 1);
            let foot = tracks.balls[stance.side][middle] - tracks.heels[stance.side][middle];
            let position = Vec3::new(stance.ball.x, heights[index], stance.ball.z);
            let print = Footprint {
                heading: direction_heading(Vec3::new(foot.x, 0.0, foot.z)),
                ..Footprint::at(stance.side, position)
            };
            if index < 2 {
                return print;
            }
            let before = previous(&stances, index);
            let swing = before.map(|before| stance.frames.start.saturating_sub(before.frames.end).max(1) as f64 / rate);
            let support = support(&stances, index, n_frames, rate);
            Footprint { swing, support, behaviour: stance.label.behaviour(), ..print }
        };
        let footprints = (0..stances.len()).map(footprint).collect();
        let landings = stances[2..].iter().map(|stance| stance.frames.start as f64).collect();
        Some(RecordedCourse { recorded: RecordedPlan { plan: FootPlan { footprints }, landings }, steps })
    }
}

/// The foot's stance before.
fn previous<'a>(stances: &[&'a LabelledStance], index: usize) -> Option<&'a LabelledStance> {
    stances[..index].iter().rev().find(|other| other.side == stances[index].side).copied()
}

fn compared_steps(stances: &[&LabelledStance], of: &Segmentation, take: &Take) -> Vec<CourseStep> {
    let n_frames = take.clip.n_frames();
    let longest = (LONGEST * take.clip.frame_rate) as usize;
    let mut steps = Vec::new();
    for (landing, stance) in stances.iter().enumerate().skip(2) {
        let Some(behaviour) = stance.label.behaviour() else { continue };
        let frames = match stance.flight {
            Some(index) if behaviour.is_flight() => {
                let is_known = stances[..landing].iter().any(|other| other.flight == Some(index));
                if is_known {
                    continue;
                }
                let flight = &of.flights[index];
                let leaves = |stance: &&&LabelledStance| {
                    flight.take_off.has(stance.side) && stance.frames.start < flight.frames.start
                };
                let touch = stances[..landing].iter().filter(leaves).map(|stance| stance.frames.start).max();
                let lands = |stance: &&&LabelledStance| stance.flight == Some(index);
                let leave = stances.iter().filter(lands).map(|stance| stance.frames.end).min();
                let [from, to] = [flight.frames.start, flight.frames.end];
                touch.unwrap_or(from).max(from.saturating_sub(longest))..leave.unwrap_or(to).min(to + longest)
            }
            None if behaviour == Behaviour::Stair => {
                let Some(before) = previous(stances, landing) else { continue };
                let other = stances[..landing].iter().rev().find(|other| other.side != stance.side);
                let end = other.map_or(stance.frames.start, |other| other.frames.end.max(stance.frames.start));
                before.frames.end.max(stance.frames.start.saturating_sub(2 * longest))
                    ..end.min(stance.frames.start + longest)
            }
            _ => continue,
        };
        steps.push(CourseStep { behaviour, landing, frames: frames.start..frames.end.min(n_frames) });
    }
    steps
}

/// Seconds with both feet planted after landing; 0 after a flight, `None` where the clip does not show it.
fn support(stances: &[&LabelledStance], index: usize, n_frames: usize, rate: f64) -> Option<f64> {
    let stance = stances[index];
    if stance.flight.is_some() && stances[..index].iter().all(|other| other.flight != stance.flight) {
        return Some(0.0);
    }
    let other = stances[..index].iter().rev().find(|other| other.side != stance.side)?;
    let end = other.frames.end.min(stance.frames.end);
    (end < n_frames).then(|| ((end as f64 - stance.frames.start as f64) / rate).max(SHORTEST))
}

/// Animates a recording's plan and compares its steps with the recording, whose skeleton is the composer's; in the order of
/// [`RecordedCourse::steps`]. The composer has the recording's frame rate.
pub fn reconstruct_course(
    composer: &ComposeSynthesizer,
    course: &RecordedCourse,
    take: &Take,
    body: &BodyMap,
) -> Result<Vec<CourseStepErrors>, StepError> {
    let rate = take.clip.frame_rate;
    let motion = synthesize(composer, &Arc::new(World::default()), &course.recorded.plan, "compose")?;
    let frame_of = landing_time_map(&course.recorded, &motion.report, rate);
    let (made, real) = (motion.take.clip.world(), take.clip.world());
    let errors = course.steps.iter().map(|step| {
        let within = |frame: &f64| *frame >= step.frames.start as f64 && *frame < step.frames.end as f64;
        let errors = compare_joints(&made, &real, (&take.clip, body), |frame| {
            Some(frame_of(frame as f64 / rate)).filter(within)
        });
        let is_recorded = motion.report.footprints[step.landing].origin != StepOrigin::Procedural;
        CourseStepErrors { behaviour: step.behaviour, is_recorded, errors }
    });
    Ok(errors.collect())
}
