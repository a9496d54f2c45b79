//! Takes come back as they were written, to the last bit, and no damage to them goes unnoticed.

use std::sync::Arc;
use surefoot_contact::{Contacts, FootPart, Plant, WalkerOptions, synthetic_walk};
use surefoot_formats::bvh::{BvhOptions, read_bvh, write_bvh};
use surefoot_formats::own::{read_take, write_take};
use surefoot_formats::{ErrorKind, Import, ImportOptions, ReadError, import, import_again};
use surefoot_geom::{Axis, Quat, Transform, Vec3};
use surefoot_motion::{Clip, Joint, JointId, Pose, Poses, Side, Skeleton};

/// A walk as its BVH is imported, with its contacts.
fn walk() -> Import {
    let walk = synthetic_walk(&WalkerOptions { n_steps: 2, frame_rate: 30.0, ..WalkerOptions::default() });
    let text = write_bvh(&walk.take.clip, &BvhOptions::default());
    let document = read_bvh(&text.bytes).expect("our own BVH").into_document();
    let mut import = import(document, &ImportOptions::default()).expect("a motion");
    assert!(import.body.is_ok() && import.bvh_channels.is_some());
    import.contacts = Some(walk.take.contacts);
    import.clip.name = "walk, with an umlaut: ä".to_string();
    import
}

/// Two joints that are no person, over three frames; as small as a take gets and with all that it may hold.
fn small() -> Import {
    let joint = |name: &str, parent| Joint { name: name.into(), parent, rest: Transform::from_translation(Vec3::Y) };
    let skeleton =
        Skeleton::new(vec![joint("a", None), joint("b", Some(JointId::new(0)))], vec![]).expect("two joints");
    let pose = |frame: usize| {
        let turn = |share: f64| Quat::from_rotation_x(share * frame as f64);
        Pose {
            local: vec![
                Transform::new(turn(0.1), Vec3::new(0.0, -0.0, frame as f64)),
                Transform::from_translation(Vec3::Y),
            ],
        }
    };
    let clip = Clip::new("s", Arc::new(skeleton), 59.94, (0..3).map(pose).collect());
    let mut import = Import { clip, ..walk() };
    import.body = Err(surefoot_motion::find_body(&import.clip.skeleton, &[]).expect_err("nobody"));
    import.bvh_channels = import.bvh_channels.map(|channels| channels[..2].to_vec());
    let mut contacts = Contacts::none(3);
    let plant = |part, frames| Plant { part, frames, position: Vec3::new(0.1, 0.0, -2.5) };
    contacts.plants[Side::Right] = vec![plant(FootPart::Ball, 0..2), plant(FootPart::Heel, 1..3)];
    import.contacts = Some(contacts);
    import.travel = 0.0;
    import
}

/// All that a take holds.
#[track_caller]
fn check_same(a: &Import, b: &Import) {
    assert_eq!(a.clip, b.clip);
    for (a, b) in a.clip.poses().iter().zip(b.clip.poses()) {
        for (a, b) in a.local.iter().zip(b.local) {
            let bits =
                |t: &Transform| (t.rotation.to_array().map(f64::to_bits), t.translation.to_array().map(f64::to_bits));
            assert_eq!(bits(a), bits(b));
        }
    }
    assert_eq!((&a.body, &a.contacts, a.n_channels), (&b.body, &b.contacts, b.n_channels));
    assert_eq!((&a.bvh_channels, a.travel), (&b.bvh_channels, b.travel));
    assert_eq!(format!("{:?}", a.assumed), format!("{:?}", b.assumed));
}

fn refused(bytes: &[u8]) -> ReadError {
    read_take(bytes).expect_err("refused")
}

#[test]
fn a_take_comes_back_bit_for_bit() {
    for import in [walk(), small()] {
        let bytes = write_take(&import);
        let back = read_take(&bytes).expect("our own take");
        check_same(&import, &back);
        assert_eq!(write_take(&back), bytes);
    }
    let mut nothing = small();
    nothing.clip.poses_mut().clear();
    (nothing.contacts, nothing.bvh_channels) = (None, None);
    check_same(&nothing, &read_take(&write_take(&nothing)).expect("a skeleton alone"));
}

#[test]
fn what_stands_still_is_stored_once() {
    let mut import = walk();
    let moving = write_take(&import).len();
    let n = import.clip.n_frames();
    let full = n * import.clip.skeleton.n_joints() * 56;
    assert!(moving < full * 6 / 10, "{moving} of {full} bytes: lengths do not change");
    *import.clip.poses_mut() = Poses::repeat(import.clip.pose(0), n);
    import.travel = 0.0;
    assert!(write_take(&import).len() < moving / 4);
    check_same(&import, &read_take(&write_take(&import)).expect("a statue"));
}

#[test]
fn hours_of_a_statue_are_believed_only_if_they_are_there() {
    // More than the reader grants to any file: written in full, and read again.
    let mut import = small();
    let pose = import.clip.pose(1).to_pose();
    *import.clip.poses_mut() = Poses::repeat(&pose, 160_000);
    (import.contacts, import.bvh_channels) = (None, None);
    let bytes = write_take(&import);
    assert!(bytes.len() > 160_000 * 14 * 8);
    assert_eq!(read_take(&bytes).expect("a statue").clip.n_frames(), 160_000);
}

#[test]
fn every_cut_is_found() {
    let file = write_take(&small());
    for length in 0..file.len() {
        let error = refused(&file[..length]);
        let kind = if length == 0 { ErrorKind::Empty } else { ErrorKind::UnexpectedEof };
        assert_eq!(error.kind, kind, "{length}: {error}");
    }
    assert_eq!(refused(&[&file[..], b"\n"].concat()).kind, ErrorKind::Trailing);
}

#[test]
fn every_flipped_bit_is_found() {
    let mut file = write_take(&small());
    for at in 0..file.len() {
        for bit in 0..8 {
            file[at] ^= 1 << bit;
            let error = refused(&file);
            let kind = match at {
                0..8 => ErrorKind::Format,
                8..12 => ErrorKind::Version,
                12..20 if error.kind == ErrorKind::Trailing => ErrorKind::Trailing,
                12..20 => ErrorKind::UnexpectedEof,
                _ => ErrorKind::Checksum,
            };
            assert_eq!(error.kind, kind, "byte {at}, bit {bit}: {error}");
            file[at] ^= 1 << bit;
        }
    }
    assert!(read_take(&file).is_ok());
    assert!(refused(b"HIERARCHY\n").to_string().contains("this is no take; `surefoot signal` writes them"));
}

/// A file with a right checksum, made of these contents.
fn sealed(contents: &[u8]) -> Vec<u8> {
    let mut file = b"\x89TAKE\0\r\n\x01\0\0\0".to_vec();
    file.extend((contents.len() as u64).to_le_bytes());
    let mut hash = xxhash_rust::xxh3::Xxh3Default::new();
    hash.update(&file);
    hash.update(contents);
    file.extend(hash.digest().to_le_bytes());
    file.extend(contents);
    file
}

#[test]
fn sealed_nonsense_is_refused_without_a_panic_and_asks_for_no_memory() {
    let huge = [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01];
    let contents = write_take(&small())[28..].to_vec();
    assert!(read_take(&sealed(&contents)).is_ok());
    for at in 0..contents.len() {
        let mut changed = contents[..at].to_vec();
        changed.extend(huge);
        changed.extend(&contents[at..]);
        assert!(read_take(&sealed(&changed)).is_err(), "{at}");
        for value in [0, 1, 2, 0x7f, 0x80, 0xff] {
            let mut changed = contents.clone();
            changed[at] = value;
            if let Ok(import) = read_take(&sealed(&changed)) {
                check_same(&import, &read_take(&write_take(&import)).expect("what is read is written"));
            }
        }
    }
}

#[test]
fn numbers_that_make_no_motion_are_refused() {
    for (change, part) in [
        (
            (|import| import.clip.pose_mut(1).local[0].rotation.w = f64::NAN) as fn(&mut Import),
            "no rotation in frame 1",
        ),
        (|import| import.clip.pose_mut(2).local[1].rotation.x = 0.5, "joint 1 has no rotation"),
        (|import| import.clip.pose_mut(1).local[1].translation.y = f64::INFINITY, "a place"),
        (|import| import.clip.frame_rate = 0.0, "frame rate"),
        (|import| import.contacts.as_mut().unwrap().plants.right[1].frames.end = 4, "the plant [1, 4] ends after"),
        (|import| import.contacts.as_mut().unwrap().plants.right.reverse(), "order of time"),
        (|import| import.bvh_channels.as_mut().unwrap().truncate(1), "channels of 1 joints for 2"),
    ] {
        let mut import = small();
        change(&mut import);
        let error = refused(&write_take(&import));
        assert!(error.kind == ErrorKind::Take && error.message.contains(part), "{part}: {error}");
    }
}

#[test]
fn options_override_what_a_take_says_where_that_means_something() {
    let take = walk();
    let options = ImportOptions { frame_rate: Some(60.0), ..ImportOptions::default() };
    assert_eq!(import_again(take.clone(), &options).expect("a rate").clip.frame_rate, 60.0);
    let floor = surefoot_formats::FloorChoice::At(0.25);
    let lower = import_again(take.clone(), &ImportOptions { floor, ..ImportOptions::default() }).expect("a floor");
    let heights = |import: &Import| {
        let contacts = import.contacts.clone().expect("plants");
        (import.clip.pose(0).local[0].translation.y, contacts.plants.left[0].position.y)
    };
    assert!((heights(&take).0 - heights(&lower).0 - 0.25).abs() < 1e-12);
    assert!((heights(&take).1 - heights(&lower).1 - 0.25).abs() < 1e-12);
    for options in [
        ImportOptions { unit_to_metre: Some(0.01), ..ImportOptions::default() },
        ImportOptions { up: Some(Axis::Z), ..ImportOptions::default() },
    ] {
        assert_eq!(import_again(take.clone(), &options).expect_err("no use").kind, ErrorKind::Take);
    }
}
