//! Stances: which parts of a foot are planted in which frames, and the feet locked in them.
//!
//! The blended steps vote for each frame whether heel and ball are planted. The votes decide when a foot comes down from
//! its heel, rises to its toes and leaves; they do not decide whether its ball keeps to its footprint: from
//! [`BALL_DOWN`] to [`ROLL_OFF`] of the other foot's swing it does.

use super::lock_feet::{FootSwing, PlantEnd, Standing};
use super::step_walker::{Print, StepWalker};
use super::taken_step::TakenStep;
use super::walk_frame::WalkFrame;
use std::ops::Range;
use surefoot_geom::{Vec3, turn_between};
use surefoot_motion::Side;
use surefoot_plan::FootContact;

impl StepWalker {
    /// 5.: feet that land, stand and leave.
    pub(super) fn lock_feet(&mut self, before: Option<&TakenStep>, step: Option<&TakenStep>, to: usize) {
        if !self.options.method.locks_feet() {
            return;
        }
        let from = before.map_or(0, |before| self.frame_at(before.land));
        for side in Side::BOTH {
            let lands = before.is_none_or(|before| before.swing == side);
            let lift = step.filter(|step| step.swing == side).map(|step| self.frame_at(step.lift));
            let until = lift.unwrap_or(to);
            let keep = match lift {
                Some(lift) if !lands || before.is_none() => self.keep_ball_down(side, from..lift),
                _ => from,
            };
            if lands {
                self.put_ball_down(side, from..until, step, lift.is_some());
                let landing = self.arrive(side, before, step, from..until);
                if let Some(before) = before {
                    self.lead_swing(before, landing);
                }
                self.locked[side] = from;
            }
            // A foot that rolled off stays after all where the other one swings again, and where the walk ends.
            let stays = lift.is_none();
            if lands || stays {
                self.released[side] = None;
            }
            if self.released[side].is_none() {
                // Not before the other foot is about to land; at the start of a walk, not before it is about to leave itself.
                let about_to = |step: &TakenStep| match before {
                    None if !stays => self.frame_at(ROLL_OFF * step.lift),
                    _ => self.frame_at(step.lift + ROLL_OFF * (step.land - step.lift)),
                };
                let earliest = step.filter(|_| stays || before.is_none()).map_or(keep, about_to);
                self.released[side] = self.roll_off(side, from..until, lands, earliest).or(lift);
            }
        }
        if let (None, Some(before)) = (step, before) {
            self.locks[before.swing.opposite()].end();
        }
        let end = self.settles_at(step, to);
        for side in Side::BOTH {
            self.keep_planted(side, end);
            if let (None, Some(released)) = (step, self.released[side]) {
                // It rolls over its toes, and the walk ends before it swings.
                let (leaving, rate) = (self.leaving[side], self.options.frame_rate);
                let after = self.frames.range(released - self.first..).next().map(|frame| frame.pose.feet[side]);
                let velocity = after.map_or(Vec3::ZERO, |foot| leaving.blended_velocity(&foot, 1.0 / rate));
                for (index, frame) in self.frames.range_mut(released - self.first..to - self.first).enumerate() {
                    leaving.follow((index + 1) as f64 / rate, velocity, &mut frame.pose.feet[side]);
                }
            }
        }
    }

    /// The frame before which everything is settled once a step is taken: from the lifting of its foot on the next one
    /// may change it.
    pub(super) fn settles_at(&self, step: Option<&TakenStep>, to: usize) -> usize {
        step.map_or(to, |step| self.released[step.swing].unwrap_or_else(|| self.frame_at(step.lift)))
    }

    /// Every stance has a ball that is planted, whatever the blended steps agree on: of a foot that supports from
    /// [`BALL_DOWN`] of the other foot's swing at the latest and until that foot lands, of one that leaves from its first
    /// frame. At a few frames a second there may be none.
    fn put_ball_down(&mut self, side: Side, frames: Range<usize>, step: Option<&TakenStep>, leaves: bool) {
        if frames.is_empty() {
            return;
        }
        let latest = match step {
            _ if leaves => frames.start,
            Some(step) => {
                let by_swing = step.lift + BALL_DOWN * (step.land - step.lift);
                self.frame_at(by_swing.min(step.start + BALL_DOWN_IN_STANCE * (step.land - step.start)))
            }
            None => (frames.start + frames.end) / 2,
        };
        let latest = latest.clamp(frames.start, frames.end - 1);
        let is_planted = |frame: &WalkFrame| frame.signs.planted[side][1] > PLANTED;
        let seen = self.frames.range(frames.start - self.first..=(latest - self.first)).position(is_planted);
        let from = seen.map_or(latest, |seen| frames.start + seen);
        // The last foot of a walk stays down like one that supports.
        if !leaves {
            // Until then one part is planted alone, whatever the votes waver between.
            let [heel, ball] = self.frames[frames.start - self.first].signs.planted[side];
            let alone = if heel >= ball { [1.0, 0.0] } else { [0.0, 1.0] };
            let landing = self.frames.range_mut(frames.start - self.first..from - self.first);
            landing.for_each(|frame| frame.signs.planted[side] = alone);
            self.frames
                .range_mut(from - self.first..frames.end - self.first)
                .for_each(|frame| frame.signs.planted[side][1] = 1.0);
        } else if seen.is_none() {
            let late = self.frames.range_mut(from - self.first..frames.end - self.first);
            late.take_while(|frame| !is_planted(frame)).for_each(|frame| frame.signs.planted[side][1] = 1.0);
        }
    }

    /// The ball of a foot that leaves stays for [`BALL_LEAVES`] of its stance, which ends with a double support in some frames;
    /// or is one, at the start of a walk.
    /// Returns the first frame in which it may leave.
    fn keep_ball_down(&mut self, side: Side, frames: Range<usize>) -> usize {
        let landed = self.locked[side].saturating_sub(self.locks[side].n_frames());
        let stance = frames.end.saturating_sub(landed) as f64;
        let leaves = (landed + (BALL_LEAVES * stance).ceil() as usize).clamp(frames.start, frames.end);
        let range = frames.start - self.first..leaves - self.first;
        self.frames.range_mut(range).for_each(|frame| frame.signs.planted[side][1] = 1.0);
        leaves
    }

    /// When the blended steps stand neither on their heels nor on their balls any more: they roll over their toes. Not
    /// before their balls have stood.
    fn roll_off(&self, side: Side, frames: Range<usize>, lands: bool, earliest: usize) -> Option<usize> {
        let votes = |number: usize| self.frames[number - self.first].signs.planted[side];
        let stood = if lands { frames.clone().find(|&number| votes(number)[1] > PLANTED)? } else { frames.start };
        let longest = (TOES_PLANTED * self.options.frame_rate).round() as usize;
        let from = (stood + 1).max(frames.end.saturating_sub(longest)).max(earliest);
        (from..frames.end).find(|&number| votes(number).iter().sum::<f64>() <= PLANTED)
    }

    fn arrive(
        &mut self,
        side: Side,
        before: Option<&TakenStep>,
        step: Option<&TakenStep>,
        frames: Range<usize>,
    ) -> PlantEnd {
        let print = self.prints[side].expect("both feet stand");
        let landed = before.map(|before| before.heading_after(side));
        let next = step.map(|step| step.heading_before(side));
        let own = match (landed, next) {
            (Some(landed), Some(next)) => landed + 0.5 * turn_between(landed, next),
            (Some(one), None) | (None, Some(one)) => one,
            (None, None) => 0.0,
        };
        // Steps that were carried to the plan are turned already.
        let weight =
            if self.options.method.carries() && landed.or(next).is_some() { 0.0 } else { self.options.heading_weight };
        let heading = print.heading.map_or(own, |target| own + weight * turn_between(own, target));
        if let Some(terrain) = &self.world.terrain {
            let plane = print.plane.on_terrain(self.database.body(), side, heading, terrain);
            self.prints[side] = Some(Print { plane, ..print });
        }
        let ball = Vec3::new(print.ball.x, 0.0, print.ball.z);
        let range = frames.start - self.first..frames.end - self.first;
        let foot_before = range.start.checked_sub(1).map(|at| self.frames[at].pose.feet[side]);
        let body = self.database.body();
        let seen =
            self.frames.range(range).map(|frame| (frame.pose.feet[side], voted(frame.signs.planted[side], false)));
        let plane = self.prints[side].unwrap_or(print).plane;
        let most_strike = plane.most_strike(body, side, heading);
        self.locks[side].arrive(body, Standing { ball, heading, most_strike }, foot_before, &seen)
    }

    fn lead_swing(&mut self, before: &TakenStep, landing: PlantEnd) {
        let (side, to) = (before.swing, self.frame_at(before.land));
        let from = self.released[side].unwrap_or(to);
        if from >= to {
            return;
        }
        let frame_time = 1.0 / self.options.frame_rate;
        let [first, last] = [from, to - 1].map(|number| &self.frames[number - self.first].pose.feet[side]);
        let swing = FootSwing::new([self.leaving[side], landing], [first, last], (to - from, frame_time));
        for number in from..to {
            let time = (number - from + 1) as f64 * frame_time;
            swing.lead(time, &mut self.frame_mut(number).pose.feet[side]);
        }
    }

    /// Locks a foot for as long as it is planted, but not from frame `end` on.
    fn keep_planted(&mut self, side: Side, end: usize) {
        let from = self.locked[side];
        let to = self.released[side].map_or(end, |released| released.min(end)).max(from);
        self.locked[side] = to;
        let body = self.database.body();
        let print = self.prints[side].expect("both feet stand");
        let lock = &mut self.locks[side];
        let leaving = &mut self.leaving[side];
        for frame in self.frames.range_mut(from - self.first..to - self.first) {
            let votes = voted(frame.signs.planted[side], lock.was_flat());
            let foot = &mut frame.pose.feet[side];
            (*leaving, frame.contacts.feet[side]) = lock.lock(body, foot, votes);
            frame.contacts.balls[side] = print.ball;
            frame.contacts.heels[side] = print.plane.place(lock.heel());
        }
    }
}

/// Share of the blended steps that must stand for their blend to stand: more than half, so that feet are let go before
/// they are fast.
const PLANTED: f64 = 0.75;

/// The share of the other foot's swing by which the ball of a supporting foot is down, and before which it does not roll
/// off: what a judge of stances looks at lies between.
const BALL_DOWN: f64 = 0.04;
/// The share of the time from one landing to the next by which it is down, if that is earlier: a fifth of the stance, which is
/// longer.
const BALL_DOWN_IN_STANCE: f64 = 0.2;
const ROLL_OFF: f64 = 0.88;

/// The share of its own stance until which the ball of a foot stays: what reports look at ends there.
const BALL_LEAVES: f64 = 0.8;

/// Longest that feet roll over their toes before the other foot lands, in seconds.
const TOES_PLANTED: f64 = 0.15;

/// What the blended steps say stands. A ball that has stood, with its heel, leaves before the heel only where nearly
/// all do so.
fn voted([heel, ball]: [f64; 2], was_flat: bool) -> FootContact {
    let stays = was_flat && ball > 1.0 - PLANTED;
    FootContact { heel: heel > PLANTED, ball: ball > PLANTED || heel <= PLANTED || stays }
}
