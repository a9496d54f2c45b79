//! One step out of several: the weighted sum of their rows, carried to what was asked for.
//!
//! Reference: STRIDE 5.3 (rotations in the exponential map), 5.4 (positions of the feet), 5.5 (times).
//!
//! 1. Rows are summed as they are: they are linear in all they hold ([`super::RowLayout`]).
//! 2. What the chosen steps' parameters differ by from the query is made up for by [`super::step_model`]. The paper does
//!    without, and so do the methods that are there to compare with.
//! 3. Feet get rates that go over where one lifts and lands ([`super::even_rates`]).
//! 4. The swinging foot is led to its ends ([`BlendedStep::lead_to`]): rounding inside the hull, more for a step that only
//!    came near.

use super::choose::Choice;
use super::even_rates::even_rates;
use super::resample::resample_row;
use super::step_inputs::{StepInputs, turn_places};
use super::step_model::add_scaled;
use super::step_rows::{RowHeadings, RowLayout, RowSigns};
use super::{LinearPose, N_ROWS, N_SUPPORT, N_SWING, StepDatabase, StepQuery, StepTimes, Style, WalkOptions};
use surefoot_geom::{Vec3, smoothstep, turn_between};
use surefoot_motion::Side;

/// A blended step in its supporting frame.
#[derive(Clone, Debug, Default)]
pub(super) struct BlendedStep {
    /// As those of a canonical step.
    pub(super) rows: Vec<f32>,
    pub(super) times: StepTimes,
    /// Of the supporting foot, and of the swinging one before and after.
    pub(super) headings: [f64; 3],
}

/// Fills `out` with the blend of a choice.
pub(super) fn blend_steps(database: &StepDatabase, choice: &Choice, out: &mut BlendedStep) {
    sum_rows(database, choice, 1.0, &mut out.rows);
    blend_times(database, choice, out);
}

/// Times and headings of the blend.
fn blend_times(database: &StepDatabase, choice: &Choice, out: &mut BlendedStep) {
    let steps = database.steps();
    let parts = choice.parts();
    let heaviest = choice.heaviest();
    let sum = |of: &dyn Fn(usize) -> f64| parts.iter().map(|part| part.weight * of(part.step)).sum::<f64>();
    // Extrapolated durations stay durations.
    let time = |of: fn(&StepTimes) -> f64| sum(&|step| of(&steps[step].times)).max(0.2 * of(&steps[heaviest].times));
    out.times = StepTimes { first: time(|t| t.first), swing: time(|t| t.swing), last: time(|t| t.last) };
    out.headings = std::array::from_fn(|k| {
        let about = steps[heaviest].headings[k];
        about + sum(&|step| turn_between(about, steps[step].headings[k]))
    });
}

/// The same, carried to the query: a share of what is the chosen steps' own stays, and headings turn as far to those asked
/// for as they weigh. Returns what it was carried to.
pub(super) fn blend_carried(
    database: &StepDatabase,
    query: &StepQuery,
    choice: &Choice,
    style: Option<&Style>,
    options: &WalkOptions,
    out: &mut BlendedStep,
) -> StepInputs {
    let share = options.individuality;
    let times = blend_targets(database, query, choice, options, out);
    let swing = query.parameters.swing;
    let model = database.model(swing);
    let asked = StepInputs::new(&query.parameters, &out.headings, &times, query.heights, query.before);
    let mut basis = model.basis(&asked);
    let width = database.layout().width();
    sum_rows(database, choice, share, &mut out.rows);
    face_ahead(database, choice, share, &mut out.rows);
    if let Some(style) = style {
        add_scaled((options.style_share - share) as f32, style.person(swing), &mut out.rows);
    }
    for part in choice.parts() {
        // As much of a person as of her steps is what the blend has already.
        if style.is_none() && options.personality != share {
            let person = database.people()[database.person_of(part.step)].person(swing);
            add_scaled(((options.personality - share) * part.weight) as f32, person, &mut out.rows);
        }
        let own = model.basis(&database.inputs(part.step));
        basis.iter_mut().zip(own).for_each(|(sum, own)| *sum -= share * part.weight * own);
    }
    model.add_to(&basis, &mut out.rows);
    turn_places(&mut out.rows, width, asked.facing);
    if options.filters {
        even_rates(&mut out.rows, width, &out.times);
    }
    asked
}

/// The plain sum of STRIDE 5.3 and 5.4, with headings turned as far to those asked for as they weigh.
pub(super) fn blend_turned(
    database: &StepDatabase,
    query: &StepQuery,
    choice: &Choice,
    options: &WalkOptions,
    out: &mut BlendedStep,
) {
    let _ = blend_targets(database, query, choice, options, out);
    sum_rows(database, choice, 1.0, &mut out.rows);
}

/// Rows by [`super::step_regression`] instead, with the times and headings that carried ones have.
pub(super) fn blend_regressed(
    database: &StepDatabase,
    query: &StepQuery,
    choice: &Choice,
    options: &WalkOptions,
    out: &mut BlendedStep,
) {
    let times = blend_targets(database, query, choice, options, out);
    let ([a, b, c], p) = (out.headings, query.parameters.point());
    let [from, to] = query.heights;
    let high = [p.x, p.y, p.z, a, b, c, times.first, times.swing, times.last, from, to];
    let space = database.space(query.parameters.swing);
    space.regression(database.steps()).predict(database.steps(), space.steps(), &high, &mut out.rows);
}

/// Times and headings of the blend of a choice, the headings turned as far to those asked for as they weigh. Returns the times that are asked for,
/// those that nobody asked for as the blended steps have them.
fn blend_targets(
    database: &StepDatabase,
    query: &StepQuery,
    choice: &Choice,
    options: &WalkOptions,
    out: &mut BlendedStep,
) -> StepTimes {
    blend_times(database, choice, out);
    for (heading, asked) in out.headings.iter_mut().zip(query.headings) {
        *heading += options.heading_weight * asked.map_or(0.0, |asked| turn_between(*heading, asked));
    }
    let ([first, swing, last], own) = (query.times, out.times);
    StepTimes { first: first.unwrap_or(own.first), swing: swing.unwrap_or(own.swing), last: last.unwrap_or(own.last) }
}

/// The places of a weighted sum of rows with each step seen in its facing frame.
fn face_ahead(database: &StepDatabase, choice: &Choice, scale: f64, rows: &mut [f32]) {
    let width = database.layout().width();
    for row in rows.chunks_exact_mut(width) {
        RowLayout::PLACES.into_iter().for_each(|k| (row[k], row[k + 2]) = (0.0, 0.0));
    }
    for part in choice.parts() {
        let (sine, cosine) = (-database.inputs(part.step).facing).sin_cos();
        let [sine, cosine] = [sine, cosine].map(|value| (scale * part.weight * value) as f32);
        let own = database.steps()[part.step].rows.chunks_exact(width);
        for (row, own) in rows.chunks_exact_mut(width).zip(own) {
            for k in RowLayout::PLACES {
                row[k] += cosine * own[k] + sine * own[k + 2];
                row[k + 2] += cosine * own[k + 2] - sine * own[k];
            }
        }
    }
}

fn sum_rows(database: &StepDatabase, choice: &Choice, scale: f64, rows: &mut Vec<f32>) {
    rows.resize(N_ROWS * database.layout().width(), 0.0);
    let mut parts = choice.parts().iter().map(|part| ((scale * part.weight) as f32, &database.steps()[part.step].rows));
    if let Some((scale, first)) = parts.next() {
        rows.iter_mut().zip(&**first).for_each(|(sum, number)| *sum = scale * number);
    }
    parts.for_each(|(scale, numbers)| add_scaled(scale, numbers, rows));
}

impl BlendedStep {
    /// The pose at a fractional row.
    pub(super) fn sample(
        &self,
        swing: Side,
        layout: RowLayout,
        index: f64,
        row: &mut Vec<f32>,
        pose: &mut LinearPose,
    ) -> RowSigns {
        row.resize(layout.width(), 0.0);
        let times = &self.times;
        resample_row(&self.rows, layout.width(), index, |k| times.interval(k), row);
        layout.read(row, &RowHeadings::new(swing, self.headings, index), pose)
    }

    /// Leads the swinging foot from where it is asked to start to where it is asked to end, and the pelvis half as far:
    /// nothing but rounding inside the hull, and all of the distance for a step that only came near.
    pub(super) fn lead_to(&mut self, query: &StepQuery, width: usize) {
        let side = query.parameters.swing;
        let ball = RowLayout::ball_of(side);
        let place = |row: usize| {
            let numbers = &self.rows[row * width + ball..][..3];
            Vec3::new(f64::from(numbers[0]), 0.0, f64::from(numbers[2]))
        };
        let outward = if side == Side::Left { 1.0 } else { -1.0 };
        let point = query.parameters.point();
        let from = Vec3::new(outward * point.x, 0.0, 0.0) - place(0);
        let to = Vec3::new(outward * point.y, 0.0, point.z) - place(N_ROWS - 1);
        if from.length().max(to.length()) < 1e-9 {
            return;
        }
        for (index, row) in self.rows.chunks_exact_mut(width).enumerate() {
            let share = smoothstep((index as f64 - N_SUPPORT as f64) / N_SWING as f64);
            let offset = from.lerp(to, share);
            for k in [0, 2] {
                row[ball + k] += offset[k] as f32;
                row[k] += (0.5 * offset[k]) as f32;
            }
        }
    }
}
