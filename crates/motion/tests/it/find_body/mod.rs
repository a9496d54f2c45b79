//! The body map is found in every family of skeletons, with and without names, and refused where there is no person.

pub(crate) mod families;
pub(crate) mod people;
mod refusals;

use families::FAMILIES;
use people::{Act, Family, Names, Person, Toe, build};
use surefoot_geom::Vec3;
use surefoot_motion::{FeetFound, FoundBody, Joint, JointId, PersonOptions, SideEvidence, Skeleton, find_body, person};

/// The promise: pelvis, hips, knees, ankles and balls are those that the builder made, each on its side.
fn check(family: &Family, names: Names, act: Act) -> FoundBody {
    let person = build(family, names, act);
    check_found(family, &person, &person.poses, act)
}

fn check_found(family: &Family, person: &Person, poses: &[surefoot_motion::WorldPose], act: Act) -> FoundBody {
    let found = find_body(&person.skeleton, poses).unwrap_or_else(|error| panic!("{} {act:?}: {error}", family.title));
    let map = &found.map;
    let name = |joint| person.skeleton.name(joint);
    let shown = |side: usize| {
        let leg = if side == 0 { &map.legs.left } else { &map.legs.right };
        ([leg.hip, leg.knee, leg.ankle].map(name), leg.ball.map(name))
    };
    let wanted = |side: usize| (person.legs[side].map(name), person.balls[side].map(name));
    assert_eq!(name(map.pelvis), name(person.pelvis), "{} {act:?}", family.title);
    for side in 0..2 {
        assert_eq!(shown(side), wanted(side), "{} {act:?}: {:#?}", family.title, found.notes);
    }
    let feet = if family.ball.is_some() { FeetFound::Toes } else { FeetFound::NoToes };
    assert_eq!(found.feet, feet, "{}", family.title);
    found
}

/// A foot that says where it points.
fn has_direction(family: &Family) -> bool {
    family.ball.is_some() || family.toe != Toe::Nothing
}

#[test]
fn every_family_is_found_by_its_motion() {
    assert!(FAMILIES.len() >= 29);
    for family in FAMILIES {
        let found = check(family, Names::OfFamily, Act::Walk);
        assert_eq!(found.sides, SideEvidence::Agreed, "{}", family.title);
    }
}

#[test]
fn every_family_is_found_without_names() {
    for family in FAMILIES {
        let found = check(family, Names::Anonymous, Act::Walk);
        assert_eq!(found.sides, SideEvidence::GeometryOnly, "{}", family.title);
    }
}

#[test]
fn geometry_overrules_swapped_names_and_says_so() {
    for family in FAMILIES {
        let found = check(family, Names::Swapped, Act::Walk);
        assert_eq!(found.sides, SideEvidence::Contradicted, "{}", family.title);
    }
}

#[test]
fn a_standing_rest_pose_suffices() {
    for family in FAMILIES.iter().filter(|family| family.rest == people::Rest::Standing) {
        let person = build(family, Names::OfFamily, Act::Walk);
        let found = check_found(family, &person, &[], Act::Walk);
        let expected = if has_direction(family) { SideEvidence::Agreed } else { SideEvidence::NamesOnly };
        assert_eq!(found.sides, expected, "{}", family.title);
    }
}

#[test]
fn people_who_crouch_sit_crawl_or_stand_on_their_hands_are_people() {
    for family in FAMILIES {
        for act in [Act::Crouch, Act::Sit, Act::Handstand, Act::Crawl] {
            check(family, Names::OfFamily, act);
            if has_direction(family) {
                check(family, Names::Anonymous, act);
            }
        }
    }
}

#[test]
fn up_is_found_in_the_files_own_axes() {
    for family in FAMILIES {
        let up = if family.up == people::Up::Y { Vec3::Y } else { Vec3::Z };
        assert_eq!(check(family, Names::OfFamily, Act::Walk).up, up, "{}", family.title);
    }
}

#[test]
fn arms_are_found_on_their_sides() {
    for family in FAMILIES {
        let person = build(family, Names::OfFamily, Act::Walk);
        let found = find_body(&person.skeleton, &person.poses).unwrap();
        for (side, arm) in found.map.arms.iter() {
            let token = family.side[side as usize];
            let [shoulder, elbow, wrist] = family.arm.map(|text| text.replace('%', token));
            let arm = arm.unwrap_or_else(|| panic!("{}: no {} arm", family.title, side.name()));
            let joints =
                [arm.shoulder, arm.elbow, arm.wrist.unwrap_or(arm.elbow)].map(|joint| person.skeleton.name(joint));
            assert_eq!(joints, [&*shoulder, &*elbow, &*wrist], "{}", family.title);
        }
        assert_eq!(found.map.head.map(|head| person.skeleton.name(head)), Some(family.head), "{}", family.title);
        let spine: Vec<&str> = found.map.spine.iter().map(|&joint| person.skeleton.name(joint)).collect();
        assert_eq!(spine, family.spine, "{}", family.title);
    }
}

#[test]
fn a_trunk_without_arms_and_head_has_no_head() {
    let (whole, body) = person(&PersonOptions::default()).expect("a person");
    // Cut off above the second joint of the spine.
    let is_kept = |joint: JointId| !whole.is_at_or_above(body.spine[2], joint);
    let kept: Vec<JointId> = whole.ids().filter(|&joint| is_kept(joint)).collect();
    let new_id = |old: JointId| kept.iter().position(|&joint| joint == old).map(JointId::new);
    let joints = kept.iter().map(|&joint| {
        let joint = whole.joint(joint);
        Joint { parent: joint.parent.and_then(new_id), ..joint.clone() }
    });
    let trunk = Skeleton::new(joints.collect(), Vec::new()).expect("a skeleton");
    let found = find_body(&trunk, &[]).expect("legs").map;
    assert!(found.arms.left.is_none() && found.head.is_none(), "{:?}", found.head.map(|head| trunk.name(head)));
    let names: Vec<&str> = found.spine.iter().map(|&joint| trunk.name(joint)).collect();
    assert_eq!(names, body.spine[..2].iter().map(|&joint| whole.name(joint)).collect::<Vec<_>>());
}

/// Heel, ball and toe tip lie level on the sole of a standing foot, in this order, whatever unit, axes and rest pose.
#[test]
fn the_sole_is_level_and_runs_from_heel_to_toe() {
    for family in FAMILIES {
        let person = build(family, Names::OfFamily, Act::Walk);
        let found = find_body(&person.skeleton, &person.poses).unwrap();
        for (side, leg) in found.map.legs.iter() {
            // A quarter through the cycle both feet stand flat.
            let pose = &person.poses[5];
            let in_world = |point: Vec3| pose[leg.ankle].transform_point(point) / family.scale;
            let [heel, ball, tip] = [leg.foot.heel, leg.foot.ball, leg.foot.toe_tip].map(in_world);
            let title = format!("{} {side:?}", family.title);
            assert!((0.1..0.25).contains(&heel.distance(ball)), "{title}: {}", heel.distance(ball));
            assert!((0.03..0.12).contains(&ball.distance(tip)), "{title}: {}", ball.distance(tip));
            assert!((ball - heel).dot(tip - ball) > 0.99 * heel.distance(ball) * ball.distance(tip), "{title}");
            let rise = (ball - heel).dot(found.up);
            assert!(rise.abs() < 0.01, "{title}: the ball stands {rise} above the heel");
            let ankle = pose.position(leg.ankle) / family.scale;
            let height = (ankle - heel).dot(found.up);
            assert!((0.03..0.12).contains(&height), "{title}: ankle at {height}");
        }
    }
}
