//! What each joint is: the map from anatomy to joints that every algorithm goes through.

use crate::{JointId, PerSide, Side, Skeleton, WorldPose};
use surefoot_geom::Vec3;

/// A joint or an end site, where either may hold a place (the tip of a toe).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BodyPoint {
    /// A joint.
    Joint(JointId),
    /// An index into [`Skeleton::end_sites`].
    EndSite(usize),
}

impl BodyPoint {
    /// The joint's name; for an end site its own name, or its joint's with `_End` behind it.
    pub fn name(self, skeleton: &Skeleton) -> String {
        match self {
            BodyPoint::Joint(joint) => skeleton.name(joint).to_string(),
            BodyPoint::EndSite(index) => {
                let site = &skeleton.end_sites()[index];
                site.name.clone().unwrap_or_else(|| format!("{}_End", skeleton.name(site.parent)))
            }
        }
    }

    /// The joint that moves the point.
    pub fn joint(self, skeleton: &Skeleton) -> JointId {
        match self {
            BodyPoint::Joint(joint) => joint,
            BodyPoint::EndSite(index) => skeleton.end_sites()[index].parent,
        }
    }
}

/// The sole: three points and its upward direction, rigid in the ankle's space, with the toes straight.
///
/// ```text
///        ankle
///          o
///         /  \__
///   heel *----*----* toe tip
///             ball            the sole is level when the foot is flat on the ground
/// ```
///
/// The ball is the papers' subtalar joint: a footprint's position is where the ball is planted, its heading heel to toe.
/// No skeleton stores a heel; it is derived (see [`crate::find_body`]) and can be overridden by a body file.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FootShape {
    /// The back of the sole.
    pub heel: Vec3,
    /// The ball joint, or where it would be in a foot without one.
    pub ball: Vec3,
    /// The front of the sole.
    pub toe_tip: Vec3,
    /// Unit vector that points away from the ground when the foot is flat on the ground. The three points lie along one line, and an
    /// ankle may lie on it too, so they do not tell.
    pub up: Vec3,
}

/// The joints of one leg, from the hip down.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Leg {
    /// The joint that swings the thigh.
    pub hip: JointId,
    /// The joint that bends the shin.
    pub knee: JointId,
    /// The joint that turns the foot.
    pub ankle: JointId,
    /// The joint that bends the toes; some skeletons have none.
    pub ball: Option<JointId>,
    /// The end of the toes, if the skeleton has a point for it.
    pub toe: Option<BodyPoint>,
    /// The sole.
    pub foot: FootShape,
}

impl Leg {
    /// The tip of toes that a ball joint bends though the skeleton has no point for their end, in the joint's space; `None` for
    /// other feet.
    pub fn drawn_toe_tip(&self, rest: &WorldPose) -> Option<Vec3> {
        let ball = self.ball.filter(|_| self.toe.is_none())?;
        Some(rest[ball].inverse().transform_point(rest[self.ankle].transform_point(self.foot.toe_tip)))
    }
}

/// The joints of one arm, from the trunk out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Arm {
    /// The joint that lifts the shoulder; some skeletons have none.
    pub clavicle: Option<JointId>,
    /// The joint that swings the upper arm.
    pub shoulder: JointId,
    /// The joint that bends the forearm.
    pub elbow: JointId,
    /// The joint that turns the hand; some skeletons end at the elbow.
    pub wrist: Option<JointId>,
}

/// Which joint is which part of a person.
#[derive(Clone, Debug, PartialEq)]
pub struct BodyMap {
    /// The lowest joint above both hips.
    pub pelvis: JointId,
    /// From the joint after the pelvis up to the neck, without the head.
    pub spine: Vec<JointId>,
    /// The joint that turns the head.
    pub head: Option<JointId>,
    /// Both legs.
    pub legs: PerSide<Leg>,
    /// Both arms, where the skeleton has them.
    pub arms: PerSide<Option<Arm>>,
}

impl BodyMap {
    /// Thigh plus shin in the rest pose, the mean of both legs.
    pub fn leg_length(&self, skeleton: &Skeleton) -> f64 {
        let rest = WorldPose::new(skeleton, &skeleton.rest_pose());
        self.leg_length_in(&rest)
    }

    /// Thigh plus shin in one pose, the mean of both legs.
    pub fn leg_length_in(&self, pose: &WorldPose) -> f64 {
        let lengths = self.leg_lengths_in(pose);
        (lengths.left + lengths.right) / 2.0
    }

    /// Thigh plus shin of each leg in one pose.
    pub fn leg_lengths_in(&self, pose: &WorldPose) -> PerSide<f64> {
        self.legs.map(|leg| {
            let [hip, knee, ankle] = [leg.hip, leg.knee, leg.ankle].map(|joint| pose.position(joint));
            hip.distance(knee) + knee.distance(ankle)
        })
    }

    /// The direction that the body faces on the ground in one pose: (right hip -> left hip) x up. Zero if the
    /// hips stand one above the other.
    pub fn facing(&self, pose: &WorldPose) -> Vec3 {
        let left = pose.position(self.legs.left.hip) - pose.position(self.legs.right.hip);
        left.cross(Vec3::Y).normalize_or_zero()
    }

    /// The same body of a skeleton whose joints have other numbers. End sites keep theirs.
    pub fn with_joints(&self, number: impl Fn(JointId) -> JointId) -> BodyMap {
        BodyMap {
            pelvis: number(self.pelvis),
            spine: self.spine.iter().map(|&joint| number(joint)).collect(),
            head: self.head.map(&number),
            legs: self.legs.map(|leg| Leg {
                hip: number(leg.hip),
                knee: number(leg.knee),
                ankle: number(leg.ankle),
                ball: leg.ball.map(&number),
                toe: leg.toe.map(|toe| match toe {
                    BodyPoint::Joint(joint) => BodyPoint::Joint(number(joint)),
                    site => site,
                }),
                foot: leg.foot,
            }),
            arms: self.arms.map(|arm| {
                arm.map(|arm| Arm {
                    clavicle: arm.clavicle.map(&number),
                    shoulder: number(arm.shoulder),
                    elbow: number(arm.elbow),
                    wrist: arm.wrist.map(&number),
                })
            }),
        }
    }

    /// Where the ball of a foot is in one pose.
    pub fn ball(&self, pose: &WorldPose, side: Side) -> Vec3 {
        let leg = &self.legs[side];
        match leg.ball {
            Some(ball) => pose.position(ball),
            None => pose[leg.ankle].transform_point(leg.foot.ball),
        }
    }

    /// Where the heel of a foot is in one pose.
    pub fn heel(&self, pose: &WorldPose, side: Side) -> Vec3 {
        let leg = &self.legs[side];
        pose[leg.ankle].transform_point(leg.foot.heel)
    }
}
