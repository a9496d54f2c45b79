//! When and where feet stand: plants of heels and balls.

use std::ops::Range;
use surefoot_geom::Vec3;
use surefoot_motion::{BodyMap, Clip, PerSide, Side};

/// The part of a foot that stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FootPart {
    /// The back of the sole.
    Heel,
    /// The ball, the papers' subtalar joint.
    Ball,
}

impl FootPart {
    /// Heel, then ball.
    pub const BOTH: [FootPart; 2] = [FootPart::Heel, FootPart::Ball];

    /// `heel` or `ball`.
    pub fn name(self) -> &'static str {
        match self {
            FootPart::Heel => "heel",
            FootPart::Ball => "ball",
        }
    }
}

/// One uninterrupted stay of a heel or ball on the ground.
#[derive(Clone, Debug, PartialEq)]
pub struct Plant {
    /// What stands.
    pub part: FootPart,
    /// Half-open; not empty.
    pub frames: Range<usize>,
    /// Where it stands, in the world.
    pub position: Vec3,
}

/// All plants of a clip.
#[derive(Clone, Debug, PartialEq)]
pub struct Contacts {
    /// Frames of the clip they belong to.
    pub n_frames: usize,
    /// For each side in order of time; plants of one part do not overlap.
    pub plants: PerSide<Vec<Plant>>,
}

/// Why frame ranges are no contacts.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ContactsError {
    /// A range is empty or reversed.
    #[error("{side} {part} plant [{start}, {end}] is empty; the end is the first frame after the plant")]
    Empty {
        /// `left` or `right`.
        side: &'static str,
        /// `heel` or `ball`.
        part: &'static str,
        /// First frame.
        start: usize,
        /// First frame after.
        end: usize,
    },
    /// A range ends after the clip does.
    #[error("{side} {part} plant [{start}, {end}] ends after the last of {n_frames} frames")]
    PastEnd {
        /// `left` or `right`.
        side: &'static str,
        /// `heel` or `ball`.
        part: &'static str,
        /// First frame.
        start: usize,
        /// First frame after.
        end: usize,
        /// Frames of the clip.
        n_frames: usize,
    },
    /// Two ranges of one part overlap or touch out of order.
    #[error("{side} {part} plant [{start}, {end}] begins before the one ahead of it ends")]
    Overlap {
        /// `left` or `right`.
        side: &'static str,
        /// `heel` or `ball`.
        part: &'static str,
        /// First frame.
        start: usize,
        /// First frame after.
        end: usize,
    },
}

impl Contacts {
    /// No foot ever stands.
    pub fn none(n_frames: usize) -> Contacts {
        Contacts { n_frames, plants: PerSide::default() }
    }

    /// Contacts from frame ranges, as files give them; a plant's position is the mean of the part's own over its frames.
    pub fn from_ranges(
        clip: &Clip,
        body: &BodyMap,
        ranges: &[(Side, FootPart, Range<usize>)],
    ) -> Result<Contacts, ContactsError> {
        let mut contacts = Contacts::none(clip.n_frames());
        for (side, part, frames) in ranges {
            let (side_name, part_name, start, end) = (side.name(), part.name(), frames.start, frames.end);
            if start >= end {
                return Err(ContactsError::Empty { side: side_name, part: part_name, start, end });
            }
            if end > clip.n_frames() {
                let n_frames = clip.n_frames();
                return Err(ContactsError::PastEnd { side: side_name, part: part_name, start, end, n_frames });
            }
            let earlier = contacts.plants[*side].iter().rev().find(|plant| plant.part == *part);
            if earlier.is_some_and(|plant| plant.frames.end > start) {
                return Err(ContactsError::Overlap { side: side_name, part: part_name, start, end });
            }
            let sum: Vec3 = frames
                .clone()
                .map(|frame| {
                    let pose = clip.world_pose(frame);
                    match part {
                        FootPart::Heel => body.heel(&pose, *side),
                        FootPart::Ball => body.ball(&pose, *side),
                    }
                })
                .sum();
            let position = sum / frames.len() as f64;
            contacts.plants[*side].push(Plant { part: *part, frames: frames.clone(), position });
        }
        for side in Side::BOTH {
            contacts.plants[side].sort_by_key(|plant| (plant.frames.start, plant.frames.end));
        }
        Ok(contacts)
    }

    /// Whether a part stands in a frame.
    pub fn is_planted(&self, side: Side, part: FootPart, frame: usize) -> bool {
        self.plants[side].iter().any(|plant| plant.part == part && plant.frames.contains(&frame))
    }
}
