//! Steps up and down: what of a step is its heights, and what is how it is taken.
//!
//! Reference: STRIDE 8.1, which proposes to "expand S_low with more parameters to account for the height differences".
//!
//! A step has two heights beside its three lengths: those of the swinging foot before and after, above the supporting one. They are
//! dimensions of D_high, not of S_low: the tetrahedra keep their three lengths, and which of the steps that span a footprint are taken
//! is decided by height too.
//!
//! Rows are kept *over a base line* that follows from the heights alone, so that blended rows get the heights of a query exactly,
//! and everything that was recorded beyond it is blended as it is: how early a foot is pulled up, how high it clears the edge, when the
//! pelvis rises and how deep it sinks.
//!
//! ```text
//!   foot                      ..o          pelvis                  .---  height of the next support
//!        recorded ->  .o'''' . B                             . '
//!                   /   .  '   <- base:    base -> .  '  '           from the middle of one swing to
//!            A o..' '             the line   ---'                    the middle of the next
//! ```
//!
//! - Of a swinging foot the base is the straight line from place to place: on a slope, the ground ([`foot_base`]).
//! - Of the pelvis it is the height of the supporting foot, going over from the middle of one swing to the middle of the next. What a
//!   recorded step does not show, its neighbours' swings, is taken to be like its own ([`PelvisBase`]).
//!
//! What is left to be done without an example is the difference between the heights of the blended steps and those asked for
//! ([`HeightFit`]): there feet rise early and pelvises late, as far as the difference goes.

use super::{CanonicalStep, Choice, StepTimes};
use surefoot_geom::{Vec3, smoothstep};

/// A step has a recorded height if the blended steps have it within this, on the mean over their weights, in metres: a quarter of
/// a stair. Less than what feet clear stairs by, so that nothing but a small correction is left.
pub const HEIGHT_TOLERANCE: f64 = 0.04;
/// Heights that differ by less than this need no other legs, in metres; from twice as much on they do.
const SAME: f64 = 0.03;
/// Places that are nearer to each other over the ground have no line between them, in metres: a foot's height goes by time.
const NO_LINE: f64 = 0.05;

/// How much of the height of a swing a foot has at some place and share of its time: by its way over the ground, or by time alone where
/// it goes straight up. Nothing of it before the swing and all of it after: a foot that lands on its heel has its ball beside its place.
pub(super) fn along_line(from: Vec3, to: Vec3, ball: Vec3, time_share: f64) -> f64 {
    let line = Vec3::new(to.x - from.x, 0.0, to.z - from.z);
    let length = line.length();
    if length < NO_LINE {
        return smoothstep(time_share);
    }
    let along = (ball - from).dot(line) / (length * length);
    let (begun, landed) = (smoothstep(time_share / ENDS), smoothstep((time_share - 1.0 + ENDS) / ENDS));
    along * begun * (1.0 - landed) + landed
}

/// Share of a swing at either end in which the line is left.
const ENDS: f64 = 0.15;

/// The base of a swinging foot over its supporting one.
pub(super) fn foot_base([from, to]: [f64; 2], along: f64) -> f64 {
    from + (to - from) * along
}

/// The base of a pelvis over the supporting foot.
#[derive(Clone, Copy, Debug)]
pub(super) struct PelvisBase {
    heights: [f64; 2],
    /// The middles of three swings, in seconds from the beginning of the step.
    middles: [f64; 3],
}

impl PelvisBase {
    /// Of a step by itself.
    pub(super) fn new(heights: [f64; 2], times: &StepTimes) -> PelvisBase {
        let half = 0.5 * times.swing;
        PelvisBase { heights, middles: [-half, times.first + half, times.total() + half] }
    }

    pub(super) fn at(&self, time: f64) -> f64 {
        let [before, middle, after] = self.middles;
        let [from, to] = self.heights;
        let share = |start: f64, end: f64| smoothstep((time - start) / (end - start));
        from * (1.0 - share(before, middle)) + to * share(middle, after)
    }
}

/// How far the heights of blended steps are those that were asked for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct HeightFit {
    /// Mean distance of the steps' heights, the larger of both, in metres.
    pub(super) off: f64,
    /// 1 where the steps are an example for legs and pelvis, 0 where their heights are others.
    pub(super) share: f64,
}

impl HeightFit {
    pub(super) fn new(steps: &[CanonicalStep], choice: &Choice, heights: [f64; 2]) -> HeightFit {
        let (mut off, mut total, mut blended) = (0.0, 0.0, [0.0; 2]);
        for part in choice.parts() {
            let own = steps[part.step].heights;
            let apart = [0, 1].map(|k| (own[k] - heights[k]).abs());
            off += part.weight.abs() * apart[0].max(apart[1]);
            total += part.weight.abs();
            [0, 1].into_iter().for_each(|k| blended[k] += part.weight * own[k]);
        }
        let [from, to] = [0, 1].map(|k| heights[k] - blended[k]);
        let spread = from.max(to).max(0.0) - from.min(to).min(0.0);
        HeightFit { off: off / f64::max(total, 1e-9), share: 1.0 - smoothstep((spread - SAME) / SAME) }
    }

    /// Metres between the heights asked for and recorded ones; 0 where these are as good as recorded.
    pub(super) fn outside(&self) -> f64 {
        if self.off > HEIGHT_TOLERANCE { self.off } else { 0.0 }
    }
}

impl CanonicalStep {
    /// Whether it goes neither up nor down, within [`HEIGHT_TOLERANCE`].
    pub fn is_level(&self) -> bool {
        self.heights.iter().all(|height| height.abs() <= HEIGHT_TOLERANCE)
    }

    /// How far its foot goes up, in metres; down below 0.
    pub fn rise(&self) -> f64 {
        self.heights[1] - self.heights[0]
    }
}

impl Choice {
    /// Metres between the heights of a step that was asked for and those of the steps that are blended for it, on the mean; 0 where
    /// they are within [`HEIGHT_TOLERANCE`].
    pub fn height_outside(&self, steps: &[CanonicalStep], heights: [f64; 2]) -> f64 {
        HeightFit::new(steps, self, heights).outside()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_goes_by_place_and_without_a_line_by_time() {
        let (from, to) = (Vec3::ZERO, Vec3::new(0.0, 0.2, 0.6));
        let at = |z: f64, share: f64| along_line(from, to, Vec3::new(0.1, 0.5, z), share);
        assert_eq!((at(0.0, 0.5), at(0.3, 0.5), at(0.6, 0.5)), (0.0, 0.5, 1.0));
        assert_eq!((at(0.03, 0.0), at(0.57, 1.0)), (0.0, 1.0), "planted feet have the heights of their places");
        assert_eq!(along_line(from, Vec3::new(0.0, 0.2, 0.01), Vec3::ZERO, 1.0), 1.0);
    }

    #[test]
    fn a_pelvis_is_over_its_support_in_mid_swing_and_between_both_feet_in_double_support() {
        let times = StepTimes { first: 0.1, swing: 0.4, last: 0.1 };
        let base = PelvisBase::new([-0.17, 0.15], &times);
        assert!(base.at(0.3).abs() < 1e-12);
        assert!((base.at(0.05) + 0.085).abs() < 1e-12 && (base.at(0.55) - 0.075).abs() < 1e-12);
        let level = PelvisBase::new([0.0, 0.0], &times);
        assert!((0..60).all(|k| level.at(0.01 * f64::from(k)) == 0.0));
    }
}
