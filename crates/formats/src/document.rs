//! A motion as a file has it, before any guess about its meaning.

use crate::Warning;
use surefoot_contact::Contacts;
use surefoot_geom::Axis;
use surefoot_motion::{FootShape, PerSide, Poses, Skeleton};

/// A family of files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Biovision Hierarchy.
    Bvh,
    /// Acclaim skeleton, alone or with its motion.
    AsfAmc,
    /// glTF 2.0, text or binary.
    Gltf,
    /// Autodesk FBX.
    Fbx,
}

/// Which of a file's animations to read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AnimationChoice {
    /// The first of that name. Unnamed ones are called `animation0`, `animation1` and so on by their index.
    Name(String),
    /// From 0, in the order of the file.
    Index(usize),
}

/// A motion in the file's own unit and axes.
#[derive(Clone, Debug)]
pub struct Document {
    /// What was read.
    pub format: Format,
    /// The name of the motion inside the file, if it has one (an animation of a glTF).
    pub name: Option<String>,
    /// Joints and end sites, translations in the file's unit and axes.
    pub skeleton: Skeleton,
    /// All frames, translations in the file's unit and axes.
    pub poses: Poses,
    /// Frames per second as the file declares them; `None` where the format has no place for it (AMC) or the file's is void.
    pub frame_rate: Option<f64>,
    /// Metres per unit, where the format or the file declares it.
    pub unit_to_metre: Option<f64>,
    /// The up axis, where the format or the file declares it.
    pub up: Option<Axis>,
    /// Number of motion values in each frame of the file (BVH channels, AMC degrees of freedom); 0 where that means nothing.
    pub n_channels: usize,
    /// How a BVH file laid its channels out, so that a writer can keep it. One entry for each joint.
    pub bvh_channels: Option<Vec<Vec<crate::bvh::Channel>>>,
    /// Names of all motions in the file (animations of a glTF, stacks of an FBX); empty where a file holds just one.
    pub animations: Vec<String>,
    /// Foot contacts that the file carries, as frame ranges with positions.
    pub contacts: Option<Contacts>,
    /// Soles that the file carries, in metres.
    pub soles: Option<PerSide<StoredSole>>,
    /// Whether the file has a mesh that we did not make: a character, which is worth more than its skeleton.
    pub is_character: bool,
    /// What was unusual and read all the same.
    pub warnings: Vec<Warning>,
}

/// A sole that a file carries.
#[derive(Clone, Debug, PartialEq)]
pub struct StoredSole {
    /// The name of the joint whose axes it is in.
    pub ankle: String,
    /// In metres; finite, no farther from the ankle than a foot is long.
    pub foot: FootShape,
}
