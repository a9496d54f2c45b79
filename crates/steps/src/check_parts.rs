//! What must hold of a database's parts, whoever made them: a file of the right checksum may still hold anything.
//!
//! After this every number is finite and of a size that a body could have, every rotation is one, and the kernels that
//! blend steps are total: no leg without length, no rotation without direction, no sum of f32 that overflows.

use super::{CanonicalStep, DatabaseError, DatabaseParts, N_ROWS, RowLayout};
use surefoot_motion::{Side, WorldPose};

/// Thighs and shins in metres: shorter ones have no direction, longer ones are none.
const BONES: std::ops::RangeInclusive<f64> = 1e-6..=1e6;
/// How far a knee's axis may be from unit length.
const AXIS_TOLERANCE: f64 = 1e-3;
/// Farthest that anything of a step is from its supporting foot, in leg lengths. Steps reach two.
const FARTHEST: f64 = 50.0;
/// Largest angle in radians: of headings, of knees about hip and ankle, of joints about their means. They are kept within a turn.
const LARGEST_ANGLE: f64 = 4.0 * std::f64::consts::PI;
/// Durations of swings and of double supports, in seconds.
const SWINGS: std::ops::RangeInclusive<f64> = 1e-3..=3600.0;
const SUPPORTS: std::ops::RangeInclusive<f64> = 0.0..=3600.0;

/// Whether the legs are legs and the means rotations.
pub(super) fn check_body(parts: &DatabaseParts) -> Result<(), DatabaseError> {
    let (n_means, n_joints) = (parts.means.len(), parts.skeleton.n_joints());
    if n_means != n_joints {
        return Err(DatabaseError::Means { n_means, n_joints });
    }
    let rest = WorldPose::new(&parts.skeleton, &parts.skeleton.rest_pose());
    for side in Side::BOTH {
        let wrong = |what, value| Err(DatabaseError::Leg { side, what, value });
        let leg = &parts.body.legs[side];
        let [thigh, shin] = [(leg.hip, leg.knee), (leg.knee, leg.ankle)]
            .map(|(upper, lower)| rest.position(lower) - rest.position(upper));
        for (what, bone) in [("the length of its thigh", thigh), ("the length of its shin", shin)] {
            if !BONES.contains(&bone.length()) {
                return wrong(what, bone.length());
            }
        }
        let axis = parts.knee_axes[side];
        if !is_about(axis.length(), AXIS_TOLERANCE) {
            return wrong("the length of its knee's axis, which should be 1,", axis.length());
        }
        // A thigh along the hinge's axis could not be bent.
        let across = (rest[leg.hip].rotation.conjugate() * thigh).normalize().cross(axis).length();
        if across.is_nan() || across <= AXIS_TOLERANCE {
            return wrong("the sine of the angle from its thigh to its knee's axis", across);
        }
    }
    Ok(())
}

/// Whether a step is one that a body with legs of that length could take.
pub(super) fn check_step(step: &CanonicalStep, layout: RowLayout, leg: f64) -> Result<(), String> {
    let (found, wanted) = (step.rows.len(), N_ROWS * layout.width());
    if found != wanted {
        return Err(format!("it has {found} numbers for its frames; the skeleton has {wanted}"));
    }
    let times = [("first support", step.times.first, &SUPPORTS), ("swing", step.times.swing, &SWINGS)];
    for (what, seconds, range) in times.into_iter().chain([("last support", step.times.last, &SUPPORTS)]) {
        if !range.contains(&seconds) {
            return Err(format!("its {what} lasts {seconds} s; {} to {} would do", range.start(), range.end()));
        }
    }
    let farthest = FARTHEST * leg;
    for parameter in step.point().to_array() {
        check_size("a place of its swinging foot", parameter, farthest)?;
    }
    for height in step.heights {
        check_size("a height of its swinging foot", height, farthest)?;
    }
    for heading in step.headings {
        check_size("a heading", heading, LARGEST_ANGLE)?;
    }
    step.rows.chunks_exact(layout.width()).enumerate().try_for_each(|(row, numbers)| {
        RowLayout::check(numbers, farthest, LARGEST_ANGLE).map_err(|what| format!("row {row}: {what}"))
    })
}

/// Whether a length is 1, but for a tolerance. Not if it is NaN.
fn is_about(length: f64, tolerance: f64) -> bool {
    (length - 1.0).abs() <= tolerance
}

/// Not larger than that, and not NaN.
fn check_size(what: &str, number: f64, most: f64) -> Result<(), String> {
    match number.abs() <= most {
        true => Ok(()),
        false => Err(format!("{what} is {number}; no more than {most:.1} would do")),
    }
}
