//! `surefoot steps` as a user meets it.

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

/// Two walks of people of different heights, and a file that is none.
fn clips() -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, height) in [("tall", "1.9"), ("small", "1.5")] {
        let file = format!("{name}.bvh");
        let output = surefoot(&["gait", "walk", "--steps", "8", "--height", height, "-o", &file], folder.path());
        assert!(output.status.success(), "{}", printed(&output));
    }
    fs::write(folder.path().join("torn.bvh"), "HIERARCHY\nROOT Hips\n{").expect("a file");
    folder
}

#[test]
fn recorded_flights_stay_in_a_database_that_is_pruned_or_written_again() {
    let folder = clips();
    let at = folder.path();
    let run = ["gait", "run", "--speed", "10", "--steps", "8", "-o", "run.bvh"];
    for args in [
        &run[..],
        &["steps", "build", "tall.bvh", "run.bvh", "-o", "x.steps"],
        &["steps", "prune", "x.steps", "-o", "half.steps", "--keep", "50%"],
        &["steps", "analyze", "half.steps", "--write-steps", "again.steps"],
    ] {
        let output = surefoot(args, at);
        assert!(output.status.success(), "{args:?}: {}", printed(&output));
    }
    // Version 4 has flights.
    for file in ["x.steps", "half.steps", "again.steps"] {
        assert_eq!(fs::read(at.join(file)).expect("a database")[8], 4, "{file}");
    }
}

#[test]
fn a_database_is_built_analysed_and_pruned() {
    let folder = clips();
    let at = folder.path();
    let output = surefoot(&["steps", "build", "tall.bvh", "small.bvh", "-o", "x.steps", "--json"], at);
    assert!(output.status.success(), "{}", printed(&output));
    let result = &json(&output)["result"];
    let n_steps = result["steps"].as_u64().expect("a number");
    assert!(n_steps >= 12, "{result}");
    assert_eq!(result["steps_with_mirror_images"].as_u64(), Some(2 * n_steps));
    assert!(result["skeleton"] == "tall.bvh" && result["clips"][1]["take"] == "small", "{result}");

    let output = surefoot(&["steps", "analyze", "x.steps", "--picture", "x.svg", "--report", "x.json"], at);
    assert!(output.status.success(), "{}", printed(&output));
    assert!(
        printed(&output).contains("wrote x.svg") && printed(&output).contains("wrote x.json"),
        "{}",
        printed(&output)
    );
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    for words in ["steps that start small", "You should have steps that end wider", "sidesteps", "To record next"] {
        assert!(text.contains(words), "{words}: {text}");
    }
    assert!(fs::read_to_string(at.join("x.svg")).expect("a plot").contains("Where left steps end"));
    let result = &json(&surefoot(&["steps", "analyze", "x.steps", "--json"], at))["result"];
    let report: Value = serde_json::from_slice(&fs::read(at.join("x.json")).expect("a report")).expect("JSON");
    assert_eq!((&report["surefoot"], &report["result"]["shots"]), (&2.into(), &result["shots"]));
    assert_eq!(result["left"]["steps"], result["right"]["steps"]);
    let shots = result["shots"].as_array().expect("shots");
    assert!(!shots.is_empty() && shots.iter().all(|shot| shot["foot"] == "either"), "{result}");

    let output = surefoot(&["steps", "prune", "x.steps", "-o", "y.steps", "--within", "10", "--json"], at);
    let result = &json(&output)["result"];
    assert!(result["steps"].as_u64() < result["steps_before"].as_u64(), "{result}");
    let volumes = ["x.steps", "y.steps"].map(|file| {
        json(&surefoot(&["steps", "analyze", file, "--json"], at))["result"]["left"]["hull_volume"]
            .as_f64()
            .expect("one")
    });
    assert!((volumes[0] - volumes[1]).abs() < 1e-12, "{volumes:?}");

    // To a size, with what is lost.
    let result =
        &json(&surefoot(&["steps", "prune", "x.steps", "-o", "half.steps", "--keep", "80%", "--json"], at))["result"];
    let number = |name: &str| result[name].as_f64().expect(name);
    assert!(number("steps") <= 0.8 * number("steps_before") + 0.5, "{result}");
    assert!(number("largest_gap") > 0.0 && number("largest_gap") <= number("within") + 1e-9, "{result}");
    assert!(number("mean_gap") <= number("largest_gap"), "{result}");
    for wrong in [&["--keep", "0"][..], &["--keep", "150%"], &["--keep", "many"], &["--keep", "9", "--within", "10"]] {
        let args = [&["steps", "prune", "x.steps", "-o", "z.steps"][..], wrong].concat();
        assert_eq!(surefoot(&args, at).status.code(), Some(2), "{wrong:?}");
    }
}

#[test]
fn the_same_clips_give_the_same_bytes_and_mirror_images_can_be_left_out() {
    let folder = clips();
    let at = folder.path();
    for file in ["a.steps", "b.steps"] {
        assert!(surefoot(&["steps", "build", "tall.bvh", "small.bvh", "-o", file], at).status.success());
    }
    assert_eq!(fs::read(at.join("a.steps")).expect("a"), fs::read(at.join("b.steps")).expect("b"));
    let options = ["--no-mirror", "--skeleton", "small.bvh", "--list", "-o", "c.steps"];
    let output = surefoot(&[&["steps", "build", "tall.bvh"][..], &options].concat(), at);
    assert!(output.status.success(), "{}", printed(&output));
    assert!(
        printed(&output).contains("skeleton of small.bvh") && !printed(&output).contains("mirror"),
        "{}",
        printed(&output)
    );
    assert!(String::from_utf8_lossy(&output.stdout).contains("tall "));
    let result = &json(&surefoot(&["steps", "analyze", "c.steps", "--json"], at))["result"];
    assert_eq!(result["left"]["mirrored"], 0);
}

#[test]
fn a_clip_that_is_broken_is_reported_and_left_out() {
    let folder = clips();
    let at = folder.path();
    let output = surefoot(&["steps", "build", "torn.bvh", "tall.bvh", "-o", "x.steps"], at);
    assert!(output.status.success() && printed(&output).contains("left out: torn.bvh"), "{}", printed(&output));
    let output = surefoot(&["steps", "build", "torn.bvh", "-o", "y.steps"], at);
    assert_eq!(output.status.code(), Some(2));
    assert!(printed(&output).contains("torn.bvh") && !at.join("y.steps").exists(), "{}", printed(&output));
    let output = surefoot(&["steps", "build", "tall.bvh", "--on", "torn.bvh", "-o", "y.steps"], at);
    assert!(output.status.code() == Some(2) && printed(&output).contains("torn.bvh"), "{}", printed(&output));
}

#[test]
fn wrong_databases_and_outputs_are_refused_by_name() {
    let folder = clips();
    let at = folder.path();
    assert!(surefoot(&["steps", "build", "tall.bvh", "-o", "x.steps"], at).status.success());
    let whole = fs::read(at.join("x.steps")).expect("a database");
    fs::write(at.join("cut.steps"), &whole[..whole.len() / 2]).expect("a file");
    let mut newer = whole.clone();
    newer[8] = 9;
    fs::write(at.join("newer.steps"), &newer).expect("a file");
    let mut flipped = whole;
    flipped[1000] ^= 4;
    fs::write(at.join("flipped.steps"), &flipped).expect("a file");
    for (file, kind, words) in [
        ("cut.steps", "unexpected_eof", "cut off"),
        ("newer.steps", "version", "version 9"),
        ("flipped.steps", "checksum", "checksum"),
        ("tall.bvh", "format", "no step database"),
        ("missing.steps", "io", "missing.steps"),
    ] {
        for command in [&["steps", "analyze", file][..], &["steps", "prune", file, "-o", "z.steps"]] {
            let output = surefoot(command, at);
            assert_eq!(output.status.code(), Some(2), "{file}");
            let message = printed(&output);
            assert!(message.contains(file) && message.contains(words), "{message}");
        }
        let output = surefoot(&["steps", "analyze", file, "--json"], at);
        assert_eq!(json(&output)["error"]["kind"], kind, "{file}");
    }
    assert!(!at.join("z.steps").exists());
    let output = surefoot(&["steps", "build", "tall.bvh", "-o", "x.steps"], at);
    assert!(output.status.code() == Some(2) && printed(&output).contains("--force"), "{}", printed(&output));
    assert_eq!(surefoot(&["steps", "analyze", "x.steps", "--plot", "x.png"], at).status.code(), Some(2));
    assert_eq!(surefoot(&["steps", "prune", "x.steps", "-o", "y.steps", "--within", "-3"], at).status.code(), Some(2));
}

#[test]
fn the_built_in_corpus_is_analysed_without_a_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let result = &json(&surefoot(&["steps", "analyze", "--json"], folder.path()))["result"];
    assert!(result["steps"].as_u64() > Some(800), "{result}");
    assert!(result["left"]["coverage"].as_f64() > Some(0.7), "{result}");
}

#[test]
fn old_options_and_requests_with_unknown_fields() {
    use surefoot::jobs::{AnalyzeStepsRequest, BuildStepsRequest, read_request};
    let folder = tempfile::tempdir().expect("a folder");
    let output = surefoot(&["steps", "analyze", "--plot", "-"], folder.path());
    assert!(output.status.success() && output.stdout.starts_with(b"<svg "), "{}", printed(&output));
    let request: AnalyzeStepsRequest = read_request(r#"{ "foot": 0.2 }"#).expect("a request");
    assert_eq!((request.foot, request.input), (Some(0.2), None));
    let error = read_request::<BuildStepsRequest>(r#"{ "clips": [], "output": "x", "segments": {} }"#);
    assert!(error.expect_err("unknown").message.contains("unknown field `segments`"));
    // An output that cannot be written is found before the work is done.
    let output = surefoot(&["steps", "build", "nowhere.bvh", "-o", "none/x.steps"], folder.path());
    assert!(printed(&output).contains("there is no folder none"), "{}", printed(&output));
}
