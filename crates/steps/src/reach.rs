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
//! 3. What the envelope leaves over, if anything, is a hard limit's ([`Legs::reach_barely`]).
//!
//! Departures, in 1.: L is neared gently ([`SOFT_FROM`]), and legs that straighten or bend fast stay more bent
//! ([`KNEE_SPEED`]): where a foot lands far ahead, its leg reaches its full length in one frame and is shorter in the
//! next, and a knee near straight turns that into a snap. Where a foot is too far to the side for any height the
//! pelvis moves there first: footprints of the paper are near.

use super::{LinearBody, LinearPose};
use surefoot_geom::{Quat, Vec3};
use surefoot_motion::{PerSide, Side};

/// STRIDE's damping factor.
const DAMPING: f64 = 0.995;
/// The level way from hip to ankle may take up this share of the longest leg, so that some height is left.
const MAX_LEVEL: f64 = 0.94;
/// Seconds that the envelope looks to either side, twice. Longer ones lower the pelvis where nothing asks for it,
/// shorter ones jerk.
pub(super) const SPREAD: f64 = 0.06;

/// Knees bend by this share of a straight leg before it is too short: an ankle that nears its limit at full speed would
/// stop the knee within a frame.
const SOFT_FROM: f64 = 0.975;

/// Radians a second that a knee may turn near straight, as far as [`MOST_BENT`] allows.
const KNEE_SPEED: f64 = 6.0;
/// Share of a straight leg by which a fast leg is shorter at most.
const MOST_BENT: f64 = 0.025;

/// The extension of a leg that is asked for one, both as shares of a straight leg: never more than [`DAMPING`]. `speed`
/// is how fast the one asked for changes, in shares a second.
fn gentle_extension(asked: f64, speed: f64) -> f64 {
    // With thigh and shin of one length the extension is the cosine of half the knee's bend b, so the knee turns by
    // 2 speed / sin(b/2) a second.
    let sine = (2.0 * speed / KNEE_SPEED).min(1.0);
    let bent = (DAMPING - (1.0 - sine * sine).sqrt()).clamp(0.0, MOST_BENT);
    let (from, room) = (SOFT_FROM - bent, DAMPING - SOFT_FROM);
    if asked <= from { asked } else { from + room * (1.0 - (-(asked - from) / room).exp()) }
}

/// The legs of a pose: from ankle to hip, and how long they are when straight.
pub(super) struct Legs {
    ways: PerSide<Vec3>,
    lengths: PerSide<f64>,
}

impl Legs {
    /// `rotations` are those of [`LinearBody::rotations`].
    pub(super) fn new(body: &LinearBody, pose: &LinearPose, rotations: &[Quat]) -> Legs {
        Legs {
            ways: PerSide::from_fn(|side| body.hip(&pose.pelvis, rotations, side) - body.ankle(side, &pose.feet[side])),
            lengths: PerSide::from_fn(|side| body.leg_length(side)),
        }
    }

    /// From hip to ankle, as shares of straight legs: above 1 if out of reach.
    pub(super) fn extensions(&self) -> PerSide<f64> {
        PerSide::from_fn(|side| self.ways[side].length() / self.lengths[side])
    }

    /// The move of a pelvis after which both feet are well in reach. `speeds` are those at which extensions change.
    pub(super) fn reach_gently(&self, speeds: &PerSide<f64>) -> Vec3 {
        self.pelvis_move(|side, asked| gentle_extension(asked, speeds[side]))
    }

    /// The move of a pelvis after which both feet are in reach, and none if they are.
    pub(super) fn reach_barely(&self) -> Vec3 {
        self.pelvis_move(|_, asked| asked.min(DAMPING))
    }

    /// Sideways as little as can be, and down until no leg has more than its allowed extension.
    fn pelvis_move(&self, allowed: impl Fn(Side, f64) -> f64) -> Vec3 {
        let mut level = Vec3::ZERO;
        // Two discs: a few rounds bring a point into both, if they meet.
        for _ in 0..8 {
            for side in Side::BOTH {
                let way = self.ways[side] + level;
                let out = Vec3::new(way.x, 0.0, way.z);
                let excess = out.length() - MAX_LEVEL * DAMPING * self.lengths[side];
                if excess > 0.0 {
                    level -= out.normalize_or_zero() * excess;
                }
            }
        }
        let lowering = Side::BOTH.into_iter().fold(0.0f64, |lowest, side| {
            let (way, full) = (self.ways[side] + level, self.lengths[side]);
            let length = full * allowed(side, way.length() / full);
            // STRIDE 6.2: h.
            lowest.min(-way.y + (length * length - way.x * way.x - way.z * way.z).max(0.0).sqrt())
        });
        level + Vec3::Y * lowering
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    fn legs(ways: [Vec3; 2]) -> Legs {
        let [left, right] = ways;
        Legs { ways: PerSide { left, right }, lengths: PerSide { left: 0.8, right: 0.8 } }
    }

    #[test]
    fn legs_in_reach_stay_as_they_are() {
        let bent = legs([Vec3::new(0.1, 0.7, 0.0), Vec3::new(-0.1, 0.72, 0.2)]);
        assert!(bent.reach_barely().length() < 1e-12);
        assert!(bent.reach_gently(&PerSide::default()).length() < 1e-12);
        // Near straight the hard limit leaves them alone, the gentle one does not.
        let straight = legs([Vec3::new(0.0, 0.79, 0.0); 2]);
        assert!(straight.reach_barely().length() < 1e-12);
        assert!(straight.reach_gently(&PerSide::default()).y < -1e-3);
    }

    #[test]
    fn whatever_is_asked_for_is_in_reach_afterwards() {
        for (ahead, aside, up) in [(0.5, 0.0, 0.8), (0.9, 0.3, 0.8), (0.0, 0.0, 1.2), (-0.7, 1.1, 0.6)] {
            let asked = legs([Vec3::new(aside, up, ahead), Vec3::new(0.0, 0.75, 0.1)]);
            for speed in [0.0, 0.5, 100.0] {
                let speeds = PerSide { left: speed, right: speed };
                for by in [asked.reach_barely(), asked.reach_gently(&speeds)] {
                    let moved = legs([asked.ways.left + by, asked.ways.right + by]);
                    let longest = moved.extensions().left.max(moved.extensions().right);
                    assert!(longest <= DAMPING + 1e-6, "{ahead} {aside} {up}, speed {speed}: {longest}");
                }
            }
        }
    }

    #[test]
    fn extensions_are_neared_without_a_kink_and_faster_legs_stay_more_bent() {
        for speed in [0.0, 0.3, 0.6, 5.0] {
            let allowed = |asked: f64| gentle_extension(asked, speed);
            for k in 0..200 {
                let (asked, step) = (0.9 + 0.001 * f64::from(k), 1e-4);
                let [before, here, after] = [asked - step, asked, asked + step].map(allowed);
                assert!(before <= here && here <= after && after - here <= 1.0001 * step, "{asked} at {speed}");
                assert!((after - 2.0 * here + before).abs() < 0.006 * step, "a kink at {asked}, {speed}");
                assert!(here <= DAMPING && here <= gentle_extension(asked, 0.5 * speed), "{asked} at {speed}");
            }
        }
        assert!(gentle_extension(2.0, 5.0) >= DAMPING - MOST_BENT - 1e-9);
    }
}
