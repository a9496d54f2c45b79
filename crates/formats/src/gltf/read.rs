//! The reader: from bytes to a [`Document`], in steps that each check before the next relies on them.
//!
//! 1. Take off the wrapping, parse the JSON, check every index, the tree of nodes, and the types of all animations.
//! 2. Load the buffers and check every range.
//! 3. Choose the animation and the joints; decode the channels that move them.
//! 4. Find the frame rate, and sample all channels at all frames.
//!
//! Limits: 65,536 nodes; poses that take up at most 48 MiB and 32 times the size of the file; coordinates up to 1e9 m.

use super::accessors::Buffers;
use super::bake::Baker;
use super::choose_joints::{Choice, choose_joints};
use super::extras::{FoundContacts, Notes, read_notes};
use super::frame_rate::{MAX_RATE, find_rate, n_frames, tolerance_frames};
use super::motion::{Motion, check_animations};
use super::schema::{self, Root};
use super::tree::{NodeTransform, Tree, node_name, node_transform};
use super::{GltfFile, GltfOptions, container};
use crate::AnimationChoice;
use crate::{Document, ErrorKind, Format, ReadError, StoredSole, Warning};
use surefoot_geom::{Axis, Transform, Vec3};
use surefoot_motion::{EndSite, Joint, JointId, PerSide, PoseRef, Poses, Skeleton};

/// Poses may take this much whatever the size of the file: two keys make any number of frames.
const FREE_POSE_BYTES: f64 = (48 << 20) as f64;
/// Poses may take this much for each byte of the file.
const POSE_BYTES_PER_BYTE: f64 = 32.0;
/// What a pose takes beside its transforms.
const POSE_OVERHEAD: usize = 64;
/// Coordinates past this are no place that a person can be, and squares of them lose all meaning.
const FARTHEST: f64 = 1e9;

/// Reads a glTF, text or binary. `load` fetches a buffer by its path relative to the file, which has been checked to
/// stay in the file's folder.
pub fn read_gltf(
    bytes: &[u8],
    load: &mut dyn FnMut(&str) -> Result<Vec<u8>, ReadError>,
    options: &GltfOptions,
) -> Result<GltfFile, ReadError> {
    check_options(options)?;
    let parts = container::split(bytes)?;
    let root = schema::parse(parts.json)?;
    schema::check_indices(&root)?;
    let tree = Tree::new(&root.nodes)?;
    check_animations(&root)?;
    let mut n_external = 0;
    let mut counted = |uri: &str| load(uri).inspect(|bytes| n_external += bytes.len());
    let mut buffers = Buffers::load(&root, parts.bin, &mut counted)?;
    read_motion(&root, &tree, &mut buffers, options, bytes.len() + n_external)
}

/// Steps 3 and 4, on a file of `n_bytes` whose parts are sound.
fn read_motion<'a>(
    root: &'a Root<'a>,
    tree: &Tree,
    buffers: &mut Buffers<'a>,
    options: &GltfOptions,
    n_bytes: usize,
) -> Result<GltfFile, ReadError> {
    let animation = choose_animation(root, options.animation.as_ref())?;
    let choice = choose_joints(root, tree);
    if choice.joints.is_empty() {
        return Err(ReadError::new(ErrorKind::NoJoints, "the file has no node that could be a joint"));
    }
    let mut warnings = Vec::new();
    let rests = rest_transforms(root, &choice, &mut warnings)?;
    let motion = match animation {
        Some(index) => Motion::decode(root, &root.animations[index], buffers, &choice.chain)?,
        None => Motion::default(),
    };
    let baker = Baker::new(tree, &choice, &rests, &motion);
    let skeleton = build_skeleton(root, tree, &choice, &rests, &baker)?;
    let notes = animation.and_then(|index| read_notes(root.animations[index].extras));
    let frames = Frames::choose(&motion, options.frame_rate, notes.as_ref());
    let poses = frames.as_ref().map_or(Ok(Poses::default()), |frames| sample(&baker, frames, n_bytes))?;
    warn_of_motion(&motion, &baker, animation.is_some(), frames.as_ref(), &mut warnings);
    let contacts = match (&notes, &frames) {
        (Some(notes), Some(frames)) => read_contacts(notes, poses.len(), frames.rate, &mut warnings),
        _ => None,
    };
    let soles = notes.as_ref().and_then(|notes| read_soles(notes, &mut warnings));
    let document = Document {
        format: Format::Gltf,
        name: animation.and_then(|index| root.animations[index].name.clone()),
        skeleton,
        poses,
        frame_rate: frames.map(|frames| frames.rate),
        unit_to_metre: Some(1.0),
        up: Some(Axis::Y),
        n_channels: 0,
        bvh_channels: None,
        animations: (0..root.animations.len()).map(|index| animation_name(root, index)).collect(),
        contacts,
        soles,
        is_character: !root.meshes.is_empty() && root.asset.generator.as_deref() != Some(super::write::GENERATOR),
        warnings,
    };
    let (n_nodes, n_animations, n_keys) = (root.nodes.len(), root.animations.len(), motion.busiest.len());
    Ok(GltfFile { document, n_nodes, n_animations, n_keys })
}

fn check_options(options: &GltfOptions) -> Result<(), ReadError> {
    match options.frame_rate {
        Some(rate) if !(rate > 0.0 && rate <= MAX_RATE) => {
            let message = format!("a frame rate of {rate} was asked for; above 0 and up to {MAX_RATE} would do");
            Err(ReadError::new(ErrorKind::OutOfRange, message))
        }
        _ => Ok(()),
    }
}

fn animation_name(root: &Root<'_>, index: usize) -> String {
    root.animations[index].name.clone().unwrap_or_else(|| format!("animation{index}"))
}

/// The index of the animation asked for; if none is, the last that we added to a character, else the first; `None` if there
/// is none.
fn choose_animation(root: &Root<'_>, choice: Option<&AnimationChoice>) -> Result<Option<usize>, ReadError> {
    let n = root.animations.len();
    let (found, wanted) = match choice {
        None => {
            let added = (0..n).rev().find(|&index| read_notes(root.animations[index].extras).is_some());
            return Ok(added.or((n > 0).then_some(0)));
        }
        Some(AnimationChoice::Index(index)) => (Some(*index).filter(|&index| index < n), format!("number {index}")),
        Some(AnimationChoice::Name(name)) => {
            ((0..n).find(|&index| animation_name(root, index) == *name), format!("`{name}`"))
        }
    };
    found.map(Some).ok_or_else(|| {
        // A file may have thousands; the first few show how they are called.
        let names: Vec<String> =
            (0..n.min(20)).map(|index| format!("{index} `{}`", animation_name(root, index))).collect();
        let message = format!("there is no animation {wanted}; the file has {n}: {}", names.join(", "));
        ReadError::new(ErrorKind::NoAnimation, message)
    })
}

/// Transforms of all nodes at rest. Only those of the nodes that matter must be sound.
pub(super) fn rest_transforms(
    root: &Root<'_>,
    choice: &Choice,
    warnings: &mut Vec<Warning>,
) -> Result<Vec<NodeTransform>, ReadError> {
    let mut rests = vec![NodeTransform::IDENTITY; root.nodes.len()];
    let mut n_normalized = 0;
    for &node in choice.chain.iter().chain(&choice.end_sites) {
        let (transform, was_normalized) = node_transform(&root.nodes[node], node)?;
        rests[node] = transform;
        n_normalized += usize::from(was_normalized);
    }
    if n_normalized > 0 {
        warn(warnings, "quat_normalized", format!("rotations of {n_normalized} nodes were not of unit length"));
    }
    Ok(rests)
}

fn build_skeleton(
    root: &Root<'_>,
    tree: &Tree,
    choice: &Choice,
    rests: &[NodeTransform],
    baker: &Baker<'_>,
) -> Result<Skeleton, ReadError> {
    let mut joint_of = vec![None; root.nodes.len()];
    choice.joints.iter().enumerate().for_each(|(joint, &node)| joint_of[node] = Some(joint));
    let parent_of = |node: usize| tree.parents[node].and_then(|parent| joint_of[parent]);
    let sites: Vec<(usize, usize)> =
        choice.end_sites.iter().filter_map(|&node| Some((node, parent_of(node)?))).collect();
    let offsets: Vec<(usize, Vec3)> = sites.iter().map(|&(node, joint)| (joint, rests[node].translation)).collect();
    let (locals, offsets) = baker.rest(&offsets);
    check_transforms(&locals, offsets.iter().copied())?;
    let joints: Vec<Joint> = choice
        .joints
        .iter()
        .zip(locals)
        .map(|(&node, rest)| Joint { name: node_name(root, node), parent: parent_of(node).map(JointId::new), rest })
        .collect();
    let end_sites = sites.iter().zip(offsets).map(|(&(node, joint), offset)| EndSite {
        name: end_site_name(root.nodes[node].name.as_deref(), &joints[joint].name),
        parent: JointId::new(joint),
        offset,
    });
    let end_sites = end_sites.collect();
    Skeleton::new(joints, end_sites).map_err(|error| ReadError::new(ErrorKind::Cycle, error.to_string()))
}

/// The name that our writer gives to an end site without one is none.
fn end_site_name(name: Option<&str>, joint: &str) -> Option<String> {
    name.filter(|name| *name != super::write::end_site_name(joint)).map(str::to_string)
}

/// When to sample.
struct Frames {
    /// Time of the first frame.
    start: f64,
    end: f64,
    rate: f64,
    /// Whether every key lies on a frame.
    holds_keys: bool,
}

impl Frames {
    fn choose(motion: &Motion, asked: Option<f64>, notes: Option<&Notes>) -> Option<Frames> {
        let (start, end) = motion.span?;
        if let Some(rate) = asked {
            return Some(Frames { start, end, rate, holds_keys: true });
        }
        let declared = notes.map(|notes| notes.frame_rate).filter(|&rate| rate <= MAX_RATE);
        let found = find_rate(&motion.busiest, start, motion.has_splines, declared);
        Some(Frames { start, end, rate: found.rate, holds_keys: found.holds_keys })
    }
}

fn sample(baker: &Baker<'_>, frames: &Frames, n_bytes: usize) -> Result<Poses, ReadError> {
    let n = n_frames(frames.start, frames.end, frames.rate);
    let pose_bytes = (baker.n_links() * size_of::<Transform>() + POSE_OVERHEAD) as f64;
    if n * pose_bytes > FREE_POSE_BYTES + POSE_BYTES_PER_BYTE * n_bytes as f64 {
        let seconds = frames.end - frames.start;
        let message =
            format!("{seconds} s at {} frames a second are far more frames than the file has keys", frames.rate);
        return Err(ReadError::new(ErrorKind::Limit, message));
    }
    let mut poses = Poses::default();
    for frame in 0..n as usize {
        let time = frames.start + frame as f64 / frames.rate;
        let local = baker.pose(time, tolerance_frames(time, frames.rate) / frames.rate);
        check_transforms(&local, std::iter::empty())?;
        poses.push(PoseRef { local: &local });
    }
    Ok(poses)
}

fn check_transforms(transforms: &[Transform], points: impl Iterator<Item = Vec3>) -> Result<(), ReadError> {
    if transforms.iter().any(|transform| !transform.rotation.is_finite()) {
        return Err(ReadError::new(ErrorKind::Nonfinite, "the nodes' rotations multiply to no rotation"));
    }
    for point in transforms.iter().map(|transform| transform.translation).chain(points) {
        // Written so that NaN fails too.
        if !(point.abs().max_element() <= FARTHEST && point.is_finite()) {
            let message = format!("a joint would be at {point}, farther than {FARTHEST:e} m");
            return Err(ReadError::new(ErrorKind::OutOfRange, message));
        }
    }
    Ok(())
}

fn warn(warnings: &mut Vec<Warning>, code: &'static str, message: String) {
    warnings.push(Warning { code, line: None, message });
}

fn warn_of_motion(
    motion: &Motion,
    baker: &Baker<'_>,
    has_animation: bool,
    frames: Option<&Frames>,
    warnings: &mut Vec<Warning>,
) {
    if motion.n_normalized > 0 {
        let message =
            format!("rotations in {} accessors were not of unit length, and were made so", motion.n_normalized);
        warn(warnings, "quat_normalized", message);
    }
    if motion.n_repeated > 0 {
        let message = format!("{} channels drive what an earlier one drives; the first was taken", motion.n_repeated);
        warn(warnings, "channel_repeated", message);
    }
    let n_distorted = baker.n_distorted();
    if n_distorted > 0 {
        let message = format!(
            "{n_distorted} nodes scale unevenly, or change their scale: joints are where they should be, \
             but what hangs on them keeps its shape"
        );
        warn(warnings, "scale_ignored", message);
    }
    match frames {
        Some(frames) if !frames.holds_keys => {
            let message = format!("the keys lie on no usual frame rate; the motion was sampled at {}", frames.rate);
            warn(warnings, "keys_resampled", message);
        }
        None if has_animation => warn(warnings, "no_motion", "the animation moves no joint".into()),
        _ => {}
    }
}

fn read_soles(notes: &Notes, warnings: &mut Vec<Warning>) -> Option<PerSide<StoredSole>> {
    let found = notes.soles()?;
    if let Err(why) = &found {
        warn(warnings, "soles_ignored", format!("the file's soles were left out: {why}"));
    }
    found.ok()
}

fn read_contacts(
    notes: &Notes,
    n_frames: usize,
    rate: f64,
    warnings: &mut Vec<Warning>,
) -> Option<surefoot_contact::Contacts> {
    match notes.contacts(n_frames, rate) {
        FoundContacts::Fit(contacts) => Some(contacts),
        FoundContacts::None => None,
        FoundContacts::Unfit(why) => {
            warn(warnings, "contacts_ignored", format!("the file's foot contacts were left out: {why}"));
            None
        }
    }
}
