//! Foot plans: `*.plan.json`, version 2.
//!
//! ```json
//! { "footplan": 2, "footprints": [
//!   { "foot": "left",  "position": [ 0.10, 0.0, 0.00], "heading": 0, "leave": 0.5 },
//!   { "foot": "right", "position": [-0.10, 0.0, 0.00], "heading": 0, "leave": 1.1 },
//!   { "foot": "left",  "position": [ 0.10, 0.0, 0.60], "heading": 0, "land": 0.9, "leave": 1.6 } ] }
//! ```
//!
//! Positions in metres, headings in degrees (0 is +Z, positive turns toward +X), times in seconds. `foot` and `position` are
//! hard constraints, everything else is a soft target and may be left out:
//!
//! - `land`, `leave`: when the foot lands and leaves, from the first frame. A gap between stances is a flight.
//! - `swing`, `support`: the same relative to the steps around: seconds in the air before it, and with both feet planted after
//!   landing; a support of 0 means that the landing ends a flight.
//! - `normal`: upward normal of the ground, `[0, 1, 0]` unless given.
//! - `behaviour`: `walk`, `run`, `jump`, `hop`, `stair` or `stand` (the first two), where it shall not be inferred.
//! - `fixed`: `true` where repair must leave the footprint where it is.
//!
//! Version 1 has `swing` and `support` alone, with the same meaning. It is read as before, and written where it suffices.

use super::fields::Field;
use super::json::parse_json;
use super::text::{degrees, number};
use crate::{ErrorKind, ReadError};
use std::fmt::Write;
use surefoot_geom::Vec3;
use surefoot_motion::Side;
use surefoot_plan::{Behaviour, FootPlan, Footprint, PlanChecker, PlanError};

const VERSION: u32 = 2;

/// Fields of a footprint by version.
const FIELDS: [&[&str]; 2] = [
    &["foot", "position", "heading", "swing", "support"],
    &["foot", "position", "heading", "swing", "support", "land", "leave", "normal", "behaviour", "fixed"],
];

/// Longest time that means anything: an hour.
const MAX_SECONDS: f64 = 3600.0;

/// Reads a foot plan and checks that some person could step it ([`PlanChecker`] without a body and a world).
pub fn read_plan(bytes: &[u8]) -> Result<FootPlan, ReadError> {
    read_checked(bytes, |plan| PlanChecker::default().check(plan))
}

/// Reads a foot plan that nobody may be able to step, to be repaired: its numbers are checked, not its steps.
pub fn read_plan_to_repair(bytes: &[u8]) -> Result<FootPlan, ReadError> {
    read_checked(bytes, |plan| {
        let checker = PlanChecker::default();
        let prints = &plan.footprints;
        if prints.len() < 2 {
            return Err(PlanError::TooShort { found: prints.len() });
        }
        prints.iter().enumerate().try_for_each(|(index, print)| checker.check_numbers(index, print))
    })
}

fn read_checked(bytes: &[u8], check: impl Fn(&FootPlan) -> Result<(), PlanError>) -> Result<FootPlan, ReadError> {
    let tree = parse_json(bytes)?;
    let root = Field::root(&tree);
    let version = root.expect_versions("footplan", 1..=VERSION, "\"footplan\": 2")?;
    root.expect_object(&["footplan", "footprints"])?;
    let list = root.required("footprints", "\"footprints\": [...]")?;
    let fields: Vec<Field<'_>> = list.items("a list of footprints")?.collect();
    let read =
        |(index, field)| read_footprint(field, version).map_err(|error| ReadError { footprint: Some(index), ..error });
    let footprints = fields.iter().enumerate().map(read).collect::<Result<Vec<_>, _>>()?;
    let plan = FootPlan { footprints };
    check(&plan).map_err(|error| {
        let line = error.footprint().and_then(|index| fields.get(index)).unwrap_or(&list).line();
        ReadError { footprint: error.footprint(), ..ReadError::at(plan_error_kind(&error), line, error.to_string()) }
    })?;
    Ok(plan)
}

/// What is wrong with a plan, whether it was found in its file or by a synthesizer.
pub fn plan_error_kind(error: &PlanError) -> ErrorKind {
    match error {
        PlanError::TooShort { .. } => ErrorKind::PlanTooShort,
        PlanError::NotFinite { .. } => ErrorKind::Nonfinite,
        PlanError::Duration { .. }
        | PlanError::TwoTimings { .. }
        | PlanError::LeavesBeforeLanding { .. }
        | PlanError::OutOfOrder { .. } => ErrorKind::Duration,
        PlanError::OneStandingFoot { .. } => ErrorKind::Foot,
        _ => ErrorKind::Infeasible,
    }
}

fn read_footprint(field: &Field<'_>, version: u32) -> Result<Footprint, ReadError> {
    field.expect_object(FIELDS[usize::from(version > 1)])?;
    let foot = field.required("foot", "\"foot\": \"left\"")?;
    let side = match foot.text()? {
        "left" => Side::Left,
        "right" => Side::Right,
        other => {
            let message = format!("found \"{}\", needs \"left\" or \"right\"", super::fields::shortened(other));
            return Err(foot.error(ErrorKind::Foot, message));
        }
    };
    let position = Vec3::from(field.required("position", "\"position\": [0.1, 0, 0.6]")?.coordinates::<3>()?);
    let heading = field.optional("heading").map(|heading| heading.heading()).transpose()?;
    let swing = field.optional("swing").map(|swing| read_swing(&swing)).transpose()?;
    let support = field.optional("support").map(|support| read_support(&support)).transpose()?;
    let land = field.optional("land").map(|land| read_time(&land)).transpose()?;
    let leave = field.optional("leave").map(|leave| read_time(&leave)).transpose()?;
    let normal = field.optional("normal").map(|normal| read_normal(&normal)).transpose()?.unwrap_or(Vec3::Y);
    let behaviour = field.optional("behaviour").map(|behaviour| read_behaviour(&behaviour)).transpose()?;
    let is_fixed = field.optional("fixed").map(|fixed| fixed.boolean()).transpose()?.unwrap_or(false);
    Ok(Footprint { side, position, normal, heading, land, leave, swing, support, behaviour, is_fixed })
}

fn read_time(field: &Field<'_>) -> Result<f64, ReadError> {
    let seconds = field.number_within(MAX_SECONDS, "s")?;
    if seconds < 0.0 {
        return Err(
            field.error(ErrorKind::Duration, format!("{seconds} s; times count from the first frame, so 0 or more"))
        );
    }
    Ok(seconds)
}

/// Normals may be given with any length.
fn read_normal(field: &Field<'_>) -> Result<Vec3, ReadError> {
    let normal = Vec3::from(field.coordinates::<3>()?);
    // One that has length 1 already is not rounded once more.
    let unit = if (normal.length() - 1.0).abs() < 1e-12 { normal } else { normal.normalize_or_zero() };
    if unit.y <= 0.0 {
        let message =
            format!("[{}, {}, {}] does not point up; level ground has [0, 1, 0]", normal.x, normal.y, normal.z);
        return Err(field.error(ErrorKind::OutOfRange, message));
    }
    Ok(unit)
}

fn read_behaviour(field: &Field<'_>) -> Result<Behaviour, ReadError> {
    let text = field.text()?;
    Behaviour::ALL.into_iter().find(|behaviour| behaviour.name() == text).ok_or_else(|| {
        let names = Behaviour::ALL.map(|behaviour| format!("\"{}\"", behaviour.name())).join(", ");
        let message = format!("found \"{}\", needs one of {names}", super::fields::shortened(text));
        field.error(ErrorKind::Type, message)
    })
}

fn read_swing(field: &Field<'_>) -> Result<f64, ReadError> {
    let seconds = field.number_within(MAX_SECONDS, "s")?;
    if seconds <= 0.0 {
        return Err(field.error(ErrorKind::Duration, format!("{seconds} s; a swing takes more than 0 s, such as 0.4")));
    }
    Ok(seconds)
}

/// A runner never has both feet planted: 0 is a good support.
fn read_support(field: &Field<'_>) -> Result<f64, ReadError> {
    let seconds = field.number_within(MAX_SECONDS, "s")?;
    if seconds < 0.0 {
        return Err(field.error(ErrorKind::Duration, format!("{seconds} s; a support takes 0 s or more, such as 0.16")));
    }
    Ok(seconds)
}

/// The plan as a file, a line for each footprint, in the oldest version that holds it, so that other programs can read it.
/// Panics if a number is not finite.
pub fn write_plan(plan: &FootPlan) -> String {
    let is_old = |print: &Footprint| {
        print.land.or(print.leave).is_none() && print.behaviour.is_none() && print.normal == Vec3::Y && !print.is_fixed
    };
    let version = if plan.footprints.iter().all(is_old) { 1 } else { VERSION };
    let mut out = format!("{{ \"footplan\": {version}, \"footprints\": [");
    for (index, footprint) in plan.footprints.iter().enumerate() {
        out.push_str(if index == 0 { "\n  " } else { ",\n  " });
        write_footprint(&mut out, footprint);
    }
    out.push_str("\n] }\n");
    out
}

fn write_footprint(out: &mut String, footprint: &Footprint) {
    let foot = format!("\"{}\",", footprint.side.name());
    let [x, y, z] = footprint.position.to_array().map(number);
    // Writing to a string cannot fail.
    let _ = write!(out, "{{ \"foot\": {foot:<8} \"position\": [{x}, {y}, {z}]");
    let targets = [
        ("heading", footprint.heading.map(degrees)),
        ("land", footprint.land.map(number)),
        ("leave", footprint.leave.map(number)),
        ("swing", footprint.swing.map(number)),
        ("support", footprint.support.map(number)),
        ("normal", (footprint.normal != Vec3::Y).then(|| vector(footprint.normal))),
        ("behaviour", footprint.behaviour.map(|behaviour| format!("\"{}\"", behaviour.name()))),
        ("fixed", footprint.is_fixed.then(|| "true".to_string())),
    ];
    for (name, value) in targets {
        if let Some(value) = value {
            let _ = write!(out, ", \"{name}\": {value}");
        }
    }
    out.push_str(" }");
}

fn vector(v: Vec3) -> String {
    let [x, y, z] = v.to_array().map(number);
    format!("[{x}, {y}, {z}]")
}
