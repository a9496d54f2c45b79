//! Promises of restoration, each on walks that are known and were spoiled on purpose.

use super::{Restored, restore};
use surefoot_contact::{Take, WalkerOptions, synthetic_walk};
use surefoot_geom::{Quat, Random, Vec3};
use surefoot_ground::Terrain;
use surefoot_motion::Side;

fn walk() -> Take {
    synthetic_walk(&WalkerOptions { n_steps: 10, frame_rate: 60.0, ..WalkerOptions::default() }).take
}

/// The walk with the root of each frame moved, and joints turned by white noise (radians).
fn spoiled(take: &Take, root: impl Fn(usize, Vec3) -> Vec3, noise: f64) -> Take {
    let mut take = take.clone();
    let mut random = Random::new(7);
    let skeleton = take.clip.skeleton.clone();
    // Three uniform numbers are nearly normal, with a variance of 1.
    let mut normal = move || random.signed() + random.signed() + random.signed();
    for (frame, mut pose) in take.clip.poses_mut().iter_mut().enumerate() {
        for joint in skeleton.ids() {
            let turn = Vec3::new(normal(), normal(), normal()) * noise;
            pose[joint].rotation = (pose[joint].rotation * Quat::from_scaled_axis(turn)).normalize();
            if skeleton.parent(joint).is_none() {
                pose[joint].translation = root(frame, pose[joint].translation);
            }
        }
    }
    take
}

/// Mean difference of the velocities of ankles and balls, and of their places, in metres.
fn errors(take: &Take, truth: &Take) -> (f64, f64) {
    let places = |take: &Take| -> Vec<[Vec3; 4]> {
        let world = take.clip.world();
        let at = |pose: &surefoot_motion::WorldPose| {
            let ankle = |side: Side| pose.position(take.body.legs[side].ankle);
            let ball = |side: Side| take.body.ball(pose, side);
            [ankle(Side::Left), ankle(Side::Right), ball(Side::Left), ball(Side::Right)]
        };
        world.iter().map(at).collect()
    };
    let off: Vec<Vec<Vec3>> =
        places(take).iter().zip(places(truth)).map(|(a, b)| a.iter().zip(b).map(|(a, b)| *a - b).collect()).collect();
    let n = (4 * off.len()) as f64;
    let place = off.iter().flatten().map(|off| off.length()).sum::<f64>() / n;
    let velocity = |pair: &[Vec<Vec3>]| pair[1].iter().zip(&pair[0]).map(|(b, a)| (*b - *a).length()).sum::<f64>();
    (off.windows(2).map(velocity).sum::<f64>() * take.clip.frame_rate / n, place)
}

fn restored(take: &Take) -> Restored {
    restore(take, false, None)
}

#[test]
fn a_clean_walk_remains_what_it_is() {
    let truth = walk();
    let found = restored(&truth);
    let (velocity, place) = errors(&found.take, &truth);
    assert!(velocity < 0.02 && place < 0.003, "{velocity} m/s, {place} m");
    assert_eq!(found.scale, 1.0);
    assert!(found.joint_noise < 0.1_f64.to_radians(), "{}", found.joint_noise.to_degrees());
}

#[test]
fn noise_of_joints_and_root_is_measured_and_taken_out() {
    let truth = walk();
    let mut random = Random::new(3);
    let shakes: Vec<Vec3> = (0..truth.clip.n_frames())
        .map(|_| Vec3::new(random.signed(), random.signed(), random.signed()) * 0.005 * 3f64.sqrt())
        .collect();
    let bad = spoiled(&truth, |frame, place| place + shakes[frame], 1f64.to_radians());
    let found = restored(&bad);
    assert!((0.8..1.3).contains(&found.joint_noise.to_degrees()), "{}", found.joint_noise.to_degrees());
    assert!((0.004..0.0065).contains(&found.root_noise), "{}", found.root_noise);
    let ((velocity, place), (bad_velocity, bad_place)) = (errors(&found.take, &truth), errors(&bad, &truth));
    assert!(velocity < 0.3 * bad_velocity, "{velocity} of {bad_velocity} m/s");
    assert!(place < 0.6 * bad_place, "{place} of {bad_place} m");
}

#[test]
fn a_burst_is_filtered_and_what_is_around_it_is_not() {
    let truth = walk();
    let knee = truth.body.legs.left.knee;
    let mut bad = truth.clone();
    let mut random = Random::new(5);
    let burst = 60..78;
    for frame in burst.clone() {
        let turn = Vec3::new(random.signed(), random.signed(), random.signed()) * 8f64.to_radians();
        let local = &mut bad.clip.pose_mut(frame)[knee].rotation;
        *local = (*local * Quat::from_scaled_axis(turn)).normalize();
    }
    let found = restored(&bad);
    let off = |take: &Take, frame: usize| {
        take.clip.pose(frame)[knee].rotation.angle_between(truth.clip.pose(frame)[knee].rotation).to_degrees()
    };
    let mean = |take: &Take| burst.clone().map(|frame| off(take, frame)).sum::<f64>() / burst.len() as f64;
    assert!(mean(&found.take) < 0.6 * mean(&bad), "{} of {} degrees", mean(&found.take), mean(&bad));
    for frame in (0..50).chain(90..truth.clip.n_frames()) {
        assert!(off(&found.take, frame) < 0.2, "frame {frame}: {} degrees", off(&found.take, frame));
    }
}

#[test]
fn a_root_that_moves_too_little_is_scaled() {
    let truth = walk();
    let bad = spoiled(&truth, |_, place| place * 0.9, 0.0);
    let found = restored(&bad);
    assert!((found.scale - 1.0 / 0.9).abs() < 0.01, "{}", found.scale);
    assert!(errors(&found.take, &truth).0 < 0.3 * errors(&bad, &truth).0);
}

#[test]
fn a_drift_is_taken_from_planted_feet() {
    let truth = walk();
    let wave = |frame: usize| Vec3::new((0.04 * frame as f64).sin(), 0.0, (0.03 * frame as f64).cos()) * 0.05;
    let bad = spoiled(&truth, |frame, place| place + wave(frame), 0.0);
    let found = restored(&bad);
    assert!(errors(&found.take, &truth).0 < 0.4 * errors(&bad, &truth).0, "{:?}", errors(&found.take, &truth));
    assert!(found.drift > 0.02, "{}", found.drift);
}

#[test]
fn on_a_terrain_a_floating_body_comes_down() {
    let truth = walk();
    let ball = truth.contacts.plants.left[0].position.y;
    let bad = spoiled(&truth, |_, place| place + Vec3::Y * 0.04, 0.0);
    let found = restore(&bad, false, Some(&Terrain::flat(ball)));
    assert!((found.lift + 0.04).abs() < 0.005, "{}", found.lift);
    assert!(errors(&found.take, &truth).1 < 0.25 * errors(&bad, &truth).1);
}

#[test]
fn nothing_is_smoothed_across_a_teleport() {
    let truth = walk();
    let half = truth.clip.n_frames() / 2;
    let jump = |frame: usize, place: Vec3| if frame < half { place } else { place + Vec3::X * 5.0 };
    let found = restored(&spoiled(&truth, jump, 0.0));
    let root = truth.clip.skeleton.roots().next().expect("a root");
    for frame in 0..truth.clip.n_frames() {
        let place = found.take.clip.pose(frame)[root].translation;
        let off = place.distance(jump(frame, truth.clip.pose(frame)[root].translation));
        assert!(off < 0.02, "frame {frame}: {off} m");
    }
}

#[test]
fn contacts_that_are_given_are_kept_and_short_clips_survive() {
    let truth = walk();
    let found = restore(&truth, true, None);
    let frames =
        |take: &Take| -> Vec<_> { take.contacts.plants.left.iter().map(|plant| plant.frames.clone()).collect() };
    assert_eq!(frames(&found.take), frames(&truth));
    for n in 1..5 {
        let short = surefoot_contact::slice_take(&truth, 0..n).expect("frames");
        let found = restored(&short);
        assert!(found.take.clip.n_frames() == n && errors(&found.take, &short).1 < 1e-6);
    }
}
