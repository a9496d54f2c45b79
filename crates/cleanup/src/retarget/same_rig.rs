//! Two skeletons of one rig: the same joints with the same axes, whatever their lengths.
//!
//! People of one database differ in lengths alone, and then copying local rotations is exact where any other transfer
//! estimates. Rest poses need be no person for it.
//!
//! Feet are the exception. How high an ankle is above its ball, and where an ankle's axes lie in its sole, is a person's own: a
//! foot that was flat would be pitched on another's, by up to 2 cm of the ankle's height between people of one database. So an
//! ankle is turned on by what the two soles differ by, where both were fitted to motion: a sole that was flat is flat.

use super::Character;
use surefoot_geom::{Quat, rotation};
use surefoot_motion::anatomy::sole_frame;
use surefoot_motion::{BodyMap, JointId, Pose, PoseRef, Side, Skeleton, WorldPose};

/// Axes count as the same within this angle, in radians: files round their numbers.
const SAME_AXES: f64 = 0.02;
/// Segments count as built the same within this cosine (15 degrees): offsets are measured on people.
const SAME_DIRECTION: f64 = 0.966;

/// For each joint of the target the source's joint of the same place in the tree.
pub(super) struct RigMap {
    source_of: Vec<Option<JointId>>,
    /// The target's ankles, and how far each is turned in its own space beyond the source's.
    ankles: Vec<(JointId, Quat)>,
}

impl RigMap {
    /// The map, if all joints that matter have partners with the same axes and directions.
    pub(super) fn find(source: &Skeleton, body: &BodyMap, to: &Character<'_>) -> Option<RigMap> {
        let turn = |side: Side| {
            let [mine, theirs] = [to.body, body].map(|body| sole_frame(&body.legs[side].foot));
            (to.body.legs[side].ankle, theirs * mine.conjugate())
        };
        // Without motion the target's soles are those of its rest pose, which is no witness of how it stands.
        let ankles = if to.poses.is_empty() { Vec::new() } else { Side::BOTH.map(turn).to_vec() };
        let map = RigMap { source_of: pair_by_name(source, to.skeleton), ankles };
        let rest = WorldPose::new(source, &source.rest_pose());
        let to_rest = WorldPose::new(to.skeleton, &to.skeleton.rest_pose());
        let joints = body_joints(body);
        let to_joints = body_joints(to.body);
        let is_same = |(mine, theirs): (&Option<JointId>, &Option<JointId>)| match (mine, theirs) {
            (Some(mine), Some(theirs)) => {
                map.source_of[mine.index()] == Some(*theirs)
                    && rotation::angle_between(to_rest[*mine].rotation, rest[*theirs].rotation) < SAME_AXES
            }
            (None, None) => true,
            _ => false,
        };
        let directions = |body: &BodyMap, pose: &WorldPose| -> Vec<_> {
            segments(body).map(|(a, b)| (pose.position(b) - pose.position(a)).normalize_or_zero()).collect()
        };
        let all_same = joints.len() == to_joints.len() && to_joints.iter().zip(&joints).all(is_same);
        let (mine, theirs) = (directions(to.body, &to_rest), directions(body, &rest));
        let points_same =
            mine.len() == theirs.len() && mine.iter().zip(&theirs).all(|(a, b)| a == b || a.dot(*b) > SAME_DIRECTION);
        (all_same && points_same).then_some(map)
    }

    /// Joints of the target without a partner.
    pub(super) fn idle(&self) -> Vec<JointId> {
        (0..self.source_of.len()).filter(|&joint| self.source_of[joint].is_none()).map(JointId::new).collect()
    }

    /// The target's pose: rotations of the source, offsets of its own, and what the source's translations differ from its
    /// offsets, scaled.
    pub(super) fn copy_pose(&self, source: &Skeleton, pose: PoseRef<'_>, target: &Skeleton, scale: f64) -> Pose {
        let mut copied = target.rest_pose();
        for (local, theirs) in copied.local.iter_mut().zip(&self.source_of) {
            if let Some(theirs) = *theirs {
                local.rotation = pose[theirs].rotation;
                local.translation += (pose[theirs].translation - source.joint(theirs).rest.translation) * scale;
            }
        }
        for &(ankle, turn) in &self.ankles {
            copied[ankle].rotation *= turn;
        }
        copied
    }
}

/// Pairs roots of the same name, then their children of the same name, and so on.
fn pair_by_name(source: &Skeleton, target: &Skeleton) -> Vec<Option<JointId>> {
    let children = source.children();
    let roots: Vec<JointId> = source.roots().collect();
    let mut is_free = vec![true; source.n_joints()];
    let mut pairs: Vec<Option<JointId>> = Vec::with_capacity(target.n_joints());
    for joint in target.joints() {
        let among = match joint.parent {
            None => roots.as_slice(),
            Some(parent) => pairs[parent.index()].map_or(&[][..], |theirs| children[theirs.index()].as_slice()),
        };
        // Names may repeat among siblings: each is taken once, in order.
        let found = among.iter().copied().find(|id| is_free[id.index()] && source.name(*id) == joint.name);
        if let Some(found) = found {
            is_free[found.index()] = false;
        }
        pairs.push(found);
    }
    pairs
}

/// The joints of a body map in a fixed order.
fn body_joints(body: &BodyMap) -> Vec<Option<JointId>> {
    let mut joints = vec![Some(body.pelvis), body.head];
    for side in Side::BOTH {
        let leg = &body.legs[side];
        joints.extend([Some(leg.hip), Some(leg.knee), Some(leg.ankle), leg.ball]);
        let arm = &body.arms[side];
        let part = |pick: fn(&surefoot_motion::Arm) -> Option<JointId>| arm.as_ref().and_then(pick);
        joints.extend([part(|a| a.clavicle), part(|a| Some(a.shoulder)), part(|a| Some(a.elbow)), part(|a| a.wrist)]);
    }
    joints.extend(body.spine.iter().copied().map(Some));
    joints
}

/// The segments whose directions tell how a skeleton is built. Hips and feet are left out: how far a hip lies out, or how high
/// an ankle, is a person's own.
fn segments(body: &BodyMap) -> impl Iterator<Item = (JointId, JointId)> + '_ {
    let legs = body.legs.iter().flat_map(|(_, leg)| [(leg.hip, leg.knee), (leg.knee, leg.ankle)]);
    let arms = body.arms.iter().filter_map(|(_, arm)| *arm);
    let arms = arms.flat_map(|arm| [Some((arm.shoulder, arm.elbow)), arm.wrist.map(|wrist| (arm.elbow, wrist))]);
    legs.chain(arms.flatten())
}
