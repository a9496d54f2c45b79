//! What a step shall be: three places, and wishes for headings and times.
//!
//! Reference: STRIDE 3.2, 5.1.

use super::canonical::supporting_frame;
use super::{CanonicalStep, StepTimes};
use surefoot_geom::{Transform, Vec3, rotation, turn_between};
use surefoot_motion::Side;
use surefoot_plan::StepParameters;

/// Weights of D_high's three groups. Each number is a cost per unit: metre, radian, second.
///
/// Public fields; larger values make a group matter more. All 0 in a group leaves it out.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HighWeights {
    /// Of the three lengths, per metre. Default 1.
    pub location: f64,
    /// Of the three headings, per radian. Default 0.4: a foot turned by 15 degrees is as far off as one placed 10 cm
    /// away.
    pub orientation: f64,
    /// Of the three durations, per second. Default 2: a swing that takes a twentieth of a second longer is as far off
    /// as 10 cm.
    pub timing: f64,
}

impl Default for HighWeights {
    fn default() -> HighWeights {
        HighWeights { location: 1.0, orientation: 0.4, timing: 2.0 }
    }
}

/// A step that is asked for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StepQuery {
    /// Where the swinging foot starts and ends.
    pub parameters: StepParameters,
    /// Headings in the supporting frame: of the supporting foot, of the swinging one before and after.
    pub headings: [Option<f64>; 3],
    /// Seconds of first double support, swing and last double support.
    pub times: [Option<f64>; 3],
    /// The supporting frame in the world, at the height of the supporting foot.
    pub frame: Transform,
    /// Where the supporting foot was in the step before, in the supporting frame, if that is known.
    pub before: Option<Vec3>,
}

/// A place for a foot, with a heading if one is wished for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Place {
    /// Of the ball.
    pub ball: Vec3,
    /// In the world.
    pub heading: Option<f64>,
}

impl StepQuery {
    /// A step of a foot from one place to another, past the other foot.
    pub fn new(swing: Side, support: Place, from: Place, to: Place, times: [Option<f64>; 3]) -> StepQuery {
        let fallback = support.heading.unwrap_or(0.0);
        let frame = supporting_frame(swing, support.ball, from.ball, fallback);
        let yaw = rotation::twist_angle(frame.rotation, Vec3::Y);
        let into = frame.inverse();
        let level = |place: Place| {
            let place = into.transform_point(place.ball);
            Vec3::new(place.x, 0.0, place.z)
        };
        let headings = [support, from, to].map(|place| place.heading.map(|heading| turn_between(yaw, heading)));
        let parameters = StepParameters::from_places(swing, level(from), level(to));
        StepQuery { parameters, headings, times, frame, before: None }
    }

    /// The same, where the supporting foot came from a place in the world.
    pub fn after(self, place: Vec3) -> StepQuery {
        StepQuery { before: Some(self.frame.inverse().transform_point(place)), ..self }
    }

    /// Heading of the supporting frame.
    pub fn yaw(&self) -> f64 {
        rotation::twist_angle(self.frame.rotation, Vec3::Y)
    }

    /// The nine dimensions, with those that nobody wished for left out.
    pub fn high(&self) -> [Option<f64>; 9] {
        let p = self.parameters.point();
        let ([a, b, c], [d, e, f]) = (self.headings, self.times);
        [Some(p.x), Some(p.y), Some(p.z), a, b, c, d, e, f]
    }
}

impl CanonicalStep {
    /// The nine dimensions of STRIDE 5.1.
    pub fn high(&self) -> [f64; 9] {
        let p = self.point();
        let [a, b, c] = self.headings;
        let StepTimes { first, swing, last } = self.times;
        [p.x, p.y, p.z, a, b, c, first, swing, last]
    }
}

/// Distance of one of the nine dimensions; headings go round.
#[inline]
pub(super) fn high_difference(dimension: usize, a: f64, b: f64) -> f64 {
    if (3..6).contains(&dimension) { turn_between(b, a).abs() } else { (a - b).abs() }
}

impl HighWeights {
    /// Of one of the nine dimensions.
    #[inline]
    pub(super) fn of(&self, dimension: usize) -> f64 {
        match dimension {
            0..3 => self.location,
            3..6 => self.orientation,
            _ => self.timing,
        }
    }

    /// D_high between two steps.
    pub(super) fn distance_between(&self, a: &[f64; 9], b: &[f64; 9]) -> f64 {
        (0..9).map(|k| self.of(k) * high_difference(k, a[k], b[k])).sum()
    }

    /// D_high: the weighted sum of the distances in all dimensions.
    pub fn distance(&self, query: &StepQuery, step: &CanonicalStep) -> f64 {
        let pairs = query.high().into_iter().zip(step.high()).enumerate();
        pairs.map(|(k, (q, s))| q.map_or(0.0, |q| self.of(k) * high_difference(k, q, s))).sum()
    }
}
