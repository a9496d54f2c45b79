//! Heel, ball and toe tip of a foot against the ground, toes that bend out of it, and swings that are raised over it.
//!
//! 1. [`Toes::bend_out`]: toes that reach into the ground bend up.
//! 2. [`cover`]: how far a swinging foot is raised in each frame, so that it is nowhere too low: bumps that are smooth, nothing
//!    at the ends of the swing, and as wide as there is room.
//!
//! Toe tips may be as far below the ball as they are when the foot is planted flat: skeletons differ.

use super::LinearFoot;
use super::stance_plane::StancePlane;
use super::underfoot::Underfoot;
use surefoot_geom::{Quat, Vec3, ground_point, smoothstep};
use surefoot_ground::Terrain;

/// Furthest that toes bend up out of the ground, in radians, and how often that is tried.
const MAX_BEND: f64 = 1.4;
const ROUNDS: usize = 3;
/// Ground that is higher than this above that under the ball is an edge, in metres.
const EDGE: f64 = 0.05;
/// How far toes in the air bend up over an edge, in metres.
const OVER_EDGE: f64 = 0.025;
/// Most that toes which relax come back into the ground after a foot was raised, in metres.
const REST: f64 = 0.006;
/// Depth that is left alone, in metres.
const TOLERANCE: f64 = 2e-4;

/// What feet must stay out of.
#[derive(Clone, Copy, Debug)]
pub(super) enum Ground<'a> {
    /// Known everywhere.
    Terrain(&'a Terrain),
    /// Known at the foot's footprints: the plane of the nearest one.
    Prints(&'a Underfoot),
    /// The same with a ramp from one plane to the other, so that what follows it does not jump between them.
    Ramp(&'a StancePlane, &'a StancePlane),
}

/// Shares of the way from one footprint to the other between which the ramp lies.
const RAMP: [f64; 2] = [0.3, 0.7];

impl Ground<'_> {
    /// The height of the ground at a point.
    pub(super) fn height(&self, at: Vec3) -> f64 {
        match self {
            Ground::Terrain(terrain) => terrain.height(ground_point(at)),
            Ground::Prints(prints) => prints.nearest(at).height(at),
            Ground::Ramp(one, other) => {
                let (way, here) = (ground_point(other.ball - one.ball), ground_point(at - one.ball));
                let share = way.dot(here) / way.length_squared().max(1e-9);
                let over = smoothstep((share - RAMP[0]) / (RAMP[1] - RAMP[0]));
                one.height(at) + over * (other.height(at) - one.height(at))
            }
        }
    }
}

/// How far the lowest of heel, ball and toe tip is above the ground; negative inside.
pub(super) fn lowest_above([heel, ball, tip]: &[Vec3; 3], tip_drop: f64, ground: &Ground<'_>) -> f64 {
    let above = |point: &Vec3| point.y - ground.height(*point);
    above(heel).min(above(ball)).min(above(tip) + tip_drop)
}

/// The toes of a foot.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Toes {
    /// The joint that bends them, as an index into [`super::LinearBody::others`].
    pub(super) joint: Option<usize>,
    /// Their tip from the ball, in the space of that joint or, without one, of the ankle.
    pub(super) tip: Vec3,
    /// Typical rotation of the joint against the ankle.
    pub(super) mean: Quat,
    /// Rotation of the ankle against the sole.
    pub(super) ankle: Quat,
    /// How far the tip is below the ball when the foot is planted flat.
    pub(super) drop: f64,
}

impl Toes {
    /// See the field.
    pub(super) fn drop(&self) -> f64 {
        self.drop
    }

    /// See the field.
    pub(super) fn mean(&self) -> Quat {
        self.mean
    }

    /// Their rotation against the ankle in a pose with these rotations.
    pub(super) fn rotation(&self, rotations: &[Quat]) -> Quat {
        self.joint.map_or(Quat::IDENTITY, |joint| rotations[joint])
    }

    /// Their tip from the ball.
    pub(super) fn tip_from_ball(&self, foot_rotation: Quat, toes: Quat) -> Vec3 {
        foot_rotation * (self.ankle * (toes * self.tip))
    }

    /// Bends the toes of a planted foot up as far as they reach into the ground.
    pub(super) fn bend_out(&self, foot: &LinearFoot, toes: &mut Quat, ground: &Ground<'_>) {
        self.bend_over(foot, toes, |at| ground.height(at));
    }

    /// Bends the toes of a swinging foot, but only a little over an edge ahead of them: the foot is raised over that ([`cover`]).
    pub(super) fn bend_out_in_swing(&self, foot: &LinearFoot, toes: &mut Quat, ground: &Ground<'_>) {
        let tip = foot.ball + self.tip_from_ball(foot.rotation, *toes);
        let highest = (ground.height(foot.ball) + EDGE).max(tip.y + self.drop + OVER_EDGE);
        self.bend_over(foot, toes, |at| ground.height(at).min(highest));
    }

    /// Bends the toes of a swinging foot that has been raised out of the ground already, and of which no more than a tip is left in it.
    pub(super) fn bend_out_rest(&self, foot: &LinearFoot, toes: &mut Quat, ground: &Ground<'_>) {
        let tip = foot.ball + self.tip_from_ball(foot.rotation, *toes);
        let highest = tip.y + self.drop + REST;
        self.bend_over(foot, toes, |at| ground.height(at).min(highest));
    }

    /// The same over any ground.
    pub(super) fn bend_over(&self, foot: &LinearFoot, toes: &mut Quat, height: impl Fn(Vec3) -> f64) {
        if self.joint.is_none() {
            return;
        }
        let mut bent = 0.0;
        for _ in 0..ROUNDS {
            let way = self.tip_from_ball(foot.rotation, *toes);
            let tip = foot.ball + way;
            let low = height(tip) - self.drop - tip.y;
            let level = way.x.hypot(way.z);
            if low < TOLERANCE || bent >= MAX_BEND || level < 1e-6 {
                return;
            }
            let angle = (low / level).atan().min(MAX_BEND - bent);
            bent += angle;
            // Turned so that the tip rises.
            let axis = (foot.rotation * self.ankle).conjugate() * way.cross(Vec3::Y).normalize_or(Vec3::X);
            *toes = (Quat::from_axis_angle(axis, angle) * *toes).normalize();
        }
    }
}

/// Raises for the frames of a swing that are nowhere less than `needed`, and 0 where nothing is. `widest` is how many frames
/// a bump takes to come up or to go down at most; beyond either end the foot is planted.
pub fn cover(needed: &[f64], widest: usize) -> Vec<f64> {
    let n = needed.len();
    let mut raise = vec![0.0; n];
    for _ in 0..n {
        let missing = |k: usize| needed[k] - raise[k];
        let Some(peak) = (0..n).max_by(|&a, &b| missing(a).total_cmp(&missing(b))) else { break };
        let most = missing(peak);
        // What is no number is left alone.
        if most.is_nan() || most <= TOLERANCE {
            break;
        }
        let (before, after) = ((peak + 1).min(widest) as f64, (n - peak).min(widest) as f64);
        for (k, raise) in raise.iter_mut().enumerate() {
            let away = k as f64 - peak as f64;
            *raise += most * bump(if away < 0.0 { -away / before } else { away / after });
        }
    }
    raise
}

/// 1 at 0, 0 from 1 on, smooth at both.
fn bump(x: f64) -> f64 {
    let x = x.clamp(0.0, 1.0);
    1.0 - x * x * x * (10.0 - x * (15.0 - 6.0 * x))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn raises_cover_what_is_needed_and_are_smooth() {
        let needed: Vec<f64> = (0..40).map(|k| if (10..14).contains(&k) { 0.1 } else { -0.02 }).collect();
        let raise = cover(&needed, 12);
        assert!(raise.iter().zip(&needed).all(|(raise, needed)| raise >= &(needed - TOLERANCE)));
        assert!(raise.windows(2).all(|pair| (pair[1] - pair[0]).abs() < 0.025), "{raise:?}");
        assert!(raise[0] < 0.005 && raise[39] == 0.0 && raise.iter().all(|raise| *raise < 0.2));
        assert!(cover(&[-1.0; 5], 4).iter().all(|raise| *raise == 0.0));
        assert!(cover(&[], 4).is_empty());
    }
}
