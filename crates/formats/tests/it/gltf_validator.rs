//! What we write passes the Khronos validator without an error or a warning.
//!
//! Needs Node and the npm package `gltf-validator`, installed in the folder that `SUREFOOT_GLTF_VALIDATOR` names; see
//! `tools/validate-glb.mjs`.

use crate::gltf_cases::{Shape, random_clip, some_contacts};
use std::path::{Path, PathBuf};
use std::process::Command;
use surefoot_formats::gltf::{BodyMesh, Container, GltfWriteOptions, write_gltf};
use surefoot_recordings::shared_folder;

#[test]
fn every_kind_of_file_passes_the_validator() {
    let Some(validator) = std::env::var_os("SUREFOOT_GLTF_VALIDATOR") else {
        println!("skipped: SUREFOOT_GLTF_VALIDATOR is not set");
        return;
    };
    let base = Shape { n_joints: 25, n_roots: 1, n_end_sites: 5, n_frames: 40, frame_rate: 120.0 };
    let shapes = [
        ("plain", base),
        ("several_roots", Shape { n_roots: 3, ..base }),
        ("one_frame", Shape { n_frames: 1, ..base }),
        ("no_frames", Shape { n_frames: 0, ..base }),
        ("one_joint", Shape { n_joints: 1, ..base }),
        ("no_end_site", Shape { n_end_sites: 0, ..base }),
        ("240_joints", Shape { n_joints: 240, ..base }),
        ("1000_joints", Shape { n_joints: 1000, ..base }),
        ("long", Shape { n_frames: 20_000, n_joints: 3, ..base }),
    ];
    let folder = tempfile::tempdir().expect("a folder");
    let mut files = Vec::new();
    for (name, shape) in shapes {
        let clip = random_clip(1, shape);
        let contacts = (shape.n_frames > 1).then(|| some_contacts(shape.n_frames));
        for (container, ending) in [(Container::Glb, "glb"), (Container::Gltf, "gltf")] {
            for (body_mesh, with) in [(BodyMesh::With, "with"), (BodyMesh::Without, "without")] {
                let options = GltfWriteOptions { container, body_mesh, ..GltfWriteOptions::default() };
                let bytes = write_gltf(&clip, None, contacts.as_ref(), &options).expect("writable");
                let file = folder.path().join(format!("{name}_{with}_body.{ending}"));
                std::fs::write(&file, bytes).expect("a file");
                files.push(file);
            }
        }
    }
    files.extend(write_person(folder.path()));
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tools/validate-glb.mjs");
    let output = Command::new("node").arg(script).arg(validator).args(&files).output().expect("node");
    println!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "the validator found something");
}

/// A recording with a body map, whose body has all its parts and colours.
fn write_person(folder: &Path) -> Option<PathBuf> {
    let recording = shared_folder()?.join("mocap/cmu-bvh/002/02_01.bvh");
    let document = surefoot_formats::open(&recording, &Default::default()).expect("readable");
    let person = surefoot_formats::import(document, &Default::default()).expect("a person");
    let body = person.body.as_ref().expect("a body");
    let bytes = write_gltf(&person.clip, Some(body), None, &GltfWriteOptions::default()).expect("writable");
    let file = folder.join("person.glb");
    std::fs::write(&file, bytes).expect("a file");
    Some(file)
}
