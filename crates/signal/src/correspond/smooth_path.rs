//! A path of pairs made a warp: smooth, increasing, and nowhere steeper than a limit.
//!
//! A path goes by whole samples: at a pace of 3 to 2 it stands in one signal at every third step, and reads as a judder. Smoothing
//! one time over the other would let steep parts grow steeper at their ends, or fall back. In the coordinates
//!
//! ```text
//! s = a + b    how far both have come together
//! d = b - a    how far B is ahead
//! ```
//!
//! a path is a function `d(s)`, a step in both leaves `d` as it is, and a slope of at most m means that `d` changes by at most
//! g = (m - 1) / (m + 1) as s grows by one. That bound survives any averaging with weights that add up to one:
//!
//! 1. `d(s)` is brought under the bound: half way between the smallest function above it and the largest below it that keep to it
//!    (parts that keep to it do not change);
//! 2. it is smoothed with a Gaussian, reflected through its end points so that these stay;
//! 3. knots are read off, and the warp goes through them.
//!
//! Between knots a warp may be a little steeper than the knots are. Where that leads past the limit, all is done again with a
//! smaller bound. The least bound leaves a straight line, which keeps to any limit that the lengths of the signals do.

use super::Correspondence;
use crate::TimeWarp;

/// A warp is never steeper than this, for it must increase.
const STEEPEST: f64 = 32.0;
/// A Gaussian is cut off at so many times its width.
const CUT_OFF: f64 = 3.5;
/// How much smaller each further bound is.
const NEXT_BOUND: f64 = 0.98;

impl Correspondence {
    /// The warp along the path, smoothed with a Gaussian of a standard deviation in frames, with slopes from `1 / max_slope` to
    /// `max_slope`; or as steep as the lengths of the signals need, if that is more. A limit below 1 counts as 1, and one above
    /// 32 as 32.
    pub fn to_warp(&self, smoothing_frames: f64, max_slope: f64) -> TimeWarp {
        let last = self.pairs().last().copied().unwrap_or([0; 2]);
        if last.contains(&0) {
            return TimeWarp::linear(last[0] + 1, last[1] + 1);
        }
        let ahead = self.ahead();
        let length = (ahead.len() - 1) as f64;
        let straight = ((last[1] as f64 - last[0] as f64) / length).abs();
        let max_slope = max_slope.clamp(1.0, STEEPEST).max((1.0 + straight) / (1.0 - straight));
        let mut bound = (max_slope - 1.0) / (max_slope + 1.0);
        // Along s a frame of both is two.
        let width = if smoothing_frames.is_finite() { 2.0 * smoothing_frames.max(0.0) } else { 0.0 };
        while bound > straight {
            let smooth = smoothed(&bounded(&ahead, bound), width);
            let warp = through_knots(&smooth, width);
            let [least, most] = warp.slope_range();
            if least * max_slope >= 1.0 && most <= max_slope {
                return warp;
            }
            bound *= NEXT_BOUND;
        }
        TimeWarp::linear(last[0] + 1, last[1] + 1)
    }

    /// How far B is ahead, for every sum of both.
    fn ahead(&self) -> Vec<f64> {
        let mut ahead: Vec<f64> = Vec::with_capacity(self.pairs().len() * 2);
        for &[a, b] in self.pairs() {
            // After a step in both there is a sum in between.
            ahead.resize(a + b + 1, b as f64 - a as f64);
        }
        ahead
    }
}

/// Brought under a bound of its change from each number to the next; the ends stay, if the straight line between them is under it.
fn bounded(ahead: &[f64], bound: f64) -> Vec<f64> {
    let n = ahead.len();
    let (first, last) = (ahead[0], ahead[n - 1]);
    let mut above = ahead.to_vec();
    let mut below = ahead.to_vec();
    for k in 1..n {
        above[k] = above[k].min(above[k - 1] + bound);
        below[k] = below[k].max(below[k - 1] - bound);
    }
    for k in (0..n - 1).rev() {
        above[k] = above[k].min(above[k + 1] + bound);
        below[k] = below[k].max(below[k + 1] - bound);
    }
    let between = |k: usize| {
        let (from_first, from_last) = (bound * k as f64, bound * (n - 1 - k) as f64);
        let low = (first - from_first).max(last - from_last);
        let high = (first + from_first).min(last + from_last);
        ((above[k] + below[k]) / 2.0).min(high).max(low)
    };
    (0..n).map(between).collect()
}

/// Smoothed with a Gaussian, reflected through the end points.
fn smoothed(row: &[f64], width: f64) -> Vec<f64> {
    let n = row.len();
    let radius = ((width * CUT_OFF) as usize).min(n - 1);
    if radius == 0 {
        return row.to_vec();
    }
    let weights: Vec<f64> = (0..=radius).map(|k| (-0.5 * (k as f64 / width).powi(2)).exp()).collect();
    let total = weights[0] + 2.0 * weights[1..].iter().sum::<f64>();
    let at = |k: isize| {
        if k < 0 {
            2.0 * row[0] - row[k.unsigned_abs()]
        } else if k as usize >= n {
            2.0 * row[n - 1] - row[2 * (n - 1) - k as usize]
        } else {
            row[k as usize]
        }
    };
    let mean = |k: usize| {
        let (k, here) = (k as isize, row[k]);
        // In differences, so that what is even stays exactly.
        let spread =
            (1..).zip(&weights[1..]).map(|(far, weight)| weight * ((at(k - far) - here) + (at(k + far) - here)));
        here + spread.sum::<f64>() / total
    };
    (0..n).map(mean).collect()
}

/// Knots at every half width, and at both ends.
fn through_knots(ahead: &[f64], width: f64) -> TimeWarp {
    let last = ahead.len() - 1;
    let spacing = ((width / 2.0) as usize).clamp(2, 64);
    let n_pieces = last.div_ceil(spacing).max(1);
    let knot = |k: usize| {
        let s = (k * last) as f64 / n_pieces as f64;
        let (low, t) = (s as usize, s.fract());
        let d = if t == 0.0 { ahead[low] } else { ahead[low] + (ahead[low + 1] - ahead[low]) * t };
        [(s - d) / 2.0, (s + d) / 2.0]
    };
    TimeWarp::from_knots((0..=n_pieces).map(knot).collect()).expect("under the bound both times increase")
}
