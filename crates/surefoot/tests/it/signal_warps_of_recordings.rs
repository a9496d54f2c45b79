//! Timewarping on recordings: copies whose time was distorted, and different persons' walks.

use std::path::Path;
use surefoot::contact::{Contacts, DetectOptions, detect_contacts};
use surefoot::geom::Random;
use surefoot::motion::{BodyMap, Clip, slice};
use surefoot::{LoadOptions, load};
use surefoot_recordings::shared_folder;
use surefoot_signal::{
    CorrespondOptions, Curves, FindWarpOptions, Finish, FootEvent, FootEventKind, JointWeights, RegisterOptions,
    Search, TimeWarp, WarpError, find_warp, foot_events, register_contacts,
};

fn read(folder: &Path, file: &str) -> (Clip, BodyMap) {
    let path = folder.join("mocap").join(file);
    let mut options = LoadOptions::default();
    if file.starts_with("cmu-bvh/143") {
        options.import.frame_rate = Some(60.0);
    }
    let import = load(&path, &options).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    (import.clip, import.body.expect("a body"))
}

/// Where in a clip each sample of a copy at another rate is: a pace from half to twice the clip's own that changes
/// within every second.
fn distorted_times(clip: &Clip, rate: f64, amount: f64, seed: u64) -> Vec<f64> {
    let mut random = Random::new(seed);
    let waves: Vec<[f64; 3]> =
        (0..8).map(|_| [0.7 + 2.0 * random.unit(), 6.3 * random.unit(), 0.5 + random.unit()]).skip(4).collect();
    let slope = |seconds: f64| {
        let wave =
            |[period, phase, height]: &[f64; 3]| height * (seconds * std::f64::consts::TAU / period + phase).sin();
        2f64.powf(amount * waves.iter().map(wave).sum::<f64>().sin())
    };
    let last = (clip.n_frames() - 1) as f64;
    let mut times = vec![0.0];
    while times[times.len() - 1] < last {
        let now = times.len() as f64 - 0.5;
        times.push(times[times.len() - 1] + slope(now / rate) * clip.frame_rate / rate);
    }
    let scale = last / times[times.len() - 1];
    times.iter_mut().for_each(|time| *time *= scale);
    let slopes = times.windows(2).map(|pair| (pair[1] - pair[0]) * rate / clip.frame_rate);
    assert!(slopes.clone().all(|slope| (0.45..2.05).contains(&slope)), "slopes from a half to two");
    times
}

fn copy_at(clip: &Clip, rate: f64, times: &[f64]) -> Clip {
    let mut curves = Curves::read(clip).sample(times);
    curves.frame_rate = rate;
    curves.to_clip("copy")
}

/// How far a warp misses the times a copy was made with, at worst, in frames of whichever rate is lower.
fn largest_miss(warp: &TimeWarp, times: &[f64], rate_ratio: f64) -> f64 {
    let misses = times.iter().enumerate().map(|(sample, time)| {
        let in_a = (warp.a_at(sample as f64) - time).abs() * rate_ratio.min(1.0);
        let in_b = (warp.b_at(*time) - sample as f64).abs() / rate_ratio.max(1.0);
        in_a.max(in_b)
    });
    misses.fold(0.0, f64::max)
}

const WALKS: [&str; 9] = [
    "cmu-bvh/002/02_01.bvh",
    "cmu-bvh/007/07_04.bvh",
    "cmu-bvh/008/08_06.bvh",
    "cmu-bvh/016/16_17.bvh",
    "cmu-bvh/016/16_33.bvh",
    "cmu-bvh/035/35_01.bvh",
    "cmu-bvh/143/143_32.bvh",
    "bandai/dataset-1_walk_normal_001.bvh",
    "xsens-unity-bvh/NewBVH.txt",
];

#[test]
fn the_time_of_copies_is_recovered_within_a_frame() {
    let Some(folder) = shared_folder() else { return };
    let mut misses = Vec::new();
    for file in WALKS {
        let (clip, _) = read(&folder, file);
        let weights = JointWeights::even(&clip.skeleton);
        for (seed, rate_ratio) in [(1, 1.0), (2, 1.0), (3, 1.0), (4, 0.5), (5, 2.0), (6, 0.9)] {
            let rate = clip.frame_rate * rate_ratio;
            let times = distorted_times(&clip, rate, 1.0, seed);
            let curves = Curves::read_all(&[&clip, &copy_at(&clip, rate, &times)]);
            let found = find_warp(&curves[0], &curves[1], &weights, &FindWarpOptions::default()).unwrap();
            let miss = largest_miss(&found.warp, &times, rate_ratio);
            assert!(miss < 1.0, "{file}, distortion {seed} at {rate} Hz: off by {miss} frames");
            misses.push(miss);
        }
    }
    let mean = misses.iter().sum::<f64>() / misses.len() as f64;
    println!("off by {mean:.2} frames at worst, on average");
    assert!(mean < 0.3, "{mean}");
}

/// Why values are compared, as the head of `correspond` explains.
#[test]
fn shape_alone_loses_its_place_in_recordings() {
    let Some(folder) = shared_folder() else { return };
    let mut misses = Vec::new();
    for file in &WALKS[..4] {
        let (clip, _) = read(&folder, file);
        let times = distorted_times(&clip, clip.frame_rate, 1.0, 1);
        let curves = Curves::read_all(&[&clip, &copy_at(&clip, clip.frame_rate, &times)]);
        let weights = JointWeights::even(&clip.skeleton);
        let found = find_warp(&curves[0], &curves[1], &weights, &FindWarpOptions::paper()).unwrap();
        misses.push(largest_miss(&found.warp, &times, 1.0));
    }
    println!("the paper's cost is off by {misses:.1?} frames at worst");
    assert!(misses.iter().all(|miss| *miss > 10.0), "{misses:?}");
}

#[test]
fn the_quick_search_finds_what_the_exact_one_does() {
    let Some(folder) = shared_folder() else { return };
    let clips: Vec<Clip> = [0, 1, 2, 3, 5].iter().map(|walk| read(&folder, WALKS[*walk]).0).collect();
    for (one, other) in [(0, 2), (2, 4), (4, 1), (3, 0), (1, 3)] {
        let (a, b) = (&clips[one], &clips[other]);
        let curves = Curves::read_all(&[a, &b.clone().with_skeleton(a.skeleton.clone())]);
        let cost = |search: Search, max_slope: Option<usize>| {
            let correspond = CorrespondOptions { search, max_slope, ..CorrespondOptions::default() };
            // Smoothed only: one search, with the same weights for both.
            let options = FindWarpOptions { correspond, finish: Finish::Smooth { seconds: 0.03 } };
            find_warp(&curves[0], &curves[1], &JointWeights::even(&a.skeleton), &options).unwrap().path.cost
        };
        for max_slope in [Some(3), None] {
            let (quick, exact) = (cost(Search::CoarseToFine, max_slope), cost(Search::Exact, max_slope));
            println!("{} {} {max_slope:?}: {quick:.4}, exactly {exact:.4}", a.name, b.name);
            assert!(quick >= exact * (1.0 - 1e-9) && quick < exact * 1.01, "{quick} instead of {exact}");
        }
    }
}

/// A walk cut at events of its feet.
struct CutWalk {
    clip: Clip,
    contacts: Contacts,
    events: Vec<FootEvent>,
}

fn walks(folder: &Path) -> Vec<CutWalk> {
    let numbers = ["008/08_01", "008/08_04", "012/12_01", "016/16_15", "016/16_21", "037/37_01", "039/39_01"];
    numbers
        .iter()
        .map(|number| {
            let (clip, body) = read(folder, &format!("cmu-bvh/{number}.bvh"));
            let contacts = detect_contacts(&clip.world(), &body, clip.frame_rate, &DetectOptions::default()).contacts;
            let events = foot_events(&contacts);
            CutWalk { clip, contacts, events }
        })
        .collect()
}

/// The longest stretches of two walks in which feet do the same: the first event of each, and how many there are.
fn same_steps(a: &[FootEvent], b: &[FootEvent]) -> (usize, usize, usize) {
    let alike = |(one, other): &(&FootEvent, &FootEvent)| (one.kind, one.side) == (other.kind, other.side);
    let starts = (0..a.len()).flat_map(|i| (0..b.len()).map(move |j| (i, j)));
    let lengths = starts.map(|(i, j)| (i, j, a[i..].iter().zip(&b[j..]).take_while(alike).count()));
    lengths.max_by_key(|(_, _, n)| *n).expect("events")
}

#[test]
fn other_persons_steps_are_met_where_their_time_is_distorted() {
    let Some(folder) = shared_folder() else { return };
    let walks = walks(&folder);
    let (mut found_off, mut even_off, mut n_pairs) = (Vec::new(), Vec::new(), 0);
    for (one, a) in walks.iter().enumerate() {
        for (other, b) in walks.iter().enumerate().filter(|(other, _)| *other != one) {
            let (i, j, n) = same_steps(&a.events, &b.events);
            if n < 7 {
                continue;
            }
            let cut = |walk: &CutWalk, first: usize| {
                let frames = walk.events[first].frame..walk.events[first + n - 1].frame + 1;
                (slice(&walk.clip, frames.clone()).unwrap(), frames.start)
            };
            let ((clip_a, start_a), (clip_b, start_b)) = (cut(a, i), cut(b, j));
            let times = distorted_times(&clip_b, clip_b.frame_rate, 0.6, (one * 31 + other) as u64);
            let copy = copy_at(&clip_b.with_skeleton(clip_a.skeleton.clone()), 120.0, &times);
            let curves = Curves::read_all(&[&clip_a, &copy]);
            let weights = JointWeights::even(&clip_a.skeleton);
            let warp = find_warp(&curves[0], &curves[1], &weights, &FindWarpOptions::default()).unwrap().warp;
            let even = TimeWarp::linear(clip_a.n_frames(), copy.n_frames());
            n_pairs += 1;
            for k in 1..n - 1 {
                let frame_a = (a.events[i + k].frame - start_a) as f64;
                let frame_b = (b.events[j + k].frame - start_b) as f64;
                let sample = times.partition_point(|time| *time < frame_b) as f64;
                let off = |warp: &TimeWarp| (warp.b_at(frame_a) - sample).abs() / 0.12;
                found_off.push(off(&warp));
                even_off.push(off(&even));
            }
        }
    }
    let mean = |off: &[f64]| off.iter().sum::<f64>() / off.len() as f64;
    let (found, even) = (mean(&found_off), mean(&even_off));
    println!(
        "{n_pairs} pairs of walks, {} events: off by {found:.0} ms, at an even pace by {even:.0} ms",
        found_off.len()
    );
    assert!(n_pairs >= 12, "{n_pairs}");
    assert!(found < 40.0 && found < even / 2.0, "{found} ms, {even} ms");
}

#[test]
fn contacts_of_other_persons_are_matched_in_order() {
    let Some(folder) = shared_folder() else { return };
    let walks = walks(&folder);
    for a in &walks {
        for b in &walks {
            let registered = register_contacts(&a.contacts, &b.contacts, &RegisterOptions::default()).unwrap();
            let matched: Vec<FootEvent> = registered.matched.iter().map(|pair| pair[0]).collect();
            let n_strikes =
                |events: &[FootEvent]| events.iter().filter(|event| event.kind == FootEventKind::Strike).count();
            let [n, n_a, n_b] = [&matched, &a.events, &b.events].map(|events| n_strikes(events));
            println!("{} {}: {n} strikes of {n_a} and {n_b}", a.clip.name, b.clip.name);
            // A walk that begins with the other foot loses a step; nobody loses one between.
            assert!(n + 1 >= n_a.min(n_b), "{} {}: {n} of {n_a} and {n_b}", a.clip.name, b.clip.name);
            let n = matched.len();
            assert_eq!(n + registered.skipped_a.len(), a.events.len());
            assert_eq!(n + registered.skipped_b.len(), b.events.len());
            let strikes = registered.matched.iter().filter(|pair| pair[0].kind == FootEventKind::Strike);
            for pair in strikes {
                assert!((registered.warp.b_at(pair[0].frame as f64) - pair[1].frame as f64).abs() < 1e-9);
            }
        }
    }
}

#[test]
fn contacts_are_anchors() {
    let Some(folder) = shared_folder() else { return };
    let walks = walks(&folder);
    let mut n_anchored = 0;
    for (a, b) in walks.iter().zip(&walks[1..]) {
        let registered = register_contacts(&a.contacts, &b.contacts, &RegisterOptions::default()).unwrap();
        let mut options = FindWarpOptions::default();
        options.correspond.anchors = registered.anchors();
        let curves = Curves::read_all(&[&a.clip, &b.clip.clone().with_skeleton(a.clip.skeleton.clone())]);
        match find_warp(&curves[0], &curves[1], &JointWeights::even(&a.clip.skeleton), &options) {
            Ok(found) => {
                n_anchored += 1;
                for [from, to] in registered.anchors() {
                    let b_at = found.warp.b_at(from as f64);
                    assert!((b_at - to as f64).abs() < 1e-9, "{from} leads to {b_at} instead of {to}");
                }
            }
            // Walks that begin and end elsewhere in a step rush at their ends.
            Err(error) => assert!(matches!(error, WarpError::TooSteep { .. }), "{error}"),
        }
    }
    assert!(n_anchored >= 2, "{n_anchored}");
}
