//! Cleaning filters, as people who work with motion capture expect them.
//!
//! | filter | file | keeps | takes away |
//! |---|---|---|---|
//! | despike | `despike.rs` | everything else, to the bit | frames that jump away and back |
//! | Butterworth | `butterworth.rs` | what is slower than a frequency | what is faster |
//! | Savitzky-Golay | `savitzky_golay.rs` | peaks and their heights | noise about short pieces of polynomials |
//! | Gaussian | `gaussian.rs` | the order of things: it never overshoots | what is shorter than its width |
//! | orientation | `orientation.rs` | rotations as such, however far they go | what changes from frame to frame |
//!
//! Spikes go first: a low-pass spreads them over their neighbours, where nothing finds them any more. [`clean`] keeps
//! to that order whatever it is given.
//!
//! None shifts anything in time, and all leave what stands still as it is, to the bit. A channel goes on beyond its ends as
//! evenly as it came there, so that a body that walks into and out of its clip is not held back.

mod butterworth;
mod despike;
mod gaussian;
mod orientation;
mod savitzky_golay;

pub use butterworth::{Butterworth, ButterworthOptions, MAX_ORDER};
pub use despike::{DespikeOptions, Mended, despike};
pub use gaussian::{Gaussian, GaussianOptions};
pub use orientation::OrientationOptions;
pub use savitzky_golay::{SavitzkyGolay, SavitzkyGolayOptions, Window};

use crate::curves::Curves;
use crate::selection::Selection;

/// Why a filter was refused.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum FilterError {
    /// An option out of its range.
    #[error("{field} is {value}; {wanted} would be right")]
    OutOfRange {
        /// Which option.
        field: &'static str,
        /// As given.
        value: f64,
        /// What it may be.
        wanted: String,
    },
}

/// Refuses what is not in a range; NaN is in none.
fn check(field: &'static str, value: f64, range: std::ops::RangeInclusive<f64>) -> Result<(), FilterError> {
    if range.contains(&value) {
        return Ok(());
    }
    let wanted = format!("a number from {} to {}", range.start(), range.end());
    Err(FilterError::OutOfRange { field, value, wanted })
}

/// A smoothing filter.
#[derive(Clone, Debug, PartialEq)]
pub enum Smoothing {
    /// Zero-phase Butterworth.
    Butterworth(ButterworthOptions),
    /// Savitzky-Golay.
    SavitzkyGolay(SavitzkyGolayOptions),
    /// Gaussian.
    Gaussian(GaussianOptions),
    /// Lee and Shin's, on rotations.
    Orientation(OrientationOptions),
}

/// Smooths the selected channels.
pub fn smooth(curves: &mut Curves, selection: &Selection, smoothing: &Smoothing) -> Result<(), FilterError> {
    let (n_frames, rate) = (curves.n_frames(), curves.frame_rate);
    match smoothing {
        Smoothing::Butterworth(options) => {
            let mut filter = Butterworth::new(options, rate)?;
            each_channel(curves, selection, |channel| filter.apply(channel));
        }
        Smoothing::SavitzkyGolay(options) => {
            let mut filter = SavitzkyGolay::new(options, rate, n_frames)?;
            each_channel(curves, selection, |channel| filter.apply(channel));
        }
        Smoothing::Gaussian(options) => {
            let mut filter = Gaussian::new(options, rate)?;
            each_channel(curves, selection, |channel| filter.apply(channel));
        }
        Smoothing::Orientation(options) => orientation::smooth_orientations(curves, selection, options)?,
    }
    Ok(())
}

fn each_channel(curves: &mut Curves, selection: &Selection, mut filter: impl FnMut(&mut [f64])) {
    for channel in 0..curves.tracks().len() {
        if selection.covers(curves.tracks()[channel]) {
            filter(curves.channel_mut(channel));
        }
    }
}

/// What [`clean`] does, in this order. The default does nothing.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct CleanOptions {
    /// Spikes mended, before anything spreads them.
    pub despike: Option<DespikeOptions>,
    /// Then smoothed, one after the other.
    pub smoothing: Vec<Smoothing>,
}

/// Cleans the selected channels: spikes first, then what smooths. Returns what was mended. With a wrong option nothing is
/// changed.
pub fn clean(curves: &mut Curves, selection: &Selection, options: &CleanOptions) -> Result<Vec<Mended>, FilterError> {
    let mut cleaned = curves.clone();
    let mended = match &options.despike {
        Some(options) => despike(&mut cleaned, selection, options)?,
        None => Vec::new(),
    };
    for smoothing in &options.smoothing {
        smooth(&mut cleaned, selection, smoothing)?;
    }
    *curves = cleaned;
    Ok(mended)
}

/// Numbers that others computed, to compare with.
#[cfg(test)]
mod reference {
    /// The channel that other programs filtered: `sin 0.31 i + 0.3 sin(2.1 i + 1) + 0.02 i`.
    pub(super) fn test_channel() -> Vec<f64> {
        (0..240).map(f64::from).map(|i| (0.31 * i).sin() + 0.3 * (2.1 * i + 1.0).sin() + 0.02 * i).collect()
    }

    /// The frames of which their results are known.
    const FRAMES: [usize; 9] = [0, 1, 2, 10, 29, 30, 120, 238, 239];

    pub(super) fn check_channel(channel: &[f64], wanted: &[f64; 9]) {
        for (frame, wanted) in FRAMES.into_iter().zip(wanted) {
            assert!((channel[frame] - wanted).abs() < 1e-9, "frame {frame}: {}, not {wanted}", channel[frame]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use surefoot_contact::{SyntheticWalk, WalkerOptions, synthetic_walk};
    use surefoot_geom::{Quat, Vec3, rotation};
    use surefoot_motion::{Clip, JointId};

    fn walk() -> SyntheticWalk {
        synthetic_walk(&WalkerOptions { turn_per_step: 0.2, n_steps: 5, ..WalkerOptions::default() })
    }

    fn all_filters() -> Vec<Smoothing> {
        vec![
            Smoothing::Butterworth(ButterworthOptions::default()),
            Smoothing::SavitzkyGolay(SavitzkyGolayOptions::default()),
            Smoothing::Gaussian(GaussianOptions::default()),
            Smoothing::Orientation(OrientationOptions::default()),
        ]
    }

    /// A clip that trembles by a known amount from frame to frame, and the clip without it.
    fn trembling() -> (Clip, Clip) {
        let clip = walk().take.clip;
        let mut noisy = clip.clone();
        for (frame, pose) in noisy.poses_mut().iter_mut().enumerate() {
            for (joint, local) in pose.local.iter_mut().enumerate() {
                let phase = 2.7 * frame as f64 + joint as f64;
                local.rotation *= rotation::exp_map(Vec3::new(phase.sin(), (1.1 * phase).cos(), 0.0) * 0.03);
            }
        }
        (clip, noisy)
    }

    fn mean_off(a: &Clip, poses: &surefoot_motion::Poses) -> f64 {
        let off = |a: Quat, b: Quat| rotation::angle_between(a, b).powi(2);
        let pairs = a.poses().iter().zip(poses).flat_map(|(a, b)| a.local.iter().zip(b.local));
        let sum: f64 = pairs.map(|(a, b)| off(a.rotation, b.rotation)).sum();
        (sum / (a.n_frames() * a.skeleton.n_joints()) as f64).sqrt()
    }

    #[test]
    fn every_filter_brings_a_trembling_walk_nearer_to_the_walk() {
        let (clip, noisy) = trembling();
        let before = mean_off(&clip, noisy.poses());
        for smoothing in all_filters() {
            let mut curves = Curves::read(&noisy);
            smooth(&mut curves, &Selection::everything(&clip.skeleton), &smoothing).unwrap();
            let after = mean_off(&clip, &curves.to_poses());
            assert!(after < 0.5 * before, "{smoothing:?}: {before} to {after}");
        }
    }

    #[test]
    fn only_selected_joints_change_and_frozen_ones_stay_to_the_bit() {
        let walk = walk();
        let mut clip = walk.take.clip;
        let frozen = walk.take.body.legs.right.knee;
        let still = clip.pose(7)[frozen];
        clip.poses_mut().iter_mut().for_each(|mut pose| pose[frozen] = still);
        let chosen = [walk.take.body.legs.left.knee, frozen];
        let selection = Selection::of_joints(&clip.skeleton, chosen);
        for smoothing in all_filters() {
            let before = Curves::read(&clip);
            let mut after = before.clone();
            smooth(&mut after, &selection, &smoothing).unwrap();
            for (channel, track) in before.tracks().iter().enumerate() {
                let same = before.channel(channel) == after.channel(channel);
                assert_eq!(same, track.joint != chosen[0], "{smoothing:?} {track:?}");
            }
        }
    }

    #[test]
    fn a_walk_comes_as_far_as_it_did() {
        let clip = walk().take.clip;
        // Out of the middle: it comes at full speed and leaves at full speed.
        let clip = clip.with_poses(clip.poses().slice(60..140));
        let root = Curves::read(&clip).root();
        for smoothing in all_filters() {
            let mut curves = Curves::read(&clip);
            smooth(&mut curves, &Selection::everything(&clip.skeleton), &smoothing).unwrap();
            let poses = curves.to_poses();
            for frame in [0, 79] {
                let off = clip.pose(frame)[root].translation.distance(poses.pose(frame)[root].translation);
                assert!(off < 0.002, "{smoothing:?} frame {frame}: {off}");
            }
        }
    }

    #[test]
    fn clips_of_few_frames_and_spinning_joints_stay_valid() {
        let clip = walk().take.clip;
        for n in 0..5 {
            let clip = clip.with_poses(clip.poses().slice(0..n));
            for smoothing in all_filters() {
                let mut curves = Curves::read(&clip);
                smooth(&mut curves, &Selection::everything(&clip.skeleton), &smoothing).unwrap();
                let valid = |pose: surefoot_motion::PoseRef<'_>| pose.local.iter().all(|at| at.rotation.is_finite());
                assert!(curves.to_poses().iter().all(valid), "{smoothing:?}, {n} frames");
            }
        }
        let mut spinning = clip.clone();
        let joint = JointId::new(spinning.skeleton.n_joints() - 1);
        for (frame, mut pose) in spinning.poses_mut().iter_mut().enumerate() {
            pose[joint].rotation = Quat::from_rotation_z(0.2 * frame as f64);
        }
        for smoothing in all_filters() {
            let mut curves = Curves::read(&spinning);
            smooth(&mut curves, &Selection::all(&spinning.skeleton), &smoothing).unwrap();
            let poses = curves.to_poses();
            let inner = 30..spinning.n_frames() - 30;
            for (was, is) in inner.map(|frame| (spinning.pose(frame), poses.pose(frame))) {
                let off = rotation::angle_between(was[joint].rotation, is[joint].rotation);
                assert!(off < 1e-6, "{smoothing:?}: what turns evenly stays, {off}");
            }
        }
    }

    #[test]
    fn spikes_are_mended_before_anything_spreads_them() {
        let walk = walk();
        let mut clip = walk.take.clip.clone();
        let joint = walk.take.body.legs.left.knee;
        clip.pose_mut(70)[joint].rotation *= Quat::from_rotation_x(1.5);
        let smoothing = all_filters()[0].clone();
        let options = CleanOptions { despike: Some(DespikeOptions::default()), smoothing: vec![smoothing.clone()] };
        let (mut with, mut without) = (Curves::read(&clip), Curves::read(&clip));
        let selection = Selection::all(&clip.skeleton);
        assert_eq!(clean(&mut with, &selection, &options).unwrap().len(), 1);
        smooth(&mut without, &selection, &smoothing).unwrap();
        let wanted = walk.take.clip.pose(73)[joint].rotation;
        let off = |curves: &Curves| rotation::angle_between(curves.to_poses().pose(73)[joint].rotation, wanted);
        assert!(off(&with) < 0.03 && off(&without) > 0.05, "{} {}", off(&with), off(&without));
    }

    #[test]
    fn a_wrong_option_changes_nothing() {
        let clip = walk().take.clip;
        let before = Curves::read(&clip);
        let mut after = before.clone();
        let wrong = Smoothing::Orientation(OrientationOptions { passes: 0 });
        let options = CleanOptions { despike: None, smoothing: vec![all_filters()[0].clone(), wrong] };
        let error = clean(&mut after, &Selection::all(&clip.skeleton), &options).unwrap_err();
        assert_eq!(error.to_string(), "passes is 0; a number from 1 to 1000 would be right");
        assert_eq!(after, before);
    }
}
