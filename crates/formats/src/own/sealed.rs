//! The envelope of our binary files: step databases, motion graphs and takes.
//!
//! ```text
//! offset  bytes
//!      0      8  0x89, the kind in capitals, 0x0D 0x0A: no text begins so, and a transfer as text changes it
//!      8      4  version
//!     12      8  length of the contents
//!     20      8  XXH3-64 of the 20 bytes before it and of the contents
//!     28         contents, by postcard
//! ```
//!
//! Numbers are little-endian. The checksum stands in for the care that a text's reader takes: every cut and every
//! flipped bit is found before the contents are looked at, and a length is believed only if that many bytes are there.
//! What a file of the right checksum says is checked all the same: files may be made by others.

use crate::{ErrorKind, ReadError};
use serde::Serialize;
use serde::de::Deserialize;
use xxhash_rust::xxh3::Xxh3Default;

/// Before the contents.
const HEADER: usize = 28;
/// What the checksum covers of the header.
const CHECKED: usize = 20;

/// A kind of binary file.
pub(super) struct Seal {
    pub(super) magic: [u8; 8],
    pub(super) version: u32,
    /// In messages: `step database`.
    pub(super) what: &'static str,
    /// What to do for a file that is none: "`surefoot ...` makes one".
    pub(super) made_by: &'static str,
    /// What to do for one that is damaged or of another version: `build it again`.
    pub(super) remedy: &'static str,
    /// What contents that make no sense are.
    pub(super) nonsense: ErrorKind,
}

impl Seal {
    /// A complete file.
    pub(super) fn close(&self, contents: &impl Serialize) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(HEADER);
        bytes.extend(self.magic);
        bytes.extend(self.version.to_le_bytes());
        bytes.resize(HEADER, 0);
        seal(postcard::to_extend(contents, bytes).expect("memory takes any bytes"))
    }

    /// A complete file of contents that are already bytes, right or not.
    #[cfg(test)]
    pub(super) fn close_contents(&self, contents: &[u8]) -> Vec<u8> {
        seal([&self.magic[..], &self.version.to_le_bytes(), &[0; HEADER - 12], contents].concat())
    }

    /// Whether bytes begin as such a file does.
    pub(super) fn begins(&self, bytes: &[u8]) -> bool {
        bytes.starts_with(&self.magic)
    }

    /// The contents, if the file is ours, complete and undamaged, and how many bytes they take.
    pub(super) fn open<'a, T: Deserialize<'a>>(&self, bytes: &'a [u8]) -> Result<(T, usize), ReadError> {
        let contents = self.check_frame(bytes)?;
        let (stored, rest) = postcard::take_from_bytes::<T>(contents)
            .map_err(|error| ReadError::new(self.nonsense, format!("the contents are no {}: {error}", self.what)))?;
        if !rest.is_empty() {
            return Err(ReadError::new(self.nonsense, format!("{} bytes of the contents mean nothing", rest.len())));
        }
        Ok((stored, contents.len()))
    }

    fn check_frame<'a>(&self, bytes: &'a [u8]) -> Result<&'a [u8], ReadError> {
        let Seal { magic, version: ours, what, made_by, remedy, .. } = self;
        if bytes.is_empty() {
            return Err(ReadError::new(ErrorKind::Empty, "the file is empty"));
        }
        let n_magic = bytes.len().min(magic.len());
        if bytes[..n_magic] != magic[..n_magic] {
            return Err(ReadError::new(ErrorKind::Format, format!("this is no {what}; {made_by}")));
        }
        let version = bytes.get(8..12).map(|bytes| u32::from_le_bytes(bytes.try_into().expect("four bytes")));
        if let Some(version) = version.filter(|version| version != ours) {
            let message = format!("the {what} has version {version}; this program reads version {ours}: {remedy}");
            return Err(ReadError::new(ErrorKind::Version, message));
        }
        let cut = |message: String| ReadError::new(ErrorKind::UnexpectedEof, message);
        if bytes.len() < HEADER {
            return Err(cut(format!("the {what} is cut off within its header: {} of {HEADER} bytes", bytes.len())));
        }
        let number = |from: usize| u64::from_le_bytes(bytes[from..from + 8].try_into().expect("eight bytes"));
        let (length, contents) = (number(12), &bytes[HEADER..]);
        let n_contents = contents.len() as u64;
        if n_contents < length {
            return Err(cut(format!("the {what} is cut off: {n_contents} of {length} bytes of contents")));
        }
        if n_contents > length {
            let message = format!("{} bytes follow the end of the {what}", n_contents - length);
            return Err(ReadError::new(ErrorKind::Trailing, message));
        }
        if checksum(&bytes[..CHECKED], contents) != number(CHECKED) {
            let message = format!(
                "the checksum is wrong: the {what} was damaged after it was written; {remedy}, or copy it again"
            );
            return Err(ReadError::new(ErrorKind::Checksum, message));
        }
        Ok(contents)
    }
}

/// Fills in length and checksum, which are known when the contents are.
fn seal(mut bytes: Vec<u8>) -> Vec<u8> {
    let length = (bytes.len() - HEADER) as u64;
    bytes[12..CHECKED].copy_from_slice(&length.to_le_bytes());
    let checksum = checksum(&bytes[..CHECKED], &bytes[HEADER..]);
    bytes[CHECKED..HEADER].copy_from_slice(&checksum.to_le_bytes());
    bytes
}

fn checksum(header: &[u8], contents: &[u8]) -> u64 {
    let mut hash = Xxh3Default::new();
    hash.update(header);
    hash.update(contents);
    hash.digest()
}
