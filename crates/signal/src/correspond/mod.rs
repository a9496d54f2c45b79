//! Which samples of two signals correspond: the cheapest path through the grid of all pairs.
//!
//! Reference: SIGNAL 5.2.2 and 3.3.2, after Sederberg 1992. A path goes from the first samples of both signals to the
//! last, and each step goes one further in both (substitution), in A alone (insertion) or in B alone (deletion). Of all
//! paths the one is sought that costs least, summed over all channels with a weight for each.
//!
//! # What a path costs
//!
//! A sample is a vertex (time, value) in the plane.
//!
//! - *Stretching*, for each step: the difference between the lengths of the two segments that it goes along. A signal
//!   that stays has a segment of no length.
//! - *Bending*, at each pair between two steps: the difference between the two angles at its vertices. Where one is a
//!   local minimum and the other a local maximum, one angle is taken from the other side (`alpha = 360 - alpha`).
//!   Adjacent vertices are those that adjacent pairs of the path give, so a signal that stays before or after the pair
//!   has a side of no length there. That counts as straight. It also means that only where both steps go further in
//!   both signals do two angles meet; else one angle is bent from a straight line, which costs the same whatever the
//!   other sample is, and is known beforehand.
//! - *Value*, for each step: the squared difference of the values that it leads to, as long as time passes in either.
//!   This is not in the paper; with [`CorrespondOptions::paper`] it costs nothing.
//!
//! Values are measured in their standard deviation, and a second is as long as a channel usually changes in it (both as
//! root mean squares over all channels): with time much longer every angle is straight, with time much shorter every angle
//! is straight or sharp; so segments lie at 45 degrees on average, whatever the units and the frame rate. One scale for
//! all channels, for channels that hardly move shall not count as much as others.
//!
//! # Why shape is not enough
//!
//! The paper's cost was measured on recordings of walks whose time was distorted smoothly, with slopes from 1/2 to 2:
//! it misses the distortion by a quarter of a second somewhere in the clip (26 frames of 120 Hz, mean of the largest
//! misses over 75 copies of 15 clips; solved exactly). Recordings have many samples for each bend, so that angles are
//! nearly straight everywhere, and where one signal is slower it has to be stretched from nothing in some samples: that
//! costs the length of what is left over, wherever it is left over. So deletions gather in one place instead of lying
//! evenly. That values agree is what recordings tell best, and `value` weighs it.
//!
//! # How the path is found
//!
//! By dynamic programming over pairs, where the cost so far is kept for each kind of step that may have led to a pair,
//! for bending needs the step before. A step in one signal alone does not follow one in the other alone (footnote 18 of
//! the paper: a step in both is favoured), and where slopes are limited to m, at most m - 1 steps in one alone follow
//! each other, each length of such a run being a state of its own. Then m frames of one pass with one of the other at
//! most, on and on.
//!
//! 1. `samples.rs`: all channels of a sample next to each other; signals of half the rate, again and again, down to about
//!    15 Hz.
//! 2. `costs.rs`: what each sample adds to the costs.
//! 3. `band.rs`: the pairs that can be reached at all; at each rate but the lowest only those near the path found at
//!    half the rate.
//! 4. `solve.rs`: the cheapest path within a band. Of the grid only a byte is kept for each pair of a block of rows,
//!    and the costs at the first row of every block; blocks are gone through once more when going back.
//!
//! So memory never grows with the product of the lengths, and with [`Search::CoarseToFine`] neither does time. What the
//! narrow search misses is little: on recordings its path costs at most a hundredth more than the exact one.

mod band;
mod costs;
mod samples;
mod solve;
#[cfg(test)]
mod tests;

use crate::WarpError;
use crate::time_warp::AnchorProblem;
use band::Band;
use costs::{Costs, Scales};
use samples::Samples;
use std::ops::Range;

/// How samples are compared, and how the cheapest path is searched for.
#[derive(Clone, Debug, PartialEq)]
pub struct CorrespondOptions {
    /// What a difference in the lengths of two corresponding segments costs, in standard deviations; from 0. Default 1.
    pub stretching: f64,
    /// What a difference of one radian in the angles at two corresponding samples costs; from 0. Default 1.
    pub bending: f64,
    /// What it costs, in a second, that corresponding values differ by the standard deviation; from 0. The default of
    /// 50 is for movements of different persons. Where values agree better, ten times as much follows them more closely
    /// ([`crate::find_warp`] sees to it); where it is too much, every wiggle is followed.
    pub value: f64,
    /// How many frames of one signal may pass, on and on, with one of the other; from 1, where only whole signals of
    /// equal length correspond, to [`MAX_SLOPE`]. `None` sets no limit. Default 3: people who do the same are rarely
    /// twice as fast.
    pub max_slope: Option<usize>,
    /// Pairs of frames of A and B that must correspond, increasing in both.
    pub anchors: Vec<[usize; 2]>,
    /// How the path is searched for.
    pub search: Search,
}

/// The largest limit of slopes that can be asked for.
pub const MAX_SLOPE: usize = 32;

/// How the cheapest path is searched for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Search {
    /// Through the complete grid at a low rate, then near the path found at each doubling of the rate. The time it takes
    /// grows with the length of the signals.
    CoarseToFine,
    /// Through the complete grid. The time it takes grows with the product of the lengths; the memory does not.
    Exact,
}

impl Default for CorrespondOptions {
    fn default() -> CorrespondOptions {
        CorrespondOptions {
            stretching: 1.0,
            bending: 1.0,
            value: 50.0,
            max_slope: Some(3),
            anchors: Vec::new(),
            search: Search::CoarseToFine,
        }
    }
}

impl CorrespondOptions {
    /// The paper's cost, work of stretching and bending alone, without a limit to slopes and solved exactly.
    pub fn paper() -> CorrespondOptions {
        CorrespondOptions {
            stretching: 1.0,
            bending: 1.0,
            value: 0.0,
            max_slope: None,
            anchors: Vec::new(),
            search: Search::Exact,
        }
    }

    /// Names the field that cannot be used.
    pub fn check(&self) -> Result<(), WarpError> {
        for (field, value) in [("stretching", self.stretching), ("bending", self.bending), ("value", self.value)] {
            if !(value.is_finite() && value >= 0.0) {
                return Err(WarpError::Option { field, value, wanted: "a number from 0" });
            }
        }
        if let Some(slope) = self.max_slope.filter(|slope| !(1..=MAX_SLOPE).contains(slope)) {
            return Err(WarpError::Option { field: "max_slope", value: slope as f64, wanted: "1 to 32, or none" });
        }
        Ok(())
    }

    pub(crate) fn check_anchors(&self, n_frames: [usize; 2]) -> Result<(), WarpError> {
        for (index, &anchor) in self.anchors.iter().enumerate() {
            let before = index.checked_sub(1).map(|index| self.anchors[index]);
            let problem = if anchor[0] >= n_frames[0] || anchor[1] >= n_frames[1] {
                AnchorProblem::Outside { n_frames }
            } else if before.is_some_and(|before| anchor[0] <= before[0] || anchor[1] <= before[1]) {
                AnchorProblem::NotLater
            } else {
                continue;
            };
            return Err(WarpError::Anchor { index, anchor, problem });
        }
        Ok(())
    }
}

/// The samples of two signals that correspond.
#[derive(Clone, Debug, PartialEq)]
pub struct Correspondence {
    /// A path through the grid: from the first samples of both to the last, each pair one further than the one before
    /// it in A, in B, or in both; and never one further in A right after one further in B, or the other way round.
    /// Empty if a signal is.
    pairs: Vec<[usize; 2]>,
    /// What the path costs.
    pub cost: f64,
}

impl Correspondence {
    /// The pairs of samples of A and B, in order.
    pub fn pairs(&self) -> &[[usize; 2]] {
        &self.pairs
    }

    /// A path for tests.
    #[cfg(test)]
    pub(crate) fn of(pairs: Vec<[usize; 2]>) -> Correspondence {
        Correspondence { pairs, cost: 0.0 }
    }

    /// The path at an even pace from the first samples over all anchors to the last, at no cost. There is at least one
    /// sample of each.
    pub(crate) fn straight(n_frames: [usize; 2], anchors: &[[usize; 2]]) -> Correspondence {
        let mut pairs = vec![[0; 2]];
        for end in anchors.iter().copied().chain([n_frames.map(|n| n - 1)]) {
            let from = pairs[pairs.len() - 1];
            let length = [end[0] - from[0], end[1] - from[1]];
            let n_steps = length[0].max(length[1]);
            pairs.extend(
                (1..=n_steps).map(|step| [0, 1].map(|side| from[side] + (length[side] * step + n_steps / 2) / n_steps)),
            );
        }
        Correspondence { pairs, cost: 0.0 }
    }

    /// For each sample of A, the samples of B that correspond to it; never empty.
    pub fn of_each_a(&self) -> Vec<Range<usize>> {
        let mut ranges: Vec<Range<usize>> = Vec::new();
        for &[a, b] in &self.pairs {
            match ranges.get_mut(a) {
                Some(range) => range.end = b + 1,
                None => ranges.push(b..b + 1),
            }
        }
        ranges
    }
}

/// Finds which samples of two signals correspond, at the least cost summed over all channels. Channels are given one by one,
/// those of A and of B in the same order and at the same rate, with a weight for each, from 0. Panics if the numbers of
/// channels and weights differ.
pub fn correspond(
    a: &[&[f64]],
    b: &[&[f64]],
    weights: &[f64],
    frame_rate: f64,
    options: &CorrespondOptions,
) -> Result<Correspondence, WarpError> {
    let Some(problem) = Problem::new(a, b, weights, frame_rate, options)? else {
        return Ok(Correspondence { pairs: Vec::new(), cost: 0.0 });
    };
    match options.search {
        Search::Exact => problem.solve_near(&problem.signals, &options.anchors, None),
        Search::CoarseToFine => Ok(problem.coarse_to_fine(f64::INFINITY)?.0),
    }
}

/// The same at a lower rate, which shows where; with the number of samples for each of the path's.
pub(crate) fn correspond_roughly(
    a: &[&[f64]],
    b: &[&[f64]],
    weights: &[f64],
    frame_rate: f64,
    options: &CorrespondOptions,
) -> Result<(Correspondence, usize), WarpError> {
    match Problem::new(a, b, weights, frame_rate, options)? {
        Some(problem) => problem.coarse_to_fine(ROUGH_RATE),
        None => Ok((Correspondence { pairs: Vec::new(), cost: 0.0 }, 1)),
    }
}

/// How far from a path found at half the rate the path is searched for, in samples of half the rate.
const BAND_RADIUS: usize = 2;
/// The complete grid is searched at this rate or the next below it, in Hz: it shows every step, and nothing faster is
/// needed to tell which one it is.
const COARSE_RATE: f64 = 16.0;
/// Where the complete grid has more pairs than this, half of that rate does, and a quarter.
const COARSE_PAIRS: usize = 4_000_000;
/// Most pairs of samples that are compared at one rate, a minute's work: three minutes at 120 Hz by [`Search::Exact`], more than
/// an hour coarse to fine.
const MAX_PAIRS: usize = 400_000_000;
/// Signals of fewer samples are not halved.
const COARSE_SAMPLES: usize = 32;
/// A rough path is one at this rate or the next above it, in Hz.
const ROUGH_RATE: f64 = 30.0;

/// Two signals to be matched.
struct Problem<'a> {
    signals: [Samples; 2],
    scales: Scales,
    max_slope: Option<usize>,
    options: &'a CorrespondOptions,
}

impl Problem<'_> {
    /// `None` if a signal is empty.
    fn new<'a>(
        a: &[&[f64]],
        b: &[&[f64]],
        weights: &[f64],
        frame_rate: f64,
        options: &'a CorrespondOptions,
    ) -> Result<Option<Problem<'a>>, WarpError> {
        options.check()?;
        assert!(a.len() == weights.len() && b.len() == weights.len(), "a weight for each channel of both signals");
        if let Some(channel) = weights.iter().position(|weight| !(weight.is_finite() && *weight >= 0.0)) {
            return Err(WarpError::Weight { channel, weight: weights[channel] });
        }
        let signals = [Samples::gather(a, weights, frame_rate), Samples::gather(b, weights, frame_rate)];
        let n_frames = signals.each_ref().map(|signal| signal.n_frames);
        options.check_anchors(n_frames)?;
        let scales = Scales::of(&signals, options);
        // With a sample that all others correspond to there is one path, whatever its slope.
        let max_slope = options.max_slope.filter(|_| !n_frames.contains(&1));
        Ok((!n_frames.contains(&0)).then_some(Problem { signals, scales, max_slope, options }))
    }

    /// Solves near a path found before, at half the rate, in a band that is widened until it holds a path; or in the
    /// whole grid.
    fn solve_near(
        &self,
        signals: &[Samples; 2],
        anchors: &[[usize; 2]],
        near: Option<&Correspondence>,
    ) -> Result<Correspondence, WarpError> {
        let n_frames = signals.each_ref().map(|signal| signal.n_frames);
        let costs = signals.each_ref().map(|signal| Costs::of(signal, &self.scales));
        let too_steep = || too_steep(n_frames, anchors, self.max_slope);
        let full = Band::reachable(n_frames, self.max_slope, anchors).ok_or_else(too_steep)?;
        let solve = |band: &Band| match band.n_pairs() {
            n_pairs if n_pairs > MAX_PAIRS => Err(WarpError::TooLong { n_frames, n_pairs, max_pairs: MAX_PAIRS }),
            _ => Ok(solve::cheapest_path(&costs, band, self.max_slope, anchors)),
        };
        let mut radius = BAND_RADIUS;
        if let Some(path) = near {
            while radius < n_frames[0].max(n_frames[1]) {
                let found = full.near(path.pairs(), radius).map(|band| solve(&band)).transpose()?;
                if let Some(found) = found.flatten() {
                    return Ok(found);
                }
                radius *= 4;
            }
        }
        solve(&full)?.ok_or_else(too_steep)
    }

    /// The path at the signals' rate, or at the lowest that is not below `rate`; with the number of samples for each of
    /// the path's.
    fn coarse_to_fine(&self, rate: f64) -> Result<(Correspondence, usize), WarpError> {
        let mut lower: Vec<[Samples; 2]> = Vec::new();
        loop {
            let [a, b] = lower.last().unwrap_or(&self.signals);
            let is_long = a.n_frames.saturating_mul(b.n_frames) > COARSE_PAIRS;
            let shows_steps = a.frame_rate > COARSE_RATE || (a.frame_rate > COARSE_RATE / 4.0 && is_long);
            if !shows_steps || a.n_frames.min(b.n_frames) < COARSE_SAMPLES {
                break;
            }
            lower.push([a.halved(), b.halved()]);
        }
        let mut found: Option<Correspondence> = None;
        while let Some(signals) = lower.pop() {
            let step = 1 << (lower.len() + 1);
            let n_frames = signals.each_ref().map(|signal| signal.n_frames);
            let anchors = coarse_anchors(&self.options.anchors, step, n_frames);
            // Rounding to a low rate may leave no path; the next rate begins again.
            found = self.solve_near(&signals, &anchors, found.as_ref()).ok();
            match found {
                Some(path) if signals[0].frame_rate >= rate => return Ok((path, step)),
                other => found = other,
            }
        }
        Ok((self.solve_near(&self.signals, &self.options.anchors, found.as_ref())?, 1))
    }
}

/// Anchors at a lower rate: those that are far enough apart for a path between them.
fn coarse_anchors(anchors: &[[usize; 2]], step: usize, n_frames: [usize; 2]) -> Vec<[usize; 2]> {
    let mut kept: Vec<[usize; 2]> = Vec::new();
    let apart = |from: [usize; 2], to: [usize; 2]| (0..2).all(|side| to[side] >= from[side] + 4);
    let last = n_frames.map(|n| n - 1);
    for anchor in anchors {
        let coarse = anchor.map(|frame| (frame + step / 2) / step);
        if apart(kept.last().copied().unwrap_or([0; 2]), coarse) && apart(coarse, last) {
            kept.push(coarse);
        }
    }
    kept
}

/// Why no path exists.
fn too_steep(n_frames: [usize; 2], anchors: &[[usize; 2]], max_slope: Option<usize>) -> WarpError {
    let last = n_frames.map(|n| n - 1);
    let ends: Vec<[usize; 2]> = std::iter::once([0; 2]).chain(anchors.iter().copied()).chain([last]).collect();
    let slope = |pair: &[[usize; 2]]| {
        let [a, b] = [0, 1].map(|side| (pair[1][side] - pair[0][side]) as f64);
        if a.max(b) == 0.0 { 1.0 } else { a.max(b) / a.min(b) }
    };
    let steepest = ends.windows(2).max_by(|one, other| slope(one).total_cmp(&slope(other))).unwrap_or(&[]);
    WarpError::TooSteep {
        from: steepest.first().copied().unwrap_or_default(),
        to: steepest.last().copied().unwrap_or_default(),
        max_slope: max_slope.unwrap_or(MAX_SLOPE),
    }
}
