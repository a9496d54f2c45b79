//! The unit of a file, from the length of a leg.
//!
//! Thigh plus shin of a person is 0.6 to 1.1 m. The units in use lie far enough apart that at most one of them makes a leg of
//! that length, but for a sliver between CMU's unit and the decimetre, where the one nearer to an adult's 0.83 m is taken.

use super::Reason;
use crate::Document;
use std::ops::RangeInclusive;
use surefoot_motion::{BodyMap, WorldPose};

/// A unit of length.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Unit {
    /// What people call it; empty for a number of the user's own.
    pub name: &'static str,
    /// Metres in one unit.
    pub to_metre: f64,
}

/// The units that motion files are found in. CMU's is 1/0.45 inch; the last is what an FBX in centimetres becomes when its
/// armature is scaled by 100 once too often.
pub const UNITS: [Unit; 8] = [
    Unit { name: "cm", to_metre: 0.01 },
    Unit { name: "m", to_metre: 1.0 },
    Unit { name: "mm", to_metre: 0.001 },
    Unit { name: "inch", to_metre: 0.0254 },
    Unit { name: "cmu", to_metre: 0.0254 / 0.45 },
    Unit { name: "foot", to_metre: 0.3048 },
    Unit { name: "dm", to_metre: 0.1 },
    Unit { name: "cm/100", to_metre: 0.0001 },
];

/// Thigh plus shin of a person, in metres.
pub(super) const LEG: RangeInclusive<f64> = 0.6..=1.1;
/// And of most grown people.
const ADULT_LEG: f64 = 0.83;

impl Unit {
    /// The unit of a size: a known one, or one without a name.
    pub fn of_size(to_metre: f64) -> Unit {
        let known = UNITS.iter().find(|unit| (unit.to_metre - to_metre).abs() < 1e-4 * to_metre);
        known.copied().unwrap_or(Unit { name: "", to_metre })
    }
}

/// Its name, or its size.
impl std::fmt::Display for Unit {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.name.is_empty() { write!(f, "{} m", self.to_metre) } else { f.write_str(self.name) }
    }
}

/// What could not be settled.
pub(super) enum UnitNote {
    /// The declared unit makes no person, and no other does either.
    Implausible { leg: f64 },
    /// The declared unit makes no person, but the chosen one does.
    Overruled { declared: Unit, leg: f64 },
}

/// The unit, how it was decided, and what is unusual about it.
pub(super) fn choose(
    document: &Document,
    body: Option<&BodyMap>,
    given: Option<f64>,
) -> (Unit, Reason, Option<UnitNote>) {
    if let Some(size) = given {
        return (Unit::of_size(size), Reason::Given, None);
    }
    let raw = body.map(|body| leg_length(document, body));
    let plausible = raw.and_then(from_leg);
    match (document.unit_to_metre.map(Unit::of_size), raw) {
        (Some(declared), None) => (declared, Reason::Declared, None),
        (Some(declared), Some(raw)) => {
            let leg = raw * declared.to_metre;
            match plausible {
                _ if LEG.contains(&leg) => (declared, Reason::Declared, None),
                Some(unit) => (unit, Reason::Found, Some(UnitNote::Overruled { declared, leg })),
                None => (declared, Reason::Declared, Some(UnitNote::Implausible { leg })),
            }
        }
        (None, Some(raw)) => match plausible {
            Some(unit) => (unit, Reason::Found, None),
            None => (UNITS[0], Reason::Usual, Some(UnitNote::Implausible { leg: raw * UNITS[0].to_metre })),
        },
        (None, None) => (UNITS[0], Reason::Usual, None),
    }
}

/// The unit that makes a leg of this length a person's.
fn from_leg(raw: f64) -> Option<Unit> {
    let fitting = UNITS.iter().filter(|unit| LEG.contains(&(raw * unit.to_metre)));
    let miss = |unit: &&Unit| (raw * unit.to_metre / ADULT_LEG).ln().abs();
    fitting.min_by(|a, b| miss(a).total_cmp(&miss(b))).copied()
}

/// Thigh plus shin in the file's unit: of the first frame if there is one, for positions in the motion replace offsets.
fn leg_length(document: &Document, body: &BodyMap) -> f64 {
    let rest = document.skeleton.rest_pose();
    let pose = document.poses.first().unwrap_or(rest.view());
    body.leg_length_in(&WorldPose::new(&document.skeleton, pose))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_unit_is_found_for_children_and_giants() {
        for unit in UNITS {
            for leg in [0.65, 0.75, 0.83, 0.95, 1.05] {
                assert_eq!(from_leg(leg / unit.to_metre), Some(unit), "{} {leg}", unit.name);
            }
        }
        assert_eq!(from_leg(2e-4), None);
        assert_eq!(from_leg(1e6), None);
    }
}
