//! One step of either gait, from the moment that the last one left.

use super::Gait;
use super::manner::{MAX_FLIGHT, MIN_FLIGHT, Manner};
use super::moment::{FootState, Moment};
use super::plan_run::{RunOutline, RunStep, decide_flight, outline_run, plan_run};
use super::plan_walk::{WalkStep, plan_walk};
use super::stand::Stand;
use super::step::{Ground, Step};
use surefoot_motion::BodyProportions;
use surefoot_motion::Side;

/// Seconds with both feet down before the first step from standing: the weight goes over to the foot that stays.
pub(super) const STARTING: f64 = 0.45;

/// Seconds in which a body comes to rest after its last step.
pub(super) const SETTLING: f64 = 0.7;

/// Of a step at the same pace, how long the foot swings in it.
pub(super) const FIRST_SWING: f64 = 0.85;

/// What a step shall do.
#[derive(Clone, Copy, Debug)]
pub(super) struct StepRequest {
    /// What follows the step: a double support or a flight.
    pub(super) gait: Gait,
    /// The foot that swings.
    pub(super) side: Side,
    pub(super) to: Stand,
    /// The footprint after that; `None` if the person stands then.
    pub(super) then: Option<Stand>,
    /// Seconds from landing to landing.
    pub(super) duration: f64,
    /// Seconds with both feet down at its start, if the foot that swings stands.
    pub(super) both_down: f64,
    /// Seconds with both feet down, or in the air, at its end.
    pub(super) overlap: f64,
    /// Of a running step, seconds in the air where [`outline_leap`] decided them already.
    pub(super) flight: Option<f64>,
}

impl StepRequest {
    fn run_step<'a>(&self, from: &Moment, manner: &'a Manner) -> RunStep<'a> {
        let StepRequest { side, to, then, duration, both_down, overlap, .. } = *self;
        let flight = overlap.clamp(MIN_FLIGHT, MAX_FLIGHT * duration);
        let here = from.feet[side.opposite()].stand().ball;
        let effort = (to.ball.distance(here) / manner.run.parameters.step_length).clamp(0.2, 1.0);
        let attributes = &manner.run.attributes;
        let height = manner.run.parameters.flight_height;
        RunStep { side, to, then, duration, flight, height, both_down, effort, attributes }
    }
}

/// The flight of a running step, before the footprint after it is known.
pub(super) fn outline_leap(
    build: &BodyProportions,
    from: &Moment,
    request: &StepRequest,
    manner: &Manner,
) -> RunOutline {
    outline_run(build, from, &request.run_step(from, manner))
}

pub(super) fn take_step(
    build: &BodyProportions,
    ground: &Ground<'_>,
    from: &Moment,
    request: &StepRequest,
    manner: &Manner,
) -> (Step, Moment) {
    match request.gait {
        Gait::Walk => {
            let StepRequest { side, to, then, duration, both_down, overlap, .. } = *request;
            let attributes = &manner.walk.attributes;
            let step = WalkStep { side, to, then, duration, both_down, next_both_down: overlap, attributes };
            plan_walk(build, ground, from, &step)
        }
        Gait::Run => {
            let step = request.run_step(from, manner);
            let flight = request.flight.unwrap_or_else(|| decide_flight(build, from, &step));
            plan_run(build, ground, from, &RunStep { flight, ..step })
        }
    }
}

/// Whether the foot that is to swing still stands.
pub(super) fn is_down(moment: &Moment, side: Side) -> bool {
    matches!(moment.feet[side], FootState::Down { .. })
}
