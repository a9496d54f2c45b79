//! Rests that are no plants: parts that rest in the air, because the rest of the foot or the other foot is planted.

use super::{DetectOptions, FootTraces};
use crate::dead_segments::without_dead;
use crate::{Contacts, DeadSegment, FootPart, Plant};
use std::ops::Range;
use surefoot_geom::median;
use surefoot_motion::{PerSide, Side};

/// A heel that rests for less than this many seconds may hover, as a runner's does: it is held to [`BRIEF_SHARE`] of the pitch.
const BRIEF_REST: f64 = 0.25;
const BRIEF_SHARE: f64 = 0.7;

/// Ends heels where their feet roll onto the ball, and removes those of feet that are planted on the ball most of the time.
///
/// Balls are left alone: hardly anybody stands on heels with the toes up, and some recordings tilt standing feet like that.
pub(super) fn reject_lifted_heels(
    plants: &mut Vec<Plant>,
    traces: &FootTraces,
    frame_rate: f64,
    options: &DetectOptions,
) {
    let is_ball = |plant: &&Plant| plant.part == FootPart::Ball;
    let balls: Vec<Range<usize>> = plants.iter().filter(is_ball).map(|plant| plant.frames.clone()).collect();
    plants.retain_mut(|plant| {
        let down = match plant.part {
            FootPart::Ball => Some(plant.frames.clone()),
            FootPart::Heel => heel_down(&plant.frames, &balls, traces, frame_rate, options),
        };
        match down {
            Some(frames) if frames == plant.frames => true,
            Some(frames) => {
                plant.position = traces.heel.mean_position(&frames);
                plant.frames = frames;
                true
            }
            None => false,
        }
    });
    plants.sort_by_key(|plant| (plant.frames.start, plant.frames.end));
}

/// The frames from the first to the last in which a heel is planted; `None` if it is up in most, or planted for too short a time.
fn heel_down(
    heel: &Range<usize>,
    balls: &[Range<usize>],
    traces: &FootTraces,
    frame_rate: f64,
    options: &DetectOptions,
) -> Option<Range<usize>> {
    let n_over = balls.partition_point(|ball| ball.end <= heel.start);
    let on_ball =
        |frame: usize| balls[n_over..].iter().take_while(|ball| ball.start <= frame).any(|ball| frame < ball.end);
    let is_brief = (heel.len() as f64) < BRIEF_REST * frame_rate;
    let max_pitch = if is_brief { BRIEF_SHARE * options.max_pitch } else { options.max_pitch };
    let is_down = |frame: &usize| !(on_ball(*frame) && heel_slope(traces, *frame) > max_pitch);
    let frames = heel.clone().find(is_down)?..heel.clone().rfind(is_down)? + 1;
    let n_down = heel.clone().filter(is_down).count();
    let lasts = frames == *heel || frames.len() as f64 >= options.shortest_plant * frame_rate;
    (2 * n_down >= heel.len() && lasts).then_some(frames)
}

/// How far the heel is above the ball, as a share of the distance between them.
fn heel_slope(traces: &FootTraces, frame: usize) -> f64 {
    let from_ball = traces.heel.position[frame] - traces.ball.position[frame];
    from_ball.y / from_ball.length()
}

/// A foot that touches with its heel or ball alone is held at this share of the height at which one that touches with both is.
const ONE_PART_SHARE: f64 = 0.5;

/// Removes the stances of feet that are held in the air: those that the other foot outlasts at both ends while it is planted lower.
///
/// A foot on a higher stair is not outlasted: sooner or later the other one leaves, and it carries the body.
pub(super) fn reject_held_feet(contacts: &mut Contacts, traces: &PerSide<FootTraces>, options: &DetectOptions) {
    let stances = PerSide::from_fn(|side| {
        let stance = |frames| Stance::new(&contacts.plants[side], &traces[side], frames);
        contacts.stances(side).into_iter().map(stance).collect::<Vec<Stance>>()
    });
    for side in Side::BOTH {
        let others = &stances[side.opposite()];
        let mut held = stances[side].iter().filter(|stance| stance.is_held_over_any(others, options)).peekable();
        contacts.plants[side].retain(|plant| {
            while held.next_if(|stance| stance.frames.end <= plant.frames.start).is_some() {}
            held.peek().is_none_or(|stance| !stance.frames.contains(&plant.frames.start))
        });
    }
}

struct Stance {
    frames: Range<usize>,
    /// Height of its lowest plant.
    level: f64,
    /// Whether both heel and ball are planted in it.
    is_full: bool,
}

impl Stance {
    fn new(plants: &[Plant], traces: &FootTraces, frames: Range<usize>) -> Stance {
        let first = plants.partition_point(|plant| plant.frames.start < frames.start);
        let last = plants.partition_point(|plant| plant.frames.start < frames.end);
        let plants = &plants[first..last];
        let height = |plant: &Plant| {
            let places = &traces.of(plant.part).position[plant.frames.clone()];
            median(&mut places.iter().map(|place| place.y).collect::<Vec<f64>>()).unwrap_or(f64::INFINITY)
        };
        Stance {
            frames,
            level: plants.iter().map(height).fold(f64::INFINITY, f64::min),
            is_full: FootPart::BOTH.iter().all(|part| plants.iter().any(|plant| plant.part == *part)),
        }
    }

    /// `others` are in order of time and disjoint: only one can outlast.
    fn is_held_over_any(&self, others: &[Stance], options: &DetectOptions) -> bool {
        let height = if self.is_full { options.held_height } else { ONE_PART_SHARE * options.held_height };
        let n_begun = others.partition_point(|other| other.frames.start <= self.frames.start);
        others[..n_begun]
            .last()
            .is_some_and(|other| self.frames.end <= other.frames.end && self.level - other.level > height)
    }
}

/// Takes the frames that are no motion out of the plants.
pub(super) fn reject_dead_frames(contacts: &mut Contacts, traces: &PerSide<FootTraces>, dead: &[DeadSegment]) {
    for side in Side::BOTH {
        contacts.plants[side].retain_mut(|plant| {
            let Some(frames) = without_dead(&plant.frames, dead) else { return false };
            if frames != plant.frames {
                plant.position = traces[side].of(plant.part).mean_position(&frames);
                plant.frames = frames;
            }
            true
        });
        contacts.plants[side].sort_by_key(|plant| (plant.frames.start, plant.frames.end));
    }
}
