//! Decimal numbers of motion rows, fast.
//!
//! Nearly all numbers in motion files are short: a sign, at most nineteen digits, a point. Such a number is the integer of
//! its digits divided by a power of ten, and where the integer stays below 2^53 and the power at or below 10^22 both are
//! exact in `f64`, so one division rounds correctly (W. D. Clinger, "How to read floating point numbers accurately", 1990).
//! One pass finds the end of the word and the value at once. Whatever is longer, or has an exponent, goes to `fast-float2`.

use super::words::show;
use crate::{ErrorKind, ReadError};

/// Larger numbers mean nothing in a motion: a light year in millimetres is 1e19, and squares must not overflow.
const LARGEST: f64 = 1e12;

const POWERS: [f64; 23] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20,
    1e21, 1e22,
];

/// Reads a short plain number at the start of `bytes`: its value and its length. `None` where the long method is needed, also
/// if it is no number.
#[inline]
pub(super) fn read_short_number(bytes: &[u8]) -> Option<(f64, usize)> {
    let mut at = 0;
    let negative = bytes.first() == Some(&b'-');
    if negative {
        at = 1;
    }
    let mut digits: u64 = 0;
    let whole_start = at;
    while let Some(d) = digit(bytes, at) {
        digits = digits.wrapping_mul(10).wrapping_add(d);
        at += 1;
    }
    let mut n_digits = at - whole_start;
    let mut n_decimals = 0;
    if bytes.get(at) == Some(&b'.') {
        at += 1;
        let start = at;
        while let Some(d) = digit(bytes, at) {
            digits = digits.wrapping_mul(10).wrapping_add(d);
            at += 1;
        }
        n_decimals = at - start;
        n_digits += n_decimals;
    }
    // Up to 19 digits the integer cannot have wrapped, so comparing it with 2^53 is sound.
    if n_digits == 0 || n_digits > 19 || digits > (1 << 53) || !ends_here(bytes, at) {
        return None;
    }
    let magnitude = digits as f64 / POWERS[n_decimals];
    if magnitude > LARGEST {
        return None;
    }
    Some((if negative { -magnitude } else { magnitude }, at))
}

#[inline]
fn digit(bytes: &[u8], at: usize) -> Option<u64> {
    let d = bytes.get(at)?.wrapping_sub(b'0');
    (d < 10).then_some(u64::from(d))
}

#[inline]
fn ends_here(bytes: &[u8], at: usize) -> bool {
    bytes.get(at).is_none_or(u8::is_ascii_whitespace)
}

/// Reads a whole word as a number of any form: `+.5`, `1.`, `-4.0E-7`.
pub(super) fn read_number(word: &[u8], line: usize) -> Result<f64, ReadError> {
    let unsigned = word.strip_prefix(b"+").or_else(|| word.strip_prefix(b"-")).unwrap_or(word);
    if is_nonfinite_word(unsigned) {
        let message = format!("{} is not a finite number; the recording or its export is damaged here", show(word));
        return Err(ReadError::at(ErrorKind::Nonfinite, line, message));
    }
    let plain = unsigned.first().is_some_and(|b| b.is_ascii_digit() || *b == b'.');
    let magnitude: f64 = match fast_float2::parse(unsigned) {
        Ok(value) if plain => value,
        _ => return Err(ReadError::at(ErrorKind::Number, line, not_a_number(word))),
    };
    if magnitude.is_infinite() {
        let message = format!("{} is too large for a number; the file is damaged here", show(word));
        return Err(ReadError::at(ErrorKind::Nonfinite, line, message));
    }
    if magnitude > LARGEST {
        let message = format!("{} is out of range; motion values stay below {LARGEST:e}", show(word));
        return Err(ReadError::at(ErrorKind::OutOfRange, line, message));
    }
    Ok(if word.starts_with(b"-") { -magnitude } else { magnitude })
}

/// The words that C libraries print for values that are no numbers: `nan`, `-nan(ind)`, `inf`, `1.#QNAN`.
fn is_nonfinite_word(unsigned: &[u8]) -> bool {
    let starts = |prefix: &[u8]| unsigned.get(..3).is_some_and(|head| head.eq_ignore_ascii_case(prefix));
    starts(b"nan") || starts(b"inf") || unsigned.starts_with(b"1.#")
}

fn not_a_number(word: &[u8]) -> String {
    let shown = show(word);
    if word.contains(&b',') {
        format!("{shown} is not a number; decimals need a point and values are parted by spaces, not commas")
    } else if word.iter().skip(1).any(|&b| b == b'-') {
        format!("{shown} is not a number; two numbers may be glued together without a space")
    } else {
        format!("{shown} is not a number")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn short_numbers_round_as_the_standard_library_does(text in "-?[0-9]{0,9}\\.?[0-9]{0,9}") {
            if let Some((value, length)) = read_short_number(text.as_bytes()) {
                prop_assert_eq!(length, text.len());
                prop_assert_eq!(value.to_bits(), text.parse::<f64>().unwrap().to_bits());
                prop_assert_eq!(read_number(text.as_bytes(), 1).unwrap().to_bits(), value.to_bits());
            } else {
                prop_assert!(text.trim_matches(['-', '.']).is_empty() || text.len() > 16 || text.parse::<f64>().unwrap().abs() > 1e12);
            }
        }
    }

    fn check(text: &str, expect: Result<f64, ErrorKind>) {
        assert_eq!(read_number(text.as_bytes(), 7).map_err(|e| e.kind), expect, "{text}");
    }

    #[test]
    fn forms_seen_in_files() {
        check("+1.5", Ok(1.5));
        check("1.", Ok(1.0));
        check(".0083333", Ok(0.0083333));
        check("-4.0020632E-7", Ok(-4.0020632e-7));
        check("1E+1", Ok(10.0));
        check("-2.2e-310", Ok(-2.2e-310));
        check("0.33333333333333333333333333333333", Ok(1.0 / 3.0));
    }

    #[test]
    fn words_that_are_no_numbers() {
        for word in ["--5", "+-5", "0x1p3", "1_000", "12,5", "3-4", "0.0-7.5094748", "", "-", ".", "1e", "5f", "٣.٥"]
        {
            check(word, Err(ErrorKind::Number));
        }
        for word in ["nan", "-nan(ind)", "Inf", "-infinity", "1.#QNAN", "1e309"] {
            check(word, Err(ErrorKind::Nonfinite));
        }
        for word in ["1e30", "-1e308", "9999999999999"] {
            check(word, Err(ErrorKind::OutOfRange));
        }
    }

    #[test]
    fn the_short_way_leaves_long_and_foreign_words_alone() {
        for word in ["", "-", ".", "1e5", "12345678901234567890", "1.5x", "9999999999999", "+1"] {
            assert_eq!(read_short_number(word.as_bytes()), None, "{word}");
        }
        assert_eq!(read_short_number(b"-12.5 7"), Some((-12.5, 5)));
    }
}
