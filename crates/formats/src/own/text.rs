//! From bytes to text, and numbers as text.

use crate::{ErrorKind, ReadError};
use std::fmt::Write;

/// The text of a file: UTF-8, with or without a byte order mark. Anything else is named and refused.
pub(super) fn text_of(bytes: &[u8]) -> Result<&str, ReadError> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    if looks_like_utf16(bytes) {
        return Err(ReadError::at(ErrorKind::Encoding, 1, "the text is UTF-16; save it as UTF-8"));
    }
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let offset = error.valid_up_to();
        let line = 1 + bytes[..offset].iter().filter(|&&byte| byte == b'\n').count();
        let message = format!("byte {:#04x} is no UTF-8; save the file as UTF-8", bytes[offset]);
        ReadError::at(ErrorKind::Encoding, line, message)
    })?;
    if text.trim().is_empty() {
        return Err(ReadError::new(ErrorKind::Empty, "the file is empty"));
    }
    Ok(text)
}

/// A UTF-16 byte order mark, or a first character with a zero byte: no text of ours begins with one.
fn looks_like_utf16(bytes: &[u8]) -> bool {
    matches!(bytes, [0xff, 0xfe, ..] | [0xfe, 0xff, ..] | [0, _, ..] | [_, 0, ..])
}

/// Line numbers of byte offsets.
pub(super) struct Lines {
    /// Offsets of the newlines, rising.
    newlines: Vec<usize>,
}

impl Lines {
    pub(super) fn of(text: &str) -> Lines {
        let newlines = text.bytes().enumerate().filter(|&(_, byte)| byte == b'\n').map(|(offset, _)| offset).collect();
        Lines { newlines }
    }

    /// 1-based.
    pub(super) fn line_at(&self, offset: usize) -> usize {
        1 + self.newlines.partition_point(|&newline| newline < offset)
    }
}

/// The shortest decimal that reads back as the same number; zero has no sign.
pub(super) fn number(value: f64) -> String {
    assert!(value.is_finite(), "only finite numbers can be written");
    // -0 + 0 is 0.
    format!("{}", value + 0.0)
}

/// A basic string of TOML.
pub(super) fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            c if c.is_control() => {
                let _ = write!(out, "\\u{:04X}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

/// Radians as degrees in the fewest decimals that read back as the same radians: 30, not 29.999999999999996. Some radians
/// are no double's degrees; the nearest that are stand for them, so that writing what was read changes nothing.
pub(super) fn degrees(radians: f64) -> String {
    let reachable = radians.to_degrees().to_radians();
    let text = degrees_that_give(radians).or_else(|| degrees_that_give(reachable));
    match text {
        Some(text) if text == "-0" => "0".to_string(),
        Some(text) => text,
        None => number(radians.to_degrees()),
    }
}

/// The shortest decimal of which exactly these radians are read.
fn degrees_that_give(radians: f64) -> Option<String> {
    let gives = |text: &String| text.parse::<f64>().is_ok_and(|degrees| degrees.to_radians() == radians);
    let degrees = radians.to_degrees();
    let rounded = (0..=MAX_DECIMALS).map(|decimals| format!("{degrees:.decimals$}"));
    // Both conversions round, so the double that gives these radians may be a neighbour.
    let neighbours =
        [degrees.next_up(), degrees.next_down(), degrees.next_up().next_up(), degrees.next_down().next_down()];
    rounded.chain(neighbours.map(number)).find(gives)
}

/// More decimals of degrees than a double of a plausible heading holds.
const MAX_DECIMALS: usize = 17;

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn degrees_are_short_and_come_back() {
        for text in ["0", "30", "-90", "45.5", "179.999", "0.1", "-12.345"] {
            assert_eq!(degrees(text.parse::<f64>().unwrap().to_radians()), text);
        }
        assert_eq!(degrees(-0.0), "0");
        assert_eq!(number(-0.0), "0");
    }

    proptest! {
        #[test]
        fn any_heading_comes_back_within_a_rounding_and_stays(radians in -10.0..10.0f64) {
            let text = degrees(radians);
            let back = text.parse::<f64>().unwrap().to_radians();
            prop_assert!((back - radians).abs() <= 2.0 * f64::EPSILON * radians.abs());
            prop_assert_eq!(degrees(back), text);
        }
    }

    #[test]
    fn utf16_and_broken_utf8_are_reported_with_their_line() {
        let utf16: Vec<u8> = "{}".encode_utf16().flat_map(u16::to_le_bytes).collect();
        assert_eq!(text_of(&utf16).unwrap_err().kind, ErrorKind::Encoding);
        assert_eq!(text_of(b"\xff\xfe{\0").unwrap_err().line, Some(1));
        assert_eq!(text_of(b"{\n\n\"\xe4\"}").unwrap_err().line, Some(3));
        assert_eq!(text_of(b" \n").unwrap_err().kind, ErrorKind::Empty);
        assert_eq!(text_of(b"\xef\xbb\xbf{}").unwrap(), "{}");
    }
}
