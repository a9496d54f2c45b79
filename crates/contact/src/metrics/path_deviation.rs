//! How far the pelvis is from the path that it should follow: GRAPH 4.2.
//!
//! The pelvis trajectory over the ground and the path are both walked by travelled distance `d`, and their squared distance at the same
//! `d` is integrated along the path. The pelvis sways, so distance that it travels from side to side counts too, as in the paper;
//! moves under 1 cm are left out, for noise would make any trajectory long.
//!
//! 1. The pelvis' places with those left out that are less than 1 cm from the last kept.
//! 2. Both curves sampled each 1 cm of travelled distance.
//! 3. Distance at the same index; past the path's end, from its end. Also the distance to the nearest sample of the complete path,
//!    which does not punish a detour at the start for the rest of the rotation.

use crate::order_statistics::mean;
use surefoot_geom::{Vec2, ground_point};
use surefoot_ground::{MAX_REACH, Path};
use surefoot_motion::{BodyMap, WorldPose};

/// Sampling along both curves, in metres.
const STEP: f64 = 0.01;

/// A trajectory shorter than this many samples is none.
const MIN_SAMPLES: usize = 10;

/// Longest path that is looked at, 10 km; what lies beyond is left out, so that samples fit into memory.
const MAX_SAMPLES: usize = 1_000_000;

/// Deviation from a path; lengths in metres.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PathDeviation {
    /// GRAPH 4.2: squared distance integrated along the path, in cubic metres.
    pub integral: f64,
    /// Mean distance at the same travelled distance.
    pub mean: f64,
    /// Largest distance at the same travelled distance.
    pub max: f64,
    /// Mean distance to the nearest sample of the path.
    pub nearest_mean: f64,
    /// Largest distance to the nearest sample of the path.
    pub nearest_max: f64,
    /// Length of the pelvis trajectory.
    pub walked: f64,
    /// Length of the path.
    pub path: f64,
}

/// Measures the pelvis against a path; `None` if it moves less than 10 cm.
pub fn measure_path_deviation(poses: &[WorldPose], body: &BodyMap, path: &Path) -> Option<PathDeviation> {
    let pelvis: Vec<Vec2> = poses.iter().map(|pose| ground_point(pose.position(body.pelvis))).collect();
    let walked = by_distance(&thinned(&pelvis));
    let wanted = by_distance(&path.points);
    let last = wanted.len().checked_sub(1)?;
    if walked.len() < MIN_SAMPLES || last == 0 {
        return None;
    }
    let same: Vec<f64> = walked.iter().enumerate().map(|(k, at)| at.distance(wanted[k.min(last)])).collect();
    let nearest: Vec<f64> = nearest_distances(&walked, &wanted);
    let largest = |values: &[f64]| values.iter().copied().fold(0.0, f64::max);
    Some(PathDeviation {
        integral: same.iter().map(|distance| distance * distance).sum::<f64>() * STEP,
        mean: mean(&same)?,
        max: largest(&same),
        nearest_mean: mean(&nearest)?,
        nearest_max: largest(&nearest),
        walked: (walked.len() - 1) as f64 * STEP,
        path: last as f64 * STEP,
    })
}

/// Places without those that are less than a step from the last one kept, or past all ground.
pub(super) fn thinned(places: &[Vec2]) -> Vec<Vec2> {
    let mut kept: Vec<Vec2> = Vec::new();
    let is_somewhere = |place: &&Vec2| place.abs().max_element() < MAX_REACH;
    for &place in places.iter().filter(is_somewhere) {
        if kept.last().is_none_or(|last| last.distance(place) >= STEP) {
            kept.push(place);
        }
    }
    kept
}

/// A curve sampled each step of its length.
pub(super) fn by_distance(points: &[Vec2]) -> Vec<Vec2> {
    let mut samples: Vec<Vec2> = points.first().copied().into_iter().collect();
    let mut along = 0.0;
    for pair in points.windows(2) {
        let length = pair[0].distance(pair[1]);
        // A sample on a corner belongs to the segment before it, although rounding may put it a little behind.
        while samples.len() as f64 * STEP <= along + length + 1e-6 * STEP && samples.len() < MAX_SAMPLES {
            let share = (samples.len() as f64 * STEP - along) / length.max(f64::MIN_POSITIVE);
            samples.push(pair[0].lerp(pair[1], share.min(1.0)));
        }
        along += length;
    }
    samples
}

/// For each place the distance to the nearest of the samples of a curve.
///
/// Samples are a step apart, so one that is `n` steps further than the nearest known so far can be passed over with its `n`
/// neighbours. The sample that was nearest to the place before is looked at first, and is near: most of the curve is never
/// looked at.
fn nearest_distances(places: &[Vec2], samples: &[Vec2]) -> Vec<f64> {
    let mut before = 0;
    let nearest = |place: &Vec2| {
        let (mut best, mut k) = (place.distance(samples[before]), 0);
        while k < samples.len() {
            let distance = place.distance(samples[k]);
            if distance < best {
                (best, before) = (distance, k);
            }
            k += (((distance - best) / STEP) as usize).max(1);
        }
        best
    };
    places.iter().map(nearest).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_sample_is_the_nearest_of_all() {
        // A curve that winds, crosses itself and comes back, and one that strays from it, jumps and turns round.
        let at = |angle: f64| Vec2::new((2.0 * angle).sin(), (3.0 * angle).cos()) * (3.0 + angle);
        let wind = |from: f64, to: f64| (0..=400).map(move |k| at(from + (to - from) * f64::from(k) / 400.0));
        let samples = by_distance(&wind(0.0, 8.0).collect::<Vec<_>>());
        let stray = |place: Vec2| place + Vec2::new(0.3 * (5.0 * place.y).sin(), 0.2);
        let places: Vec<Vec2> = wind(0.0, 8.0).chain(wind(6.0, 1.0)).chain(wind(9.0, 12.0)).map(stray).collect();
        let all = |place: &Vec2| samples.iter().map(|sample| sample.distance(*place)).fold(f64::INFINITY, f64::min);
        for (place, found) in places.iter().zip(nearest_distances(&places, &samples)) {
            assert_eq!(found, all(place), "{place}");
        }
        assert!(nearest_distances(&[], &samples).is_empty());
    }
}
