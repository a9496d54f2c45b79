//! A path between samples moved to where the values themselves agree best, between samples too.
//!
//! Idea: a path knows time to the sample. Where both signals move, a difference of their values shows how far between
//! samples they correspond (the difference divided by the speed), and the faster they move the better it shows it. So how
//! far B is ahead, `d(s)` in the coordinates of `smooth_path.rs`, is found that makes least
//!
//! ```text
//! sum over s, channels   w (A((s - d)/2) - B((s + d)/2))^2   +   stiffness * sum over s   (change of the change of d)^2
//! ```
//!
//! where w is one over the variance that differences are expected to have. Signals that agree are followed to a
//! fraction of a sample; where they do not, or stand still, the pace changes as little as can be.
//!
//! 1. At the `d` at hand, values and slopes of both are read off cubics, and the first sum is replaced by a parabola in
//!    each d(s) (Gauss and Newton).
//! 2. The sum of both is then least where a linear system with five diagonals says, which is solved by factors L D L^T.
//!    The ends and anchors are held.
//!
//! That is one round. A second, from where the first led, is for what the parabolas missed.

use crate::smooth_path::Ahead;

/// A channel of both signals.
pub(crate) struct ChannelPair<'a> {
    pub(crate) a: &'a [f64],
    pub(crate) b: &'a [f64],
    /// One over the variance of differences.
    pub(crate) weight: f64,
}

/// So much more do held values weigh than all else.
const HELD: f64 = 1e9;

/// Fits how far B is ahead to channels of both, in one round. `pace_change` is the usual change of `d`'s change within a
/// second.
pub(crate) fn fit_ahead(ahead: &mut Ahead, channels: &[ChannelPair<'_>], frame_rate: f64, pace_change: f64) {
    let n = ahead.values.len();
    if n < 3 || channels.is_empty() {
        return;
    }
    let stiffness = (frame_rate / pace_change).powi(2);
    let share = (channels.len() as f64).recip();
    let mut system = FiveDiagonals::stiff(n, stiffness);
    let mut wanted = vec![0.0; n];
    for (s, d) in ahead.values.iter().enumerate() {
        let (time_a, time_b) = ((s as f64 - d) / 2.0, (s as f64 + d) / 2.0);
        let (mut curvature, mut push) = (0.0, 0.0);
        for channel in channels {
            let ([a, slope_a], [b, slope_b]) = (read_cubic(channel.a, time_a), read_cubic(channel.b, time_b));
            // As d grows, A's time falls and B's rises, each half as fast.
            let slope = (slope_a + slope_b) / 2.0;
            curvature += channel.weight * slope * slope;
            push += channel.weight * slope * (a - b);
        }
        system.main[s] += curvature * share;
        wanted[s] = (curvature * d + push) * share;
    }
    let heavy = HELD * system.main.iter().fold(0.0, |heaviest: f64, weight| heaviest.max(*weight));
    for &s in &ahead.held {
        system.main[s] += heavy;
        wanted[s] += heavy * ahead.values[s];
    }
    let held: Vec<f64> = ahead.held.iter().map(|s| ahead.values[*s]).collect();
    ahead.values = system.solve(wanted);
    // Exactly, not nearly.
    ahead.held.iter().zip(held).for_each(|(s, value)| ahead.values[*s] = value);
}

/// Value and slope of the Catmull-Rom cubics through a channel; the slope in units per sample.
fn read_cubic(channel: &[f64], time: f64) -> [f64; 2] {
    let last = channel.len() - 1;
    if last == 0 {
        return [channel[0], 0.0];
    }
    let time = time.clamp(0.0, last as f64);
    let k = (time as usize).min(last - 1);
    let (t, from, step) = (time - k as f64, channel[k], channel[k + 1] - channel[k]);
    let slope_from = if k == 0 { step } else { (channel[k + 1] - channel[k - 1]) / 2.0 };
    let slope_to = if k + 1 == last { step } else { (channel[k + 2] - channel[k]) / 2.0 };
    let (square, cube) = (3.0 * step - 2.0 * slope_from - slope_to, slope_from + slope_to - 2.0 * step);
    [from + t * (slope_from + t * (square + t * cube)), slope_from + t * (2.0 * square + t * 3.0 * cube)]
}

/// A symmetric matrix whose entries are near the diagonal.
struct FiveDiagonals {
    main: Vec<f64>,
    /// Right of it.
    next: Vec<f64>,
    /// Right of that.
    second: Vec<f64>,
}

impl FiveDiagonals {
    /// The squares of second differences.
    fn stiff(n: usize, stiffness: f64) -> FiveDiagonals {
        let mut matrix = FiveDiagonals { main: vec![0.0; n], next: vec![0.0; n], second: vec![0.0; n] };
        for k in 1..n - 1 {
            matrix.main[k - 1] += stiffness;
            matrix.main[k] += 4.0 * stiffness;
            matrix.main[k + 1] += stiffness;
            matrix.next[k - 1] -= 2.0 * stiffness;
            matrix.next[k] -= 2.0 * stiffness;
            matrix.second[k - 1] += stiffness;
        }
        matrix
    }

    /// Solves for a right side, in place. The matrix is positive definite, for two values at least are held.
    fn solve(mut self, mut right: Vec<f64>) -> Vec<f64> {
        let n = right.len();
        // Factors: main becomes D, next and second become L.
        for k in 0..n {
            let pivot = self.main[k];
            let (next, second) = (self.next[k], self.second[k]);
            if k + 1 < n {
                self.main[k + 1] -= next * next / pivot;
                self.next[k + 1] -= next * second / pivot;
                right[k + 1] -= next / pivot * right[k];
            }
            if k + 2 < n {
                self.main[k + 2] -= second * second / pivot;
                right[k + 2] -= second / pivot * right[k];
            }
        }
        for k in (0..n).rev() {
            let later = |far: usize| right.get(k + far).copied().unwrap_or(0.0);
            right[k] = (right[k] - self.next[k] * later(1) - self.second[k] * later(2)) / self.main[k];
        }
        right
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Correspondence;

    #[test]
    fn five_diagonals_are_solved() {
        let n = 9;
        let mut matrix = FiveDiagonals::stiff(n, 2.5);
        matrix.main.iter_mut().enumerate().for_each(|(k, entry)| *entry += 0.1 + k as f64);
        let solution: Vec<f64> = (0..n).map(|k| (k as f64 * 1.7).sin()).collect();
        let entry = |i: usize, j: usize| match i.abs_diff(j) {
            0 => matrix.main[i],
            1 => matrix.next[i.min(j)],
            2 => matrix.second[i.min(j)],
            _ => 0.0,
        };
        let right: Vec<f64> = (0..n).map(|i| (0..n).map(|j| entry(i, j) * solution[j]).sum()).collect();
        for (found, wanted) in matrix.solve(right).iter().zip(&solution) {
            assert!((found - wanted).abs() < 1e-12);
        }
    }

    #[test]
    fn the_fit_finds_times_between_samples() {
        // B is A at another pace, which no path of whole samples can follow.
        let signal = |t: f64, channel: f64| (0.21 * t + channel).sin() + 0.4 * (0.083 * t + 2.0 * channel).sin();
        let pace = |b: f64| b + 6.0 * (b * std::f64::consts::TAU / 200.0).sin();
        let channels: Vec<[Vec<f64>; 2]> = (0..4)
            .map(|channel| {
                let a = (0..=200).map(|k| signal(f64::from(k), f64::from(channel)));
                let b = (0..=200).map(|k| signal(pace(f64::from(k)), f64::from(channel)));
                [a.collect(), b.collect()]
            })
            .collect();
        let pairs: Vec<ChannelPair<'_>> = channels.iter().map(|[a, b]| ChannelPair { a, b, weight: 1e4 }).collect();
        // A path that is off by several samples.
        let mut ahead = Ahead::of(&Correspondence::straight([201, 201], &[]), &[]);
        for _ in 0..4 {
            fit_ahead(&mut ahead, &pairs, 120.0, 5.0);
        }
        let warp = ahead.to_warp(1.0, 3.0);
        for b in 0..=200 {
            let b = f64::from(b);
            assert!((warp.a_at(b) - pace(b)).abs() < 0.05, "{b}: {} for {}", warp.a_at(b), pace(b));
        }
    }

    #[test]
    fn where_nothing_moves_the_pace_is_even() {
        let still = vec![1.0; 40];
        let pairs = [ChannelPair { a: &still, b: &still, weight: 1e4 }];
        let mut pairs_of_path = vec![[0; 2]];
        pairs_of_path.extend((1..40).map(|k| [k, 0]));
        pairs_of_path.extend((1..40).map(|k| [39, k]));
        let mut ahead = Ahead::of(&Correspondence::of(pairs_of_path), &[]);
        fit_ahead(&mut ahead, &pairs, 30.0, 5.0);
        assert!(ahead.values.iter().all(|d| d.abs() < 1e-6), "{:?}", ahead.values);
    }
}
