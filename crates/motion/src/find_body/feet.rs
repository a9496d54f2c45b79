//! The joints of each leg with the ball of its foot and the tip of its toes.

use super::limbs::{Limb, LimbPair};
use super::measure::{ChainPoint, Measures};
use crate::joint_names::NamedPart;
use crate::{BodyPoint, FootShape, JointId, Leg, PerSide};
use surefoot_geom::Vec3;

/// Whether feet have a joint for their toes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FeetFound {
    /// Both feet have a ball joint.
    Toes,
    /// At least one has only an end point after the ankle, or nothing.
    NoToes,
}

/// Distance from ankle to ball as a share of thigh plus shin, where several joints could be the ball: 0.12 to 0.2 in
/// people, the tip of the toes at 0.22 to 0.3, a metatarsal joint below 0.1.
const BALL_DISTANCE: f64 = 0.17;
/// A toe end nearer to the ball than this share of the foot is no point of its own.
const MIN_TOES: f64 = 0.05;

/// Both legs, left first; the limbs are complete.
pub(super) fn find_legs(m: &Measures<'_>, legs: &LimbPair) -> (PerSide<Leg>, FeetFound) {
    let [left, right] = &legs.limbs;
    let legs = PerSide::new(make_leg(m, left, legs.parent), make_leg(m, right, legs.parent));
    let has_toes = legs.left.ball.is_some() && legs.right.ball.is_some();
    (legs, if has_toes { FeetFound::Toes } else { FeetFound::NoToes })
}

fn make_leg(m: &Measures<'_>, limb: &Limb, pelvis: JointId) -> Leg {
    // A complete limb has joints at all three places; the pelvis stands in for what cannot be.
    let at = |place: Option<usize>| place.and_then(|i| limb.joint(i)).unwrap_or(pelvis);
    let ankle_place = limb.ankle.unwrap_or(limb.hip);
    let beyond = &limb.chain[ankle_place + 1..];
    let ankle_arc = limb.chain[ankle_place].arc;
    let ball = choose_ball(m, beyond, ankle_arc, limb.length());
    let toe = beyond.last().filter(|tip| {
        let ball_arc = ball.map_or(ankle_arc, |place| beyond[place].arc);
        ball.is_none_or(|place| place + 1 < beyond.len()) && tip.arc - ball_arc > MIN_TOES * (tip.arc - ankle_arc)
    });
    let ball = ball.and_then(|place| match beyond[place].point {
        BodyPoint::Joint(joint) => Some(joint),
        BodyPoint::EndSite(_) => None,
    });
    // The shape is fitted afterwards, when both feet are known.
    let foot = FootShape { heel: Vec3::ZERO, ball: Vec3::ZERO, toe_tip: Vec3::ZERO, up: Vec3::Y };
    let (hip, knee, ankle) = (at(Some(limb.hip)), at(limb.knee), at(limb.ankle));
    Leg { hip, knee, ankle, ball, toe: toe.map(|place| place.point), foot }
}

/// Which place beyond the ankle is the ball joint. A single joint is it; of several, the one at the right distance,
/// among those that call themselves toes if any do.
fn choose_ball(m: &Measures<'_>, beyond: &[ChainPoint], ankle_arc: f64, leg_length: f64) -> Option<usize> {
    let is_named_ball = |place: &ChainPoint| match place.point {
        BodyPoint::Joint(joint) => m.facts(joint).part == Some(NamedPart::Toe) && !m.facts(joint).is_end,
        BodyPoint::EndSite(_) => false,
    };
    let joints: Vec<usize> = (0..beyond.len()).filter(|&i| !m.is_tip(beyond[i].point)).collect();
    let named: Vec<usize> = joints.iter().copied().filter(|&i| is_named_ball(&beyond[i])).collect();
    let candidates = if named.is_empty() { joints } else { named };
    let misfit = |i: usize| ((beyond[i].arc - ankle_arc) / (BALL_DISTANCE * leg_length)).ln().abs();
    candidates.into_iter().min_by(|&a, &b| misfit(a).total_cmp(&misfit(b)))
}
