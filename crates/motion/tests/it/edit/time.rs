//! Resampling, slicing and appending.

use crate::edit::made_up::any_clip;
use surefoot_geom::{Vec3, rotation::angle_between};
use surefoot_motion::{Clip, EditError, JointId, Placement, Poses, Seam, append, place, resample, slice};

fn largest_difference(a: &Poses, b: &Poses) -> f64 {
    assert_eq!(a.len(), b.len());
    let pairs = a.iter().flat_map(|p| p.local).zip(b.iter().flat_map(|p| p.local));
    pairs
        .map(|(a, b)| angle_between(a.rotation, b.rotation).max(a.translation.distance(b.translation)))
        .fold(0.0, f64::max)
}

#[test]
fn frames_that_coincide_are_kept_bit_for_bit() {
    let clip = any_clip(1, 12, 31);
    for (rate, every_old, every_new) in
        [(30.0, 1, 1), (60.0, 1, 2), (120.0, 1, 4), (15.0, 2, 1), (10.0, 3, 1), (45.0, 2, 3)]
    {
        let new = resample(&clip, rate).unwrap();
        assert_eq!((new.frame_rate, new.n_frames()), (rate, (30 / every_old) * every_new + 1), "{rate}");
        for k in 0..=30 / every_old {
            assert_eq!(new.pose(k * every_new), clip.pose(k * every_old), "{rate}: frame {k}");
        }
    }
}

#[test]
fn the_last_frame_is_the_last_at_or_before_the_old_end() {
    let clip = any_clip(2, 4, 31);
    for rate in [1.0, 7.0, 23.976, 29.97, 30_000.0 / 1001.0, 59.94, 119.88, 1000.0, 0.4] {
        let new = resample(&clip, rate).unwrap();
        assert!(new.duration() <= clip.duration() + 1e-9, "{rate}");
        assert!(new.duration() + 1.0 / rate > clip.duration() + 1e-9, "{rate}");
    }
}

#[test]
fn smooth_motion_survives_a_round_trip() {
    let clip = any_clip(3, 12, 61);
    let fine = resample(&clip, 240.0).unwrap();
    let back = resample(&fine, 30.0).unwrap();
    assert_eq!(back.poses(), clip.poses());
    // Between the frames the curves are as smooth as the motion: the interpolated midpoints of every second frame.
    let coarse = resample(&resample(&clip, 15.0).unwrap(), 30.0).unwrap();
    assert!(largest_difference(coarse.poses(), clip.poses()) < 0.02);
}

#[test]
fn a_joint_that_does_not_move_stays_exactly_and_signs_of_quaternions_do_not_matter() {
    let mut clip = any_clip(4, 6, 9);
    for pose in clip.poses_mut() {
        pose.local[3].translation = Vec3::new(0.1, 0.2, 0.3);
    }
    let plain = resample(&clip, 70.0).unwrap();
    assert!(plain.poses().iter().all(|pose| pose.local[3].translation == Vec3::new(0.1, 0.2, 0.3)));
    for (frame, pose) in clip.poses_mut().iter_mut().enumerate() {
        for local in pose.local.iter_mut().filter(|_| frame % 2 == 1) {
            local.rotation = -local.rotation;
        }
    }
    let flipped = resample(&clip, 70.0).unwrap();
    assert!(largest_difference(plain.poses(), flipped.poses()) < 1e-12);
}

#[test]
fn straight_travel_at_even_speed_stays_so_up_to_both_ends() {
    let mut clip = any_clip(5, 1, 8);
    for (frame, pose) in clip.poses_mut().iter_mut().enumerate() {
        pose.local[0].translation = Vec3::new(0.0, 1.0, 0.05 * frame as f64);
    }
    for (frame, pose) in resample(&clip, 100.0).unwrap().poses().iter().enumerate() {
        let wanted = 0.05 * 30.0 * frame as f64 / 100.0;
        assert!((pose.local[0].translation.z - wanted).abs() < 1e-12);
    }
}

#[test]
fn impossible_rates_and_ranges_are_refused() {
    let clip = any_clip(6, 3, 10);
    for rate in [0.0, -30.0, f64::NAN, f64::INFINITY] {
        assert!(matches!(resample(&clip, rate), Err(EditError::FrameRate { .. })), "{rate}");
    }
    assert!(matches!(resample(&clip, 1e12), Err(EditError::TooManyFrames { .. })));
    let empty = slice(&clip, 4..4).unwrap();
    assert_eq!(resample(&empty, 60.0).unwrap().n_frames(), 0);
    #[expect(clippy::reversed_empty_ranges)]
    for range in [5..3, 0..11, 11..11] {
        assert!(matches!(slice(&clip, range), Err(EditError::Range { n_frames: 10, .. })));
    }
    assert_eq!(slice(&clip, 2..5).unwrap().poses(), &clip.poses().slice(2..5));
}

#[test]
fn parts_appended_are_the_whole() {
    let clip = any_clip(7, 10, 20);
    let (head, tail) = (slice(&clip, 0..8).unwrap(), slice(&clip, 8..20).unwrap());
    assert_eq!(append(&head, &tail, Seam::AsIs).unwrap(), clip);
}

/// A root that walks a curve at even speed, rolling a little.
fn curve() -> Clip {
    let mut clip = any_clip(8, 5, 120);
    for (frame, pose) in clip.poses_mut().iter_mut().enumerate() {
        let heading = 0.02 * frame as f64;
        let roll = surefoot_geom::Quat::from_rotation_z(0.1 * (frame as f64 * 0.1).sin());
        pose.local[0].rotation = surefoot_geom::Quat::from_rotation_y(heading) * roll;
        pose.local[0].translation = Vec3::new(-heading.cos(), 0.9, heading.sin()) * Vec3::new(2.0, 1.0, 2.0);
    }
    clip
}

#[test]
fn an_aligned_seam_continues_place_and_heading_wherever_the_parts_were() {
    let clip = curve();
    let (head, tail) = (slice(&clip, 0..50).unwrap(), slice(&clip, 50..120).unwrap());
    for (yaw, shift) in [(0.0, Vec3::ZERO), (2.5, Vec3::new(3.0, 0.0, -7.0)), (-1.0, Vec3::new(100.0, 0.0, 4.0))] {
        let moved = place(&tail, Placement { yaw, translation: shift });
        let joined = append(&head, &moved, Seam::Aligned(JointId::new(0))).unwrap();
        // The speed changes by less than this within a frame.
        assert!(largest_difference(joined.poses(), clip.poses()) < 2e-3, "{yaw}");
    }
}

#[test]
fn other_skeletons_and_rates_are_refused_by_name() {
    let (a, mut b) = (any_clip(9, 6, 3), any_clip(10, 6, 3));
    let error = append(&a, &b, Seam::AsIs).unwrap_err();
    assert!(matches!(&error, EditError::Skeletons { .. }) && error.to_string().contains("seed 10"), "{error}");
    b.skeleton = a.skeleton.clone();
    b.frame_rate = 60.0;
    assert!(matches!(append(&a, &b, Seam::AsIs), Err(EditError::Rates { .. })));
}

#[test]
fn a_few_frames_hours_apart_are_refused_before_memory_is_asked_for() {
    let clip = any_clip(6, 20, 12).with_frame_rate(1.0 / 9999.0);
    let error = resample(&clip, 60.0).unwrap_err();
    let EditError::TooManyFrames { n_frames, max_frames, .. } = error else { panic!("{error}") };
    assert_eq!(n_frames, 11.0 * 9999.0 * 60.0 + 1.0);
    // What the message offers works.
    let message = error.to_string();
    let would_do = message.split(". ").nth(1).and_then(|rest| rest.split(' ').next()).unwrap();
    let resampled = resample(&clip, would_do.parse().unwrap()).unwrap();
    assert!((max_frames / 2..=max_frames).contains(&resampled.n_frames()), "{message}");
    // Minutes of a few key poses a second are no such thing.
    let slow = any_clip(6, 20, 1200).with_frame_rate(2.0);
    assert_eq!(resample(&slow, 60.0).unwrap().n_frames(), 1199 * 30 + 1);
}
