//! Why numbers are no terrain, and which would be.

use std::ops::RangeInclusive;

/// Why numbers are no terrain.
#[derive(Clone, Debug, PartialEq)]
pub struct TerrainError {
    /// Which of them.
    pub field: TerrainField,
    /// What is wrong.
    pub problem: TerrainProblem,
}

/// A field of a [`TerrainShape`](crate::TerrainShape), named as in the library.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TerrainField {
    /// `tread`, `radius`, ...
    pub name: &'static str,
    /// Of which patch, or which of the heights; from 0.
    pub index: Option<usize>,
}

/// What is wrong with a field of a terrain.
#[derive(Clone, Debug, PartialEq)]
pub enum TerrainProblem {
    /// A number that is not finite or out of range.
    Number {
        /// It.
        found: f64,
        /// The least that is taken.
        low: f64,
        /// The most that is taken.
        high: f64,
        /// What it is counted in.
        unit: &'static str,
    },
    /// More or fewer than a terrain can have.
    Count {
        /// How many there are.
        found: usize,
        /// The fewest that are taken.
        low: usize,
        /// The most that are taken.
        high: usize,
    },
    /// A normal without a length has no direction.
    NoDirection,
    /// A normal that does not point up enough.
    Steep {
        /// Its angle from straight up.
        degrees: f64,
    },
}

impl std::fmt::Display for TerrainField {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match (self.name, self.index) {
            (name, None) => f.write_str(name),
            ("heights", Some(index)) => write!(f, "heights[{index}]"),
            (name, Some(index)) => write!(f, "patches[{index}].{name}"),
        }
    }
}

impl std::fmt::Display for TerrainProblem {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            TerrainProblem::Number { found, low, high, unit } => {
                write!(f, "found {found}; a number from {low} to {high} {unit} would be right")
            }
            TerrainProblem::Count { found, low, high } if low == high => write!(f, "found {found}, needs {low}"),
            TerrainProblem::Count { found, low, high } => write!(f, "found {found}; {low} to {high} would be right"),
            TerrainProblem::NoDirection => {
                f.write_str("has no length, so no direction; [0, 1, 0] would be the normal of level ground")
            }
            TerrainProblem::Steep { degrees } => write!(
                f,
                "leans {degrees:.1} degrees from straight up; at most {} would be right",
                super::MAX_SLOPE_DEGREES
            ),
        }
    }
}

impl std::fmt::Display for TerrainError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {}", self.field, self.problem)
    }
}

impl std::error::Error for TerrainError {}

/// Refuses a number that is not finite or out of range.
pub(super) fn check_number(
    found: f64,
    range: RangeInclusive<f64>,
    unit: &'static str,
    name: &'static str,
    index: Option<usize>,
) -> Result<(), TerrainError> {
    // NaN lies in no range.
    if range.contains(&found) {
        return Ok(());
    }
    let problem = TerrainProblem::Number { found, low: *range.start(), high: *range.end(), unit };
    Err(TerrainError { field: TerrainField { name, index }, problem })
}

/// Refuses a count out of range.
pub(super) fn check_count(found: usize, range: RangeInclusive<usize>, name: &'static str) -> Result<(), TerrainError> {
    if range.contains(&found) {
        return Ok(());
    }
    let problem = TerrainProblem::Count { found, low: *range.start(), high: *range.end() };
    Err(TerrainError { field: TerrainField { name, index: None }, problem })
}

/// Refuses a ground point out of reach.
pub(super) fn check_point(
    point: surefoot_geom::Vec2,
    name: &'static str,
    index: Option<usize>,
) -> Result<(), TerrainError> {
    let reach = -super::MAX_REACH..=super::MAX_REACH;
    check_number(point.x, reach.clone(), "m", name, index)?;
    check_number(point.y, reach, "m", name, index)
}
