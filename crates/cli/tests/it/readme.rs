//! The README is a test: every command in it runs as printed, one after the other, in one folder.

use std::path::{Path, PathBuf};
use std::process::Command;

/// The lines of all `sh` blocks, in order, without comments.
fn commands(readme: &str) -> Vec<String> {
    let mut lines = Vec::new();
    let mut is_in_block = false;
    for line in readme.lines() {
        match line.trim() {
            "```sh" => is_in_block = true,
            "```" => is_in_block = false,
            _ if is_in_block => lines.push(line.split(" # ").next().unwrap_or_default().trim().to_string()),
            _ => {}
        }
    }
    lines.retain(|line| !line.is_empty() && !line.starts_with('#'));
    lines
}

/// The line as it is run: with the built command, and without what builds or tests it. `None` for a line to skip.
fn runnable(line: &str) -> Option<String> {
    let line = line.replace("cargo run --release -- ", "surefoot ");
    // The studio runs until it is ended; `tools/browser/studio.mjs` drives it.
    let skipped = ["cargo ", "git ", "surefoot studio"];
    skipped.iter().all(|start| !line.starts_with(start)).then_some(line)
}

fn page(name: &str) -> String {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..");
    std::fs::read_to_string(root.join(name)).expect("a page")
}

#[test]
fn every_command_of_the_readme_and_of_the_player_runs_as_printed() {
    let lines = commands(&page("README.md"));
    assert!(lines.len() > 30, "the README's commands are found: {lines:?}");
    // The player's page goes on in the same folder.
    let of_player = commands(&page("docs/PLAYER.md"));
    assert!(of_player.len() >= 5, "the page's commands are found: {of_player:?}");
    run(&lines.into_iter().chain(of_player).collect::<Vec<_>>());
}

#[test]
fn every_command_for_characters_runs_as_printed() {
    let made = [
        "surefoot gait walk --steps 4 -o walk.bvh",
        "surefoot convert walk.bvh hero.glb",
        "surefoot gait walk --height 1.2 --steps 4 -o other.glb",
        "surefoot plan extract walk.bvh -o stones.plan.json",
    ]
    .map(String::from);
    let lines = commands(&page("docs/CHARACTER.md"));
    assert!(lines.len() >= 3, "the page's commands are found: {lines:?}");
    run(&made.into_iter().chain(lines).collect::<Vec<_>>());
}

/// Runs lines one after the other in a new folder.
fn run(lines: &[String]) {
    let binary = assert_cmd::cargo::cargo_bin("surefoot");
    let folder_of_binary = binary.parent().expect("a folder").to_path_buf();
    let path = std::env::join_paths(
        std::iter::once(folder_of_binary).chain(std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default())),
    )
    .expect("a path");
    let temporary = tempfile::tempdir().expect("a folder");
    let mut folder = temporary.path().to_path_buf();
    for line in lines.iter().filter_map(|line| runnable(line)) {
        if let Some(to) = line.strip_prefix("cd ") {
            folder.push(Path::new(to));
            assert!(folder.is_dir(), "{line}");
            continue;
        }
        let output =
            Command::new("sh").args(["-c", &line]).current_dir(&folder).env("PATH", &path).output().expect("a shell");
        assert!(
            output.status.success(),
            "`{line}` ends with {:?}:\n{}{}",
            output.status.code(),
            String::from_utf8_lossy(&output.stdout),
            String::from_utf8_lossy(&output.stderr)
        );
    }
}
