//! One step of either gait, from the state that the last one left.

use super::Gait;
use super::body_state::{BodyState, FootState};
use super::equations::DEFAULT_HEIGHT;
use super::foot_plant::FootPlant;
use super::gait_settings::{GaitSettings, MAX_FLIGHT, MIN_FLIGHT};
use super::norms::Blend;
use super::plan_run::{RunOutline, RunStep, decide_flight, outline_run, plan_run};
use super::plan_walk::{WalkStep, plan_walk};
use super::poise::{Poise, PoiseOptions};
use super::step::{Ground, Step, between_headings, left_sign};
use surefoot_geom::{ground_point, heading_direction};
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
    fn run_step(&self, proportions: &BodyProportions, from: &BodyState, settings: &GaitSettings) -> RunStep {
        let StepRequest { side, to, then, duration, double_support, overlap, .. } = *self;
        let flight = overlap.clamp(MIN_FLIGHT, MAX_FLIGHT * duration);
        let here = from.feet[side.opposite()].plant().ball;
        let effort = (to.ball.distance(here) / settings.run.parameters.step_length).clamp(0.2, 1.0);
        let height = settings.run.parameters.flight_height;
        let blend = self.blend(proportions, from, settings);
        let attributes = blend.displace_keyframes(&settings.run.attributes, proportions.height);
        RunStep { side, to, then, duration, flight, height, double_support, effort, attributes, blend }
    }

    /// What the step takes of the residuals of recorded people.
    fn blend(&self, proportions: &BodyProportions, from: &BodyState, settings: &GaitSettings) -> Blend {
        // The last step leads to standing.
        if self.then.is_none() {
            return Blend::STANDING;
        }
        let here = from.feet[self.side.opposite()].plant();
        let offset = self.to.ball - here.ball;
        let length = ground_point(offset).length();
        let heading = heading_direction(between_headings(here.heading, self.to.heading));
        // Along the body, feet that stand beside each other still make a step.
        let forward = offset.dot(heading) / length.max(1e-6);
        let stride = ground_point(self.to.ball - from.feet[self.side].plant().ball).length();
        let duration = self.duration / (proportions.height / DEFAULT_HEIGHT).sqrt();
        let speed = 0.5 * stride.min(2.0 * length) * DEFAULT_HEIGHT / proportions.height / duration;
        let how = (settings.kinematics, settings.person[self.gait as usize]);
        Blend::of_step(how, self.gait, (speed, duration), offset.y / length.max(0.1), forward)
    }
}

/// The flight of a running step, before the footprint after it is known.
pub(super) fn outline_leap(
    proportions: &BodyProportions,
    from: &BodyState,
    request: &StepRequest,
    settings: &GaitSettings,
) -> RunOutline {
    outline_run(proportions, from, &request.run_step(proportions, from, settings))
}

pub(super) fn take_step(
    proportions: &BodyProportions,
    ground: &Ground<'_>,
    from: &BodyState,
    request: &StepRequest,
    settings: &GaitSettings,
) -> (Step, BodyState) {
    let (mut step, mut after) = match request.gait {
        Gait::Walk => {
            let StepRequest { side, to, then, duration, double_support, overlap, .. } = *request;
            let attributes = &settings.walk.attributes;
            let blend = request.blend(proportions, from, settings);
            let step =
                WalkStep { side, to, then, duration, double_support, next_double_support: overlap, attributes, blend };
            plan_walk(proportions, ground, from, &step)
        }
        Gait::Run => {
            let step = request.run_step(proportions, from, settings);
            let flight = request.flight.unwrap_or_else(|| decide_flight(proportions, from, &step));
            plan_run(proportions, ground, from, &RunStep { flight, ..step })
        }
    };
    (step.poise, after.look) = Poise::new(&PoiseOptions {
        gaze: settings.gaze_used(),
        duration: step.duration,
        from: from.look,
        ahead: [from.ahead(), after.ahead()],
        ends: [from.looker(proportions), after.looker(proportions)],
        sway: left_sign(request.side.opposite()) * settings.stance_sway,
    });
    (step, after)
}

/// Whether the foot that is to swing is still planted.
pub(super) fn is_planted(body_state: &BodyState, side: Side) -> bool {
    matches!(body_state.feet[side], FootState::Planted { .. })
}
