//! A plan that nobody could step: what repair would do about it, or what it did (COMPOSE 6.1).

use crate::job_error::JobError;
use crate::repair_plan_job::repair_in_world;
use std::path::Path;
use std::sync::Arc;
use surefoot_compose::{ComposeSynthesizer, RepairedPlan, StepLimits};
use surefoot_contact::{Behaviour, FootPlan};
use surefoot_formats::{own, read_bytes};
use surefoot_plan::World;

/// Reads a plan. If it is sound, but nobody could step it, the reason comes with it.
pub(crate) fn read_any_plan(file: &Path) -> Result<(FootPlan, Option<JobError>), JobError> {
    let bytes = read_bytes(file)?;
    match own::read_plan(&bytes) {
        Ok(plan) => Ok((plan, None)),
        Err(error) => {
            let error = JobError::from(error.in_file(file));
            // What is wrong with a file is wrong with it as a plan to repair, too.
            let plan = own::read_plan_to_repair(&bytes).map_err(|_| error.clone())?;
            Ok((plan, Some(error)))
        }
    }
}

/// The plan that somebody could step instead of a refused one. Without `asked`, the refusal with what would change.
pub(crate) fn repair_refused(
    refusal: JobError,
    asked: bool,
    (plan, world): (&FootPlan, &Arc<World>),
    composer: Option<&ComposeSynthesizer>,
    limits: &StepLimits,
) -> Result<RepairedPlan, JobError> {
    if refusal.footprint.is_none() {
        return Err(refusal);
    }
    let repaired = repair_in_world(plan, world, limits, |prints| {
        let open = FootPlan { footprints: prints.to_vec() };
        let Some(composer) = composer else { return Ok(vec![Behaviour::Walk; prints.len()]) };
        let decided = composer.decide(&open).map_err(|error| JobError::from(&ComposeSynthesizer::refusal(&error)))?;
        Ok(decided.iter().map(|planned| planned.behaviour).collect())
    });
    let in_file = |error: JobError| refusal.file.as_deref().map_or(error.clone(), |file| error.in_file(file));
    match repaired {
        Ok(repaired) => match repaired.summary() {
            Some(_) if asked => Ok(repaired),
            Some(changes) => {
                let message = format!("{}; --repair would change this: {changes}", refusal.message);
                Err(JobError { message: message.into(), ..refusal })
            }
            None => Err(refusal),
        },
        Err(error) if asked => Err(in_file(error)),
        Err(_) => Err(refusal),
    }
}
