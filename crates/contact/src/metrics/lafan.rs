//! The three errors of the LaFAN1 benchmark: L2P, L2Q and NPSS.
//!
//! References: Harvey et al. 2020, "Robust motion in-betweening", and its released benchmark, for L2P and L2Q; Gopalakrishnan et al.
//! 2019, "A neural temporal model for human motion prediction", for NPSS.
//!
//! - L2Q: the four components of every joint's global quaternion make one vector for each frame; the length of the difference of two
//!   such vectors, mean over frames.
//! - L2P: the same of the three coordinates of global positions, each made z-scores first.
//! - NPSS: for each component of the global quaternions the squares of the real parts of its discrete Fourier transform over time
//!   make a spectrum, which is divided by its sum. The distance of two spectra is the sum of the absolute differences of their
//!   running sums (the earth mover's distance in one dimension); the result is the mean over components, weighted by the reference's
//!   power in each.
//!
//! Departures. The benchmark's means and deviations for z-scores are those of its training set; a single clip has none, so they are
//! the reference's own over its compared frames, and a coordinate that moves less than a micrometre is left out. The benchmark
//! trusts that quaternions of both motions have the same signs; we choose the reference's signs continuous in time, and the
//! motion's nearest to them. Components without power are left out of NPSS rather than giving NaN.
//!
//! Limits: L2P depends on the clip's own spread, so metrics of different clips do not compare; NPSS forgets phases and sees no
//! difference between a motion and its time-shifted copy.

use super::reconstruction::PairedMotion;
use surefoot_geom::rotation::{make_continuous, same_hemisphere};
use surefoot_geom::{Fourier, Quat, Vec2};

/// A coordinate with a smaller standard deviation than this, in metres, is constant: dividing by it would make noise large.
const MIN_DEVIATION: f64 = 1e-6;

/// Power below this, per frame squared, is rounding.
const MIN_POWER: f64 = 1e-20;

/// The errors of the LaFAN1 benchmark; plain numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct LafanErrors {
    /// Of positions; `None` if nothing in the reference moves.
    pub l2p: Option<f64>,
    /// Of rotations; `None` without joints or frames.
    pub l2q: Option<f64>,
    /// Of spectra; `None` without power.
    pub npss: Option<f64>,
}

/// Compares two motions of the same joints and frames.
pub(super) fn measure_lafan(motion: &PairedMotion, reference: &PairedMotion) -> LafanErrors {
    let theirs = continuous(&reference.rotations);
    let mine = in_hemispheres(&motion.rotations, &theirs);
    LafanErrors { l2p: l2p(motion, reference), l2q: l2q(&mine, &theirs), npss: npss(&mine, &theirs) }
}

/// Rotations by joint, then by frame, with signs continuous in time.
fn continuous(frames: &[Vec<Quat>]) -> Vec<Vec<Quat>> {
    let n_joints = frames.first().map_or(0, Vec::len);
    (0..n_joints)
        .map(|joint| {
            let mut track: Vec<Quat> = frames.iter().map(|frame| frame[joint]).collect();
            make_continuous(&mut track);
            track
        })
        .collect()
}

/// Rotations by joint, then by frame, with the signs that lie nearest to the reference's.
fn in_hemispheres(frames: &[Vec<Quat>], reference: &[Vec<Quat>]) -> Vec<Vec<Quat>> {
    let track = |(joint, theirs): (usize, &Vec<Quat>)| {
        frames.iter().zip(theirs).map(|(frame, &theirs)| same_hemisphere(frame[joint], theirs)).collect()
    };
    reference.iter().enumerate().map(track).collect()
}

fn l2q(mine: &[Vec<Quat>], theirs: &[Vec<Quat>]) -> Option<f64> {
    let n_frames = theirs.first()?.len();
    let squared = |frame: usize| -> f64 {
        mine.iter().zip(theirs).map(|(mine, theirs)| (mine[frame] - theirs[frame]).length_squared()).sum()
    };
    (n_frames > 0).then(|| (0..n_frames).map(|frame| squared(frame).sqrt()).sum::<f64>() / n_frames as f64)
}

fn l2p(motion: &PairedMotion, reference: &PairedMotion) -> Option<f64> {
    let n_frames = reference.positions.len();
    let n_joints = reference.positions.first()?.len();
    let mut squares = vec![0.0; n_frames];
    let mut n_moving = 0_usize;
    for joint in 0..n_joints {
        for axis in 0..3 {
            let coordinate = |motion: &PairedMotion, frame: usize| motion.positions[frame][joint][axis];
            let theirs: Vec<f64> = (0..n_frames).map(|frame| coordinate(reference, frame)).collect();
            let deviation = standard_deviation(&theirs);
            if deviation < MIN_DEVIATION {
                continue;
            }
            n_moving += 1;
            for (frame, square) in squares.iter_mut().enumerate() {
                // The mean cancels in the difference of two z-scores.
                *square += ((coordinate(motion, frame) - theirs[frame]) / deviation).powi(2);
            }
        }
    }
    (n_moving > 0).then(|| squares.iter().map(|square| square.sqrt()).sum::<f64>() / n_frames as f64)
}

/// Of all values, not of a sample of them.
fn standard_deviation(values: &[f64]) -> f64 {
    let mean = values.iter().sum::<f64>() / values.len() as f64;
    (values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / values.len() as f64).sqrt()
}

fn npss(mine: &[Vec<Quat>], theirs: &[Vec<Quat>]) -> Option<f64> {
    let fourier = Fourier::new(theirs.first().map_or(0, Vec::len));
    let (mut weighted, mut total) = (0.0, 0.0);
    for (mine, theirs) in mine.iter().zip(theirs) {
        for component in 0..4 {
            let pair = |(mine, theirs): (&Quat, &Quat)| [mine, theirs].map(|q| q.to_array()[component]);
            let [mine, theirs] = real_powers(mine.iter().zip(theirs).map(pair).map(Vec2::from), &fourier);
            let floor = MIN_POWER * (theirs.len() as f64).powi(2);
            let [my_sum, their_sum] = [&mine, &theirs].map(|power| power.iter().sum::<f64>());
            if my_sum > floor && their_sum > floor {
                weighted += their_sum * running_distance(&mine, my_sum, &theirs, their_sum);
                total += their_sum;
            }
        }
    }
    (total > 0.0).then(|| weighted / total)
}

/// Of two tracks, the squares of the real parts of all coefficients of their discrete Fourier transforms. Both are transformed at
/// once, as real and imaginary parts of one: a real track's coefficients `k` and `n - k` are conjugates, so that half the sum of these
/// two has the real parts of the one track's and of the other's.
fn real_powers(tracks: impl Iterator<Item = Vec2>, fourier: &Fourier) -> [Vec<f64>; 2] {
    let mut both: Vec<Vec2> = tracks.collect();
    fourier.transform(&mut both);
    let n = both.len();
    let real = |track: usize| (0..n).map(|k| ((both[k][track] + both[(n - k) % n][track]) / 2.0).powi(2)).collect();
    [real(0), real(1)]
}

/// The earth mover's distance of two spectra of sum 1.
fn running_distance(a: &[f64], a_sum: f64, b: &[f64], b_sum: f64) -> f64 {
    let (mut difference, mut distance) = (0.0_f64, 0.0);
    for (a, b) in a.iter().zip(b) {
        difference += a / a_sum - b / b_sum;
        distance += difference.abs();
    }
    distance
}
