//! What our own files carry beside the motion: the exact frame rate, how to play it, the foot contacts, the events and the
//! soles, in the animation's `extras`.
//!
//! ```jsonc
//! { "surefoot": {
//!     "frame_rate": 120, "loop": true, "root_motion": "in_place", "speed": 1.3,
//!     "events": [{ "name": "left_down", "time": 0.08, "frame": 10 }, ...],
//!     "contacts": { "contacts": 1, "frames": 240, "left": { "heel": [[10, 31]], "ball": [] }, "right": { ... } },
//!     "positions": { "left": { "heel": [[0.1, 0, 0.6]], "ball": [] }, "right": { ... } },
//!     "soles": { "soles": 1, "left": { ... }, "right": { ... } } } }
//! ```
//!
//! `contacts` has the shape of a contacts file; `positions` says for each of its ranges where the part is planted, in
//! metres; `events` are for engines ([`crate::own::foot_events`]) and not read back; `soles` is described in `soles.rs`. Files from before soles were stored have none. `extras` of others are not ours to judge: anything that does not fit this shape is as if it were not
//! there.

use super::soles::Soles;
use crate::document::StoredSole;
use crate::own::{CONTACTS_VERSION, Playback, foot_events};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use surefoot_contact::{Contacts, FootPart, Plant, RootMotion, check_plant_range};
use surefoot_geom::Vec3;
use surefoot_motion::{PerSide, Side};

#[derive(Serialize, Deserialize)]
pub(super) struct Extras {
    surefoot: Notes,
}

/// Our notes on an animation.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Notes {
    pub(super) frame_rate: f64,
    #[serde(rename = "loop", default, skip_serializing_if = "std::ops::Not::not")]
    is_loop: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    root_motion: Option<serde_json::Value>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    speed: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    events: Option<serde_json::Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    contacts: Option<Ranges>,
    #[serde(skip_serializing_if = "Option::is_none")]
    positions: Option<Sides<[f64; 3]>>,
    /// Kept apart from the rest until it is looked at: soles that are none must not cost the contacts.
    #[serde(skip_serializing_if = "Option::is_none")]
    soles: Option<serde_json::Value>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
struct Ranges {
    contacts: u32,
    frames: usize,
    #[serde(flatten)]
    sides: Sides<[usize; 2]>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
struct Sides<T> {
    left: Parts<T>,
    right: Parts<T>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
struct Parts<T> {
    heel: Vec<T>,
    ball: Vec<T>,
}

impl<T> Sides<T> {
    fn from_fn(mut make: impl FnMut(Side, FootPart) -> Vec<T>) -> Sides<T> {
        let mut parts = |side| Parts { heel: make(side, FootPart::Heel), ball: make(side, FootPart::Ball) };
        Sides { left: parts(Side::Left), right: parts(Side::Right) }
    }

    fn list(&self, side: Side, part: FootPart) -> &[T] {
        let parts = match side {
            Side::Left => &self.left,
            Side::Right => &self.right,
        };
        match part {
            FootPart::Heel => &parts.heel,
            FootPart::Ball => &parts.ball,
        }
    }
}

impl Extras {
    /// Notes to write.
    pub(super) fn new(
        frame_rate: f64,
        playback: &Playback,
        contacts: Option<&Contacts>,
        soles: Option<Soles>,
    ) -> Extras {
        let plants = |contacts: &Contacts, side: Side, part: FootPart| -> Vec<Plant> {
            contacts.plants[side].iter().filter(|plant| plant.part == part).cloned().collect()
        };
        let ranges = |contacts: &Contacts| Ranges {
            contacts: CONTACTS_VERSION,
            frames: contacts.n_frames,
            sides: Sides::from_fn(|side, part| {
                plants(contacts, side, part).iter().map(|plant| [plant.frames.start, plant.frames.end]).collect()
            }),
        };
        let positions = |contacts: &Contacts| {
            Sides::from_fn(|side, part| {
                plants(contacts, side, part).iter().map(|plant| plant.position.to_array()).collect()
            })
        };
        let soles = soles.and_then(|soles| serde_json::to_value(soles).ok());
        let events = contacts.map(|contacts| foot_events(contacts, frame_rate, playback.is_loop));
        // Feet of a body in place slide by design: they come down and go up, but are planted nowhere.
        let standing = contacts.filter(|_| playback.root_motion != Some(RootMotion::InPlace.name()));
        let notes = Notes {
            frame_rate,
            is_loop: playback.is_loop,
            root_motion: playback.root_motion.map(serde_json::Value::from),
            speed: playback.speed,
            events: events.and_then(|events| serde_json::to_value(events).ok()),
            contacts: standing.map(ranges),
            positions: standing.map(positions),
            soles,
        };
        Extras { surefoot: notes }
    }
}

/// Our notes, if the extras hold any.
pub(super) fn read_notes(extras: Option<&RawValue>) -> Option<Notes> {
    let extras: Extras = serde_json::from_str(extras?.get()).ok()?;
    Some(extras.surefoot).filter(|notes| notes.frame_rate.is_finite() && notes.frame_rate > 0.0)
}

/// What became of the contacts in the notes.
pub(super) enum FoundContacts {
    /// The notes have none.
    None,
    /// They fit the clip.
    Fit(Contacts),
    /// They do not fit, and why.
    Unfit(&'static str),
}

impl Notes {
    /// The soles, if there are any; or why they cannot be used.
    pub(super) fn soles(&self) -> Option<Result<PerSide<StoredSole>, &'static str>> {
        let soles = Soles::deserialize(self.soles.as_ref()?);
        Some(soles.map_err(|_| "they are broken").and_then(|soles| soles.read()))
    }

    /// The contacts, for a clip of `n_frames` at `frame_rate`.
    pub(super) fn contacts(&self, n_frames: usize, frame_rate: f64) -> FoundContacts {
        let Some(ranges) = &self.contacts else {
            return FoundContacts::None;
        };
        if ranges.contacts != CONTACTS_VERSION {
            return FoundContacts::Unfit("they are of a version that is not known");
        }
        if ranges.frames != n_frames || frame_rate != self.frame_rate {
            return FoundContacts::Unfit("they belong to another number or rate of frames");
        }
        let mut plants: PerSide<Vec<Plant>> = PerSide::default();
        for side in Side::BOTH {
            for part in FootPart::BOTH {
                let Some(found) = self.plants(&ranges.sides, side, part, n_frames) else {
                    return FoundContacts::Unfit("their ranges or positions are broken");
                };
                plants[side].extend(found);
            }
            plants[side].sort_by_key(|plant| (plant.frames.start, plant.frames.end));
        }
        FoundContacts::Fit(Contacts { n_frames, plants })
    }

    /// `None` if ranges are empty, overlap or pass the end, or if there is not a position for each.
    fn plants(&self, sides: &Sides<[usize; 2]>, side: Side, part: FootPart, n_frames: usize) -> Option<Vec<Plant>> {
        let ranges = sides.list(side, part);
        let positions = self.positions.as_ref()?.list(side, part);
        if positions.len() != ranges.len() {
            return None;
        }
        let mut free_from = 0;
        let mut plants = Vec::with_capacity(ranges.len());
        for (&[start, end], &position) in ranges.iter().zip(positions) {
            let (frames, position) = (start..end, Vec3::from_array(position));
            check_plant_range(&frames, n_frames, free_from).ok().filter(|()| position.is_finite())?;
            free_from = end;
            plants.push(Plant { part, frames, position });
        }
        Some(plants)
    }
}
