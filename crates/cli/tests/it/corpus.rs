//! `surefoot corpus` as a user meets it.

use assert_cmd::Command;
use serde_json::Value;
use std::fs;
use std::path::Path;
use surefoot::contact::{FootPart, measure_placement};
use surefoot::formats::own::{read_plan, read_terrain};
use surefoot::{LoadOptions, load, load_contacts};
use tempfile::TempDir;

fn surefoot(arguments: &[&str], folder: &Path) -> std::process::Output {
    let mut command = Command::cargo_bin("surefoot").expect("the binary");
    command.args(arguments).current_dir(folder).output().expect("the command runs")
}

fn folder() -> TempDir {
    tempfile::tempdir().expect("a folder")
}

/// Names of all files, in order.
fn files(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("a folder");
    let mut names: Vec<String> =
        entries.map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

#[test]
fn it_reports_every_kind_and_the_coverage() {
    let folder = folder();
    let output = surefoot(&["corpus", "--list", "--frame-rate", "30"], folder.path());
    assert!(output.status.success());
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    for word in ["forward-0.70m", "curve-right-15", "side-left-0.20m", "stairs-up", "start width", "end length"] {
        assert!(printed.contains(word), "{word}: {printed}");
    }
    assert!(files(folder.path()).is_empty());
    let output = surefoot(&["corpus", "--json", "--report", "r.json", "--frame-rate", "30"], folder.path());
    assert_eq!(fs::read(folder.path().join("r.json")).expect("a report"), output.stdout, "the same JSON");
    let printed: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let result = &printed["result"];
    assert!(result["coverage"]["steps"].as_u64() >= Some(300), "{result}");
    let takes = result["takes"].as_array().expect("takes");
    let steps: u64 = takes.iter().filter_map(|take| take["steps"].as_u64()).sum();
    assert_eq!(Some(steps), result["steps"].as_u64());
    let speed = |name: &str| {
        let take = takes.iter().find(|take| take["name"] == name).expect(name);
        take["mean_speed"].as_f64().expect("a speed")
    };
    assert!(speed("forward-0.65m-slow") < speed("forward-0.65m-fast"));
}

#[test]
fn kinds_that_are_left_out_have_no_line() {
    let folder = folder();
    let output = surefoot(&["corpus", "--kind", "forward,turn", "--frame-rate", "30"], folder.path());
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(printed.contains("\nforward ") && printed.contains("\nturn ") && !printed.contains("stairs"), "{printed}");
    assert!(!printed.contains("NaN") && !printed.contains("inf") && !printed.contains("-0.0 "), "{printed}");
}

#[test]
fn written_takes_are_planted_where_their_plans_are() {
    let folder = folder();
    let out = folder.path().join("c");
    let output = surefoot(&["corpus", "-o", "c", "--frame-rate", "30"], folder.path());
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(files(folder.path()), ["c"]);
    let names = files(&out);
    let n_takes = names.iter().filter(|name| name.ends_with(".bvh")).count();
    let n_terrains = names.iter().filter(|name| name.ends_with(".terrain.json")).count();
    assert!(n_takes > 90 && n_terrains > 60 && names.len() == 3 * n_takes + n_terrains, "{names:?}");
    for name in ["mixed-01-left", "turn-right-80", "stairs-up"] {
        let at = |ending: &str| out.join(format!("{name}.{ending}"));
        let import = load(&at("bvh"), &LoadOptions::default()).expect("a motion");
        let contacts = load_contacts(&at("contacts.json"), &import).expect("contacts");
        let errors = measure_placement(&import.clip.world(), import.body.as_ref().expect("a body"), &contacts);
        let balls = errors.iter().filter(|plant| plant.part == FootPart::Ball);
        let worst = balls.fold(0.0, |most: f64, plant| most.max(plant.distance));
        assert!(worst < 1e-5, "{name}: {worst}");
        let plan = read_plan(&fs::read(at("plan.json")).expect("a plan")).expect("a plan");
        assert!(plan.footprints.len() > 8);
    }
    read_terrain(&fs::read(out.join("stairs-down.terrain.json")).expect("a terrain")).expect("a terrain");
}

#[test]
fn nothing_is_replaced_unless_asked() {
    let folder = folder();
    let out = folder.path().join("c");
    fs::create_dir(&out).expect("a folder");
    fs::write(out.join("mine.txt"), "mine").expect("a file");
    let write = |more: &[&str]| surefoot(&[&["corpus", "-o", "c", "--frame-rate", "10"], more].concat(), folder.path());
    let refused = write(&[]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&refused.stderr).contains("--force replaces"), "{refused:?}");
    assert_eq!(files(&out), ["mine.txt"]);
    assert!(write(&["--force"]).status.success());
    assert!(
        files(&out).contains(&"mine.txt".to_string()) && files(&out).contains(&"cross-before-left.bvh".to_string())
    );
    // An empty folder is as good as none.
    fs::remove_dir_all(&out).expect("away");
    fs::create_dir(&out).expect("a folder");
    assert!(write(&[]).status.success());
    assert_eq!(files(folder.path()), ["c"]);
}

#[test]
fn mistakes_are_reported() {
    let folder = folder();
    fs::write(folder.path().join("file"), "").expect("a file");
    for (arguments, word) in [
        (&["corpus", "--height", "9"][..], "--height"),
        (&["corpus", "--height", "tall"], "0.7m"),
        (&["corpus", "--frame-rate", "0"], "frames per second"),
        (&["corpus", "--frame-rate", "500"], "240"),
        (&["corpus", "-o", "file"], "is a file"),
        (&["corpus", "-o", "none/c"], "there is no folder"),
    ] {
        let output = surefoot(arguments, folder.path());
        let printed = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {printed}");
        assert!(printed.contains(word), "{arguments:?}: {printed}");
    }
    assert_eq!(files(folder.path()), ["file"]);
}
