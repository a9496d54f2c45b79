//! Two steps become one walk: in the double support that they share, and around it.
//!
//! Reference: STRIDE 5.7. There the poses of both steps are mixed over the double support alone, which may be four frames long.
//!
//! ```text
//!             from     S        L      to           S, L : both feet stand from S to L
//!   share of            .-------'''''''             in S..L both steps have poses, which are mixed
//!   the next  ___....'''                            before and after it one has, and the gap to the other, as it was
//!                  |    |      |    |               at S or L and went on from there, is added by its share
//! ```
//!
//! The gap goes on with the rate that it had: a foot that leaves during the double support has one velocity in the one step and another
//! in the other, and a gap held still would stop the part of it that is of the step before within one frame.

use super::LinearPose;
use super::lock_feet::Ease;
use super::make_frames::MAX_WINDOW;
use super::step_walker::StepWalker;
use super::taken_step::TakenStep;
use super::walk_frame::Join;
use std::ops::Range;
use surefoot_geom::{Vec3, rotation, turn_between};
use surefoot_motion::{PerSide, Side};

/// Seconds over which the rate of a gap is measured, and after which it has gone.
const RATE_OVER: f64 = 0.01;
const RATE_FADE: f64 = 0.16;

/// What a pose differs by from another one.
#[derive(Clone, Debug, Default)]
pub(super) struct Gap {
    pelvis: Vec3,
    pelvis_turn: Vec3,
    feet: PerSide<FootGap>,
    others: Vec<Vec3>,
}

#[derive(Clone, Copy, Debug, Default)]
struct FootGap {
    ball: Vec3,
    turn: Vec3,
    knee_roll: f64,
}

impl Gap {
    fn measure(&mut self, from: &LinearPose, to: &LinearPose) {
        self.pelvis = to.pelvis.translation - from.pelvis.translation;
        self.pelvis_turn = rotation::log_map(to.pelvis.rotation * from.pelvis.rotation.conjugate());
        self.feet = PerSide::from_fn(|side| {
            let (from, to) = (&from.feet[side], &to.feet[side]);
            FootGap {
                ball: to.ball - from.ball,
                turn: rotation::log_map(to.rotation * from.rotation.conjugate()),
                knee_roll: turn_between(from.knee_roll, to.knee_roll),
            }
        });
        self.others.clear();
        self.others.extend(from.others.iter().zip(&to.others).map(|(from, to)| *to - *from));
    }

    /// Adds a share of a gap that goes on from this one, `later` being what it was after it, as much further again as `on`.
    fn add_to(&self, later: &Gap, on: f64, share: f64, pose: &mut LinearPose) {
        let part = |here: Vec3, later: Vec3| (here + (later - here) * on) * share;
        pose.pelvis.translation += part(self.pelvis, later.pelvis);
        pose.pelvis.rotation = rotation::exp_map(part(self.pelvis_turn, later.pelvis_turn)) * pose.pelvis.rotation;
        for side in Side::BOTH {
            let (foot, here, later) = (&mut pose.feet[side], &self.feet[side], &later.feet[side]);
            foot.knee_roll += (here.knee_roll + (later.knee_roll - here.knee_roll) * on) * share;
            foot.ball += part(here.ball, later.ball);
            foot.rotation = (rotation::exp_map(part(here.turn, later.turn)) * foot.rotation).normalize();
        }
        for (vector, (here, later)) in pose.others.iter_mut().zip(self.others.iter().zip(&later.others)) {
            *vector += part(*here, *later);
        }
    }
}

impl StepWalker {
    pub(super) fn join_of(&self, before: &TakenStep, step: &TakenStep) -> Join {
        let window = self.options.join_window;
        Join {
            from: step.start - window.min(MAX_WINDOW * (before.land - before.lift)),
            to: step.lift + window.min(MAX_WINDOW * (step.land - step.lift)),
        }
    }

    /// 3., the rest: what two steps differ by at the ends of their double support fades out into both.
    pub(super) fn join(&mut self, before: &TakenStep, step: &TakenStep) {
        let join = self.join_of(before, step);
        let (from, to) = (self.frame_at(join.from).max(self.settled), self.frame_at(join.to));
        let to = to.min(self.first + self.frames.len());
        let inside = RATE_OVER.min(0.5 * (step.lift - step.start));
        let ends = [(step.start, step.start + inside), (step.lift, step.lift - inside)];
        self.spread([before, step], ends[0], |time| join.share(time), from..self.frame_at(step.start));
        self.spread([before, step], ends[1], |time| join.share(time) - 1.0, self.frame_at(step.lift)..to);
    }

    /// Adds a share of the gap between two steps to some frames, whose feet are not held yet. It is measured at two times of the
    /// double support, the first of which is next to the frames.
    fn spread(
        &mut self,
        [before, step]: [&TakenStep; 2],
        (at, inside): (f64, f64),
        share: impl Fn(f64) -> f64,
        frames: Range<usize>,
    ) {
        let layout = self.database.layout();
        let mut gaps = std::mem::take(&mut self.gaps);
        for (gap, time) in gaps.iter_mut().zip([at, inside]) {
            let _ = before.sample(layout, time, step.lift, &mut self.row, &mut self.gap_from);
            let _ = step.sample(layout, time, step.land, &mut self.row, &mut self.other);
            gap.measure(&self.gap_from, &self.other);
        }
        let rate = Ease { value: Vec3::ZERO, velocity: Vec3::X };
        for number in frames {
            let time = self.time_of(number);
            let on = rate.after((time - at).abs(), f64::INFINITY, RATE_FADE).x / (at - inside).abs().max(1e-9);
            gaps[0].add_to(&gaps[1], -on, share(time), &mut self.frame_mut(number).pose);
        }
        self.gaps = gaps;
    }
}
