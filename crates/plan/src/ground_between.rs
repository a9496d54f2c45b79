//! The ground between two footprints of one foot: no foot is carried over a wall.
//!
//! ```text
//!            __          above: the highest ground over the higher footprint
//!           |  |  above
//!   ____----|  |----____ unevenness: how far the ground is from the straight line
//!  from     |  |       to
//! ```

use crate::check_plan::{PlanChecker, PlanError};
use surefoot_contact::Footprint;
use surefoot_geom::{Vec3, ground_point};
use surefoot_ground::Terrain;

/// Highest ground above both of its ends that a swinging foot is lifted over, as a share of the leg.
const HIGHEST_LIFT: f64 = 0.4;
/// Places at which the ground is looked at, at least.
const LOOKS: f64 = 40.0;
/// Furthest from one to the next, in metres: less than a foot is wide.
const SPACING: f64 = 0.02;

/// What a foot passes over on a straight line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GroundBetween {
    /// How far the highest ground is above the higher end, in metres.
    pub above: f64,
    /// How far the ground is from the straight line at most, in metres.
    pub unevenness: f64,
}

/// Looks at the ground from one place to another.
pub fn ground_between(terrain: &Terrain, from: Vec3, to: Vec3) -> GroundBetween {
    let distance = ground_point(from).distance(ground_point(to));
    let n_looks = (distance / SPACING).ceil().max(LOOKS) as u32;
    let (mut highest, mut unevenness) = (f64::NEG_INFINITY, 0.0f64);
    for look in 0..=n_looks {
        let line = from.lerp(to, f64::from(look) / f64::from(n_looks));
        let ground = terrain.height(ground_point(line));
        highest = highest.max(ground);
        unevenness = unevenness.max((ground - line.y).abs());
    }
    GroundBetween { above: highest - from.y.max(to.y), unevenness }
}

impl PlanChecker {
    /// Refuses the last of some footprints, which has a number in its plan, if its foot cannot be lifted there from where it
    /// is. Body and terrain must be known.
    pub(crate) fn check_ground_between(&self, before: &[Footprint], next: &Footprint) -> Result<(), PlanError> {
        let own = before.iter().rev().find(|other| other.side == next.side);
        let (Some(terrain), Some(body), Some(own)) = (&self.world.terrain, &self.body, own) else { return Ok(()) };
        let height = ground_between(terrain, own.position, next.position).above;
        let limit = HIGHEST_LIFT * body.leg;
        if height > limit { Err(PlanError::GroundBetween { footprint: before.len(), height, limit }) } else { Ok(()) }
    }
}
