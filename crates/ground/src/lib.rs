//! The ground that people walk on: terrain, paths, and scenes with obstacles.
//!
//! Points on the ground are `(x, z)`; a [`Terrain`] gives their height.

mod corridor;
mod join_paths;
mod outline_distance;
mod path;
mod polygon;
mod round_corners;
mod scene;
mod terrain;
mod travel_curve;

pub use corridor::{
    BlockedPath, Corridor, CorridorMap, CorridorOptions, Disk, MAX_CLEARANCE, MAX_MAP_REACH, MAX_SPACING, MIN_SPACING,
    MapError, Nearest, PathOptions, QueryError, Replan,
};
pub use join_paths::join_paths;
pub use outline_distance::{distance_to_outline, segment_distance};
pub use path::{Path, PathError};
pub use polygon::{MAX_OUTLINE_POINTS, OutlineError, check_outline, contains};
pub use round_corners::round_corners;
pub use scene::{Obstacle, Place, Scene, SceneError, ScenePart};
pub use terrain::{
    HeightField, MAX_HEIGHT, MAX_PATCHES, MAX_REACH, MAX_SAMPLES, MAX_SLOPE_DEGREES, MAX_STEPS, Patch, Patches, Plane,
    Stairs, Terrain, TerrainError, TerrainField, TerrainProblem, TerrainShape,
};
pub use travel_curve::TravelCurve;
