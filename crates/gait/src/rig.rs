//! Any skeleton driven by postures, through its body map.
//!
//! Reference: GAIT 4.2.5 for how the spine shares a turn; the attitudes are those of [`surefoot_motion::anatomy`].
//!
//! Idea: a joint's attitude times its frame's inverse is its rotation in the world, whatever the skeleton's axes and rest
//! pose, so that one posture looks the same on all of them. Segments are rigid: joints between two that a posture names
//! (twist helpers, doubled hips) stay as in the standing person. So knees, ankles and soles are where [`BodyProportions`] says, to
//! rounding:
//!
//! ```text
//! hip   = pelvis + pelvis_attitude * hips        knee  = hip  + thigh * (-Y * thigh_length)
//! ankle = knee + shin * (-Y * shin_length)       point = ankle + foot * (heel, ball or straight toe tip)
//! ```
//!
//! 1. World rotations of the joints that the posture names, written where their local ones will be.
//!    - The trunk: its swing, which is the compensation for list and lean, goes over the lumbar half of the joints, and its
//!      twist over all, so that the lower ones turn with the pelvis and the upper ones with the chest.
//!    - The neck and head share the rotation from chest to head.
//! 2. The joint that carries legs and trunk is placed so that the pelvis lands where it should.
//! 3. From the last joint to the first, world rotations become local: each joint's ancestors are still in the world then.
//!
//! Departure: the paper shares by vertebrae, five lumbar and twelve thoracic. Here the lower half of whatever joints a trunk
//! has is lumbar, and a joint's share of the twist is how far along the trunk its segment lies.
//!
//! Limits: a trunk without joints cannot turn its chest, nor a foot without a ball joint its toes. Hands, fingers, hair and
//! the like stay as in the standing person.

use super::{ArmPosture, LegPosture, Posture};
use std::ops::RangeInclusive;
use surefoot_geom::{Quat, Transform, Vec3, rotation};
use surefoot_motion::{Arm, BodyMap, BodyProportions, JointId, Leg, Pose, Poses, Side, Skeleton, Sole, WorldPose};
use surefoot_motion::{
    anatomy::Anatomy, anatomy::Neutral, anatomy::NeutralFrom, anatomy::TrunkBy, anatomy::sole_frame,
};

/// Why a skeleton cannot be driven.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum RigError {
    /// A segment of a leg has no length.
    #[error("the {} {part} of this skeleton, from joint `{joint}`, is {length} m long; it must have a length", side.name())]
    NoLength {
        /// Which leg.
        side: Side,
        /// `thigh`, `shin` or `foot`.
        part: &'static str,
        /// The joint that turns it.
        joint: String,
        /// As found.
        length: f64,
    },
    /// A sole lies above its ankle.
    #[error(
        "the sole of the {} foot lies above its ankle `{joint}`: the rest pose is no standing person; \
         some motion of this skeleton, or a body file, would show where the sole is", side.name()
    )]
    SoleAboveAnkle {
        /// Which foot.
        side: Side,
        /// The ankle's name.
        joint: String,
    },
    /// A joint has numbers that are none.
    #[error("joint `{joint}` of this skeleton has a rest transform that is not finite")]
    NotFinite {
        /// Its name.
        joint: String,
    },
}

/// A skeleton that takes postures.
#[derive(Clone, Debug)]
pub struct Rig {
    body: BodyMap,
    proportions: BodyProportions,
    stands_as: NeutralFrom,
    /// The standing person, in which every joint stays that a posture does not name.
    standing: Pose,
    /// For each joint the inverse of its frame.
    unframe: Vec<Quat>,
    /// The joint that carries legs and trunk.
    carrier: JointId,
    /// The carrier in the pelvis joint's space, and the world in that of the carrier's parent.
    pelvis_to_carrier: Transform,
    above_carrier: Transform,
    trunk: Vec<TrunkJoint>,
    /// Joints of neck and head with their shares of the rotation from chest to head.
    neck: Vec<(JointId, f64)>,
    /// All joints that a posture names, parents first.
    links: Vec<Link>,
}

/// A joint of the trunk: the share of the rotation from pelvis to chest of it and those below it.
#[derive(Clone, Copy, Debug)]
struct TrunkJoint {
    joint: JointId,
    swing: f64,
    twist: f64,
}

/// The joints above a driven joint.
#[derive(Clone, Copy, Debug)]
struct Link {
    joint: JointId,
    /// The next driven joint above.
    above: Option<JointId>,
    /// From that joint's space, or from the world, to that of the joint's parent; `None` if they are the same, as mostly.
    between: Option<Quat>,
}

impl Rig {
    /// A rig of any person. `poses` is some motion of the skeleton, to learn from it how the person stands where the rest
    /// pose does not say; it may be empty.
    pub fn new(skeleton: &Skeleton, body: &BodyMap, poses: &Poses) -> Result<Rig, RigError> {
        if let Some(joint) = skeleton.joints().iter().find(|joint| !joint.rest.is_finite()) {
            return Err(RigError::NotFinite { joint: joint.name.clone() });
        }
        let neutral = Neutral::find(skeleton, body, poses);
        let trunk_by = TrunkBy::between(NeutralFrom::RestPose, neutral.from);
        let anatomy = Anatomy::new(skeleton, body, neutral, trunk_by);
        let mut rig = Rig::of_anatomy(skeleton, body, &anatomy);
        for side in Side::BOTH {
            rig.fit_foot(skeleton, &anatomy, side);
        }
        rig.check_lengths(skeleton)?;
        rig.proportions.height = rig.measure_height(skeleton);
        Ok(rig)
    }

    /// Which joint is which. The soles are the given ones, but where these were known from a rest pose with splayed legs
    /// alone: there they are fitted to the feet of the person who stands.
    pub fn body(&self) -> &BodyMap {
        &self.body
    }

    /// The lengths of the body.
    pub fn proportions(&self) -> &BodyProportions {
        &self.proportions
    }

    /// Where it is known from how this person stands.
    pub fn stands_as(&self) -> NeutralFrom {
        self.stands_as
    }

    /// A pose to fill: that of the standing person as the skeleton has it, arms in any posture.
    pub fn rest_pose(&self) -> &Pose {
        &self.standing
    }

    /// Fills a pose with a posture, all of it. Allocates nothing. Panics if `out` is not of this skeleton's size.
    pub fn pose(&self, posture: &Posture, out: &mut Pose) {
        out.local.copy_from_slice(&self.standing.local);
        self.turn_trunk(posture, out);
        for side in Side::BOTH {
            self.turn_leg(&self.body.legs[side], &posture.legs[side], out);
            if let Some(arm) = &self.body.arms[side] {
                self.turn_arm(arm, posture.chest, &posture.arms[side], out);
            }
        }
        // Last, for the carrier may be the pelvis itself.
        let pelvis = posture.pelvis.rotation * self.unframe[self.body.pelvis.index()];
        let carrier = Transform::new(pelvis, posture.pelvis.translation) * self.pelvis_to_carrier;
        out[self.carrier] = Transform::new(carrier.rotation, self.above_carrier.transform_point(carrier.translation));
        self.make_local(out);
    }

    fn set_attitude(&self, joint: JointId, attitude: Quat, out: &mut Pose) {
        out[joint].rotation = attitude * self.unframe[joint.index()];
    }

    fn turn_trunk(&self, posture: &Posture, out: &mut Pose) {
        let pelvis = posture.pelvis.rotation;
        let (swing, twist) = rotation::swing_twist(pelvis.conjugate() * posture.chest, Vec3::Y);
        for at in &self.trunk {
            self.set_attitude(at.joint, pelvis * part(swing, at.swing) * part(twist, at.twist), out);
        }
        let neck = posture.chest.conjugate() * posture.head;
        for &(joint, share) in &self.neck {
            self.set_attitude(joint, posture.chest * part(neck, share), out);
        }
    }

    fn turn_leg(&self, leg: &Leg, posture: &LegPosture, out: &mut Pose) {
        self.set_attitude(leg.hip, posture.thigh, out);
        self.set_attitude(leg.knee, posture.shin, out);
        self.set_attitude(leg.ankle, posture.foot, out);
        if let Some(ball) = leg.ball {
            let toes = match posture.toe_bend {
                0.0 => posture.foot,
                bend => posture.foot * Quat::from_rotation_x(-bend),
            };
            self.set_attitude(ball, toes, out);
        }
    }

    fn turn_arm(&self, arm: &Arm, chest: Quat, posture: &ArmPosture, out: &mut Pose) {
        if let Some(clavicle) = arm.clavicle {
            self.set_attitude(clavicle, chest * posture.clavicle, out);
        }
        let upper_arm = chest * posture.upper_arm;
        self.set_attitude(arm.shoulder, upper_arm, out);
        self.set_attitude(arm.elbow, upper_arm * Quat::from_rotation_x(-posture.elbow), out);
    }

    /// Turns world rotations of the driven joints into local ones.
    fn make_local(&self, out: &mut Pose) {
        for link in self.links.iter().rev() {
            let parent = match (link.above.map(|above| out[above].rotation), link.between) {
                (Some(above), Some(between)) => above * between,
                (Some(turn), None) | (None, Some(turn)) => turn,
                (None, None) => continue,
            };
            out[link.joint].rotation = parent.conjugate() * out[link.joint].rotation;
        }
    }
}

/// Making a rig.
impl Rig {
    fn of_anatomy(skeleton: &Skeleton, body: &BodyMap, anatomy: &Anatomy) -> Rig {
        let neutral = &anatomy.neutral.world;
        let unframe: Vec<Quat> = anatomy.frames.iter().map(|frame| frame.conjugate()).collect();
        let carrier = anatomy.carrier;
        let standing = WorldPose::new(skeleton, &anatomy.neutral.pose);
        let above_carrier = skeleton.parent(carrier).map_or(Transform::IDENTITY, |above| standing[above].inverse());
        let trunk = share_trunk(anatomy);
        let neck: Vec<(JointId, f64)> = anatomy.neck.iter().map(|at| (at.joint, at.share)).collect();
        let mut driven = driven_joints(body, carrier);
        driven.extend(trunk.iter().map(|at| at.joint).chain(neck.iter().map(|at| at.0)));
        let pelvis_frame = anatomy.frames[body.pelvis.index()];
        let to_pelvis = Transform::from_rotation(pelvis_frame.conjugate()) * neutral[body.pelvis].inverse();
        let length = |a: JointId, b: JointId| neutral.position(a).distance(neutral.position(b));
        let proportions = BodyProportions {
            height: 0.0,
            hips: body.legs.map(|leg| to_pelvis.transform_point(neutral.position(leg.hip))),
            thigh: body.legs.map(|leg| length(leg.hip, leg.knee)),
            shin: body.legs.map(|leg| length(leg.knee, leg.ankle)),
            soles: body.legs.map(|_| Sole { heel: Vec3::ZERO, ball: Vec3::ZERO, toe_tip: Vec3::ZERO }),
        };
        Rig {
            body: body.clone(),
            proportions,
            stands_as: anatomy.neutral.from,
            unframe,
            carrier,
            pelvis_to_carrier: neutral[body.pelvis].inverse() * neutral[carrier],
            above_carrier,
            trunk,
            neck,
            links: link_joints(skeleton, &standing, driven),
            standing: anatomy.neutral.pose.clone(),
        }
    }

    /// Measures a sole, and turns the foot's frame so that heel and ball are level in it, one straight before the other.
    fn fit_foot(&mut self, skeleton: &Skeleton, anatomy: &Anatomy, side: Side) {
        let leg = self.body.legs[side];
        let ankle_frame = anatomy.frames[leg.ankle.index()];
        if rotation::angle_between(ankle_frame, sole_frame(&leg.foot)) > SPLAYED {
            // The foot is square to a splayed shin: only in a person who stands is it known where its sole is.
            let mut pose = self.standing.clone();
            self.pose(&Posture::default(), &mut pose);
            let mut fitted = self.body.clone();
            fitted.fit_feet(skeleton, &[WorldPose::new(skeleton, &pose)], Vec3::Y);
            self.body.legs[side].foot = fitted.legs[side].foot;
        }
        let neutral = &anatomy.neutral.world;
        let mut foot = self.body.legs[side].foot;
        if let Some(ball) = leg.ball {
            let moved = neutral[leg.ankle].inverse().transform_point(neutral.position(ball)) - foot.ball;
            foot.ball += moved;
            foot.toe_tip += moved;
        }
        let frame = sole_frame(&foot);
        self.unframe[leg.ankle.index()] = frame.conjugate();
        let [heel, ball, toe_tip] = [foot.heel, foot.ball, foot.toe_tip].map(|point| frame.conjugate() * point);
        let sole = Sole { heel, ball, toe_tip: Vec3::new(toe_tip.x, ball.y, toe_tip.z) };
        self.proportions.soles[side] = sole;
        if let Some(ball) = leg.ball {
            let to_foot = frame.conjugate() * neutral[leg.ankle].rotation.conjugate();
            let toes = leg.toe.filter(|toe| skeleton.is_at_or_above(ball, toe.joint(skeleton)));
            let toes = toes.map(|toe| to_foot * (neutral.point(skeleton, toe) - neutral.position(ball)));
            let straighten = toes.map_or(Quat::IDENTITY, |toes| straighten_toes(toes, sole.toe_tip - sole.ball));
            self.unframe[ball.index()] = (straighten * to_foot * neutral[ball].rotation).normalize();
        }
    }

    fn check_lengths(&self, skeleton: &Skeleton) -> Result<(), RigError> {
        for side in Side::BOTH {
            let leg = &self.body.legs[side];
            let sole = &self.proportions.soles[side];
            let shortest =
                SHORTEST * (self.proportions.leg_length(Side::Left) + self.proportions.leg_length(Side::Right));
            for (part, joint, length) in [
                ("thigh", leg.hip, self.proportions.thigh[side]),
                ("shin", leg.knee, self.proportions.shin[side]),
                ("foot", leg.ankle, sole.heel.distance(sole.ball)),
            ] {
                // Written so that a NaN is refused too.
                let is_length = length > shortest && length.is_finite();
                if !is_length {
                    return Err(RigError::NoLength { side, part, joint: skeleton.name(joint).to_string(), length });
                }
            }
            if sole.ball.y > shortest {
                return Err(RigError::SoleAboveAnkle { side, joint: skeleton.name(leg.ankle).to_string() });
            }
        }
        Ok(())
    }

    /// From the soles to the top of the head of the person who stands straight.
    fn measure_height(&self, skeleton: &Skeleton) -> f64 {
        let hips = Side::BOTH.map(|side| self.proportions.leg_length(side) - self.proportions.soles[side].ball.y);
        let by_legs = (hips[0] + hips[1]) / 2.0 / HIP_HEIGHT;
        let Some(head) = self.body.head else { return by_legs };
        let mut pose = self.standing.clone();
        self.pose(&Posture::default(), &mut pose);
        let world = WorldPose::new(skeleton, &pose);
        let above_head = |joint: JointId| skeleton.is_at_or_above(head, joint);
        let joints = skeleton.ids().filter(|&joint| above_head(joint)).map(|joint| world.position(joint).y);
        let sites = skeleton.end_sites().iter().filter(|site| above_head(site.parent));
        let sites = sites.map(|site| world[site.parent].transform_point(site.offset).y);
        let top = joints.chain(sites).fold(f64::NEG_INFINITY, f64::max);
        let height = top + self.proportions.standing_pelvis_height();
        let is_skull = top - world.position(head).y > SKULL * by_legs;
        if is_skull && HEIGHTS.contains(&(height / by_legs)) { height } else { by_legs }
    }
}

/// A foot of the standing person whose sole lies this far off that of the map, in radians, is splayed in the rest pose.
const SPLAYED: f64 = 1e-6;
/// Parts of legs shorter than this share of both legs have no direction.
const SHORTEST: f64 = 1e-3;
/// Height of the hips over that of the person, by the proportions of our own figure.
const HIP_HEIGHT: f64 = 0.94 / 1.8;
/// A point this share of the height above the head's joint is the top of a head. Our own figure has 0.066 to 0.19 over all
/// of its proportions, people 0.1, and the ends of mocap skeletons inside their heads 0.055.
const SKULL: f64 = 0.06;
/// Heights over that of people with such legs: beyond these it is a hat's, or a robot's. Our own figure has 0.86 to 1.25.
const HEIGHTS: RangeInclusive<f64> = 0.8..=1.3;

/// Toes of a standing person lie on the sole within this angle, in radians (30 degrees).
const STRAIGHT_TOES: f64 = 0.52;

/// The turn that lays the toes of a standing person on the sole; none where their end lies far off it, for it is no toe tip.
fn straighten_toes(toes: Vec3, along_sole: Vec3) -> Quat {
    let turn = rotation::between_directions(toes, along_sole);
    if rotation::angle_between(turn, Quat::IDENTITY) < STRAIGHT_TOES { turn } else { Quat::IDENTITY }
}

/// How the trunk shares a turn: the swing over its lower half, the twist over all.
fn share_trunk(anatomy: &Anatomy) -> Vec<TrunkJoint> {
    let trunk = &anatomy.trunk;
    let top_lumbar = trunk.len().div_ceil(2).saturating_sub(1);
    let lumbar_share = trunk.get(top_lumbar).map_or(1.0, |at| at.share);
    let joint = |at: &surefoot_motion::anatomy::ChainJoint| TrunkJoint {
        joint: at.joint,
        swing: (at.share / lumbar_share).min(1.0),
        twist: at.share,
    };
    trunk.iter().map(joint).collect()
}

/// The joints of carrier, legs and arms that a posture turns.
fn driven_joints(body: &BodyMap, carrier: JointId) -> Vec<JointId> {
    let legs = body.legs.iter().flat_map(|(_, leg)| [Some(leg.hip), Some(leg.knee), Some(leg.ankle), leg.ball]);
    let arms = body.arms.iter().filter_map(|(_, arm)| *arm);
    let arms = arms.flat_map(|arm| [arm.clavicle, Some(arm.shoulder), Some(arm.elbow)]);
    legs.chain(arms).flatten().chain([carrier]).collect()
}

fn link_joints(skeleton: &Skeleton, standing: &WorldPose, mut driven: Vec<JointId>) -> Vec<Link> {
    driven.sort();
    driven.dedup();
    let link = |&joint: &JointId| {
        let parent = skeleton.parent(joint);
        let mut above = parent;
        while let Some(id) = above.filter(|id| driven.binary_search(id).is_err()) {
            above = skeleton.parent(id);
        }
        let rotation_of = |joint: Option<JointId>| joint.map_or(Quat::IDENTITY, |joint| standing[joint].rotation);
        let between = (above != parent).then(|| (rotation_of(above).conjugate() * rotation_of(parent)).normalize());
        Link { joint, above, between }
    };
    driven.iter().map(link).collect()
}

/// A share of a turn. Straight through the quaternions, which is the same within a degree for the turns of a trunk or neck, and needs no
/// angle.
fn part(turn: Quat, share: f64) -> Quat {
    let turn = if turn.w < 0.0 { -turn } else { turn };
    if share >= 1.0 { turn } else { Quat::IDENTITY.lerp(turn, share) }
}

#[cfg(test)]
#[path = "rig_tests.rs"]
mod tests;
