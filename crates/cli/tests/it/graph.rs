//! `surefoot graph` as a user meets it.

use assert_cmd::Command;
use serde_json::Value;
use std::fs;
use std::path::Path;
use tempfile::TempDir;

fn surefoot(arguments: &[&str], folder: &Path) -> std::process::Output {
    let mut command = Command::cargo_bin("surefoot").expect("the binary");
    command.args(arguments).current_dir(folder).output().expect("the command runs")
}

fn printed(output: &std::process::Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn json(output: &std::process::Output) -> Value {
    serde_json::from_slice(&output.stdout).expect("JSON")
}

const ZIGZAG: &str = r#"{ "path": 1, "points": [[0, 0], [1.5, 4], [-1, 7], [0, 10]] }"#;

/// The built-in graph and a path.
fn workshop() -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("z.path.json"), ZIGZAG).expect("a path");
    let output = surefoot(&["graph", "build", "-o", "x.graph"], folder.path());
    assert!(output.status.success(), "{}", printed(&output));
    folder
}

#[track_caller]
fn refused(arguments: &[&str], folder: &Path, words: &[&str]) {
    let output = surefoot(arguments, folder);
    assert_eq!(output.status.code(), Some(2), "{arguments:?}: {}", printed(&output));
    for word in words {
        assert!(printed(&output).contains(word), "{arguments:?}: {word}: {}", printed(&output));
    }
}

#[test]
fn a_graph_is_built_inspected_and_drawn() {
    let folder = workshop();
    let at = folder.path();
    // The old names of options still work.
    let old = ["--matrix", "old.png", "--mark", "--svg", "old.svg", "--dot", "old.dot"];
    assert!(surefoot(&[&["graph", "inspect", "x.graph"][..], &old].concat(), at).status.success());
    let outputs = ["--picture-matrix", "m.png", "--mark", "--picture", "g.svg", "--write-dot", "g.dot"];
    let output = surefoot(&[&["graph", "inspect", "x.graph"][..], &outputs].concat(), at);
    assert!(output.status.success(), "{}", printed(&output));
    assert!(
        printed(&output).contains("wrote m.png") && printed(&output).contains("wrote g.svg"),
        "{}",
        printed(&output)
    );
    assert_eq!(fs::read(at.join("old.dot")).expect("old"), fs::read(at.join("g.dot")).expect("new"));
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    for words in
        ["nodes", "keyframes", "within a clip", "back to itself", "Out-degrees", "sharp-left", "dead ends: none"]
    {
        assert!(text.contains(words), "{words}: {text}");
    }
    assert!(fs::read(at.join("m.png")).expect("a picture").starts_with(b"\x89PNG"));
    let svg = fs::read_to_string(at.join("g.svg")).expect("a drawing");
    assert!(svg.contains("tight-right") && svg.contains(" blends") && svg.len() < 300_000, "{}", svg.len());
    let dot = fs::read_to_string(at.join("g.dot")).expect("a graph");
    assert!(dot.starts_with("digraph motion {") && dot.contains("label=\"curve-left\""));
    let corpus = surefoot(&["graph", "inspect", "corpus", "--json"], at);
    assert_eq!(
        json(&corpus)["result"]["edges"],
        json(&surefoot(&["graph", "inspect", "--json"], at))["result"]["edges"]
    );
    let result = &json(&surefoot(&["graph", "inspect", "x.graph", "--json"], at))["result"];
    let (nodes, edges) = (result["nodes"].as_array().expect("nodes"), result["edges"].as_array().expect("edges"));
    assert_eq!(dot.matches(" -> ").count(), edges.len());
    let degrees: Vec<u64> =
        result["out_degrees"].as_array().expect("degrees").iter().filter_map(Value::as_u64).collect();
    assert_eq!(degrees.iter().sum::<u64>(), nodes.len() as u64);
    let by_degree: u64 = degrees.iter().enumerate().map(|(degree, count)| degree as u64 * count).sum();
    assert_eq!(by_degree, edges.len() as u64);
}

#[test]
fn clips_of_several_people_make_a_graph_and_bad_ones_are_named() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = folder.path();
    for (name, height, turn) in [("tall", "1.9", "0"), ("small", "1.5", "10")] {
        let file = format!("{name}.bvh");
        let walk = ["gait", "walk", "--steps", "10", "--turn", turn, "--height", height, "-o", &file];
        let output = surefoot(&walk, at);
        assert!(output.status.success(), "{}", printed(&output));
    }
    fs::write(at.join("torn.bvh"), "HIERARCHY\nROOT Hips\n{").expect("a file");
    let output =
        surefoot(&["graph", "build", "tall.bvh", "small.bvh", "torn.bvh", "--metric", "points", "-o", "x.graph"], at);
    assert!(output.status.success(), "{}", printed(&output));
    for words in
        ["left out: torn.bvh", "tall: resampled from 60 to 30", "small: played by the skeleton of tall", "blends"]
    {
        assert!(printed(&output).contains(words), "{words}: {}", printed(&output));
    }
    let again =
        surefoot(&["graph", "build", "tall.bvh", "small.bvh", "--metric", "points", "-o", "y.graph", "--json"], at);
    let result = &json(&again)["result"];
    assert!(result["metric"] == "points" && result["clips"][1]["name"] == "small", "{result}");
    assert_eq!(fs::read(at.join("x.graph")).expect("x"), fs::read(at.join("y.graph")).expect("y"), "the same bytes");
    // A floor that is given is where the clips are, whatever would be found.
    let sunk = ["graph", "build", "tall.bvh", "small.bvh", "--metric", "points", "--floor", "0.5", "-o", "sunk.graph"];
    assert!(surefoot(&sunk, at).status.success());
    assert_ne!(fs::read(at.join("x.graph")).expect("x"), fs::read(at.join("sunk.graph")).expect("sunk"));
    // A clip without a window is reported, and not that another threshold would keep it.
    let cut = surefoot(&["convert", "tall.bvh", "blink.bvh", "--slice", "100..112"], at);
    assert!(cut.status.success(), "{}", printed(&cut));
    let output = surefoot(&["graph", "build", "tall.bvh", "blink.bvh", "-o", "blink.graph"], at);
    assert!(
        printed(&output).contains("dead end: blink has 6 frames, too few for windows of 10"),
        "{}",
        printed(&output)
    );
    // A threshold that makes no loop is answered with one that does.
    let pca = ["graph", "build", "tall.bvh", "small.bvh", "--metric", "pca", "--components", "4", "-o", "z.graph"];
    let output = surefoot(&[&pca[..], &["--threshold", "1e-7"]].concat(), at);
    assert_eq!(output.status.code(), Some(2));
    let message = printed(&output);
    let enough = message.split("--threshold ").nth(1).and_then(|rest| rest.split(' ').next()).expect("a threshold");
    let output = surefoot(&[&pca[..], &["--threshold", enough]].concat(), at);
    assert!(output.status.success(), "{enough}: {}", printed(&output));
    // More clips than a table is wide.
    let many: Vec<&str> = std::iter::repeat_n("tall.bvh", 16).collect();
    let built = surefoot(&[&["graph", "build"][..], &many, &["-o", "many.graph"]].concat(), at);
    assert!(built.status.success(), "{}", printed(&built));
    let text = String::from_utf8_lossy(&surefoot(&["graph", "inspect", "many.graph"], at).stdout).into_owned();
    assert!(text.contains("within it, to others, from others") && text.contains(" 16  "), "{text}");
    refused(&["graph", "build", "torn.bvh", "-o", "t.graph"], at, &["no clip could be used", "torn.bvh"]);
    assert!(!at.join("t.graph").exists());
}

#[test]
fn a_path_is_followed_cleaned_and_fitted() {
    let folder = workshop();
    let at = folder.path();
    let follow = ["graph", "follow", "x.graph", "z.path.json"];
    let extra = ["-o", "w.bvh", "--picture", "w.svg", "--write-contacts", "w.contacts.json", "--report", "w.json"];
    let output = surefoot(&[&follow[..], &extra].concat(), at);
    assert!(output.status.success(), "{}", printed(&output));
    for words in ["edges tried", "blends", "cm from it on average", "integral", "--clean", "wrote w.bvh"] {
        assert!(printed(&output).contains(words), "{words}: {}", printed(&output));
    }
    let first = printed(&output).lines().next().unwrap_or_default().to_string();
    let first = first.strip_prefix("verdict: ").unwrap_or_else(|| panic!("the verdict first: {first}"));
    assert!(["good", "check", "poor"].iter().any(|grade| first.starts_with(grade)), "the verdict first: {first}");
    let report: Value = serde_json::from_slice(&fs::read(at.join("w.json")).expect("a report")).expect("JSON");
    assert!(first.starts_with(report["result"]["verdict"]["grade"].as_str().expect("a grade")), "{first}");
    assert!(report["result"]["metrics"].as_array().is_some_and(|metrics| metrics.len() > 20));
    assert!(fs::read_to_string(at.join("w.svg")).expect("a plot").contains("gaussian"));
    assert!(surefoot(&["measure", "w.bvh", "--contacts", "w.contacts.json"], at).status.success());
    let deviation = |more: &[&str]| {
        let output = surefoot(&[&follow[..], &["-o", "v.glb", "--force", "--json"], more].concat(), at);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
        let result = json(&output)["result"].clone();
        (
            result["deviation"]["nearest_mean"].as_f64().expect("metres"),
            result["drift"].as_f64().expect("metres"),
            result,
        )
    };
    let (plain, drift, result) = deviation(&[]);
    let (fitted, clean_drift, _) = deviation(&["--fit-path", "--clean"]);
    assert!(plain < 0.1 && fitted < 0.05, "{plain} {fitted}");
    assert!(clean_drift < 1e-6 && drift > 1e-3, "{drift} {clean_drift}");
    assert_eq!(result["start"], 0);
    let (_, _, one) = deviation(&["--seed", "1", "--abstraction", "pelvis"]);
    let (_, _, two) = deviation(&["--seed", "2", "--abstraction", "pelvis"]);
    let (_, _, again) = deviation(&["--seed", "1", "--abstraction", "pelvis"]);
    assert!(one["start"] != two["start"] && one["edges"] == again["edges"]);
    // As the paper counts: a walk that is a little longer than its path ends before it does.
    let (_, _, travelled) = deviation(&["--progress", "travelled"]);
    assert_eq!([&result["progress"], &travelled["progress"]], ["nearest", "travelled"]);
    assert_ne!(travelled["edges"], result["edges"]);
    for abstraction in ["joints", "extrema", "b-spline"] {
        let (strayed, ..) = deviation(&["--abstraction", abstraction, "--look-ahead", "60", "--commit", "20"]);
        assert!(strayed < 0.15, "{abstraction}: {strayed}");
    }
    let from_corpus = surefoot(&["graph", "follow", "corpus", "z.path.json", "-o", "c.bvh"], at);
    assert!(from_corpus.status.success(), "{}", printed(&from_corpus));
    assert_eq!(fs::read(at.join("c.bvh")).expect("c"), fs::read(at.join("w.bvh")).expect("w"));
}

#[test]
fn wrong_usage_and_files_are_refused_with_what_would_be_right() {
    let folder = workshop();
    let at = folder.path();
    refused(&["graph", "build", "-o", "x.graph"], at, &["x.graph", "--force"]);
    refused(&["graph", "build", "nowhere.bvh", "-o", "y.graph"], at, &["nowhere.bvh"]);
    refused(&["graph", "build", "-o", "y.graph", "--components", "3"], at, &["--metric pca"]);
    refused(&["graph", "build", "-o", "y.graph", "--window", "0"], at, &["1 to 1000"]);
    refused(&["graph", "build", "-o", "y.graph", "--window", "-1"], at, &["1 to 1000"]);
    refused(&["graph", "build", "-o", "y.graph", "--frame-rate", "0"], at, &["1 to 1000"]);
    refused(&["graph", "build", "-o", "y.graph", "--frame-rate", "1001"], at, &["1 to 1000"]);
    refused(&["graph", "build", "-o", "y.graph", "--share", "0"], at, &["up to 100 percent"]);
    refused(&["graph", "build", "-o", "y.graph", "--threshold", "-1"], at, &["0 or more"]);
    refused(&["graph", "build", "-o", "y.graph", "--window", "400"], at, &["no clip has more than 400 frames"]);
    refused(&["graph", "inspect", "z.path.json"], at, &["no motion graph", "surefoot graph build"]);
    refused(&["graph", "inspect", "x.graph", "--matrix", "m.svg"], at, &[".png"]);
    refused(&["graph", "inspect", "x.graph", "--svg", "m.png"], at, &[".svg"]);
    let whole = fs::read(at.join("x.graph")).expect("a graph");
    fs::write(at.join("cut.graph"), &whole[..whole.len() / 2]).expect("a file");
    refused(&["graph", "inspect", "cut.graph"], at, &["cut.graph", "cut off"]);
    let mut flipped = whole.clone();
    flipped[whole.len() / 2] ^= 1;
    fs::write(at.join("bad.graph"), &flipped).expect("a file");
    refused(&["graph", "follow", "bad.graph", "z.path.json", "-o", "w.bvh"], at, &["bad.graph", "checksum"]);
    let follow = |more: &[&str], words: &[&str]| {
        let usual = ["graph", "follow", "x.graph", "z.path.json", "-o", "w.bvh"];
        refused(&[&usual[..], more].concat(), at, words);
    };
    follow(&["--look-ahead", "0"], &["--look-ahead 0", "1 to 1000"]);
    follow(&["--commit", "90"], &["--commit 90", "1 to 80"]);
    follow(&["--start-node", "100000"], &["--start-node 100000", "a node from 0 to "]);
    follow(&["--start", "100000"], &["--start-node 100000"]);
    follow(&["--start", "1", "--seed", "2"], &["cannot be used with"]);
    refused(&["graph", "follow", "x.graph", "z.path.json", "-o", "w.txt"], at, &[".bvh, .glb, .gltf, .fbx or .take"]);
    fs::write(at.join("dot.path.json"), r#"{ "path": 1, "points": [[0, 0]] }"#).expect("a path");
    refused(&["graph", "follow", "x.graph", "dot.path.json", "-o", "w.bvh"], at, &["dot.path.json", "two points"]);
    fs::write(at.join("far.path.json"), r#"{ "path": 1, "points": [[0, 0], [0, 90000]] }"#).expect("a path");
    refused(&["graph", "follow", "x.graph", "far.path.json", "-o", "w.bvh"], at, &["far.path.json", "cut the path"]);
    assert!(!at.join("w.bvh").exists() && !at.join("y.graph").exists());
    let output = surefoot(&["graph", "inspect", "cut.graph", "--json"], at);
    assert_eq!(json(&output)["error"]["kind"], "unexpected_eof");
}

#[test]
fn a_followed_path_lies_on_level_ground_or_is_refused() {
    let folder = workshop();
    let at = folder.path();
    let follow = |more: &[&str]| surefoot(&[&["graph", "follow", "x.graph", "z.path.json"][..], more].concat(), at);
    let on = |terrain: &str, file: &str| {
        let result = json(&follow(&["-o", file, "--terrain", terrain, "--json"]))["result"].clone();
        assert_eq!(result["lost_path"], Value::Null, "{result}");
        let value = |name: &str| {
            let rows = result["metrics"].as_array().expect("metrics");
            rows.iter().find(|row| row["name"] == name).and_then(|row| row["value"].as_f64()).expect("a number")
        };
        (result["ground_height"].as_f64().expect("metres"), value("penetration_max"), value("drift_max"))
    };
    let (low, high) = (on("flat", "low.bvh"), on("flat:0.35", "high.bvh"));
    assert_eq!((low.0, high.0), (0.0, 0.35));
    assert!((low.1 - high.1).abs() < 1e-6 && (low.2 - high.2).abs() < 1e-6, "measured on its ground: {low:?} {high:?}");
    assert_ne!(fs::read(at.join("low.bvh")).expect("low"), fs::read(at.join("high.bvh")).expect("high"));
    fs::write(
        at.join("steps.terrain.json"),
        r#"{ "terrain": 1, "stairs": { "start": [0, 6], "heading": 0, "tread": 0.3, "rise": 0.17, "steps": 3 } }"#,
    )
    .expect("a terrain");
    let uneven = follow(&["-o", "no.bvh", "--terrain", "steps.terrain.json"]);
    assert_eq!(uneven.status.code(), Some(2), "{}", printed(&uneven));
    for words in ["z.path.json", "not level", "m along it", "0.170 m"] {
        assert!(printed(&uneven).contains(words), "{words}: {}", printed(&uneven));
    }
    assert!(!at.join("no.bvh").exists());
    // One result can go to standard output, in any format.
    let bvh = follow(&["-o", "-", "--to", "bvh", "--terrain", "flat"]);
    assert!(bvh.status.success() && bvh.stdout == fs::read(at.join("low.bvh")).expect("low"), "{}", printed(&bvh));
    let take = follow(&["-o", "my.take"]);
    assert!(take.status.success(), "{}", printed(&take));
    let info = json(&surefoot(&["info", "my.take", "--json"], at))["result"].clone();
    assert_eq!((&info["has_contacts"], &info["unit"]), (&true.into(), &"m".into()), "{info}");
}

#[test]
fn a_lost_path_is_written_and_fails_the_gate() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = folder.path();
    assert!(surefoot(&["gait", "walk", "--steps", "12", "-o", "straight.bvh"], at).status.success());
    assert!(surefoot(&["graph", "build", "straight.bvh", "-o", "straight.graph"], at).status.success());
    // Who walks straight on only cannot turn back.
    let path = r#"{ "path": 1, "points": [[0, 0], [0, 4], [4, 4], [4, -4]] }"#;
    fs::write(at.join("hook.path.json"), path).expect("a path");
    let follow = ["graph", "follow", "straight.graph", "hook.path.json", "-o", "w.bvh", "--force"];
    let output = surefoot(&follow, at);
    assert_eq!(output.status.code(), Some(1), "{}", printed(&output));
    assert!(printed(&output).starts_with("verdict: poor: the path is lost"), "{}", printed(&output));
    assert!(at.join("w.bvh").exists(), "outputs are written");
    let output = surefoot(&[&follow[..], &["--json"]].concat(), at);
    let result = &json(&output)["result"];
    assert_eq!((output.status.code(), &result["verdict"]["grade"]), (Some(1), &"poor".into()), "{result}");
}

#[test]
fn requests_are_read_from_json_and_unknown_fields_named() {
    use surefoot::jobs::{FollowGraphRequest, Job, JobContext, read_request};
    let folder = workshop();
    let at = |name: &str| folder.path().join(name).display().to_string();
    let text = format!(
        r#"{{ "graph": "corpus", "path": {:?}, "output": {{ "file": {:?} }}, "progress": "travelled" }}"#,
        at("z.path.json"),
        at("w.glb")
    );
    let request: FollowGraphRequest = read_request(&text).expect("a request");
    let report = request.run(&JobContext::silent()).expect("a walk");
    assert_eq!((report.motion.frames > 100, report.files.len()), (true, 1));
    let error = read_request::<FollowGraphRequest>(&text.replace("progress", "progres")).expect_err("unknown");
    assert!(error.message.contains("unknown field `progres`"), "{error}");
    // A job that is cancelled writes nothing.
    let cancel = surefoot::jobs::CancelFlag::default();
    cancel.cancel();
    let request = FollowGraphRequest { output: surefoot::jobs::MotionOutput::new(at("v.glb")), ..request };
    let error = request.run(&JobContext::silent().with_cancel(cancel)).expect_err("cancelled");
    assert!(error.kind == "cancelled" && !folder.path().join("v.glb").exists(), "{error}");
}
