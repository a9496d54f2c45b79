//! The shape of the soles: heel, ball and toe tip in the ankle's space.
//!
//! No motion file stores a heel, and many store no toes; both are derived from a moment in which the foot is flat on the ground.
//!
//! 1. The flat moments are the tenth of the frames in which ankle and ball move least. The median of what is up there, in the
//!    ankle's space, is the sole's upward direction. It shows how the person really stood: recorded feet stand rolled by up to
//!    28 degrees and pitched by up to 13 against their skeleton's rest pose. Where the rest pose is a standing person and the
//!    foot of the still frames is pitched against it by more than 20 degrees, nobody stood flat there (tiptoes, climbing,
//!    acrobatics), and the rest pose is believed; so too without frames, and for a foot whose ball is invented (3.), lest the
//!    two feet of a person get balls in different places.
//! 2. The sole is level then, at the height of the ball joint. The heel is the ankle dropped onto the sole and moved
//!    back by a quarter of the level distance from ankle to ball.
//! 3. A foot without a ball joint has one placed at 72 % of the level distance from ankle to toe end, the place of the ball
//!    in the mean adult foot, on the height of the toe end. If the toe end is not below the ankle (some writers put a
//!    stub there), the sole lies under the ankle by 9 % of the leg's length.
//! 4. The toe tip lies beyond the ball in the direction of the foot, as far as the skeleton's own toe end does, or by
//!    35 % of the distance from heel to ball where there is none.
//! 5. A foot with no point after the ankle points where the hips face and has a ball at 17 % of the leg's length.
//!
//! Only ratios are used, so any unit will do.

use crate::{BodyMap, FootShape, Leg, PerSide, Side, Skeleton, WorldPose};
use surefoot_geom::{Vec3, median};

/// How far the heel lies behind the ankle, as a share of the level distance from ankle to ball.
pub const HEEL_BACK: f64 = 0.25;
/// Where the ball lies between ankle and toe end.
const BALL_OF_TOE_END: f64 = 0.72;
/// Toes as a share of the distance from heel to ball.
const TOE_SHARE: f64 = 0.35;
/// Height of the ankle above the sole as a share of the leg (0.08 m of 0.85 m), where the skeleton does not say.
const ANKLE_HEIGHT: f64 = 0.09;
/// The level distance from ankle to ball as a share of the leg, where the skeleton does not say.
const BALL_DISTANCE: f64 = 0.17;
/// A toe end counts as below the ankle from this share of the leg on.
const MIN_DROP: f64 = 0.02;
/// Hips stand above ankles by at least this share of the leg in a standing rest pose; splayed legs of some families
/// have 0.94.
const STANDING: f64 = 0.8;
/// Share of a foot's length that has to be level for the foot to point anywhere.
const MIN_LEVEL: f64 = 0.4;
/// The front of a standing foot may lie this share of the foot above the ankle (stubs that some writers put there do).
const MAX_RISE: f64 = 0.1;
/// A ball joint nearer to the ankle than this share of the distance to the toe end gives a foot no direction.
const SHORT_BALL: f64 = 0.3;
/// Share of the frames that count as standing still.
const STILL_SHARE: f64 = 0.1;
/// Largest pitch between the soles of the still frames and of a standing rest pose, in radians (20 degrees). Recorded people
/// who stand flat have up to 13.
const MAX_PITCH: f64 = 0.35;

impl BodyMap {
    /// Fits the soles of both feet again, from `poses` in time order or from the rest pose, with the unit vector `up` in
    /// the skeleton's axes. Call it again after units or axes have changed.
    pub fn fit_feet(&mut self, skeleton: &Skeleton, poses: &[WorldPose], up: Vec3) {
        let rest = WorldPose::new(skeleton, &skeleton.rest_pose());
        let usable: Vec<&WorldPose> = poses.iter().filter(|pose| is_usable(skeleton, pose)).collect();
        let rest_stands = self.stands_in(skeleton, &rest, up);
        let shapes = PerSide::from_fn(|side| {
            let up_at_rest = rest[self.legs[side].ankle].rotation.conjugate() * up;
            let at_rest = self.foot_shape_in(skeleton, &rest, side, up_at_rest);
            let still = self.still_frames(skeleton, &usable, side, up);
            let is_invented = self.legs[side].ball.is_none();
            let Some(first) = still.first().filter(|_| !(rest_stands && is_invented)) else {
                return at_rest;
            };
            let up_in = |pose: &&WorldPose| pose[self.legs[side].ankle].rotation.conjugate() * up;
            let up_when_still = median_direction(still.iter().map(up_in)).normalize_or(up_at_rest);
            let standing = self.foot_shape_in(skeleton, first, side, up_when_still);
            let pitch = standing.up.dot((at_rest.ball - at_rest.heel).normalize_or_zero()).asin();
            if rest_stands && pitch.abs() > MAX_PITCH { at_rest } else { standing }
        });
        for side in Side::BOTH {
            self.legs[side].foot = shapes[side];
        }
    }

    /// Whether a pose is a person who stands with both feet pointing forward.
    fn stands_in(&self, skeleton: &Skeleton, pose: &WorldPose, up: Vec3) -> bool {
        let leg_length = self.leg_length_in(pose);
        self.legs.iter().all(|(_, leg)| {
            let rise = (pose.position(leg.hip) - pose.position(leg.ankle)).dot(up);
            rise >= STANDING * leg_length && points_forward(skeleton, pose, leg, up)
        })
    }

    /// The tenth of the frames in which ankle and front of the foot move least, at least one; of those the ones in
    /// which the foot points forward, if any.
    fn still_frames<'a>(
        &self,
        skeleton: &Skeleton,
        poses: &[&'a WorldPose],
        side: Side,
        up: Vec3,
    ) -> Vec<&'a WorldPose> {
        let leg = &self.legs[side];
        let is_flat = |pose: &WorldPose| points_forward(skeleton, pose, leg, up);
        let step = |a: &WorldPose, b: &WorldPose| {
            let front = |pose: &WorldPose| front_of_foot(skeleton, pose, leg).unwrap_or(pose.position(leg.ankle));
            a.position(leg.ankle).distance(b.position(leg.ankle)) + front(a).distance(front(b))
        };
        let steps: Vec<f64> = poses.windows(2).map(|pair| step(pair[0], pair[1])).collect();
        let movement = |frame: usize| {
            let before = frame.checked_sub(1).and_then(|i| steps.get(i)).copied();
            let after = steps.get(frame).copied();
            before.unwrap_or(0.0).max(after.unwrap_or(0.0))
        };
        // A pose that is repeated to the last bit says no more than one of it: recordings that end in mid-step repeat the last.
        let is_repeat = |frame: usize| frame > 0 && steps[frame - 1] == 0.0;
        let mut frames: Vec<usize> = (0..poses.len()).filter(|&frame| !is_repeat(frame)).collect();
        let n_frames = frames.len();
        frames.sort_by(|&a, &b| movement(a).total_cmp(&movement(b)));
        let n_still = ((n_frames as f64 * STILL_SHARE).ceil() as usize).max(1);
        frames.truncate(n_still);
        let flat: Vec<usize> = frames.iter().copied().filter(|&frame| is_flat(poses[frame])).collect();
        let frames = if flat.is_empty() { frames } else { flat };
        frames.into_iter().map(|frame| poses[frame]).collect()
    }

    /// The sole of one foot that is planted flat when `up`, in the ankle's space, is up; all else by its pose.
    fn foot_shape_in(&self, skeleton: &Skeleton, pose: &WorldPose, side: Side, up: Vec3) -> FootShape {
        let leg = &self.legs[side];
        let leg_length = self.leg_length_in(pose);
        let into_ankle = pose[leg.ankle].inverse();
        let level = |v: Vec3| v - up * v.dot(up);
        let front = front_of_foot(skeleton, pose, leg).map(|front| into_ankle.transform_point(front));
        let facing = into_ankle.rotation * self.facing_about(pose, pose[leg.ankle].rotation * up);
        let to_joint = leg.ball.map(|ball| into_ankle.transform_point(pose.position(ball)));
        // From the ankle: the level distance to the ball, and the height over the sole.
        let (to_ball, drop) = match (to_joint, front) {
            (Some(ball), Some(front)) if level(front).length() > MIN_LEVEL * front.length() / 2.0 => {
                let share = if front == ball { 1.0 } else { BALL_OF_TOE_END };
                (level(front) * share, -ball.dot(up))
            }
            (Some(ball), _) => (facing * ball.length(), -ball.dot(up)),
            (None, Some(tip)) => {
                let drop = -tip.dot(up);
                let drop = if drop > MIN_DROP * leg_length { drop } else { ANKLE_HEIGHT * leg_length };
                (level(tip) * BALL_OF_TOE_END, drop)
            }
            (None, None) => (facing * (BALL_DISTANCE * leg_length), ANKLE_HEIGHT * leg_length),
        };
        let below = -up * drop;
        let heel = below - to_ball * HEEL_BACK;
        let ball = to_joint.unwrap_or(below + to_ball);
        let toes = match (leg.ball, leg.toe) {
            (Some(_), Some(tip)) => into_ankle.transform_point(pose.point(skeleton, tip)).distance(ball),
            (None, Some(_)) => to_ball.length() * (1.0 / BALL_OF_TOE_END - 1.0),
            (_, None) => TOE_SHARE * to_ball.length() * (1.0 + HEEL_BACK),
        };
        let toe_tip = ball + to_ball.normalize_or_zero() * toes;
        FootShape { heel, ball, toe_tip, up }
    }

    /// Where the hips face in a world with `up`.
    fn facing_about(&self, pose: &WorldPose, up: Vec3) -> Vec3 {
        let left = pose.position(self.legs.left.hip) - pose.position(self.legs.right.hip);
        left.cross(up).normalize_or_zero()
    }
}

/// The point that says where a foot points: the ball joint; or the end of the toes in a foot without one, or whose
/// ball joint sits right under the ankle (one studio's `LeftForeFoot` does).
fn front_of_foot(skeleton: &Skeleton, pose: &WorldPose, leg: &Leg) -> Option<Vec3> {
    let ankle = pose.position(leg.ankle);
    let ball = leg.ball.map(|ball| pose.position(ball));
    let toe = leg.toe.map(|toe| pose.point(skeleton, toe));
    let is_short = |ball: &Vec3| toe.is_some_and(|toe| ball.distance(ankle) < SHORT_BALL * toe.distance(ankle));
    ball.filter(|ball| !is_short(ball)).or(toe).or(ball)
}

/// Whether a foot is nearly level, its front no higher than its ankle. A foot without a front may have any attitude.
fn points_forward(skeleton: &Skeleton, pose: &WorldPose, leg: &Leg, up: Vec3) -> bool {
    front_of_foot(skeleton, pose, leg).is_none_or(|front| {
        let foot = front - pose.position(leg.ankle);
        let level = foot - up * foot.dot(up);
        level.length() >= MIN_LEVEL * foot.length() && foot.dot(up) <= MAX_RISE * foot.length()
    })
}

fn is_usable(skeleton: &Skeleton, pose: &WorldPose) -> bool {
    pose.world().len() == skeleton.n_joints() && pose.world().iter().all(surefoot_geom::Transform::is_finite)
}

/// The median of each coordinate: a foot that is flat most of the time yields just how it stands, whatever it does else.
fn median_direction(directions: impl Iterator<Item = Vec3>) -> Vec3 {
    let directions: Vec<Vec3> = directions.collect();
    let middle = |axis: usize| {
        median(&mut directions.iter().map(|direction| direction[axis]).collect::<Vec<f64>>()).unwrap_or(0.0)
    };
    Vec3::new(middle(0), middle(1), middle(2))
}
