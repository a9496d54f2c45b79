//! Level discs above or below a level floor: stepping stones, boxes, or the heights at which feet were seen to stand.
//!
//! Idea: a grid over all discs whose cells list the discs that touch them, so that a question looks at few.
//! 1. Choose about as many cells as there are discs.
//! 2. Count the discs that touch each cell's square. If lists would be long (large discs among small ones), halve the number
//!    of cells a side and count again: memory stays in proportion to the discs.
//! 3. Store all lists behind each other.
//!
//! Limits: where very many discs overlap in one place, or crowd in a corner of a much larger extent, a question there takes
//! time in proportion to them.

use super::MAX_HEIGHT;
use super::error::{TerrainError, check_count, check_number, check_point};
use surefoot_geom::Vec2;

/// Most discs of one terrain.
pub const MAX_PATCHES: usize = 100_000;

/// Radii that mean anything, in metres.
const RADII: std::ops::RangeInclusive<f64> = 1e-3..=10_000.0;

/// Entries of all lists together, for each disc on average, before cells are made larger. A disc of a cell's width touches
/// four cells or fewer, or up to nine.
const ENTRIES_PER_PATCH: usize = 9;

/// Most cells a side, whatever the number of discs.
const MAX_SIDE: usize = 256;

/// A level disc.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Patch {
    /// Its middle `(x, z)`.
    pub centre: Vec2,
    /// In metres, above 0. The rim belongs to the disc.
    pub radius: f64,
    /// In metres.
    pub height: f64,
}

/// Level discs and the floor between them. Where discs overlap, the one whose centre is nearest counts, and the first of those
/// that are equally near.
#[derive(Clone, Debug, PartialEq)]
pub struct Patches {
    /// Height of the floor between the discs, in metres.
    pub base: f64,
    /// The discs, in any order.
    pub patches: Vec<Patch>,
}

/// Which discs touch which square of the ground.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Grid {
    low: Vec2,
    /// Cells a metre, along x and z.
    scale: Vec2,
    /// Cells along x and along z.
    side: usize,
    /// The list of cell `i` is `entries[starts[i]..starts[i + 1]]`.
    starts: Vec<u32>,
    entries: Vec<u32>,
}

impl Grid {
    pub(super) fn of(patches: &Patches) -> Result<Grid, TerrainError> {
        let heights = -MAX_HEIGHT..=MAX_HEIGHT;
        check_number(patches.base, heights.clone(), "m", "base", None)?;
        check_count(patches.patches.len(), 0..=MAX_PATCHES, "patches")?;
        for (index, patch) in patches.patches.iter().enumerate() {
            check_point(patch.centre, "centre", Some(index))?;
            check_number(patch.radius, RADII, "m", "radius", Some(index))?;
            check_number(patch.height, heights.clone(), "m", "height", Some(index))?;
        }
        Ok(Grid::over(&patches.patches))
    }

    fn over(patches: &[Patch]) -> Grid {
        let mut side = (patches.len() as f64).sqrt().ceil().clamp(1.0, MAX_SIDE as f64) as usize;
        loop {
            let grid = Grid::empty(patches, side);
            let counts = grid.counts(patches);
            let n_entries: usize = counts.iter().sum();
            if side == 1 || n_entries <= ENTRIES_PER_PATCH * patches.len() {
                return grid.filled(patches, &counts);
            }
            side /= 2;
        }
    }

    /// The grid over all discs, its lists not filled yet.
    fn empty(patches: &[Patch], side: usize) -> Grid {
        let low = patches.iter().map(|patch| patch.centre - patch.radius).reduce(Vec2::min).unwrap_or_default();
        let high = patches.iter().map(|patch| patch.centre + patch.radius).reduce(Vec2::max).unwrap_or_default();
        // No radius is 0, so only a terrain without discs has no extent.
        let scale = side as f64 / (high - low).max(Vec2::splat(f64::MIN_POSITIVE));
        Grid { low, scale, side, starts: Vec::new(), entries: Vec::new() }
    }

    fn counts(&self, patches: &[Patch]) -> Vec<usize> {
        let mut counts = vec![0; self.side * self.side];
        for patch in patches {
            for cell in self.cells_of(patch) {
                counts[cell] += 1;
            }
        }
        counts
    }

    fn filled(mut self, patches: &[Patch], counts: &[usize]) -> Grid {
        let mut ends = Vec::with_capacity(counts.len() + 1);
        ends.push(0u32);
        for &count in counts {
            // At most 9 entries for each of 100,000 discs.
            ends.push(ends[ends.len() - 1] + count as u32);
        }
        self.starts = ends;
        self.entries = vec![0; self.starts[counts.len()] as usize];
        let mut next: Vec<u32> = self.starts.clone();
        for (index, patch) in patches.iter().enumerate() {
            for cell in self.cells_of(patch) {
                self.entries[next[cell] as usize] = index as u32;
                next[cell] += 1;
            }
        }
        self
    }

    /// The cells that the square around a disc touches.
    fn cells_of(&self, patch: &Patch) -> impl Iterator<Item = usize> + use<> {
        let (low, high) = (self.cell_of(patch.centre - patch.radius), self.cell_of(patch.centre + patch.radius));
        let side = self.side;
        (low[1]..=high[1]).flat_map(move |row| (low[0]..=high[0]).map(move |column| row * side + column))
    }

    /// Column and row of a point, the nearest for one outside. Rising coordinates never give falling cells, so a point
    /// between the low and high corner of a disc lies in one of the disc's cells, whatever was rounded.
    #[inline]
    fn cell_of(&self, point: Vec2) -> [usize; 2] {
        let cells = (point - self.low) * self.scale;
        // Conversion takes what is below 0 to 0.
        [(cells.x as usize).min(self.side - 1), (cells.y as usize).min(self.side - 1)]
    }

    #[inline]
    pub(super) fn height(&self, patches: &Patches, at: Vec2) -> f64 {
        let [column, row] = self.cell_of(at);
        let cell = row * self.side + column;
        let mut nearest = f64::INFINITY;
        let mut height = patches.base;
        for &index in &self.entries[self.starts[cell] as usize..self.starts[cell + 1] as usize] {
            let patch = &patches.patches[index as usize];
            let square_distance = patch.centre.distance_squared(at);
            if square_distance <= patch.radius * patch.radius && square_distance < nearest {
                nearest = square_distance;
                height = patch.height;
            }
        }
        height
    }

    /// Entries of all lists together.
    #[cfg(test)]
    pub(super) fn n_entries(&self) -> usize {
        self.entries.len()
    }
}
