//! `surefoot clean` as a user meets it.

use assert_cmd::Command;
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use surefoot::contact::{SyntheticWalk, WalkerOptions, synthetic_walk};
use surefoot::formats::bvh::{BvhOptions, write_bvh};
use surefoot::formats::own::write_contacts;
use surefoot::geom::Vec3;
use surefoot::{LoadOptions, load};
use surefoot_recordings::largest_move;
use tempfile::TempDir;

fn surefoot() -> Command {
    Command::cargo_bin("surefoot").expect("the binary")
}

/// A walk whose root slides by centimetres, as a BVH in a folder of its own, with its true contacts beside it.
fn skating() -> (TempDir, PathBuf, SyntheticWalk) {
    let folder = tempfile::tempdir().expect("a folder");
    let mut walk = synthetic_walk(&WalkerOptions { n_steps: 4, ..WalkerOptions::default() });
    let path = folder.path().join("walk.bvh");
    let save = |walk: &SyntheticWalk, path: &Path| {
        let text = write_bvh(&walk.take.clip, &BvhOptions { unit_to_metre: 0.01, channels: None });
        fs::write(path, text.bytes).expect("a file");
    };
    save(&walk, &folder.path().join("clean.bvh"));
    for (frame, mut pose) in walk.take.clip.poses_mut().iter_mut().enumerate() {
        pose[walk.take.body.pelvis].translation += Vec3::new(0.0, 0.0, 0.02) * (frame as f64 * 0.1).sin();
    }
    save(&walk, &path);
    fs::write(folder.path().join("walk.contacts.json"), write_contacts(&walk.take.contacts)).expect("a file");
    (folder, path, walk)
}

fn metric<'a>(metrics: &'a Value, name: &str) -> &'a Value {
    let metrics = metrics.as_array().expect("metrics");
    metrics.iter().find(|metric| metric["name"] == name).unwrap_or_else(|| panic!("no {name}"))
}

#[test]
fn planted_feet_do_not_move_in_any_output_and_the_report_has_before_and_after() {
    let (folder, input, _walk) = skating();
    let at = |name: &str| folder.path().join(name);
    let output = surefoot()
        .args(["clean", "--json"])
        .arg(&input)
        .arg("-o")
        .arg(at("out.glb"))
        .arg("--contacts")
        .arg(at("walk.contacts.json"))
        .arg("--report")
        .arg(at("report.json"))
        .arg("--plot")
        .arg(at("plot.svg"))
        .arg("--write-contacts")
        .arg(at("out.contacts.json"))
        .output()
        .expect("the command runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let printed: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let report: Value = serde_json::from_slice(&fs::read(at("report.json")).expect("a report")).expect("JSON");
    for metrics in [&printed["result"]["metrics"], &report["result"]["metrics"]] {
        let drift = metric(metrics, "drift_max");
        assert!(drift["before"].as_f64() > Some(5.0) && drift["after"].as_f64() < Some(0.001), "{drift}");
        assert!(metric(metrics, "stretch_max")["after"].as_f64() < Some(2.6));
    }
    assert!(fs::read_to_string(at("plot.svg")).expect("a plot").starts_with("<svg"));
    let import = load(&at("out.glb"), &LoadOptions::default()).expect("a motion");
    assert!(import.contacts.is_some(), "a GLB carries its contacts");
}

#[test]
fn a_stream_writes_the_same_bytes() {
    let (folder, input, _walk) = skating();
    let clean = |name: &str, extra: &[&str]| {
        let path = folder.path().join(name);
        surefoot().arg("clean").arg(&input).arg("-o").arg(&path).args(extra).assert().success();
        fs::read(path).expect("an output")
    };
    assert_eq!(clean("a.bvh", &[]), clean("b.bvh", &["--online"]));
    assert_eq!(clean("c.bvh", &["--rigid"]), clean("d.bvh", &["--rigid", "--online"]));
}

#[test]
fn a_clean_walk_stays_as_it_is() {
    let (folder, _input, _walk) = skating();
    let at = |name: &str| folder.path().join(name);
    surefoot()
        .arg("clean")
        .arg(at("clean.bvh"))
        .arg("--contacts")
        .arg(at("walk.contacts.json"))
        .arg("-o")
        .arg(at("out.bvh"))
        .assert()
        .success();
    let clip = |name: &str| load(&at(name), &LoadOptions::default()).expect("a motion").clip;
    let moved = largest_move(&clip("clean.bvh"), &clip("out.bvh"));
    assert!(moved < 1e-5, "{moved} m");
}

#[test]
fn wrong_usage_is_reported_and_writes_nothing() {
    let (folder, input, _walk) = skating();
    let at = |name: &str| folder.path().join(name).display().to_string();
    fs::write(at("bad.contacts.json"), r#"{ "contacts": 1, "frames": 3, "left": {}, "right": {} }"#).expect("a file");
    let cases: [(&[&str], &str); 7] = [
        (&["-o", &at("x.bvh"), "--plot", &at("x.png")], ".svg"),
        (&["-o", &at("x.bvh"), "--report", &at("x.bvh")], "two outputs"),
        (&["-o", &at("x.bvh"), "--contacts", &at("bad.contacts.json")], "bad.contacts.json"),
        (&["-o", &at("x.bvh"), "--terrain", &at("none.terrain.json")], "none.terrain.json"),
        (&["-o", &at("x.mov")], ".bvh, .glb, .gltf, .fbx or .take"),
        (&["-o", &at("x.bvh"), "--blend-off", "99"], "0 to 10 seconds"),
        (&["-o", &at("x.bvh"), "--knee-damping-from", "200"], "0 to 180 degrees"),
    ];
    for (args, wanted) in cases {
        let output = surefoot().arg("clean").arg(&input).args(args).output().expect("the command runs");
        let printed = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{printed}");
        assert!(printed.contains(wanted), "{args:?}: {printed}");
        assert!(!Path::new(&at("x.bvh")).exists(), "{args:?}");
    }
}

#[test]
fn the_ground_may_come_from_standard_input() {
    let (folder, input, _walk) = skating();
    let output = folder.path().join("out.bvh");
    let mut clean = surefoot();
    clean.arg("clean").arg(&input).args(["--terrain", "-", "-o"]).arg(&output);
    clean.write_stdin("{ \"terrain\": 1, \"flat\": { \"height\": 0 } }").assert().success();
    assert!(output.exists());
}

#[test]
fn a_floor_is_no_higher_than_terrains_are() {
    let (folder, input, _walk) = skating();
    let output = folder.path().join("out.bvh");
    for floor in ["1e5", "-10001", "NaN"] {
        let mut clean = surefoot();
        let run = clean.arg("clean").arg(&input).args(["--floor", floor, "-o"]).arg(&output).output().expect("it runs");
        let printed = String::from_utf8_lossy(&run.stderr);
        assert_eq!(run.status.code(), Some(2), "{floor}: {printed}");
        assert!(printed.contains("a height from -10000 to 10000 m"), "{floor}: {printed}");
    }
}
