//! A body of our own, of any height and proportions: Y up, facing +Z, arms out to the sides in the rest pose, soles on the ground.
//!
//! Joints are named as in Unity's humanoids, which Blender's and Unreal's importers map as well, with one more lumbar joint
//! (`Spine1`). Two lumbar joints (`Spine`, `Spine1`) and two thoracic ones (`Chest`, `UpperChest`) stand for the paper's five
//! and twelve vertebrae (GAIT 4.2.5).
//!
//! ```text
//!                       Head
//!                       Neck
//!   Hand - LowerArm - UpperArm - Shoulder - UpperChest - ...
//!                       Chest
//!                       Spine1
//!                       Spine
//!                       Hips
//!            UpperLeg         UpperLeg
//!            LowerLeg         LowerLeg
//!            Foot             Foot
//!            Toes             Toes
//! ```
//!
//! Head, hands and toes end in end sites, called after their joints (`Head_End`) in every file. Lengths are those of an adult of 1.8 m, each times its factor; then the whole is scaled to the height that was asked for.
//! Longer legs thus leave less for everything else.

use crate::{Arm, BodyMap, BodyPoint, EndSite, FootShape, HEEL_BACK, Joint, JointId, Leg, PerSide, Side, Skeleton};
use std::ops::RangeInclusive;
use surefoot_geom::{Transform, Vec3};

// Lengths in metres of an adult of 1.8 m.
/// From the pelvis to a hip: out to its side, and down.
const HIP_OUT: f64 = 0.09;
const HIP_DOWN: f64 = 0.06;
const THIGH: f64 = 0.43;
const SHIN: f64 = 0.43;
const ANKLE_HEIGHT: f64 = 0.08;
const BALL_BEFORE_ANKLE: f64 = 0.135;
const TOE_BEFORE_BALL: f64 = 0.075;
/// Each joint of the trunk above the one before, up to the head.
const TRUNK: [(&str, f64); 6] =
    [("Spine", 0.08), ("Spine1", 0.09), ("Chest", 0.10), ("UpperChest", 0.10), ("Neck", 0.15), ("Head", 0.09)];
const UPPER_CHEST: usize = 3;
const HEAD_TOP: f64 = 0.19;
const CLAVICLE_OUT: f64 = 0.03;
const CLAVICLE_UP: f64 = 0.10;
const SHOULDER_OUT: f64 = 0.155;
const UPPER_ARM: f64 = 0.30;
const FOREARM: f64 = 0.26;
const HAND: f64 = 0.18;

/// The proportions of a person. All but the height are factors on an adult's lengths, relative to the rest of the body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PersonOptions {
    /// From the soles to the top of the head, in metres, whatever the other values. 0.5 to 2.5, default 1.8.
    pub height: f64,
    /// Thighs and shins. 0.75 to 1.3, default 1.
    pub leg: f64,
    /// Shins over thighs, the leg's length kept. 0.8 to 1.25, default 1.
    pub shin: f64,
    /// Upper arms, forearms and hands. 0.7 to 1.4, default 1.
    pub arm: f64,
    /// Length of the feet and height of the ankles. 0.7 to 1.4, default 1.
    pub foot: f64,
    /// Breadth of the shoulders. 0.6 to 1.6, default 1.
    pub shoulders: f64,
    /// Breadth of the hips. 0.6 to 1.6, default 1.
    pub hips: f64,
    /// Height of the head above its joint. 0.8 to 1.6, default 1: children have larger ones.
    pub head: f64,
}

impl Default for PersonOptions {
    fn default() -> PersonOptions {
        let one = 1.0;
        PersonOptions { height: 1.8, leg: one, shin: one, arm: one, foot: one, shoulders: one, hips: one, head: one }
    }
}

impl PersonOptions {
    /// The default proportions at another height.
    pub fn with_height(height: f64) -> PersonOptions {
        PersonOptions { height, ..PersonOptions::default() }
    }

    fn check(&self) -> Result<(), PersonError> {
        let ranges = [
            ("height", self.height, 0.5..=2.5),
            ("leg", self.leg, 0.75..=1.3),
            ("shin", self.shin, 0.8..=1.25),
            ("arm", self.arm, 0.7..=1.4),
            ("foot", self.foot, 0.7..=1.4),
            ("shoulders", self.shoulders, 0.6..=1.6),
            ("hips", self.hips, 0.6..=1.6),
            ("head", self.head, 0.8..=1.6),
        ];
        match ranges.into_iter().find(|(_, value, range)| !range.contains(value)) {
            Some((field, value, range)) => Err(PersonError { field, value, range }),
            None => Ok(()),
        }
    }

    /// Lengths of thigh and shin before the whole is scaled.
    fn leg_lengths(&self) -> [f64; 2] {
        let shin_share = SHIN * self.shin / (THIGH + SHIN * self.shin);
        let leg = (THIGH + SHIN) * self.leg;
        [leg * (1.0 - shin_share), leg * shin_share]
    }

    /// Height of the pelvis before the whole is scaled.
    fn pelvis_height(&self) -> f64 {
        HIP_DOWN + self.leg_lengths().iter().sum::<f64>() + ANKLE_HEIGHT * self.foot
    }

    /// By what the whole is scaled to be as high as asked for.
    fn scale(&self) -> f64 {
        let trunk: f64 = TRUNK.iter().map(|(_, up)| up).sum();
        self.height / (self.pelvis_height() + trunk + HEAD_TOP * self.head)
    }
}

/// Proportions that no person has.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{field} of a person is {value}; it must be within {} to {}", .range.start(), .range.end())]
pub struct PersonError {
    /// The field of [`PersonOptions`].
    pub field: &'static str,
    /// What it holds.
    pub value: f64,
    /// What it may hold.
    pub range: RangeInclusive<f64>,
}

/// A skeleton of the given proportions, and which of its joints is which.
pub fn person(options: &PersonOptions) -> Result<(Skeleton, BodyMap), PersonError> {
    options.check()?;
    let mut builder = Builder { joints: Vec::new(), end_sites: Vec::new(), options, scale: options.scale() };
    let pelvis = builder.joint("Hips", None, Vec3::Y * options.pelvis_height());
    let mut last = pelvis;
    let trunk = TRUNK.map(|(name, up)| {
        last = builder.joint(name, Some(last), Vec3::Y * up);
        last
    });
    builder.end_site(last, Vec3::Y * HEAD_TOP * options.head);
    let arms = PerSide::from_fn(|side| Some(builder.arm(side, trunk[UPPER_CHEST])));
    let legs = PerSide::from_fn(|side| builder.leg(side, pelvis));
    let [spine @ .., head] = trunk;
    let body = BodyMap { pelvis, spine: spine.to_vec(), head: Some(head), legs, arms };
    let skeleton = Skeleton::new(builder.joints, builder.end_sites).expect("parents are built before children");
    Ok((skeleton, body))
}

struct Builder<'a> {
    joints: Vec<Joint>,
    end_sites: Vec<EndSite>,
    options: &'a PersonOptions,
    scale: f64,
}

impl Builder<'_> {
    fn joint(&mut self, name: &str, parent: Option<JointId>, offset: Vec3) -> JointId {
        let rest = Transform::from_translation(offset * self.scale);
        self.joints.push(Joint { name: name.to_string(), parent, rest });
        JointId::new(self.joints.len() - 1)
    }

    /// Without a name of its own: a BVH has no place for it, and all files of the figure shall name the same things.
    fn end_site(&mut self, parent: JointId, offset: Vec3) -> BodyPoint {
        self.end_sites.push(EndSite { name: None, parent, offset: offset * self.scale });
        BodyPoint::EndSite(self.end_sites.len() - 1)
    }

    fn arm(&mut self, side: Side, chest: JointId) -> Arm {
        let (prefix, out) = naming(side);
        let name = |part: &str| format!("{prefix}{part}");
        let (across, along) = (out * self.options.shoulders, out * self.options.arm);
        let clavicle = self.joint(&name("Shoulder"), Some(chest), across * CLAVICLE_OUT + Vec3::Y * CLAVICLE_UP);
        let shoulder = self.joint(&name("UpperArm"), Some(clavicle), across * SHOULDER_OUT);
        let elbow = self.joint(&name("LowerArm"), Some(shoulder), along * UPPER_ARM);
        let wrist = self.joint(&name("Hand"), Some(elbow), along * FOREARM);
        self.end_site(wrist, along * HAND);
        Arm { clavicle: Some(clavicle), shoulder, elbow, wrist: Some(wrist) }
    }

    fn leg(&mut self, side: Side, pelvis: JointId) -> Leg {
        let (prefix, out) = naming(side);
        let name = |part: &str| format!("{prefix}{part}");
        let [thigh, shin] = self.options.leg_lengths();
        let under_ankle = Vec3::NEG_Y * ANKLE_HEIGHT * self.options.foot;
        let to_ball = Vec3::Z * BALL_BEFORE_ANKLE * self.options.foot;
        let to_toe = Vec3::Z * TOE_BEFORE_BALL * self.options.foot;
        let hip = self.joint(&name("UpperLeg"), Some(pelvis), out * HIP_OUT * self.options.hips - Vec3::Y * HIP_DOWN);
        let knee = self.joint(&name("LowerLeg"), Some(hip), Vec3::NEG_Y * thigh);
        let ankle = self.joint(&name("Foot"), Some(knee), Vec3::NEG_Y * shin);
        let ball = self.joint(&name("Toes"), Some(ankle), under_ankle + to_ball);
        let toe = self.end_site(ball, to_toe);
        let foot = FootShape {
            // Where whoever reads the figure from a file will put the heel, for no file stores one.
            heel: (under_ankle - to_ball * HEEL_BACK) * self.scale,
            ball: (under_ankle + to_ball) * self.scale,
            toe_tip: (under_ankle + to_ball + to_toe) * self.scale,
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
