//! Skeletons and clips from a seed: any tree, any rest rotations, any motion.

use std::sync::Arc;
use surefoot_geom::{Quat, Transform, Vec3, rotation::exp_map};
use surefoot_motion::{Clip, EndSite, Joint, JointId, Pose, Skeleton};

/// A repeatable stream of numbers in -1..1 (a 64-bit congruential generator).
pub(crate) struct Numbers(u64);

impl Numbers {
    pub(crate) fn new(seed: u64) -> Numbers {
        Numbers(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ 0xD1B5_4A32_D192_ED03)
    }

    pub(crate) fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    pub(crate) fn vector(&mut self) -> Vec3 {
        Vec3::new(self.next(), self.next(), self.next())
    }

    pub(crate) fn rotation(&mut self) -> Quat {
        exp_map(self.vector() * 2.0)
    }
}

/// A tree of `n_joints` with end sites, rotated at rest, in smooth motion with stretching joints.
pub(crate) fn any_clip(seed: u64, n_joints: usize, n_frames: usize) -> Clip {
    let mut numbers = Numbers::new(seed);
    let joints: Vec<Joint> = (0..n_joints)
        .map(|j| {
            let parent =
                j.checked_sub(1).map(|last| JointId::new(((numbers.next() + 1.0) / 2.0 * last as f64) as usize));
            Joint { name: format!("j{j}"), parent, rest: Transform::new(numbers.rotation(), numbers.vector()) }
        })
        .collect();
    let sites = (0..n_joints / 3)
        .map(|i| EndSite { name: None, parent: JointId::new(i * 3), offset: numbers.vector() })
        .collect();
    let skeleton = Skeleton::new(joints, sites).unwrap();
    let speeds: Vec<(Vec3, Vec3)> = (0..n_joints).map(|_| (numbers.vector(), numbers.vector() * 0.2)).collect();
    let poses = (0..n_frames).map(|frame| {
        let time = frame as f64 * 0.07;
        let local = skeleton.joints().iter().zip(&speeds).map(|(joint, (turn, shift))| {
            let rotation = joint.rest.rotation * exp_map(*turn * (time + 0.3).sin());
            Transform::new(rotation, joint.rest.translation + *shift * (time * 1.7).cos())
        });
        Pose { local: local.collect() }
    });
    let poses = poses.collect();
    Clip::new(format!("seed {seed}"), Arc::new(skeleton), 30.0, poses)
}
