//! Reading a BVH takes at most three times the memory of the numbers it reads, whatever number of frames it declares.

use allocation_counter::measure;
use surefoot_formats::bvh::read_bvh;

/// A walk-like file: 31 joints, four decimals.
fn text(n_frames: usize, declared: u64) -> String {
    let mut text = String::from(
        "HIERARCHY\nROOT Hips\n{\nOFFSET 0 0 0\nCHANNELS 6 Xposition Yposition Zposition Zrotation Yrotation Xrotation\n",
    );
    for i in 0..30 {
        text += &format!("JOINT joint{i}\n{{\nOFFSET 0 1 0\nCHANNELS 3 Zrotation Yrotation Xrotation\n");
    }
    text += &"}\n".repeat(31);
    text += &format!("MOTION\nFrames: {declared}\nFrame Time: .0083333\n");
    let row: Vec<String> = (0..96).map(|i| format!("{:.4}", f64::from(i) * 1.7 - 80.0)).collect();
    text += &format!("{}\n", row.join(" ")).repeat(n_frames);
    text
}

#[test]
fn memory_is_bounded_by_the_numbers_that_are_there() {
    let n_frames = 2000;
    for declared in [n_frames as u64, 0, 10, 100_000, u64::MAX] {
        let text = text(n_frames, declared);
        let mut read = None;
        let used = measure(|| read = Some(read_bvh(text.as_bytes()))).bytes_max as usize;
        let bvh = read.expect("it ran").expect("a good file");
        let numbers = bvh.values.len() * size_of::<f64>();
        assert_eq!(bvh.n_frames, n_frames);
        println!("{declared} declared: {:.2} times the numbers", used as f64 / numbers as f64);
        assert!(used <= 3 * numbers, "{declared} declared: {used} bytes for {numbers}");
    }
}
