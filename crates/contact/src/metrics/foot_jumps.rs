//! Movements of feet that stand out from the frame before and after: what an eye sees as a jump.
//!
//! A move is that of ankle, ball or toe from one frame to the next. It is compared with the larger of the moves beside it, once, or
//! as a pair of moves out and back again with the moves around the pair. Moves under 2 cm in 1/60 s are nobody's jump.

use super::foot_points::moves;
use super::soles_by_motion::SoleTrack;
use super::worst::Worst;
use surefoot_geom::Vec3;
use surefoot_motion::{PerSide, Side};

/// Slower moves are no jumps, in metres a second: 2 cm in 1/60 s.
const FAST: f64 = 1.2;
/// The smallest move that another is compared with, in metres.
const LEAST: f64 = 1e-6;

/// The largest move of a foot against its neighbours: its value is how many times larger it is, its frame the one that it ends
/// in. `None` where no foot is fast.
pub fn measure_foot_jumps(soles: &PerSide<SoleTrack>, frame_rate: f64) -> Option<Worst<Side>> {
    let all = soles.iter().flat_map(|(side, sole)| {
        let found = sole.joints().flat_map(|track| jumps_of(track, frame_rate)).collect::<Vec<_>>();
        found.into_iter().map(move |(frame, value)| Worst { value, place: side, frame })
    });
    Worst::of(all)
}

/// Every fast move of a point with its size against the moves beside it.
fn jumps_of(track: &[Vec3], frame_rate: f64) -> Vec<(usize, f64)> {
    let moves: Vec<Vec3> = moves(track).collect();
    let sizes: Vec<f64> = moves.iter().map(|step| step.length()).collect();
    let last = sizes.len().saturating_sub(1);
    let against = |size: f64, before: usize, after: usize| size / sizes[before].max(sizes[after]).max(LEAST);
    let jump = |at: usize| {
        let once = against(sizes[at], at - 1, at + 1);
        let comes_back = (moves[at] + moves[at + 1]).length() < 0.5 * (sizes[at] + sizes[at + 1]);
        let pair = against(sizes[at].min(sizes[at + 1]), at - 1, (at + 2).min(last));
        (at + 1, if comes_back { once.max(pair) } else { once })
    };
    (1..last).filter(|&at| sizes[at] * frame_rate > FAST).map(jump).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn feet(track: impl Fn(usize) -> f64) -> PerSide<SoleTrack> {
        let places: Vec<Vec3> = (0..40).map(|frame| Vec3::Z * track(frame)).collect();
        PerSide::from_fn(|_| SoleTrack { ankle: places.clone(), ball: places.clone(), ..SoleTrack::default() })
    }

    #[test]
    fn a_smooth_swing_has_moves_like_their_neighbours_and_a_jump_stands_out() {
        let smooth = |frame: usize| 0.6 * (1.0 - (std::f64::consts::PI * frame as f64 / 39.0).cos()) / 2.0;
        let even = measure_foot_jumps(&feet(smooth), 60.0).expect("a fast foot");
        assert!(even.value < 1.2, "{even:?}");
        let jump = measure_foot_jumps(&feet(|frame| smooth(frame) + if frame > 20 { 0.09 } else { 0.0 }), 60.0);
        let jump = jump.expect("a fast foot");
        assert!(jump.value > 4.0 && jump.frame == 21, "{jump:?}");
        let out_and_back = measure_foot_jumps(&feet(|frame| if frame == 20 { 0.05 } else { 0.0 }), 60.0);
        assert!(out_and_back.is_some_and(|jump| jump.value > 100.0), "{out_and_back:?}");
        assert_eq!(measure_foot_jumps(&feet(|_| 0.0), 60.0), None);
    }
}
