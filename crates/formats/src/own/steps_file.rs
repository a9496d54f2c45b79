//! Step databases: `*.steps`, version 4 if they hold recorded flights besides steps, else 3. Version 2, whose steps are level, and version 1, whose frames had quaternions besides, are read
//! too.
//!
//! A database is megabytes of rows that nobody edits, so it is no text: `steps_shape` in the envelope of `sealed`.

use super::flights_shape::{StoredFlight, into_library};
use super::sealed::Seal;
use super::steps_shape::{FormerSteps, StoredSteps};
use crate::{ErrorKind, ReadError};
use surefoot_compose::FlightLibrary;
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
/// With flights.
const FOURTH: Seal = Seal { version: 4, ..SEAL };

/// Writes a step database.
pub fn write_steps(database: &StepDatabase) -> Vec<u8> {
    SEAL.close(&StoredSteps::of(database))
}

/// Writes a step database with the flights of the same recordings.
pub fn write_steps_and_flights(database: &StepDatabase, flights: &FlightLibrary) -> Vec<u8> {
    if flights.flights().is_empty() {
        return write_steps(database);
    }
    let stored: Vec<StoredFlight<'_>> = flights.flights().iter().map(StoredFlight::of).collect();
    FOURTH.close(&(StoredSteps::of(database), stored))
}

/// Reads a step database.
pub fn read_steps(bytes: &[u8]) -> Result<StepDatabase, ReadError> {
    Ok(read_steps_and_flights(bytes)?.0)
}

/// Reads a step database and the flights that it holds, which may be none.
pub fn read_steps_and_flights(bytes: &[u8]) -> Result<(StepDatabase, FlightLibrary), ReadError> {
    let is_of = |seal: &Seal| bytes.get(8..12) == Some(&seal.version.to_le_bytes()[..]);
    let mut stored = Vec::new();
    let database = if is_of(&FIRST) {
        FIRST.open::<FormerSteps<'_>>(bytes)?.0.into_database(FIRST.version)
    } else if is_of(&SECOND) {
        SECOND.open::<FormerSteps<'_>>(bytes)?.0.into_database(SECOND.version)
    } else if is_of(&FOURTH) {
        let ((steps, flights), _) = FOURTH.open::<(StoredSteps<'_>, Vec<StoredFlight<'_>>)>(bytes)?;
        stored = flights;
        steps.into_database(SEAL.version)
    } else {
        SEAL.open::<StoredSteps<'_>>(bytes)?.0.into_database(SEAL.version)
    };
    let wrong = |what: String| ReadError::new(ErrorKind::Steps, what);
    let database = database.map_err(wrong)?;
    let flights = into_library(stored, database.body().others().len()).map_err(wrong)?;
    Ok((database, flights))
}
