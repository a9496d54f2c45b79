//! Which steps are blended for a plan that is known to its end: a search over several candidates for each footprint.
//!
//! Step by step the best blend is that of the nearest steps, whoever's they are; then a walk changes its person with every
//! footprint, and postures meet that never met. So there are several candidates for each footprint: the nearest steps of
//! all, and those of each of the people who suit the plan best. Dynamic programming (Viterbi) finds the path through them
//! with the least sum of
//!
//! - fit: mean D_high of the blended steps, and how far the footprint is outside the steps' hull;
//! - posture and velocity: what the own parts of two blends differ by at the ends of the double support that they share
//!   ([`StepEnds`]), in metres;
//! - person: the share of the blended steps whose person is not among those of the step before.
//!
//! The second is the posture metric that STRIDE 8.4 asks for. It is of the steps' own parts, for these are what a choice changes:
//! what the parameters explain of a posture is the same whichever steps are taken (`step_model`).
//!
//! With a style only its steps are candidates. In live use a footprint chooses between the steps of the person before and the
//! nearest of all, with the same costs; with a horizon, together with the footprints that are known after it, and between the
//! people who suit these.
//!
//! STRIDE chooses footprint by footprint; its methods ([`super::Method`]) still do.

use super::choose::{ChooseMemory, choose_steps_with};
use super::step_inputs::{StepInputs, turn_places};
use super::step_model::StepModel;
use super::walk_options::Search;
use super::{
    CanonicalStep, Choice, ChooseOptions, LinearBody, N_ROWS, N_SUPPORT, N_SWING, RowLayout, StepDatabase, StepQuery,
    Style,
};
use std::sync::Arc;
use surefoot_geom::{Quat, Vec3, map_in_parallel, turn_between};
use surefoot_motion::PerSide;

/// People who are candidates, beside the nearest steps of all.
const MAX_PEOPLE: usize = 4;
/// Footprints and people that are looked at to find them.
const LOOKED_AT: usize = 24;
const MOST_PEOPLE: usize = 64;
/// Cost of a metre outside the hull.
const OUTSIDE: f64 = 1.0;
/// Cost of a blend that does not span its footprint.
const UNSPANNED: f64 = 0.1;
/// Metres that a radian counts for: of the pelvis, and of any other joint.
const PELVIS_TURN: f64 = 0.3;
const JOINT_TURN: f64 = 0.1;

/// How far feet may be turned from those of recorded steps, in radians: as far as a blend may stray. A walk to the side is turned by a
/// quarter from one ahead, one backward by a half.
const TURN_TOLERANCE: f64 = 0.87;
/// Metres that a radian beyond it counts for, as in D_high.
const METRES_PER_TURN: f64 = 0.4;

/// Steps that a thread takes at a time.
const PART: usize = 64;

/// Rows at the ends of both double supports.
const ENDS: [usize; 4] = [0, N_SUPPORT, N_SUPPORT + N_SWING, N_ROWS - 1];

/// What is a step's own, beyond what its parameters explain, at the ends of its double supports: pelvis and joints, scaled
/// to metres.
#[derive(Clone, Debug, Default)]
pub(super) struct StepEnds {
    numbers: Vec<f32>,
    width: usize,
}

impl StepEnds {
    /// Of all steps of a database.
    pub(super) fn new(
        all: &[CanonicalStep],
        inputs: &[StepInputs],
        layout: RowLayout,
        models: &PerSide<StepModel>,
    ) -> StepEnds {
        let width = layout.posture(&vec![0.0; layout.width()], PELVIS_TURN, JOINT_TURN).count();
        let of = |(step, input): (&CanonicalStep, &StepInputs)| {
            let mut own = models[step.swing()].unexplained(step, input);
            turn_places(&mut own, layout.width(), input.facing);
            ENDS.into_iter().flat_map(move |row| {
                let own = &own[row * layout.width()..(row + 1) * layout.width()];
                layout.posture(own, PELVIS_TURN, JOINT_TURN).collect::<Vec<f32>>()
            })
        };
        let parts: Vec<(&[CanonicalStep], &[StepInputs])> = all.chunks(PART).zip(inputs.chunks(PART)).collect();
        let numbers =
            map_in_parallel(&parts, |(steps, inputs)| -> Vec<f32> { steps.iter().zip(*inputs).flat_map(of).collect() });
        StepEnds { numbers: numbers.concat(), width: ENDS.len() * width }
    }

    /// What trunk and arms of two steps differ by at the ends of the double support that they share, in metres.
    pub(super) fn upper_change(&self, body: &LinearBody, before: usize, next: usize) -> f64 {
        let row = self.width / ENDS.len();
        let of = |step: usize, end: usize| &self.numbers[step * self.width + end * row..][..row];
        let pairs = [(of(before, 2), of(next, 0)), (of(before, 3), of(next, 1))];
        let square = |(a, b): (&[f32], &[f32])| -> f64 {
            let numbers = body.upper_body().flat_map(|joint| {
                let at = RowLayout::other_in_posture(joint);
                at..at + 3
            });
            numbers.map(|k| f64::from(a[k] - b[k]).powi(2)).sum()
        };
        (0.5 * pairs.into_iter().map(square).sum::<f64>()).sqrt()
    }

    /// The blend of a choice at the ends of the first double support, or of the last.
    fn blend(&self, choice: &Choice, last: bool, out: &mut Vec<f32>) {
        let half = self.width / 2;
        out.clear();
        out.resize(half, 0.0);
        for part in choice.parts() {
            let from = part.step * self.width + if last { half } else { 0 };
            let numbers = &self.numbers[from..from + half];
            out.iter_mut().zip(numbers).for_each(|(sum, number)| *sum += part.weight as f32 * number);
        }
    }
}

/// A blend that might be taken, and what it costs by itself.
#[derive(Clone, Debug)]
struct Candidate {
    choice: Choice,
    cost: f64,
    first: Vec<f32>,
    last: Vec<f32>,
    yaw: f64,
}

/// What a search looks at.
pub(super) struct PlanChooser<'a> {
    pub(super) database: &'a StepDatabase,
    pub(super) style: Option<&'a Arc<Style>>,
    pub(super) options: ChooseOptions,
}

impl PlanChooser<'_> {
    /// The blends for all steps of a plan.
    fn choose_all(&self, queries: &[StepQuery], memory: &mut ChooseMemory) -> Vec<Choice> {
        let people = if self.has_people() { self.suiting_people(queries) } else { Vec::new() };
        self.best_path(None, queries, &people, memory)
    }

    /// The blends for some steps, after a step with its choice and the heading of its frame: what is known of a
    /// plan that comes footprint by footprint.
    pub(super) fn choose_ahead(
        &self,
        before: Option<(&Choice, f64)>,
        queries: &[StepQuery],
        memory: &mut ChooseMemory,
    ) -> Vec<Choice> {
        let mut people = Vec::new();
        if self.has_people() {
            people.extend(
                before.map(|(choice, _)| self.database.people()[self.database.person_of(choice.heaviest())].clone()),
            );
            if queries.len() > 1 {
                let suiting = self.suiting_people(queries);
                people.extend(
                    suiting
                        .into_iter()
                        .filter(|person| !people.iter().any(|known| Arc::ptr_eq(known, person)))
                        .collect::<Vec<_>>(),
                );
            }
        }
        self.best_path(before, queries, &people, memory)
    }

    /// Whether there are people to choose between: one person's steps are all.
    fn has_people(&self) -> bool {
        self.style.is_none() && self.database.people().len() > 1
    }

    /// The blends for all steps of a plan, as far ahead as is looked.
    pub(super) fn choose(
        &self,
        queries: &[StepQuery],
        search: Search,
        horizon: usize,
        memory: &mut ChooseMemory,
    ) -> Vec<Choice> {
        match search {
            Search::Plan => self.choose_all(queries, memory),
            Search::Live => self.choose_live(queries, horizon, memory),
            Search::Footprint => queries.iter().map(|query| self.choose_alone(query, memory)).collect(),
        }
    }

    /// The blends for all steps of a plan as live use chooses them, `horizon` footprints ahead.
    fn choose_live(&self, queries: &[StepQuery], horizon: usize, memory: &mut ChooseMemory) -> Vec<Choice> {
        let mut choices: Vec<Choice> = Vec::with_capacity(queries.len());
        for at in 0..queries.len() {
            let before = at.checked_sub(1).map(|before| (&choices[before], queries[before].yaw()));
            let known = &queries[at..(at + 1 + horizon).min(queries.len())];
            let choice = self.choose_ahead(before, known, memory).swap_remove(0);
            choices.push(choice);
        }
        choices
    }

    /// Each footprint by itself.
    pub(super) fn choose_alone(&self, query: &StepQuery, memory: &mut ChooseMemory) -> Choice {
        let mut choice = self.candidates(query, &[], memory).swap_remove(0).choice;
        self.measure_outside(&mut choice, query);
        choice
    }

    /// The path of least cost through the candidates of successive steps.
    fn best_path(
        &self,
        before: Option<(&Choice, f64)>,
        queries: &[StepQuery],
        people: &[Arc<Style>],
        memory: &mut ChooseMemory,
    ) -> Vec<Choice> {
        let before = before.map(|(choice, yaw)| self.candidate(choice.clone(), yaw, 0.0));
        let mut layers: Vec<Vec<Candidate>> = Vec::with_capacity(queries.len());
        // The least sum up to each candidate, and the one before it on that path.
        let mut paths: Vec<Vec<(f64, usize)>> = Vec::with_capacity(queries.len());
        for query in queries {
            let layer = self.candidates(query, people, memory);
            let best = |candidate: &Candidate| {
                let (Some(layer), Some(sums)) = (layers.last(), paths.last()) else {
                    return (candidate.cost + before.as_ref().map_or(0.0, |before| self.change(before, candidate)), 0);
                };
                let sums = sums.iter().zip(layer).enumerate();
                let through = sums.map(|(k, ((sum, _), before))| (sum + self.change(before, candidate), k));
                let (sum, k) = through.min_by(|a, b| a.0.total_cmp(&b.0)).expect("a layer has candidates");
                (sum + candidate.cost, k)
            };
            let path = layer.iter().map(best).collect();
            paths.push(path);
            layers.push(layer);
        }
        let mut chosen = Vec::with_capacity(queries.len());
        let ends = paths.last().into_iter().flatten().enumerate();
        let mut at = ends.min_by(|a, b| a.1.0.total_cmp(&b.1.0)).map_or(0, |(k, _)| k);
        for (layer, path) in layers.into_iter().zip(&paths).rev() {
            chosen.push(layer[at].choice.clone());
            at = path[at].1;
        }
        chosen.reverse();
        chosen.iter_mut().zip(queries).for_each(|(choice, query)| self.measure_outside(choice, query));
        chosen
    }

    /// What the choices of a plan cost, a step on the mean: all together, and posture alone.
    pub(super) fn cost_of(&self, choices: &[Choice], queries: &[StepQuery]) -> [f64; 2] {
        let n = choices.len().max(1) as f64;
        let fit: f64 = choices.iter().zip(queries).map(|(choice, query)| self.fit(choice, query)).sum();
        let candidates: Vec<Candidate> = choices
            .iter()
            .zip(queries)
            .map(|(choice, query)| self.candidate(choice.clone(), query.yaw(), 0.0))
            .collect();
        let pairs = || candidates.windows(2);
        let change: f64 = pairs().map(|pair| self.change(&pair[0], &pair[1])).sum();
        let posture: f64 = pairs().map(|pair| posture_change(&pair[0], &pair[1])).sum();
        [(fit + change) / n, posture / n]
    }

    /// How far a step lies outside of what was recorded is measured among all steps: those of one person may be few. Steps that span a
    /// footprint and face elsewhere are no example for it.
    fn measure_outside(&self, choice: &mut Choice, query: &StepQuery) {
        if choice.made != super::Made::Inside {
            choice.outside = self.database.space(query.parameters.swing).distance_outside(query.parameters.point());
        }
        let turned = turned_outside(self.database.steps(), choice, query);
        if turned > 0.0 {
            choice.outside = choice.outside.max(METRES_PER_TURN * turned);
            if choice.made == super::Made::Inside {
                choice.made = super::Made::Extrapolated;
            }
        }
    }

    /// The people whose steps are nearest to those that are asked for, on the mean.
    fn suiting_people(&self, queries: &[StepQuery]) -> Vec<Arc<Style>> {
        let stride = queries.len().div_ceil(LOOKED_AT).max(1);
        let mut people: Vec<&Arc<Style>> = self.database.people().iter().collect();
        people.sort_by_key(|person| std::cmp::Reverse(person.n_steps()));
        people.truncate(MOST_PEOPLE);
        let distance = |person: &Style| -> f64 {
            let queries = queries.iter().step_by(stride);
            queries
                .map(|query| person.space(query.parameters.swing).nearest_distance(query, &self.options.weights))
                .sum()
        };
        let mut scored: Vec<(f64, &Arc<Style>)> =
            people.into_iter().map(|person| (distance(person), person)).filter(|(sum, _)| sum.is_finite()).collect();
        scored.sort_by(|a, b| a.0.total_cmp(&b.0));
        scored.into_iter().take(MAX_PEOPLE).map(|(_, person)| person.clone()).collect()
    }

    /// The nearest steps of all or of the style, and those of some people.
    fn candidates(&self, query: &StepQuery, people: &[Arc<Style>], memory: &mut ChooseMemory) -> Vec<Candidate> {
        let swing = query.parameters.swing;
        let of_style = self.style.map(|style| style.space(swing)).filter(|space| !space.steps().is_empty());
        let spaces = std::iter::once(of_style.unwrap_or(self.database.space(swing)))
            .chain(people.iter().map(|person| person.space(swing)).filter(|space| !space.steps().is_empty()));
        let candidate = |space| {
            let choice = choose_steps_with(self.database, space, query, &self.options, memory);
            let cost = self.fit(&choice, query);
            self.candidate(choice, query.yaw(), cost)
        };
        spaces.map(candidate).collect()
    }

    /// What a blend costs by itself.
    fn fit(&self, choice: &Choice, query: &StepQuery) -> f64 {
        let steps = self.database.steps();
        let fit =
            |part: &super::WeightedStep| part.weight.abs() * self.options.weights.distance(query, &steps[part.step]);
        let unspanned = if choice.made == super::Made::Inside { 0.0 } else { UNSPANNED };
        choice.parts().iter().map(fit).sum::<f64>() + OUTSIDE * choice.outside + unspanned
    }

    fn candidate(&self, choice: Choice, yaw: f64, cost: f64) -> Candidate {
        let (mut first, mut last) = (Vec::new(), Vec::new());
        self.database.ends().blend(&choice, false, &mut first);
        self.database.ends().blend(&choice, true, &mut last);
        Candidate { choice, cost, first, last, yaw }
    }

    /// What it costs to go from one blend to the next.
    fn change(&self, before: &Candidate, next: &Candidate) -> f64 {
        let ChooseOptions { posture, person, .. } = self.options;
        posture * posture_change(before, next) + person * self.other_person(&before.choice, &next.choice)
    }

    /// The share of a blend that is of nobody who is in another.
    fn other_person(&self, before: &Choice, next: &Choice) -> f64 {
        let share = |choice: &Choice, person: usize| -> f64 {
            let own = choice.parts().iter().filter(|part| self.database.person_of(part.step) == person);
            own.map(|part| part.weight.max(0.0)).sum()
        };
        let people = next.parts().iter().enumerate().filter(|(k, part)| {
            let person = self.database.person_of(part.step);
            !next.parts()[..*k].iter().any(|other| self.database.person_of(other.step) == person)
        });
        let shared: f64 = people
            .map(|(_, part)| {
                let person = self.database.person_of(part.step);
                share(before, person).min(share(next, person))
            })
            .sum();
        (1.0 - shared).clamp(0.0, 1.0)
    }
}

/// Radians by which feet of the blended steps point elsewhere than those of a step that was asked for, on the mean and beyond
/// [`TURN_TOLERANCE`].
fn turned_outside(steps: &[CanonicalStep], choice: &Choice, query: &StepQuery) -> f64 {
    let asked = || query.headings.iter().enumerate().filter_map(|(k, heading)| Some((k, (*heading)?)));
    let turned =
        |step: usize| asked().map(|(k, heading)| turn_between(steps[step].headings[k], heading).abs()).sum::<f64>();
    let (mut sum, mut total) = (0.0, 0.0);
    for part in choice.parts() {
        sum += part.weight.abs() * turned(part.step);
        total += part.weight.abs() * asked().count() as f64;
    }
    (sum / f64::max(total, 1e-9) - TURN_TOLERANCE).max(0.0)
}

/// What the postures of two blends differ by at the ends of the double support that they share, in metres.
fn posture_change(before: &Candidate, next: &Candidate) -> f64 {
    let turn = Quat::from_rotation_y(before.yaw - next.yaw);
    let half = before.last.len() / 2;
    let mut sum = 0.0;
    for (a, b) in before.last.chunks_exact(half).zip(next.first.chunks_exact(half)) {
        // The pelvis is in the supporting frame, and the two differ.
        let [from, to] = [a, b].map(|row| Vec3::new(f64::from(row[0]), f64::from(row[1]), f64::from(row[2])));
        sum += (turn * from).distance_squared(to);
        sum += a[3..].iter().zip(&b[3..]).map(|(a, b)| f64::from(a - b).powi(2)).sum::<f64>();
    }
    (0.5 * sum).sqrt()
}
