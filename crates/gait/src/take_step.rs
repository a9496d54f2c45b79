//! One step of either gait, from the state that the last one left.

use super::Gait;
use super::body_state::{BodyState, FootState};
use super::foot_plant::FootPlant;
use super::gait_settings::{GaitSettings, MAX_FLIGHT, MIN_FLIGHT};
use super::plan_run::{RunOutline, RunStep, decide_flight, outline_run, plan_run};
use super::plan_walk::{WalkStep, plan_walk};
use super::step::{Ground, Step};
use surefoot_motion::BodyProportions;
use surefoot_motion::Side;

/// Seconds of double support before the first step from standing: the weight goes over to the stance foot.
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
    pub(super) to: FootPlant,
    /// The footprint after that; `None` if the person stands then.
    pub(super) then: Option<FootPlant>,
    /// Seconds from landing to landing.
    pub(super) duration: f64,
    /// Seconds of double support at its start, if the foot that swings is planted.
    pub(super) double_support: f64,
    /// Seconds of double support, or in the air, at its end.
    pub(super) overlap: f64,
    /// Of a running step, seconds in the air where [`outline_leap`] decided them already.
    pub(super) flight: Option<f64>,
}

impl StepRequest {
    fn run_step<'a>(&self, from: &BodyState, settings: &'a GaitSettings) -> RunStep<'a> {
        let StepRequest { side, to, then, duration, double_support, overlap, .. } = *self;
        let flight = overlap.clamp(MIN_FLIGHT, MAX_FLIGHT * duration);
        let here = from.feet[side.opposite()].plant().ball;
        let effort = (to.ball.distance(here) / settings.run.parameters.step_length).clamp(0.2, 1.0);
        let attributes = &settings.run.attributes;
        let height = settings.run.parameters.flight_height;
        RunStep { side, to, then, duration, flight, height, double_support, effort, attributes }
    }
}

/// The flight of a running step, before the footprint after it is known.
pub(super) fn outline_leap(
    proportions: &BodyProportions,
    from: &BodyState,
    request: &StepRequest,
    settings: &GaitSettings,
) -> RunOutline {
    outline_run(proportions, from, &request.run_step(from, settings))
}

pub(super) fn take_step(
    proportions: &BodyProportions,
    ground: &Ground<'_>,
    from: &BodyState,
    request: &StepRequest,
    settings: &GaitSettings,
) -> (Step, BodyState) {
    match request.gait {
        Gait::Walk => {
            let StepRequest { side, to, then, duration, double_support, overlap, .. } = *request;
            let attributes = &settings.walk.attributes;
            let step = WalkStep { side, to, then, duration, double_support, next_double_support: overlap, attributes };
            plan_walk(proportions, ground, from, &step)
        }
        Gait::Run => {
            let step = request.run_step(from, settings);
            let flight = request.flight.unwrap_or_else(|| decide_flight(proportions, from, &step));
            plan_run(proportions, ground, from, &RunStep { flight, ..step })
        }
    }
}

/// Whether the foot that is to swing is still planted.
pub(super) fn is_planted(body_state: &BodyState, side: Side) -> bool {
    matches!(body_state.feet[side], FootState::Planted { .. })
}
