//! A cycle from a clip: the best cut found, and closed so that it repeats without a seam.
//!
//! Reference: SIGNAL 5.5 (concatenation of a clip with itself). How the cut is found is ours.
//!
//! Idea: a cycle runs from frame i to frame j where the motion around j is most like the motion around i. Standing still is
//! like itself at any distance, so the likeness is measured against how much the body moves within the cycle.
//!
//! Steps:
//! 1. all pairs (i, j) within the target lengths, at about 30 frames per second: the least `distance(i, j) / spread(i..j)`
//!    over a window of the zone's length, for each length of cycle. Of those that are about as good as the best, the shortest,
//!    for a walk is like itself after one stride and after five; then the frames around it one by one;
//! 2. around the seam, for half a zone to both sides, what leads up to j goes over into what leads away from i (they lie over
//!    each other), with equal shares at the seam itself;
//! 3. the root trajectory is added up by steps, blended likewise. It goes on from cycle to cycle.
//!
//! The result has one frame more than the cycle is long: its last pose is its first, one cycle of the trajectory further on.
//!
//! A clip that is exactly one cycle has no frames beyond the cut to blend with. There the difference between its ends is
//! spread over the complete cycle instead, which closes the pose but not its velocity.

use crate::blend::mix;
use crate::curves::Curves;
use crate::pose_distance::{MAX_COMPARISONS, SeenFromRoot};
use crate::root_trajectory::{RootStep, RootTrajectory};
use std::ops::Range;
use surefoot_geom::smoothstep;
use surefoot_motion::count_frames;

/// How a cycle is looked for and closed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LoopOptions {
    /// Shortest cycle in seconds, above 0. Default 0.6: a running stride.
    pub min_seconds: f64,
    /// Longest cycle in seconds. Default: as long as the clip allows.
    pub max_seconds: f64,
    /// First frame of the cycle and first of the next one, instead of the best cut.
    pub cut: Option<(usize, usize)>,
    /// Length of the zone around the seam that is blended, in seconds. Default 0.3. Shortened where the clip has no frames
    /// beyond the cut.
    pub zone_seconds: f64,
    /// How many cycles the result has, at least 1. Default 1.
    pub cycles: usize,
}

impl Default for LoopOptions {
    fn default() -> LoopOptions {
        LoopOptions { min_seconds: 0.6, max_seconds: f64::INFINITY, cut: None, zone_seconds: 0.3, cycles: 1 }
    }
}

/// How a cycle was closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Closed {
    /// This many frames to each side of the seam were blended.
    Blended(usize),
    /// The clip has no frames beyond the cut: the difference was spread over the cycle.
    Spread,
}

/// A cycle.
#[derive(Clone, Debug, PartialEq)]
pub struct Loop {
    /// The motion; its last pose is its first.
    pub curves: Curves,
    /// The frames of the clip that one cycle is made of, without the one that closes it.
    pub cut: Range<usize>,
    /// How unlike the two sides of the cut are, in metres (root of the mean squared distance of joints over the zone).
    pub distance: f64,
    /// The same against how much the body moves within the cycle: below 0.1 no seam is seen, above 0.3 it is no cycle.
    pub unlikeness: f64,
    /// How it was closed.
    pub closed: Closed,
    /// For each frame of the result, its time in the clip.
    pub times: Vec<f64>,
}

/// Why there is no cycle.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum LoopError {
    /// Too few frames.
    #[error("the clip lasts {seconds:.2} s, too short for a cycle of at least {min_seconds} s")]
    TooShort {
        /// Of the clip.
        seconds: f64,
        /// As asked for.
        min_seconds: f64,
    },
    /// More pairs of frames than can be compared in reasonable time.
    #[error(
        "cycles of {min_seconds} to {max_seconds:.2} s in {seconds:.2} s take {work:.1e} comparisons of joints; at most {limit:.1e} are made. \
         {}, or the cut itself, would do", or_shorter(.would_do)
    )]
    TooMuchWork {
        /// Of the clip.
        seconds: f64,
        /// Shortest cycle as asked for.
        min_seconds: f64,
        /// Longest cycle as asked for, or as long as the clip allows.
        max_seconds: f64,
        /// Distances between joints that would be computed.
        work: f64,
        /// The most.
        limit: f64,
        /// The longest cycle that could be looked for in this clip; `None` if the clip is too long for any.
        would_do: Option<f64>,
    },
    /// More frames than a result should have.
    #[error("{cycles} cycles of {cycle_frames} frames are too many frames; {would_do} cycles would do")]
    TooManyFrames {
        /// As asked for.
        cycles: usize,
        /// Frames of one.
        cycle_frames: usize,
        /// The most.
        would_do: usize,
    },
    /// A cut that is not in the clip.
    #[error("the cut {start} to {end}: a clip of {n_frames} frames has cuts from 0 to {}, the second after the first", n_frames.saturating_sub(1))]
    Cut {
        /// First frame of the cycle.
        start: usize,
        /// First of the next.
        end: usize,
        /// Frames of the clip.
        n_frames: usize,
    },
    /// An option out of range.
    #[error("{field} is {value}; {right}")]
    Option {
        /// Which.
        field: &'static str,
        /// As given.
        value: f64,
        /// What would be right.
        right: &'static str,
    },
}

fn or_shorter(would_do: &Option<f64>) -> String {
    match would_do {
        Some(seconds) => format!("A longest cycle of {seconds:.2} s or a part of the clip"),
        None => "A part of the clip".to_string(),
    }
}

/// Most frames times joints of a result, some gigabytes.
const MAX_RESULT: usize = 1 << 26;
/// Pairs of frames are first tried at about this rate.
const COARSE_RATE: f64 = 30.0;
/// Bodies that move by less than this, in metres, stand still.
const STILL: f64 = 1e-4;
/// Cuts whose unlikeness is no more than this above the best are as good to the eye.
const ABOUT_AS_GOOD: f64 = 0.1;
/// Most cycles of a result; a loop is repeated by whoever plays it.
const MAX_CYCLES: usize = 1000;

/// A cycle of a clip.
pub fn find_loop(clip: &Curves, options: &LoopOptions) -> Result<Loop, LoopError> {
    check(clip, options)?;
    let seen = SeenFromRoot::of(clip);
    let half = count_frames((options.zone_seconds * clip.frame_rate / 2.0).round());
    let cut = match options.cut {
        Some((start, end)) => start..end,
        None => find_cut(clip, &seen, half, options)?,
    };
    let distance = seen.distance(cut.start, &seen, cut.end, half);
    let unlikeness = distance / seen.spread(cut.clone()).max(STILL);
    check_result(clip, cut.len(), options.cycles)?;
    let reach = half.min(cut.start).min(clip.n_frames() - 1 - cut.end).min(cut.len() / 2);
    let (cycle, closed) = if reach > 0 {
        (blend_seam(clip, &cut, reach), Closed::Blended(reach))
    } else {
        (spread_difference(clip, &cut), Closed::Spread)
    };
    let steps = seam_steps(clip, &cut, reach);
    let curves = repeat(&cycle, clip, &cut, &steps, options.cycles);
    let times = (0..curves.n_frames()).map(|frame| (cut.start + frame % cut.len()) as f64).collect();
    Ok(Loop { curves, cut, distance, unlikeness, closed, times })
}

fn check(clip: &Curves, options: &LoopOptions) -> Result<(), LoopError> {
    let n_frames = clip.n_frames();
    let wrong = |field, value, right| Err(LoopError::Option { field, value, right });
    if !(options.min_seconds > 0.0 && options.min_seconds.is_finite()) {
        return wrong("shortest cycle", options.min_seconds, "a number of seconds above 0 would be right");
    }
    if options.max_seconds.is_nan() || options.max_seconds < options.min_seconds {
        return wrong("longest cycle", options.max_seconds, "at least the shortest would be right");
    }
    if !(options.zone_seconds >= 0.0 && options.zone_seconds.is_finite()) {
        return wrong("zone", options.zone_seconds, "0 seconds or more would be right");
    }
    if options.cycles == 0 || options.cycles > MAX_CYCLES {
        return wrong("cycles", options.cycles as f64, "1 to 1000 would be right");
    }
    match options.cut {
        Some((start, end)) if start >= end || end >= n_frames => Err(LoopError::Cut { start, end, n_frames }),
        _ => Ok(()),
    }
}

/// Whether the result has a size that memory should be asked for; one cycle always has, for it is in memory already.
fn check_result(clip: &Curves, cycle_frames: usize, cycles: usize) -> Result<(), LoopError> {
    let of_one = cycle_frames.saturating_mul(clip.skeleton.n_joints()).max(1);
    let would_do = (MAX_RESULT / of_one).max(1);
    if cycles > would_do { Err(LoopError::TooManyFrames { cycles, cycle_frames, would_do }) } else { Ok(()) }
}

/// The pairs that are first tried: lengths of cycles and their starts, each a stride apart.
struct CoarseSearch {
    n_frames: usize,
    /// Frames at both ends in which no cycle begins or ends.
    margin: usize,
    shortest: usize,
    stride: usize,
    /// Distances between joints for each pair.
    per_pair: f64,
}

impl CoarseSearch {
    /// Distances between joints that are computed for cycles up to a length: starts times lengths, each a sum over a window.
    fn work(&self, longest: usize) -> f64 {
        let n_lengths = ((longest - self.shortest) / self.stride + 1) as f64;
        let free = self.n_frames as f64 - 2.0 * self.margin as f64 - 0.5 * (self.shortest + longest) as f64;
        n_lengths * (free / self.stride as f64).max(1.0) * self.per_pair
    }

    /// The longest cycle up to a length that is within the budget.
    fn longest_within(&self, longest: usize) -> Option<usize> {
        // The work grows with the length as long as there are starts to lose.
        let (mut fits, mut too_long) = (self.shortest, longest);
        if self.work(fits) > MAX_COMPARISONS {
            return None;
        }
        while too_long - fits > 1 {
            let between = fits + (too_long - fits) / 2;
            if self.work(between) > MAX_COMPARISONS { too_long = between } else { fits = between }
        }
        Some(fits)
    }
}

/// The pair of frames that are most alike for how much happens between them.
fn find_cut(clip: &Curves, seen: &SeenFromRoot, half: usize, options: &LoopOptions) -> Result<Range<usize>, LoopError> {
    let n_frames = clip.n_frames();
    let rate = clip.frame_rate;
    let shortest = count_frames((options.min_seconds * rate).round()).max(1);
    let too_short =
        || LoopError::TooShort { seconds: n_frames.saturating_sub(1) as f64 / rate, min_seconds: options.min_seconds };
    if n_frames <= shortest {
        return Err(too_short());
    }
    // Frames beyond the cut are wanted to blend with, unless the clip is not much longer than the cycle.
    let margin = half.min((n_frames - 1 - shortest) / 4);
    let longest = (options.max_seconds * rate).min((n_frames - 1 - 2 * margin) as f64).floor() as usize;
    if longest < shortest {
        return Err(too_short());
    }
    let stride = count_frames((rate / COARSE_RATE).round()).max(1);
    let window = (2 * half + 1).min(n_frames);
    let per_pair = window as f64 * seen.n_joints().max(1) as f64;
    let search = CoarseSearch { n_frames, margin, shortest, stride, per_pair };
    let work = search.work(longest);
    if work > MAX_COMPARISONS {
        let seconds = |frames: usize| frames as f64 / rate;
        return Err(LoopError::TooMuchWork {
            seconds: seconds(n_frames - 1),
            min_seconds: options.min_seconds,
            max_seconds: seconds(longest),
            work,
            limit: MAX_COMPARISONS,
            // Rounded down to what is printed.
            would_do: search.longest_within(longest).map(|frames| (100.0 * seconds(frames)).floor() / 100.0),
        });
    }
    let cost = |cut: &Range<usize>| seen.distance(cut.start, seen, cut.end, half) / seen.spread(cut.clone()).max(STILL);
    let best_of_length = |length: usize, starts: Range<usize>, stride: usize| {
        let starts = starts.start.max(margin)..starts.end.min((n_frames - margin).saturating_sub(length));
        let cuts = starts.step_by(stride).map(|start| start..start + length);
        cuts.map(|cut| (cost(&cut), cut)).min_by(|a, b| a.0.total_cmp(&b.0))
    };
    let by_length: Vec<(f64, Range<usize>)> =
        (shortest..=longest).step_by(stride).filter_map(|length| best_of_length(length, 0..n_frames, stride)).collect();
    let coarse = shortest_good(&by_length).ok_or_else(too_short)?;
    let lengths = coarse.len().saturating_sub(stride).max(shortest)..=(coarse.len() + stride).min(longest);
    let starts = coarse.start.saturating_sub(stride)..coarse.start + stride + 1;
    let fine =
        lengths.filter_map(|length| best_of_length(length, starts.clone(), 1)).min_by(|a, b| a.0.total_cmp(&b.0));
    Ok(fine.map_or(coarse, |(_, cut)| cut))
}

/// Of the best cuts of each length, the first that is about as good as the best of all, at the bottom of its valley: one
/// stride, not five.
fn shortest_good(by_length: &[(f64, Range<usize>)]) -> Option<Range<usize>> {
    let least = by_length.iter().map(|(cost, _)| *cost).min_by(f64::total_cmp)?;
    let first = by_length.iter().position(|(cost, _)| *cost <= least + ABOUT_AS_GOOD)?;
    let valley = by_length[first..].windows(2).take_while(|pair| pair[1].0 <= pair[0].0).count();
    Some(by_length[first + valley].1.clone())
}

/// One cycle whose ends go over into each other.
fn blend_seam(clip: &Curves, cut: &Range<usize>, reach: usize) -> Curves {
    let length = cut.len();
    let mut times = [Vec::new(), Vec::new()];
    let mut shares = [Vec::new(), Vec::new()];
    for frame in 0..length {
        // Frames from the seam that is nearest: the one before the cycle, or the one after it.
        let (leading, following, from_seam) = if frame < reach {
            (cut.end + frame, cut.start + frame, frame as f64)
        } else if frame + reach > length {
            (cut.start + frame, cut.start + frame - length, frame as f64 - length as f64)
        } else {
            (cut.start + frame, cut.start + frame, reach as f64)
        };
        let share = smoothstep((from_seam + reach as f64) / (2 * reach) as f64);
        times[0].push(leading as f64);
        times[1].push(following as f64);
        shares[0].push(1.0 - share);
        shares[1].push(share);
    }
    mix(&times.map(|times| clip.sample(&times)), &shares)
}

/// One cycle with the difference of its ends spread over it. Channels only: the trajectory goes on by steps.
fn spread_difference(clip: &Curves, cut: &Range<usize>) -> Curves {
    let frames: Vec<f64> = cut.clone().map(|frame| frame as f64).collect();
    let mut cycle = clip.sample(&frames);
    for channel in 0..clip.tracks().len() {
        let missing = clip.channel(channel)[cut.start] - clip.channel(channel)[cut.end];
        for (frame, value) in cycle.channel_mut(channel).iter_mut().enumerate() {
            *value += missing * (frame as f64 / cut.len() as f64 - 0.5);
        }
    }
    cycle
}

/// The steps of the trajectory from each frame of the cycle to the next, and from its last to the next cycle's first.
fn seam_steps(clip: &Curves, cut: &Range<usize>, reach: usize) -> Vec<RootStep> {
    let steps = RootTrajectory::of(clip).steps();
    let length = cut.len();
    let step = |frame: usize| {
        let own = steps[cut.start + frame];
        let (other, from_seam) = if frame < reach {
            (steps.get(cut.end + frame), frame as f64 + 0.5)
        } else if frame + reach >= length {
            ((cut.start + frame).checked_sub(length).map(|frame| &steps[frame]), length as f64 - frame as f64 - 0.5)
        } else {
            (None, 0.0)
        };
        let Some(other) = other else { return own };
        let share = smoothstep((from_seam + reach as f64) / (2 * reach) as f64);
        RootStep {
            turn: own.turn * share + other.turn * (1.0 - share),
            shift: own.shift * share + other.shift * (1.0 - share),
        }
    };
    (0..length).map(step).collect()
}

fn repeat(cycle: &Curves, clip: &Curves, cut: &Range<usize>, steps: &[RootStep], cycles: usize) -> Curves {
    let n_frames = cut.len() * cycles + 1;
    let frames: Vec<f64> = (0..n_frames).map(|frame| (frame % cut.len()) as f64).collect();
    let mut curves = cycle.sample(&frames);
    let steps: Vec<RootStep> = steps.iter().copied().cycle().take(n_frames - 1).collect();
    let trajectory = RootTrajectory::of(clip);
    RootTrajectory::from_steps(trajectory.places[cut.start], trajectory.headings[cut.start], &steps).write(&mut curves);
    curves
}

#[cfg(test)]
mod tests {
    use super::*;
    use surefoot_contact::{WalkerOptions, synthetic_walk};
    use surefoot_motion::{Clip, slice};

    fn walk() -> Clip {
        synthetic_walk(&WalkerOptions { n_steps: 14, turn_per_step: 0.1, ..WalkerOptions::default() }).take.clip
    }

    /// The poses of the first and last frame, and their velocities, agree; no joint moves faster than in the clip.
    fn check_closed(made: &Loop, clip: &Clip) {
        let poses = made.curves.to_poses();
        let last = poses.len() - 1;
        let root = made.curves.root();
        for joint in clip.skeleton.ids().filter(|joint| *joint != root) {
            let apart =
                surefoot_geom::rotation::angle_between(poses.pose(0)[joint].rotation, poses.pose(last)[joint].rotation);
            assert!(apart < 1e-9, "{joint:?}");
        }
        let height = |frame: usize| poses.pose(frame)[root].translation.y;
        assert!((height(0) - height(last)).abs() < 1e-9);
    }

    fn largest_step(clip: &Clip) -> f64 {
        let poses = clip.world();
        let moved = poses.windows(2).flat_map(|pair| pair[0].world().iter().zip(pair[1].world()));
        moved.map(|(a, b)| a.translation.distance(b.translation)).fold(0.0, f64::max)
    }

    #[test]
    fn a_walk_loops_over_whole_strides_without_a_seam() {
        let clip = walk();
        let curves = Curves::read(&clip);
        let made = find_loop(&curves, &LoopOptions { cycles: 3, ..LoopOptions::default() }).unwrap();
        check_closed(&made, &clip);
        assert!(made.unlikeness < 0.1, "{}", made.unlikeness);
        let strides = made.cut.len() as f64 / clip.frame_rate * WalkerOptions::default().cadence / 2.0;
        assert!((strides - 1.0).abs() < 0.02, "{strides} strides");
        assert_eq!(made.curves.n_frames(), 3 * made.cut.len() + 1);
        assert!(largest_step(&made.curves.to_clip("loop")) < 1.05 * largest_step(&clip));
    }

    #[test]
    fn a_clip_of_exactly_one_cycle_is_closed_too() {
        let clip = walk();
        let whole =
            find_loop(&Curves::read(&clip), &LoopOptions { max_seconds: 1.5, ..LoopOptions::default() }).unwrap();
        let one = slice(&clip, whole.cut.start..whole.cut.end + 1).unwrap();
        let last = one.n_frames() - 1;
        let options = LoopOptions { cut: Some((0, last)), ..LoopOptions::default() };
        let made = find_loop(&Curves::read(&one), &options).unwrap();
        assert_eq!(made.closed, Closed::Spread);
        check_closed(&made, &one);
    }

    #[test]
    fn what_cannot_be_looped_says_why() {
        let clip = walk();
        let curves = Curves::read(&clip);
        let error_of = |options: LoopOptions| find_loop(&curves, &options).unwrap_err().to_string();
        let n = clip.n_frames();
        assert!(error_of(LoopOptions { cut: Some((9, 9)), ..LoopOptions::default() }).contains("the cut 9 to 9"));
        assert!(error_of(LoopOptions { cut: Some((9, n)), ..LoopOptions::default() }).contains(&format!("{n} frames")));
        assert!(error_of(LoopOptions { min_seconds: 900.0, ..LoopOptions::default() }).contains("too short"));
        assert!(error_of(LoopOptions { min_seconds: f64::NAN, ..LoopOptions::default() }).contains("shortest cycle"));
        assert!(error_of(LoopOptions { cycles: 0, ..LoopOptions::default() }).contains("cycles"));
        let longer = LoopOptions { cycles: 1000, cut: Some((0, n - 1)), ..LoopOptions::default() };
        let huge = LoopOptions { zone_seconds: 1e300, ..LoopOptions::default() };
        assert!(find_loop(&curves, &longer).is_ok() && find_loop(&curves, &huge).is_ok());
        let one = Curves::read(&slice(&clip, 0..1).unwrap());
        assert!(matches!(find_loop(&one, &LoopOptions::default()), Err(LoopError::TooShort { .. })));
    }

    #[test]
    fn the_work_of_a_long_clip_is_known_before_it_is_done() {
        let clip = walk();
        let poses = (0..60_000).map(|frame| clip.pose(frame % clip.n_frames())).collect();
        let curves = Curves::read(&clip.with_poses(poses));
        let error = find_loop(&curves, &LoopOptions::default()).unwrap_err();
        let LoopError::TooMuchWork { work, limit, would_do: Some(max_seconds), .. } = error else { panic!("{error}") };
        assert!(work > limit, "{error}");
        let search = |longest: f64| {
            CoarseSearch {
                n_frames: curves.n_frames(),
                margin: 9,
                shortest: 36,
                stride: 2,
                per_pair: 19.0 * SeenFromRoot::of(&curves).n_joints() as f64,
            }
            .work((longest * clip.frame_rate) as usize)
        };
        assert!(search(max_seconds) <= limit && search(1.02 * max_seconds) > limit, "{error}");
    }
}
