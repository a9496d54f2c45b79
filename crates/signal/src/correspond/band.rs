//! The part of the grid in which a path is searched for: a range of samples of B for each sample of A.

use std::ops::Range;

/// For each sample of A the samples of B that may correspond to it; ranges never go back.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Band {
    pub(super) rows: Vec<Range<usize>>,
}

impl Band {
    /// All pairs that a path can reach from both ends and all anchors without being steeper than the limit; `None` if
    /// there is a sample without any.
    pub(super) fn reachable(n_frames: [usize; 2], max_slope: Option<usize>, anchors: &[[usize; 2]]) -> Option<Band> {
        let last = [n_frames[0] - 1, n_frames[1] - 1];
        let mut rows = Vec::with_capacity(n_frames[0]);
        let mut next = 0;
        for i in 0..n_frames[0] {
            while next < anchors.len() && anchors[next][0] < i {
                next += 1;
            }
            // An anchor binds the samples before and after it; its own has as many as the path takes there.
            let from = next.checked_sub(1).map_or([0; 2], |index| anchors[index]);
            let after = next + usize::from(anchors.get(next).is_some_and(|anchor| anchor[0] == i));
            let to = anchors.get(after).copied().unwrap_or(last);
            let (ahead, behind) = (reach(i - from[0], max_slope), reach(to[0] - i, max_slope));
            let low = (from[1] + ahead.start).max((to[1] + 1).saturating_sub(behind.end));
            let high = from[1].saturating_add(ahead.end).min((to[1] + 1).saturating_sub(behind.start));
            if low >= high {
                return None;
            }
            rows.push(low..high);
        }
        Some(Band { rows })
    }

    /// How many pairs it has: the work of a search in it.
    pub(super) fn n_pairs(&self) -> usize {
        self.rows.iter().fold(0usize, |sum, row| sum.saturating_add(row.len()))
    }

    /// The part of it near a path at half the rate, with a radius in samples of that rate; `None` if there is a sample
    /// without any.
    pub(super) fn near(&self, path: &[[usize; 2]], radius: usize) -> Option<Band> {
        let last = path.last()?[0];
        let mut ends = vec![[usize::MAX, 0]; last + 1];
        for &[i, j] in path {
            ends[i] = [ends[i][0].min(j), ends[i][1].max(j)];
        }
        let rows = self.rows.iter().enumerate().map(|(i, row)| {
            let (before, after) = ((i / 2).saturating_sub(radius).min(last), (i / 2 + radius).min(last));
            let low = (2 * ends[before][0]).saturating_sub(2 * radius).max(row.start);
            let high = (2 * ends[after][1] + 2 * radius + 2).min(row.end);
            low..high
        });
        let rows: Vec<Range<usize>> = rows.collect();
        rows.iter().all(|row| !row.is_empty()).then_some(Band { rows })
    }
}

/// How many samples the other signal may pass while one passes `n`.
fn reach(n: usize, max_slope: Option<usize>) -> Range<usize> {
    match max_slope {
        None => 0..usize::MAX / 4,
        Some(slope) => {
            // Each diagonal step has up to slope - 1 others of one kind before it, and so has the end.
            let run = slope - 1;
            n.saturating_sub(run).div_ceil(slope)..n * slope + run + 1
        }
    }
}
