//! Reading and writing BVH, beside the fastest other reader.
//!
//! Reads the CMU recordings below the folder named by `SUREFOOT_SHARED`, or a file made up of numbers like theirs.

use divan::Bencher;
use divan::counter::BytesCount;
use surefoot_formats::bvh::{BvhOptions, read_bvh, write_bvh};
use surefoot_motion::Clip;
use surefoot_recordings::shared_folder;

fn main() {
    divan::main();
}

/// All CMU recordings, or a made-up one of the same shape.
fn recordings() -> Vec<Vec<u8>> {
    let Some(shared) = shared_folder() else { return vec![made_up(2000)] };
    let folder = shared.join("mocap/cmu-bvh");
    let mut files = Vec::new();
    for subject in std::fs::read_dir(folder).expect("the CMU recordings") {
        for file in std::fs::read_dir(subject.expect("a folder").path()).expect("a subject's folder") {
            files.push(std::fs::read(file.expect("a file").path()).expect("a recording"));
        }
    }
    files
}

fn made_up(n_frames: usize) -> Vec<u8> {
    let mut text = String::from(
        "HIERARCHY\nROOT Hips\n{\nOFFSET 0 0 0\nCHANNELS 6 Xposition Yposition Zposition Zrotation Yrotation Xrotation\n",
    );
    for i in 0..30 {
        text += &format!("JOINT joint{i}\n{{\nOFFSET 0 1 0\nCHANNELS 3 Zrotation Yrotation Xrotation\n");
    }
    text += &"}\n".repeat(31);
    text += &format!("MOTION\nFrames: {n_frames}\nFrame Time: .0083333\n");
    for frame in 0..n_frames {
        for channel in 0..96 {
            text += &format!("{:.4} ", 90.0 * ((frame * 7 + channel * 13) as f64 * 0.01).sin());
        }
        text += "\n";
    }
    text.into_bytes()
}

fn total(files: &[Vec<u8>]) -> BytesCount {
    BytesCount::new(files.iter().map(Vec::len).sum::<usize>())
}

#[divan::bench]
fn surefoot_read(bencher: Bencher<'_, '_>) {
    let files = recordings();
    bencher
        .counter(total(&files))
        .bench_local(|| files.iter().map(|bytes| read_bvh(bytes).unwrap().n_frames).sum::<usize>());
}

#[divan::bench]
fn bvh_anim_read(bencher: Bencher<'_, '_>) {
    let files = recordings();
    bencher.counter(total(&files)).bench_local(|| {
        files.iter().map(|bytes| bvh_anim::from_reader(&bytes[..]).unwrap().num_frames()).sum::<usize>()
    });
}

#[divan::bench]
fn surefoot_read_to_transforms(bencher: Bencher<'_, '_>) {
    let files = recordings();
    bencher
        .counter(total(&files))
        .bench_local(|| files.iter().map(|bytes| read_bvh(bytes).unwrap().into_document().poses.len()).sum::<usize>());
}

#[divan::bench]
fn surefoot_write(bencher: Bencher<'_, '_>) {
    let document = read_bvh(&made_up(500)).unwrap().into_document();
    let clip = Clip::new("", document.skeleton.into(), 120.0, document.poses);
    let size = write_bvh(&clip, &BvhOptions::default()).bytes.len();
    bencher.counter(BytesCount::new(size)).bench_local(|| write_bvh(&clip, &BvhOptions::default()));
}
