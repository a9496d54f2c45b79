//! Which pair of limbs are the legs, which the arms, and whether the whole is a person.

use super::error::{BodyError, BodyProblem};
use super::limbs::{Limb, LimbPair};
use super::measure::Measures;
use crate::joint_names::NamedPart;
use crate::{JointId, WorldPose};
use surefoot_geom::{Vec3, median};

/// Pairs shorter than this share of the longest one are neither legs nor arms (fingers of a big hand, ears). Arms of
/// cartoon figures reach down to a third of the legs or the other way round.
const MIN_SHARE: f64 = 0.3;
/// Weights of the witnesses. Topology speaks loudest, then the shape of the foot; names alone never outweigh both.
const TOPOLOGY_WEIGHT: f64 = 2.0;
const FOOT_WEIGHT: f64 = 1.5;
const LENGTH_WEIGHT: f64 = 1.0;
const NAME_WEIGHT: f64 = 1.0;
const WHOLE_WEIGHT: f64 = 0.5;
/// Captured legs are alike within a few percent; a leg and a spine that happen to fit are not.
const MISMATCH_WEIGHT: f64 = 4.0;
/// A foot turns away from its shin by 50 to 80 degrees in most frames, a hand by less than 40 from its forearm; the
/// score is zero at 40 degrees and full 30 degrees to either side.
const FOOT_ANGLE: f64 = 0.70;
const FOOT_ANGLE_SPREAD: f64 = 0.52;
/// A first stretch behind the ankle shorter than this share of the foot says nothing of its direction.
const SHORT_START: f64 = 0.25;
/// From this number of like limbs on one joint it is a hand or a spider.
const TOO_MANY_LEGS: usize = 4;

/// The legs, and the arms if there are any.
pub(super) struct ChosenLimbs {
    pub(super) legs: LimbPair,
    pub(super) arms: Option<LimbPair>,
}

/// Chooses legs and arms among mirrored pairs, or reports what is missing.
pub(super) fn choose_limbs(m: &Measures<'_>, mut pairs: Vec<LimbPair>) -> Result<ChosenLimbs, BodyError> {
    let longest = pairs.iter().map(LimbPair::length).fold(0.0, f64::max);
    pairs.retain(|pair| pair.length() >= MIN_SHARE * longest);
    let Some(top) = pairs.iter().map(|pair| pair.parent).reduce(|a, b| common_ancestor(m, a, b)) else {
        return Err(BodyError::without_legs(m));
    };
    let scores: Vec<f64> = pairs.iter().map(|pair| leg_score(m, pair, top, longest)).collect();
    let best = (1..pairs.len()).fold(0, |best, i| if scores[i] > scores[best] { i } else { best });
    let legs = pairs.remove(best);
    if is_pair_of_arms(m, &legs, &pairs) {
        return Err(BodyError::without_legs(m));
    }
    if legs.n_alike >= TOO_MANY_LEGS && name_vote(m, &legs) <= 0.0 {
        return Err(BodyError::not_a_person(m, &legs, BodyProblem::TooManyLegs { count: legs.n_alike }));
    }
    if legs.n_found() < 3 {
        return Err(BodyError::without_feet(m, &legs));
    }
    let arms = choose_arms(m, &legs, pairs);
    if arms.as_ref().is_some_and(|arms| goes_on_all_fours(m, &legs, arms)) {
        return Err(BodyError::not_a_person(m, &legs, BodyProblem::FourLegged));
    }
    Ok(ChosenLimbs { legs, arms })
}

/// How much a pair looks like legs.
fn leg_score(m: &Measures<'_>, pair: &LimbPair, top: JointId, longest: f64) -> f64 {
    // Skeletons are rooted at the pelvis, or in a dummy above it: the legs branch off nearer to the root than the arms.
    let climb = (path_length(m, top, pair.parent) / pair.length()).min(1.0);
    let whole = if pair.n_found() == 3 { WHOLE_WEIGHT } else { 0.0 };
    let foot = foot_vote(m, pair).unwrap_or(0.0);
    LENGTH_WEIGHT * pair.length() / longest + whole + FOOT_WEIGHT * foot + NAME_WEIGHT * name_vote(m, pair)
        - TOPOLOGY_WEIGHT * climb
        - MISMATCH_WEIGHT * pair.mismatch()
}

/// From -1, the limb ends like an arm, to 1, it ends like a leg.
fn foot_vote(m: &Measures<'_>, pair: &LimbPair) -> Option<f64> {
    let votes: Vec<f64> = pair
        .limbs
        .iter()
        .filter_map(|limb| {
            let (knee, ankle) = (limb.knee?, limb.ankle?);
            let (next, tip) = (limb.chain.get(ankle + 1)?, limb.chain.last()?);
            // Some feet begin with a short segment straight down to the sole.
            let is_short = next.arc - limb.chain[ankle].arc < SHORT_START * (tip.arc - limb.chain[ankle].arc);
            let beyond = if is_short { tip } else { next };
            let angle = m.bend(limb.chain[knee].point, limb.chain[ankle].point, beyond.point)?;
            Some(((angle - FOOT_ANGLE) / FOOT_ANGLE_SPREAD).clamp(-1.0, 1.0))
        })
        .collect();
    (!votes.is_empty()).then(|| votes.iter().sum::<f64>() / votes.len() as f64)
}

/// From -1, all names are an arm's or something else's, to 1, all are a leg's; 0 without known names.
fn name_vote(m: &Measures<'_>, pair: &LimbPair) -> f64 {
    let (mut legs, mut others) = (0.0, 0.0);
    for joint in pair.limbs.iter().flat_map(Limb::joints) {
        match m.facts(joint).part {
            Some(NamedPart::Leg | NamedPart::Toe | NamedPart::Heel) => legs += 1.0,
            Some(_) => others += 1.0,
            None => {}
        }
    }
    if legs + others > 0.0 { (legs - others) / (legs + others) } else { 0.0 }
}

/// Whether the best candidate for legs are arms after all, as in a recording of an upper body: their names say so and
/// their ends do not look like feet; or, without names, their ends look like hands and no other pair stands above
/// them.
fn is_pair_of_arms(m: &Measures<'_>, pair: &LimbPair, others: &[LimbPair]) -> bool {
    let name = name_vote(m, pair);
    let foot = foot_vote(m, pair);
    let is_alone = others.iter().all(|other| other.parent == pair.parent || other.n_found() < 2);
    name < 0.0 && foot.unwrap_or(0.0) <= 0.5 || name == 0.0 && is_alone && foot.is_some_and(|vote| vote < -0.5)
}

/// The arms: the longest pair beside the legs that hangs neither on a leg nor on the head by its name.
fn choose_arms(m: &Measures<'_>, legs: &LimbPair, pairs: Vec<LimbPair>) -> Option<LimbPair> {
    let is_on_leg = |joint: JointId| legs.limbs.iter().any(|limb| m.skeleton.is_at_or_above(limb.start, joint));
    let uses_leg = |pair: &LimbPair| pair.limbs.iter().map(|limb| limb.start).any(is_on_leg);
    let mut best: Option<(f64, LimbPair)> = None;
    for pair in pairs {
        if pair.n_found() < 2 || uses_leg(&pair) || is_beside_the_trunk(m, legs, pair.parent) {
            continue;
        }
        let apart = if pair.parent == legs.parent { 0.0 } else { WHOLE_WEIGHT };
        let score = pair.length() / legs.length() + apart + NAME_WEIGHT * arm_vote(m, &pair);
        if best.as_ref().is_none_or(|(most, _)| score > *most) {
            best = Some((score, pair));
        }
    }
    best.map(|(_, pair)| pair)
}

/// Arms branch off no farther from the middle of the body than this share of thigh plus shin; fingers of one hand do.
const MIDLINE: f64 = 0.3;

/// Whether a joint stands to one side of the body in the median frame, as a hand does.
fn is_beside_the_trunk(m: &Measures<'_>, legs: &LimbPair, joint: JointId) -> bool {
    let offset = |pose: &WorldPose| {
        let hips = legs.limbs.each_ref().map(|limb| m.position(pose, limb.chain[limb.hip].point));
        let across = (hips[0] - hips[1]).normalize_or_zero();
        (pose.position(joint) - (hips[0] + hips[1]) / 2.0).dot(across).abs()
    };
    let mut offsets: Vec<f64> = m.frames.iter().map(|pose| offset(pose)).collect();
    median(&mut offsets).is_some_and(|offset| offset > MIDLINE * legs.length())
}

/// From -1 to 1 like [`name_vote`], for arms.
fn arm_vote(m: &Measures<'_>, pair: &LimbPair) -> f64 {
    let parts: Vec<NamedPart> =
        pair.limbs.iter().flat_map(Limb::joints).filter_map(|joint| m.facts(joint).part).collect();
    let n_arm = parts.iter().filter(|part| matches!(part, NamedPart::Arm | NamedPart::Hand)).count();
    if parts.is_empty() { 0.0 } else { 2.0 * n_arm as f64 / parts.len() as f64 - 1.0 }
}

/// Whether this is an animal: at rest and in a good part of the frames both pairs of limbs stand square to the spine,
/// on one side of it, and end at one height. A person who crawls or bends down has a rest pose that stands.
fn goes_on_all_fours(m: &Measures<'_>, legs: &LimbPair, arms: &LimbPair) -> bool {
    let n_on_fours = m.frames.iter().filter(|pose| is_on_fours(m, pose, legs, arms)).count();
    is_on_fours(m, m.rest, legs, arms) && n_on_fours as f64 >= STANDING_FRAMES * m.frames.len() as f64
}

/// Share of the frames that an animal spends with its legs under it; in a gallop they point forward and back for half
/// of the time.
const STANDING_FRAMES: f64 = 0.25;
/// Share of a limb that stands square to the spine, at least; in a standing person it is under 0.3.
const SQUARE_SHARE: f64 = 0.6;
/// All four limbs of an animal end within this share of thigh plus shin of one height, square to a spine that slopes.
const SAME_HEIGHT: f64 = 0.7;

/// An animal's spine is about as long as its legs; one shorter than this share of them has no direction to speak of.
const SHORT_SPINE: f64 = 0.25;

fn is_on_fours(m: &Measures<'_>, pose: &WorldPose, legs: &LimbPair, arms: &LimbPair) -> bool {
    let middle = |pair: &LimbPair| {
        let [a, b] = [0, 1].map(|i| m.position(pose, pair.limbs[i].tip()));
        (a + b) / 2.0
    };
    let (feet, hands) = (middle(legs), middle(arms));
    let (pelvis, chest) = (pose.position(legs.parent), pose.position(arms.parent));
    if (chest - pelvis).length() < SHORT_SPINE * legs.length() {
        return false;
    }
    let Some(spine) = (chest - pelvis).try_normalize() else { return false };
    let square = |limb: Vec3| limb - spine * limb.dot(spine);
    let (leg, arm) = (square(pelvis - feet), square(chest - hands));
    let stands_square = leg.length() > SQUARE_SHARE * (pelvis - feet).length()
        && arm.length() > SQUARE_SHARE * (chest - hands).length()
        && leg.dot(arm) > 0.0;
    let up = (leg + arm).normalize_or_zero();
    stands_square && ((hands - feet).dot(up)).abs() < SAME_HEIGHT * legs.length()
}

/// The lowest joint at or above both; of two trees, the first's root.
pub(super) fn common_ancestor(m: &Measures<'_>, a: JointId, b: JointId) -> JointId {
    let (mut low, mut high) = if m.depth(a) >= m.depth(b) { (a, b) } else { (b, a) };
    while m.depth(low) > m.depth(high) {
        low = m.skeleton.parent(low).unwrap_or(low);
    }
    while low != high {
        match (m.skeleton.parent(low), m.skeleton.parent(high)) {
            (Some(above_low), Some(above_high)) => (low, high) = (above_low, above_high),
            _ => break,
        }
    }
    low
}

/// The chain from an ancestor down to a joint.
fn path_length(m: &Measures<'_>, ancestor: JointId, joint: JointId) -> f64 {
    let mut total = 0.0;
    let mut at = joint;
    while at != ancestor {
        total += m.length[at.index()];
        match m.skeleton.parent(at) {
            Some(parent) => at = parent,
            None => break,
        }
    }
    total
}
