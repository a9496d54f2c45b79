//! How deep a part of the body is in a terrain: in a wall beside it or in ground below it.
//!
//! A part is looked at in a few places along its axis. Around each, the ground is looked at below the ball of the part's radius:
//!
//! ```text
//!      ____          __
//!     |    |  r - d ( . )   a wall at distance d reaches r - d into the ball, ground below it
//!     |    |<->|     --     as far as it is above the ball's underside; the less counts
//!  ___|    |_________ground
//! ```

use super::Solid;
use std::f64::consts::TAU;
use surefoot_geom::{Vec2, Vec3, ground_point};
use surefoot_ground::Terrain;

/// Places along an axis are at most so far apart, in metres.
const SPACING: f64 = 0.05;
/// Directions in which the ground is looked at around a place, and distances, as shares of the radius.
const DIRECTIONS: usize = 8;
const RINGS: [f64; 4] = [0.25, 0.5, 0.75, 0.99];
/// How far a way out of the ground is looked for, in metres, and in what steps.
const FURTHEST_OUT: f64 = 0.5;
const STEP_OUT: f64 = 0.02;

/// The deepest that a solid is in the ground, and where on its axis that is; `None` if it is not.
pub(super) fn depth_in_ground(terrain: &Terrain, solid: &Solid) -> Option<(f64, Vec2)> {
    let n = (solid.ends[0].distance(solid.ends[1]) / SPACING).ceil().clamp(1.0, 100.0) as u32;
    let places = (0..=n).map(|place| solid.at(f64::from(place) / f64::from(n)));
    let depths = places.filter_map(|(at, radius)| Some((ball_depth(terrain, at, radius)?, ground_point(at))));
    depths.max_by(|a, b| a.0.total_cmp(&b.0))
}

fn ball_depth(terrain: &Terrain, at: Vec3, radius: f64) -> Option<f64> {
    let height = |away: Vec2| terrain.height(ground_point(at) + away);
    let within = height(Vec2::ZERO) - at.y;
    if within > 0.0 {
        // The centre is in the ground: as deep as the nearest way out.
        let n_steps = (FURTHEST_OUT / STEP_OUT) as u32;
        let outs = (1..=n_steps).map(|step| f64::from(step) * STEP_OUT);
        let out = outs.into_iter().find(|&out| directions().any(|along| height(along * out) <= at.y));
        return Some(within.min(out.unwrap_or(FURTHEST_OUT)) + radius);
    }
    let below = within + radius;
    let around = directions().flat_map(|along| {
        RINGS.map(|share| {
            let away = share * radius;
            let above_underside = height(along * away) - at.y + (radius * radius - away * away).sqrt();
            above_underside.min(radius - away)
        })
    });
    Some(around.fold(below, f64::max)).filter(|&depth| depth > 0.0)
}

fn directions() -> impl Iterator<Item = Vec2> {
    (0..DIRECTIONS).map(|n| Vec2::from_angle(n as f64 / DIRECTIONS as f64 * TAU))
}
