//! The second half of a BVH file: the number of frames, the frame time, and the rows.
//!
//! A row is a line. Some programs break long rows over several lines; that is taken where every frame begins on a line of its
//! own, so that a row that lost a value can never shift all that follow. A declared number of frames that is not the number
//! of rows is a warning: every complete row is kept.

use super::Bvh;
use super::number::{read_number, read_short_number};
use super::read_hierarchy::Hierarchy;
use super::words::{Word, Words, show};
use crate::{ErrorKind, ReadError, Warning};

/// Reads from behind the word MOTION to the end.
pub(super) fn read_motion(mut words: Words<'_>, hierarchy: Hierarchy) -> Result<Bvh, ReadError> {
    let Hierarchy { joints, end_sites, mut warnings } = hierarchy;
    let width: usize = joints.iter().map(|joint| joint.channels.len()).sum();
    let header = read_header(&mut words)?;
    let rows = Rows::new(words.rest(), words.line(), width, header.n_frames).read()?;
    let n_frames = rows.n_frames;

    if rows.wrapped {
        let message = format!("rows of {width} values are broken over several lines");
        warnings.push(Warning { code: "wrapped_rows", line: Some(words.line() + 1), message });
    }
    if n_frames == 0 && header.n_frames > 0 {
        let kind = if width == 0 { ErrorKind::Frames } else { ErrorKind::UnexpectedEof };
        let message = format!("{} frames are declared and not one is there", header.n_frames);
        return Err(ReadError::at(kind, header.frames_line, message));
    }
    if header.n_frames != n_frames as u64 {
        let message =
            format!("{} frames are declared and {n_frames} are there; all of them were kept", header.n_frames);
        warnings.push(Warning { code: "frame_count", line: Some(header.frames_line), message });
    }
    let frame_time = check_frame_time(&header, n_frames, &mut warnings)?;
    Ok(Bvh { joints, end_sites, frame_time, values: rows.values, n_frames, warnings })
}

struct Header {
    n_frames: u64,
    frames_line: usize,
    seconds: f64,
    time_line: usize,
}

/// `Frames: N` and `Frame Time: S`, in either order, with or without blanks around the colons.
fn read_header(words: &mut Words<'_>) -> Result<Header, ReadError> {
    let (mut frames, mut time) = (None, None);
    while frames.is_none() || time.is_none() {
        let before = words.clone();
        let Some(word) = words.next() else {
            let message = "the file ends before `Frames:` and `Frame Time:`";
            return Err(ReadError::at(ErrorKind::UnexpectedEof, words.line(), message));
        };
        if frames.is_none() && starts_with(word, "Frames") {
            frames = Some((read_frames(value_after(word, "Frames", words)?)?, word.line));
        } else if time.is_none() && word.is("Frame") {
            let next = words.next().filter(|next| starts_with(*next, "Time")).ok_or_else(|| {
                ReadError::at(ErrorKind::Syntax, word.line, "`Frame Time:` was expected after `Frame`")
            })?;
            time = Some((read_seconds(value_after(next, "Time", words)?)?, word.line));
        } else if frames.is_none() {
            // The line that `Frames:` should stand on: behind MOTION, where `Frame Time:` came alone.
            let line = time.map_or(word.line, |(_, line)| line);
            let message = format!("`Frames: N` was expected, found {}", word.shown());
            return Err(ReadError::at(ErrorKind::Frames, line, message));
        } else {
            let message = format!("`Frame Time: seconds` was expected, found {}", word.shown());
            return Err(ReadError::at(ErrorKind::FrameTime, before.line(), message));
        }
    }
    let extra = words.rest_of_line();
    if !extra.text.is_empty() {
        let message = format!("{} behind the frame time; the rows begin on the next line", extra.shown());
        return Err(ReadError::at(ErrorKind::Syntax, extra.line, message));
    }
    let ((n_frames, frames_line), (seconds, time_line)) = frames.zip(time).expect("the loop ends with both");
    Ok(Header { n_frames, frames_line, seconds, time_line })
}

fn starts_with(word: Word<'_>, keyword: &str) -> bool {
    let head = word.text.get(..keyword.len());
    head.is_some_and(|head| head.eq_ignore_ascii_case(keyword.as_bytes()))
        && matches!(word.text.get(keyword.len()), None | Some(b':'))
}

/// The value behind `Keyword:`, which may be glued to it or to a colon of its own.
fn value_after<'a>(word: Word<'a>, keyword: &str, words: &mut Words<'a>) -> Result<Word<'a>, ReadError> {
    let mut rest = &word.text[keyword.len()..];
    let mut line = word.line;
    let mut has_colon = false;
    loop {
        if !has_colon && rest.first() == Some(&b':') {
            rest = &rest[1..];
            has_colon = true;
        }
        if has_colon && !rest.is_empty() {
            return Ok(Word { text: rest, line });
        }
        if !rest.is_empty() {
            let message = format!("a colon was expected before {}", show(rest));
            return Err(ReadError::at(ErrorKind::Syntax, line, message));
        }
        let Some(next) = words.next() else {
            let message = format!("the file ends behind {}", word.shown());
            return Err(ReadError::at(ErrorKind::UnexpectedEof, words.line(), message));
        };
        rest = next.text;
        line = next.line;
    }
}

fn read_frames(word: Word<'_>) -> Result<u64, ReadError> {
    if !word.text.iter().all(u8::is_ascii_digit) {
        let message = format!("{} is no number of frames; a whole number is", word.shown());
        return Err(ReadError::at(ErrorKind::Frames, word.line, message));
    }
    // A count past 2^64 is as wrong as any other that the rows do not bear out: a warning.
    let digits = word.text.iter().map(|&b| u64::from(b - b'0'));
    Ok(digits.fold(0u64, |sum, digit| sum.saturating_mul(10).saturating_add(digit)))
}

fn read_seconds(word: Word<'_>) -> Result<f64, ReadError> {
    read_number(word.text, word.line).ok().filter(|seconds| *seconds >= 0.0).ok_or_else(|| {
        let message = format!("{} is no frame time; seconds above 0 are, such as 0.0083333", word.shown());
        ReadError::at(ErrorKind::FrameTime, word.line, message)
    })
}

/// Below or above these, somebody wrote frames per second or milliseconds. Seconds.
const PLAUSIBLE_SECONDS: std::ops::RangeInclusive<f64> = 0.0002..=1.0;

/// Outside of these no clock ticks. Seconds.
const POSSIBLE_SECONDS: std::ops::RangeInclusive<f64> = 1e-6..=1e4;

fn check_frame_time(header: &Header, n_frames: usize, warnings: &mut Vec<Warning>) -> Result<Option<f64>, ReadError> {
    let (seconds, line) = (header.seconds, header.time_line);
    if seconds == 0.0 {
        if n_frames > 1 {
            let message = "a frame time of 0; seconds above 0 are right, such as 0.0083333";
            return Err(ReadError::at(ErrorKind::FrameTime, line, message));
        }
        let message = "a frame time of 0, in a file of one frame or none".to_string();
        warnings.push(Warning { code: "frame_time", line: Some(line), message });
        return Ok(None);
    }
    if !POSSIBLE_SECONDS.contains(&seconds) {
        let message = format!("a frame time of {seconds:e} s; 0.000001 to 10000 s are possible");
        return Err(ReadError::at(ErrorKind::FrameTime, line, message));
    }
    if !PLAUSIBLE_SECONDS.contains(&seconds) {
        let meant =
            if seconds > 1.0 { format!("; frames per second may be meant, {seconds} of them") } else { String::new() };
        let message = format!("a frame time of {seconds} s is taken as it is{meant}");
        warnings.push(Warning { code: "frame_time_suspicious", line: Some(line), message });
    }
    Ok(Some(seconds))
}

/// The rows of numbers.
struct Rows<'a> {
    bytes: &'a [u8],
    at: usize,
    line: usize,
    width: usize,
    declared: u64,
    values: Vec<f64>,
    n_frames: usize,
    wrapped: bool,
    /// Values of the frame that is being read.
    n_in_frame: usize,
    /// The line that frame began on.
    frame_line: usize,
}

impl<'a> Rows<'a> {
    fn new(bytes: &'a [u8], line: usize, width: usize, declared: u64) -> Rows<'a> {
        Rows {
            bytes,
            at: 0,
            line,
            width,
            declared,
            values: Vec::new(),
            n_frames: 0,
            wrapped: false,
            n_in_frame: 0,
            frame_line: line,
        }
    }

    /// After the first frame: makes room for the others that the declared count and the bytes agree on, so that neither a
    /// count that lies nor a vector that doubles takes more than the numbers need.
    fn reserve(&mut self) {
        let n_fitting = (self.bytes.len() - self.at) / self.at.max(1) + 1;
        let n_left = usize::try_from(self.declared).unwrap_or(usize::MAX).saturating_sub(1).min(n_fitting);
        self.values.reserve_exact(n_left * self.width);
    }

    fn read(mut self) -> Result<Rows<'a>, ReadError> {
        while self.at < self.bytes.len() {
            let before = self.values.len();
            self.read_line()?;
            let n_on_line = self.values.len() - before;
            if n_on_line > 0 {
                self.take_line(n_on_line)?;
            }
            self.skip_line_end();
        }
        if self.n_in_frame > 0 {
            return Err(self.wrong_width(self.frame_line, self.n_in_frame));
        }
        Ok(self)
    }

    /// Reads the numbers up to the end of the line.
    fn read_line(&mut self) -> Result<(), ReadError> {
        loop {
            while matches!(self.bytes.get(self.at), Some(b' ' | b'\t' | 0x0B | 0x0C)) {
                self.at += 1;
            }
            let rest = &self.bytes[self.at..];
            if matches!(rest.first(), None | Some(b'\n' | b'\r')) {
                return Ok(());
            }
            if let Some((value, length)) = read_short_number(rest) {
                self.values.push(value);
                self.at += length;
            } else {
                self.read_long_number(rest)?;
            }
        }
    }

    #[cold]
    fn read_long_number(&mut self, rest: &[u8]) -> Result<(), ReadError> {
        let length = rest.iter().position(u8::is_ascii_whitespace).unwrap_or(rest.len());
        let word = &rest[..length];
        let value = read_number(word, self.line).map_err(|error| {
            let all_read = self.n_frames as u64 >= self.declared && self.n_in_frame == 0;
            let at_line_start = self.values.len() == self.n_frames * self.width;
            if error.kind == ErrorKind::Number && all_read && at_line_start {
                let message = format!("{} behind the last row; nothing may follow", show(word));
                return ReadError::at(ErrorKind::Trailing, self.line, message);
            }
            error
        })?;
        self.values.push(value);
        self.at += length;
        Ok(())
    }

    /// Accounts for a line of `count` values.
    fn take_line(&mut self, count: usize) -> Result<(), ReadError> {
        if count == self.width && self.n_in_frame == 0 {
            self.n_frames += 1;
            if self.n_frames == 1 {
                self.reserve();
            }
            return Ok(());
        }
        if self.n_in_frame == 0 {
            self.frame_line = self.line;
            // Only the first frame may show that rows are broken over lines: later on, a short row has lost values.
            if self.n_frames > 0 && !self.wrapped {
                return Err(self.wrong_width(self.line, count));
            }
        }
        self.n_in_frame += count;
        if self.n_in_frame > self.width {
            let on_first_line = if self.frame_line == self.line { count } else { self.n_in_frame };
            return Err(self.wrong_width(self.frame_line, on_first_line));
        }
        if self.n_in_frame == self.width {
            self.wrapped |= self.frame_line != self.line;
            self.n_in_frame = 0;
            self.n_frames += 1;
        }
        Ok(())
    }

    fn skip_line_end(&mut self) {
        match (self.bytes.get(self.at), self.bytes.get(self.at + 1)) {
            (Some(b'\r'), Some(b'\n')) => self.at += 2,
            (Some(b'\r' | b'\n'), _) => self.at += 1,
            _ => return,
        }
        self.line += 1;
    }

    fn wrong_width(&self, line: usize, found: usize) -> ReadError {
        let message = format!("the row has {found} values; the channels need {}", self.width);
        ReadError::at(ErrorKind::RowWidth, line, message)
    }
}
