//! Takes: `*.take`, version 1: a motion between two commands, `surefoot signal equalize walk.bvh -o - | surefoot ...`.
//!
//! Whatever an import found out is in it, so that the next command knows what the first knew and nothing is guessed
//! again from an edited motion: the clip to the last bit, the body map with its soles, the foot contacts, a BVH's
//! channels, and what was assumed. It is `stream_shape` in the envelope of `sealed`. A motion is read completely or not at
//! all, also from a pipe: the command in front may have failed half-way.

use super::sealed::Seal;
use super::stream_shape::StoredTake;
use crate::{ErrorKind, Import, ReadError};

pub(super) const SEAL: Seal = Seal {
    magic: *b"\x89TAKE\0\r\n",
    version: 1,
    what: "take",
    made_by: "`surefoot signal` writes them, to - or to a name that ends in .take",
    remedy: "write it again",
    nonsense: ErrorKind::Take,
};

/// The ending of their files.
pub const TAKE_ENDING: &str = "take";

/// Writes a motion with all that is known of it. What was unusual about its file (warnings and diagnostics) is left out:
/// that was reported when the file was read.
pub fn write_take(import: &Import) -> Vec<u8> {
    SEAL.close(&StoredTake::of(import))
}

/// Whether bytes begin as a take does.
pub fn is_take(bytes: &[u8]) -> bool {
    SEAL.begins(bytes)
}

/// Reads a motion as it was written.
pub fn read_take(bytes: &[u8]) -> Result<Import, ReadError> {
    let (stored, n_bytes) = SEAL.open::<StoredTake<'_>>(bytes)?;
    stored.into_import(n_bytes).map_err(|what| ReadError::new(ErrorKind::Take, what))
}
