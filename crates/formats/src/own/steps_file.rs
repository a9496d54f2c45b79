//! Step databases: `*.steps`, version 3. Version 2, whose steps are level, and version 1, whose frames had quaternions besides, are read
//! too.
//!
//! A database is megabytes of rows that nobody edits, so it is no text: `steps_shape` in the envelope of `sealed`.

use super::sealed::Seal;
use super::steps_shape::{FormerSteps, StoredSteps};
use crate::{ErrorKind, ReadError};
use surefoot_steps::StepDatabase;

pub(super) const SEAL: Seal = Seal {
    magic: *b"\x89STEPS\r\n",
    version: 3,
    what: "step database",
    made_by: "`surefoot steps build` makes one from motion files",
    remedy: "build it again",
    nonsense: ErrorKind::Steps,
};

const FIRST: Seal = Seal { version: 1, ..SEAL };
const SECOND: Seal = Seal { version: 2, ..SEAL };

/// Writes a step database.
pub fn write_steps(database: &StepDatabase) -> Vec<u8> {
    SEAL.close(&StoredSteps::of(database))
}

/// Reads a step database.
pub fn read_steps(bytes: &[u8]) -> Result<StepDatabase, ReadError> {
    let is_of = |seal: &Seal| bytes.get(8..12) == Some(&seal.version.to_le_bytes()[..]);
    let database = if is_of(&FIRST) {
        FIRST.open::<FormerSteps<'_>>(bytes)?.0.into_database(FIRST.version)
    } else if is_of(&SECOND) {
        SECOND.open::<FormerSteps<'_>>(bytes)?.0.into_database(SECOND.version)
    } else {
        SEAL.open::<StoredSteps<'_>>(bytes)?.0.into_database(SEAL.version)
    };
    database.map_err(|what| ReadError::new(ErrorKind::Steps, what))
}
