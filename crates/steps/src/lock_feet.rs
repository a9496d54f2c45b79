//! Foot locking: planted feet stay where they are, and go over into their swings without a jolt.
//!
//! Reference: STRIDE 5.6 and A.3 (foot fitting) for headings; the plants' positions are exact by 5.4 inside the hull,
//! and by this file everywhere.
//!
//! ```text
//!   heel only          heel and ball        ball only
//!        __/               ____                 \__           heel planted : the foot turns about it
//!   ____/_____         ___[____]__         ____..\_           both planted : the foot lies flat
//!   heel is still      nothing moves       ball is still      ball planted : the foot turns about it
//! ```
//!
//! 1. While heel and ball are planted the foot lies flat at its footprint, pointed along its heading.
//! 2. While one of them is planted it stays in its place. The foot is turned by what it had to be turned at the nearest
//!    flat frame: its heading for as long as it is planted, its tilt less and less ([`TILT_FADE`]). It is turned further
//!    where the part that is free would be in the ground.
//! 3. In the air the turn and the move at lifting fade out and those at landing fade in, over [`SWING_FADE`] of the
//!    swing each: within the window that STRIDE 5.6 found pleasant, 40 to 80 %.
//! 4. A foot that is planted does not move, and the blended one beside it may. So the part that was planted leaves its
//!    place by an ease of [`EASE`] seconds, and so does a flat foot its pitch: position and velocity go on at heel-off and
//!    toe-off.
//!
//! Departure: the paper (A.3) turns feet in their sole planes about the ball, and leaves their tilt as it was blended.
//! Ours turn about the vertical and are laid flat while heel and ball stand, or soles would hang over the ground or sink.
//!
//! A foot that never stands flat (on tiptoe) is turned to its heading by the mean of what it shows.

use super::{LinearBody, LinearFoot};
use surefoot_geom::{Quat, Vec3, rotation, smootherstep, turn_between};
use surefoot_motion::Side;
use surefoot_plan::FootContact;

/// Share of a swing over which the correction at either end fades.
const SWING_FADE: f64 = 0.7;
/// Seconds over which the tilt of a foot that was laid flat fades.
const TILT_FADE: f64 = 0.12;
/// Seconds within which a part that was planted comes to follow the blended foot.
const EASE: f64 = 0.05;

/// A heel that has risen by less than this comes down again where a walk ends, in radians.
const COMES_DOWN: f64 = 0.17;

/// Where a foot stands, on level ground.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Standing {
    pub(super) ball: Vec3,
    pub(super) heading: f64,
    /// Farthest from flat that a foot is while it is planted on its heel alone, in radians; infinite on level ground.
    pub(super) most_strike: f64,
}

/// How a blended foot was changed: by a turn about the vertical, by a tilt after it, and by a move.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct FootChange {
    heading: f64,
    tilt: Vec3,
    offset: Vec3,
}

impl FootChange {
    /// How much of a foot is changed, from 1 to 0.
    fn scaled(&self, by: f64) -> FootChange {
        FootChange { heading: self.heading * by, tilt: self.tilt * by, offset: self.offset * by }
    }

    fn plus(&self, other: &FootChange) -> FootChange {
        FootChange {
            heading: self.heading + other.heading,
            tilt: self.tilt + other.tilt,
            offset: self.offset + other.offset,
        }
    }

    fn turn(&self) -> Quat {
        rotation::exp_map(self.tilt) * Quat::from_rotation_y(self.heading)
    }

    /// A foot so changed.
    pub(super) fn apply(&self, foot: &mut LinearFoot) {
        foot.rotation = (self.turn() * foot.rotation).normalize();
        foot.ball += self.offset;
    }
}

/// A swing from one stance to the next.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct FootSwing {
    pub(super) leaving: Released,
    pub(super) landing: Released,
    /// Seconds from the last frame of the one to the first of the other.
    pub(super) duration: f64,
}

impl FootSwing {
    /// Leads a foot through the air, `time` seconds after its last frame on the ground.
    pub(super) fn lead(&self, of: (&LinearBody, Side), time: f64, foot: &mut LinearFoot) {
        let share = time / self.duration;
        let out = self.leaving.change.scaled(fade(share / SWING_FADE));
        let into = self.landing.change.scaled(fade((1.0 - share) / SWING_FADE));
        out.plus(&into).apply(foot);
        self.leaving.ease(of, time, foot);
    }
}

/// The last frame of a plant, or the first: how the foot is changed in it, and which part of it is planted where, if any.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Released {
    pub(super) change: FootChange,
    on_heel: bool,
    place: Option<Vec3>,
}

impl Released {
    /// Holds the part back some seconds after the plant.
    fn ease(&self, (body, side): (&LinearBody, Side), time: f64, foot: &mut LinearFoot) {
        if let Some(place) = self.place.filter(|_| time < EASE) {
            let to_part = if self.on_heel { body.heel_from_ball(side, foot.rotation) } else { Vec3::ZERO };
            foot.ball += (place - to_part - foot.ball) * fade(time / EASE);
        }
    }

    /// A foot that goes on as it was blended from the end of a plant, some seconds after it.
    pub(super) fn follow(&self, of: (&LinearBody, Side), time: f64, foot: &mut LinearFoot) {
        self.change.apply(foot);
        self.ease(of, time, foot);
    }
}

/// A foot through one stance after another.
#[derive(Clone, Debug)]
pub(super) struct FootLock {
    side: Side,
    frame_time: f64,
    standing: Standing,
    /// The heel's place while it stands alone.
    heel: Vec3,
    /// The rotation of the last frame that was locked; what a foot that came to lie flat was away from it, and for how many
    /// frames it lies flat.
    last: Option<Quat>,
    to_flat: Vec3,
    flat_frames: f64,
    /// Whether the stance is long enough to come to lie flat gently.
    eases: bool,
    ends: bool,
    /// Turn and tilt at the nearest flat frame.
    change: FootChange,
    /// Frames until (below 0) or since the nearest flat frame.
    from_flat: f64,
    /// What stood in the stance's first frame.
    landed_on: FootContact,
    was_flat: bool,
    heel_gone: bool,
    ball_gone: bool,
}

impl FootLock {
    pub(super) fn new(side: Side, frame_rate: f64) -> FootLock {
        FootLock {
            side,
            frame_time: 1.0 / frame_rate,
            standing: Standing::default(),
            heel: Vec3::ZERO,
            last: None,
            to_flat: Vec3::ZERO,
            flat_frames: 0.0,
            eases: false,
            ends: false,
            change: FootChange::default(),
            from_flat: 0.0,
            landed_on: FootContact::default(),
            was_flat: false,
            heel_gone: false,
            ball_gone: false,
        }
    }

    /// Begins a stance whose first frames are known; they are not changed yet. Returns how its first frame will be
    /// changed.
    pub(super) fn arrive(
        &mut self,
        body: &LinearBody,
        standing: Standing,
        frames: &(impl Iterator<Item = (LinearFoot, FootContact)> + Clone),
    ) -> Released {
        let flat = body.flat(self.side, standing.heading);
        self.standing = standing;
        self.heel = standing.ball + body.heel_from_ball(self.side, flat);
        self.was_flat = false;
        (self.heel_gone, self.ball_gone) = (false, false);
        (self.last, self.to_flat, self.flat_frames) = (None, Vec3::ZERO, 0.0);
        self.landed_on = frames.clone().next().map_or(FootContact::default(), |(_, down)| down);
        let n_frames = frames.clone().count();
        self.eases = false;
        let first_flat = frames.clone().enumerate().find(|(_, (_, down))| self.lies_flat(*down));
        match first_flat {
            Some((index, (foot, _))) => {
                self.change = self.change_to(flat, foot.rotation, body);
                self.from_flat = -(index as f64);
                self.eases = (n_frames - index) as f64 * self.frame_time > 6.0 * EASE;
            }
            None => {
                let turns = frames.clone().filter(|(_, down)| down.any());
                let turns =
                    turns.map(|(foot, _)| turn_between(body.foot_heading(self.side, foot.rotation), standing.heading));
                let (sum, count) = turns.fold((0.0, 0.0), |(sum, count), turn| (sum + turn, count + 1.0));
                self.change = FootChange { heading: sum / f64::max(count, 1.0), ..FootChange::default() };
                self.from_flat = f64::NEG_INFINITY;
            }
        }
        let mut probe = self.clone();
        let first = frames.clone().next().map(|(mut foot, down)| probe.lock(body, &mut foot, down).0);
        first.unwrap_or_default()
    }

    /// Whether a foot that has not lain flat in this stance does now: both of its parts stand, or the other one than it
    /// landed on.
    fn lies_flat(&self, down: FootContact) -> bool {
        down.flat() || (down.any() && down != self.landed_on)
    }

    /// The turn that lays a foot flat, as a heading and a tilt.
    fn change_to(&self, flat: Quat, foot_rotation: Quat, body: &LinearBody) -> FootChange {
        let heading = turn_between(body.foot_heading(self.side, foot_rotation), body.foot_heading(self.side, flat));
        let tilt = rotation::log_map(flat * (Quat::from_rotation_y(heading) * foot_rotation).conjugate());
        FootChange { heading, tilt, offset: Vec3::ZERO }
    }

    /// Puts a planted foot in its place, frame by frame in order. Returns how it was changed, and what of it is planted: a
    /// part that has left stays away until the next stance.
    pub(super) fn lock(
        &mut self,
        body: &LinearBody,
        foot: &mut LinearFoot,
        down: FootContact,
    ) -> (Released, FootContact) {
        let before = foot.ball;
        if self.ends && self.heel_gone && down.flat() {
            self.come_down(body);
        }
        let is_flat = match self.was_flat {
            false => self.lies_flat(down),
            true => down.flat() && !self.heel_gone && !self.ball_gone,
        };
        let mut change;
        let stands;
        if is_flat {
            let flat = body.flat(self.side, self.standing.heading);
            self.change = self.change_to(flat, foot.rotation, body);
            self.from_flat = 0.0;
            if !self.was_flat {
                // A ball is in its place however gently the heel comes down.
                self.to_flat = self
                    .last
                    .filter(|_| self.eases || self.landed_on.ball)
                    .map_or(Vec3::ZERO, |last| rotation::log_map(last * flat.conjugate()));
            }
            self.was_flat = true;
            let left = fade(self.flat_frames * self.frame_time / EASE);
            self.flat_frames += 1.0;
            let away = self.to_flat * left;
            change = FootChange {
                tilt: rotation::log_map(rotation::exp_map(away) * rotation::exp_map(self.change.tilt)),
                ..self.change
            };
            foot.rotation = rotation::exp_map(away) * flat;
            // What it landed on is planted all the while.
            let on_heel = left > 0.0 && self.landed_on.heel && !self.landed_on.ball;
            foot.ball =
                if on_heel { self.heel - body.heel_from_ball(self.side, foot.rotation) } else { self.standing.ball };
            stands = FootContact { heel: left == 0.0 || away == Vec3::ZERO || on_heel, ball: !on_heel };
        } else {
            if self.was_flat {
                // The part that is left last: the heel of one who walks backward, else the ball.
                let on_heel = self.ball_gone || (down.heel && !down.ball && !self.heel_gone);
                (self.heel_gone, self.ball_gone) = (!on_heel, on_heel);
                self.from_flat += 1.0;
            } else if self.from_flat < 0.0 && self.from_flat.is_finite() {
                self.from_flat += 1.0;
            }
            // In the frame before the first flat one the tilt is nearly whole already.
            let frames_away = if self.was_flat { self.from_flat } else { 1.0 - self.from_flat };
            let away = frames_away * self.frame_time;
            change = FootChange { tilt: self.change.tilt * fade(away / TILT_FADE), ..self.change };
            let turned = change.turn() * foot.rotation;
            let flat = body.flat(self.side, self.standing.heading);
            let mut eased = rotation::slerp(turned, flat, fade(away / EASE));
            let strike = rotation::angle_between(eased, flat);
            if !self.was_flat && down.heel && !down.ball && strike > self.standing.most_strike {
                eased = rotation::slerp(flat, eased, self.standing.most_strike / strike);
            }
            change.tilt = rotation::log_map(eased * turned.conjugate() * rotation::exp_map(change.tilt));
            foot.rotation = eased.normalize();
            let stands_on_heel = if self.was_flat { self.ball_gone } else { down.heel && !down.ball };
            if let Some(out) = self.turn_out(body, foot.rotation, stands_on_heel) {
                change.tilt = rotation::log_map(out * rotation::exp_map(change.tilt));
                foot.rotation = (out * foot.rotation).normalize();
            }
            foot.ball = if stands_on_heel {
                self.heel - body.heel_from_ball(self.side, foot.rotation)
            } else {
                self.standing.ball
            };
            stands = FootContact { heel: stands_on_heel, ball: !stands_on_heel };
        }
        change.offset = foot.ball - before;
        self.last = Some(foot.rotation);
        let on_heel = stands.heel && !stands.ball;
        let place = if on_heel { self.heel } else { self.standing.ball };
        (Released { change, on_heel, place: Some(place) }, stands)
    }

    /// The turn about the part that is planted which brings the other one out of the ground; `None` if it is above it.
    fn turn_out(&self, body: &LinearBody, foot_rotation: Quat, stands_on_heel: bool) -> Option<Quat> {
        let to_heel = body.heel_from_ball(self.side, foot_rotation);
        let free = if stands_on_heel { -to_heel } else { to_heel };
        let axis = free.cross(Vec3::Y).try_normalize().filter(|_| free.y < 0.0)?;
        Some(Quat::from_axis_angle(axis, (-free.y).atan2(free.x.hypot(free.z))))
    }

    /// From here on nobody leaves: a heel that has risen a little comes down again.
    pub(super) fn end(&mut self) {
        self.ends = true;
    }

    fn come_down(&mut self, body: &LinearBody) {
        let flat = body.flat(self.side, self.standing.heading);
        let is_near = |last: &Quat| rotation::angle_between(*last, flat) < COMES_DOWN;
        if self.last.as_ref().is_some_and(is_near) {
            self.landed_on = FootContact { heel: false, ball: true };
            (self.was_flat, self.heel_gone, self.eases, self.flat_frames) = (false, false, true, 0.0);
        }
    }

    /// Whether it has lain flat in this stance.
    pub(super) fn was_flat(&self) -> bool {
        self.was_flat
    }

    /// Where the heel stands while the foot lies flat, on level ground.
    pub(super) fn heel(&self) -> Vec3 {
        self.heel
    }
}

/// 1 at 0, 0 from 1 on, smooth at both ends.
fn fade(x: f64) -> f64 {
    1.0 - smootherstep(x)
}
