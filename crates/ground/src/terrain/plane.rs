//! A slope without end.

use super::error::{TerrainError, TerrainField, TerrainProblem, check_number, check_point};
use super::{MAX_HEIGHT, MAX_REACH};
use surefoot_geom::{Vec3, ground_point, heading_direction};

/// Steepest slope. Nobody walks up a tenth of it; past it, heights change so fast that feet have no place.
pub const MAX_SLOPE_DEGREES: f64 = 80.0;

/// A plane through a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Plane {
    /// Any point of it.
    pub point: Vec3,
    /// Straight out of it; of any length above 0, and at most [`MAX_SLOPE_DEGREES`] from straight up.
    pub normal: Vec3,
}

impl Plane {
    /// The plane that rises toward a heading at a slope, both in radians.
    pub fn rising(point: Vec3, slope: f64, heading: f64) -> Plane {
        Plane { point, normal: Vec3::Y * slope.cos() - heading_direction(heading) * slope.sin() }
    }
}

/// A plane as a height over the ground: `height = offset + rise . at`.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Slope {
    offset: f64,
    rise: surefoot_geom::Vec2,
    pub(super) normal: Vec3,
}

impl Slope {
    pub(super) fn of(plane: &Plane) -> Result<Slope, TerrainError> {
        check_point(ground_point(plane.point), "point", None)?;
        check_number(plane.point.y, -MAX_HEIGHT..=MAX_HEIGHT, "m", "point", None)?;
        let normal = unit_normal(plane.normal)?;
        let rise = -ground_point(normal) / normal.y;
        Ok(Slope { offset: plane.point.y - rise.dot(ground_point(plane.point)), rise, normal })
    }

    #[inline]
    pub(super) fn height(&self, at: surefoot_geom::Vec2) -> f64 {
        self.offset + self.rise.dot(at)
    }
}

/// The unit normal of a direction that points up.
fn unit_normal(direction: Vec3) -> Result<Vec3, TerrainError> {
    let field = TerrainField { name: "normal", index: None };
    for found in direction.to_array() {
        check_number(found, -MAX_REACH..=MAX_REACH, "", "normal", None)?;
    }
    // Scaled first, for the square of a tiny length is 0.
    let unit = (direction / direction.abs().max_element()).normalize_or_zero();
    if !unit.is_normalized() {
        return Err(TerrainError { field, problem: TerrainProblem::NoDirection });
    }
    let degrees = unit.y.clamp(-1.0, 1.0).acos().to_degrees();
    if degrees > MAX_SLOPE_DEGREES {
        return Err(TerrainError { field, problem: TerrainProblem::Steep { degrees } });
    }
    Ok(unit)
}
