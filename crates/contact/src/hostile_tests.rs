//! Whatever frame rates, frames and numbers a caller passes: an answer or an error, never a panic.

use crate::check_frame_rate::{measure_free_fall, measure_gait};
use crate::{
    Contacts, DetectOptions, FootPart, FootTracks, HeightDetectOptions, Plant, Take, WalkerOptions, detect_by_height,
    detect_contacts, estimate_floor, estimate_ground, measure_placement, mirror_take, path_length, resample_take,
    slice_take, synthetic_walk,
};
use proptest::prelude::*;
use surefoot_geom::Vec3;
use surefoot_motion::{Poses, Side};

const HOSTILE: [f64; 13] =
    [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 0.0, -0.0, -1.0, 1e-300, 1e-4, 1.0, 30.0, 1e6, 1e300, f64::MAX];

fn hostile() -> impl Strategy<Value = f64> {
    prop::sample::select(HOSTILE.to_vec())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]
    #[test]
    fn no_take_panics(
        n_frames in 0..50usize,
        frame_rate in hostile(),
        number in hostile(),
        is_broken in any::<bool>(),
        start in prop::sample::select(vec![0, 3, 11, usize::MAX]),
        end in prop::sample::select(vec![0, 2, 12, usize::MAX]),
    ) {
        let walk = synthetic_walk(&WalkerOptions { n_steps: 1, frame_rate: 30.0, ..WalkerOptions::default() });
        let mut poses: Poses = walk.take.clip.poses().iter().take(n_frames).collect();
        if is_broken && !poses.is_empty() {
            let last = poses.len() - 1;
            poses.pose_mut(last).local[0].translation.y = number;
        }
        let (clip, body) = (walk.take.clip.with_poses(poses).with_frame_rate(frame_rate), &walk.take.body);
        let world = clip.world();
        let detected = detect_contacts(&world, body, frame_rate, &DetectOptions::default()).contacts;
        let by_height = detect_by_height(&world, body, frame_rate, &HeightDetectOptions::default());
        let mut marked = Contacts::none(clip.n_frames());
        for frame in 0..clip.n_frames() {
            marked.mark(Side::Left, FootPart::Ball, frame, Vec3::splat(number));
        }
        let ranges = [(Side::Left, FootPart::Heel, start..end)];
        let given = Contacts::from_ranges(&clip, body, &ranges).unwrap_or_else(|_| Contacts::none(clip.n_frames()));
        let _ = (estimate_floor(&world, body), path_length(&world, body, frame_rate));
        let _ = (measure_free_fall(&world, body, frame_rate), measure_gait(&world, body, frame_rate));
        for contacts in [detected, by_height, marked, given] {
            prop_assert_eq!(contacts.n_frames, clip.n_frames());
            let _ = (estimate_ground(&contacts), contacts.summary(), contacts.stances(Side::Right));
            let _ = contacts.is_planted(Side::Left, FootPart::Ball, start);
            let _ = measure_placement(&world, body, &contacts);
            let take = Take { clip: clip.clone(), body: body.clone(), contacts };
            let _ = (slice_take(&take, start..end), mirror_take(&take));
            let _ = FootTracks::new(&take).stances(&take);
            if let Ok(resampled) = resample_take(&take, number) {
                prop_assert_eq!(resampled.contacts.n_frames, resampled.clip.n_frames());
                let is_within = |plant: &Plant| plant.frames.end <= resampled.clip.n_frames();
                prop_assert!(Side::BOTH.iter().all(|&side| resampled.contacts.plants[side].iter().all(is_within)));
            }
        }
    }
}
