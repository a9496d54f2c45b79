//! What a step shall be: three places with their heights, and soft targets for headings and times.
//!
//! Reference: STRIDE 3.2, 5.1; 8.1 for the heights, which make eleven dimensions of the paper's nine.

use super::canonical::supporting_frame;
use super::{CanonicalStep, StepTimes};
use surefoot_geom::{Transform, Vec3, rotation, turn_between};
use surefoot_motion::Side;
use surefoot_plan::StepParameters;

/// Dimensions of D_high: three lengths, three headings, three times, two heights.
pub const N_HIGH: usize = 11;
/// Those that are headings.
pub(super) const HEADINGS: std::ops::Range<usize> = 3..6;

/// Weights of D_high's four groups. Each number is a cost per unit: metre, radian, second.
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
    /// Of the two heights, per metre. Default 5: a stair that is 4 cm too high is as far off as a foot placed 20 cm away, and a
    /// level step is farther from a stair than any turn, so that one is blended with the other only where nothing else spans the
    /// footprint.
    pub height: f64,
}

impl Default for HighWeights {
    fn default() -> HighWeights {
        HighWeights { location: 1.0, orientation: 0.4, timing: 2.0, height: 5.0 }
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
    /// Of the swinging foot before and after, above the supporting one, in metres.
    pub heights: [f64; 2],
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
        let heights = [from, to].map(|place| place.ball.y - support.ball.y);
        let parameters = StepParameters::from_places(swing, level(from), level(to));
        StepQuery { parameters, headings, times, heights, frame, before: None }
    }

    /// The same, where the supporting foot came from a place in the world.
    pub fn after(self, place: Vec3) -> StepQuery {
        StepQuery { before: Some(self.frame.inverse().transform_point(place)), ..self }
    }

    /// Heading of the supporting frame.
    pub fn yaw(&self) -> f64 {
        rotation::twist_angle(self.frame.rotation, Vec3::Y)
    }

    /// All dimensions, with those that nobody asked for left out.
    pub fn high(&self) -> [Option<f64>; N_HIGH] {
        let p = self.parameters.point();
        let ([a, b, c], [d, e, f], [g, h]) = (self.headings, self.times, self.heights);
        [Some(p.x), Some(p.y), Some(p.z), a, b, c, d, e, f, Some(g), Some(h)]
    }
}

impl CanonicalStep {
    /// The nine dimensions of STRIDE 5.1, and the heights.
    pub fn high(&self) -> [f64; N_HIGH] {
        let p = self.point();
        let [a, b, c] = self.headings;
        let StepTimes { first, swing, last } = self.times;
        let [from, to] = self.heights;
        [p.x, p.y, p.z, a, b, c, first, swing, last, from, to]
    }
}

/// Distance in one of the dimensions; headings go round.
#[inline]
pub(super) fn high_difference(dimension: usize, a: f64, b: f64) -> f64 {
    if HEADINGS.contains(&dimension) { turn_between(b, a).abs() } else { (a - b).abs() }
}

impl HighWeights {
    /// Of one of the dimensions.
    #[inline]
    pub(super) fn of(&self, dimension: usize) -> f64 {
        match dimension {
            0..3 => self.location,
            3..6 => self.orientation,
            6..9 => self.timing,
            _ => self.height,
        }
    }

    /// D_high between two steps.
    pub(super) fn distance_between(&self, a: &[f64; N_HIGH], b: &[f64; N_HIGH]) -> f64 {
        (0..N_HIGH).map(|k| self.of(k) * high_difference(k, a[k], b[k])).sum()
    }

    /// D_high: the weighted sum of the distances in all dimensions.
    pub fn distance(&self, query: &StepQuery, step: &CanonicalStep) -> f64 {
        let pairs = query.high().into_iter().zip(step.high()).enumerate();
        pairs.map(|(k, (q, s))| q.map_or(0.0, |q| self.of(k) * high_difference(k, q, s))).sum()
    }
}
