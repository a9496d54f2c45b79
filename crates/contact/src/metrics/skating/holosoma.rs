//! Sliding and penetration as Holosoma and OmniRetarget judge retargeted robots: the strictest bar in use.
//!
//! Contacts come from outside. In their frames a toe joint that moves over the ground faster than 1 cm/s slides. A toe joint more
//! than 1 cm below the heights on which it is planted penetrates.

use super::{SkateTrack, share};
use crate::frame_runs::{both_ends, mask_of};
use crate::metrics::worst::Worst;
use crate::{metrics::foot_points::moves, metrics::foot_points::planar};
use std::ops::Range;
use surefoot_motion::{PerSide, Side};

/// Faster over the ground is sliding, in metres a second.
pub const FAST: f64 = 0.01;
/// Deeper is penetration, in metres.
pub const DEEP: f64 = 0.01;

/// Skating by Holosoma's definition.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct HolosomaSkating {
    /// Share of the contact frames in which a ball slides; `None` without contacts.
    pub sliding_share: Option<f64>,
    /// The fastest ball in contact, in metres a second.
    pub fastest: Option<Worst<Side>>,
    /// Share of all frames in which a ball penetrates; `None` of no frames.
    pub penetrating_share: Option<f64>,
    /// The deepest ball below its standing height, in metres; negative if none ever is below.
    pub deepest: Option<Worst<Side>>,
}

/// Measures sliding in the given plants of the balls, and penetration in all frames.
pub fn measure(feet: &PerSide<SkateTrack>, plants: &PerSide<Vec<Range<usize>>>, frame_rate: f64) -> HolosomaSkating {
    let (mut speeds, mut depths) = (Vec::new(), Vec::new());
    for (side, foot) in feet.iter() {
        let held = both_ends(&mask_of(&plants[side], foot.points.ball.len()));
        for (frame, step) in moves(&foot.points.ball).enumerate().filter(|&(frame, _)| held[frame]) {
            speeds.push(Worst { value: planar(step) * frame_rate, place: side, frame: frame + 1 });
        }
        let below = foot.ball_above_standing.iter().enumerate();
        depths.extend(below.map(|(frame, above)| Worst { value: -above, place: side, frame }));
    }
    let over = |values: &[Worst<Side>], limit: f64| values.iter().filter(|worst| worst.value > limit).count();
    HolosomaSkating {
        sliding_share: share(over(&speeds, FAST), speeds.len()),
        penetrating_share: share(over(&depths, DEEP), depths.len()),
        fastest: Worst::of(speeds),
        deepest: Worst::of(depths),
    }
}
