//! Smoothing over frames with a Gaussian that leaves straight lines straight.
//!
//! Beyond both ends the sequence goes on as its mirror image in the end point, which keeps the ends where they are and a
//! steady speed steady.

use std::ops::{Add, Mul, Sub};
use surefoot_geom::Vec2;

/// The kernel ends at this many standard deviations, where it has fallen to a hundredth.
const REACH: f64 = 3.0;

/// Numbers smoothed with a Gaussian of so many frames.
pub(super) fn smooth_numbers(values: &[f64], frames: f64) -> Vec<f64> {
    smooth(values, frames, 0.0)
}

/// Points smoothed with a Gaussian of so many frames.
pub(super) fn smooth_points(points: &[Vec2], frames: f64) -> Vec<Vec2> {
    smooth(points, frames, Vec2::ZERO)
}

fn smooth<T>(values: &[T], frames: f64, zero: T) -> Vec<T>
where
    T: Copy + Add<Output = T> + Sub<Output = T> + Mul<f64, Output = T>,
{
    let kernel = half_kernel(frames, values.len());
    let total = kernel[0] + 2.0 * kernel[1..].iter().sum::<f64>();
    let smoothed = |i: usize| {
        let pairs = kernel.iter().enumerate().skip(1);
        // Relative to the value itself: constants and straight lines come out exactly as they are.
        let sum = pairs.fold(zero, |sum, (k, &weight)| {
            let (before, after) = (extended(values, i as isize - k as isize), extended(values, (i + k) as isize));
            sum + ((before - values[i]) + (after - values[i])) * weight
        });
        values[i] + sum * (1.0 / total)
    };
    (0..values.len()).map(smoothed).collect()
}

/// Weights of a value and of those to one side of it. Reaches no further than the sequence is long.
fn half_kernel(frames: f64, n_values: usize) -> Vec<f64> {
    let reach = ((REACH * frames).floor() as usize).min(n_values.saturating_sub(1));
    (0..=reach).map(|k| if k == 0 { 1.0 } else { (-0.5 * (k as f64 / frames).powi(2)).exp() }).collect()
}

/// A value of the sequence, or of its mirror image in an end point. At most one length beyond either end.
fn extended<T: Copy + Sub<Output = T> + Add<Output = T>>(values: &[T], i: isize) -> T {
    let last = values.len() as isize - 1;
    let at = |i: isize| values[i.clamp(0, last) as usize];
    if i < 0 {
        at(0) + at(0) - at(-i)
    } else if i > last {
        at(last) + at(last) - at(2 * last - i)
    } else {
        at(i)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn straight_lines_stay_and_a_sway_goes() {
        let line: Vec<f64> = (0..200).map(|i| 3.0 + 0.5 * f64::from(i)).collect();
        for (smoothed, value) in smooth_numbers(&line, 20.0).iter().zip(&line) {
            assert!((smoothed - value).abs() < 1e-9);
        }
        let sway: Vec<f64> = (0..400).map(|i| (f64::from(i) * std::f64::consts::TAU / 40.0).sin()).collect();
        let left = smooth_numbers(&sway, 20.0)[100..300].iter().fold(0.0, |most: f64, v| most.max(v.abs()));
        assert!(left < 0.02, "{left}");
    }

    #[test]
    fn ends_stay_where_they_are_and_short_sequences_have_an_answer() {
        let values = [1.0, 5.0, 2.0, 8.0, 3.0];
        let smoothed = smooth_numbers(&values, 50.0);
        assert_eq!((smoothed[0], smoothed[4]), (1.0, 3.0));
        assert_eq!(smooth_numbers(&[], 5.0), []);
        assert_eq!(smooth_numbers(&[4.0], 5.0), [4.0]);
        assert_eq!(smooth_numbers(&values, 0.0), values);
    }
}
