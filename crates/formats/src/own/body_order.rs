//! Whether a body map names joints in the order of a body: what a text may name and what a binary file may store.

use super::body_names::BodyNames;
use super::fields::shortened;
use surefoot_motion::{BodyMap, BodyPoint, JointId, Leg, Side, Skeleton};

/// Two parts that do not stand in the order of a body.
pub(super) struct WrongOrder {
    pub(super) upper: String,
    pub(super) lower: String,
    pub(super) message: String,
}

/// Whether trunk, legs and arms are chains from the pelvis outward, and the legs apart.
pub(super) fn check_order(body: &BodyMap, skeleton: &Skeleton, names: &BodyNames) -> Result<(), WrongOrder> {
    let mut trunk = carrier_of(body, body.spine.first().copied(), skeleton);
    trunk.extend(body.spine.iter().enumerate().map(|(index, &joint)| (format!("spine[{index}]"), joint)));
    trunk.extend(body.head.map(|head| ("head".to_string(), head)));
    check_chain(&trunk, skeleton, names)?;
    for side in Side::BOTH {
        let path = |part: &str| format!("{}.{part}", side.name());
        let leg = &body.legs[side];
        let mut chain = vec![
            ("pelvis".to_string(), body.pelvis),
            (path("hip"), leg.hip),
            (path("knee"), leg.knee),
            (path("ankle"), leg.ankle),
        ];
        chain.extend(leg.ball.map(|ball| (path("ball"), ball)));
        // An end site is moved by its joint, which may be the ball or the ankle itself.
        if let Some(BodyPoint::Joint(toe)) = leg.toe {
            chain.push((path("toe"), toe));
        }
        check_chain(&chain, skeleton, names)?;
        if let Some(toe @ BodyPoint::EndSite(_)) = leg.toe {
            check_toe_site(toe, leg, &path("toe"), skeleton, names)?;
        }
        let Some(arm) = body.arms[side] else { continue };
        let mut chain = carrier_of(body, Some(arm.clavicle.unwrap_or(arm.shoulder)), skeleton);
        chain.extend(arm.clavicle.map(|clavicle| (path("arm.clavicle"), clavicle)));
        chain.extend([(path("arm.shoulder"), arm.shoulder), (path("arm.elbow"), arm.elbow)]);
        chain.extend(arm.wrist.map(|wrist| (path("arm.wrist"), wrist)));
        check_chain(&chain, skeleton, names)?;
    }
    check_sides_apart(body, skeleton, names)
}

/// What a trunk or an arm hangs below: the pelvis or, in skeletons whose trunk is beside it, the joint that carries both.
fn carrier_of(body: &BodyMap, first: Option<JointId>, skeleton: &Skeleton) -> Vec<(String, JointId)> {
    let carries = |parent: &JointId| {
        first.is_some_and(|first| {
            let is_beside = !skeleton.is_at_or_above(body.pelvis, first);
            is_beside && *parent != first && skeleton.is_at_or_above(*parent, first)
        })
    };
    match skeleton.parent(body.pelvis).filter(carries) {
        Some(parent) => vec![("the joint above pelvis".to_string(), parent)],
        None => vec![("pelvis".to_string(), body.pelvis)],
    }
}

/// Each joint must stand below the one before it.
fn check_chain(chain: &[(String, JointId)], skeleton: &Skeleton, names: &BodyNames) -> Result<(), WrongOrder> {
    for pair in chain.windows(2) {
        let [(upper, upper_joint), (lower, lower_joint)] = pair else { continue };
        if upper_joint == lower_joint || !skeleton.is_at_or_above(*upper_joint, *lower_joint) {
            let name = |joint: &JointId| shortened(names.name_of(BodyPoint::Joint(*joint)));
            let message = format!(
                "{lower}: \"{}\" does not hang below {upper}, \"{}\"; name a joint further down, or mend {upper}",
                name(lower_joint),
                name(upper_joint)
            );
            return Err(WrongOrder { upper: upper.clone(), lower: lower.clone(), message });
        }
    }
    Ok(())
}

fn check_toe_site(
    toe: BodyPoint,
    leg: &Leg,
    path: &str,
    skeleton: &Skeleton,
    names: &BodyNames,
) -> Result<(), WrongOrder> {
    let last = leg.ball.unwrap_or(leg.ankle);
    if skeleton.is_at_or_above(last, toe.joint(skeleton)) {
        return Ok(());
    }
    let (site, joint) = (shortened(names.name_of(toe)), shortened(names.name_of(BodyPoint::Joint(last))));
    let message = format!("{path}: the end site \"{site}\" does not belong to this foot, which ends in \"{joint}\"");
    Err(WrongOrder { upper: path.to_string(), lower: path.to_string(), message })
}

/// One leg must not be part of the other.
fn check_sides_apart(body: &BodyMap, skeleton: &Skeleton, names: &BodyNames) -> Result<(), WrongOrder> {
    let (left, right) = (body.legs.left.hip, body.legs.right.hip);
    if !skeleton.is_at_or_above(left, right) && !skeleton.is_at_or_above(right, left) {
        return Ok(());
    }
    let name = |joint| shortened(names.name_of(BodyPoint::Joint(joint)));
    let message = format!(
        "right.hip: \"{}\" and left.hip, \"{}\", are of one leg; each leg has joints of its own",
        name(right),
        name(left)
    );
    Err(WrongOrder { upper: "left.hip".to_string(), lower: "right.hip".to_string(), message })
}
