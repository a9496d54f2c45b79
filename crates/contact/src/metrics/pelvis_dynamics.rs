//! Whether a body could move so: how fast its pelvis falls while a foot carries it, and how fast its speed changes.
//!
//! The pelvis is seen below 10 Hz, after a Gaussian that never overshoots. A fall is its downward acceleration in frames in which some
//! heel or ball is planted: over 1 g the ground would have to pull. Plants are found in the motion: a point that is slow and
//! near its own lowest place, for long enough. A burst is the change of the horizontal velocity within 50 ms.

use super::SoleTrack;
use super::pelvis_jerk::low_pass;
use crate::frame_runs::{mask_of, runs};
use crate::standing_height::speeds;
use std::ops::Range;
use surefoot_geom::Vec3;
use surefoot_motion::{BodyMap, PerSide, Side, WorldPose};

/// Of a pelvis; `None` of clips that are too short.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PelvisDynamics {
    /// Largest downward acceleration with a foot planted, in g.
    pub fall: Option<f64>,
    /// Largest change of the horizontal velocity within 50 ms, in metres a second.
    pub burst: Option<f64>,
}

/// Where the power of what is measured smoothed is halved, in hertz.
const CUT_OFF: f64 = 10.0;
const GRAVITY: f64 = 9.81;
/// Seconds that a burst lasts.
const BURST: f64 = 0.05;

/// Measures the pelvis over a clip.
pub fn measure_pelvis_dynamics(
    poses: &[WorldPose],
    body: &BodyMap,
    soles: &PerSide<SoleTrack>,
    frame_rate: f64,
) -> PelvisDynamics {
    let places: Vec<Vec3> = poses.iter().map(|pose| pose.position(body.pelvis)).collect();
    let Some(smooth) = low_pass(&places, CUT_OFF, frame_rate).filter(|smooth| smooth.len() >= 10) else {
        return PelvisDynamics::default();
    };
    let velocities = gradient(&smooth, frame_rate);
    let accelerations = gradient(&velocities, frame_rate);
    let points = Side::BOTH.into_iter().flat_map(|side| [&soles[side].heel, &soles[side].ball]);
    let plants: Vec<Range<usize>> = points.flat_map(|point| plants_of(point, frame_rate)).collect();
    let planted = mask_of(&plants, poses.len());
    // Differences at the ends are one-sided.
    let inside = 2..poses.len() - 2;
    let falls = inside.filter(|&frame| planted[frame]).map(|frame| -accelerations[frame].y / GRAVITY);
    let lag = ((BURST * frame_rate).round() as usize).max(1);
    let bursts = velocities.iter().zip(velocities.iter().skip(lag)).map(|(a, b)| (b.x - a.x).hypot(b.z - a.z));
    PelvisDynamics { fall: falls.reduce(f64::max), burst: bursts.reduce(f64::max) }
}

/// Central differences, one-sided at the ends.
fn gradient(values: &[Vec3], frame_rate: f64) -> Vec<Vec3> {
    let last = values.len() - 1;
    let slope = |at: usize| {
        let (from, to) = (at.saturating_sub(1), (at + 1).min(last));
        (values[to] - values[from]) * (frame_rate / (to - from) as f64)
    };
    (0..=last).map(slope).collect()
}

/// Runs of frames in which a point is slower than 0.7 m/s and under 5 cm above its lowest place within 0.2 s, with one slower than
/// 0.4 m/s and under 3 cm; gaps under 50 ms are closed, then plants under 60 ms dropped.
fn plants_of(points: &[Vec3], frame_rate: f64) -> Vec<Range<usize>> {
    let reach = ((0.2 * frame_rate).round() as usize).max(1);
    let pace = speeds(points, frame_rate);
    let above = |frame: usize| {
        let around = &points[frame.saturating_sub(reach)..(frame + reach + 1).min(points.len())];
        points[frame].y - around.iter().map(|point| point.y).fold(f64::INFINITY, f64::min)
    };
    let heights: Vec<f64> = (0..points.len()).map(above).collect();
    let within = |speed: f64, height: f64| -> Vec<bool> {
        pace.iter().zip(&heights).map(|(pace, above)| *pace < speed && *above < height).collect()
    };
    let (sure, likely) = (within(0.4, 0.03), within(0.7, 0.05));
    let mut plants = runs(&likely);
    plants.retain(|plant| sure[plant.clone()].contains(&true));
    let gaps = plants.windows(2).map(|pair| pair[0].end..pair[1].start);
    let gaps: Vec<Range<usize>> = gaps.filter(|gap| (gap.len() as f64) < 0.05 * frame_rate).collect();
    let closed = mask_of(plants.iter().chain(&gaps), points.len());
    runs(&closed).into_iter().filter(|plant| plant.len() as f64 >= 0.06 * frame_rate).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metrics::soles_by_motion;
    use crate::{WalkerOptions, synthetic_walk};

    #[test]
    fn falls_and_bursts_of_a_pelvis_are_found_where_a_foot_is_planted() {
        let walk = synthetic_walk(&WalkerOptions::default());
        let clip = &walk.take.clip;
        let (poses, rate, body) = (clip.world(), clip.frame_rate, &walk.take.body);
        let soles = soles_by_motion(&poses, &clip.skeleton, body, rate);
        let calm = measure_pelvis_dynamics(&poses, body, &soles, rate);
        assert!(calm.fall.unwrap() < 0.6 && calm.burst.unwrap() < 0.5, "{calm:?}");
        let mut jumpy = clip.clone();
        let middle = clip.n_frames() / 2;
        for frame in middle..clip.n_frames() {
            let time = (frame - middle) as f64 / rate;
            // Falls at 2 g for 0.1 s and stops; 2 m/s more from there on.
            let fallen = if time < 0.1 { 9.81 * time * time } else { 0.0981 };
            jumpy.pose_mut(frame)[body.pelvis].translation += Vec3::new(0.0, -fallen, 2.0 * time);
        }
        let poses = jumpy.world();
        let found = measure_pelvis_dynamics(&poses, body, &soles, rate);
        assert!(found.fall.unwrap() > 1.2 && found.burst.unwrap() > 1.0, "{found:?}");
    }
}
