//! One plan file means the same to `animate`, `gait --plan` and `go`: the same numbers of footprints, limits, flights and fields.

use assert_cmd::Command;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use tempfile::TempDir;

fn run(folder: &Path, words: &str) -> (Value, i32) {
    let mut command = Command::cargo_bin("surefoot").expect("the binary");
    let arguments = words.split_whitespace().chain(["-o", "x.bvh", "--force", "--json"]);
    let output = command.current_dir(folder).args(arguments).output().expect("the command runs");
    let value = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|error| panic!("{words}: {error}: {}", String::from_utf8_lossy(&output.stderr)));
    (value, output.status.code().expect("an exit code"))
}

/// A walk of six steps, as a plan file has it.
fn footprints() -> Vec<Value> {
    let place = |k: usize| {
        let (foot, x) = if k.is_multiple_of(2) { ("left", 0.1) } else { ("right", -0.1) };
        json!({ "foot": foot, "position": [x, 0.0, 0.5 * k.saturating_sub(1) as f64], "heading": 0 })
    };
    (0..8).map(place).collect()
}

fn write(folder: &TempDir, footprints: &[Value]) {
    let plan = json!({ "footplan": 2, "footprints": footprints });
    fs::write(folder.path().join("my.plan.json"), plan.to_string()).expect("a file");
}

/// What is set in footprint 5 of a walk.
fn changed(fields: &Value) -> Vec<Value> {
    let mut prints = footprints();
    for (name, value) in fields.as_object().expect("fields") {
        prints[5][name] = value.clone();
    }
    prints
}

#[test]
fn what_one_refuses_all_refuse_by_the_same_number_and_in_the_same_words() {
    let folder = tempfile::tempdir().expect("a folder");
    let wrong = [
        (json!({ "position": [-0.1, 0, 60] }), "the longest step or jump is 4 m"),
        (json!({ "position": [-0.1, 3, 2] }), "the highest step up is 1.7 m"),
        (json!({ "position": [-0.1, 0, 3.2] }), "out of reach for a walking step"),
        (json!({ "position": [0.1, 0, 1.5] }), "from the other foot, which is planted there"),
        (json!({ "foot": "left", "position": [0.1, 0, 1.9] }), "the left foot again"),
        (json!({ "heading": 170 }), "hips turn 137.5 at most"),
        (json!({ "swing": 0.001 }), "give it 0.06 s or more"),
        (json!({ "swing": 0 }), "a swing takes more than 0 s"),
        (json!({ "support": 1e9 }), "at most 3600 s"),
        (json!({ "land": 2, "swing": 0.4 }), "give one of the two"),
        (json!({ "land": 2, "leave": 1 }), "`leave` must be later than `land`"),
        (json!({ "normal": [1, 0.01, 0] }), "78 at most"),
        (json!({ "behaviour": "walk", "support": 0 }), "give it a double support"),
    ];
    for (fields, what) in wrong {
        write(&folder, &changed(&fields));
        let errors = ["animate my.plan.json --with steps", "gait walk --plan my.plan.json"].map(|words| {
            let (value, code) = run(folder.path(), words);
            let error = &value["error"];
            let message = error["message"].as_str().unwrap_or_else(|| panic!("{words}: {what}: {value}"));
            assert!(code == 2 && message.contains("footprints[5]") && message.contains(what), "{words}: {message}");
            assert_eq!(error["footprint"], 5, "{words}: {error}");
            // Each synthesizer names itself, and animate adds what its repair would do.
            let message = message.split("; --repair would change this").next().unwrap_or(message);
            (error["kind"].clone(), message.replace("which steps does", "which gait does"))
        });
        assert_eq!(errors[0], errors[1]);
        // Footprints that nobody walks to are jumped or hopped to where behaviours are left open; all others are refused there too.
        let (value, code) = run(folder.path(), "animate my.plan.json");
        if ["out of reach for a walking step", "the left foot again"].contains(&what) {
            let flights = value["result"]["flights"]["count"].as_u64();
            assert!(code < 2 && flights.is_some_and(|flights| flights > 0), "{what}: {value}");
        } else {
            let message = value["error"]["message"].as_str().unwrap_or_else(|| panic!("{what}: {value}"));
            assert!(code == 2 && message.contains("footprints[5]"), "{what}: {message}");
        }
    }
}

#[test]
fn a_plan_with_times_is_timed_alike_and_its_report_has_the_same_fields() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut prints = footprints();
    for (k, print) in prints.iter_mut().enumerate() {
        let land = 0.9 + 0.6 * (k as f64 - 2.0);
        if k >= 2 {
            print["land"] = land.into();
        }
        if k < 6 {
            print["leave"] = if k < 2 { (0.5 + 0.6 * k as f64).into() } else { (land + 0.8).into() };
        }
    }
    write(&folder, &prints);
    let results = ["animate my.plan.json", "gait walk --plan my.plan.json"].map(|words| {
        let (value, code) = run(folder.path(), words);
        assert_eq!(code, 0, "{words}: {value}");
        value["result"].clone()
    });
    let [steps, gait] = &results;
    for field in ["footprints", "steps", "missed", "flights"] {
        assert_eq!(steps[field], gait[field], "{field}");
    }
    let keys = |value: &Value| value.as_object().expect("fields").keys().cloned().collect::<BTreeSet<String>>();
    assert_eq!(keys(&steps["metrics"]), keys(&gait["metrics"]));
    let each = |result: &Value| result["each"].as_array().expect("rows").clone();
    assert_eq!(each(steps).len(), prints.len());
    for (a, b) in each(steps).iter().zip(&each(gait)) {
        assert_eq!(keys(a), keys(b));
        for field in ["footprint", "foot", "behaviour"] {
            assert_eq!(a[field], b[field], "{a}");
        }
        for field in ["land_seconds", "leave_seconds", "heading_degrees", "swing_seconds", "support_seconds"] {
            assert_eq!(a[field]["target"], b[field]["target"], "{field} of {a}");
        }
        // Absolute times are met by both, so the stances are the same frames.
        assert_eq!(a["stance_frames"][0], b["stance_frames"][0], "{a} {b}");
        let land = |row: &Value| row["land_seconds"]["actual"].as_f64().expect("a landing");
        assert!((land(a) - land(b)).abs() < 1e-9, "{a} {b}");
    }
}

#[test]
fn flights_are_where_the_plan_has_them_or_are_refused_there() {
    let folder = tempfile::tempdir().expect("a folder");
    write(&folder, &changed(&json!({ "support": 0 })));
    let (value, code) = run(folder.path(), "animate my.plan.json --with steps");
    assert_eq!((code, &value["error"]["footprint"]), (2, &5.into()), "{value}");
    for words in ["animate my.plan.json", "gait walk --plan my.plan.json"] {
        let (value, _) = run(folder.path(), words);
        let result = &value["result"];
        assert_eq!(result["flights"]["count"], 1, "{words}: {value}");
        let each = result["each"].as_array().expect("rows");
        // Where footprints decide, a single step through the air is a leap.
        let flown = if words.starts_with("animate") { "jump" } else { "run" };
        let not_walked: Vec<usize> =
            (0..each.len()).filter(|&k| each[k]["behaviour"] != "walk" && each[k]["behaviour"] != "stand").collect();
        assert_eq!((not_walked, &each[5]["behaviour"]), (vec![5], &flown.into()), "{words}");
    }
}

#[test]
fn go_reports_what_its_plan_gives_as_a_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let scene = r#"{ "scene": 1, "bounds": [[-3, -2], [3, -2], [3, 2], [-3, 2]],
      "start": { "position": [-1.5, 0], "heading": 90 }, "goal": { "position": [1.5, 0.5] } }"#;
    fs::write(folder.path().join("my.scene.json"), scene).expect("a file");
    for (with, again) in [("steps", "animate my.plan.json --with steps"), ("gait", "gait walk --plan my.plan.json")] {
        let (value, _) = run(folder.path(), &format!("go my.scene.json --with {with} --write-plan my.plan.json"));
        let (file, _) = run(folder.path(), again);
        let (went, walked) = (&value["result"], &file["result"]);
        for field in
            ["synthesizer", "footprints", "steps", "seconds", "frame_rate", "missed", "flights", "verdict", "origins"]
        {
            assert_eq!(went[field], walked[field], "{with}: {field}");
        }
        assert!(near(&went["each"], &walked["each"]), "{with}: {} {}", went["each"], walked["each"]);
        assert!(near(&went["metrics"], &walked["metrics"]), "{with}: {} {}", went["metrics"], walked["metrics"]);
    }
}

/// Whether two reports are the same but for what a file rounds of headings and times.
fn near(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => {
            let [a, b] = [a, b].map(|number| number.as_f64().expect("a number"));
            (a - b).abs() <= 1e-6 * (1.0 + a.abs())
        }
        (Value::Array(a), Value::Array(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| near(a, b)),
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len() && a.iter().all(|(name, a)| b.get(name).is_some_and(|b| near(a, b)))
        }
        _ => a == b,
    }
}
