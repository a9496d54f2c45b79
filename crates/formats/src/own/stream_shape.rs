//! What a take looks like in its file, version 1, and what must hold of it.
//!
//! The shapes are those of the file and stay as they are; a change of them is a new version.

use super::stored_body::{StoredBody, StoredEndSite, StoredJoint, Three, both, read_skeleton, vector};
use super::stored_tracks::{StoredTrack, check_size, count, read_poses, store_tracks};
use crate::bvh::Channel;
use crate::{Assumed, Import, Reason, Unit, UpAxes};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::sync::Arc;
use surefoot_contact::{Contacts, FootPart, Plant, check_plant_range, path_length};
use surefoot_geom::Axis;
use surefoot_motion::{BodyError, BodyMap, BodyPart, BodyProblem, Clip, PerSide, SideEvidence, Skeleton};

/// Lengths past this mean nothing, in metres: no reader takes as much.
const MAX_NUMBER: f64 = 1e30;
/// Frames a second, with room around those that readers take (0.0001 to a million).
const FRAME_RATES: std::ops::RangeInclusive<f64> = 1e-5..=1e7;

/// The complete file.
#[derive(Serialize, Deserialize)]
pub(super) struct StoredTake<'a> {
    name: Cow<'a, str>,
    frame_rate: f64,
    n_frames: u64,
    joints: Vec<StoredJoint>,
    end_sites: Vec<StoredEndSite>,
    /// Seven for each joint.
    tracks: Vec<StoredTrack>,
    body: Result<StoredBody, StoredNoBody>,
    contacts: Option<StoredContacts>,
    bvh_channels: Option<Vec<Vec<u8>>>,
    n_channels: u64,
    assumed: StoredAssumed,
}

/// Why there is no body.
#[derive(Serialize, Deserialize)]
struct StoredNoBody {
    problem: u8,
    count: u64,
    found: Vec<(u8, Vec<String>)>,
    missing: Vec<u8>,
    n_joints: u64,
}

#[derive(Serialize, Deserialize)]
struct StoredContacts {
    /// Left, right.
    plants: [Vec<StoredPlant>; 2],
}

#[derive(Serialize, Deserialize)]
struct StoredPlant {
    is_ball: bool,
    frames: [u64; 2],
    position: Three,
}

#[derive(Serialize, Deserialize)]
struct StoredAssumed {
    unit: f64,
    unit_reason: u8,
    /// Motion, rest.
    up: [u8; 2],
    up_reason: u8,
    declared_rate: Option<f64>,
    rate_reason: u8,
    dropped_frames: u64,
    floor: Option<f64>,
    heading: Option<f64>,
    sides: Option<u8>,
    attached_feet: Vec<String>,
}

impl<'a> StoredTake<'a> {
    pub(super) fn of(import: &'a Import) -> StoredTake<'a> {
        let clip = &import.clip;
        StoredTake {
            name: Cow::Borrowed(&clip.name),
            frame_rate: clip.frame_rate,
            n_frames: clip.n_frames() as u64,
            joints: clip.skeleton.joints().iter().map(StoredJoint::of).collect(),
            end_sites: clip.skeleton.end_sites().iter().map(StoredEndSite::of).collect(),
            tracks: store_tracks(clip),
            body: import.body.as_ref().map(StoredBody::of).map_err(StoredNoBody::of),
            contacts: import.contacts.as_ref().map(StoredContacts::of),
            bvh_channels: import.bvh_channels.as_ref().map(|joints| {
                joints.iter().map(|channels| channels.iter().map(|c| channel_code(*c)).collect()).collect()
            }),
            n_channels: import.n_channels as u64,
            assumed: StoredAssumed::of(&import.assumed),
        }
    }

    /// The motion, or what is wrong. `n_bytes` is the length of the contents.
    pub(super) fn into_import(self, n_bytes: usize) -> Result<Import, String> {
        if !FRAME_RATES.contains(&self.frame_rate) {
            let (least, most) = (FRAME_RATES.start(), FRAME_RATES.end());
            return Err(format!("a frame rate of {} is none; {least} to {most} would do", self.frame_rate));
        }
        let skeleton = Arc::new(read_skeleton(self.joints, self.end_sites, MAX_NUMBER)?);
        let n_frames = check_size(self.n_frames, skeleton.n_joints(), n_bytes)?;
        let poses = read_poses(&self.tracks, n_frames, skeleton.n_joints(), MAX_NUMBER)?;
        let body = match self.body {
            Ok(body) => Ok(body.into_body(&skeleton, MAX_NUMBER)?),
            Err(error) => Err(error.into_error()?),
        };
        let contacts = self.contacts.map(|contacts| contacts.into_contacts(n_frames)).transpose()?;
        let bvh_channels = self.bvh_channels.map(|joints| read_channels(&joints, &skeleton)).transpose()?;
        let clip = Clip::new(self.name.into_owned(), skeleton, self.frame_rate, poses);
        let travel = |body: &BodyMap| path_length(&clip.world(), body, clip.frame_rate);
        Ok(Import {
            travel: body.as_ref().map_or(0.0, travel),
            clip,
            body,
            contacts,
            assumed: self.assumed.into_assumed()?,
            diagnostics: Vec::new(),
            warnings: Vec::new(),
            n_channels: count(self.n_channels)?,
            bvh_channels,
            animations: Vec::new(),
            character: None,
        })
    }
}

const PARTS: [BodyPart; 4] = [BodyPart::Pelvis, BodyPart::Hips, BodyPart::Knees, BodyPart::Ankles];

impl StoredNoBody {
    fn of(error: &BodyError) -> StoredNoBody {
        let (problem, count) = match error.problem {
            BodyProblem::NoLegs => (0, 0),
            BodyProblem::NoFeet => (1, 0),
            BodyProblem::FourLegged => (2, 0),
            BodyProblem::TooManyLegs { count } => (3, count as u64),
        };
        let part = |part: &BodyPart| code_of(&PARTS, part);
        StoredNoBody {
            problem,
            count,
            found: error.found.iter().map(|(found, names)| (part(found), names.clone())).collect(),
            missing: error.missing.iter().map(part).collect(),
            n_joints: error.n_joints as u64,
        }
    }

    fn into_error(self) -> Result<BodyError, String> {
        let part = |code: u8| of_code(&PARTS, code, "part of a body");
        let problem = match self.problem {
            0 => BodyProblem::NoLegs,
            1 => BodyProblem::NoFeet,
            2 => BodyProblem::FourLegged,
            3 => BodyProblem::TooManyLegs { count: count(self.count)? },
            other => return Err(format!("there is no reason {other} for a body that was not found")),
        };
        Ok(BodyError {
            problem,
            found: self
                .found
                .into_iter()
                .map(|(code, names)| Ok((part(code)?, names)))
                .collect::<Result<_, String>>()?,
            missing: self.missing.into_iter().map(part).collect::<Result<_, _>>()?,
            n_joints: count(self.n_joints)?,
        })
    }
}

impl StoredContacts {
    fn of(contacts: &Contacts) -> StoredContacts {
        let plant = |plant: &Plant| StoredPlant {
            is_ball: plant.part == FootPart::Ball,
            frames: [plant.frames.start as u64, plant.frames.end as u64],
            position: plant.position.to_array(),
        };
        StoredContacts { plants: both(contacts.plants.as_ref().map(|plants| plants.iter().map(plant).collect())) }
    }

    fn into_contacts(self, n_frames: usize) -> Result<Contacts, String> {
        let [left, right] = self.plants;
        let plants = PerSide::new(read_plants(left, n_frames)?, read_plants(right, n_frames)?);
        Ok(Contacts { n_frames, plants })
    }
}

fn read_plants(stored: Vec<StoredPlant>, n_frames: usize) -> Result<Vec<Plant>, String> {
    let mut free_from = [0; 2];
    let mut plants: Vec<Plant> = Vec::new();
    for plant in stored {
        let frames = count(plant.frames[0])?..count(plant.frames[1])?;
        let free_from = &mut free_from[usize::from(plant.is_ball)];
        check_plant_range(&frames, n_frames, *free_from)
            .map_err(|problem| format!("the plant [{}, {}] {problem}", frames.start, frames.end))?;
        if plants.last().is_some_and(|last| last.frames.start > frames.start) {
            return Err("plants are not in order of time".to_string());
        }
        *free_from = frames.end;
        let part = if plant.is_ball { FootPart::Ball } else { FootPart::Heel };
        plants.push(Plant { part, frames, position: vector(plant.position, MAX_NUMBER, "the place of a plant")? });
    }
    Ok(plants)
}

fn channel_code(channel: Channel) -> u8 {
    let (kind, axis) = match channel {
        Channel::Position(axis) => (0, axis),
        Channel::Rotation(axis) => (1, axis),
        Channel::Scale(axis) => (2, axis),
    };
    kind * 3 + axis as u8
}

fn read_channels(joints: &[Vec<u8>], skeleton: &Skeleton) -> Result<Vec<Vec<Channel>>, String> {
    if joints.len() != skeleton.n_joints() {
        return Err(format!("there are channels of {} joints for {}", joints.len(), skeleton.n_joints()));
    }
    let channel = |code: &u8| {
        let axis = usize::from(code % 3);
        match code / 3 {
            0 => Ok(Channel::Position(axis)),
            1 => Ok(Channel::Rotation(axis)),
            2 => Ok(Channel::Scale(axis)),
            _ => Err(format!("there is no channel {code}")),
        }
    };
    joints.iter().map(|channels| channels.iter().map(channel).collect()).collect()
}

const REASONS: [Reason; 4] = [Reason::Given, Reason::Declared, Reason::Found, Reason::Usual];
const EVIDENCE: [SideEvidence; 5] = [
    SideEvidence::Agreed,
    SideEvidence::NamesOnly,
    SideEvidence::GeometryOnly,
    SideEvidence::Contradicted,
    SideEvidence::Assumed,
];

/// Where a value stands in the list of all, which is its number in the file.
fn code_of<T: PartialEq>(all: &[T], value: &T) -> u8 {
    all.iter().position(|candidate| candidate == value).expect("all of them are listed") as u8
}

fn of_code<T: Copy>(all: &[T], code: u8, what: &str) -> Result<T, String> {
    all.get(usize::from(code)).copied().ok_or_else(|| format!("there is no {what} {code}"))
}

impl StoredAssumed {
    fn of(assumed: &Assumed) -> StoredAssumed {
        let reason = |reason: Reason| code_of(&REASONS, &reason);
        StoredAssumed {
            unit: assumed.unit.to_metre,
            unit_reason: reason(assumed.unit_reason),
            up: [assumed.up.motion, assumed.up.rest].map(|axis| code_of(&Axis::ALL, &axis)),
            up_reason: reason(assumed.up_reason),
            declared_rate: assumed.declared_rate,
            rate_reason: reason(assumed.rate_reason),
            dropped_frames: assumed.dropped_frames as u64,
            floor: assumed.floor,
            heading: assumed.heading,
            sides: assumed.sides.map(|sides| code_of(&EVIDENCE, &sides)),
            attached_feet: assumed.attached_feet.clone(),
        }
    }

    fn into_assumed(self) -> Result<Assumed, String> {
        let reason = |code: u8| of_code(&REASONS, code, "reason");
        let axis = |code: u8| of_code(&Axis::ALL, code, "axis");
        let numbers = [Some(self.unit), self.declared_rate, self.floor, self.heading];
        if let Some(number) = numbers.into_iter().flatten().find(|number| !number.is_finite()) {
            return Err(format!("a number of what was assumed means nothing: {number}"));
        }
        Ok(Assumed {
            unit: Unit::of_size(self.unit),
            unit_reason: reason(self.unit_reason)?,
            up: UpAxes { motion: axis(self.up[0])?, rest: axis(self.up[1])? },
            up_reason: reason(self.up_reason)?,
            declared_rate: self.declared_rate,
            rate_reason: reason(self.rate_reason)?,
            dropped_frames: count(self.dropped_frames)?,
            floor: self.floor,
            heading: self.heading,
            sides: self.sides.map(|code| of_code(&EVIDENCE, code, "evidence for the sides")).transpose()?,
            attached_feet: self.attached_feet,
        })
    }
}
