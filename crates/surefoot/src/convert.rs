//! From a loaded motion to the bytes of a file.

use surefoot_formats::bvh::{BvhOptions, Channel, write_bvh};
use surefoot_formats::gltf::{GltfContainer, GltfMesh, GltfWriteOptions, write_gltf};
use surefoot_formats::{Import, own};
use surefoot_geom::{Quat, Vec3};
use surefoot_motion::{Clip, align_rest, resample};

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
#[derive(Clone, Debug)]
pub struct ConvertOptions {
    /// What to write.
    pub format: OutputFormat,
    /// Frames per second to resample to. Default: as they are.
    pub resample: Option<f64>,
    /// Metres in one unit of a BVH. Default: the target's, or 0.01.
    pub unit_to_metre: Option<f64>,
    /// The program the file is for.
    pub target: Option<Target>,
    /// Whether a glTF gets a body of capsules.
    pub mesh: GltfMesh,
}

/// A written file, and what had to change.
#[derive(Clone, Debug)]
pub struct Converted {
    /// The file.
    pub bytes: Vec<u8>,
    /// What the file assumes, in words.
    pub assumed: String,
    /// Names of joints whose BVH channels could not be kept.
    pub widened: Vec<String>,
}

/// Why a motion cannot be written.
#[derive(Clone, Debug, thiserror::Error)]
pub enum ConvertError {
    /// The writer refuses.
    #[error("{0}")]
    Refused(String),
}

/// Writes a loaded motion in another format.
pub fn convert(import: &Import, options: &ConvertOptions) -> Result<Converted, ConvertError> {
    let resampled;
    let clip = match options.resample {
        Some(rate) if rate != import.clip.frame_rate => {
            resampled = resample(&import.clip, rate);
            &resampled
        }
        _ => &import.clip,
    };
    match options.format {
        OutputFormat::Bvh => Ok(to_bvh(clip, import.bvh_channels.as_deref(), options)),
        OutputFormat::Glb | OutputFormat::Gltf => to_gltf(clip, import, options),
    }
}

fn to_bvh(clip: &Clip, channels: Option<&[Vec<Channel>]>, options: &ConvertOptions) -> Converted {
    let (unit, z_up) = match options.target {
        None => (0.01, false),
        Some(Target::Unreal) => (0.01, true),
        Some(Target::Blender | Target::Unity | Target::Godot) => (1.0, false),
    };
    let unit_to_metre = options.unit_to_metre.unwrap_or(unit);
    let mut clip = align_rest(clip);
    if z_up {
        clip = change_basis(&clip, Quat::from_rotation_arc(Vec3::Y, Vec3::Z));
    }
    let text = write_bvh(&clip, &BvhOptions { unit_to_metre, channels });
    let up = if z_up { "Z" } else { "Y" };
    let assumed = format!("{} m per unit, {up} up, {} fps", unit_to_metre, clip.frame_rate);
    let widened = text.widened.iter().map(|&joint| clip.skeleton.name(joint).to_string()).collect();
    Converted { bytes: text.bytes, assumed, widened }
}
