//! A footplant, and the foot that rolls on it.
//!
//! ```text
//!      \                                       _/
//!    ___\        ______        _/             /
//!   pitch > 0      0          pitch < 0
//!   about the heel           about the ball, toes flat and bent
//! ```

use std::f64::consts::TAU;
use surefoot_geom::{Quat, Vec3, ground_point, rotation};
use surefoot_ground::Terrain;
use surefoot_motion::{HEEL_BACK, Sole};

/// A heel hangs if the ground is further below it than this, in metres; on rough ground it is not quite on the ground.
const HANGING: f64 = 0.04;
/// A sole this far in the ground is fitted to it, in metres: less is no more than rounding on slopes.
const IN_GROUND: f64 = 5e-4;
/// Furthest that a heel is raised and toes are bent for ground that bends under a sole, in radians (14 and 46 degrees).
const MAX_RAISED: f64 = 0.25;
const MAX_TOE_REST: f64 = 0.8;
/// How often a sole is fitted: heights of the ground change with where its points come to be.
const FITTING_ROUNDS: usize = 6;

/// Deepest that the back of a heel dips into a slope while the foot is pitched about its heel, in metres.
const MAX_DIP: f64 = 0.0015;
/// How soon a heel strike is as on level ground where a foot turns downhill: the share of the slope at which it is.
const DOWNHILL: f64 = 0.9;

/// A footprint on the ground.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct FootPlant {
    /// Where the ball is planted.
    pub(super) ball: Vec3,
    /// Direction from heel to toe.
    pub(super) heading: f64,
    /// The same as a level vector of length 1.
    pub(super) forward: Vec3,
    /// From level ground to the ground here.
    pub(super) slope: Quat,
    /// The attitude of the foot that is planted flat.
    flat: Quat,
    /// Whether there is ground under the heel; else it hangs over an edge.
    pub(super) heel_supported: bool,
    /// How far the toes are bent up where the ground rises under them.
    toe_rest: f64,
}

impl FootPlant {
    pub(super) fn new(ball: Vec3, heading: f64, normal: Vec3) -> FootPlant {
        let slope = rotation::between_directions(Vec3::Y, normal);
        let level = Quat::from_rotation_y(heading);
        FootPlant {
            ball,
            heading,
            forward: level * Vec3::Z,
            slope,
            flat: slope * level,
            heel_supported: true,
            toe_rest: 0.0,
        }
    }

    /// The same, its heel in the air where the ground is far below it.
    pub(super) fn with_heel_on(self, terrain: &Terrain, sole: &Sole) -> FootPlant {
        let heel = self.heel(sole);
        FootPlant { heel_supported: terrain.height(ground_point(heel)) > heel.y - HANGING, ..self }
    }

    /// The same on ground that bends: the heel is raised about the ball and the toes are bent until neither is in the ground.
    pub(super) fn fitted_to(mut self, terrain: &Terrain, sole: &Sole) -> FootPlant {
        let depth = |point: Vec3| terrain.height(ground_point(point)) - point.y;
        if depth(self.heel(sole)) > IN_GROUND {
            let (level, flat, length) = (self.slope.conjugate() * self.flat, self.flat, sole.heel.distance(sole.ball));
            let mut raised = 0.0;
            for _ in 0..FITTING_ROUNDS {
                raised = (raised + depth(self.heel(sole)) / length).clamp(0.0, MAX_RAISED);
                self.flat = flat * Quat::from_rotation_x(raised);
            }
            self.slope = self.flat * level.conjugate();
        }
        if depth(self.toe_tip(sole)) > IN_GROUND {
            let length = sole.toe_tip.distance(sole.ball).max(1e-3);
            for _ in 0..FITTING_ROUNDS {
                self.toe_rest = (self.toe_rest + depth(self.toe_tip(sole)) / length).clamp(0.0, MAX_TOE_REST);
            }
        }
        self
    }

    /// How far the heel or the toe tip of the flat foot is in the ground at most, in metres.
    pub(super) fn depth_in(&self, terrain: &Terrain, sole: &Sole) -> f64 {
        let depth = |point: Vec3| terrain.height(ground_point(point)) - point.y;
        depth(self.heel(sole)).max(depth(self.toe_tip(sole)))
    }

    /// Where the toe tip of the flat foot is.
    fn toe_tip(&self, sole: &Sole) -> Vec3 {
        self.ball + self.flat * Quat::from_rotation_x(-self.toe_rest) * (sole.toe_tip - sole.ball)
    }

    /// How far the toes of the foot that is planted are bent up: they stay on the ground.
    pub(super) fn toe_bend(&self, pitch: f64) -> f64 {
        (-pitch).max(0.0) + self.toe_rest
    }

    /// The foot's attitude; a positive pitch lifts the toes.
    fn foot(&self, pitch: f64) -> Quat {
        if pitch == 0.0 { self.flat } else { self.flat * Quat::from_rotation_x(-pitch) }
    }

    /// Where the ankle is while the foot is pitched about its heel or ball.
    pub(super) fn ankle(&self, sole: &Sole, pitch: f64) -> Vec3 {
        self.foot_and_ankle(sole, pitch).1
    }

    /// The foot's attitude, and where its ankle is.
    pub(super) fn foot_and_ankle(&self, sole: &Sole, pitch: f64) -> (Quat, Vec3) {
        let foot = self.foot(pitch);
        let ankle = if pitch > 0.0 { self.heel(sole) - foot * sole.heel } else { self.ball - foot * sole.ball };
        (foot, ankle)
    }

    /// How far the foot must be up on its ball, from `least` to `most`, for its ankle to be no further than `reach` from
    /// a hip; `most` if that does not suffice.
    ///
    /// In the frame of the flat foot, with `v` from the ball to the hip and `s` from the ankle to the ball, the square of
    /// the distance is `|v|^2 + |s|^2 + 2 v . Rx(p) s`: a cosine of the pitch `p`, which is solved for it.
    pub(super) fn pitch_to_reach(&self, sole: &Sole, hip: Vec3, reach: f64, (least, most): (f64, f64)) -> f64 {
        let (v, s) = (self.flat.conjugate() * (hip - self.ball), sole.ball);
        // It reaches where a cos(p) + b sin(p) <= c.
        let (a, b) = (v.y * s.y + v.z * s.z, v.z * s.y - v.y * s.z);
        let c = 0.5 * (reach * reach - v.length_squared() - s.length_squared()) - v.x * s.x;
        let (sin, cos) = least.sin_cos();
        if a * cos + b * sin <= c {
            return least;
        }
        let size = a.hypot(b);
        if c < -size {
            return most.max(least);
        }
        // The sum is above c around its peak, so also at `least`, and comes down to c after both.
        let down = b.atan2(a) + (c / size).min(1.0).acos();
        (least + (down - least).rem_euclid(TAU)).min(most.max(least))
    }

    /// How steeply the ground rises toward the toes: the tangent of its slope.
    pub(super) fn grade(&self) -> f64 {
        let normal = self.slope * Vec3::Y;
        -normal.dot(self.forward) / normal.y.max(0.1)
    }

    /// The furthest that a foot which lands on its heel may be pitched.
    ///
    /// A heel is behind the ankle as seen from above. Uphill the ankle leans back with the sole, so that the heel reaches
    /// further back on it than on level ground, and what is behind the point that the foot rolls about dips into the slope.
    /// Across a slope, feet land as uphill: they may have come from there.
    ///
    /// ```text
    ///      ankle  o           reach = (1 + HEEL_BACK) height tan(slope)
    ///      height |  \
    ///   reach __..'-----``    dip = reach sin(pitch) / cos(slope), straight down
    /// ```
    pub(super) fn most_strike(&self, sole: &Sole) -> f64 {
        let normal = self.slope * Vec3::Y;
        let steepness = normal.x.hypot(normal.z);
        let uphill = -normal.dot(self.forward) / steepness.max(1e-9);
        let share = (1.0 + uphill / DOWNHILL).clamp(0.0, 1.0);
        let reach = (1.0 + HEEL_BACK) * sole.ball.y.abs() * steepness * share / (normal.y * normal.y).max(0.04);
        (MAX_DIP / reach.max(MAX_DIP)).asin()
    }

    /// How high the ground of this plant is at a place.
    pub(super) fn plane(&self, place: Vec3) -> f64 {
        let normal = self.slope * Vec3::Y;
        let away = place - self.ball;
        self.ball.y - (normal.x * away.x + normal.z * away.z) / normal.y.max(0.1)
    }

    /// Where the heel is planted.
    pub(super) fn heel(&self, sole: &Sole) -> Vec3 {
        self.ball + self.flat * (sole.heel - sole.ball)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The heel below the ankle, a quarter of the way to the ball behind it as seen from above, stays on a slope.
    #[test]
    fn feet_that_strike_uphill_keep_the_back_of_their_heels_out_of_the_ground() {
        let sole = Sole {
            heel: Vec3::new(0.0, -0.08, -0.03),
            ball: Vec3::new(0.0, -0.08, 0.13),
            toe_tip: Vec3::new(0.0, -0.08, 0.2),
        };
        for degrees in [5.0_f64, 10.0, 20.0, 30.0] {
            let normal = Vec3::new(0.0, degrees.to_radians().cos(), -degrees.to_radians().sin());
            for turned in [0.0_f64, 30.0, 60.0, 90.0] {
                // The heel as a foot has it that points uphill, and the foot as it is turned.
                let uphill = FootPlant::new(Vec3::ZERO, 0.0, normal);
                let (foot, ankle) = uphill.foot_and_ankle(&sole, 0.0);
                let mut heel = ankle * (1.0 + HEEL_BACK);
                heel.y = uphill.plane(heel);
                let back = foot.conjugate() * (heel - ankle);
                let plant = FootPlant::new(Vec3::ZERO, turned.to_radians(), normal);
                let (foot, ankle) = plant.foot_and_ankle(&sole, plant.most_strike(&sole).min(0.35));
                let heel = ankle + foot * back;
                let depth = plant.plane(heel) - heel.y;
                assert!(depth < 0.002, "{degrees} {turned}: {depth}");
            }
        }
        let level = FootPlant::new(Vec3::ZERO, 0.4, Vec3::Y);
        assert!(level.most_strike(&sole) > 1.0, "on level ground feet land as they like");
    }

    #[test]
    fn the_pitch_to_reach_is_the_first_at_which_the_ankle_is_near_enough() {
        let sole = Sole {
            heel: Vec3::new(0.0, -0.08, -0.06),
            ball: Vec3::new(0.01, -0.08, 0.13),
            toe_tip: Vec3::new(0.0, -0.08, 0.2),
        };
        let plant = FootPlant::new(Vec3::new(0.3, 0.1, -0.2), 0.6, Vec3::new(0.1, 1.0, 0.2));
        let most = 1.13;
        let (mut n_between, mut n_never) = (0, 0);
        for ahead in [-0.3, 0.0, 0.2, 0.4, 0.6] {
            for least in [0.0, 0.3] {
                for reach in [0.75, 0.8, 0.85, 0.9, 0.95] {
                    let hip = plant.ball + Vec3::Y * 0.88 + plant.forward * ahead;
                    let distance = |pitch: f64| plant.ankle(&sole, -pitch).distance(hip);
                    let found = plant.pitch_to_reach(&sole, hip, reach, (least, most));
                    let scan = (0..=10_000).map(|n| least + (most - least) * f64::from(n) / 10_000.0);
                    let first = scan.into_iter().find(|&pitch| distance(pitch) <= reach);
                    assert!((found - first.unwrap_or(most)).abs() < 2e-4, "{found} {first:?} {ahead} {reach}");
                    n_between += usize::from(found > least && found < most);
                    n_never += usize::from(first.is_none());
                }
            }
        }
        assert!(n_between > 5 && n_never > 5, "{n_between} {n_never}");
    }
}
