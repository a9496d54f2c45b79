//! How jerky the pelvis moves: the third difference of its position. Unsmoothed, so that recordings at high rates show mostly
//! noise: compare metrics of the same clip.

use super::worst::Worst;
use crate::order_statistics::mean;
use surefoot_geom::Vec3;
use surefoot_motion::{BodyMap, WorldPose};

/// Jerk of the pelvis in metres a second cubed; `None` of fewer than four frames.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PelvisJerk {
    /// Over all frames.
    pub mean: Option<f64>,
    /// The largest; its frame is the third of the four that it is computed from, the first after their middle.
    pub worst: Option<Worst<()>>,
}

/// Measures the pelvis over a clip.
pub fn measure_pelvis_jerk(poses: &[WorldPose], body: &BodyMap, frame_rate: f64) -> PelvisJerk {
    let places: Vec<Vec3> = poses.iter().map(|pose| pose.position(body.pelvis)).collect();
    let jerk = |four: &[Vec3]| ((four[3] - four[0]) + 3.0 * (four[1] - four[2])).length() * frame_rate.powi(3);
    let jerks: Vec<f64> = places.windows(4).map(jerk).collect();
    let worst = Worst::of(jerks.iter().enumerate().map(|(k, &value)| Worst { value, place: (), frame: k + 2 }));
    PelvisJerk { mean: mean(&jerks), worst }
}
