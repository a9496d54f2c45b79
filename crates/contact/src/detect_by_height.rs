//! When balls are planted, by height and time alone: the detector of GRAPH 4.1, for its measure of skating.
//!
//! GRAPH finds planted feet without looking at their speed, for a foot that skates is fast: a foot is planted where it is low in
//! a group of adjacent frames. The paper gives neither height nor time.
//!
//! 1. The height on which each ball is planted (`standing_height`): recorded floors wander by centimetres and stairs have many
//!    levels, so that a fixed height fails.
//! 2. The ball is low while it is less than [`HeightDetectOptions::max_height`] above a floor that lies
//!    [`HeightDetectOptions::ball_height`] below that height.
//! 3. Groups of adjacent low frames that last [`HeightDetectOptions::shortest_plant`] are plants; others are swings that came near
//!    the ground.
//!
//! Departures: none in the idea; the numbers are ours. Limits: only balls are looked at, for GRAPH has one flag for each foot.
//! The low middle of a slow swing counts as planted, as it does in the paper.

use crate::frame_runs::runs;
use crate::standing_height::{BALL_HEIGHT, heights_above_standing, standing_ranges};
use crate::{Contacts, FootPart, Plant};
use std::ops::Range;
use surefoot_geom::Vec3;
use surefoot_motion::{BodyMap, Side, WorldPose};

/// How [`detect_by_height`] detects; lengths in metres, times in seconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HeightDetectOptions {
    /// Height above the floor below which a ball counts as down. 0.02 to 0.2; default 0.05, which most measures of skating
    /// use. Greater heights count swings as planted, lower ones lose noisy plants.
    pub max_height: f64,
    /// Height of the ball joint above the floor when it is planted. 0 to 0.05; default 0.02, that of most skeletons. Unused with
    /// a `floor`.
    pub ball_height: f64,
    /// Shortest group of frames that is a plant. Default 0.1, three frames of the paper's recordings. 0 to 1.
    pub shortest_plant: f64,
    /// Height of a flat floor; default `None`: each ball's own standing height.
    pub floor: Option<f64>,
}

impl Default for HeightDetectOptions {
    fn default() -> HeightDetectOptions {
        HeightDetectOptions { max_height: 0.05, ball_height: BALL_HEIGHT, shortest_plant: 0.1, floor: None }
    }
}

/// The plants of both balls by height and time. A plant's position is the mean over its frames. Frames with a ball that is not
/// finite are not planted.
pub fn detect_by_height(
    poses: &[WorldPose],
    body: &BodyMap,
    frame_rate: f64,
    options: &HeightDetectOptions,
) -> Contacts {
    let mut contacts = Contacts::none(poses.len());
    for side in Side::BOTH {
        let ball: Vec<Vec3> = poses.iter().map(|pose| body.ball(pose, side)).collect();
        let heights = heights_over_floor(&ball, &standing_ranges(&ball, frame_rate), options);
        for frames in low_groups(&heights, frame_rate, options) {
            let position = ball[frames.clone()].iter().sum::<Vec3>() / frames.len() as f64;
            if position.is_finite() {
                contacts.plants[side].push(Plant { part: FootPart::Ball, frames, position });
            }
        }
    }
    contacts
}

/// Height of a ball over the flat floor of the options, or over its standing height, given the ranges in which it stands.
pub(crate) fn heights_over_floor(ball: &[Vec3], standing: &[Range<usize>], options: &HeightDetectOptions) -> Vec<f64> {
    match options.floor {
        Some(floor) => ball.iter().map(|place| place.y - floor).collect(),
        None => heights_above_standing(ball, standing).into_iter().map(|height| height + options.ball_height).collect(),
    }
}

/// Groups of adjacent frames, long enough to be plants, in which a ball is low; `heights` are above the floor.
pub(crate) fn low_groups(heights: &[f64], frame_rate: f64, options: &HeightDetectOptions) -> Vec<Range<usize>> {
    let is_low = |height: &f64| height.is_finite() && *height < options.max_height;
    let mut groups = runs(&heights.iter().map(is_low).collect::<Vec<bool>>());
    groups.retain(|group| group.len() as f64 >= options.shortest_plant * frame_rate);
    groups
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{SyntheticWalk, WalkerOptions, synthetic_walk};

    fn walk() -> (Vec<WorldPose>, SyntheticWalk) {
        let walk = synthetic_walk(&WalkerOptions::default());
        (walk.take.clip.world().to_vec(), walk)
    }

    fn balls(contacts: &Contacts, side: Side) -> Vec<Range<usize>> {
        let plants = contacts.plants[side].iter().filter(|plant| plant.part == FootPart::Ball);
        plants.map(|plant| plant.frames.clone()).collect()
    }

    #[test]
    fn low_balls_are_planted_while_they_stand_and_a_little_longer() {
        let (poses, walk) = walk();
        let low = detect_by_height(&poses, &walk.take.body, 60.0, &HeightDetectOptions::default());
        for side in Side::BOTH {
            let (found, truth) = (balls(&low, side), balls(&walk.take.contacts, side));
            assert!(low.plants[side].iter().all(|plant| plant.part == FootPart::Ball));
            for plant in &truth {
                assert!(
                    found.iter().any(|low| low.start <= plant.start && plant.end <= low.end),
                    "{found:?} {plant:?}"
                );
            }
        }
    }

    #[test]
    fn a_foot_that_skates_is_down() {
        // The complete walk drifts sideways at walking speed, and the feet are as low as ever.
        let (mut poses, walk) = walk();
        let still = HeightDetectOptions { floor: Some(0.0), ..HeightDetectOptions::default() };
        let truth = detect_by_height(&poses, &walk.take.body, 60.0, &still);
        for (frame, pose) in poses.iter_mut().enumerate() {
            for joint in pose.world_mut() {
                joint.translation.x += 1.2 * frame as f64 / 60.0;
            }
        }
        let skating = detect_by_height(&poses, &walk.take.body, 60.0, &still);
        for side in Side::BOTH {
            assert!(balls(&truth, side).len() > 3);
            assert_eq!(balls(&skating, side), balls(&truth, side));
        }
    }

    #[test]
    fn short_groups_are_no_plants() {
        let (poses, walk) = walk();
        let all = HeightDetectOptions { floor: Some(0.0), shortest_plant: 0.0, ..HeightDetectOptions::default() };
        for shortest_plant in [0.1, 0.3, 0.6] {
            let found = detect_by_height(&poses, &walk.take.body, 60.0, &HeightDetectOptions { shortest_plant, ..all });
            let all = detect_by_height(&poses, &walk.take.body, 60.0, &all);
            for side in Side::BOTH {
                let lasting = |group: &Range<usize>| group.len() as f64 >= 60.0 * shortest_plant;
                let expected: Vec<Range<usize>> = balls(&all, side).into_iter().filter(lasting).collect();
                assert_eq!(balls(&found, side), expected);
            }
        }
    }

    #[test]
    fn what_is_not_finite_is_not_down() {
        let (mut poses, walk) = walk();
        for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            for joint in poses[40].world_mut() {
                joint.translation.y = bad;
            }
            for floor in [None, Some(0.0)] {
                let options = HeightDetectOptions { floor, ..HeightDetectOptions::default() };
                let contacts = detect_by_height(&poses, &walk.take.body, 60.0, &options);
                for side in Side::BOTH {
                    assert!(balls(&contacts, side).iter().all(|frames| !frames.contains(&40)), "{bad} {floor:?}");
                    assert!(balls(&contacts, side).len() > 3, "{bad} {floor:?}");
                }
            }
        }
        let none = detect_by_height(&[], &walk.take.body, 60.0, &HeightDetectOptions::default());
        assert_eq!(none, Contacts::none(0));
    }
}
