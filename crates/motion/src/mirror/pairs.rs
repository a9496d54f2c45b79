//! Which joint is the mirror image of which.
//!
//! Pairs come from the body map's limbs; what hangs on them or on the midline (fingers, toes, eyes, twist joints) is
//! paired by names without their side, then by where it stands and what hangs below it.

use crate::joint_names::{NameFacts, name_without_side, read_joint_name};
use crate::{BodyMap, BodyPoint, JointId, Side, Skeleton};
use surefoot_geom::Vec3;

/// For each joint its mirror image: another joint, itself on the midline, or `None` for what hangs on one side only.
pub(super) fn find_partners(skeleton: &Skeleton, body: &BodyMap) -> Vec<Option<JointId>> {
    let joints = skeleton.joints();
    let mut pairing = Pairing {
        skeleton,
        children: skeleton.children(),
        n_below: count_below(skeleton),
        mapped_below: mapped_below(skeleton, body),
        names: joints.iter().map(|joint| read_joint_name(&joint.name)).collect(),
        stems: joints.iter().map(|joint| name_without_side(&joint.name)).collect(),
        partners: vec![None; skeleton.n_joints()],
    };
    for id in skeleton.ids() {
        match skeleton.parent(id) {
            None => pairing.partners[id.index()] = Some(id),
            Some(_) if pairing.partners[id.index()].is_some() => {}
            Some(_) => continue,
        }
        // Parents come first, so a joint's partner is settled before its children are looked at.
        match pairing.partners[id.index()] {
            Some(partner) if partner == id => pairing.pair_on_midline(id),
            Some(partner) if id < partner => pairing.pair_across(id, partner),
            _ => {}
        }
    }
    pairing.drop_orphans();
    pairing.partners
}

struct Pairing<'a> {
    skeleton: &'a Skeleton,
    children: Vec<Vec<JointId>>,
    /// Joints below each, itself included.
    n_below: Vec<usize>,
    /// For each joint the pairs of the body map whose left and whose right joint stand at or below it, one bit a pair.
    mapped_below: Vec<(u32, u32)>,
    names: Vec<NameFacts>,
    /// Names without their sides.
    stems: Vec<String>,
    partners: Vec<Option<JointId>>,
}

/// Offsets of partners agree within this share of the longer one.
const SAME_LENGTH: f64 = 0.25;

impl Pairing<'_> {
    fn join(&mut self, a: JointId, b: JointId) {
        self.partners[a.index()] = Some(b);
        self.partners[b.index()] = Some(a);
    }

    /// Pairs the children of a midline joint among themselves; those without a partner are on the midline.
    fn pair_on_midline(&mut self, parent: JointId) {
        let mut open = self.children[parent.index()].clone();
        while let Some(child) = open.pop() {
            let found = open.iter().position(|&other| self.are_mapped(child, other)).or_else(|| {
                let side = self.names[child.index()].side;
                let mirrored = |&other: &JointId| {
                    side.is_some()
                        && self.names[other.index()].side == side.map(Side::opposite)
                        && self.same_stem(child, other)
                };
                open.iter().position(mirrored)
            });
            match found.or_else(|| open.iter().position(|&other| self.stand_mirrored(child, other))) {
                Some(place) => {
                    let other = open.swap_remove(place);
                    self.join(child, other);
                }
                None => self.partners[child.index()] = Some(child),
            }
        }
    }

    /// Pairs the children of two partners; those left over stay without.
    fn pair_across(&mut self, a: JointId, b: JointId) {
        let mut open = self.children[b.index()].clone();
        for child in self.children[a.index()].clone() {
            let same_below = |&other: &JointId| {
                self.n_below[child.index()] == self.n_below[other.index()] && self.same_length(child, other)
            };
            let found = open
                .iter()
                .position(|&other| self.are_mapped(child, other))
                .or_else(|| open.iter().position(|&other| self.same_stem(child, other)))
                .or_else(|| open.iter().position(same_below));
            if let Some(place) = found {
                let other = open.remove(place);
                self.join(child, other);
            }
        }
    }

    /// Whether a pair of the body map stands at or below the two.
    fn are_mapped(&self, a: JointId, b: JointId) -> bool {
        let (left_a, right_a) = self.mapped_below[a.index()];
        let (left_b, right_b) = self.mapped_below[b.index()];
        (left_a & right_b) | (right_a & left_b) != 0
    }

    fn same_stem(&self, a: JointId, b: JointId) -> bool {
        self.stems[a.index()] == self.stems[b.index()]
    }

    fn offset(&self, joint: JointId) -> Vec3 {
        self.skeleton.joint(joint).rest.translation
    }

    fn same_length(&self, a: JointId, b: JointId) -> bool {
        let (a, b) = (self.offset(a).length(), self.offset(b).length());
        (a - b).abs() <= SAME_LENGTH * a.max(b)
    }

    /// Whether two nameless siblings look like mirror images: as many joints below, as far from the parent, apart from
    /// each other, and as long themselves.
    fn stand_mirrored(&self, a: JointId, b: JointId) -> bool {
        let has_names = [a, b].iter().any(|joint| self.names[joint.index()].part.is_some());
        let apart = self.offset(a).distance(self.offset(b)) > SAME_LENGTH * self.offset(a).length();
        !has_names && self.n_below[a.index()] == self.n_below[b.index()] && self.same_length(a, b) && apart
    }

    /// A joint whose parent has no partner, or another than its partner's parent, cannot have one.
    fn drop_orphans(&mut self) {
        for id in self.skeleton.ids() {
            let parent_of = |joint: JointId| self.skeleton.parent(joint);
            let fits = self.partners[id.index()].is_some_and(|partner| match (parent_of(id), parent_of(partner)) {
                (Some(mine), Some(theirs)) => self.partners[mine.index()] == Some(theirs),
                (None, None) => true,
                _ => false,
            });
            if !fits {
                self.partners[id.index()] = None;
            }
        }
    }
}

fn count_below(skeleton: &Skeleton) -> Vec<usize> {
    let mut n_below = vec![1; skeleton.n_joints()];
    for id in skeleton.ids().rev() {
        if let Some(parent) = skeleton.parent(id) {
            n_below[parent.index()] += n_below[id.index()];
        }
    }
    n_below
}

fn mapped_below(skeleton: &Skeleton, body: &BodyMap) -> Vec<(u32, u32)> {
    let mut below = vec![(0, 0); skeleton.n_joints()];
    for (bit, (left, right)) in mapped_pairs(skeleton, body).into_iter().enumerate() {
        below[left.index()].0 |= 1 << bit;
        below[right.index()].1 |= 1 << bit;
    }
    for id in skeleton.ids().rev() {
        if let Some(parent) = skeleton.parent(id) {
            let (left, right) = below[id.index()];
            below[parent.index()].0 |= left;
            below[parent.index()].1 |= right;
        }
    }
    below
}

/// At most nine pairs: five of the legs, four of the arms.
fn mapped_pairs(skeleton: &Skeleton, body: &BodyMap) -> Vec<(JointId, JointId)> {
    let [left, right] = [&body.legs.left, &body.legs.right];
    let mut pairs = vec![(left.hip, right.hip), (left.knee, right.knee), (left.ankle, right.ankle)];
    pairs.extend(left.ball.zip(right.ball));
    if let (Some(BodyPoint::Joint(a)), Some(BodyPoint::Joint(b))) = (left.toe, right.toe) {
        pairs.push((a, b));
    }
    if let (Some(left), Some(right)) = (body.arms.left, body.arms.right) {
        pairs.extend([(left.shoulder, right.shoulder), (left.elbow, right.elbow)]);
        pairs.extend(left.clavicle.zip(right.clavicle));
        pairs.extend(left.wrist.zip(right.wrist));
    }
    pairs.retain(|(a, b)| a != b && a.index() < skeleton.n_joints() && b.index() < skeleton.n_joints());
    pairs
}
