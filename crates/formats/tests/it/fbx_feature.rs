//! Without the feature `fbx` the reader is there and says why it cannot read.

use surefoot_formats::ErrorKind;
use surefoot_formats::fbx::{FbxOptions, read_fbx};

#[test]
fn a_build_without_fbx_says_so() {
    let error = read_fbx(b"Kaydara FBX Binary  \0", &FbxOptions::default()).expect_err("no FBX here");
    assert_eq!(error.kind, ErrorKind::Format);
    assert!(error.message.contains("feature `fbx`"), "{}", error.message);
}
