//! A character's own surface: triangles that hang on the joints of a skeleton, with what they look like.
//!
//! A vertex `v` is at the sum of `share * world(bone.joint) * bone.to_joint * v` over its bones, where `world` is the rigid transform of
//! the joint in a pose. So bind poses, scale and units of the file are in [`Bone::to_joint`], and no pose needs to know of them.

use crate::JointId;
use surefoot_geom::{Mat3, Vec3};

/// How many bones move one vertex.
pub const N_BONES: usize = 4;

/// The surface of a character.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CharacterMesh {
    /// What vertices hang on.
    pub bones: Vec<Bone>,
    /// Triangles of one material each.
    pub parts: Vec<MeshPart>,
    /// What is painted on them.
    pub images: Vec<MeshImage>,
}

/// A joint as a mesh is bound to it. Two meshes may be bound to one joint in different ways.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bone {
    /// The joint of the skeleton.
    pub joint: JointId,
    /// From the mesh's space to that of the joint, in metres: the linear part and the translation after it.
    pub to_joint: (Mat3, Vec3),
}

/// Triangles of one material. All lists but `corners` have an entry for each vertex, or are empty where that is said.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MeshPart {
    /// In the mesh's own space.
    pub positions: Vec<[f32; 3]>,
    /// Unit vectors in the mesh's own space.
    pub normals: Vec<[f32; 3]>,
    /// Places on the image, from its upper left corner, the image repeated beyond 1; empty without an image.
    pub image_places: Vec<[f32; 2]>,
    /// Linear colours that the material's is multiplied by; empty where that is white.
    pub colours: Vec<[f32; 3]>,
    /// The bones of each vertex with their shares, which add up to 1.
    pub shares: Vec<[(u32, f32); N_BONES]>,
    /// Three for each triangle, counter-clockwise from outside.
    pub corners: Vec<u32>,
    /// What it looks like.
    pub material: MeshMaterial,
}

/// What a part looks like.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MeshMaterial {
    /// Linear red, green, blue, and how solid it is.
    pub colour: [f32; 4],
    /// An index into the images, whose colours are multiplied by `colour`.
    pub image: Option<usize>,
    /// Whether it is seen from inside too.
    pub is_two_sided: bool,
    /// What the image's alpha means.
    pub opacity: Opacity,
}

/// What alpha means.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Opacity {
    /// Nothing.
    Solid,
    /// Less than this is not there.
    Cut(f32),
    /// How solid it is.
    Blend,
}

/// A picture in a file, as it was.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MeshImage {
    /// `image/png`, `image/jpeg` or `image/webp`.
    pub kind: &'static str,
    /// The file.
    pub bytes: Vec<u8>,
}

impl Default for MeshMaterial {
    fn default() -> MeshMaterial {
        MeshMaterial { colour: [1.0; 4], image: None, is_two_sided: false, opacity: Opacity::Solid }
    }
}
