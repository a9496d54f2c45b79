//! The two wrappings of a glTF: plain JSON, or a binary file (GLB) of a header and chunks.
//!
//! ```text
//! "glTF" | 2 | length    | length "JSON" text, padded with spaces | length "BIN\0" bytes, padded with zeros
//!   4      4     4            4      4                                4      4
//! ```

use crate::{ErrorKind, ReadError};

pub(super) const MAGIC: &[u8] = b"glTF";
pub(super) const JSON_CHUNK: [u8; 4] = *b"JSON";
pub(super) const BIN_CHUNK: [u8; 4] = *b"BIN\0";
pub(super) const HEADER_BYTES: usize = 12;
pub(super) const CHUNK_HEADER_BYTES: usize = 8;
/// Larger files are neither read nor written, in bytes: the format ends at 4 GiB, and most programs at half of that, where
/// signed lengths do.
pub(super) const LARGEST: u64 = (1 << 31) - 1;

/// Refuses a file that is too large, in words.
pub(crate) fn check_size(n_bytes: u64) -> Result<(), String> {
    match n_bytes > LARGEST {
        true => Err(format!(
            "a glTF of {:.2} GiB; up to 2 GiB are read and written, as by most programs: smaller or compressed textures help",
            n_bytes as f64 / (1u64 << 30) as f64
        )),
        false => Ok(()),
    }
}

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
    check_size(length as u64).map_err(|message| ReadError::new(ErrorKind::Limit, message))?;
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

/// The header of a binary file and of its JSON chunk, and the JSON: what comes before the bytes. `n_more` is the size of all
/// chunks that follow, with their headers.
pub(super) fn begin_binary(json: &str, n_more: u64) -> Result<Vec<u8>, String> {
    let json_bytes = json.len().next_multiple_of(4);
    let length = (HEADER_BYTES + CHUNK_HEADER_BYTES + json_bytes) as u64 + n_more;
    check_size(length)?;
    let mut out = Vec::with_capacity(HEADER_BYTES + 2 * CHUNK_HEADER_BYTES + json_bytes);
    out.extend_from_slice(MAGIC);
    out.extend_from_slice(&2u32.to_le_bytes());
    out.extend_from_slice(&(length as u32).to_le_bytes());
    out.extend_from_slice(&(json_bytes as u32).to_le_bytes());
    out.extend_from_slice(&JSON_CHUNK);
    out.extend_from_slice(json.as_bytes());
    out.resize(HEADER_BYTES + CHUNK_HEADER_BYTES + json_bytes, b' ');
    Ok(out)
}

/// The header of a chunk of bytes.
pub(super) fn bin_header(n_bytes: u64) -> Vec<u8> {
    (n_bytes as u32).to_le_bytes().into_iter().chain(BIN_CHUNK).collect()
}

/// Wraps JSON and bytes as a binary file; `None` past the 2 GiB that programs take.
pub(super) fn join_binary(mut json: Vec<u8>, mut bin: Vec<u8>) -> Option<Vec<u8>> {
    json.resize(json.len().next_multiple_of(4), b' ');
    bin.resize(bin.len().next_multiple_of(4), 0);
    let chunks = [(json, JSON_CHUNK), (bin, BIN_CHUNK)];
    let chunks: Vec<_> = chunks.into_iter().filter(|(chunk, _)| !chunk.is_empty()).collect();
    let length = HEADER_BYTES + chunks.iter().map(|(chunk, _)| CHUNK_HEADER_BYTES + chunk.len()).sum::<usize>();
    let mut out = Vec::with_capacity(length);
    out.extend_from_slice(MAGIC);
    out.extend_from_slice(&2u32.to_le_bytes());
    check_size(length as u64).ok()?;
    out.extend_from_slice(&u32::try_from(length).ok()?.to_le_bytes());
    for (chunk, kind) in chunks {
        out.extend_from_slice(&u32::try_from(chunk.len()).ok()?.to_le_bytes());
        out.extend_from_slice(&kind);
        out.extend_from_slice(&chunk);
    }
    Some(out)
}
