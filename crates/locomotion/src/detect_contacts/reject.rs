//! Stays that are no plants: parts that rest in the air, because the rest of the foot or the other foot stands.

use super::{DetectOptions, FootTraces};
use crate::{Contacts, FootPart, Plant};
use std::ops::Range;
use surefoot_geom::median;
use surefoot_motion::{PerSide, Side};

/// Removes heels of feet that stand on their balls, and balls of feet that stand on their heels: parts that are up in most of the
/// frames in which the other part stands, if those are most of their own.
pub(super) fn reject_lifted_parts(plants: &mut Vec<Plant>, traces: &FootTraces, options: &DetectOptions) {
    let is_lifted = |plant: &Plant, other: &Plant| {
        let frames = plant.frames.start.max(other.frames.start)..plant.frames.end.min(other.frames.end);
        let n_pitched = frames.clone().filter(|&frame| pitch(traces, frame, plant.part) > options.max_pitch).count();
        other.part != plant.part && 2 * frames.len() > plant.frames.len() && 2 * n_pitched > frames.len()
    };
    let others = plants.clone();
    plants.retain(|plant| !others.iter().any(|other| is_lifted(plant, other)));
}

/// How far a part is above the other one of its foot, as a share of the distance between them.
fn pitch(traces: &FootTraces, frame: usize, part: FootPart) -> f64 {
    let from_heel = traces.ball.position[frame] - traces.heel.position[frame];
    let slope = from_heel.y / from_heel.length();
    if part == FootPart::Ball { slope } else { -slope }
}

/// Removes the stances of feet that are held in the air: those that the other foot outlasts at both ends while it stands lower.
///
/// A foot on a higher stair is not outlasted: sooner or later the other one leaves, and it carries the body.
pub(super) fn reject_held_feet(contacts: &mut Contacts, traces: &PerSide<FootTraces>, options: &DetectOptions) {
    let stances = PerSide::from_fn(|side| {
        let stance = |frames: Range<usize>| Stance { level: stance_level(contacts, traces, side, &frames), frames };
        contacts.stances(side).into_iter().map(stance).collect::<Vec<Stance>>()
    });
    for side in Side::BOTH {
        let others = &stances[side.opposite()];
        let held = stances[side].iter().filter(|stance| others.iter().any(|other| stance.is_held_over(other, options)));
        for stance in held {
            contacts.plants[side].retain(|plant| !stance.frames.contains(&plant.frames.start));
        }
    }
}

struct Stance {
    frames: Range<usize>,
    /// Height of its lowest plant.
    level: f64,
}

impl Stance {
    fn is_held_over(&self, other: &Stance, options: &DetectOptions) -> bool {
        other.frames.start <= self.frames.start
            && self.frames.end <= other.frames.end
            && self.level - other.level > options.held_height
    }
}

fn stance_level(contacts: &Contacts, traces: &PerSide<FootTraces>, side: Side, frames: &Range<usize>) -> f64 {
    let plants = contacts.plants[side].iter().filter(|plant| frames.contains(&plant.frames.start));
    let height = |plant: &Plant| {
        let places = &traces[side].of(plant.part).position[plant.frames.clone()];
        median(&mut places.iter().map(|place| place.y).collect::<Vec<f64>>()).unwrap_or(f64::INFINITY)
    };
    plants.map(height).fold(f64::INFINITY, f64::min)
}
