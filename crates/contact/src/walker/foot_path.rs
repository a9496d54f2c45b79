//! One foot through the complete walk: it lands on the heel, comes down flat, lifts the heel, leaves from the ball, and swings.
//!
//! ```text
//!      \                                       _/
//!    ___\        ______        _/             /
//!   heel strike   flat     heel off       toe off
//!   about heel             about ball     toes bent
//! ```
//!
//! The pitch of the foot and the ball's position describe all of it. Every piece joins the next with equal value and speed;
//! at landing both heel and pitch come to rest, so that the heel neither slides nor dips.

use super::{Person, Stance, WalkerOptions};
use surefoot_geom::{Quat, Vec3, heading_direction, smootherstep};

/// When the sole is flat, as a share of the stance: people take a tenth of the stride.
const FLAT_AT: f64 = 0.17;
/// When the heel lifts, as a share of the stance.
const HEEL_OFF_AT: f64 = 0.60;
/// Pitch with toes up when the heel lands after a full stride, in radians (20 degrees).
const STRIKE_PITCH: f64 = 0.35;
/// Pitch with heel up when the ball leaves for a full stride, in radians (42 degrees); it grows further in early swing.
const LEAVE_PITCH: f64 = 0.73;
/// Rate of the pitch when the ball leaves, in units of pitch over the time of heel rise: it speeds up until the end.
const LEAVE_RATE: f64 = 1.5;
/// A full stride as a share of the body's height.
const FULL_STRIDE: f64 = 0.78;
/// Least and most of the pitches above that a short or long stride uses.
const EFFORT: (f64, f64) = (0.3, 1.15);
/// How far the ball is lifted on top of the line between its two heights, at 1.8 m body height.
const CLEARANCE: f64 = 0.035;
/// Share of the swing in which the toes straighten.
const TOES_STRAIGHT_AT: f64 = 0.7;
/// How sharply the ball starts and stops, as the second derivative of its path over the swing: 0 is a start from rest that
/// takes long to gain speed (and must then be faster), 6 is a constant push.
const START_PUSH: f64 = 5.0;
const STOP_PUSH: f64 = 3.0;

/// A foot at one moment.
#[derive(Clone, Copy, Debug)]
pub(super) struct FootPose {
    pub(super) ball: Vec3,
    /// Of the foot in the world.
    pub(super) rotation: Quat,
    /// Of the toes against the foot, about the ball.
    pub(super) toe_rotation: Quat,
    pub(super) heading: f64,
}

pub(super) struct FootPath {
    pub(super) stances: Vec<Stance>,
    /// For each stance, how large the swing that led to it was (its pitches as a share of a full stride's).
    efforts: Vec<f64>,
    heel_to_ball: f64,
    clearance: f64,
    /// Seconds from landing to leaving.
    stance_time: f64,
}

impl FootPath {
    pub(super) fn new(person: &Person, stances: Vec<Stance>, options: &WalkerOptions) -> FootPath {
        let effort = |from: &Stance, to: &Stance| {
            let stride = from.ball.distance(to.ball) / (FULL_STRIDE * options.height);
            stride.clamp(EFFORT.0, EFFORT.1)
        };
        let mut efforts = vec![0.0];
        efforts.extend(stances.windows(2).map(|pair| effort(&pair[0], &pair[1])));
        let swing_time = stances.get(1).map_or(0.0, |stance| stance.land - stances[0].leave);
        let stance_time = 2.0 / options.cadence - swing_time;
        FootPath {
            stances,
            efforts,
            heel_to_ball: person.heel_to_ball,
            clearance: CLEARANCE * person.scale,
            stance_time,
        }
    }

    /// When the sole comes down.
    pub(super) fn foot_flat(&self, stance: &Stance) -> f64 {
        stance.land + FLAT_AT * self.stance_time
    }

    /// When the heel lifts.
    pub(super) fn heel_off(&self, stance: &Stance) -> f64 {
        stance.leave - (1.0 - HEEL_OFF_AT) * self.stance_time
    }

    /// Where the heel is planted.
    pub(super) fn heel_position(&self, stance: &Stance) -> Vec3 {
        stance.ball - self.heel_to_ball * heading_direction(stance.heading)
    }

    pub(super) fn at(&self, time: f64) -> FootPose {
        let index = self.stances.iter().rposition(|stance| stance.land <= time).unwrap_or(0);
        let stance = &self.stances[index];
        if time < self.foot_flat(stance) {
            self.landing(index, time)
        } else if time < self.heel_off(stance) {
            pose(stance.ball, stance.heading, 0.0, 0.0)
        } else if time < stance.leave {
            self.leaving(index, time)
        } else {
            self.swinging(index, time)
        }
    }

    /// From heel strike to flat: about the heel.
    fn landing(&self, index: usize, time: f64) -> FootPose {
        let stance = &self.stances[index];
        let u = (time - stance.land) / (FLAT_AT * self.stance_time);
        let pitch = self.strike_pitch(index) * (1.0 - smootherstep(u));
        pose(self.ball_on_heel(stance, pitch), stance.heading, pitch, 0.0)
    }

    /// From heel off to toe off: about the ball, toes flat on the ground.
    fn leaving(&self, index: usize, time: f64) -> FootPose {
        let stance = &self.stances[index];
        let rise_time = (1.0 - HEEL_OFF_AT) * self.stance_time;
        let u = (time - self.heel_off(stance)) / rise_time;
        // From rest, to pitch 1 and LEAVE_RATE at the end.
        let rise = u * u * ((3.0 - LEAVE_RATE) + (LEAVE_RATE - 2.0) * u);
        let pitch = -self.leave_pitch(index) * rise;
        pose(stance.ball, stance.heading, pitch, -pitch)
    }

    fn swinging(&self, index: usize, time: f64) -> FootPose {
        let (from, to) = (&self.stances[index], &self.stances[index + 1]);
        let swing_time = to.land - from.leave;
        let u = (time - from.leave) / swing_time;
        let rise_time = (1.0 - HEEL_OFF_AT) * self.stance_time;
        let leave_pitch = self.leave_pitch(index);
        let strike_pitch = self.strike_pitch(index + 1);
        let along = Quintic { end: 1.0, start_push: START_PUSH, end_push: -STOP_PUSH, ..Quintic::REST }.at(u);
        let pitch = Quintic {
            start: -leave_pitch,
            end: strike_pitch,
            start_rate: -leave_pitch * LEAVE_RATE * swing_time / rise_time,
            ..Quintic::REST
        }
        .at(u);
        let end = self.ball_on_heel(to, strike_pitch);
        let lift = end.y * smootherstep(u) + self.clearance * bump(u);
        let offset = end - from.ball;
        let ball = from.ball + Vec3::new(offset.x * along, 0.0, offset.z * along) + Vec3::Y * lift;
        let heading = from.heading + (to.heading - from.heading) * smootherstep(u);
        let toes = -pitch * (1.0 - smootherstep(u / TOES_STRAIGHT_AT));
        pose(ball, heading, pitch, toes)
    }

    /// The swing that led to a stance decides how far the toes are up when it lands.
    fn strike_pitch(&self, index: usize) -> f64 {
        STRIKE_PITCH * self.efforts[index]
    }

    /// The swing that follows a stance decides how far its heel is up when it leaves.
    fn leave_pitch(&self, index: usize) -> f64 {
        LEAVE_PITCH * self.efforts.get(index + 1).copied().unwrap_or(0.0)
    }

    /// Where the ball is while the foot is pitched about the heel of a stance.
    fn ball_on_heel(&self, stance: &Stance, pitch: f64) -> Vec3 {
        let sole = pitch.cos() * heading_direction(stance.heading) + pitch.sin() * Vec3::Y;
        self.heel_position(stance) + self.heel_to_ball * sole
    }
}

/// A positive pitch lifts the toes.
fn pose(ball: Vec3, heading: f64, pitch: f64, toe_pitch: f64) -> FootPose {
    let rotation = Quat::from_rotation_y(heading) * Quat::from_rotation_x(-pitch);
    FootPose { ball, rotation, toe_rotation: Quat::from_rotation_x(-toe_pitch), heading }
}

/// From 0 to 1 in the middle and back, at rest at both ends.
fn bump(u: f64) -> f64 {
    16.0 * (u * (1.0 - u)).powi(2)
}

/// A curve over `[0, 1]` with given values, rates and second derivatives at its ends.
struct Quintic {
    start: f64,
    end: f64,
    start_rate: f64,
    start_push: f64,
    end_push: f64,
}

impl Quintic {
    const REST: Quintic = Quintic { start: 0.0, end: 0.0, start_rate: 0.0, start_push: 0.0, end_push: 0.0 };

    fn at(&self, u: f64) -> f64 {
        let u3 = u * u * u;
        let rate = u - u3 * (6.0 - u * (8.0 - 3.0 * u));
        let start_push = 0.5 * u * u - u3 * (1.5 - u * (1.5 - 0.5 * u));
        let end_push = u3 * (0.5 - u * (1.0 - 0.5 * u));
        self.start
            + (self.end - self.start) * smootherstep(u)
            + self.start_rate * rate
            + self.start_push * start_push
            + self.end_push * end_push
    }
}
