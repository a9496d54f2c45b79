//! From what a file has to what it means: metres, Y up, true frames, known joints.
//!
//! Most motion files do not state their unit, their up axis, or which joint is which, and many state a wrong frame rate or begin
//! with a pose that was never recorded. Each of these can be found out from the motion itself. Steps:
//!
//! 1. [`lead_frames`]: artificial first frames are dropped.
//! 2. The body map is found (topology and geometry, then names), in the file's own unit and axes.
//! 3. [`unit`]: thigh and shin must be as long as a person's, for one known unit.
//! 4. [`axes`]: up is where the pelvis is above the ankles, in the motion and in the rest pose, which may differ.
//! 5. The clip is converted, its frame rate snapped, its feet fitted.
//! 6. [`diagnose`]: what is unusual about the meaning is reported, each with a code.
//!
//! Nothing is guessed in silence: [`Assumed`] holds every decision and how it came about, and [`ImportOptions`] overrides
//! each.

mod axes;
mod character_mesh;
mod diagnose;
mod into_take;
mod lead_frames;
mod made;
mod unit;

use crate::{Document, ErrorKind, ReadError, StoredSole, Warning, own};
pub use axes::UpAxes;
pub use into_take::{ContactsOrigin, ImportedTake};
use std::sync::Arc;
use surefoot_contact::{Contacts, estimate_floor, path_length};
use surefoot_geom::{Axis, Vec3, direction_heading};
use surefoot_motion::{
    BodyError, BodyMap, BodyProblem, Clip, FoundBody, PerSide, Side, SideEvidence, WorldPose, attach_feet, find_body,
    spread_frames,
};
pub use unit::{UNITS, Unit};

/// What the user knows better. The default guesses everything.
#[derive(Clone, Debug, Default)]
pub struct ImportOptions {
    /// Metres per unit of the file.
    pub unit_to_metre: Option<f64>,
    /// The axis that points up in the motion (and in the rest pose, unless that plainly says otherwise).
    pub up: Option<Axis>,
    /// Frames per second that the recording was really made at. Changes no frame, only how fast they follow.
    pub frame_rate: Option<f64>,
    /// What to do where the motion contradicts the declared frame rate.
    pub declared_rate: DeclaredRate,
    /// What to do with first frames that were never recorded.
    pub first_frames: FirstFrames,
    /// What to do with the floor's height.
    pub floor: FloorChoice,
    /// A body file that overrides the body map.
    pub body_file: Option<Vec<u8>>,
}

/// What to do where the motion contradicts the declared frame rate: a body falls faster than gravity allows, or has a cadence that
/// nobody walks at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DeclaredRate {
    /// Keep it, and report the contradiction.
    #[default]
    Keep,
    /// Take the likely rate instead, and report that: for collections, in which one clip at twice its speed spoils the others.
    Correct,
}

/// What to do with first frames that were never recorded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FirstFrames {
    /// Drop a T-pose in frame 0 and frames of zeros after it.
    #[default]
    DropArtificial,
    /// Keep every frame.
    Keep,
}

/// What to do with the floor's height.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum FloorChoice {
    /// Leave the motion where it is, and report the height.
    #[default]
    Keep,
    /// Move the motion so that the estimated floor is at 0.
    ToZero,
    /// The floor is at this height, in metres after conversion; move the motion so that it is at 0.
    At(f64),
}

/// How a decision came about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// An option.
    Given,
    /// The file or its format.
    Declared,
    /// The motion shows it.
    Found,
    /// Nothing is known; this is the usual value.
    Usual,
}

impl Reason {
    /// The reason as a word.
    pub fn name(self) -> &'static str {
        match self {
            Reason::Given => "given",
            Reason::Declared => "declared",
            Reason::Found => "found",
            Reason::Usual => "usual",
        }
    }
}

/// Every decision of an import.
#[derive(Clone, Debug)]
pub struct Assumed {
    /// The unit of the file.
    pub unit: Unit,
    /// How it was decided.
    pub unit_reason: Reason,
    /// Which axes pointed up.
    pub up: UpAxes,
    /// How that was decided.
    pub up_reason: Reason,
    /// Frames per second as declared, before snapping.
    pub declared_rate: Option<f64>,
    /// How the clip's rate was decided.
    pub rate_reason: Reason,
    /// First frames that were dropped.
    pub dropped_frames: usize,
    /// Height of the floor before any move, in metres; `None` without feet.
    pub floor: Option<f64>,
    /// Direction that the body faces in the first frame, as a heading in radians.
    pub heading: Option<f64>,
    /// How left and right were distinguished; `None` without a body map or with one from a file.
    pub sides: Option<SideEvidence>,
    /// Feet that hung apart from their legs and were hung below them; mostly none.
    pub attached_feet: Vec<String>,
}

/// Something unusual about the meaning of a well-formed file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// A word for machines; `docs/DIAGNOSTICS.md` lists them all.
    pub code: &'static str,
    /// Which or how much: a unit, frames, joints. May be empty.
    pub detail: String,
    /// What was found, and what can be done.
    pub message: String,
}

/// A motion in our convention, and all that was decided meanwhile.
#[derive(Clone, Debug)]
pub struct Import {
    /// Metres, Y up.
    pub clip: Clip,
    /// Which joint is which, or what is missing.
    pub body: Result<BodyMap, BodyError>,
    /// Foot contacts that the file carries.
    pub contacts: Option<Contacts>,
    /// Every decision.
    pub assumed: Assumed,
    /// Ground covered by the pelvis, in metres; 0 without a body map.
    pub travel: f64,
    /// What is unusual about the meaning.
    pub diagnostics: Vec<Diagnostic>,
    /// What was unusual about the text.
    pub warnings: Vec<Warning>,
    /// Motion values in each frame of the file.
    pub n_channels: usize,
    /// Channels of a BVH source, for a writer that keeps them.
    pub bvh_channels: Option<Vec<Vec<crate::bvh::Channel>>>,
    /// Names of all motions in the file.
    pub animations: Vec<String>,
    /// The glTF that it was read from, if that has a mesh that we did not make: motions of its skeleton are written into it.
    pub character: Option<std::path::PathBuf>,
}

impl Import {
    /// Thigh plus shin of each leg, in metres; `None` without a body map.
    pub fn leg_lengths(&self) -> Option<PerSide<f64>> {
        let rest = self.clip.skeleton.rest_pose();
        let pose = WorldPose::new(&self.clip.skeleton, self.clip.poses().first().unwrap_or(rest.view()));
        self.body.as_ref().ok().map(|body| body.leg_lengths_in(&pose))
    }
}

/// Frames per second where a file gives none: AMC, and a single pose.
const USUAL_RATE: f64 = 120.0;
const USUAL_POSE_RATE: f64 = 30.0;

/// Decides what a document means.
pub fn import(document: Document, options: &ImportOptions) -> Result<Import, ReadError> {
    let mut document = document;
    let dropped_frames = match options.first_frames {
        FirstFrames::DropArtificial => lead_frames::count_artificial(&document),
        FirstFrames::Keep => 0,
    };
    document.poses.drop_first(dropped_frames);

    let (found, attached_feet) = find_complete_body(&mut document);
    // Only the joints of a body file count yet: its soles are in metres, and the unit is still to be found.
    let found_map = found.as_ref().ok().map(|found| &found.map);
    let given_map = options.body_file.as_ref().map(|bytes| own::read_body(bytes, &document.skeleton, found_map, &[]));
    let given_map = given_map.transpose()?;
    let map = given_map.as_ref().or(found_map);
    let (unit, unit_reason, unit_note) = unit::choose(&document, map, options.unit_to_metre);
    let (up, up_reason) = axes::choose(&document, map, options.up);
    axes::convert(&mut document, up, unit.to_metre);

    let (frame_rate, rate_reason) = choose_rate(&document, options.frame_rate);
    let contacts =
        document.contacts.take().map(|contacts| shift_contacts(contacts, dropped_frames, document.poses.len()));
    let clip =
        Clip::new(document.name.clone().unwrap_or_default(), Arc::new(document.skeleton), frame_rate, document.poses);
    let poses = clip.world();
    // Stored soles are in metres and in the file's own axes.
    let soles =
        document.soles.take().filter(|_| unit.to_metre == 1.0 && up == UpAxes { motion: Axis::Y, rest: Axis::Y });
    let body = settle_body(&clip, &poses, found.as_ref(), soles.as_ref(), options.body_file.as_deref())?;
    let known = body.as_ref().ok();
    let assumed = Assumed {
        unit,
        unit_reason,
        up,
        up_reason,
        declared_rate: document.frame_rate,
        rate_reason,
        dropped_frames,
        floor: known.and_then(|body| estimate_floor(&poses, body)),
        heading: known.zip(poses.first()).and_then(|(body, pose)| direction_heading(body.facing(pose))),
        sides: found.as_ref().ok().map(|found| found.sides).filter(|_| options.body_file.is_none()),
        attached_feet: attached_feet.unwrap_or_default(),
    };
    let mut import = Import {
        travel: known.map_or(0.0, |body| path_length(&poses, body, frame_rate)),
        clip,
        body,
        contacts,
        assumed,
        diagnostics: Vec::new(),
        warnings: document.warnings,
        n_channels: document.n_channels,
        bvh_channels: document.bvh_channels,
        animations: document.animations,
        character: None,
    };
    let diagnosed = diagnose::diagnose(&import, &poses, found.as_ref(), unit_note.as_ref());
    import.diagnostics = diagnosed.reported;
    if let Some(rate) = diagnosed.likely_rate.filter(|_| options.declared_rate == DeclaredRate::Correct) {
        import.correct_rate(rate);
    }
    match options.floor {
        FloorChoice::Keep => {}
        FloorChoice::ToZero => {
            let height = import.assumed.floor.unwrap_or(0.0);
            lower(&mut import, height);
        }
        FloorChoice::At(height) => lower(&mut import, height),
    }
    if options.floor != FloorChoice::Keep {
        import.diagnostics.retain(|reported| reported.code != "floor");
    }
    Ok(import)
}

impl Import {
    /// Takes a rate that the motion speaks for instead of the declared one.
    fn correct_rate(&mut self, rate: f64) {
        let declared = self.clip.frame_rate;
        self.clip.frame_rate = rate;
        self.assumed.rate_reason = Reason::Found;
        for reported in &mut self.diagnostics {
            if matches!(reported.code, "frame_rate" | "cadence_implausible") {
                let message = format!("{}; {rate} fps is taken instead of {declared}", reported.message);
                *reported = Diagnostic { code: "frame_rate_corrected", detail: format!("{rate}"), message };
            }
        }
    }
}

/// Gives options to a motion that was imported already, when a take was written of it. Body, frame rate and floor are
/// overridden; a unit or an axis is refused: a take is in metres with Y up.
pub fn import_again(mut import: Import, options: &ImportOptions) -> Result<Import, ReadError> {
    let useless = [("unit", options.unit_to_metre.is_some()), ("up axis", options.up.is_some())];
    if let Some((what, _)) = useless.into_iter().find(|(_, is_given)| *is_given) {
        let message = format!("the {what} of a take cannot be chosen: takes are in metres with Y up");
        return Err(ReadError::new(ErrorKind::Take, message));
    }
    if let Some(bytes) = &options.body_file {
        let poses = import.clip.world();
        import.body = Ok(own::read_body(bytes, &import.clip.skeleton, import.body.as_ref().ok(), &poses)?);
        import.assumed.sides = None;
    }
    if let Some(frame_rate) = options.frame_rate {
        import.clip.frame_rate = frame_rate;
        import.assumed.rate_reason = Reason::Given;
    }
    if let Ok(body) = &import.body {
        import.travel = path_length(&import.clip.world(), body, import.clip.frame_rate);
    }
    match options.floor {
        FloorChoice::Keep => {}
        FloorChoice::ToZero => {
            let floor = import.body.as_ref().ok().and_then(|body| estimate_floor(&import.clip.world(), body));
            lower(&mut import, floor.unwrap_or(0.0));
        }
        FloorChoice::At(height) => lower(&mut import, height),
    }
    Ok(import)
}

/// Finds the body; feet that a rig keeps apart from its legs are hung below them first. Their names, if there are such.
fn find_complete_body(document: &mut Document) -> (Result<FoundBody, BodyError>, Option<Vec<String>>) {
    let found = find_body(&document.skeleton, &sample(document));
    if !found.as_ref().is_err_and(|error| error.problem == BodyProblem::NoFeet) {
        return (found, None);
    }
    let Some(attached) = attach_feet(&document.skeleton, &document.poses) else { return (found, None) };
    let names = attached.feet.map(|foot| attached.skeleton.name(foot).to_string()).to_vec();
    let poses = spread_frames(attached.poses.len(), SAMPLED_FRAMES);
    let poses: Vec<_> = poses.map(|frame| WorldPose::new(&attached.skeleton, attached.poses.pose(frame))).collect();
    let whole = find_body(&attached.skeleton, &poses);
    if whole.is_err() {
        return (found, None);
    }
    (document.skeleton, document.poses) = (attached.skeleton, attached.poses);
    // The channels belonged to joints in another order.
    document.bvh_channels = None;
    (whole, Some(names))
}

/// At most this many frames are looked at to find body, unit and axes.
const SAMPLED_FRAMES: usize = 64;

/// World poses of frames spread over the document, in its own unit and axes.
fn sample(document: &Document) -> Vec<WorldPose> {
    let frames = spread_frames(document.poses.len(), SAMPLED_FRAMES);
    frames.map(|frame| WorldPose::new(&document.skeleton, document.poses.pose(frame))).collect()
}

/// A declared rate this close to a whole number is that number: frame times are written with few digits. Relative.
const SNAP: f64 = 1e-4;

fn choose_rate(document: &Document, given: Option<f64>) -> (f64, Reason) {
    if let Some(rate) = given {
        return (rate, Reason::Given);
    }
    let usual = if document.poses.len() > 1 { USUAL_RATE } else { USUAL_POSE_RATE };
    match document.frame_rate {
        Some(rate) if rate >= 0.5 && (rate - rate.round()).abs() < SNAP * rate => (rate.round(), Reason::Declared),
        Some(rate) => (rate, Reason::Declared),
        None => (usual, Reason::Usual),
    }
}

/// Contacts of a file whose first frames were dropped.
fn shift_contacts(mut contacts: Contacts, dropped: usize, n_frames: usize) -> Contacts {
    contacts.n_frames = n_frames;
    contacts.plants = contacts.plants.map(|plants| {
        let shifted = plants.into_iter().map(|mut plant| {
            plant.frames =
                plant.frames.start.saturating_sub(dropped)..plant.frames.end.saturating_sub(dropped).min(n_frames);
            plant
        });
        shifted.filter(|plant| !plant.frames.is_empty()).collect()
    });
    contacts
}

/// The body map of the converted clip: found, with the soles that the motion's file carries if it does, or as a body file
/// says.
fn settle_body(
    clip: &Clip,
    poses: &[WorldPose],
    found: Result<&FoundBody, &BodyError>,
    soles: Option<&PerSide<StoredSole>>,
    body_file: Option<&[u8]>,
) -> Result<Result<BodyMap, BodyError>, ReadError> {
    let mut map = found.map(|found| found.map.clone()).map_err(Clone::clone);
    if let Ok(map) = &mut map {
        map.fit_feet(&clip.skeleton, poses, Vec3::Y);
        for side in Side::BOTH {
            let is_of = |sole: &&StoredSole| sole.ankle == clip.skeleton.name(map.legs[side].ankle);
            if let Some(sole) = soles.map(|soles| &soles[side]).filter(is_of) {
                map.legs[side].foot = sole.foot;
            }
        }
    }
    match body_file {
        Some(bytes) => Ok(Ok(own::read_body(bytes, &clip.skeleton, map.as_ref().ok(), poses)?)),
        None => Ok(map),
    }
}

/// Moves the clip down.
fn lower(import: &mut Import, height: f64) {
    let roots: Vec<_> = import.clip.skeleton.roots().collect();
    for mut pose in import.clip.poses_mut() {
        for &root in &roots {
            pose[root].translation.y -= height;
        }
    }
    if let Some(contacts) = &mut import.contacts {
        for side in Side::BOTH {
            contacts.plants[side].iter_mut().for_each(|plant| plant.position.y -= height);
        }
    }
}
