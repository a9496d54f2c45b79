//! Step databases: `*.steps`, version 2. Version 1, whose frames had quaternions, is read too.
//!
//! A database is megabytes of rows that nobody edits, so it is no text: `steps_shape` in the envelope of `sealed`.

use super::sealed::Seal;
use super::steps_shape::StoredSteps;
use crate::{ErrorKind, ReadError};
use surefoot_steps::StepDatabase;

pub(super) const SEAL: Seal = Seal {
    magic: *b"\x89STEPS\r\n",
    version: 2,
    what: "step database",
    made_by: "`surefoot steps build` makes one from motion files",
    remedy: "build it again",
    nonsense: ErrorKind::Steps,
};

const FIRST: Seal = Seal { version: 1, ..SEAL };

/// Writes a step database.
pub fn write_steps(database: &StepDatabase) -> Vec<u8> {
    SEAL.close(&StoredSteps::of(database))
}

/// Reads a step database.
pub fn read_steps(bytes: &[u8]) -> Result<StepDatabase, ReadError> {
    let is_first = bytes.get(8..12) == Some(&FIRST.version.to_le_bytes()[..]);
    let (stored, _) = if is_first { &FIRST } else { &SEAL }.open::<StoredSteps<'_>>(bytes)?;
    stored.into_database(is_first).map_err(|what| ReadError::new(ErrorKind::Steps, what))
}
