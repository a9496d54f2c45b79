//! Rates of change at the knots of a cubic curve that make its second derivative continuous.

use std::ops::{Add, Mul, Sub};

/// Fills the inner `rates` of a cubic curve through `points` (times, strictly increasing, and values) so that its
/// second derivative is continuous. The first and last rate are given. Of one or two points nothing is left to find.
///
/// `scratch` is for what the solution needs in between; it and `rates` must be as long as `points`.
pub fn smooth_rates<T>(points: &[(f64, T)], rates: &mut [T], scratch: &mut [f64])
where
    T: Copy + Add<Output = T> + Sub<Output = T> + Mul<f64, Output = T>,
{
    let n = points.len();
    assert!(rates.len() == n && scratch.len() == n, "a rate for each of {n} points");
    // Second derivatives agree where r[i-1]/a + 2 r[i] (1/a + 1/b) + r[i+1]/b = 3 (d_a/a^2 + d_b/b^2), with the gaps a
    // before and b after point i and the differences d over them: solved by elimination from the first to the last.
    let ratio = scratch;
    for i in 1..n.saturating_sub(1) {
        let (a, b) = (points[i].0 - points[i - 1].0, points[i + 1].0 - points[i].0);
        let rise =
            (points[i].1 - points[i - 1].1) * (3.0 / (a * a)) + (points[i + 1].1 - points[i].1) * (3.0 / (b * b));
        let before = if i == 1 { 0.0 } else { ratio[i - 1] };
        let pivot = 2.0 / a + 2.0 / b - before / a;
        ratio[i] = 1.0 / (b * pivot);
        rates[i] = (rise - rates[i - 1] * (1.0 / a)) * (1.0 / pivot);
    }
    for i in (1..n.saturating_sub(1)).rev() {
        rates[i] = rates[i] - rates[i + 1] * ratio[i];
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rates_of_a_cubic_are_found_from_its_values_and_end_rates() {
        let cubic = |t: f64| 1.0 - t + 2.0 * t * t - 3.0 * t * t * t;
        let rate = |t: f64| -1.0 + 4.0 * t - 9.0 * t * t;
        let points = [0.0, 0.3, 0.5, 0.9, 1.0, 1.7].map(|t| (t, cubic(t)));
        let mut rates = [rate(0.0), 0.0, 0.0, 0.0, 0.0, rate(1.7)];
        smooth_rates(&points, &mut rates, &mut [f64::NAN; 6]);
        for ((time, _), found) in points.iter().zip(rates) {
            assert!((found - rate(*time)).abs() < 1e-12, "{time}: {found}");
        }
    }

    #[test]
    fn two_points_keep_their_rates() {
        let mut rates = [3.0, -1.0];
        smooth_rates(&[(0.0, 1.0), (1.0, 2.0)], &mut rates, &mut [0.0; 2]);
        assert_eq!(rates, [3.0, -1.0]);
        smooth_rates(&[] as &[(f64, f64)], &mut [], &mut []);
    }
}
