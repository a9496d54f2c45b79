//! What other programs make of written files: Blender (GLB, FBX, BVH), Godot (GLB), and the scripts for engines.
//!
//! Skipped with a message where a program is not there: `SUREFOOT_BPY` names a Python that has the module bpy, Godot 3 is
//! `godot3-server` or what `SUREFOOT_GODOT` names, C# is compiled by `mcs` and run by `mono`. For the editors of Unreal and Unity, which
//! run nowhere here, stand-ins in `tools/engines` print what the scripts ask of them.

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use surefoot_contact::{SyntheticWalk, WalkerOptions, synthetic_walk};
use surefoot_formats::bvh::{BvhOptions, write_bvh};
use surefoot_formats::fbx::write_fbx;
use surefoot_formats::gltf::{BodyMesh, GltfWriteOptions, write_gltf};
use surefoot_formats::own::{Playback, foot_events, write_events};
use surefoot_motion::Clip;

/// How far a joint may be from ours in another program, in metres.
const TOLERANCE: f64 = 5e-4;

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// A walk as files of every kind, and the walk.
fn files(folder: &Path) -> (SyntheticWalk, [PathBuf; 3]) {
    let walk = synthetic_walk(&WalkerOptions::default());
    let take = &walk.take;
    let (clip, body) = (take.clip.clone().with_name("walk"), &take.body);
    let glb = write_gltf(&clip, Some(body), Some(&take.contacts), &GltfWriteOptions::default()).expect("a GLB");
    let fbx = write_fbx(&clip, Some(body), BodyMesh::With).expect("an FBX");
    let bvh = write_bvh(&clip, &BvhOptions { unit_to_metre: 1.0, channels: None }).bytes;
    let write = |name: &str, bytes: Vec<u8>| {
        let file = folder.join(name);
        std::fs::write(&file, bytes).expect("a file");
        file
    };
    let files = [write("walk.glb", glb), write("walk.fbx", fbx), write("walk.bvh", bvh)];
    let events = write_events(&clip, &take.contacts, &Playback::default());
    std::fs::write(folder.join("walk.events.json"), events).expect("a file");
    (walk, files)
}

/// The farthest of all joints from where ours are in a frame; every joint must be there.
fn farthest(clip: &Clip, frame: usize, place: impl Fn(&str) -> Option<[f64; 3]>) -> f64 {
    let pose = clip.world_pose(frame);
    let mut most = 0.0f64;
    for joint in clip.skeleton.ids() {
        let name = clip.skeleton.name(joint);
        let theirs = place(name).unwrap_or_else(|| panic!("no joint {name}"));
        most = most.max(pose.position(joint).distance(theirs.into()));
    }
    most
}

#[test]
fn blender_has_every_joint_of_glb_fbx_and_bvh_where_we_have_it() {
    let Some(python) = std::env::var_os("SUREFOOT_BPY") else {
        println!("skipped: SUREFOOT_BPY names no Python with bpy");
        return;
    };
    let folder = tempfile::tempdir().expect("a folder");
    let (walk, files) = files(folder.path());
    let clip = &walk.take.clip;
    let frames = [0, clip.n_frames() / 3, clip.n_frames() - 1];
    let list = frames.map(|frame| frame.to_string()).join(",");
    let mut command = Command::new(python);
    command.arg(repository().join("tools/blender_joints.py")).arg(clip.frame_rate.to_string()).arg(list).args(&files);
    let output = command.output().expect("Python");
    let text = String::from_utf8_lossy(&output.stdout);
    let last = text.lines().rfind(|line| line.starts_with('{'));
    let report: Value = serde_json::from_str(last.unwrap_or_else(|| panic!("{output:?}"))).expect("JSON");
    for file in &files {
        let found = &report[file.to_str().expect("a name")];
        let has_mesh = file.extension().is_some_and(|ending| ending != "bvh");
        assert_eq!(found["meshes"].as_array().map(Vec::len), Some(usize::from(has_mesh)), "{}", file.display());
        // The events beside the file are markers on the timeline.
        let events = foot_events(&walk.take.contacts, clip.frame_rate, false);
        let expected: Vec<Value> = events.iter().map(|event| serde_json::json!([event.name, event.frame])).collect();
        assert_eq!(found["markers"], Value::Array(expected), "{}", file.display());
        assert_eq!(found["properties"]["surefoot_clip"], "walk", "{}", file.display());
        for frame in frames {
            let places = &found["frames"][frame.to_string()];
            let off = farthest(clip, frame, |name| serde_json::from_value(places[name].clone()).ok());
            println!("{}: frame {frame} within {:.4} mm", file.display(), off * 1000.0);
            assert!(off < TOLERANCE, "{}: frame {frame} is {:.3} mm off", file.display(), off * 1000.0);
        }
    }
}

#[test]
fn godot_has_every_joint_where_we_have_it_and_reads_the_events() {
    let godot = std::env::var("SUREFOOT_GODOT").unwrap_or_else(|_| "godot3-server".into());
    if Command::new(&godot).arg("--version").output().is_err() {
        println!("skipped: there is no {godot}; SUREFOOT_GODOT names another");
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let at = |name: &str| folder.path().join(name);
    let (walk, _) = files(folder.path());
    std::fs::copy(repository().join("tools/godot_joints.gd"), at("godot_joints.gd")).expect("a script");
    let script = "surefoot_events_godot3.gd";
    std::fs::copy(repository().join("integrations/godot").join(script), at(script)).expect("a script");
    std::fs::write(at("project.godot"), "config_version=4\n").expect("a project");
    // Godot's defaults sample at 15 fps and drop keys.
    let import = "[remap]\nimporter=\"scene\"\ntype=\"PackedScene\"\n[deps]\nsource_file=\"res://walk.glb\"\n[params]\n\
                  animation/import=true\nanimation/fps=60\nanimation/optimizer/enabled=false\n";
    std::fs::write(at("walk.glb.import"), import).expect("settings");
    let home = at("home");
    std::fs::create_dir(&home).expect("a folder");
    let run = |arguments: &[&str]| {
        let mut command = Command::new(&godot);
        command.args(["--no-window", "--path"]).arg(folder.path()).args(arguments).env("HOME", &home);
        command.env_remove("XDG_DATA_HOME").stdin(Stdio::null());
        command
    };
    // The editor imports and then never ends by itself.
    let mut editor = run(&["--editor", "--quit"]).stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("Godot");
    let imported = || {
        std::fs::read_dir(at(".import"))
            .is_ok_and(|mut d| d.any(|f| f.is_ok_and(|f| f.file_name().to_string_lossy().ends_with(".md5"))))
    };
    for _ in 0..600 {
        if imported() || editor.try_wait().is_ok_and(|ended| ended.is_some()) {
            break;
        }
        std::thread::sleep(std::time::Duration::from_millis(100));
    }
    let _ = editor.kill();
    let _ = editor.wait();
    let output = run(&["-s", "godot_joints.gd"]).output().expect("Godot");
    let text = String::from_utf8_lossy(&output.stdout);
    let bones: Vec<Vec<&str>> =
        text.lines().filter(|line| line.starts_with("bone ")).map(|line| line.rsplitn(4, ' ').collect()).collect();
    assert!(!bones.is_empty(), "{output:?}");
    for frame in [0, 10, 20] {
        let place = |name: &str| {
            // Godot 3 writes LeftFoot as left_foot.
            let plain = |name: &str| name.replace('_', "").to_lowercase();
            let head = plain(&format!("bone {frame} {name}"));
            let bone = bones.iter().find(|bone| plain(bone[3]) == head)?;
            Some([bone[2].parse().ok()?, bone[1].parse().ok()?, bone[0].parse().ok()?])
        };
        let ours = (frame as f64 / 60.0 * walk.take.clip.frame_rate).round() as usize;
        let off = farthest(&walk.take.clip, ours, place);
        println!("Godot: frame {frame} within {:.4} mm", off * 1000.0);
        assert!(off < TOLERANCE, "frame {frame} is {:.3} mm off", off * 1000.0);
    }
    assert!(text.to_lowercase().contains("mesh body"), "{text}");
    let n: usize = text.lines().find_map(|line| line.strip_prefix("events ")?.parse().ok()).expect("events");
    assert!(n >= 4, "{n} events");
}

/// What a program printed; it must have succeeded. `None`, with a message, where there is no such program.
fn printed(command: &mut Command) -> Option<String> {
    let Ok(output) = command.output() else {
        println!("skipped: there is no {}", command.get_program().display());
        return None;
    };
    assert!(output.status.success(), "{output:?}");
    Some(String::from_utf8_lossy(&output.stdout).into_owned())
}

fn lines_with<'a>(text: &'a str, start: &str) -> Vec<&'a str> {
    text.lines().filter_map(|line| line.strip_prefix(start)).collect()
}

#[test]
fn the_script_for_unreal_makes_every_event_a_sync_marker_and_notifies_of_feet_that_come_down() {
    let folder = tempfile::tempdir().expect("a folder");
    let (walk, _) = files(folder.path());
    let events = folder.path().join("walk.events.json");
    let scripts = repository().join("integrations/unreal");
    let Some(text) = printed(Command::new("python3").arg(scripts.join("import_events.py")).arg(&events)) else {
        return;
    };
    assert!(text.contains(" markers in "), "{text}");
    let run =
        "import sys, import_events; import_events.add_events('/Game/Walk', sys.argv[1], notify='/Game/Step.Step_C')";
    let paths = [repository().join("tools/engines"), scripts];
    let path = std::env::join_paths(paths).expect("paths");
    let mut python = Command::new("python3");
    python.args(["-B", "-c", run]).arg(&events).env("PYTHONPATH", path);
    let text = printed(&mut python).expect("Python again");
    let expected = foot_events(&walk.take.contacts, walk.take.clip.frame_rate, false);
    let markers: Vec<&str> =
        lines_with(&text, "marker ").into_iter().filter_map(|line| line.split(' ').next()).collect();
    assert_eq!(markers, expected.iter().map(|event| event.name).collect::<Vec<_>>());
    let n_down = expected.iter().filter(|event| event.kind == "down").count();
    assert_eq!(lines_with(&text, "notify /Game/Step.Step_C ").len(), n_down, "{text}");
    assert!(text.ends_with("property enable_root_motion False\nsaved\n"), "{text}");
}

#[test]
fn the_script_for_unity_gives_every_event_to_clips_and_to_models() {
    let folder = tempfile::tempdir().expect("a folder");
    let (walk, _) = files(folder.path());
    let program = folder.path().join("events.exe");
    let mut compiler = Command::new("mcs");
    compiler.args(["-d:UNITY_EDITOR", "-r:System.Web.Extensions.dll"]).arg(format!("-out:{}", program.display()));
    let parts = ["tools/engines/UnityStandIn.cs", "integrations/unity/SurefootEvents.cs"];
    compiler.args(parts.map(|part| repository().join(part)));
    if printed(&mut compiler).is_none() {
        return;
    }
    let mut mono = Command::new("mono");
    let Some(text) = printed(mono.arg(&program).arg(folder.path().join("walk.events.json"))) else { return };
    let events = foot_events(&walk.take.contacts, walk.take.clip.frame_rate, false);
    let seconds = (walk.take.clip.n_frames() - 1) as f64 / walk.take.clip.frame_rate;
    // A model's importer counts time from 0 to 1.
    for (of, unit) in [("clip ", 1.0), ("model ", seconds)] {
        let lines = lines_with(&text, of);
        assert_eq!(lines.first(), Some(&"loop False"), "{text}");
        assert_eq!(lines.len(), events.len() + 1, "{text}");
        for (line, event) in lines[1..].iter().zip(&events) {
            let words: Vec<&str> = line.split(' ').collect();
            let number = |index: usize| words[index].parse::<f64>().expect("a number");
            assert_eq!(words[0], event.name);
            assert!((number(1) - event.time / unit).abs() < 1e-5, "{line}: {event:?}");
            assert!((0..3).all(|axis| (number(2 + axis) - event.position[axis]).abs() < 1e-4), "{line}: {event:?}");
        }
    }
}

#[cfg(feature = "fbx")]
#[test]
fn an_fbx_comes_back_through_ufbx_within_a_tenth_of_a_millimetre() {
    let folder = tempfile::tempdir().expect("a folder");
    let (walk, [_, fbx, _]) = files(folder.path());
    let clip = &walk.take.clip;
    let document = surefoot_formats::open(&fbx, &Default::default()).expect("readable");
    assert_eq!((document.name.as_deref(), document.frame_rate), (Some("walk"), Some(clip.frame_rate)));
    assert_eq!((document.unit_to_metre, document.up), (Some(0.01), Some(surefoot_geom::Axis::Y)));
    let read = surefoot_formats::import(document, &Default::default()).expect("importable");
    assert_eq!(read.clip.n_frames(), clip.n_frames());
    for frame in 0..clip.n_frames() {
        let pose = read.clip.world_pose(frame);
        let place = |name: &str| Some(pose.position(read.clip.skeleton.find(name)?).to_array());
        let off = farthest(clip, frame, place);
        assert!(off < 1e-4, "frame {frame} is {:.4} mm off", off * 1000.0);
    }
}
