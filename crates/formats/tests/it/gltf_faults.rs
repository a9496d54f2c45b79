//! Every truncation and every changed byte of small files ends in a result, and what is read can be used.

use crate::gltf_cases::{Shape, random_clip, read, some_contacts};
use surefoot_formats::gltf::{BodyMesh, Container, GltfFile, GltfOptions, GltfWriteOptions, write_gltf};
use surefoot_motion::{Clip, WorldPose};

/// What readers must get by with.
const STACK_BYTES: usize = 256 << 10;

/// Small files that between them use every part of the reader.
fn seeds() -> Vec<Vec<u8>> {
    let shape = Shape { n_joints: 3, n_roots: 2, n_end_sites: 1, n_frames: 3, frame_rate: 30.0 };
    let clip = random_clip(1, shape);
    let contacts = some_contacts(3);
    let options =
        |container| GltfWriteOptions { container, body_mesh: BodyMesh::Without, ..GltfWriteOptions::default() };
    let write = |container| write_gltf(&clip, None, Some(&contacts), &options(container)).expect("writable");
    // Bytes of a spline of two keys, a sparse and a normalised accessor, a matrix and a scale.
    let odd = r#"{"asset":{"version":"2.0"},"scenes":[{"nodes":[0]}],"nodes":[{"children":[1,2],"matrix":[0,1,0,0,-1,0,0,0,0,0,1,0,1,2,3,1]},
        {"scale":[2,2,2],"children":[3]},{"mesh":0},{"rotation":[0,0,0.6,0.8]}],"meshes":[{"primitives":[]}],
        "animations":[{"channels":[{"sampler":0,"target":{"node":1,"path":"translation"}},
        {"sampler":1,"target":{"node":3,"path":"rotation"}}],
        "samplers":[{"input":0,"output":1,"interpolation":"CUBICSPLINE"},{"input":0,"output":2,"interpolation":"STEP"}]}],
        "accessors":[{"bufferView":0,"componentType":5126,"count":2,"type":"SCALAR"},
        {"componentType":5126,"count":6,"type":"VEC3","sparse":{"count":2,"indices":{"bufferView":1,"componentType":5121},
        "values":{"bufferView":2}}},{"bufferView":3,"componentType":5120,"normalized":true,"count":2,"type":"VEC4"}],
        "bufferViews":[{"buffer":0,"byteLength":8},{"buffer":0,"byteOffset":8,"byteLength":4},
        {"buffer":0,"byteOffset":12,"byteLength":24},{"buffer":0,"byteOffset":36,"byteLength":8,"byteStride":4}],
        "buffers":[{"byteLength":44,"uri":"data:;base64,AAAAAAAAgD4BBAAAAACAPwAAAEAAAEBAAACAvwAAAAAAAAA/AAAAf39/AAA"}]}"#;
    vec![write(Container::Glb), write(Container::Gltf), odd.as_bytes().to_vec()]
}

/// Reads a file, and uses what it holds: forward kinematics, writing, reading again. Tells whether it was read.
fn try_out(bytes: &[u8]) -> bool {
    let Ok(file) = read(bytes, &GltfOptions::default()) else {
        return false;
    };
    let GltfFile { document, .. } = file;
    for pose in &document.poses {
        let world = WorldPose::new(&document.skeleton, pose);
        assert!(world.world().iter().all(surefoot_geom::Transform::is_finite));
    }
    // A flipped bit may make a thousand frames of three; one is enough to write.
    let poses = document.poses.into_iter().take(1).collect();
    let clip = Clip::new("", document.skeleton.into(), 30.0, poses);
    let options = GltfWriteOptions { body_mesh: BodyMesh::Without, ..GltfWriteOptions::default() };
    let again = write_gltf(&clip, None, None, &options).expect("what was read can be written");
    let again = read(&again, &GltfOptions::default()).expect("what was written can be read");
    assert_eq!(again.document.poses.len(), clip.poses().len());
    true
}

fn on_small_stack(work: impl FnOnce() + Send + 'static) {
    std::thread::Builder::new().stack_size(STACK_BYTES).spawn(work).expect("a thread").join().expect("no panic");
}

#[test]
fn every_seed_is_read() {
    for (i, seed) in seeds().iter().enumerate() {
        assert!(try_out(seed), "seed {i}: {:?}", read(seed, &GltfOptions::default()).err());
    }
}

#[test]
fn every_truncation_is_refused() {
    on_small_stack(|| {
        for (s, seed) in seeds().iter().enumerate() {
            for length in 0..seed.len() {
                assert!(!try_out(&seed[..length]), "seed {s} cut to {length} bytes");
            }
        }
    });
}

#[test]
fn every_changed_byte_ends_in_a_result() {
    on_small_stack(|| {
        let (mut n_read, mut n_refused) = (0, 0);
        for seed in seeds() {
            let mut bytes = seed.clone();
            for at in 0..seed.len() {
                let old = seed[at];
                let values = [0x00, 0xFF, 0x7F, old ^ 0x01, old ^ 0x80, b'9', b'-', b'"', b']'];
                for value in values.into_iter().filter(|&value| value != old) {
                    bytes[at] = value;
                    if try_out(&bytes) { n_read += 1 } else { n_refused += 1 }
                }
                bytes[at] = old;
            }
        }
        println!("{n_read} changed files were read, {n_refused} refused");
        assert!(n_read > 100 && n_refused > 1000);
    });
}

#[test]
fn bombs_are_refused_or_read_in_proportion() {
    on_small_stack(|| {
        let deep = |open: &str, n: usize| format!(r#"{{"asset":{{"version":"2.0","extras":{}"#, open.repeat(n));
        assert!(!try_out(deep("[", 100_000).as_bytes()));
        assert!(!try_out(deep(r#"{"a":"#, 100_000).as_bytes()));
        let nodes = |n: usize| format!(r#"{{"asset":{{"version":"2.0"}},"nodes":[{}]}}"#, vec!["{}"; n].join(","));
        assert!(try_out(nodes(1000).as_bytes()));
        assert!(!try_out(nodes(65_537).as_bytes()));
        // Two keys a million seconds apart.
        let long = r#"{"asset":{"version":"2.0"},"nodes":[{}],"animations":[{"channels":[{"sampler":0,"target":{"node":0,
            "path":"translation"}}],"samplers":[{"input":0,"output":1}]}],"accessors":[{"bufferView":0,"componentType":5126,
            "count":2,"type":"SCALAR"},{"componentType":5126,"count":2,"type":"VEC3"}],"bufferViews":[{"buffer":0,
            "byteLength":8}],"buffers":[{"byteLength":8,"uri":"data:;base64,AAAAAAAkdEk="}]}"#;
        assert_eq!(read(long.as_bytes(), &GltfOptions::default()).err().map(|error| error.kind.code()), Some("limit"));
    });
}
