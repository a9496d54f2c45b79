//! The height that feet stand on, from the motion alone.
//!
//! In every frame of walking some part of a sole is on the ground, so the lowest point of both soles, over the frames, gathers
//! at the floor: a low quantile of it is the floor's height. A jump lifts some frames, a stair climb many; a fifth of the
//! frames on the lowest level suffices. Lower quantiles would follow noise below the ground.

use surefoot_motion::{BodyMap, Clip, Side, WorldPose};

/// The quantile: one frame in five must stand on the lowest level.
const QUANTILE: f64 = 0.2;

/// The floor's height in metres; `None` for a clip without frames.
pub fn estimate_floor(clip: &Clip, body: &BodyMap) -> Option<f64> {
    let lowest = |pose: &WorldPose| sole_height(pose, body, Side::Left).min(sole_height(pose, body, Side::Right));
    let mut heights: Vec<f64> = clip.world_poses().iter().map(lowest).collect();
    heights.sort_by(f64::total_cmp);
    heights.get((heights.len() as f64 * QUANTILE) as usize).copied()
}

/// Height of the lowest point of a sole.
pub fn sole_height(pose: &WorldPose, body: &BodyMap, side: Side) -> f64 {
    let leg = &body.legs[side];
    let ankle = pose[leg.ankle];
    let points = [leg.foot.heel, leg.foot.ball, leg.foot.toe_tip].map(|point| ankle.transform_point(point).y);
    points.into_iter().fold(body.ball(pose, side).y, f64::min)
}
