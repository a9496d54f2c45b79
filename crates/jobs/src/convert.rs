//! From a loaded motion to the bytes of a file.

use std::borrow::Cow;
use std::sync::Arc;
use surefoot_contact::Contacts;
use surefoot_formats::bvh::{BvhOptions, Channel, write_bvh};
use surefoot_formats::gltf::{BodyMesh, Container, GltfWriteError, GltfWriteOptions, write_gltf};
use surefoot_geom::{Axis, Vec3, rotation};
use surefoot_motion::{BodyMap, Clip, EndSite, Skeleton, WorldPose, align_rest, change_basis};

/// A format to write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OutputFormat {
    /// Biovision hierarchy.
    Bvh,
    /// glTF in one binary file.
    Glb,
    /// glTF as text, its numbers embedded.
    Gltf,
}

impl OutputFormat {
    /// The format of a file's ending, in any case.
    pub fn from_ending(ending: &str) -> Option<OutputFormat> {
        match ending.to_ascii_lowercase().as_str() {
            "bvh" => Some(OutputFormat::Bvh),
            "glb" => Some(OutputFormat::Glb),
            "gltf" => Some(OutputFormat::Gltf),
            _ => None,
        }
    }
}

/// A program that the file is for. glTF fixes metres and Y up itself, and every importer turns that into its own; a BVH says
/// nothing, so it is written as the program's own importer expects it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// Metres, Y up: its BVH import turns Y up to Z up by default and does not scale.
    Blender,
    /// Centimetres, Z up, facing -Y, which its left-handed world shows facing +Y, as its mannequins do.
    Unreal,
    /// Metres, Y up.
    Unity,
    /// Metres, Y up.
    Godot,
}

/// How to write.
#[derive(Clone, Debug, Default)]
pub struct ConvertOptions<'a> {
    /// Metres in one unit of a BVH. Default: the target's, or 0.01.
    pub unit_to_metre: Option<f64>,
    /// The up axis of a BVH. Default: the target's, or Y.
    pub up: Option<Axis>,
    /// The program the file is for.
    pub target: Option<Target>,
    /// Whether a glTF gets a body of capsules.
    pub body_mesh: BodyMesh,
    /// BVH channels of the source, to be kept.
    pub bvh_channels: Option<&'a [Vec<Channel>]>,
}

/// A written file, and what had to change.
#[derive(Clone, Debug)]
pub struct Converted {
    /// The file.
    pub bytes: Vec<u8>,
    /// What a reader of the file must know, in words.
    pub convention: String,
    /// Names of joints whose BVH channels could not be kept.
    pub widened: Vec<String>,
}

/// Why a clip cannot be written in a format.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ConvertError {
    /// As glTF.
    #[error(transparent)]
    Gltf(#[from] GltfWriteError),
}

/// Writes a clip, with its contacts where the format has a place for them.
pub fn convert(
    clip: &Clip,
    body: Option<&BodyMap>,
    contacts: Option<&Contacts>,
    format: OutputFormat,
    options: &ConvertOptions<'_>,
) -> Result<Converted, ConvertError> {
    let container = match format {
        OutputFormat::Bvh => return Ok(to_bvh(&with_toe_tips(clip, body), options)),
        OutputFormat::Glb => Container::Glb,
        OutputFormat::Gltf => Container::Gltf,
    };
    let bytes = write_gltf(clip, body, contacts, &GltfWriteOptions { container, body_mesh: options.body_mesh })?;
    let convention = format!("metres, Y up, {} fps", clip.frame_rate);
    Ok(Converted { bytes, convention, widened: Vec::new() })
}

fn to_bvh(clip: &Clip, options: &ConvertOptions<'_>) -> Converted {
    let (usual_unit, usual_up) = match options.target {
        None => (0.01, Axis::Y),
        Some(Target::Unreal) => (0.01, Axis::Z),
        Some(Target::Blender | Target::Unity | Target::Godot) => (1.0, Axis::Y),
    };
    let unit_to_metre = options.unit_to_metre.unwrap_or(usual_unit);
    let up = options.up.unwrap_or(usual_up);
    let bvh_options = BvhOptions { unit_to_metre, channels: options.bvh_channels };
    let text = if up == Axis::Y {
        write_bvh(clip, &bvh_options)
    } else {
        let mut turned = align_rest(clip);
        let basis = rotation::between_directions(Vec3::Y, up.to_vec3());
        let skeleton = turned.skeleton.clone();
        turned.skeleton = Arc::new(change_basis(&skeleton, turned.poses_mut(), basis));
        write_bvh(&turned, &bvh_options)
    };
    let convention = format!("units of {unit_to_metre} m, {up} up, {} fps", clip.frame_rate);
    let widened = text.widened.iter().map(|&joint| clip.skeleton.name(joint).to_string()).collect();
    Converted { bytes: text.bytes, convention, widened }
}

/// Gives feet that end in a bare joint an end site at the tip of the toes. BVH asks for some end site there, and whoever reads an invented
/// one takes it for the sole.
fn with_toe_tips<'a>(clip: &'a Clip, body: Option<&BodyMap>) -> Cow<'a, Clip> {
    let Some(body) = body else { return Cow::Borrowed(clip) };
    let skeleton = &clip.skeleton;
    let rest = WorldPose::new(skeleton, &skeleton.rest_pose());
    let (children, sites) = (skeleton.children(), skeleton.end_sites_by_joint());
    let mut end_sites = skeleton.end_sites().to_vec();
    for (_, leg) in body.legs.iter() {
        let joint = leg.ball.unwrap_or(leg.ankle);
        let tip = rest[leg.ankle].transform_point(leg.foot.toe_tip);
        let offset = rest[joint].inverse().transform_point(tip);
        let is_bare = children[joint.index()].is_empty() && sites[joint.index()].is_empty();
        if is_bare && offset.is_finite() && offset.length() > 1e-6 {
            end_sites.push(EndSite { name: None, parent: joint, offset });
        }
    }
    if end_sites.len() == skeleton.end_sites().len() {
        return Cow::Borrowed(clip);
    }
    match Skeleton::new(skeleton.joints().to_vec(), end_sites) {
        Ok(skeleton) => Cow::Owned(clip.clone().with_skeleton(Arc::new(skeleton))),
        Err(_) => Cow::Borrowed(clip),
    }
}
