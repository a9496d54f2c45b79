//! Skating as Kimodo's benchmark measures it: the share of contact frames in which the toe joint is faster than 0.2 m/s in space,
//! and the mean speed in all of them. In contact is a toe joint lower than 5 cm in both frames of a move.

use super::{LOW, SkateTrack, share};
use crate::metrics::foot_points::moves;
use surefoot_motion::PerSide;

/// Faster in space is skating, in metres a second.
pub const FAST: f64 = 0.2;

/// Skating by Kimodo's definition.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct KimodoSkating {
    /// Share of the contact frames of both feet; `None` without contact.
    pub ratio: Option<f64>,
    /// Mean speed in contact, in metres a second; `None` without contact.
    pub mean_speed: Option<f64>,
}

/// Measures ratio and speed.
pub fn measure(feet: &PerSide<SkateTrack>, frame_rate: f64) -> KimodoSkating {
    let mut speeds = Vec::new();
    for (_, foot) in feet.iter() {
        let low = foot.ball_height.windows(2).map(|pair| pair[0] < LOW && pair[1] < LOW);
        let in_contact = moves(&foot.points.ball).zip(low).filter(|&(_, low)| low);
        speeds.extend(in_contact.map(|(step, _)| step.length() * frame_rate));
    }
    let n_fast = speeds.iter().filter(|&&speed| speed > FAST).count();
    let mean_speed = (!speeds.is_empty()).then(|| speeds.iter().sum::<f64>() / speeds.len() as f64);
    KimodoSkating { ratio: share(n_fast, speeds.len()), mean_speed }
}
