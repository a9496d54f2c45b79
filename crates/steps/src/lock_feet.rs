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
//! 2. From one flat stance to the next, through heel-off, swing and heel strike, the foot's rotation is the blended one plus
//!    two corrections ([`Ease`]): one leaves the last flat frame and is gone [`TILT_FADE`] seconds later, one comes in as long
//!    before the next. Each has the value *and the velocity* that make the foot lie still where it is flat, so that the foot's
//!    pitch goes on evenly at heel-off and comes to rest at foot flat, at any frame rate.
//! 3. A part that is planted alone stays in its place, and the foot turns about it; further where the free part would be in the
//!    ground.
//! 4. In the air the ball follows the blended one plus two such corrections of its place: one leaves the plant with no
//!    velocity, one comes in with the velocity that the ball has when it lands (none, or that of a foot that turns about
//!    its heel). Their values fade over [`SWING_FADE`] of the swing, within the window that STRIDE 5.6 found
//!    pleasant (40 to 80 %), their velocities over [`SPEED_FADE`]. Headings fade as the values do.
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
/// Seconds over which the tilt of a foot that was laid flat fades. In 0.14 ankles jerk after heel-off and before foot flat: knees of
/// gentle people are then a fifth livelier than recorded ones.
const TILT_FADE: f64 = 0.28;
/// Share of a swing after which what is left of a tilt goes, so that none is left at its other end.
const TILT_GOES: f64 = 0.5;
/// Seconds over which the velocity of a planted foot goes over into the blended one. In less the foot has to catch up too fast.
const SPEED_FADE: f64 = 0.16;
/// Seconds in which a heel that has risen a little comes down again.
const COMING_DOWN: f64 = 0.15;

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

/// A correction that fades out: its value and its velocity, a second, where it begins. Looked at backward in time it fades in.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Ease {
    pub(super) value: Vec3,
    pub(super) velocity: Vec3,
}

impl Ease {
    /// What is left after some seconds, if the value is gone after `value_fade` and the velocity after `velocity_fade`.
    pub(super) fn after(&self, time: f64, value_fade: f64, velocity_fade: f64) -> Vec3 {
        let u = (time / velocity_fade).clamp(0.0, 1.0);
        // Begins at 0 with slope 1 and ends at 0 with slope 0. What is held back is caught up at a third more than the velocity;
        // a curve without acceleration at its ends would take half as much more.
        let moved = velocity_fade * u * (1.0 - u).powi(2);
        self.value * fade(time / value_fade) + self.velocity * moved
    }

    fn tilt_after(&self, time: f64) -> Vec3 {
        self.after(time, TILT_FADE, TILT_FADE)
    }
}

/// The foot at one end of a plant, its last frame or its first, and how it goes on from there into the air.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct PlantEnd {
    /// The turn about the vertical.
    heading: f64,
    /// The tilt after it, and how many seconds the nearest flat frame is away.
    tilt: Ease,
    from_flat: f64,
    /// A turn on top of it that brings the foot out of the ground.
    out: Ease,
    /// The blended ball; `None` where nothing was planted, and the foot is as it was blended.
    blended: Option<Vec3>,
    /// Where the ball is, and how fast, in metres a second.
    ball: Vec3,
    velocity: Vec3,
}

impl PlantEnd {
    /// The tilt some seconds off the plant.
    fn tilt(&self, time: f64) -> Vec3 {
        self.tilt.tilt_after(self.from_flat + time) + self.out.tilt_after(time)
    }

    /// What takes the blended ball to the planted one, if the blended ball moves on with a velocity.
    fn offset(&self, blended_velocity: Vec3) -> Ease {
        self.blended.map_or(Ease::default(), |blended| Ease {
            value: self.ball - blended,
            velocity: self.velocity - blended_velocity,
        })
    }

    /// A foot that goes on as it was blended from the end of a plant, some seconds after it. `blended_velocity` is that of the ball
    /// right after the plant.
    pub(super) fn follow(&self, time: f64, blended_velocity: Vec3, foot: &mut LinearFoot) {
        turn_foot(foot, self.heading, self.tilt(time));
        foot.ball += self.offset(blended_velocity).after(time, f64::INFINITY, SPEED_FADE);
    }

    /// The velocity of the blended ball from the plant to a frame some seconds off it.
    pub(super) fn blended_velocity(&self, then: &LinearFoot, time: f64) -> Vec3 {
        self.blended.map_or(Vec3::ZERO, |blended| (then.ball - blended) / time)
    }
}

/// A swing from one stance to the next.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct FootSwing {
    leaving: PlantEnd,
    landing: PlantEnd,
    /// Velocities of the blended ball as it leaves and as it lands.
    velocities: [Vec3; 2],
    /// Seconds from the last frame of the one to the first of the other.
    duration: f64,
}

impl FootSwing {
    /// A swing of some frames in the air, of which the blended foot in the first and the last are given.
    pub(super) fn new(
        [leaving, landing]: [PlantEnd; 2],
        [first, last]: [&LinearFoot; 2],
        (n_frames, frame_time): (usize, f64),
    ) -> FootSwing {
        let velocities = [leaving.blended_velocity(first, frame_time), -landing.blended_velocity(last, frame_time)];
        FootSwing { leaving, landing, velocities, duration: (n_frames + 1) as f64 * frame_time }
    }

    /// Leads a foot through the air, `time` seconds after its last frame on the ground.
    pub(super) fn lead(&self, time: f64, foot: &mut LinearFoot) {
        let (ends, until) = ([&self.leaving, &self.landing], self.duration - time);
        let value_fade = SWING_FADE * self.duration;
        let speed_fade = SPEED_FADE.min(self.duration);
        let heading = ends[0].heading * fade(time / value_fade) + ends[1].heading * fade(until / value_fade);
        let tilt =
            |end: &PlantEnd, time: f64| end.tilt(time) * fade((time / self.duration - TILT_GOES) / (1.0 - TILT_GOES));
        turn_foot(foot, heading, tilt(ends[0], time) + tilt(ends[1], until));
        let mut into = ends[1].offset(self.velocities[1]);
        into.velocity = -into.velocity;
        foot.ball += ends[0].offset(self.velocities[0]).after(time, value_fade, speed_fade)
            + into.after(until, value_fade, speed_fade);
    }
}

/// Turns a foot about the vertical, and tilts it.
fn turn_foot(foot: &mut LinearFoot, heading: f64, tilt: Vec3) {
    foot.rotation = (rotation::exp_map(tilt) * Quat::from_rotation_y(heading) * foot.rotation).normalize();
}

/// A foot through one stance after another.
#[derive(Clone, Debug)]
pub(super) struct FootLock {
    side: Side,
    frame_time: f64,
    standing: Standing,
    /// The heel's place while it stands alone.
    heel: Vec3,
    /// What stood in the stance's first frame.
    landed_on: FootContact,
    lands_flat: bool,
    was_flat: bool,
    heel_gone: bool,
    ball_gone: bool,
    ends: bool,
    /// Turn about the vertical at the nearest flat frame, the tilt there, and how many seconds it is away.
    heading: f64,
    tilt: Ease,
    from_flat: f64,
    /// The blended foot turned to its heading in the frame before.
    turned: Quat,
    /// The turn out of the ground in the frame before.
    out: Vec3,
    /// The locked foot in the frame before; what one that comes down again was away from flat, and for how many seconds it does.
    last: Option<LinearFoot>,
    to_flat: Vec3,
    down_for: f64,
    /// Frames of the stance so far.
    n_frames: usize,
}

impl FootLock {
    pub(super) fn new(side: Side, frame_rate: f64) -> FootLock {
        FootLock {
            side,
            frame_time: 1.0 / frame_rate,
            standing: Standing::default(),
            heel: Vec3::ZERO,
            landed_on: FootContact::default(),
            lands_flat: false,
            was_flat: false,
            heel_gone: false,
            ball_gone: false,
            ends: false,
            heading: 0.0,
            tilt: Ease::default(),
            from_flat: f64::INFINITY,
            turned: Quat::IDENTITY,
            out: Vec3::ZERO,
            last: None,
            to_flat: Vec3::ZERO,
            down_for: 0.0,
            n_frames: 0,
        }
    }

    /// Begins a stance whose first frames are known; they are not changed yet. `before` is the blended foot in the frame before
    /// them. Returns how the foot lands.
    pub(super) fn arrive(
        &mut self,
        body: &LinearBody,
        standing: Standing,
        before: Option<LinearFoot>,
        frames: &(impl Iterator<Item = (LinearFoot, FootContact)> + Clone),
    ) -> PlantEnd {
        let flat = body.flat(standing.heading);
        *self = FootLock { standing, ..FootLock::new(self.side, 1.0 / self.frame_time) };
        self.heel = standing.ball + body.heel_from_ball(self.side, flat);
        self.landed_on = frames.clone().next().map_or(FootContact::default(), |(_, down)| down);
        let first_flat = frames.clone().position(|(_, down)| self.lies_flat(down));
        self.aim_at_flat(body, before, frames, first_flat);
        let landing = self.landing(body, frames);
        let strikes = self.landed_on.heel && !self.landed_on.ball;
        let strike = landing.map_or(0.0, |[first, _]| rotation::angle_between(first.0.rotation, flat));
        if first_flat.is_some() && strikes && strike > standing.most_strike {
            self.lands_flat = true;
            self.aim_at_flat(body, before, frames, Some(0));
        }
        let Some([(_, mut end), (next, next_end)]) = self.landing(body, frames) else { return PlantEnd::default() };
        end.velocity = (next.ball - end.ball) / self.frame_time;
        // Looked at backward in time.
        end.out.velocity = (end.out.value - next_end.out.value) / self.frame_time;
        end
    }

    /// The correction with which the foot comes to lie flat in one of the frames.
    fn aim_at_flat(
        &mut self,
        body: &LinearBody,
        before: Option<LinearFoot>,
        frames: &(impl Iterator<Item = (LinearFoot, FootContact)> + Clone),
        first_flat: Option<usize>,
    ) {
        let standing = self.standing;
        let flat = body.flat(standing.heading);
        let feet = || frames.clone().map(|(foot, _)| foot);
        let Some(index) = first_flat else {
            let turns = frames.clone().filter(|(_, down)| down.any());
            let turns = turns.map(|(foot, _)| turn_between(body.foot_heading(foot.rotation), standing.heading));
            let (sum, count) = turns.fold((0.0, 0.0), |(sum, count), turn| (sum + turn, count + 1.0));
            self.heading = sum / f64::max(count, 1.0);
            return;
        };
        let Some(foot) = feet().nth(index) else { return };
        let foot_before = if index == 0 { before } else { feet().nth(index - 1) };
        self.heading = self.heading_to(flat, foot.rotation, body);
        let turned = |foot: LinearFoot| Quat::from_rotation_y(self.heading) * foot.rotation;
        self.tilt = Ease {
            value: rotation::log_map(flat * turned(foot).conjugate()),
            velocity: foot_before.map_or(Vec3::ZERO, |before| self.turn_speed(turned(before), turned(foot))),
        };
        self.from_flat = index as f64 * self.frame_time;
    }

    /// The first two frames as they will be.
    fn landing(
        &self,
        body: &LinearBody,
        frames: &(impl Iterator<Item = (LinearFoot, FootContact)> + Clone),
    ) -> Option<[(LinearFoot, PlantEnd); 2]> {
        let mut probe = self.clone();
        let mut made = frames.clone().map(move |(mut foot, down)| {
            let end = probe.lock(body, &mut foot, down).0;
            (foot, end)
        });
        let first = made.next()?;
        Some([first, made.next().unwrap_or(first)])
    }

    /// Radians a second from one rotation to that of the next frame.
    fn turn_speed(&self, from: Quat, to: Quat) -> Vec3 {
        rotation::log_map(to * from.conjugate()) / self.frame_time
    }

    /// Whether a foot that has not lain flat in this stance does now: both of its parts stand, or the other one than it
    /// landed on.
    fn lies_flat(&self, down: FootContact) -> bool {
        self.lands_flat || down.flat() || (down.any() && down != self.landed_on)
    }

    /// The turn about the vertical to a flat foot's heading.
    fn heading_to(&self, flat: Quat, foot_rotation: Quat, body: &LinearBody) -> f64 {
        turn_between(body.foot_heading(foot_rotation), body.foot_heading(flat))
    }

    /// Puts a planted foot in its place, frame by frame in order. Returns how it would leave, and what of it is planted: a
    /// part that has left stays away until the next stance.
    pub(super) fn lock(
        &mut self,
        body: &LinearBody,
        foot: &mut LinearFoot,
        down: FootContact,
    ) -> (PlantEnd, FootContact) {
        let blended = *foot;
        if self.ends && self.heel_gone && down.flat() {
            self.come_down(body);
        }
        // A foot that had to land flat lies so until the blended one does.
        self.lands_flat &= !down.ball;
        let is_flat = match self.was_flat && !self.lands_flat {
            false => self.lies_flat(down),
            true => down.flat() && !self.heel_gone && !self.ball_gone,
        };
        let flat = body.flat(self.standing.heading);
        let mut out = Vec3::ZERO;
        let stands;
        if is_flat {
            self.was_flat = true;
            self.heading = self.heading_to(flat, blended.rotation, body);
            self.turned = Quat::from_rotation_y(self.heading) * blended.rotation;
            self.tilt = Ease { value: rotation::log_map(flat * self.turned.conjugate()), velocity: Vec3::ZERO };
            self.from_flat = 0.0;
            let left = fade(self.down_for / COMING_DOWN);
            self.down_for += self.frame_time;
            let away = self.to_flat * left;
            foot.rotation = rotation::exp_map(away) * flat;
            foot.ball = self.standing.ball;
            stands = FootContact { heel: away == Vec3::ZERO, ball: true };
        } else {
            let turned = Quat::from_rotation_y(self.heading) * blended.rotation;
            if self.was_flat {
                if self.from_flat == 0.0 {
                    // A flat foot is still: it leaves without the velocity of the blended one.
                    self.tilt.velocity = -self.turn_speed(self.turned, turned);
                }
                // The part that is left last: the heel of one who walks backward, else the ball.
                let on_heel = self.ball_gone || (down.heel && !down.ball && !self.heel_gone);
                (self.heel_gone, self.ball_gone) = (!on_heel, on_heel);
                self.from_flat += self.frame_time;
            }
            let by_ease = (rotation::exp_map(self.tilt.tilt_after(self.from_flat)) * turned).normalize();
            foot.rotation = by_ease;
            let stands_on_heel =
                if self.was_flat { self.ball_gone } else { self.landed_on.heel && !self.landed_on.ball };
            let pitch = rotation::angle_between(foot.rotation, flat);
            if stands_on_heel && pitch > self.standing.most_strike {
                foot.rotation = rotation::slerp(flat, foot.rotation, self.standing.most_strike / pitch);
            }
            if let Some(turn) = self.turn_out(body, foot.rotation, stands_on_heel) {
                foot.rotation = (turn * foot.rotation).normalize();
            }
            out = rotation::log_map(foot.rotation * by_ease.conjugate());
            foot.ball = if stands_on_heel {
                self.heel - body.heel_from_ball(self.side, foot.rotation)
            } else {
                self.standing.ball
            };
            stands = FootContact { heel: stands_on_heel, ball: !stands_on_heel };
        }
        let velocity = self.last.map_or(Vec3::ZERO, |last| (foot.ball - last.ball) / self.frame_time);
        let end = PlantEnd {
            heading: self.heading,
            tilt: self.tilt,
            from_flat: self.from_flat,
            out: Ease { value: out, velocity: (out - self.out) / self.frame_time },
            blended: Some(blended.ball),
            ball: foot.ball,
            velocity,
        };
        if !self.was_flat && self.from_flat.is_finite() {
            self.from_flat = (self.from_flat - self.frame_time).max(0.0);
        }
        (self.last, self.out) = (Some(*foot), out);
        self.n_frames += 1;
        (end, stands)
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
        let flat = body.flat(self.standing.heading);
        let Some(last) = self.last.filter(|last| rotation::angle_between(last.rotation, flat) < COMES_DOWN) else {
            return;
        };
        self.to_flat = rotation::log_map(last.rotation * flat.conjugate());
        (self.heel_gone, self.down_for) = (false, 0.0);
    }

    /// How many frames of the stance have been locked.
    pub(super) fn n_frames(&self) -> usize {
        self.n_frames
    }

    /// The heading of the stance.
    pub(super) fn heading(&self) -> f64 {
        self.standing.heading
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

#[cfg(test)]
mod tests {
    use super::*;
    use surefoot_contact::{WalkerOptions, synthetic_walk};
    use surefoot_motion::fit_knee_axes;

    fn body() -> LinearBody {
        let walk = synthetic_walk(&WalkerOptions::default());
        let clip = &walk.take.clip;
        let axes = fit_knee_axes(clip, &walk.take.body);
        let means = vec![Quat::IDENTITY; clip.skeleton.n_joints()];
        LinearBody::new(clip.skeleton.clone(), walk.take.body.clone(), &axes, &means)
    }

    #[test]
    fn an_ease_begins_with_its_value_and_velocity_and_ends_at_rest() {
        let ease = Ease { value: Vec3::X, velocity: Vec3::new(2.0, -3.0, 0.0) };
        let at = |time: f64| ease.after(time, 0.3, 0.2);
        let slope = |time: f64| (at(time + 1e-6) - at(time)) / 1e-6;
        assert!(at(0.0).distance(ease.value) < 1e-12 && slope(0.0).distance(ease.velocity) < 1e-3);
        assert!(at(0.3).length() < 1e-12 && slope(0.2999).length() < 1e-2);
    }

    /// A foot that rolls and moves on evenly as it is blended: pitched up before 0.4 s and down after it.
    fn rolling(body: &LinearBody, time: f64) -> LinearFoot {
        let pitch = Quat::from_rotation_x(2.5 * (time - 0.4));
        LinearFoot { ball: Vec3::new(0.1, 0.0, 0.4 * (time - 0.4)), rotation: pitch * body.flat(0.0), knee_roll: 0.0 }
    }

    /// Heel from 0.2 s on, flat from 0.3 to 0.5 s, ball to 0.6 s.
    fn contact(time: f64) -> FootContact {
        FootContact { heel: (0.2 - 1e-9..0.5).contains(&time), ball: (0.3 - 1e-9..0.6).contains(&time) }
    }

    /// The same foot from one stance through a swing to the next, 1 s later and 0.5 m on.
    fn locked(body: &LinearBody, rate: f64) -> Vec<(f64, LinearFoot, FootContact)> {
        let [from, lifted, again] = [0.2, 0.6, 1.2].map(|time: f64| (time * rate).round() as usize);
        let time = |frame: usize| frame as f64 / rate;
        let blended = |frame: usize| {
            let mut foot = rolling(body, if frame < again - 2 { time(frame) } else { time(frame) - 1.0 });
            foot.ball += if frame < again - 2 { Vec3::ZERO } else { Vec3::Z * 0.5 };
            foot
        };
        let mut lock = FootLock::new(Side::Left, rate);
        let mut made = Vec::new();
        let mut ends = Vec::new();
        for (shift, start) in [(0.0, from), (1.0, again)] {
            let end = lifted + (shift * rate) as usize;
            let frames = (start..end).map(|frame| (blended(frame), contact(time(frame) - shift)));
            let standing =
                Standing { ball: Vec3::new(0.08, 0.0, 0.02 + 0.5 * shift), heading: 0.0, most_strike: f64::INFINITY };
            let landing = lock.arrive(body, standing, Some(blended(start - 1)), &frames);
            if let Some(leaving) = ends.pop() {
                let feet = [blended(lifted), blended(again - 1)];
                let swing = FootSwing::new([leaving, landing], [&feet[0], &feet[1]], (again - lifted, 1.0 / rate));
                for frame in lifted..again {
                    let mut foot = blended(frame);
                    swing.lead((frame - lifted + 1) as f64 / rate, &mut foot);
                    made.push((time(frame), foot, FootContact::default()));
                }
            }
            for (frame, (mut foot, down)) in (start..end).zip(frames) {
                let (end, stands) = lock.lock(body, &mut foot, down);
                made.push((time(frame), foot, stands));
                ends = vec![end];
            }
        }
        made
    }

    #[test]
    fn parts_that_are_planted_do_not_move_and_the_foot_is_flat_between() {
        let body = body();
        for (time, foot, stands) in locked(&body, 120.0) {
            let ball = Vec3::new(0.08, 0.0, if time < 0.9 { 0.02 } else { 0.52 });
            let heel = ball + body.heel_from_ball(Side::Left, body.flat(0.0));
            let here = foot.ball + body.heel_from_ball(Side::Left, foot.rotation);
            assert!(!stands.ball || foot.ball.distance(ball) < 1e-12, "{time}");
            assert!(!stands.heel || here.distance(heel) < 1e-9, "{time}");
            assert!(foot.ball.y > -1e-9 || !stands.any(), "{time}: {}", foot.ball.y);
        }
    }

    /// Whatever the rate, a foot that was flat leaves with no more than a part of the blended velocities.
    #[test]
    fn feet_leave_and_reach_the_ground_without_a_jump_of_velocity() {
        let body = body();
        for rate in [30.0, 60.0, 120.0] {
            let frames = locked(&body, rate);
            let flat: Vec<usize> = (0..frames.len()).filter(|&k| frames[k].2.flat()).collect();
            let turned = |k: usize| rotation::angle_between(frames[k].1.rotation, frames[k + 1].1.rotation) * rate;
            // The blended foot turns by 2.5 rad/s, and would do so from the first frame on.
            let ends = [flat[0] - 1, *flat.iter().rfind(|&&k| frames[k].0 < 0.9).unwrap()];
            for k in ends.into_iter().filter(|&k| k + 1 < frames.len()) {
                assert!(turned(k) < 2.5 * (22.0 / rate).max(0.4), "{rate}: {} rad/s at {}", turned(k), frames[k].0);
            }
            let lifted = frames.iter().position(|frame| !frame.2.any()).unwrap();
            let moved = frames[lifted].1.ball.distance(frames[lifted - 1].1.ball) * rate;
            assert!(moved < 0.4 * (22.0 / rate).max(0.4), "{rate}: {moved} m/s");
        }
    }
}
