//! Legs that are as long as recorded ones, and reach the ground.
//!
//! Reference: STRIDE 6.2, ground adaptation.
//!
//! 1. [`Legs::fit`]: the height of the pelvis at which the planted legs are extended as those of the blended steps were, and
//!    its mean over [`FIT_SPREAD`] on either side ([`Kernel`]). Blended places are nearer to each other than recorded
//!    ones, and feet were moved to their footprints: without this knees are bent too much, or too little.
//! 2. [`heel_rise`]: a foot that is planted on its ball alone, or has just left, lifts its heel further where its leg would be
//!    longer than recorded: so do people, and the pelvis needs not go down for it.
//! 3. For each foot the height that the pelvis can have: `h = A_y - R_y + sqrt(L^2 - (R_x - A_x)^2 - (R_z - A_z)^2)`, L
//!    being the leg's length times [`REACH`]. The lower of both counts, and never more than 0.
//! 4. The envelope of h over time: the lowest within [`SPREAD`] on either side, then a Gaussian mean over as much:
//!    smooth, never above h, so that the feet stay in reach, and 0 where h is 0 all around. The paper fits Gaussian
//!    curves to the peaks.
//! 5. What the envelope leaves over, if anything, is a hard limit's ([`Legs::reach_barely`]).
//!
//! Departures: 1. and 2.; and where a foot is too far to the side for any height the pelvis moves there first: footprints of the
//! paper are near.

use super::{LinearBody, LinearFoot, LinearPose};
use surefoot_geom::{Quat, Vec3, heading_direction};
use surefoot_motion::{PerSide, Side};
use surefoot_plan::FootContact;

/// The longest that a leg is asked to be, as a share of a straight one: STRIDE's; and a hard limit. At 0.988 the pelvis is 0.5 cm
/// lower in the median walk of the corpus, and knees are a tenth calmer.
const REACH: f64 = 0.995;
const BARELY: f64 = 0.998;
/// The level distance from hip to ankle may take up this share of the longest leg, so that some height is left.
const MAX_LEVEL: f64 = 0.94;
/// Seconds that the envelope looks to either side, twice. Longer ones lower the pelvis where nothing asks for it,
/// shorter ones jerk.
pub(super) const SPREAD: f64 = 0.1;
/// Seconds that the mean of the pelvis's fit looks to either side.
pub(super) const FIT_SPREAD: f64 = 0.12;
/// Furthest that the pelvis is raised or lowered for legs as long as recorded ones, in metres.
const MAX_FIT: f64 = 0.06;
/// Seconds that the mean of a heel's rise looks to either side, and over which it comes in after heel-off.
pub(super) const HEEL_SPREAD: f64 = 0.06;
/// Furthest that a heel rises for its leg, in radians.
const MAX_HEEL_RISE: f64 = 0.7;
/// Steepest that a sole becomes so, in radians: people leave the ground at some 60 degrees.
const STEEPEST: f64 = 1.0;
/// How much longer than recorded a leg may be before its heel rises, as a share of a straight one.
const HEEL_SLACK: f64 = 0.003;
/// What a leg in the air counts beside one that is planted.
const SWING_WEIGHT: f64 = 0.1;

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

    /// Both hips higher by some metres.
    pub(super) fn raise(&mut self, by: f64) {
        Side::BOTH.into_iter().for_each(|side| self.ways[side].y += by);
    }

    /// How much higher the pelvis would have legs of these extensions; legs in the air count little.
    pub(super) fn fit(&self, extensions: &PerSide<f64>, down: &PerSide<FootContact>) -> f64 {
        let (mut sum, mut total) = (0.0, 0.0);
        for side in Side::BOTH {
            let way = self.ways[side];
            let length = extensions[side].min(REACH) * self.lengths[side];
            let level = way.x * way.x + way.z * way.z;
            let rise = (length * length - level).max(0.0).sqrt() - way.y;
            // A heel that is free can rise instead of the pelvis going down.
            let counts = down[side].heel || (down[side].ball && rise > 0.0);
            let weight = if counts { 1.0 } else { SWING_WEIGHT };
            sum += weight * rise;
            total += weight;
        }
        (sum / total).clamp(-MAX_FIT, MAX_FIT)
    }

    /// The move of a pelvis after which both feet are well in reach, and none if they are.
    pub(super) fn reach(&self) -> Vec3 {
        self.pelvis_move(REACH)
    }

    /// The same to the very limit.
    pub(super) fn reach_barely(&self) -> Vec3 {
        self.pelvis_move(BARELY)
    }

    /// Sideways as little as can be, and down until no leg has more than its longest extension.
    fn pelvis_move(&self, longest: f64) -> Vec3 {
        let mut level = Vec3::ZERO;
        // Two discs: a few rounds bring a point into both, if they meet.
        for _ in 0..8 {
            for side in Side::BOTH {
                let way = self.ways[side] + level;
                let out = Vec3::new(way.x, 0.0, way.z);
                let excess = out.length() - MAX_LEVEL * longest * self.lengths[side];
                if excess > 0.0 {
                    level -= out.normalize_or_zero() * excess;
                }
            }
        }
        let lowering = Side::BOTH.into_iter().fold(0.0f64, |lowest, side| {
            let (way, length) = (self.ways[side] + level, longest * self.lengths[side]);
            // STRIDE 6.2: h.
            lowest.min(-way.y + (length * length - way.x * way.x - way.z * way.z).max(0.0).sqrt())
        });
        level + Vec3::Y * lowering
    }
}

/// The pitch about its ball after which a foot's leg is no longer than `extension`, a share of a straight one; as far as
/// that helps.
pub(super) fn heel_rise(body: &LinearBody, side: Side, foot: &LinearFoot, hip: Vec3, extension: f64) -> f64 {
    let length = (extension + HEEL_SLACK).min(REACH) * body.leg_length(side);
    let (hip, ankle) = (hip - foot.ball, body.ankle(side, foot) - foot.ball);
    let axis = pitch_axis(foot);
    let too_long = |pitch: f64| (Quat::from_axis_angle(axis, pitch) * ankle).distance(hip) > length;
    if !too_long(0.0) {
        return 0.0;
    }
    // How steep the sole is by itself, up to straight down and beyond.
    let (forward, up) = (foot.rotation * Vec3::Z, foot.rotation * Vec3::Y);
    let pitch = (-forward.y).atan2(up.y);
    let (mut low, mut high) = (0.0, (STEEPEST - pitch).clamp(0.0, MAX_HEEL_RISE));
    for _ in 0..10 {
        let middle = 0.5 * (low + high);
        // Past the point nearest to the hip more pitch helps no more.
        let closer = Quat::from_axis_angle(axis, middle) * ankle;
        let helps = axis.cross(closer).dot(hip - closer) > 0.0;
        if too_long(middle) && helps { low = middle } else { high = middle }
    }
    low
}

/// The axis about which a foot's heel rises: across the foot, and level. It is the foot's own, since a foot that points straight
/// down has no heading.
pub(super) fn pitch_axis(foot: &LinearFoot) -> Vec3 {
    let across = heading_direction(std::f64::consts::FRAC_PI_2);
    let turned = foot.rotation * across;
    Vec3::new(turned.x, 0.0, turned.z).normalize_or(across)
}

/// A Gaussian mean over frames.
pub(super) struct Kernel {
    /// How many frames it looks to either side.
    half: isize,
    /// Of the frames from `-half` on.
    weights: Vec<f64>,
    total: f64,
}

impl Kernel {
    pub(super) fn new(half: usize) -> Kernel {
        let half = half as isize;
        let weight = |k: isize| {
            let u = k as f64 / (half as f64 / 2.0).max(1.0);
            (-0.5 * u * u).exp()
        };
        let weights: Vec<f64> = (-half..=half).map(weight).collect();
        Kernel { half, total: weights.iter().sum(), weights }
    }

    fn frames(&self) -> impl Iterator<Item = (isize, f64)> + '_ {
        (-self.half..).zip(self.weights.iter().copied())
    }

    /// The mean of what `at` gives for the frames around one, held beyond the ends.
    pub(super) fn mean(&self, at: impl Fn(isize) -> f64) -> f64 {
        self.frames().map(|(k, weight)| weight * at(k)).sum::<f64>() / self.total
    }

    /// The envelope of moves at a frame; `at` gives those around it, held beyond the ends.
    pub(super) fn envelope(&self, at: impl Fn(isize) -> Vec3) -> Vec3 {
        let reach = self.half;
        // Most of the time legs are long enough.
        if (-2 * reach..=2 * reach).all(|k| at(k) == Vec3::ZERO) {
            return Vec3::ZERO;
        }
        let lowest = |centre: isize| (centre - reach..=centre + reach).map(|k| at(k).y).fold(0.0, f64::min);
        let of = |(k, weight): (isize, f64)| Vec3::new(at(k).x, lowest(k), at(k).z) * weight;
        self.frames().map(of).sum::<Vec3>() / self.total
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn legs(ways: [Vec3; 2]) -> Legs {
        let [left, right] = ways;
        Legs { ways: PerSide { left, right }, lengths: PerSide { left: 0.8, right: 0.8 } }
    }

    fn extensions(legs: &Legs) -> PerSide<f64> {
        PerSide::from_fn(|side| legs.ways[side].length() / legs.lengths[side])
    }

    #[test]
    fn legs_in_reach_stay_as_they_are() {
        let bent = legs([Vec3::new(0.1, 0.7, 0.0), Vec3::new(-0.1, 0.72, 0.2)]);
        assert!(bent.reach_barely().length() < 1e-12);
        assert!(bent.reach().length() < 1e-12);
    }

    #[test]
    fn whatever_is_asked_for_is_in_reach_afterwards() {
        for (ahead, aside, up) in [(0.5, 0.0, 0.8), (0.9, 0.3, 0.8), (0.0, 0.0, 1.2), (-0.7, 1.1, 0.6)] {
            let asked = legs([Vec3::new(aside, up, ahead), Vec3::new(0.0, 0.75, 0.1)]);
            for (by, limit) in [(asked.reach_barely(), BARELY), (asked.reach(), REACH)] {
                let moved = extensions(&legs([asked.ways.left + by, asked.ways.right + by]));
                let longest = moved.left.max(moved.right);
                assert!(longest <= limit + 1e-6, "{ahead} {aside} {up}: {longest}");
            }
        }
    }

    #[test]
    fn a_pelvis_that_is_too_low_is_raised_to_legs_as_long_as_asked_for() {
        let mut low = legs([Vec3::new(0.1, 0.7, 0.1), Vec3::new(-0.1, 0.7, 0.1)]);
        let target = extensions(&legs([Vec3::new(0.1, 0.73, 0.1), Vec3::new(-0.1, 0.73, 0.1)]));
        let flat = FootContact { heel: true, ball: true };
        let rise = low.fit(&target, &PerSide::new(flat, flat));
        assert!((rise - 0.03).abs() < 1e-9, "{rise}");
        low.raise(rise);
        assert!((extensions(&low).left - target.left).abs() < 1e-9);
        // The leg that carries counts.
        let unequal = legs([Vec3::new(0.1, 0.7, 0.1), Vec3::new(-0.1, 0.5, 0.1)]);
        let rise = unequal.fit(&target, &PerSide::new(flat, FootContact::default()));
        assert!((0.03..0.06).contains(&rise), "{rise}");
        assert!(unequal.fit(&target, &PerSide::new(flat, flat)) == MAX_FIT);
    }
}
