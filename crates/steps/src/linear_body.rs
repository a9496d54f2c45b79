//! The body in which steps are blended: legs of variable length, so that feet can be moved without stretching anything.
//!
//! Reference: STRIDE 6.1 and 6.2, after Kulpa, Multon and Arnaldi's morphology-independent representation.
//!
//! ```text
//!   pelvis o------o hip          a leg is its hip, its foot and the half-plane that holds its knee:
//!                 |\             - the foot: where its ball is, and how its ankle is turned
//!                 | \ f          - the roll: the angle about hip -> ankle from the other hip to f, the way the knee points
//!                 |  o knee
//!                 | /            everything else is the rotation of a joint, as a rotation vector about the joint's mean
//!           ankle o
//! ```
//!
//! Blending positions of balls puts feet where they are asked to be, which blending angles does not (STRIDE 5.4). Back
//! to joints ([`LinearBody::write_pose`]) it takes a fixed number of operations, the six steps of STRIDE 6.2:
//!
//! 1. the hip points the thigh, 2. the knee bends by the law of cosines ([`TwoBone`]), 3. the hip rolls the ankle into place, 4. to
//!    6. the ankle, the ball joint and the ankle's roll put the foot where it was.
//!
//! Departures:
//! - The roll is measured from the other hip, not from the root, which lies above the hips by different amounts in
//!   different skeletons. The way the knee points is the knee's own offset plus a little of its hinge's direction:
//!   defined for a straight leg as well, where the paper changes over to the foot's direction.
//! - A foot keeps its rotation in the world instead of a chain of blended angles: feet that stand flat in all blended
//!   steps then stand flat in the result.
//! - Knees are hinges whose thigh and shin may lie aslant of the axis, as they do in recorded skeletons.
//!
//! Limits: joints between hip, knee and ankle (twist helpers) and above the pelvis keep their rest pose; offsets of
//! joints never change.

use super::sole_points::Toes;
use std::sync::Arc;
use surefoot_geom::{Mat3, Quat, Transform, Vec3, rotation};
use surefoot_motion::anatomy::sole_frame;
use surefoot_motion::{BodyMap, JointId, Leg, PerSide, Pose, PoseRef, Side, Skeleton, TwoBone, WorldPose};

/// Weight of the hinge's direction beside the knee's offset, in metres: above what a knee is ever bent backwards by.
const HINGE_WEIGHT: f64 = 0.03;

/// A foot and the roll of its leg.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct LinearFoot {
    /// Where the ball is.
    pub ball: Vec3,
    /// Rotation of the sole in the world: a heading where the foot is flat, whatever axes its ankle has.
    pub rotation: Quat,
    /// Angle about hip -> ankle from the other hip to the way the knee points, in `(-pi, pi]`.
    pub knee_roll: f64,
}

/// A pose of a [`LinearBody`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LinearPose {
    /// In the world.
    pub pelvis: Transform,
    /// In the world.
    pub feet: PerSide<LinearFoot>,
    /// For each of [`LinearBody::others`]: its local rotation from its mean, as a rotation vector.
    pub others: Vec<Vec3>,
}

/// Thigh or shin in the space of the joint that turns it.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Segment {
    /// To the next joint.
    way: Vec3,
    /// The axis that flexes the knee.
    axis: Vec3,
    /// Into the frame of the way across the axis, the axis, and what is across both.
    into_own: Mat3,
}

impl Segment {
    fn new(way: Vec3, axis: Vec3) -> Segment {
        let own = way.reject_from_normalized(axis).normalize_or(axis.any_orthonormal_vector());
        Segment { way, axis, into_own: Mat3::from_cols(own, axis, own.cross(axis)).transpose() }
    }

    /// The rotation that takes the segment and its axis to a direction across an axis and that axis.
    fn turn_onto(&self, way: Vec3, axis: Vec3) -> Quat {
        let to = Mat3::from_cols(way, axis, way.cross(axis));
        Quat::from_mat3(&(to * self.into_own)).normalize()
    }
}

/// What never changes about a leg.
#[derive(Clone, Copy, Debug, PartialEq)]
struct LinearLeg {
    /// Rest rotation from the hip to the knee's parent, and from the knee to the ankle's parent.
    knee_parent: Quat,
    ankle_parent: Quat,
    /// The knee's place in the hip's space and the ankle's in the knee's.
    thigh: Segment,
    shin: Segment,
    /// Thigh and shin about the knee's hinge, and from hip to ankle with a straight knee.
    bones: TwoBone,
    straight: f64,
    /// Ball, heel and toe tip in the sole's space, and the sole in the ankle's.
    ball: Vec3,
    heel: Vec3,
    toe_tip: Vec3,
    sole: Quat,
}

/// A skeleton seen as a linearised body.
#[derive(Clone, Debug)]
pub struct LinearBody {
    skeleton: Arc<Skeleton>,
    body: BodyMap,
    legs: PerSide<LinearLeg>,
    others: Vec<JointId>,
    /// Index into `others` of each joint's own entry.
    other_of: Vec<Option<usize>>,
    means: Vec<Quat>,
    rest: Pose,
    /// Where the pelvis's parent stands.
    above: Transform,
    /// From the pelvis down to each hip, without both.
    to_hip: PerSide<Vec<JointId>>,
    toes: PerSide<Toes>,
}

impl LinearBody {
    /// `knee_axes` are those that flex the knees, in the spaces of the hips ([`surefoot_motion::fit_knee_axes`]);
    /// `means` the typical local rotation of every joint of the skeleton, about which rotations are blended.
    pub fn new(skeleton: Arc<Skeleton>, body: BodyMap, knee_axes: &PerSide<Vec3>, means: &[Quat]) -> LinearBody {
        assert_eq!(means.len(), skeleton.n_joints(), "a mean rotation for each joint");
        let rest = skeleton.rest_pose();
        let legs = PerSide::from_fn(|side| linear_leg(&skeleton, rest.view(), &body, side, knee_axes[side]));
        let is_other = |joint: &JointId| {
            let is_above = skeleton.is_at_or_above(*joint, body.pelvis);
            let in_leg = Side::BOTH.iter().any(|&side| {
                let leg = &body.legs[side];
                skeleton.is_at_or_above(leg.hip, *joint) && skeleton.is_at_or_above(*joint, leg.ankle)
            });
            !is_above && !in_leg
        };
        let others: Vec<JointId> = skeleton.ids().filter(is_other).collect();
        let mut other_of = vec![None; skeleton.n_joints()];
        for (index, joint) in others.iter().enumerate() {
            other_of[joint.index()] = Some(index);
        }
        let means: Vec<Quat> = others.iter().map(|joint| means[joint.index()]).collect();
        let world = WorldPose::new(&skeleton, &rest);
        let above = skeleton.parent(body.pelvis).map_or(Transform::IDENTITY, |parent| world[parent]);
        let to_hip = PerSide::from_fn(|side| way_down(&skeleton, body.pelvis, body.legs[side].hip));
        let toes =
            PerSide::from_fn(|side| toes_of(&skeleton, &world, &body.legs[side], &legs[side], &other_of, &means));
        LinearBody { skeleton, body, legs, others, other_of, means, rest, above, to_hip, toes }
    }

    /// The toes of a foot.
    pub(super) fn toes(&self, side: Side) -> &Toes {
        &self.toes[side]
    }

    /// Heel, ball and toe tip of a foot whose toes are turned against the ankle.
    pub(super) fn sole_points(&self, side: Side, foot: &LinearFoot, toes: Quat) -> [Vec3; 3] {
        let heel = foot.ball + self.heel_from_ball(side, foot.rotation);
        [heel, foot.ball, foot.ball + self.toes[side].tip_from_ball(foot.rotation, toes)]
    }

    /// Heel, ball and toe tip of a foot. The tip counts as higher by what it lies below the ball when the foot stands flat.
    pub fn sole(&self, side: Side, pose: &LinearPose) -> [Vec3; 3] {
        let [heel, ball, tip] = self.sole_points(side, &pose.feet[side], self.toe_rotation(side, pose));
        [heel, ball, tip + Vec3::new(0.0, self.toes[side].drop, 0.0)]
    }

    /// Bends the toes of a foot up as far as they reach into the ground, whose height is given at any place.
    pub fn bend_toes_out(&self, side: Side, pose: &mut LinearPose, height: impl Fn(Vec3) -> f64) {
        let Some(joint) = self.toes[side].joint else { return };
        let before = self.toe_rotation(side, pose);
        let mut bent = before;
        self.toes[side].bend_over(&pose.feet[side], &mut bent, height);
        if bent != before {
            pose.others[joint] = rotation::log_map(self.means[joint].conjugate() * bent);
        }
    }

    fn toe_rotation(&self, side: Side, pose: &LinearPose) -> Quat {
        self.toes[side].joint.map_or(Quat::IDENTITY, |joint| self.means[joint] * rotation::exp_map(pose.others[joint]))
    }

    /// The skeleton that poses are of.
    pub fn skeleton(&self) -> &Arc<Skeleton> {
        &self.skeleton
    }

    /// Which joint is which.
    pub fn body(&self) -> &BodyMap {
        &self.body
    }

    /// Joints whose rotations are blended as they are: all but the pelvis, what is above it, and hips, knees and
    /// ankles.
    pub fn others(&self) -> &[JointId] {
        &self.others
    }

    /// The joints below the pelvis that are in no leg: trunk, neck, head and arms, as indices into
    /// [`LinearBody::others`].
    pub fn upper_body(&self) -> impl Iterator<Item = usize> + '_ {
        let hips = Side::BOTH.map(|side| self.body.legs[side].hip);
        let is_upper = move |joint: JointId| {
            hips.iter()
                .all(|&hip| !self.skeleton.is_at_or_above(hip, joint) && !self.skeleton.is_at_or_above(joint, hip))
        };
        self.others.iter().enumerate().filter(move |(_, joint)| is_upper(**joint)).map(|(index, _)| index)
    }

    /// From hip to ankle with a straight knee, in metres.
    pub fn leg_length(&self, side: Side) -> f64 {
        self.legs[side].straight
    }

    /// The flexion of a knee whose hip and ankle are some metres apart, in radians, and those metres for a flexion.
    pub(super) fn flexion(&self, side: Side, distance: f64) -> f64 {
        self.legs[side].bones.flexion(distance)
    }

    /// See [`LinearBody::flexion`].
    pub(super) fn leg_reach(&self, side: Side, flexion: f64) -> f64 {
        self.legs[side].bones.reach(flexion)
    }

    /// The ankle of a foot.
    pub fn ankle(&self, side: Side, foot: &LinearFoot) -> Vec3 {
        foot.ball - foot.rotation * self.legs[side].ball
    }

    /// The heel of a foot, from its ball.
    pub fn heel_from_ball(&self, side: Side, foot_rotation: Quat) -> Vec3 {
        foot_rotation * (self.legs[side].heel - self.legs[side].ball)
    }

    /// The tip of straight toes, from the ball.
    pub fn toe_from_ball(&self, side: Side, foot_rotation: Quat) -> Vec3 {
        foot_rotation * (self.legs[side].toe_tip - self.legs[side].ball)
    }

    /// The sole's rotation in the world for an ankle's.
    pub(super) fn sole_rotation(&self, side: Side, ankle_rotation: Quat) -> Quat {
        ankle_rotation * self.legs[side].sole
    }

    /// The rotation of a foot that is planted flat on level ground.
    pub fn flat(&self, heading: f64) -> Quat {
        Quat::from_rotation_y(heading)
    }

    /// Heading of a foot: where its sole points on the ground.
    pub fn foot_heading(&self, foot_rotation: Quat) -> f64 {
        let forward = foot_rotation * Vec3::Z;
        // A foot that stands on its tiptoes points where its sole faces.
        let forward = if forward.y < -0.9 { foot_rotation * Vec3::Y } else { forward };
        forward.x.atan2(forward.z)
    }

    /// Where a hip is. `rotations` are those of [`LinearBody::rotations`].
    pub fn hip(&self, pelvis: &Transform, rotations: &[Quat], side: Side) -> Vec3 {
        let parent = self.hip_parent(pelvis, rotations, side);
        parent.transform_point(self.rest[self.body.legs[side].hip].translation)
    }

    /// Where a knee is.
    pub(super) fn knee(&self, pose: &LinearPose, rotations: &[Quat], side: Side) -> Vec3 {
        let (leg, foot) = (&self.legs[side], &pose.feet[side]);
        let [hip, other] = [side, side.opposite()].map(|side| self.hip(&pose.pelvis, rotations, side));
        let way = self.ankle(side, foot) - hip;
        let pole = turned_about(way.normalize_or(Vec3::NEG_Y), other - hip, foot.knee_roll);
        let bent = leg.bones.solve(way, pole);
        hip + leg.thigh.turn_onto(bent.upper, bent.axis) * leg.thigh.way
    }

    fn hip_parent(&self, pelvis: &Transform, rotations: &[Quat], side: Side) -> Transform {
        self.to_hip[side].iter().fold(*pelvis, |parent, &joint| {
            let rotation = self.other_of[joint.index()].map_or(self.rest[joint].rotation, |index| rotations[index]);
            parent * Transform::new(rotation, self.rest[joint].translation)
        })
    }

    /// The local rotations of [`LinearBody::others`].
    pub fn rotations(&self, pose: &LinearPose, out: &mut Vec<Quat>) {
        out.clear();
        out.extend(self.means.iter().zip(&pose.others).map(|(mean, vector)| *mean * rotation::exp_map(*vector)));
    }

    /// The linear pose of a skeleton's pose.
    pub fn linearize(&self, pose: PoseRef<'_>, world: &WorldPose) -> LinearPose {
        let others = self.others.iter().zip(&self.means);
        let others = others.map(|(&joint, mean)| rotation::log_map(mean.conjugate() * pose[joint].rotation)).collect();
        let feet = PerSide::from_fn(|side| {
            let leg = &self.body.legs[side];
            let (hip, knee, ankle) = (world[leg.hip], world.position(leg.knee), world[leg.ankle]);
            let down = (ankle.translation - hip.translation).normalize_or(Vec3::NEG_Y);
            let hinge = down.cross(hip.rotation * self.legs[side].thigh.axis).normalize_or_zero();
            let ahead = (knee - hip.translation).reject_from_normalized(down) + hinge * HINGE_WEIGHT;
            let across = world.position(self.body.legs[side.opposite()].hip) - hip.translation;
            LinearFoot {
                ball: ankle.transform_point(leg.foot.ball),
                rotation: self.sole_rotation(side, ankle.rotation),
                knee_roll: angle_about(down, across, ahead),
            }
        });
        LinearPose { pelvis: world[self.body.pelvis], feet, others }
    }

    /// How far each leg is extended: from hip to ankle, as a share of a straight leg.
    pub fn extensions(&self, pose: &LinearPose) -> PerSide<f64> {
        let mut rotations = Vec::new();
        self.rotations(pose, &mut rotations);
        PerSide::from_fn(|side| {
            let hip = self.hip(&pose.pelvis, &rotations, side);
            hip.distance(self.ankle(side, &pose.feet[side])) / self.leg_length(side)
        })
    }

    /// The roll of a knee that points ahead, which recorded ones are near to.
    pub(super) fn forward_roll(&self, side: Side) -> f64 {
        let across = if side == Side::Left { Vec3::NEG_X } else { Vec3::X };
        angle_about(Vec3::NEG_Y, across, Vec3::Z)
    }

    /// The skeleton's pose of a linear pose: STRIDE 6.2. `rotations` are those of [`LinearBody::rotations`]. An ankle
    /// that is out of reach of its hip is put as near as it gets.
    pub fn write_pose(&self, linear: &LinearPose, rotations: &[Quat], pose: &mut Pose) {
        pose.local.clone_from(&self.rest.local);
        pose[self.body.pelvis] = self.above.inverse() * linear.pelvis;
        for (&joint, rotation) in self.others.iter().zip(rotations) {
            pose[joint].rotation = *rotation;
        }
        let hips = PerSide::from_fn(|side| self.hip_parent(&linear.pelvis, rotations, side));
        let place = |side: Side| hips[side].transform_point(self.rest[self.body.legs[side].hip].translation);
        for side in Side::BOTH {
            let across = place(side.opposite()) - place(side);
            self.write_leg(side, &linear.feet[side], (hips[side].rotation, place(side)), across, pose);
        }
    }

    fn write_leg(&self, side: Side, foot: &LinearFoot, (parent, hip): (Quat, Vec3), across: Vec3, pose: &mut Pose) {
        let (leg, joints) = (&self.legs[side], &self.body.legs[side]);
        let way = self.ankle(side, foot) - hip;
        let down = way.normalize_or(Vec3::NEG_Y);
        let bent = leg.bones.solve(way, turned_about(down, across, foot.knee_roll));
        let hip_world = leg.thigh.turn_onto(bent.upper, bent.axis);
        let knee_world = leg.shin.turn_onto(bent.lower, bent.axis);
        pose[joints.hip].rotation = parent.conjugate() * hip_world;
        pose[joints.knee].rotation = (hip_world * leg.knee_parent).conjugate() * knee_world;
        pose[joints.ankle].rotation =
            (knee_world * leg.ankle_parent).conjugate() * (foot.rotation * leg.sole.conjugate());
    }
}

/// Constants of a leg, from the rest pose.
fn linear_leg(skeleton: &Skeleton, rest: PoseRef<'_>, body: &BodyMap, side: Side, hip_axis: Vec3) -> LinearLeg {
    let joints = &body.legs[side];
    let between = |above: JointId, below: JointId| {
        let helpers = way_down(skeleton, above, below);
        helpers.iter().fold(Transform::IDENTITY, |parent, &joint| parent * rest[joint])
    };
    let (to_knee, to_ankle) = (between(joints.hip, joints.knee), between(joints.knee, joints.ankle));
    let thigh = to_knee.transform_point(rest[joints.knee].translation);
    let hip_axis = hip_axis.normalize_or(Vec3::X);
    let sole = sole_frame(&joints.foot);
    let [ball, heel, toe_tip] =
        [joints.foot.ball, joints.foot.heel, joints.foot.toe_tip].map(|point| sole.conjugate() * point);
    // A hinge turns about the same axis in the spaces of both of its sides, but for the rest rotation between them.
    let knee_axis = (to_knee.rotation * rest[joints.knee].rotation).conjugate() * hip_axis;
    let shin = to_ankle.transform_point(rest[joints.ankle].translation);
    let bones = TwoBone::hinged((thigh, hip_axis), (shin, knee_axis));
    LinearLeg {
        knee_parent: to_knee.rotation,
        ankle_parent: to_ankle.rotation,
        thigh: Segment::new(thigh, hip_axis),
        shin: Segment::new(shin, knee_axis),
        bones,
        straight: bones.reach(0.0),
        ball,
        heel,
        toe_tip,
        sole,
    }
}

/// Toes shorter than this are none, in metres.
const MIN_TOES: f64 = 0.01;

/// The toes of a leg: those that a joint at the ball bends, or the rigid front of the sole.
fn toes_of(
    skeleton: &Skeleton,
    rest: &WorldPose,
    joints: &Leg,
    leg: &LinearLeg,
    other_of: &[Option<usize>],
    means: &[Quat],
) -> Toes {
    let bending = joints.ball.filter(|&ball| skeleton.parent(ball) == Some(joints.ankle)).and_then(|ball| {
        let tip = joints.toe.map(|toe| rest[ball].inverse().transform_point(rest.point(skeleton, toe)));
        let tip = tip.or_else(|| joints.drawn_toe_tip(rest))?;
        let joint = other_of[ball.index()]?;
        (tip.length() > MIN_TOES).then_some((joint, tip))
    });
    let (joint, tip, mean) = match bending {
        Some((joint, tip)) => (Some(joint), tip, means[joint]),
        None => (None, joints.foot.toe_tip - joints.foot.ball, Quat::IDENTITY),
    };
    let drop = (leg.sole.conjugate() * (mean * tip)).y.min(0.0).abs();
    Toes { joint, tip, mean, ankle: leg.sole.conjugate(), drop }
}

/// The joints from `above` down to `below`, without both.
fn way_down(skeleton: &Skeleton, above: JointId, below: JointId) -> Vec<JointId> {
    let up = std::iter::successors(skeleton.parent(below), |&joint| skeleton.parent(joint));
    let mut way: Vec<JointId> = up.take_while(|&joint| joint != above).collect();
    way.reverse();
    way
}

/// Angle about the unit vector `axis` from one direction to another, both seen along it.
fn angle_about(axis: Vec3, from: Vec3, to: Vec3) -> f64 {
    let (from, to) = (from.reject_from_normalized(axis), to.reject_from_normalized(axis));
    axis.dot(from.cross(to)).atan2(from.dot(to))
}

/// A unit vector across `axis`, at an angle about it from another direction.
fn turned_about(axis: Vec3, from: Vec3, angle: f64) -> Vec3 {
    let from = from.reject_from_normalized(axis).try_normalize().unwrap_or_else(|| axis.any_orthonormal_vector());
    let (sine, cosine) = angle.sin_cos();
    from * cosine + axis.cross(from) * sine
}

#[cfg(test)]
mod tests {
    use super::*;
    use surefoot_contact::{WalkerOptions, synthetic_walk};
    use surefoot_motion::fit_knee_axes;

    #[test]
    fn a_pose_comes_back_from_its_linear_pose() {
        let walk = synthetic_walk(&WalkerOptions::default());
        let clip = &walk.take.clip;
        let axes = fit_knee_axes(clip, &walk.take.body);
        let means = vec![Quat::IDENTITY; clip.skeleton.n_joints()];
        let body = LinearBody::new(clip.skeleton.clone(), walk.take.body.clone(), &axes, &means);
        let mut back = clip.skeleton.rest_pose();
        let mut rotations = Vec::new();
        for pose in clip.poses() {
            let world = WorldPose::new(&clip.skeleton, pose);
            let linear = body.linearize(pose, &world);
            body.rotations(&linear, &mut rotations);
            body.write_pose(&linear, &rotations, &mut back);
            let again = WorldPose::new(&clip.skeleton, &back);
            for joint in clip.skeleton.ids() {
                let distance = world.position(joint).distance(again.position(joint));
                assert!(distance < 1e-6, "{}: {distance}", clip.skeleton.name(joint));
            }
        }
    }

    #[test]
    fn axes_of_ankles_do_not_matter() {
        let walk = synthetic_walk(&WalkerOptions::default());
        let linear = |take: &surefoot_contact::Take| -> Vec<LinearPose> {
            let (clip, axes) = (&take.clip, fit_knee_axes(&take.clip, &take.body));
            let means: Vec<Quat> = clip.skeleton.joints().iter().map(|joint| joint.rest.rotation).collect();
            let body = LinearBody::new(clip.skeleton.clone(), take.body.clone(), &axes, &means);
            clip.poses().iter().map(|pose| body.linearize(pose, &WorldPose::new(&clip.skeleton, pose))).collect()
        };
        // The same motion with ankles whose axes lie across: turned by so much, feet are nearly half a turn from the world.
        let turn = Quat::from_rotation_z(3.0) * Quat::from_rotation_x(0.4);
        let mut other = walk.take.clone();
        let ankles = Side::BOTH.map(|side| other.body.legs[side].ankle);
        let is_below = |parent: Option<JointId>| parent.is_some_and(|parent| ankles.contains(&parent));
        let turned = |id: JointId, parent: Option<JointId>, mut local: Transform| {
            if is_below(parent) {
                local = Transform::new(turn.conjugate(), Vec3::ZERO) * local;
            }
            if ankles.contains(&id) {
                local.rotation *= turn;
            }
            local
        };
        let old = walk.take.clip.skeleton.clone();
        let joints = old.ids().map(|id| surefoot_motion::Joint {
            rest: turned(id, old.parent(id), old.joint(id).rest),
            ..old.joint(id).clone()
        });
        let sites = old.end_sites().iter().map(|site| surefoot_motion::EndSite {
            offset: if ankles.contains(&site.parent) { turn.conjugate() * site.offset } else { site.offset },
            ..site.clone()
        });
        let skeleton = Skeleton::new(joints.collect(), sites.collect()).expect("the same tree");
        for mut pose in other.clip.poses_mut() {
            for id in old.ids() {
                pose[id] = turned(id, old.parent(id), pose[id]);
            }
        }
        other.clip.skeleton = Arc::new(skeleton);
        for side in Side::BOTH {
            let foot = &mut other.body.legs[side].foot;
            for point in [&mut foot.heel, &mut foot.ball, &mut foot.toe_tip, &mut foot.up] {
                *point = turn.conjugate() * *point;
            }
        }
        for (a, b) in linear(&walk.take).iter().zip(linear(&other)) {
            for side in Side::BOTH {
                let (a, b) = (a.feet[side], b.feet[side]);
                assert!(a.ball.distance(b.ball) < 1e-9, "{a:?} {b:?}");
                assert!(rotation::angle_between(a.rotation, b.rotation) < 1e-6, "{a:?} {b:?}");
            }
        }
    }
}
