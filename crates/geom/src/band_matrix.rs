//! Sums of squares over neighbours along a curve, minimised: symmetric band matrices with three diagonals on each side.
//!
//! A smooth curve through noisy values minimises a sum of squares of differences between neighbours. Its normal equations are a
//! band matrix, which is factored as L D L^T from the first row to the last in time proportional to its length.

use std::ops::{Mul, Sub};

/// Diagonals on one side.
const BAND: usize = 3;

/// A sum of squares of linear terms, each over at most four neighbours. Positive definite once every value is held by some term.
#[derive(Clone, Debug, Default)]
pub struct BandMatrix {
    /// Entries (i, i) to (i, i + 3) of each row.
    rows: Vec<[f64; BAND + 1]>,
}

impl BandMatrix {
    /// Of nothing yet, over `n` values.
    pub fn new(n: usize) -> BandMatrix {
        BandMatrix { rows: vec![[0.0; BAND + 1]; n] }
    }

    /// Adds `weight * (sum_k coefficients[k] x[at + k])^2`. Panics beyond the last value, or with more than four coefficients.
    pub fn add_square(&mut self, at: usize, coefficients: &[f64], weight: f64) {
        for (k, a) in coefficients.iter().enumerate() {
            for (m, b) in coefficients[k..].iter().enumerate() {
                self.rows[at + k][m] += weight * a * b;
            }
        }
    }

    /// The matrix ready for solving.
    pub fn factor(mut self) -> BandFactor {
        let n = self.rows.len();
        for i in 0..n {
            let row = self.rows[i];
            let pivot = 1.0 / row[0];
            for k in 1..=BAND.min(n - 1 - i) {
                let share = row[k] * pivot;
                for (m, entry) in row[k..].iter().enumerate() {
                    self.rows[i + k][m] -= share * entry;
                }
            }
            self.rows[i] = [pivot, row[1] * pivot, row[2] * pivot, row[3] * pivot];
        }
        BandFactor { rows: self.rows }
    }
}

/// A factored [`BandMatrix`]: the inverse of the diagonal, then the column of L below it.
#[derive(Clone, Debug)]
pub struct BandFactor {
    rows: Vec<[f64; BAND + 1]>,
}

impl BandFactor {
    /// Solves for a right side in place, which is as long as the matrix.
    pub fn solve<T: Copy + Sub<Output = T> + Mul<f64, Output = T>>(&self, values: &mut [T]) {
        let n = self.rows.len();
        assert!(values.len() == n, "{} values for {n} rows", values.len());
        for (i, row) in self.rows.iter().enumerate() {
            let value = values[i];
            for k in 1..=BAND.min(n - 1 - i) {
                values[i + k] = values[i + k] - value * row[k];
            }
        }
        for (i, row) in self.rows.iter().enumerate().rev() {
            let mut value = values[i] * row[0];
            for k in 1..=BAND.min(n - 1 - i) {
                value = value - values[i + k] * row[k];
            }
            values[i] = value;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_minimum_is_where_the_gradient_is_zero() {
        let n = 12;
        let values: Vec<f64> = (0..n).map(|i| f64::from((i * i * 7) % 11)).collect();
        let weights: Vec<f64> = (0..n).map(|i| 0.2 + f64::from(i % 3)).collect();
        let third = [-1.0, 3.0, -3.0, 1.0];
        let mut matrix = BandMatrix::new(values.len());
        weights.iter().enumerate().for_each(|(i, &weight)| matrix.add_square(i, &[1.0], weight));
        (0..values.len() - 3).for_each(|i| matrix.add_square(i, &third, 2.5));
        let mut solved: Vec<f64> = values.iter().zip(&weights).map(|(value, weight)| value * weight).collect();
        matrix.factor().solve(&mut solved);
        let bends: Vec<f64> = solved.windows(4).map(|w| third.iter().zip(w).map(|(c, x)| c * x).sum()).collect();
        for i in 0..values.len() {
            let bend = |k: usize| i.checked_sub(k).and_then(|at| bends.get(at)).map_or(0.0, |bend| third[k] * bend);
            let gradient = weights[i] * (solved[i] - values[i]) + 2.5 * (0..4).map(bend).sum::<f64>();
            assert!(gradient.abs() < 1e-9, "{i}: {gradient}");
        }
    }

    #[test]
    fn few_values_are_solved_too() {
        for n in 0..4 {
            let mut matrix = BandMatrix::new(n);
            (0..n).for_each(|i| matrix.add_square(i, &[1.0], 2.0));
            (1..n).for_each(|i| matrix.add_square(i - 1, &[-1.0, 1.0], 3.0));
            let mut values = vec![2.0; n];
            matrix.factor().solve(&mut values);
            assert!(values.iter().all(|value| (value - 1.0).abs() < 1e-12), "{values:?}");
        }
    }
}
