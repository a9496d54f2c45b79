//! `surefoot plan path`, `plan steps` and `go` as a user meets them.

use assert_cmd::Command;
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use surefoot::formats::own::{read_contacts, read_path, read_plan};
use tempfile::TempDir;

fn surefoot(folder: &Path) -> Command {
    let mut command = Command::cargo_bin("surefoot").expect("the binary");
    command.current_dir(folder);
    command
}

const ROOM: &str = r#"{ "scene": 1, "bounds": [[-4, -3], [4, -3], [4, 3], [-4, 3]],
  "obstacles": [ { "outline": [[-0.5, -1], [0.5, -1], [0.5, 1], [-0.5, 1]], "height": 1 } ],
  "start": { "position": [-3, 0], "heading": 0 },
  "goal": { "position": [3, 0] } }"#;

/// A folder with a scene.
fn folder() -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("my.scene.json"), ROOM).expect("a file");
    folder
}

fn example(name: &str) -> String {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(format!("../../examples/{name}.scene.json"));
    path.display().to_string()
}

fn json_of(folder: &Path, arguments: &[&str]) -> (Value, i32) {
    let output = surefoot(folder).args(arguments).arg("--json").output().expect("the command runs");
    let value = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(&output.stderr)));
    (value, output.status.code().expect("an exit code"))
}

/// Runs a command that is refused; what it prints.
fn refused(folder: &Path, arguments: &[&str]) -> String {
    let output = surefoot(folder).args(arguments).output().expect("the command runs");
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{arguments:?}: {error}");
    error
}

#[test]
fn a_scene_becomes_a_path_and_the_path_becomes_steps() {
    let folder = folder();
    let at = |name: &str| folder.path().join(name);
    let picture = ["--picture", "my.svg"];
    let path = ["plan", "path", "my.scene.json", "-o", "my.path.json"];
    let (value, code) = json_of(folder.path(), &[&path[..], &picture[..]].concat());
    let result = &value["result"];
    assert_eq!((code, &value["command"]), (0, &Value::from("plan path")), "{value}");
    let length = result["length_m"].as_f64().expect("a length");
    assert!(length > 6.0 && length < 8.0 && result["least_clearance_m"].as_f64().expect("one") >= 0.3, "{result}");
    let drawn = read_path(&fs::read(at("my.path.json")).expect("a path")).expect("a path");
    assert!((drawn.length() - length).abs() < 1e-6 && result["points"] == drawn.points.len());
    assert!(fs::read_to_string(at("my.svg")).expect("a picture").contains("corridor"));

    let steps = ["plan", "steps", "my.path.json", "--scene", "my.scene.json", "-o", "my.plan.json", "--speed", "4km/h"];
    let (value, code) = json_of(folder.path(), &[&steps[..], &["--picture", "my.png"][..]].concat());
    let result = &value["result"];
    assert_eq!((code, &value["command"]), (0, &Value::from("plan steps")), "{value}");
    let plan = read_plan(&fs::read(at("my.plan.json")).expect("a plan")).expect("a plan");
    assert_eq!(result["footprints"], plan.footprints.len());
    assert!((result["full_step_m"].as_f64().expect("a step") - 0.693).abs() < 1e-3, "GAIT's own example: {result}");
    let first = &plan.footprints[..2];
    let facing = first[0].heading.expect("one").midpoint(first[1].heading.expect("one"));
    assert!(facing.abs() < 1e-9, "as the scene's start says: {facing}");
    assert!(fs::read(at("my.png")).expect("a picture").starts_with(b"\x89PNG"));
    // Either can go to standard output.
    let path = surefoot(folder.path()).args(["plan", "path", "my.scene.json", "-o", "-"]).output().expect("it runs");
    assert_eq!(path.stdout, fs::read(at("my.path.json")).expect("a path"));
    // The plan can be walked.
    surefoot(folder.path()).args(["animate", "my.plan.json", "-o", "my.bvh"]).assert().success();
    // Without a scene there is nothing to turn or to give way for; and an output is not replaced by accident.
    let plain = ["plan", "steps", "my.path.json", "-o", "my.plan.json"];
    assert!(refused(folder.path(), &plain).contains("my.plan.json: exists already; --force"));
    let (value, code) = json_of(folder.path(), &[&plain[..], &["--force", "--picture", "other.svg"][..]].concat());
    assert_eq!((code, &value["result"]["moved"]), (0, &Value::Array(Vec::new())), "{value}");
}

#[test]
fn a_scene_is_walked_in_one_command_by_each_synthesiser() {
    let folder = folder();
    let at = |name: &str| folder.path().join(name);
    for with in ["steps", "graph", "gait"] {
        let arguments = [
            "go",
            "my.scene.json",
            "--with",
            with,
            "-o",
            "my.bvh",
            "--picture",
            "my.png",
            "--contacts",
            "my.contacts.json",
            "--write-path",
            "my.path.json",
            "--write-plan",
            "my.plan.json",
            "--force",
        ];
        let (value, code) = json_of(folder.path(), &arguments);
        let result = &value["result"];
        assert_eq!((code, &result["with"]), (0, &Value::from(with)), "{value}");
        assert_eq!((&result["touches"]["frames"], &result["touches"]["first"]), (&0.into(), &Value::Null), "{with}");
        assert_eq!(result["graph"].is_null(), with != "graph");
        assert_eq!(result["largest_placement_error_mm"].is_null(), with == "graph");
        let contacts = read_contacts(&fs::read(at("my.contacts.json")).expect("contacts")).expect("contacts");
        assert_eq!(result["motion"]["frames"], contacts.n_frames);
        let plan = read_plan(&fs::read(at("my.plan.json")).expect("a plan")).expect("a plan");
        assert_eq!(result["footprints"], plan.footprints.len());
        read_path(&fs::read(at("my.path.json")).expect("a path")).expect("a path");
        assert!(fs::read_to_string(at("my.bvh")).expect("a motion").starts_with("HIERARCHY"));
        assert!(fs::read(at("my.png")).expect("a picture").starts_with(b"\x89PNG"));
    }
}

#[test]
fn who_is_in_a_hurry_runs_and_leaps_over_ditches() {
    let folder = folder();
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).expect("written");
    write("my.path.json", r#"{"path": 1, "points": [[0, 0], [0, 12]]}"#);
    let ditch = |row: usize| if (80..100).contains(&row) { -1.0 } else { 0.0 };
    let rows: Vec<String> = (0..280).map(|row| format!("[{}]", vec![ditch(row).to_string(); 81].join(", "))).collect();
    let field = format!(r#""origin": [-2, -1], "spacing": 0.05, "heights": [{}]"#, rows.join(", "));
    write("ditch.terrain.json", &format!(r#"{{"terrain": 1, "height_field": {{{field}}}}}"#));
    let steps = ["plan", "steps", "my.path.json", "-o", "my.plan.json", "--speed", "11km/h", "--force"];
    let count = |more: &[&str]| -> [usize; 2] {
        let (value, code) = json_of(folder.path(), &[&steps[..], more].concat());
        assert_eq!(code, 0, "{value}");
        let animated = ["animate", "my.plan.json", "-o", "my.bvh", "--force"];
        let (value, code) = json_of(folder.path(), &[&animated[..], more].concat());
        assert_eq!(code, 0, "{value}");
        assert_ne!(value["result"]["verdict"]["grade"], "poor", "{}", value["result"]["verdict"]);
        let rows = value["result"]["each"].as_array().expect("rows").clone();
        ["run", "jump"].map(|behaviour| rows.iter().filter(|row| row["behaviour"] == behaviour).count())
    };
    let [runs, jumps] = count(&[]);
    assert!(runs >= 6 && jumps == 0, "{runs} {jumps}");
    let [runs, jumps] = count(&["--terrain", "ditch.terrain.json"]);
    assert!(runs >= 6 && jumps == 1, "{runs} {jumps}");
    for with in ["steps", "gait"] {
        let go = [
            "go",
            "my.scene.json",
            "--with",
            with,
            "--speed",
            "10km/h",
            "-o",
            "go.bvh",
            "--force",
            "--write-plan",
            "go.plan.json",
        ];
        let (value, code) = json_of(folder.path(), &go);
        assert_eq!(code, 0, "{value}");
        let rows = value["result"]["each"].as_array().expect("rows").clone();
        assert!(rows.iter().filter(|row| row["behaviour"] == "run").count() >= 3, "{with}: {rows:?}");
    }
}

#[test]
fn the_console_prints_what_was_done() {
    let folder = folder();
    let printed = surefoot(folder.path())
        .args(["go", "my.scene.json", "--with", "gait", "-o", "my.glb", "--start=-3,-2", "--goal", "3,2"])
        .output()
        .expect("the command runs");
    let text = String::from_utf8_lossy(&printed.stderr);
    for words in [
        "verdict: ",
        "my.scene.json: a path of",
        "walked with gait",
        "placement: every ball within",
        "touches nothing",
        "wrote my.glb",
    ] {
        assert!(text.contains(words), "{words}: {text}");
    }
    assert!(printed.stdout.is_empty() && printed.status.success());
}

#[test]
fn a_walk_that_touches_is_written_and_fails_the_gate() {
    let folder = folder();
    let narrow = ROOM.replace(
        r#""obstacles": ["#,
        r#""obstacles": [ { "outline": [[-0.5, 1.42], [0.5, 1.42], [0.5, 3], [-0.5, 3]] },
          { "outline": [[-0.5, -3], [0.5, -3], [0.5, -1.05], [-0.5, -1.05]] },"#,
    );
    fs::write(folder.path().join("narrow.scene.json"), narrow).expect("a file");
    let go = ["go", "narrow.scene.json", "--with", "gait", "-o", "my.bvh", "--clearance", "0.2", "--picture", "my.svg"];
    let (value, code) = json_of(folder.path(), &go);
    assert_eq!(code, 1, "{value}");
    let deepest = &value["result"]["touches"]["deepest"][0];
    assert!(deepest["part"].as_str().is_some_and(|part| part.ends_with("arm")), "{deepest}");
    assert!(deepest["depth_mm"].as_f64().is_some_and(|depth| depth > 20.0), "{deepest}");
    assert!(folder.path().join("my.bvh").exists(), "outputs are written");
    assert!(fs::read_to_string(folder.path().join("my.svg")).expect("a picture").contains("arm"), "and it is shown");
    // A request for more room is refused.
    let error = refused(folder.path(), &["go", "narrow.scene.json", "--with", "gait", "-o", "other.bvh"]);
    assert!(
        error.contains("narrow.scene.json: the goal is closed off: the widest path to it is 0.420 m wide"),
        "{error}"
    );
}

#[test]
fn a_walk_that_misses_the_goal_is_written_and_fails_the_gate() {
    let folder = folder();
    // Who walks straight on only does not come round a wall; there is room enough to touch nothing.
    let wide = r#"{ "scene": 1, "bounds": [[-40, -40], [40, -40], [40, 40], [-40, 40]],
      "obstacles": [ { "outline": [[-1, -6], [1, -6], [1, 6], [-1, 6]] } ],
      "start": { "position": [-8, 0] }, "goal": { "position": [8, 0] } }"#;
    fs::write(folder.path().join("wide.scene.json"), wide).expect("a file");
    let made = |arguments: &[&str]| surefoot(folder.path()).args(arguments).assert().success();
    made(&["gait", "walk", "-o", "straight.bvh"]);
    made(&["graph", "build", "straight.bvh", "-o", "straight.graph"]);
    let go = ["go", "wide.scene.json", "--with", "graph", "--graph", "straight.graph", "-o", "my.bvh", "--force"];
    let (value, code) = json_of(folder.path(), &go);
    let result = &value["result"];
    assert_eq!((code, &result["graph"]["reached_goal"]), (1, &Value::from(false)), "{value}");
    assert!(result["graph"]["goal_distance_m"].as_f64().is_some_and(|missed| missed > 5.0), "{value}");
    assert_eq!(result["touches"]["frames"], 0, "{value}");
    let printed = surefoot(folder.path()).args(go).args(["--picture", "my.svg"]).output().expect("the command runs");
    let text = String::from_utf8_lossy(&printed.stderr);
    assert!(text.contains("misses the goal; ") && text.contains("the walk ends "), "{text}");
    assert!(folder.path().join("my.bvh").exists(), "outputs are written");
    assert!(fs::read_to_string(folder.path().join("my.svg")).expect("a picture").contains("m from the goal"));
}

#[test]
fn what_has_no_path_is_refused_reported_and_shown() {
    let folder = folder();
    let at = |name: &str| folder.path().join(name);
    let write = |change: &[(&str, &str)]| {
        let text = change.iter().fold(ROOM.to_string(), |text, (from, to)| {
            assert!(text.contains(from), "{from}");
            text.replace(from, to)
        });
        fs::write(at("bad.scene.json"), text).expect("a file");
    };
    let check = |change: &[(&str, &str)], words: &str| {
        write(change);
        for command in [&["plan", "path"][..], &["go", "--with", "gait"][..]] {
            let output = if command[0] == "go" { "my.bvh" } else { "my.path.json" };
            let arguments =
                [command, &["bad.scene.json", "-o", output, "--picture", "bad.svg", "--force"][..]].concat();
            let error = refused(folder.path(), &arguments);
            assert!(error.contains("bad.scene.json") && error.contains(words), "{words}: {error}");
            assert!(!at(output).exists(), "nothing but the picture is written");
            let picture = fs::read_to_string(at("bad.svg")).expect("the place is shown");
            assert!(picture.contains("#d91e2b"), "marked in red: {words}");
            fs::remove_file(at("bad.svg")).expect("a picture");
        }
    };
    check(&[("[3, 0]", "[0, 0.5]")], "goal: lies in obstacles[0]");
    check(&[("[-3, 0]", "[-9, 0]")], "start: lies outside the bounds");
    check(&[("[3, 0]", "[3.9, 0]")], "goal: [3.900, 0.000] is 0.100 m from bounds");
    check(
        &[("[-0.5, -1], [0.5, -1], [0.5, 1], [-0.5, 1]", "[-0.5, -3], [0.5, -3], [0.5, 3], [-0.5, 3]")],
        "closed off",
    );
    check(
        &[("[0.5, -1], [0.5, 1], [-0.5, 1]", "[0.5, 1], [0.5, -1], [-0.5, 1]")],
        "obstacles[0]: the edges from points 0 and 2 cross or touch at [0.000, 0.000]",
    );
    check(&[("[4, 3], [-4, 3]", "[-4, 3], [4, 3]")], "bounds: the edges");
    let line = {
        write(&[("[3, 0]", "[0, 0.5]")]);
        refused(folder.path(), &["plan", "path", "bad.scene.json", "-o", "x"])
    };
    assert!(line.contains("bad.scene.json:4: goal"), "the line of the field: {line}");
}

#[test]
fn places_on_the_command_line_take_the_place_of_the_scenes() {
    let folder = folder();
    let path = |more: &[&'static str]| {
        [&["plan", "path", "my.scene.json", "-o", "my.path.json", "--force"][..], more].concat()
    };
    for (more, words) in [
        (&["--goal", "0,0"][..], "my.scene.json: --goal: [0.000, 0.000] lies in obstacles[0]"),
        (&["--start=9,0"][..], "my.scene.json: --start: [9.000, 0.000] lies 5.000 m outside the bounds"),
        (&["--goal=-3,0"][..], "start and goal are both at [-3.000, 0.000]"),
        (&["--goal", "here"][..], "two numbers such as 1.5,-2 would be right"),
        (&["--goal", "1e300,0"][..], "too far away to mean anything; at most 1000000 m"),
        (&["--clearance", "NaN"][..], "a length from 0 to 100 m would be right"),
        (&["--clearance", "-1"][..], "a length from 0 to 100 m would be right"),
        (&["--shyness", "99"][..], "a length from 0 to 10 m would be right"),
        (&["--picture", "my.gif"][..], ".png or .svg would"),
        (&["--picture", "my.path.json"][..], "is named for two outputs"),
    ] {
        let error = refused(folder.path(), &path(more));
        assert!(error.contains(words), "{words}: {error}");
    }
    // A bad place of the file does not matter where another is given; a missing one is asked for.
    let text = ROOM.replace("[3, 0]", "[0, 0]");
    fs::write(folder.path().join("my.scene.json"), text).expect("a file");
    surefoot(folder.path()).args(path(&["--goal", "3,1"])).assert().success();
    fs::write(
        folder.path().join("my.scene.json"),
        ROOM.replace(r#""goal": { "position": [3, 0] }"#, r#""terrain": { "flat": { "height": 0 } }"#),
    )
    .expect("a file");
    let error = refused(folder.path(), &path(&[]));
    assert!(error.contains("my.scene.json: the scene has no goal, and none is given; --goal gives one"), "{error}");
}

#[test]
fn paths_that_leave_their_scene_are_refused_with_the_point() {
    let folder = folder();
    let write = |points: &str| {
        fs::write(folder.path().join("my.path.json"), format!("{{ \"path\": 1, \"points\": [{points}] }}"))
            .expect("a file");
    };
    let steps = |more: &[&'static str]| {
        [&["plan", "steps", "my.path.json", "-o", "my.plan.json", "--force"][..], more].concat()
    };
    let scene = ["--scene", "my.scene.json", "--picture", "bad.svg"];
    for (points, words) in [
        ("[-3, 0], [-3, 5]", "my.path.json: points[1] at [-3.000, 5.000] lies outside the bounds (my.scene.json)"),
        ("[-3, 0], [0, 0.1]", "my.path.json: points[1] at [0.000, 0.100] lies in obstacles[0]"),
        ("[-3, 0], [3, 0]", "from points[0] the path leads through obstacles[0] at"),
    ] {
        write(points);
        let error = refused(folder.path(), &steps(&scene));
        assert!(error.contains(words), "{words}: {error}");
        assert!(fs::read_to_string(folder.path().join("bad.svg")).expect("a picture").contains("#d91e2b"));
    }
    // A path that stays in the scene, but leaves no room for a foot.
    write("[-3, 2.99], [3, 2.99]");
    let error = refused(folder.path(), &steps(&scene));
    assert!(error.contains("finds no free place: the bounds are too near"), "{error}");
    write("[0, 0], [0, 0]");
    assert!(refused(folder.path(), &steps(&[])).contains("my.path.json:1: points: points[1] repeats points[0]"));
    write("[0, 0], [0, 3]");
    for (more, words) in [
        (&["--speed", "40km/h"][..], "--speed: "),
        (&["--height", "7"][..], "--height: "),
        (&["--scene", "none.scene.json"][..], "none.scene.json"),
        (&["--terrain", "none.terrain.json"][..], "none.terrain.json"),
    ] {
        let error = refused(folder.path(), &steps(more));
        assert!(error.contains(words), "{words}: {error}");
    }
    // Of a single step there is nothing to tell but that.
    write("[0, 0], [0, 0.3]");
    let printed = surefoot(folder.path()).args(steps(&[])).output().expect("the command runs");
    let text = String::from_utf8_lossy(&printed.stderr);
    assert!(text.contains("my.path.json: 0.30 m, 4 footprints\n"), "{text}");
    write("[0, 0], [0, 90000]");
    assert!(refused(folder.path(), &steps(&[])).contains("at most 100000 are planned"));
}

#[test]
fn options_that_mean_nothing_together_are_mistakes() {
    let folder = folder();
    let go = |more: &[&'static str]| [&["go", "my.scene.json", "-o", "my.bvh"][..], more].concat();
    for (more, words) in [
        (&["--with", "gait", "--db", "x.steps"][..], "--db goes with --with steps, not with --with gait"),
        (&["--fit-path"][..], "--fit-path goes with --with graph, not with --with steps"),
        (&["--height", "1.7"][..], "--height goes with --with gait"),
        (&["--with", "graph", "--speed", "5"][..], "--speed does not go with --with graph"),
        (&["--with", "graph", "--abstraction", "x"][..], "pelvis, joints, extrema, gaussian, b-spline would be right"),
        (&["--db", "none.steps"][..], "none.steps"),
        (&["--with", "graph", "--graph", "my.scene.json"][..], "my.scene.json"),
        (&["--picture", "my.bvh"][..], "my.bvh: the ending names no picture format; .png or .svg would"),
        (&["--write-plan", "my.bvh"][..], "my.bvh: is named for two outputs"),
        (&["--with", "gait", "--speed", "60"][..], "--speed: "),
    ] {
        let error = refused(folder.path(), &go(more));
        assert!(error.contains(words), "{words}: {error}");
    }
    let (value, code) = json_of(folder.path(), &go(&["--with", "gait", "--goal", "0,0"]));
    assert_eq!((code, &value["error"]["kind"]), (2, &Value::from("no_path")), "{value}");
}

#[test]
fn the_examples_have_paths() {
    let folder = folder();
    for name in ["room", "slalom", "hall"] {
        let scene = example(name);
        surefoot(folder.path())
            .args(["plan", "path", &scene, "-o", "my.path.json", "--force", "--clearance", "0.55"])
            .assert()
            .success();
    }
}
