//! A motion put onto a character: its file comes back with every byte that it had, and one named animation more.
//!
//! 1. The joints of the clip are found among the file's nodes, by order or by name; a root that the file does not have becomes
//!    a new node.
//! 2. [`super::character_tracks`] says how the nodes have to move.
//! 3. The numbers are appended behind those of the file; views, accessors and the animation are appended to the arrays of its
//!    JSON, and an animation of the same name is replaced where it is. Nothing else of the JSON changes.
//! 4. The output refers to the file's bytes on the disk, which are copied when it is written.
//!
//! Numbers of a replaced animation stay in the file, unless we wrote them and nothing came after: then they are cut off, so
//! that trying ten times does not leave ten animations' worth of bytes.
//!
//! A text file (`.gltf`) may refer to buffers and images beside it. In the same folder they stay where they are; in another
//! folder, and in a binary file, they are put inside.

use super::accessors::Buffers;
use super::animation::write_animation;
use super::character::GltfCharacter;
use super::character_tracks::{CharacterTracks, Mapping, NewRoot, character_tracks};
use super::choose_joints::{Choice, choose_joints};
use super::container::{begin_binary, bin_header};
use super::edit_json::{JsonEdit, elements};
use super::extras::Extras;
use super::numbers::{Numbers, Start};
use super::read::rest_transforms;
use super::schema::{self, Root};
use super::skin_notes::skin_notes;
use super::soles::Soles;
use super::split_matrices::split_matrices;
use super::tree::{NodeTransform, Tree, node_name};
use super::uri;
use super::write::{FLOAT, check};
use super::{Container, GltfWriteError};
use crate::own::Playback;
use crate::{Content, ErrorKind, ReadError};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::value::RawValue;
use serde_json::{Map, Value, json};
use std::collections::HashMap;
use std::path::Path;
use surefoot_contact::Contacts;
use surefoot_geom::{Axis, Mat3, Mat4, Quat, Vec3, rotation};
use surefoot_motion::{BodyMap, Clip, JointId, Skeleton, change_basis, scale_lengths};

/// Joints that are farther from the clip than this are worth a note, in metres.
const NOTEWORTHY: f64 = 1e-4;

/// How to add an animation.
#[derive(Clone, Debug)]
pub struct AddOptions<'a> {
    /// The animation's name. One of that name in the file is replaced.
    pub name: &'a str,
    /// Metres in one unit of the file, as it was imported.
    pub to_metre: f64,
    /// The axis that points up in the file's rest pose, as it was imported.
    pub up: Axis,
    /// Text or binary.
    pub container: Container,
    /// The folder that the output goes to; `None` if it goes nowhere that can refer to other files.
    pub folder: Option<&'a Path>,
    /// How an engine is to play it.
    pub playback: Playback,
}

/// A file with an animation more.
#[derive(Clone, Debug)]
pub struct AddedAnimation {
    /// The file.
    pub content: Content,
    /// What a user should know, in sentences.
    pub notes: Vec<String>,
}

/// Why an animation cannot be added.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum AddAnimationError {
    /// The character's file is broken, or changed since it was read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The clip cannot be a glTF.
    #[error(transparent)]
    Write(#[from] GltfWriteError),
    /// The clip is of another skeleton.
    #[error("the motion has a joint `{joint}`, and the character's file no node for it alone")]
    Joint {
        /// The joint that is missing or there twice.
        joint: String,
    },
    /// There is nothing to add.
    #[error("the motion has no frames")]
    Empty,
    /// The file would be too large.
    #[error("{0}")]
    TooLarge(String),
}

/// Adds an animation to a character. The clip's joints are those of the character as imported; a body and contacts are noted in
/// the animation's extras.
pub fn add_animation(
    character: &GltfCharacter,
    clip: &Clip,
    (body, contacts): (Option<&BodyMap>, Option<&Contacts>),
    options: &AddOptions<'_>,
) -> Result<AddedAnimation, AddAnimationError> {
    check(clip, contacts)?;
    if clip.n_frames() == 0 {
        return Err(AddAnimationError::Empty);
    }
    let in_file = |error: ReadError| error.in_file(&character.path);
    let root = schema::parse(character.json.as_bytes()).map_err(in_file)?;
    schema::check_indices(&root).map_err(in_file)?;
    let tree = Tree::new(&root.nodes).map_err(in_file)?;
    let choice = choose_joints(&root, &tree);
    let mut rests = rest_transforms(&root, &choice, &mut Vec::new()).map_err(in_file)?;
    let mapping = find_nodes(&root, &tree, &choice, &clip.skeleton)?;
    let split = split_matrices(&root, &mapping, &mut rests);
    let own = to_file_space(clip, options);
    let mut tracks = character_tracks(&own, &mapping, &tree, &choice, &rests, &moved_nodes(&root));
    let mut notes = skin_notes(character, &root, &tree);
    notes.extend(track_notes(clip, &tracks, options.to_metre));

    let soles = body.map(|body| Soles::new(&clip.skeleton, body));
    let extras = Extras::new(clip.frame_rate, &options.playback, contacts, soles);
    let mut file = FileEdit::new(character, &root, options).map_err(in_file)?;
    let replaced = file.animation_named(options.name)?;
    file.cut_off_replaced(replaced.as_ref().map(|(index, _)| *index));
    file.begin_numbers()?;
    file.settle_other_files()?;
    split.write(&mut file.json, &rests)?;
    notes.extend(split.note());
    if let Some(new) = &mapping.new_root {
        file.add_root(new, clip.skeleton.name(JointId::new(0)), &tree, &rests)?;
        notes.push(format!(
            "the character has no joint above `{}`; `{}` was added as its parent",
            node_name(&root, new.child),
            clip.skeleton.name(JointId::new(0))
        ));
    }
    let frames = (clip.n_frames(), clip.frame_rate);
    let animation = write_animation(&mut file.numbers, &mut tracks.tracks, frames, options.name, &extras);
    match replaced {
        Some((_, old)) => {
            notes.push(format!("the character's animation `{}` was replaced in the new file", options.name));
            file.json.replace(old, animation.to_string());
        }
        None => file.json.append("animations", [animation]),
    }
    let content = file.finish()?;
    Ok(AddedAnimation { content, notes })
}

/// Finds the node of each joint: in the order of the file's joints if all names agree, else by names that are there once.
pub(super) fn find_nodes(
    root: &Root<'_>,
    tree: &Tree,
    choice: &Choice,
    skeleton: &Skeleton,
) -> Result<Mapping, AddAnimationError> {
    let names: Vec<String> = choice.joints.iter().map(|&node| node_name(root, node)).collect();
    let joints = skeleton.joints();
    let agrees = |joints: &[surefoot_motion::Joint]| {
        joints.len() == names.len() && joints.iter().zip(&names).all(|(joint, name)| joint.name == *name)
    };
    if agrees(joints) {
        return Ok(Mapping { nodes: choice.joints.clone(), new_root: None });
    }
    let mut by_name: HashMap<&str, Option<usize>> = HashMap::new();
    for (name, &node) in names.iter().zip(&choice.joints) {
        by_name.entry(name).and_modify(|found| *found = None).or_insert(Some(node));
    }
    let rest_agrees = joints.first().is_some_and(|first| first.parent.is_none()) && agrees(&joints[1..]);
    let mut new_root = None;
    let mut nodes = Vec::with_capacity(joints.len());
    for (index, joint) in joints.iter().enumerate() {
        let missing = || AddAnimationError::Joint { joint: joint.name.clone() };
        let found = match rest_agrees {
            true => index.checked_sub(1).map(|index| choice.joints[index]),
            false => by_name.get(joint.name.as_str()).copied().flatten(),
        };
        if let Some(node) = found {
            nodes.push(node);
            continue;
        }
        // A root of ours, first of all, with a joint of the file below it.
        let below = joints.iter().position(|other| other.parent == Some(JointId::new(index)));
        let (0, None, Some(below)) = (index, joint.parent, below) else { return Err(missing()) };
        let child = match rest_agrees {
            true => Some(choice.joints[below - 1]),
            false => by_name.get(joints[below].name.as_str()).copied().flatten(),
        };
        let child = child.ok_or_else(missing)?;
        let node = root.nodes.len();
        new_root = Some(NewRoot { node, parent: tree.parents[child], child });
        nodes.push(node);
    }
    Ok(Mapping { nodes, new_root })
}

/// Nodes whose translation an animation of the file animates.
fn moved_nodes(root: &Root<'_>) -> Vec<bool> {
    let mut moved = vec![false; root.nodes.len()];
    for target in root.animations.iter().flat_map(|animation| &animation.channels).map(|channel| &channel.target) {
        if let (Some(node), "translation") = (target.node, &*target.path) {
            moved[node.0] = true;
        }
    }
    moved
}

/// The clip in the file's unit and axes: the import undone.
fn to_file_space(clip: &Clip, options: &AddOptions<'_>) -> Clip {
    let mut poses = clip.poses().clone();
    let mut skeleton = (*clip.skeleton).clone();
    if options.up != Axis::Y {
        let basis = rotation::between_directions(Vec3::Y, options.up.to_vec3());
        skeleton = change_basis(&skeleton, &mut poses, basis);
    }
    if options.to_metre != 1.0 {
        skeleton = scale_lengths(&skeleton, &mut poses, 1.0 / options.to_metre);
    }
    Clip::new(clip.name.clone(), skeleton.into(), clip.frame_rate, poses)
}

fn track_notes(clip: &Clip, tracks: &CharacterTracks, to_metre: f64) -> Option<String> {
    let (off, joint) = tracks.farthest;
    let off = off * to_metre;
    (off > NOTEWORTHY).then(|| {
        format!(
            "nodes of the character scale unevenly, and `{}` is up to {:.1} mm from where the motion has it",
            clip.skeleton.name(joint),
            off * 1000.0
        )
    })
}

/// A character's file under edit.
struct FileEdit<'a> {
    character: &'a GltfCharacter,
    root: &'a Root<'a>,
    options: &'a AddOptions<'a>,
    json: JsonEdit<'a>,
    numbers: Numbers,
    /// Bytes of the file that go in front of the new ones, for files whose bytes are not in one chunk on the disk.
    front: Vec<u8>,
    /// How much of the chunk on the disk is kept.
    n_kept: usize,
    /// The buffer that grows.
    buffer: Target,
    kept_views: usize,
    kept_accessors: usize,
}

/// Where new numbers go.
#[derive(Clone, Copy, PartialEq)]
enum Target {
    /// The chunk of a GLB, behind what is there.
    Chunk,
    /// A buffer of our own with its bytes inside the JSON.
    Inside(usize),
}

impl<'a> FileEdit<'a> {
    fn new(
        character: &'a GltfCharacter,
        root: &'a Root<'a>,
        options: &'a AddOptions<'a>,
    ) -> Result<FileEdit<'a>, ReadError> {
        let n_kept = character.bin.as_ref().map_or(0, super::character::FilePart::n_bytes);
        Ok(FileEdit {
            character,
            root,
            options,
            json: JsonEdit::new(&character.json)?,
            numbers: Numbers::default(),
            front: Vec::new(),
            n_kept,
            buffer: Target::Chunk,
            kept_views: root.buffer_views.len(),
            kept_accessors: root.accessors.len(),
        })
    }

    /// The first animation of a name.
    fn animation_named(&self, name: &str) -> Result<Option<(usize, &'a RawValue)>, ReadError> {
        let index = self.root.animations.iter().position(|animation| animation.name.as_deref() == Some(name));
        let elements = self.json.elements("animations")?;
        Ok(index.and_then(|index| Some((index, *elements.get(index)?))))
    }

    /// Decides how much of the numbers is kept: all, or all but those of a replaced animation of ours at the end.
    fn cut_off_replaced(&mut self, replaced: Option<usize>) {
        let Some(animation) = replaced.map(|index| &self.root.animations[index]) else { return };
        let is_ours = super::extras::read_notes(animation.extras).is_some();
        let is_chunk = self.character.bin.is_some() && self.options.container == Container::Glb;
        if !is_ours || !is_chunk {
            return;
        }
        let own = |accessor: usize| {
            animation.samplers.iter().any(|sampler| sampler.input.0 == accessor || sampler.output.0 == accessor)
        };
        let n_accessors = (0..self.root.accessors.len()).rev().take_while(|&accessor| own(accessor)).last();
        let Some(n_accessors) = n_accessors else { return };
        let others = self.root.animations.iter().filter(|other| !std::ptr::eq(*other, animation));
        let shared = others.flat_map(|other| &other.samplers).any(|s| s.input.0.max(s.output.0) >= n_accessors);
        let views = self.root.accessors[n_accessors..].iter().filter_map(|accessor| accessor.buffer_view);
        let Some(first_view) = views.map(|view| view.0).min() else { return };
        let used_before =
            self.root.accessors[..n_accessors].iter().any(|a| a.buffer_view.is_some_and(|v| v.0 >= first_view));
        let views = &self.root.buffer_views[first_view..];
        let all_ours = (n_accessors..self.root.accessors.len()).all(own);
        let start = views.iter().map(|view| view.byte_offset.0).min().unwrap_or(0);
        let kept_views = &self.root.buffer_views[..first_view];
        let reaches = kept_views.iter().filter(|v| v.buffer.0 == 0).any(|v| v.byte_offset.0 + v.byte_length.0 > start);
        let is_last = first_view > 0
            && n_accessors > 0
            && views.iter().all(|view| view.buffer.0 == 0)
            && !reaches
            && start % 4 == 0;
        if all_ours && !shared && !used_before && is_last && !self.uses_images_or_skins_after(first_view, n_accessors) {
            (self.kept_views, self.kept_accessors) = (first_view, n_accessors);
            self.n_kept = start.min(self.n_kept);
        }
    }

    /// Whether images, skins or meshes refer to what would be cut off.
    fn uses_images_or_skins_after(&self, first_view: usize, first_accessor: usize) -> bool {
        let number = |value: &Value, key: &str| value.get(key).and_then(Value::as_u64).map(|n| n as usize);
        let text = |name: &str| self.json.member(name).and_then(|raw| serde_json::from_str::<Value>(raw.get()).ok());
        let images = text("images").unwrap_or_default();
        let in_images =
            images.as_array().into_iter().flatten().any(|image| number(image, "bufferView") >= Some(first_view));
        let meshes = text("meshes").map(|meshes| largest_number(&meshes)).unwrap_or_default();
        let skins = self.root.skins.iter().filter_map(|skin| skin.inverse_bind_matrices).any(|a| a.0 >= first_accessor);
        in_images || meshes >= first_accessor as f64 || skins
    }

    /// Where new numbers begin.
    fn begin_numbers(&mut self) -> Result<(), AddAnimationError> {
        let is_glb = self.options.container == Container::Glb;
        let first_uri = self.root.buffers.first().map(|buffer| buffer.uri.is_some());
        let has_chunk = self.character.bin.is_some() && first_uri == Some(false);
        let mut n_bytes = self.n_kept.next_multiple_of(4);
        self.buffer = match (has_chunk, first_uri, is_glb) {
            (true, _, _) => Target::Chunk,
            // A text file becomes binary: its first buffer is the chunk.
            (false, Some(true), true) => {
                let buffer = &self.root.buffers[0];
                self.front = self.character.load(buffer.uri.as_deref().unwrap_or_default())?;
                self.front.truncate(buffer.byte_length.0);
                self.front.resize(self.front.len().next_multiple_of(4), 0);
                n_bytes = self.front.len();
                Target::Chunk
            }
            (false, None, true) => {
                n_bytes = 0;
                Target::Chunk
            }
            _ => {
                n_bytes = 0;
                Target::Inside(self.root.buffers.len())
            }
        };
        let buffer = match self.buffer {
            Target::Chunk => 0,
            Target::Inside(index) => index,
        };
        let (n_views, n_accessors) = (self.kept_views, self.kept_accessors);
        self.numbers = Numbers::after(Start { buffer, byte_offset: n_bytes, n_views, n_accessors });
        Ok(())
    }

    /// Puts a new node above another one, in its place.
    fn add_root(
        &mut self,
        new: &NewRoot,
        name: &str,
        tree: &Tree,
        rests: &[NodeTransform],
    ) -> Result<(), AddAnimationError> {
        self.json.append("nodes", [json!({ "name": name, "children": [new.child] })]);
        let holders: Vec<&RawValue> = match new.parent {
            Some(parent) => {
                let node = self.json.elements("nodes")?[parent];
                self.json.member_of(node, "children")?.into_iter().collect()
            }
            None => {
                let mut lists = Vec::new();
                for scene in self.json.elements("scenes")? {
                    lists.extend(self.json.member_of(scene, "nodes")?);
                }
                lists
            }
        };
        for list in holders {
            let is_child = |element: &&&RawValue| element.get().parse() == Ok(new.child);
            if let Some(child) = elements(list)?.iter().find(is_child) {
                self.json.replace(child, new.node.to_string());
            }
        }
        let skins = self.json.elements("skins")?;
        let bind = inverse_bind(new, tree, rests);
        for (skin, raw) in self.root.skins.iter().zip(skins) {
            if !skin.joints.iter().any(|joint| joint.0 == new.child) {
                continue;
            }
            let joints: Vec<usize> = skin.joints.iter().map(|joint| joint.0).chain([new.node]).collect();
            self.json.set_member(raw, "joints", &json!(joints))?;
            if let Some(accessor) = skin.inverse_bind_matrices {
                let mut matrices = self.bind_matrices(accessor.0)?;
                matrices.truncate(16 * skin.joints.len());
                matrices.extend(bind.to_cols_array());
                let floats: Vec<f32> = matrices.iter().map(|&number| number as f32).collect();
                let view = self.numbers.begin_view();
                self.numbers.put_floats(&floats);
                self.numbers.end_view(view, None);
                let accessor = self.numbers.add_accessor(view, 0, FLOAT, floats.len() / 16, "MAT4", Map::new());
                self.json.set_member(raw, "inverseBindMatrices", &json!(accessor))?;
            }
            if skin.skeleton.is_some_and(|node| node.0 == new.child) {
                self.json.set_member(raw, "skeleton", &json!(new.node))?;
            }
        }
        Ok(())
    }

    /// The numbers of an accessor of matrices; of a GLB only the bytes of its view are read.
    fn bind_matrices(&self, accessor: usize) -> Result<Vec<f64>, ReadError> {
        let root = self.root;
        let bin = match (&self.character.bin, root.accessors[accessor].buffer_view) {
            (Some(bin), Some(view)) if root.accessors[accessor].sparse.is_none() => {
                let view = &root.buffer_views[view.0];
                // The other bytes of the chunk are never looked at.
                let mut bytes = vec![0; root.buffers[0].byte_length.0];
                let range = view.byte_offset.0..view.byte_offset.0.saturating_add(view.byte_length.0);
                if view.buffer.0 == 0 && range.end <= bytes.len() && range.end <= bin.n_bytes() {
                    bytes[range.clone()].copy_from_slice(&bin.read(range)?);
                }
                Some(bytes)
            }
            (Some(bin), _) => Some(bin.read(0..bin.n_bytes())?),
            (None, _) => None,
        };
        let folder = self.character.path.parent().unwrap_or(Path::new(""));
        let mut load = |relative: &str| uri::load_beside(folder, relative);
        Buffers::load(root, bin.as_deref(), &mut load)?.decode(accessor)
    }

    /// The complete file.
    fn finish(mut self) -> Result<Content, AddAnimationError> {
        let is_glb = self.options.container == Container::Glb;
        let buffers = self.json.elements("buffers")?;
        let padding = self.n_kept.next_multiple_of(4) - self.n_kept;
        let n_front = if self.front.is_empty() { self.n_kept + padding } else { self.front.len() };
        let new = std::mem::take(&mut self.numbers.bin);
        let mut inside = None;
        match (self.buffer, is_glb) {
            (Target::Chunk, true) => {
                let n_bytes = n_front + new.len();
                match buffers.first() {
                    Some(first) => self.json.rewrite(first, &["uri"], &[("byteLength", json!(n_bytes))])?,
                    None => self.json.append("buffers", [json!({ "byteLength": n_bytes })]),
                }
            }
            // A GLB becomes text: its chunk goes inside, with the new bytes behind it.
            (Target::Chunk, false) => {
                let mut bytes = match &self.character.bin {
                    Some(bin) => bin.read(0..self.n_kept)?,
                    None => Vec::new(),
                };
                bytes.resize(n_front, 0);
                bytes.extend(&new);
                let add =
                    [("byteLength", json!(bytes.len())), ("uri", json!(data_uri("application/octet-stream", &bytes)))];
                if let Some(first) = buffers.first() {
                    self.json.rewrite(first, &[], &add)?;
                }
            }
            (Target::Inside(_), _) => {
                let uri = data_uri("application/octet-stream", &new);
                inside = Some(json!({ "byteLength": new.len(), "uri": uri }));
            }
        }
        if self.kept_views < self.root.buffer_views.len() {
            self.shorten("bufferViews", self.kept_views)?;
            self.shorten("accessors", self.kept_accessors)?;
        }
        let (views, accessors) = (std::mem::take(&mut self.numbers.views), std::mem::take(&mut self.numbers.accessors));
        self.json.append("bufferViews", views);
        self.json.append("accessors", accessors);
        self.json.append("buffers", inside);
        let json = self.json.finish();
        if !is_glb {
            return Ok(Content::from(json.into_bytes()));
        }
        let has_chunk = self.buffer == Target::Chunk;
        let new = if has_chunk { padded(new) } else { Vec::new() };
        let n_chunk = if has_chunk { n_front + new.len() } else { self.n_kept + padding };
        let header = if n_chunk > 0 { bin_header(n_chunk as u64) } else { Vec::new() };
        let more = self.character.more.as_ref().map_or(0, |part| part.range.end - part.range.start);
        let n_more = header.len() as u64 + n_chunk as u64 + more;
        let mut content = Content::from(begin_binary(&json, n_more).map_err(AddAnimationError::TooLarge)?);
        content.push_bytes(header);
        match &self.character.bin {
            Some(bin) if self.front.is_empty() => {
                content.push_part(bin.file.clone(), bin.range.start..bin.range.start + self.n_kept as u64);
                content.push_bytes(vec![0; padding]);
            }
            _ => content.push_bytes(self.front),
        }
        content.push_bytes(new);
        if let Some(more) = &self.character.more {
            content.push_part(more.file.clone(), more.range.clone());
        }
        Ok(content)
    }

    /// Cuts elements off the end of an array.
    fn shorten(&mut self, name: &'static str, n: usize) -> Result<(), ReadError> {
        self.json.member(name).map_or(Ok(()), |array| self.json.shorten(array, n))
    }

    /// Puts buffers and images of other files inside, where the output cannot refer to them.
    fn settle_other_files(&mut self) -> Result<(), AddAnimationError> {
        let folder = self.character.path.parent().unwrap_or(Path::new(""));
        let canonical = |path: &Path| {
            let path = if path.as_os_str().is_empty() { Path::new(".") } else { path };
            path.canonicalize().ok()
        };
        let is_glb = self.options.container == Container::Glb;
        let same_folder = self.options.folder.is_some_and(|other| canonical(other) == canonical(folder));
        // A text file stays a text file beside its parts; everything else stands alone.
        let was_glb = self.character.bin.is_some();
        if same_folder && was_glb == is_glb {
            return Ok(());
        }
        for (i, raw) in self.json.elements("buffers")?.into_iter().enumerate() {
            let is_chunk = i == 0 && self.buffer == Target::Chunk;
            if let Some(uri) = self.outside_uri(raw)?.filter(|_| !is_chunk) {
                let bytes = self.character.load(&uri)?;
                self.json.set_member(raw, "uri", &json!(data_uri("application/octet-stream", &bytes)))?;
            }
        }
        for raw in self.json.elements("images")? {
            let Some(uri) = self.outside_uri(raw)? else { continue };
            let bytes = self.character.load(&uri)?;
            let kind = image_kind(&uri, &bytes);
            if is_glb {
                let view = self.numbers.begin_view();
                self.numbers.bin.extend(&bytes);
                self.numbers.end_view(view, None);
                self.json.rewrite(raw, &["uri"], &[("bufferView", json!(view)), ("mimeType", json!(kind))])?;
            } else {
                self.json.set_member(raw, "uri", &json!(data_uri(kind, &bytes)))?;
            }
        }
        Ok(())
    }

    /// The URI of a buffer or image that names another file.
    fn outside_uri(&self, object: &'a RawValue) -> Result<Option<String>, ReadError> {
        let Some(uri) = self.json.member_of(object, "uri")? else { return Ok(None) };
        let uri: String =
            serde_json::from_str(uri.get()).map_err(|_| ReadError::new(ErrorKind::Uri, "a URI that is no text"))?;
        let is_data = uri.get(..5).is_some_and(|scheme| scheme.eq_ignore_ascii_case("data:"));
        Ok((!is_data).then_some(uri))
    }
}

/// The inverse of where a new root is at rest.
fn inverse_bind(new: &NewRoot, tree: &Tree, rests: &[NodeTransform]) -> Mat4 {
    let mut to_world = Mat4::IDENTITY;
    let mut above = new.parent;
    while let Some(node) = above {
        let NodeTransform { translation, rotation, stretch } = rests[node];
        let linear = Mat3::from_quat(rotation) * stretch;
        to_world = Mat4::from_translation(translation) * Mat4::from_mat3(linear) * to_world;
        above = tree.parents[node];
    }
    let inverse = to_world.inverse();
    if inverse.is_finite() { inverse } else { Mat4::from_quat(Quat::IDENTITY) }
}

fn data_uri(kind: &str, bytes: &[u8]) -> String {
    format!("data:{kind};base64,{}", STANDARD.encode(bytes))
}

fn image_kind(uri: &str, bytes: &[u8]) -> &'static str {
    let ending = uri.rsplit('.').next().unwrap_or_default().to_ascii_lowercase();
    match bytes {
        [0x89, b'P', b'N', b'G', ..] => "image/png",
        [0xff, 0xd8, ..] => "image/jpeg",
        _ if ending == "webp" => "image/webp",
        _ if ending == "ktx2" => "image/ktx2",
        _ if ending == "jpg" || ending == "jpeg" => "image/jpeg",
        _ => "image/png",
    }
}

fn padded(mut bytes: Vec<u8>) -> Vec<u8> {
    bytes.resize(bytes.len().next_multiple_of(4), 0);
    bytes
}

/// The largest number anywhere in a value.
fn largest_number(value: &Value) -> f64 {
    match value {
        Value::Number(number) => number.as_f64().unwrap_or(f64::INFINITY),
        Value::Array(values) => values.iter().map(largest_number).fold(0.0, f64::max),
        Value::Object(values) => values.values().map(largest_number).fold(0.0, f64::max),
        _ => 0.0,
    }
}
