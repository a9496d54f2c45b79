//! How head and trunk are held over a step: where the eyes look, and the sway of someone who limps.
//!
//! 1. Where the head points is an angle against the body's heading and one downward. By default people look where they will be:
//!    the head turns into a curve before the body does. Walking around corners it leads by up to a second (R. Grasso et al. 1998,
//!    Neurosci Lett 253), on circles by 0.2 s (R. Grasso et al. 1996, Neuroreport 7); [`LOOK_AHEAD`] lies between. A step knows
//!    the footprint after it, so the head begins to turn one step before the body.
//! 2. A point or an angle replaces that. A point behind the body is let go, and what is further aside than a neck turns is
//!    looked at as far as it turns.
//! 3. The attitude is in the world: the turning trunk below it does not move the head. It nods against the bob of the body, so
//!    that the gaze rests on a point [`FIXATION`] ahead.
//! 4. Where what is looked at changes from one step to the next, the difference fades over the step: nothing jumps.
//!
//! The paper has the head face ahead; so it does with [`Kinematics::Plain`](super::Kinematics) unless a gaze is asked for.

use super::spline::{Knot, Spline};
use std::f64::consts::PI;
use surefoot_geom::{Quat, Vec3, ground_point, heading_direction, smoothstep, turn_between};

/// Where someone looks.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Gaze {
    /// Where the body faces, as in the paper.
    Facing,
    /// Where the body will go: into turns.
    #[default]
    Ahead,
    /// To a side of where the body faces, positive to the left, in radians; at most 70 degrees.
    Turned(f64),
    /// At a point, as far as the neck turns; ahead where the point is behind.
    At(Vec3),
}

/// Seconds by which the head is ahead of the body in a turn. Ours, between the 0.2 s and 1 s of the studies above.
const LOOK_AHEAD: f64 = 0.5;
/// Furthest that a head turns against the body's heading, in radians (70 degrees).
pub(super) const MAX_YAW: f64 = 1.22;
/// Furthest that it turns into a curve, in radians (45 degrees).
const MAX_AHEAD: f64 = 0.785;
/// Furthest that it nods down and up, in radians (40 and 30 degrees).
const PITCHES: (f64, f64) = (-0.52, 0.7);
/// Angles of a point against the body's heading from which on it is let go, and all is let go, in radians (100 and 150 degrees).
const BEHIND: (f64, f64) = (1.75, 2.62);
/// Distances along the ground within which a point is not looked at, and from which on it is fully, in metres: nearer ones would whirl the head around.
const TOO_NEAR: (f64, f64) = (0.3, 1.0);
/// How far ahead the eyes rest in walking, in metres.
const FIXATION: f64 = 1.5;
/// Height of the eyes above the pelvis joint, as a share of the height.
const EYES: f64 = 0.42;

/// Where a head points: against the heading of the body, positive to the left; and down.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Look {
    pub(super) yaw: f64,
    pub(super) pitch: f64,
}

/// A body for which a gaze is asked: where it faces, its pelvis, and how tall it is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Looker {
    pub(super) heading: f64,
    pub(super) pelvis: Vec3,
    pub(super) height: f64,
}

impl Gaze {
    /// Where the head points. `ahead` is the angle by which the body will have turned.
    pub(super) fn look(self, looker: &Looker, ahead: f64) -> Look {
        match self {
            Gaze::Facing => Look::default(),
            Gaze::Ahead => Look { yaw: ahead.clamp(-MAX_AHEAD, MAX_AHEAD), pitch: 0.0 },
            Gaze::Turned(yaw) => Look { yaw: yaw.clamp(-MAX_YAW, MAX_YAW), pitch: 0.0 },
            Gaze::At(point) => look_at(point, looker),
        }
    }

    /// How far ahead of its heading a body looks that turns so fast.
    pub(super) fn ahead_of(heading_rate: f64) -> f64 {
        LOOK_AHEAD * heading_rate
    }
}

fn look_at(point: Vec3, looker: &Looker) -> Look {
    let away = point - (looker.pelvis + Vec3::Y * (EYES * looker.height));
    let level = ground_point(away).length();
    let left = away.dot(heading_direction(looker.heading + 0.5 * PI));
    let forward = away.dot(heading_direction(looker.heading));
    let yaw = left.atan2(forward);
    let near = smoothstep((level - TOO_NEAR.0) / (TOO_NEAR.1 - TOO_NEAR.0));
    let weight = near * (1.0 - smoothstep((yaw.abs() - BEHIND.0) / (BEHIND.1 - BEHIND.0)));
    let pitch = (-away.y).atan2(level.max(1e-9)).clamp(PITCHES.0, PITCHES.1);
    Look { yaw: weight * yaw.clamp(-MAX_YAW, MAX_YAW), pitch: weight * pitch }
}

/// Head and trunk over a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Poise {
    gaze: Gaze,
    /// By how much the body will have turned, over the step.
    ahead: Spline<f64>,
    /// What is left of the gaze of the step before, which fades.
    left: Look,
    duration: f64,
    /// Heights of the pelvis at both ends of the step, between which it bobs.
    levels: [f64; 2],
    /// Of the body.
    height: f64,
    /// Of the trunk, to the left.
    pub(super) sway: Spline<f64>,
}

/// What a step's poise is made from.
#[derive(Clone, Copy, Debug)]
pub(super) struct PoiseOptions {
    pub(super) gaze: Gaze,
    pub(super) duration: f64,
    /// Where the head pointed at the end of the step before.
    pub(super) from: Look,
    /// The same that was ahead, of someone who turns.
    pub(super) ahead: [f64; 2],
    /// The body at both ends.
    pub(super) ends: [Looker; 2],
    /// Of the trunk in mid-step, to the left, in radians.
    pub(super) sway: f64,
}

impl Poise {
    /// Of a step, and where the head points at its end.
    pub(super) fn new(options: &PoiseOptions) -> (Poise, Look) {
        let PoiseOptions { gaze, duration, from, ahead, ends, sway } = *options;
        let rest = |time: f64, value: f64| Knot { time, value, rate: 0.0 };
        let start = gaze.look(&ends[0], ahead[0]);
        let poise = Poise {
            gaze,
            ahead: Spline::through(&[rest(0.0, ahead[0]), rest(duration, ahead[1])]),
            left: Look { yaw: turn_between(start.yaw, from.yaw), pitch: from.pitch - start.pitch },
            duration,
            levels: ends.map(|end| end.pelvis.y),
            height: ends[0].height,
            sway: Spline::through(&[rest(0.0, 0.0), rest(0.5 * duration, sway), rest(duration, 0.0)]),
        };
        (poise, gaze.look(&ends[1], ahead[1]))
    }

    /// Someone who faces ahead.
    pub(super) fn facing() -> Poise {
        Poise {
            gaze: Gaze::Facing,
            ahead: Spline::constant(0.0),
            left: Look::default(),
            duration: 1.0,
            levels: [0.0; 2],
            height: 0.0,
            sway: Spline::constant(0.0),
        }
    }

    /// Someone whose head comes to face ahead over a step.
    pub(super) fn to_facing(duration: f64, from: Look) -> Poise {
        Poise { left: from, duration, ..Poise::facing() }
    }

    /// The attitude of the head in the world, over a body that faces so with its pelvis there.
    pub(super) fn head(&self, time: f64, heading: f64, pelvis: Vec3) -> Quat {
        if self.gaze == Gaze::Facing && self.left == Look::default() {
            return Quat::from_rotation_y(heading);
        }
        let looker = Looker { heading, pelvis, height: self.height };
        let mut look = self.gaze.look(&looker, self.ahead.at(time));
        let share = smoothstep(time / self.duration);
        look.yaw += (1.0 - share) * self.left.yaw;
        look.pitch += (1.0 - share) * self.left.pitch;
        if matches!(self.gaze, Gaze::Ahead | Gaze::Turned(_)) {
            let bob = pelvis.y - (self.levels[0] + share * (self.levels[1] - self.levels[0]));
            look.pitch += bob / FIXATION;
        }
        Quat::from_rotation_y(heading + look.yaw) * Quat::from_rotation_x(look.pitch)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LOOKER: Looker = Looker { heading: 0.0, pelvis: Vec3::new(0.0, 0.94, 0.0), height: 1.8 };

    #[test]
    fn a_point_is_looked_at_as_far_as_a_neck_turns_and_let_go_behind() {
        let eyes = LOOKER.pelvis.y + EYES * LOOKER.height;
        let look = |x: f64, y: f64, z: f64| Gaze::At(Vec3::new(x, y, z)).look(&LOOKER, 0.0);
        let near =
            |found: f64, degrees: f64| assert!((found.to_degrees() - degrees).abs() < 0.1, "{}", found.to_degrees());
        near(look(2.0, eyes, 2.0).yaw, 45.0);
        near(look(2.0, eyes, 0.0).yaw, MAX_YAW.to_degrees());
        near(look(0.0, eyes - 2.0, 4.0).pitch, 26.6);
        for behind in [look(0.1, eyes, -3.0), look(-0.1, eyes, -3.0)] {
            assert_eq!(behind, Look::default());
        }
        // All around in small steps nothing jumps.
        let around = |degrees: f64| {
            let angle = degrees.to_radians();
            look(3.0 * angle.sin(), 1.0, 3.0 * angle.cos()).yaw
        };
        for degree in 0..360 {
            let step = around(f64::from(degree + 1)) - around(f64::from(degree));
            assert!(step.abs() < 0.08, "{degree}: {step}");
        }
    }

    #[test]
    fn a_change_of_gaze_begins_where_the_last_one_ended() {
        let from = Look { yaw: 0.6, pitch: 0.2 };
        let options = PoiseOptions {
            gaze: Gaze::Turned(-0.5),
            duration: 0.5,
            from,
            ahead: [0.0; 2],
            ends: [LOOKER; 2],
            sway: 0.1,
        };
        let (poise, end) = Poise::new(&options);
        let forward = |time: f64| poise.head(time, 0.0, LOOKER.pelvis) * Vec3::Z;
        let expected = Quat::from_rotation_y(0.6) * Quat::from_rotation_x(0.2) * Vec3::Z;
        assert!(forward(0.0).distance(expected) < 1e-12);
        assert!(forward(0.5).distance(Quat::from_rotation_y(-0.5) * Vec3::Z) < 1e-12);
        assert_eq!(end, Look { yaw: -0.5, pitch: 0.0 });
        assert!((poise.sway.at(0.25) - 0.1).abs() < 1e-12 && poise.sway.at(0.5) == 0.0);
    }
}
