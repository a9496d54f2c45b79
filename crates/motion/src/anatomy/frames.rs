//! Anatomical frames: how each joint's axes lie in its part of the body.
//!
//! With `N` a joint's rotation in the standing person (who faces +Z) and `C` the turn that brings the part of an ideal
//! person, arms and legs hanging down, to where the standing person has it, the frame `F = N^-1 C` is rigid in the joint's
//! space, and `W F` of a joint that stands in the world as `W` is its *attitude*: the identity in the ideal person, whatever
//! the skeleton. Equal attitudes look the same.
//!
//! | part | `C` |
//! |---|---|
//! | thigh, shin, upper arm, forearm | the smallest turn from straight down to the segment's direction |
//! | foot, toes | the sole: forward from heel to ball, up as it stands; of a rest pose with splayed legs see [`splay`] |
//! | pelvis, spine, neck, clavicles | none between two rest poses; else the smallest turn from upright to the segment's direction |
//! | head | none: people look ahead |
//! | hands, fingers, anything else | that of the joint above |
//!
//! The smallest turn keeps hinges right: an arm lifted sideways into a T-pose, or forearms half raised in a pose of the
//! motion, have the same frames as arms that hang. It is undefined for a limb that points straight up, where some turn of
//! half a circle is taken.

use super::neutral::{Neutral, NeutralFrom};
use crate::{Arm, BodyMap, BodyPoint, FootShape, JointId, Leg, Side, Skeleton, WorldPose};
use surefoot_geom::{Mat3, Quat, Vec3, direction_heading, rotation};

/// A skeleton's standing person and frames.
pub struct Anatomy {
    /// The standing person.
    pub neutral: Neutral,
    /// The lowest joint that carries legs and trunk: the pelvis, or a joint above it where the two hang side by side.
    pub carrier: JointId,
    /// `F` of each joint.
    pub frames: Vec<Quat>,
    /// What the segment of a limb's joint points at.
    ends: Vec<Option<BodyPoint>>,
    /// From above the pelvis up to the joint that carries the arms.
    pub trunk: Vec<ChainJoint>,
    /// From above that joint up to the head.
    pub neck: Vec<ChainJoint>,
}

/// How trunks are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TrunkBy {
    /// By how they turn from upright: right between rest poses, which stand straight by definition, wherever joints were put.
    Turns,
    /// By where their segments point: a pose of the motion leans as the person does.
    Directions,
}

impl TrunkBy {
    /// How to compare the trunks of two standing persons.
    pub fn between(a: NeutralFrom, b: NeutralFrom) -> TrunkBy {
        let is_rest = |from| matches!(from, NeutralFrom::RestPose | NeutralFrom::StillRestPose);
        if is_rest(a) && is_rest(b) { TrunkBy::Turns } else { TrunkBy::Directions }
    }
}

/// A joint of the trunk or neck.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ChainJoint {
    /// Which.
    pub joint: JointId,
    /// How far along its chain it bends the body: the middle of its segment, 0 at the joint below the chain and 1 at the
    /// chain's last joint. Strictly increasing.
    pub share: f64,
}

impl Anatomy {
    /// The frames of a skeleton whose standing person is known.
    pub fn new(skeleton: &Skeleton, body: &BodyMap, neutral: Neutral, trunk_by: TrunkBy) -> Anatomy {
        let n_trunk = n_trunk_joints(skeleton, body);
        let ends = limb_ends(skeleton, body, &neutral.world);
        let turns = PartTurns { skeleton, body, neutral: &neutral, ends: &ends, n_trunk, trunk_by }.find();
        let frames = neutral.world.world().iter().zip(&turns);
        let frames = frames.map(|(joint, turn)| (joint.rotation.conjugate() * *turn).normalize()).collect();
        let (trunk, neck) = find_chains(body, &neutral.world, n_trunk);
        Anatomy { carrier: find_carrier(skeleton, body), neutral, frames, ends, trunk, neck }
    }

    /// The joint that carries the arms, or the pelvis.
    pub fn chest(&self, body: &BodyMap) -> JointId {
        self.trunk.last().map_or(body.pelvis, |last| last.joint)
    }

    /// The attitude of a joint in a pose. A limb's is turned to where its segment really points, should other joints in
    /// between bend it.
    pub fn attitude(&self, skeleton: &Skeleton, pose: &WorldPose, joint: JointId) -> Quat {
        let attitude = pose[joint].rotation * self.frames[joint.index()];
        let Some(end) = self.ends[joint.index()] else { return attitude };
        let points = pose.point(skeleton, end) - pose.position(joint);
        rotation::between_directions(attitude * Vec3::NEG_Y, points) * attitude
    }
}

/// The lowest joint at or above the pelvis that carries trunk and arms as well.
pub fn find_carrier(skeleton: &Skeleton, body: &BodyMap) -> JointId {
    let tops =
        body.spine.iter().copied().chain(body.head).chain(body.arms.iter().filter_map(|(_, arm)| arm.map(first_joint)));
    let mut carrier = body.pelvis;
    for top in tops {
        while !skeleton.is_at_or_above(carrier, top) {
            match skeleton.parent(carrier) {
                Some(parent) => carrier = parent,
                None => return body.pelvis,
            }
        }
    }
    carrier
}

fn first_joint(arm: Arm) -> JointId {
    arm.clavicle.unwrap_or(arm.shoulder)
}

/// How many joints of the spine are below the neck: up to the highest that carries both arms, or all without arms.
fn n_trunk_joints(skeleton: &Skeleton, body: &BodyMap) -> usize {
    let arms: Vec<JointId> = body.arms.iter().filter_map(|(_, arm)| arm.map(first_joint)).collect();
    let carries_arms = |joint: &JointId| arms.iter().all(|&arm| skeleton.is_at_or_above(*joint, arm));
    body.spine.iter().rposition(carries_arms).map_or(0, |index| index + 1)
}

/// For each joint of a limb the point that its segment leads to.
fn limb_ends(skeleton: &Skeleton, body: &BodyMap, pose: &WorldPose) -> Vec<Option<BodyPoint>> {
    let mut ends = vec![None; skeleton.n_joints()];
    for side in Side::BOTH {
        let leg = &body.legs[side];
        ends[leg.hip.index()] = Some(BodyPoint::Joint(leg.knee));
        ends[leg.knee.index()] = Some(BodyPoint::Joint(leg.ankle));
        if let Some(arm) = &body.arms[side] {
            ends[arm.shoulder.index()] = Some(BodyPoint::Joint(arm.elbow));
            ends[arm.elbow.index()] =
                arm.wrist.map(BodyPoint::Joint).or_else(|| farthest_end(skeleton, pose, arm.elbow));
        }
    }
    ends
}

/// The child or end site that lies farthest from a joint; `None` if all lie in its place.
fn farthest_end(skeleton: &Skeleton, pose: &WorldPose, joint: JointId) -> Option<BodyPoint> {
    let children = skeleton.ids().filter(|&child| skeleton.parent(child) == Some(joint)).map(BodyPoint::Joint);
    let sites = (0..skeleton.end_sites().len()).filter(|&site| skeleton.end_sites()[site].parent == joint);
    let length = |point: BodyPoint| pose.point(skeleton, point).distance(pose.position(joint));
    let ends = children.chain(sites.map(BodyPoint::EndSite)).filter(|&point| length(point) > 0.0);
    ends.max_by(|&a, &b| length(a).total_cmp(&length(b)))
}

/// Finds `C` of each joint.
struct PartTurns<'a> {
    skeleton: &'a Skeleton,
    body: &'a BodyMap,
    neutral: &'a Neutral,
    ends: &'a [Option<BodyPoint>],
    n_trunk: usize,
    trunk_by: TrunkBy,
}

impl PartTurns<'_> {
    fn find(&self) -> Vec<Quat> {
        let own = self.own_turns();
        let mut turns: Vec<Quat> = Vec::with_capacity(own.len());
        for (turn, joint) in own.into_iter().zip(self.skeleton.joints()) {
            let above = joint.parent.map_or(Quat::IDENTITY, |parent| turns[parent.index()]);
            turns.push(turn.unwrap_or(above));
        }
        turns
    }

    /// `C` of the parts that do not just take that of the joint above.
    fn own_turns(&self) -> Vec<Option<Quat>> {
        let mut turns = vec![None; self.skeleton.n_joints()];
        let mut set = |joint: JointId, turn: Quat| turns[joint.index()] = Some(turn);
        let mut chest = self.lean(self.hips(), 0);
        set(self.body.pelvis, chest);
        for (index, &joint) in self.body.spine.iter().enumerate() {
            let lean = self.lean(self.neutral.world.position(joint), index + 1);
            chest = if index < self.n_trunk { lean } else { chest };
            set(joint, lean);
        }
        if let Some(head) = self.body.head {
            set(head, Quat::IDENTITY);
        }
        for side in Side::BOTH {
            let leg = &self.body.legs[side];
            set(leg.hip, self.limb_turn(leg.hip, Quat::IDENTITY));
            set(leg.knee, self.limb_turn(leg.knee, Quat::IDENTITY));
            set(leg.ankle, self.foot_turn(leg));
            if let Some(arm) = &self.body.arms[side] {
                let upper = self.limb_turn(arm.shoulder, chest);
                set(first_joint(*arm), chest);
                set(arm.shoulder, upper);
                set(arm.elbow, self.limb_turn(arm.elbow, upper));
            }
        }
        turns
    }

    /// How a foot stands: as its sole says; or square to a shin that is splayed, where the sole is known from the rest pose
    /// alone.
    fn foot_turn(&self, leg: &Leg) -> Quat {
        let at = |joint: JointId| self.neutral.world.position(joint);
        let ankle = self.neutral.world[leg.ankle];
        match splay(at(leg.ankle) - at(leg.knee)).filter(|_| self.neutral.from == NeutralFrom::StillRestPose) {
            Some(splay) => {
                let to_ball = splay.conjugate() * (ankle.transform_point(leg.foot.ball) - ankle.translation);
                let heading = direction_heading(to_ball).unwrap_or(0.0);
                splay * Quat::from_rotation_y(heading)
            }
            None => ankle.rotation * sole_frame(&leg.foot),
        }
    }

    /// The smallest turn from straight down to a segment's direction; `otherwise` for a joint that points at nothing.
    fn limb_turn(&self, joint: JointId, otherwise: Quat) -> Quat {
        let Some(end) = self.ends[joint.index()] else { return otherwise };
        let points = self.neutral.world.point(self.skeleton, end) - self.neutral.world.position(joint);
        rotation::between_directions(Vec3::NEG_Y, points)
    }

    /// How far a part of the trunk leans that starts at `below`: from upright to where the next joint of the column is that
    /// stands off it, at or above the `n`th.
    fn lean(&self, below: Vec3, n: usize) -> Quat {
        if self.trunk_by == TrunkBy::Turns {
            return Quat::IDENTITY;
        }
        let stands_off = self.body.leg_length_in(&self.neutral.world) * STANDS_OFF;
        let column = self.body.spine.iter().copied().chain(self.body.head).skip(n);
        let mut offsets = column.map(|joint| self.neutral.world.position(joint) - below);
        offsets
            .find(|offset| offset.length() > stands_off)
            .map_or(Quat::IDENTITY, |offset| rotation::between_directions(Vec3::Y, offset))
    }

    /// The midpoint of the hips.
    fn hips(&self) -> Vec3 {
        let [left, right] =
            [&self.body.legs.left, &self.body.legs.right].map(|leg| self.neutral.world.position(leg.hip));
        (left + right) / 2.0
    }
}

/// A joint of the trunk stands off the one below from this share of the leg on; nearer ones give no direction.
const STANDS_OFF: f64 = 0.05;

/// A shin of a rest pose that leans out by more than this, in radians (12 degrees), does not stand on the floor.
const SPLAYED: f64 = 0.21;

/// How far a shin of a rest pose leans out to its side; `None` if it may be standing. The legs of some families are drawn 20
/// degrees apart, each with its foot square to it: such a foot stands flat when the leg is straight, not in the rest pose.
fn splay(shin: Vec3) -> Option<Quat> {
    let angle = shin.x.atan2(-shin.y);
    (angle.abs() > SPLAYED).then(|| Quat::from_rotation_z(angle))
}

/// The frame of a sole in its ankle's space: +Z from heel to ball, +Y away from the ground. The identity for a foot without
/// length.
pub fn sole_frame(foot: &FootShape) -> Quat {
    let Some(forward) = (foot.ball - foot.heel).try_normalize() else { return Quat::IDENTITY };
    let Some(up) = foot.up.reject_from_normalized(forward).try_normalize() else {
        return rotation::between_directions(Vec3::Z, forward);
    };
    Quat::from_mat3(&Mat3::from_cols(up.cross(forward), up, forward)).normalize()
}

/// Shares that are this close would let two joints of no length between them fall together.
const APART: f64 = 1e-6;

/// The joints of trunk and neck with their shares.
fn find_chains(body: &BodyMap, pose: &WorldPose, n_trunk: usize) -> (Vec<ChainJoint>, Vec<ChainJoint>) {
    let joints: Vec<JointId> = body.spine.iter().copied().chain(body.head).collect();
    // Distances from the pelvis along the chain, and the middle of each joint's segment. The last has no segment.
    let mut along = 0.0;
    let mut below = pose.position(body.pelvis);
    let distances: Vec<f64> = joints
        .iter()
        .map(|&joint| {
            along += pose.position(joint).distance(below);
            below = pose.position(joint);
            along
        })
        .collect();
    let middles: Vec<f64> =
        (0..distances.len()).map(|i| (distances[i] + distances[(i + 1).min(distances.len() - 1)]) / 2.0).collect();
    let chest = n_trunk.checked_sub(1).map_or(0.0, |last| middles[last]);
    let trunk = shares(&joints[..n_trunk], &middles[..n_trunk], 0.0);
    let neck = shares(&joints[n_trunk..], &middles[n_trunk..], chest);
    (trunk, neck)
}

fn shares(joints: &[JointId], middles: &[f64], start: f64) -> Vec<ChainJoint> {
    let length = middles.last().map_or(0.0, |last| last - start);
    let mut before = 0.0;
    let mut chain = Vec::with_capacity(joints.len());
    for (index, (&joint, middle)) in joints.iter().zip(middles).enumerate() {
        let even = (index + 1) as f64 / joints.len() as f64;
        let share = if length > 0.0 { (middle - start) / length } else { even };
        before = share.max(before + APART);
        chain.push(ChainJoint { joint, share: before });
    }
    chain
}
