//! The meshes of a character's file, on the skeleton as it was imported.

use super::Import;
use crate::ReadError;
use crate::gltf::read_character_mesh;
use surefoot_geom::{Quat, Vec3, rotation};
use surefoot_motion::CharacterMesh;

impl Import {
    /// The meshes of the glTF that it was read from; `None` where that has none but those that we made.
    pub fn character_mesh(&self) -> Option<Result<CharacterMesh, ReadError>> {
        let file = self.character.as_deref()?;
        let up = self.assumed.up.rest;
        // As `axes::convert` turned the rest pose.
        let basis = match up {
            surefoot_geom::Axis::Y => Quat::IDENTITY,
            up => rotation::between_directions(up.to_vec3(), Vec3::Y),
        };
        Some(read_character_mesh(file, &self.clip.skeleton, self.assumed.unit.to_metre, basis))
    }
}
