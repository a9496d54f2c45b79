//! Pops that an edit put into legs: accelerations that stand out from those of the motion before, right there.
//!
//! Metrics over a complete clip hide them: one frame in which a knee jumps by 3 mm changes no percentile. So every knee, ankle and ball
//! is compared with itself, frame by frame. A pop is an acceleration over [`POP_LEAST`] and over [`POP_TIMES`] times the largest of the reference
//! within [`POP_AROUND`]; frames in a row are one.

use super::worst::Worst;
use surefoot_geom::Vec3;
use surefoot_motion::{BodyMap, Side, WorldPose};

/// Weaker accelerations are no pops, in metres a second squared: 3.5 mm from one frame to the next at 120 Hz.
pub const POP_LEAST: f64 = 50.0;
/// How many times as strong as the reference's a pop is.
pub const POP_TIMES: f64 = 4.0;
/// The reference is searched to both sides over this time, in seconds.
pub const POP_AROUND: f64 = 0.05;

/// A joint of a leg.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LegJoint {
    /// Between thigh and shin.
    Knee,
    /// Between shin and foot.
    Ankle,
    /// The front of the sole.
    Ball,
}

impl LegJoint {
    /// From the top down.
    pub const ALL: [LegJoint; 3] = [LegJoint::Knee, LegJoint::Ankle, LegJoint::Ball];

    /// For people.
    pub fn name(self) -> &'static str {
        match self {
            LegJoint::Knee => "knee",
            LegJoint::Ankle => "ankle",
            LegJoint::Ball => "ball",
        }
    }

    fn place(self, pose: &WorldPose, body: &BodyMap, side: Side) -> Vec3 {
        match self {
            LegJoint::Knee => pose.position(body.legs[side].knee),
            LegJoint::Ankle => pose.position(body.legs[side].ankle),
            LegJoint::Ball => body.ball(pose, side),
        }
    }
}

/// Pops that a motion has and its reference has not.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct IntroducedPops {
    /// How many.
    pub count: usize,
    /// The strongest acceleration of one of them, in metres a second squared.
    pub worst: Option<Worst<(Side, LegJoint)>>,
}

/// Compares a motion with its reference; `None` unless both have the same number of frames, three or more.
pub fn measure_introduced_pops(
    poses: &[WorldPose],
    body: &BodyMap,
    reference: (&[WorldPose], &BodyMap),
    frame_rate: f64,
) -> Option<IntroducedPops> {
    if poses.len() != reference.0.len() || poses.len() < 3 {
        return None;
    }
    let mut pops: Vec<Worst<(Side, LegJoint)>> = Vec::new();
    for side in Side::BOTH {
        for joint in LegJoint::ALL {
            let now = accelerations(poses, frame_rate, |pose| joint.place(pose, body, side));
            let was = accelerations(reference.0, frame_rate, |pose| joint.place(pose, reference.1, side));
            pops.extend(pops_of(&now, &was, frame_rate).into_iter().map(|(frame, value)| Worst {
                value,
                place: (side, joint),
                frame,
            }));
        }
    }
    Some(IntroducedPops { count: pops.len(), worst: Worst::of(pops) })
}

/// The strongest frame of each pop: accelerations of frame `k + 1` are at `k`.
fn pops_of(now: &[f64], was: &[f64], frame_rate: f64) -> Vec<(usize, f64)> {
    let around = (POP_AROUND * frame_rate).round() as usize;
    let is_pop = |k: usize| {
        let near = &was[k.saturating_sub(around)..(k + around + 1).min(was.len())];
        now[k] > POP_LEAST && now[k] > POP_TIMES * near.iter().fold(0.0, |most: f64, &a| most.max(a))
    };
    let mut pops: Vec<(usize, f64)> = Vec::new();
    let mut in_pop = false;
    for (k, &acceleration) in now.iter().enumerate() {
        let goes_on = in_pop;
        in_pop = is_pop(k);
        if !in_pop {
            continue;
        }
        match pops.last_mut() {
            Some(last) if goes_on => *last = if acceleration > last.1 { (k + 1, acceleration) } else { *last },
            _ => pops.push((k + 1, acceleration)),
        }
    }
    pops
}

fn accelerations(poses: &[WorldPose], frame_rate: f64, place: impl Fn(&WorldPose) -> Vec3) -> Vec<f64> {
    let places: Vec<Vec3> = poses.iter().map(place).collect();
    let second = |w: &[Vec3]| (w[0] - w[1] * 2.0 + w[2]).length() * frame_rate * frame_rate;
    places.windows(3).map(second).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{WalkerOptions, synthetic_walk};

    #[test]
    fn a_knee_that_jumps_for_one_frame_is_one_pop_of_each_joint_below_it() {
        let walk = synthetic_walk(&WalkerOptions { frame_rate: 120.0, n_steps: 4, ..WalkerOptions::default() });
        let (clip, body) = (&walk.take.clip, &walk.take.body);
        let before = clip.world();
        let pops = |clip: &surefoot_motion::Clip| {
            measure_introduced_pops(&clip.world(), body, (&before, body), 120.0).expect("the same frames")
        };
        assert_eq!(pops(clip).count, 0);
        let mut jumped = clip.clone();
        jumped.pose_mut(60)[body.legs.left.knee].translation.x += 0.03;
        let found = pops(&jumped);
        assert_eq!(found.count, 3, "{found:?}");
        assert_eq!(found.worst.map(|worst| worst.frame), Some(60));
        let short = clip.with_poses(clip.poses().slice(0..10));
        assert_eq!(measure_introduced_pops(&short.world(), body, (&before, body), 120.0), None);
    }
}
