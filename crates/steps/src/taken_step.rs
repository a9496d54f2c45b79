//! A blended step at its place in the world and in time.
//!
//! Reference: STRIDE 5.5 (time scaling; there the pace changes at once where a foot lifts or lands, here it goes over), 5.7 and A.2 (double supports are shared and last as long as both steps' do on
//! average).
//!
//! ```text
//!      S_j      L_j              A_j = S_j+1    L_j+1
//!  ....|=========|----------------|==============|------....
//!      with j-1     step j alone    with j+1
//! ```

use super::blend::BlendedStep;
use super::stance_plane::StancePlane;
use super::step_heights::HeightFit;
use super::step_rows::{RowLayout, RowSigns};
use super::{Choice, LinearPose, N_SUPPORT, N_SWING};
use surefoot_geom::Transform;
use surefoot_motion::Side;

/// A step that is being walked. Times are seconds from the beginning of the walk.
#[derive(Clone, Debug)]
pub(super) struct TakenStep {
    pub(super) blend: BlendedStep,
    pub(super) choice: Choice,
    /// The step that trunk and arms are of, where they are spliced.
    pub(super) upper: Option<usize>,
    pub(super) swing: Side,
    /// The supporting frame on the ground at height 0, and its heading.
    pub(super) frame: Transform,
    pub(super) yaw: f64,
    /// Both feet stand from here...
    pub(super) start: f64,
    /// Seconds of the blended double support that are over at `start`: a walk that begins shortly before a foot lifts begins in the
    /// middle of a step.
    pub(super) skipped: f64,
    /// ...to here, where the foot lifts...
    pub(super) lift: f64,
    /// ...and here it lands.
    pub(super) land: f64,
    /// Heights of the supporting foot and of the swinging one before and after.
    pub(super) heights: [f64; 3],
    /// How far the blended steps have such heights.
    pub(super) fit: HeightFit,
    /// What the swinging foot leaves, and lands on. The second is known in full when the foot's heading is.
    pub(super) planes: [StancePlane; 2],
    /// How far the ground between is from a straight line, in metres; 0 where it is not known.
    pub(super) unevenness: f64,
}

impl TakenStep {
    /// The pose at a time from `start` to `land`, or in the double support after it, which lasts to `last`.
    pub(super) fn sample(
        &self,
        layout: RowLayout,
        time: f64,
        last: f64,
        row: &mut Vec<f32>,
        pose: &mut LinearPose,
    ) -> RowSigns {
        self.sample_row(layout, self.row_at(time, last), row, pose)
    }

    /// The row of the blended step at a time. Its three parts last as long as they shall, and the pace, seconds of the blended
    /// step a second, goes over from one to the next.
    fn row_at(&self, time: f64, last: f64) -> f64 {
        let (support, swing, own) = (N_SUPPORT as f64, N_SWING as f64, &self.blend.times);
        let pace = |seconds: f64, from: f64, to: f64| seconds.max(1e-3) / (to - from).max(1e-3);
        let [first, middle] =
            [pace(own.first - self.skipped, self.start, self.lift), pace(own.swing, self.lift, self.land)];
        // Twice the slower one at most, so that no part goes back.
        let lifting = 2.0 * first * middle / (first + middle);
        if time < self.lift {
            let skipped = self.skipped / own.first.max(1e-3);
            let share = share_at((self.start, self.lift), [1.0, lifting / first], time);
            support * (skipped + (1.0 - skipped) * share)
        } else if time < self.land {
            support + swing * share_at((self.lift, self.land), [lifting / middle, 1.0], time)
        } else {
            let end = pace(own.last, self.land, last);
            support + swing + support * share_at((self.land, last), [(middle / end).min(3.0), 1.0], time)
        }
    }

    /// The pose at a row.
    pub(super) fn sample_row(
        &self,
        layout: RowLayout,
        index: f64,
        row: &mut Vec<f32>,
        pose: &mut LinearPose,
    ) -> RowSigns {
        let signs = self.blend.sample(self.swing, layout, index, row, pose);
        pose.pelvis = self.frame * pose.pelvis;
        for side in Side::BOTH {
            let foot = &mut pose.feet[side];
            foot.ball = self.frame.transform_point(foot.ball);
            foot.rotation = self.frame.rotation * foot.rotation;
        }
        signs
    }

    /// The pose at a share of the double support after it.
    pub(super) fn sample_last(
        &self,
        layout: RowLayout,
        share: f64,
        row: &mut Vec<f32>,
        pose: &mut LinearPose,
    ) -> RowSigns {
        self.sample_row(layout, (N_SUPPORT + N_SWING) as f64 + share * N_SUPPORT as f64, row, pose)
    }

    /// Heading in the world of a foot in this step: before the swing, or after it.
    pub(super) fn heading_before(&self, side: Side) -> f64 {
        self.yaw + self.blend.headings[usize::from(side == self.swing)]
    }

    /// See [`TakenStep::heading_before`].
    pub(super) fn heading_after(&self, side: Side) -> f64 {
        self.yaw + self.blend.headings[if side == self.swing { 2 } else { 0 }]
    }

    /// The middle of its swing.
    pub(super) fn middle(&self) -> f64 {
        0.5 * (self.lift + self.land)
    }

    /// How much of its swing is over.
    pub(super) fn swing_share(&self, time: f64) -> f64 {
        ((time - self.lift) / (self.land - self.lift)).clamp(0.0, 1.0)
    }
}

/// How much of a part of a step is over at a time in its span, from 0 to 1. Paces are those at its ends against an even one.
fn share_at((from, to): (f64, f64), paces: [f64; 2], time: f64) -> f64 {
    if to <= from {
        return 1.0;
    }
    let u = ((time - from) / (to - from)).clamp(0.0, 1.0);
    let (u2, u3) = (u * u, u * u * u);
    3.0 * u2 - 2.0 * u3 + paces[0] * (u3 - 2.0 * u2 + u) + paces[1] * (u3 - u2)
}

#[cfg(test)]
mod tests {
    use super::share_at;

    #[test]
    fn steps_go_on_at_the_paces_of_their_ends_and_never_back() {
        for paces in [[1.0, 1.0], [3.0, 2.0], [0.0, 3.0]] {
            let at = |time: f64| share_at((2.0, 2.5), paces, time);
            assert!(at(2.0) == 0.0 && (at(2.5) - 1.0).abs() < 1e-9);
            assert!(((at(2.0 + 1e-6) - at(2.0)) / 1e-6 - 2.0 * paces[0]).abs() < 1e-3);
            assert!(((at(2.5) - at(2.5 - 1e-6)) / 1e-6 - 2.0 * paces[1]).abs() < 1e-3);
            let goes_on =
                (0..100).all(|k| at(2.0 + f64::from(k + 1) / 200.0) >= at(2.0 + f64::from(k) / 200.0) - 1e-12);
            assert!(goes_on, "{paces:?}");
        }
        assert_eq!(share_at((2.0, 2.0), [1.0, 1.0], 2.0), 1.0);
    }
}
