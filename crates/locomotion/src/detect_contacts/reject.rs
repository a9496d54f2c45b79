//! Stays that are no plants: parts that rest in the air, because the rest of the foot or the other foot stands.

use super::{DetectOptions, FootTraces};
use crate::{Contacts, FootPart, Plant};
use std::ops::Range;
use surefoot_geom::median;
use surefoot_motion::{PerSide, Side};

/// Ends heels where their feet roll onto the ball, and removes those of feet that stand on the ball all the time.
///
/// Balls are left alone: hardly anybody stands on heels with the toes up, and some recordings tilt standing feet that way.
pub(super) fn reject_lifted_heels(
    plants: &mut Vec<Plant>,
    traces: &FootTraces,
    options: &DetectOptions,
    shortest: f64,
) {
    let balls: Vec<Range<usize>> =
        plants.iter().filter(|plant| plant.part == FootPart::Ball).map(|plant| plant.frames.clone()).collect();
    plants.retain_mut(|plant| {
        if plant.part == FootPart::Ball {
            return true;
        }
        let first = balls.partition_point(|ball| ball.end <= plant.frames.start);
        let on_ball =
            |frame: usize| balls[first..].iter().take_while(|ball| ball.start <= frame).any(|ball| frame < ball.end);
        let is_up = |frame: usize| on_ball(frame) && heel_slope(traces, frame) > options.max_pitch;
        let n_up = plant.frames.clone().filter(|&frame| is_up(frame)).count();
        let first_down = plant.frames.clone().find(|&frame| !is_up(frame));
        let last_down = plant.frames.clone().rfind(|&frame| !is_up(frame));
        let (Some(start), Some(last)) = (first_down, last_down) else {
            return false;
        };
        let is_cut = start > plant.frames.start || last + 1 < plant.frames.end;
        if is_cut {
            plant.frames = start..last + 1;
            plant.position = traces.heel.mean_position(&plant.frames);
        }
        2 * n_up <= plant.frames.len() && !(is_cut && (plant.frames.len() as f64) < shortest)
    });
    plants.sort_by_key(|plant| (plant.frames.start, plant.frames.end));
}

/// How far the heel is above the ball, as a share of the distance between them.
fn heel_slope(traces: &FootTraces, frame: usize) -> f64 {
    let from_ball = traces.heel.position[frame] - traces.ball.position[frame];
    from_ball.y / from_ball.length()
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
