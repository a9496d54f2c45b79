//! What a motion file holds and everything that was assumed about it: the report of `info`, and a part of many others.

use serde::{Deserialize, Serialize};
use std::path::Path;
use surefoot_formats::Import;
use surefoot_geom::Vec3;
use surefoot_motion::{Arm, BodyMap, JointId, Leg, Side, Skeleton};

/// What a motion file holds, and what was assumed about it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct InputReport {
    /// The file.
    pub file: String,
    /// The clip's name: that of its animation or file.
    pub name: String,
    /// How many frames there are.
    pub frames: usize,
    /// Artificial first frames that were dropped.
    pub dropped_frames: usize,
    /// Frames per second.
    pub frame_rate: f64,
    /// Frames per second as the file declares them.
    pub declared_frame_rate: Option<f64>,
    /// In seconds.
    pub duration: f64,
    /// Every joint, parents first.
    pub joints: Vec<JointReport>,
    /// How many joints have no parent.
    pub roots: usize,
    /// How many ends of chains there are.
    pub end_sites: usize,
    /// How many channels a BVH has; 0 for other formats.
    pub channels: usize,
    /// Names of all animations of the file.
    pub animations: Vec<String>,
    /// The unit's name.
    pub unit: String,
    /// Metres per unit.
    pub unit_to_metre: f64,
    /// How the unit was decided: `given`, `declared`, `found` or `usual`.
    pub unit_reason: String,
    /// The axis that pointed up in the motion.
    pub up: String,
    /// The axis that pointed up in the rest pose.
    pub rest_up: String,
    /// How the up axis was decided.
    pub up_reason: String,
    /// Direction that the body faces in the first frame, in degrees.
    pub heading: Option<f64>,
    /// Height of the floor, in metres.
    pub floor: Option<f64>,
    /// Length of the left leg, in metres.
    pub leg_length: Option<f64>,
    /// Lengths of both legs, in metres.
    pub leg_lengths: Option<SideValues<f64>>,
    /// Length of the root trajectory over the ground, in metres.
    pub travel: f64,
    /// Whether the file carries contacts.
    pub has_contacts: bool,
    /// Which joint is which; absent if no body was found.
    pub body: Option<BodyReport>,
    /// Why no body was found.
    pub body_problem: Option<String>,
    /// What is unusual about the meaning of the file.
    pub diagnostics: Vec<DiagnosticReport>,
    /// What is unusual about its syntax.
    pub warnings: Vec<WarningReport>,
}

/// A value for each side.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SideValues<T> {
    /// Of the left foot.
    pub left: T,
    /// Of the right foot.
    pub right: T,
}

/// A joint of a skeleton.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct JointReport {
    /// Its name.
    pub name: String,
    /// Its parent's name.
    pub parent: Option<String>,
    /// Its parent's place in the list.
    pub parent_index: Option<usize>,
}

/// Which joint is which part of the body.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BodyReport {
    /// Root of the body.
    pub pelvis: String,
    /// From the pelvis up.
    pub spine: Vec<String>,
    /// If there is one.
    pub head: Option<String>,
    /// Left leg.
    pub left: LegReport,
    /// Right leg.
    pub right: LegReport,
    /// Both arms, where they were found.
    pub arms: SideValues<Option<ArmReport>>,
}

/// Joints of a leg.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LegReport {
    /// Upper end of the thigh.
    pub hip: String,
    /// Between thigh and shin.
    pub knee: String,
    /// Between shin and foot.
    pub ankle: String,
    /// Between foot and toes.
    pub ball: Option<String>,
    /// Joint or end site of the toes.
    pub toe: Option<String>,
    /// Where the foot touches the ground.
    pub sole: SoleReport,
}

/// Points of a sole in the frame of its ankle at rest, in metres.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SoleReport {
    /// Under the heel.
    pub heel: [f64; 3],
    /// Under the ball.
    pub ball: [f64; 3],
    /// The end of the toes.
    pub toe_tip: [f64; 3],
    /// Away from the ground.
    pub up: [f64; 3],
}

/// Joints of an arm.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ArmReport {
    /// If there is one.
    pub clavicle: Option<String>,
    /// Upper end of the upper arm.
    pub shoulder: String,
    /// Between upper arm and forearm.
    pub elbow: String,
    /// Between forearm and hand.
    pub wrist: Option<String>,
}

/// Something unusual about the meaning of a well-formed file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DiagnosticReport {
    /// A word for machines; `docs/DIAGNOSTICS.md` lists them all.
    pub code: String,
    /// Which or how much; may be empty.
    pub detail: String,
    /// What was found.
    pub message: String,
}

/// Something unusual about the syntax of a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WarningReport {
    /// A word for machines.
    pub code: String,
    /// 1-based.
    pub line: Option<usize>,
    /// What was found, and what was made of it.
    pub message: String,
}

impl InputReport {
    /// Of a motion that was read.
    pub fn new(file: &Path, import: &Import) -> InputReport {
        let (clip, assumed) = (&import.clip, &import.assumed);
        let skeleton = &clip.skeleton;
        let legs = import.leg_lengths();
        let joint = |joint: &surefoot_motion::Joint| JointReport {
            name: joint.name.clone(),
            parent: joint.parent.map(|parent| skeleton.name(parent).to_string()),
            parent_index: joint.parent.map(JointId::index),
        };
        let diagnostic = |d: &surefoot_formats::Diagnostic| DiagnosticReport {
            code: d.code.to_string(),
            detail: d.detail.clone(),
            message: d.message.clone(),
        };
        let warning = |w: &surefoot_formats::Warning| WarningReport {
            code: w.code.to_string(),
            line: w.line,
            message: w.message.clone(),
        };
        InputReport {
            file: file.display().to_string(),
            name: clip.name.clone(),
            frames: clip.n_frames(),
            dropped_frames: assumed.dropped_frames,
            frame_rate: clip.frame_rate,
            declared_frame_rate: assumed.declared_rate,
            duration: clip.duration(),
            joints: skeleton.joints().iter().map(joint).collect(),
            roots: skeleton.roots().count(),
            end_sites: skeleton.end_sites().len(),
            channels: import.n_channels,
            animations: import.animations.clone(),
            unit: assumed.unit.to_string(),
            unit_to_metre: assumed.unit.to_metre,
            unit_reason: assumed.unit_reason.name().to_string(),
            up: assumed.up.motion.name().to_string(),
            rest_up: assumed.up.rest.name().to_string(),
            up_reason: assumed.up_reason.name().to_string(),
            heading: assumed.heading.map(f64::to_degrees),
            floor: assumed.floor,
            leg_length: legs.map(|legs| legs.left),
            leg_lengths: legs.map(|legs| SideValues { left: legs.left, right: legs.right }),
            travel: import.travel,
            has_contacts: import.contacts.is_some(),
            body: import.body.as_ref().ok().map(|body| BodyReport::new(body, skeleton)),
            body_problem: import.body.as_ref().err().map(ToString::to_string),
            diagnostics: import.diagnostics.iter().map(diagnostic).collect(),
            warnings: import.warnings.iter().map(warning).collect(),
        }
    }
}

impl BodyReport {
    /// A body map with the names of its joints.
    pub fn new(body: &BodyMap, skeleton: &Skeleton) -> BodyReport {
        let name = |joint| skeleton.name(joint).to_string();
        let leg = |side: Side| LegReport::new(&body.legs[side], skeleton);
        let arm = |side: Side| body.arms[side].as_ref().map(|arm| ArmReport::new(arm, skeleton));
        BodyReport {
            pelvis: name(body.pelvis),
            spine: body.spine.iter().map(|&joint| name(joint)).collect(),
            head: body.head.map(name),
            left: leg(Side::Left),
            right: leg(Side::Right),
            arms: SideValues { left: arm(Side::Left), right: arm(Side::Right) },
        }
    }
}

impl LegReport {
    fn new(leg: &Leg, skeleton: &Skeleton) -> LegReport {
        let name = |joint| skeleton.name(joint).to_string();
        let point = |point: Vec3| point.to_array();
        LegReport {
            hip: name(leg.hip),
            knee: name(leg.knee),
            ankle: name(leg.ankle),
            ball: leg.ball.map(name),
            toe: leg.toe.map(|toe| toe.name(skeleton).to_string()),
            sole: SoleReport {
                heel: point(leg.foot.heel),
                ball: point(leg.foot.ball),
                toe_tip: point(leg.foot.toe_tip),
                up: point(leg.foot.up),
            },
        }
    }
}

impl ArmReport {
    fn new(arm: &Arm, skeleton: &Skeleton) -> ArmReport {
        let name = |joint| skeleton.name(joint).to_string();
        ArmReport {
            clavicle: arm.clavicle.map(name),
            shoulder: name(arm.shoulder),
            elbow: name(arm.elbow),
            wrist: arm.wrist.map(name),
        }
    }
}
