//! A part of a clip.

use crate::{Clip, EditError};
use std::ops::Range;

/// The frames of a half-open range, as a clip of their own. An empty range gives an empty clip.
pub fn slice(clip: &Clip, frames: Range<usize>) -> Result<Clip, EditError> {
    let Range { start, end } = frames;
    if start > end || end > clip.n_frames() {
        return Err(EditError::Range { start, end, n_frames: clip.n_frames() });
    }
    Ok(clip.with_poses(clip.poses().slice(start..end)))
}
