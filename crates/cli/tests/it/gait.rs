//! `surefoot gait` as a user meets it.

use assert_cmd::Command;
use serde_json::Value;
use std::fs;
use std::path::Path;
use surefoot::contact::{FootPart, measure_placement};
use surefoot::formats::own::{read_contacts, read_plan};
use surefoot::{LoadOptions, load, load_contacts};
use tempfile::TempDir;

fn surefoot() -> Command {
    Command::cargo_bin("surefoot").expect("the binary")
}

fn folder() -> TempDir {
    tempfile::tempdir().expect("a folder")
}

/// Runs with `--json` and gives the result.
fn result(arguments: &[&str], folder: &Path) -> Value {
    let output = surefoot().arg("--json").args(arguments).current_dir(folder).output().expect("the command runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
    let printed: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    printed["result"].clone()
}

/// Runs what must fail with exit code 2, and gives the message.
fn refused(arguments: &[&str], folder: &Path) -> String {
    let output = surefoot().args(arguments).current_dir(folder).output().expect("the command runs");
    let printed = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{arguments:?}: {printed}");
    printed
}

/// Farthest that a planted ball of a written motion is from its place, in millimetres. No file stores a heel: that of whoever reads
/// it back is a guess, and on a slope another.
fn largest_error_mm(motion: &Path, contacts: Option<&Path>) -> f64 {
    let import = load(motion, &LoadOptions::default()).expect("a motion");
    let contacts = match contacts {
        Some(path) => load_contacts(path, &import).expect("contacts"),
        None => import.contacts.clone().expect("a GLB carries its contacts"),
    };
    let body = import.body.as_ref().expect("a body");
    let errors = measure_placement(&import.clip.world(), body, &contacts);
    assert!(!errors.is_empty(), "something stands");
    let balls = errors.iter().filter(|plant| plant.part == FootPart::Ball);
    balls.fold(0.0, |most: f64, plant| most.max(plant.distance)) * 1000.0
}

#[test]
fn a_walk_from_nothing_has_every_output_and_the_formulas_parameters() {
    let folder = folder();
    let at = |name: &str| folder.path().join(name);
    let arguments = ["gait", "walk", "--steps", "6", "-o", "w.glb", "--contacts", "w.contacts.json"];
    let more = ["--write-plan", "w.plan.json", "--plot", "w.svg"];
    let printed = result(&[&arguments[..], &more[..]].concat(), folder.path());
    let parameters = &printed["parameters"];
    let near = |name: &str, expected: f64| {
        let found = parameters[name].as_f64().expect(name);
        assert!((found - expected).abs() < 1e-3 * expected, "{name}: {found}");
    };
    near("speed_km_per_hour", 5.0);
    near("step_length", 0.7746);
    near("cadence_per_minute", 107.58);
    assert!(largest_error_mm(&at("w.glb"), None) < 0.01);
    let contacts = read_contacts(&fs::read(at("w.contacts.json")).expect("contacts")).expect("contacts");
    assert_eq!(Some(contacts.n_frames as u64), printed["motion"]["frames"].as_u64());
    let plan = read_plan(&fs::read(at("w.plan.json")).expect("a plan")).expect("a plan");
    assert_eq!((plan.footprints.len(), printed["steps"].as_u64()), (8, Some(6)));
    assert!(fs::read_to_string(at("w.svg")).expect("a plot").starts_with("<svg"));
    assert_eq!(printed["verdict"]["grade"], "good", "{printed}");
    result(&["gait", "walk", "--steps", "6", "-o", "v.glb", "--picture", "v.png"], folder.path());
    assert!(fs::read(at("v.png")).expect("a contact sheet").starts_with(b"\x89PNG"));
}

#[test]
fn a_run_flies_and_reports_it() {
    let folder = folder();
    let printed =
        result(&["gait", "run", "--steps", "8", "-o", "r.bvh", "--contacts", "r.contacts.json"], folder.path());
    assert_eq!(printed["parameters"]["step_length"].as_f64().map(|length| (length * 100.0).round()), Some(123.0));
    let plain = result(&["gait", "run", "--plain", "--steps", "8", "-o", "p.bvh"], folder.path());
    assert_eq!(plain["parameters"]["step_length"].as_f64().map(|length| (length * 100.0).round()), Some(107.0));
    assert!(printed["flights"]["count"].as_u64() > Some(3), "{printed}");
    let at = |name: &str| folder.path().join(name);
    assert!(largest_error_mm(&at("r.bvh"), Some(&at("r.contacts.json"))) < 0.01);
    let printed = surefoot()
        .args(["gait", "run", "--steps", "8", "--level", "-0.5", "--flight-height", "2cm", "-o", "s.bvh"])
        .current_dir(folder.path())
        .assert()
        .success();
    let printed = String::from_utf8_lossy(&printed.get_output().stderr).into_owned();
    assert!(
        printed.contains("level -0.5") && printed.contains("flights of") && printed.contains("wrote s.bvh"),
        "{printed}"
    );
}

#[test]
fn style_is_ours_the_users_or_set_by_hand() {
    let folder = folder();
    let proud = result(
        &[
            "gait",
            "walk",
            "--preset",
            "proud",
            "--set",
            "arm-out=30deg",
            "--height",
            "1.6",
            "--steps",
            "3",
            "-o",
            "p.bvh",
        ],
        folder.path(),
    );
    assert_eq!(proud["attributes"]["arm-out"], 30.0);
    assert_eq!(proud["attributes"]["foot-angle"], 25.0);
    assert!(proud["set"].as_array().expect("names").contains(&Value::from("arm-swing")));
    fs::write(folder.path().join("my.toml"), "styles = 1\n[walk.mine]\nspeed = 3\nset = { arm-swing = 0.2 }\n")
        .unwrap();
    let mine = result(
        &["gait", "walk", "--presets", "my.toml", "--preset", "mine", "--steps", "3", "-o", "m.bvh"],
        folder.path(),
    );
    assert_eq!(mine["attributes"]["arm-swing"], 0.2);
    let fast = result(&["gait", "walk", "--speed", "2.4m/s", "--steps", "3", "-o", "f.bvh"], folder.path());
    assert!(fast["notes"][0].as_str().expect("a note").contains("rather run"), "{fast}");
    let locked = result(
        &["gait", "walk", "--cadence", "100/min", "--lock", "speed", "--steps", "3", "-o", "l.bvh"],
        folder.path(),
    );
    assert!((locked["parameters"]["step_length"].as_f64().unwrap() - 5.0 / 6.0).abs() < 1e-9, "{locked}");
}

#[test]
fn a_fitted_person_walks_like_a_preset_and_mixes_with_others() {
    let folder = folder();
    let set = ["--set", "arm-out=25", "--set", "torso-tilt=10"];
    let recorded = [&["gait", "walk", "--speed", "4.5km/h", "--steps", "12", "-o", "r.bvh"], &set[..]].concat();
    result(&recorded, folder.path());
    let fit = result(&["gait", "fit", "r.bvh", "-o", "p.gait.toml"], folder.path());
    let gait = &fit["gaits"][0];
    assert_eq!(gait["gait"], "walk");
    assert!((gait["speed_km_per_hour"].as_f64().unwrap() - 4.5).abs() < 0.15, "{fit}");
    assert!((gait["attributes"]["arm-out"].as_f64().unwrap() - 25.0).abs() < 3.0, "{fit}");
    for row in gait["errors"].as_array().unwrap() {
        assert!(row["fitted"].as_f64().unwrap() < row["natural"].as_f64().unwrap() + 0.5, "{row}");
    }
    let made = result(&["gait", "walk", "--preset", "p.gait.toml", "--steps", "4", "-o", "a.bvh"], folder.path());
    assert_eq!(made["style"], "r");
    assert!((made["attributes"]["torso-tilt"].as_f64().unwrap() - 10.0).abs() < 2.0, "{made}");
    let half = ["gait", "walk", "--preset", "p.gait.toml:1", "--preset", "normal:1", "--steps", "4", "-o", "b.bvh"];
    let mixed = result(&half, folder.path());
    let (own, both) = (&made["attributes"]["arm-out"], &mixed["attributes"]["arm-out"]);
    assert!((both.as_f64().unwrap() - 0.5 * (own.as_f64().unwrap() + 7.0)).abs() < 0.1, "{mixed}");

    let of = |arguments: &[&str]| {
        refused(&[&["gait", "walk", "--steps", "3", "-o", "no.bvh"], arguments].concat(), folder.path())
    };
    assert!(of(&["--preset", "p.gait.toml:lots"]).contains("found the weight `lots`"));
    assert!(of(&["--preset", "none.toml"]).contains("none.toml"));
    assert!(refused(&["gait", "run", "--preset", "p.gait.toml", "-o", "no.bvh"], folder.path()).contains("has no run"));
    let file = folder.path().join("p.gait.toml");
    fs::write(&file, fs::read_to_string(&file).unwrap().replace("yaw =", "yow =")).unwrap();
    let message = of(&["--preset", "p.gait.toml"]);
    assert!(message.contains("yow") && message.contains("did you mean `yaw`?"), "{message}");
    result(&["gait", "walk", "--steps", "1", "-o", "s.bvh"], folder.path());
    let message = refused(&["gait", "fit", "s.bvh", "-o", "no.gait.toml"], folder.path());
    assert!(message.contains("s.bvh") && message.contains("steps of a walk or a run are needed"), "{message}");
    assert!(!folder.path().join("no.gait.toml").exists() && !folder.path().join("no.bvh").exists());
}

#[test]
fn plans_paths_turns_and_directions_are_followed() {
    let folder = folder();
    let at = |name: &str| folder.path().join(name);
    let walk = |arguments: &[&str]| {
        let printed = result(
            &[&["gait", "walk", "-o", "x.glb", "-f", "--write-plan", "x.plan.json"], arguments].concat(),
            folder.path(),
        );
        assert!(largest_error_mm(&at("x.glb"), None) < 0.01, "{arguments:?}");
        let plan = read_plan(&fs::read(at("x.plan.json")).expect("a plan")).expect("a plan");
        (printed, plan)
    };
    let (_, turned) = walk(&["--steps", "4", "--turn", "-20"]);
    assert!(turned.footprints[5].position.x < -0.1, "a negative turn goes to the right");
    let (_, aside) = walk(&["--steps", "4", "--direction", "left", "--step-length", "0.4"]);
    assert!(aside.footprints[5].position.x > 0.5, "to the left");
    fs::copy(at("x.plan.json"), at("again.plan.json")).expect("a copy");
    let (printed, again) = walk(&["--plan", "again.plan.json"]);
    assert_eq!(again, aside);
    assert_eq!(printed["parameters"], Value::Null, "a plan tells its own pace");
    fs::write(at("l.path.json"), r#"{ "path": 1, "points": [[0, 0], [0, 2], [1.5, 3]] }"#).expect("a path");
    let (_, along) = walk(&["--path", "l.path.json"]);
    let last = along.footprints.last().expect("footprints").position;
    assert!((last.x - 1.5).abs() < 0.3 && (last.z - 3.0).abs() < 0.3, "{last}");
    fs::write(at("s.terrain.json"), r#"{ "terrain": 1, "plane": { "slope": 5 } }"#).expect("a terrain");
    let (_, uphill) = walk(&["--steps", "4", "--terrain", "s.terrain.json", "--first", "right"]);
    assert!(uphill.footprints[5].position.y > 0.05);
}

#[test]
fn a_skeleton_of_a_file_is_driven() {
    let folder = folder();
    let at = |name: &str| folder.path().join(name);
    result(&["gait", "walk", "--height", "1.5", "--steps", "2", "-o", "own.bvh"], folder.path());
    let printed = result(&["gait", "run", "--on", "own.bvh", "--steps", "6", "-o", "on.glb"], folder.path());
    assert!((printed["height"].as_f64().expect("a height") - 1.5).abs() < 1e-3, "{printed}");
    assert!(largest_error_mm(&at("on.glb"), None) < 0.01);
}

#[test]
fn recordings_are_laid_over_the_plot() {
    let folder = folder();
    result(&["gait", "walk", "--speed", "4", "--steps", "6", "-o", "slow.glb"], folder.path());
    let arguments = ["gait", "walk", "--steps", "6", "-o", "w.bvh", "--plot", "w.svg", "--compare", "slow.glb"];
    result(&arguments, folder.path());
    assert!(fs::read_to_string(folder.path().join("w.svg")).expect("a plot").contains("slow, "));
}

#[test]
fn the_list_has_every_parameter_attribute_and_preset() {
    let folder = folder();
    let all = result(&["gait", "list", "--plot", "relations.svg"], folder.path());
    let n = |what: &Value| what.as_array().map_or(0, Vec::len);
    assert_eq!((n(&all["walk"]["parameters"]), n(&all["walk"]["attributes"])), (3, 15));
    assert_eq!((n(&all["run"]["parameters"]), n(&all["run"]["attributes"])), (5, 19));
    assert_eq!(n(&all["presets"]), 16);
    assert!(fs::read_to_string(folder.path().join("relations.svg")).expect("a plot").starts_with("<svg"));
    assert_eq!(all["picture"], "relations.svg");
    assert_eq!(
        (&all["walk"]["parameters"][0]["name"], &all["walk"]["parameters"][0]["unit"]),
        (&"speed".into(), &"km/h".into())
    );
    let presets = result(&["gait", "list", "presets", "--report", "list.json"], folder.path());
    assert!(folder.path().join("list.json").is_file());
    assert!(presets["walk"].is_null() && presets["presets"].is_array());
    let text = surefoot().args(["gait", "list", "run", "--height", "1.7"]).assert().success();
    let text = String::from_utf8_lossy(&text.get_output().stdout).into_owned();
    assert!(
        text.contains("--flight-height") && text.contains("overstride") && !text.contains("toe-clearance"),
        "{text}"
    );
}

#[test]
fn wrong_usage_is_reported_and_writes_nothing() {
    let folder = folder();
    let at = |name: &str| folder.path().join(name);
    let far = r#"{ "footplan": 1, "footprints": [{ "foot": "left", "position": [0.1, 0, 0] },
        { "foot": "right", "position": [-0.1, 0, 0] }, { "foot": "left", "position": [0.1, 0, 1.9] }] }"#;
    fs::write(at("far.plan.json"), far).expect("a plan");
    fs::write(at("my.toml"), "styles = 1\n[walk.mine]\nspeed = 3\nset = { arm-swng = 0.2 }\n").expect("styles");
    fs::write(at("there.bvh"), "").expect("a file");
    let before = fs::read_dir(folder.path()).expect("a folder").count();
    let cases: [(&str, &[&str]); 25] = [
        ("the speed of -5 km/h is out of range", &["walk", "--speed", "-5"]),
        ("'--standing <S>': a time in seconds from 0 to 600", &["walk", "--standing", "-1"]),
        ("--on names it", &["walk", "--unit", "cm"]),
        ("the speed of 15 km/h is out of range: 0.5 to 12 km/h", &["walk", "--speed", "15"]),
        ("'--speed <SPEED>': 5km/h", &["walk", "--speed", "fast"]),
        ("0.18 to 1.26 m", &["walk", "--step-length", "2"]),
        ("release", &["walk", "--speed", "5", "--step-length", "0.5", "--cadence", "100"]),
        ("speed, step-length or cadence", &["walk", "--lock", "arms"]),
        ("did you mean proud?", &["walk", "--preset", "prod"]),
        ("proud is a walk", &["run", "--preset", "proud"]),
        ("my.toml:4: ", &["walk", "--presets", "my.toml", "--preset", "mine"]),
        ("--set: arm-out cannot be 99: it takes 0 to 60 deg", &["walk", "--set", "arm-out=99"]),
        ("--set: arm-out is not given in m", &["walk", "--set", "arm-out=0.2m"]),
        ("did you mean arm-swing?", &["walk", "--set", "arm-swng=1"]),
        ("--height: height of a person is 3; it must be within 0.5 to 2.5", &["walk", "--height", "3"]),
        ("--body-shape: leg of a person is 2", &["walk", "--body-shape", "leg=2"]),
        ("the level of 2 is out of range: -1 to 1", &["run", "--level", "2"]),
        ("far.plan.json: footprints[2] is out of reach", &["walk", "--plan", "far.plan.json"]),
        ("cannot be used with", &["walk", "--plan", "far.plan.json", "--speed", "4"]),
        ("cannot be used with", &["walk", "--on", "there.bvh", "--height", "1.7"]),
        ("1 to 1000 ", &["walk", "--frame-rate", "0"]),
        ("from -60 to 60 would be right", &["walk", "--turn", "150"]),
        (".svg", &["walk", "--plot", "x.gif"]),
        ("two outputs", &["walk", "--contacts", "x.bvh"]),
        ("a complete stride", &["walk", "--steps", "1", "--plot", "x.svg"]),
    ];
    for (part, arguments) in cases {
        let printed = refused(&[&["gait"], arguments, &["-o", "x.bvh"]].concat(), folder.path());
        assert!(printed.contains(part), "{arguments:?}: {printed}");
    }
    assert!(refused(&["gait", "walk", "-o", "x.txt"], folder.path()).contains(".bvh, .glb, .gltf, .fbx or .take"));
    assert!(refused(&["gait", "walk", "-o", "there.bvh"], folder.path()).contains("--force"));
    assert!(refused(&["gait", "list", "--height", "9"], folder.path()).contains("0.5 to 3 m"));
    assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), before, "nothing was written");
}

#[test]
fn the_same_request_writes_the_same_bytes() {
    let folder = folder();
    let make = |name: &str| {
        result(&["gait", "walk", "--preset", "happy", "--steps", "4", "--name", "happy", "-o", name], folder.path());
        fs::read(folder.path().join(name)).expect("an output")
    };
    assert_eq!(make("a.glb"), make("b.glb"));
}

#[test]
fn every_part_has_a_man_page() {
    let folder = folder();
    surefoot().arg("man").arg(folder.path()).assert().success();
    let page = fs::read_to_string(folder.path().join("surefoot-gait-walk.1")).expect("a page");
    assert!(page.contains("step\\-length"), "{page}");
}
