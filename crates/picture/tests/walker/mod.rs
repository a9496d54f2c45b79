//! A synthetic walker: a person of 18 joints who swings legs and arms at a steady speed, with contacts by construction.

#![allow(dead_code)] // each test and bench uses its own part

use std::f64::consts::TAU;
use std::sync::Arc;
use surefoot_geom::{Quat, Transform, Vec3};
use surefoot_locomotion::{Contacts, FootPart};
use surefoot_motion::{
    Arm, BodyMap, BodyPoint, Clip, EndSite, FootShape, Joint, JointId, Leg, PerSide, Pose, Side, Skeleton,
};

const PELVIS_HEIGHT: f64 = 0.94;
const SPEED: f64 = 1.3;
/// Seconds of two steps.
const STRIDE: f64 = 1.1;

/// Joints as (name, parent, offset for the left side or the middle); limbs are listed once and made for both sides.
const MIDDLE: [(&str, Option<usize>, [f64; 3]); 5] = [
    ("Hips", None, [0.0, PELVIS_HEIGHT, 0.0]),
    ("Spine", Some(0), [0.0, 0.12, 0.0]),
    ("Chest", Some(1), [0.0, 0.2, 0.0]),
    ("Neck", Some(2), [0.0, 0.22, 0.0]),
    ("Head", Some(3), [0.0, 0.1, 0.02]),
];
const LEG: [(&str, [f64; 3]); 4] = [
    ("UpLeg", [0.09, -0.06, 0.0]),
    ("Leg", [0.0, -0.42, 0.0]),
    ("Foot", [0.0, -0.41, 0.0]),
    ("Toe", [0.0, -0.05, 0.13]),
];
const ARM: [(&str, [f64; 3]); 4] = [
    ("Shoulder", [0.03, 0.15, 0.0]),
    ("Arm", [0.15, 0.0, 0.0]),
    ("ForeArm", [0.28, 0.0, 0.0]),
    ("Hand", [0.25, 0.0, 0.0]),
];

pub(crate) struct Walker {
    pub(crate) clip: Clip,
    pub(crate) body: BodyMap,
    pub(crate) contacts: Contacts,
}

pub(crate) fn walker(n_frames: usize, frame_rate: f64) -> Walker {
    let (skeleton, body) = person();
    let skeleton = Arc::new(skeleton);
    let poses = (0..n_frames).map(|i| pose(&skeleton, &body, i as f64 / frame_rate)).collect();
    let clip = Clip { name: "walker".to_string(), skeleton, frame_rate, poses };
    let contacts = contacts(&clip, &body);
    Walker { clip, body, contacts }
}

fn side_sign(side: Side) -> f64 {
    match side {
        Side::Left => 1.0,
        Side::Right => -1.0,
    }
}

pub(crate) fn person() -> (Skeleton, BodyMap) {
    let mut joints = Vec::new();
    let mut add = |name: String, parent: Option<JointId>, offset: [f64; 3]| {
        let rest = Transform::from_translation(Vec3::from_array(offset));
        joints.push(Joint { name, parent, rest });
        JointId::new(joints.len() - 1)
    };
    let middle: Vec<JointId> = MIDDLE
        .iter()
        .map(|(name, parent, offset)| add((*name).to_string(), parent.map(JointId::new), *offset))
        .collect();
    let mut limb = |side: Side, root: JointId, parts: &[(&str, [f64; 3])]| -> Vec<JointId> {
        let mut parent = root;
        let mut chain = Vec::new();
        for (name, [x, y, z]) in parts {
            parent = add(format!("{}{name}", side.name()), Some(parent), [x * side_sign(side), *y, *z]);
            chain.push(parent);
        }
        chain
    };
    let legs = PerSide::from_fn(|side| limb(side, middle[0], &LEG));
    let arms = PerSide::from_fn(|side| limb(side, middle[2], &ARM));
    let mut end_sites = vec![EndSite { name: None, parent: middle[4], offset: Vec3::new(0.0, 0.18, 0.0) }];
    for side in Side::BOTH {
        end_sites.push(EndSite { name: None, parent: legs[side][3], offset: Vec3::new(0.0, 0.0, 0.07) });
    }
    let skeleton = Skeleton::new(joints, end_sites).expect("parents first");
    let foot = FootShape {
        heel: Vec3::new(0.0, -0.05, -0.05),
        ball: Vec3::new(0.0, -0.05, 0.13),
        toe_tip: Vec3::new(0.0, -0.05, 0.2),
    };
    let leg = |side: Side| {
        let chain = &legs[side];
        let toe = Some(BodyPoint::EndSite(if side == Side::Left { 1 } else { 2 }));
        Leg { hip: chain[0], knee: chain[1], ankle: chain[2], ball: Some(chain[3]), toe, foot }
    };
    let arm = |side: Side| {
        let chain = &arms[side];
        Some(Arm { clavicle: Some(chain[0]), shoulder: chain[1], elbow: chain[2], wrist: Some(chain[3]) })
    };
    let body = BodyMap {
        pelvis: middle[0],
        spine: middle[1..4].to_vec(),
        head: Some(middle[4]),
        legs: PerSide::from_fn(leg),
        arms: PerSide::from_fn(arm),
    };
    (skeleton, body)
}

/// The pose at a time: the left leg is in front when the right arm is.
fn pose(skeleton: &Skeleton, body: &BodyMap, seconds: f64) -> Pose {
    let mut pose = skeleton.rest_pose();
    let phase = TAU * seconds / STRIDE;
    pose[body.pelvis].translation.z += SPEED * seconds;
    for side in Side::BOTH {
        let sign = side_sign(side);
        let swing = (phase + if side == Side::Left { 0.0 } else { TAU / 2.0 }).sin();
        let leg = &body.legs[side];
        pose[leg.hip].rotation = Quat::from_rotation_x(-0.45 * swing);
        pose[leg.knee].rotation = Quat::from_rotation_x(0.15 + 0.5 * (-swing).max(0.0));
        if let Some(arm) = body.arms[side] {
            // Arms hang, and swing against the legs.
            pose[arm.shoulder].rotation = Quat::from_rotation_x(0.5 * swing) * Quat::from_rotation_z(-1.35 * sign);
            pose[arm.elbow].rotation = Quat::from_rotation_y(-0.4 * sign);
        }
    }
    pose
}

/// Each foot stands for half of each stride, the ball a little later than the heel.
fn contacts(clip: &Clip, body: &BodyMap) -> Contacts {
    let mut ranges = Vec::new();
    let frame = |seconds: f64| (seconds * clip.frame_rate).round() as usize;
    for side in Side::BOTH {
        let offset = if side == Side::Left { 0.25 } else { 0.75 };
        for stride in 0..100 {
            let start = (f64::from(stride) + offset) * STRIDE;
            for (part, from, to) in [(FootPart::Heel, 0.0, 0.35), (FootPart::Ball, 0.1, 0.5)] {
                let frames = frame(start + from * STRIDE)..frame(start + to * STRIDE).min(clip.n_frames());
                if !frames.is_empty() {
                    ranges.push((side, part, frames));
                }
            }
        }
    }
    Contacts::from_ranges(clip, body, &ranges).expect("ranges in order")
}
