//! Where the next footprint lies: a point that goes along the path, and feet to both sides of it.
//!
//! ```text
//!    left   o     o     o        each step moves the point by the step's length along the path and turns the body;
//!    ......./.....\.....\......  the foot is planted half a stride's width to its side, its toes turned out
//!    right     o     o
//! ```
//!
//! Sideways the feet are planted wider by the step, so that the one behind closes up to the one in front instead of crossing it.

use super::foot_plant::FootPlant;
use super::step::left_sign;
use surefoot_geom::{Vec2, Vec3, ground_point, heading_direction};
use surefoot_ground::Terrain;
use surefoot_motion::BodyProportions;
use surefoot_motion::Side;

/// How far a footprint is moved to fit on a tread, and in what steps, in metres.
const TREAD_SEARCH: f64 = 0.18;
const TREAD_STEP: f64 = 0.01;
/// A sole lies on the ground if the ground bends less than this under it, in metres.
const LIES_FLAT: f64 = 0.01;
/// Between toes and a riser before them, or a heel and one behind it, in metres: a foot that leaves or lands needs it.
const ROOM: f64 = 0.035;
/// How much of heel and toes, from the ball, must be on the ground.
const HEEL_SUPPORT: f64 = 0.6;
const TOE_SUPPORT: f64 = 0.4;
/// How many metres each fault of a place weighs.
const FAULT_IN_GROUND: f64 = 1.0;
const FAULT_UNSUPPORTED: f64 = 0.5;
const FAULT_NO_ROOM: f64 = 0.2;
const FAULT_HANGING: f64 = 0.04;

/// Longest steps backward and sideways, as shares of the height.
const LONGEST_BACK: f64 = 0.27;
const LONGEST_SIDE: f64 = 0.15;

/// How long a step may be in a direction: any forward, less the more it goes sideways or backward.
pub(super) fn longest_step(direction: f64, target: f64, height: f64) -> f64 {
    let (sin, cos) = direction.sin_cos();
    let along = if cos >= 0.0 { target } else { target.min(LONGEST_BACK * height) };
    let side = target.min(LONGEST_SIDE * height);
    // An ellipse through the longest steps of both directions.
    along * side / (side * cos).hypot(along * sin).max(1e-9)
}

/// A point on the path and where the body faces.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Course {
    pub(super) position: Vec3,
    /// Of the body.
    pub(super) heading: f64,
}

/// One step along it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Advance {
    pub(super) length: f64,
    /// Of the body with this step.
    pub(super) turn: f64,
    /// Direction of the path against the body's heading.
    pub(super) direction: f64,
    pub(super) width: f64,
    pub(super) toe_out: f64,
}

impl Course {
    pub(super) fn advance(&mut self, by: &Advance) {
        let heading = self.heading + 0.5 * by.turn;
        self.heading += by.turn;
        self.position += heading_direction(heading + by.direction) * by.length;
    }

    /// The footprint beside the point.
    pub(super) fn plant(
        &self,
        side: Side,
        by: &Advance,
        terrain: Option<&Terrain>,
        proportions: &BodyProportions,
    ) -> FootPlant {
        let sign = left_sign(side);
        let width = by.width + (by.length * by.direction.sin()).abs();
        let left = heading_direction(self.heading + 0.5 * std::f64::consts::PI);
        let ball = self.position + left * (0.5 * sign * width);
        put_down(ball, self.heading + sign * by.toe_out, terrain, proportions, side)
    }
}

/// Where the ball of a foot is planted that is put down at a place: on the ground, moved along its heading to where
/// there is room for it. Without a terrain the ground is level at 0.
pub(crate) fn settle_foot(
    place: Vec2,
    heading: f64,
    terrain: Option<&Terrain>,
    proportions: &BodyProportions,
    side: Side,
) -> Vec3 {
    put_down(Vec3::new(place.x, 0.0, place.y), heading, terrain, proportions, side).ball
}

/// A footprint on the ground, moved along its heading to where there is room for it: no ground that rises before the toes or
/// behind the heel, and best all of the sole on one tread. On treads too short for that, the heel hangs over the edge of a
/// stair that is gone up, and the toes over one that is gone down.
pub(super) fn put_down(
    ball: Vec3,
    heading: f64,
    terrain: Option<&Terrain>,
    proportions: &BodyProportions,
    side: Side,
) -> FootPlant {
    let Some(terrain) = terrain else { return FootPlant::new(ball, heading, Vec3::Y) };
    let sole = &proportions.soles[side];
    let forward = heading_direction(heading);
    let plant = |along: f64| {
        let place = ground_point(ball + forward * along);
        let ball = Vec3::new(place.x, terrain.height(place), place.y);
        FootPlant::new(ball, heading, terrain.normal(place)).with_heel_on(terrain, sole)
    };
    let (heel, toe) = (sole.heel.z - sole.ball.z, sole.toe_tip.z - sole.ball.z);
    // What is wrong with a place, as metres that one would go for a better one.
    let fault = |plant: &FootPlant| {
        let over = |along: f64| {
            let place = plant.ball + forward * along;
            terrain.height(ground_point(place)) - plant.plane(place)
        };
        let rises = |along: f64| over(along) > LIES_FLAT;
        let falls = |along: f64| over(along) < -LIES_FLAT;
        let faults = [
            (rises(heel) || rises(0.5 * heel) || rises(0.5 * toe) || rises(toe), FAULT_IN_GROUND),
            (falls(HEEL_SUPPORT * heel) || falls(TOE_SUPPORT * toe), FAULT_UNSUPPORTED),
            (rises(heel - ROOM) || rises(toe + ROOM), FAULT_NO_ROOM),
            (falls(heel), FAULT_HANGING),
            (falls(toe), FAULT_HANGING),
        ];
        faults.into_iter().filter(|(is, _)| *is).map(|(_, fault)| fault).sum::<f64>()
    };
    let mut best = plant(0.0);
    let mut least = fault(&best);
    let n_tries = (TREAD_SEARCH / TREAD_STEP).round() as i32;
    for n in 1..=n_tries {
        let away = f64::from(n) * TREAD_STEP;
        if away >= least {
            break;
        }
        for along in [-away, away] {
            let tried = plant(along);
            let fault = fault(&tried) + away;
            if fault < least {
                (best, least) = (tried, fault);
            }
        }
    }
    best.fitted_to(terrain, sole)
}
