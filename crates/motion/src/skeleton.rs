//! A tree of joints in a flat array, parents before children.

use crate::Pose;
use surefoot_geom::{Quat, Transform, Vec3};

/// The index of a joint in its skeleton.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct JointId(u32);

impl JointId {
    /// The id of the joint at `index`. Panics past `u32::MAX - 1`, more joints than memory holds.
    pub fn new(index: usize) -> JointId {
        JointId(u32::try_from(index).ok().filter(|&i| i != NO_PARENT).expect("joint index fits u32"))
    }

    /// Where the joint is in the skeleton's arrays.
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A joint: its name, its parent and its transform relative to the parent when nothing moves.
#[derive(Clone, Debug, PartialEq)]
pub struct Joint {
    /// As the file spells it. Names may repeat; ids do not.
    pub name: String,
    /// `None` for a root.
    pub parent: Option<JointId>,
    /// Relative to the parent, in the rest pose.
    pub rest: Transform,
}

/// A point rigid in a joint's space that ends a chain: a finger tip, the top of the head.
#[derive(Clone, Debug, PartialEq)]
pub struct EndSite {
    /// Most files give none.
    pub name: Option<String>,
    /// The joint it is fixed to.
    pub parent: JointId,
    /// In the parent's space.
    pub offset: Vec3,
}

/// A tree (or several) of joints, parents before children.
#[derive(Clone, Debug, PartialEq)]
pub struct Skeleton {
    /// Parents come before their children; checked by [`Skeleton::new`].
    joints: Vec<Joint>,
    end_sites: Vec<EndSite>,
    /// The parents again, packed for forward kinematics; [`NO_PARENT`] for roots.
    parents: Vec<u32>,
}

const NO_PARENT: u32 = u32::MAX;

/// Why a list of joints is no skeleton.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum SkeletonError {
    /// A joint's parent does not come before it.
    #[error("joint {joint} `{name}` comes before its parent, joint {parent}")]
    ParentAfterChild {
        /// The child's index.
        joint: usize,
        /// The child's name.
        name: String,
        /// The parent's index.
        parent: usize,
    },
    /// An end site's joint does not exist.
    #[error("an end site belongs to joint {parent}, but there are only {n_joints} joints")]
    EndSiteWithoutJoint {
        /// The index it names.
        parent: usize,
        /// How many there are.
        n_joints: usize,
    },
}

impl Skeleton {
    /// A skeleton from its joints, parents first.
    pub fn new(joints: Vec<Joint>, end_sites: Vec<EndSite>) -> Result<Skeleton, SkeletonError> {
        for (index, joint) in joints.iter().enumerate() {
            if let Some(parent) = joint.parent.filter(|p| p.index() >= index) {
                let (name, parent) = (joint.name.clone(), parent.index());
                return Err(SkeletonError::ParentAfterChild { joint: index, name, parent });
            }
        }
        if let Some(site) = end_sites.iter().find(|site| site.parent.index() >= joints.len()) {
            let (parent, n_joints) = (site.parent.index(), joints.len());
            return Err(SkeletonError::EndSiteWithoutJoint { parent, n_joints });
        }
        let parents = joints.iter().map(|joint| joint.parent.map_or(NO_PARENT, |p| p.0)).collect();
        Ok(Skeleton { joints, end_sites, parents })
    }

    /// How many joints there are.
    pub fn n_joints(&self) -> usize {
        self.joints.len()
    }

    /// All joints, parents first.
    pub fn joints(&self) -> &[Joint] {
        &self.joints
    }

    /// All end sites, in file order.
    pub fn end_sites(&self) -> &[EndSite] {
        &self.end_sites
    }

    /// All ids, parents first.
    pub fn ids(&self) -> impl DoubleEndedIterator<Item = JointId> + ExactSizeIterator + use<> {
        (0..self.joints.len()).map(JointId::new)
    }

    /// One joint.
    pub fn joint(&self, id: JointId) -> &Joint {
        &self.joints[id.index()]
    }

    /// A joint's name.
    pub fn name(&self, id: JointId) -> &str {
        &self.joints[id.index()].name
    }

    /// A joint's parent.
    pub fn parent(&self, id: JointId) -> Option<JointId> {
        self.joints[id.index()].parent
    }

    /// The joints without a parent.
    pub fn roots(&self) -> impl Iterator<Item = JointId> + '_ {
        self.ids().filter(|&id| self.parent(id).is_none())
    }

    /// For each joint its children, in order. Built on each call: keep it where it is needed often.
    pub fn children(&self) -> Vec<Vec<JointId>> {
        let mut children = vec![Vec::new(); self.n_joints()];
        for id in self.ids() {
            if let Some(parent) = self.parent(id) {
                children[parent.index()].push(id);
            }
        }
        children
    }

    /// For each joint the indices of its end sites, in order. Built on each call.
    pub fn end_sites_by_joint(&self) -> Vec<Vec<usize>> {
        let mut by_joint = vec![Vec::new(); self.n_joints()];
        for (index, site) in self.end_sites.iter().enumerate() {
            by_joint[site.parent.index()].push(index);
        }
        by_joint
    }

    /// The first joint of that name.
    pub fn find(&self, name: &str) -> Option<JointId> {
        self.joints.iter().position(|joint| joint.name == name).map(JointId::new)
    }

    /// Whether `ancestor` is `joint` itself or is above it.
    pub fn is_at_or_above(&self, ancestor: JointId, joint: JointId) -> bool {
        let mut next = Some(joint);
        while let Some(id) = next {
            if id == ancestor {
                return true;
            }
            next = self.parent(id);
        }
        false
    }

    /// The pose in which nothing moves.
    pub fn rest_pose(&self) -> Pose {
        Pose { local: self.joints.iter().map(|joint| joint.rest).collect() }
    }

    /// World transforms of all joints: the kernel of [`crate::WorldPose`]. Fills `world`, which must be as long as
    /// `local`.
    ///
    /// Parents come before children, so one pass suffices; roots take their local transform as it is. Most joints
    /// follow right after their parents, whose transform is then still in registers: fetching it back from `world`
    /// would wait for the store and cost half of the time.
    #[inline]
    pub fn local_to_world(&self, local: &[Transform], world: &mut [Transform]) {
        let n = self.parents.len();
        assert!(local.len() == n && world.len() == n, "a transform for each of {n} joints");
        let mut latest = Transform::IDENTITY;
        for ((j, &parent), local) in self.parents.iter().enumerate().zip(local) {
            let parent = parent as usize;
            if parent < j {
                let above = if parent + 1 == j { latest } else { world[parent] };
                latest = compose(&above, local);
            } else {
                latest = *local;
            }
            world[j] = latest;
        }
    }
}

/// `outer * inner`, the same product with fewer operations and shorter chains of them: the vector is turned by
/// `v + w t + q x t` with `t = 2 q x v`. No operation is fused, so every machine gives the same bits.
#[inline(always)]
fn compose(outer: &Transform, inner: &Transform) -> Transform {
    let (a, b, v, base) = (outer.rotation, inner.rotation, inner.translation, outer.translation);
    let rotation = Quat::from_xyzw(
        (a.w * b.x + a.x * b.w) + (a.y * b.z - a.z * b.y),
        (a.w * b.y + a.y * b.w) + (a.z * b.x - a.x * b.z),
        (a.w * b.z + a.z * b.w) + (a.x * b.y - a.y * b.x),
        (a.w * b.w - a.x * b.x) - (a.y * b.y + a.z * b.z),
    );
    let t = Vec3::new(2.0 * (a.y * v.z - a.z * v.y), 2.0 * (a.z * v.x - a.x * v.z), 2.0 * (a.x * v.y - a.y * v.x));
    let translation = Vec3::new(
        base.x + ((v.x + a.w * t.x) + (a.y * t.z - a.z * t.y)),
        base.y + ((v.y + a.w * t.y) + (a.z * t.x - a.x * t.z)),
        base.z + ((v.z + a.w * t.z) + (a.x * t.y - a.y * t.x)),
    );
    Transform { rotation, translation }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use surefoot_geom::rotation::exp_map;

    fn any_vector(size: f64) -> impl Strategy<Value = Vec3> {
        (-size..size, -size..size, -size..size).prop_map(|(x, y, z)| Vec3::new(x, y, z))
    }

    fn any_transform() -> impl Strategy<Value = Transform> {
        (any_vector(3.0), any_vector(5.0)).prop_map(|(turn, shift)| Transform::new(exp_map(turn), shift))
    }

    proptest! {
        #[test]
        fn world_transforms_are_products_along_the_tree(
            joints in prop::collection::vec((any_transform(), 0.0..1.0f64, any::<bool>()), 1..40),
        ) {
            // Any tree: a joint follows its parent at once or hangs anywhere above; now and then another root.
            let parent = |j: usize, share: f64, follows: bool| match j {
                0 => None,
                _ if follows => Some(j - 1),
                _ if share < 0.05 => None,
                _ => Some((share * j as f64) as usize),
            };
            let skeleton = Skeleton::new(
                joints
                    .iter()
                    .enumerate()
                    .map(|(j, (_, share, follows))| Joint {
                        name: String::new(),
                        parent: parent(j, *share, *follows).map(JointId::new),
                        rest: Transform::IDENTITY,
                    })
                    .collect(),
                Vec::new(),
            )
            .unwrap();
            let local: Vec<Transform> = joints.iter().map(|(transform, ..)| *transform).collect();
            let mut world = vec![Transform::IDENTITY; local.len()];
            skeleton.local_to_world(&local, &mut world);
            for joint in skeleton.ids() {
                let mut expected = local[joint.index()];
                let mut at = skeleton.parent(joint);
                while let Some(parent) = at {
                    expected = local[parent.index()] * expected;
                    at = skeleton.parent(parent);
                }
                let found = world[joint.index()];
                prop_assert!(found.translation.abs_diff_eq(expected.translation, 1e-11));
                prop_assert!(found.rotation.abs_diff_eq(expected.rotation, 1e-12));
            }
        }
    }
}
