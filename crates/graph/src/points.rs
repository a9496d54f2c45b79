//! Frames compared by clouds of points, each pair brought together on the ground first.
//!
//! Reference: GRAPH 5.1.2, after Kovar, Gleicher and Pighin 2002, with the weights of GRAPH 5.2.1.
//!
//! The points are the joints. Over a window the clouds of all its frames are one cloud, turned and shifted as a whole. The distance is
//! the weighted sum of squared distances that is left, in square metres, which `align.rs` gives without an angle: three sums
//! of products, along, across and of heights, and sums that each window has alone. To keep digits, points are taken about the
//! mean place of their clip.

use crate::align::{CloudSums, PairSums, aligned_distance};
use crate::motion_set::MotionSet;
use crate::pair_kernel::{LANES, Lanes, PairKernel, Panels, WindowSums};
use surefoot_geom::Vec3;
use surefoot_motion::{BodyMap, BodyPoint, Side, Skeleton, WorldPose};

/// Weights of the points.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PointWeights {
    /// Of the hips.
    pub hip: f64,
    /// Of the knees.
    pub knee: f64,
    /// Of the ankles.
    pub ankle: f64,
    /// Of the balls of the feet, the paper's subtalar joints.
    pub ball: f64,
    /// Of the tips of the feet.
    pub toe: f64,
    /// Of every other joint.
    pub other: f64,
}

impl Default for PointWeights {
    /// The paper's.
    fn default() -> PointWeights {
        PointWeights { hip: 0.6, knee: 0.7, ankle: 0.8, ball: 0.9, toe: 1.0, other: 0.5 }
    }
}

/// Points of a body with their weights.
#[derive(Clone, Debug, PartialEq)]
pub struct WeightedPoints(Vec<(BodyPoint, f64)>);

impl WeightedPoints {
    /// All joints of a body, and the tips of its feet where they are no joints.
    pub fn of(skeleton: &Skeleton, body: &BodyMap, weights: &PointWeights) -> WeightedPoints {
        let mut points: Vec<(BodyPoint, f64)> =
            skeleton.ids().map(|joint| (BodyPoint::Joint(joint), weights.other)).collect();
        for side in Side::BOTH {
            let leg = &body.legs[side];
            let mut weigh = |point: BodyPoint, weight: f64| match points.iter_mut().find(|(known, _)| *known == point) {
                Some(known) => known.1 = weight,
                None => points.push((point, weight)),
            };
            weigh(BodyPoint::Joint(leg.hip), weights.hip);
            weigh(BodyPoint::Joint(leg.knee), weights.knee);
            weigh(BodyPoint::Joint(leg.ankle), weights.ankle);
            if let Some(ball) = leg.ball {
                weigh(BodyPoint::Joint(ball), weights.ball);
            }
            if let Some(toe) = leg.toe {
                weigh(toe, weights.toe);
            }
        }
        // A root that stands still while the body walks away is no part of it.
        points.retain(|(point, weight)| *weight > 0.0 && skeleton.is_at_or_above(body.pelvis, point.joint(skeleton)));
        WeightedPoints(points)
    }

    /// Where the points are in a pose, with their weights.
    pub fn cloud<'a>(&'a self, skeleton: &'a Skeleton, pose: &'a WorldPose) -> impl Iterator<Item = (Vec3, f64)> + 'a {
        self.0.iter().map(|(point, weight)| (pose.point(skeleton, *point), *weight))
    }
}

pub(crate) struct PointKernel {
    n_points: usize,
    /// For each frame: x, y and z of each point, times the root of its weight.
    points: Vec<f64>,
    panels: Panels,
    x: WindowSums,
    z: WindowSums,
    ground_square: WindowSums,
    height_square: WindowSums,
    /// Of all points of a window.
    weight: f64,
}

impl PointKernel {
    pub(crate) fn new(set: &MotionSet, weights: &PointWeights, window: usize) -> PointKernel {
        let skeleton = set.skeleton();
        let points = WeightedPoints::of(skeleton, set.body(), weights);
        let n_points = points.0.len();
        let mut rows: Vec<f64> = Vec::new();
        let mut clouds: Vec<CloudSums> = Vec::new();
        for clip in set.clips() {
            let poses = clip.world();
            let pelvis = poses.iter().map(|pose| pose.position(set.body().pelvis)).sum::<Vec3>();
            let centre = pelvis / poses.len().max(1) as f64 * Vec3::new(1.0, 0.0, 1.0);
            for pose in &poses {
                let cloud = || points.cloud(skeleton, pose).map(|(point, weight)| (point - centre, weight));
                rows.extend(cloud().flat_map(|(point, weight)| (point * weight.sqrt()).to_array()));
                clouds.push(CloudSums::of(cloud()));
            }
        }
        let sums = |of: fn(&CloudSums) -> f64| WindowSums::of(clouds.iter().map(of), window);
        PointKernel {
            n_points,
            panels: Panels::of(&rows, 3 * n_points),
            points: rows,
            x: sums(|cloud| cloud.x),
            z: sums(|cloud| cloud.z),
            ground_square: sums(|cloud| cloud.ground_square),
            height_square: sums(|cloud| cloud.height_square),
            weight: points.0.iter().map(|(_, weight)| weight).sum::<f64>() * window as f64,
        }
    }

    fn cloud(&self, frame: usize) -> CloudSums {
        CloudSums {
            x: self.x.at(frame),
            z: self.z.at(frame),
            ground_square: self.ground_square.at(frame),
            height_square: self.height_square.at(frame),
        }
    }
}

impl PairKernel for PointKernel {
    fn n_sums(&self) -> usize {
        3
    }

    fn fill(&self, frame: usize, panel: usize, out: &mut [Lanes]) {
        let n = 3 * self.n_points;
        let own = &self.points[frame * n..(frame + 1) * n];
        let (mut along, mut across, mut height) = ([0.0; LANES], [0.0; LANES], [0.0; LANES]);
        for (own, others) in own.chunks_exact(3).zip(self.panels.panel(panel).chunks_exact(3)) {
            for lane in 0..LANES {
                let (x, y, z) = (others[0][lane], others[1][lane], others[2][lane]);
                along[lane] += own[0] * x + own[2] * z;
                across[lane] += own[0] * z - own[2] * x;
                height[lane] += own[1] * y;
            }
        }
        out.copy_from_slice(&[along, across, height]);
    }

    fn finish(&self, a: usize, b: usize, sums: &[f64]) -> f64 {
        let pair = PairSums { along: sums[0], across: sums[1], height: sums[2] };
        aligned_distance(&self.cloud(a), &self.cloud(b), &pair, self.weight)
    }
}
