//! `surefoot measure` as a user meets it: metrics, units, gates and exit codes.

use assert_cmd::Command;
use serde_json::Value;
use std::fs;
use std::path::PathBuf;
use std::sync::OnceLock;
use tempfile::TempDir;

fn surefoot() -> Command {
    Command::cargo_bin("surefoot").expect("the binary")
}

/// The demo's walk with its plan and contacts, made once.
fn demo() -> &'static TempDir {
    static FOLDER: OnceLock<TempDir> = OnceLock::new();
    FOLDER.get_or_init(|| {
        let folder = tempfile::tempdir().expect("a folder");
        surefoot().args(["demo", "--only", "cleanup"]).arg(folder.path()).assert().success();
        folder
    })
}

fn file(name: &str) -> PathBuf {
    demo().path().join(name)
}

/// A gate with these limits, in a folder that lives as long as the answer.
fn gate(limits: &str) -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("gate.toml");
    fs::write(&path, format!("gate = 1\n[limits]\n{limits}\n")).expect("a file");
    (folder, path)
}

fn json_of(command: &mut Command) -> (Value, i32) {
    let output = command.output().expect("the command runs");
    let value = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(&output.stdout)));
    (value, output.status.code().expect("an exit code"))
}

fn measure(name: &str) -> Command {
    let mut command = surefoot();
    command.args(["measure", "--json"]).arg(file(name));
    command
}

fn metric<'a>(result: &'a Value, name: &str) -> &'a Value {
    let metrics = result["result"]["metrics"].as_array().expect("a list");
    metrics.iter().find(|metric| metric["name"] == name).unwrap_or_else(|| panic!("{name}: {result:#}"))
}

#[test]
fn metrics_have_name_value_unit_place_frame_rate_and_threshold() {
    let (result, code) = json_of(&mut measure("walk.bvh"));
    assert_eq!((code, &result["command"]), (0, &Value::from("measure")));
    let drift = metric(&result, "drift_max");
    assert_eq!((&drift["unit"], &drift["frame_rate"]), (&Value::from("mm"), &Value::from(60.0)));
    assert!(drift["frame"].is_u64() && drift["place"].is_string() && drift["value"].is_f64(), "{drift}");
    assert_eq!(metric(&result, "graph_skate_total")["threshold"], "planted: ball under 5 cm for 0.1 s");
    assert_eq!(result["result"]["subject"]["contacts"], "detected");
    assert!(result["result"]["ground"].as_str().expect("text").starts_with("flat at "));
}

#[test]
fn skating_is_shown_by_the_definitions_that_are_asked_for() {
    let names = |arguments: &[&str]| -> Vec<String> {
        let (result, _) = json_of(measure("walk.glb").args(arguments));
        let metrics = result["result"]["metrics"].as_array().expect("a list").clone();
        metrics.iter().map(|metric| metric["name"].as_str().expect("a name").to_string()).collect()
    };
    let has = |names: &[String], wanted: [bool; 5]| {
        let heads = ["graph_skate", "gmd_", "kimodo_", "mann_", "holosoma_"];
        heads.map(|head| names.iter().any(|name| name.starts_with(head))) == wanted
    };
    assert!(has(&names(&[]), [true, false, false, false, false]));
    assert!(has(&names(&["--definition", "mann", "--definition", "gmd"]), [false, true, false, true, false]));
    assert!(has(&names(&["--definition", "all"]), [true; 5]));
}

#[test]
fn contacts_come_from_the_option_or_the_file_or_the_motion() {
    let source = |command: &mut Command| json_of(command).0["result"]["subject"]["contacts"].clone();
    assert_eq!(source(&mut measure("walk.bvh")), "detected");
    assert_eq!(source(&mut measure("walk.glb")), "file");
    let given = measure("walk.bvh").arg("--contacts").arg(file("walk.contacts.json")).output().expect("it runs");
    let given: Value = serde_json::from_slice(&given.stdout).expect("JSON");
    assert_eq!(given["result"]["subject"]["contacts"], "given");
    // The demo's own contacts are true: every ball stands still where it should. Its heels are found by a rule of the import, which
    // knows nothing of the walker's.
    let (result, _) =
        json_of(measure("walk.glb").arg("--plan").arg(file("walk.plan.json")).args(["--terrain", "flat"]));
    for name in ["placement_drift_max", "placement_max", "placement_height_max", "penetration_max"] {
        assert!(metric(&result, name)["value"].as_f64().expect("a number") < 0.01, "{name}: {result:#}");
    }
    assert_eq!(metric(&result, "footprints_missed")["value"], 0.0);
    let prints = result["result"]["footprints"].as_array().expect("a list");
    assert!(prints.iter().all(|print| print["missed"] == false && print["max_mm"].is_f64()));
}

#[test]
fn a_gate_that_holds_exits_with_0_and_one_that_does_not_with_1_and_the_whole_result() {
    let (_folder, holds) = gate("stretch_max = \"0.01 %\"\nplants = { min = 4 }");
    let (result, code) = json_of(measure("walk.glb").arg("--gate").arg(holds));
    assert_eq!((code, &result["result"]["gate"]["passed"]), (0, &Value::Bool(true)));
    let (_folder, fails) = gate("stretch_max = 0.01\nplants = { max = 1 }\nrotation_step_max = 0.001");
    let (result, code) = json_of(measure("walk.glb").arg("--gate").arg(&fails));
    let printed = &result["result"]["gate"];
    assert_eq!((code, &printed["passed"], &printed["limits"]), (1, &Value::Bool(false), &Value::from(3)));
    let failed: Vec<&Value> = printed["failures"].as_array().expect("a list").iter().map(|f| &f["metric"]).collect();
    assert_eq!(failed, ["plants", "rotation_step_max"]);
    assert!(metric(&result, "drift_max")["value"].is_f64());
    let output = surefoot().arg("measure").arg(file("walk.glb")).arg("--gate").arg(&fails).output().expect("it runs");
    let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert_eq!(output.status.code(), Some(1));
    assert!(out.contains("drift_max") && out.contains("1 of 3 limits hold"), "{out}");
    assert!(err.contains("plants is ") && err.contains("at most 1 is allowed"), "{err}");
}

#[test]
fn a_limit_on_what_could_not_be_measured_fails_and_says_so() {
    let folder = tempfile::tempdir().expect("a folder");
    let contacts = folder.path().join("none.contacts.json");
    let frames = json_of(&mut measure("walk.bvh")).0["result"]["subject"]["frames"].clone();
    let none = "{ \"heel\": [], \"ball\": [] }";
    let text = format!("{{ \"contacts\": 1, \"frames\": {frames}, \"left\": {none}, \"right\": {none} }}");
    fs::write(&contacts, text).expect("a file");
    let (_folder, gate) = gate("drift_max = 1");
    let (result, code) = json_of(measure("walk.bvh").arg("--contacts").arg(contacts).arg("--gate").arg(gate));
    let message = result["result"]["gate"]["failures"][0]["message"].as_str().expect("text");
    assert_eq!((code, message), (1, "drift_max could not be measured: it needs planted feet"));
}

#[test]
fn limits_beside_the_reference_compare_with_its_own_metrics() {
    let (_folder, gate) = gate("knee_acceleration_p99 = { times_reference = 1.0001 }\nl2q = 0.001");
    let (result, code) = json_of(measure("walk.bvh").arg("--reference").arg(file("walk.glb")).arg("--gate").arg(&gate));
    assert_eq!(code, 0, "{result:#}");
    let (subject, reference) = (&result["result"]["subject"], &result["result"]["reference"]);
    assert_eq!((&subject["soles"], &reference["soles"]), (&Value::from("reference"), &Value::from("own")));
    let knee = metric(&result, "knee_acceleration_p99");
    let times = knee["value"].as_f64().expect("a number") / knee["reference"].as_f64().expect("a number");
    assert!((times - 1.0).abs() < 1e-4);
    assert!(metric(&result, "position_error_max")["value"].as_f64().expect("a number") < 0.001);
    assert!(result["result"]["joints"].as_array().is_some_and(|joints| joints.len() > 10));
    // Without a reference there is nothing to compare with.
    let (result, code) = json_of(measure("walk.bvh").arg("--gate").arg(&gate));
    assert_eq!((code, &result["error"]["kind"]), (2, &Value::from("usage")));
    assert!(result["error"]["message"].as_str().expect("text").contains("--reference"));
}

#[test]
fn bad_gates_and_plans_exit_with_2_and_name_file_and_line() {
    let (_folder, unknown) = gate("drift = 1");
    let (result, code) = json_of(measure("walk.bvh").arg("--gate").arg(&unknown));
    assert_eq!((code, &result["error"]["line"]), (2, &Value::from(3)));
    let message = result["error"]["message"].as_str().expect("text");
    assert!(message.contains("the closest are drift_") && message.contains("knee_acceleration_p99"), "{message}");
    let (_folder, planless) = gate("placement_max = 1");
    let (result, code) = json_of(measure("walk.bvh").arg("--gate").arg(&planless));
    assert_eq!(code, 2);
    assert!(result["error"]["message"].as_str().expect("text").contains("needs --plan"), "{result}");
    let (result, code) = json_of(measure("walk.bvh").arg("--plan").arg(file("walk.contacts.json")));
    assert_eq!(code, 2);
    assert!(result["error"]["message"].as_str().expect("text").contains("a contacts file"), "{result}");
}

#[test]
fn the_table_shows_every_family_and_the_details() {
    let output = surefoot()
        .arg("measure")
        .arg(file("walk.glb"))
        .arg("--plan")
        .arg(file("walk.plan.json"))
        .arg("--reference")
        .arg(file("walk.bvh"))
        .arg("--details")
        .output()
        .expect("it runs");
    let text = String::from_utf8(output.stdout).expect("text");
    assert!(output.status.success());
    for part in [
        "walk.glb: ",
        "reference ",
        "ground flat at ",
        "skating (GRAPH 4.1)",
        "legs and bones",
        "knee_acceleration_p99",
        "deg/s2",
        "foot plan",
        "root_error_legs",
        "\nplants ",
        "\nfootprints ",
        "\njoints ",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert!(text.lines().all(|line| line.trim_end() == line));
}
