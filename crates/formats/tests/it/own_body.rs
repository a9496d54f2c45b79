//! Body files: templates read back as the map they were written from, and mistakes are reported with field and line.

use surefoot_contact::{WalkerOptions, synthetic_walk};
use surefoot_formats::own::{read_body as read_body_with_poses, write_body};
use surefoot_formats::{ErrorKind, ReadError};
use surefoot_geom::{Transform, Vec3};
use surefoot_motion::{BodyMap, BodyPoint, Joint, Side, Skeleton};

/// Reading without frames of a motion: soles come from the rest pose.
fn read_body(bytes: &[u8], skeleton: &Skeleton, base: Option<&BodyMap>) -> Result<BodyMap, ReadError> {
    read_body_with_poses(bytes, skeleton, base, &[])
}

fn person() -> (Skeleton, BodyMap) {
    let walk = synthetic_walk(&WalkerOptions { n_steps: 0, ..Default::default() });
    (Skeleton::clone(&walk.take.clip.skeleton), walk.take.body)
}

/// The same skeleton under other names.
fn renamed(skeleton: &Skeleton, name: impl Fn(usize, &str) -> String) -> Skeleton {
    let joints = skeleton
        .joints()
        .iter()
        .enumerate()
        .map(|(index, joint)| Joint { name: name(index, &joint.name), ..joint.clone() })
        .collect();
    Skeleton::new(joints, skeleton.end_sites().to_vec()).unwrap()
}

#[track_caller]
fn check(result: Result<BodyMap, ReadError>, kind: ErrorKind, line: Option<usize>, parts: &[&str]) {
    let error = result.unwrap_err();
    assert_eq!((error.kind, error.line), (kind, line), "{error}");
    for part in parts {
        assert!(error.message.contains(part), "{error}");
    }
}

#[test]
fn a_template_reads_back_as_the_same_map() {
    let (skeleton, body) = person();
    let text = write_body(&body, &skeleton);
    assert_eq!(read_body(text.as_bytes(), &skeleton, None).unwrap(), body, "{text}");

    let mut sparse = body.clone();
    sparse.head = None;
    sparse.spine.clear();
    sparse.arms.right = None;
    sparse.legs.left.ball = None;
    sparse.legs.left.toe = None;
    sparse.legs.right.toe = sparse.legs.right.ball.map(BodyPoint::Joint);
    sparse.legs.right.ball = None;
    let arm = sparse.arms.left.as_mut().unwrap();
    (arm.clavicle, arm.wrist) = (None, None);
    let text = write_body(&sparse, &skeleton);
    assert_eq!(read_body(text.as_bytes(), &skeleton, None).unwrap(), sparse, "{text}");
    // A direction is scaled to length one when it is read, and then reads back to the last bit.
    let (before, up_and_after) = text.split_once("up = [").unwrap();
    let (_, after) = up_and_after.split_once(']').unwrap();
    let slanted = format!("{before}up = [1, 1, 0]{after}");
    let slanted = read_body(slanted.as_bytes(), &skeleton, None).unwrap();
    assert_eq!(read_body(write_body(&slanted, &skeleton).as_bytes(), &skeleton, None).unwrap(), slanted);
    // What the file says is absent is not filled in from the base.
    assert_eq!(read_body(text.as_bytes(), &skeleton, Some(&body)).unwrap(), sparse);
}

#[test]
fn strange_and_repeated_names_read_back() {
    let (skeleton, body) = person();
    let strange =
        ["Same", "Same#2", "quote\"d", "back\\slash", "new\nline", "# hash", "mixamorig:Hips", "Bip01 L", "\u{1}", "ü"];
    let named = renamed(&skeleton, |index, _| strange[index % strange.len()].to_string());
    let text = write_body(&body, &named);
    assert_eq!(read_body(text.as_bytes(), &named, None).unwrap(), body, "{text}");
    let all_alike = renamed(&skeleton, |_, _| "Joint".to_string());
    let text = write_body(&body, &all_alike);
    assert!(text.contains("\"Joint#2\""));
    assert_eq!(read_body(text.as_bytes(), &all_alike, None).unwrap(), body);
}

#[test]
fn a_partial_file_changes_only_what_it_names() {
    let (skeleton, body) = person();
    let text = b"body = 1\nhead = \"\"\n[left]\nsole = { heel = [0.0, -0.1, -0.2] }\n[right.arm]\nwrist = \"\"\n";
    let read = read_body(text, &skeleton, Some(&body)).unwrap();
    let mut wanted = body.clone();
    wanted.head = None;
    wanted.legs.left.foot.heel = Vec3::new(0.0, -0.1, -0.2);
    wanted.arms.right.as_mut().unwrap().wrist = None;
    assert_eq!(read, wanted);
    assert_eq!(read_body(b"body = 1", &skeleton, Some(&body)).unwrap(), body);
}

#[test]
fn without_a_base_all_that_is_missing_is_listed() {
    let (skeleton, _) = person();
    let text = b"body = 1\npelvis = \"Hips\"\n[left]\nhip = \"LeftUpperLeg\"\nknee = \"LeftLowerLeg\"\nankle = \"LeftFoot\"\n[right]\nhip = \"RightUpperLeg\"";
    let missing = ["missing: right.knee, right.ankle"];
    check(read_body(text, &skeleton, None), ErrorKind::Body, None, &missing);
    check(read_body(b"body = 1", &skeleton, None), ErrorKind::Body, None, &["pelvis, left.hip, left.knee"]);
}

#[test]
fn a_sole_left_out_is_that_of_the_rest_pose() {
    let (skeleton, body) = person();
    let names = |side: Side| {
        let side = if side == Side::Left { "Left" } else { "Right" };
        format!(
            "hip = \"{side}UpperLeg\"\nknee = \"{side}LowerLeg\"\nankle = \"{side}Foot\"\nball = \"{side}Toes\"\ntoe = \"{side}Toes_End\"\n"
        )
    };
    let text = format!("body = 1\npelvis = \"Hips\"\n[left]\n{}[right]\n{}", names(Side::Left), names(Side::Right));
    let read = read_body(text.as_bytes(), &skeleton, None).unwrap();
    for side in Side::BOTH {
        let (found, truth) = (read.legs[side].foot, body.legs[side].foot);
        assert!(found.ball.abs_diff_eq(truth.ball, 1e-12) && found.toe_tip.abs_diff_eq(truth.toe_tip, 1e-12));
        // The heel is a guess, but it lies on the sole and behind the ankle.
        assert!((found.heel.y - truth.heel.y).abs() < 1e-12 && (found.heel.z - truth.heel.z).abs() < 0.05, "{found:?}");
    }
}

#[test]
fn a_name_that_the_skeleton_does_not_have_gets_the_closest() {
    let (skeleton, body) = person();
    let text = b"body = 1\n[left]\nhip = \"LeftUperLeg\"";
    check(
        read_body(text, &skeleton, Some(&body)),
        ErrorKind::Body,
        Some(3),
        &["left.hip: the skeleton has no joint \"LeftUperLeg\"", "names are \"LeftUpperLeg\""],
    );
    let text = b"body = 1\nspine = [\n\"Spine\",\n\"Nek\"]";
    check(read_body(text, &skeleton, Some(&body)), ErrorKind::Body, Some(4), &["spine[1]", "\"Neck\""]);
    // An end site is no joint, but it may be a toe.
    let text = b"body = 1\n[left]\nball = \"LeftToes_End\"";
    check(read_body(text, &skeleton, Some(&body)), ErrorKind::Body, Some(3), &["left.ball", "no joint"]);
    let text = b"body = 1\n[left]\ntoe = \"LeftToeTop\"";
    check(
        read_body(text, &skeleton, Some(&body)),
        ErrorKind::Body,
        Some(3),
        &["joint or end site", "\"LeftToes_End\""],
    );
}

#[test]
fn joints_out_of_order_are_refused() {
    let (skeleton, body) = person();
    let check_line = |text: &str, line: usize, parts: &[&str]| {
        check(read_body(text.as_bytes(), &skeleton, Some(&body)), ErrorKind::Body, Some(line), parts);
    };
    check_line(
        "body = 1\n[left]\nknee = \"LeftUpperLeg\"",
        3,
        &["left.knee: \"LeftUpperLeg\" does not hang below left.hip"],
    );
    check_line("body = 1\n[left]\nknee = \"RightLowerLeg\"", 3, &["left.knee"]);
    check_line(
        "body = 1\n[left]\nankle = \"LeftToes\"",
        3,
        &["left.ball: \"LeftToes\" does not hang below left.ankle"],
    );
    check_line("body = 1\nspine = [\"Chest\", \"Spine\"]", 2, &["spine[1]"]);
    check_line("body = 1\npelvis = \"Chest\"", 2, &["does not hang below pelvis"]);
    check_line("body = 1\n[right]\ntoe = \"LeftToes_End\"", 3, &["right.toe", "does not belong to this foot"]);
    check_line("body = 1\n[left.arm]\nwrist = \"LeftUpperArm\"", 3, &["left.arm.wrist"]);
    let same_leg = "body = 1\n[right]\nhip = \"LeftUpperLeg\"\nknee = \"LeftLowerLeg\"\nankle = \"LeftFoot\"\nball = \"LeftToes\"\ntoe = \"LeftToes_End\"";
    check_line(same_leg, 3, &["are of one leg"]);
}

#[test]
fn mistakes_of_form_name_field_and_line() {
    let (skeleton, body) = person();
    let read = |text: &str| read_body(text.as_bytes(), &skeleton, Some(&body));
    check(read("body = 2"), ErrorKind::Version, Some(1), &["version 2"]);
    check(read("pelvis = \"Hips\""), ErrorKind::MissingField, Some(1), &["body = 1"]);
    check(
        read("body = 1\n[left]\nhipp = \"x\""),
        ErrorKind::UnknownField,
        Some(3),
        &["left: unknown field `hipp`", "`hip`"],
    );
    check(read("body = 1\npelvis = 3"), ErrorKind::Type, Some(2), &["pelvis: found a number, needs text"]);
    check(read("body = 1\nleft = 3"), ErrorKind::Type, Some(2), &["left: found a number"]);
    check(read("body = 1\n[left.sole]\nheel = [1, 2]"), ErrorKind::Type, Some(3), &["left.sole.heel", "3 numbers"]);
    check(read("body = 1\n[left.sole]\nheel = [1, 2, nan]"), ErrorKind::Nonfinite, Some(3), &["left.sole.heel[2]"]);
    check(read("body = 1\npelvis = \"Hips\npelvis = 1"), ErrorKind::Syntax, Some(2), &["TOML"]);
    check(read("body = 1979-05-27"), ErrorKind::Type, Some(1), &["a date"]);
    check(read(""), ErrorKind::Empty, None, &[]);
}

#[test]
fn a_foot_that_points_straight_down_gets_a_sole_all_the_same() {
    let (skeleton, _) = person();
    let mut joints = skeleton.joints().to_vec();
    for joint in &mut joints {
        if joint.name.ends_with("Toes") {
            joint.rest = Transform::from_translation(Vec3::NEG_Y * 0.1);
        }
    }
    let skeleton = Skeleton::new(joints, Vec::new()).unwrap();
    let leg = |side: &str| {
        format!("hip = \"{side}UpperLeg\"\nknee = \"{side}LowerLeg\"\nankle = \"{side}Foot\"\nball = \"{side}Toes\"\n")
    };
    let text = format!("body = 1\npelvis = \"Hips\"\n[left]\n{}[right]\n{}", leg("Left"), leg("Right"));
    let body = read_body(text.as_bytes(), &skeleton, None).unwrap();
    for (_, leg) in body.legs.iter() {
        assert!(leg.foot.heel.is_finite() && leg.foot.ball.is_finite() && leg.foot.toe_tip.is_finite());
        assert!(leg.foot.heel.distance(leg.foot.toe_tip) > 0.01);
    }
}
