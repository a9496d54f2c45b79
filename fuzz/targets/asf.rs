//! Acclaim skeletons.

#![no_main]

use libfuzzer_sys::{fuzz_mutator, fuzz_target};
use surefoot_formats::asf::{read_asf, skeleton_document};
use surefoot_fuzz::{mutate_words, offer_seeds, use_document};

fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| { mutate_words(data, size, max_size, seed) });

fuzz_target!(
    init: offer_seeds(SEEDS.map(|text| text.as_bytes().to_vec())),
    |data: &[u8]| {
        if let Ok(asf) = read_asf(data) {
            use_document(skeleton_document(&asf));
        }
    }
);

const SEEDS: [&str; 2] = [
    ":version 1.10\n:name person\n:units\n  mass 1.0\n  length 0.45\n  angle deg\n:documentation\n  text\n:root\n   order TX TY TZ RX RY RZ\n   axis XYZ\n   position 0 0 0\n   orientation 0 0 0\n:bonedata\n  begin\n     id 1\n     name hip\n     direction 0.6 -0.8 0\n     length 2.5\n     axis 0 0 20 XYZ\n  end\n  begin\n     id 2\n     name femur\n     direction 0 -1 0\n     length 7.2\n     axis 0 0 20 XYZ\n    dof rx ry rz\n    limits (-160.0 20.0)\n           (-70.0 70.0)\n           (-60.0 70.0)\n  end\n:hierarchy\n  begin\n    root hip\n    hip femur\n  end\n",
    ":version 1.10\n:name a\n:units\n angle rad\n:root\n order RX RY RZ\n axis ZYX\n position 1 2 3\n orientation 0 1 0\n:bonedata\n begin\n name b\n direction 0 0 1\n length 1e0\n axis 0 0 0 XYZ\n dof tx l\n end\n:hierarchy\n begin\n root b\n end\n",
];
