//! Which samples of two signals correspond: the cheapest path through the grid of all pairs.

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
    /// What a difference in the lengths of two corresponding segments costs.
    pub stretching: f64,
    /// What a difference of one radian in the angles at two corresponding samples costs.
    pub bending: f64,
    /// What it costs, in a second, that corresponding values differ by the signals' standard deviation.
    pub value: f64,
    /// How many frames of one signal may pass, on and on, with one of the other; from 1, where only whole signals of equal length
    /// correspond, to [`MAX_SLOPE`]. `None` sets no limit.
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
    /// Through the whole grid at a low rate, then near the path found at each doubling of the rate. The time it takes grows with the
    /// length of the signals.
    CoarseToFine,
    /// Through the whole grid. The time it takes grows with the product of the lengths; the memory does not.
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
    /// A path through the grid: from the first samples of both to the last, each pair one further than the one before it in A, in B,
    /// or in both; and never one further in A right after one further in B, or the other way round. Empty if a signal is.
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

    /// The path at an even pace from the first samples over all anchors to the last, at no cost. There is at least one sample of each.
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

/// Finds which samples of two signals correspond, at the least cost summed over all rows. Rows are given one by one, those of A and of
/// B in the same order and at the same rate, with a weight for each, from 0. Panics if the numbers of rows and weights differ.
pub fn correspond(
    a: &[&[f64]],
    b: &[&[f64]],
    weights: &[f64],
    frame_rate: f64,
    options: &CorrespondOptions,
) -> Result<Correspondence, WarpError> {
    options.check()?;
    assert!(a.len() == weights.len() && b.len() == weights.len(), "a weight for each row of both signals");
    if let Some(row) = weights.iter().position(|weight| !(weight.is_finite() && *weight >= 0.0)) {
        return Err(WarpError::Weight { row, weight: weights[row] });
    }
    let signals = [Samples::gather(a, weights, frame_rate), Samples::gather(b, weights, frame_rate)];
    let n_frames = signals.each_ref().map(|signal| signal.n_frames);
    options.check_anchors(n_frames)?;
    if n_frames.contains(&0) {
        return Ok(Correspondence { pairs: Vec::new(), cost: 0.0 });
    }
    let scales = Scales::of(&signals, options);
    // With a sample that all others correspond to there is one path, whatever its slope.
    let max_slope = options.max_slope.filter(|_| !n_frames.contains(&1));
    match options.search {
        Search::Exact => solve_within(&signals, &scales, max_slope, options, None),
        Search::CoarseToFine => coarse_to_fine(&signals, &scales, max_slope, options),
    }
}

/// Solves near a path found before, at half the rate, in a band that is widened until it holds a path; or in the whole grid.
fn solve_within(
    signals: &[Samples; 2],
    scales: &Scales,
    max_slope: Option<usize>,
    options: &CorrespondOptions,
    near: Option<&Correspondence>,
) -> Result<Correspondence, WarpError> {
    let n_frames = signals.each_ref().map(|signal| signal.n_frames);
    let costs = signals.each_ref().map(|signal| Costs::of(signal, scales));
    let full = Band::reachable(n_frames, max_slope, &options.anchors).ok_or_else(|| too_steep(n_frames, options))?;
    let mut radius = BAND_RADIUS;
    if let Some(path) = near {
        while radius < n_frames[0].max(n_frames[1]) {
            let band = full.near(path.pairs(), radius);
            if let Some(found) = band.and_then(|band| solve::cheapest_path(&costs, &band, max_slope, &options.anchors))
            {
                return Ok(found);
            }
            radius *= 4;
        }
    }
    solve::cheapest_path(&costs, &full, max_slope, &options.anchors).ok_or_else(|| too_steep(n_frames, options))
}

/// How far from a path found at half the rate the path is searched for, in samples of half the rate.
const BAND_RADIUS: usize = 2;
/// The whole grid is searched at this rate or the next below it, in Hz: it shows every step, and nothing faster is needed to tell which
/// one it is.
const COARSE_RATE: f64 = 16.0;
/// Where the whole grid has more pairs than this, half of that rate does, and a quarter.
const COARSE_PAIRS: usize = 4_000_000;
/// Signals of fewer samples are not halved.
const COARSE_SAMPLES: usize = 32;

fn coarse_to_fine(
    signals: &[Samples; 2],
    scales: &Scales,
    max_slope: Option<usize>,
    options: &CorrespondOptions,
) -> Result<Correspondence, WarpError> {
    let mut levels = vec![signals.clone()];
    loop {
        let [a, b] = &levels[levels.len() - 1];
        let shows_steps =
            a.frame_rate > COARSE_RATE || (a.frame_rate > COARSE_RATE / 4.0 && a.n_frames * b.n_frames > COARSE_PAIRS);
        if !shows_steps || a.n_frames.min(b.n_frames) < COARSE_SAMPLES {
            break;
        }
        levels.push([a.halved(), b.halved()]);
    }
    let mut found: Option<Correspondence> = None;
    while let Some(signals) = levels.pop() {
        let step = 1 << levels.len();
        let at_level;
        let options = if levels.is_empty() {
            options
        } else {
            let n_frames = signals.each_ref().map(|signal| signal.n_frames);
            at_level =
                CorrespondOptions { anchors: coarse_anchors(&options.anchors, step, n_frames), ..options.clone() };
            &at_level
        };
        match solve_within(&signals, scales, max_slope, options, found.as_ref()) {
            Ok(path) => found = Some(path),
            Err(error) if levels.is_empty() => return Err(error),
            // Rounding to a low rate may leave no path; the next rate begins anew.
            Err(_) => found = None,
        }
    }
    Ok(found.expect("the last level has a path, or an error was returned"))
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
fn too_steep(n_frames: [usize; 2], options: &CorrespondOptions) -> WarpError {
    let last = n_frames.map(|n| n - 1);
    let ends = std::iter::once([0; 2]).chain(options.anchors.iter().copied()).chain([last]);
    let stretches: Vec<[usize; 2]> = ends.collect();
    let slope = |pair: &[[usize; 2]]| {
        let [a, b] = [0, 1].map(|side| (pair[1][side] - pair[0][side]) as f64);
        if a.max(b) == 0.0 { 1.0 } else { a.max(b) / a.min(b) }
    };
    let steepest = stretches.windows(2).max_by(|one, other| slope(one).total_cmp(&slope(other))).unwrap_or(&[]);
    WarpError::TooSteep {
        from: steepest.first().copied().unwrap_or_default(),
        to: steepest.last().copied().unwrap_or_default(),
        max_slope: options.max_slope.unwrap_or(MAX_SLOPE),
    }
}
