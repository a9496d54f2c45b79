//! The equaliser: each band of frequencies of a motion made larger or smaller, or turned around.
//!
//! Reference: SIGNAL 5.1.1, steps 3 and 5, and 5.1.2.
//!
//! Idea: the channels of a clip are split into bands ([`crate::Bands`]), each band is multiplied by a gain, and all are
//! summed up again. All channels of a group of joints have the same gains. Every channel is changed on its own, and nothing is
//! shifted in time.
//!
//! Departures from the paper:
//!
//! - The root trajectory (place and heading) is not changed unless a selection has it. If it has, its channels go on
//!   evenly beyond their ends ([`Edge::PointReflected`]): gains change how a body sways and surges along its trajectory, not how
//!   far it comes, and the first and the last frame stay where they are.
//! - Feet are not held to the ground and joints not to their limits. That is for what comes after, as the paper has it
//!   (5.1.2): footskate cleanup on the contacts of the original, and joint limits.

use crate::bands::{BandSplitter, Edge, choose_bands, count_bands};
use crate::curves::Curves;
use crate::selection::Selection;
use std::ops::RangeInclusive;

/// Gains for some joints.
#[derive(Clone, Debug, PartialEq)]
pub struct BandGains {
    /// Which channels they are for.
    pub selection: Selection,
    /// One for each band from the fastest on; missing ones are 1. -100 to 100. 1 changes nothing, 0 takes the band
    /// away, below 0 it is turned around.
    pub gains: Vec<f64>,
}

/// What is taken for the frames before the first and after the last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EqualizeOptions {
    /// For rotations, heights and joints that are moved. Default reflected, one of the paper's two "most promising"
    /// methods.
    pub edge: Edge,
    /// For place and heading on the ground. Default point-reflected: a body that walks does not stop at the ends of its
    /// clip.
    pub travel_edge: Edge,
}

impl Default for EqualizeOptions {
    fn default() -> EqualizeOptions {
        EqualizeOptions { edge: Edge::Reflected, travel_edge: Edge::PointReflected }
    }
}

/// Larger gains, and smaller than their negatives, are mistakes: they make a degree a hundred.
pub const MAX_GAIN: f64 = 100.0;
/// Largest amount of a preset.
pub const MAX_AMOUNT: f64 = 10.0;

/// Why a clip was not equalised.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum EqualizeError {
    /// Not a number, or absurdly large.
    #[error("the gain of band {band} is {gain}; a number from -{MAX_GAIN} to {MAX_GAIN} would be right")]
    Gain {
        /// Which.
        band: usize,
        /// As given.
        gain: f64,
    },
    /// The clip is too short for a band.
    #[error("there is no band {band}: a clip of {n_frames} frames has bands 0 to {}", n_bands.saturating_sub(1))]
    NoSuchBand {
        /// As given.
        band: usize,
        /// How many there are.
        n_bands: usize,
        /// How long the clip is.
        n_frames: usize,
    },
    /// No range of frequencies.
    #[error("{from} to {to} Hz is no range of frequencies; 0 or more, the lower one first, would be right")]
    Hertz {
        /// As given.
        from: f64,
        /// As given.
        to: f64,
    },
    /// Faster than any band.
    #[error("{from} Hz is too fast for {frame_rate} frames a second, which can hold up to {} Hz", frame_rate / 2.0)]
    TooFast {
        /// As given.
        from: f64,
        /// Of the clip.
        frame_rate: f64,
    },
    /// Of a preset.
    #[error("the amount is {amount}; a number from 0 to {MAX_AMOUNT} would be right, where 1 is the preset as it is")]
    Amount {
        /// As given.
        amount: f64,
    },
}

/// Multiplies the bands of channels by their gains. Where groups overlap, the last one counts; joints in no group stay as
/// they are. With all gains 1 not a bit changes, and neither does a channel that stands still.
pub fn equalize(curves: &mut Curves, groups: &[BandGains], options: &EqualizeOptions) -> Result<(), EqualizeError> {
    check_gains(groups, curves.n_frames())?;
    let mut splitter = BandSplitter::default();
    for channel in 0..curves.tracks().len() {
        let track = curves.tracks()[channel];
        let edge = if track.quantity.is_travel() { options.travel_edge } else { options.edge };
        if let Some(group) = groups.iter().rfind(|group| group.selection.covers(track)) {
            splitter.weigh(curves.channel_mut(channel), &group.gains, edge);
        }
    }
    Ok(())
}

/// Refuses gains that are no gains. A clip of one frame has no bands and takes any.
pub(crate) fn check_gains(groups: &[BandGains], n_frames: usize) -> Result<(), EqualizeError> {
    let n_bands = count_bands(n_frames);
    for (band, &gain) in groups.iter().flat_map(|group| group.gains.iter().enumerate()) {
        if !(-MAX_GAIN..=MAX_GAIN).contains(&gain) {
            return Err(EqualizeError::Gain { band, gain });
        }
        if gain != 1.0 && band >= n_bands && n_bands > 0 {
            return Err(EqualizeError::NoSuchBand { band, n_bands, n_frames });
        }
    }
    Ok(())
}

/// Bands by their number, or by what they do at any frame rate.
#[derive(Clone, Debug, PartialEq)]
pub enum BandChoice {
    /// One band; 0 is the fastest.
    Number(usize),
    /// Those that peak in a range of frequencies, see [`choose_bands`].
    Hertz(RangeInclusive<f64>),
}

/// The gains of a clip from choices of bands; where choices overlap, the last one counts.
pub fn gains_of_choices(
    choices: &[(BandChoice, f64)],
    n_frames: usize,
    frame_rate: f64,
) -> Result<Vec<f64>, EqualizeError> {
    let n_bands = count_bands(n_frames);
    let mut gains = vec![1.0; n_bands];
    for (choice, gain) in choices {
        let bands = match choice {
            BandChoice::Number(band) => vec![*band],
            BandChoice::Hertz(range) => {
                check_hertz(range, frame_rate)?;
                choose_bands(n_frames, frame_rate, range.clone())
            }
        };
        for band in bands {
            if !(-MAX_GAIN..=MAX_GAIN).contains(gain) {
                return Err(EqualizeError::Gain { band, gain: *gain });
            }
            match gains.get_mut(band) {
                Some(slot) => *slot = *gain,
                None if n_bands == 0 => {}
                None => return Err(EqualizeError::NoSuchBand { band, n_bands, n_frames }),
            }
        }
    }
    Ok(gains)
}

fn check_hertz(range: &RangeInclusive<f64>, frame_rate: f64) -> Result<(), EqualizeError> {
    let (from, to) = (*range.start(), *range.end());
    // Not `from < 0.0`: what is no number must end here as well.
    if !(from >= 0.0 && to >= from) {
        return Err(EqualizeError::Hertz { from, to });
    }
    if from > frame_rate / 2.0 {
        return Err(EqualizeError::TooFast { from, frame_rate });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bands::gains_response;
    use crate::curves::Quantity;
    use surefoot_contact::{WalkerOptions, synthetic_walk};
    use surefoot_motion::Clip;

    fn walk() -> Clip {
        synthetic_walk(&WalkerOptions { turn_per_step: 0.2, ..WalkerOptions::default() }).take.clip
    }

    fn everywhere(curves: &Curves, gains: &[f64]) -> Vec<BandGains> {
        vec![BandGains { selection: Selection::everything(&curves.skeleton), gains: gains.to_vec() }]
    }

    /// How much a channel moves.
    fn spread(channel: &[f64]) -> f64 {
        let mean = channel.iter().sum::<f64>() / channel.len() as f64;
        (channel.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / channel.len() as f64).sqrt()
    }

    #[test]
    fn gains_of_one_change_not_a_bit() {
        let before = Curves::read(&walk());
        let mut after = before.clone();
        let groups = everywhere(&before, &[1.0; 8]);
        equalize(&mut after, &groups, &EqualizeOptions::default()).unwrap();
        assert_eq!(after, before);
        equalize(&mut after, &[], &EqualizeOptions::default()).unwrap();
        assert_eq!(after, before);
    }

    #[test]
    fn gains_reach_the_joints_of_their_group_and_the_last_group_counts() {
        let walk = synthetic_walk(&WalkerOptions::default());
        let (clip, body) = (&walk.take.clip, &walk.take.body);
        let before = Curves::read(clip);
        let mut after = before.clone();
        let [hip, knee] = [body.legs.left.hip, body.legs.left.knee];
        let group = |joints: &[_], gain: f64| BandGains {
            selection: Selection::of_joints(&clip.skeleton, joints.iter().copied()),
            gains: vec![gain; 8],
        };
        equalize(&mut after, &[group(&[hip, knee], 2.0), group(&[knee], 0.0)], &EqualizeOptions::default()).unwrap();
        for (channel, track) in before.tracks().iter().enumerate() {
            let (was, is) = (before.channel(channel), after.channel(channel));
            if track.joint == knee {
                assert!(spread(is) <= 0.3 * spread(was) + 1e-12, "{track:?}");
            } else if track.joint == hip {
                assert!(spread(is) >= 1.5 * spread(was) - 1e-12, "{track:?}");
            } else {
                assert_eq!(was, is, "{track:?}");
            }
        }
    }

    #[test]
    fn the_trajectory_keeps_its_ends_and_its_length_whatever_the_gains() {
        let before = Curves::read(&walk());
        let mut after = before.clone();
        let groups = everywhere(&before, &[0.0, 2.0, 3.0, 3.0, -1.0, 2.0]);
        equalize(&mut after, &groups, &EqualizeOptions::default()).unwrap();
        let last = before.n_frames() - 1;
        for (channel, track) in before.tracks().iter().enumerate().filter(|(_, track)| track.quantity.is_travel()) {
            let (was, is) = (before.channel(channel), after.channel(channel));
            assert!((was[0] - is[0]).abs() < 1e-9 && (was[last] - is[last]).abs() < 1e-9, "{track:?}");
            assert!(was.iter().zip(is).any(|(a, b)| (a - b).abs() > 1e-3), "{track:?}");
        }
        let all = vec![BandGains { selection: Selection::all(&before.skeleton), gains: vec![3.0; 8] }];
        let mut after = before.clone();
        equalize(&mut after, &all, &EqualizeOptions::default()).unwrap();
        for (channel, track) in before.tracks().iter().enumerate().filter(|(_, track)| track.quantity.is_travel()) {
            assert_eq!(before.channel(channel), after.channel(channel), "{track:?}");
        }
    }

    #[test]
    fn frozen_joints_stay_frozen() {
        let mut clip = walk();
        let frozen = surefoot_motion::JointId::new(clip.skeleton.n_joints() - 1);
        let first = clip.pose(0)[frozen];
        clip.poses_mut().iter_mut().for_each(|mut pose| pose[frozen] = first);
        let before = Curves::read(&clip);
        let mut after = before.clone();
        equalize(&mut after, &everywhere(&before, &[9.0, -3.0, 7.0, 50.0]), &EqualizeOptions::default()).unwrap();
        for (channel, track) in before.tracks().iter().enumerate().filter(|(_, track)| track.joint == frozen) {
            assert_eq!(before.channel(channel), after.channel(channel), "{track:?}");
        }
    }

    #[test]
    fn short_clips_are_clips() {
        for n in 0..4 {
            let mut clip = walk();
            clip.poses_mut().truncate(n);
            let mut curves = Curves::read(&clip);
            let gains = vec![2.0; count_bands(n)];
            let groups = everywhere(&curves, &gains);
            equalize(&mut curves, &groups, &EqualizeOptions::default()).unwrap();
            let poses = curves.to_poses();
            assert_eq!(poses.len(), n);
            assert!(poses.iter().all(|pose| pose.local.iter().all(|local| local.rotation.is_finite())));
        }
        let mut clip = walk();
        clip.poses_mut().truncate(1);
        let mut curves = Curves::read(&clip);
        let before = curves.clone();
        let groups = everywhere(&curves, &[2.0; 5]);
        equalize(&mut curves, &groups, &EqualizeOptions::default()).unwrap();
        assert_eq!(curves, before);
    }

    #[test]
    fn bad_gains_are_refused_by_their_band() {
        let mut curves = Curves::read(&walk());
        let n_frames = curves.n_frames();
        let mut refuse = |gains: &[f64]| {
            let groups = everywhere(&curves, gains);
            equalize(&mut curves, &groups, &EqualizeOptions::default()).unwrap_err().to_string()
        };
        assert!(refuse(&[1.0, 1.0, f64::NAN]).contains("the gain of band 2 is NaN; a number from -100 to 100"));
        assert!(refuse(&[1.0, f64::INFINITY]).contains("band 1 is inf"));
        assert!(refuse(&[-1e3]).contains("band 0 is -1000"));
        let error = refuse(&[[1.0; 20].as_slice(), &[2.0]].concat());
        assert_eq!(error, format!("there is no band 20: a clip of {n_frames} frames has bands 0 to 7"));
    }

    #[test]
    fn bands_are_chosen_by_number_and_by_hertz() {
        let choices =
            [(BandChoice::Hertz(0.4..=2.5), 1.8), (BandChoice::Number(5), 0.5), (BandChoice::Number(0), -1.0)];
        let gains = gains_of_choices(&choices, 1200, 120.0).unwrap();
        assert_eq!(gains, [-1.0, 1.0, 1.0, 1.0, 1.8, 0.5, 1.8, 1.0, 1.0, 1.0]);
        let refuse = |choice, gain| gains_of_choices(&[(choice, gain)], 100, 120.0).unwrap_err().to_string();
        assert!(refuse(BandChoice::Hertz(3.0..=1.0), 1.0).contains("3 to 1 Hz is no range"));
        assert!(refuse(BandChoice::Hertz(f64::NAN..=1.0), 1.0).contains("is no range"));
        assert!(refuse(BandChoice::Hertz(70.0..=90.0), 1.0).contains("up to 60 Hz"));
        assert!(refuse(BandChoice::Number(6), 2.0).contains("has bands 0 to 5"));
        assert!(refuse(BandChoice::Number(3), f64::NAN).contains("band 3"));
        assert_eq!(gains_of_choices(&choices, 1, 120.0), Ok(vec![]));
    }

    /// The paper says that higher gains on low bands tone a motion down. They cannot: see `presets.rs`.
    #[test]
    fn no_gain_above_one_makes_any_sine_smaller() {
        for band in 0..9 {
            let mut gains = vec![1.0; 9];
            gains[band] = 2.0;
            for step in 1..=600 {
                assert!(gains_response(&gains, f64::from(step) / 10.0, 120.0) >= 1.0 - 1e-12);
            }
        }
        let before = Curves::read(&walk());
        let mut after = before.clone();
        equalize(&mut after, &everywhere(&before, &[1.0, 1.0, 1.0, 1.0, 1.0, 2.0, 2.0]), &EqualizeOptions::default())
            .unwrap();
        for (channel, track) in before.tracks().iter().enumerate() {
            if matches!(track.quantity, Quantity::Rotation(_)) {
                assert!(spread(after.channel(channel)) >= spread(before.channel(channel)) - 1e-12, "{track:?}");
            }
        }
    }
}
