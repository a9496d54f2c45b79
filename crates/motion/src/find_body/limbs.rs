//! Limbs, and pairs of them that mirror each other: candidates for legs and arms.
//!
//! A limb is a chain of places with two long segments of similar length, called thigh and shin here though arms have
//! them too. Which places of the chain are hip, knee and ankle is a small search over triples:
//!
//! 1. shin and thigh differ by at most a factor of two, and the distance from the trunk to the hip is not much longer than
//!    the thigh (a long collar is);
//! 2. a joint skipped between two of the three lies straight between them in most frames (a twist joint does, an ankle
//!    does not);
//! 3. of what is left, the longest and best balanced triple with the shortest rest behind it (a hand, a foot) and the
//!    fewest skipped joints wins.
//!
//! Two limbs that mirror each other are cut alike: a hand that is held straight on one side only would make its forearm
//! longer there. So the best few triples of each limb are kept, and of two limbs the best that are mirror images.

use super::measure::{ChainPoint, Measures};
use crate::{BodyPoint, JointId};

/// Largest ratio of the two segments of a limb. People stay within 1.4, cartoon figures within 2.
const MAX_SEGMENT_RATIO: f64 = 2.0;
/// Price of a difference between thigh and shin, in units of their sum. At 2 the place after the ankle, which would
/// make the shin a sixth longer, loses to the ankle.
const IMBALANCE_PRICE: f64 = 2.0;
/// Price of what the limb leaves behind its ankle. It tells a collar, upper arm and forearm from an upper arm, forearm
/// and hand.
const REMAINDER_PRICE: f64 = 0.5;
/// Longest distance from the trunk to the hip, in thighs. Collars of 0.33 m on upper arms of 0.26 m occur; from the pelvis
/// over the spine to an arm it is 2.5.
const MAX_BASE: f64 = 1.6;
/// Share of its value that a limb loses for every joint it skips, unless the joint calls itself a helper.
const SKIP_PRICE: f64 = 0.15;
/// A skipped joint may turn the limb by this much (25 degrees) in the median frame; ankles turn it by 50 to 80.
const STRAIGHT: f64 = 0.436;
/// Mirrored segments may differ by this share of the longer one; captured people differ by up to a tenth.
const MIRROR_TOLERANCE: f64 = 0.2;
/// Children of a joint that are looked at, those with the longest reach: a pelvis has legs, spine, tail, skirt.
const MAX_BRANCHES: usize = 10;
/// Branches shorter than this share of the body are no limbs: fingers, toes, eyes.
const MIN_REACH: f64 = 0.15;

/// Ways to cut a limb that are kept.
const MAX_CUTS: usize = 6;

/// One limb. The indices point into `chain`; a joint that is missing makes the limb a stump.
#[derive(Clone, Debug)]
pub(super) struct Limb {
    /// The child of the trunk that the limb begins with.
    pub(super) start: JointId,
    pub(super) chain: Vec<ChainPoint>,
    pub(super) hip: usize,
    pub(super) knee: Option<usize>,
    pub(super) ankle: Option<usize>,
    pub(super) thigh: f64,
    pub(super) shin: f64,
    /// What this choice of hip, knee and ankle is worth; 0 for a stump.
    value: f64,
}

impl Limb {
    pub(super) fn length(&self) -> f64 {
        self.thigh + self.shin
    }

    /// The joint at an index of the chain; `None` where an end site stands there.
    pub(super) fn joint(&self, index: usize) -> Option<JointId> {
        match self.chain[index].point {
            BodyPoint::Joint(joint) => Some(joint),
            BodyPoint::EndSite(_) => None,
        }
    }

    /// The joints of the chain.
    pub(super) fn joints(&self) -> impl Iterator<Item = JointId> + '_ {
        (0..self.chain.len()).filter_map(|i| self.joint(i))
    }

    /// The last place of the chain.
    pub(super) fn tip(&self) -> BodyPoint {
        self.chain[self.chain.len() - 1].point
    }

    /// How many of hip, knee and ankle there are.
    pub(super) fn n_found(&self) -> usize {
        1 + usize::from(self.knee.is_some()) + usize::from(self.ankle.is_some())
    }
}

/// Two limbs of one joint that mirror each other.
#[derive(Clone, Debug)]
pub(super) struct LimbPair {
    /// The lowest joint above both.
    pub(super) parent: JointId,
    pub(super) limbs: [Limb; 2],
    /// How many limbs of about this length hang on the parent, these two included.
    pub(super) n_alike: usize,
}

impl LimbPair {
    pub(super) fn length(&self) -> f64 {
        (self.limbs[0].length() + self.limbs[1].length()) / 2.0
    }

    pub(super) fn n_found(&self) -> usize {
        self.limbs[0].n_found()
    }

    /// How unlike the two limbs are: 0 for mirror images.
    pub(super) fn mismatch(&self) -> f64 {
        mismatch(&self.limbs[0], &self.limbs[1])
    }
}

/// All pairs of mirrored limbs in a skeleton, stumps included, parents first.
pub(super) fn find_limb_pairs(m: &Measures<'_>) -> Vec<LimbPair> {
    let mut pairs = Vec::new();
    for parent in m.skeleton.ids() {
        let mut branches: Vec<JointId> = m.children[parent.index()].clone();
        branches.retain(|&child| m.reach_through(child) > MIN_REACH * m.size && !m.facts(child).is_helper);
        if branches.len() < 2 {
            continue;
        }
        branches.sort_by(|&a, &b| m.reach_through(b).total_cmp(&m.reach_through(a)).then(a.cmp(&b)));
        branches.truncate(MAX_BRANCHES);
        let limbs: Vec<Vec<Limb>> = branches.into_iter().map(|child| fit_limb(m, child)).collect();
        for (i, a) in limbs.iter().enumerate() {
            for b in &limbs[i + 1..] {
                if let Some([a, b]) = mirrored_cuts(a, b) {
                    let n_alike = limbs.iter().filter(|cuts| cuts.iter().any(|limb| are_mirrored(a, limb))).count();
                    pairs.push(LimbPair { parent, limbs: [a.clone(), b.clone()], n_alike });
                }
            }
        }
    }
    pairs
}

/// The best cuts of two limbs that mirror each other.
fn mirrored_cuts<'a>(a: &'a [Limb], b: &'a [Limb]) -> Option<[&'a Limb; 2]> {
    let cuts = a.iter().flat_map(|a| b.iter().map(move |b| [a, b])).filter(|[a, b]| are_mirrored(a, b));
    // Of equals the first: the cuts stand in the order of their value.
    cuts.reduce(|best, cut| if cut[0].value + cut[1].value > best[0].value + best[1].value { cut } else { best })
}

fn are_mirrored(a: &Limb, b: &Limb) -> bool {
    let alike = |x: f64, y: f64| (x - y).abs() <= MIRROR_TOLERANCE * x.max(y);
    a.n_found() == b.n_found() && alike(a.thigh, b.thigh) && alike(a.shin, b.shin) && mismatch(a, b) <= MIRROR_TOLERANCE
}

/// How unlike two limbs are: the sum of the differences between their four stretches (base, thigh, shin, rest) as a
/// share of the longer limb's total length.
fn mismatch(a: &Limb, b: &Limb) -> f64 {
    let stretches = |limb: &Limb| {
        let base = limb.chain[limb.hip].arc;
        let whole = limb.chain[limb.chain.len() - 1].arc;
        [base, limb.thigh, limb.shin, whole - base - limb.length()]
    };
    let (a, b) = (stretches(a), stretches(b));
    let whole = a.iter().sum::<f64>().max(b.iter().sum());
    a.iter().zip(b).map(|(x, y)| (x - y).abs()).sum::<f64>() / whole
}

/// The limb that branches off with `start`: whole, in the best few ways to cut it, or a stump, or nothing.
fn fit_limb(m: &Measures<'_>, start: JointId) -> Vec<Limb> {
    let chain = m.chain(start);
    let complete = fit_complete_limb(m, start, &chain);
    if complete.is_empty() { fit_stump(m, start, chain).into_iter().collect() } else { complete }
}

fn fit_complete_limb(m: &Measures<'_>, start: JointId, chain: &[ChainPoint]) -> Vec<Limb> {
    let n_joints = chain.iter().take_while(|place| !m.is_tip(place.point)).count();
    let mut triples = Vec::new();
    for ankle in 2..n_joints {
        for knee in 1..ankle {
            for hip in 0..knee {
                if let Some(value) = triple_value(m, chain, [hip, knee, ankle]) {
                    triples.push((value, [hip, knee, ankle]));
                }
            }
        }
    }
    // The bends cost most, so they are asked last and only until enough triples pass.
    triples.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    let passing = triples
        .into_iter()
        .filter(|(_, [hip, knee, ankle])| is_straight(m, chain, *hip, *knee) && is_straight(m, chain, *knee, *ankle));
    let limb = |(value, [hip, knee, ankle]): (f64, [usize; 3])| {
        let (thigh, shin) = (chain[knee].arc - chain[hip].arc, chain[ankle].arc - chain[knee].arc);
        Limb { start, chain: chain.to_vec(), hip, knee: Some(knee), ankle: Some(ankle), thigh, shin, value }
    };
    passing.take(MAX_CUTS).map(limb).collect()
}

/// What a choice of hip, knee and ankle is worth; `None` if no limb is built so.
fn triple_value(m: &Measures<'_>, chain: &[ChainPoint], [hip, knee, ankle]: [usize; 3]) -> Option<f64> {
    let (thigh, shin) = (chain[knee].arc - chain[hip].arc, chain[ankle].arc - chain[knee].arc);
    if thigh > MAX_SEGMENT_RATIO * shin || shin > MAX_SEGMENT_RATIO * thigh || chain[hip].arc > MAX_BASE * thigh {
        return None;
    }
    let skipped = (hip + 1..ankle).filter(|&i| i != knee);
    let dear =
        skipped.filter(|&i| !matches!(chain[i].point, BodyPoint::Joint(joint) if m.facts(joint).is_helper)).count();
    let remainder = chain[chain.len() - 1].arc - chain[ankle].arc;
    let value = thigh + shin - IMBALANCE_PRICE * (thigh - shin).abs() - REMAINDER_PRICE * remainder;
    Some(value - SKIP_PRICE * dear as f64 * (thigh + shin))
}

/// Whether everything between two places of a chain lies on the straight line between them.
fn is_straight(m: &Measures<'_>, chain: &[ChainPoint], from: usize, to: usize) -> bool {
    (from + 1..to)
        .all(|i| m.bend(chain[from].point, chain[i].point, chain[to].point).is_none_or(|angle| angle < STRAIGHT))
}

/// What is left of a limb that ends before its ankle: hip and knee, or a hip alone.
fn fit_stump(m: &Measures<'_>, start: JointId, chain: Vec<ChainPoint>) -> Option<Limb> {
    let n_joints = chain.iter().take_while(|place| !m.is_tip(place.point)).count();
    let longest_first = |a: &usize, b: &usize| {
        let segment = |i: usize| chain[i + 1].arc - chain[i].arc;
        segment(*a).total_cmp(&segment(*b)).then(b.cmp(a))
    };
    let hip = (0..chain.len().saturating_sub(1))
        .filter(|&i| i < n_joints && chain[i].arc <= chain[i + 1].arc - chain[i].arc + f64::EPSILON)
        .max_by(longest_first)
        .unwrap_or(0);
    if n_joints == 0 || chain.len() < 2 {
        return None;
    }
    let knee = (hip + 1 < n_joints).then_some(hip + 1);
    let thigh = chain[hip + 1].arc - chain[hip].arc;
    let shin = knee.and_then(|k| chain.get(k + 1).map(|next| next.arc - chain[k].arc)).unwrap_or(0.0);
    Some(Limb { start, chain, hip, knee, ankle: None, thigh, shin, value: 0.0 })
}
