//! The ground that people walk on: paths, and scenes with obstacles.
//!
//! The ground is the level plane at height 0 for now. Points on it are `(x, z)`.

mod path;
mod polygon;
mod scene;

pub use path::{Path, PathError};
pub use polygon::{MAX_OUTLINE_POINTS, OutlineError, check_outline, contains};
pub use scene::{Obstacle, Place, Scene, SceneError, ScenePart};
