//! Skeletons and clips from a seed: any tree, any rest rotations, any motion.

use std::sync::Arc;
use surefoot_geom::{Quat, Random, Transform, Vec3, rotation::exp_map};
use surefoot_motion::{Clip, EndSite, Joint, JointId, Pose, Skeleton};

/// Any rotation up to some turns.
pub(crate) fn random_rotation(random: &mut Random) -> Quat {
    exp_map(random.in_cube() * 2.0)
}

/// A tree of `n_joints` with end sites, rotated at rest, in smooth motion with stretching joints.
pub(crate) fn any_clip(seed: u64, n_joints: usize, n_frames: usize) -> Clip {
    let mut random = Random::new(seed);
    let joints: Vec<Joint> = (0..n_joints)
        .map(|j| {
            let parent = j.checked_sub(1).map(|last| JointId::new((random.unit() * last as f64) as usize));
            Joint {
                name: format!("j{j}"),
                parent,
                rest: Transform::new(random_rotation(&mut random), random.in_cube()),
            }
        })
        .collect();
    let sites = (0..n_joints / 3)
        .map(|i| EndSite { name: None, parent: JointId::new(i * 3), offset: random.in_cube() })
        .collect();
    let skeleton = Skeleton::new(joints, sites).unwrap();
    let speeds: Vec<(Vec3, Vec3)> = (0..n_joints).map(|_| (random.in_cube(), random.in_cube() * 0.2)).collect();
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
