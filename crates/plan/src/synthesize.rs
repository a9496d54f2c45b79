//! A complete plan through a stepper: the take, and the report on it.

use crate::check_plan::settle_plan;
use crate::stepper::{StepError, StepOutcome, Stepper, Synthesizer};
use crate::synthesis_report::{SynthesisReport, report_synthesis};
use crate::world::World;
use std::sync::Arc;
use surefoot_contact::{Contacts, FootPlan, Footprint, Take};
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

/// A motion of a plan that nobody has measured yet.
#[derive(Clone, Debug)]
pub struct PlannedTake {
    /// The motion with its plants.
    pub take: Take,
    /// The footprints as they were stepped on, with the terrain's normals; where the motion ends before it comes to rest, with the
    /// times at which the last ones are left.
    pub plan: FootPlan,
    /// What became of the steps, the first of `plan.footprints[2]`.
    pub outcomes: Vec<StepOutcome>,
}

/// Makes motion of a plan, from standing to standing, and measures it.
pub fn synthesize(
    synthesizer: &dyn Synthesizer,
    world: &Arc<World>,
    plan: &FootPlan,
    name: &str,
) -> Result<Synthesis, StepError> {
    let PlannedTake { take, plan, outcomes } = synthesize_take(synthesizer, world, plan, name)?;
    let report = report_synthesis(synthesizer.name(), &plan, world, &outcomes, &take);
    Ok(Synthesis { take, report })
}

/// Makes motion of a plan, from standing to standing, without measuring it.
pub fn synthesize_take(
    synthesizer: &dyn Synthesizer,
    world: &Arc<World>,
    plan: &FootPlan,
    name: &str,
) -> Result<PlannedTake, StepError> {
    Ok(run_plan(synthesizer, world, plan, name, Stepper::without_checkpoints)?.0)
}

/// [`synthesize_take`] for editors: with the stepper that made the motion, which keeps its checkpoints. All its frames were read.
pub fn synthesize_to_edit(
    synthesizer: &dyn Synthesizer,
    world: &Arc<World>,
    plan: &FootPlan,
    name: &str,
) -> Result<(PlannedTake, Stepper), StepError> {
    run_plan(synthesizer, world, plan, name, |stepper| stepper)
}

fn run_plan(
    synthesizer: &dyn Synthesizer,
    world: &Arc<World>,
    plan: &FootPlan,
    name: &str,
    kept: impl FnOnce(Stepper) -> Stepper,
) -> Result<(PlannedTake, Stepper), StepError> {
    let prepared = synthesizer.prepare(plan);
    let rest = prepared.footprints.get(2..).unwrap_or_default();
    if rest.is_empty() {
        return Err(StepError::NoSteps { found: plan.footprints.len() });
    }
    // Before anything is chosen over the plan, which takes time and memory for each footprint.
    if least_seconds(rest) * synthesizer.frame_rate() > MAX_FRAMES as f64 {
        return Err(StepError::TooLong { limit: MAX_FRAMES });
    }
    let mut stepper = kept(synthesizer.start_plan(world.clone(), &prepared)?);
    let mut pose = stepper.skeleton().rest_pose();
    let (mut poses, mut contacts) = (Poses::default(), Contacts::none(0));
    for index in 0..=rest.len() {
        match rest.get(index) {
            Some(print) => drop(stepper.push(print)?),
            None => stepper.finish()?,
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
    // Targets are those that were asked for, not what a synthesizer added to them.
    let mut plan = settle_plan(plan, world);
    for (side, leave) in stepper.leaves_after_end().iter() {
        let last = plan.footprints.iter_mut().rfind(|print| print.side == side);
        if let (Some(last), Some(leave)) = (last, leave) {
            last.leave = Some(*leave);
        }
    }
    Ok((PlannedTake { take, plan, outcomes: stepper.outcomes().to_vec() }, stepper))
}

/// Nobody takes a step in less, in seconds.
const SHORTEST_STEP: f64 = 0.15;

/// Seconds that a plan takes at least, as far as it is timed by itself: known before any frame is made.
fn least_seconds(prints: &[Footprint]) -> f64 {
    let relative: f64 =
        prints.iter().map(|print| (print.swing.unwrap_or(0.0) + print.support.unwrap_or(0.0)).max(SHORTEST_STEP)).sum();
    prints.iter().filter_map(|print| print.land).fold(relative, f64::max)
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
    if let [first, second, ..] = &mut plan.footprints[..] {
        [*first, *second] = stand_at_start([*first, *second]);
    }
    if let [.., before, last] = &mut plan.footprints[..]
        && are_side_by_side(before, last)
        && is_untimed(last)
    {
        last.support = last.support.or(Some(STANDING));
    }
    plan
}

/// The standing feet with the double support of someone who stands, where they are side by side and nothing was asked for.
pub fn stand_at_start([first, mut second]: [Footprint; 2]) -> [Footprint; 2] {
    let is_open = is_untimed(&first) && is_untimed(&second) && first.support.is_none();
    if is_open && are_side_by_side(&first, &second) {
        second.support = second.support.or(Some(STANDING));
    }
    [first, second]
}

fn are_side_by_side(a: &Footprint, b: &Footprint) -> bool {
    a.position.distance(b.position) < STANDING_APART
}

/// Whether no absolute time is asked for.
fn is_untimed(print: &Footprint) -> bool {
    print.land.is_none() && print.leave.is_none()
}
