//! A body of given height: Y up, facing +Z, arms out to the sides in the rest pose, soles on the ground.

use surefoot_geom::{Transform, Vec3};
use surefoot_motion::{Arm, BodyMap, BodyPoint, EndSite, FootShape, Joint, JointId, Leg, PerSide, Side, Skeleton};

/// The height that the proportions below are given for, in metres.
const MODEL_HEIGHT: f64 = 1.8;
const PELVIS_HEIGHT: f64 = 1.0;
/// From the pelvis to a hip: out to its side, and down.
const HIP_OUT: f64 = 0.09;
const HIP_DOWN: f64 = 0.06;
const THIGH: f64 = 0.43;
const SHIN: f64 = 0.43;
const ANKLE_HEIGHT: f64 = 0.08;
/// Where whoever reads the walk from a file will put the heel, for no file stores one.
const HEEL_BEHIND_ANKLE: f64 = surefoot_motion::HEEL_BACK * BALL_BEFORE_ANKLE;
const BALL_BEFORE_ANKLE: f64 = 0.135;
const TOE_BEFORE_BALL: f64 = 0.075;
/// Each joint of the trunk above the one before: lower back, chest, upper chest, neck, head.
const TRUNK: [(&str, f64); 5] =
    [("Spine", 0.10), ("Chest", 0.13), ("UpperChest", 0.14), ("Neck", 0.15), ("Head", 0.09)];
const UPPER_CHEST: usize = 2;
const HEAD_TOP: f64 = 0.19;
const CLAVICLE_OUT: f64 = 0.03;
const CLAVICLE_UP: f64 = 0.10;
const SHOULDER_OUT: f64 = 0.155;
const UPPER_ARM: f64 = 0.30;
const FOREARM: f64 = 0.26;
const HAND: f64 = 0.18;

/// A skeleton, its body map, and the lengths that the walker needs.
pub(super) struct Person {
    pub(super) skeleton: Skeleton,
    pub(super) body: BodyMap,
    /// Height over that of the model.
    pub(super) scale: f64,
    pub(super) thigh: f64,
    pub(super) shin: f64,
    /// From the heel to the ball along the sole.
    pub(super) heel_to_ball: f64,
    pub(super) ball_before_ankle: f64,
}

impl Person {
    pub(super) fn new(height: f64) -> Person {
        let scale = height / MODEL_HEIGHT;
        let mut builder = Builder { joints: Vec::new(), end_sites: Vec::new(), scale };
        let pelvis = builder.joint("Hips", None, Vec3::Y * PELVIS_HEIGHT);
        let mut last = pelvis;
        let trunk = TRUNK.map(|(name, up)| {
            last = builder.joint(name, Some(last), Vec3::Y * up);
            last
        });
        builder.end_site("HeadTop", last, Vec3::Y * HEAD_TOP);
        let arms = PerSide::from_fn(|side| Some(builder.arm(side, trunk[UPPER_CHEST])));
        let legs = PerSide::from_fn(|side| builder.leg(side, pelvis));
        let [spine @ .., head] = trunk;
        let body = BodyMap { pelvis, spine: spine.to_vec(), head: Some(head), legs, arms };
        let skeleton = Skeleton::new(builder.joints, builder.end_sites).expect("parents are built before children");
        Person {
            skeleton,
            body,
            scale,
            thigh: THIGH * scale,
            shin: SHIN * scale,
            heel_to_ball: (HEEL_BEHIND_ANKLE + BALL_BEFORE_ANKLE) * scale,
            ball_before_ankle: BALL_BEFORE_ANKLE * scale,
        }
    }

    /// From the pelvis to a hip.
    pub(super) fn hip_offset(&self, side: Side) -> Vec3 {
        self.skeleton.joint(self.body.legs[side].hip).rest.translation
    }
}

struct Builder {
    joints: Vec<Joint>,
    end_sites: Vec<EndSite>,
    scale: f64,
}

impl Builder {
    fn joint(&mut self, name: &str, parent: Option<JointId>, offset: Vec3) -> JointId {
        let rest = Transform::from_translation(offset * self.scale);
        self.joints.push(Joint { name: name.to_string(), parent, rest });
        JointId::new(self.joints.len() - 1)
    }

    fn end_site(&mut self, name: &str, parent: JointId, offset: Vec3) -> BodyPoint {
        self.end_sites.push(EndSite { name: Some(name.to_string()), parent, offset: offset * self.scale });
        BodyPoint::EndSite(self.end_sites.len() - 1)
    }

    fn arm(&mut self, side: Side, chest: JointId) -> Arm {
        let (prefix, out) = naming(side);
        let name = |part: &str| format!("{prefix}{part}");
        let clavicle = self.joint(&name("Shoulder"), Some(chest), out * CLAVICLE_OUT + Vec3::Y * CLAVICLE_UP);
        let shoulder = self.joint(&name("UpperArm"), Some(clavicle), out * SHOULDER_OUT);
        let elbow = self.joint(&name("LowerArm"), Some(shoulder), out * UPPER_ARM);
        let wrist = self.joint(&name("Hand"), Some(elbow), out * FOREARM);
        self.end_site(&name("HandTip"), wrist, out * HAND);
        Arm { clavicle: Some(clavicle), shoulder, elbow, wrist: Some(wrist) }
    }

    fn leg(&mut self, side: Side, pelvis: JointId) -> Leg {
        let (prefix, out) = naming(side);
        let name = |part: &str| format!("{prefix}{part}");
        let under_ankle = Vec3::NEG_Y * ANKLE_HEIGHT;
        let hip = self.joint(&name("UpperLeg"), Some(pelvis), out * HIP_OUT - Vec3::Y * HIP_DOWN);
        let knee = self.joint(&name("LowerLeg"), Some(hip), Vec3::NEG_Y * THIGH);
        let ankle = self.joint(&name("Foot"), Some(knee), Vec3::NEG_Y * SHIN);
        let ball = self.joint(&name("Toes"), Some(ankle), under_ankle + Vec3::Z * BALL_BEFORE_ANKLE);
        let toe = self.end_site(&name("ToeTip"), ball, Vec3::Z * TOE_BEFORE_BALL);
        let foot = FootShape {
            heel: (under_ankle - Vec3::Z * HEEL_BEHIND_ANKLE) * self.scale,
            ball: (under_ankle + Vec3::Z * BALL_BEFORE_ANKLE) * self.scale,
            toe_tip: (under_ankle + Vec3::Z * (BALL_BEFORE_ANKLE + TOE_BEFORE_BALL)) * self.scale,
            up: Vec3::Y,
        };
        Leg { hip, knee, ankle, ball: Some(ball), toe: Some(toe), foot }
    }
}

/// How a side's joints are called, and where it lies.
fn naming(side: Side) -> (&'static str, Vec3) {
    match side {
        Side::Left => ("Left", Vec3::X),
        Side::Right => ("Right", Vec3::NEG_X),
    }
}
