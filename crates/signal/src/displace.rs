//! Displacement mapping: a few key poses change a complete motion smoothly.
//!
//! Reference: SIGNAL 5.4, figure 5.13: "the animator just changes the pose of an articulated figure at a few
//! keyframes. A spline curve is then fitted through these displacements for each degree of freedom involved, and added
//! to the original movement".
//!
//! 1. [`DisplaceKey`]s say what shall be different at a frame: a complete pose, the turn or the move of a joint, the
//!    place of a hand or foot, or that nothing shall be ([`KeyChange`]).
//! 2. Each becomes displacements of joints: a rotation vector `v` with `q' = q exp(v)`, and a difference of
//!    translations. Hands and feet come last, on the body as all other keys have left it ([`crate::Limb`]).
//! 3. An interpolating spline through the displacements of each degree of freedom, with the keys' own tension,
//!    continuity and bias ([`crate::Spline`]).
//! 4. The displacements are added. At a key the pose is exactly the wanted one; frames without displacement keep all
//!    of their bits.
//!
//! Poses are displaced and not channels of [`crate::Curves`], for few joints are touched. The result is a clip that can be
//! displaced again.
//!
//! # How far a key reaches
//!
//! The paper's first and last frames are always displacement points, of nothing, if no key is there. Here too. But
//! then a single key bends all of a long clip: a hand lifted for a moment would rise through the whole of it, and a
//! root lifted at one frame would float for a minute. Animators place keys where something shall happen and expect the
//! rest to stay. So the displacement of a joint fades in during [`DisplaceOptions::fade`], one second, before its
//! first key, and out after its last; between two keys it goes from one to the other, however far they are apart.
//! `fade: None` is the paper's method. A key with an extent of its own ([`DisplaceKey::extent`]) is local on both sides.
//!
//! ```text
//!   displacement        o-------o
//!                     /           \            o key      * nothing, put there
//!                    /             \
//!   *---------------*               *---------*
//!   first frame     <-fade->        <-fade->  last frame
//! ```
//!
//! Limits: between keys joints move on their own, so that a hand that is at its place at two keys need not be there
//! between them, and feet slide; `--keep-plants` is for these.

use crate::displace_error::DisplaceError;
use crate::displacements::{Displacement, Displacements};
use crate::joint_angles::JointAxes;
use crate::reach_key::{Limb, LimbJoints, hinge_axis, solve_limb, turned_limb};
use crate::selection::Selection;
use crate::spline::Tcb;
use surefoot_geom::{Quat, Vec3, rotation};
use surefoot_motion::{BodyMap, Clip, JointId, Pose, PoseRef, Skeleton, WorldPose};

/// What shall be different at a frame.
#[derive(Clone, Debug, PartialEq)]
pub struct DisplaceKey {
    /// Which frame of the clip, counted from 0.
    pub frame: usize,
    /// What.
    pub change: KeyChange,
    /// Tension, continuity and bias of the displacement at the key. Default (`None`): smoothly, and no farther than
    /// the keys ([`crate::Slope::Auto`]).
    pub tcb: Option<Tcb>,
    /// How long before and after the key its displacement fades, in seconds; another key of the same joint within that
    /// time takes its place. Default (`None`): towards the neighbouring keys, and [`DisplaceOptions::fade`] before the
    /// first and after the last.
    pub extent: Option<KeyExtent>,
}

impl DisplaceKey {
    /// A change without options for its curve.
    pub fn new(frame: usize, change: KeyChange) -> DisplaceKey {
        DisplaceKey { frame, change, tcb: None, extent: None }
    }
}

/// How long a key's displacement takes to come and go, in seconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct KeyExtent {
    /// Before the key.
    pub before: f64,
    /// After the key.
    pub after: f64,
}

/// A change of a pose.
#[derive(Clone, Debug, PartialEq)]
pub enum KeyChange {
    /// The complete pose, or some joints of it: rotations and translations become exactly these.
    Pose {
        /// The wanted pose.
        pose: Pose,
        /// Which joints; `None` for all.
        joints: Option<Selection>,
    },
    /// A joint is turned.
    Turn {
        /// Which.
        joint: JointId,
        /// Axis times angle in radians; more than a turn is more than a turn.
        turn: Vec3,
        /// Whose axes: those of the motion at this frame.
        axes: TurnAxes,
    },
    /// A joint is moved, with all that hangs on it: a root that is lifted, an arm that is stretched.
    Move {
        /// Which.
        joint: JointId,
        /// In metres.
        by: Vec3,
        /// Whose axes: those of the motion at this frame.
        axes: MoveAxes,
    },
    /// A hand or foot is put somewhere, by its limb alone.
    Reach {
        /// Which.
        limb: Limb,
        /// Where.
        goal: ReachGoal,
        /// What the hand or foot itself does.
        end: EndTurn,
    },
    /// Nothing is displaced here: joints are as in the motion.
    Hold {
        /// Which joints.
        joints: Selection,
    },
}

/// The axes of a turn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TurnAxes {
    /// The joint's own.
    #[default]
    Own,
    /// Those of the joint above.
    Parent,
    /// X to the left of someone who faces +Z, Y up.
    World,
}

/// The axes of a move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MoveAxes {
    /// Those of the joint above.
    Parent,
    /// The world's.
    #[default]
    World,
}

/// Where a hand or foot shall be: of a hand its wrist, of a foot its ball.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ReachGoal {
    /// At a place in the world, in metres.
    At(Vec3),
    /// This far from where it is in the motion, in metres along the world's axes. With zero it stays where it was,
    /// whatever the rest of the body does.
    By(Vec3),
}

/// What a hand or foot does when its limb reaches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EndTurn {
    /// It keeps its attitude in the world, as in the motion: right for a foot that is planted. A foot's goal is its ball
    /// then.
    Kept,
    /// It turns with the limb: right for most hands. A foot's goal is its ankle then.
    WithLimb,
}

/// How keys become a displacement.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DisplaceOptions {
    /// How long displacements fade before the first and after the last key of a joint, in seconds. Default 1: people
    /// take about that long to reach for something. `None`: to the first and the last frame, as in the paper.
    pub fade: Option<f64>,
    /// How displacements go from key to key. Default: local.
    pub flow: KeyFlow,
}

impl Default for DisplaceOptions {
    fn default() -> DisplaceOptions {
        DisplaceOptions { fade: Some(1.0), flow: KeyFlow::Local }
    }
}

/// How displacements go from key to key.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum KeyFlow {
    /// Each key changes the curve as far as its neighbours' neighbours; speed is continuous.
    #[default]
    Local,
    /// Acceleration is continuous too. Tension, continuity and bias count for nothing, every key changes the whole
    /// curve, and displacements go beyond those of the keys.
    Smooth,
}

/// A displaced clip.
#[derive(Clone, Debug, PartialEq)]
pub struct Displaced {
    /// The clip.
    pub clip: Clip,
    /// For each key that reaches, in order of the keys.
    pub reached: Vec<Reached>,
}

/// How well a key was reached.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reached {
    /// Which key, counted from 0.
    pub key: usize,
    /// How far the wrist or foot stays from its goal at the key, in metres: rounding, or what the limb was too short
    /// for.
    pub missed: f64,
}

/// Displaces a motion by keys. `body` says which joints are arms and legs; only keys that reach need it.
pub fn displace(
    clip: &Clip,
    body: Option<&BodyMap>,
    keys: &[DisplaceKey],
    options: &DisplaceOptions,
) -> Result<Displaced, DisplaceError> {
    check_options(options)?;
    let mut displacements = Displacements::new(clip, options);
    for (index, key) in keys.iter().enumerate() {
        check_key(clip, index, key)?;
        let world = WorldPose::new(&clip.skeleton, clip.pose(key.frame));
        add_change(&mut displacements, clip, &world, index, key)?;
    }
    let reached = add_reaches(&mut displacements, clip, body, keys)?;
    let mut clip = clip.clone();
    displacements.curves().displace_poses(clip.poses_mut());
    Ok(Displaced { clip, reached })
}

fn check_options(options: &DisplaceOptions) -> Result<(), DisplaceError> {
    match options.fade {
        Some(seconds) if !is_time(seconds) => Err(DisplaceError::Seconds { field: "fade".to_string(), seconds }),
        _ => Ok(()),
    }
}

fn is_time(seconds: f64) -> bool {
    seconds.is_finite() && seconds >= 0.0
}

fn check_key(clip: &Clip, index: usize, key: &DisplaceKey) -> Result<(), DisplaceError> {
    let n_frames = clip.n_frames();
    if key.frame >= n_frames {
        return Err(DisplaceError::Frame { key: index, frame: key.frame, n_frames });
    }
    if let Some((field, value)) = key.tcb.and_then(|tcb| tcb.wrong()) {
        return Err(DisplaceError::Tcb { key: index, field, value });
    }
    if let Some(KeyExtent { before, after }) = key.extent {
        for (name, seconds) in [("before", before), ("after", after)] {
            if !is_time(seconds) {
                return Err(DisplaceError::Seconds { field: format!("keys[{index}].extent.{name}"), seconds });
            }
        }
    }
    let skeleton = &clip.skeleton;
    match &key.change {
        KeyChange::Turn { joint, turn, .. } => {
            check_joint(skeleton, index, *joint)?;
            check_finite(index, "turn", *turn)
        }
        KeyChange::Move { joint, by, .. } => {
            check_joint(skeleton, index, *joint)?;
            check_finite(index, "by", *by)
        }
        KeyChange::Reach { goal: ReachGoal::At(goal) | ReachGoal::By(goal), .. } => check_finite(index, "goal", *goal),
        KeyChange::Pose { pose, .. } => check_pose(skeleton, index, pose.view()),
        KeyChange::Hold { .. } => Ok(()),
    }
}

fn check_joint(skeleton: &Skeleton, key: usize, joint: JointId) -> Result<(), DisplaceError> {
    let n_joints = skeleton.n_joints();
    if joint.index() < n_joints { Ok(()) } else { Err(DisplaceError::Joint { key, joint: joint.index(), n_joints }) }
}

fn check_finite(key: usize, field: &'static str, value: Vec3) -> Result<(), DisplaceError> {
    if value.is_finite() { Ok(()) } else { Err(DisplaceError::NotFinite { key, field, value: value.to_array() }) }
}

fn check_pose(skeleton: &Skeleton, key: usize, pose: PoseRef<'_>) -> Result<(), DisplaceError> {
    let n_joints = skeleton.n_joints();
    if pose.local.len() != n_joints {
        return Err(DisplaceError::PoseSize { key, found: pose.local.len(), n_joints });
    }
    let is_pose = |joint: &JointId| pose[*joint].is_finite() && pose[*joint].rotation.length_squared() > 0.25;
    match skeleton.ids().find(|joint| !is_pose(joint)) {
        Some(joint) => Err(DisplaceError::PoseJoint { key, joint: skeleton.name(joint).to_string() }),
        None => Ok(()),
    }
}

/// Adds the displacements of a key that does not reach.
fn add_change(
    displacements: &mut Displacements<'_>,
    clip: &Clip,
    world: &WorldPose,
    index: usize,
    key: &DisplaceKey,
) -> Result<(), DisplaceError> {
    let motion = clip.pose(key.frame);
    let above = |joint: JointId| clip.skeleton.parent(joint).map_or(Quat::IDENTITY, |parent| world[parent].rotation);
    let mut add = |joint: JointId, displacement: Displacement| displacements.add(index, key, joint, displacement);
    match &key.change {
        KeyChange::Pose { pose, joints } => {
            let chosen = |joint: &JointId| joints.as_ref().is_none_or(|joints| joints.has_joint(*joint));
            for joint in clip.skeleton.ids().filter(chosen) {
                let (from, to) = (motion[joint], pose[joint]);
                add(joint, Displacement::to_rotation(from.rotation, to.rotation))?;
                add(joint, Displacement::Move(to.translation - from.translation))?;
            }
            Ok(())
        }
        KeyChange::Turn { joint, turn, axes } => {
            let turn = match axes {
                TurnAxes::Own => *turn,
                TurnAxes::Parent => motion[*joint].rotation.conjugate() * *turn,
                TurnAxes::World => world[*joint].rotation.conjugate() * *turn,
            };
            add(*joint, Displacement::Turn { vector: turn, is_given: true })
        }
        KeyChange::Move { joint, by, axes } => {
            let by = match axes {
                MoveAxes::Parent => *by,
                MoveAxes::World => above(*joint).conjugate() * *by,
            };
            add(*joint, Displacement::Move(by))
        }
        KeyChange::Hold { joints } => {
            for joint in joints.joints() {
                add(joint, Displacement::Turn { vector: Vec3::ZERO, is_given: true })?;
                add(joint, Displacement::Move(Vec3::ZERO))?;
            }
            Ok(())
        }
        KeyChange::Reach { .. } => Ok(()),
    }
}

/// Adds the displacements of keys that reach, each on the body as the other keys have it at its frame.
fn add_reaches(
    displacements: &mut Displacements<'_>,
    clip: &Clip,
    body: Option<&BodyMap>,
    keys: &[DisplaceKey],
) -> Result<Vec<Reached>, DisplaceError> {
    let reaches = |key: &DisplaceKey| matches!(key.change, KeyChange::Reach { .. });
    // What lies above a limb is displaced by other keys alone, so that all reaches see the same body.
    let others = displacements.curves();
    let mut hinges = None;
    let mut reached = Vec::new();
    for (index, key) in keys.iter().enumerate().filter(|(_, key)| reaches(key)) {
        let KeyChange::Reach { limb, goal, end } = key.change else { continue };
        let body = body.ok_or(DisplaceError::NoBody { key: index })?;
        let joints =
            LimbJoints::of(body, limb).ok_or_else(|| DisplaceError::NoLimb { key: index, limb: limb.name() })?;
        let mut pose = clip.pose(key.frame).to_pose();
        others.displace_pose(key.frame, &mut pose);
        for joint in [joints.upper, joints.middle, joints.end] {
            pose[joint].rotation = clip.pose(key.frame)[joint].rotation;
        }
        let motion = WorldPose::new(&clip.skeleton, clip.pose(key.frame));
        let world = WorldPose::new(&clip.skeleton, &pose);
        let target = end_target(body, &motion, limb, &joints, goal, end);
        let places = [joints.upper, joints.middle, joints.end].map(|joint| world.position(joint));
        let hinge = || {
            let axes = hinges.get_or_insert_with(|| JointAxes::new(&clip.skeleton, Some(body), clip.poses()));
            hinge_axis(&clip.skeleton, &world, axes, joints.middle)
        };
        let turn = solve_limb(places, target, hinge)
            .ok_or_else(|| DisplaceError::NoLength { key: index, limb: limb.name() })?;
        let mut wanted = pose.clone();
        let [upper, middle] = turned_limb(&clip.skeleton, pose.view(), &world, &joints, &turn);
        (wanted[joints.upper].rotation, wanted[joints.middle].rotation) = (upper, middle);
        let mut turned = vec![joints.upper, joints.middle];
        if end == EndTurn::Kept {
            let world = WorldPose::new(&clip.skeleton, &wanted);
            let above = clip.skeleton.parent(joints.end).map_or(Quat::IDENTITY, |parent| world[parent].rotation);
            wanted[joints.end].rotation = (above.conjugate() * motion[joints.end].rotation).normalize();
            turned.push(joints.end);
        }
        for joint in turned {
            let from = clip.pose(key.frame)[joint].rotation;
            displacements.add(index, key, joint, Displacement::to_rotation(from, wanted[joint].rotation))?;
        }
        reached.push(Reached { key: index, missed: turn.missed });
    }
    Ok(reached)
}

/// Where the wrist or ankle must be for a goal.
fn end_target(
    body: &BodyMap,
    motion: &WorldPose,
    limb: Limb,
    joints: &LimbJoints,
    goal: ReachGoal,
    end: EndTurn,
) -> Vec3 {
    let at = motion.position(joints.end);
    match (goal, limb, end) {
        (ReachGoal::By(by), _, _) => at + by,
        // A foot that keeps its attitude has its ball where it was from the ankle.
        (ReachGoal::At(goal), Limb::Foot(side), EndTurn::Kept) => goal + at - body.ball(motion, side),
        (ReachGoal::At(goal), _, _) => goal,
    }
}

impl Displacement {
    /// The turn that takes one rotation to another.
    fn to_rotation(from: Quat, to: Quat) -> Displacement {
        Displacement::Turn { vector: rotation::log_map(from.conjugate() * to.normalize()), is_given: false }
    }
}

#[cfg(test)]
#[path = "displace_tests.rs"]
mod tests;
