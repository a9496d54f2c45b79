//! Whatever happens to a BVH file, reading it ends in a result or an error, and what is read can be used.

use surefoot_formats::bvh::{BvhOptions, read_bvh, write_bvh};
use surefoot_formats::{ErrorKind, ImportOptions, import};

/// Two roots, an end site, positions on a joint, scale, scientific numbers.
const SEED: &str = "HIERARCHY
ROOT Hips
{
 OFFSET 0 90 0
 CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
 JOINT Left Leg
 {
  OFFSET 9 -4.5e0 0
  CHANNELS 4 Xposition Zrotation Xrotation Yscale
  End Site
  {
   OFFSET 0 -40 1
  }
 }
}
ROOT Prop
{
 OFFSET 1 2 3
 CHANNELS 0
}
MOTION
Frames: 2
Frame Time: .0083333
0 90 0 10 -20 30 9 1 2 1
1 90 1 11 -21 31 9 -4.0020632E-7 3 1
";

/// Reads, imports and writes again; returns whether the bytes were read.
fn use_it(bytes: &[u8]) -> bool {
    let Ok(bvh) = read_bvh(bytes) else { return false };
    let Ok(import) = import(bvh.into_document(), &ImportOptions::default()) else { return true };
    let channels = import.bvh_channels.as_deref();
    let written = write_bvh(&import.clip, &BvhOptions { unit_to_metre: 0.01, channels });
    let again = read_bvh(&written.bytes).unwrap_or_else(|error| panic!("{error}:\n{}", String::from_utf8_lossy(bytes)));
    assert_eq!(again.n_frames, import.clip.n_frames());
    true
}

/// Runs on a stack as small as a thread pool's.
fn on_small_stack(job: impl FnOnce() + Send + 'static) {
    std::thread::Builder::new().stack_size(256 << 10).spawn(job).expect("a thread").join().expect("no panic");
}

#[test]
fn the_seed_is_good() {
    assert!(use_it(SEED.as_bytes()));
}

#[test]
fn every_truncation_ends_in_an_error_or_in_fewer_digits() {
    on_small_stack(|| {
        for length in 0..SEED.len() {
            let was_read = use_it(&SEED.as_bytes()[..length]);
            // Only a cut inside the last row can pass for a complete file: between rows, or within the last number's digits.
            let frame_ends = SEED.trim_end().len() - 1;
            let first_row_ends = SEED.find("\n1 90").expect("the last row");
            assert!(
                !was_read || length >= frame_ends || (first_row_ends - 1..=first_row_ends + 1).contains(&length),
                "{length}"
            );
        }
    });
}

#[test]
fn every_changed_lost_or_added_byte_ends_in_a_result_or_an_error() {
    on_small_stack(|| {
        let seed = SEED.as_bytes();
        for at in 0..seed.len() {
            for value in 0..=u8::MAX {
                let mut changed = seed.to_vec();
                changed[at] = value;
                use_it(&changed);
                changed.insert(at, seed[at]);
                use_it(&changed);
            }
            let mut lost = seed.to_vec();
            lost.remove(at);
            use_it(&lost);
        }
    });
}

#[test]
fn a_chain_of_any_depth_is_read_used_and_dropped_on_a_small_stack() {
    on_small_stack(|| {
        let depth = 5000;
        let mut text = String::from("HIERARCHY\nROOT r\n{\nOFFSET 0 1 0\nCHANNELS 3 Zrotation Xrotation Yrotation\n");
        text += &"JOINT j\n{\nOFFSET 0 1 0\nCHANNELS 1 Xrotation\n".repeat(depth);
        text += &"}\n".repeat(depth + 1);
        text += "MOTION\nFrames: 1\nFrame Time: 0.1\n";
        text += &"1 ".repeat(depth + 3);
        assert!(use_it(text.as_bytes()));
        let open_only = text.split("}\n").next().expect("the first half");
        assert_eq!(read_bvh(open_only.as_bytes()).map_err(|e| e.kind).err(), Some(ErrorKind::UnexpectedEof));
    });
}

#[test]
fn more_joints_than_anybody_has_are_refused() {
    let joints = "JOINT j { OFFSET 0 1 0 CHANNELS 0 }\n".repeat(surefoot_formats::bvh::MAX_JOINTS);
    let text =
        format!("HIERARCHY\nROOT r\n{{\nOFFSET 0 0 0\nCHANNELS 0\n{joints}}}\nMOTION\nFrames: 0\nFrame Time: 1\n");
    assert_eq!(read_bvh(text.as_bytes()).map_err(|e| e.kind).err(), Some(ErrorKind::Limit));
}
