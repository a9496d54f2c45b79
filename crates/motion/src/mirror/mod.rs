//! Left for right: the motion that a mirror would show.
//!
//! The mirror is the plane x = 0, the sagittal plane of a person at the origin who faces +Z; bring a clip there with
//! [`crate::start_at_origin`] to keep its place and heading. The skeleton stays: each joint takes the reflected motion
//! of its partner on the other side, joints on the midline that of their own.
//!
//! 1. [`pairs`]: which joint mirrors which.
//! 2. [`local_mirrors`]: how each joint's axes are mirrored into its partner's, for any rig.
//! 3. In each frame `L'_j = S_p^-1 L_s S_j` for the local rotation, with `s` the partner of `j` and `p` its parent.
//!    Translations keep the joint's own offset and take over what the partner's differs from its own: uneven people
//!    stay as uneven as they are. Roots, and joints below a dummy root that carry the motion in its stead, are
//!    reflected as they are.
//!
//! Mirroring twice changes nothing. On a symmetric skeleton every joint of the mirrored motion is exactly where
//! its partner's reflection does; on an uneven one it is off by the unevenness. A joint that hangs on one side only
//! keeps its local motion.

mod local_mirrors;
mod pairs;

use crate::{BodyMap, Clip, JointId, Pose, PoseRef, Poses, Skeleton};
use local_mirrors::{find_local_mirrors, reflect, reflect_point};
use pairs::find_partners;
use std::sync::Arc;
use surefoot_geom::{Quat, Transform};

/// The mirror of one skeleton, for any number of poses.
#[derive(Clone, Debug)]
pub struct Mirror {
    skeleton: Arc<Skeleton>,
    partners: Vec<Option<JointId>>,
    /// `K` of [`local_mirrors`].
    mirrors: Vec<Quat>,
    /// Whether a joint's translation is motion rather than an offset.
    carries: Vec<bool>,
}

impl Mirror {
    /// Prepares to mirror poses of a skeleton. `poses` are some of its motion, needed where its rest pose is not
    /// symmetric; one mirror serves all clips of a person then.
    pub fn new(skeleton: &Arc<Skeleton>, body: &BodyMap, poses: &Poses) -> Mirror {
        let partners = find_partners(skeleton, body);
        let mirrors = find_local_mirrors(skeleton, body, &partners, poses);
        Mirror { skeleton: skeleton.clone(), partners, mirrors, carries: find_carriers(skeleton) }
    }

    /// The joint whose motion a joint takes: another, itself on the midline, `None` if it keeps its own.
    pub fn partner(&self, joint: JointId) -> Option<JointId> {
        self.partners[joint.index()]
    }

    /// One pose mirrored.
    pub fn mirror_pose(&self, pose: PoseRef<'_>) -> Pose {
        Pose { local: self.skeleton.ids().map(|joint| self.mirror_joint(pose, joint)).collect() }
    }

    fn mirror_joint(&self, pose: PoseRef<'_>, joint: JointId) -> Transform {
        let Some(partner) = self.partners[joint.index()] else { return pose[joint] };
        let parent = self.skeleton.parent(joint);
        let outer = parent.map_or(Quat::IDENTITY, |parent| self.mirrors[parent.index()].conjugate());
        let theirs = pose[partner];
        let rotation = (outer * reflect(theirs.rotation) * self.mirrors[joint.index()]).normalize();
        let translation = if self.carries[joint.index()] {
            outer * reflect_point(theirs.translation)
        } else {
            let rest = |joint: JointId| self.skeleton.joint(joint).rest.translation;
            rest(joint) + outer * reflect_point(theirs.translation - rest(partner))
        };
        Transform::new(rotation, translation)
    }
}

/// The clip mirrored in the plane x = 0.
pub fn mirror(clip: &Clip, body: &BodyMap) -> Clip {
    let mirror = Mirror::new(&clip.skeleton, body, clip.poses());
    let poses = clip.poses().iter().map(|pose| mirror.mirror_pose(pose)).collect();
    Clip::new(clip.name.clone(), clip.skeleton.clone(), clip.frame_rate, poses)
}

/// Roots, and the only children of such.
fn find_carriers(skeleton: &Skeleton) -> Vec<bool> {
    let children = skeleton.children();
    let mut carries = vec![false; skeleton.n_joints()];
    for id in skeleton.ids() {
        carries[id.index()] =
            skeleton.parent(id).is_none_or(|parent| carries[parent.index()] && children[parent.index()].len() == 1);
    }
    carries
}
