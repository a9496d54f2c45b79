//! A complete plan through a stepper: the take, and the report on it.

use crate::stepper::{StepError, Synthesizer};
use crate::synthesis_report::{SynthesisReport, report_synthesis};
use crate::world::World;
use std::sync::Arc;
use surefoot_contact::{Contacts, FootPlan, Take};
use surefoot_motion::{Clip, Poses, Side};

/// Most frames of a take in memory: more than an hour at 60 frames a second. Longer motions are for a stepper, which keeps a
/// few steps at a time.
pub const MAX_FRAMES: usize = 250_000;

/// What came of a plan.
#[derive(Clone, Debug)]
pub struct Synthesis {
    /// The motion with its plants.
    pub take: Take,
    /// Every footprint, the motion, and a verdict.
    pub report: SynthesisReport,
}

/// Makes motion of a plan, from standing to standing, and measures it.
pub fn synthesize(
    synthesizer: &dyn Synthesizer,
    world: &Arc<World>,
    plan: &FootPlan,
    name: &str,
) -> Result<Synthesis, StepError> {
    let [first, second, rest @ ..] = &plan.footprints[..] else {
        return Err(StepError::NoSteps { found: plan.footprints.len() });
    };
    if rest.is_empty() {
        return Err(StepError::NoSteps { found: plan.footprints.len() });
    }
    let mut stepper = synthesizer.start(world.clone(), [*first, *second])?.without_checkpoints();
    let mut pose = stepper.skeleton().rest_pose();
    let (mut poses, mut contacts) = (Poses::default(), Contacts::none(0));
    for index in 0..=rest.len() {
        match rest.get(index) {
            Some(print) => drop(stepper.push(print)?),
            None => stepper.finish(),
        }
        while let Some(frame) = stepper.next_frame(&mut pose) {
            if poses.len() == MAX_FRAMES {
                return Err(StepError::TooLong { limit: MAX_FRAMES });
            }
            frame.mark(&mut contacts, poses.len());
            poses.push(&pose);
        }
    }
    contacts.n_frames = poses.len();
    for side in Side::BOTH {
        contacts.plants[side].sort_by_key(|plant| (plant.frames.start, plant.frames.end));
    }
    let (skeleton, frame_rate) = (stepper.skeleton().clone(), stepper.frame_rate());
    let body = stepper.body().clone();
    let take = Take { clip: Clip::new(name, skeleton, frame_rate, poses), body, contacts };
    let settled = FootPlan { footprints: stepper.footprints().to_vec() };
    let report = report_synthesis(synthesizer.name(), &settled, world, stepper.outcomes(), &take);
    Ok(Synthesis { take, report })
}

/// Feet this near to each other are together, at the ends of a plan that gives no times there, in metres: nearer than feet
/// are in walking.
const STANDING_APART: f64 = 0.4;
/// Double support of someone who stands before or after a walk, in seconds.
const STANDING: f64 = 0.45;

/// The plan with double supports as of standing at its ends, where feet are side by side and nothing was asked for: steps
/// that start and stop are taken there.
pub fn stand_at_ends(plan: &FootPlan) -> FootPlan {
    let mut plan = plan.clone();
    let prints = &mut plan.footprints;
    let n = prints.len();
    if n < 2 {
        return plan;
    }
    let is_open = |index: usize| prints[index].land.is_none() && prints[index].leave.is_none();
    let side_by_side = |a: usize, b: usize| prints[a].position.distance(prints[b].position) < STANDING_APART;
    let starts = side_by_side(0, 1) && is_open(0) && is_open(1);
    let stops = side_by_side(n - 2, n - 1) && is_open(n - 1);
    if starts && prints[0].support.is_none() {
        prints[1].support = prints[1].support.or(Some(STANDING));
    }
    if stops {
        prints[n - 1].support = prints[n - 1].support.or(Some(STANDING));
    }
    plan
}
