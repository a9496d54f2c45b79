//! Foot plans: `*.plan.json`, version 1.
//!
//! ```json
//! { "footplan": 1, "footprints": [
//!   { "foot": "left",  "position": [ 0.10, 0.0, 0.00], "heading": 0 },
//!   { "foot": "right", "position": [-0.10, 0.0, 0.00], "heading": 0 },
//!   { "foot": "left",  "position": [ 0.10, 0.0, 0.60], "heading": 0, "swing": 0.42, "support": 0.18 } ] }
//! ```
//!
//! Positions in metres, headings in degrees (0 is +Z, positive turns toward +X), times in seconds. `heading`, `swing` and
//! `support` are wishes and may be left out.

use super::fields::Field;
use super::json::parse_json;
use super::text::{degrees, number};
use crate::{ErrorKind, ReadError};
use std::fmt::Write;
use surefoot_contact::{FootPlan, Footprint, PlanError, PlanLimits};
use surefoot_geom::Vec3;
use surefoot_motion::Side;

const VERSION: u32 = 1;

/// Longest swing or support that means anything: an hour.
const MAX_SECONDS: f64 = 3600.0;

/// Reads a foot plan and checks that a person could walk it ([`FootPlan::check`] with the default limits).
pub fn read_plan(bytes: &[u8]) -> Result<FootPlan, ReadError> {
    let tree = parse_json(bytes)?;
    let root = Field::root(&tree);
    root.expect_version("footplan", VERSION, "\"footplan\": 1")?;
    root.expect_object(&["footplan", "footprints"])?;
    let list = root.required("footprints", "\"footprints\": [...]")?;
    let fields: Vec<Field<'_>> = list.items("a list of footprints")?.collect();
    let footprints = fields.iter().map(read_footprint).collect::<Result<Vec<_>, _>>()?;
    let plan = FootPlan { footprints };
    plan.check(&PlanLimits::default()).map_err(|error| {
        let line = error.footprint().and_then(|index| fields.get(index)).unwrap_or(&list).line();
        ReadError::at(kind_of(&error), line, error.to_string())
    })?;
    Ok(plan)
}

fn kind_of(error: &PlanError) -> ErrorKind {
    match error {
        PlanError::TooShort { .. } => ErrorKind::PlanTooShort,
        PlanError::NotFinite { .. } => ErrorKind::Nonfinite,
        PlanError::Duration { .. } => ErrorKind::Duration,
        PlanError::OneStandingFoot { .. } => ErrorKind::Foot,
        PlanError::TooFar { .. }
        | PlanError::TooHigh { .. }
        | PlanError::TooDeep { .. }
        | PlanError::TooFast { .. } => ErrorKind::Infeasible,
    }
}

fn read_footprint(field: &Field<'_>) -> Result<Footprint, ReadError> {
    field.expect_object(&["foot", "position", "heading", "swing", "support"])?;
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
    Ok(Footprint { heading, swing, support, ..Footprint::at(side, position) })
}

fn read_swing(field: &Field<'_>) -> Result<f64, ReadError> {
    let seconds = field.number_within(MAX_SECONDS, "s")?;
    if seconds <= 0.0 {
        return Err(field.error(ErrorKind::Duration, format!("{seconds} s; a swing takes more than 0 s, such as 0.4")));
    }
    Ok(seconds)
}

/// A runner never has both feet down: 0 is a good support.
fn read_support(field: &Field<'_>) -> Result<f64, ReadError> {
    let seconds = field.number_within(MAX_SECONDS, "s")?;
    if seconds < 0.0 {
        return Err(field.error(ErrorKind::Duration, format!("{seconds} s; a support takes 0 s or more, such as 0.16")));
    }
    Ok(seconds)
}

/// The plan as a file, a line for each footprint. Panics if a number is not finite.
pub fn write_plan(plan: &FootPlan) -> String {
    let mut out = format!("{{ \"footplan\": {VERSION}, \"footprints\": [");
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
    let wishes = [
        ("heading", footprint.heading.map(degrees)),
        ("swing", footprint.swing.map(number)),
        ("support", footprint.support.map(number)),
    ];
    for (name, value) in wishes {
        if let Some(value) = value {
            let _ = write!(out, ", \"{name}\": {value}");
        }
    }
    out.push_str(" }");
}
