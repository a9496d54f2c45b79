//! Finds which joint is which part of a person, in any unit and with any axis up.
//!
//! Idea: a person's skeleton is a tree with two pairs of mirrored limbs. Lengths of segments do not depend on the
//! pose, the unit or the axes; the tree says what hangs on what; and relative geometry over the motion's frames (a
//! foot turns away from its shin, a twist joint never leaves its segment's line) says the rest. The rest pose alone
//! will not do: in some families every segment lies along X or Y there. Names come second: they label sides, break
//! ties and mark helpers, because one and the same word means different joints in different families.
//!
//! 1. [`measure`]: segment lengths (medians over frames), the reach below each joint, bends.
//! 2. [`limbs`]: pairs of mirrored limbs with two long segments of similar length, whatever short, coincident or
//!    straight-lying joints lie between; stumps as well, to be able to report what is missing.
//! 3. [`choose_limbs`]: the legs branch off nearest to the root, end in a foot, and are long; then the arms; an animal
//!    is refused.
//! 4. [`trunk`]: the spine is the chain from the pelvis (the lowest joint above both hips) to where the arms branch off,
//!    and on to the head.
//! 5. [`sides`]: left is up x forward, by the feet over most frames; checked against the names. [`arms`] follow the
//!    legs.
//! 6. [`feet`]: the ball joint and the tip of the toes, and the shape of the sole ([`BodyMap::fit_feet`]).
//!
//! Limits: the tree must be rooted at or above the pelvis, and each ankle must hang below its knee. A rig that keeps
//! its feet apart from its legs (driven by inverse kinematics) is refused with what was found.

mod arms;
mod choose_limbs;
mod error;
mod feet;
mod limbs;
mod measure;
mod sides;
mod trunk;

pub use error::{BodyError, BodyPart, BodyProblem};
pub use feet::FeetFound;
pub use sides::SideEvidence;

use crate::{BodyMap, BodyPoint, JointId, Side, Skeleton, WorldPose};
use choose_limbs::{ChosenLimbs, choose_limbs};
use limbs::{LimbPair, find_limb_pairs};
use measure::Measures;
use surefoot_geom::{Axis, Vec3};
use trunk::find_trunk;

/// A body map and how it came about.
#[derive(Clone, Debug, PartialEq)]
pub struct FoundBody {
    /// Which joint is which part.
    pub map: BodyMap,
    /// How left and right were distinguished.
    pub sides: SideEvidence,
    /// Whether the feet have joints for their toes.
    pub feet: FeetFound,
    /// The direction that legs and spine point up, in the skeleton's own axes: a unit vector, an axis if one is near.
    pub up: Vec3,
    /// Joints in the same place as their parents, roots aside.
    pub zero_length: Vec<JointId>,
    /// One sentence for each thing that was decided.
    pub notes: Vec<String>,
}

/// Joints nearer to their parents than this share of the body count as zero length.
const ZERO_LENGTH: f64 = 1e-6;
/// An axis within this cosine (30 degrees) of the estimated up is taken to be meant.
const NEAR_AXIS: f64 = 0.866;

/// Finds the body map of a skeleton by topology and geometry first, names second.
///
/// `poses` are frames of its motion, in time order and any unit and axes; a few dozen spread over the clip suffice,
/// and more than about fifty are thinned. With none the rest pose has to do. Frames with numbers that are not finite
/// are left out.
pub fn find_body(skeleton: &Skeleton, poses: &[WorldPose]) -> Result<FoundBody, BodyError> {
    let rest = WorldPose::new(skeleton, &skeleton.rest_pose());
    let m = Measures::new(skeleton, &rest, poses);
    let ChosenLimbs { mut legs, arms } = choose_limbs(&m, find_limb_pairs(&m))?;
    let trunk = find_trunk(&m, &legs, arms.as_ref());
    let sides = settle_sides(&m, &mut legs, trunk.top());
    let up = estimate_up(&m, &legs, trunk.top());
    let arms = arms::settle_arms(&m, &legs, arms);
    let (legs_by_side, feet) = feet::find_legs(&m, &legs);
    let mut map = BodyMap { pelvis: legs.parent, spine: trunk.spine, head: trunk.head, legs: legs_by_side, arms };
    map.fit_feet(skeleton, poses, up);
    let zero_length = zero_length_joints(&m);
    let notes = write_notes(&m, &legs, &map, sides, feet);
    Ok(FoundBody { map, sides, feet, up, zero_length, notes })
}

/// Puts the left leg first, and reports how it was found.
fn settle_sides(m: &Measures<'_>, legs: &mut LimbPair, top: Option<BodyPoint>) -> SideEvidence {
    let by_geometry = sides::is_first_left(m, legs, top);
    let by_names = sides::is_first_named_left(m, legs);
    // Feet may be drawn the wrong way round: names, knees and travel together outvote them.
    let by_geometry = match (by_geometry, by_names) {
        (Some(feet), Some(names)) if feet != names => {
            let by_body = sides::is_first_left_by_knees_and_travel(m, legs, top);
            Some(if by_body == Some(names) { names } else { feet })
        }
        _ => by_geometry,
    };
    let (is_left, evidence) = match (by_geometry, by_names) {
        (Some(geometry), Some(names)) if geometry == names => (geometry, SideEvidence::Agreed),
        (Some(geometry), Some(_)) => (geometry, SideEvidence::Contradicted),
        (Some(geometry), None) => (geometry, SideEvidence::GeometryOnly),
        (None, Some(names)) => (names, SideEvidence::NamesOnly),
        (None, None) => (legs.limbs[0].start < legs.limbs[1].start, SideEvidence::Assumed),
    };
    if !is_left {
        legs.limbs.swap(0, 1);
    }
    evidence
}

fn estimate_up(m: &Measures<'_>, legs: &LimbPair, top: Option<BodyPoint>) -> Vec3 {
    let sum: Vec3 = m.frames.iter().map(|pose| sides::up_in_frame(m, pose, legs, top).normalize_or_zero()).sum();
    let up = sum.try_normalize().unwrap_or(Vec3::Y);
    let axis = Axis::nearest(up).to_vec3();
    if up.dot(axis) >= NEAR_AXIS { axis } else { up }
}

fn zero_length_joints(m: &Measures<'_>) -> Vec<JointId> {
    let is_zero = |id: &JointId| m.skeleton.parent(*id).is_some() && m.length[id.index()] <= ZERO_LENGTH * m.size;
    m.skeleton.ids().filter(is_zero).collect()
}

fn write_notes(m: &Measures<'_>, legs: &LimbPair, map: &BodyMap, sides: SideEvidence, feet: FeetFound) -> Vec<String> {
    let mut notes = vec![format!("pelvis {}: the lowest joint above both legs", m.quoted(map.pelvis))];
    for (side, limb) in Side::BOTH.into_iter().zip(&legs.limbs) {
        let leg = &map.legs[side];
        let joints = [leg.hip, leg.knee, leg.ankle].map(|joint| m.quoted(joint)).join(", ");
        let ball = leg.ball.map_or("no ball joint".to_string(), |ball| format!("ball {}", m.quoted(ball)));
        let ratio = limb.shin / limb.thigh;
        notes.push(format!("{} leg {joints} (shin {ratio:.2} of the thigh), {ball}", side.name()));
    }
    notes.push(match sides {
        SideEvidence::Agreed => "left and right: names and feet agree".to_string(),
        SideEvidence::NamesOnly => "left and right: by names, for the feet give no direction".to_string(),
        SideEvidence::GeometryOnly => "left and right: by where the feet point, for the names give no side".to_string(),
        SideEvidence::Contradicted => {
            "left and right: by where the feet point; the names are the opposite and are not used".to_string()
        }
        SideEvidence::Assumed => {
            "left and right: neither names nor feet show it; the first leg is taken for the left".to_string()
        }
    });
    if feet == FeetFound::NoToes {
        notes.push("no toes: the ball of each foot is placed between ankle and toe end".to_string());
    }
    notes
}
