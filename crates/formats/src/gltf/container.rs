//! The two wrappings of a glTF: plain JSON, or a binary file (GLB) of a header and chunks.
//!
//! ```text
//! "glTF" | 2 | length    | length "JSON" text, padded with spaces | length "BIN\0" bytes, padded with zeros
//!   4      4     4            4      4                                4      4
//! ```

use crate::{ErrorKind, ReadError};

const MAGIC: &[u8] = b"glTF";
const JSON_CHUNK: &[u8] = b"JSON";
const BIN_CHUNK: &[u8] = b"BIN\0";
const HEADER_BYTES: usize = 12;
const CHUNK_HEADER_BYTES: usize = 8;

/// A file taken apart.
pub(super) struct Parts<'a> {
    pub(super) json: &'a [u8],
    /// The bytes inside a binary file.
    pub(super) bin: Option<&'a [u8]>,
}

/// Tells the wrapping by the first bytes, and takes it off.
pub(super) fn split(bytes: &[u8]) -> Result<Parts<'_>, ReadError> {
    if bytes.starts_with(MAGIC) {
        return split_binary(bytes);
    }
    let text = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes).trim_ascii_start();
    match text.first() {
        None => Err(ReadError::new(ErrorKind::Empty, "the file is empty")),
        Some(b'{' | b'[') => Ok(Parts { json: text, bin: None }),
        Some(_) => {
            Err(header_error("the file begins neither with `glTF`, as a GLB does, nor with `{`, as a glTF does"))
        }
    }
}

fn split_binary(bytes: &[u8]) -> Result<Parts<'_>, ReadError> {
    let (Some(version), Some(length)) = (word_at(bytes, 4), word_at(bytes, 8)) else {
        return Err(header_error(format!("the file ends after {} of the header's {HEADER_BYTES} bytes", bytes.len())));
    };
    if version != 2 {
        return Err(header_error(format!("GLB version {version}; 2 is read")));
    }
    if length != bytes.len() {
        return Err(header_error(format!("the header declares {length} bytes, the file has {}", bytes.len())));
    }
    let mut rest = &bytes[HEADER_BYTES..];
    let (kind, json) = take_chunk(&mut rest)?;
    if kind != JSON_CHUNK {
        return Err(ReadError::new(ErrorKind::GlbChunk, "the first chunk is not JSON"));
    }
    // Only the second chunk may be BIN; chunks of other kinds are to be skipped.
    let mut bin = None;
    let mut position = 1;
    while !rest.is_empty() {
        let (kind, chunk) = take_chunk(&mut rest)?;
        if kind == BIN_CHUNK && position == 1 {
            bin = Some(chunk);
        }
        position += 1;
    }
    Ok(Parts { json, bin })
}

/// Takes one chunk off the front: its kind and its bytes.
fn take_chunk<'a>(rest: &mut &'a [u8]) -> Result<(&'a [u8], &'a [u8]), ReadError> {
    let chunk_error = |message: String| ReadError::new(ErrorKind::GlbChunk, message);
    let Some(length) = word_at(rest, 0).filter(|_| rest.len() >= CHUNK_HEADER_BYTES) else {
        return Err(chunk_error(format!("{} bytes are left where a chunk should begin", rest.len())));
    };
    let (header, body) = rest.split_at(CHUNK_HEADER_BYTES);
    if length > body.len() {
        return Err(chunk_error(format!("a chunk declares {length} bytes, the file has {} left", body.len())));
    }
    if length % 4 != 0 {
        return Err(chunk_error(format!("a chunk declares {length} bytes, which is no multiple of 4")));
    }
    let (chunk, after) = body.split_at(length);
    *rest = after;
    Ok((&header[4..], chunk))
}

fn header_error(message: impl Into<String>) -> ReadError {
    ReadError::new(ErrorKind::GlbHeader, message)
}

fn word_at(bytes: &[u8], at: usize) -> Option<usize> {
    let word = bytes.get(at..at + 4)?;
    Some(u32::from_le_bytes(word.try_into().ok()?) as usize)
}

/// Wraps JSON and bytes as a binary file; `None` past the format's 4 GiB.
pub(super) fn join_binary(mut json: Vec<u8>, mut bin: Vec<u8>) -> Option<Vec<u8>> {
    json.resize(json.len().next_multiple_of(4), b' ');
    bin.resize(bin.len().next_multiple_of(4), 0);
    let chunks = [(json, JSON_CHUNK), (bin, BIN_CHUNK)];
    let chunks: Vec<_> = chunks.into_iter().filter(|(chunk, _)| !chunk.is_empty()).collect();
    let length = HEADER_BYTES + chunks.iter().map(|(chunk, _)| CHUNK_HEADER_BYTES + chunk.len()).sum::<usize>();
    let mut out = Vec::with_capacity(length);
    out.extend_from_slice(MAGIC);
    out.extend_from_slice(&2u32.to_le_bytes());
    out.extend_from_slice(&u32::try_from(length).ok()?.to_le_bytes());
    for (chunk, kind) in chunks {
        out.extend_from_slice(&u32::try_from(chunk.len()).ok()?.to_le_bytes());
        out.extend_from_slice(kind);
        out.extend_from_slice(&chunk);
    }
    Some(out)
}
