//! How steps change with what is asked of them: a regression over all steps of one foot.
//!
//! STRIDE blends the four steps around a query, and every peculiarity of these four is in the result; the four of the next
//! footprint have others. A database knows more: how the pelvis moves when steps get longer, how arms swing when they get
//! faster, is the same in all of its steps. So each recorded step is taken as what its parameters explain plus what is its
//! own,
//!
//! ```text
//!   rows_i = C phi(x_i) + own_i          phi: 1, x, and all products of two of x's numbers
//! ```
//!
//! and a step for a query q is what q explains plus the blend of what is the chosen steps' own:
//!
//! ```text
//!   rows(q) = C phi(q) + s sum_i w_i own_i = s sum_i w_i rows_i + C (phi(q) - s sum_i w_i phi(x_i))
//! ```
//!
//! The second form is how it is computed: the weighted sum of STRIDE 5.3 and 5.4, carried to what was asked for. The share
//! s ([`super::WalkOptions::individuality`]) is how much of the steps' own stays: at 1 one hears each recording, at 0 all
//! walk like the average person. x are the nine dimensions of STRIDE 5.1, headings as sine and cosine, and the two heights, whose
//! numbers of phi come last and are 0 for level steps. Their coefficients are fitted to what the others, which are fitted to level steps
//! alone, leave of steps up and down: stairs do not change how people walk on the level.
//!
//! C is a ridge regression: Tikhonov's, with the constant left free. On the recordings it lowers the mean error of walks by
//! an eighth against the four steps alone.
//!
//! Limits: parameters outside those of the database are taken as the nearest inside; what is missing then is for the foot
//! locking to do.

use super::query::N_HIGH;
use super::{CanonicalStep, StepTimes};
use nalgebra::{DMatrix, DVector};
use std::ops::Range;

/// Numbers of x, without its heights and with them.
const N_LEVEL: usize = 12;
const N_INPUTS: usize = N_LEVEL + 2;
/// Numbers of phi: the constant, x, and products.
pub(super) const N_BASIS: usize = 1 + N_INPUTS + N_INPUTS * (N_INPUTS + 1) / 2;
/// ...of these without heights.
const N_LEVEL_BASIS: usize = 1 + N_LEVEL + N_LEVEL * (N_LEVEL + 1) / 2;
/// With fewer level steps than this there is no walk on the level to be told from stairs, and all steps count.
const LEAST_LEVEL: usize = 20;
/// What inputs are multiplied by, which is how much the regression makes of them: per metre (three), of a heading's sine
/// and cosine (three), per second (three), per metre of height (two). Found by leaving out one actor after the other, but for the
/// heights: a stair counts as much as the length of a step.
const SCALES: [f64; N_HIGH] = [0.8, 0.9, 0.3, 0.5, 0.2, 0.3, 2.0, 1.5, 1.5, 3.0, 3.0];
/// Penalty on coefficients.
const RIDGE: f64 = 0.3;
/// How far beyond the steps' own range the model is asked, as a share of the range.
const BEYOND: f64 = 0.1;

/// The regression of one foot's steps.
#[derive(Clone, Debug)]
pub(super) struct StepModel {
    /// A row of all numbers of a step for each of phi's.
    coefficients: Vec<f32>,
    n_numbers: usize,
    ranges: [(f64, f64); N_HIGH],
}

impl StepModel {
    /// Fits the steps with the given numbers.
    pub(super) fn fit(all: &[CanonicalStep], steps: &[usize]) -> StepModel {
        let n_numbers = steps.first().map_or(0, |&step| all[step].rows.len());
        let mut ranges = [(f64::INFINITY, f64::NEG_INFINITY); N_HIGH];
        for &step in steps {
            for (range, value) in ranges.iter_mut().zip(all[step].high()) {
                *range = (range.0.min(value), range.1.max(value));
            }
        }
        for (k, range) in ranges.iter_mut().enumerate() {
            // Headings go round.
            let room = if (3..6).contains(&k) { f64::INFINITY } else { BEYOND * (range.1 - range.0) };
            *range = (range.0 - room, range.1 + room);
        }
        let mut model = StepModel { coefficients: vec![0.0; N_BASIS * n_numbers], n_numbers, ranges };
        let (level, climbing): (Vec<usize>, Vec<usize>) =
            steps.iter().partition(|&&step| all[step].heights == [0.0; 2]);
        let level = if level.len() < LEAST_LEVEL { steps } else { &level };
        model.fit_part(all, level, 0..N_LEVEL_BASIS);
        if !climbing.is_empty() {
            model.fit_part(all, &climbing, N_LEVEL_BASIS..N_BASIS);
        }
        model
    }

    /// Fits some of phi's numbers to what those before them leave of some steps.
    fn fit_part(&mut self, all: &[CanonicalStep], steps: &[usize], part: Range<usize>) {
        let mut inputs = DMatrix::zeros(steps.len(), N_BASIS);
        for (row, &step) in steps.iter().enumerate() {
            let basis = self.basis(&all[step].high());
            inputs.set_row(row, &DVector::from_row_slice(&basis).transpose());
        }
        let own = inputs.columns(part.start, part.len());
        let mut gram = own.tr_mul(&own);
        for k in 0..part.len() {
            // The constant is free, but for what keeps a single step solvable.
            gram[(k, k)] += if part.start + k == 0 { 1e-9 } else { RIDGE };
        }
        let Some(solver) = gram.cholesky() else { return };
        // Weights of the steps in each coefficient, and of the coefficients before.
        let weights = solver.solve(&own.transpose());
        let before = &weights * inputs.columns(0, part.start);
        let (known, rest) = self.coefficients.split_at_mut(part.start * self.n_numbers);
        let n_numbers = self.n_numbers.max(1);
        for (k, out) in rest.chunks_exact_mut(n_numbers).enumerate().take(part.len()) {
            for (row, &step) in steps.iter().enumerate() {
                add_scaled(weights[(k, row)] as f32, &all[step].rows, out);
            }
            for (j, known) in known.chunks_exact(n_numbers).enumerate() {
                add_scaled(-before[(k, j)] as f32, known, out);
            }
        }
    }

    /// phi.
    pub(super) fn basis(&self, high: &[f64; N_HIGH]) -> [f64; N_BASIS] {
        let mut x = [0.0; N_INPUTS];
        for k in 0..N_HIGH {
            let value = high[k].clamp(self.ranges[k].0, self.ranges[k].1);
            match k {
                0..3 => x[k] = SCALES[k] * value,
                3..6 => (x[k], x[k + 3]) = (SCALES[k] * value.sin(), SCALES[k] * value.cos()),
                _ => x[k + 3] = SCALES[k] * value,
            }
        }
        let mut basis = [0.0; N_BASIS];
        basis[0] = 1.0;
        basis[1..=N_LEVEL].copy_from_slice(&x[..N_LEVEL]);
        let mut next = N_LEVEL + 1;
        for i in 0..N_LEVEL {
            for j in i..N_LEVEL {
                basis[next] = x[i] * x[j];
                next += 1;
            }
        }
        // Heights last, so that level steps are what they are without them.
        for j in N_LEVEL..N_INPUTS {
            basis[next] = x[j];
            (0..=j).for_each(|i| basis[next + 1 + i] = x[i] * x[j]);
            next += 2 + j;
        }
        basis
    }

    /// What some numbers of a step are beyond what its parameters explain.
    pub(super) fn unexplained(&self, step: &CanonicalStep, numbers: Range<usize>) -> Vec<f32> {
        let mut own = step.rows[numbers.clone()].to_vec();
        let basis = self.basis(&step.high());
        for (scale, coefficients) in basis.iter().zip(self.coefficients.chunks_exact(self.n_numbers.max(1))) {
            add_scaled(-*scale as f32, &coefficients[numbers.clone()], &mut own);
        }
        own
    }

    /// Adds C times a vector to the rows of a step.
    pub(super) fn add_to(&self, basis: &[f64; N_BASIS], rows: &mut [f32]) {
        for (scale, coefficients) in basis.iter().zip(self.coefficients.chunks_exact(self.n_numbers.max(1))) {
            if *scale != 0.0 {
                add_scaled(*scale as f32, coefficients, rows);
            }
        }
    }
}

/// All dimensions of what is asked for, those that nobody asked for as the blended steps have them.
pub(super) fn completed(asked: &[Option<f64>; N_HIGH], times: &StepTimes, headings: &[f64; 3]) -> [f64; N_HIGH] {
    // Lengths and heights are always asked for.
    let own = [headings[0], headings[1], headings[2], times.first, times.swing, times.last];
    std::array::from_fn(|k| asked[k].unwrap_or_else(|| own[k - 3]))
}

/// Adds some of one row of numbers to another.
pub(super) fn add_scaled(scale: f32, numbers: &[f32], out: &mut [f32]) {
    for (sum, number) in out.iter_mut().zip(numbers) {
        *sum += scale * number;
    }
}
