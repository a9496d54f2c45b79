//! Which joint of the source each joint of the target follows, and the turning itself.

use surefoot_geom::{Quat, Vec3, rotation};
use surefoot_motion::{BodyMap, JointId, Pose, Side, Skeleton, WorldPose};
use surefoot_motion::{anatomy::Anatomy, anatomy::ChainJoint};

/// Whose attitude a joint of the target takes.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Follows {
    /// That of one joint.
    Joint(JointId),
    /// One between those of two joints: the first at 0.
    Between(JointId, JointId, f64),
    /// A twist bone of an upper arm or thigh: the limb's, less a share of how it is twisted against the joint that carries it.
    Untwisted { limb: JointId, above: JointId, share: f64 },
    /// A twist bone of a forearm: the limb's, with a share of how the hand is twisted against it.
    Twisted { limb: JointId, below: JointId, share: f64 },
}

/// For each joint of the target what it follows.
pub(super) struct Pairing<'a> {
    source: &'a Skeleton,
    follows: Vec<Option<Follows>>,
    /// Joints of the target at or above its pelvis.
    above: Vec<bool>,
}

type Person<'s, 'a> = (&'s Skeleton, &'a BodyMap, &'a Anatomy);

impl<'a> Pairing<'a> {
    pub(super) fn new(from: Person<'a, '_>, to: Person<'_, '_>) -> Pairing<'a> {
        let (skeleton, body, anatomy) = to;
        let above = skeleton.ids().map(|joint| skeleton.is_at_or_above(joint, body.pelvis)).collect();
        let mut pairing = Pairing { source: from.0, follows: vec![None; skeleton.n_joints()], above };
        pairing.pair_trunk(from, (body, anatomy));
        for side in Side::BOTH {
            pairing.pair_leg(from.1, body, side);
            pairing.pair_arm((from.1, from.2), body, side);
        }
        pairing.pair_twists(from, to);
        pairing.pair_names(from.1, skeleton, body);
        pairing
    }

    fn set(&mut self, joint: JointId, follows: Follows) {
        self.follows[joint.index()] = Some(follows);
    }

    fn pair_trunk(&mut self, (_, from_body, from): Person<'_, '_>, (body, to): (&BodyMap, &Anatomy)) {
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

    /// Twist bones share the twist of their limb by where they lie on it: none of an upper arm's at the shoulder, all at the elbow;
    /// none of a hand's at the elbow, all at the wrist. Skin then twists along the limb instead of at one joint.
    fn pair_twists(&mut self, (_, from, anatomy): Person<'_, '_>, (skeleton, body, to): Person<'_, '_>) {
        let mapped = mapped_joints(skeleton, body);
        let mut limbs: Vec<(JointId, JointId, [JointId; 2], bool)> = Vec::new();
        for side in Side::BOTH {
            let (mine, theirs) = (&body.legs[side], &from.legs[side]);
            limbs.push((mine.hip, mine.knee, [theirs.hip, from.pelvis], true));
            if let (Some(mine), Some(theirs)) = (&body.arms[side], &from.arms[side]) {
                let carrier = theirs.clavicle.unwrap_or(anatomy.chest(from));
                limbs.push((mine.shoulder, mine.elbow, [theirs.shoulder, carrier], true));
                if let (Some(wrist), Some(hand)) = (mine.wrist, theirs.wrist) {
                    limbs.push((mine.elbow, wrist, [theirs.elbow, hand], false));
                }
            }
        }
        let standing = &to.neutral.world;
        for (start, end, [limb, other], is_upper) in limbs {
            let (from, along) = (standing.position(start), standing.position(end) - standing.position(start));
            for joint in skeleton.ids().filter(|&joint| skeleton.parent(joint) == Some(start) && !mapped[joint.index()])
            {
                let offset = standing.position(joint) - from;
                let share = offset.dot(along) / along.length_squared();
                let aside = (offset - share * along).length();
                // A bone at the beginning of a limb may carry anything; one that is named for it takes back all of the twist.
                let is_named = || is_twist_name(skeleton.name(joint));
                let lies_on_it = TWIST_PLACES.contains(&share) || share.abs() < *TWIST_PLACES.start() && is_named();
                if !lies_on_it || aside > BESIDE * along.length() {
                    continue;
                }
                let share = share.max(0.0);
                let follows = match is_upper {
                    true => Follows::Untwisted { limb, above: other, share: 1.0 - share },
                    false => Follows::Twisted { limb, below: other, share },
                };
                self.set(joint, follows);
            }
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
                Follows::Untwisted { limb, above, share } => {
                    let limb = attitude(limb);
                    limb * part_of_twist(attitude(above).conjugate() * limb, share).conjugate()
                }
                Follows::Twisted { limb, below, share } => {
                    let limb = attitude(limb);
                    limb * part_of_twist(limb.conjugate() * attitude(below), share)
                }
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

/// A twist bone lies within these shares of its limb, and this share of it beside it at most.
const TWIST_PLACES: std::ops::RangeInclusive<f64> = 0.05..=0.97;
const BESIDE: f64 = 0.05;

/// As rigs of Unreal and others name them: `upperarm_twist_01_l`, `LeftArmRoll`.
fn is_twist_name(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    ["twist", "roll"].iter().any(|word| name.contains(word))
}

/// A share of the twist of a turn about the limb, which hangs along Y in every attitude.
fn part_of_twist(turn: Quat, share: f64) -> Quat {
    let (_, twist) = rotation::swing_twist(turn, Vec3::Y);
    rotation::slerp(Quat::IDENTITY, twist, share)
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
