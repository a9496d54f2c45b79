//! Skating weighted by height, as MANN introduced it and RSMT computes it.
//!
//! The move of a joint in a frame, times `clamp(2 - 2^(h / H), 0, 1)` with its height `h` and `H` = 2.5 cm: all of it on the ground,
//! nothing from 2.5 cm up. The mean runs over ankles and balls and over the frames whose weight is not 0. Heights are over where
//! the joint is when the ball is planted. The measure is of a frame, so it halves where the rate doubles; [`MannSkating::speed`] does not.

use super::SkateTrack;
use crate::metrics::foot_points::moves;
use surefoot_geom::Vec3;
use surefoot_motion::PerSide;

/// The height at which a move no longer counts, in metres.
pub const HEIGHT: f64 = 0.025;

/// Skating by MANN's definition.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct MannSkating {
    /// Metres in each frame; `None` if no joint is ever low.
    pub per_frame: Option<f64>,
    /// The same in metres a second.
    pub speed: Option<f64>,
}

/// Measures the weighted mean.
pub fn measure(feet: &PerSide<SkateTrack>, frame_rate: f64) -> MannSkating {
    let (mut sum, mut n_low) = (0.0, 0_usize);
    let mut add = |track: &[Vec3], above: &[f64]| {
        for (step, &height) in moves(track).zip(above.iter().skip(1)) {
            let weight = (2.0 - (height / HEIGHT).exp2()).clamp(0.0, 1.0);
            if weight > 0.0 {
                sum += weight * step.length();
                n_low += 1;
            }
        }
    };
    for (_, foot) in feet.iter() {
        add(&foot.points.ankle, &foot.ankle_above_standing);
        add(&foot.points.ball, &foot.ball_above_standing);
    }
    let per_frame = (n_low > 0).then(|| sum / n_low as f64);
    MannSkating { per_frame, speed: per_frame.map(|metres| metres * frame_rate) }
}
