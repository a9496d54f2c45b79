//! `surefoot experiment` as a user meets it, on a few walks of the built-in corpus.

use assert_cmd::Command;
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use tempfile::TempDir;

fn surefoot() -> Command {
    Command::cargo_bin("surefoot").expect("the binary")
}

/// Three walks that make graphs and three that make paths, written once.
fn walks() -> &'static TempDir {
    static FOLDER: OnceLock<TempDir> = OnceLock::new();
    FOLDER.get_or_init(|| {
        let folder = tempfile::tempdir().expect("a folder");
        let path = |points: &str| {
            let file = folder.path().join("way.path.json");
            fs::write(&file, format!("{{ \"path\": 1, \"points\": {points} }}")).expect("a file");
            file
        };
        let walks = [
            ("straight", "[[0, 0], [0, 6]]"),
            ("left", "[[0, 0], [0, 2], [0.7, 4], [2.1, 5.6]]"),
            ("right", "[[0, 0], [0, 2], [-0.7, 4], [-2.1, 5.6]]"),
            ("test", "[[0, 0], [0, 4]]"),
            ("test-left", "[[0, 0], [0, 2], [0.5, 4]]"),
            ("test-right", "[[0, 0], [0, 2], [-0.5, 4]]"),
        ];
        for (name, points) in walks {
            let path_file = path(points);
            let out = folder.path().join(format!("{name}.bvh"));
            let mut command = surefoot();
            command.args(["gait", "walk", "--path"]).arg(&path_file).arg("-o").arg(&out).assert().success();
        }
        folder
    })
}

fn file(name: &str) -> PathBuf {
    walks().path().join(name)
}

fn clips(command: &mut Command) -> &mut Command {
    command.args(["straight.bvh", "left.bvh", "right.bvh"].map(file))
}

fn json_of(command: &mut Command) -> Value {
    let output = command.output().expect("the command runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("JSON")
}

/// The result without what a clock says, and without what is only there with a folder.
fn timeless(mut value: Value) -> Value {
    fn strip(value: &mut Value) {
        match value {
            Value::Object(fields) => {
                let timed = ["search_seconds", "search_ms", "tables", "folder", "files"];
                fields.retain(|name, _| !timed.contains(&name.as_str()));
                fields.values_mut().for_each(strip);
            }
            Value::Array(values) => values.iter_mut().for_each(strip),
            _ => {}
        }
    }
    strip(&mut value);
    value
}

fn metrics(threads: &str, folder: Option<&Path>) -> Command {
    let mut command = surefoot();
    command.args(["experiment", "metrics", "--json", "--runs", "2", "--edges", "20,50", "--threads", threads]);
    clips(&mut command);
    if let Some(folder) = folder {
        command.arg("-o").arg(folder);
    }
    command
}

#[test]
fn metrics_are_compared_and_reported_with_the_papers_figures() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("study");
    let printed = json_of(&mut metrics("1", Some(&out)));
    assert_eq!(printed["command"], "experiment metrics");
    let graphs = printed["result"]["graphs"].as_array().expect("a list");
    assert_eq!(graphs.len(), 6);
    assert_eq!(graphs[0]["paper"]["edges"], 271);
    for graph in graphs {
        assert_eq!((&graph["skating_cm"]["n"], &graph["path_deviation_cm3"]["n"]), (&2.into(), &2.into()), "{graph:#}");
    }
    let tables = fs::read_to_string(out.join("tables.md")).expect("tables");
    for words in ["### Table 2", "### Table 3", "### Table 4", "### Table 5", "1608.17", "points II"] {
        assert!(tables.contains(words), "{words}: {tables}");
    }
    let result: Value = serde_json::from_slice(&fs::read(out.join("result.json")).expect("a result")).expect("JSON");
    assert_eq!((&result["surefoot"], &result["command"]), (&2.into(), &"experiment metrics".into()));
    assert_eq!(result["result"]["tables"], tables.as_str());
    assert_eq!(printed["result"]["files"][0]["role"], "tables");
    assert_eq!(timeless(printed), timeless(json_of(&mut metrics("2", None))), "whatever the threads");
    // The folder is not overwritten unasked.
    metrics("1", Some(&out)).assert().code(2);
    metrics("1", Some(&out)).arg("--force").assert().success();
}

#[test]
fn techniques_are_compared_and_drawn() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("study");
    let mut command = surefoot();
    command.args(["experiment", "abstractions", "--json", "--runs", "1", "--edges", "20,50", "--mirror"]);
    // What is tested is never in the graphs, even if it is among the clips.
    clips(&mut command).arg(file("test.bvh"));
    command.arg("--test").args(["test.bvh", "test-left.bvh", "test-right.bvh"].map(file));
    let printed = json_of(command.arg("-o").arg(&out));
    let result = &printed["result"];
    assert_eq!(result["corpus"]["clips"].as_array().expect("a list").len(), 6);
    let left_out = &result["corpus"]["left_out"];
    assert!(left_out[0]["why"].as_str().is_some_and(|why| why.contains("test.bvh: a test path")), "{left_out}");
    assert_eq!(result["cells"].as_array().expect("a list").len(), 5 * 2 * 3);
    for figure in [7, 8, 9, 10, 11, 12] {
        let svg = fs::read_to_string(out.join(format!("figure-{figure}.svg"))).expect("a figure");
        assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n") && !svg.contains("NaN"), "figure {figure}");
        assert!(svg.contains(&format!("GRAPH figure {figure}")));
    }
    let skating = fs::read_to_string(out.join("figure-8.svg")).expect("a figure");
    assert!(skating.contains("edges of the graph"), "graphs that are not of the paper's sizes stand by their own");
    let tables = fs::read_to_string(out.join("tables.md")).expect("tables");
    assert!(tables.contains("### Table 1") && tables.contains("57.83") && tables.contains("### Table 6"), "{tables}");
}

#[test]
fn what_cannot_be_studied_is_refused() {
    let refused = |arguments: &[&str], words: &str| {
        let output = surefoot().arg("experiment").args(arguments).output().expect("the command runs");
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{text}");
        assert!(text.contains(words), "{words}: {text}");
    };
    refused(&["metrics"], "CLIPS");
    refused(&["metrics", "nowhere.bvh"], "nowhere.bvh");
    let straight = file("straight.bvh");
    let straight = straight.to_str().expect("a name");
    refused(&["metrics", straight, "--runs", "0"], "--runs");
    refused(&["metrics", straight, "--path", "nowhere.path.json"], "nowhere.path.json");
    refused(&["abstractions", straight], "--test");
    refused(&["abstractions", straight, "--test", straight, straight], "--test");
    let folder = tempfile::tempdir().expect("a folder");
    let short = folder.path().join("short.bvh");
    let text = fs::read_to_string(straight).expect("a motion");
    // Two frames of it.
    let (head, motion) = text.split_once("MOTION").expect("a BVH");
    let lines: Vec<&str> = motion.lines().collect();
    let cut = format!("{head}MOTION\nFrames: 2\n{}\n{}\n{}\n", lines[2], lines[3], lines[4]);
    fs::write(&short, cut).expect("a file");
    let short = short.to_str().expect("a name");
    refused(&["metrics", short], "no threshold would");
    let [left, right] = ["left.bvh", "right.bvh"].map(|name| file(name).to_str().expect("a name").to_string());
    refused(&["abstractions", straight, "--test", short, &left, &right], "a test path has 1.5 to 1000 m");
    refused(&["abstractions", straight, "--test", straight, &left, &right], "graphs must not have it");
    refused(&["metrics", straight, "--edges", "20,0"], "a graph of 0 edges is none");
    // More than three matrices of distances could be kept of.
    let long = folder.path().join("long.bvh");
    let frames: Vec<&str> = lines[3..].iter().copied().cycle().take(20_100).collect();
    let many = format!("{head}MOTION\nFrames: {}\nFrame Time: 0.0333333\n{}\n", frames.len(), frames.join("\n"));
    fs::write(&long, many).expect("a file");
    refused(&["metrics", long.to_str().expect("a name")], "at most 20000 would do");
    let far = folder.path().join("far.path.json");
    fs::write(&far, r#"{ "path": 1, "points": [[0, 0], [0, 100000]] }"#).expect("a path");
    refused(&["metrics", straight, "--path", far.to_str().expect("a name")], "from 1.5 to 1000 m");
}
