//! Opening a motion file of any format.

use crate::{AnimationChoice, Document, ErrorKind, ReadError, asf, bvh, fbx, gltf, own};
use std::io::Read;
use std::path::{Path, PathBuf};

/// What a file cannot say about itself.
#[derive(Clone, Debug, Default)]
pub struct OpenOptions {
    /// The skeleton of an AMC. Default: found beside it, by the subject's number.
    pub asf: Option<PathBuf>,
    /// Which of several animations, by name or number. Default: the first.
    pub animation: Option<AnimationChoice>,
    /// Rate to sample glTF and FBX animations at, whose keys lie anywhere in time. Default: the rate of the keys.
    pub sample_rate: Option<f64>,
}

/// A kind of file that can be opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Bvh,
    Asf,
    Amc,
    Gltf,
    Fbx,
}

/// Endings of files that are motions: those that [`open`] reads, and takes ([`own::read_take`]).
pub const READABLE: [&str; 7] = ["bvh", "amc", "asf", "glb", "gltf", "fbx", own::TAKE_ENDING];

/// Reads a motion file; the ending decides the format, and the content where the ending says nothing.
pub fn open(path: &Path, options: &OpenOptions) -> Result<Document, ReadError> {
    open_bytes(&read_bytes(path)?, path, options)
}

/// [`open`] for a file that was read already.
pub fn open_bytes(bytes: &[u8], path: &Path, options: &OpenOptions) -> Result<Document, ReadError> {
    let kind = kind_by_ending(path).or_else(|| kind_by_content(bytes)).ok_or_else(|| {
        let message = format!("this is no motion file that we read; {} are", READABLE.join(", "));
        ReadError::new(ErrorKind::Format, message).in_file(path)
    })?;
    let document = read_kind(kind, bytes, path, options).map_err(|error| error.in_file(path))?;
    if options.animation.is_some() && document.animations.is_empty() {
        let message = "the file holds no animations to choose from";
        return Err(ReadError::new(ErrorKind::NoAnimation, message).in_file(path));
    }
    Ok(document)
}

/// Reads a complete file; `-` is standard input.
pub fn read_bytes(path: &Path) -> Result<Vec<u8>, ReadError> {
    let read = if path.as_os_str() == "-" {
        read_bounded(std::io::stdin().lock())
    } else {
        std::fs::File::open(path).and_then(|file| {
            refuse_large_glb(&file)?;
            read_bounded(file)
        })
    };
    let bytes = read.map_err(|error| {
        let message = match error.kind() {
            std::io::ErrorKind::NotFound => "no such file".to_string(),
            std::io::ErrorKind::IsADirectory => "this is a folder, not a file".to_string(),
            _ => error.to_string(),
        };
        ReadError::new(ErrorKind::Io, message).in_file(path)
    })?;
    if bytes.len() as u64 > LARGEST_FILE {
        let message = format!("larger than {} GiB", LARGEST_FILE >> 30);
        return Err(ReadError::new(ErrorKind::Limit, message).in_file(path));
    }
    Ok(bytes)
}

/// A day of motion at 120 fps as BVH; a device that never ends is refused here.
const LARGEST_FILE: u64 = 4 << 30;

/// A GLB that is too large is refused by its first bytes.
fn refuse_large_glb(mut file: &std::fs::File) -> std::io::Result<()> {
    let length = file.metadata().map_or(0, |metadata| if metadata.is_file() { metadata.len() } else { 0 });
    if gltf::check_size(length).is_ok() {
        return Ok(());
    }
    let mut head = [0; 4];
    let n = file.read(&mut head)?;
    std::io::Seek::rewind(&mut file)?;
    match gltf::check_size(length) {
        Err(message) if n == 4 && &head == b"glTF" => Err(std::io::Error::other(message)),
        _ => Ok(()),
    }
}

fn read_bounded(source: impl Read) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    source.take(LARGEST_FILE + 1).read_to_end(&mut bytes).map(|_| bytes)
}

fn read_kind(kind: Kind, bytes: &[u8], path: &Path, options: &OpenOptions) -> Result<Document, ReadError> {
    match kind {
        Kind::Bvh => Ok(bvh::read_bvh(bytes)?.into_document()),
        Kind::Asf => Ok(asf::skeleton_document(&asf::read_asf(bytes)?)),
        Kind::Amc => {
            let beside = match &options.asf {
                Some(given) => given.clone(),
                None => asf::find_asf_beside(path)?,
            };
            let skeleton = asf::read_asf(&read_bytes(&beside)?).map_err(|error| error.in_file(&beside))?;
            let motion = asf::read_amc(bytes, &skeleton)?;
            Ok(asf::into_document(&skeleton, &motion))
        }
        Kind::Gltf => {
            let choice = gltf::GltfOptions { animation: options.animation.clone(), frame_rate: options.sample_rate };
            let folder = path.parent().unwrap_or(Path::new(""));
            Ok(gltf::read_gltf_beside(bytes, folder, &choice)?.document)
        }
        Kind::Fbx => {
            let choice = fbx::FbxOptions { animation: options.animation.clone(), frame_rate: options.sample_rate };
            fbx::read_fbx(bytes, &choice)
        }
    }
}

fn kind_by_ending(path: &Path) -> Option<Kind> {
    let ending = path.extension()?.to_str()?.to_ascii_lowercase();
    match ending.as_str() {
        "bvh" => Some(Kind::Bvh),
        "asf" => Some(Kind::Asf),
        "amc" => Some(Kind::Amc),
        "glb" | "gltf" => Some(Kind::Gltf),
        "fbx" => Some(Kind::Fbx),
        _ => None,
    }
}

fn kind_by_content(bytes: &[u8]) -> Option<Kind> {
    let text = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes).trim_ascii_start();
    let head = &text[..text.len().min(4096)];
    let begins = |word: &str| head.get(..word.len()).is_some_and(|start| start.eq_ignore_ascii_case(word.as_bytes()));
    let holds = |word: &str| head.windows(word.len()).any(|part| part.eq_ignore_ascii_case(word.as_bytes()));
    if begins("HIERARCHY") {
        Some(Kind::Bvh)
    } else if begins("glTF") || (begins("{") && holds("\"asset\"")) {
        Some(Kind::Gltf)
    } else if begins("Kaydara FBX Binary") || begins("; FBX") {
        Some(Kind::Fbx)
    } else if holds(":bonedata") || holds(":units") {
        Some(Kind::Asf)
    } else if holds(":FULLY-SPECIFIED") || holds(":DEGREES") {
        Some(Kind::Amc)
    } else {
        None
    }
}
