//! Who moves over a plan: recorded steps where it is walked to its end, else the composer, once it is decided what leads to each footprint.

use crate::animate_job::AnimateWith;
use crate::job_error::JobError;
use std::sync::Arc;
use surefoot_compose::{ComposeSynthesizer, NoRoom, PlannedBehaviour, RecogniseError, surely_walked};
use surefoot_contact::FootPlan;
use surefoot_plan::{StepError, Synthesizer, World, synthesize};
use surefoot_steps::Steps;

/// Who moves, and why.
pub(crate) struct PlanMover {
    pub(crate) synthesizer: Box<dyn Synthesizer>,
    /// What leads to each footprint; `None` where nobody had to decide.
    pub(crate) decided: Option<Vec<PlannedBehaviour>>,
    /// Whether recorded steps walk it all.
    pub(crate) is_walk: bool,
    /// Changes of behaviour that the plan leaves too few steps for.
    pub(crate) no_room: Vec<NoRoom>,
}

/// Why nobody does.
pub(crate) enum MoverError {
    /// Nothing to learn from.
    Job(JobError),
    /// A footprint that cannot be stepped to.
    Step(StepError),
}

/// Learning what footprints mean takes longer than all the rest: `composer` is asked for only where it is in question.
pub(crate) fn mover_of_plan(
    steps: &Steps,
    with: AnimateWith,
    (world, plan): (&Arc<World>, &FootPlan),
    composer: impl FnOnce() -> Result<ComposeSynthesizer, JobError>,
) -> Result<PlanMover, MoverError> {
    let leg = steps.database.parts().body.leg_length(&steps.database.parts().skeleton);
    let sure = surely_walked(&plan.footprints, leg);
    let walk =
        |decided| PlanMover { synthesizer: Box::new(steps.clone()), decided, is_walk: true, no_room: Vec::new() };
    if with == AnimateWith::Steps {
        return Ok(walk(None));
    }
    if with == AnimateWith::Compose && sure.is_some() {
        return Ok(walk(sure));
    }
    let composer = composer().map_err(MoverError::Job)?;
    // What is wrong with a footprint by itself says more than that it means nothing; that steps do not fly says less.
    let refusal = |error: RecogniseError| {
        let walked = synthesize(steps, world, plan, "walk").err();
        let walked = walked.filter(|error| !matches!(error, StepError::Unsupported { .. }));
        MoverError::Step(walked.unwrap_or_else(|| ComposeSynthesizer::refusal(&error)))
    };
    let decided = composer.decide(plan).map_err(refusal)?;
    if with == AnimateWith::Compose && ComposeSynthesizer::is_pure_walk(&decided) {
        return Ok(walk(Some(decided)));
    }
    let composer = if with == AnimateWith::Gait { composer.of_gait() } else { composer };
    let no_room = composer.no_room(plan, &decided);
    Ok(PlanMover { synthesizer: Box::new(composer), decided: Some(decided), is_walk: false, no_room })
}
