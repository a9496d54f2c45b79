//! A person's rest pose, asked for directions in one joint's space.

use crate::{BodyMap, JointId, PerSide, Skeleton, WorldPose};
use surefoot_geom::Vec3;

/// Thigh plus shin of the adult that the radii in [`super::trunk`] and [`super::limbs`] describe, in metres.
const ADULT_LEG: f64 = 0.83;

/// A skeleton with its body map and rest pose.
pub(super) struct RestBody<'a> {
    pub(super) skeleton: &'a Skeleton,
    pub(super) body: &'a BodyMap,
    rest: WorldPose,
    /// Leg length over that of the adult whose radii are given.
    pub(super) scale: f64,
    /// Whether the rest pose looks like a person standing, so that directions may be carried from joint to joint.
    pub(super) is_upright: bool,
    /// The highest joint that carries both arms; the top of the spine in a body without arms.
    pub(super) chest: JointId,
}

impl<'a> RestBody<'a> {
    /// `None` where the legs have no length, so that the scale is unknown.
    pub(super) fn new(skeleton: &'a Skeleton, body: &'a BodyMap) -> Option<RestBody<'a>> {
        let rest = WorldPose::new(skeleton, &skeleton.rest_pose());
        let scale = body.leg_length_in(&rest) / ADULT_LEG;
        if !scale.is_finite() || scale <= 0.0 {
            return None;
        }
        let chest = find_chest(skeleton, body);
        let mut person = RestBody { skeleton, body, rest, scale, is_upright: false, chest };
        person.is_upright = person.looks_upright();
        Some(person)
    }

    /// Where `other` is in the space of `joint`, in the rest pose.
    pub(super) fn in_joint(&self, joint: JointId, other: JointId) -> Vec3 {
        self.point_in_joint(joint, self.rest.position(other))
    }

    /// A point of the rest pose's world in the space of `joint`.
    pub(super) fn point_in_joint(&self, joint: JointId, point: Vec3) -> Vec3 {
        self.rest[joint].inverse().transform_point(point)
    }

    /// A point in one joint's space, in the rest pose's world.
    pub(super) fn to_world(&self, joint: JointId, point: Vec3) -> Vec3 {
        self.rest[joint].transform_point(point)
    }

    /// A point in the space of `from`, in the space of `to`, as the rest pose has them.
    pub(super) fn move_point(&self, from: JointId, to: JointId, point: Vec3) -> Vec3 {
        self.point_in_joint(to, self.to_world(from, point))
    }

    /// A direction in the space of `from`, turned to the space of `to` as the rest pose has them.
    pub(super) fn turn(&self, from: JointId, to: JointId, direction: Vec3) -> Vec3 {
        self.rest[to].rotation.conjugate() * (self.rest[from].rotation * direction)
    }

    /// The vector from right hip to left hip, in the pelvis's space.
    pub(super) fn hips_across(&self) -> Vec3 {
        let hips = self.hips();
        hips.left - hips.right
    }

    /// Both hips in the pelvis's space.
    pub(super) fn hips(&self) -> PerSide<Vec3> {
        self.body.legs.map(|leg| self.in_joint(self.body.pelvis, leg.hip))
    }

    /// In the pelvis's space, the direction in which the trunk leaves it, square to the hips. Zero if the trunk has no length.
    pub(super) fn pelvis_up(&self) -> Vec3 {
        let hips = self.hips();
        let spine = self.first_above(self.body.pelvis, 0.02).map(|joint| self.in_joint(self.body.pelvis, joint));
        let up = spine.unwrap_or(Vec3::ZERO) - (hips.left + hips.right) / 2.0;
        up.reject_from_normalized(self.hips_across().normalize_or(Vec3::X)).normalize_or_zero()
    }

    /// Spine and head, upward.
    pub(super) fn column(&self) -> impl DoubleEndedIterator<Item = JointId> + '_ {
        self.body.spine.iter().copied().chain(self.body.head)
    }

    /// The part of the column from above `joint` (the pelvis, or one of the column) on.
    pub(super) fn column_above(&self, joint: JointId) -> impl Iterator<Item = JointId> + '_ {
        let n_below = self.column().position(|at| at == joint).map_or(0, |index| index + 1);
        self.column().skip(n_below)
    }

    /// The part of the column up to the chest; empty where the pelvis itself carries the arms.
    pub(super) fn column_to_chest(&self) -> impl Iterator<Item = JointId> + '_ {
        let n = self.column().position(|joint| joint == self.chest).map_or(0, |index| index + 1);
        self.column().take(n)
    }

    /// The lowest joint that carries both; `None` for joints of different trees. Mostly `below` itself, but some
    /// skeletons hang pelvis and spine side by side under a root.
    pub(super) fn carrier(&self, below: JointId, above: JointId) -> Option<JointId> {
        let mut joint = below;
        while !self.skeleton.is_at_or_above(joint, above) {
            joint = self.skeleton.parent(joint)?;
        }
        Some(joint)
    }

    /// The first joint above `joint` in the column that stands at least `distance` (adult metres) off it.
    pub(super) fn first_above(&self, joint: JointId, distance: f64) -> Option<JointId> {
        self.column_above(joint).find(|&next| self.in_joint(joint, next).length() > distance * self.scale)
    }

    /// The rest pose stands like a person: the trunk goes up where the legs go down, hips and arms are on the same sides.
    fn looks_upright(&self) -> bool {
        let [pelvis, left, right] = [self.body.pelvis, self.body.legs.left.ankle, self.body.legs.right.ankle]
            .map(|joint| self.rest.position(joint));
        let Some(top) = self.column().last() else { return false };
        let trunk = (self.rest.position(top) - pelvis).normalize_or_zero();
        let legs = ((left + right) / 2.0 - pelvis).normalize_or_zero();
        let hips = (self.rest[self.body.pelvis].rotation * self.hips_across()).normalize_or_zero();
        let arms = match (self.body.arms.left, self.body.arms.right) {
            (Some(left), Some(right)) => {
                (self.rest.position(left.shoulder) - self.rest.position(right.shoulder)).normalize_or_zero()
            }
            _ => hips,
        };
        // 0.7 is 45 degrees: beyond it "up" in one joint says little about "up" in the next.
        trunk.dot(legs) < -0.7 && hips.dot(arms) > 0.7 && hips.dot(trunk).abs() < 0.7
    }
}

fn find_chest(skeleton: &Skeleton, body: &BodyMap) -> JointId {
    let arms: Vec<JointId> =
        body.arms.iter().filter_map(|(_, arm)| arm.map(|arm| arm.clavicle.unwrap_or(arm.shoulder))).collect();
    let carries_arms = |joint: &&JointId| arms.iter().all(|&arm| skeleton.is_at_or_above(**joint, arm));
    *body.spine.iter().rev().find(carries_arms).unwrap_or(&body.pelvis)
}
