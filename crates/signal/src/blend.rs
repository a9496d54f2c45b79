//! Multitarget interpolation: one clip made of several, each with its own share.
//!
//! Reference: SIGNAL 5.2.1 (figures 5.4 to 5.7), 5.5, and the first half of 5.6.
//!
//! Idea: channels of several clips are added up, each with a weight that may change over time, by joint group and by frequency
//! band. Clips first need a correspondence in time, or feet strike twice: each clip after the first comes with a
//! [`TimeWarp`] from the first. How much each clip gives to the *movement* and how much to the *timing* are two things
//! (SIGNAL 5.6): A's movement at half of B's pace is movement (1, 0) and timing (0.5, 0.5).
//!
//! Steps:
//! 1. the timing weights make the output's time: while the first clip passes a frame, the output passes the weighted sum of
//!    what all clips pass. So each frame of the output has a time in each clip. What one of the clips has nothing for
//!    (a warp need not reach the ends) is left out;
//! 2. each clip's channels are read at these times, split into bands where weights differ by band (figure 5.5), and added up;
//! 3. the root trajectory is added up by steps (`root_trajectory.rs`): clips that walk in different directions or at different
//!    speeds need no alignment beforehand, and the result begins where the first clip does.
//!
//! Weights are shares: they are divided by their sum at every moment, may be negative (less than nothing of a clip is a
//! caricature of the others), and may not cancel. Timing weights below zero count as zero, for time does not run backward.

use crate::amount::Amount;
use crate::bands::{Bands, Edge, count_bands};
use crate::curves::{Curves, Reference};
use crate::root_trajectory::{RootStep, RootTrajectory};
use crate::selection::Selection;
use crate::time_warp::{TimeWarp, WarpError};
use std::ops::RangeInclusive;
use surefoot_geom::{Quat, Vec2, rotation};

/// How frames of the clips correspond.
#[derive(Clone, Copy, Debug)]
pub enum Registration<'a> {
    /// Frame by frame as they are, for as long as the shortest: what SIGNAL's figures show as the wrong method.
    Frames,
    /// By a warp from the first clip to each of the others, in order.
    Warped(&'a [TimeWarp]),
}

/// Weights for some channels or bands, in place of the general ones.
#[derive(Clone, Debug, PartialEq)]
pub struct PartWeights {
    /// Which channels; `None` is all.
    pub selection: Option<Selection>,
    /// Which bands, 0 the fastest; the number of bands itself is what is left below all bands. `None` is all.
    pub bands: Option<RangeInclusive<usize>>,
    /// One for each clip.
    pub weights: Vec<Amount>,
}

/// What to add up. Times are seconds of the first clip.
#[derive(Clone, Debug, PartialEq)]
pub struct BlendOptions {
    /// The share of each clip in the movement.
    pub weights: Vec<Amount>,
    /// Shares for parts of the movement; later ones win.
    pub parts: Vec<PartWeights>,
    /// The share of each clip in the timing. Default (`None`): as in the movement. Without meaning for [`Registration::Frames`].
    pub timing: Option<Vec<Amount>>,
    /// How bands are computed at the ends of a clip; only where weights differ by band.
    pub edge: Edge,
}

impl BlendOptions {
    /// Constant shares.
    pub fn constant(weights: &[f64]) -> BlendOptions {
        let weights = weights.iter().copied().map(Amount::constant).collect();
        BlendOptions { weights, parts: Vec::new(), timing: None, edge: Edge::Reflected }
    }
}

/// A clip made of several.
#[derive(Clone, Debug, PartialEq)]
pub struct Blend {
    /// The movement.
    pub curves: Curves,
    /// For each clip, its time in frames at each frame of the result.
    pub times: Vec<Vec<f64>>,
    /// For each clip, its share in the movement at each frame of the result.
    pub shares: Vec<Vec<f64>>,
}

/// Why clips cannot be blended.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum BlendError {
    /// Fewer than one clip.
    #[error("there is no clip to blend")]
    NoClips,
    /// A clip without frames.
    #[error("clip {index} has no frames")]
    NoFrames {
        /// Counted from 0.
        index: usize,
    },
    /// Curves that were not read together.
    #[error("clip {index} has other channels than the first; read clips of one skeleton together")]
    Channels {
        /// Counted from 0.
        index: usize,
    },
    /// A frame rate that is none.
    #[error("clip {index} has {rate} frames per second; {} to {} would do", FRAME_RATES.start(), FRAME_RATES.end())]
    FrameRate {
        /// Counted from 0.
        index: usize,
        /// Its rate.
        rate: f64,
    },
    /// More pairs of frames than can be compared in reasonable time.
    #[error(
        "a cut looked for within {frames} and {next_frames} frames takes {work:.1e} comparisons of joints; at most {limit:.1e} are made. \
         A nearer cut, or a shorter zone, would do"
    )]
    TooMuchWork {
        /// Of the clip before, from its end.
        frames: usize,
        /// Of the clip after, from its start.
        next_frames: usize,
        /// Distances between joints that would be computed.
        work: f64,
        /// The most.
        limit: f64,
    },
    /// Frame rates that differ.
    #[error("clip {index} has {rate} frames per second, the first {first_rate}; resample one of them")]
    Rates {
        /// Counted from 0.
        index: usize,
        /// Its rate.
        rate: f64,
        /// The first's.
        first_rate: f64,
    },
    /// A list of another length.
    #[error("{what}: {found} for {wanted}; one is needed for each clip{}", if *.what == "warps" { " after the first" } else { "" })]
    Count {
        /// Which list.
        what: &'static str,
        /// How long it is.
        found: usize,
        /// How long it should be.
        wanted: usize,
    },
    /// Weights that cancel, so that there are no shares.
    #[error("{what} add up to {sum} at {seconds:.2} s; shares need a sum above 0")]
    NoShares {
        /// Which weights.
        what: &'static str,
        /// Their sum.
        sum: f64,
        /// When, in the first clip.
        seconds: f64,
    },
    /// Warps that have no time of the first clip in common.
    #[error(
        "the clips correspond nowhere all at once: warps begin at frame {start:.1} of the first clip and end at {end:.1}"
    )]
    NoOverlap {
        /// Where the last of them begins.
        start: f64,
        /// Where the first of them ends.
        end: f64,
    },
    /// No warp was found.
    #[error(transparent)]
    Warp(#[from] WarpError),
    /// Bands that are not there.
    #[error(
        "bands {first} to {last}: a blend of {n_frames} frames has bands 0 to {lowest}, where {lowest} is what is left below all"
    )]
    Bands {
        /// First asked for.
        first: usize,
        /// Last asked for.
        last: usize,
        /// Number of bands.
        lowest: usize,
        /// Frames of the blend.
        n_frames: usize,
    },
}

/// Sums of weights below this are no shares.
const LEAST_SUM: f64 = 1e-6;

/// One clip of several. `clips` come from [`Curves::read_all`].
pub fn blend(clips: &[Curves], registration: Registration<'_>, options: &BlendOptions) -> Result<Blend, BlendError> {
    check(clips, registration, options)?;
    let times = blend_times(clips, registration, options)?;
    let seconds: Vec<f64> = times[0].iter().map(|time| time / clips[0].frame_rate).collect();
    let shares = shares_over(&options.weights, &seconds, "weights")?;
    let parts = part_shares(&options.parts, &seconds)?;
    let sampled: Vec<Curves> = clips.iter().zip(&times).map(|(clip, times)| clip.sample(times)).collect();
    let mut out = mix(&sampled, &shares);
    if parts.is_empty() {
        return Ok(Blend { curves: out, times, shares });
    }
    let n_bands = count_bands(out.n_frames());
    check_bands(&options.parts, n_bands, out.n_frames())?;
    for (channel, track) in sampled[0].tracks().iter().enumerate() {
        let applies = |part: &&PartWeights| part.selection.as_ref().is_none_or(|of| of.covers(*track));
        let chosen: Vec<(&PartWeights, &Vec<Vec<f64>>)> =
            options.parts.iter().zip(&parts).filter(|(part, _)| applies(part)).collect();
        if track.quantity.is_travel() {
            continue;
        }
        if chosen.iter().any(|(part, _)| part.bands.is_some()) {
            let mixed = mix_bands(&sampled, channel, &shares, &chosen, (n_bands, options.edge));
            out.channel_mut(channel).copy_from_slice(&mixed);
        } else if let Some((_, shares)) = chosen.last() {
            mix_channel(&sampled, channel, shares, out.channel_mut(channel));
        }
    }
    let of_travel = options
        .parts
        .iter()
        .zip(&parts)
        .rfind(|(part, _)| part.bands.is_none() && part.selection.as_ref().is_none_or(Selection::has_travel));
    if let Some((_, shares)) = of_travel {
        mix_trajectories(&sampled, shares).write(&mut out);
    }
    Ok(Blend { curves: out, times, shares })
}

/// Whether there are clips, all of one set of channels and at one frame rate that is one.
pub(crate) fn check_clips(clips: &[Curves]) -> Result<(), BlendError> {
    let first = clips.first().ok_or(BlendError::NoClips)?;
    for (index, clip) in clips.iter().enumerate() {
        let rate = clip.frame_rate;
        if clip.n_frames() == 0 {
            return Err(BlendError::NoFrames { index });
        }
        if !FRAME_RATES.contains(&rate) {
            return Err(BlendError::FrameRate { index, rate });
        }
        if clip.tracks() != first.tracks() {
            return Err(BlendError::Channels { index });
        }
        if rate != first.frame_rate {
            return Err(BlendError::Rates { index, rate, first_rate: first.frame_rate });
        }
    }
    Ok(())
}

/// Frame rates of anything that moves: times in seconds stay finite and apart.
const FRAME_RATES: std::ops::RangeInclusive<f64> = 1e-6..=1e9;

fn check(clips: &[Curves], registration: Registration<'_>, options: &BlendOptions) -> Result<(), BlendError> {
    check_clips(clips)?;
    let count = |what: &'static str, found: usize, wanted: usize| {
        if found == wanted { Ok(()) } else { Err(BlendError::Count { what, found, wanted }) }
    };
    if let Registration::Warped(warps) = registration {
        count("warps", warps.len(), clips.len() - 1)?;
    }
    count("weights", options.weights.len(), clips.len())?;
    options.parts.iter().try_for_each(|part| count("weights of a part", part.weights.len(), clips.len()))?;
    options.timing.iter().try_for_each(|timing| count("timing weights", timing.len(), clips.len()))
}

fn check_bands(parts: &[PartWeights], n_bands: usize, n_frames: usize) -> Result<(), BlendError> {
    for bands in parts.iter().filter_map(|part| part.bands.as_ref()) {
        if *bands.end() > n_bands || bands.is_empty() {
            return Err(BlendError::Bands { first: *bands.start(), last: *bands.end(), lowest: n_bands, n_frames });
        }
    }
    Ok(())
}

/// For each clip, its time in frames at each frame of the result.
fn blend_times(
    clips: &[Curves],
    registration: Registration<'_>,
    options: &BlendOptions,
) -> Result<Vec<Vec<f64>>, BlendError> {
    let Registration::Warped(warps) = registration else {
        let n_frames = clips.iter().map(Curves::n_frames).min().unwrap_or(0);
        return Ok(vec![(0..n_frames).map(|frame| frame as f64).collect(); clips.len()]);
    };
    let first = &clips[0];
    let timing = options.timing.as_ref().unwrap_or(&options.weights);
    let at = |clip: usize, time: f64| if clip == 0 { time } else { warps[clip - 1].b_at(time) };
    let (start, end) = shared_frames(first.n_frames(), warps)?;
    let mut knots = vec![[start, 0.0]];
    while let Some([from, passed]) = knots.last().copied()
        && from < end
    {
        let to = (from + 1.0).min(end);
        let seconds = (from + to) / 2.0 / first.frame_rate;
        let weights: Vec<f64> = timing.iter().map(|amount| amount.at(seconds).max(0.0)).collect();
        let sum: f64 = weights.iter().sum();
        if sum.is_nan() || sum < LEAST_SUM {
            return Err(BlendError::NoShares { what: "timing weights", sum, seconds });
        }
        let own = |(clip, weight): (usize, &f64)| weight / sum * (at(clip, to) - at(clip, from));
        knots.push([to, passed + weights.iter().enumerate().map(own).sum::<f64>()]);
    }
    let length = knots[knots.len() - 1][1];
    let pace = TimeWarp::from_knots(knots).expect("warps increase, and so does their mean");
    // The last frame counts if it misses the end by rounding only.
    let n_frames = (length + 1e-6).floor() as usize + 1;
    let of_first: Vec<f64> = (0..n_frames).map(|frame| pace.a_at(frame as f64)).collect();
    let of_clip = |clip: usize| of_first.iter().map(|time| at(clip, *time)).collect();
    Ok((0..clips.len()).map(of_clip).collect())
}

/// The times of the first clip, in frames, to which all others have one.
fn shared_frames(n_frames: usize, warps: &[TimeWarp]) -> Result<(f64, f64), BlendError> {
    let last = n_frames.saturating_sub(1) as f64;
    let ends = |(start, end): (f64, f64), warp: &TimeWarp| {
        let knots = warp.knots();
        (start.max(knots[0][0]), end.min(knots[knots.len() - 1][0]))
    };
    let (start, end) = warps.iter().fold((0.0, last), ends);
    if start > end { Err(BlendError::NoOverlap { start, end }) } else { Ok((start, end)) }
}

/// Weights divided by their sum at every moment: for each clip a share at each frame.
fn shares_over(weights: &[Amount], seconds: &[f64], what: &'static str) -> Result<Vec<Vec<f64>>, BlendError> {
    let mut shares = vec![Vec::with_capacity(seconds.len()); weights.len()];
    for &seconds in seconds {
        let values: Vec<f64> = weights.iter().map(|weight| weight.at(seconds)).collect();
        let sum: f64 = values.iter().sum();
        if sum.is_nan() || sum < LEAST_SUM {
            return Err(BlendError::NoShares { what, sum, seconds });
        }
        for (share, value) in shares.iter_mut().zip(values) {
            share.push(value / sum);
        }
    }
    Ok(shares)
}

fn part_shares(parts: &[PartWeights], seconds: &[f64]) -> Result<Vec<Vec<Vec<f64>>>, BlendError> {
    parts.iter().map(|part| shares_over(&part.weights, seconds, "weights of a part")).collect()
}

/// Clips of as many frames, each frame with the shares of its own: channels, references and root trajectory.
pub(crate) fn mix(clips: &[Curves], shares: &[Vec<f64>]) -> Curves {
    let mut out = clips[0].clone();
    mix_references(clips, shares, &mut out);
    for channel in 0..out.tracks().len() {
        mix_channel(clips, channel, shares, out.channel_mut(channel));
    }
    mix_trajectories(clips, shares).write(&mut out);
    out
}

fn mix_channel(clips: &[Curves], channel: usize, shares: &[Vec<f64>], out: &mut [f64]) {
    out.fill(0.0);
    for (clip, shares) in clips.iter().zip(shares) {
        for ((slot, value), share) in out.iter_mut().zip(clip.channel(channel)).zip(shares) {
            *slot += share * value;
        }
    }
}

/// Band by band (SIGNAL figure 5.5): each band with the shares of the last part that names it.
fn mix_bands(
    clips: &[Curves],
    channel: usize,
    general: &[Vec<f64>],
    parts: &[(&PartWeights, &Vec<Vec<f64>>)],
    (n_bands, edge): (usize, Edge),
) -> Vec<f64> {
    let n_frames = clips[0].n_frames();
    let mut out = vec![0.0; n_frames];
    for (clip, curves) in clips.iter().enumerate() {
        let bands = Bands::split(curves.channel(channel), edge);
        for (band, values) in (0..n_bands).map(|band| bands.band(band)).chain([bands.dc()]).enumerate() {
            let names = |part: &PartWeights| part.bands.as_ref().is_none_or(|bands| bands.contains(&band));
            let chosen = parts.iter().rfind(|(part, _)| names(part)).map_or(general, |(_, shares)| shares);
            for ((slot, value), share) in out.iter_mut().zip(values).zip(&chosen[clip]) {
                *slot += share * value;
            }
        }
    }
    out
}

/// References that differ from frame to frame are mixed as rotations; the others are the same for all clips.
fn mix_references(clips: &[Curves], shares: &[Vec<f64>], out: &mut Curves) {
    for joint in out.skeleton.ids() {
        let locals: Option<Vec<&Vec<Quat>>> = clips
            .iter()
            .map(|clip| match clip.reference(joint) {
                Reference::Local(means) => Some(means),
                _ => None,
            })
            .collect();
        let Some(locals) = locals else { continue };
        let mix = |frame: usize| {
            let rotations: Vec<Quat> = locals.iter().map(|means| means[frame]).collect();
            let weights: Vec<f64> = shares.iter().map(|share| share[frame].max(0.0)).collect();
            rotation::weighted_mean(&rotations, &weights)
        };
        let mixed = (0..out.n_frames()).map(mix).collect();
        out.set_local_reference(joint, mixed);
    }
}

fn mix_trajectories(clips: &[Curves], shares: &[Vec<f64>]) -> RootTrajectory {
    let trajectories: Vec<RootTrajectory> = clips.iter().map(RootTrajectory::of).collect();
    let steps: Vec<Vec<RootStep>> = trajectories.iter().map(RootTrajectory::steps).collect();
    let mix = |frame: usize| {
        let mut mixed = RootStep::default();
        for (steps, shares) in steps.iter().zip(shares) {
            // A step lies between two frames, and so does its share.
            let share = (shares[frame] + shares[frame + 1]) / 2.0;
            mixed.turn += share * steps[frame].turn;
            mixed.shift += share * steps[frame].shift;
        }
        mixed
    };
    let mixed: Vec<RootStep> = (0..steps[0].len()).map(mix).collect();
    RootTrajectory::from_steps(
        trajectories[0].places.first().copied().unwrap_or(Vec2::ZERO),
        trajectories[0].headings[0],
        &mixed,
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::curves::{Quantity, Track};
    use surefoot_contact::{WalkerOptions, synthetic_walk};
    use surefoot_motion::{Clip, Placement, WorldPose, place};

    fn walk() -> Clip {
        synthetic_walk(&WalkerOptions { turn_per_step: 0.2, ..WalkerOptions::default() }).take.clip
    }

    /// Farthest that a joint is from where it is in the other clip.
    fn farthest(a: &[WorldPose], b: &[WorldPose]) -> f64 {
        assert_eq!(a.len(), b.len());
        let pairs = a.iter().zip(b).flat_map(|(a, b)| a.world().iter().zip(b.world()));
        pairs.map(|(a, b)| a.translation.distance(b.translation)).fold(0.0, f64::max)
    }

    fn own_frames(clip: &Curves) -> TimeWarp {
        TimeWarp::linear(clip.n_frames(), clip.n_frames())
    }

    #[test]
    fn a_whole_share_of_one_clip_is_that_clip() {
        let clips = [walk(), walk()];
        let curves = Curves::read_all(&[&clips[0], &clips[1]]);
        for (weights, registered) in [([1.0, 0.0], true), ([0.3, 0.7], true), ([1.0, 0.0], false)] {
            let warps = [own_frames(&curves[0])];
            let registration = if registered { Registration::Warped(&warps) } else { Registration::Frames };
            let blended = blend(&curves, registration, &BlendOptions::constant(&weights)).unwrap();
            let made = blended.curves.to_clip("blend");
            assert!(farthest(&made.world(), &clips[0].world()) < 1e-9);
        }
    }

    #[test]
    fn clips_that_walk_apart_are_blended_along_their_own_trajectories() {
        let north = walk();
        let east = place(&north, Placement { yaw: 1.5, translation: surefoot_geom::Vec3::new(4.0, 0.0, 9.0) });
        let curves = Curves::read_all(&[&north, &east]);
        let warps = [own_frames(&curves[0])];
        let blended = blend(&curves, Registration::Warped(&warps), &BlendOptions::constant(&[0.5, 0.5])).unwrap();
        let made = blended.curves.to_clip("blend");
        assert!(farthest(&made.world(), &north.world()) < 1e-9, "the same walk, where the first begins");
    }

    #[test]
    fn timing_and_movement_are_two_things() {
        let clip = walk();
        let curves = Curves::read_all(&[&clip, &clip]);
        let last = curves[0].n_frames() - 1;
        // The second clip is the same, cut off at half: registered, it passes half as many frames.
        let half = curves[1].first_frames(last / 2 + 1);
        let warps = [TimeWarp::linear(last + 1, last / 2 + 1)];
        let mut options = BlendOptions::constant(&[1.0, 0.0]);
        for (share, n_frames) in [(0.0, last + 1), (0.5, last * 3 / 4 + 1), (1.0, last / 2 + 1)] {
            options.timing = Some(vec![Amount::constant(1.0 - share), Amount::constant(share)]);
            let blended = blend(&[curves[0].clone(), half.clone()], Registration::Warped(&warps), &options).unwrap();
            assert_eq!(blended.curves.n_frames(), n_frames, "{share}");
            // Wherever the pace leads, the movement is the first clip's at that time.
            let wanted = curves[0].sample(&blended.times[0]);
            let apart = farthest(&blended.curves.to_clip("a").world(), &wanted.to_clip("b").world());
            assert!(apart < 1e-9, "{share}: {apart}");
        }
    }

    #[test]
    fn bands_and_groups_have_weights_of_their_own() {
        let clips = [walk(), walk()];
        let mut curves = Curves::read_all(&[&clips[0], &clips[1]]);
        let knee = Track { joint: surefoot_motion::JointId::new(3), quantity: Quantity::Rotation(0) };
        let channel = curves[1].find(knee).unwrap();
        curves[1].channel_mut(channel).iter_mut().enumerate().for_each(|(frame, value)| *value += (frame as f64).sin());
        let with = |parts: Vec<PartWeights>| {
            let options = BlendOptions { parts, ..BlendOptions::constant(&[1.0, 0.0]) };
            blend(&curves, Registration::Frames, &options).unwrap().curves
        };
        let second = || vec![Amount::constant(0.0), Amount::constant(1.0)];
        let selection = Selection::of_joints(&curves[0].skeleton, [knee.joint]);
        let group = with(vec![PartWeights { selection: Some(selection), bands: None, weights: second() }]);
        for (other, _) in curves[0].tracks().iter().enumerate() {
            let wanted = if other == channel { curves[1].channel(channel) } else { curves[0].channel(other) };
            let apart = group.channel(other).iter().zip(wanted).fold(0.0, |most: f64, (a, b)| most.max((a - b).abs()));
            assert!(apart < 1e-9, "channel {other}: {apart}");
        }
        // A sine of a period of six frames lives in the fast bands; the slow ones are the same in both clips.
        let n_bands = count_bands(curves[0].n_frames());
        let slow = with(vec![PartWeights { selection: None, bands: Some(5..=n_bands), weights: second() }]);
        let apart = |a: &Curves, b: &Curves| {
            let middle = 50..a.n_frames() - 50;
            middle.map(|frame| (a.channel(channel)[frame] - b.channel(channel)[frame]).abs()).fold(0.0, f64::max)
        };
        assert!(apart(&slow, &curves[0]) < 0.01, "{}", apart(&slow, &curves[0]));
        let all = with(vec![PartWeights { selection: None, bands: Some(0..=n_bands), weights: second() }]);
        assert!(apart(&all, &curves[1]) < 1e-9);
    }

    #[test]
    fn what_cannot_be_blended_says_why() {
        let clip = walk();
        let curves = Curves::read_all(&[&clip, &clip]);
        let warps = [own_frames(&curves[0])];
        let error_of = |registration: Registration<'_>, options: &BlendOptions| {
            blend(&curves, registration, options).unwrap_err().to_string()
        };
        let text = error_of(Registration::Warped(&warps), &BlendOptions::constant(&[1.0, -1.0]));
        assert!(text.contains("add up to 0"), "{text}");
        let text = error_of(Registration::Warped(&[]), &BlendOptions::constant(&[1.0, 1.0]));
        assert!(text.contains("each clip after the first"), "{text}");
        let text = error_of(Registration::Frames, &BlendOptions::constant(&[1.0]));
        assert!(text.contains("weights: 1 for 2"), "{text}");
        let part = PartWeights { selection: None, bands: Some(3..=40), weights: vec![Amount::constant(1.0); 2] };
        let text =
            error_of(Registration::Frames, &BlendOptions { parts: vec![part], ..BlendOptions::constant(&[1.0, 1.0]) });
        assert!(text.contains("bands 3 to 40"), "{text}");
        assert_eq!(blend(&[], Registration::Frames, &BlendOptions::constant(&[])), Err(BlendError::NoClips));
    }
}
