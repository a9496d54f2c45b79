//! A limb that puts its end where it is asked to: hands and feet of key poses.
//!
//! ```text
//!   upper o        1. turn the middle joint in the limb's plane until its end is as far from the upper joint as
//!          \          the target is (law of cosines)
//!           \      2. swing the upper joint, by the smallest turn, until the end is at the target
//!            o middle
//!           /      So the elbow or knee keeps to the plane that it was in, turned with the limb.
//!      end o
//! ```
//!
//! A limb that is straight has no plane: it bends about the hinge that its motion shows ([`JointAxes`]), and so does a
//! knee that was recorded a few degrees overstretched, which would otherwise bend farther in the wrong direction. A target that
//! is too far, or too near, is pointed at, and the remaining distance is reported.

use crate::joint_angles::JointAxes;
use std::f64::consts::PI;
use surefoot_geom::{Quat, Vec3, rotation};
use surefoot_motion::{BodyMap, JointId, PoseRef, Side, Skeleton, TwoBone, WorldPose};

/// A limb that can reach.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Limb {
    /// The arm of a side, by its wrist.
    Hand(Side),
    /// The leg of a side, by its ankle or its ball.
    Foot(Side),
}

impl Limb {
    /// In words.
    pub fn name(self) -> String {
        match self {
            Limb::Hand(side) => format!("{} hand", side.name()),
            Limb::Foot(side) => format!("{} foot", side.name()),
        }
    }
}

/// The joints of a limb.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LimbJoints {
    pub(crate) upper: JointId,
    pub(crate) middle: JointId,
    pub(crate) end: JointId,
}

impl LimbJoints {
    /// The joints of a limb; `None` if the body has no such limb, or an arm without a wrist.
    pub(crate) fn of(body: &BodyMap, limb: Limb) -> Option<LimbJoints> {
        match limb {
            Limb::Hand(side) => {
                let arm = body.arms[side]?;
                Some(LimbJoints { upper: arm.shoulder, middle: arm.elbow, end: arm.wrist? })
            }
            Limb::Foot(side) => {
                let leg = &body.legs[side];
                Some(LimbJoints { upper: leg.hip, middle: leg.knee, end: leg.ankle })
            }
        }
    }
}

/// How a limb turns to reach, in the world.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct LimbTurn {
    /// Of the middle joint, before the upper one turns.
    pub(crate) middle: Quat,
    /// Of the upper joint, and all below it.
    pub(crate) upper: Quat,
    /// How far the end stays from its target, in metres.
    pub(crate) missed: f64,
}

/// Bends of less than this, in radians (3 degrees), tell no plane.
const STRAIGHT: f64 = 0.05;
/// Bends against the hinge of less than this, in radians (20 degrees), are overstretched.
const OVERSTRETCHED: f64 = 0.35;
/// Segments shorter than this, in metres, are none.
const SHORTEST: f64 = 1e-6;

/// The turns that bring the end of a limb to `target`, given where its joints are; `hinge` is the axis in the world
/// about which its middle flexes, asked for only where the limb does not tell. `None` for a limb without length.
pub(crate) fn solve_limb(
    [upper, middle, end]: [Vec3; 3],
    target: Vec3,
    hinge: impl FnOnce() -> Vec3,
) -> Option<LimbTurn> {
    let (above, below) = (middle - upper, end - middle);
    let (long, short) = (above.length(), below.length());
    // Not `<`, for a NaN is no length either.
    let has_length = long > SHORTEST && short > SHORTEST && target.is_finite();
    if !has_length {
        return None;
    }
    let to_target = target - upper;
    // From straight to as bent as the distance asks for.
    let bend = TwoBone::new(long, short).flexion(to_target.length());
    let (axis, now) = bend_plane(above, below, hinge);
    let turn = Quat::from_axis_angle(axis, bend - now);
    // A straight limb that lies a little beside the plane of its hinge is brought into it.
    let middle_turn = point_at(turn * below, Quat::from_axis_angle(axis, bend) * above) * turn;
    let to_end = above + middle_turn * below;
    let upper_turn = if to_target.length() > SHORTEST { point_at(to_end, to_target) } else { Quat::IDENTITY };
    let missed = (upper + upper_turn * to_end).distance(target);
    Some(LimbTurn { middle: middle_turn, upper: upper_turn, missed })
}

/// The smallest turn from one direction to another, to the last digits: the arc between directions a few
/// hundred-millionths apart is taken to be none, which leaves a hand some nanometres off.
fn point_at(from: Vec3, to: Vec3) -> Quat {
    let first = rotation::between_directions(from, to);
    let (from, to) = ((first * from).normalize(), to.normalize());
    rotation::exp_map(from.cross(to)) * first
}

/// The axis that bends a limb in its plane, square to its upper segment, and how far it is bent about it.
fn bend_plane(above: Vec3, below: Vec3, hinge: impl FnOnce() -> Vec3) -> (Vec3, f64) {
    let normal = above.cross(below);
    let now = normal.length().atan2(above.dot(below));
    if (OVERSTRETCHED..PI - STRAIGHT).contains(&now) {
        return (normal.normalize(), now);
    }
    let hinge = hinge().reject_from(above).try_normalize().unwrap_or_else(|| above.any_orthonormal_vector());
    let bent = normal.try_normalize().filter(|_| (STRAIGHT..PI - STRAIGHT).contains(&now));
    match bent {
        Some(normal) if normal.dot(hinge) >= 0.0 => (normal, now),
        Some(normal) => (-normal, -now),
        None => {
            let across = below.reject_from_normalized(hinge);
            (hinge, hinge.dot(above.cross(across)).atan2(above.dot(across)))
        }
    }
}

/// The axis in the world about which the middle joint of a limb flexes.
pub(crate) fn hinge_axis(skeleton: &Skeleton, world: &WorldPose, axes: &JointAxes, middle: JointId) -> Vec3 {
    let above = skeleton.parent(middle).map_or(Quat::IDENTITY, |parent| world[parent].rotation);
    above * axes.flexing_axis(middle)
}

/// New local rotations of a limb's upper and middle joint.
pub(crate) fn turned_limb(
    skeleton: &Skeleton,
    pose: PoseRef<'_>,
    world: &WorldPose,
    joints: &LimbJoints,
    turn: &LimbTurn,
) -> [Quat; 2] {
    let local = |joint: JointId, turn: Quat| {
        let above = skeleton.parent(joint).map_or(Quat::IDENTITY, |parent| world[parent].rotation);
        (above.conjugate() * turn * above * pose[joint].rotation).normalize()
    };
    // The middle joint's parent turns with the upper joint, so that its own turn is against where the parent was.
    [local(joints.upper, turn.upper), local(joints.middle, turn.middle)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn any_vector(size: f64) -> impl Strategy<Value = Vec3> {
        (-size..size, -size..size, -size..size).prop_map(|(x, y, z)| Vec3::new(x, y, z))
    }

    /// Where the joints are after a turn.
    fn reached([upper, middle, end]: [Vec3; 3], turn: &LimbTurn) -> [Vec3; 2] {
        let (above, below) = (middle - upper, turn.middle * (end - middle));
        [upper + turn.upper * above, upper + turn.upper * (above + below)]
    }

    proptest! {
        #[test]
        fn the_end_comes_to_its_target_or_says_how_far_it_stays(
            upper in any_vector(2.0),
            above in any_vector(1.0).prop_filter("a length", |v| v.length() > 0.05),
            below in any_vector(1.0).prop_filter("a length", |v| v.length() > 0.05),
            target in any_vector(2.0),
            hinge in any_vector(1.0),
        ) {
            let joints = [upper, upper + above, upper + above + below];
            let turn = solve_limb(joints, target, || hinge).unwrap();
            let [middle, end] = reached(joints, &turn);
            let off = end.distance(target);
            prop_assert!((off - turn.missed).abs() < 1e-12);
            let (long, short, distance) = (above.length(), below.length(), target.distance(upper));
            let least = (distance - long - short).max((long - short).abs() - distance).max(0.0);
            prop_assert!((off - least).abs() < 1e-9, "{} and not {}", off, least);
            prop_assert!((middle.distance(upper) - long).abs() < 1e-9, "rigid");
            prop_assert!((end.distance(middle) - short).abs() < 1e-9, "rigid");
        }

        #[test]
        fn the_elbow_keeps_its_plane(target in any_vector(0.55), bend in 0.4..2.5f64, roll in -3.0..3.0f64) {
            let about = Quat::from_rotation_y(roll);
            let below = about * (Quat::from_rotation_x(-bend) * Vec3::new(0.0, -0.3, 0.0));
            let joints = [Vec3::ZERO, Vec3::new(0.0, -0.3, 0.0), Vec3::new(0.0, -0.3, 0.0) + below];
            let normal = joints[1].cross(below).normalize();
            let turn = solve_limb(joints, target, || panic!("the limb tells")).unwrap();
            let [middle, end] = reached(joints, &turn);
            let now = middle.cross(end - middle);
            prop_assert!(now.cross(turn.upper * normal).length() < 1e-9 && now.dot(turn.upper * normal) >= -1e-9);
        }
    }

    #[test]
    fn straight_and_overstretched_limbs_bend_about_their_hinge() {
        for overstretched in [0.0, 0.03, 0.2] {
            let below = Quat::from_rotation_x(-overstretched) * Vec3::new(0.0, -0.4, 0.0);
            let joints = [Vec3::ZERO, Vec3::new(0.0, -0.4, 0.0), Vec3::new(0.0, -0.4, 0.0) + below];
            let target = Vec3::new(0.0, -0.6, 0.0);
            let turn = solve_limb(joints, target, || Vec3::X).unwrap();
            let [middle, end] = reached(joints, &turn);
            assert!(end.distance(target) < 1e-9 && turn.missed < 1e-9);
            assert!(middle.z > 0.1, "a knee ahead of the leg, not {middle}");
        }
    }

    #[test]
    fn a_target_a_hair_beside_the_end_is_met() {
        let joints = [Vec3::ZERO, Vec3::new(0.0, -0.3, 0.0), Vec3::new(0.0, -0.45, 0.25)];
        for hair in [1e-12, 1e-10, 1e-9, 5e-9, 1e-8, 1e-7] {
            let target = joints[2] + Vec3::X * hair;
            let turn = solve_limb(joints, target, || panic!("the limb tells")).unwrap();
            let [_, end] = reached(joints, &turn);
            assert!(end.distance(target) < 1e-14, "{hair}: {}", end.distance(target));
        }
    }

    #[test]
    fn limbs_without_length_reach_nothing_and_the_shoulder_itself_is_no_direction() {
        assert_eq!(solve_limb([Vec3::ZERO; 3], Vec3::X, || Vec3::X), None);
        let joints = [Vec3::ZERO, Vec3::NEG_Y * 0.3, Vec3::NEG_Y * 0.6];
        assert_eq!(solve_limb(joints, Vec3::NAN, || Vec3::X), None);
        let turn = solve_limb(joints, Vec3::ZERO, || Vec3::X).unwrap();
        assert!(turn.missed < 1e-9, "{}", turn.missed);
    }
}
