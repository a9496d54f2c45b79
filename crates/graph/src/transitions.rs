//! Where one clip may go over into another: local minima of the distance matrix below a threshold.
//!
//! Reference: GRAPH 3 (after Kovar et al. 2002, section 3.2), thresholds as in GRAPH 5.2.3.
//!
//! A pair of frame windows is a transition if it is nearer than all eight pairs around it; of equals the first counts. Within a clip, frame windows
//! that share frames of their windows are no transitions: they lead nowhere.

use crate::distance_matrix::{Block, DistanceMatrix};

/// Which minima are taken.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Threshold {
    /// Distances of at most this, in the metric's unit.
    Distance(f32),
    /// Distances that are among this share of all distances, from 0 to 1.
    Share(f64),
}

/// Two frame windows that may be blended into each other, in either direction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Transition {
    /// Clip and first frame of the window.
    pub a: (usize, usize),
    /// Clip and first frame of the window; not before `a`.
    pub b: (usize, usize),
    /// How unlike they are.
    pub distance: f32,
}

impl Threshold {
    /// In the metric's unit.
    pub fn distance(&self, matrix: &DistanceMatrix) -> f32 {
        match *self {
            Threshold::Distance(distance) => distance,
            Threshold::Share(share) => matrix.quantile(share),
        }
    }
}

/// All transitions of a set, by clips and frames.
pub fn find_transitions(matrix: &DistanceMatrix, threshold: f32) -> Vec<Transition> {
    let of_block = |block: &Block| {
        let is_own = block.clips[0] == block.clips[1];
        let mut found = Vec::new();
        for row in 0..block.n_rows {
            let from = if is_own { row + matrix.window } else { 0 };
            for column in from..block.n_columns {
                let distance = block.at(row, column);
                if distance <= threshold && is_minimum(block, row, column) {
                    found.push(Transition { a: (block.clips[0], row), b: (block.clips[1], column), distance });
                }
            }
        }
        found
    };
    matrix.blocks.iter().flat_map(of_block).collect()
}

fn is_minimum(block: &Block, row: usize, column: usize) -> bool {
    let own = block.at(row, column);
    let rows = row.saturating_sub(1)..(row + 2).min(block.n_rows);
    rows.clone().all(|r| {
        let columns = column.saturating_sub(1)..(column + 2).min(block.n_columns);
        columns.clone().all(|c| {
            let other = block.at(r, c);
            other > own || (other == own && (r, c) >= (row, column))
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::distance_matrix::Threads;
    use crate::{Metric, MotionSet};
    use surefoot_contact::{WalkerOptions, synthetic_walk};

    #[test]
    fn a_walk_goes_over_into_itself_a_stride_later() {
        let options = WalkerOptions { n_steps: 12, frame_rate: 30.0, ..WalkerOptions::default() };
        let walk = synthetic_walk(&options);
        let set = MotionSet::new(vec![walk.take.clip], walk.take.body).unwrap();
        let stride = 2.0 / options.cadence * 30.0;
        for metric in [Metric::angles(), Metric::points(), Metric::components()] {
            let matrix = DistanceMatrix::new(&set, &metric, 10, Threads::One);
            let limit = Threshold::Share(0.05).distance(&matrix);
            let found = find_transitions(&matrix, limit);
            assert!(!found.is_empty(), "{}", metric.name());
            // Standing at both ends is like itself at any distance; in between strides are.
            let walking = |frame: usize| (60..150).contains(&frame);
            for transition in found.iter().filter(|t| walking(t.a.1) && walking(t.b.1)) {
                let strides = (transition.b.1 - transition.a.1) as f64 / stride;
                assert!((strides - strides.round()).abs() < 0.06, "{}: {transition:?} {strides}", metric.name());
            }
            for transition in &found {
                let block = &matrix.blocks[0];
                assert!(transition.distance <= limit && transition.b.1 >= transition.a.1 + 10);
                for (r, c) in [(0, 1), (1, 0), (1, 1)] {
                    let (row, column) = (transition.a.1 + r, transition.b.1 + c);
                    if row < block.n_rows && column < block.n_columns {
                        assert!(block.at(row, column) >= transition.distance);
                    }
                }
            }
        }
    }
}
