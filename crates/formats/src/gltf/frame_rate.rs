//! The frame rate behind key times, which no glTF states.
//!
//! Idea: a recording has a key in every frame, so the gap between keys is the frame time; a hand-made animation has
//! keys on some frames of an unseen grid, so the grid is the coarsest usual rate that all keys lie on. In order:
//!
//! 1. the rate that the caller asks for;
//! 2. the rate in our own `extras`, if the keys agree with it;
//! 3. keys evenly spaced at 10 a second or more, without splines: their own rate, snapped to a usual or whole one;
//! 4. the lowest usual rate from 24 up on which all keys lie;
//! 5. evenly spaced keys, at any rate from 10 up;
//! 6. 30, and the caller reports that keys were resampled.
//!
//! The keys are those of the channel with the most. Times are `f32` in the file: the tolerance grows with them.

/// Rates that cameras, engines and capture systems use.
const USUAL_RATES: [f64; 21] = [
    24.0, 25.0, 30.0, 48.0, 50.0, 60.0, 72.0, 75.0, 90.0, 100.0, 120.0, 144.0, 150.0, 180.0, 200.0, 240.0, 250.0,
    300.0, 480.0, 500.0, 1000.0,
];
/// Television's: 23.976 and its kin.
const NTSC_RATES: [f64; 4] = [24_000.0 / 1001.0, 30_000.0 / 1001.0, 60_000.0 / 1001.0, 120_000.0 / 1001.0];
/// What keys that lie on no grid are sampled at.
const FALLBACK_RATE: f64 = 30.0;
/// Evenly spaced keys further apart than this are poses to move between, not frames.
const SLOWEST_RECORDING: f64 = 10.0;
/// Rates past this are refused; the fastest motion capture runs at a tenth.
pub(super) const MAX_RATE: f64 = 10_000.0;

/// A rate, and whether the keys lie on its frames.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct RateChoice {
    pub(super) rate: f64,
    pub(super) holds_keys: bool,
}

/// How far a key may lie from a frame and still be meant for it, in frames: a share for exporters' own rounding, and
/// four roundings of `f32` at that time. Never so far that any key would do.
pub(super) fn tolerance_frames(time: f64, rate: f64) -> f64 {
    (1e-3 + 4.0 * f64::from(f32::EPSILON) * time.abs() * rate).min(0.2)
}

/// Finds the rate of keys at rising `times` in a clip that begins at `start`; steps 2 to 6 of the module's list.
pub(super) fn find_rate(times: &[f64], start: f64, has_splines: bool, declared: Option<f64>) -> RateChoice {
    let found = declared
        .filter(|&rate| on_grid(times, start, rate).is_some())
        .or_else(|| even_rate(times).filter(|_| !has_splines))
        .or_else(|| USUAL_RATES.into_iter().chain(NTSC_RATES).find(|&rate| on_grid(times, start, rate).is_some()))
        .or_else(|| even_rate(times));
    RateChoice { rate: found.unwrap_or(FALLBACK_RATE), holds_keys: found.is_some() }
}

/// The largest distance of a key from a frame, if all are within tolerance.
fn on_grid(times: &[f64], start: f64, rate: f64) -> Option<f64> {
    largest_error(times, rate, |_, time| {
        let frames = (time - start) * rate;
        frames - frames.round()
    })
}

/// The rate of evenly spaced keys, snapped to the best of usual, television and whole rates.
fn even_rate(times: &[f64]) -> Option<f64> {
    let [first, .., last] = times else {
        return None;
    };
    let rate = (times.len() - 1) as f64 / (last - first);
    if !(SLOWEST_RECORDING - 1e-3..=MAX_RATE).contains(&rate) {
        return None;
    }
    let error_at = |rate: f64| largest_error(times, rate, |i, time| (time - first) * rate - i as f64);
    error_at(rate)?;
    let snapped = USUAL_RATES.into_iter().chain(NTSC_RATES).chain([rate.round()]);
    let fitting = snapped.filter_map(|rate| error_at(rate).map(|error| (rate, error)));
    let best = fitting.min_by(|a, b| a.1.total_cmp(&b.1));
    Some(best.map_or(rate, |(rate, _)| rate))
}

fn largest_error(times: &[f64], rate: f64, error: impl Fn(usize, f64) -> f64) -> Option<f64> {
    let mut largest = 0.0f64;
    for (i, &time) in times.iter().enumerate() {
        let distance = error(i, time).abs();
        if distance > tolerance_frames(time, rate) {
            return None;
        }
        largest = largest.max(distance);
    }
    Some(largest)
}

/// Frames from `start` to `end`: the last is the one at the end, or the last before it.
pub(super) fn n_frames(start: f64, end: f64, rate: f64) -> f64 {
    ((end - start) * rate + tolerance_frames(end, rate)).floor() + 1.0
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Keys at multiples of a frame, as `f32` would hold them.
    fn keys(rate: f64, frames: impl IntoIterator<Item = u32>) -> Vec<f64> {
        frames.into_iter().map(|frame| f64::from((f64::from(frame) / rate) as f32)).collect()
    }

    fn check(times: &[f64], rate: f64, holds_keys: bool) {
        let found = find_rate(times, times[0], false, None);
        assert_eq!(found, RateChoice { rate, holds_keys }, "{} keys", times.len());
    }

    #[test]
    fn recordings_of_every_usual_rate_keep_it() {
        let others = [10.0, 12.0, 15.0, 20.0, 125.0];
        for rate in USUAL_RATES.into_iter().chain(NTSC_RATES).chain(others) {
            for (first, n) in [(0, 2), (0, 10), (7, 500), (0, 20_000)] {
                check(&keys(rate, first..first + n), rate, true);
            }
        }
    }

    #[test]
    fn an_unusual_rate_of_even_keys_is_kept() {
        let found = find_rate(&keys(33.7, 0..400), 0.0, false, None);
        assert!(found.holds_keys && (found.rate - 33.7).abs() < 1e-5);
    }

    #[test]
    fn sparse_keys_lie_on_the_lowest_usual_grid() {
        check(&[0.0, 1.25], 24.0, true);
        check(&keys(30.0, [0, 7, 8, 20, 51]), 30.0, true);
        check(&keys(120.0, [0, 7, 8, 21, 139]), 120.0, true);
        check(&keys(30.0, (0..20).map(|i| 10 * i)), 24.0, true);
    }

    #[test]
    fn splines_are_sampled_between_slow_keys() {
        let times = keys(12.0, 0..20);
        assert_eq!(find_rate(&times, 0.0, true, None).rate, 24.0);
        assert_eq!(find_rate(&times, 0.0, false, None).rate, 12.0);
    }

    #[test]
    fn a_declared_rate_is_taken_where_the_keys_agree() {
        let times = keys(60.0, 0..20);
        assert_eq!(find_rate(&times, 0.0, false, Some(120.0)).rate, 120.0);
        assert_eq!(find_rate(&times, 0.0, false, Some(59.0)).rate, 60.0);
    }

    #[test]
    fn keys_on_no_grid_fall_back() {
        check(&[0.0, 0.012_345, 0.7, 1.234_567], FALLBACK_RATE, false);
        check(&[0.25], 24.0, true);
    }

    #[test]
    fn the_last_frame_is_at_or_before_the_end() {
        assert_eq!(n_frames(0.5, 1.5, 24.0), 25.0);
        assert_eq!(n_frames(0.0, f64::from(0.1f32), 120.0), 13.0);
        assert_eq!(n_frames(0.0, 0.99, 10.0), 10.0);
        assert_eq!(n_frames(2.0, 2.0, 30.0), 1.0);
    }
}
