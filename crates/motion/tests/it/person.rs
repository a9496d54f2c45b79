//! Our own figure has the height and the proportions that it was asked for, and is recognised as what it is.

use proptest::prelude::*;
use surefoot_geom::Vec3;
use surefoot_motion::{
    BodyMap, BodyPoint, FeetFound, PersonOptions, Side, SideEvidence, Skeleton, WorldPose, find_body, person,
};

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

fn rest(skeleton: &Skeleton) -> WorldPose {
    WorldPose::new(skeleton, &skeleton.rest_pose())
}

fn top(skeleton: &Skeleton) -> Vec3 {
    let head = skeleton.find("Head").unwrap();
    let site = skeleton.end_sites().iter().position(|site| site.parent == head).unwrap();
    rest(skeleton).point(skeleton, BodyPoint::EndSite(site))
}

/// The promise: what the geometry says is the map that the figure came with.
fn check_found(options: &PersonOptions) {
    let (skeleton, body) = person(options).unwrap();
    let found = find_body(&skeleton, &[]).unwrap_or_else(|error| panic!("{options:?}: {error}"));
    assert_eq!(found.feet, FeetFound::Toes, "{options:?}");
    assert_eq!(found.sides, SideEvidence::Agreed, "{options:?}");
    assert_eq!(without_soles(&found.map), without_soles(&body), "{options:?}");
    for side in Side::BOTH {
        let (mine, theirs) = (&body.legs[side].foot, &found.map.legs[side].foot);
        let points = [(mine.heel, theirs.heel), (mine.ball, theirs.ball), (mine.toe_tip, theirs.toe_tip)];
        assert!(points.iter().all(|(a, b)| a.distance(*b) < 1e-12), "{options:?}: {mine:?} {theirs:?}");
        assert!(mine.up.distance(theirs.up) < 1e-12, "{options:?}");
    }
}

fn without_soles(body: &BodyMap) -> BodyMap {
    let mut body = body.clone();
    body.legs.right.foot = body.legs.left.foot;
    for side in Side::BOTH {
        let foot = &mut body.legs[side].foot;
        (foot.heel, foot.ball, foot.toe_tip, foot.up) = (Vec3::ZERO, Vec3::ZERO, Vec3::ZERO, Vec3::Y);
    }
    body
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(200) })]

    #[test]
    fn the_height_is_the_one_asked_for_and_the_soles_stand_at_zero(options in any_proportions()) {
        let (skeleton, body) = person(&options).unwrap();
        let pose = rest(&skeleton);
        prop_assert!(top(&skeleton).distance(Vec3::Y * options.height) < 1e-12);
        for side in Side::BOTH {
            prop_assert!(body.ball(&pose, side).y.abs() < 1e-12 && body.heel(&pose, side).y.abs() < 1e-12);
        }
        prop_assert!((body.facing(&pose) - Vec3::Z).length() < 1e-12);
    }

    #[test]
    fn the_figure_is_found_by_its_geometry(options in any_proportions()) {
        check_found(&options);
    }
}

#[test]
fn the_extremes_of_every_proportion_are_found() {
    let ranges = [(0.5, 2.5), (0.75, 1.3), (0.8, 1.25), (0.7, 1.4), (0.7, 1.4), (0.6, 1.6), (0.6, 1.6), (0.8, 1.6)];
    for corner in 0..1 << ranges.len() {
        let value = |i: usize| if corner >> i & 1 == 0 { ranges[i].0 } else { ranges[i].1 };
        check_found(&PersonOptions {
            height: value(0),
            leg: value(1),
            shin: value(2),
            arm: value(3),
            foot: value(4),
            shoulders: value(5),
            hips: value(6),
            head: value(7),
        });
    }
}

#[test]
fn factors_lengthen_what_they_name() {
    let leg_over_trunk = |options: &PersonOptions| {
        let (skeleton, body) = person(options).unwrap();
        let pose = rest(&skeleton);
        let trunk = pose.position(body.head.unwrap()).distance(pose.position(body.pelvis));
        body.leg_length_in(&pose) / trunk
    };
    let plain = leg_over_trunk(&PersonOptions::default());
    let long = leg_over_trunk(&PersonOptions { leg: 1.2, ..PersonOptions::default() });
    assert!((long / plain - 1.2).abs() < 1e-12);
    let shins = PersonOptions { shin: 1.2, ..PersonOptions::default() };
    assert!((leg_over_trunk(&shins) - plain).abs() < 1e-12, "the leg's length is kept");
    let (skeleton, body) = person(&shins).unwrap();
    let length = |joint| skeleton.joint(joint).rest.translation.length();
    assert!((length(body.legs.left.ankle) / length(body.legs.left.knee) - 1.2).abs() < 1e-12);
}

#[test]
fn the_trunk_has_lumbar_and_thoracic_joints() {
    let (skeleton, body) = person(&PersonOptions::default()).unwrap();
    let names: Vec<&str> = body.spine.iter().map(|&joint| skeleton.name(joint)).collect();
    assert_eq!(names, ["Spine", "Spine1", "Chest", "UpperChest", "Neck"]);
}

#[test]
fn proportions_that_nobody_has_are_refused_with_the_range() {
    let check =
        |options: PersonOptions, expected: &str| assert_eq!(person(&options).unwrap_err().to_string(), expected);
    let plain = PersonOptions::default();
    check(PersonOptions { height: 3.0, ..plain }, "height of a person is 3; it must be within 0.5 to 2.5");
    check(PersonOptions { leg: 0.1, ..plain }, "leg of a person is 0.1; it must be within 0.75 to 1.3");
    check(PersonOptions { foot: f64::NAN, ..plain }, "foot of a person is NaN; it must be within 0.7 to 1.4");
}
