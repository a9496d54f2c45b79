//! A path of pairs made a warp: smooth, increasing, and nowhere steeper than a limit.
//!
//! A path goes by whole samples: at a pace of 3 to 2 it stands in one signal at every third step, and reads as a
//! judder. Smoothing one time over the other would let steep parts grow steeper, or fall back. In the coordinates
//!
//! ```text
//! s = a + b    how far both have come together
//! d = b - a    how far B is ahead
//! ```
//!
//! a path is a function `d(s)`, a step in both leaves `d` as it is, and a slope of at most m means that `d` changes by
//! at most g = (m - 1) / (m + 1) as s grows by one. That bound survives any averaging with weights that add up to one:
//!
//! 1. `d(s)` is brought under the bound: half way between the smallest function above it and the largest below it that
//!    keep to it (parts that keep to it do not change);
//! 2. it is smoothed with a Gaussian, reflected through its end points so that these stay. By how much it has moved
//!    from anchors is taken off again, on straight lines between them;
//! 3. knots are read off, and the warp goes through them.
//!
//! Between knots, and by what is taken off, a warp may become a little steeper than the bound. Where that leads past
//! the limit, all is done again with a smaller bound. The least bound leaves straight lines between the ends and
//! anchors.

use crate::{Correspondence, TimeWarp};

/// A warp is never steeper than this, for it must increase.
const STEEPEST: f64 = 32.0;
/// A Gaussian is cut off at so many times its width.
const CUT_OFF: f64 = 3.5;
/// How much smaller each further bound is.
const NEXT_BOUND: f64 = 0.97;
/// Knots are not farther apart than so many frames of both.
const WIDEST_PIECE: f64 = 8.0;

impl Correspondence {
    /// The warp along the path, smoothed with a Gaussian of a standard deviation in frames, with slopes from `1 /
    /// max_slope` to `max_slope`; or as steep as the lengths of the signals and the anchors need, if that is more. A
    /// limit below 1 counts as 1, and one above 32 as 32. Anchors are pairs of the path, in order, that the warp goes
    /// through.
    pub fn to_warp(&self, smoothing_frames: f64, max_slope: f64, anchors: &[[usize; 2]]) -> TimeWarp {
        Ahead::of(self, anchors).to_warp(smoothing_frames, max_slope)
    }
}

/// How far B is ahead of A, for every sum of both times.
#[derive(Clone, Debug)]
pub(crate) struct Ahead {
    /// The last frames of A and of B.
    last: [usize; 2],
    pub(crate) values: Vec<f64>,
    /// Places whose values stay, in order: the ends and anchors.
    pub(crate) held: Vec<usize>,
}

impl Ahead {
    pub(crate) fn of(path: &Correspondence, anchors: &[[usize; 2]]) -> Ahead {
        let last = path.pairs().last().copied().unwrap_or([0; 2]);
        let mut values: Vec<f64> = Vec::with_capacity(last[0] + last[1] + 1);
        for &[a, b] in path.pairs() {
            // After a step in both there is a sum in between.
            values.resize(a + b + 1, b as f64 - a as f64);
        }
        let inner = anchors.iter().map(|[a, b]| a + b).filter(|sum| *sum > 0 && *sum < last[0] + last[1]);
        let held = std::iter::once(0).chain(inner).chain([last[0] + last[1]]).collect();
        Ahead { last, values, held }
    }

    /// The warp; see [`Correspondence::to_warp`].
    pub(crate) fn to_warp(&self, smoothing_frames: f64, max_slope: f64) -> TimeWarp {
        let [n_a, n_b] = self.last.map(|last| last + 1);
        if self.last.contains(&0) {
            return TimeWarp::linear(n_a, n_b);
        }
        let needed = self.held.windows(2).map(|ends| self.mean_change(ends[0], ends[1]).abs()).fold(0.0, f64::max);
        let max_slope = max_slope.clamp(1.0, STEEPEST).max((1.0 + needed) / (1.0 - needed));
        let mut bound = (max_slope - 1.0) / (max_slope + 1.0);
        // Along s a frame of both is two.
        let width = if smoothing_frames.is_finite() { 2.0 * smoothing_frames.max(0.0) } else { 0.0 };
        while bound > needed {
            let warp = self.bounded(bound).smoothed(width).through_knots(width);
            if let Ok(warp) = warp {
                let [least, most] = warp.slope_range();
                if least * max_slope >= 1.0 && most <= max_slope {
                    return warp;
                }
            }
            bound *= NEXT_BOUND;
        }
        let straight = self.held.iter().map(|s| self.pair_at(*s as f64)).collect();
        TimeWarp::from_knots(straight).unwrap_or_else(|_| TimeWarp::linear(n_a, n_b))
    }

    fn mean_change(&self, from: usize, to: usize) -> f64 {
        (self.values[to] - self.values[from]) / (to - from) as f64
    }

    /// Brought under a bound of the change from each value to the next; what is held stays.
    fn bounded(&self, bound: f64) -> Ahead {
        let n = self.values.len();
        let (mut above, mut below) = (self.values.clone(), self.values.clone());
        // Held values admit nothing but what they can be reached from.
        let (mut high, mut low) = (vec![f64::INFINITY; n], vec![f64::NEG_INFINITY; n]);
        for &s in &self.held {
            (high[s], low[s]) = (self.values[s], self.values[s]);
        }
        let mut step = |k: usize, from: usize| {
            above[k] = above[k].min(above[from] + bound);
            below[k] = below[k].max(below[from] - bound);
            high[k] = high[k].min(high[from] + bound);
            low[k] = low[k].max(low[from] - bound);
        };
        (1..n).for_each(|k| step(k, k - 1));
        (0..n - 1).rev().for_each(|k| step(k, k + 1));
        let values = (0..n).map(|k| ((above[k] + below[k]) / 2.0).min(high[k]).max(low[k])).collect();
        Ahead { values, ..self.clone() }
    }

    /// Smoothed with a Gaussian, and moved back to what is held.
    fn smoothed(mut self, width: f64) -> Ahead {
        let smooth = smooth(&self.values, width);
        let moved = |s: usize| smooth[s] - self.values[s];
        let mut values = smooth.clone();
        for ends in self.held.windows(2) {
            let (from, to) = (moved(ends[0]), moved(ends[1]));
            if from != 0.0 || to != 0.0 {
                let n = (ends[1] - ends[0]) as f64;
                for s in ends[0]..=ends[1] {
                    values[s] = smooth[s] - (from + (to - from) * (s - ends[0]) as f64 / n);
                }
            }
        }
        self.values = values;
        self
    }

    /// The times of A and B at a sum of both.
    fn pair_at(&self, s: f64) -> [f64; 2] {
        let (low, t) = (s as usize, s.fract());
        let d =
            if t == 0.0 { self.values[low] } else { self.values[low] + (self.values[low + 1] - self.values[low]) * t };
        [(s - d) / 2.0, (s + d) / 2.0]
    }

    /// The warp through what is held, and through knots at about every half width between.
    fn through_knots(&self, width: f64) -> Result<TimeWarp, crate::WarpError> {
        let spacing = (width / 2.0).clamp(2.0, 2.0 * WIDEST_PIECE);
        let mut knots = vec![self.pair_at(0.0)];
        for ends in self.held.windows(2) {
            let length = (ends[1] - ends[0]) as f64;
            let n = (length / spacing).ceil().max(1.0) as usize;
            knots.extend((1..=n).map(|k| self.pair_at(ends[0] as f64 + length * k as f64 / n as f64)));
        }
        TimeWarp::from_knots(knots)
    }
}

/// Smoothed with a Gaussian, reflected through the end points.
fn smooth(channel: &[f64], width: f64) -> Vec<f64> {
    let n = channel.len();
    let radius = ((width * CUT_OFF) as usize).min(n - 1);
    if radius == 0 {
        return channel.to_vec();
    }
    let weights: Vec<f64> = (0..=radius).map(|k| (-0.5 * (k as f64 / width).powi(2)).exp()).collect();
    let total = weights[0] + 2.0 * weights[1..].iter().sum::<f64>();
    let at = |k: isize| {
        if k < 0 {
            2.0 * channel[0] - channel[k.unsigned_abs()]
        } else if k as usize >= n {
            2.0 * channel[n - 1] - channel[2 * (n - 1) - k as usize]
        } else {
            channel[k as usize]
        }
    };
    let mean = |k: usize| {
        let (k, here) = (k as isize, channel[k]);
        // In differences, so that what is even stays exactly.
        let spread =
            (1..).zip(&weights[1..]).map(|(far, weight)| weight * ((at(k - far) - here) + (at(k + far) - here)));
        here + spread.sum::<f64>() / total
    };
    (0..n).map(mean).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{CorrespondOptions, Search, correspond};
    use proptest::prelude::*;

    /// The warp of a path goes from end to end through the anchors, is no steeper than the limit and stays near the
    /// path.
    fn check(path: &Correspondence, smoothing: f64, max_slope: f64, anchors: &[[usize; 2]], near: f64) {
        let warp = path.to_warp(smoothing, max_slope, anchors);
        let (knots, last) = (warp.knots(), path.pairs()[path.pairs().len() - 1]);
        assert_eq!([knots[0], knots[knots.len() - 1]], [[0.0; 2], last.map(|frame| frame as f64)]);
        let [least, most] = warp.slope_range();
        assert!(least * max_slope >= 1.0 - 1e-12 && most <= max_slope + 1e-12, "slopes {least} to {most}");
        for anchor in anchors {
            let b = warp.b_at(anchor[0] as f64);
            assert!((b - anchor[1] as f64).abs() < 1e-9, "anchor {anchor:?} at {b}");
        }
        for &[a, b] in path.pairs() {
            // The distance to the nearer side of the step.
            let off = (warp.b_at(a as f64) - b as f64).abs().min((warp.a_at(b as f64) - a as f64).abs());
            assert!(off <= near, "pair {a} {b} is {off} off");
        }
    }

    /// A path with runs of up to `max_slope - 1` steps.
    fn path_of(steps: &[(u8, usize)], max_slope: usize) -> Correspondence {
        let mut pairs = vec![[0; 2]];
        let mut step = |by: [usize; 2]| {
            let at = pairs[pairs.len() - 1];
            pairs.push([at[0] + by[0], at[1] + by[1]]);
        };
        for (kind, n) in steps {
            match kind {
                0 => (0..*n).for_each(|_| step([1, 1])),
                _ => (0..1 + n % (max_slope - 1)).for_each(|_| step(if *kind == 1 { [1, 0] } else { [0, 1] })),
            }
            step([1, 1]);
        }
        Correspondence::of(pairs)
    }

    proptest! {
        #[test]
        fn warps_keep_to_the_limit_of_slopes(
            steps in proptest::collection::vec((0..3u8, 0..9usize), 1..60),
            max_slope in 2..6usize,
            smoothing in prop_oneof![Just(0.0), 0.5..12.0f64],
        ) {
            let path = path_of(&steps, max_slope);
            let middle = path.pairs()[path.pairs().len() / 2];
            let [a, b] = path.pairs()[path.pairs().len() - 1];
            let (a, b) = (a as f64, b as f64);
            // The runs at both ends may make a short path steeper as a whole.
            let limit = (max_slope as f64).max(a / b).max(b / a);
            check(&path, smoothing, limit, &[], 4.0 * smoothing + limit + 3.0);
            if middle[0] > 0 && middle[1] > 0 && path.to_warp(smoothing, limit, &[middle]).slope_range()[1] <= limit {
                check(&path, smoothing, 32.0, &[middle], 4.0 * smoothing + limit + 3.0);
            }
        }
    }

    #[test]
    fn an_even_path_gives_an_even_warp() {
        let path = path_of(&[(0, 9), (0, 30)], 2);
        let warp = path.to_warp(3.0, 3.0, &[]);
        for k in 0..80 {
            let a = 0.5 * f64::from(k);
            assert_eq!(warp.b_at(a), a);
        }
        // Two for one, at the limit itself.
        let path = path_of(&[(2, 0); 40], 2);
        let warp = path.to_warp(3.0, 2.0, &[]);
        assert!((warp.b_at(20.0) - 40.0).abs() < 0.5, "{}", warp.b_at(20.0));
    }

    #[test]
    fn a_path_that_stands_and_jumps_gives_a_warp_that_increases() {
        let pairs: Vec<[usize; 2]> = (0..50).map(|i| [i, 0]).chain((1..50).map(|j| [49, j])).collect();
        let path = Correspondence::of(pairs);
        // It cannot come near the corner.
        for (smoothing, max_slope) in [(0.0, 32.0), (4.0, 32.0), (4.0, 1.0)] {
            check(&path, smoothing, max_slope, &[], f64::INFINITY);
        }
        assert_eq!(Correspondence::of(vec![[0, 0], [0, 1]]).to_warp(1.0, 2.0, &[]), TimeWarp::linear(1, 2));
        assert_eq!(Correspondence::of(Vec::new()).to_warp(1.0, 2.0, &[]), TimeWarp::linear(0, 0));
    }

    #[test]
    fn a_warp_goes_through_the_anchors_of_its_path() {
        let channel = |n: usize, speed: f64| -> Vec<f64> { (0..n).map(|k| (k as f64 * speed).sin()).collect() };
        let (a, b) = (channel(90, 0.2), channel(120, 0.16));
        let anchors = vec![[20, 31], [50, 60], [51, 62]];
        let options =
            CorrespondOptions { anchors: anchors.clone(), search: Search::Exact, ..CorrespondOptions::default() };
        let path = correspond(&[&a], &[&b], &[1.0], 30.0, &options).unwrap();
        assert!(anchors.iter().all(|anchor| path.pairs().contains(anchor)));
        check(&path, 2.0, 3.0, &anchors, 8.0);
    }
}
