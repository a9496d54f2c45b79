//! When balls stand, by height and time alone: the detector of GRAPH 4.1, for its measure of skating.
//!
//! GRAPH finds planted feet without looking at their speed, for a foot that skates is fast: a foot is planted where it is low in
//! a group of adjacent frames. The paper gives neither height nor time.
//!
//! 1. The height on which each ball stands: its median in each of the plants that [`detect_contacts`] finds, and between two
//!    plants the lower of theirs. Recorded floors wander by centimetres and stairs have many levels, so that a fixed height
//!    fails.
//! 2. The ball is low while it is less than [`HeightDetectOptions::max_height`] above a floor that lies
//!    [`HeightDetectOptions::ball_height`] below that height.
//! 3. Groups of adjacent low frames that last [`HeightDetectOptions::shortest_stay`] are plants; others are swings that came near
//!    the ground.
//!
//! Departures: none in the idea; the numbers are ours. Limits: only balls are looked at, for GRAPH has one flag for each foot.
//! The low middle of a slow swing counts as planted, as it does in the paper.

use crate::{Contacts, DetectOptions, FootPart, Plant, detect_contacts};
use std::ops::Range;
use surefoot_geom::median;
use surefoot_motion::{BodyMap, Side, WorldPose};

/// How [`detect_by_height`] detects; lengths in metres, times in seconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HeightDetectOptions {
    /// Height above the floor below which a ball counts as down. 0.02 to 0.2; default 0.05, which most measures of skating
    /// use. Greater heights count swings as planted, lower ones lose noisy plants.
    pub max_height: f64,
    /// Height of the ball joint above the floor when it stands. 0 to 0.05; default 0.02, that of most skeletons. Unused with
    /// a `floor`.
    pub ball_height: f64,
    /// Shortest group of frames that is a plant. Default 0.1, three frames of the paper's recordings. 0 to 1.
    pub shortest_stay: f64,
    /// Height of a flat floor; default `None`, which finds it from the plants of each ball.
    pub floor: Option<f64>,
}

impl Default for HeightDetectOptions {
    fn default() -> HeightDetectOptions {
        HeightDetectOptions { max_height: 0.05, ball_height: 0.02, shortest_stay: 0.1, floor: None }
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
    let known = options.floor.is_none().then(|| detect_contacts(poses, body, frame_rate, &DetectOptions::default()));
    for side in Side::BOTH {
        let heights: Vec<f64> = poses.iter().map(|pose| body.ball(pose, side).y).collect();
        let floor = match (&known, options.floor) {
            (Some(known), _) => {
                let balls = known.contacts.plants[side].iter().filter(|plant| plant.part == FootPart::Ball);
                let plants: Vec<Range<usize>> = balls.map(|plant| plant.frames.clone()).collect();
                planted_heights(&heights, &plants).into_iter().map(|height| height - options.ball_height).collect()
            }
            (None, floor) => vec![floor.unwrap_or(0.0); heights.len()],
        };
        let is_low = |frame: usize| heights[frame].is_finite() && heights[frame] - floor[frame] < options.max_height;
        for frames in groups(heights.len(), is_low) {
            if frames.len() as f64 >= options.shortest_stay * frame_rate {
                let places = poses[frames.clone()].iter().map(|pose| body.ball(pose, side));
                let position = places.sum::<surefoot_geom::Vec3>() / frames.len() as f64;
                if position.is_finite() {
                    contacts.plants[side].push(Plant { part: FootPart::Ball, frames, position });
                }
            }
        }
    }
    contacts
}

/// The maximal runs of frames for which something holds.
fn groups(n_frames: usize, holds: impl Fn(usize) -> bool) -> Vec<Range<usize>> {
    let mut groups: Vec<Range<usize>> = Vec::new();
    for frame in (0..n_frames).filter(|&frame| holds(frame)) {
        match groups.last_mut() {
            Some(last) if last.end == frame => last.end += 1,
            _ => groups.push(frame..frame + 1),
        }
    }
    groups
}

/// The quantile of heights that stands in for a plant where there is none.
const NO_PLANT_QUANTILE: f64 = 0.05;

/// In each frame the height at which a point stands: the median of each plant, and between two plants the lower of theirs, so
/// that a foot that swings up a stair is not on it yet.
fn planted_heights(heights: &[f64], plants: &[Range<usize>]) -> Vec<f64> {
    let levels: Vec<f64> =
        plants.iter().map(|frames| median(&mut heights[frames.clone()].to_vec()).unwrap_or(f64::NAN)).collect();
    let (Some(&first), Some(&last)) = (levels.first(), levels.last()) else {
        let mut sorted: Vec<f64> = heights.iter().copied().filter(|height| height.is_finite()).collect();
        sorted.sort_by(f64::total_cmp);
        let low = sorted.get((sorted.len() as f64 * NO_PLANT_QUANTILE) as usize).copied().unwrap_or(f64::NAN);
        return vec![low; heights.len()];
    };
    let mut out = Vec::with_capacity(heights.len());
    let mut before = first;
    for (frames, &level) in plants.iter().zip(&levels) {
        out.resize(frames.start, before.min(level));
        out.resize(frames.end, level);
        before = level;
    }
    out.resize(heights.len(), last);
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{SyntheticWalk, WalkerOptions, synthetic_walk};

    fn walk() -> (Vec<WorldPose>, SyntheticWalk) {
        let walk = synthetic_walk(&WalkerOptions::default());
        (walk.take.clip.world_poses(), walk)
    }

    fn balls(contacts: &Contacts, side: Side) -> Vec<Range<usize>> {
        let plants = contacts.plants[side].iter().filter(|plant| plant.part == FootPart::Ball);
        plants.map(|plant| plant.frames.clone()).collect()
    }

    #[test]
    fn low_balls_are_down_while_they_stand_and_a_little_longer() {
        let (poses, walk) = walk();
        let low = detect_by_height(&poses, &walk.body, 60.0, &HeightDetectOptions::default());
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
        // The whole walk drifts sideways at walking speed, and the feet are as low as ever.
        let (mut poses, walk) = walk();
        let still = HeightDetectOptions { floor: Some(0.0), ..HeightDetectOptions::default() };
        let truth = detect_by_height(&poses, &walk.body, 60.0, &still);
        for (frame, pose) in poses.iter_mut().enumerate() {
            for joint in &mut pose.world {
                joint.translation.x += 1.2 * frame as f64 / 60.0;
            }
        }
        let skating = detect_by_height(&poses, &walk.body, 60.0, &still);
        for side in Side::BOTH {
            assert!(balls(&truth, side).len() > 3);
            assert_eq!(balls(&skating, side), balls(&truth, side));
        }
    }

    #[test]
    fn short_groups_are_no_plants() {
        let (poses, walk) = walk();
        let all = HeightDetectOptions { floor: Some(0.0), shortest_stay: 0.0, ..HeightDetectOptions::default() };
        for shortest_stay in [0.1, 0.3, 0.6] {
            let found = detect_by_height(&poses, &walk.body, 60.0, &HeightDetectOptions { shortest_stay, ..all });
            let all = detect_by_height(&poses, &walk.body, 60.0, &all);
            for side in Side::BOTH {
                let lasting = |group: &Range<usize>| group.len() as f64 >= 60.0 * shortest_stay;
                let expected: Vec<Range<usize>> = balls(&all, side).into_iter().filter(lasting).collect();
                assert_eq!(balls(&found, side), expected);
            }
        }
    }

    #[test]
    fn floors_follow_plants_and_between_two_the_lower() {
        let heights = [0.1, 0.1, 0.9, 0.9, 0.3, 0.3, 0.9, 0.2];
        let levels = planted_heights(&heights, &[0..2, 4..6, 7..8]);
        assert_eq!(levels, [0.1, 0.1, 0.1, 0.1, 0.3, 0.3, 0.2, 0.2]);
        assert_eq!(planted_heights(&heights, std::slice::from_ref(&(4..6))), [0.3; 8]);
        assert_eq!(planted_heights(&heights, &[]), [0.1; 8]);
        assert_eq!(planted_heights(&[], &[]), [0.0; 0]);
    }

    #[test]
    fn what_is_not_finite_is_not_down() {
        let (mut poses, walk) = walk();
        for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            for joint in &mut poses[40].world {
                joint.translation.y = bad;
            }
            for floor in [None, Some(0.0)] {
                let options = HeightDetectOptions { floor, ..HeightDetectOptions::default() };
                let contacts = detect_by_height(&poses, &walk.body, 60.0, &options);
                for side in Side::BOTH {
                    assert!(balls(&contacts, side).iter().all(|frames| !frames.contains(&40)), "{bad} {floor:?}");
                    assert!(balls(&contacts, side).len() > 3, "{bad} {floor:?}");
                }
            }
        }
        let none = detect_by_height(&[], &walk.body, 60.0, &HeightDetectOptions::default());
        assert_eq!(none, Contacts::none(0));
    }
}
