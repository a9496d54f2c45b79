use super::*;
use proptest::prelude::*;
use surefoot_geom::Vec3;
use surefoot_geom::rotation::exp_map;
use surefoot_motion::PerSide;
use surefoot_motion::{BodyPoint, PersonOptions, person};

fn any_turn(size: f64) -> impl Strategy<Value = Quat> {
    (-size..size, -size..size, -size..size).prop_map(|(x, y, z)| exp_map(Vec3::new(x, y, z)))
}

fn any_leg() -> impl Strategy<Value = LegPosture> {
    (any_turn(2.0), any_turn(2.0), any_turn(2.0), -0.5..1.2f64).prop_map(|(thigh, shin, foot, toe_bend)| LegPosture {
        thigh,
        shin,
        foot,
        toe_bend,
    })
}

fn any_arm() -> impl Strategy<Value = ArmPosture> {
    (any_turn(0.3), any_turn(2.0), 0.0..2.5f64).prop_map(|(clavicle, upper_arm, elbow)| ArmPosture {
        clavicle,
        upper_arm,
        elbow,
    })
}

fn any_posture() -> impl Strategy<Value = Posture> {
    let trunk = (any_turn(3.0), any_turn(0.5), any_turn(0.5), any_turn(3.0));
    (trunk, (any_leg(), any_leg()), (any_arm(), any_arm())).prop_map(|((pelvis, chest, head, at), legs, arms)| {
        Posture {
            pelvis: Transform::new(pelvis, at * Vec3::new(3.0, 1.0, -2.0)),
            chest: pelvis * chest,
            head: pelvis * chest * head,
            legs: PerSide::new(legs.0, legs.1),
            arms: PerSide::new(arms.0, arms.1),
        }
    })
}

fn any_proportions() -> impl Strategy<Value = PersonOptions> {
    let limbs = (0.75..1.3f64, 0.8..1.25f64, 0.7..1.4f64, 0.7..1.4f64);
    (0.5..2.5f64, limbs, 0.6..1.6f64, 0.6..1.6f64, 0.8..1.6f64).prop_map(
        |(height, (leg, shin, arm, foot), shoulders, hips, head)| PersonOptions {
            height,
            leg,
            shin,
            arm,
            foot,
            shoulders,
            hips,
            head,
        },
    )
}

/// The largest distance between a point of the leg and where the posture says that it is.
fn worst_leg_point(skeleton: &Skeleton, rig: &Rig, posture: &Posture, world: &WorldPose) -> f64 {
    let (body, proportions) = (rig.body(), rig.proportions());
    let mut worst = world.position(body.pelvis).distance(posture.pelvis.translation);
    for side in Side::BOTH {
        let (leg, turns, sole) = (&body.legs[side], &posture.legs[side], &proportions.soles[side]);
        let hip = posture.pelvis.transform_point(proportions.hips[side]);
        let knee = hip + turns.thigh * (Vec3::NEG_Y * proportions.thigh[side]);
        let ankle = knee + turns.shin * (Vec3::NEG_Y * proportions.shin[side]);
        let ball = ankle + turns.foot * sole.ball;
        let toes = turns.foot * Quat::from_rotation_x(-turns.toe_bend) * (sole.toe_tip - sole.ball);
        for (found, wanted) in [
            (world.position(leg.hip), hip),
            (world.position(leg.knee), knee),
            (world.position(leg.ankle), ankle),
            (body.ball(world, side), ball),
            (body.heel(world, side), ankle + turns.foot * sole.heel),
            (leg.toe.map_or(ball + toes, |toe| world.point(skeleton, toe)), ball + toes),
        ] {
            worst = worst.max(found.distance(wanted));
        }
    }
    worst
}

fn rig_of(options: &PersonOptions) -> (Skeleton, Rig) {
    let (skeleton, body) = person(options).unwrap();
    let rig = Rig::new(&skeleton, &body, &Poses::default()).unwrap();
    (skeleton, rig)
}

fn posed(skeleton: &Skeleton, rig: &Rig, posture: &Posture) -> WorldPose {
    let mut pose = rig.rest_pose().clone();
    rig.pose(posture, &mut pose);
    WorldPose::new(skeleton, &pose)
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(200) })]

    #[test]
    fn legs_of_any_proportions_are_where_the_posture_puts_them(proportions in any_proportions(), posture in any_posture()) {
        let (skeleton, rig) = rig_of(&proportions);
        let world = posed(&skeleton, &rig, &posture);
        let worst = worst_leg_point(&skeleton, &rig, &posture, &world);
        prop_assert!(worst < 1e-9, "{worst} m");
        prop_assert!((rig.proportions().height - proportions.height).abs() < 1e-9);
    }

    #[test]
    fn chest_head_and_arms_have_their_attitudes(posture in any_posture()) {
        let (skeleton, rig) = rig_of(&PersonOptions::default());
        let world = posed(&skeleton, &rig, &posture);
        let body = rig.body();
        let chest = skeleton.find("UpperChest").unwrap();
        prop_assert!(rotation::angle_between(world[chest].rotation, posture.chest) < 1e-9);
        prop_assert!(rotation::angle_between(world[body.head.unwrap()].rotation, posture.head) < 1e-9);
        for side in Side::BOTH {
            let (arm, turns) = (body.arms[side].unwrap(), &posture.arms[side]);
            let direction = |a, b| (world.position(b) - world.position(a)).normalize();
            let upper = posture.chest * turns.upper_arm;
            prop_assert!(direction(arm.shoulder, arm.elbow).distance(upper * Vec3::NEG_Y) < 1e-9);
            let fore = upper * Vec3::new(0.0, -turns.elbow.cos(), turns.elbow.sin());
            prop_assert!(direction(arm.elbow, arm.wrist.unwrap()).distance(fore) < 1e-9);
        }
    }
}

#[test]
fn a_person_who_stands_is_upright_and_as_high_as_asked_for() {
    for height in [0.6, 1.2, 1.8, 2.3] {
        let (skeleton, rig) = rig_of(&PersonOptions::with_height(height));
        let pelvis = Vec3::Y * rig.proportions().standing_pelvis_height();
        let posture = Posture { pelvis: Transform::from_translation(pelvis), ..Posture::default() };
        let world = posed(&skeleton, &rig, &posture);
        assert!((rig.proportions().height - height).abs() < 1e-12);
        let top = world.point(&skeleton, BodyPoint::EndSite(0));
        assert!(top.distance(Vec3::Y * height) < 1e-12, "{top}");
        for side in Side::BOTH {
            let arm = rig.body().arms[side].unwrap();
            let wrist = world.position(arm.wrist.unwrap()) - world.position(arm.shoulder);
            assert!(wrist.x.hypot(wrist.z) < 1e-12 && wrist.y < 0.0, "{wrist}");
            assert!(rig.body().heel(&world, side).y.abs() < 1e-12);
            assert!(rig.body().ball(&world, side).y.abs() < 1e-12);
        }
    }
}

#[test]
fn list_is_taken_by_the_lumbar_joints_and_twist_by_all() {
    let (skeleton, rig) = rig_of(&PersonOptions::default());
    let turns = |chest: Quat| {
        let world = posed(&skeleton, &rig, &Posture { chest, ..Posture::default() });
        ["Spine", "Spine1", "Chest", "UpperChest"]
            .map(|name| rotation::log_map(world[skeleton.find(name).unwrap()].rotation).length())
    };
    let [low, lumbar, thoracic, top] = turns(Quat::from_rotation_z(0.2));
    assert!(low > 0.05 && low < 0.15, "{low}");
    assert!([lumbar, thoracic, top].iter().all(|turn| (turn - 0.2).abs() < 1e-12), "{lumbar} {thoracic} {top}");
    let twist = turns(Quat::from_rotation_y(-0.2));
    assert!(twist[0] > 0.03 && twist.windows(2).all(|pair| pair[1] - pair[0] > 0.03), "{twist:?}");
    assert!((twist[3] - 0.2).abs() < 1e-12);
}

#[test]
fn toes_bend_up() {
    let (skeleton, rig) = rig_of(&PersonOptions::default());
    let mut posture = Posture::default();
    posture.legs.left.toe_bend = 0.5;
    let world = posed(&skeleton, &rig, &posture);
    let leg = rig.body().legs.left;
    let tip = world.point(&skeleton, leg.toe.unwrap()) - world.position(leg.ball.unwrap());
    assert!(tip.y > 0.0 && tip.z > 0.0, "{tip}");
}

/// A joint that does nothing but turn its space, put between a joint and its parent.
fn with_twist_joint(skeleton: &Skeleton, body: &BodyMap, below: JointId) -> (Skeleton, BodyMap) {
    let turn = exp_map(Vec3::new(0.3, -0.8, 0.4));
    let mut joints = skeleton.joints().to_vec();
    let rest = joints[below.index()].rest;
    let half = rest.translation / 2.0;
    let helper = surefoot_motion::Joint {
        name: "twist".to_string(),
        parent: joints[below.index()].parent,
        rest: Transform::new(turn, half),
    };
    joints[below.index()].rest = Transform::new(turn.conjugate() * rest.rotation, turn.conjugate() * half);
    joints.insert(below.index(), helper);
    let moved = |joint: JointId| JointId::new(joint.index() + usize::from(joint.index() >= below.index()));
    for (index, joint) in joints.iter_mut().enumerate() {
        if index > below.index() {
            joint.parent = joint.parent.map(moved);
        }
    }
    joints[below.index() + 1].parent = Some(below);
    let mut sites = skeleton.end_sites().to_vec();
    sites.iter_mut().for_each(|site| site.parent = moved(site.parent));
    let mut body = body.clone();
    body.pelvis = moved(body.pelvis);
    body.spine.iter_mut().for_each(|joint| *joint = moved(*joint));
    body.head = body.head.map(moved);
    for side in Side::BOTH {
        let leg = &mut body.legs[side];
        (leg.hip, leg.knee, leg.ankle) = (moved(leg.hip), moved(leg.knee), moved(leg.ankle));
        leg.ball = leg.ball.map(moved);
        body.arms[side] = body.arms[side].map(|arm| Arm {
            clavicle: arm.clavicle.map(moved),
            shoulder: moved(arm.shoulder),
            elbow: moved(arm.elbow),
            wrist: arm.wrist.map(moved),
        });
    }
    (Skeleton::new(joints, sites).unwrap(), body)
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(50) })]

    #[test]
    fn twist_joints_anywhere_change_nothing(posture in any_posture()) {
        let (skeleton, body) = person(&PersonOptions::default()).unwrap();
        let plain = Rig::new(&skeleton, &body, &Poses::default()).unwrap();
        let expected = posed(&skeleton, &plain, &posture);
        for joint in skeleton.ids() {
            let (skeleton, twisted) = with_twist_joint(&skeleton, &body, joint);
            let rig = Rig::new(&skeleton, &twisted, &Poses::default()).unwrap();
            let world = posed(&skeleton, &rig, &posture);
            prop_assert!(worst_leg_point(&skeleton, &rig, &posture, &world) < 1e-9);
            let mut others = skeleton.ids().filter(|&id| id != joint);
            for old in expected.world() {
                let found = world.position(others.next().unwrap());
                prop_assert!(found.distance(old.translation) < 1e-9);
            }
        }
    }
}

#[test]
fn legs_without_length_are_refused_by_name() {
    let (skeleton, body) = person(&PersonOptions::default()).unwrap();
    let mut joints = skeleton.joints().to_vec();
    joints[body.legs.right.knee.index()].rest.translation = Vec3::ZERO;
    let skeleton = Skeleton::new(joints, skeleton.end_sites().to_vec()).unwrap();
    let error = Rig::new(&skeleton, &body, &Poses::default()).unwrap_err();
    let expected = "the right thigh of this skeleton, from joint `RightUpperLeg`, is 0 m long; it must have a length";
    assert_eq!(error.to_string(), expected);
}
