//! Edits in words on recordings: nothing is lost between two commands, and people of other families can be mixed.

use std::path::{Path, PathBuf};
use surefoot::formats::own::{EditWords, read_take, write_take};
use surefoot::signal::{Edit, SignalClip};
use surefoot::{Charts, ClipShelf, EditedClip, LoadOptions, apply_edits, load, plant_slide, signal_clip};
use surefoot_recordings::{manifest, shared_folder};

fn mocap() -> Option<PathBuf> {
    shared_folder().map(|shared| shared.join("mocap"))
}

fn edit(words: &[EditWords], path: &Path) -> (SignalClip, EditedClip) {
    let edits: Vec<Edit> = words.iter().map(|words| Edit::try_from(words).expect("an edit")).collect();
    let clip = signal_clip(&load(path, &LoadOptions::default()).expect("a recording"));
    let mut shelf = ClipShelf::new(LoadOptions::default());
    let edited = apply_edits(&clip, &edits, &mut shelf, Charts::Without);
    let edited = edited.unwrap_or_else(|failure| panic!("{}: {}", path.display(), failure.problem));
    (clip, edited)
}

#[test]
fn takes_of_recordings_come_back_bit_for_bit() {
    let Some(folder) = mocap() else { return };
    let endings = [".bvh", ".amc", ".fbx", ".glb", ".gltf"];
    let files = manifest(&folder).into_iter().map(|row| row["file"].clone());
    let files: Vec<String> = files.filter(|file| endings.iter().any(|ending| file.ends_with(ending))).collect();
    assert!(files.len() > 150, "only {} recordings", files.len());
    // Every seventh of each folder would miss small ones: the first of each, and then every seventh.
    let folder_of = |file: &str| file.split('/').next().unwrap_or_default().to_string();
    let mut seen: Vec<String> = Vec::new();
    for (index, file) in files.iter().enumerate() {
        let is_first = !seen.contains(&folder_of(file));
        if !is_first && index % 7 != 0 {
            continue;
        }
        seen.push(folder_of(file));
        let import = load(&folder.join(file), &LoadOptions::default()).unwrap_or_else(|error| panic!("{error}"));
        let bytes = write_take(&import);
        let back = read_take(&bytes).unwrap_or_else(|error| panic!("{file}: {error}"));
        assert!(back.clip == import.clip && back.body == import.body, "{file}");
        assert!(back.bvh_channels == import.bvh_channels && back.contacts == import.contacts, "{file}");
        assert!(write_take(&back) == bytes, "{file}");
    }
}

#[test]
fn walks_of_other_families_are_mixed_and_stay_planted() {
    let Some(folder) = mocap() else { return };
    let cmu = folder.join("cmu-bvh/002/02_01.bvh");
    for other in [
        "cmu-bvh/016/16_15.bvh",
        "bandai/dataset-1_walk_normal_001.bvh",
        "bvh-dialects/walk01.bvh",
        "bvh-dialects/test_freebvh.bvh",
        "gltf/CesiumMan.glb",
    ] {
        let path = folder.join(other);
        let words = [
            EditWords::new("blend").with("with", [path.display()]).with("weights", ["0.3"]).with("max-slope", ["32"]),
            EditWords::new("keep-plants"),
        ];
        let (clip, edited) = edit(&words, &cmu);
        let notes = edited.reports[0].notes.join("\n");
        assert!(notes.contains("played by the skeleton of 02_01"), "{other}: {notes}");
        let body = clip.body.expect("a person");
        let slide = plant_slide(&edited.take.clip, &body, &edited.take.contacts);
        assert!(slide < 1e-5, "{other}: planted feet slide by {:.3} mm", slide * 1000.0);
        for pose in edited.take.clip.poses() {
            let is_sound =
                pose.local.iter().all(|joint| joint.is_finite() && (joint.rotation.length() - 1.0).abs() < 1e-9);
            assert!(is_sound, "{other}");
        }
    }
}
