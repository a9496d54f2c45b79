//! Skating as GRAPH 4.1 measures it.
//!
//! A foot is planted where it is low in a group of adjacent frames, as [`crate::detect_by_height`] has it. The skating of a frame
//! is the sum of the distances of ankle, subtalar joint (our ball) and toe from where they were in the frame before, for both
//! legs; the total is the sum over all frames.
//!
//! A move counts where both of its frames are planted, so that landing and leaving do not. Besides the total, which grows with
//! the clip, we report the mean over the planted frames of each foot.

use super::SkateTrack;
use crate::frame_runs::{both_ends, mask_of};
use crate::metrics::foot_points::moves;
use std::ops::Range;
use surefoot_motion::PerSide;

/// Skating by GRAPH 4.1.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct GraphSkating {
    /// Sum over all frames, both legs and three joints, in metres.
    pub total: f64,
    /// Moves from a planted frame to the next, counted for each foot.
    pub n_planted: usize,
}

impl GraphSkating {
    /// Metres in each planted frame of a foot; `None` if no foot is ever planted.
    pub fn per_frame(&self) -> Option<f64> {
        (self.n_planted > 0).then(|| self.total / self.n_planted as f64)
    }
}

/// Sums the moves of ankle, ball and toe while their foot is planted.
pub fn measure(feet: &PerSide<SkateTrack>, planted: &PerSide<Vec<Range<usize>>>) -> GraphSkating {
    let mut skating = GraphSkating::default();
    for (side, foot) in feet.iter() {
        let down = both_ends(&mask_of(&planted[side], foot.points.ball.len()));
        skating.n_planted += down.iter().filter(|&&down| down).count();
        for joint in foot.points.joints() {
            let planted_moves = moves(joint).zip(&down).filter(|&(_, &down)| down);
            skating.total += planted_moves.map(|(step, _)| step.length()).sum::<f64>();
        }
    }
    skating
}
