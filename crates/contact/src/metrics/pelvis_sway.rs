//! How the pelvis sways from side to side as it goes: GRAPH 4.3, a wave with a wavelength and an amplitude.
//!
//! Idea: seen along its own smooth course, the pelvis trajectory over the ground is a wave. Its extrema are where it is farthest to one
//! side and then to the other.
//!
//! ```text
//!          e1            e3                 wavelength of two successive extrema: 2 x their distance
//!        .-o-.         .-o-.                amplitude: half of how far they lie apart to the side
//!   ----/-----\-------/-----\----- course
//!              `-o-'
//!                e2
//! ```
//!
//! 1. The pelvis trajectory over the ground, sampled every 2 cm of the distance travelled; moves under 1 cm are left out.
//! 2. The course at each sample: the trajectory fitted by cubics with Gaussian weights of 1 m. A cubic follows curves without cutting them
//!    and needs nothing beyond the ends; the metre lets 0.5 % of a sway of 1.4 m into the course.
//! 3. How far each sample is to the left of the course. Extrema follow each other on the left and on the right by turns, and
//!    swings of less than 4 mm are noise. The ends of the trajectory are no extrema.
//! 4. Mean and standard deviation (of all, not of a sample) of wavelengths and amplitudes.
//!
//! # How the paper is read
//!
//! The paper speaks of the extrema of the *curvature* of the trajectory, and of `amp = |kappa|`, but prints amplitudes in centimetres. In 13
//! recorded straight walks the curvature at 30 frames a second has ten extrema in each step, all noise, and smoothed it has the same
//! extrema as the trajectory itself; so `kappa` is taken for the distance from the course. These walks have amplitudes of 0.6 to 2.1 cm and
//! wavelengths of 125 to 150 cm: one stride. The paper's 3.91 cm and 57.83 cm for a straight walk are what comes out when amplitude
//! is counted from side to side (4 cm) and the wavelength without the 2 of the paper's own formula (63 to 72 cm: one step). Here
//! both words mean what they mean elsewhere, and the formula `w = 2 d` is kept: halve our wavelength and double our amplitude to
//! compare with the paper's table 1.
//!
//! Departure: `amp(e) = |kappa(e)|` of single extrema would take a turn that the course cuts a little for sway to one side. Half
//! of the difference of two successive extrema is the same for a wave, and free of that.
//!
//! Limits: a corner as sharp as a stride is long cannot be told from sway, and is counted as such. In the first and last metre the
//! course takes some of the sway, so that of a trajectory of 4 m a tenth of the amplitude is lost.

use super::path_deviation::{by_distance, thinned};
use crate::order_statistics::mean;
use surefoot_geom::{Vec2, ground_point};
use surefoot_motion::{BodyMap, WorldPose};

/// Samples of a trajectory are a centimetre apart; every so many are looked at.
const EVERY: usize = 2;
/// Distance between the samples that are looked at, in metres.
const SPACING: f64 = 0.02;
/// Standard deviation of the weights of the course, in metres.
const SIGMA: f64 = 1.0;
/// Weights end after this many samples.
const REACH: usize = (3.0 * SIGMA / SPACING) as usize;
/// A trajectory shorter than this many samples, half a metre, shows no sway.
const MIN_SAMPLES: usize = 25;
/// Swings from one side to the other of less than this, in metres, are noise.
const LEAST_SWING: f64 = 0.004;

/// The sway of a pelvis; lengths in metres.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PelvisSway {
    /// Extrema that were found, at least 2.
    pub n_extrema: usize,
    /// Mean of twice the distances between successive extrema, along the course.
    pub wavelength: f64,
    /// Standard deviation of the same.
    pub wavelength_deviation: f64,
    /// Mean of half of how far successive extrema lie apart to the side.
    pub amplitude: f64,
    /// Standard deviation of the same.
    pub amplitude_deviation: f64,
}

/// Measures the pelvis of a clip; `None` if it travels less than half a metre, or does not sway to both sides.
pub fn measure_pelvis_sway(poses: &[WorldPose], body: &BodyMap) -> Option<PelvisSway> {
    let pelvis: Vec<Vec2> = poses.iter().map(|pose| ground_point(pose.position(body.pelvis))).collect();
    measure_sway(&pelvis)
}

/// Measures a trajectory over the ground; `None` if it is shorter than half a metre, or does not sway to both sides.
pub fn measure_sway(trajectory: &[Vec2]) -> Option<PelvisSway> {
    let samples: Vec<Vec2> = by_distance(&thinned(trajectory)).into_iter().step_by(EVERY).collect();
    if samples.len() < MIN_SAMPLES {
        return None;
    }
    let course = course_of(&samples);
    let aside: Vec<f64> = samples.iter().zip(&course).map(|(at, course)| course.aside(*at)).collect();
    let mut along = vec![0.0; course.len()];
    for k in 1..course.len() {
        along[k] = along[k - 1] + course[k - 1].point.distance(course[k].point);
    }
    let extrema = find_extrema(&aside);
    let pairs = || extrema.windows(2);
    let wavelengths: Vec<f64> = pairs().map(|pair| 2.0 * (along[pair[1]] - along[pair[0]])).collect();
    let amplitudes: Vec<f64> = pairs().map(|pair| (aside[pair[1]] - aside[pair[0]]).abs() / 2.0).collect();
    let (wavelength, amplitude) = (mean(&wavelengths)?, mean(&amplitudes)?);
    Some(PelvisSway {
        n_extrema: extrema.len(),
        wavelength,
        wavelength_deviation: deviation(&wavelengths, wavelength),
        amplitude,
        amplitude_deviation: deviation(&amplitudes, amplitude),
    })
}

fn deviation(values: &[f64], mean: f64) -> f64 {
    (values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / values.len().max(1) as f64).sqrt()
}

/// A point of a course.
struct Station {
    point: Vec2,
    /// Along the course; of length 1, or 0 where the trajectory turns on the spot.
    direction: Vec2,
}

impl Station {
    /// How far a point is to the left. Heading 0 is +Z, the second coordinate; its left is +X.
    fn aside(&self, point: Vec2) -> f64 {
        let from = point - self.point;
        from.x * self.direction.y - from.y * self.direction.x
    }
}

/// The course of evenly spaced points.
fn course_of(samples: &[Vec2]) -> Vec<Station> {
    let last = samples.len() - 1;
    // All fits but those near the ends have the same weights.
    let mut weights = FitWeights::of(0, 0);
    let station = |k: usize| {
        let reach = [k.min(REACH), (last - k).min(REACH)];
        if weights.reach != reach {
            weights = FitWeights::of(reach[0], reach[1]);
        }
        let near = &samples[k - reach[0]..=k + reach[1]];
        let sum = |weights: &[f64]| near.iter().zip(weights).fold(Vec2::ZERO, |sum, (at, weight)| sum + *at * *weight);
        Station { point: sum(&weights.value), direction: sum(&weights.slope).normalize_or_zero() }
    };
    (0..samples.len()).map(station).collect()
}

/// What each sample around counts for the value and the slope of the cubic in the middle.
struct FitWeights {
    /// Samples before and after.
    reach: [usize; 2],
    value: Vec<f64>,
    slope: Vec<f64>,
}

impl FitWeights {
    fn of(before: usize, after: usize) -> FitWeights {
        // In units of the longer side, so that powers stay near 1.
        let unit = before.max(after).max(1) as f64;
        let places: Vec<f64> = (0..=before + after).map(|k| (k as f64 - before as f64) / unit).collect();
        let weight = |t: f64| (-0.5 * (t * unit * SPACING / SIGMA).powi(2)).exp();
        let powers = |t: f64| [1.0, t, t * t, t * t * t];
        let mut normal = [[0.0; 4]; 4];
        for &t in &places {
            let (p, w) = (powers(t), weight(t));
            for (row, a) in normal.iter_mut().zip(p) {
                row.iter_mut().zip(p).for_each(|(cell, b)| *cell += w * a * b);
            }
        }
        let [value, slope] = [[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0]].map(|unit| {
            let solution = solve(normal, unit);
            let of_place = |&t: &f64| weight(t) * powers(t).iter().zip(solution).map(|(p, s)| p * s).sum::<f64>();
            places.iter().map(of_place).collect()
        });
        FitWeights { reach: [before, after], value, slope }
    }
}

/// Solves a symmetric, positive definite system by elimination; unknowns that nothing determines are 0.
fn solve(mut matrix: [[f64; 4]; 4], mut right: [f64; 4]) -> [f64; 4] {
    const SINGULAR: f64 = 1e-14;
    for pivot in 0..4 {
        let diagonal = matrix[pivot][pivot];
        for row in pivot + 1..4 {
            let factor = if diagonal.abs() > SINGULAR { matrix[row][pivot] / diagonal } else { 0.0 };
            let above = matrix[pivot];
            matrix[row].iter_mut().zip(above).skip(pivot).for_each(|(cell, above)| *cell -= factor * above);
            right[row] -= factor * right[pivot];
        }
    }
    let mut solution = [0.0; 4];
    for row in (0..4).rev() {
        let known: f64 = (row + 1..4).map(|column| matrix[row][column] * solution[column]).sum();
        let diagonal = matrix[row][row];
        solution[row] = if diagonal.abs() > SINGULAR { (right[row] - known) / diagonal } else { 0.0 };
    }
    solution
}

/// Highest and lowest places by turns, each at least a swing from the last. The first and the last value are none.
fn find_extrema(values: &[f64]) -> Vec<usize> {
    let mut extrema = Vec::new();
    let (mut high, mut low) = (0, 0);
    let mut rises = None;
    for k in 0..values.len() {
        high = if values[k] > values[high] { k } else { high };
        low = if values[k] < values[low] { k } else { low };
        let found = match rises {
            None | Some(true) if values[high] - values[k] > LEAST_SWING => Some((high, false)),
            None | Some(false) if values[k] - values[low] > LEAST_SWING => Some((low, true)),
            _ => None,
        };
        if let Some((extremum, now_rises)) = found {
            extrema.extend((extremum > 0).then_some(extremum));
            (rises, high, low) = (Some(now_rises), k, k);
        }
    }
    extrema
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::TAU;

    /// A trajectory along a course of a curvature, with a sway.
    fn swaying(length: f64, curvature: f64, wavelength: f64, amplitude: f64) -> Vec<Vec2> {
        (0..=(length / 0.03) as usize)
            .map(|k| {
                let along = k as f64 * 0.03;
                let heading = along * curvature;
                let point = if curvature == 0.0 {
                    Vec2::new(0.0, along)
                } else {
                    Vec2::new(1.0 - heading.cos(), heading.sin()) / curvature
                };
                let left = Vec2::new(heading.cos(), -heading.sin());
                point + left * (amplitude * (TAU * along / wavelength).sin())
            })
            .collect()
    }

    #[test]
    fn a_wave_has_its_wavelength_and_amplitude() {
        for (wavelength, amplitude) in [(1.0, 0.02), (1.4, 0.04), (1.3, 0.005), (1.5, 0.03)] {
            let sway = measure_sway(&swaying(33.0, 0.0, wavelength, amplitude)).expect("it sways");
            assert!((sway.wavelength / wavelength - 1.0).abs() < 0.01, "{wavelength}: {sway:?}");
            assert!((sway.amplitude / amplitude - 1.0).abs() < 0.02, "{amplitude}: {sway:?}");
            // All of it from the first and last metre.
            assert!(sway.wavelength_deviation < 0.06 * wavelength, "{sway:?}");
            assert!(sway.amplitude_deviation < 0.08 * amplitude, "{sway:?}");
            assert!((sway.n_extrema as f64 - 66.0 / wavelength).abs() <= 1.0, "{sway:?}");
        }
    }

    #[test]
    fn curves_are_no_sway() {
        for radius in [1.5, 3.0, 10.0] {
            for sign in [1.0, -1.0] {
                let sway = measure_sway(&swaying(33.0, sign / radius, 1.4, 0.03)).expect("it sways");
                assert!((sway.wavelength / 1.4 - 1.0).abs() < 0.03, "{radius}: {sway:?}");
                assert!((sway.amplitude / 0.03 - 1.0).abs() < 0.03, "{radius}: {sway:?}");
            }
        }
        for radius in [3.0, 10.0] {
            assert_eq!(measure_sway(&swaying(15.0, 1.0 / radius, 1.4, 0.0)), None, "{radius}");
        }
    }

    #[test]
    fn what_does_not_sway_has_no_metrics() {
        for trajectory in [vec![], vec![Vec2::ONE], vec![Vec2::ONE; 2], vec![Vec2::ONE; 500], vec![Vec2::ZERO, Vec2::Y]]
        {
            assert_eq!(measure_sway(&trajectory), None, "{} points", trajectory.len());
        }
        assert_eq!(measure_sway(&swaying(10.0, 0.0, 1.4, 0.0)), None);
        assert_eq!(measure_sway(&swaying(10.0, 0.0, 1.4, 0.001)), None, "less than noise");
        assert_eq!(measure_sway(&swaying(0.4, 0.0, 0.2, 0.02)), None, "too short");
        let odd = [Vec2::NAN, Vec2::ZERO, Vec2::new(0.0, 3.0), Vec2::new(f64::INFINITY, 1.0), Vec2::ZERO];
        if let Some(sway) = measure_sway(&odd) {
            assert!(sway.wavelength.is_finite() && sway.amplitude.is_finite());
        }
        let back_and_forth = [Vec2::ZERO, Vec2::Y * 4.0, Vec2::ZERO];
        if let Some(sway) = measure_sway(&back_and_forth) {
            assert!(sway.wavelength.is_finite() && sway.amplitude.is_finite());
        }
    }
}
