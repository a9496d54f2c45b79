//! Frames compared by the angles of a few joints.
//!
//! Reference: GRAPH 5.1.1, after Lee et al. 2002, with the weights of Wang and Bodenheimer 2003 (GRAPH 5.2.1).
//!
//! ```text
//! d(a, b) = sum w_k |log(q_b,k^-1 q_a,k)|^2 + nu sum w_k |v_a,k - v_b,k|^2
//! ```
//!
//! where q are a joint's rotations relative to its parent, v their velocities in radians per second, and the logarithm is a
//! rotation vector, whose length is the whole angle. Root positions are left out, as in the paper. Over a window the sum of all
//! frames counts.
//!
//! The squared angle of two unit quaternions is `4 acos(x)^2` with `x = |q_a . q_b|`. Because x is never negative, this is smooth
//! in `1 - x` throughout, and a polynomial of degree 17 gives it to 1e-13: products and sums only, eight frames at once. A test
//! compares it with logarithms.

use crate::motion_set::MotionSet;
use crate::pair_kernel::{LANES, Lanes, PairKernel, Panels, WindowSums, multiply};
use std::f64::consts::PI;
use surefoot_geom::{Quat, Vec3, rotation};
use surefoot_motion::{JointId, Side};

/// Weights of the joints; those of both sides are the same.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AngleWeights {
    /// Of the hips.
    pub hip: f64,
    /// Of the knees.
    pub knee: f64,
    /// Of the shoulders.
    pub shoulder: f64,
    /// Of the elbows.
    pub elbow: f64,
    /// Of velocities, the paper's nu.
    pub velocity: f64,
}

impl Default for AngleWeights {
    /// Wang and Bodenheimer's, and the paper's for velocities.
    fn default() -> AngleWeights {
        AngleWeights { hip: 1.0, knee: 0.0901, shoulder: 0.7884, elbow: 0.0247, velocity: 0.0001 }
    }
}

/// Degree of the polynomial for squared angles; odd, because powers are taken in pairs.
const DEGREE: usize = 17;

pub(crate) struct AngleKernel {
    /// For each frame, the quaternions of the joints.
    rotations: Vec<f64>,
    rotation_panels: Panels,
    /// For each joint.
    weights: Vec<f64>,
    /// For each frame, velocities times the root of their weights.
    velocities: Vec<f64>,
    velocity_panels: Panels,
    squares: WindowSums,
    /// Of `2 (1 - x) - 1`, the highest power first.
    polynomial: [f64; DEGREE + 1],
}

impl AngleKernel {
    pub(crate) fn new(set: &MotionSet, weights: &AngleWeights, window: usize) -> AngleKernel {
        let joints = weighted_joints(set, weights);
        let mut rotations = Vec::new();
        let mut velocities = Vec::new();
        for clip in set.clips() {
            for frame in 0..clip.n_frames() {
                for &(joint, weight) in &joints {
                    let q = clip.pose(frame)[joint].rotation;
                    rotations.extend([q.x, q.y, q.z, q.w]);
                    let at = |frame: usize| clip.pose(frame)[joint].rotation;
                    let velocity = velocity(at, frame, clip.n_frames(), clip.frame_rate);
                    velocities.extend((velocity * (weights.velocity * weight).sqrt()).to_array());
                }
            }
        }
        let n_numbers = 3 * joints.len();
        // By frame and not by row: without weights there is no row, and every distance is 0.
        let square = |frame: usize| velocities[frame * n_numbers..(frame + 1) * n_numbers].iter().map(|v| v * v).sum();
        let squares = WindowSums::of((0..set.n_frames()).map(square), window);
        AngleKernel {
            rotation_panels: Panels::of(&rotations, 4 * joints.len()),
            velocity_panels: Panels::of(&velocities, n_numbers),
            weights: joints.iter().map(|(_, weight)| *weight).collect(),
            rotations,
            velocities,
            squares,
            polynomial: squared_angle_polynomial(),
        }
    }
}

impl PairKernel for AngleKernel {
    fn n_sums(&self) -> usize {
        1
    }

    fn fill(&self, frame: usize, panel: usize, out: &mut [Lanes]) {
        let n_joints = self.weights.len();
        let own = &self.rotations[frame * 4 * n_joints..(frame + 1) * 4 * n_joints];
        let velocities = &self.velocities[frame * 3 * n_joints..(frame + 1) * 3 * n_joints];
        let mut sums = multiply(velocities, self.velocity_panels.panel(panel)).map(|product| -2.0 * product);
        let others = self.rotation_panels.panel(panel);
        for ((q, others), weight) in own.chunks_exact(4).zip(others.chunks_exact(4)).zip(&self.weights) {
            let dots = multiply(q, others);
            let places = dots.map(|dot| 1.0 - 2.0 * dot.abs());
            let square_places = places.map(|place| place * place);
            // Odd and even powers apart: two chains of products that do not wait for each other.
            let (mut odd, mut even) = ([0.0; LANES], [0.0; LANES]);
            for pair in self.polynomial.chunks_exact(2) {
                for lane in 0..LANES {
                    odd[lane] = odd[lane] * square_places[lane] + pair[0];
                    even[lane] = even[lane] * square_places[lane] + pair[1];
                }
            }
            for lane in 0..LANES {
                sums[lane] += weight * (odd[lane] * places[lane] + even[lane]);
            }
        }
        out[0] = sums;
    }

    fn finish(&self, a: usize, b: usize, sums: &[f64]) -> f64 {
        (sums[0] + self.squares.at(a) + self.squares.at(b)).max(0.0)
    }
}

fn weighted_joints(set: &MotionSet, weights: &AngleWeights) -> Vec<(JointId, f64)> {
    let body = set.body();
    let mut joints = Vec::new();
    for side in Side::BOTH {
        let leg = &body.legs[side];
        joints.extend([(leg.hip, weights.hip), (leg.knee, weights.knee)]);
        joints.extend(
            body.arms[side].iter().flat_map(|arm| [(arm.shoulder, weights.shoulder), (arm.elbow, weights.elbow)]),
        );
    }
    joints.retain(|(_, weight)| *weight > 0.0);
    joints
}

/// Rotation vector per second, by the frames before and after; at the ends by one of them.
fn velocity(at: impl Fn(usize) -> Quat, frame: usize, n_frames: usize, frame_rate: f64) -> Vec3 {
    let (before, after) = (frame.saturating_sub(1), (frame + 1).min(n_frames - 1));
    if before == after {
        return Vec3::ZERO;
    }
    rotation::log_map(at(before).conjugate() * at(after)) * (frame_rate / (after - before) as f64)
}

/// `4 acos(x)^2` as powers of `1 - 2 x`, the highest first: interpolated at Chebyshev's points.
fn squared_angle_polynomial() -> [f64; DEGREE + 1] {
    let n = DEGREE + 1;
    let node = |k: usize| ((k as f64 + 0.5) * PI / n as f64).cos();
    // x = (1 - place) / 2, and acos(x) by the half angle, which keeps its digits near x = 1.
    let square = |place: f64| {
        let u = (1.0 + place) / 2.0;
        16.0 * (u / 2.0).sqrt().asin().powi(2)
    };
    let coefficient = |j: usize| {
        let sum: f64 = (0..n).map(|k| square(node(k)) * (j as f64 * (k as f64 + 0.5) * PI / n as f64).cos()).sum();
        sum * if j == 0 { 1.0 } else { 2.0 } / n as f64
    };
    // Chebyshev's polynomials as powers: T_j+1 = 2 p T_j - T_j-1.
    let mut powers = [0.0; DEGREE + 1];
    let (mut before, mut current) = ([0.0; DEGREE + 1], [0.0; DEGREE + 1]);
    before[0] = 1.0;
    current[1] = 1.0;
    powers[0] = coefficient(0);
    for j in 1..n {
        let c = coefficient(j);
        powers.iter_mut().zip(&current).for_each(|(power, value)| *power += c * value);
        let mut next = before.map(|value| -value);
        for k in 0..DEGREE {
            next[k + 1] += 2.0 * current[k];
        }
        (before, current) = (current, next);
    }
    powers.reverse();
    powers
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_polynomial_is_the_squared_angle() {
        let polynomial = squared_angle_polynomial();
        for step in 0..=2000 {
            let angle = f64::from(step) / 2000.0 * PI;
            let dot = (angle / 2.0).cos();
            let place = 1.0 - 2.0 * dot;
            let found = polynomial.iter().fold(0.0, |sum, c| sum * place + c);
            assert!((found - angle * angle).abs() < 1e-11, "{angle}: {found}");
        }
    }
}
