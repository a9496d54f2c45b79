//! Angles of joints as anatomy names them: flexion, abduction and twist, whatever a skeleton's axes are.
//!
//! Idea: with F the anatomical frame of a joint and that of its parent ([`anatomical_frames`]), `R = F_parent^-1 L F`
//! is the joint's local rotation L as seen in the body: the identity in a person who stands with arms and legs hanging
//! down, about X (to the left), Y (up) and Z (ahead). F is rigid, so that `L = F_parent R F^-1` takes any change of R
//! back.
//!
//! | joints | R is written as | angles |
//! |---|---|---|
//! | knees, elbows | `Rx(flexion) Rz(abduction) Ry(twist)` | about the hinge first, as Grood and Suntay 1983 |
//! | all others | a swing, after a twist about the limb | components of the swing's rotation vector; the twist |
//!
//! Hinges first by flexion, for that is where the shin points; the other two stay near 0. A hip or a shoulder swings
//! anywhere, and an order of axes would lock where an arm is stretched out to its side. Its swing is free of poles but
//! where an arm points straight up, a half turn from hanging; a pure flexion or abduction is the angle that one
//! measures.
//!
//! The hinge of a knee or elbow is where the clip bends it: recorded skeletons have their elbows turned about the arm
//! by whatever their shoulders' twist is. Where the clip does not bend it, a knee bends backward and an elbow forward.
//!
//! # Signs
//!
//! | | flexion (x) | abduction (z) | twist (y) |
//! |---|---|---|---|
//! | hip, shoulder, wrist | forward | away from the body | inward |
//! | knee, elbow | bent | away from the body | inward |
//! | ankle, toes | toes up | sole outward | toes inward |
//! | pelvis, spine, neck, head | forward | to the left | to the left |
//!
//! Both sides have the same signs, so that one limit serves both.
//!
//! Without a body map angles are from the rest pose, about the joint's own segment (y) and the axes that a segment
//! hanging down would have; a joint without children has its own axes.

use std::ops::{Index, IndexMut};
use surefoot_geom::{Mat3, Quat, Vec3, rotation};
use surefoot_motion::{BodyMap, JointId, Side, Skeleton, spread_frames};
use surefoot_motion::{Poses, anatomical_frames};

/// Which angle of a joint.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum JointAngle {
    /// About the axis across the body: x.
    Flexion,
    /// About the axis ahead: z.
    Abduction,
    /// About the limb's own length: y.
    Twist,
}

impl JointAngle {
    /// All three.
    pub const ALL: [JointAngle; 3] = [JointAngle::Flexion, JointAngle::Abduction, JointAngle::Twist];

    /// In a word.
    pub fn name(self) -> &'static str {
        match self {
            JointAngle::Flexion => "flexion",
            JointAngle::Abduction => "abduction",
            JointAngle::Twist => "twist",
        }
    }

    /// From `flexion`, `abduction` and `twist`, or `x`, `z` and `y`.
    pub fn parse(text: &str) -> Option<JointAngle> {
        match text.trim().to_lowercase().as_str() {
            "x" | "flexion" => Some(JointAngle::Flexion),
            "z" | "abduction" => Some(JointAngle::Abduction),
            "y" | "twist" => Some(JointAngle::Twist),
            _ => None,
        }
    }
}

/// The three angles of a joint, in radians.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct JointAngles {
    /// About the axis across the body.
    pub flexion: f64,
    /// About the axis ahead.
    pub abduction: f64,
    /// About the limb's own length.
    pub twist: f64,
}

impl Index<JointAngle> for JointAngles {
    type Output = f64;

    fn index(&self, angle: JointAngle) -> &f64 {
        match angle {
            JointAngle::Flexion => &self.flexion,
            JointAngle::Abduction => &self.abduction,
            JointAngle::Twist => &self.twist,
        }
    }
}

impl IndexMut<JointAngle> for JointAngles {
    fn index_mut(&mut self, angle: JointAngle) -> &mut f64 {
        match angle {
            JointAngle::Flexion => &mut self.flexion,
            JointAngle::Abduction => &mut self.abduction,
            JointAngle::Twist => &mut self.twist,
        }
    }
}

/// How a joint turns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JointKind {
    /// About one axis above all: knees and elbows.
    Hinge,
    /// Anywhere.
    Ball,
}

/// How a joint's rotations are expressed as angles.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Axes {
    /// The frame of the joint above, in that joint's space.
    above: Quat,
    /// The frame of this joint.
    own: Quat,
    kind: JointKind,
    /// What makes angles about X, Y and Z those of the table above: 1 or -1 each.
    signs: Vec3,
}

/// How the rotations of all joints are expressed as angles.
#[derive(Clone, Debug, PartialEq)]
pub struct JointAxes {
    axes: Vec<Axes>,
}

/// Frames that a hinge is sought in; hours of them would fix it no better.
const MAX_HINGE_FRAMES: usize = 300;
/// Frames agree on a hinge if their sum is at least this share of their lengths.
const MIN_AGREEMENT: f64 = 0.5;
/// Mean sine of a bend that shows where a hinge is (6 degrees).
const MIN_BEND: f64 = 0.1;

impl JointAxes {
    /// The axes of a skeleton. `poses` is its motion, to learn from it how the person stands, if the rest pose does
    /// not say, and where knees and elbows bend; it may be empty.
    pub fn new(skeleton: &Skeleton, body: Option<&BodyMap>, poses: &Poses) -> JointAxes {
        match body {
            Some(body) => JointAxes { axes: body_axes(skeleton, body, poses) },
            None => JointAxes { axes: rest_axes(skeleton) },
        }
    }

    /// How a joint turns.
    pub fn kind(&self, joint: JointId) -> JointKind {
        self.axes[joint.index()].kind
    }

    /// The angles of a joint that is turned against its parent by `local`. The twist is in `(-pi, pi]`, of a hinge the
    /// flexion too; a swing is at most a half turn.
    pub fn angles(&self, joint: JointId, local: Quat) -> JointAngles {
        let axes = &self.axes[joint.index()];
        let turn = axes.above.conjugate() * local * axes.own;
        let [x, y, z] = match axes.kind {
            JointKind::Ball => {
                let (swing, twist) = rotation::swing_twist(turn, Vec3::Y);
                let swing = rotation::log_map(swing);
                [swing.x, rotation::twist_angle(twist, Vec3::Y), swing.z]
            }
            JointKind::Hinge => hinge_angles(turn),
        };
        JointAngles { flexion: axes.signs.x * x, twist: axes.signs.y * y, abduction: axes.signs.z * z }
    }

    /// The local rotation of a joint with these angles.
    pub fn rotation(&self, joint: JointId, angles: JointAngles) -> Quat {
        let axes = &self.axes[joint.index()];
        let signs = axes.signs;
        let [x, y, z] = [signs.x * angles.flexion, signs.y * angles.twist, signs.z * angles.abduction];
        let turn = match axes.kind {
            JointKind::Ball => rotation::exp_map(Vec3::new(x, 0.0, z)) * Quat::from_rotation_y(y),
            JointKind::Hinge => Quat::from_rotation_x(x) * Quat::from_rotation_z(z) * Quat::from_rotation_y(y),
        };
        (axes.above * turn * axes.own.conjugate()).normalize()
    }

    /// The axis about which a joint flexes, in the space of the joint above it: a positive turn about it is flexion.
    pub fn flexing_axis(&self, joint: JointId) -> Vec3 {
        let axes = &self.axes[joint.index()];
        axes.above * (Vec3::X * axes.signs.x)
    }
}

/// The angles x, y and z of `Rx(x) Rz(z) Ry(y)`.
fn hinge_angles(turn: Quat) -> [f64; 3] {
    let matrix = Mat3::from_quat(turn);
    // The limb's direction, turned about Z and X: (-sin z, cos x cos z, sin x cos z).
    let limb = matrix.y_axis;
    let x = limb.z.atan2(limb.y);
    let z = (-limb.x).atan2(limb.y.hypot(limb.z));
    // The first row: (cos z cos y, -sin z, cos z sin y).
    let y = matrix.z_axis.x.atan2(matrix.x_axis.x);
    [x, y, z]
}

fn body_axes(skeleton: &Skeleton, body: &BodyMap, poses: &Poses) -> Vec<Axes> {
    let frames = anatomical_frames(skeleton, body, poses).frames;
    let signs = signs(skeleton, body);
    let mut axes: Vec<Axes> = skeleton
        .ids()
        .map(|joint| Axes {
            above: skeleton.parent(joint).map_or(Quat::IDENTITY, |parent| frames[parent.index()]),
            own: frames[joint.index()],
            kind: JointKind::Ball,
            signs: signs[joint.index()],
        })
        .collect();
    for side in Side::BOTH {
        make_hinge(&mut axes, poses, body.legs[side].knee, Vec3::X);
        if let Some(arm) = body.arms[side] {
            make_hinge(&mut axes, poses, arm.elbow, Vec3::NEG_X);
        }
    }
    axes
}

/// Turns a joint's frames about the limb until X is its hinge.
fn make_hinge(axes: &mut [Axes], poses: &Poses, joint: JointId, usual: Vec3) {
    let axes = &mut axes[joint.index()];
    let hinge = find_hinge(axes, poses, joint).filter(|hinge| hinge.dot(usual) > 0.0).unwrap_or(usual);
    let to_hinge = Quat::from_rotation_y((-hinge.z).atan2(hinge.x));
    axes.above *= to_hinge;
    axes.own *= to_hinge;
    axes.kind = JointKind::Hinge;
}

/// The axis, square to the limb above, about which most frames bend a joint.
fn find_hinge(axes: &Axes, poses: &Poses, joint: JointId) -> Option<Vec3> {
    let (mut sum, mut length, mut n_frames) = (Vec3::ZERO, 0.0, 0);
    for frame in spread_frames(poses.len(), MAX_HINGE_FRAMES) {
        let turn = axes.above.conjugate() * poses.pose(frame)[joint].rotation * axes.own;
        let bend = Vec3::NEG_Y.cross(turn * Vec3::NEG_Y);
        if bend.is_finite() {
            sum += bend;
            length += bend.length();
            n_frames += 1;
        }
    }
    let is_clear = length > MIN_BEND * f64::from(n_frames) && sum.length() > MIN_AGREEMENT * length;
    sum.try_normalize().filter(|_| is_clear)
}

/// The signs of every joint's angles; a joint that the map does not name has those of the joint above.
fn signs(skeleton: &Skeleton, body: &BodyMap) -> Vec<Vec3> {
    let mut own = vec![None; skeleton.n_joints()];
    let mut set = |joint: JointId, signs: Vec3| own[joint.index()] = Some(signs);
    for joint in std::iter::once(body.pelvis).chain(body.spine.iter().copied()).chain(body.head) {
        set(joint, TRUNK_SIGNS);
    }
    for side in Side::BOTH {
        let out = if side == Side::Left { 1.0 } else { -1.0 };
        let limb = Vec3::new(-1.0, -out, out);
        let leg = &body.legs[side];
        [Some(leg.hip), Some(leg.ankle), leg.ball].into_iter().flatten().for_each(|joint| set(joint, limb));
        set(leg.knee, Vec3::new(1.0, -out, out));
        if let Some(arm) = body.arms[side] {
            [arm.clavicle, Some(arm.shoulder), arm.wrist].into_iter().flatten().for_each(|joint| set(joint, limb));
            // Its frame is turned half way around the arm, so that forward is flexion.
            set(arm.elbow, Vec3::new(1.0, -out, -out));
        }
    }
    let mut signs: Vec<Vec3> = Vec::with_capacity(own.len());
    for (joint, own) in own.into_iter().enumerate() {
        let above = skeleton.joints()[joint].parent.map(|parent| signs[parent.index()]);
        signs.push(own.or(above).unwrap_or(TRUNK_SIGNS));
    }
    signs
}

/// A trunk bends to the left about -Z.
const TRUNK_SIGNS: Vec3 = Vec3::new(1.0, 1.0, -1.0);

/// Axes from the rest pose alone.
fn rest_axes(skeleton: &Skeleton) -> Vec<Axes> {
    let axes = |joint: JointId| {
        let children = skeleton.joints().iter().filter(|child| child.parent == Some(joint));
        let sites = skeleton.end_sites().iter().filter(|site| site.parent == joint);
        let ends = children.map(|child| child.rest.translation).chain(sites.map(|site| site.offset));
        let own = rotation::between_directions(Vec3::NEG_Y, ends.sum());
        let above = skeleton.joint(joint).rest.rotation * own;
        Axes { above, own, kind: JointKind::Ball, signs: Vec3::ONE }
    };
    skeleton.ids().map(axes).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::turned_axes::turn_axes;
    use proptest::prelude::*;
    use surefoot_gait::{Posture, Rig};
    use surefoot_motion::{PersonOptions, person};

    fn any_turn() -> impl Strategy<Value = Quat> {
        (-1.8..1.8f64, -1.8..1.8f64, -1.8..1.8f64).prop_map(|(x, y, z)| rotation::exp_map(Vec3::new(x, y, z)))
    }

    fn check_angles(found: JointAngles, [flexion, abduction, twist]: [f64; 3], what: &str) {
        let wanted = JointAngles { flexion, abduction, twist };
        for angle in JointAngle::ALL {
            assert!((found[angle] - wanted[angle]).abs() < 1e-9, "{what}: {found:?} and not {wanted:?}");
        }
    }

    /// Checks both sides of a posture that is made for the left and mirrored for the right.
    fn check_posture(
        make: impl Fn(&mut Posture, Side, f64),
        part: impl Fn(&BodyMap, Side) -> JointId,
        wanted: [f64; 3],
    ) {
        let (skeleton, body) = person(&PersonOptions::default()).unwrap();
        let rig = Rig::new(&skeleton, &body, &Poses::default()).unwrap();
        let mut posture = Posture::default();
        make(&mut posture, Side::Left, 1.0);
        make(&mut posture, Side::Right, -1.0);
        let mut pose = rig.rest_pose().clone();
        rig.pose(&posture, &mut pose);
        let (turned, turned_body, turned_pose) = turn_axes(&skeleton, &body, pose.view(), 7);
        for (skeleton, body, pose) in [(&skeleton, &body, &pose), (&turned, &turned_body, &turned_pose)] {
            let axes = JointAxes::new(skeleton, Some(body), &Poses::default());
            for side in Side::BOTH {
                let joint = part(body, side);
                check_angles(axes.angles(joint, pose[joint].rotation), wanted, skeleton.name(joint));
            }
        }
    }

    #[test]
    fn signs_are_those_of_the_table_on_both_sides_and_for_any_axes() {
        let x = Quat::from_rotation_x;
        let y = Quat::from_rotation_y;
        let z = Quat::from_rotation_z;
        let hip = |body: &BodyMap, side: Side| body.legs[side].hip;
        check_posture(|posture, side, _| posture.legs[side].thigh = x(-0.7), hip, [0.7, 0.0, 0.0]);
        check_posture(|posture, side, out| posture.legs[side].thigh = z(0.4 * out), hip, [0.0, 0.4, 0.0]);
        check_posture(|posture, side, out| posture.legs[side].thigh = y(-0.3 * out), hip, [0.0, 0.0, 0.3]);
        let knee = |body: &BodyMap, side: Side| body.legs[side].knee;
        check_posture(|posture, side, _| posture.legs[side].shin = x(1.2), knee, [1.2, 0.0, 0.0]);
        check_posture(|posture, side, out| posture.legs[side].shin = x(1.2) * z(0.1 * out), knee, [1.2, 0.1, 0.0]);
        check_posture(|posture, side, out| posture.legs[side].shin = x(2.5) * y(-0.2 * out), knee, [2.5, 0.0, 0.2]);
        let ankle = |body: &BodyMap, side: Side| body.legs[side].ankle;
        check_posture(|posture, side, _| posture.legs[side].foot = x(-0.3), ankle, [0.3, 0.0, 0.0]);
        check_posture(|posture, side, out| posture.legs[side].foot = z(0.2 * out), ankle, [0.0, 0.2, 0.0]);
        let shoulder = |body: &BodyMap, side: Side| body.arms[side].unwrap().shoulder;
        check_posture(|posture, side, _| posture.arms[side].upper_arm = x(-3.0), shoulder, [3.0, 0.0, 0.0]);
        check_posture(|posture, side, out| posture.arms[side].upper_arm = z(1.5 * out), shoulder, [0.0, 1.5, 0.0]);
        let elbow = |body: &BodyMap, side: Side| body.arms[side].unwrap().elbow;
        check_posture(|posture, side, _| posture.arms[side].elbow = 1.9, elbow, [1.9, 0.0, 0.0]);
        let head = |body: &BodyMap, _: Side| body.head.unwrap();
        let neck = |body: &BodyMap, _: Side| *body.spine.last().unwrap();
        for (turn, wanted) in [(x(0.4), [0.2, 0.0, 0.0]), (y(0.4), [0.0, 0.0, 0.2]), (z(-0.4), [0.0, 0.2, 0.0])] {
            // Neck and head share the rotation.
            let (skeleton, body) = person(&PersonOptions::default()).unwrap();
            let rig = Rig::new(&skeleton, &body, &Poses::default()).unwrap();
            let mut pose = rig.rest_pose().clone();
            rig.pose(&Posture { head: turn, ..Posture::default() }, &mut pose);
            let axes = JointAxes::new(&skeleton, Some(&body), &Poses::default());
            for joint in [head(&body, Side::Left), neck(&body, Side::Left)] {
                let found = axes.angles(joint, pose[joint].rotation);
                for (angle, wanted) in JointAngle::ALL.into_iter().zip(wanted) {
                    assert!((found[angle] - wanted).abs() < 0.15 && found[angle] * wanted >= 0.0, "{found:?}");
                }
            }
        }
    }

    #[test]
    fn a_hinge_is_found_where_the_motion_bends_it() {
        let (skeleton, body) = person(&PersonOptions::default()).unwrap();
        let elbow = body.arms.left.unwrap().elbow;
        let straight = JointAxes::new(&skeleton, Some(&body), &Poses::default());
        // An elbow turned about the arm by 40 degrees.
        let roll = Quat::from_rotation_y(0.7);
        let axes = &straight.axes[elbow.index()];
        let bent = |bend: f64| {
            let mut pose = skeleton.rest_pose();
            let turn = roll * Quat::from_rotation_x(bend) * roll.conjugate();
            pose[elbow].rotation = axes.above * turn * axes.own.conjugate();
            pose
        };
        let poses: Poses = (0..50).map(|i| bent(0.2 + f64::from(i) * 0.02)).collect();
        let found = JointAxes::new(&skeleton, Some(&body), &poses);
        for (i, pose) in poses.iter().enumerate() {
            let bend = 0.2 + i as f64 * 0.02;
            check_angles(found.angles(elbow, pose[elbow].rotation), [bend, 0.0, 0.0], "elbow");
            assert!(straight.angles(elbow, pose[elbow].rotation).flexion < bend - 0.02);
        }
    }

    #[test]
    fn a_knee_that_is_always_overstretched_does_not_bend_that_way() {
        let (skeleton, body) = person(&PersonOptions::default()).unwrap();
        let knee = body.legs.left.knee;
        let pose = |bend: f64| {
            let mut pose = skeleton.rest_pose();
            pose[knee].rotation = Quat::from_rotation_x(bend);
            pose
        };
        let poses: Poses = (0..20).map(|_| pose(-0.2)).collect();
        let axes = JointAxes::new(&skeleton, Some(&body), &poses);
        check_angles(axes.angles(knee, poses.pose(0)[knee].rotation), [-0.2, 0.0, 0.0], "knee");
    }

    #[test]
    fn without_a_body_angles_are_from_the_rest_pose() {
        let (skeleton, _) = person(&PersonOptions::default()).unwrap();
        let axes = JointAxes::new(&skeleton, None, &Poses::default());
        for joint in skeleton.ids() {
            check_angles(axes.angles(joint, skeleton.joint(joint).rest.rotation), [0.0; 3], skeleton.name(joint));
        }
    }

    proptest! {
        #[test]
        fn angles_give_the_rotation_back(turn in any_turn(), seed in 0u64..1000) {
            let (skeleton, body) = person(&PersonOptions::default()).unwrap();
            let (skeleton, body, _) = turn_axes(&skeleton, &body, skeleton.rest_pose().view(), seed);
            for body in [Some(&body), None] {
                let axes = JointAxes::new(&skeleton, body, &Poses::default());
                for joint in skeleton.ids() {
                    let back = axes.rotation(joint, axes.angles(joint, turn));
                    let off = rotation::angle_between(back, turn);
                    prop_assert!(off < 1e-9, "{}: {}", skeleton.name(joint), off);
                }
            }
        }
    }
}
