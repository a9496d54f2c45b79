//! The height of the ground and the direction it faces, at every place.
//!
//! A terrain is one of five shapes: a level floor, a slope, a flight of stairs, a grid of heights, or level discs above a
//! floor. It is asked for each foot in each frame, so its answers allocate nothing and take constant time (for discs: the
//! time of the few that lie near), and they are total: any question has a finite answer.
//!
//! ```text
//!  flat        plane         stairs           height field       patches
//!                   .'             ___ after      .   .
//!  ______         .'          ___|   tread       / \_/ \_      __    ___
//!               .'     before|  rise           _/        `   _|  |__|   |__ base
//! ```
//!
//! Limits: one height for each place, so no overhangs; edges of stairs and discs are vertical and belong to the part that the
//! text of [`Stairs`] and [`Patch`] says. Coordinates past [`MAX_REACH`] are taken to be at it.

mod error;
mod height_field;
mod patches;
mod plane;
mod stairs;

pub use error::{TerrainError, TerrainField, TerrainProblem};
pub use height_field::{HeightField, MAX_SAMPLES};
pub use patches::{MAX_PATCHES, Patch, Patches};
pub use plane::{MAX_SLOPE_DEGREES, Plane};
pub use stairs::{MAX_STEPS, Stairs};

use error::check_number;
use patches::Grid;
use plane::Slope;
use stairs::Flight;
use surefoot_geom::{Vec2, Vec3};

/// How far from the origin the ground reaches, in metres: a double still holds a tenth of a micrometre there.
pub const MAX_REACH: f64 = 1e6;

/// Highest and deepest ground that means anything, in metres.
pub const MAX_HEIGHT: f64 = 10_000.0;

/// The ground as a height over every point `(x, z)`.
#[derive(Clone, Debug, PartialEq)]
pub struct Terrain {
    ground: Ground,
}

/// What a terrain is made from.
#[derive(Clone, Debug, PartialEq)]
pub enum TerrainShape {
    /// A level floor.
    Flat {
        /// In metres.
        height: f64,
    },
    /// A slope without end.
    Plane(Plane),
    /// A flight of stairs.
    Stairs(Stairs),
    /// A grid of heights.
    HeightField(HeightField),
    /// Level discs above or below a level floor.
    Patches(Patches),
}

/// A shape with what its answers need, made once.
#[derive(Clone, Debug, PartialEq)]
enum Ground {
    Flat(f64),
    Plane(Plane, Slope),
    Stairs(Stairs, Flight),
    HeightField(HeightField),
    Patches(Patches, Grid),
}

impl Default for Terrain {
    /// The level floor at 0.
    fn default() -> Terrain {
        Terrain::flat(0.0)
    }
}

impl Terrain {
    /// A terrain of a shape, if its numbers make one.
    pub fn new(shape: TerrainShape) -> Result<Terrain, TerrainError> {
        let ground = match shape {
            TerrainShape::Flat { height } => {
                check_number(height, -MAX_HEIGHT..=MAX_HEIGHT, "m", "height", None)?;
                Ground::Flat(height)
            }
            TerrainShape::Plane(plane) => Ground::Plane(plane, Slope::of(&plane)?),
            TerrainShape::Stairs(stairs) => {
                let flight = Flight::of(&stairs)?;
                Ground::Stairs(stairs, flight)
            }
            TerrainShape::HeightField(field) => {
                field.check()?;
                Ground::HeightField(field)
            }
            TerrainShape::Patches(patches) => {
                let grid = Grid::of(&patches)?;
                Ground::Patches(patches, grid)
            }
        };
        Ok(Terrain { ground })
    }

    /// A level floor. A height past [`MAX_HEIGHT`] is taken to be at it, and one that is no number to be 0.
    pub fn flat(height: f64) -> Terrain {
        let height = if height.is_nan() { 0.0 } else { height.clamp(-MAX_HEIGHT, MAX_HEIGHT) };
        Terrain { ground: Ground::Flat(height) }
    }

    /// The slope through a point, with a normal of any length that points up.
    pub fn plane(point: Vec3, normal: Vec3) -> Result<Terrain, TerrainError> {
        Terrain::new(TerrainShape::Plane(Plane { point, normal }))
    }

    /// A flight of stairs.
    pub fn stairs(stairs: Stairs) -> Result<Terrain, TerrainError> {
        Terrain::new(TerrainShape::Stairs(stairs))
    }

    /// A grid of heights: `heights[row * n_x + column]` is the height at `origin + spacing * (column, row)`.
    pub fn height_field(
        origin: Vec2,
        spacing: f64,
        n_x: usize,
        n_z: usize,
        heights: Vec<f64>,
    ) -> Result<Terrain, TerrainError> {
        Terrain::new(TerrainShape::HeightField(HeightField { origin, spacing, n_x, n_z, heights }))
    }

    /// Level discs above or below a level floor.
    pub fn patches(base: f64, patches: Vec<Patch>) -> Result<Terrain, TerrainError> {
        Terrain::new(TerrainShape::Patches(Patches { base, patches }))
    }

    /// What this terrain is made from, copied.
    pub fn to_shape(&self) -> TerrainShape {
        match &self.ground {
            Ground::Flat(height) => TerrainShape::Flat { height: *height },
            Ground::Plane(plane, _) => TerrainShape::Plane(*plane),
            Ground::Stairs(stairs, _) => TerrainShape::Stairs(stairs.clone()),
            Ground::HeightField(field) => TerrainShape::HeightField(field.clone()),
            Ground::Patches(patches, _) => TerrainShape::Patches(patches.clone()),
        }
    }

    /// The height at `(x, z)` in metres. Finite whatever is asked; a coordinate that is no number counts as `-MAX_REACH`.
    #[inline]
    pub fn height(&self, at: Vec2) -> f64 {
        let at = within_reach(at);
        match &self.ground {
            Ground::Flat(height) => *height,
            Ground::Plane(_, slope) => slope.height(at),
            Ground::Stairs(_, flight) => flight.height(at),
            Ground::HeightField(field) => field.height(at),
            Ground::Patches(patches, grid) => grid.height(patches, at),
        }
    }

    /// The upward unit normal at `(x, z)`. Straight up on stairs and discs, also at their edges. Finite whatever is asked.
    #[inline]
    pub fn normal(&self, at: Vec2) -> Vec3 {
        match &self.ground {
            Ground::Flat(_) | Ground::Stairs(..) | Ground::Patches(..) => Vec3::Y,
            Ground::Plane(_, slope) => slope.normal,
            Ground::HeightField(field) => field.normal(within_reach(at)),
        }
    }

    /// Whether the height at `(x, z)` is the terrain's own: a height field ends at its border, and what is beyond is as high as
    /// the border. The other shapes have no end.
    pub fn covers(&self, at: Vec2) -> bool {
        match &self.ground {
            Ground::HeightField(field) => field.covers(at),
            Ground::Flat(_) | Ground::Plane(..) | Ground::Stairs(..) | Ground::Patches(..) => true,
        }
    }

    /// The point of the ground below or above a point, straight down or up.
    #[inline]
    pub fn project(&self, point: Vec3) -> Vec3 {
        Vec3::new(point.x, self.height(Vec2::new(point.x, point.z)), point.z)
    }
}

/// The point itself, or the nearest that the ground reaches. `max` and `min` pass over NaN, which `clamp` would keep.
#[inline]
fn within_reach(at: Vec2) -> Vec2 {
    at.max(Vec2::splat(-MAX_REACH)).min(Vec2::splat(MAX_REACH))
}

#[cfg(test)]
mod tests;
