//! A place where a foot stands, and the foot that rolls on it.
//!
//! ```text
//!      \                                       _/
//!    ___\        ______        _/             /
//!   pitch > 0      0          pitch < 0
//!   about the heel           about the ball, toes flat and bent
//! ```

use super::rig::Sole;
use surefoot_geom::{Quat, Vec3, ground_point, rotation};
use surefoot_ground::Terrain;

/// A heel hangs if the ground is further below it than this, in metres; on rough ground it is not quite on the ground.
const HANGING: f64 = 0.04;

/// A footprint on the ground.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Stand {
    /// Where the ball stands.
    pub(super) ball: Vec3,
    /// Direction from heel to toe.
    pub(super) heading: f64,
    /// From level ground to the ground here.
    pub(super) slope: Quat,
    /// The attitude of the foot that stands flat.
    flat: Quat,
    /// Whether there is ground under the heel; else it hangs over an edge.
    pub(super) heel_down: bool,
}

impl Stand {
    pub(super) fn new(ball: Vec3, heading: f64, normal: Vec3) -> Stand {
        let slope = rotation::between_directions(Vec3::Y, normal);
        Stand { ball, heading, slope, flat: slope * Quat::from_rotation_y(heading), heel_down: true }
    }

    /// The same, its heel in the air where the ground is far below it.
    pub(super) fn with_heel_on(self, terrain: &Terrain, sole: &Sole) -> Stand {
        let heel = self.heel(sole);
        Stand { heel_down: terrain.height(ground_point(heel)) > heel.y - HANGING, ..self }
    }

    /// The foot's attitude; a positive pitch lifts the toes.
    pub(super) fn foot(&self, pitch: f64) -> Quat {
        if pitch == 0.0 { self.flat } else { self.flat * Quat::from_rotation_x(-pitch) }
    }

    /// Where the ankle is while the foot is pitched about its heel or ball.
    pub(super) fn ankle(&self, sole: &Sole, pitch: f64) -> Vec3 {
        let foot = self.foot(pitch);
        if pitch > 0.0 { self.heel(sole) - foot * sole.heel } else { self.ball - foot * sole.ball }
    }

    /// How high the ground of this stand is at a place.
    pub(super) fn plane(&self, place: Vec3) -> f64 {
        let normal = self.slope * Vec3::Y;
        let away = place - self.ball;
        self.ball.y - (normal.x * away.x + normal.z * away.z) / normal.y.max(0.1)
    }

    /// Where the heel stands.
    pub(super) fn heel(&self, sole: &Sole) -> Vec3 {
        self.ball + self.flat * (sole.heel - sole.ball)
    }
}

/// The attitude of a foot over level ground.
pub(super) fn foot_attitude(heading: f64, pitch: f64) -> Quat {
    Quat::from_rotation_y(heading) * Quat::from_rotation_x(-pitch)
}

/// How far the toes of a standing foot are bent up: they stay on the ground.
pub(super) fn standing_toe_bend(pitch: f64) -> f64 {
    (-pitch).max(0.0)
}
