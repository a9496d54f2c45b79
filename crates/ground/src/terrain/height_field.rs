//! A grid of heights, read between its points by bilinear interpolation.
//!
//! ```text
//!  z ^   row 2  o----o----o      within a cell, with u and v from 0 to 1 from its low corner:
//!    |          |    |    |        height = h00 (1-u)(1-v) + h10 u (1-v) + h01 (1-u) v + h11 u v
//!    |   row 1  o----o----o      which is continuous across cells; its slope is not.
//!    |          |    |    |
//!    |   row 0  o----o----o      Outside, the height of the nearest point of the border goes on.
//!    origin  column 0  1  2 --> x
//! ```

use super::error::{TerrainError, check_count, check_number, check_point};
use super::{MAX_HEIGHT, MAX_REACH};
use surefoot_geom::{Vec2, Vec3};

/// Most heights of a grid: two kilometres square at a metre, or 100 m square at 5 cm.
pub const MAX_SAMPLES: usize = 4_000_000;

/// Smallest distance of a grid's points, in metres.
const MIN_SPACING: f64 = 1e-3;

/// Heights at the points of a square grid.
#[derive(Clone, Debug, PartialEq)]
pub struct HeightField {
    /// The point `(x, z)` of the first height.
    pub origin: Vec2,
    /// Distance of neighbouring points along x and along z, in metres.
    pub spacing: f64,
    /// Points along x, at least 2.
    pub n_x: usize,
    /// Points along z, at least 2.
    pub n_z: usize,
    /// `n_x * n_z` heights in metres, row by row: `heights[row * n_x + column]`.
    pub heights: Vec<f64>,
}

/// Where a point lies in the grid.
struct Cell {
    /// Index of its low corner.
    corner: usize,
    /// From 0 to 1 across it, along x and z.
    within: Vec2,
    /// Whether the point lies on the grid, along x and z.
    on_grid: [bool; 2],
}

impl HeightField {
    pub(super) fn check(&self) -> Result<(), TerrainError> {
        check_point(self.origin, "origin", None)?;
        check_number(self.spacing, MIN_SPACING..=MAX_REACH, "m", "spacing", None)?;
        check_count(self.n_x, 2..=MAX_SAMPLES / 2, "n_x")?;
        check_count(self.n_z, 2..=MAX_SAMPLES / 2, "n_z")?;
        let n_samples = self.n_x * self.n_z;
        check_count(n_samples.min(MAX_SAMPLES + 1), 4..=MAX_SAMPLES, "heights")?;
        check_count(self.heights.len(), n_samples..=n_samples, "heights")?;
        for (index, &height) in self.heights.iter().enumerate() {
            check_number(height, -MAX_HEIGHT..=MAX_HEIGHT, "m", "heights", Some(index))?;
        }
        Ok(())
    }

    #[inline]
    pub(super) fn height(&self, at: Vec2) -> f64 {
        let cell = self.cell(at);
        let [h00, h10, h01, h11] = self.corners(&cell);
        let Vec2 { x: u, y: v } = cell.within;
        (h00 * (1.0 - u) + h10 * u) * (1.0 - v) + (h01 * (1.0 - u) + h11 * u) * v
    }

    #[inline]
    pub(super) fn normal(&self, at: Vec2) -> Vec3 {
        let cell = self.cell(at);
        let [h00, h10, h01, h11] = self.corners(&cell);
        let Vec2 { x: u, y: v } = cell.within;
        let along_x = (h10 - h00) * (1.0 - v) + (h11 - h01) * v;
        let along_z = (h01 - h00) * (1.0 - u) + (h11 - h10) * u;
        let [on_x, on_z] = cell.on_grid;
        // Beyond the border the height goes on level.
        let x = if on_x { -along_x } else { 0.0 };
        let z = if on_z { -along_z } else { 0.0 };
        Vec3::new(x, self.spacing, z).normalize()
    }

    /// Whether a point lies on the grid, its border included.
    pub(super) fn covers(&self, at: Vec2) -> bool {
        self.cell(at).on_grid == [true; 2]
    }

    #[inline]
    fn cell(&self, at: Vec2) -> Cell {
        let (column, u, on_x) = place((at.x - self.origin.x) / self.spacing, self.n_x);
        let (row, v, on_z) = place((at.y - self.origin.y) / self.spacing, self.n_z);
        Cell { corner: row * self.n_x + column, within: Vec2::new(u, v), on_grid: [on_x, on_z] }
    }

    #[inline]
    fn corners(&self, cell: &Cell) -> [f64; 4] {
        let Cell { corner, .. } = *cell;
        [corner, corner + 1, corner + self.n_x, corner + self.n_x + 1].map(|index| self.heights[index])
    }
}

/// The cell of a coordinate counted in cells, how far into it, and whether the coordinate lies on the grid at all.
#[inline]
fn place(cells: f64, n_points: usize) -> (usize, f64, bool) {
    let last = (n_points - 1) as f64;
    let inside = cells.clamp(0.0, last);
    let cell = (inside as usize).min(n_points - 2);
    (cell, inside - cell as f64, inside == cells)
}
