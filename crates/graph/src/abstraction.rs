//! What of a body follows a path: the pelvis, or an abstraction of its trajectory that does not sway.
//!
//! Reference: GRAPH 6.1.
//!
//! People sway from foot to foot. A search that keeps the pelvis on the path picks the motion that sways least, or turns against the
//! sway. So each clip's trajectory is abstracted once, and the search compares the abstraction with the path; the motion itself is not
//! touched.

use crate::follow::Tracks;
use crate::motion_set::MotionSet;
use surefoot_geom::{Vec2, Vec3};
use surefoot_motion::{BodyMap, Side, WorldPose};

mod b_spline;
mod extrema;
mod gaussian;

pub use gaussian::{GaussianOptions, smooth_trajectory};

/// How a clip's trajectory is abstracted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Abstraction {
    /// Not at all: the pelvis itself, the standard method.
    Pelvis,
    /// The mean of knees, ankles and feet, whose trajectories sway against the pelvis's (6.1.1).
    Joints,
    /// The middles between the points where the pelvis sways farthest (6.1.2).
    Extrema,
    /// The smoothed trajectory of the pelvis over its length (6.1.3).
    Gaussian,
    /// A uniform cubic B-spline through few points of the trajectory (6.1.4).
    BSpline,
}

impl Abstraction {
    /// All of them, in the paper's order.
    pub const ALL: [Abstraction; 5] =
        [Abstraction::Pelvis, Abstraction::Joints, Abstraction::Extrema, Abstraction::Gaussian, Abstraction::BSpline];

    /// A word for it.
    pub fn name(self) -> &'static str {
        match self {
            Abstraction::Pelvis => "pelvis",
            Abstraction::Joints => "joints",
            Abstraction::Extrema => "extrema",
            Abstraction::Gaussian => "gaussian",
            Abstraction::BSpline => "b-spline",
        }
    }
}

/// The abstraction of every clip of a set, a point for each frame.
pub fn abstract_tracks(set: &MotionSet, abstraction: Abstraction) -> Tracks {
    let of_clip = |clip: &surefoot_motion::Clip| abstract_trajectory(&clip.world(), set.body(), abstraction);
    Tracks(set.clips().iter().map(of_clip).collect())
}

/// The abstraction of a clip's trajectory, a point for each frame.
pub fn abstract_trajectory(poses: &[WorldPose], body: &BodyMap, abstraction: Abstraction) -> Vec<Vec2> {
    let ground = |point: Vec3| Vec2::new(point.x, point.z);
    let pelvis = || -> Vec<Vec2> { poses.iter().map(|pose| ground(pose.position(body.pelvis))).collect() };
    match abstraction {
        Abstraction::Pelvis => pelvis(),
        Abstraction::Joints => poses.iter().map(|pose| ground(mean_of_legs(pose, body))).collect(),
        Abstraction::Extrema => extrema::between_extrema(&pelvis()),
        Abstraction::Gaussian => smooth_trajectory(&pelvis(), &GaussianOptions::default()),
        Abstraction::BSpline => b_spline::spline_trajectory(&pelvis()),
    }
}

fn mean_of_legs(pose: &WorldPose, body: &BodyMap) -> Vec3 {
    let of_leg = |side: Side| {
        let leg = &body.legs[side];
        pose.position(leg.knee) + pose.position(leg.ankle) + body.ball(pose, side)
    };
    Side::BOTH.into_iter().map(of_leg).sum::<Vec3>() / 6.0
}

/// Distance travelled at each point of a trajectory.
fn travelled(trajectory: &[Vec2]) -> Vec<f64> {
    let mut along = vec![0.0; trajectory.len()];
    for (k, pair) in trajectory.windows(2).enumerate() {
        along[k + 1] = along[k] + pair[0].distance(pair[1]);
    }
    along
}
