//! How jerky the pelvis moves: the third difference of its position.
//!
//! Unsmoothed, recordings at high rates show mostly noise: compare metrics of the same clip. After a low pass
//! ([`measure_low_passed_pelvis_jerk`]) motions of different rates and sources can be compared.

use super::worst::Worst;
use crate::order_statistics::mean;
use surefoot_geom::Vec3;
use surefoot_motion::{BodyMap, WorldPose};

/// Jerk of the pelvis in metres a second cubed; `None` of fewer than four frames.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PelvisJerk {
    /// Over all frames.
    pub mean: Option<f64>,
    /// The largest; its frame is the third of the four that it is computed from, the first after their middle.
    pub worst: Option<Worst<()>>,
}

/// Measures the pelvis over a clip.
pub fn measure_pelvis_jerk(poses: &[WorldPose], body: &BodyMap, frame_rate: f64) -> PelvisJerk {
    let places: Vec<Vec3> = poses.iter().map(|pose| pose.position(body.pelvis)).collect();
    let jerk = |four: &[Vec3]| ((four[3] - four[0]) + 3.0 * (four[1] - four[2])).length() * frame_rate.powi(3);
    let jerks: Vec<f64> = places.windows(4).map(jerk).collect();
    let worst = Worst::of(jerks.iter().enumerate().map(|(k, &value)| Worst { value, place: (), frame: k + 2 }));
    PelvisJerk { mean: mean(&jerks), worst }
}

/// Mean jerk of the pelvis after a Gaussian low pass of -3 dB at a frequency in hertz, in metres a second cubed. A Gaussian never
/// overshoots, so that what it leaves was there. `None` of fewer than five frames.
pub fn measure_low_passed_pelvis_jerk(
    poses: &[WorldPose],
    body: &BodyMap,
    frame_rate: f64,
    cutoff_hz: f64,
) -> Option<f64> {
    let places: Vec<Vec3> = poses.iter().map(|pose| pose.position(body.pelvis)).collect();
    if places.len() < 5 {
        return None;
    }
    let smooth = low_passed(&places, frame_rate, cutoff_hz);
    let jerk = |four: &[Vec3]| ((four[3] - four[0]) + 3.0 * (four[1] - four[2])).length() * frame_rate.powi(3);
    mean(&smooth.windows(4).map(jerk).collect::<Vec<f64>>())
}

/// A track after a Gaussian; its ends are continued by turning it half round about them.
fn low_passed(track: &[Vec3], frame_rate: f64, cutoff_hz: f64) -> Vec<Vec3> {
    let sigma = std::f64::consts::LN_2.sqrt() / (std::f64::consts::TAU * cutoff_hz) * frame_rate;
    let half = (4.0 * sigma).ceil().max(0.0) as usize;
    let last = track.len() - 1;
    let turns_round = track.len() > half;
    let at = |index: isize| match usize::try_from(index) {
        Ok(index) if index <= last => track[index],
        Ok(index) if turns_round => 2.0 * track[last] - track[2 * last - index],
        Err(_) if turns_round => 2.0 * track[0] - track[index.unsigned_abs()],
        Ok(_) => track[last],
        Err(_) => track[0],
    };
    let weights: Vec<f64> =
        (0..=2 * half).map(|k| (-0.5 * ((k as f64 - half as f64) / sigma.max(1e-9)).powi(2)).exp()).collect();
    let total: f64 = weights.iter().sum();
    let smoothed = |frame: usize| {
        let around =
            weights.iter().enumerate().map(|(k, weight)| *weight * at(frame as isize + k as isize - half as isize));
        around.sum::<Vec3>() / total
    };
    (0..track.len()).map(smoothed).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_low_pass_keeps_straight_lines_and_halves_the_power_at_its_frequency() {
        let line: Vec<Vec3> = (0..60).map(|k| Vec3::new(f64::from(k), 2.0, -f64::from(k))).collect();
        for (a, b) in low_passed(&line, 60.0, 6.0).iter().zip(&line) {
            assert!(a.distance(*b) < 1e-9, "{a} {b}");
        }
        let wave = |k: u32| Vec3::X * (std::f64::consts::TAU * 6.0 * f64::from(k) / 120.0).sin();
        let smooth = low_passed(&(0..240).map(wave).collect::<Vec<_>>(), 120.0, 6.0);
        let largest = smooth[60..180].iter().map(|place| place.x.abs()).fold(0.0, f64::max);
        assert!((largest - 0.5_f64.sqrt()).abs() < 0.01, "{largest}");
    }
}
