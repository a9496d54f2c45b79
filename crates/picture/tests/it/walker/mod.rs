//! The synthetic walk, cut to a number of frames.

use surefoot_contact::{SyntheticWalk, WalkerOptions, slice_take, synthetic_walk};

/// The first `n_frames` of a walk that is long enough, with the contacts in them.
pub(crate) fn walker(n_frames: usize, frame_rate: f64) -> SyntheticWalk {
    let usual = WalkerOptions::default();
    let seconds = n_frames as f64 / frame_rate;
    // Each step takes the same time, and standing comes on top.
    let n_steps = (seconds * usual.cadence).ceil() as usize + 2;
    let mut walk = synthetic_walk(&WalkerOptions { n_steps, frame_rate, ..usual });
    walk.take = slice_take(&walk.take, 0..n_frames).expect("the walk is long enough");
    walk
}
