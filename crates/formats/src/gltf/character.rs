//! A glTF or GLB that is to be written again with something added: its JSON as text, its bytes where they are on the disk.
//!
//! ```text
//! GLB:   header | JSON chunk (read) | BIN chunk (not read, copied when the output is written) | other chunks (copied)
//! glTF:  text (read) | buffers and images in other files (read only if the output cannot refer to them)
//! ```

use super::container::{self, BIN_CHUNK, CHUNK_HEADER_BYTES, HEADER_BYTES, JSON_CHUNK, MAGIC};
use super::uri::{self, Source};
use crate::content::read_part;
use crate::{ErrorKind, ReadError};
use std::fs::File;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A part of a file on the disk.
#[derive(Clone, Debug)]
pub(super) struct FilePart {
    pub(super) file: Arc<File>,
    pub(super) range: Range<u64>,
}

impl FilePart {
    pub(super) fn n_bytes(&self) -> usize {
        (self.range.end - self.range.start) as usize
    }

    /// Reads `range` of the part.
    pub(super) fn read(&self, range: Range<usize>) -> Result<Vec<u8>, ReadError> {
        let start = self.range.start;
        read_part(&self.file, start + range.start as u64..start + range.end as u64)
            .map_err(|error| ReadError::new(ErrorKind::Io, format!("cannot be read again: {error}")))
    }
}

/// A character's file.
#[derive(Clone, Debug)]
pub struct GltfCharacter {
    pub(super) path: PathBuf,
    pub(super) json: String,
    /// The bytes inside a GLB.
    pub(super) bin: Option<FilePart>,
    /// Chunks of a GLB that nobody knows, with their headers.
    pub(super) more: Option<FilePart>,
}

impl GltfCharacter {
    /// Opens a file: of a GLB the JSON is read and nothing else.
    pub fn open(path: &Path) -> Result<GltfCharacter, ReadError> {
        open(path).map_err(|error| error.in_file(path))
    }

    /// Bytes that a URI of the file stands for.
    pub(super) fn load(&self, uri: &str) -> Result<Vec<u8>, ReadError> {
        match uri::resolve(uri)? {
            Source::Bytes(bytes) => Ok(bytes),
            Source::Relative(path) => uri::load_beside(self.path.parent().unwrap_or(Path::new("")), &path),
        }
    }
}

fn open(path: &Path) -> Result<GltfCharacter, ReadError> {
    let io_error = |error: std::io::Error| ReadError::new(ErrorKind::Io, format!("cannot be read: {error}"));
    let file = Arc::new(File::open(path).map_err(io_error)?);
    let length = file.metadata().map_err(io_error)?.len();
    let part = |range: Range<u64>| FilePart { file: file.clone(), range };
    let head = part(0..length.min((HEADER_BYTES + CHUNK_HEADER_BYTES) as u64));
    let head = head.read(0..head.n_bytes())?;
    let text =
        |bytes: Vec<u8>| String::from_utf8(bytes).map_err(|_| ReadError::new(ErrorKind::Json, "the JSON is not UTF-8"));
    let path = path.to_path_buf();
    if !head.starts_with(MAGIC) {
        check_size(length)?;
        let json = text(part(0..length).read(0..length as usize)?)?;
        let json = json.strip_prefix('\u{feff}').map(str::to_string).unwrap_or(json);
        return Ok(GltfCharacter { path, json, bin: None, more: None });
    }
    check_size(length)?;
    let (json_range, kind) = chunk_at(&part(0..length), HEADER_BYTES as u64, length)?;
    if kind != JSON_CHUNK {
        return Err(ReadError::new(ErrorKind::GlbChunk, "the first chunk is not JSON"));
    }
    let json = text(part(json_range.clone()).read(0..(json_range.end - json_range.start) as usize)?)?;
    let (mut bin, mut after) = (None, json_range.end);
    if after < length {
        let (range, kind) = chunk_at(&part(0..length), after, length)?;
        if kind == BIN_CHUNK {
            after = range.end;
            bin = Some(part(range));
        }
    }
    let more = (after < length).then(|| part(after..length));
    Ok(GltfCharacter { path, json, bin, more })
}

/// Where the content of a chunk is, and its kind.
fn chunk_at(file: &FilePart, at: u64, length: u64) -> Result<(Range<u64>, [u8; 4]), ReadError> {
    let broken = || ReadError::new(ErrorKind::GlbChunk, "a chunk reaches past the end of the file");
    let start = at + CHUNK_HEADER_BYTES as u64;
    if start > length {
        return Err(broken());
    }
    let header = file.read(at as usize..start as usize)?;
    let word = |from: usize| [header[from], header[from + 1], header[from + 2], header[from + 3]];
    let end = start + u64::from(u32::from_le_bytes(word(0)));
    if end > length { Err(broken()) } else { Ok((start..end, word(4))) }
}

fn check_size(length: u64) -> Result<(), ReadError> {
    container::check_size(length).map_err(|message| ReadError::new(ErrorKind::Limit, message))
}
