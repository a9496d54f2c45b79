//! A flight of stairs.
//!
//! ```text
//!                          ________ after
//!                     ____|  3rd
//!                ____| 2nd             seen from the side, heading to the right
//!  before _______| 1st  rise
//!                ^ tread
//!              start
//! ```

use super::error::{TerrainError, check_count, check_number, check_point};
use super::{MAX_HEIGHT, MAX_REACH};
use surefoot_geom::{Vec2, ground_point, heading_direction};

/// Most steps of a flight: more than the tallest building has.
pub const MAX_STEPS: usize = 10_000;

/// Shortest tread, in metres: a millimetre.
const MIN_TREAD: f64 = 1e-3;

/// Headings past this many radians are a slip of the keyboard.
const MAX_HEADING: f64 = 10_000.0;

/// Level treads one behind the other, all of one depth and rise.
#[derive(Clone, Debug, PartialEq)]
pub struct Stairs {
    /// A point `(x, z)` on the edge of the first step; the middle of it, if the stairs have a width.
    pub start: Vec2,
    /// The direction in which the stairs lead, square to their edges; 0 is +Z, positive turns toward +X.
    pub heading: f64,
    /// Depth of a step, in metres. 0.25 to 0.32 in most buildings.
    pub tread: f64,
    /// Height of a step above the one before it, in metres; below 0 the stairs lead down. 0.15 to 0.19 in most buildings.
    pub rise: f64,
    /// How many steps, at least 1. An edge belongs to the step that begins there.
    pub n_steps: usize,
    /// Height of the ground before the first step, in metres.
    pub before: f64,
    /// Height of the ground after the last step, in metres; `None` goes on at the height of the last step.
    pub after: Option<f64>,
    /// Width in metres; beyond it the ground is at `before`. `None` has no end to the sides.
    pub width: Option<f64>,
}

impl Default for Stairs {
    /// Five steps up as houses have them, from the origin toward +Z, with no end to the sides.
    fn default() -> Stairs {
        Stairs {
            start: Vec2::ZERO,
            heading: 0.0,
            tread: 0.28,
            rise: 0.17,
            n_steps: 5,
            before: 0.0,
            after: None,
            width: None,
        }
    }
}

/// Stairs with what their answers need.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Flight {
    start: Vec2,
    /// The unit direction that the stairs lead in, over the tread: the distance along it counts steps.
    along: Vec2,
    /// The unit direction to the side.
    across: Vec2,
    half_width: f64,
    n_steps: f64,
    before: f64,
    rise: f64,
    after: f64,
}

impl Flight {
    pub(super) fn of(stairs: &Stairs) -> Result<Flight, TerrainError> {
        let heights = -MAX_HEIGHT..=MAX_HEIGHT;
        check_point(stairs.start, "start", None)?;
        check_number(stairs.heading, -MAX_HEADING..=MAX_HEADING, "radians", "heading", None)?;
        check_number(stairs.tread, MIN_TREAD..=MAX_REACH, "m", "tread", None)?;
        check_count(stairs.n_steps, 1..=MAX_STEPS, "n_steps")?;
        let n_steps = stairs.n_steps as f64;
        check_number(stairs.rise, -MAX_HEIGHT / n_steps..=MAX_HEIGHT / n_steps, "m", "rise", None)?;
        check_number(stairs.before, heights.clone(), "m", "before", None)?;
        let top = stairs.before + n_steps * stairs.rise;
        let after = stairs.after.unwrap_or(top);
        check_number(after, -2.0 * MAX_HEIGHT..=2.0 * MAX_HEIGHT, "m", "after", None)?;
        if let Some(width) = stairs.width {
            check_number(width, MIN_TREAD..=2.0 * MAX_REACH, "m", "width", None)?;
        }
        let forward = ground_point(heading_direction(stairs.heading));
        Ok(Flight {
            start: stairs.start,
            along: forward / stairs.tread,
            across: forward.perp(),
            half_width: stairs.width.map_or(f64::INFINITY, |width| width / 2.0),
            n_steps,
            before: stairs.before,
            rise: stairs.rise,
            after,
        })
    }

    #[inline]
    pub(super) fn height(&self, at: Vec2) -> f64 {
        let from_start = at - self.start;
        let steps = from_start.dot(self.along);
        if steps < 0.0 || from_start.dot(self.across).abs() > self.half_width {
            self.before
        } else if steps < self.n_steps {
            self.before + (steps.floor() + 1.0) * self.rise
        } else {
            self.after
        }
    }
}
