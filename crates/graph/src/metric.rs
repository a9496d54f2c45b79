//! How unlike two frame windows are: the paper's three posture distance metrics (GRAPH 5.1).

use crate::angles::{AngleKernel, AngleWeights};
use crate::components::ComponentKernel;
use crate::motion_set::MotionSet;
use crate::pair_kernel::KernelJob;
use crate::points::{PointKernel, PointWeights};

/// A posture distance metric.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Metric {
    /// Angles of a few joints and their velocities; squared radians, summed over the window.
    Angles(AngleWeights),
    /// Clouds of points, aligned on the ground; square metres, summed over points and window.
    Points(PointWeights),
    /// Principal components of rotations, weighted by their eigenvalues: the first so many, or all.
    Components(Option<usize>),
}

impl Metric {
    /// Angles with the paper's weights.
    pub fn angles() -> Metric {
        Metric::Angles(AngleWeights::default())
    }

    /// Points with the paper's weights.
    pub fn points() -> Metric {
        Metric::Points(PointWeights::default())
    }

    /// All principal components.
    pub fn components() -> Metric {
        Metric::Components(None)
    }

    /// `angles`, `points` or `pca`.
    pub fn name(&self) -> &'static str {
        match self {
            Metric::Angles(_) => "angles",
            Metric::Points(_) => "points",
            Metric::Components(_) => "pca",
        }
    }

    /// Gives a job the kernel that compares the frames of a set over windows: each metric has its own compiled loop.
    pub(crate) fn with_kernel<J: KernelJob>(&self, set: &MotionSet, window: usize, job: J) -> J::Output {
        match self {
            Metric::Angles(weights) => job.run(&AngleKernel::new(set, weights, window)),
            Metric::Points(weights) => job.run(&PointKernel::new(set, weights, window)),
            Metric::Components(n) => job.run(&ComponentKernel::new(set, *n, window)),
        }
    }
}
