//! The height that feet are planted on, from the motion alone.
//!
//! In every frame of walking some part of a sole is on the ground, so the lowest point of both soles, over the frames, gathers
//! at the floor: a low quantile of it is the floor's height. A jump lifts some frames, a stair climb many; a fifth of the
//! frames on the lowest level suffices. Lower quantiles would follow noise below the ground. A body that lies or hangs has no
//! sole on any floor, and gives none.

use surefoot_motion::{BodyMap, Side, WorldPose};

/// The quantile: one frame in five must be planted on the lowest level.
const QUANTILE: f64 = 0.2;

/// The pelvis of somebody on their feet is at least this part of the leg's length above the soles.
const UPRIGHT: f64 = 0.65;

/// The floor's height in metres; `None` without a pose, or where the body is mostly not on its feet.
pub fn estimate_floor(poses: &[WorldPose], body: &BodyMap) -> Option<f64> {
    let lowest = |pose: &WorldPose| sole_height(pose, body, Side::Left).min(sole_height(pose, body, Side::Right));
    let upright = |pose: &&WorldPose| pose.position(body.pelvis).y - lowest(pose) > UPRIGHT * body.leg_length_in(pose);
    if 2 * poses.iter().filter(upright).count() < poses.len() {
        return None;
    }
    let mut heights: Vec<f64> = poses.iter().map(lowest).collect();
    heights.sort_by(f64::total_cmp);
    heights.get((heights.len() as f64 * QUANTILE) as usize).copied()
}

/// Height of the lower of a foot's heel and ball.
///
/// The toes are left out: a toe tip that is rigid in the ankle's space dives below the ground when the heel lifts, and the
/// ball is planted whenever the toes are, but for the last instant of a step.
pub fn sole_height(pose: &WorldPose, body: &BodyMap, side: Side) -> f64 {
    body.heel(pose, side).y.min(body.ball(pose, side).y)
}
