//! Footprints along a path as one call, for our own figure of any height.

use crate::speed_settings;
use std::sync::Arc;
use surefoot_gait::{ParameterError, Rig, RigError};
use surefoot_gait::{PlanStepsError, PlanStepsOptions, PlannedSteps, plan_steps};
use surefoot_ground::Path;
use surefoot_motion::{PerSide, PersonError, PersonOptions, Poses, person};
use surefoot_plan::{BodyReach, PlanChecker, PlanError, SoleShape, World};

/// Footprints, and the soles that are planted on them.
#[derive(Clone, Debug, PartialEq)]
pub struct PersonSteps {
    /// The plan.
    pub steps: PlannedSteps,
    /// Of both feet.
    pub soles: PerSide<SoleShape>,
}

/// Why there are no footprints.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum PersonStepsError {
    /// No person is built so.
    #[error(transparent)]
    Person(#[from] PersonError),
    /// The figure cannot be measured.
    #[error(transparent)]
    Rig(#[from] RigError),
    /// A speed that nobody walks.
    #[error(transparent)]
    Speed(#[from] ParameterError),
    /// The path or what is around it.
    #[error(transparent)]
    Steps(#[from] PlanStepsError),
    /// The ground or the scene: nobody of that body could take the steps.
    #[error(transparent)]
    Plan(#[from] PlanError),
}

/// Plans the steps of a person of a height in metres along a path, at a speed in m/s or a natural one. What a synthesizer would
/// refuse for that body is refused here.
pub fn plan_person_steps(
    height: f64,
    speed: Option<f64>,
    path: &Path,
    options: &PlanStepsOptions<'_>,
) -> Result<PersonSteps, PersonStepsError> {
    let (skeleton, body) = person(&PersonOptions::with_height(height))?;
    let rig = Rig::new(&skeleton, &body, &Poses::default())?;
    let settings = speed_settings(speed, height)?;
    let steps = plan_steps(rig.proportions(), &settings, path, options)?;
    let around = options.scene.map(World::of_scene).unwrap_or_default();
    let world = Arc::new(World { terrain: options.terrain.cloned(), ..around });
    PlanChecker::new(world, BodyReach::of(rig.proportions())).check(&steps.plan)?;
    Ok(PersonSteps { steps, soles: SoleShape::both(rig.proportions()) })
}
