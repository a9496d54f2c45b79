//! Footskate cleanup as a step of other jobs: after retargeting, after a path warp, or alone.

use crate::clean::{CleanForm, CleanTake, TiltedFloor, clean, clean_on_estimate};
use crate::input_request::TerrainRequest;
use crate::job_error::JobError;
use crate::motion_output::{MotionOutput, MotionReport};
use crate::outputs::Outputs;
use crate::request_limits::check_range;
use serde::{Deserialize, Serialize};
use std::path::Path;
use surefoot_cleanup::footskate::{CleanOptions, FootRoll, Reach};
use surefoot_contact::metrics::{OffTerrain, foot_points};
use surefoot_contact::{Contacts, DeadSegment, Take, find_dead_segments, measure_placement};
use surefoot_formats::Import;
use surefoot_ground::Terrain;
use surefoot_motion::{BodyMap, Clip};

/// How feet are cleaned. Absent numbers are the defaults of [`CleanOptions`].
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct CleanupRequest {
    /// The ground. Default: estimated from the plants.
    pub terrain: Option<TerrainRequest>,
    /// Lower the pelvis where a leg is too short, instead of stretching the leg.
    pub rigid: bool,
    /// What a foot does about its long axis while heel and ball are planted.
    pub roll: RollRequest,
    /// A plant is where the foot is on the mean over this time from its beginning on, in seconds.
    pub plant_average: Option<f64>,
    /// Turns of a flat foot fade over this time while heel or ball alone is planted, in seconds.
    pub ankle_blend: Option<f64>,
    /// Moves of the pelvis are averaged over this time to both sides, in seconds.
    pub root_filter: Option<f64>,
    /// Changes fade over this time before and after a plant, in seconds.
    pub blend_off: Option<f64>,
    /// Knees straighter than this turn less, in degrees.
    pub knee_damping_from: Option<f64>,
    /// How much of its planted feet's moves the pelvis takes over, 0 to 1. Default: all on a terrain, else half.
    pub root_follows: Option<f64>,
    /// What becomes of a floor that is not level, where the ground is estimated.
    pub tilted_floor: TiltedFloor,
}

/// What a foot does about its long axis while heel and ball are planted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RollRequest {
    /// The sole lies on the ground.
    #[default]
    Flat,
    /// The foot keeps its own roll.
    Keep,
}

impl CleanupRequest {
    /// The options of the library.
    pub fn options(&self) -> Result<CleanOptions, JobError> {
        let times = [
            ("plant_average", self.plant_average),
            ("ankle_blend", self.ankle_blend),
            ("root_filter", self.root_filter),
            ("blend_off", self.blend_off),
        ];
        for (field, time) in times {
            check_range(field, time, 0.0..=10.0)?;
        }
        check_range("knee_damping_from", self.knee_damping_from, 0.0..=180.0)?;
        check_range("root_follows", self.root_follows, 0.0..=1.0)?;
        let usual = CleanOptions::default();
        Ok(CleanOptions {
            reach: if self.rigid { Reach::Rigid } else { Reach::Stretch },
            foot_roll: match self.roll {
                RollRequest::Flat => FootRoll::Flat,
                RollRequest::Keep => FootRoll::Keep,
            },
            plant_average: self.plant_average.unwrap_or(usual.plant_average),
            ankle_blend: self.ankle_blend.unwrap_or(usual.ankle_blend),
            root_filter: self.root_filter.unwrap_or(usual.root_filter),
            blend_off: self.blend_off.unwrap_or(usual.blend_off),
            knee_damping_from: self.knee_damping_from.map_or(usual.knee_damping_from, f64::to_radians),
            // Feet that are put on a terrain move by what it is higher: the body goes along.
            root_follows: self.root_follows.unwrap_or(if self.terrain.is_some() { 1.0 } else { usual.root_follows }),
            ..usual
        })
    }

    /// [`CleanupRequest::prepare`] for an output: legs do not stretch where bones are to keep their lengths.
    pub fn prepare_for(&self, output: &MotionOutput) -> Result<Cleanup, JobError> {
        CleanupRequest { rigid: self.rigid || output.keeps_bone_lengths()?, ..self.clone() }.prepare()
    }

    /// Cleanup with its terrain read, which may come from standard input and is wanted before the motion is.
    pub fn prepare(&self) -> Result<Cleanup, JobError> {
        let terrain = self.terrain.as_ref().map(TerrainRequest::load).transpose()?;
        Ok(Cleanup { options: self.options()?, terrain, tilted_floor: self.tilted_floor })
    }
}

/// Cleanup that is ready to run.
#[derive(Clone, Debug)]
pub struct Cleanup {
    /// How.
    pub options: CleanOptions,
    /// On which ground, if it is known.
    pub terrain: Option<Terrain>,
    /// What becomes of an estimated floor that is not level.
    pub tilted_floor: TiltedFloor,
}

/// What cleanup did.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CleanupReport {
    /// Heights of the ground, lowest first, in metres, if they were estimated from the plants.
    pub ground_levels: Option<Vec<f64>>,
    /// The estimated floor, if it is not level.
    #[serde(default)]
    pub tilt: Option<TiltReport>,
    /// Frames that are no motion; nothing is planted in them.
    #[serde(default)]
    pub dead_frames: Vec<DeadFrames>,
    /// Farthest that a planted part was from its place before.
    pub largest_plant_error_before_mm: f64,
    /// And after.
    pub largest_plant_error_mm: f64,
    /// Frames in which the last good pose was held, and why.
    pub held: Vec<(usize, String)>,
    /// Where a given height field is left; absent if it is not.
    #[serde(default)]
    pub off_terrain: Option<String>,
}

/// A floor that is not level.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TiltReport {
    /// Its slope in degrees.
    pub slope: f64,
    /// How much higher it is under the highest plant than under the lowest, in metres.
    pub rise: f64,
    /// Whether it was levelled: the motion turned as a whole.
    pub levelled: bool,
}

/// Frames that are no motion.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DeadFrames {
    /// The first.
    pub start: usize,
    /// The first after them.
    pub end: usize,
    /// Why.
    pub reason: String,
}

impl CleanupReport {
    /// Whether the ground is an estimate of several levels, between which nothing is known.
    pub fn is_climb(&self) -> bool {
        self.ground_levels.as_ref().is_some_and(|levels| levels.len() > 1)
    }
}

/// A motion that is ready to be written.
#[derive(Clone, Debug)]
pub struct EditedMotion {
    /// Cleaned, if that was requested and there was something to clean.
    pub take: Take,
    /// What its feet are planted on; `None` if it was not cleaned.
    pub terrain: Option<Terrain>,
    /// What cleanup did; `None` if nothing.
    pub cleanup: Option<CleanupReport>,
}

impl EditedMotion {
    /// A take that was not cleaned.
    pub fn uncleaned(take: Take) -> EditedMotion {
        EditedMotion { take, terrain: None, cleanup: None }
    }

    /// Adds the motion to the outputs, and its contacts where a file is named for them.
    pub fn add_to(
        &self,
        outputs: &mut Outputs,
        output: &MotionOutput,
        write_contacts: Option<&Path>,
        like: &Import,
    ) -> Result<EditedReport, JobError> {
        let Take { clip, body, contacts } = &self.take;
        let written = add_edited(outputs, output, write_contacts, (clip, Some(body), contacts), like)?;
        Ok(EditedReport { cleanup: self.cleanup.clone(), ..written })
    }
}

/// Adds an edited motion to the outputs, and its contacts where a file is named for them.
pub(crate) fn add_edited(
    outputs: &mut Outputs,
    output: &MotionOutput,
    write_contacts: Option<&Path>,
    edited: (&Clip, Option<&BodyMap>, &Contacts),
    like: &Import,
) -> Result<EditedReport, JobError> {
    let motion = output.add_to(outputs, edited, like)?;
    outputs.add_contacts(write_contacts, edited.2);
    let contacts_output = write_contacts.map(|path| path.display().to_string());
    Ok(EditedReport { motion, contacts_output, cleanup: None })
}

/// An edited motion that was written.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EditedReport {
    /// The motion.
    #[serde(flatten)]
    pub motion: MotionReport,
    /// The file of its contacts.
    pub contacts_output: Option<String>,
    /// What cleanup did; absent if it was not requested or no foot is ever planted.
    pub cleanup: Option<CleanupReport>,
}

impl Cleanup {
    /// Cleans a take on its terrain, or on the ground estimated from its plants. Without plants and terrain there is nothing
    /// to clean, and the take stays as it is.
    pub fn apply(&self, take: &Take, form: CleanForm) -> EditedMotion {
        let cleaned = match &self.terrain {
            Some(terrain) => clean(take, Some(terrain.clone()), &self.options, form),
            None => clean_on_estimate(take, self.tilted_floor, &self.options, form),
        };
        let Some(cleaned) = cleaned else {
            return EditedMotion::uncleaned(take.clone());
        };
        let settled = &cleaned.take.contacts;
        let [before, after] = [&take.clip, &cleaned.take.clip].map(|clip| largest_error_mm(clip, &take.body, settled));
        let report = CleanupReport {
            tilt: tilt_report(&cleaned),
            dead_frames: dead_frames(take),
            ground_levels: cleaned.levels,
            largest_plant_error_before_mm: before,
            largest_plant_error_mm: after,
            held: cleaned.held.iter().map(|(frame, reason)| (*frame, reason.name().to_string())).collect(),
            off_terrain: self.terrain.as_ref().and_then(|terrain| off_terrain(&cleaned.take, terrain)),
        };
        EditedMotion { take: cleaned.take, terrain: Some(cleaned.terrain), cleanup: Some(report) }
    }
}

fn tilt_report(cleaned: &CleanTake) -> Option<TiltReport> {
    let tilt = cleaned.tilt?;
    let slope = tilt.normal.y.clamp(-1.0, 1.0).acos().to_degrees();
    Some(TiltReport { slope, rise: tilt.rise, levelled: cleaned.levelled })
}

fn dead_frames(take: &Take) -> Vec<DeadFrames> {
    let found = find_dead_segments(&take.clip.world(), &take.body, take.clip.frame_rate);
    let report = |dead: DeadSegment| DeadFrames {
        start: dead.frames.start,
        end: dead.frames.end,
        reason: dead.reason.name().to_string(),
    };
    found.into_iter().map(report).collect()
}

/// Where a take leaves a height field, in words.
fn off_terrain(take: &Take, terrain: &Terrain) -> Option<String> {
    let feet = foot_points(&take.clip.world(), &take.clip.skeleton, &take.body);
    OffTerrain::of_feet(&feet, terrain).map(|place| place.to_string())
}

/// Farthest that a planted part is from where it shall be, in millimetres.
fn largest_error_mm(clip: &Clip, body: &BodyMap, contacts: &Contacts) -> f64 {
    let errors = measure_placement(&clip.world(), body, contacts);
    errors.iter().fold(0.0, |most: f64, plant| most.max(plant.distance)) * 1000.0
}
