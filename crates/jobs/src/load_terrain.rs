//! Opening a terrain file, and the surroundings that a request names.

use crate::input_request::TerrainRequest;
use crate::job_error::JobError;
use std::path::Path;
use std::sync::Arc;
use surefoot_formats::{ReadError, own, read_bytes};
use surefoot_ground::Terrain;
use surefoot_plan::World;

/// Reads the ground of a terrain file (`*.terrain.json`).
pub fn load_terrain(path: &Path) -> Result<Terrain, ReadError> {
    own::read_terrain(&read_bytes(path)?).map_err(|error| error.in_file(path))
}

/// Surroundings of ground alone; without a terrain the ground is as high as each footprint.
pub(crate) fn load_world(terrain: Option<&TerrainRequest>) -> Result<Arc<World>, JobError> {
    let terrain = terrain.map(TerrainRequest::load).transpose()?;
    Ok(Arc::new(World { terrain, ..World::default() }))
}
