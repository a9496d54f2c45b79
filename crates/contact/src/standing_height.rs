//! The heights on which a foot is planted, by a rule that never changes: what skating is measured over, and [`crate::detect_by_height`]
//! looks at.
//!
//! Recorded floors wander by centimetres and stairs have many levels, so that "5 cm above the ground" needs a ground for each
//! plant. It must not come from [`crate::detect_contacts`]: with a better detector the metrics of yesterday would be wrong.
//! Hence this plain rule, which an independent program can repeat.
//!
//! 1. Speed is a central difference over 1/30 s, or over two frames if that is longer; height is above the point's own lowest
//!    place within 0.2 s before and after.
//! 2. A stance is a run of frames slower than 0.7 m/s and under 5 cm, one of them slower than 0.4 m/s and under 3 cm.
//! 3. Stances less than 50 ms apart are joined, then those under 60 ms dropped.
//! 4. A point's standing height is its median in each stance, and between two stances the lower of theirs, so that a foot on its
//!    path up a stair is not on it yet. Without any stance it is the 5 % quantile of all heights.
//!
//! Limits: a foot held still in the air counts as standing.

use crate::frame_runs::runs;
use crate::order_statistics::quantile;
use crate::running_extremes::running_min;
use std::ops::Range;
use surefoot_geom::Vec3;
use surefoot_motion::count_frames;

/// Half of the window in which a point's lowest place is looked for, in seconds.
const WINDOW: f64 = 0.2;
/// Speed and height of a stance, in metres a second and metres.
const LIKELY: (f64, f64) = (0.7, 0.05);
/// Speed and height that one frame of a stance has.
const SURE: (f64, f64) = (0.4, 0.03);
/// Stances closer than this many seconds are one.
const GAP: f64 = 0.05;
/// Stances shorter than this many seconds are none.
const SHORTEST: f64 = 0.06;
/// Replaces a stance where there is none.
const NO_STANCE_QUANTILE: f64 = 0.05;

/// The stances of a point on the ground, by the fixed rule above.
pub fn standing_ranges(track: &[Vec3], frame_rate: f64) -> Vec<Range<usize>> {
    let speed = speeds(track, frame_rate);
    let reach = count_frames((WINDOW * frame_rate).round_ties_even()).max(1);
    let lowest = running_min(&track.iter().map(|place| place.y).collect::<Vec<f64>>(), reach);
    let within = |frame: usize, (fastest, highest): (f64, f64)| {
        speed[frame] < fastest && track[frame].y - lowest[frame] < highest
    };
    let likely: Vec<bool> = (0..track.len()).map(|frame| within(frame, LIKELY)).collect();
    let mut standing: Vec<Range<usize>> = Vec::new();
    for run in runs(&likely).into_iter().filter(|run| run.clone().any(|frame| within(frame, SURE))) {
        match standing.last_mut() {
            Some(last) if ((run.start - last.end) as f64) < GAP * frame_rate => last.end = run.end,
            _ => standing.push(run),
        }
    }
    standing.retain(|range| range.len() as f64 >= SHORTEST * frame_rate);
    standing
}

/// Height of the ball joint above the sole when it is planted, in metres; that of most skeletons.
pub const BALL_HEIGHT: f64 = 0.02;

/// How high a point is over its standing height, frame by frame, given the ranges in which its foot stands.
pub(crate) fn heights_above_standing(track: &[Vec3], standing: &[Range<usize>]) -> Vec<f64> {
    track.iter().zip(standing_heights(track, standing)).map(|(place, standing)| place.y - standing).collect()
}

/// In each frame the standing height of a point, given the ranges in which its foot stands.
fn standing_heights(track: &[Vec3], standing: &[Range<usize>]) -> Vec<f64> {
    let heights = |frames: Range<usize>| track[frames].iter().map(|place| place.y).collect::<Vec<f64>>();
    let levels: Vec<f64> =
        standing.iter().map(|range| quantile(&heights(range.clone()), 0.5).unwrap_or(f64::NAN)).collect();
    let Some(&first) = levels.first() else {
        return vec![quantile(&heights(0..track.len()), NO_STANCE_QUANTILE).unwrap_or(f64::NAN); track.len()];
    };
    let (mut out, mut before) = (Vec::with_capacity(track.len()), first);
    for (range, &level) in standing.iter().zip(&levels) {
        out.resize(range.start, before.min(level));
        out.resize(range.end, level);
        before = level;
    }
    out.resize(track.len(), before);
    out
}

/// The speed of a point in every frame: a central difference over 1/30 s, or over two frames if that is longer.
pub(crate) fn speeds(track: &[Vec3], frame_rate: f64) -> Vec<f64> {
    let half = count_frames((frame_rate / 60.0).round_ties_even()).max(1);
    let last = track.len().saturating_sub(1);
    let speed = |frame: usize| {
        let (before, after) = (frame.saturating_sub(half), (frame + half).min(last));
        track[after].distance(track[before]) * frame_rate / (after - before).max(1) as f64
    };
    (0..track.len()).map(speed).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A foot that is planted at 0 and then at a step of 0.18 m, with a swing between.
    fn stair(frame_rate: f64) -> Vec<Vec3> {
        let seconds = |from: f64, to: f64| {
            let (from, to) = ((from * frame_rate) as usize, (to * frame_rate) as usize);
            (from..to).map(move |frame| frame as f64 / frame_rate)
        };
        let swing = |t: f64| {
            let share = (t - 0.5) / 0.4;
            Vec3::new(0.0, 0.18 * share + 0.2 * (std::f64::consts::PI * share).sin(), 0.6 * share)
        };
        let standing = seconds(0.0, 0.5).map(|_| Vec3::ZERO);
        let stepping = seconds(0.5, 0.9).map(swing);
        standing.chain(stepping).chain(seconds(0.9, 1.5).map(|_| Vec3::new(0.0, 0.18, 0.6))).collect()
    }

    #[test]
    fn a_foot_is_planted_on_each_step_and_on_the_lower_one_while_it_climbs() {
        for rate in [30.0, 60.0, 120.0, 240.0] {
            let track = stair(rate);
            let standing = standing_ranges(&track, rate);
            assert_eq!(standing.len(), 2, "{rate} Hz: {standing:?}");
            let heights = standing_heights(&track, &standing);
            assert_eq!(heights.len(), track.len());
            for (frame, height) in heights.iter().enumerate() {
                let expected = if frame < standing[1].start { 0.0 } else { 0.18 };
                assert!((height - expected).abs() < 1e-12, "{rate} Hz, frame {frame}: {height}");
            }
        }
    }

    #[test]
    fn between_two_stances_the_lower_height_counts() {
        let track = [0.1, 0.1, 0.9, 0.9, 0.3, 0.3, 0.9, 0.2].map(|height| Vec3::Y * height);
        assert_eq!(standing_heights(&track, &[0..2, 4..6, 7..8]), [0.1, 0.1, 0.1, 0.1, 0.3, 0.3, 0.2, 0.2]);
        assert_eq!(standing_heights(&track, std::slice::from_ref(&(4..6))), [0.3; 8]);
    }

    #[test]
    fn no_frames_and_no_stance_have_answers() {
        assert!(standing_ranges(&[], 60.0).is_empty() && standing_heights(&[], &[]).is_empty());
        let flying: Vec<Vec3> = (0..101).map(|k| Vec3::new(0.0, f64::from(k), 0.0)).collect();
        assert!(standing_ranges(&flying, 60.0).is_empty());
        assert_eq!(standing_heights(&flying, &[])[0], 5.0);
    }
}
