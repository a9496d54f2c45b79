//! From a loaded motion to the bytes of a file.

use std::borrow::Cow;
use std::path::Path;
use std::sync::Arc;
use surefoot_contact::Contacts;
use surefoot_formats::bvh::{BvhOptions, Channel, write_bvh};
use surefoot_formats::fbx::write_fbx;
use surefoot_formats::gltf::{
    AddAnimationError, AddOptions, BodyMesh, Container, GltfCharacter, GltfWriteError, GltfWriteOptions, add_animation,
    write_gltf,
};
use surefoot_formats::own::Playback;
use surefoot_formats::{Assumed, Content, ReadError};
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
    /// Autodesk FBX, binary.
    Fbx,
}

impl OutputFormat {
    /// The format of a file's ending, in any case.
    pub fn from_ending(ending: &str) -> Option<OutputFormat> {
        match ending.to_ascii_lowercase().as_str() {
            "bvh" => Some(OutputFormat::Bvh),
            "glb" => Some(OutputFormat::Glb),
            "gltf" => Some(OutputFormat::Gltf),
            "fbx" => Some(OutputFormat::Fbx),
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
    /// How an engine is to play it.
    pub playback: Playback,
    /// The character that the clip's skeleton comes from, whose file is written again with the motion in it.
    pub character: Option<CharacterTarget<'a>>,
}

/// A character's glTF, and where the file with one more animation goes.
#[derive(Clone, Copy, Debug)]
pub struct CharacterTarget<'a> {
    /// The character's file.
    pub file: &'a Path,
    /// What was decided when it was imported.
    pub assumed: &'a Assumed,
    /// The folder that the output goes to, if it is a file.
    pub folder: Option<&'a Path>,
}

/// A written file, and what had to change.
#[derive(Clone, Debug)]
pub struct Converted {
    /// The file.
    pub content: Content,
    /// What a user should know, in sentences.
    pub notes: Vec<String>,
    /// What a reader of the file must know, in words.
    pub convention: String,
    /// Names of joints whose BVH channels could not be kept.
    pub widened: Vec<String>,
}

impl Converted {
    /// The file in memory.
    pub fn into_bytes(self) -> Result<Vec<u8>, ConvertError> {
        self.content.into_bytes().map_err(|error| ConvertError::Copy(error.to_string()))
    }
}

/// Why a clip cannot be written in a format.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ConvertError {
    /// As glTF.
    #[error(transparent)]
    Gltf(#[from] GltfWriteError),
    /// Into a character's glTF.
    #[error(transparent)]
    Character(#[from] AddAnimationError),
    /// A part of the character's file cannot be copied.
    #[error("the character's file cannot be copied: {0}")]
    Copy(String),
    /// The character's file cannot be read again.
    #[error(transparent)]
    Read(#[from] ReadError),
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
        OutputFormat::Fbx => return to_fbx(clip, body, options),
    };
    if let Some(target) = options.character {
        return add_to_character(clip, (body, contacts), container, &target, options.playback);
    }
    let options = GltfWriteOptions { container, body_mesh: options.body_mesh, playback: options.playback };
    let bytes = write_gltf(clip, body, contacts, &options)?;
    let convention = format!("metres, Y up, {} fps", clip.frame_rate);
    Ok(Converted { content: bytes.into(), notes: Vec::new(), convention, widened: Vec::new() })
}

fn to_fbx(clip: &Clip, body: Option<&BodyMap>, options: &ConvertOptions<'_>) -> Result<Converted, ConvertError> {
    let bytes = write_fbx(clip, body, options.body_mesh)?;
    let convention = format!("FBX 7.4, centimetres, Y up, {} fps", clip.frame_rate);
    Ok(Converted { content: bytes.into(), notes: Vec::new(), convention, widened: Vec::new() })
}

fn add_to_character(
    clip: &Clip,
    known: (Option<&BodyMap>, Option<&Contacts>),
    container: Container,
    target: &CharacterTarget<'_>,
    playback: Playback,
) -> Result<Converted, ConvertError> {
    let character = GltfCharacter::open(target.file)?;
    let options = AddOptions {
        name: &clip.name,
        to_metre: target.assumed.unit.to_metre,
        up: target.assumed.up.rest,
        container,
        folder: target.folder,
        playback,
    };
    let added = add_animation(&character, clip, known, &options)?;
    let convention = format!("as the animation `{}` of {}, {} fps", clip.name, target.file.display(), clip.frame_rate);
    Ok(Converted { content: added.content, notes: added.notes, convention, widened: Vec::new() })
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
    Converted { content: text.bytes.into(), notes: Vec::new(), convention, widened }
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
