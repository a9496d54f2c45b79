//! Steps that are chosen together: those of a complete plan, and those of the last footprints of one that comes bit by bit.
//!
//! A plan that is known to its end is chosen for before the first step ([`StepWalker::plan_choices`]). With a horizon the steps of the
//! last footprints stay open ([`StepWalker::push_ahead`]): each new footprint chooses them again, and the first is walked.

use super::choose_plan::PlanChooser;
use super::step_walker::{Footfall, Print, StepWalker, outcome};
use super::taken_step::TakenStep;
use super::walk_options::{Search, WalkOptions};
use super::{Choice, Place, StepQuery};
use surefoot_motion::Side;
use surefoot_plan::{Footprint, StepError, StepOutcome, StepParameters, StepTask, stand_at_start};

/// Footprints that the query for another may depend on: feet alternate, but for a few.
const LOOKS_BACK: usize = 8;

/// What was chosen for a footprint before it came.
#[derive(Clone, Debug)]
pub(super) struct PlannedChoice {
    parameters: StepParameters,
    heights: [f64; 2],
    pub(super) choice: Choice,
}

impl PlannedChoice {
    /// Whether a step is the one that was planned, as far as rounding goes.
    pub(super) fn is_for(&self, query: &StepQuery) -> bool {
        self.parameters.swing == query.parameters.swing
            && self.parameters.point().distance(query.parameters.point()) < 1e-6
            && self.heights.iter().zip(query.heights).all(|(own, asked)| (own - asked).abs() < 1e-6)
    }
}

impl StepWalker {
    /// How many footprints steps are kept open for: none where a plan is known, or chosen footprint by footprint.
    pub(super) fn horizon(&self) -> usize {
        let searches = self.options.method.carries() && self.options.search != Search::Footprint;
        if searches && self.planned.is_empty() { self.options.horizon } else { 0 }
    }

    /// Takes a footprint, chooses the open steps together with its own, and walks the first where more are open than the
    /// horizon has.
    pub(super) fn push_ahead(&mut self, task: &StepTask<'_>) -> Result<StepOutcome, StepError> {
        let fall = StepWalker::check(task)?;
        let falls: Vec<Footfall> = self.open.iter().map(|(fall, _)| *fall).chain([fall]).collect();
        let mut choices = self.choose_open(task.prints, falls[0].index).into_iter();
        let (standing, before) = (self.prints, self.step.take());
        let mut open: Vec<(Footfall, TakenStep)> = Vec::with_capacity(falls.len());
        for fall in &falls {
            let last = open.last().map(|(_, step)| step).or(before.as_ref());
            let step = match self.take_step(fall, last, choices.next()) {
                Ok(step) => step,
                Err(error) => {
                    (self.prints, self.step) = (standing, before);
                    return Err(error);
                }
            };
            self.prints[step.swing] = Some(Print::of(fall));
            open.push((*fall, step));
        }
        (self.prints, self.step) = (standing, before);
        self.latest.clear();
        self.latest.extend(open.iter().map(|(fall, step)| outcome(&self.database, fall, step)));
        if open.len() > self.horizon() {
            let (fall, step) = open.remove(0);
            self.walk_step(&fall, step);
        }
        self.open = open;
        Ok(self.latest[self.latest.len() - 1].clone())
    }

    /// The blends of the steps from a footprint to the last, after the step that was walked last.
    fn choose_open(&mut self, prints: &[Footprint], from: usize) -> Vec<Choice> {
        // No more than steps are seen in the light of.
        let first = from.saturating_sub(LOOKS_BACK);
        let mut prints = prints[first..].to_vec();
        if let ([one, other, ..], 0) = (&mut prints[..], first) {
            [*one, *other] = stand_at_start([*one, *other]);
        }
        let queries = (from - first..prints.len()).map_while(|index| query_of(&prints, index));
        let queries: Vec<StepQuery> = queries.collect();
        let options = self.options.method.choose(&self.options.choose);
        let chooser = PlanChooser { database: &self.database, style: self.style.as_ref(), options };
        let before = self.step.as_ref().map(|step| (&step.choice, step.yaw));
        chooser.choose_ahead(before, &queries, &mut self.memory)
    }

    /// Takes the next footprint and returns what its step is blended of.
    pub(super) fn choose_next(&mut self, task: &StepTask<'_>) -> Result<Choice, StepError> {
        self.take_footprint(task)?;
        Ok(self.step.as_ref().expect("a step was taken").choice.clone())
    }

    /// Chooses the steps for all footprints of a plan, which will be pushed.
    pub(super) fn plan_choices(&mut self, prints: &[Footprint]) {
        self.plan = prints.into();
        let method = self.options.method;
        if !method.carries() || self.options.search == Search::Footprint {
            return;
        }
        let queries = queries_of(prints);
        let options = method.choose(&self.options.choose);
        let chooser = PlanChooser { database: &self.database, style: self.style.as_ref(), options };
        let WalkOptions { search, horizon, .. } = self.options;
        let choices = chooser.choose(&queries, search, horizon, &mut self.memory);
        let planned = queries.iter().zip(choices);
        let planned = planned.map(|(&StepQuery { parameters, heights, .. }, choice)| PlannedChoice {
            parameters,
            heights,
            choice,
        });
        self.planned = planned.collect();
    }
}

/// The queries for the footprints of a plan after the standing ones. Plans that are refused end where they are.
pub(super) fn queries_of(prints: &[Footprint]) -> Vec<StepQuery> {
    (2..prints.len()).map_while(|index| query_of(prints, index)).collect()
}

/// The query for a footprint of a plan; `None` before both feet have one.
fn query_of(prints: &[Footprint], index: usize) -> Option<StepQuery> {
    let place = |print: &Footprint| Place { ball: print.position, heading: print.heading };
    let print = &prints[index];
    let last = |side: Side| prints[..index].iter().rev().find(|other| other.side == side);
    let (support, from) = (last(print.side.opposite())?, last(print.side)?);
    let times = [prints[index - 1].support, print.swing, print.support];
    let query = StepQuery::new(print.side, place(support), place(from), place(print), times);
    // The support landed before, from where it was before that.
    let earlier = prints[..index].iter().filter(|other| other.side != print.side).rev().nth(1);
    Some(earlier.map_or(query, |earlier| query.after(earlier.position)))
}
