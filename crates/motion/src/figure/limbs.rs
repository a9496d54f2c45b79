//! Arms, hands, legs and feet.
//!
//! A foot is built on its [`crate::FootShape`]: the capsules' undersides lie on the sole, so that a planted foot is seen to
//! stand on the ground and not in it.
//!
//! ```text
//!            o ankle
//!           / \___              instep: from the ankle to the ball
//!         (o)-----(o)--(o)      heel to ball twice, to the inner and the outer side; toes twice
//!   sole  ------------------    every circle touches it from above
//! ```

use super::rest_body::RestBody;
use super::{Capsule, Region};
use crate::{Arm, JointId, Leg, Side};
use surefoot_geom::Vec3;

// Radii in metres of an adult whose thigh and shin measure 0.83 m together.
const THIGH_RADII: [f64; 2] = [0.083, 0.054];
const KNEE_RADIUS: f64 = 0.052;
const CALF_RADIUS: f64 = 0.055;
const ANKLE_RADIUS: f64 = 0.036;
const UPPER_ARM_RADII: [f64; 2] = [0.053, 0.038];
const FOREARM_RADII: [f64; 2] = [0.04, 0.027];
const PALM_RADII: [f64; 2] = [0.026, 0.034];
const FINGER_RADII: [f64; 2] = [0.032, 0.017];
const HEEL_RADIUS: f64 = 0.033;
const BALL_RADIUS: f64 = 0.027;
const TOE_RADIUS: f64 = 0.019;
/// Half of the foot's breadth at the ball, less a radius.
const BALL_REACH: f64 = 0.02;

/// How far down the shin the calf is thickest.
const CALF_PLACE: f64 = 0.28;
/// How far from wrist to finger tips the palm reaches.
const PALM_SHARE: f64 = 0.42;
/// Wrist to finger tips, and the least and most of it that a skeleton's own finger joints may say.
const HAND_LENGTH: f64 = 0.17;
const HAND_LIMITS: [f64; 2] = [0.14, 0.19];
/// A forearm over its upper arm, for skeletons that end at the elbow.
const FOREARM_SHARE: f64 = 0.87;
/// Limbs shorter than this (adult metres) get no capsule.
const SHORTEST: f64 = 0.005;

pub(super) fn add_limbs(person: &RestBody<'_>, capsules: &mut Vec<Capsule>) {
    for side in Side::BOTH {
        add_leg(person, side, capsules);
        if let Some(arm) = &person.body.arms[side] {
            add_arm(person, arm, Region::Arm(side), capsules);
        }
    }
}

/// Pushes a capsule unless it has no length; radii in adult metres.
fn push_limb(
    person: &RestBody<'_>,
    capsules: &mut Vec<Capsule>,
    joint: JointId,
    ends: [Vec3; 2],
    radii: [f64; 2],
    region: Region,
) {
    let [start, end] = ends;
    let [start_radius, end_radius] = radii.map(|radius| radius * person.scale);
    if start.distance(end) > SHORTEST * person.scale {
        capsules.push(Capsule { joint, start, end, start_radius, end_radius, region });
    }
}

fn add_leg(person: &RestBody<'_>, side: Side, capsules: &mut Vec<Capsule>) {
    let leg = &person.body.legs[side];
    let region = Region::Leg(side);
    let knee = person.in_joint(leg.hip, leg.knee);
    push_limb(person, capsules, leg.hip, [Vec3::ZERO, knee], THIGH_RADII, region);
    let ankle = person.in_joint(leg.knee, leg.ankle);
    let calf = ankle * CALF_PLACE;
    push_limb(person, capsules, leg.knee, [Vec3::ZERO, calf], [KNEE_RADIUS, CALF_RADIUS], region);
    push_limb(person, capsules, leg.knee, [calf, ankle], [CALF_RADIUS, ANKLE_RADIUS], region);
    add_foot(person, leg, Region::Foot(side), capsules);
}

fn add_foot(person: &RestBody<'_>, leg: &Leg, region: Region, capsules: &mut Vec<Capsule>) {
    let scale = person.scale;
    let (heel, ball, tip) = (leg.foot.heel, leg.foot.ball, leg.foot.toe_tip);
    let Some(forward) = (tip - heel).try_normalize().or_else(|| (ball - heel).try_normalize()) else { return };
    // The ankle, the origin of this space, is above the sole.
    let up = (-heel).reject_from_normalized(forward).try_normalize().unwrap_or(Vec3::ZERO);
    let across = up.cross(forward) * BALL_REACH * scale;
    let above = |point: Vec3, radius: f64| point + up * radius * scale;

    let heel_centre = above(heel + forward * HEEL_RADIUS * scale, HEEL_RADIUS);
    let ball_centre = above(ball, BALL_RADIUS);
    push_limb(person, capsules, leg.ankle, [Vec3::ZERO, heel_centre], [ANKLE_RADIUS, HEEL_RADIUS], region);
    push_limb(person, capsules, leg.ankle, [Vec3::ZERO, ball_centre], [ANKLE_RADIUS, BALL_RADIUS], region);
    // A tip behind the ball (a skeleton that ends at the ball) would turn the toes around.
    let toe_length = (tip - ball).dot(forward) - TOE_RADIUS * scale;
    let toe = (toe_length > 0.0).then(|| above(tip - forward * TOE_RADIUS * scale, TOE_RADIUS));
    for sign in [1.0, -1.0] {
        let reach = across * sign;
        let ends = [heel_centre + reach * 0.3, ball_centre + reach];
        push_limb(person, capsules, leg.ankle, ends, [HEEL_RADIUS, BALL_RADIUS], region);
        let Some(toe) = toe else { continue };
        let ends = [ball_centre + reach, toe + reach * 0.8];
        // The toes turn with the ball joint where there is one; the foot's shape has them straight, as at rest.
        let joint = leg.ball.unwrap_or(leg.ankle);
        let ends = ends.map(|end| person.move_point(leg.ankle, joint, end));
        push_limb(person, capsules, joint, ends, [BALL_RADIUS, TOE_RADIUS], region);
    }
}

fn add_arm(person: &RestBody<'_>, arm: &Arm, region: Region, capsules: &mut Vec<Capsule>) {
    let elbow = person.in_joint(arm.shoulder, arm.elbow);
    push_limb(person, capsules, arm.shoulder, [Vec3::ZERO, elbow], UPPER_ARM_RADII, region);
    let forearm = match arm.wrist {
        Some(wrist) => person.in_joint(arm.elbow, wrist),
        None => straight_on(person, arm.elbow) * (FOREARM_SHARE * elbow.length()),
    };
    push_limb(person, capsules, arm.elbow, [Vec3::ZERO, forearm], FOREARM_RADII, region);
    let (joint, start, hand) = match arm.wrist {
        Some(wrist) => (wrist, Vec3::ZERO, hand_reach(person, wrist)),
        None => (arm.elbow, forearm, forearm.normalize_or_zero() * HAND_LENGTH * person.scale),
    };
    // The last centre is a radius short of the tips.
    let end = start + hand * (1.0 - FINGER_RADII[1] * person.scale / hand.length().max(1e-9));
    let palm = start + hand * PALM_SHARE;
    push_limb(person, capsules, joint, [start, palm], PALM_RADII, region);
    push_limb(person, capsules, joint, [palm, end], FINGER_RADII, region);
}

/// The direction in which a joint's parent points at it, in its own space at rest.
fn straight_on(person: &RestBody<'_>, joint: JointId) -> Vec3 {
    let rest = person.skeleton.joint(joint).rest;
    (rest.rotation.conjugate() * rest.translation).normalize_or_zero()
}

/// From the wrist to the finger tips: to the furthest point below the wrist, or straight on from the forearm.
fn hand_reach(person: &RestBody<'_>, wrist: JointId) -> Vec3 {
    let skeleton = person.skeleton;
    let below = |joint: JointId| skeleton.is_at_or_above(wrist, joint);
    let joints = skeleton.ids().filter(|&joint| below(joint)).map(|joint| person.in_joint(wrist, joint));
    let sites = skeleton.end_sites().iter().filter(|site| below(site.parent));
    let sites = sites.map(|site| person.move_point(site.parent, wrist, site.offset));
    let furthest =
        joints.chain(sites).fold(Vec3::ZERO, |best, end| if end.length() > best.length() { end } else { best });
    let limits = HAND_LIMITS.map(|limit| limit * person.scale);
    if furthest.length() > 0.03 * person.scale {
        furthest.clamp_length(limits[0], limits[1])
    } else {
        straight_on(person, wrist) * HAND_LENGTH * person.scale
    }
}
