//! Contacts: `*.contacts.json`, version 1.
//!
//! ```json
//! { "contacts": 1, "frames": 240,
//!   "left":  { "heel": [[10, 31]], "ball": [[12, 36]] },
//!   "right": { "heel": [],         "ball": [[0, 14]] } }
//! ```
//!
//! Ranges are half-open: a plant `[10, 31]` begins in frame 10 and frame 31 is the first without it. They stand in order of
//! time and do not overlap, so that a slip of the hand is found. Positions are not stored: a clip has them.

use super::fields::Field;
use super::json::parse_json;
use crate::{ErrorKind, ReadError};
use std::fmt::Write;
use std::ops::Range;
use surefoot_contact::{Contacts, FootPart, check_plant_range};
use surefoot_motion::{BodyMap, Clip, PerSide, Side};

/// The version that a contacts file begins with.
pub(crate) const VERSION: u32 = 1;

/// When feet are planted, without the clip that says where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ContactRanges {
    /// Frames of the clip that they belong to.
    pub n_frames: usize,
    /// Left before right, heel before ball, then in order of time; ranges of one part do not overlap and end with the clip
    /// at the latest.
    pub ranges: Vec<(Side, FootPart, Range<usize>)>,
}

impl ContactRanges {
    /// Contacts of a clip with as many frames.
    pub fn of_clip(&self, clip: &Clip, body: &BodyMap) -> Result<Contacts, ReadError> {
        if self.n_frames != clip.n_frames() {
            let (ours, theirs) = (self.n_frames, clip.n_frames());
            let message = format!("frames: the contacts are of a clip of {ours} frames; this one has {theirs}");
            return Err(ReadError::new(ErrorKind::Contacts, message));
        }
        Contacts::from_ranges(clip, body, &self.ranges)
            .map_err(|error| ReadError::new(ErrorKind::Contacts, error.to_string()))
    }
}

/// Reads contacts.
pub fn read_contacts(bytes: &[u8]) -> Result<ContactRanges, ReadError> {
    let tree = parse_json(bytes)?;
    let root = Field::root(&tree);
    root.expect_version("contacts", VERSION, "\"contacts\": 1")?;
    root.expect_object(&["contacts", "frames", "left", "right"])?;
    let n_frames = root.required("frames", "\"frames\": 240, the length of the clip")?.frames()?;
    let mut ranges = Vec::new();
    for side in Side::BOTH {
        let foot = root.required(side.name(), "\"left\": { \"heel\": [[10, 31]], \"ball\": [] }")?;
        foot.expect_object(&["heel", "ball"])?;
        for part in FootPart::BOTH {
            let list = foot.required(part.name(), "\"heel\": [[10, 31]], or [] for none")?;
            read_ranges(&list, n_frames, |range| ranges.push((side, part, range)))?;
        }
    }
    Ok(ContactRanges { n_frames, ranges })
}

fn read_ranges(list: &Field<'_>, n_frames: usize, mut push: impl FnMut(Range<usize>)) -> Result<(), ReadError> {
    let mut free_from = 0;
    for item in list.items("a list of frame ranges such as [[10, 31]]")? {
        let range = read_range(&item)?;
        check_plant_range(&range, n_frames, free_from).map_err(|problem| {
            item.error(ErrorKind::Contacts, format!("[{}, {}] {problem}", range.start, range.end))
        })?;
        free_from = range.end;
        push(range);
    }
    Ok(())
}

fn read_range(field: &Field<'_>) -> Result<Range<usize>, ReadError> {
    let mut ends = field.items("a range of frames such as [10, 31]")?;
    match (ends.next(), ends.next(), ends.len()) {
        (Some(start), Some(end), 0) => Ok(start.frames()?..end.frames()?),
        _ => Err(field.error(ErrorKind::Type, "a range has two numbers, the first frame and the first after it")),
    }
}

/// Contacts as a file, a line for each plant.
pub fn write_contacts(contacts: &Contacts) -> String {
    let mut out = format!("{{ \"contacts\": {VERSION}, \"frames\": {},\n", contacts.n_frames);
    for side in Side::BOTH {
        let lists = FootPart::BOTH.map(|part| {
            let ranges: Vec<&Range<usize>> =
                contacts.plants[side].iter().filter(|plant| plant.part == part).map(|plant| &plant.frames).collect();
            format!("    \"{}\": [{}]", part.name(), write_ranges(&ranges))
        });
        let comma = if side == Side::Left { "," } else { " }" };
        // Writing to a string cannot fail.
        let _ = writeln!(out, "  \"{}\": {{\n{} }}{comma}", side.name(), lists.join(",\n"));
    }
    out
}

fn write_ranges(ranges: &[&Range<usize>]) -> String {
    let lines: Vec<String> = ranges.iter().map(|range| format!("\n      [{}, {}]", range.start, range.end)).collect();
    lines.join(",")
}

/// The ranges of contacts, in the order that a file has them.
impl From<&Contacts> for ContactRanges {
    fn from(contacts: &Contacts) -> ContactRanges {
        let mut ranges = Vec::new();
        for (side, plants) in PerSide::as_ref(&contacts.plants).iter() {
            for part in FootPart::BOTH {
                let of_part = plants.iter().filter(|plant| plant.part == part);
                ranges.extend(of_part.map(|plant| (side, part, plant.frames.clone())));
            }
        }
        ContactRanges { n_frames: contacts.n_frames, ranges }
    }
}
