//! How jerky the pelvis moves: the third difference of its position.
//!
//! Unsmoothed, recordings at high rates show mostly noise: compare metrics of the same clip. The mean below 6 Hz, after a Gaussian
//! that halves the power there, compares clips of different rates and sources: people's pelvises hardly move faster.

use super::worst::Worst;
use crate::order_statistics::mean;
use surefoot_geom::Vec3;
use surefoot_motion::{BodyMap, WorldPose};

/// Jerk of the pelvis in metres a second cubed; `None` of fewer than four frames.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PelvisJerk {
    /// Over all frames.
    pub mean: Option<f64>,
    /// The same of the motion below 6 Hz; `None` of fewer than four frames, or of a clip shorter than half the Gaussian, a tenth of
    /// a second.
    pub mean_6_hz: Option<f64>,
    /// The largest; its frame is the third of the four that it is computed from, the first after their middle.
    pub worst: Option<Worst<()>>,
}

/// Measures the pelvis over a clip.
pub fn measure_pelvis_jerk(poses: &[WorldPose], body: &BodyMap, frame_rate: f64) -> PelvisJerk {
    let places: Vec<Vec3> = poses.iter().map(|pose| pose.position(body.pelvis)).collect();
    let jerks = jerks_of(&places, frame_rate);
    let worst = Worst::of(jerks.iter().enumerate().map(|(k, &value)| Worst { value, place: (), frame: k + 2 }));
    let slow = low_pass(&places, CUT_OFF, frame_rate);
    PelvisJerk { mean: mean(&jerks), mean_6_hz: slow.and_then(|slow| mean(&jerks_of(&slow, frame_rate))), worst }
}

/// Where the power of what is measured smoothed is halved, in hertz.
const CUT_OFF: f64 = 6.0;

fn jerks_of(places: &[Vec3], frame_rate: f64) -> Vec<f64> {
    let jerk = |four: &[Vec3]| ((four[3] - four[0]) + 3.0 * (four[1] - four[2])).length() * frame_rate.powi(3);
    places.windows(4).map(jerk).collect()
}

/// A Gaussian over time, -3 dB at a frequency, cut off at four deviations. It never overshoots. Beyond the ends the places go on as
/// they came, turned about the last one; `None` if there are too few for that.
pub(super) fn low_pass(places: &[Vec3], hertz: f64, frame_rate: f64) -> Option<Vec<Vec3>> {
    let last = places.len().checked_sub(1)?;
    let deviation = 2.0f64.ln().sqrt() / (std::f64::consts::TAU * hertz) * frame_rate;
    let half = (4.0 * deviation).ceil();
    if !(deviation > 0.0 && half <= last as f64) {
        return None;
    }
    let (half, last) = (half as isize, last as isize);
    let weight = |k: isize| (-0.5 * (k as f64 / deviation).powi(2)).exp();
    let weights: Vec<(isize, f64)> = (-half..=half).map(|k| (k, weight(k))).collect();
    let total: f64 = weights.iter().map(|(_, weight)| weight).sum();
    let place = |at: isize| {
        let end = at.clamp(0, last);
        let inside = places[(2 * end - at) as usize];
        if end == at { inside } else { 2.0 * places[end as usize] - inside }
    };
    let smooth = |at: isize| weights.iter().map(|(k, weight)| place(at + k) * *weight).sum::<Vec3>() / total;
    Some((0..=last).map(smooth).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_low_pass_keeps_straight_lines_and_halves_the_power_at_its_frequency() {
        let line: Vec<Vec3> = (0..60).map(|k| Vec3::new(f64::from(k), 2.0, -f64::from(k))).collect();
        for (a, b) in low_pass(&line, 6.0, 60.0).unwrap().iter().zip(&line) {
            assert!(a.distance(*b) < 1e-9, "{a} {b}");
        }
        let wave = |k: u32| Vec3::X * (std::f64::consts::TAU * 6.0 * f64::from(k) / 120.0).sin();
        let smooth = low_pass(&(0..240).map(wave).collect::<Vec<_>>(), 6.0, 120.0).unwrap();
        let largest = smooth[60..180].iter().map(|place| place.x.abs()).fold(0.0, f64::max);
        assert!((largest - 0.5_f64.sqrt()).abs() < 0.01, "{largest}");
    }
}
