//! Procedural gait as a synthesizer: footprints become walking and running steps, each planted exactly (the heart of GAIT).
//!
//! 1. Footprints are checked by the one checker of plans ([`PlanChecker`]).
//! 2. Each step gets its gait and times from the plan: a landing with both feet planted is walked, one after a flight is run,
//!    and where the plan leaves it open the settings decide. Times are as asked for, but no step is shorter than 0.12 s;
//!    else they are natural for the step's length.
//! 3. A step is planned when the footprint after it is known (`gait_engine`), and played frame by frame.
//!
//! Flights onto the same foot or onto both feet at once are jumps (`jump_steps`). The last step of a motion is walked: after a
//! running flight no one comes to rest.

use super::Gait;
use super::gait_engine::{Ends, GaitEngine, Mover, NAME};
use super::gait_settings::GaitSettings;
use super::rig::Rig;
use super::step::Step;
use std::sync::Arc;
use surefoot_contact::check_frame_rate::GRAVITY;
use surefoot_contact::{FootPlan, Footprint};
use surefoot_motion::Skeleton;
use surefoot_plan::{
    BodyReach, PlanChecker, StepEngine, StepError, StepTask, Stepper, Synthesizer, World, settle_plan, step_timing,
};

/// How footprints are followed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GaitOptions {
    /// Walking or running, and how both are done.
    pub settings: GaitSettings,
    /// Frames a second, 1 to 10,000.
    pub frame_rate: f64,
    /// Seconds of standing before the first step and after the last, 0 to 600.
    pub standing: f64,
}

/// Procedural gait of a rig.
#[derive(Clone, Debug)]
pub struct GaitSynthesizer {
    mover: Arc<Mover>,
}

/// A flight of a run, as it was planned: frames show it only as exactly as they are dense.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlannedFlight {
    /// From toe-off to landing, in seconds.
    pub duration: f64,
    /// How high the pelvis rises above where it left the ground, in metres.
    pub height: f64,
}

impl GaitSynthesizer {
    /// Gait of a skeleton and its rig.
    pub fn new(skeleton: Arc<Skeleton>, rig: impl Into<Arc<Rig>>, options: &GaitOptions) -> GaitSynthesizer {
        GaitSynthesizer { mover: Arc::new(Mover::new(skeleton, rig.into(), options)) }
    }

    /// The same with settings of its own for each step, the first for that to `footprints[2]`; the last go on for steps beyond.
    pub fn with_steps(mut self, steps: Vec<GaitSettings>) -> GaitSynthesizer {
        self.edit().steps = steps;
        self
    }

    /// The same for motions that begin and end standing or in full motion.
    pub fn with_ends(mut self, begin: Ends, end: Ends) -> GaitSynthesizer {
        (self.edit().begin, self.edit().end) = (begin, end);
        self
    }

    fn edit(&mut self) -> &mut Mover {
        Arc::make_mut(&mut self.mover)
    }

    /// The rig that moves.
    pub fn rig(&self) -> &Rig {
        &self.mover.rig
    }

    /// How footprints are followed.
    pub fn options(&self) -> &GaitOptions {
        &self.mover.options
    }

    /// The flights of the motion that this makes of a plan, in order, without its frames.
    pub fn planned_flights(&self, world: &Arc<World>, plan: &FootPlan) -> Result<Vec<PlannedFlight>, StepError> {
        let checker = self.checker(world.clone());
        let prints = settle_plan(plan, world).footprints;
        let [first, second, ..] = prints[..] else { return Err(StepError::NoSteps { found: prints.len() }) };
        checker.check(plan)?;
        let mut engine = GaitEngine::start(self.mover.clone(), world.clone(), [first, second])?;
        for index in 2..prints.len() {
            let timing = step_timing(&prints, index);
            let is_flight = checker.is_flight(&prints[index], &timing);
            let is_jump = checker.is_jump(&prints[..index], &prints[index], &timing);
            engine.push(&StepTask { prints: &prints[..=index], timing, is_flight, is_jump })?;
        }
        engine.ending()?;
        engine.finish();
        Ok(engine.steps().filter_map(planned_flight).collect())
    }

    fn checker(&self, world: Arc<World>) -> PlanChecker {
        let unspecified = match self.mover.options.settings.gait {
            Gait::Walk => surefoot_plan::Gait::Walk,
            Gait::Run => surefoot_plan::Gait::Run,
        };
        PlanChecker { unspecified, ..PlanChecker::new(world, BodyReach::of(self.mover.rig.proportions())) }
    }
}

impl Synthesizer for GaitSynthesizer {
    fn name(&self) -> &'static str {
        NAME
    }

    fn frame_rate(&self) -> f64 {
        self.mover.options.frame_rate
    }

    fn start(&self, world: Arc<World>, standing: [Footprint; 2]) -> Result<Stepper, StepError> {
        Stepper::start(self.checker(world.clone()), standing, |standing| {
            Ok(Box::new(GaitEngine::start(self.mover.clone(), world, standing)?))
        })
    }
}

fn planned_flight(step: &Step) -> Option<PlannedFlight> {
    let flight = step.pelvis.flight?;
    let (duration, up) = (step.duration - flight.start, flight.velocity.y.max(0.0));
    let rising = duration.min(up / GRAVITY);
    Some(PlannedFlight { duration, height: (up - 0.5 * GRAVITY * rising) * rising })
}
