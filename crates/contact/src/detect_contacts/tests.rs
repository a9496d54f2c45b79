//! Contacts against the truth: walkers whose plants are known by construction, and what a detector must not mistake.

use super::*;
use crate::{Take, WalkerOptions, resample_take, synthetic_walk};
use std::ops::Range;
use surefoot_geom::{Quat, Random, Vec3, smoothstep};
use surefoot_motion::Clip;

fn detect(clip: &Clip, body: &BodyMap) -> Contacts {
    detect_contacts(&clip.world(), body, clip.frame_rate, &DetectOptions::default()).contacts
}

fn ranges(contacts: &Contacts, side: Side, part: FootPart) -> Vec<Range<usize>> {
    contacts.plants[side].iter().filter(|plant| plant.part == part).map(|plant| plant.frames.clone()).collect()
}

/// The same plants, and the same frames but those in which a part is nearer than `doubt` to its place: nothing but its
/// position shows that it has left.
fn assert_same(found: &Contacts, truth: &Contacts, poses: &[WorldPose], body: &BodyMap, doubt: f64, what: &str) {
    for side in Side::BOTH {
        for part in FootPart::BOTH {
            let (found, truth) = (ranges(found, side, part), ranges(truth, side, part));
            assert_eq!(found.len(), truth.len(), "{what}: {side:?} {part:?} {found:?}, not {truth:?}");
            for (found, truth) in found.iter().zip(&truth) {
                let place = |frame: usize| part.place(body, &poses[frame], side);
                let planted_at = place((truth.start + truth.end) / 2);
                let wrong = (0..poses.len()).filter(|frame| found.contains(frame) != truth.contains(frame));
                for frame in wrong {
                    let away = place(frame).distance(planted_at);
                    assert!(
                        away < doubt,
                        "{what}: {side:?} {part:?} {found:?}, not {truth:?}: {away} m away in {frame}"
                    );
                }
            }
        }
    }
}

fn walks() -> Vec<WalkerOptions> {
    let usual = WalkerOptions::default();
    vec![
        usual,
        WalkerOptions { step_length: 0.45, cadence: 1.4, ..usual },
        WalkerOptions { step_length: 0.85, cadence: 2.1, first: Side::Right, ..usual },
        WalkerOptions { turn_per_step: 0.4, toe_out: 0.3, ..usual },
        WalkerOptions { height: 1.1, step_length: 0.4, cadence: 2.5, ..usual },
        WalkerOptions { step_length: 0.2, cadence: 0.9, ..usual },
        WalkerOptions { standing: 0.0, n_steps: 3, ..usual },
        WalkerOptions { step_length: 0.1, cadence: 1.6, turn_per_step: 0.6, ..usual },
    ]
}

#[test]
fn plants_of_walkers_are_found_to_the_frame() {
    for frame_rate in [24.0, 30.0, 60.0, 120.0, 240.0] {
        for walk in walks() {
            let options = WalkerOptions { frame_rate, ..walk };
            let walk = synthetic_walk(&options);
            let clip = &walk.take.clip;
            let found = detect(clip, &walk.take.body);
            assert_same(&found, &walk.take.contacts, &clip.world(), &walk.take.body, 1e-7, &format!("{options:?}"));
        }
    }
}

/// Standing feet that a test moves: for each frame, where the balls are and how far the heels are up, in radians of pitch.
struct Feet {
    body: BodyMap,
    poses: Vec<WorldPose>,
}

const RATE: f64 = 60.0;

impl Feet {
    fn moving(seconds: f64, foot: impl Fn(Side, f64) -> (Vec3, f64)) -> Feet {
        let walk = synthetic_walk(&WalkerOptions::default());
        let body = walk.take.body;
        let standing = walk.take.clip.world_pose(0);
        let n_frames = (seconds * RATE) as usize;
        let poses = (0..n_frames).map(|frame| {
            let mut pose = standing.clone();
            for side in Side::BOTH {
                let (ball, pitch) = foot(side, frame as f64 / RATE);
                let leg = &body.legs[side];
                let rotation = Quat::from_rotation_x(pitch);
                pose.world_mut()[leg.ankle.index()].rotation = rotation;
                pose.world_mut()[leg.ankle.index()].translation = ball - rotation * leg.foot.ball;
                pose.world_mut()[leg.ball.expect("a ball").index()].translation = ball;
            }
            pose
        });
        Feet { poses: poses.collect(), body }
    }

    fn detect(&self) -> Contacts {
        detect_contacts(&self.poses, &self.body, RATE, &DetectOptions::default()).contacts
    }
}

fn home(side: Side) -> Vec3 {
    Vec3::X * if side == Side::Left { 0.1 } else { -0.1 }
}

/// From 0 to 1 between two times, at rest at both ends.
fn ease(time: f64, from: f64, to: f64) -> f64 {
    smoothstep((time - from) / (to - from))
}

fn stands_in(contacts: &Contacts, side: Side, part: FootPart, seconds: Range<f64>) -> usize {
    let frames = (seconds.start * RATE) as usize..(seconds.end * RATE) as usize;
    frames.filter(|&frame| contacts.is_planted(side, part, frame)).count()
}

#[test]
fn a_foot_held_still_in_the_air_is_not_planted() {
    for height in [0.1, 0.25] {
        let feet = Feet::moving(5.0, |side, time| {
            let up = height * (ease(time, 1.0, 1.4) - ease(time, 3.6, 4.0));
            let forward = Vec3::Z * 0.3 * ease(time, 1.0, 1.4);
            (home(side) + if side == Side::Left { Vec3::Y * up + forward } else { Vec3::ZERO }, 0.0)
        });
        let contacts = feet.detect();
        for part in FootPart::BOTH {
            assert_eq!(stands_in(&contacts, Side::Right, part, 0.0..5.0), 300);
            assert_eq!(stands_in(&contacts, Side::Left, part, 1.1..3.9), 0, "{height} m up");
            assert_eq!(stands_in(&contacts, Side::Left, part, 0.0..0.9), 54);
            assert_eq!(stands_in(&contacts, Side::Left, part, 4.2..5.0), 48);
        }
    }
}

#[test]
fn a_foot_on_a_stair_is_planted() {
    // Feet take turns: each rises by two stairs while the other is planted.
    let climb = |side: Side, time: f64| {
        let first = if side == Side::Left { 0.5 } else { 1.2 };
        let risen = |k: usize| ease(time, first + 1.4 * k as f64, first + 1.4 * k as f64 + 0.5);
        let stairs: f64 = (0..3).map(risen).sum::<f64>() * 2.0;
        (home(side) + Vec3::new(0.0, 0.17, 0.3) * stairs, 0.0)
    };
    let contacts = Feet::moving(5.2, climb).detect();
    for side in Side::BOTH {
        for part in FootPart::BOTH {
            let plants = ranges(&contacts, side, part);
            assert_eq!(plants.len(), 4, "{side:?} {part:?} {plants:?}");
        }
        let levels: Vec<f64> = contacts.plants[side].iter().map(|plant| plant.position.y).collect();
        assert!(levels.windows(2).all(|pair| pair[0] <= pair[1] + 1e-3), "{levels:?}");
        assert!((levels[7] - 6.0 * 0.17).abs() < 1e-3, "{levels:?}");
    }
}

#[test]
fn heels_on_tiptoe_are_not_planted() {
    let contacts =
        Feet::moving(4.0, |side, time| (home(side), 0.6 * (ease(time, 1.0, 1.5) - ease(time, 2.5, 3.0)))).detect();
    for side in Side::BOTH {
        assert_eq!(stands_in(&contacts, side, FootPart::Ball, 0.0..4.0), 240);
        assert_eq!(stands_in(&contacts, side, FootPart::Heel, 1.4..2.6), 0);
        assert_eq!(ranges(&contacts, side, FootPart::Heel).len(), 2);
    }
}

#[test]
fn a_foot_that_slides_is_planted() {
    for slide in [0.05, 0.15, 0.3] {
        let steps = |side: Side, time: f64| {
            let offset = if side == Side::Left { 0.0 } else { 0.5 };
            let phase = time + offset;
            let n_steps = phase.floor();
            let swing = ease(phase - n_steps, 0.6, 1.0);
            let lift = 0.1 * (std::f64::consts::PI * swing).sin();
            (home(side) + Vec3::Z * (n_steps + swing + slide * time) + Vec3::Y * lift, 0.0)
        };
        let contacts = Feet::moving(4.0, steps).detect();
        for side in Side::BOTH {
            for part in FootPart::BOTH {
                let plants = ranges(&contacts, side, part);
                assert!((4..=5).contains(&plants.len()), "{slide} m/s: {side:?} {part:?} {plants:?}");
                assert!(plants[1..4].iter().all(|plant| (30..44).contains(&plant.len())), "{slide} m/s: {plants:?}");
            }
        }
    }
}

#[test]
fn nothing_is_planted_at_the_top_of_a_jump() {
    let flight = |time: f64| {
        let since = time - 1.0;
        (2.5 * since - 4.905 * since * since).max(0.0)
    };
    let contacts = Feet::moving(3.0, |side, time| (home(side) + Vec3::Y * flight(time), 0.0)).detect();
    for side in Side::BOTH {
        for part in FootPart::BOTH {
            assert_eq!(ranges(&contacts, side, part), [0..61, 91..180], "in the air for 0.51 s");
        }
    }
}

#[test]
fn noise_of_markers_neither_splits_nor_moves_plants() {
    let options = WalkerOptions { frame_rate: 120.0, ..WalkerOptions::default() };
    let walk = synthetic_walk(&options);
    let mut poses = walk.take.clip.world().to_vec();
    // Half a millimetre in every axis, the same in every run.
    let mut random = Random::new(1);
    for pose in &mut poses {
        for joint in pose.world_mut() {
            joint.translation += random.in_cube() * 0.0005;
        }
    }
    let found = detect_contacts(&poses, &walk.take.body, 120.0, &DetectOptions::default()).contacts;
    // The edges of plants are soft: what has moved less than two centimetres may or may not have left.
    assert_same(&found, &walk.take.contacts, &poses, &walk.take.body, 0.02, "noise");
}

#[test]
fn halving_the_rate_keeps_the_plants() {
    for walk in walks() {
        let walk = synthetic_walk(&WalkerOptions { frame_rate: 120.0, ..walk });
        let Take { clip, contacts, .. } = resample_take(&walk.take, 30.0).expect("a rate");
        let found = detect(&clip, &walk.take.body);
        assert_same(&found, &contacts, &clip.world(), &walk.take.body, 1e-3, "resampled");
    }
}

#[test]
fn what_is_not_finite_is_not_planted_and_never_a_panic() {
    let walk = synthetic_walk(&WalkerOptions::default());
    let good = walk.take.clip.world();
    for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1e300, -1e300] {
        for frames in [0..1, 5..9, 100..101, 200..260, 0..good.len()] {
            let mut poses = good.to_vec();
            for pose in &mut poses[frames.clone()] {
                for joint in pose.world_mut() {
                    joint.translation.y = bad;
                }
            }
            let contacts = detect_contacts(&poses, &walk.take.body, 60.0, &DetectOptions::default()).contacts;
            let plants = Side::BOTH.iter().flat_map(|side| &contacts.plants[*side]);
            for plant in plants.filter(|_| !bad.is_finite()) {
                assert!(plant.position.is_finite(), "{plant:?}");
                assert!(plant.frames.end <= frames.start || frames.end <= plant.frames.start, "{plant:?} {frames:?}");
            }
        }
    }
    for rate in [0.0, -30.0, f64::NAN, f64::INFINITY, 1e-300, 1e300] {
        for n_frames in [0, 1, 2, 50] {
            detect_contacts(&good[..n_frames], &walk.take.body, rate, &DetectOptions::default());
        }
    }
    let none = detect_contacts(&good, &walk.take.body, 0.0, &DetectOptions::default());
    assert_eq!(none.contacts, Contacts::none(good.len()));
}

#[test]
fn plants_of_a_part_never_overlap() {
    // A foot that is planted, hops by less than twice what counts as the same place, creeps back by half and is planted, all at the
    // very beginning or end of a clip: the middle place is near to both others, which are not near to each other.
    let frames = [(0, 0.0), (6, 0.0), (10, 0.028), (18, 0.014), (120, 0.014)];
    let place = |frame: f64| {
        let piece = frames.windows(2).find(|pair| frame < f64::from(pair[1].0)).unwrap_or(&frames[3..]);
        let share = (frame - f64::from(piece[0].0)) / f64::from(piece[1].0 - piece[0].0);
        let noise = 1e-5 * (frame * 2.0).sin();
        piece[0].1 + (piece[1].1 - piece[0].1) * share.min(1.0) + noise
    };
    for is_reversed in [false, true] {
        let contacts = Feet::moving(2.0, |side, time| {
            let frame = (time * RATE).round();
            (home(side) + Vec3::Z * place(if is_reversed { 119.0 - frame } else { frame }), 0.0)
        })
        .detect();
        for (side, part) in Side::BOTH.into_iter().flat_map(|side| FootPart::BOTH.map(|part| (side, part))) {
            let plants = ranges(&contacts, side, part);
            assert!(plants.windows(2).all(|pair| pair[0].end <= pair[1].start), "{side:?} {part:?} {plants:?}");
            assert_eq!(plants.len(), 2, "{side:?} {part:?} {plants:?}");
        }
    }
}
