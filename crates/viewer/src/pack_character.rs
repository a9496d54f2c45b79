//! A character's own surface in the bytes of a page: its bones as they are, its triangles as tracks of integers, its images as files.
//!
//! ```text
//! bones     u32 count | each: u32 joint, 12 f32: rows of the transform from the mesh's space to that of the joint
//! triangles f64 step of positions | packed tracks: x y z in steps | normals in 127ths | four bones, four shares in 255ths
//!           | places on the image in 16384ths, two | colours in 255ths, three; the last two where the part has them
//!           packed   corners of triangles
//! images    PNG, JPEG or WebP, as in the character's file
//! ```

use crate::pack_integers::pack_integers;
use crate::pack_show::{Blob, Span};
use serde::Serialize;
use std::hash::{DefaultHasher, Hash, Hasher};
use surefoot_motion::{Bone, CharacterMesh, MeshPart, N_BONES, Opacity};

/// Steps from the middle of a part to its end: a fortieth of a millimetre for a person.
const STEPS: f64 = 80_000.0;
/// Steps of an image's width.
const IMAGE_STEPS: f64 = 16_384.0;
/// Places farther from the image than this many of its widths are brought nearer: the image is the same there.
const MOST_WIDTHS: f64 = 1000.0;

/// A character in the JSON of a page.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct PackedCharacter {
    /// The same for the same character: a page that gets it again keeps what it has.
    key: String,
    bones: Span,
    parts: Vec<PackedPart>,
    images: Vec<PackedImage>,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
struct PackedPart {
    mesh: Span,
    /// Which tracks follow the shares.
    has_places: bool,
    has_colours: bool,
    /// Linear red, green, blue, and how solid it is.
    colour: [f32; 4],
    image: Option<usize>,
    is_two_sided: bool,
    /// What is less solid than this is not there; absent where all of it is.
    cut: Option<f32>,
    is_blended: bool,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
struct PackedImage {
    span: Span,
    kind: &'static str,
}

/// Packs a character.
pub(crate) fn pack_character(mesh: &CharacterMesh, blob: &mut Blob) -> PackedCharacter {
    let start = blob.bytes.len();
    let (bones, ()) = blob.add(|bytes| pack_bones(&mesh.bones, bytes));
    let parts = mesh.parts.iter().map(|part| {
        let material = part.material;
        PackedPart {
            mesh: blob.add(|bytes| pack_part(part, bytes)).0,
            has_places: !part.image_places.is_empty(),
            has_colours: !part.colours.is_empty(),
            colour: material.colour,
            image: material.image,
            is_two_sided: material.is_two_sided,
            cut: if let Opacity::Cut(cut) = material.opacity { Some(cut) } else { None },
            is_blended: material.opacity == Opacity::Blend,
        }
    });
    let parts: Vec<PackedPart> = parts.collect();
    let images = mesh
        .images
        .iter()
        .map(|image| PackedImage { span: blob.add(|bytes| bytes.extend(&image.bytes)).0, kind: image.kind });
    let images: Vec<PackedImage> = images.collect();
    let mut hasher = DefaultHasher::new();
    blob.bytes[start..].hash(&mut hasher);
    PackedCharacter { key: format!("{:016x}", hasher.finish()), bones, parts, images }
}

fn pack_bones(bones: &[Bone], bytes: &mut Vec<u8>) {
    bytes.extend((bones.len() as u32).to_le_bytes());
    for bone in bones {
        let (linear, place) = bone.to_joint;
        bytes.extend((bone.joint.index() as u32).to_le_bytes());
        for row in 0..3 {
            let numbers = [linear.x_axis[row], linear.y_axis[row], linear.z_axis[row], place[row]];
            bytes.extend(numbers.into_iter().flat_map(|number| (number as f32).to_le_bytes()));
        }
    }
}

fn pack_part(part: &MeshPart, bytes: &mut Vec<u8>) {
    let far = part.positions.iter().flatten().fold(0.0f64, |far, value| far.max(f64::from(value.abs())));
    let step = (far / STEPS).max(f64::MIN_POSITIVE);
    bytes.extend(step.to_le_bytes());
    let track = |value: &dyn Fn(usize) -> f64| -> Vec<i32> {
        (0..part.positions.len()).map(|vertex| value(vertex).round() as i32).collect()
    };
    let mut tracks: Vec<Vec<i32>> =
        (0..3).map(|axis| track(&|vertex| f64::from(part.positions[vertex][axis]) / step)).collect();
    tracks.extend((0..3).map(|axis| track(&|vertex| 127.0 * f64::from(part.normals[vertex][axis]).clamp(-1.0, 1.0))));
    tracks.extend((0..N_BONES).map(|i| track(&|vertex| f64::from(part.shares[vertex][i].0))));
    tracks.extend((0..N_BONES).map(|i| track(&|vertex| 255.0 * f64::from(part.shares[vertex][i].1))));
    if !part.image_places.is_empty() {
        let near = |place: f32| {
            let place = f64::from(place);
            if place.abs() > MOST_WIDTHS { place.rem_euclid(1.0) } else { place }
        };
        tracks.extend((0..2).map(|axis| track(&|vertex| IMAGE_STEPS * near(part.image_places[vertex][axis]))));
    }
    if !part.colours.is_empty() {
        tracks.extend((0..3).map(|i| track(&|vertex| 255.0 * f64::from(part.colours[vertex][i]).clamp(0.0, 1.0))));
    }
    pack_integers(&tracks, bytes);
    let corners: Vec<i32> = part.corners.iter().map(|&corner| corner as i32).collect();
    pack_integers(std::slice::from_ref(&corners), bytes);
}
