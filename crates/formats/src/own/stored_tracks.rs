//! Poses as our binary files have them: numbers over time.
//!
//! A pose has seven numbers for each joint, and over a clip most of them never change: the lengths of a body, fingers
//! that nobody recorded. Each number is a track of its own, kept once if it is always the same and else frame by frame,
//! as the double that it is.
//!
//! The shapes are those of takes and motion graphs, and stay as they are; a change of them is a new version of both.

use super::stored_body::vector;
use serde::{Deserialize, Serialize};
use surefoot_geom::{Quat, Transform};
use surefoot_motion::{Clip, Pose, PoseRef, Poses};

/// How far a rotation of a pose may be from unit length; readers and edits give far better ones.
const ROTATION_TOLERANCE: f64 = 1e-4;
/// Numbers of a transform: rotation x, y, z, w, translation x, y, z.
const N_NUMBERS: usize = 7;
/// Poses may take this many times the bytes of their file, or the second number of bytes: a small file must not ask for
/// all memory by saying that a million joints stand still for a million frames.
const MAX_UNPACKED: usize = 100;
const ALWAYS_UNPACKED: usize = 16 << 20;

#[derive(Serialize, Deserialize)]
pub(super) enum StoredTrack {
    Still(f64),
    /// One for each frame.
    Moving(Vec<f64>),
}

/// A number that memory can count to.
pub(super) fn count(number: u64) -> Result<usize, String> {
    usize::try_from(number).map_err(|_| format!("{number} is more than memory holds"))
}

/// Bytes that poses take in memory.
fn unpacked(n_frames: usize, n_joints: usize) -> usize {
    n_frames.saturating_mul(n_joints.saturating_mul(size_of::<Transform>()).saturating_add(size_of::<Pose>()))
}

pub(super) fn check_size(n_frames: u64, n_joints: usize, n_bytes: usize) -> Result<usize, String> {
    let n_frames = count(n_frames)?;
    if unpacked(n_frames, n_joints) > ALWAYS_UNPACKED.max(n_bytes.saturating_mul(MAX_UNPACKED)) {
        return Err(format!("{n_frames} frames of {n_joints} joints are more than {n_bytes} bytes can mean"));
    }
    Ok(n_frames)
}

fn numbers_of(transform: &Transform) -> [f64; N_NUMBERS] {
    let ([x, y, z, w], [a, b, c]) = (transform.rotation.to_array(), transform.translation.to_array());
    [x, y, z, w, a, b, c]
}

pub(super) fn store_tracks(clip: &Clip) -> Vec<StoredTrack> {
    let n_frames = clip.n_frames();
    let n_joints = clip.skeleton.n_joints();
    let mut tracks = Vec::with_capacity(n_joints * N_NUMBERS);
    for joint in 0..n_joints {
        let columns: Vec<[f64; N_NUMBERS]> = clip.poses().iter().map(|pose| numbers_of(&pose.local[joint])).collect();
        for k in 0..N_NUMBERS {
            let first = columns.first().map_or(0.0, |numbers| numbers[k]);
            let is_still = columns.iter().all(|numbers| numbers[k].to_bits() == first.to_bits());
            tracks.push(match is_still {
                true => StoredTrack::Still(first),
                false => StoredTrack::Moving(columns.iter().map(|numbers| numbers[k]).collect()),
            });
        }
    }
    let n_moving = tracks.iter().filter(|track| matches!(track, StoredTrack::Moving(_))).count();
    let stored = n_moving.saturating_mul(n_frames).saturating_mul(size_of::<f64>());
    if unpacked(n_frames, n_joints) > ALWAYS_UNPACKED.max(stored.saturating_mul(MAX_UNPACKED)) {
        // Hours of a body that hardly moves: written out, so that the reader can believe it.
        for track in &mut tracks {
            if let StoredTrack::Still(number) = *track {
                *track = StoredTrack::Moving(vec![number; n_frames]);
            }
        }
    }
    tracks
}

pub(super) fn read_poses(
    tracks: &[StoredTrack],
    n_frames: usize,
    n_joints: usize,
    max_number: f64,
) -> Result<Poses, String> {
    if tracks.len() != n_joints.saturating_mul(N_NUMBERS) {
        return Err(format!(
            "there are {} tracks for {n_joints} joints; {N_NUMBERS} for each would be right",
            tracks.len()
        ));
    }
    let wrong = tracks.iter().find_map(|track| match track {
        StoredTrack::Moving(numbers) if numbers.len() != n_frames => Some(numbers.len()),
        _ => None,
    });
    if let Some(length) = wrong {
        return Err(format!("a track of {length} numbers does not fit {n_frames} frames"));
    }
    let mut poses = Poses::repeat(PoseRef { local: &vec![Transform::IDENTITY; n_joints] }, n_frames);
    for (joint, seven) in tracks.chunks_exact(N_NUMBERS).enumerate() {
        for (frame, pose) in poses.iter_mut().enumerate() {
            let [x, y, z, w, a, b, c] = std::array::from_fn(|k| match &seven[k] {
                StoredTrack::Still(number) => *number,
                StoredTrack::Moving(numbers) => numbers[frame],
            });
            let rotation = Quat::from_xyzw(x, y, z, w);
            let is_rotation = (rotation.length() - 1.0).abs() <= ROTATION_TOLERANCE;
            if !is_rotation {
                return Err(format!("joint {joint} has no rotation in frame {frame}: {:?}", [x, y, z, w]));
            }
            pose.local[joint] = Transform::new(rotation, vector([a, b, c], max_number, "a place")?);
        }
    }
    Ok(poses)
}
