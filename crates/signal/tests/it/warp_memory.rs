//! The memory that finding a path takes does not grow with the square of the clips' lengths.

use allocation_counter::measure;
use surefoot_signal::{CorrespondOptions, Search, correspond};

/// Bytes at the peak of the search, above what the signals take.
fn peak(n: usize, options: &CorrespondOptions) -> usize {
    let channel = |pace: f64| (0..n).map(|k| (0.05 * k as f64 * pace).sin()).collect::<Vec<f64>>();
    let (a, b) = (channel(1.0), channel(1.03));
    let used = measure(|| {
        let found = correspond(&[&a], &[&b], &[1.0], 120.0, options).expect("a path");
        assert!(found.pairs().len() >= n);
    });
    used.bytes_max as usize
}

#[test]
fn memory_does_not_grow_with_the_square_of_the_length() {
    // Of the whole grid, channels are kept for each of about as many blocks as a block has channels: 2^1.5 times as much for
    // twice the length.
    let exact = CorrespondOptions { max_slope: Some(2), search: Search::Exact, ..CorrespondOptions::default() };
    let [one, two] = [2_000, 4_000].map(|n| peak(n, &exact));
    assert!((two as f64) < 3.2 * one as f64, "{one} bytes, then {two}");
    assert!(two < 4_000 * 4_000 / 2, "{two} bytes for 4000 samples");
    let quick = CorrespondOptions::default();
    let [one, two] = [15_000, 30_000].map(|n| peak(n, &quick));
    assert!((two as f64) < 2.5 * one as f64, "{one} bytes, then {two}");
}
