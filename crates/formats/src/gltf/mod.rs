//! glTF 2.0, text (`.gltf`) and binary (`.glb`): read any skeleton and animation, write a person that every viewer
//! shows.
//!
//! Reading ([`read_gltf`], [`read_gltf_file`]) checks every index, offset, type and time before it is used, and never
//! recurses: a hostile file ends in an error. What is read:
//!
//! - *joints*: the joints of all skins and the nodes between them; without skins all nodes of the default scene.
//!   Nodes above the topmost joint are baked into it, their motion and scale included. Leaves under joints become end
//!   sites.
//! - *rest pose*: the nodes' own transforms. The inverse bind matrices are left aside: joints that an animation does
//!   not drive stand where their nodes say, so that is the pose in which nothing moves.
//! - *motion*: one animation, sampled at the frame rate behind its key times.
//!
//! Writing ([`write_gltf`]) gives one skin with all joints, a body of capsules around them, one animation in metres
//! with Y up, and foot contacts, events and soles as `extras`.
//!
//! Meshes ([`read_character_mesh`]) are read apart, by who draws a character.
//!
//! Adding ([`add_animation`]) writes a character's file again with one more animation: every byte that was in it is in it
//! still.

mod accessors;
mod add_animation;
mod animation;
mod bake;
mod character;
mod character_tracks;
mod choose_joints;
mod container;
mod curve;
mod edit_json;
mod extras;
mod frame_rate;
mod mesh;
mod motion;
mod numbers;
mod read;
mod schema;
mod skin_notes;
mod soles;
mod split_matrices;
mod tree;
mod uri;
mod write;

pub use add_animation::{AddAnimationError, AddOptions, AddedAnimation, add_animation};
pub use character::GltfCharacter;
pub(crate) use container::check_size;
pub use mesh::read_character_mesh;
pub use read::read_gltf;
pub use write::{BodyMesh, Container, GltfWriteError, GltfWriteOptions, write_gltf};
pub(crate) use write::{check_clip, end_site_name};

use crate::{AnimationChoice, Document, ErrorKind, ReadError};
use std::path::Path;

/// How to read a glTF.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GltfOptions {
    /// Default: the last that we added to a character, else the first animation.
    pub animation: Option<AnimationChoice>,
    /// Frames per second to sample at, above 0 and up to 10,000. Default: the rate behind the key times (for our own
    /// files the exact rate; otherwise the keys' own, the lowest usual rate that has a frame at every key, or 30 with
    /// the warning `keys_resampled`).
    pub frame_rate: Option<f64>,
}

/// A glTF as it was read.
#[derive(Clone, Debug)]
pub struct GltfFile {
    /// The skeleton and the motion.
    pub document: Document,
    /// Nodes in the file, joints or not.
    pub n_nodes: usize,
    /// Animations in the file.
    pub n_animations: usize,
    /// Keys of the busiest channel that was read; 0 without an animation.
    pub n_keys: usize,
}

/// Reads a glTF from a path, and its buffers from files in the same folder or below.
pub fn read_gltf_file(path: &Path, options: &GltfOptions) -> Result<GltfFile, ReadError> {
    let bytes = std::fs::read(path)
        .map_err(|error| ReadError::new(ErrorKind::Io, format!("cannot read the file: {error}")).in_file(path))?;
    let folder = path.parent().unwrap_or(Path::new(""));
    read_gltf_beside(&bytes, folder, options).map_err(|error| error.in_file(path))
}

/// Reads a glTF from its bytes, and its buffers from files in a folder or below.
pub fn read_gltf_beside(bytes: &[u8], folder: &Path, options: &GltfOptions) -> Result<GltfFile, ReadError> {
    read_gltf(bytes, &mut |relative| uri::load_beside(folder, relative), options)
}
