//! Whether the ground under a path is level: recorded walks of a motion graph can be lifted, but not adapted to a slope or stairs.

use crate::job_error::JobError;
use surefoot_contact::Take;
use surefoot_geom::{Vec2, Vec3};
use surefoot_ground::{Path, Terrain};
use surefoot_motion::{Placement, Side, place};

/// Largest difference in height that counts as level, in metres: what a sole may be in the ground unseen.
const LEVEL: f64 = 0.002;
/// Distance between two looks at the ground along the path, in metres: less than the depth of a tread.
const SPACING: f64 = 0.05;
/// How far beside the path feet are planted, in metres: half of a stance and what walks stray from a path.
const BESIDE: f64 = 0.3;
/// Most looks at the ground along a path; of a longer one the spacing grows.
const MAX_LOOKS: usize = 200_000;

/// The height of the ground under a path, in metres, or an error with the first place that has another.
pub fn level_height(terrain: &Terrain, path: &Path) -> Result<f64, JobError> {
    let start = path.points.first().copied().unwrap_or(Vec2::ZERO);
    let height = terrain.height(start);
    let spacing = SPACING.max(path.length() / MAX_LOOKS as f64);
    let mut travelled = 0.0;
    for pair in path.points.windows(2) {
        let (along, length) = ((pair[1] - pair[0]).normalize_or_zero(), pair[0].distance(pair[1]));
        let beside = Vec2::new(along.y, -along.x) * BESIDE;
        let n_looks = (length / spacing).ceil().max(1.0) as usize;
        for look in 0..=n_looks {
            let at = pair[0].lerp(pair[1], look as f64 / n_looks as f64);
            for at in [at, at + beside, at - beside] {
                let found = terrain.height(at);
                // What is no number is not level.
                if (found - height).abs() > LEVEL || !found.is_finite() {
                    let metres = travelled + length * look as f64 / n_looks as f64;
                    return Err(uneven(at, found, height, metres));
                }
            }
        }
        travelled += length;
    }
    Ok(height)
}

fn uneven(at: Vec2, found: f64, height: f64, metres: f64) -> JobError {
    let message = format!(
        "the ground is not level under the path: at [{:.3}, {:.3}], {metres:.2} m along it, its height is {found:.3} m, and {height:.3} m \
         at the start; recorded walks of a graph are level: a path on one level would do, or steps and gait, which step over terrain \
         (`animate`, `go --with steps`)",
        at.x, at.y
    );
    JobError::new("uneven", message).at_field("terrain")
}

/// A take with its contacts moved up or down.
pub fn lift_take(take: &Take, height: f64) -> Take {
    let up = Vec3::new(0.0, height, 0.0);
    let mut lifted = take.clone();
    lifted.clip = place(&take.clip, Placement { translation: up, ..Placement::IDENTITY });
    for side in Side::BOTH {
        lifted.contacts.plants[side].iter_mut().for_each(|plant| plant.position += up);
    }
    lifted
}

#[cfg(test)]
mod tests {
    use super::*;
    use surefoot_ground::Stairs;

    fn path(points: &[[f64; 2]]) -> Path {
        Path { points: points.iter().map(|&point| point.into()).collect() }
    }

    #[test]
    fn level_ground_has_a_height_and_other_ground_is_refused_by_its_place() {
        let ahead = path(&[[0.0, 0.0], [0.0, 4.0]]);
        assert_eq!(level_height(&Terrain::flat(0.4), &ahead), Ok(0.4));
        let slope = Terrain::plane(Vec3::ZERO, Vec3::new(0.0, 1.0, -0.1)).unwrap();
        let error = level_height(&slope, &ahead).unwrap_err();
        assert!(error.message.contains("0.05 m along it") && error.kind == "uneven", "{error}");
        let stairs = Stairs { start: Vec2::new(0.0, 2.0), rise: 0.17, ..Stairs::default() };
        let stairs = Terrain::stairs(stairs).unwrap();
        let error = level_height(&stairs, &ahead).unwrap_err();
        assert!(error.message.contains("2.") && error.message.contains("0.170 m"), "{error}");
        assert_eq!(level_height(&stairs, &path(&[[0.0, 0.0], [0.0, 1.5]])), Ok(0.0));
    }
}
