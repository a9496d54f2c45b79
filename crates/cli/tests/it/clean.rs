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

/// A folder with two good motions, one of them in a folder of its own, and one that is no motion.
fn library() -> TempDir {
    let (folder, input, _walk) = skating();
    let library = folder.path().join("library");
    fs::create_dir_all(library.join("more")).expect("folders");
    fs::copy(&input, library.join("a.bvh")).expect("a copy");
    fs::copy(folder.path().join("clean.bvh"), library.join("more/b.bvh")).expect("a copy");
    fs::write(library.join("broken.bvh"), "HIERARCHY\nROOT").expect("a file");
    folder
}

fn run_on_library(folder: &TempDir, arguments: &[&str]) -> (Option<i32>, Value) {
    let output =
        surefoot().current_dir(folder.path()).arg("--json").args(arguments).output().expect("the command runs");
    let envelope: Value = serde_json::from_slice(&output.stdout).unwrap_or(Value::Null);
    (output.status.code(), envelope["result"].clone())
}

#[test]
fn a_folder_is_cleaned_with_the_worst_first_and_broken_files_do_not_stop_it() {
    let folder = library();
    let at = |name: &str| folder.path().join(name);
    let (code, report) = run_on_library(&folder, &["clean", "library", "-o", "out"]);
    assert_eq!(code, Some(1), "a motion failed: {report}");
    assert_eq!((&report["clips"], &report["done"], &report["failed"]), (&3.into(), &2.into(), &1.into()));
    let worst = &report["worst_first"][0];
    assert_eq!((&worst["clip"], &worst["state"]), (&"broken.bvh".into(), &"failed".into()));
    assert!(worst["error"]["message"].as_str().is_some_and(|message| !message.is_empty()));
    for name in ["a.bvh", "a.contacts.json", "more/b.bvh", "report.json", "report.html", "done.jsonl"] {
        assert!(at("out").join(name).is_file(), "{name}");
    }
    assert!(!at("out/broken.bvh").exists());
    let page = fs::read_to_string(at("out/report.html")).expect("the page");
    assert!(page.find("broken.bvh") < page.find("a.bvh") && page.contains("href=\"more/b.bvh\""));
    // The same as by itself.
    let alone = surefoot().current_dir(folder.path()).args(["clean", "library/a.bvh", "-o", "alone.bvh"]).output();
    assert!(alone.expect("the command runs").status.success());
    assert_eq!(fs::read(at("alone.bvh")).expect("a file"), fs::read(at("out/a.bvh")).expect("a file"));
}

#[test]
fn a_folder_goes_on_where_it_was_and_does_again_what_changed() {
    let folder = library();
    let at = |name: &str| folder.path().join(name);
    let clean = |more: &[&str]| run_on_library(&folder, &[&["clean", "library", "-o", "out"], more].concat()).1;
    assert_eq!(clean(&[])["resumed"], 0);
    assert_eq!(clean(&[])["resumed"], 2);
    // A run that was broken off: a result without its line.
    let journal = fs::read_to_string(at("out/done.jsonl")).expect("the journal");
    let first = journal.lines().next().expect("a line");
    fs::write(at("out/done.jsonl"), format!("{first}\n{{\"fingerprint\": ")).expect("a file");
    let report = clean(&[]);
    assert_eq!((&report["resumed"], &report["done"]), (&1.into(), &2.into()));
    // Another request is no continuation: what is there is kept, but for --force.
    let other = clean(&["--rigid"]);
    assert_eq!((&other["resumed"], &other["failed"]), (&0.into(), &3.into()));
    assert_eq!(other["worst_first"][0]["error"]["kind"], "exists");
    assert_eq!(clean(&["--rigid", "--force"])["done"], 2);
}

#[test]
fn folders_are_refused_where_they_make_no_sense() {
    let folder = library();
    let code = |arguments: &[&str]| run_on_library(&folder, arguments).0;
    assert_eq!(code(&["clean", "library", "-o", "out", "--picture", "a.svg"]), Some(2));
    assert_eq!(code(&["clean", "library", "-o", "library"]), Some(2));
    assert_eq!(code(&["clean", "library", "-o", "library/a.bvh"]), Some(2));
    assert_eq!(code(&["contacts", "library"]), Some(2));
    assert_eq!(code(&["measure", "library"]), Some(2));
    assert_eq!(code(&["measure", "library/a.bvh", "-o", "out"]), Some(2));
    fs::create_dir(folder.path().join("empty")).expect("a folder");
    assert_eq!(code(&["clean", "empty", "-o", "out"]), Some(2));
    assert!(!folder.path().join("out").exists(), "nothing is left of it");
}

#[test]
fn other_commands_take_folders_too() {
    let folder = library();
    let at = |name: &str| folder.path().join(name);
    fs::remove_file(at("library/broken.bvh")).expect("the file");
    let done = |arguments: &[&str]| {
        let (code, report) = run_on_library(&folder, arguments);
        assert_eq!((code, &report["done"]), (Some(0), &2.into()), "{arguments:?}: {report}");
    };
    done(&["contacts", "library", "-o", "contacts"]);
    assert!(at("contacts/more/b.contacts.json").is_file());
    done(&["convert", "library", "-o", "converted", "--to", "glb"]);
    assert!(at("converted/a.glb").is_file());
    done(&["retarget", "library", "-o", "retargeted", "--on", "clean.bvh"]);
    assert!(at("retargeted/more/b.bvh").is_file());
    done(&["measure", "retargeted", "-o", "measured", "--reference", "library"]);
    assert!(at("measured/a.measure.json").is_file());
    // A result folder within the folder of the motions is not worked on.
    done(&["clean", "library", "-o", "library/results"]);
    done(&["clean", "library", "-o", "library/results"]);
}

#[test]
fn a_gate_that_does_not_hold_is_exit_code_1_and_the_motion_is_written() {
    let folder = library();
    let at = |name: &str| folder.path().join(name);
    let gate = |limits: &str| fs::write(at("gate.toml"), format!("gate = 1\n[limits]\n{limits}\n")).expect("a file");
    gate("introduced_pops = 0\ndrift_max = 0.01");
    let arguments = ["clean", "library/a.bvh", "-o", "out.bvh", "--gate", "gate.toml", "--force"];
    let (code, report) = run_on_library(&folder, &arguments);
    assert_eq!((code, &report["gate"]["passed"]), (Some(0), &true.into()), "{report}");
    gate("pelvis_jerk_mean = 0.0001");
    let (code, report) = run_on_library(&folder, &arguments);
    assert_eq!((code, &report["gate"]["passed"]), (Some(1), &false.into()));
    assert!(at("out.bvh").is_file());
    gate("placement_max = 0.0001");
    assert_eq!(run_on_library(&folder, &arguments).0, Some(2), "a limit that can never be checked");
    fs::remove_file(at("library/broken.bvh")).expect("the file");
    gate("pelvis_jerk_mean = 0.0001");
    let (code, report) = run_on_library(&folder, &["clean", "library", "-o", "out", "--gate", "gate.toml"]);
    assert_eq!((code, &report["not_met"]), (Some(1), &2.into()));
}

#[test]
fn frozen_tails_are_cut_and_dropouts_bridged_when_asked_for() {
    let (folder, _input, mut walk) = skating();
    let n = walk.take.clip.n_frames();
    let freeze = |walk: &mut SyntheticWalk, frames: std::ops::Range<usize>| {
        let pose = walk.take.clip.pose(frames.start).to_pose();
        for frame in frames {
            walk.take.clip.pose_mut(frame).local.copy_from_slice(&pose.local);
        }
    };
    // In the middle of a swing, where it is cut off.
    let ankle = walk.take.body.legs.left.ankle;
    let places: Vec<Vec3> = walk.take.clip.world().iter().map(|pose| pose.position(ankle)).collect();
    let speed = |frame: usize| places[frame].distance(places[frame - 1]);
    let swing = (1..n).max_by(|&a, &b| speed(a).total_cmp(&speed(b))).expect("frames");
    freeze(&mut walk, swing..swing + 5);
    let save = |walk: &SyntheticWalk, name: &str| {
        let text = write_bvh(&walk.take.clip, &BvhOptions { unit_to_metre: 0.01, channels: None });
        fs::write(folder.path().join(name), text.bytes).expect("a file");
    };
    save(&walk, "dropout.bvh");
    freeze(&mut walk, swing..n);
    save(&walk, "tail.bvh");
    let clean = |name: &str, how: &str| {
        let (code, report) = run_on_library(&folder, &["clean", name, "-o", "out.bvh", "--force", "--dead", how]);
        assert_eq!(code, Some(0), "{report}");
        report
    };
    let bridged = clean("dropout.bvh", "bridge");
    assert_eq!(bridged["bridged_frames"], serde_json::json!([[swing, swing + 5]]));
    assert_eq!(bridged["written"]["cleanup"]["dead_frames"], serde_json::json!([]));
    let cut = clean("tail.bvh", "cut");
    assert_eq!((&cut["kept_frames"], &cut["written"]["frames"]), (&serde_json::json!([0, swing]), &swing.into()));
    assert_eq!(clean("tail.bvh", "keep")["written"]["frames"], n);
}

#[test]
fn a_walk_that_moves_too_little_is_restored_and_the_report_says_by_how_much() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut walk = synthetic_walk(&WalkerOptions { n_steps: 8, ..WalkerOptions::default() });
    for mut pose in walk.take.clip.poses_mut().iter_mut() {
        pose[walk.take.body.pelvis].translation *= 0.9;
    }
    let at = |name: &str| folder.path().join(name);
    let text = write_bvh(&walk.take.clip, &BvhOptions { unit_to_metre: 0.01, channels: None });
    fs::write(at("small.bvh"), text.bytes).expect("a file");
    let run = |options: &[&str]| {
        let mut command = surefoot();
        command.args(["clean", "--json"]).arg(at("small.bvh")).arg("-o").arg(at("restored.bvh"));
        command.args(options).output().expect("the command runs")
    };
    let output = run(&["--restore"]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let printed: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let restored = &printed["result"]["restored"];
    let scale = restored["scale"].as_f64().expect("a scale");
    assert!((scale - 1.0 / 0.9).abs() < 0.01, "{restored}");
    assert!(restored["joint_noise_degrees"].as_f64() < Some(0.1), "{restored}");
    let drift = metric(&printed["result"]["metrics"], "drift_max");
    assert!(drift["before"].as_f64() > Some(20.0) && drift["after"].as_f64() < Some(0.001), "{drift}");
    let both = run(&["--restore", "--online", "--force"]);
    assert_eq!(both.status.code(), Some(2));
}
