//! A cursor over the words of a text, with line numbers.
//!
//! Lines end in LF, CRLF or a lone CR. Braces are words of their own, whether or not white space stands around them.

pub(super) use crate::quote::quoted as show;

/// A word and its line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Word<'a> {
    pub(super) text: &'a [u8],
    pub(super) line: usize,
}

impl Word<'_> {
    /// Whether the word is this keyword, in any case: many programs do not respect it.
    pub(super) fn is(&self, keyword: &str) -> bool {
        self.text.eq_ignore_ascii_case(keyword.as_bytes())
    }

    /// The word for a message.
    pub(super) fn shown(&self) -> String {
        show(self.text)
    }
}

/// The cursor.
#[derive(Clone)]
pub(super) struct Words<'a> {
    bytes: &'a [u8],
    at: usize,
    line: usize,
}

impl<'a> Words<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Words<'a> {
        Words { bytes, at: 0, line: 1 }
    }

    /// The line of the cursor.
    pub(super) fn line(&self) -> usize {
        self.line
    }

    /// What follows the cursor.
    pub(super) fn rest(&self) -> &'a [u8] {
        &self.bytes[self.at..]
    }

    /// The next word; `None` at the end.
    pub(super) fn next(&mut self) -> Option<Word<'a>> {
        self.skip_blank();
        let first = *self.bytes.get(self.at)?;
        let start = self.at;
        self.at += 1;
        if !is_brace(first) {
            let ends = |b: &u8| b.is_ascii_whitespace() || is_brace(*b);
            self.at += self.rest().iter().position(ends).unwrap_or(self.bytes.len() - self.at);
        }
        Some(Word { text: &self.bytes[start..self.at], line: self.line })
    }

    /// The next word, without taking it.
    pub(super) fn peek(&self) -> Option<Word<'a>> {
        self.clone().next()
    }

    /// What is left of the line up to a brace, without white space around it; may be empty.
    pub(super) fn rest_of_line(&mut self) -> Word<'a> {
        let start = self.at;
        let ends = |b: &u8| matches!(b, b'\n' | b'\r') || is_brace(*b);
        self.at += self.rest().iter().position(ends).unwrap_or(self.bytes.len() - self.at);
        Word { text: self.bytes[start..self.at].trim_ascii(), line: self.line }
    }

    fn skip_blank(&mut self) {
        while let Some(&b) = self.bytes.get(self.at) {
            if !b.is_ascii_whitespace() {
                break;
            }
            if b == b'\n' || (b == b'\r' && self.bytes.get(self.at + 1) != Some(&b'\n')) {
                self.line += 1;
            }
            self.at += 1;
        }
    }
}

fn is_brace(b: u8) -> bool {
    b == b'{' || b == b'}'
}

/// How many lines end in a text.
pub(super) fn count_line_ends(bytes: &[u8]) -> usize {
    let mut count = 0;
    for (i, &b) in bytes.iter().enumerate() {
        if b == b'\n' || (b == b'\r' && bytes.get(i + 1) != Some(&b'\n')) {
            count += 1;
        }
    }
    count
}
