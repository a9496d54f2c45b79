//! The importer finds out what a file does not say, on a walk whose truth is known.

use std::sync::Arc;
use surefoot::contact::{Contacts, WalkerOptions, slice_take, synthetic_walk};
use surefoot::formats::bvh::{BvhOptions, read_bvh, write_bvh};
use surefoot::formats::gltf::{GltfOptions, GltfWriteOptions, read_gltf, write_gltf};
use surefoot::formats::{DeclaredRate, FloorChoice, Import, ImportOptions, UNITS, import};
use surefoot::geom::{Axis, Quat, Transform, Vec3, rotation};
use surefoot::motion::{Clip, Placement, Poses, Side, change_basis, place};
use surefoot_recordings::largest_move;

fn walk() -> Clip {
    synthetic_walk(&WalkerOptions::default()).take.clip
}

/// Writes a clip as BVH and imports it.
fn through_bvh(clip: &Clip, unit_to_metre: f64, options: &ImportOptions) -> Import {
    let text = write_bvh(clip, &BvhOptions { unit_to_metre, channels: None });
    import(read_bvh(&text.bytes).expect("what we write").into_document(), options).expect("an import")
}

fn codes(import: &Import) -> Vec<&'static str> {
    import.diagnostics.iter().map(|reported| reported.code).collect()
}

#[test]
fn every_unit_is_found_by_the_legs() {
    for unit in UNITS {
        let import = through_bvh(&walk(), unit.to_metre, &ImportOptions::default());
        assert_eq!(import.assumed.unit, unit);
        let expected: &[&str] = if unit.name == "cm" { &[] } else { &["units"] };
        assert_eq!(codes(&import), expected, "{}", unit.name);
        assert!(largest_move(&import.clip, &walk()) < 1e-6);
    }
}

#[test]
fn every_up_axis_is_found_and_turned() {
    for up in Axis::ALL {
        let mut clip = walk();
        let basis = rotation::between_directions(Vec3::Y, up.to_vec3());
        let skeleton = clip.skeleton.clone();
        clip.skeleton = Arc::new(change_basis(&skeleton, clip.poses_mut(), basis));
        let import = through_bvh(&clip, 0.01, &ImportOptions::default());
        assert_eq!((import.assumed.up.motion, import.assumed.up.rest), (up, up));
        assert!(largest_move(&import.clip, &walk()) < 1e-6, "{up}");
    }
}

#[test]
fn a_rest_pose_with_another_up_than_the_motion_is_seen() {
    let mut clip = walk();
    for pose in clip.poses_mut() {
        pose.local[0] = Transform::from_rotation(rotation::between_directions(Vec3::Y, Vec3::Z)) * pose.local[0];
    }
    let import = through_bvh(&clip, 0.01, &ImportOptions::default());
    assert_eq!((import.assumed.up.motion, import.assumed.up.rest), (Axis::Z, Axis::Y));
    assert!(largest_move(&import.clip, &walk()) < 1e-6);
}

#[test]
fn a_t_pose_and_zeros_in_front_are_dropped_and_a_still_start_is_not() {
    let plain = through_bvh(&walk(), 0.01, &ImportOptions::default());
    assert_eq!(plain.assumed.dropped_frames, 0);

    let mut clip = walk();
    // Cut into the walk, where leaving the rest pose is a jump.
    clip.poses_mut().drop_first(150);
    let expected = clip.clone();
    let mut rest = clip.skeleton.rest_pose();
    clip.poses_mut().insert(0, &Poses::repeat(&rest, 1));
    let import = through_bvh(&clip, 0.01, &ImportOptions::default());
    assert_eq!((import.assumed.dropped_frames, codes(&import)), (1, vec!["outlier_frame"]));
    assert!(largest_move(&import.clip, &expected) < 1e-6);

    rest.local[0].translation = Vec3::ZERO;
    clip.poses_mut().insert(1, &Poses::repeat(&rest, 20));
    let import = through_bvh(&clip, 0.01, &ImportOptions::default());
    assert_eq!(import.assumed.dropped_frames, 21);
    assert!(largest_move(&import.clip, &expected) < 1e-6);

    let keep = surefoot::formats::FirstFrames::Keep;
    let import = through_bvh(&clip, 0.01, &ImportOptions { first_frames: keep, ..ImportOptions::default() });
    assert_eq!((import.assumed.dropped_frames, import.clip.n_frames()), (0, clip.n_frames()));
}

#[test]
fn the_floor_is_found_and_moved_when_asked() {
    let mut clip = walk();
    for pose in clip.poses_mut() {
        pose.local[0].translation.y += 0.5;
    }
    let import = through_bvh(&clip, 0.01, &ImportOptions::default());
    assert_eq!(codes(&import), ["floor"]);
    assert!((import.assumed.floor.expect("a floor") - 0.5).abs() < 0.01);
    let moved = through_bvh(&clip, 0.01, &ImportOptions { floor: FloorChoice::ToZero, ..ImportOptions::default() });
    assert!(largest_move(&moved.clip, &walk()) < 0.01);
    assert!(codes(&moved).is_empty(), "a floor that was moved needs no note");
    let at = through_bvh(&clip, 0.01, &ImportOptions { floor: FloorChoice::At(0.5), ..ImportOptions::default() });
    assert!(largest_move(&at.clip, &walk()) < 1e-6);
}

#[test]
fn a_walk_at_twice_its_rate_is_doubted() {
    let options = WalkerOptions { step_length: 0.45, cadence: 1.5, ..WalkerOptions::default() };
    let mut clip = synthetic_walk(&options).take.clip;
    clip.frame_rate *= 2.0;
    assert_eq!(codes(&through_bvh(&clip, 0.01, &ImportOptions::default())), ["cadence_implausible"]);
    let given = ImportOptions { frame_rate: Some(60.0), ..ImportOptions::default() };
    assert!(codes(&through_bvh(&clip, 0.01, &given)).is_empty());
    let correct = ImportOptions { declared_rate: DeclaredRate::Correct, ..ImportOptions::default() };
    let corrected = through_bvh(&clip, 0.01, &correct);
    assert_eq!((codes(&corrected), corrected.clip.frame_rate), (vec!["frame_rate_corrected"], 60.0));
    // A walk at its own rate stays as it is.
    clip.frame_rate *= 0.5;
    let kept = through_bvh(&clip, 0.01, &correct);
    assert_eq!((codes(&kept), kept.clip.frame_rate), (vec![], 60.0));
}

#[test]
fn sides_are_found_by_the_feet_and_not_by_names() {
    let clip = walk();
    let swapped: Vec<_> = clip
        .skeleton
        .joints()
        .iter()
        .cloned()
        .map(|mut joint| {
            joint.name = match joint.name.strip_prefix("Left") {
                Some(rest) => format!("Right{rest}"),
                None => joint.name.replacen("Right", "Left", 1),
            };
            joint
        })
        .collect();
    let skeleton = surefoot::motion::Skeleton::new(swapped, clip.skeleton.end_sites().to_vec()).expect("a skeleton");
    let import = through_bvh(&clip.with_skeleton(Arc::new(skeleton)), 0.01, &ImportOptions::default());
    assert_eq!(codes(&import), ["left_right_swapped"]);
    let body = import.body.expect("a body");
    assert!(import.clip.skeleton.name(body.legs[Side::Left].hip).starts_with("Right"));
}

#[test]
fn feet_that_are_drawn_backwards_are_outvoted_by_names_knees_and_travel_together() {
    let clip = walk();
    let legs = clip.skeleton.joints().iter().map(|joint| joint.name.clone()).collect::<Vec<_>>();
    let is_toe = |name: &str| name.ends_with("Toes");
    assert_eq!(legs.iter().filter(|name| is_toe(name)).count(), 2);
    let backward = |place: Vec3| Vec3::new(place.x, place.y, -place.z);
    let joints = clip.skeleton.joints().iter().cloned().map(|mut joint| {
        if is_toe(&joint.name) {
            joint.rest.translation = backward(joint.rest.translation);
        }
        joint
    });
    let toes: Vec<_> = clip.skeleton.ids().filter(|&joint| is_toe(clip.skeleton.name(joint))).collect();
    let mut sites = clip.skeleton.end_sites().to_vec();
    for site in sites.iter_mut().filter(|site| toes.contains(&site.parent)) {
        site.offset = backward(site.offset);
    }
    let skeleton = surefoot::motion::Skeleton::new(joints.collect(), sites).expect("a skeleton");
    let mut drawn = clip.with_skeleton(Arc::new(skeleton));
    for frame in 0..drawn.n_frames() {
        for &toe in &toes {
            let rest = drawn.skeleton.joint(toe).rest.translation;
            drawn.pose_mut(frame)[toe].translation = rest;
        }
    }
    let sides = |clip: &Clip| {
        let import = through_bvh(clip, 0.01, &ImportOptions::default());
        let body = import.body.clone().expect("a body");
        let is_swapped = codes(&import).contains(&"left_right_swapped");
        (import.clip.skeleton.name(body.legs[Side::Left].hip).to_string(), is_swapped)
    };
    let (left, is_swapped) = sides(&drawn);
    assert!(left.starts_with("Left") && !is_swapped, "{left}");
    // Without travel nobody can say which is right, and the feet decide.
    let mut still = drawn.clone();
    let root = still.skeleton.roots().next().expect("a root");
    for frame in 0..still.n_frames() {
        let mut pose = still.pose_mut(frame);
        let height = pose[root].translation.y;
        pose[root].translation = Vec3::new(0.0, height, 0.0);
    }
    let (left, is_swapped) = sides(&still);
    assert!(left.starts_with("Right") && is_swapped, "{left}");
}

#[test]
fn a_clip_that_is_moved_and_turned_is_imported_alike() {
    let turned = place(&walk(), Placement { yaw: 2.0, translation: Vec3::new(3.0, 0.0, -4.0) });
    let import = through_bvh(&turned, 0.01, &ImportOptions::default());
    assert!(codes(&import).is_empty(), "{:?}", import.diagnostics);
    assert!((import.assumed.heading.expect("a heading") - 2.0).abs() < 0.05);
    assert!(largest_move(&import.clip, &turned) < 1e-6);
}

#[test]
fn frames_are_numbered_as_in_the_clip() {
    let mut clip = walk();
    clip.poses_mut().drop_first(150);
    let knee = clip.skeleton.find("LeftLowerLeg").expect("a knee");
    clip.pose_mut(80)[knee].rotation *= Quat::from_rotation_x(1.2);
    let rest = clip.skeleton.rest_pose();
    clip.poses_mut().insert(0, &Poses::repeat(&rest, 1));
    let import = through_bvh(&clip, 0.01, &ImportOptions::default());
    let reported: Vec<(&str, &str)> = import.diagnostics.iter().map(|d| (d.code, d.detail.as_str())).collect();
    assert_eq!(reported, [("outlier_frame", "0"), ("spike", "80:LeftLowerLeg")]);
}

#[test]
fn contacts_move_with_first_frames_that_are_dropped() {
    let walk = synthetic_walk(&WalkerOptions::default()).take;
    let part = slice_take(&walk, 150..300).expect("a part");
    let mut longer = part.clone();
    longer.clip.poses_mut().insert(0, &Poses::repeat(&part.clip.skeleton.rest_pose(), 1));
    longer.contacts.n_frames += 1;
    for side in Side::BOTH {
        for plant in &mut longer.contacts.plants[side] {
            plant.frames = plant.frames.start + 1..plant.frames.end + 1;
        }
    }
    let glb = write_gltf(&longer.clip, None, Some(&longer.contacts), &GltfWriteOptions::default()).expect("a GLB");
    let none = &mut |_: &str| unreachable!("a GLB has no other files");
    let file = read_gltf(&glb, none, &GltfOptions::default()).expect("what we write");
    let import = import(file.document, &ImportOptions::default()).expect("an import");
    assert_eq!(import.assumed.dropped_frames, 1);
    let contacts = import.contacts.expect("contacts");
    let ranges = |contacts: &Contacts| -> Vec<_> {
        Side::BOTH
            .iter()
            .flat_map(|&s| contacts.plants[s].iter().map(|plant| plant.frames.clone()).collect::<Vec<_>>())
            .collect()
    };
    assert_eq!((contacts.n_frames, ranges(&contacts)), (150, ranges(&part.contacts)));
}
