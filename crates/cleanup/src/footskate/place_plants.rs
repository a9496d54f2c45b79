//! Phase 1: the place of each plant (SKATE 4.1).
//!
//! 1. A part that was planted in the frame before remains in its place.
//! 2. A part that becomes planted is planted at its mean place over the next L1 frames, brought straight down or up to the
//!    ground. Departure: the mean ends with the plant. In running a ball is planted for half of L1, and the paper's mean would
//!    plant it where it is already in the air.
//! 3. The foot is rigid: if the other part is planted already, the new one is moved along the ground to its true distance from
//!    it. If both begin in one frame, each takes half of the correction, about which the paper is silent.
//! 4. Positions given from outside are honoured exactly.

use super::frames::Frames;
use super::legs::{LegJoints, LegPose, LowerBody, SourceFrame};
use super::options::FootRoll;
use super::{FrameMarks, PlantMark};
use surefoot_contact::FootPart;
use surefoot_geom::{Quat, Vec3, ground_point, rotation};
use surefoot_ground::Terrain;
use surefoot_motion::{PerSide, Side};

/// Where the parts of one foot are planted in a frame.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PlantedFoot {
    /// The heel's plant.
    pub heel: Option<Vec3>,
    /// The ball's plant.
    pub ball: Option<Vec3>,
    /// If both are planted: the rotation vector, in the world, that brings the foot onto them.
    pub turn: Option<Vec3>,
}

impl PlantedFoot {
    /// Whether anything is planted.
    pub fn is_planted(&self) -> bool {
        self.heel.is_some() || self.ball.is_some()
    }
}

/// Both feet in a frame.
pub type PlantedFeet = PerSide<PlantedFoot>;

/// Phase 1 for one frame.
pub(super) fn place_plants(
    source: &(impl Frames<SourceFrame> + ?Sized),
    before: Option<&PlantedFeet>,
    frame: usize,
    span: usize,
    place: &Place<'_>,
) -> PlantedFeet {
    let Some(now) = source.at(frame) else { return PlantedFeet::default() };
    PerSide::from_fn(|side| {
        let joints = &place.body.legs[side];
        let leg = &now.legs[side];
        let place_of = |part: FootPart| {
            let mark = now.marks.part(side, part);
            let begun = before.and_then(|feet| match part {
                FootPart::Heel => feet[side].heel,
                FootPart::Ball => feet[side].ball,
            });
            match (mark, begun) {
                (PlantMark::Free, _) => PlantPlace::No,
                (PlantMark::At(position), _) => PlantPlace::Known(position),
                (PlantMark::Planted, Some(position)) => PlantPlace::Known(position),
                (PlantMark::Planted | PlantMark::Begins | PlantMark::BeginsAbove(_), _) => {
                    let above = if let PlantMark::BeginsAbove(above) = mark { above } else { 0.0 };
                    let mean = mean_position(source, frame, span, side, part, joints);
                    PlantPlace::New(place.terrain.project(mean) + Vec3::Y * above, above)
                }
            }
        };
        let distance = leg.ball_offset.distance(joints.heel);
        let (heel, ball) = keep_apart(place_of(FootPart::Heel), place_of(FootPart::Ball), distance, place.terrain);
        let turn = heel.zip(ball).map(|(heel, ball)| turn_onto(leg, joints, heel, ball, place));
        PlantedFoot { heel, ball, turn }
    })
}

/// What placing needs to know beside the frames.
#[derive(Clone, Copy)]
pub(super) struct Place<'a> {
    pub(super) body: &'a LowerBody,
    pub(super) terrain: &'a Terrain,
    pub(super) roll: FootRoll,
}

#[derive(Clone, Copy)]
enum PlantPlace {
    No,
    Known(Vec3),
    /// With its height above the terrain.
    New(Vec3, f64),
}

impl PlantPlace {
    fn position(self) -> Option<Vec3> {
        match self {
            PlantPlace::No => None,
            PlantPlace::Known(position) | PlantPlace::New(position, _) => Some(position),
        }
    }
}

/// A part's place in a frame before any change.
pub(super) fn part_position(leg: &LegPose, joints: &LegJoints, part: FootPart) -> Vec3 {
    match part {
        FootPart::Heel => leg.ankle.transform_point(joints.heel),
        FootPart::Ball => leg.ball(),
    }
}

/// The mean over the plant's frames up to `span` ahead.
fn mean_position(
    source: &(impl Frames<SourceFrame> + ?Sized),
    frame: usize,
    span: usize,
    side: Side,
    part: FootPart,
    joints: &LegJoints,
) -> Vec3 {
    let (mut sum, mut n) = (Vec3::ZERO, 0.0);
    for ahead in 0..=span {
        let Some(next) = source.at(frame + ahead) else { break };
        let stays = ahead == 0 || next.marks.part(side, part) == PlantMark::Planted;
        if !stays {
            break;
        }
        sum += part_position(&next.legs[side], joints, part);
        n += 1.0;
    }
    sum / n
}

/// Heel and ball at their true distance; only a new plant moves.
fn keep_apart(heel: PlantPlace, ball: PlantPlace, distance: f64, terrain: &Terrain) -> (Option<Vec3>, Option<Vec3>) {
    let height_at = |above: f64| move |place: Vec3| terrain.height(ground_point(place)) + above;
    match (heel, ball) {
        (PlantPlace::Known(heel), PlantPlace::New(ball, height)) => {
            (Some(heel), Some(at_distance(heel, ball, distance, height_at(height))))
        }
        (PlantPlace::New(heel, height), PlantPlace::Known(ball)) => {
            (Some(at_distance(ball, heel, distance, height_at(height))), Some(ball))
        }
        (PlantPlace::New(heel, heel_height), PlantPlace::New(ball, ball_height)) => {
            let missing = distance - heel.distance(ball);
            let outward = (ball - heel).normalize_or_zero();
            let ball = ball + outward * (missing / 2.0);
            let ball = Vec3::new(ball.x, height_at(ball_height)(ball), ball.z);
            (Some(at_distance(ball, heel, distance, height_at(heel_height))), Some(ball))
        }
        _ => (heel.position(), ball.position()),
    }
}

/// The point of the ground nearest to `target`, in its direction from `anchor`, that is `distance` away from it. Where the
/// ground jumps between two steps there may be none; the distance is kept and the height given up.
fn at_distance(anchor: Vec3, target: Vec3, distance: f64, height_at: impl Fn(Vec3) -> f64) -> Vec3 {
    let toward = Vec3::new(target.x - anchor.x, 0.0, target.z - anchor.z).normalize_or(Vec3::Z);
    let rise_at = |reach: f64| (height_at(anchor + toward * reach) - anchor.y).clamp(-distance, distance);
    let reach_for = |rise: f64| (distance * distance - rise * rise).max(0.0).sqrt();
    let mut reach = reach_for(rise_at(distance));
    for _ in 0..DISTANCE_ROUNDS {
        reach = reach_for(rise_at(reach));
    }
    let rise = rise_at(reach);
    anchor + toward * reach_for(rise) + Vec3::Y * rise
}

/// On a slope of 30 degrees each round divides the error by three; level ground needs one.
const DISTANCE_ROUNDS: usize = 24;

/// The rotation vector that brings a foot onto the plants of its heel and ball (SKATE eq. 2), rolled flat if asked.
fn turn_onto(leg: &LegPose, joints: &LegJoints, heel: Vec3, ball: Vec3, place: &Place<'_>) -> Vec3 {
    let was = leg.ankle.rotation * (leg.ball_offset - joints.heel);
    let along = (ball - heel).normalize_or(Vec3::Z);
    let turn = rotation::between_directions(was, along);
    let roll = match place.roll {
        FootRoll::Keep => 0.0,
        FootRoll::Flat => {
            let sole = turn * (leg.ankle.rotation * joints.sole_normal);
            let ground = place.terrain.normal(ground_point((heel + ball) / 2.0));
            along.dot(sole.cross(ground)).atan2(sole.reject_from_normalized(along).dot(ground))
        }
    };
    rotation::log_map(Quat::from_axis_angle(along, roll) * turn)
}

impl FrameMarks {
    pub(super) fn part(&self, side: Side, part: FootPart) -> PlantMark {
        match part {
            FootPart::Heel => self.heel[side],
            FootPart::Ball => self.ball[side],
        }
    }
}
