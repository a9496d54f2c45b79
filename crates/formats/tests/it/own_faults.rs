//! Whatever happens to a small file of our own, reading it ends in a result or an error that names a line.

use surefoot_formats::ReadError;
use surefoot_formats::own::{read_body, read_contacts, read_path, read_plan, read_scene, read_styles, read_terrain};
use surefoot_geom::{Transform, Vec3};
use surefoot_motion::{Joint, JointId, Skeleton};

const PLAN: &str = r#"{ "footplan": 1, "footprints": [
  { "foot": "left",  "position": [ 0.10, 0.0, 0.00], "heading": 0 },
  { "foot": "right", "position": [-0.10, 0, 0] },
  { "foot": "left",  "position": [ 0.1, 0.0, 6e-1], "swing": 0.42, "support": 0.18 } ] }"#;
const CONTACTS: &str = r#"{ "contacts": 1, "frames": 40, "left": { "heel": [[1, 9]], "ball": [[2, 9]] }, "right": { "heel": [], "ball": [] } }"#;
const PATH: &str = r#"{ "path": 1, "points": [[0, 0], [0, 4], [3, 7.5]] }"#;
const SCENE: &str = r#"{ "scene": 1, "bounds": [[-5,-5],[5,-5],[5,5],[-5,5]],
  "obstacles": [ { "outline": [[1,1],[2,1],[2,2]], "height": 1.0 } ],
  "terrain": { "plane": { "slope": 3 } },
  "start": { "position": [-4,-4], "heading": 0 }, "goal": { "position": [4,4] } }"#;
const TERRAINS: [&str; 6] = [
    r#"{ "terrain": 1, "flat": { "height": 0.5 } }"#,
    r#"{ "terrain": 1, "plane": { "point": [0, 1, 0], "slope": 10, "heading": 90 } }"#,
    r#"{ "terrain": 1, "plane": { "normal": [0, 1, 0.1] } }"#,
    r#"{ "terrain": 1, "stairs": { "start": [0, 1], "tread": 0.28, "rise": -0.17, "steps": 5, "after": 0.85, "width": 1 } }"#,
    r#"{ "terrain": 1, "height_field": { "origin": [-1, -1], "spacing": 0.5, "heights": [[0, 0, 0], [0, 0.1, 0]] } }"#,
    r#"{ "terrain": 1, "patches": { "base": 0, "discs": [ { "centre": [0, 0.4], "radius": 0.2, "height": 0.1 } ] } }"#,
];
const BODY: &str = "body = 1\npelvis = \"j0\"\nspine = []\n[left]\nhip = \"j1\"\nknee = \"j2\"\nankle = \"j3\"\n\
                    [right]\nhip = \"j4\"\nknee = \"j5\"\nankle = \"j6\"\n";

const STYLES: &str = "styles = 1\n[walk.a]\nwhat = \"x\"\nheight = 1.7\nspeed = 4\nstep-length = 0.75\nlock = \"speed\"\n\
                      set = { arm-out = 20 }\n[run.b]\nflight-height = 0.02\nlevel = -0.5\n[run.b.set]\nstrike = \"toe\"\n";

/// A pelvis with two legs of three joints.
fn skeleton() -> Skeleton {
    let joint = |i: usize| Joint {
        name: format!("j{i}"),
        parent: [None, Some(0), Some(1), Some(2), Some(0), Some(4), Some(5)][i].map(JointId::new),
        rest: Transform::from_translation(if i == 1 { Vec3::X } else { Vec3::NEG_Y }),
    };
    Skeleton::new((0..7).map(joint).collect(), vec![]).expect("parents first")
}

/// Reads a seed, every truncation of it, and every change of one byte to any other.
fn check<T>(seed: &str, read: impl Fn(&[u8]) -> Result<T, ReadError>) {
    let seed = seed.as_bytes();
    assert!(read(seed).is_ok(), "{:?}", read(seed).err());
    let names_a_line = |bytes: &[u8]| {
        if let Err(error) = read(bytes) {
            assert!(
                error.line.is_some() || bytes.trim_ascii().is_empty(),
                "{error}: {}",
                String::from_utf8_lossy(bytes)
            );
        }
    };
    for length in 0..seed.len() {
        names_a_line(&seed[..length]);
    }
    for at in 0..seed.len() {
        for value in 0..=u8::MAX {
            let mut changed = seed.to_vec();
            changed[at] = value;
            names_a_line(&changed);
        }
    }
}

#[test]
fn plans() {
    check(PLAN, read_plan);
}

#[test]
fn contacts() {
    check(CONTACTS, read_contacts);
}

#[test]
fn paths() {
    check(PATH, read_path);
}

#[test]
fn scenes() {
    check(SCENE, read_scene);
}

#[test]
fn terrains() {
    for terrain in TERRAINS {
        check(terrain, read_terrain);
    }
}

#[test]
fn body_files() {
    let skeleton = skeleton();
    // What is missing from a body file has no line; all else has.
    let read = |bytes: &[u8]| {
        read_body(bytes, &skeleton, None, &[]).map_err(|mut error| {
            if error.message.contains("still missing") {
                error.line.get_or_insert(1);
            }
            error
        })
    };
    check(BODY, read);
}

#[test]
fn styles() {
    check(STYLES, read_styles);
}
