//! Autodesk FBX: read through the C library ufbx, written by [`write_fbx`].
//!
//! FBX is closed and large; ufbx reads its binary and text forms of all versions in use and knows its many rules for
//! what a node's transform is (pivots, pre- and post-rotation, rotation orders, layers, inheritance of scale). This
//! module asks it for the transform of each node at each frame, and makes joints and poses of the answers:
//!
//! 1. **Joints** (`joints`): nodes that are bones, or that a skin hangs on, and the nodes between them. Nodes above the
//!    topmost joint (an armature, an axis conversion) are baked into it, also where they move. Meshes, cameras and
//!    lights are left out.
//! 2. **Time** (`timeline`): the keys of the curves say where the motion begins and ends and how densely it was
//!    sampled, within the range that the animation declares.
//! 3. **World** (`world`): each node's place in the world by the file's rules of scale, as a rigid transform. Scale
//!    moves what hangs on a joint and is then dropped.
//!
//! Unit and up axis are those that the file declares, in [`Document::unit_to_metre`] and [`Document::up`]; nothing is
//! converted here. Only a file of left-handed axes is mirrored on reading, because no rotation could mend it
//! afterwards.
//!
//! FBX has no end sites: chains end at a joint, often one that never moves (`HeadTop_End`, `LeftToe_End`).
//!
//! Without the feature `fbx` the reader refuses every file with an error, so that callers need no feature of their own.

mod binary;
#[cfg(feature = "fbx")]
mod joints;
#[cfg(feature = "fbx")]
mod read;
#[cfg(feature = "fbx")]
mod timeline;
#[cfg(feature = "fbx")]
mod world;
mod write;

pub use write::write_fbx;

use crate::{AnimationChoice, Document, ReadError};

/// What to read from an FBX file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FbxOptions {
    /// `None` takes the first that moves a joint, or the first there is.
    pub animation: Option<AnimationChoice>,
    /// Frames per second to sample at; must be positive and finite. `None` takes the spacing of the keys where they
    /// were sampled evenly, and the file's declared rate otherwise.
    pub frame_rate: Option<f64>,
}

/// Reads the skeleton and one animation of an FBX file.
#[cfg(feature = "fbx")]
pub fn read_fbx(bytes: &[u8], options: &FbxOptions) -> Result<Document, ReadError> {
    read::read_fbx(bytes, options)
}

/// Refuses every file: this build has no FBX.
#[cfg(not(feature = "fbx"))]
pub fn read_fbx(_bytes: &[u8], _options: &FbxOptions) -> Result<Document, ReadError> {
    let message = "this build cannot read FBX: it was compiled without the feature `fbx`";
    Err(ReadError::new(crate::ErrorKind::Format, message))
}
