//! `surefoot contacts` and `surefoot plan extract` as a user meets them.

use assert_cmd::Command;
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use surefoot::contact::{Contacts, DetectOptions, SyntheticWalk, WalkerOptions, synthetic_walk};
use surefoot::formats::bvh::{BvhOptions, write_bvh};
use surefoot::formats::own::{read_contacts, read_plan, write_contacts};
use surefoot::geom::heading_direction;
use surefoot::motion::Side;
use tempfile::TempDir;

fn surefoot() -> Command {
    Command::cargo_bin("surefoot").expect("the binary")
}

/// A walk as a BVH in a folder of its own, and the truth about it. Beside it `heels.toml`, a body file with the true heels.
fn walk() -> (TempDir, PathBuf, SyntheticWalk) {
    let folder = tempfile::tempdir().expect("a folder");
    let walk = synthetic_walk(&WalkerOptions { turn_per_step: 0.1, ..WalkerOptions::default() });
    let path = folder.path().join("walk.bvh");
    let text = write_bvh(&walk.take.clip, &BvhOptions { unit_to_metre: 0.01, channels: None });
    fs::write(&path, text.bytes).expect("a file");
    let heel =
        |side: Side| format!("[{}.sole]\nheel = {:?}\n", side.name(), walk.take.body.legs[side].foot.heel.to_array());
    let heels = format!("body = 1\n{}{}", heel(Side::Left), heel(Side::Right));
    fs::write(folder.path().join("heels.toml"), heels).expect("a file");
    (folder, path, walk)
}

fn json_of(command: &mut Command) -> (Value, i32) {
    let output = command.output().expect("the command runs");
    let value = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(&output.stdout)));
    (value, output.status.code().expect("an exit code"))
}

/// Standard error of a command that must fail as bad input.
fn refusal(command: &mut Command) -> String {
    let output = command.output().expect("the command runs");
    let printed = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{printed}");
    assert!(output.stdout.is_empty(), "nothing on standard output");
    printed
}

/// The largest difference between an edge of a plant and the true one.
fn worst_edge(found: &Path, truth: &Contacts) -> usize {
    let found = read_contacts(&fs::read(found).expect("a file")).expect("contacts").ranges;
    let truth = read_contacts(write_contacts(truth).as_bytes()).expect("contacts").ranges;
    assert_eq!(found.len(), truth.len());
    let edges = found.iter().zip(&truth).map(|((side, part, found), (true_side, true_part, truth))| {
        assert_eq!((side, part), (true_side, true_part));
        found.start.abs_diff(truth.start).max(found.end.abs_diff(truth.end))
    });
    edges.max().expect("plants")
}

#[test]
fn contacts_of_a_written_walk_are_those_it_was_made_with() {
    let (folder, clip, walk) = walk();
    let out = folder.path().join("walk.contacts.json");
    let contacts = |out: &Path| {
        let mut command = surefoot();
        command.arg("contacts").arg(&clip).arg("--body").arg(folder.path().join("heels.toml")).arg("-o").arg(out);
        command
    };
    contacts(&out).assert().success();
    // Six decimals of a centimetre hide the very beginning of a movement.
    assert!(worst_edge(&out, &walk.take.contacts) <= 1);

    // The same on standard output, and nothing else there.
    let printed = contacts("-".as_ref()).output().expect("the command runs");
    assert_eq!(printed.stdout, fs::read(&out).expect("a file"));

    // An existing file is kept.
    assert!(refusal(&mut contacts(&out)).contains("--force"));
    contacts(&out).arg("-f").assert().success();
}

#[test]
fn a_table_and_json_list_every_plant() {
    let (_folder, clip, walk) = walk();
    let n_plants: usize = Side::BOTH.iter().map(|side| walk.take.contacts.plants[*side].len()).sum();
    let table = surefoot().arg("contacts").arg(&clip).output().expect("the command runs");
    let table = String::from_utf8(table.stdout).expect("text");
    assert_eq!(table.lines().count(), n_plants + 2, "{table}");
    assert!(table.contains("8 steps (left 4, right 4)"), "{table}");

    let (value, code) = json_of(surefoot().args(["contacts", "--json"]).arg(&clip));
    let result = &value["result"];
    assert_eq!((code, &value["command"]), (0, &Value::from("contacts")));
    let plants = result["plants"].as_array().expect("a list");
    assert_eq!(plants.len(), n_plants);
    for plant in plants {
        assert!(plant["drift_mm"].as_f64().expect("a number") < 0.1, "{plant}");
        let seconds = plant["seconds"][0].as_f64().expect("a number");
        assert!((seconds * 60.0 - plant["frames"][0].as_f64().expect("a number")).abs() < 1e-9);
    }
    assert_eq!(result["steps"]["left"], 4);
    assert_eq!(result["flight_share"], 0.0);
    let both = result["double_support_share"].as_f64().expect("a number");
    assert!((0.2..0.9).contains(&both), "{both}");
}

#[test]
fn a_plot_shows_every_part() {
    let (folder, clip, _) = walk();
    let svg = folder.path().join("walk.svg");
    surefoot().arg("contacts").arg(&clip).arg("--plot").arg(&svg).assert().success();
    let drawn = fs::read_to_string(&svg).expect("a file");
    for part in ["left heel", "left ball", "right heel", "right ball"] {
        assert!(drawn.contains(part), "{part}");
    }
    assert!(refusal(surefoot().arg("contacts").arg(&clip).arg("--plot").arg(&svg)).contains("--force"));
    assert!(refusal(surefoot().arg("contacts").arg(&clip).args(["--plot", "-", "-o", "-"])).contains("both"));
}

#[test]
fn options_change_what_is_found() {
    let (_folder, clip, _) = walk();
    let n_plants = |options: &[&str]| {
        let (value, code) = json_of(surefoot().args(["contacts", "--json"]).arg(&clip).args(options));
        assert_eq!(code, 0);
        value["result"]["plants"].as_array().expect("a list").len()
    };
    assert!(n_plants(&[]) > 0);
    assert_eq!(n_plants(&["--shortest-plant", "100"]), 0);
    assert!(n_plants(&["--shortest-plant", "0.5"]) < n_plants(&[]));
    assert_eq!(n_plants(&["--least-planted-speed", "0", "--most-planted-speed", "0"]), 0);
    // Old spellings are accepted.
    assert_eq!(n_plants(&["--shortest-stay", "100"]), 0);
    assert_eq!(n_plants(&["--least-stay-speed", "0", "--most-stay-speed", "0"]), 0);
    assert_eq!(n_plants(&["--stay-height", "0.05", "--stay-share", "0.12"]), n_plants(&[]));
}

#[test]
fn help_prints_the_defaults_of_the_library() {
    let help = surefoot().args(["contacts", "--help"]).output().expect("the command runs");
    let help = String::from_utf8(help.stdout).expect("text").split_whitespace().collect::<Vec<_>>().join(" ");
    let usual = DetectOptions::default();
    for (option, default) in [
        ("rest-height", usual.rest_height),
        ("planted-height", usual.planted_height),
        ("floor-reach", usual.floor_reach),
        ("planted-share", usual.planted_share),
        ("least-planted-speed", usual.least_planted_speed),
        ("most-planted-speed", usual.most_planted_speed),
        ("rest-share", usual.rest_share),
        ("swing-reach", usual.swing_reach),
        ("edge-factor", usual.edge_factor),
        ("edge-height", usual.edge_height),
        ("same-place", usual.same_place),
        ("longest-gap", usual.longest_gap),
        ("shortest-swing", usual.shortest_swing),
        ("shortest-plant", usual.shortest_plant),
        ("held-height", usual.held_height),
        ("max-pitch", usual.max_pitch),
    ] {
        let after = help.split(&format!("--{option} ")).nth(1).unwrap_or_else(|| panic!("--{option} in {help}"));
        let printed = after.split("[default: ").nth(1).and_then(|rest| rest.split(']').next());
        assert_eq!(printed, Some(default.to_string().as_str()), "--{option}");
    }
}

#[test]
fn the_plan_of_a_written_walk_is_the_one_it_was_made_from() {
    let (folder, clip, walk) = walk();
    let contacts = folder.path().join("walk.contacts.json");
    fs::write(&contacts, write_contacts(&walk.take.contacts)).expect("a file");
    for given in [false, true] {
        let out = folder.path().join(format!("{given}.plan.json"));
        let mut command = surefoot();
        command.args(["plan", "extract"]).arg(&clip).arg("-o").arg(&out);
        if given {
            command.arg("--contacts").arg(&contacts);
        }
        let (value, code) = json_of(command.arg("--json"));
        assert_eq!(code, 0, "{value}");
        assert_eq!(value["result"]["contacts"], if given { "given" } else { "detected" });
        let plan = read_plan(&fs::read(&out).expect("a file")).expect("a plan that can be read");
        assert_eq!(plan.footprints.len(), walk.plan.footprints.len());
        for (found, truth) in plan.footprints.iter().zip(&walk.plan.footprints) {
            assert_eq!(found.side, truth.side);
            assert!(found.position.distance(truth.position) < 1e-4, "{found:?} {truth:?}");
            let [found_direction, true_direction] =
                [found, truth].map(|f| heading_direction(f.heading.expect("a heading")));
            assert!(found_direction.distance(true_direction) < 1e-4);
        }
    }
}

#[test]
fn edited_contacts_are_believed() {
    let (folder, clip, _) = walk();
    let edited = folder.path().join("edited.contacts.json");
    // Two footprints and a step of the left foot.
    let text = r#"{ "contacts": 1, "frames": 418, "left": { "heel": [], "ball": [[0, 60], [120, 418]] },
                    "right": { "heel": [[0, 418]], "ball": [] } }"#;
    fs::write(&edited, text).expect("a file");
    let (value, code) = json_of(
        surefoot()
            .args(["plan", "extract", "--json"])
            .arg(&clip)
            .arg("-o")
            .arg(folder.path().join("p.json"))
            .args(["--contacts".as_ref(), edited.as_os_str()]),
    );
    assert_eq!((code, value["result"]["footprints"].as_u64()), (0, Some(3)), "{value}");
    assert_eq!(value["result"]["mean_swing_seconds"], 1.0);
}

#[test]
fn wrong_input_is_refused_by_name() {
    let (folder, clip, _) = walk();
    let missing = folder.path().join("missing.bvh");
    assert!(refusal(surefoot().arg("contacts").arg(&missing)).contains("missing.bvh"));
    for wrong in ["-1", "nan", "much"] {
        let printed = refusal(surefoot().arg("contacts").arg(&clip).arg(format!("--rest-height={wrong}")));
        assert!(printed.contains("would be right"), "{printed}");
    }

    let contacts = folder.path().join("other.contacts.json");
    let other =
        r#"{ "contacts": 1, "frames": 7, "left": { "heel": [], "ball": [] }, "right": { "heel": [], "ball": [] } }"#;
    fs::write(&contacts, other).expect("a file");
    let extract = |contacts: &Path| {
        let mut command = surefoot();
        let out = folder.path().join("wrong.plan.json");
        command.args(["plan", "extract"]).arg(&clip).arg("-o").arg(out).arg("--contacts").arg(contacts);
        command
    };
    assert!(refusal(&mut extract(&contacts)).contains("other.contacts.json"));

    // Contacts that no plan can be made of: nobody stands.
    fs::write(&contacts, other.replace('7', "418")).expect("a file");
    let printed = refusal(&mut extract(&contacts));
    assert!(printed.contains("at least two footprints"), "{printed}");
    assert!(!folder.path().join("wrong.plan.json").exists());

    // A body without feet.
    let stick = folder.path().join("stick.bvh");
    let text = "HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 3 Zrotation Yrotation Xrotation\nEnd Site\n{\nOFFSET 0 1 0\n}\n}\n\
                MOTION\nFrames: 2\nFrame Time: 0.1\n0 0 0\n0 0 0\n";
    fs::write(&stick, text).expect("a file");
    assert!(refusal(surefoot().arg("contacts").arg(&stick)).contains("--body"));
}
