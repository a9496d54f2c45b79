//! Phase 2: where the ankles must be for the plants to hold (SKATE 4.2).
//!
//! 1. Heel and ball are planted: the foot is turned onto both (equation 2; phase 1 knows the turn).
//! 2. One of them is planted: the turns of the nearest frames of case 1 are blended off over L2 (equations 3 to 7 as
//!    [`super::blend`] has them), unless the foot is free in between; then the foot is turned about the standing part by the
//!    smallest rotation that keeps the other part above the ground.
//! 3. Nothing is planted: no target; phase 5 takes care.

use super::blend::{Mark, Reach, blended};
use super::frames::Frames;
use super::legs::{LegJoints, LegPose, LowerBody};
use super::place_plants::{PlantedFeet, PlantedFoot};
use surefoot_geom::{Quat, Transform, Vec3, ground_point, rotation};
use surefoot_ground::Terrain;
use surefoot_motion::{PerSide, Side};

/// Where the ankles must be in a frame, in the world; `None` for a free foot.
pub type AnkleTargets = PerSide<Option<Transform>>;

/// Phase 2 for one frame.
pub(super) fn aim_ankles(
    plants: &(impl Frames<PlantedFeet> + ?Sized),
    frame: usize,
    legs: &PerSide<LegPose>,
    body: &LowerBody,
    terrain: &Terrain,
    reach: Reach,
) -> AnkleTargets {
    let Some(now) = plants.at(frame) else { return AnkleTargets::default() };
    PerSide::from_fn(|side| {
        let (leg, joints) = (&legs[side], &body.legs[side]);
        match now[side] {
            PlantedFoot { heel: None, ball: None, .. } => None,
            PlantedFoot { ball: Some(ball), turn: Some(turn), .. } => {
                let turn = rotation::exp_map(turn);
                Some(ankle_with(leg, turn, leg.ball_offset, ball))
            }
            foot => {
                let turn = rotation::exp_map(blended_turn(plants, frame, side, reach));
                Some(keep_above(leg, joints, turn, &foot, terrain))
            }
        }
    })
}

/// The turn of a foot that is planted on one part.
fn blended_turn(plants: &(impl Frames<PlantedFeet> + ?Sized), frame: usize, side: Side, reach: Reach) -> Vec3 {
    let mark = |feet: &PlantedFeet| match feet[side].turn {
        Some(turn) => Mark::Made(turn),
        None if feet[side].is_planted() => Mark::Open,
        None => Mark::Barrier,
    };
    blended(plants, frame, reach, mark).unwrap_or(Vec3::ZERO)
}

/// The ankle of a leg after a turn, moved so that a point of the foot is at `position`.
fn ankle_with(leg: &LegPose, turn: Quat, offset: Vec3, position: Vec3) -> Transform {
    let rotation = (turn * leg.ankle.rotation).normalize();
    Transform::new(rotation, position - rotation * offset)
}

/// The ankle of a foot that is planted on one part, its other part not below the ground.
fn keep_above(leg: &LegPose, joints: &LegJoints, turn: Quat, foot: &PlantedFoot, terrain: &Terrain) -> Transform {
    let (pivot, offset, free) = match (foot.heel, foot.ball) {
        (Some(heel), None) => (heel, joints.heel, leg.ball_offset),
        (_, ball) => (ball.unwrap_or_default(), leg.ball_offset, joints.heel),
    };
    raise_free_part(&ankle_with(leg, turn, offset, pivot), pivot, free, terrain)
}

/// An ankle turned about the point that its foot is planted on by the smallest rotation that brings the foot's other part, given
/// in the ankle's space, out of the ground.
pub(super) fn raise_free_part(ankle: &Transform, pivot: Vec3, free: Vec3, terrain: &Terrain) -> Transform {
    let hangs = ankle.transform_point(free);
    let floor = terrain.height(ground_point(hangs));
    if hangs.y >= floor {
        return *ankle;
    }
    let arm = hangs - pivot;
    let level = Vec3::new(arm.x, 0.0, arm.z).normalize_or_zero();
    let rise = (floor - pivot.y).clamp(-arm.length(), arm.length());
    let raised = level * (arm.length_squared() - rise * rise).max(0.0).sqrt() + Vec3::Y * rise;
    let turn = rotation::between_directions(arm, raised);
    Transform::new((turn * ankle.rotation).normalize(), pivot + turn * (ankle.translation - pivot))
}
