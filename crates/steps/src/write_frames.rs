//! Frames that leave: the pelvis fitted to the legs, the filters, and joints.
//!
//! Reference: STRIDE 5.8 (the upper body), 6.2 (knee rolls, reach, conversion).

use super::reach::{Kernel, Legs, heel_rise, pitch_axis};
use super::settle::{ground_under, ramp_under};
use super::soften_knees::{MOST_SOFTENED, softened};
use super::sole_points::lowest_above;
use super::step_walker::StepWalker;
use super::walk_frame::WalkFrame;
use surefoot_geom::{Quat, Vec3, rotation, smoothstep, turn_between};
use surefoot_motion::{PerSide, Pose, Side};
use surefoot_plan::FrameContacts;

/// Fastest that toes relax, in radians a second.
const TOES_RELAX: f64 = 12.0;

impl StepWalker {
    /// The turns of the upper body from each settled frame to the one a filter step ahead.
    pub(super) fn fill_turns(&mut self) {
        while self.filled + self.stride < self.settled {
            let (here, ahead) = (self.filled - self.first, self.filled + self.stride - self.first);
            let mut turns = std::mem::take(&mut self.frames[here].turns);
            turns.clear();
            let (now, then) = (&self.frames[here].rotations, &self.frames[ahead].rotations);
            turns.extend(self.upper.iter().map(|&joint| rotation::log_map(now[joint].conjugate() * then[joint])));
            self.frames[here].turns = turns;
            self.filled += 1;
        }
    }

    /// Brings settled frames on, each stage as far as it can look ahead: the pelvis to the height at which legs are as long
    /// as in the blended steps, heels up where legs are longer still, and what is missing for both feet to be in reach then.
    pub(super) fn fit_legs(&mut self) {
        let database = self.database.clone();
        let body = database.body();
        let before = |end: usize, half: usize| if self.finished { end } else { end.saturating_sub(half) };
        let fitted = before(self.settled, self.fit_half).max(self.fitted);
        let risen = before(fitted, self.heel_half).max(self.risen);
        let [fit_kernel, heel_kernel] = [self.fit_half, self.heel_half].map(Kernel::new);
        for number in self.fitted..fitted {
            let rise = fit_kernel.mean(|k| self.near(number, k, self.settled).fit);
            let here = self.frame_mut(number);
            here.rise = rise;
            here.heel_rise = PerSide::from_fn(|side| {
                if here.heel_free[side] == 0.0 {
                    return 0.0;
                }
                let hip = body.hip(&here.pose.pelvis, &here.rotations, side) + Vec3::Y * rise;
                let rise = heel_rise(body, side, &here.pose.feet[side], hip, here.signs.extension[side]);
                here.level_share * here.heel_free[side] * rise
            });
        }
        self.fitted = fitted;
        let world = self.world.clone();
        for number in self.risen..risen {
            let rises = PerSide::from_fn(|side| {
                let free = self.near(number, 0, fitted).free_frames[side];
                if free == 0 {
                    return 0.0;
                }
                // It comes in from the last frame in which the heel was planted, and goes out to the next.
                let ahead =
                    (1..=self.heel_half).find(|&k| self.near(number, k as isize, fitted).contacts.feet[side].heel);
                let frames = free.min(ahead.unwrap_or(self.heel_half));
                smoothstep(frames as f64 / self.heel_half as f64)
                    * heel_kernel.mean(|k| self.near(number, k, fitted).heel_rise[side])
            });
            let before = PerSide::from_fn(|side| {
                let frame = number.checked_sub(self.first + 1).map(|at| &self.frames[at]);
                frame.zip(body.toes(side).joint).map(|(frame, joint)| frame.rotations[joint])
            });
            let most = TOES_RELAX / self.options.frame_rate;
            let here = self.frame_mut(number);
            for side in Side::BOTH {
                let foot = &mut here.pose.feet[side];
                if rises[side] > 0.0 {
                    let pitch = Quat::from_axis_angle(pitch_axis(foot), rises[side]);
                    foot.rotation = (pitch * foot.rotation).normalize();
                }
                if let Some(joint) = body.toes(side).joint {
                    let toes = &mut here.rotations[joint];
                    // Toes that were bent by the ground relax when it is gone.
                    let turn = before[side].map_or(0.0, |before| rotation::angle_between(before, *toes));
                    if let Some(before) = before[side].filter(|_| turn > most) {
                        *toes = rotation::slerp(before, *toes, most / turn);
                    }
                    let ground = ramp_under(world.terrain.as_ref(), &here.under[side]);
                    match here.contacts.feet[side].any() {
                        true => body.toes(side).bend_out(foot, toes, &ground),
                        false => {
                            body.toes(side).bend_out_in_swing(foot, toes, &ground);
                            let ground = ground_under(world.terrain.as_ref(), &here.under[side]);
                            body.toes(side).bend_out_rest(foot, toes, &ground);
                        }
                    }
                }
            }
            let mut legs = Legs::new(body, &here.pose, &here.rotations);
            legs.raise(here.rise);
            here.reach = legs.reach();
        }
        self.risen = risen;
        self.reach_feet();
    }

    /// Where the pelvis of frames comes to be in the end, and the flexion of their knees then.
    fn reach_feet(&mut self) {
        let database = self.database.clone();
        let body = database.body();
        let until = if self.finished { self.risen } else { self.risen.saturating_sub(2 * self.half) };
        let kernel = Kernel::new(self.half);
        for number in self.reached..until {
            let smooth = kernel.envelope(|k| self.near(number, k, self.risen).reach);
            let here = self.frame_mut(number);
            here.pose.pelvis.translation += Vec3::Y * here.rise + smooth;
            // The envelope is smooth, and may be short of a move to the side.
            here.pose.pelvis.translation += Legs::new(body, &here.pose, &here.rotations).reach_barely();
            here.flexion = PerSide::from_fn(|side| {
                let hip = body.hip(&here.pose.pelvis, &here.rotations, side);
                body.flexion(side, hip.distance(body.ankle(side, &here.pose.feet[side])))
            });
        }
        self.reached = self.reached.max(until);
    }

    /// How many frames may leave: those after them that they depend on are done.
    pub(super) fn ready(&self) -> usize {
        let ahead = (self.filter.reach() * self.stride, self.knee_half + 3);
        match self.finished {
            true => self.settled,
            false => self.settled.saturating_sub(ahead.0).min(self.reached.saturating_sub(ahead.1)),
        }
    }

    /// The frame some frames from another, held at the first and before `end`.
    fn near(&self, number: usize, offset: isize, end: usize) -> &WalkFrame {
        let number = (number as isize + offset).clamp(self.first as isize, end as isize - 1);
        &self.frames[number as usize - self.first]
    }

    /// Filters a frame and turns it into joints.
    pub(super) fn write_frame(&mut self, number: usize, pose: &mut Pose) -> FrameContacts {
        let last = self.settled - 1;
        let at = |offset: isize| {
            &self.frames[(number as isize + offset).clamp(self.first as isize, last as isize) as usize - self.first]
        };
        let (here, locks) = (at(0), self.options.method.locks_feet());
        let out = &mut self.out;
        (out.pose.pelvis, out.pose.feet) = (here.pose.pelvis, here.pose.feet);
        out.rotations.clone_from(&here.rotations);
        let stride = self.stride as isize;
        out.turns.clear();
        out.turns.resize(self.upper.len(), Vec3::ZERO);
        for (m, b) in self.filter.coefficients() {
            let from = number as isize + m * stride;
            if from >= self.first as isize && from < self.filled as isize {
                let turns = &self.frames[from as usize - self.first].turns;
                out.turns.iter_mut().zip(turns).for_each(|(sum, turn)| *sum += *turn * b);
            }
        }
        for (&joint, turn) in self.upper.iter().zip(&out.turns) {
            out.rotations[joint] = here.rotations[joint] * rotation::exp_map(*turn);
        }
        for side in Side::BOTH {
            let own = here.pose.feet[side].knee_roll;
            let turn = |m: isize| turn_between(own, at(m * stride).pose.feet[side].knee_roll);
            out.pose.feet[side].knee_roll = own + (turn(-2) + 4.0 * turn(-1) + 4.0 * turn(1) + turn(2)) / 16.0;
        }
        let body = self.database.body();
        for side in Side::BOTH.into_iter().filter(|&side| !here.contacts.feet[side].any()) {
            let frame = |k: isize| (at(k).flexion[side], at(k).contacts.feet[side].any());
            let Some((flexion, frames)) = softened(self.knee_half, frame).filter(|_| locks) else { continue };
            let hip = body.hip(&out.pose.pelvis, &out.rotations, side);
            let foot = &mut out.pose.feet[side];
            let leg = body.ankle(side, foot) - hip;
            let most = MOST_SOFTENED * frames as f64 / self.options.frame_rate;
            let moved = most * ((body.leg_reach(side, flexion) - leg.length()) / most).tanh();
            foot.ball += leg.normalize_or_zero() * moved;
            let ground = ground_under(self.world.terrain.as_ref(), &here.under[side]);
            let toes = body.toes(side);
            let points = body.sole_points(side, foot, toes.rotation(&out.rotations));
            foot.ball.y += (-lowest_above(&points, toes.drop(), &ground)).max(0.0);
        }
        body.write_pose(&out.pose, &out.rotations, pose);
        here.contacts
    }
}
