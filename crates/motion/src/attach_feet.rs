//! Hangs feet below the legs that they follow, in rigs that keep them apart.
//!
//! Animators drive legs by inverse kinematics: the foot is a joint of its own below the root, and a solver in their program bends
//! the leg toward it. An exported file has lost the solver, and its legs end where the feet happen to be. Such a foot is known by
//! its place alone: the end of the shin stands where the foot joint stands, in nearly every frame, though neither hangs on the
//! other.
//!
//! 1. For each end site whose joint has no child, find the joint elsewhere in the tree that stands nearest to it in the median
//!    frame; near enough, it is that leg's foot.
//! 2. Hang each such joint, with all below it, under the joint of the end site, which is no longer needed.
//! 3. Re-express its transforms relative to the new parent, frame by frame, so that nothing moves in the world.
//!
//! Limits: only pairs are hung (a sword in a hand is one), and where the solver could not reach, the leg seems to stretch.

use crate::{EndSite, Joint, JointId, Pose, PoseRef, Poses, Skeleton, WorldPose, spread_frames};
use surefoot_geom::{Transform, median};

/// A foot stands this near to the end of its shin in the median frame, as a share of the shin's length.
const NEAR: f64 = 0.02;
/// Frames that are looked at.
const MAX_FRAMES: usize = 32;

/// A skeleton whose feet hang below its legs.
#[derive(Clone, Debug, PartialEq)]
pub struct AttachedFeet {
    /// The same joints in another order, parents first.
    pub skeleton: Skeleton,
    /// The same motion.
    pub poses: Poses,
    /// The joints that were hung elsewhere.
    pub feet: [JointId; 2],
}

/// Hangs a pair of feet below the legs that they follow; `None` if there is no such pair.
pub fn attach_feet(skeleton: &Skeleton, poses: &Poses) -> Option<AttachedFeet> {
    let matches = find_matches(skeleton, poses);
    let [first, second] = <[Match; 2]>::try_from(matches).ok()?;
    let distinct = first.foot != second.foot && first.shin != second.shin;
    let apart = !skeleton.is_at_or_above(first.foot, second.foot) && !skeleton.is_at_or_above(second.foot, first.foot);
    // A shin that hangs on the other foot is none: both would hang on each other, and on nothing else.
    let crossed = skeleton.is_at_or_above(first.foot, second.shin) || skeleton.is_at_or_above(second.foot, first.shin);
    if !distinct || !apart || crossed {
        return None;
    }
    Some(rehang(skeleton, poses, [first, second]))
}

/// A foot joint that stands where an end site does.
#[derive(Clone, Copy)]
struct Match {
    foot: JointId,
    shin: JointId,
    end_site: usize,
}

fn find_matches(skeleton: &Skeleton, poses: &Poses) -> Vec<Match> {
    let frames: Vec<WorldPose> = if poses.is_empty() {
        vec![WorldPose::new(skeleton, &skeleton.rest_pose())]
    } else {
        spread_frames(poses.len(), MAX_FRAMES).map(|frame| WorldPose::new(skeleton, poses.pose(frame))).collect()
    };
    let children = skeleton.children();
    let leaves = skeleton.end_sites().iter().enumerate().filter(|(_, site)| children[site.parent.index()].is_empty());
    leaves
        .filter_map(|(end_site, site)| {
            let shin = site.parent;
            let distance = |joint: JointId| {
                let distances =
                    frames.iter().map(|pose| pose[shin].transform_point(site.offset).distance(pose.position(joint)));
                median(&mut distances.collect::<Vec<f64>>()).unwrap_or(f64::INFINITY)
            };
            // Nothing of the leg itself, and nothing that the leg hangs on.
            let elsewhere = |joint: &JointId| !skeleton.is_at_or_above(*joint, shin);
            let nearest = skeleton
                .ids()
                .filter(elsewhere)
                .map(|joint| (joint, distance(joint)))
                .min_by(|a, b| a.1.total_cmp(&b.1))?;
            (nearest.1 < NEAR * site.offset.length()).then_some(Match { foot: nearest.0, shin, end_site })
        })
        .collect()
}

fn rehang(skeleton: &Skeleton, poses: &Poses, matches: [Match; 2]) -> AttachedFeet {
    let new_parent = |joint: JointId| {
        let hung = matches.iter().find(|m| m.foot == joint).map(|m| m.shin);
        hung.or(skeleton.parent(joint))
    };
    let order = parents_first(skeleton, new_parent);
    let mut new_id = vec![JointId::new(0); order.len()];
    for (index, joint) in order.iter().enumerate() {
        new_id[joint.index()] = JointId::new(index);
    }
    let moved = |pose: PoseRef<'_>| {
        let world = WorldPose::new(skeleton, pose);
        let local = order.iter().map(|&joint| match matches.iter().find(|m| m.foot == joint) {
            Some(m) => world[m.shin].inverse() * world[joint],
            None => pose[joint],
        });
        Pose { local: local.collect::<Vec<Transform>>() }
    };
    let rest = moved(skeleton.rest_pose().view());
    let joints = order.iter().zip(&rest.local).map(|(&joint, &rest)| Joint {
        name: skeleton.name(joint).to_string(),
        parent: new_parent(joint).map(|parent| new_id[parent.index()]),
        rest,
    });
    let kept = skeleton.end_sites().iter().enumerate().filter(|(i, _)| matches.iter().all(|m| m.end_site != *i));
    let end_sites = kept.map(|(_, site)| EndSite { parent: new_id[site.parent.index()], ..site.clone() });
    let skeleton =
        Skeleton::new(joints.collect(), end_sites.collect()).expect("a walk from the roots puts parents first");
    AttachedFeet { skeleton, poses: poses.iter().map(moved).collect(), feet: matches.map(|m| new_id[m.foot.index()]) }
}

/// All joints, each after its new parent and otherwise in the old order.
fn parents_first(skeleton: &Skeleton, new_parent: impl Fn(JointId) -> Option<JointId>) -> Vec<JointId> {
    let mut children = vec![Vec::new(); skeleton.n_joints()];
    let mut stack = Vec::new();
    for joint in skeleton.ids().rev() {
        match new_parent(joint) {
            Some(parent) => children[parent.index()].push(joint),
            None => stack.push(joint),
        }
    }
    let mut order = Vec::with_capacity(skeleton.n_joints());
    while let Some(joint) = stack.pop() {
        order.push(joint);
        // Gathered in reverse, so the first child is popped first.
        stack.extend(&children[joint.index()]);
    }
    order
}

#[cfg(test)]
mod tests {
    use super::*;
    use surefoot_geom::{Quat, Vec3};

    /// Pelvis and two legs below a root, feet below the root as well; the feet follow the shins' ends.
    fn rig(n_frames: usize) -> (Skeleton, Poses) {
        let joint = |name: &str, parent: Option<usize>, offset: Vec3| Joint {
            name: name.into(),
            parent: parent.map(JointId::new),
            rest: Transform::from_translation(offset),
        };
        let joints = vec![
            joint("root", None, Vec3::ZERO),
            joint("foot.L", Some(0), Vec3::new(0.1, 0.1, 0.0)),
            joint("pelvis", Some(0), Vec3::Y),
            joint("thigh.L", Some(2), Vec3::X * 0.1),
            joint("shin.L", Some(3), Vec3::NEG_Y * 0.45),
            joint("thigh.R", Some(2), Vec3::NEG_X * 0.1),
            joint("shin.R", Some(5), Vec3::NEG_Y * 0.45),
            joint("foot.R", Some(0), Vec3::new(-0.1, 0.1, 0.0)),
            joint("toe.R", Some(7), Vec3::Z * 0.15),
        ];
        let site = |parent: usize, offset: Vec3| EndSite { name: None, parent: JointId::new(parent), offset };
        let sites = vec![site(4, Vec3::NEG_Y * 0.45), site(6, Vec3::NEG_Y * 0.45), site(1, Vec3::Z * 0.2)];
        let skeleton = Skeleton::new(joints, sites).unwrap();
        let poses = (0..n_frames).map(|frame| {
            let mut pose = skeleton.rest_pose();
            let swing = (frame as f64 * 0.3).sin() * 0.6;
            pose.local[3].rotation = Quat::from_rotation_x(swing);
            pose.local[5].rotation = Quat::from_rotation_x(-swing);
            pose.local[4].rotation = Quat::from_rotation_x(0.3);
            let world = WorldPose::new(&skeleton, &pose);
            for (foot, shin) in [(1, 4), (7, 6)] {
                pose.local[foot].translation = world.world()[shin].transform_point(Vec3::NEG_Y * 0.45);
                pose.local[foot].rotation = Quat::from_rotation_x(swing * 0.2);
            }
            pose
        });
        let poses = poses.collect();
        (skeleton, poses)
    }

    #[test]
    fn feet_hang_below_their_shins_and_nothing_moves() {
        let (skeleton, poses) = rig(40);
        let attached = attach_feet(&skeleton, &poses).unwrap();
        let new = &attached.skeleton;
        assert_eq!((new.n_joints(), new.end_sites().len()), (9, 1));
        for (foot, shin) in [("foot.L", "shin.L"), ("foot.R", "shin.R"), ("toe.R", "foot.R")] {
            let foot = new.find(foot).unwrap();
            assert_eq!(new.parent(foot).map(|parent| new.name(parent)), Some(shin));
        }
        for (before, after) in poses.iter().zip(&attached.poses) {
            let (before, after) = (WorldPose::new(&skeleton, before), WorldPose::new(new, after));
            for joint in skeleton.ids() {
                let same = new.find(skeleton.name(joint)).unwrap();
                assert!(before.position(joint).distance(after.position(same)) < 1e-12);
                assert!(before[joint].rotation.angle_between(after[same].rotation) < 1e-6);
            }
        }
    }

    #[test]
    fn chains_that_end_at_each_others_joints_are_no_feet() {
        let joint = |parent: Option<usize>, x: f64, y: f64| Joint {
            name: String::new(),
            parent: parent.map(JointId::new),
            rest: Transform::from_translation(Vec3::new(x, y, 0.0)),
        };
        let joints =
            [(None, 0.0, 1.0), (Some(0), 1.0, 0.0), (Some(1), 0.0, -1.0), (Some(0), -1.0, 0.0), (Some(3), 0.0, -1.0)];
        let joints = joints.map(|(parent, x, y)| joint(parent, x, y));
        let site = |parent: usize, x: f64| EndSite {
            name: None,
            parent: JointId::new(parent),
            offset: Vec3::new(x, 1.0, 0.0),
        };
        let skeleton = Skeleton::new(joints.to_vec(), vec![site(2, -2.0), site(4, 2.0)]).unwrap();
        assert_eq!(find_matches(&skeleton, &Poses::default()).len(), 2);
        assert_eq!(attach_feet(&skeleton, &Poses::default()), None);
    }

    #[test]
    fn feet_that_do_not_follow_are_left_alone() {
        let (skeleton, mut poses) = rig(40);
        for (frame, pose) in poses.iter_mut().enumerate() {
            pose.local[1].translation.x += 0.01 * frame as f64;
        }
        assert_eq!(attach_feet(&skeleton, &poses), None);
        assert_eq!(attach_feet(&Skeleton::new(vec![], vec![]).unwrap(), &Poses::default()), None);
    }
}
