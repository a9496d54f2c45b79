//! Skating as GRAPH 4.1 measures it.
//!
//! A foot is planted where it is low in a group of adjacent frames; its speed is not asked, for a foot that skates is fast. The
//! skating of a frame is the sum of the distances of ankle, subtalar joint (our ball) and toe from where they were in the frame
//! before, for both legs; the total is the sum over all frames.
//!
//! The paper gives neither height nor time: ours are 5 cm and 0.1 s. A move counts where both of its frames are planted, so that
//! landing and leaving do not. Besides the total, which grows with the clip, we tell the mean over the planted frames of each
//! foot.

use super::{LOW, SkateTrack};
use crate::measures::foot_points::moves;
use crate::measures::frame_runs::{both_ends, mask_of, runs};
use std::ops::Range;
use surefoot_motion::PerSide;

/// Shortest group of adjacent low frames that is a plant, in seconds: three frames at 30 fps.
pub const SHORTEST_PLANT: f64 = 0.1;

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

/// Groups of adjacent frames in which the ball is low.
pub fn planted_by_height(foot: &SkateTrack, frame_rate: f64) -> Vec<Range<usize>> {
    let low: Vec<bool> = foot.ball_height.iter().map(|&height| height < LOW).collect();
    let mut groups = runs(&low);
    groups.retain(|group| group.len() as f64 >= SHORTEST_PLANT * frame_rate);
    groups
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
