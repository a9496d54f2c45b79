//! A plan of all behaviours becomes frames.
//!
//! 1. What leads to each footprint is decided (`decide_behaviours`), and with it the stretches that are walked (`walk_stretches`).
//! 2. Footprints without times get them: those of walks from the recorded steps that suit, those of flights from what a jump or a run
//!    over such a distance and height takes. Around changes of behaviour, walked steps get those of recorded people's speeds (`follow_speeds`).
//! 3. Gait moves over the complete plan in these times: runs, jumps, hops, and the steps before and after them.
//! 4. Where flights were recorded, gait's get their postures (`shape_flights`).
//! 5. Recorded steps walk the stretches, in the times that gait has them.
//! 6. While the first and the last foot of a stretch swings, one body goes over into the other. Both plant the same feet in the same places
//!    at the same times, so that what is planted stays. The share is smooth, and zero and one with zero rate at the ends of the swing, so
//!    that posture and rates are continuous.
//! 7. Feet that land on their heels and soon take off again come down in time (`flatten_landings`), and all feet
//!    stay out of the ground (`clear_ground`).

use crate::choose_flights::FlightSelection;
use crate::clear_ground::clear_ground;
use crate::decide_behaviours::{PlannedBehaviour, labelled};
use crate::follow_speeds::follow_speeds;
use crate::recorded_flights::FlightLibrary;
use crate::shape_flights::shape_flights;
use crate::transition_graphs::TransitionGraphs;
use crate::walk_stretches::{WalkStretch, walk_stretches};
use std::sync::Arc;
use surefoot_contact::{Behaviour, FootPlan, Footprint};
use surefoot_gait::GaitSynthesizer;
use surefoot_geom::{rotation, smoothstep};
use surefoot_motion::{Pose, WorldPose};
use surefoot_plan::{
    FrameContacts, MAX_FRAMES, StepError, StepOrigin, StepOutcome, Stepper, Synthesizer, World, settle_plan,
};
use surefoot_steps::{LinearBody, LinearPose, Steps};

/// Double support of someone in motion who begins a stretch, in seconds, where nothing better is known.
const IN_MOTION: f64 = 0.12;
/// A rounding of a time must not cost a frame.
const ROUNDING: f64 = 1e-6;

/// A frame, and what is planted in it.
#[derive(Clone, Debug)]
pub(crate) struct ComposedFrame {
    pub(crate) pose: Pose,
    pub(crate) contacts: FrameContacts,
}

/// Frames of a plan, and what became of its footprints.
#[derive(Clone, Debug, Default)]
pub(crate) struct ComposedMotion {
    /// The footprints as they were stepped on.
    pub(crate) prints: Vec<Footprint>,
    pub(crate) frames: Vec<ComposedFrame>,
    /// The first of `prints[2]`.
    pub(crate) outcomes: Vec<StepOutcome>,
}

/// Who moves.
pub(crate) struct Movers<'a> {
    pub(crate) steps: &'a Steps,
    pub(crate) gait: &'a GaitSynthesizer,
    /// Whether recorded steps walk; else gait does.
    pub(crate) walks_recorded: bool,
    /// Recorded flights, if there are any.
    pub(crate) flights: Option<&'a FlightLibrary>,
    /// Which of them are blended.
    pub(crate) selection: FlightSelection,
    /// How speed changes with behaviours.
    pub(crate) transitions: &'a TransitionGraphs,
    /// Thigh plus shin, in metres.
    pub(crate) leg: f64,
}

/// The plan that synthesizers see.
pub(crate) fn labelled_plan(plan: &FootPlan, behaviours: &[PlannedBehaviour]) -> FootPlan {
    FootPlan { footprints: labelled(&plan.footprints, behaviours) }
}

/// Makes frames of a labelled plan.
pub(crate) fn compose_motion(
    movers: &Movers<'_>,
    world: &Arc<World>,
    labelled: &FootPlan,
    behaviours: &[PlannedBehaviour],
) -> Result<ComposedMotion, StepError> {
    let prints = settle_plan(labelled, world).footprints;
    let stretches = if movers.walks_recorded { walk_stretches(&prints, behaviours) } else { Vec::new() };
    let mut timed = prints.clone();
    for stretch in &stretches {
        if let Ok(walk) = drive(movers.steps, world, &sub_plan(&prints, stretch, None)) {
            take_times(&mut timed, stretch, &walk.outcomes);
        }
    }
    let mut motion = drive(movers.gait, world, &FootPlan { footprints: timed.clone() })?;
    let profile = movers.transitions.speed_profile(&prints, behaviours, movers.leg);
    if follow_speeds(&mut timed, &prints, behaviours, &profile, &motion) {
        // Times that gait has no step for stay as they were.
        motion = drive(movers.gait, world, &FootPlan { footprints: timed }).unwrap_or(motion);
    }
    name_behaviours(&mut motion.outcomes, behaviours);
    let body = movers.steps.database.body();
    let rate = movers.steps.options.frame_rate;
    let mut linear: Vec<LinearPose> = motion
        .frames
        .iter()
        .map(|frame| body.linearize(frame.pose.view(), &WorldPose::new(body.skeleton(), &frame.pose)))
        .collect();
    if let Some(library) = movers.flights {
        shape_flights(body, rate, (library, movers.selection), &prints, &mut motion, &mut linear);
    }
    for stretch in &stretches {
        let begins = motion.landing(stretch.pair[1]);
        let first_frame = (begins * rate - ROUNDING).ceil().max(0.0) as usize;
        let start = first_frame as f64 / rate;
        let plan = sub_plan(&prints, stretch, Some(&TimesOfGait { motion: &motion, start }));
        let Ok(walk) = drive(movers.steps, world, &plan) else { continue };
        hand_over(body, rate, &mut motion, &mut linear, stretch, first_frame, walk);
    }
    flatten_landings(rate, &motion, &prints, &mut linear);
    clear_ground(body, rate, &motion, &prints, world, &mut linear);
    let mut rotations = Vec::new();
    for (frame, linear) in motion.frames.iter_mut().zip(&linear) {
        body.rotations(linear, &mut rotations);
        body.write_pose(linear, &rotations, &mut frame.pose);
    }
    motion.prints = prints;
    Ok(motion)
}

/// Drives a synthesizer over a plan to its end.
fn drive(synthesizer: &dyn Synthesizer, world: &Arc<World>, plan: &FootPlan) -> Result<ComposedMotion, StepError> {
    let prepared = synthesizer.prepare(plan);
    let mut stepper: Stepper = synthesizer.start_plan(world.clone(), &prepared)?.without_checkpoints();
    let mut frames = Vec::new();
    let mut pose = stepper.skeleton().rest_pose();
    let rest = &prepared.footprints[2..];
    for index in 0..=rest.len() {
        match rest.get(index) {
            Some(print) => drop(stepper.push(print)?),
            None => stepper.finish()?,
        }
        while let Some(contacts) = stepper.next_frame(&mut pose) {
            if frames.len() == MAX_FRAMES {
                return Err(StepError::TooLong { limit: MAX_FRAMES });
            }
            frames.push(ComposedFrame { pose: pose.clone(), contacts });
        }
    }
    Ok(ComposedMotion { prints: Vec::new(), frames, outcomes: stepper.outcomes().to_vec() })
}

impl ComposedMotion {
    fn outcome(&self, footprint: usize) -> Option<&StepOutcome> {
        self.outcomes.get(footprint.checked_sub(2)?)
    }

    /// When a footprint is landed on; 0 for the standing feet.
    pub(crate) fn landing(&self, footprint: usize) -> f64 {
        self.outcome(footprint).map_or(0.0, |outcome| outcome.land)
    }
}

/// The times of a stretch as gait has them, from where it begins.
struct TimesOfGait<'a> {
    motion: &'a ComposedMotion,
    start: f64,
}

/// A stretch as a plan of its own, without behaviours.
fn sub_plan(prints: &[Footprint], stretch: &WalkStretch, times: Option<&TimesOfGait<'_>>) -> FootPlan {
    let indices = stretch.pair.into_iter().chain(stretch.pushes.clone());
    let footprints = indices.enumerate().map(|(at, index)| {
        let mut print = prints[index];
        if print.behaviour != Some(Behaviour::Stair) {
            print.behaviour = None;
        }
        let next = (at > 0).then_some(index + 1).filter(|next| stretch.pushes.contains(next));
        match times {
            Some(times) => {
                (print.land, print.leave, print.swing, print.support) = (None, None, None, None);
                if at >= 2 {
                    let outcome = &times.motion.outcomes[index - 2];
                    print.swing = Some(outcome.land - outcome.lift);
                }
                // The standing feet have landed before the first frame.
                let landed = times.motion.landing(index).max(times.start);
                print.support = next.map(|next| (times.motion.outcomes[next - 2].lift - landed).max(1e-3));
            }
            None if stretch.is_after_flight => {
                (print.land, print.leave) = (None, None);
                if at < 2 {
                    (print.swing, print.support) = (None, (at == 1).then_some(IN_MOTION));
                }
            }
            None => {}
        }
        print
    });
    FootPlan { footprints: footprints.collect() }
}

/// Gives footprints of a stretch that have no times those of the recorded steps.
fn take_times(timed: &mut [Footprint], stretch: &WalkStretch, outcomes: &[StepOutcome]) {
    let is_open = |print: &Footprint| print.land.is_none() && print.leave.is_none();
    if !stretch.pushes.clone().chain(stretch.pair).all(|index| is_open(&timed[index])) {
        return;
    }
    for (at, index) in stretch.pushes.clone().enumerate() {
        let outcome = &outcomes[at];
        let print = &mut timed[index];
        print.swing = print.swing.or(Some(outcome.land - outcome.lift));
        let support = outcomes.get(at + 1).map(|next| next.lift - outcome.land);
        print.support = print.support.or(support.filter(|support| *support > 0.0));
    }
}

/// Stairs are stairs, whoever climbs them.
fn name_behaviours(outcomes: &mut [StepOutcome], behaviours: &[PlannedBehaviour]) {
    for outcome in outcomes {
        let planned = behaviours[outcome.footprint].behaviour;
        if !outcome.behaviour.is_flight() && !planned.is_flight() {
            outcome.behaviour = planned;
        }
    }
}

/// Shares of a stance between which a foot that lands on its heel comes down, where it would come down later: over the middle 60 % of its
/// stance its ball is on its footprint, however soon it takes off again.
const COMES_DOWN: [f64; 2] = [0.02, 0.18];
/// A ball this far from its footprint is not there yet, in metres.
const OFF: f64 = 1e-6;

/// Brings feet down in time that land on their heels and soon take off again.
fn flatten_landings(rate: f64, motion: &ComposedMotion, prints: &[Footprint], linear: &mut [LinearPose]) {
    for (index, print) in prints.iter().enumerate().skip(2) {
        // Recorded steps bring their feet down themselves, but before a flight it is gait that lands.
        let is_before_flight = motion.outcome(index + 1).is_some_and(|next| next.behaviour.is_flight());
        let is_of_gait = |outcome: &&StepOutcome| is_before_flight || outcome.origin == StepOrigin::Procedural;
        let Some(land) = motion.outcome(index).filter(is_of_gait).map(|outcome| outcome.land) else { continue };
        let next = (index + 1..prints.len()).find(|&next| prints[next].side == print.side);
        let end = linear.len() as f64 / rate;
        let leave = next.and_then(|next| motion.outcome(next)).map_or(end, |outcome| outcome.lift);
        let at = |share: f64| land + share * (leave - land);
        let frame_at = |time: f64| ((time * rate - ROUNDING).ceil().max(0.0) as usize).min(linear.len());
        let (from, down, to) = (frame_at(land), frame_at(at(COMES_DOWN[1])), frame_at(at(0.5)));
        let is_there = |pose: &LinearPose| pose.feet[print.side].ball.distance(print.position) < OFF;
        let Some(there) = (down..to).find(|&frame| is_there(&linear[frame])) else { continue };
        if there == down {
            continue;
        }
        let flat = linear[there].feet[print.side].rotation;
        for (frame, pose) in linear.iter_mut().enumerate().take(there).skip(from) {
            let share = smoothstep((frame as f64 / rate - at(COMES_DOWN[0])) / (at(COMES_DOWN[1]) - at(COMES_DOWN[0])));
            let foot = &mut pose.feet[print.side];
            foot.ball = foot.ball.lerp(print.position, share);
            foot.rotation = foot.rotation.slerp(rotation::same_hemisphere(flat, foot.rotation), share);
        }
    }
}

/// Step 6.: puts the frames of a walk into the motion.
fn hand_over(
    body: &LinearBody,
    rate: f64,
    motion: &mut ComposedMotion,
    linear: &mut Vec<LinearPose>,
    stretch: &WalkStretch,
    first_frame: usize,
    walk: ComposedMotion,
) {
    let swing_of = |motion: &ComposedMotion, footprint: usize| {
        let outcome = &motion.outcomes[footprint - 2];
        [outcome.lift, outcome.land]
    };
    let opening = stretch.is_after_flight.then(|| swing_of(motion, stretch.pushes.start));
    let closing = stretch.is_before_flight.then(|| swing_of(motion, stretch.pushes.end - 1));
    let risen = |window: Option<[f64; 2]>, time: f64, open: f64| {
        window.map_or(open, |[from, to]| smoothstep((time - from) / (to - from).max(1e-3)))
    };
    if closing.is_none() {
        motion.frames.truncate(first_frame + walk.frames.len());
        linear.truncate(first_frame + walk.frames.len());
    }
    for (at, frame) in walk.frames.into_iter().enumerate() {
        let index = first_frame + at;
        let time = index as f64 / rate;
        let share = risen(opening, time, 1.0) * (1.0 - risen(closing, time, 0.0));
        if share <= 0.0 {
            continue;
        }
        let own = body.linearize(frame.pose.view(), &WorldPose::new(body.skeleton(), &frame.pose));
        if index >= linear.len() {
            linear.push(own);
            motion.frames.push(frame);
            continue;
        }
        if share >= 1.0 {
            linear[index] = own;
            motion.frames[index] = frame;
        } else {
            linear[index].mix(&own, share);
            if share >= 0.5 {
                motion.frames[index].contacts = frame.contacts;
            }
        }
    }
    let start = first_frame as f64 / rate;
    for (at, index) in stretch.pushes.clone().enumerate() {
        let own = &walk.outcomes[at];
        let of = &mut motion.outcomes[index - 2];
        let behaviour = of.behaviour;
        *of =
            StepOutcome { footprint: index, behaviour, lift: own.lift + start, land: own.land + start, ..own.clone() };
    }
}
