//! Steps by a Gaussian process: what a regression makes of the same numbers, without choosing or blending anything.
//!
//! Reference: Rasmussen and Williams, "Gaussian Processes for Machine Learning" (2006), algorithm 2.1, the mean prediction. There to be
//! compared with ([`super::Method::GaussianProcess`]).
//!
//! Idea: steps with similar parameters have similar rows. How similar is given by an anisotropic squared exponential of the nine
//! dimensions of STRIDE 5.1 and of both heights, headings as sine and cosine, plus a linear term, which is what rows follow where no step is near:
//!
//! ```text
//!   k(x, y) = exp(-|x - y|^2 / 2) + LINEAR x.y        x, y: inputs multiplied by SCALES
//!   rows(q) = mean + sum_i w_i (rows_i - mean)        w = (K + NOISE I)^-1 k(q)
//! ```
//!
//! 1. [`StepRegression::fit`]: the Cholesky factor of K + NOISE I over all steps of one foot.
//! 2. [`StepRegression::predict`]: the weights w of a query, and the weighted sum.
//!
//! Limits: a prediction costs the square of the number of steps, a fit its cube. All steps of a database count, so that everybody
//! walks like the average person.

use super::CanonicalStep;
use super::query::N_HIGH;
use nalgebra::linalg::Cholesky;
use nalgebra::{DMatrix, DVector, Dyn};

/// Numbers of x.
const N_INPUTS: usize = 14;
/// What inputs are multiplied by: per metre (three), of a heading's sine and cosine (three), per second (three), per metre of
/// height (two, as in `step_model`). All but the heights and the
/// two numbers below are those with the least mean joint error on the recordings with their actors left out, found by coordinate
/// search: 6.04 cm, where scales of 1 per metre, 0.6 and 2 per second have 6.31.
const SCALES: [f64; N_HIGH] = [1.0, 0.5, 1.0, 0.3, 0.15, 0.15, 1.0, 2.0, 0.25, 3.0, 3.0];
/// Of the linear term.
const LINEAR: f64 = 0.03;
/// Variance of what the parameters do not explain, over that of what they do.
const NOISE: f64 = 0.1;

/// The regression of one foot's steps.
#[derive(Clone, Debug)]
pub(super) struct StepRegression {
    inputs: Vec<[f64; N_INPUTS]>,
    /// `None` where rounding left the matrix without a factor; then all steps count alike.
    factor: Option<Cholesky<f64, Dyn>>,
}

impl StepRegression {
    /// Fits the steps with the given numbers.
    pub(super) fn fit(all: &[CanonicalStep], steps: &[usize]) -> StepRegression {
        let inputs: Vec<[f64; N_INPUTS]> = steps.iter().map(|&step| inputs_of(&all[step].high())).collect();
        let n = inputs.len();
        let gram = DMatrix::from_fn(n, n, |i, j| kernel(&inputs[i], &inputs[j]) + if i == j { NOISE } else { 0.0 });
        StepRegression { factor: gram.cholesky(), inputs }
    }

    /// Fills `rows` with the step for the numbers of a query. `steps` are the numbers of those that were fitted.
    pub(super) fn predict(&self, all: &[CanonicalStep], steps: &[usize], high: &[f64; N_HIGH], rows: &mut Vec<f32>) {
        let n = self.inputs.len();
        let x = inputs_of(high);
        let near = DVector::from_iterator(n, self.inputs.iter().map(|input| kernel(&x, input)));
        let weights = self.factor.as_ref().map_or(DVector::zeros(n), |factor| factor.solve(&near));
        // What is left of 1 belongs to the mean, in which all steps count alike.
        let rest = (1.0 - weights.sum()) / n.max(1) as f64;
        rows.clear();
        rows.resize(steps.first().map_or(0, |&step| all[step].rows.len()), 0.0);
        for (&step, weight) in steps.iter().zip(weights.iter()) {
            let weight = (weight + rest) as f32;
            rows.iter_mut().zip(&*all[step].rows).for_each(|(sum, value)| *sum += weight * value);
        }
    }
}

fn inputs_of(high: &[f64; N_HIGH]) -> [f64; N_INPUTS] {
    let mut x = [0.0; N_INPUTS];
    for k in 0..N_HIGH {
        match k {
            0..3 => x[k] = SCALES[k] * high[k],
            3..6 => (x[k], x[k + 3]) = (SCALES[k] * high[k].sin(), SCALES[k] * high[k].cos()),
            _ => x[k + 3] = SCALES[k] * high[k],
        }
    }
    x
}

fn kernel(a: &[f64; N_INPUTS], b: &[f64; N_INPUTS]) -> f64 {
    let (mut apart, mut along) = (0.0, 0.0);
    for (a, b) in a.iter().zip(b) {
        apart += (a - b) * (a - b);
        along += a * b;
    }
    (-0.5 * apart).exp() + LINEAR * along
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{StepSource, StepTimes};
    use surefoot_geom::Vec3;
    use surefoot_motion::Side;
    use surefoot_plan::StepParameters;

    /// Steps of growing length, whose one number is the length.
    fn steps() -> Vec<CanonicalStep> {
        let step = |k: usize| {
            let length = 0.3 + 0.05 * k as f64;
            let (from, to) = (Vec3::new(0.2, 0.0, 0.0), Vec3::new(0.2, 0.0, length));
            CanonicalStep {
                source: StepSource { take: "walk".into(), frames: 0..1, mirrored: false },
                parameters: StepParameters::from_places(Side::Left, from, to),
                headings: [0.0; 3],
                heights: [0.0; 2],
                times: StepTimes { first: 0.1, swing: 0.4, last: 0.1 },
                rows: vec![length as f32].into(),
            }
        };
        (0..12).map(step).collect()
    }

    #[test]
    fn a_prediction_follows_its_steps_and_is_their_mean_where_nothing_differs() {
        let all = steps();
        let numbers: Vec<usize> = (0..all.len()).collect();
        let regression = StepRegression::fit(&all, &numbers);
        let mut rows = Vec::new();
        let mut predict = |step: &CanonicalStep| {
            regression.predict(&all, &numbers, &step.high(), &mut rows);
            rows[0]
        };
        let made: Vec<f32> = all.iter().map(&mut predict).collect();
        assert!(made.windows(2).all(|pair| pair[1] > pair[0]), "{made:?}");
        // Noise draws predictions to the mean.
        for (step, made) in all.iter().zip(&made) {
            assert!((made - step.rows[0]).abs() < 0.15, "{made} {:?}", step.rows);
        }
        let mean: f32 = all.iter().map(|step| step.rows[0]).sum::<f32>() / all.len() as f32;
        assert!((made.iter().sum::<f32>() / made.len() as f32 - mean).abs() < 0.02, "{made:?} {mean}");
    }

    #[test]
    fn one_step_is_predicted_as_it_is() {
        let all = &steps()[..1];
        let mut rows = Vec::new();
        StepRegression::fit(all, &[0]).predict(all, &[0], &all[0].high(), &mut rows);
        assert!((rows[0] - all[0].rows[0]).abs() < 1e-6, "{rows:?}");
    }
}
