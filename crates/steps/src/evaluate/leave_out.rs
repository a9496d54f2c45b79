//! Databases that have never seen a recording, or its actor.

use crate::{CanonicalStep, StepDatabase};

/// A database without the steps of some takes and their mirror images; `None` if too little is left.
pub fn without_takes(database: &StepDatabase, names: &[&str]) -> Option<StepDatabase> {
    keep(database, |step| !names.contains(&&*step.source.take))
}

/// A database without all steps of an actor ([`crate::actor_of`]) and their mirror images; `None` if too little is left.
pub fn without_actor(database: &StepDatabase, actor: &str) -> Option<StepDatabase> {
    keep(database, |step| step.source.actor() != actor)
}

fn keep(database: &StepDatabase, is_kept: impl Fn(&CanonicalStep) -> bool) -> Option<StepDatabase> {
    let mut parts = database.parts().clone();
    parts.steps.retain(is_kept);
    StepDatabase::new(parts).ok()
}
