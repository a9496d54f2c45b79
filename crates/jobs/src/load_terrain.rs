//! Opening a terrain file.

use std::path::Path;
use surefoot_formats::{ReadError, own, read_bytes};
use surefoot_ground::Terrain;

/// Reads the ground of a terrain file (`*.terrain.json`).
pub fn load_terrain(path: &Path) -> Result<Terrain, ReadError> {
    own::read_terrain(&read_bytes(path)?).map_err(|error| error.in_file(path))
}
