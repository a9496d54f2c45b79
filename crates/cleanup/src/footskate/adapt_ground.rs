//! Phase 3 for rigs that can't stretch: the root is lowered until the legs reach (STRIDE 6.2, ground adaptation).
//!
//! 1. For each planted foot, the height that the root can have: `h = A_y - R_y + sqrt(L^2 - (R_x - A_x)^2 - (R_z - A_z)^2)`,
//!    with the ankle A less the offset from root to hip, and L the leg's length times 0.995, at which a knee is bent by 11
//!    degrees and does not pop. The lower of both feet counts, and never more than 0: the root is never raised.
//! 2. The envelope: STRIDE fits Gaussian curves to h so that peaks are kept. Ours takes the lowest h within half of L3, then a
//!    Gaussian-weighted mean over the same half: smooth, never above h, and 0 where h is 0 all around.
//!
//! Departures: a recorded leg that is straighter than 0.995 already may stay so, or cleaning a clean clip would lower it; and
//! where a foot is planted too far to the side for any height, the root moves there first, as phase 3 proper has it.

use super::aim_ankles::AnkleTargets;
use super::frames::Frames;
use super::legs::SourceFrame;
use super::place_root::{AimedFrame, Ball, project_into_both, reach_balls};
use surefoot_geom::Vec3;
use surefoot_motion::PerSide;

/// STRIDE's damping factor.
const DAMPING: f64 = 0.995;

/// The level distance from root to ankle may take up this share of the leg, so that some height is left.
const MAX_LEVEL: f64 = 0.95;

/// The least lowering of the root of one frame, after it has followed its planted feet by `follow`.
pub(super) fn lower_root(
    source: &SourceFrame,
    targets: &AnkleTargets,
    follow: Vec3,
    knee_axes: &PerSide<Vec3>,
) -> Option<Vec3> {
    let balls = reach_balls(source, targets, knee_axes, |leg, full| {
        let recorded = leg.hip.translation.distance(leg.ankle.translation).min(full);
        (DAMPING * full).max(recorded)
    });
    let balls = [balls.left, balls.right];
    balls.iter().flatten().next()?;
    let sideways = move_level(source.root + follow, balls);
    let root = source.root + follow + sideways;
    let lowering = balls.iter().flatten().fold(0.0, |lowest: f64, ball| {
        let to = root - ball.centre;
        let left = ball.radius * ball.radius - to.x * to.x - to.z * to.z;
        // STRIDE 6.2: h = A_y - R_y + sqrt(...)
        lowest.min(-to.y + left.max(0.0).sqrt())
    });
    Some(follow + sideways + Vec3::Y * lowering)
}

/// The level move that leaves every planted foot within reach of some height.
fn move_level(root: Vec3, balls: [Option<Ball>; 2]) -> Vec3 {
    let flat =
        |ball: Ball| Ball { centre: Vec3::new(ball.centre.x, root.y, ball.centre.z), radius: MAX_LEVEL * ball.radius };
    let place = match balls.map(|ball| ball.map(flat)) {
        [None, None] => root,
        [Some(a), None] | [None, Some(a)] => project_into_both(root, a, a),
        [Some(a), Some(b)] => project_into_both(root, a, b),
    };
    place - root
}

/// The envelope: lowest within half the span, then a mean over the same half.
pub(super) fn envelope(frames: &(impl Frames<AimedFrame> + ?Sized), frame: usize, span: usize) -> Option<Vec3> {
    let move_at = |frame: Option<usize>| frame.and_then(|frame| frames.at(frame)).and_then(|aimed| aimed.root_move);
    let here = move_at(Some(frame))?;
    let half = span / 2;
    let offset = |k: usize| (frame + k).checked_sub(half);
    let lowest_about = |centre: Option<usize>| {
        let around = (0..=2 * half).filter_map(|k| move_at(centre.and_then(|centre| (centre + k).checked_sub(half))));
        around.map(|there| there.y).fold(f64::INFINITY, f64::min)
    };
    let (mut level, mut height, mut total) = (Vec3::ZERO, 0.0, 0.0);
    for k in 0..=2 * half {
        let Some(there) = move_at(offset(k)) else { continue };
        let u = (k as f64 - half as f64) / (half as f64 / 2.0).max(1.0);
        let weight = (-0.5 * u * u).exp();
        level += Vec3::new(there.x, 0.0, there.z) * weight;
        height += lowest_about(offset(k)) * weight;
        total += weight;
    }
    let mean = Vec3::new(level.x, height, level.z) / total;
    Some(Vec3::new(mean.x, mean.y.min(here.y), mean.z))
}
