//! The paper's footprint patterns (COMPOSE 4.1) and its look-ahead (5): limits of distance, height and angle, learned from recordings.
//!
//! Global: how far the acting foot travels between two stances. The largest distance of a behaviour is its upper limit; the lower
//! limit of running is the upper of walking, that of jumping the upper of running; in the overlap of walking and running, the next four
//! footprints decide: if one of them is beyond walking, it is a run. Stairs by height.
//!
//! Local: at take-off and landing the angle theta between the line through both feet and the line across the heading, and their distance d:
//!
//! ```text
//!        heading ^        theta = 0: side by side        theta = 60 degrees: one foot in front
//!                |            o-----o                              o
//!                                                              o
//! ```
//!
//! Feet side by side, |theta| <= theta_thres and d <= d_max, take off or land together (figure 6).
//!
//! Departures: distances are over the leg length, so that limits hold for people of any height (figure 7). Upper limits are the 98th
//! percentile: one odd step, or a stance that was missed, must not decide for all. The threshold of theta is half way between the means of
//! feet together and apart; the paper's average of those together alone would refuse half of them.

use crate::behaviour_database::{BehaviourClip, BehaviourDatabase};
use crate::body_tracks::planar;
use crate::decision::{Decision, DecisionReason, RecogniseError};
use crate::footprint_features::{BarePrint, LOOK_AHEAD, PrintList};
use crate::recognise::{bare_prints, is_again};
use crate::step_label::{Feet, StepLabel};
use crate::transition_graphs::TransitionGraphs;
use std::collections::BTreeMap;
use surefoot_contact::{Behaviour, Footprint};

/// The share of recorded distances below an upper limit.
const UPPER: f64 = 0.98;
/// And of those below a lower one.
const LOWER: f64 = 0.02;

/// Distances of the acting foot of a behaviour, over the leg length.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DistanceLimits {
    /// How many steps.
    pub n_steps: usize,
    /// 2nd percentile, median, 98th percentile and largest.
    pub distances: [f64; 4],
}

/// The local pattern of jumps (figure 6), for take-off and landing.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PairLimits {
    /// Feet take off or land together up to this angle, in radians.
    pub angle: f64,
    /// And up to this distance between them, over the leg length.
    pub distance: f64,
    /// Mean angle of feet that do it together, and of those that do not.
    pub means: [f64; 2],
}

/// What was learned of footprint patterns.
#[derive(Clone, Debug, PartialEq)]
pub struct PaperLimits {
    /// Distances of the acting foot by behaviour.
    pub distances: BTreeMap<Behaviour, DistanceLimits>,
    /// Steps that rise or fall by more are on stairs, over the leg length.
    pub stair_rise: f64,
    /// Of feet before a jump.
    pub take_off: PairLimits,
    /// Of feet after it.
    pub landing: PairLimits,
    /// The four patterns of jumps (figure 5), left and right taken together: from one foot or both, to one foot or both.
    pub jumps: Vec<JumpPatternLimits>,
    /// How many footprints ahead decide between walking and running, and between running and jumping: as many as recorded people need
    /// from one to the other (`TransitionGraphs::look_ahead`), four where that was not recorded.
    pub look_ahead: [usize; 2],
}

/// One of the four patterns of jumps, Pi = {theta_i, theta_j, d_i} (figure 6).
#[derive(Clone, Debug, PartialEq)]
pub struct JumpPatternLimits {
    /// Whether both feet take off, and whether both land.
    pub both: [bool; 2],
    /// Angles between the feet at take-off and at landing, in radians: 10th percentile, median, 90th percentile.
    pub angles: [[f64; 3]; 2],
    /// How far the acting foot travels, over the leg length.
    pub distance: [f64; 3],
    /// Where the other foot is beside the acting one, mirrored as if that were the left: across and along its heading, over the leg length, at take-off
    /// and at landing.
    pub places: [Vec<[f64; 2]>; 2],
    /// Recorded jumps.
    pub n_jumps: usize,
}

fn percentile(sorted: &[f64], share: f64) -> f64 {
    let place = (sorted.len().saturating_sub(1) as f64 * share).round() as usize;
    sorted.get(place).copied().unwrap_or(0.0)
}

/// The angle of a pair of feet, from how far they are apart along and across their heading.
pub(crate) fn pair_angle([along, across]: [f64; 2]) -> f64 {
    along.atan2(across)
}

impl PaperLimits {
    /// Learns from recordings. `None` without any step.
    pub fn learn(database: &BehaviourDatabase) -> Option<PaperLimits> {
        let (mut level, mut stairs) = (Vec::new(), Vec::new());
        let (mut take_off, mut landing) = ([Vec::new(), Vec::new()], [Vec::new(), Vec::new()]);
        let mut jumps: BTreeMap<[bool; 2], Vec<RecordedJump>> = BTreeMap::new();
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
            for (index, stance) in of.stances.iter().enumerate() {
                let (Some(behaviour), Some(stride)) = (stance.label.behaviour(), list.stride(index)) else { continue };
                let rise = stride.y.abs().max(list.step(index).map_or(0.0, |step| step.y.abs()));
                match behaviour {
                    Behaviour::Walk => level.push(rise),
                    Behaviour::Stair => stairs.push(rise),
                    _ => {}
                }
                let Some(flight) = of.flight_of(index).filter(|_| stance.label == StepLabel::Jump) else { continue };
                let is_first = !of.stances[..index].iter().any(|other| other.flight == stance.flight);
                let after = (index + 1..prints.len()).find(|&other| prints[other].side != stance.side);
                if let (true, Some(own), Some(other), Some(after)) =
                    (is_first, list.own(index), list.other(index), after)
                {
                    let both = [flight.take_off, flight.landing].map(|feet| feet == Feet::Both);
                    let places = [list.beside(own, other), list.beside(index, after)];
                    jumps.entry(both).or_default().push(RecordedJump { places, distance: planar(stride) });
                }
                if let (Some(own), Some(other)) = (list.own(index), list.other(index)) {
                    take_off[usize::from(flight.take_off != Feet::Both)].push(list.apart(own, other));
                }
                let next = of.stances[index + 1..].iter().position(|other| other.side != stance.side);
                if let Some(next) = next {
                    landing[usize::from(flight.landing != Feet::Both)].push(list.apart(index, index + 1 + next));
                }
            }
        }
        let limits = |mut values: Vec<f64>| {
            values.sort_by(f64::total_cmp);
            let largest = values.last().copied().unwrap_or(0.0);
            DistanceLimits {
                n_steps: values.len(),
                distances: [percentile(&values, LOWER), percentile(&values, 0.5), percentile(&values, UPPER), largest],
            }
        };
        let distances: BTreeMap<Behaviour, DistanceLimits> = Behaviour::ALL
            .into_iter()
            .map(|behaviour| (behaviour, limits(PaperLimits::strides(database, behaviour))))
            .filter(|(_, limits)| limits.n_steps > 0)
            .collect();
        distances.contains_key(&Behaviour::Walk).then(|| {
            level.sort_by(f64::total_cmp);
            stairs.sort_by(f64::total_cmp);
            let stair_rise = if stairs.is_empty() {
                percentile(&level, UPPER)
            } else {
                (percentile(&level, UPPER) + percentile(&stairs, LOWER)) / 2.0
            };
            let graphs = TransitionGraphs::learn(database);
            let ahead = |from, to| graphs.look_ahead(from, to).unwrap_or(LOOK_AHEAD);
            PaperLimits {
                distances,
                stair_rise,
                take_off: pair_limits(&take_off),
                landing: pair_limits(&landing),
                jumps: jumps.into_iter().map(|(both, jumps)| pattern_limits(both, &jumps)).collect(),
                look_ahead: [ahead(Behaviour::Walk, Behaviour::Run), ahead(Behaviour::Run, Behaviour::Jump)],
            }
        })
    }

    /// Recorded distances of the acting foot of a behaviour, over the leg length.
    pub fn strides(database: &BehaviourDatabase, behaviour: Behaviour) -> Vec<f64> {
        let of_clip = |clip: &BehaviourClip| {
            let stances = &clip.segmentation.stances;
            let stride = |index: usize| {
                let stance = &stances[index];
                let own = stance.previous.filter(|_| stance.label.behaviour() == Some(behaviour))?;
                let is_walk = behaviour == Behaviour::Walk;
                // A foot that was in the air during a hop of the other has not walked so far.
                let through_flight = is_walk && stances[own + 1..index].iter().any(|other| other.flight.is_some());
                (!through_flight).then(|| planar(stance.ball - stances[own].ball) / clip.leg_length)
            };
            (0..stances.len()).filter_map(stride).collect::<Vec<f64>>()
        };
        database.clips().iter().flat_map(of_clip).collect()
    }

    /// Upper limit of a behaviour, over the leg length; 0 if there is none of it.
    pub fn upper(&self, behaviour: Behaviour) -> f64 {
        self.distances.get(&behaviour).map_or(0.0, |limits| limits.distances[2])
    }

    fn lower(&self, behaviour: Behaviour) -> f64 {
        self.distances.get(&behaviour).map_or(f64::INFINITY, |limits| limits.distances[0])
    }

    /// What leads to each footprint, by the limits alone. Behaviours that a plan gives are kept.
    pub fn recognise(&self, footprints: &[Footprint], leg_length: f64) -> Result<Vec<Decision>, RecogniseError> {
        let prints = bare_prints(footprints);
        let list = PrintList::new(&prints, leg_length);
        let mut decisions: Vec<Decision> = Vec::new();
        for (index, print) in footprints.iter().enumerate() {
            if let (Some(Behaviour::Stand), true) = (print.behaviour, index >= 2) {
                let why = "only the first two footprints are stood on; walk, or leave it open";
                return Err(RecogniseError::Contradiction { footprint: index, behaviour: Behaviour::Stand, why });
            }
            let (found, limit) = self.behaviour(&list, &prints, index);
            let behaviour = print.behaviour.unwrap_or(found);
            let stride = list.stride(index);
            let reason = DecisionReason {
                is_given: print.behaviour.is_some(),
                share: 1.0,
                runner_up: None,
                stride: stride.map(|stride| planar(stride) * leg_length),
                step: list.step(index).map(|step| planar(step) * leg_length),
                rise: stride.map(|stride| stride.y * leg_length),
                limit: Some(limit),
            };
            let feet = self.feet(&list, &prints, index, behaviour);
            decisions.push(Decision { behaviour, feet, reason });
        }
        Ok(decisions)
    }

    fn behaviour(&self, list: &PrintList<'_>, prints: &[BarePrint], index: usize) -> (Behaviour, String) {
        let Some(stride) = list.stride(index) else {
            return (Behaviour::Stand, "its foot was nowhere before".to_string());
        };
        let rise = stride.y.abs().max(list.step(index).map_or(0.0, |step| step.y.abs()));
        if rise > self.stair_rise {
            return (Behaviour::Stair, "higher or lower than steps on the level".to_string());
        }
        let (walk, run) = (self.upper(Behaviour::Walk), self.upper(Behaviour::Run));
        let distance = planar(stride);
        if is_again(|at| prints[at].side, index) {
            return (Behaviour::Hop, "the same foot again".to_string());
        }
        // COMPOSE 5: where two behaviours overlap, the next footprints decide.
        let [to_run, to_jump] = self.look_ahead;
        let is_ahead = |n_ahead: usize, limit: f64| {
            let mut ahead = index + 1..prints.len().min(index + 1 + n_ahead);
            ahead.any(|ahead| list.stride(ahead).is_some_and(|stride| planar(stride) > limit))
        };
        if distance > run.max(walk) {
            return (Behaviour::Jump, format!("beyond running, {:.2} leg lengths", run.max(walk)));
        }
        if distance > walk {
            let is_overlap = distance >= self.lower(Behaviour::Jump).max(walk);
            let is_lone = is_overlap
                && !is_ahead(1, walk)
                && index > 0
                && list.stride(index - 1).is_none_or(|of| planar(of) <= walk);
            if is_lone && is_ahead(to_jump, run.max(walk)) {
                let reason =
                    format!("running and jumping overlap here, and one of the next {to_jump} is beyond running");
                return (Behaviour::Jump, reason);
            }
            return (Behaviour::Run, format!("beyond walking, {walk:.2} leg lengths"));
        }
        if distance >= self.lower(Behaviour::Run) {
            if is_ahead(to_run, walk) {
                let reason = format!("walking and running overlap here, and one of the next {to_run} runs");
                return (Behaviour::Run, reason);
            }
            let reason = format!("walking and running overlap here, and none of the next {to_run} runs");
            return (Behaviour::Walk, reason);
        }
        (Behaviour::Walk, format!("within walking, {walk:.2} leg lengths"))
    }

    fn feet(
        &self,
        list: &PrintList<'_>,
        prints: &[BarePrint],
        index: usize,
        behaviour: Behaviour,
    ) -> Option<[Feet; 2]> {
        let own = Feet::from(prints[index].side);
        match behaviour {
            Behaviour::Run => Some([own.mirrored(), own]),
            Behaviour::Hop => Some([own, own]),
            Behaviour::Jump => {
                let is_pair = |limits: &PairLimits, a: usize, b: usize| {
                    let apart = list.apart(a, b);
                    pair_angle(apart) <= limits.angle && apart[0].hypot(apart[1]) <= limits.distance
                };
                let from = match (list.own(index), list.other(index)) {
                    (Some(own), Some(other)) if is_pair(&self.take_off, own, other) => Feet::Both,
                    _ => Feet::from(prints[index.saturating_sub(1)].side),
                };
                let beside = [index.checked_sub(1), Some(index + 1)].into_iter().flatten();
                let mut beside =
                    beside.filter(|&other| other < prints.len() && prints[other].side != prints[index].side);
                let to = if beside.any(|other| is_pair(&self.landing, index, other)) { Feet::Both } else { own };
                Some([from, to])
            }
            _ => None,
        }
    }
}

struct RecordedJump {
    places: [[f64; 2]; 2],
    distance: f64,
}

fn pattern_limits(both: [bool; 2], jumps: &[RecordedJump]) -> JumpPatternLimits {
    let spread = |mut values: Vec<f64>| {
        values.sort_by(f64::total_cmp);
        [0.1, 0.5, 0.9].map(|share| percentile(&values, share))
    };
    let places = [0, 1].map(|end: usize| jumps.iter().map(|jump| jump.places[end]).collect::<Vec<_>>());
    let angle = |[across, along]: &[f64; 2]| pair_angle([along.abs(), across.abs()]);
    JumpPatternLimits {
        both,
        angles: [0, 1].map(|end: usize| spread(places[end].iter().map(angle).collect())),
        distance: spread(jumps.iter().map(|jump| jump.distance).collect()),
        places,
        n_jumps: jumps.len(),
    }
}

fn pair_limits([together, apart]: &[Vec<[f64; 2]>; 2]) -> PairLimits {
    let mean = |pairs: &[[f64; 2]]| {
        if pairs.is_empty() {
            std::f64::consts::FRAC_PI_2
        } else {
            pairs.iter().map(|pair| pair_angle(*pair)).sum::<f64>() / pairs.len() as f64
        }
    };
    let mut distances: Vec<f64> = together.iter().map(|pair| pair[0].hypot(pair[1])).collect();
    distances.sort_by(f64::total_cmp);
    let means = [mean(together), mean(apart)];
    PairLimits { angle: (means[0] + means[1]) / 2.0, distance: percentile(&distances, UPPER), means }
}
