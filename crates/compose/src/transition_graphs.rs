//! How a person's speed changes, step by step, from one behaviour to another (COMPOSE 4.2, figures 8 and 9).
//!
//! 1. Identification (4.2.1): in every recording, steps of one behaviour followed by steps of another. What marks the change is the root's
//!    largest speed, or the least (Table 1):
//!
//!    ```text
//!    from \ to   run   jump   stair
//!    walk        max   max    min
//!    run          -    max    min
//!    ```
//!
//! 2. Alignment (4.2.2): recordings are laid over each other with that step at 0.
//! 3. Trimming (4.2.3): as many steps before and after as recordings have on average.
//! 4. The graph: mean root speed of each step.
//!
//! Nothing is stored: graphs are computed from the stances of a behaviour database when they are needed, in milliseconds.
//!
//! Departures. A change must have some steps of the first behaviour before it ([`LEAST_BEFORE`]). Who runs on for long is fastest anywhere, so the step of the
//! largest speed is the first one that comes within [`NEARLY`] of it. The paper mirrors graphs for the way back; we learn that from recordings too, and
//! mirror where fewer than [`FEW`] have it. All patterns of jumps count: recordings have few of each. Speeds are those of legs of the length
//! at hand, by Froude: v / sqrt(leg).

use crate::behaviour_database::{BehaviourClip, BehaviourDatabase};
use crate::decide_behaviours::PlannedBehaviour;
use crate::step_label::{Feet, StepLabel};
use surefoot_contact::{Behaviour, Footprint};

/// Steps of the first behaviour before a change: recordings of people who run and jump begin with the last strides.
const LEAST_BEFORE: [(Behaviour, usize); 2] = [(Behaviour::Walk, 2), (Behaviour::Run, 1)];
/// Steps of each behaviour that are looked at.
const MOST: usize = 8;
/// A step whose speed comes so near to the largest, as a share of the range, is the one of the largest.
const NEARLY: f64 = 0.15;
/// Fewer recordings teach nothing of their own.
const FEW: usize = 3;

/// What marks a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SpeedMark {
    /// The root is fastest.
    Most,
    /// The root is slowest.
    Least,
}

/// The changes of figure 8, in its order, with their marks (Table 1).
pub const TRANSITIONS: [(Behaviour, Behaviour, SpeedMark); 5] = [
    (Behaviour::Run, Behaviour::Jump, SpeedMark::Most),
    (Behaviour::Run, Behaviour::Stair, SpeedMark::Least),
    (Behaviour::Walk, Behaviour::Run, SpeedMark::Most),
    (Behaviour::Walk, Behaviour::Jump, SpeedMark::Most),
    (Behaviour::Walk, Behaviour::Stair, SpeedMark::Least),
];

/// Speed at a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TransitionPoint {
    /// Steps after the marking one.
    pub step: i32,
    /// Mean root speed, over the square root of the leg length.
    pub speed: f64,
    /// Its standard deviation.
    pub deviation: f64,
    /// How many recordings have the step.
    pub n: usize,
}

/// One recording's change: step and speed, aligned.
#[derive(Clone, Debug, PartialEq)]
pub struct TransitionLine {
    /// Of the recording.
    pub name: String,
    /// Its speeds, over the square root of the leg length, from the first step on.
    pub speeds: Vec<f64>,
    /// Which of them is the marking one.
    pub mark: usize,
    /// Which of them is the first of the other behaviour.
    pub change: usize,
}

/// How speed changes from one behaviour to another.
#[derive(Clone, Debug, PartialEq)]
pub struct TransitionGraph {
    /// Behaviour before.
    pub from: Behaviour,
    /// Behaviour after.
    pub to: Behaviour,
    /// What marks it.
    pub mark: SpeedMark,
    /// Whether it was learned the other way round.
    pub is_mirrored: bool,
    /// What it was learned from.
    pub lines: Vec<TransitionLine>,
    /// Steps before the marking one and after it.
    pub n_steps: [usize; 2],
    /// The first step of the behaviour after, counted from the marking one.
    pub change: i32,
    /// In order of steps.
    pub points: Vec<TransitionPoint>,
}

/// All graphs that recordings teach.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TransitionGraphs {
    graphs: Vec<TransitionGraph>,
}

/// A step of a recording: both feet of a landing are one.
struct StepSpeed {
    behaviour: Option<Behaviour>,
    speed: f64,
}

fn steps_of(clip: &BehaviourClip) -> Vec<StepSpeed> {
    let of = &clip.segmentation;
    let mut steps: Vec<StepSpeed> = Vec::new();
    let mut last_flight = None;
    for (stance, speed) in of.stances.iter().zip(&of.speeds) {
        if stance.flight.is_some() && stance.flight == last_flight {
            continue;
        }
        last_flight = stance.flight;
        let flight = stance.flight.map(|flight| of.flights[flight].speed).filter(|speed| *speed > 0.0);
        steps.push(StepSpeed {
            // Who turns on the spot or shifts a foot is not on the way.
            behaviour: stance
                .label
                .behaviour()
                .filter(|_| !matches!(stance.label, StepLabel::Turn | StepLabel::Shuffle)),
            speed: flight.unwrap_or(*speed) / clip.leg_length.sqrt(),
        });
    }
    steps
}

impl TransitionGraphs {
    /// Of recordings. Empty if they have no change.
    pub fn learn(database: &BehaviourDatabase) -> TransitionGraphs {
        let steps: Vec<(&str, Vec<StepSpeed>)> =
            database.clips().iter().map(|clip| (clip.name.as_str(), steps_of(clip))).collect();
        let mut graphs = Vec::new();
        for (from, to, mark) in TRANSITIONS {
            let find = |from: Behaviour, to: Behaviour, is_back: bool| -> Vec<TransitionLine> {
                steps.iter().flat_map(|(name, steps)| find_changes(name, steps, from, to, mark, is_back)).collect()
            };
            let (there, back) = (find(from, to, false), find(to, from, true));
            let mirrored = |lines: &[TransitionLine]| lines.iter().map(TransitionLine::mirrored).collect();
            for (from, to, own, other) in [(from, to, &there, &back), (to, from, &back, &there)] {
                let is_mirrored = own.len() < FEW && other.len() > own.len();
                let lines = if is_mirrored { mirrored(other) } else { own.clone() };
                graphs.extend(graph_of(from, to, mark, is_mirrored, lines));
            }
        }
        TransitionGraphs { graphs }
    }

    /// All of them, each followed by its way back.
    pub fn graphs(&self) -> &[TransitionGraph] {
        &self.graphs
    }

    /// That of a change.
    pub fn of(&self, from: Behaviour, to: Behaviour) -> Option<&TransitionGraph> {
        self.graphs.iter().find(|graph| graph.from == from && graph.to == to)
    }

    /// How many footprints ahead decide between two behaviours whose limits overlap (COMPOSE 5): those that a person needs to come from
    /// one to the other.
    pub fn look_ahead(&self, from: Behaviour, to: Behaviour) -> Option<usize> {
        let graph = self.of(from, to)?;
        Some((graph.n_steps[0] + 1).clamp(1, MOST))
    }
}

impl TransitionLine {
    fn mirrored(&self) -> TransitionLine {
        let n = self.speeds.len();
        let speeds = self.speeds.iter().rev().copied().collect();
        TransitionLine { name: self.name.clone(), speeds, mark: n - 1 - self.mark, change: n - self.change }
    }
}

/// The changes of a recording. On the way back the mark is in the behaviour that is left.
fn find_changes(
    name: &str,
    steps: &[StepSpeed],
    from: Behaviour,
    to: Behaviour,
    mark: SpeedMark,
    is_back: bool,
) -> Vec<TransitionLine> {
    let is = |index: usize, behaviour: Behaviour| steps[index].behaviour == Some(behaviour);
    let mut lines = Vec::new();
    for change in 1..steps.len() {
        if !(is(change - 1, from) && is(change, to)) {
            continue;
        }
        let first = (change.saturating_sub(MOST)..change).rev().take_while(|&index| is(index, from)).last();
        let last = (change..steps.len().min(change + MOST)).take_while(|&index| is(index, to)).last();
        let (Some(first), Some(last)) = (first, last) else { continue };
        let (n_plain, plain) = if is_back { (last + 1 - change, to) } else { (change - first, from) };
        if LEAST_BEFORE.iter().any(|(of, least)| *of == plain && n_plain < *least) {
            continue;
        }
        let speeds: Vec<f64> = steps[first..=last].iter().map(|step| step.speed).collect();
        let change = change - first;
        // Where the marked behaviour is, with the step next to it: who slows down for a stair is slowest just before.
        let marked = if is_back { 0..(change + 1).min(speeds.len()) } else { change.saturating_sub(1)..speeds.len() };
        let sign = if mark == SpeedMark::Most { 1.0 } else { -1.0 };
        let values = speeds[marked.clone()].iter().map(|speed| sign * speed);
        let most = values.fold(f64::NEG_INFINITY, f64::max);
        let least = speeds.iter().map(|speed| sign * speed).fold(f64::INFINITY, f64::min);
        let is_near = |index: &usize| sign * speeds[*index] >= most - NEARLY * (most - least);
        let found = if is_back { marked.rev().find(is_near) } else { marked.into_iter().find(is_near) };
        let Some(mark) = found else { continue };
        lines.push(TransitionLine { name: name.to_string(), speeds, mark, change });
    }
    lines
}

fn graph_of(
    from: Behaviour,
    to: Behaviour,
    mark: SpeedMark,
    is_mirrored: bool,
    lines: Vec<TransitionLine>,
) -> Option<TransitionGraph> {
    if lines.is_empty() {
        return None;
    }
    let n = lines.len() as f64;
    let mean = |count: &dyn Fn(&TransitionLine) -> f64| lines.iter().map(count).sum::<f64>() / n;
    let before = mean(&|line| line.mark as f64).round() as usize;
    let after = mean(&|line| (line.speeds.len() - 1 - line.mark) as f64).round() as usize;
    let change = mean(&|line| line.change as f64 - line.mark as f64).round() as i32;
    let point = |step: i32| {
        let at = |line: &TransitionLine| {
            usize::try_from(line.mark as i32 + step).ok().and_then(|index| line.speeds.get(index).copied())
        };
        let speeds: Vec<f64> = lines.iter().filter_map(at).collect();
        let n = speeds.len();
        let mean = speeds.iter().sum::<f64>() / n as f64;
        let variance =
            speeds.iter().map(|speed| (speed - mean).powi(2)).sum::<f64>() / n.max(2).saturating_sub(1) as f64;
        (n > 0).then_some(TransitionPoint { step, speed: mean, deviation: variance.sqrt(), n })
    };
    let points = (-(before as i32)..=after as i32).filter_map(point).collect();
    Some(TransitionGraph { from, to, mark, is_mirrored, lines, n_steps: [before, after], change, points })
}

/// The speed that a footprint's step should have, for a change of behaviour nearby.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TargetSpeed {
    /// Of the root over the ground, in metres a second.
    pub speed: f64,
    /// The first footprint of the behaviour after the change.
    pub change: usize,
    /// Steps from the change to this footprint; negative before it.
    pub step: i32,
}

/// A change of behaviour that a plan leaves too few steps for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NoRoom {
    /// The first footprint of the behaviour after the change.
    pub footprint: usize,
    /// Behaviour before.
    pub from: Behaviour,
    /// Behaviour after.
    pub to: Behaviour,
    /// Steps before the change that recorded people need, and that there are.
    pub before: [usize; 2],
}

impl std::fmt::Display for NoRoom {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let [needed, there] = self.before;
        let (from, to) = (self.from.name(), self.to.name());
        write!(
            f,
            "footprints[{}]: recorded people take {needed} steps from {from} to {to}, the plan has room for {there}",
            self.footprint
        )
    }
}

/// What transition graphs ask of a plan.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SpeedProfile {
    /// For each footprint; `None` far from any change.
    pub targets: Vec<Option<TargetSpeed>>,
    /// Changes without room.
    pub no_room: Vec<NoRoom>,
}

impl TransitionGraphs {
    /// The speeds that the steps of a plan should have around its changes of behaviour, for a person with these legs. Where two changes are near,
    /// the nearer one counts.
    pub fn speed_profile(
        &self,
        footprints: &[Footprint],
        decisions: &[PlannedBehaviour],
        leg_length: f64,
    ) -> SpeedProfile {
        let steps = steps_of_plan(footprints, decisions);
        let mut profile = SpeedProfile { targets: vec![None; footprints.len()], no_room: Vec::new() };
        let behaviour = |step: usize| decisions[steps[step].0].behaviour;
        for change in 1..steps.len() {
            let (from, to) = (behaviour(change - 1), behaviour(change));
            let Some(graph) = self.of(from, to).filter(|_| from != to) else { continue };
            let same = |step: &usize| behaviour(*step) == from;
            let there = (0..change).rev().take_while(same).count();
            let needed = usize::try_from(graph.n_steps[0] as i32 + graph.change).unwrap_or(0);
            if there < needed {
                let footprint = steps[change].0;
                profile.no_room.push(NoRoom { footprint, from, to, before: [needed, there] });
            }
            for point in &graph.points {
                let step = point.step - graph.change;
                let Some(at) = usize::try_from(change as i32 + step).ok().filter(|at| *at < steps.len()) else {
                    continue;
                };
                let between = at.min(change)..=at.max(change);
                let is_here = between.clone().all(|at| behaviour(at) == from || behaviour(at) == to);
                for print in (steps[at].0..=steps[at].1).filter(|_| is_here) {
                    let target = TargetSpeed { speed: point.speed * leg_length.sqrt(), change: steps[change].0, step };
                    let is_nearer = profile.targets[print].is_none_or(|other| step.abs() < other.step.abs());
                    if is_nearer {
                        profile.targets[print] = Some(target);
                    }
                }
            }
        }
        profile
    }
}

/// First and last footprint of each step: both feet of a landing are one.
fn steps_of_plan(footprints: &[Footprint], decisions: &[PlannedBehaviour]) -> Vec<(usize, usize)> {
    let mut steps: Vec<(usize, usize)> = Vec::new();
    for (index, (print, decision)) in footprints.iter().zip(decisions).enumerate() {
        let lands_on_both = |decision: &PlannedBehaviour| {
            decision.behaviour == Behaviour::Jump && decision.feet.is_some_and(|feet| feet[1] == Feet::Both)
        };
        match steps.last_mut() {
            Some((first, last))
                if first == last
                    && lands_on_both(decision)
                    && lands_on_both(&decisions[*first])
                    && footprints[*first].side != print.side =>
            {
                *last = index;
            }
            _ => steps.push((index, index)),
        }
    }
    steps
}

#[cfg(test)]
mod tests;
