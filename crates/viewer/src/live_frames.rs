//! Frames that replace those of a page while its motion is edited: nothing is packed, so that they cost no time.
//!
//! ```text
//! each frame, each joint in the skeleton's order   7 f32: local rotation x y z w, local translation
//! ```
//!
//! Little-endian; translations in metres of the world, not from the page's origin.

use surefoot_geom::Transform;
use surefoot_motion::Poses;

/// Bytes of one joint in one frame.
const JOINT_BYTES: usize = 28;

/// Appends frames. Numbers that are not finite become 0.
pub fn live_frames(poses: &Poses, bytes: &mut Vec<u8>) {
    live_pose(poses.transforms(), bytes);
}

/// Appends the joints of one frame, or of several.
pub fn live_pose(local: &[Transform], bytes: &mut Vec<u8>) {
    bytes.reserve(local.len() * JOINT_BYTES);
    for transform in local {
        let rotation = transform.rotation.to_array();
        for value in rotation.into_iter().chain(transform.translation.to_array()) {
            let value = if value.is_finite() { value as f32 } else { 0.0 };
            bytes.extend(value.to_le_bytes());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use surefoot_contact::{WalkerOptions, synthetic_walk};

    #[test]
    fn frames_are_read_back_as_they_were() {
        let clip = synthetic_walk(&WalkerOptions { n_steps: 2, ..WalkerOptions::default() }).take.clip;
        let mut bytes = Vec::new();
        live_frames(clip.poses(), &mut bytes);
        assert_eq!(bytes.len(), clip.transforms().len() * JOINT_BYTES);
        for (transform, packed) in clip.transforms().iter().zip(bytes.chunks(JOINT_BYTES)) {
            let values: Vec<f64> =
                packed.chunks(4).map(|four| f64::from(f32::from_le_bytes(four.try_into().expect("four")))).collect();
            let all = transform.rotation.to_array().into_iter().chain(transform.translation.to_array());
            assert!(all.zip(values).all(|(a, b)| (a - b).abs() < 1e-6), "{transform:?}");
        }
    }
}
