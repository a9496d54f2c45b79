//! Footprints alone decide (COMPOSE 4.1, 5): which behaviour leads to each footprint of a plan, and why.
//!
//! The paper compares the distance that a foot travels with the largest of each behaviour, and looks four footprints ahead where two
//! behaviours overlap (`paper_limits`). That knows no jump shorter than a running stride. Ours is a sequence model, learned from the same
//! recordings:
//!
//! 1. Each footprint's numbers (`footprint_features`), of it, of three before and of four after.
//! 2. A forest gives the share of each state: the behaviours, jumps by their pattern, landings of both feet by first and second.
//! 3. The likeliest sequence of states (Viterbi), by these shares and by how often one state follows another; the first foot of a landing
//!    on both is followed by the second, a hop is on the foot that was last, and so on.
//!
//! A [`Decision`] is a value with its reason, made before any frame. A behaviour that the plan gives is kept; where it contradicts the
//! footprints, the plan is refused with the footprint's number.

use crate::behaviour_database::BehaviourDatabase;
use crate::body_tracks::planar;
use crate::constructed_plans::constructed_plans;
use crate::footprint_features::{BarePrint, LOOK_AHEAD, N_FEATURES, PrintList};
use crate::forest::{Forest, ForestOptions, Sample};
use crate::segment_behaviours::Segmentation;
use crate::step_label::{Feet, StepLabel};
use surefoot_contact::{Behaviour, Footprint};
use surefoot_motion::Side;

/// What leads to a footprint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum State {
    Stand,
    Walk,
    Run,
    Stair,
    Hop,
    /// From both feet to one.
    BothToOne,
    /// From one foot to the other.
    OneToOther,
    /// Of a landing on both feet: from both or one, the first foot or the second.
    ToBoth {
        from_both: bool,
        is_first: bool,
    },
}

const N_STATES: usize = 11;
const STATES: [State; N_STATES] = [
    State::Stand,
    State::Walk,
    State::Run,
    State::Stair,
    State::Hop,
    State::BothToOne,
    State::OneToOther,
    State::ToBoth { from_both: true, is_first: true },
    State::ToBoth { from_both: true, is_first: false },
    State::ToBoth { from_both: false, is_first: true },
    State::ToBoth { from_both: false, is_first: false },
];

impl State {
    fn behaviour(self) -> Behaviour {
        match self {
            State::Stand => Behaviour::Stand,
            State::Walk => Behaviour::Walk,
            State::Run => Behaviour::Run,
            State::Stair => Behaviour::Stair,
            State::Hop => Behaviour::Hop,
            State::BothToOne | State::OneToOther | State::ToBoth { .. } => Behaviour::Jump,
        }
    }

    /// Of a recorded stance; `None` for what is not known.
    fn of(segmentation: &Segmentation, index: usize) -> Option<State> {
        let stance = &segmentation.stances[index];
        Some(match stance.label {
            StepLabel::Stand => State::Stand,
            StepLabel::Walk | StepLabel::Turn | StepLabel::Shuffle => State::Walk,
            StepLabel::Run => State::Run,
            StepLabel::StairUp | StepLabel::StairDown => State::Stair,
            StepLabel::Hop => State::Hop,
            StepLabel::Unknown => return None,
            StepLabel::Jump => {
                let flight = segmentation.flight_of(index)?;
                let from_both = flight.take_off == Feet::Both;
                let is_first = !segmentation.stances[..index].iter().any(|other| other.flight == stance.flight);
                match flight.landing {
                    Feet::Both => State::ToBoth { from_both, is_first },
                    _ if from_both => State::BothToOne,
                    _ => State::OneToOther,
                }
            }
        })
    }
}

/// What leads to a footprint, and why.
#[derive(Clone, Debug, PartialEq)]
pub struct Decision {
    /// What the person does to come to the footprint.
    pub behaviour: Behaviour,
    /// The feet that take off and land, of run, jump and hop.
    pub feet: Option<[Feet; 2]>,
    /// Why.
    pub reason: DecisionReason,
}

/// Why a footprint means a behaviour. Lengths in metres.
#[derive(Clone, Debug, PartialEq)]
pub struct DecisionReason {
    /// Whether the plan gives the behaviour.
    pub is_given: bool,
    /// How sure it is by the footprint and its neighbours alone: from 0 to 1.
    pub share: f64,
    /// The next likely behaviour, with its share.
    pub runner_up: Option<(Behaviour, f64)>,
    /// From the foot's last footprint, over the ground.
    pub stride: Option<f64>,
    /// From the other foot's last footprint, over the ground.
    pub step: Option<f64>,
    /// Above the foot's last footprint.
    pub rise: Option<f64>,
    /// By the paper's limits: which limit decided.
    pub limit: Option<String>,
}

impl std::fmt::Display for DecisionReason {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.is_given {
            write!(f, "the plan gives it; ")?;
        }
        match (self.stride, self.step) {
            (Some(stride), Some(step)) => {
                write!(f, "the foot travels {stride:.2} m and lands {step:.2} m from the other")?;
            }
            (Some(stride), None) => write!(f, "the foot travels {stride:.2} m")?,
            (None, Some(step)) => write!(f, "the foot lands {step:.2} m from the other")?,
            (None, None) => write!(f, "the first footprint")?,
        }
        if let Some(rise) = self.rise.filter(|rise| rise.abs() >= 0.03) {
            write!(f, ", {:.0} cm {}", rise.abs() * 100.0, if rise > 0.0 { "up" } else { "down" })?;
        }
        if let Some(limit) = &self.limit {
            return write!(f, "; {limit}");
        }
        write!(f, "; {:.0} % by recorded steps with such neighbours", self.share * 100.0)?;
        match self.runner_up {
            Some((behaviour, share)) if share >= 0.01 => write!(f, ", {} {:.0} %", behaviour.name(), share * 100.0),
            _ => Ok(()),
        }
    }
}

/// Why footprints cannot be given a behaviour.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum RecogniseError {
    /// The plan gives a behaviour that its footprints contradict.
    #[error("footprints[{footprint}]: behaviour {} contradicts the footprints: {why}", .behaviour.name())]
    Contradiction {
        /// 0-based.
        footprint: usize,
        /// As given.
        behaviour: Behaviour,
        /// What would be right.
        why: &'static str,
    },
    /// Recordings that were learned from lack it.
    #[error("footprints[{footprint}]: the recordings have no {}; leave the behaviour open, or add recordings of it", .behaviour.name())]
    NotLearned {
        /// 0-based.
        footprint: usize,
        /// As given.
        behaviour: Behaviour,
    },
}

/// How a recogniser is learned.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RecogniserOptions {
    /// Trees of the forest. 10 to 500; default 100. More are slower and little better.
    pub n_trees: usize,
    /// Numbers that a node of a tree tries. 1 to 70; default 30.
    pub n_tried: usize,
    /// How much the order of behaviours counts beside each footprint. 0 to 2; default 0.15.
    pub order_weight: f64,
    /// Plans laid by rule that are learned beside the recordings, for patterns that those have few of. 0 to 1000; default 150.
    pub n_constructed: usize,
}

impl Default for RecogniserOptions {
    fn default() -> RecogniserOptions {
        RecogniserOptions { n_trees: 100, n_tried: 30, order_weight: 0.15, n_constructed: 150 }
    }
}

/// Weight of a footprint that was laid by rule, beside one that was recorded.
const CONSTRUCTED_WEIGHT: f64 = 1.0;
/// Nodes of less weight are leaves.
const LEAST_WEIGHT: f64 = 3.0;
/// A state that no tree votes for has this share: the order of states may still call for it.
const LEAST_SHARE: f64 = 0.003;
/// How much more the landing of both feet counts than their take-off, from 0 to 1.
const LANDING_FIRST: f64 = 0.8;
/// What cannot be.
const NEVER: f64 = -1e9;

/// Rare states count more, by the square root of how rare they are.
fn balance(samples: &mut [Sample<N_FEATURES>]) {
    let mut weights = [0.0; N_STATES];
    samples.iter().for_each(|sample| weights[sample.class] += sample.weight);
    let mean = weights.iter().sum::<f64>() / N_STATES as f64;
    samples.iter_mut().for_each(|sample| sample.weight *= (mean / weights[sample.class]).sqrt());
}

/// A model of what footprints mean.
#[derive(Clone, Debug)]
pub struct Recogniser {
    forest: Forest<N_FEATURES>,
    /// Logarithm of how often a state follows another, weighted.
    follows: [[f64; N_STATES]; N_STATES],
    is_learned: [bool; N_STATES],
}

impl Recogniser {
    /// Learns from recordings. `None` if they have no step.
    pub fn learn(database: &BehaviourDatabase, options: &RecogniserOptions) -> Option<Recogniser> {
        let mut samples = Vec::new();
        let mut follows = [[1.0; N_STATES]; N_STATES];
        let mut is_learned = [false; N_STATES];
        for clip in database.clips() {
            let of = &clip.segmentation;
            let prints: Vec<BarePrint> = of
                .stances
                .iter()
                .map(|stance| BarePrint {
                    side: stance.side,
                    ball: stance.ball,
                    heading: stance.heading.unwrap_or(0.0),
                })
                .collect();
            let list = PrintList::new(&prints, clip.leg_length);
            let mut last = None;
            for index in 0..prints.len() {
                let state = State::of(of, index).and_then(|state| STATES.iter().position(|of| *of == state));
                if let Some(class) = state {
                    is_learned[class] = true;
                    samples.push(Sample { numbers: list.features(index), class, weight: 1.0 });
                    if let Some(last) = last {
                        let counts: &mut [f64; N_STATES] = &mut follows[last];
                        counts[class] += 1.0;
                    }
                }
                last = state;
            }
        }
        if samples.iter().all(|sample| STATES[sample.class] == State::Stand) {
            return None;
        }
        for (prints, states) in constructed_plans(options.n_constructed) {
            let list = PrintList::new(&prints, 1.0);
            let classes = states.iter().filter_map(|state| STATES.iter().position(|of| of == state));
            samples.extend(classes.enumerate().map(|(index, class)| Sample {
                numbers: list.features(index),
                class,
                weight: CONSTRUCTED_WEIGHT,
            }));
        }
        balance(&mut samples);
        let forest_options =
            ForestOptions { n_trees: options.n_trees, n_tried: options.n_tried, least_weight: LEAST_WEIGHT, seed: 17 };
        let forest = Forest::grow(&samples, N_STATES, &forest_options);
        for counts in &mut follows {
            let sum: f64 = counts.iter().sum();
            counts.iter_mut().for_each(|count| *count = options.order_weight * (*count / sum).ln());
        }
        Some(Recogniser { forest, follows, is_learned })
    }

    /// What leads to each footprint of a plan.
    pub fn recognise(&self, footprints: &[Footprint], leg_length: f64) -> Result<Vec<Decision>, RecogniseError> {
        let prints = bare_prints(footprints);
        let list = PrintList::new(&prints, leg_length);
        let (states, shares) = self.decide(&list, footprints, None)?;
        Ok(states
            .iter()
            .zip(&shares)
            .enumerate()
            .map(|(index, (state, shares))| {
                decision(&list, &prints, index, *state, shares, footprints[index].behaviour.is_some(), leg_length)
            })
            .collect())
    }

    /// The likeliest states from the one after `last`, with the shares of each.
    fn decide(
        &self,
        list: &PrintList<'_>,
        footprints: &[Footprint],
        last: Option<(usize, usize)>,
    ) -> Result<(Vec<usize>, Vec<[f64; N_STATES]>), RecogniseError> {
        let first = last.map_or(0, |(index, _)| index + 1);
        let n = footprints.len();
        let mut shares = vec![[0.0; N_STATES]; n - first];
        let mut scores: Vec<[f64; N_STATES]> = Vec::with_capacity(n - first);
        let mut from: Vec<[usize; N_STATES]> = Vec::with_capacity(n - first);
        for index in first..n {
            self.check_given(footprints, index)?;
            let of = &mut shares[index - first];
            self.forest.classify(&list.features(index), of);
            let mut row = [NEVER; N_STATES];
            let mut back = [0; N_STATES];
            for (to, state) in STATES.iter().enumerate() {
                let is_wanted = footprints[index].behaviour.is_none_or(|given| given == state.behaviour());
                if !is_wanted || !fits(*state, footprints, index) {
                    continue;
                }
                let own = landing_share(of, to).max(LEAST_SHARE).ln();
                if index == first {
                    let before = last.map(|(_, state)| state);
                    if before.is_none_or(|before| may_follow(STATES[before], *state)) && is_start(*state, before) {
                        row[to] = own + before.map_or(0.0, |before| self.follows[before][to]);
                    }
                    continue;
                }
                for (before, score) in scores[index - first - 1].iter().enumerate() {
                    let score = score + self.follows[before][to] + own;
                    if may_follow(STATES[before], *state) && score > row[to] {
                        (row[to], back[to]) = (score, before);
                    }
                }
            }
            if let (Some(behaviour), true) =
                (footprints[index].behaviour, row.iter().all(|score| *score <= NEVER / 2.0))
            {
                let why = "nothing that leads to the footprints before it can go on so; leave it open";
                return Err(RecogniseError::Contradiction { footprint: index, behaviour, why });
            }
            scores.push(row);
            from.push(back);
        }
        let Some(end) = scores.last() else { return Ok((Vec::new(), shares)) };
        // A first foot whose second is not there yet is allowed only if nothing else is.
        let score = |state: usize| {
            let is_open = matches!(STATES[state], State::ToBoth { is_first: true, .. }) && n > 1;
            if is_open { end[state] - 3.0 } else { end[state] }
        };
        let mut at = (0..N_STATES).max_by(|&a, &b| score(a).total_cmp(&score(b))).unwrap_or(0);
        let mut states = vec![at];
        for back in from.iter().skip(1).rev() {
            at = back[at];
            states.push(at);
        }
        states.reverse();
        Ok((states, shares))
    }

    fn check_given(&self, footprints: &[Footprint], footprint: usize) -> Result<(), RecogniseError> {
        let Some(behaviour) = footprints[footprint].behaviour else { return Ok(()) };
        let is_again = is_again(|at| footprints[at].side, footprint);
        let why = match behaviour {
            Behaviour::Stand if footprint >= 2 => {
                Some("only the first two footprints are stood on; walk, or leave it open")
            }
            Behaviour::Hop if !is_again => {
                Some("a hop lands on the foot that took off; give the footprint before it to the same foot, or jump")
            }
            Behaviour::Run if is_again => {
                Some("a runner lands on the other foot; hop, or give one of them to the other foot")
            }
            _ => None,
        };
        if let Some(why) = why {
            return Err(RecogniseError::Contradiction { footprint, behaviour, why });
        }
        let is_known = (0..N_STATES).any(|state| self.is_learned[state] && STATES[state].behaviour() == behaviour);
        if is_known { Ok(()) } else { Err(RecogniseError::NotLearned { footprint, behaviour }) }
    }
}

/// The share of a state, of which that of its landing counts most: whether one foot or both took off is decided after
/// whether both land, and must not take votes from it.
fn landing_share(shares: &[f64; N_STATES], state: usize) -> f64 {
    let State::ToBoth { is_first, .. } = STATES[state] else { return shares[state] };
    let is_same = |of: &State| matches!(of, State::ToBoth { is_first: same, .. } if *same == is_first);
    let landing: f64 = STATES.iter().zip(shares).filter(|(of, _)| is_same(of)).map(|(_, share)| share).sum();
    landing.powf(LANDING_FIRST) * shares[state].max(LEAST_SHARE).powf(1.0 - LANDING_FIRST)
}

/// Whether a foot lands that was the last to land. Two standing feet are there at once: either may step first.
pub(crate) fn is_again(side: impl Fn(usize) -> Side, index: usize) -> bool {
    let is_same = |a: usize, b: usize| side(a) == side(b);
    index > 0 && is_same(index - 1, index) && (index != 2 || is_same(0, 1))
}

/// Whether a state goes with the feet of the footprints.
fn fits(state: State, footprints: &[Footprint], index: usize) -> bool {
    let is_again = is_again(|at| footprints[at].side, index);
    match state {
        State::Stand => index == 0 || (index == 1 && footprints[0].side != footprints[1].side),
        State::Hop => is_again,
        State::Run | State::OneToOther => index > 0 && !is_again,
        State::ToBoth { is_first: false, .. } => index > 0 && footprints[index - 1].side != footprints[index].side,
        State::ToBoth { is_first: true, .. } => {
            index > 0 && footprints.get(index + 1).is_none_or(|next| next.side != footprints[index].side)
        }
        State::Walk | State::Stair | State::BothToOne => index > 0,
    }
}

fn may_follow(before: State, after: State) -> bool {
    match (before, after) {
        (State::ToBoth { from_both, is_first: true }, State::ToBoth { from_both: same, is_first: false }) => {
            from_both == same
        }
        (State::ToBoth { is_first: true, .. }, _) | (_, State::ToBoth { is_first: false, .. }) => false,
        (_, State::Stand) => before == State::Stand,
        _ => true,
    }
}

/// Plans begin with a standing foot.
fn is_start(state: State, before: Option<usize>) -> bool {
    before.is_some() || state == State::Stand
}

/// Footprints as the recogniser sees them. Where a plan leaves the heading open, it is that of the nearest before, or after, that has one.
pub(crate) fn bare_prints(footprints: &[Footprint]) -> Vec<BarePrint> {
    let mut heading = footprints.iter().find_map(|print| print.heading).unwrap_or(0.0);
    let bare = footprints.iter().map(|print| {
        heading = print.heading.unwrap_or(heading);
        BarePrint { side: print.side, ball: print.position, heading }
    });
    bare.collect()
}

fn decision(
    list: &PrintList<'_>,
    prints: &[BarePrint],
    index: usize,
    state: usize,
    shares: &[f64; N_STATES],
    is_given: bool,
    leg_length: f64,
) -> Decision {
    let behaviour = STATES[state].behaviour();
    let of = |behaviour: Behaviour| {
        (0..N_STATES).filter(|&state| STATES[state].behaviour() == behaviour).map(|state| shares[state]).sum::<f64>()
    };
    let others = Behaviour::ALL.into_iter().filter(|other| *other != behaviour).map(|other| (other, of(other)));
    let stride = list.stride(index);
    let reason = DecisionReason {
        is_given,
        share: of(behaviour),
        runner_up: others.max_by(|a, b| a.1.total_cmp(&b.1)),
        stride: stride.map(|stride| planar(stride) * leg_length),
        step: list.step(index).map(|step| planar(step) * leg_length),
        rise: stride.map(|stride| stride.y * leg_length),
        limit: None,
    };
    Decision { behaviour, feet: feet_of(STATES[state], prints, index), reason }
}

/// The feet that take off and land. Who alone takes off is who landed last.
fn feet_of(state: State, prints: &[BarePrint], index: usize) -> Option<[Feet; 2]> {
    let own = Feet::from(prints[index].side);
    let last = |index: usize| index.checked_sub(1).map_or(Side::Left, |last| prints[last].side);
    match state {
        State::Stand | State::Walk | State::Stair => None,
        State::Hop => Some([own, own]),
        State::Run | State::OneToOther => Some([own.mirrored(), own]),
        State::BothToOne => Some([Feet::Both, own]),
        State::ToBoth { from_both: true, .. } => Some([Feet::Both, Feet::Both]),
        State::ToBoth { is_first, .. } => {
            let first = if is_first { index } else { index.saturating_sub(1) };
            Some([Feet::from(last(first)), Feet::Both])
        }
    }
}

/// Recognises footprints as they come: each is decided as soon as four more are known ([`LOOK_AHEAD`]), and then stays so.
#[derive(Clone, Debug)]
pub struct LiveRecogniser<'a> {
    recogniser: &'a Recogniser,
    leg_length: f64,
    footprints: Vec<Footprint>,
    /// States of those that are decided.
    states: Vec<usize>,
}

impl<'a> LiveRecogniser<'a> {
    /// Before any footprint.
    pub fn new(recogniser: &'a Recogniser, leg_length: f64) -> LiveRecogniser<'a> {
        LiveRecogniser { recogniser, leg_length, footprints: Vec::new(), states: Vec::new() }
    }

    /// Adds a footprint. Returns what leads to the one four before it; a refused footprint is not added.
    pub fn push(&mut self, footprint: Footprint) -> Result<Option<Decision>, RecogniseError> {
        self.footprints.push(footprint);
        let decided =
            if self.footprints.len() > self.states.len() + LOOK_AHEAD { self.next().map(Some) } else { Ok(None) };
        if decided.is_err() {
            self.footprints.pop();
        }
        decided
    }

    /// What leads to the footprints that are not decided yet.
    pub fn finish(mut self) -> Result<Vec<Decision>, RecogniseError> {
        let mut decisions = Vec::new();
        while self.states.len() < self.footprints.len() {
            decisions.push(self.next()?);
        }
        Ok(decisions)
    }

    fn next(&mut self) -> Result<Decision, RecogniseError> {
        let index = self.states.len();
        let prints = bare_prints(&self.footprints);
        let list = PrintList::new(&prints, self.leg_length);
        let last = self.states.last().map(|&state| (index - 1, state));
        let (states, shares) = self.recogniser.decide(&list, &self.footprints, last)?;
        self.states.push(states[0]);
        let is_given = self.footprints[index].behaviour.is_some();
        Ok(decision(&list, &prints, index, states[0], &shares[0], is_given, self.leg_length))
    }
}

#[cfg(test)]
mod tests;
