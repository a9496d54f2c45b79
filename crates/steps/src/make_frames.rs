//! Frames of steps before their feet are locked: of one step or, in a double support, of two; and how a walk comes to rest.
//!
//! Reference: STRIDE 5.7.

use super::fit_root::fit_root;
use super::step_walker::StepWalker;
use super::taken_step::TakenStep;
use super::walk_frame::mix_signs;
use super::{LinearFoot, StepTimes};
use surefoot_geom::{Transform, Vec3};
use surefoot_motion::Side;

/// A walk ends on two flat feet: the last double support lasts at least this long, in seconds, and its foot is flat after this
/// share of it, so that its ball is on its footprint over the middle 60 % of its stance.
const MIN_LAST_SUPPORT: f64 = 0.3;
const LAST_FLAT: f64 = 0.19;
/// Longest that a leg is in the last frame for its foot to lie flat, as a share of a straight one.
const LONGEST_AT_REST: f64 = 0.99;
/// The windows of two double supports leave this share of the swing between them alone.
pub(super) const MAX_WINDOW: f64 = 0.45;

impl StepWalker {
    pub(super) fn last_support(&self, step: &TakenStep) -> f64 {
        self.support_after(self.prints[step.swing].and_then(|print| print.support), &step.blend.times)
    }

    /// The double support after a step with which the walk ends.
    pub(super) fn support_after(&self, target: Option<f64>, times: &StepTimes) -> f64 {
        let own = times.last;
        target.map_or(own, |target| own + self.options.time_weight * (target - own)).max(MIN_LAST_SUPPORT)
    }

    /// 3.: one frame of one step or, in a double support, of two.
    pub(super) fn add_frame(&mut self, number: usize, before: Option<&TakenStep>, step: Option<&TakenStep>) {
        let layout = self.database.layout();
        let time = self.time_of(number);
        let mut frame = self.pool.pop().unwrap_or_default();
        frame.clear();
        frame.lift = self.level;
        frame.level_share = [before, step].into_iter().flatten().map(|step| step.fit.share).fold(1.0, f64::min);
        if !self.options.fits_legs {
            frame.level_share = 0.0;
        }
        match (before, step) {
            (Some(before), Some(step)) if number < self.frame_at(step.lift) => {
                frame.signs = before.sample(layout, time, step.lift, &mut self.row, &mut frame.pose);
                let others = step.sample(layout, time, step.land, &mut self.row, &mut self.other);
                let share = self.join_of(before, step).share(time);
                frame.pose.mix(&self.other, share);
                mix_signs(&mut frame.signs, &others, share);
            }
            (_, Some(step)) => frame.signs = step.sample(layout, time, step.land, &mut self.row, &mut frame.pose),
            (Some(before), None) => {
                let last = before.land + self.last_support(before);
                let at = comes_to_rest(time - before.land, last - before.land, before.blend.times.last);
                let share = at / (last - before.land);
                frame.signs = before.sample_last(layout, share, &mut self.row, &mut frame.pose);
                // Nobody leaves: a foot that lies flat goes on, and the foot that has landed comes to.
                frame.signs.planted[before.swing.opposite()] = [1.0, 1.0];
                if time > before.land + flat_after(last - before.land) {
                    frame.signs.planted[before.swing][1] = 1.0;
                }
            }
            (None, None) => unreachable!("a frame is of some step"),
        }
        self.frames.push_back(frame);
    }

    /// Whether a foot that was behind can lie flat where the walk ends, without its leg pulling the pelvis down.
    pub(super) fn stands_flat_at_end(&self, side: Side) -> bool {
        let (Some(frame), Some(print)) = (self.frames.back(), self.prints[side]) else { return true };
        let body = self.database.body();
        let heading = print.heading.unwrap_or_else(|| body.foot_heading(frame.pose.feet[side].rotation));
        let ball = Vec3::new(print.ball.x, print.ball.y - self.level, print.ball.z);
        let foot = LinearFoot { ball, rotation: body.flat(heading), knee_roll: 0.0 };
        let mut rotations = Vec::new();
        body.rotations(&frame.pose, &mut rotations);
        let hip = body.hip(&frame.pose.pelvis, &rotations, side);
        hip.distance(body.ankle(side, &foot)) <= LONGEST_AT_REST * body.leg_length(side)
    }

    /// 4.: the pelvis around the double support of two steps.
    pub(super) fn fit_root(&mut self, before: &TakenStep, step: &TakenStep) {
        if !self.options.filters {
            return;
        }
        let window = self.options.root_window;
        let back = window.min(MAX_WINDOW * (before.land - before.lift));
        let on = window.min(MAX_WINDOW * (step.land - step.lift));
        let from = self.frame_at(step.start - back).max(self.first);
        let to = (self.frame_at(step.lift + on) + 1).min(self.first + self.frames.len());
        let range = from - self.first..to - self.first;
        let mut pelvis: Vec<&mut Transform> =
            self.frames.range_mut(range).map(|frame| &mut frame.pose.pelvis).collect();
        fit_root(&mut pelvis);
    }
}

/// Seconds into the last double support of a walk that lasts `length`, in which the body comes to rest: it goes on at the pace of
/// the blended steps, whose own double support lasts `own`, and slows down.
fn comes_to_rest(time: f64, length: f64, own: f64) -> f64 {
    let u = (time / length).clamp(0.0, 1.0);
    // Beyond 3 the cubic would go past its end and back.
    let pace = (length / own).min(3.0);
    length * (pace * u * (1.0 - u).powi(2) + u * u * (3.0 - 2.0 * u))
}

/// How long the last foot takes to come down flat, in a double support of some seconds.
fn flat_after(last_support: f64) -> f64 {
    LAST_FLAT * last_support
}

#[cfg(test)]
mod tests {
    use super::comes_to_rest;

    #[test]
    fn a_walk_goes_on_at_its_pace_and_ends_at_rest() {
        for (length, own) in [(0.3, 0.12), (0.3, 0.3), (0.5, 0.2)] {
            let speed = |time: f64| (comes_to_rest(time + 1e-6, length, own) - comes_to_rest(time, length, own)) / 1e-6;
            assert!((speed(0.0) - length / own).abs() < 1e-3, "{length} {own}: {}", speed(0.0));
            assert!(speed(length - 1e-6).abs() < 1e-3, "{length} {own}");
            assert!((comes_to_rest(length, length, own) - length).abs() < 1e-12);
            let slows = (0..99).all(|k| speed(f64::from(k + 1) * length / 100.0) > -1e-9);
            assert!(slows, "{length} {own}: it goes back");
        }
    }
}
