//! Step databases come back as they were written, and no damage to their files goes unnoticed.

use std::sync::Arc;
use surefoot_contact::{WalkerOptions, synthetic_walk};
use surefoot_formats::own::{read_steps, write_steps};
use surefoot_formats::{ErrorKind, ReadError};
use surefoot_geom::{Quat, Transform, Vec3};
use surefoot_motion::{BodyMap, FootShape, Joint, JointId, Leg, PerSide, Side, Skeleton};
use surefoot_plan::StepParameters;
use surefoot_steps::{
    BuildOptions, CanonicalStep, DatabaseParts, N_ROWS, RowLayout, StepCollector, StepDatabase, StepSource, StepTimes,
};

/// A pelvis with two legs of three joints.
fn small_skeleton() -> (Skeleton, BodyMap) {
    let joint = |i: usize| Joint {
        name: format!("j{i}"),
        parent: [None, Some(0), Some(1), Some(2), Some(0), Some(4), Some(5)][i].map(JointId::new),
        rest: Transform::from_translation(if i == 1 { Vec3::X } else { Vec3::NEG_Y }),
    };
    let skeleton = Skeleton::new((0..7).map(joint).collect(), vec![]).expect("parents first");
    let foot = FootShape {
        heel: Vec3::NEG_Y,
        ball: Vec3::new(0.0, -1.0, 0.1),
        toe_tip: Vec3::new(0.0, -1.0, 0.2),
        up: Vec3::Y,
    };
    let [left, right] = [1, 4].map(|hip| {
        let [hip, knee, ankle] = [hip, hip + 1, hip + 2].map(JointId::new);
        Leg { hip, knee, ankle, ball: None, toe: None, foot }
    });
    let body = BodyMap {
        pelvis: JointId::new(0),
        spine: vec![],
        head: None,
        legs: PerSide::new(left, right),
        arms: PerSide::new(None, None),
    };
    (skeleton, body)
}

/// A step for each foot of a body that is legs alone: as small as a database can be.
fn small_parts() -> DatabaseParts {
    let (skeleton, body) = small_skeleton();
    let width = RowLayout { n_others: 0 }.width();
    // Anything, but for rotations of pelvis and feet, which are none, parts of feet, which are planted, and straight legs.
    let number = |k: usize, column: usize| match column {
        3..6 | 9..=12 | 19..=22 => 0.0,
        13..16 | 23..26 => 1.0,
        _ => (k as f32 * 0.37).sin(),
    };
    let step = |swing: Side| CanonicalStep {
        source: StepSource { take: "a walk".into(), frames: 3..47, mirrored: swing == Side::Right },
        parameters: StepParameters { swing, start_width: 0.21, end_width: -0.33, end_length: 0.6 },
        headings: [0.1, -0.2, 0.3],
        heights: [-0.17, 0.21],
        times: StepTimes { first: 0.1, swing: 0.4, last: 0.2 },
        rows: (0..N_ROWS * width).map(|k| number(k, k % width)).collect(),
    };
    DatabaseParts {
        means: vec![Quat::IDENTITY; skeleton.n_joints()],
        skeleton: Arc::new(skeleton),
        body,
        knee_axes: PerSide::new(Vec3::X, Vec3::NEG_X),
        steps: Side::BOTH.map(step).to_vec(),
    }
}

fn small_file() -> Vec<u8> {
    write_steps(&StepDatabase::new(small_parts()).expect("a database"))
}

fn refused(bytes: &[u8]) -> ReadError {
    read_steps(bytes).expect_err("refused")
}

/// All that a database is made from.
fn check_same(a: &StepDatabase, b: &StepDatabase) {
    let (a, b) = (a.parts(), b.parts());
    assert_eq!((&*a.skeleton, &a.body), (&*b.skeleton, &b.body));
    assert_eq!((a.knee_axes, &a.means), (b.knee_axes, &b.means));
    assert_eq!(a.steps, b.steps);
}

#[test]
fn a_database_comes_back_bit_for_bit() {
    let walk = synthetic_walk(&WalkerOptions { n_steps: 8, ..WalkerOptions::default() });
    let skeleton = walk.take.clip.skeleton.clone();
    let mut collector = StepCollector::new(skeleton, walk.take.body.clone(), &walk.take, BuildOptions::default());
    let _ = collector.add("walk, with an umlaut: ä", &walk.take);
    let database = collector.finish().expect("steps of both feet");
    let bytes = write_steps(&database);
    let back = read_steps(&bytes).expect("our own file");
    check_same(&database, &back);
    assert_eq!(write_steps(&back), bytes);
    assert!(back.steps().iter().any(|step| step.source.mirrored));
}

#[test]
fn every_cut_is_found() {
    let file = small_file();
    check_same(&read_steps(&file).expect("whole"), &StepDatabase::new(small_parts()).expect("a database"));
    for length in 0..file.len() {
        let error = refused(&file[..length]);
        let kind = if length == 0 { ErrorKind::Empty } else { ErrorKind::UnexpectedEof };
        assert_eq!(error.kind, kind, "{length}: {error}");
    }
    assert_eq!(refused(&[&file[..], b"\n"].concat()).kind, ErrorKind::Trailing);
}

#[test]
fn every_flipped_bit_is_found() {
    let mut file = small_file();
    for at in 0..file.len() {
        for bit in 0..8 {
            file[at] ^= 1 << bit;
            let error = refused(&file);
            let kind = match at {
                0..8 => ErrorKind::Format,
                // Version 3 becomes 2 or 1, which are read too.
                8 if bit < 2 => ErrorKind::Checksum,
                8..12 => ErrorKind::Version,
                12..20 if error.kind == ErrorKind::Trailing => ErrorKind::Trailing,
                12..20 => ErrorKind::UnexpectedEof,
                _ => ErrorKind::Checksum,
            };
            assert_eq!(error.kind, kind, "byte {at}, bit {bit}: {error}");
            file[at] ^= 1 << bit;
        }
    }
    assert!(read_steps(&file).is_ok());
}

#[test]
fn other_versions_and_foreign_files_are_named() {
    let mut file = small_file();
    file[8] = 7;
    let error = refused(&file).to_string();
    assert!(error.contains("version 7") && error.contains("version 3"), "{error}");
    let error = refused(b"HIERARCHY\nROOT Hips\n");
    assert!(error.kind == ErrorKind::Format && error.to_string().contains("no step database"), "{error}");
    // A transfer as text.
    let as_text: Vec<u8> = small_file().into_iter().filter(|&byte| byte != b'\r').collect();
    assert_eq!(refused(&as_text).kind, ErrorKind::Format);
}

/// A file with a right checksum, made of these contents.
fn sealed(contents: &[u8]) -> Vec<u8> {
    sealed_as(3, contents)
}

fn sealed_as(version: u8, contents: &[u8]) -> Vec<u8> {
    let mut file = small_file()[..12].to_vec();
    file[8] = version;
    file.extend((contents.len() as u64).to_le_bytes());
    let checksum = {
        let mut hash = xxhash_rust::xxh3::Xxh3Default::new();
        hash.update(&file);
        hash.update(contents);
        hash.digest()
    };
    file.extend(checksum.to_le_bytes());
    file.extend(contents);
    file
}

/// Version 2 had the same steps without the two heights at the end of each.
#[test]
fn files_of_version_2_are_read_as_level_steps() {
    let parts = small_parts();
    let more = DatabaseParts { steps: [&parts.steps[..], &parts.steps[1..]].concat(), ..parts.clone() };
    let contents = small_file()[28..].to_vec();
    let step = write_steps(&StepDatabase::new(more).expect("a database")).len() - 28 - contents.len();
    let (heights, n) = (2 * size_of::<f64>(), contents.len());
    let former = [&contents[..n - step - heights], &contents[n - step..n - heights]].concat();
    let read = read_steps(&sealed_as(2, &former)).expect("a file of version 2");
    assert!(read.steps().iter().all(|step| step.heights == [0.0; 2]));
    let level = parts.steps.iter().map(|step| CanonicalStep { heights: [0.0; 2], ..step.clone() }).collect();
    check_same(&read, &StepDatabase::new(DatabaseParts { steps: level, ..parts }).expect("a database"));
    // Heights belong to version 3 alone.
    assert!(read_steps(&sealed_as(2, &contents)).is_err() && read_steps(&sealed_as(3, &former)).is_err());
}

#[test]
fn lengths_that_lie_ask_for_no_memory() {
    // The largest length of each list, in front of nothing.
    let huge = [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01];
    assert_eq!(refused(&sealed(&huge)).kind, ErrorKind::Steps);
    let contents = small_file()[28..].to_vec();
    for at in 0..contents.len().min(600) {
        let mut changed = contents[..at].to_vec();
        changed.extend(huge);
        changed.extend(&contents[at..]);
        assert!(read_steps(&sealed(&changed)).is_err(), "{at}");
    }
}

#[test]
fn sealed_nonsense_is_refused_without_a_panic() {
    let contents = small_file()[28..].to_vec();
    assert!(read_steps(&sealed(&contents)).is_ok());
    // What describes the body; the rows of steps may hold any finite number.
    for at in 0..900 {
        for value in [0, 1, 2, 0x7f, 0x80, 0xff] {
            let mut changed = contents.clone();
            changed[at] = value;
            if let Ok(database) = read_steps(&sealed(&changed)) {
                assert_eq!(write_steps(&database).len(), sealed(&changed).len(), "{at}: {value}");
            }
        }
    }
    for change in [
        (|parts| std::sync::Arc::make_mut(&mut parts.steps[1].rows)[5] = f32::NAN) as fn(&mut DatabaseParts),
        |parts| parts.steps[0].times.swing = -1.0,
        |parts| parts.steps[0].heights[1] = f64::NAN,
    ] {
        let mut parts = small_parts();
        change(&mut parts);
        assert!(StepDatabase::new(parts).is_err());
    }
}
