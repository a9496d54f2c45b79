//! The standing person of a skeleton: upright, facing +Z, in any posture of the arms.
//!
//! Most rest poses are one. Where the rest pose is none, the typical pose of the motion stands in: of each joint the
//! rotation, among those of frames spread over the clip, with the smallest sum of angles to all others (the medoid). Unlike
//! a mean it is not pulled by toes that push off or by a single outlier frame. The pelvis's is taken with the heading removed.

use super::find_carrier;
use crate::{BodyMap, JointId, Pose, PoseRef, Poses, Side, Skeleton, WorldPose, spread_frames};
use surefoot_geom::{Quat, Transform, Vec3, direction_heading, rotation};

/// Frames that the typical pose is sought among: a walk of any length repeats itself.
const MAX_FRAMES: usize = 64;
/// Legs and trunk of a standing person are within this cosine of the vertical (37 degrees).
const UPRIGHT: f64 = 0.8;
/// The hips of a standing person are within this sine of level.
const LEVEL: f64 = 0.5;
/// Feet of a standing person point to the front, within this cosine (73 degrees: some stand with their feet turned out).
const FORWARD: f64 = 0.3;

/// Where a standing person comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NeutralFrom {
    /// The rest pose stands.
    RestPose,
    /// The rest pose stands, and there is no motion that would tell more about the feet.
    StillRestPose,
    /// The rest pose is no standing person; the typical pose of the motion is one.
    Motion,
    /// The rest pose is no standing person, and there is no motion: segments point right, but may be twisted.
    UnusualRestPose,
}

impl NeutralFrom {
    /// In words, after "its neutral pose is ".
    pub fn describe(self) -> &'static str {
        match self {
            NeutralFrom::RestPose | NeutralFrom::StillRestPose => "its rest pose",
            NeutralFrom::Motion => "that of its own motion, because its rest pose is no standing person",
            NeutralFrom::UnusualRestPose => {
                "its rest pose, which is no standing person: limbs may be twisted; a file with motion would help"
            }
        }
    }
}

/// A standing person.
#[derive(Clone, Debug)]
pub struct Neutral {
    /// Relative to parents; what joints that nothing moves keep.
    pub pose: Pose,
    /// In a world in which the person faces +Z.
    pub world: WorldPose,
    /// How it is known.
    pub from: NeutralFrom,
}

impl Neutral {
    /// The standing person of a skeleton, from its rest pose or some of its motion.
    pub fn find(skeleton: &Skeleton, body: &BodyMap, poses: &Poses) -> Neutral {
        let rest = skeleton.rest_pose();
        let world = WorldPose::new(skeleton, &rest);
        if stands(&world, body) {
            let from = if poses.is_empty() { NeutralFrom::StillRestPose } else { NeutralFrom::RestPose };
            return Neutral::facing_front(world, body, rest, from);
        }
        match typical_pose(skeleton, body, poses) {
            Some(pose) => {
                let world = WorldPose::new(skeleton, &pose);
                Neutral::facing_front(world, body, pose, NeutralFrom::Motion)
            }
            None => Neutral::facing_front(world, body, rest, NeutralFrom::UnusualRestPose),
        }
    }

    fn facing_front(mut world: WorldPose, body: &BodyMap, pose: Pose, from: NeutralFrom) -> Neutral {
        let heading = direction_heading(body.facing(&world)).unwrap_or(0.0);
        let turn = Transform::from_rotation(Quat::from_rotation_y(-heading));
        for joint in world.world_mut() {
            *joint = turn * *joint;
        }
        Neutral { pose, world, from }
    }
}

/// Whether a pose is a person who stands: legs down, trunk up, hips level, feet to the front, arms on their sides.
fn stands(pose: &WorldPose, body: &BodyMap) -> bool {
    let at = |joint: JointId| pose.position(joint);
    let left = at(body.legs.left.hip) - at(body.legs.right.hip);
    let facing = body.facing(pose);
    let is_up = |offset: Vec3| offset.y >= UPRIGHT * offset.length() && offset.y > 0.0;
    let legs = Side::BOTH.into_iter().all(|side| {
        let leg = &body.legs[side];
        let foot = body.ball(pose, side) - at(leg.ankle);
        is_up(at(leg.hip) - at(leg.knee))
            && is_up(at(leg.knee) - at(leg.ankle))
            && foot.dot(facing) > FORWARD * level(foot)
    });
    let trunk = body.head.or(body.spine.last().copied()).is_none_or(|top| is_up(at(top) - at(body.pelvis)));
    let arms = match (body.arms.left, body.arms.right) {
        (Some(mine), Some(theirs)) => (at(mine.elbow) - at(theirs.elbow)).dot(left) > 0.0,
        _ => true,
    };
    legs && trunk && arms && left.y.abs() < LEVEL * left.length()
}

fn level(offset: Vec3) -> f64 {
    offset.x.hypot(offset.z)
}

/// The typical pose of a motion; `None` where no frame has a facing.
fn typical_pose(skeleton: &Skeleton, body: &BodyMap, poses: &Poses) -> Option<Pose> {
    let carrier = find_carrier(skeleton, body);
    let frames: Vec<PoseRef<'_>> = spread_frames(poses.len(), MAX_FRAMES).map(|frame| poses.pose(frame)).collect();
    let mut upright = Vec::with_capacity(frames.len());
    for &pose in &frames {
        let world = WorldPose::new(skeleton, pose);
        if let Some(heading) = direction_heading(body.facing(&world)) {
            upright.push(Quat::from_rotation_y(-heading) * world[carrier].rotation);
        }
    }
    let attitude = medoid(&upright)?;
    let mut typical = skeleton.rest_pose();
    for joint in skeleton.ids().filter(|&joint| !skeleton.is_at_or_above(joint, carrier)) {
        let rotations: Vec<Quat> = frames.iter().map(|pose| pose[joint].rotation).collect();
        typical[joint].rotation = medoid(&rotations).unwrap_or(typical[joint].rotation);
    }
    let above = |parent| WorldPose::new(skeleton, &typical)[parent].rotation;
    let above = skeleton.parent(carrier).map_or(Quat::IDENTITY, above);
    typical[carrier].rotation = (above.conjugate() * attitude).normalize();
    Some(typical)
}

/// The rotation with the smallest sum of angles to all others.
fn medoid(rotations: &[Quat]) -> Option<Quat> {
    let cost = |&a: &Quat| rotations.iter().map(|&b| rotation::angle_between(a, b)).sum::<f64>();
    let costs: Vec<f64> = rotations.iter().map(cost).collect();
    let best = (0..costs.len()).min_by(|&a, &b| costs[a].total_cmp(&costs[b]))?;
    Some(rotations[best]).filter(|rotation| rotation.is_finite())
}
