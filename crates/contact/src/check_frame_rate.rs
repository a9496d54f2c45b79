//! Whether a clip's frame rate can be true: gravity and gait against the declared number.
//!
//! Many recordings declare a rate that is not the one they were made at (some CMU subjects were captured at 60 Hz and declare
//! 120). Time can be checked against two things that nobody can change:
//!
//! 1. **Gravity.** The ground pushes and never pulls, so a body's centre of mass accelerates down at 9.81 m/s^2 at most, and
//!    at just that in flight. Measured at a wrong rate, acceleration changes with the square of the rate: four times g means
//!    half the rate. (The reverse cannot be detected: a body that falls slowly may hang on a ladder.)
//! 2. **Gait.** People lengthen their steps as they step faster: step length over cadence, the walk ratio, is invariant over a
//!    wide range of speeds (R. Murakami and Y. Otaka, "Estimated lower speed boundary at which the walk ratio constancy is
//!    broken in healthy adults", J. Phys. Ther. Sci. 29, 2017) and lies near 0.006 m per step/min. Brisk steps that are short
//!    for their cadence in a steady gait, or a cadence that no sprinter reaches, show that the clip is played too fast. This is the weaker
//!    witness, and counts only where gravity shows nothing.
//! 3. **Pendulums.** A leg swings at its own pace: nobody who does not run takes a foot over half a stride in less than 0.32 s. So
//!    stairs and careful steps are seen, whose cadence is low and whose falls are short.
//!
//! Limits: the centre of mass is taken from the segments' usual shares of the body's mass. On 120 CMU recordings the quickest
//! twentieth of all falls lies below 14 m/s^2 where the rate is true and above 22 where people run or jump at a rate that is
//! twice the true one. A slow walk at the wrong rate falls no faster than a brisk one at the right rate: that is left to the
//! gait, which knows level ground only.

use crate::centre_of_mass::{centre_of_mass, second_derivative};
use crate::path_length;
use surefoot_geom::{Vec2, Vec3, median};
use surefoot_motion::{BodyMap, Side, WorldPose, count_frames};

/// Standard gravity, in m/s^2.
pub const GRAVITY: f64 = 9.80665;

/// What gravity shows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FreeFall {
    /// Downward acceleration of the centre of mass that a twentieth of the clip exceeds, in m/s^2 at the declared rate.
    pub acceleration: f64,
}

/// What gravity shows about the declared frame rate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The body falls as bodies do.
    Agrees,
    /// The body falls faster than anything can.
    Contradicts,
    /// The body never falls freely.
    Silent,
}

/// A fall this many times g is not measured wrong but played wrong: half way from 1 to 4, in logarithms, less a margin.
const TOO_QUICK: f64 = 1.75;
/// From this part of g on the clip holds a free fall.
const FREE: f64 = 0.7;

impl FreeFall {
    /// Whether the declared rate can stand.
    pub fn verdict(&self) -> Verdict {
        match self.acceleration / GRAVITY {
            ratio if ratio > TOO_QUICK => Verdict::Contradicts,
            ratio if ratio > FREE => Verdict::Agrees,
            _ => Verdict::Silent,
        }
    }

    /// The frame rate at which the fall would be 9.81 m/s^2.
    pub fn implied_rate(&self, declared: f64) -> f64 {
        declared * (GRAVITY / self.acceleration).sqrt()
    }
}

/// What the gait shows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gait {
    /// Steps per second, of the median step, at the declared rate.
    pub cadence: f64,
    /// Ground covered in the median step, in metres.
    pub step_length: f64,
    /// Steps counted.
    pub n_steps: usize,
    /// The speed over the ground that a tenth of the clip exceeds, over the median speed: 1.1 to 1.4 for people who walk steadily.
    pub unsteadiness: f64,
}

/// Nobody takes more steps in a second: sprinters take 5, and the shuffling steps of somebody who stops from a run come to 6.
const FASTEST_CADENCE: f64 = 7.0;
/// From this cadence on, in steps a second, walkers take long steps: 2.0 is usual.
const BRISK_CADENCE: f64 = 2.4;
/// Half of the usual walk ratio: what a walk becomes at twice its rate. People who walk forward stay above 0.0033 in the
/// recordings tried; people who step sideways do not, but less briskly.
const SMALLEST_WALK_RATIO: f64 = 0.0031;
/// From here on people stop, duck, jump or set off, and take short brisk steps; walk ratios are those of a steady gait.
const UNSTEADY: f64 = 1.8;
/// Speeds over the ground are means over this time, in seconds.
const SPEED_WINDOW: f64 = 0.25;
/// Steps that go less far turn on the spot, in metres, and have no walk ratio.
const ON_THE_SPOT: f64 = 0.08;
/// Above this speed, in m/s, people run, with short steps if they turn.
const FASTEST_WALK: f64 = 2.5;

impl Gait {
    /// Step length over cadence, in metres per step/min; about 0.006 for most people at most speeds.
    pub fn walk_ratio(&self) -> f64 {
        self.step_length / (self.cadence * 60.0)
    }

    /// The gait at a frame rate lower by a whole factor.
    pub fn slowed(&self, factor: f64) -> Gait {
        Gait { cadence: self.cadence / factor, ..*self }
    }

    /// The smallest usual factor (2 or 4) by which the clip would have to be slower to be walked by people.
    pub fn likely_factor(&self) -> Option<f64> {
        let walks = |gait: Gait| gait.is_plausible() && gait.cadence <= BRISK_CADENCE;
        [2.0, 4.0].into_iter().find(|&factor| walks(self.slowed(factor)))
    }

    /// Whether people without a flight phase step so: no faster than sprinters, and, over four steps at least and at the speed
    /// of a walk, not both briskly and short.
    pub fn is_plausible(&self) -> bool {
        let walks = self.cadence * self.step_length < FASTEST_WALK;
        let brisk_and_short = self.n_steps >= 4
            && self.step_length > ON_THE_SPOT
            && self.unsteadiness < UNSTEADY
            && walks
            && self.cadence > BRISK_CADENCE
            && self.walk_ratio() < SMALLEST_WALK_RATIO;
        self.cadence < FASTEST_CADENCE && !brisk_and_short
    }
}

/// How long feet take to swing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Swings {
    /// Seconds of the median long swing, at the declared rate.
    pub seconds: f64,
    /// Distance of the median long swing, in metres.
    pub distance: f64,
    /// Long swings counted.
    pub n_swings: usize,
    /// Thigh plus shin, in metres.
    pub leg: f64,
}

/// Swings that are counted before they are a witness.
const ENOUGH_SWINGS: usize = 4;
/// Quickest swing of a leg of 0.85 m at the pace of a walk, in seconds, and the fastest mean speed of a foot in it, in m/s. People
/// who walk take 0.38 and more; who hops or runs has faster feet.
const QUICKEST_SWING: f64 = 0.32;
const WALKING_FOOT: f64 = 3.0;
const USUAL_LEG: f64 = 0.85;

impl Swings {
    /// Seconds that a leg of 0.85 m would have taken: legs are pendulums, whose time goes by the root of their length.
    fn of_usual_leg(&self) -> f64 {
        self.seconds * (USUAL_LEG / self.leg).sqrt()
    }

    /// Whether the swings speak for a clip that is played too fast: quicker than a leg swings, with feet that are no runner's.
    pub fn are_too_quick(&self) -> bool {
        self.n_swings >= ENOUGH_SWINGS
            && self.of_usual_leg() < QUICKEST_SWING
            && self.distance < WALKING_FOOT * self.seconds
    }
}

/// A swing goes at least this far, in legs: half a usual stride.
const LONG_SWING: f64 = 0.7;
/// The other foot goes on by less than this share of that; both go on in a hop, which is no swing.
const STANDING_SHARE: f64 = 0.7;
/// A foot swings while it is faster than this share of its fastest.
const SWING_SPEED: f64 = 0.2;

/// Measures long swings of the ankles; `None` for fewer than two.
pub fn measure_swings(poses: &[WorldPose], body: &BodyMap, frame_rate: f64) -> Option<Swings> {
    let leg = poses.first().map(|pose| body.leg_length_in(pose))?;
    let (mut seconds, mut distances) = (Vec::new(), Vec::new());
    let span = count_frames((frame_rate / 30.0).round()).max(1);
    for side in Side::BOTH {
        let place_of = |side: Side, frame: usize| {
            let at = poses[frame.min(poses.len() - 1)].position(body.legs[side].ankle);
            Vec2::new(at.x, at.z)
        };
        let place = |frame: usize| place_of(side, frame);
        let speeds: Vec<f64> = (0..poses.len()).map(|i| place(i + span).distance(place(i))).collect();
        let mut fastest: Vec<f64> = speeds.clone();
        fastest.sort_by(f64::total_cmp);
        let limit = SWING_SPEED * fastest.get((0.98 * fastest.len() as f64) as usize).copied()?;
        let mut start = None;
        for (frame, &speed) in speeds.iter().enumerate() {
            match (speed > limit, start) {
                (true, None) => start = Some(frame),
                (false, Some(from)) => {
                    start = None;
                    let distance = place(frame).distance(place(from));
                    let other = place_of(side.opposite(), frame).distance(place_of(side.opposite(), from));
                    if from > 0 && distance > LONG_SWING * leg && other < STANDING_SHARE * distance {
                        seconds.push((frame - from) as f64 / frame_rate);
                        distances.push(distance);
                    }
                }
                _ => {}
            }
        }
    }
    let n_swings = seconds.len();
    (n_swings >= 2).then_some(())?;
    Some(Swings { seconds: median(&mut seconds)?, distance: median(&mut distances)?, n_swings, leg })
}

/// Acceleration is measured over this long, in seconds: shorter than a flight, long enough to even out noise.
const WINDOW_SECONDS: f64 = 0.1;
/// And over this many frames at least.
const WINDOW_FRAMES: usize = 5;
/// The part of the clip that falls more slowly than the quickest fall.
const QUICKEST: f64 = 0.95;

/// Denser frames than this add nothing but work, in frames a second.
const DENSE_ENOUGH: f64 = 120.0;

/// Measures how the body falls; `None` for a clip too short to tell.
pub fn measure_free_fall(poses: &[WorldPose], body: &BodyMap, frame_rate: f64) -> Option<FreeFall> {
    let stride = count_frames(frame_rate / DENSE_ENOUGH).max(1);
    let frame_rate = frame_rate / stride as f64;
    let heights: Vec<f64> = poses.iter().step_by(stride).map(|pose| centre_of_mass(pose, body).y).collect();
    let per_second = frame_rate.powi(2);
    let window = WINDOW_FRAMES.max(count_frames((WINDOW_SECONDS * frame_rate).round()));
    let mut falls: Vec<f64> = heights.windows(window).map(|part| -second_derivative(part) * per_second).collect();
    falls.sort_by(f64::total_cmp);
    let acceleration = *falls.get((falls.len() as f64 * QUICKEST) as usize)?;
    Some(FreeFall { acceleration })
}

/// A swing of one ankle past the other that is smaller than this is no step. Metres.
const SMALLEST_SWING: f64 = 0.12;

/// Counts steps by how the ankles pass each other; `None` for fewer than two.
///
/// The vector from one ankle to the other, seen from the body, swings along the line of travel, also sideways. Each time it
/// swings through and out to the other side is a step.
pub fn measure_gait(poses: &[WorldPose], body: &BodyMap, frame_rate: f64) -> Option<Gait> {
    let between: Vec<Vec2> = poses.iter().map(|pose| ankles_apart(pose, body)).collect();
    let mean = between.iter().sum::<Vec2>() / between.len().max(1) as f64;
    let axis = principal_axis(between.iter().map(|v| *v - mean));
    let mut passes = Vec::new();
    let mut side = 0.0;
    for (frame, apart) in between.iter().enumerate() {
        let swing = (*apart - mean).dot(axis);
        if swing.abs() > SMALLEST_SWING / 2.0 && swing.signum() != side {
            side = swing.signum();
            passes.push(frame);
        }
    }
    if passes.len() < 3 {
        return None;
    }
    // Medians: somebody who stops and turns in between does not step more slowly for it.
    let steps = passes.windows(2);
    let mut seconds: Vec<f64> = steps.clone().map(|step| (step[1] - step[0]) as f64 / frame_rate).collect();
    let mut lengths: Vec<f64> = steps.map(|step| path_length(&poses[step[0]..=step[1]], body, frame_rate)).collect();
    let (cadence, step_length) = (1.0 / median(&mut seconds)?, median(&mut lengths)?);
    Some(Gait { cadence, step_length, n_steps: passes.len() - 1, unsteadiness: unsteadiness(poses, body, frame_rate) })
}

fn unsteadiness(poses: &[WorldPose], body: &BodyMap, frame_rate: f64) -> f64 {
    let window = count_frames((SPEED_WINDOW * frame_rate).round()).max(1);
    let place = |pose: &WorldPose| {
        let at = pose.position(body.pelvis);
        Vec2::new(at.x, at.z)
    };
    let mut speeds: Vec<f64> =
        poses.windows(window + 1).map(|part| place(&part[window]).distance(place(&part[0]))).collect();
    speeds.sort_by(f64::total_cmp);
    let at = |share: f64| speeds.get((share * speeds.len() as f64) as usize).copied().unwrap_or(0.0);
    if at(0.5) > 0.0 { at(0.9) / at(0.5) } else { f64::INFINITY }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn four_times_gravity_means_half_the_rate() {
        let fall = FreeFall { acceleration: 4.0 * GRAVITY };
        assert_eq!(fall.verdict(), Verdict::Contradicts);
        assert!((fall.implied_rate(120.0) - 60.0).abs() < 1e-9);
        assert_eq!(FreeFall { acceleration: 9.0 }.verdict(), Verdict::Agrees);
        assert_eq!(FreeFall { acceleration: 3.0 }.verdict(), Verdict::Silent);
    }

    #[test]
    fn walking_and_running_are_plausible_and_twice_their_speed_is_not() {
        let walk = Gait { cadence: 1.8, step_length: 0.7, n_steps: 8, unsteadiness: 1.2 };
        let run = Gait { cadence: 3.0, step_length: 1.1, ..walk };
        assert!(walk.is_plausible() && run.is_plausible());
        assert!(!Gait { cadence: 3.2, step_length: 0.48, ..walk }.is_plausible());
        // Who stops and sets off takes short quick steps.
        assert!(Gait { cadence: 3.2, step_length: 0.48, unsteadiness: 2.5, ..walk }.is_plausible());
        assert!(!Gait { cadence: 7.5, ..run }.is_plausible());
        assert_eq!(Gait { cadence: 3.2, step_length: 0.48, ..walk }.likely_factor(), Some(2.0));
        assert_eq!(Gait { cadence: 8.0, step_length: 0.55, ..walk }.likely_factor(), Some(4.0));
    }

    #[test]
    fn the_principal_axis_points_along_the_spread() {
        let points = (-5..=5).map(|i| Vec2::new(0.01 * f64::from(i * i), f64::from(i)));
        assert!(principal_axis(points).y.abs() > 0.99);
    }
}
