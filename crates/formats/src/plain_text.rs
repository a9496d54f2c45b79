//! What surrounds a text in a file and is no part of it: a byte order mark ahead, padding behind.

use crate::{ErrorKind, ReadError};

/// The text of a file. A mark of UTF-8 ahead is passed over; UTF-16 is refused by name, since it would otherwise pass for
/// damage. Old editors end a text with Ctrl-Z, and some downloads pad with NUL to a block: both are cut off, with the white
/// space between and after them. White space that follows the last word directly stays.
pub(crate) fn text_within(bytes: &[u8]) -> Result<&[u8], ReadError> {
    if bytes.starts_with(b"\xFF\xFE") || bytes.starts_with(b"\xFE\xFF") {
        return Err(ReadError::at(ErrorKind::Encoding, 1, "the text is UTF-16; save it as UTF-8 or ASCII"));
    }
    let text = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    let is_padding = |b: &u8| *b == 0 || *b == 0x1A;
    let words_end = text.iter().rposition(|b| !is_padding(b) && !b.is_ascii_whitespace()).map_or(0, |last| last + 1);
    let padding = text[words_end..].iter().position(is_padding).map_or(text.len(), |from| words_end + from);
    Ok(&text[..padding])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_and_padding_are_cut_off_and_the_text_stays() {
        for (file, text) in [
            (&b"a b\n"[..], &b"a b\n"[..]),
            (b"\xEF\xBB\xBFa b\n", b"a b\n"),
            (b"a b\n\x1A", b"a b\n"),
            (b"a b\n\x1A\r\n\0\0\0", b"a b\n"),
            (b"a\0b\0\0", b"a\0b"),
            (b"\0\0", b""),
            (b"  \n", b"  \n"),
            (b"", b""),
        ] {
            assert_eq!(text_within(file), Ok(text), "{file:?}");
        }
    }

    #[test]
    fn utf_16_is_refused_by_name() {
        for file in [b"\xFF\xFEa\0", b"\xFE\xFF\0a"] {
            assert_eq!(text_within(file).map_err(|error| error.kind), Err(ErrorKind::Encoding));
        }
    }
}
