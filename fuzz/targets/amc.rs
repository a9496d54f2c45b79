//! Acclaim motions, of one small skeleton.

#![no_main]

use libfuzzer_sys::{fuzz_mutator, fuzz_target};
use std::sync::LazyLock;
use surefoot_formats::asf::{Asf, into_document, read_amc, read_asf};
use surefoot_fuzz::{mutate_words, offer_seeds, use_document};

static SKELETON: LazyLock<Asf> = LazyLock::new(|| read_asf(ASF.as_bytes()).expect("a good skeleton"));

fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| { mutate_words(data, size, max_size, seed) });

fuzz_target!(
    init: offer_seeds(SEEDS.map(|text| text.as_bytes().to_vec())),
    |data: &[u8]| {
        if let Ok(amc) = read_amc(data, &SKELETON) {
            use_document(into_document(&SKELETON, &amc));
        }
    }
);

const ASF: &str = ":version 1.10\n:name p\n:units\n angle deg\n:root\n order TX TY TZ RX RY RZ\n axis XYZ\n position 0 0 0\n orientation 0 0 0\n:bonedata\n begin\n name hip\n direction 0.6 -0.8 0\n length 2.5\n axis 0 0 20 XYZ\n end\n begin\n name femur\n direction 0 -1 0\n length 7.2\n axis 0 0 20 XYZ\n dof rx ry rz\n end\n begin\n name tibia\n direction 0 -1 0\n length 7.5\n axis 0 0 20 XYZ\n dof rx\n end\n:hierarchy\n begin\n root hip\n hip femur\n femur tibia\n end\n";

const SEEDS: [&str; 2] = [
    "#!OML:ASF F:\\walk.ASF\n:FULLY-SPECIFIED\n:DEGREES\n1\nroot 9.3 17.8 -17.3 -2 -1 2.5e0\nfemur 1 2 3\ntibia -4.5\n2\nroot 9.3 17.8 -17.3 -2 -1 2\nfemur 1 2 3\ntibia -4.5\n",
    ":FULLY-SPECIFIED\n:RADIANS\n7\ntibia 0\nfemur 0 0 .5\nroot 0 0 0 0 0 0\n",
];
