//! Takes: as they are, and with length and checksum made right, so that the contents are reached.

#![no_main]

use libfuzzer_sys::fuzz_target;
use surefoot_formats::bvh::{BvhOptions, read_bvh, write_bvh};
use surefoot_formats::own::{read_take, write_take};
use surefoot_formats::{Import, ImportOptions, import};
use surefoot_fuzz::offer_seeds;
use surefoot_contact::{WalkerOptions, measure_placement, synthetic_walk};
use xxhash_rust::xxh3::Xxh3Default;

fuzz_target!(
    init: offer_seeds(seeds()),
    |data: &[u8]| {
        check(data);
        if data.len() > 28 {
            check(&sealed(data));
        }
    }
);

/// More than this is read but not used: libFuzzer counts time by the input.
const MAX_USED: usize = 4096;

fn check(bytes: &[u8]) {
    let Ok(take) = read_take(bytes) else { return };
    let again = write_take(&take);
    assert_eq!(write_take(&read_take(&again).expect("our own take")), again);
    if take.clip.n_frames() * take.clip.skeleton.n_joints() < MAX_USED {
        use_take(&take);
    }
}

fn use_take(take: &Import) {
    let poses = take.clip.world();
    if let (Ok(body), Some(contacts)) = (&take.body, &take.contacts) {
        assert!(measure_placement(&poses, body, contacts).iter().all(|error| error.distance >= 0.0 || error.distance.is_nan()));
    }
}

/// The same with a header that is right.
fn sealed(data: &[u8]) -> Vec<u8> {
    let mut file = b"\x89TAKE\0\r\n\x01\0\0\0".to_vec();
    let contents = &data[28..];
    file.extend((contents.len() as u64).to_le_bytes());
    let mut hash = Xxh3Default::new();
    hash.update(&file);
    hash.update(contents);
    file.extend(hash.digest().to_le_bytes());
    file.extend(contents);
    file
}

fn seeds() -> Vec<Vec<u8>> {
    let walk = synthetic_walk(&WalkerOptions { n_steps: 1, frame_rate: 10.0, standing: 0.1, ..Default::default() });
    let text = write_bvh(&walk.take.clip, &BvhOptions::default());
    let document = read_bvh(&text.bytes).expect("our own BVH").into_document();
    let mut whole = import(document, &ImportOptions::default()).expect("a motion");
    whole.contacts = Some(walk.take.contacts);
    let mut still = whole.clone();
    still.clip.poses_mut().truncate(1);
    (still.contacts, still.bvh_channels) = (None, None);
    vec![write_take(&whole), write_take(&still)]
}
