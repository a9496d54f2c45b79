//! A clip played at the times of another.
//!
//! Reference: SIGNAL 5.2.2, "The second part of the problem is to apply the warp". B is warped into A: the result has
//! A's frames and B's movement.
//!
//! [`apply_path`] does what the paper says, sample by sample. Where the path joins
//!
//! - one sample of each (substitution), the value is B's;
//! - several of B with one of A (deletion), it is their mean;
//! - one of B with several of A (insertion), these get "a Gaussian distribution around the original value". The paper
//!   does not say which; here they are means of B under a Gaussian of half a sample's width whose centre moves evenly
//!   over the sample, from half way to the one before it to half way to the one after it. The middle one is nearest to
//!   the original.
//!
//! [`apply_warp`] reads B's curves at the times of a smooth warp, and is what is normally wanted: means and repeated
//! samples judder.
//!
//! Rotations are channels here (see `curves.rs`), so that a mean of channels is a rotation between them.

use crate::{Correspondence, Curves, TimeWarp};

/// The Gaussian under which inserted samples are means, in samples.
const INSERTED_WIDTH: f64 = 0.5;

/// B at A's times, along a smooth warp; all channels, also the root trajectory. The frame rate is A's.
pub fn apply_warp(b: &Curves, warp: &TimeWarp, n_frames_a: usize, frame_rate_a: f64) -> Curves {
    let times: Vec<f64> = (0..n_frames_a).map(|frame| warp.b_at(frame as f64)).collect();
    let mut warped = b.sample(&times);
    warped.frame_rate = frame_rate_a;
    warped
}

/// B at A's times, sample by sample as the paper has it. The path must be one through as many samples of B as there are
/// frames.
pub fn apply_path(b: &Curves, path: &Correspondence) -> Curves {
    let ranges = path.of_each_a();
    assert!(ranges.iter().all(|range| range.end <= b.n_frames()), "a path through B's frames");
    let places: Vec<Place> = (0..ranges.len()).map(|frame| Place::of(frame, &ranges)).collect();
    let times: Vec<f64> = places.iter().map(Place::middle).collect();
    let mut warped = b.sample(&times);
    for channel in 0..b.tracks().len() {
        let values: Vec<f64> = places.iter().map(|place| place.read(b.channel(channel))).collect();
        warped.channel_mut(channel).copy_from_slice(&values);
    }
    warped
}

/// Where a sample of A finds its values in B.
enum Place {
    /// The mean of these; of one, itself.
    Mean(std::ops::Range<usize>),
    /// Around this time.
    Around(f64),
}

impl Place {
    fn of(frame: usize, ranges: &[std::ops::Range<usize>]) -> Place {
        let range = &ranges[frame];
        let same = |other: &&std::ops::Range<usize>| *other == range;
        let before = ranges[..frame].iter().rev().take_while(same).count();
        let n_shared = before + ranges[frame..].iter().take_while(same).count();
        if range.len() > 1 || n_shared == 1 {
            return Place::Mean(range.clone());
        }
        let along = (before as f64 + 0.5) / n_shared as f64;
        Place::Around(range.start as f64 + along - 0.5)
    }

    /// The time it stands for.
    fn middle(&self) -> f64 {
        match self {
            Place::Mean(range) => (range.start + range.end - 1) as f64 / 2.0,
            Place::Around(time) => *time,
        }
    }

    fn read(&self, channel: &[f64]) -> f64 {
        match self {
            Place::Mean(range) => {
                let first = channel[range.start];
                first + channel[range.clone()].iter().map(|value| value - first).sum::<f64>() / range.len() as f64
            }
            Place::Around(time) => {
                let nearest = time.round().max(0.0) as usize;
                let around = nearest.saturating_sub(2)..(nearest + 3).min(channel.len());
                let weight = |frame: usize| (-0.5 * ((frame as f64 - time) / INSERTED_WIDTH).powi(2)).exp();
                let total: f64 = around.clone().map(weight).sum();
                let first = channel[around.start];
                first + around.map(|frame| weight(frame) * (channel[frame] - first)).sum::<f64>() / total
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use surefoot_contact::{WalkerOptions, synthetic_walk};

    fn walk() -> Curves {
        Curves::read(&synthetic_walk(&WalkerOptions { n_steps: 2, ..WalkerOptions::default() }).take.clip)
    }

    #[test]
    fn equal_times_change_nothing() {
        let curves = walk();
        let n = curves.n_frames();
        assert!(apply_warp(&curves, &TimeWarp::linear(n, n), n, curves.frame_rate) == curves);
        assert!(apply_path(&curves, &Correspondence::straight([n, n], &[])) == curves);
    }

    #[test]
    fn substitution_deletion_and_insertion_are_the_papers() {
        let curves = walk();
        // A:  0  1  1  1  2  3  4  5  6
        // B:  0  1  2  3  4  4  4  5  6
        let a = [0, 1, 1, 1, 2, 3, 4, 5, 6];
        let b = [0, 1, 2, 3, 4, 4, 4, 5, 6];
        let path = Correspondence::of(a.into_iter().zip(b).map(|(a, b)| [a, b]).collect());
        let warped = apply_path(&curves, &path);
        assert_eq!(warped.n_frames(), 7);
        for channel in 0..curves.tracks().len() {
            let (from, to) = (curves.channel(channel), warped.channel(channel));
            for (frame, same) in [(0, 0), (5, 5), (6, 6)] {
                assert_eq!(to[frame], from[same]);
            }
            assert!((to[1] - (from[1] + from[2] + from[3]) / 3.0).abs() < 1e-12);
            // Three means around sample 4, whose centres move from before it to after it: of a straight line, they move
            // along it.
            let straight: Vec<f64> = (0..7).map(f64::from).collect();
            let centres = [2, 3, 4].map(|frame| Place::of(frame, &path.of_each_a()).read(&straight));
            assert!(3.5 < centres[0] && centres[0] < centres[1] && centres[1] < centres[2] && centres[2] < 4.5);
            assert!((centres[1] - 4.0).abs() < 1e-12);
            let (low, high) = from[2..7].iter().fold((f64::MAX, f64::MIN), |(l, h), x| (l.min(*x), h.max(*x)));
            assert!(to[2..5].iter().all(|value| (low - 1e-12..=high + 1e-12).contains(value)));
        }
    }

    #[test]
    fn a_warp_moves_movement_in_time() {
        let curves = walk();
        let n = curves.n_frames();
        let slow = apply_warp(&curves, &TimeWarp::linear(2 * n - 1, n), 2 * n - 1, 30.0);
        assert_eq!((slow.n_frames(), slow.frame_rate), (2 * n - 1, 30.0));
        for channel in 0..curves.tracks().len() {
            for frame in 0..n {
                assert_eq!(slow.channel(channel)[2 * frame], curves.channel(channel)[frame]);
            }
        }
    }
}
