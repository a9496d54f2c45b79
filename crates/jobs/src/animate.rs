//! A foot plan becomes a walk of recorded steps (STRIDE), measured on the frames that came out.

use std::sync::Arc;
use surefoot_contact::FootPlan;
use surefoot_plan::{StepError, Synthesis, World, synthesize};
use surefoot_steps::{StepDatabase, Steps, WalkOptions};

/// Walks a plan with the steps of a database, in a world; [`World::default`] where nothing is known of it.
pub fn animate_plan(
    database: &Arc<StepDatabase>,
    world: &Arc<World>,
    plan: &FootPlan,
    options: &WalkOptions,
) -> Result<Synthesis, StepError> {
    synthesize(&Steps::new(database.clone(), *options), world, plan, "walk")
}
