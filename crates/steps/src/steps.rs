//! The synthesizer: foot plans walked with the steps of a database.
//!
//! Reference: STRIDE A.2, `generate_chain`. Which footprints a body could walk is for [`PlanChecker`] to say; here only options
//! are checked, and what recorded walking steps do not show is refused: flights.

use super::choose_plan::PlanChooser;
use super::look_ahead::queries_of;
use super::step_walker::{NAME, StepWalker};
use super::{Choice, ChooseMemory, ChooseOptions, MAX_HORIZON, Search, StepDatabase, Style, WalkOptions};
use std::sync::Arc;
use surefoot_contact::{FootPlan, Footprint};
use surefoot_motion::{FRAME_RATES, PerSide, Side};
use surefoot_plan::{
    BodyReach, PlanChecker, SoleShape, StepEngine, StepError, StepTask, Stepper, Synthesizer, World, settle_plan,
    stand_at_ends, step_timing,
};

/// Walks on recorded steps.
#[derive(Clone, Debug)]
pub struct Steps {
    /// The steps that are blended.
    pub database: Arc<StepDatabase>,
    /// How.
    pub options: WalkOptions,
    /// Whom walks are like. By default whoever suits a plan best.
    pub style: Option<Arc<Style>>,
    /// How far the database's body reaches. By default its legs, and its soles as the body map has them.
    pub reach: BodyReach,
}

impl Steps {
    /// With the steps of a database.
    pub fn new(database: Arc<StepDatabase>, options: WalkOptions) -> Steps {
        let body = database.body();
        let soles = PerSide::from_fn(|side| SoleShape::of_foot(&body.body().legs[side].foot, body.leg_length(side)));
        let leg = 0.5 * (body.leg_length(Side::Left) + body.leg_length(Side::Right));
        Steps { options, style: None, reach: BodyReach { leg, soles }, database }
    }

    fn walker(&self, world: Arc<World>, standing: [Footprint; 2]) -> Result<StepWalker, StepError> {
        StepWalker::new(self.database.clone(), self.options, self.style.clone(), world, standing)
    }

    /// The checker of its plans in a world.
    pub fn checker(&self, world: Arc<World>) -> PlanChecker {
        PlanChecker::new(world, self.reach)
    }

    /// Which steps would be blended for each footprint after the standing ones: everything that was looked at, where a
    /// [`surefoot_plan::StepOutcome`] has what was taken.
    pub fn choices(&self, world: &Arc<World>, plan: &FootPlan) -> Result<Vec<Choice>, StepError> {
        check_options(&self.options)?;
        let prints = self.prepare(&settle_plan(plan, world)).footprints;
        if prints.len() < 3 {
            return Err(StepError::NoSteps { found: prints.len() });
        }
        let checker = self.checker(world.clone());
        checker.check(&FootPlan { footprints: prints.clone() })?;
        let mut walker = self.walker(world.clone(), [prints[0], prints[1]])?;
        walker.plan_choices(&prints);
        let mut pose = walker.skeleton().rest_pose();
        let mut choices = Vec::with_capacity(prints.len() - 2);
        for index in 2..prints.len() {
            let timing = step_timing(&prints, index);
            let is_flight = checker.is_flight(&prints[index], &timing);
            choices.push(walker.choose_next(&StepTask {
                prints: &prints[..=index],
                timing,
                is_flight,
                is_jump: false,
            })?);
            while walker.next_frame(&mut pose).is_some() {}
        }
        Ok(choices)
    }
}

/// What the steps that are chosen for a plan cost in choosing (`choose_plan`), on the mean. With the usual weights, so that other
/// ways to choose can be compared.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ChoiceCost {
    /// Of a step: D_high, what is outside the hull, posture and person.
    pub total: f64,
    /// What the postures of successive steps differ by where they meet, in metres, before they are joined.
    pub posture: f64,
}

impl Steps {
    /// What the steps that would be blended for a plan cost.
    pub fn choice_cost(&self, plan: &FootPlan) -> ChoiceCost {
        let queries = queries_of(&self.prepare(plan).footprints);
        let (database, style) = (&*self.database, self.style.as_ref());
        let WalkOptions { method, search, horizon, .. } = self.options;
        let search = if method.carries() { search } else { Search::Footprint };
        let chooser = PlanChooser { database, style, options: method.choose(&self.options.choose) };
        let choices = chooser.choose(&queries, search, horizon, &mut ChooseMemory::default());
        let [total, posture] = PlanChooser { options: ChooseOptions::default(), ..chooser }.cost_of(&choices, &queries);
        ChoiceCost { total, posture }
    }
}

impl Synthesizer for Steps {
    fn name(&self) -> &'static str {
        NAME
    }

    fn frame_rate(&self) -> f64 {
        self.options.frame_rate
    }

    /// Steps that start and stop are taken at the ends of a plan where feet are side by side.
    fn prepare(&self, plan: &FootPlan) -> FootPlan {
        stand_at_ends(plan)
    }

    fn start(&self, world: Arc<World>, standing: [Footprint; 2]) -> Result<Stepper, StepError> {
        check_options(&self.options)?;
        Stepper::start(self.checker(world.clone()), standing, |standing| Ok(Box::new(self.walker(world, standing)?)))
    }

    fn start_plan(&self, world: Arc<World>, plan: &FootPlan) -> Result<Stepper, StepError> {
        let [first, second, ..] = plan.footprints[..] else {
            return Err(StepError::NoSteps { found: plan.footprints.len() });
        };
        check_options(&self.options)?;
        let prints = &settle_plan(plan, &world).footprints;
        Stepper::start(self.checker(world.clone()), [first, second], |standing| {
            let mut walker = self.walker(world, standing)?;
            walker.plan_choices(prints);
            Ok(Box::new(walker))
        })
    }
}

fn check_options(options: &WalkOptions) -> Result<(), StepError> {
    let checks = [
        ("the frame rate", options.frame_rate, *FRAME_RATES.start(), *FRAME_RATES.end()),
        ("the weight of headings", options.heading_weight, 0.0, 1.0),
        ("the weight of times", options.time_weight, 0.0, 1.0),
        ("the root's window", options.root_window, 0.0, 1.0),
        ("the limit of extrapolation", options.choose.max_extrapolation, 0.0, 10.0),
        ("the power of choosing", options.choose.power, 1.0, 4.0),
        ("the limit of straying", options.choose.max_stray, 0.0, f64::MAX),
        ("the join's window", options.join_window, 0.0, 1.0),
        ("the share of individuality", options.individuality, 0.0, 1.0),
        ("the share of personality", options.personality, 0.0, 1.0),
        ("the share of a style", options.style_share, 0.0, 1.0),
        ("the horizon", options.horizon as f64, 0.0, MAX_HORIZON as f64),
        ("the cost of posture", options.choose.posture, 0.0, 1e6),
        ("the cost of another person", options.choose.person, 0.0, 1e6),
        ("the weight of locations", options.choose.weights.location, 0.0, 1e6),
        ("the weight of orientations", options.choose.weights.orientation, 0.0, 1e6),
        ("the weight of timings", options.choose.weights.timing, 0.0, 1e6),
        ("the weight of heights", options.choose.weights.height, 0.0, 1e6),
    ];
    match checks.into_iter().find(|(_, value, min, max)| !(min..=max).contains(&value)) {
        Some((what, value, min, max)) => Err(StepError::Option { what, value, min, max }),
        None => Ok(()),
    }
}
