//! Tests of displacement mapping.

use super::*;
use crate::spline::Tcb;
use crate::turned_axes::turn_axes;
use proptest::prelude::*;
use std::sync::Arc;
use surefoot_contact::{SyntheticWalk, WalkerOptions, synthetic_walk};
use surefoot_motion::{Poses, Side};

fn walk() -> SyntheticWalk {
    synthetic_walk(&WalkerOptions { n_steps: 4, ..WalkerOptions::default() })
}

fn apply(clip: &Clip, keys: &[DisplaceKey], options: &DisplaceOptions) -> Clip {
    displace(clip, None, keys, options).unwrap().clip
}

fn check_pose(found: PoseRef<'_>, wanted: PoseRef<'_>, what: &str) {
    for (joint, (found, wanted)) in found.local.iter().zip(wanted.local).enumerate() {
        let turned = rotation::angle_between(found.rotation, wanted.rotation);
        assert!(turned < 1e-9, "{what}: joint {joint} is {turned} rad off");
        let moved = found.translation.distance(wanted.translation);
        assert!(moved < 1e-9, "{what}: joint {joint} is {moved} m off");
        assert!((found.rotation.length() - 1.0).abs() < 1e-12);
    }
}

/// Rotation vector of a joint's displacement in a frame, the one nearest to `last`.
fn displacement(before: &Clip, after: &Clip, joint: JointId, frame: usize, last: Vec3) -> Vec3 {
    let [from, to] = [before, after].map(|clip| clip.pose(frame)[joint].rotation);
    let vector = rotation::log_map(from.conjugate() * to);
    let axis = vector.try_normalize().unwrap_or(Vec3::X);
    vector + axis * (((last - vector).dot(axis) / std::f64::consts::TAU).round() * std::f64::consts::TAU)
}

fn some_pose(clip: &Clip, frame: usize, turns: &[Vec3], by: Vec3) -> Pose {
    let mut pose = clip.pose(frame).to_pose();
    for (index, joint) in pose.local.iter_mut().enumerate() {
        joint.rotation = (joint.rotation * rotation::exp_map(turns[index % turns.len()])).normalize();
    }
    pose.local[0].translation += by;
    pose
}

fn any_vector(size: f64) -> impl Strategy<Value = Vec3> {
    (-size..size, -size..size, -size..size).prop_map(|(x, y, z)| Vec3::new(x, y, z))
}

fn any_tcb() -> impl Strategy<Value = Option<Tcb>> {
    let tcb = (-1.0..1.0f64, -1.0..1.0f64, -1.0..1.0f64).prop_map(|(tension, continuity, bias)| Tcb {
        tension,
        continuity,
        bias,
    });
    prop::option::of(tcb)
}

fn any_options() -> impl Strategy<Value = DisplaceOptions> {
    (prop::option::of(0.0..3.0f64), any::<bool>()).prop_map(|(fade, smooth)| DisplaceOptions {
        fade,
        flow: if smooth { KeyFlow::Smooth } else { KeyFlow::Local },
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn key_poses_are_met_and_first_and_last_frame_held(
        keys in prop::collection::btree_map(0usize..150, (any_vector(1.7), any_vector(1.7), any_tcb()), 1..6),
        extents in prop::collection::vec(prop::option::of((0.0..1.0f64, 0.0..1.0f64)), 6),
        by in any_vector(0.5),
        options in any_options(),
    ) {
        let clip = walk().take.clip;
        let keys: Vec<DisplaceKey> = keys.into_iter().zip(extents).map(|((frame, (a, b, tcb)), extent)| {
            let pose = some_pose(&clip, frame, &[a, b, Vec3::ZERO], by);
            let extent = extent.map(|(before, after)| KeyExtent { before, after });
            DisplaceKey { frame, change: KeyChange::Pose { pose, joints: None }, tcb, extent }
        }).collect();
        // Order does not matter.
        let backward: Vec<DisplaceKey> = keys.iter().rev().cloned().collect();
        let displaced = apply(&clip, &keys, &options);
        prop_assert_eq!(&apply(&clip, &backward, &options), &displaced);
        for key in &keys {
            let KeyChange::Pose { pose, .. } = &key.change else { unreachable!() };
            check_pose(displaced.pose(key.frame), pose.view(), "at the key");
        }
        for frame in [0, clip.n_frames() - 1] {
            if keys.iter().all(|key| key.frame != frame) {
                prop_assert_eq!(displaced.pose(frame), clip.pose(frame));
            }
        }
        // Again, on the result.
        let again = DisplaceKey::new(75, KeyChange::Pose { pose: clip.pose(3).to_pose(), joints: None });
        check_pose(apply(&displaced, &[again], &options).pose(75), clip.pose(3), "the second time");
    }

    #[test]
    fn displacements_are_continuous_and_so_is_their_speed(
        turns in prop::collection::vec(any_vector(1.0), 4),
        tcbs in prop::collection::vec(any_tcb(), 4),
        options in any_options(),
    ) {
        // Dense frames, so that a jump would stand out from what is smooth.
        let walker = WalkerOptions { n_steps: 2, frame_rate: 1000.0, ..WalkerOptions::default() };
        let clip = synthetic_walk(&walker).take.clip;
        let joint = JointId::new(3);
        let fade = Some(options.fade.unwrap_or(1.0).max(0.3));
        let options = DisplaceOptions { fade, ..options };
        let keys: Vec<DisplaceKey> = turns.iter().zip(&tcbs).enumerate().map(|(index, (turn, tcb))| {
            // Continuity 0: whoever asks for a corner gets one.
            let tcb = tcb.map(|tcb| Tcb { continuity: 0.0, ..tcb });
            let change = KeyChange::Turn { joint, turn: *turn, axes: TurnAxes::Own };
            DisplaceKey { tcb, ..DisplaceKey::new(400 + 300 * index, change) }
        }).collect();
        let displaced = apply(&clip, &keys, &options);
        let mut vectors = vec![Vec3::ZERO];
        for frame in 1..clip.n_frames() {
            let last = vectors[frame - 1];
            vectors.push(displacement(&clip, &displaced, joint, frame, last));
        }
        // Over 0.3 s no cubic through values of size 2 and slopes of up to eight times a chord's has more speed and
        // acceleration.
        let step = vectors.windows(2).map(|pair| (pair[1] - pair[0]).length()).fold(0.0, f64::max);
        prop_assert!(step < 0.1, "a jump of {}", step);
        let bend = vectors.windows(3).map(|three| (three[2] - three[1] * 2.0 + three[0]).length()).fold(0.0, f64::max);
        prop_assert!(bend < 2e-3, "a corner of {}", bend);
    }

    #[test]
    fn hands_and_feet_come_to_their_goals(
        seed in 0u64..1000,
        frame in 0usize..150,
        by in any_vector(0.15),
        lift in any_vector(0.1),
        turn in any_vector(0.3),
    ) {
        let walk = walk();
        let (skeleton, body, _) = turn_axes(&walk.take.clip.skeleton, &walk.take.body, walk.take.clip.pose(0), seed);
        let turned = |pose: PoseRef<'_>| turn_axes(&walk.take.clip.skeleton, &walk.take.body, pose, seed).2;
        let poses = walk.take.clip.poses().iter().map(turned).collect();
        let clip = Clip::new("turned", Arc::new(skeleton), walk.take.clip.frame_rate, poses);
        let before = clip.world_pose(frame);
        let wrist = body.arms.left.unwrap().wrist.unwrap();
        let shoulder = before.position(body.arms.left.unwrap().shoulder);
        let at = shoulder + (before.position(wrist) - shoulder) * 0.7 + by;
        let reach = |limb: Limb, goal: ReachGoal, end: EndTurn| {
            DisplaceKey::new(frame, KeyChange::Reach { limb, goal, end })
        };
        let ball = body.ball(&before, Side::Right);
        let keys = [
            // The body is elsewhere at the frame of the reaching keys, by keys at other frames.
            DisplaceKey::new(150, KeyChange::Move { joint: JointId::new(0), by: lift, axes: MoveAxes::World }),
            DisplaceKey::new(150, KeyChange::Turn { joint: body.spine[0], turn, axes: TurnAxes::World }),
            reach(Limb::Hand(Side::Left), ReachGoal::At(at), EndTurn::WithLimb),
            reach(Limb::Hand(Side::Right), ReachGoal::By(Vec3::ZERO), EndTurn::Kept),
            reach(Limb::Foot(Side::Left), ReachGoal::By(Vec3::Y * 0.05), EndTurn::Kept),
            reach(Limb::Foot(Side::Right), ReachGoal::At(ball + Vec3::new(0.0, 0.08, 0.03)), EndTurn::Kept),
        ];
        let displaced = displace(&clip, Some(&body), &keys, &DisplaceOptions::default()).unwrap();
        let after = displaced.clip.world_pose(frame);
        let missed: Vec<f64> = displaced.reached.iter().map(|reached| reached.missed).collect();
        prop_assert_eq!(displaced.reached.iter().map(|reached| reached.key).collect::<Vec<_>>(), vec![2, 3, 4, 5]);
        let right = body.arms.right.unwrap().wrist.unwrap();
        let ankle = body.legs.left.ankle;
        let off = [
            after.position(wrist).distance(at),
            after.position(right).distance(before.position(right)),
            after.position(ankle).distance(before.position(ankle) + Vec3::Y * 0.05),
            body.ball(&after, Side::Right).distance(ball + Vec3::new(0.0, 0.08, 0.03)),
        ];
        for (off, missed) in off.into_iter().zip(&missed) {
            prop_assert!((off - missed).abs() < 1e-9, "{} m off, but {} were told", off, missed);
        }
        prop_assert!(missed[0] < 1e-9 || at.distance(after.position(body.arms.left.unwrap().shoulder)) > 0.4);
        for joint in [right, ankle, body.legs.right.ankle] {
            prop_assert!(rotation::angle_between(after[joint].rotation, before[joint].rotation) < 1e-9);
        }
    }
}

#[test]
fn a_key_is_local_unless_it_is_asked_to_reach_the_ends() {
    let clip = synthetic_walk(&WalkerOptions::default()).take.clip;
    let (joint, n) = (JointId::new(5), clip.n_frames());
    let key = DisplaceKey::new(150, KeyChange::Turn { joint, turn: Vec3::X, axes: TurnAxes::Own });
    let changed = |clip: &Clip, displaced: &Clip| -> Vec<usize> {
        (0..n).filter(|&frame| clip.pose(frame) != displaced.pose(frame)).collect()
    };
    let local = changed(&clip, &apply(&clip, std::slice::from_ref(&key), &DisplaceOptions::default()));
    assert_eq!((local[0], local[local.len() - 1], local.len()), (91, 209, 119), "a second at 60 frames a second");
    let paper = DisplaceOptions { fade: None, ..DisplaceOptions::default() };
    assert_eq!(changed(&clip, &apply(&clip, std::slice::from_ref(&key), &paper)), (1..n - 1).collect::<Vec<_>>());
    let instant = DisplaceOptions { fade: Some(0.0), ..DisplaceOptions::default() };
    assert_eq!(changed(&clip, &apply(&clip, std::slice::from_ref(&key), &instant)), [150]);
    // Between keys there is no fading, unless they have extents.
    let later = DisplaceKey { frame: 290, ..key.clone() };
    let held = apply(&clip, &[key.clone(), later.clone()], &DisplaceOptions::default());
    for frame in 150..=290 {
        let vector = displacement(&clip, &held, joint, frame, Vec3::X);
        assert!((vector - Vec3::X).length() < 1e-9, "frame {frame}: {vector}");
    }
    let extent = Some(KeyExtent { before: 0.5, after: 0.5 });
    let parted = [key, later].map(|key| DisplaceKey { extent, ..key });
    let parted = changed(&clip, &apply(&clip, &parted, &DisplaceOptions::default()));
    assert_eq!(parted, (121..180).chain(261..320).collect::<Vec<_>>());
}

#[test]
fn a_hold_parts_what_came_before_from_what_comes() {
    let clip = synthetic_walk(&WalkerOptions::default()).take.clip;
    let joint = JointId::new(5);
    let turn = |frame: usize| DisplaceKey::new(frame, KeyChange::Turn { joint, turn: Vec3::X, axes: TurnAxes::Own });
    let hold = KeyChange::Hold { joints: Selection::of_joints(&clip.skeleton, [joint]) };
    let displaced = apply(&clip, &[turn(100), DisplaceKey::new(150, hold), turn(200)], &DisplaceOptions::default());
    assert_eq!(displaced.pose(150), clip.pose(150));
    assert_ne!(displaced.pose(130), clip.pose(130));
}

#[test]
fn turns_and_moves_are_in_the_axes_asked_for() {
    let walk = walk();
    let clip = &walk.take.clip;
    let (joint, frame) = (walk.take.body.arms.left.unwrap().shoulder, 60);
    let turn = Vec3::new(0.2, -0.4, 0.3);
    let before = clip.world_pose(frame);
    for axes in [TurnAxes::Own, TurnAxes::Parent, TurnAxes::World] {
        let key = DisplaceKey::new(frame, KeyChange::Turn { joint, turn, axes });
        let after = apply(clip, &[key], &DisplaceOptions::default()).world_pose(frame);
        let above = before[clip.skeleton.parent(joint).unwrap()].rotation;
        let wanted = match axes {
            TurnAxes::Own => before[joint].rotation * rotation::exp_map(turn),
            TurnAxes::Parent => above * rotation::exp_map(turn) * clip.pose(frame)[joint].rotation,
            TurnAxes::World => rotation::exp_map(turn) * before[joint].rotation,
        };
        assert!(rotation::angle_between(after[joint].rotation, wanted) < 1e-12, "{axes:?}");
    }
    let by = Vec3::new(0.1, 0.3, -0.2);
    let key = DisplaceKey::new(frame, KeyChange::Move { joint: JointId::new(0), by, axes: MoveAxes::World });
    let after = apply(clip, &[key], &DisplaceOptions::default()).world_pose(frame);
    for joint in clip.skeleton.ids() {
        assert!(after.position(joint).distance(before.position(joint) + by) < 1e-12);
    }
    let key = DisplaceKey::new(frame, KeyChange::Move { joint, by, axes: MoveAxes::Parent });
    let after = apply(clip, &[key], &DisplaceOptions::default());
    assert!((after.pose(frame)[joint].translation - clip.pose(frame)[joint].translation - by).length() < 1e-12);
}

#[test]
fn more_than_a_turn_is_more_than_a_turn_and_poses_take_the_short_arc() {
    let clip = synthetic_walk(&WalkerOptions::default()).take.clip;
    let joint = JointId::new(5);
    let turn = |frame: usize, angle: f64| {
        DisplaceKey::new(frame, KeyChange::Turn { joint, turn: Vec3::X * angle, axes: TurnAxes::Own })
    };
    let spun = apply(&clip, &[turn(100, 0.0), turn(200, 11.0)], &DisplaceOptions::default());
    let mut last = Vec3::ZERO;
    for frame in 100..=200 {
        last = displacement(&clip, &spun, joint, frame, last);
    }
    assert!((last.x - 11.0).abs() < 1e-9, "{last}");
    // 170 and 190 degrees: through 180 and not through 0.
    let pose = |frame: usize, degrees: f64| {
        let mut pose = clip.pose(frame).to_pose();
        pose[joint].rotation = (pose[joint].rotation * rotation::exp_map(Vec3::X * degrees.to_radians())).normalize();
        DisplaceKey::new(frame, KeyChange::Pose { pose, joints: None })
    };
    let turned = apply(&clip, &[pose(100, 170.0), pose(140, 190.0)], &DisplaceOptions::default());
    let middle = displacement(&clip, &turned, joint, 120, Vec3::X * 3.0);
    assert!((170.0..=190.0).contains(&middle.x.to_degrees()), "{middle}");
}

#[test]
fn a_goal_out_of_reach_is_pointed_at_and_the_rest_reported() {
    let walk = walk();
    let (clip, body) = (&walk.take.clip, &walk.take.body);
    let arm = body.arms.right.unwrap();
    let before = clip.world_pose(80);
    let [shoulder, elbow, wrist] = [arm.shoulder, arm.elbow, arm.wrist.unwrap()].map(|joint| before.position(joint));
    let length = shoulder.distance(elbow) + elbow.distance(wrist);
    let goal = shoulder + Vec3::new(-2.0, 0.5, 1.0);
    let change = KeyChange::Reach { limb: Limb::Hand(Side::Right), goal: ReachGoal::At(goal), end: EndTurn::WithLimb };
    let displaced = displace(clip, Some(body), &[DisplaceKey::new(80, change)], &DisplaceOptions::default()).unwrap();
    let wanted = goal.distance(shoulder) - length;
    assert!((displaced.reached[0].missed - wanted).abs() < 1e-9, "{:?}", displaced.reached);
    let hand = displaced.clip.world_pose(80).position(arm.wrist.unwrap());
    assert!((hand.distance(goal) - wanted).abs() < 1e-9);
}

#[test]
fn clips_of_one_frame_are_displaced_whole() {
    let clip = walk().take.clip;
    let one = clip.with_poses(clip.poses().slice(0..1));
    let pose = clip.pose(70).to_pose();
    let key = DisplaceKey::new(0, KeyChange::Pose { pose: pose.clone(), joints: None });
    check_pose(apply(&one, &[key], &DisplaceOptions::default()).pose(0), pose.view(), "one frame");
    let none = clip.with_poses(Poses::default());
    assert_eq!(apply(&none, &[], &DisplaceOptions::default()), none);
    assert_eq!(apply(&clip, &[], &DisplaceOptions::default()), clip);
}

#[test]
fn wrong_keys_are_refused_by_name() {
    let walk = walk();
    let (clip, joint) = (&walk.take.clip, JointId::new(2));
    let turn = |frame: usize| DisplaceKey::new(frame, KeyChange::Turn { joint, turn: Vec3::X, axes: TurnAxes::Own });
    let error = |keys: &[DisplaceKey], body: Option<&BodyMap>| {
        displace(clip, body, keys, &DisplaceOptions::default()).unwrap_err().to_string()
    };
    let n = clip.n_frames();
    let text = error(&[turn(1), turn(n)], None);
    assert!(text.contains(&format!("keys[1].frame is {n}")) && text.contains(&format!("0 to {}", n - 1)), "{text}");
    let text = error(&[turn(5), turn(9), turn(5)], None);
    assert!(text.contains("keys[2] and keys[0] both turn joint") && text.contains("frame 5"), "{text}");
    let change = KeyChange::Turn { joint: JointId::new(900), turn: Vec3::X, axes: TurnAxes::Own };
    assert!(error(&[DisplaceKey::new(0, change)], None).contains("keys[0].joint is 900"));
    let change = KeyChange::Turn { joint, turn: Vec3::NAN, axes: TurnAxes::Own };
    assert!(error(&[turn(1), DisplaceKey::new(0, change)], None).contains("keys[1].turn"));
    let change = KeyChange::Move { joint, by: Vec3::INFINITY, axes: MoveAxes::World };
    assert!(error(&[DisplaceKey::new(0, change)], None).contains("keys[0].by"));
    let pose = Pose { local: clip.pose(0).local[1..].to_vec() };
    assert!(error(&[DisplaceKey::new(0, KeyChange::Pose { pose, joints: None })], None).contains("keys[0].pose"));
    let mut pose = clip.pose(0).to_pose();
    pose[joint].rotation = Quat::from_xyzw(0.0, 0.0, 0.0, 0.0);
    let text = error(&[DisplaceKey::new(0, KeyChange::Pose { pose, joints: None })], None);
    assert!(text.contains("keys[0].pose") && text.contains(clip.skeleton.name(joint)), "{text}");
    let reach = |goal: Vec3| {
        let change =
            KeyChange::Reach { limb: Limb::Hand(Side::Left), goal: ReachGoal::At(goal), end: EndTurn::WithLimb };
        DisplaceKey::new(7, change)
    };
    assert!(error(&[turn(1), reach(Vec3::ZERO)], None).contains("keys[1].limb"));
    assert!(error(&[reach(Vec3::NAN)], Some(&walk.take.body)).contains("keys[0].goal"));
    let armless = BodyMap { arms: Default::default(), ..walk.take.body.clone() };
    assert!(error(&[reach(Vec3::ZERO)], Some(&armless)).contains("left hand"));
    let shoulder = walk.take.body.arms.left.unwrap().shoulder;
    let change = KeyChange::Turn { joint: shoulder, turn: Vec3::X, axes: TurnAxes::Own };
    let text = error(&[DisplaceKey::new(7, change), reach(Vec3::ZERO)], Some(&walk.take.body));
    assert!(text.contains("keys[1] and keys[0]"), "{text}");
    let tcb = Some(Tcb { bias: 3.0, ..Tcb::default() });
    let text = error(&[turn(30), DisplaceKey { tcb, ..turn(90) }], None);
    assert!(text.contains("keys[1].bias is 3"), "{text}");
    let extent = Some(KeyExtent { before: 1.0, after: -1.0 });
    assert!(error(&[DisplaceKey { extent, ..turn(3) }], None).contains("keys[0].extent.after is -1"));
    let options = DisplaceOptions { fade: Some(f64::NAN), ..DisplaceOptions::default() };
    assert!(displace(clip, None, &[], &options).unwrap_err().to_string().contains("fade is NaN"));
}
