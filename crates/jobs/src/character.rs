//! The character that a motion is made for, as `--on` names it: read, measured, and whatever is missing reported.

use crate::gait::Mover;
use crate::input_report::InputReport;
use crate::input_request::InputRequest;
use crate::job_error::JobError;
use crate::motion_output::{MotionOutput, MotionReport};
use crate::outputs::Outputs;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use surefoot_cleanup::{Character, PoseTransfer, RetargetOptions, retarget};
use surefoot_contact::Take;
use surefoot_formats::Import;
use surefoot_gait::Rig;
use surefoot_motion::{BodyMap, PersonOptions, Side, person};
use surefoot_plan::{FootPlan, StepError, scale_plan};
use surefoot_steps::{StepBody, StepDatabase};

/// A character that is ready to be animated.
#[derive(Clone, Debug)]
pub struct LoadedCharacter {
    /// As read.
    pub import: Import,
    /// Measured; its body has the soles of the person who stands.
    pub rig: Rig,
    file: PathBuf,
}

impl LoadedCharacter {
    /// Reads and measures a character, or tells what is wrong with it.
    pub fn load(on: &InputRequest) -> Result<LoadedCharacter, JobError> {
        let import = on.load()?;
        let body = import.body.clone().map_err(|error| {
            let message = format!("no body was found in it: {error}; --on-body names the joints");
            JobError::of_file("body", &on.file, message)
        })?;
        let rig = Rig::new(&import.clip.skeleton, &body, import.clip.poses())
            .map_err(|error| JobError::of_file("body", &on.file, error.to_string()))?;
        Ok(LoadedCharacter { import, rig, file: on.file.clone() })
    }

    /// Where it was read from.
    pub fn file(&self) -> &Path {
        &self.file
    }

    /// Which joint is which.
    pub fn body(&self) -> &BodyMap {
        self.rig.body()
    }

    /// From hip to ankle with a straight knee, the mean of both, in metres.
    pub fn leg_length(&self) -> f64 {
        mean_leg(&self.rig)
    }

    /// For retargeting.
    pub fn character(&self) -> Character<'_> {
        Character { skeleton: &self.import.clip.skeleton, body: self.body(), poses: self.import.clip.poses() }
    }

    /// Who moves, for a procedural gait.
    pub fn mover(&self) -> Mover<'_> {
        let clip = &self.import.clip;
        Mover::Skeleton { skeleton: clip.skeleton.clone(), body: self.body(), poses: clip.poses() }
    }

    /// The steps of a database on this body.
    pub fn steps(&self, database: &StepDatabase) -> Result<StepDatabase, JobError> {
        let (parts, typical) = (database.parts(), database.typical_poses());
        let scale = self.leg_length() / parts.body.leg_length(&parts.skeleton);
        let transfer = PoseTransfer::new((&parts.skeleton, &parts.body, &typical), &self.character(), scale);
        let body = StepBody {
            skeleton: &self.import.clip.skeleton,
            body: self.body(),
            turn_pose: &|pose, world| transfer.turn_pose(pose, world),
        };
        database.on_body(&body).map_err(|error| JobError::of_file("body", &self.file, error.to_string()))
    }

    /// A take played on it, as `retarget` does; its feet are not cleaned.
    pub fn play(&self, take: &Take) -> Result<Take, JobError> {
        let played = retarget(take, &self.character(), &RetargetOptions::default());
        played.map(|played| played.take).map_err(|error| JobError::of_file("retarget", &self.file, error.to_string()))
    }

    /// Adds its motion to the outputs of a job.
    pub(crate) fn add_motion(
        &self,
        output: &MotionOutput,
        outputs: &mut Outputs,
        take: &Take,
    ) -> Result<MotionReport, JobError> {
        output.add_to(outputs, (&take.clip, Some(&take.body), &take.contacts), &self.import)
    }

    /// What is reported of it.
    pub(crate) fn report(&self, plan_scale: Option<f64>) -> CharacterReport {
        CharacterReport {
            input: InputReport::new(&self.file, &self.import),
            height: self.rig.proportions().height,
            leg_length: self.leg_length(),
            plan_scale,
            missing: missing_parts(self.body()),
        }
    }
}

/// Adds a motion that was made on a character, or on our own figure or a database's.
pub(crate) fn add_motion_on(
    character: Option<&LoadedCharacter>,
    output: &MotionOutput,
    outputs: &mut Outputs,
    take: &Take,
) -> Result<MotionReport, JobError> {
    match character {
        Some(character) => character.add_motion(output, outputs, take),
        None => output.add_made(outputs, take),
    }
}

fn mean_leg(rig: &Rig) -> f64 {
    0.5 * (rig.proportions().leg_length(Side::Left) + rig.proportions().leg_length(Side::Right))
}

/// From hip to ankle of our own figure of the usual height, in metres.
pub(crate) fn usual_leg_length() -> f64 {
    let (skeleton, body) = person(&PersonOptions::default()).expect("the usual person can be built");
    body.leg_length(&skeleton)
}

/// What of a body was not found, in words: it cannot be moved, and stays as in the rest pose.
pub fn missing_parts(body: &BodyMap) -> Option<String> {
    let arms = match (body.arms.left.is_some(), body.arms.right.is_some()) {
        (true, true) => None,
        (false, false) => Some("arms"),
        (true, false) => Some("right arm"),
        (false, true) => Some("left arm"),
    };
    let head = body.head.is_none().then_some("head");
    let spine = body.spine.is_empty().then_some("spine");
    let parts: Vec<&str> = arms.into_iter().chain(head).chain(spine).collect();
    (!parts.is_empty()).then(|| parts.join(" and no "))
}

/// The character that a motion was made for. Lengths in metres.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CharacterReport {
    /// Its file.
    pub input: InputReport,
    /// From its soles to the top of its head.
    pub height: f64,
    /// From hip to ankle with a straight knee.
    pub leg_length: f64,
    /// What the plan was scaled by; absent if it was not.
    pub plan_scale: Option<f64>,
    /// What of a body was not found in it, and so is not moved: `arms and no head`.
    pub missing: Option<String>,
}

/// How a plan is scaled before it is walked.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ScalePlanRequest {
    /// By the length of the character's legs, over that of whoever the steps are of.
    ByLegs,
    /// By a factor, 0.01 to 100.
    By(f64),
}

impl ScalePlanRequest {
    /// The factor, for a character and the legs that the plan is taken to be for.
    pub(crate) fn factor(self, character: Option<&LoadedCharacter>, usual_leg: f64) -> Result<f64, JobError> {
        match (self, character) {
            (ScalePlanRequest::By(factor), _) => {
                crate::request_limits::check_range("scale_plan", Some(factor), 0.01..=100.0)?;
                Ok(factor)
            }
            (ScalePlanRequest::ByLegs, Some(character)) => Ok(character.leg_length() / usual_leg),
            (ScalePlanRequest::ByLegs, None) => {
                let message = "a plan is scaled to the legs of a character, and --on names none; a factor would do";
                Err(JobError::new("usage", message).at_field("scale_plan"))
            }
        }
    }

    /// The plan that is walked, and what it was scaled by.
    pub(crate) fn apply(
        request: Option<ScalePlanRequest>,
        plan: &FootPlan,
        character: Option<&LoadedCharacter>,
        usual_leg: f64,
    ) -> Result<(FootPlan, Option<f64>), JobError> {
        let factor = request.map(|request| request.factor(character, usual_leg)).transpose()?;
        Ok((factor.map_or_else(|| plan.clone(), |factor| scale_plan(plan, factor)), factor))
    }

    /// Refuses to scale a plan off its ground.
    pub(crate) fn check(request: Option<ScalePlanRequest>, has_terrain: bool) -> Result<(), JobError> {
        match request.filter(|_| has_terrain) {
            Some(_) => {
                let message =
                    "a plan on a terrain is not scaled: its footprints would leave the ground they were laid on";
                Err(JobError::new("usage", message).at_field("scale_plan"))
            }
            None => Ok(()),
        }
    }
}

/// Why a character cannot walk a plan: with what would make it, where its legs are the reason.
pub(crate) fn plan_failure(
    error: &StepError,
    plan: &Path,
    character: Option<&LoadedCharacter>,
    (scaled, usual_leg): (Option<f64>, f64),
) -> JobError {
    let mut failure = crate::animate_job::step_failure(error, plan);
    if let (Some(character), StepError::Plan(_)) = (character, error) {
        let leg = character.leg_length();
        let hint = match scaled {
            Some(factor) => format!("the plan was scaled by {factor:.3}"),
            None => format!("--scale-plan would scale the plan by {:.3}, as long as its legs are", leg / usual_leg),
        };
        let file = character.file.display();
        failure.message = format!("{} (the legs of {file} are {leg:.2} m long; {hint})", failure.message).into();
    }
    failure
}
