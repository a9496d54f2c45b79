//! Recordings of several families shaped, capped and displaced as signals.

use std::path::Path;
use surefoot::geom::Vec3;
use surefoot::motion::{BodyMap, Clip, JointId, Side};
use surefoot::signal::{
    Curves, DisplaceKey, DisplaceOptions, EndTurn, JointLimit, KeyChange, Limb, LimitOptions, MoveAxes, ReachGoal,
    Selection, Shape, ShapeOptions, anatomical_limits, displace, limit_joints, shape_channels,
};
use surefoot::{LoadOptions, load};
use surefoot_recordings::{largest_move, shared_folder};

/// Walks of skeletons with different names, rest poses and axes.
const WALKS: [&str; 5] = [
    "cmu-bvh/002/02_01.bvh",
    "cmu-asfamc/02_01.amc",
    "bandai/dataset-1_walk_normal_001.bvh",
    "bvh-dialects/AV_8Walk_Meredith_HVHA_Rep1.bvh",
    "bvh-dialects/walk01.bvh",
];

fn read(folder: &Path, file: &str) -> (Clip, BodyMap) {
    let path = folder.join("mocap").join(file);
    let import = load(&path, &LoadOptions::default()).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    (import.clip, import.body.expect("a body"))
}

/// The largest angle between two segments that meet in a joint, by where joints are, in degrees.
fn largest_bend(clip: &Clip, [upper, middle, end]: [JointId; 3]) -> f64 {
    let bend = |frame: usize| {
        let pose = clip.world_pose(frame);
        let [upper, middle, end] = [upper, middle, end].map(|joint| pose.position(joint));
        (middle - upper).angle_between(end - middle).to_degrees()
    };
    (0..clip.n_frames()).map(bend).fold(0.0, f64::max)
}

#[test]
fn the_identity_gives_recordings_back() {
    let Some(folder) = shared_folder() else { return };
    for file in WALKS {
        let (clip, _) = read(&folder, file);
        let before = Curves::read(&clip);
        let mut curves = before.clone();
        let everything = Selection::everything(&clip.skeleton);
        shape_channels(&mut curves, &everything, &Shape::identity(), &ShapeOptions::default()).unwrap();
        assert_eq!(curves, before, "{file}");
        let moved = largest_move(&clip, &curves.to_clip("same"));
        assert!(moved < 1e-9, "{file}: {moved} m");
    }
}

#[test]
fn knees_and_elbows_are_capped_by_where_their_segments_point() {
    let Some(folder) = shared_folder() else { return };
    let (knees, elbows) = (30.0, 15.0);
    for file in WALKS {
        let (clip, body) = read(&folder, file);
        let parse = |text: &str| JointLimit::parse(text, &clip.skeleton, Some(&body)).unwrap();
        // Hinges alone: then the angle between the segments is the flexion, up to the digits of files with moving
        // joints.
        let texts = ["knees.flexion=0..30", "knees.z=0..0", "elbows.flexion=0..15", "elbows.z=0..0"];
        let limits = texts.map(parse).concat();
        for soft in [0.0, 0.1] {
            let capped = limit_joints(&clip, Some(&body), &limits, &LimitOptions { soft }).unwrap().clip;
            for side in Side::BOTH {
                let leg = &body.legs[side];
                let arm = body.arms[side].expect("arms");
                let leg = [leg.hip, leg.knee, leg.ankle];
                assert!(largest_bend(&clip, leg) > knees + 5.0, "{file}: nothing to cap");
                let bend = largest_bend(&capped, leg);
                assert!(bend < knees + 1e-4, "{file}: {side:?} knee {bend}");
                if let Some(wrist) = arm.wrist {
                    let bend = largest_bend(&capped, [arm.shoulder, arm.elbow, wrist]);
                    assert!(bend < elbows + 1e-4, "{file}: {side:?} elbow {bend}");
                }
            }
        }
    }
}

#[test]
fn anatomy_allows_walks_and_caps_broken_ankles() {
    let Some(folder) = shared_folder() else { return };
    for file in WALKS {
        let (clip, body) = read(&folder, file);
        let limits = anatomical_limits(&clip.skeleton, &body);
        let limited = limit_joints(&clip, Some(&body), &limits, &LimitOptions::default()).unwrap();
        assert_eq!(limited.capped, [], "{file}");
        assert_eq!(limited.clip, clip);
    }
    // The feet of this runner are turned backward in many frames.
    let (clip, body) = read(&folder, "cmu-bvh/104/104_01.bvh");
    let limits = anatomical_limits(&clip.skeleton, &body);
    let limited = limit_joints(&clip, Some(&body), &limits, &LimitOptions::default()).unwrap();
    let backward = |clip: &Clip| {
        let is_backward = |frame: &usize| {
            let pose = clip.world_pose(*frame);
            let leg = &body.legs.right;
            // Against the shin's own forward, which is square to the knee's axis and the shin.
            let shin = pose.position(leg.ankle) - pose.position(leg.knee);
            let left = pose[leg.knee].rotation * Vec3::X;
            (body.ball(&pose, Side::Right) - pose.position(leg.ankle)).dot(left.cross(-shin)) < 0.0
        };
        (0..clip.n_frames()).filter(is_backward).count()
    };
    assert!(backward(&clip) > 20, "{} frames", backward(&clip));
    assert_eq!(backward(&limited.clip), 0);
}

#[test]
fn hands_and_feet_of_recordings_come_where_they_are_asked_to() {
    let Some(folder) = shared_folder() else { return };
    for file in WALKS {
        let (clip, body) = read(&folder, file);
        let (frame, rate) = (clip.n_frames() / 2, clip.frame_rate);
        let before = clip.world_pose(frame);
        let arm = body.arms.right.expect("an arm");
        let wrist = arm.wrist.expect("a wrist");
        let shoulder = before.position(arm.shoulder);
        let length =
            shoulder.distance(before.position(arm.elbow)) + before.position(arm.elbow).distance(before.position(wrist));
        let lift = Vec3::Y * -0.06;
        let goal = shoulder + lift + (body.facing(&before) + Vec3::Y * 0.4).normalize() * (0.8 * length);
        let root = clip.skeleton.roots().next().expect("a root");
        let change = |change: KeyChange| DisplaceKey::new(frame, change);
        let reach = |limb: Limb, goal: ReachGoal, end: EndTurn| change(KeyChange::Reach { limb, goal, end });
        let keys = [
            change(KeyChange::Move { joint: root, by: lift, axes: MoveAxes::World }),
            reach(Limb::Hand(Side::Right), ReachGoal::At(goal), EndTurn::WithLimb),
            reach(Limb::Foot(Side::Left), ReachGoal::By(Vec3::ZERO), EndTurn::Kept),
            reach(Limb::Foot(Side::Right), ReachGoal::By(Vec3::ZERO), EndTurn::Kept),
        ];
        let options = DisplaceOptions { fade: Some(0.3), ..DisplaceOptions::default() };
        let displaced = displace(&clip, Some(&body), &keys, &options).unwrap();
        let after = displaced.clip.world_pose(frame);
        assert!(after.position(wrist).distance(goal) < 1e-6, "{file}: {:?}", displaced.reached);
        for side in Side::BOTH {
            let moved = body.ball(&after, side).distance(body.ball(&before, side));
            assert!(moved < 1e-6, "{file}: the {side:?} foot moved by {moved} m");
        }
        let is_far = |other: &usize| other.abs_diff(frame) as f64 > 0.3 * rate;
        for other in (0..clip.n_frames()).filter(is_far) {
            assert_eq!(displaced.clip.pose(other), clip.pose(other), "{file}: frame {other}");
        }
    }
}
