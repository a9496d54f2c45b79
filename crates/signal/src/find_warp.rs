//! The warp between two clips, from their movement.
//!
//! Reference: SIGNAL 5.2.2: the timewarping is "done simultaneously for all 70 rotational degrees of freedom".
//!
//! 1. Both clips become channels at one rate: the rotations of all joints that have weight. The root trajectory is left
//!    out, for it grows with time and says nothing about phases.
//! 2. `correspond` finds which samples correspond.
//! 3. How far corresponding samples differ, joint by joint, is measured along the warp so found. Two takes of one
//!    movement differ by next to nothing and can be matched to the sample; two persons hold themselves differently and
//!    swing their arms as they like. So from the channels of B a constant is taken, the weight of each joint is divided by
//!    the variance of what is left of the difference, and values count the more beside stretching the more of the
//!    movement they explain.
//! 4. `correspond` finds again, and the path is fitted to where values agree (`fit_warp.rs`), misfits being measured
//!    again before each of three rounds.
//!
//! How exact: of 336 copies of recorded walks whose time was distorted, with slopes from 1/2 to 2 and also at other
//! frame rates, 334 are found within 0.8 frames everywhere, and their largest misses are 0.2 frames on average. Strikes
//! and lift-offs of different persons' walks, distorted too, are met to about 30 ms: as near as those of walks that were
//! not distorted are to an even pace.
//!
//! Departures from the paper: values are compared, not shape alone (see `correspond`); steps 3 and 4 are new.
//! With [`FindWarpOptions::paper`] the path is the paper's, and the warp is the path smoothed (`smooth_path.rs`).

use crate::correspond::correspond_roughly;
use crate::fit_warp::{ChannelPair, fit_ahead};
use crate::smooth_path::Ahead;
use crate::{
    CorrespondOptions, Correspondence, Curves, Quantity, Reference, Selection, TimeWarp, WarpError, correspond,
};
use surefoot_geom::{Mat3, Vec3, rotation};
use surefoot_motion::{JointId, Skeleton, count_frames};

/// How much each joint counts.
#[derive(Clone, Debug, PartialEq)]
pub struct JointWeights {
    weights: Vec<f64>,
}

impl JointWeights {
    /// All joints alike.
    pub fn even(skeleton: &Skeleton) -> JointWeights {
        JointWeights { weights: vec![1.0; skeleton.n_joints()] }
    }

    /// The joints of a selection alike, and no others.
    pub fn only(skeleton: &Skeleton, selection: &Selection) -> JointWeights {
        JointWeights { weights: vec![0.0; skeleton.n_joints()] }.with(selection, 1.0)
    }

    /// With another weight, from 0, for the joints of a selection.
    pub fn with(mut self, selection: &Selection, weight: f64) -> JointWeights {
        selection.joints().for_each(|joint| self.weights[joint.index()] = weight);
        self
    }
}

/// How a warp is found.
#[derive(Clone, Debug, PartialEq)]
pub struct FindWarpOptions {
    /// How samples are compared. Anchors are pairs of frames of the clips, whatever their rates.
    pub correspond: CorrespondOptions,
    /// What becomes of the path.
    pub finish: Finish,
}

/// How a path between samples becomes a warp between times.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Finish {
    /// The path is smoothed; all joints count as their weights say.
    Smooth {
        /// The standard deviation of a Gaussian in seconds, from 0. 0.03 hides at 120 Hz that samples are whole; a
        /// tenth of a second misses changes of pace within a step.
        seconds: f64,
    },
    /// Joints count by how well they can be matched, and the path is moved to where values agree best.
    Fit {
        /// How fast the pace may change: the usual change, within a second, of the difference of both paces over their
        /// sum; more than
        /// 0. With 5, copies are matched to a tenth of a frame while a noisy match stays even; 1 is stiff, 20 follows
        ///    noise.
        pace_change: f64,
    },
}

impl Default for FindWarpOptions {
    fn default() -> FindWarpOptions {
        FindWarpOptions { correspond: CorrespondOptions::default(), finish: Finish::Fit { pace_change: 5.0 } }
    }
}

impl FindWarpOptions {
    /// The paper's cost for all joints as they are; only the warp beside the path is smooth.
    pub fn paper() -> FindWarpOptions {
        FindWarpOptions { correspond: CorrespondOptions::paper(), finish: Finish::Smooth { seconds: 0.03 } }
    }

    /// Names the field that cannot be used.
    pub fn check(&self) -> Result<(), WarpError> {
        self.correspond.check()?;
        let (field, value, wanted) = match self.finish {
            Finish::Smooth { seconds } if !(seconds.is_finite() && seconds >= 0.0) => {
                ("seconds", seconds, "a number of seconds from 0")
            }
            Finish::Fit { pace_change } if !(pace_change.is_finite() && pace_change > 0.0) => {
                ("pace_change", pace_change, "a number above 0")
            }
            _ => return Ok(()),
        };
        Err(WarpError::Option { field, value, wanted })
    }
}

/// A warp between two clips.
#[derive(Clone, Debug, PartialEq)]
pub struct FoundWarp {
    /// Which time of B belongs to each of A, each in its own frames.
    pub warp: TimeWarp,
    /// Which samples correspond: frames of A, and samples of B at A's rate, which are its frames if the rates are the
    /// same.
    pub path: Correspondence,
    /// What the path costs in a second.
    pub cost: f64,
}

/// B may become this many times its frames at the rate of A, and as many samples as the second number in any case: clips of
/// wholly different rates would ask for any number.
const MAX_GROWTH: usize = 128;
const ALWAYS_SAMPLES: usize = 1 << 15;
/// Paths are smoothed by this before misfits are measured along them.
const ROUGH_SECONDS: f64 = 0.03;
/// How often misfits are measured and the path is fitted: along a fitted path they are less than along one of samples.
const N_FITS: usize = 3;
/// A fitted warp is smooth; this smooths the corners where it meets the limit of slopes.
const FITTED_FRAMES: f64 = 1.0;
/// The ratio of movement to misfit for which the weight of values is meant: that of two persons' walks.
const USUAL_RATIO: f64 = 2.5;
/// No misfit is trusted to be less than this share of a movement's variance: cubics through samples miss about as much.
const LEAST_MISFIT: f64 = 1e-5;
/// Joints that move less than this, in radians, are frozen.
const FROZEN: f64 = 1e-4;

/// Finds which time of B belongs to each of A, from the rotations of all joints that have weight; not from the root
/// trajectory. Clips without such rotations, or of one frame, belong to each other at an even pace. Panics if the
/// numbers of joints differ.
pub fn find_warp(
    a: &Curves,
    b: &Curves,
    weights: &JointWeights,
    options: &FindWarpOptions,
) -> Result<FoundWarp, WarpError> {
    let n_joints = a.skeleton.n_joints();
    assert!(b.skeleton.n_joints() == n_joints && weights.weights.len() == n_joints, "clips of one skeleton");
    options.check()?;
    let frames_per_sample = frames_per_sample(b, a.frame_rate);
    let sampled;
    let b_at_rate = if frames_per_sample == 1.0 {
        b
    } else {
        let n_samples = count_frames((last_frame(b) / frames_per_sample).round()) + 1;
        let max_samples = b.n_frames().saturating_mul(MAX_GROWTH).max(ALWAYS_SAMPLES);
        if n_samples > max_samples {
            let [n_pairs, max_pairs] = [n_samples, max_samples].map(|n| n.saturating_mul(a.n_frames()));
            return Err(WarpError::TooLong { n_frames: [a.n_frames(), n_samples], n_pairs, max_pairs });
        }
        sampled = b.sample(&(0..n_samples).map(|sample| sample as f64 * frames_per_sample).collect::<Vec<f64>>());
        &sampled
    };
    let mut matching = options.correspond.clone();
    for anchor in &mut matching.anchors {
        anchor[1] = (anchor[1] as f64 / frames_per_sample).round() as usize;
    }
    let max_slope = matching.max_slope.map_or(f64::INFINITY, |slope| slope as f64);

    let mut channels = Channels::of(a, b_at_rate, weights);
    if channels.are_still() {
        let n_frames = channels.n_frames.map(|n| n.max(1));
        matching.check_anchors(n_frames)?;
        let path = Correspondence::straight(n_frames, &matching.anchors);
        let warp = path.to_warp(FITTED_FRAMES, max_slope, &matching.anchors);
        return Ok(FoundWarp { warp: in_frames(&warp, frames_per_sample, b)?, path, cost: 0.0 });
    }
    let (path, warp) = match options.finish {
        Finish::Smooth { seconds } => {
            let path = channels.correspond(a.frame_rate, &matching)?;
            let warp = path.to_warp(seconds * a.frame_rate, max_slope, &matching.anchors);
            (path, warp)
        }
        Finish::Fit { pace_change } => {
            let first = channels.warp_roughly(a.frame_rate, &matching)?;
            matching.value *= channels.weigh_by_misfit(&first) / USUAL_RATIO;
            let path = channels.correspond(a.frame_rate, &matching)?;
            let mut warp = path.to_warp(ROUGH_SECONDS * a.frame_rate, max_slope, &matching.anchors);
            let mut ahead = Ahead::of(&path, &matching.anchors);
            for _ in 0..N_FITS {
                channels.weigh_by_misfit(&warp);
                fit_ahead(&mut ahead, &channels.pairs(), a.frame_rate, pace_change);
                warp = ahead.to_warp(FITTED_FRAMES, max_slope);
            }
            (path, warp)
        }
    };
    let cost = path.cost * a.frame_rate / path.pairs().len().max(1) as f64;
    Ok(FoundWarp { warp: in_frames(&warp, frames_per_sample, b)?, path, cost })
}

/// A warp to samples as one to frames.
fn in_frames(warp: &TimeWarp, frames_per_sample: f64, b: &Curves) -> Result<TimeWarp, WarpError> {
    if frames_per_sample == 1.0 {
        return Ok(warp.clone());
    }
    // Rounding must not lead past the last frame.
    let frame = |sample: f64| (sample * frames_per_sample).min(last_frame(b));
    TimeWarp::from_knots(warp.knots().iter().map(|&[time_a, sample]| [time_a, frame(sample)]).collect())
}

fn last_frame(curves: &Curves) -> f64 {
    curves.n_frames().saturating_sub(1) as f64
}

/// How many frames of a clip pass from a sample to the next at about another rate, such that the last frame is a
/// sample.
fn frames_per_sample(curves: &Curves, rate: f64) -> f64 {
    let n_steps = (last_frame(curves) * rate / curves.frame_rate).round();
    if n_steps >= 1.0 { last_frame(curves) / n_steps } else { 1.0 }
}

/// What is compared of two clips.
struct Channels {
    n_frames: [usize; 2],
    joints: Vec<JointChannels>,
}

/// The channels of a joint in both clips.
struct JointChannels {
    a: Vec<Vec<f64>>,
    b: Vec<Vec<f64>>,
    /// As given.
    given: f64,
    /// As used.
    weight: f64,
}

impl Channels {
    fn of(a: &Curves, b: &Curves, weights: &JointWeights) -> Channels {
        let mut joints = Vec::new();
        for track in a.tracks().iter().filter(|track| track.quantity == Quantity::Rotation(0)) {
            let (joint, weight) = (track.joint, weights.weights[track.joint.index()]);
            let both = [a, b];
            let [Some(channel_a), Some(channel_b)] = both.map(|curves| curves.rotation_channels(joint)) else {
                continue;
            };
            let [a, b] = if are_comparable(a.reference(joint), b.reference(joint)) {
                [(a, channel_a), (b, channel_b)].map(|(curves, channel)| {
                    (channel..channel + 3).map(|channel| curves.channel(channel).to_vec()).collect()
                })
            } else {
                both.map(|curves| matrix_channels(curves, joint))
            };
            joints.push(JointChannels { a, b, given: weight, weight });
        }
        Channels { n_frames: [a.n_frames(), b.n_frames()], joints }
    }

    /// Whether no joint that has weight moves in both clips: nothing to be matched.
    fn are_still(&self) -> bool {
        let movement = |channels: &[Vec<f64>]| channels.iter().map(|channel| mean_and_variance(channel).1).sum::<f64>();
        let moves =
            |joint: &JointChannels| [&joint.a, &joint.b].iter().all(|channels| movement(channels) > FROZEN * FROZEN);
        !self.joints.iter().any(|joint| joint.weight != 0.0 && moves(joint))
    }

    /// All channels of A, of B, and their weights.
    fn slices(&self) -> (Vec<&[f64]>, Vec<&[f64]>, Vec<f64>) {
        let a = self.joints.iter().flat_map(|joint| joint.a.iter().map(Vec::as_slice)).collect();
        let b = self.joints.iter().flat_map(|joint| joint.b.iter().map(Vec::as_slice)).collect();
        let weights = self.joints.iter().flat_map(|joint| vec![joint.weight; joint.a.len()]).collect();
        (a, b, weights)
    }

    fn correspond(&self, frame_rate: f64, options: &CorrespondOptions) -> Result<Correspondence, WarpError> {
        let (a, b, weights) = self.slices();
        correspond(&a, &b, &weights, frame_rate, options)
    }

    /// A warp good enough to measure misfits along it, from a path at a lower rate.
    fn warp_roughly(&self, frame_rate: f64, options: &CorrespondOptions) -> Result<TimeWarp, WarpError> {
        let (a, b, weights) = self.slices();
        let (path, n_samples) = correspond_roughly(&a, &b, &weights, frame_rate, options)?;
        let warp = path.to_warp(ROUGH_SECONDS * frame_rate / n_samples as f64, f64::INFINITY, &[]);
        let knots = warp.knots().iter().map(|knot| knot.map(|time| time * n_samples as f64));
        TimeWarp::from_knots(knots.collect())
    }

    /// The channels with weight, whose weights are one over the variance of differences.
    fn pairs(&self) -> Vec<ChannelPair<'_>> {
        let joints: Vec<&JointChannels> = self.joints.iter().filter(|joint| joint.weight > 0.0).collect();
        let mean = joints.iter().map(|joint| joint.given).sum::<f64>() / joints.len() as f64;
        let mut pairs = Vec::new();
        for joint in joints {
            let weight = joint.weight / mean;
            pairs.extend(joint.a.iter().zip(&joint.b).map(|(a, b)| ChannelPair { a, b, weight }));
        }
        pairs
    }

    /// Takes from each channel of B how far it is off on average along a warp, divides the weights of joints by the
    /// variance of what is left, and returns how many times larger the variance of the movement is, on average.
    fn weigh_by_misfit(&mut self, warp: &TimeWarp) -> f64 {
        let times: Vec<f64> = (0..self.n_frames[0]).map(|frame| warp.b_at(frame as f64)).collect();
        let (mut ratios, mut total) = (0.0, 0.0);
        for joint in &mut self.joints {
            let (mut misfit, mut movement) = (0.0, 0.0);
            for (a, b) in joint.a.iter().zip(&mut joint.b) {
                let warped: Vec<f64> = times.iter().map(|time| read_at(b, *time)).collect();
                let off: Vec<f64> = warped.iter().zip(a).map(|(b, a)| b - a).collect();
                let [(_, in_a), (_, in_b), (mean, in_off)] =
                    [a, &warped, &off].map(|channel| mean_and_variance(channel));
                misfit += in_off;
                movement += (in_a + in_b) / 2.0;
                b.iter_mut().for_each(|value| *value -= mean);
            }
            let misfit = misfit + LEAST_MISFIT * movement;
            joint.weight = if movement > FROZEN * FROZEN { joint.given / misfit } else { 0.0 };
            ratios += joint.weight * movement;
            total += if joint.weight > 0.0 { joint.given } else { 0.0 };
        }
        if total > 0.0 { ratios / total } else { USUAL_RATIO }
    }
}

fn mean_and_variance(channel: &[f64]) -> (f64, f64) {
    let n = channel.len().max(1) as f64;
    let mean = channel.iter().sum::<f64>() / n;
    (mean, channel.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / n)
}

/// A channel between its frames, on a straight line.
fn read_at(channel: &[f64], time: f64) -> f64 {
    let frame = (time as usize).min(channel.len() - 1);
    let next = channel[(frame + 1).min(channel.len() - 1)];
    channel[frame] + (next - channel[frame]) * (time - frame as f64)
}

/// Whether rotation vectors about both references mean the same.
fn are_comparable(a: &Reference, b: &Reference) -> bool {
    !matches!(a, Reference::Local(_)) && a == b
}

/// Two columns of a joint's rotation matrix over time, which are comparable whatever the rotations are measured from;
/// such that a small turn changes them by as much as it changes a rotation vector, on average over its axes.
fn matrix_channels(curves: &Curves, joint: JointId) -> Vec<Vec<f64>> {
    let first = curves.rotation_channels(joint).expect("the caller has looked");
    let scale = 0.75f64.sqrt();
    let mut channels = vec![Vec::new(); 6];
    for frame in 0..curves.n_frames() {
        let [x, y, z] = [0, 1, 2].map(|k| curves.channel(first + k)[frame]);
        let matrix = Mat3::from_quat(curves.reference_at(joint, frame) * rotation::exp_map(Vec3::new(x, y, z)));
        let numbers = matrix.x_axis.to_array().into_iter().chain(matrix.y_axis.to_array());
        channels.iter_mut().zip(numbers).for_each(|(channel, number)| channel.push(number * scale));
    }
    channels
}

#[cfg(test)]
mod tests {
    use super::*;
    use surefoot_contact::{WalkerOptions, synthetic_walk};
    use surefoot_motion::{Clip, Poses};

    fn walk(n_steps: usize, cadence: f64) -> Clip {
        synthetic_walk(&WalkerOptions { n_steps, cadence, standing: 0.0, ..WalkerOptions::default() }).take.clip
    }

    /// A clip read at other times, at another rate.
    fn at_times(clip: &Clip, rate: f64, times: &[f64]) -> Clip {
        let mut curves = Curves::read(clip).sample(times);
        curves.frame_rate = rate;
        curves.to_clip("copy")
    }

    /// The warp onto a copy of a clip leads to the times it was read at, within a frame of the lower rate.
    fn check_copy(clip: &Clip, rate: f64, times: &[f64], weights: &JointWeights) {
        let copy = at_times(clip, rate, times);
        let curves = Curves::read_all(&[clip, &copy]);
        let found = find_warp(&curves[0], &curves[1], weights, &FindWarpOptions::default()).unwrap();
        let frame = (clip.frame_rate / rate).max(1.0);
        for (sample, time) in times.iter().enumerate() {
            let a = found.warp.a_at(sample as f64);
            assert!((a - time).abs() < 0.5 * frame, "sample {sample} at {a} instead of {time}");
        }
        assert_eq!(found.warp.knots()[found.warp.knots().len() - 1][1], (times.len() - 1) as f64);
    }

    #[test]
    fn copies_at_another_pace_are_found_within_half_a_frame() {
        let clip = walk(6, 1.8);
        let last = (clip.n_frames() - 1) as f64;
        for (rate, n) in [(60.0, clip.n_frames() + 20), (120.0, 2 * clip.n_frames()), (30.0, clip.n_frames() / 2 + 9)] {
            // The pace swings by half around its mean.
            let place = |u: f64| last * (u + 0.05 * (u * std::f64::consts::TAU * 2.0).sin() / 2.0);
            let times: Vec<f64> = (0..n).map(|k| place(k as f64 / (n - 1) as f64)).collect();
            let weights = JointWeights::even(&clip.skeleton);
            check_copy(&clip, rate, &times, &weights);
        }
    }

    #[test]
    fn walks_at_other_cadences_meet_step_by_step() {
        let (slow, fast) = (walk(6, 1.4), walk(6, 2.1));
        let curves = Curves::read_all(&[&slow, &fast]);
        let found = find_warp(&curves[0], &curves[1], &JointWeights::even(&slow.skeleton), &FindWarpOptions::default());
        let warp = found.unwrap().warp;
        // Footprints are laid at even times: the warp should be nearly straight.
        let straight = TimeWarp::linear(slow.n_frames(), fast.n_frames());
        for frame in 0..slow.n_frames() {
            let (b, wanted) = (warp.b_at(frame as f64), straight.b_at(frame as f64));
            assert!((b - wanted).abs() < 4.0, "frame {frame}: {b} instead of {wanted}");
        }
    }

    #[test]
    fn curves_read_apart_are_comparable() {
        let (a, b) = (walk(4, 1.6), walk(4, 1.9));
        let weights = JointWeights::even(&a.skeleton);
        let together = Curves::read_all(&[&a, &b]);
        let options = FindWarpOptions::default();
        let one = find_warp(&together[0], &together[1], &weights, &options).unwrap();
        let other = find_warp(&Curves::read(&a), &Curves::read(&b), &weights, &options).unwrap();
        for frame in 0..a.n_frames() {
            let frame = frame as f64;
            assert!((one.warp.b_at(frame) - other.warp.b_at(frame)).abs() < 3.0);
        }
    }

    #[test]
    fn one_frame_still_joints_and_no_weight_are_handled() {
        let clip = walk(3, 1.8);
        let skeleton = clip.skeleton.clone();
        let one = clip.with_poses(clip.poses().slice(0..1));
        let none = clip.with_poses(Poses::default());
        let still = clip.with_poses(Poses::repeat(clip.pose(7), 30));
        let even = JointWeights::even(&skeleton);
        let nothing = JointWeights::only(&skeleton, &Selection::of_joints(&skeleton, []));
        for options in [FindWarpOptions::default(), FindWarpOptions::paper()] {
            for (a, b, weights) in [
                (&clip, &one, &even),
                (&one, &clip, &even),
                (&none, &clip, &even),
                (&clip, &none, &even),
                (&clip, &still, &even),
                (&still, &still, &even),
                (&clip, &clip, &nothing),
            ] {
                let curves = Curves::read_all(&[a, b]);
                let found = find_warp(&curves[0], &curves[1], weights, &options).unwrap();
                let straight = TimeWarp::linear(a.n_frames(), b.n_frames());
                for frame in 0..a.n_frames() {
                    let frame = frame as f64;
                    let off = found.warp.b_at(frame) - straight.b_at(frame);
                    assert!(off.abs() < 1.0, "{} and {} frames: {off}", a.n_frames(), b.n_frames());
                }
            }
        }
    }

    #[test]
    fn anchors_are_frames_of_the_clips() {
        let clip = walk(4, 1.8);
        let times: Vec<f64> = (0..2 * clip.n_frames() - 1).map(|k| k as f64 / 2.0).collect();
        let copy = at_times(&clip, 120.0, &times);
        let curves = Curves::read_all(&[&clip, &copy]);
        let anchors = vec![[40, 84], [90, 176]];
        let mut options = FindWarpOptions::default();
        options.correspond.anchors = anchors.clone();
        let found = find_warp(&curves[0], &curves[1], &JointWeights::even(&clip.skeleton), &options).unwrap();
        for [a, b] in anchors {
            assert!((found.warp.b_at(a as f64) - b as f64).abs() < 1e-9, "{a} leads to {}", found.warp.b_at(a as f64));
        }
    }

    #[test]
    fn options_out_of_range_are_named() {
        let curves = Curves::read(&walk(1, 1.8));
        let weights = JointWeights::even(&curves.skeleton);
        for (finish, wanted) in [
            (Finish::Smooth { seconds: -1.0 }, "`seconds` is -1; a number of seconds from 0"),
            (Finish::Fit { pace_change: 0.0 }, "`pace_change` is 0; a number above 0"),
        ] {
            let options = FindWarpOptions { finish, ..FindWarpOptions::default() };
            let error = find_warp(&curves, &curves, &weights, &options).unwrap_err().to_string();
            assert!(error.starts_with(wanted), "{error}");
        }
        let everything = Selection::all(&curves.skeleton);
        let error = find_warp(&curves, &curves, &weights.with(&everything, -2.0), &FindWarpOptions::default());
        assert!(matches!(error, Err(WarpError::Weight { weight: -2.0, .. })), "{error:?}");
    }
}
