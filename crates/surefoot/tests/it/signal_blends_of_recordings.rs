//! Recorded walks blended, joined, looped and restyled as signals: feet strike once for each step (SIGNAL figure 5.6).

use std::path::Path;
use surefoot::contact::{Contacts, DetectOptions, Take, detect_contacts};
use surefoot::motion::{BodyMap, Clip, PerSide, Side};
use surefoot::signal::{
    BlendOptions, ConcatOptions, Curves, Cut, FindWarpOptions, JointWeights, LoopOptions, Registration, StridePhase,
    StyleMatch, TransferOptions, blend, concat, find_loop, find_warp, transfer,
};
use surefoot::{LoadOptions, load};
use surefoot_recordings::{largest_move, shared_folder};

fn read(folder: &Path, file: &str) -> Take {
    let path = folder.join("mocap/cmu-bvh").join(file);
    let import = load(&path, &LoadOptions::default()).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    import.into_take(&DetectOptions::default()).expect("a body").take
}

fn detect(clip: &Clip, body: &BodyMap) -> Contacts {
    detect_contacts(&clip.world(), body, clip.frame_rate, &DetectOptions::default()).contacts
}

fn n_stances(contacts: &Contacts) -> PerSide<usize> {
    PerSide::from_fn(|side| contacts.stances(side).len())
}

/// Largest distance that a joint moves from a frame to the next, in metres per second.
fn fastest(clip: &Clip) -> f64 {
    let poses = clip.world();
    let moved = poses.windows(2).flat_map(|pair| pair[0].world().iter().zip(pair[1].world()));
    moved.map(|(a, b)| a.translation.distance(b.translation)).fold(0.0, f64::max) * clip.frame_rate
}

#[test]
fn a_slow_and_a_fast_walk_need_a_timewarp_to_keep_their_steps() {
    let Some(folder) = shared_folder() else { return };
    let slow = read(&folder, "007/07_04.bvh");
    let body = &slow.body;
    let fast = read(&folder, "007/07_12.bvh");
    // Both recordings take as many steps, at 0.7 and at 1.1 strides a second.
    let steps = n_stances(&slow.contacts);
    assert_eq!(steps, n_stances(&fast.contacts));
    let curves = Curves::read_all(&[&slow.clip, &fast.clip]);
    let weights = JointWeights::even(&slow.clip.skeleton);
    let warp = find_warp(&curves[0], &curves[1], &weights, &FindWarpOptions::default()).expect("a warp").warp;
    for share in [0.25, 0.5, 0.75] {
        let options = BlendOptions::constant(&[1.0 - share, share]);
        let warps = std::slice::from_ref(&warp);
        let with = blend(&curves, Registration::Warped(warps), &options).expect("a blend").curves.to_clip("with");
        let contacts = detect(&with, body);
        assert_eq!(n_stances(&contacts), steps, "share {share}: {contacts:?}");
        assert!(fastest(&with) < fastest(&fast.clip).max(fastest(&slow.clip)), "share {share}");
        // Steps come at even intervals, between those of the two.
        let stride = |contacts: &Contacts| StridePhase::from_contacts(contacts).expect("steps in turn").stride_frames();
        let wanted = (1.0 - share) * stride(&slow.contacts) + share * stride(&fast.contacts);
        assert!((stride(&contacts) / wanted - 1.0).abs() < 0.05, "share {share}: {} {wanted}", stride(&contacts));
    }
    // Without one, a foot of the blend misses the ground, and what is left comes at uneven times.
    let options = BlendOptions::constant(&[0.5, 0.5]);
    let without = blend(&curves, Registration::Frames, &options).expect("a blend").curves.to_clip("without");
    assert_ne!(n_stances(&detect(&without, body)), steps);
}

#[test]
fn a_recorded_walk_loops_and_joins_without_a_jump() {
    let Some(folder) = shared_folder() else { return };
    for file in ["007/07_04.bvh", "035/35_01.bvh", "016/16_45.bvh"] {
        let take = read(&folder, file);
        let body = &take.body;
        let curves = Curves::read(&take.clip);
        let made = find_loop(&curves, &LoopOptions { cycles: 5, ..LoopOptions::default() }).expect("a cycle");
        assert!(made.unlikeness < 0.3, "{file}: {}", made.unlikeness);
        let clip = made.curves.to_clip("loop");
        assert!(fastest(&clip) < 1.1 * fastest(&take.clip), "{file}");
        let contacts = detect(&clip, body);
        let steps = contacts.summary().n_steps;
        assert!(steps.left >= 4 && steps.right >= 4 || file.starts_with("016"), "{file}: {steps:?}");
    }
    let slow = read(&folder, "007/07_04.bvh");
    let fast = read(&folder, "007/07_12.bvh");
    let body = &fast.body;
    let curves = Curves::read_all(&[&slow.clip, &fast.clip]);
    let options = ConcatOptions { cut: Cut::Best { within_seconds: 1.0 }, ..ConcatOptions::default() };
    let joined = concat(&curves, &options).expect("joined").curves.to_clip("joined");
    assert!(fastest(&joined) < 1.1 * fastest(&fast.clip));
    let contacts = detect(&joined, body);
    for side in Side::BOTH {
        let stances = contacts.stances(side);
        assert!(stances.windows(2).all(|pair| pair[1].start - pair[0].end > 15), "{side:?}: {stances:?}");
    }
}

#[test]
fn a_slow_walk_made_brisk_goes_as_far_and_as_fast_as_a_brisk_one() {
    let Some(folder) = shared_folder() else { return };
    let neutral = read(&folder, "007/07_01.bvh");
    let slow = read(&folder, "007/07_04.bvh");
    let brisk = read(&folder, "007/07_12.bvh");
    let body = &brisk.body;
    let style = |clip: &Take, neutral: &Take, styled: &Take| {
        let curves = Curves::read_all(&[&clip.clip, &neutral.clip, &styled.clip]);
        let phases = [clip, neutral, styled].map(|take| StridePhase::from_contacts(&take.contacts).expect("a walk"));
        let how = StyleMatch::Strides { clip: &phases[0], neutral: &phases[1], styled: &phases[2] };
        transfer(&curves[0], &curves[1], &curves[2], how, &TransferOptions::default()).expect("restyled")
    };
    let stride = |contacts: &Contacts| StridePhase::from_contacts(contacts).expect("steps in turn").stride_frames();
    let made = style(&slow, &slow, &brisk).curves.to_clip("brisk");
    let contacts = detect(&made, body);
    assert_eq!(n_stances(&contacts), n_stances(&slow.contacts));
    let ratio = stride(&contacts) / stride(&brisk.contacts);
    assert!((ratio - 1.0).abs() < 0.05, "{ratio}");
    let speed = |clip: &Clip, body: &BodyMap| {
        let place = |frame: usize| clip.world_pose(frame).position(body.pelvis);
        let quarter = clip.n_frames() / 4;
        place(quarter).distance(place(3 * quarter)) / (2 * quarter) as f64 * clip.frame_rate
    };
    let (made_speed, wanted) = (speed(&made, body), speed(&brisk.clip, body));
    assert!((made_speed / wanted - 1.0).abs() < 0.08, "{made_speed} m/s, brisk {wanted} m/s");
    // What does not differ gives nothing.
    let same = style(&slow, &neutral, &neutral).curves.to_clip("same");
    assert!(largest_move(&same, &slow.clip) < 1e-9);
}
