//! glTF files, text and binary; buffers outside the file are empty or 64 bytes long.

#![no_main]

use libfuzzer_sys::{fuzz_mutator, fuzz_target};
use surefoot_formats::gltf::{Container, GltfOptions, GltfWriteOptions, read_gltf, write_gltf};
use surefoot_fuzz::{mutate_words, offer_seeds, use_document};
use surefoot_contact::{WalkerOptions, synthetic_walk};

fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| { mutate_words(data, size, max_size, seed) });

fuzz_target!(
    init: offer_seeds(seeds()),
    |data: &[u8]| {
        let mut load = |uri: &str| Ok(vec![0; if uri.starts_with('e') { 0 } else { 64 }]);
        if let Ok(file) = read_gltf(data, &mut load, &GltfOptions::default()) {
            use_document(file.document);
        }
    }
);

fn seeds() -> Vec<Vec<u8>> {
    let walk = synthetic_walk(&WalkerOptions { n_steps: 1, frame_rate: 3.0, ..Default::default() });
    let write = |container| {
        let options = GltfWriteOptions { container, ..Default::default() };
        write_gltf(&walk.take.clip, Some(&walk.take.body), Some(&walk.take.contacts), &options).expect("a small file")
    };
    let small = r#"{"asset":{"version":"2.0"},"nodes":[{"name":"a","children":[1],"translation":[0,1,0]},{"name":"b","rotation":[0,0,0,1]}],"buffers":[{"uri":"x.bin","byteLength":64}],"bufferViews":[{"buffer":0,"byteOffset":0,"byteLength":64}],"accessors":[{"bufferView":0,"componentType":5126,"count":1,"type":"SCALAR"},{"bufferView":0,"byteOffset":4,"componentType":5126,"count":1,"type":"VEC3"}],"animations":[{"samplers":[{"input":0,"output":1}],"channels":[{"sampler":0,"target":{"node":0,"path":"translation"}}]}]}"#;
    vec![write(Container::Glb), write(Container::Gltf), small.as_bytes().to_vec()]
}
