//! Recorded slopes: how the ground leans under the feet of a step.
//!
//! Rows are of feet on level ground; a walk turns them onto the planes of its own footprints. A foot that was recorded on a slope shows
//! that slope in its rotation, and would be turned by both. Recordings have no ground, but on a slope feet lie along the line from one
//! place of a foot to its next one, and on stairs they do not:
//!
//! ```text
//!              ___/                      ___
//!        ___/.                     ___.|          share 1: a slope, share 0: a stair
//!   ___/.                     ___.|
//! ```
//!
//! 1. The line of a step that goes up or down ([`SlopeLine::new`]).
//! 2. How much of its pitch a flat foot has, as a share; the ground under that foot leans by that share ([`SlopeLine::tilt_under`]).
//!
//! Limits: what leans across the way is not seen.

use super::LinearBody;
use surefoot_geom::{Quat, Vec3, heading_direction};

/// Lines that rise by less than this a metre are level: errors of recorded feet are as large.
const LEAST_RISE: f64 = 0.02;
/// Places that are nearer to each other over the ground make a line as if they were as far apart, in metres.
const SHORTEST_LINE: f64 = 0.1;
/// Most of the line's slope that a foot has: where a slope begins, the line is less steep than the ground at its end.
const MOST_OF_LINE: f64 = 2.0;

/// The line from where a foot stood to where it stands next, if it goes up or down.
pub(super) struct SlopeLine {
    /// The tilt of ground that follows it, as a rotation vector from the level.
    tilt: Vec3,
    /// Which way it goes on the level, and how much it rises a metre.
    direction: Vec3,
    rise: f64,
}

impl SlopeLine {
    /// `None` on level ground.
    pub(super) fn new(from: Vec3, to: Vec3) -> Option<SlopeLine> {
        let way = Vec3::new(to.x - from.x, 0.0, to.z - from.z);
        let rise = (to.y - from.y) / way.length().max(SHORTEST_LINE);
        let direction = way.try_normalize().filter(|_| rise.abs() > LEAST_RISE)?;
        // About the axis across it, so that what is ahead rises.
        Some(SlopeLine { tilt: direction.cross(Vec3::Y) * rise.atan(), direction, rise })
    }

    /// How the ground leans under a foot, by its rotations while it lies flat; `None` if it never does, or lies across the line.
    pub(super) fn tilt_under(&self, body: &LinearBody, flat: impl Iterator<Item = Quat>) -> Option<Vec3> {
        let (mut shares, mut n) = (0.0, 0.0);
        for foot in flat {
            let expected = (self.rise * self.direction.dot(heading_direction(body.foot_heading(foot)))).atan();
            if expected.abs() > LEAST_RISE.atan() {
                shares += (foot * Vec3::Z).y.clamp(-1.0, 1.0).asin() / expected;
                n += 1.0;
            }
        }
        (n > 0.0).then(|| self.tilt * (shares / n).clamp(0.0, MOST_OF_LINE))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use surefoot_contact::{WalkerOptions, synthetic_walk};
    use surefoot_motion::fit_knee_axes;

    #[test]
    fn feet_show_a_slope_and_lie_level_on_stairs() {
        let walk = synthetic_walk(&WalkerOptions::default());
        let clip = &walk.take.clip;
        let axes = fit_knee_axes(clip, &walk.take.body);
        let means = vec![Quat::IDENTITY; clip.skeleton.n_joints()];
        let body = LinearBody::new(clip.skeleton.clone(), walk.take.body.clone(), &axes, &means);
        for heading in [0.0, 1.0, -2.5] {
            for pitch in [0.15_f64, -0.15] {
                let ahead = heading_direction(heading);
                let line = SlopeLine::new(Vec3::ZERO, ahead + Vec3::Y * pitch.tan()).unwrap();
                let slope = Quat::from_axis_angle(ahead.cross(Vec3::Y), pitch);
                // The foot is turned out.
                let level = body.flat(heading + 0.2);
                let under = |foot: Quat| line.tilt_under(&body, std::iter::once(foot)).unwrap();
                let left = surefoot_geom::rotation::exp_map(-under(slope * level)) * (slope * level);
                let pitched = (left * Vec3::Z).y.asin().abs();
                assert!(pitched < 0.01, "{heading} {pitch}: {pitched}");
                assert_eq!(under(level).length(), 0.0, "a stair");
                assert!(line.tilt_under(&body, std::iter::empty()).is_none());
            }
        }
        assert!(SlopeLine::new(Vec3::ZERO, Vec3::new(0.3, 0.001, 0.5)).is_none());
    }
}
