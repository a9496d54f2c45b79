//! The parts of a glTF's JSON that carry motion; everything else is skipped unread.
//!
//! The shapes are lenient where a check with a better message follows: a negative or fractional index parses to a
//! [`Whole`] past every end, a component type is any number, and `extras` stay raw text. Wrong types, missing fields
//! and nesting past serde_json's limit end in [`ErrorKind::Json`].

use crate::{ErrorKind, ReadError};
use serde::de::{Deserialize, Deserializer, Error, IgnoredAny, SeqAccess, Visitor};
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::fmt;

/// More nodes than any scene with a person in it; the largest crowds on record have a tenth.
pub(super) const MAX_NODES: usize = 65_536;

/// Extensions that change only how things look, or add what we skip; a file that requires them still reads right.
const HARMLESS_EXTENSIONS: [&str; 7] = [
    "KHR_lights_punctual",
    "KHR_mesh_quantization",
    "KHR_animation_pointer",
    "KHR_node_visibility",
    "KHR_xmp",
    "KHR_xmp_json_ld",
    "VRMC_vrm",
];
const HARMLESS_PREFIXES: [&str; 5] =
    ["KHR_materials_", "KHR_texture_", "EXT_texture_", "VRMC_materials_", "EXT_lights_"];

/// A count, an offset or an index. Numbers that are none (negative, fractional) become `usize::MAX`, which every range
/// check refuses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Whole(pub(super) usize);

impl<'de> Deserialize<'de> for Whole {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Whole, D::Error> {
        struct WholeVisitor;
        impl Visitor<'_> for WholeVisitor {
            type Value = Whole;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a whole number")
            }

            fn visit_u64<E: Error>(self, value: u64) -> Result<Whole, E> {
                Ok(Whole(usize::try_from(value).unwrap_or(usize::MAX)))
            }

            fn visit_i64<E: Error>(self, value: i64) -> Result<Whole, E> {
                Ok(Whole(usize::try_from(value).unwrap_or(usize::MAX)))
            }

            fn visit_f64<E: Error>(self, value: f64) -> Result<Whole, E> {
                // JSON knows no integers: some writers print 3 as 3.0.
                let whole = value.fract() == 0.0 && (0.0..9e15).contains(&value);
                Ok(Whole(if whole { value as usize } else { usize::MAX }))
            }
        }
        deserializer.deserialize_any(WholeVisitor)
    }
}

/// The top of the file.
#[derive(serde::Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Root<'a> {
    pub(super) asset: Asset,
    pub(super) scene: Option<Whole>,
    #[serde(default)]
    pub(super) scenes: Vec<Scene>,
    #[serde(default, deserialize_with = "capped_nodes")]
    pub(super) nodes: Vec<Node>,
    #[serde(default)]
    pub(super) meshes: Vec<IgnoredAny>,
    #[serde(default)]
    pub(super) skins: Vec<Skin>,
    #[serde(default, borrow)]
    pub(super) animations: Vec<Animation<'a>>,
    #[serde(default)]
    pub(super) accessors: Vec<Accessor>,
    #[serde(default)]
    pub(super) buffer_views: Vec<BufferView>,
    #[serde(default, borrow)]
    pub(super) buffers: Vec<Buffer<'a>>,
    #[serde(default)]
    pub(super) extensions_required: Vec<String>,
}

#[derive(serde::Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Asset {
    pub(super) version: String,
    pub(super) min_version: Option<String>,
    pub(super) generator: Option<String>,
}

#[derive(serde::Deserialize)]
pub(super) struct Scene {
    #[serde(default)]
    pub(super) nodes: Vec<Whole>,
}

/// Rare and large fields are boxed: a file may hold many empty nodes, and memory must stay in proportion to its bytes.
#[derive(serde::Deserialize)]
pub(super) struct Node {
    pub(super) name: Option<String>,
    #[serde(default)]
    pub(super) children: Vec<Whole>,
    pub(super) matrix: Option<Box<[f64; 16]>>,
    pub(super) translation: Option<Box<[f64; 3]>>,
    pub(super) rotation: Option<Box<[f64; 4]>>,
    pub(super) scale: Option<Box<[f64; 3]>>,
    pub(super) mesh: Option<Whole>,
    pub(super) skin: Option<Whole>,
    camera: Option<IgnoredAny>,
    extensions: Option<NodeExtensions>,
}

#[derive(serde::Deserialize)]
struct NodeExtensions {
    #[serde(rename = "KHR_lights_punctual")]
    light: Option<IgnoredAny>,
}

impl Node {
    /// Whether the node shows or lights something, rather than being a mere point.
    pub(super) fn carries_content(&self) -> bool {
        self.mesh.is_some()
            || self.camera.is_some()
            || self.extensions.as_ref().is_some_and(|extensions| extensions.light.is_some())
    }
}

#[derive(serde::Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Skin {
    pub(super) joints: Vec<Whole>,
    pub(super) skeleton: Option<Whole>,
    pub(super) inverse_bind_matrices: Option<Whole>,
}

#[derive(serde::Deserialize)]
pub(super) struct Animation<'a> {
    pub(super) name: Option<String>,
    pub(super) channels: Vec<Channel>,
    pub(super) samplers: Vec<Sampler>,
    #[serde(borrow)]
    pub(super) extras: Option<&'a RawValue>,
}

#[derive(serde::Deserialize)]
pub(super) struct Channel {
    pub(super) sampler: Whole,
    pub(super) target: Target,
}

#[derive(serde::Deserialize)]
pub(super) struct Target {
    pub(super) node: Option<Whole>,
    pub(super) path: String,
}

#[derive(serde::Deserialize)]
pub(super) struct Sampler {
    pub(super) input: Whole,
    pub(super) output: Whole,
    pub(super) interpolation: Option<String>,
}

#[derive(serde::Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Accessor {
    pub(super) buffer_view: Option<Whole>,
    #[serde(default)]
    pub(super) byte_offset: Whole,
    pub(super) component_type: Whole,
    #[serde(default)]
    pub(super) normalized: bool,
    pub(super) count: Whole,
    #[serde(rename = "type")]
    pub(super) shape: String,
    pub(super) sparse: Option<Box<Sparse>>,
}

#[derive(serde::Deserialize)]
pub(super) struct Sparse {
    pub(super) count: Whole,
    pub(super) indices: SparseIndices,
    pub(super) values: SparseValues,
}

#[derive(serde::Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct SparseIndices {
    pub(super) buffer_view: Whole,
    #[serde(default)]
    pub(super) byte_offset: Whole,
    pub(super) component_type: Whole,
}

#[derive(serde::Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct SparseValues {
    pub(super) buffer_view: Whole,
    #[serde(default)]
    pub(super) byte_offset: Whole,
}

#[derive(serde::Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct BufferView {
    pub(super) buffer: Whole,
    #[serde(default)]
    pub(super) byte_offset: Whole,
    pub(super) byte_length: Whole,
    pub(super) byte_stride: Option<Whole>,
}

#[derive(serde::Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Buffer<'a> {
    pub(super) byte_length: Whole,
    #[serde(borrow)]
    pub(super) uri: Option<Cow<'a, str>>,
}

/// Reads nodes up to one past [`MAX_NODES`] and skips the rest, so that the check afterwards can name the limit.
fn capped_nodes<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Node>, D::Error> {
    struct CappedVisitor;
    impl<'de> Visitor<'de> for CappedVisitor {
        type Value = Vec<Node>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a list of nodes")
        }

        fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Vec<Node>, A::Error> {
            let mut nodes = Vec::new();
            while nodes.len() <= MAX_NODES {
                match seq.next_element()? {
                    Some(node) => nodes.push(node),
                    None => return Ok(nodes),
                }
            }
            while seq.next_element::<IgnoredAny>()?.is_some() {}
            Ok(nodes)
        }
    }
    deserializer.deserialize_seq(CappedVisitor)
}

/// Parses the JSON and checks what needs no other part of the file: version, extensions, the number of nodes.
pub(super) fn parse(bytes: &[u8]) -> Result<Root<'_>, ReadError> {
    let text = std::str::from_utf8(bytes)
        .map_err(|error| ReadError::new(ErrorKind::Json, format!("the JSON is not UTF-8: {error}")))?;
    let root: Root<'_> = serde_json::from_str(text).map_err(|error| ReadError {
        line: Some(error.line()),
        ..ReadError::new(ErrorKind::Json, format!("the JSON is broken: {error}"))
    })?;
    check_version(&root.asset)?;
    if let Some(name) = root.extensions_required.iter().find(|name| !is_harmless(name)) {
        let message = format!("the file requires the extension `{name}`, which is not supported");
        return Err(ReadError::new(ErrorKind::Extension, message));
    }
    if root.nodes.len() > MAX_NODES {
        return Err(ReadError::new(ErrorKind::Limit, format!("more than {MAX_NODES} nodes")));
    }
    Ok(root)
}

fn check_version(asset: &Asset) -> Result<(), ReadError> {
    let wanted = asset.min_version.as_deref().filter(|version| *version != "2.0");
    let version = wanted.unwrap_or(&asset.version);
    if version.split('.').next() != Some("2") || wanted.is_some() {
        return Err(ReadError::new(ErrorKind::Version, format!("glTF version {version}; 2.0 is read")));
    }
    Ok(())
}

fn is_harmless(name: &str) -> bool {
    HARMLESS_EXTENSIONS.contains(&name) || HARMLESS_PREFIXES.iter().any(|prefix| name.starts_with(prefix))
}

/// Checks that every index in the file points at something.
pub(super) fn check_indices(root: &Root<'_>) -> Result<(), ReadError> {
    let n_nodes = root.nodes.len();
    if let Some(scene) = root.scene {
        check_index(scene, root.scenes.len(), || "`scene`".into())?;
    }
    for (i, scene) in root.scenes.iter().enumerate() {
        for &node in &scene.nodes {
            check_index(node, n_nodes, || format!("a node of scene {i}"))?;
        }
    }
    for (i, node) in root.nodes.iter().enumerate() {
        for &child in &node.children {
            check_index(child, n_nodes, || format!("a child of node {i}"))?;
        }
        check_optional(node.mesh, root.meshes.len(), || format!("the mesh of node {i}"))?;
        check_optional(node.skin, root.skins.len(), || format!("the skin of node {i}"))?;
    }
    for (i, skin) in root.skins.iter().enumerate() {
        for &joint in &skin.joints {
            check_index(joint, n_nodes, || format!("a joint of skin {i}"))?;
        }
        check_optional(skin.skeleton, n_nodes, || format!("the skeleton of skin {i}"))?;
        check_optional(skin.inverse_bind_matrices, root.accessors.len(), || format!("the matrices of skin {i}"))?;
    }
    for (i, animation) in root.animations.iter().enumerate() {
        for channel in &animation.channels {
            check_index(channel.sampler, animation.samplers.len(), || format!("a channel's sampler of animation {i}"))?;
            check_optional(channel.target.node, n_nodes, || format!("a channel's node of animation {i}"))?;
        }
        for sampler in &animation.samplers {
            for accessor in [sampler.input, sampler.output] {
                check_index(accessor, root.accessors.len(), || format!("a sampler's accessor of animation {i}"))?;
            }
        }
    }
    let n_views = root.buffer_views.len();
    for (i, accessor) in root.accessors.iter().enumerate() {
        check_optional(accessor.buffer_view, n_views, || format!("the view of accessor {i}"))?;
        if let Some(sparse) = &accessor.sparse {
            check_index(sparse.indices.buffer_view, n_views, || format!("the sparse indices' view of accessor {i}"))?;
            check_index(sparse.values.buffer_view, n_views, || format!("the sparse values' view of accessor {i}"))?;
        }
    }
    for (i, view) in root.buffer_views.iter().enumerate() {
        check_index(view.buffer, root.buffers.len(), || format!("the buffer of view {i}"))?;
    }
    Ok(())
}

fn check_optional(index: Option<Whole>, n: usize, what: impl FnOnce() -> String) -> Result<(), ReadError> {
    index.map_or(Ok(()), |index| check_index(index, n, what))
}

fn check_index(index: Whole, n: usize, what: impl FnOnce() -> String) -> Result<(), ReadError> {
    if index.0 < n {
        return Ok(());
    }
    let found = if index.0 == usize::MAX { "no index at all".to_string() } else { index.0.to_string() };
    Err(ReadError::new(ErrorKind::Index, format!("{} is {found}, but there are only {n}", what())))
}
