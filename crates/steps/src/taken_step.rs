//! A blended step at its place in the world and in time.
//!
//! Reference: STRIDE 5.5 (time scaling), 5.7 and A.2 (double supports are shared and last as long as both steps' do on
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
        let (support, swing) = (N_SUPPORT as f64, N_SWING as f64);
        let share = |from: f64, to: f64| if to > from { ((time - from) / (to - from)).clamp(0.0, 1.0) } else { 1.0 };
        let index = if time < self.lift {
            support * share(self.start, self.lift)
        } else if time < self.land {
            support + swing * share(self.lift, self.land)
        } else {
            support + swing + support * share(self.land, last)
        };
        let signs = self.blend.sample(self.swing, layout, index, row, pose);
        pose.pelvis = self.frame * pose.pelvis;
        for side in Side::BOTH {
            let foot = &mut pose.feet[side];
            foot.ball = self.frame.transform_point(foot.ball);
            foot.rotation = self.frame.rotation * foot.rotation;
        }
        signs
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
