//! Mutation of texts by their words: most single-byte changes only break a number or a name, so half of all mutations move, repeat
//! or drop whole words instead, or put an odd number in the place of one.

use libfuzzer_sys::fuzzer_mutate;
use std::ops::Range;

/// Numbers at the edges of what readers must tell apart.
const ODD_NUMBERS: [&str; 16] = [
    "0",
    "-0",
    "1",
    "-1",
    "2",
    "0.5",
    "90",
    "1e-300",
    "1e300",
    "1e999",
    "-7.5e2",
    "4294967296",
    "9007199254740993",
    "nan",
    "inf",
    "123456",
];

/// Longest run of words that is moved at once.
const MAX_RUN: usize = 12;

/// A custom mutator for libFuzzer: `data[..size]` is the input; returns the new size, at most `max_size`.
pub fn mutate_words(data: &mut [u8], size: usize, max_size: usize, seed: u32) -> usize {
    let mut random = Random(u64::from(seed) + 1);
    let words = words_of(&data[..size]);
    if words.len() < 2 || random.below(2) == 0 {
        return fuzzer_mutate(data, size, max_size);
    }
    let from = random.run(words.len());
    let to = random.run(words.len());
    let bytes = |run: &Range<usize>| words[run.start].start..words[run.end - 1].end;
    let (from, to) = (bytes(&from), bytes(&to));
    let old = data[..size].to_vec();
    let new = match random.below(4) {
        0 => splice(&old, to.start..to.start, &old[from]),
        1 => splice(&old, to, &[]),
        2 => splice(&old, to, &old[from]),
        _ => splice(&old, to, ODD_NUMBERS[random.below(ODD_NUMBERS.len())].as_bytes()),
    };
    let length = new.len().min(max_size);
    data[..length].copy_from_slice(&new[..length]);
    length
}

fn splice(old: &[u8], place: Range<usize>, new: &[u8]) -> Vec<u8> {
    [&old[..place.start], new, &old[place.end..]].concat()
}

/// Runs of letters, digits, points and signs, and every other byte on its own.
fn words_of(data: &[u8]) -> Vec<Range<usize>> {
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || b"._+-#".contains(&byte);
    let mut words: Vec<Range<usize>> = Vec::new();
    for (index, &byte) in data.iter().enumerate() {
        match words.last_mut() {
            Some(word) if is_word(byte) && is_word(data[index - 1]) => word.end = index + 1,
            _ => words.push(index..index + 1),
        }
    }
    words
}

/// Enough randomness for a mutator (splitmix64).
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % n as u64) as usize
    }

    /// A run of one or more of `n` words.
    fn run(&mut self, n: usize) -> Range<usize> {
        let start = self.below(n);
        start..start + 1 + self.below(MAX_RUN.min(n - start))
    }
}
