//! Reads a motion: frames of values for the bones of a skeleton.
//!
//! A frame is its number on a line of its own, then a line for the root and for each bone that moves, in any order. A
//! frame must give every value: there is no word for "as before".

use super::read_asf::lower_case_name;
use super::words::{Line, Lines, finite, looks_like_number, show};
use super::{AngleUnit, Asf};
use crate::{ErrorKind, ReadError, Warning};

/// Transforms that any file may ask for, whatever its size.
const FREE_TRANSFORMS: usize = 1 << 19;
/// Bytes that each transform beyond those must have in the file. A real file has about 25; a skeleton of many bones
/// that do not move could otherwise blow a small file up without bound.
const BYTES_PER_TRANSFORM: usize = 2;

/// A motion.
#[derive(Clone, Debug, PartialEq)]
pub struct Amc {
    /// What its angles are counted in.
    pub angle: AngleUnit,
    /// From `:SAMPLES-PER-SECOND`, which few writers give.
    pub frame_rate: Option<f64>,
    /// How many frames there are.
    pub n_frames: usize,
    /// What was unusual and read all the same.
    pub warnings: Vec<Warning>,
    /// Frame after frame: the root's values, then each bone's in the order of [`Asf::bones`]; as the file has them.
    values: Vec<f64>,
    /// Values in a frame.
    n_dofs: usize,
}

impl Amc {
    /// The values of a frame: the root's, then each bone's in the order of [`Asf::bones`]; as the file has them.
    pub fn frame(&self, frame: usize) -> &[f64] {
        &self.values[frame * self.n_dofs..(frame + 1) * self.n_dofs]
    }
}

/// Reads an AMC file of the skeleton `asf`.
pub fn read_amc(bytes: &[u8], asf: &Asf) -> Result<Amc, ReadError> {
    let mut reader = Reader::new(asf, bytes.len());
    let mut lines = Lines::new(bytes)?;
    for line in &mut lines {
        if line.first[0] == b':' {
            reader.take_keyword(&line)?;
        } else if is_frame_number(&line) {
            reader.finish_frame()?;
            reader.begin_frame(&line)?;
        } else {
            reader.take_bone(&line)?;
        }
    }
    reader.finish_frame()?;
    reader.finish(lines.number())
}

fn is_frame_number(line: &Line<'_>) -> bool {
    looks_like_number(line.first) && line.words().next().is_none()
}

/// Where a bone's values stand in a frame. Slot 0 is the root's, slot i + 1 that of bone i.
struct Slot {
    start: usize,
    n_values: usize,
    /// The last frame, counted from one, that gave them.
    seen_in: usize,
}

struct Reader<'a> {
    asf: &'a Asf,
    n_bytes: usize,
    angle: Option<AngleUnit>,
    frame_rate: Option<f64>,
    slots: Vec<Slot>,
    n_dofs: usize,
    /// Slots that a frame must give.
    n_moving: usize,
    /// Frames begun.
    n_frames: usize,
    /// Moving slots that the frame gave so far.
    n_seen: usize,
    number: u64,
    number_line: usize,
    first_gap: Option<(usize, String)>,
    values: Vec<f64>,
    name: Vec<u8>,
    warnings: Vec<Warning>,
}

impl<'a> Reader<'a> {
    fn new(asf: &'a Asf, n_bytes: usize) -> Reader<'a> {
        let mut n_dofs = 0;
        let counts = std::iter::once(asf.root.order.len()).chain(asf.bones.iter().map(|bone| bone.dofs.len()));
        let slots: Vec<Slot> = counts
            .map(|n_values| {
                let start = n_dofs;
                n_dofs += n_values;
                Slot { start, n_values, seen_in: 0 }
            })
            .collect();
        let n_moving = slots.iter().filter(|slot| slot.n_values > 0).count();
        Reader {
            asf,
            n_bytes,
            angle: None,
            frame_rate: None,
            slots,
            n_dofs,
            n_moving,
            n_frames: 0,
            n_seen: 0,
            number: 0,
            number_line: 0,
            first_gap: None,
            values: Vec::new(),
            name: Vec::new(),
            warnings: Vec::new(),
        }
    }

    fn take_keyword(&mut self, line: &Line<'_>) -> Result<(), ReadError> {
        if self.n_frames > 0 {
            let message = format!("`{}` is among the frames; keywords come before them", line.keyword());
            return Err(line.error(ErrorKind::Syntax, message));
        }
        if line.is(":DEGREES") {
            self.angle = Some(AngleUnit::Degrees);
        } else if line.is(":RADIANS") {
            self.angle = Some(AngleUnit::Radians);
        } else if line.is(":SAMPLES-PER-SECOND") {
            let [rate] = line.numbers()?;
            if !(1e-4..=1e6).contains(&rate) {
                let message = format!("{rate:e} samples per second are not possible; 120 are");
                return Err(line.error(ErrorKind::OutOfRange, message));
            }
            self.frame_rate = Some(rate);
        }
        // Others (`:FULLY-SPECIFIED`, `:ASF-FILE`) change nothing for us.
        Ok(())
    }

    fn begin_frame(&mut self, line: &Line<'_>) -> Result<(), ReadError> {
        let number = std::str::from_utf8(line.first).ok().and_then(|word| word.parse::<u64>().ok());
        let Some(number) = number else {
            let message = format!("a frame number is a whole number, not `{}`", line.keyword());
            return Err(line.error(ErrorKind::FrameNumber, message));
        };
        if self.n_frames > 0 && number <= self.number {
            let message = format!("frame {number} follows frame {}; numbers must rise", self.number);
            return Err(line.error(ErrorKind::FrameNumber, message));
        }
        if self.n_frames > 0 && number != self.number + 1 && self.first_gap.is_none() {
            self.first_gap = Some((line.number, format!("frame {number} follows frame {}", self.number)));
        }
        self.n_frames += 1;
        let n_transforms = self.n_frames.saturating_mul(self.asf.bones.len() + 1);
        if n_transforms > FREE_TRANSFORMS + self.n_bytes / BYTES_PER_TRANSFORM {
            let message =
                format!("{} frames of {} bones is more than this file can hold", self.n_frames, self.asf.bones.len());
            return Err(line.error(ErrorKind::Limit, message));
        }
        (self.number, self.number_line, self.n_seen) = (number, line.number, 0);
        self.values.resize(self.values.len() + self.n_dofs, 0.0);
        Ok(())
    }

    fn take_bone(&mut self, line: &Line<'_>) -> Result<(), ReadError> {
        if self.n_frames == 0 {
            let message = format!(
                "an AMC file begins with keywords and the number of a frame, this one with `{}`",
                line.keyword()
            );
            return Err(line.error(ErrorKind::NotAmc, message));
        }
        let index = self.slot_of(line)?;
        let slot = &mut self.slots[index];
        if slot.seen_in == self.n_frames {
            let message = format!("`{}` appears twice in frame {}", line.keyword(), self.number);
            return Err(line.error(ErrorKind::DuplicateBone, message));
        }
        slot.seen_in = self.n_frames;
        self.n_seen += usize::from(slot.n_values > 0);
        let start = (self.n_frames - 1) * self.n_dofs + slot.start;
        let targets = &mut self.values[start..start + slot.n_values];
        let mut n_values = 0;
        for word in line.words() {
            let value = finite(word, line.number)?;
            if let Some(target) = targets.get_mut(n_values) {
                *target = value;
            }
            n_values += 1;
        }
        if n_values != targets.len() {
            let message =
                format!("`{}` has {n_values} values; the skeleton gives it {}", line.keyword(), targets.len());
            return Err(line.error(ErrorKind::ValueCount, message));
        }
        Ok(())
    }

    fn slot_of(&mut self, line: &Line<'_>) -> Result<usize, ReadError> {
        if line.first.is_ascii() {
            self.name.clear();
            self.name.extend(line.first.iter().map(u8::to_ascii_lowercase));
        } else {
            self.name = lower_case_name(line.first);
        }
        match self.asf.by_name.get(&self.name) {
            Some(bone) => Ok(bone.map_or(0, |bone| bone + 1)),
            None => {
                let message = format!("`{}` is no bone of the skeleton; is this the right ASF file?", line.keyword());
                Err(line.error(ErrorKind::UnknownBone, message))
            }
        }
    }

    /// At the end of a frame: all that moves must have been given.
    fn finish_frame(&mut self) -> Result<(), ReadError> {
        if self.n_frames == 0 || self.n_seen == self.n_moving {
            return Ok(());
        }
        let missing = self.slots.iter().position(|slot| slot.n_values > 0 && slot.seen_in != self.n_frames);
        let name = match missing.and_then(|slot| slot.checked_sub(1)) {
            Some(bone) => show(self.asf.bones[bone].name.as_bytes()),
            None => "root".to_string(),
        };
        let message = format!("frame {} has no values for `{name}`", self.number);
        Err(ReadError::at(ErrorKind::MissingBone, self.number_line, message))
    }

    fn finish(mut self, last_line: usize) -> Result<Amc, ReadError> {
        if self.n_frames == 0 {
            return Err(ReadError::at(ErrorKind::Empty, last_line, "the file has no frames"));
        }
        let angle = self.angle.unwrap_or_else(|| {
            let message =
                format!("neither `:DEGREES` nor `:RADIANS`; taken as the skeleton's, {}", self.asf.units.angle.name());
            self.warnings.push(Warning { code: "angle_from_asf", line: None, message });
            self.asf.units.angle
        });
        if let Some((line, found)) = self.first_gap {
            let message = format!("{found}; the frames are read as if none were missing");
            self.warnings.push(Warning { code: "frame_number", line: Some(line), message });
        }
        Ok(Amc {
            angle,
            frame_rate: self.frame_rate,
            n_frames: self.n_frames,
            warnings: self.warnings,
            values: self.values,
            n_dofs: self.n_dofs,
        })
    }
}
