//! How steps change with what is asked of them: a regression over all steps of one foot.
//!
//! STRIDE blends the four steps around a query, and every peculiarity of these four is in the result; the four of the next
//! footprint have others. A database knows more: how the pelvis moves when steps get longer, how arms swing when they get
//! faster, is the same in all of its steps. So each recorded step is taken as what its parameters explain plus what is its
//! own,
//!
//! ```text
//!   rows_i = C phi(x_i) + own_i          phi: 1, x, and the squares of the numbers that every step has
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
//! walk like the average person. x is what [`super::step_inputs`] says, and rows are seen in its facing frame: there they
//! are nearly linear in x. In the supporting frame even all products of two numbers explain less.
//!
//! C is a ridge regression: Tikhonov's, with the constant left free and every input in units of its own spread over the
//! database, so that nothing is tuned. Where the step before is not known, its place is the one that is likely from the
//! other numbers.
//!
//! Limits: parameters outside those of the database are taken as the nearest inside; what is missing then is for the foot
//! locking to do.

use super::CanonicalStep;
use super::step_inputs::{N_INPUTS, N_OWN, StepInputs, turn_places};
use nalgebra::{DMatrix, DVector};

/// Numbers of phi: the constant, x, and squares.
pub(super) const N_BASIS: usize = 1 + N_INPUTS + N_OWN;
/// Penalty on coefficients of inputs with a spread of 1.
const RIDGE: f64 = 20.0;
/// How far beyond the steps' own range the model is asked, as a share of the range.
const BEYOND: f64 = 0.1;
/// Inputs that spread less than this are left alone, in metres, radians or seconds: a database of one walk knows nothing of
/// others.
const MIN_SPREAD: f64 = 0.02;

/// An input's range, mean, and what its distance from the mean is multiplied by.
#[derive(Clone, Copy, Debug)]
struct Scale {
    least: f64,
    most: f64,
    mean: f64,
    by: f64,
}

impl Scale {
    fn of(values: impl Iterator<Item = f64> + Clone) -> Scale {
        let n = values.clone().count().max(1) as f64;
        let mean = values.clone().sum::<f64>() / n;
        let spread = (values.clone().map(|value| (value - mean).powi(2)).sum::<f64>() / n).sqrt();
        let (least, most) = values.fold((mean, mean), |(a, b), value| (a.min(value), b.max(value)));
        let room = BEYOND * (most - least);
        Scale { least: least - room, most: most + room, mean, by: 1.0 / spread.max(MIN_SPREAD) }
    }

    fn scaled(&self, value: f64) -> f64 {
        (value.clamp(self.least, self.most) - self.mean) * self.by
    }
}

/// The regression of one foot's steps.
#[derive(Clone, Debug)]
pub(super) struct StepModel {
    /// A row of all numbers of a step for each of phi's.
    coefficients: Vec<f32>,
    n_numbers: usize,
    width: usize,
    scales: [Scale; N_INPUTS],
    /// The place before that is likely from the other numbers, scaled: a constant and a factor for each.
    likely: [[f64; 1 + N_OWN]; N_INPUTS - N_OWN],
}

impl StepModel {
    /// Fits the steps with the given numbers. `inputs` are of all, `width` is that of a row.
    pub(super) fn fit(all: &[CanonicalStep], inputs: &[StepInputs], steps: &[usize], width: usize) -> StepModel {
        let n_numbers = steps.first().map_or(0, |&step| all[step].rows.len());
        let inputs: Vec<StepInputs> = steps.iter().map(|&step| inputs[step]).collect();
        let scales = std::array::from_fn(|k| match k.checked_sub(N_OWN) {
            None => Scale::of(inputs.iter().map(|input| input.numbers[k])),
            Some(k) => Scale::of(inputs.iter().filter_map(|input| input.before).map(|before| before[k])),
        });
        let mut model = StepModel {
            coefficients: vec![0.0; N_BASIS * n_numbers],
            n_numbers,
            width,
            scales,
            likely: [[0.0; 1 + N_OWN]; N_INPUTS - N_OWN],
        };
        model.fit_likely(&inputs);
        let mut basis = DMatrix::zeros(steps.len(), N_BASIS);
        for (row, input) in inputs.iter().enumerate() {
            basis.set_row(row, &DVector::from_row_slice(&model.basis(input)).transpose());
        }
        let Some(weights) = ridge_weights(&basis) else { return model };
        let mut rows = Vec::new();
        for (at, (&step, input)) in steps.iter().zip(&inputs).enumerate() {
            rows.clear();
            rows.extend_from_slice(&all[step].rows);
            turn_places(&mut rows, width, -input.facing);
            for (k, out) in model.coefficients.chunks_exact_mut(n_numbers.max(1)).enumerate() {
                add_scaled(weights[(k, at)] as f32, &rows, out);
            }
        }
        model
    }

    /// What is likely of the place before, from the steps that know it.
    fn fit_likely(&mut self, inputs: &[StepInputs]) {
        let known: Vec<(&StepInputs, [f64; N_INPUTS - N_OWN])> =
            inputs.iter().filter_map(|input| Some((input, input.before?))).collect();
        let own = DMatrix::from_fn(known.len(), 1 + N_OWN, |row, k| match k.checked_sub(1) {
            None => 1.0,
            Some(k) => self.scales[k].scaled(known[row].0.numbers[k]),
        });
        let Some(weights) = ridge_weights(&own) else { return };
        for (j, likely) in self.likely.iter_mut().enumerate() {
            for (k, factor) in likely.iter_mut().enumerate() {
                let values = known.iter().map(|(_, before)| self.scales[N_OWN + j].scaled(before[j]));
                *factor = values.enumerate().map(|(row, value)| weights[(k, row)] * value).sum();
            }
        }
    }

    /// phi.
    pub(super) fn basis(&self, input: &StepInputs) -> [f64; N_BASIS] {
        let own: [f64; N_OWN] = std::array::from_fn(|k| self.scales[k].scaled(input.numbers[k]));
        let before: [f64; N_INPUTS - N_OWN] = std::array::from_fn(|j| match input.before {
            Some(before) => self.scales[N_OWN + j].scaled(before[j]),
            None => self.likely[j][0] + self.likely[j][1..].iter().zip(own).map(|(a, b)| a * b).sum::<f64>(),
        });
        let mut basis = [1.0; N_BASIS];
        basis[1..=N_OWN].copy_from_slice(&own);
        basis[1 + N_OWN..=N_INPUTS].copy_from_slice(&before);
        basis[1 + N_INPUTS..].iter_mut().zip(own).for_each(|(square, x)| *square = x * x);
        basis
    }

    /// What a step is beyond what its inputs explain, in its facing frame.
    pub(super) fn unexplained(&self, step: &CanonicalStep, input: &StepInputs) -> Vec<f32> {
        let mut own = step.rows.to_vec();
        turn_places(&mut own, self.width, -input.facing);
        self.add_to(&self.basis(input).map(|value| -value), &mut own);
        own
    }

    /// Adds C times a vector to the rows of a step, which are in its facing frame.
    pub(super) fn add_to(&self, basis: &[f64; N_BASIS], rows: &mut [f32]) {
        for (scale, coefficients) in basis.iter().zip(self.coefficients.chunks_exact(self.n_numbers.max(1))) {
            if *scale != 0.0 {
                add_scaled(*scale as f32, coefficients, rows);
            }
        }
    }
}

/// (F'F + ridge)^-1 F': what each sample counts in each coefficient. The first, the constant, is free but for what keeps a
/// single sample solvable.
fn ridge_weights(samples: &DMatrix<f64>) -> Option<DMatrix<f64>> {
    let mut gram = samples.tr_mul(samples);
    for k in 0..gram.nrows() {
        gram[(k, k)] += if k == 0 { 1e-9 } else { RIDGE };
    }
    Some(gram.cholesky()?.solve(&samples.transpose()))
}

/// Adds some of one row of numbers to another.
pub(super) fn add_scaled(scale: f32, numbers: &[f32], out: &mut [f32]) {
    for (sum, number) in out.iter_mut().zip(numbers) {
        *sum += scale * number;
    }
}
