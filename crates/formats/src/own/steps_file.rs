//! Step databases: `*.steps`, version 1, the only binary file of our own.
//!
//! ```text
//! offset  bytes
//!      0      8  0x89 "STEPS" 0x0D 0x0A: no text begins so, and a transfer that changes line ends changes it
//!      8      4  version
//!     12      8  length of the contents
//!     20      8  XXH3-64 of the 20 bytes before it and of the contents
//!     28         contents: `steps_shape`, by postcard
//! ```
//!
//! Numbers are little-endian. A database is megabytes of rows that nobody edits, so it is no text; the checksum stands
//! in for the care that a text's reader takes. Every cut and every flipped bit is found before the contents are looked
//! at, and a length is believed only if that many bytes are there. What a file of the right checksum says is checked
//! all the same: files may be made by others.

use super::steps_shape::StoredSteps;
use crate::{ErrorKind, ReadError};
use surefoot_locomotion::steps::StepDatabase;
use xxhash_rust::xxh3::Xxh3Default;

const MAGIC: [u8; 8] = *b"\x89STEPS\r\n";
const VERSION: u32 = 1;
/// Before the contents.
const HEADER: usize = 28;
/// What the checksum covers of the header.
const CHECKED: usize = 20;

/// Writes a step database.
pub fn write_steps(database: &StepDatabase) -> Vec<u8> {
    let stored = StoredSteps::of(database);
    let mut bytes = Vec::with_capacity(HEADER);
    bytes.extend(MAGIC);
    bytes.extend(VERSION.to_le_bytes());
    // Length and checksum are known when the contents are.
    bytes.resize(HEADER, 0);
    let mut bytes = postcard::to_extend(&stored, bytes).expect("memory takes any bytes");
    let length = (bytes.len() - HEADER) as u64;
    bytes[12..CHECKED].copy_from_slice(&length.to_le_bytes());
    let checksum = checksum(&bytes[..CHECKED], &bytes[HEADER..]);
    bytes[CHECKED..HEADER].copy_from_slice(&checksum.to_le_bytes());
    bytes
}

/// Reads a step database.
pub fn read_steps(bytes: &[u8]) -> Result<StepDatabase, ReadError> {
    let contents = check_frame(bytes)?;
    let damaged = |what: String| ReadError::new(ErrorKind::Steps, what);
    let (stored, rest) = postcard::take_from_bytes::<StoredSteps<'_>>(contents)
        .map_err(|error| damaged(format!("the contents are no step database: {error}")))?;
    if !rest.is_empty() {
        return Err(damaged(format!("{} bytes follow the last step", rest.len())));
    }
    stored.into_database().map_err(damaged)
}

/// The contents, if the header is ours and they are whole.
fn check_frame(bytes: &[u8]) -> Result<&[u8], ReadError> {
    if bytes.is_empty() {
        return Err(ReadError::new(ErrorKind::Empty, "the file is empty"));
    }
    let n_magic = bytes.len().min(MAGIC.len());
    if bytes[..n_magic] != MAGIC[..n_magic] {
        let message = "this is no step database; `surefoot steps build` makes one from motion files";
        return Err(ReadError::new(ErrorKind::Format, message));
    }
    let version = bytes.get(8..12).map(|bytes| u32::from_le_bytes(bytes.try_into().expect("four bytes")));
    if let Some(version) = version.filter(|&version| version != VERSION) {
        let message =
            format!("the database has version {version}; this program reads version {VERSION}: build it anew");
        return Err(ReadError::new(ErrorKind::Version, message));
    }
    let cut = |message: String| ReadError::new(ErrorKind::UnexpectedEof, message);
    if bytes.len() < HEADER {
        return Err(cut(format!("the file is cut off within its header: {} of {HEADER} bytes", bytes.len())));
    }
    let number = |from: usize| u64::from_le_bytes(bytes[from..from + 8].try_into().expect("eight bytes"));
    let (length, contents) = (number(12), &bytes[HEADER..]);
    let n_contents = contents.len() as u64;
    if n_contents < length {
        return Err(cut(format!("the file is cut off: {n_contents} of {length} bytes of contents")));
    }
    if n_contents > length {
        let message = format!("{} bytes follow the end of the database", n_contents - length);
        return Err(ReadError::new(ErrorKind::Trailing, message));
    }
    if checksum(&bytes[..CHECKED], contents) != number(CHECKED) {
        let message =
            "the checksum is wrong: the file was damaged after it was written; build it anew, or copy it again";
        return Err(ReadError::new(ErrorKind::Checksum, message));
    }
    Ok(contents)
}

fn checksum(header: &[u8], contents: &[u8]) -> u64 {
    let mut hash = Xxh3Default::new();
    hash.update(header);
    hash.update(contents);
    hash.digest()
}
