//! Who moves over plans without labels: recorded steps, the rig of their body, and what footprints are recognised by.

use crate::job_error::JobError;
use std::path::Path;
use std::sync::Arc;
use surefoot_compose::{
    BehaviourDatabase, ComposeSynthesizer, FlightLibrary, Recogniser, RecogniserOptions, TransitionGraphs,
};
use surefoot_gait::Rig;
use surefoot_steps::Steps;

/// The composer of steps and the recorded flights of their database. On the rig of another body flights are gait's. `file` is that of the
/// behaviours, if they are of one.
pub fn compose_on(
    (steps, flights): (&Steps, &FlightLibrary),
    behaviours: &BehaviourDatabase,
    rig: Option<Rig>,
    file: Option<&Path>,
) -> Result<ComposeSynthesizer, JobError> {
    let too_few = || {
        let problem = "the database of behaviours has too few steps to learn from";
        file.map_or_else(|| JobError::new("steps", problem), |path| JobError::of_file("steps", path, problem))
    };
    let recogniser = Recogniser::learn(behaviours, &RecogniserOptions::default()).ok_or_else(too_few)?;
    let body = steps.database.body();
    let is_own_body = rig.is_none();
    let rig = match rig {
        Some(rig) => rig,
        None => Rig::new(body.skeleton(), body.body(), &steps.database.typical_poses())
            .map_err(|error| JobError::new("body", error.to_string()))?,
    };
    let composer = ComposeSynthesizer::new(steps.clone(), rig, Arc::new(recogniser));
    let composer = composer.with_transitions(TransitionGraphs::learn(behaviours));
    let flies = if is_own_body { composer.clone().with_flights(flights.clone()) } else { None };
    Ok(flies.unwrap_or(composer))
}
