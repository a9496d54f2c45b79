//! Damaged FBX files end in a document or an error: cut short, or with a byte changed, on a small stack.

use surefoot_formats::fbx::{FbxOptions, read_fbx};
use surefoot_recordings::shared_folder;

/// Places looked at in each file; they are spread over it with a step that falls on all kinds of places.
const N_CUTS: usize = 40;
const N_CHANGES: usize = 120;

/// A change of one byte, numbered so that a failure can be repeated.
fn change(bytes: &mut [u8], number: usize) {
    let place = (number * 7_919 * 131) % bytes.len();
    bytes[place] = match number % 4 {
        0 => 0xFF,
        1 => 0,
        2 => bytes[place] ^ 0x10,
        _ => bytes[place].wrapping_add(1),
    };
}

/// Reads on a stack of 256 KiB. Whatever is read must be finite.
fn read_on_small_stack(bytes: Vec<u8>, what: &str) {
    let job = move || match read_fbx(&bytes, &FbxOptions::default()) {
        Ok(document) => document.poses.iter().all(|pose| pose.local.iter().all(surefoot_geom::Transform::is_finite)),
        Err(error) => !error.message.is_empty(),
    };
    let thread = std::thread::Builder::new().stack_size(256 * 1024).spawn(job).expect("a thread");
    assert!(thread.join().unwrap_or_else(|_| panic!("{what} panicked")), "{what}");
}

#[test]
fn damaged_files_end_in_a_document_or_an_error() {
    let Some(shared) = shared_folder() else { return };
    let folder = shared.join("mocap/cmu-fbx");
    for name in ["02_01.fbx", "85_03.fbx", "91_48.fbx"] {
        let whole = std::fs::read(folder.join(name)).unwrap_or_else(|e| panic!("{name}: {e}"));
        for cut in (0..N_CUTS).map(|i| whole.len() * i / N_CUTS) {
            read_on_small_stack(whole[..cut].to_vec(), &format!("{name} cut to {cut} bytes"));
        }
        for number in 0..N_CHANGES {
            let mut damaged = whole.clone();
            change(&mut damaged, number);
            read_on_small_stack(damaged, &format!("{name} with change {number}"));
        }
        // The head of a file says the most about the rest.
        for place in 0..64.min(whole.len()) {
            let mut damaged = whole.clone();
            damaged[place] ^= 0x41;
            read_on_small_stack(damaged, &format!("{name} with byte {place} changed"));
        }
    }
}
