//! Footprints with everything that a synthesizer needs to know: what leads to each, where feet point, which land together.
//!
//! 1. A behaviour that the plan gives is kept. Where the plan gives times, these decide whether a step is a flight.
//! 2. The rest is recognised from footprints alone ([`Recogniser`]), each with the four after it.
//! 3. What nobody walks to, and yet was taken for a walk, is flown to: the same foot again is a hop, among runs it is a run, else a jump. A short way
//!    to the side is stepped. Then the footprints around it are recognised again.
//! 4. Who runs takes steps alike: one less than half as long as the run's next or last one is walked, and a run of a single step is a leap.
//! 5. Feet without a heading point along the travel, so that recorded steps and gait agree about them.

use crate::decision::{Decision, RecogniseError};
use crate::recognise::Recogniser;
use crate::step_label::Feet;
use surefoot_contact::{Behaviour, Footprint};
use surefoot_geom::{Vec3, direction_heading, ground_point, heading_direction, turn_between};
use surefoot_plan::{BodyReach, Overlap, PlanLimits, lands_together, step_timing};

/// Steps with a foot planted that rise or fall by more are stairs, in metres: the same height as in recordings.
const STAIR: f64 = 0.06;
/// Shorter ways have no direction, in metres.
const TRAVEL: f64 = 0.25;
/// Longest step that people walk without being asked to, of the leg: 1 m, where recorded walks end. Further, they leap.
const LONGEST_STEP: f64 = 1.2;
/// Longest sidestep, of the leg.
const SIDESTEP: f64 = 0.55;
/// A step of a run is no shorter than this share of the one before or after it.
const UNLIKE: f64 = 0.5;
/// Furthest that a foot without a heading is turned against the one before, in radians.
const MOST_TURN: f64 = 1.0;

/// What leads to a footprint of a plan, in words too.
#[derive(Clone, Debug, PartialEq)]
pub struct PlannedBehaviour {
    /// What the person does to come to the footprint.
    pub behaviour: Behaviour,
    /// The feet that take off and land, of run, jump and hop.
    pub feet: Option<[Feet; 2]>,
    /// Why: the plan gives it, its times mean it, or what the footprints look like.
    pub reason: String,
}

/// What leads to each footprint of a plan.
pub(crate) fn decide_behaviours(
    recogniser: &Recogniser,
    prints: &[Footprint],
    body: &BodyReach,
) -> Result<Vec<PlannedBehaviour>, RecogniseError> {
    let timed: Vec<Footprint> = (0..prints.len()).map(|index| by_times(prints, index)).collect();
    let mut decisions = recogniser.recognise(&timed, body.leg)?;
    let mut possible = timed.clone();
    for (index, print) in possible.iter_mut().enumerate().skip(2) {
        print.behaviour = print.behaviour.or_else(|| corrected(&timed, &decisions, index, body));
    }
    if possible != timed {
        // A behaviour that was forced upon a footprint may contradict those around it: then these stay as they were.
        decisions = recogniser.recognise(&possible, body.leg).unwrap_or(decisions);
    }
    let planned = decisions.into_iter().enumerate().map(|(index, decision)| {
        let is_timed = prints[index].behaviour.is_none() && timed[index].behaviour.is_some();
        let is_stair = prints[index].behaviour.is_none() && is_walk(decision.behaviour) && is_stair(prints, index);
        PlannedBehaviour {
            behaviour: if is_stair { Behaviour::Stair } else { decision.behaviour },
            feet: decision.feet,
            reason: if is_timed {
                "the plan's times mean it".to_string()
            } else if possible[index].behaviour != timed[index].behaviour {
                let steps = "a short step to the side needs no jump";
                let flies = "nobody walks that far, that high, or twice with one foot";
                if possible[index].behaviour == Some(Behaviour::Walk) { steps } else { flies }.to_string()
            } else {
                decision.reason.to_string()
            },
        }
    });
    let mut planned: Vec<PlannedBehaviour> = planned.collect();
    even_runs(&mut planned, &timed, body);
    Ok(planned)
}

/// Runs whose steps are not alike are walked in part, and leaps in part. What the plan gives, and what its times mean, stays.
fn even_runs(planned: &mut [PlannedBehaviour], timed: &[Footprint], body: &BodyReach) {
    let other = |index: usize| timed[..index].iter().rev().find(|other| other.side != timed[index].side);
    let step =
        |index: usize| other(index).map_or(0.0, |other| ground_point(timed[index].position - other.position).length());
    let is_open = |index: usize| timed[index].behaviour.is_none() && !step_timing(timed, index).is_flight();
    let runs = |planned: &[PlannedBehaviour], index: usize| {
        planned.get(index).is_some_and(|planned| planned.behaviour == Behaviour::Run)
    };
    let short: Vec<usize> = (2..planned.len())
        .filter(|&index| runs(planned, index) && is_open(index))
        .filter(|&index| {
            let beside = [index - 1, index + 1].into_iter().filter(|&near| runs(planned, near)).map(step);
            let is_walkable = other(index).is_some_and(|other| {
                PlanLimits::default().check_walking_step(index, body, other, &timed[index]).is_ok()
            });
            is_walkable && step(index) < UNLIKE * beside.fold(0.0, f64::max)
        })
        .collect();
    for index in short {
        let reason = "a run's next step would not be twice as long".to_string();
        planned[index] = PlannedBehaviour { behaviour: walk_or_stair(timed, index), feet: None, reason };
    }
    let is_lone = |index: &usize| {
        let beside = [index - 1, index + 1].into_iter().any(|near| runs(planned, near));
        runs(planned, *index) && timed[*index].behaviour.is_none() && !beside
    };
    let lone: Vec<usize> = (2..planned.len()).filter(is_lone).collect();
    for index in lone {
        planned[index].behaviour = Behaviour::Jump;
        planned[index].reason += "; a single step through the air is a leap";
    }
}

/// How a footprint is come to that was taken for a walk, but is out of reach of one; or for a jump, but is a step to the side.
fn corrected(prints: &[Footprint], decisions: &[Decision], index: usize, body: &BodyReach) -> Option<Behaviour> {
    let print = &prints[index];
    if !is_walk(decisions[index].behaviour) {
        let is_jump = decisions[index].behaviour == Behaviour::Jump && !step_timing(prints, index).is_flight();
        return (is_jump && is_sidestep(prints, index, body)).then_some(Behaviour::Walk);
    }
    let landed_on_both = decisions[index - 1].feet.is_some_and(|feet| feet[1] == Feet::Both);
    if index > 2 && prints[index - 1].side == print.side && !landed_on_both {
        return Some(Behaviour::Hop);
    }
    let other = prints[..index].iter().rev().find(|other| other.side != print.side)?;
    let is_timed_flight = print.behaviour.is_none() && step_timing(prints, index).is_flight();
    let is_far = ground_point(print.position - other.position).length() > LONGEST_STEP * body.leg;
    let is_out_of_reach = || PlanLimits::default().check_walking_step(index, body, other, print).is_err();
    if !is_timed_flight && !is_far && !is_out_of_reach() {
        return None;
    }
    let around = [Some(index - 1), (index + 1 < prints.len()).then_some(index + 1)];
    let runs = around.into_iter().flatten().any(|near| decisions[near].behaviour == Behaviour::Run);
    Some(if runs || is_timed_flight { Behaviour::Run } else { Behaviour::Jump })
}

/// Whether a footprint is walked to, stairs included.
pub(crate) fn is_walk(behaviour: Behaviour) -> bool {
    matches!(behaviour, Behaviour::Walk | Behaviour::Stair)
}

/// Whether a foot goes to its side by no more than a step: its footprints are also those of jumps to the side, which few make unasked.
fn is_sidestep(prints: &[Footprint], index: usize, body: &BodyReach) -> bool {
    let print = &prints[index];
    let Some(own) = prints[..index].iter().rev().find(|own| own.side == print.side) else { return false };
    let Some(heading) = print.heading else { return false };
    let travel = ground_point(print.position - own.position);
    let ahead = travel.dot(ground_point(heading_direction(heading))).abs();
    travel.length() < SIDESTEP * body.leg && 2.0 * ahead * ahead <= travel.length_squared()
}

/// A footprint with the behaviour that its times mean.
fn by_times(prints: &[Footprint], index: usize) -> Footprint {
    let print = prints[index];
    if index < 2 || print.behaviour.is_some() {
        return print;
    }
    let is_again = prints[index - 1].side == print.side && index > 2;
    let behaviour = match step_timing(prints, index).overlap {
        None => return print,
        Some(_) if lands_together(&prints[..index], &print) => Behaviour::Jump,
        Some(Overlap::Support(_)) => Behaviour::Walk,
        Some(Overlap::Flight(_)) if prints.get(index + 1).is_some_and(|_| together_with_next(prints, index)) => {
            Behaviour::Jump
        }
        Some(Overlap::Flight(_)) if is_again => Behaviour::Hop,
        // A run or a leap, which the footprints decide.
        Some(Overlap::Flight(_)) => return print,
    };
    Footprint { behaviour: Some(behaviour), ..print }
}

fn together_with_next(prints: &[Footprint], index: usize) -> bool {
    lands_together(&prints[..=index], &prints[index + 1])
}

/// How someone steps to a footprint who does not fly to it.
pub(crate) fn walk_or_stair(prints: &[Footprint], index: usize) -> Behaviour {
    if is_stair(prints, index) { Behaviour::Stair } else { Behaviour::Walk }
}

/// Whether a foot steps to another level than both feet are on.
fn is_stair(prints: &[Footprint], index: usize) -> bool {
    let print = &prints[index];
    let own = prints[..index].iter().rev().find(|other| other.side == print.side);
    own.is_some_and(|own| (print.position.y - own.position.y).abs() > STAIR)
}

/// The footprints as synthesizers take them: with behaviours, headings, and landings on both feet that are such.
pub(crate) fn labelled(prints: &[Footprint], decisions: &[PlannedBehaviour]) -> Vec<Footprint> {
    let headings = filled_headings(prints);
    let mut out: Vec<Footprint> = prints.to_vec();
    for (index, print) in out.iter_mut().enumerate() {
        print.heading = Some(headings[index]);
        if index >= 2 {
            print.behaviour = Some(decisions[index].behaviour);
        }
    }
    for index in 3..out.len() {
        let is_second = is_second_landing(&out, decisions, index);
        let print = out[index];
        let has_times = print.land.is_some() || out[index - 1].land.is_some() || print.support.is_some();
        if print.behaviour == Some(Behaviour::Jump) && !has_times && is_second != lands_together(&out[..index], &print)
        {
            out[index].support = Some(if is_second { SQUAT } else { 0.0 });
        }
    }
    out
}

/// Seconds on both feet between two jumps where the places of the feet alone would not make them land together.
const SQUAT: f64 = 0.6;

/// Whether a footprint is the second of a landing on both feet.
pub(crate) fn is_second_landing(prints: &[Footprint], decisions: &[PlannedBehaviour], index: usize) -> bool {
    let lands_both = |index: usize| {
        index >= 2
            && decisions[index].behaviour == Behaviour::Jump
            && decisions[index].feet.is_some_and(|feet| feet[1] == Feet::Both)
    };
    if !lands_both(index) {
        return false;
    }
    // Of a row of such footprints, every second one that changes feet.
    let mut n_before = 0;
    let mut at = index;
    while at > 2 && lands_both(at - 1) && prints[at - 1].side != prints[at].side {
        n_before += 1;
        at -= 1;
    }
    n_before % 2 == 1
}

/// Headings, where open: the last that the plan gave, else the direction of travel.
fn filled_headings(prints: &[Footprint]) -> Vec<f64> {
    let travel = |index: usize| {
        let from = prints[index.saturating_sub(1)].position;
        let to = prints[(index + 1).min(prints.len() - 1)].position;
        let way = ground_point(to - from);
        (way.length() > TRAVEL).then(|| direction_heading(Vec3::new(way.x, 0.0, way.y))).flatten()
    };
    let first_given = prints.iter().find_map(|print| print.heading);
    let first_travel = (2..prints.len()).find_map(travel);
    let mut last = first_given.or(first_travel).unwrap_or(0.0);
    let mut is_given = first_given.is_some();
    prints
        .iter()
        .enumerate()
        .map(|(index, print)| {
            if let Some(heading) = print.heading {
                (last, is_given) = (heading, true);
            } else if !is_given
                && index >= 2
                && let Some(travel) = travel(index)
            {
                last += turn_between(last, travel).clamp(-MOST_TURN, MOST_TURN);
            }
            last
        })
        .collect()
}
