//! `surefoot animate` and `surefoot evaluate` as a user meets them.

use assert_cmd::Command;
use serde_json::Value;
use std::fs;
use std::path::Path;
use surefoot::contact::{FootPlan, Footprint};
use surefoot::contact::{metrics::StancesFrom, metrics::foot_points, metrics::measure_footprints};
use surefoot::formats::own::{read_plan, write_plan};
use surefoot::geom::Vec3;
use surefoot::motion::Side;
use surefoot::{LoadOptions, demo_plans, load, load_contacts};
use tempfile::TempDir;

fn surefoot(folder: &Path) -> Command {
    let mut command = Command::cargo_bin("surefoot").expect("the binary");
    command.current_dir(folder);
    command
}

/// A folder with a plan of five steps.
fn folder() -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let mut plan = demo_plans().remove(0).plan;
    plan.footprints.truncate(7);
    for print in &mut plan.footprints[2..] {
        (print.swing, print.support) = (Some(0.5), Some(0.2));
    }
    fs::write(folder.path().join("my.plan.json"), write_plan(&plan)).expect("a file");
    folder
}

fn json_of(command: &mut Command) -> (Value, i32) {
    let output = command.output().expect("the command runs");
    let value = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(&output.stderr)));
    (value, output.status.code().expect("an exit code"))
}

#[test]
fn a_plan_becomes_a_walk_with_report_contacts_and_picture() {
    let folder = folder();
    let at = |name: &str| folder.path().join(name);
    let (value, code) = json_of(surefoot(folder.path()).args([
        "animate",
        "my.plan.json",
        "-o",
        "my.bvh",
        "--json",
        "--report",
        "my.report.json",
        "--contacts",
        "my.contacts.json",
        "--render",
        "my.png",
        "--fps",
        "30",
    ]));
    assert_eq!((code, &value["command"]), (0, &Value::from("animate")), "{value}");
    let result = &value["result"];
    assert_eq!((&result["missed"], &result["motion"]["frame_rate"]), (&Value::from(0), &Value::from(30.0)));
    // Over the middle of the stance a heel may still roll on; the plants below are exact.
    assert!(result["largest_placement_error_mm"].as_f64() < Some(5.0), "{result}");
    assert!(["good", "check"].map(Value::from).contains(&result["verdict"]["grade"]), "{result}");
    assert!(fs::read(at("my.png")).expect("a picture").starts_with(b"\x89PNG"));

    let report: Value = serde_json::from_slice(&fs::read(at("my.report.json")).expect("a report")).expect("JSON");
    let each = report["result"]["each"].as_array().expect("a list");
    assert_eq!(each.len(), 7);
    assert_eq!((&each[0]["origin"], &each[1]["foot"]), (&Value::from("standing"), &Value::from("right")));
    for (index, print) in each.iter().enumerate().skip(2) {
        assert_eq!(print["footprint"], index);
        assert!(print["land_seconds"]["actual"].is_f64() && print["outside_cm"].is_f64(), "{print}");
        assert!(print["placement"]["mid_stance_mm"].as_f64() < Some(0.1), "{print}");
        assert!(print["heading_degrees"]["difference"].is_f64(), "{print}");
        assert_eq!(print["swing_seconds"]["target"], 0.5);
        assert!(print["swing_seconds"]["difference"].as_f64().expect("a number").abs() < 1e-6, "{print}");
        let sources = print["sources"].as_array().expect("a list");
        let weights: f64 = sources.iter().filter_map(|part| part["weight"].as_f64()).sum();
        assert!((weights - 1.0).abs() < 1e-6, "{print}");
        assert!(sources.iter().all(|part| part["name"].is_string()), "{print}");
    }

    let import = load(&at("my.bvh"), &LoadOptions::default()).expect("the walk");
    let contacts = load_contacts(&at("my.contacts.json"), &import).expect("the contacts");
    let plan = read_plan(&fs::read(at("my.plan.json")).expect("the plan")).expect("a plan");
    let feet = foot_points(&import.clip.world(), &import.clip.skeleton, import.body.as_ref().expect("a body"));
    let found = measure_footprints(&plan, &feet, &contacts, import.clip.frame_rate, StancesFrom::Contacts);
    assert_eq!(found.n_missed(), 0);
    for (index, error) in found.realised() {
        assert!(error.max < 2e-4 && error.drift < 1e-4, "footprints[{index}]: {error:?}");
    }
}

#[test]
fn every_format_is_written_by_its_ending_and_nothing_is_replaced_unasked() {
    let folder = folder();
    for name in ["a.glb", "a.gltf", "a.bvh"] {
        surefoot(folder.path()).args(["animate", "my.plan.json", "-o", name]).assert().success();
        assert!(folder.path().join(name).is_file());
    }
    surefoot(folder.path()).args(["animate", "my.plan.json", "-o", "a.bvh"]).assert().code(2);
    surefoot(folder.path()).args(["animate", "my.plan.json", "-o", "a.bvh", "--force"]).assert().success();
    for arguments in [
        ["-o", "a.txt", "--heading-weight", "0.5"],
        ["-o", "b.bvh", "--heading-weight", "2"],
        ["-o", "b.bvh", "--render", "b.txt"],
        ["-o", "b.bvh", "--contacts", "b.bvh"],
        ["-o", "b.bvh", "--db", "missing.steps"],
        ["-o", "b.bvh", "--db", "my.plan.json"],
        ["-o", "b.bvh", "--fps", "5000"],
    ] {
        surefoot(folder.path()).args(["animate", "my.plan.json"]).args(arguments).assert().code(2);
        assert!(!folder.path().join("b.bvh").exists(), "{arguments:?} wrote something");
    }
}

#[test]
fn the_plan_may_come_from_standard_input() {
    let folder = folder();
    let plan = fs::read(folder.path().join("my.plan.json")).expect("a plan");
    surefoot(folder.path()).args(["animate", "-", "-o", "a.bvh"]).write_stdin(plan).assert().success();
    assert!(folder.path().join("a.bvh").is_file());
}

#[test]
fn explain_prints_neighbours_replacements_and_weights() {
    let folder = folder();
    let explain = |more: &[&str]| {
        let arguments = ["animate", "my.plan.json", "-o", "a.bvh", "--force", "--explain"];
        let output = surefoot(folder.path()).args(arguments).args(more).output().expect("it runs");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).expect("text")
    };
    let printed = explain(&[]);
    assert!(printed.starts_with("footprints[0] left: stand, standing: the first footprint"), "{printed}");
    for words in ["footprints[6] left: ", "lands at ", "  blended   ", "weight "] {
        assert!(printed.contains(words), "{words}: {printed}");
    }
    let printed = explain(&["--no-selection"]);
    assert!(
        printed.contains("neighbour ") && printed.contains("D_high ") && !printed.contains("replaced by"),
        "{printed}"
    );
}

#[test]
fn a_walk_is_like_a_clip_that_is_given_as_its_style() {
    let folder = folder();
    surefoot(folder.path()).args(["animate", "my.plan.json", "-o", "mine.bvh"]).assert().success();
    let styled = ["animate", "my.plan.json", "-o", "a.bvh", "--style"];
    let (report, code) = json_of(surefoot(folder.path()).args(styled).args(["mine.bvh", "--json"]));
    assert!(code <= 1, "{report}");
    assert_eq!(report["result"]["style"]["name"], "mine");
    assert_eq!(report["result"]["style"]["requested"], true);
    fs::remove_file(folder.path().join("a.bvh")).expect("it was written");
    let refused = surefoot(folder.path()).args(styled).arg("nobody").output().expect("it runs");
    let printed = String::from_utf8_lossy(&refused.stderr);
    assert_eq!(refused.status.code(), Some(2), "{printed}");
    assert!(printed.contains("\"nobody\"") && printed.contains("its people are corpus"), "{printed}");
    assert!(printed.contains("its takes are corpus-forward-0.20m"), "{printed}");
    assert!(!folder.path().join("a.bvh").exists());
    // Takes of the corpus go by the names that `corpus --list` prints.
    let (report, code) = json_of(surefoot(folder.path()).args(styled).args(["forward-0.60m", "--json"]));
    assert!(code <= 1, "{report}");
    assert_eq!(report["result"]["style"]["name"], "corpus-forward-0.60m");
    assert_eq!(report["result"]["style"]["share"], 1.0);
}

#[test]
fn exact_headings_turn_feet_fully() {
    let folder = folder();
    let largest = |more: &[&str]| {
        let arguments = ["animate", "my.plan.json", "-o", "a.bvh", "--force", "--json"];
        let (value, code) = json_of(surefoot(folder.path()).args(arguments).args(more));
        assert_eq!(code, 0, "{value}");
        let each = value["result"]["each"].as_array().expect("a list").clone();
        let turns = each.iter().filter_map(|print| print["heading_degrees"]["difference"].as_f64());
        turns.fold(0.0, |most: f64, turn| most.max(turn.abs()))
    };
    let (soft, exact) = (largest(&["--heading-weight", "0.2"]), largest(&["--exact-heading"]));
    assert!(exact < 1.0 && soft > 2.0 * exact, "{soft} and {exact} degrees");
}

/// Footprints of a million steps straight on.
fn million() -> FootPlan {
    let print = |k: usize| {
        let side = if k.is_multiple_of(2) { Side::Left } else { Side::Right };
        let x = if side == Side::Left { 0.1 } else { -0.1 };
        Footprint::at(side, Vec3::new(x, 0.0, 0.5 * k as f64))
    };
    FootPlan { footprints: (0..1_000_000).map(print).collect() }
}

#[test]
fn a_plan_of_a_million_footprints_is_refused_by_its_length() {
    let folder = folder();
    fs::write(folder.path().join("long.plan.json"), write_plan(&million())).expect("a file");
    let (value, code) = json_of(surefoot(folder.path()).args(["animate", "long.plan.json", "-o", "a.bvh", "--json"]));
    assert_eq!((code, &value["error"]["kind"]), (2, &Value::from("too_long")), "{value}");
    assert!(!folder.path().join("a.bvh").exists());
}

#[test]
fn plans_that_no_body_can_walk_are_refused_by_footprint_and_reason() {
    let folder = folder();
    let plan = read_plan(&fs::read(folder.path().join("my.plan.json")).expect("a plan")).expect("a plan");
    let refused = |change: fn(&mut FootPlan)| {
        let mut plan = plan.clone();
        change(&mut plan);
        fs::write(folder.path().join("bad.plan.json"), write_plan(&plan)).expect("a file");
        let (value, code) =
            json_of(surefoot(folder.path()).args(["animate", "bad.plan.json", "-o", "bad.bvh", "--json"]));
        assert_eq!(code, 2, "{value}");
        assert_eq!(value["error"]["file"], "bad.plan.json", "{value}");
        assert!(!folder.path().join("bad.bvh").exists());
        value["error"]["message"].as_str().expect("a message").to_string()
    };
    let far = refused(|plan| plan.footprints[5].position.x += 2.5);
    assert!(far.contains("footprints[5]") && far.contains(" m "), "{far}");
    let high = refused(|plan| plan.footprints[4].position.y += 1.0);
    assert!(high.contains("footprints[4]"), "{high}");
    let turned = refused(|plan| plan.footprints[3].heading = plan.footprints[2].heading.map(|heading| heading + 3.1));
    assert!(turned.contains("footprints[3]") && turned.contains("degrees"), "{turned}");
    let short = refused(|plan| plan.footprints.truncate(2));
    assert!(short.contains("three footprints"), "{short}");
}

#[test]
fn bad_plan_files_are_refused_as_the_manifest_says() {
    let Some(shared) = surefoot_recordings::shared_folder() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let badfiles = shared.join("badfiles");
    let mut n_files = 0;
    for row in surefoot_recordings::manifest(&badfiles) {
        if row["format"] != "plan" {
            continue;
        }
        n_files += 1;
        let path = badfiles.join(&row["file"]);
        let (value, code) =
            json_of(surefoot(folder.path()).arg("animate").arg(&path).args(["-o", "a.bvh", "-f", "--json"]));
        let (name, error) = (&row["file"], &value["error"]);
        match &*row["expect"] {
            "ok" => {
                assert_eq!(code, 0, "{name}: {value}");
                let n_footprints = format!("footprints={}", value["result"]["footprints"]);
                assert_eq!(n_footprints, row["facts"], "{name}");
            }
            "error" => assert_eq!(code, 2, "{name}: {value}"),
            _ => assert!(code == 0 || code == 2, "{name}: {value}"),
        }
        if code == 2 {
            let printed = error["file"].as_str().expect("the file is named");
            assert!(printed.ends_with(&**name), "{name}: {value}");
            let message = error["message"].as_str().expect("a message");
            // What is wrong with one footprint is reported with its number.
            let of_footprint = ["type", "missing_field", "foot", "duration", "infeasible", "out_of_range"];
            if of_footprint.contains(&&*row["error_kind"]) && message.contains("footprints") {
                assert!(message.contains("footprints[") || row["class"] == "types", "{name}: {message}");
            }
            if let Some(number) = message.strip_prefix("footprints[").and_then(|rest| rest.split(']').next()) {
                assert_eq!(error["footprint"].to_string(), number, "{name}: {message}");
            }
            if row["note"] == "must name the footprint" {
                assert!(message.contains("footprints["), "{name}: {message}");
            }
            if row["expect"] == "error" && row["note"].is_empty() {
                assert_eq!(error["kind"], Value::from(&*row["error_kind"]), "{name}: {message}");
            }
            if !row["line"].is_empty() {
                assert_eq!(error["line"].to_string(), row["line"], "{name}: {message}");
            }
        }
    }
    assert!(n_files >= 23, "{n_files} plans");
}

#[test]
fn evaluate_prints_targets_and_methods_and_writes_what_can_be_looked_at() {
    let folder = folder();
    surefoot(folder.path()).args(["corpus", "-o", "takes", "--frame-rate", "30"]).assert().success();
    let clips: Vec<String> = ["forward-0.60m", "forward-0.70m", "forward-0.80m", "curve-left-15", "curve-right-15"]
        .iter()
        .map(|name| format!("takes/{name}.bvh"))
        .collect();
    let output = surefoot(folder.path())
        .arg("evaluate")
        .args(&clips)
        .args(["--list", "--picture", "all.png", "-o", "walks"])
        .output()
        .expect("it runs");
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    for words in
        ["actor unknown", "Gaussian process", "ball from footprint, mid stance", "7.39", "target", "forward-0.60m"]
    {
        assert!(printed.contains(words), "{words}: {printed}");
    }
    let picture = fs::read(folder.path().join("all.png")).expect("a picture");
    assert!(picture.starts_with(b"\x89PNG"), "{} bytes", picture.len());
    for name in ["curve-left-15.bvh", "curve-left-15.recording.bvh", "curve-left-15.plan.json"] {
        assert!(folder.path().join("walks").join(name).is_file(), "{name}");
    }
    let (value, code) = json_of(surefoot(folder.path()).arg("evaluate").args(&clips).arg("--json"));
    assert_eq!(code, 0, "{value}");
    let result = &value["result"];
    assert_eq!(result["clips"].as_array().map(Vec::len), Some(clips.len()));
    assert_eq!(result["judged"], "actor unknown");
    let methods = result["methods"].as_array().expect("a list");
    let (ablations, others): (Vec<&Value>, Vec<&Value>) = methods.iter().partition(|row| row["is_ablation"] == true);
    assert_eq!((others.len(), ablations.len()), (14, 27), "rows with the actor known and unknown");
    for method in methods {
        let [median, worst] = ["median", "worst"].map(|name| method["by_landing_cm"][name].as_f64().expect("a number"));
        assert!(median > 0.0 && median <= worst && worst < 60.0, "{method}");
    }
    for metric in result["metrics"].as_array().expect("a list") {
        let spread = &metric["spread"];
        assert!(spread["n"].as_u64() >= Some(5) && spread["worst"].is_number(), "{metric}");
    }
    // A walk is measured by the report as by whoever reads its file.
    let walk = result["clips"][0]["walks"]
        .as_array()
        .and_then(|walks| walks.iter().find(|walk| walk["split"] == "actor unknown"));
    let measured = json_of(surefoot(folder.path()).args(["measure", "walks/forward-0.60m.bvh", "--json"])).0;
    let metrics = measured["result"]["metrics"].as_array().expect("metrics");
    let knees = metrics.iter().find(|metric| metric["name"] == "knee_acceleration_p99").expect("knees");
    let [here, there] = [&walk.expect("a walk")["motion"]["knee_acceleration_p99_deg_s2"], &knees["value"]];
    let [here, there] = [here, there].map(|value| value.as_f64().expect("a number"));
    assert!((here / there - 1.0).abs() < 1e-3, "{here} {there}");
    assert_eq!(result["candidates"]["paper"]["replaced_of_all_percent"], 14.7);
}

#[test]
fn evaluate_reports_why_clips_are_left_out() {
    let folder = folder();
    surefoot(folder.path()).args(["corpus", "-o", "takes", "--frame-rate", "30"]).assert().success();
    // The same run by somebody else.
    fs::copy(folder.path().join("takes/run-8kmh.bvh"), folder.path().join("takes/other-8kmh.bvh")).expect("copied");
    let (value, code) = json_of(surefoot(folder.path()).args([
        "evaluate",
        "takes/forward-0.60m.bvh",
        "takes/forward-0.70m.bvh",
        "takes/run-8kmh.bvh",
        "takes/other-8kmh.bvh",
        "--json",
    ]));
    assert_eq!(code, 0, "{value}");
    let clips = value["result"]["clips"].as_array().expect("a list");
    assert!(clips[0]["left_out"].is_null(), "{value}");
    let reason = clips[2]["left_out"].as_str().expect("a reason");
    assert!(reason.contains("both feet were in the air"), "{reason}");
    // But runs are made again by themselves: with the other's, and with none.
    let rows = value["result"]["courses"].as_array().expect("a list");
    let row =
        |method: &str| rows.iter().find(|row| row["behaviour"] == "run" && row["method"] == method).expect(method);
    for (method, is_recorded) in [("recordings blended", true), ("nearest recording", true), ("procedural", false)] {
        let row = row(method);
        assert!(row["steps"].as_u64() >= Some(6), "{row}");
        assert_eq!(row["of_recordings"].as_u64() > Some(0), is_recorded, "{row}");
        let median = row["by_landing_cm"]["median"].as_f64().expect("a number");
        assert!(median > 0.1 && median < 12.0, "{row}");
        let ratio = row["over_walking"].as_f64().expect("a ratio");
        assert!(ratio > 0.0 && ratio.is_finite(), "{row}");
    }
    surefoot(folder.path()).args(["evaluate", "takes/none.bvh"]).assert().code(2);
    surefoot(folder.path()).args(["evaluate", "takes/forward-0.60m.bvh", "--picture", "all.gif"]).assert().code(2);
}
