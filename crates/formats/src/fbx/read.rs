//! Loads a scene and makes a document of it; the steps are those of the module above.

use super::FbxOptions;
use super::joints::{JointNodes, find_joints};
use super::timeline::{Keys, choose_range, choose_rate, look_at_keys};
use super::world::{Placement, place_nodes};
use crate::AnimationChoice;
use crate::bvh::MAX_JOINTS;
use crate::{Document, ErrorKind, Format, ReadError, Warning};
use surefoot_geom::{Axis, Transform, Vec3};
use surefoot_motion::{Joint, JointId, PoseRef, Poses, Skeleton};
use ufbx::{AnimStack, CoordinateAxis, Scene, SceneRoot};

/// Transforms that any file may ask for, whatever its size: an hour of a simple skeleton. Curves may be short and their
/// times far apart, so the bytes of a file do not bound its frames.
const FREE_TRANSFORMS: f64 = 4.0 * 1024.0 * 1024.0;
/// Memory that ufbx may take for any file, and for each of its bytes. Text and packed arrays unfold about tenfold.
const FREE_MEMORY: usize = 256 << 20;
const MEMORY_PER_BYTE: usize = 64;
/// Numbers past this mean nothing as a place, and products of such numbers would overflow.
const LARGEST: f64 = 1e12;
/// How much a joint's scale may change over time before the reader warns.
const STEADY_SCALE: f64 = 1e-3;

pub(super) fn read_fbx(bytes: &[u8], options: &FbxOptions) -> Result<Document, ReadError> {
    if let Some(rate) = options.frame_rate.filter(|rate| !rate.is_finite() || *rate <= 0.0) {
        return Err(ReadError::new(ErrorKind::OutOfRange, format!("a frame rate must be above zero, not {rate}")));
    }
    let scene = load(bytes)?;
    let joints = find_joints(&scene);
    check_joints(&joints)?;
    let stack = choose_stack(&scene, options, &joints)?;
    let keys = stack.and_then(|stack| look_at_keys(stack, &joints));
    let rate = choose_rate(options.frame_rate, keys.as_ref(), scene.settings.frames_per_second);

    let mut world = Vec::new();
    place_nodes(&joints, |node| node.local_transform, &mut world);
    let skeleton = skeleton(&joints, &world)?;
    let mut warnings = Warnings::default();
    let mut poses = Poses::default();
    if let (Some(stack), Some(keys)) = (stack, &keys) {
        let (begin, end) = choose_range(keys, (stack.time_begin, stack.time_end));
        let n_frames = count_frames(end - begin, rate, joints.nodes.len(), bytes.len())?;
        let mut sizes = vec![None; joints.nodes.len()];
        for frame in 0..n_frames {
            let time = begin + frame as f64 / rate;
            place_nodes(&joints, |node| ufbx::evaluate_transform(&stack.anim, node, time), &mut world);
            warnings.look_at_scale(&joints, &world, &mut sizes);
            poses.push(PoseRef { local: &locals(&joints, &world)? });
        }
    }
    warnings.look_at_scene(&scene, &joints, keys.as_ref(), rate, options);
    Ok(Document {
        format: Format::Fbx,
        name: stack.map(|stack| stack.element.name.to_string()),
        skeleton,
        frame_rate: Some(rate),
        unit_to_metre: declared_unit(&scene),
        up: axis(scene.settings.axes.up).filter(|_| declares(&scene, "UpAxis")),
        n_channels: 0,
        bvh_channels: None,
        animations: scene.anim_stacks.iter().map(|stack| stack.element.name.to_string()).collect(),
        contacts: None,
        soles: None,
        is_character: scene.nodes.iter().any(|node| node.attrib_type == ufbx::ElementType::Mesh),
        poses,
        warnings: warnings.list,
    })
}

/// Loads a scene without meshes, pictures or other files.
fn load(bytes: &[u8]) -> Result<SceneRoot, ReadError> {
    if bytes.is_empty() {
        return Err(ReadError::new(ErrorKind::Empty, "the file is empty"));
    }
    let scene = ufbx::load_memory(bytes, load_options(bytes.len())).map_err(|error| refuse(&error))?;
    if scene.metadata.file_format != ufbx::FileFormat::Fbx {
        return Err(ReadError::new(ErrorKind::Fbx, "this is no FBX file"));
    }
    if !is_left_handed(&scene) {
        return Ok(scene);
    }
    let mirrored = ufbx::LoadOpts {
        target_axes: ufbx::CoordinateAxes::right_handed_y_up(),
        handedness_conversion_axis: ufbx::MirrorAxis::X,
        ..load_options(bytes.len())
    };
    ufbx::load_memory(bytes, mirrored).map_err(|error| refuse(&error))
}

fn load_options(n_bytes: usize) -> ufbx::LoadOpts<'static> {
    let allocator = || ufbx::AllocatorOpts {
        memory_limit: FREE_MEMORY.saturating_add(n_bytes.saturating_mul(MEMORY_PER_BYTE)),
        ..Default::default()
    };
    ufbx::LoadOpts {
        temp_allocator: allocator(),
        result_allocator: allocator(),
        ignore_geometry: true,
        ignore_embedded: true,
        node_depth_limit: MAX_JOINTS as u32,
        ..Default::default()
    }
}

fn refuse(error: &ufbx::Error) -> ReadError {
    let kind = match error.type_ {
        ufbx::ErrorType::EmptyFile => ErrorKind::Empty,
        ufbx::ErrorType::TruncatedFile => ErrorKind::UnexpectedEof,
        ufbx::ErrorType::MemoryLimit | ufbx::ErrorType::AllocationLimit | ufbx::ErrorType::NodeDepthLimit => {
            ErrorKind::Limit
        }
        _ => ErrorKind::Fbx,
    };
    ReadError::new(kind, format!("the FBX file cannot be read: {}", error.description.as_ref()))
}

fn is_left_handed(scene: &Scene) -> bool {
    let axes = &scene.settings.axes;
    let [right, up, front] = [axes.right, axes.up, axes.front].map(|a| axis(a).map_or(Vec3::ZERO, Axis::to_vec3));
    right.cross(up).dot(front) < 0.0
}

fn axis(axis: CoordinateAxis) -> Option<Axis> {
    match axis {
        CoordinateAxis::PositiveX => Some(Axis::X),
        CoordinateAxis::NegativeX => Some(Axis::NegX),
        CoordinateAxis::PositiveY => Some(Axis::Y),
        CoordinateAxis::NegativeY => Some(Axis::NegY),
        CoordinateAxis::PositiveZ => Some(Axis::Z),
        CoordinateAxis::NegativeZ => Some(Axis::NegZ),
        CoordinateAxis::Unknown => None,
    }
}

/// Metres per unit. A file that says nothing is in centimetres by the format's custom, but that is for the importer to
/// guess.
fn declared_unit(scene: &Scene) -> Option<f64> {
    let unit = scene.settings.unit_meters;
    (declares(scene, "UnitScaleFactor") && unit.is_finite() && unit > 0.0).then_some(unit)
}

/// Whether the file itself gives a setting, or ufbx took the format's default.
fn declares(scene: &Scene, setting: &str) -> bool {
    scene.settings.props.props.iter().any(|prop| prop.name.as_ref() == setting)
}

fn check_joints(joints: &JointNodes<'_>) -> Result<(), ReadError> {
    match joints.n_joints() {
        0 => {
            Err(ReadError::new(ErrorKind::Fbx, "the FBX file holds no skeleton: no bones, and no nodes that could be"))
        }
        n if n > MAX_JOINTS => Err(ReadError::new(ErrorKind::Limit, format!("{n} joints are more than {MAX_JOINTS}"))),
        _ => Ok(()),
    }
}

/// The animation that was asked for, or the first that moves a joint; `None` where the file has none at all.
fn choose_stack<'a>(
    scene: &'a Scene,
    options: &FbxOptions,
    joints: &JointNodes<'_>,
) -> Result<Option<&'a AnimStack>, ReadError> {
    let stacks = || scene.anim_stacks.iter().map(AsRef::as_ref);
    let (found, asked) = match &options.animation {
        None => {
            let moving = stacks().find(|stack| look_at_keys(stack, joints).is_some());
            return Ok(moving.or_else(|| stacks().next()));
        }
        Some(AnimationChoice::Index(index)) => (stacks().nth(*index), index.to_string()),
        Some(AnimationChoice::Name(name)) => {
            (stacks().find(|stack| stack.element.name.as_ref() == *name), format!("`{name}`"))
        }
    };
    found.map(Some).ok_or_else(|| {
        let names: Vec<&str> = stacks().map(|stack| stack.element.name.as_ref()).collect();
        let message = format!("the file has no animation {asked}; it has: {}", names.join(", "));
        ReadError::new(ErrorKind::NoAnimation, message)
    })
}

fn count_frames(seconds: f64, rate: f64, n_nodes: usize, n_bytes: usize) -> Result<usize, ReadError> {
    // A last key within a hundredth of a frame of the grid belongs to it.
    let n_frames = (seconds * rate + 0.01).floor() + 1.0;
    if n_frames * n_nodes as f64 > FREE_TRANSFORMS + n_bytes as f64 {
        let message = format!("{n_frames} frames of {n_nodes} nodes are too many; a lower frame rate may do");
        return Err(ReadError::new(ErrorKind::Limit, message));
    }
    Ok(n_frames as usize)
}

fn skeleton(joints: &JointNodes<'_>, world: &[Placement]) -> Result<Skeleton, ReadError> {
    let mut joint_of = vec![None; joints.nodes.len()];
    let mut list = Vec::with_capacity(joints.n_joints());
    let rest = locals(joints, world)?;
    for (index, placed) in joints.nodes.iter().enumerate().filter(|(_, placed)| placed.is_joint) {
        joint_of[index] = Some(JointId::new(list.len()));
        let parent = placed.parent.and_then(|parent| joint_of[parent]);
        list.push(Joint { name: placed.node.element.name.to_string(), parent, rest: rest[list.len()] });
    }
    Ok(Skeleton::new(list, Vec::new()).expect("depth first puts parents before children"))
}

/// Each joint relative to the joint above it, or to the world.
fn locals(joints: &JointNodes<'_>, world: &[Placement]) -> Result<Vec<Transform>, ReadError> {
    let mut local = Vec::with_capacity(joints.nodes.len());
    for (placed, placement) in joints.nodes.iter().zip(world).filter(|(placed, _)| placed.is_joint) {
        let rigid = placement.rigid;
        if !rigid.is_finite() || rigid.translation.abs().max_element() > LARGEST {
            let message = format!("joint `{}` lies at no place to calculate with", placed.node.element.name.as_ref());
            return Err(ReadError::new(ErrorKind::Nonfinite, message));
        }
        let parent = placed.parent.filter(|&parent| joints.nodes[parent].is_joint);
        local.push(parent.map_or(rigid, |parent| world[parent].rigid.inverse() * rigid));
    }
    Ok(local)
}

/// Collects what was unusual, each case once.
#[derive(Default)]
struct Warnings {
    list: Vec<Warning>,
    uneven: bool,
    changing: bool,
}

impl Warnings {
    fn add(&mut self, code: &'static str, message: String) {
        self.list.push(Warning { code, line: None, message });
    }

    /// Looks for scale that a rigid transform cannot hold. `sizes` keeps the scale of each node in the first frame.
    fn look_at_scale(&mut self, joints: &JointNodes<'_>, world: &[Placement], sizes: &mut [Option<f64>]) {
        for ((placed, placement), size) in joints.nodes.iter().zip(world).zip(sizes) {
            let name = || placed.node.element.name.as_ref();
            if !self.uneven && !placement.is_evenly_scaled() {
                self.uneven = true;
                self.add(
                    "scale_ignored",
                    format!("`{}` is scaled unevenly or mirrored; its joints keep their places only", name()),
                );
            }
            let first = *size.get_or_insert(placement.size());
            if !self.changing && (placement.size() - first).abs() > STEADY_SCALE * first.abs() {
                self.changing = true;
                self.add("scale_ignored", format!("`{}` changes its size; only the places of joints follow", name()));
            }
        }
    }

    fn look_at_scene(
        &mut self,
        scene: &Scene,
        joints: &JointNodes<'_>,
        keys: Option<&Keys>,
        rate: f64,
        options: &FbxOptions,
    ) {
        if !joints.has_bones {
            self.add("no_bones", "the file has no bones; its plain nodes are taken for joints".to_string());
        }
        let declared = scene.settings.frames_per_second;
        if keys.is_some() && options.frame_rate.is_none() && (rate - declared).abs() > 1e-6 * rate {
            self.add(
                "frame_rate_from_keys",
                format!("the file declares {declared} frames per second, its keys are {rate} per second apart"),
            );
        }
        if keys.is_none() {
            self.add("no_motion", "nothing in the file moves a joint".to_string());
        }
    }
}
