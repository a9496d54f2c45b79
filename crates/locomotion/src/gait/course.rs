//! Where the next footprint lies: a point that goes along the way, and feet to both sides of it.
//!
//! ```text
//!    left   o     o     o        each step moves the point by the step's length along the way and turns the body;
//!    ......./.....\.....\......  the foot stands half a stride's width to its side, its toes turned out
//!    right     o     o
//! ```
//!
//! Sideways the feet stand wider by the step, so that the one behind closes up to the one in front instead of crossing it.

use super::rig::Build;
use super::stand::Stand;
use super::step::left_sign;
use surefoot_geom::{Vec3, ground_point, heading_direction};
use surefoot_ground::Terrain;
use surefoot_motion::Side;

/// How far a footprint is moved to fit on a tread, and in what steps, in metres.
const TREAD_SEARCH: f64 = 0.16;
const TREAD_STEP: f64 = 0.02;
/// A sole lies on the ground if the ground bends less than this under it, in metres.
const LIES_FLAT: f64 = 0.01;

/// Longest steps backward and sideways, as shares of the height.
const LONGEST_BACK: f64 = 0.27;
const LONGEST_SIDE: f64 = 0.15;

/// How long a step may be in a direction: any forward, less the more it goes sideways or backward.
pub(super) fn longest_step(direction: f64, wished: f64, height: f64) -> f64 {
    let (sin, cos) = direction.sin_cos();
    let along = if cos >= 0.0 { wished } else { wished.min(LONGEST_BACK * height) };
    let side = wished.min(LONGEST_SIDE * height);
    // An ellipse through the longest steps of both directions.
    along * side / (side * cos).hypot(along * sin).max(1e-9)
}

/// A point on the way and where the body faces.
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
    /// Direction of the way against the body's heading.
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
    pub(super) fn stand(&self, side: Side, by: &Advance, terrain: Option<&Terrain>, build: &Build) -> Stand {
        let sign = left_sign(side);
        let width = by.width + (by.length * by.direction.sin()).abs();
        let left = heading_direction(self.heading + 0.5 * std::f64::consts::PI);
        let ball = self.position + left * (0.5 * sign * width);
        put_down(ball, self.heading + sign * by.toe_out, terrain, build, side)
    }
}

/// A footprint on the ground, where there is room for the sole on one tread.
pub(super) fn put_down(ball: Vec3, heading: f64, terrain: Option<&Terrain>, build: &Build, side: Side) -> Stand {
    let Some(terrain) = terrain else { return Stand::new(ball, heading, Vec3::Y) };
    let sole = &build.soles[side];
    let forward = heading_direction(heading);
    let height = |along: f64| terrain.height(ground_point(ball + forward * along));
    let (heel, toe) = (sole.heel.z - sole.ball.z, sole.toe_tip.z - sole.ball.z);
    // How far the ground under the sole is from a plane.
    let bend = |at: f64| {
        let (back, front) = (height(at + heel), height(at + toe));
        let line = back + (front - back) * (-heel / (toe - heel));
        (height(at) - line).abs().max(((front - back) / (toe - heel)).abs() - 1.0)
    };
    let n_tries = (TREAD_SEARCH / TREAD_STEP) as i32;
    let tries = (0..=n_tries).flat_map(|n| [-f64::from(n), f64::from(n)]).map(|n| n * TREAD_STEP);
    let along = tries.into_iter().find(|&at| bend(at) < LIES_FLAT).unwrap_or(0.0);
    let mut ball = ball + forward * along;
    ball.y = height(along);
    Stand::new(ball, heading, terrain.normal(ground_point(ball)))
}
