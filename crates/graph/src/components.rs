//! Frames compared by principal components of their joints' rotations.
//!
//! Reference: GRAPH 5.1.3, with the weights of 5.2.1.
//!
//! 1. Each frame is the rotation vectors of all joints below the pelvis, relative to their parents, each about the joint's mean
//!    rotation over the set (where the exponential map is nearest to flat).
//! 2. The covariance of these vectors over all frames has eigenvectors, the principal components, and eigenvalues.
//! 3. `d(a, b) = sqrt(sum w_i (a_i - b_i)^2)` over the components of the frames, where w are the eigenvalues, all or the first k.
//!
//! Over a window the root is taken of the mean of the squares. Weights are the eigenvalues themselves, in square radians, not
//! divided by their sum: dividing would change all distances, and thresholds with them, by one factor.

use crate::motion_set::MotionSet;
use crate::pair_kernel::{Lanes, PairKernel, Panels, WindowSums, multiply};
use nalgebra::DMatrix;
use surefoot_geom::{Quat, rotation};
use surefoot_motion::{JointId, PoseRef};

/// Principal components of a set's rotations.
#[derive(Clone, Debug, PartialEq)]
pub struct Components {
    joints: Vec<JointId>,
    means: Vec<Quat>,
    /// The mean of the rotation vectors.
    centre: Vec<f64>,
    /// Eigenvalues of the covariance, largest first, in square radians.
    pub variances: Vec<f64>,
    /// For each of them its unit eigenvector.
    pub directions: Vec<Vec<f64>>,
}

impl Components {
    /// Of all frames of a set.
    pub fn of(set: &MotionSet) -> Components {
        let pelvis = set.body().pelvis;
        let skeleton = set.skeleton();
        let joints: Vec<JointId> =
            skeleton.ids().filter(|joint| *joint != pelvis && skeleton.is_at_or_above(pelvis, *joint)).collect();
        let poses = || set.clips().iter().flat_map(surefoot_motion::Clip::poses);
        let mean = |joint: &JointId| {
            let rotations: Vec<Quat> = poses().map(|pose| pose[*joint].rotation).collect();
            rotation::weighted_mean(&rotations, &vec![1.0; rotations.len()])
        };
        let means: Vec<Quat> = joints.iter().map(mean).collect();
        let n = 3 * joints.len();
        let mut found =
            Components { joints, means, centre: vec![0.0; n], variances: Vec::new(), directions: Vec::new() };
        let vectors: Vec<Vec<f64>> = poses().map(|pose| found.vectors(pose)).collect();
        let n_frames = vectors.len().max(1) as f64;
        for vector in &vectors {
            found.centre.iter_mut().zip(vector).for_each(|(sum, value)| *sum += value / n_frames);
        }
        let about = DMatrix::from_fn(n, vectors.len(), |number, frame| vectors[frame][number] - found.centre[number]);
        let eigen = (&about * about.transpose() / n_frames).symmetric_eigen();
        let mut order: Vec<usize> = (0..n).collect();
        order.sort_by(|a, b| eigen.eigenvalues[*b].total_cmp(&eigen.eigenvalues[*a]));
        found.variances = order.iter().map(|k| eigen.eigenvalues[*k]).collect();
        found.directions = order.iter().map(|k| eigen.eigenvectors.column(*k).iter().copied().collect()).collect();
        found
    }

    /// How many there are.
    pub fn n_components(&self) -> usize {
        self.variances.len()
    }

    fn vectors(&self, pose: PoseRef<'_>) -> Vec<f64> {
        let vector =
            |(joint, mean): (&JointId, &Quat)| rotation::log_map(mean.conjugate() * pose[*joint].rotation).to_array();
        self.joints.iter().zip(&self.means).flat_map(vector).collect()
    }

    /// A frame as its first `n` components.
    pub fn project(&self, pose: PoseRef<'_>, n: usize) -> Vec<f64> {
        let about: Vec<f64> =
            self.vectors(pose).iter().zip(&self.centre).map(|(value, centre)| value - centre).collect();
        let along = |direction: &Vec<f64>| direction.iter().zip(&about).map(|(a, b)| a * b).sum();
        self.directions.iter().take(n).map(along).collect()
    }
}

pub(crate) struct ComponentKernel {
    n_components: usize,
    /// For each frame its components, times the root of their weights.
    values: Vec<f64>,
    panels: Panels,
    squares: WindowSums,
    window: f64,
}

impl ComponentKernel {
    pub(crate) fn new(set: &MotionSet, n_components: Option<usize>, window: usize) -> ComponentKernel {
        let components = Components::of(set);
        let n = n_components.unwrap_or(usize::MAX).min(components.n_components());
        let roots: Vec<f64> = components.variances.iter().take(n).map(|value| value.max(0.0).sqrt()).collect();
        let poses = set.clips().iter().flat_map(surefoot_motion::Clip::poses);
        let weighted = |pose: PoseRef<'_>| {
            components.project(pose, n).into_iter().zip(&roots).map(|(value, root)| value * root).collect::<Vec<f64>>()
        };
        let values: Vec<f64> = poses.flat_map(weighted).collect();
        // By frame and not by row: of no component there is no row, and every distance is 0.
        let square = |frame: usize| values[frame * n..(frame + 1) * n].iter().map(|value| value * value).sum();
        ComponentKernel {
            n_components: n,
            panels: Panels::of(&values, n),
            squares: WindowSums::of((0..set.n_frames()).map(square), window),
            values,
            window: window as f64,
        }
    }
}

impl PairKernel for ComponentKernel {
    fn n_sums(&self) -> usize {
        1
    }

    fn fill(&self, frame: usize, panel: usize, out: &mut [Lanes]) {
        let own = &self.values[frame * self.n_components..(frame + 1) * self.n_components];
        out[0] = multiply(own, self.panels.panel(panel));
    }

    fn finish(&self, a: usize, b: usize, sums: &[f64]) -> f64 {
        ((self.squares.at(a) + self.squares.at(b) - 2.0 * sums[0]).max(0.0) / self.window).sqrt()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use surefoot_contact::{WalkerOptions, synthetic_walk};

    /// Components are perpendicular, and over all frames uncorrelated, with the variances they are weighted by.
    #[test]
    fn components_are_uncorrelated_and_have_their_variances() {
        let walk = synthetic_walk(&WalkerOptions { turn_per_step: 0.2, ..WalkerOptions::default() });
        let set = MotionSet::new(vec![walk.take.clip], walk.take.body).unwrap();
        let components = Components::of(&set);
        let n = components.n_components();
        assert_eq!(n, 3 * components.joints.len());
        let rows: Vec<Vec<f64>> = set.clips()[0].poses().iter().map(|pose| components.project(pose, n)).collect();
        let product = |of: &dyn Fn(usize) -> f64, count: usize| (0..count).map(of).sum::<f64>();
        for i in 0..n {
            for j in 0..n {
                let covariance = product(&|frame| rows[frame][i] * rows[frame][j], rows.len()) / rows.len() as f64;
                let wanted = if i == j { components.variances[i] } else { 0.0 };
                assert!((covariance - wanted).abs() < 1e-12, "{i} {j}: {covariance}");
                let cosine = product(&|k| components.directions[i][k] * components.directions[j][k], n);
                assert!((cosine - f64::from(u8::from(i == j))).abs() < 1e-12, "{i} {j}: {cosine}");
            }
        }
        assert!(components.variances.windows(2).all(|pair| pair[0] >= pair[1]));
    }
}
