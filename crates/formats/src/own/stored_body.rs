//! Skeletons and body maps as our binary files have them, and what must hold of them.
//!
//! The shapes are those of step databases, motion graphs and takes, and stay as they are; a change of them is a new version of all.

use super::body_names::BodyNames;
use super::body_order::check_order;
use serde::{Deserialize, Serialize};
use surefoot_geom::{Quat, Transform, Vec3};
use surefoot_motion::{
    Arm, BodyMap, BodyPoint, EndSite, FootShape, Joint, JointId, Leg, PerSide, Side, Skeleton, WorldPose,
};

/// How far a rotation may be from unit length.
const ROTATION_TOLERANCE: f64 = 1e-6;

/// Thighs and shins are at least this long, in metres.
const MIN_BONE: f64 = 1e-9;

pub(super) type Three = [f64; 3];
pub(super) type Four = [f64; 4];

#[derive(Serialize, Deserialize)]
pub(super) struct StoredJoint {
    name: String,
    parent: Option<u32>,
    rotation: Four,
    translation: Three,
}

#[derive(Serialize, Deserialize)]
pub(super) struct StoredEndSite {
    name: Option<String>,
    parent: u32,
    offset: Three,
}

#[derive(Serialize, Deserialize)]
pub(super) struct StoredBody {
    pelvis: u32,
    spine: Vec<u32>,
    head: Option<u32>,
    /// Left, right.
    legs: [StoredLeg; 2],
    arms: [Option<StoredArm>; 2],
}

#[derive(Serialize, Deserialize)]
struct StoredLeg {
    hip: u32,
    knee: u32,
    ankle: u32,
    ball: Option<u32>,
    toe: Option<StoredPoint>,
    /// Heel, ball, toe tip, up.
    foot: [Three; 4],
}

#[derive(Serialize, Deserialize)]
enum StoredPoint {
    Joint(u32),
    EndSite(u32),
}

#[derive(Serialize, Deserialize)]
struct StoredArm {
    clavicle: Option<u32>,
    shoulder: u32,
    elbow: u32,
    wrist: Option<u32>,
}

pub(super) fn index_of(joint: JointId) -> u32 {
    joint.index() as u32
}

pub(super) fn both<T>(pair: PerSide<T>) -> [T; 2] {
    [pair.left, pair.right]
}

impl StoredJoint {
    pub(super) fn of(joint: &Joint) -> StoredJoint {
        StoredJoint {
            name: joint.name.clone(),
            parent: joint.parent.map(index_of),
            rotation: joint.rest.rotation.to_array(),
            translation: joint.rest.translation.to_array(),
        }
    }
}

impl StoredEndSite {
    pub(super) fn of(site: &EndSite) -> StoredEndSite {
        StoredEndSite { name: site.name.clone(), parent: index_of(site.parent), offset: site.offset.to_array() }
    }
}

/// The skeleton, if offsets are no longer than `max_length` and parents come first.
pub(super) fn read_skeleton(
    joints: Vec<StoredJoint>,
    end_sites: Vec<StoredEndSite>,
    max_length: f64,
) -> Result<Skeleton, String> {
    let n_joints = joints.len();
    let known = |index: u32| joint_of(index, n_joints);
    let joints = joints.into_iter().map(|joint| {
        let parent = joint.parent.map(known).transpose()?;
        let rest = Transform::new(
            rotation(joint.rotation, "a rest rotation")?,
            vector(joint.translation, max_length, "the offset of a joint")?,
        );
        Ok::<Joint, String>(Joint { name: joint.name, parent, rest })
    });
    let end_sites = end_sites.into_iter().map(|site| {
        let offset = vector(site.offset, max_length, "the offset of an end site")?;
        Ok::<EndSite, String>(EndSite { name: site.name, parent: known(site.parent)?, offset })
    });
    let (joints, end_sites) = (joints.collect::<Result<_, _>>()?, end_sites.collect::<Result<_, _>>()?);
    Skeleton::new(joints, end_sites).map_err(|error| error.to_string())
}

impl StoredBody {
    pub(super) fn of(body: &BodyMap) -> StoredBody {
        StoredBody {
            pelvis: index_of(body.pelvis),
            spine: body.spine.iter().map(|&joint| index_of(joint)).collect(),
            head: body.head.map(index_of),
            legs: both(body.legs.map(|leg| StoredLeg::of(&leg))),
            arms: both(body.arms.map(|arm| arm.map(|arm| StoredArm::of(&arm)))),
        }
    }

    /// The map, if it names joints of the skeleton in the order of a body.
    pub(super) fn into_body(self, skeleton: &Skeleton, max_length: f64) -> Result<BodyMap, String> {
        let n_joints = skeleton.n_joints();
        let [left_leg, right_leg] = self.legs;
        let [left_arm, right_arm] = self.arms;
        let arm = |arm: Option<StoredArm>| arm.map(|arm| arm.into_arm(n_joints)).transpose();
        let body = BodyMap {
            pelvis: joint_of(self.pelvis, n_joints)?,
            spine: self.spine.into_iter().map(|joint| joint_of(joint, n_joints)).collect::<Result<_, _>>()?,
            head: self.head.map(|joint| joint_of(joint, n_joints)).transpose()?,
            legs: PerSide::new(left_leg.into_leg(skeleton, max_length)?, right_leg.into_leg(skeleton, max_length)?),
            arms: PerSide::new(arm(left_arm)?, arm(right_arm)?),
        };
        check_order(&body, skeleton, &BodyNames::of(skeleton)).map_err(|wrong| wrong.message)?;
        let rest = WorldPose::new(skeleton, &skeleton.rest_pose());
        for (side, leg) in Side::BOTH.map(|side| (side, &body.legs[side])) {
            let lengths = [(leg.hip, leg.knee), (leg.knee, leg.ankle)]
                .map(|(upper, lower)| rest.position(upper).distance(rest.position(lower)));
            if lengths.iter().any(|length| !(MIN_BONE..=max_length).contains(length)) {
                return Err(format!("thigh and shin of the {} leg are {lengths:?} m long", side.name()));
            }
        }
        Ok(body)
    }
}

impl StoredLeg {
    fn of(leg: &Leg) -> StoredLeg {
        let FootShape { heel, ball, toe_tip, up } = leg.foot;
        StoredLeg {
            hip: index_of(leg.hip),
            knee: index_of(leg.knee),
            ankle: index_of(leg.ankle),
            ball: leg.ball.map(index_of),
            toe: leg.toe.map(|toe| match toe {
                BodyPoint::Joint(joint) => StoredPoint::Joint(index_of(joint)),
                BodyPoint::EndSite(index) => StoredPoint::EndSite(index as u32),
            }),
            foot: [heel, ball, toe_tip, up].map(|point| point.to_array()),
        }
    }

    fn into_leg(self, skeleton: &Skeleton, max_length: f64) -> Result<Leg, String> {
        let n_joints = skeleton.n_joints();
        let toe = match self.toe {
            None => None,
            Some(StoredPoint::Joint(joint)) => Some(BodyPoint::Joint(joint_of(joint, n_joints)?)),
            Some(StoredPoint::EndSite(index)) if (index as usize) < skeleton.end_sites().len() => {
                Some(BodyPoint::EndSite(index as usize))
            }
            Some(StoredPoint::EndSite(index)) => return Err(format!("there is no end site {index}")),
        };
        let [heel, ball, toe_tip, up] = self.foot;
        let foot = FootShape {
            heel: vector(heel, max_length, "a heel")?,
            ball: vector(ball, max_length, "a ball")?,
            toe_tip: vector(toe_tip, max_length, "the tip of a toe")?,
            up: vector(up, max_length, "the upward direction of a sole")?,
        };
        if (foot.up.length() - 1.0).abs() > ROTATION_TOLERANCE {
            return Err("the upward direction of a sole has not length 1".to_string());
        }
        Ok(Leg {
            hip: joint_of(self.hip, n_joints)?,
            knee: joint_of(self.knee, n_joints)?,
            ankle: joint_of(self.ankle, n_joints)?,
            ball: self.ball.map(|joint| joint_of(joint, n_joints)).transpose()?,
            toe,
            foot,
        })
    }
}

impl StoredArm {
    fn of(arm: &Arm) -> StoredArm {
        StoredArm {
            clavicle: arm.clavicle.map(index_of),
            shoulder: index_of(arm.shoulder),
            elbow: index_of(arm.elbow),
            wrist: arm.wrist.map(index_of),
        }
    }

    fn into_arm(self, n_joints: usize) -> Result<Arm, String> {
        Ok(Arm {
            clavicle: self.clavicle.map(|joint| joint_of(joint, n_joints)).transpose()?,
            shoulder: joint_of(self.shoulder, n_joints)?,
            elbow: joint_of(self.elbow, n_joints)?,
            wrist: self.wrist.map(|joint| joint_of(joint, n_joints)).transpose()?,
        })
    }
}

fn joint_of(index: u32, n_joints: usize) -> Result<JointId, String> {
    if (index as usize) < n_joints {
        Ok(JointId::new(index as usize))
    } else {
        Err(format!("there is no joint {index}; there are {n_joints}"))
    }
}

/// Three numbers that mean something.
pub(super) fn vector(numbers: Three, max: f64, what: &str) -> Result<Vec3, String> {
    if numbers.iter().all(|number| number.abs() <= max) {
        Ok(Vec3::from_array(numbers))
    } else {
        Err(format!("{what} has a number that means nothing: {numbers:?}"))
    }
}

/// A unit quaternion.
pub(super) fn rotation(numbers: Four, what: &str) -> Result<Quat, String> {
    let rotation = Quat::from_array(numbers);
    if (rotation.length() - 1.0).abs() <= ROTATION_TOLERANCE {
        Ok(rotation)
    } else {
        Err(format!("{what} is none: {numbers:?}"))
    }
}
