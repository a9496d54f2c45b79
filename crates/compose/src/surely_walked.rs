//! Plans that nobody could take for anything but a walk, known without having learned anything from recordings.
//!
//! Learning what footprints mean takes a second; most plans are walks. A plan is surely walked where each foot steps in its turn and forward, no
//! further than people walk without effort, and never comes down beside the other one after both have moved alike, as in a jump on both feet:
//!
//! ```text
//!   a walk          a step and a closing step     a jump on both feet
//!   L   .   L           L   .   L                     L   L
//!     R   R               R     R                     R   R
//!   moved alike,        beside each other,            moved alike,
//!   not beside          moved differently             beside each other
//! ```
//!
//! All that is near a limit is left to the [`Recogniser`](crate::Recogniser), as are steps in place, to the side and backward.

use crate::decide_behaviours::{PlannedBehaviour, walk_or_stair};
use surefoot_contact::{Behaviour, Footprint};
use surefoot_geom::{Vec2, ground_point, heading_direction};
use surefoot_plan::step_timing;

/// Strides within these are steps that people walk, of the leg: 0.2 to 1.3 m for legs of 0.86 m.
const STRIDES: std::ops::RangeInclusive<f64> = 0.25..=1.5;
/// Steps from foot to foot up to this, of the leg.
const STEP: f64 = 0.85;
/// Steps up or down by less, of the leg.
const RISE: f64 = 0.3;
/// Feet are not beside each other whose distance along the way is more than this share of the stride.
const BESIDE: f64 = 0.35;
/// Feet have not moved alike whose ways differ by more than this share of the stride.
const ALIKE: f64 = 0.6;
/// Steps lead no further aside from where the foot points: the cosine.
const FORWARD: f64 = 0.8;

/// What leads to each footprint, if all of the plan is surely walked by someone whose legs are `leg` metres long.
pub fn surely_walked(prints: &[Footprint], leg: f64) -> Option<Vec<PlannedBehaviour>> {
    let planned = prints.iter().enumerate().map(|(index, print)| {
        if index < 2 {
            let reason = "the first footprints".to_string();
            return Some(PlannedBehaviour { behaviour: Behaviour::Stand, feet: None, reason });
        }
        let [stride, step] = steps_forward(prints, index, leg)?;
        let reason = format!(
            "the foot travels {stride:.2} m and lands {step:.2} m from the other; nobody does anything but walk over footprints like these"
        );
        let behaviour = print.behaviour.unwrap_or_else(|| walk_or_stair(prints, index));
        Some(PlannedBehaviour { behaviour, feet: None, reason })
    });
    planned.collect()
}

/// Lengths of the stride and of the step to a footprint that is surely walked to.
fn steps_forward(prints: &[Footprint], index: usize, leg: f64) -> Option<[f64; 2]> {
    let (print, other, own) = (&prints[index], &prints[index - 1], &prints[index - 2]);
    let is_open = matches!(print.behaviour, None | Some(Behaviour::Walk | Behaviour::Stair));
    let in_turn = print.side != other.side && print.side == own.side;
    if !is_open || !in_turn || step_timing(prints, index).is_flight() {
        return None;
    }
    let over_ground = |from: &Footprint, to: &Footprint| -> Vec2 { ground_point(to.position - from.position) };
    let (stride, step) = (over_ground(own, print), over_ground(other, print));
    let rise = (print.position.y - own.position.y).abs().max((print.position.y - other.position.y).abs());
    let length = stride.length();
    if !STRIDES.contains(&(length / leg)) || step.length() > STEP * leg || rise > RISE * leg {
        return None;
    }
    let pointed = print.heading.map(|heading| ground_point(heading_direction(heading)));
    if pointed.is_some_and(|pointed| pointed.dot(stride) < FORWARD * length) {
        return None;
    }
    // The foot before came from where it stood before: the second standing foot did not come from anywhere.
    let before = prints[..index - 1].iter().rev().find(|print| print.side == other.side);
    let moved = before.map_or(Vec2::ZERO, |before| over_ground(before, other));
    let is_beside = step.dot(stride).abs() < BESIDE * length * length;
    let is_alike = (moved - stride).length() < ALIKE * length;
    (!(is_beside && is_alike)).then_some([length, step.length()])
}

#[cfg(test)]
mod tests {
    use super::*;
    use surefoot_geom::Vec3;
    use surefoot_motion::Side;

    /// Footprints that begin with the left foot, at these places along the way.
    fn plan(along: &[f64]) -> Vec<Footprint> {
        let place = |(index, along): (usize, &f64)| {
            let (side, aside) = if index % 2 == 0 { (Side::Left, 0.1) } else { (Side::Right, -0.1) };
            Footprint::at(side, Vec3::new(aside, 0.0, *along))
        };
        along.iter().enumerate().map(place).collect()
    }

    fn is_sure(prints: &[Footprint]) -> bool {
        surely_walked(prints, 0.86).is_some()
    }

    #[test]
    fn walks_that_start_and_stop_are_surely_walked() {
        assert!(is_sure(&plan(&[0.0, 0.0, 0.5, 1.0, 1.5, 2.0, 2.0])));
        assert!(is_sure(&plan(&[0.0, 0.3, 0.6, 0.9, 1.2])));
    }

    #[test]
    fn jumps_runs_hops_and_steps_in_place_are_left_to_the_recogniser() {
        assert!(!is_sure(&plan(&[0.0, 0.0, 0.5, 0.5, 1.0, 1.0])), "jumps on both feet");
        assert!(!is_sure(&plan(&[0.0, 0.0, 0.5, 1.0, 1.5, 1.5, 2.1, 2.1])), "a jump after a walk");
        assert!(!is_sure(&plan(&[0.0, 0.0, 0.8, 1.6, 2.4])), "a run");
        assert!(!is_sure(&plan(&[0.0, 0.0, 0.0, 0.0])), "in place");
        let mut hop = plan(&[0.0, 0.0, 0.4, 0.8, 1.2]);
        hop[4].side = Side::Right;
        assert!(!is_sure(&hop), "a hop");
        let mut aside = plan(&[0.0, 0.0, 0.4, 0.8]);
        aside[2].heading = Some(1.6);
        assert!(!is_sure(&aside), "to the side");
    }

    #[test]
    fn what_a_plan_gives_counts() {
        let walk = plan(&[0.0, 0.0, 0.5, 1.0, 1.0]);
        let with = |change: fn(&mut Footprint)| {
            let mut prints = walk.clone();
            change(&mut prints[3]);
            prints
        };
        assert!(is_sure(&with(|print| print.behaviour = Some(Behaviour::Walk))));
        assert!(!is_sure(&with(|print| print.behaviour = Some(Behaviour::Run))));
        assert!(!is_sure(&with(|print| print.support = Some(0.0))));
        let climbs = surely_walked(&with(|print| print.position.y = 0.15), 0.86).expect("a walk");
        assert_eq!(climbs[3].behaviour, Behaviour::Stair);
    }
}
