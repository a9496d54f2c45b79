//! The joints of the arms, and which arm is the left one.
//!
//! Arms are harder to cut than legs: a collar may be nearly as long as an upper arm and lie straight before it, and
//! the hand goes on straight behind the forearm. So the wrist is sought first, where the fingers fork, and the elbow
//! and shoulder then stand before it.

use super::limbs::{Limb, LimbPair};
use super::measure::Measures;
use super::sides::is_first_named_left;
use crate::joint_names::NamedPart;
use crate::{Arm, BodyPoint, JointId, PerSide, WorldPose};

/// A joint forks into fingers if a second child reaches at least this share as far as the first; a twist joint beside a
/// forearm reaches 0.3.
const FORK_SHARE: f64 = 0.35;
/// Upper arm and forearm differ at most by this factor.
const MAX_SEGMENT_RATIO: f64 = 2.0;
/// Share of its length that an arm loses in value for every joint it skips.
const SKIP_PRICE: f64 = 0.15;
/// The shoulders must lie this clearly along the line of the hips, in the mean cosine over frames, to be trusted with
/// the sides.
const CLEAR_SHARE: f64 = 0.2;

/// The arms by side: the left shoulder lies toward the left hip in most frames; where that is unclear, names decide.
/// The legs stand left first.
pub(super) fn settle_arms(m: &Measures<'_>, legs: &LimbPair, arms: Option<LimbPair>) -> PerSide<Option<Arm>> {
    let Some(mut arms) = arms else { return PerSide::new(None, None) };
    let place = |pose: &WorldPose, limb: &Limb| m.position(pose, limb.chain[limb.hip].point);
    let across = |pose: &WorldPose, pair: &LimbPair| {
        (place(pose, &pair.limbs[0]) - place(pose, &pair.limbs[1])).normalize_or_zero()
    };
    let sum: f64 = m.frames.iter().map(|pose| across(pose, legs).dot(across(pose, &arms))).sum();
    let share = sum / m.frames.len() as f64;
    let by_names = is_first_named_left(m, &arms).zip(is_first_named_left(m, legs)).map(|(arm, leg)| arm == leg);
    let is_ordered = if share.abs() > CLEAR_SHARE { share > 0.0 } else { by_names.unwrap_or(true) };
    if !is_ordered {
        arms.limbs.swap(0, 1);
    }
    let [left, right] = &arms.limbs;
    PerSide::new(make_arm(m, left), make_arm(m, right))
}

fn make_arm(m: &Measures<'_>, limb: &Limb) -> Option<Arm> {
    let joints: Vec<JointId> = limb_joints(m, limb);
    let cut =
        find_wrist(m, &joints).and_then(|wrist| cut_before(m, &joints, wrist).map(|cut| (cut, Some(joints[wrist]))));
    let ((shoulder, elbow), wrist) = match cut {
        Some(found) => found,
        None => {
            let at = |place: Option<usize>| place.and_then(|i| limb.joint(i));
            ((at(Some(limb.hip))?, at(limb.knee)?), at(limb.ankle))
        }
    };
    let before = joints.iter().position(|&joint| joint == shoulder).and_then(|place| place.checked_sub(1));
    Some(Arm { clavicle: before.map(|place| joints[place]), shoulder, elbow, wrist })
}

/// All joints of a limb, coincident ones too, up to the end of the chain.
fn limb_joints(m: &Measures<'_>, limb: &Limb) -> Vec<JointId> {
    let mut joints = vec![limb.start];
    while let Some(BodyPoint::Joint(next)) = joints.last().and_then(|&joint| m.continuation(joint)) {
        joints.push(next);
        if joints.len() > MAX_ARM_JOINTS {
            break;
        }
    }
    joints
}

/// Joints of an arm and a finger, generously.
const MAX_ARM_JOINTS: usize = 24;

/// Where the fingers fork, or the first joint that calls itself a hand if none forks.
fn find_wrist(m: &Measures<'_>, joints: &[JointId]) -> Option<usize> {
    let forks = |&joint: &JointId| {
        let mut reaches: Vec<f64> = m.children[joint.index()]
            .iter()
            .filter(|&&child| !m.facts(child).is_helper)
            .map(|&child| m.reach_through(child))
            .collect();
        reaches.sort_by(|a, b| b.total_cmp(a));
        matches!(reaches[..], [first, second, ..] if second > FORK_SHARE * first)
    };
    let is_named_hand = |&joint: &JointId| m.facts(joint).part == Some(NamedPart::Hand) && !m.facts(joint).is_end;
    joints.iter().position(forks).or_else(|| joints.iter().position(is_named_hand))
}

/// The shoulder and elbow before a wrist: the best balanced cut of the chain to it.
fn cut_before(m: &Measures<'_>, joints: &[JointId], wrist: usize) -> Option<(JointId, JointId)> {
    let mut arc = vec![0.0; wrist + 1];
    for i in 1..=wrist {
        arc[i] = arc[i - 1] + m.length[joints[i].index()];
    }
    let mut best: Option<(f64, (JointId, JointId))> = None;
    for elbow in 1..wrist {
        for shoulder in 0..elbow {
            let (upper, fore) = (arc[elbow] - arc[shoulder], arc[wrist] - arc[elbow]);
            if upper > MAX_SEGMENT_RATIO * fore || fore > MAX_SEGMENT_RATIO * upper || fore <= 0.0 {
                continue;
            }
            // Imbalance and skipped joints cost as much as in legs; of coincident joints the later ones count.
            let between = (shoulder + 1..wrist).filter(|&i| i != elbow);
            let n_dear =
                between.filter(|&i| m.length[joints[i].index()] > 0.0 && !m.facts(joints[i]).is_helper).count();
            let value = upper + fore - 2.0 * (upper - fore).abs() - SKIP_PRICE * n_dear as f64 * (upper + fore);
            if best.is_none_or(|(most, _)| value >= most) {
                best = Some((value, (joints[shoulder], joints[elbow])));
            }
        }
    }
    best.map(|(_, cut)| cut)
}
