//! How straight legs become, and how constant their bones are.
//!
//! Extension is the distance of hip and ankle as a share of thigh and shin, which are their median lengths over the clip, so that a
//! leg that was stretched to reach its place shows as more than 1. Variation is the longest minus the shortest length of a thigh
//! or shin as a share of its median.

use super::worst::Worst;
use crate::order_statistics::quantile;
use surefoot_motion::{BodyMap, PerSide, Side, WorldPose};

/// A bone of the leg.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LegBone {
    /// Hip to knee.
    Thigh,
    /// Knee to ankle.
    Shin,
}

impl LegBone {
    /// `thigh` or `shin`.
    pub fn name(self) -> &'static str {
        match self {
            LegBone::Thigh => "thigh",
            LegBone::Shin => "shin",
        }
    }
}

/// Extension and variation of both legs.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Legs {
    /// The straightest that each leg becomes, 1 for a straight one; `None` of no poses or of a leg without length.
    pub extension: PerSide<Option<Worst<Side>>>,
    /// Of each thigh and shin; the frame is that of the longest.
    pub variation: PerSide<[Option<Worst<LegBone>>; 2]>,
}

/// Measures both legs over a clip.
pub fn measure_legs(poses: &[WorldPose], body: &BodyMap) -> Legs {
    let mut legs = Legs::default();
    for side in Side::BOTH {
        let bones = [LegBone::Thigh, LegBone::Shin].map(|bone| (bone, lengths(poses, body, side, bone)));
        legs.variation[side] = bones.clone().map(|(bone, lengths)| variation(bone, &lengths));
        let [thigh, shin] = bones.map(|(_, lengths)| quantile(&lengths, 0.5));
        let length = thigh.zip(shin).map(|(thigh, shin)| thigh + shin).filter(|&length| length > 0.0);
        legs.extension[side] = length.and_then(|length| extension(poses, body, side, length));
    }
    legs
}

fn extension(poses: &[WorldPose], body: &BodyMap, side: Side, length: f64) -> Option<Worst<Side>> {
    let leg = &body.legs[side];
    let extended = |pose: &WorldPose| pose.position(leg.hip).distance(pose.position(leg.ankle)) / length;
    Worst::of(poses.iter().enumerate().map(|(frame, pose)| Worst { value: extended(pose), place: side, frame }))
}

fn lengths(poses: &[WorldPose], body: &BodyMap, side: Side, bone: LegBone) -> Vec<f64> {
    let leg = &body.legs[side];
    let (upper, lower) = match bone {
        LegBone::Thigh => (leg.hip, leg.knee),
        LegBone::Shin => (leg.knee, leg.ankle),
    };
    poses.iter().map(|pose| pose.position(upper).distance(pose.position(lower))).collect()
}

fn variation(bone: LegBone, lengths: &[f64]) -> Option<Worst<LegBone>> {
    let middle = quantile(lengths, 0.5).filter(|&middle| middle > 0.0)?;
    let longest = Worst::of(lengths.iter().enumerate().map(|(frame, &value)| Worst { value, place: bone, frame }))?;
    let shortest = lengths.iter().copied().fold(f64::INFINITY, f64::min);
    Some(Worst { value: (longest.value - shortest) / middle, ..longest })
}
