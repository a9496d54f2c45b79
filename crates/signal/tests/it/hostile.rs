//! Whatever frame rates, times and options a caller passes: an error or an answer, never a panic.

use proptest::prelude::*;
use surefoot_contact::{WalkerOptions, synthetic_walk};
use surefoot_motion::Clip;
use surefoot_signal::filters::{CleanOptions, clean};
use surefoot_signal::{
    ConcatOptions, Curves, FindWarpOptions, JointWeights, LoopOptions, RegisterOptions, Selection, TimeWarp,
    apply_warp, band_ranges, band_response, choose_bands, concat, find_loop, find_warp, register_contacts,
};

const HOSTILE: [f64; 13] =
    [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 0.0, -0.0, -1.0, 1e-300, 1e-4, 0.3, 30.0, 1e6, 1e300, f64::MAX];

fn hostile() -> impl Strategy<Value = f64> {
    prop::sample::select(HOSTILE.to_vec())
}

fn clip(n_frames: usize, frame_rate: f64) -> Clip {
    let walk = synthetic_walk(&WalkerOptions { n_steps: 1, frame_rate: 30.0, ..WalkerOptions::default() });
    let poses = walk.take.clip.poses().iter().take(n_frames).collect();
    walk.take.clip.with_poses(poses).with_frame_rate(frame_rate)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]
    #[test]
    fn no_clip_or_option_panics(
        n_frames in prop::sample::select(vec![1usize, 2, 3, 9, 40]),
        n_others in prop::sample::select(vec![1usize, 2, 30]),
        frame_rate in hostile(),
        other_rate in hostile(),
        number in hostile(),
        another in hostile(),
        n in prop::sample::select(vec![0, 1, 3, 1000, usize::MAX]),
    ) {
        let clip = clip(n_frames, frame_rate);
        let curves = Curves::read(&clip);
        let cut = (n % 2 == 1).then_some((n, n / 2));
        let options = LoopOptions { min_seconds: number, max_seconds: another, cycles: n, zone_seconds: number, cut };
        let _ = (find_loop(&curves, &options), find_loop(&curves, &LoopOptions { cycles: 2, ..LoopOptions::default() }));
        let other = Curves::read(&self::clip(n_others, other_rate));
        let weights = JointWeights::even(&clip.skeleton);
        let _ = find_warp(&curves, &other, &weights, &FindWarpOptions::default());
        let _ = clean(&mut curves.clone(), &Selection::all(&clip.skeleton), &CleanOptions::default());
        let _ = (band_ranges(n_frames, frame_rate), choose_bands(n_frames, frame_rate, number..=another));
        let _ = band_response(n % 8, number, frame_rate);
        let sampled = curves.sample(&[number, another]);
        prop_assert_eq!(sampled.n_frames(), 2);
        let _ = concat(&[curves.clone(), other.clone()], &ConcatOptions::default());
        if let Ok(warp) = TimeWarp::from_knots(vec![[0.0, 0.0], [number, another]]) {
            let _ = (warp.b_at(number), warp.a_at(another), warp.slope_range(), warp.inverse());
            let _ = apply_warp(&other, &warp, n_frames, frame_rate);
        }
        let contacts = surefoot_contact::Contacts::none(n_frames);
        let _ = register_contacts(&contacts, &surefoot_contact::Contacts::none(0), &RegisterOptions::default());
    }
}
