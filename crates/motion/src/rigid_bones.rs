//! A motion whose bones keep their lengths, for rigs that drop translations (every humanoid rig of an engine does).
//!
//! Joints above the pelvis, and the pelvis, travel; every joint below it keeps the place in its parent's space that it has at
//! rest, or the one it has throughout the clip. Rotations stay as they are, so what a stretched leg had reached is missed by as
//! much as it was stretched: the farthest such distance is returned.

use crate::{BodyMap, Clip, JointId};
use surefoot_geom::Vec3;

/// Translations this close to each other are one, in metres.
const SAME: f64 = 1e-6;

/// A motion with rigid bones.
#[derive(Clone, Debug)]
pub struct RigidClip {
    /// The motion.
    pub clip: Clip,
    /// The farthest that a joint moved, if a bone had to be changed.
    pub farthest: Option<MovedJoint>,
}

/// A joint that is elsewhere than it was.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MovedJoint {
    /// Which.
    pub joint: JointId,
    /// When.
    pub frame: usize,
    /// How far, in metres.
    pub distance: f64,
}

/// Makes the bones below the pelvis rigid. A clip without such a stretch comes back as it is.
pub fn rigid_bones(clip: &Clip, body: &BodyMap) -> RigidClip {
    let skeleton = &clip.skeleton;
    let stretched: Vec<(JointId, Vec3)> = skeleton
        .ids()
        .filter(|&joint| !skeleton.is_at_or_above(joint, body.pelvis) && skeleton.parent(joint).is_some())
        .filter_map(|joint| {
            let first = clip.poses().first()?[joint].translation;
            let is_still = clip.poses().iter().all(|pose| pose[joint].translation.distance(first) <= SAME);
            (!is_still).then_some((joint, skeleton.joint(joint).rest.translation))
        })
        .collect();
    if stretched.is_empty() {
        return RigidClip { clip: clip.clone(), farthest: None };
    }
    let mut rigid = clip.clone();
    for mut pose in rigid.poses_mut() {
        stretched.iter().for_each(|&(joint, place)| pose[joint].translation = place);
    }
    let mut farthest: Option<MovedJoint> = None;
    for (frame, (before, after)) in clip.world().iter().zip(rigid.world().iter()).enumerate() {
        for joint in skeleton.ids() {
            let distance = before.position(joint).distance(after.position(joint));
            if farthest.is_none_or(|most| distance > most.distance) {
                farthest = Some(MovedJoint { joint, frame, distance });
            }
        }
    }
    RigidClip { clip: rigid, farthest }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{PersonOptions, person};
    use crate::{Poses, Side};
    use std::sync::Arc;

    #[test]
    fn a_stretched_shin_gets_its_length_back_and_the_foot_is_off_by_as_much() {
        let (skeleton, body) = person(&PersonOptions::default()).expect("a person");
        let poses = Poses::repeat(&skeleton.rest_pose(), 10);
        let mut clip = Clip::new("still", Arc::new(skeleton), 30.0, poses);
        assert!(rigid_bones(&clip, &body).farthest.is_none());
        let ankle = body.legs[Side::Left].ankle;
        clip.pose_mut(4)[ankle].translation *= 1.05;
        clip.pose_mut(4)[body.pelvis].translation += Vec3::new(1.0, 0.0, 3.0);
        let shin = clip.skeleton.joint(ankle).rest.translation.length();
        let rigid = rigid_bones(&clip, &body);
        let moved = rigid.farthest.expect("changed");
        assert_eq!(
            (moved.frame, rigid.clip.pose(4)[ankle].translation),
            (4, clip.skeleton.joint(ankle).rest.translation)
        );
        assert!((moved.distance - 0.05 * shin).abs() < 1e-12);
        assert_eq!(rigid.clip.pose(4)[body.pelvis], clip.pose(4)[body.pelvis]);
    }
}
