//! `surefoot retarget` and `surefoot warp-path` as a user meets them.

use assert_cmd::Command;
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

fn surefoot() -> Command {
    Command::cargo_bin("surefoot").expect("the binary")
}

/// A folder with a walk, its contacts and a path with a corner.
fn folder() -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    surefoot().args(["demo", "--only", "cleanup"]).arg(folder.path()).assert().success();
    fs::write(folder.path().join("l.path.json"), "{ \"path\": 1, \"points\": [[1, 1], [1, 3], [4, 3]] }")
        .expect("a file");
    folder
}

/// The first file of a folder whose name ends so.
fn file(folder: &TempDir, ending: &str) -> PathBuf {
    let entries = fs::read_dir(folder.path()).expect("the folder").map(|entry| entry.expect("an entry").path());
    let mut found: Vec<PathBuf> = entries.filter(|path| path.to_string_lossy().ends_with(ending)).collect();
    found.sort();
    found.first().unwrap_or_else(|| panic!("no {ending}")).clone()
}

fn json_of(command: &mut Command) -> (Value, i32) {
    let output = command.output().expect("the command runs");
    let value = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(&output.stderr)));
    (value, output.status.code().expect("an exit code"))
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("no number: {value}"))
}

/// Numbers of the motion of a BVH, without its hierarchy.
fn motion(path: &Path) -> Vec<f64> {
    let text = fs::read_to_string(path).expect("text");
    let motion = text.split("Frame Time:").nth(1).expect("a motion");
    motion.split_whitespace().skip(1).map(|word| word.parse().expect("a number")).collect()
}

#[test]
fn a_walk_played_by_its_own_skeleton_is_the_walk() {
    let folder = folder();
    let (walk, out) = (file(&folder, "walk.bvh"), folder.path().join("same.bvh"));
    let (value, code) = json_of(
        surefoot().args(["retarget", "--no-clean", "--json"]).arg(&walk).arg("--on").arg(&walk).arg("-o").arg(&out),
    );
    let result = &value["result"];
    assert_eq!((code, &result["transfer"]), (0, &Value::from("copied")), "{value}");
    assert!((number(&result["scale"]) - 1.0).abs() < 1e-9 && result["written"]["cleanup"].is_null());
    let (old, new) = (motion(&walk), motion(&out));
    assert_eq!(old.len(), new.len());
    let changed = old.iter().zip(&new).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    assert!(changed < 1e-6, "{changed}");
}

#[test]
fn a_retargeted_walk_keeps_its_plants() {
    let folder = folder();
    for (to, out) in [("walk.glb", "out.bvh"), ("walk.bvh", "out.glb")] {
        let (out, contacts) = (folder.path().join(out), folder.path().join(format!("{out}.contacts.json")));
        let mut command = surefoot();
        command.args(["retarget", "--json", "--scale", "0.9"]).arg(file(&folder, "walk.bvh")).arg("--on");
        command.arg(file(&folder, to)).arg("-o").arg(&out).arg("--write-contacts").arg(&contacts);
        let (value, code) = json_of(&mut command);
        assert_eq!(code, 0, "{value}");
        let result = &value["result"];
        assert_eq!(result["contacts"]["from"], "detected");
        let written = &result["written"];
        assert!(number(&written["cleanup"]["largest_plant_error_mm"]) < 0.01, "{written}");
        assert!(number(&written["cleanup"]["largest_plant_error_before_mm"]) > 1.0, "shorter steps slide: {written}");
        let stored: Value = serde_json::from_slice(&fs::read(&contacts).expect("contacts")).expect("JSON");
        assert_eq!(stored["frames"], written["frames"]);
        surefoot().arg("info").arg(&out).assert().success();
    }
}

#[test]
fn a_warped_walk_follows_the_path_and_keeps_its_plants() {
    let folder = folder();
    let out = folder.path().join("bent.bvh");
    let mut command = surefoot();
    command
        .args(["warp-path", "--json"])
        .arg(file(&folder, "walk.bvh"))
        .arg("--path")
        .arg(file(&folder, "l.path.json"));
    command.arg("--contacts").arg(file(&folder, ".contacts.json")).arg("-o").arg(&out);
    let (value, code) = json_of(&mut command);
    let result = &value["result"];
    assert_eq!((code, &result["contacts"]["from"]), (0, &Value::from("given")), "{value}");
    assert!(number(&result["walked"]) > 4.0 && result["cut_frames"] == 0);
    assert!(number(&result["written"]["cleanup"]["largest_plant_error_mm"]) < 0.01, "{value}");
    assert!(number(&result["written"]["cleanup"]["largest_plant_error_before_mm"]) > 5.0, "curves turn planted feet");
    // The root's first position, in centimetres: above the path's first point, but for cleanup.
    let first = motion(&out);
    assert!((first[0] - 100.0).abs() < 3.0 && (first[2] - 100.0).abs() < 3.0, "{:?}", &first[..3]);
}

#[test]
fn the_console_prints_what_was_assumed_and_done() {
    let folder = folder();
    let path = folder.path().join("short.path.json");
    fs::write(&path, "{ \"path\": 1, \"points\": [[0, 0], [0, 2]] }").expect("a file");
    let printed = |args: &[&str]| {
        let out = folder.path().join("told.bvh");
        let mut command = surefoot();
        command.arg("warp-path").arg(file(&folder, "walk.bvh")).arg("--path").arg(&path).arg("-f").arg("-o").arg(out);
        let output = command.args(args).output().expect("it runs");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stderr).expect("text")
    };
    let stopped = printed(&[]);
    for part in
        ["unit=cm", "plants, detected", "of a path of 2.00 m are walked", "frames were cut", "ground at", "cleaned:"]
    {
        assert!(stopped.contains(part), "{part}: {stopped}");
    }
    assert!(printed(&["--fit", "scale-path", "--no-clean"]).contains("the path was scaled by 2."));
    assert!(printed(&["--fit", "stretch", "--no-clean"]).contains("steps are 0.4"));
    assert!(!printed(&["--terrain", "flat"]).contains("ground at"), "the ground was given");
}

/// Runs a command that must be refused, and returns what it prints.
fn refusal(args: &[&str], folder: &TempDir) -> String {
    let output = surefoot().current_dir(folder.path()).args(args).output().expect("it runs");
    let printed = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{args:?}: {printed}");
    printed
}

#[test]
fn wrong_input_is_refused_by_name_with_exit_code_2() {
    let folder = folder();
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).expect("a file");
    let bone = "HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 3 Xrotation Yrotation Zrotation\nEnd Site\n{\nOFFSET 0 1 0\n}\n}\n\
                MOTION\nFrames: 1\nFrame Time: 0.01\n0 0 0\n";
    write("bone.bvh", bone);
    write("dot.path.json", "{ \"path\": 1, \"points\": [[0, 0]] }");
    write("stub.path.json", "{ \"path\": 1, \"points\": [[0, 0], [0.1, 0]] }");
    surefoot()
        .current_dir(folder.path())
        .args(["convert", "walk.bvh", "still.bvh", "--slice", "0..9"])
        .assert()
        .success();
    let cases: &[(&[&str], &[&str])] = &[
        (&["retarget", "walk.bvh", "-o", "x.bvh"], &["--on"]),
        (&["retarget", "walk.bvh", "--on", "none.bvh", "-o", "x.bvh"], &["none.bvh"]),
        (&["retarget", "walk.bvh", "--on", "bone.bvh", "-o", "x.bvh"], &["bone.bvh: ", "no body"]),
        (&["retarget", "bone.bvh", "--on", "walk.bvh", "-o", "x.bvh"], &["bone.bvh: ", "no body"]),
        (
            &["retarget", "walk.bvh", "--on", "walk.bvh", "-o", "x.mov"],
            &["x.mov: ", ".bvh, .glb, .gltf, .fbx or .take"],
        ),
        (&["retarget", "walk.bvh", "--on", "walk.bvh", "-o", "walk.bvh"], &["exists", "--force"]),
        (&["retarget", "walk.bvh", "--on", "walk.bvh", "-o", "x.bvh", "--scale", "0"], &["0.01 to 100"]),
        (&["warp-path", "walk.bvh", "-o", "x.bvh"], &["--path"]),
        (&["warp-path", "walk.bvh", "--path", "none.json", "-o", "x.bvh"], &["none.json"]),
        (&["warp-path", "walk.bvh", "--path", "walk.bvh", "-o", "x.bvh"], &["walk.bvh:1"]),
        (&["warp-path", "walk.bvh", "--path", "dot.path.json", "-o", "x.bvh"], &["dot.path.json", "two points"]),
        (&["warp-path", "walk.bvh", "--path", "stub.path.json", "-o", "x.bvh"], &["stub.path.json", "0.10 m long"]),
        (&["warp-path", "still.bvh", "--path", "l.path.json", "-o", "x.bvh"], &["still.bvh", "travels 0.0"]),
        (
            &["warp-path", "walk.bvh", "--path", "l.path.json", "-o", "x.bvh", "--corner-reach", "1e9"],
            &["0 to 100 metres"],
        ),
        (&["warp-path", "walk.bvh", "--path", "l.path.json", "-o", "x.bvh", "--terrain", "none.json"], &["none.json"]),
        (&["warp-path", "walk.bvh", "--path", "l.path.json", "-o", "x.bvh", "--no-clean", "--rigid"], &["--rigid"]),
    ];
    for (args, parts) in cases {
        let printed = refusal(args, &folder);
        for part in *parts {
            assert!(printed.contains(part), "{args:?}: `{part}` is not in: {printed}");
        }
    }
    assert!(!folder.path().join("x.bvh").exists(), "nothing was half done");
}
