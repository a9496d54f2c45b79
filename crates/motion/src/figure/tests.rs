//! The body around a synthetic person, whatever the rest pose is like.

use super::*;
use crate::{Arm, EndSite, FootShape, Joint, Leg, PerSide};
use surefoot_geom::{Quat, Transform};

/// A person who stands with arms spread, as CMU's do: with joints of no length at hips, back and neck.
fn person() -> (Skeleton, BodyMap) {
    let mut joints: Vec<Joint> = Vec::new();
    let mut add = |name: &str, parent: Option<JointId>, offset: [f64; 3]| {
        let rest = Transform::from_translation(Vec3::from_array(offset));
        joints.push(Joint { name: name.to_string(), parent, rest });
        JointId::new(joints.len() - 1)
    };
    let pelvis = add("hips", None, [0.0, 0.95, 0.0]);
    let back = add("back", Some(pelvis), [0.0; 3]);
    let spine = add("spine", Some(back), [0.0, 0.15, 0.0]);
    let chest = add("chest", Some(spine), [0.0, 0.2, 0.0]);
    let neck = add("neck", Some(chest), [0.0, 0.16, 0.0]);
    let neck_again = add("neck again", Some(neck), [0.0; 3]);
    let head = add("head", Some(neck_again), [0.0, 0.1, 0.0]);
    let mut sites = vec![EndSite { name: None, parent: head, offset: Vec3::new(0.0, 0.19, 0.0) }];
    let foot = FootShape {
        heel: Vec3::new(0.0, -0.06, -0.05),
        ball: Vec3::new(0.0, -0.06, 0.12),
        toe_tip: Vec3::new(0.0, -0.06, 0.19),
        up: Vec3::Y,
    };
    let mut legs = Vec::new();
    let mut arms = Vec::new();
    for x in [1.0, -1.0] {
        let socket = add("socket", Some(pelvis), [0.0; 3]);
        let hip = add("hip", Some(socket), [0.09 * x, -0.06, 0.0]);
        let knee = add("knee", Some(hip), [0.0, -0.42, 0.0]);
        let ankle = add("ankle", Some(knee), [0.0, -0.41, 0.0]);
        let ball = add("ball", Some(ankle), [0.0, -0.06, 0.12]);
        legs.push(Leg { hip, knee, ankle, ball: Some(ball), toe: None, foot });
        let clavicle = add("clavicle", Some(chest), [0.02 * x, 0.1, 0.0]);
        let shoulder = add("shoulder", Some(clavicle), [0.16 * x, 0.0, 0.0]);
        let elbow = add("elbow", Some(shoulder), [0.29 * x, 0.0, 0.0]);
        let wrist = add("wrist", Some(elbow), [0.25 * x, 0.0, 0.0]);
        let finger = add("finger", Some(wrist), [0.1 * x, 0.0, 0.0]);
        sites.push(EndSite { name: None, parent: finger, offset: Vec3::new(0.08 * x, 0.0, 0.0) });
        arms.push(Arm { clavicle: Some(clavicle), shoulder, elbow, wrist: Some(wrist) });
    }
    let skeleton = Skeleton::new(joints, sites).expect("parents first");
    let body = BodyMap {
        pelvis,
        spine: vec![back, spine, chest, neck, neck_again],
        head: Some(head),
        legs: PerSide::new(legs[0], legs[1]),
        arms: PerSide::new(Some(arms[0]), Some(arms[1])),
    };
    (skeleton, body)
}

/// The same person with every joint's rest turned, and nothing else: joints stay where they are in the world.
fn turned(skeleton: &Skeleton, body: &BodyMap) -> (Skeleton, BodyMap) {
    let rest = WorldPose::new(skeleton, &skeleton.rest_pose());
    let turn = |joint: usize| Quat::from_rotation_y(0.7 * joint as f64) * Quat::from_rotation_x(1.0 + joint as f64);
    let world: Vec<Transform> =
        rest.world().iter().enumerate().map(|(i, t)| Transform::new(turn(i), t.translation)).collect();
    let joints = skeleton.joints().iter().enumerate().map(|(i, joint)| {
        let parent = joint.parent.map_or(Transform::IDENTITY, |parent| world[parent.index()]);
        Joint { rest: parent.inverse() * world[i], ..joint.clone() }
    });
    let into = |joint: JointId, point: Vec3| turn(joint.index()).conjugate() * point;
    let sites =
        skeleton.end_sites().iter().map(|site| EndSite { offset: into(site.parent, site.offset), ..site.clone() });
    let mut body = body.clone();
    for side in Side::BOTH {
        let leg = &mut body.legs[side];
        let FootShape { heel, ball, toe_tip, up } = leg.foot;
        let [heel, ball, toe_tip, up] = [heel, ball, toe_tip, up].map(|vector| into(leg.ankle, vector));
        leg.foot = FootShape { heel, ball, toe_tip, up };
    }
    (Skeleton::new(joints.collect(), sites.collect()).expect("the same tree"), body)
}

/// Ends of a capsule in the rest pose's world.
fn ends(skeleton: &Skeleton, capsule: &Capsule) -> [Vec3; 2] {
    let rest = WorldPose::new(skeleton, &skeleton.rest_pose());
    [capsule.start, capsule.end].map(|end| rest[capsule.joint].transform_point(end))
}

#[test]
fn a_body_has_every_part_on_its_side_and_both_sides_alike() {
    let (skeleton, body) = person();
    let capsules = figure(&skeleton, Some(&body));
    for region in [Region::Trunk, Region::Head] {
        assert!(capsules.iter().any(|capsule| capsule.region == region), "{region:?}");
    }
    for kind in [Region::Arm as fn(Side) -> Region, Region::Leg, Region::Foot] {
        let of = |side: Side| capsules.iter().filter(move |capsule| capsule.region == kind(side));
        assert!(of(Side::Left).count() >= 2);
        assert_eq!(of(Side::Left).count(), of(Side::Right).count());
        for left in of(Side::Left) {
            assert!(ends(&skeleton, left).iter().all(|end| end.x > 0.0));
            let mirrored = ends(&skeleton, left).map(|end| end * Vec3::new(-1.0, 1.0, 1.0));
            assert!(of(Side::Right).any(|right| {
                let ends = ends(&skeleton, right);
                ends[0].abs_diff_eq(mirrored[0], 1e-9) && ends[1].abs_diff_eq(mirrored[1], 1e-9)
            }));
        }
    }
}

#[test]
fn a_body_is_as_tall_as_its_skeleton_and_stands_on_its_soles() {
    let (skeleton, body) = person();
    let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
    for capsule in figure(&skeleton, Some(&body)) {
        let [start, end] = ends(&skeleton, &capsule);
        low = low.min(start.y - capsule.start_radius).min(end.y - capsule.end_radius);
        high = high.max(start.y + capsule.start_radius).max(end.y + capsule.end_radius);
    }
    let sole = 0.95 - 0.06 - 0.42 - 0.41 - 0.06;
    assert!((low - sole).abs() < 1e-9, "the lowest point is {low}, the sole {sole}");
    let crown = 0.95 + 0.15 + 0.2 + 0.16 + 0.1 + 0.19;
    assert!((high - crown).abs() < 0.01, "the highest point is {high}, the skull's end {crown}");
}

#[test]
fn rest_rotations_do_not_change_the_body() {
    let (skeleton, body) = person();
    let (other, other_body) = turned(&skeleton, &body);
    let (one, two) = (figure(&skeleton, Some(&body)), figure(&other, Some(&other_body)));
    assert_eq!(one.len(), two.len());
    for (a, b) in one.iter().zip(&two) {
        let (at_a, at_b) = (ends(&skeleton, a), ends(&other, b));
        assert!(at_a[0].abs_diff_eq(at_b[0], 1e-9) && at_a[1].abs_diff_eq(at_b[1], 1e-9), "{a:?}\n{b:?}");
        assert!((a.start_radius - b.start_radius).abs() < 1e-12 && a.region == b.region);
    }
}

#[test]
fn thickness_follows_leg_length() {
    let (skeleton, body) = person();
    let half = |v: Vec3| v / 2.0;
    let joints = skeleton.joints().iter().map(|joint| Joint {
        rest: Transform::new(joint.rest.rotation, half(joint.rest.translation)),
        ..joint.clone()
    });
    let sites = skeleton.end_sites().iter().map(|site| EndSite { offset: half(site.offset), ..site.clone() });
    let small = Skeleton::new(joints.collect(), sites.collect()).expect("the same tree");
    let mut small_body = body.clone();
    for side in Side::BOTH {
        let foot = &mut small_body.legs[side].foot;
        *foot = FootShape { heel: half(foot.heel), ball: half(foot.ball), toe_tip: half(foot.toe_tip), ..*foot };
    }
    for (large, small) in figure(&skeleton, Some(&body)).iter().zip(figure(&small, Some(&small_body))) {
        assert!((large.start_radius - 2.0 * small.start_radius).abs() < 1e-12);
        assert!(large.end.abs_diff_eq(small.end * 2.0, 1e-9));
    }
}

#[test]
fn parts_that_a_skeleton_lacks_are_left_out_or_guessed() {
    let (skeleton, body) = person();
    let with = |change: &dyn Fn(&mut BodyMap)| {
        let mut body = body.clone();
        change(&mut body);
        let capsules = figure(&skeleton, Some(&body));
        assert!(capsules.iter().all(|c| c.is_finite() && c.start_radius > 0.0 && c.end_radius > 0.0));
        capsules
    };
    let no_head = with(&|body| body.head = None);
    assert!(no_head.iter().all(|capsule| capsule.region != Region::Head));
    let no_arms = with(&|body| body.arms = PerSide::new(None, None));
    assert!(no_arms.iter().all(|capsule| !matches!(capsule.region, Region::Arm(_))));
    let no_wrist = with(&|body| {
        for arm in [&mut body.arms.left, &mut body.arms.right].into_iter().flatten() {
            arm.wrist = None;
        }
    });
    let count = |capsules: &[Capsule]| capsules.iter().filter(|c| c.region == Region::Arm(Side::Left)).count();
    assert_eq!(count(&no_wrist), count(&figure(&skeleton, Some(&body))));
    let no_spine = with(&|body| body.spine.clear());
    assert!(no_spine.iter().any(|capsule| capsule.region == Region::Trunk));
    let no_ball = with(&|body| body.legs.left.ball = None);
    assert!(no_ball.iter().filter(|c| c.region == Region::Foot(Side::Left)).all(|c| c.joint == body.legs.left.ankle));
}

#[test]
fn without_a_body_map_each_bone_and_end_site_with_length_has_a_segment() {
    let (skeleton, body) = person();
    let with_length =
        skeleton.joints().iter().filter(|joint| joint.parent.is_some() && joint.rest.translation.length() > 0.0);
    let capsules = figure(&skeleton, None);
    assert_eq!(capsules.len(), with_length.count() + skeleton.end_sites().len());
    assert!(capsules.iter().all(|capsule| capsule.region == Region::Other && capsule.start_radius > 0.0));

    // Legs without length tell no scale, so that body is drawn as segments too.
    let mut legless = body.clone();
    for side in Side::BOTH {
        let leg = &mut legless.legs[side];
        (leg.knee, leg.ankle) = (leg.hip, leg.hip);
    }
    assert_eq!(figure(&skeleton, Some(&legless)), capsules);
    let point = Skeleton::new(vec![], vec![]).expect("nothing is a skeleton too");
    assert!(figure(&point, None).is_empty());
}
