//! The sole of a foot whose joints a body file names but whose sole it leaves out.
//!
//! Idea: in the rest pose the foot stands flat, with the ball and the toe on the sole. No skeleton stores a heel; it lies on
//! the sole behind the ankle by a quarter of the way from ankle to ball.

use surefoot_geom::Vec3;
use surefoot_motion::{BodyPoint, FootShape, JointId, Skeleton, WorldPose};

/// Heel behind the ankle, as a share of ankle to ball along the sole: between a quarter and 30 % in people.
const HEEL_BACK: f64 = 0.25;
/// Toe tip in front of the ball, as a share of ankle to ball along the sole.
const TOE_FRONT: f64 = 0.45;
/// Where the ball is between ankle and toe tip in a foot without one: the share that [`TOE_FRONT`] makes of the whole.
const BALL_ALONG: f64 = 1.0 / (1.0 + TOE_FRONT);

/// The sole in the rest pose; `None` for a foot with neither ball nor toe, or one that points straight down.
pub(super) fn sole_at_rest(
    skeleton: &Skeleton,
    ankle: JointId,
    ball: Option<JointId>,
    toe: Option<BodyPoint>,
) -> Option<FootShape> {
    let rest = WorldPose::new(skeleton, &skeleton.rest_pose());
    let ankle_world = rest.position(ankle);
    let toe_world = toe.map(|toe| rest.point(skeleton, toe));
    let front = ball.map(|ball| rest.position(ball)).or(toe_world)?;
    let ground = |v: Vec3| Vec3::new(v.x, 0.0, v.z);
    let forward = ground(front - ankle_world).try_normalize()?;
    let sole_height = toe_world.map_or(front.y, |toe| toe.y.min(front.y));
    let under_ankle = Vec3::new(ankle_world.x, sole_height, ankle_world.z);
    let ball_world = match ball {
        Some(ball) => rest.position(ball),
        None => under_ankle + BALL_ALONG * ground(front - ankle_world),
    };
    let ball_ahead = (ball_world - ankle_world).dot(forward);
    let in_ankle_space = |point: Vec3| rest[ankle].inverse().transform_point(point);
    Some(FootShape {
        heel: in_ankle_space(under_ankle - HEEL_BACK * ball_ahead * forward),
        ball: in_ankle_space(ball_world),
        toe_tip: in_ankle_space(toe_world.unwrap_or(ball_world + TOE_FRONT * ball_ahead * forward)),
    })
}
