//! Writing a recording and reading it back moves no joint: BVH to BVH by more than a micrometre, BVH to GLB to BVH by more
//! than a tenth of a millimetre.

use std::path::PathBuf;
use surefoot::formats::gltf::BodyMesh;
use surefoot::formats::{Import, ImportOptions, OpenOptions, import, open};
use surefoot::geom::Axis;
use surefoot::motion::Clip;
use surefoot::{ConvertOptions, LoadOptions, OutputFormat, Target, convert, load};
use surefoot_recordings::{largest_move, manifest, shared_folder};

/// The BVH files of the shared collection.
fn recordings() -> Vec<PathBuf> {
    let Some(shared) = shared_folder() else { return Vec::new() };
    let folder = shared.join("mocap");
    let rows = manifest(&folder).into_iter().filter(|row| row["file"].ends_with(".bvh"));
    let files: Vec<PathBuf> = rows.map(|row| folder.join(&row["file"])).collect();
    assert!(files.len() > 140, "only {} recordings", files.len());
    files
}

fn written(import: &Import, format: OutputFormat, target: Option<Target>) -> Vec<u8> {
    let bvh_channels = import.bvh_channels.as_deref();
    let options = ConvertOptions { target, body_mesh: BodyMesh::Without, bvh_channels, ..ConvertOptions::default() };
    convert(&import.clip, import.body.as_ref().ok(), None, format, &options)
        .and_then(surefoot::jobs::Converted::into_bytes)
        .expect("a clip that can be written")
}

/// Reads bytes back through a file, as a user would. Unit and axes are given where the motion is too poor to tell them.
fn read_back(bytes: &[u8], name: &str, unit: f64, up: Axis) -> Import {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join(name);
    std::fs::write(&path, bytes).expect("a file");
    let document = open(&path, &OpenOptions::default()).expect("what we write, we read");
    let first_frames = surefoot::formats::FirstFrames::Keep;
    let given = ImportOptions { unit_to_metre: Some(unit), up: Some(up), first_frames, ..ImportOptions::default() };
    import(document, &given).expect("what we write, we import")
}

/// How far the joint that moved most has moved, in metres, at the same rate.
fn moved(a: &Clip, b: &Clip) -> f64 {
    assert!((a.frame_rate - b.frame_rate).abs() < 1e-9 * a.frame_rate);
    largest_move(a, b)
}

#[test]
fn bvh_to_bvh_moves_no_joint_by_a_micrometre() {
    for path in recordings() {
        let first = load(&path, &LoadOptions::default()).expect("a recording");
        let again = read_back(&written(&first, OutputFormat::Bvh, None), "again.bvh", 0.01, Axis::Y);
        let moved = moved(&first.clip, &again.clip);
        assert!(moved < 1e-6, "{}: {:.6} mm", path.display(), moved * 1000.0);
        assert_eq!(again.bvh_channels, first.bvh_channels, "{}", path.display());
        assert_eq!(again.clip.skeleton.end_sites().len(), first.clip.skeleton.end_sites().len());
    }
}

#[test]
fn bvh_for_a_z_up_program_comes_back_the_same() {
    for path in recordings().iter().step_by(9) {
        let first = load(path, &LoadOptions::default()).expect("a recording");
        let bytes = written(&first, OutputFormat::Bvh, Some(Target::Unreal));
        let again = read_back(&bytes, "again.bvh", 0.01, Axis::Z);
        let moved = moved(&first.clip, &again.clip);
        assert!(moved < 1e-6, "{}: {:.6} mm", path.display(), moved * 1000.0);
    }
}

#[test]
fn bvh_to_glb_to_bvh_moves_no_joint_by_a_tenth_of_a_millimetre() {
    // The writer and reader of GLB are tested on all recordings where they live; this is about both together.
    for path in recordings().iter().step_by(12) {
        let first = load(path, &LoadOptions::default()).expect("a recording");
        let glb = read_back(&written(&first, OutputFormat::Glb, None), "again.glb", 1.0, Axis::Y);
        let again = read_back(&written(&glb, OutputFormat::Bvh, None), "again.bvh", 0.01, Axis::Y);
        let moved = moved(&first.clip, &again.clip);
        assert!(moved < 1e-4, "{}: {:.6} mm", path.display(), moved * 1000.0);
    }
}
