//! Recorded steps without the noise of their recording.
//!
//! Reference: STRIDE 7.3 compares raw and filtered steps.
//!
//! What is wrong in a recording is wrong in every walk that is blended of it, and a walk of two or three seconds shows it
//! at once: a pelvis that rolls by 6 degrees and back within 30 ms (a marker that was lost) is a knee that snaps. So all is
//! filtered before steps are cut, after contacts were found in the recording; planted feet are locked afterwards.
//!
//! 1. Outliers (Hampel's filter): a number that is farther from the median of [`AROUND`] seconds on either side than people move
//!    in that time becomes the median.
//!    Not of feet, which turn back sooner than that.
//! 2. A Gaussian mean over [`SPREAD`] seconds: half of what is at 11 Hz, and nearly all of what is below 5 Hz, stays. Of feet over
//!    [`FOOT_SPREAD`].

use super::LinearPose;
use surefoot_geom::{Vec3, rotation};
use surefoot_motion::Side;

/// Seconds on either side that a median is taken of.
const AROUND: f64 = 0.045;
/// Farthest from the median, in metres and in radians.
const FARTHEST: f64 = 0.008;
const MOST_TURNED: f64 = 0.03;
/// Standard deviation of the mean, in seconds.
const SPREAD: f64 = 0.012;
const FOOT_SPREAD: f64 = 0.02;

/// Seconds at either end of some frames that do not come out right.
pub(super) const MARGIN: f64 = AROUND + 3.0 * SPREAD;

/// Filters successive frames of a recording.
pub(super) fn steady<'a>(poses: impl Iterator<Item = &'a mut LinearPose>, rate: f64) {
    let mut poses: Vec<&mut LinearPose> = poses.collect();
    let Some(reference) = poses.first().map(|pose| pose.pelvis.rotation) else { return };
    for side in Side::BOTH {
        let first = poses[0].feet[side].rotation;
        let turned = |pose: &LinearPose| rotation::log_map(pose.feet[side].rotation * first.conjugate());
        let deviation = FOOT_SPREAD * rate;
        let balls: Vec<Vec3> = poses.iter().map(|pose| pose.feet[side].ball).collect();
        let turns: Vec<Vec3> = poses.iter().map(|pose| turned(pose)).collect();
        let (balls, turns) = (gaussian_mean(&balls, deviation), gaussian_mean(&turns, deviation));
        for (pose, (ball, turn)) in poses.iter_mut().zip(balls.into_iter().zip(turns)) {
            pose.feet[side].ball = ball;
            pose.feet[side].rotation = (rotation::exp_map(turn) * first).normalize();
        }
    }
    filter(&mut poses, rate, FARTHEST, |pose| pose.pelvis.translation, |pose, place| pose.pelvis.translation = place);
    filter(
        &mut poses,
        rate,
        MOST_TURNED,
        |pose| rotation::log_map(pose.pelvis.rotation * reference.conjugate()),
        |pose, turn| pose.pelvis.rotation = (rotation::exp_map(turn) * reference).normalize(),
    );
    for joint in 0..poses[0].others.len() {
        filter(&mut poses, rate, MOST_TURNED, |pose| pose.others[joint], |pose, turn| pose.others[joint] = turn);
    }
}

fn filter(
    poses: &mut [&mut LinearPose],
    rate: f64,
    farthest: f64,
    get: impl Fn(&LinearPose) -> Vec3,
    set: impl Fn(&mut LinearPose, Vec3),
) {
    let raw: Vec<Vec3> = poses.iter().map(|pose| get(pose)).collect();
    let kept = without_outliers(&raw, (AROUND * rate).round() as usize, farthest);
    for (pose, value) in poses.iter_mut().zip(gaussian_mean(&kept, SPREAD * rate)) {
        set(pose, value);
    }
}

fn without_outliers(values: &[Vec3], half: usize, farthest: f64) -> Vec<Vec3> {
    let mut sorted = Vec::with_capacity(2 * half + 1);
    let mut median = |range: std::ops::Range<usize>, k: usize| {
        sorted.clear();
        sorted.extend(values[range].iter().map(|value| value[k]));
        sorted.sort_by(f64::total_cmp);
        sorted[sorted.len() / 2]
    };
    let mut kept = values.to_vec();
    for (index, value) in kept.iter_mut().enumerate() {
        let reach = half.min(index).min(values.len() - 1 - index);
        let range = index - reach..index + reach + 1;
        let middle = Vec3::from(std::array::from_fn(|k| median(range.clone(), k)));
        if value.distance(middle) > farthest {
            *value = middle;
        }
    }
    kept
}

/// Even at the ends: as many on either side.
fn gaussian_mean(values: &[Vec3], deviation: f64) -> Vec<Vec3> {
    let half = (3.0 * deviation).ceil() as usize;
    let weight = |k: usize| (-0.5 * (k as f64 / deviation.max(1e-9)).powi(2)).exp();
    let mean = |index: usize| {
        let reach = half.min(index).min(values.len() - 1 - index);
        let (mut sum, mut total) = (values[index], 1.0);
        for k in 1..=reach {
            sum += (values[index - k] + values[index + k]) * weight(k);
            total += 2.0 * weight(k);
        }
        sum / total
    };
    (0..values.len()).map(mean).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use surefoot_geom::{Quat, Transform};

    /// A pelvis that sways and bobs as in a walk.
    fn walk(rate: f64) -> Vec<LinearPose> {
        let pose = |frame: usize| {
            let time = frame as f64 / rate;
            let bob = 0.02 * (2.0 * std::f64::consts::TAU * time).sin();
            let roll = 0.08 * (std::f64::consts::TAU * time).sin();
            let pelvis = Transform::new(Quat::from_rotation_z(roll), Vec3::new(0.0, 0.9 + bob, 1.2 * time));
            LinearPose { pelvis, others: vec![Vec3::X * 4.0 * roll], ..LinearPose::default() }
        };
        (0..120).map(pose).collect()
    }

    #[test]
    fn a_walk_stays_as_it_is_and_a_lost_marker_goes() {
        let truth = walk(120.0);
        let mut poses = truth.clone();
        for pose in &mut poses[60..64] {
            pose.pelvis.rotation *= Quat::from_rotation_z(-0.1);
            pose.others[0] += Vec3::Y * 0.5;
        }
        steady(poses.iter_mut(), 120.0);
        for (frame, (pose, truth)) in poses.iter().zip(&truth).enumerate() {
            assert!(pose.pelvis.translation.distance(truth.pelvis.translation) < 3e-4, "frame {frame}");
            let off = rotation::angle_between(pose.pelvis.rotation, truth.pelvis.rotation);
            assert!(off < 0.015, "frame {frame}: {off}");
            assert!(pose.others[0].distance(truth.others[0]) < 0.04, "frame {frame}");
        }
    }
}
