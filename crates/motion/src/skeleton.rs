//! A tree of joints in a flat array, parents before children.

use crate::Pose;
use surefoot_geom::{Transform, Vec3};

/// The index of a joint in its skeleton.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct JointId(u32);

impl JointId {
    /// The id of the joint at `index`. Panics past `u32::MAX - 1`, more joints than memory holds.
    pub fn new(index: usize) -> JointId {
        JointId(u32::try_from(index).ok().filter(|&i| i != NO_PARENT).expect("joint index fits u32"))
    }

    /// Where the joint stands in the skeleton's arrays.
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
    /// Parents stand before their children; checked by [`Skeleton::new`].
    joints: Vec<Joint>,
    end_sites: Vec<EndSite>,
    /// The parents again, packed for forward kinematics; [`NO_PARENT`] for roots.
    parents: Vec<u32>,
}

const NO_PARENT: u32 = u32::MAX;

/// Why a list of joints is no skeleton.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum SkeletonError {
    /// A joint's parent does not stand before it.
    #[error("joint {joint} `{name}` stands before its parent, joint {parent}")]
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

    /// The first joint of that name.
    pub fn find(&self, name: &str) -> Option<JointId> {
        self.joints.iter().position(|joint| joint.name == name).map(JointId::new)
    }

    /// Whether `ancestor` is `joint` itself or stands above it.
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

    /// World transforms of all joints: the kernel of [`crate::WorldPose`]. Fills `world`, which must be as long as `local`.
    ///
    /// Parents stand before children, so one pass suffices; roots take their local transform as it is.
    #[inline]
    pub fn local_to_world(&self, local: &[Transform], world: &mut [Transform]) {
        let n = self.parents.len();
        assert!(local.len() == n && world.len() == n, "a transform for each of {n} joints");
        for j in 0..n {
            let parent = self.parents[j] as usize;
            world[j] = if parent < j { world[parent] * local[j] } else { local[j] };
        }
    }
}
