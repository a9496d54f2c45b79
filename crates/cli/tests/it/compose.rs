//! `surefoot compose` as a user meets it: behaviours learned from our own walk and run.

use assert_cmd::Command;
use serde_json::Value;
use std::fs;
use std::path::Path;
use surefoot::formats::own::read_plan;
use tempfile::TempDir;

fn surefoot(folder: &Path) -> Command {
    let mut command = Command::cargo_bin("surefoot").expect("the binary");
    command.current_dir(folder);
    command
}

fn json_of(folder: &Path, arguments: &[&str]) -> (Value, i32) {
    let output = surefoot(folder).args(arguments).arg("--json").output().expect("the command runs");
    let value = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(&output.stderr)));
    (value, output.status.code().expect("an exit code"))
}

/// Four level steps, then one to a place, with its further fields.
fn plan(last: &str) -> String {
    format!(
        r#"{{ "footplan": 2, "footprints": [
  {{ "foot": "left",  "position": [0.1, 0, 0], "heading": 0 }},
  {{ "foot": "right", "position": [-0.1, 0, 0], "heading": 0 }},
  {{ "foot": "left",  "position": [0.1, 0, 0.4], "heading": 0 }},
  {{ "foot": "right", "position": [-0.1, 0, 0.8], "heading": 0 }},
  {{ "foot": "left",  "position": [0.1, 0, 1.2], "heading": 0 }},
  {{ "foot": "right", "position": {last} }} ] }}"#
    )
}

/// A folder with a database of a walk and a run.
fn folder() -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let run = |arguments: &[&str]| surefoot(folder.path()).args(arguments).assert().success();
    run(&["gait", "walk", "-o", "walk.bvh"]);
    run(&["gait", "run", "-o", "run.bvh"]);
    run(&["compose", "build", "walk.bvh", "run.bvh", "-o", "my.behaviours"]);
    folder
}

#[test]
fn plans_are_repaired_fixed_footprints_stay_and_the_rest_is_refused_by_its_number() {
    let folder = folder();
    let folder = folder.path();
    fs::write(folder.join("high.plan.json"), plan("[-0.1, 1.0, 1.6], \"fixed\": true")).expect("a file");
    // Every other command refuses a footprint that is 5 m away.
    fs::write(folder.join("far.plan.json"), plan("[-0.1, 0, 6.2]")).expect("a file");
    let repair = |plan: &str, more: &[&str]| {
        let arguments = ["compose", "repair", plan, "-o", "out.plan.json", "--db", "my.behaviours", "--force"];
        json_of(folder, &[&arguments, more].concat())
    };
    for name in ["high.plan.json", "far.plan.json"] {
        let (report, code) = repair(name, &[]);
        assert_eq!(code, 0, "{report}");
        let report = &report["result"];
        let changes = report["changes"].as_array().expect("changes");
        assert!(!changes.is_empty(), "{report}");
        assert!(
            changes
                .iter()
                .all(|change| change["what"].as_str().is_some_and(|what| what.contains(" to footprints[5]: ")))
        );
        let plan = read_plan(&fs::read(folder.join("out.plan.json")).expect("a file")).expect("a plan");
        assert_eq!(plan.footprints.len() as u64, report["footprints"].as_u64().expect("a count"));
        let goal = if name == "high.plan.json" { [-0.1, 1.0, 1.6] } else { [-0.1, 0.0, 6.2] };
        assert_eq!(plan.footprints.last().map(|print| print.position.to_array()), Some(goal));
    }
    // On its terrain nothing can be raised.
    let (report, code) = repair("high.plan.json", &["--terrain", "flat"]);
    assert_eq!((code, report["error"]["footprint"].as_u64()), (2, Some(5)), "{report}");
    for (text, part) in [
        (plan("[-0.1, 0, 1.6], \"fixed\": 1"), "fixed"),
        (plan("[-0.1, 0, 1e9]"), "footprints[5]"),
        ("{}".to_string(), "footplan"),
    ] {
        fs::write(folder.join("bad.plan.json"), text).expect("a file");
        let (report, code) = repair("bad.plan.json", &[]);
        assert_eq!(code, 2, "{report}");
        assert!(report["error"].to_string().contains(part), "{report}");
    }
    let (report, code) = repair("high.plan.json", &["--leg-length", "7"]);
    assert_eq!(code, 2, "{report}");
}

#[test]
fn what_recordings_teach_is_printed_and_drawn_and_what_they_lack_is_said() {
    let folder = folder();
    let folder = folder.path();
    let (report, code) = json_of(folder, &["compose", "patterns", "my.behaviours", "--picture", "patterns.svg"]);
    assert_eq!(code, 0, "{report}");
    let limits = report["result"]["limits"].as_array().expect("limits");
    assert!(limits.iter().any(|row| row["behaviour"] == "run" && row["steps"].as_u64() > Some(3)), "{report}");
    let heights = report["result"]["heights"].as_array().expect("heights");
    assert!(heights[0]["walk"].as_f64() < heights[2]["walk"].as_f64(), "{report}");
    assert!(fs::read_to_string(folder.join("patterns.svg")).expect("a file").contains("Figure 4"));
    // A run begins with some steps; a walk changes into nothing.
    let (report, code) = json_of(folder, &["compose", "transitions", "my.behaviours", "--picture", "speeds.svg"]);
    assert_eq!(code, 0, "{report}");
    assert!(fs::read_to_string(folder.join("speeds.svg")).expect("a file").contains("walk to run"));
    surefoot(folder).args(["compose", "build", "walk.bvh", "-o", "walk.behaviours"]).assert().success();
    let (report, code) = json_of(folder, &["compose", "transitions", "walk.behaviours", "--picture", "t.svg"]);
    assert_eq!(code, 2, "{report}");
    assert!(report["error"].to_string().contains("no recording of the database changes"), "{report}");
    assert!(!folder.join("t.svg").exists());
    // An override that contradicts, and one that was never recorded.
    for (last, part) in [
        ("[-0.1, 0, 1.6], \"behaviour\": \"hop\"", "a hop lands on the foot that took off"),
        ("[-0.1, 0, 1.6], \"behaviour\": \"stand\"", "only the first two footprints"),
        ("[-0.1, 0.2, 1.6], \"behaviour\": \"stair\"", "no recorded stair on the right foot"),
    ] {
        fs::write(folder.join("bad.plan.json"), plan(last)).expect("a file");
        let (report, code) = json_of(folder, &["compose", "recognise", "bad.plan.json", "--db", "my.behaviours"]);
        assert_eq!((code, report["error"]["footprint"].as_u64()), (2, Some(5)), "{report}");
        assert!(report["error"].to_string().contains(part), "{report}");
    }
}
