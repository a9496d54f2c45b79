//! Spine, neck and head: the chain from the pelvis to where the arms branch off, and on from there.

use super::choose_limbs::common_ancestor;
use super::limbs::LimbPair;
use super::measure::{Measures, angle_of};
use crate::joint_names::NamedPart;
use crate::{BodyPoint, JointId};
use surefoot_geom::median;

/// Spine and head of a body.
#[derive(Default)]
pub(super) struct Trunk {
    pub(super) spine: Vec<JointId>,
    pub(super) head: Option<JointId>,
}

impl Trunk {
    /// The highest point known, to tell where up is: the head, or the end of the spine.
    pub(super) fn top(&self) -> Option<BodyPoint> {
        self.head.or(self.spine.last().copied()).map(BodyPoint::Joint)
    }
}

/// How far above the pelvis a spine without arms is sought.
const MAX_CLIMB: usize = 4;

/// Follows the trunk from the pelvis up.
pub(super) fn find_trunk(m: &Measures<'_>, legs: &LimbPair, arms: Option<&LimbPair>) -> Trunk {
    let pelvis = legs.parent;
    let mut spine = arms.map_or_else(Vec::new, |arms| path_to_chest(m, pelvis, arms.parent));
    let chest = spine.last().copied().unwrap_or(pelvis);
    let limbs: Vec<JointId> = first_joints(legs).chain(arms.into_iter().flat_map(first_joints)).collect();
    let mut neck = choose_neck(m, chest, pelvis, &limbs);
    // Without arms the spine may branch off above the pelvis, beside it.
    let mut below = pelvis;
    for _ in 0..MAX_CLIMB {
        let Some(parent) = m.skeleton.parent(below).filter(|_| neck.is_none() && spine.is_empty()) else { break };
        neck = choose_neck(m, parent, pelvis, &[below]);
        below = parent;
    }
    let upper = neck.map_or_else(Vec::new, |neck| joints_of_chain(m, neck));
    // Without arms a spine that is cut off ends in a spine joint: that is no head.
    let is_head = |place: &usize| arms.is_some() || m.facts(upper[*place]).part != Some(NamedPart::Spine);
    let head_place = head_place(m, &upper).filter(is_head);
    let head = head_place.map(|place| upper[place]);
    let neck_end = head_place.unwrap_or_else(|| {
        upper.iter().position(|&joint| m.facts(joint).part != Some(NamedPart::Spine)).unwrap_or(upper.len())
    });
    spine.extend(&upper[..neck_end]);
    Trunk { spine, head }
}

fn first_joints(pair: &LimbPair) -> impl Iterator<Item = JointId> + '_ {
    pair.limbs.iter().map(|limb| limb.start)
}

/// The joints after the pelvis, up to the one that the arms hang on. Where the spine branches off above the pelvis, the
/// common joint belongs to neither.
fn path_to_chest(m: &Measures<'_>, pelvis: JointId, chest: JointId) -> Vec<JointId> {
    let fork = common_ancestor(m, pelvis, chest);
    let mut path = Vec::new();
    let mut at = chest;
    while at != fork {
        path.push(at);
        match m.skeleton.parent(at) {
            Some(parent) => at = parent,
            None => break,
        }
    }
    path.reverse();
    path
}

/// The child of the chest that carries the head: by name, otherwise the longest that leads away from the legs.
fn choose_neck(m: &Measures<'_>, chest: JointId, pelvis: JointId, taken: &[JointId]) -> Option<JointId> {
    let mut best: Option<(f64, JointId)> = None;
    for &child in &m.children[chest.index()] {
        if taken.contains(&child) {
            continue;
        }
        let facts = m.facts(child);
        let weight = match facts.part {
            _ if facts.is_end => 0.0,
            Some(NamedPart::Neck | NamedPart::Head | NamedPart::Spine) => 10.0,
            _ if facts.is_helper => 0.1,
            None if facts.side.is_none() => 1.0,
            _ => 0.1,
        };
        let score = weight * m.reach_through(child) * (1.0 + along_spine(m, pelvis, chest, child));
        if score > 0.0 && best.is_none_or(|(most, _)| score > most) {
            best = Some((score, child));
        }
    }
    best.map(|(_, child)| child)
}

/// The cosine between the spine and the direction to the end of a chain; 0 where there is no spine yet.
fn along_spine(m: &Measures<'_>, pelvis: JointId, chest: JointId, child: JointId) -> f64 {
    let tip = m.chain(child).last().map_or(BodyPoint::Joint(child), |place| place.point);
    let mut cosines: Vec<f64> = m
        .frames
        .iter()
        .filter_map(|pose| {
            let (low, high) = (pose.position(pelvis), pose.position(chest));
            angle_of(high - low, m.position(pose, tip) - high).map(f64::cos)
        })
        .collect();
    median(&mut cosines).unwrap_or(0.0)
}

/// All joints of the chain from `start` on, coincident ones too.
fn joints_of_chain(m: &Measures<'_>, start: JointId) -> Vec<JointId> {
    let mut joints = vec![start];
    let mut at = start;
    while let Some(BodyPoint::Joint(next)) = m.continuation(at) {
        joints.push(next);
        at = next;
    }
    joints
}

/// Which joint of the neck's chain is the head: the first that says so, else the first with several children (eyes,
/// jaw), else the last.
fn head_place(m: &Measures<'_>, chain: &[JointId]) -> Option<usize> {
    let named = chain.iter().position(|&joint| m.facts(joint).part == Some(NamedPart::Head) && !m.facts(joint).is_end);
    let forked = chain.iter().position(|&joint| m.children[joint.index()].len() > 1);
    named.or(forked).or(chain.len().checked_sub(1))
}
