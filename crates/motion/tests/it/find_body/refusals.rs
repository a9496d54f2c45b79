//! Skeletons without a person's legs are refused, and the refusal reports what was found.

use super::families::FAMILIES;
use super::people::{Act, Names, build};
use surefoot_geom::{Transform, Vec3};
use surefoot_motion::{BodyError, BodyPart, BodyProblem, EndSite, Joint, JointId, Skeleton, find_body};

/// A skeleton from `(name, parent index, offset)`, with end sites.
fn skeleton(joints: &[(&str, Option<usize>, [f64; 3])], sites: &[(usize, [f64; 3])]) -> Skeleton {
    let joints = joints.iter().map(|&(name, parent, offset)| Joint {
        name: name.to_string(),
        parent: parent.map(JointId::new),
        rest: Transform::from_translation(Vec3::from_array(offset)),
    });
    let sites = sites.iter().map(|&(parent, offset)| EndSite {
        name: None,
        parent: JointId::new(parent),
        offset: Vec3::from_array(offset),
    });
    Skeleton::new(joints.collect(), sites.collect()).unwrap()
}

fn refusal(skeleton: &Skeleton) -> BodyError {
    find_body(skeleton, &[]).expect_err("no person is here")
}

/// Legs that end at the shin, with complete arms above: the arms must not be taken for legs.
#[test]
fn legs_without_ankles_are_refused_with_what_was_found() {
    for complete_arms in [false, true] {
        let mut joints = vec![
            ("Hips", None, [0.0, 90.0, 0.0]),
            ("LeftUpLeg", Some(0), [9.0, 0.0, 0.0]),
            ("LeftLeg", Some(1), [0.0, -42.0, 0.0]),
            ("RightUpLeg", Some(0), [-9.0, 0.0, 0.0]),
            ("RightLeg", Some(3), [0.0, -42.0, 0.0]),
            ("Spine", Some(0), [0.0, 45.0, 0.0]),
            ("Head", Some(5), [0.0, 20.0, 0.0]),
        ];
        let mut sites = vec![(2, [0.0, -8.0, 0.0]), (4, [0.0, -8.0, 0.0]), (6, [0.0, 20.0, 0.0])];
        if complete_arms {
            for (arm, fore, hand, x) in
                [("LeftArm", "LeftForeArm", "LeftHand", 1.0), ("RightArm", "RightForeArm", "RightHand", -1.0)]
            {
                let first = joints.len();
                joints.push((arm, Some(5), [16.0 * x, 0.0, 0.0]));
                joints.push((fore, Some(first), [28.0 * x, 0.0, 0.0]));
                joints.push((hand, Some(first + 1), [26.0 * x, 0.0, 0.0]));
                sites.push((first + 2, [15.0 * x, 0.0, 0.0]));
            }
        }
        let error = refusal(&skeleton(&joints, &sites));
        assert_eq!(error.problem, BodyProblem::NoFeet, "{error}");
        assert_eq!(error.missing, [BodyPart::Ankles]);
        assert!(error.found.contains(&(BodyPart::Knees, vec!["LeftLeg".into(), "RightLeg".into()])), "{error}");
        assert!(error.to_string().contains("`LeftUpLeg`") && error.to_string().contains("missing ankles"), "{error}");
    }
}

#[test]
fn upper_bodies_props_and_chains_have_no_legs() {
    let upper = skeleton(
        &[
            ("Hips", None, [0.0, 0.9, 0.0]),
            ("Spine", Some(0), [0.0, 0.3, 0.0]),
            ("Chest", Some(1), [0.0, 0.2, 0.0]),
            ("LeftArm", Some(2), [0.18, 0.0, 0.0]),
            ("LeftForeArm", Some(3), [0.28, 0.0, 0.0]),
            ("LeftHand", Some(4), [0.25, 0.0, 0.0]),
            ("RightArm", Some(2), [-0.18, 0.0, 0.0]),
            ("RightForeArm", Some(6), [-0.28, 0.0, 0.0]),
            ("RightHand", Some(7), [-0.25, 0.0, 0.0]),
            ("Head", Some(2), [0.0, 0.2, 0.0]),
        ],
        &[(5, [0.15, 0.0, 0.0]), (8, [-0.15, 0.0, 0.0]), (9, [0.0, 0.2, 0.0])],
    );
    let chain =
        skeleton(&[("a", None, [0.0; 3]), ("b", Some(0), [1.0, 0.0, 0.0]), ("c", Some(1), [1.0, 0.0, 0.0])], &[]);
    let one = skeleton(&[("camera", None, [0.0; 3])], &[]);
    let none = skeleton(&[], &[]);
    for skeleton in [upper, chain, one, none] {
        let error = refusal(&skeleton);
        assert_eq!(error.problem, BodyProblem::NoLegs, "{error}");
        assert!(!error.missing.is_empty());
    }
}

fn animal(names: bool) -> Skeleton {
    let mut joints: Vec<(String, Option<usize>, [f64; 3])> = vec![
        ("Hip".into(), None, [0.0, 0.6, 0.0]),
        ("Spine01".into(), Some(0), [0.0, 0.02, 0.3]),
        ("Spine02".into(), Some(1), [0.0, 0.0, 0.3]),
        ("Neck".into(), Some(2), [0.0, 0.2, 0.15]),
        ("Head".into(), Some(3), [0.0, 0.1, 0.15]),
    ];
    for (side, x) in [("Left", 0.1), ("Right", -0.1)] {
        let legs = [("Leg01", 0, [x, -0.05, -0.02]), ("UpperArm", 2, [x, -0.05, 0.02])];
        for (first, trunk, at) in legs {
            let start = joints.len();
            joints.push((format!("{side}{first}"), Some(trunk), at));
            joints.push((format!("{side}{first}Lower"), Some(start), [0.0, -0.25, 0.05]));
            joints.push((format!("{side}{first}Foot"), Some(start + 1), [0.0, -0.23, -0.05]));
            joints.push((format!("{side}{first}Toe"), Some(start + 2), [0.0, -0.07, 0.06]));
        }
    }
    let named: Vec<_> = joints
        .iter()
        .enumerate()
        .map(|(i, (name, parent, at))| (if names { name.clone() } else { format!("joint{i}") }, *parent, *at))
        .collect();
    let borrowed: Vec<(&str, Option<usize>, [f64; 3])> = named.iter().map(|(n, p, at)| (n.as_str(), *p, *at)).collect();
    skeleton(&borrowed, &[])
}

#[test]
fn four_legged_animals_are_refused() {
    for names in [true, false] {
        assert_eq!(refusal(&animal(names)).problem, BodyProblem::FourLegged);
    }
}

#[test]
fn a_hand_is_no_person() {
    let mut joints = vec![("hand".to_string(), None, [0.0; 3])];
    let mut sites = Vec::new();
    for finger in 0..5 {
        let first = joints.len();
        joints.push((format!("f{finger}a"), Some(0), [0.02 * f64::from(finger), 0.0, 0.09]));
        joints.push((format!("f{finger}b"), Some(first), [0.0, 0.0, 0.05]));
        joints.push((format!("f{finger}c"), Some(first + 1), [0.0, 0.0, 0.04]));
        sites.push((first + 2, [0.0, 0.0, 0.03]));
    }
    let borrowed: Vec<_> = joints.iter().map(|(n, p, at): &(String, _, _)| (n.as_str(), *p, *at)).collect();
    let error = refusal(&skeleton(&borrowed, &sites));
    assert!(matches!(error.problem, BodyProblem::TooManyLegs { .. } | BodyProblem::NoLegs), "{error}");
}

#[test]
fn joints_without_length_are_listed() {
    let person = build(&FAMILIES[0], Names::OfFamily, Act::Walk);
    let found = find_body(&person.skeleton, &person.poses).unwrap();
    let names: Vec<&str> = found.zero_length.iter().map(|&joint| person.skeleton.name(joint)).collect();
    assert_eq!(names, ["LeftHipJoint", "RightHipJoint"]);
}

/// Hostile shapes finish at once: recognition is about linear in the joints.
#[test]
fn deep_and_wide_trees_are_refused_quickly() {
    let deep: Vec<(&str, Option<usize>, [f64; 3])> =
        (0..20_000).map(|i: usize| ("j", i.checked_sub(1), [0.0, 1.0, 0.0])).collect();
    let wide: Vec<(&str, Option<usize>, [f64; 3])> =
        (0..20_000).map(|i: usize| ("j", (i > 0).then_some(0), [1.0, 0.0, 0.0])).collect();
    let comb: Vec<(&str, Option<usize>, [f64; 3])> =
        (0..20_000).map(|i: usize| ("j", (i > 0).then(|| (i - 1) / 2 * 2), [1.0, 0.0, 0.0])).collect();
    for joints in [deep, wide, comb] {
        assert!(find_body(&skeleton(&joints, &[]), &[]).is_err());
    }
}

#[test]
fn numbers_that_are_not_finite_do_no_harm() {
    let person = build(&FAMILIES[0], Names::OfFamily, Act::Walk);
    let mut poses = person.poses.clone();
    for (i, pose) in poses.iter_mut().enumerate().filter(|(i, _)| i % 3 == 0) {
        pose.world_mut()[i % 5].translation.x = if i % 2 == 0 { f64::NAN } else { f64::INFINITY };
    }
    let found = find_body(&person.skeleton, &poses).unwrap();
    assert_eq!(found.map.pelvis, person.pelvis);
    assert!(found.map.legs.left.foot.heel.is_finite());
}
