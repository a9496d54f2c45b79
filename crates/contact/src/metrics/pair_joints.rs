//! Which joints of two skeletons belong together, and to which region of the body.
//!
//! Skeletons with the same tree are paired joint by joint. Others are paired through their body maps: pelvis, head, legs and arms
//! by part, the spine from its lower end as far as both have joints.

use surefoot_geom::rotation::angle_between;
use surefoot_motion::{BodyMap, JointId, Side, Skeleton};

/// A part of the body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BodyRegion {
    /// From the hips down.
    Legs,
    /// Pelvis, spine, neck and head.
    Spine,
    /// From the clavicles out; without them from the shoulders.
    Arms,
}

impl BodyRegion {
    /// Legs, spine, arms.
    pub const ALL: [BodyRegion; 3] = [BodyRegion::Legs, BodyRegion::Spine, BodyRegion::Arms];

    /// `legs`, `spine` or `arms`.
    pub fn name(self) -> &'static str {
        match self {
            BodyRegion::Legs => "legs",
            BodyRegion::Spine => "spine",
            BodyRegion::Arms => "arms",
        }
    }

    /// The region of a joint.
    pub fn of(skeleton: &Skeleton, body: &BodyMap, joint: JointId) -> BodyRegion {
        let below = |upper: JointId| skeleton.is_at_or_above(upper, joint);
        if Side::BOTH.iter().any(|&side| below(body.legs[side].hip)) {
            return BodyRegion::Legs;
        }
        let arms = Side::BOTH.iter().filter_map(|&side| body.arms[side]);
        if arms.into_iter().any(|arm| below(arm.clavicle.unwrap_or(arm.shoulder))) {
            return BodyRegion::Arms;
        }
        BodyRegion::Spine
    }
}

/// A joint of one skeleton and its counterpart in another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct JointPair {
    /// In the skeleton that is measured.
    pub joint: JointId,
    /// In the reference.
    pub reference: JointId,
    /// Of the measured joint.
    pub region: BodyRegion,
}

/// Pairs the joints of two skeletons.
pub fn pair_joints(
    skeleton: &Skeleton,
    body: &BodyMap,
    reference: &Skeleton,
    reference_body: &BodyMap,
) -> Vec<JointPair> {
    let pairs: Vec<(JointId, JointId)> = if has_same_tree(skeleton, reference) {
        skeleton.ids().map(|joint| (joint, joint)).collect()
    } else {
        pair_parts(body, reference_body)
    };
    let with_region =
        |(joint, reference)| JointPair { joint, reference, region: BodyRegion::of(skeleton, body, joint) };
    pairs.into_iter().map(with_region).collect()
}

/// Whether two skeletons are one: the same tree, and the same rest pose within a tenth of a millimetre and of a degree. A point that
/// is rigid in a joint's space, such as a heel, then means the same in both.
pub fn is_same_skeleton(a: &Skeleton, b: &Skeleton) -> bool {
    let is_same_rest = |joint: JointId| {
        let (a, b) = (a.joint(joint).rest, b.joint(joint).rest);
        a.translation.distance(b.translation) < SAME_PLACE && angle_between(a.rotation, b.rotation) < SAME_ANGLE
    };
    // A root's rest is where a file happens to begin.
    has_same_tree(a, b) && a.ids().filter(|&joint| a.parent(joint).is_some()).all(is_same_rest)
}

/// Metres that rounding in files may move a joint.
const SAME_PLACE: f64 = 1e-4;
/// Radians that rounding in files may turn a joint; a tenth of a degree.
const SAME_ANGLE: f64 = 0.0017;

fn has_same_tree(a: &Skeleton, b: &Skeleton) -> bool {
    a.n_joints() == b.n_joints() && a.ids().all(|joint| a.parent(joint) == b.parent(joint))
}

fn pair_parts(a: &BodyMap, b: &BodyMap) -> Vec<(JointId, JointId)> {
    let mut pairs = vec![(a.pelvis, b.pelvis)];
    pairs.extend(a.spine.iter().copied().zip(b.spine.iter().copied()));
    pairs.extend(a.head.zip(b.head));
    for side in Side::BOTH {
        let (mine, theirs) = (&a.legs[side], &b.legs[side]);
        pairs.extend([(mine.hip, theirs.hip), (mine.knee, theirs.knee), (mine.ankle, theirs.ankle)]);
        pairs.extend(mine.ball.zip(theirs.ball));
        if let (Some(mine), Some(theirs)) = (&a.arms[side], &b.arms[side]) {
            pairs.extend(mine.clavicle.zip(theirs.clavicle));
            pairs.extend([(mine.shoulder, theirs.shoulder), (mine.elbow, theirs.elbow)]);
            pairs.extend(mine.wrist.zip(theirs.wrist));
        }
    }
    pairs
}
