//! Tests of joint limits.

use super::*;
use crate::limit_table::anatomical_limits;
use crate::turned_axes::turn_axes;
use proptest::prelude::*;
use std::sync::Arc;
use surefoot_contact::{WalkerOptions, synthetic_walk};
use surefoot_geom::{Mat3, Vec3, rotation};
use surefoot_motion::{PersonOptions, WorldPose, person};
use surefoot_motion::{PoseRef, Poses, anatomical_frames};

/// A clip of a person in wild poses, its joints' axes turned by `seed`.
fn wild(turns: &[[f64; 3]], seed: u64) -> (Clip, BodyMap) {
    let (skeleton, body) = person(&PersonOptions::default()).unwrap();
    let pose = |turn: &[f64; 3]| {
        let mut pose = skeleton.rest_pose();
        for (index, joint) in pose.local.iter_mut().enumerate() {
            let sign = if index % 2 == 0 { 1.0 } else { -1.0 };
            joint.rotation = rotation::exp_map(Vec3::from_array(*turn) * sign) * joint.rotation;
        }
        pose
    };
    let poses: Poses = turns.iter().map(pose).collect();
    let (turned, turned_body, _) = turn_axes(&skeleton, &body, skeleton.rest_pose().view(), seed);
    let poses = poses.iter().map(|pose| turn_axes(&skeleton, &body, pose, seed).2).collect();
    let clip = Clip::new("wild", Arc::new(turned), 60.0, poses);
    (clip, turned_body)
}

/// Swing and twist of a joint as seen in the body, by where its limb's length points and not by quaternions:
/// flexion about X, abduction about Z and twist about Y, without signs.
fn swing_and_twist(clip: &Clip, body: &BodyMap, pose: PoseRef<'_>, joint: JointId) -> [f64; 3] {
    let frames = anatomical_frames(&clip.skeleton, body, clip.poses()).frames;
    let above = clip.skeleton.parent(joint).map_or(Quat::IDENTITY, |parent| frames[parent.index()]);
    let turn = Mat3::from_quat(above.conjugate() * pose[joint].rotation * frames[joint.index()]);
    let along = turn.y_axis;
    let angle = along.x.hypot(along.z).atan2(along.y);
    let axis = Vec3::Y.cross(along).normalize_or(Vec3::X);
    let untwisted = Mat3::from_quat(Quat::from_axis_angle(axis, -angle)) * turn;
    [axis.x * angle, axis.z * angle, untwisted.z_axis.x.atan2(untwisted.x_axis.x)]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn hard_limits_of_balls_are_never_exceeded(
        turns in prop::collection::vec([-3.0..3.0f64, -3.0..3.0f64, -3.0..3.0f64], 1..6),
        seed in 0u64..1000,
        flexion in (0.0..3.1f64, 0.0..3.1f64),
        abduction in (0.0..3.1f64, 0.0..3.1f64),
        twist in (0.0..3.1f64, 0.0..3.1f64),
    ) {
        let (clip, body) = wild(&turns, seed);
        let ranges = [flexion, abduction, twist];
        for joint in [body.legs.right.hip, body.arms.left.unwrap().shoulder, body.spine[0], body.legs.left.ankle] {
            let limits: Vec<JointLimit> = JointAngle::ALL.into_iter().zip(ranges)
                .map(|(angle, (low, high))| JointLimit { joint, angle, low: -low, high }).collect();
            let limited = limit_joints(&clip, Some(&body), &limits, &LimitOptions::default()).unwrap();
            for pose in limited.clip.poses() {
                let [x, z, y] = swing_and_twist(&clip, &body, pose, joint);
                // A swing of half a turn may be seen from either side.
                let around = 1.0 - TAU / x.hypot(z).max(1e-9);
                let seen = [[x, z, y], [x * around, z * around, y]];
                let kept = |angles: &[f64; 3]| angles.iter().zip(ranges).all(|(angle, (low, high))| {
                    // And so may a range, for signs differ between sides.
                    (*angle > -low - 1e-9 && *angle < high + 1e-9) || (*angle > -high - 1e-9 && *angle < low + 1e-9)
                }) && angles[0].hypot(angles[1]) < PI + 1e-9;
                prop_assert!(seen.iter().any(kept), "{:?} beyond {:?}", seen, ranges);
                prop_assert!((pose[joint].rotation.length() - 1.0).abs() < 1e-12);
            }
            for pose in limited.clip.poses().iter().zip(clip.poses()) {
                for other in clip.skeleton.ids().filter(|other| *other != joint) {
                    prop_assert_eq!(pose.0[other], pose.1[other]);
                }
            }
            let again = limit_joints(&limited.clip, Some(&body), &limits, &LimitOptions::default()).unwrap();
            for (once, twice) in limited.clip.poses().iter().zip(again.clip.poses()) {
                prop_assert!(rotation::angle_between(once[joint].rotation, twice[joint].rotation) < 1e-9);
            }
        }
    }

    #[test]
    fn hard_limits_of_a_knee_are_never_exceeded(
        bends in prop::collection::vec(-0.5..2.8f64, 2..20),
        (least, most) in (-0.2..0.2f64, 0.3..2.0f64),
        seed in 0u64..1000,
    ) {
        let (skeleton, body) = person(&PersonOptions::default()).unwrap();
        let knee = body.legs.left.knee;
        let pose = |bend: &f64| {
            let mut pose = skeleton.rest_pose();
            pose[knee].rotation = Quat::from_rotation_x(*bend);
            turn_axes(&skeleton, &body, pose.view(), seed).2
        };
        let poses: Poses = bends.iter().map(pose).collect();
        let (skeleton, body, _) = turn_axes(&skeleton, &body, skeleton.rest_pose().view(), seed);
        let clip = Clip::new("knee", Arc::new(skeleton), 60.0, poses);
        let limit = JointLimit { joint: knee, angle: JointAngle::Flexion, low: least, high: most };
        let limited = limit_joints(&clip, Some(&body), &[limit], &LimitOptions::default()).unwrap();
        for (pose, bend) in limited.clip.poses().iter().zip(&bends) {
            // By where thigh and shin point.
            let world = WorldPose::new(&clip.skeleton, pose);
            let leg = &body.legs.left;
            let [hip, knee, ankle] = [leg.hip, leg.knee, leg.ankle].map(|joint| world.position(joint));
            let (thigh, shin) = (knee - hip, ankle - knee);
            let left = world.position(body.legs.left.hip) - world.position(body.legs.right.hip);
            let found = thigh.cross(shin).dot(left.normalize()).atan2(thigh.dot(shin));
            prop_assert!(found < most + 1e-9 && found > least - 1e-9, "{} of {}", found, bend);
            prop_assert!((found - bend.clamp(least, most)).abs() < 1e-9);
        }
    }

    #[test]
    fn soft_limits_keep_within_and_do_not_jump(seed in 0u64..100, high in 0.2..1.4f64, soft in 0.05..0.5f64) {
        let turns: Vec<[f64; 3]> = (0..200).map(|i| [1.0, 0.3, -0.2].map(|k| k * f64::from(i) * 0.01)).collect();
        let (clip, body) = wild(&turns, seed);
        let joint = body.legs.left.hip;
        let limits = JointAngle::ALL.map(|angle| JointLimit { joint, angle, low: -high, high });
        let limited = limit_joints(&clip, Some(&body), &limits, &LimitOptions { soft }).unwrap();
        let mut before = None;
        for (pose, source) in limited.clip.poses().iter().zip(clip.poses()) {
            let found = swing_and_twist(&clip, &body, pose, joint);
            prop_assert!(found.iter().all(|angle| angle.abs() < high + 1e-9));
            if let Some((last, last_source)) = before {
                let step: f64 = rotation::angle_between(last, pose[joint].rotation);
                prop_assert!(step < 3.0 * rotation::angle_between(last_source, source[joint].rotation) + 1e-9);
            }
            before = Some((pose[joint].rotation, source[joint].rotation));
        }
    }
}

#[test]
fn an_arm_that_leans_back_from_straight_up_comes_back_by_as_much() {
    let (skeleton, body) = person(&PersonOptions::default()).unwrap();
    let shoulder = body.arms.left.unwrap().shoulder;
    let axes = JointAxes::new(&skeleton, Some(&body), &Poses::default());
    let mut pose = skeleton.rest_pose();
    let back = 185f64.to_radians();
    pose[shoulder].rotation = axes.rotation(shoulder, JointAngles { flexion: back, abduction: 0.0, twist: 0.1 });
    let clip = Clip::new("up", Arc::new(skeleton), 60.0, Poses::repeat(&pose, 1));
    let limits: Vec<JointLimit> =
        anatomical_limits(&clip.skeleton, &body).into_iter().filter(|limit| limit.joint == shoulder).collect();
    let limited = limit_joints(&clip, Some(&body), &limits, &LimitOptions::default()).unwrap();
    let moved = rotation::angle_between(limited.clip.pose(0)[shoulder].rotation, pose[shoulder].rotation);
    // Short of half a turn by a millionth.
    assert!((moved - 5f64.to_radians()).abs() < 2e-6, "{}", moved.to_degrees());
}

#[test]
fn ranges_of_more_than_half_a_turn_together_allow_no_more_than_half_a_turn() {
    let (skeleton, body) = person(&PersonOptions::default()).unwrap();
    let joint = body.arms.left.unwrap().shoulder;
    let axes = JointAxes::new(&skeleton, Some(&body), &Poses::default());
    let mut pose = skeleton.rest_pose();
    // The other way around it is 168 degrees of both, which no arm does.
    pose[joint].rotation = axes.rotation(joint, JointAngles { flexion: -1.5, abduction: -1.5, twist: 0.0 });
    let clip = Clip::new("back", Arc::new(skeleton), 60.0, Poses::repeat(&pose, 1));
    let limits = JointAngle::ALL.map(|angle| JointLimit { joint, angle, low: -0.1, high: 3.1 });
    let limited = limit_joints(&clip, Some(&body), &limits, &LimitOptions::default()).unwrap().clip;
    let found = axes.angles(joint, limited.pose(0)[joint].rotation);
    assert!(found.flexion > -0.1 - 1e-9 && found.abduction > -0.1 - 1e-9, "{found:?}");
}

#[test]
fn a_walk_is_within_anatomy_and_unchanged() {
    let walk = synthetic_walk(&WalkerOptions::default());
    let clip = &walk.take.clip;
    let limits = anatomical_limits(&clip.skeleton, &walk.take.body);
    let limited = limit_joints(clip, Some(&walk.take.body), &limits, &LimitOptions::default()).unwrap();
    assert_eq!(limited.capped, []);
    assert_eq!(limited.clip, *clip);
}

#[test]
fn what_was_capped_is_reported_and_the_last_limit_counts() {
    let walk = synthetic_walk(&WalkerOptions::default());
    let clip = &walk.take.clip;
    let parse = |text: &str| JointLimit::parse(text, &clip.skeleton, Some(&walk.take.body)).unwrap();
    let mut limits = parse("knees.flexion=0..10");
    limits.extend(parse("knees.x=0..30"));
    let limited = limit_joints(clip, Some(&walk.take.body), &limits, &LimitOptions::default()).unwrap();
    assert_eq!(limited.capped.len(), 2);
    let most = 30f64.to_radians();
    let axes = JointAxes::new(&clip.skeleton, Some(&walk.take.body), clip.poses());
    for capped in limited.capped {
        let flexion = |pose: PoseRef<'_>| axes.angles(capped.joint, pose[capped.joint].rotation).flexion;
        let beyond: Vec<f64> = clip.poses().iter().map(|pose| flexion(pose) - most).filter(|by| *by > 1e-12).collect();
        assert_eq!(capped.n_frames, beyond.len());
        assert!((capped.most - beyond.iter().copied().fold(0.0, f64::max)).abs() < 1e-12);
        let kept = limited.clip.poses().iter().map(flexion).fold(0.0, f64::max);
        assert!((kept - most).abs() < 1e-9);
    }
}

#[test]
fn clips_of_no_frame_and_bodies_that_are_unknown_are_handled() {
    let walk = synthetic_walk(&WalkerOptions::default());
    let clip = walk.take.clip.with_poses(Poses::default());
    let limits = anatomical_limits(&clip.skeleton, &walk.take.body);
    assert!(
        limit_joints(&clip, Some(&walk.take.body), &limits, &LimitOptions::default()).unwrap().clip.poses().is_empty()
    );
    let limited = limit_joints(&walk.take.clip, None, &limits, &LimitOptions { soft: 0.1 }).unwrap();
    assert!(limited.clip.poses().iter().flat_map(|pose| pose.local).all(surefoot_geom::Transform::is_finite));
}

#[test]
fn wrong_limits_say_what_would_be_right() {
    let walk = synthetic_walk(&WalkerOptions::default());
    let (clip, body) = (&walk.take.clip, &walk.take.body);
    let parse = |text: &str| JointLimit::parse(text, &clip.skeleton, Some(body)).unwrap_err().to_string();
    for (text, wanted) in [
        ("LeftLowerLeg.x", "no `=`"),
        ("LeftLowerLeg=0..1", "no axis"),
        ("LeftLowerLeg.w=0..1", "none of x, y, z"),
        ("knees.x=0-1", "no `..`"),
        ("knees.x=0..much", "`much` is no number"),
        ("knees.x=2..1", "does not come first"),
        ("knees.x=NaN..1", "does not come first"),
        ("knie.x=0..1", "neither a joint nor a part"),
    ] {
        let error = parse(text);
        assert!(error.contains(wanted), "{text}: {error}");
    }
    let error = JointLimit::parse("knees.x=0..1", &clip.skeleton, None).unwrap_err();
    assert!(error.to_string().contains("--body"));
    let open = JointLimit::parse("left-knee.x=..90", &clip.skeleton, Some(body)).unwrap();
    assert_eq!((open.len(), open[0].low), (1, f64::NEG_INFINITY));
    let name = clip.skeleton.name(body.legs.left.knee);
    let by_name = JointLimit::parse(&format!("{name}.x=..90"), &clip.skeleton, Some(body)).unwrap();
    assert_eq!(by_name, open);

    let limit =
        |limit: JointLimit| limit_joints(clip, Some(body), &[limit], &LimitOptions::default()).unwrap_err().to_string();
    let good = JointLimit { joint: body.legs.left.hip, angle: JointAngle::Flexion, low: 0.0, high: 1.0 };
    assert!(limit(JointLimit { joint: JointId::new(999), ..good }).contains("limits[0].joint"));
    for (low, high) in [(1.0, 0.0), (f64::NAN, 1.0), (-4.0, 1.0), (0.0, 4.0), (f64::INFINITY, f64::INFINITY)] {
        let error = limit(JointLimit { low, high, ..good });
        assert!(error.contains("limits[0]") && error.contains("180"), "{error}");
    }
    let both = [good, JointLimit { angle: JointAngle::Abduction, ..good }].map(|limit| JointLimit {
        low: 2.5,
        high: 3.0,
        ..limit
    });
    let error = limit_joints(clip, Some(body), &both, &LimitOptions::default()).unwrap_err().to_string();
    assert!(error.contains("half a turn"), "{error}");
    for soft in [-1.0, f64::NAN] {
        assert!(limit_joints(clip, Some(body), &[good], &LimitOptions { soft }).is_err());
    }
}
