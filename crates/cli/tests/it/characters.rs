//! Motions on characters as a user meets them: the character's file comes back whole, and is never touched unasked.

use assert_cmd::Command;
use serde_json::Value;
use std::fs;
use std::path::Path;
use tempfile::TempDir;

fn surefoot(folder: &Path, line: &str) -> Command {
    let mut command = Command::cargo_bin("surefoot").expect("the binary");
    command.current_dir(folder).args(line.split_whitespace());
    command
}

/// What a command prints for people; it must succeed.
fn printed(folder: &Path, line: &str) -> String {
    let output = surefoot(folder, line).output().expect("the command runs");
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{line}: {text}");
    text
}

/// A folder with a walk and a character of others; `None` without recordings.
fn folder() -> Option<TempDir> {
    let character = surefoot_recordings::shared_folder()?.join("mocap/gltf/CesiumMan.glb");
    let folder = tempfile::tempdir().expect("a folder");
    // Not a copy: recordings may be read-only.
    fs::write(folder.path().join("hero.glb"), fs::read(character).expect("a character")).expect("a file");
    printed(folder.path(), "gait walk --steps 4 -o walk.bvh");
    Some(folder)
}

fn json(file: &Path) -> Value {
    let bytes = fs::read(file).expect("a file");
    let n = u32::from_le_bytes(bytes[12..16].try_into().expect("four bytes")) as usize;
    serde_json::from_slice(&bytes[20..20 + n]).expect("JSON")
}

fn names(value: &Value) -> Vec<String> {
    let animations = value["animations"].as_array().into_iter().flatten();
    animations.map(|animation| animation["name"].as_str().unwrap_or_default().to_string()).collect()
}

#[test]
fn a_character_comes_back_with_an_animation_named_after_the_output() {
    let Some(folder) = folder() else { return };
    let at = |name: &str| folder.path().join(name);
    let original = fs::read(at("hero.glb")).expect("a file");
    let old = json(&at("hero.glb"));
    let text =
        printed(folder.path(), "retarget walk.bvh --on hero.glb -o stroll.glb --write-events stroll.events.json");
    assert!(text.contains("as the animation `stroll` of hero.glb"), "{text}");
    assert!(!text.contains("bones keep their lengths"), "cleanup kept them: {text}");
    let new = json(&at("stroll.glb"));
    assert_eq!(
        (&old["meshes"], &old["images"], &old["materials"]),
        (&new["meshes"], &new["images"], &new["materials"])
    );
    assert_eq!(names(&new).last().map(String::as_str), Some("stroll"));
    assert_eq!(names(&new).len(), names(&old).len() + 1);
    assert_eq!(fs::read(at("hero.glb")).expect("a file"), original, "the character is not touched");
    let events: Value = serde_json::from_slice(&fs::read(at("stroll.events.json")).expect("events")).expect("JSON");
    assert_eq!((&events["events"], &events["clip"]), (&Value::from(1), &Value::from("stroll")));
    assert!(events["markers"].as_array().is_some_and(|markers| markers.len() >= 4), "{events}");
    let extras = &new["animations"].as_array().expect("animations").last().expect("one")["extras"]["surefoot"];
    assert_eq!(extras["events"].as_array().map(Vec::len), events["markers"].as_array().map(Vec::len));

    // The character's own file only with --force, which names it.
    let refused = surefoot(folder.path(), "retarget walk.bvh --on hero.glb -o hero.glb").output().expect("runs");
    assert_eq!((refused.status.code(), fs::read(at("hero.glb")).expect("a file")), (Some(2), original));
    printed(folder.path(), "retarget walk.bvh --on hero.glb -o hero.glb --name stroll --force");
    assert_eq!(names(&json(&at("hero.glb"))), names(&new));
    // A later command takes what was added, and keeps the file as well.
    let text = printed(folder.path(), "clean stroll.glb -o clean.glb --name stroll");
    assert!(text.contains("was replaced in the new file"), "{text}");
    assert_eq!(names(&json(&at("clean.glb"))), names(&new));
}

#[test]
fn a_character_without_meshes_in_place_and_as_fbx() {
    let Some(folder) = folder() else { return };
    let at = |name: &str| folder.path().join(name);
    printed(folder.path(), "retarget walk.bvh --on hero.glb -o bare.glb --animation-only");
    let bare = json(&at("bare.glb"));
    assert_eq!((bare["meshes"].is_null(), names(&bare)), (true, vec!["bare".to_string()]));
    let text = printed(folder.path(), "retarget walk.bvh --on hero.glb -o place.glb --root-motion in-place");
    assert!(text.contains("in place: move it at ") && text.contains(" m/s"), "{text}");
    let place = json(&at("place.glb"));
    let extras = &place["animations"].as_array().expect("animations").last().expect("one")["extras"]["surefoot"];
    assert_eq!((&extras["root_motion"], extras["contacts"].is_null()), (&Value::from("in_place"), true));
    assert!(extras["events"].as_array().is_some_and(|events| events.len() > 4), "{extras}");
    assert!(extras["speed"].as_f64().is_some_and(|speed| speed > 0.2), "{extras}");
    let text = printed(folder.path(), "retarget walk.bvh --on hero.glb -o hero.fbx");
    assert!(text.contains("the meshes of hero.glb are left out"), "{text}");
    assert!(fs::read(at("hero.fbx")).expect("a file").starts_with(b"Kaydara FBX Binary"));
}

#[test]
fn a_recorded_cycle_is_closed_planted_and_marked_as_a_loop() {
    let Some(folder) = folder() else { return };
    let at = |name: &str| folder.path().join(name);
    let text = printed(folder.path(), "signal loop walk.bvh --cycle -o cycle.glb --root-motion ground");
    assert!(text.contains("and now by 0.0000 mm"), "{text}");
    let cycle = json(&at("cycle.glb"));
    let extras = &cycle["animations"][0]["extras"]["surefoot"];
    assert_eq!((&extras["loop"], &extras["root_motion"]), (&Value::from(true), &Value::from("ground")));
    // A loop whose plants are kept afterwards is a loop still.
    printed(folder.path(), "signal loop walk.bvh --keep-plants -o kept.glb");
    assert_eq!(json(&at("kept.glb"))["animations"][0]["extras"]["surefoot"]["loop"], true);
}

#[test]
fn steps_through_a_scene_are_as_long_as_the_legs_of_a_character_ask_for() {
    let folder = tempfile::tempdir().expect("a folder");
    printed(folder.path(), "gait walk --steps 4 -o own.bvh");
    // The same person with legs of 60 %, which is 81 % of the height.
    let own = fs::read_to_string(folder.path().join("own.bvh")).expect("a file");
    let mut is_leg = false;
    let shorter = own.lines().map(|line| {
        let words: Vec<&str> = line.split_whitespace().collect();
        if let ["JOINT", name] = words[..] {
            is_leg = ["LowerLeg", "Foot"].iter().any(|part| name.ends_with(part));
        }
        match words[..] {
            ["OFFSET", x, y, z] if std::mem::take(&mut is_leg) => {
                let [x, y, z] = [x, y, z].map(|number| 0.6 * number.parse::<f64>().expect("a number"));
                format!("OFFSET {x} {y} {z}")
            }
            _ => line.to_string(),
        }
    });
    let shorter: Vec<String> = shorter.collect();
    fs::write(folder.path().join("short.bvh"), shorter.join("\n")).expect("a file");
    let scene = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/room.scene.json");
    let n_steps = |on: &str| -> u64 {
        let line = format!("go {scene} --with gait --on {on} -o walk.bvh --force --json");
        let output = surefoot(folder.path(), &line).output().expect("the command runs");
        let report: Value = serde_json::from_slice(&output.stdout).expect("JSON");
        report["result"]["steps"].as_u64().expect("steps")
    };
    let (own, short) = (n_steps("own.bvh"), n_steps("short.bvh"));
    assert!(4 * short >= 5 * own, "{short} steps with short legs, {own} with our own");
}
