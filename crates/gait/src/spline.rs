//! Cubic curves through timed knots: the smooth interpolation of everything that a step fixes at its key times.

use std::ops::{Add, Mul, Sub};
use surefoot_geom::smooth_rates;

/// What can be interpolated.
pub(super) trait Value: Copy + Add<Output = Self> + Sub<Output = Self> + Mul<f64, Output = Self> {}
impl<T: Copy + Add<Output = T> + Sub<Output = T> + Mul<f64, Output = T>> Value for T {}

/// A value at a time, and how fast it changes there.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Knot<T> {
    pub(super) time: f64,
    pub(super) value: T,
    pub(super) rate: T,
}

/// Most knots of a curve within one step.
pub(super) const MAX_KNOTS: usize = 6;
/// Shorter gaps than this are no gaps, in seconds.
const SAME_TIME: f64 = 1e-9;

/// A cubic Hermite curve; before its first and after its last knot it holds their values.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Spline<T> {
    knots: [Knot<T>; MAX_KNOTS],
    n_knots: usize,
}

impl<T: Value> Spline<T> {
    /// A value that never changes.
    pub(super) fn constant(value: T) -> Spline<T> {
        let knot = Knot { time: 0.0, value, rate: value * 0.0 };
        Spline { knots: [knot; MAX_KNOTS], n_knots: 1 }
    }

    /// Through knots whose rates are known. Knots at the same time: the later one wins.
    pub(super) fn through(knots: &[Knot<T>]) -> Spline<T> {
        let mut spline = Spline { knots: [knots[0]; MAX_KNOTS], n_knots: 1 };
        for &knot in &knots[1..] {
            if knot.time - spline.knots[spline.n_knots - 1].time > SAME_TIME {
                spline.n_knots += 1;
            }
            spline.knots[spline.n_knots - 1] = knot;
        }
        spline
    }

    /// Through values, with the rates at both ends; between them the rates that make the second derivative continuous.
    pub(super) fn clamped(points: &[(f64, T)], start_rate: T, end_rate: T) -> Spline<T> {
        let n = points.len();
        let zero = start_rate * 0.0;
        let mut rates = [zero; MAX_KNOTS];
        rates[0] = start_rate;
        rates[n - 1] = end_rate;
        smooth_rates(points, &mut rates[..n], &mut [0.0; MAX_KNOTS][..n]);
        let mut knots = [Knot { time: 0.0, value: points[0].1, rate: zero }; MAX_KNOTS];
        for ((knot, &(time, value)), rate) in knots.iter_mut().zip(points).zip(rates) {
            *knot = Knot { time, value, rate };
        }
        Spline { knots, n_knots: n }
    }

    pub(super) fn knots(&self) -> &[Knot<T>] {
        &self.knots[..self.n_knots]
    }

    /// The knots around a time between the first and the last.
    fn around(&self, time: f64) -> (&Knot<T>, &Knot<T>) {
        let knots = self.knots();
        let mut before = 0;
        while before + 2 < knots.len() && knots[before + 1].time <= time {
            before += 1;
        }
        (&knots[before], &knots[before + 1])
    }

    /// How fast the value changes at a time; not at all before the first and after the last knot.
    pub(super) fn rate(&self, time: f64) -> T {
        let knots = self.knots();
        let last = knots.len() - 1;
        if time < knots[0].time || time > knots[last].time || last == 0 {
            return knots[0].rate * 0.0;
        }
        let (from, to) = self.around(time);
        let gap = to.time - from.time;
        let u = (time - from.time) / gap;
        let v = 1.0 - u;
        (to.value - from.value) * (6.0 * u * v / gap)
            + from.rate * (v * (1.0 - 3.0 * u))
            + to.rate * (u * (1.0 - 3.0 * v))
    }

    pub(super) fn at(&self, time: f64) -> T {
        let knots = self.knots();
        let last = knots.len() - 1;
        if time <= knots[0].time {
            return knots[0].value;
        }
        if time >= knots[last].time {
            return knots[last].value;
        }
        let (from, to) = self.around(time);
        let gap = to.time - from.time;
        let u = (time - from.time) / gap;
        let v = 1.0 - u;
        from.value * (v * v * (1.0 + 2.0 * u)) + to.value * (u * u * (3.0 - 2.0 * u)) + from.rate * (gap * u * v * v)
            - to.rate * (gap * u * u * v)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clamped_spline_passes_its_points_with_a_continuous_second_derivative() {
        let points = [(0.0, 1.0), (0.2, 3.0), (0.7, -1.0), (1.1, 0.5)];
        let spline = Spline::clamped(&points, 2.0, -1.0);
        for (time, value) in points {
            assert!((spline.at(time) - value).abs() < 1e-12);
        }
        let h = 1e-4;
        let second = |t: f64| (spline.at(t + h) - 2.0 * spline.at(t) + spline.at(t - h)) / (h * h);
        for time in [0.2, 0.7] {
            let (before, after) = (second(time - 2.0 * h), second(time + 2.0 * h));
            assert!((before - after).abs() < 0.5, "{before} {after}");
        }
        assert!(((spline.at(h) - spline.at(0.0)) / h - 2.0).abs() < 0.05);
        for time in [0.0, 0.1, 0.5, 1.0, 1.1] {
            let near = if time < 0.5 { time } else { time - h };
            let (measured, rate) = ((spline.at(near + h) - spline.at(near)) / h, spline.rate(time));
            assert!((measured - rate).abs() < 0.05, "{measured} {rate}");
        }
        assert!(((spline.at(1.1) - spline.at(1.1 - h)) / h + 1.0).abs() < 0.05);
    }

    #[test]
    fn a_cubic_is_reproduced() {
        let cubic = |t: f64| 1.0 - t + 2.0 * t * t - 3.0 * t * t * t;
        let rate = |t: f64| -1.0 + 4.0 * t - 9.0 * t * t;
        let points = [0.0, 0.3, 0.5, 0.9, 1.0].map(|t| (t, cubic(t)));
        let spline = Spline::clamped(&points, rate(0.0), rate(1.0));
        for i in 0..=100 {
            let t = f64::from(i) / 100.0;
            assert!((spline.at(t) - cubic(t)).abs() < 1e-12);
        }
    }
}
