//! Mean distances of joints between a walk and its recording, by region of the body.

use surefoot_geom::Vec3;
use surefoot_motion::{BodyMap, Clip, JointId, Side, Skeleton, WorldPose};

/// Parts of the body that errors are reported for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Region {
    /// The pelvis.
    Pelvis,
    /// Knees.
    Knees,
    /// Ankles and what is below them.
    Feet,
    /// Spine, neck and head.
    Trunk,
    /// From the shoulders out.
    Arms,
}

impl Region {
    /// In the order in which they are printed.
    pub const ALL: [Region; 5] = [Region::Pelvis, Region::Knees, Region::Feet, Region::Trunk, Region::Arms];

    /// A word for it.
    pub fn name(self) -> &'static str {
        match self {
            Region::Pelvis => "pelvis",
            Region::Knees => "knees",
            Region::Feet => "feet",
            Region::Trunk => "trunk",
            Region::Arms => "arms",
        }
    }
}

/// The joints of each region.
fn regions(skeleton: &Skeleton, body: &BodyMap) -> Vec<(JointId, Region)> {
    let mut joints = vec![(body.pelvis, Region::Pelvis)];
    for side in Side::BOTH {
        let leg = &body.legs[side];
        joints.extend([(leg.knee, Region::Knees), (leg.ankle, Region::Feet)]);
        joints.extend(leg.ball.map(|ball| (ball, Region::Feet)));
        if let Some(arm) = &body.arms[side] {
            joints.extend([(arm.shoulder, Region::Arms), (arm.elbow, Region::Arms)]);
            joints.extend(arm.wrist.map(|wrist| (wrist, Region::Arms)));
        }
    }
    joints.extend(body.spine.iter().chain(&body.head).map(|&joint| (joint, Region::Trunk)));
    joints.retain(|(joint, _)| joint.index() < skeleton.n_joints());
    joints
}

/// Mean distances of joints, in metres.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct RegionErrors {
    /// In the order of [`Region::ALL`].
    pub by_region: [f64; 5],
    /// Over all joints of all regions.
    pub all: f64,
    /// Frames compared.
    pub n_frames: usize,
}

/// Compares a walk with its recording, both on one skeleton. `frame_of` gives the frame of the recording for a frame of the walk, between
/// frames too; frames that the recording does not have, or that it gives nothing for, are left out.
pub fn compare_joints(
    walk: &[WorldPose],
    recording: &[WorldPose],
    (clip, body): (&Clip, &BodyMap),
    frame_of: impl Fn(usize) -> Option<f64>,
) -> RegionErrors {
    let joints = regions(&clip.skeleton, body);
    let (mut sums, mut counts, mut n_frames) = ([0.0; 5], [0_usize; 5], 0);
    let last = recording.len().saturating_sub(1) as f64;
    for (index, made) in walk.iter().enumerate() {
        let Some(at) = frame_of(index).filter(|at| (0.0..=last).contains(at)) else { continue };
        let (low, share) = (&recording[at as usize], at.fract());
        let high = &recording[at.ceil() as usize];
        for &(joint, region) in &joints {
            let real: Vec3 = low.position(joint).lerp(high.position(joint), share);
            let place = Region::ALL.iter().position(|&other| other == region).expect("regions are all");
            sums[place] += made.position(joint).distance(real);
            counts[place] += 1;
        }
        n_frames += 1;
    }
    let mean = |sum: f64, count: usize| if count > 0 { sum / count as f64 } else { 0.0 };
    let by_region = std::array::from_fn(|k| mean(sums[k], counts[k]));
    RegionErrors { by_region, all: mean(sums.iter().sum(), counts.iter().sum()), n_frames }
}

#[cfg(test)]
mod tests {
    use super::*;
    use surefoot_contact::{WalkerOptions, synthetic_walk};

    #[test]
    fn a_walk_is_at_no_distance_from_itself_and_half_a_frame_off_where_it_is_shifted_by_half_a_frame() {
        let take = synthetic_walk(&WalkerOptions::default()).take;
        let poses = take.clip.world();
        let compare =
            |shift: f64| compare_joints(&poses, &poses, (&take.clip, &take.body), |frame| Some(frame as f64 + shift));
        let same = compare(0.0);
        assert!(same.all < 1e-12 && same.n_frames == poses.len(), "{same:?}");
        let (half, whole) = (compare(0.5), compare(1.0));
        assert_eq!(half.n_frames, poses.len() - 1, "the last frame has none after it");
        assert!(half.all > 0.0 && half.by_region.iter().all(|error| *error > 0.0), "{half:?}");
        assert!((whole.all / half.all - 2.0).abs() < 0.2, "{half:?} {whole:?}");
    }
}
