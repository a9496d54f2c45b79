//! Feet that go over from one part of a step to the next.
//!
//! Steps are stretched part by part (STRIDE 5.5). A foot that moves evenly through its lift-off in each of several steps does not do so
//! in their blend: where one step's double support is long and its swing short, its rows of the one are fast and those of the other
//! slow, and what the regression adds to them belongs to other times still. The blended foot then changes its rate within a row, some
//! 15 ms, and its knee with it.
//!
//! ```text
//!   pitch            /            the rate before, and the rate after, both measured over two rows,
//!   of a foot      ./             become their mean where the parts meet; what each was changed by is
//!              ___/'              gone REACH away, by a cubic that starts with that rate and ends at rest
//!           double support | swing
//! ```
//!
//! Pelvis and other joints change little at these times, and keep what they have.

use super::step_rows::RowLayout;
use super::{N_SUPPORT, N_SWING, StepTimes};
use surefoot_motion::Side;

/// Seconds on either side over which rates go over.
const REACH: f64 = 0.15;
/// Rows on either side that are changed: two changes must not meet in a double support or a swing.
const ROWS: std::ops::RangeInclusive<usize> = 3..=9;

/// Lets the rates of feet go over where a step's foot lifts and lands. `times` are those that the rows belong to.
pub(super) fn even_rates(rows: &mut [f32], width: usize, times: &StepTimes) {
    for at in [N_SUPPORT, N_SUPPORT + N_SWING] {
        let [before, after] = [times.interval(at - 1), times.interval(at)].map(|interval| interval.max(1e-3));
        let n_rows = |interval: f64| ((REACH / interval).round() as usize).clamp(*ROWS.start(), *ROWS.end());
        let (back, on) = (n_rows(before), n_rows(after));
        for k in Side::BOTH.into_iter().flat_map(RowLayout::moves_of) {
            let value = |row: usize| f64::from(rows[row * width + k]);
            let rate_before = (1.5 * value(at) - 2.0 * value(at - 1) + 0.5 * value(at - 2)) / before;
            let rate_after = (2.0 * value(at + 1) - 1.5 * value(at) - 0.5 * value(at + 2)) / after;
            let change = 0.5 * (rate_after - rate_before);
            for j in 1..back {
                rows[(at - j) * width + k] -= (change * before * gone_after(j, back)) as f32;
            }
            for j in 1..on {
                rows[(at + j) * width + k] -= (change * after * gone_after(j, on)) as f32;
            }
        }
    }
}

/// Begins at 0 with slope 1, and ends at 0 with slope 0.
fn gone_after(row: usize, end: usize) -> f64 {
    row as f64 * (1.0 - row as f64 / end as f64).powi(2)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The rates of a foot's ball before and after the row at which it lifts, over two rows each.
    fn rates(rows: &[f32], width: usize, times: &StepTimes) -> [f64; 2] {
        let z = RowLayout::ball_of(Side::Left) + 2;
        let value = |row: usize| f64::from(rows[row * width + z]);
        let at = N_SUPPORT;
        [
            (value(at) - value(at - 2)) / (2.0 * times.interval(at - 1)),
            (value(at + 2) - value(at)) / (2.0 * times.interval(at)),
        ]
    }

    #[test]
    fn a_foot_whose_rate_changes_at_lift_off_goes_over_and_one_that_moves_evenly_stays() {
        let layout = RowLayout { n_others: 1 };
        let width = layout.width();
        let times = StepTimes { first: 0.15, swing: 0.4, last: 0.15 };
        let rows = |rate_after: f64| -> Vec<f32> {
            let mut rows = vec![0.0; super::super::N_ROWS * width];
            for (index, row) in rows.chunks_exact_mut(width).enumerate() {
                let time = times.at_row(index as f64) - times.first;
                row.fill((time * if time > 0.0 { rate_after } else { 1.0 }) as f32);
            }
            rows
        };
        let kinked = rows(0.4);
        let mut evened = kinked.clone();
        even_rates(&mut evened, width, &times);
        let [old, new] = [&kinked, &evened].map(|rows| {
            let [before, after] = rates(rows, width, &times);
            (after - before).abs()
        });
        assert!(old > 0.59 && new < 0.4 * old, "{old} {new}");
        // Votes, legs, the pelvis and the other joints stay as they are, and so does what is at rest far away.
        let moves: Vec<usize> = Side::BOTH.into_iter().flat_map(RowLayout::moves_of).collect();
        let kept = (0..evened.len()).filter(|k| !moves.contains(&(k % width)));
        assert!(kept.clone().all(|k| evened[k] == kinked[k]) && kept.count() > 0);
        let even = rows(1.0);
        let mut same = even.clone();
        even_rates(&mut same, width, &times);
        assert!(same.iter().zip(&even).all(|(a, b)| (a - b).abs() < 1e-5));
    }
}
