//! Whether a clip's frame rate can be true: gravity and gait against the declared number.
//!
//! Many recordings declare a rate that is not the one they were made at (some CMU subjects were captured at 60 Hz and say
//! 120). Time can be checked against two things that nobody can change:
//!
//! 1. **Free fall.** While no foot is on the ground the body's centre of mass accelerates down at 9.81 m/s^2. Measured at a
//!    wrong rate, that acceleration changes with the square of the rate: four times g means half the rate.
//! 2. **Gait.** People lengthen their steps as they step faster: step length over cadence, the walk ratio, is invariant over a
//!    wide range of speeds (R. Murakami and Y. Otaka, "Estimated lower speed boundary at which the walk ratio constancy is
//!    broken in healthy adults", J. Phys. Ther. Sci. 29, 2017) and lies near 0.006 m per step/min. Brisk steps that are short
//!    for their cadence, or a cadence that no sprinter reaches, say that the clip is played too fast. This is the weaker
//!    witness, and is heard only where there is no flight.
//!
//! Limits: the centre of mass is taken from the segments' usual shares of the body's mass, so a short flight of a run
//! measures 6 to 12 m/s^2; that is enough to tell a factor of two in rate, which is a factor of four here.

use crate::estimate_floor::sole_height;
use surefoot_geom::{Vec2, Vec3};
use surefoot_motion::{BodyMap, Clip, PerSide, Side, WorldPose};

/// Standard gravity, in m/s^2.
pub const GRAVITY: f64 = 9.80665;

/// What free fall says.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FreeFall {
    /// Downward acceleration in flight, in m/s^2: the median over the flights, at the clip's declared rate.
    pub acceleration: f64,
    /// Flights that were measured.
    pub n_flights: usize,
    /// Flights in which both feet rise high above the ground.
    pub n_high: usize,
    /// Seconds in flight, all together, at the declared rate.
    pub seconds: f64,
}

/// What free fall says about the declared frame rate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The fall is that of a body on earth.
    Agrees,
    /// The body falls faster than anything can: the declared rate is too high.
    TooHigh,
    /// The body falls too slowly, time and again, with both feet high in the air: the declared rate is too low.
    TooLow,
    /// The fall is slow, but something else may have carried the body.
    Unclear,
}

/// Acceleration is measured to about a third, and rates that are mixed up differ by 2, so by 4 here: half way, in logarithms.
const CLEARLY: f64 = 2.1;

impl FreeFall {
    /// The frame rate at which the fall would be 9.81 m/s^2.
    pub fn implied_rate(&self, declared: f64) -> f64 {
        declared * (GRAVITY / self.acceleration).sqrt()
    }

    /// Whether the declared rate can stand.
    pub fn verdict(&self) -> Verdict {
        let ratio = self.acceleration / GRAVITY;
        if ratio > CLEARLY {
            Verdict::TooHigh
        } else if ratio > 1.0 / CLEARLY {
            Verdict::Agrees
        } else if self.n_high >= 2 {
            Verdict::TooLow
        } else {
            Verdict::Unclear
        }
    }
}

/// What the gait says.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gait {
    /// Steps per second, at the declared rate.
    pub cadence: f64,
    /// Ground covered in one step, in metres.
    pub step_length: f64,
    /// Steps counted.
    pub n_steps: usize,
}

impl Gait {
    /// Step length over cadence, in metres per step/min; about 0.006 for most people at most speeds.
    pub fn walk_ratio(&self) -> f64 {
        self.step_length / (self.cadence * 60.0)
    }

    /// Whether people step so: no faster than sprinters (5 steps a second), and, over four steps at least, not both briskly
    /// and short.
    pub fn is_plausible(&self) -> bool {
        let brisk_and_short = self.n_steps >= 4 && self.cadence > 2.4 && self.walk_ratio() < 0.0028;
        self.cadence < 5.2 && !brisk_and_short
    }
}

/// A foot is off the ground when heel and ball are this far above the lowest place they have nearby in time. Metres. The ball
/// rises by about this much before the toes leave the ground.
const CLEARANCE: f64 = 0.05;
/// Feet this high above the ground are so in a jump, and never in a walk or a run. Metres.
const HIGH_CLEARANCE: f64 = 0.12;
/// How far around to look for that lowest place, in seconds of declared time: longer than a stance, shorter than stairs.
const FLOOR_SECONDS: f64 = 0.6;
/// A parabola through fewer frames measures noise.
const SHORTEST_FLIGHT: usize = 6;

/// Measures the fall of the body while both feet are off the ground; `None` if that never lasts six frames.
pub fn measure_free_fall(clip: &Clip, body: &BodyMap) -> Option<FreeFall> {
    let poses = clip.world_poses();
    let soles = PerSide::from_fn(|side| poses.iter().map(|pose| sole_height(pose, body, side)).collect::<Vec<f64>>());
    let reach = (FLOOR_SECONDS * clip.frame_rate).ceil() as usize;
    let floors = soles.as_ref().map(|heights| sliding_minimum(heights, reach));
    let in_air = |frame: usize| Side::BOTH.iter().all(|&s| soles[s][frame] - floors[s][frame] > CLEARANCE);
    let mut falls = Vec::new();
    let mut start = 0;
    for frame in 0..=poses.len() {
        if frame < poses.len() && in_air(frame) {
            continue;
        }
        if frame - start >= SHORTEST_FLIGHT {
            let heights: Vec<f64> = poses[start..frame].iter().map(|pose| centre_of_mass(pose, body).y).collect();
            let clear = |f: usize| Side::BOTH.iter().all(|&s| soles[s][f] - floors[s][f] > HIGH_CLEARANCE);
            let acceleration = -second_derivative(&heights) * clip.frame_rate.powi(2);
            falls.push(Fall { acceleration, n_frames: frame - start, is_high: (start..frame).any(clear) });
        }
        start = frame + 1;
    }
    // A body that rises ever faster is pulled up by its hands.
    falls.retain(|fall| fall.acceleration > 1.0);
    falls.sort_by(|a, b| a.acceleration.total_cmp(&b.acceleration));
    let n_frames: usize = falls.iter().map(|fall| fall.n_frames).sum();
    let mut counted = 0;
    let middle = falls.iter().find(|fall| {
        counted += fall.n_frames;
        2 * counted >= n_frames
    })?;
    Some(FreeFall {
        acceleration: middle.acceleration,
        n_flights: falls.len(),
        n_high: falls.iter().filter(|fall| fall.is_high).count(),
        seconds: n_frames as f64 / clip.frame_rate,
    })
}

struct Fall {
    acceleration: f64,
    n_frames: usize,
    is_high: bool,
}

/// tmp
pub fn quickest_fall(clip: &Clip, body: &BodyMap, frames: usize, q: f64) -> f64 {
    let heights: Vec<f64> = clip.world_poses().iter().map(|pose| centre_of_mass(pose, body).y).collect();
    let mut falls: Vec<f64> =
        heights.windows(frames).map(|w| -second_derivative(w) * clip.frame_rate.powi(2)).collect();
    falls.sort_by(f64::total_cmp);
    falls.get((falls.len() as f64 * q) as usize).copied().unwrap_or(0.0)
}

/// Smallest value within `reach` frames to either side.
fn sliding_minimum(values: &[f64], reach: usize) -> Vec<f64> {
    let window = |i: usize| &values[i.saturating_sub(reach)..(i + reach + 1).min(values.len())];
    (0..values.len()).map(|i| window(i).iter().copied().fold(f64::INFINITY, f64::min)).collect()
}

/// Shares of the body's mass (Plagenhoef et al. 1983, men): head and trunk 0.558, each thigh 0.105, each shin with its foot
/// 0.062, each arm with its hand 0.058.
fn centre_of_mass(pose: &WorldPose, body: &BodyMap) -> Vec3 {
    let at = |joint| pose.position(joint);
    let top = body.spine.last().map_or(at(body.pelvis), |&joint| at(joint));
    let mut sum = 0.558 * (0.45 * at(body.pelvis) + 0.55 * top);
    let mut mass = 0.558;
    for side in Side::BOTH {
        let leg = &body.legs[side];
        sum += 0.105 * (at(leg.hip) + at(leg.knee)) / 2.0 + 0.062 * (0.45 * at(leg.knee) + 0.55 * at(leg.ankle));
        mass += 0.167;
        if let Some(arm) = &body.arms[side] {
            sum += 0.058 * at(arm.elbow);
            mass += 0.058;
        }
    }
    sum / mass
}

/// Second derivative, per frame squared, of the parabola that fits best.
fn second_derivative(values: &[f64]) -> f64 {
    // With x centred, x and x^2 - mean(x^2) are orthogonal, so the coefficient of x^2 is a plain projection.
    let n = values.len() as f64;
    let x = |i: usize| i as f64 - (n - 1.0) / 2.0;
    let mean_square = (n * n - 1.0) / 12.0;
    let (mut product, mut square) = (0.0, 0.0);
    for (i, value) in values.iter().enumerate() {
        let basis = x(i) * x(i) - mean_square;
        product += basis * value;
        square += basis * basis;
    }
    2.0 * product / square
}

/// A swing of one ankle past the other that is smaller than this is no step. Metres.
const SMALLEST_SWING: f64 = 0.12;

/// Counts steps by how the ankles pass each other; `None` for fewer than two.
///
/// The vector from one ankle to the other, seen from the body, swings along the line of travel, also sideways. Each time it
/// swings through and out to the other side is a step.
pub fn measure_gait(clip: &Clip, body: &BodyMap) -> Option<Gait> {
    let poses = clip.world_poses();
    let between: Vec<Vec2> = poses.iter().map(|pose| ankles_apart(pose, body)).collect();
    let mean = between.iter().sum::<Vec2>() / between.len().max(1) as f64;
    let axis = principal_axis(between.iter().map(|v| *v - mean));
    let mut crossings = Vec::new();
    let mut side = 0.0;
    for (frame, apart) in between.iter().enumerate() {
        let swing = (*apart - mean).dot(axis);
        if swing.abs() > SMALLEST_SWING / 2.0 && swing.signum() != side {
            side = swing.signum();
            crossings.push(frame);
        }
    }
    let (first, last) = (*crossings.first()?, *crossings.last()?);
    let n_steps = crossings.len() - 1;
    if n_steps < 2 {
        return None;
    }
    let travelled = path_length(&poses[first..=last], body, clip.frame_rate);
    let cadence = n_steps as f64 * clip.frame_rate / (last - first) as f64;
    Some(Gait { cadence, step_length: travelled / n_steps as f64, n_steps })
}

/// Right ankle to left ankle on the ground, in the body's own directions.
fn ankles_apart(pose: &WorldPose, body: &BodyMap) -> Vec2 {
    let apart = pose.position(body.legs.left.ankle) - pose.position(body.legs.right.ankle);
    let facing = body.facing(pose);
    Vec2::new(apart.dot(facing.cross(Vec3::Y)), apart.dot(facing))
}

/// The direction in which points spread the most.
fn principal_axis(points: impl Iterator<Item = Vec2>) -> Vec2 {
    let (mut xx, mut xy, mut yy) = (0.0, 0.0, 0.0);
    for p in points {
        xx += p.x * p.x;
        xy += p.x * p.y;
        yy += p.y * p.y;
    }
    Vec2::from_angle(0.5 * (2.0 * xy).atan2(xx - yy))
}

/// Ground covered by the pelvis, sampled thirty times a second so that noise does not count as travel. Metres.
pub fn path_length(poses: &[WorldPose], body: &BodyMap, frame_rate: f64) -> f64 {
    let stride = ((frame_rate / 30.0).round() as usize).max(1);
    let mut frames: Vec<usize> = (0..poses.len()).step_by(stride).collect();
    if frames.last().is_some_and(|&last| last + 1 < poses.len()) {
        frames.push(poses.len() - 1);
    }
    let ground = |frame: usize| {
        let p = poses[frame].position(body.pelvis);
        Vec2::new(p.x, p.z)
    };
    frames.windows(2).map(|pair| ground(pair[0]).distance(ground(pair[1]))).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_parabola_gives_its_second_derivative() {
        let fall: Vec<f64> = (0..20).map(|i| 1.0 + 0.3 * f64::from(i) - 0.5 * 0.02 * f64::from(i * i)).collect();
        assert!((second_derivative(&fall) + 0.02).abs() < 1e-12);
    }

    #[test]
    fn four_times_gravity_means_half_the_rate() {
        let fall = FreeFall { acceleration: 4.0 * GRAVITY, n_flights: 1, n_high: 0, seconds: 0.3 };
        assert_eq!(fall.verdict(), Verdict::TooHigh);
        assert!((fall.implied_rate(120.0) - 60.0).abs() < 1e-9);
        assert_eq!(FreeFall { acceleration: 7.0, ..fall }.verdict(), Verdict::Agrees);
        assert_eq!(FreeFall { acceleration: 2.5, ..fall }.verdict(), Verdict::Unclear);
        assert_eq!(FreeFall { acceleration: 2.5, n_high: 3, ..fall }.verdict(), Verdict::TooLow);
    }

    #[test]
    fn walking_and_running_are_plausible_and_twice_their_speed_is_not() {
        let walk = Gait { cadence: 1.8, step_length: 0.7, n_steps: 8 };
        let run = Gait { cadence: 3.0, step_length: 1.1, n_steps: 8 };
        assert!(walk.is_plausible() && run.is_plausible());
        assert!(!Gait { cadence: 3.2, step_length: 0.48, ..walk }.is_plausible());
        assert!(!Gait { cadence: 6.0, ..run }.is_plausible());
    }

    #[test]
    fn the_principal_axis_points_along_the_spread() {
        let points = (-5..=5).map(|i| Vec2::new(0.01 * f64::from(i * i), f64::from(i)));
        assert!(principal_axis(points).y.abs() > 0.99);
    }
}
