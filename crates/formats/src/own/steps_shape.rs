//! What a step database looks like in its file, version 1, and what must hold of it.
//!
//! The shapes are those of the file and stay as they are; a change of them is a new version.

use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::Arc;
use surefoot_geom::{Quat, Transform, Vec3};
use surefoot_locomotion::StepParameters;
use surefoot_locomotion::steps::{CanonicalStep, DatabaseParts, StepDatabase, StepSource, StepTimes};
use surefoot_motion::{Arm, BodyMap, BodyPoint, EndSite, FootShape, Joint, JointId, Leg, PerSide, Side, Skeleton};

/// Lengths past this mean nothing, in metres or seconds.
const MAX_NUMBER: f64 = 1e6;
/// How far a rotation may be from unit length.
const ROTATION_TOLERANCE: f64 = 1e-6;

type Three = [f64; 3];
type Four = [f64; 4];

/// The whole file.
#[derive(Serialize, Deserialize)]
pub(super) struct StoredSteps<'a> {
    joints: Vec<StoredJoint>,
    end_sites: Vec<StoredEndSite>,
    body: StoredBody,
    /// Left, right.
    knee_axes: [Three; 2],
    /// One for each joint.
    means: Vec<Four>,
    /// Names, which steps refer to.
    takes: Vec<String>,
    steps: Vec<StoredStep<'a>>,
}

#[derive(Serialize, Deserialize)]
struct StoredJoint {
    name: String,
    parent: Option<u32>,
    rotation: Four,
    translation: Three,
}

#[derive(Serialize, Deserialize)]
struct StoredEndSite {
    name: Option<String>,
    parent: u32,
    offset: Three,
}

#[derive(Serialize, Deserialize)]
struct StoredBody {
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

#[derive(Serialize, Deserialize)]
struct StoredStep<'a> {
    take: u32,
    frames: [u64; 2],
    mirrored: bool,
    swings_right: bool,
    /// Start width, end width, end length.
    parameters: Three,
    headings: Three,
    /// First, swing, last.
    times: Three,
    rows: Cow<'a, [f32]>,
}

fn index_of(joint: JointId) -> u32 {
    joint.index() as u32
}

fn both<T>(pair: PerSide<T>) -> [T; 2] {
    [pair.left, pair.right]
}

impl<'a> StoredSteps<'a> {
    pub(super) fn of(database: &'a StepDatabase) -> StoredSteps<'a> {
        let parts = database.parts();
        let mut takes: Vec<String> = Vec::new();
        let mut numbers: HashMap<&str, u32> = HashMap::new();
        let steps = parts.steps.iter().map(|step| {
            let name: &str = &step.source.take;
            let take = *numbers.entry(name).or_insert_with(|| {
                takes.push(name.to_string());
                takes.len() as u32 - 1
            });
            StoredStep::of(step, take)
        });
        let steps = steps.collect();
        StoredSteps {
            joints: parts.skeleton.joints().iter().map(StoredJoint::of).collect(),
            end_sites: parts.skeleton.end_sites().iter().map(StoredEndSite::of).collect(),
            body: StoredBody::of(&parts.body),
            knee_axes: both(parts.knee_axes.map(|axis| axis.to_array())),
            means: parts.means.iter().map(Quat::to_array).collect(),
            takes,
            steps,
        }
    }

    /// The database, or what is wrong.
    pub(super) fn into_database(self) -> Result<StepDatabase, String> {
        let skeleton = Arc::new(read_skeleton(self.joints, self.end_sites)?);
        let body = self.body.into_body(&skeleton)?;
        let [left, right] = self.knee_axes;
        let knee_axes = PerSide::new(vector(left, "a knee's axis")?, vector(right, "a knee's axis")?);
        if self.means.len() != skeleton.n_joints() {
            let (n_means, n_joints) = (self.means.len(), skeleton.n_joints());
            return Err(format!("there are {n_means} mean rotations for {n_joints} joints"));
        }
        let means = self.means.into_iter().map(|mean| rotation(mean, "a mean rotation")).collect::<Result<_, _>>()?;
        let takes: Vec<Arc<str>> = self.takes.into_iter().map(Arc::from).collect();
        let steps = self.steps.into_iter().enumerate();
        let steps = steps
            .map(|(index, step)| step.into_step(&takes).map_err(|what| format!("step {index}: {what}")))
            .collect::<Result<_, _>>()?;
        let parts = DatabaseParts { skeleton, body, knee_axes, means, steps };
        StepDatabase::new(parts).map_err(|error| error.to_string())
    }
}

impl StoredJoint {
    fn of(joint: &Joint) -> StoredJoint {
        StoredJoint {
            name: joint.name.clone(),
            parent: joint.parent.map(index_of),
            rotation: joint.rest.rotation.to_array(),
            translation: joint.rest.translation.to_array(),
        }
    }
}

impl StoredEndSite {
    fn of(site: &EndSite) -> StoredEndSite {
        StoredEndSite { name: site.name.clone(), parent: index_of(site.parent), offset: site.offset.to_array() }
    }
}

fn read_skeleton(joints: Vec<StoredJoint>, end_sites: Vec<StoredEndSite>) -> Result<Skeleton, String> {
    let n_joints = joints.len();
    let known = |index: u32| joint_of(index, n_joints);
    let joints = joints.into_iter().map(|joint| {
        let parent = joint.parent.map(known).transpose()?;
        let rest = Transform::new(
            rotation(joint.rotation, "a rest rotation")?,
            vector(joint.translation, "the offset of a joint")?,
        );
        Ok::<Joint, String>(Joint { name: joint.name, parent, rest })
    });
    let end_sites = end_sites.into_iter().map(|site| {
        let offset = vector(site.offset, "the offset of an end site")?;
        Ok::<EndSite, String>(EndSite { name: site.name, parent: known(site.parent)?, offset })
    });
    let (joints, end_sites) = (joints.collect::<Result<_, _>>()?, end_sites.collect::<Result<_, _>>()?);
    Skeleton::new(joints, end_sites).map_err(|error| error.to_string())
}

impl StoredBody {
    fn of(body: &BodyMap) -> StoredBody {
        StoredBody {
            pelvis: index_of(body.pelvis),
            spine: body.spine.iter().map(|&joint| index_of(joint)).collect(),
            head: body.head.map(index_of),
            legs: both(body.legs.map(|leg| StoredLeg::of(&leg))),
            arms: both(body.arms.map(|arm| arm.map(|arm| StoredArm::of(&arm)))),
        }
    }

    fn into_body(self, skeleton: &Skeleton) -> Result<BodyMap, String> {
        let n_joints = skeleton.n_joints();
        let [left_leg, right_leg] = self.legs;
        let [left_arm, right_arm] = self.arms;
        let arm = |arm: Option<StoredArm>| arm.map(|arm| arm.into_arm(n_joints)).transpose();
        let body = BodyMap {
            pelvis: joint_of(self.pelvis, n_joints)?,
            spine: self.spine.into_iter().map(|joint| joint_of(joint, n_joints)).collect::<Result<_, _>>()?,
            head: self.head.map(|joint| joint_of(joint, n_joints)).transpose()?,
            legs: PerSide::new(left_leg.into_leg(skeleton)?, right_leg.into_leg(skeleton)?),
            arms: PerSide::new(arm(left_arm)?, arm(right_arm)?),
        };
        for side in Side::BOTH {
            let leg = &body.legs[side];
            let way = [body.pelvis, leg.hip, leg.knee, leg.ankle];
            let is_below = |pair: &[JointId]| pair[0] != pair[1] && skeleton.is_at_or_above(pair[0], pair[1]);
            if !way.windows(2).all(is_below) {
                return Err(format!("pelvis, hip, knee and ankle of the {} leg are no chain", side.name()));
            }
        }
        let length = body.leg_length(skeleton);
        if length.is_finite() && length > 0.0 { Ok(body) } else { Err("the legs have no length".to_string()) }
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

    fn into_leg(self, skeleton: &Skeleton) -> Result<Leg, String> {
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
            heel: vector(heel, "a heel")?,
            ball: vector(ball, "a ball")?,
            toe_tip: vector(toe_tip, "the tip of a toe")?,
            up: vector(up, "the upward direction of a sole")?,
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

impl<'a> StoredStep<'a> {
    fn of(step: &'a CanonicalStep, take: u32) -> StoredStep<'a> {
        let StepSource { frames, mirrored, .. } = &step.source;
        let StepTimes { first, swing, last } = step.times;
        StoredStep {
            take,
            frames: [frames.start as u64, frames.end as u64],
            mirrored: *mirrored,
            swings_right: step.swing() == Side::Right,
            parameters: step.point().to_array(),
            headings: step.headings,
            times: [first, swing, last],
            rows: Cow::Borrowed(&step.rows),
        }
    }

    fn into_step(self, takes: &[Arc<str>]) -> Result<CanonicalStep, String> {
        let take = takes.get(self.take as usize).ok_or_else(|| format!("there is no take {}", self.take))?.clone();
        let [start, end] = self.frames.map(|frame| usize::try_from(frame).unwrap_or(usize::MAX));
        if start > end {
            return Err(format!("its frames {start}..{end} end before they begin"));
        }
        let point = vector(self.parameters, "its place")?;
        let headings = vector(self.headings, "a heading")?.to_array();
        let [first, swing, last] = vector(self.times, "a duration")?.to_array();
        let side = if self.swings_right { Side::Right } else { Side::Left };
        Ok(CanonicalStep {
            source: StepSource { take, frames: start..end, mirrored: self.mirrored },
            parameters: StepParameters { swing: side, start_width: point.x, end_width: point.y, end_length: point.z },
            headings,
            times: StepTimes { first, swing, last },
            rows: self.rows.into(),
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

fn vector(numbers: Three, what: &str) -> Result<Vec3, String> {
    if numbers.iter().all(|number| number.abs() <= MAX_NUMBER) {
        Ok(Vec3::from_array(numbers))
    } else {
        Err(format!("{what} has a number that means nothing: {numbers:?}"))
    }
}

fn rotation(numbers: Four, what: &str) -> Result<Quat, String> {
    let rotation = Quat::from_array(numbers);
    if (rotation.length() - 1.0).abs() <= ROTATION_TOLERANCE {
        Ok(rotation)
    } else {
        Err(format!("{what} is none: {numbers:?}"))
    }
}
