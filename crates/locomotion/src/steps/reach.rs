//! Legs that reach the ground: the pelvis is lowered where they would be too short.
//!
//! Reference: STRIDE 6.2, ground adaptation.
//!
//! 1. For each foot the height that the pelvis can have: `h = A_y - R_y + sqrt(L^2 - (R_x - A_x)^2 - (R_z - A_z)^2)`, L
//!    being the leg's length times 0.995, at which a knee does not pop. The lower of both counts, and never more than
//!    0.
//! 2. The envelope of h over time: the lowest within [`SPREAD`] on either side, then a Gaussian mean over as much:
//!    smooth, never above h, so that the feet stay in reach, and 0 where h is 0 all around. The paper fits Gaussian
//!    curves to the peaks.
//!
//! Where a foot is too far to the side for any height the pelvis moves there first: that is beyond the paper, whose
//! footprints are near.

use super::{LinearBody, LinearPose};
use surefoot_geom::{Quat, Vec3};
use surefoot_motion::Side;

/// STRIDE's damping factor.
const DAMPING: f64 = 0.995;
/// The level way from hip to ankle may take up this share of the leg, so that some height is left.
const MAX_LEVEL: f64 = 0.94;
/// Seconds that the envelope looks to either side, twice.
pub(super) const SPREAD: f64 = 0.1;

/// Knees bend by this share of a straight leg before it is too short: an ankle that nears its limit at full speed would
/// stop the knee within a frame.
const SOFT_FROM: f64 = 0.975;

/// The extension of a leg that is asked for one, both as shares of a straight leg: the same up to [`SOFT_FROM`], and
/// never more than [`DAMPING`].
fn soft_extension(asked: f64) -> f64 {
    let room = DAMPING - SOFT_FROM;
    if asked <= SOFT_FROM { asked } else { SOFT_FROM + room * (1.0 - (-(asked - SOFT_FROM) / room).exp()) }
}

/// The move of a pelvis after which both feet are in reach: sideways as little as can be, and down.
pub(super) fn reach_move(body: &LinearBody, pose: &LinearPose, rotations: &[Quat]) -> Vec3 {
    let legs = Side::BOTH.map(|side| {
        let hip = body.hip(&pose.pelvis, rotations, side);
        (hip - body.ankle(side, &pose.feet[side]), DAMPING * body.leg_length(side))
    });
    let mut level = Vec3::ZERO;
    // Two discs: a few rounds bring a point into both, if they meet.
    for _ in 0..8 {
        for (way, length) in legs {
            let out = Vec3::new(way.x + level.x, 0.0, way.z + level.z);
            let excess = out.length() - MAX_LEVEL * length;
            if excess > 0.0 {
                level -= out.normalize_or_zero() * excess;
            }
        }
    }
    let lowering = legs.iter().fold(0.0f64, |lowest, (way, length)| {
        let (x, z) = (way.x + level.x, way.z + level.z);
        // STRIDE 6.2: h, for a length that nears the longest one gently.
        let full = length / DAMPING;
        let asked = Vec3::new(x, way.y, z).length() / full;
        let length = full * soft_extension(asked);
        lowest.min(-way.y + (length * length - x * x - z * z).max(0.0).sqrt())
    });
    level + Vec3::Y * lowering
}

/// The envelope of moves at a frame; `at` gives those around it, held beyond the ends.
pub(super) fn envelope(half: usize, at: impl Fn(isize) -> Vec3) -> Vec3 {
    let half = half as isize;
    let lowest = |centre: isize| (centre - half..=centre + half).map(|k| at(k).y).fold(0.0, f64::min);
    let (mut sum, mut total) = (Vec3::ZERO, 0.0);
    for k in -half..=half {
        let u = k as f64 / (half as f64 / 2.0).max(1.0);
        let weight = (-0.5 * u * u).exp();
        let there = at(k);
        sum += Vec3::new(there.x, lowest(k), there.z) * weight;
        total += weight;
    }
    sum / total
}
