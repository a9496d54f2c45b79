//! The equaliser and the cleaning filters on recordings of all formats.

use surefoot::geom::rotation;
use surefoot::motion::defects::find_spikes;
use surefoot::motion::{Clip, PoseRef};
use surefoot::{LoadOptions, load};
use surefoot_recordings::{largest_move, shared_folder};
use surefoot_signal::filters::{
    ButterworthOptions, CleanOptions, DespikeOptions, GaussianOptions, OrientationOptions, SavitzkyGolayOptions,
    Smoothing, clean, despike,
};
use surefoot_signal::{
    BandGains, Bands, Curves, Edge, EqualizeOptions, Preset, Selection, apply_preset, count_bands, equalize,
};

/// A walk, a run, a jump, a long one with many spikes, and other people's skeletons and rates.
const CLIPS: [&str; 7] = [
    "cmu-bvh/002/02_01.bvh",
    "cmu-bvh/009/09_01.bvh",
    "cmu-bvh/013/13_39.bvh",
    "cmu-bvh/009/09_12.bvh",
    "cmu-bvh/016/16_17.bvh",
    "bandai/dataset-1_walk_normal_001.bvh",
    "xsens-unity-bvh/NewBVH.txt",
];

fn clips() -> Vec<Clip> {
    let Some(folder) = shared_folder() else { return Vec::new() };
    let read = |name: &&str| {
        let path = folder.join("mocap").join(name);
        load(&path, &LoadOptions::default()).unwrap_or_else(|error| panic!("{error}")).clip
    };
    CLIPS.iter().map(read).collect()
}

fn is_valid(pose: PoseRef<'_>) -> bool {
    let valid =
        |at: &surefoot::geom::Transform| (at.rotation.length() - 1.0).abs() < 1e-9 && at.translation.is_finite();
    pose.local.iter().all(valid)
}

#[test]
fn gains_of_one_return_the_clip_and_bands_sum_up_to_the_channels() {
    for clip in clips() {
        let before = Curves::read(&clip);
        let mut after = before.clone();
        let gains = vec![1.0; count_bands(clip.n_frames())];
        let groups = [BandGains { selection: Selection::everything(&clip.skeleton), gains }];
        equalize(&mut after, &groups, &EqualizeOptions::default()).unwrap();
        assert!(largest_move(&clip, &after.to_clip(&clip.name)) < 1e-9, "{}", clip.name);
        for channel in 0..before.tracks().len() {
            for edge in [Edge::Reflected, Edge::Held, Edge::PointReflected] {
                let sum = Bands::split(before.channel(channel), edge).sum();
                assert!(
                    sum.iter().zip(before.channel(channel)).all(|(a, b)| (a - b).abs() < 1e-12),
                    "{} channel {channel}",
                    clip.name
                );
            }
        }
    }
}

/// Mean angle from a joint's mean direction over the clip: how large movements are.
fn movement(clip: &Clip) -> f64 {
    let curves = Curves::read(clip);
    let of_joints = curves.tracks().iter().enumerate().filter(|(_, track)| track.joint != curves.root());
    let channels: Vec<&[f64]> =
        of_joints.filter(|(_, t)| t.quantity.is_angle()).map(|(channel, _)| curves.channel(channel)).collect();
    let spread = |channel: &&[f64]| {
        let mean = channel.iter().sum::<f64>() / channel.len() as f64;
        channel.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / channel.len() as f64
    };
    (channels.iter().map(spread).sum::<f64>() / channels.len() as f64).sqrt()
}

#[test]
fn presets_keep_poses_valid_and_make_movements_larger_or_smaller() {
    for clip in clips() {
        let was = movement(&clip);
        let is = |preset: Preset| {
            let out = apply_preset(&clip, preset, &Selection::all(&clip.skeleton), 1.0, &preset.options()).unwrap();
            assert!(out.poses().iter().all(is_valid), "{} {preset:?}", clip.name);
            movement(&out) / was
        };
        assert!((1.1..1.7).contains(&is(Preset::Exaggerate)), "{} {}", clip.name, is(Preset::Exaggerate));
        assert!((0.4..0.9).contains(&is(Preset::ToneDown)), "{} {}", clip.name, is(Preset::ToneDown));
        for preset in [Preset::Nervous, Preset::Anticipate, Preset::Cartoon] {
            assert!((0.7..2.0).contains(&is(preset)), "{} {preset:?} {}", clip.name, is(preset));
        }
    }
}

#[test]
fn despiked_recordings_have_no_spike_that_the_importer_would_report() {
    let (mut before, mut mended) = (0, 0);
    for clip in clips() {
        before += find_spikes(&clip).len();
        let mut curves = Curves::read(&clip);
        mended +=
            despike(&mut curves, &Selection::everything(&clip.skeleton), &DespikeOptions::default()).unwrap().len();
        assert_eq!(find_spikes(&curves.to_clip("mended")), [], "{}", clip.name);
    }
    assert!(shared_folder().is_none() || (before > 5 && mended > before), "{before} {mended}");
}

/// How far frames are from the middle of their neighbours, in radians.
fn roughness(clip: &Clip) -> f64 {
    let off = |frame: usize| {
        let of = |joint: usize| {
            let [a, b, c] = [0, 1, 2].map(|k| clip.pose(frame + k).local[joint].rotation);
            rotation::angle_between(b, rotation::slerp(a, c, 0.5))
        };
        (0..clip.skeleton.n_joints()).map(of).sum::<f64>()
    };
    (0..clip.n_frames().saturating_sub(2)).map(off).sum::<f64>() / (clip.n_frames() * clip.skeleton.n_joints()) as f64
}

#[test]
fn filters_smooth_recordings_and_stay_near() {
    let filters = [
        Smoothing::Butterworth(ButterworthOptions::default()),
        Smoothing::SavitzkyGolay(SavitzkyGolayOptions::default()),
        Smoothing::Gaussian(GaussianOptions::default()),
        Smoothing::Orientation(OrientationOptions { passes: 2 }),
    ];
    for clip in clips() {
        for filter in &filters {
            let mut curves = Curves::read(&clip);
            let options = CleanOptions { despike: Some(DespikeOptions::default()), smoothing: vec![filter.clone()] };
            clean(&mut curves, &Selection::everything(&clip.skeleton), &options).unwrap();
            let out = curves.to_clip(&clip.name);
            assert!(out.poses().iter().all(is_valid), "{} {filter:?}", clip.name);
            assert!(roughness(&out) < 0.95 * roughness(&clip), "{} {filter:?}", clip.name);
            let kept = movement(&out) / movement(&clip);
            assert!((0.9..1.01).contains(&kept), "{} {filter:?}: {kept}", clip.name);
        }
    }
}
