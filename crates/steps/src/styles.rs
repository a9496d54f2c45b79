//! The people of a database: whose step each one is, and how each of them differs from the rest.
//!
//! People differ more than steps do: one leans over his feet by 4 cm more than another in every step, one carries her arms
//! wide. What a step's parameters do not explain ([`super::step_model`]) is therefore split once more,
//!
//! ```text
//!   rows_i = C phi(x_i) + person(i) + own_i            person = sum of (rows_i - C phi(x_i)) / (n + SHRINK)
//! ```
//!
//! so that a walk can keep all of the person whom it is asked to be like, and less of the single steps. A person with few steps
//! is taken to be nearer to the average one.

use super::step_inputs::StepInputs;
use super::step_model::{StepModel, add_scaled};
use super::{CanonicalStep, StepSpace, actor_of};
use std::sync::Arc;
use surefoot_geom::map_in_parallel;
use surefoot_motion::{PerSide, Side};

/// Steps that the average person counts for in everybody's mean.
const SHRINK: f64 = 2.0;

/// The steps of one person, or of one take.
#[derive(Clone, Debug)]
pub struct Style {
    /// The person's ([`actor_of`]), or the take's.
    pub name: Arc<str>,
    spaces: PerSide<Arc<StepSpace>>,
    /// What the person adds to the rows of a step.
    persons: PerSide<Vec<f32>>,
}

impl Style {
    pub(super) fn new(
        name: &str,
        all: &[CanonicalStep],
        steps: &[usize],
        explained: (&[StepInputs], &PerSide<StepModel>),
    ) -> Style {
        let mut sides = PerSide::<Vec<usize>>::default();
        steps.iter().for_each(|&step| sides[all[step].swing()].push(step));
        Style::in_spaces(name, all, sides.map(|steps| Arc::new(StepSpace::new(all, steps))), explained)
    }

    fn in_spaces(
        name: &str,
        all: &[CanonicalStep],
        spaces: PerSide<Arc<StepSpace>>,
        (inputs, models): (&[StepInputs], &PerSide<StepModel>),
    ) -> Style {
        let persons = PerSide::from_fn(|side| person(all, spaces[side].steps(), inputs, &models[side]));
        Style { name: name.into(), persons, spaces }
    }

    /// The steps that swing a foot; there may be none.
    pub fn space(&self, side: Side) -> &StepSpace {
        &self.spaces[side]
    }

    /// How many steps there are.
    pub fn n_steps(&self) -> usize {
        Side::BOTH.into_iter().map(|side| self.spaces[side].steps().len()).sum()
    }

    pub(super) fn person(&self, side: Side) -> &[f32] {
        &self.persons[side]
    }
}

/// The people of some steps in the order of their first ones, and whose each step is. `spaces` are those of all steps.
pub(super) fn find_people(
    all: &[CanonicalStep],
    inputs: &[StepInputs],
    models: &PerSide<StepModel>,
    spaces: &PerSide<Arc<StepSpace>>,
) -> (Vec<Arc<Style>>, Vec<u32>) {
    let mut people: Vec<(&str, Vec<usize>)> = Vec::new();
    let mut person_of = Vec::with_capacity(all.len());
    for (index, step) in all.iter().enumerate() {
        let name = actor_of(&step.source.take);
        // Steps of one person follow each other.
        let known = people.iter().rposition(|(known, _)| *known == name).unwrap_or_else(|| {
            people.push((name, Vec::new()));
            people.len() - 1
        });
        people[known].1.push(index);
        person_of.push(known as u32);
    }
    let explained = (inputs, models);
    let styles = match &people[..] {
        [(name, _)] => vec![Arc::new(Style::in_spaces(name, all, spaces.clone(), explained))],
        _ => map_in_parallel(&people, |(name, steps)| Arc::new(Style::new(name, all, steps, explained))),
    };
    (styles, person_of)
}

/// The shrunken mean of what the model does not explain, in the facing frame.
fn person(all: &[CanonicalStep], steps: &[usize], inputs: &[StepInputs], model: &StepModel) -> Vec<f32> {
    let n_numbers = all.first().map_or(0, |step| step.rows.len());
    let mut mean = vec![0.0; n_numbers];
    let scale = (1.0 / (steps.len() as f64 + SHRINK)) as f32;
    for &step in steps {
        add_scaled(scale, &model.unexplained(&all[step], &inputs[step]), &mut mean);
    }
    mean
}
