//! Limits of footprints that come from a page instead of a file: the same as a plan's file has.

use crate::editor_plan::EditorPrint;
use crate::job_error::JobError;

/// Most footprints of an edited plan: a walk of an hour.
pub(crate) const MAX_EDITED_FOOTPRINTS: usize = 5_000;
/// Farthest from the origin, in metres.
const FARTHEST: f64 = 1e5;
/// Longest time, in seconds.
const LONGEST: f64 = 3600.0;

/// Refuses numbers that are none, or mean nothing.
pub(crate) fn check_footprint(print: &EditorPrint, index: usize) -> Result<(), JobError> {
    let fail = |field: &str, value: f64, needs: &str| {
        let message = format!("footprints[{index}].{field} is {value}; it must be {needs}");
        Err(JobError::new("range", message).at_footprint(index).at_field(format!("footprints[{index}].{field}")))
    };
    for value in print.position {
        if !value.is_finite() || value.abs() > FARTHEST {
            return fail("position", value, "within 100 km");
        }
    }
    if let Some(heading) = print.heading.filter(|heading| !heading.is_finite() || heading.abs() > 3600.0) {
        return fail("heading", heading, "an angle in degrees");
    }
    let times = [("land", print.land), ("leave", print.leave), ("swing", print.swing), ("support", print.support)];
    for (field, time) in times {
        if let Some(time) = time.filter(|time| !(0.0..=LONGEST).contains(time)) {
            return fail(field, time, "from 0 to 3600 s");
        }
    }
    if let Some(normal) = print.normal.filter(|normal| !normal.iter().all(|part| part.is_finite()) || normal[1] <= 0.0)
    {
        return fail("normal", normal[1], "a vector that points up");
    }
    Ok(())
}
