//! BVH files.

#![no_main]

use libfuzzer_sys::{fuzz_mutator, fuzz_target};
use surefoot_formats::bvh::{BvhOptions, read_bvh, write_bvh};
use surefoot_fuzz::{mutate_words, offer_seeds, use_document};
use surefoot_contact::{WalkerOptions, synthetic_walk};

fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| { mutate_words(data, size, max_size, seed) });

fuzz_target!(
    init: offer_seeds(seeds()),
    |data: &[u8]| {
        if let Ok(bvh) = read_bvh(data) {
            use_document(bvh.into_document());
        }
    }
);

fn seeds() -> Vec<Vec<u8>> {
    let walk = synthetic_walk(&WalkerOptions { n_steps: 1, frame_rate: 3.0, ..Default::default() });
    let small = [
        "HIERARCHY\nROOT Hips\n{\n\tOFFSET 0.0 9e1 -.5\n\tCHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation\n\tJOINT A B\n\t{\n\t\tOFFSET 1 0 0\n\t\tCHANNELS 3 Zrotation Xrotation Yrotation\n\t\tEnd Site\n\t\t{\n\t\t\tOFFSET 0 1 0\n\t\t}\n\t}\n}\nMOTION\nFrames: 2\nFrame Time: .0083333\n0 1 2 3 4 5 6 7 8\n0.0-7.5 1e1 +2 3 4 5 6 7 8\n",
        "HIERARCHY\r\nROOT r\r\n{\r\nOFFSET 0 0 0\r\nCHANNELS 0\r\nEnd Site\r\n{\r\nOFFSET 0 0 0\r\n}\r\n}\r\nROOT r\r\n{\r\nOFFSET 0 0 0\r\nCHANNELS 1 Xrotation\r\n}\r\nMOTION\r\nFrames: 1\r\nFrame Time: 0.04\r\n90\r\n",
    ];
    let written = write_bvh(&walk.take.clip, &BvhOptions::default()).bytes;
    std::iter::once(written).chain(small.map(|text| text.as_bytes().to_vec())).collect()
}
