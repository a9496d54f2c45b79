//! Recordings as plans to learn from, each also in variants that mean the same.
//!
//! What two feet that land together are called first is chance, a plan may end earlier or begin later, and nobody places feet to the
//! centimetre. So every recording is learned some times more: such landings listed in another order, cut at both ends, shifted a little, for
//! legs that are a little longer or shorter. Left and right need no mirroring: the numbers of a footprint are the same for both.

use crate::behaviour_database::BehaviourDatabase;
use crate::footprint_features::BarePrint;
use crate::recognise::State;
use surefoot_geom::{Random, Vec3};

/// Weight of a variant beside its recording.
const VARIANT_WEIGHT: f64 = 0.6;
/// Places are shifted by so much at most, in metres, headings by so much, in radians.
const SHIFTED: f64 = 0.025;
const TURNED: f64 = 0.08;
/// Legs are longer or shorter by this share.
const SCALED: f64 = 0.1;
/// Shorter plans teach nothing.
const SHORTEST: usize = 4;

/// Footprints with what leads to them; `None` where that is not known.
pub(crate) struct LearnedPlan {
    pub(crate) prints: Vec<BarePrint>,
    pub(crate) states: Vec<Option<State>>,
    pub(crate) leg_length: f64,
    pub(crate) weight: f64,
    /// As recorded.
    pub(crate) is_original: bool,
}

/// The recordings, each followed by its variants; the same each time.
pub(crate) fn recorded_plans(database: &BehaviourDatabase, n_variants: usize) -> Vec<LearnedPlan> {
    let mut random = Random::new(11);
    let mut plans = Vec::new();
    for clip in database.clips() {
        let of = &clip.segmentation;
        let print = |stance: &crate::LabelledStance| BarePrint {
            side: stance.side,
            ball: stance.ball,
            heading: stance.heading.unwrap_or(0.0),
        };
        let original = LearnedPlan {
            prints: of.stances.iter().map(print).collect(),
            states: (0..of.stances.len()).map(|index| State::of(of, index)).collect(),
            leg_length: clip.leg_length,
            weight: 1.0,
            is_original: true,
        };
        let variants: Vec<LearnedPlan> = (0..n_variants).map(|_| variant(&original, &mut random)).collect();
        plans.push(original);
        plans.extend(variants);
    }
    plans
}

fn variant(of: &LearnedPlan, random: &mut Random) -> LearnedPlan {
    let (mut prints, mut states) = (of.prints.clone(), of.states.clone());
    let first = |state: Option<State>| matches!(state, Some(State::ToBoth { is_first: true, .. }));
    let second = |state: Option<State>| matches!(state, Some(State::ToBoth { is_first: false, .. }));
    for index in 1..prints.len() {
        let stands = index == 1 && states[0] == Some(State::Stand) && states[1] == Some(State::Stand);
        if (stands || (first(states[index - 1]) && second(states[index]))) && random.chance(0.5) {
            prints.swap(index - 1, index);
        }
    }
    // Later beginnings: where both feet are planted.
    let starts: Vec<usize> = (0..prints.len().saturating_sub(SHORTEST))
        .filter(|&start| {
            let both = [states[start], states[start + 1]];
            let steps = |state: Option<State>| matches!(state, Some(State::Walk | State::Stair));
            prints[start].side != prints[start + 1].side
                && ((first(both[0]) && second(both[1])) || both.into_iter().all(steps))
        })
        .collect();
    if !starts.is_empty() && random.chance(0.5) {
        let start = starts[random.index(starts.len())];
        prints.drain(..start);
        states.drain(..start);
        states[..2].fill(Some(State::Stand));
    }
    if prints.len() > SHORTEST && random.chance(0.5) {
        let mut end = SHORTEST + random.index(prints.len() - SHORTEST);
        // Not between the two feet of a landing.
        end += usize::from(end < states.len() && second(states[end]));
        prints.truncate(end);
        states.truncate(end);
    }
    for print in &mut prints {
        let shift = random.in_cube() * SHIFTED;
        print.ball += Vec3::new(shift.x, 0.0, shift.z);
        print.heading += TURNED * random.signed();
    }
    let leg_length = of.leg_length * (1.0 + SCALED * random.signed());
    LearnedPlan { prints, states, leg_length, weight: VARIANT_WEIGHT, is_original: false }
}
