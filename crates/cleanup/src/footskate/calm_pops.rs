//! Phase 6: no leg pops that did not pop in the recording.
//!
//! The phases before it make changes that are smooth where it was foreseen that they need be: around plants, near straight knees. What is
//! promised is measured instead: an acceleration of a knee, an ankle or a ball that stands out from the recording's own in the same
//! place ([`surefoot_contact::metrics::measure_introduced_pops`]) is solved again.
//!
//! ```text
//!   pops       __|________|_|______      frames in which a joint is over the limit, by MARGIN
//!   weight    .-'`-.    .-'```'-.        their envelope, smooth
//!   changes   averaged over as many frames to both sides, as far as the weight says; then each leg is solved anew
//! ```
//!
//! What is averaged are displacements against the recording: of the pelvis, of knees and ankles, and the turns of feet. So the
//! recording's own detail stays, and only what was added to it is smoothed. Plants hold as exactly as before: a foot on both of its parts
//! is left alone, one on a single part turns about it, a free one moves. Three rounds, each wider than the one before, and each over
//! what the last has left. With [`super::Pops::Yield`] two more follow in which plants give way by the millimetres that are left: the recording
//! did not pop, and the smoother its change, the more it is the recording.

use super::aim_ankles::{AnkleTargets, raise_free_part};
use super::blend::{Change, alpha, mean_around};
use super::clear_ground::{FinishedFrame, envelope};
use super::frames::Frames;
use super::legs::{LegChange, LegJoints, LegPose, LowerBody, SourceFrame};
use super::share_reach::settle;
use super::solve_leg::{LegTurns, Stretching, change_leg, reach_target, solve_leg};
use super::{FrameMarks, PlantMark};
use std::ops::{Add, Mul, Sub};
use surefoot_contact::metrics::{POP_AROUND, POP_LEAST, POP_TIMES};
use surefoot_geom::{Quat, Transform, Vec3, rotation};
use surefoot_ground::Terrain;
use surefoot_motion::{PerSide, Side};

/// How many rounds there are.
pub(super) const N_ROUNDS: usize = 5;
/// Plants give way from this round on, if they may.
pub(super) const LOOSE_FROM: usize = 3;
/// Half the widths of the rounds, in seconds.
pub(super) const ROUNDS: [f64; N_ROUNDS] = [0.025, 0.05, 0.1, 0.1, 0.2];

/// What is over this share of the metric's limit is calmed: files round, and a calmed frame may lie right at it.
const MARGIN: f64 = 0.8;

/// A knee whose angle accelerates by more than this, in radians a second squared (10,000 degrees)...
const KNEE_LEAST: f64 = 175.0;
/// ...and by this many times what it does in the recording snaps, even if it hardly moves.
const KNEE_TIMES: f64 = 2.0;

/// A knee that is this far off the line from hip to ankle follows its averaged place by half, in metres: nearer to it the leg's roll about
/// that line means nothing.
const CLEAR_OF_LINE: f64 = 0.01;

/// A finished frame, and where its legs' joints are.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct ShapedFrame {
    pub(super) finished: FinishedFrame,
    legs: PerSide<LegShape>,
}

/// Where a leg's joints are after its change, and how far they were moved by it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct LegShape {
    /// Knee, ankle and ball.
    places: [Vec3; 3],
    /// How far the knee is bent, in radians.
    flexion: f64,
    /// What is averaged.
    moves: LegMoves,
    stance: Stance,
}

/// What a leg's joints were moved by, as a vector.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct LegMoves {
    knee: Vec3,
    ankle: Vec3,
    foot: Vec3,
    turns: LegTurns,
}

impl Add for LegMoves {
    type Output = LegMoves;

    fn add(self, other: LegMoves) -> LegMoves {
        LegMoves {
            knee: self.knee + other.knee,
            ankle: self.ankle + other.ankle,
            foot: self.foot + other.foot,
            turns: self.turns + other.turns,
        }
    }
}

impl Sub for LegMoves {
    type Output = LegMoves;

    fn sub(self, other: LegMoves) -> LegMoves {
        self + other * -1.0
    }
}

impl Mul<f64> for LegMoves {
    type Output = LegMoves;

    fn mul(self, by: f64) -> LegMoves {
        LegMoves { knee: self.knee * by, ankle: self.ankle * by, foot: self.foot * by, turns: self.turns * by }
    }
}

fn places(leg: &LegPose) -> [Vec3; 3] {
    [leg.knee.translation, leg.ankle.translation, leg.ball()]
}

fn flexion(leg: &LegPose) -> f64 {
    let knee = leg.knee.translation;
    let (thigh, shin) = (knee - leg.hip.translation, leg.ankle.translation - knee);
    thigh.cross(shin).length().atan2(thigh.dot(shin))
}

impl ShapedFrame {
    /// Where a frame's changes put its legs.
    pub(super) fn new(source: &SourceFrame, finished: FinishedFrame, body: &LowerBody) -> ShapedFrame {
        let legs = PerSide::from_fn(|side| {
            let (leg, change) = (&source.legs[side], &finished.legs[side]);
            let (places, flexion) = match *change == LegChange::default() {
                true => (places(leg).map(|place| place + finished.root), flexion(leg)),
                false => {
                    let (leg, _) = change_leg(&leg.moved(finished.root), change, body.legs[side].knee_axis);
                    (places(&leg), flexion(&leg))
                }
            };
            let moves = LegMoves {
                knee: places[0] - leg.knee.translation,
                ankle: places[1] - leg.ankle.translation,
                foot: change.foot,
                turns: LegTurns { knee: change.knee, roll: change.roll },
            };
            LegShape { places, flexion, moves, stance: Stance::of(&source.marks, side) }
        });
        ShapedFrame { finished, legs }
    }
}

/// How many frames the recording is searched to both sides of a pop.
pub(super) fn search_span(frame_rate: f64) -> usize {
    (POP_AROUND * frame_rate).round() as usize
}

/// 1 if a joint of a leg pops in a frame, else 0.
pub(super) fn pops(
    frames: &(impl Frames<ShapedFrame> + ?Sized),
    source: &(impl Frames<SourceFrame> + ?Sized),
    frame: usize,
    frame_rate: f64,
    loose: bool,
) -> f64 {
    let Some(before) = frame.checked_sub(1) else { return 0.0 };
    let (Some(a), Some(b), Some(c)) = (frames.at(before), frames.at(frame), frames.at(frame + 1)) else { return 0.0 };
    let rate = frame_rate * frame_rate;
    let least = MARGIN * POP_LEAST / rate;
    let snap = KNEE_LEAST / rate;
    for side in Side::BOTH {
        let [a, b, c] = [a, b, c].map(|shaped| &shaped.legs[side]);
        for joint in 0..3 {
            let now = (a.places[joint] - b.places[joint] * 2.0 + c.places[joint]).length();
            let recorded = |leg: &LegPose| places(leg)[joint];
            let near = || recorded_near(source, frame, side, frame_rate, recorded, Vec3::length);
            if now > least && now > MARGIN * POP_TIMES * near() {
                return 1.0;
            }
        }
        let now = (a.flexion - b.flexion * 2.0 + c.flexion).abs();
        if !loose && now > snap && now > KNEE_TIMES * recorded_near(source, frame, side, frame_rate, flexion, f64::abs)
        {
            return 1.0;
        }
    }
    0.0
}

/// The largest second difference of something of a recorded leg around a frame.
fn recorded_near<T: Change>(
    source: &(impl Frames<SourceFrame> + ?Sized),
    frame: usize,
    side: Side,
    frame_rate: f64,
    value: impl Fn(&LegPose) -> T,
    size: impl Fn(T) -> f64,
) -> f64 {
    let around = search_span(frame_rate);
    let value = |frame: usize| source.at(frame).map(|source| value(&source.legs[side]));
    let from = frame.saturating_sub(around).max(1);
    let (mut a, mut b) = (value(from - 1), value(from));
    let mut most: f64 = 0.0;
    for k in from..=frame + around {
        let c = value(k + 1);
        if let (Some(a), Some(b), Some(c)) = (a, b, c) {
            most = most.max(size(a - b * 2.0 + c));
        }
        (a, b) = (b, c);
    }
    most
}

/// What calming needs to know beside the frames.
#[derive(Clone, Copy)]
pub(super) struct Calming<'a> {
    pub(super) body: &'a LowerBody,
    pub(super) terrain: &'a Terrain,
    pub(super) stretching: Stretching,
    /// Whether plants give way.
    pub(super) loose: bool,
}

impl Calming<'_> {
    /// One round for one frame; `reach` moves a root to where rigid legs reach their ankles.
    pub(super) fn round(
        &self,
        frames: &(impl Frames<ShapedFrame> + ?Sized),
        pops: &(impl Frames<f64> + ?Sized),
        source: &SourceFrame,
        frame: usize,
        half: usize,
        reach: impl Fn(&AnkleTargets, Vec3) -> Vec3,
    ) -> ShapedFrame {
        let Some(&now) = frames.at(frame) else { return ShapedFrame::default() };
        let weight = envelope(pops, frame, half, alpha, |pops| *pops);
        if weight == 0.0 {
            return now;
        }
        let root = mean_around(frames, frame, half, |shaped: &ShapedFrame| Some(shaped.finished.root));
        let root = toward(now.finished.root, root, weight);
        let moves = PerSide::from_fn(|side| {
            let mean = mean_around(frames, frame, half, |shaped: &ShapedFrame| Some(shaped.legs[side].moves));
            toward(now.legs[side].moves, mean, weight)
        });
        let stance = PerSide::from_fn(|side| if self.loose { Stance::Free } else { now.legs[side].stance });
        let targets = PerSide::from_fn(|side| {
            let (leg, joints) = (&source.legs[side], &self.body.legs[side]);
            let ankle = now_ankle(&now, leg, side);
            Some(stance[side].aim(&ankle, &moves[side], leg, joints, self.terrain))
        });
        let planted = PerSide::from_fn(|side| targets[side].filter(|_| stance[side] != Stance::Free));
        let root = reach(&planted, root + self.lack(source, &planted, &moves, root));
        let mut finished = FinishedFrame { root, ..now.finished };
        for side in Side::BOTH {
            if stance[side] == Stance::Free {
                let mean = mean_around(frames, frame, half, |shaped: &ShapedFrame| Some(shaped.finished.legs[side]));
                finished.legs[side] = toward(now.finished.legs[side], mean, weight);
            } else if let Some(target) = targets[side] {
                let leg = source.legs[side].moved(root);
                let knee = source.legs[side].knee.translation + moves[side].knee;
                let axis = self.body.legs[side].knee_axis;
                let change = solve_leg(&leg, &target, axis, moves[side].turns, self.stretching);
                finished.legs[side] = roll_knee(&leg, change, axis, knee);
            }
        }
        ShapedFrame::new(source, finished, self.body)
    }
}

impl Calming<'_> {
    /// How much further a root must move for planted legs to reach with their averaged knees.
    fn lack(&self, source: &SourceFrame, planted: &AnkleTargets, moves: &PerSide<LegMoves>, root: Vec3) -> Vec3 {
        let pull = |side: Side| {
            let Some(target) = planted[side] else { return (0.0, Vec3::ZERO, 0.0) };
            let (leg, axis) = (source.legs[side].moved(root), self.body.legs[side].knee_axis);
            let reach = reach_target(&leg, target.translation, axis, moves[side].turns, self.stretching);
            (reach.weight, reach.along, reach.excess)
        };
        settle(&Side::BOTH.map(pull))
    }
}

fn toward<C: Change>(from: C, to: Option<C>, by: f64) -> C {
    to.map_or(from, |to| from + (to - from) * by)
}

fn now_ankle(now: &ShapedFrame, leg: &LegPose, side: Side) -> Transform {
    let turn = rotation::exp_map(now.finished.legs[side].foot);
    Transform::new((turn * leg.ankle.rotation).normalize(), now.legs[side].places[1])
}

/// What a foot stands on.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
enum Stance {
    #[default]
    Free,
    Heel,
    Ball,
    Both,
}

impl Stance {
    fn of(marks: &FrameMarks, side: Side) -> Stance {
        match (marks.heel[side] != PlantMark::Free, marks.ball[side] != PlantMark::Free) {
            (false, false) => Stance::Free,
            (true, false) => Stance::Heel,
            (false, true) => Stance::Ball,
            (true, true) => Stance::Both,
        }
    }

    /// Where the ankle shall be, as near to where its averaged moves put it as the plants allow.
    fn aim(
        self,
        ankle: &Transform,
        moves: &LegMoves,
        leg: &LegPose,
        joints: &LegJoints,
        terrain: &Terrain,
    ) -> Transform {
        let (offset, free) = match self {
            Stance::Both => return *ankle,
            Stance::Free => (Vec3::ZERO, None),
            Stance::Heel => (joints.heel, Some(leg.ball_offset)),
            Stance::Ball => (leg.ball_offset, Some(joints.heel)),
        };
        let rotation = (rotation::exp_map(moves.foot) * leg.ankle.rotation).normalize();
        let wanted = leg.ankle.translation + moves.ankle;
        let Some(free) = free else { return Transform::new(rotation, wanted) };
        let pivot = ankle.transform_point(offset);
        let arm = rotation * -offset;
        let turn = match self {
            Stance::Ball => rotation::between_directions(arm, wanted - pivot),
            // The ankle is right above the heel: millimetres of it would turn the foot by degrees.
            _ => Quat::IDENTITY,
        };
        let turned = Transform::new((turn * rotation).normalize(), pivot + turn * arm);
        raise_free_part(&turned, pivot, free, terrain)
    }
}

/// A change of a leg, rolled about the line from hip to ankle until its knee is as near to a place as can be.
fn roll_knee(leg: &LegPose, change: LegChange, knee_axis: Vec3, place: Vec3) -> LegChange {
    let (changed, _) = change_leg(leg, &change, knee_axis);
    let hip = leg.hip.translation;
    let line = (changed.ankle.translation - hip).normalize_or_zero();
    let off = |point: Vec3| (point - hip).reject_from(line.normalize_or(Vec3::Y));
    let (from, to) = (off(changed.knee.translation), off(place));
    let angle = line.dot(from.cross(to)).atan2(from.dot(to));
    let clear = from.length_squared() / (from.length_squared() + CLEAR_OF_LINE * CLEAR_OF_LINE);
    LegChange { roll: change.roll + angle * clear, ..change }
}
