//! The meshes of a character, on the joints of its skeleton: what a viewer draws where it would draw a body of ours.
//!
//! 1. Every node of the scene that has a mesh is taken. Vertices of a skin hang on its joints; those of a mesh without one hang on the
//!    nearest joint above its node. A mesh that hangs on no joint never moves, and is left out.
//! 2. A bone takes vertices to the rigid space of its joint, `Q^-1 (L v + P - p)`, with the place and the linear part that the file
//!    gives the node (`P`, `L`, stretches in, after the bind matrix), the place `p` and the rotation `Q` of the joint, stretches left out
//!    (see `bake.rs`). Scale that an animation changes is left at its rest.
//! 3. Accessors that primitives share are read once, and of each primitive only the vertices that its triangles have are kept.
//!
//! Morph targets, and every texture but the base colour, are left out. Indices, ranges and sizes are checked before they are used.

use super::accessors::{Buffers, Shape, layout, type_error};
use super::add_animation::find_nodes;
use super::choose_joints::choose_joints;
use super::container;
use super::schema::{self, Root, Whole};
use super::tree::{NodeTransform, Tree, node_transform};
use super::uri::{self, Source};
use crate::{ErrorKind, ReadError};
use serde::Deserialize;
use std::collections::HashMap;
use std::path::Path;
use std::rc::Rc;
use surefoot_geom::{Mat3, Quat, Vec3};
use surefoot_motion::{Bone, CharacterMesh, JointId, MeshImage, MeshMaterial, MeshPart, N_BONES, Opacity, Skeleton};

/// Corners of triangles of the largest character that is drawn.
const MOST_CORNERS: usize = 6_000_000;
/// Bytes of its images.
const MOST_IMAGE_BYTES: usize = 64_000_000;
const TRIANGLES: usize = 4;

/// The parts of the JSON that are looks.
#[derive(Deserialize)]
struct Looks<'a> {
    #[serde(default)]
    meshes: Vec<Mesh>,
    #[serde(default)]
    materials: Vec<Material>,
    #[serde(default)]
    textures: Vec<Texture>,
    #[serde(default, borrow)]
    images: Vec<Image<'a>>,
}

#[derive(Deserialize)]
struct Mesh {
    primitives: Vec<Primitive>,
}

#[derive(Deserialize)]
struct Primitive {
    #[serde(default)]
    attributes: HashMap<String, Whole>,
    indices: Option<Whole>,
    material: Option<Whole>,
    mode: Option<Whole>,
}

#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct Material {
    pbr_metallic_roughness: Base,
    double_sided: bool,
    alpha_mode: Option<String>,
    alpha_cutoff: Option<f32>,
}

#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct Base {
    base_color_factor: Option<[f32; 4]>,
    base_color_texture: Option<TextureUse>,
}

#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct TextureUse {
    index: Whole,
    tex_coord: Whole,
    extensions: TextureUseExtensions,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct TextureUseExtensions {
    #[serde(rename = "KHR_texture_transform")]
    transform: Option<TextureTransform>,
}

#[derive(Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct TextureTransform {
    offset: [f32; 2],
    rotation: f32,
    scale: [f32; 2],
    tex_coord: Option<Whole>,
}

impl Default for TextureTransform {
    fn default() -> TextureTransform {
        TextureTransform { offset: [0.0; 2], rotation: 0.0, scale: [1.0; 2], tex_coord: None }
    }
}

impl TextureTransform {
    /// Where a place of the file is on the image.
    fn place(&self, [u, v]: [f32; 2]) -> [f32; 2] {
        let (sin, cos) = self.rotation.sin_cos();
        let [u, v] = [u * self.scale[0], v * self.scale[1]];
        [cos * u + sin * v + self.offset[0], -sin * u + cos * v + self.offset[1]]
    }
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Texture {
    source: Option<Whole>,
    extensions: TextureExtensions,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct TextureExtensions {
    #[serde(rename = "EXT_texture_webp")]
    webp: Option<TextureSource>,
}

#[derive(Deserialize)]
struct TextureSource {
    source: Whole,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Image<'a> {
    #[serde(borrow)]
    uri: Option<std::borrow::Cow<'a, str>>,
    buffer_view: Option<Whole>,
}

/// Reads the meshes of a character's file for a skeleton that was read from it, whose unit and rest pose may have been turned since.
///
/// `to_metre` is metres for each unit of the file, `basis` what its axes were turned by.
pub fn read_character_mesh(
    path: &Path,
    skeleton: &Skeleton,
    to_metre: f64,
    basis: Quat,
) -> Result<CharacterMesh, ReadError> {
    let bytes = std::fs::read(path)
        .map_err(|error| ReadError::new(ErrorKind::Io, format!("cannot read the file: {error}")).in_file(path))?;
    let folder = path.parent().unwrap_or(Path::new(""));
    read(&bytes, &mut |relative| uri::load_beside(folder, relative), skeleton, to_metre, basis)
        .map_err(|error| error.in_file(path))
}

fn read(
    bytes: &[u8],
    load: &mut dyn FnMut(&str) -> Result<Vec<u8>, ReadError>,
    skeleton: &Skeleton,
    to_metre: f64,
    basis: Quat,
) -> Result<CharacterMesh, ReadError> {
    let parts = container::split(bytes)?;
    let root = schema::parse(parts.json)?;
    schema::check_indices(&root)?;
    let looks: Looks<'_> = serde_json::from_slice(parts.json)
        .map_err(|error| ReadError::new(ErrorKind::Json, format!("the meshes cannot be read: {error}")))?;
    let tree = Tree::new(&root.nodes)?;
    let choice = choose_joints(&root, &tree);
    let mapping = find_nodes(&root, &tree, &choice, skeleton)
        .map_err(|error| ReadError::new(ErrorKind::NoSkeleton, error.to_string()))?;
    let mut joint_of = vec![None; root.nodes.len()];
    for (joint, &node) in mapping.nodes.iter().enumerate() {
        // A root of ours is no node of the file.
        if let Some(place) = joint_of.get_mut(node) {
            *place = Some(JointId::new(joint));
        }
    }
    let places = NodePlaces::new(&root, &tree);
    let buffers = Buffers::load(&root, parts.bin, load)?;
    let mut reader = MeshReader {
        load,
        root: &root,
        looks: &looks,
        buffers,
        numbers: HashMap::new(),
        images: HashMap::new(),
        n_image_bytes: 0,
        n_corners: 0,
        mesh: CharacterMesh::default(),
    };
    for node in nodes_of_scene(&root, &tree) {
        let Some(mesh) = root.nodes[node].mesh else { continue };
        let to_joint = |bones: NodeBones| bones.in_metres(to_metre, basis);
        let bones = match root.nodes[node].skin {
            Some(skin) => skin_bones(&mut reader.buffers, &root, skin.0, &joint_of, &places)?,
            None => node_bone(node, &tree, &joint_of, &places).into_iter().collect(),
        };
        let bones: Vec<Bone> = bones.into_iter().map(to_joint).collect();
        if bones.is_empty() {
            continue;
        }
        let first_bone = reader.mesh.bones.len() as u32;
        let n_bones = bones.len() as u32;
        reader.mesh.bones.extend(bones);
        let is_skinned = root.nodes[node].skin.is_some();
        for primitive in &looks.meshes[mesh.0].primitives {
            reader.add(primitive, (first_bone, n_bones), is_skinned)?;
        }
    }
    Ok(reader.mesh)
}

/// A bone in the file's unit and axes.
struct NodeBones {
    joint: JointId,
    linear: Mat3,
    place: Vec3,
}

impl NodeBones {
    /// A joint's own axes turn with a change of basis, and lengths with the unit.
    fn in_metres(self, to_metre: f64, basis: Quat) -> Bone {
        let turn = Mat3::from_quat(basis);
        Bone { joint: self.joint, to_joint: (turn * self.linear * to_metre, turn * self.place * to_metre) }
    }
}

/// Where every node is at rest.
struct NodePlaces {
    /// Stretches left out.
    rotations: Vec<Quat>,
    /// Stretches in.
    linears: Vec<Mat3>,
    places: Vec<Vec3>,
}

impl NodePlaces {
    fn new(root: &Root<'_>, tree: &Tree) -> NodePlaces {
        let n = root.nodes.len();
        let mut found = NodePlaces {
            rotations: vec![Quat::IDENTITY; n],
            linears: vec![Mat3::IDENTITY; n],
            places: vec![Vec3::ZERO; n],
        };
        for &node in &tree.order {
            // What is broken and moves no joint was never looked at; a mesh on it is at its parent.
            let own = node_transform(&root.nodes[node], node).map_or(NodeTransform::IDENTITY, |(own, _)| own);
            let (rotation, linear, place) = match tree.parents[node] {
                Some(parent) => (found.rotations[parent], found.linears[parent], found.places[parent]),
                None => (Quat::IDENTITY, Mat3::IDENTITY, Vec3::ZERO),
            };
            found.rotations[node] = (rotation * own.rotation).normalize();
            found.linears[node] = linear * Mat3::from_quat(own.rotation) * own.stretch;
            found.places[node] = place + linear * own.translation;
        }
        found
    }

    /// From the space of a node to the rigid one of a joint's node.
    fn to_joint(&self, node: usize, joint_node: usize) -> (Mat3, Vec3) {
        let back = self.rotations[joint_node].conjugate();
        (Mat3::from_quat(back) * self.linears[node], back * (self.places[node] - self.places[joint_node]))
    }
}

/// The nodes of the default scene, parents first; all nodes where there is none.
fn nodes_of_scene(root: &Root<'_>, tree: &Tree) -> Vec<usize> {
    let mut is_in = vec![false; root.nodes.len()];
    match root.scenes.get(root.scene.map_or(0, |scene| scene.0)) {
        Some(scene) => scene.nodes.iter().for_each(|node| is_in[node.0] = true),
        None => is_in.fill(true),
    }
    for &node in &tree.order {
        is_in[node] |= tree.parents[node].is_some_and(|parent| is_in[parent]);
    }
    tree.order.iter().copied().filter(|&node| is_in[node]).collect()
}

/// The bones of a skin, in its order.
fn skin_bones(
    buffers: &mut Buffers<'_>,
    root: &Root<'_>,
    skin: usize,
    joint_of: &[Option<JointId>],
    places: &NodePlaces,
) -> Result<Vec<NodeBones>, ReadError> {
    let skin_of = &root.skins[skin];
    let matrices = match skin_of.inverse_bind_matrices {
        Some(accessor) => {
            check_shape(root, accessor.0, &[Shape::MAT4], "bind matrices")?;
            buffers.decode(accessor.0)?
        }
        None => Vec::new(),
    };
    if skin_of.inverse_bind_matrices.is_some() && matrices.len() < 16 * skin_of.joints.len() {
        let message = format!("skin {skin} has fewer bind matrices than joints");
        return Err(ReadError::new(ErrorKind::AccessorRange, message));
    }
    let bone = |(index, node): (usize, &Whole)| {
        let (linear, place) = places.to_joint(node.0, node.0);
        let (bind, bind_place) = matrices.get(16 * index..16 * index + 16).map_or((Mat3::IDENTITY, Vec3::ZERO), |m| {
            let column = |i: usize| Vec3::new(m[4 * i], m[4 * i + 1], m[4 * i + 2]);
            (Mat3::from_cols(column(0), column(1), column(2)), column(3))
        });
        let joint = joint_of[node.0].ok_or_else(|| {
            ReadError::new(ErrorKind::NoSkeleton, format!("joint {index} of skin {skin} is not in the skeleton"))
        })?;
        let bone = NodeBones { joint, linear: linear * bind, place: place + linear * bind_place };
        if !(bone.linear.is_finite() && bone.place.is_finite()) {
            let message = format!("the bind matrix of joint {index} of skin {skin} is not finite");
            return Err(ReadError::new(ErrorKind::Nonfinite, message));
        }
        Ok(bone)
    };
    skin_of.joints.iter().enumerate().map(bone).collect()
}

/// The bone of a mesh without a skin: the nearest joint at or above its node.
fn node_bone(node: usize, tree: &Tree, joint_of: &[Option<JointId>], places: &NodePlaces) -> Option<NodeBones> {
    let mut above = Some(node);
    while let Some(at) = above {
        if let Some(joint) = joint_of[at] {
            let (linear, place) = places.to_joint(node, at);
            return (linear.is_finite() && place.is_finite()).then_some(NodeBones { joint, linear, place });
        }
        above = tree.parents[at];
    }
    None
}

fn check_shape(root: &Root<'_>, accessor: usize, shapes: &[Shape], what: &str) -> Result<(), ReadError> {
    if accessor >= root.accessors.len() {
        let n = root.accessors.len();
        return Err(ReadError::new(ErrorKind::Index, format!("the accessor of {what} is not among the {n} there are")));
    }
    let (_, shape) = layout(root, accessor)?;
    if shapes.contains(&shape) {
        return Ok(());
    }
    Err(type_error(format!("accessor {accessor} cannot be {what}: its type is `{}`", root.accessors[accessor].shape)))
}

/// What is read on the way through the meshes.
struct MeshReader<'a> {
    /// Reads a file beside the character's.
    load: &'a mut dyn FnMut(&str) -> Result<Vec<u8>, ReadError>,
    root: &'a Root<'a>,
    looks: &'a Looks<'a>,
    buffers: Buffers<'a>,
    /// Accessors that were decoded, primitives may share them.
    numbers: HashMap<usize, Rc<Vec<f64>>>,
    /// Images of the file that were taken: their index in the mesh, or nothing where no browser shows them.
    images: HashMap<usize, Option<usize>>,
    n_image_bytes: usize,
    n_corners: usize,
    mesh: CharacterMesh,
}

impl MeshReader<'_> {
    /// Adds the triangles of a primitive; points and lines are left out.
    fn add(
        &mut self,
        primitive: &Primitive,
        (first_bone, n_bones): (u32, u32),
        is_skinned: bool,
    ) -> Result<(), ReadError> {
        let Some(&positions) = primitive.attributes.get("POSITION") else { return Ok(()) };
        if primitive.mode.map_or(TRIANGLES, |mode| mode.0) != TRIANGLES {
            return Ok(());
        }
        let positions = self.attribute(positions, &[Shape::VEC3], "positions")?;
        let n_vertices = positions.len() / 3;
        let corners = self.corners(primitive, n_vertices)?;
        self.n_corners += corners.len();
        if self.n_corners > MOST_CORNERS {
            let message =
                format!("the meshes have more than {} triangles, too many to be drawn in a page", MOST_CORNERS / 3);
            return Err(ReadError::new(ErrorKind::Limit, message));
        }
        // Only the vertices of its triangles, in the order of their first use.
        let mut new_of = vec![u32::MAX; n_vertices];
        let mut kept: Vec<usize> = Vec::new();
        let mut part = MeshPart::default();
        for &corner in &corners {
            let new = &mut new_of[corner];
            if *new == u32::MAX {
                *new = kept.len() as u32;
                kept.push(corner);
            }
            part.corners.push(*new);
        }
        // What a mirror turned inside out is turned back (glTF 2.0, section 3.7.4).
        if self.mesh.bones[first_bone as usize].to_joint.0.determinant() < 0.0 {
            part.corners.chunks_exact_mut(3).for_each(|corner| corner.swap(1, 2));
        }
        let material = primitive.material.and_then(|material| self.looks.materials.get(material.0));
        let texture = material.and_then(|material| material.pbr_metallic_roughness.base_color_texture.as_ref());
        part.material = self.material(material)?;
        part.positions = gather(&positions, &kept);
        if let Some(&accessor) = primitive.attributes.get("NORMAL") {
            let normals = self.attribute_of(accessor, &[Shape::VEC3], n_vertices, "normals")?;
            part.normals = gather(&normals, &kept);
        } else {
            part.normals = own_normals(&part.positions, &part.corners);
        }
        if let (Some(_), Some(texture)) = (part.material.image, texture) {
            let transform = texture.extensions.transform.as_ref();
            let set = transform.and_then(|transform| transform.tex_coord).unwrap_or(texture.tex_coord).0;
            match primitive.attributes.get(&format!("TEXCOORD_{set}")) {
                Some(&accessor) => {
                    let places = self.attribute_of(accessor, &[Shape::VEC2], n_vertices, "places on a texture")?;
                    let place = |place: [f32; 2]| transform.map_or(place, |transform| transform.place(place));
                    part.image_places = gather::<2>(&places, &kept).into_iter().map(place).collect();
                }
                None => part.material.image = None,
            }
        }
        if let Some(&accessor) = primitive.attributes.get("COLOR_0") {
            let colours = self.attribute_of(accessor, &[Shape::VEC3, Shape::VEC4], n_vertices, "colours")?;
            let width = colours.len() / n_vertices.max(1);
            part.colours = kept.iter().map(|&at| [0, 1, 2].map(|i| colours[at * width + i] as f32)).collect();
        }
        part.shares = match is_skinned {
            true => self.shares(primitive, n_vertices, &kept, (first_bone, n_bones))?,
            false => vec![one_bone(first_bone); kept.len()],
        };
        let is_finite = |list: &[[f32; 3]]| list.iter().flatten().all(|value| value.is_finite());
        let is_placed = part.image_places.iter().flatten().all(|value| value.is_finite());
        if !(is_finite(&part.positions) && is_finite(&part.normals) && is_finite(&part.colours) && is_placed) {
            return Err(ReadError::new(ErrorKind::Nonfinite, "a mesh has a number that is not finite"));
        }
        if !part.corners.is_empty() {
            self.mesh.parts.push(part);
        }
        Ok(())
    }

    fn attribute(&mut self, accessor: Whole, shapes: &[Shape], what: &str) -> Result<Rc<Vec<f64>>, ReadError> {
        check_shape(self.root, accessor.0, shapes, what)?;
        if let Some(known) = self.numbers.get(&accessor.0) {
            return Ok(known.clone());
        }
        let made = Rc::new(self.buffers.decode(accessor.0)?);
        self.numbers.insert(accessor.0, made.clone());
        Ok(made)
    }

    /// An attribute that has an element for each vertex.
    fn attribute_of(
        &mut self,
        accessor: Whole,
        shapes: &[Shape],
        n_vertices: usize,
        what: &str,
    ) -> Result<Rc<Vec<f64>>, ReadError> {
        let numbers = self.attribute(accessor, shapes, what)?;
        let n = self.root.accessors[accessor.0].count.0;
        if n < n_vertices {
            let message = format!("a mesh has {n} {what} for {n_vertices} vertices");
            return Err(ReadError::new(ErrorKind::AccessorRange, message));
        }
        Ok(numbers)
    }

    /// Three for each triangle, each of them checked.
    fn corners(&mut self, primitive: &Primitive, n_vertices: usize) -> Result<Vec<usize>, ReadError> {
        let mut corners: Vec<usize> = match primitive.indices {
            Some(accessor) => {
                let indices = self.attribute(accessor, &[Shape::SCALAR], "corners")?;
                indices.iter().map(|&index| index as usize).collect()
            }
            None => (0..n_vertices).collect(),
        };
        corners.truncate(corners.len() / 3 * 3);
        match corners.iter().find(|&&corner| corner >= n_vertices) {
            Some(corner) => {
                let message = format!("a triangle has the vertex {corner}, and its mesh only {n_vertices}");
                Err(ReadError::new(ErrorKind::Index, message))
            }
            None => Ok(corners),
        }
    }

    /// Up to four joints of each vertex; of those with more the rest is left out.
    fn shares(
        &mut self,
        primitive: &Primitive,
        n_vertices: usize,
        kept: &[usize],
        (first_bone, n_bones): (u32, u32),
    ) -> Result<Vec<[(u32, f32); N_BONES]>, ReadError> {
        let both = primitive.attributes.get("JOINTS_0").zip(primitive.attributes.get("WEIGHTS_0"));
        let Some((&joints, &weights)) = both else { return Ok(vec![one_bone(first_bone); kept.len()]) };
        let joints = self.attribute_of(joints, &[Shape::VEC4], n_vertices, "joints")?;
        let weights = self.attribute_of(weights, &[Shape::VEC4], n_vertices, "weights")?;
        let share_of = |&at: &usize| {
            let mut shares = [(first_bone, 0.0f32); N_BONES];
            for (i, share) in shares.iter_mut().enumerate() {
                let (bone, weight) = (joints[4 * at + i], weights[4 * at + i]);
                if weight > 0.0 && bone >= f64::from(n_bones) {
                    let message = format!("a vertex hangs on joint {bone} of a skin of {n_bones}");
                    return Err(ReadError::new(ErrorKind::Index, message));
                }
                if weight > 0.0 && weight.is_finite() {
                    *share = (first_bone + bone as u32, weight as f32);
                }
            }
            let sum: f32 = shares.iter().map(|(_, weight)| weight).sum();
            if sum <= 0.0 {
                return Ok(one_bone(first_bone));
            }
            Ok(shares.map(|(bone, weight)| (bone, weight / sum)))
        };
        kept.iter().map(share_of).collect()
    }

    fn material(&mut self, material: Option<&Material>) -> Result<MeshMaterial, ReadError> {
        let Some(material) = material else { return Ok(MeshMaterial::default()) };
        let base = &material.pbr_metallic_roughness;
        let texture = base.base_color_texture.as_ref().and_then(|used| self.looks.textures.get(used.index.0));
        let source = texture.and_then(|texture| {
            texture.extensions.webp.as_ref().map(|webp| webp.source).or(texture.source).map(|source| source.0)
        });
        let colour = base.base_color_factor.unwrap_or([1.0; 4]);
        Ok(MeshMaterial {
            colour: if colour.iter().all(|part| part.is_finite()) { colour } else { [1.0; 4] },
            image: source.map(|source| self.image(source)).transpose()?.flatten(),
            is_two_sided: material.double_sided,
            opacity: match material.alpha_mode.as_deref() {
                Some("MASK") => Opacity::Cut(material.alpha_cutoff.filter(|cut| cut.is_finite()).unwrap_or(0.5)),
                Some("BLEND") => Opacity::Blend,
                _ => Opacity::Solid,
            },
        })
    }

    /// Takes an image along, once; `None` where no browser shows its kind, or it lies outside of the file and is not there.
    fn image(&mut self, source: usize) -> Result<Option<usize>, ReadError> {
        if let Some(known) = self.images.get(&source) {
            return Ok(*known);
        }
        let bytes = match self.looks.images.get(source) {
            Some(Image { buffer_view: Some(view), .. }) if view.0 < self.root.buffer_views.len() => {
                Some(self.buffers.view(view.0).to_vec())
            }
            Some(Image { uri: Some(uri), .. }) => match uri::resolve(uri)? {
                Source::Bytes(bytes) => Some(bytes),
                // A lost texture costs the colours, not the character.
                Source::Relative(path) => (self.load)(&path).ok(),
            },
            _ => None,
        };
        let found = bytes.and_then(|bytes| kind_of(&bytes).map(|kind| MeshImage { kind, bytes }));
        let index = match found {
            Some(image) => {
                self.n_image_bytes += image.bytes.len();
                if self.n_image_bytes > MOST_IMAGE_BYTES {
                    let message =
                        format!("the textures have more than {} MB, too many for a page", MOST_IMAGE_BYTES / 1_000_000);
                    return Err(ReadError::new(ErrorKind::Limit, message));
                }
                self.mesh.images.push(image);
                Some(self.mesh.images.len() - 1)
            }
            None => None,
        };
        self.images.insert(source, index);
        Ok(index)
    }
}

fn one_bone(bone: u32) -> [(u32, f32); N_BONES] {
    let mut shares = [(bone, 0.0); N_BONES];
    shares[0].1 = 1.0;
    shares
}

/// The elements of some vertices.
fn gather<const N: usize>(numbers: &[f64], kept: &[usize]) -> Vec<[f32; N]> {
    kept.iter().map(|&at| std::array::from_fn(|i| numbers[N * at + i] as f32)).collect()
}

/// Normals where a file has none: of the triangles around each vertex, larger ones more.
fn own_normals(positions: &[[f32; 3]], corners: &[u32]) -> Vec<[f32; 3]> {
    let mut sums = vec![Vec3::ZERO; positions.len()];
    for corner in corners.chunks_exact(3) {
        let [a, b, c] = [corner[0], corner[1], corner[2]].map(|at| at as usize);
        let place = |at: usize| Vec3::from_array(positions[at].map(f64::from));
        let normal = (place(b) - place(a)).cross(place(c) - place(a));
        [a, b, c].into_iter().for_each(|at| sums[at] += normal);
    }
    sums.into_iter().map(|sum| sum.normalize_or(Vec3::Y).to_array().map(|part| part as f32)).collect()
}

/// What browsers show, by the first bytes.
fn kind_of(bytes: &[u8]) -> Option<&'static str> {
    match bytes {
        [0x89, b'P', b'N', b'G', ..] => Some("image/png"),
        [0xff, 0xd8, 0xff, ..] => Some("image/jpeg"),
        [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', ..] => Some("image/webp"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gltf::{GltfOptions, read_gltf};
    use base64::Engine;
    use base64::engine::general_purpose::STANDARD;
    use surefoot_geom::Transform;
    use surefoot_motion::WorldPose;

    /// A file of nodes, meshes and whatever else, and of one buffer of numbers: floats, then bytes.
    fn file(rest: &str, floats: &[f32], bytes: &[u8]) -> Vec<u8> {
        let mut buffer: Vec<u8> = floats.iter().flat_map(|value| value.to_le_bytes()).collect();
        buffer.extend(bytes);
        let (n, data) = (buffer.len(), STANDARD.encode(&buffer));
        format!(
            r#"{{"asset":{{"version":"2.0"}},"buffers":[{{"byteLength":{n},"uri":"data:;base64,{data}"}}],{rest}}}"#
        )
        .into_bytes()
    }

    fn mesh_of(bytes: &[u8]) -> Result<(CharacterMesh, Vec<Transform>), ReadError> {
        let nothing = |_: &str| Err(ReadError::new(ErrorKind::Io, "nothing is beside it"));
        let document = read_gltf(bytes, &mut { nothing }, &GltfOptions::default())?.document;
        let rest = WorldPose::new(&document.skeleton, &document.skeleton.rest_pose());
        let mesh = read(bytes, &mut { nothing }, &document.skeleton, 1.0, Quat::IDENTITY)?;
        Ok((mesh, rest.world().to_vec()))
    }

    /// Where the vertices of a part are while the joints are in these places.
    fn skinned(mesh: &CharacterMesh, part: usize, world: &[Transform]) -> Vec<Vec3> {
        let part = &mesh.parts[part];
        let place = |(vertex, shares): (&[f32; 3], &[(u32, f32); N_BONES])| {
            let vertex = Vec3::from_array(vertex.map(f64::from));
            let moved = |&(bone, share): &(u32, f32)| {
                let Bone { joint, to_joint: (linear, place) } = mesh.bones[bone as usize];
                world[joint.index()].transform_point(linear * vertex + place) * f64::from(share)
            };
            shares.iter().map(moved).sum()
        };
        part.positions.iter().zip(&part.shares).map(place).collect()
    }

    const TRIANGLE: [f32; 9] = [0.0, 0.0, 0.0, 100.0, 0.0, 0.0, 0.0, 100.0, 0.0];

    /// Centimetres under a node that scales by 0.01 and lies on its side, two joints, their bind matrices, and a triangle of which a
    /// corner hangs on each and one on both.
    fn skinned_file(corner_joint: u8) -> Vec<u8> {
        let identity = |y: f32| [1., 0., 0., 0., 0., 1., 0., 0., 0., 0., 1., 0., 0., -y, 0., 1.];
        let weights = [1., 0., 0., 0., 1., 0., 0., 0., 0.5, 0.5, 0., 0.];
        let floats: Vec<f32> = TRIANGLE.into_iter().chain(identity(0.0)).chain(identity(50.0)).chain(weights).collect();
        let joints = [0, 0, 0, 0, corner_joint, 0, 0, 0, 0, 1, 0, 0];
        let rest = r#""scenes":[{"nodes":[0,3]}],"scene":0,
            "nodes":[{"name":"top","scale":[0.01,0.01,0.01],"rotation":[0.7071068,0,0,0.7071068],"children":[1]},
                     {"name":"hip","children":[2]},{"name":"knee","translation":[0,50,0]},{"name":"body","mesh":0,"skin":0}],
            "skins":[{"joints":[1,2],"inverseBindMatrices":1}],
            "meshes":[{"primitives":[{"attributes":{"POSITION":0,"JOINTS_0":2,"WEIGHTS_0":3},"material":0}]}],
            "materials":[{"pbrMetallicRoughness":{"baseColorFactor":[0.2,0.4,0.6,1]},"doubleSided":true}],
            "accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3"},
                         {"bufferView":1,"componentType":5126,"count":2,"type":"MAT4"},
                         {"bufferView":3,"componentType":5121,"count":3,"type":"VEC4"},
                         {"bufferView":2,"componentType":5126,"count":3,"type":"VEC4"}],
            "bufferViews":[{"buffer":0,"byteOffset":0,"byteLength":36},{"buffer":0,"byteOffset":36,"byteLength":128},
                           {"buffer":0,"byteOffset":164,"byteLength":48},{"buffer":0,"byteOffset":212,"byteLength":12}]"#;
        file(rest, &floats, &joints)
    }

    #[test]
    fn a_skinned_triangle_is_where_the_file_has_it_and_follows_its_joints() {
        let (mesh, rest) = mesh_of(&skinned_file(1)).expect("a character");
        assert_eq!(mesh.parts[0].material.colour, [0.2, 0.4, 0.6, 1.0]);
        assert!(mesh.parts[0].material.is_two_sided);
        // At rest: a hundredth as large, lying on its side.
        let expected = [Vec3::ZERO, Vec3::X, Vec3::Z];
        for (found, expected) in skinned(&mesh, 0, &rest).iter().zip(expected) {
            assert!(found.distance(expected) < 1e-6, "{found} for {expected}");
        }
        let mut moved = rest.clone();
        moved[1].translation += Vec3::new(0.0, 0.3, 0.0);
        let found = skinned(&mesh, 0, &moved);
        assert!(found[0].distance(Vec3::ZERO) < 1e-6);
        assert!(found[1].distance(Vec3::new(1.0, 0.3, 0.0)) < 1e-6, "{}", found[1]);
        assert!(found[2].distance(Vec3::new(0.0, 0.15, 1.0)) < 1e-6, "{}", found[2]);
    }

    #[test]
    fn a_mesh_without_a_skin_hangs_on_the_joint_above_it_and_on_none_is_left_out() {
        let rest = r#""scenes":[{"nodes":[0,2]}],"scene":0,
            "nodes":[{"name":"head","translation":[0,1.6,0],"children":[1]},
                     {"name":"hat","translation":[0,0.2,0],"scale":[-0.01,0.01,0.01],"mesh":0},{"name":"room","mesh":0},
                     {"name":"joint"}],
            "skins":[{"joints":[0]}],
            "meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}],
            "accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3"}],
            "bufferViews":[{"buffer":0,"byteLength":36}]"#;
        let (mesh, world) = mesh_of(&file(rest, &TRIANGLE, &[])).expect("a character");
        assert_eq!(mesh.parts.len(), 1, "the room stays where it is");
        let expected = [Vec3::new(0.0, 1.8, 0.0), Vec3::new(-1.0, 1.8, 0.0), Vec3::new(0.0, 2.8, 0.0)];
        for (found, expected) in skinned(&mesh, 0, &world).iter().zip(expected) {
            assert!(found.distance(expected) < 1e-6, "{found} for {expected}");
        }
        assert_eq!(mesh.parts[0].corners, [0, 2, 1], "a mirrored one is turned back");
    }

    #[test]
    fn what_points_nowhere_is_refused() {
        let kind = |bytes: &[u8]| mesh_of(bytes).map(drop).map_err(|error| error.kind);
        assert_eq!(kind(&skinned_file(1)), Ok(()));
        assert_eq!(kind(&skinned_file(7)), Err(ErrorKind::Index));
        let text = String::from_utf8(skinned_file(1)).expect("text");
        for (from, to, expected) in [
            (r#""POSITION":0"#, r#""POSITION":9"#, ErrorKind::Index),
            (r#""POSITION":0"#, r#""POSITION":3"#, ErrorKind::AccessorType),
            (
                r#""componentType":5126,"count":2,"type":"MAT4""#,
                r#""componentType":5126,"count":1,"type":"MAT4""#,
                ErrorKind::AccessorRange,
            ),
        ] {
            assert_eq!(kind(text.replace(from, to).as_bytes()), Err(expected), "{to}");
        }
    }
}
