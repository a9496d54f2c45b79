//! Which joint of the source each joint of the target follows, and the turning itself.

use surefoot_geom::{Quat, rotation};
use surefoot_motion::{BodyMap, JointId, Pose, Side, Skeleton, WorldPose};
use surefoot_motion::{anatomy::Anatomy, anatomy::ChainJoint};

/// Whose attitude a joint of the target takes.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Follows {
    /// That of one joint.
    Joint(JointId),
    /// One between those of two joints: the first at 0.
    Between(JointId, JointId, f64),
}

/// For each joint of the target what it follows.
pub(super) struct Pairing<'a> {
    source: &'a Skeleton,
    follows: Vec<Option<Follows>>,
    /// Joints of the target at or above its pelvis.
    above: Vec<bool>,
}

type Person<'a> = (&'a Skeleton, &'a BodyMap, &'a Anatomy);

impl<'a> Pairing<'a> {
    pub(super) fn new(from: Person<'a>, to: Person<'_>) -> Pairing<'a> {
        let (skeleton, body, anatomy) = to;
        let above = skeleton.ids().map(|joint| skeleton.is_at_or_above(joint, body.pelvis)).collect();
        let mut pairing = Pairing { source: from.0, follows: vec![None; skeleton.n_joints()], above };
        pairing.pair_trunk(from, (body, anatomy));
        for side in Side::BOTH {
            pairing.pair_leg(from.1, body, side);
            pairing.pair_arm((from.1, from.2), body, side);
        }
        pairing.pair_names(from.1, skeleton, body);
        pairing
    }

    fn set(&mut self, joint: JointId, follows: Follows) {
        self.follows[joint.index()] = Some(follows);
    }

    fn pair_trunk(&mut self, (_, from_body, from): Person<'_>, (body, to): (&BodyMap, &Anatomy)) {
        self.set(to.carrier, Follows::Joint(from_body.pelvis));
        self.set(body.pelvis, Follows::Joint(from_body.pelvis));
        for at in &to.trunk {
            self.set(at.joint, along(from_body.pelvis, &from.trunk, at.share));
        }
        for at in &to.neck {
            self.set(at.joint, along(from.chest(from_body), &from.neck, at.share));
        }
    }

    fn pair_leg(&mut self, from: &BodyMap, to: &BodyMap, side: Side) {
        let (mine, theirs) = (&to.legs[side], &from.legs[side]);
        self.set(mine.hip, Follows::Joint(theirs.hip));
        self.set(mine.knee, Follows::Joint(theirs.knee));
        self.set(mine.ankle, Follows::Joint(theirs.ankle));
        if let (Some(mine), Some(theirs)) = (mine.ball, theirs.ball) {
            self.set(mine, Follows::Joint(theirs));
        }
    }

    /// Arms follow arms; those of a source that has none hang down along the chest.
    fn pair_arm(&mut self, (from, anatomy): (&BodyMap, &Anatomy), to: &BodyMap, side: Side) {
        let Some(mine) = &to.arms[side] else { return };
        let Some(theirs) = &from.arms[side] else {
            let chest = Follows::Joint(anatomy.chest(from));
            self.set(mine.shoulder, chest);
            self.set(mine.elbow, chest);
            return;
        };
        if let (Some(mine), Some(theirs)) = (mine.clavicle, theirs.clavicle) {
            self.set(mine, Follows::Joint(theirs));
        }
        self.set(mine.shoulder, Follows::Joint(theirs.shoulder));
        self.set(mine.elbow, Follows::Joint(theirs.elbow));
        if let (Some(mine), Some(theirs)) = (mine.wrist, theirs.wrist) {
            self.set(mine, Follows::Joint(theirs));
        }
    }

    /// Fingers and the like follow children of the same name, where the joints above them are paired.
    fn pair_names(&mut self, from_body: &BodyMap, skeleton: &Skeleton, body: &BodyMap) {
        let children = self.source.children();
        let (taken, mapped) = (mapped_joints(self.source, from_body), mapped_joints(skeleton, body));
        for joint in skeleton.ids().filter(|joint| !mapped[joint.index()]) {
            let Some(parent) = skeleton.parent(joint) else { continue };
            let Some(Follows::Joint(theirs)) = self.follows[parent.index()] else { continue };
            let same = |child: &&JointId| !taken[child.index()] && self.source.name(**child) == skeleton.name(joint);
            if let Some(&child) = children[theirs.index()].iter().find(same) {
                self.set(joint, Follows::Joint(child));
            }
        }
    }

    /// Joints of the target below its pelvis that follow nothing.
    pub(super) fn idle(&self) -> Vec<JointId> {
        let idle = (0..self.follows.len()).filter(|&joint| self.follows[joint].is_none() && !self.above[joint]);
        idle.map(JointId::new).collect()
    }

    /// The target's pose with every joint turned as the source's. It stands where its neutral pose does.
    pub(super) fn turn_pose(&self, pose: &WorldPose, from: &Anatomy, target: &Skeleton, to: &Anatomy) -> Pose {
        let attitude = |joint: JointId| from.attitude(self.source, pose, joint);
        let mut turned = to.neutral.pose.clone();
        let mut world = vec![Quat::IDENTITY; turned.local.len()];
        for joint in target.ids() {
            let above = target.parent(joint).map_or(Quat::IDENTITY, |parent| world[parent.index()]);
            let wanted = self.follows[joint.index()].map(|follows| match follows {
                Follows::Joint(theirs) => attitude(theirs),
                Follows::Between(a, b, share) => rotation::slerp(attitude(a), attitude(b), share),
            });
            if let Some(attitude) = wanted {
                let rotation = attitude * to.frames[joint.index()].conjugate();
                turned[joint].rotation = (above.conjugate() * rotation).normalize();
            }
            world[joint.index()] = (above * turned[joint].rotation).normalize();
        }
        turned
    }
}

/// The joint at a share of the length along a chain that begins above `below`.
fn along(below: JointId, chain: &[ChainJoint], share: f64) -> Follows {
    let next = chain.partition_point(|at| at.share < share);
    let (low, low_share) = next.checked_sub(1).map_or((below, 0.0), |i| (chain[i].joint, chain[i].share));
    match chain.get(next) {
        Some(high) if high.share <= share => Follows::Joint(high.joint),
        Some(high) => Follows::Between(low, high.joint, (share - low_share) / (high.share - low_share)),
        None => Follows::Joint(low),
    }
}

/// Which joints a body map names.
fn mapped_joints(skeleton: &Skeleton, body: &BodyMap) -> Vec<bool> {
    let legs = body.legs.iter().flat_map(|(_, leg)| [Some(leg.hip), Some(leg.knee), Some(leg.ankle), leg.ball]);
    let arms = body.arms.iter().filter_map(|(_, arm)| *arm);
    let arms = arms.flat_map(|arm| [arm.clavicle, Some(arm.shoulder), Some(arm.elbow), arm.wrist]);
    let trunk = body.spine.iter().copied().map(Some).chain([Some(body.pelvis), body.head]);
    let mut mapped = vec![false; skeleton.n_joints()];
    for joint in legs.chain(arms).chain(trunk).flatten() {
        mapped[joint.index()] = true;
    }
    mapped
}
