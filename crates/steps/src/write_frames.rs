//! Frames that leave: the pelvis fitted to the legs, the filters, and joints.
//!
//! Reference: STRIDE 5.8 (the upper body), 6.2 (knee rolls, reach, conversion).

use super::reach::{Legs, envelope, fit_mean};
use super::step_walker::StepWalker;
use surefoot_geom::{Vec3, rotation, turn_between};
use surefoot_motion::{Pose, Side};
use surefoot_plan::FrameContacts;

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

    /// The pelvis of settled frames at the height at which legs are as long as in the blended steps, and what is missing for
    /// both feet to be in reach then.
    pub(super) fn fit_pelvis(&mut self) {
        let database = self.database.clone();
        let body = database.body();
        let until = if self.finished { self.settled } else { self.settled.saturating_sub(self.fit_half) };
        for number in self.fitted..until {
            let frame = |offset: isize| {
                let number = (number as isize + offset).clamp(self.first as isize, self.settled as isize - 1);
                &self.frames[number as usize - self.first]
            };
            let rise = fit_mean(self.fit_half, |k| frame(k).fit);
            let here = self.frame_mut(number);
            here.rise = rise;
            let mut legs = Legs::new(body, &here.pose, &here.rotations);
            legs.raise(rise);
            here.reach = legs.reach();
        }
        self.fitted = self.fitted.max(until);
    }

    /// Filters a frame and turns it into joints.
    pub(super) fn write_frame(&mut self, number: usize, pose: &mut Pose) -> FrameContacts {
        let last = self.settled - 1;
        let at = |offset: isize| {
            &self.frames[(number as isize + offset).clamp(self.first as isize, last as isize) as usize - self.first]
        };
        let here = at(0);
        let out = &mut self.out;
        (out.pose.pelvis, out.pose.feet) = (here.pose.pelvis, here.pose.feet);
        out.pose.others.clone_from(&here.pose.others);
        out.rotations.clone_from(&here.rotations);
        let stride = self.stride as isize;
        for (index, &joint) in self.upper.iter().enumerate() {
            let turn = self.filter.response(|m| {
                let from = number as isize + m * stride;
                let known = from >= self.first as isize && from < self.filled as isize;
                if known { self.frames[from as usize - self.first].turns[index] } else { Vec3::ZERO }
            });
            out.rotations[joint] = here.rotations[joint] * rotation::exp_map(turn);
        }
        for side in Side::BOTH {
            let own = here.pose.feet[side].knee_roll;
            let turn = |m: isize| turn_between(own, at(m * stride).pose.feet[side].knee_roll);
            out.pose.feet[side].knee_roll = own + (turn(-2) + 4.0 * turn(-1) + 4.0 * turn(1) + turn(2)) / 16.0;
        }
        out.pose.pelvis.translation += Vec3::Y * here.rise + envelope(self.half, |k| at(k).reach);
        let body = self.database.body();
        // The envelope is smooth, and may be short of a move to the side.
        let rest = Legs::new(body, &out.pose, &out.rotations).reach_barely();
        out.pose.pelvis.translation += rest;
        body.write_pose(&out.pose, &out.rotations, pose);
        here.contacts
    }
}

