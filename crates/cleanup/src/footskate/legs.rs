//! The lower body as the phases see it: which joints take part, where they are in a frame, and how changes get back into a
//! pose.

use super::FrameMarks;
use std::ops::{Add, Mul, Sub};
use surefoot_geom::{Quat, Transform, Vec3};
use surefoot_motion::{BodyMap, JointId, Leg, PerSide, PoseMut, PoseRef, Side, Skeleton};

/// The joints that cleanup reads and changes; all others are copied.
#[derive(Clone, Debug)]
pub(super) struct LowerBody {
    /// All ancestors of both feet, parents first, and the balls.
    joints: Vec<ReadJoint>,
    /// Index into `joints`.
    pelvis: usize,
    pub(super) legs: PerSide<LegJoints>,
}

#[derive(Clone, Copy, Debug)]
struct ReadJoint {
    id: JointId,
    /// Index into the list itself.
    parent: Option<usize>,
    /// The leg that it is part of; `None` from the root to where the legs part.
    leg: Option<Side>,
}

/// One leg's joints, as indices into the list, and its constants.
#[derive(Clone, Debug)]
pub(super) struct LegJoints {
    hip: usize,
    knee: usize,
    ankle: usize,
    ball: Option<usize>,
    /// The joints whose offsets make up thigh and shin: after the hip, up to the ankle.
    stretched: Vec<JointId>,
    hip_id: JointId,
    knee_id: JointId,
    ankle_id: JointId,
    ball_id: Option<JointId>,
    /// The heel in the ankle's space.
    pub(super) heel: Vec3,
    /// The ball in the ankle's space, for a foot without a joint there.
    invented_ball: Vec3,
    /// The tip of the toes in the ball's space, if toes can be bent.
    pub(super) toe: Option<Vec3>,
    /// Unit vector in the ankle's space that points up when the foot is flat on the ground.
    pub(super) sole_normal: Vec3,
    /// Axis that the knee bends about, in the hip joint's space; a turn about it flexes the knee.
    pub(super) knee_axis: Vec3,
}

/// Where one leg is in a frame, in the world.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct LegPose {
    /// Rotation of the hip's parent.
    pub(super) hip_parent: Quat,
    pub(super) hip: Transform,
    /// Rotation of the knee's parent.
    pub(super) knee_parent: Quat,
    pub(super) knee: Transform,
    /// Rotation of the ankle's parent.
    pub(super) ankle_parent: Quat,
    pub(super) ankle: Transform,
    /// The ball in the ankle's space.
    pub(super) ball_offset: Vec3,
}

impl LegPose {
    /// The same leg after the body has been moved.
    pub(super) fn moved(&self, by: Vec3) -> LegPose {
        let moved = |joint: Transform| Transform::new(joint.rotation, joint.translation + by);
        LegPose { hip: moved(self.hip), knee: moved(self.knee), ankle: moved(self.ankle), ..*self }
    }

    pub(super) fn ball(&self) -> Vec3 {
        self.ankle.transform_point(self.ball_offset)
    }
}

/// What cleanup changes about one leg: a vector, so that it can be blended off.
///
/// It is given in terms of the leg as a whole, not of its joints' spaces. Recordings turn a straight leg about its own length by any
/// angle within a frame, which nobody sees; the axis of its knee turns along, and a change of the knee given in the hip's space would
/// throw the foot aside.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct LegChange {
    /// The turn of the line from hip to ankle, a rotation vector in the world.
    pub swing: Vec3,
    /// The turn of the leg about that line, in radians.
    pub roll: f64,
    /// The turn of the knee, positive to extend, in radians.
    pub knee: f64,
    /// The turn of the foot, a rotation vector in the world.
    pub foot: Vec3,
    /// How much longer thigh and shin become, as a share: 0.01 is a hundredth.
    pub stretch: f64,
}

/// What a leg's joints are turned by, each in the space of its parent, to be applied before the joint's own rotation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct JointTurns {
    pub(super) hip: Quat,
    pub(super) knee: Quat,
    pub(super) ankle: Quat,
    pub(super) stretch: f64,
}

impl LegChange {
    fn zip(self, other: LegChange, of: impl Fn(Vec3, Vec3) -> Vec3, of_scalar: impl Fn(f64, f64) -> f64) -> LegChange {
        LegChange {
            swing: of(self.swing, other.swing),
            roll: of_scalar(self.roll, other.roll),
            knee: of_scalar(self.knee, other.knee),
            foot: of(self.foot, other.foot),
            stretch: of_scalar(self.stretch, other.stretch),
        }
    }
}

impl Add for LegChange {
    type Output = LegChange;

    fn add(self, other: LegChange) -> LegChange {
        self.zip(other, |a, b| a + b, |a, b| a + b)
    }
}

impl Sub for LegChange {
    type Output = LegChange;

    fn sub(self, other: LegChange) -> LegChange {
        self.zip(other, |a, b| a - b, |a, b| a - b)
    }
}

impl Mul<f64> for LegChange {
    type Output = LegChange;

    fn mul(self, by: f64) -> LegChange {
        self.zip(self, |a, _| a * by, |a, _| a * by)
    }
}

/// What is known of a frame before anything is changed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct SourceFrame {
    pub(super) root: Vec3,
    pub(super) legs: PerSide<LegPose>,
    /// The toes' tips in the space of the ankles.
    pub(super) toes: PerSide<Option<Vec3>>,
    pub(super) marks: FrameMarks,
}

impl LowerBody {
    /// The lower body of a map, with the axes that its knees bend about, each in the space of its hip.
    pub(super) fn new(skeleton: &Skeleton, body: &BodyMap, knee_axes: &PerSide<Vec3>) -> LowerBody {
        let is_read = |id: JointId| {
            body.legs.iter().any(|(_, leg)| skeleton.is_at_or_above(id, leg.ball.unwrap_or(leg.ankle)))
                || skeleton.is_at_or_above(id, body.pelvis)
        };
        let ids: Vec<JointId> = skeleton.ids().filter(|&id| is_read(id)).collect();
        let index = |id: JointId| ids.iter().position(|&read| read == id).expect("an ancestor of a foot");
        let leg = |id: JointId| {
            let end = |side: Side| body.legs[side].ball.unwrap_or(body.legs[side].ankle);
            let is_in = |side: Side| skeleton.is_at_or_above(id, end(side));
            match (is_in(Side::Left), is_in(Side::Right)) {
                (true, false) => Some(Side::Left),
                (false, true) => Some(Side::Right),
                _ => None,
            }
        };
        let joint = |&id: &JointId| ReadJoint { id, parent: skeleton.parent(id).map(index), leg: leg(id) };
        let joints = ids.iter().map(joint).collect();
        let legs = PerSide::from_fn(|side| leg_joints(skeleton, &body.legs[side], knee_axes[side], &index));
        LowerBody { joints, pelvis: index(body.pelvis), legs }
    }

    /// How many joints are read.
    pub(super) fn n_joints(&self) -> usize {
        self.joints.len()
    }

    /// The joints that are read, parents first, each with the leg that it is part of; `None` for those that both share.
    pub(super) fn joint_ids(&self) -> impl Iterator<Item = (JointId, Option<Side>)> + '_ {
        self.joints.iter().map(|joint| (joint.id, joint.leg))
    }

    /// Forward kinematics of the lower body; `world` is as long as [`Self::n_joints`].
    pub(super) fn read(&self, pose: PoseRef<'_>, marks: FrameMarks, world: &mut [Transform]) -> SourceFrame {
        for (i, joint) in self.joints.iter().enumerate() {
            let local = pose[joint.id];
            world[i] = match joint.parent {
                Some(parent) => world[parent] * local,
                None => local,
            };
        }
        let legs = PerSide::from_fn(|side| self.leg_pose(&self.legs[side], world));
        let toes = PerSide::from_fn(|side| {
            let leg = &self.legs[side];
            Some(pose[leg.ball_id?].transform_point(leg.toe?))
        });
        SourceFrame { root: world[self.pelvis].translation, legs, toes, marks }
    }

    fn leg_pose(&self, leg: &LegJoints, world: &[Transform]) -> LegPose {
        let above = |joint: usize| self.joints[joint].parent.map_or(Quat::IDENTITY, |parent| world[parent].rotation);
        let ankle = world[leg.ankle];
        LegPose {
            hip_parent: above(leg.hip),
            hip: world[leg.hip],
            knee_parent: above(leg.knee),
            knee: world[leg.knee],
            ankle_parent: above(leg.ankle),
            ankle,
            ball_offset: match leg.ball {
                Some(ball) => ankle.rotation.conjugate() * (world[ball].translation - ankle.translation),
                None => leg.invented_ball,
            },
        }
    }

    /// Moves the root of a pose by a vector in the world.
    pub(super) fn move_root(&self, pose: &mut PoseMut<'_>, by: Vec3) {
        let pelvis = self.joints[self.pelvis];
        let mut above = pelvis.parent;
        let mut by = by;
        // From the world down to the pelvis's parent: the product of all rotations above, undone.
        let mut rotation = Quat::IDENTITY;
        while let Some(joint) = above {
            rotation = pose[self.joints[joint].id].rotation * rotation;
            above = self.joints[joint].parent;
        }
        by = rotation.conjugate() * by;
        pose[pelvis.id].translation += by;
    }

    /// Turns the joints of a leg of a pose.
    pub(super) fn turn_joints(&self, pose: &mut PoseMut<'_>, side: Side, turns: &JointTurns) {
        let leg = &self.legs[side];
        for (joint, turn) in [(leg.hip_id, turns.hip), (leg.knee_id, turns.knee), (leg.ankle_id, turns.ankle)] {
            let local = &mut pose[joint].rotation;
            *local = (turn * *local).normalize();
        }
        for &joint in &leg.stretched {
            pose[joint].translation *= 1.0 + turns.stretch;
        }
    }

    /// Turns the toes of a pose by a rotation in the ankle's space.
    pub(super) fn turn_toes(&self, pose: &mut PoseMut<'_>, side: Side, turn: Quat) {
        if let Some(ball) = self.legs[side].ball_id {
            let local = &mut pose[ball].rotation;
            *local = (turn * *local).normalize();
        }
    }
}

fn leg_joints(skeleton: &Skeleton, leg: &Leg, knee_axis: Vec3, index: &impl Fn(JointId) -> usize) -> LegJoints {
    let mut stretched = Vec::new();
    let mut joint = leg.ankle;
    while joint != leg.hip {
        stretched.push(joint);
        let Some(parent) = skeleton.parent(joint) else { break };
        joint = parent;
    }
    let toe = leg.toe.and_then(|toe| toe_offset(skeleton, leg, toe));
    LegJoints {
        hip: index(leg.hip),
        knee: index(leg.knee),
        ankle: index(leg.ankle),
        ball: leg.ball.map(index),
        stretched,
        hip_id: leg.hip,
        knee_id: leg.knee,
        ankle_id: leg.ankle,
        ball_id: leg.ball.filter(|&ball| skeleton.parent(ball) == Some(leg.ankle)),
        heel: leg.foot.heel,
        invented_ball: leg.foot.ball,
        toe,
        sole_normal: leg.foot.up,
        knee_axis,
    }
}

/// The toes' tip in the ball's space, if it hangs on the ball and off it.
fn toe_offset(skeleton: &Skeleton, leg: &Leg, toe: surefoot_motion::BodyPoint) -> Option<Vec3> {
    let offset = match toe {
        surefoot_motion::BodyPoint::EndSite(site) => {
            let site = &skeleton.end_sites()[site];
            (Some(site.parent) == leg.ball).then_some(site.offset)
        }
        surefoot_motion::BodyPoint::Joint(joint) => {
            (skeleton.parent(joint) == leg.ball).then(|| skeleton.rest_pose()[joint].translation)
        }
    };
    offset.filter(|offset| offset.length() > MIN_TOES)
}

/// Shorter toes are a writer's stub, and have no direction.
const MIN_TOES: f64 = 0.01;
