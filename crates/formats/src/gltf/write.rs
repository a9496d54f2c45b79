//! The writer: a clip as a glTF that engines and viewers take as it is.
//!
//! ```text
//! nodes    joints in the skeleton's order | end sites | [armature above several roots] | body
//! skin     all joints, in the skeleton's order, with inverse bind matrices of the rest pose
//! animation  a rotation channel for every joint; translations of roots and of joints that move in their parent's space
//! extras   the exact frame rate, foot contacts and soles
//! ```
//!
//! Rest transforms are JSON numbers and keep every digit; motion is `f32`, as the format has it, which is 0.06 mm at
//! 1 km.

use super::animation::{Track, write_animation};
use super::container::join_binary;
use super::extras::Extras;
use super::numbers::{Numbers, fields};
use super::soles::Soles;
use crate::own::Playback;
use crate::written_name::written_name;
use base64::Engine;
use serde_json::{Map, Value, json};
use surefoot_contact::Contacts;
use surefoot_geom::{Quat, Vec3};
use surefoot_motion::{
    BodyMap, Clip, FigurePart, Joint, JointId, MeshDetail, N_SHARES, Skeleton, WorldPose, figure_mesh,
};

/// A joint whose translation stays this close to its rest needs no channel for it, in metres.
pub(super) const STILL: f64 = 1e-7;
/// What our files say that wrote them.
pub(super) const GENERATOR: &str = "Surefoot";
/// Indices of joints are stored in 16 bits.
const MAX_JOINTS: usize = 1 << 16;
/// Component types of the format.
const UNSIGNED_BYTE: u32 = 5121;
const UNSIGNED_SHORT: u32 = 5123;
const UNSIGNED_INT: u32 = 5125;
pub(super) const FLOAT: u32 = 5126;
/// Uses of a view that graphics cards care about.
const ARRAY_BUFFER: u32 = 34962;
const ELEMENT_ARRAY_BUFFER: u32 = 34963;

/// How the file is wrapped.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Container {
    /// One binary file, `.glb`.
    #[default]
    Glb,
    /// One text file, `.gltf`, with the numbers inside as base64.
    Gltf,
}

/// Whether a body is drawn around the joints.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum BodyMesh {
    /// A skinned body of capsules: viewers show a person.
    #[default]
    With,
    /// Joints only: for engines that bring their own mesh. Most viewers show nothing.
    Without,
}

/// How to write a glTF.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct GltfWriteOptions {
    /// Default: binary.
    pub container: Container,
    /// Default: with.
    pub body_mesh: BodyMesh,
    /// How an engine is to play it.
    pub playback: Playback,
}

/// Why a clip cannot be a glTF.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum GltfWriteError {
    /// A skin needs a joint.
    #[error("the skeleton has no joint")]
    NoJoints,
    /// Vertices name their joint in 16 bits.
    #[error("the skeleton has {n_joints} joints, more than the {MAX_JOINTS} that a glTF can tell apart")]
    TooManyJoints {
        /// The skeleton's.
        n_joints: usize,
    },
    /// A pose of another skeleton.
    #[error("frame {frame} has {found} joints, the skeleton {expected}")]
    PoseSize {
        /// Which frame.
        frame: usize,
        /// Joints of the pose.
        found: usize,
        /// Joints of the skeleton.
        expected: usize,
    },
    /// NaN or infinity, or a coordinate that `f32` cannot hold.
    #[error(
        "{place} has a transform that cannot be written: NaN, infinity, a rotation of no length or a place too far away"
    )]
    NotFinite {
        /// Frame and joint, or the part of the rest pose.
        place: String,
    },
    /// A rate that is not positive, or not finite.
    #[error("{rate} is no frame rate")]
    FrameRate {
        /// The clip's.
        rate: f64,
    },
    /// The format stores time as `f32`, which cannot tell so many frames apart.
    #[error("{n_frames} frames are more than glTF's 32-bit times can tell apart; write shorter clips")]
    TooLong {
        /// The clip's.
        n_frames: usize,
    },
    /// Programs take binary files up to 2 GiB.
    #[error("the file would pass the 2 GiB that programs take of a GLB; write shorter clips")]
    TooLarge,
    /// Contacts of another clip.
    #[error("the contacts belong to {contacts} frames, the clip has {clip}")]
    ContactFrames {
        /// Frames of the contacts.
        contacts: usize,
        /// Frames of the clip.
        clip: usize,
    },
}

/// Writes a clip, and its contacts where they are known. A body map gives the body its proportions and colours; without
/// one every limb looks alike. A clip of no frames gives a file without an animation.
pub fn write_gltf(
    clip: &Clip,
    body: Option<&BodyMap>,
    contacts: Option<&Contacts>,
    options: &GltfWriteOptions,
) -> Result<Vec<u8>, GltfWriteError> {
    check(clip, contacts)?;
    let mut writer = Writer::default();
    writer.add_skeleton(&clip.skeleton);
    if options.body_mesh == BodyMesh::With {
        writer.add_body(&figure_mesh(&clip.skeleton, body, MeshDetail::FINE), clip.skeleton.n_joints());
    }
    if clip.n_frames() > 0 {
        let soles = body.map(|body| Soles::new(&clip.skeleton, body));
        writer.add_animation(clip, &Extras::new(clip.frame_rate, &options.playback, contacts, soles));
    }
    writer.finish(&clip.name, options.container)
}

/// Refuses a clip that no format can hold.
pub(crate) fn check_clip(clip: &Clip) -> Result<(), GltfWriteError> {
    check(clip, None)
}

pub(super) fn check(clip: &Clip, contacts: Option<&Contacts>) -> Result<(), GltfWriteError> {
    let (skeleton, n_frames) = (&clip.skeleton, clip.n_frames());
    if skeleton.n_joints() == 0 {
        return Err(GltfWriteError::NoJoints);
    }
    if skeleton.n_joints() > MAX_JOINTS {
        return Err(GltfWriteError::TooManyJoints { n_joints: skeleton.n_joints() });
    }
    if !(clip.frame_rate.is_finite() && clip.frame_rate > 0.0) {
        return Err(GltfWriteError::FrameRate { rate: clip.frame_rate });
    }
    if let Some(contacts) = contacts.filter(|contacts| contacts.n_frames != n_frames) {
        return Err(GltfWriteError::ContactFrames { contacts: contacts.n_frames, clip: n_frames });
    }
    let is_broken = |joint: &&Joint| !is_writable(joint.rest.rotation, joint.rest.translation);
    if let Some(joint) = skeleton.joints().iter().find(is_broken) {
        return Err(GltfWriteError::NotFinite { place: format!("the rest of joint `{}`", joint.name) });
    }
    if skeleton.end_sites().iter().any(|site| !is_writable(Quat::IDENTITY, site.offset)) {
        return Err(GltfWriteError::NotFinite { place: "an end site".into() });
    }
    for (frame, pose) in clip.poses().iter().enumerate() {
        let (found, expected) = (pose.local.len(), skeleton.n_joints());
        if found != expected {
            return Err(GltfWriteError::PoseSize { frame, found, expected });
        }
        if let Some(joint) = pose.local.iter().position(|local| !is_writable(local.rotation, local.translation)) {
            let place = format!("frame {frame}, joint `{}`", skeleton.name(JointId::new(joint)));
            return Err(GltfWriteError::NotFinite { place });
        }
    }
    if times_rise(n_frames, clip.frame_rate) { Ok(()) } else { Err(GltfWriteError::TooLong { n_frames }) }
}

/// Whether `f32` can tell the times of all frames apart.
fn times_rise(n_frames: usize, rate: f64) -> bool {
    (1..n_frames).all(|frame| key_time(frame, rate) > key_time(frame - 1, rate)) && key_time(n_frames, rate).is_finite()
}

fn is_writable(rotation: Quat, translation: Vec3) -> bool {
    let length = rotation.length();
    length.is_finite() && length > 1e-6 && translation.as_vec3().is_finite()
}

pub(super) fn key_time(frame: usize, rate: f64) -> f32 {
    (frame as f64 / rate) as f32
}

/// A file that grows.
#[derive(Default)]
struct Writer {
    numbers: Numbers,
    nodes: Vec<Value>,
    scene: Vec<usize>,
    skin: Value,
    mesh: Option<Value>,
    materials: Vec<Value>,
    animation: Option<Value>,
}

impl Writer {
    /// Joints, end sites and the skin.
    fn add_skeleton(&mut self, skeleton: &Skeleton) {
        let n_joints = skeleton.n_joints();
        let mut children: Vec<Vec<usize>> =
            skeleton.children().iter().map(|ids| ids.iter().map(|id| id.index()).collect()).collect();
        for (i, site) in skeleton.end_sites().iter().enumerate() {
            children[site.parent.index()].push(n_joints + i);
        }
        for (id, children) in skeleton.ids().zip(&children) {
            let joint = skeleton.joint(id);
            self.nodes.push(node(&written_name(skeleton, id), joint.rest.translation, joint.rest.rotation, children));
        }
        for site in skeleton.end_sites() {
            let name = site.name.clone().unwrap_or_else(|| end_site_name(&written_name(skeleton, site.parent)));
            self.nodes.push(node(&name, site.offset, Quat::IDENTITY, &[]));
        }
        // The joints of a skin need one node above all of them.
        let roots: Vec<usize> = skeleton.roots().map(JointId::index).collect();
        let top = match roots[..] {
            [root] => root,
            _ => {
                self.nodes.push(node("Armature", Vec3::ZERO, Quat::IDENTITY, &roots));
                self.nodes.len() - 1
            }
        };
        self.scene.push(top);
        let matrices = self.add_bind_matrices(skeleton);
        let joints: Vec<usize> = (0..n_joints).collect();
        self.skin = json!({ "name": "Skeleton", "joints": joints, "skeleton": top, "inverseBindMatrices": matrices });
    }

    fn add_bind_matrices(&mut self, skeleton: &Skeleton) -> usize {
        let rest = WorldPose::new(skeleton, &skeleton.rest_pose());
        let view = self.numbers.begin_view();
        for transform in rest.world() {
            let mut unit = *transform;
            unit.rotation = unit.rotation.normalize();
            self.numbers.put_floats(&unit.inverse().to_mat4().as_mat4().to_cols_array());
        }
        self.numbers.end_view(view, None);
        self.numbers.add_accessor(view, 0, FLOAT, rest.world().len(), "MAT4", Map::new())
    }

    /// The mesh, its materials and the node that shows it.
    fn add_body(&mut self, primitives: &[FigurePart], n_joints: usize) {
        if primitives.is_empty() {
            return;
        }
        let primitives: Vec<Value> =
            primitives.iter().map(|primitive| self.add_primitive(primitive, n_joints)).collect();
        self.mesh = Some(json!({ "name": "Body", "primitives": primitives }));
        self.scene.push(self.nodes.len());
        self.nodes.push(json!({ "name": "Body", "mesh": 0, "skin": 0 }));
    }

    fn add_primitive(&mut self, primitive: &FigurePart, n_joints: usize) -> Value {
        let n = primitive.positions.len();
        let positions = self.add_vertices(&primitive.positions, bounds(&primitive.positions));
        let normals = self.add_vertices(&primitive.normals, Map::new());
        let joints = self.add_vertex_joints(&primitive.shares, n_joints);
        let view = self.numbers.begin_view();
        primitive.shares.iter().for_each(|shares| self.numbers.bin.extend(weight_bytes(shares)));
        self.numbers.end_view(view, Some(ARRAY_BUFFER));
        let normalized = fields(json!({ "normalized": true }));
        let weights = self.numbers.add_accessor(view, 0, UNSIGNED_BYTE, n, "VEC4", normalized);
        let indices = self.add_indices(&primitive.indices, n);
        let [red, green, blue] = primitive.colour.rgb;
        self.materials.push(json!({
            "name": primitive.colour.name,
            "pbrMetallicRoughness": {
                "baseColorFactor": [red, green, blue, 1.0], "metallicFactor": 0.0, "roughnessFactor": 0.7,
            },
        }));
        json!({
            "attributes": { "POSITION": positions, "NORMAL": normals, "JOINTS_0": joints, "WEIGHTS_0": weights },
            "indices": indices,
            "material": self.materials.len() - 1,
        })
    }

    fn add_vertices(&mut self, vectors: &[[f32; 3]], extra: Map<String, Value>) -> usize {
        let view = self.numbers.begin_view();
        self.numbers.put_floats(vectors.as_flattened());
        self.numbers.end_view(view, Some(ARRAY_BUFFER));
        self.numbers.add_accessor(view, 0, FLOAT, vectors.len(), "VEC3", extra)
    }

    fn add_vertex_joints(&mut self, shares: &[[(usize, f32); N_SHARES]], n_joints: usize) -> usize {
        let view = self.numbers.begin_view();
        let fits_byte = n_joints <= 256;
        for vertex in shares {
            let bytes = weight_bytes(vertex);
            // The format wants 0 for a joint that has no weight.
            let joint = |i: usize| vertex.get(i).filter(|_| bytes[i] > 0).map_or(0, |(joint, _)| *joint);
            let joints: [usize; 4] = std::array::from_fn(joint);
            if fits_byte {
                self.numbers.bin.extend(joints.map(|joint| joint as u8));
            } else {
                self.numbers.bin.extend(joints.map(|joint| joint as u16).map(u16::to_le_bytes).as_flattened());
            }
        }
        self.numbers.end_view(view, Some(ARRAY_BUFFER));
        let component = if fits_byte { UNSIGNED_BYTE } else { UNSIGNED_SHORT };
        self.numbers.add_accessor(view, 0, component, shares.len(), "VEC4", Map::new())
    }

    fn add_indices(&mut self, indices: &[u32], n_vertices: usize) -> usize {
        let view = self.numbers.begin_view();
        // The highest 16-bit number is reserved.
        let fits_short = n_vertices <= usize::from(u16::MAX);
        for &index in indices {
            if fits_short {
                self.numbers.bin.extend((index as u16).to_le_bytes());
            } else {
                self.numbers.bin.extend(index.to_le_bytes());
            }
        }
        self.numbers.end_view(view, Some(ELEMENT_ARRAY_BUFFER));
        let component = if fits_short { UNSIGNED_SHORT } else { UNSIGNED_INT };
        self.numbers.add_accessor(view, 0, component, indices.len(), "SCALAR", Map::new())
    }

    /// Rotations of all joints; translations of those that move in their parent's space.
    fn add_animation(&mut self, clip: &Clip, extras: &Extras) {
        let mut tracks: Vec<Track> = clip
            .skeleton
            .ids()
            .map(|joint| Track {
                node: joint.index(),
                rotations: clip.poses().iter().map(|pose| pose[joint].rotation.normalize()).collect(),
                translations: match moves_in_parent(clip, joint) {
                    true => clip.poses().iter().map(|pose| pose[joint].translation).collect(),
                    false => Vec::new(),
                },
            })
            .collect();
        let frames = (clip.n_frames(), clip.frame_rate);
        self.animation = Some(write_animation(&mut self.numbers, &mut tracks, frames, &clip.name, extras));
    }

    fn finish(self, name: &str, container: Container) -> Result<Vec<u8>, GltfWriteError> {
        let mut scene = json!({ "nodes": self.scene });
        if !name.is_empty() {
            scene["name"] = json!(name);
        }
        let mut root = fields(json!({
            "asset": { "version": "2.0", "generator": GENERATOR },
            "scene": 0,
            "scenes": [scene],
            "nodes": self.nodes,
            "skins": [self.skin],
        }));
        if let Some(mesh) = self.mesh {
            root.insert("meshes".into(), json!([mesh]));
            root.insert("materials".into(), json!(self.materials));
        }
        if let Some(animation) = self.animation {
            root.insert("animations".into(), json!([animation]));
        }
        root.insert("accessors".into(), json!(self.numbers.accessors));
        root.insert("bufferViews".into(), json!(self.numbers.views));
        let mut buffer = json!({ "byteLength": self.numbers.bin.len() });
        if container == Container::Gltf {
            let data = base64::engine::general_purpose::STANDARD.encode(&self.numbers.bin);
            buffer["uri"] = json!(format!("data:application/octet-stream;base64,{data}"));
        }
        root.insert("buffers".into(), json!([buffer]));
        let json = Value::Object(root).to_string().into_bytes();
        match container {
            Container::Glb => join_binary(json, self.numbers.bin).ok_or(GltfWriteError::TooLarge),
            Container::Gltf => Ok(json),
        }
    }
}

/// Shares as bytes that add up to 255.
fn weight_bytes(shares: &[(usize, f32); N_SHARES]) -> [u8; 4] {
    let mut bytes = [0; 4];
    for (byte, (_, share)) in bytes.iter_mut().zip(shares).skip(1) {
        *byte = (share * 255.0).round().clamp(0.0, 255.0) as u8;
    }
    let others: u32 = bytes.iter().map(|&byte| u32::from(byte)).sum();
    // Two halves may round to one too many.
    if others > 255 {
        bytes[2] -= (others - 255) as u8;
    }
    bytes[0] = 255 - others.min(255) as u8;
    bytes
}

/// Whether a joint is a root, or leaves its rest translation in some frame.
fn moves_in_parent(clip: &Clip, joint: JointId) -> bool {
    let rest = clip.skeleton.joint(joint).rest.translation;
    clip.skeleton.parent(joint).is_none()
        || clip.poses().iter().any(|pose| pose[joint].translation.distance(rest) > STILL)
}

/// The name of an end site that has none of its own.
pub(crate) fn end_site_name(joint: &str) -> String {
    format!("{joint}_End")
}

fn node(name: &str, translation: Vec3, rotation: Quat, children: &[usize]) -> Value {
    let mut node = fields(json!({ "name": name }));
    if translation != Vec3::ZERO {
        node.insert("translation".into(), json!(translation.to_array()));
    }
    let rotation = rotation.normalize();
    if rotation != Quat::IDENTITY {
        node.insert("rotation".into(), json!(rotation.to_array()));
    }
    if !children.is_empty() {
        node.insert("children".into(), json!(children));
    }
    Value::Object(node)
}

/// The least and the greatest of each coordinate, as the format wants them beside positions.
fn bounds(positions: &[[f32; 3]]) -> Map<String, Value> {
    let mut least = [f32::INFINITY; 3];
    let mut greatest = [f32::NEG_INFINITY; 3];
    for position in positions {
        for axis in 0..3 {
            least[axis] = least[axis].min(position[axis]);
            greatest[axis] = greatest[axis].max(position[axis]);
        }
    }
    fields(json!({ "min": least.map(f64::from), "max": greatest.map(f64::from) }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_rise_for_a_day_of_film_and_not_for_ever() {
        assert!(times_rise(24 * 3600 * 24, 24.0));
        assert!(times_rise(8 << 20, 120.0));
        // Just past 2^16 s, where `f32` counts in steps of 7.8 ms and a frame lasts 7.3 ms.
        assert!(!times_rise(9_000_000, 137.0));
        assert!(!times_rise(3, 1e-39));
        assert!(!times_rise(2, f64::MAX));
    }
}
