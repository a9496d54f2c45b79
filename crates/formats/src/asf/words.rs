//! Lines and words of Acclaim files.
//!
//! A line ends at LF, CR or CR LF. A word that begins with `#` ends it early; commas and parentheses are blanks. Lines
//! without a word are passed over. Nothing is copied: words are slices of the file.

use crate::plain_text::text_within;
pub(super) use crate::quote::shortened as show;
use crate::{ErrorKind, ReadError};
use surefoot_geom::Vec3;

/// A number past this means nothing as an angle, a length or a position, and sums of such numbers would overflow.
const LARGEST: f64 = 1e9;

/// A line with at least one word.
#[derive(Clone, Copy, Debug)]
pub(super) struct Line<'a> {
    /// 1-based.
    pub(super) number: usize,
    /// The first word.
    pub(super) first: &'a [u8],
    /// What follows the first word.
    pub(super) rest: &'a [u8],
}

/// Walks over the lines of a file.
pub(super) struct Lines<'a> {
    bytes: &'a [u8],
    /// The line that `bytes` begins with, 1-based.
    number: usize,
}

impl<'a> Lines<'a> {
    /// Over the text of a file; UTF-16 is refused.
    pub(super) fn new(bytes: &'a [u8]) -> Result<Lines<'a>, ReadError> {
        Ok(Lines { bytes: text_within(bytes)?, number: 1 })
    }

    /// The line that would be read next; at the end, the line after the last line break.
    pub(super) fn number(&self) -> usize {
        self.number
    }

    /// Takes one line off the file, without its end.
    fn take_line(&mut self) -> &'a [u8] {
        let end = self.bytes.iter().position(|&b| b == b'\n' || b == b'\r').unwrap_or(self.bytes.len());
        let (line, rest) = self.bytes.split_at(end);
        self.bytes = match rest {
            [b'\r', b'\n', rest @ ..] | [_, rest @ ..] => {
                self.number += 1;
                rest
            }
            [] => rest,
        };
        line
    }
}

impl<'a> Iterator for Lines<'a> {
    type Item = Line<'a>;

    fn next(&mut self) -> Option<Line<'a>> {
        while !self.bytes.is_empty() {
            let number = self.number;
            let mut words = Words { rest: without_comment(self.take_line()) };
            if let Some(first) = words.next() {
                return Some(Line { number, first, rest: words.rest });
            }
        }
        None
    }
}

/// Cuts a comment off. Only a `#` that begins a word begins a comment: Windows prints an invalid number as `-1.#IND`,
/// which must not pass for `-1.`.
fn without_comment(line: &[u8]) -> &[u8] {
    let begins_word = |i: usize| i == 0 || is_blank(line[i - 1]);
    let end = (0..line.len()).find(|&i| line[i] == b'#' && begins_word(i)).unwrap_or(line.len());
    &line[..end]
}

/// Walks over the words of a line.
#[derive(Clone)]
pub(super) struct Words<'a> {
    rest: &'a [u8],
}

impl<'a> Iterator for Words<'a> {
    type Item = &'a [u8];

    fn next(&mut self) -> Option<&'a [u8]> {
        let start = self.rest.iter().position(|&b| !is_blank(b))?;
        let from_word = &self.rest[start..];
        let end = from_word.iter().position(|&b| is_blank(b)).unwrap_or(from_word.len());
        let (word, rest) = from_word.split_at(end);
        self.rest = rest;
        Some(word)
    }
}

fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | 0x0B | 0x0C | b',' | b'(' | b')')
}

impl<'a> Line<'a> {
    /// The words after the first.
    pub(super) fn words(&self) -> Words<'a> {
        Words { rest: self.rest }
    }

    /// Whether the first word is `keyword`, in any case.
    pub(super) fn is(&self, keyword: &str) -> bool {
        self.first.eq_ignore_ascii_case(keyword.as_bytes())
    }

    /// An error in this line.
    pub(super) fn error(&self, kind: ErrorKind, message: impl Into<String>) -> ReadError {
        ReadError::at(kind, self.number, message)
    }

    /// The numbers after the first word, exactly `N` of them.
    pub(super) fn numbers<const N: usize>(&self) -> Result<[f64; N], ReadError> {
        let mut words = self.words();
        let mut numbers = [0.0; N];
        for (i, number) in numbers.iter_mut().enumerate() {
            let word = words.next().ok_or_else(|| {
                self.error(ErrorKind::Syntax, format!("`{}` needs {N} numbers and has {i}", self.keyword()))
            })?;
            *number = finite(word, self.number)?;
        }
        self.expect_end(words)?;
        Ok(numbers)
    }

    /// Three numbers after the first word.
    pub(super) fn vector(&self) -> Result<Vec3, ReadError> {
        self.numbers::<3>().map(Vec3::from_array)
    }

    /// Refuses words left over.
    pub(super) fn expect_end(&self, mut words: Words<'_>) -> Result<(), ReadError> {
        match words.next() {
            None => Ok(()),
            Some(word) => {
                let message = format!("`{}` follows the value of `{}`", show(word), self.keyword());
                Err(self.error(ErrorKind::Syntax, message))
            }
        }
    }

    /// The first word, for a message.
    pub(super) fn keyword(&self) -> String {
        show(self.first)
    }
}

fn nonfinite(word: &[u8], line: usize) -> ReadError {
    ReadError::at(ErrorKind::Nonfinite, line, format!("`{}` is no number to calculate with", show(word)))
}

/// A number that may be infinite, as limits are.
pub(super) fn extended(word: &[u8], line: usize) -> Result<f64, ReadError> {
    match fast_float2::parse::<f64, _>(word) {
        Ok(number) if number.is_nan() => Err(nonfinite(word, line)),
        Ok(number) => Ok(number),
        // `1.#INF` and the like.
        Err(_) if word.contains(&b'#') => Err(nonfinite(word, line)),
        Err(_) => Err(ReadError::at(ErrorKind::Number, line, format!("`{}` is no number", show(word)))),
    }
}

/// A finite number of a sensible size.
pub(super) fn finite(word: &[u8], line: usize) -> Result<f64, ReadError> {
    let number = extended(word, line)?;
    if number.is_infinite() {
        return Err(nonfinite(word, line));
    }
    if number.abs() > LARGEST {
        let message = format!("`{}` is too large to mean anything", show(word));
        return Err(ReadError::at(ErrorKind::OutOfRange, line, message));
    }
    Ok(number)
}

/// Whether a word looks like a number, also a broken one, and not like a name.
pub(super) fn looks_like_number(word: &[u8]) -> bool {
    matches!(word.first(), Some(b'0'..=b'9' | b'-' | b'+' | b'.'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(text: &str) -> Vec<(usize, Vec<String>)> {
        let line_words = |line: Line<'_>| std::iter::once(line.first).chain(line.words()).map(show).collect();
        Lines::new(text.as_bytes()).expect("text").map(|line| (line.number, line_words(line))).collect()
    }

    #[test]
    fn lines_count_from_one_over_every_line_end() {
        for text in ["a\n\nb c\n", "a\r\n\r\nb c\r\n", "a\r\rb c", "\u{feff}a\n # x\n b\t c # d"] {
            let expected = vec![(1, vec!["a".to_string()]), (3, vec!["b".to_string(), "c".to_string()])];
            assert_eq!(all(text), expected, "{text:?}");
        }
        assert_eq!(all(""), vec![]);
        assert_eq!(all("a\n\x1A\0\0").len(), 1);
        assert_eq!(Lines::new(b"\xFF\xFEa\0").err().map(|e| e.kind), Some(ErrorKind::Encoding));
    }

    #[test]
    fn parentheses_and_commas_are_blanks() {
        assert_eq!(all("limits (-1.0,2.0) (-inf inf)")[0].1, ["limits", "-1.0", "2.0", "-inf", "inf"]);
    }

    #[test]
    fn numbers_are_finite_and_of_sensible_size() {
        assert_eq!(finite(b"-7.62852e-016", 1), Ok(-7.62852e-16));
        for (word, kind) in [
            ("nan", ErrorKind::Nonfinite),
            ("inf", ErrorKind::Nonfinite),
            ("1e400", ErrorKind::Nonfinite),
            ("-1.#IND", ErrorKind::Nonfinite),
            ("1e12", ErrorKind::OutOfRange),
            ("1.2.3", ErrorKind::Number),
            ("x", ErrorKind::Number),
        ] {
            assert_eq!(finite(word.as_bytes(), 7).map_err(|e| (e.kind, e.line)), Err((kind, Some(7))), "{word}");
        }
        assert_eq!(extended(b"-inf", 1), Ok(f64::NEG_INFINITY));
    }
}
