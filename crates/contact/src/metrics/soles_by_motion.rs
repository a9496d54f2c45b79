//! Soles as the motion alone shows them: what a program that knows nothing of a body map would call heel and toe tip.
//!
//! A body map has soles of its own, and a synthesizer that keeps those out of the ground may be measured by them too kindly. Here
//! the soles are found again in each motion:
//!
//! 1. In the tenth of the frames in which ankle and ball are slowest the foot is planted flat.
//! 2. There the ankle is projected down to the height of the ball, and moved back by a quarter of the distance from ankle to ball on the
//!    ground. The median of that place in the ankle's space is the heel, rigid for the complete motion.
//! 3. The toe tip is the skeleton's end of the toes. As far as it is below the ball in those frames (the median), it may be.

use super::drift::median_place;
use super::foot_points::{foot_points, planar};
use crate::FootPlan;
use crate::order_statistics::quantile;
use crate::standing_height::speeds;
use surefoot_geom::Vec3;
use surefoot_motion::{BodyMap, PerSide, Skeleton, WorldPose};

/// Share of the frames in which a foot is taken for flat.
const FLAT_SHARE: f64 = 0.1;
/// From the ankle back to the heel, as a share of the way from ankle to ball on the ground.
const HEEL_BACK: f64 = 0.25;
/// A point deeper than this is in the ground, in metres: what anybody sees.
const DEEP: f64 = 0.005;

/// One foot in every frame.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SoleTrack {
    /// The ankle joint.
    pub ankle: Vec<Vec3>,
    /// The ball.
    pub ball: Vec<Vec3>,
    /// The heel, as found in the motion.
    pub heel: Vec<Vec3>,
    /// The end of the toes; empty where the skeleton has none.
    pub toe: Vec<Vec3>,
    /// How far the toe tip is below the ball of the flat foot, in metres; never negative.
    pub toe_drop: f64,
}

impl SoleTrack {
    /// The end of the toes, or the ball where there are none.
    pub fn tip(&self) -> &[Vec3] {
        if self.toe.is_empty() { &self.ball } else { &self.toe }
    }

    /// Ankle, ball and, where there is one, toe.
    pub(super) fn joints(&self) -> impl Iterator<Item = &[Vec3]> {
        [&self.ankle, &self.ball, &self.toe].into_iter().map(Vec::as_slice).filter(|track| !track.is_empty())
    }
}

/// The soles of both feet.
pub fn soles_by_motion(
    poses: &[WorldPose],
    skeleton: &Skeleton,
    body: &BodyMap,
    frame_rate: f64,
) -> PerSide<SoleTrack> {
    let mut feet = foot_points(poses, skeleton, body);
    PerSide::from_fn(|side| {
        let foot = std::mem::take(&mut feet[side]);
        let (ankle, ball, toe) = (foot.ankle, foot.ball, foot.toe);
        let slowness: Vec<f64> = speeds(&ankle, frame_rate)
            .iter()
            .zip(speeds(&ball, frame_rate))
            .map(|(ankle, ball)| ankle + ball)
            .collect();
        let limit = quantile(&slowness, FLAT_SHARE).unwrap_or(0.0);
        let flat: Vec<usize> = (0..poses.len()).filter(|&frame| slowness[frame] <= limit).collect();
        let rotation = |frame: usize| poses[frame][body.legs[side].ankle].rotation;
        let local = |frame: usize| {
            let way = ball[frame] - ankle[frame];
            rotation(frame).conjugate() * Vec3::new(-HEEL_BACK * way.x, way.y, -HEEL_BACK * way.z)
        };
        let heel_local = median_place(&flat.iter().map(|&frame| local(frame)).collect::<Vec<Vec3>>());
        let drops: Vec<f64> = flat.iter().filter_map(|&frame| Some(ball[frame].y - toe.get(frame)?.y)).collect();
        SoleTrack {
            heel: (0..poses.len()).map(|frame| ankle[frame] + rotation(frame) * heel_local).collect(),
            toe_drop: quantile(&drops, 0.5).unwrap_or(0.0).max(0.0),
            ankle,
            ball,
            toe,
        }
    })
}

/// How much of a motion has feet in the ground.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Penetration {
    /// Share of the frames in which any heel, ball or toe tip is more than 5 mm in the ground.
    pub share: f64,
    /// The largest such share of a single point.
    pub worst_point_share: f64,
    /// Depth of the deepest point, in metres; 0 if none is below the ground.
    pub deepest: f64,
}

/// Measures heels, balls and toe tips over the ground of a plan, which is as high under each foot as its nearest footprint. A foot
/// without a footprint is over the ground.
pub fn measure_penetration(soles: &PerSide<SoleTrack>, plan: &FootPlan) -> Penetration {
    let n_frames = soles.left.ball.len().max(soles.right.ball.len());
    let mut any = vec![false; n_frames];
    let mut found = Penetration::default();
    let share = |count: usize| count as f64 / n_frames.max(1) as f64;
    for (side, sole) in soles.iter() {
        let prints: Vec<Vec3> =
            plan.footprints.iter().filter(|print| print.side == side).map(|print| print.position).collect();
        for (track, drop) in [(&sole.heel, 0.0), (&sole.ball, 0.0), (&sole.toe, sole.toe_drop)] {
            let mut n_deep = 0;
            for (frame, &place) in track.iter().enumerate() {
                let apart = |print: &Vec3| planar(*print - place);
                let nearest = prints.iter().min_by(|a, b| apart(a).total_cmp(&apart(b)));
                let depth = nearest.map_or(0.0, |print| print.y - drop - place.y);
                found.deepest = found.deepest.max(depth);
                if depth > DEEP {
                    n_deep += 1;
                    any[frame] = true;
                }
            }
            found.worst_point_share = found.worst_point_share.max(share(n_deep));
        }
    }
    Penetration { share: share(any.iter().filter(|&&is_deep| is_deep).count()), ..found }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Footprint, WalkerOptions, synthetic_walk};
    use surefoot_motion::Side;

    #[test]
    fn heels_are_level_with_balls_where_feet_are_flat_and_points_below_their_footprint_are_counted() {
        let take = synthetic_walk(&WalkerOptions::default()).take;
        let mut soles = soles_by_motion(&take.clip.world(), &take.clip.skeleton, &take.body, take.clip.frame_rate);
        let stances = crate::FootTracks::new(&take).stances(&take);
        let footprints: Vec<Footprint> =
            stances.iter().map(|stance| Footprint::at(stance.side, stance.position)).collect();
        let plan = FootPlan { footprints };
        let clean = measure_penetration(&soles, &plan);
        assert!(clean.share == 0.0 && clean.deepest < 0.005, "{clean:?}");
        for frame in 0..10 {
            soles[Side::Left].ball[frame].y -= 0.02;
            soles[Side::Right].heel[frame + 5].y = -0.5;
        }
        let deep = measure_penetration(&soles, &plan);
        let n_frames = take.clip.n_frames() as f64;
        assert!((deep.share - 15.0 / n_frames).abs() < 1e-9, "{deep:?} of {n_frames}");
        assert!((deep.worst_point_share - 10.0 / n_frames).abs() < 1e-9 && deep.deepest > 0.45, "{deep:?}");
    }
}
