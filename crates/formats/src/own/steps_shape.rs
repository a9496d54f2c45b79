//! What a step database looks like in its file, version 3 and before, and what must hold of it.
//!
//! The shapes are those of the file and stay as they are; a change of them is a new version.

use super::stored_body::{Four, StoredBody, StoredEndSite, StoredJoint, Three, both, read_skeleton, rotation, vector};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::Arc;
use surefoot_geom::Quat;
use surefoot_motion::{PerSide, Side};
use surefoot_plan::StepParameters;
use surefoot_steps::{CanonicalStep, DatabaseParts, StepDatabase, StepSource, StepTimes};

/// Lengths past this mean nothing, in metres or seconds.
const MAX_NUMBER: f64 = 1e6;

/// The complete file.
#[derive(Serialize, Deserialize)]
pub(super) struct StoredFile<S> {
    joints: Vec<StoredJoint>,
    end_sites: Vec<StoredEndSite>,
    body: StoredBody,
    /// Left, right.
    knee_axes: [Three; 2],
    /// One for each joint.
    means: Vec<Four>,
    /// Names, which steps refer to.
    takes: Vec<String>,
    steps: Vec<S>,
}

/// Of version 3.
pub(super) type StoredSteps<'a> = StoredFile<StoredStep<'a>>;
/// Of versions 1 and 2.
pub(super) type FormerSteps<'a> = StoredFile<FormerStep<'a>>;

/// A step with its heights.
#[derive(Serialize, Deserialize)]
pub(super) struct StoredStep<'a> {
    step: FormerStep<'a>,
    /// Before and after.
    heights: [f64; 2],
}

/// A level step.
#[derive(Serialize, Deserialize)]
pub(super) struct FormerStep<'a> {
    take: u32,
    frames: [u64; 2],
    mirrored: bool,
    swings_right: bool,
    /// Start width, end width, end length.
    parameters: Three,
    headings: Three,
    /// First, swing, last.
    times: Three,
    rows: Cow<'a, [f32]>,
}

impl<'a> StoredSteps<'a> {
    pub(super) fn of(database: &'a StepDatabase) -> StoredSteps<'a> {
        let parts = database.parts();
        let mut takes: Vec<String> = Vec::new();
        let mut numbers: HashMap<&str, u32> = HashMap::new();
        let steps = parts.steps.iter().map(|step| {
            let name: &str = &step.source.take;
            let take = *numbers.entry(name).or_insert_with(|| {
                takes.push(name.to_string());
                takes.len() as u32 - 1
            });
            StoredStep::of(step, take)
        });
        let steps = steps.collect();
        StoredSteps {
            joints: parts.skeleton.joints().iter().map(StoredJoint::of).collect(),
            end_sites: parts.skeleton.end_sites().iter().map(StoredEndSite::of).collect(),
            body: StoredBody::of(&parts.body),
            knee_axes: both(parts.knee_axes.map(|axis| axis.to_array())),
            means: parts.means.iter().map(Quat::to_array).collect(),
            takes,
            steps,
        }
    }
}

impl<S: IntoStep> StoredFile<S> {
    /// The database, or what is wrong. Files of versions 1 and 2 have the same shape, and other numbers in their rows.
    pub(super) fn into_database(self, version: u32) -> Result<StepDatabase, String> {
        let skeleton = Arc::new(read_skeleton(self.joints, self.end_sites, MAX_NUMBER)?);
        let body = self.body.into_body(&skeleton, MAX_NUMBER)?;
        let length = body.leg_length(&skeleton);
        if !(length.is_finite() && length > 0.0) {
            return Err("the legs have no length".to_string());
        }
        let [left, right] = self.knee_axes;
        let knee_axes =
            PerSide::new(vector(left, MAX_NUMBER, "a knee's axis")?, vector(right, MAX_NUMBER, "a knee's axis")?);
        if self.means.len() != skeleton.n_joints() {
            let (n_means, n_joints) = (self.means.len(), skeleton.n_joints());
            return Err(format!("there are {n_means} mean rotations for {n_joints} joints"));
        }
        let means = self.means.into_iter().map(|mean| rotation(mean, "a mean rotation")).collect::<Result<_, _>>()?;
        let takes: Vec<Arc<str>> = self.takes.into_iter().map(Arc::from).collect();
        let steps = self.steps.into_iter().enumerate();
        let steps = steps
            .map(|(index, step)| step.into_step(&takes).map_err(|what| format!("step {index}: {what}")))
            .collect::<Result<_, _>>()?;
        let parts = DatabaseParts { skeleton, body, knee_axes, means, steps };
        let parts = match version {
            1 => parts.from_version_1(),
            2 => parts.from_version_2(),
            _ => Ok(parts),
        };
        parts.and_then(StepDatabase::new).map_err(|error| error.to_string())
    }
}

/// A step of some version.
pub(super) trait IntoStep {
    fn into_step(self, takes: &[Arc<str>]) -> Result<CanonicalStep, String>;
}

impl<'a> StoredStep<'a> {
    fn of(step: &'a CanonicalStep, take: u32) -> StoredStep<'a> {
        StoredStep { step: FormerStep::of(step, take), heights: step.heights }
    }
}

impl IntoStep for StoredStep<'_> {
    fn into_step(self, takes: &[Arc<str>]) -> Result<CanonicalStep, String> {
        let [from, to] = self.heights;
        let [from, to, _] = vector([from, to, 0.0], MAX_NUMBER, "a height")?.to_array();
        Ok(CanonicalStep { heights: [from, to], ..self.step.into_step(takes)? })
    }
}

impl<'a> FormerStep<'a> {
    fn of(step: &'a CanonicalStep, take: u32) -> FormerStep<'a> {
        let StepSource { frames, mirrored, .. } = &step.source;
        let StepTimes { first, swing, last } = step.times;
        FormerStep {
            take,
            frames: [frames.start as u64, frames.end as u64],
            mirrored: *mirrored,
            swings_right: step.swing() == Side::Right,
            parameters: step.point().to_array(),
            headings: step.headings,
            times: [first, swing, last],
            rows: Cow::Borrowed(&step.rows),
        }
    }
}

impl IntoStep for FormerStep<'_> {
    fn into_step(self, takes: &[Arc<str>]) -> Result<CanonicalStep, String> {
        let take = takes.get(self.take as usize).ok_or_else(|| format!("there is no take {}", self.take))?.clone();
        let [start, end] = self.frames.map(|frame| usize::try_from(frame).unwrap_or(usize::MAX));
        if start > end {
            return Err(format!("its frames {start}..{end} end before they begin"));
        }
        let point = vector(self.parameters, MAX_NUMBER, "its place")?;
        let headings = vector(self.headings, MAX_NUMBER, "a heading")?.to_array();
        let [first, swing, last] = vector(self.times, MAX_NUMBER, "a duration")?.to_array();
        let side = if self.swings_right { Side::Right } else { Side::Left };
        Ok(CanonicalStep {
            source: StepSource { take, frames: start..end, mirrored: self.mirrored },
            parameters: StepParameters { swing: side, start_width: point.x, end_width: point.y, end_length: point.z },
            headings,
            heights: [0.0; 2],
            times: StepTimes { first, swing, last },
            rows: self.rows.into(),
        })
    }
}
