//! Left and right: by where the feet point, checked against the names.
//!
//! In each frame, *up* is the direction from the ankles to the hips plus that up the spine, and *forward* the direction from
//! ankle to toes, level to it; where a foot has no direction, the direction in which a bent knee points out from the line of its leg.
//! The left hip then lies toward up x forward. Crossed legs or a pirouette spoil some frames, so a clear majority has
//! to agree. Feet that are drawn the wrong way round (a rig whose toe ends lie behind its ankles) are outvoted where names, bent knees
//! and the travel of the body all say the opposite.

use super::limbs::{Limb, LimbPair};
use super::measure::Measures;
use crate::{BodyPoint, Side, WorldPose};
use surefoot_geom::Vec3;

/// How left and right were distinguished.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SideEvidence {
    /// Names and geometry say the same.
    Agreed,
    /// The feet and knees give no direction; the names decided.
    NamesOnly,
    /// The names say nothing; the geometry decided.
    GeometryOnly,
    /// The names say the opposite of the geometry; the geometry decided.
    Contradicted,
    /// Neither says anything; the leg that comes first in the skeleton was taken for the left one.
    Assumed,
}

/// Below this volume of the unit up, forward and sideways directions a frame says nothing.
const CLEAR_FRAME: f64 = 0.25;
/// Share of the clear frames that must agree.
const CLEAR_MAJORITY: f64 = 0.6;
/// Knees point clearly to one side from this mean cosine on, of both legs together.
const CLEAR_KNEES: f64 = 0.3;
/// A knee that stands out by less than this share of the leg's length gives no direction.
const BENT_KNEE: f64 = 0.04;

/// Whether the first limb of the pair is the left one by geometry; `None` if it cannot be decided.
pub(super) fn is_first_left(m: &Measures<'_>, legs: &LimbPair, spine_top: Option<BodyPoint>) -> Option<bool> {
    let (mut n_left, mut n_right) = (0usize, 0usize);
    for pose in &m.frames {
        match frame_vote(m, pose, legs, spine_top) {
            Some(volume) if volume > CLEAR_FRAME => n_left += 1,
            Some(volume) if volume < -CLEAR_FRAME => n_right += 1,
            _ => {}
        }
    }
    let needed = CLEAR_MAJORITY * (n_left + n_right) as f64;
    if n_left + n_right == 0 || (n_left.max(n_right) as f64) < needed {
        return None;
    }
    Some(n_left > n_right)
}

/// Whether the first limb of the pair is the left one by how its bent knees point and by where the body travels: `None` if they
/// do not both show it.
pub(super) fn is_first_left_by_knees_and_travel(
    m: &Measures<'_>,
    legs: &LimbPair,
    spine_top: Option<BodyPoint>,
) -> Option<bool> {
    let (mut knees, mut travel) = (0.0_f64, 0.0_f64);
    let mut before: Option<Vec3> = None;
    for pose in &m.frames {
        let up = up_in_frame(m, pose, legs, spine_top).normalize_or_zero();
        let [a, b] = [0, 1].map(|i| m.position(pose, legs.limbs[i].chain[legs.limbs[i].hip].point));
        let ahead = (a - b).cross(up).normalize_or_zero();
        knees += legs.limbs.iter().map(|limb| knee_forward(m, pose, limb, up).dot(ahead)).sum::<f64>();
        let hips = 0.5 * (a + b);
        if let Some(before) = before {
            travel += (hips - before).dot(ahead);
        }
        before = Some(hips);
    }
    let far = legs.length();
    let clear = knees.abs() > CLEAR_KNEES * m.frames.len() as f64 && travel.abs() > far;
    (clear && knees.signum() == travel.signum()).then_some(knees > 0.0)
}

/// Positive if the first hip lies to the left of where the feet point.
fn frame_vote(m: &Measures<'_>, pose: &WorldPose, legs: &LimbPair, spine_top: Option<BodyPoint>) -> Option<f64> {
    let joint = |limb: &Limb, place: Option<usize>| place.map(|i| m.position(pose, limb.chain[i].point));
    let [a, b] = &legs.limbs;
    let (hip_a, hip_b) = (joint(a, Some(a.hip))?, joint(b, Some(b.hip))?);
    let sideways = (hip_a - hip_b).try_normalize()?;
    let up = up_in_frame(m, pose, legs, spine_top).try_normalize()?;
    let forward: Vec3 = legs.limbs.iter().map(|limb| leg_forward(m, pose, limb, up)).sum();
    Some(up.cross(forward.try_normalize()?).dot(sideways))
}

/// From the ankles to the hips plus up the spine, each with length one.
pub(super) fn up_in_frame(m: &Measures<'_>, pose: &WorldPose, legs: &LimbPair, spine_top: Option<BodyPoint>) -> Vec3 {
    let mut up = Vec3::ZERO;
    for limb in &legs.limbs {
        if let Some(ankle) = limb.ankle {
            let leg = m.position(pose, limb.chain[limb.hip].point) - m.position(pose, limb.chain[ankle].point);
            up += leg.normalize_or_zero() / 2.0;
        }
    }
    let spine = spine_top.map_or(Vec3::ZERO, |top| m.position(pose, top) - pose.position(legs.parent));
    up + spine.normalize_or_zero()
}

/// Where one leg points, level to `up`: its foot, or its bent knee, or nowhere (zero).
fn leg_forward(m: &Measures<'_>, pose: &WorldPose, limb: &Limb, up: Vec3) -> Vec3 {
    let level = |v: Vec3| v - up * v.dot(up);
    let Some(ankle) = limb.ankle else { return Vec3::ZERO };
    let at = |place: usize| m.position(pose, limb.chain[place].point);
    let ankle_at = at(ankle);
    if ankle + 1 < limb.chain.len() {
        let foot = at(limb.chain.len() - 1) - ankle_at;
        let forward = level(foot);
        if forward.length() > 0.3 * foot.length() {
            return forward.normalize_or_zero();
        }
    }
    knee_forward(m, pose, limb, up)
}

/// Where a bent knee points, level to `up`; zero for a straight leg.
fn knee_forward(m: &Measures<'_>, pose: &WorldPose, limb: &Limb, up: Vec3) -> Vec3 {
    let (Some(knee), Some(ankle)) = (limb.knee, limb.ankle) else { return Vec3::ZERO };
    let [hip, knee, ankle] = [limb.hip, knee, ankle].map(|place| m.position(pose, limb.chain[place].point));
    let line = (ankle - hip).normalize_or_zero();
    let out = (knee - hip) - line * (knee - hip).dot(line);
    let level = out - up * out.dot(up);
    if out.length() > BENT_KNEE * limb.length() { level.normalize_or_zero() } else { Vec3::ZERO }
}

/// The side that a limb's names speak of, if they agree more than they disagree.
pub(super) fn named_side(m: &Measures<'_>, limb: &Limb) -> Option<Side> {
    let sides: Vec<Side> = limb.joints().filter_map(|joint| m.facts(joint).side).collect();
    let n_left = sides.iter().filter(|&&side| side == Side::Left).count();
    match (2 * n_left).cmp(&sides.len()) {
        _ if sides.is_empty() => None,
        std::cmp::Ordering::Greater => Some(Side::Left),
        std::cmp::Ordering::Less => Some(Side::Right),
        std::cmp::Ordering::Equal => None,
    }
}

/// Whether the names take the first limb of a pair for the left one; `None` if they do not tell the two apart.
pub(super) fn is_first_named_left(m: &Measures<'_>, pair: &LimbPair) -> Option<bool> {
    match [0, 1].map(|i| named_side(m, &pair.limbs[i])) {
        [Some(a), Some(b)] if a == b => None,
        [Some(a), _] => Some(a == Side::Left),
        [None, Some(b)] => Some(b == Side::Right),
        [None, None] => None,
    }
}
