//! `surefoot signal` as a user meets it.

use assert_cmd::Command;
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use tempfile::TempDir;

fn surefoot() -> Command {
    Command::cargo_bin("surefoot").expect("the binary")
}

/// Walks of one figure, and one of a child; made once.
fn walks() -> &'static Path {
    static WALKS: OnceLock<TempDir> = OnceLock::new();
    let folder = WALKS.get_or_init(|| {
        let folder = tempfile::tempdir().expect("a folder");
        for (name, options) in [
            ("slow.bvh", &["--speed", "4km/h"][..]),
            ("fast.bvh", &["--speed", "6.5km/h"]),
            ("tired.bvh", &["--preset", "tired"]),
            ("child.glb", &["--height", "1.2"]),
            ("right.bvh", &["--first", "right"]),
        ] {
            let mut command = surefoot();
            command.args(["gait", "walk", "--steps", "6", "-o"]).arg(folder.path().join(name)).args(options);
            command.assert().success();
        }
        folder
    });
    folder.path()
}

fn walk(name: &str) -> PathBuf {
    walks().join(name)
}

/// Runs `surefoot signal` in a folder with these words; `{name}` is a walk. What it printed, and its exit code.
fn run_with(folder: &Path, words: &str, input: &[u8]) -> (Vec<u8>, String, i32) {
    let words = words.split_whitespace().map(|word| {
        let name = word.strip_prefix('{').and_then(|word| word.strip_suffix('}'));
        name.map_or(word.to_string(), |name| walk(name).display().to_string())
    });
    let output = surefoot().current_dir(folder).args(words).write_stdin(input).output().expect("it runs");
    let printed = String::from_utf8(output.stderr).expect("text");
    (output.stdout, printed, output.status.code().expect("an exit code"))
}

fn run(folder: &Path, words: &str) -> (Vec<u8>, String, i32) {
    run_with(folder, words, b"")
}

#[track_caller]
fn succeed(folder: &Path, words: &str) -> String {
    let (_, printed, code) = run(folder, words);
    assert_eq!(code, 0, "{words}: {printed}");
    printed
}

#[track_caller]
fn json(folder: &Path, words: &str) -> Value {
    let (stdout, printed, code) = run(folder, &format!("{words} --json"));
    assert_eq!(code, 0, "{words}: {printed}{}", String::from_utf8_lossy(&stdout));
    let value: Value = serde_json::from_slice(&stdout).expect("JSON");
    value["result"].clone()
}

/// Refused with exit code 2 and these words.
#[track_caller]
fn refused(folder: &Path, words: &str, parts: &[&str]) {
    let (_, printed, code) = run(folder, words);
    assert_eq!(code, 2, "{words}: {printed}");
    for part in parts {
        assert!(printed.contains(part), "{words}: {part}: {printed}");
    }
}

fn bytes(folder: &Path, name: &str) -> Vec<u8> {
    fs::read(folder.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// Numbers of the motion of a BVH, and its hierarchy.
fn bvh(folder: &Path, name: &str) -> (Vec<f64>, String) {
    let text = String::from_utf8(bytes(folder, name)).expect("text");
    let (hierarchy, motion) = text.split_once("MOTION").expect("a motion");
    let numbers = motion.split_once("Frame Time:").expect("a rate").1;
    (numbers.split_whitespace().skip(1).map(|word| word.parse().expect("a number")).collect(), hierarchy.to_string())
}

fn furthest(a: &[f64], b: &[f64]) -> f64 {
    assert_eq!(a.len(), b.len());
    a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}

#[test]
fn a_chain_a_recipe_and_files_between_give_the_same() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let (first, second) = ("--gain 2-4=1.6 --joints arms,legs", "--shape soft-clip:0.6 --joints arms");
    let (third, last) = ("--to {fast.bvh} --amount 0.5", "--keep-plants");
    // Through pipes.
    let (take, _, code) = run(folder, &format!("signal equalize {{slow.bvh}} {first} -o -"));
    assert_eq!(code, 0);
    let (take, _, code) = run_with(folder, &format!("signal shape - {second} -o -"), &take);
    assert_eq!(code, 0);
    let (_, printed, code) = run_with(folder, &format!("signal warp - {third} -o pipes.bvh {last}"), &take);
    assert_eq!(code, 0, "{printed}");
    assert!(printed.contains("plants, of the motion's own file"), "contacts of the first clip come along: {printed}");
    // Through takes.
    succeed(folder, &format!("signal equalize {{slow.bvh}} {first} -o a.take --write-recipe a.toml"));
    succeed(folder, &format!("signal shape a.take {second} -o b.take --write-recipe b.toml"));
    succeed(folder, &format!("signal warp b.take {third} -o takes.bvh {last} --write-recipe c.toml"));
    // By one recipe, put together of those that the commands wrote.
    let recipe: String = ["a.toml", "b.toml", "c.toml"]
        .map(|name| String::from_utf8(bytes(folder, name)).expect("text").replacen("recipe = 1\n", "", 1))
        .concat();
    fs::write(folder.join("all.toml"), format!("recipe = 1\n{recipe}")).expect("a file");
    succeed(folder, "signal apply all.toml {slow.bvh} -o recipe.bvh");
    let pipes = bytes(folder, "pipes.bvh");
    assert!(pipes == bytes(folder, "takes.bvh") && pipes == bytes(folder, "recipe.bvh"));
    // Through files of others numbers are rounded, and contacts are detected again.
    succeed(folder, &format!("signal equalize {{slow.bvh}} {first} -o a.bvh"));
    succeed(folder, &format!("signal shape a.bvh {second} -o b.bvh"));
    succeed(folder, &format!("signal shape a.take {second} -o c.bvh"));
    assert!(furthest(&bvh(folder, "b.bvh").0, &bvh(folder, "c.bvh").0) < 1e-3);
}

#[test]
fn nothing_is_lost_through_a_pipe() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    // Channels of an order that we would not write by ourselves, on every joint.
    let text = fs::read_to_string(walk("slow.bvh")).expect("a walk");
    let (hierarchy, motion) = text.split_once("MOTION").expect("a motion");
    assert!(hierarchy.contains("Zrotation Xrotation Yrotation"), "{hierarchy}");
    let other = hierarchy.replace("Zrotation Xrotation Yrotation", "Yrotation Zrotation Xrotation");
    fs::write(folder.join("odd.bvh"), format!("{other}MOTION{motion}")).expect("a file");
    let (take, _, _) = run(folder, "signal equalize odd.bvh --gain 0=1 -o -");
    let (_, printed, code) = run_with(folder, "signal equalize - --gain 1=1 -o same.bvh", &take);
    assert_eq!(code, 0, "{printed}");
    let ((before, _), (after, hierarchy)) = (bvh(folder, "odd.bvh"), bvh(folder, "same.bvh"));
    assert!(furthest(&before, &after) < 1e-4);
    assert!(
        hierarchy.contains("Yrotation Zrotation Xrotation") && !hierarchy.contains("Zrotation Xrotation Yrotation")
    );
    // Other commands read takes too.
    fs::write(folder.join("walk.take"), &take).expect("a file");
    succeed(folder, "info walk.take");
    succeed(folder, "convert walk.take walk.glb");
    succeed(folder, "convert walk.take again.take");
    assert!(bytes(folder, "again.take") == take, "to the last bit");
    refused(folder, "convert walk.take x.take --write-unit cm", &["--write-unit is of no use"]);
    let (_, printed, code) = run_with(folder, "clean - -o clean.bvh", &take);
    assert_eq!(code, 0, "{printed}");
    let (_, printed, code) = run_with(folder, "measure -", &take);
    assert_eq!(code, 0, "{printed}");
}

#[test]
fn a_pipe_that_breaks_is_refused_by_name() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let (take, ..) = run(folder, "signal equalize {slow.bvh} --gain 2=1.5 -o -");
    let mut flipped = take.clone();
    flipped[take.len() / 2] ^= 4;
    for (input, part) in [
        (&b""[..], "nothing came from standard input; did the command in front of it fail?"),
        (&take[..20], "cut off within its header"),
        (&take[..take.len() - 1], "the take is cut off"),
        (&flipped, "the checksum is wrong"),
        (b"nonsense", "this is no motion file that we read"),
    ] {
        let (_, printed, code) = run_with(folder, "signal equalize - --gain 2=1 -o x.bvh", input);
        assert!(code == 2 && printed.contains(part), "{part}: {printed}");
        assert!(!folder.join("x.bvh").exists());
    }
    let (_, printed, code) = run_with(folder, "signal equalize - --gain 2=1 -o x.bvh --unit cm", &take);
    assert!(code == 2 && printed.contains("takes are in metres"), "{printed}");
}

#[test]
fn every_tool_edits_a_walk_and_draws_what_it_did() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    fs::write(
        folder.join("wave.keys.json"),
        "{ \"displacement\": 1, \"keys\": [ { \"seconds\": 1, \"reach\": \"left-hand\", \"by\": [0, 0.2, 0.1] },\n\
         { \"frame\": 100, \"pose\": \"pose.take\", \"joints\": [\"right-arm\"] } ] }",
    )
    .expect("a file");
    succeed(folder, "convert {fast.bvh} pose.glb --slice 40..41");
    succeed(folder, "signal equalize pose.glb --gain 0=1 -o pose.take");
    let n_frames = json(folder, "signal equalize {slow.bvh} --gain 0=1 -o same.bvh")["written"]["frames"].clone();
    for (name, words, same_time) in [
        ("equalize", "equalize {slow.bvh} --preset cartoon --amount 0.5 --edge hold", true),
        ("blend", "blend {slow.bvh} --with {fast.bvh} --with {tired.bvh} --weights 0.3,0.2 --part arms=0,1,0", false),
        ("parts", "blend {slow.bvh} --with {tired.bvh} --weights 1 --joints arms,head", true),
        ("warp", "warp {slow.bvh} --to {fast.bvh} --weigh arms=0 --max-slope 4", false),
        ("paper", "warp {slow.bvh} --to {fast.bvh} --register paper", false),
        ("shape", "shape {slow.bvh} --shape undulate:4 --mix 0:0/1:1 --joints arms", true),
        ("limits", "shape {slow.bvh} --body-limits --limit knees.flexion=0..40 --soft 5", true),
        (
            "displace",
            "displace {slow.bvh} --keys wave.keys.json --turn 60:head=0,20,0 --move 1.5s:Hips=0,-0.05,0",
            true,
        ),
        ("concat", "concat {slow.bvh} --with {fast.bvh} --cut best:0.5 --warp", false),
        ("loop", "loop {slow.bvh} --cycles 2", false),
        ("filter", "filter {slow.bvh} --despike --lowpass 6 --joints all,travel", true),
        ("transfer", "transfer {slow.bvh} --from {fast.bvh} --to {tired.bvh}", false),
        ("transfer by movement", "transfer {slow.bvh} --from {fast.bvh} --to {tired.bvh} --register movement", false),
    ] {
        let result = json(folder, &format!("signal {words} -o out.glb -f --plot out.svg"));
        assert_eq!(result["written"]["frames"] == n_frames, same_time, "{name}: {result}");
        assert!(!result["edits"][0]["tool"].is_null() && result["slide"]["after_mm"].is_number(), "{name}: {result}");
        let page = String::from_utf8(bytes(folder, "out.svg")).expect("text");
        assert!(page.starts_with("<svg") && !page.contains("NaN"), "{name}");
        succeed(folder, "info out.glb");
    }
}

#[test]
fn gains_of_one_change_nothing_and_negative_ones_turn_around() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    succeed(folder, "signal equalize {slow.bvh} --gain 0-7=1 -o same.bvh");
    fs::copy(walk("slow.bvh"), folder.join("slow.bvh")).expect("a copy");
    assert!(furthest(&bvh(folder, "slow.bvh").0, &bvh(folder, "same.bvh").0) < 1e-5);
    succeed(folder, "signal equalize {slow.bvh} --gain 3-5=-1 -o turned.bvh --joints LeftUpperArm..");
    assert!(furthest(&bvh(folder, "slow.bvh").0, &bvh(folder, "turned.bvh").0) > 5.0);
}

#[test]
fn feet_that_slide_are_reported_and_kept_where_that_is_asked() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let printed = succeed(folder, "signal equalize {slow.bvh} --preset exaggerate -o loose.bvh");
    assert!(
        printed.contains("planted feet slide by up to") && printed.contains("--keep-plants locks them"),
        "{printed}"
    );
    for (words, ground) in [
        ("equalize {slow.bvh} --preset exaggerate --keep-plants", 0.0),
        ("warp {slow.bvh} --to {fast.bvh} --amount 0.7 --keep-plants --rigid", 0.0),
        ("blend {slow.bvh} --with {fast.bvh} --keep-plants --terrain flat", 0.0),
        ("loop {slow.bvh} --cycles 2 --keep-plants", 0.0),
    ] {
        let result = json(folder, &format!("signal {words} -o kept.glb -f --write-contacts kept.contacts.json"));
        let slide = |name: &str| result["slide"][name].as_f64().unwrap_or_else(|| panic!("{result}"));
        assert!(slide("after_mm") < 0.01, "{words}: {result}");
        assert_eq!(result["edits"][1]["tool"], "keep-plants");
        let measured = json(folder, "measure kept.glb --contacts kept.contacts.json --terrain flat");
        let metrics = measured["metrics"].as_array().expect("metrics");
        let drift = metrics.iter().find(|metric| metric["name"] == "drift_max").expect("a drift")["value"].as_f64();
        assert!(drift.expect("a number") < 0.01 + ground, "{words}: {drift:?}");
    }
    refused(folder, "signal loop {slow.bvh} -o x.bvh --rigid", &["of no use without --keep-plants"]);
}

#[test]
fn steps_that_fall_together_are_registered_and_others_reported() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    for register in ["movement", "contacts"] {
        let printed = succeed(
            folder,
            &format!("signal blend {{slow.bvh}} --with {{fast.bvh}} --register {register} -o a.bvh -f"),
        );
        assert!(!printed.contains("out of step"), "{printed}");
        assert_eq!(
            printed.contains("touchdowns and lift-offs of feet belong together"),
            register == "contacts",
            "{printed}"
        );
    }
    let printed = succeed(folder, "signal blend {slow.bvh} --with {right.bvh} -o b.bvh");
    assert!(printed.contains("the clips are out of step"), "{printed}");
}

#[test]
fn a_recipe_serves_many_clips_and_one_bad_clip_stops_no_other() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    fs::create_dir(folder.join("recipes")).expect("a folder");
    succeed(
        folder,
        "signal blend {slow.bvh} --with {tired.bvh} --weights 0.5 -o a.bvh --keep-plants --write-recipe recipes/tired.toml",
    );
    let recipe = String::from_utf8(bytes(folder, "recipes/tired.toml")).expect("text");
    assert!(recipe.contains("tool = \"keep-plants\"") && recipe.contains("weights = 0.5"), "{recipe}");
    fs::write(folder.join("broken.bvh"), "HIERARCHY\nROOT x\n").expect("a file");
    let (_, printed, code) =
        run(folder, "signal apply recipes/tired.toml {slow.bvh} broken.bvh {fast.bvh} {child.glb} -o out/new");
    assert_eq!(code, 2, "{printed}");
    for part in ["broken.bvh: not edited", "wrote 3 of 4 clips", "1 of 4 clips were not edited"] {
        assert!(printed.contains(part), "{part}: {printed}");
    }
    let mut names: Vec<String> = fs::read_dir(folder.join("out/new"))
        .expect("made")
        .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    assert_eq!(names, ["child.glb", "fast.bvh", "slow.bvh"]);
    assert!(bytes(folder, "out/new/slow.bvh") == bytes(folder, "a.bvh"), "as the command that wrote the recipe");
    // One output that is there already keeps all away.
    fs::remove_file(folder.join("out/new/slow.bvh")).expect("a file");
    refused(folder, "signal apply recipes/tired.toml {slow.bvh} {fast.bvh} -o out/new", &["fast.bvh: exists already"]);
    assert!(!folder.join("out/new/slow.bvh").exists());
    let result = json(folder, "signal apply recipes/tired.toml {slow.bvh} {fast.bvh} -o out/json --to take");
    assert_eq!((result["clips"].as_array().expect("clips").len(), &result["failed"]), (2, &Value::from(0)));
    assert!(folder.join("out/json/slow.take").exists());
    refused(
        folder,
        "signal apply recipes/tired.toml {slow.bvh} {fast.bvh} -o a.bvh",
        &["several clips go into a folder"],
    );
    refused(folder, "signal apply recipes/tired.toml {slow.bvh} {slow.bvh} -o out/x", &["is named for two outputs"]);
    refused(
        folder,
        "signal apply recipes/tired.toml {slow.bvh} {fast.bvh} -o out/x --plot x.svg",
        &["--picture is for one clip"],
    );
}

#[test]
fn recipes_that_are_wrong_name_their_line() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let apply = |recipe: &str, parts: &[&str]| {
        fs::write(folder.join("r.toml"), recipe).expect("a file");
        refused(folder, "signal apply r.toml {slow.bvh} -o x.bvh", parts);
    };
    apply("recipe = 1\n[[edit]]\ntool = \"equalize\"\ngian = 3\n", &["r.toml:4: edit[0].gian", "did you mean `gain`?"]);
    // What only the clip can tell.
    let late = "recipe = 1\n[[edit]]\ntool = \"loop\"\n\n[[edit]]\ntool = \"equalize\"\ngain = { 12 = 1.8 }\n";
    apply(late, &["r.toml:7: edit[1].gain: 12=1.8: there is no band 12", "bands 0 to"]);
    apply(
        "recipe = 1\n[[edit]]\ntool = \"shape\"\nshape = \"clip\"\njoints = \"lgs\"\n",
        &["r.toml:5: edit[0].joints: lgs"],
    );
    apply("recipe = 1\n[[edit]]\ntool = \"warp\"\nto = \"none.bvh\"\n", &["none.bvh: no such file"]);
    apply("recipe = 1\n", &["r.toml:1:", "`edit` is missing"]);
    refused(folder, "signal apply none.toml {slow.bvh} -o x.bvh", &["none.toml: no such file"]);
}

#[test]
fn wrong_options_name_themselves_and_say_what_would_be_right() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    succeed(folder, "convert {slow.bvh} one.bvh --slice 9..10");
    for (words, parts) in [
        ("equalize {slow.bvh} --gain 12=1.8 -o x.bvh", &["--gain 12=1.8: there is no band 12", "bands 0 to"][..]),
        ("equalize {slow.bvh} --gain 2=200 -o x.bvh", &["--gain 2=200: a gain from -100 to 100 would be right"]),
        ("equalize {slow.bvh} --gain 100-900Hz=2 -o x.bvh", &["--gain 100-900Hz=2: 100 Hz is too fast"]),
        ("equalize {slow.bvh} --preset loud -o x.bvh", &["possible values: exaggerate, nervous"]),
        ("equalize {slow.bvh} -o x.bvh", &["--gain"]),
        (
            "equalize {slow.bvh} --gain 2=1 --joints lgs -o x.bvh",
            &["--joints lgs: `lgs` is neither a group nor a joint"],
        ),
        ("equalize {slow.bvh} --gain 2=1 --joints , -o x.bvh", &["--joints ,: no joint is selected"]),
        ("blend {slow.bvh} --with none.bvh -o x.bvh", &["none.bvh: no such file"]),
        (
            "blend {slow.bvh} --with {fast.bvh} --weights 1,2,3 -o x.bvh",
            &["--weights 1,2,3: 3 weights for 1 other clips"],
        ),
        ("blend {slow.bvh} --with {fast.bvh} --weights 1,-1 -o x.bvh", &["--weights 1,-1: weights add up to 0"]),
        (
            "blend {slow.bvh} --with {fast.bvh} --part all@30-40=0.5 -o x.bvh",
            &["--part all@30-40=0.5", "has bands 0 to"],
        ),
        ("warp {slow.bvh} --to {fast.bvh} --max-slope 0 -o x.bvh", &["--max-slope 0: a whole number from 1 to 32"]),
        ("warp {slow.bvh} --to {fast.bvh} --weigh lgs=2 -o x.bvh", &["--weigh lgs=2: `lgs` is neither"]),
        ("shape {slow.bvh} --shape wobble -o x.bvh", &["--shape wobble: `wobble` is no shape"]),
        ("shape {slow.bvh} --shape clip:9 -o x.bvh", &["--shape clip:9:", "0.01 to 1 would be right"]),
        ("shape {slow.bvh} --limit knees.w=0..9 -o x.bvh", &["--limit knees.w=0..9", "its axis is none of x, y, z"]),
        ("displace {slow.bvh} --turn 9999:Head=0,20,0 -o x.bvh", &["keys[0].frame is 9999, but the clip has"]),
        ("displace {slow.bvh} --turn 9:Nose=0,20,0 -o x.bvh", &["keys[0]: `Nose` is neither a group nor a joint"]),
        ("displace {slow.bvh} --turn 9:arms=0,20,0 -o x.bvh", &["`arms` means several joints"]),
        ("displace {slow.bvh} --reach 9:nose=0,1,0 -o x.bvh", &["--reach 9:nose=0,1,0", "120:left-hand=0,0.1,0"]),
        ("displace {slow.bvh} --keys none.keys.json -o x.bvh", &["none.keys.json: no such file"]),
        (
            "concat {slow.bvh} --with {fast.bvh} --zone -1 -o x.bvh",
            &["--zone -1: a number from 0 to 60 s would be right"],
        ),
        ("loop {slow.bvh} --shortest 60 -o x.bvh", &["too short for a cycle of at least 60 s"]),
        ("loop {slow.bvh} --cut 3..99999 -o x.bvh", &["--cut 3..99999: the cut 3 to 99999", "a clip of"]),
        ("loop {slow.bvh} --cycles 0 -o x.bvh", &["--cycles 0: cycles is 0; 1 to 1000 would be right"]),
        ("filter {slow.bvh} -o x.bvh", &["no filter is named"]),
        ("filter {slow.bvh} --lowpass 900 -o x.bvh", &["--lowpass 900:", "would be right"]),
        ("filter {slow.bvh} --gaussian -1 -o x.bvh", &["--gaussian -1:", "would be right"]),
        ("transfer {slow.bvh} --from {fast.bvh} -o x.bvh", &["--style"]),
        (
            "transfer one.bvh --from {fast.bvh} --to {tired.bvh} --register strides -o x.bvh",
            &["--register strides: in one feet do not touch down"],
        ),
        ("equalize {slow.bvh} --gain 2=1 -o x.txt", &["x.txt: the ending names no motion format"]),
        ("equalize {slow.bvh} --gain 2=1 -o {fast.bvh}", &["exists already; --force replaces it"]),
        ("equalize {slow.bvh} --gain 2=1 -o x.bvh --plot x.png", &["a plot is written as SVG"]),
        ("equalize {slow.bvh} --gain 2=1 -o x.bvh --write-recipe x.bvh", &["is named for two outputs"]),
    ] {
        refused(folder, &format!("signal {words}"), parts);
        assert!(!folder.join("x.bvh").exists(), "{words}");
    }
    for (words, part) in [
        ("signal equalize {slow.bvh} --gain 12=1.8 -o x.bvh --json", "--gain 12=1.8: there is no band 12"),
        ("signal equalize {slow.bvh} --gain 2=1 -o - --json", "standard output cannot take both"),
    ] {
        let (stdout, _, code) = run(folder, words);
        let value: Value = serde_json::from_slice(&stdout).expect("JSON");
        assert!(code == 2 && value["error"]["message"].as_str().expect("text").contains(part), "{value}");
    }
}

#[test]
fn clips_of_one_frame_and_statues_are_clips() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    succeed(folder, "convert {slow.bvh} one.bvh --slice 9..10");
    let (_, hierarchy) = bvh(folder, "one.bvh");
    let text = String::from_utf8(bytes(folder, "one.bvh")).expect("text");
    let row = text.lines().rev().find(|line| !line.trim().is_empty()).expect("a row");
    let rows = vec![row; 40].join("\n");
    let statue = format!("{hierarchy}MOTION\nFrames: 40\nFrame Time: 0.0166667\n{rows}\n");
    fs::write(folder.join("statue.bvh"), statue).expect("a file");
    for clip in ["one.bvh", "statue.bvh"] {
        for words in [
            "equalize CLIP --preset exaggerate",
            "equalize CLIP --preset cartoon",
            "blend CLIP --with {fast.bvh} --max-slope 20",
            "blend CLIP --with CLIP --register frames",
            "warp CLIP --to {fast.bvh} --max-slope 20",
            "shape CLIP --shape undulate --body-limits",
            "displace CLIP --turn 0:Head=0,20,0",
            "concat CLIP --with {fast.bvh} --with CLIP",
            "filter CLIP --despike --lowpass 6 --savitzky-golay 0.2 --gaussian 0.1 --orientation 2",
        ] {
            let words = words.replace("CLIP", clip);
            succeed(folder, &format!("signal {words} -o out.bvh -f --plot out.svg --keep-plants"));
            let page = String::from_utf8(bytes(folder, "out.svg")).expect("text");
            assert!(!page.contains("NaN"), "{words}");
        }
    }
    refused(folder, "signal loop one.bvh -o x.bvh", &["too short for a cycle"]);
}

#[test]
fn other_skeletons_are_matched_by_their_bodies_or_refused_with_their_joints() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let printed = succeed(folder, "signal blend {slow.bvh} --with {child.glb} -o grown.bvh --keep-plants");
    assert!(
        printed.contains("played by the skeleton of slow") && printed.contains("travel is scaled by 1.5"),
        "{printed}"
    );
    let chain = "HIERARCHY\nROOT Stick\n{\nOFFSET 0 0 0\nCHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation\n\
                 JOINT Tip\n{\nOFFSET 0 1 0\nCHANNELS 3 Zrotation Xrotation Yrotation\nEnd Site\n{\nOFFSET 0 1 0\n}\n}\n}\n\
                 MOTION\nFrames: 2\nFrame Time: 0.05\n0 0 0 0 0 0 0 0 0\n0 0 0 9 0 0 0 9 0\n";
    fs::write(folder.join("stick.bvh"), chain).expect("a file");
    let parts = ["stick: its skeleton is not that of slow", "`Stick`, `Tip`", "has no partner", "stick has none"];
    refused(folder, "signal blend {slow.bvh} --with stick.bvh -o x.bvh", &parts);
    // A stick can be edited all the same, by the names of its joints.
    let printed = succeed(folder, "signal equalize stick.bvh --gain 0=2 --joints Tip -o bent.bvh");
    assert!(printed.contains("joints go by their names"), "{printed}");
    refused(folder, "signal equalize stick.bvh --gain 0=2 --joints legs -o y.bvh", &["needs a body map"]);
    refused(folder, "signal equalize stick.bvh --gain 0=2 --keep-plants -o y.bvh", &["no body was found"]);
}
