//! The command as a user meets it: results, errors, exit codes, and what happens to files.

use assert_cmd::Command;
use serde_json::Value;
use std::ffi::OsString;
use std::fs;
use std::path::Path;
use std::sync::OnceLock;
use tempfile::TempDir;

fn surefoot() -> Command {
    Command::cargo_bin("surefoot").expect("the binary")
}

/// The demo's files by name: made once, because most tests only need something to read.
fn demo_files() -> &'static [(OsString, Vec<u8>)] {
    static FILES: OnceLock<Vec<(OsString, Vec<u8>)>> = OnceLock::new();
    FILES.get_or_init(|| {
        let folder = tempfile::tempdir().expect("a folder");
        surefoot().args(["demo", "--only", "cleanup"]).arg(folder.path()).assert().success();
        let entries = fs::read_dir(folder.path()).expect("the folder").map(|entry| entry.expect("an entry"));
        entries.map(|entry| (entry.file_name(), fs::read(entry.path()).expect("a file"))).collect()
    })
}

/// A folder of the test's own with the demo's files in it.
fn demo() -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, bytes) in demo_files() {
        fs::write(folder.path().join(name), bytes).expect("a file");
    }
    folder
}

fn json_of(command: &mut Command) -> (Value, i32) {
    let output = command.output().expect("the command runs");
    let value = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(&output.stdout)));
    (value, output.status.code().expect("an exit code"))
}

fn info(path: &Path) -> Value {
    let (value, code) = json_of(surefoot().args(["info", "--json"]).arg(path));
    assert_eq!((code, &value["surefoot"], &value["command"]), (0, &Value::from(2), &Value::from("info")), "{value}");
    value["result"].clone()
}

#[test]
fn demo_walks_its_plans_exactly_in_every_format_and_cleans_a_skating_walk() {
    let folder = tempfile::tempdir().expect("a folder");
    let (value, code) = json_of(surefoot().args(["demo", "--json"]).arg(folder.path()));
    assert_eq!(code, 0);
    let plans = value["result"]["plans"].as_array().expect("a list");
    let printed = |plan: &Value| (plan["name"].as_str().expect("a name").to_string(), plan["steps"].as_u64());
    let names: Vec<_> = plans.iter().map(printed).collect();
    let walks = [("indoor", 12), ("ridge", 20), ("back-and-forth", 12), ("stones", 13)];
    let courses = [("course", 44), ("course-stairs", 25), ("parkour", 35)];
    let steps: Vec<(&str, u64)> = walks.into_iter().chain(courses).collect();
    assert_eq!(names, steps.iter().map(|(name, steps)| (name.to_string(), Some(*steps))).collect::<Vec<_>>());
    for plan in plans {
        assert_eq!(plan["missed"], 0, "{plan}");
        let [error, drift] = ["largest_placement_error_in_file_mm", "largest_drift_in_file_mm"]
            .map(|name| plan[name].as_f64().expect("a number"));
        assert!(error < 0.1 && drift < 0.1, "{plan}");
        for ending in [".plan.json", ".contacts.json", ".report.json", ".bvh", ".glb", "-sheet.png", "-strobe.png"] {
            let file = folder.path().join(format!("{}{ending}", plan["name"].as_str().expect("a name")));
            assert!(file.is_file(), "{}", file.display());
        }
        let report = folder.path().join(format!("{}.report.json", plan["name"].as_str().expect("a name")));
        let report: Value = serde_json::from_str(&fs::read_to_string(report).expect("the report")).expect("JSON");
        for each in report["result"]["each"].as_array().expect("a list") {
            let stance = each["placement"]["middle_60_mm"].as_f64().expect("a number");
            assert!(stance < 0.1, "{}: {each}", plan["name"]);
        }
    }
    let page = fs::read_to_string(folder.path().join("index.html")).expect("the page");
    assert!(page.len() < 3_000_000, "{} bytes", page.len());
    assert!(!page.contains("src=\"http") && !page.contains("href=\"http"), "it needs nothing else");
    for name in ["indoor", "ridge", "back-and-forth", "stones", "cleanup"] {
        assert!(page.contains(&format!("\"name\":\"{name}\"")), "{name} is shown");
    }
    for placement in value["result"]["cleanup"]["placement"].as_array().expect("a list") {
        let mm = placement["largest_placement_error_mm"].as_f64().expect("a number");
        assert!(mm < 0.001, "{placement}");
    }
    for file in value["result"]["files"].as_array().expect("a list") {
        assert!(Path::new(file["file"].as_str().expect("a name")).is_file(), "{file}");
    }
    for (metric, at_least_before, at_most_after) in
        [("drift_max", 10.0, 0.01), ("off_ground_max", 5.0, 0.01), ("stretch_max", 0.0, 2.6)]
    {
        let changes = value["result"]["cleanup"]["changes"].as_array().expect("a list");
        let change = changes.iter().find(|change| change["name"] == metric).expect("the metric");
        let [before, after] = ["before", "after"].map(|which| change[which].as_f64().expect("a number"));
        assert!(before >= at_least_before && after <= at_most_after, "{change}");
    }
}

#[test]
fn demo_does_only_the_part_that_is_asked_for() {
    let folder = tempfile::tempdir().expect("a folder");
    let (value, code) = json_of(surefoot().args(["demo", "--only", "cleanup", "--json"]).arg(folder.path()));
    assert_eq!(code, 0);
    assert!(value["result"]["plans"].is_null() && value["result"]["cleanup"]["changes"].is_array());
    assert!(folder.path().join("index.html").is_file() && !folder.path().join("ridge.bvh").exists());
    // Its own files are replaced; those of others, and what somebody edited, are not.
    surefoot().args(["demo", "--only", "cleanup"]).arg(folder.path()).assert().success();
    fs::write(folder.path().join("walk.plan.json"), "mine").expect("a file");
    surefoot().args(["demo", "--only", "cleanup"]).arg(folder.path()).assert().code(2);
    assert_eq!(fs::read_to_string(folder.path().join("walk.plan.json")).expect("the file"), "mine");
    surefoot().args(["demo", "--only", "cleanup", "--force"]).arg(folder.path()).assert().success();
}

#[test]
fn info_prints_the_promised_fields() {
    let folder = demo();
    for name in ["walk.bvh", "walk.glb"] {
        let result = info(&folder.path().join(name));
        for field in [
            "frames",
            "dropped_frames",
            "frame_rate",
            "joints",
            "roots",
            "end_sites",
            "channels",
            "unit_to_metre",
            "up",
            "leg_length",
            "travel",
            "body",
            "diagnostics",
            "warnings",
        ] {
            assert!(!result[field].is_null(), "{name}: {field}");
        }
        assert_eq!(result["frame_rate"], 60.0);
        assert_eq!(result["dropped_frames"], 0);
        assert_eq!(result["diagnostics"].as_array().map(Vec::len), Some(0), "{result}");
        for side in ["left", "right"] {
            for joint in ["hip", "knee", "ankle", "ball", "toe"] {
                assert!(result["body"][side][joint].is_string(), "{name}: {side} {joint}");
            }
        }
        assert!(result["joints"][1]["parent"].is_string());
    }
    assert!(info(&folder.path().join("walk.glb"))["has_contacts"].as_bool().expect("a bool"));
}

#[test]
fn info_on_a_folder_and_a_glob_is_a_table() {
    let folder = demo();
    let output = surefoot().arg("info").arg(folder.path()).output().expect("it runs");
    let text = String::from_utf8(output.stdout).expect("text");
    assert!(output.status.success() && text.lines().count() == 7, "a head and the demo's six motions: {text}");
    let (value, _) = json_of(surefoot().args(["info", "--json"]).arg(folder.path().join("*.bvh")));
    assert_eq!(value["result"]["files"].as_array().map(Vec::len), Some(3));
}

#[test]
fn a_broken_file_in_a_folder_is_reported_and_the_others_are_still_read() {
    let folder = demo();
    fs::write(folder.path().join("broken.bvh"), "HIERARCHY\nROOT").expect("a file");
    let (value, code) = json_of(surefoot().args(["info", "--json"]).arg(folder.path()));
    let files = value["result"]["files"].as_array().expect("a list");
    assert_eq!((code, files.len()), (2, 7));
    assert_eq!(files[0]["error"]["kind"], "unexpected_eof");
}

#[test]
fn errors_name_file_line_and_kind_and_exit_with_2() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("bad.bvh");
    fs::write(&path, "HIERARCHY\nROOT a\n{\nOFFSET 0 0 zero\n}\n").expect("a file");
    let (value, code) = json_of(surefoot().args(["info", "--json"]).arg(&path));
    assert_eq!(code, 2);
    assert_eq!(value["surefoot"], 2);
    let error = &value["error"];
    assert_eq!((&error["kind"], &error["line"]), (&Value::from("number"), &Value::from(4)));
    assert_eq!(error["file"], path.display().to_string());
    assert!(error["message"].as_str().expect("a message").contains("zero"));

    let output = surefoot().arg("info").arg(&path).output().expect("it runs");
    let printed = String::from_utf8(output.stderr).expect("text");
    assert!(printed.contains("bad.bvh:4:"), "{printed}");
    assert!(output.stdout.is_empty());
}

#[test]
fn wrong_usage_exits_with_2() {
    for args in [
        &["info"][..],
        &["info", "missing.bvh"],
        &["info", "--unit", "furlong", "x.bvh"],
        &["info", "--fps", "-5", "x.bvh"],
        &["convert", "a.bvh"],
        &["render", "a.bvh", "-o", "a.jpeg"],
        &["dance"],
    ] {
        surefoot().args(args).assert().code(2);
    }
    let (value, code) = json_of(surefoot().args(["info", "--json", "--unit", "furlong", "x.bvh"]));
    assert_eq!((code, &value["error"]["kind"]), (2, &Value::from("usage")));
}

#[test]
fn an_existing_output_stays_unless_forced() {
    let folder = demo();
    let (input, output) = (folder.path().join("walk.bvh"), folder.path().join("out.glb"));
    fs::write(&output, "precious").expect("a file");
    surefoot().arg("convert").args([&input, &output]).assert().code(2);
    assert_eq!(fs::read_to_string(&output).expect("the file"), "precious");
    let (value, _) = json_of(surefoot().args(["convert", "--json"]).args([&input, &output]));
    assert_eq!(value["error"]["file"], output.display().to_string());
    surefoot().arg("convert").args([&input, &output]).arg("--force").assert().success();
    assert!(fs::read(&output).expect("the file").starts_with(b"glTF"));
}

#[test]
fn a_missing_folder_or_a_broken_input_leaves_nothing_behind() {
    let folder = demo();
    let input = folder.path().join("walk.bvh");
    surefoot().arg("convert").arg(&input).arg(folder.path().join("no/such/folder/out.glb")).assert().code(2);
    let broken = folder.path().join("broken.bvh");
    fs::write(&broken, "HIERARCHY").expect("a file");
    let output = folder.path().join("never.glb");
    surefoot().arg("convert").args([&broken, &output]).assert().code(2);
    assert!(!output.exists());
    let n_files = fs::read_dir(folder.path()).expect("the folder").count();
    assert_eq!(n_files, demo_files().len() + 1, "the demo's files and the broken one");
}

#[test]
fn convert_writes_the_convention_of_the_program() {
    let folder = demo();
    let input = folder.path().join("walk.bvh");
    for (program, unit, up) in [("blender", 1.0, "Y"), ("unreal", 0.01, "Z"), ("unity", 1.0, "Y"), ("godot", 1.0, "Y")]
    {
        let output = folder.path().join(format!("{program}.bvh"));
        surefoot().arg("convert").args([&input, &output]).args(["--for", program]).assert().success();
        let result = info(&output);
        assert_eq!((&result["unit_to_metre"], &result["up"]), (&Value::from(unit), &Value::from(up)), "{program}");
        let glb = folder.path().join(format!("{program}.glb"));
        surefoot().arg("convert").args([&input, &glb]).args(["--for", program]).assert().success();
        assert_eq!((&info(&glb)["unit_to_metre"], &info(&glb)["up"]), (&Value::from(1.0), &Value::from("Y")));
    }
    assert_eq!(info(&input)["unit_to_metre"], 0.01, "centimetres unless told otherwise");
}

#[test]
fn convert_resamples_slices_and_mirrors() {
    let folder = demo();
    let (input, output) = (folder.path().join("walk.bvh"), folder.path().join("out.bvh"));
    let args = ["--slice", "60..181", "--resample", "30", "--mirror"];
    surefoot().arg("convert").args([&input, &output]).args(args).assert().success();
    let result = info(&output);
    assert_eq!((&result["frames"], &result["frame_rate"]), (&Value::from(61), &Value::from(30.0)));
    surefoot().arg("convert").args([&input, &output]).args(["--force", "--slice", "60..100000"]).assert().code(2);
}

#[test]
fn standard_input_and_output_carry_a_clip() {
    let folder = demo();
    let bytes = fs::read(folder.path().join("walk.bvh")).expect("the walk");
    let output = surefoot().args(["convert", "-", "-", "--to", "glb"]).write_stdin(bytes).output().expect("it runs");
    assert!(output.status.success() && output.stdout.starts_with(b"glTF"));
    surefoot().args(["info", "-"]).write_stdin(output.stdout).assert().success();
}

#[test]
fn a_body_template_reads_back_and_wrong_ones_are_refused() {
    let folder = demo();
    let (input, map) = (folder.path().join("walk.bvh"), folder.path().join("map.toml"));
    surefoot().args(["info", "--body-template", "-o"]).args([&map, &input]).assert().success();
    let (value, code) = json_of(surefoot().args(["info", "--json", "--body"]).args([&map, &input]));
    assert_eq!((code, &value["result"]["body"]), (0, &info(&input)["body"]));
    let text = fs::read_to_string(&map).expect("the template");
    let pelvis = info(&input)["body"]["pelvis"].as_str().expect("a name").to_string();
    fs::write(&map, text.replacen(&format!("\"{pelvis}\""), "\"Pelviss\"", 1)).expect("a file");
    let (value, code) = json_of(surefoot().args(["info", "--json", "--body"]).args([&map, &input]));
    assert_eq!(code, 2);
    assert!(value["error"]["file"].as_str().expect("a file").ends_with("map.toml"), "{value}");
    assert!(value["error"]["line"].is_number(), "{value}");
}

#[test]
fn pictures_are_what_their_endings_say() {
    let folder = demo();
    let input = folder.path().join("walk.bvh");
    let contacts = folder.path().join("walk.contacts.json");
    for (name, magic, args) in [
        ("sheet.png", &b"\x89PNG"[..], &["--view", "side", "--frames", "4"][..]),
        ("strobe.png", b"\x89PNG", &["--strobe", "--view", "top"]),
        ("sheet.svg", b"<svg", &["--at", "0,50,100"]),
        ("strobe.svg", b"<svg", &["--strobe", "--view", "front"]),
        ("walk.gif", b"GIF89a", &["--size", "120x120"]),
    ] {
        let output = folder.path().join(name);
        let mut command = surefoot();
        command.arg("render").arg(&input).arg("-o").arg(&output).arg("--contacts").arg(&contacts).args(args);
        command.assert().success();
        assert!(fs::read(&output).expect("a picture").starts_with(magic), "{name}");
    }
    let output = folder.path().join("never.png");
    surefoot().arg("render").arg(&input).arg("-o").arg(&output).args(["--at", "999999"]).assert().code(2);
    assert!(!output.exists());
}

#[test]
fn a_player_shows_several_motions_in_one_small_file_and_pictures_refuse_what_only_it_has() {
    let folder = demo();
    let render = |args: &[&str]| {
        let mut command = surefoot();
        command.current_dir(folder.path()).args(["render", "--json"]).args(args);
        json_of(&mut command)
    };
    let pair = ["skating.bvh", "cleaned.bvh", "--contacts", "skating.contacts.json", "--plan", "walk.plan.json"];
    let (value, code) = render(&[&pair[..], &["-o", "pair.html"]].concat());
    assert_eq!(code, 0, "{value}");
    let result = &value["result"];
    assert_eq!(result["more"].as_array().map(Vec::len), Some(1));
    assert_eq!(result["files"][0]["role"], "page");
    let page = fs::read_to_string(folder.path().join("pair.html")).expect("the page");
    assert!(page.starts_with("<!doctype html>") && page.len() < 400_000, "{} bytes", page.len());
    assert!(page.contains("\"arrangement\":\"overlay\""), "they begin at one place");
    for (args, word) in [
        (&["walk.bvh", "cleaned.bvh", "-o", "p.png"][..], "second motion"),
        (&["walk.bvh", "--plan", "walk.plan.json", "-o", "p.gif"], "--plan"),
        (&["walk.bvh", "--side-by-side", "-o", "p.svg"], "--side-by-side"),
        (&["walk.bvh", "--view", "top", "-o", "p.html"], "--view"),
        (&["walk.bvh", "--columns", "3", "-o", "p.html"], "--columns"),
        (&["walk.bvh", "--slice", "9..99999", "-o", "p.html"], "9"),
        (&["walk.bvh", "--plan", "walk.contacts.json", "-o", "p.html"], "plan"),
    ] {
        let (value, code) = render(args);
        let message = value["error"]["message"].as_str().expect("a message");
        assert!(code == 2 && message.contains(word), "{args:?}: {message}");
    }
    assert!(!folder.path().join("p.html").exists());
}

#[test]
fn completions_and_man_pages_are_made() {
    let folder = tempfile::tempdir().expect("a folder");
    let output = surefoot().args(["completions", "bash"]).output().expect("it runs");
    assert!(String::from_utf8(output.stdout).expect("text").contains("surefoot"));
    surefoot().arg("man").arg(folder.path()).assert().success();
    assert!(folder.path().join("surefoot-info.1").is_file());
}
