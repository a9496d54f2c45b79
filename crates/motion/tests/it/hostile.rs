//! Whatever rates, times, ranges and numbers a caller passes: an error or an answer, never a panic.

use crate::edit::made_up::any_clip;
use proptest::prelude::*;
use surefoot_geom::{Quat, Vec3};
use surefoot_motion::{
    Clip, Placement, Poses, Seam, append, attach_feet, figure, find_body, fit_knee_axes, mirror, person, place,
    resample, sample_pose, slice, spread_frames, start_at_origin,
};

const HOSTILE: [f64; 12] =
    [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 0.0, -0.0, -1.0, 1e-300, 1e-4, 30.0, 1e6, 1e300, f64::MAX];

fn hostile() -> impl Strategy<Value = f64> {
    prop::sample::select(HOSTILE.to_vec())
}

/// A clip of a person or of any joints, of few frames or none, at any rate, one number of one pose being anything.
fn any_hostile_clip() -> impl Strategy<Value = Clip> {
    (0..12usize, any::<bool>(), hostile(), hostile(), 0..7usize).prop_map(
        |(n_frames, is_person, rate, number, field)| {
            let mut clip = any_clip(3, 8, n_frames);
            if is_person {
                let (skeleton, _) = person(&Default::default()).expect("a person");
                let rest = skeleton.rest_pose();
                clip = Clip::new("person", skeleton.into(), clip.frame_rate, Poses::repeat(&rest, n_frames));
            }
            let mut poses = clip.poses().clone();
            if n_frames > 0 {
                let transform = &mut poses.pose_mut(n_frames - 1).local[1];
                match field {
                    0..3 => transform.translation[field] = number,
                    3 => transform.rotation = Quat::from_xyzw(number, 0.0, 0.0, 0.0),
                    _ => {}
                }
            }
            clip.with_poses(poses).with_frame_rate(rate)
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]
    #[test]
    fn no_clip_panics(
        clip in any_hostile_clip(),
        number in hostile(),
        start in prop::sample::select(vec![0, 3, 11, usize::MAX]),
        end in prop::sample::select(vec![0, 2, 12, usize::MAX]),
    ) {
        if let Ok(resampled) = resample(&clip, number) {
            prop_assert!(resampled.n_frames() * clip.skeleton.n_joints() <= (1 << 21) + clip.skeleton.n_joints());
        }
        let _ = (slice(&clip, start..end), append(&clip, &clip, Seam::AsIs), spread_frames(start, end).len());
        let _ = place(&clip, Placement::about(Vec3::splat(number), number, Vec3::X));
        let _ = figure(&clip.skeleton, None);
        let poses = clip.world();
        let _ = attach_feet(&clip.skeleton, clip.poses());
        if !clip.poses().is_empty() {
            let pose = sample_pose(clip.poses(), number);
            prop_assert_eq!(pose.local.len(), clip.skeleton.n_joints());
        }
        if let Ok(found) = find_body(&clip.skeleton, &poses) {
            let _ = (mirror(&clip, &found.map), start_at_origin(&clip, &found.map));
            let axes = fit_knee_axes(&clip, &found.map);
            prop_assert!(axes.left.is_finite() && axes.right.is_finite());
        }
    }

    #[test]
    fn times_that_are_none_give_a_pose_of_the_clip(number in hostile()) {
        let clip = any_clip(5, 4, 6);
        let pose = sample_pose(clip.poses(), number);
        prop_assert!(pose.local.iter().all(surefoot_geom::Transform::is_finite), "{number}");
    }
}
