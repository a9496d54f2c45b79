//! A trajectory smoothed over its length, with the shrinkage of curves made good.
//!
//! Reference: GRAPH 6.1.3, after Lowe 1988 (shrinkage) and Rosin 1992 (ends).
//!
//! 1. The trajectory is sampled evenly by the distance travelled, and lengthened at both ends by 3 sigma, reflected through its end points.
//! 2. Both coordinates are convolved with a Gaussian of standard deviation sigma.
//! 3. A circle of radius r shrinks to `r exp(-sigma^2 / 2 r^2)`, and its second derivative becomes `exp(-sigma^2 / 2 r^2) / r`. From the
//!    length of the second derivative that is measured, a table gives the shrinkage `r (1 - exp(-sigma^2 / 2 r^2))`, by which the
//!    point is moved outward, against the second derivative.
//! 4. Each frame gets the point at its distance travelled.
//!
//! Departures: the paper looks the shrinkage up for x and y on their own. That depends on the axes: a circle would become a
//! rounded square. Here the second derivative is a vector, and the table is looked up by its length. The largest second derivative
//! a circle can leave is at `r = sigma`; sharper curves are taken for that.

use super::travelled;
use surefoot_geom::Vec2;

/// How a trajectory is smoothed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GaussianOptions {
    /// Standard deviation in metres, above 0. Default 0.75, the paper's: about a step cycle.
    pub sigma: f64,
}

impl Default for GaussianOptions {
    fn default() -> GaussianOptions {
        GaussianOptions { sigma: 0.75 }
    }
}

/// Distance between samples, in metres.
const SPACING: f64 = 0.02;
/// A Gaussian is cut off after so many standard deviations.
const REACH: f64 = 4.0;
/// Ends are reflected over so many standard deviations; beyond, they go on straight.
const REFLECTED: f64 = 3.0;
/// Entries of the table of shrinkages.
const ENTRIES: usize = 256;

/// The smoothed trajectory, a point for each of its own. A trajectory too short to have a direction stays as it is.
pub fn smooth_trajectory(trajectory: &[Vec2], options: &GaussianOptions) -> Vec<Vec2> {
    let along = travelled(trajectory);
    let length = along.last().copied().unwrap_or(0.0);
    let sigma = options.sigma;
    if length < SPACING || sigma.is_nan() || sigma <= 0.0 {
        return trajectory.to_vec();
    }
    let n = (length / SPACING).ceil() as usize + 1;
    let spacing = length / (n - 1) as f64;
    let samples = sample(trajectory, &along, n, spacing);
    let reach = (REACH * sigma / spacing).ceil() as isize;
    let reflected = (REFLECTED * sigma / spacing).ceil() as isize;
    let weights: Vec<f64> = (-reach..=reach).map(|k| (-0.5 * (k as f64 * spacing / sigma).powi(2)).exp()).collect();
    let total: f64 = weights.iter().sum();
    let last = n as isize - 1;
    let at = |index: isize| extended(&samples, index, last, reflected);
    let smooth: Vec<Vec2> = (0..=last)
        .map(|index| {
            let sum = (-reach..=reach).zip(&weights).fold(Vec2::ZERO, |sum, (k, weight)| sum + at(index + k) * *weight);
            sum / total
        })
        .collect();
    let second: Vec<Vec2> = (0..=last)
        .map(|index| {
            // The second derivative of the Gaussian: (t^2 / sigma^4 - 1 / sigma^2) G.
            let sum = (-reach..=reach).zip(&weights).fold(Vec2::ZERO, |sum, (k, weight)| {
                let t = k as f64 * spacing / sigma;
                sum + (at(index + k) - at(index)) * (weight * (t * t - 1.0))
            });
            sum / (total * sigma * sigma)
        })
        .collect();
    let table = Shrinkages::of(sigma);
    let mended: Vec<Vec2> = smooth
        .iter()
        .zip(&second)
        .map(|(point, bend)| *point - bend.normalize_or_zero() * table.at(bend.length()))
        .collect();
    along
        .iter()
        .map(|along| {
            let place = (along / spacing).clamp(0.0, last as f64);
            let index = (place.floor() as usize).min(n - 2);
            mended[index].lerp(mended[index + 1], place - index as f64)
        })
        .collect()
}

/// Evenly spaced points of a trajectory.
fn sample(trajectory: &[Vec2], along: &[f64], n: usize, spacing: f64) -> Vec<Vec2> {
    let mut segment = 0;
    let point = |k: usize| {
        let wanted = k as f64 * spacing;
        while segment + 2 < trajectory.len() && along[segment + 1] < wanted {
            segment += 1;
        }
        let own = along[segment + 1] - along[segment];
        let t = if own > 0.0 { ((wanted - along[segment]) / own).clamp(0.0, 1.0) } else { 0.0 };
        trajectory[segment].lerp(trajectory[segment + 1], t)
    };
    (0..n).map(point).collect()
}

/// A sample beyond the ends: the trajectory reflected through its end point, as far as it is known, then straight on.
fn extended(samples: &[Vec2], index: isize, last: isize, reflected: isize) -> Vec2 {
    let inside = |index: isize| samples[index as usize];
    let beyond = |end: isize, inward: isize, over: isize| {
        let known = over.min(reflected).min(last);
        let point = inside(end) * 2.0 - inside(end + inward * known);
        let straight = inside(end) - inside(end + inward);
        point + straight * (over - known) as f64
    };
    if index < 0 {
        beyond(0, 1, -index)
    } else if index > last {
        beyond(last, -1, index - last)
    } else {
        inside(index)
    }
}

/// How far circles shrink, by the second derivative they leave.
struct Shrinkages {
    /// The largest second derivative.
    most: f64,
    /// At even steps of the second derivative from 0 on.
    values: Vec<f64>,
}

impl Shrinkages {
    fn of(sigma: f64) -> Shrinkages {
        let left = |r: f64| (-0.5 * (sigma / r).powi(2)).exp() / r;
        let shrinkage = |r: f64| r * -(-0.5 * (sigma / r).powi(2)).exp_m1();
        let most = left(sigma);
        let entry = |k: usize| {
            let wanted = most * k as f64 / (ENTRIES - 1) as f64;
            if k == 0 {
                return 0.0;
            }
            // Less and less is left of wider circles: bisection on the radius.
            let (mut low, mut high) = (sigma, 2.0 / wanted + sigma);
            for _ in 0..80 {
                let middle = (low + high) / 2.0;
                if left(middle) > wanted { low = middle } else { high = middle }
            }
            shrinkage((low + high) / 2.0)
        };
        Shrinkages { most, values: (0..ENTRIES).map(entry).collect() }
    }

    fn at(&self, second: f64) -> f64 {
        let place = (second / self.most).clamp(0.0, 1.0) * (ENTRIES - 1) as f64;
        let index = (place.floor() as usize).min(ENTRIES - 2);
        let (a, b) = (self.values[index], self.values[index + 1]);
        a + (b - a) * (place - index as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::TAU;

    #[test]
    fn circles_keep_their_radius() {
        for radius in [1.0, 1.5, 3.0, 10.0] {
            let point = |k: usize| Vec2::from_angle(k as f64 * 0.02 / radius * 1.0) * radius;
            let circle: Vec<Vec2> = (0..(3.0 * TAU * radius / 0.02) as usize).map(point).collect();
            let smooth = smooth_trajectory(&circle, &GaussianOptions::default());
            let middle = &smooth[circle.len() / 3..circle.len() * 2 / 3];
            for point in middle {
                assert!((point.length() / radius - 1.0).abs() < 0.02, "{radius}: {}", point.length());
            }
        }
    }

    #[test]
    fn sway_goes_and_the_path_stays() {
        // 4 cm to each side with every stride of 1.4 m.
        let trajectory: Vec<Vec2> = (0..600)
            .map(|k| {
                let z = f64::from(k) * 0.02;
                Vec2::new(0.04 * (z * TAU / 1.4).sin(), z)
            })
            .collect();
        let smooth = smooth_trajectory(&trajectory, &GaussianOptions::default());
        assert_eq!(smooth.len(), trajectory.len());
        let sway =
            |trajectory: &[Vec2]| trajectory[100..500].iter().fold(0.0f64, |most, point| most.max(point.x.abs()));
        assert!(sway(&smooth) < 0.1 * sway(&trajectory), "{}", sway(&smooth));
        assert!(smooth[0].distance(trajectory[0]) < 0.06 && smooth[599].distance(trajectory[599]) < 0.06);
        let straight: Vec<Vec2> = (0..50).map(|k| Vec2::new(1.0, f64::from(k) * 0.1)).collect();
        for (a, b) in smooth_trajectory(&straight, &GaussianOptions::default()).iter().zip(&straight) {
            assert!(a.distance(*b) < 1e-9);
        }
        let still = vec![Vec2::ONE; 9];
        assert_eq!(smooth_trajectory(&still, &GaussianOptions::default()), still);
        assert_eq!(smooth_trajectory(&[], &GaussianOptions::default()), []);
    }
}
