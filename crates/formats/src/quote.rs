//! Words of a file in a message: short, and harmless whatever the file holds.

/// A word of more characters than this is cut; names of joints are shorter.
const LONGEST: usize = 40;
/// Bytes of the longest character in UTF-8.
const WIDEST: usize = 4;

/// Bytes of a file for a message, without quotation marks: at most [`LONGEST`] characters, then `...`. What is no text, and
/// what would move the cursor or turn the direction of writing of a terminal, is replaced.
pub(crate) fn shortened(word: &[u8]) -> String {
    // A word may be as long as the file: no more is looked at than can be shown.
    let text = String::from_utf8_lossy(&word[..word.len().min((LONGEST + 1) * WIDEST)]);
    let mut short: String = text.chars().take(LONGEST).map(harmless).collect();
    if text.chars().nth(LONGEST).is_some() {
        short.push_str("...");
    }
    short
}

/// The same in backticks.
pub(crate) fn quoted(word: &[u8]) -> String {
    format!("`{}`", shortened(word))
}

fn harmless(c: char) -> char {
    let turns_writing =
        matches!(c, '\u{200E}' | '\u{200F}' | '\u{061C}' | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}');
    // Line and paragraph separators break lines without being control characters.
    let breaks_line = matches!(c, '\u{2028}' | '\u{2029}');
    if c.is_control() || turns_writing || breaks_line { char::REPLACEMENT_CHARACTER } else { c }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_words_are_shown_as_they_are() {
        for word in ["", "Hips", "Bip01 L Thigh", "Hüfte", "左足", &"x".repeat(40)] {
            assert_eq!(shortened(word.as_bytes()), word);
        }
        assert_eq!(quoted(b"Hips"), "`Hips`");
    }

    #[test]
    fn long_words_are_cut_between_characters() {
        for c in ["x", "ü", "左", "🦶"] {
            assert_eq!(shortened(c.repeat(41).as_bytes()), c.repeat(40) + "...");
            assert_eq!(shortened(c.repeat(100_000).as_bytes()), c.repeat(40) + "...");
            // Characters of several widths put the cut of the bytes anywhere within one.
            for ahead in 0..6 {
                let word = "x".repeat(ahead) + &c.repeat(90);
                assert!(!shortened(word.as_bytes()).contains('\u{FFFD}'), "{word}");
            }
        }
    }

    #[test]
    fn nothing_that_a_terminal_obeys_comes_through() {
        let tricks = b"\x1b[31m\r\n\t\0\x07\x7f\xff\xc2\x9b\xe2\x80\xae\xe2\x80\xa8name";
        let shown = shortened(tricks);
        assert!(shown.ends_with("name") && shown.contains("[31m"), "{shown:?}");
        assert!(shown.chars().all(|c| c == '\u{FFFD}' || c.is_ascii_graphic()), "{shown:?}");
    }
}
