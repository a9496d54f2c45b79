//! Footprints alone decide (COMPOSE 4.1, 5): which behaviour leads to each footprint of a plan, and why.
//!
//! The paper compares the distance that a foot travels with the largest of each behaviour, and looks four footprints ahead where two
//! behaviours overlap (`paper_limits`). That knows no jump shorter than a running stride. Ours is a sequence model, learned from the same
//! recordings:
//!
//! 1. Each footprint's numbers (`footprint_features`), of it, of three before and of four after.
//! 2. Three forests: what leads to a footprint; whether two footprints in a row are one landing, by how alike their feet moved; and whether one
//!    foot or both took off for it.
//! 3. The likeliest sequence of states (Viterbi), by these shares and by how often one state follows another; the first foot of a landing
//!    on both is followed by the second, a hop is on the foot that was last, who has landed on one foot does not take off from both, and no planted
//!    foot lets the other turn by 140 degrees.
//!
//! Which of two feet is listed first for a landing is chance. One forest over first and second feet split its votes between them, and a row of jumps
//! in place was called a walk.
//!
//! A [`Decision`] is a value with its reason, made before any frame. A behaviour that the plan gives is kept; where it contradicts the
//! footprints, the plan is refused with the footprint's number.

use crate::behaviour_database::BehaviourDatabase;
use crate::body_tracks::planar;
use crate::constructed_plans::constructed_plans;
use crate::decision::{Decision, DecisionReason, RecogniseError};
use crate::footprint_features::{BarePrint, LOOK_AHEAD, N_FEATURES, N_LINK, PrintList};
use crate::forest::{Forest, ForestOptions, Sample};
use crate::learned_plans::{LearnedPlan, recorded_plans};
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
    pub(crate) fn of(segmentation: &Segmentation, index: usize) -> Option<State> {
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

/// How a recogniser is learned.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RecogniserOptions {
    /// Trees of the forest. 10 to 500; default 60. More are slower and little better.
    pub n_trees: usize,
    /// Numbers that a node of a tree tries. 1 to 100; default 30.
    pub n_tried: usize,
    /// How much the order of behaviours counts beside each footprint. 0 to 2; default 0.15.
    pub order_weight: f64,
    /// How much it counts whether two footprints are one landing. 0 to 5; default 2.
    pub link_weight: f64,
    /// How often each recording is learned once more, cut, in another order and shifted a little. 0 to 20; default 2.
    pub n_variants: usize,
    /// Plans laid by rule that are learned beside the recordings, for patterns that those have few of. 0 to 1000; default 250.
    pub n_constructed: usize,
}

impl Default for RecogniserOptions {
    fn default() -> RecogniserOptions {
        RecogniserOptions {
            n_trees: 60,
            n_tried: 30,
            order_weight: 0.15,
            link_weight: 2.0,
            n_variants: 2,
            n_constructed: 250,
        }
    }
}

/// Weight of a footprint that was laid by rule, beside one that was recorded.
const CONSTRUCTED_WEIGHT: f64 = 1.0;
/// Nodes of less weight are leaves.
const LEAST_WEIGHT: f64 = 3.0;
/// A state that no tree votes for has this share: the order of states may still call for it.
const LEAST_SHARE: f64 = 0.003;
/// How much the take-off of both feet counts beside their landing, of each of the two footprints.
const TAKE_OFF_WEIGHT: f64 = 0.5;
/// Landings on both feet are fewer than steps, but in a plan two feet side by side are meant: added for each, a logarithm.
const ONE_LANDING: f64 = 0.8;
/// What cannot be.
const NEVER: f64 = -1e9;

/// What the first forest tells apart: of a landing on both feet neither which foot is first nor who took off.
const N_CLASSES: usize = 8;
const CLASS_TO_BOTH: usize = 7;

fn class_of(state: State) -> usize {
    match state {
        State::Stand => 0,
        State::Walk => 1,
        State::Run => 2,
        State::Stair => 3,
        State::Hop => 4,
        State::BothToOne => 5,
        State::OneToOther => 6,
        State::ToBoth { .. } => CLASS_TO_BOTH,
    }
}

fn behaviour_of_class(class: usize) -> Behaviour {
    STATES.into_iter().find(|state| class_of(*state) == class).map_or(Behaviour::Walk, State::behaviour)
}

fn share_of(shares: &[f64; N_CLASSES], behaviour: Behaviour) -> f64 {
    (0..N_CLASSES).filter(|&class| behaviour_of_class(class) == behaviour).map(|class| shares[class]).sum()
}

/// Rare classes count more, by the square root of how rare they are.
fn balance<const N: usize>(samples: &mut [Sample<N>], n_classes: usize) {
    let mut weights = vec![0.0; n_classes];
    samples.iter().for_each(|sample| weights[sample.class] += sample.weight);
    let mean = weights.iter().sum::<f64>() / n_classes as f64;
    samples.iter_mut().for_each(|sample| sample.weight *= (mean / weights[sample.class]).sqrt());
}

/// A model of what footprints mean.
#[derive(Clone, Debug)]
pub struct Recogniser {
    /// What leads to a footprint.
    kinds: Forest<N_FEATURES>,
    /// Whether two footprints in a row, of two feet, are one landing.
    links: Forest<N_LINK>,
    /// Whether one foot or both took off for a landing on both.
    take_offs: Forest<N_FEATURES>,
    /// Logarithm of how often a state follows another, weighted.
    follows: [[f64; N_STATES]; N_STATES],
    is_learned: [bool; N_STATES],
    /// Whether a plan may give behaviours that were not learned.
    takes_unlearned: bool,
    link_weight: f64,
}

/// What the forests say of footprints.
struct Shares {
    /// Of each footprint's class.
    kinds: Vec<[f64; N_CLASSES]>,
    /// That a footprint and the one before it are one landing.
    links: Vec<f64>,
    /// That both took off, if both land.
    from_both: Vec<f64>,
}

impl Recogniser {
    /// Learns from recordings. `None` if they have no step.
    pub fn learn(database: &BehaviourDatabase, options: &RecogniserOptions) -> Option<Recogniser> {
        let (mut kinds, mut links, mut take_offs) = (Vec::new(), Vec::new(), Vec::new());
        let mut follows = [[1.0; N_STATES]; N_STATES];
        let mut is_learned = [false; N_STATES];
        let recorded = recorded_plans(database, options.n_variants);
        for plan in recorded.iter().filter(|plan| plan.is_original) {
            let places = plan.states.iter().map(|state| STATES.iter().position(|of| Some(*of) == *state));
            let mut last = None;
            for class in places {
                if let Some(class) = class {
                    is_learned[class] = true;
                    if let Some(last) = last {
                        let counts: &mut [f64; N_STATES] = &mut follows[last];
                        counts[class] += 1.0;
                    }
                }
                last = class;
            }
        }
        if is_learned.iter().zip(STATES).all(|(is_learned, state)| !is_learned || state == State::Stand) {
            return None;
        }
        let constructed = constructed_plans(options.n_constructed).into_iter().map(|(prints, states)| LearnedPlan {
            prints,
            states: states.into_iter().map(Some).collect(),
            leg_length: 1.0,
            weight: CONSTRUCTED_WEIGHT,
            is_original: false,
        });
        for LearnedPlan { prints, states, leg_length, weight, .. } in recorded.into_iter().chain(constructed) {
            let list = PrintList::new(&prints, leg_length);
            for (index, state) in states.iter().enumerate() {
                let Some(state) = *state else { continue };
                let numbers = list.features(index);
                if let State::ToBoth { from_both, .. } = state {
                    take_offs.push(Sample { numbers, class: usize::from(from_both), weight });
                }
                kinds.push(Sample { numbers, class: class_of(state), weight });
                let next = states.get(index + 1).copied().flatten();
                if let Some(next) = next.filter(|next| *next != State::Stand && list.may_be_one(index)) {
                    let class = usize::from(
                        matches!(state, State::ToBoth { is_first: true, .. })
                            && matches!(next, State::ToBoth { is_first: false, .. }),
                    );
                    links.push(Sample { numbers: list.link_features(index), class, weight });
                }
            }
        }
        balance(&mut kinds, N_CLASSES);
        balance(&mut links, 2);
        balance(&mut take_offs, 2);
        let forest_options =
            |n_tried: usize| ForestOptions { n_trees: options.n_trees, n_tried, least_weight: LEAST_WEIGHT, seed: 17 };
        for counts in &mut follows {
            let sum: f64 = counts.iter().sum();
            counts.iter_mut().for_each(|count| *count = options.order_weight * (*count / sum).ln());
        }
        Some(Recogniser {
            kinds: Forest::grow(&kinds, N_CLASSES, &forest_options(options.n_tried)),
            links: Forest::grow(&links, 2, &forest_options(options.n_tried)),
            take_offs: Forest::grow(&take_offs, 2, &forest_options(options.n_tried)),
            follows,
            is_learned,
            takes_unlearned: false,
            link_weight: options.link_weight,
        })
    }

    /// The same, and plans may give behaviours that no recording has: for those who need none.
    pub fn taking_unlearned(self) -> Recogniser {
        Recogniser { takes_unlearned: true, ..self }
    }

    fn shares(&self, list: &PrintList<'_>, of: std::ops::Range<usize>) -> Shares {
        let (mut kinds, mut links, mut from_both) = (Vec::new(), Vec::new(), Vec::new());
        for index in of {
            let (numbers, mut share, mut pair) = (list.features(index), [0.0; N_CLASSES], [0.0; 2]);
            self.kinds.classify(&numbers, &mut share);
            kinds.push(share);
            self.take_offs.classify(&numbers, &mut pair);
            from_both.push(pair[1]);
            let before = index.checked_sub(1).filter(|&before| list.may_be_one(before));
            links.push(before.map_or(0.0, |before| {
                self.links.classify(&list.link_features(before), &mut pair);
                pair[1]
            }));
        }
        Shares { kinds, links, from_both }
    }

    /// The score of a state of a footprint by itself. Whether two footprints are one landing is for the links to say: here one footprint is
    /// compared with what else it could be alone.
    fn own_score(shares: &Shares, at: usize, state: State) -> f64 {
        let together = shares.kinds[at][CLASS_TO_BOTH];
        let State::ToBoth { from_both, .. } = state else {
            let apart = (1.0 - together).max(LEAST_SHARE);
            return (shares.kinds[at][class_of(state)] / apart).max(LEAST_SHARE).ln();
        };
        let take_off = if from_both { shares.from_both[at] } else { 1.0 - shares.from_both[at] };
        TAKE_OFF_WEIGHT * take_off.max(LEAST_SHARE).ln()
    }

    /// What leads to each footprint of a plan.
    pub fn recognise(&self, footprints: &[Footprint], leg_length: f64) -> Result<Vec<Decision>, RecogniseError> {
        let prints = bare_prints(footprints);
        let list = PrintList::new(&prints, leg_length);
        let (states, shares) = self.decide(&list, footprints, None)?;
        let shares = shares.kinds;
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
    ) -> Result<(Vec<usize>, Shares), RecogniseError> {
        let first = last.map_or(0, |(index, _)| index + 1);
        let n = footprints.len();
        let shares = self.shares(list, first..n);
        let mut scores: Vec<[f64; N_STATES]> = Vec::with_capacity(n - first);
        let mut from: Vec<[usize; N_STATES]> = Vec::with_capacity(n - first);
        for index in first..n {
            let at = index - first;
            self.check_given(footprints, index, &shares.kinds[at])?;
            let is_one = self.link_weight * shares.links[at].max(LEAST_SHARE).ln() + ONE_LANDING;
            let is_two = self.link_weight * (1.0 - shares.links[at]).max(LEAST_SHARE).ln();
            let may_be_one = index > 0 && list.may_be_one(index - 1);
            let link = |to: State| match to {
                _ if !may_be_one => 0.0,
                State::ToBoth { is_first: false, .. } => is_one,
                _ => is_two,
            };
            let mut row = [NEVER; N_STATES];
            let mut back = [0; N_STATES];
            for (to, state) in STATES.iter().enumerate() {
                let is_wanted = footprints[index].behaviour.is_none_or(|given| given == state.behaviour());
                if !is_wanted || !fits(*state, footprints, index) || !turns(*state, list, index) {
                    continue;
                }
                let own = Recogniser::own_score(&shares, at, *state) + link(*state);
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

    fn check_given(
        &self,
        footprints: &[Footprint],
        footprint: usize,
        shares: &[f64; N_CLASSES],
    ) -> Result<(), RecogniseError> {
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
        let is_known =
            |of: Behaviour| (0..N_STATES).any(|state| self.is_learned[state] && STATES[state].behaviour() == of);
        if self.takes_unlearned || is_known(behaviour) {
            return Ok(());
        }
        let known = Behaviour::ALL.into_iter().filter(|of| *of != Behaviour::Stand && is_known(*of));
        let share = |of: Behaviour| (of, share_of(shares, of));
        let nearest = known.map(share).max_by(|a, b| a.1.total_cmp(&b.1)).unwrap_or((Behaviour::Walk, 0.0));
        Err(RecogniseError::NotLearned { footprint, behaviour, side: footprints[footprint].side, nearest })
    }
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

/// A planted foot lets the other turn only so far from it, in radians: beyond, the body has turned in the air.
const MOST_TURN: f64 = 2.4;

fn turns(state: State, list: &PrintList<'_>, index: usize) -> bool {
    !matches!(state, State::Walk | State::Stair | State::Run) || list.turn_from_other(index) < MOST_TURN
}

fn may_follow(before: State, after: State) -> bool {
    match (before, after) {
        (State::ToBoth { from_both, is_first: true }, State::ToBoth { from_both: same, is_first: false }) => {
            from_both == same
        }
        (State::ToBoth { is_first: true, .. }, _) | (_, State::ToBoth { is_first: false, .. }) => false,
        (_, State::Stand) => before == State::Stand,
        // After a flight to one foot the other is still in the air.
        (
            State::Hop | State::BothToOne | State::OneToOther | State::Run,
            State::BothToOne | State::ToBoth { from_both: true, .. },
        ) => false,
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
    shares: &[f64; N_CLASSES],
    is_given: bool,
    leg_length: f64,
) -> Decision {
    let behaviour = STATES[state].behaviour();
    let of = |behaviour: Behaviour| share_of(shares, behaviour);
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
        Ok(decision(&list, &prints, index, states[0], &shares.kinds[0], is_given, self.leg_length))
    }
}

#[cfg(test)]
mod tests;
