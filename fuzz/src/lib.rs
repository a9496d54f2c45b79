//! What all fuzz targets share: seeds, and the use of a motion after it was read.
//!
//! Reading is not enough: a file that is read wrongly hurts whoever uses it. So every target reads, uses what it read (forward
//! kinematics, the importer with its search for a body, writers) and reads again what was written.

mod mutate_words;

pub use mutate_words::mutate_words;

use std::path::Path;
use surefoot_formats::{Document, ImportOptions, bvh, gltf, import};
use surefoot_motion::{Clip, WorldPose, align_rest};

/// More frames than this are read but not used: libFuzzer counts time by the input.
const MAX_USED_FRAMES: usize = 64;
/// More joints than this are read but not used.
const MAX_USED_JOINTS: usize = 256;
/// Coordinates that a person may have, with much to spare, in metres. What lies beyond is imported but not written and read
/// again: readers refuse numbers that mean nothing.
const MAX_COORDINATE: f64 = 1e6;

/// Writes a target's seeds into the folder that the runner names, before libFuzzer reads it.
pub fn offer_seeds(seeds: impl IntoIterator<Item = Vec<u8>>) {
    let Some(folder) = std::env::var_os("SUREFOOT_FUZZ_SEEDS") else { return };
    for (index, seed) in seeds.into_iter().enumerate() {
        std::fs::write(Path::new(&folder).join(format!("seed-{index}")), seed).expect("a folder for seeds");
    }
}

/// Uses a motion as the commands would.
pub fn use_document(mut document: Document) {
    let n_joints = document.skeleton.n_joints();
    assert!(document.poses.iter().all(|pose| pose.local.len() == n_joints), "a transform for each joint");
    document.poses.truncate(MAX_USED_FRAMES);
    if let Some(contacts) = &document.contacts {
        assert!(contacts.plants.iter().all(|(_, plants)| plants.iter().all(|p| p.frames.end <= contacts.n_frames)));
        document.contacts = None;
    }
    let mut world = WorldPose::default();
    for pose in &document.poses {
        world.fill(&document.skeleton, pose);
    }
    if n_joints > MAX_USED_JOINTS {
        return;
    }
    if let Ok(import) = import(document, &ImportOptions::default()) {
        assert!(import.clip.frame_rate.is_finite() && import.clip.frame_rate > 0.0, "a frame rate");
        write_and_read_again(&import.clip);
    }
}

/// What we write, we read, with as many joints and frames.
fn write_and_read_again(clip: &Clip) {
    let small = |pose: &WorldPose| {
        pose.world().iter().all(|joint| joint.is_finite() && joint.translation.abs().max_element() < MAX_COORDINATE)
    };
    if clip.n_frames() == 0 || !clip.world().iter().all(small) || !(1e-3..1e4).contains(&clip.frame_rate) {
        return;
    }
    if let Ok(bytes) = gltf::write_gltf(clip, None, None, &gltf::GltfWriteOptions::default()) {
        let mut no_files = |_: &str| panic!("a GLB is complete");
        let again =
            gltf::read_gltf(&bytes, &mut no_files, &gltf::GltfOptions::default()).expect("our own GLB").document;
        assert_eq!(again.skeleton.n_joints(), clip.skeleton.n_joints());
        assert_eq!(again.poses.len(), clip.n_frames());
    }
    let text = bvh::write_bvh(&align_rest(clip), &bvh::BvhOptions::default());
    let again = bvh::read_bvh(&text.bytes).expect("our own BVH").into_document();
    assert_eq!(again.skeleton.n_joints(), clip.skeleton.n_joints());
    assert_eq!(again.poses.len(), clip.n_frames());
}
