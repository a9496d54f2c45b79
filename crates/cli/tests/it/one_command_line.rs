//! One name for one thing in every command: outputs, formats, reports, quiet and verbose, and the old spellings.

use assert_cmd::Command;
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::sync::OnceLock;
use tempfile::TempDir;

fn surefoot() -> Command {
    Command::cargo_bin("surefoot").expect("the binary")
}

/// A walk, made once.
fn walk() -> &'static [u8] {
    static WALK: OnceLock<Vec<u8>> = OnceLock::new();
    WALK.get_or_init(|| {
        let folder = tempfile::tempdir().expect("a folder");
        surefoot().args(["demo", "--only", "cleanup"]).arg(folder.path()).assert().success();
        fs::read(folder.path().join("walk.bvh")).expect("the walk")
    })
}

/// A folder with the walk and a path.
fn folder() -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("walk.bvh"), walk()).expect("a file");
    fs::write(folder.path().join("l.path.json"), "{ \"path\": 1, \"points\": [[1, 1], [1, 3], [4, 3]] }")
        .expect("a file");
    folder
}

/// The words of a command line, run in a folder.
fn run(folder: &Path, words: &str) -> std::process::Output {
    surefoot().current_dir(folder).args(words.split_whitespace()).output().expect("the command runs")
}

fn succeed(folder: &Path, words: &str) -> std::process::Output {
    let output = run(folder, words);
    assert!(output.status.success(), "{words}: {}", String::from_utf8_lossy(&output.stderr));
    output
}

fn json(bytes: &[u8]) -> Value {
    serde_json::from_slice(bytes).unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(bytes)))
}

/// One call of every converted command that writes a motion.
const EDITS: [&str; 5] = [
    "convert walk.bvh",
    "clean walk.bvh",
    "retarget walk.bvh --on walk.bvh",
    "warp-path walk.bvh --path l.path.json",
    "signal filter walk.bvh --lowpass 6",
];

#[test]
fn standard_output_takes_every_format() {
    let folder = folder();
    for words in EDITS {
        for (format, magic) in [("bvh", "HIERARCHY"), ("glb", "glTF"), ("gltf", "{")] {
            let output = succeed(folder.path(), &format!("{words} -o - --to {format}"));
            assert!(output.stdout.starts_with(magic.as_bytes()), "{words} {format}");
        }
        let take = succeed(folder.path(), &format!("{words} -o - --to take")).stdout;
        surefoot().args(["info", "-"]).write_stdin(take).assert().success();
    }
    let svg = succeed(folder.path(), "render walk.bvh -o - --to svg").stdout;
    assert!(svg.starts_with(b"<svg"));
}

#[test]
fn a_report_file_is_what_json_prints() {
    let folder = folder();
    let others = [
        "info walk.bvh",
        "contacts walk.bvh",
        "measure walk.bvh",
        "plan extract walk.bvh -o p.plan.json",
        "render walk.bvh -o p.png",
    ];
    let edits = EDITS.map(|words| format!("{words} -o out.bvh"));
    for words in others.iter().map(ToString::to_string).chain(edits) {
        let output = succeed(folder.path(), &format!("{words} --force --json --report r.json"));
        let (printed, stored) =
            (json(&output.stdout), json(&fs::read(folder.path().join("r.json")).expect("a report")));
        assert_eq!(printed, stored, "{words}");
        assert_eq!(printed["surefoot"], 2);
    }
}

#[test]
fn quiet_prints_nothing_but_errors_and_verbose_prints_the_request() {
    let folder = folder();
    let printed = |words: &str| String::from_utf8(run(folder.path(), words).stderr).expect("text");
    assert_eq!(printed("clean walk.bvh -o a.bvh --quiet"), "");
    assert!(printed("clean walk.bvh -o a.bvh --quiet").contains("exists already"));
    let usual = printed("clean walk.bvh -o b.bvh");
    assert!(usual.contains("wrote b.bvh") && !usual.contains("\"output\""), "{usual}");
    let verbose = printed("clean walk.bvh -o c.bvh -v");
    assert!(verbose.contains("\"output\"") && verbose.contains("wrote c.bvh"), "{verbose}");
    assert_eq!(run(folder.path(), "clean walk.bvh -o d.bvh -v --quiet").status.code(), Some(2));
}

#[test]
fn quiet_prints_results_that_go_to_no_file_alone() {
    let folder = folder();
    let words = "corpus --kind forward --frame-rate 30 --quiet";
    assert!(!succeed(folder.path(), words).stdout.is_empty());
    let output = succeed(folder.path(), &format!("{words} -o c"));
    assert!(output.stdout.is_empty() && output.stderr.is_empty());
    assert!(folder.path().join("c").is_dir());
    let output = succeed(folder.path(), "man pages");
    assert!(String::from_utf8_lossy(&output.stderr).contains("files to pages"), "{output:?}");
    let files = json(&succeed(folder.path(), "man more --json").stdout)["result"]["files"].clone();
    assert!(files.as_array().is_some_and(|files| files.len() > 40), "{files}");
}

#[test]
fn a_result_is_not_written_over_another_kind_of_input() {
    let folder = folder();
    succeed(folder.path(), "plan steps l.path.json -o l.plan.json");
    for words in [
        "animate l.plan.json -o l.plan.json --to bvh",
        "gait walk --plan l.plan.json -o a.bvh --write-plan ./l.plan.json",
        "plan steps l.path.json -o l.path.json",
        "plan extract walk.bvh -o walk.bvh",
        "render walk.bvh -o a.png --report walk.bvh",
    ] {
        let refused = run(folder.path(), &format!("{words} --force"));
        let error = String::from_utf8_lossy(&refused.stderr).into_owned();
        assert!(refused.status.code() == Some(2) && error.contains("is an input"), "{words}: {error}");
    }
    assert_eq!(fs::read(folder.path().join("walk.bvh")).expect("the walk"), walk());
    // An edited motion may take the place of the one that was read.
    succeed(folder.path(), "clean walk.bvh -o walk.bvh --force");
}

#[test]
fn everything_that_was_written_is_listed() {
    let folder = folder();
    let words = "clean walk.bvh -o a.glb --write-contacts a.contacts.json --picture a.svg --report a.json";
    let printed = String::from_utf8(succeed(folder.path(), words).stderr).expect("text");
    for name in ["a.glb", "a.contacts.json", "a.svg", "a.json"] {
        assert!(printed.contains(&format!("wrote {name}")), "{name}: {printed}");
        assert!(folder.path().join(name).is_file());
    }
    let report = json(&fs::read(folder.path().join("a.json")).expect("a report"));
    let roles: Vec<&str> =
        report["result"]["files"].as_array().expect("a list").iter().filter_map(|file| file["role"].as_str()).collect();
    assert_eq!(roles, ["picture", "motion", "contacts"]);
}

#[test]
fn one_output_that_cannot_be_written_keeps_all_away_before_the_work() {
    let folder = folder();
    for bad in ["none/a.svg", "walk.bvh/a.svg", "old.svg"] {
        fs::write(folder.path().join("old.svg"), "old").expect("a file");
        let output = run(folder.path(), &format!("clean none.bvh -o a.bvh --picture {bad} --report a.json --json"));
        assert_eq!(output.status.code(), Some(2), "{bad}");
        // The output is refused before the input, which is not there, is looked for.
        let error = json(&output.stdout)["error"].clone();
        assert!(error["file"].as_str().is_some_and(|file| file.ends_with(bad)), "{bad}: {error}");
        assert_eq!(error["meaning"], "bad_input");
        assert!(!folder.path().join("a.bvh").exists() && !folder.path().join("a.json").exists());
    }
    let both = run(folder.path(), "clean walk.bvh -o - --json");
    assert_eq!(both.status.code(), Some(2));
    assert_eq!(json(&both.stdout)["error"]["kind"], "usage");
}

#[test]
fn old_spellings_do_what_they_did() {
    let folder = folder();
    for (old, new) in [
        ("bend walk.bvh --path l.path.json", "warp-path walk.bvh --path l.path.json"),
        ("retarget walk.bvh --to walk.bvh", "retarget walk.bvh --on walk.bvh"),
        ("convert walk.bvh --resample 30", "convert walk.bvh --frame-rate 30"),
        ("convert walk.bvh --fps 30", "convert walk.bvh --source-rate 30"),
        ("clean walk.bvh --plot p.svg", "clean walk.bvh --picture p.svg"),
        ("signal warp walk.bvh --to walk.bvh", "signal warp walk.bvh --pace walk.bvh"),
        (
            "signal transfer walk.bvh --from walk.bvh --to walk.bvh",
            "signal transfer walk.bvh --from walk.bvh --style walk.bvh",
        ),
    ] {
        succeed(folder.path(), &format!("{old} --force -o old.bvh"));
        succeed(folder.path(), &format!("{new} --force -o new.bvh"));
        let [old_bytes, new_bytes] =
            ["old.bvh", "new.bvh"].map(|name| fs::read(folder.path().join(name)).expect("a motion"));
        assert_eq!(old_bytes, new_bytes, "{old}");
    }
    succeed(folder.path(), "render walk.bvh --frames 2 --ground 0.02 -o old.svg");
    succeed(folder.path(), "render walk.bvh --frames 2 --terrain flat:0.02 -o new.svg");
    let [old, new] = ["old.svg", "new.svg"].map(|name| fs::read(folder.path().join(name)).expect("a picture"));
    assert_eq!(old, new);
    // Hidden, so that help has one name for one thing.
    for (command, hidden) in [
        ("convert", "--resample"),
        ("clean", "--plot"),
        ("convert", "--fps"),
        ("render", "--ground"),
        ("steps build", "--skeleton"),
        ("evaluate", "--skeleton"),
        ("steps build", "--level "),
        ("graph follow", "--start "),
    ] {
        let help = String::from_utf8(succeed(folder.path(), &format!("{command} --help")).stdout).expect("text");
        assert!(!help.contains(hidden), "{command} {hidden}");
    }
    let refused = run(folder.path(), "gait walk --fps 30 -o a.bvh");
    assert!(String::from_utf8_lossy(&refused.stderr).contains("--frame-rate is the rate of the motion"));
    let refused = run(folder.path(), "clean walk.bvh -o a.bvh --to walk.bvh");
    assert!(String::from_utf8_lossy(&refused.stderr).contains("--to names a format"));
}

#[test]
fn one_range_of_frame_rates_in_every_command() {
    let folder = folder();
    succeed(folder.path(), "plan steps l.path.json -o l.plan.json");
    for words in [
        "animate l.plan.json -o a.bvh --frame-rate",
        "gait walk -o a.bvh --frame-rate",
        "go l.scene.json -o a.bvh --frame-rate",
        "graph build walk.bvh -o a.graph --frame-rate",
        "corpus -o c --frame-rate",
        "convert walk.bvh -o a.bvh --frame-rate",
        "convert walk.bvh -o a.bvh --source-rate",
        "convert walk.bvh -o a.bvh --sample-rate",
        "plan extract walk.bvh -o a.plan.json --source-rate",
    ] {
        for wrong in ["0.5", "1001", "-3", "nan", "fast"] {
            let refused = run(folder.path(), &format!("{words} {wrong}"));
            let error = String::from_utf8_lossy(&refused.stderr).into_owned();
            let right = "a number of frames per second from 1 to 1000 would be right";
            assert!(refused.status.code() == Some(2) && error.contains(right), "{words} {wrong}: {error}");
        }
    }
}

#[test]
fn a_height_field_that_is_left_is_reported() {
    let folder = folder();
    let field = r#"{ "terrain": 1, "height_field": { "origin": [0, 0], "spacing": 1, "heights": [[0, 0, 0], [0, 0, 0], [0, 0, 0]] } }"#;
    fs::write(folder.path().join("small.terrain.json"), field).expect("a file");
    let scene = r#"{ "scene": 1, "bounds": [[0, 0], [5, 0], [5, 4], [0, 4]], "start": { "position": [1, 1] },
        "goal": { "position": [4, 3] } }"#;
    fs::write(folder.path().join("l.scene.json"), scene).expect("a file");
    succeed(folder.path(), "plan steps l.path.json -o l.plan.json");
    let footprint = "] is outside the height field: the ground there is taken to be as high as its border";
    let frame = "a foot is outside the height field in frame";
    for (words, what) in [
        ("animate l.plan.json -o a.bvh", footprint),
        ("gait walk --plan l.plan.json -o a.bvh", footprint),
        ("go l.scene.json -o a.bvh", footprint),
        ("plan steps l.path.json -o b.plan.json", footprint),
        ("clean walk.bvh -o a.bvh", frame),
        ("retarget walk.bvh --on walk.bvh -o a.bvh", frame),
        ("warp-path walk.bvh --path l.path.json -o a.bvh", frame),
        ("measure walk.bvh", frame),
        ("render walk.bvh -o a.png", frame),
        ("graph follow corpus l.path.json -o a.bvh", frame),
    ] {
        let force = if words.starts_with("measure") { "" } else { "--force" };
        let output = run(folder.path(), &format!("{words} --terrain small.terrain.json {force}"));
        let printed = String::from_utf8_lossy(&output.stderr).into_owned() + &String::from_utf8_lossy(&output.stdout);
        assert!(output.status.code().is_some_and(|code| code < 2) && printed.contains(what), "{words}: {printed}");
    }
    let inside = succeed(folder.path(), "animate l.plan.json --terrain flat -o a.bvh --force");
    assert!(!String::from_utf8_lossy(&inside.stderr).contains("height field"));
}

#[test]
fn a_plan_is_not_written_under_the_ending_of_a_motion() {
    let folder = folder();
    for words in ["plan extract walk.bvh -o a.bvh", "plan steps l.path.json -o a.glb"] {
        let refused = run(folder.path(), words);
        let error = String::from_utf8_lossy(&refused.stderr).into_owned();
        assert!(refused.status.code() == Some(2) && error.contains("the ending .plan.json would be right"), "{error}");
    }
}

#[test]
fn a_gate_that_fails_is_exit_code_1() {
    let folder = folder();
    fs::write(folder.path().join("gate.toml"), "gate = 1\n[limits]\ndrift_max = 0.000001\n").expect("a file");
    let output = run(folder.path(), "measure walk.bvh --gate gate.toml --json");
    assert_eq!(output.status.code(), Some(1), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(json(&output.stdout)["result"]["gate"]["passed"], false);
}
