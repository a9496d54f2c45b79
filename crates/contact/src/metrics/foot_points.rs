//! The places of both feet in every frame: what all measures of feet look at.

use crate::order_statistics::quantile;
use surefoot_geom::Vec3;
use surefoot_motion::{BodyMap, PerSide, Side, Skeleton, WorldPose};

/// Where the points of one foot are, a place for each frame.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FootPoints {
    /// The ankle joint.
    pub ankle: Vec<Vec3>,
    /// The heel on the sole.
    pub heel: Vec<Vec3>,
    /// The ball.
    pub ball: Vec<Vec3>,
    /// The skeleton's own end of the toes; empty where it has none that is [`MIN_TOE`] from the ball.
    pub toe: Vec<Vec3>,
    /// The front of the sole: the skeleton's end of the toes, or where it would be, which bends with them; in a foot without a
    /// ball joint the point that is rigid in the ankle's space.
    pub toe_tip: Vec<Vec3>,
}

/// An end of the toes nearer to the ball than this, in metres, is a stub that some writers put there.
pub const MIN_TOE: f64 = 0.01;

/// The points of both feet.
pub fn foot_points(poses: &[WorldPose], skeleton: &Skeleton, body: &BodyMap) -> PerSide<FootPoints> {
    PerSide::from_fn(|side| FootPoints::new(poses, skeleton, body, side))
}

impl FootPoints {
    fn new(poses: &[WorldPose], skeleton: &Skeleton, body: &BodyMap, side: Side) -> FootPoints {
        let leg = &body.legs[side];
        let track = |point: &dyn Fn(&WorldPose) -> Vec3| poses.iter().map(point).collect::<Vec<Vec3>>();
        let ball = track(&|pose| body.ball(pose, side));
        let toe = leg.toe.map(|toe| track(&|pose| pose.point(skeleton, toe))).filter(|toe| is_apart(toe, &ball));
        let drawn = leg.drawn_toe_tip(&WorldPose::new(skeleton, &skeleton.rest_pose())).zip(leg.ball);
        let toe_tip = toe.clone().unwrap_or_else(|| match drawn {
            Some((tip, ball)) => track(&|pose| pose[ball].transform_point(tip)),
            None => track(&|pose| pose[leg.ankle].transform_point(leg.foot.toe_tip)),
        });
        FootPoints {
            ankle: track(&|pose| pose.position(leg.ankle)),
            heel: track(&|pose| body.heel(pose, side)),
            ball,
            toe: toe.unwrap_or_default(),
            toe_tip,
        }
    }

    /// Ankle, ball and, where there is one, toe: the joints of GRAPH 4.1.
    pub(super) fn joints(&self) -> impl Iterator<Item = &[Vec3]> {
        [&self.ankle, &self.ball, &self.toe].into_iter().map(Vec::as_slice).filter(|track| !track.is_empty())
    }
}

fn is_apart(toe: &[Vec3], ball: &[Vec3]) -> bool {
    let lengths: Vec<f64> = toe.iter().zip(ball).map(|(toe, ball)| toe.distance(*ball)).collect();
    quantile(&lengths, 0.5).is_some_and(|length| length > MIN_TOE)
}

/// Moves from each frame to the next.
pub(super) fn moves(track: &[Vec3]) -> impl Iterator<Item = Vec3> {
    track.windows(2).map(|pair| pair[1] - pair[0])
}

/// The length of a vector on the ground.
pub(super) fn planar(vector: Vec3) -> f64 {
    vector.x.hypot(vector.z)
}
