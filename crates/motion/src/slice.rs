//! A part of a clip.

use crate::{Clip, EditError};
use std::ops::Range;

/// The frames of a half-open range, as a clip of their own. An empty range gives an empty clip.
pub fn slice(clip: &Clip, frames: Range<usize>) -> Result<Clip, EditError> {
    let Range { start, end } = frames;
    let poses = clip.poses.get(start..end).ok_or(EditError::Range { start, end, n_frames: clip.n_frames() })?.to_vec();
    Ok(Clip { name: clip.name.clone(), skeleton: clip.skeleton.clone(), frame_rate: clip.frame_rate, poses })
}
