//! When each foot touches the ground: the plants of the detector, grown to the touch, gathered to stances.
//!
//! `detect_contacts` reports when a point rests, because what is planted will be frozen. Support is longer: a heel that strikes and a
//! ball that rolls off carry the body while they still move. So:
//!
//! 1. Each plant of a heel or ball is grown while the point is slow and low, by its own level.
//! 2. What grows together or nearly, at one place, is one stance of the foot; where the foot shifts along the floor, it is two.
//! 3. The tip of the toes prolongs a stance.
//! 4. Stances too short to carry anybody are dropped.

use crate::body_tracks::{BodyTracks, planar};
use std::ops::Range;
use surefoot_contact::{Contacts, FootPart};
use surefoot_geom::{Vec3, direction_heading, median};
use surefoot_motion::Side;

/// A touching point is slower than this, in metres a second: a heel that strikes is as fast.
const TOUCH_SPEED: f64 = 1.2;
/// And no higher than this above the level of its plant, in metres.
const TOUCH_HEIGHT: f64 = 0.035;
/// A slow point touches up to this height: soft landings settle.
const SLOW: f64 = 0.45;
const SLOW_HEIGHT: f64 = 0.045;
/// So does one that is slow and less than [`TOUCH_HEIGHT`] above the lowest place that it passes within this time, in seconds.
const SETTLING: f64 = 0.6;
const FLOOR_REACH: f64 = 0.15;
/// A foot that touches for longer than this before it rests, in seconds, and meanwhile shifts by more than this, in metres, is
/// still on its way: it is planted when it is slower than [`SLOW`].
const LONG_TOUCH: f64 = 0.25;
const DRAGGED: f64 = 0.05;
/// Where a foot shifts along the floor from one stance to the next, the first ends when it is faster than this, in m/s.
const SHIFTS: f64 = 0.35;
/// Toes prolong a stance: for how long at most, in seconds; how slow and low they are.
const TOES: f64 = 0.06;
const TOES_SPEED: f64 = 1.0;
const TOES_HEIGHT: f64 = 0.02;
/// Touches closer than this in time are one, in seconds: no foot swings in less.
const SHORTEST_SWING: f64 = 0.045;
/// A foot that shifts by more over the floor takes a step, in metres.
const SHIFT: f64 = 0.04;
/// Shortest stance, in seconds.
const SHORTEST_STANCE: f64 = 0.06;

/// A stance of a foot, without a label.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct TouchStance {
    pub(crate) side: Side,
    pub(crate) frames: Range<usize>,
    /// Median place of the ball while the foot is planted.
    pub(crate) ball: Vec3,
    /// Median place of the ankle.
    pub(crate) ankle: Vec3,
    pub(crate) heading: Option<f64>,
}

/// The stances of both feet, in the order in which they begin; of equals the one that ends first.
pub(crate) fn touch_stances(tracks: &BodyTracks, contacts: &Contacts) -> Vec<TouchStance> {
    let mut stances: Vec<TouchStance> =
        Side::BOTH.into_iter().flat_map(|side| of_foot(tracks, contacts, side)).collect();
    stances.sort_by_key(|stance| (stance.frames.start, stance.frames.end));
    stances
}

/// A plant, grown.
struct Touch {
    frames: Range<usize>,
    plant: Range<usize>,
}

fn of_foot(tracks: &BodyTracks, contacts: &Contacts, side: Side) -> Vec<TouchStance> {
    let foot = &tracks.feet[side];
    let mut touches: Vec<Touch> = Vec::new();
    for part in FootPart::BOTH {
        let track = if part == FootPart::Heel { &foot.heel } else { &foot.ball };
        let plants: Vec<Range<usize>> =
            contacts.plants[side].iter().filter(|plant| plant.part == part).map(|plant| plant.frames.clone()).collect();
        touches.extend(grow(tracks, track, &plants));
    }
    touches.sort_by_key(|touch| (touch.plant.start, touch.plant.end));
    let least_swing = tracks.frames(SHORTEST_SWING);
    let mut stances: Vec<Touch> = Vec::new();
    for touch in touches {
        match stances.last_mut() {
            Some(last) if is_one(tracks, side, last, &touch, least_swing) => {
                last.frames = last.frames.start.min(touch.frames.start)..last.frames.end.max(touch.frames.end);
                last.plant.end = last.plant.end.max(touch.plant.end);
            }
            Some(last) if last.frames.end + least_swing > touch.frames.start => {
                let shift = last.plant.end..touch.plant.start;
                let fastest = fastest(tracks, &foot.ball, shift.clone());
                let is_below = |limit: f64| move |frame: &usize| tracks.speed(&foot.ball, *frame) < limit;
                let end = (shift.start..fastest).find(|frame| !is_below(SHIFTS)(frame)).unwrap_or(fastest);
                last.frames.end = last.frames.end.min(end);
                let start = still_before(tracks, &foot.ball, fastest, shift.end).max(touch.frames.start);
                stances.push(Touch { frames: start..touch.frames.end, ..touch });
            }
            _ => stances.push(touch),
        }
    }
    let (longest, ball) = (tracks.frames(LONG_TOUCH), &foot.ball);
    for Touch { frames, plant } in &mut stances {
        if plant.start - frames.start > longest && planar(ball[plant.start] - ball[frames.start]) > DRAGGED {
            frames.start = still_before(tracks, ball, frames.start, plant.start);
        }
    }
    let starts: Vec<usize> =
        stances.iter().map(|stance| stance.frames.start).skip(1).chain([tracks.n_frames()]).collect();
    let shortest = tracks.frames(SHORTEST_STANCE);
    let is_long = |stance: &Touch| stance.frames.len() >= shortest || stance.frames.len() == tracks.n_frames();
    let placed = stances.into_iter().zip(starts).map(|(mut stance, next)| {
        stance.frames.end = toes_leave(tracks, side, &stance, next);
        stance
    });
    placed.filter(is_long).map(|stance| place(tracks, side, stance)).collect()
}

/// Whether a stance goes on with a touch.
fn is_one(tracks: &BodyTracks, side: Side, stance: &Touch, touch: &Touch, least_swing: usize) -> bool {
    if touch.plant.start < stance.plant.end {
        return true;
    }
    let ball = &tracks.feet[side].ball;
    let shift = planar(ball[touch.plant.start] - ball[stance.plant.end - 1]);
    touch.frames.start < stance.frames.end + least_swing && shift < SHIFT
}

/// The frame in which a point is fastest, of a range that may be empty.
fn fastest(tracks: &BodyTracks, track: &[Vec3], frames: Range<usize>) -> usize {
    let speed = |frame: &usize| tracks.speed(track, *frame);
    frames.clone().max_by(|a, b| speed(a).total_cmp(&speed(b))).unwrap_or(frames.start)
}

/// The first of the frames before a rest, not before `from`, from which on a point is slow.
fn still_before(tracks: &BodyTracks, track: &[Vec3], from: usize, rest: usize) -> usize {
    (from..rest).rev().take_while(|&frame| tracks.speed(track, frame) < SLOW).last().unwrap_or(rest)
}

/// Plants grown to where the point touches. They keep apart from each other's plants.
fn grow(tracks: &BodyTracks, track: &[Vec3], plants: &[Range<usize>]) -> Vec<Touch> {
    let n_frames = tracks.n_frames();
    let reach = tracks.frames(FLOOR_REACH);
    let floor = |frame: usize| {
        let around = frame.saturating_sub(reach)..(frame + reach + 1).min(n_frames);
        track[around].iter().map(|place| place.y).fold(f64::INFINITY, f64::min)
    };
    let grown = plants.iter().enumerate().map(|(index, plant)| {
        let level = median_of(plant.clone(), |frame| track[frame].y);
        let touches = |frame: &usize| {
            let (speed, height) = (tracks.speed(track, *frame), track[*frame].y);
            (speed < TOUCH_SPEED && height < level + TOUCH_HEIGHT)
                || (speed < SLOW && height < level + SLOW_HEIGHT)
                || (speed < SETTLING && height < floor(*frame) + TOUCH_HEIGHT)
        };
        let before = index.checked_sub(1).map_or(0, |index| plants[index].end);
        let after = plants.get(index + 1).map_or(n_frames, |next| next.start);
        let start = (before..plant.start).rev().take_while(touches).last().unwrap_or(plant.start);
        let end = (plant.end..after).take_while(touches).last().map_or(plant.end, |frame| frame + 1);
        Touch { frames: start..end, plant: plant.clone() }
    });
    grown.collect()
}

/// When the toes of a stance leave, which may be after heel and ball.
fn toes_leave(tracks: &BodyTracks, side: Side, stance: &Touch, next: usize) -> usize {
    let toe = &tracks.feet[side].toe;
    let level = median_of(stance.plant.clone(), |frame| toe[frame].y);
    let end = stance.frames.end;
    let most = (end + tracks.frames(TOES)).min(next).min(tracks.n_frames());
    let touches = |frame: &usize| tracks.speed(toe, *frame) < TOES_SPEED && toe[*frame].y < level + TOES_HEIGHT;
    (end..most).take_while(touches).last().map_or(end, |frame| frame + 1)
}

fn place(tracks: &BodyTracks, side: Side, stance: Touch) -> TouchStance {
    let foot = &tracks.feet[side];
    let middle = |track: &[Vec3]| {
        Vec3::new(
            median_of(stance.plant.clone(), |frame| track[frame].x),
            median_of(stance.plant.clone(), |frame| track[frame].y),
            median_of(stance.plant.clone(), |frame| track[frame].z),
        )
    };
    let (ball, ankle) = (middle(&foot.ball), middle(&foot.ankle));
    let heading = direction_heading(Vec3::new(ball.x - ankle.x, 0.0, ball.z - ankle.z));
    TouchStance { side, frames: stance.frames, ball, ankle, heading }
}

fn median_of(frames: Range<usize>, value: impl Fn(usize) -> f64) -> f64 {
    median(&mut frames.map(value).collect::<Vec<f64>>()).unwrap_or(0.0)
}
