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
//! database. Where the step before is not known, its place is the one that is likely from the other numbers.
//!
//! Numbers of phi with heights come last and are 0 for level steps. Their coefficients are fitted to what the others, which are
//! fitted to level steps alone, leave of steps up and down: stairs do not change how people walk on the level.
//!
//! Limits: parameters outside those of the database are taken as the nearest inside, for squares do not go on as steps do: feet of
//! strides a tenth longer than any recorded would point straight down. What is missing then is for the foot locking to do.

use super::CanonicalStep;
use super::step_inputs::{N_OWN, N_PLACE, StepInputs, turn_places};
use nalgebra::{DMatrix, DVector};
use std::ops::Range;

/// Numbers of phi without heights: the constant, the numbers that every step has and their squares, the place before.
const N_LEVEL: usize = 1 + 2 * N_OWN + N_PLACE;
/// ...and with them: both, the three products of them, and both times the numbers that every step has.
pub(super) const N_BASIS: usize = N_LEVEL + 5 + 2 * N_OWN;
/// Numbers of a step whose coefficients lie together.
const BLOCK: usize = 32;
/// With fewer level steps than this there is no walk on the level to be told from stairs, and all steps count.
const LEAST_LEVEL: usize = 20;
/// Penalty on coefficients of inputs with a spread of 1.
const RIDGE: f64 = 20.0;
/// ...of heights. Recorded climbs are few and of few people: with 20 their walks are a fifth farther from recordings.
const HEIGHT_RIDGE: f64 = 300.0;
/// Inputs that spread less than this are left alone, in metres, radians or seconds: a database of one walk knows nothing of
/// others.
const MIN_SPREAD: f64 = 0.02;
/// A height that counts as much as the spread of another input, in metres: half a stair.
const HEIGHT: f64 = 0.08;

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
        Scale { least, most, mean, by: 1.0 / spread.max(MIN_SPREAD) }
    }

    fn scaled(&self, value: f64) -> f64 {
        (value.clamp(self.least, self.most) - self.mean) * self.by
    }
}

/// The regression of one foot's steps.
#[derive(Clone, Debug)]
pub(super) struct StepModel {
    /// For each of a step's numbers, [`BLOCK`] at a time, those of each of phi's. Sums of a block stay where they are computed, and
    /// memory is read in a row.
    coefficients: Vec<[[f32; BLOCK]; N_BASIS]>,
    width: usize,
    numbers: [Scale; N_OWN],
    before: [Scale; N_PLACE],
    heights: [Scale; 2],
    /// The place before that is likely from the other numbers, scaled: a constant and a factor for each.
    likely: [[f64; 1 + N_OWN]; N_PLACE],
}

impl StepModel {
    /// Fits the steps with the given numbers. `inputs` are of all, `width` is that of a row.
    pub(super) fn fit(all: &[CanonicalStep], inputs: &[StepInputs], steps: &[usize], width: usize) -> StepModel {
        let n_numbers = steps.first().map_or(0, |&step| all[step].rows.len());
        let of = |of: &dyn Fn(&StepInputs) -> Option<f64>| {
            Scale::of(steps.iter().filter_map(|&step| of(&inputs[step])).collect::<Vec<_>>().into_iter())
        };
        let mut model = StepModel {
            coefficients: vec![[[0.0; BLOCK]; N_BASIS]; n_numbers.div_ceil(BLOCK)],
            width,
            numbers: std::array::from_fn(|k| of(&|input| Some(input.numbers[k]))),
            before: std::array::from_fn(|k| of(&|input| Some(input.before?[k]))),
            // Counted from the level, whatever the steps' mean.
            heights: std::array::from_fn(|k| Scale {
                mean: 0.0,
                by: 1.0 / HEIGHT,
                ..of(&|input| Some(input.heights[k]))
            }),
            likely: [[0.0; 1 + N_OWN]; N_PLACE],
        };
        model.fit_likely(steps.iter().map(|&step| &inputs[step]));
        let (level, climbing): (Vec<usize>, Vec<usize>) =
            steps.iter().partition(|&&step| all[step].heights == [0.0; 2]);
        let level = if level.len() < LEAST_LEVEL { steps } else { &level };
        model.fit_part(all, inputs, level, 0..N_LEVEL);
        if !climbing.is_empty() {
            model.fit_part(all, inputs, &climbing, N_LEVEL..N_BASIS);
        }
        model
    }

    /// Fits some of phi's numbers to what those before them leave of some steps.
    fn fit_part(&mut self, all: &[CanonicalStep], inputs: &[StepInputs], steps: &[usize], part: Range<usize>) {
        let mut samples = DMatrix::zeros(steps.len(), part.len());
        for (row, &step) in steps.iter().enumerate() {
            let basis = self.basis(&inputs[step]);
            samples.set_row(row, &DVector::from_row_slice(&basis[part.clone()]).transpose());
        }
        let is_level = part.start == 0;
        let ridge = if is_level { RIDGE } else { HEIGHT_RIDGE };
        let Some(weights) = ridge_weights(&samples, ridge, is_level) else { return };
        let n_numbers = steps.first().map_or(0, |&step| all[step].rows.len()).max(1);
        let mut fitted = vec![0.0; part.len() * n_numbers];
        for (at, &step) in steps.iter().enumerate() {
            let left = self.unexplained(&all[step], &inputs[step]);
            for (k, out) in fitted.chunks_exact_mut(n_numbers).enumerate() {
                add_scaled(weights[(k, at)] as f32, &left, out);
            }
        }
        for (k, fitted) in part.zip(fitted.chunks_exact(n_numbers)) {
            for (block, fitted) in self.coefficients.iter_mut().zip(fitted.chunks(BLOCK)) {
                block[k][..fitted.len()].copy_from_slice(fitted);
            }
        }
    }

    /// What is likely of the place before, from the steps that know it.
    fn fit_likely<'a>(&mut self, inputs: impl Iterator<Item = &'a StepInputs>) {
        let known: Vec<(&StepInputs, [f64; N_PLACE])> =
            inputs.filter_map(|input| Some((input, input.before?))).collect();
        let own = DMatrix::from_fn(known.len(), 1 + N_OWN, |row, k| match k.checked_sub(1) {
            None => 1.0,
            Some(k) => self.numbers[k].scaled(known[row].0.numbers[k]),
        });
        let Some(weights) = ridge_weights(&own, RIDGE, true) else { return };
        for (j, likely) in self.likely.iter_mut().enumerate() {
            for (k, factor) in likely.iter_mut().enumerate() {
                let values = known.iter().map(|(_, before)| self.before[j].scaled(before[j]));
                *factor = values.enumerate().map(|(row, value)| weights[(k, row)] * value).sum();
            }
        }
    }

    /// phi.
    pub(super) fn basis(&self, input: &StepInputs) -> [f64; N_BASIS] {
        let own: [f64; N_OWN] = std::array::from_fn(|k| self.numbers[k].scaled(input.numbers[k]));
        let before: [f64; N_PLACE] = std::array::from_fn(|j| match input.before {
            Some(before) => self.before[j].scaled(before[j]),
            None => self.likely[j][0] + self.likely[j][1..].iter().zip(own).map(|(a, b)| a * b).sum::<f64>(),
        });
        let [from, to]: [f64; 2] = std::array::from_fn(|k| self.heights[k].scaled(input.heights[k]));
        let numbers = std::iter::once(1.0).chain(own).chain(own.map(|x| x * x)).chain(before);
        let heights = [from, to, from * from, from * to, to * to];
        let products = own.into_iter().flat_map(|x| [x * from, x * to]);
        let mut basis = [0.0; N_BASIS];
        basis.iter_mut().zip(numbers.chain(heights).chain(products)).for_each(|(out, number)| *out = number);
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
        // Those with heights are 0 between level steps.
        let n_used = basis.iter().rposition(|scale| *scale != 0.0).map_or(0, |last| last + 1);
        let scales = basis.map(|scale| scale as f32);
        let add = |coefficients: &[[f32; BLOCK]; N_BASIS], sums: &mut [f32; BLOCK]| {
            for j in 0..n_used {
                let (scale, coefficients) = (scales[j], &coefficients[j]);
                (0..BLOCK).for_each(|k| sums[k] += scale * coefficients[k]);
            }
        };
        let (blocks, rest) = rows.as_chunks_mut::<BLOCK>();
        let mut coefficients = self.coefficients.iter();
        for (sums, coefficients) in blocks.iter_mut().zip(&mut coefficients) {
            let mut here = *sums;
            add(coefficients, &mut here);
            *sums = here;
        }
        if let Some(coefficients) = coefficients.next() {
            let mut sums = [0.0; BLOCK];
            sums[..rest.len()].copy_from_slice(rest);
            add(coefficients, &mut sums);
            rest.copy_from_slice(&sums[..rest.len()]);
        }
    }
}

/// (F'F + ridge)^-1 F': what each sample counts in each coefficient. A constant in the first place is free but for what keeps a
/// single sample solvable.
fn ridge_weights(samples: &DMatrix<f64>, ridge: f64, has_constant: bool) -> Option<DMatrix<f64>> {
    let mut gram = samples.tr_mul(samples);
    for k in 0..gram.nrows() {
        gram[(k, k)] += if k == 0 && has_constant { 1e-9 } else { ridge };
    }
    Some(gram.cholesky()?.solve(&samples.transpose()))
}

/// Adds some of one row of numbers to another.
pub(super) fn add_scaled(scale: f32, numbers: &[f32], out: &mut [f32]) {
    for (sum, number) in out.iter_mut().zip(numbers) {
        *sum += scale * number;
    }
}

#[cfg(test)]
mod tests {
    use super::super::step_inputs::places_before;
    use super::super::step_rows::RowLayout;
    use super::*;
    use crate::{StepSource, StepTimes};
    use surefoot_geom::{Quat, Random, Vec3};
    use surefoot_motion::Side;
    use surefoot_plan::StepParameters;

    const WIDTH: usize = 29;

    /// Steps whose pelvis is halfway between the feet, seen from the body, and higher for one that climbs.
    fn steps(n: usize, seed: u64, climb: f64) -> Vec<CanonicalStep> {
        let mut random = Random::new(seed);
        let step = |index: usize| {
            let mut within = |least: f64, most: f64| least + (most - least) * random.unit();
            let from = Vec3::new(within(0.15, 0.3), 0.0, within(-0.8, -0.3));
            let to = Vec3::new(within(0.15, 0.3), 0.0, within(0.3, 0.8));
            // The supporting frame has the foot that lifts on its x axis.
            let facing = (-from.z).atan2(from.x);
            let [from, to] = [from, to].map(|place| Quat::from_rotation_y(-facing) * place);
            let parameters = StepParameters::from_places(Side::Left, from, to);
            let times = StepTimes { first: within(0.1, 0.2), swing: within(0.35, 0.5), last: within(0.1, 0.2) };
            let mut rows = vec![0.0; 2 * WIDTH];
            for (row, share) in rows.chunks_exact_mut(WIDTH).zip([0.0, 1.0]) {
                let place = 0.5 * from.lerp(to, share);
                (row[0], row[1], row[2]) = (place.x as f32, (0.9 + 0.5 * climb) as f32, place.z as f32);
            }
            let source = StepSource { take: "a".into(), frames: 10 * index..10 * index + 5, mirrored: false };
            let heights = [0.0, climb];
            CanonicalStep { source, parameters, headings: [-facing; 3], heights, times, rows: rows.into() }
        };
        (0..n).map(step).collect()
    }

    fn fit(all: &[CanonicalStep]) -> (StepModel, Vec<StepInputs>) {
        let inputs: Vec<StepInputs> =
            all.iter().zip(places_before(all)).map(|(step, before)| StepInputs::of(step, before)).collect();
        let numbers: Vec<usize> = (0..all.len()).collect();
        (StepModel::fit(all, &inputs, &numbers, WIDTH), inputs)
    }

    #[test]
    fn what_feet_tell_is_explained_and_stairs_change_nothing_on_the_level() {
        assert!(RowLayout::PLACES.iter().all(|place| place + 2 < WIDTH));
        let level = steps(400, 1, 0.0);
        let (alone, inputs) = fit(&level);
        let most = |model: &StepModel, steps: &[CanonicalStep], inputs: &[StepInputs]| {
            let left = steps.iter().zip(inputs).flat_map(|(step, input)| model.unexplained(step, input));
            left.fold(0.0_f32, |most, number| most.max(number.abs()))
        };
        // Half a metre of pelvis from one end to the other; the ridge leaves a little.
        assert!(most(&alone, &level, &inputs) < 0.03, "{}", most(&alone, &level, &inputs));
        let climbing = steps(100, 2, 0.17);
        let both: Vec<CanonicalStep> = level.iter().chain(&climbing).cloned().collect();
        let (mixed, inputs) = fit(&both);
        let own = most(&mixed, &climbing, &inputs[400..]);
        assert!(own < 0.05, "climbing: {own}");
        for (step, input) in level.iter().zip(&inputs) {
            let (a, b) = (alone.unexplained(step, input), mixed.unexplained(step, input));
            assert!(a.iter().zip(&b).all(|(a, b)| (a - b).abs() < 0.01), "{a:?} {b:?}");
        }
    }
}
